#include "tests/devices/icd/fake_objects.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The signatures are OpenCL's, and most functions look at a part of what they get.
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define EXPORT __attribute__((visibility("default")))
enum { DEVICES = 2 };

EXPORT fake_icd fake_icd_state;
static _Atomic(bool) is_lost;

static struct _cl_platform_id the_platform = {&fake_table};
static struct _cl_device_id the_devices[DEVICES] = {{&fake_table}, {&fake_table}};

// ---- Orders ---------------------------------------------------------------------------------------------------------

bool fake_is_lost(void) { return atomic_load(&is_lost); }

cl_int fake_enter(const char *function) {
  fake_icd *f = &fake_icd_state;
  const char *of = atomic_load(&f->of);
  if (of && strcmp(of, function) != 0) {
    return CL_SUCCESS;
  }
  uint64_t number = atomic_fetch_add(&f->calls, 1) + 1;
  if (atomic_load(&is_lost)) {
    return f->fail_code;
  }
  if (number != atomic_load(&f->fail_at)) {
    return CL_SUCCESS;
  }
  atomic_store(&f->failed, function);
  atomic_store(&is_lost, f->lost_then);
  return f->fail_code;
}

void *fake_make(size_t size) {
  void *object = calloc(1, size);
  assert(object);
  *(const cl_icd_dispatch **)object = &fake_table;
  atomic_fetch_add(&fake_icd_state.live, 1);
  return object;
}

// ---- Questions ------------------------------------------------------------------------------------------------------

cl_int fake_answer(const void *value, size_t size, size_t room, void *to, size_t *out_size) {
  if (to && room < size) {
    return CL_INVALID_VALUE;
  }
  if (to) {
    memcpy(to, value, size);
  }
  if (out_size) {
    *out_size = size;
  }
  return CL_SUCCESS;
}

static cl_int answer_text(const char *text, size_t room, void *to, size_t *out_size) {
  return fake_answer(text, strlen(text) + 1, room, to, out_size);
}

static void pause_ms(unsigned ms) {
  nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000}, NULL);
}

// Nobody can give orders to a library that is not open yet.
__attribute__((constructor)) static void open_slowly(void) {
  const char *ms = getenv("FAKE_ICD_OPENS_MS");
  if (ms) {
    pause_ms((unsigned)atoi(ms));
  }
}

static cl_int fake_platforms(cl_uint room, cl_platform_id *platforms, cl_uint *count) {
  pause_ms(fake_icd_state.hangs_ms);
  ENTER();
  if (fake_icd_state.no_platform) {
    return CL_PLATFORM_NOT_FOUND_KHR;
  }
  if (platforms && room) {
    platforms[0] = &the_platform;
  }
  if (count) {
    *count = 1;
  }
  return CL_SUCCESS;
}

static cl_int fake_platform_info(cl_platform_id platform, cl_platform_info what, size_t room, void *to, size_t *size) {
  (void)platform;
  ENTER();
  return answer_text(what == CL_PLATFORM_NAME ? "Fake" : "OpenCL 1.2 fake", room, to, size);
}

static cl_int fake_devices(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *devices,
                           cl_uint *count) {
  (void)platform;
  (void)type;
  ENTER();
  for (cl_uint i = 0; devices && i < room && i < DEVICES; i++) {
    devices[i] = &the_devices[i];
  }
  if (count) {
    *count = DEVICES;
  }
  return CL_SUCCESS;
}

static cl_int fake_device_info(cl_device_id device, cl_device_info what, size_t room, void *to, size_t *size) {
  (void)device;
  ENTER();
  const cl_ulong gigabyte = (cl_ulong)1 << 30, some = 1024, none = 0;
  const cl_uint two = 2;
  const cl_bool yes = CL_TRUE;
  const cl_device_type type = CL_DEVICE_TYPE_GPU;
  switch (what) {
  case CL_DEVICE_TYPE: return fake_answer(&type, sizeof type, room, to, size);
  case CL_DEVICE_NAME: return answer_text("Fake device", room, to, size);
  case CL_DRIVER_VERSION: return answer_text("1", room, to, size);
  case CL_DEVICE_VERSION: return answer_text("OpenCL 1.2", room, to, size);
  case CL_DEVICE_EXTENSIONS: return answer_text("cl_khr_nothing", room, to, size);
  case CL_DEVICE_GLOBAL_MEM_SIZE: return fake_answer(&gigabyte, sizeof gigabyte, room, to, size);
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return fake_answer(&gigabyte, sizeof gigabyte, room, to, size);
  case CL_DEVICE_MAX_PARAMETER_SIZE:
  case CL_DEVICE_MAX_WORK_GROUP_SIZE: return fake_answer(&some, sizeof some, room, to, size);
  case CL_DEVICE_MAX_COMPUTE_UNITS: return fake_answer(&two, sizeof two, room, to, size);
  case CL_DEVICE_AVAILABLE:
  case CL_DEVICE_COMPILER_AVAILABLE: return fake_answer(&yes, sizeof yes, room, to, size);
  case CL_DEVICE_HOST_UNIFIED_MEMORY:
  case CL_DEVICE_SINGLE_FP_CONFIG:
  case CL_DEVICE_DOUBLE_FP_CONFIG:
  case CL_DEVICE_MEM_BASE_ADDR_ALIGN: return fake_answer(&none, sizeof none, room, to, size);
  default: return CL_INVALID_VALUE;
  }
}

// ---- Objects --------------------------------------------------------------------------------------------------------

static cl_context fake_create_context(const cl_context_properties *properties, cl_uint count,
                                      const cl_device_id *devices,
                                      void(CL_CALLBACK *tell)(const char *, const void *, size_t, void *), void *user,
                                      cl_int *out_rc) {
  (void)properties;
  (void)count;
  (void)devices;
  (void)tell;
  (void)user;
  ENTER_OBJECT(out_rc);
  cl_context context = fake_make(sizeof *context);
  context->refs = 1;
  return context;
}

static cl_int fake_release_context(cl_context context) { RELEASE(context); }

static cl_command_queue fake_create_queue(cl_context context, cl_device_id device,
                                          cl_command_queue_properties properties, cl_int *out_rc) {
  (void)context;
  (void)device;
  (void)properties;
  ENTER_OBJECT(out_rc);
  cl_command_queue queue = fake_make(sizeof *queue);
  queue->refs = 1;
  return queue;
}

static cl_int fake_release_queue(cl_command_queue queue) { RELEASE(queue); }

static cl_mem fake_create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *out_rc) {
  (void)context;
  ENTER_OBJECT(out_rc);
  cl_mem memory = fake_make(sizeof *memory);
  memory->refs = 1;
  memory->size = size;
  memory->foreign = (flags & CL_MEM_USE_HOST_PTR) != 0;
  memory->data = memory->foreign ? host : malloc(size);
  return memory;
}

static cl_int fake_release_memory(cl_mem memory) {
  if (memory->refs == 1 && !memory->foreign) {
    free(memory->data);
  }
  RELEASE(memory);
}

static cl_program fake_create_program(cl_context context, cl_uint count, const char **texts, const size_t *sizes,
                                      cl_int *out_rc) {
  (void)context;
  (void)count;
  ENTER_OBJECT(out_rc);
  cl_program program = fake_make(sizeof *program);
  program->refs = 1;
  program->broken = memmem(texts[0], sizes[0], "#error", 6) != NULL;
  return program;
}

static cl_program fake_create_from_binary(cl_context context, cl_uint count, const cl_device_id *devices,
                                          const size_t *sizes, const unsigned char **binaries, cl_int *status,
                                          cl_int *out_rc) {
  (void)context;
  (void)count;
  (void)devices;
  (void)sizes;
  (void)binaries;
  (void)status;
  ENTER_OBJECT(out_rc);
  *out_rc = CL_INVALID_BINARY;
  return NULL;
}

static cl_int fake_release_program(cl_program program) { RELEASE(program); }

static cl_int fake_build(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                         void(CL_CALLBACK *tell)(cl_program, void *), void *user) {
  (void)count;
  (void)devices;
  (void)options;
  (void)tell;
  (void)user;
  ENTER();
  return program->broken ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}

static cl_int fake_build_info(cl_program program, cl_device_id device, cl_program_build_info what, size_t room,
                              void *to, size_t *size) {
  (void)program;
  (void)device;
  (void)what;
  ENTER();
  return answer_text("line 1: as was asked", room, to, size);
}

static cl_int fake_program_info(cl_program program, cl_program_info what, size_t room, void *to, size_t *size) {
  (void)program;
  (void)what;
  (void)room;
  (void)to;
  (void)size;
  ENTER();
  return CL_INVALID_VALUE;
}

static cl_kernel fake_create_kernel(cl_program program, const char *name, cl_int *out_rc) {
  (void)program;
  ENTER_OBJECT(out_rc);
  if (strcmp(name, "add") != 0) {
    *out_rc = CL_INVALID_KERNEL_NAME;
    return NULL;
  }
  cl_kernel kernel = fake_make(sizeof *kernel);
  kernel->refs = 1;
  return kernel;
}

static cl_int fake_release_kernel(cl_kernel kernel) { RELEASE(kernel); }

static cl_int fake_set_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  ENTER();
  assert(index < FAKE_ARGUMENTS && size <= FAKE_ARGUMENT_BYTES);
  memset(kernel->arguments[index], 0, FAKE_ARGUMENT_BYTES);
  if (value) {
    memcpy(kernel->arguments[index], value, size);
  }
  return CL_SUCCESS;
}

static cl_int fake_kernel_group(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t room,
                                void *to, size_t *size) {
  (void)kernel;
  (void)device;
  (void)what;
  ENTER();
  return fake_answer(&(size_t){64}, sizeof(size_t), room, to, size);
}

// ---- The table ------------------------------------------------------------------------------------------------------

const cl_icd_dispatch fake_table = {
    .clGetPlatformIDs = fake_platforms,
    .clGetPlatformInfo = fake_platform_info,
    .clGetDeviceIDs = fake_devices,
    .clGetDeviceInfo = fake_device_info,
    .clCreateContext = fake_create_context,
    .clReleaseContext = fake_release_context,
    .clCreateCommandQueue = fake_create_queue,
    .clReleaseCommandQueue = fake_release_queue,
    .clCreateBuffer = fake_create_buffer,
    .clReleaseMemObject = fake_release_memory,
    .clEnqueueReadBuffer = fake_read,
    .clEnqueueWriteBuffer = fake_write,
    .clEnqueueCopyBuffer = fake_copy,
    .clEnqueueFillBuffer = fake_fill,
    .clEnqueueMapBuffer = fake_map,
    .clEnqueueUnmapMemObject = fake_unmap,
    .clEnqueueNDRangeKernel = fake_launch,
    .clEnqueueMarkerWithWaitList = fake_marker,
    .clFlush = fake_flush,
    .clFinish = fake_finish,
    .clSetEventCallback = fake_set_callback,
    .clReleaseEvent = fake_release_event,
    .clGetEventInfo = fake_event_info,
    .clGetEventProfilingInfo = fake_profile,
    .clCreateProgramWithSource = fake_create_program,
    .clCreateProgramWithBinary = fake_create_from_binary,
    .clBuildProgram = fake_build,
    .clGetProgramInfo = fake_program_info,
    .clGetProgramBuildInfo = fake_build_info,
    .clReleaseProgram = fake_release_program,
    .clCreateKernel = fake_create_kernel,
    .clReleaseKernel = fake_release_kernel,
    .clSetKernelArg = fake_set_argument,
    .clGetKernelWorkGroupInfo = fake_kernel_group,
};

EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *platforms, cl_uint *count);
cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *platforms, cl_uint *count) {
  return fake_platforms(room, platforms, count);
}
