// figures: what the machine's cores and its memory can do (devices/figures.h), for every kind of device that computes there. For
// the table of a device: `figures` and `measure`.
//
// Threads: any.
#ifndef MR_DEVICES_HOST_FIGURES_H
#define MR_DEVICES_HOST_FIGURES_H

#include "devices/device.h"

const mr_figures *mr_host_figures(mr_device *device);
const mr_figures *mr_host_measure(mr_device *device, bool (*stop)(void *context), void *context);

#endif
