// What the fenced device is for: who touches what is not his dies, and who does not wait sees nothing.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cmocka.h"
#include "tests/devices/conform.h"

// Whether a child that does this dies of it. `how` stays what the child does alone.
static bool dies(void (*how)(char *at, size_t offset), char *at, size_t offset) {
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    const struct rlimit none = {0};
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGSEGV, SIG_DFL);  // a sanitizer's report is of no use
    how(at, offset);
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

static void read_there(char *at, size_t offset) { _exit(((volatile char *)at)[offset] == 1); }
static void write_there(char *at, size_t offset) { ((volatile char *)at)[offset] = 1; }

// The address that everybody sees is nobody's to read or write, at the beginning, in the middle or at the end.
static void test_nobody_reads_device_memory(void **state) {
  (void)state;
  world w;
  world_open(&w, "fenced");
  static const size_t sizes[] = {0, 1, 4096, 1000000};
  for (size_t i = 0; i < MR_ARRAY_SIZE(sizes); i++) {
    mr_storage *storage;
    assert_null(world_storage(&w, w.memory, sizes[i], &storage));
    assert_non_null(storage->data);
    for (size_t part = 0; part < 3; part++) {
      size_t offset = part * (sizes[i] / 2);
      assert_true(dies(read_there, storage->data, offset));
      assert_true(dies(write_there, storage->data, offset));
    }
  }
  world_close(&w);
}

static mr_status tell_address(const mr_device_work *work, void *const *addresses, mr_group *group) {
  (void)group;
  *(char **)(uintptr_t)work->argument = addresses[0];
  return MR_OK;
}

// An address that work had is worth nothing when the block is freed, and nothing lies beside a block.
static void test_work_stays_within_its_blocks(void **state) {
  (void)state;
  world w;
  world_open(&w, "fenced");
  mr_storage *storage;
  assert_null(mr_storage_allocate(w.memory, 4096, &storage));
  char *at = NULL;
  const mr_region region = {storage, 0};
  const mr_device_work work = {.kind = MR_WORK_CALL,
                               .name = "tell",
                               .call = tell_address,
                               .argument = (void *)&at,
                               .regions = &region,
                               .num_regions = 1};
  assert_null(world_do(&w, w.device, &work));
  assert_ptr_not_equal(at, storage->data);
  assert_false(dies(write_there, at, 4095));
  assert_true(dies(write_there, at, 4096));
  assert_true(dies(write_there, at - 1, 0));
  mr_storage_release(storage);
  assert_true(dies(read_there, at, 0));
  world_close(&w);
}

typedef struct order_log {
  _Atomic(int) next;
  int began[64];
} order_log;

static order_log order;

static mr_status note_order(const mr_device_work *work, void *const *addresses, mr_group *group) {
  (void)addresses;
  (void)group;
  order.began[atomic_fetch_add_explicit(&order.next, 1, memory_order_relaxed)] = *(const int *)work->argument;
  return MR_OK;
}

// What nothing orders runs in another order than that of submission.
static void test_free_work_runs_out_of_order(void **state) {
  (void)state;
  enum { COUNT = 64 };
  world w;
  world_open(&w, "fenced");
  int numbers[COUNT];
  mr_future *done[COUNT], *gate = world_promise(&w);
  for (int i = 0; i < COUNT; i++) {
    numbers[i] = i;
    const mr_device_work work = {.kind = MR_WORK_CALL, .name = "note", .call = note_order, .argument = &numbers[i]};
    assert_null(world_submit(&w, w.device, &work, &gate, 1, &done[i]));
    assert_non_null(done[i]);
  }
  assert_int_equal(order.next, 0);
  mr_future_set(gate, MR_OK);
  int early = 0;
  for (int i = 0; i < COUNT; i++) {
    assert_null(world_end_of(done[i]));
  }
  for (int i = 1; i < COUNT; i++) {
    early += order.began[i] < order.began[i - 1];
  }
  assert_int_equal(order.next, COUNT);
  assert_true(early > 0);
  world_close(&w);
}

// How long 64 copies in and out take, each of which waits for up to 10 ms.
static uint64_t copies_ms(world *w) {
  enum { COUNT = 64, BYTES = 4096 };
  const int64_t dim = BYTES;
  mr_host_array host = {.data = world_block(w, BYTES), .dtype = MR_U8, .dims = &dim, .rank = 1};
  uint64_t start = mr_now_ns();
  mr_future *done[COUNT];
  for (int i = 0; i < COUNT; i++) {
    mr_buffer *buffer;
    assert_null(mr_buffer_from_host(w->memory, &host, MR_HOST_UNTIL_TRANSFER_DONE, NULL, NULL, &buffer));
    world_keep_buffer(w, buffer);
    assert_null(mr_buffer_to_host(buffer, world_block(w, BYTES), NULL, &done[i]));
    assert_non_null(done[i]);
  }
  for (int i = 0; i < COUNT; i++) {
    assert_null(world_end_of(done[i]));
    mr_future_release(done[i]);
  }
  return (mr_now_ns() - start) / 1000000;
}

// Copies that wait do so side by side and hold no worker: they are over long before two workers could have waited for them. Two
// waits of 5 ms each in the mean; by two workers 2 * 64 of them would take 320 ms, however often. A busy machine adds to it.
static void test_waiting_copies_hold_no_worker(void **state) {
  (void)state;
  enum { TRIES = 30, LIMIT_MS = 160 };
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < TRIES && least >= LIMIT_MS; i++) {
    setenv("MILLRACE_FENCED_DELAY_US", "10000", 1);
    world w;
    world_open(&w, "fenced");
    unsetenv("MILLRACE_FENCED_DELAY_US");
    uint64_t took = copies_ms(&w);
    least = MR_MIN(least, took);
    world_close(&w);
  }
  print_message("64 copies in and out, each 0 to 10 ms late: %llu ms\n", (unsigned long long)least);
  assert_true(least < LIMIT_MS);
}

static void copy_once(char *at, size_t offset) {
  (void)offset;
  world *w = (world *)(void *)at;
  mr_storage *storage;
  char bytes[64] = "the child's";
  bool good = !world_storage(w, w->memory, sizeof bytes, &storage) &&
              !world_write(w, storage, 0, bytes, sizeof bytes) && !world_read(w, storage, 0, bytes, sizeof bytes);
  if (!good || strcmp(bytes, "the child's") != 0) {
    raise(SIGSEGV);
  }
}

// A forked process has a queue of its own.
static void test_the_child_of_a_process_copies(void **state) {
  (void)state;
  world w;
  world_open(&w, "fenced");
  mr_storage *storage;
  char byte = 1;
  assert_null(world_storage(&w, w.memory, 1, &storage));
  assert_null(world_write(&w, storage, 0, &byte, 1));
  assert_false(dies(copy_once, (char *)(void *)&w, 0));
  assert_null(world_write(&w, storage, 0, &byte, 1));
  world_close(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nobody_reads_device_memory),    cmocka_unit_test(test_work_stays_within_its_blocks),
      cmocka_unit_test(test_free_work_runs_out_of_order),   cmocka_unit_test(test_waiting_copies_hold_no_worker),
      cmocka_unit_test(test_the_child_of_a_process_copies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
