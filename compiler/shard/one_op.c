// Propagation through one op.
#include "compiler/shard/one_op.h"

#include <string.h>

// What a tensor has along a factor.
typedef struct part {
  mr_axis_list axes;
  mr_axis_list overflow;  // axes behind those that the factor's size does not hold
  bool there;             // the tensor runs over the factor
  bool closed, minor;     // minor: the last factor of its dim
} part;

typedef struct work {
  const mr_one_op *one;
  uint32_t num_tensors, num_factors;
  part *parts;           // tensors x factors
  int64_t *sizes;        // of tensors: product of their factors
  mr_axis_list *wanted;  // along each factor
  bool failed;
} work;

static part *part_of(const work *w, uint32_t tensor, uint32_t factor) {
  return &w->parts[(size_t)tensor * w->num_factors + factor];
}

static const mr_tensor_factors *factors_of(const work *w, uint32_t tensor) {
  const mr_rule *rule = w->one->rule;
  return tensor < rule->num_operands ? &rule->operands[tensor] : &rule->results[tensor - rule->num_operands];
}

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static mr_axis_ref *make_refs(work *w, size_t count) {
  mr_axis_ref *refs = mr_arena_array(w->one->scratch, mr_axis_ref, count);
  w->failed |= refs == NULL;
  return refs;
}

// ---- Lists of axes ------------------------------------------------------------------------------------------------------

// The same place of one axis, but shorter.
static bool is_shorter(mr_axis_ref a, mr_axis_ref b) { return a.axis == b.axis && a.pre == b.pre && a.size < b.size; }

// `prefix` is how `list` begins; its last axis may be the major part of the list's.
static bool begins(mr_axis_list list, mr_axis_list prefix) {
  if (prefix.count > list.count) {
    return false;
  }
  for (uint32_t i = 0; i < prefix.count; i++) {
    bool last = i + 1 == prefix.count;
    if (!mr_axis_ref_equal(prefix.refs[i], list.refs[i]) && !(last && is_shorter(prefix.refs[i], list.refs[i]))) {
      return false;
    }
  }
  return true;
}

static bool extends(mr_axis_list list, mr_axis_list prefix) {
  return begins(list, prefix) && !mr_axis_list_equal(list, prefix);
}

// Cuts from `ref` what is in the list, and all behind. False: nothing is left.
static bool cut_overlap(mr_axis_list list, mr_axis_ref *ref) {
  for (uint32_t i = 0; i < list.count; i++) {
    mr_axis_ref other = list.refs[i];
    if (!mr_axis_ref_overlaps(*ref, other)) {
      continue;
    }
    if (ref->pre >= other.pre || other.pre % ref->pre != 0) {
      return false;
    }
    ref->size = other.pre / ref->pre;
  }
  return true;
}

// ---- From dimensions to factors -----------------------------------------------------------------------------------------

// Along a factor that is not the last of its dim: whole axes while they divide what is left of its size, parts of them.
static uint32_t take_dividing(int64_t size, mr_axis_list *from, mr_axis_ref *first, mr_axis_ref *out, int64_t *left) {
  uint32_t count = 0;
  *left = size;
  while (from->count) {
    int64_t common = common_divisor(*left, first->size);
    if (common == 1) {
      break;
    }
    out[count++] = (mr_axis_ref){first->axis, first->pre, common};
    *left /= common;
    first->pre *= common;
    first->size /= common;
    if (first->size == 1) {
      from->refs++;
      *first = --from->count ? from->refs[0] : (mr_axis_ref){0};
    }
  }
  return count;
}

// All that is left, the first of which may have been cut.
static uint32_t take_rest(mr_axis_list *from, mr_axis_ref first, mr_axis_ref *out) {
  uint32_t count = from->count;
  if (count) {
    memcpy(out, from->refs, sizeof *out * count);
    out[0] = first;
  }
  from->count = 0;
  return count;
}

static void project_dim(work *w, uint32_t tensor, uint32_t d, const mr_dim_sharding *dim) {
  const mr_dim_factors *factors = &factors_of(w, tensor)->dims[d];
  mr_axis_list from = dim ? dim->axes : (mr_axis_list){0};
  mr_axis_ref first = from.count ? from.refs[0] : (mr_axis_ref){0};
  mr_axis_ref *out = from.count ? make_refs(w, from.count + factors->count) : NULL;
  bool closed = dim && !dim->open;
  for (uint32_t k = 0; k < factors->count && !w->failed; k++) {
    uint32_t f = factors->factors[k];
    part *p = part_of(w, tensor, f);
    *p = (part){.there = true, .closed = closed, .minor = k + 1 == factors->count};
    int64_t left = 1;
    uint32_t count = p->minor ? take_rest(&from, first, out)
                              : take_dividing(w->one->rule->factors[f].size, &from, &first, out, &left);
    p->axes = (mr_axis_list){count, out};
    out = out ? out + count : NULL;
    if (left > 1 && from.count) {
      count = take_rest(&from, first, out);
      p->overflow = (mr_axis_list){count, out};
      out += count;
      closed = true;  // nothing may come in front of what is too much
    }
  }
}

static void project(work *w) {
  for (uint32_t t = 0; t < w->num_tensors; t++) {
    const mr_tensor_factors *tensor = factors_of(w, t);
    const mr_sharding *sharding = w->one->shardings[t];
    w->sizes[t] = 1;
    for (uint32_t d = 0; d < tensor->rank; d++) {
      project_dim(w, t, d, sharding ? &sharding->dims[d] : NULL);
      for (uint32_t k = 0; k < tensor->dims[d].count; k++) {
        w->sizes[t] *= w->one->rule->factors[tensor->dims[d].factors[k]].size;
      }
    }
  }
}

// ---- What is wanted along each factor -----------------------------------------------------------------------------------

// The list so far, which may grow until somebody disagrees.
typedef struct fold {
  uint32_t count;
  mr_axis_ref *refs;
  bool grow;
} fold;

static void fold_in(fold *list, mr_axis_list next) {
  uint32_t shared = MR_MIN(list->count, next.count);
  for (uint32_t i = 0; i < shared; i++) {
    if (mr_axis_ref_equal(list->refs[i], next.refs[i])) {
      continue;
    }
    bool longer = is_shorter(list->refs[i], next.refs[i]), shorter = is_shorter(next.refs[i], list->refs[i]);
    if (longer && list->grow && i + 1 == list->count) {
      list->refs[i] = next.refs[i];
      continue;
    }
    if (shorter && i + 1 == next.count) {
      continue;
    }
    if (shorter) {
      list->refs[i] = next.refs[i];
    }
    list->count = i + (longer || shorter);
    list->grow = false;
    return;
  }
  if (list->grow && next.count > list->count) {
    memcpy(list->refs + list->count, next.refs + list->count, sizeof *next.refs * (next.count - list->count));
    list->count = next.count;
  }
}

static void fold_tensors(const work *w, uint32_t factor, uint32_t from, uint32_t to, fold *list) {
  for (uint32_t t = from; t < to; t++) {
    if (part_of(w, t, factor)->there) {
      fold_in(list, part_of(w, t, factor)->axes);
    }
  }
}

// Those who are to get axes may forbid them, and add none.
static void want(work *w, uint32_t factor) {
  uint32_t most = 0, operands = w->one->rule->num_operands;
  for (uint32_t t = 0; t < w->num_tensors; t++) {
    most = MR_MAX(most, part_of(w, t, factor)->axes.count);
  }
  mr_direction direction = w->one->directions[factor];
  fold list = {.refs = most && direction ? make_refs(w, most) : NULL, .grow = true};
  if (!list.refs) {
    return;
  }
  bool backward = direction == MR_DIRECTION_BACKWARD;
  fold_tensors(w, factor, backward ? operands : 0, backward ? w->num_tensors : operands, &list);
  list.grow = list.grow && direction == MR_DIRECTION_BOTH;
  fold_tensors(w, factor, backward ? 0 : operands, backward ? operands : w->num_tensors, &list);
  w->wanted[factor] = (mr_axis_list){list.count, list.refs};
}

// ---- Which factor comes first -------------------------------------------------------------------------------------------

typedef struct turn {
  uint32_t factor, tensor;
  int64_t size, parts;
} turn;

// The largest tensor that has all that is wanted gives it.
static turn turn_of(const work *w, uint32_t factor) {
  turn own = {.factor = factor, .tensor = w->num_tensors, .parts = mr_axis_list_size(w->wanted[factor])};
  for (uint32_t t = 0; t < w->num_tensors; t++) {
    const part *p = part_of(w, t, factor);
    if (p->there && w->sizes[t] > own.size && begins(p->axes, w->wanted[factor])) {
      own.tensor = t;
      own.size = w->sizes[t];
    }
  }
  return own;
}

static bool is_before(const work *w, turn a, turn b) {
  if (a.size != b.size) {
    return a.size > b.size;
  }
  if (w->one->elementwise && a.parts != b.parts) {
    return a.parts > b.parts;
  }
  return a.tensor != b.tensor ? a.tensor < b.tensor : a.factor < b.factor;
}

// Of the factors along which something is wanted. Few: by insertion.
static uint32_t order(work *w, turn **out) {
  turn *turns = mr_arena_array(w->one->scratch, turn, w->num_factors);
  uint32_t count = 0;
  w->failed |= turns == NULL;
  for (uint32_t f = 0; f < w->num_factors && !w->failed; f++) {
    if (w->wanted[f].count == 0) {
      continue;
    }
    turn own = turn_of(w, f);
    uint32_t at = count++;
    for (; at > 0 && is_before(w, own, turns[at - 1]); at--) {
      turns[at] = turns[at - 1];
    }
    turns[at] = own;
  }
  *out = turns;
  return count;
}

// ---- What each tensor takes ---------------------------------------------------------------------------------------------

static bool has(mr_axis_list list, mr_axis_ref ref) {
  for (uint32_t i = 0; i < list.count; i++) {
    if (mr_axis_ref_equal(list.refs[i], ref)) {
      return true;
    }
  }
  return false;
}

// Cuts from `ref` what the tensor cannot take behind `sharded` parts. False: nothing is left.
static bool cut(const work *w, uint32_t tensor, uint32_t factor, int64_t sharded, mr_axis_ref *ref) {
  const mr_sharding *sharding = w->one->shardings[tensor];
  const part *own = part_of(w, tensor, factor);
  if (sharding && (!cut_overlap(sharding->replicated, ref) || !cut_overlap(sharding->unreduced, ref))) {
    return false;
  }
  if (!own->minor && !has(own->axes, *ref)) {
    int64_t rest = w->one->rule->factors[factor].size / sharded;
    ref->size = common_divisor(rest, ref->size);
  }
  for (uint32_t f = 0; f < w->num_factors; f++) {
    const part *other = part_of(w, tensor, f);
    if (f != factor && (!cut_overlap(other->axes, ref) || !cut_overlap(other->overflow, ref))) {
      return false;
    }
  }
  return ref->size > 1;
}

// An operand of an elementwise op does not get more than a result has.
static void not_beyond_results(const work *w, uint32_t factor, mr_axis_list *list) {
  for (uint32_t t = w->one->rule->num_operands; t < w->num_tensors; t++) {
    const part *result = part_of(w, t, factor);
    if (result->there && extends(*list, result->axes)) {
      *list = result->axes;
    }
  }
}

static void take(work *w, uint32_t tensor, uint32_t factor) {
  part *own = part_of(w, tensor, factor);
  mr_axis_list wanted = w->wanted[factor];
  if (!own->there || own->closed || own->overflow.count || !extends(wanted, own->axes)) {
    return;
  }
  mr_axis_ref *refs = make_refs(w, wanted.count);
  mr_axis_list taken = {0, refs};
  int64_t sharded = 1;
  for (uint32_t i = 0; refs && i < wanted.count; i++) {
    mr_axis_ref ref = wanted.refs[i];
    if (!cut(w, tensor, factor, sharded, &ref)) {
      break;
    }
    refs[taken.count++] = ref;
    sharded *= ref.size;
    if (ref.size < wanted.refs[i].size) {
      break;
    }
  }
  if (w->one->elementwise && tensor < w->one->rule->num_operands) {
    not_beyond_results(w, factor, &taken);
  }
  if (extends(taken, own->axes)) {
    own->axes = taken;
  }
}

// ---- From factors to dimensions -----------------------------------------------------------------------------------------

static void append(mr_axis_list list, mr_axis_ref *refs, uint32_t *count) {
  for (uint32_t i = 0; i < list.count; i++) {
    mr_axis_ref ref = list.refs[i], *last = *count ? &refs[*count - 1] : NULL;
    if (last && last->axis == ref.axis && last->pre * last->size == ref.pre) {
      last->size *= ref.size;
    } else {
      refs[(*count)++] = ref;
    }
  }
}

// What is behind a factor that is not full would be cut into strips.
static bool gather_dim(work *w, uint32_t tensor, uint32_t d, mr_axis_list *out) {
  const mr_dim_factors *factors = &factors_of(w, tensor)->dims[d];
  uint32_t most = 0, count = 0;
  for (uint32_t k = 0; k < factors->count; k++) {
    const part *p = part_of(w, tensor, factors->factors[k]);
    most += p->axes.count + p->overflow.count;
  }
  mr_axis_ref *refs = most ? make_refs(w, most) : NULL;
  for (uint32_t k = 0; refs && k < factors->count; k++) {
    const part *p = part_of(w, tensor, factors->factors[k]);
    append(p->axes, refs, &count);
    append(p->overflow, refs, &count);
    if (p->overflow.count || mr_axis_list_size(p->axes) != w->one->rule->factors[factors->factors[k]].size) {
      break;
    }
  }
  *out = (mr_axis_list){count, refs};
  return !w->failed;
}

// Replaces the tensor's sharding when a dimension got more.
static void update(work *w, uint32_t tensor) {
  const mr_sharding *old = w->one->shardings[tensor];
  mr_sharding *made = NULL;
  mr_module *module = w->one->module;
  uint32_t rank = factors_of(w, tensor)->rank;
  for (uint32_t d = 0; d < rank; d++) {
    mr_axis_list axes, had = old ? old->dims[d].axes : (mr_axis_list){0};
    if (!gather_dim(w, tensor, d, &axes) || !extends(axes, had)) {
      continue;
    }
    if (!made) {
      made = old ? mr_sharding_copy(module, old) : mr_sharding_create(module, w->one->mesh, rank, true);
    }
    if (!made || !mr_axis_list_make(module, axes.count, axes.refs, &made->dims[d].axes)) {
      w->failed = true;
      return;
    }
  }
  if (made) {
    made->mesh = w->one->mesh;
    w->one->shardings[tensor] = made;
  }
}

mr_status mr_one_op_propagate(const mr_one_op *one) {
  const mr_rule *rule = one->rule;
  work w = {.one = one, .num_tensors = rule->num_operands + rule->num_results, .num_factors = rule->num_factors};
  w.parts = mr_arena_array(one->scratch, part, (size_t)w.num_tensors * w.num_factors);
  w.sizes = mr_arena_array(one->scratch, int64_t, w.num_tensors);
  w.wanted = mr_arena_array(one->scratch, mr_axis_list, w.num_factors);
  if (!w.parts || !w.sizes || !w.wanted) {
    return MR_NO_MEMORY();
  }
  project(&w);
  for (uint32_t f = 0; f < w.num_factors && !w.failed; f++) {
    want(&w, f);
  }
  turn *turns;
  uint32_t count = order(&w, &turns);
  for (uint32_t i = 0; i < w.num_tensors && count && !w.failed; i++) {
    uint32_t tensor = (i + rule->num_operands) % w.num_tensors;  // results first
    for (uint32_t k = 0; k < count; k++) {
      take(&w, tensor, turns[k].factor);
    }
    update(&w, tensor);
  }
  return w.failed ? MR_NO_MEMORY() : MR_OK;
}
