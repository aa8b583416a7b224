// The JSON reader on any bytes: a value is accepted by skipping when it is accepted by reading, its text read again is the same, and what is written of
// it reads back equal.
#include <stdlib.h>
#include <string.h>

#include "serve/json/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds) {
  if (!holds) {
    abort();
  }
}

// Reads any value, and writes it in one form.
static sv_error *copy_value(sv_json *json, sv_text *out) {
  sv_json_kind kind;
  bool more, truth;
  sv_str text;
  double number;
  SV_TRY(sv_json_peek(json, &kind));
  switch (kind) {
  case SV_JSON_NULL: sv_text_puts(out, "null"); return sv_json_null(json);
  case SV_JSON_BOOL:
    SV_TRY(sv_json_bool(json, &truth));
    sv_text_puts(out, truth ? "true" : "false");
    return NULL;
  case SV_JSON_NUMBER:
    SV_TRY(sv_json_scalar(json, MILLRACE_F64, &number));
    sv_json_put_double(out, number);
    return NULL;
  case SV_JSON_STRING:
    SV_TRY(sv_json_string(json, &text));
    sv_json_put_string(out, text);
    return NULL;
  case SV_JSON_ARRAY:
    SV_TRY(sv_json_array(json));
    sv_text_putc(out, '[');
    for (bool first = true;; first = false) {
      SV_TRY(sv_json_element(json, &more));
      if (!more) {
        break;
      }
      if (!first) {
        sv_text_putc(out, ',');
      }
      SV_TRY(copy_value(json, out));
    }
    sv_text_putc(out, ']');
    return NULL;
  default:
    SV_TRY(sv_json_object(json));
    sv_text_putc(out, '{');
    for (bool first = true;; first = false) {
      SV_TRY(sv_json_member(json, &more, &text));
      if (!more) {
        break;
      }
      if (!first) {
        sv_text_putc(out, ',');
      }
      sv_json_put_string(out, text);
      sv_text_putc(out, ':');
      SV_TRY(copy_value(json, out));
    }
    sv_text_putc(out, '}');
    return NULL;
  }
}

static sv_error *copy_document(sv_str document, sv_text *out) {
  sv_text scratch = {0};
  sv_json json;
  sv_json_begin(&json, document, &scratch);
  sv_error *error = copy_value(&json, out);
  error = error ? error : sv_json_end(&json);
  must(error || json.depth == 0);
  sv_text_free(&scratch);
  return error;
}

static void check_document(sv_str document) {
  sv_text first = {0}, second = {0};
  sv_json json;
  sv_json_begin(&json, document, NULL);
  sv_str skipped;
  sv_error *skip_error = sv_json_skip(&json, &skipped);
  skip_error = skip_error ? skip_error : sv_json_end(&json);
  sv_error *error = copy_document(document, &first);
  // Reading refuses more only where a number is beyond a double's range.
  must(!skip_error || error);
  must(!error || skip_error || strstr(sv_error_message(error), "range"));
  if (!error) {
    sv_error *again = copy_document(sv_text_str(&first), &second);
    must(!again);
    must(sv_str_equal(sv_text_str(&first), sv_text_str(&second)));
  }
  sv_error_free(skip_error);
  sv_error_free(error);
  sv_text_free(&first);
  sv_text_free(&second);
}

static void check_tensor(sv_str document, millrace_dtype dtype, size_t count) {
  size_t bytes = count * millrace_dtype_bytes(dtype);
  unsigned char *to = calloc(1, bytes + 1), *back = calloc(1, bytes + 1);
  sv_json json;
  sv_json_begin(&json, document, NULL);
  sv_error *error = sv_json_tensor(&json, dtype, count, to);
  error = error ? error : sv_json_end(&json);
  if (!error) {
    sv_text out = {0};
    must(sv_json_put_tensor(&out, dtype, to, count));
    sv_json_begin(&json, sv_text_str(&out), NULL);
    must(!sv_json_tensor(&json, dtype, count, back));
    must(memcmp(to, back, bytes) == 0);
    sv_text_free(&out);
  }
  sv_error_free(error);
  free(to);
  free(back);
}

// The first byte chooses: a document, or a tensor of a type and a number of elements.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const millrace_dtype types[] = {MILLRACE_F32, MILLRACE_F64, MILLRACE_S8,
                                         MILLRACE_S64, MILLRACE_U64, MILLRACE_PRED};
  if (!size) {
    return 0;
  }
  char *exact = malloc(size);
  memcpy(exact, data + 1, size - 1);
  char *shrunk = realloc(exact, size - 1 ? size - 1 : 1);
  sv_str document = {shrunk, size - 1};
  if (data[0] & 0x80) {
    check_document(document);
  } else {
    check_tensor(document, types[data[0] % 6], data[0] / 6);
  }
  free(shrunk);
  return 0;
}
