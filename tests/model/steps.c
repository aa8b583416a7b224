// steps: what the code under test calls in place of atomic operations, futexes, locks, the clock. In the first pass an operation is one on
// the memory itself; in the second one orders.c says what it sees.
#include "tests/model/inside.h"

#include <stdlib.h>

#undef memset
#undef memcpy

enum { MAX_LOCKED = 8 };

// ---- Atomic operations ----------------------------------------------------------------------------------------------------------

uint64_t model_read_memory(const volatile void *address, size_t size) {
  switch (size) {
  case 1: return *(const volatile uint8_t *)address;
  case 2: return *(const volatile uint16_t *)address;
  case 4: return *(const volatile uint32_t *)address;
  default: return *(const volatile uint64_t *)address;
  }
}

void model_write_memory(volatile void *address, size_t size, uint64_t value) {
  switch (size) {
  case 1: *(volatile uint8_t *)address = (uint8_t)value; break;
  case 2: *(volatile uint16_t *)address = (uint16_t)value; break;
  case 4: *(volatile uint32_t *)address = (uint32_t)value; break;
  default: *(volatile uint64_t *)address = value;
  }
}

// A value of so many bytes, as it is read.
static uint64_t cut(uint64_t value, size_t size) { return size < 8 ? value & ((UINT64_C(1) << 8 * size) - 1) : value; }

uint64_t model_changed(uint64_t before, model_change_kind kind, uint64_t with) {
  switch (kind) {
  case MODEL_EXCHANGE: return with;
  case MODEL_ADD: return before + with;
  case MODEL_SUB: return before - with;
  case MODEL_AND: return before & with;
  case MODEL_OR: return before | with;
  }
  abort();
}

static bool is_weak(void) { return model_is_weak && model_current >= 0; }

uint64_t model_load(const volatile void *address, size_t size, memory_order order, model_site *site,
                    const char *function) {
  order = model_order_of(site, function, order, 0);
  model_step(address);
  model_check_there(address, __builtin_return_address(0));
  if (is_weak()) {
    return model_weak_load(address, size, order);
  }
  model_saw(address, false);
  return model_read_memory(address, size);
}

void model_store(volatile void *address, size_t size, uint64_t value, memory_order order, model_site *site,
                 const char *function) {
  order = model_order_of(site, function, order, 0);
  model_step(address);
  model_check_there(address, __builtin_return_address(0));
  if (is_weak()) {
    model_weak_store(address, size, cut(value, size), order);
    return;
  }
  model_saw(address, true);
  model_write_memory(address, size, value);
}

uint64_t model_change(volatile void *address, size_t size, model_change_kind kind, uint64_t with, memory_order order,
                      model_site *site, const char *function) {
  order = model_order_of(site, function, order, 0);
  model_step(address);
  model_check_there(address, __builtin_return_address(0));
  if (is_weak()) {
    return model_weak_change(address, size, kind, with, order);
  }
  model_saw(address, true);
  uint64_t before = model_read_memory(address, size);
  model_write_memory(address, size, model_changed(before, kind, with));
  return before;
}

model_swapped model_swap(volatile void *address, size_t size, uint64_t expected, uint64_t value, memory_order success,
                         memory_order failure, model_site *site, const char *function) {
  success = model_order_of(site, function, success, 0);
  failure = model_order_of(site, function, failure, 1);
  expected = cut(expected, size);
  model_step(address);
  model_check_there(address, __builtin_return_address(0));
  if (is_weak()) {
    return model_weak_swap(address, size, expected, cut(value, size), success, failure);
  }
  uint64_t was = model_read_memory(address, size);
  model_saw(address, was == expected);
  if (was == expected) {
    model_write_memory(address, size, value);
  }
  return (model_swapped){was, was == expected};
}

// ---- Steps ------------------------------------------------------------------------------------------------------------------------

void model_step(const volatile void *address) {
  if (model_current >= 0 && model_is_shared(address)) {
    model_give_way();
  }
}

void model_saw(const volatile void *address, bool wrote) {
  if (model_current < 0) {
    return;
  }
  model_note(address, wrote);
  if (wrote) {
    model_wake_yielding();
  }
}

void model_crossing(void) {
  if (model_current < 0) {
    return;
  }
  model_give_way();
  thread *t = &model_threads[model_current];
  t->history = model_mix(t->history, 2);
}

void model_yield(void) {
  if (model_current < 0) {
    return;
  }
  thread *t = &model_threads[model_current];
  t->history = model_mix(t->history, 1);
  t->yields = true;
  model_give_way();
}

uint64_t model_clock(void) { return model_current < 0 ? 1 : (model_threads[model_current].clock += 1000000000); }

// ---- Sleep ------------------------------------------------------------------------------------------------------------------------

// What parking and unparking have to do with one another, apart from the word's content. Nothing happens before anything else by
// them: who wakes up looks again.
static const volatile void *sleepers_of(const void *word) { return (const volatile char *)word + 1; }

bool model_park(const void *word, uint32_t expected, bool timed) {
  // One step that has to do with both: the futex looks and sleeps at once.
  model_step(model_is_shared(word) ? word : sleepers_of(word));
  model_check_there(word, __builtin_return_address(0));
  if (is_weak()) {
    model_weak_look(word, sizeof expected);
  } else {
    model_saw(word, false);
  }
  if (model_read_memory(word, sizeof expected) != expected) {
    return true;
  }
  thread *t = &model_threads[model_current];
  model_saw(sleepers_of(word), true);
  t->parked_on = word;
  t->timed = timed;
  t->timed_out = false;
  model_give_way();
  return !t->timed_out;
}

static void wake_all(const void *parked_on) {
  for (int i = 0; i < model_thread_count; i++) {
    if (model_threads[i].parked_on == parked_on) {
      model_threads[i].parked_on = NULL;
    }
  }
}

void model_unpark(const void *word) {
  model_step(sleepers_of(word));
  model_saw(sleepers_of(word), true);
  wake_all(word);
}

// ---- Locks ------------------------------------------------------------------------------------------------------------------------

static const void *locked[MAX_LOCKED];

static const void **find_lock(const void *lock) {
  for (int i = 0; i < MAX_LOCKED; i++) {
    if (locked[i] == lock) {
      return &locked[i];
    }
  }
  return NULL;
}

bool model_try_lock(const void *lock) {
  model_step(lock);
  bool is_free = !find_lock(lock);
  if (model_current >= 0) {
    model_note(lock, is_free);  // no news for those that look again and again
  }
  if (is_free) {
    *find_lock(NULL) = lock;
    model_take_over(lock);
  }
  return is_free;
}

void model_lock(const void *lock) {
  while (!model_try_lock(lock)) {
    if (model_current < 0) {
      model_check(false, "a lock is held outside");
    }
    model_threads[model_current].parked_on = lock;
    model_threads[model_current].timed = false;
    model_give_way();
  }
}

void model_unlock(const void *lock) {
  model_step(lock);
  if (model_current >= 0) {
    model_note(lock, true);
  }
  const void **held = find_lock(lock);
  model_check(held != NULL, "a lock that nobody holds");
  *held = NULL;
  model_hand_over(lock);
  wake_all(lock);
}

void model_forget_lock(const void *lock) {
  const void **held = find_lock(lock);
  if (held) {
    *held = NULL;
  }
}

void model_end_others(void) {
  for (int i = 0; i < model_thread_count; i++) {
    if (i != model_current) {
      model_threads[i].finished = true;
    }
  }
  model_take_over_all();
}
