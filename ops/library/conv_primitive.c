// oneDNN's objects for convolutions and changes of layout.
#include "ops/library/conv_primitive.h"

#include <stdalign.h>
#include <string.h>

enum { MAX_ARGS = 6 };

// ---- Descriptors ------------------------------------------------------------------------------------------------------

static void channels_last_strides(const mr_conv_tensor *t, int spatial, int64_t *out) {
  int64_t stride = t->size[1];
  out[1] = 1;
  for (int i = spatial; i-- > 0;) {
    out[2 + i] = stride;
    stride *= t->size[2 + i];
  }
  out[0] = stride;
}

void mr_conv_channels_last(mr_conv_tensor *tensor, int spatial) {
  channels_last_strides(tensor, spatial, tensor->stride);
}

bool mr_conv_is_channels_last(const mr_conv_tensor *tensor, int spatial) {
  int64_t wanted[2 + MR_CONV_SPATIAL];
  channels_last_strides(tensor, spatial, wanted);
  for (int i = 0; i < 2 + spatial; i++) {
    if (tensor->size[i] != 1 && tensor->stride[i] != wanted[i]) {
      return false;
    }
  }
  return true;
}

mr_status mr_conv_tensor_desc(const mr_dnnl_table *d, const mr_conv_tensor *tensor, int spatial,
                              dnnl_memory_desc_t *out) {
  dnnl_dims_t dims, strides;
  for (int i = 0; i < 2 + spatial; i++) {
    dims[i] = tensor->size[i];
    strides[i] = tensor->stride[i];
  }
  return mr_dnnl_status(d->memory_desc_init_by_strides(out, 2 + spatial, dims, dnnl_f32, strides), "memory descriptor");
}

static int weights_dims(const mr_conv_shape *s, dnnl_dims_t dims, dnnl_dims_t strides) {
  int n = 0;
  if (s->groups > 1) {
    dims[n] = s->groups;
    strides[n++] = s->weights_group_stride;
  }
  dims[n] = s->weights.size[0] / s->groups;
  strides[n++] = s->weights.stride[0];
  for (int i = 1; i < 2 + s->spatial; i++) {
    dims[n] = s->weights.size[i];
    strides[n++] = s->weights.stride[i];
  }
  return n;
}

mr_status mr_conv_weights_desc(const mr_dnnl_table *d, const mr_conv_shape *shape, dnnl_memory_desc_t *out) {
  dnnl_dims_t dims, strides;
  int n = weights_dims(shape, dims, strides);
  return mr_dnnl_status(d->memory_desc_init_by_strides(out, n, dims, dnnl_f32, strides), "weights descriptor");
}

static dnnl_memory_desc_t any_weights(const mr_conv_shape *s) {
  dnnl_memory_desc_t desc;
  dnnl_dims_t strides;
  memset(&desc, 0, sizeof desc);
  desc.ndims = weights_dims(s, desc.dims, strides);
  desc.data_type = dnnl_f32;
  desc.format_kind = dnnl_format_kind_any;
  return desc;
}

// ---- Primitives -------------------------------------------------------------------------------------------------------

static dnnl_status_t init_desc(const mr_dnnl_table *d, const mr_conv_shape *s, const mr_conv_primitive *p,
                               dnnl_alg_kind_t algorithm, dnnl_convolution_desc_t *out) {
  dnnl_dims_t strides, dilates, low, high;
  for (int i = 0; i < s->spatial; i++) {
    strides[i] = s->stride[i];
    dilates[i] = s->dilation[i] - 1;
    low[i] = s->pad_low[i];
    high[i] = s->pad_high[i];
  }
  dnnl_memory_desc_t weights = any_weights(s);
  switch (s->kind) {
  case MR_CONV_BACKWARD_DATA:
    return d->dilated_convolution_backward_data_desc_init(out, dnnl_convolution_direct, &p->src, &weights, &p->dst,
                                                          strides, dilates, low, high);
  case MR_CONV_BACKWARD_WEIGHTS:
    return d->dilated_convolution_backward_weights_desc_init(out, dnnl_convolution_direct, &p->src, &weights, NULL,
                                                             &p->dst, strides, dilates, low, high);
  default:
    return d->dilated_convolution_forward_desc_init(out, dnnl_forward_inference, algorithm, &p->src, &weights, NULL,
                                                    &p->dst, strides, dilates, low, high);
  }
}

// Backward primitives want the forward one as a hint.
static mr_status forward_hint(const mr_dnnl_table *d, const mr_conv_shape *shape, const mr_conv_primitive *p,
                              const_dnnl_primitive_desc_t *out) {
  mr_conv_shape forward = *shape;
  dnnl_convolution_desc_t desc;
  forward.kind = MR_CONV_FORWARD;
  dnnl_primitive_desc_t hint = NULL;
  MR_TRY(mr_dnnl_status(init_desc(d, &forward, p, dnnl_convolution_direct, &desc), "forward hint"));
  MR_TRY(mr_dnnl_status(d->primitive_desc_create(&hint, &desc, NULL, mr_dnnl_engine(), NULL), "forward hint"));
  *out = hint;
  return MR_OK;
}

static mr_status create_with(const mr_dnnl_table *d, const mr_conv_shape *shape, mr_conv_primitive *p,
                             dnnl_alg_kind_t algorithm, dnnl_primitive_attr_t attr, const_dnnl_primitive_desc_t hint) {
  dnnl_convolution_desc_t desc;
  dnnl_primitive_desc_t pd = NULL;
  MR_TRY(mr_dnnl_status(init_desc(d, shape, p, algorithm, &desc), "convolution"));
  dnnl_status_t made = d->primitive_desc_create(&pd, &desc, attr, mr_dnnl_engine(), hint);
  if (made == dnnl_unimplemented) {
    return mr_error(MR_UNIMPLEMENTED, "oneDNN has no such convolution");
  }
  MR_TRY(mr_dnnl_status(made, "convolution"));
  dnnl_query_t weights = shape->kind == MR_CONV_BACKWARD_WEIGHTS ? dnnl_query_diff_weights_md : dnnl_query_weights_md;
  p->weights = *d->primitive_desc_query_md(pd, weights, 0);
  p->scratch = *d->primitive_desc_query_md(pd, dnnl_query_scratchpad_md, 0);
  if (algorithm == dnnl_convolution_winograd) {
    p->src = *d->primitive_desc_query_md(pd, dnnl_query_src_md, 0);
    p->dst = *d->primitive_desc_query_md(pd, dnnl_query_dst_md, 0);
  }
  mr_status status = mr_dnnl_status(d->primitive_create(&p->primitive, pd), "convolution");
  d->primitive_desc_destroy(pd);
  return status;
}

// With the scratchpad left to the caller, so that a primitive may execute on many threads.
static mr_status create_primitive(const mr_dnnl_table *d, const mr_conv_shape *shape, dnnl_alg_kind_t algorithm,
                                  const_dnnl_primitive_desc_t hint, mr_conv_primitive *out) {
  dnnl_primitive_attr_t attr = NULL;
  mr_status status = mr_dnnl_status(d->primitive_attr_create(&attr), "attributes");
  if (!status) {
    status = mr_dnnl_status(d->primitive_attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user), "scratchpad mode");
  }
  status = status ? status : create_with(d, shape, out, algorithm, attr, hint);
  d->primitive_attr_destroy(attr);
  return status;
}

mr_status mr_conv_primitive_create(const mr_dnnl_table *d, const mr_conv_shape *shape, mr_conv_primitive *out) {
  memset(out, 0, sizeof *out);
  mr_conv_tensor src = shape->src, dst = shape->dst;
  mr_conv_channels_last(&src, shape->spatial);
  mr_conv_channels_last(&dst, shape->spatial);
  MR_TRY(mr_conv_tensor_desc(d, &src, shape->spatial, &out->src));
  MR_TRY(mr_conv_tensor_desc(d, &dst, shape->spatial, &out->dst));
  const_dnnl_primitive_desc_t hint = NULL;
  if (shape->kind != MR_CONV_FORWARD) {
    MR_TRY(forward_hint(d, shape, out, &hint));
  }
  mr_status status = create_primitive(d, shape, dnnl_convolution_direct, hint, out);
  d->primitive_desc_destroy((dnnl_primitive_desc_t)(uintptr_t)hint);
  return status;
}

static dnnl_memory_desc_t any_image(const mr_conv_tensor *t, int spatial) {
  dnnl_memory_desc_t desc;
  memset(&desc, 0, sizeof desc);
  desc.ndims = 2 + spatial;
  memcpy(desc.dims, t->size, (size_t)desc.ndims * sizeof(int64_t));
  desc.data_type = dnnl_f32;
  desc.format_kind = dnnl_format_kind_any;
  return desc;
}

mr_status mr_winograd_primitive_create(const mr_dnnl_table *d, const mr_conv_shape *shape, mr_conv_primitive *out) {
  memset(out, 0, sizeof *out);
  out->src = any_image(&shape->src, shape->spatial);
  out->dst = any_image(&shape->dst, shape->spatial);
  return create_primitive(d, shape, dnnl_convolution_winograd, NULL, out);
}

void mr_conv_primitive_destroy(const mr_dnnl_table *d, mr_conv_primitive *primitive) {
  mr_dnnl_destroy(d, primitive->primitive);
}

mr_status mr_reorder_create(const mr_dnnl_table *d, const dnnl_memory_desc_t *from, const dnnl_memory_desc_t *to,
                            dnnl_primitive_t *out) {
  dnnl_primitive_desc_t pd = NULL;
  dnnl_engine_t engine = mr_dnnl_engine();
  *out = NULL;
  MR_TRY(mr_dnnl_status(d->reorder_primitive_desc_create(&pd, from, engine, to, engine, NULL), "reorder"));
  mr_status status = mr_dnnl_status(d->primitive_create(out, pd), "reorder");
  d->primitive_desc_destroy(pd);
  return status;
}

// ---- Execution --------------------------------------------------------------------------------------------------------

// From a place of the stack that is a multiple of 64 bytes, whatever called. The ABI promises multiples of 16, and oneDNN's Winograd code
// copies tiles into arrays of its frames by 64 bytes: where those lie between multiples of 32, some copies cross a page
// within half a vector, and the 3x3 convolution of 64 features took 0.45 ms instead of 0.40 (Zen 4, oneDNN 2.6 of Debian 12).
__attribute__((noinline)) static dnnl_status_t execute_aligned(const mr_dnnl_table *d, dnnl_primitive_t primitive,
                                                               dnnl_stream_t stream, const dnnl_exec_arg_t *list,
                                                               int count) {
  alignas(64) char place[64];
  __asm__ volatile("" : : "r"(place) : "memory");  // keeps it
  dnnl_status_t status = d->primitive_execute(primitive, stream, count, list);
  __asm__ volatile("" : : "r"(place) : "memory");  // the call is no jump from here
  return status;
}

mr_status mr_dnnl_execute(const mr_dnnl_table *d, dnnl_primitive_t primitive, const mr_dnnl_arg *args, int count) {
  dnnl_exec_arg_t list[MAX_ARGS];
  dnnl_engine_t engine = mr_dnnl_engine();
  dnnl_stream_t stream = NULL;
  dnnl_status_t status = d->stream_create(&stream, engine, dnnl_stream_default_flags);
  int made = 0;
  for (; made < count && status == dnnl_success; made++) {
    list[made].arg = args[made].role;
    list[made].memory = NULL;
    status = d->memory_create(&list[made].memory, args[made].desc, engine, args[made].data);
  }
  if (status == dnnl_success) {
    status = execute_aligned(d, primitive, stream, list, made);
  }
  for (int i = 0; i < made; i++) {
    d->memory_destroy(list[i].memory);
  }
  if (stream) {
    d->stream_destroy(stream);
  }
  return mr_dnnl_status(status, "execution");
}
