// The second pass itself: of small programs whose outcomes under C11's orders are known, it reaches every one and no other, and it finds
// memory that two threads are at without an order.
#include "tests/model/blocks.h"
#include "tests/model/model.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static _Atomic(uint32_t) x, y, z;
static uint32_t plain;
static MODEL_COUNTS uint32_t seen[4];
static uint64_t outcomes;  // a bit for each

// A program is a few threads, each a line of steps: Wx1 writes 1 to x, Rx0 reads it into register 0, Ax1 adds 1, Ix1 goes on only if it is 1,
// F-- is a fence and P-1 writes plain memory.
typedef struct program {
  const char *name;
  const char *threads[4];
  const char
      *orders;  // a letter for each step, in order of the threads: x relaxed, a acquire, r release, b both, s seq_cst
  const char *wanted;  // the outcomes: digits of the registers, with spaces between
} program;
static const program *now;

static memory_order order_of(char letter) {
  return letter == 'a'   ? memory_order_acquire
         : letter == 'r' ? memory_order_release
         : letter == 'b' ? memory_order_acq_rel
         : letter == 's' ? memory_order_seq_cst
                         : memory_order_relaxed;
}

static _Atomic(uint32_t) *variable(char letter) { return letter == 'x' ? &x : letter == 'y' ? &y : &z; }

static int steps_of(const char *steps) {
  int count = 0;
  for (; *steps; steps++) {
    count += *steps == ' ';
  }
  return count + 1;
}

static void run(void *argument) {
  const char *const *mine = argument;
  const char *orders = now->orders;
  for (const char *const *before = now->threads; before < mine; before++) {
    orders += steps_of(*before);
  }
  for (const char *at = *mine;; at += 4) {
    memory_order order = order_of(*orders++);
    uint32_t number = (uint32_t)(at[2] - '0');
    switch (at[0]) {
    case 'W': atomic_store_explicit(variable(at[1]), number, order); break;
    case 'R': seen[number] = atomic_load_explicit(variable(at[1]), order); break;
    case 'A': atomic_fetch_add_explicit(variable(at[1]), number, order); break;
    case 'I':
      if (atomic_load_explicit(variable(at[1]), order) != number) {
        return;
      }
      break;
    case 'P': plain = number; break;
    default: atomic_thread_fence(order);
    }
    if (!at[3]) {
      return;
    }
  }
}

// At most 63: a program has 0 and 1 in each of four registers, or numbers up to 2 in two.
static uint32_t number_of(const uint32_t *registers) {
  return registers[0] + 3 * registers[1] + 9 * registers[2] + 27 * registers[3];
}

static void scenario(void) {
  x = y = z = 0;
  memset(seen, 0, sizeof seen);
  for (int i = 0; i < 4 && now->threads[i]; i++) {
    model_thread(run, (void *)(uintptr_t)&now->threads[i]);
  }
  model_join();
  outcomes |= UINT64_C(1) << number_of(seen);
}

static uint64_t wanted_of(const char *text) {
  uint64_t wanted = 0;
  while (*text) {
    uint32_t registers[4] = {0};
    for (int i = 0; *text && *text != ' '; i++) {
      registers[i] = (uint32_t)(*text++ - '0');
    }
    wanted |= UINT64_C(1) << number_of(registers);
    text += *text == ' ';
  }
  return wanted;
}

static const program programs[] = {
    // Store buffering: both see nothing, unless all is seq_cst or there are fences.
    {"store buffering", {"Wx1 Ry0", "Wy1 Rx1"}, "xxxx", "00 01 10 11"},
    {"store buffering, release and acquire", {"Wx1 Ry0", "Wy1 Rx1"}, "rara", "00 01 10 11"},
    {"store buffering, seq_cst", {"Wx1 Ry0", "Wy1 Rx1"}, "ssss", "01 10 11"},
    {"store buffering, one load acquires", {"Wx1 Ry0", "Wy1 Rx1"}, "sass", "00 01 10 11"},
    {"store buffering, fences", {"Wx1 F-- Ry0", "Wy1 F-- Rx1"}, "xsxxsx", "01 10 11"},
    {"store buffering, weaker fences", {"Wx1 F-- Ry0", "Wy1 F-- Rx1"}, "xbxxbx", "00 01 10 11"},
    {"store buffering, one fence", {"Wx1 F-- Ry0", "Wy1 Rx1"}, "xsxss", "01 10 11"},
    // Message passing.
    {"a message", {"Wx1 Wy1", "Ry0 Rx1"}, "xxxx", "00 01 10 11"},
    {"a message, release alone", {"Wx1 Wy1", "Ry0 Rx1"}, "xrxx", "00 01 10 11"},
    {"a message, acquire alone", {"Wx1 Wy1", "Ry0 Rx1"}, "xxax", "00 01 10 11"},
    {"a message, both", {"Wx1 Wy1", "Ry0 Rx1"}, "xrax", "00 01 11"},
    {"a message, fences", {"Wx1 F-- Wy1", "Ry0 F-- Rx1"}, "xrxxax", "00 01 11"},
    {"a message through another", {"Wx1 Wy1", "Iy1 Wz1", "Rz0 Rx1"}, "xrarax", "00 01 11"},
    {"a message through another that does not acquire", {"Wx1 Wy1", "Iy1 Wz1", "Rz0 Rx1"}, "xrxrax", "00 01 10 11"},
    // Release sequences: what changes the word goes on with it, what overwrites it does not.
    {"a message that is added to", {"Wx1 Wy1", "Iy1 Ay1", "Ry0 Rx1"}, "xrxxax", "00 01 11 21"},
    {"a message that is overwritten", {"Wx1 Wy1", "Iy1 Wy2", "Ry0 Rx1"}, "xrxxax", "00 01 11 20 21"},
    // One object alone has one order.
    {"coherence of two reads", {"Wx1", "Rx0 Rx1"}, "xxx", "00 01 11"},
    {"coherence of a write and a read", {"Wx1 Rx0", "Wx2"}, "xxx", "10 20"},
    {"additions", {"Ax1", "Ax1", "Rx0"}, "xxx", "00 10 20"},
    // Two who see two writes in two orders, which takes seq_cst to forbid.
    {"independent reads",
     {"Wx1", "Wy1", "Rx0 Ry1", "Ry2 Rx3"},
     "rraaaa",
     "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111"},
    {"independent reads, seq_cst",
     {"Wx1", "Wy1", "Rx0 Ry1", "Ry2 Rx3"},
     "ssssss",
     "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011 1100 1101 1110 1111"},
};

static void explore(const program *p) {
  now = p;
  outcomes = 0;
  model_explore(p->name, scenario, MODEL_ALL);
  uint64_t wanted = wanted_of(p->wanted);
  if (outcomes != wanted) {
    printf("outcomes %#llx, wanted %#llx\n", (unsigned long long)outcomes, (unsigned long long)wanted);
    fflush(stdout);
  }
  model_check(outcomes == wanted, "not the outcomes that C11 has");
}

// ---- What is wrong --------------------------------------------------------------------------------------------------------------------

// Two that write plain memory.
static const program races[] = {
    {"nothing between", {"P-1", "P-2"}, "xx", NULL},
    {"relaxed between", {"P-1 Wx1", "Ix1 P-2"}, "xxxx", NULL},
    {"release alone", {"P-1 Wx1", "Ix1 P-2"}, "xrxx", NULL},
    {"acquire alone", {"P-1 Wx1", "Ix1 P-2"}, "xxax", NULL},
    {"one that releases before", {"Wx1 P-1", "Ix1 P-2"}, "rxax", NULL},
    {"the message is overwritten", {"P-1 Wx1", "Ix1 Wx2", "Ix2 P-2"}, "xrxxax", NULL},
    {"a fence alone", {"P-1 F-- Wx1", "Ix1 P-2"}, "xrxxx", NULL},
};
static const program ordered[] = {
    {"release and acquire", {"P-1 Wx1", "Ix1 P-2"}, "xrax", NULL},
    {"the message is added to", {"P-1 Wx1", "Ix1 Ax1", "Ix2 P-2"}, "xrxxax", NULL},
    {"fences", {"P-1 F-- Wx1", "Ix1 F-- P-2"}, "xrxxax", NULL},
};

static void use_lock(void *argument) {
  (void)argument;
  model_lock(&plain);
  plain++;
  model_unlock(&plain);
}
static void with_a_lock(void) {
  model_thread(use_lock, NULL);
  model_thread(use_lock, NULL);
  model_join();
}

static void write_all(void *bytes) { memset(bytes, 1, 13); }
static void write_some(void *bytes) { ((char *)bytes)[9] = 2; }
static void read_behind(void *bytes) { plain = ((volatile char *)bytes)[13]; }
static char bytes[16];
static void next_to_one_another(void) {
  model_thread(write_all, bytes);
  model_thread(read_behind, bytes);
  model_join();
}
static void one_in_many(void) {
  model_thread(write_all, bytes);
  model_thread(write_some, bytes);
  model_join();
}

static char *block;
static void end_it(void *argument) {
  (void)argument;
  model_block_end(block, 1);
  atomic_store_explicit(&x, 1, memory_order_release);
}
static void touch_it(void *argument) {
  (void)argument;
  if (atomic_load_explicit(&x, memory_order_acquire)) {
    *block = 1;
  }
}
static void what_is_gone(void) {
  x = 0;
  model_blocks_reset();
  block = model_block(1);
  model_thread(end_it, NULL);
  model_thread(touch_it, NULL);
  model_join();
}

// In a process of its own, as it ends with the first thing that is wrong.
static bool finds_it(void (*wrong)(void)) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    freopen("/dev/null", "w", stderr);
    model_explore("on purpose", wrong, MODEL_ALL);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

int main(void) {
  if (MODEL_CANNOT_RUN) {
    return 0;
  }
  model_set_passes(MODEL_WEAK);
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    explore(&programs[i]);
  }
  for (size_t i = 0; i < sizeof races / sizeof *races; i++) {
    now = &races[i];
    model_check(finds_it(scenario), races[i].name);
  }
  for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++) {
    now = &ordered[i];
    model_check(!finds_it(scenario), ordered[i].name);
  }
  model_check(!finds_it(with_a_lock) && !finds_it(next_to_one_another), "a race is found that is none");
  model_check(finds_it(one_in_many) && finds_it(what_is_gone), "a race is not found");
  return 0;
}
