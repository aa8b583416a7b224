// LAPACK's routines as the library calls them: residuals in double precision, for every type.
#include <dirent.h>
#include <unistd.h>

#include "ops/library/dnnl.h"
#include "ops/library/isa.h"
#include "tests/ops/matrices.h"

// l l^H is the matrix, from the triangle that is named; the other one stays as it was. A failure is in info.
static void test_lapack_cholesky(void **state) {
  (void)state;
  for (size_t t = 0; t < MR_ARRAY_SIZE(types); t++) {
    for (int lower = 0; lower < 2; lower++) {
      int64_t n = 9;
      mr_dtype type = types[t];
      void *a = random_matrix(type, 2 * n * n), *factor = empty(type, 2 * n * n);
      make_definite(type, a, 2, n);
      set(type, a, n * n + n + 1, -1);  // the second matrix fails in its second row
      int info[2];
      call_lapack(
          (mr_lapack_desc){
              .routine = MR_LAPACK_POTRF, .dtype = type, .batch = 2, .m = n, .n = n, .uplo = lower ? 'L' : 'U'},
          (void *const[]){a, factor, info});
      assert_int_equal(info[0], 0);
      assert_int_equal(info[1], 2);
      number *l = matrix(n, n);
      for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j <= i; j++) {
          l[i * n + j] = lower ? get(type, factor, i * n + j) : conj(get(type, factor, j * n + i));
          assert_true(i == j ||
                      get(type, factor, lower ? j * n + i : i * n + j) == get(type, a, lower ? j * n + i : i * n + j));
        }
      }
      check(type, times(l, l, n, n, n, true), copy_of(type, a, 0, n, n), n * n);
      free(l);
      free(a);
      free(factor);
    }
  }
}

// The same system through trsm's letters and through triangular_solve's description has the same answer, bit for bit.
static void test_lapack_solve(void **state) {
  (void)state;
  for (int form = 0; form < 24; form++) {
    int64_t m = 6, n = 4;
    bool left = form & 1, lower = form & 2, unit = form & 4;
    int64_t size = left ? m : n;
    void *a = random_matrix(MR_C64, size * size), *b = random_matrix(MR_C64, m * n);
    float complex x[24], y[24];
    call_lapack((mr_lapack_desc){.routine = MR_LAPACK_TRSM,
                                 .dtype = MR_C64,
                                 .batch = 1,
                                 .m = m,
                                 .n = n,
                                 .side = left ? 'L' : 'R',
                                 .uplo = lower ? 'L' : 'U',
                                 .diag = unit ? 'U' : 'N',
                                 .trans = "NTC"[form / 8]},
                (void *const[]){a, b, x});
    mr_library_call *call = NULL;
    assert_null(mr_solve_create(&(mr_solve_desc){.dtype = MR_C64,
                                                 .batch = 1,
                                                 .n = size,
                                                 .rhs = left ? n : m,
                                                 .left = left,
                                                 .lower = lower,
                                                 .unit_diagonal = unit,
                                                 .transpose = (mr_transpose)(1 + form / 8)},
                                &call));
    run(call, (void *const[]){a, b, y});
    assert_memory_equal(x, y, sizeof x);
    free(a);
    free(b);
  }
}

static int count_threads(void) {
  DIR *tasks = opendir("/proc/self/task");
  int count = 0;
  assert_non_null(tasks);
  for (const struct dirent *entry; (entry = readdir(tasks));) {
    count += entry->d_name[0] != '.';
  }
  closedir(tasks);
  return count;
}

// OpenBLAS starts no threads, and what it is told when it is opened is not told it through the environment, which other threads
// of the process may be reading. The first test, because it opens it.
static void test_opening_blas_leaves_the_process_alone(void **state) {
  (void)state;
  enum { SIZE = 400, VARIABLES = 1000 };
  static const char *before[VARIABLES];
  static double a[SIZE * SIZE], c[SIZE * SIZE];
  int variables = 0, threads = count_threads();
  char **place = environ;
  for (; variables < VARIABLES && environ[variables]; variables++) {
    before[variables] = environ[variables];
  }
  mr_dgemm_fn dgemm = NULL;
  assert_null(mr_blas_open(&dgemm));
  dgemm(101, 111, 111, SIZE, SIZE, SIZE, 1.0, a, SIZE, a, SIZE, 0.0, c, SIZE);
  assert_int_equal(count_threads(), threads);
  assert_ptr_equal(environ, place);
  for (int i = 0; i < variables; i++) {
    assert_ptr_equal(environ[i], before[i]);
  }
}

// OpenBLAS knows processors by their model numbers; one that it does not know gets kernels that this processor has long
// outgrown, unless it is told.
static void test_blas_kernels_fit_the_processor(void **state) {
  (void)state;
  if (mr_isa_best() < MR_VECTORS_AVX2) {
    skip();
  }
  void *symbol = NULL;
  assert_null(mr_blas_symbol("openblas_get_corename", &symbol));
  char *(*corename)(void);
  memcpy(&corename, &symbol, sizeof corename);
  static const char *const old[] = {"Prescott", "Core2", "Penryn", "Nehalem", "Sandybridge", "Generic"};
  for (size_t i = 0; i < MR_ARRAY_SIZE(old); i++) {
    assert_string_not_equal(corename(), old[i]);
  }
}

// q r is the matrix and q^H q is one, where q is made from the reflectors.
static void test_qr(void **state) {
  (void)state;
  static const int64_t shapes[][2] = {{1, 1}, {5, 3}, {4, 4}, {40, 33}};
  for (size_t t = 0; t < MR_ARRAY_SIZE(types); t++) {
    for (size_t s = 0; s < MR_ARRAY_SIZE(shapes); s++) {
      int64_t m = shapes[s][0], n = shapes[s][1], batch = 3;
      mr_dtype type = types[t];
      void *a = random_matrix(type, batch * m * n), *packed = empty(type, batch * m * n), *tau = empty(type, batch * n);
      void *q = empty(type, batch * m * n);
      mr_lapack_desc d = {.routine = MR_LAPACK_GEQRF, .dtype = type, .batch = batch, .m = m, .n = n, .k = n};
      call_lapack(d, (void *const[]){a, packed, tau});
      d.routine = MR_LAPACK_ORGQR;
      call_lapack(d, (void *const[]){packed, tau, q});
      for (int64_t b = 0; b < batch; b++) {
        number *r = copy_of(type, packed, b * m * n, n, n), *basis = copy_of(type, q, b * m * n, m, n);
        for (int64_t i = 0; i < n * n; i++) {
          r[i] = i % n >= i / n ? r[i] : 0;
        }
        check(type, times(basis, r, m, n, n, false), copy_of(type, a, b * m * n, m, n), m * n);
        number *turned = matrix(n, m), *one = matrix(n, n);
        for (int64_t i = 0; i < m * n; i++) {
          turned[i % n * m + i / n] = conj(basis[i]);
        }
        for (int64_t i = 0; i < n; i++) {
          one[i * n + i] = 1;
        }
        check(type, times(turned, turned, n, m, n, true), one, n * n);
        free(turned);
        free(basis);
        free(r);
      }
      free(a);
      free(packed);
      free(tau);
      free(q);
    }
  }
}

static void lu_case(mr_dtype type, int64_t batch, int64_t m, int64_t n) {
  int64_t least = MR_MIN(m, n);
  void *a = random_matrix(type, batch * m * n), *packed = empty(type, batch * m * n);
  int *pivots = empty(MR_S32, batch * least), *info = empty(MR_S32, batch);
  call_lapack((mr_lapack_desc){.routine = MR_LAPACK_GETRF, .dtype = type, .batch = batch, .m = m, .n = n},
              (void *const[]){a, packed, pivots, info});
  for (int64_t b = 0; b < batch; b++) {
    assert_int_equal(info[b], 0);
    number *rows = copy_of(type, a, b * m * n, m, n), *factors = copy_of(type, packed, b * m * n, m, n);
    number *l = matrix(m, least), *u = matrix(least, n);
    for (int64_t i = 0; i < m * n; i++) {
      int64_t row = i / n, column = i % n;
      if (column < row) {
        l[row * least + column] = factors[i];
        assert_true(cabs(factors[i]) < 1.5);  // the largest of its column was the pivot; complex ones by |re| + |im|
      } else {
        u[i] = factors[i];
      }
    }
    for (int64_t i = 0; i < least; i++) {
      int64_t other = pivots[b * least + i] - 1;
      l[i * least + i] = 1;
      assert_true(other >= i && other < m);
      for (int64_t j = 0; j < n; j++) {
        number kept = rows[i * n + j];
        rows[i * n + j] = rows[other * n + j];
        rows[other * n + j] = kept;
      }
    }
    check(type, times(l, u, m, least, n, false), rows, m * n);
    free(factors);
    free(l);
    free(u);
  }
  free(a);
  free(packed);
  free(pivots);
  free(info);
}

// l u is the matrix with its rows exchanged as the pivots say: plain loops, one panel, blocks; tall and wide.
static void test_lu(void **state) {
  (void)state;
  for (size_t t = 0; t < MR_ARRAY_SIZE(types); t++) {
    lu_case(types[t], 1, 7, 5);
    lu_case(types[t], 5, 4, 4);
    lu_case(types[t], 3, 20, 30);
    lu_case(types[t], 1, 150, 150);
    lu_case(types[t], 1, 210, 120);
    lu_case(types[t], 1, 110, 290);
  }
}

// A column of zeros is named in info, and the rest is factored all the same.
static void test_lu_of_a_singular_matrix(void **state) {
  (void)state;
  static const int64_t sizes[] = {6, 40, 150};
  for (size_t t = 0; t < MR_ARRAY_SIZE(types); t++) {
    for (size_t s = 0; s < MR_ARRAY_SIZE(sizes); s++) {
      int64_t n = sizes[s];
      void *a = random_matrix(types[t], n * n), *packed = empty(types[t], n * n);
      int *pivots = empty(MR_S32, n), info = 0;
      for (int64_t i = 0; i < n; i++) {
        set(types[t], a, i * n + 3, 0);
      }
      call_lapack((mr_lapack_desc){.routine = MR_LAPACK_GETRF, .dtype = types[t], .batch = 1, .m = n, .n = n},
                  (void *const[]){a, packed, pivots, &info});
      assert_int_equal(info, 4);
      for (int64_t i = 0; i < n * n; i++) {
        assert_true(isfinite(creal(get(types[t], packed, i))));
      }
      free(a);
      free(packed);
      free(pivots);
    }
  }
}

// a v = v w, for a Hermitian matrix.
static void test_eigenvalues_of_a_hermitian_matrix(void **state) {
  (void)state;
  for (size_t t = 0; t < MR_ARRAY_SIZE(types); t++) {
    int64_t n = 12, batch = 2;
    mr_dtype type = types[t], real = mr_dtype_real(type);
    void *a = random_matrix(type, batch * n * n), *v = empty(type, batch * n * n), *w = empty(real, batch * n);
    int info[2];
    make_definite(type, a, batch, n);
    call_lapack(
        (mr_lapack_desc){
            .routine = MR_LAPACK_SYEVD, .dtype = type, .batch = batch, .m = n, .n = n, .mode = 'V', .uplo = 'L'},
        (void *const[]){a, v, w, info});
    for (int64_t b = 0; b < batch; b++) {
      number *matrix_a = copy_of(type, a, b * n * n, n, n), *vectors = copy_of(type, v, b * n * n, n, n);
      number *product = times(matrix_a, vectors, n, n, n, false);
      for (int64_t i = 0; i < n * n; i++) {
        vectors[i] *= get(real, w, b * n + i % n);
      }
      check(type, product, vectors, n * n);
      assert_int_equal(info[b], 0);
      free(matrix_a);
    }
    free(a);
    free(v);
    free(w);
  }
}

// u s v^H is the matrix, for thin and full factors; without factors the values are the same.
static void test_singular_values(void **state) {
  (void)state;
  for (size_t t = 0; t < MR_ARRAY_SIZE(types); t++) {
    for (int shape = 0; shape < 4; shape++) {
      int64_t m = shape & 1 ? 4 : 9, n = shape & 1 ? 7 : 6, least = MR_MIN(m, n);
      mr_dtype type = types[t], real = mr_dtype_real(type);
      char mode = shape & 2 ? 'S' : 'A';
      int64_t uc = mode == 'S' ? least : m;
      void *a = random_matrix(type, m * n), *left = empty(type, m * n), *s = empty(real, least),
           *only = empty(real, least);
      void *u = empty(type, m * m), *vt = empty(type, n * n);
      int info[1];
      mr_lapack_desc d = {.routine = MR_LAPACK_GESDD, .dtype = type, .batch = 1, .m = m, .n = n, .mode = mode};
      call_lapack(d, (void *const[]){a, left, s, u, vt, info});
      assert_int_equal(info[0], 0);
      number *us = matrix(m, least), *v = copy_of(type, vt, 0, least, n);
      for (int64_t i = 0; i < m * least; i++) {
        us[i] = get(type, u, i / least * uc + i % least) * get(real, s, i % least);
      }
      check(type, times(us, v, m, least, n, false), copy_of(type, a, 0, m, n), m * n);
      d.mode = 'N';
      call_lapack(d, (void *const[]){a, left, only, u, vt, info});
      check(type, copy_of(real, only, 0, 1, least), copy_of(real, s, 0, 1, least), least);
      free(us);
      free(v);
      free(a);
      free(left);
      free(s);
      free(only);
      free(u);
      free(vt);
    }
  }
}

// a v = v w for a matrix with complex eigenvalues, and u^H a = w u^H.
static void test_eigenvalues(void **state) {
  (void)state;
  for (size_t t = 0; t < MR_ARRAY_SIZE(types); t++) {
    int64_t n = 9;
    mr_dtype type = types[t];
    bool real = type == mr_dtype_real(type);
    mr_dtype complex_type = mr_dtype_real(type) == MR_F64 ? MR_C128 : MR_C64;
    void *a = random_matrix(type, n * n), *wr = empty(type, n), *wi = empty(type, n);
    void *vl = empty(complex_type, n * n), *vr = empty(complex_type, n * n);
    int info[1];
    mr_lapack_desc d = {
        .routine = MR_LAPACK_GEEV, .dtype = type, .batch = 1, .m = n, .n = n, .left = 'V', .right = 'V'};
    call_lapack(d, real ? (void *const[]){a, wr, wi, vl, vr, info} : (void *const[]){a, wr, vl, vr, info, NULL});
    assert_int_equal(info[0], 0);
    number *matrix_a = copy_of(type, a, 0, n, n), *right = copy_of(complex_type, vr, 0, n, n);
    number *left = copy_of(complex_type, vl, 0, n, n), *turned = matrix(n, n);
    number *product = times(matrix_a, right, n, n, n, false);
    for (int64_t i = 0; i < n * n; i++) {
      right[i] *= get(type, wr, i % n) + (real ? get(type, wi, i % n) * I : 0);
      turned[i % n * n + i / n] = conj(left[i]);
    }
    check(type, product, right, n * n);
    product = times(turned, matrix_a, n, n, n, false);
    for (int64_t i = 0; i < n * n; i++) {
      turned[i] *= get(type, wr, i / n) + (real ? get(type, wi, i / n) * I : 0);
    }
    check(type, product, turned, n * n);
    free(matrix_a);
    free(left);
    free(a);
    free(wr);
    free(wi);
    free(vl);
    free(vr);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_opening_blas_leaves_the_process_alone),
      cmocka_unit_test(test_lapack_cholesky),
      cmocka_unit_test(test_lapack_solve),
      cmocka_unit_test(test_blas_kernels_fit_the_processor),
      cmocka_unit_test(test_qr),
      cmocka_unit_test(test_lu),
      cmocka_unit_test(test_lu_of_a_singular_matrix),
      cmocka_unit_test(test_eigenvalues_of_a_hermitian_matrix),
      cmocka_unit_test(test_singular_values),
      cmocka_unit_test(test_eigenvalues),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
