// faulty: a device for tests that wraps one of any kind, "faulty:cpu", and lets what it is asked for go wrong on cue. Its device memory
// counts as not addressable and the device as not direct, whatever is inside, so that everything goes through it.
//
// What goes wrong is a list, "copy_out:3,launch:1:late": the third copy to the host fails, the first launch is late. The number
// counts from when the list was set, by operation, over one device. Operations are the kinds of work (copy_in, copy_out, copy, fill,
// launch, call), allocate, load (of a kernel), and `any`, which counts them all. What happens:
//
//   fail    it fails when its turn has come (the default)
//   refuse  it fails at once: the call returns the status
//   late    it begins MR_FAULTY_LATE_NS after it could
//   never   it never ends, until the platform is given up (mr_platform_give_up), which fails it
//   lost    it fails and with it the device is lost: everything asked of it from then on is UNAVAILABLE
//
// Allocations and loads happen at once, so for them `never` is `fail`, and `late` takes its time.
//
// Threads: any.
#ifndef MR_DEVICES_FAULTY_FAULTY_H
#define MR_DEVICES_FAULTY_FAULTY_H

#include "devices/registry.h"

extern const mr_device_kind mr_faulty_kind;

#define MR_FAULTY_LATE_NS ((uint64_t)5000000)

// For tests; a device begins with the list in MILLRACE_FAULTY. Counting begins anew, and a lost device is found again.
mr_status mr_faulty_set(mr_device *device, mr_str list) MR_WARN_UNUSED;
// How many operations there were since, by name; 0 for a name that is none.
uint64_t mr_faulty_count(mr_device *device, const char *operation);

#endif
