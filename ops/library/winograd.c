// Winograd convolutions: pieces of the batch or of rows, each brought to oneDNN's blocked layout, convolved and brought back
// by one core, while the piece is in its cache.
#include "ops/library/winograd.h"

#include <string.h>

#include "ops/library/conv_primitive.h"
#include "ops/library/packed.h"
#include "ops/library/pieces.h"
#include "ops/library/tuning.h"
#include "ops/library/winograd_weights.h"

enum { MAX_PIECES = 32, ROW_STEP = 4, PAIR_BYTES = 36 * sizeof(float) };  // an F(4x4) tile makes four rows

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
  mr_packed_slot slot;  // weights that stay the same, transformed
  mr_winograd_weights weights;
  size_t packed_bytes;
  int64_t packed;  // scratch offset of transformed weights
  piece pieces[MAX_PIECES];
  int num_pieces;
} winograd;

static winograd *cast(const mr_library_call *call) { return (winograd *)(uintptr_t)call; }

// Filters, which is pairs of features.
static uint64_t pairs_of(const mr_conv_shape *s) { return (uint64_t)(s->src.size[1] * s->dst.size[1]); }

static double flops_of(const mr_conv_shape *s) {
  return 18.0 * (double)(s->dst.size[0] * s->dst.size[2] * s->dst.size[3]) * (double)pairs_of(s);
}

// Whether it pays, with a price for transforming the weights that is right where they stay in a cache and low elsewhere
// (MR_WINOGRAD_PAIR_NS). What is kept from one call to the next makes it faster, and may not decide what comes out.
bool mr_winograd_supports(const mr_conv_desc *desc, const mr_conv_shape *s) {
  bool plain = desc->lhs == MR_F32 && desc->rhs == MR_F32 && desc->out == MR_F32 && !desc->exact;
  if (!plain || s->kind != MR_CONV_FORWARD || s->spatial != 2 || s->groups != 1) {
    return false;
  }
  for (int i = 0; i < 2; i++) {
    if (s->weights.size[2 + i] != 3 || s->stride[i] != 1 || s->dilation[i] != 1 || s->flip[i] || s->pad_low[i] > 1 ||
        s->pad_high[i] > 1 || s->pad_high[i] < 0 || s->dst.size[2 + i] < ROW_STEP) {
      return false;
    }
  }
  if (s->src.size[1] % MR_WINOGRAD_FEATURES != 0 || s->dst.size[1] % MR_WINOGRAD_FEATURES != 0 ||
      s->src.size[1] < MR_WINOGRAD_MIN_FEATURES) {
    return false;
  }
  int64_t tiles = (s->dst.size[2] + 3) / 4 * ((s->dst.size[3] + 3) / 4);  // those at the edges are whole
  double whole = (double)(16 * tiles);
  double directly = flops_of(s) / MR_F32_FLOPS_PER_NS, weights = (double)pairs_of(s) * MR_WINOGRAD_PAIR_NS;
  double in_tiles = directly * whole / (double)(s->dst.size[2] * s->dst.size[3]) / MR_WINOGRAD_GAIN;
  return directly > MR_WINOGRAD_MIN_NS && directly > in_tiles + weights;
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

// The transformed weights of the call before when they are the same; else transformed, and kept when they are known.
static void *prepare_weights(winograd *self, mr_group *group, const float *weights, mr_content content, char *scratch,
                             mr_packed **out_packed) {
  *out_packed = mr_packed_find(&self->slot, content);
  if (*out_packed) {
    return (*out_packed)->data;
  }
  *out_packed = content.storage ? mr_packed_create(content, self->packed_bytes) : NULL;
  void *packed = *out_packed ? (*out_packed)->data : scratch + self->packed;
  mr_winograd_weights_pack(&self->weights, group, weights, packed);
  if (*out_packed) {
    mr_packed_keep(&self->slot, *out_packed);
  }
  return packed;
}

static mr_status winograd_run_identified(const mr_library_call *call, void *const *buffers, const mr_content *contents,
                                         void *scratch, mr_group *group) {
  winograd *self = cast(call);
  job j = {.self = self, .src = buffers[0], .dst = buffers[2], .scratch = scratch};
  mr_packed *packed = NULL;
  j.weights = prepare_weights(self, group, buffers[1], contents[1], scratch, &packed);
  mr_parallel_for(group, self->num_pieces, run_pieces, &j, 1, call->cost_ns);
  mr_packed_release(packed);
  return (mr_status)j.status;
}

static mr_status winograd_run(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  const mr_content unknown[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
  return winograd_run_identified(call, buffers, unknown, scratch, group);
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

// Pieces of two images at least, or halves of one: what oneDNN takes for a whole image by itself is F(2x2).
static mr_status cut(winograd *self) {
  int64_t batch = self->shape.src.size[0], rows = self->shape.dst.size[2];
  uint64_t reading = pairs_of(&self->shape) * PAIR_BYTES / MR_WINOGRAD_READ_PER_NS;
  int64_t pieces = mr_pieces(self->base.cost_ns, MR_MAX(MR_WINOGRAD_PIECE_NS, reading), MAX_PIECES / 2);
  bool halves = batch < 4 && rows >= 2 * ROW_STEP;
  int64_t images = halves ? batch : MR_MIN(pieces, MR_MAX(batch / 2, 1)), bands = halves ? 2 : 1;
  for (int64_t i = 0; i < images; i++) {
    int64_t n = mr_piece_begin(batch, 1, images, i), count = mr_piece_begin(batch, 1, images, i + 1) - n;
    for (int64_t b = 0; b < bands; b++) {
      MR_TRY(add_piece(self, n, count, mr_piece_begin(rows, ROW_STEP, bands, b),
                       mr_piece_begin(rows, ROW_STEP, bands, b + 1)));
    }
  }
  return MR_OK;
}

static void winograd_destroy(mr_library_call *call) {
  winograd *self = cast(call);
  for (int i = 0; i < self->num_pieces; i++) {
    mr_conv_primitive_destroy(self->dnnl, &self->pieces[i].conv);
    mr_dnnl_destroy(self->dnnl, self->pieces[i].bring_in);
    mr_dnnl_destroy(self->dnnl, self->pieces[i].bring_out);
  }
  mr_packed_slot_deinit(&self->slot);
  mr_free(self);
}

static mr_status build_single_threaded(winograd *self) {
  MR_TRY(cut(self));
  const dnnl_memory_desc_t *packed = &self->pieces[0].conv.weights;
  MR_TRY(mr_winograd_weights_init(self->dnnl, &self->shape.weights, packed, &self->weights));
  self->packed_bytes = self->dnnl->memory_desc_get_size(packed);
  self->packed = reserve(self, self->packed_bytes);
  const mr_span format[] = {{&self->weights, sizeof self->weights}, {packed, sizeof *packed}};
  mr_packed_slot_format(&self->slot, format, MR_ARRAY_SIZE(format));
  return MR_OK;
}

static mr_status build(winograd *self) {
  MR_TRY(mr_dnnl_open(&self->dnnl));
  MR_TRY(mr_ending_enter(MR_INSIDE_LIBRARY));
  int before = mr_single_threaded_begin();
  mr_status status = build_single_threaded(self);
  mr_single_threaded_end(before);
  mr_ending_leave(MR_INSIDE_LIBRARY);
  return status;
}

mr_status mr_winograd_create(const mr_conv_desc *desc, const mr_conv_shape *shape, mr_library_call **out_call) {
  *out_call = NULL;
  winograd *self = mr_alloc_zeroed(1, sizeof *self);
  if (!self) {
    return MR_NO_MEMORY();
  }
  self->shape = *shape;
  mr_packed_slot_init(&self->slot);
  double flops = flops_of(shape);
  self->base =
      (mr_library_call){.run = winograd_run,
                        .run_identified = desc->stable_weights ? winograd_run_identified : NULL,
                        .destroy = winograd_destroy,
                        .foreign = true,
                        .name = "convolution (Winograd)",
                        .flops = (uint64_t)flops,
                        .cost_ns = (uint64_t)(flops / (MR_WINOGRAD_GAIN * MR_F32_FLOPS_PER_NS)) + MR_CONV_CALL_NS,
                        .takes_ns = (uint64_t)(flops / (MR_WINOGRAD_GAIN * MR_F32_PRODUCT_PER_NS)) + MR_CONV_CALL_NS};
  mr_status status = build(self);
  if (status) {
    winograd_destroy(&self->base);
    return status;
  }
  *out_call = &self->base;
  return MR_OK;
}
