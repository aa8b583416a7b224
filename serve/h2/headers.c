// Headers of a call: kept as they come, within limits; grpc-timeout; grpc-message.
#include <stdlib.h>
#include <string.h>

#include "serve/h2/internal.h"

enum { MOST_HEADERS = 100, MOST_HEADER_BYTES = 64 * 1024 };

static bool add(sv_call *call, sv_str name, sv_str value) {
  if (call->num_headers == call->room_headers) {
    size_t room = call->room_headers ? 2 * call->room_headers : 16;
    sv_h2_header *headers = realloc(call->headers, room * sizeof *headers);
    if (!headers) {
      return false;
    }
    call->headers = headers;
    call->room_headers = room;
  }
  size_t at = call->texts.size;
  sv_text_add_str(&call->texts, name);
  sv_text_add_str(&call->texts, value);
  if (call->texts.failed) {
    return false;
  }
  call->headers[call->num_headers++] = (sv_h2_header){.name = (uint32_t)at,
                                                      .name_size = (uint32_t)name.size,
                                                      .value = (uint32_t)(at + name.size),
                                                      .value_size = (uint32_t)value.size};
  return true;
}

static bool is_wanted(sv_str name) {
  static const sv_str unwanted[] = {
      {":scheme", 7}, {":authority", 10}, {"te", 2}, {"grpc-accept-encoding", 20}, {"accept-encoding", 15}};
  for (size_t i = 0; i < sizeof unwanted / sizeof unwanted[0]; i++) {
    if (sv_str_equal(name, unwanted[i])) {
      return false;
    }
  }
  // Binary metadata is nobody's here.
  return name.size < 4 || memcmp(name.data + name.size - 4, "-bin", 4) != 0;
}

bool sv_h2_header_add(sv_call *call, sv_str name, sv_str value) {
  // HTTP/2 counts 32 bytes for each field beside its texts (RFC 9113, 6.5.2).
  call->header_bytes += name.size + value.size + 32;
  if (call->header_bytes > MOST_HEADER_BYTES || call->num_headers >= MOST_HEADERS) {
    call->too_many_headers = true;
    return true;
  }
  return !is_wanted(name) || add(call, name, value);
}

sv_str sv_call_metadata(const sv_call *call, const char *name) {
  size_t size = strlen(name);
  for (size_t i = 0; i < call->num_headers; i++) {
    const sv_h2_header *header = &call->headers[i];
    if (header->name_size == size && !memcmp(call->texts.data + header->name, name, size)) {
      return (sv_str){call->texts.data + header->value, header->value_size};
    }
  }
  return (sv_str){0};
}

bool sv_h2_timeout_parse(sv_str text, uint64_t *out_ns) {
  static const struct {
    char unit;
    uint64_t ns;
  } units[] = {{'H', 3600000000000u}, {'M', 60000000000u}, {'S', 1000000000u}, {'m', 1000000}, {'u', 1000}, {'n', 1}};
  uint64_t number;
  if (text.size < 2 || text.size > 9 || !sv_str_number((sv_str){text.data, text.size - 1}, 99999999, &number)) {
    return false;
  }
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
    if (units[i].unit == text.data[text.size - 1]) {
      *out_ns = number * units[i].ns;  // 99,999,999 hours are 3.6e20 ns: more than fits
      if (units[i].ns && *out_ns / units[i].ns != number) {
        *out_ns = UINT64_MAX;
      }
      return true;
    }
  }
  return false;
}

void sv_h2_percent_encode(sv_text *out, const char *message) {
  static const char digits[] = "0123456789ABCDEF";
  for (const unsigned char *at = (const unsigned char *)message; *at; at++) {
    if (*at < 0x20 || *at > 0x7e || *at == '%') {
      const char encoded[] = {'%', digits[*at >> 4], digits[*at & 15]};
      sv_text_add(out, encoded, sizeof encoded);
    } else {
      sv_text_putc(out, (char)*at);
    }
  }
}
