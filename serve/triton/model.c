// Opening a model: its file, what Triton's configuration says of it, and the batch sizes that it is compiled for.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/json/json.h"
#include "serve/triton/backend.h"

// ---- Errors ---------------------------------------------------------------------------------------------------------

TRITONSERVER_Error *sv_triton_errorf(TRITONSERVER_Error_Code code, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return TRITONSERVER_ErrorNew(code, text);
}

static TRITONSERVER_Error_Code code_of(millrace_code code) {
  switch (code) {
  case MILLRACE_INVALID_ARGUMENT:
  case MILLRACE_OUT_OF_RANGE:
  case MILLRACE_FAILED_PRECONDITION: return TRITONSERVER_ERROR_INVALID_ARG;
  case MILLRACE_NOT_FOUND: return TRITONSERVER_ERROR_NOT_FOUND;
  case MILLRACE_UNAVAILABLE:
  case MILLRACE_RESOURCE_EXHAUSTED:
  case MILLRACE_DEADLINE_EXCEEDED: return TRITONSERVER_ERROR_UNAVAILABLE;
  case MILLRACE_UNIMPLEMENTED: return TRITONSERVER_ERROR_UNSUPPORTED;
  case MILLRACE_CANCELLED: return TRITONSERVER_ERROR_CANCELLED;
  default: return TRITONSERVER_ERROR_INTERNAL;
  }
}

TRITONSERVER_Error *sv_triton_error_of(sv_error *take_error) {
  if (!take_error) {
    return NULL;
  }
  TRITONSERVER_Error *error = TRITONSERVER_ErrorNew(code_of(sv_error_code(take_error)), sv_error_message(take_error));
  sv_error_free(take_error);
  return error;
}

static TRITONSERVER_Error *no_memory(void) { return sv_triton_error_of(sv_no_memory()); }

// ---- The configuration ----------------------------------------------------------------------------------------------

// What Triton's JSON says. The texts lie in its message.
typedef struct config {
  int64_t max_batch_size;
  sv_str filename;
  sv_str inputs, outputs;  // arrays
  sv_str batching;         // an object; empty: none
} config;

static sv_error *read_config(sv_str text, sv_text *scratch, config *out) {
  sv_json json;
  sv_str name;
  bool more;
  sv_json_begin(&json, text, scratch);
  SV_TRY(sv_json_object(&json));
  for (;;) {
    SV_TRY(sv_json_member(&json, &more, &name));
    if (!more) {
      return NULL;
    }
    if (sv_str_is(name, "max_batch_size")) {
      SV_TRY(sv_json_int(&json, &out->max_batch_size));
    } else if (sv_str_is(name, "default_model_filename")) {
      SV_TRY(sv_json_string(&json, &out->filename));
    } else {
      sv_str value;
      SV_TRY(sv_json_skip(&json, &value));
      if (sv_str_is(name, "input")) {
        out->inputs = value;
      } else if (sv_str_is(name, "output")) {
        out->outputs = value;
      } else if (sv_str_is(name, "dynamic_batching")) {
        out->batching = value;
      }
    }
  }
}

static sv_error *read_port(sv_json *json, sv_str *out_name, sv_str *out_type) {
  sv_str name;
  bool more;
  *out_name = *out_type = (sv_str){0};
  SV_TRY(sv_json_object(json));
  for (;;) {
    SV_TRY(sv_json_member(json, &more, &name));
    if (!more) {
      return NULL;
    }
    if (sv_str_is(name, "name")) {
      SV_TRY(sv_json_string(json, out_name));
    } else if (sv_str_is(name, "data_type")) {
      SV_TRY(sv_json_string(json, out_type));
    } else {
      SV_TRY(sv_json_skip(json, NULL));
    }
  }
}

static sv_triton_port *find_port(sv_triton_port *ports, uint32_t count, sv_str name) {
  for (uint32_t i = 0; i < count; i++) {
    if (sv_str_is(name, ports[i].name)) {
      return &ports[i];
    }
  }
  return NULL;
}

// What the configuration says of a port is what the program has. A program's only output, which JAX calls "result", has any name.
static sv_error *check_port(const char *what, sv_triton_port *ports, uint32_t count, sv_str name, sv_str type) {
  sv_triton_port *port = find_port(ports, count, name);
  if (!port && count == 1 && strcmp(ports[0].of.name, "result") == 0) {
    port = &ports[0];
    free(port->name);
    port->name = sv_str_copy(name);
    if (!port->name) {
      return sv_no_memory();
    }
  }
  if (!port) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the configuration has an %s '%.*s', and the program's first is '%s'",
                     what, SV_FMT(name), count ? ports[0].name : "");
  }
  const char *own = sv_config_type_name(port->of.type.dtype);
  if (!sv_str_is(type, own)) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the configuration says %.*s of '%s', which is %s", SV_FMT(type),
                     port->name, own);
  }
  return NULL;
}

static sv_error *check_ports(const char *what, sv_str text, sv_text *scratch, sv_triton_port *ports, uint32_t count,
                             uint32_t *out_said) {
  sv_json json;
  bool more;
  *out_said = 0;
  if (!text.size) {
    return NULL;
  }
  sv_json_begin(&json, text, scratch);
  SV_TRY(sv_json_array(&json));
  for (;;) {
    SV_TRY(sv_json_element(&json, &more));
    if (!more) {
      break;
    }
    sv_str name, type;
    SV_TRY(read_port(&json, &name, &type));
    SV_TRY(check_port(what, ports, count, name, type));
    ++*out_said;
  }
  if (*out_said && *out_said != count && what[0] == 'i') {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the configuration has %u of the program's %u inputs", *out_said,
                     count);
  }
  return NULL;
}

static void put_ports(sv_text *out, const char *key, const sv_triton_port *ports, uint32_t count, bool batch) {
  sv_text_addf(out, ",\"%s\":[", key);
  for (uint32_t i = 0; i < count; i++) {
    const millrace_type type = ports[i].of.type;
    sv_text_puts(out, i ? ",{\"name\":" : "{\"name\":");
    sv_json_put_string(out, sv_str_of(ports[i].name));
    sv_text_addf(out, ",\"data_type\":\"%s\",\"dims\":[", sv_config_type_name(type.dtype));
    for (size_t d = batch; d < type.rank; d++) {
      sv_text_addf(out, "%s%lld", d > batch ? "," : "", (long long)type.dims[d]);
    }
    sv_text_puts(out, "]}");
  }
  sv_text_putc(out, ']');
}

static void put_member(sv_text *out, const char *key, sv_str value) {
  sv_text_addf(out, ",\"%s\":%.*s", key, SV_FMT(value));
}

// Tells Triton the ports that its configuration does not have. Triton takes batch size and ports of this text, wants to see its own batching
// again, and leaves the rest as it is.
static TRITONSERVER_Error *complete(TRITONBACKEND_Model *triton, const sv_triton_model *model, const config *said,
                                    bool inputs, bool outputs) {
  sv_text text = {0};
  sv_text_addf(&text, "{\"max_batch_size\":%u", model->max_batch_size);
  if (inputs) {
    put_member(&text, "input", said->inputs);
  } else {
    put_ports(&text, "input", model->inputs, model->num_inputs, model->max_batch_size > 0);
  }
  if (outputs) {
    put_member(&text, "output", said->outputs);
  } else {
    put_ports(&text, "output", model->outputs, model->num_outputs, model->max_batch_size > 0);
  }
  if (said->batching.size) {
    put_member(&text, "dynamic_batching", said->batching);
  }
  sv_text_putc(&text, '}');
  TRITONSERVER_Message *message = NULL;
  TRITONSERVER_Error *error =
      text.failed ? no_memory() : TRITONSERVER_MessageNewFromSerializedJson(&message, text.data, text.size);
  if (!error) {
    error = TRITONBACKEND_ModelSetConfig(triton, 1, message);
  }
  TRITONSERVER_MessageDelete(message);
  sv_text_free(&text);
  return error;
}

static TRITONSERVER_Error *check_config(TRITONBACKEND_Model *triton, sv_triton_model *model, const config *said,
                                        sv_text *scratch) {
  uint32_t inputs, outputs;
  sv_error *error = check_ports("input", said->inputs, scratch, model->inputs, model->num_inputs, &inputs);
  if (!error) {
    error = check_ports("output", said->outputs, scratch, model->outputs, model->num_outputs, &outputs);
  }
  if (error) {
    return sv_triton_error_of(error);
  }
  bool may = false;
  SV_TRITON_TRY(TRITONBACKEND_ModelAutoCompleteConfig(triton, &may));
  return may && (!inputs || !outputs) ? complete(triton, model, said, inputs, outputs) : NULL;
}

// ---- Ports ----------------------------------------------------------------------------------------------------------

// Without the frame that JAX puts around it: "result['y']" is y.
static char *port_name(const char *own, const char *kind, size_t index) {
  const size_t size = strlen(own);
  if (size > 10 && strncmp(own, "result['", 8) == 0 && strcmp(own + size - 2, "']") == 0) {
    return sv_str_copy((sv_str){own + 8, size - 10});
  }
  if (*own && strncmp(own, "result", 6) != 0) {
    return sv_str_copy(sv_str_of(own));
  }
  char text[32];
  return sv_str_copy((sv_str){text, (size_t)snprintf(text, sizeof text, "%s%zu", kind, index)});
}

static TRITONSERVER_Error *fill_port(sv_triton_port *port, const char *kind, size_t index, bool batch) {
  const millrace_type type = port->of.type;
  port->name = port_name(port->of.name, kind, index);
  if (!port->name) {
    return no_memory();
  }
  const char *name = sv_datatype_name(type.dtype);
  if (!name) {
    return sv_triton_errorf(TRITONSERVER_ERROR_UNSUPPORTED, "Triton has no name for the type of '%s', %s", port->name,
                            millrace_dtype_name(type.dtype));
  }
  port->type = TRITONSERVER_StringToDataType(name);
  if (type.rank > SV_MAX_RANK) {
    return sv_triton_errorf(TRITONSERVER_ERROR_UNSUPPORTED, "'%s' has %zu dimensions, and %d are the most", port->name,
                            type.rank, SV_MAX_RANK);
  }
  if (batch && (!type.rank || type.dims[0] != MILLRACE_OPEN)) {
    return sv_triton_errorf(TRITONSERVER_ERROR_INVALID_ARG,
                            "max_batch_size is above 0, and the first dimension of '%s' is not open", port->name);
  }
  return NULL;
}

static TRITONSERVER_Error *fill_ports(sv_triton_model *model) {
  model->num_inputs = (uint32_t)millrace_model_input_count(model->program);
  model->num_outputs = (uint32_t)millrace_model_output_count(model->program);
  model->inputs = calloc(model->num_inputs + 1, sizeof *model->inputs);
  model->outputs = calloc(model->num_outputs + 1, sizeof *model->outputs);
  if (!model->inputs || !model->outputs) {
    return no_memory();
  }
  for (uint32_t i = 0; i < model->num_inputs; i++) {
    model->inputs[i].of = millrace_model_input(model->program, i);
    SV_TRITON_TRY(fill_port(&model->inputs[i], "input", i, model->max_batch_size > 0));
  }
  for (uint32_t i = 0; i < model->num_outputs; i++) {
    model->outputs[i].of = millrace_model_output(model->program, i);
    SV_TRITON_TRY(fill_port(&model->outputs[i], "output", i, model->max_batch_size > 0));
  }
  return NULL;
}

// ---- Batch sizes ----------------------------------------------------------------------------------------------------

uint32_t sv_triton_batch(const sv_triton_model *model, uint64_t rows) {
  uint32_t size = 1;
  while (size < rows && size < model->max_batch_size) {
    size *= 2;
  }
  return size < model->max_batch_size ? size : model->max_batch_size;
}

static sv_error *compile(sv_triton_model *model, uint32_t size) {
  millrace_shape shapes[model->num_inputs + 1];
  int64_t dims[model->num_inputs + 1][SV_MAX_RANK];
  for (uint32_t i = 0; i < model->num_inputs; i++) {
    const millrace_type type = model->inputs[i].of.type;
    memcpy(dims[i], type.dims, type.rank * sizeof *type.dims);
    dims[i][0] = size;
    shapes[i] = (millrace_shape){dims[i], type.rank};
  }
  millrace_program *program = NULL;
  sv_error *error = sv_error_of(millrace_model_program(model->program, shapes, model->num_inputs, &program));
  millrace_program_release(program);
  return error;
}

// Sizes that stay open beside the batch's are compiled when they are first asked for.
static bool only_batch_is_open(const sv_triton_model *model) {
  for (uint32_t i = 0; i < model->num_inputs; i++) {
    const millrace_type type = model->inputs[i].of.type;
    for (size_t d = 1; d < type.rank; d++) {
      if (type.dims[d] == MILLRACE_OPEN) {
        return false;
      }
    }
  }
  return true;
}

static TRITONSERVER_Error *compile_all(sv_triton_model *model) {
  if (!model->max_batch_size || !only_batch_is_open(model)) {
    return NULL;
  }
  for (uint32_t size = 1;; size = sv_triton_batch(model, size + 1u)) {
    SV_TRITON_TRY(sv_triton_error_of(compile(model, size)));
    if (size == model->max_batch_size) {
      return NULL;
    }
  }
}

// ---- Opening --------------------------------------------------------------------------------------------------------

static TRITONSERVER_Error *open_file(millrace_context *context, TRITONBACKEND_Model *triton, sv_str filename,
                                     millrace_model **out_program) {
  TRITONBACKEND_ArtifactType kind;
  const char *folder;
  uint64_t version;
  SV_TRITON_TRY(TRITONBACKEND_ModelRepository(triton, &kind, &folder));
  SV_TRITON_TRY(TRITONBACKEND_ModelVersion(triton, &version));
  filename = filename.size ? filename : SV_STR("model.mlirbc");
  char path[4096];
  const int size = snprintf(path, sizeof path, "%s/%llu/%.*s", folder, (unsigned long long)version, SV_FMT(filename));
  if (size < 0 || (size_t)size >= sizeof path) {
    return sv_triton_errorf(TRITONSERVER_ERROR_INVALID_ARG, "the path of %.*s is longer than 4,095 bytes",
                            SV_FMT(filename));
  }
  return sv_triton_error_of(sv_error_of(millrace_model_open(context, path, NULL, out_program)));
}

static TRITONSERVER_Error *open_said(millrace_context *context, TRITONBACKEND_Model *triton, const config *said,
                                     sv_text *scratch, sv_triton_model *model) {
  if (said->max_batch_size < 0 || said->max_batch_size > INT32_MAX) {
    return sv_triton_errorf(TRITONSERVER_ERROR_INVALID_ARG, "max_batch_size is %lld", (long long)said->max_batch_size);
  }
  model->max_batch_size = (uint32_t)said->max_batch_size;
  SV_TRITON_TRY(open_file(context, triton, said->filename, &model->program));
  SV_TRITON_TRY(fill_ports(model));
  SV_TRITON_TRY(check_config(triton, model, said, scratch));
  return compile_all(model);
}

TRITONSERVER_Error *sv_triton_model_open(millrace_context *context, TRITONBACKEND_Model *triton,
                                         sv_triton_model **out_model) {
  TRITONSERVER_Message *message = NULL;
  sv_str text = {0};
  SV_TRITON_TRY(TRITONBACKEND_ModelConfig(triton, 1, &message));
  TRITONSERVER_Error *error = TRITONSERVER_MessageSerializeToJson(message, &text.data, &text.size);
  sv_triton_model *model = calloc(1, sizeof *model);
  config said = {0};
  sv_text scratch = {0};
  // Decoded strings stay where they are: the text is read twice, and neither reading adds more than it is long.
  if (!error && (!model || !sv_text_room(&scratch, 2 * text.size))) {
    error = no_memory();
  }
  if (!error) {
    error = sv_triton_error_of(read_config(text, &scratch, &said));
  }
  if (!error) {
    error = open_said(context, triton, &said, &scratch, model);
  }
  sv_text_free(&scratch);
  TRITONSERVER_MessageDelete(message);
  if (error) {
    sv_triton_model_free(model);
    model = NULL;
  }
  *out_model = model;
  return error;
}

static void free_ports(sv_triton_port *ports, uint32_t count) {
  for (uint32_t i = 0; ports && i < count; i++) {
    free(ports[i].name);
  }
  free(ports);
}

void sv_triton_model_free(sv_triton_model *model) {
  if (!model) {
    return;
  }
  free_ports(model->inputs, model->num_inputs);
  free_ports(model->outputs, model->num_outputs);
  millrace_model_release(model->program);
  free(model);
}
