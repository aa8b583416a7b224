// Transposes in front of and behind contractions: the library walks both operands by strides, so exchanging the two
// matrix dimensions of an operand, or the operands for a transposed result, costs nothing. Products of vectors with vectors
// are elementwise, or sums, which fuse with their neighbours and are shared out like any other.
#include <string.h>

#include "compiler/ir/dot.h"
#include "compiler/passes/simplify.h"
#include "compiler/passes/tuning.h"

// The transpose that exchanges the last two of n + 2 dimensions, n of them batch dimensions in front.
static mr_op *matrix_transpose(mr_value *x, mr_ints batch) {
  mr_op *op = x->def;
  if (!op || op->kind != MR_OP_transpose || x->type.rank != batch.size + 2) {
    return NULL;
  }
  mr_ints permutation = mr_op_ints(op, MR_ATTR_permutation);
  int64_t n = (int64_t)batch.size;
  for (int64_t d = 0; d < n; d++) {
    if (permutation.data[d] != d || batch.data[d] != d) {
      return NULL;
    }
  }
  return permutation.data[n] == n + 1 && permutation.data[n + 1] == n ? op : NULL;
}

static mr_value *fold_operand(mr_op *op, uint32_t side) {
  mr_attr_key batch_key = side ? MR_ATTR_rhs_batching_dimensions : MR_ATTR_lhs_batching_dimensions;
  mr_attr_key contract_key = side ? MR_ATTR_rhs_contracting_dimensions : MR_ATTR_lhs_contracting_dimensions;
  mr_ints batch = mr_op_ints(op, batch_key), contract = mr_op_ints(op, contract_key);
  mr_op *transpose = matrix_transpose(mr_op_operand(op, side), batch);
  if (!transpose || contract.size != 1) {
    return NULL;
  }
  mr_builder b = mr_builder_before(op);
  mr_value *operands[] = {mr_op_operand(op, 0), mr_op_operand(op, 1)};
  operands[side] = mr_op_operand(transpose, 0);
  mr_op *folded = mr_build(&b, MR_OP_dot_general, 2, operands, 1, &op->results[0].type, 0);
  if (!folded) {
    return NULL;
  }
  mr_op_copy_attrs(b.module, folded, op);
  int64_t other = 2 * (int64_t)batch.size + 1 - contract.data[0];
  mr_op_set_ints(b.module, folded, contract_key, (mr_ints){&other, 1});
  return &folded->results[0];
}

static mr_value *simplify_operands(mr_op *op) {
  mr_value *value = fold_operand(op, 0);
  return value ? value : fold_operand(op, 1);
}

// The permutation that gives the same result from b a as `permutation` does from a b. Result dimensions of a dot: batch,
// then the left operand's free ones, then the right one's.
static void exchange_sides(const mr_op *dot, mr_ints permutation, int64_t *out) {
  int64_t batch = (int64_t)mr_op_ints(dot, MR_ATTR_lhs_batching_dimensions).size;
  int64_t contracted = (int64_t)mr_op_ints(dot, MR_ATTR_lhs_contracting_dimensions).size;
  int64_t left = dot->operands[0].value->type.rank - batch - contracted;
  int64_t right = dot->operands[1].value->type.rank - batch - contracted;
  for (size_t d = 0; d < permutation.size; d++) {
    int64_t from = permutation.data[d];
    out[d] = from < batch ? from : from < batch + left ? from + right : from - left;
  }
}

// Worth it when no transpose is left, or one that moves whole rows where the other moved single elements.
static bool is_better(mr_ints permutation, const int64_t *exchanged) {
  int64_t last = (int64_t)permutation.size - 1;
  bool identity = true;
  for (int64_t d = 0; d <= last; d++) {
    identity = identity && exchanged[d] == d;
  }
  return identity || (permutation.data[last] != last && exchanged[last] == last);
}

static void set_from(mr_module *module, mr_op *to, mr_attr_key to_key, const mr_op *from, mr_attr_key from_key) {
  mr_op_set_ints(module, to, to_key, mr_op_ints(from, from_key));
}

// transpose(a b) is a transpose of b a, when nobody else wants a b.
mr_value *mr_simplify_transposed_dot(mr_op *op) {
  mr_op *dot = mr_op_operand(op, 0)->def;
  mr_ints permutation = mr_op_ints(op, MR_ATTR_permutation);
  int64_t exchanged_dims[MR_MAX_RANK], dims[MR_MAX_RANK];
  if (!dot || dot->kind != MR_OP_dot_general || !mr_value_has_one_use(&dot->results[0])) {
    return NULL;
  }
  exchange_sides(dot, permutation, exchanged_dims);
  if (!is_better(permutation, exchanged_dims)) {
    return NULL;
  }
  const mr_attr *algorithm = mr_op_attr(dot, MR_ATTR_accumulation_type);
  if (algorithm && algorithm->kind == MR_ATTR_TYPE) {
    return NULL;
  }
  mr_builder b = mr_builder_before(op);
  mr_value *operands[] = {mr_op_operand(dot, 1), mr_op_operand(dot, 0)};
  mr_type type = op->results[0].type;
  for (uint32_t d = 0; d < type.rank; d++) {
    dims[exchanged_dims[d]] = op->results[0].type.dims[d];
  }
  type.dims = dims;
  mr_op *exchanged = mr_build(&b, MR_OP_dot_general, 2, operands, 1, &type, 0);
  if (!exchanged) {
    return NULL;
  }
  mr_op_copy_attrs(b.module, exchanged, dot);
  set_from(b.module, exchanged, MR_ATTR_lhs_batching_dimensions, dot, MR_ATTR_rhs_batching_dimensions);
  set_from(b.module, exchanged, MR_ATTR_rhs_batching_dimensions, dot, MR_ATTR_lhs_batching_dimensions);
  set_from(b.module, exchanged, MR_ATTR_lhs_contracting_dimensions, dot, MR_ATTR_rhs_contracting_dimensions);
  set_from(b.module, exchanged, MR_ATTR_rhs_contracting_dimensions, dot, MR_ATTR_lhs_contracting_dimensions);
  mr_ints precision = mr_op_ints(dot, MR_ATTR_precision_config);
  if (precision.size == 2) {
    mr_op_set_ints(b.module, exchanged, MR_ATTR_precision_config,
                   (mr_ints){(int64_t[]){precision.data[1], precision.data[0]}, 2});
  }
  return mr_build_transpose(&b, &exchanged->results[0], exchanged_dims);
}

// A kernel that is reversed in spatial dimensions only: the convolution can read it backwards.
mr_value *mr_simplify_convolution(mr_op *op) {
  mr_op *reverse = mr_op_operand(op, 1)->def;
  mr_ints spatial = mr_op_ints(op, MR_ATTR_kernel_spatial_dimensions);
  mr_ints reversal = mr_op_ints(op, MR_ATTR_window_reversal);
  if (!reverse || reverse->kind != MR_OP_reverse || reversal.size != spatial.size) {
    return NULL;
  }
  int64_t flipped[MR_MAX_RANK];
  memcpy(flipped, reversal.data, reversal.size * sizeof *flipped);
  mr_ints dims = mr_op_ints(reverse, MR_ATTR_dimensions);
  for (size_t i = 0; i < dims.size; i++) {
    size_t at = 0;
    while (at < spatial.size && spatial.data[at] != dims.data[i]) {
      at++;
    }
    if (at == spatial.size) {
      return NULL;
    }
    flipped[at] = !flipped[at];
  }
  mr_builder b = mr_builder_before(op);
  mr_value *operands[] = {mr_op_operand(op, 0), mr_op_operand(reverse, 0)};
  mr_op *folded = mr_build(&b, MR_OP_convolution, 2, operands, 1, &op->results[0].type, 0);
  if (!folded) {
    return NULL;
  }
  mr_op_copy_attrs(b.module, folded, op);
  mr_op_set_ints(b.module, folded, MR_ATTR_window_reversal, (mr_ints){flipped, reversal.size});
  return &folded->results[0];
}

// The operand as `dtype`, permuted, without the `drop` dimensions (of one element each) that start at `from`.
static mr_value *arrange(mr_builder *b, const mr_dot_side *s, mr_dtype dtype, uint32_t from, uint32_t drop) {
  int64_t dims[MR_MAX_RANK];
  uint32_t rank = 0;
  for (uint32_t d = 0; d < s->x->type.rank; d++) {
    if (d < from || d >= from + drop) {
      dims[rank++] = s->x->type.dims[s->dims[d]];
    }
  }
  mr_value *x = mr_build_convert(b, s->x, dtype);
  x = x ? mr_build_transpose(b, x, s->dims) : NULL;
  return x ? mr_build_reshape(b, x, rank, dims) : NULL;
}

// Sums are kept in 32 bits at least.
static mr_dtype sum_dtype(mr_dtype dtype) {
  return mr_dtype_is_float(dtype) && mr_dtype_bits(dtype) < 32 ? MR_F32 : dtype;
}

// The sum of x * y over `count` dimensions behind `from` others, as the dot's result.
static mr_value *sum_products(mr_builder *b, const mr_op *op, mr_value *x, mr_value *y, uint32_t from, uint32_t count) {
  const mr_type *type = &op->results[0].type;
  mr_type scalar = mr_type_scalar(sum_dtype(type->dtype));
  mr_value *zero = mr_build_splat_int(b, &scalar, 0);
  mr_value *products = x && y ? mr_build_binary(b, MR_OP_multiply, x, y) : NULL;
  int64_t dims[MR_MAX_RANK];
  for (uint32_t i = 0; i < count; i++) {
    dims[i] = from + i;
  }
  mr_value *sums = mr_build_reduce(b, MR_OP_add, products, zero, (mr_ints){dims, count});
  sums = sums ? mr_build_convert(b, sums, type->dtype) : NULL;
  return sums ? mr_build_reshape(b, sums, type->rank, type->dims) : NULL;
}

static mr_value *inner_product(mr_builder *b, const mr_op *op, const mr_dot_side *l, const mr_dot_side *r) {
  mr_dtype dtype = sum_dtype(op->results[0].type.dtype);
  uint32_t kept = l->batch.count + l->contracted.count;
  mr_value *x = arrange(b, l, dtype, kept, l->x->type.rank - kept),
           *y = arrange(b, r, dtype, kept, r->x->type.rank - kept);
  return sum_products(b, op, x, y, l->batch.count, l->contracted.count);
}

// A matrix that lies in memory as contracted rows of free elements, and is large enough to be shared out by rows.
static bool is_sum_of_rows(const mr_dot_side *matrix) {
  for (uint32_t d = 0; d < matrix->x->type.rank; d++) {
    if (matrix->dims[d] != d) {
      return false;
    }
  }
  return matrix->free.elements > 1 && matrix->contracted.elements > 1 &&
         mr_type_count(&matrix->x->type) >= MR_PASS_MANY_ROWS;
}

// Rows of the matrix times elements of the vector, added up: a reduction knows how to give each core some of the rows, while
// shares of the columns would make every core touch every page.
static mr_value *sum_of_rows(mr_builder *b, const mr_op *op, const mr_dot_side *matrix, const mr_dot_side *vector) {
  mr_dtype dtype = sum_dtype(op->results[0].type.dtype);
  uint32_t kept = vector->batch.count + vector->contracted.count;
  mr_value *rows = mr_build_convert(b, matrix->x, dtype),
           *x = arrange(b, vector, dtype, kept, vector->x->type.rank - kept);
  int64_t dims[MR_MAX_RANK];
  for (uint32_t d = 0; d < kept; d++) {
    dims[d] = d;
  }
  x = rows && x ? mr_build_broadcast(b, x, &rows->type, (mr_ints){dims, kept}) : NULL;
  return sum_products(b, op, rows, x, matrix->batch.count, matrix->contracted.count);
}

// Spread along the other operand's free dimensions: batch ones are in front, ours start at `from`.
static mr_value *spread(mr_builder *b, const mr_dot_side *s, const mr_type *type, uint32_t from) {
  mr_value *x = arrange(b, s, type->dtype, s->batch.count, s->contracted.count);
  int64_t dims[MR_MAX_RANK];
  for (uint32_t d = 0; x && d < x->type.rank; d++) {
    dims[d] = d < s->batch.count ? d : d - s->batch.count + from;
  }
  return x ? mr_build_broadcast(b, x, type, (mr_ints){dims, x->type.rank}) : NULL;
}

static mr_value *outer_product(mr_builder *b, const mr_op *op, const mr_dot_side *l, const mr_dot_side *r) {
  const mr_type *type = &op->results[0].type;
  mr_value *x = spread(b, l, type, l->batch.count), *y = spread(b, r, type, l->x->type.rank - l->contracted.count);
  return x && y ? mr_build_binary(b, MR_OP_multiply, x, y) : NULL;
}

// Contractions with nothing to contract, or nothing else, or a vector on one side.
static mr_value *simplify_vectors(mr_op *op) {
  const mr_type *type = &op->results[0].type;
  const mr_attr *algorithm = mr_op_attr(op, MR_ATTR_accumulation_type);
  bool plain = !(algorithm && algorithm->kind == MR_ATTR_TYPE) && type->dtype != MR_PRED && mr_type_count(type) > 0;
  for (uint32_t i = 0; i < 2; i++) {
    const mr_type *operand = &mr_op_operand(op, i)->type;
    plain =
        plain && mr_type_is_static(operand) && mr_dtype_is_complex(operand->dtype) == mr_dtype_is_complex(type->dtype);
  }
  if (!plain) {
    return NULL;
  }
  mr_dot_side l = mr_dot_side_of(op, 0), r = mr_dot_side_of(op, 1);
  mr_builder b = mr_builder_before(op);
  if (l.contracted.elements == 1) {
    return outer_product(&b, op, &l, &r);
  }
  if (l.free.elements == 1 && r.free.elements == 1) {
    return inner_product(&b, op, &l, &r);
  }
  if (mr_dtype_is_float(type->dtype) && l.free.elements == 1 && is_sum_of_rows(&r)) {
    return sum_of_rows(&b, op, &r, &l);
  }
  if (mr_dtype_is_float(type->dtype) && r.free.elements == 1 && is_sum_of_rows(&l)) {
    return sum_of_rows(&b, op, &l, &r);
  }
  return NULL;
}

mr_value *mr_simplify_dot(mr_op *op) {
  mr_value *value = simplify_operands(op);
  return value ? value : simplify_vectors(op);
}
