// A scatter of one window as an update slice, of which any part can be chosen or added to. The place is known when the program runs: where
// the scatter would skip the window, what was there is written.
#include "compiler/passes/simplify.h"
#include "compiler/passes/update.h"

typedef struct window {
  int64_t sizes[MR_MAX_RANK];
  mr_value *starts[MR_MAX_RANK];
  mr_value *fits;    // a scalar
  mr_value *update;  // of the window's sizes
  mr_value *kept;    // what the base has there
} window;

// The most that an index of this type may say, if that is less.
static int64_t most_of(mr_dtype dtype, int64_t most) {
  unsigned bits = mr_dtype_bits(dtype) - (mr_dtype_is_signed(dtype) ? 1 : 0);
  return bits >= 63 ? most : MR_MIN(most, (INT64_C(1) << bits) - 1);
}

static mr_value *is_inside(mr_builder *b, mr_value *start, int64_t most) {
  bool is_signed = mr_dtype_is_signed(start->type.dtype);
  int compare = is_signed ? MR_COMPARE_SIGNED : MR_COMPARE_UNSIGNED;
  mr_value *last = mr_build_splat_int(b, &start->type, most_of(start->type.dtype, most));
  mr_value *inside = mr_build_compare(b, MR_COMPARE_LE, compare, start, last);
  if (is_signed) {
    mr_value *zero = mr_build_splat_int(b, &start->type, 0);
    inside = mr_build_binary(b, MR_OP_and, inside, mr_build_compare(b, MR_COMPARE_GE, compare, start, zero));
  }
  return inside;
}

static bool find_window(mr_builder *b, const mr_op *scatter, mr_value *base, window *w) {
  const mr_type *type = &base->type;
  mr_value *indices = mr_op_operand(scatter, 1);
  mr_ints map = mr_op_ints(scatter, MR_ATTR_scatter_dims_to_operand_dims);
  if (!mr_scatter_window(scatter, w->sizes) || map.size == 0) {
    return false;
  }
  mr_starts_of_window(b, indices, map, type->rank, w->starts);
  for (size_t i = 0; i < map.size; i++) {
    int64_t d = map.data[i];
    mr_value *inside = w->starts[d] ? is_inside(b, w->starts[d], type->dims[d] - w->sizes[d]) : NULL;
    w->fits = w->fits ? mr_build_binary(b, MR_OP_and, w->fits, inside) : inside;
  }
  w->update = mr_build_reshape(b, mr_op_operand(scatter, 2), type->rank, w->sizes);
  w->kept = w->fits ? mr_build_dynamic_slice(b, base, w->starts, w->sizes) : NULL;
  return w->kept && w->update;
}

mr_value *mr_update_window_where(mr_builder *b, const mr_op *scatter, mr_value *base, mr_value *condition,
                                 bool wanted) {
  window w = {0};
  bool stores = mr_scatter_stores(scatter);
  mr_op_kind kind = stores ? MR_OP_COUNT : mr_scatter_combines_by(scatter);
  if ((!stores && kind == MR_OP_COUNT) || !find_window(b, scatter, base, &w)) {
    return NULL;
  }
  mr_update_part part = mr_update_part_window(&base->type, w.sizes, w.starts);
  mr_value *here = mr_update_part_of(b, condition, &part);
  mr_value *made = stores ? w.update : mr_build_binary(b, kind, w.kept, w.update);
  mr_value *inside = mr_build_select(b, w.fits, made, w.kept);
  mr_value *chosen = mr_build_select(b, here, wanted ? inside : w.kept, wanted ? w.kept : inside);
  return mr_build_dynamic_update_slice(b, base, chosen, w.starts);
}

mr_value *mr_update_window_sum(mr_builder *b, const mr_op *scatter, mr_value *base, mr_value *there) {
  window w = {0};
  if (!mr_scatter_stores(scatter) || !find_window(b, scatter, base, &w)) {
    return NULL;
  }
  mr_update_part part = mr_update_part_window(&base->type, w.sizes, w.starts);
  mr_value *was = there == base ? w.kept : mr_update_part_of(b, there, &part);
  mr_value *sum = mr_build_binary(b, MR_OP_add, was, w.update);
  return mr_build_dynamic_update_slice(b, base, mr_build_select(b, w.fits, sum, w.kept), w.starts);
}
