// What is large in a message of HLO, where it lies: protobuf-c copies the bytes of a field, at each depth once more, and a constant is four deep.
#include <string.h>

#include "compiler/reader/hlo.h"

// One field of a message on the wire.
typedef struct wire_field {
  uint32_t number;
  unsigned type;         // 2: with a length
  size_t content, size;  // what follows tag and length
} wire_field;

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_LENGTH = 2, WIRE_32 = 5 };

static bool next_varint(ProtobufCBinaryData bytes, size_t *at, uint64_t *out) {
  *out = 0;
  for (unsigned shift = 0; *at < bytes.len && shift < 64; shift += 7) {
    uint8_t byte = bytes.data[(*at)++];
    *out |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) {
      return true;
    }
  }
  return false;
}

// The field at *at, which moves behind it. False for what is none, and for a length that protobuf-c refuses.
static bool next_field(ProtobufCBinaryData bytes, size_t *at, wire_field *out) {
  uint64_t tag, number;
  if (!next_varint(bytes, at, &tag) || tag > UINT32_MAX) {
    return false;
  }
  *out = (wire_field){.number = (uint32_t)tag >> 3, .type = tag & 7, .content = *at};
  switch (out->type) {
  case WIRE_VARINT: return next_varint(bytes, at, &number);
  case WIRE_64: out->size = 8; break;
  case WIRE_32: out->size = 4; break;
  case WIRE_LENGTH:
    if (!next_varint(bytes, at, &number) || number > INT32_MAX) {
      return false;
    }
    out->content = *at;
    out->size = (size_t)number;
    break;
  default: return false;
  }
  bool inside = out->size <= bytes.len - *at;
  *at += inside ? out->size : 0;
  return inside;
}

// How many fields of that number there are with a length, and how many bytes without them. False when the bytes are no message.
static bool measure(ProtobufCBinaryData bytes, uint32_t number, size_t *out_count, size_t *out_rest) {
  wire_field field;
  *out_count = *out_rest = 0;
  for (size_t at = 0, start = 0; at < bytes.len; start = at) {
    if (!next_field(bytes, &at, &field)) {
      return false;
    }
    bool part = field.number == number && field.type == WIRE_LENGTH;
    *out_count += part;
    *out_rest += part ? 0 : at - start;
  }
  return true;
}

static void fill(ProtobufCBinaryData bytes, uint32_t number, hlo_split *out) {
  wire_field field;
  for (size_t at = 0, start = 0; at < bytes.len && next_field(bytes, &at, &field); start = at) {
    if (field.number == number && field.type == WIRE_LENGTH) {
      out->parts[out->count++] = (ProtobufCBinaryData){field.size, bytes.data + field.content};
    } else {
      memcpy(out->rest.data + out->rest.len, bytes.data + start, at - start);
      out->rest.len += at - start;
    }
  }
}

mr_status mr_hlo_split(mr_arena *arena, ProtobufCBinaryData bytes, const ProtobufCFieldDescriptor *field,
                       hlo_split *out) {
  size_t count, rest;
  *out = (hlo_split){.rest = bytes};
  if (!measure(bytes, field->id, &count, &rest) || count == 0) {
    return MR_OK;  // protobuf-c says what is wrong
  }
  out->parts = mr_arena_array(arena, ProtobufCBinaryData, count);
  out->rest = (ProtobufCBinaryData){0, mr_arena_alloc(arena, rest + 1)};
  if (!out->parts || !out->rest.data) {
    return MR_NO_MEMORY();
  }
  fill(bytes, field->id, out);
  return MR_OK;
}
