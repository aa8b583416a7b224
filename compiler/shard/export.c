// Export: the boundary even, everything closed.
#include "compiler/shard/export.h"

static int64_t gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// Axes as long as they cut the dimension into equal parts; of one that does so in part, that part. An open dimension of @main, where
// hosts know whole axes alone, ends before the first part of one.
static bool even_axes(mr_module *module, const mr_mesh *mesh, const mr_dim_sharding *dim, int64_t size, bool whole,
                      mr_axis_list *out) {
  mr_axis_ref refs[64];
  uint32_t count = 0;
  bool changed = false;
  for (uint32_t i = 0; i < dim->axes.count; i++) {
    mr_axis_ref ref = dim->axes.refs[i];
    int64_t part = gcd(ref.size, size);
    bool partial = part < ref.size;
    ref.size = part;
    changed = changed || partial;
    if (count == MR_ARRAY_SIZE(refs) || part == 1 || (whole && dim->open && !mr_axis_ref_whole(mesh, ref))) {
      changed = true;
      break;
    }
    refs[count++] = ref;
    size /= part;
    if (partial) {
      break;
    }
  }
  *out = dim->axes;
  return !(changed || count < dim->axes.count) || mr_axis_list_make(module, count, refs, out);
}

static const mr_sharding *even(mr_module *module, const mr_sharding *sharding, const mr_type *type, bool whole) {
  if (!sharding || sharding->rank != type->rank || type->kind != MR_TYPE_TENSOR) {
    return sharding;
  }
  mr_sharding *result = NULL;
  for (uint32_t i = 0; i < sharding->rank; i++) {
    mr_axis_list axes, had = sharding->dims[i].axes;
    if (!even_axes(module, sharding->mesh, &sharding->dims[i], type->dims[i], whole, &axes)) {
      return NULL;
    }
    if (axes.count == had.count && axes.refs == had.refs) {
      continue;
    }
    result = result ? result : mr_sharding_copy(module, sharding);
    if (!result) {
      return NULL;
    }
    result->dims[i].axes = axes;
  }
  return result ? result : sharding;
}

static const mr_sharding *closed(mr_module *module, const mr_sharding *sharding) {
  bool is = !sharding || (mr_sharding_fully_closed(sharding) && sharding->replicated.count == 0);
  for (uint32_t i = 0; sharding && is && i < sharding->rank; i++) {
    is = sharding->dims[i].priority == 0;
  }
  mr_sharding *result = is ? NULL : mr_sharding_copy(module, sharding);
  for (uint32_t i = 0; result && i < result->rank; i++) {
    result->dims[i].open = false;
    result->dims[i].priority = 0;
  }
  if (result) {
    result->replicated = (mr_axis_list){0};
  }
  return is ? sharding : result;
}

static void close_value(mr_import *import, mr_value *value) {
  value->sharding = closed(import->module, value->sharding);
}

static void close_args(mr_import *import, const mr_block *block) {
  for (uint32_t i = 0; i < block->num_args; i++) {
    close_value(import, block->args[i]);
  }
}

// What enters and leaves a manual computation is even, whatever propagates through it.
static void export_manual(mr_import *import, mr_manual *manual) {
  mr_module *module = import->module;
  mr_op *op = manual->op;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    manual->in[i] = closed(module, even(module, manual->in[i], &op->operands[i].value->type, false));
    op->regions[0]->args[i]->sharding = mr_manual_inner(import, manual, manual->in[i]);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    const mr_sharding *found = op->results[i].sharding;
    manual->out[i] = closed(module, even(module, found ? found : manual->out[i], &op->results[i].type, false));
    op->results[i].sharding = manual->out[i];
  }
}

mr_status mr_export_run(mr_import *import) {
  mr_function *f = import->function;
  mr_module *module = import->module;
  for (uint32_t i = 0; i < f->body.num_args; i++) {
    mr_value *arg = f->body.args[i];
    const mr_sharding *sharding = arg->sharding;
    if (sharding) {
      arg->sharding = even(module, sharding, &arg->type, true);
    }
  }
  for (uint32_t i = 0; i < f->num_results; i++) {
    import->results[i] = closed(module, even(module, import->results[i], &f->result_types[i], true));
  }
  close_args(import, &f->body);
  for (mr_op *op = mr_walk_first(&f->body); op; op = mr_walk_next(op, &f->body)) {
    for (uint32_t i = 0; i < op->num_results; i++) {
      close_value(import, &op->results[i]);
    }
    for (uint32_t r = 0; r < op->num_regions; r++) {
      close_args(import, op->regions[r]);
    }
  }
  for (uint32_t i = 0; i < import->num_manuals; i++) {
    export_manual(import, &import->manuals[i]);
  }
  return mr_module_memory(module);
}
