// ModelInfer: messages in, messages out.
#include "tests/serve/grpc_client.h"

#include <fcntl.h>
#include <sys/mman.h>

static void check_pair(sv_str answer, const char *version, const char *id, int64_t rows, int first) {
  assert_true(sv_str_is(grpc_bytes(answer, 2, 0), version));
  assert_true(sv_str_is(grpc_bytes(answer, 3, 0), id));
  sv_str y = grpc_bytes(answer, 5, 0), raw = grpc_bytes(answer, 6, 0), raw_m = grpc_bytes(answer, 6, 1);
  assert_true(sv_str_is(grpc_bytes(y, 1, 0), "y") && sv_str_is(grpc_bytes(y, 2, 0), "FP32"));
  sv_str shape = grpc_bytes(y, 3, 0);
  assert_true(shape.size == 2 && shape.data[0] == rows && shape.data[1] == 4);
  assert_int_equal(raw.size, rows * 16);
  assert_int_equal(raw_m.size, rows * 8);
  for (int i = 0; i < rows * 4; i++) {
    float value;
    memcpy(&value, raw.data + 4 * i, 4);
    assert_true(value == (float)(first + i));
  }
}

static void test_raw(void **state) {
  (void)state;
  grpc_server s = {0};
  grpc_begin(&s);
  static const char *const models[] = {"echo", "now"};
  for (int i = 0; i < 100; i++) {
    sv_text request = {0};
    put_pair_request(&request, models[i % 2], i % 3 ? "some id" : "", 1 + i % 8, i);
    put_param(&request, 4, "triton_enable_empty_final_response", 1, 1, NULL);
    put_param(&request, 4, "priority", 5, 1, NULL);
    put_param(&request, 4, "mine", 0, 0, "x");
    sv_wire_put_str(&request, 77, SV_STR("unknown fields are skipped"));
    check_pair(grpc_answer(grpc_call(&s, INFERENCE "ModelInfer", &request)), i % 2 ? "1" : "3", i % 3 ? "some id" : "",
               1 + i % 8, i);
    sv_text_free(&request);
  }
  assert_int_equal(atomic_load(&fake.alive), 1);  // used again
  grpc_end(&s);
}

// A part of the outputs, in the order that was asked for; a version by its number.
static void test_wanted_outputs(void **state) {
  (void)state;
  grpc_server s = {0};
  grpc_begin(&s);
  sv_text request = {0};
  put_pair_request(&request, "echo", "", 2, 5);
  put_text(&request, 2, "1");
  for (int i = 0; i < 3; i++) {
    size_t output = sv_wire_put_begin(&request, 6);
    put_text(&request, 1, i == 1 ? "y" : "m");
    if (i == 1) {
      put_param(&request, 2, "classification", 2, 2, NULL);
    }
    sv_wire_put_end(&request, output);
  }
  sv_str answer = grpc_answer(grpc_call(&s, INFERENCE "ModelInfer", &request));
  assert_true(sv_str_is(grpc_bytes(answer, 2, 0), "1"));
  assert_true(sv_str_is(grpc_bytes(grpc_bytes(answer, 5, 0), 1, 0), "m"));
  sv_str y = grpc_bytes(answer, 5, 1);
  assert_true(sv_str_is(grpc_bytes(y, 1, 0), "y") && sv_str_is(grpc_bytes(y, 2, 0), "BYTES"));
  assert_true(sv_str_equal(grpc_bytes(y, 3, 0), SV_STR("\x02\x02")));
  sv_str classes = grpc_bytes(answer, 6, 1);
  assert_true(classes.size > 14 && !memcmp(classes.data,
                                           "\x0a\0\0\0"
                                           "8.000000:3",
                                           14));
  assert_int_equal(grpc_bytes(answer, 5, 2).size, 0);
  sv_text_free(&request);
  grpc_end(&s);
}

static const struct {
  const char *name, *datatype;
  uint32_t field;
  int wire;  // 0: varint, 4 and 8: fixed
  uint64_t values[2];
  size_t size;
  const char *bytes;
} typed_types[] = {
    {"bool", "BOOL", 1, 0, {1, 0}, 2, "\1\0"},
    {"int8", "INT8", 2, 0, {(uint64_t)-128, 127}, 2, "\x80\x7f"},
    {"int16", "INT16", 2, 0, {(uint64_t)-2, 258}, 4, "\xfe\xff\2\1"},
    {"int32", "INT32", 2, 0, {(uint64_t)-1, 1}, 8, "\xff\xff\xff\xff\1\0\0\0"},
    {"int64", "INT64", 3, 0, {(uint64_t)-1, 1}, 16, "\xff\xff\xff\xff\xff\xff\xff\xff\1\0\0\0\0\0\0\0"},
    {"uint8", "UINT8", 4, 0, {255, 0}, 2, "\xff\0"},
    {"uint16", "UINT16", 4, 0, {65535, 1}, 4, "\xff\xff\1\0"},
    {"uint32", "UINT32", 4, 0, {UINT32_MAX, 1}, 8, "\xff\xff\xff\xff\1\0\0\0"},
    {"uint64", "UINT64", 5, 0, {UINT64_MAX, 1}, 16, "\xff\xff\xff\xff\xff\xff\xff\xff\1\0\0\0\0\0\0\0"},
    {"fp32", "FP32", 6, 4, {0x3f800000, 0x80000000}, 8, "\0\0\x80\x3f\0\0\0\x80"},
    {"fp64", "FP64", 7, 8, {0x3ff0000000000000, 1}, 16, "\0\0\0\0\0\0\xf0\x3f\1\0\0\0\0\0\0\0"},
};

enum { NUM_TYPED = sizeof typed_types / sizeof typed_types[0] };

// Typed contents of every type that has a field, packed and not.
static void test_typed(void **state) {
  (void)state;
  grpc_server s = {0};
  grpc_begin(&s);
  const int64_t two[] = {2};
  for (int packed = 0; packed < 2; packed++) {
    sv_text request = {0};
    put_text(&request, 1, "types");
    // fp16 and bf16 have no field: their inputs are missing, which is noticed after those that are there were read.
    for (int i = 0; i < NUM_TYPED; i++) {
      size_t input = put_input(&request, typed_types[i].name, typed_types[i].datatype, two, 1);
      size_t contents = sv_wire_put_begin(&request, 5);
      size_t list = packed ? sv_wire_put_begin(&request, typed_types[i].field) : 0;
      for (int v = 0; v < 2; v++) {
        if (!packed) {
          sv_wire_put_tag(&request, typed_types[i].field,
                          typed_types[i].wire == 4 ? SV_WIRE_FIXED32
                          : typed_types[i].wire    ? SV_WIRE_FIXED64
                                                   : SV_WIRE_VARINT);
        }
        if (typed_types[i].wire) {
          sv_text_add(&request, &typed_types[i].values[v], (size_t)typed_types[i].wire);
        } else {
          sv_wire_put_varint(&request, typed_types[i].values[v]);
        }
      }
      if (packed) {
        sv_wire_put_end(&request, list);
      }
      sv_wire_put_end(&request, contents);
      sv_wire_put_end(&request, input);
    }
    grpc_fails(grpc_call(&s, INFERENCE "ModelInfer", &request), "3", "input 'fp16' of model 'types' is missing");
    sv_wire_put_end(&request, put_input(&request, "fp16", "FP16", (int64_t[]){2}, 1));
    grpc_fails(grpc_call(&s, INFERENCE "ModelInfer", &request), "3", "the contents of input 'fp16'");
    sv_text_free(&request);
  }
  grpc_end(&s);
}

// What is read of them, byte for byte.
static void test_typed_bytes(void **state) {
  (void)state;
  for (int i = 0; i < NUM_TYPED; i++) {
    unsigned char got[16];
    sv_text contents = {0};
    for (int v = 0; v < 2; v++) {
      sv_wire_put_tag(&contents, typed_types[i].field,
                      typed_types[i].wire == 4 ? SV_WIRE_FIXED32
                      : typed_types[i].wire    ? SV_WIRE_FIXED64
                                               : SV_WIRE_VARINT);
      if (typed_types[i].wire) {
        sv_text_add(&contents, &typed_types[i].values[v], (size_t)typed_types[i].wire);
      } else {
        sv_wire_put_varint(&contents, typed_types[i].values[v]);
      }
    }
    check_ok(sv_grpc_contents_read(sv_text_str(&contents), sv_datatype_parse(sv_str_of(typed_types[i].datatype)),
                                   SV_STR("x"), 2, got));
    assert_memory_equal(got, typed_types[i].bytes, typed_types[i].size);
    check_fails(sv_grpc_contents_read(sv_text_str(&contents), sv_datatype_parse(sv_str_of(typed_types[i].datatype)),
                                      SV_STR("x"), 1, got),
                MILLRACE_INVALID_ARGUMENT, "more than the 1 elements");
    sv_text_free(&contents);
  }
  unsigned char got[16];
  check_fails(sv_grpc_contents_read(SV_STR("\x10\x80\x01"), MILLRACE_S8, SV_STR("x"), 1, got),
              MILLRACE_INVALID_ARGUMENT, "does not fit INT8");
  check_fails(sv_grpc_contents_read(SV_STR("\x20\x80\x02"), MILLRACE_U8, SV_STR("x"), 1, got),
              MILLRACE_INVALID_ARGUMENT, "does not fit UINT8");
  check_fails(sv_grpc_contents_read(SV_STR("\x10\x01"), MILLRACE_S64, SV_STR("x"), 1, got), MILLRACE_INVALID_ARGUMENT,
              "another type than INT64");
  check_fails(sv_grpc_contents_read(SV_STR("\x32\x03\x01\x02\x03"), MILLRACE_F32, SV_STR("x"), 1, got),
              MILLRACE_INVALID_ARGUMENT, "not well formed");
}

typedef struct wrong_request {
  const char *code, *words;
  void (*make)(sv_text *request);
} wrong_request;

static void make_no_model(sv_text *r) { put_pair_request(r, "nope", "", 1, 0); }
static void make_no_version(sv_text *r) {
  put_pair_request(r, "echo", "", 1, 0);
  put_text(r, 2, "7");
}
static void make_missing(sv_text *r) {
  put_text(r, 1, "echo");
  sv_wire_put_end(r, put_input(r, "x", "FP32", (int64_t[]){1, 4}, 2));
  sv_wire_put_element(r, 7, SV_STR("0123456789abcdef"));
}
static void make_twice(sv_text *r) {
  put_pair_request(r, "echo", "", 1, 0);
  sv_wire_put_end(r, put_input(r, "x", "FP32", (int64_t[]){1, 4}, 2));
}
static void make_unknown(sv_text *r) {
  put_pair_request(r, "echo", "", 1, 0);
  sv_wire_put_end(r, put_input(r, "q", "FP32", (int64_t[]){1, 4}, 2));
}
static void make_datatype(sv_text *r) {
  put_text(r, 1, "echo");
  sv_wire_put_end(r, put_input(r, "x", "FP64", (int64_t[]){1, 4}, 2));
}
static void make_bytes(sv_text *r) {
  put_text(r, 1, "echo");
  sv_wire_put_end(r, put_input(r, "x", "BYTES", (int64_t[]){1, 4}, 2));
}
static void make_raw_size(sv_text *r) {
  put_text(r, 1, "echo");
  sv_wire_put_end(r, put_input(r, "x", "FP32", (int64_t[]){2, 4}, 2));
  sv_wire_put_element(r, 7, SV_STR("0123456789abcdef"));
}
static void make_raw_left(sv_text *r) {
  put_pair_request(r, "echo", "", 1, 0);
  sv_wire_put_element(r, 7, SV_STR("x"));
}
static void make_negative(sv_text *r) {
  put_text(r, 1, "echo");
  sv_wire_put_end(r, put_input(r, "x", "FP32", (int64_t[]){-1, 4}, 2));
}
static void make_overflow(sv_text *r) {
  put_text(r, 1, "echo");
  sv_wire_put_end(r, put_input(r, "x", "FP32", (int64_t[]){1LL << 32, 1LL << 32}, 2));
}
static void make_rank(sv_text *r) {
  int64_t ones[40];
  for (int i = 0; i < 40; i++) {
    ones[i] = 1;
  }
  put_text(r, 1, "echo");
  sv_wire_put_end(r, put_input(r, "x", "FP32", ones, 40));
}
static void make_claims(sv_text *r) {  // 4 TB of typed contents that are not there
  put_text(r, 1, "big");
  sv_wire_put_end(r, put_input(r, "x", "FP32", (int64_t[]){1LL << 40}, 1));
}
static void make_mixed(sv_text *r) {
  put_pair_request(r, "echo", "", 1, 0);
  r->size = 0;
  put_text(r, 1, "echo");
  size_t input = put_input(r, "x", "FP32", (int64_t[]){1, 4}, 2);
  sv_wire_put_element(r, 5, SV_STR(""));
  sv_wire_put_end(r, input);
  sv_wire_put_element(r, 7, SV_STR("0123456789abcdef"));
}
static void make_output(sv_text *r) {
  put_pair_request(r, "echo", "", 1, 0);
  size_t output = sv_wire_put_begin(r, 6);
  put_text(r, 1, "z");
  sv_wire_put_end(r, output);
}
static void make_sequence(sv_text *r) {
  put_pair_request(r, "echo", "", 1, 0);
  put_param(r, 4, "sequence_id", 2, 5, NULL);
}
static void make_priority(sv_text *r) {
  put_pair_request(r, "echo", "", 1, 0);
  put_param(r, 4, "priority", 2, (uint64_t)-1, NULL);
}
static void make_region(sv_text *r) {
  put_text(r, 1, "echo");
  size_t input = put_input(r, "x", "FP32", (int64_t[]){1, 4}, 2);
  put_param(r, 4, "shared_memory_region", 0, 0, "r");
  put_param(r, 4, "shared_memory_byte_size", 2, 16, NULL);
  sv_wire_put_end(r, input);
}
static void make_cut_off(sv_text *r) {
  put_pair_request(r, "echo", "", 1, 0);
  r->size -= 3;
}
static void make_wrong_type(sv_text *r) { sv_wire_put_uint(r, 1, 5); }
static void make_nothing(sv_text *r) { (void)r; }
static void make_failing(sv_text *r) { put_pair_request(r, "fail", "", 1, 0); }
static void make_rows(sv_text *r) { put_pair_request(r, "echo", "", 9, 0); }

// Each says what is wrong, and the connection goes on.
static void test_wrong_requests(void **state) {
  (void)state;
  static const wrong_request wrong[] = {
      {"5", "'nope'", make_no_model},
      {"5", "'echo'", make_no_version},
      {"3", "input 'n' of model 'echo' is missing", make_missing},
      {"3", "input 'x' is there twice", make_twice},
      {"3", "has no input 'q'", make_unknown},
      {"3", "datatype 'FP64', FP32 is wanted", make_datatype},
      {"3", "datatype 'BYTES'", make_bytes},
      {"3", "input 'x' has 16 bytes in raw_input_contents, its shape and datatype make 32", make_raw_size},
      {"3", "has 3 entries, the inputs take 2", make_raw_left},
      {"3", "negative dimension", make_negative},
      {"3", "too large", make_overflow},
      {"3", "more than 16 dimensions", make_rank},
      {"3", "less than the 1099511627776 elements", make_claims},
      {"3", "one of them is wanted", make_mixed},
      {"3", "has no output 'z'", make_output},
      {"12", "sequence_id", make_sequence},
      {"3", "'priority'", make_priority},
      {"14", "", make_region},
      {"3", "well-formed", make_cut_off},
      {"3", "well-formed", make_wrong_type},
      {"5", "", make_nothing},
      {"13", "it does not work", make_failing},
      {"3", "does not fit", make_rows},
  };
  grpc_server s = {0};
  grpc_begin(&s);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    sv_text request = {0};
    wrong[i].make(&request);
    grpc_fails(grpc_call(&s, INFERENCE "ModelInfer", &request), wrong[i].code, wrong[i].words);
    sv_text_free(&request);
  }
  assert_true(atomic_load(&fake.failures) > 10);
  grpc_end(&s);
}

// Inputs are read from regions, outputs written to them; others are in the message.
static void test_shared_memory(void **state) {
  (void)state;
  char key[64];
  snprintf(key, sizeof key, "/mr_grpc_%d", (int)getpid());
  int fd = shm_open(key, O_RDWR | O_CREAT, 0600);
  assert_true(fd >= 0 && ftruncate(fd, 4096) == 0);
  const float x[] = {1, 2, 3, 4};
  assert_int_equal(pwrite(fd, x, sizeof x, 64), sizeof x);
  grpc_server s = {.service.regions = sv_regions_create()};
  grpc_begin(&s);
  sv_text request = {0};
  put_text(&request, 1, "r");
  put_text(&request, 2, key);
  sv_wire_put_uint(&request, 4, 4096);
  grpc_answer(grpc_call(&s, INFERENCE "SystemSharedMemoryRegister", &request));
  grpc_fails(grpc_call(&s, INFERENCE "SystemSharedMemoryRegister", &request), "6", "");
  sv_text_clear(&request);
  sv_str status = grpc_answer(grpc_call(&s, INFERENCE "SystemSharedMemoryStatus", &request));
  sv_str region = grpc_bytes(grpc_bytes(status, 1, 0), 2, 0);
  assert_true(sv_str_is(grpc_bytes(region, 1, 0), "r") && sv_str_is(grpc_bytes(region, 2, 0), key));
  assert_int_equal(grpc_number(region, 4), 4096);
  put_text(&request, 1, "echo");
  size_t input = put_input(&request, "x", "FP32", (int64_t[]){1, 4}, 2);
  put_param(&request, 4, "shared_memory_region", 0, 0, "r");
  put_param(&request, 4, "shared_memory_byte_size", 2, 16, NULL);
  put_param(&request, 4, "shared_memory_offset", 2, 64, NULL);
  sv_wire_put_end(&request, input);
  sv_wire_put_end(&request, put_input(&request, "n", "INT32", (int64_t[]){1, 2}, 2));
  sv_wire_put_element(&request, 7, SV_STR("12345678"));
  size_t output = sv_wire_put_begin(&request, 6);
  put_text(&request, 1, "y");
  put_param(&request, 2, "shared_memory_region", 0, 0, "r");
  put_param(&request, 2, "shared_memory_byte_size", 2, 16, NULL);
  put_param(&request, 2, "shared_memory_offset", 2, 1024, NULL);
  sv_wire_put_end(&request, output);
  output = sv_wire_put_begin(&request, 6);
  put_text(&request, 1, "m");
  sv_wire_put_end(&request, output);
  sv_str answer = grpc_answer(grpc_call(&s, INFERENCE "ModelInfer", &request));
  float y[4];
  assert_int_equal(pread(fd, y, sizeof y, 1024), sizeof y);
  assert_memory_equal(x, y, sizeof x);
  assert_int_equal(grpc_bytes(answer, 6, 0).size, 0);  // y's place
  assert_true(sv_str_is(grpc_bytes(answer, 6, 1), "12345678"));
  sv_text_clear(&request);
  grpc_answer(grpc_call(&s, INFERENCE "SystemSharedMemoryUnregister", &request));
  sv_text_free(&request);
  grpc_end(&s);
  close(fd);
  shm_unlink(key);
}

// Large tensors in both directions, past every window.
static void test_large(void **state) {
  (void)state;
  grpc_server s = {0};
  grpc_begin(&s);
  enum { COUNT = 700000 };
  float *values = malloc(COUNT * sizeof *values);
  for (int i = 0; i < COUNT; i++) {
    values[i] = (float)i;
  }
  sv_text request = {0};
  put_text(&request, 1, "big");
  sv_wire_put_end(&request, put_input(&request, "x", "FP32", (int64_t[]){COUNT}, 1));
  sv_wire_put_element(&request, 7, (sv_str){(const char *)values, COUNT * sizeof *values});
  sv_str raw = grpc_bytes(grpc_answer(grpc_call(&s, INFERENCE "ModelInfer", &request)), 6, 0);
  assert_true(atomic_load(&fake.aligned));  // the engine could use it where it lay
  assert_int_equal(raw.size, COUNT * sizeof *values);
  assert_memory_equal(raw.data, values, raw.size);
  sv_text_free(&request);
  free(values);
  grpc_end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_raw),         cmocka_unit_test(test_wanted_outputs), cmocka_unit_test(test_typed),
      cmocka_unit_test(test_typed_bytes), cmocka_unit_test(test_wrong_requests), cmocka_unit_test(test_shared_memory),
      cmocka_unit_test(test_large),
  };
  return check_run(tests);
}
