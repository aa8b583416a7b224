// The answer to POST .../infer: JSON, and behind it the memory of binary outputs where it lies.
#include "serve/rest/infer.h"

// ---- What is sent ---------------------------------------------------------------------------------------------------

// Texts of all classified outputs first: they lie in one text, which moves while it grows.
static sv_error *classify(sv_infer *infer) {
  const sv_signature *signature = infer->signature;
  for (uint32_t i = 0; i < signature->num_outputs; i++) {
    sv_infer_output *output = &infer->outputs[i];
    if (output->wanted && output->classes) {
      output->text_begin = infer->classes.size;
      SV_TRY(sv_classify(&signature->outputs[i], &infer->request->outputs[i], signature->max_batch_size > 0,
                         output->classes, &infer->classes, output->dims, &output->rank));
      output->size = infer->classes.size - output->text_begin;
    }
  }
  return infer->classes.failed ? sv_no_memory() : NULL;
}

static sv_error *find_content(sv_infer *infer) {
  SV_TRY(classify(infer));
  for (uint32_t i = 0; i < infer->signature->num_outputs; i++) {
    sv_infer_output *output = &infer->outputs[i];
    const sv_tensor *tensor = &infer->request->outputs[i];
    if (output->classes) {
      output->data = output->size ? infer->classes.data + output->text_begin : "";
    } else {
      output->data = tensor->data;
      output->size = tensor->bytes;
    }
  }
  return NULL;
}

static sv_error *write_region(const sv_port *port, const sv_infer_output *output) {
  if (output->size > output->region_size) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "output '%s' has %zu bytes, its shared memory %llu", port->name,
                     output->size, (unsigned long long)output->region_size);
  }
  return sv_infer_note(sv_region_write(output->region, output->region_offset, output->data, output->size), "output",
                       sv_str_of(port->name));
}

// ---- JSON -----------------------------------------------------------------------------------------------------------

// BYTES elements, each behind its length, as an array of texts.
static void put_texts(sv_text *json, const unsigned char *at, size_t size) {
  const unsigned char *end = at + size;
  sv_text_putc(json, '[');
  for (bool first = true; at < end; first = false) {
    size_t length = at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
    if (!first) {
      sv_text_putc(json, ',');
    }
    sv_json_put_string(json, (sv_str){(const char *)at + 4, length});
    at += 4 + length;
  }
  sv_text_putc(json, ']');
}

static void put_data(sv_text *json, const sv_infer_output *output, millrace_dtype dtype) {
  sv_text_puts(json, ",\"data\":");
  if (output->classes) {
    put_texts(json, output->data, output->size);
  } else {
    sv_json_put_tensor(json, dtype, output->data, output->size / millrace_dtype_bytes(dtype));
  }
}

static void put_head(sv_text *json, const char *name, const char *datatype, const int64_t *dims, uint32_t rank) {
  sv_text_puts(json, "{\"name\":");
  sv_json_put_string(json, sv_str_of(name));
  sv_text_puts(json, ",\"datatype\":\"");
  sv_text_puts(json, datatype);
  sv_text_puts(json, "\",\"shape\":");
  sv_text_add_shape(json, dims, rank);
}

static sv_error *put_output(sv_infer *infer, sv_text *json, uint32_t i, size_t *inout_pieces) {
  const sv_port *port = &infer->signature->outputs[i];
  const sv_tensor *tensor = &infer->request->outputs[i];
  const sv_infer_output *output = &infer->outputs[i];
  if (output->classes) {
    put_head(json, port->name, "BYTES", output->dims, output->rank);
  } else {
    put_head(json, port->name, sv_datatype_name(tensor->dtype), tensor->dims, tensor->rank);
  }
  if (output->region) {
    SV_TRY(write_region(port, output));
  } else if (!output->binary) {
    put_data(json, output, tensor->dtype);
  } else {
    sv_text_puts(json, ",\"parameters\":{\"binary_data_size\":");
    sv_text_add_uint(json, output->size);
    sv_text_putc(json, '}');
    if (output->size) {
      infer->pieces[(*inout_pieces)++] = (sv_piece){output->data, output->size};
    }
  }
  sv_text_putc(json, '}');
  return NULL;
}

static void put_envelope(sv_infer *infer, sv_text *json) {
  sv_text_putc(json, '{');
  if (infer->id.size) {
    sv_text_puts(json, "\"id\":");
    sv_json_put_string(json, infer->id);
    sv_text_putc(json, ',');
  }
  sv_text_puts(json, "\"model_name\":");
  sv_json_put_string(json, sv_str_of(infer->signature->model));
  sv_text_puts(json, ",\"model_version\":\"");
  sv_text_add_uint(json, infer->signature->number);
  sv_text_puts(json, "\",\"outputs\":[");
}

sv_error *sv_infer_write(sv_infer *infer, sv_answer *out) {
  sv_text *json = sv_exchange_text(infer->exchange);
  size_t pieces = 1;
  SV_TRY(find_content(infer));
  put_envelope(infer, json);
  bool first = true;
  for (uint32_t i = 0; i < infer->signature->num_outputs; i++) {
    if (infer->outputs[i].wanted) {
      if (!first) {
        sv_text_putc(json, ',');
      }
      first = false;
      SV_TRY(put_output(infer, json, i, &pieces));
    }
  }
  sv_text_puts(json, "]}");
  size_t size = json->size;
  // For the access record, which may be written when the inference is in use again: a copy behind the JSON, which is not sent.
  sv_text_add_str(json, infer->id);
  if (json->failed) {
    return sv_no_memory();
  }
  sv_exchange_access(infer->exchange)->request_id = (sv_str){json->data + size, infer->id.size};
  infer->pieces[0] = (sv_piece){json->data, size};
  out->num_pieces = pieces;
  if (pieces > 1) {
    out->content_type = "application/octet-stream";
    out->json_size = (int64_t)size;
  }
  return NULL;
}
