// The JSON of POST .../infer: one pass over it, members in any order.
#include <string.h>

#include "serve/rest/infer.h"

// ---- Parameters -----------------------------------------------------------------------------------------------------

// Of a request, an input or an output; what is not there is 0.
typedef struct parameters {
  bool has_binary_size, has_region, has_region_size;
  uint64_t binary_size, region_size, region_offset;
  sv_str region;
  bool says_binary, binary, says_binary_outputs, binary_outputs;
  uint64_t classes, priority, timeout_us;
  bool sequence;
} parameters;

// A number that is not 0, or a text that is not empty.
static sv_error *read_sequence(sv_json *json, bool *out_is_sequence) {
  sv_json_kind kind;
  uint64_t number;
  sv_str text;
  SV_TRY(sv_json_peek(json, &kind));
  if (kind == SV_JSON_STRING) {
    SV_TRY(sv_json_string(json, &text));
    *out_is_sequence = text.size > 0;
    return NULL;
  }
  SV_TRY(sv_json_uint(json, &number));
  *out_is_sequence = number != 0;
  return NULL;
}

static sv_error *read_parameter(sv_json *json, sv_str name, parameters *out) {
  if (sv_str_is(name, "binary_data_size")) {
    out->has_binary_size = true;
    return sv_json_uint(json, &out->binary_size);
  }
  if (sv_str_is(name, "binary_data")) {
    out->says_binary = true;
    return sv_json_bool(json, &out->binary);
  }
  if (sv_str_is(name, "binary_data_output")) {
    out->says_binary_outputs = true;
    return sv_json_bool(json, &out->binary_outputs);
  }
  if (sv_str_is(name, "shared_memory_region")) {
    out->has_region = true;
    return sv_json_string(json, &out->region);
  }
  if (sv_str_is(name, "shared_memory_byte_size")) {
    out->has_region_size = true;
    return sv_json_uint(json, &out->region_size);
  }
  if (sv_str_is(name, "shared_memory_offset")) {
    return sv_json_uint(json, &out->region_offset);
  }
  if (sv_str_is(name, "classification")) {
    return sv_json_uint(json, &out->classes);
  }
  if (sv_str_is(name, "priority")) {
    return sv_json_uint(json, &out->priority);
  }
  if (sv_str_is(name, "timeout")) {
    return sv_json_uint(json, &out->timeout_us);
  }
  if (sv_str_is(name, "sequence_id")) {
    return read_sequence(json, &out->sequence);
  }
  if (sv_str_begins(name, "triton_")) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "parameter '%.*s': names that begin with 'triton_' are reserved",
                     SV_FMT(name));
  }
  return sv_json_skip(json, NULL);
}

static sv_error *read_parameters(sv_json *json, parameters *out) {
  bool more;
  sv_str name;
  SV_TRY(sv_json_object(json));
  for (;;) {
    SV_TRY(sv_json_member(json, &more, &name));
    if (!more) {
      break;
    }
    SV_TRY(sv_infer_note(read_parameter(json, name, out), "parameter", name));
  }
  if (out->has_region != out->has_region_size) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT,
                     "shared_memory_region and shared_memory_byte_size belong together, and one is missing");
  }
  return NULL;
}

// ---- Inputs ---------------------------------------------------------------------------------------------------------

// What an input's object has said so far.
typedef struct said {
  bool has_name, has_datatype, has_shape, has_data, settled;
  sv_str name, datatype, data;
  uint32_t rank;
  int64_t dims[SV_MAX_RANK];
  parameters parameters;
  uint32_t index;  // in the signature, when it is settled
} said;

static sv_error *read_shape(sv_json *json, said *input) {
  bool more;
  input->rank = 0;
  SV_TRY(sv_json_array(json));
  for (;;) {
    SV_TRY(sv_json_element(json, &more));
    if (!more) {
      return NULL;
    }
    uint64_t dim;
    if (input->rank == SV_MAX_RANK) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "a shape of more than %d dimensions", SV_MAX_RANK);
    }
    SV_TRY(sv_json_uint(json, &dim));
    if (dim > INT64_MAX) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "a dimension of %llu elements", (unsigned long long)dim);
    }
    input->dims[input->rank++] = (int64_t)dim;
  }
}

// Name, datatype and shape are there: which of the model's inputs it is.
static sv_error *settle(sv_infer *infer, said *input) {
  const sv_signature *signature = infer->signature;
  const char *missing = !input->has_name       ? "name"
                        : !input->has_datatype ? "datatype"
                        : !input->has_shape    ? "shape"
                                               : NULL;
  if (missing) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%.*s' has no member '%s'", SV_FMT(input->name), missing);
  }
  int found = sv_infer_find(signature->inputs, signature->num_inputs, input->name);
  if (found < 0) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "model '%s' has no input '%.*s'%s%s%s", signature->model,
                     SV_FMT(input->name), signature->num_inputs ? ", wanted '" : "",
                     signature->num_inputs ? signature->inputs[0].name : "",
                     !signature->num_inputs      ? ""
                     : signature->num_inputs > 1 ? "' and others"
                                                 : "'");
  }
  input->index = (uint32_t)found;
  if (infer->inputs[found].place != SV_INFER_NOWHERE) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%.*s' is there twice", SV_FMT(input->name));
  }
  millrace_dtype wanted = signature->inputs[found].dtype;
  if (sv_datatype_parse(input->datatype) != wanted) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%.*s' has datatype '%.*s', wanted '%s'", SV_FMT(input->name),
                     SV_FMT(input->datatype), sv_datatype_name(wanted));
  }
  sv_tensor *tensor = &infer->request->inputs[found];
  tensor->rank = input->rank;
  memcpy(tensor->dims, input->dims, input->rank * sizeof *input->dims);
  input->settled = true;
  return NULL;
}

// Straight into memory where it is known what it is, which is how clients send it; else looked at again behind the object.
static sv_error *read_data(sv_infer *infer, sv_json *json, said *input) {
  if (!input->has_name || !input->has_datatype || !input->has_shape) {
    return sv_json_skip(json, &input->data);
  }
  SV_TRY(settle(infer, input));
  return sv_infer_place_json(infer, input->index, json);
}

static sv_error *twice(sv_str member) {
  return sv_errorf(MILLRACE_INVALID_ARGUMENT, "an input has the member '%.*s' twice", SV_FMT(member));
}

static sv_error *read_input_member(sv_infer *infer, sv_json *json, sv_str member, said *input) {
  bool *seen = sv_str_is(member, "name")       ? &input->has_name
               : sv_str_is(member, "datatype") ? &input->has_datatype
               : sv_str_is(member, "shape")    ? &input->has_shape
               : sv_str_is(member, "data")     ? &input->has_data
                                               : NULL;
  if (!seen) {
    return sv_str_is(member, "parameters") ? read_parameters(json, &input->parameters) : sv_json_skip(json, NULL);
  }
  if (*seen) {
    return twice(member);
  }
  *seen = true;
  return seen == &input->has_name       ? sv_json_string(json, &input->name)
         : seen == &input->has_datatype ? sv_json_string(json, &input->datatype)
         : seen == &input->has_shape    ? read_shape(json, input)
                                        : read_data(infer, json, input);
}

static sv_error *read_input(sv_infer *infer, sv_json *json) {
  said input = {0};
  bool more;
  sv_str member;
  SV_TRY(sv_json_object(json));
  for (;;) {
    SV_TRY(sv_json_member(json, &more, &member));
    if (!more) {
      break;
    }
    SV_TRY(read_input_member(infer, json, member, &input));
  }
  bool placed = input.settled;
  if (!placed) {
    SV_TRY(settle(infer, &input));
  }
  const parameters *p = &input.parameters;
  if (input.has_data + p->has_binary_size + p->has_region != 1) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT,
                     "input '%.*s' has %s of data, parameters.binary_data_size and parameters.shared_memory_region, "
                     "wanted one",
                     SV_FMT(input.name),
                     input.has_data || p->has_binary_size || p->has_region ? "more than one" : "none");
  }
  if (placed) {
    return NULL;
  }
  if (p->has_binary_size) {
    return sv_infer_place_binary(infer, input.index, p->binary_size);
  }
  if (p->has_region) {
    return sv_infer_place_region(infer, input.index, p->region, p->region_offset, p->region_size);
  }
  sv_json again = *json;  // at the same depth; the text's beginning stays, for the bytes in errors
  again.at = input.data.data;
  again.end = input.data.data + input.data.size;
  return sv_infer_place_json(infer, input.index, &again);
}

// ---- Outputs --------------------------------------------------------------------------------------------------------

static sv_error *want_output(sv_infer *infer, sv_str name, const parameters *p) {
  const sv_signature *signature = infer->signature;
  int found = sv_infer_find(signature->outputs, signature->num_outputs, name);
  if (found < 0) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "model '%s' has no output '%.*s'", signature->model, SV_FMT(name));
  }
  if (p->classes > UINT32_MAX) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "output '%.*s': classification of %llu", SV_FMT(name),
                     (unsigned long long)p->classes);
  }
  sv_infer_output *output = &infer->outputs[found];
  sv_region_release(output->region);  // named twice: the last one counts
  *output = (sv_infer_output){.wanted = true,
                              .says_binary = p->says_binary,
                              .binary = p->binary,
                              .classes = (uint32_t)p->classes,
                              .region_offset = p->region_offset,
                              .region_size = p->region_size};
  if (!p->has_region) {
    return NULL;
  }
  SV_TRY(sv_infer_allow_regions(infer));
  return sv_infer_note(
      sv_regions_find(infer->service->regions, p->region, p->region_offset, p->region_size, &output->region), "output",
      name);
}

static sv_error *read_output(sv_infer *infer, sv_json *json) {
  parameters p = {0};
  bool more, has_name = false;
  sv_str member, name = {0};
  SV_TRY(sv_json_object(json));
  for (;;) {
    SV_TRY(sv_json_member(json, &more, &member));
    if (!more) {
      break;
    }
    if (sv_str_is(member, "name")) {
      has_name = true;
      SV_TRY(sv_json_string(json, &name));
    } else {
      SV_TRY(sv_str_is(member, "parameters") ? read_parameters(json, &p) : sv_json_skip(json, NULL));
    }
  }
  if (!has_name) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "an output has no member 'name'");
  }
  infer->lists_outputs = true;
  return want_output(infer, name, &p);
}

// ---- The document ---------------------------------------------------------------------------------------------------

static sv_error *read_list(sv_infer *infer, sv_json *json, sv_error *(*read)(sv_infer *infer, sv_json *json)) {
  bool more;
  SV_TRY(sv_json_array(json));
  for (;;) {
    SV_TRY(sv_json_element(json, &more));
    if (!more) {
      return NULL;
    }
    SV_TRY(read(infer, json));
  }
}

static sv_error *read_request_parameters(sv_infer *infer, sv_json *json) {
  parameters p = {0};
  SV_TRY(read_parameters(json, &p));
  if (p.sequence) {
    return sv_errorf(MILLRACE_UNIMPLEMENTED, "parameter 'sequence_id': models with state between requests (sequences) "
                                             "are not there");
  }
  if (p.priority > UINT32_MAX) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "parameter 'priority' is %llu, wanted at most %u",
                     (unsigned long long)p.priority, UINT32_MAX);
  }
  infer->request->priority = (uint32_t)p.priority;
  infer->request->timeout_ns = p.timeout_us > UINT64_MAX / 1000 ? UINT64_MAX : p.timeout_us * 1000;
  if (p.says_binary_outputs) {
    infer->binary_outputs = p.binary_outputs;
  }
  return NULL;
}

static sv_error *read_document(sv_infer *infer, sv_json *json) {
  bool more;
  sv_str member;
  SV_TRY(sv_json_object(json));
  for (;;) {
    SV_TRY(sv_json_member(json, &more, &member));
    if (!more) {
      return sv_json_end(json);
    }
    if (sv_str_is(member, "inputs")) {
      SV_TRY(read_list(infer, json, read_input));
    } else if (sv_str_is(member, "outputs")) {
      SV_TRY(read_list(infer, json, read_output));
    } else if (sv_str_is(member, "parameters")) {
      SV_TRY(read_request_parameters(infer, json));
    } else if (sv_str_is(member, "id")) {
      SV_TRY(sv_json_string(json, &infer->id));
    } else {
      SV_TRY(sv_json_skip(json, NULL));
    }
  }
}

// What is wanted, and whether it can be given, is known before anything is computed.
static sv_error *check_outputs(sv_infer *infer) {
  const sv_signature *signature = infer->signature;
  for (uint32_t i = 0; i < signature->num_outputs; i++) {
    sv_infer_output *output = &infer->outputs[i];
    output->wanted = output->wanted || !infer->lists_outputs;
    output->binary = output->says_binary ? output->binary : infer->binary_outputs;
    millrace_dtype dtype = signature->outputs[i].dtype;
    if (output->wanted && !output->binary && !output->region && !output->classes &&
        (dtype == MILLRACE_F16 || dtype == MILLRACE_BF16)) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT,
                       "output '%s' is of type %s, which has no text in JSON: ask for it with binary_data",
                       signature->outputs[i].name, sv_datatype_name(dtype));
    }
  }
  return NULL;
}

sv_error *sv_infer_read(sv_infer *infer) {
  const sv_http_request *http = infer->http;
  if (http->json_size == 0 || http->body.size == 0) {
    SV_TRY(sv_infer_place_raw(infer));
    return check_outputs(infer);
  }
  infer->binary_begin = http->json_size < 0 ? http->body.size : (size_t)http->json_size;
  sv_json json;
  sv_json_begin(&json, (sv_str){http->body.data, infer->binary_begin}, &infer->scratch);
  SV_TRY(read_document(infer, &json));
  sv_exchange_access(infer->exchange)->request_id = infer->id;
  return check_outputs(infer);
}
