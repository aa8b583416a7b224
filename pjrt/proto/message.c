#include "pjrt/proto/message.h"

mr_status mr_proto_pack(const ProtobufCMessage *message, char **out_bytes, size_t *out_size) {
  *out_size = protobuf_c_message_get_packed_size(message);
  *out_bytes = mr_alloc(MR_MAX(*out_size, 1));
  if (*out_bytes == NULL) {
    return MR_NO_MEMORY();
  }
  protobuf_c_message_pack(message, (uint8_t *)*out_bytes);
  return MR_OK;
}

// Where a message lies. A host's compile options have some 240 fields that nobody here knows, and protobuf-c copies each into a block
// of its own: taken from malloc they were a sixth of the instructions of a compilation whose kernels are in the cache.
typedef struct place {
  mr_arena *arena;
  bool full;  // which the library does not tell from bytes that are wrong
} place;

static void *take(void *data, size_t size) {
  place *in = data;
  void *memory = mr_arena_alloc(in->arena, size);
  in->full |= memory == NULL;
  return memory;
}
static void leave(void *data, void *memory) {
  (void)data;
  (void)memory;
}

mr_status mr_proto_unpack(const ProtobufCMessageDescriptor *type, const char *what, mr_span bytes, mr_arena *arena,
                          ProtobufCMessage **out) {
  place in = {arena, false};
  ProtobufCAllocator allocator = {take, leave, &in};
  *out = protobuf_c_message_unpack(type, &allocator, bytes.size, bytes.data);
  if (in.full) {
    return MR_NO_MEMORY();
  }
  return *out ? MR_OK : mr_error(MR_INVALID_ARGUMENT, "%s: %zu bytes that are not a serialized one", what, bytes.size);
}
