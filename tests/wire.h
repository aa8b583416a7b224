// A protobuf message with one field wrong, at every field and depth, without knowing what message it is: fields that are left
// out, given twice or WIRE_MANY times, empty, or hold another number or text.
//
//   static void look(void *context, mr_span damaged) { ... }
//   wire_damage((mr_span){bytes, size}, look, &context);
#ifndef MR_TESTS_WIRE_H
#define MR_TESTS_WIRE_H

#include <string.h>

#include "core/core.h"
#include "tests/cmocka.h"

enum {
  WIRE_DEPTH = 16,
  WIRE_ROOM = 64,
  WIRE_MANY = 40
};  // how deep is looked; how much longer a damaged message may be at each depth

typedef struct wire_field {
  size_t start, payload, end;  // a number's payload begins after the tag, a text's after its length
  unsigned type;               // 0: varint, 1: 64 bits, 2: with a length, 5: 32 bits
} wire_field;

typedef struct wire_walk {
  void (*look)(void *context, mr_span damaged);
  void *context;
  mr_span outer[WIRE_DEPTH];      // the messages around, from the file on
  wire_field around[WIRE_DEPTH];  // and the fields of them that hold the next
} wire_walk;

static inline bool wire_varint(mr_span bytes, size_t *at, uint64_t *out) {
  *out = 0;
  for (unsigned shift = 0; *at < bytes.size && shift < 64; shift += 7) {
    uint8_t byte = ((const uint8_t *)bytes.data)[(*at)++];
    *out |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) {
      return true;
    }
  }
  return false;
}

static inline size_t wire_put_varint(uint8_t *to, uint64_t value) {
  size_t size = 0;
  for (; value >= 0x80; value >>= 7) {
    to[size++] = (uint8_t)(value | 0x80);
  }
  to[size++] = (uint8_t)value;
  return size;
}

static inline bool wire_next(mr_span bytes, size_t at, wire_field *out) {
  uint64_t tag, length = 0;
  out->start = at;
  if (!wire_varint(bytes, &at, &tag) || tag >> 3 == 0) {
    return false;
  }
  out->type = tag & 7;
  out->payload = at;
  switch (out->type) {
  case 0:
    if (!wire_varint(bytes, &at, &length)) {
      return false;
    }
    length = 0;
    break;
  case 1: length = 8; break;
  case 5: length = 4; break;
  case 2:
    if (!wire_varint(bytes, &at, &length)) {
      return false;
    }
    out->payload = at;
    break;
  default: return false;
  }
  out->end = at + length;
  return length <= bytes.size - at;
}

static inline bool wire_is_message(mr_span bytes) {
  wire_field field;
  for (size_t at = 0; at < bytes.size; at = field.end) {
    if (!wire_next(bytes, at, &field)) {
      return false;
    }
  }
  return bytes.size > 0;
}

// The innermost message with `put` from `start` to `end`, and all around it with their new lengths.
static inline void wire_replace(wire_walk *walk, int depth, size_t start, size_t end, mr_span put) {
  uint8_t *now = NULL;
  while (true) {
    mr_span message = walk->outer[depth];
    uint8_t *next = mr_alloc(message.size + put.size + WIRE_ROOM);
    assert_non_null(next);
    memcpy(next, message.data, start);
    memcpy(next + start, put.data, put.size);
    memcpy(next + start + put.size, (const uint8_t *)message.data + end, message.size - end);
    size_t size = start + put.size + message.size - end;
    mr_free(now);
    now = next;
    if (depth-- == 0) {
      walk->look(walk->context, (mr_span){now, size});
      mr_free(now);
      return;
    }
    // The field around it: its tag as it was, then the new length.
    const wire_field *around = &walk->around[depth];
    uint64_t tag;
    size_t at = around->start;
    uint8_t head[20];
    (void)wire_varint(walk->outer[depth], &at, &tag);
    size_t head_size = wire_put_varint(head, tag);
    head_size += wire_put_varint(head + head_size, size);
    uint8_t *field = mr_alloc(size + head_size);
    assert_non_null(field);
    memcpy(field, head, head_size);
    memcpy(field + head_size, now, size);
    mr_free(now);
    now = field;
    put = (mr_span){now, size + head_size};
    start = around->start;
    end = around->end;
  }
}

static inline void wire_damage_field(wire_walk *walk, int depth, const wire_field *field) {
  static const uint64_t numbers[] = {0, 1, 3, 77, UINT64_MAX, INT64_MAX, UINT64_C(1) << 33};
  static const char *const texts[] = {"", "\5wrong", "\1\xff"};
  mr_span message = walk->outer[depth];
  const uint8_t *bytes = message.data;
  wire_replace(walk, depth, field->start, field->end, (mr_span){"", 0});
  size_t size = field->end - field->start;
  uint8_t *many = mr_alloc(size * WIRE_MANY);
  assert_non_null(many);
  for (size_t i = 0; i < WIRE_MANY; i++) {
    memcpy(many + i * size, bytes + field->start, size);
  }
  wire_replace(walk, depth, field->start, field->start, (mr_span){many, size});
  if (size < WIRE_MANY) {
    wire_replace(walk, depth, field->start, field->start, (mr_span){many, size * WIRE_MANY});
  }
  mr_free(many);
  for (size_t i = 0; field->type == 0 && i < MR_ARRAY_SIZE(numbers); i++) {
    uint8_t value[10];
    wire_replace(walk, depth, field->payload, field->end, (mr_span){value, wire_put_varint(value, numbers[i])});
  }
  size_t tag_end = field->start;
  uint64_t tag;
  (void)wire_varint(message, &tag_end, &tag);
  for (size_t i = 0; field->type == 2 && i < MR_ARRAY_SIZE(texts); i++) {
    // An empty text is a length of nothing.
    wire_replace(walk, depth, tag_end, field->end,
                 (mr_span){*texts[i] ? texts[i] : "\0", 1 + strlen(texts[i] + !!*texts[i])});
  }
}

static inline void wire_damage_message(wire_walk *walk, int depth) {
  mr_span message = walk->outer[depth];
  wire_field field;
  for (size_t at = 0; at < message.size && wire_next(message, at, &field); at = field.end) {
    wire_damage_field(walk, depth, &field);
    mr_span inner = {(const uint8_t *)message.data + field.payload, field.end - field.payload};
    if (field.type == 2 && depth + 1 < WIRE_DEPTH && wire_is_message(inner)) {
      walk->around[depth] = field;
      walk->outer[depth + 1] = inner;
      wire_damage_message(walk, depth + 1);
    }
  }
}

static inline void wire_damage(mr_span bytes, void (*look)(void *context, mr_span damaged), void *context) {
  wire_walk walk = {.look = look, .context = context, .outer = {bytes}};
  wire_damage_message(&walk, 0);
}

#endif
