// conv_shape: a StableHLO convolution seen as one of oneDNN's three kinds. Private to ops/library.
//
// FORWARD          as it stands
// BACKWARD_DATA    input dilation is the stride of the convolution whose input gradient this is; the kernel is flipped
// BACKWARD_WEIGHTS a "kernel" as large as an image and an output as small as a kernel: a weight gradient, with the features
//                  of the input in the role of the batch
#ifndef MR_OPS_LIBRARY_CONV_SHAPE_H
#define MR_OPS_LIBRARY_CONV_SHAPE_H

#include "ops/library/library.h"

typedef enum mr_conv_kind {
  MR_CONV_NONE,
  MR_CONV_FORWARD,
  MR_CONV_BACKWARD_DATA,
  MR_CONV_BACKWARD_WEIGHTS
} mr_conv_kind;

// One tensor by role: batch (or output feature), feature (or input feature), spatial; strides in elements.
typedef struct mr_conv_tensor {
  int64_t size[2 + MR_CONV_SPATIAL], stride[2 + MR_CONV_SPATIAL];
} mr_conv_tensor;

// The convolution whose forward pass or gradient is computed: dst = conv(src, weights).
typedef struct mr_conv_shape {
  mr_conv_kind kind;
  int spatial;
  int64_t groups;
  mr_conv_tensor src, weights, dst;  // weights: all output features, input features of one group
  int64_t stride[MR_CONV_SPATIAL], dilation[MR_CONV_SPATIAL];  // dilation 1 is dense
  int64_t pad_low[MR_CONV_SPATIAL], pad_high[MR_CONV_SPATIAL];
  bool flip[MR_CONV_SPATIAL];    // the weights in memory run backwards in this dimension
  int64_t weights_group_stride;  // elements from one group's weights to the next
} mr_conv_shape;

// kind NONE when oneDNN has nothing for it.
mr_conv_shape mr_conv_shape_of(const mr_conv_desc *desc);

double mr_conv_flops(const mr_conv_shape *shape);
// What one core takes for it.
uint64_t mr_conv_cost_ns(const mr_conv_shape *shape);

#endif
