// The CPU's memory pool.
//
// Size classes: four per power of two, from 64 bytes. Each class keeps its free blocks in a lock-free stack of storage
// structs. A stack head is one word: pointer in the low 48 bits, a counter in the high 16 that changes with every push and
// pop, so that a pop that was overtaken fails its exchange (ABA). Structs come from slabs that are never freed, so reading
// `next` of a struct that somebody else has just taken is harmless.
//
// Blocks below MR_POOL_LARGE are cut from slabs and stay in the process; a slab's pages are only touched as far as blocks have
// been cut. Larger ones are mappings of their own, aligned to huge pages; they are given back when the free ones together
// pass the cache limit.
#include "devices/cpu/pool.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define POOL_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POOL_ASAN 1
#endif
#endif
#ifdef POOL_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(data, size) __asan_poison_memory_region((data), (size))
#define UNPOISON(data, size) __asan_unpoison_memory_region((data), (size))
#else
#define POISON(data, size) ((void)0)
#define UNPOISON(data, size) ((void)0)
#endif

#define HUGE_PAGE ((size_t)2 << 20)
// From here on the rounding to huge pages costs less than 1/4.
#define MR_POOL_LARGE ((size_t)8 << 20)
#define SLAB_BYTES ((size_t)64 << 20)
enum { CLASS_COUNT = 4 * 42, STRUCTS_PER_SLAB = 256 };

typedef struct pool_storage {
  mr_storage base;
  mr_pool_account *account;
  _Atomic(struct pool_storage *) next;  // in a free stack; atomic because a losing pop may read it
  size_t capacity;                      // of the block, 0 for a bare struct
  uint32_t size_class;
} pool_storage;

typedef struct struct_slab {
  struct struct_slab *older;
  pool_storage items[STRUCTS_PER_SLAB];
} struct_slab;

typedef _Atomic(uint64_t) stack;

static stack free_blocks[CLASS_COUNT];
static stack free_structs;
static _Atomic(struct_slab *) newest_structs;
// The slab small blocks are cut from: base address, with the bytes used so far added. Zero: none yet.
static _Atomic(uintptr_t) slab_next;
static _Atomic(uint64_t) system_bytes, peak_system_bytes, cached_large_bytes;

// ---- Stacks ---------------------------------------------------------------------------------------------------------

static pool_storage *stack_pointer(uint64_t head) { return (pool_storage *)(uintptr_t)(head & 0xFFFFFFFFFFFFu); }

static uint64_t stack_head(pool_storage *top, uint64_t old) {
  return (uint64_t)(uintptr_t)top | ((old & ~(uint64_t)0xFFFFFFFFFFFFu) + ((uint64_t)1 << 48));
}

static void stack_push(stack *list, pool_storage *item) {
  uint64_t old = atomic_load_explicit(list, memory_order_relaxed);  // relaxed: only a guess for the exchange
  do {
    // relaxed: published by the exchange below.
    atomic_store_explicit(&item->next, stack_pointer(old), memory_order_relaxed);
    // release, pairs with the acquire in stack_pop(): the taker sees the struct as it was pushed.
  } while (!atomic_compare_exchange_weak_explicit(list, &old, stack_head(item, old), memory_order_release,
                                                  memory_order_relaxed));
}

static pool_storage *stack_pop(stack *list) {
  // acquire, pairs with the release in stack_push(); also on the retries.
  uint64_t old = atomic_load_explicit(list, memory_order_acquire);
  for (;;) {
    pool_storage *top = stack_pointer(old);
    if (!top) {
      return NULL;
    }
    // relaxed: when somebody was faster this value is stale, and the counter makes the exchange fail.
    pool_storage *next = atomic_load_explicit(&top->next, memory_order_relaxed);
    if (atomic_compare_exchange_weak_explicit(list, &old, stack_head(next, old), memory_order_acquire,
                                              memory_order_acquire)) {
      return top;
    }
  }
}

// ---- System memory --------------------------------------------------------------------------------------------------

static void count_system(int64_t bytes) {
  // relaxed throughout: statistics.
  uint64_t now = atomic_fetch_add_explicit(&system_bytes, (uint64_t)bytes, memory_order_relaxed) + (uint64_t)bytes;
  uint64_t peak = atomic_load_explicit(&peak_system_bytes, memory_order_relaxed);
  while ((int64_t)(now - peak) > 0 && !atomic_compare_exchange_weak_explicit(
                                          &peak_system_bytes, &peak, now, memory_order_relaxed, memory_order_relaxed)) {
  }
}

// A mapping with huge pages where they are to be had; `alignment` is a multiple of them, `size` too.
static void *map_huge(size_t size, size_t alignment) {
  char *raw = mmap(NULL, size + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) {
    return NULL;
  }
  char *aligned = (char *)(((uintptr_t)raw + alignment - 1) & ~(alignment - 1));
  if (aligned != raw) {
    munmap(raw, (size_t)(aligned - raw));
  }
  size_t tail = (size_t)(raw + alignment - aligned);
  if (tail) {
    munmap(aligned + size, tail);
  }
  madvise(aligned, size, MADV_HUGEPAGE);  // a wish: without huge pages it is merely slower
  count_system((int64_t)size);
  return aligned;
}

// Cuts a block from the slab; starts another slab when it does not fit. The rest of the old one is never touched, so only
// addresses are lost.
static void *cut_from_slab(size_t size) {
  uintptr_t at = atomic_load_explicit(&slab_next, memory_order_relaxed);  // relaxed: addresses only, no content
  for (;;) {
    if (at && (at & (SLAB_BYTES - 1)) != 0 && (at & (SLAB_BYTES - 1)) + size <= SLAB_BYTES) {
      // An exactly full slab would look like an unused next one: its low bits are zero, which the test above refuses.
      if (atomic_compare_exchange_weak_explicit(&slab_next, &at, at + size, memory_order_relaxed,
                                                memory_order_relaxed)) {
        return (void *)at;
      }
      continue;
    }
    char *slab = map_huge(SLAB_BYTES, SLAB_BYTES);
    if (!slab) {
      return NULL;
    }
    uintptr_t fresh = (uintptr_t)slab + MR_MAX(size, (size_t)64);
    // Whoever loses the race keeps its slab for this block alone; rare, and the memory stays usable as that block.
    atomic_compare_exchange_strong_explicit(&slab_next, &at, fresh, memory_order_relaxed, memory_order_relaxed);
    return slab;
  }
}

uint64_t mr_pool_system_bytes(void) { return atomic_load_explicit(&system_bytes, memory_order_relaxed); }
uint64_t mr_pool_peak_system_bytes(void) { return atomic_load_explicit(&peak_system_bytes, memory_order_relaxed); }

static uint64_t read_cgroup_limit(void) {
  static const char *const files[] = {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
  for (size_t i = 0; i < MR_ARRAY_SIZE(files); i++) {
    FILE *file = fopen(files[i], "re");
    unsigned long long limit = 0;
    int got = file ? fscanf(file, "%llu", &limit) : 0;
    if (file) {
      fclose(file);
    }
    if (got == 1) {
      return limit;
    }
  }
  return UINT64_MAX;
}

uint64_t mr_pool_limit_bytes(void) {
  static _Atomic(uint64_t) known;
  uint64_t limit = atomic_load_explicit(&known, memory_order_relaxed);  // relaxed: every thread computes the same
  if (limit == 0) {
    limit = MR_MIN((uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE), read_cgroup_limit());
    atomic_store_explicit(&known, limit, memory_order_relaxed);
  }
  return limit;
}

// ---- Size classes ---------------------------------------------------------------------------------------------------

static uint32_t class_of(size_t size, size_t *out_capacity) {
  if (size <= 64) {
    *out_capacity = 64;
    return 0;
  }
  // size - 1 lies in [2^p, 2^(p+1)): quarter steps of 2^p.
  unsigned p = 63u - (unsigned)__builtin_clzll(size - 1);
  size_t step = MR_MAX((size_t)1 << p >> 2, (size_t)16);
  size_t steps = (size - 1 - ((size_t)1 << p)) / step + 1;
  size_t capacity = ((size_t)1 << p) + steps * step;
  *out_capacity = (capacity + 63) & ~(size_t)63;
  return 4 * (p - 6) + (uint32_t)steps;
}

// ---- Structs --------------------------------------------------------------------------------------------------------

static pool_storage *take_struct(void) {
  pool_storage *item = stack_pop(&free_structs);
  if (item) {
    return item;
  }
  struct_slab *slab = mr_alloc_zeroed(1, sizeof *slab);
  if (!slab) {
    return NULL;
  }
  // relaxed: nobody follows the chain, it is there for the leak checker, which does not see through tagged heads.
  slab->older = atomic_exchange_explicit(&newest_structs, slab, memory_order_relaxed);
  for (int i = 1; i < STRUCTS_PER_SLAB; i++) {
    stack_push(&free_structs, &slab->items[i]);
  }
  return &slab->items[0];
}

mr_storage *mr_pool_struct_take(void) {
  pool_storage *item = take_struct();
  if (!item) {
    return NULL;
  }
  item->capacity = 0;
  return &item->base;
}

void mr_pool_struct_return(mr_storage *storage) {
  stack_push(&free_structs, MR_CONTAINER_OF(storage, pool_storage, base));
}

// ---- Blocks ---------------------------------------------------------------------------------------------------------

static void release_block(mr_storage *storage) {
  pool_storage *item = MR_CONTAINER_OF(storage, pool_storage, base);
  atomic_fetch_sub_explicit(&item->account->bytes_in_use, item->capacity, memory_order_relaxed);  // statistics
  if (item->capacity >= MR_POOL_LARGE) {
    uint64_t cached = atomic_fetch_add_explicit(&cached_large_bytes, item->capacity, memory_order_relaxed);
    // A quarter of the machine may lie in the cache: enough for a training step's whole working set in practice.
    if (cached + item->capacity > mr_pool_limit_bytes() / 4) {
      atomic_fetch_sub_explicit(&cached_large_bytes, item->capacity, memory_order_relaxed);
      munmap(storage->data, item->capacity);
      count_system(-(int64_t)item->capacity);
      stack_push(&free_structs, item);
      return;
    }
  }
  POISON(storage->data, item->capacity);
  stack_push(&free_blocks[item->size_class], item);
}

static pool_storage *new_block(uint32_t size_class, size_t capacity) {
  pool_storage *item = take_struct();
  if (!item) {
    return NULL;
  }
  item->base.data = capacity >= MR_POOL_LARGE ? map_huge(capacity, HUGE_PAGE) : cut_from_slab(capacity);
  if (!item->base.data) {
    stack_push(&free_structs, item);
    return NULL;
  }
  item->capacity = capacity;
  item->size_class = size_class;
  return item;
}

static void count_allocation(mr_pool_account *account, size_t capacity) {
  // relaxed throughout: statistics.
  uint64_t now = atomic_fetch_add_explicit(&account->bytes_in_use, capacity, memory_order_relaxed) + capacity;
  atomic_fetch_add_explicit(&account->num_allocs, 1, memory_order_relaxed);
  uint64_t peak = atomic_load_explicit(&account->peak_bytes_in_use, memory_order_relaxed);
  while (now > peak && !atomic_compare_exchange_weak_explicit(&account->peak_bytes_in_use, &peak, now,
                                                              memory_order_relaxed, memory_order_relaxed)) {
  }
  uint64_t largest = atomic_load_explicit(&account->largest_alloc_size, memory_order_relaxed);
  while (capacity > largest && !atomic_compare_exchange_weak_explicit(&account->largest_alloc_size, &largest, capacity,
                                                                      memory_order_relaxed, memory_order_relaxed)) {
  }
}

mr_status mr_pool_allocate(mr_memory *memory, size_t size, mr_pool_account *account, mr_storage **out_storage) {
  *out_storage = NULL;
  size_t capacity = 0;
  if (size > (size_t)1 << 46) {
    return mr_error(MR_RESOURCE_EXHAUSTED, "a block of %zu bytes is more than this machine can address", size);
  }
  uint32_t size_class = class_of(size, &capacity);
  if (capacity >= MR_POOL_LARGE) {
    capacity = (capacity + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    size_class = class_of(capacity, &capacity);  // blocks of one class have one capacity
    capacity = (capacity + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
  }
  if (capacity > mr_pool_limit_bytes()) {
    return mr_error(MR_RESOURCE_EXHAUSTED, "out of memory: a block of %zu bytes was asked for, the machine has %llu",
                    size, (unsigned long long)mr_pool_limit_bytes());
  }
  pool_storage *item = stack_pop(&free_blocks[size_class]);
  if (item) {
    UNPOISON(item->base.data, item->capacity);
    if (item->capacity >= MR_POOL_LARGE) {
      atomic_fetch_sub_explicit(&cached_large_bytes, item->capacity, memory_order_relaxed);  // statistics
    }
  } else {
    item = new_block(size_class, capacity);
    if (!item) {
      return mr_error(MR_RESOURCE_EXHAUSTED, "out of memory: no block of %zu bytes could be had", size);
    }
  }
  void *data = item->base.data;
  item->account = account;
  item->base = (mr_storage){
      .data = data, .size = size, .memory = memory, .generation = item->base.generation + 1, .release = release_block};
  atomic_store_explicit(&item->base.refs, 1, memory_order_relaxed);  // relaxed: nobody else knows it yet
  count_allocation(account, item->capacity);
  *out_storage = &item->base;
  return MR_OK;
}
