// races: plain memory in the second pass. Models are compiled as for ThreadSanitizer (tests/CMakeLists.txt), so each access calls a
// function; here are those functions, in place of the sanitizer's runtime. Two accesses to the same byte by two threads, one of which
// writes and one of which is not atomic, must happen one before the other, by the clocks of orders.c. What is gone must not be
// touched at all, in either pass.
//
// Not seen: what functions that are linked, and not part of the model, do to memory (core's statuses), and what the setting up and the
// checks of a scenario do, which are before and after everything. Of each eight bytes the last accesses of each thread are known.
#include "tests/model/inside.h"

#include <stdio.h>
#include <string.h>

#undef memset
#undef memcpy

enum { WORDS = 1 << 14, TOUCHES = 14 };
typedef enum touch_kind { READS, WRITES, READS_ATOMIC, WRITES_ATOMIC } touch_kind;

typedef struct touch {
  const void *from;  // the code
  uint32_t time;
  uint8_t thread, mask, kind;  // mask: a bit for each byte
} touch;

static struct word {
  uintptr_t address;
  uint64_t run;
  uint32_t count;
  touch touches[TOUCHES];
} words[WORDS];

static struct word *word_of(uintptr_t address) {
  uint64_t at = model_mix(5, address), end = at + WORDS;
  for (;; at++) {
    struct word *w = &words[at % WORDS];
    if (w->run != model_run_number) {
      w->run = model_run_number;
      w->address = address;
      w->count = 0;
    }
    if (w->address == address) {
      return w;
    }
    model_check(at < end, "too much memory is touched");
  }
}

static bool is_write(touch_kind kind) { return kind == WRITES || kind == WRITES_ATOMIC; }
static bool is_atomic(touch_kind kind) { return kind == READS_ATOMIC || kind == WRITES_ATOMIC; }

// Where in the program's file an address is, for addr2line.
static unsigned long place(const void *from) {
  extern const char __executable_start[];
  return (unsigned long)((const char *)from - __executable_start);
}

static void report(const touch *a, const touch *b) {
  static const char *const kinds[] = {"read", "write", "atomic read", "atomic write"};
  char text[200];
  snprintf(text, sizeof text,
           "two threads are at the same memory at once: %s by thread %d at %#lx, %s by thread %d at %#lx",
           kinds[a->kind], a->thread, place(a->from), kinds[b->kind], b->thread, place(b->from));
  model_check(false, text);
}

static void touch_word(uintptr_t address, uint8_t mask, touch_kind kind, const void *from) {
  struct word *w = word_of(address);
  const times *now = &model_now[model_current];
  touch mine = {from, now->at[model_current], (uint8_t)model_current, mask, (uint8_t)kind};
  uint32_t kept = 0;
  for (uint32_t i = 0; i < w->count; i++) {
    const touch *t = &w->touches[i];
    bool overlaps = t->mask & mask, before = t->time <= now->at[t->thread];
    if (overlaps && !before && (is_write(t->kind) || is_write(kind)) && !(is_atomic(t->kind) && is_atomic(kind))) {
      report(t, &mine);
    }
    // What comes later and conflicts with an access that this one makes needless conflicts with this one.
    bool is_mine = t->thread == model_current && t->kind == kind;
    bool needless = !(t->mask & ~mask) && (is_mine || (kind == WRITES && before));
    if (!needless) {
      w->touches[kept++] = *t;
    }
  }
  if (kept == TOUCHES) {
    memmove(&w->touches[0], &w->touches[1], (TOUCHES - 1) * sizeof w->touches[0]);
    kept--;
  }
  w->touches[kept++] = mine;
  w->count = kept;
}

static void touch_range(const volatile void *address, size_t size, touch_kind kind, const void *from) {
  uintptr_t at = (uintptr_t)address, end = at + size;
  while (at < end) {
    uintptr_t word = at & ~(uintptr_t)7, stop = word + 8 < end ? word + 8 : end;
    uint32_t mask = ((1u << (stop - at)) - 1) << (at - word);
    touch_word(word, (uint8_t)mask, kind, from);
    at = stop;
  }
}

// Variables that are MODEL_COUNTS; the linker has their addresses where there are any.
extern const char __start_model_counts[] __attribute__((weak)), __stop_model_counts[] __attribute__((weak));

static bool is_count(const volatile void *address) {
  return (const volatile char *)address >= __start_model_counts && (const volatile char *)address < __stop_model_counts;
}

static inline bool is_watched(const volatile void *address) {
  return model_is_weak && model_current >= 0 && !model_is_local(address) && !is_count(address);
}

// ---- Blocks ---------------------------------------------------------------------------------------------------------------------------

static const char *blocks;
static size_t blocks_size;
static const bool *blocks_there;

void model_watch_blocks(const char *begin, size_t count, const bool *there) {
  blocks = begin;
  blocks_size = count * MODEL_BLOCK;
  blocks_there = there;
}

static void say_gone(const void *from) {
  char text[80];
  snprintf(text, sizeof text, "memory that is not there any more is touched at %#lx", place(from));
  model_check(false, text);
}

void model_check_there(const volatile void *address, const void *from) {
  size_t at = (uintptr_t)address - (uintptr_t)blocks;
  if (at < blocks_size && !blocks_there[at / MODEL_BLOCK]) {
    say_gone(from);
  }
}

// ---- Accesses -------------------------------------------------------------------------------------------------------------------------

static inline void touch_plain(const volatile void *address, size_t size, touch_kind kind, const void *from) {
  model_check_there(address, from);
  if (is_watched(address)) {
    touch_range(address, size, kind, from);
  }
}

void model_touch_atomic(const volatile void *address, size_t size, bool writes, const void *from) {
  if (is_watched(address)) {
    touch_range(address, size, writes ? WRITES_ATOMIC : READS_ATOMIC, from);
  }
}

void *model_memset(void *to, int value, size_t size) {
  touch_plain(to, size, WRITES, __builtin_return_address(0));
  return memset(to, value, size);
}

void *model_memcpy(void *to, const void *from, size_t size) {
  touch_plain(to, size, WRITES, __builtin_return_address(0));
  touch_plain(from, size, READS, __builtin_return_address(0));
  return memcpy(to, from, size);
}

#if !MR_TEST_SANITIZED  // where models run, and no sanitizer has these
// ---- What the compiler calls ----------------------------------------------------------------------------------------------------------

void __tsan_init(void);
void __tsan_init(void) {}
void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void);
void __tsan_func_exit(void) {}
void *__tsan_memset(void *to, int value, size_t size);
void *__tsan_memset(void *to, int value, size_t size) { return model_memset(to, value, size); }
void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memcpy(void *to, const void *from, size_t size) { return model_memcpy(to, from, size); }
// core/tsan.h
void __tsan_acquire(void *address);
void __tsan_acquire(void *address) { model_take_over(address); }
void __tsan_release(void *address);
void __tsan_release(void *address) { model_hand_over(address); }

#define TOUCHED(name, bytes, kind)   \
  void __tsan_##name(void *address); \
  void __tsan_##name(void *address) { touch_plain(address, bytes, kind, __builtin_return_address(0)); }
TOUCHED(read1, 1, READS)
TOUCHED(read2, 2, READS)
TOUCHED(read4, 4, READS)
TOUCHED(read8, 8, READS)
TOUCHED(read16, 16, READS)
TOUCHED(unaligned_read2, 2, READS)
TOUCHED(unaligned_read4, 4, READS)
TOUCHED(unaligned_read8, 8, READS)
TOUCHED(unaligned_read16, 16, READS)
TOUCHED(write1, 1, WRITES)
TOUCHED(write2, 2, WRITES)
TOUCHED(write4, 4, WRITES)
TOUCHED(write8, 8, WRITES)
TOUCHED(write16, 16, WRITES)
TOUCHED(unaligned_write2, 2, WRITES)
TOUCHED(unaligned_write4, 4, WRITES)
TOUCHED(unaligned_write8, 8, WRITES)
TOUCHED(unaligned_write16, 16, WRITES)

#define TOUCHED_RANGE(name, kind)                 \
  void __tsan_##name(void *address, size_t size); \
  void __tsan_##name(void *address, size_t size) { touch_plain(address, size, kind, __builtin_return_address(0)); }
TOUCHED_RANGE(read_range, READS)
TOUCHED_RANGE(write_range, WRITES)

// An _Atomic that is named without an order, as scenarios do in setting up and checking: the memory itself, and no step.
#define NAMED(bits)                                                                                \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *at, int order);         \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *at, int order) {        \
    (void)order;                                                                                   \
    return *at;                                                                                    \
  }                                                                                                \
  void __tsan_atomic##bits##_store(volatile uint##bits##_t *at, uint##bits##_t value, int order);  \
  void __tsan_atomic##bits##_store(volatile uint##bits##_t *at, uint##bits##_t value, int order) { \
    (void)order;                                                                                   \
    *at = value;                                                                                   \
  }
NAMED(8)
NAMED(16)
NAMED(32)
NAMED(64)
#endif
