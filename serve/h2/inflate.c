// Compressed messages: gzip and deflate, into a block that grows up to a limit.
#include <string.h>
#include <zlib.h>

#include "serve/h2/internal.h"

// Room of the first try: most messages inflate to a few times their size.
static size_t first_room(size_t size, size_t most) {
  size_t room = size < 16 * 1024 ? 64 * 1024 : size * 4;
  return room < most ? room : most;
}

// More room, with what is there. Room beyond `most` is one byte, which tells too large from just fitting.
static sv_block *grow(sv_block *take_block, size_t used, size_t most) {
  size_t room = take_block->size < most / 2 ? take_block->size * 2 : most + 1;
  sv_block *block = sv_block_create(room);
  if (block) {
    memcpy(block->data, take_block->data, used);
  }
  sv_block_release(take_block);
  return block;
}

static sv_error *failure(int result, size_t most) {
  if (result == Z_MEM_ERROR) {
    return sv_no_memory();
  }
  if (result == Z_OK) {
    return sv_errorf(MILLRACE_RESOURCE_EXHAUSTED, "the message has more than %zu bytes when it is inflated", most);
  }
  return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the message cannot be inflated as its grpc-encoding says");
}

static int run(z_stream *stream, sv_block **block, size_t most) {
  for (;;) {
    size_t used = stream->total_out;
    stream->next_out = (*block)->data + used;
    size_t room = (*block)->size - used;
    stream->avail_out = room > UINT32_MAX ? UINT32_MAX : (uInt)room;
    int result = inflate(stream, Z_NO_FLUSH);
    if (result != Z_OK || stream->avail_out) {
      // Input that is used up before the end, with room left, is cut off.
      return result == Z_OK ? Z_DATA_ERROR : result;
    }
    if (stream->total_out > most) {
      return Z_OK;
    }
    if (stream->total_out == (*block)->size && !(*block = grow(*block, stream->total_out, most))) {
      return Z_MEM_ERROR;
    }
  }
}

sv_error *sv_h2_inflate(sv_h2_encoding encoding, const unsigned char *from, size_t size, size_t most,
                        sv_block **out_block, size_t *out_size) {
  *out_block = NULL;
  z_stream stream = {.next_in = (Bytef *)(uintptr_t)from, .avail_in = (uInt)size};
  if (size > UINT32_MAX || inflateInit2(&stream, encoding == SV_H2_GZIP ? 15 + 16 : 15) != Z_OK) {
    return sv_no_memory();
  }
  size_t room = first_room(size, most);
  sv_block *block = sv_block_create(room ? room : 1);
  int result = block ? run(&stream, &block, most) : Z_MEM_ERROR;
  *out_size = stream.total_out;
  bool left_over = stream.avail_in > 0;
  inflateEnd(&stream);
  if (result != Z_STREAM_END || left_over || *out_size > most) {
    sv_block_release(block);
    return failure(result == Z_STREAM_END ? (*out_size > most ? Z_OK : Z_DATA_ERROR) : result, most);
  }
  *out_block = block;
  return NULL;
}
