// work: how a device that computes with this machine's processor does its work: at once on the caller's thread, or on a node.
//
// Threads: any.
#ifndef MR_DEVICES_HOST_WORK_H
#define MR_DEVICES_HOST_WORK_H

#include "devices/devices.h"

// How a kind of device does a piece of work, on this thread and the cores of the device's group.
typedef mr_status (*mr_host_run)(mr_device *device, const mr_device_work *work);
// By `address` of a region, where the processor finds it.
mr_status mr_host_work_run(void *(*address)(const mr_region *region), mr_device *device,
                           const mr_device_work *work) MR_WARN_UNUSED;
// For host memory: at `data`. NULL for no storage.
void *mr_host_address(const mr_region *region);

// As mr_device_submit(): at once when all of `after` are set, otherwise on a node.
mr_status mr_host_submit(mr_host_run run, mr_device *device, const mr_device_work *work, mr_future *const *after,
                         size_t num_after, mr_future **out_done) MR_WARN_UNUSED;
// Always on a node of `executor`, which tells of its end on one of the device's workers.
mr_status mr_host_submit_to(mr_host_run run, mr_executor *executor, mr_device *device, const mr_device_work *work,
                            mr_future *const *after, size_t num_after, mr_future **out_done) MR_WARN_UNUSED;

// Native code, kept as it is.
mr_status mr_host_load_kernel(mr_device *device, const mr_kernel_code *code,
                              mr_device_kernel **out_kernel) MR_WARN_UNUSED;
void mr_host_release_kernel(mr_device_kernel *take_kernel);

#endif
