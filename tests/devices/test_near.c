// Where nodes go that read a large block, on a synthetic machine of two sockets.
#include "tests/cmocka.h"

#include "devices/devices.h"
#include "devices/tuning.h"

// Large blocks are read where they were written; small ones, those that are not known yet and foreign memory anywhere.
static void test_executor(void **state) {
  (void)state;
  mr_scheduler *scheduler;
  assert_null(
      mr_scheduler_create(&(mr_scheduler_options){.workers = 4, .synthetic = "pack:2 l3:1 core:2 pu:1"}, &scheduler));
  mr_device device = {.group = mr_scheduler_group(scheduler, 0, 1)};
  device.executor = mr_group_executor(device.group);
  mr_storage large = {.size = MR_NEAR_BYTES, .place = 1}, small = {.size = MR_NEAR_BYTES - 1, .place = 1};
  mr_storage foreign = {.size = MR_NEAR_BYTES, .place = MR_PLACE_UNKNOWN};
  mr_executor *near = mr_group_executor_near(device.group, 1);
  assert_ptr_not_equal(near, device.executor);
  assert_ptr_equal(mr_device_executor_near(&device, &large), near);
  assert_ptr_equal(mr_device_executor_near(&device, &small), device.executor);
  assert_ptr_equal(mr_device_executor_near(&device, &foreign), device.executor);
  assert_ptr_equal(mr_device_executor_near(&device, NULL), device.executor);
  mr_scheduler_release(scheduler);
}

// A block knows where it was allocated and where it is written in place; somebody else's memory does not.
static void test_place_of_a_block(void **state) {
  (void)state;
  mr_platform *platform;
  assert_null(mr_platform_create(NULL, &platform));
  mr_memory *memory = &mr_platform_device(platform, 0)->memories[MR_MEMORY_DEVICE];
  mr_storage *own, *foreign;
  static _Alignas(64) char bytes[64];
  assert_null(mr_storage_allocate(memory, 100, &own));
  assert_null(mr_storage_wrap(memory, bytes, sizeof bytes, false, NULL, NULL, &foreign));
  assert_int_equal(foreign->place, MR_PLACE_UNKNOWN);
  own->place = MR_PLACE_UNKNOWN;
  mr_storage_touch(own);
  assert_int_not_equal(own->place, MR_PLACE_UNKNOWN);
  mr_storage_release(own);
  mr_storage_release(foreign);
  mr_platform_release(platform);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_executor), cmocka_unit_test(test_place_of_a_block)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
