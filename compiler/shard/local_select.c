// select_and_scatter along a dimension that is cut, as the gradient of a pool: each device does the windows that touch its part, on the
// borders of its neighbours' that they reach into, and keeps what falls on its own. Windows that are nobody's have sources of zero.
#include "compiler/shard/local_window.h"

static int64_t at(mr_ints list, size_t i, int64_t fallback) { return i < list.size ? list.data[i] : fallback; }

// Along one dimension: windows first .. last touch the part, `local` elements long, of each device.
typedef struct span {
  int64_t size, sources;  // of the whole dimension
  int64_t window, stride, low, high;
  int64_t local, first, last;
} span;

static span span_of(const mr_part *p, const mr_op *op, uint32_t d, const mr_atoms *atoms) {
  mr_ints padding = mr_op_ints(op, MR_ATTR_padding);
  span s = {.size = mr_op_operand(op, 0)->type.dims[d],
            .sources = mr_op_operand(op, 1)->type.dims[d],
            .window = at(mr_op_ints(op, MR_ATTR_window_dimensions), d, 1),
            .stride = at(mr_op_ints(op, MR_ATTR_window_strides), d, 1),
            .low = at(padding, 2 * (size_t)d, 0),
            .high = at(padding, 2 * (size_t)d + 1, 0)};
  s.local = mr_ceil_div(s.size, mr_atoms_shards(p->grid, atoms));
  s.first = -((s.window - 1) / s.stride);
  s.last = (s.local - 1) / s.stride;
  return s;
}

// All of the part, of which windows that are shorter than their strides leave some out.
static mr_local_window operand_window(const span *s, uint32_t d, const mr_atoms *atoms) {
  return (mr_local_window){.dim = d,
                           .size = s->size,
                           .atoms = atoms,
                           .first = s->first * s->stride,
                           .step = s->local,
                           .count = -s->first * s->stride + MR_MAX(s->last * s->stride + s->window, s->local)};
}

static mr_local_window source_window(const span *s, uint32_t d, const mr_atoms *atoms) {
  return (mr_local_window){.dim = d,
                           .size = s->sources,
                           .atoms = atoms,
                           .first = s->first,
                           .step = s->local / s->stride,
                           .count = s->last - s->first + 1};
}

// Windows lie inside, so that what is outside is never chosen, and as far from each part's beginning on all devices.
static bool can_span(const mr_part *p, const span *s, uint32_t d, const mr_atoms *atoms) {
  mr_local_window operand = operand_window(s, d, atoms), source = source_window(s, d, atoms);
  return s->low == 0 && s->high == 0 && s->local > 0 && s->local % s->stride == 0 && s->sources > 0 &&
         mr_local_window_pays(p, &operand) && mr_local_window_pays(p, &source);
}

static mr_status scatter(mr_part *p, mr_op *op, const mr_tiling *tiling, uint64_t cut) {
  mr_value *x = mr_part_get(p, mr_op_operand(op, 0), tiling), *source = mr_part_get(p, mr_op_operand(op, 1), tiling);
  mr_value *init = mr_part_get_replicated(p, mr_op_operand(op, 2));
  mr_type scalar = mr_type_scalar(op->results[0].type.dtype);
  mr_value *zero = mr_build_splat_int(&p->b, &scalar, 0);
  for (uint32_t d = 0; d < tiling->rank; d++) {
    if (cut >> d & 1) {
      span s = span_of(p, op, d, &tiling->dims[d]);
      mr_local_window operands = operand_window(&s, d, &tiling->dims[d]),
                      sources = source_window(&s, d, &tiling->dims[d]);
      x = mr_local_window_get(p, x, &operands, NULL);
      source = mr_local_window_get(p, source, &sources, zero);
    }
  }
  MR_TRY(mr_module_memory(p->module));
  mr_op *made = mr_part_clone(p, op, (mr_value *[]){x, source, init}, &x->type);
  mr_value *part = made ? &made->results[0] : NULL;
  for (uint32_t d = 0; part && d < tiling->rank; d++) {
    if (cut >> d & 1) {
      span s = span_of(p, op, d, &tiling->dims[d]);
      part = mr_build_slice_dim(&p->b, part, d, -s.first * s.stride, -s.first * s.stride + s.local);
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
    span s = {.window = at(mr_op_ints(op, MR_ATTR_window_dimensions), d, 1)};
    moved |= (uint64_t)(s.window != 1 || x->dims[d] != mr_op_operand(op, 1)->type.dims[d]) << d;
  }
  if (!moved || mr_block_fold_kind(op->regions[1]) != MR_OP_add || mr_op_operand(op, 1)->type.quant ||
      !mr_type_is_static(&mr_op_operand(op, 1)->type) || !mr_local_window_wanted(p, &op->results[0], moved, &tiling)) {
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
