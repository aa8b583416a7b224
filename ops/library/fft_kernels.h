// fft_kernels: the transform of LANES lines side by side, for one real type and one instruction set. Included by the files
// that say which: REAL, LANES and NAME(x), which makes file-wide names distinct.
//
// Working memory is an array of elements of two vectors: real parts, then imaginary parts. Passes go from one block to the
// other (Stockham's order: nothing is ever bit-reversed).

#define INLINE static inline __attribute__((always_inline))

#if LANES > 1
typedef REAL NAME(vec) __attribute__((vector_size(LANES * sizeof(REAL)), may_alias));
#else
typedef REAL NAME(vec);
#endif
#define vec NAME(vec)

typedef struct NAME(cv) {
  vec r, i;
} NAME(cv);
#define cv NAME(cv)

// ---- Butterflies: x[0 .. radix) in place ------------------------------------------------------------------------------

INLINE void NAME(add_sub)(cv *a, cv *b) {
  cv x = *a, y = *b;
  a->r = x.r + y.r;
  a->i = x.i + y.i;
  b->r = x.r - y.r;
  b->i = x.i - y.i;
}

// Multiplies by -i.
INLINE void NAME(turn)(cv *a) {
  vec r = a->r;
  a->r = a->i;
  a->i = -r;
}

INLINE void NAME(scale_by)(cv *a, const REAL *w) {
  vec r = a->r, i = a->i;
  a->r = r * w[0] - i * w[1];
  a->i = r * w[1] + i * w[0];
}

INLINE void NAME(swap_cv)(cv *a, cv *b) {
  cv x = *a;
  *a = *b;
  *b = x;
}

INLINE void NAME(butterfly2)(cv *x) { NAME(add_sub)(&x[0], &x[1]); }

INLINE void NAME(butterfly3)(cv *x) {
  const REAL c = (REAL)-0.5, s = (REAL)0.86602540378443864676372317075294;
  NAME(add_sub)(&x[1], &x[2]);
  cv sum = x[1], difference = x[2], first = x[0];
  x[0].r = first.r + sum.r;
  x[0].i = first.i + sum.i;
  vec br = first.r + sum.r * c, bi = first.i + sum.i * c;
  vec dr = difference.i * s, di = difference.r * s;
  x[1].r = br + dr;
  x[1].i = bi - di;
  x[2].r = br - dr;
  x[2].i = bi + di;
}

INLINE void NAME(butterfly4)(cv *x) {
  NAME(add_sub)(&x[0], &x[2]);
  NAME(add_sub)(&x[1], &x[3]);
  NAME(turn)(&x[3]);
  NAME(add_sub)(&x[0], &x[1]);
  NAME(add_sub)(&x[2], &x[3]);
  NAME(swap_cv)(&x[1], &x[2]);
}

INLINE void NAME(butterfly5)(cv *x) {
  const REAL c1 = (REAL)0.30901699437494742410229341718282, s1 = (REAL)0.95105651629515357211643933337938;
  const REAL c2 = (REAL)-0.80901699437494742410229341718282, s2 = (REAL)0.58778525229247312916870595463907;
  NAME(add_sub)(&x[1], &x[4]);
  NAME(add_sub)(&x[2], &x[3]);
  cv first = x[0], p = x[1], q = x[2], m = x[4], n = x[3];
  x[0].r = first.r + p.r + q.r;
  x[0].i = first.i + p.i + q.i;
  vec ar = first.r + p.r * c1 + q.r * c2, ai = first.i + p.i * c1 + q.i * c2;
  vec br = first.r + p.r * c2 + q.r * c1, bi = first.i + p.i * c2 + q.i * c1;
  vec ur = m.i * s1 + n.i * s2, ui = m.r * s1 + n.r * s2;
  vec vr = m.i * s2 - n.i * s1, vi = m.r * s2 - n.r * s1;
  x[1].r = ar + ur;
  x[1].i = ai - ui;
  x[4].r = ar - ur;
  x[4].i = ai + ui;
  x[2].r = br + vr;
  x[2].i = bi - vi;
  x[3].r = br - vr;
  x[3].i = bi + vi;
}

INLINE void NAME(butterfly7)(cv *x) {
  static const REAL c[3] = {(REAL)0.62348980185873353052500488400424, (REAL)-0.22252093395631440428890256449679,
                            (REAL)-0.90096886790241912623610231950745};
  static const REAL s[3] = {(REAL)0.78183148246802980870844452667406, (REAL)0.97492791218182360701813168299393,
                            (REAL)0.43388373911755812047576833284836};
  NAME(add_sub)(&x[1], &x[6]);
  NAME(add_sub)(&x[2], &x[5]);
  NAME(add_sub)(&x[3], &x[4]);
  cv first = x[0], p1 = x[1], p2 = x[2], p3 = x[3], m1 = x[6], m2 = x[5], m3 = x[4];
  x[0].r = first.r + p1.r + p2.r + p3.r;
  x[0].i = first.i + p1.i + p2.i + p3.i;
#define ONE(at, ca, cb, cc, sa, sb, sc)                                                             \
  {                                                                                                 \
    vec ar = first.r + p1.r * (ca) + p2.r * (cb) + p3.r * (cc),                                     \
        ai = first.i + p1.i * (ca) + p2.i * (cb) + p3.i * (cc);                                     \
    vec br = m1.i * (sa) + m2.i * (sb) + m3.i * (sc), bi = m1.r * (sa) + m2.r * (sb) + m3.r * (sc); \
    x[at].r = ar + br;                                                                              \
    x[at].i = ai - bi;                                                                              \
    x[7 - (at)].r = ar - br;                                                                        \
    x[7 - (at)].i = ai + bi;                                                                        \
  }
  ONE(1, c[0], c[1], c[2], s[0], s[1], s[2])
  ONE(2, c[1], c[2], c[0], s[1], -s[2], -s[0])
  ONE(3, c[2], c[0], c[1], s[2], -s[0], s[1])
#undef ONE
}

INLINE void NAME(butterfly8)(cv *x) {
  const REAL h = (REAL)0.70710678118654752440084436210485;
  NAME(add_sub)(&x[0], &x[4]);
  NAME(add_sub)(&x[1], &x[5]);
  NAME(add_sub)(&x[2], &x[6]);
  NAME(add_sub)(&x[3], &x[7]);
  // Odd outputs: the differences are turned by eighths.
  cv a = x[5], b = x[7];
  x[5].r = (a.r + a.i) * h;
  x[5].i = (a.i - a.r) * h;
  NAME(turn)(&x[6]);
  x[7].r = (b.i - b.r) * h;
  x[7].i = -(b.r + b.i) * h;
  NAME(butterfly4)(x);
  NAME(butterfly4)(x + 4);
  cv y[8];
  for (int k = 0; k < 4; k++) {
    y[(ptrdiff_t)2 * k] = x[k];
    y[2 * k + 1] = x[4 + k];
  }
  for (int k = 0; k < 8; k++) {
    x[k] = y[k];
  }
}

// ---- Passes ---------------------------------------------------------------------------------------------------------------

#define PASS(R)                                                                                 \
  static void NAME(pass##R)(const mr_fft_pass *pass, const cv *restrict in, cv *restrict out) { \
    int64_t l1 = pass->l1, ido = pass->ido;                                                     \
    for (int64_t k = 0; k < l1; k++) {                                                          \
      const REAL *w = pass->twiddles;                                                           \
      for (int64_t i = 0; i < ido; i++) {                                                       \
        cv x[R];                                                                                \
        for (int j = 0; j < R; j++) {                                                           \
          x[j] = in[i + ido * (j + R * k)];                                                     \
        }                                                                                       \
        NAME(butterfly##R)(x);                                                                  \
        if (i > 0) {                                                                            \
          for (int j = 1; j < R; j++, w += 2) {                                                 \
            NAME(scale_by)(&x[j], w);                                                           \
          }                                                                                     \
        }                                                                                       \
        for (int j = 0; j < R; j++) {                                                           \
          out[i + ido * (k + l1 * j)] = x[j];                                                   \
        }                                                                                       \
      }                                                                                         \
    }                                                                                           \
  }
PASS(2)
PASS(3)
PASS(4)
PASS(5)
PASS(7)
PASS(8)
#undef PASS

// Any odd radix, by its definition: sums of pairs j, radix - j share their cosines and sines.
static void NAME(pass_odd)(const mr_fft_pass *pass, const cv *restrict in, cv *restrict out) {
  int64_t l1 = pass->l1, ido = pass->ido;
  int radix = pass->radix, half = radix / 2;
  const REAL *roots = pass->roots;
  for (int64_t k = 0; k < l1; k++) {
    for (int64_t i = 0; i < ido; i++) {
      cv x[MR_FFT_MAX_RADIX], zero = in[i + ido * radix * k];
      cv total = zero;
      for (int j = 1; j <= half; j++) {
        x[j] = in[i + ido * (j + radix * k)];
        x[radix - j] = in[i + ido * (radix - j + radix * k)];
        NAME(add_sub)(&x[j], &x[radix - j]);
        total.r += x[j].r;
        total.i += x[j].i;
      }
      out[i + ido * k] = total;
      for (int q = 1; q <= half; q++) {
        cv a = zero, b = {(vec){0}, (vec){0}};
        for (int j = 1, at = 0; j <= half; j++) {
          at = at + q >= radix ? at + q - radix : at + q;
          a.r += x[j].r * roots[(ptrdiff_t)2 * at];
          a.i += x[j].i * roots[(ptrdiff_t)2 * at];
          b.r -= x[radix - j].i * roots[2 * at + 1];
          b.i += x[radix - j].r * roots[2 * at + 1];
        }
        cv up = {a.r + b.r, a.i + b.i}, down = {a.r - b.r, a.i - b.i};
        if (i > 0) {
          const REAL *w = (const REAL *)pass->twiddles + 2 * (i - 1) * (radix - 1);
          NAME(scale_by)(&up, w + (ptrdiff_t)2 * (q - 1));
          NAME(scale_by)(&down, w + (ptrdiff_t)2 * (radix - q - 1));
        }
        out[i + ido * (k + l1 * q)] = up;
        out[i + ido * (k + l1 * (radix - q))] = down;
      }
    }
  }
}

// All passes; returns the block where the result is.
static cv *NAME(passes)(const mr_fft_line *line, cv *from, cv *to) {
  for (int p = 0; p < line->num_passes; p++) {
    const mr_fft_pass *pass = &line->passes[p];
    switch (pass->radix) {
    case 2: NAME(pass2)(pass, from, to); break;
    case 3: NAME(pass3)(pass, from, to); break;
    case 4: NAME(pass4)(pass, from, to); break;
    case 5: NAME(pass5)(pass, from, to); break;
    case 7: NAME(pass7)(pass, from, to); break;
    case 8: NAME(pass8)(pass, from, to); break;
    default: NAME(pass_odd)(pass, from, to); break;
    }
    cv *was = from;
    from = to;
    to = was;
  }
  return from;
}

// Bluestein: j k = (j j + k k - (k - j)(k - j)) / 2 makes the transform a convolution with a chirp.
static cv *NAME(convolve)(const mr_fft_line *line, cv *from, cv *to) {
  const mr_fft_line *inner = line->convolution;
  const REAL *chirp = line->chirp, *spectrum = line->chirp_spectrum;
  for (int64_t k = 0; k < line->n; k++) {
    NAME(scale_by)(&from[k], chirp + 2 * k);
  }
  memset((void *)(from + line->n), 0, (size_t)(inner->n - line->n) * sizeof *from);
  cv *result = NAME(passes)(inner, from, to), *other = result == from ? to : from;
  for (int64_t k = 0; k < inner->n; k++) {
    cv x = result[k];
    NAME(scale_by)(&x, spectrum + 2 * k);
    result[k] = (cv){x.i, x.r};  // exchanged: the passes go forward only
  }
  result = NAME(passes)(inner, result, other);
  for (int64_t k = 0; k < line->n; k++) {
    cv x = {result[k].i, result[k].r};
    NAME(scale_by)(&x, chirp + 2 * k);
    result[k] = x;
  }
  return result;
}

// ---- Real lines of even length as complex ones of half the length ---------------------------------------------------------

// From the transform of n pairs to the first n + 1 elements of the spectrum of 2 n real numbers.
static void NAME(split)(const mr_fft_work *work, cv *x) {
  int64_t n = work->line->n;
  const REAL *roots = work->half_roots, half = (REAL)0.5;
  x[n] = x[0];
  for (int64_t k = 0; k <= n / 2; k++) {
    cv a = x[k], b = x[n - k];
    cv sum = {(a.r + b.r) * half, (a.i - b.i) * half}, t = {(a.i + b.i) * half, (b.r - a.r) * half};
    NAME(scale_by)(&t, roots + 2 * k);
    x[k] = (cv){sum.r + t.r, sum.i + t.i};
    x[n - k] = (cv){sum.r - t.r, t.i - sum.i};
  }
}

// The other way, up to a factor; real and imaginary parts come out exchanged.
static void NAME(unsplit)(const mr_fft_work *work, cv *x) {
  int64_t n = work->line->n;
  const REAL *roots = work->half_roots;
  x[0].i = x[n].i = (vec){0};
  for (int64_t k = 0; k <= n / 2; k++) {
    cv a = x[k], b = x[n - k];
    cv sum = {a.r + b.r, a.i - b.i}, d = {a.r - b.r, a.i + b.i};
    const REAL *w = roots + 2 * k;
    // t = i * conj(w) * d
    cv t = {d.r * w[1] - d.i * w[0], d.r * w[0] + d.i * w[1]};
    x[k] = (cv){sum.i + t.i, sum.r + t.r};
    x[n - k] = (cv){t.i - sum.i, sum.r - t.r};
  }
}

// ---- Loading and storing -----------------------------------------------------------------------------------------------------

#if LANES > 1
#define HALF (LANES / 2)  // complex numbers in a vector

// Shuffles of two vectors of LANES numbers: LIST(f, s) is f(0, s), f(1, s), ...
#if LANES == 2
#define LIST(f, s) f(0, s), f(1, s)
#elif LANES == 4
#define LIST(f, s) f(0, s), f(1, s), f(2, s), f(3, s)
#elif LANES == 8
#define LIST(f, s) f(0, s), f(1, s), f(2, s), f(3, s), f(4, s), f(5, s), f(6, s), f(7, s)
#else
#define LIST(f, s)                                                                                              \
  f(0, s), f(1, s), f(2, s), f(3, s), f(4, s), f(5, s), f(6, s), f(7, s), f(8, s), f(9, s), f(10, s), f(11, s), \
      f(12, s), f(13, s), f(14, s), f(15, s)
#endif
#define EVEN(j, s) 2 * (j)
#define ODD(j, s) 2 * (j) + 1
#define LOW(j, s) ((j) / 2 + ((j) & 1 ? LANES : 0))
#define HIGH(j, s) ((j) / 2 + LANES / 2 + ((j) & 1 ? LANES : 0))
// A step of a transposition of complex numbers: blocks of s numbers change places.
#define UPPER(j, s) ((j) / 2 & (s) ? LANES + (j) - 2 * (s) : (j))
#define LOWER(j, s) ((j) / 2 & (s) ? LANES + (j) : (j) + 2 * (s))
#define TRANSPOSE_STEP(x, s)                                           \
  for (int t_ = 0; t_ < HALF; t_++) {                                  \
    if (!(t_ & (s))) {                                                 \
      vec a_ = (x)[t_], b_ = (x)[t_ + (s)];                            \
      (x)[t_] = __builtin_shufflevector(a_, b_, LIST(UPPER, s));       \
      (x)[t_ + (s)] = __builtin_shufflevector(a_, b_, LIST(LOWER, s)); \
    }                                                                  \
  }

// HALF vectors of HALF complex numbers.
INLINE void NAME(transpose)(vec *x) {
#if LANES >= 16
  TRANSPOSE_STEP(x, 4)
#endif
#if LANES >= 8
  TRANSPOSE_STEP(x, 2)
#endif
#if LANES >= 4
  TRANSPOSE_STEP(x, 1)
#endif
  (void)x;
}

INLINE vec NAME(get)(const REAL *from) {
  vec value;
  memcpy(&value, from, sizeof value);
  return value;
}

// Elements [begin, begin + HALF) of LANES lines whose elements follow each other.
INLINE void NAME(load_block)(const mr_fft_work *work, int64_t begin, cv *to) {
  vec low[HALF], high[HALF];
  const REAL *in = work->in;
  for (int l = 0; l < HALF; l++) {
    low[l] = NAME(get)(in + 2 * (work->in_base[l] + begin));
    high[l] = NAME(get)(in + 2 * (work->in_base[HALF + l] + begin));
  }
  NAME(transpose)(low);
  NAME(transpose)(high);
  for (int e = 0; e < HALF; e++) {
    vec even = __builtin_shufflevector(low[e], high[e], LIST(EVEN, 0));
    vec odd = __builtin_shufflevector(low[e], high[e], LIST(ODD, 0));
    to[begin + e] = work->swap ? (cv){odd, even} : (cv){even, odd};
  }
}

INLINE void NAME(store_block)(const mr_fft_work *work, int64_t begin, const cv *from) {
  vec low[HALF], high[HALF];
  REAL *out = work->out;
  for (int e = 0; e < HALF; e++) {
    cv x = from[begin + e];
    vec r = work->swap ? x.i : x.r, i = work->swap ? x.r : x.i;
    low[e] = __builtin_shufflevector(r, i, LIST(LOW, 0));
    high[e] = __builtin_shufflevector(r, i, LIST(HIGH, 0));
  }
  NAME(transpose)(low);
  NAME(transpose)(high);
  for (int l = 0; l < HALF; l++) {
    memcpy(out + 2 * (work->out_base[l] + begin), &low[l], sizeof(vec));
    memcpy(out + 2 * (work->out_base[HALF + l] + begin), &high[l], sizeof(vec));
  }
}

// All lanes are in use and lie next to each other.
static bool NAME(adjacent)(const int64_t *base, int used) {
  bool yes = used == LANES;
  for (int l = 1; l < used; l++) {
    yes = yes && base[l] == base[0] + l;
  }
  return yes;
}

static void NAME(load_adjacent)(const mr_fft_work *work, int64_t count, cv *to) {
  const REAL *in = (const REAL *)work->in + 2 * work->in_base[0];
  for (int64_t k = 0; k < count; k++) {
    vec low = NAME(get)(in + 2 * k * work->in_stride), high = NAME(get)(in + 2 * k * work->in_stride + LANES);
    vec even = __builtin_shufflevector(low, high, LIST(EVEN, 0)),
        odd = __builtin_shufflevector(low, high, LIST(ODD, 0));
    to[k] = work->swap ? (cv){odd, even} : (cv){even, odd};
  }
}

static void NAME(store_adjacent)(const mr_fft_work *work, const cv *from) {
  REAL *out = (REAL *)work->out + 2 * work->out_base[0];
  for (int64_t k = 0; k < work->count; k++) {
    vec r = work->swap ? from[k].i : from[k].r, i = work->swap ? from[k].r : from[k].i;
    vec low = __builtin_shufflevector(r, i, LIST(LOW, 0)), high = __builtin_shufflevector(r, i, LIST(HIGH, 0));
    memcpy(out + 2 * k * work->out_stride, &low, sizeof low);
    memcpy(out + 2 * k * work->out_stride + LANES, &high, sizeof high);
  }
}
#endif

// Any bases and strides, elements [begin, count).
static void NAME(load_any)(const mr_fft_work *work, int64_t begin, int64_t count, cv *to) {
  REAL *numbers = (REAL *)(to + begin);
  const REAL *in = work->in;
  int imaginary = work->swap ? 0 : LANES, real = LANES - imaginary;
  for (int64_t k = begin; k < count; k++, numbers += (ptrdiff_t)2 * LANES) {
    for (int l = 0; l < LANES; l++) {
      const REAL *x = in + 2 * (work->in_base[l] + k * work->in_stride);
      numbers[real + l] = l < work->used ? x[0] : 0;
      numbers[imaginary + l] = l < work->used ? x[1] : 0;
    }
  }
}

static void NAME(load_complex)(const mr_fft_work *work, int64_t count, cv *to) {
  int64_t begin = 0;
#if LANES > 1
  if (NAME(adjacent)(work->in_base, work->used)) {
    NAME(load_adjacent)(work, count, to);
    return;
  }
  if (work->in_stride == 1 && work->used == LANES) {
    for (; begin + HALF <= count; begin += HALF) {
      NAME(load_block)(work, begin, to);
    }
  }
#endif
  NAME(load_any)(work, begin, count, to);
}

static void NAME(load_real)(const mr_fft_work *work, cv *to) {
  const REAL *in = work->in;
  for (int64_t k = 0; k < work->line->n; k++) {
    REAL *numbers = (REAL *)(to + k);
    for (int l = 0; l < LANES; l++) {
      numbers[l] = l < work->used ? in[work->in_base[l] + k * work->in_stride] : 0;
      numbers[LANES + l] = 0;
    }
  }
}

// The second half of a spectrum from its first; the imaginary part of element 0 counts as zero.
static void NAME(complete)(const mr_fft_work *work, cv *x) {
  int64_t n = work->line->n;
  if (work->swap) {
    x[0].r = (vec){0};
  } else {
    x[0].i = (vec){0};
  }
  for (int64_t k = n / 2 + 1; k < n; k++) {
    cv y = x[n - k];
    x[k] = work->swap ? (cv){-y.r, y.i} : (cv){y.r, -y.i};
  }
}

static void NAME(load)(const mr_fft_work *work, cv *to) {
  switch (work->load) {
  case MR_FFT_LOAD_COMPLEX: NAME(load_complex)(work, work->line->n, to); return;
  case MR_FFT_LOAD_REAL: NAME(load_real)(work, to); return;
  case MR_FFT_LOAD_HERMITIAN:
    NAME(load_complex)(work, work->line->n / 2 + 1, to);
    NAME(complete)(work, to);
    return;
  case MR_FFT_LOAD_HALF: {
    mr_fft_work plain = *work;
    plain.swap = false;  // unsplit exchanges
    NAME(load_complex)(&plain, work->line->n + 1, to);
    NAME(unsplit)(work, to);
    return;
  }
  }
}

static void NAME(store_any)(const mr_fft_work *work, int64_t begin, const cv *from) {
  const REAL *numbers = (const REAL *)(from + begin);
  REAL *out = work->out;
  int imaginary = work->swap ? 0 : LANES, real = LANES - imaginary;
  for (int64_t k = begin; k < work->count; k++, numbers += (ptrdiff_t)2 * LANES) {
    for (int l = 0; l < work->used; l++) {
      REAL *x = out + 2 * (work->out_base[l] + k * work->out_stride);
      x[0] = numbers[real + l];
      x[1] = numbers[imaginary + l];
    }
  }
}

static void NAME(store)(const mr_fft_work *work, const cv *from) {
  if (work->store == MR_FFT_STORE_REAL) {
    REAL *out = work->out;
    for (int64_t k = 0; k < work->count; k++) {
      const REAL *numbers = (const REAL *)(from + k) + (work->swap ? LANES : 0);
      for (int l = 0; l < work->used; l++) {
        out[work->out_base[l] + k * work->out_stride] = numbers[l];
      }
    }
    return;
  }
  int64_t begin = 0;
#if LANES > 1
  if (NAME(adjacent)(work->out_base, work->used)) {
    NAME(store_adjacent)(work, from);
    return;
  }
  if (work->out_stride == 1 && work->used == LANES) {
    for (; begin + HALF <= work->count; begin += HALF) {
      NAME(store_block)(work, begin, from);
    }
  }
#endif
  NAME(store_any)(work, begin, from);
}

// ---- One group of lines --------------------------------------------------------------------------------------------------------

static void NAME(step_factors)(const mr_fft_work *work, cv *x) {
  const REAL *base = work->step_base;
  const cv *lanes = work->step_lanes;
  for (int64_t k = 0; k < work->line->n; k++) {
    cv w = lanes[k], y = x[k];
    NAME(scale_by)(&w, base + 2 * k);
    x[k] = (cv){y.r * w.r - y.i * w.i, y.r * w.i + y.i * w.r};
  }
}

static void NAME(run)(const mr_fft_work *work, void *memory) {
  const mr_fft_line *line = work->line;
  cv *a = memory, *b = a + line->elements;
  NAME(load)(work, a);
  cv *result = line->convolution ? NAME(convolve)(line, a, b) : NAME(passes)(line, a, b);
  if (work->store == MR_FFT_STORE_HALF) {
    NAME(split)(work, result);
  }
  if (work->step_base) {
    NAME(step_factors)(work, result);
  }
  if (work->scale != 1.0) {
    REAL scale = (REAL)work->scale;
    for (int64_t k = 0; k < work->count; k++) {
      result[k].r *= scale;
      result[k].i *= scale;
    }
  }
  NAME(store)(work, result);
}

#undef vec
#undef cv
#undef INLINE
#if LANES > 1
#undef HALF
#undef LIST
#undef EVEN
#undef ODD
#undef LOW
#undef HIGH
#undef UPPER
#undef LOWER
#undef TRANSPOSE_STEP
#endif
#undef REAL
#undef LANES
#undef NAME
