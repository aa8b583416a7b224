// orders: what is to go wrong with a faulty device, and how far it is.
//
// Threads: mr_faulty_orders_next() may be called from any; the others while no other does anything.
#ifndef MR_DEVICES_FAULTY_ORDERS_H
#define MR_DEVICES_FAULTY_ORDERS_H

#include <stdatomic.h>

#include "devices/device.h"

// The first are the kinds of work. ORDER work
typedef enum mr_faulty_operation {
  MR_FAULTY_ALLOCATE = MR_WORK_KINDS,
  MR_FAULTY_LOAD,
  MR_FAULTY_ANY,
  MR_FAULTY_OPERATIONS
} mr_faulty_operation;

typedef enum mr_faulty_fate {
  MR_FATE_NONE,
  MR_FATE_FAIL,
  MR_FATE_REFUSE,
  MR_FATE_LATE,
  MR_FATE_NEVER,
  MR_FATE_LOST
} mr_faulty_fate;

enum { MR_FAULTY_ORDERS = 16 };

typedef struct mr_faulty_orders {
  size_t count;
  struct {
    int operation;
    uint64_t number;
    mr_faulty_fate fate;
  } orders[MR_FAULTY_ORDERS];
  _Atomic(uint64_t) counts[MR_FAULTY_OPERATIONS];
} mr_faulty_orders;

mr_status mr_faulty_orders_parse(mr_str list, mr_faulty_orders *out_orders) MR_WARN_UNUSED;
// Counts an operation and says what becomes of it; *out_number: its number among those of its kind.
mr_faulty_fate mr_faulty_orders_next(mr_faulty_orders *orders, int operation, uint64_t *out_number);
int mr_faulty_operation_parse(mr_str name);  // -1: none
const char *mr_faulty_operation_name(int operation);

#endif
