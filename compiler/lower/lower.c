#include "compiler/lower/lower.h"

#include <string.h>

#include "compiler/lower/nest.h"
#include "compiler/lower/roots.h"
#include "compiler/lower/tuning.h"

void mr_launch_deinit(mr_launch *launch) {
  mr_loop_release(launch->program);
  mr_free(launch->inplace);
  mr_free(launch->may_reuse);
  mr_free(launch->scratch_bytes);
  memset(launch, 0, sizeof *launch);
}

#define mr_root_NONE NULL
static bool (*const roots[MR_OP_COUNT])(mr_lower *lw, mr_root *root) = {
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           rewrite, complex, element, root, ...)                                                                    \
  [MR_OP_##name] = mr_root_##root,
#include "ops/ops.def"
};
#undef mr_root_NONE

// Computed as a root or not at all.
static bool is_root_kind(mr_op_kind kind) { return roots[kind] && !mr_lw_has_element(kind); }

bool mr_lower_supports(const mr_op *op) {
  if (op->kind != MR_OP_fusion) {
    return mr_lw_has_element(op->kind) || is_root_kind(op->kind);
  }
  for (const mr_op *inner = op->regions[0]->first; inner; inner = inner->next) {
    if (inner->kind != MR_OP_return && !mr_lower_supports(inner)) {
      return false;
    }
  }
  return true;
}

static mr_status check_types(const mr_op *op) {
  for (uint32_t i = 0; i < op->num_operands + op->num_results; i++) {
    const mr_type *type = i < op->num_operands ? &mr_op_operand(op, i)->type : &op->results[i - op->num_operands].type;
    bool plain = type->kind == MR_TYPE_TENSOR && mr_type_is_static(type) && !type->quant;
    if (plain) {
      continue;
    }
    char text[128];
    return mr_error(MR_UNIMPLEMENTED, "kernel for %s with a %s", mr_op_table[op->kind].spelling,
                    mr_type_text(type, text, sizeof text));
  }
  return MR_OK;
}

static void declare_buffers(mr_lower *lw) {
  for (uint32_t i = 0; i < lw->op->num_operands; i++) {
    mr_l_buffer(lw->p, mr_dtype_real(mr_op_operand(lw->op, i)->type.dtype), MR_L_READ);
  }
  for (uint32_t i = 0; i < lw->op->num_results; i++) {
    mr_l_buffer(lw->p, mr_dtype_real(lw->op->results[i].type.dtype), MR_L_READ | MR_L_WRITE);
  }
}

// The op whose results are exactly the kernel's results, when it is to be the kernel's root.
static const mr_op *single_root(const mr_lower *lw) {
  if (!lw->body) {
    return lw->op;
  }
  const mr_op *end = mr_block_terminator(lw->body);
  if (!end || end->num_operands == 0) {
    return NULL;
  }
  const mr_op *root = mr_op_operand(end, 0)->def;
  if (!root || root->block != lw->body || root->num_results != end->num_operands) {
    return NULL;
  }
  for (uint32_t i = 0; i < end->num_operands; i++) {
    if (mr_op_operand(end, i) != &root->results[i]) {
      return NULL;
    }
  }
  return root;
}

static bool lower_root(mr_lower *lw, const mr_op *op, mr_launch *launch) {
  mr_root root = {.op = op, .range = 1, .inplace = launch->inplace};
  if (!roots[op->kind]) {
    return false;
  }
  bool done = roots[op->kind](lw, &root);
  launch->range = root.range;
  return done;
}

// Whether output i may be written into its operand's memory: the update of a slice of one of the kernel's operands.
static uint32_t updated_operand(const mr_lower *lw, const mr_value *value) {
  const mr_op *op = value->def;
  if (!op || op->kind != MR_OP_dynamic_update_slice || mr_lw_operand(lw, value) != MR_LW_NO_OPERAND) {
    return UINT32_MAX;
  }
  uint32_t operand = mr_lw_operand(lw, mr_op_operand(op, 0));
  return operand < 64 ? operand : UINT32_MAX;
}

static void note_aliases(mr_lower *lw, mr_launch *launch) {
  for (uint32_t i = 0; i < lw->op->num_results; i++) {
    for (uint32_t k = 0; k < lw->op->num_operands && k < 64; k++) {
      if (!(launch->may_reuse[i] >> k & 1) && launch->inplace[i] != (int)k) {
        continue;
      }
      lw->p->buffers[k].flags |= MR_L_MAY_ALIAS;
      lw->p->buffers[mr_lw_result_buffer(lw, i)].flags |= MR_L_MAY_ALIAS;
    }
  }
}

static uint64_t same_size_operands(const mr_lower *lw, const mr_type *type) {
  uint64_t set = 0;
  for (uint32_t k = 0; k < lw->op->num_operands && k < 64; k++) {
    const mr_type *operand = &mr_op_operand(lw->op, k)->type;
    bool same = mr_dtype_bytes(operand->dtype) == mr_dtype_bytes(type->dtype) &&
                mr_dtype_is_complex(operand->dtype) == mr_dtype_is_complex(type->dtype) &&
                mr_type_count(operand) == mr_type_count(type);
    if (same) {
      set |= 1ull << k;
    }
  }
  return set;
}

// False: an operand that was to be updated in place is also read elsewhere.
static bool try_elements(mr_lower *lw, const mr_op *end, bool in_place, mr_launch *launch) {
  uint32_t n = lw->op->num_results;
  mr_output *outputs = mr_lw_alloc(lw, (n + 1) * sizeof *outputs);
  uint64_t taken = 0;
  for (uint32_t i = 0; i < n; i++) {
    const mr_value *value = end ? mr_op_operand(end, i) : &lw->op->results[i];
    outputs[i] = (mr_output){.value = value, .result = i};
    launch->may_reuse[i] = same_size_operands(lw, &value->type);
    launch->inplace[i] = -1;
    uint32_t operand = in_place ? updated_operand(lw, value) : UINT32_MAX;
    if (operand == UINT32_MAX || taken >> operand & 1) {
      continue;
    }
    outputs[i].value = mr_op_operand(value->def, 1);
    outputs[i].into = value->def;
    launch->inplace[i] = (int)operand;
    launch->may_reuse[i] = 1ull << operand;
    taken |= 1ull << operand;
  }
  mr_lower_nest(lw, outputs, n, &launch->range, launch->may_reuse);
  for (uint32_t i = 0; i < n; i++) {
    if (!outputs[i].into) {
      continue;
    }
    if (launch->may_reuse[i] == 0) {
      return false;
    }
    launch->may_reuse[i] = 0;
  }
  for (uint32_t i = 0; i < n; i++) {
    launch->may_reuse[i] &= ~taken;
  }
  return true;
}

static void start_again(mr_lower *lw) {
  mr_loop_reset(lw->p);
  lw->num_memo = lw->num_kept = lw->depth = 0;
  // What was emitted is gone.
  mr_ix_table_init(&lw->ix, &lw->arena, &lw->no_memory);
  lw->loads = lw->flops = lw->transcendentals = lw->scattered = lw->apart_ns = 0;
  lw->innermost = NULL;
  lw->trips = 1;
  lw->next_bit = 0;
  declare_buffers(lw);
}

static void lower_elements(mr_lower *lw, mr_launch *launch) {
  const mr_op *end = lw->body ? mr_block_terminator(lw->body) : NULL;
  if (lw->body && (!end || end->num_operands != lw->op->num_results)) {
    mr_lw_fail(lw, mr_error(MR_INTERNAL, "a fusion whose region does not return its results"));
    return;
  }
  if (!try_elements(lw, end, true, launch) && mr_lw_ok(lw)) {
    start_again(lw);
    if (mr_lw_ok(lw)) {
      try_elements(lw, end, false, launch);
    }
  }
  if (!lw->status) {
    note_aliases(lw, launch);
  }
}

static double operations(const mr_lower *lw) {
  return lw->flops * MR_LOWER_NS_PER_FLOP + lw->transcendentals * MR_LOWER_NS_PER_TRANSCENDENTAL +
         lw->scattered * MR_LOWER_NS_PER_SCATTERED + lw->apart_ns;
}

// What one core takes: bytes that come from where all of them have room, and what is done with them meanwhile.
static double price(const mr_lower *lw, const mr_figures *f, double reads, double writes) {
  double all = reads + writes;
  bool past = writes >= mr_figures_cache_share(f);
  double write_rate = past ? f->memory_stream_bytes_per_ns : mr_figures_write_rate(f, all);
  double slower = mr_figures_default.f32_flops_per_ns / f->f32_flops_per_ns;
  return reads / mr_figures_read_rate(f, all) + writes / write_rate +
         lw->loads * MR_LOWER_LOADS / f->caches[0].read_bytes_per_ns + operations(lw) * slower;
}

// The same wherever the program is compiled, and never asked how long something takes.
static double price_of_shapes(const mr_lower *lw, double bytes) {
  double per_byte = bytes <= MR_LOWER_CACHED_BYTES ? MR_LOWER_NS_PER_CACHED_BYTE : MR_LOWER_NS_PER_BYTE;
  return bytes * per_byte + lw->loads * MR_LOWER_NS_PER_LOADED_BYTE + lw->flops * MR_LOWER_SHAPE_NS_PER_FLOP +
         lw->transcendentals * MR_LOWER_SHAPE_NS_PER_TRANSCENDENTAL + lw->scattered * MR_LOWER_NS_PER_SCATTERED;
}

double mr_lower_share_ns(const mr_figures *figures) {
  double ns = MR_LOWER_SHARE_HANDOVERS * figures->handover_ns;
  return MR_MIN(MR_MAX(ns, MR_LOWER_LEAST_SHARE_NS), MR_LOWER_MOST_SHARE_NS);
}

static void estimate(const mr_lower *lw, mr_launch *launch) {
  double operands = 0, results = 0;
  for (uint32_t i = 0; i < lw->op->num_operands; i++) {
    operands += (double)mr_type_bytes(&mr_op_operand(lw->op, i)->type);
  }
  for (uint32_t i = 0; i < lw->op->num_results; i++) {
    results += (double)mr_type_bytes(&lw->op->results[i].type);
  }
  double bytes = MR_MIN(operands, lw->loads) + results;
  if (launch->inplace && lw->op->num_results && launch->inplace[0] >= 0) {
    bytes = 2 * lw->loads;
  }
  const mr_figures *figures = mr_op_module(lw->op)->figures;
  double ns = price(lw, figures, bytes - results, results);
  launch->bytes = (uint64_t)bytes;
  launch->flops = (uint64_t)MR_MIN(lw->flops, 1e18);
  launch->transcendentals = (uint64_t)MR_MIN(lw->transcendentals, 1e18);
  launch->cost_ns = (uint64_t)MR_MIN(ns, 1e18) + 1;
  launch->shape_ns = (uint64_t)MR_MIN(price_of_shapes(lw, bytes), 1e18) + 1;
  double grain = (double)launch->range * mr_lower_share_ns(figures) / (double)launch->cost_ns;
  launch->grain = grain >= (double)launch->range ? MR_MAX(launch->range, 1) : MR_MAX((int64_t)grain, 1);
}

static mr_status lower_into(mr_lower *lw, mr_launch *launch) {
  declare_buffers(lw);
  const mr_op *root = single_root(lw);
  bool done = root && mr_lw_ok(lw) && lower_root(lw, root, launch);
  if (!done && root && is_root_kind(root->kind)) {
    mr_lw_fail(lw, mr_error(MR_UNIMPLEMENTED, "kernel for this form of %s", mr_op_table[root->kind].spelling));
  }
  if (!done && mr_lw_ok(lw)) {
    lower_elements(lw, launch);
  }
  if (lw->p->failed || lw->scratch->failed) {
    return MR_NO_MEMORY();  // what else went wrong may come of that
  }
  if (lw->status) {
    return mr_status_retain(lw->status);
  }
  if (lw->ix.failed) {
    return mr_error(MR_UNIMPLEMENTED, "an index with more terms than there is room for");
  }
  MR_TRY(mr_loop_check(lw->p));
  estimate(lw, launch);
  if (lw->num_scratch) {
    launch->scratch_bytes = mr_alloc(lw->num_scratch * sizeof *launch->scratch_bytes);
    if (!launch->scratch_bytes) {
      return MR_NO_MEMORY();
    }
    memcpy(launch->scratch_bytes, lw->scratch_bytes, lw->num_scratch * sizeof *launch->scratch_bytes);
    launch->num_scratch = lw->num_scratch;
  }
  return MR_OK;
}

// What allocates while lowering has no way to fail but to come back here.
static mr_status lower_or_give_up(mr_lower *lw, mr_launch *launch) {
  return setjmp(lw->no_memory) ? MR_NO_MEMORY() : lower_into(lw, launch);
}

struct mr_lowering {
  mr_lower lw;
  mr_loop_program *program, *scratch;
};

mr_status mr_lowering_create(mr_lowering **out_lowering) {
  mr_lowering *l = *out_lowering = mr_alloc_zeroed(1, sizeof *l);
  if (!l) {
    return MR_NO_MEMORY();
  }
  mr_arena_init(&l->lw.arena, 0);
  mr_status status = mr_loop_create(&l->program);
  status = status ? status : mr_loop_create(&l->scratch);
  if (status) {
    mr_lowering_destroy(l);
    *out_lowering = NULL;
  }
  return status;
}

void mr_lowering_destroy(mr_lowering *l) {
  if (l) {
    mr_loop_release(l->program);
    mr_loop_release(l->scratch);
    mr_arena_deinit(&l->lw.arena);
    mr_free(l);
  }
}

static mr_status prepare(mr_lowering *l, const mr_op *op) {
  mr_lower *lw = &l->lw;
  mr_arena arena = lw->arena;
  mr_arena_reset(&arena);
  mr_loop_reset(l->program);
  mr_loop_reset(l->scratch);
  *lw = (mr_lower){.arena = arena,
                   .op = op,
                   .body = op->kind == MR_OP_fusion ? op->regions[0] : NULL,
                   .p = l->program,
                   .scratch = l->scratch,
                   .trips = 1,
                   .budget = MR_LW_BUDGET};
  mr_ix_table_init(&lw->ix, &lw->arena, &lw->no_memory);
  lw->cap_scope_open = 256;
  lw->scope_open = mr_arena_alloc(&lw->arena, lw->cap_scope_open);
  if (!lw->scope_open) {
    return MR_NO_MEMORY();
  }
  lw->scope_open[0] = 1;
  return MR_OK;
}

mr_status mr_lower_op(mr_lowering *l, const mr_op *op, mr_launch *out_launch) {
  memset(out_launch, 0, sizeof *out_launch);
  if (!mr_lower_supports(op)) {
    return mr_error(MR_UNIMPLEMENTED, "no kernel for %s",
                    op->kind == MR_OP_fusion ? "an op of this fusion" : mr_op_table[op->kind].spelling);
  }
  MR_TRY(check_types(op));
  MR_TRY(prepare(l, op));
  out_launch->inplace = mr_alloc_zeroed(op->num_results + 1, sizeof *out_launch->inplace);
  out_launch->may_reuse = mr_alloc_zeroed(op->num_results + 1, sizeof *out_launch->may_reuse);
  mr_status status = out_launch->inplace && out_launch->may_reuse ? MR_OK : MR_NO_MEMORY();
  if (!status) {
    for (uint32_t i = 0; i < op->num_results; i++) {
      out_launch->inplace[i] = -1;
    }
    status = lower_or_give_up(&l->lw, out_launch);
  }
  mr_status_free(l->lw.status);
  l->lw.status = MR_OK;
  status = status ? status : mr_loop_copy(l->program, &out_launch->program);
  if (status) {
    mr_launch_deinit(out_launch);
  }
  return status;
}
