// Transforming filters, sixteen output features at a time.
#include "ops/library/winograd_weights.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "core/fork.h"
#include "ops/library/conv_primitive.h"
#include "ops/library/tuning.h"

enum { LANES = 16, TAPS = 3, TILE = 6, TRIAL = 64 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static float g[TILE][TAPS];  // G
static bool usable;          // oneDNN's transformation was understood

// ---- One block of 16 x 16 features ----------------------------------------------------------------------------------------

static int64_t block_offset(const mr_winograd_weights *w, int64_t out_block, int64_t in_block) {
  int64_t in_groups = w->in_features / LANES / w->in_group;
  int64_t group = out_block / w->out_group * TILE * TILE * in_groups + in_block / w->in_group;
  int64_t inside = out_block % w->out_group * w->in_group + in_block % w->in_group;
  return (group * w->out_group * w->in_group + inside) * LANES * LANES;
}

// Elements from one of the 36 numbers of a filter to the next.
static int64_t number_stride(const mr_winograd_weights *w) { return w->in_features * w->out_group * LANES; }

#if defined(__x86_64__)
typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));

// For one input feature. The processor has AVX-512, or oneDNN would have no such convolution. What is larger than a cache is
// written past it: 512 x 512 filters are 38 MB.
__attribute__((target("avx512f"))) static void transform(const mr_winograd_weights *w, const float *from, float *to,
                                                         bool streams) {
  lanes tap[TAPS][TAPS], half[TILE][TAPS];
  for (int r = 0; r < TAPS; r++) {
    for (int c = 0; c < TAPS; c++) {
      const float *at = from + r * w->stride[2] + c * w->stride[3];
      float line[LANES];
      for (int64_t o = 0; o < LANES; o++) {
        line[o] = at[o * w->stride[0]];
      }
      memcpy(&tap[r][c], line, sizeof line);
    }
  }
  for (int i = 0; i < TILE; i++) {
    for (int c = 0; c < TAPS; c++) {
      half[i][c] = g[i][0] * tap[0][c] + g[i][1] * tap[1][c] + g[i][2] * tap[2][c];
    }
  }
  for (int i = 0; i < TILE; i++) {
    for (int j = 0; j < TILE; j++, to += number_stride(w)) {
      lanes sum = half[i][0] * g[j][0] + half[i][1] * g[j][1] + half[i][2] * g[j][2];
      if (streams) {
        _mm512_stream_ps(to, (__m512)sum);
      } else {
        memcpy(to, &sum, sizeof sum);
      }
    }
  }
}
#else
static void transform(const mr_winograd_weights *w, const float *from, float *to, bool streams) {
  (void)w, (void)from, (void)to, (void)streams;
}
#endif

typedef struct pack_job {
  const mr_winograd_weights *weights;
  const float *from;
  float *to;
  bool streams;
} pack_job;

static void pack_blocks(void *context, int64_t begin, int64_t end) {
  const pack_job *j = context;
  const mr_winograd_weights *w = j->weights;
  int64_t across = w->in_features / LANES;
  for (int64_t b = begin; b < end; b++) {
    int64_t out_block = b / across, in_block = b % across;
    const float *from = j->from + out_block * LANES * w->stride[0] + in_block * LANES * w->stride[1];
    float *to = j->to + block_offset(w, out_block, in_block);
    for (int64_t i = 0; i < LANES; i++) {
      transform(w, from + i * w->stride[1], to + i * LANES, j->streams);
    }
  }
#if defined(__x86_64__)
  _mm_sfence();  // streamed stores are ordered by nothing else
#endif
}

void mr_winograd_weights_pack(const mr_winograd_weights *self, mr_group *group, const float *from, float *to) {
  int64_t pairs = self->in_features * self->out_features;
  pack_job j = {self, from, to, pairs * TILE * TILE * (int64_t)sizeof(float) > MR_WINOGRAD_STREAM_BYTES};
  mr_parallel_for(group, pairs / (LANES * LANES), pack_blocks, &j, 1, (uint64_t)pairs * MR_WINOGRAD_PAIR_NS);
}

// ---- What oneDNN does -----------------------------------------------------------------------------------------------------

// The descriptor for other numbers of features.
static dnnl_memory_desc_t resized(const dnnl_memory_desc_t *packed, int features, int group) {
  dnnl_memory_desc_t desc = *packed;
  dnnl_wino_desc_t *w = &desc.format_desc.wino_desc;
  desc.dims[0] = desc.dims[1] = desc.padded_dims[0] = desc.padded_dims[1] = w->ic = w->oc = features;
  w->ic2_block = w->oc2_block = group;
  w->size = (size_t)features * (size_t)features * TILE * TILE * sizeof(float);
  return desc;
}

static mr_status by_dnnl(const mr_dnnl_table *dnnl, const dnnl_memory_desc_t *packed, int features, float *from,
                         float *to) {
  dnnl_memory_desc_t plain;
  dnnl_dims_t dims = {features, features, TAPS, TAPS};
  dnnl_dim_t plane = (dnnl_dim_t)features * features;
  dnnl_dims_t strides = {1, features, plane * TAPS, plane};
  dnnl_primitive_t reorder = NULL;
  MR_TRY(mr_dnnl_status(dnnl->memory_desc_init_by_strides(&plain, 4, dims, dnnl_f32, strides), "filters"));
  MR_TRY(mr_reorder_create(dnnl, &plain, packed, &reorder));
  mr_dnnl_arg args[2] = {{DNNL_ARG_FROM, &plain, from}, {DNNL_ARG_TO, packed, to}};
  mr_status status = mr_dnnl_execute(dnnl, reorder, args, 2);
  dnnl->primitive_destroy(reorder);
  return status;
}

// A filter that is 1 at (r, 0) becomes G's column r times its column 0.
static mr_status find_g(const mr_dnnl_table *dnnl, const dnnl_memory_desc_t *packed) {
  enum { PLANE = LANES * LANES };
  static float from[TAPS * TAPS * PLANE], to[TILE * TILE * PLANE];  // under pthread_once
  dnnl_memory_desc_t small = resized(packed, LANES, 1);
  float corner = 1;
  for (int r = 0; r < TAPS; r++) {
    memset(from, 0, sizeof from);
    for (int i = 0; i < PLANE; i++) {
      from[r * TAPS * PLANE + i] = 1;
    }
    MR_TRY(by_dnnl(dnnl, &small, LANES, from, to));
    corner = r == 0 ? sqrtf(to[0]) : corner;
    for (int i = 0; i < TILE; i++) {
      g[i][r] = to[(ptrdiff_t)i * TILE * PLANE] / corner;
    }
  }
  return MR_OK;
}

// Random filters of several groups of blocks, by oneDNN and by ourselves.
static bool agrees(const mr_dnnl_table *dnnl, const dnnl_memory_desc_t *packed, float *from, float *theirs,
                   float *ours) {
  uint32_t random = 1;
  for (int i = 0; i < TAPS * TAPS * TRIAL * TRIAL; i++) {
    random = random * 1664525 + 1013904223;
    from[i] = (float)(random >> 8) * 0x1p-24f - 0.5f;
  }
  enum { GROUP = TRIAL / LANES / 2 };
  dnnl_memory_desc_t desc = resized(packed, TRIAL, GROUP);
  mr_status status = by_dnnl(dnnl, &desc, TRIAL, from, theirs);
  if (status) {
    mr_status_free(status);
    return false;
  }
  mr_winograd_weights w = {TRIAL, TRIAL, {1, TRIAL, TRIAL * TRIAL * TAPS, TRIAL * TRIAL}, GROUP, GROUP};
  mr_winograd_weights_pack(&w, NULL, from, ours);
  for (int i = 0; i < TILE * TILE * TRIAL * TRIAL; i++) {
    if (!(fabsf(ours[i] - theirs[i]) <= 2e-6f)) {
      return false;
    }
  }
  return true;
}

static const mr_dnnl_table *trial_table;
static const dnnl_memory_desc_t *trial_desc;

static void try_once(void) {
  size_t numbers = TILE * TILE * TRIAL * TRIAL, bytes = 3 * numbers * sizeof(float);
  float *memory = mr_alloc_aligned(64, bytes);
  mr_status status = memory ? find_g(trial_table, trial_desc) : MR_NO_MEMORY();
  usable = !status && agrees(trial_table, trial_desc, memory, memory + numbers, memory + 2 * numbers);
  mr_status_free(status);
  mr_free(memory);
}

MR_FORK_LOCK(lock);

mr_status mr_winograd_weights_init(const mr_dnnl_table *dnnl, const mr_conv_tensor *weights,
                                   const dnnl_memory_desc_t *packed, mr_winograd_weights *out) {
  const dnnl_wino_desc_t *w = &packed->format_desc.wino_desc;
  bool known = packed->format_kind == dnnl_format_kind_wino && w->wino_format == dnnl_wino_wei_OBaaIBOIio &&
               w->r == TAPS && w->alpha == TILE && w->ic_block == LANES && w->oc_block == LANES;
  if (known) {
    pthread_mutex_lock(&lock);
    trial_table = dnnl;
    trial_desc = packed;
    pthread_once(&once, try_once);
    pthread_mutex_unlock(&lock);
  }
  if (!known || !usable || w->ic % (LANES * w->ic2_block) || w->oc % (LANES * w->oc2_block)) {
    return mr_error(MR_UNIMPLEMENTED, "filters in a form of oneDNN's that is not known here");
  }
  *out = (mr_winograd_weights){w->ic, w->oc, {0}, w->ic2_block, w->oc2_block};
  memcpy(out->stride, weights->stride, sizeof out->stride);
  return MR_OK;
}
