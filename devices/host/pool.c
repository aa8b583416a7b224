// The CPU's memory pool.
//
// Size classes: four per power of two, from 64 bytes. Each class keeps its free blocks in a lock-free stack of storage
// structs. Structs come from slabs that are never freed, so reading `next` of one that somebody else has just taken is harmless.
//
// States of free_blocks, cold_blocks, free_structs: a pointer in the low 48 bits, and a count of all changes in the high 16:
//
//   NULL, c --push--> top, c + 1 --push--> newer top, c + 2; --pop--> what was below, + 1; --take all--> NULL, + 1
//
//   who                operation                         order, and with what it pairs                              at once
//   who frees          swap, top, c -> own, c + 1        release of the struct and its link                         everybody
//   who allocates      load; top's `next`; swap, top, c  acquire, of the struct. A `next` that was overtaken is     everybody
//                      -> next, c + 1                    thrown away: the count makes the swap fail, but for 65536
//                                                        changes meanwhile (ABA)
//   who trims          swap, top, c -> NULL, c + 1       acquire, of all in the stack: a swap goes on with the      everybody
//                                                        release of those before
//   who looks for old  load; walk along `next`           acquire; a guess, as the blocks may be taken meanwhile     everybody
//   blocks
//
// Blocks below MR_POOL_LARGE are cut from slabs; a slab's pages are only touched as far as blocks have been cut. Larger ones
// are mappings of their own, aligned to huge pages.
//
// A free block carries the round (core/tidy.h) in which it was freed. What has been free for some rounds goes back: a mapping is
// unmapped; a part of a slab loses its pages and becomes cold, one of a second stack of its class that is looked at when the
// first is empty. The same happens sooner, to the blocks of all classes, when memory is short, and when taking more would make the
// process larger than its programs ever needed at once: oldest first. A loop that comes round takes its blocks from the stacks and
// touches no fresh page; when its phases want blocks of such different sizes that they take turns in what is given back, that is
// seen (note_return()), and for a while what was used a moment ago is kept.
#include "devices/host/pool.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "core/processor/processor.h"
#include "core/tidy.h"
#include "devices/host/budget.h"
#include "devices/tuning.h"

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

#define SLAB_BYTES ((size_t)64 << 20)
enum { CLASS_COUNT = 4 * 42, STRUCTS_PER_SLAB = 256 };

typedef struct pool_storage {
  mr_storage base;
  mr_pool_account *account;             // NULL: it is memory of the host's
  _Atomic(struct pool_storage *) next;  // in a free stack; atomic because a losing pop may read it
  size_t capacity;                      // of the block, 0 for a bare struct
  uint32_t size_class;
  _Atomic(uint32_t) freed_in;  // the round; relaxed: somebody may look before the block is taken
  // Of a block whose memory is fresh: nobody has had it and given it back. relaxed: others look at it for an estimate.
  _Atomic(size_t) fresh_size;
  _Atomic(char *) fresh_data;
} pool_storage;

typedef struct struct_slab {
  struct struct_slab *older;  // written before the slab is published
  pool_storage items[STRUCTS_PER_SLAB];
} struct_slab;

typedef _Atomic(uint64_t) stack;

static stack free_blocks[CLASS_COUNT];
static stack cold_blocks[CLASS_COUNT];  // without pages
static stack free_structs;
// States of newest_structs: NULL --> slab --> newer slab, before the older ones: nothing is taken out
//   who                operation                order, and with what it pairs     at once
//   who needs structs  swap, list -> own, list  release of the slab and its link  everybody
//   who walks it       load                     acquire, of all in the list       everybody
static _Atomic(struct_slab *) newest_structs;
// Where the next block is cut from a slab; its low bits are 0: the slab is used up, or there is none.
// States of slab_next: 0 --> in a slab --cut--> further on in it --the next does not fit--> in another slab
//   who                operation                        order, and with what it pairs                               at once
//   who wants a block  load; swap, at -> at + size, or  relaxed: addresses only; fresh pages have no content to be  everybody
//                      the next slab                    seen
static _Atomic(uintptr_t) slab_next;
// Bytes of all blocks with pages, in use or free; of the free ones those that are counted (MR_POOL_COUNTED); the most that was
// in use when something was taken from the system.
static _Atomic(uint64_t) held_bytes, peak_held_bytes, free_bytes, peak_used_bytes;
// Counts calls of tidy_up().
static _Atomic(uint32_t) current_round;
// By class, what was given back to make room, and the round; of all classes, what of it was wanted again in this round; until which
// round young blocks are kept for that reason, and for how many the next time. relaxed throughout: estimates.
static _Atomic(uint64_t) trimmed_bytes[CLASS_COUNT], returned_bytes;
static _Atomic(uint32_t) trimmed_in[CLASS_COUNT], generous_until, generous_rounds;

static bool tidy_up(void);
static mr_tidy tidy = {.run = tidy_up};

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

// Everything at once, newest first; linked through `next`.
static pool_storage *stack_take_all(stack *list) {
  uint64_t old = atomic_load_explicit(list, memory_order_relaxed);  // relaxed: only a guess for the exchange
  // acquire, as in stack_pop().
  while (stack_pointer(old) && !atomic_compare_exchange_weak_explicit(list, &old, stack_head(NULL, old),
                                                                      memory_order_acquire, memory_order_relaxed)) {
  }
  return stack_pointer(old);
}

static pool_storage *next_of(pool_storage *item) {
  return atomic_load_explicit(&item->next, memory_order_relaxed);  // relaxed: as in stack_pop()
}

// ---- System memory --------------------------------------------------------------------------------------------------

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
  return aligned;
}

// Cuts a block from the slab; starts another slab when it does not fit. The rest of the old one is never touched, so only
// addresses are lost.
static void *cut_from_slab(size_t size) {
  uintptr_t at = atomic_load_explicit(&slab_next, memory_order_relaxed);  // relaxed: see there
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

uint64_t mr_pool_system_bytes(void) { return atomic_load_explicit(&held_bytes, memory_order_relaxed); }
uint64_t mr_pool_peak_system_bytes(void) { return atomic_load_explicit(&peak_held_bytes, memory_order_relaxed); }

// The pages inside a block of a slab. Its neighbours share those at the edges.
static bool inner_pages(const pool_storage *item, char **out_begin, size_t *out_size) {
  const uintptr_t page = 4096, begin = ((uintptr_t)item->base.data + page - 1) & ~(page - 1);
  const uintptr_t end = ((uintptr_t)item->base.data + item->capacity) & ~(page - 1);
  *out_begin = (char *)begin;
  *out_size = end > begin ? end - begin : 0;
  return end > begin;
}

static void drop_pages(pool_storage *item) {
  char *begin;
  size_t size;
  if (!inner_pages(item, &begin, &size)) {
    return;
  }
  madvise(begin, size, MADV_DONTNEED);
  // Otherwise the kernel makes a huge page of it again in the background, the empty part included. Not for small blocks,
  // whose mappings would become too many.
  if (item->capacity >= MR_POOL_COUNTED) {
    madvise(begin, size, MADV_NOHUGEPAGE);
  }
}

static void allow_huge_pages(pool_storage *item) {
  char *begin;
  size_t size;
  if (item->capacity >= MR_POOL_COUNTED && inner_pages(item, &begin, &size)) {
    madvise(begin, size, MADV_HUGEPAGE);
  }
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
  slab->older = atomic_load_explicit(&newest_structs, memory_order_relaxed);  // relaxed: a guess for the exchange
  // release, pairs with untouched_bytes().
  while (!atomic_compare_exchange_weak_explicit(&newest_structs, &slab->older, slab, memory_order_release,
                                                memory_order_relaxed)) {
  }
  for (int i = 1; i < STRUCTS_PER_SLAB; i++) {
    stack_push(&free_structs, &slab->items[i]);
  }
  return &slab->items[0];
}

mr_storage *mr_pool_struct_take(void) {
  pool_storage *item = MR_PART_SUCCEEDS(MR_CALLER()) ? take_struct() : NULL;
  if (!item) {
    return NULL;
  }
  item->capacity = 0;
  return &item->base;
}

void mr_pool_struct_return(mr_storage *storage) {
  stack_push(&free_structs, MR_CONTAINER_OF(storage, pool_storage, base));
}

// ---- Giving back ----------------------------------------------------------------------------------------------------

// Takes the memory of a free block away that is in no stack.
static void give_back(pool_storage *item) {
  UNPOISON(item->base.data, item->capacity);
  // relaxed: statistics.
  if (item->capacity >= MR_POOL_COUNTED) {
    atomic_fetch_sub_explicit(&free_bytes, item->capacity, memory_order_relaxed);
  }
  atomic_fetch_sub_explicit(&held_bytes, item->capacity, memory_order_relaxed);
  if (item->capacity >= MR_POOL_LARGE) {
    munmap(item->base.data, item->capacity);
    stack_push(&free_structs, item);
  } else {
    drop_pages(item);
    POISON(item->base.data, item->capacity);
    stack_push(&cold_blocks[item->size_class], item);
  }
}

static uint32_t age_of(pool_storage *item, uint32_t now) {
  return now - atomic_load_explicit(&item->freed_in, memory_order_relaxed);
}

// Whether a class has blocks that have been free for `rounds`, and any at all. Others push and pop meanwhile, so what is seen is
// a guess, and the walk may go astray: it ends.
static bool has_old(uint32_t size_class, uint32_t rounds, bool *out_any) {
  enum { MOST = 1 << 16 };
  uint32_t now = atomic_load_explicit(&current_round, memory_order_relaxed);  // relaxed: a clock
  // acquire, pairs with stack_push().
  pool_storage *item = stack_pointer(atomic_load_explicit(&free_blocks[size_class], memory_order_acquire));
  *out_any = item != NULL;
  for (int i = 0; item && i < MOST; i++, item = next_of(item)) {
    if (age_of(item, now) >= rounds) {
      return true;
    }
  }
  return false;
}

// Gives back what has been free for `rounds`, until `wanted` bytes are reached. Returns how many it were.
static uint64_t trim_class(uint32_t size_class, uint32_t rounds, uint64_t wanted) {
  uint32_t now = atomic_load_explicit(&current_round, memory_order_relaxed);  // relaxed: a clock
  pool_storage *kept = NULL, *item = stack_take_all(&free_blocks[size_class]);
  uint64_t given = 0;
  while (item) {
    pool_storage *next = next_of(item);
    if (given < wanted && age_of(item, now) >= rounds) {
      given += item->capacity;
      give_back(item);
    } else {
      atomic_store_explicit(&item->next, kept, memory_order_relaxed);  // relaxed: nobody else has it
      kept = item;
    }
    item = next;
  }
  while (kept) {  // oldest first, so that they lie as they lay
    pool_storage *next = next_of(kept);
    stack_push(&free_blocks[size_class], kept);
    kept = next;
  }
  return given;
}

static uint32_t first_class(size_t at_least) {
  size_t capacity;
  return class_of(at_least, &capacity);
}

// Of all classes, the largest blocks first.
static uint64_t trim(uint32_t rounds, uint64_t wanted) {
  uint64_t given = 0;
  for (uint32_t c = CLASS_COUNT; c-- > first_class(MR_POOL_DECAYS) && given < wanted;) {
    bool any;
    if (has_old(c, rounds, &any)) {
      given += trim_class(c, rounds, wanted - given);
    }
  }
  return given;
}

// On the thread of core/tidy.h.
static bool tidy_up(void) {
  atomic_fetch_add_explicit(&current_round, 1, memory_order_relaxed);
  atomic_store_explicit(&returned_bytes, 0, memory_order_relaxed);
  bool left = false, any;
  for (uint32_t c = first_class(MR_POOL_DECAYS); c < CLASS_COUNT; c++) {
    if (has_old(c, MR_TIDY_IDLE_ROUNDS, &any)) {
      trim_class(c, MR_TIDY_IDLE_ROUNDS, UINT64_MAX);
    }
    left = left || any;
  }
  return left;
}

// ---- Taking from the system -----------------------------------------------------------------------------------------

// What of the fresh blocks has no pages yet, from samples.
static uint64_t untouched_bytes(void) {
  enum { MOST_SAMPLES = 64 };
  uint64_t untouched = 0;
  // acquire, pairs with take_struct().
  for (struct_slab *slab = atomic_load_explicit(&newest_structs, memory_order_acquire); slab; slab = slab->older) {
    for (int i = 0; i < STRUCTS_PER_SLAB; i++) {
      size_t size = atomic_load_explicit(&slab->items[i].fresh_size, memory_order_relaxed);
      if (!size) {
        continue;
      }
      char *data = atomic_load_explicit(&slab->items[i].fresh_data, memory_order_relaxed);
      size_t samples = MR_MIN(MR_MAX(size / MR_PROCESSOR_HUGE_PAGE, (size_t)1), (size_t)MOST_SAMPLES), missing = 0;
      for (size_t k = 0; k < samples; k++) {
        unsigned char resident = 0;
        uintptr_t page = ((uintptr_t)data + size / samples * k + size / samples / 2) & ~(uintptr_t)4095;
        // A block that was unmapped in the meantime is none of ours any more.
        missing += mincore((void *)page, 1, &resident) == 0 && !(resident & 1);
      }
      untouched += size / samples * missing;
    }
  }
  return untouched;
}

static void note_fresh(pool_storage *item) {
  if (item->capacity < MR_POOL_COUNTED) {
    return;
  }
  atomic_store_explicit(&item->fresh_data, (char *)item->base.data, memory_order_relaxed);
  atomic_store_explicit(&item->fresh_size, item->capacity, memory_order_relaxed);
}

static bool is_generous(void) {
  uint32_t now = atomic_load_explicit(&current_round, memory_order_relaxed);
  return (int32_t)(atomic_load_explicit(&generous_until, memory_order_relaxed) - now) > 0;
}

// A block of a class is taken from the system. When one like it was given back shortly before, a loop may be coming round whose
// phases make room for one another: when that is much in a round, they have room for both for some seconds, the longer the oftener it
// was seen.
static void note_return(uint32_t size_class, size_t capacity) {
  uint64_t trimmed = atomic_load_explicit(&trimmed_bytes[size_class], memory_order_relaxed);
  uint32_t now = atomic_load_explicit(&current_round, memory_order_relaxed);
  if (trimmed < capacity ||
      now - atomic_load_explicit(&trimmed_in[size_class], memory_order_relaxed) >= MR_TIDY_IDLE_ROUNDS) {
    return;
  }
  atomic_store_explicit(&trimmed_bytes[size_class], trimmed - capacity, memory_order_relaxed);
  uint64_t returned = atomic_fetch_add_explicit(&returned_bytes, capacity, memory_order_relaxed) + capacity;
  if (returned > atomic_load_explicit(&peak_used_bytes, memory_order_relaxed) / 2 && !is_generous()) {
    uint32_t rounds = atomic_load_explicit(&generous_rounds, memory_order_relaxed);
    rounds = MR_MIN(MR_MAX(2 * rounds, (uint32_t)MR_TIDY_IDLE_ROUNDS), (uint32_t)MR_POOL_GENEROUS_ROUNDS);
    atomic_store_explicit(&generous_rounds, rounds, memory_order_relaxed);
    atomic_store_explicit(&generous_until, now + rounds, memory_order_relaxed);
  }
}

// Young blocks too, which may be wanted again.
static void trim_young(uint64_t wanted) {
  uint32_t now = atomic_load_explicit(&current_round, memory_order_relaxed);
  for (uint32_t c = CLASS_COUNT; c-- > first_class(MR_POOL_COUNTED) && wanted;) {
    uint64_t given = trim_class(c, 0, wanted);
    if (given) {
      bool lately = now - atomic_load_explicit(&trimmed_in[c], memory_order_relaxed) < MR_TIDY_IDLE_ROUNDS;
      uint64_t before = lately ? atomic_load_explicit(&trimmed_bytes[c], memory_order_relaxed) : 0;
      atomic_store_explicit(&trimmed_bytes[c], before + given, memory_order_relaxed);
      atomic_store_explicit(&trimmed_in[c], now, memory_order_relaxed);
    }
    wanted -= MR_MIN(wanted, given);
  }
}

// Before more is taken: free blocks of other sizes make room for it when the process would become larger than what was ever in
// use, those first that nobody has used for a moment.
static void make_room(uint32_t size_class, size_t capacity) {
  // relaxed throughout: estimates.
  uint64_t unused = atomic_load_explicit(&free_bytes, memory_order_relaxed);
  uint64_t held = atomic_load_explicit(&held_bytes, memory_order_relaxed) + capacity;
  mr_pool_raise(&peak_used_bytes, held - MR_MIN(held, unused));
  note_return(size_class, capacity);
  if (unused <= MR_POOL_SLACK) {
    return;
  }
  uint64_t peak = atomic_load_explicit(&peak_used_bytes, memory_order_relaxed);
  uint64_t fine = peak + peak / MR_POOL_SLACK_PART + MR_POOL_SLACK;
  if (held <= fine) {
    return;
  }
  uint64_t given = trim(MR_POOL_MOMENT_ROUNDS, held - fine);
  if (given < held - fine && !is_generous()) {
    trim_young(held - fine - given);
  }
}

static bool fits(uint64_t held, size_t capacity, uint64_t *out_left) {
  uint64_t limit = mr_budget_limit();
  *out_left = limit - MR_MIN(limit, held - capacity);
  return held <= limit && mr_budget_allows(capacity, untouched_bytes, out_left);
}

// Counts `capacity` bytes as held if there are as many; makes free blocks go for them if there are not.
static mr_status reserve(size_t size, uint32_t size_class, size_t capacity) {
  make_room(size_class, capacity);
  // relaxed: a number; two threads at the limit may both be refused.
  uint64_t held = atomic_fetch_add_explicit(&held_bytes, capacity, memory_order_relaxed) + capacity, left = 0;
  if (MR_UNLIKELY(!fits(held, capacity, &left))) {
    uint64_t given = trim(0, UINT64_MAX);
    held = atomic_load_explicit(&held_bytes, memory_order_relaxed);
    if (given) {
      mr_budget_forget();
    }
    if (!given || !fits(held, capacity, &left)) {
      held = atomic_fetch_sub_explicit(&held_bytes, capacity, memory_order_relaxed) - capacity;
      return mr_error(MR_RESOURCE_EXHAUSTED,
                      "out of memory: a block of %zu bytes was asked for; %" PRIu64 " bytes are in use, %" PRIu64
                      " are allowed, and %" PRIu64 " can be had",
                      size, held, mr_budget_limit(), left);
    }
  }
  mr_pool_raise(&peak_held_bytes, held);
  return MR_OK;
}

// ---- Blocks ---------------------------------------------------------------------------------------------------------

static void release_block(mr_storage *storage) {
  pool_storage *item = MR_CONTAINER_OF(storage, pool_storage, base);
  size_t capacity = item->capacity;
  uint32_t size_class = item->size_class;
  if (MR_LIKELY(item->account != NULL)) {
    mr_pool_account_remove(item->account, capacity);
  }
  atomic_store_explicit(&item->freed_in, atomic_load_explicit(&current_round, memory_order_relaxed),
                        memory_order_relaxed);
  if (capacity >= MR_POOL_COUNTED) {
    atomic_store_explicit(&item->fresh_size, 0, memory_order_relaxed);
    uint64_t unused = atomic_fetch_add_explicit(&free_bytes, capacity, memory_order_relaxed) + capacity;
    // A quarter of the machine may lie there: enough for a training step's whole working set in practice.
    if (capacity >= MR_POOL_LARGE && unused > mr_budget_limit() / 4) {
      give_back(item);
      return;
    }
  }
  POISON(storage->data, capacity);
  stack_push(&free_blocks[size_class], item);
  if (capacity >= MR_POOL_DECAYS) {
    mr_tidy_later(&tidy);
  }
}

// A block of memory that has no pages yet.
static mr_status take_fresh(size_t size, uint32_t size_class, size_t capacity, pool_storage **out_item) {
  MR_TRY(reserve(size, size_class, capacity));
  pool_storage *item = stack_pop(&cold_blocks[size_class]);
  if (item) {
    UNPOISON(item->base.data, capacity);
    allow_huge_pages(item);
  } else if ((item = take_struct())) {
    item->base.data = capacity >= MR_POOL_LARGE ? map_huge(capacity, MR_PROCESSOR_HUGE_PAGE) : cut_from_slab(capacity);
    if (!item->base.data) {
      stack_push(&free_structs, item);
      item = NULL;
    }
  }
  if (!item) {
    atomic_fetch_sub_explicit(&held_bytes, capacity, memory_order_relaxed);  // a number
    return mr_error(MR_RESOURCE_EXHAUSTED, "out of memory: no block of %zu bytes could be had", size);
  }
  item->capacity = capacity;
  item->size_class = size_class;
  note_fresh(item);
  *out_item = item;
  return MR_OK;
}

mr_status mr_pool_allocate(mr_memory *memory, size_t size, mr_pool_account *account, mr_storage **out_storage) {
  *out_storage = NULL;
  size_t capacity = 0;
  if (size > (size_t)1 << 46) {
    return mr_error(MR_RESOURCE_EXHAUSTED, "a block of %zu bytes is more than this machine can address", size);
  }
  uint32_t size_class = class_of(size, &capacity);
  if (capacity >= MR_POOL_LARGE) {
    capacity = (capacity + MR_PROCESSOR_HUGE_PAGE - 1) & ~(MR_PROCESSOR_HUGE_PAGE - 1);
    size_class = class_of(capacity, &capacity);  // blocks of one class have one capacity
    capacity = (capacity + MR_PROCESSOR_HUGE_PAGE - 1) & ~(MR_PROCESSOR_HUGE_PAGE - 1);
  }
  if (!MR_PART_SUCCEEDS(MR_CALLER())) {
    return MR_NO_MEMORY();
  }
  pool_storage *item = stack_pop(&free_blocks[size_class]);
  if (!item) {
    MR_TRY(take_fresh(size, size_class, capacity, &item));
  } else {
    UNPOISON(item->base.data, capacity);
    if (capacity >= MR_POOL_COUNTED) {
      atomic_fetch_sub_explicit(&free_bytes, capacity, memory_order_relaxed);  // statistics
    }
  }
  void *data = item->base.data;
  item->account = memory->kind == MR_MEMORY_DEVICE ? account : NULL;
  item->base = (mr_storage){
      .data = data, .size = size, .memory = memory, .generation = item->base.generation + 1, .release = release_block};
  atomic_store_explicit(&item->base.refs, 1, memory_order_relaxed);  // relaxed: nobody else knows it yet
  if (MR_LIKELY(item->account != NULL)) {
    mr_pool_account_add(account, item->capacity);
  }
  *out_storage = &item->base;
  return MR_OK;
}
