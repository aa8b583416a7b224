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

#include "core/fork.h"
#include "core/trace_ring.h"

// Threads that have ever recorded.
enum { MAX_RINGS = 512 };

_Atomic(bool) mr_trace_enabled;
_Atomic(uint32_t) mr_trace_starts;
_Thread_local int mr_trace_device = -1;

static _Thread_local ring *my_ring __attribute__((tls_model("initial-exec")));
static _Thread_local bool has_no_ring __attribute__((tls_model("initial-exec")));
// States of all_rings:
//
//   NULL --publish_ring()--> ring --publish_ring()--> newer ring, before the older ones: nothing is taken out
//
//   who                  operation                order, and with what it pairs     at once
//   thread that records  swap, list -> own, list  release of the ring and its link  everybody
//   who reads            load                     acquire, of all in the list       everybody
static _Atomic(ring *) all_rings;
static _Atomic(uint32_t) ring_count;

MR_FORK_LOCK(lock);
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
  memset(&r->open, 0, sizeof r->open);
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

// relaxed: ours.
static uint64_t count_of(const ring *r) { return atomic_load_explicit(&r->count, memory_order_relaxed); }

// A long name: what does not fit into the record itself goes before it. Returns how many records that took.
__attribute__((noinline, cold)) static uint32_t put_rest(ring *r, uint64_t count, const char *rest, size_t size) {
  uint32_t pieces = 0;
  for (size_t done = 0; done < size; done += PIECE) {
    record *to = &r->records[(count + pieces++) % RING_RECORDS];
    to->start = 0;
    to->category = TEXT;
    to->has_op = false;
    memset(to->text, 0, PIECE);
    memcpy(to->text, rest + done, MR_MIN(size - done, (size_t)PIECE));
  }
  return pieces;
}

// Returns where the record goes.
static inline uint64_t put_text(ring *r, uint64_t count, const char *text) {
  size_t size = text ? strnlen(text, MR_TRACE_NAME) : 0;
  uint32_t pieces = 0;
  if (MR_UNLIKELY(size >= PIECE)) {
    pieces = put_rest(r, count, text + PIECE - 1, size - (PIECE - 1));
    size = PIECE - 1;
  }
  record *to = &r->records[(count + pieces) % RING_RECORDS];
  memset(to->text, 0, PIECE);
  memcpy(to->text, text, size);
  to->text[PIECE - 1] = (char)pieces;
  return count + pieces;
}

// All of a record but what it is called. Bits of a word are written together, which is one store.
static inline void fill(record *to, mr_trace_category category, bool has_op, mr_trace_about about, uint64_t start,
                        uint64_t ticks, bool was_brief, uint64_t flow_in) {
  to->start = start;
  to->ticks = ticks;
  to->kind = about.kind;
  to->has_op = has_op;
  to->was_brief = was_brief;
  to->priority = (int64_t)about.priority;  // may be negative
  to->flow = flow_in;
  to->device = mr_trace_device;
  to->category = category;
  to->cost_ns = about.cost_ns;
  to->count = about.count;
}

static inline void fill_op(record *to, const mr_trace_label *label) {
  to->op = label->op;
  to->run = label->run;
}

static inline void put_span(ring *r, mr_trace_category category, const mr_trace_label *label, mr_trace_about about,
                            uint64_t start, uint64_t ticks, bool was_brief, uint64_t flow_in) {
  uint64_t count = count_of(r);
  if (!label->op) {
    count = put_text(r, count, label->text);
  }
  record *to = &r->records[count % RING_RECORDS];
  if (label->op) {
    fill_op(to, label);
  }
  r->last_end = start + ticks;
  fill(to, category, label->op != NULL, about, start, ticks, was_brief, flow_in);
  // release, pairs with write_ring().
  atomic_store_explicit(&r->count, count + 1, memory_order_release);
}

void mr_trace_open(const mr_trace_label *label, mr_trace_about about, uint64_t start, uint64_t flow_in) {
  ring *r = get_ring();
  if (!r) {
    return;
  }
  uint64_t changes = atomic_load_explicit(&r->open.changes, memory_order_relaxed);  // relaxed: ours
  if (start == 0) {
    // release, pairs with the acquire in read_open(): the record that was made before.
    atomic_store_explicit(&r->open.words[0], 0, memory_order_release);
    return;
  }
  union {
    record as;
    uint64_t words[RECORD_WORDS];
  } copy = {.words = {0}};
  fill(&copy.as, MR_TRACE_NODE, label->op != NULL, about, start, 0, false, flow_in);
  if (label->op) {
    fill_op(&copy.as, label);
  } else if (label->text) {  // as much of it as fits
    memcpy(copy.as.text, label->text, strnlen(label->text, PIECE - 1));
  }
  // Odd: who reads meanwhile looks again. It sees this before any of the words: their release pairs with its acquire.
  atomic_store_explicit(&r->open.changes, changes + 1, memory_order_relaxed);
  for (size_t i = 0; i < RECORD_WORDS; i++) {
    atomic_store_explicit(&r->open.words[i], copy.words[i], memory_order_release);
  }
  // release, pairs with the acquire in read_open().
  atomic_store_explicit(&r->open.changes, changes + 2, memory_order_release);
}

// The node that the ring's thread is in, as it was at some moment of the call. False: none, or it changes all the time.
static bool read_open(const ring *r, record *out) {
  uint64_t words[RECORD_WORDS];
  for (int tries = 0; tries < 1000; tries++) {
    // acquire, pairs with the last release of mr_trace_open(): the words of that change or later ones.
    uint64_t changes = atomic_load_explicit(&r->open.changes, memory_order_acquire);
    for (size_t i = 0; i < RECORD_WORDS; i++) {
      // acquire: of a later change's word it shows that the count is odd, or further, below.
      words[i] = atomic_load_explicit(&r->open.words[i], memory_order_acquire);
    }
    if (changes % 2 == 0 && atomic_load_explicit(&r->open.changes, memory_order_relaxed) == changes) {
      memcpy(out, words, sizeof *out);
      return out->start != 0;
    }
  }
  return false;
}

uint64_t mr_trace_label_span(mr_trace_category category, const mr_trace_label *label, mr_trace_about about,
                             uint64_t start, uint64_t flow_in) {
  // Who reads the rings has turned recording off, and reckons with one record a thread that is on its way.
  if (MR_UNLIKELY(!mr_trace_is_on())) {
    return 0;
  }
  uint64_t end = mr_trace_now();
  ring *r = get_ring();
  if (r) {
    put_span(r, category, label, about, start, end - start, false, flow_in);
  }
  return end;
}

uint64_t mr_trace_node(mr_trace_category category, const char *name, mr_trace_about about, uint64_t start,
                       uint64_t flow_in) {
  return mr_trace_label_span(category, &(mr_trace_label){.text = name}, about, start, flow_in);
}

uint64_t mr_trace_span(mr_trace_category category, const char *name, uint64_t start, uint64_t flow_in) {
  return mr_trace_node(category, name, (mr_trace_about){0}, start, flow_in);
}

const char *mr_trace_copy_name(char room[MR_TRACE_NAME + 1], const char *name) {
  size_t size = name ? strnlen(name, MR_TRACE_NAME) : 0;
  memcpy(room, name ? name : "", size);
  room[size] = '\0';
  return room;
}

uint64_t mr_trace_new_run(void) {
  static _Atomic(uint64_t) runs;
  // relaxed: a number.
  return mr_trace_is_on() ? atomic_fetch_add_explicit(&runs, 1, memory_order_relaxed) + 1 : 0;
}

void mr_trace_call(mr_trace_category category, const char *name, uint8_t kind, int device, uint64_t start) {
  int outer = mr_trace_device;
  mr_trace_device = device;
  mr_trace_node(category, name, (mr_trace_about){.kind = kind}, start, 0);
  mr_trace_device = outer;
}

// Apart, so that the other way has no registers to save.
__attribute__((noinline, cold)) static void first_brief_node(const mr_trace_label *label, mr_trace_about about,
                                                             uint64_t start, uint64_t ticks) {
  ring *r = make_ring();
  if (r) {
    put_span(r, MR_TRACE_NODE, label, about, start, ticks, true, 0);
  }
}

void mr_trace_brief_node(const mr_trace_label *label, mr_trace_about about, uint64_t start, uint64_t ticks) {
  if (!mr_trace_is_on()) {
    return;
  }
  if (MR_LIKELY(my_ring != NULL)) {
    put_span(my_ring, MR_TRACE_NODE, label, about, start, ticks, true, 0);
  } else {
    first_brief_node(label, about, start, ticks);
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
MR_FORK_LOCK(track_lock);  // a ring has one writer

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

void mr_trace_track_span(mr_trace_track *track, mr_trace_category category, const mr_trace_label *label,
                         mr_trace_about about, int device, uint64_t start, uint64_t end) {
  int outer = mr_trace_device;
  mr_trace_device = device;
  pthread_mutex_lock(&track_lock);
  put_span((ring *)track, category, label, about, start, end - start, false, 0);
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
    mr_trace_programs_stay();
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
    mr_trace_programs_may_go();
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
  mr_trace_programs_stay();
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

mr_str mr_trace_record_name(const ring *r, const record *at, char room[MR_TRACE_NAME]) {
  if (at->has_op) {
    return mr_str_of(at->op->name);
  }
  uint32_t pieces = (uint8_t)at->text[PIECE - 1];
  if (pieces == 0) {
    return (mr_str){at->text, strnlen(at->text, PIECE)};
  }
  memcpy(room, at->text, PIECE - 1);
  size_t size = PIECE - 1, slot = (size_t)(at - r->records) + RING_RECORDS - pieces;
  for (uint32_t i = 0; i < pieces && size + PIECE <= MR_TRACE_NAME; i++) {
    const record *piece = &r->records[(slot + i) % RING_RECORDS];
    if (piece->category != TEXT) {
      break;
    }
    memcpy(room + size, piece->text, PIECE);
    size += PIECE;
  }
  return (mr_str){room, strnlen(room, size)};
}

// What a visit needs to know.
typedef struct visit {
  const mr_trace_session *session;
  double ps_per_tick;
  void (*see)(void *context, const mr_trace_event *event);
  void *context;
} visit;

static void see_record(const visit *v, const ring *r, const record *at, uint64_t ticks) {
  char room[MR_TRACE_NAME];
  uint64_t offset = (uint64_t)((double)(at->start - v->session->start_ticks) * v->ps_per_tick);
  const mr_trace_event event = {
      .category = (mr_trace_category)at->category,
      .device = (int)at->device,
      .thread = r->thread,
      .thread_name = {r->thread_name, strnlen(r->thread_name, sizeof r->thread_name)},
      .name = mr_trace_record_name(r, at, room),
      .op = at->has_op ? at->op : NULL,
      .run = at->has_op ? at->run : 0,
      .wall_ns = v->session->start_wall_ns + offset / 1000,
      .offset_ps = offset,
      .duration_ps = (uint64_t)((double)ticks * v->ps_per_tick),
      .about = {
          .cost_ns = at->cost_ns, .count = at->count, .kind = (uint8_t)at->kind, .priority = (int8_t)at->priority}};
  v->see(v->context, &event);
}

static bool is_within(const visit *v, const record *at) {
  return at->start >= v->session->start_ticks && at->start <= v->session->end_ticks;
}

static void visit_ring(const visit *v, const ring *r) {
  record open;
  uint64_t first, count;
  // First: what it is recorded as later is in the ring then.
  bool is_open = read_open(r, &open) && is_within(v, &open);
  ring_range(r, &first, &count);
  for (uint64_t i = first; i < count; i++) {
    const record *at = &r->records[i % RING_RECORDS];
    if (at->category != FLOW_OUT && at->category != TEXT && is_within(v, at)) {
      is_open = is_open && !(at->start == open.start && at->category == MR_TRACE_NODE);
      see_record(v, r, at, at->ticks);
    }
  }
  if (is_open) {
    see_record(v, r, &open, v->session->end_ticks - open.start);
  }
}

void mr_trace_session_visit(const mr_trace_session *session, void (*see)(void *context, const mr_trace_event *event),
                            void *context) {
  uint64_t ticks = session->end_ticks - session->start_ticks, ns = session->end_ns - session->start_ns;
  const visit v = {session, ticks ? (double)ns * 1e3 / (double)ticks : 1e3, see, context};
  // acquire, pairs with make_ring().
  for (ring *r = atomic_load_explicit(&all_rings, memory_order_acquire); r; r = r->next) {
    visit_ring(&v, r);
  }
}

void mr_trace_session_close(mr_trace_session *session) {
  (void)session;
  mr_trace_programs_may_go();
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
