// The kinds of devices. A new one is a folder, an include and a line here.
#include "devices/registry.h"

#include <assert.h>
#include <string.h>

#include "devices/cpu/cpu.h"
#include "devices/devices.h"
#include "devices/faulty/faulty.h"
#include "devices/fenced/fenced.h"
#include "devices/null/null.h"
#include "devices/opencl/opencl.h"

static const mr_device_kind *const kinds[] = {&mr_cpu_kind, &mr_null_kind, &mr_fenced_kind, &mr_faulty_kind,
                                              &mr_opencl_kind};

// In the order of `kinds`.
static const char *const words[] = {"the cores of this machine", "for measuring: takes everything, computes nothing",
                                    "for tests: memory that nobody else can touch",
                                    "for tests: another kind whose work goes wrong on cue",
                                    "devices of OpenCL runtimes"};
static_assert(MR_ARRAY_SIZE(words) == MR_ARRAY_SIZE(kinds), "each kind has words");

void mr_device_each_kind(void (*visit)(void *context, const char *name, bool wraps, const char *words), void *context) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(kinds); i++) {
    visit(context, kinds[i]->name, kinds[i]->wraps, words[i]);
  }
}

void mr_device_each_found(void (*put)(void *context, const char *line), void *context) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(kinds); i++) {
    if (kinds[i]->describe) {
      kinds[i]->describe(put, context);
    }
  }
}

static mr_status no_such_kind(mr_str name) {
  mr_text known = {0};
  for (size_t i = 0; i < MR_ARRAY_SIZE(kinds); i++) {
    mr_text_put(&known, "%s%s%s", i ? ", " : "", kinds[i]->name, kinds[i]->wraps ? ":KIND" : "");
  }
  mr_status status = known.failed ? MR_NO_MEMORY()
                                  : mr_error(MR_INVALID_ARGUMENT, "kind of device is '%.*s', wanted one of %.*s",
                                             MR_STR_ARG(name), (int)known.size, known.data);
  mr_text_deinit(&known);
  return status;
}

mr_status mr_device_create(mr_str kind, const mr_device_seed *seed, mr_device **out_device) {
  *out_device = NULL;
  const char *colon = kind.size ? memchr(kind.data, ':', kind.size) : NULL;
  mr_str name = {kind.data, colon ? (size_t)(colon - kind.data) : kind.size};
  mr_device_seed own = *seed;
  own.inner = colon ? (mr_str){colon + 1, kind.size - name.size - 1} : (mr_str){NULL, 0};
  for (size_t i = 0; i < MR_ARRAY_SIZE(kinds); i++) {
    if (mr_str_is(name, kinds[i]->name) && (kinds[i]->chooses || kinds[i]->wraps == (colon != NULL))) {
      return kinds[i]->create(&own, out_device);
    }
  }
  return no_such_kind(kind);
}

void mr_device_add_attribute(mr_device *device, const char *name, const char *text, int64_t number) {
  assert(device->num_attributes < MR_DEVICE_ATTRIBUTES);
  device->attributes[device->num_attributes++] = (mr_device_attribute){.name = name, .text = text, .number = number};
}

void mr_device_init(mr_device *device, const mr_device_ops *ops, const mr_device_seed *seed) {
  device->ops = ops;
  device->platform = seed->platform;
  device->id = seed->id;
  device->group = seed->group;
  device->executor = mr_group_executor(seed->group);
  mr_device_add_attribute(device, "kind", ops->name, 0);
  mr_device_add_attribute(device, "concurrency", NULL, mr_group_concurrency(seed->group));
  mr_device_add_attribute(device, "numa_node", NULL, mr_group_numa_node(seed->group));
  for (int kind = 0; kind < MR_MEMORY_KINDS; kind++) {
    device->memories[kind] = (mr_memory){.device = device,
                                         .kind = (mr_memory_kind)kind,
                                         .id = seed->id * MR_MEMORY_KINDS + kind,
                                         .addressable = true,
                                         .tally = seed->tally};
  }
}
