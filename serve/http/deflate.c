// Answers that go compressed, and who wants them so.
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "serve/http/coding.h"

// Tensors hardly shrink: the fastest level gets nearly all that there is.
static const int LEVEL = 1;

struct sv_deflater {
  z_stream streams[SV_DEFLATE + 1];  // by sv_coding; made when first wanted
  bool made[SV_DEFLATE + 1];
};

sv_deflater *sv_deflater_create(void) { return calloc(1, sizeof(sv_deflater)); }

static bool begin(sv_deflater *deflater, sv_coding coding) {
  z_stream *stream = &deflater->streams[coding];
  if (deflater->made[coding]) {
    return deflateReset(stream) == Z_OK;
  }
  int window_bits = coding == SV_GZIP ? 15 + 16 : 15;  // as in inflate.c
  deflater->made[coding] = deflateInit2(stream, LEVEL, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) == Z_OK;
  return deflater->made[coding];
}

// One piece, in steps that zlib can count.
static bool add(z_stream *stream, const sv_piece *piece, bool last, sv_text *out) {
  const unsigned char *from = piece->data;
  size_t left = piece->size;
  do {
    uInt step = left < UINT_MAX / 2 ? (uInt)left : UINT_MAX / 2;
    left -= step;
    stream->next_in = (Bytef *)(uintptr_t)from;
    stream->avail_in = step;
    from = step ? from + step : from;
    int flush = last && !left ? Z_FINISH : Z_NO_FLUSH, result;
    do {
      size_t room = deflateBound(stream, stream->avail_in) + 64;
      room = room < UINT_MAX ? room : UINT_MAX;
      char *to = sv_text_room(out, room);
      if (!to) {
        return false;
      }
      stream->next_out = (Bytef *)to;
      stream->avail_out = (uInt)room;
      result = deflate(stream, flush);
      out->size += room - stream->avail_out;
      if (result == Z_STREAM_ERROR) {
        return false;
      }
    } while (stream->avail_in || (flush == Z_FINISH && result != Z_STREAM_END));
  } while (left);
  return true;
}

bool sv_deflate(sv_deflater *deflater, sv_coding coding, const sv_piece *pieces, size_t num_pieces, sv_text *out) {
  bool good = begin(deflater, coding);
  for (size_t i = 0; good && i < num_pieces; i++) {
    good = add(&deflater->streams[coding], &pieces[i], i + 1 == num_pieces, out);
  }
  return good && num_pieces;
}

void sv_deflater_release(sv_deflater *deflater) {
  if (deflater) {
    for (int coding = 0; coding <= SV_DEFLATE; coding++) {
      if (deflater->made[coding]) {
        deflateEnd(&deflater->streams[coding]);
      }
    }
    free(deflater);
  }
}

// ---- Accept-Encoding ------------------------------------------------------------------------------------------------

static sv_str trim(sv_str text) {
  while (text.size && (text.data[0] == ' ' || text.data[0] == '\t')) {
    text = (sv_str){text.data + 1, text.size - 1};
  }
  while (text.size && (text.data[text.size - 1] == ' ' || text.data[text.size - 1] == '\t')) {
    text.size--;
  }
  return text;
}

// What is in front of the separator; *rest is what is behind it.
static sv_str cut(sv_str *rest, char separator) {
  const char *at = rest->size ? memchr(rest->data, separator, rest->size) : NULL;
  sv_str part = {rest->data, at ? (size_t)(at - rest->data) : rest->size};
  *rest = at ? (sv_str){at + 1, rest->size - part.size - 1} : (sv_str){0};
  return trim(part);
}

// "q=0.5" in thousandths; 1000 without one, 0 for one that is none.
static int weight_of(sv_str parameters) {
  while (parameters.size) {
    sv_str parameter = cut(&parameters, ';');
    if (parameter.size < 2 || (parameter.data[0] | 0x20) != 'q' || parameter.data[1] != '=') {
      continue;
    }
    sv_str number = trim((sv_str){parameter.data + 2, parameter.size - 2});
    if (!number.size || number.size > 5 || number.data[0] < '0' || number.data[0] > '1' ||
        (number.size > 1 && number.data[1] != '.')) {
      return 0;
    }
    int weight = (number.data[0] - '0') * 1000, scale = 100;
    for (size_t i = 2; i < number.size; i++, scale /= 10) {
      if (number.data[i] < '0' || number.data[i] > '9') {
        return 0;
      }
      weight += (number.data[i] - '0') * scale;
    }
    return weight < 1000 ? weight : 1000;
  }
  return 1000;
}

sv_coding sv_accept_coding(sv_str accept_encoding) {
  int weights[SV_DEFLATE + 1] = {-1, -1, -1}, others = -1;  // -1: not named
  while (accept_encoding.size) {
    sv_str item = cut(&accept_encoding, ',');
    sv_str name = cut(&item, ';');
    int weight = weight_of(item);
    if (sv_str_is_nocase(name, "gzip") || sv_str_is_nocase(name, "x-gzip")) {
      weights[SV_GZIP] = weight;
    } else if (sv_str_is_nocase(name, "deflate")) {
      weights[SV_DEFLATE] = weight;
    } else if (sv_str_is_nocase(name, "identity")) {
      weights[SV_IDENTITY] = weight;
    } else if (sv_str_is(name, "*")) {
      others = weight;
    }
  }
  for (int i = SV_GZIP; i <= SV_DEFLATE; i++) {
    weights[i] = weights[i] < 0 ? others : weights[i];
  }
  // Identity that is not named suits, but less than anything that is.
  sv_coding best = weights[SV_GZIP] >= weights[SV_DEFLATE] ? SV_GZIP : SV_DEFLATE;
  return weights[best] > 0 && weights[best] >= weights[SV_IDENTITY] ? best : SV_IDENTITY;
}
