// ModelInferResponse: what describes the outputs is written, their bytes stay where they lie.
#include <string.h>

#include "serve/grpc/internal.h"

// Where an output's bytes come between what is in work->head: in front of head's byte `at`.
typedef struct output_place {
  size_t at;
  const void *data;  // NULL: in work->classes
  size_t offset, size;
} output_place;

static sv_error *classify(sv_grpc_work *work, const sv_grpc_output *output, output_place *out_place,
                          sv_tensor *out_shape) {
  const sv_signature *signature = sv_version_signature(work->version);
  out_place->data = NULL;
  out_place->offset = work->classes.size;
  int64_t dims[2] = {0};
  SV_TRY(sv_classify(&signature->outputs[output->port], &work->request->outputs[output->port],
                     signature->max_batch_size > 0, output->classes, &work->classes, dims, &out_shape->rank));
  memcpy(out_shape->dims, dims, sizeof dims);
  out_place->size = work->classes.size - out_place->offset;
  return work->classes.failed ? sv_no_memory() : NULL;
}

static sv_error *to_region(const sv_grpc_output *output, const sv_port *port, const sv_tensor *tensor) {
  if (tensor->bytes > output->size) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "output '%s' has %zu bytes, its shared memory has %llu", port->name,
                     tensor->bytes, (unsigned long long)output->size);
  }
  return sv_region_write(output->region, output->offset, tensor->data, tensor->bytes);
}

// InferOutputTensor, and where its bytes are.
static sv_error *write_output(sv_grpc_work *work, const sv_grpc_output *output, output_place *out_place) {
  const sv_signature *signature = sv_version_signature(work->version);
  const sv_port *port = &signature->outputs[output->port];
  const sv_tensor *tensor = &work->request->outputs[output->port];
  sv_tensor shape;
  const char *datatype = output->classes ? "BYTES" : sv_datatype_name(port->dtype);
  *out_place = (output_place){.data = tensor->data, .size = tensor->bytes};
  if (output->classes) {
    SV_TRY(classify(work, output, out_place, &shape));
  } else if (output->region) {
    SV_TRY(to_region(output, port, tensor));
    out_place->size = 0;
  }
  const sv_tensor *shown = output->classes ? &shape : tensor;
  size_t mark = sv_wire_put_begin(&work->head, 5);
  sv_wire_put_str(&work->head, 1, sv_str_of(port->name));
  sv_wire_put_str(&work->head, 2, sv_str_of(datatype));
  sv_wire_put_ints(&work->head, 3, shown->dims, shown->rank);
  sv_wire_put_end(&work->head, mark);
  return NULL;
}

static void write_top(sv_grpc_work *work) {
  const sv_signature *signature = sv_version_signature(work->version);
  char digits[20];
  size_t at = sizeof digits;
  uint64_t number = signature->number;
  do {
    digits[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  sv_wire_put_str(&work->head, 1, sv_str_of(signature->model));
  sv_wire_put_str(&work->head, 2, (sv_str){digits + at, sizeof digits - at});
  sv_wire_put_str(&work->head, 3, work->id);
  if (work->stream) {
    // parameters { "triton_final_response": { bool_param: true } }: each request of a stream has one response.
    static const char final_response[] = "\x22\x1b\x0a\x15triton_final_response\x12\x02\x08\x01";
    sv_text_add(&work->head, final_response, sizeof final_response - 1);
  }
}

// A region's output has an empty entry where others have bytes: clients count outputs and entries alike.
static void write_raw(sv_grpc_work *work, output_place *places, size_t count) {
  const sv_grpc_output *outputs = (const sv_grpc_output *)(const void *)work->output_list.data;
  size_t last = 0;
  for (size_t i = 0; i < count; i++) {
    last = outputs[i].region ? last : i + 1;
  }
  for (size_t i = 0; i < last; i++) {
    sv_wire_put_tag(&work->head, 6, SV_WIRE_BYTES);
    sv_wire_put_varint(&work->head, places[i].size);
    places[i].at = work->head.size;
  }
  for (size_t i = last; i < count; i++) {
    places[i].at = work->head.size;
  }
}

static void add_piece(sv_grpc_work *work, const void *data, size_t size) {
  const sv_piece piece = {data, size};
  if (size) {
    sv_text_add(&work->pieces, &piece, sizeof piece);
  }
}

// ModelStreamInferResponse { 2: infer_response }
static void add_lead(sv_grpc_work *work, const output_place *places, size_t count) {
  uint64_t size = work->head.size;
  for (size_t i = 0; i < count; i++) {
    size += places[i].size;
  }
  sv_text lead = {.data = work->lead, .capacity = sizeof work->lead};
  sv_wire_put_tag(&lead, 2, SV_WIRE_BYTES);
  sv_wire_put_varint(&lead, size);
  add_piece(work, work->lead, lead.size);
}

static sv_error *make_pieces(sv_grpc_work *work, const output_place *places, size_t count) {
  size_t from = 0;
  if (work->stream) {
    add_lead(work, places, count);
  }
  for (size_t i = 0; i < count; i++) {
    add_piece(work, work->head.data + from, places[i].at - from);
    add_piece(work, places[i].data ? places[i].data : work->classes.data + places[i].offset, places[i].size);
    from = places[i].at;
  }
  add_piece(work, work->head.data + from, work->head.size - from);
  return work->pieces.failed || work->head.failed ? sv_no_memory() : NULL;
}

sv_error *sv_grpc_infer_write(sv_grpc_work *work) {
  const sv_grpc_output *outputs = (const sv_grpc_output *)(const void *)work->output_list.data;
  size_t count = work->output_list.size / sizeof *outputs;
  output_place *places = (output_place *)(void *)sv_text_room(&work->places, count * sizeof *places + 1);
  if (!places) {
    return sv_no_memory();
  }
  write_top(work);
  for (size_t i = 0; i < count; i++) {
    SV_TRY(write_output(work, &outputs[i], &places[i]));
  }
  write_raw(work, places, count);
  return work->head.failed ? sv_no_memory() : make_pieces(work, places, count);
}
