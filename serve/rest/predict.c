// TensorFlow Serving's and KServe v1's :predict, read: rows ("instances", a list with one value, or one object of values by input, for each row) or
// columns ("inputs", the value of the only input or an object of values by input). Shapes are what the brackets say.
#include <stdlib.h>
#include <string.h>

#include "serve/rest/infer.h"
#include "serve/rest/predict.h"

// ---- Shapes ---------------------------------------------------------------------------------------------------------

typedef struct shape {
  bool known;  // an element has been seen: nothing is deeper, or less deep
  uint32_t rank;
  int64_t dims[SV_MAX_RANK];  // -1: not known yet
} shape;

static sv_error *not_rectangular(const sv_json *json) {
  return sv_errorf(MILLRACE_INVALID_ARGUMENT, "JSON at byte %llu: the lists are not of the same lengths everywhere",
                   (unsigned long long)(json->at - json->begin));
}

static sv_error *measure(sv_json *json, shape *out, uint32_t depth) {
  sv_json_kind kind;
  SV_TRY(sv_json_peek(json, &kind));
  if (kind != SV_JSON_ARRAY) {
    if (kind == SV_JSON_OBJECT || (out->known && depth != out->rank) || depth < out->rank) {
      return not_rectangular(json);
    }
    out->known = true;
    return sv_json_skip(json, NULL);
  }
  if (out->known && depth >= out->rank) {
    return not_rectangular(json);
  }
  if (depth == SV_MAX_RANK) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "JSON at byte %llu: more than %d dimensions",
                     (unsigned long long)(json->at - json->begin), SV_MAX_RANK);
  }
  if (depth == out->rank) {
    out->dims[out->rank++] = -1;
  }
  int64_t count = 0;
  bool more;
  SV_TRY(sv_json_array(json));
  for (;; count++) {
    SV_TRY(sv_json_element(json, &more));
    if (!more) {
      break;
    }
    SV_TRY(measure(json, out, depth + 1));
  }
  if (out->dims[depth] >= 0 && out->dims[depth] != count) {
    return not_rectangular(json);
  }
  out->dims[depth] = count;
  return NULL;
}

// Of the value at the cursor, which stays where it is.
static sv_error *measure_here(const sv_json *json, shape *out) {
  sv_json ahead = *json;
  *out = (shape){0};
  return measure(&ahead, out, 0);
}

static bool is_same(const shape *a, const shape *b) {
  return a->rank == b->rank && memcmp(a->dims, b->dims, a->rank * sizeof a->dims[0]) == 0;
}

// ---- Values ---------------------------------------------------------------------------------------------------------

static sv_error *read_value(sv_json *json, const sv_tensor *input, size_t count, void *to) {
  sv_json_kind kind;
  SV_TRY(sv_json_peek(json, &kind));
  return kind == SV_JSON_ARRAY ? sv_json_tensor(json, input->dtype, count, to) : sv_json_scalar(json, input->dtype, to);
}

static sv_error *find_input(const sv_infer *infer, sv_str name, uint32_t *out_index) {
  const sv_signature *signature = infer->signature;
  int found = sv_infer_find(signature->inputs, signature->num_inputs, name);
  *out_index = found < 0 ? 0 : (uint32_t)found;
  return found >= 0
             ? NULL
             : sv_errorf(MILLRACE_INVALID_ARGUMENT, "model '%s' has no input '%.*s'", signature->model, SV_FMT(name));
}

static sv_error *given_twice(const sv_infer *infer, uint32_t i) {
  return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s' is there twice", infer->signature->inputs[i].name);
}

// A whole input.
static sv_error *place_value(sv_infer *infer, uint32_t i, sv_json *json) {
  if (infer->inputs[i].place != SV_INFER_NOWHERE) {
    return given_twice(infer, i);
  }
  sv_tensor *input = &infer->request->inputs[i];
  shape said;
  SV_TRY(sv_infer_note(measure_here(json, &said), "input", sv_str_of(infer->signature->inputs[i].name)));
  input->rank = said.rank;
  memcpy(input->dims, said.dims, sizeof input->dims);
  if (said.rank) {
    return sv_infer_place_json(infer, i, json);
  }
  void *to;
  SV_TRY(sv_infer_shape_bytes(infer, i));
  SV_TRY(sv_infer_place_block(infer, i, &to));
  return read_value(json, input, 1, to);
}

// The only input, without its name.
static sv_error *place_only(sv_infer *infer, sv_json *json, const char *member) {
  if (infer->signature->num_inputs != 1) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "model '%s' has %u inputs: wanted their names in '%s'",
                     infer->signature->model, infer->signature->num_inputs, member);
  }
  return place_value(infer, 0, json);
}

static sv_error *read_columns(sv_infer *infer, sv_json *json) {
  sv_json_kind kind;
  SV_TRY(sv_json_peek(json, &kind));
  if (kind != SV_JSON_OBJECT) {
    return place_only(infer, json, "inputs");
  }
  bool more;
  sv_str name;
  SV_TRY(sv_json_object(json));
  for (;;) {
    uint32_t i;
    SV_TRY(sv_json_member(json, &more, &name));
    if (!more) {
      return NULL;
    }
    SV_TRY(find_input(infer, name, &i));
    SV_TRY(place_value(infer, i, json));
  }
}

// ---- Rows -----------------------------------------------------------------------------------------------------------

// Calls `each` for the members of a row, and sees to it that it has every input once. rows_of: by input, how many rows have had it.
static sv_error *read_row(sv_infer *infer, sv_json *json, uint64_t row, uint64_t *rows_of,
                          sv_error *(*each)(sv_infer *infer, sv_json *json, uint64_t row, uint32_t i)) {
  bool more;
  sv_str name;
  SV_TRY(sv_json_object(json));
  for (;;) {
    uint32_t i;
    SV_TRY(sv_json_member(json, &more, &name));
    if (!more) {
      break;
    }
    SV_TRY(find_input(infer, name, &i));
    if (rows_of[i]++ != row) {
      return given_twice(infer, i);
    }
    SV_TRY(each(infer, json, row, i));
  }
  for (uint32_t i = 0; i < infer->signature->num_inputs; i++) {
    if (rows_of[i] != row + 1) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s' is missing in row %llu", infer->signature->inputs[i].name,
                       (unsigned long long)row);
    }
  }
  return NULL;
}

static sv_error *each_row(sv_infer *infer, sv_json *json, uint64_t *rows_of,
                          sv_error *(*each)(sv_infer *infer, sv_json *json, uint64_t row, uint32_t i)) {
  bool more;
  memset(rows_of, 0, infer->signature->num_inputs * sizeof *rows_of);
  SV_TRY(sv_json_array(json));
  for (uint64_t row = 0;; row++) {
    SV_TRY(sv_json_element(json, &more));
    if (!more) {
      infer->rows = row;
      return NULL;
    }
    SV_TRY(read_row(infer, json, row, rows_of, each));
  }
}

// The first pass: every row of an input has the shape of its first one, which is the input's without the rows.
static sv_error *measure_row(sv_infer *infer, sv_json *json, uint64_t row, uint32_t i) {
  sv_tensor *input = &infer->request->inputs[i];
  shape said, first = {0};
  SV_TRY(sv_infer_note(measure_here(json, &said), "input", sv_str_of(infer->signature->inputs[i].name)));
  if (row == 0) {
    if (said.rank == SV_MAX_RANK) {
      return not_rectangular(json);
    }
    input->rank = said.rank + 1;
    memcpy(input->dims + 1, said.dims, said.rank * sizeof said.dims[0]);
  }
  first.rank = input->rank - 1;
  memcpy(first.dims, input->dims + 1, first.rank * sizeof first.dims[0]);
  if (!is_same(&said, &first)) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s' has another shape in row %llu than in row 0",
                     infer->signature->inputs[i].name, (unsigned long long)row);
  }
  return sv_json_skip(json, NULL);
}

static sv_error *copy_row(sv_infer *infer, sv_json *json, uint64_t row, uint32_t i) {
  const sv_tensor *input = &infer->request->inputs[i];
  size_t bytes = input->bytes / infer->rows;
  unsigned char *to = infer->block->data + infer->inputs[i].offset + row * bytes;
  return sv_infer_note(read_value(json, input, bytes / millrace_dtype_bytes(input->dtype), to), "input",
                       sv_str_of(infer->signature->inputs[i].name));
}

static sv_error *read_objects(sv_infer *infer, sv_json *json, uint64_t *rows_of) {
  sv_json again = *json;
  SV_TRY(each_row(infer, json, rows_of, measure_row));
  // Every element is there, as text: no more memory than the text has bytes, times what an element takes.
  for (uint32_t i = 0; i < infer->signature->num_inputs; i++) {
    void *to;
    infer->request->inputs[i].dims[0] = (int64_t)infer->rows;
    SV_TRY(sv_infer_shape_bytes(infer, i));
    SV_TRY(sv_infer_place_block(infer, i, &to));
  }
  uint64_t rows = infer->rows;
  sv_error *error = each_row(infer, &again, rows_of, copy_row);
  infer->rows = rows;
  return error;
}

static sv_error *read_rows(sv_infer *infer, sv_json *json) {
  sv_json ahead = *json;
  sv_json_kind kind;
  bool more;
  SV_TRY(sv_json_array(&ahead));
  SV_TRY(sv_json_element(&ahead, &more));
  if (!more) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "'instances' is empty");
  }
  SV_TRY(sv_json_peek(&ahead, &kind));
  if (kind != SV_JSON_OBJECT) {
    SV_TRY(place_only(infer, json, "instances"));
    infer->rows = (uint64_t)infer->request->inputs[0].dims[0];
    return NULL;
  }
  uint64_t *rows_of = malloc((infer->signature->num_inputs + 1) * sizeof *rows_of);
  if (!rows_of) {
    return sv_no_memory();
  }
  sv_error *error = read_objects(infer, json, rows_of);
  free(rows_of);
  return error;
}

// ---- The document ---------------------------------------------------------------------------------------------------

static sv_error *read_document(sv_infer *infer, sv_json *json) {
  bool more, is_there = false;
  sv_str member;
  SV_TRY(sv_json_object(json));
  for (;;) {
    SV_TRY(sv_json_member(json, &more, &member));
    if (!more) {
      break;
    }
    bool rows = sv_str_is(member, "instances"), columns = sv_str_is(member, "inputs");
    if (!rows && !columns) {
      SV_TRY(sv_json_skip(json, NULL));
      continue;
    }
    if (is_there) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "wanted 'instances' or 'inputs', once");
    }
    is_there = true;
    infer->columns = columns;
    SV_TRY(columns ? read_columns(infer, json) : read_rows(infer, json));
  }
  SV_TRY(sv_json_end(json));
  return is_there ? NULL : sv_errorf(MILLRACE_INVALID_ARGUMENT, "wanted the member 'instances' or 'inputs'");
}

static sv_error *read_predict(sv_infer *infer) {
  const sv_signature *signature = infer->signature;
  for (uint32_t i = 0; i < signature->num_outputs; i++) {
    millrace_dtype dtype = signature->outputs[i].dtype;
    if (dtype == MILLRACE_F16 || dtype == MILLRACE_BF16) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT,
                       "output '%s' is of type %s, which has no text in JSON: ask /v2 for it",
                       signature->outputs[i].name, sv_datatype_name(dtype));
    }
  }
  infer->binary_begin = infer->http->body.size;
  sv_json json;
  sv_json_begin(&json, infer->http->body, &infer->scratch);
  return read_document(infer, &json);
}

void sv_rest_predict(sv_service *service, sv_exchange *exchange, const sv_http_request *request, sv_str model,
                     sv_str version) {
  sv_infer_run(service, exchange, request, model, version, read_predict, sv_predict_write);
}
