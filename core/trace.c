// Rings of records, one for each thread (trace_ring.h), and when recording is on.
#include "core/trace_track.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/trace_ring.h"

// Threads that have ever recorded.
enum { MAX_RINGS = 512 };

_Atomic(bool) mr_trace_enabled;
_Atomic(uint32_t) mr_trace_starts;
_Thread_local int mr_trace_device = -1;

static _Thread_local ring *my_ring __attribute__((tls_model("initial-exec")));
static _Thread_local bool has_no_ring __attribute__((tls_model("initial-exec")));
static _Atomic(ring *) all_rings;
static _Atomic(uint32_t) ring_count;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// Under the lock.
static char *trace_path;
static mr_trace_origin origin;
static uint32_t session_count;

// ---- Recording ------------------------------------------------------------------------------------------------------

// *out_full: there will never be one more.
static ring *take_ring(bool *out_full) {
  // relaxed: only a bound.
  *out_full = atomic_fetch_add_explicit(&ring_count, 1, memory_order_relaxed) >= MAX_RINGS;
  ring *r = *out_full ? NULL : mr_alloc_aligned(MR_PROCESSOR_HUGE_PAGE, sizeof *r);
  if (!r) {  // this record is lost; there may be memory for the next one
    atomic_fetch_sub_explicit(&ring_count, !*out_full, memory_order_relaxed);
    return NULL;
  }
  // A page fault for every 64th record would be 10 ns a record.
  (void)madvise(r, sizeof *r, MADV_HUGEPAGE);
  atomic_store_explicit(&r->count, 0, memory_order_relaxed);  // relaxed: published by the list
  r->last_end = 0;
  memset(r->thread_name, 0, sizeof r->thread_name);
  return r;
}

static void publish_ring(ring *r) {
  r->next = atomic_load_explicit(&all_rings, memory_order_relaxed);  // relaxed: a guess for the swap
  // release, pairs with the acquire in write_file(): the ring's fields.
  while (!atomic_compare_exchange_weak_explicit(&all_rings, &r->next, r, memory_order_release, memory_order_relaxed)) {
  }
}

__attribute__((noinline, cold)) static ring *make_ring(void) {
  if (has_no_ring) {
    return NULL;
  }
  has_no_ring = true;  // also while it is made
  bool full;
  ring *r = take_ring(&full);
  has_no_ring = full;
  if (!r) {
    return NULL;
  }
  r->thread = syscall(SYS_gettid);
  prctl(PR_GET_NAME, r->thread_name);
  publish_ring(r);
  my_ring = r;
  return r;
}

static ring *get_ring(void) { return MR_LIKELY(my_ring != NULL) ? my_ring : make_ring(); }

mr_trace_name mr_trace_name_of(const char *text) {
  mr_trace_name name = {{0}};
  if (text) {
    memcpy(name.text, text, strnlen(text, sizeof name.text));
  }
  return name;
}

// relaxed: ours.
static uint64_t count_of(const ring *r) { return atomic_load_explicit(&r->count, memory_order_relaxed); }

static inline void put_span(ring *r, mr_trace_category category, const mr_trace_name *name, mr_trace_about about,
                            uint64_t start, uint64_t ticks, bool was_brief, uint64_t flow_in) {
  uint64_t count = count_of(r);
  record *to = &r->records[count % RING_RECORDS];
  r->last_end = start + ticks;
  to->start = start;
  to->ticks = ticks;
  to->kind = about.kind;
  to->was_brief = was_brief;
  to->priority = (int64_t)about.priority;  // may be negative
  to->flow = flow_in;
  to->device = mr_trace_device;
  to->category = category;
  to->cost_ns = about.cost_ns;
  to->count = about.count;
  to->name = *name;
  // release, pairs with write_ring().
  atomic_store_explicit(&r->count, count + 1, memory_order_release);
}

uint64_t mr_trace_node(mr_trace_category category, const char *name, mr_trace_about about, uint64_t start,
                       uint64_t flow_in) {
  // Who reads the rings has turned recording off, and reckons with one record a thread that is on its way.
  if (MR_UNLIKELY(!mr_trace_is_on())) {
    return 0;
  }
  uint64_t end = mr_trace_now();
  const mr_trace_name copy = mr_trace_name_of(name);
  ring *r = get_ring();
  if (r) {
    put_span(r, category, &copy, about, start, end - start, false, flow_in);
  }
  return end;
}

uint64_t mr_trace_span(mr_trace_category category, const char *name, uint64_t start, uint64_t flow_in) {
  return mr_trace_node(category, name, (mr_trace_about){0}, start, flow_in);
}

void mr_trace_call(mr_trace_category category, const char *name, uint8_t kind, int device, uint64_t start) {
  int outer = mr_trace_device;
  mr_trace_device = device;
  mr_trace_node(category, name, (mr_trace_about){.kind = kind}, start, 0);
  mr_trace_device = outer;
}

// Apart, so that the other way has no registers to save.
__attribute__((noinline, cold)) static void first_brief_node(const mr_trace_name *name, mr_trace_about about,
                                                             uint64_t start, uint64_t ticks) {
  ring *r = make_ring();
  if (r) {
    put_span(r, MR_TRACE_NODE, name, about, start, ticks, true, 0);
  }
}

void mr_trace_brief_node(const mr_trace_name *name, mr_trace_about about, uint64_t start, uint64_t ticks) {
  if (!mr_trace_is_on()) {
    return;
  }
  if (MR_LIKELY(my_ring != NULL)) {
    put_span(my_ring, MR_TRACE_NODE, name, about, start, ticks, true, 0);
  } else {
    first_brief_node(name, about, start, ticks);
  }
}

void mr_trace_flow_out(uint64_t id, bool after_span) {
  ring *r = get_ring();
  if (!r) {
    return;
  }
  uint64_t count = count_of(r);
  record *to = &r->records[count % RING_RECORDS];
  to->start = after_span && r->last_end ? r->last_end - 1 : mr_trace_now();
  to->flow = id;
  to->category = FLOW_OUT;
  atomic_store_explicit(&r->count, count + 1, memory_order_release);  // as above
}

// ---- Tracks ---------------------------------------------------------------------------------------------------------

// Above every number that a thread has.
static const long FIRST_TRACK = 1L << 22;
static pthread_mutex_t track_lock = PTHREAD_MUTEX_INITIALIZER;  // a ring has one writer

static ring *find_track(const char *name) {
  // acquire, pairs with publish_ring().
  ring *r = atomic_load_explicit(&all_rings, memory_order_acquire);
  while (r && (r->thread < FIRST_TRACK || strncmp(r->thread_name, name, sizeof r->thread_name - 1) != 0)) {
    r = r->next;
  }
  return r;
}

mr_trace_track *mr_trace_track_of(const char *name) {
  static long tracks;
  bool full;
  pthread_mutex_lock(&track_lock);
  ring *r = find_track(name);
  if (!r && (r = take_ring(&full)) != NULL) {
    r->thread = FIRST_TRACK + tracks++;
    snprintf(r->thread_name, sizeof r->thread_name, "%s", name);
    publish_ring(r);
  }
  pthread_mutex_unlock(&track_lock);
  return (mr_trace_track *)r;
}

void mr_trace_track_span(mr_trace_track *track, mr_trace_category category, const char *name, mr_trace_about about,
                         int device, uint64_t start, uint64_t end) {
  const mr_trace_name named = mr_trace_name_of(name);
  int outer = mr_trace_device;
  mr_trace_device = device;
  pthread_mutex_lock(&track_lock);
  put_span((ring *)track, category, &named, about, start, end - start, false, 0);
  pthread_mutex_unlock(&track_lock);
  mr_trace_device = outer;
}

// ---- Starting and stopping ----------------------------------------------------------------------------------------------

// With the lock held.
static void enable_if_wanted(void) {
  // relaxed: see mr_trace_is_on()
  atomic_store_explicit(&mr_trace_enabled, trace_path || session_count > 0, memory_order_relaxed);
}

static void start_another(void) {
  // relaxed: a name for what is counted.
  atomic_fetch_add_explicit(&mr_trace_starts, 1, memory_order_relaxed);
  enable_if_wanted();
}

mr_status mr_trace_start(const char *path) {
  char *copy = mr_alloc(strlen(path) + 1);
  if (!copy) {
    return MR_NO_MEMORY();
  }
  strcpy(copy, path);
  pthread_mutex_lock(&lock);
  bool busy = trace_path != NULL;
  if (!busy) {
    trace_path = copy;
    origin = (mr_trace_origin){getpid(), mr_trace_now(), mr_now_ns()};
    start_another();
  }
  pthread_mutex_unlock(&lock);
  if (!busy) {
    return MR_OK;
  }
  mr_free(copy);
  return mr_error(MR_ALREADY_EXISTS, "a trace is being recorded already");
}

static mr_status write_file(const char *path) {
  FILE *file = fopen(path, "w");
  if (!file) {
    return mr_error(MR_PERMISSION_DENIED, "%s: %s", path, strerror(errno));
  }
  // acquire, pairs with publish_ring(): the rings' fields.
  mr_status status = mr_trace_write(file, &origin, atomic_load_explicit(&all_rings, memory_order_acquire));
  bool failed = ferror(file);
  failed |= fclose(file) != 0;
  return !status && failed ? mr_error(MR_RESOURCE_EXHAUSTED, "%s: could not be written", path) : status;
}

mr_status mr_trace_stop(void) {
  pthread_mutex_lock(&lock);
  mr_status status = MR_OK;
  if (trace_path) {
    char *path = trace_path;
    trace_path = NULL;
    enable_if_wanted();
    // A forked child leaves the file to its parent.
    if (getpid() == origin.process) {
      status = write_file(path);
    }
    mr_free(path);
  }
  pthread_mutex_unlock(&lock);
  return status;
}

// ---- Sessions -------------------------------------------------------------------------------------------------------

static uint64_t wall_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void mr_trace_session_start(mr_trace_session *out_session) {
  pthread_mutex_lock(&lock);
  session_count++;
  // The clocks are read one after another: of several readings the quickest is the one that nothing came between.
  uint64_t quickest = UINT64_MAX;
  for (int i = 0; i < 16; i++) {
    mr_trace_session now = {.start_ticks = mr_trace_now(), .start_ns = mr_now_ns(), .start_wall_ns = wall_ns()};
    uint64_t took = mr_trace_now() - now.start_ticks;
    if (took >= quickest) {
      continue;
    }
    quickest = took;
    *out_session = now;
  }
  start_another();
  pthread_mutex_unlock(&lock);
}

void mr_trace_session_stop(mr_trace_session *session) {
  pthread_mutex_lock(&lock);
  session_count--;
  session->end_ticks = mr_trace_now();
  session->end_ns = mr_now_ns();
  enable_if_wanted();
  pthread_mutex_unlock(&lock);
}

static void visit_ring(const mr_trace_session *session, double ps_per_tick, const ring *r,
                       void (*visit)(void *context, const mr_trace_event *event), void *context) {
  uint64_t first, count;
  ring_range(r, &first, &count);
  for (uint64_t i = first; i < count; i++) {
    const record *at = &r->records[i % RING_RECORDS];
    if (at->category == FLOW_OUT || at->start < session->start_ticks || at->start > session->end_ticks) {
      continue;
    }
    uint64_t offset = (uint64_t)((double)(at->start - session->start_ticks) * ps_per_tick);
    const mr_trace_event event = {
        .category = (mr_trace_category)at->category,
        .device = (int)at->device,
        .thread = r->thread,
        .thread_name = {r->thread_name, strnlen(r->thread_name, sizeof r->thread_name)},
        .name = {at->name.text, strnlen(at->name.text, sizeof at->name)},
        .wall_ns = session->start_wall_ns + offset / 1000,
        .offset_ps = offset,
        .duration_ps = (uint64_t)((double)at->ticks * ps_per_tick),
        .about = {
            .cost_ns = at->cost_ns, .count = at->count, .kind = (uint8_t)at->kind, .priority = (int8_t)at->priority}};
    visit(context, &event);
  }
}

void mr_trace_session_visit(const mr_trace_session *session, void (*visit)(void *context, const mr_trace_event *event),
                            void *context) {
  uint64_t ticks = session->end_ticks - session->start_ticks, ns = session->end_ns - session->start_ns;
  double ps_per_tick = ticks ? (double)ns * 1e3 / (double)ticks : 1e3;
  // acquire, pairs with make_ring().
  for (ring *r = atomic_load_explicit(&all_rings, memory_order_acquire); r; r = r->next) {
    visit_ring(session, ps_per_tick, r, visit, context);
  }
}

// ---- A whole process --------------------------------------------------------------------------------------------------

static time_t process_start;

__attribute__((constructor)) static void start_with_process(void) {
  const char *path = getenv("MILLRACE_TRACE");
  if (!path || !*path) {
    return;
  }
  process_start = time(NULL);
  mr_status_free(mr_trace_start(path));
}

// Programs start programs, and each would write the same file: who comes second adds its number.
static void step_aside(void) {
  struct stat there;
  if (!trace_path || stat(trace_path, &there) != 0 || there.st_mtime < process_start) {
    return;
  }
  size_t size = strlen(trace_path) + 16;
  char *longer = mr_alloc(size);
  if (!longer) {
    return;
  }
  snprintf(longer, size, "%s.%d", trace_path, (int)origin.process);
  mr_free(trace_path);
  trace_path = longer;
}

__attribute__((destructor)) static void stop_with_process(void) {
  if (!process_start || getpid() != origin.process) {
    return;
  }
  // acquire, pairs with make_ring(). A process in which nothing was recorded writes no file.
  if (!atomic_load_explicit(&all_rings, memory_order_acquire)) {
    return;
  }
  pthread_mutex_lock(&lock);
  step_aside();
  pthread_mutex_unlock(&lock);
  mr_status status = mr_trace_stop();
  if (status) {
    fprintf(stderr, "millrace: trace: %s\n", mr_status_message(status));
  }
  mr_status_free(status);
}
