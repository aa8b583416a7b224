// dgemm_kernel: a tile of a product of doubles that stays in registers. Included once for each instruction set, with LANES and
// ROWS defined: the tile is ROWS x 3 vectors.
//
// Row r of a is a_row elements behind the one before, a step of k a_step; b has three vectors for each step; c is row-major.
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef double loose __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double))));
enum { VECTORS = 3 };

static void tile(int64_t k, const double *restrict a, int64_t a_row, int64_t a_step, const double *restrict b,
                 double *restrict c, int64_t c_lead, bool add) {
  lanes sum[ROWS][VECTORS] = {0};
  for (int64_t step = 0; step < k; step++, a += a_step, b += (ptrdiff_t)VECTORS * LANES) {
    const lanes *right = (const lanes *)(const void *)b;
    lanes x = right[0], y = right[1], z = right[2];
#pragma GCC unroll 16
    for (int r = 0; r < ROWS; r++) {
      double factor = a[r * a_row];
      sum[r][0] += factor * x;
      sum[r][1] += factor * y;
      sum[r][2] += factor * z;
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < ROWS; r++) {
    loose *to = (loose *)(void *)(c + r * c_lead);
#pragma GCC unroll 3
    for (int v = 0; v < VECTORS; v++) {
      to[v] = add ? to[v] + sum[r][v] : sum[r][v];
    }
  }
}

// A panel of b from rows of k that are k_stride elements apart.
static void pack_rows(int64_t k, const double *restrict from, int64_t k_stride, double *restrict to) {
  for (int64_t step = 0; step < k; step++, from += k_stride, to += (ptrdiff_t)VECTORS * LANES) {
#pragma GCC unroll 3
    for (int v = 0; v < VECTORS; v++) {
      ((lanes *)(void *)to)[v] = ((const loose *)(const void *)from)[v];
    }
  }
}
