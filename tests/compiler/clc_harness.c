#define CL_TARGET_OPENCL_VERSION 120
#include "tests/compiler/clc_harness.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/codegen/codegen.h"
#include "compiler/ir/scalar.h"
#include "core/processor/processor.h"
#include "tests/cmocka.h"

// clang-format off
#define FUNCTIONS(X) \
  X(clGetPlatformIDs) X(clGetDeviceIDs) X(clGetDeviceInfo) X(clCreateContext) \
  X(clCreateCommandQueue) X(clCreateBuffer) X(clCreateProgramWithSource) X(clBuildProgram) \
  X(clGetProgramBuildInfo) X(clReleaseProgram) X(clCreateKernel) X(clReleaseKernel) \
  X(clSetKernelArg) X(clGetKernelWorkGroupInfo) X(clEnqueueNDRangeKernel) X(clEnqueueReadBuffer) X(clFinish) \
  X(clReleaseMemObject)
// clang-format on

struct clc_host {
#define X(name) __typeof__(&name) name;
  FUNCTIONS(X)
#undef X
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  mr_target target;
  char name[128];
};

struct clc_program {
  clc_host *host;
  cl_program program;
};

static bool load(clc_host *h) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    return false;
  }
#define X(function)                                   \
  *(void **)&h->function = dlsym(library, #function); \
  if (!h->function) {                                 \
    return false;                                     \
  }
  FUNCTIONS(X)
#undef X
  return true;
}

static bool open_device(clc_host *h) {
  cl_platform_id platform;
  cl_uint count = 0;
  if (h->clGetPlatformIDs(1, &platform, &count) || !count ||
      h->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &h->device, NULL)) {
    return false;
  }
  cl_device_fp_config single = 0, twice = 0;
  size_t bytes = 0;
  h->clGetDeviceInfo(h->device, CL_DEVICE_NAME, sizeof h->name, h->name, NULL);
  h->clGetDeviceInfo(h->device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof single, &single, NULL);
  h->clGetDeviceInfo(h->device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof twice, &twice, NULL);
  h->clGetDeviceInfo(h->device, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof bytes, &bytes, NULL);
  h->target = (mr_target){.language = MR_CODE_OPENCL_C,
                          .has_f64 = twice != 0,
                          .has_correct_division = (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0,
                          .has_subnormals = (single & CL_FP_DENORM) != 0,
                          .parameter_bytes = bytes};
  cl_int error;
  h->context = h->clCreateContext(NULL, 1, &h->device, NULL, NULL, &error);
  h->queue = error ? NULL : h->clCreateCommandQueue(h->context, h->device, 0, &error);
  return !error;
}

clc_host *clc_host_get(void) {
  static clc_host host;
  static int state;  // 0: not looked for yet, 1: there, 2: none
  if (!state) {
    state = load(&host) && open_device(&host) ? 1 : 2;
  }
  return state == 1 ? &host : NULL;
}

const char *clc_host_name(const clc_host *host) { return host->name; }
const mr_target *clc_host_target(const clc_host *host) { return &host->target; }
bool clc_host_interprets(const clc_host *host) { return strstr(host->name, "Oclgrind") != NULL; }

mr_target clc_host_items(const clc_host *host) {
  mr_target target = host->target;
  target.items = true;
  target.group_items = 256;
  target.local_bytes = 32 << 10;
  return target;
}

clc_program *clc_build(clc_host *h, mr_str text) {
  clc_program *p = malloc(sizeof *p);
  cl_int error;
  p->host = h;
  p->program = h->clCreateProgramWithSource(h->context, 1, &text.data, &text.size, &error);
  assert_int_equal(error, 0);
  char options[128];
  bool interprets = clc_host_interprets(h);  // Oclgrind does not know what inlining leaves behind
  snprintf(options, sizeof options, "-cl-std=CL1.2 -w -cl-denorms-are-zero%s%s",
           h->target.has_correct_division ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
           interprets ? " -cl-opt-disable -DMR_INLINE=" : "");
  error = h->clBuildProgram(p->program, 1, &h->device, options, NULL, NULL);
  if (error) {
    static char log[20000];
    h->clGetProgramBuildInfo(p->program, h->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    fail_msg("build: %d\n%s\n%.*s", error, log, (int)text.size, text.data);
  }
  return p;
}

void clc_program_release(clc_program *p) {
  p->host->clReleaseProgram(p->program);
  free(p);
}

static void set_arg(clc_host *h, cl_kernel kernel, cl_uint *number, size_t size, const void *value) {
  assert_int_equal(h->clSetKernelArg(kernel, (*number)++, size, value), 0);
}

void clc_run(clc_program *p, const char *entry, void *const *buffers, const size_t *sizes, size_t num_buffers,
             int64_t range, int64_t share) {
  clc_host *h = p->host;
  cl_int error;
  cl_kernel kernel = h->clCreateKernel(p->program, entry, &error);
  assert_int_equal(error, 0);
  cl_mem *memory = calloc(num_buffers + 1, sizeof *memory);
  cl_uint number = 0;
  for (size_t i = 0; i < num_buffers; i++) {
    cl_ulong offset = 0;
    cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    memory[i] = sizes[i] ? h->clCreateBuffer(h->context, flags, sizes[i], buffers[i], &error) : NULL;
    assert_int_equal(error, 0);
    set_arg(h, kernel, &number, sizeof memory[i], memory[i] ? &memory[i] : NULL);
    set_arg(h, kernel, &number, sizeof offset, &offset);
  }
  cl_long tiles[2] = {range, share};
  set_arg(h, kernel, &number, sizeof tiles[0], &tiles[0]);
  set_arg(h, kernel, &number, sizeof tiles[1], &tiles[1]);
  size_t group[3] = {0};
  assert_int_equal(
      h->clGetKernelWorkGroupInfo(kernel, h->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof group, group, NULL), 0);
  group[0] = group[0] ? group[0] : 1;
  size_t items = (size_t)((range + share - 1) / share) * group[0];
  if (items) {
    assert_int_equal(h->clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &items, group, 0, NULL, NULL), 0);
  }
  for (size_t i = 0; i < num_buffers; i++) {
    if (memory[i]) {
      assert_int_equal(h->clEnqueueReadBuffer(h->queue, memory[i], CL_TRUE, 0, sizes[i], buffers[i], 0, NULL, NULL), 0);
      h->clReleaseMemObject(memory[i]);
    }
  }
  assert_int_equal(h->clFinish(h->queue), 0);
  h->clReleaseKernel(kernel);
  free(memory);
}

// ---- Both generators ----------------------------------------------------------------------------------------------------

// Of the types whose subnormal numbers count as zero while a program runs.
static double smallest_normal(mr_dtype dtype) {
  switch (dtype) {
  case MR_F32:
  case MR_BF16: return 0x1p-126;
  case MR_F64: return 0x1p-1022;
  default: return 0;
  }
}

bool clc_same(mr_dtype dtype, const void *a, const void *b) {
  if (!memcmp(a, b, mr_dtype_bytes(dtype))) {
    return true;
  }
  if (!mr_dtype_is_float(dtype)) {
    return false;
  }
  double x = mr_scalar_to_double(dtype, a), y = mr_scalar_to_double(dtype, b);
  bool small = fabs(x) < smallest_normal(dtype) && fabs(y) < smallest_normal(dtype);
  return (x != x && y != y) || (small && signbit(x) == signbit(y));
}

static void **copies_of(void *const *buffers, const size_t *sizes, size_t count) {
  void **copies = calloc(count + 1, sizeof *copies);
  for (size_t i = 0; i < count; i++) {
    copies[i] = malloc(sizes[i] + 1);
    memcpy(copies[i], buffers[i], sizes[i]);
  }
  return copies;
}

static void free_copies(void **copies, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(copies[i]);
  }
  free(copies);
}

static void run_native(const mr_loop_program *loops, void *const *buffers, int64_t range) {
  mr_kernel *kernel;
  mr_status status = mr_kernel_compile(loops, &kernel);
  if (status) {
    fail_msg("%s", mr_status_message(status));
  }
  unsigned mode = mr_float_mode();
  mr_float_mode_set(mode | MR_FLOAT_FLUSH);
  mr_kernel_function(kernel)(buffers, &mr_stop_no_token, 0, range);
  mr_float_mode_set(mode);
  mr_kernel_release(kernel);
}

static size_t differences_in(mr_dtype dtype, const uint8_t *native, const uint8_t *text, size_t size, const char *name,
                             uint32_t buffer) {
  size_t bytes = mr_dtype_bytes(dtype), count = 0;
  for (size_t i = 0; i < size / bytes; i++) {
    if (clc_same(dtype, native + i * bytes, text + i * bytes)) {
      continue;
    }
    if (count++ < 4) {
      uint64_t a = 0, b = 0;
      memcpy(&a, native + i * bytes, bytes);
      memcpy(&b, text + i * bytes, bytes);
      print_error("%s: %s b%u[%zu]: machine code %llx, OpenCL C %llx\n", name, mr_dtype_name(dtype), buffer, i,
                  (unsigned long long)a, (unsigned long long)b);
    }
  }
  return count;
}

size_t clc_differences(clc_program *program, const char *entry, const mr_loop_program *loops, void *const *buffers,
                       const size_t *sizes, int64_t range, const char *name) {
  void **native = copies_of(buffers, sizes, loops->num_params), **text = copies_of(buffers, sizes, loops->num_params);
  run_native(loops, native, range);
  clc_run(program, entry, text, sizes, loops->num_params, range, (range + 2) / 3);
  size_t count = 0;
  for (uint32_t i = 0; i < loops->num_params; i++) {
    count += differences_in((mr_dtype)loops->buffers[i].dtype, native[i], text[i], sizes[i], name, i);
  }
  free_copies(native, loops->num_params);
  free_copies(text, loops->num_params);
  return count;
}
