// Which of oneDNN's convolutions a StableHLO convolution is. Derivations in one dimension, x input, w kernel, y output:
//
//   forward            y[o] = sum_k x[o s + k d - p] w[k]
//   input gradient     dx[h] = sum_{o,k: o s + k d - p = h} dy[o] w[k]. StableHLO dilates dy by s and slides the flipped kernel
//                      v[k] = w[K-1-k] with padding q: the index h + k d - q must be o s, so p = (K-1) d - q.
//   weight gradient    dw[k] = sum_o x[o s + k d - p] dy[o]: a convolution with kernel dy, kernel dilation s, stride d.
#include "ops/library/conv_shape.h"

#include "ops/library/tuning.h"

static mr_conv_tensor tensor(int64_t n, int64_t c, const int64_t *spatial, const int64_t *stride, int count) {
  mr_conv_tensor t = {{n, c}, {stride[0], stride[1]}};
  for (int i = 0; i < count; i++) {
    t.size[2 + i] = spatial[i];
    t.stride[2 + i] = stride[2 + i];
  }
  return t;
}

// oneDNN's condition on the paddings: low not negative, high only as far negative as the stride hides.
static bool paddings_fit(const mr_conv_shape *s) {
  for (int i = 0; i < s->spatial; i++) {
    int64_t window = (s->weights.size[2 + i] - 1) * s->dilation[i] + 1;
    int64_t covered = s->src.size[2 + i] + s->pad_low[i] + s->pad_high[i] - window;
    if (s->pad_low[i] < 0 || s->pad_high[i] + s->stride[i] <= 0 || covered < 0 ||
        covered / s->stride[i] + 1 != s->dst.size[2 + i]) {
      return false;
    }
  }
  return true;
}

// The high padding that makes the forward sizes agree.
static void fill_pad_high(mr_conv_shape *s) {
  for (int i = 0; i < s->spatial; i++) {
    int64_t window = (s->weights.size[2 + i] - 1) * s->dilation[i] + 1;
    s->pad_high[i] = (s->dst.size[2 + i] - 1) * s->stride[i] + window - s->src.size[2 + i] - s->pad_low[i];
  }
}

static mr_conv_shape forward(const mr_conv_desc *d) {
  mr_conv_shape s = {.kind = MR_CONV_FORWARD, .spatial = d->spatial, .groups = d->feature_groups};
  s.src = tensor(d->batch, d->in_features, d->in_size, d->lhs_stride, d->spatial);
  s.weights = tensor(d->out_features, d->kernel_in_features, d->kernel_size, d->rhs_stride, d->spatial);
  s.dst = tensor(d->out_batch, d->out_features, d->out_size, d->out_stride, d->spatial);
  s.weights_group_stride = d->out_features / d->feature_groups * d->rhs_stride[0];
  for (int i = 0; i < d->spatial; i++) {
    s.stride[i] = d->stride[i];
    s.dilation[i] = d->rhs_dilation[i];
    s.pad_low[i] = d->pad_low[i];
    s.pad_high[i] = d->pad_high[i];
    s.flip[i] = d->reverse[i];
  }
  return s;
}

static mr_conv_shape backward_data(const mr_conv_desc *d) {
  mr_conv_shape s = {.kind = MR_CONV_BACKWARD_DATA, .spatial = d->spatial, .groups = d->feature_groups};
  s.dst = tensor(d->batch, d->in_features, d->in_size, d->lhs_stride, d->spatial);
  s.src = tensor(d->out_batch, d->out_features, d->out_size, d->out_stride, d->spatial);
  int64_t swapped[2 + MR_CONV_SPATIAL] = {d->rhs_stride[1], d->rhs_stride[0]};
  for (int i = 0; i < d->spatial; i++) {
    swapped[2 + i] = d->rhs_stride[2 + i];
    if (d->stride[i] != 1) {
      s.kind = MR_CONV_NONE;
    }
    s.stride[i] = d->lhs_dilation[i];
    s.dilation[i] = d->rhs_dilation[i];
    s.pad_low[i] = (d->kernel_size[i] - 1) * d->rhs_dilation[i] - d->pad_low[i];
    s.flip[i] = !d->reverse[i];
  }
  // Of the forward convolution: output features are this one's input features.
  s.weights = tensor(d->in_features, d->out_features / d->feature_groups, d->kernel_size, swapped, d->spatial);
  s.weights_group_stride = d->out_features / d->feature_groups * d->rhs_stride[0];
  fill_pad_high(&s);
  return s;
}

static mr_conv_shape backward_weights(const mr_conv_desc *d) {
  mr_conv_shape s = {.kind = MR_CONV_BACKWARD_WEIGHTS, .spatial = d->spatial, .groups = 1};
  int64_t lhs[2 + MR_CONV_SPATIAL] = {d->lhs_stride[1], d->lhs_stride[0]};
  int64_t rhs[2 + MR_CONV_SPATIAL] = {d->rhs_stride[1], d->rhs_stride[0]};
  int64_t out[2 + MR_CONV_SPATIAL] = {d->out_stride[1], d->out_stride[0]};
  for (int i = 0; i < d->spatial; i++) {
    lhs[2 + i] = d->lhs_stride[2 + i];
    rhs[2 + i] = d->rhs_stride[2 + i];
    out[2 + i] = d->out_stride[2 + i];
    s.stride[i] = d->rhs_dilation[i];
    s.dilation[i] = d->stride[i];
    s.pad_low[i] = d->pad_low[i];
  }
  s.src = tensor(d->in_features, d->batch, d->in_size, lhs, d->spatial);
  s.dst = tensor(d->kernel_in_features, d->out_features, d->kernel_size, rhs, d->spatial);
  s.weights = tensor(d->out_features, d->out_batch, d->out_size, out, d->spatial);
  fill_pad_high(&s);
  return s;
}

static bool any_above_one(const int64_t *values, int count) {
  for (int i = 0; i < count; i++) {
    if (values[i] != 1) {
      return true;
    }
  }
  return false;
}

static double product(const int64_t *values, int count) {
  double result = 1;
  for (int i = 0; i < count; i++) {
    result *= (double)values[i];
  }
  return result;
}

static bool is_weight_gradient(const mr_conv_desc *d) {
  return d->feature_groups == 1 && !any_above_one(d->lhs_dilation, d->spatial) &&
         product(d->kernel_size, d->spatial) > 2 * product(d->out_size, d->spatial) && !d->reverse[0] &&
         !d->reverse[1] && !d->reverse[2];
}

static bool is_depthwise(const mr_conv_shape *s) {
  return s->groups > 1 && s->src.size[1] == s->groups && s->dst.size[1] == s->groups;
}

static void give_height(mr_conv_tensor *t) {
  t->size[3] = t->size[2];
  t->stride[3] = t->stride[2];
  t->stride[2] *= t->size[2];
  t->size[2] = 1;
}

// oneDNN's depthwise kernels are for images, so a line is one of height 1: 8 lines of 512 x 256 by 4 taps take 0.3 ms on two
// cores, as lines 2.3.
static void lines_to_images(mr_conv_shape *s) {
  give_height(&s->src);
  give_height(&s->weights);
  give_height(&s->dst);
  s->stride[1] = s->stride[0];
  s->dilation[1] = s->dilation[0];
  s->pad_low[1] = s->pad_low[0];
  s->pad_high[1] = s->pad_high[0];
  s->flip[1] = s->flip[0];
  s->stride[0] = s->dilation[0] = 1;
  s->pad_low[0] = s->pad_high[0] = 0;
  s->flip[0] = false;
  s->spatial = 2;
}

mr_conv_shape mr_conv_shape_of(const mr_conv_desc *d) {
  mr_conv_shape s = {.kind = MR_CONV_NONE};
  if (d->spatial < 1 || d->spatial > MR_CONV_SPATIAL || d->batch_groups != 1) {
    return s;
  }
  if (any_above_one(d->lhs_dilation, d->spatial)) {
    s = backward_data(d);
  } else if (is_weight_gradient(d)) {
    s = backward_weights(d);
  }
  if (s.kind == MR_CONV_NONE || !paddings_fit(&s)) {
    s = any_above_one(d->lhs_dilation, d->spatial) ? (mr_conv_shape){.kind = MR_CONV_NONE} : forward(d);
  }
  if (s.kind != MR_CONV_NONE && !paddings_fit(&s)) {
    s.kind = MR_CONV_NONE;
  }
  if (s.kind != MR_CONV_NONE && s.spatial == 1 && is_depthwise(&s)) {
    lines_to_images(&s);
  }
  return s;
}

// ---- Cost -------------------------------------------------------------------------------------------------------------

static double elements(const mr_conv_tensor *t, int spatial) {
  return (double)t->size[0] * (double)t->size[1] * product(t->size + 2, spatial);
}

double mr_conv_flops(const mr_conv_shape *s) {
  return 2 * elements(&s->dst, s->spatial) * elements(&s->weights, s->spatial) / (double)s->weights.size[0];
}

// Kernels compute as many features at once as a vector has lanes; where a group has fewer, the others are idle. Where there
// is little to compute for an element, memory is what takes the time.
uint64_t mr_conv_cost_ns(const mr_conv_shape *s) {
  int64_t features = s->kind == MR_CONV_BACKWARD_DATA ? s->src.size[1] : s->dst.size[1];
  int64_t together = is_depthwise(s) ? features : features / s->groups;
  int64_t lanes = (together + MR_CONV_LANES - 1) / MR_CONV_LANES * MR_CONV_LANES;
  double computing = mr_conv_flops(s) / MR_CONV_FLOPS_PER_NS * (double)lanes / (double)together;
  double moved = elements(&s->src, s->spatial) + elements(&s->weights, s->spatial) + elements(&s->dst, s->spatial);
  return (uint64_t)(computing + moved * sizeof(float) / MR_CONV_BYTES_PER_NS) + MR_CONV_CALL_NS;
}
