// What an OpenCL device refuses and how it says so: settings, libraries that are no runtimes, devices that are not there, memory that
// is not there, kernels that it does not take. Each case is a child, because runtimes are looked for once.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/census.h"
#include "devices/devices.h"
#include "tests/cmocka.h"

#define LIBRARY MR_BINARY_DIR "/lib/libtest_fake_icd.so"

// What a child makes of it; not 0: it has said why.
typedef int (*life)(void);

static void in_child(const char *name, const char *value, life live) {
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    setenv("MILLRACE_OPENCL_LIBRARY", LIBRARY, 1);
    if (name) {
      setenv(name, value, 1);
    }
    _exit(live());
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (status) {
    fail_msg("%s=%s: the child ended with %d", name ? name : "nothing", name ? value : "", status);
  }
}

static int64_t alive(void) {
  int64_t counts[MR_CENSUS_KINDS], all = 0;
  mr_census(counts);
  for (size_t i = 0; i < MR_CENSUS_KINDS; i++) {
    all += counts[i];
  }
  return all;
}

static int complain(const char *what, const char *wanted, mr_status status) {
  fprintf(stderr, "%s: wanted '%s', is %s: %s\n", what, wanted, mr_status_code_name(mr_status_code(status)),
          mr_status_message(status));
  return 1;
}

// The status has this code and says this; it goes.
static int expect(const char *what, mr_status status, mr_code code, const char *words) {
  int wrong =
      mr_status_code(status) != code || !strstr(mr_status_message(status), words) ? complain(what, words, status) : 0;
  mr_status_free(status);
  return wrong;
}

// A platform that cannot be made leaves nothing, and one with the CPU alone is made after it.
static int refused(const char *kinds, mr_code code, const char *words) {
  mr_platform *platform = NULL;
  mr_platform_options options = {.kinds = kinds};
  int wrong = expect(kinds, mr_platform_create(&options, &platform), code, words);
  if (platform || alive()) {
    fprintf(stderr, "%s: something is left\n", kinds);
    return 1;
  }
  unsetenv("MILLRACE_MEMORY_LIMIT_MB");  // which the CPU reads as well
  options.kinds = "cpu";
  wrong += expect("cpu", mr_platform_create(&options, &platform), (mr_code)0, "");
  mr_platform_release(platform);
  return wrong;
}

// ---- Settings and libraries -----------------------------------------------------------------------------------------

static int neither_word(void) {
  return refused("cpu,opencl", MR_INVALID_ARGUMENT, "MILLRACE_OPENCL_MEMORY is \"fast\", wanted shared or buffers");
}
static int no_shared_memory(void) {
  return refused("cpu,opencl", MR_FAILED_PRECONDITION, "Fake device has no fine-grain shared memory");
}
static int no_patience(void) { return refused("opencl", MR_INVALID_ARGUMENT, "MILLRACE_OPENCL_PATIENCE_MS"); }
static int no_limit(void) { return refused("opencl", MR_INVALID_ARGUMENT, "MILLRACE_MEMORY_LIMIT_MB"); }
static int is_off(void) { return refused("opencl", MR_NOT_FOUND, "MILLRACE_OPENCL_LIBRARY is off"); }
static int is_not_there(void) { return refused("opencl", MR_NOT_FOUND, "no OpenCL: /nowhere/libOpenCL.so"); }
static int is_none(void) { return refused("opencl", MR_NOT_FOUND, "libm.so.6 has not clGetPlatformIDs"); }

static void test_settings(void **state) {
  (void)state;
  in_child("MILLRACE_OPENCL_MEMORY", "fast", neither_word);
  in_child("MILLRACE_OPENCL_MEMORY", "shared", no_shared_memory);
  in_child("MILLRACE_OPENCL_PATIENCE_MS", "soon", no_patience);
  in_child("MILLRACE_MEMORY_LIMIT_MB", "all", no_limit);
}

static void test_libraries_that_are_no_runtimes(void **state) {
  (void)state;
  in_child("MILLRACE_OPENCL_LIBRARY", "off", is_off);
  in_child("MILLRACE_OPENCL_LIBRARY", "/nowhere/libOpenCL.so", is_not_there);
  in_child("MILLRACE_OPENCL_LIBRARY", "libm.so.6", is_none);
}

// The runtime has two devices, both GPUs.
static int other_devices(void) {
  return refused("opencl:2", MR_NOT_FOUND, "no OpenCL device number 2 of those meant by '' (GPUs and accelerators)") +
         refused("opencl,opencl,opencl", MR_NOT_FOUND, "no OpenCL device number 2") +
         refused("opencl:cpu", MR_NOT_FOUND, "no OpenCL device number 0 of those meant by 'cpu'") +
         refused("opencl:nobody's", MR_NOT_FOUND, "Fake device (Fake,");
}

static void test_devices_that_are_not_there(void **state) {
  (void)state;
  in_child(NULL, NULL, other_devices);
}

// ---- Memory and kernels ---------------------------------------------------------------------------------------------

static mr_status take(mr_device *device, size_t bytes, mr_storage **out) {
  return mr_storage_allocate(&device->memories[MR_MEMORY_DEVICE], bytes, out);
}

// Of a gibibyte an eighth or so is for others. What was refused is not counted as taken.
static int too_much(void) {
  mr_platform *platform;
  mr_platform_options options = {.kinds = "opencl"};
  if (mr_platform_create(&options, &platform)) {
    return 1;
  }
  mr_device *device = mr_platform_device(platform, 0);
  mr_storage *some[64], *more = NULL;
  size_t count = 0;
  int wrong =
      expect("2 GiB", take(device, (size_t)2 << 30, &more), MR_RESOURCE_EXHAUSTED,
             "a block of 2147483648 bytes was asked for, and the largest that Fake device gives is of 1073741824");
  wrong += expect("2^60", take(device, (size_t)1 << 60, &more), MR_RESOURCE_EXHAUSTED, "the largest that Fake device");
  mr_status status = MR_OK;
  while (!status && count < 64 && !(status = take(device, 64 << 20, &some[count]))) {
    count++;
  }
  char in_use[64];
  snprintf(in_use, sizeof in_use, "; %zu bytes are in use on Fake device, and ", count << 26);
  wrong += expect("the last", status, MR_RESOURCE_EXHAUSTED, in_use);
  wrong += count < 8 || count > 16;
  mr_memory_stats stats = mr_device_stats(device);
  wrong += (uint64_t)stats.bytes_in_use != (uint64_t)count << 26;
  // One that goes makes room for one of another size.
  if (count) {
    mr_storage_release(some[--count]);
    wrong += expect("48 MiB", take(device, 48 << 20, &more), (mr_code)0, "");
    mr_storage_release(more);
  }
  while (count) {
    mr_storage_release(some[--count]);
  }
  mr_platform_release(platform);
  return wrong + (alive() != 0);
}

// Of memory that is a device's own it can have all, whatever others have; what devices share is for each of them.
static int own_memory(void) {
  mr_platform *platform;
  mr_platform_options options = {.num_devices = 4, .kinds = "opencl,cpu,opencl,cpu"};
  if (mr_platform_create(&options, &platform)) {
    return 1;
  }
  int wrong = 0;
  for (size_t i = 0; i < 4; i++) {
    mr_device *device = mr_platform_device(platform, i);
    uint64_t limit = mr_device_stats(device).bytes_limit, share = mr_platform_share(platform, device);
    wrong += limit == 0 || share != (i % 2 ? limit / 2 : limit);
  }
  mr_platform_release(platform);
  return wrong;
}

static void test_own_memory(void **state) {
  (void)state;
  in_child(NULL, NULL, own_memory);
}

static void test_memory_that_is_not_there(void **state) {
  (void)state;
  in_child(NULL, NULL, too_much);
}

static int load(mr_device *device, mr_code_language language, const char *source, mr_code code, const char *words) {
  const mr_code_unit unit = {
      .language = language, .source = mr_str_of(source), .key = {strlen(source), (uint64_t)language}};
  const mr_kernel_code kernel_code = {
      .language = language, .name = "test", .unit = &unit, .entry = "add", .num_regions = 3};
  mr_device_kernel *kernel = NULL;
  int wrong = expect(source, mr_device_load_kernel(device, &kernel_code, &kernel), code, words) +
              ((code == (mr_code)0) != (kernel != NULL));
  mr_device_kernel_release(kernel);
  return wrong;
}

// A text that does not compile is refused each time, and the next one is taken.
static int kernels(void) {
  mr_platform *platform;
  mr_platform_options options = {.kinds = "opencl"};
  if (mr_platform_create(&options, &platform)) {
    return 1;
  }
  mr_device *device = mr_platform_device(platform, 0);
  int wrong = load(device, MR_CODE_NATIVE, "kernel", MR_UNIMPLEMENTED, "opencl takes kernels in OpenCL C, and test is");
  for (int i = 0; i < 2; i++) {
    wrong += load(device, MR_CODE_OPENCL_C, "#error", MR_INTERNAL,
                  "Fake device does not compile the unit of kernel test: CL_BUILD_PROGRAM_FAILURE (-11)");
  }
  wrong += load(device, MR_CODE_OPENCL_C, "kernel void add() {}", (mr_code)0, "");
  mr_platform_release(platform);
  return wrong + (alive() != 0);
}

static void test_kernels_that_are_not_taken(void **state) {
  (void)state;
  in_child(NULL, NULL, kernels);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_settings),
      cmocka_unit_test(test_libraries_that_are_no_runtimes),
      cmocka_unit_test(test_devices_that_are_not_there),
      cmocka_unit_test(test_memory_that_is_not_there),
      cmocka_unit_test(test_own_memory),
      cmocka_unit_test(test_kernels_that_are_not_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
