// What a program says of itself: names, types and sizes of what goes in and comes out, those that it leaves open among them.
#include "compiler/compiler.h"
#include "compiler/passes/passes.h"
#include "compiler/reader/reader.h"

static const mr_attr *find(const mr_attr *dict, const char *name) { return dict ? mr_dict_find(dict, name) : NULL; }

static mr_status copy_text(mr_arena *arena, mr_str text, mr_str *out) {
  *out = mr_arena_str(arena, text);
  return out->data ? MR_OK : MR_NO_MEMORY();
}

// `called`: by its location.
static mr_status fill_port(mr_arena *arena, const mr_type *type, const mr_attr *attrs, mr_str called,
                           mr_signature_port *port) {
  const mr_attr *said = find(attrs, "jax.result_info");
  said = said ? said : find(attrs, "jax.arg_info");
  port->alias = -1;
  port->is_token = type->kind == MR_TYPE_TOKEN;
  MR_TRY(copy_text(arena, said && said->kind == MR_ATTR_STRING ? said->string : called, &port->name));
  if (type->kind != MR_TYPE_TENSOR) {
    return MR_OK;
  }
  port->dtype = type->dtype;
  port->rank = type->rank;
  int64_t *dims = mr_arena_array(arena, int64_t, type->rank + 1);
  if (!dims) {
    return MR_NO_MEMORY();
  }
  for (uint32_t d = 0; d < type->rank; d++) {
    dims[d] = MR_MAX(type->dims[d], -1);
  }
  port->dims = dims;
  return MR_OK;
}

static bool is_open(const mr_signature_port *port) {
  bool open = false;
  for (size_t d = 0; d < port->rank; d++) {
    open = open || port->dims[d] < 0;
  }
  return open;
}

static mr_status fill_param(mr_signature *s, const mr_function *entry, uint32_t i) {
  mr_signature_port *port = &s->params[i];
  const mr_attr *attrs = entry->arg_attrs ? entry->arg_attrs[i] : NULL;
  mr_str called = entry->arg_names ? entry->arg_names[i] : MR_STR("");
  MR_TRY(fill_port(&s->arena, &entry->body.args[i]->type, attrs, called, port));
  const mr_attr *alias = find(attrs, "tf.aliasing_output"), *donor = find(attrs, "jax.buffer_donor");
  port->donated = alias || (donor && !(donor->kind == MR_ATTR_INT && donor->integer == 0));
  if (alias && alias->kind == MR_ATTR_INT && alias->integer >= 0 && alias->integer < s->num_results) {
    port->alias = (int32_t)alias->integer;
    s->results[port->alias].alias = (int32_t)i;
  }
  s->is_open = s->is_open || is_open(port);
  return MR_OK;
}

static mr_status fill_ports(mr_signature *s, const mr_function *entry) {
  s->num_params = entry->body.num_args;
  s->num_results = entry->num_results;
  s->params = mr_arena_array(&s->arena, mr_signature_port, s->num_params + 1);
  s->results = mr_arena_array(&s->arena, mr_signature_port, s->num_results + 1);
  if (!s->params || !s->results) {
    return MR_NO_MEMORY();
  }
  memset(s->params, 0, s->num_params * sizeof *s->params);
  memset(s->results, 0, s->num_results * sizeof *s->results);
  for (uint32_t k = 0; k < s->num_results; k++) {
    const mr_attr *attrs = entry->result_attrs ? entry->result_attrs[k] : NULL;
    MR_TRY(fill_port(&s->arena, &entry->result_types[k], attrs, MR_STR(""), &s->results[k]));
  }
  for (uint32_t i = 0; i < s->num_params; i++) {
    MR_TRY(fill_param(s, entry, i));
  }
  return MR_OK;
}

// ---- Symbols --------------------------------------------------------------------------------------------------------------

static bool name_dim(mr_signature *s, mr_signature_port *port, size_t dim, mr_str symbol) {
  if (!port->symbols) {
    mr_str *symbols = mr_arena_array(&s->arena, mr_str, port->rank + 1);
    if (symbols) {
      memset(symbols, 0, port->rank * sizeof *symbols);
    }
    port->symbols = symbols;
  }
  mr_str *place = port->symbols ? (mr_str *)(uintptr_t)&port->symbols[dim] : NULL;
  if (place && !place->size) {
    *place = mr_arena_str(&s->arena, symbol);
  }
  return place && place->data;
}

typedef struct symbol_visit {
  mr_signature *signature;
  bool out_of_memory;
} symbol_visit;

static void take_symbol(void *context, uint32_t arg, uint32_t dim, mr_str symbol) {
  symbol_visit *v = context;
  mr_signature_port *port = &v->signature->params[arg];
  if (dim < port->rank && port->dims[dim] < 0) {
    v->out_of_memory |= !name_dim(v->signature, port, dim, symbol);
  }
}

static mr_str symbol_at(const mr_signature *s, uint32_t arg, uint32_t dim) {
  const mr_signature_port *port = &s->params[arg];
  return port->symbols && dim < port->rank ? port->symbols[dim] : MR_STR("");
}

// Two sizes that are to be equal: what one is called the other is.
static void take_equal(void *context, const uint32_t *args, const uint32_t *dims) {
  symbol_visit *v = context;
  for (uint32_t k = 0; k < 2; k++) {
    mr_str symbol = symbol_at(v->signature, args[1 - k], dims[1 - k]);
    if (symbol.size && !symbol_at(v->signature, args[k], dims[k]).size) {
      take_symbol(v, args[k], dims[k], symbol);
    }
  }
}

// ---- Results' sizes -------------------------------------------------------------------------------------------------------
// Which size a result's dimension is is not written anywhere. So the program is looked at with sizes that nobody has, twice: a dimension that
// comes out as what a symbol was, both times, is that symbol.

enum { MOST_SYMBOLS = 16 };
static const int64_t first_sizes[MOST_SYMBOLS] = {31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101};
static const int64_t second_sizes[MOST_SYMBOLS] = {29,  23,  19,  17,  13,  11,  103, 107,
                                                   109, 113, 127, 131, 137, 139, 149, 151};

typedef struct symbols {
  mr_str names[MOST_SYMBOLS];
  uint32_t count;
} symbols;

static uint32_t number_of(symbols *list, mr_str name) {
  for (uint32_t i = 0; i < list->count; i++) {
    if (mr_str_equal(list->names[i], name)) {
      return i;
    }
  }
  if (list->count < MOST_SYMBOLS) {
    list->names[list->count++] = name;
    return list->count - 1;
  }
  return MOST_SYMBOLS;
}

// False: a parameter has an open size that is no symbol, or there are too many.
static bool list_symbols(const mr_signature *s, symbols *out) {
  for (uint32_t i = 0; i < s->num_params; i++) {
    const mr_signature_port *port = &s->params[i];
    for (size_t d = 0; d < port->rank; d++) {
      bool named = port->symbols && port->symbols[d].size;
      if (port->dims[d] < 0 && (!named || number_of(out, port->symbols[d]) == MOST_SYMBOLS)) {
        return false;
      }
    }
  }
  return true;
}

static mr_status size_entry(mr_module *module, const mr_signature *s, symbols *list, const int64_t *sizes) {
  mr_function *entry = mr_module_entry(module);
  for (uint32_t i = 0; i < s->num_params; i++) {
    const mr_signature_port *port = &s->params[i];
    mr_type *type = &entry->body.args[i]->type;
    if (type->kind != MR_TYPE_TENSOR || !is_open(port)) {
      continue;
    }
    int64_t dims[MR_MAX_RANK];
    for (size_t d = 0; d < port->rank; d++) {
      dims[d] = port->dims[d] < 0 ? sizes[number_of(list, port->symbols[d])] : port->dims[d];
    }
    const mr_quant *quant = type->quant;
    *type = mr_type_tensor(module, type->dtype, type->rank, dims);
    type->quant = quant;
  }
  MR_TRY(mr_module_memory(module));
  MR_TRY(mr_pass_inline(module));
  return mr_pass_sizes(module);
}

// `out_dims`: of all results one after the other.
static mr_status sizes_of_results(mr_span program, mr_program_format format, const mr_signature *s, symbols *list,
                                  const int64_t *sizes, int64_t *out_dims) {
  mr_module *module = NULL;
  MR_TRY(mr_read_as(program, format, &module));
  mr_status status = mr_module_verify(module);
  status = mr_module_end(module, status ? status : size_entry(module, s, list, sizes));
  const mr_function *entry = mr_module_entry(module);
  for (uint32_t k = 0; !status && k < s->num_results; k++) {
    const mr_type *type = &entry->result_types[k];
    for (size_t d = 0; d < s->results[k].rank; d++) {
      *out_dims++ = type->dims[d];
    }
  }
  mr_module_release(module);
  return status;
}

static mr_status name_results(mr_signature *s, const symbols *list, const int64_t *first, const int64_t *second) {
  for (uint32_t k = 0; k < s->num_results; k++) {
    mr_signature_port *port = &s->results[k];
    for (size_t d = 0; d < port->rank; d++, first++, second++) {
      for (uint32_t i = 0; port->dims[d] < 0 && i < list->count; i++) {
        if (*first == first_sizes[i] && *second == second_sizes[i] && !name_dim(s, port, d, list->names[i])) {
          return MR_NO_MEMORY();
        }
      }
    }
  }
  return MR_OK;
}

// A program that refuses such sizes keeps them to itself.
static mr_status find_result_symbols(mr_span program, mr_program_format format, mr_signature *s) {
  symbols list = {0};
  size_t count = 0;
  for (uint32_t k = 0; k < s->num_results; k++) {
    count += s->results[k].rank;
  }
  if (!list_symbols(s, &list)) {
    return MR_OK;
  }
  int64_t *dims = mr_arena_array(&s->arena, int64_t, 2 * count + 1);
  if (!dims) {
    return MR_NO_MEMORY();
  }
  mr_status status = sizes_of_results(program, format, s, &list, first_sizes, dims);
  status = status ? status : sizes_of_results(program, format, s, &list, second_sizes, dims + count);
  if (mr_status_code(status) == MR_RESOURCE_EXHAUSTED) {
    return status;
  }
  if (status) {
    mr_status_free(status);
    return MR_OK;
  }
  return name_results(s, &list, dims, dims + count);
}

// ---- The whole ------------------------------------------------------------------------------------------------------------

static mr_status take_module(mr_signature *s, mr_module *module) {
  MR_TRY(mr_module_verify(module));
  const mr_function *entry = mr_module_entry(module);
  if (!entry || entry->is_declaration) {
    return mr_error(MR_INVALID_ARGUMENT, "program has no entry function with a body; wanted a public function @main");
  }
  MR_TRY(mr_module_name_args(module));
  MR_TRY(copy_text(&s->arena, module->name.size ? module->name : entry->name, &s->name));
  s->num_replicas = (uint32_t)mr_module_replicas(module);
  s->num_partitions = (uint32_t)mr_module_partitions(module);
  MR_TRY(fill_ports(s, entry));
  symbol_visit visit = {.signature = s};
  mr_module_each_symbol(module, take_symbol, &visit);
  mr_module_each_equal_size(module, take_equal, &visit);
  return visit.out_of_memory ? MR_NO_MEMORY() : MR_OK;
}

static mr_status read_signature(mr_span program, mr_program_format format, mr_signature *s) {
  mr_module *module = NULL;
  MR_TRY(mr_read_as(program, format, &module));
  mr_status status = mr_module_end(module, take_module(s, module));
  mr_module_release(module);
  MR_TRY(status);
  return s->is_open ? find_result_symbols(program, format, s) : MR_OK;
}

mr_status mr_signature_read(mr_span program, mr_program_format format, mr_signature **out_signature) {
  *out_signature = NULL;
  mr_signature *s = mr_alloc_zeroed(1, sizeof *s);
  if (!s) {
    return MR_NO_MEMORY();
  }
  mr_arena_init(&s->arena, 0);
  mr_status status = read_signature(program, format, s);
  if (status) {
    mr_signature_free(s);
    return status;
  }
  *out_signature = s;
  return MR_OK;
}

void mr_signature_free(mr_signature *signature) {
  if (signature) {
    mr_arena_deinit(&signature->arena);
    mr_free(signature);
  }
}
