// Transfers between host arrays and buffers. Short copies whose source is ready run on the calling thread; everything else
// is a node that runs after the source's future.
#include <string.h>

#include "core/size.h"
#include "core/trace.h"
#include "devices/carry.h"
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

// An array of these dimensions, laid out with these strides, NULL: densely.
static void lay_out(mr_host_layout *layout, mr_dtype dtype, const int64_t *dims, size_t rank, const int64_t *strides,
                    size_t bytes) {
  layout->dtype = dtype;
  layout->rank = rank;
  layout->bytes = bytes;
  dense_strides(dtype, dims, rank, layout->dense);
  layout->contiguous = bytes == 0 || is_dense(strides, layout->dense, dims, rank);
  for (size_t i = 0; i < rank; i++) {
    layout->dims[i] = dims[i];
    layout->strides[i] = strides ? strides[i] : layout->dense[i];
  }
}

// A node of a copy that can begin (one from the host begins at once: mr_admission_enter_copy), and one that is over, after whatever waits
// for it was told.
static void copy_ready(mr_node *node) {
  (void)node;
  mr_progress_begin(MR_PROGRESS_OWN);
}

static void copy_over(mr_node *node, mr_status take_status) {
  mr_node_finish(node, take_status);
  mr_progress_end(MR_PROGRESS_OWN);
}

// ---- From the host --------------------------------------------------------------------------------------------------

typedef struct host_copy {
  const void *data;
  mr_host_layout layout;
  mr_group *group;
  mr_platform *platform;  // retained by a node
  mr_hold *target;
  mr_storage *storage;  // borrowed from the target
  void (*done)(void *arg);
  void *arg;
} host_copy;

static void copy_in(const host_copy *copy) {
  const mr_host_layout *layout = &copy->layout;
  if (layout->contiguous) {
    mr_copy_bytes(copy->group, copy->storage->data, copy->data, layout->bytes);
  } else {
    mr_copy_strided_over(copy->group, copy->storage->data, layout->dense, copy->data, layout->strides, layout->dims,
                         layout->rank, mr_dtype_bytes(layout->dtype));
  }
  mr_dtype_clear_above(layout->dtype, copy->storage->data, layout->bytes);
}

// The buffer holds the node's memory through its ready future, so the node lets go of the buffer when it has run.
static void copy_in_drop(mr_node *node) {
  host_copy *copy = mr_node_payload(node);
  mr_hold_release(copy->target);
  mr_platform_leave(copy->platform);
  copy->target = NULL;
  copy->platform = NULL;
}

// Before the host is told, whose function may want a lock of a thread that is held up.
static void copy_in_leave(const host_copy *copy) {
  mr_admission_leave_copy(&copy->storage->memory->device->admission, copy->layout.bytes);
}

static void copy_in_run(mr_node *node) {
  host_copy *copy = mr_node_payload(node);
  copy_in(copy);
  mr_storage_note_place(copy->storage);
  copy_in_leave(copy);
  mr_progress_call_host(copy->done, copy->arg);
  // Before the node finishes: who waits for it finds itself alone with the buffer.
  copy_in_drop(node);
  copy_over(node, MR_OK);
}

static void copy_in_fail(mr_node *node, mr_status status) {
  (void)status;
  host_copy *copy = mr_node_payload(node);
  copy_in_leave(copy);
  mr_progress_call_host(copy->done, copy->arg);
  copy_in_drop(node);
  mr_progress_end(MR_PROGRESS_OWN);
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
  size_t bytes;
  MR_TRY(mr_dims_bytes(host->dtype, host->dims, host->rank, &bytes));
  if (!host->data && bytes) {
    return mr_error(MR_INVALID_ARGUMENT, "host array of %zu bytes has no data pointer", bytes);
  }
  copy->data = host->data;
  copy->group = memory->device->group;
  lay_out(&copy->layout, host->dtype, host->dims, host->rank, host->byte_strides, bytes);
  return MR_OK;
}

static mr_status make_buffer(mr_memory *memory, const mr_host_layout *layout, mr_storage *take_storage,
                             mr_future *take_ready, mr_buffer **out_buffer) {
  return mr_buffer_create(memory, layout->dtype, layout->dims, layout->rank, take_storage, take_ready, out_buffer);
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
  status = make_buffer(memory, &copy->layout, take_storage, ready, out_buffer);
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
  payload->platform = mr_platform_enter(memory->device->platform);
  node->device = (int16_t)memory->device->id;
  node->cost_ns = (uint32_t)MR_MIN(copy->layout.bytes / MR_COPY_BYTES_PER_NS, (size_t)UINT32_MAX);
  // Who hears of the end may let go of the platform.
  mr_platform *platform = mr_platform_enter(memory->device->platform);
  mr_admission *admission = &memory->device->admission;
  mr_admission_enter_copy(admission, copy->layout.bytes);
  mr_node_submit(node);
  mr_admission_wait(admission, mr_platform_scheduler(platform));
  mr_platform_leave(platform);
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

// Into memory that the host does not address. What may not be read later, or lies in strides, is copied into a block of the host's
// first, on this thread: the copy from there is the device's.
static mr_status carry_in(mr_memory *memory, host_copy *copy, bool keeps, mr_storage *take_storage,
                          mr_buffer **out_buffer) {
  mr_carry carry = {.target = take_storage, .to = {take_storage, 0}, .bytes = copy->layout.bytes};
  bool staged = !keeps || !copy->layout.contiguous || mr_dtype_is_narrow(copy->layout.dtype);
  mr_storage *storage = mr_storage_retain(take_storage);
  mr_status status = MR_OK;
  if (staged) {
    status = mr_storage_allocate(&memory->device->memories[MR_MEMORY_PINNED_HOST], carry.bytes, &carry.staging);
  }
  if (status) {
    mr_storage_release(take_storage);
    mr_storage_release(storage);
    return status;
  }
  if (staged) {
    copy->storage = carry.staging;
    copy_in(copy);
  } else {
    carry.done = copy->done;
    carry.arg = copy->arg;
  }
  carry.host_from = staged ? carry.staging->data : copy->data;
  mr_node *node;
  status = mr_carry_create(&carry, memory->device, &node);
  if (status) {
    mr_storage_release(storage);
    return status;
  }
  status = make_buffer(memory, &copy->layout, storage, mr_node_keep_done(node), out_buffer);
  if (status) {
    mr_node_release(node);
    return status;
  }
  mr_node_submit(node);
  if (staged) {
    copy->done(copy->arg);
  }
  return MR_OK;
}

mr_status mr_buffer_from_host(mr_memory *memory, const mr_host_array *host, mr_host_semantics semantics,
                              void (*done)(void *arg), void *arg, mr_buffer **out_buffer) {
  *out_buffer = NULL;
  host_copy copy;
  MR_TRY(describe(memory, host, &copy));
  const mr_host_layout *layout = &copy.layout;
  copy.done = done ? done : ignore;
  copy.arg = arg;
  mr_storage *storage = NULL;
  bool aligned = ((uintptr_t)host->data & (HOST_ALIGNMENT - 1)) == 0;
  if (semantics >= MR_HOST_IMMUTABLE_ZERO_COPY && layout->contiguous && layout->bytes && aligned &&
      memory->addressable && !mr_dtype_is_narrow(host->dtype)) {
    bool immutable = semantics == MR_HOST_IMMUTABLE_ZERO_COPY;
    return alias_host(memory, host, layout->bytes, immutable, done, arg, out_buffer);
  }
  MR_TRY(mr_storage_allocate(memory, layout->bytes, &storage));
  // What is short is read within the call on every kind of device: hosts have come to count on it, JAX among them.
  bool later = semantics != MR_HOST_ONLY_DURING_CALL && layout->bytes > MR_COPY_IN_INLINE;
  if (!memory->addressable && layout->bytes) {
    return carry_in(memory, &copy, later, storage, out_buffer);
  }
  if (later) {
    return copy_later(memory, &copy, storage, out_buffer);
  }
  copy.storage = storage;
  uint64_t start = mr_trace_begin();
  copy_in(&copy);
  mr_trace_end_call(MR_TRACE_TRANSFER, copy_in_type.name, MR_NODE_HOST_TO_DEVICE, memory->device->id, start);
  MR_TRY(make_buffer(memory, layout, storage, NULL, out_buffer));
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
  mr_host_layout layout;  // when strided
} out_copy;

static mr_status copy_out(const out_copy *copy) {
  mr_storage *storage = mr_hold_storage(copy->source);
  if (!storage) {
    return mr_error(MR_INTERNAL, "a buffer that is ready has no storage");
  }
  if (copy->strided) {
    const mr_host_layout *layout = &copy->layout;
    mr_copy_strided_over(copy->group, copy->to, layout->strides, storage->data, layout->dense, layout->dims,
                         layout->rank, mr_dtype_bytes(layout->dtype));
  } else {
    mr_copy_bytes(copy->group, copy->to, (const char *)storage->data + copy->offset, copy->size);
  }
  return MR_OK;
}

static void release_ends(out_copy *copy) {
  mr_hold_release(copy->source);
  mr_storage_release(copy->target);
  mr_platform_leave(copy->platform);
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
  copy_over(node, status);
}

static void copy_out_fail(mr_node *node, mr_status status) {
  (void)status;
  copy_out_drop(node);
  mr_progress_end(MR_PROGRESS_OWN);
}

static const mr_node_type copy_out_type = {.name = "device to host",
                                           .kind = MR_NODE_DEVICE_TO_HOST,
                                           .run = copy_out_run,
                                           .fail = copy_out_fail,
                                           .drop = copy_out_drop,
                                           .ready = copy_ready};
// Into another buffer's block.
static const mr_node_type copy_type = {.name = "copy",
                                       .kind = MR_NODE_COPY,
                                       .run = copy_out_run,
                                       .fail = copy_out_fail,
                                       .drop = copy_out_drop,
                                       .ready = copy_ready};

// From memory that the host does not address, or to such.
static mr_status carry_out(out_copy *copy, mr_future **out_done) {
  mr_device *device = mr_hold_memory(copy->source)->device;
  mr_carry carry = {.source = copy->source, .from = {NULL, copy->offset}, .bytes = copy->size};
  if (copy->target) {
    carry.target = copy->target;
    carry.to = (mr_region){copy->target, 0};
  } else {
    carry.host_to = copy->to;
    carry.strided = copy->strided ? &copy->layout : NULL;
  }
  if (copy->strided) {
    mr_status status = mr_storage_allocate(&device->memories[MR_MEMORY_PINNED_HOST], copy->size, &carry.staging);
    if (status) {
      release_ends(copy);
      return status;
    }
  }
  return mr_carry_begin(&carry, device, NULL, 0, out_done);
}

static bool is_addressed(const out_copy *copy) {
  return mr_hold_memory(copy->source)->addressable && (!copy->target || copy->target->memory->addressable);
}

// Runs the copy now when it can be short, else on a node. Takes over copy->source and copy->target.
static mr_status start_copy_out(out_copy *copy, mr_future **out_done) {
  *out_done = NULL;
  if (!is_addressed(copy)) {
    return carry_out(copy, out_done);
  }
  const mr_device *device = mr_hold_memory(copy->source)->device;
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
  copy->platform = mr_platform_enter(device->platform);
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
  size_t size = mr_buffer_bytes(buffer);
  out_copy copy = {.to = destination, .size = size, .group = mr_buffer_memory(buffer)->device->group};
  lay_out(&copy.layout, mr_buffer_dtype(buffer), mr_buffer_dims(buffer), mr_buffer_rank(buffer), byte_strides, size);
  copy.strided = !copy.layout.contiguous;
  MR_TRY(mr_buffer_hold(buffer, false, &copy.source));
  return start_copy_out(&copy, out_done);
}

mr_status mr_buffer_raw_to_host(mr_buffer *buffer, void *destination, size_t offset, size_t size,
                                mr_future **out_done) {
  *out_done = NULL;
  size_t bytes = mr_buffer_bytes(buffer);
  if (offset > bytes || size > bytes - offset) {
    return mr_error(MR_INVALID_ARGUMENT, "bytes %zu to %zu were asked for of a buffer of %zu bytes", offset,
                    mr_size_add(offset, size), bytes);
  }
  out_copy copy = {.to = destination, .offset = offset, .size = size, .group = mr_buffer_memory(buffer)->device->group};
  MR_TRY(mr_buffer_hold(buffer, false, &copy.source));
  return start_copy_out(&copy, out_done);
}

mr_status mr_hold_read(mr_hold *hold, size_t offset, size_t size, void *to, mr_future **out_done) {
  out_copy copy = {.source = mr_hold_retain(hold),
                   .to = to,
                   .offset = offset,
                   .size = size,
                   .group = mr_hold_memory(hold)->device->group};
  return start_copy_out(&copy, out_done);
}

// ---- Into content that is there -------------------------------------------------------------------------------------

static void write_now(mr_hold *hold, size_t offset, size_t size, const void *from) {
  mr_storage *storage = mr_hold_storage(hold);
  const mr_device *device = mr_hold_memory(hold)->device;
  uint64_t start = mr_trace_begin();
  char *to = (char *)storage->data + offset;
  mr_copy_bytes(device->group, to, from, size);
  mr_dtype_clear_above(mr_hold_dtype(hold), to, size);
  mr_storage_touch(storage);  // what was packed from the old content is outdated
  mr_trace_end_call(MR_TRACE_TRANSFER, copy_in_type.name, MR_NODE_HOST_TO_DEVICE, device->id, start);
}

mr_status mr_hold_write(mr_hold *hold, size_t offset, size_t size, const void *from, mr_future **out_done) {
  *out_done = NULL;
  mr_memory *memory = mr_hold_memory(hold);
  mr_future *ready = mr_hold_ready(hold);
  bool there = !ready || (mr_future_is_set(ready) && mr_future_status(ready) == MR_OK);
  if (there && memory->addressable) {
    MR_TRY(mr_hold_part(hold));
    write_now(hold, offset, size, from);
    return MR_OK;
  }
  mr_carry carry = {.to = {NULL, offset}, .host_from = from, .bytes = size};
  if (mr_dtype_is_narrow(mr_hold_dtype(hold)) && size) {
    MR_TRY(mr_storage_allocate(&memory->device->memories[MR_MEMORY_PINNED_HOST], size, &carry.staging));
    memcpy(carry.staging->data, from, size);
    mr_dtype_clear_above(mr_hold_dtype(hold), carry.staging->data, size);
    carry.host_from = carry.staging->data;
  }
  carry.into = mr_hold_retain(hold);
  return mr_carry_begin(&carry, memory->device, NULL, 0, out_done);
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
  status = start_copy_out(&copy, &done);
  if (status) {
    mr_storage_release(storage);
    mr_future_release(done);
    return status;
  }
  return mr_buffer_create(memory, mr_buffer_dtype(buffer), mr_buffer_dims(buffer), mr_buffer_rank(buffer), storage,
                          done, out_buffer);
}

mr_status mr_buffer_on_host(mr_buffer *buffer, mr_buffer **out_buffer) {
  mr_memory *memory = mr_buffer_memory(buffer);
  if (memory->addressable) {
    *out_buffer = mr_buffer_retain(buffer);
    return MR_OK;
  }
  return mr_buffer_copy_to(buffer, mr_memory_on_host(memory), out_buffer);
}
