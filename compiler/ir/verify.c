// The verifier: is this module a program? One walk over every function, linear in its size and without recursion.
//
// Scoping: while walking, visible[id] holds the value that may be used now. Results become visible after their op with
// all its regions; arguments when their block opens; all values of a block disappear when it closes.
#include "compiler/ir/infer_internal.h"

#include <assert.h>

typedef struct verifier {
  mr_module *module;
  mr_function *function;
  const mr_value **visible;  // by id
  unsigned depth;
  const mr_op *groups_checked;  // of mr_verify_op()
} verifier;

// ---- Types ---------------------------------------------------------------------------------------------------------

#define LARGEST_TENSOR ((size_t)1 << 46)  // bytes; more than any machine's memory, little enough to add up
#define DEEPEST_TUPLE 64

static mr_status check_type(const mr_type *type, unsigned depth) {
  char text[256];
  if (type->kind == MR_TYPE_TOKEN) {
    return MR_OK;
  }
  if (type->kind != MR_TYPE_TENSOR) {
    if (depth > DEEPEST_TUPLE) {
      return mr_error(MR_INVALID_ARGUMENT, "tuples nest deeper than %d", DEEPEST_TUPLE);
    }
    for (uint32_t i = 0; i < type->rank; i++) {
      MR_TRY(check_type(&type->elements[i], depth + 1));
    }
    return MR_OK;
  }
  if (type->rank > MR_MAX_RANK) {
    return mr_error(MR_INVALID_ARGUMENT, "a tensor of rank %u: at most %d dimensions are supported", type->rank,
                    MR_MAX_RANK);
  }
  if (type->dtype <= MR_INVALID || type->dtype >= MR_DTYPE_COUNT || type->dtype == MR_TOKEN) {
    return mr_error(MR_INVALID_ARGUMENT, "element type %d", (int)type->dtype);
  }
  for (uint32_t i = 0; i < type->rank; i++) {
    if (type->dims[i] < 0 && type->dims[i] != MR_DYNAMIC) {
      return mr_error(MR_INVALID_ARGUMENT, "dimension %u of %s is %lld", i, mr_type_text(type, text, sizeof text),
                      (long long)type->dims[i]);
    }
  }
  for (uint32_t i = 0; i < type->rank && type->bounds; i++) {
    if (type->dims[i] != MR_DYNAMIC && type->bounds[i] != MR_DYNAMIC) {
      return mr_error(MR_INVALID_ARGUMENT, "dimension %u of %s has a size and a bound", i,
                      mr_type_text(type, text, sizeof text));
    }
  }
  if (type->quant) {
    MR_TRY(mr_verify_quant(type));
  }
  if (!mr_type_is_static(type)) {
    return MR_OK;
  }
  size_t bytes;
  MR_TRY(mr_dims_bytes(type->dtype, type->dims, type->rank, &bytes));
  if (bytes > LARGEST_TENSOR) {
    return mr_error(MR_INVALID_ARGUMENT, "%s has %zu bytes, at most %zu are supported",
                    mr_type_text(type, text, sizeof text), bytes, LARGEST_TENSOR);
  }
  return MR_OK;
}

// ---- Values and scopes ---------------------------------------------------------------------------------------------

static void show(verifier *v, const mr_value *value) { v->visible[value->id] = value; }

static void hide(verifier *v, const mr_value *value) { v->visible[value->id] = NULL; }

static bool is_visible(const verifier *v, const mr_value *value) {
  return value->id < v->function->num_values && v->visible[value->id] == value;
}

static mr_status open_block(verifier *v, const mr_block *block) {
  if (block->function != v->function) {
    return mr_error(MR_INTERNAL, "a block of @%.*s belongs to another function", MR_STR_ARG(v->function->name));
  }
  for (uint32_t i = 0; i < block->num_args; i++) {
    MR_TRY(check_type(&block->args[i]->type, 0));
    show(v, block->args[i]);
  }
  return MR_OK;
}

static void close_block(verifier *v, const mr_block *block) {
  for (uint32_t i = 0; i < block->num_args; i++) {
    hide(v, block->args[i]);
  }
  for (const mr_op *op = block->first; op; op = op->next) {
    for (uint32_t i = 0; i < op->num_results; i++) {
      hide(v, &op->results[i]);
    }
  }
}

// ---- Ops -----------------------------------------------------------------------------------------------------------

static mr_status check_structure(const verifier *v, const mr_op *op) {
  // How many they are, where the op has any, its shape rule says.
  if (op->num_regions && mr_op_table[op->kind].regions == MR_REGIONS_NONE) {
    return mr_op_error(op, "has %u regions, wanted none", op->num_regions);
  }
  if ((op->kind == MR_OP_return) != (op->next == NULL)) {
    return mr_op_error(op, op->next ? "ends its block before the last op" : "is last, where a return must be");
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_value *value = op->operands[i].value;
    if (!value) {
      return mr_op_error(op, "operand %u is missing", i);
    }
    assert(op->operands[i].user == op && *op->operands[i].link == &op->operands[i]);
    if (!is_visible(v, value)) {
      return mr_op_error(op, "operand %u is not defined here", i);
    }
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_status status = check_type(&op->results[i].type, 0);
    if (status) {
      mr_str name = op->name.size ? op->name : mr_str_of(mr_op_table[op->kind].spelling);
      return mr_status_note(status, "result %u of %.*s", i, MR_STR_ARG(name));
    }
  }
  return MR_OK;
}

static mr_status check_return_of_function(const mr_function *f, const mr_op *op) {
  if (op->num_operands != f->num_results) {
    return mr_op_error(op, "returns %u values from @%.*s, wanted %u", op->num_operands, MR_STR_ARG(f->name),
                       f->num_results);
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_type *found = &op->operands[i].value->type;
    if (!mr_type_compatible(found, &f->result_types[i])) {
      char first[128], second[128];
      return mr_op_error(op, "value %u is %s, @%.*s returns %s", i, mr_type_text(found, first, sizeof first),
                         MR_STR_ARG(f->name), mr_type_text(&f->result_types[i], second, sizeof second));
    }
  }
  return MR_OK;
}

// All of an op's regions are behind: its own rule, then its results may be used.
static mr_status finish_op(verifier *v, const mr_op *op) {
  MR_TRY(mr_op_check(v->module, op));
  MR_TRY(mr_verify_op(op, &v->groups_checked));
  if (op->kind == MR_OP_return && !op->block->parent) {
    MR_TRY(check_return_of_function(v->function, op));
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    show(v, &op->results[i]);
  }
  return MR_OK;
}

static mr_status check_body(verifier *v) {
  const mr_block *block = &v->function->body;
  MR_TRY(open_block(v, block));
  const mr_op *op = block->first;
  if (!op) {
    return mr_error(MR_INVALID_ARGUMENT, "@%.*s has an empty body", MR_STR_ARG(v->function->name));
  }
  while (op) {
    MR_TRY(check_structure(v, op));
    if (op->num_regions) {
      if (++v->depth > MR_MAX_NESTING) {
        return mr_error(MR_UNIMPLEMENTED, "regions nest deeper than %d", MR_MAX_NESTING);
      }
      block = op->regions[0];
      MR_TRY(open_block(v, block));
    } else {
      MR_TRY(finish_op(v, op));
      block = op->block;
    }
    // `block` has just been opened, or an op of it has just been finished: find what comes next.
    const mr_op *next = op->num_regions ? block->first : op->next;
    while (!next && block->parent) {
      if (!block->first) {
        return mr_op_error(block->parent, "region %u is empty, where a return must be", block->region);
      }
      const mr_op *parent = block->parent;
      close_block(v, block);
      if (block->region + 1 < parent->num_regions) {
        block = parent->regions[block->region + 1];
        MR_TRY(open_block(v, block));
        next = block->first;
      } else {
        v->depth--;
        MR_TRY(finish_op(v, parent));
        block = parent->block;
        next = parent->next;
      }
    }
    op = next;
  }
  return MR_OK;
}

static mr_status check_function(mr_module *module, mr_function *f) {
  for (uint32_t i = 0; i < f->num_results; i++) {
    mr_status status = check_type(&f->result_types[i], 0);
    if (status) {
      return mr_status_note(status, "result %u of @%.*s", i, MR_STR_ARG(f->name));
    }
  }
  if (f->is_declaration) {
    return MR_OK;
  }
  mr_function_number(f);
  verifier v = {.module = module, .function = f};
  v.visible = mr_alloc_zeroed(f->num_values + 1, sizeof *v.visible);
  if (!v.visible) {
    return MR_NO_MEMORY();
  }
  mr_status status = check_body(&v);
  mr_free(v.visible);
  return mr_status_note(status, "in @%.*s", MR_STR_ARG(f->name));
}

// ---- Calls ---------------------------------------------------------------------------------------------------------

static mr_function *callee_of(const mr_module *module, const mr_op *op) {
  if (op->kind == MR_OP_call) {
    return mr_module_find(module, mr_op_string(op, MR_ATTR_callee));
  }
  if (op->kind == MR_OP_composite) {
    return mr_module_find(module, mr_op_string(op, MR_ATTR_decomposition));
  }
  return NULL;
}

typedef struct frame {
  mr_function *function;
  const mr_op *at;  // the next op to look at
} frame;

enum { NEW, OPEN, DONE };

// Depth first from one function; a call into an open one closes a circle.
static mr_status follow_calls(const mr_module *module, mr_function *start, frame *stack) {
  size_t depth = 0;
  stack[depth++] = (frame){start, mr_walk_first(&start->body)};
  start->mark = OPEN;
  while (depth) {
    frame *top = &stack[depth - 1];
    if (!top->at) {
      top->function->mark = DONE;
      depth--;
      continue;
    }
    const mr_op *op = top->at;
    top->at = mr_walk_next(op, &top->function->body);
    mr_function *callee = callee_of(module, op);
    if (callee && callee->mark == OPEN) {
      return mr_op_error(op, "@%.*s calls itself", MR_STR_ARG(callee->name));
    }
    if (callee && callee->mark == NEW) {
      callee->mark = OPEN;
      stack[depth++] = (frame){callee, mr_walk_first(&callee->body)};
    }
  }
  return MR_OK;
}

static mr_status check_calls(const mr_module *module, size_t num_functions) {
  frame *stack = mr_alloc_zeroed(num_functions + 1, sizeof *stack);
  if (!stack) {
    return MR_NO_MEMORY();
  }
  mr_status status = MR_OK;
  for (mr_function *f = module->functions; f; f = f->next) {
    f->mark = NEW;
  }
  for (mr_function *f = module->functions; f && !status; f = f->next) {
    if (f->mark == NEW) {
      status = follow_calls(module, f, stack);
    }
  }
  mr_free(stack);
  return status;
}

mr_status mr_module_verify(const mr_module *module) {
  size_t count = 0;
  for (mr_function *f = module->functions; f; f = f->next) {
    if (mr_module_find(module, f->name) != f) {
      return mr_error(MR_INVALID_ARGUMENT, "there are two functions @%.*s", MR_STR_ARG(f->name));
    }
    // The module is only annotated: numbers of values, and memory for inferred types.
    MR_TRY(check_function((mr_module *)module, f));
    count++;
  }
  return check_calls(module, count);
}
