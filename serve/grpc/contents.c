// InferTensorContents: typed elements, packed or not, into a tensor's memory.
#include <string.h>

#include "serve/grpc/internal.h"

// Which field holds the elements of a type, how they are on the wire, and the range that they must keep to (integers).
typedef struct element_kind {
  millrace_dtype dtype;
  uint32_t field;
  sv_wire_type type;
  int64_t least, most;
} element_kind;

static const element_kind kinds[] = {
    {MILLRACE_PRED, 1, SV_WIRE_VARINT, INT64_MIN, INT64_MAX}, {MILLRACE_S8, 2, SV_WIRE_VARINT, INT8_MIN, INT8_MAX},
    {MILLRACE_S16, 2, SV_WIRE_VARINT, INT16_MIN, INT16_MAX},  {MILLRACE_S32, 2, SV_WIRE_VARINT, INT32_MIN, INT32_MAX},
    {MILLRACE_S64, 3, SV_WIRE_VARINT, INT64_MIN, INT64_MAX},  {MILLRACE_U8, 4, SV_WIRE_VARINT, 0, UINT8_MAX},
    {MILLRACE_U16, 4, SV_WIRE_VARINT, 0, UINT16_MAX},         {MILLRACE_U32, 4, SV_WIRE_VARINT, 0, UINT32_MAX},
    {MILLRACE_U64, 5, SV_WIRE_VARINT, INT64_MIN, INT64_MAX},  {MILLRACE_F32, 6, SV_WIRE_FIXED32, INT64_MIN, INT64_MAX},
    {MILLRACE_F64, 7, SV_WIRE_FIXED64, INT64_MIN, INT64_MAX},
};

static const element_kind *find_kind(millrace_dtype dtype) {
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (kinds[i].dtype == dtype) {
      return &kinds[i];
    }
  }
  return NULL;
}

typedef struct element_sink {
  const element_kind *kind;
  sv_str name;
  size_t element, count, have;
  unsigned char *to;
} element_sink;

static sv_error *put(element_sink *sink, uint64_t value) {
  const element_kind *kind = sink->kind;
  if (sink->have == sink->count) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT,
                     "the contents of input '%.*s' are more than the %zu elements of its shape", SV_FMT(sink->name),
                     sink->count);
  }
  if ((int64_t)value < kind->least || (int64_t)value > kind->most) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "element %zu of input '%.*s' does not fit %s", sink->have,
                     SV_FMT(sink->name), sv_datatype_name(kind->dtype));
  }
  if (kind->dtype == MILLRACE_PRED) {
    value = value != 0;
  }
  memcpy(sink->to + sink->have * sink->element, &value, sink->element);  // little endian, as the machine
  sink->have++;
  return NULL;
}

static sv_error *malformed(sv_str name) {
  return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the contents of input '%.*s' are not well formed", SV_FMT(name));
}

static sv_error *put_packed(element_sink *sink, sv_str bytes) {
  sv_wire wire;
  size_t room = (sink->count - sink->have) * sink->element;
  if (sink->kind->type != SV_WIRE_VARINT && bytes.size % sink->element == 0 && bytes.size <= room) {
    // Packed floats are the tensor's bytes.
    if (bytes.size) {
      memcpy(sink->to + sink->have * sink->element, bytes.data, bytes.size);
    }
    sink->have += bytes.size / sink->element;
    return NULL;
  }
  sv_wire_begin(&wire, bytes);
  for (uint64_t value; sv_wire_packed(&wire, sink->kind->type, &value);) {
    SV_TRY(put(sink, value));
  }
  return wire.bad ? malformed(sink->name) : NULL;
}

sv_error *sv_grpc_contents_read(sv_str contents, millrace_dtype dtype, sv_str name, size_t count, void *to) {
  const element_kind *kind = find_kind(dtype);
  if (!kind) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%.*s' is %s, which is sent in raw_input_contents alone",
                     SV_FMT(name), sv_datatype_name(dtype));
  }
  element_sink sink = {.kind = kind, .name = name, .element = millrace_dtype_bytes(dtype), .count = count, .to = to};
  sv_wire wire;
  sv_wire_begin(&wire, contents);
  for (sv_wire_field field; sv_wire_next(&wire, &field);) {
    if (field.number == kind->field && field.type == kind->type) {
      SV_TRY(put(&sink, field.value));
    } else if (field.number == kind->field && field.type == SV_WIRE_BYTES) {
      SV_TRY(put_packed(&sink, field.bytes));
    } else if (field.number <= 8) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the contents of input '%.*s' are of another type than %s",
                       SV_FMT(name), sv_datatype_name(dtype));
    }
  }
  if (wire.bad) {
    return malformed(name);
  }
  return sink.have == count
             ? NULL
             : sv_errorf(MILLRACE_INVALID_ARGUMENT, "the contents of input '%.*s' have %zu elements, its shape has %zu",
                         SV_FMT(name), sink.have, count);
}
