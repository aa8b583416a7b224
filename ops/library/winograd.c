// Winograd convolutions: pieces of the batch or of rows, each brought to oneDNN's blocked layout, convolved and brought back
// by one core, while the piece is in its cache.
#include "ops/library/winograd.h"

#include <string.h>

#include "ops/library/conv_primitive.h"
#include "ops/library/packed.h"
#include "ops/library/steady.h"
#include "ops/library/tuning.h"

enum { MAX_PIECES = 64, ROW_STEP = 4 };  // an F(4x4) tile makes four rows

typedef struct piece {
  mr_conv_primitive conv;
  dnnl_memory_desc_t src, dst;  // as they lie in the program's memory
  dnnl_primitive_t bring_in, bring_out;
  int64_t src_offset, dst_offset;         // elements
  int64_t src_scratch, dst_scratch, pad;  // bytes
} piece;

typedef struct winograd {
  mr_library_call base;
  mr_conv_shape shape;
  const mr_dnnl_table *dnnl;
  mr_conv_desc desc;
  mr_library_call *direct;  // by the definition, for weights that do not stay the same
  mr_steady steady;
  mr_packed_slot slot;
  dnnl_memory_desc_t weights;
  dnnl_primitive_t pack;
  piece pieces[MAX_PIECES];
  int num_pieces;
} winograd;

static winograd *cast(const mr_library_call *call) { return (winograd *)(uintptr_t)call; }

bool mr_winograd_supports(const mr_conv_desc *desc, const mr_conv_shape *s) {
  bool plain =
      desc->lhs == MR_F32 && desc->rhs == MR_F32 && desc->out == MR_F32 && desc->stable_weights && !desc->exact;
  if (!plain || s->kind != MR_CONV_FORWARD || s->spatial != 2 || s->groups != 1) {
    return false;
  }
  for (int i = 0; i < 2; i++) {
    if (s->weights.size[2 + i] != 3 || s->stride[i] != 1 || s->dilation[i] != 1 || s->flip[i] || s->pad_low[i] > 1 ||
        s->pad_high[i] > 1 || s->pad_high[i] < 0 || s->dst.size[2 + i] < ROW_STEP) {
      return false;
    }
  }
  int64_t pixels = s->dst.size[0] * s->dst.size[2] * s->dst.size[3];
  return s->src.size[1] % 16 == 0 && s->dst.size[1] % 16 == 0 && s->src.size[1] >= 32 &&
         pixels >= MR_WINOGRAD_MIN_PIXELS;
}

// ---- Running ----------------------------------------------------------------------------------------------------------

typedef struct job {
  const winograd *self;
  char *src, *dst, *scratch;
  void *weights;
  _Atomic(uintptr_t) status;
} job;

static mr_status run_piece(const job *j, const piece *p) {
  const mr_dnnl_table *d = j->self->dnnl;
  char *src = j->scratch + p->src_scratch, *dst = j->scratch + p->dst_scratch;
  mr_dnnl_arg in[2] = {{DNNL_ARG_FROM, &p->src, j->src + p->src_offset * (int64_t)sizeof(float)},
                       {DNNL_ARG_TO, &p->conv.src, src}};
  mr_dnnl_arg out[2] = {{DNNL_ARG_FROM, &p->conv.dst, dst},
                        {DNNL_ARG_TO, &p->dst, j->dst + p->dst_offset * (int64_t)sizeof(float)}};
  mr_dnnl_arg conv[4] = {{DNNL_ARG_SRC, &p->conv.src, src},
                         {DNNL_ARG_WEIGHTS, &p->conv.weights, j->weights},
                         {DNNL_ARG_DST, &p->conv.dst, dst},
                         {DNNL_ARG_SCRATCHPAD, &p->conv.scratch, j->scratch + p->pad}};
  MR_TRY(mr_dnnl_execute(d, p->bring_in, in, 2));
  MR_TRY(mr_dnnl_execute(d, p->conv.primitive, conv, 4));
  return mr_dnnl_execute(d, p->bring_out, out, 2);
}

static void run_pieces(void *context, int64_t begin, int64_t end) {
  job *j = context;
  int before = mr_single_threaded_begin();
  for (int64_t i = begin; i < end; i++) {
    mr_first_status(&j->status, run_piece(j, &j->self->pieces[i]));
  }
  mr_single_threaded_end(before);
}

static mr_status pack(winograd *self, void *weights, mr_content content, mr_packed **out_packed) {
  *out_packed = mr_packed_find(&self->slot, content);
  if (*out_packed) {
    return MR_OK;
  }
  mr_packed *packed = mr_packed_create(content, self->dnnl->memory_desc_get_size(&self->pieces[0].conv.weights));
  if (!packed) {
    return MR_NO_MEMORY();
  }
  mr_dnnl_arg args[2] = {{DNNL_ARG_FROM, &self->weights, weights},
                         {DNNL_ARG_TO, &self->pieces[0].conv.weights, packed->data}};
  int before = mr_single_threaded_begin();
  mr_status status = mr_dnnl_execute(self->dnnl, self->pack, args, 2);
  mr_single_threaded_end(before);
  if (status) {
    mr_packed_release(packed);
    return status;
  }
  mr_packed_keep(&self->slot, packed);
  *out_packed = packed;
  return MR_OK;
}

static mr_status winograd_run(const mr_library_call *call, void *const *buffers, const mr_content *contents,
                              void *scratch, mr_group *group) {
  winograd *self = cast(call);
  if (!mr_steady_use(&self->steady, contents[1])) {
    return self->direct->run(self->direct, buffers, scratch, group);
  }
  mr_packed *packed = NULL;
  MR_TRY(pack(self, buffers[1], contents[1], &packed));
  job j = {.self = self, .src = buffers[0], .dst = buffers[2], .scratch = scratch, .weights = packed->data};
  mr_parallel_for(group, self->num_pieces, run_pieces, &j, 1, call->cost_ns);
  mr_packed_release(packed);
  return (mr_status)j.status;
}

static mr_status winograd_run_unidentified(const mr_library_call *call, void *const *buffers, void *scratch,
                                           mr_group *group) {
  const mr_library_call *direct = cast(call)->direct;
  return direct->run(direct, buffers, scratch, group);
}

// ---- Creation ---------------------------------------------------------------------------------------------------------

static int64_t reserve(winograd *self, size_t bytes) {
  int64_t at = (int64_t)self->base.scratch_bytes;
  self->base.scratch_bytes += (bytes + 63) & ~(size_t)63;
  return at;
}

// One piece: images [n, n + count), output rows [from, to).
static mr_status add_piece(winograd *self, int64_t n, int64_t count, int64_t from, int64_t to) {
  piece *p = &self->pieces[self->num_pieces];
  mr_conv_shape part = self->shape;
  int64_t first = from - part.pad_low[0], last = to + 2 - part.pad_low[0];
  int64_t begin = MR_MAX(first, (int64_t)0), end = MR_MIN(last, part.src.size[2]);
  p->src_offset = n * part.src.stride[0] + begin * part.src.stride[2];
  p->dst_offset = n * part.dst.stride[0] + from * part.dst.stride[2];
  part.src.size[0] = part.dst.size[0] = count;
  part.src.size[2] = end - begin;
  part.dst.size[2] = to - from;
  part.pad_low[0] = begin - first;
  part.pad_high[0] = last - end;
  MR_TRY(mr_winograd_primitive_create(self->dnnl, &part, &p->conv));
  self->num_pieces++;
  MR_TRY(mr_conv_tensor_desc(self->dnnl, &part.src, 2, &p->src));
  MR_TRY(mr_conv_tensor_desc(self->dnnl, &part.dst, 2, &p->dst));
  MR_TRY(mr_reorder_create(self->dnnl, &p->src, &p->conv.src, &p->bring_in));
  MR_TRY(mr_reorder_create(self->dnnl, &p->conv.dst, &p->dst, &p->bring_out));
  p->src_scratch = reserve(self, self->dnnl->memory_desc_get_size(&p->conv.src));
  p->dst_scratch = reserve(self, self->dnnl->memory_desc_get_size(&p->conv.dst));
  p->pad = reserve(self, self->dnnl->memory_desc_get_size(&p->conv.scratch));
  bool alike = self->dnnl->memory_desc_equal(&p->conv.weights, &self->pieces[0].conv.weights);
  return alike ? MR_OK : mr_error(MR_UNIMPLEMENTED, "pieces with different weight formats");
}

static mr_status cut(winograd *self) {
  mr_scheduler *scheduler = NULL;
  MR_TRY(mr_scheduler_acquire(&scheduler));
  int64_t cores = MR_MIN((int64_t)mr_scheduler_worker_count(scheduler), (int64_t)MAX_PIECES / 4);
  mr_scheduler_release(scheduler);
  int64_t batch = self->shape.src.size[0], rows = self->shape.dst.size[2];
  if (batch >= cores) {
    // Two pieces a core balance a core that was interrupted, unless the weights are so large that reading them again costs
    // more.
    bool light = self->shape.src.size[1] * self->shape.dst.size[1] <= MR_WINOGRAD_LIGHT_WEIGHTS;
    int64_t pieces = batch >= 4 * cores && light ? 2 * cores : cores, each = (batch + pieces - 1) / pieces;
    for (int64_t n = 0; n < batch; n += each) {
      MR_TRY(add_piece(self, n, MR_MIN(each, batch - n), 0, rows));
    }
    return MR_OK;
  }
  int64_t bands = (cores + batch - 1) / batch, each = ((rows + bands - 1) / bands + ROW_STEP - 1) / ROW_STEP * ROW_STEP;
  for (int64_t n = 0; n < batch; n++) {
    for (int64_t from = 0; from < rows; from += each) {
      MR_TRY(add_piece(self, n, 1, from, MR_MIN(from + each, rows)));
    }
  }
  return MR_OK;
}

static void drop(const mr_dnnl_table *d, dnnl_primitive_t primitive) {
  if (primitive) {
    d->primitive_destroy(primitive);
  }
}

static void winograd_destroy(mr_library_call *call) {
  winograd *self = cast(call);
  for (int i = 0; i < self->num_pieces; i++) {
    mr_conv_primitive_destroy(self->dnnl, &self->pieces[i].conv);
    drop(self->dnnl, self->pieces[i].bring_in);
    drop(self->dnnl, self->pieces[i].bring_out);
  }
  drop(self->dnnl, self->pack);
  mr_packed_slot_deinit(&self->slot);
  mr_steady_deinit(&self->steady);
  mr_library_call_destroy(self->direct);
  mr_free(self);
}

static mr_status build_direct(winograd *self) {
  mr_conv_desc desc = self->desc;
  desc.stable_weights = false;
  MR_TRY(mr_conv_create(&desc, &self->direct));
  self->base.scratch_bytes = MR_MAX(self->base.scratch_bytes, self->direct->scratch_bytes);
  return MR_OK;
}

static mr_status build(winograd *self) {
  MR_TRY(mr_dnnl_open(&self->dnnl));
  MR_TRY(cut(self));
  MR_TRY(build_direct(self));
  MR_TRY(mr_conv_weights_desc(self->dnnl, &self->shape, &self->weights));
  return mr_reorder_create(self->dnnl, &self->weights, &self->pieces[0].conv.weights, &self->pack);
}

mr_status mr_winograd_create(const mr_conv_desc *desc, const mr_conv_shape *shape, mr_library_call **out_call) {
  *out_call = NULL;
  winograd *self = mr_alloc_zeroed(1, sizeof *self);
  if (!self) {
    return MR_NO_MEMORY();
  }
  self->desc = *desc;
  self->shape = *shape;
  mr_packed_slot_init(&self->slot);
  mr_steady_init(&self->steady);
  double flops = 18.0 * (double)shape->dst.size[0] * (double)shape->dst.size[1] * (double)shape->dst.size[2] *
                 (double)shape->dst.size[3] * (double)shape->src.size[1];
  self->base = (mr_library_call){.run = winograd_run_unidentified,
                                 .run_identified = winograd_run,
                                 .destroy = winograd_destroy,
                                 .name = "convolution (Winograd)",
                                 .flops = (uint64_t)flops,
                                 .cost_ns = (uint64_t)(flops / (2 * MR_F32_FLOPS_PER_NS)) + 3000};
  int before = mr_single_threaded_begin();
  mr_status status = build(self);
  mr_single_threaded_end(before);
  if (status) {
    winograd_destroy(&self->base);
    return status;
  }
  *out_call = &self->base;
  return MR_OK;
}
