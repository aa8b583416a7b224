// Blocks move between threads in batches of MR_POOL_BATCH, linked through their first word; batches are linked through
// the second word of their first block.
//
//   thread cache:  active (being used up), spare (a full batch or none), stash (full batches taken from the exchange)
//   exchange:      a few slots per size; each is a chain of batches
//
// A slot is filled by compare-and-swap at the head and emptied by exchange with NULL. Nobody follows a pointer of a chain
// that it does not own, so a block that comes back at the same address does no harm (no ABA).
#include "futures/pool.h"

#include <pthread.h>
#include <stdatomic.h>

#include "futures/tuning.h"

#if defined(__SANITIZE_ADDRESS__)
#define POOL_BYPASS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POOL_BYPASS 1
#endif
#endif

#ifdef POOL_BYPASS

void *mr_pool_alloc(size_t size) { return mr_alloc_aligned(MR_CACHE_LINE, size); }
void mr_pool_free(void *block, size_t size) {
  (void)size;
  mr_free(block);
}

#else

// Half a cache line: whole ones would leave a quarter of a pending node unused.
enum { UNIT = MR_CACHE_LINE / 2, CLASS_COUNT = MR_POOL_MAX / UNIT, SLOT_COUNT = 16 };

static size_t class_of(size_t size) { return (size - 1) / UNIT; }
static size_t block_size(size_t cls) { return (cls + 1) * UNIT; }

typedef struct block {
  struct block *next;   // in the batch
  struct block *batch;  // the next batch, when this is a batch's first block
} block;

typedef struct class_cache {
  block *active;
  block *spare;
  block *stash;
  uint32_t active_count;
  // Blocks to carve from memory nobody used yet.
  char *fresh, *fresh_end;
} class_cache;

typedef struct thread_cache {
  class_cache classes[CLASS_COUNT];
  uint32_t slot;  // where this thread puts and first looks
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
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool key_ok;
static _Thread_local thread_cache *cache __attribute__((tls_model("initial-exec")));

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
    if (!atomic_load_explicit(head, memory_order_relaxed)) continue;
    // acquire, pairs with the release in put_batch(). Taking over a chain also takes over what earlier owners wrote.
    block *chain = atomic_exchange_explicit(head, NULL, memory_order_acq_rel);
    if (chain) return chain;
  }
  return NULL;
}

static void flush_cache(void *memory) {
  thread_cache *mine = memory;
  for (size_t cls = 0; cls < CLASS_COUNT; cls++) {
    class_cache *c = &mine->classes[cls];
    size_t size = block_size(cls);
    while (c->fresh < c->fresh_end) {
      block *b = (block *)(void *)c->fresh;
      c->fresh += size;
      b->next = c->active;
      c->active = b;
    }
    if (c->active) put_batch(cls, mine->slot, c->active);
    if (c->spare) put_batch(cls, mine->slot, c->spare);
    while (c->stash) {
      block *batch = c->stash;
      c->stash = batch->batch;
      put_batch(cls, mine->slot, batch);
    }
  }
  cache = NULL;
  mr_free(mine);
}

static void make_key(void) { key_ok = pthread_key_create(&key, flush_cache) == 0; }

static thread_cache *make_cache(void) {
  pthread_once(&key_once, make_key);
  thread_cache *mine = mr_alloc_zeroed(1, sizeof(*mine));
  if (!mine) return NULL;
  // relaxed: spreads threads over slots, nothing more.
  mine->slot = atomic_fetch_add_explicit(&next_slot, 1, memory_order_relaxed);
  if (!key_ok || pthread_setspecific(key, mine) != 0) {
    mr_free(mine);
    return NULL;
  }
  cache = mine;
  return mine;
}

static bool carve_chunk(class_cache *c, size_t size) {
  char *memory = mr_alloc_aligned(MR_CACHE_LINE, MR_POOL_CHUNK);
  if (!memory) return false;
  chunk *link = (chunk *)(void *)memory;
  link->next = atomic_load_explicit(&all_chunks, memory_order_relaxed);  // relaxed: never followed by this program
  while (!atomic_compare_exchange_weak_explicit(&all_chunks, &link->next, link, memory_order_relaxed,
                                                memory_order_relaxed)) {
  }
  c->fresh = memory + MR_CACHE_LINE;
  c->fresh_end = c->fresh + (MR_POOL_CHUNK - MR_CACHE_LINE) / size * size;
  return true;
}

static void *alloc_slow(size_t cls) {
  thread_cache *mine = cache ? cache : make_cache();
  if (!mine) return NULL;
  class_cache *c = &mine->classes[cls];
  if (!c->spare && !c->stash && c->fresh == c->fresh_end) c->stash = take_batches(cls, mine->slot);
  if (c->spare || c->stash) {
    block *batch = c->spare ? c->spare : c->stash;
    if (batch == c->spare) {
      c->spare = NULL;
      c->active_count = MR_POOL_BATCH - 1;
    } else {
      c->stash = batch->batch;
      c->active_count = MR_POOL_BATCH - 1;  // fewer in what a dying thread left; it only decides when to pass on
    }
    c->active = batch->next;
    return batch;
  }
  size_t size = block_size(cls);
  if (c->fresh == c->fresh_end && !carve_chunk(c, size)) return NULL;
  void *result = c->fresh;
  c->fresh += size;
  return result;
}

void *mr_pool_alloc(size_t size) {
  if (MR_UNLIKELY(size > MR_POOL_MAX || size == 0)) return mr_alloc_aligned(MR_CACHE_LINE, size);
  size_t cls = class_of(size);
  thread_cache *mine = cache;
  if (MR_UNLIKELY(!mine || !mine->classes[cls].active)) return alloc_slow(cls);
  class_cache *c = &mine->classes[cls];
  block *b = c->active;
  c->active = b->next;
  c->active_count--;
  return b;
}

// A full active batch becomes the spare one; the spare one before it goes to the exchange.
static void pass_on(thread_cache *mine, size_t cls) {
  class_cache *c = &mine->classes[cls];
  if (c->spare) put_batch(cls, mine->slot, c->spare);
  c->spare = c->active;
  c->active = NULL;
  c->active_count = 0;
}

void mr_pool_free(void *memory, size_t size) {
  if (!memory) return;
  if (MR_UNLIKELY(size > MR_POOL_MAX || size == 0)) {
    mr_free(memory);
    return;
  }
  size_t cls = class_of(size);
  block *b = memory;
  thread_cache *mine = cache ? cache : make_cache();
  if (MR_UNLIKELY(!mine)) {  // no memory for a cache: a batch of one
    b->next = NULL;
    put_batch(cls, 0, b);
    return;
  }
  class_cache *c = &mine->classes[cls];
  b->next = c->active;
  c->active = b;
  if (MR_UNLIKELY(++c->active_count >= MR_POOL_BATCH)) pass_on(mine, cls);
}

#endif
