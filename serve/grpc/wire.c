// The wire format of Protocol Buffers.
#include <string.h>

#include "serve/grpc/wire.h"

enum { MOST_VARINT_BYTES = 10, MOST_FIELD_NUMBER = (1 << 29) - 1 };

void sv_wire_begin(sv_wire *wire, sv_str message) {
  static const unsigned char nothing[1];
  const unsigned char *data = message.size ? (const unsigned char *)message.data : nothing;
  *wire = (sv_wire){.at = data, .end = data + message.size};
}

static bool fail(sv_wire *wire) {
  wire->bad = true;
  wire->at = wire->end;
  return false;
}

static bool read_varint(sv_wire *wire, uint64_t *out_value) {
  uint64_t value = 0;
  for (unsigned i = 0; i < MOST_VARINT_BYTES && wire->at < wire->end; i++) {
    unsigned char byte = *wire->at++;
    // The tenth byte has room for one bit; what is beyond it is dropped, as other readers do.
    value |= (uint64_t)(byte & 0x7f) << (7 * i);
    if (!(byte & 0x80)) {
      *out_value = value;
      return true;
    }
  }
  return fail(wire);
}

static bool read_fixed(sv_wire *wire, size_t size, uint64_t *out_value) {
  if ((size_t)(wire->end - wire->at) < size) {
    return fail(wire);
  }
  uint64_t value = 0;
  memcpy(&value, wire->at, size);  // little endian, as the machine
  wire->at += size;
  *out_value = value;
  return true;
}

static bool read_number(sv_wire *wire, sv_wire_type type, uint64_t *out_value) {
  switch (type) {
  case SV_WIRE_VARINT: return read_varint(wire, out_value);
  case SV_WIRE_FIXED64: return read_fixed(wire, 8, out_value);
  case SV_WIRE_FIXED32: return read_fixed(wire, 4, out_value);
  case SV_WIRE_BYTES: break;
  }
  return fail(wire);
}

bool sv_wire_next(sv_wire *wire, sv_wire_field *out_field) {
  uint64_t tag = 0, size = 0;
  if (wire->bad || wire->at == wire->end || !read_varint(wire, &tag)) {
    return false;
  }
  uint64_t number = tag >> 3;
  if (number == 0 || number > MOST_FIELD_NUMBER) {
    return fail(wire);
  }
  *out_field = (sv_wire_field){.number = (uint32_t)number, .type = (sv_wire_type)(tag & 7)};
  if (out_field->type != SV_WIRE_BYTES) {
    return read_number(wire, out_field->type, &out_field->value);
  }
  if (!read_varint(wire, &size) || size > (uint64_t)(wire->end - wire->at)) {
    return fail(wire);
  }
  out_field->bytes = (sv_str){(const char *)wire->at, (size_t)size};
  wire->at += size;
  return true;
}

bool sv_wire_packed(sv_wire *wire, sv_wire_type type, uint64_t *out_value) {
  return !wire->bad && wire->at < wire->end && read_number(wire, type, out_value);
}

bool sv_wire_entry(sv_str entry, sv_str *out_key, sv_str *out_value) {
  *out_key = *out_value = (sv_str){0};
  sv_wire wire;
  sv_wire_begin(&wire, entry);
  for (sv_wire_field field; sv_wire_next(&wire, &field);) {
    if (field.number > 2) {
      continue;
    }
    if (field.type != SV_WIRE_BYTES) {
      return false;
    }
    *(field.number == 1 ? out_key : out_value) = field.bytes;
  }
  return !wire.bad;
}

size_t sv_wire_find(sv_str beginning, uint32_t number) {
  sv_wire wire;
  uint64_t tag, value;
  sv_wire_begin(&wire, beginning);
  while (wire.at < wire.end && read_varint(&wire, &tag)) {
    if ((tag & 7) != SV_WIRE_BYTES) {
      if (!read_number(&wire, (sv_wire_type)(tag & 7), &value)) {
        return 0;
      }
      continue;
    }
    if (!read_varint(&wire, &value)) {
      return 0;
    }
    if (tag >> 3 == number) {
      return (size_t)(wire.at - (const unsigned char *)beginning.data);
    }
    if (value > (uint64_t)(wire.end - wire.at)) {
      return 0;
    }
    wire.at += value;
  }
  return 0;
}

static size_t sv_wire_varint_size(uint64_t value) {
  size_t size = 1;
  while (value >= 0x80) {
    value >>= 7;
    size++;
  }
  return size;
}

static size_t write_varint(char *to, uint64_t value) {
  size_t size = 0;
  while (value >= 0x80) {
    to[size++] = (char)(value | 0x80);
    value >>= 7;
  }
  to[size++] = (char)value;
  return size;
}

void sv_wire_put_varint(sv_text *out, uint64_t value) {
  char *room = sv_text_room(out, MOST_VARINT_BYTES);
  if (room) {
    out->size += write_varint(room, value);
  }
}

void sv_wire_put_tag(sv_text *out, uint32_t number, sv_wire_type type) {
  sv_wire_put_varint(out, (uint64_t)number << 3 | type);
}

void sv_wire_put_uint(sv_text *out, uint32_t number, uint64_t value) {
  if (value) {
    sv_wire_put_tag(out, number, SV_WIRE_VARINT);
    sv_wire_put_varint(out, value);
  }
}

void sv_wire_put_element(sv_text *out, uint32_t number, sv_str text) {
  sv_wire_put_tag(out, number, SV_WIRE_BYTES);
  sv_wire_put_varint(out, text.size);
  sv_text_add_str(out, text);
}

void sv_wire_put_str(sv_text *out, uint32_t number, sv_str text) {
  if (text.size) {
    sv_wire_put_element(out, number, text);
  }
}

void sv_wire_put_ints(sv_text *out, uint32_t number, const int64_t *values, size_t count) {
  size_t size = 0;
  for (size_t i = 0; i < count; i++) {
    size += sv_wire_varint_size((uint64_t)values[i]);
  }
  if (count) {
    sv_wire_put_tag(out, number, SV_WIRE_BYTES);
    sv_wire_put_varint(out, size);
  }
  for (size_t i = 0; i < count; i++) {
    sv_wire_put_varint(out, (uint64_t)values[i]);
  }
}

size_t sv_wire_put_begin(sv_text *out, uint32_t number) {
  sv_wire_put_tag(out, number, SV_WIRE_BYTES);
  sv_text_putc(out, 0);  // the length, where it fits one byte
  return out->size;
}

void sv_wire_put_end(sv_text *out, size_t mark) {
  if (out->failed) {
    return;
  }
  size_t size = out->size - mark, more = sv_wire_varint_size(size) - 1;
  if (more) {
    if (!sv_text_room(out, more)) {
      return;
    }
    memmove(out->data + mark + more, out->data + mark, size);
    out->size += more;
  }
  write_varint(out->data + mark - 1, size);
}
