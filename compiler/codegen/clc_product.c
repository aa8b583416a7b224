// Products of matrices and convolutions in OpenCL C for processors with vectors.
//
// A convolution is a product: a row for each pixel of the result, a column for each of its features, and a sum over the taps
// of the window and the features of the input, whose elements are found while they are packed (no array of patches is made).
// A product of matrices is a convolution without a window.
//
// One side goes into vectors, the other is taken a number at a time; which is which, `swapped` says. A tile of MR_CLC_ROWS rows
// and two vectors of columns, or one where that is all of them, adds up block by block of the sum: the block's part of the vector side is packed so that its
// vectors lie one behind the other, then a few rows at a time stay in registers through the whole block. How many rows and
// vectors that is depends on the registers there are, which the compiler of the text knows.
#include <stdio.h>
#include <string.h>

#include "compiler/codegen/clc_product.h"
#include "compiler/codegen/tuning.h"

// ---- Sizes --------------------------------------------------------------------------------------------------------------

static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

static bool is_direct(mr_dtype dtype) {
  return dtype == MR_F32 || dtype == MR_F64 || dtype == MR_S32 || dtype == MR_S64;
}

void mr_clc_choose_type(mr_clc_product *p) {
  bool is_float = mr_dtype_is_float(p->out_dtype);
  bool wide = mr_dtype_bytes(p->out_dtype) == 8 || p->lhs_dtype == MR_F64 || p->rhs_dtype == MR_F64;
  p->type = is_float ? (wide ? "double" : "float") : wide ? "ulong" : "uint";  // integers wrap
  p->lanes = wide ? 8 : 16;
}

// The most rows of a block of registers, of which few are in vain.
static int64_t register_rows(int64_t rows, int64_t most) {
  int64_t best = 1;
  for (int64_t r = 1; r <= most && r <= rows; r++) {
    if (divide_up(rows, r) * r <= divide_up(rows, best) * best || (r >= most / 2 && best < most / 2)) {
      best = r;
    }
  }
  return best;
}

// Vectors along what lies one behind the other in memory, unless they would stay empty.
static void choose_sides(mr_clc_product *p) {
  bool features_fit = p->features >= p->lanes / 2 || p->features >= p->pixels;
  bool pixels_fit = p->pixels >= p->lanes / 2 || p->pixels > p->features;
  bool pixels_in_order = !p->window && p->lhs.stride[0] == 1 && p->rhs.stride[0] != 1;
  p->swapped = !features_fit || (pixels_fit && pixels_in_order && p->features >= MR_CLC_ROWS);
  p->rows = p->swapped ? p->features : p->pixels;
  p->columns = p->swapped ? p->pixels : p->features;
}

static void choose_sizes(mr_clc_product *p) {
  mr_clc_choose_type(p);
  choose_sides(p);
  mr_dtype row_dtype = p->swapped ? p->rhs_dtype : p->lhs_dtype;
  p->packs_rows = (!p->swapped && p->window) || !is_direct(row_dtype) || (p->swapped && p->taps > 1);
  p->tile_columns = (p->columns > p->lanes ? 2 : 1) * (int64_t)p->lanes;
  p->tile_rows = MR_MIN(p->rows, p->packs_rows ? MR_CLC_ROWS / 2 : MR_CLC_ROWS);
  int64_t column_tiles = divide_up(p->columns, p->tile_columns) * p->groups;
  while (p->tile_rows > MR_CLC_LEAST_ROWS && divide_up(p->rows, p->tile_rows) * column_tiles < MR_CLC_TILES) {
    p->tile_rows = divide_up(p->tile_rows, 2);
  }
  int64_t block = MR_CLC_BLOCK;
  p->block_taps = MR_MAX(1, MR_MIN(p->taps, block / MR_MAX(p->channels, 1)));
  p->block_channels = MR_MIN(p->channels, block);
  p->block = p->block_taps * p->block_channels;
}

// ---- Elements -------------------------------------------------------------------------------------------------------------

const char *mr_clc_widened(const mr_clc_product *p, mr_dtype dtype, mr_clc_name *name) {
  if (mr_clc_is_narrow(dtype)) {
    snprintf(name->text, sizeof name->text, "mr_clc_widen_%s(", mr_dtype_name(dtype));
    return ")";
  }
  if (mr_dtype_is_integer(dtype) && mr_dtype_bits(dtype) < 8) {
    snprintf(name->text, sizeof name->text, "(%s)mr_clc_fit_%s(", p->type, mr_clc_suffix(dtype));
    return mr_dtype_bits(dtype) == 4 ? ", 4)" : mr_dtype_bits(dtype) == 2 ? ", 6)" : ", 7)";
  }
  snprintf(name->text, sizeof name->text, "(%s)(", p->type);
  return ")";
}

void mr_clc_put_places(const mr_clc_product *p, const char *number) {
  mr_text_put(p->text, "long image = %s;\n", number);
  for (int d = p->window ? p->window->spatial : 0; d-- > 0;) {
    long long size = (long long)p->window->out_size[d];
    mr_text_put(p->text, "long q%d = image %% %lld; image /= %lld;\n", d, size, size);
  }
}

void mr_clc_put_tap(const mr_clc_product *p) {
  mr_text_put(p->text, "long tap = t0 + t;\n");
  for (int d = p->window ? p->window->spatial : 0; d-- > 0;) {
    long long size = (long long)p->window->kernel_size[d];
    mr_text_put(p->text, "long x%d = tap %% %lld; tap /= %lld;\n", d, size, size);
  }
}

void mr_clc_put_input_place(const mr_clc_product *p) {
  mr_text_put(p->text, "long at = g * %lldl + image * %lldl + c0 * %lldl; bool inside = true;\n",
              (long long)p->lhs.group, (long long)p->lhs.stride[0], (long long)p->lhs.stride[1]);
  for (int d = 0; p->window && d < p->window->spatial; d++) {
    const mr_conv_desc *w = p->window;
    mr_clc_name tap;
    if (w->reverse[d]) {
      snprintf(tap.text, sizeof tap.text, "(%lld - x%d)", (long long)w->kernel_size[d] - 1, d);
    } else {
      snprintf(tap.text, sizeof tap.text, "x%d", d);
    }
    mr_text_put(p->text, "long i%d = q%d * %lld + %s * %lld - (%lld);\n", d, d, (long long)w->stride[d], tap.text,
                (long long)w->rhs_dilation[d], (long long)w->pad_low[d]);
    if (w->lhs_dilation[d] > 1) {
      mr_text_put(p->text, "inside = inside & (i%d %% %lld == 0); i%d = i%d < 0 ? -1 : i%d / %lld;\n", d,
                  (long long)w->lhs_dilation[d], d, d, d, (long long)w->lhs_dilation[d]);
    }
    mr_text_put(p->text, "inside = inside & (i%d >= 0) & (i%d < %lld); at += i%d * %lldl;\n", d, d,
                (long long)w->in_size[d], d, (long long)p->lhs.stride[2 + d]);
  }
  mr_text_put(p->text, "at = inside ? at : 0;\n");
}

// ---- Packing --------------------------------------------------------------------------------------------------------------

// For rows: one behind the other; for columns: a line of all columns for each step of the sum.
static void put_packed_store(const mr_clc_product *p, bool is_row, const char *value) {
  if (is_row) {
    mr_text_put(p->text, "pr[i * %lld + t * cc + c] = %s;\n", (long long)p->block, value);
  } else {
    mr_text_put(p->text, "pc[(t * cc + c) * %lld + i] = %s;\n", (long long)p->tile_columns, value);
  }
}

static void put_padding(const mr_clc_product *p) {
  mr_text_put(p->text, "for (long k = 0; k < kc; k++) for (long i = nc; i < %lld; i++) pc[k * %lld + i] = 0;\n",
              (long long)p->tile_columns, (long long)p->tile_columns);
}

// Where the pixels of the tile lie, found once for all taps: it takes divisions.
static void find_places(const mr_clc_product *p, const char *count, const char *number) {
  const int spatial = p->window ? p->window->spatial : 0;
  const long long most = (long long)MR_MAX(p->tile_rows, p->tile_columns);
  mr_text_put(p->text, "long images[%lld];\n", most);
  for (int d = 0; d < spatial; d++) {
    mr_text_put(p->text, "long places%d[%lld];\n", d, most);
  }
  mr_text_put(p->text, "for (long i = 0; i < %s; i++) {\n", count);
  mr_clc_put_places(p, number);
  for (int d = 0; d < spatial; d++) {
    mr_text_put(p->text, "places%d[i] = q%d;\n", d, d);
  }
  mr_text_put(p->text, "images[i] = image;\n}\n");
}

static void pack_pixels(const mr_clc_product *p, bool is_row) {
  mr_clc_name front;
  const char *back = mr_clc_widened(p, p->lhs_dtype, &front), *count = is_row ? "mc" : "nc";
  mr_text_put(p->text, "{\n");
  find_places(p, count, is_row ? "m0 + i" : "n0 + i");
  mr_text_put(p->text, "for (long t = 0; t < tc; t++) {\n");
  mr_clc_put_tap(p);
  mr_text_put(p->text, "for (long i = 0; i < %s; i++) {\nlong image = images[i];\n", count);
  for (int d = 0; p->window && d < p->window->spatial; d++) {
    mr_text_put(p->text, "long q%d = places%d[i];\n", d, d);
  }
  mr_clc_put_input_place(p);
  mr_text_put(p->text, "for (long c = 0; c < cc; c++) {\n%s value = %sa[at + c * %lldl]%s;\n", p->type, front.text,
              (long long)p->lhs.stride[1], back);
  put_packed_store(p, is_row, p->window ? "inside ? value : 0" : "value");
  mr_text_put(p->text, "}\n}\n}\n}\n");
}

// The weights: along whichever of channels and features lies one behind the other.
static void pack_features(const mr_clc_product *p, bool is_row) {
  mr_clc_name front;
  const char *back = mr_clc_widened(p, p->rhs_dtype, &front), *count = is_row ? "mc" : "nc",
             *first = is_row ? "m0" : "n0";
  bool features_inside = p->rhs.stride[0] == 1 || p->rhs.stride[0] < p->rhs.stride[1];
  mr_text_put(p->text, "for (long t = 0; t < tc; t++) {\n");
  mr_clc_put_tap(p);
  mr_text_put(p->text, "long at = g * %lldl + c0 * %lldl + %s * %lldl;\n", (long long)p->rhs.group,
              (long long)p->rhs.stride[1], first, (long long)p->rhs.stride[0]);
  for (int d = 0; p->window && d < p->window->spatial; d++) {
    mr_text_put(p->text, "at += x%d * %lldl;\n", d, (long long)p->rhs.stride[2 + d]);
  }
  if (features_inside) {
    mr_text_put(p->text, "for (long c = 0; c < cc; c++) for (long i = 0; i < %s; i++) {\n", count);
  } else {
    mr_text_put(p->text, "for (long i = 0; i < %s; i++) for (long c = 0; c < cc; c++) {\n", count);
  }
  mr_text_put(p->text, "%s value = %sb[at + c * %lldl + i * %lldl]%s;\n", p->type, front.text,
              (long long)p->rhs.stride[1], (long long)p->rhs.stride[0], back);
  put_packed_store(p, is_row, "value");
  mr_text_put(p->text, "}\n}\n");
}

static void put_packing(const mr_clc_product *p) {
  if (p->swapped) {
    pack_pixels(p, false);
  } else {
    pack_features(p, false);
  }
  put_padding(p);
  if (p->packs_rows && p->swapped) {
    pack_features(p, true);
  } else if (p->packs_rows) {
    pack_pixels(p, true);
  }
}

// ---- Registers ------------------------------------------------------------------------------------------------------------

// A number of row `m + r` at step k of the block.
static void put_row_number(const mr_clc_product *p, int64_t r) {
  mr_text_put(p->text, "%s a%lld = ", p->type, (long long)r);
  if (p->packs_rows) {
    mr_text_put(p->text, "pr[min(m + %lld, mc - 1) * %lld + k];\n", (long long)r, (long long)p->block);
    return;
  }
  const mr_clc_walk *side = p->swapped ? &p->rhs : &p->lhs;
  mr_text_put(p->text, "%s[g * %lldl + (m0 + min(m + %lld, mc - 1)) * %lldl + (c0 + k) * %lldl];\n",
              p->swapped ? "b" : "a", (long long)side->group, (long long)r, (long long)side->stride[0],
              (long long)side->stride[1]);
}

static void put_registers(const mr_clc_product *p, int64_t rows, int vectors) {
  bool is_float = mr_dtype_is_float(p->out_dtype);
  long long columns = (long long)p->tile_columns;
  int lanes = p->lanes;
  mr_text_put(p->text, "for (long n = 0; n < %lld; n += %d) for (long m = 0; m < mc; m += %lld) {\n", columns,
              lanes * vectors, (long long)rows);
  for (int64_t r = 0; r < rows; r++) {
    for (int v = 0; v < vectors; v++) {
      mr_text_put(p->text, "%s%d s%lld_%d = first ? (%s%d)(0) : vload%d(0, sum + (m + %lld) * %lld + n + %d);\n",
                  p->type, lanes, (long long)r, v, p->type, lanes, lanes, (long long)r, columns, v * lanes);
    }
  }
  mr_text_put(p->text, "for (long k = 0; k < kc; k++) {\n");
  for (int v = 0; v < vectors; v++) {
    mr_text_put(p->text, "%s%d b%d = vload%d(0, pc + k * %lld + n + %d);\n", p->type, lanes, v, lanes, columns,
                v * lanes);
  }
  for (int64_t r = 0; r < rows; r++) {
    put_row_number(p, r);
    for (int v = 0; v < vectors; v++) {
      const char *form =
          is_float ? "s%lld_%d = fma((%s%d)(a%lld), b%d, s%lld_%d);\n" : "s%lld_%d += (%s%d)(a%lld) * b%d;\n";
      mr_text_put(p->text, form, (long long)r, v, p->type, lanes, (long long)r, v, (long long)r, v);
    }
  }
  mr_text_put(p->text, "}\n");
  for (int64_t r = 0; r < rows; r++) {
    for (int v = 0; v < vectors; v++) {
      mr_text_put(p->text, "vstore%d(s%lld_%d, 0, sum + (m + %lld) * %lld + n + %d);\n", lanes, (long long)r, v,
                  (long long)r, columns, v * lanes);
    }
  }
  mr_text_put(p->text, "}\n");
}

// ---- The tile -------------------------------------------------------------------------------------------------------------

void mr_clc_put_narrowed(const mr_clc_product *p) {
  if (mr_clc_is_narrow(p->out_dtype)) {
    mr_text_put(p->text, "mr_clc_narrow_%s(%svalue%s)", mr_dtype_name(p->out_dtype),
                *p->type == 'd' ? "mr_clc_round_to_odd(" : "", *p->type == 'd' ? ")" : "");
  } else {
    mr_text_put(p->text, "(%s)value", mr_clc_type(p->out_dtype));
  }
}

static void put_result(const mr_clc_product *p) {
  mr_text_put(p->text, "for (long i = 0; i < %s; i++) {\n", p->swapped ? "nc" : "mc");
  mr_clc_put_places(p, p->swapped ? "n0 + i" : "m0 + i");
  mr_text_put(p->text, "long at = g * %lldl + image * %lldl + %s * %lldl;\n", (long long)p->out.group,
              (long long)p->out.stride[0], p->swapped ? "m0" : "n0", (long long)p->out.stride[1]);
  for (int d = 0; p->window && d < p->window->spatial; d++) {
    mr_text_put(p->text, "at += q%d * %lldl;\n", d, (long long)p->out.stride[2 + d]);
  }
  mr_text_put(p->text, "for (long j = 0; j < %s; j++) {\n%s value = sum[%s * %lld + %s];\nc[at + j * %lldl] = ",
              p->swapped ? "mc" : "nc", p->type, p->swapped ? "j" : "i", (long long)p->tile_columns,
              p->swapped ? "i" : "j", (long long)p->out.stride[1]);
  mr_clc_put_narrowed(p);
  mr_text_put(p->text, ";\n}\n}\n");
}

static void put_tile(const mr_clc_product *p) {
  long long row_tiles = (long long)divide_up(p->rows, p->tile_rows);
  long long column_tiles = (long long)divide_up(p->columns, p->tile_columns);
  mr_text_put(p->text,
              "for (long tile = begin; tile < end; tile++) {\n"
              "long m0 = tile %% %lld * %lld, n0 = tile / %lld %% %lld * %lld, g = tile / %lld;\n"
              "long mc = min(%lldl - m0, %lldl), nc = min(%lldl - n0, %lldl);\n",
              row_tiles, (long long)p->tile_rows, row_tiles, column_tiles, (long long)p->tile_columns,
              row_tiles * column_tiles, (long long)p->rows, (long long)p->tile_rows, (long long)p->columns,
              (long long)p->tile_columns);
  mr_text_put(p->text,
              "for (long t0 = 0; t0 < %lld; t0 += %lld) for (long c0 = 0; c0 < %lld; c0 += %lld) {\n"
              "long tc = min(%lldl - t0, %lldl), cc = min(%lldl - c0, %lldl), kc = tc * cc;\n"
              "bool first = (t0 == 0) & (c0 == 0);\n",
              (long long)p->taps, (long long)p->block_taps, (long long)p->channels, (long long)p->block_channels,
              (long long)p->taps, (long long)p->block_taps, (long long)p->channels, (long long)p->block_channels);
  put_packing(p);
  mr_text_put(p->text, "#ifdef __AVX512F__\n");
  put_registers(p, register_rows(p->tile_rows, 8), (int)(p->tile_columns / p->lanes));
  mr_text_put(p->text, "#else\n");
  put_registers(p, register_rows(p->tile_rows, 4), 1);
  mr_text_put(p->text, "#endif\n}\n");
  put_result(p);
  mr_text_put(p->text, "}\n");
}

static void put_kernel(const mr_clc_product *p) {
  const char *a = mr_clc_memory_type(p->lhs_dtype), *b = mr_clc_memory_type(p->rhs_dtype),
             *c = mr_clc_memory_type(p->out_dtype);
  mr_text_put(p->text,
              "static void %s_share(global const %s *restrict a, global const %s *restrict b, global %s *restrict c, "
              "long begin, long end) {\n",
              p->entry, a, b, c);
  const int64_t columns = p->block * p->tile_columns, sums = (p->tile_rows + 8) * p->tile_columns,
                rows = p->block * p->tile_rows;
  mr_text_put(p->text, "%s pc[%lld] __attribute__((aligned(64))), sum[%lld] __attribute__((aligned(64)));\n", p->type,
              (long long)columns, (long long)sums);
  if (p->packs_rows) {
    mr_text_put(p->text, "%s pr[%lld] __attribute__((aligned(64)));\n", p->type, (long long)rows);
  }
  put_tile(p);
  mr_text_put(
      p->text,
      "}\nkernel void %s(global uchar *p0, ulong o0, global uchar *p1, ulong o1, global uchar *p2, ulong o2, "
      "long range, long share) {\n"
      "long begin = (long)get_global_id(0) * share, end = min(range, begin + share);\n"
      "if (begin < end) %s_share((global const %s *)(p0 + o0), (global const %s *)(p1 + o1), (global %s *)(p2 + "
      "o2), begin, end);\n}\n",
      p->entry, p->entry, a, b, c);
}

static bool has_type(mr_dtype dtype) { return mr_dtype_is_float(dtype) || mr_dtype_is_integer(dtype); }

static mr_status add_product(mr_clc_unit *unit, mr_clc_product *p, int64_t *out_range) {
  if (!has_type(p->lhs_dtype) || !has_type(p->rhs_dtype) || !has_type(p->out_dtype)) {
    return mr_error(MR_UNIMPLEMENTED, "product of %s and %s in OpenCL C", mr_dtype_name(p->lhs_dtype),
                    mr_dtype_name(p->rhs_dtype));
  }
  if (unit->target->items && unit->target->group_items < MR_CLC_GROUP_LEAST) {
    return mr_error(MR_UNIMPLEMENTED, "product on a device whose groups have %u items, not %d",
                    unit->target->group_items, MR_CLC_GROUP_LEAST);
  }
  if (p->pixels < 1 || p->features < 1 || p->groups < 1 || p->taps < 1 || p->channels < 1) {
    return mr_error(MR_UNIMPLEMENTED, "empty product in OpenCL C");
  }
  mr_text text = {0};
  p->text = &text;
  if (unit->target->items) {
    mr_clc_put_product_items(p, unit->target, out_range);
  } else {
    choose_sizes(p);
    put_kernel(p);
    *out_range = divide_up(p->rows, p->tile_rows) * divide_up(p->columns, p->tile_columns) * p->groups;
  }
  mr_status status = text.failed ? MR_NO_MEMORY() : mr_clc_add_text(unit, (mr_str){text.data, text.size});
  mr_text_deinit(&text);
  return status;
}

mr_status mr_clc_add_matmul(mr_clc_unit *unit, const mr_matmul_desc *d, const char *entry, int64_t *out_range) {
  mr_clc_product p = {.entry = entry,
                      .lhs_dtype = d->a,
                      .rhs_dtype = d->b,
                      .out_dtype = d->c,
                      .groups = d->batch,
                      .pixels = d->m,
                      .features = d->n,
                      .channels = d->k,
                      .taps = 1,
                      .lhs = {d->a_stride[0], {d->a_stride[1], d->a_stride[2]}},
                      .rhs = {d->b_stride[0], {d->b_stride[2], d->b_stride[1]}},
                      .out = {d->c_stride[0], {d->c_stride[1], d->c_stride[2]}}};
  return add_product(unit, &p, out_range);
}

mr_status mr_clc_add_convolution(mr_clc_unit *unit, const mr_conv_desc *d, const char *entry, int64_t *out_range) {
  int64_t groups = d->feature_groups * d->batch_groups, features = d->out_features / groups;
  mr_clc_product p = {.entry = entry,
                      .lhs_dtype = d->lhs,
                      .rhs_dtype = d->rhs,
                      .out_dtype = d->out,
                      .groups = groups,
                      .pixels = d->out_batch,
                      .features = features,
                      .channels = d->kernel_in_features,
                      .taps = 1,
                      .window = d};
  memcpy(p.lhs.stride, d->lhs_stride, sizeof p.lhs.stride);
  memcpy(p.rhs.stride, d->rhs_stride, sizeof p.rhs.stride);
  memcpy(p.out.stride, d->out_stride, sizeof p.out.stride);
  p.lhs.group = d->feature_groups > 1 ? d->kernel_in_features * d->lhs_stride[1] : d->out_batch * d->lhs_stride[0];
  p.rhs.group = features * d->rhs_stride[0];
  p.out.group = features * d->out_stride[1];
  for (int i = 0; i < d->spatial; i++) {
    p.pixels *= d->out_size[i];
    p.taps *= d->kernel_size[i];
  }
  return add_product(unit, &p, out_range);
}
