// How arrays lie over devices, between mr_tile_sharding and the serialized OpSharding that crosses the ABI.
//
// Threads: plain data. Ownership: bytes that are packed go back through mr_free; what is unpacked is in the arena given and
// points nowhere else.
//
//   MR_TRY(mr_pjrt_sharding_pack(port->tiles, &bytes, &size));
#ifndef MR_PJRT_PROTO_SHARDING_H
#define MR_PJRT_PROTO_SHARDING_H

#include "compiler/compiler.h"

// NULL is as good as replicated, which has no bytes.
mr_status mr_pjrt_sharding_pack(const mr_tile_sharding *tiles, char **out_bytes, size_t *out_size) MR_WARN_UNUSED;
// The sharding of a tuple.
mr_status mr_pjrt_sharding_pack_tuple(const mr_tile_sharding *const *tiles, size_t count, char **out_bytes,
                                      size_t *out_size) MR_WARN_UNUSED;
// The shardings of `count` arrays: of a tuple of so many, or of the only one. INVALID_ARGUMENT for other bytes.
mr_status mr_pjrt_sharding_unpack(mr_span bytes, size_t count, mr_arena *arena,
                                  mr_tile_sharding *out_tiles) MR_WARN_UNUSED;

#endif
