// The server of grpc/ over the fake models, and requests and answers of its messages.
#ifndef SV_TESTS_GRPC_CLIENT_H
#define SV_TESTS_GRPC_CLIENT_H

#include "tests/serve/h2_client.h"

#include "serve/grpc/internal.h"
#include "tests/serve/fake_service_grpc.h"

#define INFERENCE "/inference.GRPCInferenceService/"

typedef struct grpc_server {
  h2_server h2;
  sv_service service;
  sv_grpc *grpc;
  h2_client client;
} grpc_server;

static inline void grpc_begin(grpc_server *s) {
  memset(&fake, 0, sizeof fake);
  s->service.name = "millrace";
  s->service.version = "1.2.3";
  s->service.body_bytes = 1 << 20;
  s->grpc = sv_grpc_create(&s->service);
  h2_start(&s->h2, sv_grpc_service(s->grpc));
  h2c_open(&s->client, &s->h2);
}

static inline void grpc_end(grpc_server *s) {
  h2c_end(&s->client);
  h2_stop(&s->h2);
  sv_grpc_release(s->grpc);
  sv_regions_release(s->service.regions);
  assert_int_equal(atomic_load(&fake.alive), 0);
}

static inline h2_stream *grpc_call(grpc_server *s, const char *path, const sv_text *message) {
  return h2c_unary(&s->client, path, message->data, message->size, NULL);
}

// The n-th field of this number in a message; false when there is none.
static inline bool grpc_field(sv_str message, uint32_t number, int n, sv_wire_field *out) {
  sv_wire wire;
  sv_wire_begin(&wire, message);
  while (sv_wire_next(&wire, out)) {
    if (out->number == number && n-- == 0) {
      return true;
    }
  }
  assert_false(wire.bad);
  return false;
}

static inline sv_str grpc_bytes(sv_str message, uint32_t number, int n) {
  sv_wire_field field;
  return grpc_field(message, number, n, &field) && field.type == SV_WIRE_BYTES ? field.bytes : (sv_str){0};
}

static inline uint64_t grpc_number(sv_str message, uint32_t number) {
  sv_wire_field field;
  return grpc_field(message, number, 0, &field) ? field.value : 0;
}

// The only message of an answer that succeeded.
static inline sv_str grpc_answer(const h2_stream *stream) {
  size_t at = 0;
  sv_str message;
  if (strcmp(stream->grpc_status, "0") != 0) {
    printf("status %s: %s\n", stream->grpc_status, stream->grpc_message);
  }
  assert_string_equal(stream->grpc_status, "0");
  assert_true(h2c_message(stream, &at, &message));
  assert_int_equal(at, stream->got.size);
  return message;
}

#define grpc_fails(stream_call, code, words)                                                            \
  do {                                                                                                  \
    const h2_stream *failed = (stream_call);                                                            \
    if (strcmp(failed->grpc_status, code) != 0 || !strstr(failed->grpc_message, words)) {               \
      printf("status %s: %s, wanted %s: %s\n", failed->grpc_status, failed->grpc_message, code, words); \
    }                                                                                                   \
    assert_string_equal(failed->grpc_status, code);                                                     \
    assert_non_null(strstr(failed->grpc_message, words));                                               \
  } while (0)

static inline void put_text(sv_text *out, uint32_t field, const char *text) {
  sv_wire_put_str(out, field, sv_str_of(text));
}

// Map entry of a parameter; kinds as in InferParameter.
static inline void put_param(sv_text *out, uint32_t field, const char *key, int kind, uint64_t number,
                             const char *text) {
  size_t entry = sv_wire_put_begin(out, field);
  put_text(out, 1, key);
  size_t value = sv_wire_put_begin(out, 2);
  if (text) {
    sv_wire_put_element(out, 3, sv_str_of(text));
  } else {
    sv_wire_put_tag(out, (uint32_t)kind, SV_WIRE_VARINT);
    sv_wire_put_varint(out, number);
  }
  sv_wire_put_end(out, value);
  sv_wire_put_end(out, entry);
}

// An input tensor without contents; put_end() is the caller's.
static inline size_t put_input(sv_text *out, const char *name, const char *datatype, const int64_t *dims, size_t rank) {
  size_t mark = sv_wire_put_begin(out, 5);
  put_text(out, 1, name);
  put_text(out, 2, datatype);
  sv_wire_put_ints(out, 3, dims, rank);
  return mark;
}

// A whole request to one of the pair models, with raw contents: x of rows * 4 floats from `first` on, n of rows * 2 integers.
static inline void put_pair_request(sv_text *out, const char *model, const char *id, int64_t rows, int first) {
  float x[64];
  int32_t n[32];
  for (int i = 0; i < 64; i++) {
    x[i] = (float)(first + i);
    n[i / 2] = first - i / 2;
  }
  put_text(out, 1, model);
  put_text(out, 3, id);
  sv_wire_put_end(out, put_input(out, "x", "FP32", (int64_t[]){rows, 4}, 2));
  sv_wire_put_end(out, put_input(out, "n", "INT32", (int64_t[]){rows, 2}, 2));
  sv_wire_put_element(out, 7, (sv_str){(const char *)x, (size_t)rows * 16});
  sv_wire_put_element(out, 7, (sv_str){(const char *)n, (size_t)rows * 8});
}

#endif
