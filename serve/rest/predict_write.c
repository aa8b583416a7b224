// The answer to :predict: nested lists, by row or by output.
#include <string.h>

#include "serve/rest/predict.h"

// One element: an array of it, without the brackets.
static void put_element(sv_text *out, millrace_dtype dtype, const void *from) {
  size_t begin = out->size;
  sv_json_put_tensor(out, dtype, from, 1);
  if (!out->failed) {
    out->size -= 2;
    memmove(out->data + begin, out->data + begin + 1, out->size - begin);
  }
}

// The part of a tensor that has these dims, from its first byte.
static void put_nested(sv_text *out, millrace_dtype dtype, const int64_t *dims, uint32_t rank,
                       const unsigned char *from, size_t bytes) {
  if (rank == 0) {
    put_element(out, dtype, from);
    return;
  }
  if (rank == 1) {
    sv_json_put_tensor(out, dtype, from, (size_t)dims[0]);
    return;
  }
  sv_text_putc(out, '[');
  for (int64_t i = 0; i < dims[0] && !out->failed; i++) {
    if (i) {
      sv_text_putc(out, ',');
    }
    size_t each = bytes / (size_t)dims[0];
    put_nested(out, dtype, dims + 1, rank - 1, from + (size_t)i * each, each);
  }
  sv_text_putc(out, ']');
}

static void put_tensor(sv_text *out, const sv_tensor *tensor) {
  put_nested(out, tensor->dtype, tensor->dims, tensor->rank, tensor->data, tensor->bytes);
}

static void put_columns(const sv_infer *infer, sv_text *out) {
  const sv_signature *signature = infer->signature;
  if (signature->num_outputs == 1) {
    put_tensor(out, &infer->request->outputs[0]);
    return;
  }
  sv_text_putc(out, '{');
  for (uint32_t i = 0; i < signature->num_outputs; i++) {
    if (i) {
      sv_text_putc(out, ',');
    }
    sv_json_put_string(out, sv_str_of(signature->outputs[i].name));
    sv_text_putc(out, ':');
    put_tensor(out, &infer->request->outputs[i]);
  }
  sv_text_putc(out, '}');
}

static void put_row(const sv_infer *infer, sv_text *out, uint64_t row) {
  const sv_signature *signature = infer->signature;
  sv_text_putc(out, '{');
  for (uint32_t i = 0; i < signature->num_outputs; i++) {
    const sv_tensor *tensor = &infer->request->outputs[i];
    size_t bytes = tensor->bytes / infer->rows;
    if (i) {
      sv_text_putc(out, ',');
    }
    sv_json_put_string(out, sv_str_of(signature->outputs[i].name));
    sv_text_putc(out, ':');
    put_nested(out, tensor->dtype, tensor->dims + 1, tensor->rank - 1,
               (const unsigned char *)tensor->data + row * bytes, bytes);
  }
  sv_text_putc(out, '}');
}

static sv_error *put_rows(const sv_infer *infer, sv_text *out) {
  const sv_signature *signature = infer->signature;
  for (uint32_t i = 0; i < signature->num_outputs; i++) {
    const sv_tensor *tensor = &infer->request->outputs[i];
    if (!tensor->rank || (uint64_t)tensor->dims[0] != infer->rows) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT,
                       "output '%s' has not one row for each of the %llu instances: ask with 'inputs'",
                       signature->outputs[i].name, (unsigned long long)infer->rows);
    }
  }
  if (signature->num_outputs == 1) {
    put_tensor(out, &infer->request->outputs[0]);
    return NULL;
  }
  sv_text_putc(out, '[');
  for (uint64_t row = 0; row < infer->rows; row++) {
    if (row) {
      sv_text_putc(out, ',');
    }
    put_row(infer, out, row);
  }
  sv_text_putc(out, ']');
  return NULL;
}

sv_error *sv_predict_write(sv_infer *infer, sv_answer *out) {
  sv_text *json = sv_exchange_text(infer->exchange);
  sv_text_puts(json, infer->columns ? "{\"outputs\":" : "{\"predictions\":");
  if (infer->columns) {
    put_columns(infer, json);
  } else {
    SV_TRY(put_rows(infer, json));
  }
  sv_text_putc(json, '}');
  if (json->failed) {
    return sv_no_memory();
  }
  infer->pieces[0] = (sv_piece){json->data, json->size};
  out->num_pieces = 1;
  return NULL;
}
