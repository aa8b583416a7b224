// Kernels by content: in memory, on disk, or compiled. Equal programs asked for at once are compiled by one thread while
// the others wait for it.
//
// The table is split into stripes by key, each with a lock and a condition; looking up holds a lock for some tens of
// nanoseconds, compiling holds none.
//   entry COMPILING -> READY   by the thread that made it; the table's own reference to the kernel goes in
//   entry COMPILING -> FAILED  by that thread, which also takes it out of the table; the last waiter frees it
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "compiler/codegen/codegen.h"
#include "compiler/codegen/disk_cache.h"
#include "compiler/codegen/elf_loader.h"
#include "compiler/codegen/engine.h"
#include "compiler/codegen/target.h"
#include "compiler/codegen/tuning.h"

struct mr_kernel {
  // Relaxed to add (the caller holds one already); acq_rel to drop, so that the last one sees all uses finished.
  _Atomic uint32_t references;
  mr_kernel_fn function;
  mr_code_block code;
  mr_hash128 key;
  mr_span object;                // behind this struct; some kilobytes
} __attribute__((aligned(16)));  // the object as well

typedef enum entry_state { COMPILING, READY, FAILED } entry_state;

typedef struct entry entry;
struct entry {
  entry *next;  // in the bucket
  mr_hash128 key;
  entry_state state;
  uint32_t waiters;
  uint64_t order;  // when it was added, for eviction
  mr_kernel *kernel;
  mr_status status;
};

typedef struct stripe {
  pthread_mutex_t lock;
  pthread_cond_t done;
  entry **buckets;
  size_t num_buckets, count, bytes;
  uint64_t next_order;
} __attribute__((aligned(MR_CACHE_LINE))) stripe;

static stripe stripes[MR_CACHE_STRIPES];
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Statistics; relaxed, they order nothing.
static _Atomic uint64_t memory_hits, disk_hits, compiled, compile_ns;

static void count_one(_Atomic uint64_t *counter) { atomic_fetch_add_explicit(counter, 1, memory_order_relaxed); }

// A fork while another thread held a stripe would leave it locked in the child; nobody there compiles what that thread
// was compiling either, so the child starts with an empty table (kernels stay alive through their owners' references).
static void reset_stripes(void) {
  for (size_t i = 0; i < MR_CACHE_STRIPES; i++) {
    pthread_mutex_init(&stripes[i].lock, NULL);
    pthread_cond_init(&stripes[i].done, NULL);
    stripes[i].buckets = NULL;
    stripes[i].num_buckets = stripes[i].count = stripes[i].bytes = 0;
  }
}

static void before_fork(void) {
  mr_engine_hold();
  mr_code_hold();
}

static void after_fork(void) {
  mr_code_let_go();
  mr_engine_let_go();
}

static void after_fork_in_child(void) {
  mr_code_let_go();
  mr_engine_let_go_in_child();
  reset_stripes();
}

static void start(void) {
  reset_stripes();
  pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

// ---- Kernels ----------------------------------------------------------------------------------------------------------

mr_kernel *mr_kernel_retain(mr_kernel *kernel) {
  if (kernel) atomic_fetch_add_explicit(&kernel->references, 1, memory_order_relaxed);
  return kernel;
}

void mr_kernel_release(mr_kernel *kernel) {
  if (!kernel || atomic_fetch_sub_explicit(&kernel->references, 1, memory_order_acq_rel) != 1) return;
  mr_code_free(kernel->code);
  mr_free(kernel);
}

mr_kernel_fn mr_kernel_function(const mr_kernel *kernel) { return kernel->function; }
size_t mr_kernel_code_bytes(const mr_kernel *kernel) { return kernel->code.size; }
mr_hash128 mr_kernel_key(const mr_kernel *kernel) { return kernel->key; }
mr_span mr_kernel_object(const mr_kernel *kernel) { return kernel->object; }
mr_hash128 mr_codegen_identity(void) { return mr_target_seed(); }

static mr_status kernel_from_object(mr_hash128 key, mr_span object, mr_kernel **out_kernel) {
  *out_kernel = NULL;
  mr_kernel *kernel = mr_alloc_zeroed(1, sizeof *kernel + object.size);
  if (!kernel) return MR_NO_MEMORY();
  kernel->key = key;
  kernel->object = (mr_span){kernel + 1, object.size};
  __builtin_memcpy(kernel + 1, object.data, object.size);
  void *entry_point;
  mr_status status = mr_elf_load(kernel->object, "kernel", &kernel->code, &entry_point);
  if (status) {
    mr_free(kernel);
    return status;
  }
  // POSIX lets a data pointer be read as a function pointer; C has no cast for it.
  _Static_assert(sizeof kernel->function == sizeof entry_point, "function pointers are addresses");
  __builtin_memcpy(&kernel->function, &entry_point, sizeof entry_point);
  atomic_store_explicit(&kernel->references, 1, memory_order_relaxed);  // nobody else has it yet
  *out_kernel = kernel;
  return MR_OK;
}

static bool from_disk(mr_hash128 key, mr_kernel **out_kernel) {
  mr_object object;
  if (!mr_disk_cache_load(key, &object)) return false;
  mr_status status = kernel_from_object(key, (mr_span){object.data, object.size}, out_kernel);
  mr_free(object.data);
  bool ok = !status;
  mr_status_free(status);
  return ok;
}

static mr_status with_text(mr_status take_status, const mr_loop_program *program) {
  mr_text text = {0};
  if (program->num_instrs <= 400) mr_loop_print(program, &text);
  mr_status status = text.data && !text.failed
                         ? mr_status_note(take_status, "compiling a kernel of %u instructions\n%.*s",
                                          program->num_instrs, (int)text.size, text.data)
                         : mr_status_note(take_status, "compiling a kernel of %u instructions", program->num_instrs);
  mr_text_deinit(&text);
  return status;
}

static mr_status by_llvm(const mr_loop_program *program, bool quick, mr_hash128 key, mr_kernel **out_kernel) {
  char name[40];
  snprintf(name, sizeof name, "%016" PRIx64 "%016" PRIx64, key.high, key.low);
  uint64_t before = mr_now_ns();
  mr_object object;
  mr_status status = mr_loop_check(program);
  if (!status) status = mr_codegen_object(program, quick, name, &object);
  if (status) return with_text(status, program);
  mr_span bytes = {object.data, object.size};
  status = kernel_from_object(key, bytes, out_kernel);
  count_one(&compiled);
  atomic_fetch_add_explicit(&compile_ns, mr_now_ns() - before, memory_order_relaxed);
  if (!status) mr_disk_cache_store(key, bytes);
  mr_free(object.data);
  return status;
}

static mr_status make_kernel(const mr_loop_program *program, bool quick, mr_hash128 key, mr_kernel **out_kernel) {
  *out_kernel = NULL;
  if (from_disk(key, out_kernel)) {
    count_one(&disk_hits);
    return MR_OK;
  }
  return by_llvm(program, quick, key, out_kernel);
}

// ---- The table --------------------------------------------------------------------------------------------------------

static entry **find(stripe *s, mr_hash128 key) {
  static entry *none;
  if (!s->num_buckets) return &none;
  entry **at = &s->buckets[key.low & (s->num_buckets - 1)];
  while (*at && ((*at)->key.low != key.low || (*at)->key.high != key.high)) at = &(*at)->next;
  return at;
}

static bool grow(stripe *s) {
  if (s->count < s->num_buckets) return true;
  size_t bigger = s->num_buckets ? s->num_buckets * 2 : 64;
  entry **buckets = mr_alloc_zeroed(bigger, sizeof *buckets);
  if (!buckets) return s->num_buckets > 0;
  for (size_t i = 0; i < s->num_buckets; i++) {
    for (entry *e = s->buckets[i], *next; e; e = next) {
      next = e->next;
      e->next = buckets[e->key.low & (bigger - 1)];
      buckets[e->key.low & (bigger - 1)] = e;
    }
  }
  mr_free(s->buckets);
  s->buckets = buckets;
  s->num_buckets = bigger;
  return true;
}

static entry *add(stripe *s, mr_hash128 key) {
  entry *e = grow(s) ? mr_alloc_zeroed(1, sizeof *e) : NULL;
  if (!e) return NULL;
  e->key = key;
  e->order = s->next_order++;
  e->next = s->buckets[key.low & (s->num_buckets - 1)];
  s->buckets[key.low & (s->num_buckets - 1)] = e;
  s->count++;
  return e;
}

static void unlink_entry(stripe *s, entry *e) {
  entry **at = find(s, e->key);
  if (*at != e) return;
  *at = e->next;
  s->count--;
}

// Kernels nobody but the table holds. Under the stripe's lock a count of one cannot rise: only a lookup here raises it.
static bool idle(const entry *e) {
  return e->state == READY && atomic_load_explicit(&e->kernel->references, memory_order_acquire) == 1;
}

// Drops the older half of the idle kernels once a stripe holds more than its share.
static void evict(stripe *s) {
  if (s->bytes <= MR_CACHE_CODE_BYTES / MR_CACHE_STRIPES) return;
  uint64_t middle = s->next_order - s->count / 2;
  for (size_t i = 0; i < s->num_buckets; i++) {
    for (entry **at = &s->buckets[i]; *at;) {
      entry *e = *at;
      if (!idle(e) || e->order >= middle) {
        at = &e->next;
        continue;
      }
      *at = e->next;
      s->count--;
      s->bytes -= mr_kernel_code_bytes(e->kernel);
      mr_kernel_release(e->kernel);
      mr_free(e);
    }
  }
}

static mr_status wait_for(stripe *s, entry *e, mr_kernel **out_kernel) {
  e->waiters++;
  while (e->state == COMPILING) pthread_cond_wait(&s->done, &s->lock);
  e->waiters--;
  if (e->state == READY) {
    *out_kernel = mr_kernel_retain(e->kernel);
    return MR_OK;
  }
  mr_status status = mr_status_retain(e->status);
  if (!e->waiters) {
    mr_status_free(e->status);
    mr_free(e);
  }
  return status;
}

static void finish(stripe *s, entry *e, mr_kernel *kernel, mr_status status) {
  e->state = status ? FAILED : READY;
  if (!status) {
    e->kernel = mr_kernel_retain(kernel);
    s->bytes += mr_kernel_code_bytes(kernel);
    evict(s);
  } else {
    unlink_entry(s, e);
    if (e->waiters) {
      e->status = mr_status_retain(status);
    } else {
      mr_free(e);
    }
  }
  pthread_cond_broadcast(&s->done);
}

// The kernel if the table has it or somebody is making it; otherwise adds an entry for the caller to make.
static mr_status look_up(stripe *s, mr_hash128 key, entry **out_new, mr_kernel **out_kernel) {
  *out_new = NULL;
  pthread_mutex_lock(&s->lock);
  entry *e = *find(s, key);
  mr_status status = MR_OK;
  if (e) {
    count_one(&memory_hits);
    status = wait_for(s, e, out_kernel);
  } else {
    *out_new = add(s, key);
    if (!*out_new) status = MR_NO_MEMORY();
  }
  pthread_mutex_unlock(&s->lock);
  return status;
}

static stripe *stripe_of(mr_hash128 key) { return &stripes[key.high % MR_CACHE_STRIPES]; }

static mr_status find_or_make(const mr_loop_program *program, bool quick, mr_hash128 key, mr_kernel **out_kernel) {
  stripe *s = stripe_of(key);
  entry *e;
  mr_status status = look_up(s, key, &e, out_kernel);
  if (!e) return status;
  status = make_kernel(program, quick, key, out_kernel);
  pthread_mutex_lock(&s->lock);
  finish(s, e, *out_kernel, status);
  pthread_mutex_unlock(&s->lock);
  return status;
}

mr_status mr_kernel_preload(mr_hash128 key, mr_span object, mr_kernel **out_kernel) {
  *out_kernel = NULL;
  pthread_once(&once, start);
  stripe *s = stripe_of(key);
  entry *e;
  mr_status status = look_up(s, key, &e, out_kernel);
  if (!e) return status;
  status = kernel_from_object(key, object, out_kernel);
  pthread_mutex_lock(&s->lock);
  finish(s, e, *out_kernel, status);
  pthread_mutex_unlock(&s->lock);
  return status;
}

static mr_hash128 key_of(const mr_loop_program *program) {
  mr_hash128 content = mr_loop_hash(program);
  return mr_hash128_of(&content, sizeof content, mr_target_seed());
}

mr_status mr_kernel_compile(const mr_loop_program *program, mr_kernel **out_kernel) {
  *out_kernel = NULL;
  if (program->failed) return mr_loop_check(program);
  pthread_once(&once, start);
  return find_or_make(program, false, key_of(program), out_kernel);
}

static bool is_ready(mr_hash128 key) {
  stripe *s = stripe_of(key);
  pthread_mutex_lock(&s->lock);
  entry *e = *find(s, key);
  bool ready = e && e->state == READY;
  pthread_mutex_unlock(&s->lock);
  return ready;
}

mr_status mr_kernel_compile_quick(const mr_loop_program *program, mr_kernel **out_kernel) {
  *out_kernel = NULL;
  if (program->failed) return mr_loop_check(program);
  pthread_once(&once, start);
  mr_hash128 key = key_of(program);
  if (is_ready(key)) return find_or_make(program, false, key, out_kernel);
  static const char mark[] = "quick";
  return find_or_make(program, true, mr_hash128_of(mark, sizeof mark, key), out_kernel);
}

mr_codegen_stats mr_codegen_stats_now(void) {
  return (mr_codegen_stats){
      .memory_hits = atomic_load_explicit(&memory_hits, memory_order_relaxed),
      .disk_hits = atomic_load_explicit(&disk_hits, memory_order_relaxed),
      .compiled = atomic_load_explicit(&compiled, memory_order_relaxed),
      .compile_ns = atomic_load_explicit(&compile_ns, memory_order_relaxed),
  };
}
