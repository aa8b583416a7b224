// registry: the kinds of devices there are, by name. Of use inside devices/ alone.
//
// Threads: any; the table is constant.
#ifndef MR_DEVICES_REGISTRY_H
#define MR_DEVICES_REGISTRY_H

#include "devices/device.h"

// What a device gets from its platform.
typedef struct mr_device_seed {
  mr_platform *platform;
  uint8_t tally;  // the platform's
  int id;
  mr_group *group;
  mr_str inner;  // what is behind the colon: the kind that it is to wrap, or which device is meant
} mr_device_seed;

typedef struct mr_device_kind {
  const char *name;
  bool wraps;    // another kind, whose name comes behind a colon
  bool chooses;  // by what comes behind a colon, if there is one
  mr_status (*create)(const mr_device_seed *seed, mr_device **out_device);
  // Optional. What there is for it on this machine, and why not more, line by line.
  void (*describe)(void (*put)(void *context, const char *line), void *context);
} mr_device_kind;

// "cpu", "faulty:cpu"; INVALID_ARGUMENT with the kinds that there are.
mr_status mr_device_create(mr_str kind, const mr_device_seed *seed, mr_device **out_device) MR_WARN_UNUSED;
// By a kind's create: the fields that all kinds have alike. The memories are the host's, all addressable, which the kind changes
// where it is otherwise.
void mr_device_init(mr_device *device, const mr_device_ops *ops, const mr_device_seed *seed);
// Of as many as there is room for. The texts live as long as the device.
void mr_device_add_attribute(mr_device *device, const char *name, const char *text, int64_t number);

#endif
