// What our layers cost on an OpenCL device: one kernel of one item, from the call to the moment the caller knows of its end, bare
// (clEnqueueNDRangeKernel, clSetEventCallback, clFlush) and as work of a device; in turns, medians.
//
//   POCL_DEVICES=pthread build/release/perf/perf_devices_opencl [rounds [kernels in a chain]]
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "devices/devices.h"
#include "devices/opencl/ocl.h"

enum { MOST = 20000, INTS = 64 };

static const char source[] = "kernel void add(global uchar *b0, ulong o0, long range, long share) {\n"
                             "  global int *a = (global int *)(b0 + o0);\n"
                             "  long begin = (long)get_global_id(0) * share;\n"
                             "  for (long i = begin; i < min(range, begin + share); i++) a[i] += 1;\n"
                             "}\n";

static void check(mr_status status) {
  if (status) {
    fprintf(stderr, "%s\n", mr_status_message(status));
    exit(1);
  }
}

static int by_value(const void *a, const void *b) {
  double difference = *(const double *)a - *(const double *)b;
  return difference < 0 ? -1 : difference > 0;
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, by_value);
  return values[count / 2];
}

// ---- Bare -----------------------------------------------------------------------------------------------------------

static _Atomic(uint32_t) is_over;

static void CL_CALLBACK tell(cl_event event, cl_int status, void *user) {
  (void)event;
  (void)status;
  (void)user;
  atomic_store(&is_over, 1);
  syscall(SYS_futex, &is_over, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

// As a future waits: for a moment awake, then asleep.
static void wait_for_it(void) {
  for (uint64_t end = mr_now_ns() + 20000; !atomic_load(&is_over) && mr_now_ns() < end;) {
  }
  while (!atomic_load(&is_over)) {
    syscall(SYS_futex, &is_over, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  }
}

static double bare(mr_ocl_device *device, cl_kernel kernel, int chain) {
  const size_t one = 1;
  cl_event event;
  uint64_t start = mr_now_ns();
  atomic_store(&is_over, 0);
  for (int i = 0; i < chain; i++) {
    CL(EnqueueNDRangeKernel)(device->queues[0], kernel, 1, NULL, &one, &one, 0, NULL, i + 1 < chain ? NULL : &event);
  }
  CL(SetEventCallback)(event, CL_COMPLETE, tell, NULL);
  CL(Flush)(device->queues[0]);
  wait_for_it();
  double took = (double)(mr_now_ns() - start);
  CL(ReleaseEvent)(event);
  return took;
}

// ---- Ours -----------------------------------------------------------------------------------------------------------

static double ours(mr_device *device, const mr_device_work *work, int chain) {
  uint64_t start = mr_now_ns();
  mr_future *last = NULL;
  for (int i = 0; i < chain; i++) {
    mr_device_work one = *work;
    one.followed = i + 1 < chain;
    mr_future *done;
    check(mr_device_submit(device, &one, &last, last ? 1 : 0, &done));
    mr_future_release(last);
    last = done;
  }
  mr_future_wait(last);
  double took = (double)(mr_now_ns() - start);
  mr_future_release(last);
  return took;
}

int main(int argc, char **argv) {
  static double times[2][MOST];
  int rounds = argc > 1 ? atoi(argv[1]) : 2000, chain = argc > 2 ? atoi(argv[2]) : 1;
  rounds = MR_MIN(rounds, (int)MOST);
  mr_platform *platform;
  mr_platform_options options = {.kinds = "opencl:all"};
  check(mr_platform_create(&options, &platform));
  mr_device *device = mr_platform_device(platform, 0);
  mr_storage *storage;
  check(mr_storage_allocate(&device->memories[MR_MEMORY_DEVICE], INTS * 4, &storage));
  const mr_code_unit unit = {.language = MR_CODE_OPENCL_C, .source = mr_str_of(source), .key = {1, 1}};
  const mr_kernel_code code = {
      .language = MR_CODE_OPENCL_C, .name = "add", .unit = &unit, .entry = "add", .num_regions = 1};
  mr_device_kernel *kernel;
  check(mr_device_load_kernel(device, &code, &kernel));
  const mr_region region = {storage, 0};
  const mr_device_work work = {.kind = MR_WORK_LAUNCH,
                               .name = "add",
                               .kernel = kernel,
                               .regions = &region,
                               .num_regions = 1,
                               .range = INTS,
                               .grain = INTS};
  ours(device, &work, 1);  // sets the arguments of the object that the bare side uses
  mr_ocl_kernel *loaded = MR_CONTAINER_OF(kernel, mr_ocl_kernel, base);
  cl_kernel object;
  check(mr_ocl_kernel_take(loaded, &object));
  for (int i = 0; i < rounds; i++) {
    times[0][i] = bare(mr_ocl_cast(device), object, chain);
    times[1][i] = ours(device, &work, chain);
  }
  double without = median(times[0], rounds), with = median(times[1], rounds);
  printf("%s, %d kernels: bare %.1f us, ours %.1f us, ratio %.2f\n", device->attributes[3].text, chain, without / 1e3,
         with / 1e3, with / without);
  mr_ocl_kernel_give_back(loaded, object);
  mr_device_kernel_release(kernel);
  mr_storage_release(storage);
  mr_platform_release(platform);
  return 0;
}
