#include "devices/host/work.h"

#include <string.h>

#include "core/processor/processor.h"
#include "devices/tuning.h"

typedef void *(*address_fn)(const mr_region *region);

// ---- Doing it -------------------------------------------------------------------------------------------------------

void *mr_host_address(const mr_region *region) {
  return region->storage ? (char *)region->storage->data + region->offset : NULL;
}

// Each copy doubles what is there.
static void fill(char *to, size_t bytes, const void *pattern, size_t pattern_bytes) {
  if (bytes == 0) {
    return;
  }
  memcpy(to, pattern, pattern_bytes);
  for (size_t done = pattern_bytes; done < bytes;) {
    size_t more = MR_MIN(done, bytes - done);
    memcpy(to + done, to, more);
    done += more;
  }
}

static mr_status run_with_addresses(const mr_device *device, const mr_device_work *work, void *const *addresses) {
  if (work->kind == MR_WORK_CALL) {
    return work->call(work, addresses, device->group);
  }
  mr_native_job job = {work->kernel->code.native, addresses, work->stop ? work->stop : &mr_stop_no_token};
  mr_parallel_for(device->group, work->range, mr_native_job_tiles, &job, work->grain, work->cost_ns);
  return MR_OK;
}

static mr_status run_code(address_fn address, const mr_device *device, const mr_device_work *work) {
  enum { ON_STACK = 64 };
  void *small[ON_STACK];
  void **addresses = work->num_regions <= ON_STACK ? small : mr_alloc(work->num_regions * sizeof *addresses);
  if (!addresses) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < work->num_regions; i++) {
    addresses[i] = address(&work->regions[i]);
  }
  mr_status status = run_with_addresses(device, work, addresses);
  if (addresses != small) {
    mr_free(addresses);
  }
  return status;
}

mr_status mr_host_work_run(void *(*address)(const mr_region *region), mr_device *device, const mr_device_work *work) {
  switch (work->kind) {
  case MR_WORK_COPY_IN: mr_copy_bytes(device->group, address(&work->to), work->host_from, work->bytes); break;
  case MR_WORK_COPY_OUT: mr_copy_bytes(device->group, work->host_to, address(&work->from), work->bytes); break;
  case MR_WORK_COPY: mr_copy_bytes(device->group, address(&work->to), address(&work->from), work->bytes); break;
  case MR_WORK_FILL: fill(address(&work->to), work->bytes, work->pattern, work->pattern_bytes); break;
  case MR_WORK_LAUNCH:
  case MR_WORK_CALL: return run_code(address, device, work);
  case MR_WORK_KINDS: break;
  }
  return MR_OK;
}

// ---- On a node ------------------------------------------------------------------------------------------------------

typedef struct later {
  mr_host_run run;
  mr_device *device;
  mr_executor *teller;  // NULL: who has done it tells of it
  mr_device_work work;  // its regions are those behind this
  unsigned float_mode;
  mr_status status;
  mr_task telling;
} later;

static void tell(mr_task *task) {
  later *l = MR_CONTAINER_OF(task, later, telling);
  mr_node_finish((mr_node *)(void *)l - 1, l->status);
}

static void later_run(mr_node *node) {
  later *l = mr_node_payload(node);
  unsigned before = mr_float_mode();
  mr_float_mode_set(l->float_mode);
  l->status = l->run(l->device, &l->work);
  mr_float_mode_set(before);
  if (!l->teller) {
    mr_node_finish(node, l->status);
    return;
  }
  l->telling.run = tell;
  l->teller->ready(l->teller, &l->telling, 0, false);
}

static mr_trace_label later_tag(const mr_node *node) {
  const mr_device_work *work = &((const later *)(node + 1))->work;
  return (mr_trace_label){work->op, work->name, work->run};
}

// ORDER work
#define LATER(text, node_kind) {.name = (text), .kind = (node_kind), .run = later_run, .tag = later_tag}
static const mr_node_type later_types[MR_WORK_KINDS] = {LATER("copy in", MR_NODE_HOST_TO_DEVICE),
                                                        LATER("copy out", MR_NODE_DEVICE_TO_HOST),
                                                        LATER("copy", MR_NODE_COPY),
                                                        LATER("fill", MR_NODE_COPY),
                                                        LATER("launch", MR_NODE_KERNEL),
                                                        LATER("call", MR_NODE_CUSTOM)};

static mr_status submit_later(const later *what, mr_executor *executor, mr_future *const *after, size_t num_after,
                              mr_future **out_done) {
  const mr_device_work *work = &what->work;
  mr_node *node;
  MR_TRY(mr_node_create(&later_types[work->kind], sizeof(later) + work->num_regions * sizeof *work->regions, executor,
                        &node));
  later *l = mr_node_payload(node);
  *l = *what;
  l->float_mode = mr_float_mode();
  mr_region *regions = (mr_region *)(l + 1);
  if (work->num_regions) {
    memcpy(regions, work->regions, work->num_regions * sizeof *regions);
  }
  l->work.regions = regions;
  node->device = (int16_t)l->device->id;
  *out_done = mr_node_keep_done(node);
  for (size_t i = 0; i < num_after; i++) {
    mr_status_free(mr_node_after(node, after[i]));  // on failure the node is poisoned with it
  }
  mr_node_submit(node);
  return MR_OK;
}

mr_status mr_host_submit_to(mr_host_run run, mr_executor *executor, mr_device *device, const mr_device_work *work,
                            mr_future *const *after, size_t num_after, mr_future **out_done) {
  *out_done = NULL;
  later what = {.run = run, .device = device, .teller = device->executor, .work = *work};
  return submit_later(&what, executor, after, num_after, out_done);
}

mr_status mr_host_submit(mr_host_run run, mr_device *device, const mr_device_work *work, mr_future *const *after,
                         size_t num_after, mr_future **out_done) {
  *out_done = NULL;
  for (size_t i = 0; i < num_after; i++) {
    if (!mr_future_is_set(after[i])) {
      later what = {.run = run, .device = device, .work = *work};
      return submit_later(&what, device->executor, after, num_after, out_done);
    }
    if (mr_future_status(after[i])) {
      return mr_status_retain(mr_future_status(after[i]));
    }
  }
  return run(device, work);
}

// ---- Kernels --------------------------------------------------------------------------------------------------------

mr_status mr_host_load_kernel(mr_device *device, const mr_kernel_code *code, mr_device_kernel **out_kernel) {
  *out_kernel = NULL;
  if (code->language != MR_CODE_NATIVE) {
    return mr_error(MR_UNIMPLEMENTED, "%s takes native kernels, and %s is in language number %d", device->ops->name,
                    code->name, (int)code->language);
  }
  mr_device_kernel *kernel = mr_alloc(sizeof *kernel);
  if (!kernel) {
    return MR_NO_MEMORY();
  }
  *kernel = (mr_device_kernel){.device = device, .code = *code};
  *out_kernel = kernel;
  return MR_OK;
}

void mr_host_release_kernel(mr_device_kernel *take_kernel) { mr_free(take_kernel); }
