#include "tests/devices/icd/fake_icd.h"

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include <CL/cl_icd.h>
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The signatures are OpenCL's, and most functions look at a part of what they get.
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define EXPORT __attribute__((visibility("default")))
enum { DEVICES = 2, ARGUMENTS = 16, ARGUMENT_BYTES = 16 };

static const cl_icd_dispatch table;
EXPORT fake_icd fake_icd_state;
static _Atomic(bool) is_lost;

// Every object begins with the table.
struct _cl_platform_id {
  const cl_icd_dispatch *dispatch;
};
struct _cl_device_id {
  const cl_icd_dispatch *dispatch;
};
struct _cl_context {
  const cl_icd_dispatch *dispatch;
  _Atomic(int) refs;
};
struct _cl_command_queue {
  const cl_icd_dispatch *dispatch;
  _Atomic(int) refs;
};
struct _cl_mem {
  const cl_icd_dispatch *dispatch;
  _Atomic(int) refs;
  size_t size;
  char *data;
  bool foreign;
};
struct _cl_event {
  const cl_icd_dispatch *dispatch;
  _Atomic(int) refs;
};
struct _cl_program {
  const cl_icd_dispatch *dispatch;
  _Atomic(int) refs;
  bool broken;
};
struct _cl_kernel {
  const cl_icd_dispatch *dispatch;
  _Atomic(int) refs;
  unsigned char arguments[ARGUMENTS][ARGUMENT_BYTES];
};

static struct _cl_platform_id the_platform = {&table};
static struct _cl_device_id the_devices[DEVICES] = {{&table}, {&table}};

// ---- Orders ---------------------------------------------------------------------------------------------------------

// What this call is to answer.
static cl_int enter(const char *function) {
  fake_icd *f = &fake_icd_state;
  uint64_t number = atomic_fetch_add(&f->calls, 1) + 1;
  if (atomic_load(&is_lost)) {
    return f->fail_code;
  }
  if (number != f->fail_at) {
    return CL_SUCCESS;
  }
  atomic_store(&f->failed, function);
  atomic_store(&is_lost, f->lost_then);
  return f->fail_code;
}
#define ENTER()                \
  cl_int rc = enter(__func__); \
  if (rc != CL_SUCCESS) return rc
#define ENTER_OBJECT(out_rc)   \
  cl_int rc = enter(__func__); \
  if (out_rc) *(out_rc) = rc;  \
  if (rc != CL_SUCCESS) return NULL

static void *make(size_t size) {
  void *object = calloc(1, size);
  assert(object);
  *(const cl_icd_dispatch **)object = &table;
  atomic_fetch_add(&fake_icd_state.live, 1);
  return object;
}

// A release that fails has released all the same.
#define RELEASE(object)                              \
  do {                                               \
    cl_int release_rc = enter(__func__);             \
    if (atomic_fetch_sub(&(object)->refs, 1) == 1) { \
      atomic_fetch_sub(&fake_icd_state.live, 1);     \
      free(object);                                  \
    }                                                \
    return release_rc;                               \
  } while (0)

// ---- Questions ------------------------------------------------------------------------------------------------------

static cl_int answer(const void *value, size_t size, size_t room, void *to, size_t *out_size) {
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
  return answer(text, strlen(text) + 1, room, to, out_size);
}

static cl_int fake_platforms(cl_uint room, cl_platform_id *platforms, cl_uint *count) {
  nanosleep(&(struct timespec){.tv_sec = fake_icd_state.hangs_ms / 1000,
                               .tv_nsec = (long)(fake_icd_state.hangs_ms % 1000) * 1000000},
            NULL);
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
  case CL_DEVICE_TYPE: return answer(&type, sizeof type, room, to, size);
  case CL_DEVICE_NAME: return answer_text("Fake device", room, to, size);
  case CL_DRIVER_VERSION: return answer_text("1", room, to, size);
  case CL_DEVICE_VERSION: return answer_text("OpenCL 1.2", room, to, size);
  case CL_DEVICE_EXTENSIONS: return answer_text("cl_khr_nothing", room, to, size);
  case CL_DEVICE_GLOBAL_MEM_SIZE: return answer(&gigabyte, sizeof gigabyte, room, to, size);
  case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return answer(&gigabyte, sizeof gigabyte, room, to, size);
  case CL_DEVICE_MAX_PARAMETER_SIZE:
  case CL_DEVICE_MAX_WORK_GROUP_SIZE: return answer(&some, sizeof some, room, to, size);
  case CL_DEVICE_MAX_COMPUTE_UNITS: return answer(&two, sizeof two, room, to, size);
  case CL_DEVICE_AVAILABLE:
  case CL_DEVICE_COMPILER_AVAILABLE: return answer(&yes, sizeof yes, room, to, size);
  case CL_DEVICE_HOST_UNIFIED_MEMORY:
  case CL_DEVICE_SINGLE_FP_CONFIG:
  case CL_DEVICE_DOUBLE_FP_CONFIG:
  case CL_DEVICE_MEM_BASE_ADDR_ALIGN: return answer(&none, sizeof none, room, to, size);
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
  cl_context context = make(sizeof *context);
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
  cl_command_queue queue = make(sizeof *queue);
  queue->refs = 1;
  return queue;
}

static cl_int fake_release_queue(cl_command_queue queue) { RELEASE(queue); }

static cl_mem fake_create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *out_rc) {
  (void)context;
  ENTER_OBJECT(out_rc);
  cl_mem memory = make(sizeof *memory);
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
  cl_program program = make(sizeof *program);
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
  cl_kernel kernel = make(sizeof *kernel);
  kernel->refs = 1;
  return kernel;
}

static cl_int fake_release_kernel(cl_kernel kernel) { RELEASE(kernel); }

static cl_int fake_set_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  ENTER();
  assert(index < ARGUMENTS && size <= ARGUMENT_BYTES);
  memset(kernel->arguments[index], 0, ARGUMENT_BYTES);
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
  return answer(&(size_t){64}, sizeof(size_t), room, to, size);
}

// ---- Commands -------------------------------------------------------------------------------------------------------

static void give_event(cl_event *out_event) {
  if (out_event) {
    *out_event = make(sizeof **out_event);
    (*out_event)->refs = 1;
  }
}

// What is waited for must be alive.
static void look_at(cl_uint count, const cl_event *events) {
  assert((count == 0) == (events == NULL));
  for (cl_uint i = 0; i < count; i++) {
    assert(events[i]->dispatch == &table && events[i]->refs > 0);
  }
}

static cl_int fake_read(cl_command_queue queue, cl_mem memory, cl_bool blocks, size_t offset, size_t size, void *to,
                        cl_uint count, const cl_event *events, cl_event *out_event) {
  (void)queue;
  (void)blocks;
  ENTER();
  look_at(count, events);
  assert(offset + size <= memory->size);
  memcpy(to, memory->data + offset, size);
  give_event(out_event);
  return CL_SUCCESS;
}

static cl_int fake_write(cl_command_queue queue, cl_mem memory, cl_bool blocks, size_t offset, size_t size,
                         const void *from, cl_uint count, const cl_event *events, cl_event *out_event) {
  (void)queue;
  (void)blocks;
  ENTER();
  look_at(count, events);
  assert(offset + size <= memory->size);
  memcpy(memory->data + offset, from, size);
  give_event(out_event);
  return CL_SUCCESS;
}

static cl_int fake_copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
                        size_t size, cl_uint count, const cl_event *events, cl_event *out_event) {
  (void)queue;
  ENTER();
  look_at(count, events);
  assert(from_offset + size <= from->size && to_offset + size <= to->size);
  memmove(to->data + to_offset, from->data + from_offset, size);
  give_event(out_event);
  return CL_SUCCESS;
}

static cl_int fake_fill(cl_command_queue queue, cl_mem memory, const void *pattern, size_t pattern_size, size_t offset,
                        size_t size, cl_uint count, const cl_event *events, cl_event *out_event) {
  (void)queue;
  ENTER();
  look_at(count, events);
  assert(offset + size <= memory->size && offset % pattern_size == 0 && size % pattern_size == 0);
  for (size_t i = 0; i < size; i += pattern_size) {
    memcpy(memory->data + offset + i, pattern, pattern_size);
  }
  give_event(out_event);
  return CL_SUCCESS;
}

static void *fake_map(cl_command_queue queue, cl_mem memory, cl_bool blocks, cl_map_flags flags, size_t offset,
                      size_t size, cl_uint count, const cl_event *events, cl_event *out_event, cl_int *out_rc) {
  (void)queue;
  (void)blocks;
  (void)flags;
  ENTER_OBJECT(out_rc);
  look_at(count, events);
  assert(offset + size <= memory->size);
  give_event(out_event);
  return memory->data + offset;
}

static cl_int fake_unmap(cl_command_queue queue, cl_mem memory, void *at, cl_uint count, const cl_event *events,
                         cl_event *out_event) {
  (void)queue;
  ENTER();
  look_at(count, events);
  assert((char *)at >= memory->data && (char *)at < memory->data + memory->size);
  give_event(out_event);
  return CL_SUCCESS;
}

static const int *ints_at(cl_kernel kernel, unsigned region) {
  cl_mem memory;
  cl_ulong offset;
  memcpy(&memory, kernel->arguments[2 * region], sizeof memory);
  memcpy(&offset, kernel->arguments[2 * region + 1], sizeof offset);
  return memory ? (const int *)(const void *)(memory->data + offset) : NULL;
}

static cl_int fake_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                          const size_t *global, const size_t *local, cl_uint count, const cl_event *events,
                          cl_event *out_event) {
  (void)queue;
  (void)offset;
  ENTER();
  look_at(count, events);
  assert(dimensions == 1 && global[0] % local[0] == 0);
  cl_long range;
  memcpy(&range, kernel->arguments[6], sizeof range);
  const int *a = ints_at(kernel, 0), *b = ints_at(kernel, 1);
  int *out = (int *)(uintptr_t)ints_at(kernel, 2);
  for (cl_long i = 0; i < range; i++) {
    out[i] = a[i] + (b ? b[i] : 1);
  }
  give_event(out_event);
  return CL_SUCCESS;
}

static cl_int fake_marker(cl_command_queue queue, cl_uint count, const cl_event *events, cl_event *out_event) {
  (void)queue;
  ENTER();
  look_at(count, events);
  give_event(out_event);
  return CL_SUCCESS;
}

static cl_int fake_flush(cl_command_queue queue) {
  (void)queue;
  ENTER();
  return CL_SUCCESS;
}

static cl_int fake_finish(cl_command_queue queue) {
  (void)queue;
  atomic_fetch_add(&fake_icd_state.finishes, 1);
  ENTER();
  return CL_SUCCESS;
}

// ---- Events ---------------------------------------------------------------------------------------------------------

typedef void(CL_CALLBACK *event_callback)(cl_event event, cl_int status, void *user);
typedef struct late_call {
  cl_event event;
  event_callback tell;
  void *user;
} late_call;

static cl_int drop_event(cl_event event) {
  if (atomic_fetch_sub(&event->refs, 1) == 1) {
    atomic_fetch_sub(&fake_icd_state.live, 1);
    free(event);
  }
  return CL_SUCCESS;
}

static void *late_main(void *context) {
  late_call call = *(late_call *)context;
  free(context);
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  call.tell(call.event, atomic_load(&is_lost) ? fake_icd_state.fail_code : CL_COMPLETE, call.user);
  drop_event(call.event);
  atomic_fetch_sub(&fake_icd_state.threads, 1);
  return NULL;
}

static void call_late(cl_event event, event_callback tell, void *user) {
  late_call *call = malloc(sizeof *call);
  assert(call);
  *call = (late_call){event, tell, user};
  atomic_fetch_add(&event->refs, 1);
  atomic_fetch_add(&fake_icd_state.threads, 1);
  pthread_t thread;
  int made = pthread_create(&thread, NULL, late_main, call);
  assert(made == 0);
  (void)made;
  pthread_detach(thread);
}

static cl_int fake_set_callback(cl_event event, cl_int type, event_callback tell, void *user) {
  ENTER();
  assert(type == CL_COMPLETE && event->refs > 0);
  if (fake_icd_state.never_ends) {
    return CL_SUCCESS;
  }
  fake_callbacks how = fake_icd_state.callbacks;
  if (how == FAKE_LATE || how == FAKE_TWICE) {
    call_late(event, tell, user);
  }
  if (how == FAKE_AT_ONCE || how == FAKE_TWICE) {
    tell(event, CL_COMPLETE, user);
  }
  return CL_SUCCESS;
}

static cl_int fake_release_event(cl_event event) {
  cl_int rc = enter(__func__);
  drop_event(event);
  return rc;
}

static cl_int fake_event_info(cl_event event, cl_event_info what, size_t room, void *to, size_t *size) {
  ENTER();
  assert(what == CL_EVENT_COMMAND_EXECUTION_STATUS && event->refs > 0);
  const cl_int status = fake_icd_state.never_ends ? CL_QUEUED : CL_COMPLETE;
  return answer(&status, sizeof status, room, to, size);
}

static cl_int fake_profile(cl_event event, cl_profiling_info what, size_t room, void *to, size_t *size) {
  (void)event;
  (void)what;
  (void)room;
  (void)to;
  (void)size;
  ENTER();
  return CL_PROFILING_INFO_NOT_AVAILABLE;
}

// ---- The table ------------------------------------------------------------------------------------------------------

static const cl_icd_dispatch table = {
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
