// pool: blocks of the machine's memory, for every kind of device, cached by size class, 64-byte aligned, on huge pages when
// large. One per process: pages stay touched from one program to the next, which is what makes large results cheap. What nobody
// uses for some seconds goes back to the system. What is more than there is gets RESOURCE_EXHAUSTED (budget.h).
//
// Threads: everything here may be called from any thread; lock-free. Storage structs are never given back to the system.
#ifndef MR_DEVICES_HOST_POOL_H
#define MR_DEVICES_HOST_POOL_H

#include "devices/devices.h"

// Where use of a device's own memory is counted: each device has one. What it has of the host's memory is not counted.
typedef struct mr_pool_account {
  _Atomic(uint64_t) bytes_in_use, peak_bytes_in_use, num_allocs, largest_alloc_size;
} mr_pool_account;
// For blocks that did not come from here.
void mr_pool_account_add(mr_pool_account *account, size_t bytes);
void mr_pool_account_remove(mr_pool_account *account, size_t bytes);
mr_memory_stats mr_pool_account_stats(const mr_pool_account *account);
void mr_pool_account_clear_peaks(mr_pool_account *account);
void mr_pool_raise(_Atomic(uint64_t) *peak, uint64_t value);

// A storage whose data comes from the pool; its release function gives it back. `account`: where it counts when `memory` is a device's
// own.
mr_status mr_pool_allocate(mr_memory *memory, size_t size, mr_pool_account *account,
                           mr_storage **out_storage) MR_WARN_UNUSED;
// A bare struct for memory that the pool did not give, all but its generation to be filled in, and its way back.
mr_storage *mr_pool_struct_take(void);
void mr_pool_struct_return(mr_storage *storage);

uint64_t mr_pool_system_bytes(void);  // of all blocks, in use or kept for the next use
uint64_t mr_pool_peak_system_bytes(void);

#endif
