// Who keeps something and the thread that tidies up (core/tidy.c), in every order: a thread that ends misses no wish, and where none can be
// made nobody goes on believing that his wish is heard.
#include "tests/model/model.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "core/tidy.h"

enum { KEEPERS = 2, SPARES = 2 };
static _Atomic(uint32_t) kept[KEEPERS], keepers_left;  // 1: something is
// Threads that are made are there from the beginning, and wait for what to run.
enum { NOTHING, SOMETHING, END };
static _Atomic(uint32_t) told[SPARES];
static void *(*thread_main)(void *argument);
static int refusals;  // of so many threads that are asked for
static bool was_refused;

static int make_thread(void *(*run)(void *argument)) {
  if (refusals > 0) {
    refusals--;
    was_refused = true;
    return 1;
  }
  thread_main = run;
  uint32_t number = 0, nothing = NOTHING;
  while (!atomic_compare_exchange_strong_explicit(&told[number], &nothing, SOMETHING, memory_order_seq_cst,
                                                  memory_order_seq_cst)) {
    model_check(++number < SPARES, "more threads than there can be");
    nothing = NOTHING;
  }
  model_unpark(&told[number]);
  return 0;
}

// Unless there is something to run.
static void send_home(_Atomic(uint32_t) *word) {
  uint32_t nothing = NOTHING;
  if (atomic_compare_exchange_strong_explicit(word, &nothing, END, memory_order_seq_cst, memory_order_seq_cst)) {
    model_unpark(word);
  }
}

static void run_spare(void *number) {
  _Atomic(uint32_t) *word = number;
  for (;;) {
    uint32_t now;
    while ((now = atomic_load_explicit(word, memory_order_seq_cst)) == NOTHING) {
      model_park(word, NOTHING, false);
    }
    if (now == END) {
      return;
    }
    thread_main(NULL);
    atomic_store_explicit(word, NOTHING, memory_order_seq_cst);
    if (!atomic_load_explicit(&keepers_left, memory_order_seq_cst)) {
      send_home(word);
    }
  }
}

static void keeper_is_over(void) {
  if (atomic_fetch_sub_explicit(&keepers_left, 1, memory_order_seq_cst) != 1) {
    return;
  }
  for (int i = 0; i < SPARES; i++) {
    send_home(&told[i]);
  }
}

#define pthread_create(thread, attributes, run, argument) ((void)(thread), make_thread(run))
#define pthread_detach(thread) (void)(thread)
#define pthread_setname_np(thread, name) (void)(name)
#define pthread_sigmask(how, set, before) (void)(set), (void)(before)
#define pthread_mutex_lock(lock) model_lock(lock)
#define pthread_mutex_unlock(lock) model_unlock(lock)
#define nanosleep(time, rest) (void)(time)

#include "core/tidy.c"

static bool give_back(uint32_t number) {
  atomic_store_explicit(&kept[number], 0, memory_order_seq_cst);
  return false;
}
static bool give_back_first(void) { return give_back(0); }
static bool give_back_second(void) { return give_back(1); }
static mr_tidy tidies[KEEPERS] = {{.run = give_back_first}, {.run = give_back_second}};

static void keep(uint32_t number) {
  atomic_store_explicit(&kept[number], 1, memory_order_seq_cst);
  mr_tidy_later(&tidies[number]);
}
static void keep_first(void *times) {
  for (int i = 0; i < (times ? 2 : 1); i++) {
    keep(0);
  }
  keeper_is_over();
}
static void keep_second(void *unused) {
  (void)unused;
  keep(1);
  keeper_is_over();
}

static void reset(uint32_t keepers, int refused) {
  // Both are in the list from the beginning, which is not what this is about.
  tidies[0].next = &tidies[1];
  all = &tidies[0];
  running = 0;
  keepers_left = keepers;
  for (uint32_t i = 0; i < KEEPERS; i++) {
    tidies[i].listed = true;
    tidies[i].wanted = kept[i] = 0;
  }
  memset(told, 0, sizeof told);
  refusals = refused;
  was_refused = false;
}

static void run_all(void) {
  for (int i = 0; i < SPARES; i++) {
    model_thread(run_spare, &told[i]);
  }
  model_join();
  model_check(running == 0, "a thread is said to be there that is not");
  for (uint32_t i = 0; i < KEEPERS; i++) {
    model_check(tidies[i].wanted == 0, "a wish is for ever");
    model_check(kept[i] == 0 || was_refused, "what was kept stays though there was a thread");
  }
}

static void two(int refused) {
  reset(KEEPERS, refused);
  model_thread(keep_first, NULL);
  model_thread(keep_second, NULL);
  run_all();
}
static void two_keepers(void) { two(0); }
static void no_thread(void) { two(2 * KEEPERS); }
static void a_thread_the_second_time(void) { two(1); }

static void again_while_the_thread_ends(void) {
  reset(1, 0);
  model_thread(keep_first, &tidies[0]);
  run_all();
}

static void explore(void) {
  model_explore("two who keep something", two_keepers, 3);
  model_explore("again while the thread ends", again_while_the_thread_ends, 4);
  model_explore("no thread can be made", no_thread, 3);
  model_explore("a thread can be made the second time", a_thread_the_second_time, 3);
}

static const model_mutant mutants[] = {
    {"mr_tidy_later", "load &tidy->wanted", memory_order_acquire, NULL},
    {"mr_tidy_want", "exchange &tidy->wanted", memory_order_acq_rel, NULL},
    {"mr_tidy_want", "swap &running", memory_order_release, NULL},
    {"run_wanted", "exchange &tidy->wanted", memory_order_acq_rel, NULL},
    {"somebody_wants", "load &tidy->wanted", memory_order_acquire, NULL},
    {"tidy_main", "store &running", memory_order_release, NULL},
    {"start_or_forget", "store &running", memory_order_release, NULL},
};

int main(void) {
  if (MODEL_CANNOT_RUN) {
    return 0;
  }
  return model_main(explore, mutants, sizeof mutants / sizeof *mutants);
}
