// The commands of fake_icd, which are over when they come back, and events, which tell of it as is ordered.
#include "tests/devices/icd/fake_objects.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

// The signatures are OpenCL's, and most functions look at a part of what they get.
#pragma GCC diagnostic ignored "-Wunused-parameter"

// A command is in the queue.
static void give_event(cl_command_queue queue, cl_event *out_event) {
  atomic_fetch_add(&queue->queued, 1);
  atomic_fetch_add(&fake_icd_state.queued, 1);
  if (out_event) {
    *out_event = fake_make(sizeof **out_event);
    (*out_event)->refs = 1;
    if (atomic_exchange(&fake_icd_state.runs_one, false)) {
      atomic_store(&fake_icd_state.running, *out_event);
    }
  }
}

// What is waited for must be alive.
static void look_at(cl_uint count, const cl_event *events) {
  assert((count == 0) == (events == NULL));
  for (cl_uint i = 0; i < count; i++) {
    assert(events[i]->dispatch == &fake_table && events[i]->refs > 0);
  }
}

cl_int fake_read(cl_command_queue queue, cl_mem memory, cl_bool blocks, size_t offset, size_t size, void *to,
                 cl_uint count, const cl_event *events, cl_event *out_event) {
  (void)blocks;
  ENTER();
  look_at(count, events);
  assert(offset + size <= memory->size);
  memcpy(to, memory->data + offset, size);
  give_event(queue, out_event);
  return CL_SUCCESS;
}

cl_int fake_write(cl_command_queue queue, cl_mem memory, cl_bool blocks, size_t offset, size_t size, const void *from,
                  cl_uint count, const cl_event *events, cl_event *out_event) {
  (void)blocks;
  ENTER();
  look_at(count, events);
  assert(offset + size <= memory->size);
  memcpy(memory->data + offset, from, size);
  give_event(queue, out_event);
  return CL_SUCCESS;
}

cl_int fake_copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size,
                 cl_uint count, const cl_event *events, cl_event *out_event) {
  ENTER();
  look_at(count, events);
  assert(from_offset + size <= from->size && to_offset + size <= to->size);
  memmove(to->data + to_offset, from->data + from_offset, size);
  give_event(queue, out_event);
  return CL_SUCCESS;
}

cl_int fake_fill(cl_command_queue queue, cl_mem memory, const void *pattern, size_t pattern_size, size_t offset,
                 size_t size, cl_uint count, const cl_event *events, cl_event *out_event) {
  ENTER();
  look_at(count, events);
  assert(offset + size <= memory->size && offset % pattern_size == 0 && size % pattern_size == 0);
  for (size_t i = 0; i < size; i += pattern_size) {
    memcpy(memory->data + offset + i, pattern, pattern_size);
  }
  give_event(queue, out_event);
  return CL_SUCCESS;
}

void *fake_map(cl_command_queue queue, cl_mem memory, cl_bool blocks, cl_map_flags flags, size_t offset, size_t size,
               cl_uint count, const cl_event *events, cl_event *out_event, cl_int *out_rc) {
  (void)blocks;
  (void)flags;
  ENTER_OBJECT(out_rc);
  look_at(count, events);
  assert(offset + size <= memory->size);
  atomic_fetch_add(&fake_icd_state.mapped, 1);
  give_event(queue, out_event);
  return memory->data + offset;
}

cl_int fake_unmap(cl_command_queue queue, cl_mem memory, void *at, cl_uint count, const cl_event *events,
                  cl_event *out_event) {
  ENTER();
  look_at(count, events);
  assert((char *)at >= memory->data && (char *)at < memory->data + memory->size);
  atomic_fetch_sub(&fake_icd_state.mapped, 1);
  give_event(queue, out_event);
  return CL_SUCCESS;
}

static const int *ints_at(cl_kernel kernel, unsigned region) {
  cl_mem memory;
  cl_ulong offset;
  memcpy(&memory, kernel->arguments[2 * region], sizeof memory);
  memcpy(&offset, kernel->arguments[2 * region + 1], sizeof offset);
  return memory ? (const int *)(const void *)(memory->data + offset) : NULL;
}

cl_int fake_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                   const size_t *global, const size_t *local, cl_uint count, const cl_event *events,
                   cl_event *out_event) {
  (void)offset;
  ENTER();
  look_at(count, events);
  assert(dimensions == 1 && global[0] % local[0] == 0);
  cl_long range;
  memcpy(&range, kernel->arguments[6], sizeof range);
  const int *a = ints_at(kernel, 0), *b = ints_at(kernel, 1);
  int *out = (int *)(uintptr_t)ints_at(kernel, 2);
  for (cl_long i = 0; i < range; i++) {
    out[i] = a[i] + (b ? b[i] : 1);
  }
  give_event(queue, out_event);
  return CL_SUCCESS;
}

cl_int fake_marker(cl_command_queue queue, cl_uint count, const cl_event *events, cl_event *out_event) {
  ENTER();
  look_at(count, events);
  give_event(queue, out_event);
  return CL_SUCCESS;
}

cl_int fake_flush(cl_command_queue queue) {
  (void)queue;
  ENTER();
  return CL_SUCCESS;
}

static void stay_while(_Atomic(bool) *held) {
  while (atomic_load(held)) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}

cl_int fake_finish(cl_command_queue queue) {
  atomic_fetch_add(&fake_icd_state.finishes, 1);
  stay_while(&fake_icd_state.holds_finish);
  ENTER();
  atomic_fetch_sub(&fake_icd_state.queued, atomic_exchange(&queue->queued, 0));
  return CL_SUCCESS;
}

// ---- Events ---------------------------------------------------------------------------------------------------------

typedef struct late_call {
  cl_event event;
  fake_event_callback tell;
  void *user;
} late_call;

static cl_int drop_event(cl_event event) {
  if (atomic_fetch_sub(&event->refs, 1) == 1) {
    atomic_fetch_sub(&fake_icd_state.live, 1);
    if (atomic_load(&event->asked)) {
      abort();  // somebody has it in his hands
    }
    free(event);
  }
  return CL_SUCCESS;
}

static void *late_main(void *context) {
  late_call call = *(late_call *)context;
  free(context);
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  stay_while(&fake_icd_state.holds_late);
  call.tell(call.event, fake_is_lost() ? fake_icd_state.fail_code : CL_COMPLETE, call.user);
  drop_event(call.event);
  atomic_fetch_sub(&fake_icd_state.threads, 1);
  return NULL;
}

static void call_late(cl_event event, fake_event_callback tell, void *user) {
  late_call *call = malloc(sizeof *call);
  assert(call);
  *call = (late_call){event, tell, user};
  atomic_fetch_add(&event->refs, 1);
  atomic_fetch_add(&fake_icd_state.threads, 1);
  pthread_t thread;
  int made = pthread_create(&thread, NULL, late_main, call);
  assert(made == 0);
  (void)made;
  pthread_detach(thread);
}

cl_int fake_set_callback(cl_event event, cl_int type, fake_event_callback tell, void *user) {
  ENTER();
  assert(type == CL_COMPLETE && event->refs > 0);
  if (fake_icd_state.never_ends) {
    return CL_SUCCESS;
  }
  fake_callbacks how = fake_icd_state.callbacks;
  if (how == FAKE_LATE || how == FAKE_TWICE) {
    call_late(event, tell, user);
  }
  if (how == FAKE_AT_ONCE || how == FAKE_TWICE) {
    tell(event, CL_COMPLETE, user);
  }
  return CL_SUCCESS;
}

cl_int fake_release_event(cl_event event) {
  cl_int rc = fake_enter(__func__);
  drop_event(event);
  return rc;
}

cl_int fake_event_info(cl_event event, cl_event_info what, size_t room, void *to, size_t *size) {
  ENTER();
  assert(what == CL_EVENT_COMMAND_EXECUTION_STATUS && event->refs > 0);
  atomic_fetch_add(&event->asked, 1);
  atomic_fetch_add(&fake_icd_state.asked, 1);
  stay_while(&fake_icd_state.holds_info);
  atomic_fetch_sub(&event->asked, 1);
  cl_int status = fake_icd_state.never_ends ? CL_QUEUED : CL_COMPLETE;
  status = status && atomic_load(&fake_icd_state.running) == event ? CL_RUNNING : status;
  return fake_answer(&status, sizeof status, room, to, size);
}

cl_int fake_profile(cl_event event, cl_profiling_info what, size_t room, void *to, size_t *size) {
  (void)event;
  (void)what;
  (void)room;
  (void)to;
  (void)size;
  ENTER();
  return CL_PROFILING_INFO_NOT_AVAILABLE;
}
