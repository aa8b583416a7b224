// Products of rows by group: chlo.ragged_dot where the groups are of rows, each with a matrix of its own. How long they are is
// known when it runs, the library's products are made for a number of rows each: there is one for each power of two, and a
// group is cut into those its length is the sum of.
#include <string.h>

#include "compiler/choose/choose.h"
#include "compiler/ir/dot.h"

enum { MOST_CALLS = 31 };

typedef struct ragged {
  mr_library_call base;
  int64_t rows, columns, sum, groups;
  size_t unit;    // bytes of an element
  int num_calls;  // of 1, 2, 4, .. rows; the last has at most all of them
  mr_library_call *calls[MOST_CALLS];
} ragged;

// Rows [begin, end) times the matrix at `b`.
static mr_status multiply(const ragged *r, const char *a, const char *b, char *c, int64_t begin, int64_t end,
                          void *scratch, mr_group *group) {
  for (int i = r->num_calls; i-- > 0;) {
    const mr_library_call *call = r->calls[i];
    for (; end - begin >= INT64_C(1) << i; begin += INT64_C(1) << i) {
      void *buffers[3] = {(void *)(uintptr_t)(a + (size_t)(begin * r->sum) * r->unit), (void *)(uintptr_t)b,
                          c + (size_t)(begin * r->columns) * r->unit};
      MR_TRY(call->run(call, buffers, scratch, group));
    }
  }
  return MR_OK;
}

// buffers: the rows, the matrices, the lengths of the groups; the result. Rows that are in no group are zero.
static mr_status run(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  const ragged *r = (const ragged *)call;
  const int32_t *lengths = buffers[2];
  const char *b = buffers[1];
  char *c = buffers[3];
  int64_t at = 0;
  for (int64_t g = 0; g < r->groups; g++) {
    int64_t end = MR_MIN(r->rows, at + MR_MAX(lengths[g], 0));
    MR_TRY(multiply(r, buffers[0], b + (size_t)(g * r->sum * r->columns) * r->unit, c, at, end, scratch, group));
    at = end;
  }
  memset(c + (size_t)(at * r->columns) * r->unit, 0, (size_t)((r->rows - at) * r->columns) * r->unit);
  return MR_OK;
}

static void destroy(mr_library_call *call) {
  ragged *r = (ragged *)call;
  for (int i = 0; i < r->num_calls; i++) {
    mr_library_call_destroy(r->calls[i]);
  }
  mr_free(r);
}

// The rewrite (decompose_chlo.c) leaves these alone, and has made other ops of the rest.
bool mr_choose_wants_ragged_dot(const mr_op *op) { return mr_dot_is_rows_by_group(op); }

mr_status mr_choose_make_ragged_dot(const mr_op *op, mr_library_call **out_call) {
  const mr_type *a = &mr_op_operand(op, 0)->type, *b = &mr_op_operand(op, 1)->type;
  ragged *r = mr_alloc_zeroed(1, sizeof *r);
  if (!r) {
    return MR_NO_MEMORY();
  }
  int64_t m = a->dims[0], k = a->dims[1], n = b->dims[2];
  r->base = (mr_library_call){.run = run, .destroy = destroy, .foreign = true, .name = "ragged_dot"};
  r->rows = m;
  r->sum = k;
  r->columns = n;
  r->groups = b->dims[0];
  r->unit = mr_dtype_bytes(a->dtype);
  for (; r->num_calls < MOST_CALLS && INT64_C(1) << r->num_calls <= m; r->num_calls++) {
    int64_t rows = INT64_C(1) << r->num_calls;
    mr_matmul_desc desc = {.a = a->dtype,
                           .b = a->dtype,
                           .c = a->dtype,
                           .batch = 1,
                           .m = rows,
                           .n = n,
                           .k = k,
                           .a_stride = {rows * k, k, 1},
                           .b_stride = {k * n, n, 1},
                           .c_stride = {rows * n, n, 1}};
    mr_status status = mr_matmul_create(&desc, &r->calls[r->num_calls]);
    if (status) {
      destroy(&r->base);
      return status;
    }
    const mr_library_call *call = r->calls[r->num_calls];
    r->base.scratch_bytes = MR_MAX(r->base.scratch_bytes, call->scratch_bytes);
    r->base.flops = call->flops / (uint64_t)rows * (uint64_t)m;
    r->base.cost_ns = call->cost_ns * (uint64_t)m / (uint64_t)rows;
  }
  *out_call = &r->base;
  return MR_OK;
}
