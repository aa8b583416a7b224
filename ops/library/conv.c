// Convolutions through oneDNN: forward, input gradients and weight gradients, cut into pieces of the batch or of output rows.
//
// A run has up to five stages, each spread over the group's cores: widen 16-bit inputs, bring images to channels-last, pack
// the weights into the primitive's format, convolve piece by piece, and bring the result to its layout and type. Stages
// that the layouts make unnecessary do not exist.
#include <string.h>

#include "devices/devices.h"
#include "ops/library/conv_primitive.h"
#include "ops/library/packed.h"
#include "ops/library/pieces.h"
#include "ops/library/tuning.h"
#include "ops/library/widen.h"
#include "ops/library/winograd.h"

enum { MAX_PIECES = 32, NOWHERE = -1, ADD_BLOCK = 4096 };

typedef struct piece {
  int primitive;     // of the two shapes there can be, and two for rows at the edges
  int64_t src, dst;  // elements from the tensors' beginnings, channels-last
} piece;

// A tensor's way between the program's memory and the form that oneDNN works on.
typedef struct stage {
  mr_dtype dtype;            // in memory
  mr_conv_tensor tensor;     // layout in memory
  size_t count;              // elements
  int64_t wide;              // scratch offset of the f32 copy in the same layout, NOWHERE when memory is f32 already
  int64_t moved;             // scratch offset of the channels-last copy, NOWHERE when memory is channels-last
  dnnl_primitive_t reorder;  // of one batch entry
  dnnl_memory_desc_t outside, inside;  // of one batch entry
} stage;

typedef struct conv {
  mr_library_call base;
  mr_conv_shape shape;
  const mr_dnnl_table *dnnl;
  stage src, dst, weights;  // weights.moved: the dense copy of flipped ones
  mr_conv_primitive primitives[MAX_PIECES];
  int num_primitives;
  piece pieces[MAX_PIECES];
  int num_pieces;
  mr_packed_slot slot;  // weights that stay the same, packed
  dnnl_memory_desc_t weights_user;
  dnnl_primitive_t weights_reorder;  // user to packed, or packed to user for weight gradients
  size_t packed_bytes, partial_bytes, pad_bytes;
  int64_t packed, partial, pads;  // scratch offsets, one of each per piece for weight gradients
} conv;

static conv *cast(const mr_library_call *call) { return (conv *)(uintptr_t)call; }

// ---- Stages -----------------------------------------------------------------------------------------------------------

typedef struct move_job {
  const conv *self;
  const stage *stage;
  char *outside, *inside;
  bool in;  // outside to inside
  _Atomic(uintptr_t) status;
} move_job;

static void move_entries(void *context, int64_t begin, int64_t end) {
  move_job *job = context;
  const stage *s = job->stage;
  int before = mr_single_threaded_begin();
  int64_t entry = (int64_t)(s->count / (size_t)s->tensor.size[0]);
  for (int64_t n = begin; n < end; n++) {
    char *outside = job->outside + n * s->tensor.stride[0] * (int64_t)sizeof(float);
    char *inside = job->inside + n * entry * (int64_t)sizeof(float);
    mr_dnnl_arg args[2] = {{DNNL_ARG_FROM, job->in ? &s->outside : &s->inside, job->in ? outside : inside},
                           {DNNL_ARG_TO, job->in ? &s->inside : &s->outside, job->in ? inside : outside}};
    mr_first_status(&job->status, mr_dnnl_execute(job->self->dnnl, s->reorder, args, 2));
  }
  mr_single_threaded_end(before);
}

static mr_status move(const conv *self, const stage *s, void *outside, void *inside, bool in, mr_group *group) {
  move_job job = {.self = self, .stage = s, .outside = outside, .inside = inside, .in = in};
  mr_parallel_for(group, s->tensor.size[0], move_entries, &job, 1, s->count / MR_WIDEN_PER_NS * 2);
  return (mr_status)job.status;
}

// An input as channels-last f32.
static mr_status bring_in(const conv *self, const stage *s, void *memory, char *scratch, mr_group *group, void **out) {
  *out = memory;
  if (s->wide != NOWHERE) {
    mr_widen(group, s->dtype, scratch + s->wide, memory, s->count);
    *out = scratch + s->wide;
  }
  if (s->moved == NOWHERE) {
    return MR_OK;
  }
  void *outside = *out;
  *out = scratch + s->moved;
  return move(self, s, outside, *out, true, group);
}

// Where an image output is computed, and its way out.
static void *output_place(const stage *s, void *memory, char *scratch) {
  return s->moved != NOWHERE ? scratch + s->moved : s->wide != NOWHERE ? scratch + s->wide : memory;
}

static mr_status bring_out(const conv *self, const stage *s, void *memory, char *scratch, mr_group *group) {
  void *wide = s->wide != NOWHERE ? (void *)(scratch + s->wide) : memory;
  if (s->moved != NOWHERE) {
    MR_TRY(move(self, s, wide, scratch + s->moved, false, group));
  }
  if (s->wide != NOWHERE) {
    mr_narrow(group, s->dtype, memory, wide, s->count);
  }
  return MR_OK;
}

// ---- Weights ----------------------------------------------------------------------------------------------------------

// Flipped weights are copied densely in the order output, input, spatial; strides run backwards where they are flipped.
static void unflip(const conv *self, const float *from, float *to) {
  const mr_conv_shape *s = &self->shape;
  int64_t dims[3 + MR_CONV_SPATIAL], strides[3 + MR_CONV_SPATIAL], dense[3 + MR_CONV_SPATIAL], step = sizeof(float);
  size_t rank = 0;
  dims[rank] = s->groups;
  strides[rank++] = s->weights_group_stride * (int64_t)sizeof(float);
  for (int i = 0; i < 2 + s->spatial; i++) {
    int64_t stride = self->weights.tensor.stride[i];
    dims[rank] = i == 0 ? s->weights.size[0] / s->groups : s->weights.size[i];
    if (i >= 2 && s->flip[i - 2]) {
      from += (dims[rank] - 1) * stride;
      stride = -stride;
    }
    strides[rank++] = stride * (int64_t)sizeof(float);
  }
  for (size_t i = rank; i-- > 0;) {
    dense[i] = step;
    step *= dims[i];
  }
  mr_copy_strided(to, dense, from, strides, dims, rank, sizeof(float));
}

static mr_status pack_weights(const conv *self, void *memory, char *scratch, mr_group *group, void *packed,
                              void **out) {
  const stage *s = &self->weights;
  if (s->wide != NOWHERE) {
    mr_widen(group, s->dtype, scratch + s->wide, memory, s->count);
    memory = scratch + s->wide;
  }
  if (s->moved != NOWHERE) {
    unflip(self, memory, (float *)(void *)(scratch + s->moved));
    memory = scratch + s->moved;
  }
  *out = memory;
  if (!self->weights_reorder) {
    return MR_OK;
  }
  *out = packed ? packed : scratch + self->packed;
  mr_dnnl_arg args[2] = {{DNNL_ARG_FROM, &self->weights_user, memory},
                         {DNNL_ARG_TO, &self->primitives[0].weights, *out}};
  int before = mr_single_threaded_begin();
  mr_status status = mr_dnnl_execute(self->dnnl, self->weights_reorder, args, 2);
  mr_single_threaded_end(before);
  return status;
}

// The packed weights of the call before when they are the same; else packed, and kept when they are known and packed at all.
static mr_status prepare_weights(conv *self, void *memory, mr_content content, char *scratch, mr_group *group,
                                 void **out, mr_packed **out_packed) {
  *out_packed = NULL;
  if (!content.storage || !self->weights_reorder) {
    return pack_weights(self, memory, scratch, group, NULL, out);
  }
  *out_packed = mr_packed_find(&self->slot, content);
  if (*out_packed) {
    *out = (*out_packed)->data;
    return MR_OK;
  }
  mr_packed *packed = mr_packed_create(content, self->packed_bytes);
  mr_status status = pack_weights(self, memory, scratch, group, packed ? packed->data : NULL, out);
  if (status || !packed) {
    mr_packed_release(packed);
    return status;
  }
  mr_packed_keep(&self->slot, packed);
  *out_packed = packed;
  return MR_OK;
}

// ---- Pieces -----------------------------------------------------------------------------------------------------------

typedef struct conv_job {
  const conv *self;
  char *src, *dst, *weights, *scratch;
  _Atomic(uintptr_t) status;
} conv_job;

static mr_status run_piece(conv_job *job, int64_t index) {
  const conv *self = job->self;
  const piece *p = &self->pieces[index];
  const mr_conv_primitive *q = &self->primitives[p->primitive];
  mr_conv_kind kind = self->shape.kind;
  char *src = job->src + p->src * (int64_t)sizeof(float), *dst = job->dst + p->dst * (int64_t)sizeof(float);
  char *pad = job->scratch + self->pads + index * (int64_t)self->pad_bytes;
  bool to_src = kind == MR_CONV_BACKWARD_DATA, to_weights = kind == MR_CONV_BACKWARD_WEIGHTS;
  char *weights = to_weights ? job->scratch + self->packed + index * (int64_t)self->packed_bytes : job->weights;
  mr_dnnl_arg args[4] = {{to_src ? DNNL_ARG_DIFF_SRC : DNNL_ARG_SRC, &q->src, src},
                         {to_weights ? DNNL_ARG_DIFF_WEIGHTS : DNNL_ARG_WEIGHTS, &q->weights, weights},
                         {kind == MR_CONV_FORWARD ? DNNL_ARG_DST : DNNL_ARG_DIFF_DST, &q->dst, dst},
                         {DNNL_ARG_SCRATCHPAD, &q->scratch, pad}};
  MR_TRY(mr_dnnl_execute(self->dnnl, q->primitive, args, 4));
  if (!to_weights) {
    return MR_OK;
  }
  char *partial = job->scratch + self->partial + index * (int64_t)self->partial_bytes;
  mr_dnnl_arg unpack[2] = {{DNNL_ARG_FROM, &q->weights, weights}, {DNNL_ARG_TO, &self->weights_user, partial}};
  return mr_dnnl_execute(self->dnnl, self->weights_reorder, unpack, 2);
}

static void run_pieces(void *context, int64_t begin, int64_t end) {
  conv_job *job = context;
  int before = mr_single_threaded_begin();
  for (int64_t i = begin; i < end; i++) {
    mr_first_status(&job->status, run_piece(job, i));
  }
  mr_single_threaded_end(before);
}

typedef struct add_job {
  const conv *self;
  const float *partial;
  float *to;
} add_job;

// The pieces' weight gradients, added up in order.
static void add_partials(void *context, int64_t begin, int64_t end) {
  const add_job *j = context;
  size_t from = (size_t)begin * ADD_BLOCK, to = MR_MIN((size_t)end * ADD_BLOCK, j->self->weights.count);
  size_t step = j->self->partial_bytes / sizeof(float);
  memcpy(j->to + from, j->partial + from, (to - from) * sizeof(float));
  for (int p = 1; p < j->self->num_pieces; p++) {
    const float *partial = j->partial + (size_t)p * step;
    for (size_t i = from; i < to; i++) {
      j->to[i] += partial[i];
    }
  }
}

static mr_status run_gradient(const conv *self, conv_job *job, void *out, char *scratch, mr_group *group) {
  mr_parallel_for(group, self->num_pieces, run_pieces, job, 1, self->base.cost_ns);
  if (job->status) {
    return (mr_status)job->status;
  }
  void *wide = self->weights.wide != NOWHERE ? (void *)(scratch + self->weights.wide) : out;
  add_job add = {self, (const float *)(const void *)(scratch + self->partial), wide};
  uint64_t cost_ns = (uint64_t)self->num_pieces * self->weights.count / MR_ADD_PER_NS;
  mr_parallel_for(group, (int64_t)((self->weights.count + ADD_BLOCK - 1) / ADD_BLOCK), add_partials, &add, 1, cost_ns);
  if (self->weights.wide != NOWHERE) {
    mr_narrow(group, self->weights.dtype, out, wide, self->weights.count);
  }
  return MR_OK;
}

static mr_status conv_run_identified(const mr_library_call *call, void *const *buffers, const mr_content *contents,
                                     void *scratch, mr_group *group) {
  conv *self = cast(call);
  mr_conv_kind kind = self->shape.kind;
  conv_job job = {.self = self, .scratch = scratch};
  const stage *input = kind == MR_CONV_BACKWARD_DATA ? &self->dst : &self->src;
  void *first = NULL, *second = NULL;
  MR_TRY(bring_in(self, input, buffers[0], scratch, group, &first));
  if (kind == MR_CONV_BACKWARD_WEIGHTS) {
    MR_TRY(bring_in(self, &self->dst, buffers[1], scratch, group, &second));
    job.src = first;
    job.dst = second;
    return run_gradient(self, &job, buffers[2], scratch, group);
  }
  mr_packed *packed = NULL;
  MR_TRY(prepare_weights(self, buffers[1], contents[1], scratch, group, &second, &packed));
  const stage *output = kind == MR_CONV_FORWARD ? &self->dst : &self->src;
  void *result = output_place(output, buffers[2], scratch);
  job.src = kind == MR_CONV_FORWARD ? first : result;
  job.dst = kind == MR_CONV_FORWARD ? result : first;
  job.weights = second;
  mr_parallel_for(group, self->num_pieces, run_pieces, &job, 1, call->cost_ns);
  mr_packed_release(packed);
  return job.status ? (mr_status)job.status : bring_out(self, output, buffers[2], scratch, group);
}

static mr_status conv_run(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  const mr_content unknown[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
  return conv_run_identified(call, buffers, unknown, scratch, group);
}

// ---- Creation ---------------------------------------------------------------------------------------------------------

static int64_t reserve(conv *self, size_t bytes) {
  int64_t at = (int64_t)self->base.scratch_bytes;
  self->base.scratch_bytes += (bytes + 63) & ~(size_t)63;
  return at;
}

static size_t tensor_count(const mr_conv_tensor *t, int spatial) {
  size_t count = 1;
  for (int i = 0; i < 2 + spatial; i++) {
    count *= (size_t)t->size[i];
  }
  return count;
}

static mr_status init_stage(conv *self, stage *s, mr_dtype dtype, const mr_conv_tensor *tensor, bool image) {
  *s = (stage){.dtype = dtype,
               .tensor = *tensor,
               .count = tensor_count(tensor, self->shape.spatial),
               .wide = NOWHERE,
               .moved = NOWHERE};
  if (dtype != MR_F32) {
    s->wide = reserve(self, s->count * sizeof(float));
  }
  if (!image || mr_conv_is_channels_last(tensor, self->shape.spatial)) {
    return MR_OK;
  }
  s->moved = reserve(self, s->count * sizeof(float));
  mr_conv_tensor outside = *tensor, inside = *tensor;
  outside.size[0] = inside.size[0] = 1;
  mr_conv_channels_last(&inside, self->shape.spatial);
  MR_TRY(mr_conv_tensor_desc(self->dnnl, &outside, self->shape.spatial, &s->outside));
  return mr_conv_tensor_desc(self->dnnl, &inside, self->shape.spatial, &s->inside);
}

static mr_status stage_reorder(conv *self, stage *s, bool in) {
  if (s->moved == NOWHERE) {
    return MR_OK;
  }
  return mr_reorder_create(self->dnnl, in ? &s->outside : &s->inside, in ? &s->inside : &s->outside, &s->reorder);
}

static int64_t entry_elements(const mr_conv_tensor *t, int spatial) {
  int64_t count = t->size[1];
  for (int i = 0; i < spatial; i++) {
    count *= t->size[2 + i];
  }
  return count;
}

static mr_status add_piece(conv *self, const mr_conv_shape *shape, int64_t src, int64_t dst) {
  mr_conv_primitive *q = &self->primitives[self->num_primitives];
  MR_TRY(mr_conv_primitive_create(self->dnnl, shape, q));  // equal shapes share code in oneDNN's own cache
  self->pieces[self->num_pieces++] = (piece){self->num_primitives++, src, dst};
  size_t pad = self->dnnl->memory_desc_get_size(&q->scratch);
  self->pad_bytes = MR_MAX(self->pad_bytes, (pad + 63) & ~(size_t)63);
  return MR_OK;
}

static mr_status cut_batch(conv *self, int64_t pieces) {
  for (int64_t i = 0; i < pieces; i++) {
    int64_t batch = self->shape.src.size[0], n = mr_piece_begin(batch, 1, pieces, i);
    mr_conv_shape part = self->shape;
    part.src.size[0] = part.dst.size[0] = mr_piece_begin(batch, 1, pieces, i + 1) - n;
    MR_TRY(add_piece(self, &part, n * entry_elements(&part.src, part.spatial),
                     n * entry_elements(&part.dst, part.spatial)));
  }
  return MR_OK;
}

// Output rows [from, to) of one image: the input rows they read, with what padding is left at either end.
static mr_status add_rows(conv *self, int64_t n, int64_t from, int64_t to) {
  mr_conv_shape part = self->shape;
  int64_t window = (part.weights.size[2] - 1) * part.dilation[0] + 1;
  int64_t first = from * part.stride[0] - part.pad_low[0], last = (to - 1) * part.stride[0] + window - part.pad_low[0];
  int64_t begin = MR_MAX(first, (int64_t)0), end = MR_MIN(last, part.src.size[2]);
  int64_t src_row = entry_elements(&part.src, part.spatial) / part.src.size[2];
  int64_t dst_row = entry_elements(&part.dst, part.spatial) / part.dst.size[2];
  int64_t src = n * src_row * part.src.size[2] + begin * src_row, dst = n * dst_row * part.dst.size[2] + from * dst_row;
  part.src.size[0] = part.dst.size[0] = 1;
  part.src.size[2] = end - begin;
  part.dst.size[2] = to - from;
  part.pad_low[0] = begin - first;
  part.pad_high[0] = last - end;
  return add_piece(self, &part, src, dst);
}

static mr_status cut_rows(conv *self, int64_t pieces) {
  int64_t rows = self->shape.dst.size[2];
  for (int64_t n = 0; n < self->shape.src.size[0]; n++) {
    for (int64_t i = 0; i < pieces; i++) {
      MR_TRY(add_rows(self, n, mr_piece_begin(rows, 1, pieces, i), mr_piece_begin(rows, 1, pieces, i + 1)));
    }
  }
  return MR_OK;
}

// The last window may not reach the first input row or the first piece may not leave it.
static bool rows_can_be_cut(const mr_conv_shape *s, int64_t pieces) {
  int64_t window = (s->weights.size[2] - 1) * s->dilation[0] + 1;
  return s->kind == MR_CONV_FORWARD && s->dst.size[2] >= 2 * pieces && s->pad_high[0] >= 0 &&
         s->src.size[2] >= 2 * window && s->pad_low[0] < window && s->pad_high[0] < window;
}

// A few pieces early, so that some cores have something to do, and many when each is large. Every piece of a weight gradient
// makes one of its own, and they are added up.
static int64_t count_pieces(const conv *self) {
  enum { MOST = MAX_PIECES / 2 };
  uint64_t cost_ns = self->base.cost_ns;
  if (self->shape.kind != MR_CONV_BACKWARD_WEIGHTS) {
    return MR_MAX(mr_pieces(cost_ns, MR_CONV_PIECE_NS, MR_CONV_FEW_PIECES),
                  mr_pieces(cost_ns, MR_CONV_LARGE_PIECE_NS, MOST));
  }
  uint64_t adding = MR_CONV_GRADIENT_SHARE * self->weights.count / MR_ADD_PER_NS;
  return MR_MAX(mr_pieces(cost_ns, MR_MAX(MR_CONV_GRADIENT_PIECE_NS, adding), MR_CONV_GRADIENT_FEW_PIECES),
                mr_pieces(cost_ns, MR_MAX(MR_CONV_GRADIENT_LARGE_PIECE_NS, adding), MOST));
}

static mr_status cut(conv *self) {
  int64_t batch = self->shape.src.size[0];
  int64_t pieces = count_pieces(self);
  for (int64_t bands = (pieces + batch - 1) / batch; bands > 1; bands /= 2) {
    if (rows_can_be_cut(&self->shape, bands)) {
      return cut_rows(self, bands);
    }
  }
  return cut_batch(self, MR_MIN(pieces, batch));
}

static bool flips(const mr_conv_shape *s) { return s->flip[0] || s->flip[1] || s->flip[2]; }

// The weights as oneDNN reads or writes them outside of its own format.
static mr_status init_weights(conv *self) {
  mr_conv_shape *s = &self->shape;
  bool gradient = s->kind == MR_CONV_BACKWARD_WEIGHTS;
  mr_conv_shape seen = *s;
  if (flips(s)) {  // the dense copy that unflip() makes
    self->weights.moved = reserve(self, self->weights.count * sizeof(float));
    int64_t stride = 1;
    for (int i = 2 + s->spatial; i-- > 0;) {
      seen.weights.stride[i] = stride;
      stride *= i == 0 ? s->weights.size[0] / s->groups : s->weights.size[i];
    }
    seen.weights_group_stride = stride;
  }
  MR_TRY(mr_conv_weights_desc(self->dnnl, &seen, &self->weights_user));
  const dnnl_memory_desc_t *packed = &self->primitives[0].weights;
  self->packed_bytes = (self->dnnl->memory_desc_get_size(packed) + 63) & ~(size_t)63;
  if (gradient) {
    self->partial_bytes = (self->weights.count * sizeof(float) + 63) & ~(size_t)63;
    self->packed = reserve(self, self->packed_bytes * (size_t)self->num_pieces);
    self->partial = reserve(self, self->partial_bytes * (size_t)self->num_pieces);
    return mr_reorder_create(self->dnnl, packed, &self->weights_user, &self->weights_reorder);
  }
  if (self->dnnl->memory_desc_equal(packed, &self->weights_user)) {
    return MR_OK;
  }
  self->packed = reserve(self, self->packed_bytes);
  return mr_reorder_create(self->dnnl, &self->weights_user, packed, &self->weights_reorder);
}

// Pieces of different sizes could be given different weight formats; then one piece does it all.
static bool formats_agree(const conv *self) {
  for (int i = 1; i < self->num_primitives; i++) {
    if (!self->dnnl->memory_desc_equal(&self->primitives[0].weights, &self->primitives[i].weights)) {
      return false;
    }
  }
  return true;
}

static void drop_primitives(conv *self) {
  for (int i = 0; i < self->num_primitives; i++) {
    mr_conv_primitive_destroy(self->dnnl, &self->primitives[i]);
  }
  self->num_primitives = self->num_pieces = 0;
}

static mr_status build_single_threaded(conv *self, const mr_conv_desc *desc) {
  bool data = self->shape.kind == MR_CONV_BACKWARD_DATA, weights = self->shape.kind == MR_CONV_BACKWARD_WEIGHTS;
  MR_TRY(init_stage(self, &self->src, data ? desc->out : desc->lhs, &self->shape.src, true));
  MR_TRY(init_stage(self, &self->dst, data ? desc->lhs : weights ? desc->rhs : desc->out, &self->shape.dst, true));
  MR_TRY(init_stage(self, &self->weights, weights ? desc->out : desc->rhs, &self->shape.weights, false));
  MR_TRY(stage_reorder(self, &self->src, !data));
  MR_TRY(stage_reorder(self, &self->dst, self->shape.kind != MR_CONV_FORWARD));
  MR_TRY(cut(self));
  if (!formats_agree(self)) {
    drop_primitives(self);
    MR_TRY(cut_batch(self, 1));
  }
  self->pads = reserve(self, self->pad_bytes * (size_t)self->num_pieces);
  return init_weights(self);
}

static mr_status build(conv *self, const mr_conv_desc *desc) {
  MR_TRY(mr_dnnl_open(&self->dnnl));
  MR_TRY(mr_ending_enter(MR_INSIDE_LIBRARY));
  int before = mr_single_threaded_begin();  // primitives are laid out for the threads they are made under
  mr_status status = build_single_threaded(self, desc);
  mr_single_threaded_end(before);
  mr_ending_leave(MR_INSIDE_LIBRARY);
  return status;
}

static void conv_destroy(mr_library_call *call) {
  conv *self = cast(call);
  if (self->dnnl) {
    drop_primitives(self);
    dnnl_primitive_t reorders[] = {self->src.reorder, self->dst.reorder, self->weights_reorder};
    for (size_t i = 0; i < MR_ARRAY_SIZE(reorders); i++) {
      mr_dnnl_destroy(self->dnnl, reorders[i]);
    }
  }
  mr_packed_slot_deinit(&self->slot);
  mr_free(self);
}

static bool type_fits(mr_dtype dtype) { return dtype == MR_F32 || dtype == MR_BF16 || dtype == MR_F16; }

bool mr_conv_supports(const mr_conv_desc *desc) {
  return type_fits(desc->lhs) && type_fits(desc->rhs) && type_fits(desc->out) &&
         mr_conv_shape_of(desc).kind != MR_CONV_NONE;
}

mr_status mr_conv_create(const mr_conv_desc *desc, mr_library_call **out_call) {
  *out_call = NULL;
  if (!mr_conv_supports(desc)) {
    return mr_error(MR_UNIMPLEMENTED, "this convolution has no library form");
  }
  mr_conv_shape shape = mr_conv_shape_of(desc);
  if (mr_winograd_supports(desc, &shape)) {
    mr_status status = mr_winograd_create(desc, &shape, out_call);
    if (!status) {
      return MR_OK;
    }
    mr_status_free(status);  // another algorithm does it
  }
  conv *self = mr_alloc_zeroed(1, sizeof *self);
  if (!self) {
    return MR_NO_MEMORY();
  }
  self->shape = shape;
  mr_packed_slot_init(&self->slot);
  self->base.run = conv_run;
  self->base.foreign = true;
  self->base.run_identified = desc->stable_weights ? conv_run_identified : NULL;
  self->base.destroy = conv_destroy;
  self->base.name = "convolution";
  self->base.flops = (uint64_t)mr_conv_flops(&shape);
  self->base.cost_ns = mr_conv_cost_ns(&shape);
  mr_status status = build(self, desc);
  if (!status && self->weights_reorder) {
    const mr_span format[] = {{&self->weights_user, sizeof self->weights_user},
                              {&self->primitives[0].weights, sizeof self->primitives[0].weights}};
    mr_packed_slot_format(&self->slot, format, MR_ARRAY_SIZE(format));
  }
  if (status) {
    conv_destroy(&self->base);
    return mr_status_note(status, "convolution");
  }
  *out_call = &self->base;
  return MR_OK;
}
