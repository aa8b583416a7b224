// ModelInferRequest: read in place, checked against the model, into a request of the engine's.
#include <string.h>

#include "serve/grpc/internal.h"

// More than any model has; what a request may make us remember.
static const size_t MOST_TENSORS = 4096;

// ---- Parameters -----------------------------------------------------------------------------------------------------

static bool sv_param_read(sv_str message, sv_param *out) {
  static const sv_param_kind kinds[] = {SV_PARAM_NONE,   SV_PARAM_BOOL,   SV_PARAM_INT,
                                        SV_PARAM_STRING, SV_PARAM_DOUBLE, SV_PARAM_UINT};
  static const sv_wire_type types[] = {SV_WIRE_VARINT, SV_WIRE_VARINT,  SV_WIRE_VARINT,
                                       SV_WIRE_BYTES,  SV_WIRE_FIXED64, SV_WIRE_VARINT};
  *out = (sv_param){0};
  sv_wire wire;
  sv_wire_begin(&wire, message);
  for (sv_wire_field field; sv_wire_next(&wire, &field);) {
    if (field.number >= sizeof kinds / sizeof kinds[0]) {
      continue;
    }
    if (field.type != types[field.number]) {
      return false;
    }
    *out = (sv_param){.kind = kinds[field.number], .number = field.value, .text = field.bytes};
  }
  return !wire.bad;
}

static sv_error *sv_param_number(const sv_param *param, sv_str key, uint64_t *out_number) {
  bool is_number = param->kind == SV_PARAM_UINT || (param->kind == SV_PARAM_INT && (int64_t)param->number >= 0);
  if (!is_number) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the parameter '%.*s' is not an integer of 0 or more", SV_FMT(key));
  }
  *out_number = param->number;
  return NULL;
}

static sv_error *read_entry(sv_str entry, sv_str *out_key, sv_param *out_param) {
  sv_str value;
  if (!sv_wire_entry(entry, out_key, &value) || !sv_param_read(value, out_param)) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the parameters are not well formed");
  }
  return NULL;
}

// One of the request's. Keys that are nobody's are for the model, which has no use for them; so are those that begin with triton_.
static sv_error *request_parameter(sv_str entry, uint64_t *priority, uint64_t *timeout_us) {
  sv_str key;
  sv_param param = {0};
  SV_TRY(read_entry(entry, &key, &param));
  if (sv_str_is(key, "priority")) {
    return sv_param_number(&param, key, priority);
  }
  if (sv_str_is(key, "timeout")) {
    return sv_param_number(&param, key, timeout_us);
  }
  if (sv_str_is(key, "sequence_id") && (param.number || param.text.size)) {
    return sv_errorf(MILLRACE_UNIMPLEMENTED, "sequences (the parameter 'sequence_id') are not served");
  }
  return NULL;
}

// What a tensor's parameters say of shared memory, and of classification.
typedef struct tensor_parameters {
  bool in_region;
  sv_str region;
  uint64_t offset, size, classes;
} tensor_parameters;

static sv_error *tensor_parameter(sv_str entry, tensor_parameters *out) {
  sv_str key;
  sv_param param = {0};
  SV_TRY(read_entry(entry, &key, &param));
  if (sv_str_is(key, "shared_memory_region")) {
    if (param.kind != SV_PARAM_STRING) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the parameter 'shared_memory_region' is not a string");
    }
    out->in_region = true;
    out->region = param.text;
  } else if (sv_str_is(key, "shared_memory_byte_size")) {
    return sv_param_number(&param, key, &out->size);
  } else if (sv_str_is(key, "shared_memory_offset")) {
    return sv_param_number(&param, key, &out->offset);
  } else if (sv_str_is(key, "classification")) {
    return sv_param_number(&param, key, &out->classes);
  }
  return NULL;
}

static sv_error *find_region(sv_grpc_work *work, const tensor_parameters *parameters, sv_region **out_region) {
  sv_service *service = sv_grpc_service_of(work);
  SV_TRY(sv_grpc_memory_allowed(service, work->call));
  return sv_regions_find(service->regions, parameters->region, parameters->offset, parameters->size, out_region);
}

// ---- The whole ------------------------------------------------------------------------------------------------------

static sv_error *keep_span(sv_text *spans, sv_str span, const char *what) {
  if (spans->size >= MOST_TENSORS * sizeof span) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the request has more than %zu %s", MOST_TENSORS, what);
  }
  sv_text_add(spans, &span, sizeof span);
  return spans->failed ? sv_no_memory() : NULL;
}

static const sv_str *spans_of(const sv_text *spans, size_t *out_count) {
  *out_count = spans->size / sizeof(sv_str);
  return (const sv_str *)(const void *)spans->data;
}

static sv_error *read_field(sv_grpc_work *work, const sv_wire_field *field, uint64_t *priority, uint64_t *timeout_us) {
  switch (field->number) {
  case 1: work->model = field->bytes; return NULL;
  case 2: work->number = field->bytes; return NULL;
  case 3: work->id = field->bytes; return NULL;
  case 4: return request_parameter(field->bytes, priority, timeout_us);
  case 5: return keep_span(&work->input_spans, field->bytes, "inputs");
  case 6: return keep_span(&work->output_spans, field->bytes, "outputs");
  case 7: return keep_span(&work->raw_spans, field->bytes, "raw_input_contents");
  default: return NULL;
  }
}

static sv_error *malformed(void) {
  return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the message is not a well-formed ModelInferRequest");
}

static sv_error *read_request(sv_grpc_work *work, sv_str message, uint64_t *priority, uint64_t *timeout_us) {
  sv_wire wire;
  sv_wire_begin(&wire, message);
  for (sv_wire_field field; sv_wire_next(&wire, &field);) {
    if (field.number <= 7 && field.type != SV_WIRE_BYTES) {
      return malformed();
    }
    SV_TRY(read_field(work, &field, priority, timeout_us));
  }
  return wire.bad ? malformed() : NULL;
}

// ---- Inputs ---------------------------------------------------------------------------------------------------------

typedef struct input_fields {
  sv_str name, datatype, contents;
  bool has_contents;
  sv_tensor tensor;  // dims
  tensor_parameters parameters;
} input_fields;

static sv_error *too_many_dims(sv_str name) {
  return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%.*s' has more than %d dimensions", SV_FMT(name), SV_MAX_RANK);
}

static sv_error *read_shape(const sv_wire_field *field, input_fields *out) {
  sv_tensor *tensor = &out->tensor;
  if (field->type == SV_WIRE_VARINT) {
    if (tensor->rank == SV_MAX_RANK) {
      return too_many_dims(out->name);
    }
    tensor->dims[tensor->rank++] = (int64_t)field->value;
    return NULL;
  }
  sv_wire wire;
  sv_wire_begin(&wire, field->bytes);
  for (uint64_t dim; sv_wire_packed(&wire, SV_WIRE_VARINT, &dim);) {
    if (tensor->rank == SV_MAX_RANK) {
      return too_many_dims(out->name);
    }
    tensor->dims[tensor->rank++] = (int64_t)dim;
  }
  return wire.bad ? malformed() : NULL;
}

static sv_error *read_input(sv_str span, input_fields *out) {
  *out = (input_fields){0};
  sv_wire wire;
  sv_wire_begin(&wire, span);
  for (sv_wire_field field; sv_wire_next(&wire, &field);) {
    bool is_shape = field.number == 3 && (field.type == SV_WIRE_VARINT || field.type == SV_WIRE_BYTES);
    if (field.number <= 5 && field.type != SV_WIRE_BYTES && !is_shape) {
      return malformed();
    }
    switch (field.number) {
    case 1: out->name = field.bytes; break;
    case 2: out->datatype = field.bytes; break;
    case 3: SV_TRY(read_shape(&field, out)); break;
    case 4: SV_TRY(tensor_parameter(field.bytes, &out->parameters)); break;
    case 5:
      out->contents = field.bytes;
      out->has_contents = true;
      break;
    default: break;
    }
  }
  return wire.bad ? malformed() : NULL;
}

// The port of this name; most requests have them in the signature's order.
static bool find_port(const sv_port *ports, uint32_t count, uint32_t guess, sv_str name, uint32_t *out_index) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t index = (guess + i) % count;
    if (sv_str_is(name, ports[index].name)) {
      *out_index = index;
      return true;
    }
  }
  return false;
}

static sv_error *check_input(const sv_signature *signature, const input_fields *fields, uint32_t guess,
                             uint32_t *out_port, sv_tensor *out_tensor) {
  if (!find_port(signature->inputs, signature->num_inputs, guess, fields->name, out_port)) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "model '%s' has no input '%.*s'", signature->model,
                     SV_FMT(fields->name));
  }
  const sv_port *port = &signature->inputs[*out_port];
  const char *wanted = sv_datatype_name(port->dtype);
  if (sv_datatype_parse(fields->datatype) != port->dtype || port->dtype == MILLRACE_INVALID) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s' of model '%s' has datatype '%.*s', %s is wanted",
                     port->name, signature->model, SV_FMT(fields->datatype), wanted ? wanted : "one without a name");
  }
  *out_tensor = fields->tensor;
  out_tensor->dtype = port->dtype;
  if (!sv_tensor_bytes(port->dtype, fields->tensor.dims, fields->tensor.rank, &out_tensor->bytes)) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the shape of input '%s' has a negative dimension, or is too large",
                     port->name);
  }
  return NULL;
}

static sv_error *wrong_size(const char *name, const char *where, uint64_t has, size_t wanted) {
  return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s' has %llu bytes in %s, its shape and datatype make %zu", name,
                   (unsigned long long)has, where, wanted);
}

// Where the bytes are: a region, the next of raw_input_contents, or the typed contents.
static sv_error *place_input(sv_grpc_work *work, const sv_port *port, const input_fields *fields,
                             const sv_tensor *tensor, size_t *next_raw, sv_grpc_input *out) {
  size_t num_raw;
  const sv_str *raw = spans_of(&work->raw_spans, &num_raw);
  if (fields->parameters.in_region) {
    if (fields->has_contents) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s' has contents and a shared memory region", port->name);
    }
    if (fields->parameters.size != tensor->bytes) {
      return wrong_size(port->name, "shared memory", fields->parameters.size, tensor->bytes);
    }
    out->offset = fields->parameters.offset;
    return find_region(work, &fields->parameters, &out->region);
  }
  if (num_raw) {
    if (fields->has_contents) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT,
                       "input '%s' has contents, and the request has raw_input_contents: one of them is wanted",
                       port->name);
    }
    if (*next_raw == num_raw) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "raw_input_contents has %zu entries, input '%s' has none left",
                       num_raw, port->name);
    }
    out->bytes = raw[(*next_raw)++];
    return out->bytes.size == tensor->bytes
               ? NULL
               : wrong_size(port->name, "raw_input_contents", out->bytes.size, tensor->bytes);
  }
  out->has_contents = true;
  out->bytes = fields->contents;
  // Every element takes a byte at least: what is claimed without being sent makes nobody allocate.
  size_t count = tensor->bytes / millrace_dtype_bytes(tensor->dtype);
  return count <= fields->contents.size
             ? NULL
             : sv_errorf(MILLRACE_INVALID_ARGUMENT,
                         "the contents of input '%s' are less than the %zu elements of its shape", port->name, count);
}

static sv_error *read_inputs(sv_grpc_work *work, const sv_signature *signature) {
  size_t count, num_raw, next_raw = 0;
  const sv_str *spans = spans_of(&work->input_spans, &count);
  for (uint32_t i = 0; i < signature->num_inputs; i++) {
    work->request->inputs[i].data = NULL;
    const sv_grpc_input none = {.port = UINT32_MAX};
    sv_text_add(&work->input_list, &none, sizeof none);
  }
  if (work->input_list.failed) {
    return sv_no_memory();
  }
  sv_grpc_input *inputs = (sv_grpc_input *)(void *)work->input_list.data;
  for (size_t i = 0; i < count; i++) {
    input_fields fields;
    sv_tensor tensor;
    uint32_t index = 0;
    SV_TRY(read_input(spans[i], &fields));
    SV_TRY(check_input(signature, &fields, (uint32_t)i, &index, &tensor));
    if (inputs[index].port != UINT32_MAX) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s' is there twice", signature->inputs[index].name);
    }
    inputs[index].port = index;
    work->request->inputs[index] = tensor;
    SV_TRY(place_input(work, &signature->inputs[index], &fields, &tensor, &next_raw, &inputs[index]));
  }
  spans_of(&work->raw_spans, &num_raw);
  for (uint32_t i = 0; i < signature->num_inputs; i++) {
    if (inputs[i].port == UINT32_MAX) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s' of model '%s' is missing", signature->inputs[i].name,
                       signature->model);
    }
  }
  return next_raw == num_raw ? NULL
                             : sv_errorf(MILLRACE_INVALID_ARGUMENT,
                                         "raw_input_contents has %zu entries, the inputs take %zu", num_raw, next_raw);
}

static size_t rounded(size_t bytes) { return (bytes + SV_ALIGNMENT - 1) / SV_ALIGNMENT * SV_ALIGNMENT; }

// Bytes of all inputs, each on its boundary; at most what a request may have.
static sv_error *typed_size(sv_grpc_work *work, uint32_t count, size_t *out_size) {
  size_t size = 0, most = sv_grpc_service_of(work)->body_bytes;
  for (uint32_t i = 0; i < count; i++) {
    size_t bytes = work->request->inputs[i].bytes;
    if (bytes > SIZE_MAX / 2 || __builtin_add_overflow(size, rounded(bytes), &size)) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the inputs are too large");
    }
  }
  // Typed contents have been received already, and grow to eight times of it at most.
  if (most && size / 8 > most) {
    return sv_errorf(MILLRACE_RESOURCE_EXHAUSTED, "the inputs have %zu bytes, %zu are allowed", size, most);
  }
  *out_size = size;
  return NULL;
}

static sv_error *read_elsewhere(sv_grpc_work *work, const sv_signature *signature, const sv_grpc_input *inputs) {
  size_t size = 0, at = 0;
  SV_TRY(typed_size(work, signature->num_inputs, &size));
  work->typed = sv_block_create(size ? size : 1);
  if (!work->typed) {
    return sv_no_memory();
  }
  for (uint32_t i = 0; i < signature->num_inputs; i++) {
    sv_tensor *tensor = &work->request->inputs[i];
    unsigned char *to = work->typed->data + at;
    if (inputs[i].region) {
      SV_TRY(sv_region_read(inputs[i].region, inputs[i].offset, to, tensor->bytes));
    } else if (inputs[i].has_contents) {
      SV_TRY(sv_grpc_contents_read(inputs[i].bytes, tensor->dtype, sv_str_of(signature->inputs[i].name),
                                   tensor->bytes / millrace_dtype_bytes(tensor->dtype), to));
    } else if (tensor->bytes) {
      memcpy(to, inputs[i].bytes.data, tensor->bytes);
    }
    tensor->data = to;
    at += rounded(tensor->bytes);
  }
  work->request->inputs_block = sv_block_retain(work->typed);
  return NULL;
}

static sv_error *place_inputs(sv_grpc_work *work, const sv_signature *signature) {
  const sv_grpc_input *inputs = (const sv_grpc_input *)(const void *)work->input_list.data;
  for (uint32_t i = 0; i < signature->num_inputs; i++) {
    if (inputs[i].region || inputs[i].has_contents) {
      return read_elsewhere(work, signature, inputs);
    }
    work->request->inputs[i].data = inputs[i].bytes.data;
  }
  work->request->inputs_block = work->block ? sv_block_retain(work->block) : NULL;
  return NULL;
}

// ---- Outputs --------------------------------------------------------------------------------------------------------

static sv_error *read_output(sv_str span, sv_str *out_name, tensor_parameters *out_parameters) {
  *out_name = (sv_str){0};
  *out_parameters = (tensor_parameters){0};
  sv_wire wire;
  sv_wire_begin(&wire, span);
  for (sv_wire_field field; sv_wire_next(&wire, &field);) {
    if (field.number <= 2 && field.type != SV_WIRE_BYTES) {
      return malformed();
    }
    if (field.number == 1) {
      *out_name = field.bytes;
    } else if (field.number == 2) {
      SV_TRY(tensor_parameter(field.bytes, out_parameters));
    }
  }
  return wire.bad ? malformed() : NULL;
}

static sv_error *want_output(sv_grpc_work *work, const sv_signature *signature, uint32_t guess, sv_str span) {
  sv_str name;
  tensor_parameters parameters;
  sv_grpc_output output = {0};
  SV_TRY(read_output(span, &name, &parameters));
  if (!find_port(signature->outputs, signature->num_outputs, guess, name, &output.port)) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "model '%s' has no output '%.*s'", signature->model, SV_FMT(name));
  }
  const sv_grpc_output *known = (const sv_grpc_output *)(const void *)work->output_list.data;
  for (size_t i = 0; i < work->output_list.size / sizeof output; i++) {
    if (known[i].port == output.port) {
      return NULL;  // asked for twice, answered once
    }
  }
  if (parameters.in_region && parameters.classes) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "output '%.*s': classification does not go into shared memory",
                     SV_FMT(name));
  }
  output.classes = parameters.classes > UINT32_MAX ? UINT32_MAX : (uint32_t)parameters.classes;
  output.offset = parameters.offset;
  output.size = parameters.size;
  if (parameters.in_region) {
    SV_TRY(find_region(work, &parameters, &output.region));
  }
  sv_text_add(&work->output_list, &output, sizeof output);
  if (work->output_list.failed) {
    sv_region_release(output.region);
    return sv_no_memory();
  }
  return NULL;
}

static sv_error *read_outputs(sv_grpc_work *work, const sv_signature *signature) {
  size_t count;
  const sv_str *spans = spans_of(&work->output_spans, &count);
  for (size_t i = 0; i < count; i++) {
    SV_TRY(want_output(work, signature, (uint32_t)i, spans[i]));
  }
  for (uint32_t i = 0; !count && i < signature->num_outputs; i++) {
    const sv_grpc_output output = {.port = i};
    sv_text_add(&work->output_list, &output, sizeof output);
  }
  return work->output_list.failed ? sv_no_memory() : NULL;
}

void sv_grpc_infer_clear(sv_grpc_work *work) {
  sv_grpc_input *inputs = (sv_grpc_input *)(void *)work->input_list.data;
  for (size_t i = 0; i < work->input_list.size / sizeof *inputs; i++) {
    sv_region_release(inputs[i].region);
  }
  sv_grpc_output *outputs = (sv_grpc_output *)(void *)work->output_list.data;
  for (size_t i = 0; i < work->output_list.size / sizeof *outputs; i++) {
    sv_region_release(outputs[i].region);
  }
}

static sv_error *prepare(sv_grpc_work *work) {
  if (!work->request) {
    SV_TRY(sv_request_create(sv_call_loop(work->call), &work->request));
  }
  sv_version *version;
  SV_TRY(sv_repository_find(sv_grpc_service_of(work)->repository, work->model, work->number, &version));
  sv_error *error = sv_request_prepare(work->request, version);
  work->version = error ? NULL : version;
  sv_version_release(version);
  return error;
}

sv_error *sv_grpc_infer_read(sv_grpc_work *work, sv_str message) {
  uint64_t priority = 0, timeout_us = 0;
  SV_TRY(read_request(work, message, &priority, &timeout_us));
  SV_TRY(prepare(work));
  const sv_signature *signature = sv_version_signature(work->version);
  SV_TRY(read_inputs(work, signature));
  SV_TRY(read_outputs(work, signature));
  SV_TRY(place_inputs(work, signature));
  work->request->priority = priority > UINT32_MAX ? UINT32_MAX : (uint32_t)priority;
  work->request->timeout_ns = timeout_us > UINT64_MAX / 1000 ? UINT64_MAX : timeout_us * 1000;
  return NULL;
}
