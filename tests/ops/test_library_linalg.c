// Factorisations and solvers of the library: residuals in double precision, for every type.
#include "tests/ops/matrices.h"

// ---- Cholesky ---------------------------------------------------------------------------------------------------------

static void cholesky_case(mr_dtype type, int64_t batch, int64_t n, bool lower) {
  void *a = random_matrix(type, batch * n * n), *factor = empty(type, batch * n * n);
  make_definite(type, a, batch, n);
  mr_cholesky_desc desc = {.dtype = type, .batch = batch, .n = n, .lower = lower};
  mr_library_call *call = NULL;
  assert_null(mr_cholesky_create(&desc, &call));
  number *wanted = copy_of(type, a, 0, batch * n, n);
  for (int64_t i = 0; i < batch * n * n; i++) {  // the other triangle is not looked at
    int64_t row = i / n % n, column = i % n;
    if (lower ? column > row : column < row) {
      set(type, a, i, NAN);
    }
  }
  run(call, (void *const[]){a, factor});
  for (int64_t b = 0; b < batch; b++) {
    number *l = copy_of(type, factor, b * n * n, n, n);
    for (int64_t i = 0; i < n * n; i++) {
      assert_true((lower ? i % n <= i / n : i % n >= i / n) || l[i] == 0);
    }
    number *flipped = matrix(n, n);
    for (int64_t i = 0; i < n * n; i++) {  // u = l^H
      flipped[i] = lower ? l[i] : conj(l[i % n * n + i / n]);
    }
    number *part = matrix(n, n);
    memcpy(part, wanted + b * n * n, (size_t)(n * n) * sizeof *part);
    check(type, times(flipped, flipped, n, n, n, true), part, n * n);
    free(l);
    free(flipped);
  }
  free(wanted);
  free(a);
  free(factor);
}

// l l^H is the matrix, for sizes of the plain loops, of LAPACK and of blocks, for either triangle.
static void test_cholesky(void **state) {
  (void)state;
  static const int64_t sizes[] = {1, 2, 5, 16, 17, 60, 150};
  for (size_t t = 0; t < MR_ARRAY_SIZE(types); t++) {
    for (size_t s = 0; s < MR_ARRAY_SIZE(sizes); s++) {
      cholesky_case(types[t], 3, sizes[s], true);
      cholesky_case(types[t], 1, sizes[s], false);
    }
  }
}

// A matrix that is not positive definite becomes all NaN; its neighbours in the batch do not mind.
static void test_cholesky_of_an_indefinite_matrix(void **state) {
  (void)state;
  for (size_t t = 0; t < MR_ARRAY_SIZE(types); t++) {
    static const int64_t sizes[] = {4, 20, 100};
    for (size_t s = 0; s < MR_ARRAY_SIZE(sizes); s++) {
      int64_t n = sizes[s], bad = n * n + (n - 2) * (n + 1);
      void *a = empty(types[t], 2 * n * n), *factor = empty(types[t], 2 * n * n);
      for (int64_t i = 0; i < 2 * n * n; i++) {
        set(types[t], a, i, i % (n * n) % (n + 1) != 0 ? 0 : i == bad ? -1 : 4);
      }
      mr_library_call *call = NULL;
      assert_null(mr_cholesky_create(&(mr_cholesky_desc){.dtype = types[t], .batch = 2, .n = n, .lower = true}, &call));
      run(call, (void *const[]){a, factor});
      for (int64_t i = 0; i < n * n; i++) {
        assert_true(get(types[t], factor, i) == (i % (n + 1) == 0 ? 2 : 0));
        assert_true(isnan(creal(get(types[t], factor, n * n + i))));
      }
      free(a);
      free(factor);
    }
  }
}

// ---- Triangular systems -------------------------------------------------------------------------------------------------

// op(a) with the other triangle cleared and, when asked for, ones on the diagonal.
static number *triangle(const mr_solve_desc *d, const void *a, int64_t batch) {
  int64_t n = d->n;
  number *x = copy_of(d->dtype, a, batch * n * n, n, n), *out = matrix(n, n);
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j < n; j++) {
      number value = i == j && d->unit_diagonal ? 1 : (d->lower ? j <= i : j >= i) ? x[i * n + j] : 0;
      if (d->transpose == MR_TRANSPOSE_NONE) {
        out[i * n + j] = value;
      } else {
        out[j * n + i] = d->transpose == MR_TRANSPOSE_ADJOINT ? conj(value) : value;
      }
    }
  }
  free(x);
  return out;
}

static void solve_case(mr_solve_desc d) {
  int64_t n = d.n, rhs = d.rhs;
  void *a = random_matrix(d.dtype, d.batch * n * n), *b = random_matrix(d.dtype, d.batch * n * rhs);
  void *x = empty(d.dtype, d.batch * n * rhs);
  for (int64_t i = 0; i < d.batch * n * n; i++) {  // small beside the diagonal: well conditioned
    set(d.dtype, a, i, i % (n * n) % (n + 1) == 0 ? 2 : get(d.dtype, a, i) / (double)n);
  }
  mr_library_call *call = NULL;
  assert_null(mr_solve_create(&d, &call));
  run(call, (void *const[]){a, b, x});
  for (int64_t i = 0; i < d.batch; i++) {
    number *t = triangle(&d, a, i), *solution = copy_of(d.dtype, x, i * n * rhs, n, rhs);
    number *product = d.left ? times(t, solution, n, n, rhs, false) : times(solution, t, rhs, n, n, false);
    check(d.dtype, product, copy_of(d.dtype, b, i * n * rhs, n, rhs), n * rhs);
    free(t);
    free(solution);
  }
  free(a);
  free(b);
  free(x);
}

// Every combination of side, triangle, transposition and diagonal; small, larger, and cut over cores.
static void test_solve(void **state) {
  (void)state;
  for (size_t t = 0; t < MR_ARRAY_SIZE(types); t++) {
    for (int form = 0; form < 24; form++) {
      mr_solve_desc d = {.dtype = types[t],
                         .batch = 2,
                         .n = 5,
                         .rhs = 3,
                         .left = form & 1,
                         .lower = form & 2,
                         .unit_diagonal = form & 4,
                         .transpose = (mr_transpose)(1 + form / 8)};
      solve_case(d);
      d.n = 30;
      d.rhs = 7;
      solve_case(d);
      d.batch = 1;
      d.n = 70;
      d.rhs = 1;
      solve_case(d);
      d.n = 140;
      d.rhs = 190;
      solve_case(d);
    }
  }
}

// ---- Edges ------------------------------------------------------------------------------------------------------------------

// Arrays without elements are fine; other element types are refused by name.
static void test_edges(void **state) {
  (void)state;
  char nothing[64];
  mr_library_call *call = NULL;
  assert_null(mr_cholesky_create(&(mr_cholesky_desc){.dtype = MR_F32, .batch = 3, .n = 0}, &call));
  run(call, (void *const[]){nothing, nothing});
  assert_null(mr_solve_create(
      &(mr_solve_desc){.dtype = MR_C64, .batch = 1, .n = 3, .rhs = 0, .transpose = MR_TRANSPOSE_NONE}, &call));
  run(call, (void *const[]){nothing, nothing, nothing});
  call_lapack((mr_lapack_desc){.routine = MR_LAPACK_GEQRF, .dtype = MR_F64, .batch = 0, .m = 3, .n = 3},
              (void *const[]){nothing, nothing, nothing});
  call_lapack((mr_lapack_desc){.routine = MR_LAPACK_GEQRF, .dtype = MR_F64, .batch = 1, .m = 0, .n = 3},
              (void *const[]){nothing, nothing, nothing});
  mr_status status = mr_cholesky_create(&(mr_cholesky_desc){.dtype = MR_BF16, .batch = 1, .n = 4}, &call);
  assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
  assert_non_null(strstr(mr_status_message(status), "bf16"));
  mr_status_free(status);
}

// LAPACK counts its work space in int: where that is too narrow the routine is refused, and just below it gets what it wants.
static void test_work_space_beyond_an_int(void **state) {
  (void)state;
  static const struct {
    mr_lapack_routine routine;
    char mode;
    int64_t m, n, fits;  // `fits`: instead of n
  } cases[] = {{MR_LAPACK_GESDD, 'A', 40000, 40000, 15000},
               {MR_LAPACK_GESDD, 'S', 30000, 30000, 20000},
               {MR_LAPACK_GESDD, 'S', 1 << 20, 1 << 15, 2000},
               {MR_LAPACK_SYEVD, 'V', 33000, 33000, 32000}};
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases) * MR_ARRAY_SIZE(types); i++) {
    size_t c = i / MR_ARRAY_SIZE(types);
    mr_lapack_desc d = {.routine = cases[c].routine,
                        .dtype = types[i % MR_ARRAY_SIZE(types)],
                        .batch = 1,
                        .m = cases[c].m,
                        .n = cases[c].n,
                        .mode = cases[c].mode,
                        .uplo = 'L'};
    mr_library_call *call = NULL;
    mr_status status = mr_lapack_create(&d, &call);
    assert_int_equal(mr_status_code(status), MR_UNIMPLEMENTED);
    mr_status_free(status);
    d.m = d.m == d.n ? cases[c].fits : d.m;
    d.n = cases[c].fits;
    assert_null(mr_lapack_create(&d, &call));
    // The matrix, and work space that grows with the square of the shorter side.
    assert_true(call->scratch_bytes >= (size_t)(d.m * d.n + d.n * d.n) * mr_dtype_bytes(d.dtype));
    mr_library_call_destroy(call);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cholesky),
      cmocka_unit_test(test_cholesky_of_an_indefinite_matrix),
      cmocka_unit_test(test_solve),
      cmocka_unit_test(test_edges),
      cmocka_unit_test(test_work_space_beyond_an_int),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
