// Concatenation of many operands: rows of pieces copied one after the other. A few pieces are better off as segments of
// an ordinary nest, which also fuses. JAX concatenates sixteen at a time and the results again: those count as one.
#include "compiler/lower/roots.h"
#include "compiler/lower/tuning.h"

typedef struct piece {
  const mr_value *value;
  uint32_t operand;  // of the kernel: the same elements in the same order
} piece;

typedef struct pieces {
  mr_lower *lw;
  piece *list;
  uint32_t n, capacity;
  uint32_t dim;
  mr_lbuf result;
  int64_t outer, inner, row;  // rows, elements behind the dimension, elements of a result's row
} pieces;

static int64_t parts(const mr_type *type) { return mr_dtype_is_complex(type->dtype) ? 2 : 1; }

static int64_t piece_size(const pieces *c, uint32_t i) { return c->list[i].value->type.dims[c->dim] * c->inner; }

// Piece i of row `row` to its place.
static void copy_piece(pieces *c, uint32_t i, int64_t offset, mr_lv row) {
  mr_loop_program *p = c->lw->p;
  int64_t size = piece_size(c, i);
  mr_lbuf from = c->list[i].operand;
  mr_lv to_at = mr_l_iadd(p, mr_l_imul(p, row, mr_l_index(p, c->row)), mr_l_index(p, offset));
  mr_lv from_at = mr_l_imul(p, row, mr_l_index(p, size));
  if (size > MR_LOWER_CONCAT_SHORT_PIECE) {
    mr_l_copy(p, c->result, to_at, from, from_at, mr_l_index(p, size));
    return;
  }
  for (int64_t k = 0; k < size; k++) {
    mr_lv value = mr_l_load(p, from, mr_l_iadd(p, from_at, mr_l_index(p, k)));
    mr_l_store(p, c->result, mr_l_iadd(p, to_at, mr_l_index(p, k)), value);
  }
}

static void copy_by_rows(pieces *c, mr_lv row) {
  int64_t offset = 0;
  for (uint32_t i = 0; i < c->n; i++) {
    copy_piece(c, i, offset, row);
    offset += piece_size(c, i);
  }
}

static void copy_by_pieces(pieces *c, mr_lv number) {
  mr_loop_program *p = c->lw->p;
  int64_t offset = 0;
  for (uint32_t i = 0; i < c->n; i++) {
    mr_l_if(p, mr_l_compare(p, 0, 3, MR_S64, number, mr_l_index(p, i)));
    mr_lv row = mr_l_for(p, mr_l_index(p, 0), mr_l_index(p, c->outer), 1, 0);
    copy_piece(c, i, offset, row);
    mr_l_end(p);
    mr_l_end(p);
    offset += piece_size(c, i);
  }
}

// The operand of the kernel that a value is, but for dimensions of size one; MR_LW_NO_OPERAND when it is computed.
static uint32_t plain_operand(const mr_lower *lw, const mr_value *x) {
  for (int depth = 0; depth < 8; depth++) {
    uint32_t operand = mr_lw_operand(lw, x);
    if (operand != MR_LW_NO_OPERAND || !x->def) {
      return operand;
    }
    const mr_op *def = x->def;
    bool same = def->kind == MR_OP_reshape;
    if (def->kind == MR_OP_broadcast_in_dim) {
      mr_ints dims = mr_op_ints(def, MR_ATTR_broadcast_dimensions);
      same = mr_type_count(&x->type) == mr_type_count(&mr_op_operand(def, 0)->type);
      for (size_t i = 1; i < dims.size; i++) {
        same = same && dims.data[i] > dims.data[i - 1];
      }
    }
    if (!same) {
      return MR_LW_NO_OPERAND;
    }
    x = mr_op_operand(def, 0);
  }
  return MR_LW_NO_OPERAND;
}

// False: some piece is computed in the kernel, or there are more than the list holds.
static bool collect(pieces *c, const mr_op *op, int depth) {
  if (depth > 8 || (uint32_t)mr_op_int(op, MR_ATTR_dimension, 0) != c->dim) {
    return false;
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_value *x = mr_op_operand(op, i);
    uint32_t operand = plain_operand(c->lw, x);
    if (operand != MR_LW_NO_OPERAND) {
      if (c->n == c->capacity) {
        return false;
      }
      c->list[c->n++] = (piece){x, operand};
    } else if (!x->def || x->def->kind != MR_OP_concatenate || !collect(c, x->def, depth + 1)) {
      return false;
    }
  }
  return true;
}

bool mr_root_concatenate(mr_lower *lw, mr_root *root) {
  const mr_type *type = &root->op->results[0].type;
  pieces c = {.lw = lw, .result = mr_lw_result_buffer(lw, root->first), .outer = 1, .inner = parts(type)};
  c.dim = (uint32_t)mr_op_int(root->op, MR_ATTR_dimension, 0);
  c.capacity = 4 * lw->op->num_operands;  // an operand may be there more than once
  c.list = mr_lw_alloc(lw, (c.capacity + 1) * sizeof *c.list);
  if (!mr_lw_ok(lw) || !collect(&c, root->op, 0) || c.n < MR_LOWER_CONCAT_PIECES) {
    return false;
  }
  for (uint32_t d = 0; d < c.dim; d++) {
    c.outer *= type->dims[d];
  }
  for (uint32_t d = c.dim + 1; d < type->rank; d++) {
    c.inner *= type->dims[d];
  }
  c.row = type->dims[c.dim] * c.inner;
  root->range = 0;
  if (mr_type_count(type) == 0) {
    return true;
  }
  bool by_rows = c.outer >= MR_LOWER_CONCAT_ROWS;
  root->range = by_rows ? c.outer : c.n;
  const mr_ix *loop = mr_ix_loop(&lw->ix, lw->next_bit++, 0, MR_MAX(root->range - 1, 1));
  mr_lw_for(lw, loop, mr_l_begin(lw->p), mr_l_end_of_range(lw->p), 1, 0, (double)root->range);
  if (by_rows) {
    copy_by_rows(&c, mr_lw_ix(lw, loop));
  } else {
    copy_by_pieces(&c, mr_lw_ix(lw, loop));
  }
  mr_lw_end(lw);
  lw->loads += (double)mr_type_bytes(type);
  return true;
}
