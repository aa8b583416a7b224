// A copy is a node that makes one step after the other, each a piece of work of some device, and holds no thread between them.
#include "devices/carry.h"

#include "devices/tuning.h"

typedef struct journey {
  mr_waiter waiter;
  mr_future *pending;  // what the waiter waits for
  mr_carry carry;
  mr_group *group;
  mr_platform *platform;
  bool staged;               // the first of two steps has begun
  bool last;                 // the step that has begun is the last
  mr_host_layout strided[];  // what carry.strided points to
} journey;

static mr_node *node_of(journey *j) { return (mr_node *)(void *)j - 1; }

static void let_go(mr_carry *carry) {
  mr_hold_release(carry->source);
  mr_hold_release(carry->into);
  mr_storage_release(carry->target);
  mr_storage_release(carry->staging);
  carry->source = NULL;
  carry->into = NULL;
  carry->target = NULL;
  carry->staging = NULL;
}

static void journey_drop(mr_node *node) {
  journey *j = mr_node_payload(node);
  let_go(&j->carry);
  mr_platform_leave(j->platform);
  j->platform = NULL;
}

// What was held goes before the node finishes: who waits for it finds itself alone with the buffer, whose future keeps the
// node's memory.
static void arrive(mr_node *node) {
  journey *j = mr_node_payload(node);
  if (j->carry.done) {
    mr_progress_call_host(j->carry.done, j->carry.arg);
  }
  journey_drop(node);
}

// ---- Steps ----------------------------------------------------------------------------------------------------------

static mr_status out_to(mr_carry *carry, void *to, mr_future **out_done) {
  return mr_storage_read(carry->from.storage, carry->from.offset, carry->bytes, to, NULL, 0, out_done);
}

static mr_status in_from(mr_carry *carry, const void *from, mr_future **out_done) {
  return mr_storage_write(carry->to.storage, carry->to.offset, carry->bytes, from, NULL, 0, out_done);
}

// The device that can copy between the two blocks; NULL: none can.
static mr_device *who_reaches_both(const mr_region *to, const mr_region *from) {
  mr_device *target = to->storage->memory->device, *source = from->storage->memory->device;
  if (mr_device_reaches(target, from->storage->memory)) {
    return target;
  }
  return mr_device_reaches(source, to->storage->memory) ? source : NULL;
}

static mr_status copy_between(mr_device *device, mr_region to, mr_region from, size_t size, mr_future *const *after,
                              size_t num_after, mr_future **out_done) {
  const mr_device_work work = {.kind = MR_WORK_COPY,
                               .name = "copy",
                               .cost_ns = size / MR_COPY_BYTES_PER_NS,
                               .bytes = size,
                               .to = to,
                               .from = from};
  return mr_device_submit(device, &work, after, num_after, out_done);
}

// The blocks of buffers, which are known once these are ready.
static mr_status find_blocks(mr_carry *carry) {
  if (carry->source) {
    carry->from.storage = mr_hold_storage(carry->source);
  }
  if (carry->into) {
    if (mr_hold_storage(carry->into)) {
      MR_TRY(mr_hold_part(carry->into));
    }
    carry->to.storage = mr_hold_storage(carry->into);
  }
  bool known = (!carry->source || carry->from.storage) && (!carry->into || carry->to.storage);
  return known ? MR_OK : mr_error(MR_INTERNAL, "a buffer that is ready has no storage");
}

static mr_status begin_step(journey *j, mr_future **out_done) {
  mr_carry *carry = &j->carry;
  j->last = true;
  *out_done = NULL;
  MR_TRY(find_blocks(carry));
  if (carry->host_from) {
    return in_from(carry, carry->host_from, out_done);
  }
  if (carry->host_to) {
    return out_to(carry, carry->staging ? carry->staging->data : carry->host_to, out_done);
  }
  if (j->staged) {
    return in_from(carry, carry->staging->data, out_done);
  }
  mr_device *device = who_reaches_both(&carry->to, &carry->from);
  if (device) {
    return copy_between(device, carry->to, carry->from, carry->bytes, NULL, 0, out_done);
  }
  j->last = false;
  j->staged = true;
  MR_TRY(mr_storage_allocate(&carry->to.storage->memory->device->memories[MR_MEMORY_PINNED_HOST], carry->bytes,
                             &carry->staging));
  return out_to(carry, carry->staging->data, out_done);
}

static void finish(journey *j, mr_status take_status) {
  const mr_host_layout *layout = j->carry.strided;
  if (!take_status && layout) {
    mr_copy_strided_over(j->group, j->carry.host_to, layout->strides, j->carry.staging->data, layout->dense,
                         layout->dims, layout->rank, mr_dtype_bytes(layout->dtype));
  }
  if (j->carry.into && j->carry.to.storage) {
    mr_storage_touch(j->carry.to.storage);  // what was packed from the old content is outdated
  }
  mr_node *node = node_of(j);
  arrive(node);
  mr_node_finish(node, take_status);
  mr_progress_end(MR_PROGRESS_OWN);  // what comes after it is at work by now
}

static void step_is_over(mr_waiter *waiter, mr_status status);

static void go_on(journey *j) {
  for (;;) {
    mr_status status = begin_step(j, &j->pending);
    if (!status && j->pending) {
      mr_future *pending = j->pending;
      j->waiter.run = step_is_over;
      if (mr_future_then_unless_set(pending, &j->waiter)) {
        return;
      }
      status = mr_status_retain(mr_future_status(pending));
      mr_future_release(pending);
    }
    if (status || j->last) {
      finish(j, status);
      return;
    }
  }
}

static void step_is_over(mr_waiter *waiter, mr_status status) {
  journey *j = MR_CONTAINER_OF(waiter, journey, waiter);
  mr_future *pending = j->pending;
  if (status || j->last) {
    finish(j, mr_status_retain(status));
  } else {
    go_on(j);
  }
  mr_future_release(pending);
}

// ---- As a node ------------------------------------------------------------------------------------------------------

static void journey_run(mr_node *node) { go_on(mr_node_payload(node)); }

static void journey_ready(mr_node *node) {
  (void)node;
  mr_progress_begin(MR_PROGRESS_OWN);
}

static void journey_fail(mr_node *node, mr_status status) {
  (void)status;
  arrive(node);
  mr_progress_end(MR_PROGRESS_OWN);
}

#define JOURNEY(text, node_kind) \
  {.name = (text),               \
   .kind = (node_kind),          \
   .run = journey_run,           \
   .fail = journey_fail,         \
   .drop = journey_drop,         \
   .ready = journey_ready}
static const mr_node_type in_type = JOURNEY("host to device", MR_NODE_HOST_TO_DEVICE),
                          out_type = JOURNEY("device to host", MR_NODE_DEVICE_TO_HOST),
                          between_type = JOURNEY("copy", MR_NODE_COPY);

static const mr_node_type *type_of(const mr_carry *carry) {
  return carry->host_from ? &in_type : carry->host_to ? &out_type : &between_type;
}

mr_status mr_carry_create(mr_carry *carry, mr_device *device, mr_node **out_node) {
  size_t size = sizeof(journey) + (carry->strided ? sizeof *carry->strided : 0);
  mr_status status = mr_node_create(type_of(carry), size, device->executor, out_node);
  if (status) {
    let_go(carry);
    return status;
  }
  mr_node *node = *out_node;
  journey *j = mr_node_payload(node);
  *j = (journey){.carry = *carry, .group = device->group, .platform = mr_platform_enter(device->platform)};
  if (carry->strided) {
    j->strided[0] = *carry->strided;
    j->carry.strided = j->strided;
  }
  node->device = (int16_t)device->id;
  node->cost_ns = 1;  // each step is somebody else's work
  return MR_OK;
}

mr_status mr_carry_begin(mr_carry *carry, mr_device *device, mr_future *const *after, size_t num_after,
                         mr_future **out_done) {
  mr_node *node;
  mr_status status = mr_carry_create(carry, device, &node);
  if (status) {
    *out_done = NULL;
    return status;
  }
  mr_future *done = mr_node_keep_done(node);
  mr_hold *content = carry->source ? carry->source : carry->into;
  mr_future *ready = content ? mr_hold_ready(content) : NULL;
  if (ready) {
    mr_status_free(mr_node_after(node, ready));  // on failure the node is poisoned with it
  }
  for (size_t i = 0; i < num_after; i++) {
    mr_status_free(mr_node_after(node, after[i]));
  }
  *out_done = done;  // which `after` may be
  mr_node_submit(node);
  return MR_OK;
}

// ---- Bytes of a block -----------------------------------------------------------------------------------------------

mr_status mr_storage_read(mr_storage *storage, size_t offset, size_t size, void *to, mr_future *const *after,
                          size_t num_after, mr_future **out_done) {
  const mr_device_work work = {.kind = MR_WORK_COPY_OUT,
                               .name = "copy out",
                               .cost_ns = size / MR_COPY_BYTES_PER_NS,
                               .bytes = size,
                               .from = {storage, offset},
                               .host_to = to};
  return mr_device_submit(storage->memory->device, &work, after, num_after, out_done);
}

mr_status mr_storage_write(mr_storage *storage, size_t offset, size_t size, const void *from, mr_future *const *after,
                           size_t num_after, mr_future **out_done) {
  const mr_device_work work = {.kind = MR_WORK_COPY_IN,
                               .name = "copy in",
                               .cost_ns = size / MR_COPY_BYTES_PER_NS,
                               .bytes = size,
                               .to = {storage, offset},
                               .host_from = from};
  return mr_device_submit(storage->memory->device, &work, after, num_after, out_done);
}

mr_status mr_storage_copy(mr_region to, mr_region from, size_t size, mr_future *const *after, size_t num_after,
                          mr_future **out_done) {
  mr_device *device = who_reaches_both(&to, &from);
  if (device) {
    return copy_between(device, to, from, size, after, num_after, out_done);
  }
  mr_carry carry = {.target = mr_storage_retain(to.storage), .to = to, .from = from, .bytes = size};
  return mr_carry_begin(&carry, to.storage->memory->device, after, num_after, out_done);
}
