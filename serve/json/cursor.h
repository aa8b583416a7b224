// Inside json/: what the files of the reader share.
#ifndef SV_JSON_CURSOR_H
#define SV_JSON_CURSOR_H

#include "serve/json/number.h"

static inline const char *sv_json_space(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) {
    at++;
  }
  return at;
}

// "at byte 17: wanted ..., got ..."
sv_error *sv_json_wrong(const sv_json *json, const char *at, const char *wanted);
sv_error *sv_json_number_wrong(const sv_json *json, const sv_number *number, const char *wanted);
sv_error *sv_json_deeper(sv_json *json);       // over a bracket
sv_error *sv_json_string_skip(sv_json *json);  // checked, not decoded

#endif
