// Who looks after devices: that what is pending ends also when no callback comes, and that nothing is under way when the process
// exits, or goes on in a child of it.
#include <pthread.h>
#include <time.h>

#include "core/ending.h"
#include "core/fork.h"
#include "core/tidy.h"
#include "devices/opencl/ocl.h"

enum {
  LATE_NS = 400000000,         // who is pending for so long is looked at
  EXIT_PATIENCE_NS_LOG2 = 33,  // 8.6 s
  LOOK_AT = 64,                // commands of a device at once
};

MR_FORK_LOCK(lock);
static mr_ocl_device *devices;  // with the lock
static _Atomic(bool) is_child, is_exiting;
static _Atomic(int) compiling;

void mr_ocl_lock(void) { pthread_mutex_lock(&lock); }
void mr_ocl_unlock(void) { pthread_mutex_unlock(&lock); }

bool mr_ocl_is_over(void) {
  // relaxed: there is one thread when the first becomes true; whoever is late for the second is waited for no longer.
  return atomic_load_explicit(&is_child, memory_order_relaxed) ||
         atomic_load_explicit(&is_exiting, memory_order_relaxed);
}

// ---- Looking after --------------------------------------------------------------------------------------------------

void mr_ocl_add_device(mr_ocl_device *device) {
  mr_ocl_lock();
  device->next = devices;
  devices = device;
  mr_ocl_unlock();
}

static void pause_ns(long ns) { nanosleep(&(struct timespec){.tv_nsec = ns}, NULL); }

void mr_ocl_remove_device(mr_ocl_device *device) {
  mr_ocl_lock();
  while (device->visitors) {
    mr_ocl_unlock();
    pause_ns(100000);
    mr_ocl_lock();
  }
  mr_ocl_device **link = &devices;
  while (*link != device) {
    link = &(*link)->next;
  }
  *link = device->next;
  mr_ocl_unlock();
}

// The device after this one, which stays until the caller's next call. Who exits goes from one to the next as well.
static mr_ocl_device *visit_next(mr_ocl_device *device) {
  mr_ocl_lock();
  mr_ocl_device *next = device ? device->next : devices;
  if (device) {
    device->visitors--;
  }
  if (next) {
    next->visitors++;
  }
  mr_ocl_unlock();
  return next;
}

// A callback that does not come: the event says twice, half a second apart, that it is over.
static void look_at(mr_ocl_command *c) {
  cl_int status = CL_QUEUED;
  mr_ocl_lock();
  cl_event event = c->listed ? c->event : NULL;  // which is there as long as the command
  mr_ocl_unlock();
  if (!event) {
    return;
  }
  cl_int rc = CL(GetEventInfo)(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  mr_ocl_lock();
  // A call may have come back meanwhile, with another event.
  bool over = c->listed && c->event == event && rc == CL_SUCCESS && status <= CL_COMPLETE;
  bool mine = over && c->seen_complete;
  c->seen_complete = over;
  if (c->listed && rc == CL_SUCCESS && status <= CL_RUNNING) {
    c->device->last_end_ns = mr_now_ns();  // it gets somewhere
  }
  if (mine) {
    mr_ocl_command_take_over(c);
    c->result = status;
  }
  mr_ocl_unlock();
  if (mine) {
    mr_ocl_command_hand_over(c);
  }
}

// Some that have been pending for long, retained: the newest, with which those before them end, and the oldest, of which one is at work
// when the device is.
static size_t take_late(mr_ocl_device *device, mr_ocl_command **late) {
  size_t count = 0;
  uint64_t now = mr_now_ns();
  mr_ocl_command *oldest = NULL, *taken = NULL;
  mr_ocl_lock();
  for (mr_ocl_command *c = device->first; c; c = c->next) {
    oldest = c;
    if (now - c->since_ns >= LATE_NS && count < LOOK_AT / 2) {
      mr_future_retain(&c->done);
      late[count++] = taken = c;
    }
  }
  for (mr_ocl_command *c = oldest; taken && c != taken && count < LOOK_AT; c = c->previous) {
    mr_future_retain(&c->done);
    late[count++] = c;
  }
  mr_ocl_unlock();
  return count;
}

static void look_after(mr_ocl_device *device) {
  mr_ocl_command *late[LOOK_AT];
  // Not here: who lets go of the platform on this thread would wait for it.
  for (mr_ocl_command *c = mr_ocl_take_ended(device); c;) {
    mr_ocl_command *next = c->next;
    mr_ocl_command_hand_over(c);
    c = next;
  }
  size_t count = take_late(device, late);
  for (size_t i = 0; i < count; i++) {
    mr_ocl_command_arm(late[i]);
    look_at(late[i]);
    mr_future_release(&late[i]->done);
  }
  mr_ocl_lock();
  bool hangs = device->given_up_ns && device->first &&
               mr_now_ns() - MR_MAX(device->last_end_ns, device->given_up_ns) > device->patience_ns;
  mr_ocl_unlock();
  if (hangs) {
    mr_ocl_lose(device, mr_error(MR_UNAVAILABLE, "device %d, %s, was given up: work of it did not end", device->base.id,
                                 device->info->name));
  }
}

static bool look_after_all(void) {
  bool more = false;
  if (mr_ocl_is_over()) {
    return false;
  }
  for (mr_ocl_device *device = visit_next(NULL); device; device = visit_next(device)) {
    look_after(device);
    mr_ocl_trim(device, MR_TIDY_IDLE_ROUNDS);
    mr_ocl_lock();
    more = more || device->first || device->kept_bytes ||
           atomic_load_explicit(&device->ended, memory_order_relaxed);  // relaxed: with the lock
    mr_ocl_unlock();
  }
  return more;
}

static mr_tidy tidy = {.run = look_after_all};
void mr_ocl_watch_later(void) { mr_tidy_later(&tidy); }

// ---- Exit and fork --------------------------------------------------------------------------------------------------

// relaxed: read by whoever exits, again and again.
void mr_ocl_compile_begin(void) { atomic_fetch_add_explicit(&compiling, 1, memory_order_relaxed); }
void mr_ocl_compile_end(void) {
  mr_ending_cover();  // runtimes make objects while they compile
  atomic_fetch_sub_explicit(&compiling, 1, memory_order_relaxed);
}

static bool is_busy(const mr_ocl_device *device) {
  mr_ocl_lock();
  bool busy = false;
  for (const mr_ocl_command *c = device->first; c && !busy; c = c->next) {
    busy = c->armed;  // what has no callback comes before something that has
  }
  mr_ocl_unlock();
  return busy;
}

// Runtimes whose threads are at work when the process takes them apart crash it.
static void drain(void) {
  if (mr_ocl_is_over()) {
    return;
  }
  uint64_t end = mr_now_ns() + ((uint64_t)1 << EXIT_PATIENCE_NS_LOG2);
  while (atomic_load_explicit(&compiling, memory_order_relaxed) && mr_now_ns() < end) {
    pause_ns(1000000);
  }
  for (mr_ocl_device *device = visit_next(NULL); device; device = visit_next(device)) {
    while (is_busy(device) && mr_now_ns() < end) {
      pause_ns(200000);
    }
    // acquire, as in mr_ocl_check().
    if (is_busy(device) || atomic_load_explicit(&device->lost, memory_order_acquire)) {
      continue;
    }
    for (size_t q = 0; q < MR_OCL_QUEUES; q++) {
      CL(Finish)(device->queues[q]);
    }
  }
  atomic_store_explicit(&is_exiting, true, memory_order_relaxed);
}

static void in_child(void) {
  for (mr_ocl_device *device = devices; device; device = device->next) {
    device->visitors = 0;
  }
  atomic_store_explicit(&is_child, true, memory_order_relaxed);  // there is nobody else
}

static void install_once(void) {
  static mr_fork_part fork_part = {.order = MR_FORK_LOCKS, .in_child = in_child};
  mr_fork_guard(&fork_part);
  static mr_ending_part part = {.wait = drain};
  mr_ending_guard(&part);
}

void mr_ocl_install_hooks(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install_once);
}
