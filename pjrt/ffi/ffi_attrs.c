// Attributes of a custom call as FFI handlers read them: typed scalars and arrays, strings, dictionaries.
#include <string.h>

#include "compiler/ir/ir.h"
#include "pjrt/ffi/ffi.h"

// ORDER xla type: XLA's numbers for our element types.
int mr_pjrt_ffi_dtype(mr_dtype dtype) {
  static const uint8_t numbers[MR_DTYPE_COUNT] = {
      [MR_PRED] = 1,        [MR_S8] = 2,          [MR_S16] = 3,
      [MR_S32] = 4,         [MR_S64] = 5,         [MR_U8] = 6,
      [MR_U16] = 7,         [MR_U32] = 8,         [MR_U64] = 9,
      [MR_F16] = 10,        [MR_F32] = 11,        [MR_F64] = 12,
      [MR_C64] = 15,        [MR_BF16] = 16,       [MR_TOKEN] = 17,
      [MR_C128] = 18,       [MR_F8E5M2] = 19,     [MR_F8E4M3FN] = 20,
      [MR_S4] = 21,         [MR_U4] = 22,         [MR_F8E4M3B11FNUZ] = 23,
      [MR_F8E5M2FNUZ] = 24, [MR_F8E4M3FNUZ] = 25, [MR_S2] = 26,
      [MR_U2] = 27,         [MR_F8E4M3] = 28,     [MR_F8E3M4] = 29,
      [MR_S1] = 30,         [MR_U1] = 31,         [MR_F4E2M1FN] = 32,
      [MR_F8E8M0FNU] = 33,
  };
  return numbers[dtype];
}

// An integer in as many bytes as its type has; the machine is little-endian.
static void store_integer(void *out, int64_t value, size_t bytes) { memcpy(out, &value, bytes); }

static mr_status store_float(void *out, double value, mr_dtype dtype) {
  float single = (float)value;
  if (dtype == MR_F64) {
    memcpy(out, &value, sizeof value);
  } else if (dtype == MR_F32) {
    memcpy(out, &single, sizeof single);
  } else {
    return mr_error(MR_UNIMPLEMENTED, "FFI attribute of type %s", mr_dtype_name(dtype));
  }
  return MR_OK;
}

static mr_status read_scalar(mr_arena *arena, const mr_attr *attr, void **out_value) {
  XLA_FFI_Scalar *scalar = mr_arena_new(arena, XLA_FFI_Scalar);
  void *value = mr_arena_alloc(arena, 16);
  if (!scalar || !value) {
    return MR_NO_MEMORY();
  }
  bool is_int = attr->kind == MR_ATTR_INT;
  mr_dtype dtype = attr->dtype != MR_INVALID ? attr->dtype : is_int ? MR_S64 : MR_F64;
  if (is_int) {
    store_integer(value, attr->integer, mr_dtype_bytes(dtype));
  } else {
    MR_TRY(store_float(value, attr->number, dtype));
  }
  *scalar = (XLA_FFI_Scalar){.dtype = mr_pjrt_ffi_dtype(dtype), .value = value};
  *out_value = scalar;
  return MR_OK;
}

static mr_status read_ints(mr_arena *arena, const mr_attr *attr, void **out_value) {
  mr_dtype dtype = attr->dtype != MR_INVALID ? attr->dtype : MR_S64;
  size_t bytes = mr_dtype_bytes(dtype);
  XLA_FFI_Array *array = mr_arena_new(arena, XLA_FFI_Array);
  char *data = mr_arena_alloc(arena, MR_MAX(attr->ints.size * bytes, 1));
  if (!array || !data) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < attr->ints.size; i++) {
    store_integer(data + i * bytes, attr->ints.data[i], bytes);
  }
  *array = (XLA_FFI_Array){.dtype = mr_pjrt_ffi_dtype(dtype), .size = attr->ints.size, .data = data};
  *out_value = array;
  return MR_OK;
}

static mr_status read_dense(mr_arena *arena, const mr_attr *attr, void **out_value) {
  const mr_dense *dense = &attr->dense;
  size_t bytes = mr_dtype_bytes(dense->type.dtype), count = (size_t)mr_type_count(&dense->type);
  XLA_FFI_Array *array = mr_arena_new(arena, XLA_FFI_Array);
  char *data = mr_arena_alloc(arena, MR_MAX(count * bytes, 1));
  if (!array || !data) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    memcpy(data + i * bytes, (const char *)dense->data + (dense->splat ? 0 : i * bytes), bytes);
  }
  *array = (XLA_FFI_Array){.dtype = mr_pjrt_ffi_dtype(dense->type.dtype), .size = count, .data = data};
  *out_value = array;
  return MR_OK;
}

static mr_status make_span(mr_arena *arena, mr_str text, XLA_FFI_ByteSpan **out_span) {
  *out_span = mr_arena_new(arena, XLA_FFI_ByteSpan);
  mr_str copy = mr_arena_str(arena, text);
  if (!*out_span || (!copy.data && text.size)) {
    return MR_NO_MEMORY();
  }
  **out_span = (XLA_FFI_ByteSpan){.ptr = copy.data ? copy.data : "", .len = copy.size};
  return MR_OK;
}

static mr_status read_attr(mr_arena *arena, const mr_attr *attr, int *out_type, void **out_value) {
  switch (attr->kind) {
  case MR_ATTR_INT:
  case MR_ATTR_FLOAT: *out_type = XLA_FFI_ATTR_SCALAR; return read_scalar(arena, attr, out_value);
  case MR_ATTR_INTS: *out_type = XLA_FFI_ATTR_ARRAY; return read_ints(arena, attr, out_value);
  case MR_ATTR_DENSE: *out_type = XLA_FFI_ATTR_ARRAY; return read_dense(arena, attr, out_value);
  case MR_ATTR_STRING:
    *out_type = XLA_FFI_ATTR_STRING;
    return make_span(arena, attr->string, (XLA_FFI_ByteSpan **)out_value);
  case MR_ATTR_DICT:
    *out_type = XLA_FFI_ATTR_DICTIONARY;
    *out_value = mr_arena_new(arena, XLA_FFI_Attrs);
    return *out_value ? mr_pjrt_ffi_attrs(arena, attr, *out_value) : MR_NO_MEMORY();
  case MR_ATTR_UNIT:
  case MR_ATTR_ARRAY:
  case MR_ATTR_TYPE:
  case MR_ATTR_TEXT: break;
  }
  return mr_error(MR_UNIMPLEMENTED, "FFI attribute '%.*s': only scalars, numeric arrays, strings and dictionaries",
                  MR_STR_ARG(attr->name));
}

static bool comes_before(mr_str a, mr_str b) {
  int order = memcmp(a.data, b.data, MR_MIN(a.size, b.size));
  return order ? order < 0 : a.size < b.size;
}

// Handlers look names up by position in sorted order. Dictionaries are short: insertion.
static mr_status sort_items(mr_arena *arena, const mr_attr *dict, const mr_attr ***out_sorted) {
  const mr_attr **sorted = mr_arena_array(arena, const mr_attr *, dict->count + 1);
  if (!sorted) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < dict->count; i++) {
    size_t at = i;
    while (at > 0 && comes_before(dict->items[i].name, sorted[at - 1]->name)) {
      sorted[at] = sorted[at - 1];
      at--;
    }
    sorted[at] = &dict->items[i];
  }
  *out_sorted = sorted;
  return MR_OK;
}

mr_status mr_pjrt_ffi_attrs(mr_arena *arena, const mr_attr *dict, XLA_FFI_Attrs *out) {
  size_t count = dict ? dict->count : 0;
  *out = (XLA_FFI_Attrs){.struct_size = sizeof *out,
                         .size = (int64_t)count,
                         .types = mr_arena_array(arena, int, count + 1),
                         .names = mr_arena_array(arena, XLA_FFI_ByteSpan *, count + 1),
                         .attrs = mr_arena_array(arena, void *, count + 1)};
  if (!out->types || !out->names || !out->attrs) {
    return MR_NO_MEMORY();
  }
  const mr_attr **sorted = NULL;
  if (count > 0) {
    MR_TRY(sort_items(arena, dict, &sorted));
  }
  for (size_t i = 0; i < count; i++) {
    MR_TRY(make_span(arena, sorted[i]->name, &out->names[i]));
    MR_TRY(read_attr(arena, sorted[i], &out->types[i], &out->attrs[i]));
  }
  return MR_OK;
}
