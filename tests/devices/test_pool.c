// The memory pool: what it refuses, what it gives back, and what it keeps.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/tidy.h"
#include "devices/devices.h"
#include "devices/host/budget.h"
#include "tests/cmocka.h"
#include "tests/system_tree.h"

#define MIB ((size_t)1 << 20)

static mr_platform *platform;
static mr_memory *memory;

// Opened after the test has set what is read then.
static void open_platform(void) {
  mr_platform_options options = {.num_devices = 1};
  assert_null(mr_platform_create(&options, &platform));
  memory = &mr_platform_device(platform, 0)->memories[MR_MEMORY_DEVICE];
}

static void close_platform(void) {
  mr_platform_release(platform);
  unsetenv("MILLRACE_MEMORY_LIMIT_MB");
  assert_null(mr_budget_open());
}

static mr_storage *take(size_t size) {
  mr_storage *storage = NULL;
  assert_null(mr_storage_allocate(memory, size, &storage));
  return storage;
}

static mr_storage *take_touched(size_t size) {
  mr_storage *storage = take(size);
  memset(storage->data, 1, size);
  return storage;
}

// The message must have each of the numbers.
static void refuse(size_t size, uint64_t in_use, uint64_t allowed) {
  mr_storage *storage = NULL;
  mr_status status = mr_storage_allocate(memory, size, &storage);
  assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
  assert_null(storage);
  unsigned long long got_size = 0, got_use = 0, got_allowed = 0;
  assert_int_equal(sscanf(mr_status_message(status),
                          "out of memory: a block of %llu bytes was asked for; %llu bytes are in use, %llu", &got_size,
                          &got_use, &got_allowed),
                   3);
  assert_int_equal(got_size, size);
  assert_in_range(got_use, in_use, in_use + 2 * MIB);  // small blocks of this process's earlier life
  assert_int_equal(got_allowed, allowed);
  mr_status_free(status);
}

static uint64_t pool_bytes(void) { return mr_device_stats(memory->device).pool_bytes; }

static size_t resident(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%*u %lu", &pages), 1);
  fclose(file);
  return pages * 4096;
}

// The sum in use counts, not one block; what is freed may be had again in other sizes: free blocks make room.
static void test_limit_is_for_the_sum(void **state) {
  (void)state;
  setenv("MILLRACE_MEMORY_LIMIT_MB", "256", 1);
  open_platform();
  assert_int_equal(mr_device_stats(memory->device).bytes_limit, 256 * MIB);
  mr_storage *a = take(80 * MIB), *b = take(80 * MIB);
  refuse(112 * MIB, 160 * MIB, 256 * MIB);
  mr_storage *small = take(1 * MIB);  // what is left may still be had
  mr_storage_release(small);
  mr_storage_release(a);
  mr_storage *c = take(112 * MIB);
  mr_storage_release(b);
  mr_storage_release(c);
  mr_storage *many[40];
  for (int i = 0; i < 40; i++) {
    many[i] = take(5 * MIB);
  }
  for (int i = 0; i < 40; i++) {
    mr_storage_release(many[i]);
  }
  mr_storage_release(take(224 * MIB));  // the pages of the 40 went back for it
  refuse(300 * MIB, 0, 256 * MIB);
  close_platform();
}

// A setting that is no number is an error when the platform is made.
static void test_bad_setting(void **state) {
  (void)state;
  setenv("MILLRACE_MEMORY_LIMIT_MB", "lots", 1);
  mr_platform *none = NULL;
  mr_status status = mr_platform_create(NULL, &none);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  assert_null(none);
  mr_status_free(status);
  unsetenv("MILLRACE_MEMORY_LIMIT_MB");
}

// The limit of the process's own group counts, of the groups above too, and not the root's alone.
static void test_limit_of_the_group(void **state) {
  (void)state;
  put("/proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 8388608 kB\n");
  put("/proc/self/cgroup", "0::/a/b\n");
  put("/sys/fs/cgroup/memory.max", "max\n");
  put("/sys/fs/cgroup/a/memory.max", "134217728\n");
  put("/sys/fs/cgroup/a/b/memory.max", "max\n");
  open_platform();
  mr_storage *a = take(80 * MIB);
  refuse(80 * MIB, 80 * MIB, 128 * MIB);
  mr_storage_release(a);
  close_platform();
}

// What others use counts: refused while the system has less, although this process may have more.
static void test_others_use_memory(void **state) {
  (void)state;
  put("/proc/meminfo", "MemTotal: 1048576 kB\nMemAvailable: 102400 kB\n");
  open_platform();
  mr_storage *a = take(32 * MIB);
  refuse(112 * MIB, 32 * MIB, 1024 * MIB);
  put("/proc/meminfo", "MemTotal: 1048576 kB\nMemAvailable: 1024000 kB\n");
  mr_budget_forget();
  mr_storage *b = take(112 * MIB);
  mr_storage_release(a);
  mr_storage_release(b);
  close_platform();
}

// What was given out and has no pages yet is spoken for, though the system counts it as available.
static void test_untouched_memory_is_spoken_for(void **state) {
  (void)state;
  put("/proc/meminfo", "MemTotal: 1048576 kB\nMemAvailable: 307200 kB\n");  // less 16 MiB that stay for others
  open_platform();
  mr_storage *a = take(160 * MIB);
  mr_budget_forget();
  refuse(160 * MIB, 160 * MIB, 1024 * MIB);
  memset(a->data, 1, a->size);
  mr_budget_forget();
  mr_storage *b = take(160 * MIB);  // the made-up system still says 300 MiB
  mr_storage_release(a);
  mr_storage_release(b);
  close_platform();
}

static void release_all(mr_storage **storages, int count) {
  for (int i = 0; i < count; i++) {
    mr_storage_release(storages[i]);
  }
}

// ---- Time, as the thread that gives back has it -----------------------------------------------------------------------------
//
// On a busy machine that thread is late, and so are its rounds. What is due after so many seconds is due after as many rounds as it
// makes in them.

static _Atomic(uint64_t) rounds;
static _Atomic(bool) counts_rounds;

static bool count_round(void) {
  atomic_fetch_add(&rounds, 1);
  return atomic_load(&counts_rounds);
}
static mr_tidy round_counter = {.run = count_round};

static uint64_t look_at_rounds(void) {
  atomic_store(&counts_rounds, true);
  mr_tidy_later(&round_counter);  // again in a child, and where there was no thread to be had
  usleep(50000);
  return atomic_load(&rounds);
}

// Whether the pool has no more than `bound` bytes by then.
static bool gives_back_within(uint64_t seconds, uint64_t bound) {
  uint64_t end = atomic_load(&rounds) + seconds * (1000000000 / MR_TIDY_PAUSE_NS);
  while (pool_bytes() > bound && look_at_rounds() < end) {
  }
  atomic_store(&counts_rounds, false);
  return pool_bytes() <= bound;
}

static void wait_rounds(uint64_t count) {
  for (uint64_t end = atomic_load(&rounds) + count + 1; look_at_rounds() < end;) {  // the one that is under way is none
  }
  atomic_store(&counts_rounds, false);
}

// Counted in turns of this thread, for there is no round after the last.
static bool thread_ends_within(uint64_t seconds) {
  for (uint64_t i = 0; i < seconds * 20 && mr_tidy_is_running(); i++) {
    usleep(50000);
  }
  return !mr_tidy_is_running();
}

// Five seconds after the last use next to nothing is held, in blocks of any size, and no thread is left that looks after it;
// what is still in use keeps its content, and what comes back from a slab can be used again.
static void test_idle_memory_goes_back(void **state) {
  (void)state;
  enum { SMALL = 640, MIDDLE = 60, LARGE = 4, ALL = SMALL + MIDDLE + LARGE };
  open_platform();
  assert_true(gives_back_within(10, 8 * MIB));
  size_t before = resident(), held = pool_bytes();
  mr_storage *used = take_touched(20 * MIB), *all[ALL];
  for (int i = 0; i < ALL; i++) {
    all[i] = take_touched(i < SMALL ? 64 << 10 : i < SMALL + MIDDLE ? MIB : 20 * MIB);
  }
  assert_true(pool_bytes() >= held + 200 * MIB);
  release_all(all, ALL);
  assert_true(pool_bytes() >= held + 200 * MIB);  // at first everything is kept
  assert_true(gives_back_within(5, held + 21 * MIB));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
  assert_true(resident() < before + 20 * MIB + 8 * MIB);
#else
  (void)before;  // the sanitizers keep notes of every byte
#endif
  for (size_t i = 0; i < used->size; i++) {
    assert_int_equal(((char *)used->data)[i], 1);
  }
  for (int i = 0; i < SMALL + MIDDLE; i++) {
    all[i] = take_touched(i < SMALL ? 64 << 10 : MIB);
  }
  release_all(all, SMALL + MIDDLE);
  mr_storage_release(used);
  assert_true(thread_ends_within(10));
  assert_true(pool_bytes() <= held);
  close_platform();
}

// A forked child gives back what it kept, on a thread of its own.
static void test_idle_memory_goes_back_in_a_child(void **state) {
  (void)state;
#if defined(__SANITIZE_THREAD__) || defined(__clang__)
  skip();  // ThreadSanitizer does not start threads after a fork
#endif
  open_platform();
  mr_storage_release(take_touched(20 * MIB));  // the parent's thread is there
  pid_t child = fork();
  assert_true(child >= 0);
  if (!child) {
    mr_storage_release(take_touched(40 * MIB));
    _exit(gives_back_within(8, 8 * MIB) && thread_ends_within(8) ? 0 : 1);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  close_platform();
}

static int64_t faults(void) {
  struct rusage usage;
  assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
  return usage.ru_minflt;
}

// A loop that comes round touches no fresh page after its first time, for longer than idle memory is kept.
static void test_steady_loop_touches_no_fresh_page(void **state) {
  (void)state;
  static const size_t sizes[] = {20 << 10, 100 << 10, 1 << 20, 3 << 20, 9 << 20, 33 << 20};
  open_platform();
  int64_t before = 0;
  uint64_t end = atomic_load(&rounds) + MR_TIDY_IDLE_ROUNDS + 3;
  for (int round = 0; round < 2 || look_at_rounds() < end; round++) {
    mr_storage *all[2 * MR_ARRAY_SIZE(sizes)];
    for (size_t i = 0; i < MR_ARRAY_SIZE(all); i++) {
      all[i] = take_touched(sizes[i / 2]);
    }
    release_all(all, MR_ARRAY_SIZE(all));
    if (round == 1) {
      before = faults();
    }
  }
  // One block of them all would be five pages, huge ones not counted; the tidy thread's stack and the like is fewer.
  assert_in_range(faults() - before, 0, 60);
  atomic_store(&counts_rounds, false);
  close_platform();
}

// Programs of many sizes one after the other: what the earlier ones left makes room for the later ones, however soon they come.
static void test_other_sizes_make_room(void **state) {
  (void)state;
  open_platform();
  for (uint64_t wait = 0; wait <= 2; wait += 2) {
    assert_true(gives_back_within(10, 8 * MIB));
    mr_device_clear_peaks(memory->device);
    mr_storage_release(take(400 * MIB));
    if (wait) {
      wait_rounds(wait);
    }
    mr_storage *next = take(448 * MIB);
    assert_true(pool_bytes() <= 448 * MIB * 33 / 32 + 72 * MIB);
    mr_storage_release(next);
  }
  close_platform();
}

// A loop whose phases want other sizes: what they give back for one another is missed at once, and so both are kept. A first byte of
// each block is written, which is a fault where the block is fresh.
static void test_phases_of_a_loop_keep_their_blocks(void **state) {
  (void)state;
  enum { SIZES = 2, MOST_TURNS = 200 };
  static const size_t sizes[SIZES] = {160 * MIB, 96 * MIB};
  static const int counts[SIZES] = {3, 5};
  open_platform();
  assert_true(gives_back_within(10, 8 * MIB));
  int turns = 0;
  for (int64_t before = -1, after = 0; before < 0 || after - before > 4; before = after, after = faults()) {
    assert_true(turns++ < MOST_TURNS);
    for (int k = 0; k < SIZES; k++) {
      mr_storage *all[5];
      for (int i = 0; i < counts[k]; i++) {
        all[i] = take(sizes[k]);
        *(char *)all[i]->data = 1;
      }
      release_all(all, counts[k]);
    }
  }
  assert_true(pool_bytes() >= 960 * MIB);
  close_platform();
}

int main(void) {
  alarm(280);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_limit_is_for_the_sum),
      cmocka_unit_test(test_bad_setting),
      cmocka_unit_test_setup_teardown(test_limit_of_the_group, open_tree, close_tree),
      cmocka_unit_test_setup_teardown(test_others_use_memory, open_tree, close_tree),
      cmocka_unit_test_setup_teardown(test_untouched_memory_is_spoken_for, open_tree, close_tree),
      cmocka_unit_test(test_idle_memory_goes_back),
      cmocka_unit_test(test_idle_memory_goes_back_in_a_child),
      cmocka_unit_test(test_steady_loop_touches_no_fresh_page),
      cmocka_unit_test(test_other_sizes_make_room),
      cmocka_unit_test(test_phases_of_a_loop_keep_their_blocks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
