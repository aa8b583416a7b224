// Where a request's inputs lie: in its body, or copied into a block that is used again.
#include <string.h>

#include "serve/rest/infer.h"

static sv_str port_name(const sv_infer *infer, uint32_t i) { return sv_str_of(infer->signature->inputs[i].name); }

sv_error *sv_infer_shape_bytes(sv_infer *infer, uint32_t i) {
  sv_tensor *input = &infer->request->inputs[i];
  if (sv_tensor_bytes(input->dtype, input->dims, input->rank, &input->bytes)) {
    return NULL;
  }
  return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s' has a shape of more bytes than there can be",
                   infer->signature->inputs[i].name);
}

static sv_error *wrong_size(const sv_infer *infer, uint32_t i, const char *what, uint64_t size) {
  const sv_tensor *input = &infer->request->inputs[i];
  sv_text shape = {0};
  sv_text_add_shape(&shape, input->dims, input->rank);
  sv_error *error = sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s': %s is %llu, wanted %zu (%s of shape %.*s)",
                              infer->signature->inputs[i].name, what, (unsigned long long)size, input->bytes,
                              sv_datatype_name(input->dtype), SV_FMT(sv_text_str(&shape)));
  sv_text_free(&shape);
  return error;
}

// More room in the block; what is in it stays.
static sv_error *block_room(sv_infer *infer, size_t size, size_t *out_offset) {
  size_t begin = (infer->block_used + SV_ALIGNMENT - 1) & ~(SV_ALIGNMENT - 1), end;
  if (__builtin_add_overflow(begin, size, &end)) {
    return sv_no_memory();
  }
  if (!infer->block || end > infer->block->size) {
    size_t larger = infer->block && infer->block->size < SIZE_MAX / 2 ? infer->block->size * 2 : 4096;
    sv_block *block = sv_block_create(larger > end ? larger : end);
    if (!block) {
      return sv_no_memory();
    }
    if (infer->block_used) {
      memcpy(block->data, infer->block->data, infer->block_used);
    }
    sv_block_release(infer->block);
    infer->block = block;
  }
  infer->block_used = end;
  *out_offset = begin;
  return NULL;
}

sv_error *sv_infer_place_block(sv_infer *infer, uint32_t i, void **out_to) {
  sv_infer_input *input = &infer->inputs[i];
  SV_TRY(block_room(infer, infer->request->inputs[i].bytes, &input->offset));
  input->place = SV_INFER_BLOCK;
  *out_to = infer->block->data + input->offset;
  return NULL;
}

sv_error *sv_infer_place_json(sv_infer *infer, uint32_t i, sv_json *json) {
  SV_TRY(sv_infer_shape_bytes(infer, i));
  sv_tensor *input = &infer->request->inputs[i];
  size_t count = input->bytes / millrace_dtype_bytes(input->dtype);
  // Before there is memory for a shape: an element takes two bytes of text, with its comma or bracket.
  sv_json_kind kind;
  SV_TRY(sv_infer_note(sv_json_peek(json, &kind), "input", port_name(infer, i)));
  size_t left = kind == SV_JSON_ARRAY ? (size_t)(json->end - json->at) : SIZE_MAX;
  if (count > left / 2) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s': its shape has %zu elements, its data fewer",
                     infer->signature->inputs[i].name, count);
  }
  void *to = NULL;
  if (kind == SV_JSON_ARRAY) {
    SV_TRY(sv_infer_place_block(infer, i, &to));
  }
  return sv_infer_note(sv_json_tensor(json, input->dtype, count, to), "input", port_name(infer, i));
}

sv_error *sv_infer_place_binary(sv_infer *infer, uint32_t i, uint64_t size) {
  SV_TRY(sv_infer_shape_bytes(infer, i));
  if (size != infer->request->inputs[i].bytes) {
    return wrong_size(infer, i, "binary_data_size", size);
  }
  size_t begin = infer->binary_begin + infer->binary_used, left = infer->http->body.size - begin;
  if (size > left) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s': wanted %llu bytes behind the JSON, got %zu%s",
                     infer->signature->inputs[i].name, (unsigned long long)size, left,
                     infer->http->json_size < 0 ? " (without Inference-Header-Content-Length all of the body is JSON)"
                                                : "");
  }
  if (size == 0) {  // a body without bytes may have no memory
    void *nowhere;
    return sv_infer_place_block(infer, i, &nowhere);
  }
  infer->inputs[i] = (sv_infer_input){SV_INFER_BODY, begin};
  infer->binary_used += size;
  return NULL;
}

sv_error *sv_infer_allow_regions(const sv_infer *infer) {
  const sv_stream *stream = sv_exchange_stream(infer->exchange);
  return sv_service_allow_regions(infer->service, stream && sv_stream_is_local(stream));
}

sv_error *sv_infer_place_region(sv_infer *infer, uint32_t i, sv_str name, uint64_t offset, uint64_t size) {
  SV_TRY(sv_infer_shape_bytes(infer, i));
  SV_TRY(sv_infer_allow_regions(infer));
  if (size != infer->request->inputs[i].bytes) {
    return wrong_size(infer, i, "shared_memory_byte_size", size);
  }
  if (size > infer->service->body_bytes) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s' has %llu bytes, the most a request may have are %zu",
                     infer->signature->inputs[i].name, (unsigned long long)size, infer->service->body_bytes);
  }
  sv_region *region;
  void *to;
  SV_TRY(sv_infer_note(sv_regions_find(infer->service->regions, name, offset, size, &region), "input",
                       port_name(infer, i)));
  sv_error *error = sv_infer_place_block(infer, i, &to);
  error = error ? error : sv_infer_note(sv_region_read(region, offset, to, size), "input", port_name(infer, i));
  sv_region_release(region);
  return error;
}

// A body without JSON: one tensor, of which the batch is 1 and at most one other dimension follows from the size.
sv_error *sv_infer_place_raw(sv_infer *infer) {
  const sv_signature *signature = infer->signature;
  if (signature->num_inputs != 1) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "a body without JSON is one tensor, but model '%s' has %u inputs",
                     signature->model, signature->num_inputs);
  }
  sv_tensor *input = &infer->request->inputs[0];
  int64_t *open = NULL;
  for (uint32_t d = 0; d < input->rank; d++) {
    bool is_batch = d == 0 && signature->max_batch_size > 0;
    if (input->dims[d] < 0 && !is_batch && open) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "a body without JSON needs an input with one open dimension at most");
    }
    open = input->dims[d] < 0 && !is_batch ? &input->dims[d] : open;
    input->dims[d] = input->dims[d] < 0 || is_batch ? 1 : input->dims[d];
  }
  SV_TRY(sv_infer_shape_bytes(infer, 0));
  size_t size = infer->http->body.size;
  if (open && input->bytes && size % input->bytes == 0) {
    *open = (int64_t)(size / input->bytes);
    input->bytes = size;
  }
  infer->binary_begin = 0;
  infer->binary_outputs = true;
  return sv_infer_place_binary(infer, 0, size);
}

sv_error *sv_infer_place_end(sv_infer *infer) {
  const sv_signature *signature = infer->signature;
  sv_request *request = infer->request;
  bool all_body = true, all_block = true;
  for (uint32_t i = 0; i < signature->num_inputs; i++) {
    const sv_infer_input *input = &infer->inputs[i];
    switch (input->place) {
    case SV_INFER_NOWHERE:
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s' of model '%s' is missing", signature->inputs[i].name,
                       signature->model);
    case SV_INFER_BODY:
      request->inputs[i].data = input->offset ? infer->http->body.data + input->offset : infer->http->body.data;
      all_block = false;
      break;
    case SV_INFER_BLOCK:
      request->inputs[i].data = infer->block->data + input->offset;
      all_body = false;
      break;
    }
  }
  size_t left = infer->http->body.size - infer->binary_begin - infer->binary_used;
  if (left) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "%zu bytes are left over behind what the inputs take", left);
  }
  sv_block *block = all_body ? infer->http->body_block : all_block ? infer->block : NULL;
  request->inputs_block = block ? sv_block_retain(block) : NULL;
  return NULL;
}
