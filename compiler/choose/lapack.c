// JAX's LAPACK calls, the two QR calls of platforms without them, and Eigh as a pass has made it: descriptors from custom_call ops.
//
// The calls were made for a handler that knows no row-major matrices: their layouts say that every matrix is column-major.
// The values are the same in any order of memory, so for us the layouts are only something to insist on.
#include "compiler/choose/linalg.h"
#include "ops/library/linalg.h"

// One operand or result of a routine: a batch of arrays with these trailing dimensions.
typedef struct port {
  mr_dtype dtype;
  int rank;  // 0: one number, 1: a vector, 2: a matrix
  int64_t dims[2];
} port;

enum { MAX_PORTS = 8 };

typedef struct form {
  port ports[MAX_PORTS];  // operands, then results
  uint32_t operands, total;
} form;

static void add(form *f, mr_dtype dtype, int rank, int64_t first, int64_t second) {
  f->ports[f->total++] = (port){dtype, rank, {first, second}};
}

// ---- What each routine takes and gives --------------------------------------------------------------------------------------

static mr_dtype complex_of(mr_dtype dtype) { return mr_dtype_real(dtype) == MR_F64 ? MR_C128 : MR_C64; }

static void results_of(const mr_lapack_desc *d, form *f) {
  mr_dtype t = d->dtype, real = mr_dtype_real(t);
  int64_t m = d->m, n = d->n, least = MR_MIN(m, n);
  switch (d->routine) {
  case MR_LAPACK_POTRF: add(f, t, 2, n, n); break;
  case MR_LAPACK_GETRF:
    add(f, t, 2, m, n);
    add(f, MR_S32, 1, least, 0);
    break;
  case MR_LAPACK_GEQRF:
    add(f, t, 2, m, n);
    add(f, t, 1, least, 0);
    return;
  case MR_LAPACK_ORGQR:
  case MR_LAPACK_TRSM: add(f, t, 2, m, n); return;
  case MR_LAPACK_SYEVD:
    add(f, t, 2, n, n);
    add(f, real, 1, n, 0);
    break;
  case MR_LAPACK_GESDD:
    add(f, t, 2, m, n);
    add(f, real, 1, least, 0);
    add(f, t, 2, m, d->mode == 'S' ? least : m);
    add(f, t, 2, d->mode == 'S' ? least : n, n);
    break;
  case MR_LAPACK_GEEV:
    add(f, t, 1, n, 0);
    if (t == real) {
      add(f, t, 1, n, 0);
    }
    add(f, complex_of(t), 2, n, n);
    add(f, complex_of(t), 2, n, n);
    break;
  case MR_LAPACK_COUNT: return;
  }
  add(f, MR_S32, 0, 0, 0);  // info
}

static form form_of(const mr_lapack_desc *d) {
  form f = {0};
  if (d->routine == MR_LAPACK_TRSM) {
    int64_t size = d->side == 'L' ? d->m : d->n;
    add(&f, d->dtype, 2, size, size);
  }
  add(&f, d->dtype, 2, d->m, d->n);
  if (d->routine == MR_LAPACK_ORGQR) {
    add(&f, d->dtype, 1, d->k, 0);
  }
  f.operands = f.total;
  results_of(d, &f);
  return f;
}

// ---- Comparing the op with it -----------------------------------------------------------------------------------------------

static bool fits(const mr_type *type, const port *wanted, const mr_type *batch) {
  uint32_t lead = batch->rank - 2;
  if (type->kind != MR_TYPE_TENSOR || type->dtype != wanted->dtype || type->rank != lead + (uint32_t)wanted->rank) {
    return false;
  }
  for (uint32_t i = 0; i < type->rank; i++) {
    if (type->dims[i] != (i < lead ? batch->dims[i] : wanted->dims[i - lead])) {
      return false;
    }
  }
  return true;
}

// Minor to major: rows, columns, then the batch from the last dimension on.
static bool is_column_major(mr_ints layout, uint32_t rank) {
  for (uint32_t i = 0; i < rank && layout.size == rank; i++) {
    int64_t wanted = i == 0 ? rank - 2 : i == 1 ? rank - 1 : rank - 1 - i;
    if (layout.data[i] != wanted) {
      return false;
    }
  }
  return layout.size == rank;
}

static bool has_layout(const mr_attr *layouts, uint32_t index, const mr_type *type, const port *wanted) {
  bool given = layouts && layouts->kind == MR_ATTR_ARRAY && index < layouts->count;
  return wanted->rank < 2 || (given && layouts->items[index].kind == MR_ATTR_INTS &&
                              is_column_major(layouts->items[index].ints, type->rank));
}

static mr_status check_form(const mr_op *op, const form *f, bool with_layouts) {
  const mr_attr *in = mr_op_attr(op, MR_ATTR_operand_layouts), *out = mr_op_attr(op, MR_ATTR_result_layouts);
  const mr_type *batch = &mr_op_operand(op, f->operands - 1)->type;
  batch = f->ports[f->operands - 1].rank == 2 ? batch : &mr_op_operand(op, 0)->type;
  bool good = op->num_operands == f->operands && op->num_results == f->total - f->operands;
  for (uint32_t i = 0; good && i < f->total; i++) {
    bool result = i >= f->operands;
    uint32_t index = result ? i - f->operands : i;
    const mr_type *type = result ? &op->results[index].type : &mr_op_operand(op, index)->type;
    good =
        fits(type, &f->ports[i], batch) && (!with_layouts || has_layout(result ? out : in, index, type, &f->ports[i]));
  }
  return good
             ? MR_OK
             : mr_error(MR_UNIMPLEMENTED, "custom call %.*s with these types or layouts is not implemented on millrace",
                        MR_STR_ARG(mr_op_string(op, MR_ATTR_call_target_name)));
}

// ---- Descriptors --------------------------------------------------------------------------------------------------------------

typedef struct target {
  const char *name;
  mr_lapack_routine routine;
  mr_dtype dtype;  // MR_INVALID: that of the operand
} target;

#define REAL(name, routine) \
  {"lapack_s" name "_ffi", MR_LAPACK_##routine, MR_F32}, { "lapack_d" name "_ffi", MR_LAPACK_##routine, MR_F64 }
#define COMPLEX(name, routine) \
  {"lapack_c" name "_ffi", MR_LAPACK_##routine, MR_C64}, { "lapack_z" name "_ffi", MR_LAPACK_##routine, MR_C128 }
static const target targets[] = {
    REAL("potrf", POTRF),
    COMPLEX("potrf", POTRF),
    REAL("getrf", GETRF),
    COMPLEX("getrf", GETRF),
    REAL("geqrf", GEQRF),
    COMPLEX("geqrf", GEQRF),
    REAL("orgqr", ORGQR),
    COMPLEX("ungqr", ORGQR),
    REAL("trsm", TRSM),
    COMPLEX("trsm", TRSM),
    REAL("syevd", SYEVD),
    COMPLEX("heevd", SYEVD),
    REAL("gesdd", GESDD),
    COMPLEX("gesdd", GESDD),
    REAL("geev", GEEV),
    COMPLEX("geev", GEEV),
    {"Eigh", MR_LAPACK_SYEVD, MR_INVALID},
    {"Qr", MR_LAPACK_GEQRF, MR_INVALID},
    {"ProductOfElementaryHouseholderReflectors", MR_LAPACK_ORGQR, MR_INVALID},
};
#undef REAL
#undef COMPLEX

static const target *find_target(mr_str name) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(targets); i++) {
    if (mr_str_is(name, targets[i].name)) {
      return &targets[i];
    }
  }
  return NULL;
}

// A character of the call's dictionary, which must be one of `allowed`; the first of them when it is not there.
static mr_status letter(const mr_op *op, const char *name, const char *allowed, char *out) {
  const mr_attr *config = mr_op_attr(op, MR_ATTR_backend_config);
  config = config && config->kind == MR_ATTR_DICT ? config : mr_op_extra(op, "mhlo.backend_config");
  const mr_attr *value = config && config->kind == MR_ATTR_DICT ? mr_dict_find(config, name) : NULL;
  *out = allowed[0];
  if (value && value->kind == MR_ATTR_INT) {
    for (const char *c = allowed; *c; c++) {
      if (value->integer == *c) {
        *out = *c;
        return MR_OK;
      }
    }
    return mr_error(MR_UNIMPLEMENTED, "custom call with %s = %lld is not implemented on millrace", name,
                    (long long)value->integer);
  }
  return MR_OK;
}

static mr_status read_letters(const mr_op *op, mr_lapack_desc *d) {
  MR_TRY(letter(op, "uplo", "LU", &d->uplo));
  MR_TRY(letter(op, "side", "LR", &d->side));
  MR_TRY(letter(op, "trans_x", "NTC", &d->trans));
  MR_TRY(letter(op, "diag", "NU", &d->diag));
  if (d->routine == MR_LAPACK_SYEVD) {
    MR_TRY(letter(op, "mode", "VN", &d->mode));
  } else if (d->routine == MR_LAPACK_GESDD) {
    MR_TRY(letter(op, "mode", "ASN", &d->mode));
  }
  MR_TRY(letter(op, "compute_left", "NV", &d->left));
  return letter(op, "compute_right", "NV", &d->right);
}

static mr_status read_sizes(const mr_op *op, mr_lapack_desc *d) {
  uint32_t which = d->routine == MR_LAPACK_TRSM ? 1 : 0;
  bool two = d->routine == MR_LAPACK_TRSM || d->routine == MR_LAPACK_ORGQR;
  const mr_type *a = op->num_operands == (two ? 2u : 1u) ? &mr_op_operand(op, which)->type : NULL;
  if (!a || a->kind != MR_TYPE_TENSOR || a->rank < 2 || !mr_type_is_static(a)) {
    return mr_error(MR_UNIMPLEMENTED, "custom call %.*s with these operands is not implemented on millrace",
                    MR_STR_ARG(mr_op_string(op, MR_ATTR_call_target_name)));
  }
  d->m = a->dims[a->rank - 2];
  d->n = a->dims[a->rank - 1];
  d->batch = 1;
  for (uint32_t i = 0; i + 2 < a->rank; i++) {
    d->batch *= a->dims[i];
  }
  d->dtype = d->dtype == MR_INVALID ? a->dtype : d->dtype;
  if (d->routine == MR_LAPACK_ORGQR) {
    const mr_type *tau = &mr_op_operand(op, 1)->type;
    d->k = tau->kind == MR_TYPE_TENSOR && tau->rank > 0 ? tau->dims[tau->rank - 1] : 0;
  }
  return MR_OK;
}

static bool sizes_allowed(const mr_lapack_desc *d) {
  bool square = d->routine == MR_LAPACK_POTRF || d->routine == MR_LAPACK_SYEVD || d->routine == MR_LAPACK_GEEV;
  bool reflectors = d->k >= 0 && d->k <= d->n && d->n <= d->m;
  return (!square || d->m == d->n) && (d->routine != MR_LAPACK_ORGQR || reflectors);
}

mr_status mr_choose_lapack_call(const mr_op *op, mr_library_call **out_call) {
  const target *found = find_target(mr_op_string(op, MR_ATTR_call_target_name));
  *out_call = NULL;
  if (!found) {
    return MR_OK;
  }
  mr_lapack_desc desc = {.routine = found->routine, .dtype = found->dtype};
  MR_TRY(read_sizes(op, &desc));
  MR_TRY(read_letters(op, &desc));
  form f = form_of(&desc);
  MR_TRY(check_form(op, &f, found->dtype != MR_INVALID));
  if (!sizes_allowed(&desc)) {
    return mr_error(MR_INVALID_ARGUMENT, "%s of a %lld x %lld matrix", found->name, (long long)desc.m,
                    (long long)desc.n);
  }
  if (desc.routine == MR_LAPACK_SYEVD && mr_value_is_unused(&op->results[0])) {
    desc.mode = 'N';  // jnp.linalg.eigvalsh asks for the vectors and drops them
  }
  return mr_lapack_create(&desc, out_call);
}
