// winograd_weights: 3x3 filters brought to the form that oneDNN's F(4x4, 3x3) convolution multiplies with: G g G^T, with G
// 6 x 3, in blocks of 16 x 16 features. Private to ops/library.
//
// oneDNN does it too, one filter at a time: 64 x 64 filters take it 2 ms, and an image of 56 x 56 is convolved with them in
// less. Its G is found by transforming filters of a single one, and its order of elements is read from the descriptor; both
// are tried on random filters once, and when that does not come out alike there is no Winograd.
#ifndef MR_OPS_LIBRARY_WINOGRAD_WEIGHTS_H
#define MR_OPS_LIBRARY_WINOGRAD_WEIGHTS_H

#include "ops/library/conv_shape.h"
#include "ops/library/dnnl.h"

typedef struct mr_winograd_weights {
  int64_t in_features, out_features;
  int64_t stride[4];            // elements in memory: output feature, input feature, row, column
  int64_t in_group, out_group;  // blocks of 16 features that lie together
} mr_winograd_weights;

// `packed` as a convolution wants it. UNIMPLEMENTED when that is something else than the above.
mr_status mr_winograd_weights_init(const mr_dnnl_table *dnnl, const mr_conv_tensor *weights,
                                   const dnnl_memory_desc_t *packed, mr_winograd_weights *out) MR_WARN_UNUSED;
void mr_winograd_weights_pack(const mr_winograd_weights *self, mr_group *group, const float *from, float *to);

#endif
