// orders: what loads may see in the second pass, and what has happened before what.
//
// Each atomic object has all that was written to it, in modification order. A load may see the newest write, or an older one unless
// what is newer than that
//   - happens before the load, or was read by what happens before it, or by the load's own thread (coherence);
//   - was written or read with seq_cst, when the load is seq_cst too, and must come before the load in the one order of all those
//     operations. That is the order of the run, but that a load may take an earlier place in it, as long as no seq_cst operation that
//     happens before the load comes behind that place;
//   - was written with seq_cst before a seq_cst fence of the load's thread, or happens before a seq_cst fence that comes earlier
//     than such a fence.
// A read-modify-write sees the newest one. What happens before what is a vector clock for each thread: a write with release, or
// behind a fence with release, brings its thread's clock to who reads it with acquire, or with a fence with acquire behind; and so do
// the read-modify-writes that follow upon it, whatever their order (release sequences as of C++20: not what the same thread just stores
// later). A lock brings what was before its last unlock. Futexes bring nothing, and read what is newest.
//
// Whatever a run does is allowed by C11. What C11 allows and no run does: a write that comes in the modification order before one that
// the run has made already (2+2W), or that is read before it is made (load buffering, which is how the read of a slot could come behind
// the store by which it is given back), and a seq_cst write whose place in their order is not when it was made. Two runs that are alike
// but for that order count as one state (model.c); those at random do not.
#include "tests/model/inside.h"

#undef memset
#undef memcpy

enum { CELLS = 1 << 12, WRITES = 1 << 16, BEFORE_ALL = 0xff };

// A value that an atomic object had.
typedef struct written {
  uint64_t value, history;
  uint32_t before;  // the write before it in modification order; 0: none
  uint32_t number;  // its place there
  uint32_t time;    // of its thread, BEFORE_ALL: before there were any
  uint32_t sc;      // 0, or the place of who wrote it, or first read it, with seq_cst
  uint8_t thread;
  bool publishes;  // `published` is something
  times published;
  uint32_t read_at[MAX_THREADS];  // when each thread first read it; 0: not yet
} written;

typedef struct cell {
  const volatile void *address;
  uint64_t run;
  uint32_t newest;
} cell;

times model_now[MAX_THREADS];
static cell cells[CELLS];
static written all_written[WRITES];
static uint32_t written_count;  // in this run; the first one is nobody's
static uint64_t written_run;
static uint32_t sc_steps;  // even; the places between are of loads that take an earlier one
// What fences make of what is before and behind them.
static times read_by[MAX_THREADS], fenced[MAX_THREADS], sc_fenced, sc_seen[MAX_THREADS];
static bool has_fenced[MAX_THREADS];
static uint32_t sc_fence_step[MAX_THREADS];

static bool acquires(memory_order order) {
  return order == memory_order_acquire || order == memory_order_acq_rel || order == memory_order_seq_cst;
}
static bool releases(memory_order order) {
  return order == memory_order_release || order == memory_order_acq_rel || order == memory_order_seq_cst;
}

static void join(times *into, const times *other) {
  into->sc = into->sc > other->sc ? into->sc : other->sc;
  for (int i = 0; i < MAX_THREADS; i++) {
    into->at[i] = into->at[i] > other->at[i] ? into->at[i] : other->at[i];
  }
}

void model_orders_begin(int number) {
  static const times none;
  model_now[number] = read_by[number] = fenced[number] = sc_seen[number] = none;
  model_now[number].at[number] = 1;
  has_fenced[number] = false;
  sc_fence_step[number] = 0;
  if (written_run != model_run_number) {
    written_run = model_run_number;
    written_count = 0;
    sc_steps = 0;
    sc_fenced = none;
  }
}

static void pass_time(void) { model_now[model_current].at[model_current]++; }

// ---- Writes -------------------------------------------------------------------------------------------------------------------------

static written *add_written(cell *c, uint64_t value) {
  model_check(written_count + 1 < WRITES, "too many writes");
  uint32_t before = c->newest;
  c->newest = ++written_count;
  written *w = &all_written[c->newest];
  *w = (written){.value = value, .before = before, .number = before ? all_written[before].number + 1 : 1};
  return w;
}

static cell *find_cell(const volatile void *address) {
  for (uint64_t at = model_mix(3, (uintptr_t)address);; at++) {
    cell *c = &cells[at % CELLS];
    if (c->run != model_run_number) {
      *c = (cell){.address = address, .run = model_run_number};
    }
    if (c->address == address) {
      return c;
    }
  }
}

// The newest write is what is there: what was written as plain memory is ordered with all that is atomic, or races.c finds it.
static cell *cell_of(const volatile void *address, size_t size) {
  cell *c = find_cell(address);
  uint64_t value = model_read_memory(address, size);
  if (!c->newest || all_written[c->newest].value != value) {
    written *w = add_written(c, value);
    w->thread = BEFORE_ALL;
    w->history = model_mix((uintptr_t)address, w->number);
  }
  return c;
}

// The place of an operation of this thread's among the seq_cst ones: the last, or right before `before`.
static void take_place(memory_order order, uint32_t before) {
  times *now = &model_now[model_current];
  if (order != memory_order_seq_cst) {
    return;
  }
  sc_steps += 2;
  uint32_t place = before ? before - 1 : sc_steps;
  now->sc = now->sc > place ? now->sc : place;
}

static written *write_newest(cell *c, volatile void *address, size_t size, uint64_t value, memory_order order,
                             const written *changed) {
  int me = model_current;
  times published = {.sc = 0};
  bool publishes = true;
  take_place(order, 0);
  if (releases(order)) {
    published = model_now[me];
  } else if (has_fenced[me]) {
    published = fenced[me];
  } else {
    publishes = false;
  }
  if (changed && changed->publishes) {
    join(&published, &changed->published);
    publishes = true;
  }
  written *w = add_written(c, value);
  w->thread = (uint8_t)me;
  w->time = model_now[me].at[me];
  w->publishes = publishes;
  w->published = published;
  w->history = model_note_order(address, all_written[w->before].history, true);
  if (order == memory_order_seq_cst) {
    w->sc = model_now[me].sc;
  }
  model_write_memory(address, size, value);
  model_wake_yielding();
  pass_time();
  return w;
}

// ---- Reads --------------------------------------------------------------------------------------------------------------------------

// Nothing older than `w` can be seen by a load of this thread's.
static bool is_last_choice(const written *w, memory_order order) {
  int me = model_current;
  const times *now = &model_now[me];
  if (!w->before || w->thread == BEFORE_ALL || w->time <= now->at[w->thread] || w->time <= sc_seen[me].at[w->thread]) {
    return true;
  }
  if (w->sc && w->sc <= sc_fence_step[me]) {
    return true;
  }
  if (order == memory_order_seq_cst && ((w->sc && w->sc <= now->sc) || w->time <= sc_fenced.at[w->thread])) {
    return true;
  }
  for (int i = 0; i < MAX_THREADS; i++) {
    if (w->read_at[i] && w->read_at[i] <= now->at[i]) {
      return true;
    }
  }
  return false;
}

// `before`: a place that it must come before, where it has seen something old with seq_cst.
static void has_read(written *w, memory_order order, uint32_t before) {
  int me = model_current;
  if (!w->read_at[me]) {
    w->read_at[me] = model_now[me].at[me];
  }
  if (w->publishes) {
    join(&read_by[me], &w->published);
    if (acquires(order)) {
      join(&model_now[me], &w->published);
    }
  }
  take_place(order, before);
  if (order == memory_order_seq_cst && !w->sc) {
    w->sc = model_now[me].sc;
  }
}

// One of the writes that may be seen, but those of `unlike` other than the newest one where that is not NULL.
static written *choose_written(cell *c, memory_order order, const uint64_t *unlike, uint32_t *out_before) {
  enum { MOST = 6 };
  written *options[MOST];
  uint32_t places[MOST], before = 0;
  int count = 0;
  for (written *w = &all_written[c->newest]; count < MOST; w = &all_written[w->before]) {
    if (!count || !unlike || w->value != *unlike) {
      places[count] = before;
      options[count++] = w;
    }
    if (is_last_choice(w, order)) {
      break;
    }
    before = w->sc && (!before || w->sc < before) ? w->sc : before;
  }
  int chosen = model_pick_write(count);
  *out_before = places[chosen];
  return options[chosen];
}

uint64_t model_weak_load(const volatile void *address, size_t size, memory_order order) {
  model_touch_atomic(address, size, false, __builtin_return_address(0));
  cell *c = cell_of(address, size);
  uint32_t before;
  written *w = choose_written(c, order, NULL, &before);
  has_read(w, order, before);
  model_note_order(address, w->history, false);
  return w->value;
}

void model_weak_store(volatile void *address, size_t size, uint64_t value, memory_order order) {
  model_touch_atomic(address, size, true, __builtin_return_address(0));
  write_newest(cell_of(address, size), address, size, value, order, NULL);
}

// The read of a read-modify-write, which sees the newest.
static written *read_newest(const cell *c, memory_order order) {
  written *w = &all_written[c->newest];
  has_read(w, order, 0);
  return w;
}

uint64_t model_weak_change(volatile void *address, size_t size, model_change_kind kind, uint64_t with,
                           memory_order order) {
  model_touch_atomic(address, size, true, __builtin_return_address(0));
  cell *c = cell_of(address, size);
  const written *before = read_newest(c, order);
  uint64_t next = model_changed(before->value, kind, with);
  next = size < 8 ? next & ((UINT64_C(1) << 8 * size) - 1) : next;
  write_newest(c, address, size, next, order, before);
  return before->value;
}

model_swapped model_weak_swap(volatile void *address, size_t size, uint64_t expected, uint64_t value,
                              memory_order success, memory_order failure) {
  cell *c = cell_of(address, size);
  // Where it has what is expected it sees that, or fails with something older that is not; which orders that depends on is `failure`.
  uint32_t before;
  written *w = choose_written(c, failure, &expected, &before);
  bool same = w->value == expected;
  model_touch_atomic(address, size, same, __builtin_return_address(0));
  if (same) {
    read_newest(c, success);
    write_newest(c, address, size, value, success, w);
  } else {
    has_read(w, failure, before);
    model_note_order(address, w->history, false);
  }
  return (model_swapped){w->value, same};
}

void model_weak_look(const volatile void *address, size_t size) {
  model_touch_atomic(address, size, false, __builtin_return_address(0));
  const cell *c = find_cell(address);
  written *w = &all_written[c->newest];
  if (c->newest && !w->read_at[model_current]) {
    w->read_at[model_current] = model_now[model_current].at[model_current];
  }
  model_note_order(address, c->newest ? w->history : 0, false);
}

// ---- Fences, locks ------------------------------------------------------------------------------------------------------------------

void model_fence(memory_order order) {
  int me = model_current;
  if (!model_is_weak || me < 0) {
    return;
  }
  if (acquires(order)) {
    join(&model_now[me], &read_by[me]);
  }
  if (order == memory_order_seq_cst) {
    model_step(&sc_fenced);
    join(&sc_seen[me], &sc_fenced);
    join(&sc_fenced, &model_now[me]);
    take_place(order, 0);
    sc_fence_step[me] = sc_steps;
    model_saw(&sc_fenced, true);
  }
  if (releases(order)) {
    fenced[me] = model_now[me];
    has_fenced[me] = true;
  }
  pass_time();
}

// What was handed over last, by what it goes by.
static struct handed {
  const volatile void *address;
  uint64_t run;
  times published;
} all_handed[CELLS];

static times *handed_of(const volatile void *address) {
  for (uint64_t at = model_mix(4, (uintptr_t)address);; at++) {
    struct handed *h = &all_handed[at % CELLS];
    if (h->run != model_run_number) {
      *h = (struct handed){.address = address, .run = model_run_number};
    }
    if (h->address == address) {
      return &h->published;
    }
  }
}

void model_hand_over(const volatile void *address) {
  if (model_is_weak && model_current >= 0) {
    join(handed_of(address), &model_now[model_current]);
    pass_time();
  }
}

void model_take_over(const volatile void *address) {
  if (model_is_weak && model_current >= 0) {
    join(&model_now[model_current], handed_of(address));
  }
}

void model_take_over_all(void) {
  for (int i = 0; model_is_weak && i < model_thread_count; i++) {
    join(&model_now[model_current], &model_now[i]);
  }
}
