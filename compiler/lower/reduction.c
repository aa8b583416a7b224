#include "compiler/lower/reduction.h"

#include <string.h>

// ---- What the ops have in common ----------------------------------------------------------------------------------------

static mr_dtype wide_enough(mr_dtype dtype) {
  return mr_dtype_is_float(dtype) && mr_dtype_bits(dtype) < 32 ? MR_F32 : dtype;
}

static bool sums(mr_op_kind kind) { return kind == MR_OP_add || kind == MR_OP_multiply; }

static void describe_region(mr_red *red) {
  const mr_block *region = red->op->regions[0];
  red->simple = red->n == 1 ? mr_block_fold_kind(region) : MR_OP_COUNT;
  for (uint32_t i = 0; i < red->n; i++) {
    red->acc[i] = red->op->results[i].type.dtype;
    if (sums(red->simple)) {
      red->acc[i] = wide_enough(red->acc[i]);
    }
    red->term[i] = red->simple != MR_OP_COUNT ? red->acc[i] : region->args[red->n + i]->type.dtype;
  }
  mr_dtype real = mr_dtype_real(red->acc[0]);
  if (sums(red->simple) && mr_dtype_is_float(real)) {
    red->flags = MR_L_REASSOC;
  }
}

static void describe_product(mr_red *red) {
  mr_dtype acc = wide_enough(red->op->results[0].type.dtype);
  red->simple = MR_OP_add;
  red->acc[0] = red->term[0] = acc;
  if (mr_dtype_is_float(mr_dtype_real(acc))) {
    red->flags = MR_L_REASSOC;
  }
}

static void add_loop(mr_red *red, int64_t size, int64_t dim) {
  red->size[red->rank] = size;
  red->dim[red->rank++] = dim;
}

static mr_ints lhs_contracting(const mr_op *op, int64_t *storage) {
  if (op->kind == MR_OP_dot_general) {
    return mr_op_ints(op, MR_ATTR_lhs_contracting_dimensions);
  }
  *storage = (int64_t)mr_op_operand(op, 0)->type.rank - 1;
  return (mr_ints){storage, 1};
}

static mr_ints rhs_contracting(const mr_op *op, int64_t *storage) {
  if (op->kind == MR_OP_dot_general) {
    return mr_op_ints(op, MR_ATTR_rhs_contracting_dimensions);
  }
  *storage = 0;
  return (mr_ints){storage, 1};
}

static void describe_reduce(mr_red *red) {
  const mr_type *x = &mr_op_operand(red->op, 0)->type;
  mr_ints dims = mr_op_ints(red->op, MR_ATTR_dimensions);
  for (uint32_t d = 0; d < x->rank; d++) {
    if (mr_ints_has(dims, d)) {
      add_loop(red, x->dims[d], d);
    }
  }
  describe_region(red);
}

static void describe_window(mr_red *red) {
  mr_ints window = mr_op_ints(red->op, MR_ATTR_window_dimensions);
  for (uint32_t d = 0; d < mr_op_operand(red->op, 0)->type.rank; d++) {
    add_loop(red, window.data[d], d);
  }
  describe_region(red);
}

static void describe_dot(mr_red *red) {
  int64_t storage;
  const mr_type *x = &mr_op_operand(red->op, 0)->type;
  mr_ints dims = lhs_contracting(red->op, &storage);
  for (size_t i = 0; i < dims.size; i++) {
    add_loop(red, x->dims[dims.data[i]], (int64_t)i);
  }
  describe_product(red);
}

static void describe_convolution(mr_red *red) {
  const mr_type *kernel = &mr_op_operand(red->op, 1)->type;
  mr_ints spatial = mr_op_ints(red->op, MR_ATTR_kernel_spatial_dimensions);
  for (size_t i = 0; i < spatial.size; i++) {
    add_loop(red, kernel->dims[spatial.data[i]], (int64_t)i);
  }
  add_loop(red, kernel->dims[mr_op_int(red->op, MR_ATTR_kernel_input_feature_dimension, 0)], 0);
  describe_product(red);
}

int64_t mr_red_count(const mr_red *red) {
  int64_t count = 1;
  for (uint32_t i = 0; i < red->rank; i++) {
    count *= red->size[i];
  }
  return count;
}

void mr_red_initial(mr_lower *lw, const mr_red *red, mr_elem *acc) {
  for (uint32_t i = 0; i < red->n; i++) {
    acc[i] = mr_lw_constant(lw, red->acc[i], 0);
    if (red->op->num_regions == 0) {
      continue;
    }
    const mr_value *init = mr_op_operand(red->op, red->n + i);
    acc[i] = mr_lw_convert(lw, red->acc[i], init->type.dtype, mr_lw_scalar(lw, init));
  }
}

void mr_red_join(mr_lower *lw, const mr_red *red, const mr_elem *acc, const mr_elem *terms, mr_elem *out) {
  if (red->simple != MR_OP_COUNT) {
    out[0] = mr_lw_binary(lw, red->simple, red->acc[0], acc[0], terms[0], red->flags);
    return;
  }
  mr_elem *args = mr_lw_alloc(lw, 2 * (size_t)red->n * sizeof *args);
  memcpy(args, acc, red->n * sizeof *args);
  memcpy(args + red->n, terms, red->n * sizeof *args);
  mr_lw_region(lw, red->op->regions[0], args, out);
}

mr_elem mr_red_result(mr_lower *lw, const mr_red *red, uint32_t i, mr_elem acc) {
  mr_dtype dtype = red->op->results[i].type.dtype;
  return dtype == red->acc[i] ? acc : (mr_elem){mr_l_convert(lw->p, dtype, acc.re), 0};
}

// ---- Terms ----------------------------------------------------------------------------------------------------------------

static void reduce_terms(mr_lower *lw, const mr_red *red, mr_index at, const mr_ix *const *r, mr_elem *terms) {
  const mr_type *x = &mr_op_operand(red->op, 0)->type;
  const mr_ix *source[MR_MAX_RANK];
  uint32_t kept = 0, loop = 0;
  for (uint32_t d = 0; d < x->rank; d++) {
    if (loop < red->rank && red->dim[loop] == d) {
      source[d] = r[loop++];
    } else {
      source[d] = at.at[kept++];
    }
  }
  for (uint32_t i = 0; i < red->n; i++) {
    const mr_value *value = mr_op_operand(red->op, i);
    mr_elem e = mr_lw_element(lw, value, mr_at(x->rank, source));
    terms[i] = mr_lw_convert(lw, red->term[i], value->type.dtype, e);
  }
}

// A coordinate of a padded and dilated operand: false when it never is one; else adds to `condition` when it is.
static bool dilated(mr_lower *lw, const mr_ix *x, int64_t n, int64_t dilation, const mr_ix **out_at, mr_lv *condition) {
  int64_t last = n ? (n - 1) * dilation + 1 : 0;
  *out_at = mr_ix_div(&lw->ix, x, dilation);
  mr_range_answer answer = mr_lw_range(lw, x, 0, last);
  if (answer == MR_RANGE_NEVER) {
    return false;
  }
  if (answer == MR_RANGE_ASK) {
    *condition = mr_lw_and(lw, *condition, mr_lw_in_range(lw, x, 0, last));
  }
  if (dilation == 1) {
    return true;
  }
  const mr_ix *hole = mr_ix_mod(&lw->ix, x, dilation);
  answer = mr_lw_range(lw, hole, 0, 1);
  if (answer == MR_RANGE_ASK) {
    *condition = mr_lw_and(lw, *condition, mr_lw_in_range(lw, hole, 0, 1));
  }
  return answer != MR_RANGE_NEVER;
}

static int64_t int_at(mr_ints list, size_t i, int64_t fallback) { return i < list.size ? list.data[i] : fallback; }

// Padding and holes count as the initial value.
static void window_terms(mr_lower *lw, const mr_red *red, mr_index at, const mr_ix *const *r, mr_elem *terms) {
  const mr_op *op = red->op;
  const mr_type *x = &mr_op_operand(op, 0)->type;
  mr_ints strides = mr_op_ints(op, MR_ATTR_window_strides), base = mr_op_ints(op, MR_ATTR_base_dilations);
  mr_ints dilations = mr_op_ints(op, MR_ATTR_window_dilations), padding = mr_op_ints(op, MR_ATTR_padding);
  const mr_ix *source[MR_MAX_RANK];
  mr_lv condition = 0;
  bool possible = true;
  for (uint32_t d = 0; d < x->rank && possible; d++) {
    const mr_ix *p = mr_ix_add(&lw->ix, mr_ix_scale(&lw->ix, at.at[d], int_at(strides, d, 1)),
                               mr_ix_scale(&lw->ix, r[d], int_at(dilations, d, 1)));
    p = mr_ix_plus(&lw->ix, p, -int_at(padding, 2 * (size_t)d, 0));
    possible = dilated(lw, p, x->dims[d], int_at(base, d, 1), &source[d], &condition);
  }
  mr_elem *initial = mr_lw_alloc(lw, (red->n + 1) * sizeof *initial);
  for (uint32_t i = 0; i < red->n; i++) {
    const mr_value *init = mr_op_operand(op, red->n + i);
    if (!possible || condition) {
      initial[i] = mr_lw_convert(lw, red->term[i], init->type.dtype, mr_lw_scalar(lw, init));
    }
    terms[i] = initial[i];
    if (condition) {
      initial[i] = mr_lw_var(lw, initial[i]);
    }
  }
  if (!possible) {
    return;
  }
  if (condition) {
    mr_lw_if(lw, condition);
  }
  for (uint32_t i = 0; i < red->n; i++) {
    const mr_value *value = mr_op_operand(op, i);
    mr_elem e = mr_lw_element(lw, value, mr_at(x->rank, source));
    terms[i] = mr_lw_convert(lw, red->term[i], value->type.dtype, e);
    if (condition) {
      mr_lw_set(lw, initial[i], terms[i]);
    }
  }
  if (!condition) {
    return;
  }
  mr_lw_end(lw);
  for (uint32_t i = 0; i < red->n; i++) {
    terms[i] = mr_lw_get(lw, initial[i]);
  }
}

static mr_elem product(mr_lower *lw, const mr_red *red, mr_index lhs_at, mr_index rhs_at) {
  const mr_value *lhs = mr_op_operand(red->op, 0), *rhs = mr_op_operand(red->op, 1);
  mr_elem a = mr_lw_convert(lw, red->acc[0], lhs->type.dtype, mr_lw_element(lw, lhs, lhs_at));
  mr_elem b = mr_lw_convert(lw, red->acc[0], rhs->type.dtype, mr_lw_element(lw, rhs, rhs_at));
  return mr_lw_binary(lw, MR_OP_multiply, red->acc[0], a, b, red->flags);
}

static void dot_terms(mr_lower *lw, const mr_red *red, mr_index at, const mr_ix *const *r, mr_elem *terms) {
  const mr_op *op = red->op;
  const mr_type *lhs = &mr_op_operand(op, 0)->type, *rhs = &mr_op_operand(op, 1)->type;
  mr_ints lhs_batch = mr_op_ints(op, MR_ATTR_lhs_batching_dimensions);
  mr_ints rhs_batch = mr_op_ints(op, MR_ATTR_rhs_batching_dimensions);
  int64_t storage[2];
  mr_ints lhs_dims = lhs_contracting(op, &storage[0]), rhs_dims = rhs_contracting(op, &storage[1]);
  const mr_ix *a[MR_MAX_RANK] = {0}, *b[MR_MAX_RANK] = {0};
  uint32_t next = 0;
  for (size_t i = 0; i < lhs_batch.size; i++) {
    a[lhs_batch.data[i]] = b[rhs_batch.data[i]] = at.at[next++];
  }
  for (uint32_t i = 0; i < red->rank; i++) {
    a[lhs_dims.data[red->dim[i]]] = b[rhs_dims.data[red->dim[i]]] = r[i];
  }
  for (uint32_t d = 0; d < lhs->rank; d++) {
    if (!a[d]) {
      a[d] = at.at[next++];
    }
  }
  for (uint32_t d = 0; d < rhs->rank; d++) {
    if (!b[d]) {
      b[d] = at.at[next++];
    }
  }
  terms[0] = product(lw, red, mr_at(lhs->rank, a), mr_at(rhs->rank, b));
}

static void convolution_terms(mr_lower *lw, const mr_red *red, mr_index at, const mr_ix *const *r, mr_elem *terms) {
  const mr_op *op = red->op;
  const mr_type *x = &mr_op_operand(op, 0)->type, *kernel = &mr_op_operand(op, 1)->type;
  mr_ints in = mr_op_ints(op, MR_ATTR_input_spatial_dimensions),
          out = mr_op_ints(op, MR_ATTR_output_spatial_dimensions);
  mr_ints ks = mr_op_ints(op, MR_ATTR_kernel_spatial_dimensions), padding = mr_op_ints(op, MR_ATTR_padding);
  mr_ints strides = mr_op_ints(op, MR_ATTR_window_strides), lhs_dilation = mr_op_ints(op, MR_ATTR_lhs_dilation);
  mr_ints rhs_dilation = mr_op_ints(op, MR_ATTR_rhs_dilation), reversal = mr_op_ints(op, MR_ATTR_window_reversal);
  int64_t kernel_out = mr_op_int(op, MR_ATTR_kernel_output_feature_dimension, 0);
  int64_t kernel_in = mr_op_int(op, MR_ATTR_kernel_input_feature_dimension, 0);
  int64_t feature_groups = mr_op_int(op, MR_ATTR_feature_group_count, 1);
  int64_t batch_groups = mr_op_int(op, MR_ATTR_batch_group_count, 1);
  int64_t features = kernel->dims[kernel_out];
  const mr_ix *a[MR_MAX_RANK], *b[MR_MAX_RANK];
  const mr_ix *batch = at.at[mr_op_int(op, MR_ATTR_output_batch_dimension, 0)];
  const mr_ix *feature = at.at[mr_op_int(op, MR_ATTR_output_feature_dimension, 0)];
  const mr_ix *channel = r[red->rank - 1];
  if (feature_groups > 1) {
    const mr_ix *group = mr_ix_div(&lw->ix, feature, features / feature_groups);
    channel = mr_ix_add(&lw->ix, channel, mr_ix_scale(&lw->ix, group, kernel->dims[kernel_in]));
  }
  int64_t batch_dim = mr_op_int(op, MR_ATTR_input_batch_dimension, 0);
  if (batch_groups > 1) {
    const mr_ix *group = mr_ix_div(&lw->ix, feature, features / batch_groups);
    batch = mr_ix_add(&lw->ix, batch, mr_ix_scale(&lw->ix, group, x->dims[batch_dim] / batch_groups));
  }
  a[batch_dim] = batch;
  a[mr_op_int(op, MR_ATTR_input_feature_dimension, 0)] = channel;
  b[kernel_out] = feature;
  b[kernel_in] = r[red->rank - 1];
  mr_lv condition = 0;
  terms[0] = mr_lw_constant(lw, red->acc[0], 0);
  for (size_t i = 0; i < in.size; i++) {
    const mr_ix *p = mr_ix_add(&lw->ix, mr_ix_scale(&lw->ix, at.at[out.data[i]], int_at(strides, i, 1)),
                               mr_ix_scale(&lw->ix, r[i], int_at(rhs_dilation, i, 1)));
    p = mr_ix_plus(&lw->ix, p, -int_at(padding, 2 * i, 0));
    b[ks.data[i]] = r[i];
    if (int_at(reversal, i, 0)) {
      b[ks.data[i]] = mr_ix_plus(&lw->ix, mr_ix_scale(&lw->ix, r[i], -1), kernel->dims[ks.data[i]] - 1);
    }
    if (!dilated(lw, p, x->dims[in.data[i]], int_at(lhs_dilation, i, 1), &a[in.data[i]], &condition)) {
      return;
    }
  }
  if (!condition) {
    terms[0] = product(lw, red, mr_at(x->rank, a), mr_at(kernel->rank, b));
    return;
  }
  mr_elem var = mr_lw_var(lw, terms[0]);
  mr_lw_if(lw, condition);
  mr_lw_set(lw, var, product(lw, red, mr_at(x->rank, a), mr_at(kernel->rank, b)));
  mr_lw_end(lw);
  terms[0] = mr_lw_get(lw, var);
}

// ---- By the op ------------------------------------------------------------------------------------------------------------

// Those of which ops.def says that an element is a `reduction`.
typedef struct rule {
  void (*describe)(mr_red *red);
  void (*terms)(mr_lower *lw, const mr_red *red, mr_index at, const mr_ix *const *r, mr_elem *terms);
} rule;

static const rule rules[MR_OP_COUNT] = {
    [MR_OP_reduce] = {describe_reduce, reduce_terms},
    [MR_OP_reduce_window] = {describe_window, window_terms},
    [MR_OP_dot] = {describe_dot, dot_terms},
    [MR_OP_dot_general] = {describe_dot, dot_terms},
    [MR_OP_convolution] = {describe_convolution, convolution_terms},
};

bool mr_red_describe(mr_lower *lw, const mr_op *op, mr_red *red) {
  memset(red, 0, sizeof *red);
  red->op = op;
  red->simple = MR_OP_COUNT;
  red->n = op->num_results;
  red->acc = mr_lw_alloc(lw, 2 * ((size_t)red->n + 1) * sizeof *red->acc);
  red->term = red->acc + red->n;
  if (!rules[op->kind].describe) {
    mr_lw_fail(lw, mr_error(MR_UNIMPLEMENTED, "%s as a reduction", mr_op_table[op->kind].spelling));
    return false;
  }
  rules[op->kind].describe(red);
  return true;
}

// mr_red_describe has refused all others.
void mr_red_terms(mr_lower *lw, const mr_red *red, mr_index at, const mr_ix *const *r, mr_elem *terms) {
  rules[red->op->kind].terms(lw, red, at, r, terms);
}

// ---- In local memory ----------------------------------------------------------------------------------------------------

mr_elem mr_red_load(mr_lower *lw, const mr_red *red, const mr_red_memory *memory, uint32_t i, mr_lv at) {
  mr_elem e = {mr_l_load(lw->p, memory->re[i], at), 0};
  if (mr_dtype_is_complex(red->acc[i])) {
    e.im = mr_l_load(lw->p, memory->im[i], at);
  }
  return e;
}

void mr_red_store(mr_lower *lw, const mr_red *red, const mr_red_memory *memory, uint32_t i, mr_lv at, mr_elem e) {
  mr_l_store(lw->p, memory->re[i], at, e.re);
  if (mr_dtype_is_complex(red->acc[i])) {
    mr_l_store(lw->p, memory->im[i], at, e.im);
  }
}
