// The sweep over a program, replacing, and builders for common small shapes.
#include "compiler/passes/rewrite.h"

#include <stdio.h>
#include <string.h>

mr_status mr_sweep(mr_module *module, mr_rewrite rewrite) {
  mr_function *entry = mr_module_entry(module);
  if (!entry) {
    return mr_error(MR_INVALID_ARGUMENT, "the program has no @main");
  }
  // A rewrite may give ops that are rewritten in turn; rules that undo each other must not run forever.
  uint64_t rewrites = 0, most = UINT64_C(1) << 26;
  mr_op *op = mr_walk_first(&entry->body);
  while (op) {
    mr_op *before = op->prev;
    mr_block *block = op->block;
    bool changed = false;
    MR_TRY(rewrite(op, &changed));
    // An op may lack an attribute that did not fit: nothing may look at it.
    MR_TRY(mr_module_memory(module));
    if (!changed) {
      op = mr_walk_next(op, &entry->body);
      continue;
    }
    if (++rewrites > most) {
      return mr_error(MR_INTERNAL, "rewriting does not come to an end");
    }
    op = before ? before->next : block->first;
    if (!op) {
      return mr_error(MR_INTERNAL, "a rewrite removed a terminator");
    }
  }
  return mr_module_memory(module);
}

bool mr_replace(mr_op *op, mr_value *value) {
  if (!value) {
    return false;
  }
  mr_value_replace_all_uses(&op->results[0], value);
  mr_op_erase(op);
  return true;
}

bool mr_replace_all(mr_op *op, mr_value *const *values) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (!values[i]) {
      return false;
    }
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_value_replace_all_uses(&op->results[i], values[i]);
  }
  mr_op_erase(op);
  return true;
}

mr_status mr_unimplemented(const mr_op *op, const char *format, ...) {
  char message[512], place[64] = "";
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  if (op->loc.line) {
    snprintf(place, sizeof place, " at %u:%u", op->loc.line, op->loc.column);
  }
  mr_str name = op->name.size ? op->name : mr_str_of(mr_op_table[op->kind].spelling);
  return mr_error(MR_UNIMPLEMENTED, "%.*s%s: %s", MR_STR_ARG(name), place, message);
}

static bool kind_has_effect(const mr_op *op) {
  switch (op->kind) {
  case MR_OP_return:
  case MR_OP_infeed:
  case MR_OP_outfeed:
  case MR_OP_send:
  case MR_OP_recv:
  case MR_OP_async_start:
  case MR_OP_async_done:
  case MR_OP_call:
  case MR_OP_check:
  case MR_OP_sdy_other:
  case MR_OP_all_gather:
  case MR_OP_all_reduce:
  case MR_OP_all_to_all:
  case MR_OP_collective_broadcast:
  case MR_OP_collective_permute:
  case MR_OP_collective_reduce:
  case MR_OP_cross_replica_sum:
  case MR_OP_reduce_scatter: return true;
  case MR_OP_custom_call: return mr_op_int(op, MR_ATTR_has_side_effect, 0) != 0;
  default: return false;
  }
}

bool mr_op_has_effect(const mr_op *op) {
  if (kind_has_effect(op)) {
    return true;
  }
  for (uint32_t r = 0; r < op->num_regions; r++) {
    const mr_block *root = op->regions[r];
    for (const mr_op *inner = mr_walk_first(root); inner; inner = mr_walk_next(inner, root)) {
      if (inner->kind != MR_OP_return && kind_has_effect(inner)) {
        return true;
      }
    }
  }
  return false;
}

static int64_t module_int(const mr_module *module, const char *name) {
  const mr_attr *attr = mr_dict_find(module->attrs, name);
  return attr && attr->kind == MR_ATTR_INT && attr->integer > 0 ? attr->integer : 1;
}

int64_t mr_module_devices(const mr_module *module) {
  return module_int(module, "mhlo.num_partitions") * module_int(module, "mhlo.num_replicas");
}

mr_value *mr_build_spread(mr_builder *b, mr_value *x, const mr_type *type) {
  if (!x || type->rank == 0) {
    return x;
  }
  return mr_build_broadcast(b, x, type, (mr_ints){0});
}

mr_value *mr_build_along(mr_builder *b, mr_value *x, const mr_type *type, int64_t dim) {
  return mr_build_broadcast(b, x, type, (mr_ints){&dim, 1});
}

mr_value *mr_build_slice_dim(mr_builder *b, mr_value *x, uint32_t dim, int64_t from, int64_t to) {
  if (!x) {
    return NULL;
  }
  int64_t start[MR_MAX_RANK] = {0}, strides[MR_MAX_RANK], limit[MR_MAX_RANK], dims[MR_MAX_RANK];
  for (uint32_t d = 0; d < x->type.rank; d++) {
    strides[d] = 1;
    dims[d] = limit[d] = x->type.dims[d];
  }
  start[dim] = from;
  limit[dim] = to;
  dims[dim] = to - from;
  mr_type type = {.kind = MR_TYPE_TENSOR, .dtype = x->type.dtype, .rank = x->type.rank, .dims = dims};
  mr_op *op = mr_build(b, MR_OP_slice, 1, &x, 1, &type, 0);
  if (!op) {
    return NULL;
  }
  mr_op_set_ints(b->module, op, MR_ATTR_start_indices, (mr_ints){start, type.rank});
  mr_op_set_ints(b->module, op, MR_ATTR_limit_indices, (mr_ints){limit, type.rank});
  mr_op_set_ints(b->module, op, MR_ATTR_strides, (mr_ints){strides, type.rank});
  return &op->results[0];
}

mr_value *mr_build_concatenate(mr_builder *b, uint32_t count, mr_value *const *values, int64_t dim) {
  int64_t dims[MR_MAX_RANK], size = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!values[i]) {
      return NULL;
    }
    size += values[i]->type.dims[dim];
  }
  mr_type type = values[0]->type;
  memcpy(dims, type.dims, type.rank * sizeof *dims);
  dims[dim] = size;
  type.dims = dims;
  mr_op *op = mr_build(b, MR_OP_concatenate, count, values, 1, &type, 0);
  if (!op) {
    return NULL;
  }
  mr_op_set_int(b->module, op, MR_ATTR_dimension, dim);
  return &op->results[0];
}

mr_value *mr_build_iota(mr_builder *b, const mr_type *type, int64_t dim) {
  mr_op *op = mr_build(b, MR_OP_iota, 0, NULL, 1, type, 0);
  if (!op) {
    return NULL;
  }
  mr_op_set_int(b->module, op, MR_ATTR_iota_dimension, dim);
  return &op->results[0];
}

mr_value *mr_build_bitcast(mr_builder *b, mr_value *x, const mr_type *type) {
  mr_op *op = x ? mr_build(b, MR_OP_bitcast_convert, 1, &x, 1, type, 0) : NULL;
  return op ? &op->results[0] : NULL;
}

void mr_build_return(mr_builder *b, uint32_t count, mr_value *const *values) {
  (void)mr_build(b, MR_OP_return, count, values, 0, NULL, 0);
}

mr_value *mr_build_reduce(mr_builder *b, mr_op_kind kind, mr_value *x, mr_value *init, mr_ints dims) {
  if (!x || !init) {
    return NULL;
  }
  int64_t kept[MR_MAX_RANK];
  mr_type type = {.kind = MR_TYPE_TENSOR, .dtype = x->type.dtype, .dims = kept};
  for (uint32_t d = 0; d < x->type.rank; d++) {
    bool reduced = false;
    for (size_t i = 0; i < dims.size; i++) {
      reduced |= dims.data[i] == d;
    }
    if (!reduced) {
      kept[type.rank++] = x->type.dims[d];
    }
  }
  mr_op *op = mr_build(b, MR_OP_reduce, 2, (mr_value *[]){x, init}, 1, &type, 1);
  if (!op) {
    return NULL;
  }
  mr_op_set_ints(b->module, op, MR_ATTR_dimensions, dims);
  mr_type scalar = mr_type_scalar(type.dtype);
  mr_builder inner = mr_builder_at_end(op->regions[0]);
  mr_value *accumulated = mr_block_add_arg(b->module, op->regions[0], &scalar);
  mr_value *element = mr_block_add_arg(b->module, op->regions[0], &scalar);
  mr_value *folded = mr_build_binary(&inner, kind, accumulated, element);
  mr_build_return(&inner, 1, &folded);
  return b->module->out_of_memory ? NULL : &op->results[0];
}
