// Extension CrossHostTransfers: buffers between processes, by keys that both sides know (through the host's key-value store)
// or by descriptors that the host carries.
#include <stdio.h>
#include <string.h>

#include "pjrt/cross_host/cross_host.h"
#include "pjrt/ext/extensions.h"
#include "pjrt/objects/ext_client.h"
#include "pjrt/objects/objects.h"

enum { KEY_SIZE = 96 };

// Hosts count transfers between two devices, so both are part of the key.
static void print_key(int64_t transfer, int64_t from, int64_t to, char *out) {
  snprintf(out, KEY_SIZE, "millrace/transfer/%lld/%lld/%lld", (long long)from, (long long)to, (long long)transfer);
}

// The device at the other end of a transfer: another process's, on this machine. A client that is alone knows none, so one
// that gets past this has a key-value store.
static mr_status check_peer(PJRT_Client *client, int64_t id) {
  const PJRT_Device *peer = mr_pjrt_device_of_id(client, id);
  if (peer == NULL || peer->device) {
    return mr_error(MR_INVALID_ARGUMENT, "a transfer between processes with device %lld, which is %s", (long long)id,
                    peer ? "this process's own" : "none of the client's");
  }
  if (peer->description->machine != client->local_list[0]->description->machine) {
    return mr_error(MR_UNIMPLEMENTED, "a transfer with device %lld, which is on another machine", (long long)id);
  }
  return MR_OK;
}

// The buffer in row-major order, retained: so it goes between processes, whatever order either end has it in.
static mr_status row_major_of(const PJRT_Buffer *buffer, mr_buffer **out_buffer) {
  if (buffer->form) {
    return mr_pjrt_form_to_row_major(buffer->form, buffer->buffer, out_buffer);
  }
  *out_buffer = mr_buffer_retain(buffer->buffer);
  return MR_OK;
}

static mr_status start_send(PJRT_Buffer *buffer, mr_pjrt_send_target take_target,
                            void (*done)(void *context, mr_status status, bool sent), void *context) {
  PJRT_Client *client = buffer->memory->device->client;
  mr_buffer *row_major;
  mr_status status = mr_pjrt_client_check(client);
  status = status ? status : row_major_of(buffer, &row_major);
  if (status) {
    mr_pjrt_send_target_release(&take_target);
    return status;
  }
  status = mr_pjrt_transfers_send(client->ext->transfers, row_major, take_target, done, context);
  mr_buffer_release(row_major);
  return status;
}

typedef struct received {
  PJRT_Buffer *buffer;
  char descriptor[MR_PJRT_DESCRIPTOR_SIZE];
} received;

// What arrives in row-major order, where the host addresses it, is put into the form that it is to have, and brought to the
// memory that it is to be in, by nodes of their own.
static mr_status settle(mr_buffer *take_arriving, const mr_pjrt_form *form, mr_memory *memory, mr_buffer **out_buffer) {
  mr_buffer *buffer = take_arriving;
  mr_status status = MR_OK;
  if (form) {
    status = mr_pjrt_form_prepare(form, mr_buffer_memory(take_arriving), &buffer);
    if (!status) {
      mr_pjrt_move_begin(buffer, take_arriving);
    }
    mr_buffer_release(take_arriving);
  }
  if (status || mr_buffer_memory(buffer) == memory) {
    *out_buffer = status ? NULL : buffer;
    return status;
  }
  status = mr_buffer_copy_to(buffer, memory, out_buffer);
  mr_buffer_release(buffer);
  return status;
}

static mr_status receive_one(PJRT_Client *client, PJRT_Device *device, const mr_pjrt_shape *shape, int process,
                             received *out) {
  PJRT_Memory *handle = device->memory_list[0];
  mr_memory *memory = mr_pjrt_unwrap_memory(handle);
  const mr_pjrt_receive_shape row_major = {shape->dtype, shape->dims, shape->rank};
  mr_buffer *arriving, *buffer;
  MR_TRY(mr_pjrt_client_check(client));
  MR_TRY(mr_pjrt_transfers_receive(client->ext->transfers, mr_memory_on_host(memory), &row_major, process,
                                   out->descriptor, &arriving));
  mr_status status = settle(arriving, shape->form, memory, &buffer);
  if (status) {
    mr_status_free(mr_pjrt_transfers_cancel(mr_str_of(out->descriptor), mr_status_retain(status)));
    return status;
  }
  return mr_pjrt_buffer_wrap_checked(handle, buffer, shape->form, &out->buffer);
}

// What two argument structs have in common.
typedef struct receive_list {
  PJRT_Client *client;
  PJRT_Device *device;
  size_t count;
  const size_t *ranks;
  const int64_t *const *dims;
  const PJRT_Buffer_Type *types;
  PJRT_Buffer_MemoryLayout *const *layouts;  // may be NULL
  const int32_t *sources;                    // global ids of devices; NULL: not known
} receive_list;

#define RECEIVE_LIST(args, from)                                                           \
  {                                                                                        \
      (args)->client,   (args)->device,        (args)->num_shapes, (args)->shape_num_dims, \
      (args)->num_dims, (args)->element_types, (args)->layouts,    from,                   \
  }

// Refuses what has no lists.
#define CHECK_RECEIVE_LIST(args)                          \
  do {                                                    \
    MR_PJRT_NONNULL(args, client);                        \
    MR_PJRT_NONNULL(args, device);                        \
    MR_PJRT_NONNULL_IF(args, num_shapes, shape_num_dims); \
    MR_PJRT_NONNULL_IF(args, num_shapes, num_dims);       \
    MR_PJRT_NONNULL_IF(args, num_shapes, element_types);  \
    MR_PJRT_NONNULL_IF(args, num_shapes, buffers);        \
  } while (0)

static void take_back(received *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (list[i].buffer) {
      mr_status_free(mr_pjrt_transfers_cancel(mr_str_of(list[i].descriptor),
                                              mr_error(MR_CANCELLED, "another receive of the same call failed")));
      PJRT_Buffer_Destroy_Args args = {.struct_size = sizeof args, .buffer = list[i].buffer};
      mr_status_free(mr_pjrt_status_of_foreign(mr_pjrt_Buffer_Destroy(&args)));
    }
  }
}

static int process_of(const receive_list *list, size_t i) {
  return list->sources ? list->client->device_list[list->sources[i]]->description->process_index : MR_PJRT_ANY_PROCESS;
}

// All or none.
static mr_status receive_all(const receive_list *list, received **out_received) {
  *out_received = NULL;
  if (list->device->client != list->client) {
    return mr_error(MR_INVALID_ARGUMENT, "the receiving device is another client's");
  }
  MR_TRY(mr_pjrt_check_addressable(list->device));
  received *all = mr_alloc_zeroed(MR_MAX(list->count, 1), sizeof *all);
  if (all == NULL) {
    return MR_NO_MEMORY();
  }
  mr_status status = MR_OK;
  for (size_t i = 0; !status && i < list->count; i++) {
    mr_pjrt_shape shape;
    status = mr_pjrt_shape_init(&shape, list->types[i], list->dims[i], list->ranks[i],
                                list->layouts ? list->layouts[i] : NULL);
    if (!status) {
      status = receive_one(list->client, list->device, &shape, process_of(list, i), &all[i]);
      mr_pjrt_shape_deinit(&shape);
    }
  }
  if (status) {
    take_back(all, list->count);
    mr_free(all);
    return status;
  }
  *out_received = all;
  return MR_OK;
}

// ---- By descriptor --------------------------------------------------------------------------------------------------

// The descriptor finds the receive by itself. JAX's host side destroys whatever the notifier gives it as user_arg, so that
// stays NULL.
static void cancel_receive(const char *descriptor, size_t size, PJRT_Error_Code reason, const char *message,
                           size_t message_size, PJRT_Transfers_CrossHostOnCanceledCallback on_canceled,
                           void *on_canceled_arg, void *user_arg) {
  (void)user_arg;
  mr_status why = mr_pjrt_status_of_code(reason, message, message_size);
  why = why ? why : mr_error(MR_CANCELLED, "the receive was canceled");
  PJRT_Error *error = mr_pjrt_error(mr_pjrt_transfers_cancel((mr_str){descriptor, size}, why));
  if (on_canceled) {
    on_canceled(error, on_canceled_arg);
  }
  mr_status_free(mr_pjrt_status_of_foreign(error));
}

static mr_status notify(const PJRT_Transfers_CrossHostRecvNotifierInfo *info, const received *all, size_t count) {
  const char **descriptors = mr_alloc(MR_MAX(count, 1) * sizeof *descriptors);
  size_t *sizes = mr_alloc(MR_MAX(count, 1) * sizeof *sizes);
  mr_status status = descriptors && sizes ? MR_OK : MR_NO_MEMORY();
  for (size_t i = 0; !status && i < count; i++) {
    descriptors[i] = all[i].descriptor;
    sizes[i] = strlen(all[i].descriptor);
  }
  if (!status && info->notifier) {
    info->notifier(NULL, descriptors, sizes, count, info->user_arg, cancel_receive, NULL);
  }
  mr_free(descriptors);
  mr_free(sizes);
  return status;
}

static mr_status make_receive_buffers(PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args *args) {
  const receive_list list = RECEIVE_LIST(args, NULL);
  received *all;
  MR_TRY(receive_all(&list, &all));
  for (size_t i = 0; i < list.count; i++) {
    args->buffers[i] = all[i].buffer;
  }
  mr_status status = notify(&args->notifier, all, list.count);
  if (status) {
    take_back(all, list.count);
  }
  args->num_buffers = status ? 0 : list.count;
  mr_free(all);
  return status;
}

static PJRT_Error *make_cross_host_receive_buffers(PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args *args) {
  MR_PJRT_NEED(args, num_buffers);
  CHECK_RECEIVE_LIST(args);
  MR_PJRT_TRY(make_receive_buffers(args));
  return NULL;
}

typedef struct remote_copy {
  PJRT_Transfers_CrossHostRemoteSendCallbackInfo on_done;
  // Of version 1 alone, whose host keeps the text no longer than its call.
  char *descriptor;
  size_t descriptor_size;
  char text[];
} remote_copy;

static void tell_done(PJRT_Transfers_CrossHostRemoteSendCallbackInfo info, mr_status take_status, bool sent) {
  PJRT_Error *error = mr_pjrt_error(take_status);
  if (info.on_done) {
    info.on_done(error, sent, info.user_arg);
  }
  mr_status_free(mr_pjrt_status_of_foreign(error));  // lent to the host
}

static void remote_copy_done(void *context, mr_status status, bool sent) {
  remote_copy *self = context;
  tell_done(self->on_done, mr_status_retain(status), sent);
  mr_free(self);
}

// What cannot be sent is not, and nobody is told: that is how the version has it.
static void copy_to_remote_device_v1(const PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args_V1 *args) {
  if (!MR_PJRT_HAS(args, serialized_descriptor_size) || !args->buffer || !args->serialized_descriptor) {
    return;
  }
  remote_copy *self = mr_alloc(sizeof *self + args->serialized_descriptor_size);
  if (self == NULL) {
    return;
  }
  *self = (remote_copy){.descriptor = self->text, .descriptor_size = args->serialized_descriptor_size};
  memcpy(self->text, args->serialized_descriptor, args->serialized_descriptor_size);
  const mr_pjrt_send_target target = {
      .process = MR_PJRT_ANY_PROCESS, .descriptor = &self->descriptor, .descriptor_size = &self->descriptor_size};
  mr_status status = start_send(args->buffer, target, remote_copy_done, self);
  if (status) {
    mr_status_free(status);
    mr_free(self);
  }
}

// Cannot return an error: everything is told to on_done.
static void copy_to_remote_device(PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args *args) {
  if (!MR_PJRT_HAS(args, on_done)) {
    copy_to_remote_device_v1((const void *)args);
    return;
  }
  remote_copy *self = mr_alloc(sizeof *self);
  mr_pjrt_send_target target = {.process = MR_PJRT_ANY_PROCESS,
                                .known = (mr_future *)args->event,
                                .descriptor = args->serialized_descriptor,
                                .descriptor_size = args->serialized_descriptor_size};
  if (args->event == mr_pjrt_event_ready()) {
    target.known = NULL;
  }
  mr_status status = MR_OK;
  if (self == NULL) {
    status = MR_NO_MEMORY();
    mr_future_release(target.known);
  } else {
    self->on_done = args->on_done;
    if (!args->buffer || !args->serialized_descriptor || !args->serialized_descriptor_size) {
      status = mr_error(MR_INVALID_ARGUMENT, "a copy to a remote device: %s is NULL",
                        args->buffer ? "the place of the descriptor" : "buffer");
      mr_pjrt_send_target_release(&target);
    } else {
      status = start_send(args->buffer, target, remote_copy_done, self);
    }
  }
  if (status) {
    mr_free(self);
    tell_done(args->on_done, status, false);
  }
}

// ---- By key ---------------------------------------------------------------------------------------------------------

static mr_status publish(const PJRT_Device *device, int64_t from, int64_t transfer, const char *descriptor) {
  char key[KEY_SIZE];
  print_key(transfer, from, device->description->id, key);
  return mr_pjrt_key_value_put(&device->client->ext->store, key, mr_str_of(descriptor));
}

static mr_status receive_buffers(PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args *args) {
  const receive_list list = RECEIVE_LIST(args, args->src_global_device_ids);
  received *all;
  for (size_t i = 0; i < list.count; i++) {
    MR_TRY(check_peer(args->client, args->src_global_device_ids[i]));
  }
  MR_TRY(receive_all(&list, &all));
  mr_status status = MR_OK;
  for (size_t i = 0; !status && i < list.count; i++) {
    status = publish(args->device, args->src_global_device_ids[i], args->transfer_keys[i], all[i].descriptor);
  }
  for (size_t i = 0; !status && i < list.count; i++) {
    args->buffers[i] = all[i].buffer;
  }
  if (status) {
    take_back(all, list.count);
  }
  mr_free(all);
  return status;
}

static PJRT_Error *cross_host_receive_buffers(PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args *args) {
  MR_PJRT_NEED(args, buffers);
  CHECK_RECEIVE_LIST(args);
  MR_PJRT_NONNULL_IF(args, num_shapes, src_global_device_ids);
  MR_PJRT_NONNULL_IF(args, num_shapes, transfer_keys);
  MR_PJRT_TRY(receive_buffers(args));
  return NULL;
}

static void send_done(void *context, mr_status status, bool sent) {
  (void)sent;
  mr_future *event = context;
  mr_future_set(event, mr_status_retain(status));
  mr_future_release(event);
}

static mr_status send_by_key(PJRT_Client *client, PJRT_Buffer *buffer, int64_t to, int64_t transfer,
                             PJRT_Event **out_event) {
  mr_pjrt_send_target target = {.process = client->device_list[to]->description->process_index,
                                .key = mr_alloc(KEY_SIZE),
                                .store = &client->ext->store};
  mr_future *event;
  if (target.key == NULL) {
    return MR_NO_MEMORY();
  }
  print_key(transfer, buffer->memory->device->description->id, to, target.key);
  mr_status status = mr_future_create(&event);
  if (status) {
    mr_free(target.key);
    return status;
  }
  status = start_send(buffer, target, send_done, mr_future_retain(event));
  if (status) {
    mr_future_release(event);
    mr_future_release(event);
    return status;
  }
  *out_event = mr_pjrt_event_take(event);
  return MR_OK;
}

// A buffer that cannot be sent has an event that says so, and the others go on.
static mr_status send_buffers(PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args *args) {
  for (size_t i = 0; i < args->num_buffers; i++) {
    if (args->buffers[i] == NULL || args->buffers[i]->memory->device->client != args->client) {
      return mr_error(MR_INVALID_ARGUMENT, "buffer %zu to send is %s", i,
                      args->buffers[i] ? "another client's" : "NULL");
    }
    MR_TRY(check_peer(args->client, args->dst_global_device_ids[i]));
  }
  for (size_t i = 0; i < args->num_buffers; i++) {
    mr_status status = send_by_key(args->client, args->buffers[i], args->dst_global_device_ids[i],
                                   args->transfer_keys[i], &args->send_events[i]);
    if (status) {
      MR_TRY(mr_pjrt_event_failed(status, &args->send_events[i]));
    }
  }
  return MR_OK;
}

static PJRT_Error *cross_host_send_buffers(PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args *args) {
  MR_PJRT_NEED(args, send_events);
  MR_PJRT_NONNULL(args, client);
  MR_PJRT_NONNULL_IF(args, num_buffers, buffers);
  MR_PJRT_NONNULL_IF(args, num_buffers, dst_global_device_ids);
  MR_PJRT_NONNULL_IF(args, num_buffers, transfer_keys);
  MR_PJRT_NONNULL_IF(args, num_buffers, send_events);
  MR_PJRT_TRY(send_buffers(args));
  return NULL;
}

PJRT_CrossHostTransfers_Extension mr_pjrt_ext_cross_host_transfers = {
    .base = {.struct_size = sizeof(PJRT_CrossHostTransfers_Extension),
             .type = PJRT_Extension_Type_CrossHostTransfers,
             .next = &mr_pjrt_ext_ending.base},
    .make_cross_host_receive_buffers = make_cross_host_receive_buffers,
    .copy_to_remote_device = copy_to_remote_device,
    .cross_host_receive_buffers = cross_host_receive_buffers,
    .cross_host_send_buffers = cross_host_send_buffers,
};
