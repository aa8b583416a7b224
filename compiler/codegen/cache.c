// Kernels by content: in memory, on disk, or compiled. Equal programs asked for at once are compiled by one thread while
// the others wait for it.
//
// Looking up takes no lock (core/table.h); only who finds a kernel in the making waits, on `made`.
//
// States of entry.state:
//
//   COMPILING --the kernel is there--> READY, until it is evicted
//       +-------there is none--------> FAILED, and out of the table
//
//   who                   operation                          order, and with what it pairs                            at once
//   thread that added it  store, COMPILING -> READY, FAILED  release of the kernel, or the status; with `made_lock`,  everybody
//                                                            for who waits
//   who finds it, who     load                               acquire, of those                                        everybody
//   evicts
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "compiler/codegen/codegen.h"
#include "compiler/codegen/disk_cache.h"
#include "compiler/codegen/elf_loader.h"
#include "compiler/codegen/llvm_engine.h"
#include "compiler/codegen/target.h"
#include "compiler/codegen/tuning.h"
#include "core/fork.h"
#include "core/ref.h"
#include "core/table.h"

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
  mr_table_entry in_table;
  mr_ref ref;  // the table's, its maker's, and one for each thread that waits
  _Atomic entry_state state;
  uint64_t order;     // when it was added, for eviction
  mr_kernel *kernel;  // owned
  mr_status status;   // owned
  entry *next;        // among those that are evicted together
};

static mr_table *table;  // read after begin() only
MR_FORK_LOCK(made_lock);
MR_FORK_LOCK(evict_lock);
static pthread_cond_t made = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
MR_FORK_LOCK(table_lock);
// Released after `table` is made; who acquires true may read it.
static atomic_bool has_table;

// What the table holds, and from how much code on something may be evicted. Relaxed: eviction goes by rough numbers.
static _Atomic size_t num_entries, code_bytes, code_limit = MR_CACHE_CODE_BYTES;
static _Atomic uint64_t next_order;

// Statistics; relaxed, they order nothing.
static _Atomic uint64_t memory_hits, disk_hits, compiled, compile_ns, looked_at;

static void count_one(_Atomic uint64_t *counter) { atomic_fetch_add_explicit(counter, 1, memory_order_relaxed); }

// Nobody in the child compiles what other threads of the parent were compiling.
static void forget_unfinished(mr_table_entry *at, void *unused) {
  (void)unused;
  entry *e = MR_CONTAINER_OF(at, entry, in_table);
  if (atomic_load_explicit(&e->state, memory_order_relaxed) == COMPILING) {
    mr_table_remove(table, at);
  }
}

static void in_child(void) {
  made = (pthread_cond_t)PTHREAD_COND_INITIALIZER;  // who waited is not there
  if (table) {
    mr_table_each(table, forget_unfinished, NULL);
  }
}

static void start(void) {
  static mr_fork_part part = {.order = MR_FORK_LOCKS, .in_child = in_child};
  mr_fork_guard(&part);
}

// Without memory for a table nothing is compiled; there may be some the next time.
static mr_status begin(void) {
  pthread_once(&once, start);
  if (MR_LIKELY(atomic_load_explicit(&has_table, memory_order_acquire))) {
    return MR_OK;
  }
  pthread_mutex_lock(&table_lock);
  if (!table) {
    table = mr_table_create(MR_CACHE_BUCKETS);
  }
  bool made_it = table != NULL;
  atomic_store_explicit(&has_table, made_it, memory_order_release);
  pthread_mutex_unlock(&table_lock);
  return made_it ? MR_OK : MR_NO_MEMORY();
}

// ---- Kernels ----------------------------------------------------------------------------------------------------------

static mr_kernel *kernel_retain(mr_kernel *kernel) {
  if (kernel) {
    atomic_fetch_add_explicit(&kernel->references, 1, memory_order_relaxed);
  }
  return kernel;
}

void mr_kernel_release(mr_kernel *kernel) {
  if (!kernel || atomic_fetch_sub_explicit(&kernel->references, 1, memory_order_acq_rel) != 1) {
    return;
  }
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
  if (!kernel) {
    return MR_NO_MEMORY();
  }
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
  if (!mr_disk_cache_load(key, &object)) {
    return false;
  }
  mr_status status = kernel_from_object(key, (mr_span){object.data, object.size}, out_kernel);
  mr_free(object.data);
  bool ok = !status;
  mr_status_free(status);
  return ok;
}

static mr_status with_text(mr_status take_status, const mr_loop_program *program) {
  if (mr_target_is_refused()) {
    return take_status;  // the program has nothing to do with it
  }
  mr_text text = {0};
  if (program->num_instrs <= 400) {
    mr_loop_print(program, &text);
  }
  mr_status status = text.data && !text.failed
                         ? mr_status_note(take_status, "compiling a kernel of %u instructions\n%.*s",
                                          program->num_instrs, (int)text.size, text.data)
                         : mr_status_note(take_status, "compiling a kernel of %u instructions", program->num_instrs);
  mr_text_deinit(&text);
  return status;
}

static mr_status by_llvm(const mr_loop_program *program, mr_hash128 key, mr_kernel **out_kernel) {
  char name[40];
  snprintf(name, sizeof name, "%016" PRIx64 "%016" PRIx64, key.high, key.low);
  uint64_t before = mr_now_ns();
  mr_object object;
  mr_status status = mr_loop_check(program);
  if (!status) {
    status = mr_codegen_object(program, name, &object);
  }
  if (status) {
    return with_text(status, program);
  }
  mr_span bytes = {object.data, object.size};
  status = kernel_from_object(key, bytes, out_kernel);
  count_one(&compiled);
  atomic_fetch_add_explicit(&compile_ns, mr_now_ns() - before, memory_order_relaxed);
  if (!status) {
    mr_disk_cache_store(key, bytes);
  }
  mr_free(object.data);
  return status;
}

static mr_status make_kernel(const mr_loop_program *program, mr_hash128 key, mr_kernel **out_kernel) {
  *out_kernel = NULL;
  if (from_disk(key, out_kernel)) {
    count_one(&disk_hits);
    return MR_OK;
  }
  return by_llvm(program, key, out_kernel);
}

// ---- The table --------------------------------------------------------------------------------------------------------

static entry *entry_create(mr_hash128 key) {
  entry *e = mr_alloc_zeroed(1, sizeof *e);
  if (!e) {
    return NULL;
  }
  e->in_table.key = key;
  e->order = atomic_fetch_add_explicit(&next_order, 1, memory_order_relaxed);
  mr_ref_init(&e->ref);
  return e;
}

static void entry_release(entry *e) {
  if (!mr_ref_release(&e->ref)) {
    return;
  }
  mr_kernel_release(e->kernel);
  mr_status_free(e->status);
  mr_free(e);
}

// Kernels nobody but the table holds. One that somebody finds at this moment stays with its finder and is evicted anyway.
static bool idle(const entry *e) {
  return atomic_load_explicit(&e->state, memory_order_acquire) == READY &&
         atomic_load_explicit(&e->kernel->references, memory_order_acquire) == 1;
}

typedef struct sweep {
  uint64_t before;  // evicts what was added earlier
  entry *evicted;
} sweep;

static void sweep_entry(mr_table_entry *at, void *context) {
  sweep *self = context;
  count_one(&looked_at);
  entry *e = MR_CONTAINER_OF(at, entry, in_table);
  if (e->order >= self->before || !idle(e) || !mr_table_remove(table, at)) {
    return;
  }
  e->next = self->evicted;
  self->evicted = e;
}

// Drops what was added before `before` and nobody uses.
static void evict(uint64_t before) {
  if (pthread_mutex_trylock(&evict_lock)) {
    return;  // somebody is at it
  }
  sweep self = {.before = before};
  mr_table_each(table, sweep_entry, &self);
  mr_rcu_wait();
  for (entry *e = self.evicted, *next; e; e = next) {
    next = e->next;
    atomic_fetch_sub_explicit(&num_entries, 1, memory_order_relaxed);
    atomic_fetch_sub_explicit(&code_bytes, mr_kernel_code_bytes(e->kernel), memory_order_relaxed);
    entry_release(e);
  }
  size_t left = atomic_load_explicit(&code_bytes, memory_order_relaxed);
  atomic_store_explicit(&code_limit, MR_MAX(MR_CACHE_CODE_BYTES, left + left / 4), memory_order_relaxed);
  pthread_mutex_unlock(&evict_lock);
}

// Drops the older half of the idle kernels once there are too many. What is in use stays: the next look at all of them comes
// when a quarter more has been added, so that a program of very many kernels does not look at each whenever it gets another.
static void evict_when_many(void) {
  if (atomic_load_explicit(&code_bytes, memory_order_relaxed) >
      atomic_load_explicit(&code_limit, memory_order_relaxed)) {
    evict(atomic_load_explicit(&next_order, memory_order_relaxed) -
          atomic_load_explicit(&num_entries, memory_order_relaxed) / 2);
  }
}

void mr_kernels_trim(void) {
  // acquire: pairs with begin().
  if (atomic_load_explicit(&has_table, memory_order_acquire)) {
    evict(UINT64_MAX);
  }
}

static mr_status wait_for(entry *take_entry, mr_kernel **out_kernel) {
  pthread_mutex_lock(&made_lock);
  while (atomic_load_explicit(&take_entry->state, memory_order_acquire) == COMPILING) {
    pthread_cond_wait(&made, &made_lock);
  }
  pthread_mutex_unlock(&made_lock);
  *out_kernel = kernel_retain(take_entry->kernel);
  mr_status status = mr_status_retain(take_entry->status);
  entry_release(take_entry);
  return status;
}

static void finish(entry *take_entry, mr_kernel *kernel, mr_status status) {
  take_entry->kernel = kernel_retain(kernel);
  take_entry->status = mr_status_retain(status);
  pthread_mutex_lock(&made_lock);
  atomic_store_explicit(&take_entry->state, status ? FAILED : READY, memory_order_release);
  pthread_cond_broadcast(&made);
  pthread_mutex_unlock(&made_lock);
  if (status) {
    mr_table_remove(table, &take_entry->in_table);
    mr_rcu_wait();
    entry_release(take_entry);  // the table's
  } else {
    atomic_fetch_add_explicit(&num_entries, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&code_bytes, mr_kernel_code_bytes(kernel), memory_order_relaxed);
    evict_when_many();
  }
  entry_release(take_entry);
}

static entry *retain_unless_ready(mr_table_entry *at, mr_kernel **out_kernel) {
  entry *e = MR_CONTAINER_OF(at, entry, in_table);
  if (atomic_load_explicit(&e->state, memory_order_acquire) == READY) {
    *out_kernel = kernel_retain(e->kernel);
    return NULL;
  }
  mr_ref_retain(&e->ref);
  return e;
}

// True if the table has the kernel, or somebody is making it: out_others is then what to wait for.
static bool find(mr_hash128 key, entry **out_others, mr_kernel **out_kernel) {
  *out_others = NULL;
  mr_rcu_begin();
  mr_table_entry *at = mr_table_find(table, key);
  *out_others = at ? retain_unless_ready(at, out_kernel) : NULL;
  mr_rcu_end();
  return at != NULL;
}

// Adds `mine` for the caller to make, unless somebody else added one of its key a moment ago: then as `find`.
static bool add(entry *mine, entry **out_others, mr_kernel **out_kernel) {
  mr_ref_retain(&mine->ref);  // the table's
  mr_rcu_begin();
  mr_table_entry *at = mr_table_add(table, &mine->in_table);
  bool added = at == &mine->in_table;
  *out_others = added ? NULL : retain_unless_ready(at, out_kernel);
  mr_rcu_end();
  if (added) {
    return true;
  }
  entry_release(mine);
  entry_release(mine);
  return false;
}

// The kernel if the table has it or somebody is making it; otherwise an entry for the caller to `finish`.
static mr_status look_up(mr_hash128 key, entry **out_mine, mr_kernel **out_kernel) {
  *out_mine = NULL;
  entry *others;
  if (!find(key, &others, out_kernel)) {
    entry *mine = entry_create(key);
    if (!mine) {
      return MR_NO_MEMORY();
    }
    if (add(mine, &others, out_kernel)) {
      *out_mine = mine;
      return MR_OK;
    }
  }
  count_one(&memory_hits);
  return others ? wait_for(others, out_kernel) : MR_OK;
}

static mr_status find_or_make(const mr_loop_program *program, mr_hash128 key, mr_kernel **out_kernel) {
  entry *mine;
  mr_status status = look_up(key, &mine, out_kernel);
  if (!mine) {
    return status;
  }
  status = make_kernel(program, key, out_kernel);
  finish(mine, *out_kernel, status);
  return status;
}

mr_status mr_kernel_preload(mr_hash128 key, mr_span object, mr_kernel **out_kernel) {
  *out_kernel = NULL;
  MR_TRY(begin());
  entry *mine;
  mr_status status = look_up(key, &mine, out_kernel);
  if (!mine) {
    return status;
  }
  status = kernel_from_object(key, object, out_kernel);
  finish(mine, *out_kernel, status);
  return status;
}

static mr_hash128 key_of(const mr_loop_program *program) {
  mr_hash128 content = mr_loop_hash(program);
  return mr_hash128_of(&content, sizeof content, mr_target_seed());
}

mr_status mr_kernel_compile(const mr_loop_program *program, mr_kernel **out_kernel) {
  *out_kernel = NULL;
  if (program->failed) {
    return mr_loop_check(program);
  }
  MR_TRY(begin());
  return find_or_make(program, key_of(program), out_kernel);
}

mr_codegen_stats mr_codegen_stats_now(void) {
  return (mr_codegen_stats){
      .memory_hits = atomic_load_explicit(&memory_hits, memory_order_relaxed),
      .disk_hits = atomic_load_explicit(&disk_hits, memory_order_relaxed),
      .compiled = atomic_load_explicit(&compiled, memory_order_relaxed),
      .compile_ns = atomic_load_explicit(&compile_ns, memory_order_relaxed),
      .looked_at = atomic_load_explicit(&looked_at, memory_order_relaxed),
      .files_looked_at = mr_disk_cache_files_looked_at(),
  };
}
