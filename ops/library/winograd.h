// winograd: 3x3 convolutions by Winograd's minimal filtering, through oneDNN. Private to ops/library.
//
// A. Lavin, S. Gray, Fast Algorithms for Convolutional Neural Networks, 2015: F(4x4, 3x3) needs 36 multiplications where the
// definition has 144, and loses two bits or so. Whether it is used is decided by the op, its precision and its shapes alone.
#ifndef MR_OPS_LIBRARY_WINOGRAD_H
#define MR_OPS_LIBRARY_WINOGRAD_H

#include "ops/library/conv_shape.h"

// `shape` is desc's; f32 of default precision, one group, 3x3, no strides, features in sixteens, enough pixels.
bool mr_winograd_supports(const mr_conv_desc *desc, const mr_conv_shape *shape);
// UNIMPLEMENTED when oneDNN has no Winograd for this shape or this CPU; the caller then takes another way.
mr_status mr_winograd_create(const mr_conv_desc *desc, const mr_conv_shape *shape,
                             mr_library_call **out_call) MR_WARN_UNUSED;

#endif
