// Windows over a dimension that is cut: pieces of neighbours, joined with the device's own, and cut to what is needed.
#include "compiler/shard/local_window.h"

// Where the window lies, counted from the beginning of the device's own part, over all devices.
typedef struct reach {
  int64_t local, shards;
  int64_t least, most;  // of the window's first element
  int64_t from, to;     // what all devices need: elements from..to, in pieces of neighbours
} reach;

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

static reach reach_of(const mr_part *p, const mr_local_window *w) {
  reach r = {.shards = mr_atoms_shards(p->grid, w->atoms)};
  r.local = mr_ceil_div(w->size, r.shards);
  int64_t last = w->first + (w->step - r.local) * (r.shards - 1);
  r.least = MR_MIN(w->first, last);
  r.most = MR_MAX(w->first, last);
  r.from = r.least;
  r.to = r.most + w->count;
  return r;
}

static int64_t received_of(const reach *r) {
  int64_t own = MR_MIN(r->to, r->local) - MR_MAX(r->from, 0);
  return r->to - r->from - MR_MAX(own, 0);
}

bool mr_local_window_pays(const mr_part *p, const mr_local_window *w) {
  reach r = reach_of(p, w);
  if (r.local == 0 || w->count <= 0) {
    return false;
  }
  // A neighbour on each side and the device's own part are three; the whole dimension is as many as there are shards.
  return received_of(&r) < w->size - r.local && floor_div(r.to - 1, r.local) - floor_div(r.from, r.local) < 8;
}

int64_t mr_local_window_received(const mr_part *p, const mr_local_window *w) {
  reach r = reach_of(p, w);
  return received_of(&r);
}

// The part of neighbour `distance`, [from, to) of it.
static mr_value *piece_of(mr_part *p, mr_value *x, const mr_local_window *w, int64_t distance, int64_t from,
                          int64_t to) {
  mr_value *piece = from == 0 && to == x->type.dims[w->dim] ? x : mr_build_slice_dim(&p->b, x, w->dim, from, to);
  return piece ? mr_spread_shift(&p->spread, &p->b, piece, w->atoms, -distance) : NULL;
}

static mr_value *join(mr_part *p, mr_value *x, const mr_local_window *w, const reach *r) {
  mr_value *pieces[16];
  uint32_t count = 0;
  for (int64_t d = floor_div(r->from, r->local); d * r->local < r->to && count < MR_ARRAY_SIZE(pieces); d++) {
    int64_t from = MR_MAX(r->from - d * r->local, 0), to = MR_MIN(r->to - d * r->local, r->local);
    pieces[count] = piece_of(p, x, w, d, from, to);
    if (!pieces[count++]) {
      return NULL;
    }
  }
  return count == 1 ? pieces[0] : mr_build_concatenate(&p->b, count, pieces, w->dim);
}

static mr_value *number(mr_part *p, int64_t value) {
  mr_type scalar = mr_type_scalar(MR_S32);
  return mr_build_splat_int(&p->b, &scalar, value);
}

// factor * index + offset
static mr_value *affine(mr_part *p, const mr_atoms *atoms, int64_t factor, int64_t offset) {
  mr_value *scaled = factor ? mr_spread_offset(&p->spread, &p->b, atoms, factor) : number(p, 0);
  return offset ? mr_build_binary(&p->b, MR_OP_add, scaled, number(p, offset)) : scaled;
}

// Elements that are at no place of the dimension.
static mr_value *fill_outside(mr_part *p, mr_value *x, const mr_local_window *w, mr_value *fill) {
  int64_t last = w->first + w->step * (mr_atoms_shards(p->grid, w->atoms) - 1);
  bool below = MR_MIN(w->first, last) < 0;
  bool above = w->size < MR_MAX(w->first, last) + w->count;
  if (!x || (!below && !above)) {
    return x;
  }
  mr_type places = mr_type_with_dtype(&x->type, MR_S32);
  mr_value *begin = affine(p, w->atoms, w->step, w->first);
  mr_value *place = begin ? mr_build_binary(&p->b, MR_OP_add, mr_build_iota(&p->b, &places, w->dim),
                                            mr_build_spread(&p->b, begin, &places))
                          : NULL;
  mr_value *low =
      mr_build_compare(&p->b, MR_COMPARE_GE, MR_COMPARE_SIGNED, place, mr_build_splat_int(&p->b, &places, 0));
  mr_value *high =
      mr_build_compare(&p->b, MR_COMPARE_LT, MR_COMPARE_SIGNED, place, mr_build_splat_int(&p->b, &places, w->size));
  mr_value *inside = below && above ? mr_build_binary(&p->b, MR_OP_and, low, high) : below ? low : high;
  return mr_build_select(&p->b, inside, x, mr_build_spread(&p->b, fill, &x->type));
}

mr_value *mr_local_window_get(mr_part *p, mr_value *x, const mr_local_window *w, mr_value *fill) {
  reach r = reach_of(p, w);
  mr_value *joined = x ? join(p, x, w, &r) : NULL;
  if (joined && r.least != r.most) {
    joined = mr_build_dynamic_slice_dim(&p->b, joined, w->dim,
                                        affine(p, w->atoms, w->step - r.local, w->first - r.from), w->count);
  }
  return fill ? fill_outside(p, joined, w, fill) : joined;
}

bool mr_local_window_wanted(const mr_part *p, const mr_value *value, uint64_t dims, mr_tiling *out) {
  if (value->type.kind != MR_TYPE_TENSOR || value->type.quant || !mr_type_is_static(&value->type) ||
      !mr_part_wanted(p, value, out) || out->unreduced) {
    return false;
  }
  for (uint32_t d = 0; d < out->rank; d++) {
    if (dims >> d & 1 && out->dims[d].count) {
      return true;
    }
  }
  return false;
}
