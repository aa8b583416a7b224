// Buffers, storages and transfers of the CPU device.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "devices/devices.h"
#include "tests/cmocka.h"

static mr_platform *platform;
static mr_memory *memory;

static int open_platform(void **state) {
  (void)state;
  mr_platform_options options = {.num_devices = 2};
  assert_null(mr_platform_create(&options, &platform));
  memory = &mr_platform_device(platform, 0)->memories[MR_MEMORY_DEVICE];
  return 0;
}

static int close_platform(void **state) {
  (void)state;
  mr_platform_release(platform);
  return 0;
}

static void assert_code(mr_status status, mr_code code) {
  assert_int_equal(mr_status_code(status), code);
  mr_status_free(status);
}

static mr_buffer *make(const float *data, int64_t count) {
  mr_buffer *buffer = NULL;
  mr_host_array host = {.data = data, .dtype = MR_F32, .dims = &count, .rank = 1};
  assert_null(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &buffer));
  return buffer;
}

static void count_call(void *arg) { ++*(int *)arg; }

// Blocks are aligned, writable over their whole size, and the same block comes back for the same size.
static void test_pool_reuses_blocks(void **state) {
  (void)state;
  static const size_t sizes[] = {0, 1, 64, 65, 1000, 65536, 1 << 20, (3 << 20) + 5};
  for (size_t i = 0; i < MR_ARRAY_SIZE(sizes); i++) {
    mr_storage *storage = NULL;
    assert_null(mr_storage_allocate(memory, sizes[i], &storage));
    assert_int_equal((uintptr_t)storage->data % 64, 0);
    memset(storage->data, 1, sizes[i]);
    void *first = storage->data;
    mr_storage_release(storage);
    assert_null(mr_storage_allocate(memory, sizes[i], &storage));
    assert_ptr_equal(storage->data, first);
    mr_storage_release(storage);
  }
}

// What cannot be had is a status, not a crash.
static void test_pool_refuses_the_impossible(void **state) {
  (void)state;
  mr_storage *storage = NULL;
  assert_code(mr_storage_allocate(memory, (size_t)1 << 60, &storage), MR_RESOURCE_EXHAUSTED);
  assert_code(mr_storage_allocate(memory, (size_t)1 << 45, &storage), MR_RESOURCE_EXHAUSTED);
  assert_null(storage);
}

// Use is counted while a storage lives and not after.
static void test_statistics_follow_use(void **state) {
  (void)state;
  mr_device *device = mr_platform_device(platform, 1);
  mr_storage *storage = NULL;
  uint64_t before = mr_device_stats(device).bytes_in_use;
  assert_null(mr_storage_allocate(&device->memories[MR_MEMORY_DEVICE], 5000, &storage));
  assert_true(mr_device_stats(device).bytes_in_use >= before + 5000);
  mr_storage_release(storage);
  assert_int_equal(mr_device_stats(device).bytes_in_use, before);
  assert_true(mr_device_stats(device).peak_bytes_in_use >= before + 5000);
}

// Whichever reference goes last, a handle or a hold, takes the storage along: after a release, a deletion, a donation, and a
// donation that was undone.
static void test_last_reference_frees_storage(void **state) {
  (void)state;
  const float data[1000] = {1};
  uint64_t before = mr_device_stats(memory->device).bytes_in_use;
  for (int donate = 0; donate < 2; donate++) {
    for (int handle_first = 0; handle_first < 2; handle_first++) {
      for (int give_back = 0; give_back <= donate; give_back++) {
        mr_buffer *buffer = make(data, 1000);
        mr_hold *hold = NULL;
        assert_null(mr_buffer_hold(buffer, donate, &hold));
        if (handle_first) {
          mr_buffer_release(buffer);
          assert_true(mr_device_stats(memory->device).bytes_in_use > before);
        }
        if (give_back) {
          mr_hold_give_back(hold);
        } else {
          mr_hold_release(hold);
        }
        if (!handle_first) {
          mr_buffer_release(buffer);
        }
        assert_int_equal(mr_device_stats(memory->device).bytes_in_use, before);
      }
    }
  }
}

// A copy that fails lets go of what it was to read and to fill then and there, however long somebody keeps the future that
// tells of it.
static void test_failed_copies_let_go(void **state) {
  (void)state;
  const int64_t dims[1] = {1000};
  uint64_t before = mr_device_stats(memory->device).bytes_in_use;
  for (int to_host = 0; to_host < 2; to_host++) {
    mr_future *ready = NULL, *done = NULL;
    mr_storage *storage = NULL;
    mr_buffer *source = NULL, *target = NULL;
    float host[1000];
    assert_null(mr_storage_allocate(memory, sizeof host, &storage));
    assert_null(mr_future_create(&ready));
    assert_null(mr_buffer_create(memory, MR_F32, dims, 1, storage, mr_future_retain(ready), &source));
    if (to_host) {
      assert_null(mr_buffer_to_host(source, host, NULL, &done));
    } else {
      assert_null(mr_buffer_copy_to(source, memory, &target));
      mr_buffer_delete(target);
      done = mr_future_retain(mr_buffer_ready(target));
    }
    mr_buffer_release(source);
    assert_true(mr_device_stats(memory->device).bytes_in_use > before);
    mr_future_set(ready, mr_error(MR_ABORTED, "no content"));
    mr_future_wait(done);
    assert_int_equal(mr_device_stats(memory->device).bytes_in_use, before);
    mr_buffer_release(target);
    mr_future_release(done);
    mr_future_release(ready);
  }
}

// A deleted buffer has no content, but a hold taken before keeps it readable.
static void test_hold_outlives_deletion(void **state) {
  (void)state;
  float data[3] = {1, 2, 3};
  mr_buffer *buffer = make(data, 3);
  mr_hold *hold = NULL;
  assert_null(mr_buffer_hold(buffer, false, &hold));
  mr_buffer_delete(buffer);
  assert_true(mr_buffer_is_deleted(buffer));
  assert_memory_equal(mr_hold_storage(hold)->data, data, sizeof data);
  mr_hold *late = NULL;
  assert_code(mr_buffer_hold(buffer, false, &late), MR_INVALID_ARGUMENT);
  mr_hold_release(hold);
  mr_buffer_release(buffer);
}

// A donor alone gets the block for itself; with a reader beside it the block is shared.
static void test_donation_is_exclusive_without_readers(void **state) {
  (void)state;
  float data[2] = {1, 2};
  for (int readers = 0; readers < 2; readers++) {
    mr_buffer *buffer = make(data, 2);
    mr_hold *reader = NULL, *donor = NULL;
    if (readers) {
      assert_null(mr_buffer_hold(buffer, false, &reader));
    }
    assert_null(mr_buffer_hold(buffer, true, &donor));
    assert_true(mr_buffer_is_deleted(buffer));
    mr_storage *storage = mr_hold_take_storage(donor);
    assert_int_equal(mr_storage_is_exclusive(storage), readers == 0);
    mr_storage_release(storage);
    mr_hold_release(donor);
    mr_hold_release(reader);
    mr_buffer_release(buffer);
  }
}

// What a block holds has an identity: another one after the content was replaced or the struct handed out again, none when
// the block's owner may write it.
static void test_content_identity(void **state) {
  (void)state;
  static char foreign[64];
  mr_storage *storage = NULL;
  assert_null(mr_storage_allocate(memory, 64, &storage));
  mr_content first = mr_storage_content(storage);
  assert_ptr_equal(first.storage, storage);
  mr_storage_touch(storage);
  assert_true(mr_storage_content(storage).generation != first.generation);
  uint64_t last = mr_storage_content(storage).generation;
  mr_storage_release(storage);
  assert_null(mr_storage_allocate(memory, 64, &storage));
  assert_true(storage != first.storage || mr_storage_content(storage).generation > last);
  mr_storage_release(storage);
  assert_null(mr_storage_wrap(memory, foreign, sizeof foreign, false, NULL, NULL, &storage));
  assert_null(mr_storage_content(storage).storage);
  mr_storage_release(storage);
}

// A donation that is given back leaves the buffer as it was.
static void test_donation_can_be_undone(void **state) {
  (void)state;
  float data[2] = {1, 2};
  mr_buffer *buffer = make(data, 2);
  mr_hold *donor = NULL;
  assert_null(mr_buffer_hold(buffer, true, &donor));
  mr_hold_give_back(donor);
  assert_false(mr_buffer_is_deleted(buffer));
  mr_buffer_release(buffer);
}

// A buffer that is deleted while a donor has it stays deleted when that gives it back, and its storage goes then.
static void test_deletion_during_donation_holds(void **state) {
  (void)state;
  const float data[1000] = {1};
  uint64_t before = mr_device_stats(memory->device).bytes_in_use;
  mr_buffer *buffer = make(data, 1000);
  mr_hold *donor = NULL, *hold = NULL;
  assert_null(mr_buffer_hold(buffer, true, &donor));
  mr_buffer_delete(buffer);
  mr_buffer_delete(buffer);
  assert_true(mr_hold_is_exclusive(donor));
  mr_hold_give_back(donor);
  assert_true(mr_buffer_is_deleted(buffer));
  assert_int_equal(mr_device_stats(memory->device).bytes_in_use, before);
  assert_code(mr_buffer_hold(buffer, false, &hold), MR_INVALID_ARGUMENT);
  mr_buffer_release(buffer);
}

// Arrays with any strides, zero and negative ones included, arrive dense.
static void test_strided_host_arrays(void **state) {
  (void)state;
  int32_t data[6] = {0, 1, 2, 3, 4, 5};
  int64_t dims[2] = {2, 3}, reversed[2] = {12, -4}, broadcast[2] = {0, 4};
  int32_t out[6];
  mr_future *done = NULL;
  mr_host_array host = {.data = &data[2], .dtype = MR_S32, .dims = dims, .rank = 2, .byte_strides = reversed};
  mr_buffer *buffer = NULL;
  assert_null(mr_buffer_from_host(memory, &host, MR_HOST_UNTIL_TRANSFER_DONE, NULL, NULL, &buffer));
  assert_null(mr_buffer_to_host(buffer, out, NULL, &done));
  assert_null(done);
  assert_memory_equal(out, ((int32_t[]){2, 1, 0, 5, 4, 3}), sizeof out);
  mr_buffer_release(buffer);
  host = (mr_host_array){.data = data, .dtype = MR_S32, .dims = dims, .rank = 2, .byte_strides = broadcast};
  assert_null(mr_buffer_from_host(memory, &host, MR_HOST_IMMUTABLE_ZERO_COPY, NULL, NULL, &buffer));
  assert_null(mr_buffer_to_host(buffer, out, (int64_t[]){4, 8}, &done));  // column order on the way out
  assert_memory_equal(out, ((int32_t[]){0, 0, 1, 1, 2, 2}), sizeof out);
  mr_buffer_release(buffer);
}

// Zero copy aliases an aligned array and says so when the last user is gone; an unaligned one is copied at once.
static void test_zero_copy_semantics(void **state) {
  (void)state;
  _Alignas(64) static float data[32];
  int64_t count = 16;
  for (int offset = 0; offset < 2; offset++) {
    int calls = 0;
    mr_buffer *buffer = NULL;
    void *at = NULL;
    mr_host_array host = {.data = data + offset, .dtype = MR_F32, .dims = &count, .rank = 1};
    assert_null(mr_buffer_from_host(memory, &host, MR_HOST_IMMUTABLE_ZERO_COPY, count_call, &calls, &buffer));
    assert_int_equal(calls, offset == 0 ? 0 : 1);
    assert_true(mr_buffer_external_retain(buffer));
    assert_null(mr_buffer_data(buffer, &at));
    assert_int_equal(at == (void *)(data + offset), offset == 0);
    mr_buffer_delete(buffer);
    assert_int_equal(calls, offset == 0 ? 0 : 1);
    assert_false(mr_buffer_external_retain(buffer));
    mr_buffer_external_release(buffer);
    assert_int_equal(calls, 1);
    mr_buffer_release(buffer);
  }
}

// Large arrays travel on a node: the buffer is pending, then right, and the owner is told once.
static void test_large_transfers_are_asynchronous(void **state) {
  (void)state;
  int64_t count = 6 << 20;
  float *data = malloc((size_t)count * sizeof *data), *out = malloc((size_t)count * sizeof *out);
  for (int64_t i = 0; i < count; i++) {
    data[i] = (float)i;
  }
  static _Atomic(int) calls;
  mr_buffer *buffer = NULL, *copy = NULL;
  mr_host_array host = {.data = data, .dtype = MR_F32, .dims = &count, .rank = 1};
  assert_null(mr_buffer_from_host(memory, &host, MR_HOST_UNTIL_TRANSFER_DONE, count_call, (void *)&calls, &buffer));
  assert_null(mr_buffer_copy_to(buffer, &mr_platform_device(platform, 1)->memories[MR_MEMORY_PINNED_HOST], &copy));
  mr_buffer_release(buffer);  // the copy goes on
  mr_future *done = NULL;
  assert_null(mr_buffer_to_host(copy, out, NULL, &done));
  if (done) {
    mr_future_wait(done);
    assert_null(mr_future_status(done));
    mr_future_release(done);
  }
  assert_int_equal(calls, 1);
  assert_memory_equal(out, data, (size_t)count * sizeof *out);
  mr_buffer_release(copy);
  free(data);
  free(out);
}

// A failed producer poisons copies of what it promised.
static void test_errors_travel_with_buffers(void **state) {
  (void)state;
  int64_t count = 4;
  float out[4];
  mr_future *ready = NULL, *done = NULL;
  mr_buffer *buffer = NULL;
  assert_null(mr_future_create(&ready));
  assert_null(mr_buffer_create(memory, MR_F32, &count, 1, NULL, mr_future_retain(ready), &buffer));
  assert_null(mr_buffer_to_host(buffer, out, NULL, &done));
  assert_non_null(done);
  mr_future_set(ready, mr_error(MR_DATA_LOSS, "the producer died"));
  mr_future_wait(done);
  assert_int_equal(mr_status_code(mr_future_status(done)), MR_DATA_LOSS);
  mr_future_release(done);
  mr_future_release(ready);
  mr_buffer_release(buffer);
}

// Wrong ranges and shapes name what was wrong.
static void test_bad_arguments(void **state) {
  (void)state;
  float data[4] = {0};
  mr_buffer *buffer = make(data, 4), *none = NULL;
  mr_future *done = NULL;
  assert_code(mr_buffer_raw_to_host(buffer, data, 12, 8, &done), MR_INVALID_ARGUMENT);
  int64_t huge[2] = {INT64_MAX, 2};
  mr_host_array host = {.data = data, .dtype = MR_F32, .dims = huge, .rank = 2};
  assert_code(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &none), MR_INVALID_ARGUMENT);
  mr_buffer_release(buffer);
}

static void assert_invalid(mr_status status, const char *says) {
  if (mr_status_code(status) != MR_INVALID_ARGUMENT || !strstr(mr_status_message(status), says)) {
    fail_msg("%s: %s, wanted \"%s\"", mr_status_code_name(mr_status_code(status)), mr_status_message(status), says);
  }
  mr_status_free(status);
}

static mr_status from_host(const mr_host_array *host) {
  mr_buffer *none = NULL;
  mr_status status = mr_buffer_from_host(memory, host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &none);
  assert_null(none);
  return status;
}

// The same by the words.
static void test_messages_name_what_was_wrong(void **state) {
  (void)state;
  static const float data[4];
  static const int64_t dims[40] = {4, 1};
  assert_invalid(from_host(&(mr_host_array){.data = data, .dtype = MR_F32, .dims = dims, .rank = 40}),
                 "host array has 40 dimensions, wanted at most");
  assert_invalid(from_host(&(mr_host_array){.data = data, .dtype = MR_INVALID, .dims = dims, .rank = 1}),
                 "host array has element type number 0, wanted 1 to");
  assert_invalid(from_host(&(mr_host_array){.dtype = MR_F32, .dims = dims, .rank = 1}),
                 "host array of 16 bytes has no data pointer");
  mr_buffer *none = NULL;
  assert_invalid(mr_buffer_create(memory, MR_F32, dims, 40, NULL, NULL, &none),
                 "buffer has 40 dimensions, wanted at most");
  mr_memory_kind kind;
  assert_invalid(mr_memory_kind_parse(MR_STR("hidden"), &kind), "memory kind is 'hidden', wanted device");
  mr_platform *two = NULL;
  assert_invalid(mr_platform_create(&(mr_platform_options){.num_devices = 1 << 20}, &two),
                 "num_devices is 1048576, wanted 1 to");
  setenv("MILLRACE_NUM_DEVICES", "none", 1);
  assert_invalid(mr_platform_create(NULL, &two), "MILLRACE_NUM_DEVICES");
  unsetenv("MILLRACE_NUM_DEVICES");
  assert_null(two);
}

enum { RACE_ROUNDS = 2000, RACERS = 3 };
static mr_buffer *contested[RACE_ROUNDS];
static _Atomic(int) donations;

static void *race(void *arg) {
  (void)arg;
  for (int i = 0; i < RACE_ROUNDS; i++) {
    mr_hold *hold = NULL;
    mr_status status = mr_buffer_hold(contested[i], true, &hold);
    if (!status) {
      atomic_fetch_add_explicit(&donations, 1, memory_order_relaxed);
      mr_storage_release(mr_hold_take_storage(hold));
      mr_hold_release(hold);
    }
    mr_status_free(status);
  }
  return NULL;
}

// Of several threads that donate one buffer exactly one gets it.
static void test_one_donor_wins(void **state) {
  (void)state;
  float data[1] = {1};
  for (int i = 0; i < RACE_ROUNDS; i++) {
    contested[i] = make(data, 1);
  }
  pthread_t threads[RACERS];
  for (int t = 0; t < RACERS; t++) {
    assert_int_equal(pthread_create(&threads[t], NULL, race, NULL), 0);
  }
  for (int t = 0; t < RACERS; t++) {
    pthread_join(threads[t], NULL);
  }
  assert_int_equal(donations, RACE_ROUNDS);
  for (int i = 0; i < RACE_ROUNDS; i++) {
    mr_buffer_release(contested[i]);
  }
}

static void wait_and_release(mr_future *take_done) {
  if (take_done) {
    mr_future_wait(take_done);
    assert_null(mr_future_status(take_done));
    mr_future_release(take_done);
  }
}

// A transposed copy has each element where the order of dimensions puts it: sizes around the squares it is copied in.
static void test_transposed_copies(void **state) {
  (void)state;
  static const int64_t orders[][3] = {{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  static const int64_t dims[] = {3, 330, 700};  // large enough for several cores
  enum { COUNT = 3 * 330 * 700 };
  int16_t *values = malloc(COUNT * sizeof *values), *got = malloc(COUNT * sizeof *got);
  for (int i = 0; i < COUNT; i++) {
    values[i] = (int16_t)i;
  }
  mr_host_array host = {.data = values, .dtype = MR_S16, .dims = dims, .rank = 3};
  mr_buffer *buffer;
  assert_null(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &buffer));
  for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
    const int64_t *order = orders[o];
    const int64_t to[] = {dims[order[0]], dims[order[1]], dims[order[2]]};
    int64_t strides[3], at[3], stride = sizeof *got;
    for (int i = 3; i-- > 0; stride *= to[i]) {
      strides[order[i]] = stride;
    }
    mr_future *done;
    assert_null(mr_buffer_to_host(buffer, got, strides, &done));
    wait_and_release(done);
    for (at[0] = 0; at[0] < dims[0]; at[0]++) {
      for (at[1] = 0; at[1] < dims[1]; at[1]++) {
        for (at[2] = 0; at[2] < dims[2]; at[2]++) {
          int64_t from = (at[0] * dims[1] + at[1]) * dims[2] + at[2];
          assert_int_equal(got[(at[order[0]] * to[1] + at[order[1]]) * to[2] + at[order[2]]], values[from]);
        }
      }
    }
  }
  mr_buffer_release(buffer);
  free(values);
  free(got);
}

// The address of a buffer whose content is not there yet is where the content comes, and nothing is known of a block that
// may be written from outside.
static void test_address_before_content(void **state) {
  (void)state;
  static const int64_t dims[] = {4};
  mr_future *ready;
  mr_buffer *buffer;
  mr_hold *producer;
  mr_storage *storage;
  assert_null(mr_future_create(&ready));
  assert_null(mr_buffer_create(memory, MR_F32, dims, 1, NULL, mr_future_retain(ready), &buffer));
  assert_null(mr_buffer_hold(buffer, false, &producer));
  void *address, *again;
  assert_null(mr_buffer_address(buffer, false, false, &address));
  assert_null(mr_buffer_address(buffer, true, false, &again));
  assert_ptr_equal(address, again);
  assert_null(mr_storage_allocate(memory, 16, &storage));
  memcpy(storage->data, (const float[]){1, 2, 3, 4}, 16);
  mr_buffer_define(buffer, storage);
  mr_hold_release(producer);
  mr_future_set(ready, MR_OK);
  mr_future_release(ready);
  assert_memory_equal(address, ((const float[]){1, 2, 3, 4}), 16);
  assert_null(mr_buffer_data(buffer, &again));
  assert_ptr_equal(address, again);
  assert_null(mr_buffer_storage(buffer, &storage));
  assert_null(mr_storage_content(storage).storage);
  mr_storage_release(storage);
  mr_buffer_release(buffer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pool_reuses_blocks),
      cmocka_unit_test(test_pool_refuses_the_impossible),
      cmocka_unit_test(test_statistics_follow_use),
      cmocka_unit_test(test_last_reference_frees_storage),
      cmocka_unit_test(test_failed_copies_let_go),
      cmocka_unit_test(test_hold_outlives_deletion),
      cmocka_unit_test(test_donation_is_exclusive_without_readers),
      cmocka_unit_test(test_content_identity),
      cmocka_unit_test(test_donation_can_be_undone),
      cmocka_unit_test(test_deletion_during_donation_holds),
      cmocka_unit_test(test_strided_host_arrays),
      cmocka_unit_test(test_zero_copy_semantics),
      cmocka_unit_test(test_large_transfers_are_asynchronous),
      cmocka_unit_test(test_errors_travel_with_buffers),
      cmocka_unit_test(test_bad_arguments),
      cmocka_unit_test(test_messages_name_what_was_wrong),
      cmocka_unit_test(test_one_donor_wins),
      cmocka_unit_test(test_transposed_copies),
      cmocka_unit_test(test_address_before_content),
  };
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
