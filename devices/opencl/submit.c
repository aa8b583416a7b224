// Work comes in. What it waits for is of two kinds: commands of this device, behind which it can be queued as soon as they are queued
// themselves, and everything else, which must be over: nothing is put into a queue before that, so that no queue ever waits for
// anything but its own device.
#include <string.h>

#include "core/processor/processor.h"
#include "devices/host/work.h"
#include "devices/opencl/ocl.h"
#include "devices/tuning.h"

// What keeps a command from its queue, on a node.
typedef struct delayed {
  mr_ocl_command
      *command;  // retained, and the platform: who waits for the command may let go of it before we have come back
  mr_platform *platform;
} delayed;

// ---- Placing --------------------------------------------------------------------------------------------------------

// The command is in its queue, or over: a status for the caller alone.
static mr_status place(mr_ocl_command *c) {
  MR_TRY(mr_ocl_check(c->device));
  mr_ocl_collect(c->device);
  MR_TRY(c->is_call ? mr_ocl_call_begin(c) : mr_ocl_enqueue(c));
  mr_status status = mr_ocl_command_list(c);
  if (status) {
    return status;
  }
  // relaxed: set with the lock. Who set it before the command was listed is seen here, who does later arms it.
  bool followed = c->work.followed && !c->is_call && !atomic_load_explicit(&c->concluded, memory_order_relaxed);
  if (!c->is_call) {
    mr_future_set(&c->placed, MR_OK);
  }
  if (!followed) {
    mr_ocl_command_arm(c);
  }
  return MR_OK;
}

// Fails when nothing of what comes before it is in a queue any more.
static void fail_in_turn(mr_ocl_command *c) {
  while (c->num_before) {
    mr_ocl_command *before = c->before[c->num_before - 1];
    if (!mr_future_is_set(&before->done)) {
      mr_ocl_command_arm(before);  // nobody else asks for its end
      mr_future_then(&before->done, &c->in_turn);
      return;
    }
    c->num_before--;
    mr_future_release(&before->done);
  }
  mr_platform *platform = c->device->base.platform;
  mr_status status = c->verdict;
  c->verdict = MR_OK;
  mr_ocl_command_fail(c, status);
  mr_future_release(&c->done);
  mr_platform_leave(platform);
}

static void one_is_over(mr_waiter *waiter, mr_status status) {
  (void)status;
  fail_in_turn(MR_CONTAINER_OF(waiter, mr_ocl_command, in_turn));
}

// It never was in a queue. Who hears of that lets go of what it shares with the work that comes before it.
static void fail_placing(mr_ocl_command *c, mr_status take_status) {
  mr_future_retain(&c->done);
  mr_platform_enter(c->device->base.platform);
  c->verdict = take_status;
  c->in_turn.run = one_is_over;
  fail_in_turn(c);
}

static void delayed_run(mr_node *node) {
  mr_ocl_command *c = ((delayed *)mr_node_payload(node))->command;
  mr_status status = place(c);
  if (status) {
    fail_placing(c, status);
  }
  mr_node_finish(node, MR_OK);
}

static void delayed_fail(mr_node *node, mr_status status) {
  fail_placing(((delayed *)mr_node_payload(node))->command, mr_status_retain(status));
}

static void delayed_drop(mr_node *node) {
  const delayed *d = mr_node_payload(node);
  mr_future_release(&d->command->done);
  mr_platform_leave(d->platform);
}

static mr_trace_label delayed_tag(const mr_node *node) {
  const mr_device_work *work = &((const delayed *)(node + 1))->command->work;
  return (mr_trace_label){work->op, work->name, work->run};
}

static const mr_node_type delayed_type = {.name = "enqueue",
                                          .kind = MR_NODE_CUSTOM,
                                          .run = delayed_run,
                                          .fail = delayed_fail,
                                          .drop = delayed_drop,
                                          .tag = delayed_tag};

// ---- What it waits for ----------------------------------------------------------------------------------------------

// A command of this device that may still be in a queue.
static mr_ocl_command *own_command(mr_ocl_device *device, mr_future *future) {
  mr_ocl_command *c = mr_ocl_command_of(future);
  return c && c->device == device ? c : NULL;
}

// The first failure among what has ended; counts what has not.
static mr_status look_at_inputs(mr_future *const *after, size_t num_after, size_t *out_pending) {
  *out_pending = 0;
  for (size_t i = 0; i < num_after; i++) {
    if (!mr_future_is_set(after[i])) {
      ++*out_pending;
    } else if (mr_future_status(after[i])) {
      return mr_status_retain(mr_future_status(after[i]));
    }
  }
  return MR_OK;
}

void mr_ocl_conclude(mr_device *device, mr_future *const *futures, size_t num_futures) {
  (void)device;
  for (size_t i = 0; i < num_futures; i++) {
    mr_ocl_command *c = mr_ocl_command_of(futures[i]);
    if (c) {
      mr_ocl_command_arm(c);
    }
  }
}

static mr_status delay(mr_ocl_command *c, mr_future *const *after, size_t num_after) {
  mr_node *node;
  MR_TRY(mr_node_create(&delayed_type, sizeof(delayed), c->device->base.executor, &node));
  mr_future_retain(&c->done);
  *(delayed *)mr_node_payload(node) = (delayed){c, mr_platform_enter(c->device->base.platform)};
  node->device = (int16_t)c->device->base.id;
  for (size_t i = 0; i < num_after; i++) {
    mr_ocl_command *before = own_command(c->device, after[i]);
    mr_status_free(
        mr_node_after(node, before ? &before->placed : after[i]));  // on failure the node is poisoned with it
  }
  mr_node_submit(node);
  return MR_OK;
}

// What comes from the host's memory, or goes there, is no business of the kernels' queue, whichever device of ours has that memory.
static mr_ocl_queue queue_for(const mr_ocl_device *device, const mr_device_work *work) {
  bool is_copy = work->kind == MR_WORK_COPY;
  if (work->kind == MR_WORK_COPY_IN || (is_copy && !mr_ocl_block_of(device, work->from.storage))) {
    return MR_OCL_IN;
  }
  return work->kind == MR_WORK_COPY_OUT || (is_copy && !mr_ocl_block_of(device, work->to.storage)) ? MR_OCL_OUT
                                                                                                   : MR_OCL_COMPUTE;
}

// Keeps the commands that it comes after; true: all that it waits for is in queues.
static bool keep_before(mr_ocl_command *c, mr_future *const *after, size_t num_after) {
  bool all_placed = true;
  for (size_t i = 0; i < num_after; i++) {
    if (mr_future_is_set(after[i])) {
      continue;
    }
    mr_ocl_command *before = own_command(c->device, after[i]);
    if (before) {
      mr_future_retain(&before->done);
      c->before[c->num_before++] = before;
    }
    all_placed = all_placed && before && mr_future_is_set(&before->placed);
  }
  return all_placed;
}

static mr_status submit_command(mr_ocl_device *device, const mr_device_work *work, mr_future *const *after,
                                size_t num_after, size_t pending, mr_future **out_done) {
  mr_ocl_command *c;
  // A call looks at its regions again when it runs.
  MR_TRY(mr_ocl_command_create(device, work, pending, pending || work->kind == MR_WORK_CALL, &c));
  c->float_mode = mr_float_mode();
  c->queue = queue_for(device, work);
  mr_status status = keep_before(c, after, num_after) ? place(c) : delay(c, after, num_after);
  if (status) {
    mr_ocl_command_fail(c, MR_OK);  // nobody knows it
    mr_future_release(&c->done);
    return status;
  }
  *out_done = &c->done;
  return MR_OK;
}

// ---- On the host ----------------------------------------------------------------------------------------------------

static bool on_host(const mr_ocl_device *device, const mr_region *region) {
  const mr_ocl_block *block = mr_ocl_block_of(device, region->storage);
  return !block || (block->data && device->info->shares_memory);
}

// A copy or a fill within memory of the host's.
static bool is_hosts(const mr_ocl_device *device, const mr_device_work *work) {
  switch (work->kind) {
  case MR_WORK_COPY_IN:
  case MR_WORK_FILL: return on_host(device, &work->to);
  case MR_WORK_COPY_OUT: return on_host(device, &work->from);
  case MR_WORK_COPY: return on_host(device, &work->to) && on_host(device, &work->from);
  default: return false;
  }
}

static bool touches_own(const mr_ocl_device *device, const mr_device_work *work) {
  return mr_ocl_block_of(device, work->to.storage) || mr_ocl_block_of(device, work->from.storage);
}

static mr_status run_on_host(mr_device *device, const mr_device_work *work) {
  return mr_host_work_run(mr_host_address, device, work);
}

mr_status mr_ocl_submit(mr_device *base, const mr_device_work *work, mr_future *const *after, size_t num_after,
                        mr_future **out_done) {
  mr_ocl_device *device = mr_ocl_cast(base);
  size_t pending;
  *out_done = NULL;
  MR_TRY(mr_ocl_check(device));
  MR_TRY(look_at_inputs(after, num_after, &pending));
  // Short copies of shared memory are over before a queue has begun with them.
  if (is_hosts(device, work) && (!touches_own(device, work) || (!pending && work->bytes <= MR_COPY_INLINE))) {
    mr_ocl_conclude(base, after, num_after);  // who waits for them then is no command
    return mr_host_submit(run_on_host, base, work, after, num_after, out_done);
  }
  if (!pending && !work->bytes && work->kind < MR_WORK_LAUNCH) {
    return MR_OK;
  }
  return submit_command(device, work, after, num_after, pending, out_done);
}
