// What all rooms of the server share: text with a length, errors, growing text, counted memory, time.
//
// Threads: nothing here is shared between threads but blocks, which are counted with atomics.
// Errors: NULL is success; anything else belongs to the receiver, who passes it on or frees it.
#ifndef SV_BASE_H
#define SV_BASE_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "millrace/millrace.h"

// ---- Text -----------------------------------------------------------------------------------------------------------

// Borrowed, not ended by a NUL.
typedef struct sv_str {
  const char *data;
  size_t size;
} sv_str;

#define SV_STR(literal) ((sv_str){"" literal, sizeof(literal) - 1})
#define SV_FMT(text) (int)(text).size, (text).data  // for "%.*s"

sv_str sv_str_of(const char *text);  // NULL: empty
bool sv_str_equal(sv_str a, sv_str b);
bool sv_str_is(sv_str a, const char *b);
bool sv_str_is_nocase(sv_str a, const char *b);  // ASCII letters alone
bool sv_str_begins(sv_str a, const char *b);
// Ends with a NUL; freed with free(). NULL without memory.
char *sv_str_copy(sv_str text);
// All of it is decimal digits, at least one, and the number is at most `most`.
bool sv_str_number(sv_str text, uint64_t most, uint64_t *out_number);
bool sv_str_is_utf8(sv_str text);

// Text that grows. Without memory it stays as it is and says `failed` from there on, so that only the end has to look.
typedef struct sv_text {
  char *data;  // not ended by a NUL
  size_t size, capacity;
  bool failed;
} sv_text;

void sv_text_add(sv_text *text, const void *bytes, size_t size);
void sv_text_add_str(sv_text *text, sv_str more);
void sv_text_puts(sv_text *text, const char *more);
void sv_text_putc(sv_text *text, char c);
void sv_text_addf(sv_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sv_text_add_uint(sv_text *text, uint64_t number);  // decimal
void sv_text_add_int(sv_text *text, int64_t number);
// Room for `size` more bytes, which the caller writes and then adds to text->size. NULL without memory.
char *sv_text_room(sv_text *text, size_t size);
void sv_text_clear(sv_text *text);  // keeps the memory
void sv_text_free(sv_text *text);
sv_str sv_text_str(const sv_text *text);

// ---- Errors ---------------------------------------------------------------------------------------------------------

// The engine's codes (gRPC's numbers).
typedef struct sv_error sv_error;

// Never NULL: without memory it is one that says so.
sv_error *sv_errorf(millrace_code code, const char *format, ...)
    __attribute__((format(printf, 2, 3), warn_unused_result));
// Of the engine's error, which is taken; NULL stays NULL.
sv_error *sv_error_of(millrace_error *take_error) __attribute__((warn_unused_result));
sv_error *sv_error_copy(const sv_error *error) __attribute__((warn_unused_result));
millrace_code sv_error_code(const sv_error *error);   // MILLRACE_OK for NULL
const char *sv_error_message(const sv_error *error);  // "" for NULL
void sv_error_free(sv_error *error);
sv_error *sv_no_memory(void) __attribute__((warn_unused_result));

#define SV_TRY(expression)                 \
  do {                                     \
    sv_error *sv_try_error = (expression); \
    if (sv_try_error) {                    \
      return sv_try_error;                 \
    }                                      \
  } while (0)

// ---- Memory ---------------------------------------------------------------------------------------------------------

#define SV_ALIGNMENT ((size_t)64)  // where the engine uses arrays without a copy

// Counted memory that begins on 64 bytes.
typedef struct sv_block {
  _Atomic(uint32_t) references;
  size_t size;  // usable bytes
  unsigned char *data;
} sv_block;

sv_block *sv_block_create(size_t size);  // NULL without memory; content is undefined
sv_block *sv_block_retain(sv_block *block);
void sv_block_release(sv_block *block);  // NULL is fine

// A stretch of memory to be written out.
typedef struct sv_piece {
  const void *data;
  size_t size;
} sv_piece;

// ---- Time -----------------------------------------------------------------------------------------------------------

uint64_t sv_now_ns(void);   // monotonic
uint64_t sv_wall_ms(void);  // since 1970, UTC
// "2026-11-30T21:20:00.123Z", 24 characters and a NUL.
void sv_wall_text(uint64_t wall_ms, char out[25]);

// ---- Tensors --------------------------------------------------------------------------------------------------------

#define SV_MAX_RANK 16

// Dense, row major, little endian. The memory is borrowed.
typedef struct sv_tensor {
  millrace_dtype dtype;
  uint32_t rank;
  int64_t dims[SV_MAX_RANK];
  const void *data;
  size_t bytes;
} sv_tensor;

// The Open Inference Protocol's names: "FP32", "BOOL". NULL for a type that the protocol has no name for; MILLRACE_INVALID for an unknown name
// (BYTES too: no program has texts).
const char *sv_datatype_name(millrace_dtype dtype);
millrace_dtype sv_datatype_parse(sv_str name);
// Those of Triton's model configuration: "TYPE_FP32", and its number (1 to 14); NULL and 0 for what has none.
const char *sv_config_type_name(millrace_dtype dtype);
uint32_t sv_config_type_number(millrace_dtype dtype);
millrace_dtype sv_config_type_parse(sv_str name);
// The product of dims times the size of an element. False when a dim is negative or the product does not fit.
bool sv_tensor_bytes(millrace_dtype dtype, const int64_t *dims, uint32_t rank, size_t *out_bytes);
// "[2,3]"
void sv_text_add_shape(sv_text *text, const int64_t *dims, uint32_t rank);

#endif
