// Inside http/: gzip (RFC 1952) and deflate (zlib's format, RFC 1950) by zlib.
#ifndef SV_HTTP_CODING_H
#define SV_HTTP_CODING_H

#include "serve/http/parser.h"

typedef struct sv_inflater sv_inflater;

typedef enum sv_inflated { SV_INFLATED_MORE, SV_INFLATED_END, SV_INFLATED_BAD } sv_inflated;

sv_inflater *sv_inflater_create(sv_coding coding);  // NULL without memory
// MORE: all input was taken, or all room was used. END: the stream is complete. Both amounts are told.
sv_inflated sv_inflate(sv_inflater *inflater, sv_str in, size_t *out_taken, void *to, size_t room, size_t *out_made);
void sv_inflater_release(sv_inflater *inflater);

typedef struct sv_deflater sv_deflater;  // both codings; keeps zlib's memory from one answer to the next

sv_deflater *sv_deflater_create(void);
// False without memory; `out` is then of no use.
bool sv_deflate(sv_deflater *deflater, sv_coding coding, const sv_piece *pieces, size_t num_pieces, sv_text *out);
void sv_deflater_release(sv_deflater *deflater);

#endif
