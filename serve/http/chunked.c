// The chunked transfer coding, decoded as the bytes come.
#include <string.h>

#include "serve/http/parser.h"

enum { SIZE, EXTENSION, SIZE_LF, DATA, DATA_CR, DATA_LF, TRAILER, TRAILER_LINE, TRAILER_LF, END_LF, DONE, BAD };

// Of a chunk's size with its extensions, which are not read; and of all trailers together, which are dropped.
enum { LINE_BYTES = 1024, TRAILER_BYTES = 8192 };

static int hex(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

static bool is_text(char c) { return (unsigned char)c >= 0x20 ? c != 0x7f : c == '\t'; }

static int after_size(const sv_chunked *chunked) { return chunked->left ? DATA : TRAILER; }

static int step_size(sv_chunked *chunked, char c) {
  int digit = hex(c);
  if (digit >= 0) {
    // 15 digits are more than there is memory; zeros in front count too.
    if (++chunked->digits > 15) {
      return BAD;
    }
    chunked->left = chunked->left * 16 + (unsigned)digit;
    return SIZE;
  }
  if (!chunked->digits) {
    return BAD;
  }
  return c == ';' ? EXTENSION : c == '\r' ? SIZE_LF : BAD;
}

static int step(sv_chunked *chunked, char c) {
  switch (chunked->state) {
  case SIZE: return step_size(chunked, c);
  case EXTENSION: return c == '\r' ? SIZE_LF : is_text(c) ? EXTENSION : BAD;
  case SIZE_LF: chunked->line = chunked->digits = 0; return c == '\n' ? after_size(chunked) : BAD;
  case DATA_CR: return c == '\r' ? DATA_LF : BAD;
  case DATA_LF: chunked->line = 0; return c == '\n' ? SIZE : BAD;
  case TRAILER: return c == '\r' ? END_LF : is_text(c) && c != ' ' && c != '\t' ? TRAILER_LINE : BAD;
  case TRAILER_LINE: return c == '\r' ? TRAILER_LF : is_text(c) ? TRAILER_LINE : BAD;
  case TRAILER_LF: return c == '\n' ? TRAILER : BAD;
  case END_LF: return c == '\n' ? DONE : BAD;
  default: return BAD;
  }
}

static sv_chunked_result bad(sv_chunked *chunked, sv_fault *out_fault, int status, const char *message) {
  chunked->state = BAD;
  *out_fault = (sv_fault){status, message};
  return SV_CHUNKED_BAD;
}

sv_chunked_result sv_chunked_next(sv_chunked *chunked, const char *bytes, size_t size, size_t *out_taken,
                                  sv_str *out_data, sv_fault *out_fault) {
  *out_data = (sv_str){0};
  size_t i = 0;
  while (i < size) {
    if (chunked->state == DATA) {
      size_t run = chunked->left < size - i ? (size_t)chunked->left : size - i;
      *out_data = (sv_str){bytes + i, run};
      sv_chunked_skip(chunked, run);
      *out_taken = i + run;
      return SV_CHUNKED_DATA;
    }
    bool in_trailers = chunked->state >= TRAILER;
    chunked->state = step(chunked, bytes[i++]);
    *out_taken = i;
    if (chunked->state == DONE) {
      return SV_CHUNKED_DONE;
    }
    if (chunked->state == BAD) {
      return bad(chunked, out_fault, 400, "the request's body is not in chunks; wanted SIZE-IN-HEX CR LF BYTES CR LF");
    }
    if (++chunked->line > (in_trailers ? TRAILER_BYTES : LINE_BYTES)) {
      return bad(chunked, out_fault, in_trailers ? 431 : 400,
                 in_trailers ? "the trailers of the request's body are longer than 8192 bytes"
                             : "the line of a chunk's size is longer than 1024 bytes");
    }
  }
  *out_taken = i;
  return SV_CHUNKED_MORE;
}

uint64_t sv_chunked_left(const sv_chunked *chunked) { return chunked->state == DATA ? chunked->left : 0; }

void sv_chunked_skip(sv_chunked *chunked, uint64_t size) {
  chunked->left -= size;
  if (!chunked->left) {
    chunked->state = DATA_CR;
  }
}
