// hwloc's tree, flattened: the leaves in its order, each with the numbers of what it sits in.
#include "scheduler/topology.h"

#include <errno.h>
#include <hwloc.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "scheduler/quota.h"

// ---- Flattening -----------------------------------------------------------------------------------------------------

static uint32_t index_of(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_obj_t unit, uint32_t fallback) {
  hwloc_obj_t above = hwloc_get_ancestor_obj_by_type(topology, type, unit);
  return above ? above->logical_index : fallback;
}

// The object whose units share the most that is worth staying within: a last-level cache, else the NUMA node's
// parent, else the package.
static hwloc_obj_t domain_of(hwloc_topology_t topology, hwloc_obj_t unit) {
  hwloc_obj_t found = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_L3CACHE, unit);
  for (hwloc_obj_t above = unit->parent; above && !found; above = above->parent) {
    if (above->memory_arity > 0 || above->type == HWLOC_OBJ_PACKAGE) {
      found = above;
    }
  }
  return found ? found : hwloc_get_root_obj(topology);
}

static int32_t numa_node_of(hwloc_obj_t unit) {
  for (hwloc_obj_t above = unit; above; above = above->parent) {
    if (above->memory_arity > 0 && above->memory_first_child->type == HWLOC_OBJ_NUMANODE) {
      return (int32_t)above->memory_first_child->os_index;
    }
  }
  return -1;
}

static void flatten(hwloc_topology_t hw, hwloc_const_cpuset_t allowed, mr_topology *topology) {
  hwloc_obj_t domain = NULL, unit = NULL;
  while ((unit = hwloc_get_next_obj_by_type(hw, HWLOC_OBJ_PU, unit))) {
    if (allowed && !hwloc_bitmap_isset(allowed, unit->os_index)) {
      continue;
    }
    hwloc_obj_t here = domain_of(hw, unit);
    if (here != domain) {
      topology->domain_count++;
    }
    domain = here;
    topology->units[topology->unit_count++] = (mr_unit){
        .os_index = unit->os_index,
        .domain = topology->domain_count - 1,
        .core = index_of(hw, HWLOC_OBJ_CORE, unit, unit->logical_index),
        .package = index_of(hw, HWLOC_OBJ_PACKAGE, unit, 0),
        .numa_node = numa_node_of(unit),
    };
  }
}

// The caches above a unit, each with how many of the units that may be used it has.
static void read_caches(hwloc_topology_t hw, hwloc_const_cpuset_t allowed, mr_topology *topology) {
  hwloc_obj_t unit = hwloc_get_next_obj_by_type(hw, HWLOC_OBJ_PU, NULL);
  while (unit && allowed && !hwloc_bitmap_isset(allowed, unit->os_index)) {
    unit = hwloc_get_next_obj_by_type(hw, HWLOC_OBJ_PU, unit);
  }
  for (hwloc_obj_t above = unit; above && topology->cache_count < MR_TOPOLOGY_CACHES; above = above->parent) {
    if (!hwloc_obj_type_is_dcache(above->type) || !above->attr->cache.size) {
      continue;
    }
    uint32_t units = 0;
    for (uint32_t i = 0; i < topology->unit_count; i++) {
      units += hwloc_bitmap_isset(above->cpuset, topology->units[i].os_index) != 0;
    }
    topology->caches[topology->cache_count++] = (mr_cache){above->attr->cache.size, units};
  }
}

// ---- Without /sys -----------------------------------------------------------------------------------------------------
// Where the kernel's files about processors are missing, hwloc's reader of them says so on the host's stderr before the other
// readers are asked, who get by without (of x86 processors cpuid tells all). Only the environment could silence it, which is the
// host's; so the reader is left out where it would find none of these files, which are those that it looks for.

static bool unit_is_described(unsigned unit) {
  static const char *const names[] = {"package_cpus", "core_cpus", "core_siblings", "thread_siblings"};
  for (size_t i = 0; i < MR_ARRAY_SIZE(names); i++) {
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/%s", unit, names[i]);
    if (access(path, R_OK) == 0) {
      return true;
    }
  }
  return false;
}

// Unit 0 may be off; some unit's files are there when any are, and this thread runs on one that is not off.
static bool units_are_described(void) {
  int here = sched_getcpu();
  return unit_is_described(0) || (here > 0 && unit_is_described((unsigned)here));
}

static mr_status load(hwloc_topology_t hw, const char *synthetic) {
  if (synthetic && hwloc_topology_set_synthetic(hw, synthetic) != 0) {
    return mr_error(MR_INVALID_ARGUMENT, "\"%s\" is not a hwloc synthetic topology", synthetic);
  }
  hwloc_topology_set_type_filter(hw, HWLOC_OBJ_MISC, HWLOC_TYPE_FILTER_KEEP_NONE);
  if (!synthetic && !units_are_described()) {
    hwloc_topology_set_components(hw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "linux");
  }
  if (hwloc_topology_load(hw) != 0) {
    return mr_error(MR_INTERNAL, "hwloc cannot read this machine's topology");
  }
  return MR_OK;
}

static mr_status allocate(size_t units, mr_topology **out_topology) {
  *out_topology = mr_alloc_zeroed(1, sizeof(**out_topology) + units * sizeof(mr_unit));
  return *out_topology ? MR_OK : MR_NO_MEMORY();
}

static mr_status build(hwloc_topology_t hw, const char *synthetic, mr_topology **out_topology) {
  MR_TRY(load(hw, synthetic));
  hwloc_bitmap_t allowed = NULL;
  if (!synthetic) {
    allowed = hwloc_bitmap_alloc();
    if (!allowed) {
      return MR_NO_MEMORY();
    }
    if (hwloc_get_cpubind(hw, allowed, HWLOC_CPUBIND_THREAD) != 0) {
      hwloc_bitmap_fill(allowed);
    }
  }
  int total = hwloc_get_nbobjs_by_type(hw, HWLOC_OBJ_PU);
  mr_status status = allocate(total > 0 ? (size_t)total : 1, out_topology);
  if (!status) {
    flatten(hw, allowed, *out_topology);
    read_caches(hw, allowed, *out_topology);
  }
  hwloc_bitmap_free(allowed);
  return status;
}

// Whether the system says at all where a thread may run. hwloc asks with longer and longer masks until it is told, for ever
// where a sandbox forbids the question.
static bool masks_are_known(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 || errno == EINVAL;
}

static mr_status read_machine(const char *synthetic, mr_topology **out_topology) {
  if (!synthetic && !masks_are_known()) {
    return mr_error(MR_UNAVAILABLE, "the system does not tell threads' masks");
  }
  hwloc_topology_t hw;
  if (hwloc_topology_init(&hw) != 0) {
    return MR_NO_MEMORY();
  }
  mr_status status = build(hw, synthetic, out_topology);
  hwloc_topology_destroy(hw);
  return status;
}

// A machine that cannot be read has as many units as the system says are there, all alike.
static mr_status guess_machine(mr_topology **out_topology) {
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  uint32_t count = online < 1 ? 1 : (uint32_t)MR_MIN(online, 1024);
  MR_TRY(allocate(count, out_topology));
  for (uint32_t i = 0; i < count; i++) {
    (*out_topology)->units[i] = (mr_unit){.os_index = i, .core = i, .numa_node = -1};
  }
  (*out_topology)->unit_count = count;
  (*out_topology)->domain_count = 1;
  return MR_OK;
}

mr_status mr_topology_create(const char *synthetic, mr_topology **out_topology) {
  *out_topology = NULL;
  mr_status status = read_machine(synthetic, out_topology);
  if (status && synthetic) {
    return status;
  }
  bool unread = status != MR_OK;
  mr_status_free(status);
  if (unread) {
    MR_TRY(guess_machine(out_topology));
  }
  mr_topology *topology = *out_topology;
  if (topology->unit_count == 0) {
    topology->units[0] = (mr_unit){.numa_node = -1};
    topology->unit_count = topology->domain_count = 1;
  }
  uint32_t quota = synthetic ? 0 : mr_quota_units();
  topology->parallelism = quota && quota < topology->unit_count ? quota : topology->unit_count;
  topology->synthetic = synthetic != NULL;
  return MR_OK;
}

void mr_topology_free(mr_topology *topology) { mr_free(topology); }

uint32_t mr_topology_distance(const mr_topology *topology, uint32_t unit_a, uint32_t unit_b) {
  const mr_unit *a = &topology->units[unit_a], *b = &topology->units[unit_b];
  if (a->core == b->core) {
    return 0;
  }
  if (a->domain == b->domain) {
    return 1;
  }
  return a->package == b->package || (a->numa_node >= 0 && a->numa_node == b->numa_node) ? 2 : 3;
}
