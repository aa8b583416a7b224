// Inside http/: the head of a request, read strictly from memory. No allocations, no state but what is shown; any thread.
#ifndef SV_HTTP_PARSER_H
#define SV_HTTP_PARSER_H

#include "serve/http/http.h"

// Limits that no client comes near: what is beyond them is answered 414 and 431.
#define SV_REQUEST_LINE_BYTES ((size_t)8192)
#define SV_FIELDS_BYTES ((size_t)65536)
#define SV_MOST_FIELDS ((size_t)100)

// What is wrong with a request: HTTP's status, and a text that stays. status 0: nothing.
typedef struct sv_fault {
  int status;
  const char *message;
} sv_fault;

// How far a head has come; all zero at the start of one.
typedef struct sv_head_scan {
  size_t scanned;     // bytes looked at
  size_t line_begin;  // of the line that is being looked at
  size_t first_line;  // bytes of the request line with its CR LF; 0: not there yet
  size_t lines;       // fields seen
} sv_head_scan;

// Looks for the empty line. True: the head is there, scan->scanned bytes long with the empty line. False: it is not, or *out_fault says that it
// never will be.
bool sv_head_find(const char *bytes, size_t size, sv_head_scan *scan, sv_fault *out_fault);

typedef enum sv_coding { SV_IDENTITY, SV_GZIP, SV_DEFLATE } sv_coding;

typedef struct sv_head {
  sv_method method;
  sv_str method_text, path, query, host;
  int minor;               // HTTP/1.minor, 0 or 1
  int64_t content_length;  // -1: none
  int64_t json_size;       // -1: none
  bool chunked, keep_alive, expects_continue;
  sv_coding coding;  // of the body
  sv_str accept_encoding, traceparent, user_agent;
  bool has_accept_encoding;
  size_t num_fields;
} sv_head;

// `head`: what sv_head_find() found, with its empty line; `first_line` as found. fields: room for scan.lines. Everything that is returned points
// into the head.
sv_fault sv_head_parse(sv_str head, size_t first_line, sv_field *fields, size_t room, sv_head *out_head);

// ---- Chunked bodies -------------------------------------------------------------------------------------------------

typedef struct sv_chunked {
  int state;
  uint64_t left;  // of the chunk
  uint32_t line;  // bytes of the line of a size, or of all trailers
  uint32_t digits;
} sv_chunked;

typedef enum sv_chunked_result { SV_CHUNKED_MORE, SV_CHUNKED_DATA, SV_CHUNKED_DONE, SV_CHUNKED_BAD } sv_chunked_result;

// Begins with an sv_chunked that is all zero. Takes *out_taken bytes: DATA: *out_data (within them) is content; MORE: all were taken; DONE: the last
// chunk and its trailers are over; BAD: *out_fault.
sv_chunked_result sv_chunked_next(sv_chunked *chunked, const char *bytes, size_t size, size_t *out_taken,
                                  sv_str *out_data, sv_fault *out_fault);
// Content that is certain to come next, 0 between chunks: it may be read straight where it belongs, and is then taken by sv_chunked_skip().
uint64_t sv_chunked_left(const sv_chunked *chunked);
void sv_chunked_skip(sv_chunked *chunked, uint64_t size);

// ---- Codings --------------------------------------------------------------------------------------------------------

// What an answer is to be encoded with, by the q-values of Accept-Encoding. IDENTITY too where nothing that is left suits.
sv_coding sv_accept_coding(sv_str accept_encoding);

#endif
