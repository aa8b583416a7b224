// Two ways to the functions. A loader exports them all and sends each call to the runtime whose object it is about: every object
// begins with the address of its runtime's table of functions. A runtime by itself exports three, and its platforms have that table.
#include "devices/opencl/loader.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

mr_ocl_functions mr_ocl;

// NULL: the runtime has no such list.
typedef cl_int(CL_API_CALL *platforms_fn)(cl_uint room, cl_platform_id *platforms, cl_uint *count);
static platforms_fn loader_platforms, nvidia_platforms;

const char *mr_ocl_error_name(cl_int code) {
  switch (code) {
#define ERROR(number, name) \
  case number: return "CL_" #name;
#include "devices/opencl/errors.def"
  default: return "an unknown error";
  }
}

// ---- Libraries ------------------------------------------------------------------------------------------------------

// What a runtime by itself lists its platforms with.
static platforms_fn own_platforms(void *library) {
  platforms_fn list = (platforms_fn)(uintptr_t)dlsym(library, "clIcdGetPlatformIDsKHR");
  if (!list) {
    typedef void *(CL_API_CALL * address_fn)(const char *name);
    address_fn address = (address_fn)(uintptr_t)dlsym(library, "clGetExtensionFunctionAddress");
    list = address ? (platforms_fn)(uintptr_t)address("clIcdGetPlatformIDsKHR") : NULL;
  }
  return list;
}

static const char *take_exports(void *library) {
#define FN(name, needed)                                                \
  mr_ocl.name = (cl_api_cl##name)(uintptr_t)dlsym(library, "cl" #name); \
  if ((needed) && !mr_ocl.name) {                                       \
    return "cl" #name;                                                  \
  }
#include "devices/opencl/functions.def"
  return NULL;
}

// Each platform of a runtime has the same table.
static const char *take_table(platforms_fn list) {
  cl_platform_id platform;
  cl_uint count = 0;
  if (list(1, &platform, &count) != CL_SUCCESS || !count) {
    return "any platform";
  }
  const cl_icd_dispatch *table = *(const cl_icd_dispatch *const *)(const void *)platform;
#define FN(name, needed)                          \
  mr_ocl.name = (cl_api_cl##name)table->cl##name; \
  if ((needed) && !mr_ocl.name) {                 \
    return "cl" #name;                            \
  }
#include "devices/opencl/functions.def"
  return NULL;
}

static mr_status open_library(const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    return mr_error(MR_UNAVAILABLE, "no OpenCL: %s", dlerror());
  }
  const char *missing;
  loader_platforms = (platforms_fn)(uintptr_t)dlsym(library, "clGetPlatformIDs");
  if (loader_platforms) {
    missing = take_exports(library);
  } else {
    loader_platforms = own_platforms(library);
    missing = loader_platforms ? take_table(loader_platforms) : "clGetPlatformIDs";
  }
  return missing ? mr_error(MR_UNAVAILABLE, "no OpenCL: %s has not %s", name, missing) : MR_OK;
}

static void look_for_nvidia(void) {
  void *library = dlopen("libnvidia-opencl.so.1", RTLD_NOW | RTLD_LOCAL);
  nvidia_platforms = library ? own_platforms(library) : NULL;
}

mr_status mr_ocl_open(void) {
  const char *asked = getenv("MILLRACE_OPENCL_LIBRARY");
  if (asked && strcmp(asked, "off") == 0) {
    return mr_error(MR_UNAVAILABLE, "no OpenCL: MILLRACE_OPENCL_LIBRARY is off");
  }
  if (asked && *asked) {
    return open_library(asked);
  }
  look_for_nvidia();
  mr_status status = open_library("libOpenCL.so.1");
  if (!status || !nvidia_platforms) {
    return status;
  }
  // A machine with the driver and no loader.
  mr_status_free(status);
  loader_platforms = NULL;
  const char *missing = take_table(nvidia_platforms);
  return missing ? mr_error(MR_UNAVAILABLE, "no OpenCL: libnvidia-opencl.so.1 has not %s", missing) : MR_OK;
}

// ---- Platforms ------------------------------------------------------------------------------------------------------

static bool is_known(const cl_platform_id *platforms, size_t count, cl_platform_id platform) {
  for (size_t i = 0; i < count; i++) {
    if (platforms[i] == platform) {
      return true;
    }
  }
  return false;
}

static cl_int add_platforms(platforms_fn list, cl_platform_id *platforms, size_t room, size_t *count) {
  cl_uint there = 0;
  cl_platform_id some[32];
  cl_int rc = list(0, NULL, &there);  // first without room: some runtimes write more than they were given
  if (rc != CL_SUCCESS || !there) {
    return rc;
  }
  there = MR_MIN(there, (cl_uint)MR_ARRAY_SIZE(some));
  rc = list(there, some, NULL);
  for (cl_uint i = 0; rc == CL_SUCCESS && i < there && *count < room; i++) {
    if (!is_known(platforms, *count, some[i])) {
      platforms[(*count)++] = some[i];
    }
  }
  return rc;
}

mr_status mr_ocl_platforms(cl_platform_id *platforms, size_t room, size_t *out_count) {
  *out_count = 0;
  cl_int rc = CL_SUCCESS;
  if (loader_platforms) {
    rc = add_platforms(loader_platforms, platforms, room, out_count);
  }
  if (nvidia_platforms) {
    add_platforms(nvidia_platforms, platforms, room, out_count);
  }
  // -1001: a loader that has found no runtime.
  return *out_count || rc == CL_SUCCESS || rc == CL_PLATFORM_NOT_FOUND_KHR
             ? MR_OK
             : mr_error(MR_UNAVAILABLE, "no OpenCL: clGetPlatformIDs says %s (%d)", mr_ocl_error_name(rc), (int)rc);
}
