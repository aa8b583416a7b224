// Platforms: the devices that one client sees, with their memories.
#include "devices/devices.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/census.h"
#include "core/ending.h"
#include "core/fork.h"
#include "core/processor/processor.h"
#include "core/tally.h"
#include "core/trace.h"
#include "devices/registry.h"
#include "devices/tuning.h"

struct mr_platform {
  mr_tally_owner owner;       // of buffers and what else keeps the platform
  mr_scheduler *scheduler;    // retained
  _Atomic(int64_t) storages;  // where asserts are on
  void (*on_gone)(void *arg);
  void *on_gone_arg;
  mr_stop_word stop;        // what all executions of its look at; a status is owned
  mr_platform *next, **at;  // of all that are there
  size_t device_count;
  mr_device *devices[];  // owned
};

// More devices than this are a mistake in an option rather than a wish.
#define MAX_DEVICES 1024
static_assert(MAX_DEVICES <= MR_TRACE_DEVICES, "each may have rows in a trace");

#ifndef NDEBUG
void mr_platform_count(mr_platform *platform, int count) {
  // relaxed: that the platform goes is ordered after all that kept it, and so after its storages.
  atomic_fetch_add_explicit(&platform->storages, count, memory_order_relaxed);
}
#endif

// ---- Stopping -----------------------------------------------------------------------------------------------------------

// States of mr_platform.stop:
//
//   0 --stop--> a status, until the end
//
//   who                       operation              order, and with what it pairs                        at once
//   owner, the process's end  swap, 0 -> its status  release of it; who is second frees its own, relaxed  everybody
//   executions                load                   relaxed; then acquire, of the status                 everybody

MR_FORK_LOCK(lock);  // over the list
static mr_platform *platforms;

const mr_stop_word *mr_platform_stop_word(const mr_platform *platform) { return &platform->stop; }

void mr_platform_stop(mr_platform *platform, mr_status take_status) {
  uintptr_t goes_on = 0;
  // release, pairs with mr_stop_reason(); relaxed: nothing is read.
  if (!atomic_compare_exchange_strong_explicit(&platform->stop, &goes_on, (uintptr_t)take_status, memory_order_release,
                                               memory_order_relaxed)) {
    mr_status_free(take_status);
  }
}

// The process is ending.
static void stop_all(void) {
  pthread_mutex_lock(&lock);
  for (mr_platform *platform = platforms; platform; platform = platform->next) {
    mr_platform_stop(platform, mr_error(MR_CANCELLED, "the process is ending"));
  }
  pthread_mutex_unlock(&lock);
}

static void list(mr_platform *platform) {
  static mr_ending_part part = {.stop = stop_all};
  mr_ending_guard(&part);
  pthread_mutex_lock(&lock);
  platform->next = platforms;
  platform->at = &platforms;
  if (platforms) {
    platforms->at = &platform->next;
  }
  platforms = platform;
  pthread_mutex_unlock(&lock);
  if (mr_ending_has_begun()) {
    stop_all();  // it may have come too late to be told
  }
}

static void unlist(mr_platform *platform) {
  pthread_mutex_lock(&lock);
  *platform->at = platform->next;
  if (platform->next) {
    platform->next->at = platform->at;
  }
  pthread_mutex_unlock(&lock);
}

// ---- Lifecycle ----------------------------------------------------------------------------------------------------------

static void destroy(mr_tally_owner *owner) {
  mr_platform *platform = MR_CONTAINER_OF(owner, mr_platform, owner);
  // A block that outlives its platform would go back to a device that is not there.
  assert(atomic_load_explicit(&platform->storages, memory_order_relaxed) == 0);
  unlist(platform);
  void (*on_gone)(void *) = platform->on_gone;
  void *on_gone_arg = platform->on_gone_arg;
  for (size_t i = 0; i < platform->device_count; i++) {
    if (platform->devices[i]) {
      mr_admission_deinit(&platform->devices[i]->admission);
      platform->devices[i]->ops->destroy(platform->devices[i]);
    }
  }
  mr_scheduler_release(platform->scheduler);
  // relaxed: nobody else is there.
  mr_status_free((mr_status)atomic_load_explicit(&platform->stop, memory_order_relaxed));
  mr_census_add(MR_CENSUS_platforms, -1);
  mr_free(platform);
  if (on_gone) {
    on_gone(on_gone_arg);
  }
}

// What stands before the next comma, which goes.
static mr_str next_kind(mr_str *list) {
  const char *comma = list->size ? memchr(list->data, ',', list->size) : NULL;
  mr_str kind = {list->data, comma ? (size_t)(comma - list->data) : list->size};
  *list = comma ? (mr_str){comma + 1, list->size - kind.size - 1} : (mr_str){list->data + list->size, 0};
  return kind;
}

// A limit on what is queued: as the option has it, else the variable, of which 0 says that there is none.
static mr_status read_limit(uint32_t option, const char *name, uint32_t fallback, uint32_t *out_limit) {
  int64_t value = fallback;
  *out_limit = option;
  if (option) {
    return MR_OK;
  }
  MR_TRY(mr_env_int(name, fallback, 0, UINT32_MAX - 1, &value));
  *out_limit = value ? (uint32_t)value : MR_ADMISSION_ANY;
  return MR_OK;
}

static mr_status fill(mr_platform *platform, mr_str kinds, const mr_platform_options *options) {
  uint32_t calls, mb;
  MR_TRY(read_limit(options ? options->queue_calls : 0, "QUEUE_CALLS", MR_ADMISSION_CALLS, &calls));
  MR_TRY(read_limit(options ? options->queue_mb : 0, "QUEUE_MB", MR_ADMISSION_MB, &mb));
  MR_TRY(mr_scheduler_acquire(&platform->scheduler));
  mr_str left = kinds;
  for (size_t i = 0; i < platform->device_count; i++) {
    left = left.size ? left : kinds;
    mr_device_seed seed = {.platform = platform,
                           .tally = platform->owner.number,
                           .id = (int)i,
                           .group =
                               mr_scheduler_group(platform->scheduler, (uint32_t)i, (uint32_t)platform->device_count)};
    MR_TRY(mr_device_create(next_kind(&left), &seed, &platform->devices[i]));
    mr_admission_init(&platform->devices[i]->admission, calls, mb);
    mr_trace_device_is((int)i, platform->devices[i]->ops->name);
  }
  return MR_OK;
}

static mr_str wanted_kinds(const mr_platform_options *options) {
  const char *kinds = options ? options->kinds : NULL;
  kinds = kinds ? kinds : getenv("MILLRACE_DEVICES");
  return mr_str_of(kinds && *kinds ? kinds : "cpu");
}

static int64_t count_kinds(mr_str kinds) {
  int64_t count = 0;
  for (; kinds.size; count++) {
    next_kind(&kinds);
  }
  return count;
}

static bool are_cpus(mr_str kinds) {
  bool cpus = true;
  while (kinds.size && cpus) {
    cpus = mr_str_is(next_kind(&kinds), "cpu");
  }
  return cpus;
}

static int64_t default_count(const mr_platform_options *options, mr_str kinds) {
  return options && options->num_cpus && are_cpus(kinds) ? options->num_cpus : count_kinds(kinds);
}

// Else what ends the process is an instruction of a library's, in the middle of a program.
static mr_status check_processor(void) {
  char lacking[128];
  mr_processor_write_lacking(MR_VECTORS_PLAIN, lacking, sizeof lacking);
  return *lacking ? mr_error(MR_FAILED_PRECONDITION, "this processor lacks %s, wanted one of x86-64-v2 or later (2009)",
                             lacking)
                  : MR_OK;
}

mr_status mr_platform_create(const mr_platform_options *options, mr_platform **out_platform) {
  *out_platform = NULL;
  MR_TRY(check_processor());
  mr_str kinds = wanted_kinds(options);
  int64_t count = options ? options->num_devices : 0;
  if (count == 0) {
    MR_TRY(mr_env_int("NUM_DEVICES", default_count(options, kinds), 1, MAX_DEVICES, &count));
  }
  if (count > MAX_DEVICES) {
    return mr_error(MR_INVALID_ARGUMENT, "num_devices is %lld, wanted 1 to %d", (long long)count, MAX_DEVICES);
  }
  mr_platform *platform = mr_alloc_zeroed(1, sizeof *platform + (size_t)count * sizeof(mr_device *));
  if (!platform) {
    return MR_NO_MEMORY();
  }
  mr_census_add(MR_CENSUS_platforms, 1);
  platform->owner.gone = destroy;
  mr_tally_open(&platform->owner);
  list(platform);
  platform->device_count = (size_t)count;
  mr_status status = fill(platform, kinds, options);
  if (status) {
    mr_platform_release(platform);
    return status;
  }
  *out_platform = platform;
  return MR_OK;
}

void mr_platform_release(mr_platform *platform) {
  if (platform) {
    mr_tally_close(&platform->owner);
  }
}

void mr_platform_when_gone(mr_platform *platform, void (*on_gone)(void *arg), void *arg) {
  platform->on_gone = on_gone;
  platform->on_gone_arg = arg;
}

// The tallies count buffers for the census as well, and these are none.
__attribute__((constructor)) static void count_buffers(void) { mr_census_ask(MR_CENSUS_buffers, mr_tally_alive); }

mr_platform *mr_platform_enter(mr_platform *platform) {
  mr_census_add(MR_CENSUS_buffers, -1);
  mr_tally_begin(platform->owner.number);
  return platform;
}

void mr_platform_leave(mr_platform *platform) {
  if (platform) {
    mr_census_add(MR_CENSUS_buffers, 1);
    mr_tally_end(platform->owner.number);
  }
}

void mr_platform_give_up(mr_platform *platform) {
  for (size_t i = 0; i < platform->device_count; i++) {
    mr_device *device = platform->devices[i];
    if (device->ops->give_up) {
      device->ops->give_up(device);
    }
  }
}

void mr_platform_finish(mr_platform *platform) {
  bool over = true;
  for (size_t i = 0; i < platform->device_count; i++) {
    over &= mr_admission_drain(&platform->devices[i]->admission, platform->scheduler);
  }
  if (!over) {
    mr_platform_stop(platform, mr_error(MR_CANCELLED, "whoever this was run for is gone"));
  }
}

size_t mr_platform_device_count(const mr_platform *platform) { return platform->device_count; }
mr_device *mr_platform_device(const mr_platform *platform, size_t index) { return platform->devices[index]; }
uint64_t mr_platform_share(const mr_platform *platform, mr_device *device) {
  mr_memory_stats stats = mr_device_stats(device);
  uint64_t sharing = 0;
  for (size_t i = 0; stats.limit_is_shared && i < platform->device_count; i++) {
    sharing += mr_device_stats(platform->devices[i]).limit_is_shared;
  }
  return stats.bytes_limit / MR_MAX(sharing, 1);
}

mr_scheduler *mr_platform_scheduler(const mr_platform *platform) { return platform->scheduler; }
