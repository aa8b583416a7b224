// What is in queues, and how it ends.
//
//   made          known to who submits it and to what comes after it
//   listed        in its queue, and in the list of its device
//   taken over    out of the list: by the callback of its end, by the end of what comes after it, by somebody who has looked, or by the
//                 loss of the device; whoever takes it over ends it, and nobody else does
//   over          `done` is set; it may lie aside until somebody lets go of it
//
// A callback gets a ticket and no address: one that comes twice, or after the command has ended otherwise, finds that the ticket is
// not valid any more. All it does is to take the command over and to hand it to the device's workers.
//
// What the submitter follows with more work of its own (mr_device_work.followed) has no callback. It ends with what comes after it,
// or gets a callback when it is concluded, and after a while when nothing of this has happened.
#include <assert.h>
#include <string.h>

#include "devices/opencl/ocl.h"
#include "futures/pool.h"

enum {
  SLOTS_LOG2 = 20,
  CHUNK = 1 << 10,
  CHUNKS = (1 << SLOTS_LOG2) / CHUNK,
};

// ---- Tickets --------------------------------------------------------------------------------------------------------

// All with the lock. Slots are never freed: a callback may come at any time.
typedef struct slot {
  mr_ocl_command *command;  // NULL: free
  uint64_t generation;
  uint32_t next_free;
} slot;
static slot *chunks[CHUNKS];
static uint32_t num_slots, first_free;  // number plus one; 0: none

static slot *slot_at(uint32_t number) { return &chunks[number / CHUNK][number % CHUNK]; }

static bool more_slots(void) {
  if (num_slots == CHUNK * CHUNKS || !(chunks[num_slots / CHUNK] = mr_alloc_zeroed(CHUNK, sizeof(slot)))) {
    return false;
  }
  for (uint32_t i = 0; i < CHUNK; i++) {
    slot_at(num_slots + i)->next_free = i + 1 < CHUNK ? num_slots + i + 2 : 0;
  }
  first_free = num_slots + 1;
  num_slots += CHUNK;
  return true;
}

static bool take_ticket(mr_ocl_command *command) {
  if (!first_free && !more_slots()) {
    return false;
  }
  uint32_t number = first_free - 1;
  slot *s = slot_at(number);
  first_free = s->next_free;
  s->command = command;
  s->generation++;
  command->ticket = s->generation << SLOTS_LOG2 | number;
  return true;
}

static void drop_ticket(uint64_t ticket) {
  uint32_t number = (uint32_t)(ticket & ((1u << SLOTS_LOG2) - 1));
  slot *s = slot_at(number);
  s->command = NULL;
  s->next_free = first_free;
  first_free = number + 1;
}

static mr_ocl_command *command_of_ticket(uint64_t ticket) {
  uint32_t number = (uint32_t)(ticket & ((1u << SLOTS_LOG2) - 1));
  const slot *s = number < num_slots ? slot_at(number) : NULL;
  return s && s->generation == ticket >> SLOTS_LOG2 ? s->command : NULL;
}

// ---- Life -----------------------------------------------------------------------------------------------------------

static void destroy(mr_future *done) {
  mr_ocl_command *c = MR_CONTAINER_OF(done, mr_ocl_command, done);
  assert(!c->listed);
  cl_event events[] = {c->event, c->map_event};
  for (size_t i = 0; i < MR_ARRAY_SIZE(events) && !mr_ocl_is_over(); i++) {
    if (events[i]) {
      CL(ReleaseEvent)(events[i]);
    }
  }
  mr_status_free(c->verdict);
  mr_free(c->mapped);
  for (uint32_t i = 0; i < c->num_before; i++) {
    mr_future_release(&c->before[i]->done);
  }
  mr_future_deinit(&c->placed);
  mr_struct_free(c, c->bytes);
}

mr_status mr_ocl_command_create(mr_ocl_device *device, const mr_device_work *work, size_t num_before,
                                bool keeps_regions, mr_ocl_command **out_command) {
  size_t regions = keeps_regions ? work->num_regions * sizeof *work->regions : 0;
  size_t bytes = sizeof(mr_ocl_command) + regions + num_before * sizeof(mr_ocl_command *);
  *out_command = NULL;
  mr_ocl_command *c = bytes <= UINT32_MAX ? mr_struct_alloc(bytes) : NULL;
  if (!c) {
    return MR_NO_MEMORY();
  }
  memset(c, 0, sizeof *c);
  mr_future_init_counted(&c->done, destroy);
  mr_future_init(&c->placed);
  c->device = device;
  c->work = *work;
  c->bytes = (uint32_t)bytes;
  c->is_call = work->kind == MR_WORK_CALL;
  char *behind = (char *)(c + 1);
  if (regions) {
    memcpy(behind, work->regions, regions);
    c->work.regions = (const mr_region *)(const void *)behind;
  }
  c->before = (mr_ocl_command **)(void *)(behind + regions);
  *out_command = c;
  return MR_OK;
}

mr_ocl_command *mr_ocl_command_of(mr_future *future) {
  return future->destroy == destroy ? MR_CONTAINER_OF(future, mr_ocl_command, done) : NULL;
}

// ---- The list -------------------------------------------------------------------------------------------------------

mr_status mr_ocl_command_list(mr_ocl_command *c) {
  mr_ocl_device *device = c->device;
  mr_future_retain(&c->done);
  mr_platform_enter(device->base.platform);
  mr_ocl_lock();
  // relaxed: set with the lock.
  bool lost = atomic_load_explicit(&device->lost, memory_order_relaxed);
  if (!lost) {
    c->listed = true;
    c->seen_complete = false;
    c->since_ns = mr_now_ns();
    c->previous = NULL;
    c->next = device->first;
    if (c->next) {
      c->next->previous = c;
    }
    device->first = c;
  }
  mr_status status = lost ? mr_status_retain(device->why) : MR_OK;
  mr_ocl_unlock();
  if (lost) {
    mr_platform_leave(device->base.platform);
    mr_future_release(&c->done);
    return status;
  }
  mr_ocl_watch_later();
  return MR_OK;
}

void mr_ocl_command_take_over(mr_ocl_command *c) {
  assert(c->listed);
  if (c->previous) {
    c->previous->next = c->next;
  } else {
    c->device->first = c->next;
  }
  if (c->next) {
    c->next->previous = c->previous;
  }
  c->listed = false;
  c->next = NULL;
  if (c->armed) {
    drop_ticket(c->ticket);
    c->armed = false;
  }
}

// ---- The end --------------------------------------------------------------------------------------------------------

// What comes before a command that was in a queue is over with it: with the lock, in front of `list`.
static mr_ocl_command *take_what_came_before(mr_ocl_command *c, mr_ocl_command *list) {
  for (uint32_t i = 0; i < c->num_before; i++) {
    mr_ocl_command *before = c->before[i];
    if (before->listed && !before->armed) {
      mr_ocl_command_take_over(before);
      before->next = list;
      list = before;
    }
  }
  return list;
}

static void settle(mr_ocl_command *c, mr_status take_status, bool was_listed) {
  for (uint32_t i = 0; i < c->num_before; i++) {
    mr_future_release(&c->before[i]->done);
  }
  c->num_before = 0;
  if (was_listed && !take_status) {
    mr_ocl_times_note(c);
  }
  if (!mr_future_is_set(&c->placed)) {
    mr_future_set(&c->placed, mr_status_retain(take_status));
  }
  mr_platform *platform = c->device->base.platform;
  if (mr_future_is_set(&c->done)) {
    mr_status_free(take_status);  // by the callback
  } else {
    mr_future_set(&c->done, take_status);
  }
  if (was_listed) {
    mr_future_release(&c->done);
    mr_platform_leave(platform);
  }
}

static void end_list(mr_ocl_command *list, mr_status status) {
  while (list) {
    mr_ocl_command *c = list;
    mr_ocl_lock();
    list = take_what_came_before(c, c->next);
    c->device->last_end_ns = mr_now_ns();
    mr_ocl_unlock();
    settle(c, mr_status_retain(status), true);
  }
}

void mr_ocl_command_fail(mr_ocl_command *c, mr_status take_status) { settle(c, take_status, false); }

static void end(mr_ocl_command *c, mr_status take_status) {
  mr_ocl_lock();
  // relaxed: set with the lock. A call that failed says nothing about what came before it.
  bool lost = atomic_load_explicit(&c->device->lost, memory_order_relaxed);
  mr_ocl_command *before = take_what_came_before(c, NULL);
  c->device->last_end_ns = mr_now_ns();
  mr_ocl_unlock();
  mr_status of_those = lost ? mr_status_retain(take_status) : MR_OK;
  end_list(before, of_those);
  mr_status_free(of_those);
  settle(c, take_status, true);
}

static mr_status lost_by(mr_ocl_device *device, const char *function, const char *name, cl_int code);

static void tell(mr_task *task) {
  mr_ocl_command *c = MR_CONTAINER_OF(task, mr_ocl_command, telling);
  mr_platform *platform = c->device->base.platform;
  mr_status verdict = c->verdict;
  c->verdict = MR_OK;
  if (!verdict && c->result < 0) {
    verdict = lost_by(c->device, "the event", c->work.name, c->result);
  }
  if (!verdict && c->is_call) {
    bool goes_on;
    verdict = mr_ocl_call_run(c, &goes_on);
    if (goes_on) {  // and is listed anew
      mr_future_release(&c->done);
      mr_platform_leave(platform);
      return;
    }
  }
  end(c, verdict);
}

void mr_ocl_command_hand_over(mr_ocl_command *c) {
  mr_scheduler *scheduler = mr_scheduler_retain(mr_platform_scheduler(c->device->base.platform));
  mr_executor *workers = c->device->base.executor;
  c->telling.run = tell;
  workers->ready(workers, &c->telling, 0, false);
  mr_scheduler_release(scheduler);
}

// Its future is set; whoever comes by next lets go of it. When nobody is expected to, a worker does.
static void put_aside(mr_ocl_command *c) {
  mr_ocl_device *device = c->device;
  mr_ocl_lock();
  bool waits = !device->given_up_ns;
  if (waits) {
    // relaxed: with the lock; who reads it without sees it sooner or later.
    c->next = atomic_load_explicit(&device->ended, memory_order_relaxed);
    atomic_store_explicit(&device->ended, c, memory_order_relaxed);
  }
  mr_ocl_unlock();
  if (!waits) {
    mr_ocl_command_hand_over(c);
  }
}

mr_ocl_command *mr_ocl_take_ended(mr_ocl_device *device) {
  if (!atomic_load_explicit(&device->ended, memory_order_relaxed)) {  // relaxed: as above
    return NULL;
  }
  mr_ocl_lock();
  mr_ocl_command *list = atomic_exchange_explicit(&device->ended, NULL, memory_order_relaxed);  // relaxed: as above
  mr_ocl_unlock();
  return list;
}

void mr_ocl_collect(mr_ocl_device *device) {
  for (mr_ocl_command *c = mr_ocl_take_ended(device); c;) {
    mr_ocl_command *next = c->next;  // read first: it may be gone
    end(c, MR_OK);
    c = next;
  }
}

static void CL_CALLBACK on_end(cl_event event, cl_int status, void *user_data) {
  (void)event;
  mr_ocl_lock();
  mr_ocl_command *c = command_of_ticket((uint64_t)(uintptr_t)user_data);
  if (c) {
    mr_ocl_command_take_over(c);
    c->result = status;
  }
  mr_ocl_unlock();
  if (!c) {
    return;
  }
  // Waking somebody is all that may be done here, and saves a worker's being woken first.
  if (status >= CL_COMPLETE && !c->is_call && !c->verdict && c->work.hear) {
    c->work.hear(c->work.hear_argument);
  }
  if (status >= CL_COMPLETE && !c->is_call && !c->verdict && mr_future_set_for_sleepers(&c->done)) {
    put_aside(c);
  } else {
    mr_ocl_command_hand_over(c);
  }
}

void mr_ocl_command_arm(mr_ocl_command *c) {
  mr_ocl_lock();
  atomic_store_explicit(&c->concluded, true, memory_order_relaxed);  // relaxed: with the lock, which lists it too
  bool arms = c->listed && !c->armed && take_ticket(c);
  c->armed = c->armed || arms;
  uint64_t ticket = c->ticket;
  mr_ocl_unlock();
  if (!arms) {
    return;  // or without memory for a ticket: who looks twice a second tries again
  }
  mr_ocl_device *device = c->device;
  cl_int rc = CL(SetEventCallback)(c->event, CL_COMPLETE, on_end, (void *)(uintptr_t)ticket);
  if (rc == CL_SUCCESS) {
    rc = CL(Flush)(device->queues[c->queue]);
  }
  if (rc != CL_SUCCESS) {
    mr_status_free(lost_by(device, "clSetEventCallback or clFlush", c->work.name, rc));
  }
}

// ---- The end of a device --------------------------------------------------------------------------------------------

void mr_ocl_lose(mr_ocl_device *device, mr_status take_why) {
  mr_ocl_command *list = NULL;
  mr_ocl_lock();
  // relaxed: with the lock.
  bool again = atomic_load_explicit(&device->lost, memory_order_relaxed);
  if (!again) {
    device->why = take_why;
    while (device->first) {
      mr_ocl_command *c = device->first;
      mr_ocl_command_take_over(c);
      c->verdict = c->verdict ? c->verdict : mr_status_retain(take_why);
      c->next = list;
      list = c;
    }
    // release, pairs with mr_ocl_check(): `why`.
    atomic_store_explicit(&device->lost, true, memory_order_release);
  }
  mr_ocl_unlock();
  if (again) {
    mr_status_free(take_why);
  }
  while (list) {
    mr_ocl_command *next = list->next;  // read first: it may be gone
    mr_ocl_command_hand_over(list);
    list = next;
  }
}

static mr_status lost_by(mr_ocl_device *device, const char *function, const char *name, cl_int code) {
  mr_ocl_lose(device, mr_error(MR_UNAVAILABLE, "device %d, %s, is lost: %s of %s says %s (%d)", device->base.id,
                               device->info->name, function, name, mr_ocl_error_name(code), (int)code));
  return mr_status_retain(device->why);  // written once
}

mr_status mr_ocl_failed(mr_ocl_device *device, const char *function, const char *name, cl_int code) {
  if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY) {
    return mr_error(MR_RESOURCE_EXHAUSTED, "out of memory: %s of %s says %s", function, name, mr_ocl_error_name(code));
  }
  bool is_argument = code <= CL_INVALID_VALUE && code > -100 && code != CL_INVALID_COMMAND_QUEUE &&
                     code != CL_INVALID_CONTEXT && code != CL_INVALID_DEVICE;
  if (is_argument) {
    return mr_error(MR_INTERNAL, "%s of %s says %s (%d)", function, name, mr_ocl_error_name(code), (int)code);
  }
  return lost_by(device, function, name, code);
}

mr_status mr_ocl_check(mr_ocl_device *device) {
  if (MR_UNLIKELY(mr_ocl_is_over())) {
    mr_ocl_lose(device, mr_error(MR_UNAVAILABLE,
                                 "device %d, %s, is lost: OpenCL works neither in the child of a process that has used "
                                 "it nor while the process exits",
                                 device->base.id, device->info->name));
  }
  // acquire, pairs with mr_ocl_lose().
  if (MR_UNLIKELY(atomic_load_explicit(&device->lost, memory_order_acquire))) {
    return mr_status_retain(device->why);
  }
  return MR_OK;
}
