// Memory that runs out while a platform with its workers comes up, and in what buffers, transfers and futures do on it.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "devices/devices.h"
#include "scheduler/loop.h"
#include "tests/alloc_loop.h"
#include "tests/cmocka.h"

enum { RANK = 7, LARGE = 1 << 20 };

static mr_status wait_for(mr_status status, mr_future *done) {
  if (done) {
    mr_future_wait(done);
    status = mr_status_join(status, mr_status_retain(mr_future_status(done)));
  }
  mr_future_release(done);
  return status;
}

// Each array that was taken is given back, and no other.
static _Atomic(int) given_back;
static void give_back(void *arg) {
  (void)arg;
  given_back++;
}

static int taken;

static mr_status from_host(mr_memory *memory, const int64_t *dims, size_t rank, mr_host_semantics semantics,
                           mr_buffer **out_buffer) {
  static _Alignas(64) float data[LARGE];  // may stay where it is
  mr_host_array host = {.data = data, .dtype = MR_F32, .dims = dims, .rank = rank};
  mr_status status = mr_buffer_from_host(memory, &host, semantics, give_back, NULL, out_buffer);
  taken += status == MR_OK;
  return status;
}

static mr_status copy_and_read(mr_buffer *buffer, mr_memory *memory) {
  mr_buffer *copy = NULL;
  mr_future *done = NULL;
  void *data = malloc(mr_buffer_bytes(buffer));
  mr_status status = mr_buffer_copy_to(buffer, memory, &copy);
  assert_true((status == MR_OK) == (copy != NULL));
  if (!status) {
    status = mr_buffer_to_host(copy, data, NULL, &done);
    status = wait_for(status, done);
  }
  if (copy && mr_buffer_ready(copy)) {
    mr_future_wait(mr_buffer_ready(copy));
  }
  mr_buffer_release(copy);
  free(data);
  return status;
}

static mr_status transfer(mr_platform *platform, const int64_t *dims, size_t rank, mr_host_semantics semantics) {
  mr_memory *memory = &mr_platform_device(platform, 0)->memories[MR_MEMORY_DEVICE];
  mr_buffer *buffer = NULL;
  mr_status status = from_host(memory, dims, rank, semantics, &buffer);
  assert_true((status == MR_OK) == (buffer != NULL));
  for (size_t device = 0; !status && device < 2; device++) {
    status = copy_and_read(buffer, &mr_platform_device(platform, device)->memories[MR_MEMORY_DEVICE]);
  }
  if (buffer && mr_buffer_ready(buffer)) {
    mr_future_wait(mr_buffer_ready(buffer));
  }
  mr_buffer_release(buffer);
  return status;
}

static void no_more(void *data, void *arg) {
  (void)data;
  ++*(int *)arg;
}

// The owner is told once when the memory was taken, and not at all when it was not.
static mr_status wrap(mr_platform *platform) {
  static char data[64];
  int told = 0;
  mr_storage *storage = NULL;
  mr_memory *memory = &mr_platform_device(platform, 0)->memories[MR_MEMORY_DEVICE];
  mr_status status = mr_storage_wrap(memory, data, sizeof data, false, no_more, &told, &storage);
  mr_storage_release(storage);
  assert_int_equal(told, status == MR_OK);
  return status;
}

static mr_status use(mr_platform *platform) {
  static const int64_t many[RANK] = {2, 1, 3, 1, 2, 1, 2}, small = 5, large = LARGE;
  if (mr_platform_device(platform, 0)->direct) {
    MR_TRY(wrap(platform));
  }
  MR_TRY(transfer(platform, many, RANK, MR_HOST_ONLY_DURING_CALL));
  MR_TRY(transfer(platform, &small, 1, MR_HOST_UNTIL_TRANSFER_DONE));
  MR_TRY(transfer(platform, &large, 1, MR_HOST_UNTIL_TRANSFER_DONE));
  return transfer(platform, &large, 1, MR_HOST_IMMUTABLE_ZERO_COPY);
}

static mr_status whole_life(void *context) {
  mr_platform_options options = {.num_devices = 2, .kinds = context};
  mr_platform *platform = NULL;
  mr_status status = mr_platform_create(&options, &platform);
  assert_true((status != MR_OK) == (platform == NULL));
  if (platform) {
    status = use(platform);
  }
  mr_platform_release(platform);
  // A worker gives an array back after it has said that the transfer is done.
  for (int i = 0; i < 20000 && given_back != taken; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  }
  assert_int_equal(given_back, taken);
  return status;
}

static void test_platform(void **state) {
  (void)state;
  static const char *const kinds[] = {"cpu", "null", "fenced", "faulty:cpu", "fenced,null"};
  for (size_t i = 0; i < MR_ARRAY_SIZE(kinds); i++) {
    alloc_loop(kinds[i], whole_life, (void *)(uintptr_t)kinds[i], 4000);
  }
  alloc_loops_ended_well();
}

static void on_ready(void *context, mr_status status) {
  (void)status;
  ++*(int *)context;
}

static mr_status join(mr_future *const *parts, mr_future **out_all, mr_future **out_any) {
  MR_TRY(mr_future_all(parts, 2, out_all));
  return mr_future_any(parts, 2, out_any);
}

static mr_status futures(void *context) {
  (void)context;
  mr_future *parts[2] = {0}, *all = NULL, *any = NULL;
  int calls = 0;
  mr_status status = mr_future_create(&parts[0]);
  status = status ? status : mr_future_create(&parts[1]);
  bool waits = !status;
  status = status ? status : join(parts, &all, &any);
  mr_status told = waits ? mr_future_on_ready(parts[0], on_ready, &calls) : MR_OK;
  bool is_told = waits && !told;
  status = mr_status_join(status, told);
  for (int i = 0; i < 2 && parts[i]; i++) {
    mr_future_set(parts[i], MR_OK);
  }
  assert_int_equal(calls, is_told);
  status = wait_for(wait_for(status, any), all);
  mr_future_release(parts[0]);
  mr_future_release(parts[1]);
  return status;
}

// A timer of the reactor, whose thread stays.
static mr_status timer(void *context) {
  (void)context;
  mr_future *done = NULL;
  mr_status status = mr_reactor_when(-1, 0, mr_now_ns() + 1000, &done);
  assert_true((status != MR_OK) == (done == NULL));
  return wait_for(status, done);
}

static void test_futures(void **state) {
  (void)state;
  alloc_loop("futures", futures, NULL, 1000);
  alloc_each_place("a timer", timer, NULL);
  alloc_loops_ended_well();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_platform), cmocka_unit_test(test_futures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
