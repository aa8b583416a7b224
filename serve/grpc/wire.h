// The wire format of Protocol Buffers, read from memory that stays and written into growing text.
#ifndef SV_GRPC_WIRE_H
#define SV_GRPC_WIRE_H

#include "serve/base/base.h"

typedef enum sv_wire_type {
  SV_WIRE_VARINT = 0,
  SV_WIRE_FIXED64 = 1,
  SV_WIRE_BYTES = 2,
  SV_WIRE_FIXED32 = 5
} sv_wire_type;

// ---- Reading --------------------------------------------------------------------------------------------------------

typedef struct sv_wire {
  const unsigned char *at, *end;
  bool bad;  // what was read is not a message; stays
} sv_wire;

// One field: its number and, by its type, either the number or the bytes that it has.
typedef struct sv_wire_field {
  uint32_t number;
  sv_wire_type type;
  uint64_t value;  // of VARINT, FIXED32, FIXED64
  sv_str bytes;    // of BYTES
} sv_wire_field;

void sv_wire_begin(sv_wire *wire, sv_str message);
// False at the end, and where the message is cut off or wrong (then wire->bad). Groups, which proto3 does not have, are wrong.
bool sv_wire_next(sv_wire *wire, sv_wire_field *out_field);
// The next element of packed numbers. False at the end, and where they are cut off (then wire->bad).
bool sv_wire_packed(sv_wire *wire, sv_wire_type type, uint64_t *out_value);
// An entry of a map: { 1 key, 2 value }. Parts that are missing are empty. False where it is not well formed, or the key is no text.
bool sv_wire_entry(sv_str entry, sv_str *out_key, sv_str *out_value);

// Where the bytes of the first field of this number (of type BYTES) begin; all in front of them must be there, they need not be. 0: not found.
size_t sv_wire_find(sv_str beginning, uint32_t number);

// ---- Writing --------------------------------------------------------------------------------------------------------

void sv_wire_put_varint(sv_text *out, uint64_t value);
void sv_wire_put_tag(sv_text *out, uint32_t number, sv_wire_type type);
// Fields with proto3's defaults (0, "") are left out by these.
void sv_wire_put_uint(sv_text *out, uint32_t number, uint64_t value);  // also int64 and bool
void sv_wire_put_str(sv_text *out, uint32_t number, sv_str text);
// These are written whatever they are: elements of repeated fields and members of a oneof.
void sv_wire_put_element(sv_text *out, uint32_t number, sv_str text);
void sv_wire_put_ints(sv_text *out, uint32_t number, const int64_t *values, size_t count);  // packed; none: nothing
// A message within: what is written between the two is its content. begin() returns what end() wants.
size_t sv_wire_put_begin(sv_text *out, uint32_t number);
void sv_wire_put_end(sv_text *out, size_t mark);

#endif
