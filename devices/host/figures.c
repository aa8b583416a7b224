// The machine's figures: read from their file when somebody first asks, measured when there is none and somebody has the time,
// and the same for all of the process from then on.
#include "devices/host/figures.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/fork.h"
#include "core/kept.h"
#include "core/processor/processor.h"
#include "devices/devices.h"
#include "devices/host/budget.h"
#include "devices/host/probe.h"

#define FOLDER "figures"
enum { NAME_BYTES = 40 };

typedef struct file {
  char magic[8];
  mr_hash128 machine, checksum;
  double values[MR_FIGURES_COUNT];
} file;
static const char magic[8] = "MRFIGUR";

// What is known, NULL: nobody has asked. Release by who found out, acquire by who asks; the figures are one of the two below,
// which are written once, under the lock.
static _Atomic(const mr_figures *) known;
static mr_figures first, measured;
MR_FORK_LOCK(lock);
// Under the lock: nobody has measured yet, and somebody may.
static bool to_measure;

// ---- The machine ------------------------------------------------------------------------------------------------------

// What is known without measuring.
static void look_at_machine(const mr_scheduler *scheduler, mr_figures *figures) {
  mr_scheduler_machine machine = mr_scheduler_look_at_machine(scheduler);
  *figures = mr_figures_default;
  figures->units = machine.units;
  for (uint32_t i = 0; i < MR_FIGURES_CACHES && machine.cache_count; i++) {
    bool there = i < machine.cache_count;
    figures->caches[i].bytes = there ? (double)machine.caches[i].bytes : 0;
    figures->caches[i].units = there ? MR_MAX(machine.caches[i].units, 1) : 0;
  }
  figures->largest_block_bytes = (double)MR_MAX(mr_budget_limit(), (uint64_t)1 << 20);
  if (!mr_figures_plausible(figures)) {
    *figures = mr_figures_default;
  }
}

// The processor, its caches and how much of it there is: what figures are kept for. Builds with asserts measure themselves.
static mr_hash128 machine_of(const mr_figures *figures) {
  char text[128];
  struct {
    uint64_t version, processor, build;
    double units;
    mr_cache_figures caches[MR_FIGURES_CACHES];
  } facts;
  memset(&facts, 0, sizeof facts);
  facts.version = MR_FIGURES_VERSION;
  facts.processor = mr_processor_describe(text, sizeof text);
#ifndef NDEBUG
  facts.build = 1;
#endif
  facts.units = figures->units;
  for (size_t i = 0; i < MR_FIGURES_CACHES; i++) {
    facts.caches[i] = (mr_cache_figures){.bytes = figures->caches[i].bytes, .units = figures->caches[i].units};
  }
  return mr_hash128_of(&facts, sizeof facts, (mr_hash128){0});
}

// ---- Kept figures -----------------------------------------------------------------------------------------------------

static void name_of(mr_hash128 machine, char *name) {
  snprintf(name, NAME_BYTES, "%016llx%016llx", (unsigned long long)machine.high, (unsigned long long)machine.low);
}

static bool same(mr_hash128 a, mr_hash128 b) { return a.low == b.low && a.high == b.high; }

// Whole, of this machine, and such that they can be believed: a file is not.
static bool believed(const file *f, mr_hash128 machine, mr_figures *figures) {
  if (memcmp(f->magic, magic, sizeof magic) != 0 || !same(f->machine, machine) ||
      !same(f->checksum, mr_hash128_of(f->values, sizeof f->values, machine))) {
    return false;
  }
  mr_figures kept = {.origin = MR_FIGURES_KEPT};
  memcpy(&kept, f->values, sizeof f->values);
  kept.largest_block_bytes = figures->largest_block_bytes;  // as it is in this process
  if (!mr_figures_plausible(&kept)) {
    return false;
  }
  *figures = kept;
  return true;
}

static bool load(mr_figures *figures) {
  mr_hash128 machine = machine_of(figures);
  char name[NAME_BYTES];
  name_of(machine, name);
  int folder = mr_kept_open(FOLDER, false);
  if (folder < 0) {
    return false;
  }
  size_t size = 0;
  file f;
  int fd = mr_kept_open_file(folder, name, &size);
  bool ok = fd >= 0 && size == sizeof f && mr_kept_read(fd, &f, sizeof f) && believed(&f, machine, figures);
  if (fd >= 0) {
    close(fd);
  }
  close(folder);
  return ok;
}

static void keep(const mr_figures *figures) {
  file f;
  memset(&f, 0, sizeof f);
  memcpy(f.magic, magic, sizeof magic);
  memcpy(f.values, figures, sizeof f.values);
  f.machine = machine_of(figures);
  f.checksum = mr_hash128_of(f.values, sizeof f.values, f.machine);
  char name[NAME_BYTES];
  name_of(f.machine, name);
  int folder = mr_kept_open(FOLDER, true);
  if (folder >= 0) {
    mr_span all = {&f, sizeof f};
    (void)mr_kept_write(folder, name, &all, 1);  // the next process measures again
    close(folder);
  }
}

// ---- Settings ---------------------------------------------------------------------------------------------------------

// The word of a setting behind this one; NULL: there is none.
static const char *next_word(const char *at) {
  const char *comma = strchr(at, ',');
  return comma ? comma + 1 : NULL;
}

// Each word of MILLRACE_FIGURES. One that says nothing is passed over: who asks for figures can be refused nothing.
static bool has_word(const char *setting, const char *word) {
  size_t length = strlen(word);
  for (const char *at = setting; at && *at; at = next_word(at)) {
    if (!strncmp(at, word, length) && (at[length] == 0 || at[length] == ',')) {
      return true;
    }
  }
  return false;
}

static void set_given(const char *setting, mr_figures *figures) {
  for (const char *at = setting; at && *at; at = next_word(at)) {
    const char *equals = at + strcspn(at, "=,");
    if (*equals != '=') {
      continue;
    }
    char *end = NULL;
    double value = strtod(equals + 1, &end);
    bool number = end != equals + 1 && (*end == 0 || *end == ',');
    if (number && mr_figures_set(figures, (mr_str){at, (size_t)(equals - at)}, value)) {
      figures->origin = MR_FIGURES_GIVEN;
    }
  }
}

// ---- What is known ----------------------------------------------------------------------------------------------------

// Under the lock.
static void find_out(const mr_scheduler *scheduler) {
  const char *setting = getenv("MILLRACE_FIGURES");
  bool forced = has_word(setting, "measure"), fixed = has_word(setting, "default");
  look_at_machine(scheduler, &first);
  bool kept = !forced && !fixed && load(&first);
  set_given(setting, &first);
#ifdef NDEBUG
  to_measure = forced || (!kept && !fixed);
#else
  // Builds with asserts and sanitizers do all of it slowly, and tests want the same of each run.
  to_measure = forced && !kept;
#endif
}

const mr_figures *mr_host_figures(mr_device *device) {
  const mr_figures *found = atomic_load_explicit(&known, memory_order_acquire);  // pairs with the stores below
  if (found) {
    return found;
  }
  pthread_mutex_lock(&lock);
  found = atomic_load_explicit(&known, memory_order_relaxed);  // relaxed: the lock
  if (!found) {
    find_out(mr_platform_scheduler(device->platform));
    found = &first;
    atomic_store_explicit(&known, found, memory_order_release);
  }
  pthread_mutex_unlock(&lock);
  return found;
}

// Without a folder each process would measure for itself, and find something else.
static bool may_keep(void) {
  int folder = mr_kept_open(FOLDER, true);
  if (folder >= 0) {
    close(folder);
  }
  return folder >= 0;
}

const mr_figures *mr_host_measure(mr_device *device, bool (*stop)(void *context), void *context) {
  const mr_figures *found = mr_host_figures(device);
  const char *setting = getenv("MILLRACE_FIGURES");
  pthread_mutex_lock(&lock);
  bool mine = to_measure && (has_word(setting, "measure") || may_keep());
  to_measure = to_measure && !mine;
  pthread_mutex_unlock(&lock);
  if (!mine) {
    return found;
  }
  mr_figures figures, otherwise;
  look_at_machine(mr_platform_scheduler(device->platform), &otherwise);
  figures = otherwise;
  bool whole = mr_probe_measure(device->group, stop, context, &figures);
  mr_figures_mend(&figures, &otherwise);
  if (whole) {
    figures.origin = MR_FIGURES_MEASURED;
    keep(&figures);
    set_given(setting, &figures);
  }
  pthread_mutex_lock(&lock);
  to_measure = !whole && stop && stop(context);  // who was stopped may be asked again
  if (whole) {
    measured = figures;
    found = &measured;
    atomic_store_explicit(&known, found, memory_order_release);  // pairs with the load in mr_host_figures()
  }
  pthread_mutex_unlock(&lock);
  return found;
}
