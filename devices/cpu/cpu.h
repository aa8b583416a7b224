// cpu: the device that is the machine's own cores.
#ifndef MR_DEVICES_CPU_CPU_H
#define MR_DEVICES_CPU_CPU_H

#include "devices/registry.h"

extern const mr_device_kind mr_cpu_kind;

#endif
