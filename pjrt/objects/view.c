// Buffers that are not copies of host arrays: views of foreign memory, uninitialized storage, errors, and buffers whose
// content is another buffer's (aliases, bitcasts, donations that wait for the host).
#include <string.h>

#include "core/census.h"
#include "pjrt/objects/stream.h"

// ---- Content that comes from another buffer ---------------------------------------------------------------------------------

// A buffer without content, and the future that says when it has some. Everything is owned.
typedef struct forward {
  mr_buffer *target;
  mr_hold *producer;  // on the target: it can be defined also after the host deleted it
  mr_future *ready;
  mr_hold *source;     // once it is known
  mr_waiter waiter;    // for the source
  mr_pjrt_form *form;  // of an alias: what it is fulfilled with must have the same
} forward;

static mr_status forward_create(mr_memory *memory, const mr_pjrt_shape *shape, forward **out) {
  *out = NULL;
  forward *self = mr_alloc_zeroed(1, sizeof *self);
  if (self == NULL) {
    return MR_NO_MEMORY();
  }
  mr_status status = mr_future_create(&self->ready);
  if (!status) {
    status = mr_buffer_create(memory, shape->block_dtype, shape->block_dims, shape->block_rank, NULL,
                              mr_future_retain(self->ready), &self->target);
  }
  if (!status) {
    status = mr_buffer_hold(self->target, false, &self->producer);
  }
  if (status) {
    mr_buffer_release(self->target);
    mr_future_release(self->ready);
    mr_free(self);
    return status;
  }
  mr_census_add(MR_CENSUS_transfers, 1);
  *out = self;
  return MR_OK;
}

// The end of a forward: with an error, or with the storage its source has.
static void forward_finish(forward *self, mr_status status) {
  if (!status) {
    mr_buffer_define(self->target, mr_hold_take_storage(self->source));
  }
  mr_future *set = self->ready;
  mr_hold_release(self->source);
  // Before the future is set: who is waiting to donate the target should find itself alone, and may destroy the client next.
  mr_hold_release(self->producer);
  mr_buffer_release(self->target);
  mr_pjrt_form_release(self->form);
  mr_census_add(MR_CENSUS_transfers, -1);
  mr_free(self);
  mr_future_set(set, mr_status_retain(status));
  mr_future_release(set);
}

static void source_is_ready(mr_waiter *waiter, mr_status status) {
  forward_finish(MR_CONTAINER_OF(waiter, forward, waiter), status);
}

// Finishes when the source is ready; consumes the forward.
static void forward_start(forward *self, mr_hold *take_source) {
  self->source = take_source;
  mr_future *ready = mr_hold_ready(take_source);
  if (ready == NULL) {
    forward_finish(self, MR_OK);
    return;
  }
  self->waiter.run = source_is_ready;
  mr_future_then(ready, &self->waiter);
}

static void forward_abandon(forward *self, mr_status take_status) {
  forward_finish(self, take_status);
  mr_status_free(take_status);
}

// ---- Views of memory that belongs to somebody else ----------------------------------------------------------------------------

enum { VIEW_ALIGNMENT = 16 };  // as malloc gives it

// The owner knows its memory by the first element, the storage by the start of the block.
typedef struct view_owner {
  void (*callback)(void *data, void *arg);
  void *data, *arg;
} view_owner;

static void tell_owner(void *data, void *arg) {
  (void)data;
  view_owner *owner = arg;
  owner->callback(owner->data, owner->arg);
  mr_free(owner);
}

static mr_status storage_of_view(const PJRT_Client_CreateViewOfDeviceBuffer_Args *args, mr_memory *memory,
                                 const mr_pjrt_shape *shape, mr_storage **out_storage) {
  size_t origin = shape->form ? shape->form->places.origin : 0;
  void (*callback)(void *, void *) = args->on_delete_callback;
  void *arg = args->on_delete_callback_arg;
  view_owner *owner = NULL;
  if (args->device_buffer_ptr == NULL && shape->bytes > 0) {
    return mr_error(MR_INVALID_ARGUMENT, "a view of %zu bytes at NULL", shape->bytes);
  }
  // Programs read row-major arrays in place, unless something may be above the bits of their elements. Hosts count on the refusal: jaxlib copies what it may not share.
  if (shape->form == NULL && shape->bytes > 0 && (uintptr_t)args->device_buffer_ptr % VIEW_ALIGNMENT != 0) {
    return mr_error(MR_INVALID_ARGUMENT, "a view of memory at %p, which is not aligned to %d bytes",
                    args->device_buffer_ptr, VIEW_ALIGNMENT);
  }
  if (origin && callback) {
    owner = mr_alloc(sizeof *owner);
    if (owner == NULL) {
      return MR_NO_MEMORY();
    }
    *owner = (view_owner){callback, args->device_buffer_ptr, arg};
    callback = tell_owner;
    arg = owner;
  }
  char *block = shape->bytes ? (char *)args->device_buffer_ptr - origin : args->device_buffer_ptr;
  // Never written in place, also when it is donated: the other side may still look at it.
  mr_status status = mr_storage_wrap(memory, block, shape->bytes, true, callback, arg, out_storage);
  if (status) {
    mr_free(owner);
    return status;
  }
  atomic_store_explicit(&(*out_storage)->shared, true, memory_order_relaxed);
  return MR_OK;
}

static mr_status view_of_shape(PJRT_Client_CreateViewOfDeviceBuffer_Args *args, const mr_pjrt_shape *shape) {
  PJRT_Memory *memory = MR_PJRT_HAS(args, memory) ? args->memory : NULL;
  MR_TRY(mr_pjrt_choose_memory(args->client, memory, args->device, &memory));
  mr_memory *inner = mr_pjrt_unwrap_memory(memory);
  // What the host put on the stream comes before the content.
  mr_future *pending;
  MR_TRY(mr_pjrt_stream_tail(args->client, args->stream, &pending));
  // The handle first: once the storage exists, failing would tell the owner that its memory is free.
  PJRT_Buffer *handle = mr_pjrt_buffer_allocate();
  if (handle == NULL) {
    mr_future_release(pending);
    return MR_NO_MEMORY();
  }
  mr_storage *storage;
  mr_status status = storage_of_view(args, inner, shape, &storage);
  if (status) {
    mr_future_release(pending);
  } else {
    // A view that is not made has not taken the memory over, so nobody is told of its end.
    void (*on_delete)(void *, void *) = storage->on_delete;
    void *owner = on_delete == tell_owner ? storage->on_delete_arg : NULL;
    storage->on_delete = NULL;
    status = mr_buffer_create(inner, shape->block_dtype, shape->block_dims, shape->block_rank, storage, pending,
                              &handle->buffer);
    if (status) {
      mr_free(owner);
    } else {
      storage->on_delete = on_delete;
    }
  }
  if (status) {
    mr_pjrt_buffer_free(handle);
    return status;
  }
  mr_pjrt_buffer_place(handle, memory, shape->form);
  args->buffer = handle;
  return MR_OK;
}

static mr_status create_view(PJRT_Client_CreateViewOfDeviceBuffer_Args *args) {
  mr_pjrt_shape shape;
  MR_TRY(mr_pjrt_shape_init_view(&shape, args->element_type, args->dims, args->num_dims, args->layout));
  mr_status status = view_of_shape(args, &shape);
  mr_pjrt_shape_deinit(&shape);
  return status;
}

PJRT_Error *mr_pjrt_Client_CreateViewOfDeviceBuffer(PJRT_Client_CreateViewOfDeviceBuffer_Args *args) {
  MR_PJRT_NEED(args, buffer);
  MR_PJRT_NONNULL(args, client);
  args->buffer = NULL;
  MR_PJRT_TRY(create_view(args));
  return NULL;
}

// ---- Uninitialized and failed buffers -----------------------------------------------------------------------------------------

static mr_status create_uninitialized(PJRT_Client_CreateUninitializedBuffer_Args *args) {
  mr_pjrt_shape shape;
  PJRT_Memory *memory;
  mr_storage *storage;
  mr_buffer *buffer;
  MR_TRY(mr_pjrt_choose_memory(args->client, args->memory, args->device, &memory));
  MR_TRY(
      mr_pjrt_shape_init(&shape, args->shape_element_type, args->shape_dims, args->shape_num_dims, args->shape_layout));
  mr_status status = mr_storage_allocate(mr_pjrt_unwrap_memory(memory), shape.bytes, &storage);
  if (!status) {
    status = mr_buffer_create(mr_pjrt_unwrap_memory(memory), shape.block_dtype, shape.block_dims, shape.block_rank,
                              storage, NULL, &buffer);
  }
  if (!status) {
    status = mr_pjrt_buffer_wrap_checked(memory, buffer, shape.form, &args->buffer);
  }
  mr_pjrt_shape_deinit(&shape);
  return status;
}

PJRT_Error *mr_pjrt_Client_CreateUninitializedBuffer(PJRT_Client_CreateUninitializedBuffer_Args *args) {
  MR_PJRT_NEED(args, buffer);
  MR_PJRT_NONNULL(args, client);
  args->buffer = NULL;
  MR_PJRT_TRY(create_uninitialized(args));
  return NULL;
}

static mr_status failed_buffer(PJRT_Memory *memory, const mr_pjrt_shape *shape, mr_status take_error,
                               PJRT_Buffer **out_buffer) {
  forward *self;
  mr_status status = forward_create(mr_pjrt_unwrap_memory(memory), shape, &self);
  if (status) {
    mr_status_free(take_error);
    return status;
  }
  mr_buffer *buffer = mr_buffer_retain(self->target);
  forward_abandon(self, take_error);
  return mr_pjrt_buffer_wrap_checked(memory, buffer, shape->form, out_buffer);
}

static mr_status create_error_buffer(PJRT_Client_CreateErrorBuffer_Args *args) {
  mr_pjrt_shape shape;
  PJRT_Memory *memory;
  MR_TRY(mr_pjrt_choose_memory(args->client, args->memory, NULL, &memory));
  MR_TRY(
      mr_pjrt_shape_init(&shape, args->shape_element_type, args->shape_dims, args->shape_num_dims, args->shape_layout));
  mr_status error = mr_pjrt_status_of_code(args->error_code, args->error_message, args->error_message_size);
  if (MR_PJRT_HAS(args, num_payload)) {
    error = mr_pjrt_status_with_payloads(error, args->payload, args->num_payload);
  }
  mr_status status = error ? failed_buffer(memory, &shape, error, &args->buffer)
                           : mr_error(MR_INVALID_ARGUMENT, "an error buffer with code OK");
  mr_pjrt_shape_deinit(&shape);
  return status;
}

PJRT_Error *mr_pjrt_Client_CreateErrorBuffer(PJRT_Client_CreateErrorBuffer_Args *args) {
  MR_PJRT_NEED(args, buffer);
  MR_PJRT_NONNULL(args, client);
  if (MR_PJRT_HAS(args, num_payload)) {
    MR_PJRT_NONNULL_IF(args, num_payload, payload);
  }
  args->buffer = NULL;
  MR_PJRT_TRY(create_error_buffer(args));
  return NULL;
}

// ---- Aliases ------------------------------------------------------------------------------------------------------------------
// The fulfil handle of the ABI is the forward of the alias.

static mr_status create_alias(PJRT_Client_CreateAliasBuffer_Args *args, const mr_pjrt_shape *shape) {
  PJRT_Memory *memory;
  forward *self;
  MR_TRY(mr_pjrt_choose_memory(args->client, args->memory, NULL, &memory));
  MR_TRY(forward_create(mr_pjrt_unwrap_memory(memory), shape, &self));
  mr_status status =
      mr_pjrt_buffer_wrap_checked(memory, mr_buffer_retain(self->target), shape->form, &args->alias_buffer);
  if (status) {
    forward_abandon(self, mr_status_retain(status));
    return status;
  }
  self->form = mr_pjrt_form_retain(shape->form);
  args->fulfill_alias_buffer_cb = (PJRT_FulfillAliasBufferCallback *)self;
  return MR_OK;
}

PJRT_Error *mr_pjrt_Client_CreateAliasBuffer(PJRT_Client_CreateAliasBuffer_Args *args) {
  MR_PJRT_NEED(args, fulfill_alias_buffer_cb);
  MR_PJRT_NONNULL(args, client);
  args->alias_buffer = NULL;
  args->fulfill_alias_buffer_cb = NULL;
  mr_pjrt_shape shape;
  MR_PJRT_TRY(
      mr_pjrt_shape_init(&shape, args->shape_element_type, args->shape_dims, args->shape_num_dims, args->shape_layout));
  mr_status status = create_alias(args, &shape);
  mr_pjrt_shape_deinit(&shape);
  MR_PJRT_TRY(status);
  return NULL;
}

static mr_status fulfill(forward *self, PJRT_Buffer *buffer, mr_status take_error) {
  mr_hold *source = NULL;
  mr_status status = take_error;
  if (!status && buffer == NULL) {
    status = mr_error(MR_INVALID_ARGUMENT, "an alias is fulfilled with neither a buffer nor an error");
  }
  if (!status && mr_buffer_bytes(buffer->buffer) != mr_buffer_bytes(self->target)) {
    status = mr_error(MR_INVALID_ARGUMENT, "an alias of %zu bytes is fulfilled with %zu bytes",
                      mr_buffer_bytes(self->target), mr_buffer_bytes(buffer->buffer));
  }
  if (!status && mr_buffer_memory(buffer->buffer) != mr_buffer_memory(self->target)) {
    status = mr_error(MR_INVALID_ARGUMENT, "an alias is fulfilled with a buffer of %s, which is not its own memory",
                      buffer->memory->debug_string);
  }
  mr_dtype wanted = mr_buffer_dtype(self->target);
  if (!status && mr_dtype_is_narrow(wanted) && mr_buffer_dtype(buffer->buffer) != wanted) {
    status = mr_error(MR_INVALID_ARGUMENT, "an alias of %s is fulfilled with %s", mr_dtype_name(wanted),
                      mr_dtype_name(mr_buffer_dtype(buffer->buffer)));
  }
  if (!status && !mr_pjrt_form_equal(self->form, buffer->form)) {
    status = mr_error(MR_INVALID_ARGUMENT, "an alias is fulfilled with a buffer of another layout");
  }
  if (!status) {
    status = mr_buffer_hold(buffer->buffer, false, &source);
  }
  if (status) {
    forward_abandon(self, mr_status_retain(status));
    return status;
  }
  forward_start(self, source);
  return MR_OK;
}

PJRT_Error *mr_pjrt_Client_FulfillAliasBuffer(PJRT_Client_FulfillAliasBuffer_Args *args) {
  MR_PJRT_NEED(args, fulfill_alias_buffer_cb);
  MR_PJRT_NONNULL(args, client);
  MR_PJRT_NONNULL(args, fulfill_alias_buffer_cb);
  mr_status error = mr_pjrt_status_of_code(args->status_code, args->error_message, args->error_message_size);
  bool failed_on_purpose = error != MR_OK;
  mr_status status = fulfill((forward *)args->fulfill_alias_buffer_cb, args->buffer, error);
  if (failed_on_purpose) {
    mr_status_free(status);
    return NULL;
  }
  return mr_pjrt_error(status);
}

// ---- Bitcasts -------------------------------------------------------------------------------------------------------------------

static mr_status bitcast(PJRT_Buffer_Bitcast_Args *args, const mr_pjrt_shape *shape) {
  mr_buffer *buffer = args->buffer->buffer;
  if (shape->bytes != mr_buffer_bytes(buffer)) {
    return mr_error(MR_INVALID_ARGUMENT, "bitcast of %zu bytes to %zu bytes", mr_buffer_bytes(buffer), shape->bytes);
  }
  forward *self;
  MR_TRY(forward_create(mr_buffer_memory(buffer), shape, &self));
  mr_buffer *target = mr_buffer_retain(self->target);
  mr_hold *source;
  mr_status status = mr_buffer_hold(buffer, false, &source);
  if (status) {
    forward_abandon(self, mr_status_retain(status));
    mr_buffer_release(target);
    return status;
  }
  forward_start(self, source);
  return mr_pjrt_buffer_wrap_checked(&args->buffer->memory->base, target, shape->form, &args->out_buffer);
}

PJRT_Error *mr_pjrt_Buffer_Bitcast(PJRT_Buffer_Bitcast_Args *args) {
  MR_PJRT_NEED(args, out_buffer);
  MR_PJRT_NONNULL(args, buffer);
  args->out_buffer = NULL;
  mr_pjrt_shape shape;
  bool same = mr_buffer_dtype(args->buffer->buffer) == (mr_dtype)args->element_type;
  MR_PJRT_TRY((same ? mr_pjrt_shape_init : mr_pjrt_shape_init_bytes)(&shape, args->element_type, args->dims,
                                                                     args->num_dims, args->device_layout));
  mr_status status = bitcast(args, &shape);
  mr_pjrt_shape_deinit(&shape);
  MR_PJRT_TRY(status);
  return NULL;
}

// ---- Donation that waits for the host ---------------------------------------------------------------------------------------------

static void dependency_ready(PJRT_Buffer_DonateWithControlDependency_Callback_Args *args) {
  forward *self = args->callback_data;
  mr_status status =
      MR_PJRT_HAS(args, error_message_size)
          ? mr_pjrt_status_of_code(args->error_code, args->error_message, args->error_message_size)
          : mr_error(MR_INVALID_ARGUMENT, "a donation that waits: struct_size is %zu, wanted at least %zu",
                     args->struct_size, sizeof *args);
  if (status) {
    forward_abandon(self, status);
  } else {
    mr_hold *source = self->source;
    forward_start(self, source);
  }
}

static mr_status donate(PJRT_Buffer_DonateWithControlDependency_Args *args) {
  mr_buffer *buffer = args->buffer->buffer;
  if (atomic_load_explicit(&args->buffer->external, memory_order_relaxed)) {  // relaxed: a count of the host's own
    return mr_error(MR_INVALID_ARGUMENT, "a buffer that has external references cannot be given away");
  }
  mr_pjrt_shape shape = {.block_dtype = mr_buffer_dtype(buffer), .block_rank = mr_buffer_rank(buffer)};
  for (size_t i = 0; i < shape.block_rank; i++) {
    shape.block_dims[i] = mr_buffer_dims(buffer)[i];
  }
  forward *self;
  MR_TRY(forward_create(mr_buffer_memory(buffer), &shape, &self));
  mr_status status = mr_pjrt_buffer_wrap_checked(&args->buffer->memory->base, mr_buffer_retain(self->target),
                                                 args->buffer->form, &args->out_buffer);
  if (!status) {
    status = mr_buffer_hold(buffer, true, &self->source);
    if (status) {
      mr_buffer_release(args->out_buffer->buffer);
      mr_pjrt_form_release(args->out_buffer->form);
      mr_pjrt_buffer_free(args->out_buffer);
      args->out_buffer = NULL;
    }
  }
  if (status) {
    forward_abandon(self, mr_status_retain(status));
    return status;
  }
  args->callback_data = self;
  args->dependency_ready_callback = dependency_ready;
  return MR_OK;
}

PJRT_Error *mr_pjrt_Buffer_DonateWithControlDependency(PJRT_Buffer_DonateWithControlDependency_Args *args) {
  MR_PJRT_NEED(args, out_buffer);
  MR_PJRT_NONNULL(args, buffer);
  args->out_buffer = NULL;
  args->callback_data = NULL;
  args->dependency_ready_callback = NULL;
  MR_PJRT_TRY(donate(args));
  return NULL;
}
