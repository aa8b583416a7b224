// Heads of requests and chunked bodies: what is read lies within what was given, and how it was split makes no difference.
#include <stdlib.h>
#include <string.h>

#include "serve/http/parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds) {
  if (!holds) {
    abort();
  }
}

static void within(sv_str part, const char *bytes, size_t size) {
  must(!part.size || (part.data >= bytes && part.data + part.size <= bytes + size));
}

static void check_head(const char *bytes, const sv_head *head, const sv_field *fields, size_t size) {
  within(head->method_text, bytes, size);
  within(head->path, bytes, size);
  within(head->query, bytes, size);
  within(head->host, bytes, size);
  within(head->accept_encoding, bytes, size);
  within(head->user_agent, bytes, size);
  must(head->path.size > 0 && (head->path.data[0] == '/' || head->path.data[0] == '*'));
  must(!(head->chunked && head->content_length >= 0));
  for (size_t i = 0; i < head->num_fields; i++) {
    within(fields[i].name, bytes, size);
    within(fields[i].value, bytes, size);
    must(!fields[i].value.size || !memchr(fields[i].value.data, '\r', fields[i].value.size));
    must(!fields[i].value.size || !memchr(fields[i].value.data, '\n', fields[i].value.size));
    must(!memchr(fields[i].name.data, ' ', fields[i].name.size));
  }
  sv_accept_coding(head->accept_encoding);
}

static int read_head(const char *bytes, size_t size, size_t step) {
  static sv_field fields[SV_MOST_FIELDS];
  sv_head_scan scan = {0};
  sv_fault fault = {0};
  bool complete = false;
  for (size_t seen = 0; !complete && !fault.status && seen < size;) {
    seen = size - seen < step ? size : seen + step;
    complete = sv_head_find(bytes, seen, &scan, &fault);
    must(scan.scanned <= seen);
  }
  if (!complete) {
    return fault.status;
  }
  sv_head head;
  must(scan.lines <= SV_MOST_FIELDS);
  fault = sv_head_parse((sv_str){bytes, scan.scanned}, scan.first_line, fields, scan.lines, &head);
  if (!fault.status) {
    check_head(bytes, &head, fields, scan.scanned);
  }
  return fault.status ? fault.status : 200;
}

static int read_chunks(const char *bytes, size_t size, size_t step, size_t *out_content, uint32_t *out_sum) {
  sv_chunked chunked = {0};
  *out_content = *out_sum = 0;
  for (size_t at = 0; at < size;) {
    size_t part = size - at < step ? size - at : step, taken = 0;
    sv_str content;
    sv_fault fault = {0};
    sv_chunked_result result = sv_chunked_next(&chunked, bytes + at, part, &taken, &content, &fault);
    must(taken > 0 && taken <= part);
    within(content, bytes + at, taken);
    *out_content += content.size;
    for (size_t i = 0; i < content.size; i++) {
      *out_sum = *out_sum * 31 + (unsigned char)content.data[i];
    }
    at += taken;
    if (result == SV_CHUNKED_BAD || result == SV_CHUNKED_DONE) {
      return result == SV_CHUNKED_DONE ? (int)at : -fault.status;
    }
  }
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) {
    return 0;
  }
  size_t step = data[0] % 16 + 1u;
  size -= 1;
  char *bytes = malloc(size);  // of exactly this size, so that a byte too many shows
  must(bytes != NULL);
  memcpy(bytes, data + 1, size);
  must(read_head(bytes, size, size) == read_head(bytes, size, step));
  size_t content[2];
  uint32_t sum[2];
  must(read_chunks(bytes, size, size, &content[0], &sum[0]) == read_chunks(bytes, size, step, &content[1], &sum[1]));
  must(content[0] == content[1] && sum[0] == sum[1]);
  free(bytes);
  return 0;
}
