// What queues did, in traces: each command by the device's clock, on a track of its queue. Only for devices that are made while a trace is
// on: queues that keep times cost a little everywhere, and much on some.
//
// The device's clock and ours are brought together when it is made: a marker ends between two readings of ours, and of several the
// shortest such moment counts.
#include <stdio.h>

#include "core/trace_track.h"
#include "devices/opencl/ocl.h"

enum { TRIES = 8 };

static bool time_of(cl_event event, cl_profiling_info what, uint64_t *out_ns) {
  cl_ulong ns = 0;
  bool known = CL(GetEventProfilingInfo)(event, what, sizeof ns, &ns, NULL) == CL_SUCCESS;
  *out_ns = ns;
  return known;
}

// How long the moment was in which the marker ended; its end by the device's clock. 0: not known.
static uint64_t look_at_clocks(cl_command_queue queue, uint64_t *out_device_ns, uint64_t *out_host_ns) {
  cl_event event = NULL;
  uint64_t start = mr_now_ns(), took = 0;
  if (CL(EnqueueMarkerWithWaitList)(queue, 0, NULL, &event) != CL_SUCCESS) {
    return 0;
  }
  if (CL(Finish)(queue) == CL_SUCCESS && time_of(event, CL_PROFILING_COMMAND_END, out_device_ns)) {
    took = mr_now_ns() - start + 1;
    *out_host_ns = start + took / 2;
  }
  CL(ReleaseEvent)(event);
  return took;
}

void mr_ocl_times_open(mr_ocl_device *device) {
  static const char *const names[MR_OCL_QUEUES] = {"kernels", "in", "out"};
  uint64_t best = UINT64_MAX, device_ns, host_ns;
  for (int i = 0; i < TRIES; i++) {
    uint64_t took = look_at_clocks(device->queues[MR_OCL_COMPUTE], &device_ns, &host_ns);
    if (took && took < best) {
      best = took;
      device->clock_offset_ns = (int64_t)(host_ns - device_ns);
    }
  }
  device->origin_ns = mr_now_ns();
  device->origin_ticks = mr_trace_now();
  for (size_t q = 0; best != UINT64_MAX && q < MR_OCL_QUEUES; q++) {
    char name[16];
    snprintf(name, sizeof name, "ocl %d %s", device->base.id, names[q]);
    device->tracks[q] = mr_trace_track_of(name);
  }
}

// The trace's clock at a moment of the device's: its rate is what it was since the device was made.
static uint64_t ticks_at(const mr_ocl_device *device, uint64_t device_ns, double ticks_per_ns) {
  double since = (double)((int64_t)device_ns + device->clock_offset_ns - (int64_t)device->origin_ns);
  return (uint64_t)((double)device->origin_ticks + since * ticks_per_ns);
}

void mr_ocl_times_note(const mr_ocl_command *c) {
  // ORDER work
  static const uint8_t kinds[MR_WORK_KINDS] = {MR_NODE_HOST_TO_DEVICE, MR_NODE_DEVICE_TO_HOST, MR_NODE_COPY,
                                               MR_NODE_COPY,           MR_NODE_KERNEL,         MR_NODE_CUSTOM};
  const mr_ocl_device *device = c->device;
  mr_trace_track *track = device->tracks[c->queue];
  uint64_t start, end;
  if (!track || !c->event || c->work.kind == MR_WORK_CALL || !mr_trace_is_on() ||
      !time_of(c->event, CL_PROFILING_COMMAND_START, &start) || !time_of(c->event, CL_PROFILING_COMMAND_END, &end)) {
    return;
  }
  double ticks_per_ns =
      (double)(mr_trace_now() - device->origin_ticks) / (double)MR_MAX(mr_now_ns() - device->origin_ns, (uint64_t)1);
  mr_trace_category category = c->work.kind == MR_WORK_LAUNCH ? MR_TRACE_STEP : MR_TRACE_TRANSFER;
  const mr_trace_label label = {c->work.op, c->work.name, c->work.run};
  mr_trace_track_span(track, category, &label, (mr_trace_about){.kind = kinds[c->work.kind]}, device->base.id,
                      ticks_at(device, start, ticks_per_ns), ticks_at(device, MR_MAX(start, end), ticks_per_ns));
}
