// conv_primitive: oneDNN's objects for one piece of a convolution, and for changes of layout. Private to ops/library.
//
// All of it is single-threaded f32; tensors of images are channels-last. Primitives are immutable and may execute on many
// threads at once, each with its own memory.
#ifndef MR_OPS_LIBRARY_CONV_PRIMITIVE_H
#define MR_OPS_LIBRARY_CONV_PRIMITIVE_H

#include "ops/library/conv_shape.h"
#include "ops/library/dnnl.h"

typedef struct mr_conv_primitive {
  dnnl_primitive_t primitive;
  dnnl_memory_desc_t src, weights, dst, scratch;
} mr_conv_primitive;

// Channels-last strides for a tensor's sizes.
void mr_conv_channels_last(mr_conv_tensor *tensor, int spatial);
bool mr_conv_is_channels_last(const mr_conv_tensor *tensor, int spatial);

// The f32 memory of a tensor; weights get a leading group dimension when there are groups.
mr_status mr_conv_tensor_desc(const mr_dnnl_table *d, const mr_conv_tensor *tensor, int spatial,
                              dnnl_memory_desc_t *out) MR_WARN_UNUSED;
mr_status mr_conv_weights_desc(const mr_dnnl_table *d, const mr_conv_shape *shape,
                               dnnl_memory_desc_t *out) MR_WARN_UNUSED;

// A convolution of shape->kind over channels-last src and dst, with weights in whatever format suits it.
mr_status mr_conv_primitive_create(const mr_dnnl_table *d, const mr_conv_shape *shape,
                                   mr_conv_primitive *out) MR_WARN_UNUSED;
// A forward one by Winograd's algorithm, over src and dst in whatever blocked layout suits it; UNIMPLEMENTED when there is
// none for this shape or CPU.
mr_status mr_winograd_primitive_create(const mr_dnnl_table *d, const mr_conv_shape *shape,
                                       mr_conv_primitive *out) MR_WARN_UNUSED;
void mr_conv_primitive_destroy(const mr_dnnl_table *d, mr_conv_primitive *primitive);
mr_status mr_reorder_create(const mr_dnnl_table *d, const dnnl_memory_desc_t *from, const dnnl_memory_desc_t *to,
                            dnnl_primitive_t *out) MR_WARN_UNUSED;

// One argument of an execution.
typedef struct mr_dnnl_arg {
  int role;
  const dnnl_memory_desc_t *desc;
  void *data;
} mr_dnnl_arg;
mr_status mr_dnnl_execute(const mr_dnnl_table *d, dnnl_primitive_t primitive, const mr_dnnl_arg *args,
                          int count) MR_WARN_UNUSED;

#endif
