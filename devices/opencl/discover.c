#include "devices/opencl/discover.h"

#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/fork.h"
#include "core/signals.h"
#include "devices/opencl/ocl.h"
#include "devices/opencl/tuning.h"

enum { MOST_DEVICES = 64 };
typedef struct found_devices {
  size_t count;
  mr_ocl_info devices[MOST_DEVICES];
  // Why there are none, or what was left out; "" for nothing.
  char remarks[512];
} found_devices;

// ---- One device -----------------------------------------------------------------------------------------------------

static void platform_text(cl_platform_id platform, cl_platform_info what, char *to, size_t room) {
  to[0] = 0;
  char text[1024] = "";
  if (CL(GetPlatformInfo)(platform, what, sizeof text - 1, text, NULL) == CL_SUCCESS) {
    snprintf(to, room, "%.*s", (int)room - 1, text);
  }
}

static void device_text(cl_device_id device, cl_device_info what, char *to, size_t room) {
  to[0] = 0;
  char text[1024] = "";
  if (CL(GetDeviceInfo)(device, what, sizeof text - 1, text, NULL) == CL_SUCCESS) {
    snprintf(to, room, "%.*s", (int)room - 1, text);
  }
}

// 0 where the device does not know the question.
static uint64_t number(cl_device_id device, cl_device_info what) {
  uint64_t value = 0;  // little end first: shorter answers leave the rest zero
  return CL(GetDeviceInfo)(device, what, sizeof value, &value, NULL) == CL_SUCCESS ? value : 0;
}

static bool has_extension(cl_device_id device, const char *name) {
  size_t size = 0;
  if (CL(GetDeviceInfo)(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS || !size) {
    return false;
  }
  char *text = mr_alloc_zeroed(1, size + 1);
  bool found = false;
  if (text && CL(GetDeviceInfo)(device, CL_DEVICE_EXTENSIONS, size, text, NULL) == CL_SUCCESS) {
    const char *at = strstr(text, name);
    char after = at ? at[strlen(name)] : 'x';
    found = at && (after == ' ' || after == 0);
  }
  mr_free(text);
  return found;
}

static void read_uuid(cl_device_id device, char *to) {
  unsigned char bytes[16];
  to[0] = 0;
  if (has_extension(device, "cl_khr_device_uuid") &&
      CL(GetDeviceInfo)(device, CL_DEVICE_UUID_KHR, sizeof bytes, bytes, NULL) == CL_SUCCESS) {
    for (size_t i = 0; i < sizeof bytes; i++) {
      snprintf(to + 2 * i, 3, "%02x", bytes[i]);
    }
  }
}

static void read_abilities(mr_ocl_info *info) {
  cl_device_id device = info->device;
  uint64_t f32 = number(device, CL_DEVICE_SINGLE_FP_CONFIG);
  info->has_f64 = number(device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  info->has_correct_division = (f32 & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  info->has_subnormals = (f32 & CL_FP_DENORM) != 0;
  info->has_long_atomics = has_extension(device, "cl_khr_int64_base_atomics");
  info->shares_memory = number(device, CL_DEVICE_HOST_UNIFIED_MEMORY) != 0;
  bool has_shared =
      CL(SVMAlloc) && CL(SVMFree) && CL(EnqueueSVMMemcpy) && CL(EnqueueSVMMemFill) && CL(SetKernelArgSVMPointer);
  info->fine_grain = has_shared && (number(device, CL_DEVICE_SVM_CAPABILITIES) & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
}

static void read_info(cl_platform_id platform, cl_device_id device, mr_ocl_info *info) {
  *info = (mr_ocl_info){.platform = platform, .device = device, .type = number(device, CL_DEVICE_TYPE)};
  platform_text(platform, CL_PLATFORM_NAME, info->platform_name, sizeof info->platform_name);
  platform_text(platform, CL_PLATFORM_VERSION, info->platform_version, sizeof info->platform_version);
  device_text(device, CL_DEVICE_NAME, info->name, sizeof info->name);
  device_text(device, CL_DRIVER_VERSION, info->driver, sizeof info->driver);
  device_text(device, CL_DEVICE_VERSION, info->version, sizeof info->version);
  read_uuid(device, info->uuid);
  info->units = (uint32_t)MR_MAX(number(device, CL_DEVICE_MAX_COMPUTE_UNITS), (uint64_t)1);
  info->global_bytes = number(device, CL_DEVICE_GLOBAL_MEM_SIZE);
  info->largest_block_bytes = number(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  info->parameter_bytes = number(device, CL_DEVICE_MAX_PARAMETER_SIZE);
  info->alignment_bytes = number(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  info->group_size = (size_t)number(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  info->local_bytes = number(device, CL_DEVICE_LOCAL_MEM_SIZE);
  read_abilities(info);
}

static const char *type_name(const mr_ocl_info *info) {
  return info->type & CL_DEVICE_TYPE_GPU           ? "GPU"
         : info->type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator"
         : info->type & CL_DEVICE_TYPE_CPU         ? "CPU"
                                                   : "custom device";
}

// ---- All of them ----------------------------------------------------------------------------------------------------

static void remark(found_devices *found, const char *format, ...) MR_PRINTF(2, 3);
static void remark(found_devices *found, const char *format, ...) {
  size_t used = strlen(found->remarks);
  va_list arguments;
  va_start(arguments, format);
  if (used && used + 2 < sizeof found->remarks) {
    used += (size_t)snprintf(found->remarks + used, sizeof found->remarks - used, "; ");
  }
  vsnprintf(found->remarks + used, sizeof found->remarks - used, format, arguments);
  va_end(arguments);
}

// One GPU may be on two platforms, of its maker and of somebody else; equal parts of one machine on one platform.
static const mr_ocl_info *known_by_uuid(const found_devices *found, const mr_ocl_info *info) {
  for (size_t i = 0; info->uuid[0] && i < found->count; i++) {
    const mr_ocl_info *other = &found->devices[i];
    if (other->platform != info->platform && strcmp(other->uuid, info->uuid) == 0) {
      return other;
    }
  }
  return NULL;
}

static void add_device(found_devices *found, cl_platform_id platform, cl_device_id device) {
  if (found->count == MOST_DEVICES) {
    remark(found, "there are more than %d devices", MOST_DEVICES);
    return;
  }
  mr_ocl_info *info = &found->devices[found->count];
  read_info(platform, device, info);
  const mr_ocl_info *known = known_by_uuid(found, info);
  if (known) {
    remark(found, "%s of %s is the one of %s", info->name, info->platform_name, known->platform_name);
  } else if (!number(device, CL_DEVICE_AVAILABLE) || !number(device, CL_DEVICE_COMPILER_AVAILABLE)) {
    remark(found, "%s of %s is not available, or has no compiler", info->name, info->platform_name);
  } else {
    found->count++;
  }
}

static void add_platform(found_devices *found, cl_platform_id platform) {
  cl_device_id devices[MOST_DEVICES];
  cl_uint count = 0;
  char name[64];
  platform_text(platform, CL_PLATFORM_NAME, name, sizeof name);
  cl_int rc = CL(GetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &count);
  if (rc != CL_SUCCESS || !count) {
    remark(found, "platform %s has no device (%s)", name, mr_ocl_error_name(rc));
    return;
  }
  for (cl_uint i = 0; i < MR_MIN(count, (cl_uint)MOST_DEVICES); i++) {
    add_device(found, platform, devices[i]);
  }
}

static int by_name(const void *a, const void *b) {
  char names[2][64];
  platform_text(*(const cl_platform_id *)a, CL_PLATFORM_NAME, names[0], sizeof names[0]);
  platform_text(*(const cl_platform_id *)b, CL_PLATFORM_NAME, names[1], sizeof names[1]);
  return strcmp(names[0], names[1]);
}

static void look(found_devices *found) {
  enum { MOST = 32 };
  cl_platform_id platforms[MOST];
  size_t count = 0;
  mr_status status = mr_ocl_open();
  status = status ? status : mr_ocl_platforms(platforms, MOST, &count);
  if (status) {
    remark(found, "%s", mr_status_message(status));
    mr_status_free(status);
    return;
  }
  if (!count) {
    remark(found, "no OpenCL: the library is there and has found no runtime");
  }
  qsort(platforms, count, sizeof *platforms, by_name);
  for (size_t i = 0; i < count; i++) {
    add_platform(found, platforms[i]);
  }
  mr_ocl_install_hooks();  // after the runtimes have installed theirs, so that they run before them
}

// ---- Once, with patience --------------------------------------------------------------------------------------------

MR_FORK_LOCK(lock);  // for all below but `there`, which the thread has to itself until it is over
static pthread_cond_t over_changed;
static bool begun, over, slow, links;
static pid_t looker;
static found_devices there;
static const found_devices silent = {.remarks =
                                         "no OpenCL: a runtime does not answer; MILLRACE_OPENCL_LIBRARY=off asks none"};
static const found_devices no_thread = {.remarks = "no OpenCL: no thread could be made to look for it"};

static void *look_main(void *context) {
  (void)context;
  pthread_setname_np(pthread_self(), "millrace-opencl");
  look(&there);
  pthread_mutex_lock(&lock);
  over = true;
  pthread_cond_broadcast(&over_changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static bool make_thread(void *(*main)(void *context)) {
  sigset_t before;
  mr_signals_leave_to_others(&before);
  pthread_t thread;
  bool made = pthread_create(&thread, NULL, main, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (made) {
    pthread_detach(thread);
  }
  return made;
}

// False when that is not so by the time, by the clock that does not jump.
static bool wait_until(const bool *changes, uint64_t end) {
  const struct timespec until = {(time_t)(end / 1000000000), (long)(end % 1000000000)};
  while (!*changes && pthread_cond_timedwait(&over_changed, &lock, &until) == 0) {
  }
  return *changes;
}

static void *link_main(void *context) {
  (void)context;
  void *library = dlopen(NULL, RTLD_NOW);  // waits for the dynamic linker's lock
  if (library) {
    dlclose(library);
  }
  pthread_mutex_lock(&lock);
  links = true;
  pthread_cond_broadcast(&over_changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}

// A runtime that hangs while it is opened has the dynamic linker's lock for good, without which no process ends in the usual way. Where
// it has, what is still to be called at exit is not.
static void leave(int status, void *context) {
  (void)context;
  if (getpid() != looker) {  // a child, in which nobody looks, and the lock may be nobody's
    return;
  }
  pthread_mutex_lock(&lock);
  const bool hangs = !over && make_thread(link_main) && !wait_until(&links, mr_now_ns() + MR_OCL_LINK_NS);
  pthread_mutex_unlock(&lock);
  if (hangs) {
    fflush(NULL);
    _exit(status);
  }
}

static void init_condition(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&over_changed, &attributes);
  pthread_condattr_destroy(&attributes);
}

// Nobody looks in a child: what has not been found by then is not there.
static void in_child(void) {
  slow = slow || !over;
  init_condition();
}

static bool begin(void) {
  static mr_fork_part part = {.order = MR_FORK_LOCKS, .in_child = in_child};
  init_condition();
  mr_fork_guard(&part);
  looker = getpid();
  on_exit(leave, NULL);
  return make_thread(look_main);
}

static uint64_t patience_ns(void) {
  int64_t milliseconds;
  mr_status_free(mr_env_int("OPENCL_PATIENCE_MS", 10000, 1, 1000000, &milliseconds));
  return (uint64_t)milliseconds * 1000000;
}

static const found_devices *discover(void) {
  pthread_mutex_lock(&lock);
  begun = begun || begin();
  if (begun && !over && !slow) {  // once is enough: who asks later sees what has come in the meantime
    slow = !wait_until(&over, mr_now_ns() + patience_ns());
  }
  const found_devices *found = !begun ? &no_thread : over ? &there : &silent;
  pthread_mutex_unlock(&lock);
  return found;
}

// ---- Choosing -------------------------------------------------------------------------------------------------------

static bool contains(const char *text, mr_str part) {
  size_t size = strlen(text);
  for (size_t at = 0; at + part.size <= size; at++) {
    if (strncasecmp(text + at, part.data, part.size) == 0) {
      return true;
    }
  }
  return false;
}

static bool same_word(mr_str a, const char *b) { return a.size == strlen(b) && strncasecmp(a.data, b, a.size) == 0; }

static bool matches(const mr_ocl_info *info, mr_str what) {
  if (same_word(what, "all")) {
    return true;
  }
  if (same_word(what, "cpu")) {
    return info->type & CL_DEVICE_TYPE_CPU;
  }
  if (same_word(what, "gpu")) {
    return info->type & CL_DEVICE_TYPE_GPU;
  }
  if (same_word(what, "accelerator")) {
    return info->type & CL_DEVICE_TYPE_ACCELERATOR;
  }
  if (!what.size) {
    return info->type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR);
  }
  return same_word(what, info->uuid) || contains(info->name, what) || contains(info->platform_name, what);
}

// What stands behind the last colon, if that is a number.
static bool split_number(mr_str *selector, size_t *out_number) {
  size_t at = selector->size;
  while (at && isdigit((unsigned char)selector->data[at - 1])) {
    at--;
  }
  bool whole =
      at == 0 && selector->size && selector->size < 4;  // "2": the third of all that are asked for without a name
  if (at == selector->size || !(whole || (at && selector->data[at - 1] == ':')) || selector->size - at > 4) {
    return false;
  }
  *out_number = 0;
  for (size_t i = at; i < selector->size; i++) {
    *out_number = *out_number * 10 + (size_t)(selector->data[i] - '0');
  }
  selector->size = whole ? 0 : at - 1;
  return true;
}

static void put_line(void *context, const char *line) {
  mr_text *text = context;
  mr_text_put(text, "%s%s", text->size ? "; " : "", line);
}

static mr_status none_chosen(mr_str what, size_t index) {
  mr_text text = {0};
  mr_ocl_describe(put_line, &text);
  mr_status status = mr_error(MR_NOT_FOUND, "no OpenCL device number %zu of those meant by '%.*s' (%s): %.*s", index,
                              MR_STR_ARG(what), what.size ? "cpu, gpu, all, a name or a UUID" : "GPUs and accelerators",
                              text.failed ? 0 : (int)text.size, text.data ? text.data : "");
  mr_text_deinit(&text);
  return status;
}

mr_status mr_ocl_choose(mr_str selector, size_t skip, const mr_ocl_info **out_info) {
  *out_info = NULL;
  const found_devices *found = discover();
  if (!selector.size) {
    const char *asked = getenv("MILLRACE_OPENCL_DEVICE");
    selector = mr_str_of(asked ? asked : "");
  }
  mr_str what = selector;
  size_t index = skip, met = 0;
  split_number(&what, &index);
  for (size_t i = 0; i < found->count; i++) {
    if (matches(&found->devices[i], what) && met++ == index) {
      *out_info = &found->devices[i];
      return MR_OK;
    }
  }
  return none_chosen(what, index);
}

void mr_ocl_describe(void (*put)(void *context, const char *line), void *context) {
  const found_devices *found = discover();
  for (size_t i = 0; i < found->count; i++) {
    const mr_ocl_info *info = &found->devices[i];
    char line[512];
    snprintf(line, sizeof line, "OpenCL %s %s (%s, %s, driver %s): %u units, %llu MiB, blocks of %llu MiB%s%s%s%s",
             type_name(info), info->name, info->platform_name, info->version, info->driver, info->units,
             (unsigned long long)(info->global_bytes >> 20), (unsigned long long)(info->largest_block_bytes >> 20),
             info->has_f64 ? "" : ", no f64", info->fine_grain ? ", shared memory" : "", info->uuid[0] ? ", " : "",
             info->uuid);
    put(context, line);
  }
  if (found->remarks[0]) {
    put(context, found->remarks);
  }
}
