// core: statuses, memory, strings, element types and shapes. Nothing here knows what a tensor program is.
//
// Threads: every function may be called from any thread; an object that is not atomic belongs to one thread at a time.
// Errors: a fallible call returns a mr_status, MR_OK (NULL) or an owned error that the caller frees or returns.
//
//   mr_status load(mr_span bytes, thing **out_thing) {
//     *out_thing = NULL;
//     MR_TRY(check_magic(bytes));
//     if (bytes.size < 16)
//       return mr_error(MR_INVALID_ARGUMENT, "program has %zu bytes, wanted at least 16", bytes.size);
//     ...
//   }
#ifndef MR_CORE_CORE_H
#define MR_CORE_CORE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_WARN_UNUSED __attribute__((warn_unused_result))
#define MR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define MR_LIKELY(x) __builtin_expect(!!(x), 1)
#define MR_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define MR_ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MR_CONTAINER_OF(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define MR_MIN(a, b) ((a) < (b) ? (a) : (b))
#define MR_MAX(a, b) ((a) > (b) ? (a) : (b))
#define MR_CACHE_LINE 64

// ---- Status -------------------------------------------------------------------------------------------------------

typedef enum mr_code {
#define STATUS(name, number) MR_##name##_CODE = number,
#include "core/status.def"
} mr_code;

#define MR_CANCELLED MR_CANCELLED_CODE
#define MR_UNKNOWN MR_UNKNOWN_CODE
#define MR_INVALID_ARGUMENT MR_INVALID_ARGUMENT_CODE
#define MR_DEADLINE_EXCEEDED MR_DEADLINE_EXCEEDED_CODE
#define MR_NOT_FOUND MR_NOT_FOUND_CODE
#define MR_ALREADY_EXISTS MR_ALREADY_EXISTS_CODE
#define MR_PERMISSION_DENIED MR_PERMISSION_DENIED_CODE
#define MR_RESOURCE_EXHAUSTED MR_RESOURCE_EXHAUSTED_CODE
#define MR_FAILED_PRECONDITION MR_FAILED_PRECONDITION_CODE
#define MR_ABORTED MR_ABORTED_CODE
#define MR_OUT_OF_RANGE MR_OUT_OF_RANGE_CODE
#define MR_UNIMPLEMENTED MR_UNIMPLEMENTED_CODE
#define MR_INTERNAL MR_INTERNAL_CODE
#define MR_UNAVAILABLE MR_UNAVAILABLE_CODE
#define MR_DATA_LOSS MR_DATA_LOSS_CODE
#define MR_UNAUTHENTICATED MR_UNAUTHENTICATED_CODE

// NULL is OK; anything else is an owned, immutable, atomically counted error (code, message, place).
typedef struct mr_status_rep *mr_status;
#define MR_OK ((mr_status)0)

// Creates an error. When memory is short a static RESOURCE_EXHAUSTED error is returned instead; never NULL.
#define mr_error(code, ...) mr_error_at((code), __FILE__, __LINE__, __VA_ARGS__)
mr_status mr_error_at(mr_code code, const char *file, int line, const char *format, ...) MR_PRINTF(4, 5) MR_WARN_UNUSED
    __attribute__((returns_nonnull));
// The same error with ": " and a note in front of its message; consumes `take_status`. OK stays OK.
mr_status mr_status_note(mr_status take_status, const char *format, ...) MR_PRINTF(2, 3) MR_WARN_UNUSED;
// One more owner of the same error (OK gives OK).
mr_status mr_status_retain(mr_status status) MR_WARN_UNUSED;
void mr_status_free(mr_status status);
// First error wins: returns `take_first` unless it is OK; the other is freed.
mr_status mr_status_join(mr_status take_first, mr_status take_second) MR_WARN_UNUSED;
mr_code mr_status_code(mr_status status);
// NUL-terminated, alive as long as the status; "" for OK.
const char *mr_status_message(mr_status status);
const char *mr_status_file(mr_status status);
int mr_status_line(mr_status status);
const char *mr_status_code_name(mr_code code);

#define MR_TRY(call)                            \
  do {                                          \
    mr_status mr_try_status_ = (call);          \
    if (MR_UNLIKELY(mr_try_status_ != MR_OK)) { \
      return mr_try_status_;                    \
    }                                           \
  } while (0)

// ---- Strings and spans ----------------------------------------------------------------------------------------------

typedef struct mr_str {
  const char *data;  // not NUL-terminated by contract
  size_t size;
} mr_str;

// Attaches a value by a name, for programs that read errors; both are copied. Only the function that made the status may, before
// it hands the status on. Without memory the status stays as it was. Notes keep payloads.
mr_status mr_status_with_payload(mr_status take_status, mr_str key, mr_str value) MR_WARN_UNUSED;
// The payload of this number, borrowed from the status; false when there are not so many.
bool mr_status_payload(mr_status status, size_t index, mr_str *out_key, mr_str *out_value);
typedef struct mr_span {
  const void *data;
  size_t size;  // bytes
} mr_span;
typedef struct mr_ints {
  const int64_t *data;
  size_t size;  // elements
} mr_ints;

#define MR_STR(literal) ((mr_str){(literal), sizeof(literal) - 1})
#define MR_STR_ARG(s) (int)(s).size, (s).data  // for "%.*s"
mr_str mr_str_of(const char *nul_terminated);
bool mr_str_equal(mr_str a, mr_str b);
bool mr_str_is(mr_str a, const char *nul_terminated);
// 0 to 15, of either case; -1: it is none.
int mr_hex_digit(char c);
bool mr_str_starts_with(mr_str a, mr_str prefix);

// A growing text buffer. Without memory `failed` is set and stays: the function that hands the text on looks at it.
typedef struct mr_text {
  char *data;
  size_t size, capacity;
  bool failed;
} mr_text;
void mr_text_put(mr_text *text, const char *format, ...) MR_PRINTF(2, 3);
void mr_text_append(mr_text *text, mr_str piece);
void mr_text_deinit(mr_text *text);

// ---- Memory ---------------------------------------------------------------------------------------------------------

// All heap memory that we ask for ourselves goes through these, so that a test can make the Nth allocation fail; what packages
// take (LLVM, oneDNN, liburcu, ...) does not. NULL when memory is short.
void *mr_alloc(size_t size) MR_WARN_UNUSED;
void *mr_alloc_zeroed(size_t count, size_t size) MR_WARN_UNUSED;
void *mr_alloc_error(size_t size) MR_WARN_UNUSED;  // for statuses
void *mr_realloc(void *old, size_t size) MR_WARN_UNUSED;
void *mr_alloc_aligned(size_t alignment, size_t size) MR_WARN_UNUSED;
void mr_free(void *memory);  // also for aligned; NULL is fine
// Tests: the nth allocation from now on in this process fails (0: none), or it and every later one. Return how many were
// made since the last call. While one is to fail, and in builds with asserts, what arenas and pools hand out of larger blocks
// counts as well.
uint64_t mr_alloc_fail_nth(uint64_t nth);
uint64_t mr_alloc_fail_from(uint64_t nth);
// Whether statuses always get their memory, so that each has its own code and text.
void mr_alloc_spare_errors(bool spare);
// Blocks made and not yet freed since the first call of those two, less the older ones that were freed; and how many
// allocations they have made to fail.
int64_t mr_alloc_live(void);
uint64_t mr_alloc_failed(void);
// Return addresses of the calls that failed so, each once; and who called when the last one that was asked for failed. None in
// builds without asserts. Return how many.
size_t mr_alloc_failed_places(void **out_places, size_t room);
size_t mr_alloc_failed_callers(void *const **out_frames);
// For what hands out parts of larger blocks: whether the one that `place` asks for succeeds, as far as tests are concerned.
// By the macro, which costs a build without asserts nothing.
bool mr_alloc_part_succeeds(void *place);
#define MR_CALLER() __builtin_extract_return_addr(__builtin_return_address(0))
#ifdef NDEBUG
#define MR_PART_SUCCEEDS(place) ((void)(place), true)
#else
#define MR_PART_SUCCEEDS(place) mr_alloc_part_succeeds(place)
#endif

// Bump arena: frees everything at once. Not thread-safe. Memory is zeroed. Over `limit` bytes (0: none) it fails.
typedef struct mr_arena_chunk mr_arena_chunk;
typedef struct mr_arena {
  mr_arena_chunk *chunk;
  char *next, *end;
  size_t used, limit;
} mr_arena;
void mr_arena_init(mr_arena *arena, size_t limit);
void mr_arena_deinit(mr_arena *arena);
// All that was taken is gone, but the newest chunk, the largest, is kept for what comes: no allocation in the long run.
void mr_arena_reset(mr_arena *arena);
// 16-byte aligned and zeroed; NULL when memory is short or the limit is passed.
void *mr_arena_alloc(mr_arena *arena, size_t size) MR_WARN_UNUSED;
void *mr_arena_copy(mr_arena *arena, const void *data, size_t size) MR_WARN_UNUSED;
mr_str mr_arena_str(mr_arena *arena, mr_str text);
#define mr_arena_new(arena, type) ((type *)mr_arena_alloc((arena), sizeof(type)))
#define mr_arena_array(arena, type, count) ((type *)mr_arena_alloc((arena), sizeof(type) * (size_t)(count)))
#define MR_NO_MEMORY() mr_error(MR_RESOURCE_EXHAUSTED, "out of memory")

// ---- Time, hashing, environment ---------------------------------------------------------------------------------------

uint64_t mr_now_ns(void);  // monotonic
// A 64-bit hash for tables, not against attackers; and a 128-bit content hash for the kernel cache.
uint64_t mr_hash64(const void *data, size_t size, uint64_t seed);
typedef struct mr_hash128 {
  uint64_t low, high;
} mr_hash128;
mr_hash128 mr_hash128_of(const void *data, size_t size, mr_hash128 seed);
// Integer environment variable MILLRACE_<name>, or `fallback` when unset; out-of-range or malformed values are an error.
mr_status mr_env_int(const char *name, int64_t fallback, int64_t min, int64_t max, int64_t *out_value) MR_WARN_UNUSED;

// ---- Element types and shapes ------------------------------------------------------------------------------------------

typedef enum mr_dtype {
#define DTYPE(name, number, spelling, bits, bytes, class) MR_##name = number,
#include "core/dtype.def"
  MR_DTYPE_COUNT = 34
} mr_dtype;

typedef enum mr_dtype_class {
  MR_CLASS_NONE,
  MR_CLASS_BOOL,
  MR_CLASS_SIGNED,
  MR_CLASS_UNSIGNED,
  MR_CLASS_FLOAT,
  MR_CLASS_COMPLEX,
} mr_dtype_class;

typedef struct mr_dtype_info {
  const char *spelling;  // MLIR
  uint8_t bits, bytes;
  mr_dtype_class dtype_class;
} mr_dtype_info;
extern const mr_dtype_info mr_dtype_table[MR_DTYPE_COUNT];

static inline size_t mr_dtype_bytes(mr_dtype dtype) { return mr_dtype_table[dtype].bytes; }
static inline unsigned mr_dtype_bits(mr_dtype dtype) { return mr_dtype_table[dtype].bits; }
static inline mr_dtype_class mr_dtype_class_of(mr_dtype dtype) { return mr_dtype_table[dtype].dtype_class; }
static inline const char *mr_dtype_name(mr_dtype dtype) { return mr_dtype_table[dtype].spelling; }
// Memory has the bits of what is narrower than a byte below zeros, as hosts do; kernels compute with its sign above them.
static inline bool mr_dtype_is_narrow(mr_dtype dtype) {
  return mr_dtype_bits(dtype) < 8 * mr_dtype_bytes(dtype) && dtype != MR_PRED;
}
// Bytes from elsewhere, where anything may be above the bits; those of other types stay as they are.
void mr_dtype_clear_above(mr_dtype dtype, void *bytes, size_t count);
static inline bool mr_dtype_is_float(mr_dtype d) { return mr_dtype_class_of(d) == MR_CLASS_FLOAT; }
static inline bool mr_dtype_is_complex(mr_dtype d) { return mr_dtype_class_of(d) == MR_CLASS_COMPLEX; }
static inline bool mr_dtype_is_signed(mr_dtype d) { return mr_dtype_class_of(d) == MR_CLASS_SIGNED; }
static inline bool mr_dtype_is_unsigned(mr_dtype d) { return mr_dtype_class_of(d) == MR_CLASS_UNSIGNED; }
static inline bool mr_dtype_is_integer(mr_dtype d) { return mr_dtype_is_signed(d) || mr_dtype_is_unsigned(d); }
mr_dtype mr_dtype_from_name(mr_str spelling);  // MR_INVALID when unknown
// The real part's type of a complex type; itself for others.
mr_dtype mr_dtype_real(mr_dtype dtype);
mr_dtype mr_dtype_unsigned_of(unsigned bits);  // the integer without a sign that has so many; MR_INVALID: none

// More dimensions than this are refused when a program or a buffer comes in, so stack arrays may have this size.
#define MR_MAX_RANK 32

// Number of elements; false when it overflows int64 or a dimension is negative.
bool mr_dims_count(const int64_t *dims, size_t rank, int64_t *out_count);
// Bytes of a dense row-major tensor; INVALID_ARGUMENT naming dims when it overflows or a dimension is negative.
mr_status mr_dims_bytes(mr_dtype dtype, const int64_t *dims, size_t rank, size_t *out_bytes) MR_WARN_UNUSED;
// "2x3xf32", for messages. Returns `buffer`.
const char *mr_dims_text(mr_dtype dtype, const int64_t *dims, size_t rank, char *buffer, size_t size);

#endif
