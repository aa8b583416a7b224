// Topologies as bytes, and what processes tell each other about theirs, as plain C. protobuf-c stays inside this folder.
//
// Threads: plain data. Ownership: what is parsed lies in the caller's arena; what is serialized is freed with mr_free.
//
//   mr_pjrt_topology_message message;
//   MR_TRY(mr_pjrt_topology_parse(bytes, &arena, &message));
//   for (size_t i = 0; i < message.count; i++) ... message.devices[i].process ...
#ifndef MR_PJRT_PROTO_TOPOLOGY_H
#define MR_PJRT_PROTO_TOPOLOGY_H

#include "core/core.h"

typedef struct mr_pjrt_topology_place {
  int32_t process, local_id, slice;
} mr_pjrt_topology_place;

typedef struct mr_pjrt_topology_message {
  uint64_t platform_id;
  const char *platform_name, *platform_version;
  mr_pjrt_topology_place *devices;  // by global id
  size_t count;
} mr_pjrt_topology_message;
mr_status mr_pjrt_topology_parse(mr_span bytes, mr_arena *arena, mr_pjrt_topology_message *out) MR_WARN_UNUSED;
mr_status mr_pjrt_topology_serialize(const mr_pjrt_topology_message *message, char **out_bytes,
                                     size_t *out_size) MR_WARN_UNUSED;

// A process of a run, in its own words.
typedef struct mr_pjrt_node_message {
  int32_t process, nodes, devices;
  int32_t slice;  // -1: not said
  const char *machine, *version;
} mr_pjrt_node_message;
mr_status mr_pjrt_node_parse(mr_span bytes, mr_arena *arena, mr_pjrt_node_message *out) MR_WARN_UNUSED;
mr_status mr_pjrt_node_serialize(const mr_pjrt_node_message *message, char **out_bytes,
                                 size_t *out_size) MR_WARN_UNUSED;

#endif
