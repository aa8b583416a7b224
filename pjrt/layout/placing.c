// Placings: what a block looks like, and copies that wait for a buffer. The copying itself: move.c.
#include "pjrt/layout/placing.h"

#include <stdlib.h>
#include <string.h>

#include "core/trace.h"
#include "pjrt/layout/move.h"

static mr_status too_large(void) {
  return mr_error(MR_INVALID_ARGUMENT, "layout: the array's block does not fit in memory");
}

static mr_status places_init(mr_pjrt_placing *places, mr_dtype dtype, const int64_t *dims, size_t rank) {
  *places = (mr_pjrt_placing){.rank = rank,
                              .element_bytes = mr_dtype_bytes(dtype),
                              .narrow_bits = mr_dtype_is_narrow(dtype) ? mr_dtype_bits(dtype) : 0};
  MR_TRY(mr_dims_bytes(dtype, dims, rank, &places->bytes));
  if (rank) {
    memcpy(places->dims, dims, rank * sizeof *dims);
  }
  return MR_OK;
}

static int64_t count_of(const mr_pjrt_placing *places) {
  int64_t count = 1;
  for (size_t i = 0; i < places->rank; i++) {
    count *= places->dims[i];
  }
  return count;
}

// ---- Layouts --------------------------------------------------------------------------------------------------------------

static mr_status read_bits(mr_pjrt_placing *places, int64_t bits, mr_dtype dtype) {
  int64_t width = mr_dtype_bits(dtype), whole = (int64_t)(8 * places->element_bytes);
  if (bits == 0 || bits == whole) {
    return MR_OK;
  }
  if (bits != width || 8 % width != 0) {
    return mr_error(MR_INVALID_ARGUMENT, "layout: elements of %lld bits for %s, wanted %lld%s", (long long)bits,
                    mr_dtype_name(dtype), (long long)whole, 8 % width ? "" : " or the type's own width");
  }
  places->packed_bits = (unsigned)bits;
  return MR_OK;
}

// The number of elements that have room in the block.
static mr_status padded_count(const mr_pjrt_placing *places, int64_t tail_alignment, int64_t *out) {
  mr_pjrt_site whole;
  mr_pjrt_site_of(places, NULL, &whole);
  *out = 1;
  for (size_t i = 0; i < whole.count; i++) {
    if (__builtin_mul_overflow(*out, whole.sizes[i], out)) {
      return too_large();
    }
  }
  if (__builtin_add_overflow(*out, tail_alignment - 1, out)) {
    return too_large();
  }
  *out -= *out % tail_alignment;
  return MR_OK;
}

mr_status mr_pjrt_placing_of_layout(mr_pjrt_placing *places, const PJRT_Layouts_MemoryLayout *layout, mr_dtype dtype,
                                    const int64_t *dims, size_t rank) {
  const mr_pjrt_layout_spec *spec = mr_pjrt_layout_spec_of(layout);
  if (spec->rank != rank) {
    return mr_error(MR_INVALID_ARGUMENT, "layout of rank %zu for an array of rank %zu", spec->rank, rank);
  }
  MR_TRY(places_init(places, dtype, dims, rank));
  MR_TRY(read_bits(places, spec->element_bits, dtype));
  if (spec->num_tiles == 0 && spec->tail_alignment == 1 && !places->packed_bits) {
    mr_pjrt_dense_strides(places->element_bytes, dims, rank, spec->order, places->strides);
    return MR_OK;
  }
  int64_t padded, bits = places->packed_bits ? places->packed_bits : (int64_t)(8 * places->element_bytes);
  places->layout = layout;
  MR_TRY(padded_count(places, spec->tail_alignment, &padded));
  if (__builtin_mul_overflow(padded, bits, &padded) || padded > INT64_MAX - 7) {
    return too_large();
  }
  places->bytes = (size_t)(padded + 7) / 8;
  places->pads = padded != count_of(places) * bits || padded % 8;
  return MR_OK;
}

// ---- Strides --------------------------------------------------------------------------------------------------------------

mr_status mr_pjrt_placing_of_strides(mr_pjrt_placing *places, const int64_t *strides, mr_dtype dtype,
                                     const int64_t *dims, size_t rank) {
  MR_TRY(places_init(places, dtype, dims, rank));
  int64_t below = 0, above = (int64_t)places->element_bytes;
  size_t dense = places->bytes;
  for (size_t i = 0; i < rank; i++) {
    int64_t reach;
    places->strides[i] = strides[i];
    if (dense == 0) {
      continue;
    }
    if (__builtin_mul_overflow(strides[i], dims[i] - 1, &reach) ||
        __builtin_add_overflow(reach, reach < 0 ? below : above, &reach) || reach > INT64_MAX / 2 ||
        reach < -(INT64_MAX / 2)) {
      return mr_error(MR_INVALID_ARGUMENT, "layout: stride %zu is %lld bytes, which leads out of memory", i,
                      (long long)strides[i]);
    }
    *(strides[i] < 0 && dims[i] > 1 ? &below : &above) = reach;
  }
  places->origin = dense ? (size_t)-below : 0;
  places->bytes = dense ? (size_t)(above - below) : 0;
  return MR_OK;
}

mr_status mr_pjrt_placing_of_host(mr_pjrt_placing *places, const PJRT_Buffer_MemoryLayout *layout, mr_dtype dtype,
                                  const int64_t *dims, size_t rank) {
  PJRT_Layouts_MemoryLayout *described;
  if (layout == NULL) {
    return mr_pjrt_placing_of_layout(places, mr_pjrt_layout_row_major(rank), dtype, dims, rank);
  }
  // layout->struct_size is not asked: jaxlib leaves it unset in ToHostBuffer, seen as 0 now and then.
  if (layout->type == PJRT_Buffer_MemoryLayout_Type_Tiled) {
    MR_TRY(mr_pjrt_layout_of_tiled(&layout->tiled, rank, &described));
    return mr_pjrt_placing_of_layout(places, described, dtype, dims, rank);
  }
  if (layout->type != PJRT_Buffer_MemoryLayout_Type_Strides) {
    return mr_error(MR_INVALID_ARGUMENT, "layout of type %d, wanted 0 (tiled) or 1 (strides)", (int)layout->type);
  }
  if (layout->strides.num_byte_strides != rank || (rank && !layout->strides.byte_strides)) {
    return mr_error(MR_INVALID_ARGUMENT, "layout of rank %zu for an array of rank %zu",
                    layout->strides.num_byte_strides, rank);
  }
  return mr_pjrt_placing_of_strides(places, layout->strides.byte_strides, dtype, dims, rank);
}

static int by_stride(const void *a, const void *b) {
  int64_t x = llabs(*(const int64_t *)a), y = llabs(*(const int64_t *)b);
  return (x > y) - (x < y);
}

// Each dimension steps over all that the finer ones reach. Some interleavings without overlap are refused as well.
mr_status mr_pjrt_placing_check_apart(const mr_pjrt_placing *places) {
  int64_t steps[MR_MAX_RANK][2];  // stride, size
  size_t count = 0;
  for (size_t i = 0; i < places->rank && !places->layout && places->bytes; i++) {
    if (places->dims[i] > 1) {
      steps[count][0] = places->strides[i];
      steps[count++][1] = places->dims[i];
    }
  }
  qsort(steps, count, sizeof *steps, by_stride);
  int64_t reach = (int64_t)places->element_bytes;
  for (size_t i = 0; i < count; i++) {
    int64_t step = llabs(steps[i][0]);
    if (step < reach) {
      return mr_error(MR_INVALID_ARGUMENT, "layout: a stride of %lld bytes over elements that reach %lld bytes",
                      (long long)steps[i][0], (long long)reach);
    }
    reach += step * (steps[i][1] - 1);
  }
  return MR_OK;
}

// ---- Copies of buffers ----------------------------------------------------------------------------------------------------
// The processor moves elements. Where it does not address a buffer's memory, it moves them between blocks of the host's: the
// source is copied there first, and the target filled from there after.

typedef struct move_job {
  mr_hold *source;      // in memory that the host addresses
  mr_storage *target;   // kept while the copy runs; NULL when the destination is the host's
  mr_storage *staging;  // where `to` is when the host does not address the target
  void *to;
  int64_t *tables;
  mr_platform *platform;  // retained by a node
  mr_group *group;
  mr_waiter waiter;    // for the next
  mr_future *writing;  // from staging to target
  mr_pjrt_placing from_places, to_places;
} move_job;

static void job_release(move_job *job) {
  mr_hold_release(job->source);
  mr_storage_release(job->target);
  mr_storage_release(job->staging);
  mr_platform_leave(job->platform);
  mr_free(job->tables);
  job->source = NULL;
  job->target = NULL;
  job->staging = NULL;
  job->tables = NULL;
  job->platform = NULL;
}

static mr_status job_run(move_job *job) {
  uint64_t start = mr_trace_begin();
  mr_storage *storage = mr_hold_storage(job->source);
  if (!storage) {
    return mr_error(MR_INTERNAL, "a buffer that is ready has no storage");
  }
  mr_pjrt_move_with(job->group, &job->to_places, job->to, &job->from_places, storage->data, job->tables);
  mr_trace_end(MR_TRACE_TRANSFER, "other layout", start);
  return MR_OK;
}

// Lets go of both ends at once, as does failing: the node's memory may live as long as a buffer that it was to fill.
static void move_finish(move_job *job, mr_status take_status) {
  job_release(job);
  mr_node_finish((mr_node *)(void *)job - 1, take_status);
}

static void staging_is_written(mr_waiter *waiter, mr_status status) {
  move_job *job = MR_CONTAINER_OF(waiter, move_job, waiter);
  mr_future *writing = job->writing;
  move_finish(job, mr_status_retain(status));
  mr_future_release(writing);
}

static void move_run(mr_node *node) {
  move_job *job = mr_node_payload(node);
  mr_status status = job_run(job);
  job->writing = NULL;
  if (!status && job->staging) {
    status = mr_storage_write(job->target, 0, job->to_places.bytes, job->to, NULL, 0, &job->writing);
  }
  if (status || !job->writing) {
    move_finish(job, status);
    return;
  }
  job->waiter.run = staging_is_written;
  mr_future_then(job->writing, &job->waiter);
}

static void move_drop(mr_node *node) { job_release(mr_node_payload(node)); }

static void move_fail(mr_node *node, mr_status status) {
  (void)status;
  move_drop(node);
}

static const mr_node_type move_type = {
    .name = "other layout", .kind = MR_NODE_COPY, .run = move_run, .fail = move_fail, .drop = move_drop};

// Copies of at most this many bytes run on the caller, when the content is there.
enum { MOVE_INLINE = 1 << 18 };

// Takes over job->source and job->target.
static mr_status job_start(move_job *job, const mr_device *device, mr_future **out_done) {
  mr_future *ready = mr_hold_ready(job->source);
  bool there = ready == NULL || mr_future_is_set(ready);
  mr_status status = there && ready ? mr_status_retain(mr_future_status(ready)) : MR_OK;
  mr_node *node = NULL;
  *out_done = NULL;
  status = status ? status : mr_pjrt_move_tables(&job->to_places, &job->from_places, &job->tables);
  if (status || (there && !job->staging && job->to_places.bytes <= MOVE_INLINE)) {
    status = status ? status : job_run(job);
    job_release(job);
    return status;
  }
  status = mr_node_create(&move_type, sizeof *job, device->executor, &node);
  if (status) {
    job_release(job);
    return status;
  }
  job->platform = mr_platform_enter(device->platform);
  *(move_job *)mr_node_payload(node) = *job;
  if (ready) {
    mr_status_free(mr_node_after(node, ready));  // on failure the node is poisoned with it
  }
  *out_done = mr_future_retain(mr_node_done(node));
  mr_node_submit(node);
  return MR_OK;
}

static mr_status hold_on_host(mr_buffer *buffer, mr_hold **out_hold) {
  mr_buffer *there;
  *out_hold = NULL;
  MR_TRY(mr_buffer_on_host(buffer, &there));
  mr_status status = mr_buffer_hold(there, false, out_hold);
  mr_buffer_release(there);
  return status;
}

// A block for the target, and one for the host to write where that is another.
static mr_status open_target(move_job *job, mr_memory *memory) {
  MR_TRY(mr_storage_allocate(memory, job->to_places.bytes, &job->target));
  job->to = job->target->data;
  if (memory->addressable) {
    return MR_OK;
  }
  mr_status status = mr_storage_allocate(mr_memory_on_host(memory), job->to_places.bytes, &job->staging);
  if (status) {
    mr_storage_release(job->target);
    job->target = NULL;
    return status;
  }
  job->to = job->staging->data;
  return MR_OK;
}

mr_status mr_pjrt_move_to_host(mr_buffer *buffer, const mr_pjrt_placing *from_places, const mr_pjrt_placing *to_places,
                               void *to, mr_future **out_done) {
  mr_device *device = mr_buffer_memory(buffer)->device;
  move_job job = {.to = to, .group = device->group, .from_places = *from_places, .to_places = *to_places};
  *out_done = NULL;
  MR_TRY(hold_on_host(buffer, &job.source));
  return job_start(&job, device, out_done);
}

mr_status mr_pjrt_move_to_buffer(mr_buffer *buffer, const mr_pjrt_placing *from_places,
                                 const mr_pjrt_placing *to_places, mr_dtype dtype, const int64_t *dims, size_t rank,
                                 mr_buffer **out_buffer) {
  mr_memory *memory = mr_buffer_memory(buffer);
  move_job job = {.group = memory->device->group, .from_places = *from_places, .to_places = *to_places};
  *out_buffer = NULL;
  MR_TRY(open_target(&job, memory));
  // Two references: the copy's, so that deleting the new buffer early does not take the block away, and the buffer's.
  mr_storage *storage = mr_storage_retain(job.target);
  mr_status status = hold_on_host(buffer, &job.source);
  mr_future *done = NULL;
  if (status) {
    job_release(&job);
  } else {
    status = job_start(&job, memory->device, &done);
  }
  if (status) {
    mr_storage_release(storage);
    return status;
  }
  return mr_buffer_create(memory, dtype, dims, rank, storage, done, out_buffer);
}

static mr_status prepare(move_job *job, mr_memory *memory, mr_node **out_node) {
  mr_device *device = memory->device;
  MR_TRY(open_target(job, memory));
  mr_status status = mr_pjrt_move_tables(&job->to_places, &job->from_places, &job->tables);
  status = status ? status : mr_node_create(&move_type, sizeof *job, device->executor, out_node);
  if (status) {
    job_release(job);
    return status;
  }
  job->platform = mr_platform_enter(device->platform);
  *(move_job *)mr_node_payload(*out_node) = *job;
  if (job->to_places.bytes <= MOVE_INLINE) {
    (*out_node)->cost_ns = 1;
  }
  return MR_OK;
}

mr_status mr_pjrt_move_prepare(mr_memory *memory, const mr_pjrt_placing *from_places, const mr_pjrt_placing *to_places,
                               mr_dtype dtype, const int64_t *dims, size_t rank, mr_buffer **out_target) {
  *out_target = NULL;
  move_job job = {.group = memory->device->group, .from_places = *from_places, .to_places = *to_places};
  mr_node *node;
  MR_TRY(prepare(&job, memory, &node));
  mr_status status =
      mr_buffer_create(memory, dtype, dims, rank, mr_storage_retain(job.target), mr_node_keep_done(node), out_target);
  if (status) {
    mr_node_discard(node);
  }
  return status;
}

static mr_node *node_of(const mr_buffer *target) { return mr_node_of_done(mr_buffer_ready(target)); }

void mr_pjrt_move_begin(mr_buffer *target, mr_buffer *source) {
  mr_node *node = node_of(target);
  move_job *job = mr_node_payload(node);
  mr_node_cancel(node, hold_on_host(source, &job->source));
  mr_future *ready = job->source ? mr_hold_ready(job->source) : NULL;
  if (ready) {
    mr_status_free(mr_node_after(node, ready));  // on failure the node is poisoned with it
  }
  mr_node_submit(node);
}

void mr_pjrt_move_abandon(mr_buffer *take_target) {
  mr_node_discard(node_of(take_target));
  mr_buffer_release(take_target);
}
