// Blocks move between threads in batches of MR_POOL_BATCH, linked through their first word; batches are linked through
// the second word of their first block.
//
//   thread cache:  active (being used up), spare (a full batch or none), stash (full batches taken from the exchange)
//   exchange:      a few slots per size; each is a chain of batches
//
// Each batch knows its size, and a thread cache what came in and what went out: what is in use is what is missing. It costs
// nothing where a block is taken or freed, as the number of blocks that are left is there anyhow.
//
// Of larger blocks a few of each size are kept, one in a place.
//
// States of exchange_slot.head:
//
//   NULL --put--> batch --put--> newer batch, over the older ones
//     ^------------ take --------------+
//
//   who          operation                    order, and with what it pairs                             at once
//   who has one  swap, chain -> batch, chain  release of the links, for who takes                       everybody
//   who wants    exchange, chain -> NULL      acquire (acq_rel), of the links of all that are in it: a  everybody
//                                             swap goes on with the release of the one before
//
// Nobody follows a pointer of a chain that it does not own, so a block that comes back at the same address does no harm (no ABA).
#include "futures/pool.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "core/census.h"
#include "futures/tuning.h"

#if defined(__SANITIZE_ADDRESS__)
#define POOL_BYPASS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POOL_BYPASS 1
#endif
#endif

#ifdef POOL_BYPASS

void *mr_struct_alloc(size_t size) {
  void *memory = mr_alloc_aligned(MR_CACHE_LINE, size);
  if (memory) {
    mr_census_add(MR_CENSUS_blocks, 1);
  }
  return memory;
}

void mr_struct_free(void *block, size_t size) {
  (void)size;
  if (block) {
    mr_census_add(MR_CENSUS_blocks, -1);
    mr_free(block);
  }
}

#else

// ---- Large blocks -----------------------------------------------------------------------------------------------------

// Sizes above MR_POOL_MAX in quarters of a power of two, and of each so many free blocks: whoever takes one out has it.
//
// States of kept_blocks:
//
//   NULL --keep()--> a free block --take_kept()--> NULL
//
//   who        operation              order, and with what it pairs                             at once
//   who frees  swap, NULL -> block    release of what was done to the block; it fails where it  everybody
//                                     is full
//   who wants  exchange, any -> NULL  acquire, of that                                          everybody
enum { FIRST_OCTAVE = 10, OCTAVES = 5, QUARTERS = 4, LARGE_CLASSES = OCTAVES * QUARTERS };
static_assert(MR_POOL_MAX == 1 << FIRST_OCTAVE && MR_POOL_KEPT_MAX == 1 << (FIRST_OCTAVE + OCTAVES), "the classes");
static _Atomic(void *) kept_blocks[LARGE_CLASSES][MR_POOL_KEPT];

static bool is_kept(size_t size) { return size > MR_POOL_MAX && size <= MR_POOL_KEPT_MAX; }

// Where blocks of so many bytes are kept, and how large those are.
static _Atomic(void *) *kept_of(size_t *inout_size) {
  uint32_t octave = 63 - (uint32_t)__builtin_clzll(*inout_size - 1);
  uint32_t quarter = (uint32_t)((*inout_size - 1) >> (octave - 2)) & (QUARTERS - 1);
  *inout_size = (size_t)(QUARTERS + quarter + 1) << (octave - 2);
  return kept_blocks[(octave - FIRST_OCTAVE) * QUARTERS + quarter];
}

static void *take_kept(size_t *inout_size) {
  _Atomic(void *) *kept = kept_of(inout_size);
  for (uint32_t i = 0; i < MR_POOL_KEPT; i++) {
    // relaxed: an empty place is passed over. acquire, pairs with keep(): what its last owner did comes before.
    void *memory = atomic_load_explicit(&kept[i], memory_order_relaxed)
                       ? atomic_exchange_explicit(&kept[i], NULL, memory_order_acquire)
                       : NULL;
    if (memory) {
      return memory;
    }
  }
  return NULL;
}

static bool keep(void *memory, size_t size) {
  _Atomic(void *) *kept = kept_of(&size);
  for (uint32_t i = 0; i < MR_POOL_KEPT; i++) {
    void *none = NULL;
    // relaxed: a full place is passed over. release, pairs with take_kept().
    if (!atomic_load_explicit(&kept[i], memory_order_relaxed) &&
        atomic_compare_exchange_strong_explicit(&kept[i], &none, memory, memory_order_release, memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

static void *alloc_large(size_t size) {
  void *memory = is_kept(size) ? take_kept(&size) : NULL;
  memory = memory ? memory : mr_alloc_aligned(MR_CACHE_LINE, size);
  if (memory) {
    mr_census_add(MR_CENSUS_blocks, 1);
  }
  return memory;
}

static void free_large(void *memory, size_t size) {
  mr_census_add(MR_CENSUS_blocks, -1);
  if (!is_kept(size) || !keep(memory, size)) {
    mr_free(memory);
  }
}

// ---- Small blocks -----------------------------------------------------------------------------------------------------

// Half a cache line: whole ones would leave a quarter of a pending node unused.
enum { UNIT = MR_CACHE_LINE / 2, CLASS_COUNT = MR_POOL_MAX / UNIT, SLOT_COUNT = 16 };

static size_t class_of(size_t size) { return (size - 1) / UNIT; }
static size_t block_size(size_t cls) { return (cls + 1) * UNIT; }

typedef struct block {
  struct block *next;   // in the batch
  struct block *batch;  // the next batch, when this is a batch's first block
  uint32_t count;       // blocks in the batch, likewise
} block;
static_assert(sizeof(block) <= UNIT, "a free block has room for it");

typedef struct class_cache {
  block *active;
  block *spare;
  block *stash;  // counts as still in the exchange
  // relaxed everywhere: its thread's own; another one adds them up for the census.
  _Atomic(uint32_t) active_count, spare_count;
  _Atomic(int64_t) net;  // blocks that came in, less those that went out
  // Blocks to carve from memory nobody used yet.
  char *fresh, *fresh_end;
} class_cache;

// Kept for the next thread when this one ends, without its blocks.
//
// States of thread_cache.taken:
//
//   true, as it is made --flush_cache()--> false --left_cache()--> true
//
//   who                 operation             order, and with what it pairs                at once
//   thread that ends    store, true -> false  release of the cache, which it leaves empty  threads that begin
//   thread that begins  swap, false -> true   acquire, of that                             everybody
typedef struct thread_cache {
  class_cache classes[CLASS_COUNT];
  uint32_t slot;  // where this thread puts and first looks
  struct thread_cache *next;
  atomic_bool taken;
} thread_cache;

typedef struct chunk {
  struct chunk *next;
} chunk;

typedef struct exchange_slot {
  _Alignas(MR_CACHE_LINE) _Atomic(block *) head;
} exchange_slot;

static exchange_slot exchange_slots[CLASS_COUNT][SLOT_COUNT];
// All memory ever taken; keeps it reachable for leak checkers.
static _Atomic(chunk *) all_chunks;
static _Atomic(uint32_t) next_slot;
// States of all_caches:
//
//   NULL --add--> cache --add--> newer cache, over the older ones: nothing is taken out
//
//   who                 operation                order, and with what it pairs                at once
//   thread that begins  swap, list -> own, list  release (acq_rel) of the cache and its link  everybody
//   who walks it        load                     acquire, of all in the list                  everybody
static _Atomic(thread_cache *) all_caches;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool key_ok;
static _Thread_local thread_cache *cache __attribute__((tls_model("initial-exec")));

// relaxed: see class_cache.
static uint32_t get(const _Atomic(uint32_t) *count) { return atomic_load_explicit(count, memory_order_relaxed); }
static void set(_Atomic(uint32_t) *count, uint32_t value) { atomic_store_explicit(count, value, memory_order_relaxed); }
static void add_net(class_cache *c, int64_t count) {
  atomic_store_explicit(&c->net, atomic_load_explicit(&c->net, memory_order_relaxed) + count, memory_order_relaxed);
}

// For a batch that this thread has; its size is known there from here on.
static void put_batch(size_t cls, uint32_t slot, block *batch) {
  _Atomic(block *) *head = &exchange_slots[cls][slot % SLOT_COUNT].head;
  block *old = atomic_load_explicit(head, memory_order_relaxed);  // relaxed: only a guess for the swap below
  do {
    batch->batch = old;
    // release, pairs with the acquire in take_batches(): the batch's links are written before it can be seen.
  } while (!atomic_compare_exchange_weak_explicit(head, &old, batch, memory_order_release, memory_order_relaxed));
}

static block *take_batches(size_t cls, uint32_t slot) {
  for (uint32_t i = 0; i < SLOT_COUNT; i++) {
    _Atomic(block *) *head = &exchange_slots[cls][(slot + i) % SLOT_COUNT].head;
    // relaxed: an empty slot is skipped without taking its cache line for writing.
    if (!atomic_load_explicit(head, memory_order_relaxed)) {
      continue;
    }
    // acquire, pairs with the release in put_batch(). Taking over a chain also takes over what earlier owners wrote.
    block *chain = atomic_exchange_explicit(head, NULL, memory_order_acq_rel);
    if (chain) {
      return chain;
    }
  }
  return NULL;
}

static void put_own(thread_cache *mine, size_t cls, block *batch, uint32_t count) {
  batch->count = count;
  add_net(&mine->classes[cls], -(int64_t)count);
  put_batch(cls, mine->slot, batch);
}

static void flush_class(thread_cache *mine, size_t cls) {
  class_cache *c = &mine->classes[cls];
  size_t size = block_size(cls);
  for (; c->fresh < c->fresh_end; c->fresh += size) {
    block *b = (block *)(void *)c->fresh;
    b->next = c->active;
    c->active = b;
    set(&c->active_count, get(&c->active_count) + 1);
    add_net(c, 1);
  }
  if (c->active) {
    put_own(mine, cls, c->active, get(&c->active_count));
  }
  if (c->spare) {
    put_own(mine, cls, c->spare, get(&c->spare_count));
  }
  while (c->stash) {
    block *batch = c->stash;
    c->stash = batch->batch;
    put_batch(cls, mine->slot, batch);
  }
  c->active = c->spare = NULL;
  set(&c->active_count, 0);
  set(&c->spare_count, 0);
}

static void flush_cache(void *memory) {
  thread_cache *mine = memory;
  for (size_t cls = 0; cls < CLASS_COUNT; cls++) {
    flush_class(mine, cls);
  }
  cache = NULL;
  // release, pairs with the acquire in left_cache(): whoever takes it finds it empty.
  atomic_store_explicit(&mine->taken, false, memory_order_release);
}

static void make_key(void) { key_ok = pthread_key_create(&key, flush_cache) == 0; }

// The cache of a thread that is over.
static thread_cache *left_cache(void) {
  // acquire, pairs with the release in add_cache().
  thread_cache *found = atomic_load_explicit(&all_caches, memory_order_acquire);
  for (; found; found = found->next) {
    bool taken = false;
    // acquire, pairs with the release in flush_cache().
    if (atomic_compare_exchange_strong_explicit(&found->taken, &taken, true, memory_order_acquire,
                                                memory_order_relaxed)) {
      return found;
    }
  }
  return NULL;
}

static thread_cache *add_cache(void) {
  thread_cache *fresh = mr_alloc_zeroed(1, sizeof *fresh);
  if (!fresh) {
    return NULL;
  }
  atomic_init(&fresh->taken, true);
  fresh->next = atomic_load_explicit(&all_caches, memory_order_relaxed);  // relaxed: a guess for the swap
  // acq_rel: release pairs with the acquire of who walks the list, acquire passes on what was put there before.
  while (!atomic_compare_exchange_weak_explicit(&all_caches, &fresh->next, fresh, memory_order_acq_rel,
                                                memory_order_relaxed)) {
  }
  return fresh;
}

static thread_cache *make_cache(void) {
  pthread_once(&key_once, make_key);
  if (!key_ok) {
    return NULL;
  }
  thread_cache *mine = left_cache();
  if (!mine) {
    mine = add_cache();
  }
  if (!mine) {
    return NULL;
  }
  // relaxed: spreads threads over slots, nothing more.
  mine->slot = atomic_fetch_add_explicit(&next_slot, 1, memory_order_relaxed);
  if (pthread_setspecific(key, mine) != 0) {
    flush_cache(mine);
    return NULL;
  }
  cache = mine;
  return mine;
}

static bool carve_chunk(class_cache *c, size_t size) {
  char *memory = mr_alloc_aligned(MR_CACHE_LINE, MR_POOL_CHUNK);
  if (!memory) {
    return false;
  }
  chunk *link = (chunk *)(void *)memory;
  link->next = atomic_load_explicit(&all_chunks, memory_order_relaxed);  // relaxed: never followed by this program
  while (!atomic_compare_exchange_weak_explicit(&all_chunks, &link->next, link, memory_order_relaxed,
                                                memory_order_relaxed)) {
  }
  c->fresh = memory + MR_CACHE_LINE;
  c->fresh_end = c->fresh + (MR_POOL_CHUNK - MR_CACHE_LINE) / size * size;
  return true;
}

// For a thread that can have no cache: a block that somebody gave back, the rest of which goes there again, or a new one.
static void *alloc_uncached(size_t cls) {
  block *batch = take_batches(cls, 0);
  void *result = batch ? batch : mr_alloc_aligned(MR_CACHE_LINE, block_size(cls));
  if (result) {
    mr_census_add(MR_CENSUS_blocks, 1);
  }
  if (!batch) {
    return result;
  }
  for (block *other = batch->batch; other;) {
    block *next = other->batch;  // read first: it is another's once it is put
    put_batch(cls, 0, other);
    other = next;
  }
  if (batch->next) {
    batch->next->count = batch->count - 1;
    put_batch(cls, 0, batch->next);
  }
  return result;
}

__attribute__((noinline)) static void *alloc_slow(size_t cls) {
  thread_cache *mine = cache ? cache : make_cache();
  if (MR_UNLIKELY(!mine)) {
    return alloc_uncached(cls);
  }
  class_cache *c = &mine->classes[cls];
  if (!c->spare && !c->stash && c->fresh == c->fresh_end) {
    c->stash = take_batches(cls, mine->slot);
  }
  if (c->spare || c->stash) {
    block *batch = c->spare ? c->spare : c->stash;
    if (batch == c->spare) {
      c->spare = NULL;
      set(&c->active_count, get(&c->spare_count) - 1);
      set(&c->spare_count, 0);
    } else {
      c->stash = batch->batch;
      add_net(c, batch->count);
      set(&c->active_count, batch->count - 1);
    }
    c->active = batch->next;
    return batch;
  }
  size_t size = block_size(cls);
  if (c->fresh == c->fresh_end && !carve_chunk(c, size)) {
    return NULL;
  }
  void *result = c->fresh;
  c->fresh += size;
  add_net(c, 1);
  return result;
}

void *mr_struct_alloc(size_t size) {
  if (!MR_PART_SUCCEEDS(MR_CALLER())) {
    return NULL;
  }
  if (MR_UNLIKELY(size > MR_POOL_MAX || size == 0)) {
    return alloc_large(size);
  }
  size_t cls = class_of(size);
  thread_cache *mine = cache;
  if (MR_UNLIKELY(!mine || !mine->classes[cls].active)) {
    return alloc_slow(cls);
  }
  class_cache *c = &mine->classes[cls];
  block *b = c->active;
  c->active = b->next;
  set(&c->active_count, get(&c->active_count) - 1);
  return b;
}

// A full active batch becomes the spare one; the spare one before it goes to the exchange.
__attribute__((noinline)) static void pass_on(thread_cache *mine, size_t cls) {
  class_cache *c = &mine->classes[cls];
  if (c->spare) {
    put_own(mine, cls, c->spare, get(&c->spare_count));
  }
  c->spare = c->active;
  set(&c->spare_count, get(&c->active_count));
  c->active = NULL;
  set(&c->active_count, 0);
}

void mr_struct_free(void *memory, size_t size) {
  if (!memory) {
    return;
  }
  if (MR_UNLIKELY(size > MR_POOL_MAX || size == 0)) {
    free_large(memory, size);
    return;
  }
  size_t cls = class_of(size);
  block *b = memory;
  thread_cache *mine = cache ? cache : make_cache();
  if (MR_UNLIKELY(!mine)) {  // no memory for a cache: a batch of one
    b->next = NULL;
    b->count = 1;
    put_batch(cls, 0, b);
    mr_census_add(MR_CENSUS_blocks, -1);
    return;
  }
  class_cache *c = &mine->classes[cls];
  b->next = c->active;
  c->active = b;
  uint32_t count = get(&c->active_count) + 1;
  set(&c->active_count, count);
  if (MR_UNLIKELY(count >= MR_POOL_BATCH)) {
    pass_on(mine, cls);
  }
}

static int64_t in_use(void) {
  int64_t sum = 0;
  // acquire, pairs with the release in add_cache().
  for (thread_cache *t = atomic_load_explicit(&all_caches, memory_order_acquire); t; t = t->next) {
    for (size_t cls = 0; cls < CLASS_COUNT; cls++) {
      class_cache *c = &t->classes[cls];
      sum += atomic_load_explicit(&c->net, memory_order_relaxed) - get(&c->active_count) - get(&c->spare_count);
    }
  }
  return sum;
}

__attribute__((constructor)) static void answer_census(void) { mr_census_ask(MR_CENSUS_blocks, in_use); }

#endif
