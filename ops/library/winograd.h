// winograd: 3x3 convolutions by Winograd's minimal filtering, through oneDNN. Private to ops/library.
//
// A. Lavin, S. Gray, Fast Algorithms for Convolutional Neural Networks, 2015: F(2x2, 3x3) needs 16 multiplications where the
// definition has 36, F(4x4, 3x3) 36 where it has 144. The weights' transformation costs far more than one convolution, so
// this is for weights that stay the same from call to call, and not for programs that ask for the highest precision.
#ifndef MR_OPS_LIBRARY_WINOGRAD_H
#define MR_OPS_LIBRARY_WINOGRAD_H

#include "ops/library/conv_shape.h"

// `shape` is desc's; f32, one group, 3x3, no strides, features in sixteens, and stable weights.
bool mr_winograd_supports(const mr_conv_desc *desc, const mr_conv_shape *shape);
// UNIMPLEMENTED when oneDNN has no Winograd for this shape or this CPU; the caller then takes another way.
mr_status mr_winograd_create(const mr_conv_desc *desc, const mr_conv_shape *shape,
                             mr_library_call **out_call) MR_WARN_UNUSED;

#endif
