// cpu: the device that is the machine's own cores.
#ifndef MR_DEVICES_CPU_CPU_H
#define MR_DEVICES_CPU_CPU_H

#include "devices/devices.h"

// A device without identity yet: the platform gives it its number, cores and memories.
mr_status mr_cpu_device_create(mr_device **out_device) MR_WARN_UNUSED;

#endif
