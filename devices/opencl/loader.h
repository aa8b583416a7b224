// loader: OpenCL's functions, opened when somebody asks for a device of it. A machine without OpenCL loses nothing else.
//
// The library is libOpenCL.so.1, which knows the makers' runtimes by the files in /etc/OpenCL/vendors; MILLRACE_OPENCL_LIBRARY names
// another one, or one runtime by itself, or none ("off"). NVIDIA's runtime is found without a file as well: containers lack it.
// Threads: any, after mr_ocl_open(), which is called by the discovery alone. Nothing is ever closed: runtimes have threads.
//
//   MR_TRY(mr_ocl_open());
//   cl_int rc = CL(Flush)(queue);
#ifndef MR_DEVICES_OPENCL_LOADER_H
#define MR_DEVICES_OPENCL_LOADER_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include <CL/cl_icd.h>

#include "core/core.h"

typedef struct mr_ocl_functions {
#define FN(name, needed) cl_api_cl##name name;
#include "devices/opencl/functions.def"
} mr_ocl_functions;

extern mr_ocl_functions mr_ocl;
#define CL(name) mr_ocl.name

// UNAVAILABLE with the reason when there is no library, or it lacks something.
mr_status mr_ocl_open(void) MR_WARN_UNUSED;
// Platforms of all runtimes, in their order; what the library does not know of is behind what it does. *out_count may be 0.
mr_status mr_ocl_platforms(cl_platform_id *platforms, size_t room, size_t *out_count) MR_WARN_UNUSED;

// "CL_OUT_OF_RESOURCES" for -5.
const char *mr_ocl_error_name(cl_int code);

#endif
