// topology: which processing units this process may use, in an order in which neighbours share caches, cut into domains
// (a shared last-level cache, or a NUMA node). Private to the scheduler and its tests.
//
// Threads: created and read by one thread, immutable afterwards.
#ifndef MR_SCHEDULER_TOPOLOGY_H
#define MR_SCHEDULER_TOPOLOGY_H

#include "core/core.h"

typedef struct mr_unit {
  uint32_t os_index;
  uint32_t domain;  // dense, from 0, in the order of the units
  uint32_t core;    // dense; units of one core are hardware threads
  uint32_t package;
  int32_t numa_node;  // -1: unknown
} mr_unit;

// A level of caches for data, as a unit has it.
typedef struct mr_cache {
  uint64_t bytes;
  uint32_t units;  // of those that may be used, how many share one
} mr_cache;
enum { MR_TOPOLOGY_CACHES = 4 };

typedef struct mr_topology {
  uint32_t unit_count;  // at least 1
  uint32_t domain_count;
  // How many threads may run at once: the units, or fewer when the cgroup's CPU quota is smaller.
  uint32_t parallelism;
  bool synthetic;
  uint32_t cache_count;                 // 0: unknown
  mr_cache caches[MR_TOPOLOGY_CACHES];  // of the first unit, from the core outward
  mr_unit units[];
} mr_topology;

// `synthetic`: a hwloc description, or NULL for this machine and this process's affinity mask and quota.
mr_status mr_topology_create(const char *synthetic, mr_topology **out_topology) MR_WARN_UNUSED;
void mr_topology_free(mr_topology *topology);
// 0 same core, 1 same domain, 2 same package or NUMA node, 3 elsewhere.
uint32_t mr_topology_distance(const mr_topology *topology, uint32_t unit_a, uint32_t unit_b);

#endif
