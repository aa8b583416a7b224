// discover: which OpenCL devices the machine has, and which of them is meant.
//
// The process looks once, when somebody first asks, on a thread of its own: a runtime that hangs is given up on after
// MILLRACE_OPENCL_PATIENCE_MS (10 s), and then there are no OpenCL devices. The order is the platforms' names, then their own.
//
// Which one: `opencl` alone means the first GPU or accelerator, and the second `opencl` of a list the second; MILLRACE_OPENCL_DEVICE says
// otherwise, and so does what stands behind the colon of `opencl:...`, which goes first:
//   cpu, gpu, accelerator, all   of this type
//   pocl, nvidia, GeForce        a part of the platform's or the device's name, in any case
//   9b1d...                      the UUID in hexadecimal
//   any of these and ":2"        the third of them, however many others the list has
//
// Threads: any.
#ifndef MR_DEVICES_OPENCL_DISCOVER_H
#define MR_DEVICES_OPENCL_DISCOVER_H

#include "devices/opencl/loader.h"

typedef struct mr_ocl_info {
  cl_platform_id platform;
  cl_device_id device;
  cl_device_type type;
  char platform_name[64], platform_version[96], name[128], driver[64], version[96];
  char uuid[2 * 16 + 1];  // "": unknown
  uint32_t units;
  uint64_t global_bytes, largest_block_bytes, parameter_bytes, alignment_bytes;
  size_t group_size;
  uint64_t local_bytes;
  bool shares_memory;  // its memory is the host's
  bool fine_grain;     // shared virtual memory, which both sides may touch
  bool has_f64, has_correct_division, has_subnormals, has_long_atomics;
} mr_ocl_info;

// The device that `selector` (empty: the setting, else GPUs and accelerators) means, or, unless it has a number, the one after `skip`
// others. NOT_FOUND with what there is.
mr_status mr_ocl_choose(mr_str selector, size_t skip, const mr_ocl_info **out_info) MR_WARN_UNUSED;
// Each device and each remark, a line each.
void mr_ocl_describe(void (*put)(void *context, const char *line), void *context);

#endif
