// select_and_scatter along a dimension that is cut, as the gradient of a pool: each device does the windows that touch its part, and keeps
// what falls on its own.
//
// Padding is no value: what lies there is never chosen, whatever the region compares, so nothing can stand for it. Instead all devices
// work on blocks of one length with the program's own padding, and the block of the device at either end lies where the dimension begins
// or ends. Other blocks begin so far ahead of the device's part, and end so far behind it, that no window touches both the part and the
// padding. Of a block only what those windows read is true, which neighbours send; the rest is never looked at.
#include "compiler/shard/local_window.h"

static int64_t at(mr_ints list, size_t i, int64_t fallback) { return i < list.size ? list.data[i] : fallback; }

// Elements that a device has or wants, counted from the beginning of its own part, over all devices.
typedef struct range {
  int64_t from, to;
} range;

static void widen(range *r, int64_t from, int64_t to) {
  r->from = MR_MIN(r->from, from);
  r->to = MR_MAX(r->to, to);
}

// Along one dimension. Block k begins at element stride * min(max(k * local - ahead, 0) / stride, last_window), with the windows that do.
typedef struct span {
  int64_t size, sources;                 // of the whole dimension
  int64_t local, local_sources, owners;  // parts, and how many devices have elements of the operand
  int64_t window, stride, low, high;
  int64_t ahead, block, block_sources, last_window;
  range wanted, wanted_sources;  // what is true of blocks
  range begins, begins_sources;  // of blocks
} span;

static int64_t first_window(const span *s, int64_t k) {
  return MR_MIN(MR_MAX(k * s->local - s->ahead, 0) / s->stride, s->last_window);
}

// The windows that touch a device's part, and what they read.
static void add_device(span *s, int64_t k) {
  int64_t own = k * s->local, own_end = MR_MIN(own + s->local, s->size), own_source = k * s->local_sources;
  int64_t first = mr_ceil_div(MR_MAX(own + s->low - s->window + 1, 0), s->stride);
  int64_t last = own_end - 1 + s->low < 0 ? -1 : MR_MIN((own_end - 1 + s->low) / s->stride, s->sources - 1);
  if (first <= last) {
    widen(&s->wanted_sources, first - own_source, last + 1 - own_source);
    widen(&s->wanted, MR_MAX(first * s->stride - s->low, 0) - own,
          MR_MIN(last * s->stride - s->low + s->window, s->size) - own);
  }
  int64_t begin = first_window(s, k);
  widen(&s->begins, begin * s->stride - own, begin * s->stride - own);
  widen(&s->begins_sources, begin - own_source, begin - own_source);
}

static span span_of(const mr_part *p, const mr_op *op, uint32_t d, const mr_atoms *atoms) {
  mr_ints padding = mr_op_ints(op, MR_ATTR_padding);
  int64_t shards = mr_atoms_shards(p->grid, atoms);
  span s = {.size = mr_op_operand(op, 0)->type.dims[d],
            .sources = mr_op_operand(op, 1)->type.dims[d],
            .window = at(mr_op_ints(op, MR_ATTR_window_dimensions), d, 1),
            .stride = at(mr_op_ints(op, MR_ATTR_window_strides), d, 1),
            .low = at(padding, 2 * (size_t)d, 0),
            .high = at(padding, 2 * (size_t)d + 1, 0)};
  if (s.size == 0 || s.sources == 0) {
    return s;
  }
  s.local = mr_ceil_div(s.size, shards);
  s.local_sources = mr_ceil_div(s.sources, shards);
  s.owners = mr_ceil_div(s.size, s.local);
  // Negative padding takes elements away. Where parts begin with windows, blocks do as far ahead of all of them.
  s.ahead = s.window - 1 + MR_MAX(-s.low, 0);
  int64_t slack = s.local % s.stride ? s.stride - 1 : 0;
  s.ahead = slack ? s.ahead : mr_ceil_div(s.ahead, s.stride) * s.stride;
  s.block = s.ahead + slack + s.local + s.window - 1 + MR_MAX(-s.high, 0);
  if (s.block >= s.size) {
    return s;
  }
  s.block += (s.size - s.block) % s.stride;  // so that the last block begins with a window
  s.last_window = (s.size - s.block) / s.stride;
  s.block_sources = s.sources - s.last_window;
  s.wanted = (range){0, s.local};
  s.wanted_sources = (range){0, s.local_sources};
  for (int64_t k = 0; k < s.owners; k++) {
    add_device(&s, k);
  }
  return s;
}

static mr_local_window operand_window(const span *s, uint32_t d, const mr_atoms *atoms) {
  return (mr_local_window){.dim = d,
                           .size = s->size,
                           .atoms = atoms,
                           .first = s->wanted.from,
                           .step = s->local,
                           .count = s->wanted.to - s->wanted.from};
}

static mr_local_window source_window(const span *s, uint32_t d, const mr_atoms *atoms) {
  return (mr_local_window){.dim = d,
                           .size = s->sources,
                           .atoms = atoms,
                           .first = s->wanted_sources.from,
                           .step = s->local_sources,
                           .count = s->wanted_sources.to - s->wanted_sources.from};
}

static bool can_span(const mr_part *p, const span *s, uint32_t d, const mr_atoms *atoms) {
  mr_local_window operand = operand_window(s, d, atoms), source = source_window(s, d, atoms);
  return s->block_sources > 0 && s->block < s->size && mr_local_window_pays(p, &operand) &&
         mr_local_window_pays(p, &source);
}

// ---- What is built --------------------------------------------------------------------------------------------------

static mr_value *number(mr_part *p, int64_t value) {
  mr_type scalar = mr_type_scalar(MR_S32);
  return mr_build_splat_int(&p->b, &scalar, value);
}

static mr_value *with(mr_part *p, mr_op_kind kind, mr_value *x, int64_t y) {
  return mr_build_binary(&p->b, kind, x, number(p, y));
}

// The number of the first window of the device's block: see first_window().
static mr_value *build_first_window(mr_part *p, const span *s, const mr_atoms *atoms) {
  mr_value *begin = with(p, MR_OP_subtract, mr_spread_offset(&p->spread, &p->b, atoms, s->local), s->ahead);
  begin = with(p, MR_OP_divide, with(p, MR_OP_maximum, begin, 0), s->stride);
  return with(p, MR_OP_minimum, begin, s->last_window);
}

// `count` elements from `begin` on, an element of the whole dimension, of which `x` has those of the window.
static mr_value *place(mr_part *p, mr_value *x, const mr_local_window *w, range begins, mr_value *begin,
                       int64_t count) {
  mr_type scalar = mr_type_scalar(x ? x->type.dtype : MR_S32);
  int64_t low = MR_MAX(w->first - begins.from, 0), high = MR_MAX(begins.to + count - w->first - w->count, 0);
  x = mr_build_pad_dim(&p->b, x, w->dim, low, high, mr_part_nothing(p, &scalar));
  mr_value *own = mr_spread_offset(&p->spread, &p->b, w->atoms, w->step);
  mr_value *from = mr_build_binary(&p->b, MR_OP_subtract, begin, own);
  return mr_build_dynamic_slice_dim(&p->b, x, w->dim, with(p, MR_OP_add, from, low - w->first), count);
}

// The device's own part of a block. The last part that has elements may be longer than what is left of the block.
static mr_value *keep_own(mr_part *p, mr_value *x, const span *s, uint32_t d, const mr_atoms *atoms, mr_value *begin) {
  mr_type scalar = mr_type_scalar(x ? x->type.dtype : MR_S32);
  x = mr_build_pad_dim(&p->b, x, d, 0, s->owners * s->local - s->size, mr_part_nothing(p, &scalar));
  mr_value *own = mr_spread_offset(&p->spread, &p->b, atoms, s->local);
  return mr_build_dynamic_slice_dim(&p->b, x, d, mr_build_binary(&p->b, MR_OP_subtract, own, begin), s->local);
}

static mr_status scatter(mr_part *p, mr_op *op, const mr_tiling *tiling, uint64_t cut) {
  mr_value *x = mr_part_get(p, mr_op_operand(op, 0), tiling), *source = mr_part_get(p, mr_op_operand(op, 1), tiling);
  mr_value *init = mr_part_get_replicated(p, mr_op_operand(op, 2)), *begins[MR_MAX_RANK] = {NULL};
  for (uint32_t d = 0; d < tiling->rank; d++) {
    if (cut >> d & 1) {
      const mr_atoms *atoms = &tiling->dims[d];
      span s = span_of(p, op, d, atoms);
      mr_local_window operands = operand_window(&s, d, atoms), sources = source_window(&s, d, atoms);
      mr_value *window = build_first_window(p, &s, atoms);
      begins[d] = with(p, MR_OP_multiply, window, s.stride);
      x = place(p, mr_local_window_get(p, x, &operands, NULL), &operands, s.begins, begins[d], s.block);
      source =
          place(p, mr_local_window_get(p, source, &sources, NULL), &sources, s.begins_sources, window, s.block_sources);
    }
  }
  MR_TRY(mr_module_memory(p->module));
  mr_op *made = mr_part_clone(p, op, (mr_value *[]){x, source, init}, &x->type);
  mr_value *part = made ? &made->results[0] : NULL;
  for (uint32_t d = 0; part && d < tiling->rank; d++) {
    if (cut >> d & 1) {
      span s = span_of(p, op, d, &tiling->dims[d]);
      part = keep_own(p, part, &s, d, &tiling->dims[d], begins[d]);
    }
  }
  mr_part_set(p, &op->results[0], part, tiling);
  return mr_module_memory(p->module);
}

mr_status mr_local_select_and_scatter(mr_part *p, mr_op *op, bool *out_done) {
  const mr_type *x = &mr_op_operand(op, 0)->type;
  uint64_t moved = 0, cut = 0;
  mr_tiling tiling;
  for (uint32_t d = 0; x->kind == MR_TYPE_TENSOR && d < x->rank; d++) {
    bool stays = at(mr_op_ints(op, MR_ATTR_window_dimensions), d, 1) == 1 &&
                 at(mr_op_ints(op, MR_ATTR_padding), 2 * (size_t)d, 0) == 0 &&
                 x->dims[d] == mr_op_operand(op, 1)->type.dims[d];
    moved |= (uint64_t)!stays << d;
  }
  if (!moved || mr_op_operand(op, 1)->type.quant || !mr_type_is_static(&mr_op_operand(op, 1)->type) ||
      !mr_local_window_wanted(p, &op->results[0], moved, &tiling)) {
    return MR_OK;
  }
  for (uint32_t d = 0; d < x->rank; d++) {
    if (tiling.dims[d].count && moved >> d & 1) {
      span s = span_of(p, op, d, &tiling.dims[d]);
      if (!can_span(p, &s, d, &tiling.dims[d])) {
        return MR_OK;
      }
      cut |= UINT64_C(1) << d;
    }
  }
  *out_done = true;
  return scatter(p, op, &tiling, cut);
}
