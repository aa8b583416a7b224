// null: the device that does nothing: what a new kind is copied from, and what the layers above cost by themselves is measured
// with. It takes every piece of work and is done at once. Its memory has no bytes: what is copied out of it is zeros.
#ifndef MR_DEVICES_NULL_NULL_H
#define MR_DEVICES_NULL_NULL_H

#include "devices/registry.h"

extern const mr_device_kind mr_null_kind;

#endif
