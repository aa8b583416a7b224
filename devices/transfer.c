// Transfers between host arrays and buffers. Short copies whose source is ready run on the calling thread; everything else
// is a node that runs after the source's future.
#include <string.h>

#include "core/trace.h"
#include "devices/devices.h"
#include "devices/tuning.h"

// Blocks of 64-byte alignment are what kernels expect of memory they did not allocate.
#define HOST_ALIGNMENT 64

static void dense_strides(mr_dtype dtype, const int64_t *dims, size_t rank, int64_t *out_strides) {
  int64_t stride = (int64_t)mr_dtype_bytes(dtype);
  for (size_t i = rank; i-- > 0;) {
    out_strides[i] = stride;
    stride *= dims[i];
  }
}

// Strides of dimensions of one element do not matter.
static bool is_dense(const int64_t *strides, const int64_t *dense, const int64_t *dims, size_t rank) {
  for (size_t i = 0; strides && i < rank; i++) {
    if (dims[i] != 1 && strides[i] != dense[i]) {
      return false;
    }
  }
  return true;
}

// ---- From the host --------------------------------------------------------------------------------------------------

typedef struct host_copy {
  mr_host_array host;  // its dims and strides are the caller's and may be gone: those of the line below are ours
  int64_t dims[MR_MAX_RANK], strides[MR_MAX_RANK], dense[MR_MAX_RANK];
  bool contiguous;
  size_t bytes;
  mr_group *group;
  mr_platform *platform;  // retained by a node
  mr_hold *target;
  mr_storage *storage;  // borrowed from the target
  void (*done)(void *arg);
  void *arg;
} host_copy;

static void copy_in(const host_copy *copy) {
  if (copy->contiguous) {
    mr_copy_bytes(copy->group, copy->storage->data, copy->host.data, copy->bytes);
  } else {
    mr_copy_strided_over(copy->group, copy->storage->data, copy->dense, copy->host.data, copy->strides, copy->dims,
                         copy->host.rank, mr_dtype_bytes(copy->host.dtype));
  }
}

// The buffer holds the node's memory through its ready future, so the node lets go of the buffer when it has run.
static void copy_in_drop(mr_node *node) {
  host_copy *copy = mr_node_payload(node);
  mr_hold_release(copy->target);
  mr_platform_release(copy->platform);
  copy->target = NULL;
  copy->platform = NULL;
}

static void copy_in_run(mr_node *node) {
  host_copy *copy = mr_node_payload(node);
  copy_in(copy);
  mr_storage_note_place(copy->storage);
  copy->done(copy->arg);
  // Before the node finishes: who waits for it finds itself alone with the buffer.
  copy_in_drop(node);
  mr_node_finish(node, MR_OK);
}

static void copy_in_fail(mr_node *node, mr_status status) {
  (void)status;
  host_copy *copy = mr_node_payload(node);
  copy->done(copy->arg);
  copy_in_drop(node);
}

static const mr_node_type copy_in_type = {.name = "host to device",
                                          .kind = MR_NODE_HOST_TO_DEVICE,
                                          .run = copy_in_run,
                                          .fail = copy_in_fail,
                                          .drop = copy_in_drop};

static void ignore(void *arg) { (void)arg; }

static mr_status describe(mr_memory *memory, const mr_host_array *host, host_copy *copy) {
  if (host->rank > MR_MAX_RANK) {
    return mr_error(MR_INVALID_ARGUMENT, "host array has %zu dimensions, wanted at most %d", host->rank, MR_MAX_RANK);
  }
  if (host->dtype <= MR_INVALID || host->dtype >= MR_DTYPE_COUNT) {
    return mr_error(MR_INVALID_ARGUMENT, "host array has element type number %d, wanted 1 to %d", (int)host->dtype,
                    MR_DTYPE_COUNT - 1);
  }
  MR_TRY(mr_dims_bytes(host->dtype, host->dims, host->rank, &copy->bytes));
  if (!host->data && copy->bytes) {
    return mr_error(MR_INVALID_ARGUMENT, "host array of %zu bytes has no data pointer", copy->bytes);
  }
  copy->host = *host;
  copy->group = memory->device->group;
  dense_strides(host->dtype, host->dims, host->rank, copy->dense);
  copy->contiguous = copy->bytes == 0 || is_dense(host->byte_strides, copy->dense, host->dims, host->rank);
  for (size_t i = 0; i < host->rank; i++) {
    copy->dims[i] = host->dims[i];
    copy->strides[i] = host->byte_strides ? host->byte_strides[i] : copy->dense[i];
  }
  return MR_OK;
}

// The copy on a node: the buffer is pending until it is done.
static mr_status copy_later(mr_memory *memory, const host_copy *copy, mr_storage *take_storage,
                            mr_buffer **out_buffer) {
  mr_node *node = NULL;
  mr_status status = mr_node_create(&copy_in_type, sizeof(host_copy), memory->device->executor, &node);
  if (status) {
    mr_storage_release(take_storage);
    return status;
  }
  host_copy *payload = mr_node_payload(node);
  *payload = *copy;
  payload->target = NULL;
  payload->platform = NULL;
  payload->storage = take_storage;
  payload->done = ignore;  // until the submission is certain
  mr_future *ready = mr_future_retain(mr_node_done(node));
  status = mr_buffer_create(memory, copy->host.dtype, copy->dims, copy->host.rank, take_storage, ready, out_buffer);
  if (!status) {
    status = mr_buffer_hold(*out_buffer, false, &payload->target);
  }
  if (status) {
    mr_node_release(node);
    mr_buffer_release(*out_buffer);
    *out_buffer = NULL;
    return status;
  }
  payload->done = copy->done;
  payload->platform = mr_platform_retain(memory->device->platform);
  node->device = (int16_t)memory->device->id;
  node->cost_ns = (uint32_t)MR_MIN(copy->bytes / MR_COPY_BYTES_PER_NS, (size_t)UINT32_MAX);
  mr_node_submit(node);
  return MR_OK;
}

typedef struct alias_owner {
  void (*done)(void *arg);
  void *arg;
} alias_owner;

static void tell_owner(void *data, void *arg) {
  (void)data;
  alias_owner owner = *(alias_owner *)arg;
  mr_free(arg);
  owner.done(owner.arg);
}

// The host's array is the buffer's storage.
static mr_status alias_host(mr_memory *memory, const mr_host_array *host, size_t bytes, bool immutable,
                            void (*done)(void *arg), void *arg, mr_buffer **out_buffer) {
  alias_owner *owner = done ? mr_alloc(sizeof *owner) : NULL;
  if (done && !owner) {
    return MR_NO_MEMORY();
  }
  mr_storage *storage = NULL;
  // The owner is told only once nothing can fail any more.
  mr_status status = mr_storage_wrap(memory, (void *)(uintptr_t)host->data, bytes, immutable, NULL, owner, &storage);
  if (!status) {
    mr_storage *keep = mr_storage_retain(storage);
    status = mr_buffer_create(memory, host->dtype, host->dims, host->rank, storage, NULL, out_buffer);
    if (!status && owner) {
      *owner = (alias_owner){done, arg};
      keep->on_delete = tell_owner;
    }
    mr_storage_release(keep);
  }
  if (status) {
    mr_free(owner);
  }
  return status;
}

mr_status mr_buffer_from_host(mr_memory *memory, const mr_host_array *host, mr_host_semantics semantics,
                              void (*done)(void *arg), void *arg, mr_buffer **out_buffer) {
  *out_buffer = NULL;
  host_copy copy;
  MR_TRY(describe(memory, host, &copy));
  copy.done = done ? done : ignore;
  copy.arg = arg;
  mr_storage *storage = NULL;
  bool aligned = ((uintptr_t)host->data & (HOST_ALIGNMENT - 1)) == 0;
  if (semantics >= MR_HOST_IMMUTABLE_ZERO_COPY && copy.contiguous && copy.bytes && aligned) {
    bool immutable = semantics == MR_HOST_IMMUTABLE_ZERO_COPY;
    return alias_host(memory, host, copy.bytes, immutable, done, arg, out_buffer);
  }
  MR_TRY(mr_storage_allocate(memory, copy.bytes, &storage));
  if (semantics != MR_HOST_ONLY_DURING_CALL && copy.bytes > MR_COPY_IN_INLINE) {
    return copy_later(memory, &copy, storage, out_buffer);
  }
  copy.storage = storage;
  uint64_t start = mr_trace_begin();
  copy_in(&copy);
  mr_trace_end_call(MR_TRACE_TRANSFER, copy_in_type.name, MR_NODE_HOST_TO_DEVICE, memory->device->id, start);
  MR_TRY(mr_buffer_create(memory, host->dtype, host->dims, host->rank, storage, NULL, out_buffer));
  copy.done(arg);
  return MR_OK;
}

// ---- To the host ----------------------------------------------------------------------------------------------------

typedef struct out_copy {
  mr_hold *source;
  mr_storage *target;     // kept while the copy runs; NULL when the destination is the host's
  mr_platform *platform;  // retained by a node
  char *to;
  size_t offset, size;
  mr_group *group;
  bool strided;
  mr_dtype dtype;
  size_t rank;
  int64_t dims[MR_MAX_RANK], strides[MR_MAX_RANK], dense[MR_MAX_RANK];
} out_copy;

static mr_status copy_out(const out_copy *copy) {
  mr_storage *storage = mr_hold_storage(copy->source);
  if (!storage) {
    return mr_error(MR_INTERNAL, "a buffer that is ready has no storage");
  }
  if (copy->strided) {
    mr_copy_strided_over(copy->group, copy->to, copy->strides, storage->data, copy->dense, copy->dims, copy->rank,
                         mr_dtype_bytes(copy->dtype));
  } else {
    mr_copy_bytes(copy->group, copy->to, (const char *)storage->data + copy->offset, copy->size);
  }
  return MR_OK;
}

static void release_ends(out_copy *copy) {
  mr_hold_release(copy->source);
  mr_storage_release(copy->target);
  mr_platform_release(copy->platform);
  copy->source = NULL;
  copy->target = NULL;
  copy->platform = NULL;
}

static void copy_out_drop(mr_node *node) { release_ends(mr_node_payload(node)); }

// Lets go of both ends at once, as does failing: the node's memory may live as long as a buffer that it was to fill.
static void copy_out_run(mr_node *node) {
  out_copy *copy = mr_node_payload(node);
  mr_status status = copy_out(copy);
  release_ends(copy);
  mr_node_finish(node, status);
}

static void copy_out_fail(mr_node *node, mr_status status) {
  (void)status;
  copy_out_drop(node);
}

static const mr_node_type copy_out_type = {.name = "device to host",
                                           .kind = MR_NODE_DEVICE_TO_HOST,
                                           .run = copy_out_run,
                                           .fail = copy_out_fail,
                                           .drop = copy_out_drop};
// Into another buffer's block.
static const mr_node_type copy_type = {
    .name = "copy", .kind = MR_NODE_COPY, .run = copy_out_run, .fail = copy_out_fail, .drop = copy_out_drop};

// Runs the copy now when it can be short, else on a node. Takes over copy->source and copy->target.
static mr_status start_copy_out(mr_buffer *buffer, out_copy *copy, mr_future **out_done) {
  *out_done = NULL;
  const mr_device *device = mr_buffer_memory(buffer)->device;
  const mr_node_type *type = copy->target ? &copy_type : &copy_out_type;
  mr_future *ready = mr_hold_ready(copy->source);
  if (!ready || mr_future_is_set(ready)) {
    mr_status status = ready ? mr_status_retain(mr_future_status(ready)) : MR_OK;
    if (status || copy->size <= MR_COPY_INLINE) {
      uint64_t start = mr_trace_begin();
      status = status ? status : copy_out(copy);
      mr_trace_end_call(MR_TRACE_TRANSFER, type->name, (uint8_t)type->kind, device->id, start);
      release_ends(copy);
      return status;
    }
  }
  mr_node *node = NULL;
  bool pending = ready && !mr_future_is_set(ready);
  mr_executor *executor = mr_device_executor_near(device, pending ? NULL : mr_hold_storage(copy->source));
  mr_status status = mr_node_create(type, sizeof(out_copy), executor, &node);
  if (status) {
    release_ends(copy);
    return status;
  }
  copy->platform = mr_platform_retain(device->platform);
  *(out_copy *)mr_node_payload(node) = *copy;
  node->device = (int16_t)device->id;
  node->cost_ns = (uint32_t)MR_MIN(copy->size / MR_COPY_BYTES_PER_NS + 1, (size_t)UINT32_MAX);
  if (ready) {
    status = mr_node_after(node, ready);  // on failure the node is poisoned with it
    mr_status_free(status);
  }
  *out_done = mr_future_retain(mr_node_done(node));
  mr_node_submit(node);
  return MR_OK;
}

mr_status mr_buffer_to_host(mr_buffer *buffer, void *destination, const int64_t *byte_strides, mr_future **out_done) {
  *out_done = NULL;
  out_copy copy = {.to = destination,
                   .size = mr_buffer_bytes(buffer),
                   .group = mr_buffer_memory(buffer)->device->group,
                   .dtype = mr_buffer_dtype(buffer),
                   .rank = mr_buffer_rank(buffer)};
  dense_strides(copy.dtype, mr_buffer_dims(buffer), copy.rank, copy.dense);
  copy.strided = !is_dense(byte_strides, copy.dense, mr_buffer_dims(buffer), copy.rank);
  for (size_t i = 0; i < copy.rank; i++) {
    copy.dims[i] = mr_buffer_dims(buffer)[i];
    copy.strides[i] = byte_strides ? byte_strides[i] : copy.dense[i];
  }
  MR_TRY(mr_buffer_hold(buffer, false, &copy.source));
  return start_copy_out(buffer, &copy, out_done);
}

mr_status mr_buffer_raw_to_host(mr_buffer *buffer, void *destination, size_t offset, size_t size,
                                mr_future **out_done) {
  *out_done = NULL;
  size_t bytes = mr_buffer_bytes(buffer);
  if (offset > bytes || size > bytes - offset) {
    return mr_error(MR_INVALID_ARGUMENT, "bytes %zu to %zu were asked for of a buffer of %zu bytes", offset,
                    offset + size, bytes);
  }
  out_copy copy = {.to = destination, .offset = offset, .size = size, .group = mr_buffer_memory(buffer)->device->group};
  MR_TRY(mr_buffer_hold(buffer, false, &copy.source));
  return start_copy_out(buffer, &copy, out_done);
}

// ---- Between buffers ------------------------------------------------------------------------------------------------

mr_status mr_buffer_copy_to(mr_buffer *buffer, mr_memory *memory, mr_buffer **out_buffer) {
  *out_buffer = NULL;
  out_copy copy = {.size = mr_buffer_bytes(buffer), .group = memory->device->group};
  MR_TRY(mr_storage_allocate(memory, copy.size, &copy.target));
  copy.to = copy.target->data;
  // Two references: the copy's, so that deleting the new buffer early does not take the block away, and the buffer's.
  mr_storage *storage = mr_storage_retain(copy.target);
  mr_status status = mr_buffer_hold(buffer, false, &copy.source);
  if (status) {
    mr_storage_release(copy.target);
    mr_storage_release(storage);
    return status;
  }
  mr_future *done = NULL;
  status = start_copy_out(buffer, &copy, &done);
  if (status) {
    mr_storage_release(storage);
    mr_future_release(done);
    return status;
  }
  return mr_buffer_create(memory, mr_buffer_dtype(buffer), mr_buffer_dims(buffer), mr_buffer_rank(buffer), storage,
                          done, out_buffer);
}
