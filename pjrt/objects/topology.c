// Topologies: what is known about devices without a client.
#include <stdio.h>
#include <string.h>

#include "compiler/codegen/codegen.h"
#include "core/census.h"
#include "pjrt/abi/named_value.h"
#include "pjrt/ffi/ffi.h"
#include "pjrt/objects/objects.h"
#include "pjrt/proto/options.h"
#include "pjrt/proto/topology.h"

// ---- Lifecycle ----------------------------------------------------------------------------------------------------------

static void describe(PJRT_DeviceDescription *description, int id, int process, int local_id, const mr_pjrt_node *node) {
  *description = (PJRT_DeviceDescription){.id = id,
                                          .process_index = process,
                                          .local_id = local_id,
                                          .slice = node->slice,
                                          .machine = node->machine,
                                          .slice_attribute = mr_pjrt_value_int("slice_index", node->slice)};
  snprintf(description->kind, sizeof description->kind, MR_PJRT_DEVICE_KIND);
  snprintf(description->debug_string, sizeof description->debug_string, "MILLRACE_%d", id);
  snprintf(description->to_string, sizeof description->to_string, "MillraceDevice(id=%d)", id);
}

static void describe_all(PJRT_TopologyDescription *topology, const mr_pjrt_node *nodes, size_t node_count) {
  size_t id = 0;
  for (size_t process = 0; process < node_count; process++) {
    for (int local = 0; local < nodes[process].devices; local++, id++) {
      describe(&topology->descriptions[id], (int)id, (int)process, local, &nodes[process]);
      topology->description_list[id] = &topology->descriptions[id];
    }
  }
}

mr_status mr_pjrt_topology_create(mr_str platform_name, const mr_pjrt_node *nodes, size_t node_count,
                                  PJRT_TopologyDescription **out) {
  *out = NULL;
  size_t count = 0;
  for (size_t i = 0; i < node_count; i++) {
    count += (size_t)nodes[i].devices;
  }
  if (platform_name.size >= MR_PJRT_NAME_SIZE) {
    return mr_error(MR_INVALID_ARGUMENT, "platform name of %zu characters, wanted at most %d", platform_name.size,
                    MR_PJRT_NAME_SIZE - 1);
  }
  PJRT_TopologyDescription *topology = mr_alloc_zeroed(1, sizeof *topology);
  if (topology == NULL) {
    return MR_NO_MEMORY();
  }
  mr_census_add(MR_CENSUS_others, 1);
  topology->descriptions = mr_alloc_zeroed(count, sizeof *topology->descriptions);
  topology->description_list = mr_alloc_zeroed(count, sizeof *topology->description_list);
  if (!topology->descriptions || !topology->description_list) {
    mr_pjrt_topology_release(topology);
    return MR_NO_MEMORY();
  }
  memcpy(topology->platform_name, platform_name.data, platform_name.size);
  topology->platform_name_size = platform_name.size;
  topology->count = count;
  describe_all(topology, nodes, node_count);
  *out = topology;
  return MR_OK;
}

void mr_pjrt_topology_release(PJRT_TopologyDescription *topology) {
  if (topology) {
    mr_free(topology->description_list);
    mr_free(topology->descriptions);
    mr_census_add(MR_CENSUS_others, -1);
    mr_free(topology);
  }
}

static char platform_version[sizeof MR_PJRT_PLATFORM_VERSION + 32];
static pthread_once_t platform_version_once = PTHREAD_ONCE_INIT;

static void write_platform_version(void) {
  snprintf(platform_version, sizeof platform_version, MR_PJRT_PLATFORM_VERSION " (build %016llx)",
           (unsigned long long)mr_codegen_identity().low);
}

mr_str mr_pjrt_platform_version(void) {
  pthread_once(&platform_version_once, write_platform_version);
  return mr_str_of(platform_version);
}

uint64_t mr_pjrt_platform_id(void) { return mr_hash64("millrace", 8, 0); }

// ---- As bytes -----------------------------------------------------------------------------------------------------------

static mr_status serialize(const PJRT_TopologyDescription *topology, char **out_bytes, size_t *out_size) {
  mr_pjrt_topology_message message = {.platform_id = mr_pjrt_platform_id(),
                                      .platform_name = topology->platform_name,
                                      .platform_version = mr_pjrt_platform_version().data,
                                      .count = topology->count};
  message.devices = mr_alloc(topology->count * sizeof *message.devices);
  if (message.devices == NULL) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < topology->count; i++) {
    const PJRT_DeviceDescription *d = &topology->descriptions[i];
    message.devices[i] = (mr_pjrt_topology_place){d->process_index, d->local_id, d->slice};
  }
  mr_status status = mr_pjrt_topology_serialize(&message, out_bytes, out_size);
  mr_free(message.devices);
  return status;
}

// The processes of a list of devices, which must come one after another with all their devices in order.
static mr_status nodes_of(const mr_pjrt_topology_message *message, mr_pjrt_node *nodes, size_t *out_count) {
  size_t count = 0;
  for (size_t i = 0; i < message->count; i++) {
    const mr_pjrt_topology_place *place = &message->devices[i];
    if (count == 0 || place->process != (int32_t)count - 1) {
      nodes[count++] = (mr_pjrt_node){.slice = place->slice};
    }
    if (place->process != (int32_t)count - 1 || place->local_id != nodes[count - 1].devices) {
      return mr_error(MR_INVALID_ARGUMENT,
                      "serialized topology: device %zu is number %d of process %d, wanted %d of %zu", i,
                      (int)place->local_id, (int)place->process, (int)nodes[count - 1].devices, count - 1);
    }
    nodes[count - 1].devices++;
  }
  *out_count = count;
  return MR_OK;
}

static mr_status topology_of(const mr_pjrt_topology_message *message, PJRT_TopologyDescription **out) {
  if (!mr_str_starts_with(mr_str_of(message->platform_version), MR_STR(MR_PJRT_PLATFORM_VERSION)) ||
      message->count == 0) {
    return mr_error(MR_INVALID_ARGUMENT,
                    "serialized topology of %zu devices of '%s', wanted at least one of " MR_PJRT_PLATFORM_VERSION,
                    message->count, message->platform_version);
  }
  mr_pjrt_node *nodes = mr_alloc(message->count * sizeof *nodes);
  size_t node_count;
  if (nodes == NULL) {
    return MR_NO_MEMORY();
  }
  mr_status status = nodes_of(message, nodes, &node_count);
  status = status ? status : mr_pjrt_topology_create(mr_str_of(message->platform_name), nodes, node_count, out);
  mr_free(nodes);
  return status;
}

static mr_status deserialize(mr_span bytes, PJRT_TopologyDescription **out) {
  mr_arena arena;
  mr_pjrt_topology_message message;
  mr_arena_init(&arena, 0);
  mr_status status = mr_pjrt_topology_parse(bytes, &arena, &message);
  status = status ? status : topology_of(&message, out);
  mr_arena_deinit(&arena);
  return status;
}

// ---- Slots ----------------------------------------------------------------------------------------------------------------

// As many processes as the options say, all alike.
static mr_status create_named(const PJRT_NamedValue *values, size_t count, PJRT_TopologyDescription **out) {
  mr_pjrt_create_options options;
  MR_TRY(mr_pjrt_create_options_read(values, count, &options));
  mr_pjrt_node *nodes = mr_alloc((size_t)options.num_nodes * sizeof *nodes);
  if (nodes == NULL) {
    return MR_NO_MEMORY();
  }
  for (int32_t i = 0; i < options.num_nodes; i++) {
    uint32_t devices = options.num_devices ? options.num_devices : options.num_cpus;
    nodes[i] = (mr_pjrt_node){.devices = (int32_t)MR_MAX(devices, 1), .slice = MR_MAX(options.slice, 0)};
  }
  mr_status status = mr_pjrt_topology_create(mr_str_of(options.platform_name), nodes, (size_t)options.num_nodes, out);
  mr_free(nodes);
  return status;
}

PJRT_Error *mr_pjrt_TopologyDescription_Create(PJRT_TopologyDescription_Create_Args *args) {
  MR_PJRT_NEED(args, topology);
  args->topology = NULL;
  MR_PJRT_NONNULL_IF(args, num_options, create_options);
  MR_PJRT_NONNULL_IF(args, topology_name_size, topology_name);
  if (args->topology_name_size) {
    return mr_pjrt_error(mr_error(MR_INVALID_ARGUMENT,
                                  "topology '%.*s': none has a name here, create options say what there is",
                                  (int)args->topology_name_size, args->topology_name));
  }
  MR_PJRT_TRY(create_named(args->create_options, args->num_options, &args->topology));
  return NULL;
}

PJRT_Error *mr_pjrt_TopologyDescription_Destroy(PJRT_TopologyDescription_Destroy_Args *args) {
  MR_PJRT_NEED(args, topology);
  mr_pjrt_topology_release(args->topology);
  return NULL;
}

MR_PJRT_GETTER(TopologyDescription_PlatformName, topology, platform_name_size,
               args->platform_name = args->topology->platform_name;
               args->platform_name_size = args->topology->platform_name_size)

MR_PJRT_GETTER(TopologyDescription_PlatformVersion, topology, platform_version_size,
               mr_str version = mr_pjrt_platform_version();
               args->platform_version = version.data; args->platform_version_size = version.size)

MR_PJRT_GETTER(TopologyDescription_GetDeviceDescriptions, topology, num_descriptions,
               args->descriptions = args->topology->description_list;
               args->num_descriptions = args->topology->count)

static void delete_serialized(PJRT_SerializedTopology *serialized) { mr_free(serialized); }

PJRT_Error *mr_pjrt_TopologyDescription_Serialize(PJRT_TopologyDescription_Serialize_Args *args) {
  MR_PJRT_NEED(args, serialized_topology_deleter);
  MR_PJRT_NONNULL(args, topology);
  char *bytes;
  MR_PJRT_TRY(serialize(args->topology, &bytes, &args->serialized_bytes_size));
  args->serialized_bytes = bytes;
  args->serialized_topology = (PJRT_SerializedTopology *)bytes;
  args->serialized_topology_deleter = delete_serialized;
  return NULL;
}

PJRT_Error *mr_pjrt_TopologyDescription_Deserialize(PJRT_TopologyDescription_Deserialize_Args *args) {
  MR_PJRT_NEED(args, topology);
  args->topology = NULL;
  MR_PJRT_NONNULL(args, serialized_topology);
  MR_PJRT_TRY(deserialize((mr_span){args->serialized_topology, args->serialized_topology_size}, &args->topology));
  return NULL;
}

MR_PJRT_GETTER(TopologyDescription_Attributes, topology, num_attributes, args->attributes = NULL;
               args->num_attributes = 0)

PJRT_Error *mr_pjrt_TopologyDescription_Fingerprint(PJRT_TopologyDescription_Fingerprint_Args *args) {
  MR_PJRT_NEED(args, fingerprint);
  MR_PJRT_NONNULL(args, topology);
  char *bytes;
  size_t size;
  MR_PJRT_TRY(serialize(args->topology, &bytes, &size));
  args->fingerprint = mr_hash64(bytes, size, 0);
  mr_free(bytes);
  return NULL;
}

PJRT_Error *
mr_pjrt_TopologyDescription_GetMemorySpaceKindIds(PJRT_TopologyDescription_GetMemorySpaceKindIds_Args *args) {
  MR_PJRT_NEED(args, num_memory_space_kind_ids);
  MR_PJRT_NONNULL(args, topology);
  args->memory_space_kind_ids = mr_pjrt_memory_kind_ids;
  args->num_memory_space_kind_ids = MR_MEMORY_KINDS;
  return NULL;
}

// ---- Canonical shapes ---------------------------------------------------------------------------------------------------------

static void delete_shape(const char *bytes) { mr_free((char *)bytes); }

// Every memory holds dense arrays, row-major unless the host wants another order.
static mr_status canonical_shape(PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args *args) {
  mr_pjrt_shape shape;
  char *bytes;
  const int *ids = mr_pjrt_memory_kind_ids;
  if (args->memory_space_kind_id != ids[0] && args->memory_space_kind_id != ids[1] &&
      args->memory_space_kind_id != ids[2]) {
    return mr_error(MR_INVALID_ARGUMENT, "memory kind id %d, wanted %d, %d or %d", args->memory_space_kind_id, ids[0],
                    ids[1], ids[2]);
  }
  MR_TRY(mr_pjrt_shape_init(&shape, args->element_type, args->dims, args->num_dims, args->layout));
  const PJRT_Layouts_MemoryLayout *layout = shape.form ? shape.form->layout : mr_pjrt_layout_row_major(shape.rank);
  mr_status status = layout ? mr_pjrt_shape_serialize(mr_pjrt_ffi_dtype(shape.dtype), (mr_ints){shape.dims, shape.rank},
                                                      layout, &bytes, &args->serialized_shape_size)
                            : mr_error(MR_UNIMPLEMENTED, "a ShapeProto with strides that leave gaps");
  mr_pjrt_shape_deinit(&shape);
  MR_TRY(status);
  args->serialized_shape = bytes;
  args->serialized_shape_deleter = delete_shape;
  return MR_OK;
}

PJRT_Error *mr_pjrt_TopologyDescription_MakeCanonicalShapeForMemorySpace(
    PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args *args) {
  MR_PJRT_NEED(args, serialized_shape_deleter);
  MR_PJRT_NONNULL(args, topology);
  args->serialized_shape = NULL;
  MR_PJRT_TRY(canonical_shape(args));
  return NULL;
}
