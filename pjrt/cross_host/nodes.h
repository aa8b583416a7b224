// nodes: how the processes of one run, each with a client of its own, find out about each other's devices.
//
// Each puts a message about itself into the host's key-value store and waits for those of all others. So all see the same
// list, and each notices by itself when somebody is missing or does not fit.
//
// Threads: any; a call waits for other processes. Ownership: none.
//
//   mr_pjrt_node nodes[2];
//   MR_TRY(mr_pjrt_nodes_exchange(&(mr_pjrt_run){.nodes = 2, ...}, devices, nodes));
#ifndef MR_PJRT_CROSS_HOST_NODES_H
#define MR_PJRT_CROSS_HOST_NODES_H

#include "pjrt/cross_host/key_value.h"

// Of devices: in one process. The size of a name, with its NUL.
enum { MR_PJRT_MAX_NODES = 4096, MR_PJRT_MAX_DEVICES = 1024, MR_PJRT_NAME_SIZE = 48 };

// What makes up a topology: a process with its devices.
typedef struct mr_pjrt_node {
  int32_t devices;
  int32_t slice;
  int32_t machine;  // the first process that is on the same one
} mr_pjrt_node;

typedef struct mr_pjrt_run {
  int32_t node, nodes;  // this process's number, and how many there are
  int32_t slice;        // -1: the number of its machine
  int32_t timeout_ms;
  const char *platform_name;
  const char *version;  // of this library: all processes of a run have the same
  mr_pjrt_key_value store;
} mr_pjrt_run;

// `devices`: of this process. Writes run->nodes nodes. DEADLINE_EXCEEDED for a process that does not come in time,
// FAILED_PRECONDITION for one that does not fit.
mr_status mr_pjrt_nodes_exchange(const mr_pjrt_run *run, int32_t devices, mr_pjrt_node *out_nodes) MR_WARN_UNUSED;

#endif
