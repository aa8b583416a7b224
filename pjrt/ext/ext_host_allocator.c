// Extensions HostAllocator and HostMemoryAllocator: memory for a host's arrays from which transfers need no copy (aligned as
// our own), and on a NUMA node of choice.
#include <linux/mempolicy.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pjrt/ext/extensions.h"
#include "pjrt/objects/objects.h"

// What zero-copy transfers ask for: see devices/.
enum { PREFERRED_ALIGNMENT = 64, MAX_NODES = 1024 };

static PJRT_Error *get_preferred_alignment(PJRT_HostAllocator_GetPreferredAlignment_Args *args) {
  MR_PJRT_NEED(args, preferred_alignment);
  MR_PJRT_NONNULL(args, client);
  args->preferred_alignment = PREFERRED_ALIGNMENT;
  return NULL;
}

// More than the machine has is refused here: the system might promise it and kill us later.
static mr_status check_size(const PJRT_Client *client, size_t size) {
  uint64_t limit = mr_device_stats(client->local_list[0]->device).bytes_limit;
  return size <= limit ? MR_OK
                       : mr_error(MR_RESOURCE_EXHAUSTED, "%zu bytes of host memory, wanted at most %llu", size,
                                  (unsigned long long)limit);
}

static mr_status allocate_aligned(size_t size, size_t alignment, void **out_memory) {
  *out_memory = NULL;
  if ((alignment & (alignment - 1)) != 0) {
    return mr_error(MR_INVALID_ARGUMENT, "alignment %zu is no power of two", alignment);
  }
  *out_memory = mr_alloc_aligned(MR_MAX(alignment, PREFERRED_ALIGNMENT), MR_MAX(size, 1));
  return *out_memory ? MR_OK : mr_error(MR_RESOURCE_EXHAUSTED, "no %zu bytes of host memory", size);
}

static PJRT_Error *allocate(PJRT_HostAllocator_Allocate_Args *args) {
  MR_PJRT_NEED(args, ptr);
  MR_PJRT_NONNULL(args, client);
  MR_PJRT_TRY(check_size(args->client, args->size));
  MR_PJRT_TRY(allocate_aligned(args->size, args->alignment, &args->ptr));
  return NULL;
}

static PJRT_Error *free_memory(PJRT_HostAllocator_Free_Args *args) {
  MR_PJRT_NEED(args, ptr);
  MR_PJRT_NONNULL(args, client);
  mr_free(args->ptr);
  return NULL;
}

// ---- On a NUMA node -------------------------------------------------------------------------------------------------

static bool node_exists(int node) {
  char path[64];
  snprintf(path, sizeof path, "/sys/devices/system/node/node%d", node);
  return access(path, F_OK) == 0;
}

// The node is a wish: when it is full, memory of another one is better than none. Without permission (some containers) the
// kernel's own choice stays.
static void prefer_node(void *memory, size_t size, int node) {
  unsigned long mask[MAX_NODES / (8 * sizeof(unsigned long))] = {0};
  mask[(size_t)node / (8 * sizeof *mask)] = 1ul << ((size_t)node % (8 * sizeof *mask));
  (void)syscall(SYS_mbind, memory, size, MPOL_PREFERRED, mask, (unsigned long)MAX_NODES, 0u);
}

static void unmap(void *memory, void *size) { munmap(memory, (size_t)(uintptr_t)size); }

static mr_status map_memory(size_t size, int node, void **out_memory) {
  *out_memory = NULL;
  if (node < -1 || node >= MAX_NODES || (node > 0 && !node_exists(node))) {
    return mr_error(MR_INVALID_ARGUMENT, "NUMA node %d, wanted one of this machine, or -1 for any", node);
  }
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return mr_error(MR_RESOURCE_EXHAUSTED, "no %zu bytes of host memory", size);
  }
  if (node >= 0) {
    prefer_node(memory, size, node);
  }
  *out_memory = memory;
  return MR_OK;
}

static PJRT_Error *allocate_on_node(PJRT_HostMemoryAllocator_Allocate_Args *args) {
  MR_PJRT_NEED(args, deleter_arg);
  MR_PJRT_NONNULL(args, client);
  size_t size = MR_MAX(args->size, 1);
  MR_PJRT_TRY(check_size(args->client, size));
  MR_PJRT_TRY(map_memory(size, args->numa_node, &args->ptr));
  args->deleter = unmap;
  args->deleter_arg = (void *)(uintptr_t)size;
  return NULL;
}

PJRT_HostMemoryAllocator_Extension mr_pjrt_ext_host_memory_allocator = {
    .base = {.struct_size = sizeof(PJRT_HostMemoryAllocator_Extension),
             .type = PJRT_Extension_Type_HostMemoryAllocator,
             .next = &mr_pjrt_ext_executable_metadata.base},
    .allocate = allocate_on_node,
};

PJRT_HostAllocator_Extension mr_pjrt_ext_host_allocator = {
    .base = {.struct_size = sizeof(PJRT_HostAllocator_Extension),
             .type = PJRT_Extension_Type_HostAllocator,
             .next = &mr_pjrt_ext_host_memory_allocator.base},
    .get_preferred_alignment = get_preferred_alignment,
    .allocate = allocate,
    .free = free_memory,
};
