// clc_product: products of matrices and convolutions as text of OpenCL C. Private to compiler/codegen.
//
// A convolution is a product: a row for each pixel of the result, a column for each of its features, and a sum over the taps
// of the window and the features of the input. A product of matrices is a convolution without a window.
//
// Threads, ownership: a product and its text belong to one thread. Strides and sizes are in elements.
#ifndef MR_COMPILER_CODEGEN_CLC_PRODUCT_H
#define MR_COMPILER_CODEGEN_CLC_PRODUCT_H

#include "compiler/codegen/clc_emit.h"
#include "ops/library/library.h"

// How to walk along a side of the product or the result: by group, then by what the first dimension of a matrix is, then by the
// second, then along the window or the image.
typedef struct mr_clc_walk {
  int64_t group, stride[2 + MR_CONV_SPATIAL];
} mr_clc_walk;

typedef struct mr_clc_product {
  const char *entry;
  mr_text *text;
  mr_dtype lhs_dtype, rhs_dtype, out_dtype;
  int64_t groups, pixels, features, channels, taps;
  mr_clc_walk lhs, rhs, out;   // pixel or feature first, then channel; out: pixel, feature
  const mr_conv_desc *window;  // NULL: none
  bool swapped;                // pixels go into vectors; else features do
  // Chosen: of a tile, and of the sum.
  int64_t rows, columns;  // of the whole product, by side
  int64_t tile_rows, tile_columns, block, block_taps, block_channels;
  bool packs_rows;
  const char *type;  // that it is computed in
  int lanes;         // of a vector
} mr_clc_product;

// A number in memory as the type that it is computed in: what goes in front; returns what goes behind.
const char *mr_clc_widened(const mr_clc_product *p, mr_dtype dtype, mr_clc_name *out_front);
// Where a pixel's number leads: its image and its places, as long variables `image`, `q0`, `q1`, ...
void mr_clc_put_places(const mr_clc_product *p, const char *number);
// The same of tap `t0 + t` of the window, as x0, x1, ...
void mr_clc_put_tap(const mr_clc_product *p);
// `at`: where the pixel's element under this tap, of channel c0, lies in the input; `inside`: whether there is one.
void mr_clc_put_input_place(const mr_clc_product *p);
// `value`, of the type that it is computed in, as the text of an element of the result.
void mr_clc_put_narrowed(const mr_clc_product *p);
// The type that it is computed in, and how many are a vector.
void mr_clc_choose_type(mr_clc_product *p);

// Text for devices of many items, by groups of `target`'s (clc_product_items.c). Sets the range.
void mr_clc_put_product_items(mr_clc_product *p, const mr_target *target, int64_t *out_range);

#endif
