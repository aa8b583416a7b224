// Work goes into a queue. Each queue is in order, so that only what is in other queues is named in wait lists.
#include <stdlib.h>
#include <string.h>

#include "core/processor/processor.h"
#include "devices/opencl/ocl.h"
#include "devices/opencl/tuning.h"

// One command, perhaps of several calls: each call waits for the list, and the last one has the event.
typedef struct order {
  mr_ocl_command *command;
  mr_ocl_device *device;
  cl_command_queue queue;
  const cl_event *events;
  cl_uint num_events;
  const char *function;  // that failed
  bool begun;            // a part of it is in the queue
} order;

static cl_int said(order *o, const char *function, cl_int rc) {
  o->function = rc == CL_SUCCESS ? o->function : function;
  return rc;
}
#define SAID(o, name, ...) said((o), "cl" #name, CL(name)(__VA_ARGS__))
// A list that is empty must be NULL.
#define WAIT(o) (o)->num_events, ((o)->num_events ? (o)->events : NULL)

// ---- Places ---------------------------------------------------------------------------------------------------------

// The address of what is no cl_mem; NULL: it is one, `*out_memory`.
static char *address_of(const mr_ocl_device *device, const mr_region *region, cl_mem *out_memory) {
  const mr_ocl_block *block = mr_ocl_block_of(device, region->storage);
  *out_memory = block ? block->memory : NULL;
  return *out_memory ? NULL : (char *)region->storage->data + region->offset;
}

static cl_int copy(order *o, const mr_region *to, const mr_region *from, void *host_to, const void *host_from,
                   size_t bytes, cl_event *event) {
  cl_mem to_memory = NULL, from_memory = NULL;
  char *to_at = to ? address_of(o->device, to, &to_memory) : host_to;
  const char *from_at = from ? address_of(o->device, from, &from_memory) : host_from;
  if (to_memory && from_memory) {
    return SAID(o, EnqueueCopyBuffer, o->queue, from_memory, to_memory, from->offset, to->offset, bytes, WAIT(o),
                event);
  }
  if (to_memory) {
    return SAID(o, EnqueueWriteBuffer, o->queue, to_memory, CL_FALSE, to->offset, bytes, from_at, WAIT(o), event);
  }
  if (from_memory) {
    return SAID(o, EnqueueReadBuffer, o->queue, from_memory, CL_FALSE, from->offset, bytes, to_at, WAIT(o), event);
  }
  return SAID(o, EnqueueSVMMemcpy, o->queue, CL_FALSE, to_at, from_at, bytes, WAIT(o), event);
}

static cl_int marker(order *o, cl_event *event) { return SAID(o, EnqueueMarkerWithWaitList, o->queue, WAIT(o), event); }

// ---- Fills ----------------------------------------------------------------------------------------------------------

static cl_int fill_aligned(order *o, const mr_region *to, const uint8_t *pattern, size_t pattern_bytes, size_t bytes,
                           cl_event *event) {
  cl_mem memory;
  char *at = address_of(o->device, to, &memory);
  if (memory) {
    return SAID(o, EnqueueFillBuffer, o->queue, memory, pattern, pattern_bytes, to->offset, bytes, WAIT(o), event);
  }
  return SAID(o, EnqueueSVMMemFill, o->queue, at, pattern, pattern_bytes, bytes, WAIT(o), event);
}

// OpenCL fills whole patterns at multiples of their size. Anything else begins and ends with a copy of a part, between which the
// pattern is turned by as much.
static cl_int fill(order *o, cl_event *event) {
  mr_device_work *work = &o->command->work;
  size_t size = work->pattern_bytes, over = work->to.offset % size, head = over ? size - over : 0;
  if (!over) {
    return fill_aligned(o, &work->to, work->pattern, size, work->bytes, event);
  }
  uint8_t turned[MR_PATTERN_BYTES];
  for (size_t i = 0; i < size; i++) {
    turned[i] = work->pattern[(i + head) % size];
  }
  mr_region middle = {work->to.storage, work->to.offset + head};
  size_t whole = work->bytes - size;  // the head and the tail are one pattern
  mr_region tail = {work->to.storage, middle.offset + whole};
  cl_int rc = copy(o, &work->to, NULL, NULL, work->pattern, head, NULL);
  o->begun = rc == CL_SUCCESS;
  if (rc == CL_SUCCESS && whole) {
    rc = fill_aligned(o, &middle, turned, size, whole, NULL);
  }
  return rc == CL_SUCCESS ? copy(o, &tail, NULL, NULL, work->pattern + head, over, event) : rc;
}

// ---- Kernels --------------------------------------------------------------------------------------------------------

// Memory of the host's that a kernel is to use, dressed as the device's for as long as that takes.
typedef struct dressed {
  const mr_storage *storage;
  cl_mem memory;
} dressed;

typedef struct launch {
  order *order;
  cl_kernel object;
  dressed *dressed;
  size_t num_dressed;
} launch;

static cl_int dress(launch *l, const mr_storage *storage, cl_mem *out_memory) {
  for (size_t i = 0; i < l->num_dressed; i++) {
    if (l->dressed[i].storage == storage) {
      *out_memory = l->dressed[i].memory;
      return CL_SUCCESS;
    }
  }
  cl_int rc = CL_SUCCESS;
  cl_mem_flags access = storage->immutable ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
  *out_memory =
      CL(CreateBuffer)(l->order->device->context, access | CL_MEM_USE_HOST_PTR, storage->size, storage->data, &rc);
  if (!*out_memory) {
    return said(l->order, "clCreateBuffer", rc ? rc : CL_OUT_OF_HOST_MEMORY);
  }
  l->dressed[l->num_dressed++] = (dressed){storage, *out_memory};
  return CL_SUCCESS;
}

static cl_int set_region(launch *l, cl_uint index, const mr_region *region) {
  const mr_ocl_block *block = mr_ocl_block_of(l->order->device, region->storage);
  cl_ulong offset = region->storage ? region->offset : 0;
  cl_mem memory = block ? block->memory : NULL;
  cl_int rc = CL_SUCCESS;
  if (block && block->data) {
    rc = SAID(l->order, SetKernelArgSVMPointer, l->object, 2 * index, block->data);
  } else {
    if (!block && region->storage && region->storage->size) {
      rc = dress(l, region->storage, &memory);
    }
    rc = rc ? rc : SAID(l->order, SetKernelArg, l->object, 2 * index, sizeof memory, memory ? &memory : NULL);
  }
  return rc ? rc : SAID(l->order, SetKernelArg, l->object, 2 * index + 1, sizeof offset, &offset);
}

static cl_int set_arguments(launch *l, int64_t share) {
  const mr_device_work *work = &l->order->command->work;
  cl_int rc = CL_SUCCESS;
  for (cl_uint i = 0; rc == CL_SUCCESS && i < work->num_regions; i++) {
    rc = set_region(l, i, &work->regions[i]);
  }
  cl_long range = work->range, of_item = share;
  rc = rc ? rc : SAID(l->order, SetKernelArg, l->object, 2 * work->num_regions, sizeof range, &range);
  return rc ? rc : SAID(l->order, SetKernelArg, l->object, 2 * work->num_regions + 1, sizeof of_item, &of_item);
}

// How many tiles an item does: a few items for each unit, unless that were too little for one; one where there are items for all.
static int64_t find_share(const mr_ocl_device *device, const mr_device_work *work) {
  if (device->target.items) {
    return 1;
  }
  int64_t items = (int64_t)device->info->units * MR_OCL_ITEMS_PER_UNIT;
  if (work->cost_ns) {
    items = MR_MIN(items, (int64_t)(work->cost_ns / MR_OCL_ITEM_NS) + 1);
  }
  return MR_MAX((work->range + items - 1) / items, MR_MAX(work->grain, (int64_t)1));
}

static cl_int run_kernel(launch *l, int64_t share, cl_event *event) {
  order *o = l->order;
  const mr_device_work *work = &o->command->work;
  const mr_ocl_kernel *kernel = MR_CONTAINER_OF((uintptr_t)work->kernel, mr_ocl_kernel, base);
  size_t items = (size_t)((work->range + share - 1) / share), local = 1;
  if (kernel->group_items) {
    local = kernel->group_items;
    items *= local;
  } else if (o->device->target.items) {
    local = MR_MIN(kernel->group_size, (size_t)MR_OCL_GROUP);
    items = (items + local - 1) / local * local;
  }
  return SAID(o, EnqueueNDRangeKernel, o->queue, l->object, 1, NULL, &items, &local, WAIT(o), event);
}

// What was written to dressed memory is the host's when it has been mapped.
static cl_int undress(launch *l, cl_event *event) {
  order *o = l->order;
  for (size_t i = 0; i < l->num_dressed; i++) {
    const dressed *d = &l->dressed[i];
    cl_int rc = CL_SUCCESS;
    void *at =
        CL(EnqueueMapBuffer)(o->queue, d->memory, CL_FALSE, CL_MAP_READ, 0, d->storage->size, 0, NULL, NULL, &rc);
    if (!at) {
      return said(o, "clEnqueueMapBuffer", rc ? rc : CL_MAP_FAILURE);
    }
    bool last = i + 1 == l->num_dressed;
    rc = SAID(o, EnqueueUnmapMemObject, o->queue, d->memory, at, 0, NULL, last ? event : NULL);
    if (rc != CL_SUCCESS) {
      return rc;
    }
  }
  return CL_SUCCESS;
}

static cl_int launch_with(launch *l, cl_event *event) {
  const mr_device_work *work = &l->order->command->work;
  int64_t share = find_share(l->order->device, work);
  cl_int rc = set_arguments(l, share);
  rc = rc ? rc : run_kernel(l, share, l->num_dressed ? NULL : event);
  l->order->begun = rc == CL_SUCCESS;
  rc = rc || !l->num_dressed ? rc : undress(l, event);
  for (size_t i = 0; i < l->num_dressed; i++) {
    CL(ReleaseMemObject)(l->dressed[i].memory);  // commands that use it keep it
  }
  return rc;
}

static mr_status run_launch(order *o, cl_int *out_rc, cl_event *event) {
  enum { ON_STACK = 32 };
  const mr_device_work *work = &o->command->work;
  if (work->range <= 0) {
    *out_rc = marker(o, event);
    return MR_OK;
  }
  mr_ocl_kernel *kernel = MR_CONTAINER_OF((uintptr_t)work->kernel, mr_ocl_kernel, base);
  dressed few[ON_STACK];
  launch l = {.order = o, .dressed = few};
  if (work->num_regions > ON_STACK && !(l.dressed = mr_alloc(work->num_regions * sizeof *l.dressed))) {
    return MR_NO_MEMORY();
  }
  mr_status status = mr_ocl_kernel_take(kernel, &l.object);
  if (!status) {
    *out_rc = launch_with(&l, event);
    mr_ocl_kernel_give_back(kernel, l.object);
  }
  if (l.dressed != few) {
    mr_free(l.dressed);
  }
  return status;
}

// ---- In general -----------------------------------------------------------------------------------------------------

// Unmaps all that is mapped, also when that fails for some: the first failure.
static cl_int unmap_all(order *o) {
  mr_ocl_command *c = o->command;
  cl_int first = CL_SUCCESS;
  for (uint32_t i = 0; c->mapped && i < c->work.num_regions; i++) {
    if (!c->mapped[i]) {
      continue;
    }
    const mr_ocl_block *block = mr_ocl_block_of(o->device, c->work.regions[i].storage);
    cl_int rc = CL(EnqueueUnmapMemObject)(o->queue, block->memory, c->mapped[i], 0, NULL, NULL);
    c->mapped[i] = NULL;
    o->begun = o->begun || rc == CL_SUCCESS;
    first = first ? first : said(o, "clEnqueueUnmapMemObject", rc);
  }
  return first;
}

// A call of the command failed. Who submitted it lets go of the memory, so what is in the queue of it must be over, and what is mapped
// given back. Of a lost device nothing is waited for.
static mr_status failed(order *o, cl_int rc) {
  const char *name = o->command->work.name;
  mr_status status = mr_ocl_failed(o->device, o->function, name, rc);
  // acquire, as in mr_ocl_check().
  if (!o->begun || atomic_load_explicit(&o->device->lost, memory_order_acquire)) {
    return status;
  }
  cl_int unmapped = unmap_all(o), finished = SAID(o, Finish, o->queue);
  rc = unmapped ? unmapped : finished;
  return rc == CL_SUCCESS ? status : mr_status_join(status, mr_ocl_failed(o->device, o->function, name, rc));
}

static mr_status do_enqueue(order *o, cl_event *event) {
  const mr_device_work *work = &o->command->work;
  cl_int rc = CL_SUCCESS;
  mr_status status = MR_OK;
  if (work->kind != MR_WORK_LAUNCH && !work->bytes) {
    rc = marker(o, event);
  } else {
    switch (work->kind) {
    case MR_WORK_COPY_IN: rc = copy(o, &work->to, NULL, NULL, work->host_from, work->bytes, event); break;
    case MR_WORK_COPY_OUT: rc = copy(o, NULL, &work->from, work->host_to, NULL, work->bytes, event); break;
    case MR_WORK_COPY: rc = copy(o, &work->to, &work->from, NULL, NULL, work->bytes, event); break;
    case MR_WORK_FILL: rc = fill(o, event); break;
    case MR_WORK_LAUNCH: status = run_launch(o, &rc, event); break;
    case MR_WORK_CALL:
    case MR_WORK_KINDS: break;
    }
  }
  return status || rc == CL_SUCCESS ? status : failed(o, rc);
}

// Events of what comes before in other queues, which must have been told to begin.
static mr_status gather_events(mr_ocl_command *c, cl_event *events, cl_uint *out_count) {
  unsigned flushed = 0;
  *out_count = 0;
  for (uint32_t i = 0; i < c->num_before; i++) {
    const mr_ocl_command *before = c->before[i];
    if (!before->event || before->queue == c->queue || mr_future_is_set(&before->done)) {
      continue;
    }
    events[(*out_count)++] = before->event;
    if (!(flushed & 1u << before->queue)) {
      flushed |= 1u << before->queue;
      cl_int rc = CL(Flush)(c->device->queues[before->queue]);
      if (rc != CL_SUCCESS) {
        return mr_ocl_failed(c->device, "clFlush", c->work.name, rc);
      }
    }
  }
  return MR_OK;
}

static mr_status with_order(mr_ocl_command *c, mr_status (*what)(order *o, cl_event *event)) {
  enum { ON_STACK = 16 };
  cl_event few[ON_STACK], *events = few;
  if (c->num_before > ON_STACK && !(events = mr_alloc(c->num_before * sizeof(cl_event)))) {
    return MR_NO_MEMORY();
  }
  order o = {.command = c, .device = c->device, .queue = c->device->queues[c->queue], .events = events};
  mr_status status = gather_events(c, events, &o.num_events);
  status = status ? status : what(&o, &c->event);
  if (events != few) {
    mr_free(events);
  }
  return status;
}

mr_status mr_ocl_enqueue(mr_ocl_command *c) { return with_order(c, do_enqueue); }

// ---- Calls ----------------------------------------------------------------------------------------------------------

// The first region of this one's storage.
static uint32_t first_of_storage(const mr_device_work *work, uint32_t index) {
  for (uint32_t i = 0; i < index; i++) {
    if (work->regions[i].storage == work->regions[index].storage) {
      return i;
    }
  }
  return index;
}

// Maps each block once, whole.
static mr_status map_regions(order *o, cl_event *event) {
  mr_ocl_command *c = o->command;
  const mr_device_work *work = &c->work;
  cl_int rc = CL_SUCCESS;
  for (uint32_t i = 0; rc == CL_SUCCESS && i < work->num_regions; i++) {
    const mr_ocl_block *block = mr_ocl_block_of(o->device, work->regions[i].storage);
    if (!block || !block->memory || !block->asked || first_of_storage(work, i) != i) {
      continue;
    }
    c->mapped[i] = CL(EnqueueMapBuffer)(o->queue, block->memory, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, 0, block->asked,
                                        WAIT(o), NULL, &rc);
    o->begun = o->begun || c->mapped[i];
    rc = said(o, "clEnqueueMapBuffer", c->mapped[i] ? CL_SUCCESS : rc ? rc : CL_MAP_FAILURE);
  }
  rc = rc ? rc : marker(o, event);
  return rc == CL_SUCCESS ? MR_OK : failed(o, rc);
}

mr_status mr_ocl_call_begin(mr_ocl_command *c) {
  c->mapped = mr_alloc_zeroed(2 * (size_t)c->work.num_regions + 1, sizeof(void *));
  return c->mapped ? with_order(c, map_regions) : MR_NO_MEMORY();
}

static void find_addresses(const mr_ocl_command *c, void **addresses) {
  const mr_device_work *work = &c->work;
  for (uint32_t i = 0; i < work->num_regions; i++) {
    const mr_region *region = &work->regions[i];
    char *base = c->mapped[first_of_storage(work, i)];
    base = base || !region->storage ? base : region->storage->data;
    addresses[i] = base ? base + region->offset : NULL;
  }
}

static mr_status unmap_regions(order *o, cl_event *event) {
  cl_int rc = unmap_all(o);
  rc = rc ? rc : marker(o, event);
  return rc == CL_SUCCESS ? MR_OK : failed(o, rc);
}

static bool has_mapped(const mr_ocl_command *c) {
  for (uint32_t i = 0; i < c->work.num_regions; i++) {
    if (c->mapped[i]) {
      return true;
    }
  }
  return false;
}

mr_status mr_ocl_call_run(mr_ocl_command *c, bool *out_goes_on) {
  void **addresses = c->mapped + c->work.num_regions;
  *out_goes_on = false;
  find_addresses(c, addresses);
  unsigned before = mr_float_mode();
  mr_float_mode_set(c->float_mode);
  mr_status status = c->work.call(&c->work, addresses, c->device->base.group);
  mr_float_mode_set(before);
  c->is_call = false;
  if (!has_mapped(c)) {
    return status;
  }
  c->map_event = c->event;  // somebody may be looking at it
  c->event = NULL;
  mr_status given_back = mr_ocl_check(c->device);
  given_back = given_back ? given_back : with_order(c, unmap_regions);
  if (given_back) {
    return mr_status_join(status, given_back);
  }
  c->verdict = status;
  mr_status listed = mr_ocl_command_list(c);
  if (listed) {
    c->verdict = MR_OK;
    return mr_status_join(status, listed);
  }
  *out_goes_on = true;
  if (!status) {
    mr_future_set(&c->placed, MR_OK);
  }
  mr_ocl_command_arm(c);
  return MR_OK;
}
