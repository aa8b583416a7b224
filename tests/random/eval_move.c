// Operations of the evaluator that make or move elements: every bit of the result is known.
#include <string.h>

#include "tests/random/random.h"

static void put(tensor *r, int64_t to, const tensor *x, int64_t from) {
  memcpy(r->cells + to * r->parts, x->cells + from * x->parts, sizeof(cell) * (size_t)r->parts);
}

static void put_anything(tensor *r, int64_t to) {
  for (int p = 0; p < r->parts; p++) {
    r->cells[to * r->parts + p] = cell_anything();
  }
}

static void constant(const mr_op *op, tensor *r) {
  const mr_dense *dense = &mr_op_attr(op, MR_ATTR_value)->dense;
  size_t part = mr_dtype_bytes(mr_dtype_real(r->type.dtype));
  for (int64_t i = 0; i < r->count * r->parts; i++) {
    int64_t from = dense->splat ? i % r->parts : i;
    r->cells[i] = cell_decode(r->type.dtype, (const char *)dense->data + (size_t)from * part);
  }
}

static void iota(const mr_op *op, tensor *r) {
  int64_t along = mr_op_int(op, MR_ATTR_iota_dimension, 0), index[MR_MAX_RANK];
  mr_dtype real_dtype = mr_dtype_real(r->type.dtype);
  for (int64_t i = 0; i < r->count; i++) {
    index_of(&r->type, i, index);
    cell *out = r->cells + i * r->parts;
    out[0] = mr_dtype_is_float(real_dtype) ? cell_round(real_dtype, cell_near(index[along], 0), 1)
                                           : cell_of_bits(real_dtype, (uint64_t)index[along]);
    if (r->parts == 2) {
      out[1] = cell_near(0, 0);
    }
  }
}

// Bytes of both sides are the same; element types of different width split or join the last dimension.
static void bitcast(const tensor *x, tensor *r) {
  size_t from = mr_dtype_bytes(x->type.dtype) / (size_t)x->parts, to = mr_dtype_bytes(r->type.dtype) / (size_t)r->parts;
  size_t unit = from > to ? from : to;
  int64_t units = unit == from ? x->count * x->parts : r->count * r->parts;
  for (int64_t u = 0; u < units; u++) {
    uint8_t bytes[16];
    bool known = true;
    for (size_t k = 0; k < unit / from; k++) {
      cell c = x->cells[(size_t)u * (unit / from) + k];
      bool settled = !mr_dtype_is_float(mr_dtype_real(x->type.dtype)) || c.exact || (c.v != 0 && isfinite(c.v));
      known = known && cell_is_sure(c) && settled && !isnan(c.v);
      if (known) {
        cell_encode(x->type.dtype, c, bytes + k * from);
      }
    }
    for (size_t k = 0; k < unit / to; k++) {
      r->cells[(size_t)u * (unit / to) + k] = known ? cell_decode(r->type.dtype, bytes + k * to) : cell_anything();
    }
  }
}

static void broadcast(const mr_op *op, const tensor *x, tensor *r) {
  mr_ints map = mr_op_ints(op, MR_ATTR_broadcast_dimensions);
  int64_t index[MR_MAX_RANK], from[MR_MAX_RANK];
  for (int64_t i = 0; i < r->count; i++) {
    index_of(&r->type, i, index);
    for (uint32_t d = 0; d < x->type.rank; d++) {
      int64_t at = op->kind == MR_OP_broadcast ? index[r->type.rank - x->type.rank + d] : index[map.data[d]];
      from[d] = x->type.dims[d] == 1 ? 0 : at;
    }
    put(r, i, x, flat_of(&x->type, from));
  }
}

static void concatenate(evaluator *ev, const mr_op *op, tensor *r) {
  int64_t along = mr_op_int(op, MR_ATTR_dimension, 0), offset = 0, index[MR_MAX_RANK];
  for (uint32_t k = 0; k < op->num_operands; k++) {
    tensor *x = operand_of(ev, op, k);
    for (int64_t i = 0; i < x->count; i++) {
      index_of(&x->type, i, index);
      index[along] += offset;
      put(r, flat_of(&r->type, index), x, i);
    }
    offset += x->type.dims[along];
  }
}

// Start indices are clamped so that the slice fits. False: one is not certain.
static bool starts_of(evaluator *ev, const mr_op *op, uint32_t first, const tensor *x, const tensor *window,
                      int64_t *out_starts) {
  for (uint32_t d = 0; d < x->type.rank; d++) {
    cell c = operand_of(ev, op, first + d)->cells[0];
    real most = x->type.dims[d] - window->type.dims[d];
    if (!cell_is_sure(c)) {
      return false;
    }
    out_starts[d] = (int64_t)(c.v < 0 ? 0 : c.v > most ? most : c.v);
  }
  return true;
}

static void dynamic_slice(evaluator *ev, const mr_op *op, tensor *r) {
  tensor *x = operand_of(ev, op, 0);
  int64_t starts[MR_MAX_RANK], index[MR_MAX_RANK];
  if (!starts_of(ev, op, 1, x, r, starts)) {
    all_anything(r);
    return;
  }
  for (int64_t i = 0; i < r->count; i++) {
    index_of(&r->type, i, index);
    for (uint32_t d = 0; d < r->type.rank; d++) {
      index[d] += starts[d];
    }
    put(r, i, x, flat_of(&x->type, index));
  }
}

static void dynamic_update_slice(evaluator *ev, const mr_op *op, tensor *r) {
  tensor *x = operand_of(ev, op, 0), *update = operand_of(ev, op, 1);
  int64_t starts[MR_MAX_RANK], index[MR_MAX_RANK];
  memcpy(r->cells, x->cells, sizeof(cell) * (size_t)(r->count * r->parts));
  if (!starts_of(ev, op, 2, x, update, starts)) {
    all_anything(r);
    return;
  }
  for (int64_t i = 0; i < update->count; i++) {
    index_of(&update->type, i, index);
    for (uint32_t d = 0; d < r->type.rank; d++) {
      index[d] += starts[d];
    }
    put(r, flat_of(&r->type, index), update, i);
  }
}

static bool has(mr_ints list, int64_t n) {
  for (size_t i = 0; i < list.size; i++) {
    if (list.data[i] == n) {
      return true;
    }
  }
  return false;
}

// One index vector's element k for the batch position `batch` (indices of the start indices' other dimensions).
static cell index_element(const tensor *starts, const int64_t *batch, int64_t vector_dim, int64_t k) {
  int64_t at[MR_MAX_RANK];
  uint32_t from = 0;
  for (uint32_t d = 0; d < starts->type.rank; d++) {
    at[d] = d == vector_dim ? k : batch[from++];
  }
  return starts->cells[flat_of(&starts->type, at)];
}

static bool gather_from(const mr_op *op, const tensor *x, const tensor *starts, const int64_t *index, uint32_t rank,
                        int64_t *out_from) {
  mr_ints offset_dims = mr_op_ints(op, MR_ATTR_offset_dims), map = mr_op_ints(op, MR_ATTR_start_index_map),
          collapsed = mr_op_ints(op, MR_ATTR_collapsed_slice_dims), sizes = mr_op_ints(op, MR_ATTR_slice_sizes),
          own = mr_op_ints(op, MR_ATTR_operand_batching_dims),
          theirs = mr_op_ints(op, MR_ATTR_start_indices_batching_dims);
  int64_t vector_dim = mr_op_int(op, MR_ATTR_index_vector_dim, 0), batch[MR_MAX_RANK];
  uint32_t batches = 0, next = 0;
  for (uint32_t d = 0; d < rank; d++) {
    if (!has(offset_dims, d)) {
      batch[batches++] = index[d];
    }
  }
  memset(out_from, 0, sizeof *out_from * x->type.rank);
  for (size_t k = 0; k < map.size; k++) {
    cell c = index_element(starts, batch, vector_dim, (int64_t)k);
    int64_t d = map.data[k];
    real most = x->type.dims[d] - sizes.data[d];
    if (!cell_is_sure(c)) {
      return false;
    }
    out_from[d] = (int64_t)(c.v < 0 ? 0 : c.v > most ? most : c.v);
  }
  for (size_t k = 0; k < own.size; k++) {
    int64_t d = theirs.data[k];
    out_from[own.data[k]] = batch[d - (d > vector_dim)];
  }
  for (uint32_t d = 0; d < x->type.rank; d++) {
    if (!has(collapsed, d) && !has(own, d)) {
      out_from[d] += index[offset_dims.data[next++]];
    }
  }
  return true;
}

static void gather(evaluator *ev, const mr_op *op, tensor *r) {
  tensor *x = operand_of(ev, op, 0), *starts = operand_of(ev, op, 1);
  int64_t index[MR_MAX_RANK], from[MR_MAX_RANK];
  for (int64_t i = 0; i < r->count; i++) {
    index_of(&r->type, i, index);
    if (gather_from(op, x, starts, index, r->type.rank, from)) {
      put(r, i, x, flat_of(&x->type, from));
    } else {
      put_anything(r, i);
    }
  }
}

static void pad(evaluator *ev, const mr_op *op, tensor *r) {
  tensor *x = operand_of(ev, op, 0), *with = operand_of(ev, op, 1);
  mr_ints low = mr_op_ints(op, MR_ATTR_edge_padding_low), interior = mr_op_ints(op, MR_ATTR_interior_padding);
  int64_t index[MR_MAX_RANK];
  for (int64_t i = 0; i < r->count; i++) {
    put(r, i, with, 0);
  }
  for (int64_t i = 0; i < x->count; i++) {
    index_of(&x->type, i, index);
    bool inside = true;
    for (uint32_t d = 0; d < x->type.rank; d++) {
      index[d] = low.data[d] + index[d] * (interior.data[d] + 1);
      inside = inside && index[d] >= 0 && index[d] < r->type.dims[d];
    }
    if (inside) {
      put(r, flat_of(&r->type, index), x, i);
    }
  }
}

// Operations whose result's element comes from an index that is computed dimension by dimension.
static void rearrange(const mr_op *op, const tensor *x, tensor *r) {
  mr_ints starts = mr_op_ints(op, MR_ATTR_start_indices), strides = mr_op_ints(op, MR_ATTR_strides),
          permutation = mr_op_ints(op, MR_ATTR_permutation), reversed = mr_op_ints(op, MR_ATTR_dimensions);
  int64_t index[MR_MAX_RANK], from[MR_MAX_RANK];
  for (int64_t i = 0; i < r->count; i++) {
    index_of(&r->type, i, index);
    for (uint32_t d = 0; d < r->type.rank; d++) {
      if (op->kind == MR_OP_slice) {
        from[d] = starts.data[d] + index[d] * strides.data[d];
      } else if (op->kind == MR_OP_reverse) {
        from[d] = has(reversed, d) ? x->type.dims[d] - 1 - index[d] : index[d];
      } else {
        from[permutation.data[d]] = index[d];
      }
    }
    put(r, i, x, flat_of(&x->type, from));
  }
}

bool evaluate_move_op(evaluator *ev, const mr_op *op, tensor *const *results) {
  tensor *r = results[0], *x = op->num_operands ? operand_of(ev, op, 0) : NULL;
  switch ((int)op->kind) {
  case MR_OP_constant: constant(op, r); return true;
  case MR_OP_dynamic_iota:
  case MR_OP_iota: iota(op, r); return true;
  case MR_OP_bitcast_convert: bitcast(x, r); return true;
  case MR_OP_broadcast:
  case MR_OP_broadcast_in_dim:
  case MR_OP_dynamic_broadcast_in_dim: broadcast(op, x, r); return true;
  case MR_OP_concatenate: concatenate(ev, op, r); return true;
  case MR_OP_dynamic_slice: dynamic_slice(ev, op, r); return true;
  case MR_OP_dynamic_update_slice: dynamic_update_slice(ev, op, r); return true;
  case MR_OP_gather: gather(ev, op, r); return true;
  case MR_OP_get_dimension_size:
    r->cells[0] = cell_exact(x->type.dims[mr_op_int(op, MR_ATTR_dimension, 0)]);
    return true;
  case MR_OP_pad: pad(ev, op, r); return true;
  case MR_OP_dynamic_reshape:
  case MR_OP_reshape: memcpy(r->cells, x->cells, sizeof(cell) * (size_t)(r->count * r->parts)); return true;
  case MR_OP_reverse:
  case MR_OP_slice:
  case MR_OP_transpose: rearrange(op, x, r); return true;
  default: return false;
  }
}
