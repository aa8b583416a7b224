// Bodies that come compressed.
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "serve/http/coding.h"

struct sv_inflater {
  z_stream stream;
};

// zlib's windowBits: 15 is the largest window, 16 more says gzip's header and checksum.
static int window_bits(sv_coding coding) { return coding == SV_GZIP ? 15 + 16 : 15; }

sv_inflater *sv_inflater_create(sv_coding coding) {
  sv_inflater *inflater = calloc(1, sizeof *inflater);
  if (inflater && inflateInit2(&inflater->stream, window_bits(coding)) != Z_OK) {
    free(inflater);
    inflater = NULL;
  }
  return inflater;
}

sv_inflated sv_inflate(sv_inflater *inflater, sv_str in, size_t *out_taken, void *to, size_t room, size_t *out_made) {
  z_stream *stream = &inflater->stream;
  uInt in_size = in.size < UINT_MAX ? (uInt)in.size : UINT_MAX;
  uInt out_size = room < UINT_MAX ? (uInt)room : UINT_MAX;
  stream->next_in = (Bytef *)(uintptr_t)in.data;
  stream->avail_in = in_size;
  stream->next_out = to;
  stream->avail_out = out_size;
  int result = inflate(stream, Z_NO_FLUSH);
  *out_taken = in_size - stream->avail_in;
  *out_made = out_size - stream->avail_out;
  // Z_BUF_ERROR: nothing to do without more input or room.
  return result == Z_STREAM_END                    ? SV_INFLATED_END
         : result == Z_OK || result == Z_BUF_ERROR ? SV_INFLATED_MORE
                                                   : SV_INFLATED_BAD;
}

void sv_inflater_release(sv_inflater *inflater) {
  if (inflater) {
    inflateEnd(&inflater->stream);
    free(inflater);
  }
}
