// Types: making, comparing, sizes, text.
#include "compiler/ir/ir.h"

#include <stdio.h>
#include <string.h>

static bool ints_equal(const int64_t *a, const int64_t *b, uint32_t n) {
  return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

bool mr_quant_equal(const mr_quant *a, const mr_quant *b) {
  if (a == b) {
    return true;
  }
  if (!a || !b || a->expressed != b->expressed || a->storage_min != b->storage_min ||
      a->storage_max != b->storage_max || a->axis != b->axis || a->count != b->count) {
    return false;
  }
  return memcmp(a->scales, b->scales, a->count * sizeof *a->scales) == 0 &&
         memcmp(a->zero_points, b->zero_points, a->count * sizeof *a->zero_points) == 0;
}

static bool has_bound(const mr_type *type) {
  for (uint32_t i = 0; type->bounds && i < type->rank; i++) {
    if (type->bounds[i] != MR_DYNAMIC) {
      return true;
    }
  }
  return false;
}

static bool bounds_equal(const mr_type *a, const mr_type *b) {
  bool in_a = has_bound(a), in_b = has_bound(b);
  return in_a == in_b && (!in_a || ints_equal(a->bounds, b->bounds, a->rank));
}

bool mr_type_equal(const mr_type *a, const mr_type *b) {
  if (a->kind != b->kind) {
    return false;
  }
  if (a->kind == MR_TYPE_TENSOR) {
    return a->dtype == b->dtype && mr_type_same_dims(a, b) && bounds_equal(a, b) && mr_quant_equal(a->quant, b->quant);
  }
  if (a->kind == MR_TYPE_TOKEN) {
    return true;
  }
  if (a->rank != b->rank) {
    return false;
  }
  // Tuples nest as deep as the reader lets types nest.
  for (uint32_t i = 0; i < a->rank; i++) {
    if (!mr_type_equal(&a->elements[i], &b->elements[i])) {
      return false;
    }
  }
  return true;
}

bool mr_type_same_dims(const mr_type *a, const mr_type *b) {
  return a->rank == b->rank && ints_equal(a->dims, b->dims, a->rank);
}

// A size that one side does not know may be the other's, up to the bound.
static bool sizes_agree(const mr_type *a, const mr_type *b, uint32_t i) {
  if (a->dims[i] == b->dims[i]) {
    return true;
  }
  const mr_type *unknown = a->dims[i] < 0 ? a : b, *known = unknown == a ? b : a;
  bool bounded = unknown->bounds && unknown->bounds[i] >= 0;
  return unknown->dims[i] < 0 && (known->dims[i] < 0 || !bounded || known->dims[i] <= unknown->bounds[i]);
}

bool mr_type_compatible(const mr_type *a, const mr_type *b) {
  if (a->kind != b->kind || (a->kind != MR_TYPE_TOKEN && a->rank != b->rank)) {
    return false;
  }
  if (a->kind == MR_TYPE_TENSOR) {
    for (uint32_t i = 0; i < a->rank; i++) {
      if (!sizes_agree(a, b, i)) {
        return false;
      }
    }
    return a->dtype == b->dtype && !a->quant == !b->quant;
  }
  for (uint32_t i = 0; a->kind != MR_TYPE_TOKEN && i < a->rank; i++) {
    if (!mr_type_compatible(&a->elements[i], &b->elements[i])) {
      return false;
    }
  }
  return true;
}

bool mr_type_is_static(const mr_type *type) {
  if (type->kind == MR_TYPE_TENSOR) {
    for (uint32_t i = 0; i < type->rank; i++) {
      if (type->dims[i] < 0) {
        return false;
      }
    }
    return true;
  }
  for (uint32_t i = 0; type->kind != MR_TYPE_TOKEN && i < type->rank; i++) {
    if (!mr_type_is_static(&type->elements[i])) {
      return false;
    }
  }
  return true;
}

int64_t mr_type_count(const mr_type *type) {
  int64_t count = 0;
  if (type->kind != MR_TYPE_TENSOR || !mr_dims_count(type->dims, type->rank, &count)) {
    return 0;
  }
  return count;
}

size_t mr_type_bytes(const mr_type *type) {
  return type->kind == MR_TYPE_TENSOR ? (size_t)mr_type_count(type) * mr_dtype_bytes(type->dtype) : 0;
}

static int64_t *copy_dims(mr_module *module, const int64_t *dims, uint32_t rank) {
  if (rank == 0 || !dims) {
    return NULL;
  }
  int64_t *copy = mr_arena_copy(&module->arena, dims, rank * sizeof *dims);
  module->out_of_memory |= !copy;
  return copy;
}

mr_type mr_type_tensor(mr_module *module, mr_dtype dtype, uint32_t rank, const int64_t *dims) {
  int64_t *copy = copy_dims(module, dims, rank);
  return (mr_type){.kind = MR_TYPE_TENSOR, .dtype = dtype, .rank = copy ? rank : 0, .dims = copy};
}

mr_type mr_type_scalar(mr_dtype dtype) { return (mr_type){.kind = MR_TYPE_TENSOR, .dtype = dtype}; }

mr_type mr_type_token(void) { return (mr_type){.kind = MR_TYPE_TOKEN, .dtype = MR_TOKEN}; }

mr_type mr_type_with_dtype(const mr_type *type, mr_dtype dtype) {
  mr_type out = *type;
  out.dtype = dtype;
  out.quant = NULL;
  return out;
}

mr_type mr_type_copy(mr_module *module, const mr_type *type) {
  mr_type out = *type;
  if (type->kind == MR_TYPE_TENSOR) {
    module->made_types |=
        (type->quant ? MR_MADE_QUANTISED : 0) | (mr_dtype_is_complex(type->dtype) ? MR_MADE_COMPLEX : 0);
    for (uint32_t d = 0; d < type->rank; d++) {
      module->made_types |= type->dims[d] < 0 ? MR_MADE_OPEN : 0;
    }
    out.dims = copy_dims(module, type->dims, type->rank);
    out.bounds = copy_dims(module, type->bounds, type->rank);
    out.rank = out.dims ? type->rank : 0;
    return out;
  }
  module->made_types |= type->kind == MR_TYPE_TOKEN ? 0 : MR_MADE_AGGREGATES;
  if (type->kind == MR_TYPE_TOKEN || type->rank == 0) {
    return out;
  }
  mr_type *elements = mr_arena_array(&module->arena, mr_type, type->rank);
  module->out_of_memory |= !elements;
  out.rank = elements ? type->rank : 0;
  for (uint32_t i = 0; i < out.rank; i++) {
    elements[i] = mr_type_copy(module, &type->elements[i]);
  }
  out.elements = elements;
  return out;
}

typedef struct cursor {
  char *at;
  size_t left;  // including the NUL
} cursor;

__attribute__((format(printf, 2, 3))) static void put(cursor *c, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int wrote = vsnprintf(c->at, c->left, format, args);
  va_end(args);
  size_t step = wrote < 0 ? 0 : MR_MIN((size_t)wrote, c->left - 1);
  c->at += step;
  c->left -= step;
}

static void put_quant(cursor *c, const mr_type *type) {
  const mr_quant *q = type->quant;
  put(c, "!quant.uniform<%s<%lld:%lld>:%s", mr_dtype_name(type->dtype), (long long)q->storage_min,
      (long long)q->storage_max, mr_dtype_name(q->expressed));
  if (q->axis >= 0) {
    put(c, ":%lld", (long long)q->axis);
  }
  put(c, q->axis >= 0 ? ", {" : ", ");
  for (size_t i = 0; i < q->count; i++) {
    put(c, "%s%.17e:%lld", i ? ", " : "", q->scales[i], (long long)q->zero_points[i]);
  }
  put(c, q->axis >= 0 ? "}>" : ">");
}

static void put_type(cursor *c, const mr_type *type) {
  if (type->kind == MR_TYPE_TOKEN) {
    put(c, "!stablehlo.token");
    return;
  }
  if (type->kind != MR_TYPE_TENSOR) {
    put(c, type->kind == MR_TYPE_TUPLE ? "tuple<" : "!stablehlo.future<");
    for (uint32_t i = 0; i < type->rank && c->left > 1; i++) {
      put(c, i ? ", " : "");
      put_type(c, &type->elements[i]);
    }
    put(c, ">");
    return;
  }
  put(c, "tensor<");
  for (uint32_t i = 0; i < type->rank; i++) {
    if (type->dims[i] < 0) {
      put(c, "?x");
    } else {
      put(c, "%lldx", (long long)type->dims[i]);
    }
  }
  if (type->quant) {
    put_quant(c, type);
  } else {
    put(c, "%s", mr_dtype_name(type->dtype));
  }
  if (has_bound(type)) {
    put(c, ", #stablehlo.bounds<");
    for (uint32_t i = 0; i < type->rank; i++) {
      put(c, i ? ", " : "");
      if (type->bounds[i] == MR_DYNAMIC) {
        put(c, "?");
      } else {
        put(c, "%lld", (long long)type->bounds[i]);
      }
    }
    put(c, ">");
  }
  put(c, ">");
}

const char *mr_type_text(const mr_type *type, char *buffer, size_t size) {
  cursor c = {buffer, size};
  buffer[0] = '\0';
  put_type(&c, type);
  return buffer;
}
