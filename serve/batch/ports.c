// A version's inputs and outputs: the program's, under names that people would give them, as the configuration changes them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/batch/internal.h"

void sv_ports_free(sv_port *ports, uint32_t count) {
  for (uint32_t i = 0; ports && i < count; i++) {
    for (uint32_t l = 0; l < ports[i].num_labels; l++) {
      free(ports[i].labels[l]);
    }
    free(ports[i].labels);
    free(ports[i].name);
  }
  free(ports);
}

// ---- Names ----------------------------------------------------------------------------------------------------------

// One step of JAX's key paths: ['key'], [3] or .field. What is behind it, or NULL where the text has none.
static const char *path_step(const char *at, sv_str *out_key) {
  if (*at == '.') {
    size_t size = strcspn(at + 1, ".[");
    *out_key = (sv_str){at + 1, size};
    return size ? at + 1 + size : NULL;
  }
  const char *end = *at == '[' ? strchr(at, ']') : NULL;
  if (!end) {
    return NULL;
  }
  *out_key = (sv_str){at + 1, (size_t)(end - at) - 1};
  if (out_key->size >= 2 && (at[1] == '\'' || at[1] == '"') && end[-1] == at[1]) {
    *out_key = (sv_str){at + 2, out_key->size - 2};
  }
  return out_key->size ? end + 1 : NULL;
}

// "result['y']" is y, "result[0]" output0, "result" output0, "result['a']['b']" a.b, "batch['ids']" batch.ids; anything else is what it is.
static char *plain_name(const char *raw, bool is_output, size_t index) {
  size_t front = strcspn(raw, ".[");
  const bool is_frame = is_output && front == 6 && memcmp(raw, "result", 6) == 0;
  sv_text name = {0};
  if (!is_frame) {
    sv_text_add(&name, raw, front);
  }
  bool numbers_alone = is_frame;
  for (const char *at = raw + front; *at;) {
    sv_str key;
    at = path_step(at, &key);
    if (!at) {
      sv_text_free(&name);
      return sv_str_copy(sv_str_of(raw));
    }
    uint64_t number;
    numbers_alone = numbers_alone && sv_str_number(key, UINT32_MAX, &number);
    if (name.size) {
      sv_text_putc(&name, '.');
    }
    sv_text_add_str(&name, key);
  }
  if (numbers_alone) {
    sv_text_clear(&name);
    sv_text_addf(&name, "output%zu", index);
  }
  char *copy = name.failed ? NULL : sv_str_copy(sv_text_str(&name));
  sv_text_free(&name);
  return copy;
}

static sv_port *find(sv_port *ports, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++) {
    if (strcmp(ports[i].name, name) == 0) {
      return &ports[i];
    }
  }
  return NULL;
}

static bool has_twice(const sv_port *ports, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = i + 1; k < count; k++) {
      if (strcmp(ports[i].name, ports[k].name) == 0) {
        return true;
      }
    }
  }
  return false;
}

static millrace_port port_of(const sv_version *version, bool is_output, size_t index) {
  return is_output ? millrace_model_output(version->model, index) : millrace_model_input(version->model, index);
}

static sv_error *make(sv_version *version, bool is_output, sv_port **out_ports, uint32_t *out_count,
                      size_t **out_order) {
  size_t count = is_output ? millrace_model_output_count(version->model) : millrace_model_input_count(version->model);
  sv_port *ports = calloc(count + 1, sizeof *ports);
  size_t *order = calloc(count + 1, sizeof *order);
  *out_ports = ports;
  *out_order = order;
  *out_count = (uint32_t)count;
  if (!ports || !order) {
    return sv_no_memory();
  }
  for (size_t i = 0; i < count; i++) {
    millrace_port port = port_of(version, is_output, i);
    order[i] = i;
    ports[i].name = plain_name(port.name, is_output, i);
    if (!ports[i].name) {
      return sv_no_memory();
    }
    if (!sv_datatype_name(port.type.dtype)) {
      return sv_errorf(MILLRACE_UNIMPLEMENTED, "%s '%s' is of type %s, which the protocol has no name for",
                       is_output ? "output" : "input", port.name, millrace_dtype_name(port.type.dtype));
    }
    if (port.type.rank > SV_MAX_RANK) {
      return sv_errorf(MILLRACE_UNIMPLEMENTED, "%s '%s' has %zu dimensions, the most are %d",
                       is_output ? "output" : "input", port.name, port.type.rank, SV_MAX_RANK);
    }
    ports[i].dtype = port.type.dtype;
    ports[i].rank = (uint32_t)port.type.rank;
    if (port.type.rank) {
      memcpy(ports[i].dims, port.type.dims, port.type.rank * sizeof *port.type.dims);
    }
  }
  // Names that are the same without their frames get them back; a program that gives one name twice has no names.
  if (has_twice(ports, *out_count)) {
    for (size_t i = 0; i < count; i++) {
      free(ports[i].name);
      ports[i].name = sv_str_copy(sv_str_of(port_of(version, is_output, i).name));
    }
  }
  for (size_t i = 0; i < count && has_twice(ports, *out_count); i++) {
    char name[32];
    snprintf(name, sizeof name, "%s%zu", is_output ? "output" : "input", i);
    free(ports[i].name);
    ports[i].name = sv_str_copy(sv_str_of(name));
  }
  return NULL;
}

sv_error *sv_ports_make(sv_version *version) {
  sv_signature *s = &version->signature;
  SV_TRY(make(version, false, &version->inputs, &s->num_inputs, &version->input_order));
  SV_TRY(make(version, true, &version->outputs, &s->num_outputs, &version->output_order));
  s->inputs = version->inputs;
  s->outputs = version->outputs;
  return NULL;
}

// ---- The configuration ----------------------------------------------------------------------------------------------

static sv_error *apply_one(const sv_version *version, const sv_config_port *wanted, sv_port *port) {
  if (wanted->dtype != MILLRACE_INVALID && wanted->dtype != port->dtype) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the configuration says that '%s' is %s, the program that it is %s",
                     wanted->name, sv_datatype_name(wanted->dtype), sv_datatype_name(port->dtype));
  }
  if (!wanted->dims) {
    return NULL;
  }
  const uint32_t batch = version->config->max_batch_size ? 1 : 0;
  bool fits = wanted->rank + batch == port->rank;
  for (uint32_t d = 0; fits && d < wanted->rank; d++) {
    int64_t *dim = &port->dims[d + batch];
    fits = *dim < 0 || wanted->dims[d] < 0 || *dim == wanted->dims[d];
    *dim = *dim < 0 ? wanted->dims[d] : *dim;  // a size that the program leaves open may be settled
  }
  if (fits) {
    return NULL;
  }
  sv_text said = {0}, is = {0};
  sv_text_add_shape(&said, wanted->dims, wanted->rank);
  sv_text_add_shape(&is, port->dims, port->rank);
  sv_error *error = sv_errorf(
      MILLRACE_INVALID_ARGUMENT, "the configuration says that '%s' has dims %.*s%s, the program that it has %.*s",
      wanted->name, SV_FMT(sv_text_str(&said)), batch ? " behind the batch" : "", SV_FMT(sv_text_str(&is)));
  sv_text_free(&said);
  sv_text_free(&is);
  return error;
}

static sv_error *apply(const sv_version *version, const sv_config_port *wanted, uint32_t num_wanted, sv_port *ports,
                       uint32_t count) {
  uint32_t known = 0;
  for (uint32_t i = 0; i < num_wanted; i++) {
    known += find(ports, count, wanted[i].name) != NULL;
  }
  // None of the names is the program's: they are new ones, in order.
  const bool renames = !known && num_wanted == count;
  for (uint32_t i = 0; i < num_wanted; i++) {
    sv_port *port = renames ? &ports[i] : find(ports, count, wanted[i].name);
    if (!port) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the configuration has '%s', which the program has not",
                       wanted[i].name);
    }
    SV_TRY(apply_one(version, &wanted[i], port));
  }
  for (uint32_t i = 0; renames && i < count; i++) {
    char *name = sv_str_copy(sv_str_of(wanted[i].name));
    if (!name) {
      return sv_no_memory();
    }
    free(ports[i].name);
    ports[i].name = name;
  }
  return NULL;
}

sv_error *sv_ports_apply(sv_version *version) {
  const sv_config *c = version->config;
  SV_TRY(apply(version, c->inputs, c->num_inputs, version->inputs, version->signature.num_inputs));
  return apply(version, c->outputs, c->num_outputs, version->outputs, version->signature.num_outputs);
}

static sv_error *of_config(const sv_config *config, const sv_config_port *wanted, uint32_t count, sv_port **out_ports) {
  const uint32_t batch = config->max_batch_size ? 1 : 0;
  sv_port *ports = calloc(count + 1, sizeof *ports);
  *out_ports = ports;
  for (uint32_t i = 0; ports && i < count; i++) {
    if (wanted[i].dtype == MILLRACE_INVALID || !wanted[i].dims || wanted[i].rank + batch > SV_MAX_RANK) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "'%s' of the ensemble needs a data_type and dims, of %d at most",
                       wanted[i].name, SV_MAX_RANK);
    }
    ports[i] = (sv_port){
        .name = sv_str_copy(sv_str_of(wanted[i].name)), .dtype = wanted[i].dtype, .rank = wanted[i].rank + batch};
    ports[i].dims[0] = -1;
    memcpy(ports[i].dims + batch, wanted[i].dims, wanted[i].rank * sizeof *wanted[i].dims);
    if (!ports[i].name) {
      return sv_no_memory();
    }
  }
  return ports ? NULL : sv_no_memory();
}

sv_error *sv_ports_make_ensemble(sv_version *version) {
  const sv_config *c = version->config;
  sv_signature *s = &version->signature;
  s->num_inputs = c->num_inputs;
  s->num_outputs = c->num_outputs;
  sv_error *error = of_config(c, c->inputs, c->num_inputs, &version->inputs);
  error = error ? error : of_config(c, c->outputs, c->num_outputs, &version->outputs);
  s->inputs = version->inputs;
  s->outputs = version->outputs;
  return error;
}

// ---- Labels ---------------------------------------------------------------------------------------------------------

static sv_error *add_label(sv_port *port, sv_str line) {
  char **labels = realloc(port->labels, (port->num_labels + 1) * sizeof *labels);
  if (!labels) {
    return sv_no_memory();
  }
  port->labels = labels;
  labels[port->num_labels] = sv_str_copy(line);
  if (!labels[port->num_labels]) {
    return sv_no_memory();
  }
  port->num_labels++;
  return NULL;
}

static sv_error *label(sv_port *port, sv_str text) {
  while (text.size) {
    const char *newline = memchr(text.data, '\n', text.size);
    size_t size = newline ? (size_t)(newline - text.data) : text.size, used = size + (newline != NULL);
    size -= size && text.data[size - 1] == '\r';
    SV_TRY(add_label(port, (sv_str){text.data, size}));
    text = (sv_str){text.data + used, text.size - used};
  }
  return NULL;
}

sv_error *sv_ports_label(sv_version *version, const sv_str *labels) {
  const sv_config *c = version->config;
  for (uint32_t i = 0; labels && i < c->num_outputs; i++) {
    sv_port *port = find(version->outputs, version->signature.num_outputs, c->outputs[i].name);
    if (port) {
      SV_TRY(label(port, labels[i]));
    }
  }
  return NULL;
}
