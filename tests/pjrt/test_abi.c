// Offsets of the ABI that hosts are known to rely on; the sizes are asserted in the headers themselves.

#include "pjrt/abi.h"
#include "tests/cmocka.h"

#define ASSERT_OFFSET(type, field, offset) assert_int_equal(offsetof(type, field), offset)

// The fields that jaxlib reads or writes by offset stand where it expects them.
static void test_offsets(void **state) {
  (void)state;
  ASSERT_OFFSET(PJRT_Api, pjrt_api_version.major_version, 32);
  ASSERT_OFFSET(PJRT_Api, pjrt_api_version.minor_version, 36);
  ASSERT_OFFSET(PJRT_Api, PJRT_Error_Destroy, 40);
  ASSERT_OFFSET(PJRT_Api, PJRT_Device_ClearMemoryStats, 0x460);
  ASSERT_OFFSET(PJRT_Device_MemoryStats_Args, bytes_in_use, 24);
  ASSERT_OFFSET(PJRT_Device_MemoryStats_Args, peak_pool_bytes_is_set, 184);
  ASSERT_OFFSET(PJRT_Buffer_MemoryLayout, tiled, 16);
  ASSERT_OFFSET(PJRT_Buffer_MemoryLayout, type, 72);
  ASSERT_OFFSET(PJRT_LoadedExecutable_Execute_Args, execute_device, 72);
  ASSERT_OFFSET(PJRT_Client_BufferFromHostBuffer_Args, buffer, 112);
  ASSERT_OFFSET(PJRT_NamedValue, int64_value, 40);
  ASSERT_OFFSET(PJRT_ExecuteOptions, context, 72);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_offsets)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
