// W3C trace context: the header traceparent.
#include <string.h>

#include "serve/metrics/access.h"

// Lower case hexadecimal; *out_zero: all of them are 0.
static bool is_hex(const char *at, size_t size, bool *out_zero) {
  *out_zero = true;
  for (size_t i = 0; i < size; i++) {
    if (!((at[i] >= '0' && at[i] <= '9') || (at[i] >= 'a' && at[i] <= 'f'))) {
      return false;
    }
    *out_zero = *out_zero && at[i] == '0';
  }
  return true;
}

bool sv_traceparent_parse(sv_str header, char out_trace_id[33], char out_span_id[17]) {
  enum { TRACE = 3, SPAN = 36, FLAGS = 53, SIZE = 55 };  // where the parts begin in "00-<32>-<16>-<2>"
  out_trace_id[0] = out_span_id[0] = 0;
  const char *at = header.data;
  bool version_00, no_trace, no_span, no_flags;
  if (header.size < SIZE || at[TRACE - 1] != '-' || at[SPAN - 1] != '-' || at[FLAGS - 1] != '-' ||
      !is_hex(at, 2, &version_00) || !is_hex(at + TRACE, 32, &no_trace) || !is_hex(at + SPAN, 16, &no_span) ||
      !is_hex(at + FLAGS, 2, &no_flags) || memcmp(at, "ff", 2) == 0 || no_trace || no_span) {
    return false;
  }
  // Later versions may say more behind another hyphen; 00 may not.
  if (header.size > SIZE && (version_00 || at[SIZE] != '-')) {
    return false;
  }
  memcpy(out_trace_id, at + TRACE, 32);
  out_trace_id[32] = 0;
  memcpy(out_span_id, at + SPAN, 16);
  out_span_id[16] = 0;
  return true;
}
