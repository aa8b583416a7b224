#include "pjrt/proto/message.h"

static void proto_free(void *data, void *memory) {
  (void)data;
  mr_free(memory);
}
static ProtobufCAllocator freeing_allocator = {NULL, proto_free, NULL};

mr_status mr_proto_pack(const ProtobufCMessage *message, char **out_bytes, size_t *out_size) {
  *out_size = protobuf_c_message_get_packed_size(message);
  *out_bytes = mr_alloc(MR_MAX(*out_size, 1));
  if (*out_bytes == NULL) {
    return MR_NO_MEMORY();
  }
  protobuf_c_message_pack(message, (uint8_t *)*out_bytes);
  return MR_OK;
}

// Notes that there was no memory, which the library does not tell from bytes that are wrong.
static void *noting_alloc(void *data, size_t size) {
  void *memory = mr_alloc(size);
  *(bool *)data |= memory == NULL;
  return memory;
}

mr_status mr_proto_unpack(const ProtobufCMessageDescriptor *type, const char *what, mr_span bytes,
                          ProtobufCMessage **out) {
  bool short_of_memory = false;
  ProtobufCAllocator allocator = {noting_alloc, proto_free, &short_of_memory};
  *out = protobuf_c_message_unpack(type, &allocator, bytes.size, bytes.data);
  if (short_of_memory) {
    return MR_NO_MEMORY();
  }
  return *out ? MR_OK : mr_error(MR_INVALID_ARGUMENT, "%s: %zu bytes that are not a serialized one", what, bytes.size);
}

void mr_proto_free(ProtobufCMessage *message) { protobuf_c_message_free_unpacked(message, &freeing_allocator); }
