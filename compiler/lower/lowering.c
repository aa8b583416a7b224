// The state of one lowering: scopes, what is remembered in them, dry runs, and index expressions as instructions.
#include "compiler/lower/element.h"
#include "compiler/lower/tuning.h"

#include <string.h>

void mr_lw_fail(mr_lower *lw, mr_status take_status) { lw->status = mr_status_join(lw->status, take_status); }

void *mr_lw_alloc(mr_lower *lw, size_t size) {
  void *memory = mr_arena_alloc(&lw->arena, size);
  if (!memory) {
    longjmp(lw->no_memory, 1);
  }
  return memory;
}

// Room for one more in an arena array.
static void *grow(mr_lower *lw, void *items, uint32_t count, uint32_t *capacity, size_t size) {
  if (count < *capacity) {
    return items;
  }
  uint32_t bigger = *capacity ? *capacity * 2 : 16;
  char *copy = mr_lw_alloc(lw, bigger * size);
  if (count) {
    memcpy(copy, items, count * size);
  }
  *capacity = bigger;
  return copy;
}

// ---- Scopes -----------------------------------------------------------------------------------------------------------

static void push_scope(mr_lower *lw, bool real, double trips) {
  if (lw->depth + 1 >= MR_LW_SCOPES) {
    mr_lw_fail(lw, mr_error(MR_UNIMPLEMENTED, "loops nest more than %d deep", MR_LW_SCOPES));
    return;
  }
  uint32_t serial = ++lw->next_scope;
  if (serial >= lw->cap_scope_open) {
    lw->scope_open = grow(lw, lw->scope_open, lw->cap_scope_open, &lw->cap_scope_open, 1);
  }
  lw->scope_open[serial] = 1;
  lw->depth++;
  lw->scopes[lw->depth] = serial;
  lw->memo_marks[lw->depth] = lw->num_memo;
  lw->kept_marks[lw->depth] = lw->num_kept;
  lw->trips_marks[lw->depth] = lw->trips;
  lw->scope_is_real[lw->depth] = real;
  lw->trips *= trips;
}

static bool pop_scope(mr_lower *lw) {
  if (lw->depth == 0) {
    mr_lw_fail(lw, mr_error(MR_INTERNAL, "lowering closes a scope that is not open"));
    return false;
  }
  lw->scope_open[lw->scopes[lw->depth]] = 0;
  lw->num_memo = lw->memo_marks[lw->depth];
  lw->num_kept = lw->kept_marks[lw->depth];
  lw->trips = lw->trips_marks[lw->depth];
  return lw->scope_is_real[lw->depth--];
}

const mr_ix *mr_lw_loop(mr_lower *lw, int64_t lo, int64_t hi) {
  if (hi <= lo) {
    return mr_ix_const(&lw->ix, lo);
  }
  return mr_ix_loop(&lw->ix, lw->next_bit++, lo, hi);
}

void mr_lw_for(mr_lower *lw, const mr_ix *loop, mr_lv from, mr_lv to, int64_t step, uint32_t flags, double trips) {
  bool real = loop->num_terms != 0;
  mr_lv lv = real ? mr_l_for(lw->p, from, to, step, flags) : 0;
  if (real) {
    lw->innermost = loop;
  }
  push_scope(lw, real, trips);
  if (real && !lw->record) {
    loop->terms[0].atom->lv = lv;
    loop->terms[0].atom->scope = lw->scopes[lw->depth];
  }
}

void mr_lw_count(mr_lower *lw, const mr_ix *loop, int64_t count, uint32_t flags) {
  mr_lw_for(lw, loop, mr_l_index(lw->p, 0), mr_l_index(lw->p, count), 1, flags, (double)count);
}

void mr_lw_if(mr_lower *lw, mr_lv condition) {
  mr_l_if(lw->p, condition);
  push_scope(lw, true, 1);
}

void mr_lw_else(mr_lower *lw) {
  pop_scope(lw);
  mr_l_else(lw->p);
  push_scope(lw, true, 1);
}

void mr_lw_end(mr_lower *lw) {
  if (pop_scope(lw)) {
    mr_l_end(lw->p);
  }
}

mr_dry mr_lw_dry_begin(mr_lower *lw, mr_record *record) {
  mr_dry saved = {lw->p,     lw->record,          lw->num_memo, lw->memo_floor, lw->trips,
                  lw->flops, lw->transcendentals, lw->loads,    lw->apart_ns,   lw->scattered};
  memset(record, 0, sizeof *record);
  if (!lw->record) {
    lw->memo_floor = lw->num_memo;
  }
  lw->p = lw->scratch;
  lw->record = record;
  return saved;
}

void mr_lw_dry_end(mr_lower *lw, mr_dry saved) {
  lw->p = saved.p;
  lw->record->work =
      (lw->flops - saved.flops + MR_LOWER_TRANSCENDENTAL_FLOPS * (lw->transcendentals - saved.transcendentals)) /
      saved.trips;
  lw->record = saved.record;
  lw->num_memo = saved.num_memo;
  lw->memo_floor = saved.memo_floor;
  lw->trips = saved.trips;
  lw->flops = saved.flops;
  lw->transcendentals = saved.transcendentals;
  lw->loads = saved.loads;
  lw->apart_ns = saved.apart_ns;
  lw->scattered = saved.scattered;
}

// ---- Records ------------------------------------------------------------------------------------------------------------

static void touch(mr_lower *lw, const mr_ix *ix);

static void record_access(mr_lower *lw, uint32_t operand, const mr_ix *at) {
  mr_record *r = lw->record;
  if (!r) {
    return;
  }
  for (uint32_t i = 0; i < r->num_accesses; i++) {
    if (r->accesses[i].operand == operand && r->accesses[i].at == at) {
      return;
    }
  }
  r->accesses = grow(lw, r->accesses, r->num_accesses, &r->cap_accesses, sizeof *r->accesses);
  r->accesses[r->num_accesses++] = (mr_access){operand, at};
  touch(lw, at);
}

void mr_lw_use(mr_lower *lw, const mr_ix *ix) { record_access(lw, MR_LW_NO_OPERAND, ix); }

// What an index reads from tensors is read through loads, which the record wants to see.
static void touch(mr_lower *lw, const mr_ix *ix) {
  for (uint32_t i = 0; i < ix->num_terms; i++) {
    const mr_ix_atom *atom = ix->terms[i].atom;
    if (atom->kind == MR_IX_DYN) {
      mr_lw_element(lw, atom->value, atom->at);
    }
    if (atom->kind == MR_IX_DIV || atom->kind == MR_IX_MOD) {
      touch(lw, atom->x);
    }
  }
}

void mr_lw_demand(mr_lower *lw, mr_demand demand) {
  mr_record *r = lw->record;
  if (!r) {
    return;
  }
  r->demands = grow(lw, r->demands, r->num_demands, &r->cap_demands, sizeof *r->demands);
  r->demands[r->num_demands++] = demand;
}

// ---- Indices ------------------------------------------------------------------------------------------------------------

static mr_lv emit_dyn(mr_lower *lw, const mr_ix_atom *atom) {
  mr_lv v = mr_lw_element(lw, atom->value, atom->at).re;
  if (!atom->clamped) {
    return mr_l_convert(lw->p, MR_S64, v);
  }
  if (atom->value->type.dtype == MR_U64) {  // beyond S64 it would turn negative
    v = mr_l_binary(lw->p, MR_OP_minimum, MR_U64, v, mr_l_int(lw->p, MR_U64, atom->hi));
  }
  v = mr_l_convert(lw->p, MR_S64, v);
  return mr_l_imax(lw->p, mr_l_imin(lw->p, v, mr_l_index(lw->p, atom->hi)), mr_l_index(lw->p, atom->lo));
}

static mr_lv emit_atom(mr_lower *lw, mr_ix_atom *atom) {
  if (atom->lv && lw->scope_open[atom->scope]) {
    return atom->lv;
  }
  mr_lv lv = 0;
  switch ((mr_ix_kind)atom->kind) {
  case MR_IX_LOOP:
    mr_lw_fail(lw, mr_error(MR_INTERNAL, "a loop variable is used outside of its loop"));
    return mr_l_index(lw->p, 0);
  case MR_IX_DIV: lv = mr_l_idiv(lw->p, mr_lw_ix(lw, atom->x), mr_l_index(lw->p, atom->d)); break;
  case MR_IX_MOD: lv = mr_l_irem(lw->p, mr_lw_ix(lw, atom->x), mr_l_index(lw->p, atom->d)); break;
  case MR_IX_DYN: lv = emit_dyn(lw, atom); break;
  }
  atom->lv = lv;
  atom->scope = lw->scopes[lw->depth];
  return lv;
}

mr_lv mr_lw_ix(mr_lower *lw, const mr_ix *ix) {
  if (lw->record) {
    touch(lw, ix);
    return mr_l_begin(lw->p);  // any index
  }
  mr_ix *cache = (mr_ix *)ix;  // the caches are the only fields that change
  if (ix->lv && lw->scope_open[ix->scope]) {
    return ix->lv;
  }
  mr_lv sum = mr_l_index(lw->p, 0);
  for (uint32_t i = 0; i < ix->num_terms; i++) {
    mr_lv v = emit_atom(lw, ix->terms[i].atom);
    sum = mr_l_iadd(lw->p, sum, mr_l_imul(lw->p, v, mr_l_index(lw->p, ix->terms[i].coef)));
  }
  cache->lv = mr_l_iadd(lw->p, sum, mr_l_index(lw->p, ix->constant));
  cache->scope = lw->scopes[lw->depth];
  return cache->lv;
}

const mr_ix *mr_lw_linear(mr_lower *lw, const mr_type *type, mr_index at) {
  if (at.flat) {
    return at.at[0];
  }
  const mr_ix *sum = mr_ix_const(&lw->ix, 0);
  int64_t stride = 1;
  for (uint32_t d = type->rank; d-- > 0;) {
    sum = mr_ix_add(&lw->ix, sum, mr_ix_scale(&lw->ix, at.at[d], stride));
    stride *= type->dims[d];
  }
  return sum;
}

mr_index mr_lw_vector(mr_lower *lw, const mr_type *type, mr_index at, const mr_ix **storage) {
  if (!at.flat) {
    return at;
  }
  const mr_ix *rest = at.at[0];
  for (uint32_t d = type->rank; d-- > 1;) {
    storage[d] = mr_ix_mod(&lw->ix, rest, type->dims[d]);
    rest = mr_ix_div(&lw->ix, rest, type->dims[d]);
  }
  storage[0] = rest;
  return mr_at(type->rank, storage);
}

mr_range_answer mr_lw_range(mr_lower *lw, const mr_ix *ix, int64_t lo, int64_t hi) {
  if (lo <= ix->lo && ix->hi < hi) {
    return MR_RANGE_ALWAYS;
  }
  if (ix->hi < lo || ix->lo >= hi) {
    return MR_RANGE_NEVER;
  }
  mr_record *r = lw->record;
  if (r) {
    r->guards = grow(lw, r->guards, r->num_guards, &r->cap_guards, sizeof *r->guards);
    r->guards[r->num_guards++] = (mr_guard){ix, lo, hi};
    mr_lw_use(lw, ix);
  }
  return MR_RANGE_ASK;
}

mr_lv mr_lw_in_range(mr_lower *lw, const mr_ix *ix, int64_t lo, int64_t hi) {
  mr_lv v = mr_lw_ix(lw, ix), condition = 0;
  if (ix->lo < lo) {
    condition = mr_l_compare(lw->p, 2, 3, MR_S64, v, mr_l_index(lw->p, lo));  // GE, SIGNED
  }
  if (ix->hi >= hi) {
    mr_lv below = mr_l_compare(lw->p, 5, 3, MR_S64, v, mr_l_index(lw->p, hi));  // LT
    condition = mr_lw_and(lw, condition, below);
  }
  return condition ? condition : mr_l_int(lw->p, MR_PRED, 1);
}

mr_lv mr_lw_and(mr_lower *lw, mr_lv a, mr_lv b) {
  if (!a || !b) {
    return a ? a : b;
  }
  return mr_l_binary(lw->p, MR_OP_and, MR_PRED, a, b);
}

// ---- What is remembered ----------------------------------------------------------------------------------------------

void mr_lw_remember(mr_lower *lw, const mr_value *value, mr_index at, mr_elem elem) {
  lw->memo = grow(lw, lw->memo, lw->num_memo, &lw->cap_memo, sizeof *lw->memo);
  const mr_ix **copy = mr_lw_alloc(lw, at.n * sizeof *copy + 1);
  if (at.n) {
    memcpy(copy, at.at, at.n * sizeof *copy);
  }
  lw->memo[lw->num_memo++] = (mr_memo){value, {at.flat, at.n, copy}, elem};
}

static mr_elem some_element(mr_lower *lw, mr_dtype dtype) {
  mr_lv zero = mr_l_bits(lw->p, mr_dtype_real(dtype), 0);
  return (mr_elem){zero, mr_dtype_is_complex(dtype) ? zero : 0};
}

static bool find_memo(mr_lower *lw, const mr_value *value, mr_index at, mr_elem *out_elem) {
  for (uint32_t i = lw->num_memo; i-- > 0;) {
    if (lw->memo[i].value != value || !mr_index_equal(lw->memo[i].at, at)) {
      continue;
    }
    // Computed in the real program: in a dry run only its existence counts.
    *out_elem = lw->record && i < lw->memo_floor ? some_element(lw, value->type.dtype) : lw->memo[i].elem;
    return true;
  }
  return false;
}

static bool find_kept(mr_lower *lw, const mr_value *value, mr_index at, mr_elem *out_elem) {
  for (uint32_t k = lw->num_kept; k-- > 0 && !at.flat;) {
    const mr_kept *kept = &lw->kept[k];
    if (kept->value != value || kept->at.n != at.n) {
      continue;
    }
    bool same = true;
    for (uint32_t i = 0; i < at.n; i++) {
      same = same && (i == kept->dim || kept->at.at[i] == at.at[i]);
    }
    if (!same) {
      continue;
    }
    const mr_ix *offset = kept->base;
    if (kept->dim != MR_LW_NO_DIM) {
      offset = mr_ix_sub(&lw->ix, at.at[kept->dim], kept->base);
    }
    if (lw->record) {
      *out_elem = some_element(lw, value->type.dtype);
      mr_lw_use(lw, offset);
      return true;
    }
    mr_lv i = mr_lw_ix(lw, offset);
    out_elem->re = mr_l_load(lw->p, kept->re, i);
    out_elem->im = mr_dtype_is_complex(value->type.dtype) ? mr_l_load(lw->p, kept->im, i) : 0;
    return true;
  }
  return false;
}

void mr_lw_keep(mr_lower *lw, mr_kept kept) {
  lw->kept = grow(lw, lw->kept, lw->num_kept, &lw->cap_kept, sizeof *lw->kept);
  const mr_ix **copy = mr_lw_alloc(lw, kept.at.n * sizeof *copy + 1);
  memcpy(copy, kept.at.at, kept.at.n * sizeof *copy);
  kept.at.at = copy;
  lw->kept[lw->num_kept++] = kept;
}

// ---- Memory ---------------------------------------------------------------------------------------------------------------

uint32_t mr_lw_operand(const mr_lower *lw, const mr_value *value) {
  if (lw->body) {
    return !value->def && value->block == lw->body ? value->index : MR_LW_NO_OPERAND;
  }
  for (uint32_t i = 0; i < lw->op->num_operands; i++) {
    if (lw->op->operands[i].value == value) {
      return i;
    }
  }
  return MR_LW_NO_OPERAND;
}

mr_lbuf mr_lw_result_buffer(const mr_lower *lw, uint32_t result) { return lw->op->num_operands + result; }

mr_lbuf mr_lw_scratch(mr_lower *lw, mr_dtype dtype, int64_t count) {
  lw->scratch_bytes = grow(lw, lw->scratch_bytes, lw->num_scratch, &lw->cap_scratch, sizeof *lw->scratch_bytes);
  lw->scratch_bytes[lw->num_scratch++] = (size_t)count * mr_dtype_bytes(dtype);
  return mr_l_buffer(lw->p, dtype, MR_L_READ | MR_L_WRITE);
}

int64_t mr_lw_local_bytes(const mr_lower *lw) {
  int64_t bytes = 0;
  for (uint32_t i = lw->p->num_params; i < lw->p->num_buffers; i++) {
    bytes += lw->p->buffers[i].count * (int64_t)mr_dtype_bytes((mr_dtype)lw->p->buffers[i].dtype);
  }
  return bytes;
}

// Whether neighbours in the innermost loop are anything but neighbours in memory, or one place.
static bool is_scattered(const mr_lower *lw, const mr_ix *linear) {
  if (!lw->innermost) {
    return false;
  }
  int64_t step = mr_ix_coef(linear, lw->innermost);
  return !mr_ix_is_linear_in(linear, lw->innermost) || step < -1 || step > 1;
}

// Neighbours one after the other of more than stays near the core: what comes next can be asked for ahead of time.
static uint32_t load_flags(const mr_lower *lw, mr_lbuf buffer, const mr_ix *linear) {
  if (!lw->innermost || buffer >= lw->op->num_operands || mr_ix_coef(linear, lw->innermost) != 1 ||
      is_scattered(lw, linear)) {
    return 0;
  }
  double near = mr_op_module(lw->op)->figures->caches[1].bytes;
  return (double)mr_type_bytes(&mr_op_operand(lw->op, buffer)->type) > MR_MAX(near, MR_LOWER_AHEAD_FEWEST) ? MR_L_AHEAD
                                                                                                           : 0;
}

mr_elem mr_lw_load(mr_lower *lw, mr_lbuf buffer, mr_dtype dtype, const mr_ix *linear) {
  // What always lies at one place is loaded before the loops.
  lw->loads += (mr_ix_is_const(linear) ? 1 : lw->trips) * (double)mr_dtype_bytes(dtype);
  if (is_scattered(lw, linear)) {
    lw->scattered += lw->trips;
  }
  if (lw->record) {
    record_access(lw, buffer, linear);
    return some_element(lw, dtype);
  }
  for (uint32_t i = 0; i < lw->num_staged; i++) {
    const mr_staged *staged = &lw->staged[i];
    if (staged->operand == buffer && staged->at == linear) {
      return (mr_elem){mr_l_load(lw->p, staged->buffer, mr_lw_ix(lw, staged->local)), 0};
    }
  }
  if (!mr_dtype_is_complex(dtype)) {
    return (mr_elem){mr_l_load_flags(lw->p, buffer, mr_lw_ix(lw, linear), load_flags(lw, buffer, linear)), 0};
  }
  const mr_ix *re = mr_ix_scale(&lw->ix, linear, 2), *im = mr_ix_plus(&lw->ix, re, 1);
  mr_lv re_at = mr_lw_ix(lw, re), im_at = mr_lw_ix(lw, im);
  return (mr_elem){mr_l_load(lw->p, buffer, re_at), mr_l_load(lw->p, buffer, im_at)};
}

void mr_lw_store(mr_lower *lw, mr_lbuf buffer, mr_dtype dtype, const mr_ix *linear, mr_elem elem) {
  if (lw->record) {
    record_access(lw, buffer, linear);
    return;
  }
  if (is_scattered(lw, linear)) {
    lw->scattered += lw->trips;
  }
  if (!mr_dtype_is_complex(dtype)) {
    mr_l_store_flags(lw->p, buffer, mr_lw_ix(lw, linear), elem.re, lw->store_flags);
    return;
  }
  const mr_ix *re = mr_ix_scale(&lw->ix, linear, 2), *im = mr_ix_plus(&lw->ix, re, 1);
  mr_l_store(lw->p, buffer, mr_lw_ix(lw, re), elem.re);
  mr_l_store(lw->p, buffer, mr_lw_ix(lw, im), elem.im);
}

// ---- Elements -----------------------------------------------------------------------------------------------------------

#define mr_lw_of_NONE NULL
static const mr_lw_rule elements[MR_OP_COUNT] = {
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           rewrite, complex, element, ...)                                                                          \
  [MR_OP_##name] = mr_lw_of_##element,
#include "ops/ops.def"
};
#undef mr_lw_of_NONE

bool mr_lw_has_element(mr_op_kind kind) { return elements[kind] != NULL; }

static mr_elem compute(mr_lower *lw, const mr_value *value, mr_index at) {
  const mr_op *op = value->def;
  if (lw->budget-- == 0) {
    lw->budget = 1;
    mr_lw_fail(lw, mr_error(MR_UNIMPLEMENTED, "a fused kernel of more than %d elements", MR_LW_BUDGET));
    return some_element(lw, value->type.dtype);
  }
  // A region may use a constant from outside: equal constants are merged across blocks.
  bool outside = op && !lw->body && op != lw->op && op->block == lw->op->block && op->kind != MR_OP_constant;
  if (!op || outside) {
    mr_lw_fail(lw,
               mr_error(MR_INTERNAL, "%s uses a value that is none of its operands", mr_op_table[lw->op->kind].name));
    return some_element(lw, value->type.dtype);
  }
  if (!elements[op->kind]) {
    mr_lw_fail(lw, mr_error(MR_UNIMPLEMENTED, "%s inside a kernel", mr_op_table[op->kind].spelling));
    return some_element(lw, value->type.dtype);
  }
  return elements[op->kind](lw, value, at);
}

bool mr_lw_find(mr_lower *lw, const mr_value *value, mr_index at, mr_elem *out_elem) {
  return find_memo(lw, value, at, out_elem) || find_kept(lw, value, at, out_elem);
}

mr_elem mr_lw_element(mr_lower *lw, const mr_value *value, mr_index at) {
  if (!mr_lw_ok(lw)) {
    return some_element(lw, value->type.dtype);
  }
  if (value->type.rank == 0) {
    at = mr_at(0, NULL);
  }
  if (value->type.rank == 1) {
    at.flat = false;
  }
  mr_elem elem;
  if (mr_lw_find(lw, value, at, &elem)) {
    return elem;
  }
  uint32_t operand = mr_lw_operand(lw, value);
  if (operand != MR_LW_NO_OPERAND) {
    elem = mr_lw_load(lw, operand, value->type.dtype, mr_lw_linear(lw, &value->type, at));
  } else {
    elem = compute(lw, value, at);
  }
  mr_lw_remember(lw, value, at, elem);
  return elem;
}

mr_elem mr_lw_scalar(mr_lower *lw, const mr_value *value) { return mr_lw_element(lw, value, mr_at(0, NULL)); }

void mr_lw_region(mr_lower *lw, const mr_block *region, const mr_elem *args, mr_elem *out) {
  uint32_t mark = lw->num_memo;
  for (uint32_t i = 0; i < region->num_args; i++) {
    mr_lw_remember(lw, region->args[i], mr_at(0, NULL), args[i]);
  }
  const mr_op *end = mr_block_terminator(region);
  for (uint32_t i = 0; end && i < end->num_operands; i++) {
    out[i] = mr_lw_scalar(lw, mr_op_operand(end, i));
  }
  lw->num_memo = mark;
}
