// Each figure is the best of a few tries of some hundred microseconds: another process that runs meanwhile makes a try slower and
// never faster.
#include "devices/host/probe.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "core/processor/measure.h"
#include "core/processor/processor.h"

// What the caches are measured with at most, and what is read from memory at once: it takes 300 us at 14 bytes in a nanosecond.
#define BLOCK ((size_t)16 << 20)
#define MEMORY_BYTES ((size_t)4 << 20)
// A try of what stays in a cache, and one of arithmetic.
#define CACHE_TRY_BYTES ((size_t)4 << 20)
#define ARITHMETIC_ROUNDS 20000
enum { TRIES = 5, HANDOVERS = 8, FEWEST_HANDOVERS = 3, MOST_TOGETHER = 32 };
// What all cores measure for themselves at once, and how long they wait for each other.
#define TOGETHER_BYTES ((size_t)2 << 20)
#define TOGETHER_WAIT_NS 300000
// Longer than a worker looks for work before it sleeps, and than a hypervisor waits for it to wake up; and how long one waits for
// another one, and what is believed of that.
#define ASLEEP_NS 2000000
#define HANDOVER_WAIT_NS 500000
#define LONGEST_WAKE_NS 200000
#define LONGEST_HANDOVER_NS 20000

typedef struct probe {
  mr_group *group;
  mr_figures *figures;
  bool (*stop)(void *context);
  void *context;
  char *block;  // BLOCK bytes
} probe;

static bool stopped(const probe *p) { return p->stop && p->stop(p->context); }

// ---- Memory -----------------------------------------------------------------------------------------------------------

typedef enum way { READ, WRITE, STREAM } way;

static void go_over(way how, void *data, size_t bytes) {
  switch (how) {
  case READ: mr_processor_read(data, bytes); break;
  case WRITE: mr_processor_write(data, bytes); break;
  case STREAM: mr_processor_stream(data, bytes); break;
  }
}

// The best rate of going over `bytes` of the block that are in a cache.
static double cache_rate(const probe *p, way how, size_t bytes) {
  uint64_t best = UINT64_MAX;
  size_t times = MR_MAX(CACHE_TRY_BYTES / bytes, (size_t)1);
  go_over(how, p->block, bytes);
  for (int i = 0; i < TRIES; i++) {
    uint64_t start = mr_now_ns();
    for (size_t j = 0; j < times; j++) {
      go_over(how, p->block, bytes);
    }
    best = MR_MIN(best, mr_now_ns() - start);
  }
  return (double)(bytes * times) / (double)MR_MAX(best, 1);
}

// Half of a level, so that it is all there, and well over what the levels inside hold.
static void measure_caches(const probe *p) {
  double inner = 0;
  for (size_t i = 0; i < MR_FIGURES_CACHES; i++) {
    mr_cache_figures *c = &p->figures->caches[i];
    double bytes = MR_MIN(MR_MAX(c->bytes / 2, inner * 2), MR_MIN((double)BLOCK, 4 * MR_MAX(inner, c->bytes / 8)));
    size_t size = (size_t)bytes / 4096 * 4096;
    // The inner level holds most of it: there is no telling them apart.
    bool distinct = c->bytes > 0 && size >= 4096 && bytes > inner && bytes <= c->bytes && !stopped(p);
    if (distinct) {
      c->read_bytes_per_ns = cache_rate(p, READ, size);
      c->write_bytes_per_ns = cache_rate(p, WRITE, size);
    }
    inner = MR_MAX(inner, c->bytes);
  }
}

// Stores past the caches leave nothing of a block in them, which is how it gets out.
static double memory_rate(const probe *p, way how) {
  uint64_t best = UINT64_MAX;
  for (int i = 0; i < TRIES; i++) {
    mr_processor_stream(p->block, MEMORY_BYTES);
    uint64_t start = mr_now_ns();
    go_over(how, p->block, MEMORY_BYTES);
    best = MR_MIN(best, mr_now_ns() - start);
  }
  return (double)MEMORY_BYTES / (double)MR_MAX(best, 1);
}

// A line that is written comes into the cache first, which is what a try sees, and goes back to memory later.
static double write_rate(double into_cache, double back) { return 1 / (1 / into_cache + 1 / back); }

static void measure_memory(const probe *p) {
  if (!mr_processor_stream(p->block, MEMORY_BYTES) || stopped(p)) {
    return;  // nothing gets out of the caches: the defaults hold
  }
  mr_figures *f = p->figures;
  f->memory_read_bytes_per_ns = memory_rate(p, READ);
  f->memory_stream_bytes_per_ns = memory_rate(p, STREAM);
  f->memory_write_bytes_per_ns = write_rate(memory_rate(p, WRITE), f->memory_stream_bytes_per_ns);
  uint64_t best = UINT64_MAX;
  for (int i = 0; i < TRIES; i++) {
    mr_processor_stream(p->block, 2 * MEMORY_BYTES);
    uint64_t start = mr_now_ns();
    memcpy(p->block + MEMORY_BYTES, p->block, MEMORY_BYTES);
    best = MR_MIN(best, mr_now_ns() - start);
  }
  f->copy_bytes_per_ns = (double)MEMORY_BYTES / (double)MR_MAX(best, 1);
}

// ---- Arithmetic -------------------------------------------------------------------------------------------------------

static double multiply_rate(mr_dtype type) {
  double best = 0;
  for (int i = 0; i < TRIES; i++) {
    uint64_t start = mr_now_ns();
    double made = mr_processor_multiply(type, ARITHMETIC_ROUNDS);
    best = MR_MAX(best, made / (double)MR_MAX(mr_now_ns() - start, 1));
  }
  return best;
}

static void measure_arithmetic(const probe *p) {
  mr_figures *f = p->figures;
  if (stopped(p) || mr_processor_multiply(MR_F32, 1) == 0) {
    return;
  }
  f->f32_flops_per_ns = multiply_rate(MR_F32);
  f->f64_flops_per_ns = multiply_rate(MR_F64);
  f->bf16_flops_per_ns = multiply_rate(MR_BF16);
  f->f16_flops_per_ns = multiply_rate(MR_F16);
  f->s8_flops_per_ns = multiply_rate(MR_S8);
}

// ---- All cores together -----------------------------------------------------------------------------------------------

typedef struct together {
  char *blocks;
  way how;
  uint32_t count;
  // When the first began and the last ended; relaxed: read after the loop, whose end orders.
  _Atomic uint32_t arrived, took_part;
  _Atomic uint64_t begin, end;
} together;

// Each waits until all are there: one that comes late has begun nothing, and what was measured is not the whole.
static void measure_one(void *context, int64_t from, int64_t to) {
  together *t = context;
  for (int64_t i = from; i < to; i++) {
    char *mine = t->blocks + (size_t)i * TOGETHER_BYTES;
    mr_processor_stream(mine, TOGETHER_BYTES);
    // relaxed throughout: numbers that one thread reads, after the loop.
    atomic_fetch_add_explicit(&t->arrived, 1, memory_order_relaxed);
    uint64_t give_up = mr_now_ns() + TOGETHER_WAIT_NS, start = 0;
    while (atomic_load_explicit(&t->arrived, memory_order_relaxed) < t->count && (start = mr_now_ns()) < give_up) {
      mr_processor_pause();
    }
    start = mr_now_ns();
    if (start >= give_up) {
      return;
    }
    go_over(t->how, mine, TOGETHER_BYTES);
    uint64_t end = mr_now_ns(), first = 0;
    atomic_compare_exchange_strong_explicit(&t->begin, &first, start, memory_order_relaxed, memory_order_relaxed);
    for (uint64_t last = atomic_load_explicit(&t->end, memory_order_relaxed); last < end;) {
      if (atomic_compare_exchange_weak_explicit(&t->end, &last, end, memory_order_relaxed, memory_order_relaxed)) {
        break;
      }
    }
    atomic_fetch_add_explicit(&t->took_part, 1, memory_order_relaxed);
  }
}

// 0: the others had something else to do.
static double together_rate(const probe *p, way how, uint32_t count) {
  double best = 0;
  for (int i = 0; i < TRIES && !stopped(p); i++) {
    together t = {.blocks = p->block, .how = how, .count = count};
    mr_parallel_for(p->group, count, measure_one, &t, 1, UINT32_MAX);
    if (t.took_part == count && t.end > t.begin) {
      best = MR_MAX(best, (double)count * (double)TOGETHER_BYTES / (double)(t.end - t.begin));
    }
  }
  return best;
}

// Where others are busy, two cores do twice what one does, and more of them no more than that.
static double all_rate(double together_do, double one_does, double units) {
  double most = one_does * units;
  return together_do > 0 ? MR_MAX(MR_MIN(together_do, most), one_does) : one_does * MR_MIN(units, 2);
}

static void measure_together(const probe *p) {
  mr_figures *f = p->figures;
  uint32_t most = (uint32_t)MR_MIN(BLOCK / TOGETHER_BYTES, (size_t)MOST_TOGETHER);
  uint32_t count = MR_MIN(mr_group_concurrency(p->group), most);
  double rates[3] = {0};
  if (count > 1 && mr_processor_stream(p->block, MEMORY_BYTES)) {
    rates[READ] = together_rate(p, READ, count);
    rates[STREAM] = together_rate(p, STREAM, count);
    double into_cache = together_rate(p, WRITE, count);
    rates[WRITE] = into_cache > 0 && rates[STREAM] > 0 ? write_rate(into_cache, rates[STREAM]) : 0;
  }
  f->memory_all_read_bytes_per_ns = all_rate(rates[READ], f->memory_read_bytes_per_ns, f->units);
  f->memory_all_write_bytes_per_ns = all_rate(rates[WRITE], f->memory_write_bytes_per_ns, f->units);
  f->memory_all_stream_bytes_per_ns = all_rate(rates[STREAM], f->memory_stream_bytes_per_ns, f->units);
}

// ---- Handing over -----------------------------------------------------------------------------------------------------

// Two tiles: whoever calls waits in the first that he comes to until another thread has begun with the other one.
typedef struct handover {
  _Atomic uint64_t begun;  // release by who begins, acquire by who waits; 0: nobody
} handover;

static _Thread_local bool is_caller;

static void hand_over(void *context, int64_t from, int64_t to) {
  (void)from, (void)to;
  handover *h = context;
  if (!is_caller) {
    atomic_store_explicit(&h->begun, mr_now_ns(), memory_order_release);
    return;
  }
  uint64_t give_up = mr_now_ns() + HANDOVER_WAIT_NS;
  while (!atomic_load_explicit(&h->begun, memory_order_acquire) && mr_now_ns() < give_up) {
    mr_processor_pause();
  }
}

// 0: nobody came.
static double handover_once(const probe *p) {
  handover h = {0};
  is_caller = true;
  uint64_t start = mr_now_ns();
  mr_parallel_for(p->group, 2, hand_over, &h, 1, UINT32_MAX);
  is_caller = false;
  uint64_t begun = atomic_load_explicit(&h.begun, memory_order_acquire);
  return begun > start ? (double)(begun - start) : 0;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

// What a quarter of the tries stay below, of those in which it was the other thread's turn at all: the least is none to count
// on, and the longest are those of a neighbour. `otherwise` where there are too few.
static double typical(double *values, size_t count, double otherwise) {
  qsort(values, count, sizeof *values, by_value);
  return count >= FEWEST_HANDOVERS ? values[count / 4] : otherwise;
}

static void measure_handover(const probe *p) {
  double asleep[HANDOVERS], looking[HANDOVERS];
  size_t num_asleep = 0, num_looking = 0;
  for (int i = 0; i < HANDOVERS && mr_group_concurrency(p->group) > 1 && !stopped(p); i++) {
    nanosleep(&(struct timespec){.tv_nsec = ASLEEP_NS}, NULL);
    double first = handover_once(p), second = handover_once(p);
    if (first > 0 && first < LONGEST_WAKE_NS) {
      asleep[num_asleep++] = first;
    }
    if (second > 0 && second < LONGEST_HANDOVER_NS) {
      looking[num_looking++] = second;
    }
  }
  mr_figures *f = p->figures;
  f->handover_ns = typical(looking, num_looking, f->handover_ns);
  f->wake_ns = MR_MAX(typical(asleep, num_asleep, f->wake_ns), f->handover_ns);
}

bool mr_probe_measure(mr_group *group, bool (*stop)(void *context), void *context, mr_figures *figures) {
  size_t room = BLOCK + MR_PROCESSOR_HUGE_PAGE;
  void *memory = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return false;
  }
  uintptr_t first = ((uintptr_t)memory + MR_PROCESSOR_HUGE_PAGE - 1) & ~(uintptr_t)(MR_PROCESSOR_HUGE_PAGE - 1);
  probe p = {.group = group, .figures = figures, .stop = stop, .context = context, .block = (char *)first};
  (void)madvise(p.block, BLOCK, MADV_HUGEPAGE);
  memset(p.block, 1, BLOCK);
  measure_arithmetic(&p);
  measure_caches(&p);
  measure_memory(&p);
  measure_together(&p);
  measure_handover(&p);
  munmap(memory, room);
  return !stopped(&p);
}
