// Coordinates of places: one number, or a vector of them along a dimension of the indices.
#include "compiler/shard/local_index.h"

#include "compiler/ir/scalar.h"

// The numbers, one for each coordinate, spread over the indices' type.
static mr_value *per_coordinate(mr_part *p, const mr_type *type, const mr_local_places *places,
                                const int64_t *numbers) {
  bool alike = true;
  for (size_t i = 1; i < places->dims.size; i++) {
    alike = alike && numbers[i] == numbers[0];
  }
  if (places->dims.size == 0 || alike) {
    return mr_build_splat_int(&p->b, type, places->dims.size ? numbers[0] : 0);
  }
  int64_t count = (int64_t)places->dims.size;
  mr_type vector = mr_type_tensor(p->module, type->dtype, 1, &count);
  int32_t narrow[MR_MAX_RANK];
  for (int64_t i = 0; i < count; i++) {
    narrow[i] = (int32_t)numbers[i];
  }
  mr_dense dense = mr_dense_make(p->module, &vector, type->dtype == MR_S32 ? (const void *)narrow : numbers);
  return p->module->out_of_memory ? NULL
                                  : mr_build_along(&p->b, mr_build_constant(&p->b, &dense), type, places->vector);
}

static int64_t largest_place(const mr_local_places *places, size_t i) {
  int64_t dim = places->dims.data[i];
  return places->array->dims[dim] - (places->windows ? places->windows[dim] : 1);
}

// Unsigned numbers beyond the signed ones are brought to the border before they are converted.
static mr_value *as_signed(mr_part *p, mr_value *x, mr_dtype dtype, int64_t border) {
  mr_dtype had = x->type.dtype;
  if ((had == MR_U32 && dtype == MR_S32) || had == MR_U64) {
    x = mr_build_binary(&p->b, MR_OP_minimum, x, mr_build_splat_int(&p->b, &x->type, border));
  }
  return x ? mr_build_convert(&p->b, x, dtype) : NULL;
}

mr_value *mr_local_coordinates(mr_part *p, mr_value *indices, const mr_local_places *places, bool clamps) {
  if (!indices) {
    return NULL;
  }
  int64_t most[MR_MAX_RANK], zero[MR_MAX_RANK] = {0}, border = 0;
  bool wide = indices->type.dtype == MR_S64 || indices->type.dtype == MR_U64;
  for (size_t i = 0; i < places->dims.size; i++) {
    most[i] = largest_place(places, i);
    border = MR_MAX(border, places->array->dims[places->dims.data[i]]);
  }
  // A place behind the array's end stays there.
  wide = wide || border > INT32_MAX / 2;
  mr_value *x = as_signed(p, indices, wide ? MR_S64 : MR_S32, border);
  if (!x || !clamps) {
    return x;
  }
  x = mr_build_binary(&p->b, MR_OP_minimum, x, per_coordinate(p, &x->type, places, most));
  return x ? mr_build_binary(&p->b, MR_OP_maximum, x, per_coordinate(p, &x->type, places, zero)) : NULL;
}

static int64_t part_size(const mr_part *p, const mr_local_places *places, int64_t dim) {
  if (!places->counts[dim]) {
    return places->array->dims[dim];
  }
  return mr_ceil_div(places->array->dims[dim], mr_atoms_shards(p->grid, &places->tiling->dims[dim]));
}

// Where the part begins, one number for each coordinate.
static mr_value *begins(mr_part *p, const mr_type *type, const mr_local_places *places) {
  mr_type scalar = mr_type_scalar(type->dtype);
  const int64_t one = 1;
  mr_value *numbers[MR_MAX_RANK];
  for (size_t i = 0; i < places->dims.size; i++) {
    int64_t dim = places->dims.data[i];
    const mr_atoms none = {0}, *atoms = places->counts[dim] ? &places->tiling->dims[dim] : &none;
    numbers[i] = mr_build_splat_int(&p->b, &scalar, part_size(p, places, dim));
    mr_value *shard = mr_build_convert(&p->b, mr_spread_index(&p->spread, atoms), type->dtype);
    numbers[i] = mr_build_binary(&p->b, MR_OP_multiply, numbers[i], shard);
    if (places->vector < type->rank && numbers[i]) {
      numbers[i] = mr_build_reshape(&p->b, numbers[i], 1, &one);
    }
    if (!numbers[i]) {
      return NULL;
    }
  }
  if (places->vector >= type->rank) {
    return mr_build_spread(&p->b, numbers[0], type);
  }
  mr_value *all = mr_build_concatenate(&p->b, (uint32_t)places->dims.size, numbers, 0);
  return all ? mr_build_along(&p->b, all, type, places->vector) : NULL;
}

mr_value *mr_local_relative(mr_part *p, mr_value *coordinates, const mr_local_places *places) {
  return coordinates && places->dims.size
             ? mr_build_binary(&p->b, MR_OP_subtract, coordinates, begins(p, &coordinates->type, places))
             : coordinates;
}

mr_value *mr_local_is_inside(mr_part *p, mr_value *relative, const mr_local_places *places) {
  if (!relative) {
    return NULL;
  }
  int64_t sizes[MR_MAX_RANK], zero[MR_MAX_RANK] = {0};
  for (size_t i = 0; i < places->dims.size; i++) {
    // In a dimension that is not cut a place is inside: it was clamped.
    sizes[i] = part_size(p, places, places->dims.data[i]);
  }
  mr_value *low = mr_build_compare(&p->b, MR_COMPARE_GE, MR_COMPARE_SIGNED, relative,
                                   per_coordinate(p, &relative->type, places, zero));
  mr_value *high = mr_build_compare(&p->b, MR_COMPARE_LT, MR_COMPARE_SIGNED, relative,
                                    per_coordinate(p, &relative->type, places, sizes));
  mr_value *inside = mr_build_binary(&p->b, MR_OP_and, low, high);
  if (!inside || places->vector >= relative->type.rank) {
    return inside;
  }
  mr_type scalar = mr_type_scalar(MR_PRED);
  return mr_build_reduce(&p->b, MR_OP_and, inside, mr_build_splat_int(&p->b, &scalar, 1),
                         (mr_ints){&places->vector, 1});
}
