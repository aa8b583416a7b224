// Fourier transforms in OpenCL C: passes of Stockham's form, which leave the result in order, between two arrays.
//
// A tile is a few lines that go through all passes together: for processors one line for each lane of a vector, done by one item in
// memory of its own; for devices of many items one line, whose butterflies the items of a group share, in local memory where it fits.
// Lengths are cut into radices of 4 and 2 and odd primes; one with a large prime is a convolution with a chirp, whose length is a power
// of two (Bluestein). Of a real line of even length pairs of numbers are taken as complex ones. Roots of unity are a table, or the
// product of one from each of two.
#include "compiler/codegen/clc_fft.h"

#include <math.h>
#include <stdio.h>

#include "compiler/codegen/clc_emit.h"
#include "compiler/codegen/tuning.h"

enum { MOST_PASSES = 40 };

typedef struct fft {
  const mr_clc_fft *d;
  const char *entry;
  mr_text *text;
  const char *type, *space, *fence;
  char vector[16];
  long long n, size;  // of the complex transform, and of the one that the passes make: longer where it convolves
  long long lanes, items, tiles, pieces, arrays;
  long long in_outer, out_outer, count;  // from one line to the next, where they are apart; of numbers to be stored
  bool convolves, halved, swaps, is_real;
  int num_passes, radix[MOST_PASSES];
} fft;

static long long divide_up(long long a, long long b) { return (a + b - 1) / b; }

// ---- Sizes --------------------------------------------------------------------------------------------------------------

// False: there is a prime that is too large for a pass.
static bool cut(fft *f, long long n) {
  f->num_passes = 0;
  for (int r = 4; n > 1; r = r == 4 ? 2 : r == 2 ? 3 : r + 2) {
    if (r > MR_CLC_FFT_RADIX) {
      return false;
    }
    while (n % r == 0) {
      f->radix[f->num_passes++] = r;
      n /= r;
    }
  }
  return true;
}

static void choose_length(fft *f) {
  const mr_clc_fft *d = f->d;
  f->is_real = d->kind == MR_FFT_REAL || d->kind == MR_FFT_REAL_INVERSE;
  f->swaps = d->kind == MR_FFT_INVERSE || d->kind == MR_FFT_REAL_INVERSE;
  f->halved = f->is_real && d->length % 2 == 0;
  f->n = f->size = f->halved ? d->length / 2 : d->length;
  f->convolves = !cut(f, f->n);
  if (f->convolves) {
    for (f->size = 1; f->size < 2 * f->n - 1;) {
      f->size *= 2;
    }
    (void)cut(f, f->size);
  }
  f->arrays = f->convolves ? 6 : 4;
  long long spectrum = d->length / 2 + 1;
  f->in_outer = d->kind == MR_FFT_REAL_INVERSE ? spectrum : d->length * d->inner;
  f->out_outer = d->kind == MR_FFT_REAL ? spectrum : d->length * d->inner;
  f->count = d->kind == MR_FFT_REAL ? spectrum : f->n;
}

// Returns the bytes of memory that is no local one.
static size_t choose_form(fft *f, const mr_target *target) {
  const long long bytes = (long long)mr_dtype_bytes(f->d->dtype), line = f->arrays * f->size * bytes;
  f->type = f->d->dtype == MR_F64 ? "double" : "float";
  f->space = "global";
  f->fence = "";
  f->lanes = 1;
  long long most = MR_CLC_FFT_PIECES;
  bool is_local = false;
  if (target->items) {
    f->items = target->group_items >= MR_CLC_GROUP_MOST && f->size >= 4 * MR_CLC_GROUP_MOST ? MR_CLC_GROUP_MOST
                                                                                            : MR_CLC_GROUP_LEAST;
    is_local = (uint64_t)line <= target->local_bytes;
    f->space = is_local ? "local" : "global";
    f->fence = is_local ? "barrier(CLK_LOCAL_MEM_FENCE);\n" : "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n";
    most = is_local ? INT64_MAX : MR_CLC_FFT_GROUPS;
  } else {
    for (f->lanes = MR_CLC_FFT_LANES; f->lanes > 1 && (f->d->lines < f->lanes || f->lanes * line > MR_CLC_FFT_BYTES);) {
      f->lanes /= 2;
    }
  }
  snprintf(f->vector, sizeof f->vector, f->lanes > 1 ? "%s%lld" : "%s", f->type, f->lanes);
  f->tiles = divide_up(f->d->lines, f->lanes);
  f->pieces = MR_MIN(f->tiles, most);
  while (!is_local && f->pieces > 1 && f->pieces * f->lanes * line > MR_CLC_FFT_SCRATCH) {
    f->pieces /= 2;
  }
  return is_local ? 0 : (size_t)(f->pieces * f->lanes * line);
}

// ---- Roots of unity -------------------------------------------------------------------------------------------------------

static void put_numbers(const fft *f, const char *name, long long from, long long step, long long numbers,
                        long long count) {
  mr_text_put(f->text, "constant %s %s_%s[%lld] = {\n", f->type, f->entry, name, 2 * numbers);
  for (long long i = 0; i < numbers; i++) {
    long double angle =
        -2 * 3.141592653589793238462643383279502884L * (long double)(from + i * step) / (long double)count;
    mr_text_put(f->text, "%s, %s,\n", mr_clc_real(f->d->dtype, (double)cosl(angle)).text,
                mr_clc_real(f->d->dtype, (double)sinl(angle)).text);
  }
  mr_text_put(f->text, "};\n");
}

// ENTRY_name(k): the k-th of the `count` roots of that order, clockwise, from k = 0 up to and without `count`.
static void put_roots(const fft *f, const char *name, long long count) {
  char table[16];
  int bits = 0;
  while (count > MR_CLC_FFT_TABLE && (1LL << 2 * bits) < count) {
    bits++;
  }
  long long low = bits ? 1LL << bits : count;
  snprintf(table, sizeof table, "%s_low", name);
  put_numbers(f, table, 0, 1, low, count);
  if (bits) {
    snprintf(table, sizeof table, "%s_high", name);
    put_numbers(f, table, 0, low, divide_up(count, low), count);
  }
  mr_text_put(f->text, "static %s2 %s_%s(long k) {\n", f->type, f->entry, name);
  if (!bits) {
    mr_text_put(f->text, "return vload2(k, %s_%s_low);\n}\n", f->entry, name);
    return;
  }
  mr_text_put(f->text,
              "%s2 a = vload2(k & %lldl, %s_%s_low), b = vload2(k >> %d, %s_%s_high);\n"
              "return (%s2)(fma(a.x, b.x, -(a.y * b.y)), fma(a.x, b.y, a.y * b.x));\n}\n",
              f->type, low - 1, f->entry, name, bits, f->entry, name, f->type);
}

// ---- Passes ---------------------------------------------------------------------------------------------------------------

// Of rounds that the items of a group share.
static void put_loop(const fft *f, const char *variable, long long count) {
  if (f->items) {
    mr_text_put(f->text, "for (long %s = item; %s < %lldl; %s += %lldl) {\n", variable, variable, count, variable,
                f->items);
  } else {
    mr_text_put(f->text, "for (long %s = 0; %s < %lldl; %s++) {\n", variable, variable, count, variable);
  }
}

// y[j] of a butterfly, turned by root w[j].
static void put_output(const fft *f, int j, long long stride, bool turns) {
  if (turns && j) {
    mr_text_put(f->text,
                "br[to + %lldl] = fma(y%dr, (%s)(w%d.x), -(y%di * (%s)(w%d.y)));\n"
                "bi[to + %lldl] = fma(y%dr, (%s)(w%d.y), y%di * (%s)(w%d.x));\n",
                j * stride, j, f->vector, j, j, f->vector, j, j * stride, j, f->vector, j, j, f->vector, j);
  } else {
    mr_text_put(f->text, "br[to + %lldl] = y%dr;\nbi[to + %lldl] = y%di;\n", j * stride, j, j * stride, j);
  }
}

static void put_even(const fft *f, int radix, long long stride, bool turns) {
  for (int k = 0; k < radix; k++) {
    mr_text_put(f->text, "%s x%dr = ar[from + %lldl], x%di = ai[from + %lldl];\n", f->vector, k, k * (f->size / radix),
                k, k * (f->size / radix));
  }
  if (radix == 2) {
    mr_text_put(f->text, "%s y0r = x0r + x1r, y0i = x0i + x1i, y1r = x0r - x1r, y1i = x0i - x1i;\n", f->vector);
  } else {
    mr_text_put(f->text,
                "%s s0r = x0r + x2r, s0i = x0i + x2i, s1r = x0r - x2r, s1i = x0i - x2i;\n"
                "%s s2r = x1r + x3r, s2i = x1i + x3i, s3r = x1i - x3i, s3i = x3r - x1r;\n"
                "%s y0r = s0r + s2r, y0i = s0i + s2i, y1r = s1r + s3r, y1i = s1i + s3i;\n"
                "%s y2r = s0r - s2r, y2i = s0i - s2i, y3r = s1r - s3r, y3i = s1i - s3i;\n",
                f->vector, f->vector, f->vector, f->vector);
  }
  for (int j = 0; j < radix; j++) {
    put_output(f, j, stride, turns);
  }
}

static void put_odd(const fft *f, int radix, long long stride) {
  mr_text_put(f->text,
              "for (int j = 0; j < %d; j++) {\n%s yr = ar[from], yi = ai[from];\nint e = 0;\n"
              "for (int k = 1; k < %d; k++) {\n%s xr = ar[from + k * %lldl], xi = ai[from + k * %lldl];\n"
              "e += j;\ne -= e >= %d ? %d : 0;\n%s c = (%s)(cosines[e]), s = (%s)(sines[e]);\n"
              "yr = fma(xr, c, fma(-xi, s, yr));\nyi = fma(xr, s, fma(xi, c, yi));\n}\n",
              radix, f->vector, radix, f->vector, f->size / radix, f->size / radix, radix, radix, f->vector, f->vector,
              f->vector);
  mr_text_put(f->text,
              "%s2 w = %s_w(p * j * %lldl);\n"
              "br[to + j * %lldl] = fma(yr, (%s)(w.x), -(yi * (%s)(w.y)));\n"
              "bi[to + j * %lldl] = fma(yr, (%s)(w.y), yi * (%s)(w.x));\n}\n",
              f->type, f->entry, stride, stride, f->vector, f->vector, stride, f->vector, f->vector);
}

static void put_primitive_roots(const fft *f, int radix) {
  mr_text_put(f->text,
              "%s cosines[%d], sines[%d];\nfor (int e = 0; e < %d; e++) {\n%s2 w = %s_w(e * %lldl);\n"
              "cosines[e] = w.x;\nsines[e] = w.y;\n}\n",
              f->type, radix, radix, radix, f->type, f->entry, f->size / radix);
}

// From a to b: blocks of `stride` numbers lie together, `left` of each transform are still to be joined.
static void put_pass(const fft *f, int number, long long left, long long stride) {
  const int radix = f->radix[number];
  const long long blocks = left / radix;
  mr_text_put(f->text,
              "static void %s_pass%d(%s const %s *restrict ar, %s const %s *restrict ai, %s %s *restrict br, %s %s "
              "*restrict bi, const uint item) {\n",
              f->entry, number, f->space, f->vector, f->space, f->vector, f->space, f->vector, f->space, f->vector);
  if (radix % 2) {
    put_primitive_roots(f, radix);
  }
  if (f->items) {
    put_loop(f, "i", blocks * stride);
    mr_text_put(f->text, "long p = i / %lldl, q = i %% %lldl;\n", stride, stride);
  } else {
    put_loop(f, "p", blocks);
  }
  const bool turns = blocks > 1;
  for (int j = 1; j < radix && turns && radix % 2 == 0; j++) {
    mr_text_put(f->text, "%s2 w%d = %s_w(p * %lldl);\n", f->type, j, f->entry, j * stride);
  }
  mr_text_put(f->text, f->items ? "{\n" : "for (long q = 0; q < %lldl; q++) {\n", stride);
  mr_text_put(f->text, "long from = q + p * %lldl, to = q + p * %lldl;\n", stride, stride * radix);
  if (radix % 2) {
    put_odd(f, radix, stride);
  } else {
    put_even(f, radix, stride, turns);
  }
  mr_text_put(f->text, "}\n}\n}\n");
}

static void put_four(const fft *f) {
  mr_text_put(f->text, "%s %s *ar, %s %s *ai, %s %s *br, %s %s *bi, ", f->space, f->vector, f->space, f->vector,
              f->space, f->vector, f->space, f->vector);
}

// All passes, from a; the result is in b when they are odd in number, else in a.
static void put_passes(const fft *f) {
  long long left = f->size, stride = 1;
  for (int i = 0; i < f->num_passes; i++) {
    put_pass(f, i, left, stride);
    left /= f->radix[i];
    stride *= f->radix[i];
  }
  mr_text_put(f->text, "static void %s_passes(", f->entry);
  put_four(f);
  mr_text_put(f->text, "const uint item) {\n");
  for (int i = 0; i < f->num_passes; i++) {
    mr_text_put(f->text, "%s_pass%d(%s, item);\n%s", f->entry, i, i % 2 ? "br, bi, ar, ai" : "ar, ai, br, bi",
                f->fence);
  }
  mr_text_put(f->text, "}\n");
}

// ---- To memory and from it ------------------------------------------------------------------------------------------------

// Lines apart go one after the other, lines beside each other together.
static void begin_elements(const fft *f, long long count, const char *lanes) {
  if (f->d->inner == 1) {
    mr_text_put(f->text, "for (long lane = 0; lane < %s; lane++) {\n", lanes);
    put_loop(f, "i", count);
  } else {
    put_loop(f, "i", count);
    mr_text_put(f->text, "for (long lane = 0; lane < %s; lane++) {\n", lanes);
  }
}

static void put_places(const fft *f, long long outer) {
  mr_text_put(f->text,
              "long places[%lld];\nfor (long lane = 0; lane < %lld; lane++) {\n"
              "long line = min(tile * %lldl + lane, %lldl);\nplaces[lane] = line / %lldl * %lldl + line %% %lldl;\n}\n",
              f->lanes, f->lanes, f->lanes, (long long)f->d->lines - 1, (long long)f->d->inner, outer,
              (long long)f->d->inner);
}

// The half of a spectrum as what a complex transform makes pairs of real numbers of.
static void put_halves_in(const fft *f) {
  mr_text_put(f->text,
              "long j = %lldl - i, at = places[lane] + i, back = places[lane] + j;\n"
              "%s pr = in[2 * at], pi = i ? in[2 * at + 1] : 0, mr = in[2 * back], mi = i ? -in[2 * back + 1] : 0;\n"
              "%s2 w = %s_half(i);\n%s dr = pr - mr, di = pi - mi;\n"
              "%s xr = pr + mr - fma(w.x, di, -(w.y * dr)), xi = pi + mi + fma(w.x, dr, w.y * di);\n",
              f->n, f->type, f->type, f->entry, f->type, f->type);
}

static void put_element_in(const fft *f) {
  if (f->d->kind == MR_FFT_REAL) {
    mr_text_put(f->text,
                f->halved ? "long at = places[lane] + 2 * i;\n%s xr = in[at], xi = in[at + 1];\n"
                          : "%s xr = in[places[lane] + i], xi = 0;\n",
                f->type);
  } else if (f->halved) {
    put_halves_in(f);
  } else if (f->is_real) {
    mr_text_put(f->text,
                "bool late = i > %lldl;\nlong j = late ? %lldl - i : i, at = places[lane] + j;\n"
                "%s xr = in[2 * at], xi = j ? in[2 * at + 1] : 0;\nxi = late ? -xi : xi;\n",
                f->n / 2, f->n, f->type);
  } else {
    mr_text_put(f->text, "long at = places[lane] + i * %lldl;\n%s xr = in[2 * at], xi = in[2 * at + 1];\n",
                (long long)f->d->inner, f->type);
  }
  if (f->swaps) {  // there and back differ in which part is which
    mr_text_put(f->text, "%s swapped = xr;\nxr = xi;\nxi = swapped;\n", f->type);
  }
}

// The number of the chirp's root that turns element i.
#define CHIRP "(long)((ulong)i * (ulong)i %% %lluul)"

static void put_load(const fft *f) {
  mr_text_put(f->text, "static void %s_load(global const %s *in, %s %s *ar, %s %s *ai, const uint item, long tile) {\n",
              f->entry, f->type, f->space, f->vector, f->space, f->vector);
  put_places(f, f->in_outer);
  char lanes[24];
  snprintf(lanes, sizeof lanes, "%lld", f->lanes);
  begin_elements(f, f->n, lanes);
  put_element_in(f);
  if (f->convolves) {
    mr_text_put(f->text,
                "%s2 chirp = %s_chirp(" CHIRP ");\n%s turned = fma(xr, chirp.x, -(xi * chirp.y));\n"
                "xi = fma(xr, chirp.y, xi * chirp.x);\nxr = turned;\n",
                f->type, f->entry, 2 * (unsigned long long)f->n, f->type);
  }
  mr_text_put(f->text, "((%s %s *)ar)[i * %lldl + lane] = xr;\n((%s %s *)ai)[i * %lldl + lane] = xi;\n}\n}\n", f->space,
              f->type, f->lanes, f->space, f->type, f->lanes);
  if (f->convolves) {
    put_loop(f, "i", f->size - f->n);
    mr_text_put(f->text, "ar[i + %lldl] = (%s)(0);\nai[i + %lldl] = (%s)(0);\n}\n", f->n, f->vector, f->n, f->vector);
  }
  mr_text_put(f->text, "}\n");
}

// Element i of the real transform from those of the complex one.
static void put_halves_out(const fft *f) {
  mr_text_put(
      f->text,
      "long j = i == %lldl ? 0 : i, k = i ? %lldl - i : 0;\n"
      "%s pr = ar[j * %lldl + lane], pi = ai[j * %lldl + lane], mr = ar[k * %lldl + lane], mi = -ai[k * %lldl + "
      "lane];\n%s2 w = %s_half(i);\n"
      "%s dr = (pr - mr) / 2, di = (pi - mi) / 2;\n"
      "%s xr = (pr + mr) / 2 + fma(w.x, di, w.y * dr), xi = (pi + mi) / 2 + fma(w.y, di, -(w.x * dr));\n",
      f->n, f->n, f->type, f->lanes, f->lanes, f->lanes, f->lanes, f->type, f->entry, f->type, f->type);
}

static void put_element_out(const fft *f) {
  const char *first = f->swaps ? "xi" : "xr", *second = f->swaps ? "xr" : "xi";
  if (f->halved && f->d->kind == MR_FFT_REAL) {
    put_halves_out(f);
  } else {
    mr_text_put(f->text, "%s xr = ar[i * %lldl + lane], xi = ai[i * %lldl + lane];\n", f->type, f->lanes, f->lanes);
  }
  mr_clc_name scale = mr_clc_real(f->d->dtype, f->d->scale);
  if (f->d->kind == MR_FFT_REAL_INVERSE && !f->halved) {
    mr_text_put(f->text, "out[places[lane] + i] = %s * %s;\n", first, scale.text);
    return;
  }
  mr_text_put(f->text, "long at = places[lane] + i * %lldl;\nout[2 * at] = %s * %s;\nout[2 * at + 1] = %s * %s;\n",
              (long long)f->d->inner, first, scale.text, second, scale.text);
}

static void put_store(const fft *f) {
  mr_text_put(f->text,
              "static void %s_store(global %s *out, %s const %s *ar, %s const %s *ai, const uint item, long tile) {\n",
              f->entry, f->type, f->space, f->type, f->space, f->type);
  const bool pairs = f->d->kind == MR_FFT_REAL_INVERSE && f->halved;
  put_places(f, pairs ? f->out_outer / 2 : f->out_outer);
  mr_text_put(f->text, "long used = min(%lldl, %lldl - tile * %lldl);\n", f->lanes, (long long)f->d->lines, f->lanes);
  begin_elements(f, f->count, "used");
  put_element_out(f);
  mr_text_put(f->text, "}\n}\n}\n");
}

// ---- Convolutions with a chirp ----------------------------------------------------------------------------------------------

// The chirp's spectrum, in c: what the others use again and again.
static void put_spectrum(const fft *f) {
  const char *result = f->num_passes % 2 ? "b" : "a";
  mr_text_put(f->text, "static void %s_prepare(", f->entry);
  put_four(f);
  mr_text_put(f->text, "%s %s *cr, %s %s *ci, const uint item) {\n", f->space, f->vector, f->space, f->vector);
  put_loop(f, "k", f->size);
  mr_text_put(f->text,
              "long i = min(k, %lldl - k);\nbool inside = i < %lldl;\ni = inside ? i : 0;\n%s2 chirp = %s_chirp(" CHIRP
              ");\nar[k] = (%s)(inside ? chirp.x : 0);\nai[k] = (%s)(inside ? -chirp.y : 0);\n}\n%s",
              f->size, f->n, f->type, f->entry, 2 * (unsigned long long)f->n, f->vector, f->vector, f->fence);
  mr_text_put(f->text, "%s_passes(ar, ai, br, bi, item);\n", f->entry);
  put_loop(f, "k", f->size);
  mr_text_put(f->text, "cr[k] = %sr[k];\nci[k] = %si[k];\n}\n%s}\n", result, result, f->fence);
}

// Behind the first passes: their result, in `a`, is multiplied, goes back with its parts exchanged, and is turned.
static void put_convolution(const fft *f, const char *a, const char *b, const char *result) {
  put_loop(f, "i", f->size);
  mr_text_put(f->text,
              "%s xr = %sr[i], xi = %si[i], yr = cr[i], yi = ci[i];\n%sr[i] = fma(xr, yi, xi * yr);\n"
              "%si[i] = fma(xr, yr, -(xi * yi));\n}\n%s%s_passes(%sr, %si, %sr, %si, item);\n",
              f->vector, a, a, a, a, f->fence, f->entry, a, a, b, b);
  put_loop(f, "i", f->n);
  mr_clc_name scale = mr_clc_real(f->d->dtype, 1 / (double)f->size);
  mr_text_put(f->text,
              "%s2 chirp = %s_chirp(" CHIRP ") * %s;\n%s xr = %si[i], xi = %sr[i];\n"
              "%sr[i] = fma(xr, (%s)(chirp.x), -(xi * (%s)(chirp.y)));\n"
              "%si[i] = fma(xr, (%s)(chirp.y), xi * (%s)(chirp.x));\n}\n%s",
              f->type, f->entry, 2 * (unsigned long long)f->n, scale.text, f->vector, result, result, result, f->vector,
              f->vector, result, f->vector, f->vector, f->fence);
}

// ---- The kernel -------------------------------------------------------------------------------------------------------------

static void put_tile(const fft *f) {
  mr_text_put(f->text, "static void %s_tile(global const %s *in, global %s *out, ", f->entry, f->type, f->type);
  put_four(f);
  mr_text_put(f->text, "%s %s *cr, %s %s *ci, const uint item, long tile) {\n", f->space, f->vector, f->space,
              f->vector);
  mr_text_put(f->text, "%s_load(in, ar, ai, item, tile);\n%s%s_passes(ar, ai, br, bi, item);\n", f->entry, f->fence,
              f->entry);
  const char *a = f->num_passes % 2 ? "b" : "a", *b = f->num_passes % 2 ? "a" : "b", *result = a;
  if (f->convolves) {
    result = "a";  // twice as many passes
    put_convolution(f, a, b, result);
  }
  mr_text_put(f->text, "%s_store(out, (%s const %s *)%sr, (%s const %s *)%si, item, tile);\n%s}\n", f->entry, f->space,
              f->type, result, f->space, f->type, result, f->fence);
}

static void put_kernel(const fft *f, bool has_scratch) {
  mr_text_put(f->text, "\nkernel ");
  if (f->items) {
    mr_text_put(f->text, "__attribute__((reqd_work_group_size(%lld, 1, 1))) ", f->items);
  }
  const int out = f->d->in_place ? 0 : 1, scratch = out + 1;
  mr_text_put(f->text, "void %s(", f->entry);
  for (int i = 0; i <= out + has_scratch; i++) {
    mr_text_put(f->text, "global uchar *p%d, ulong o%d, ", i, i);
  }
  mr_text_put(f->text, "long range, long share) {\n");
  if (!has_scratch) {
    mr_text_put(f->text, "local %s memory[%lld] __attribute__((aligned(64)));\n", f->vector, f->arrays * f->size);
  }
  mr_text_put(f->text,
              "const uint item = %s;\nlong begin = (long)get_%s_id(0) * share, end = min(range, begin + share);\n"
              "for (long piece = begin; piece < end; piece++) {\n%s %s *ar = ",
              f->items ? "(uint)get_local_id(0)" : "0", f->items ? "group" : "global", f->space, f->vector);
  if (has_scratch) {
    mr_text_put(f->text, "(global %s *)(p%d + o%d) + piece * %lldl", f->vector, scratch, scratch, f->arrays * f->size);
  } else {
    mr_text_put(f->text, "memory");
  }
  mr_text_put(f->text, ", *ai = ar + %lldl, *br = ai + %lldl, *bi = br + %lldl, *cr = %s, *ci = %s;\n", f->size,
              f->size, f->size, f->convolves ? "bi" : "ar", f->convolves ? "bi" : "ai");
  if (f->convolves) {
    mr_text_put(f->text, "cr += %lldl;\nci += %lldl;\n%s_prepare(ar, ai, br, bi, cr, ci, item);\n", f->size,
                2 * f->size, f->entry);
  }
  mr_text_put(f->text,
              "for (long tile = piece * %lldl / %lldl; tile < (piece + 1) * %lldl / %lldl; tile++) {\n"
              "%s_tile((global const %s *)(p0 + o0), (global %s *)(p%d + o%d), ar, ai, br, bi, cr, ci, item, tile);\n"
              "}\n}\n}\n",
              f->tiles, f->pieces, f->tiles, f->pieces, f->entry, f->type, f->type, out, out);
}

static void put_all(const fft *f, bool has_scratch) {
  put_roots(f, "w", f->size);
  if (f->halved) {
    put_roots(f, "half", f->d->length);
  }
  if (f->convolves) {
    put_roots(f, "chirp", 2 * f->n);
  }
  put_passes(f);
  put_load(f);
  put_store(f);
  if (f->convolves) {
    put_spectrum(f);
  }
  put_tile(f);
  put_kernel(f, has_scratch);
}

static mr_status check(const mr_clc_fft *d, const mr_target *target) {
  if (d->length < 1 || d->length > MR_CLC_FFT_MOST || d->lines < 1) {
    return mr_error(MR_UNIMPLEMENTED, "%lld transforms of %lld numbers in OpenCL C", (long long)d->lines,
                    (long long)d->length);
  }
  if (d->dtype == MR_F64 && !target->has_f64) {
    return mr_error(MR_UNIMPLEMENTED, "f64 on a device without it");
  }
  if (target->items && target->group_items < MR_CLC_GROUP_LEAST) {
    return mr_error(MR_UNIMPLEMENTED, "fft on a device whose groups have %u items, not %d", target->group_items,
                    MR_CLC_GROUP_LEAST);
  }
  return MR_OK;
}

mr_status mr_clc_add_fft(mr_clc_unit *unit, const mr_clc_fft *d, const char *entry, int64_t *out_range,
                         size_t *out_scratch_bytes) {
  MR_TRY(check(d, unit->target));
  mr_text text = {0};
  fft f = {.d = d, .entry = entry, .text = &text};
  choose_length(&f);
  *out_scratch_bytes = choose_form(&f, unit->target);
  *out_range = f.pieces;
  put_all(&f, *out_scratch_bytes > 0);
  mr_status status = text.failed ? MR_NO_MEMORY() : mr_clc_add_text(unit, (mr_str){text.data, text.size});
  mr_text_deinit(&text);
  return status;
}
