// Reads and writes topologies through protobuf-c.
#include "pjrt/proto/topology.h"

#include <string.h>

#include "pjrt/proto/message.h"
#include "pjrt/proto/topology.pb-c.h"

#define PLACES_TYPE "type.googleapis.com/xla.CpuTopologyProto"

// ---- Topologies -----------------------------------------------------------------------------------------------------

static mr_status keep_places(const Millrace__CpuTopology *proto, mr_arena *arena, mr_pjrt_topology_message *out) {
  out->count = proto->n_cpu_devices;
  out->devices = mr_arena_array(arena, mr_pjrt_topology_place, MR_MAX(out->count, 1));
  if (out->devices == NULL) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < out->count; i++) {
    const Millrace__CpuTopology__Device *device = proto->cpu_devices[i];
    out->devices[i] = (mr_pjrt_topology_place){device->process_index, device->local_hardware_id, device->slice_index};
  }
  return MR_OK;
}

static mr_status keep_topology(const Millrace__Topology *proto, mr_arena *arena, mr_pjrt_topology_message *out) {
  const Millrace__Any *any = proto->platform_specific_topology;
  if (any == NULL || strcmp(any->type_url, PLACES_TYPE) != 0) {
    return mr_error(MR_INVALID_ARGUMENT, "serialized topology of platform '%s': its devices are a '%s', wanted '%s'",
                    proto->platform_name, any ? any->type_url : "", PLACES_TYPE);
  }
  ProtobufCMessage *places;
  MR_TRY(mr_proto_unpack(&millrace__cpu_topology__descriptor, "devices of a topology",
                         (mr_span){any->value.data, any->value.len}, arena, &places));
  MR_TRY(keep_places((const Millrace__CpuTopology *)places, arena, out));
  out->platform_id = proto->platform_id;
  out->platform_name = proto->platform_name;
  out->platform_version = proto->platform_version;
  return MR_OK;
}

mr_status mr_pjrt_topology_parse(mr_span bytes, mr_arena *arena, mr_pjrt_topology_message *out) {
  ProtobufCMessage *message;
  MR_TRY(mr_proto_unpack(&millrace__topology__descriptor, "topology", bytes, arena, &message));
  return keep_topology((const Millrace__Topology *)message, arena, out);
}

static mr_status pack_places(const mr_pjrt_topology_message *message, char **out_bytes, size_t *out_size) {
  Millrace__CpuTopology proto = MILLRACE__CPU_TOPOLOGY__INIT;
  Millrace__CpuTopology__Device *devices = mr_alloc_zeroed(MR_MAX(message->count, 1), sizeof *devices);
  proto.cpu_devices = mr_alloc_zeroed(MR_MAX(message->count, 1), sizeof *proto.cpu_devices);
  proto.n_cpu_devices = message->count;
  mr_status status = devices && proto.cpu_devices ? MR_OK : MR_NO_MEMORY();
  for (size_t i = 0; !status && i < message->count; i++) {
    millrace__cpu_topology__device__init(&devices[i]);
    devices[i].process_index = message->devices[i].process;
    devices[i].local_hardware_id = message->devices[i].local_id;
    devices[i].slice_index = message->devices[i].slice;
    proto.cpu_devices[i] = &devices[i];
  }
  status = status ? status : mr_proto_pack(&proto.base, out_bytes, out_size);
  mr_free(proto.cpu_devices);
  mr_free(devices);
  return status;
}

mr_status mr_pjrt_topology_serialize(const mr_pjrt_topology_message *message, char **out_bytes, size_t *out_size) {
  char *places;
  size_t size;
  *out_bytes = NULL;
  *out_size = 0;
  MR_TRY(pack_places(message, &places, &size));
  Millrace__Any any = MILLRACE__ANY__INIT;
  any.type_url = (char *)PLACES_TYPE;
  any.value = (ProtobufCBinaryData){size, (uint8_t *)places};
  Millrace__Topology proto = MILLRACE__TOPOLOGY__INIT;
  proto.platform_id = message->platform_id;
  proto.platform_name = (char *)message->platform_name;
  proto.platform_version = (char *)message->platform_version;
  proto.platform_specific_topology = &any;
  mr_status status = mr_proto_pack(&proto.base, out_bytes, out_size);
  mr_free(places);
  return status;
}

// ---- Nodes ----------------------------------------------------------------------------------------------------------

mr_status mr_pjrt_node_parse(mr_span bytes, mr_arena *arena, mr_pjrt_node_message *out) {
  ProtobufCMessage *message;
  MR_TRY(mr_proto_unpack(&millrace__node__descriptor, "a process's topology", bytes, arena, &message));
  const Millrace__Node *proto = (const Millrace__Node *)message;
  *out = (mr_pjrt_node_message){.process = proto->process_index,
                                .nodes = proto->num_nodes,
                                .devices = proto->num_devices,
                                .slice = proto->slice_index,
                                .machine = proto->machine,
                                .version = proto->version};
  return MR_OK;
}

mr_status mr_pjrt_node_serialize(const mr_pjrt_node_message *message, char **out_bytes, size_t *out_size) {
  Millrace__Node proto = MILLRACE__NODE__INIT;
  proto.process_index = message->process;
  proto.num_nodes = message->nodes;
  proto.num_devices = message->devices;
  proto.slice_index = message->slice;
  proto.machine = (char *)message->machine;
  proto.version = (char *)message->version;
  return mr_proto_pack(&proto.base, out_bytes, out_size);
}
