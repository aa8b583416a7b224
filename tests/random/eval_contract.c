// Contractions of the evaluator: dot, dot_general, convolution, fft. Sums of products, and how far another order, wider
// or fused arithmetic may be from them.
#include <complex.h>
#include <string.h>

#include "tests/random/random.h"

// A sum of products as it grows.
typedef struct sum {
  mr_dtype dtype;       // of the result
  uint64_t bits;        // integers: wraps at the end
  real v[2], sizes[2];  // floats: the sum and the sum of sizes
  double e[2];
  bool anything, odd, whole;
  int64_t count;
} sum;

static void sum_part(sum *s, int part, cell x, cell y, int sign) {
  if (cell_is_anything(x) || cell_is_anything(y)) {
    s->anything = true;
    return;
  }
  real v = x.v * y.v;
  if (!isfinite(v)) {
    s->anything |= !cell_is_sure(x) || !cell_is_sure(y);
    s->odd = true;
  } else {
    s->e[part] += (double)(fabsl(x.v) * y.e + fabsl(y.v) * x.e + (real)x.e * y.e);
    s->sizes[part] += fabsl(v);
  }
  s->whole = s->whole && cell_is_sure(x) && cell_is_sure(y) && v == floorl(v);
  s->v[part] += sign * v;
}

static void sum_add(sum *s, mr_dtype x_dtype, mr_dtype y_dtype, const cell *x, const cell *y) {
  s->count++;
  if (!mr_dtype_is_float(s->dtype) && !mr_dtype_is_complex(s->dtype)) {
    s->anything |= !cell_is_sure(*x) || !cell_is_sure(*y);
    s->bits = s->dtype == MR_PRED ? s->bits | (cell_bits(*x) & cell_bits(*y)) : s->bits + cell_bits(*x) * cell_bits(*y);
    return;
  }
  cell a[2], b[2];
  bool is_complex = mr_dtype_is_complex(s->dtype);
  for (int i = 0; i < 1 + is_complex; i++) {
    a[i] = cell_operand(x_dtype, x[i]);
    b[i] = cell_operand(y_dtype, y[i]);
  }
  sum_part(s, 0, a[0], b[0], 1);
  if (is_complex) {
    sum_part(s, 0, a[1], b[1], -1);
    sum_part(s, 1, a[0], b[1], 1);
    sum_part(s, 1, a[1], b[0], 1);
  }
}

// `spread`: what is added to the size of terms that an algorithm mixes with others.
static void sum_end(const sum *s, real spread, cell *out) {
  bool floating = mr_dtype_is_float(s->dtype) || mr_dtype_is_complex(s->dtype);
  if (!floating) {
    *out = s->anything ? cell_anything() : cell_of_bits(s->dtype, s->bits);
    return;
  }
  mr_dtype dtype = mr_dtype_real(s->dtype);
  float_format f = format_of(dtype), single = format_of(MR_F32);
  // Narrow types add up in f32, or wider; f64 in itself.
  float_format *inner = dtype == MR_F64 ? &f : &single;
  bool is_complex = mr_dtype_is_complex(s->dtype);
  for (int i = 0; i < 1 + is_complex; i++) {
    real size = s->sizes[i] + s->e[i] + spread;
    if (s->anything || (s->odd && is_complex) || size > inner->largest / 4) {
      out[i] = cell_anything();
      continue;
    }
    double e = s->e[i];
    bool exact = s->whole && e == 0 && size < ldexpl(1, inner->mantissa);
    if (!exact && s->count && !s->odd) {
      e += (double)(2 * (s->count + 2) * format_ulp(inner, size)) +
           (double)ldexpl(s->count * (1 + is_complex), inner->min_exponent);
    }
    out[i] = cell_round(dtype, cell_near(s->v[i], s->odd ? 0 : e), 1);
  }
}

static sum sum_begin(mr_dtype dtype) { return (sum){.dtype = dtype, .whole = true}; }

static void dot_general(evaluator *ev, const mr_op *op, tensor *r) {
  const tensor *x = operand_of(ev, op, 0), *y = operand_of(ev, op, 1);
  mr_ints xb = mr_op_ints(op, MR_ATTR_lhs_batching_dimensions), yb = mr_op_ints(op, MR_ATTR_rhs_batching_dimensions),
          xc = mr_op_ints(op, MR_ATTR_lhs_contracting_dimensions),
          yc = mr_op_ints(op, MR_ATTR_rhs_contracting_dimensions);
  int64_t last = (int64_t)x->type.rank - 1, zero = 0;
  if (op->kind == MR_OP_dot) {
    xb = yb = (mr_ints){0};
    xc = (mr_ints){&last, 1}, yc = (mr_ints){&zero, 1};
  }
  int64_t terms = 1;
  for (size_t k = 0; k < xc.size; k++) {
    terms *= x->type.dims[xc.data[k]];
  }
  for (int64_t i = 0; i < r->count && spend(ev, terms); i++) {
    int64_t out[MR_MAX_RANK], a[MR_MAX_RANK], b[MR_MAX_RANK];
    bool a_set[MR_MAX_RANK] = {0}, b_set[MR_MAX_RANK] = {0};
    uint32_t next = 0;
    index_of(&r->type, i, out);
    for (size_t k = 0; k < xb.size; k++) {
      a[xb.data[k]] = b[yb.data[k]] = out[next++];
      a_set[xb.data[k]] = b_set[yb.data[k]] = true;
    }
    for (size_t k = 0; k < xc.size; k++) {
      a_set[xc.data[k]] = b_set[yc.data[k]] = true;
    }
    for (uint32_t d = 0; d < x->type.rank; d++) {
      a[d] = a_set[d] ? a[d] : out[next++];
    }
    for (uint32_t d = 0; d < y->type.rank; d++) {
      b[d] = b_set[d] ? b[d] : out[next++];
    }
    sum s = sum_begin(r->type.dtype);
    for (int64_t t = 0; t < terms; t++) {
      int64_t rest = t;
      for (size_t k = xc.size; k-- > 0;) {
        int64_t size = x->type.dims[xc.data[k]];
        a[xc.data[k]] = b[yc.data[k]] = rest % size;
        rest /= size;
      }
      sum_add(&s, x->type.dtype, y->type.dtype, x->cells + flat_of(&x->type, a) * x->parts,
              y->cells + flat_of(&y->type, b) * y->parts);
    }
    sum_end(&s, 0, r->cells + i * r->parts);
  }
}

// ---- Convolution --------------------------------------------------------------------------------------------------

typedef struct conv {
  const mr_op *op;
  const tensor *x, *w;
  mr_ints x_space, w_space, out_space, strides, padding, lhs_dilation, rhs_dilation, reversal;
  int64_t x_batch, x_feature, w_in, w_out, out_batch, out_feature, groups, batch_groups;
} conv;

static conv conv_of(const mr_op *op, const tensor *x, const tensor *w) {
  return (conv){.op = op,
                .x = x,
                .w = w,
                .x_space = mr_op_ints(op, MR_ATTR_input_spatial_dimensions),
                .w_space = mr_op_ints(op, MR_ATTR_kernel_spatial_dimensions),
                .out_space = mr_op_ints(op, MR_ATTR_output_spatial_dimensions),
                .strides = mr_op_ints(op, MR_ATTR_window_strides),
                .padding = mr_op_ints(op, MR_ATTR_padding),
                .lhs_dilation = mr_op_ints(op, MR_ATTR_lhs_dilation),
                .rhs_dilation = mr_op_ints(op, MR_ATTR_rhs_dilation),
                .reversal = mr_op_ints(op, MR_ATTR_window_reversal),
                .x_batch = mr_op_int(op, MR_ATTR_input_batch_dimension, 0),
                .x_feature = mr_op_int(op, MR_ATTR_input_feature_dimension, 0),
                .w_in = mr_op_int(op, MR_ATTR_kernel_input_feature_dimension, 0),
                .w_out = mr_op_int(op, MR_ATTR_kernel_output_feature_dimension, 0),
                .out_batch = mr_op_int(op, MR_ATTR_output_batch_dimension, 0),
                .out_feature = mr_op_int(op, MR_ATTR_output_feature_dimension, 0),
                .groups = mr_op_int(op, MR_ATTR_feature_group_count, 1),
                .batch_groups = mr_op_int(op, MR_ATTR_batch_group_count, 1)};
}

static int64_t entry(mr_ints list, size_t k, int64_t fallback) { return list.size ? list.data[k] : fallback; }

// The input's index for one position of the window; false: outside.
static bool conv_place(const conv *c, const int64_t *out, const int64_t *window, int64_t *out_in) {
  for (size_t k = 0; k < c->x_space.size; k++) {
    int64_t at = window[k], base = entry(c->lhs_dilation, k, 1);
    int64_t place = out[c->out_space.data[k]] * entry(c->strides, k, 1) + at * entry(c->rhs_dilation, k, 1) -
                    entry(c->padding, 2 * k, 0);
    if (place < 0 || place % base || place / base >= c->x->type.dims[c->x_space.data[k]]) {
      return false;
    }
    out_in[c->x_space.data[k]] = place / base;
  }
  return true;
}

static real largest_of(const tensor *t) {
  real most = 0;
  for (int64_t i = 0; i < t->count * t->parts; i++) {
    real size = fabsl(t->cells[i].v) + t->cells[i].e;
    most = size > most || isnan(size) ? size : most;
  }
  return most;
}

static void conv_element(const conv *c, const int64_t *out, sum *s) {
  int64_t channels = c->w->type.dims[c->w_in], window_count = 1, window[MR_MAX_RANK], in[MR_MAX_RANK], k[MR_MAX_RANK];
  int64_t features = c->w->type.dims[c->w_out], feature = out[c->out_feature];
  for (size_t d = 0; d < c->w_space.size; d++) {
    window_count *= c->w->type.dims[c->w_space.data[d]];
  }
  for (int64_t p = 0; p < window_count; p++) {
    int64_t rest = p;
    for (size_t d = c->w_space.size; d-- > 0;) {
      int64_t size = c->w->type.dims[c->w_space.data[d]];
      window[d] = rest % size;
      rest /= size;
      k[c->w_space.data[d]] = entry(c->reversal, d, 0) ? size - 1 - window[d] : window[d];
    }
    if (!conv_place(c, out, window, in)) {
      continue;
    }
    for (int64_t channel = 0; channel < channels; channel++) {
      int64_t batches = c->x->type.dims[c->x_batch] / c->batch_groups;
      in[c->x_batch] = out[c->out_batch] + feature / (features / c->batch_groups) * batches;
      in[c->x_feature] = feature / (features / c->groups) * channels + channel;
      if (c->batch_groups > 1) {
        in[c->x_feature] = channel;
      } else {
        in[c->x_batch] = out[c->out_batch];
      }
      k[c->w_in] = channel, k[c->w_out] = feature;
      sum_add(s, c->x->type.dtype, c->w->type.dtype, c->x->cells + flat_of(&c->x->type, in) * c->x->parts,
              c->w->cells + flat_of(&c->w->type, k) * c->w->parts);
    }
  }
}

static void convolution(evaluator *ev, const mr_op *op, tensor *r) {
  conv c = conv_of(op, operand_of(ev, op, 0), operand_of(ev, op, 1));
  // Winograd's algorithm adds and subtracts elements of neighbouring windows, up to 64 times their size.
  real spread = 0;
  if (mr_dtype_is_float(r->type.dtype) || mr_dtype_is_complex(r->type.dtype)) {
    spread = 64 * largest_of(c.x) * largest_of(c.w) * (real)c.w->type.dims[c.w_in];
  }
  for (int64_t i = 0; i < r->count && spend(ev, c.w->count); i++) {
    int64_t out[MR_MAX_RANK];
    sum s = sum_begin(r->type.dtype);
    index_of(&r->type, i, out);
    conv_element(&c, out, &s);
    s.anything |= !isfinite(spread);
    // Whole numbers stay exact only where no algorithm divides them.
    bool divided = s.whole && c.w_space.size == 2 && s.count;
    s.whole = s.whole && !divided;
    sum_end(&s, s.whole ? 0 : spread, r->cells + i * r->parts);
  }
}

// ---- Fourier transforms ---------------------------------------------------------------------------------------------

// One dimension of one lane: `count` inputs at a stride, n outputs.
static void transform(const long double complex *in, int64_t n, bool inverse, long double complex *out) {
  for (int64_t k = 0; k < n; k++) {
    long double complex s = 0;
    for (int64_t j = 0; j < n; j++) {
      s += in[j] * cexpl((inverse ? 2 : -2) * M_PIl * I * (long double)(j * k % n) / (long double)n);
    }
    out[k] = inverse ? s / (long double)n : s;
  }
}

// The tensor as a whole complex one of the transform's lengths, along its last `rank` dimensions.
static void fft(evaluator *ev, const mr_op *op, tensor *r) {
  const tensor *x = operand_of(ev, op, 0);
  mr_ints lengths = mr_op_ints(op, MR_ATTR_fft_length);
  int64_t type = mr_op_int(op, MR_ATTR_fft_type, 0);  // 0 FFT 1 IFFT 2 RFFT 3 IRFFT
  if (lengths.size != 1 || x->type.rank == 0 || lengths.data[0] > 256) {
    all_anything(r);
    return;
  }
  int64_t n = lengths.data[0], in_size = x->type.dims[x->type.rank - 1], out_size = r->type.dims[r->type.rank - 1];
  float_format f = format_of(r->type.dtype);
  for (int64_t lane = 0; in_size && out_size && lane < r->count / out_size && spend(ev, n * n); lane++) {
    long double complex in[256], out[256];
    real size = 0, e = 0;
    for (int64_t j = 0; j < n; j++) {
      bool mirrored = type == 3 && j >= in_size;
      const cell *c = x->cells + (lane * in_size + (mirrored ? n - j : j)) * x->parts;
      cell re = cell_operand(x->type.dtype, c[0]),
           im = x->parts == 2 ? cell_operand(x->type.dtype, c[1]) : cell_exact(0);
      if (type == 3 && (j == 0 || 2 * j == n)) {
        im = cell_exact(0);  // what a real signal's spectrum has there
      }
      in[j] = __builtin_complex(re.v, mirrored ? -im.v : im.v);
      size += cabsl(in[j]);
      e += (real)re.e + im.e;
    }
    bool inverse = type == 1 || type == 3;
    transform(in, n, inverse, out);
    real scale = inverse ? 1 / (real)n : 1;
    real bound = e * scale + 16 * format_ulp(&f, size * scale) * (1 + log2l((real)n)) + ldexpl(n, f.min_exponent);
    for (int64_t k = 0; k < out_size; k++) {
      cell *to = r->cells + (lane * out_size + k) * r->parts;
      bool fine = isfinite(bound) && size < f.largest / 16;
      to[0] = fine ? cell_round(r->type.dtype, cell_near(creall(out[k]), (double)bound), 1) : cell_anything();
      if (r->parts == 2) {
        to[1] = fine ? cell_round(r->type.dtype, cell_near(cimagl(out[k]), (double)bound), 1) : cell_anything();
      }
    }
  }
}

bool evaluate_contract_op(evaluator *ev, const mr_op *op, tensor *const *results) {
  switch ((int)op->kind) {
  case MR_OP_dot:
  case MR_OP_dot_general: dot_general(ev, op, results[0]); return true;
  case MR_OP_convolution: convolution(ev, op, results[0]); return true;
  case MR_OP_fft: fft(ev, op, results[0]); return true;
  default: return false;
  }
}
