// What all messages go through: protobuf-c with our allocator, so that allocation-failure tests reach it too. Private to
// pjrt/proto/.
//
// Threads: any. Ownership: what is unpacked lies in the arena given, with all that it points to, and nothing points into the bytes;
// what is packed goes back through mr_free.
//
//   ProtobufCMessage *message;
//   MR_TRY(mr_proto_unpack(&millrace__abi_version__descriptor, "ABI version", bytes, arena, &message));
//   ... ((const Millrace__AbiVersion *)message)->platform ...
#ifndef MR_PJRT_PROTO_MESSAGE_H
#define MR_PJRT_PROTO_MESSAGE_H

#include <protobuf-c/protobuf-c.h>

#include "core/core.h"

mr_status mr_proto_pack(const ProtobufCMessage *message, char **out_bytes, size_t *out_size) MR_WARN_UNUSED;
// INVALID_ARGUMENT, with `what`, for bytes that are none.
mr_status mr_proto_unpack(const ProtobufCMessageDescriptor *type, const char *what, mr_span bytes, mr_arena *arena,
                          ProtobufCMessage **out) MR_WARN_UNUSED;

#endif
