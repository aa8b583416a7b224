// Topologies: what is known about devices without a client.
#include <stdio.h>
#include <string.h>

#include "compiler/codegen/codegen.h"
#include "pjrt/ffi.h"
#include "pjrt/objects.h"
#include "pjrt/proto/options.h"

// ---- Lifecycle ----------------------------------------------------------------------------------------------------------

static void describe(PJRT_DeviceDescription *description, int id) {
  description->id = id;
  description->process_index = 0;
  snprintf(description->debug_string, sizeof description->debug_string, "MILLRACE_%d", id);
  snprintf(description->to_string, sizeof description->to_string, "MillraceDevice(id=%d)", id);
}

mr_status mr_pjrt_topology_create(mr_str platform_name, size_t count, PJRT_TopologyDescription **out) {
  *out = NULL;
  PJRT_TopologyDescription *topology = mr_alloc_zeroed(1, sizeof *topology);
  if (topology == NULL) {
    return MR_NO_MEMORY();
  }
  topology->descriptions = mr_alloc_zeroed(count, sizeof *topology->descriptions);
  topology->description_list = mr_alloc_zeroed(count, sizeof *topology->description_list);
  if (!topology->descriptions || !topology->description_list || platform_name.size >= MR_PJRT_NAME_SIZE) {
    mr_pjrt_topology_release(topology);
    return MR_NO_MEMORY();
  }
  memcpy(topology->platform_name, platform_name.data, platform_name.size);
  topology->platform_name_size = platform_name.size;
  for (size_t i = 0; i < count; i++) {
    describe(&topology->descriptions[i], (int)i);
    topology->description_list[i] = &topology->descriptions[i];
  }
  topology->count = count;
  *out = topology;
  return MR_OK;
}

void mr_pjrt_topology_release(PJRT_TopologyDescription *topology) {
  if (topology) {
    mr_free(topology->description_list);
    mr_free(topology->descriptions);
    mr_free(topology);
  }
}

static char platform_version[sizeof(MR_PJRT_PLATFORM_VERSION) + 32];
static pthread_once_t platform_version_once = PTHREAD_ONCE_INIT;

static void write_platform_version(void) {
  snprintf(platform_version, sizeof platform_version, MR_PJRT_PLATFORM_VERSION " (build %016llx)",
           (unsigned long long)mr_codegen_identity().low);
}

mr_str mr_pjrt_platform_version(void) {
  pthread_once(&platform_version_once, write_platform_version);
  return mr_str_of(platform_version);
}

// "millrace 0.1.0;cpu;8": version, platform name and number of devices say everything there is.
static int topology_text(const PJRT_TopologyDescription *topology, char *text, size_t size) {
  return snprintf(text, size, MR_PJRT_PLATFORM_VERSION ";%s;%zu", topology->platform_name, topology->count);
}
enum { TOPOLOGY_TEXT_SIZE = MR_PJRT_NAME_SIZE + sizeof(MR_PJRT_PLATFORM_VERSION) + 24, MAX_DEVICES = 1024 };

static mr_status topology_of_text(mr_str text, PJRT_TopologyDescription **out) {
  mr_str head = MR_STR(MR_PJRT_PLATFORM_VERSION ";");
  char copy[TOPOLOGY_TEXT_SIZE], name[MR_PJRT_NAME_SIZE];
  size_t count;
  if (text.size < sizeof copy && mr_str_starts_with(text, head)) {
    memcpy(copy, text.data + head.size, text.size - head.size);
    copy[text.size - head.size] = 0;
    if (sscanf(copy, "%47[^;];%zu", name, &count) == 2 && count >= 1 && count <= MAX_DEVICES) {
      return mr_pjrt_topology_create(mr_str_of(name), count, out);
    }
  }
  return mr_error(MR_INVALID_ARGUMENT, "serialized topology of %zu bytes is not one of " MR_PJRT_PLATFORM_VERSION,
                  text.size);
}

// ---- Slots ----------------------------------------------------------------------------------------------------------------

static mr_status create_named(const PJRT_NamedValue *values, size_t count, PJRT_TopologyDescription **out) {
  mr_pjrt_create_options options;
  MR_TRY(mr_pjrt_create_options_read(values, count, &options));
  return mr_pjrt_topology_create(mr_str_of(options.platform_name), MR_MAX(options.num_devices, 1), out);
}

PJRT_Error *mr_pjrt_TopologyDescription_Create(PJRT_TopologyDescription_Create_Args *args) {
  MR_PJRT_NEED(args, topology);
  args->topology = NULL;
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

PJRT_Error *mr_pjrt_TopologyDescription_PlatformVersion(PJRT_TopologyDescription_PlatformVersion_Args *args) {
  MR_PJRT_NEED(args, platform_version_size);
  mr_str version = mr_pjrt_platform_version();
  args->platform_version = version.data;
  args->platform_version_size = version.size;
  return NULL;
}

MR_PJRT_GETTER(TopologyDescription_GetDeviceDescriptions, topology, num_descriptions,
               args->descriptions = args->topology->description_list;
               args->num_descriptions = args->topology->count)

static void delete_serialized(PJRT_SerializedTopology *serialized) { mr_free(serialized); }

PJRT_Error *mr_pjrt_TopologyDescription_Serialize(PJRT_TopologyDescription_Serialize_Args *args) {
  MR_PJRT_NEED(args, serialized_topology_deleter);
  MR_PJRT_NONNULL(args, topology);
  char *text = mr_alloc(TOPOLOGY_TEXT_SIZE);
  if (text == NULL) {
    return mr_pjrt_error(MR_NO_MEMORY());
  }
  args->serialized_bytes_size = (size_t)topology_text(args->topology, text, TOPOLOGY_TEXT_SIZE);
  args->serialized_bytes = text;
  args->serialized_topology = (PJRT_SerializedTopology *)text;
  args->serialized_topology_deleter = delete_serialized;
  return NULL;
}

PJRT_Error *mr_pjrt_TopologyDescription_Deserialize(PJRT_TopologyDescription_Deserialize_Args *args) {
  MR_PJRT_NEED(args, topology);
  args->topology = NULL;
  MR_PJRT_TRY(topology_of_text((mr_str){args->serialized_topology, args->serialized_topology_size}, &args->topology));
  return NULL;
}

PJRT_Error *mr_pjrt_TopologyDescription_Attributes(PJRT_TopologyDescription_Attributes_Args *args) {
  MR_PJRT_NEED(args, num_attributes);
  args->attributes = NULL;
  args->num_attributes = 0;
  return NULL;
}

PJRT_Error *mr_pjrt_TopologyDescription_Fingerprint(PJRT_TopologyDescription_Fingerprint_Args *args) {
  MR_PJRT_NEED(args, fingerprint);
  MR_PJRT_NONNULL(args, topology);
  char text[TOPOLOGY_TEXT_SIZE];
  args->fingerprint = mr_hash64(text, (size_t)topology_text(args->topology, text, sizeof text), 0);
  return NULL;
}

PJRT_Error *
mr_pjrt_TopologyDescription_GetMemorySpaceKindIds(PJRT_TopologyDescription_GetMemorySpaceKindIds_Args *args) {
  static const int ids[MR_MEMORY_KINDS] = {MR_MEMORY_DEVICE, MR_MEMORY_PINNED_HOST, MR_MEMORY_UNPINNED_HOST};
  MR_PJRT_NEED(args, num_memory_space_kind_ids);
  args->memory_space_kind_ids = ids;
  args->num_memory_space_kind_ids = MR_MEMORY_KINDS;
  return NULL;
}

// ---- Canonical shapes ---------------------------------------------------------------------------------------------------------

static void delete_shape(const char *bytes) { mr_free((char *)bytes); }

// Every memory holds dense arrays, row-major unless the host wants another order.
static mr_status canonical_shape(PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args *args) {
  mr_pjrt_shape shape;
  char *bytes;
  if (args->memory_space_kind_id < 0 || args->memory_space_kind_id >= MR_MEMORY_KINDS) {
    return mr_error(MR_INVALID_ARGUMENT, "memory kind id %d, wanted 0 to %d", args->memory_space_kind_id,
                    MR_MEMORY_KINDS - 1);
  }
  MR_TRY(mr_pjrt_shape_init(&shape, args->element_type, args->dims, args->num_dims, args->layout));
  mr_ints order = mr_pjrt_layout_order(shape.form ? shape.form->layout : mr_pjrt_layout_row_major(shape.rank));
  mr_status status = mr_pjrt_shape_serialize(mr_pjrt_ffi_dtype(shape.dtype), (mr_ints){args->dims, args->num_dims},
                                             order, &bytes, &args->serialized_shape_size);
  mr_pjrt_shape_deinit(&shape);
  MR_TRY(status);
  args->serialized_shape = bytes;
  args->serialized_shape_deleter = delete_shape;
  return MR_OK;
}

PJRT_Error *mr_pjrt_TopologyDescription_MakeCanonicalShapeForMemorySpace(
    PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args *args) {
  MR_PJRT_NEED(args, serialized_shape_deleter);
  args->serialized_shape = NULL;
  MR_PJRT_TRY(canonical_shape(args));
  return NULL;
}
