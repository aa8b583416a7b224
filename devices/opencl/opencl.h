// opencl: devices of whatever OpenCL runtimes the machine has, each with a context and queues of its own. Which one: discover.h.
#ifndef MR_DEVICES_OPENCL_OPENCL_H
#define MR_DEVICES_OPENCL_OPENCL_H

#include "devices/registry.h"

extern const mr_device_kind mr_opencl_kind;

#endif
