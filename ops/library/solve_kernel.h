// solve_kernel: a small triangle against as many columns as fit the registers. Included once for each element type and
// instruction set, with REAL, LANES and NAME() defined.
//
// The triangle is packed: each row has its factors, then the inverse of its diagonal element; unknowns are found from the
// first to the last.
typedef REAL NAME(lanes) __attribute__((vector_size(LANES * sizeof(REAL))));

static void NAME(solve)(const void *packed, int64_t n, void *x) {
  enum { WIDTH = 4 };
  const REAL *row = packed;
  NAME(lanes) *to = x;
  for (int64_t i = 0; i < n; i++, to += WIDTH) {
    NAME(lanes) a = to[0], b = to[1], c = to[2], d = to[3];
    const NAME(lanes) *from = x;
    for (int64_t k = 0; k < i; k++, from += WIDTH) {
      REAL factor = *row++;
      a -= factor * from[0];
      b -= factor * from[1];
      c -= factor * from[2];
      d -= factor * from[3];
    }
    REAL inverse = *row++;
    to[0] = a * inverse;
    to[1] = b * inverse;
    to[2] = c * inverse;
    to[3] = d * inverse;
  }
}

#undef REAL
#undef LANES
#undef NAME
