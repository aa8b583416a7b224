// loops: the kernel form that every code generator reads. A loop program is one kernel: a linear list of instructions
// with structured loops and branches, scalar SSA values, scalar variables, and element-indexed loads and stores.
//
// A kernel runs as
//     void kernel(void *const *buffers, mr_stop_token *stop, int64_t begin, int64_t end);
// where `stop` ends WHILE loops early that are marked so, and [begin, end) is its share of the parallel range (mr_launch.range): shares are disjoint and may run at once, so
// what two shares write must not overlap. Index values are S64 and never overflow (no-signed-wrap).
//
// Building: append with the functions below; For/If/While open a scope that mr_l_end closes, a value made in a scope is
// usable in that scope and inner ones. CONST, BEGIN and FINISH belong to no scope: once made they are usable
// anywhere after, so an emitter should make them in the function's entry. Errors of memory are kept in the program (`failed`) and reported by
// mr_loop_check, which also checks types and scopes. Memory: the program's own arena.
// Threads: one at a time while building; immutable afterwards.
//
// y[i] = exp(x[i]) + 1:
//     mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE);
//     mr_lv i = mr_l_for(p, mr_l_begin(p), mr_l_end_of_range(p), 1, MR_L_INDEPENDENT);
//     mr_lv e = mr_l_unary(p, MR_OP_exponential, MR_F32, mr_l_load(p, x, i));
//     mr_l_store(p, y, i, mr_l_binary(p, MR_OP_add, MR_F32, e, mr_l_float(p, MR_F32, 1.0)));
//     mr_l_end(p);
#ifndef MR_COMPILER_LOOPS_LOOPS_H
#define MR_COMPILER_LOOPS_LOOPS_H

#include "core/core.h"
#include "ops/ops.h"

typedef uint32_t mr_lv;    // a value: the number of the instruction that makes it; 0 is "none" (instruction 0 is a NOP)
typedef uint32_t mr_lbuf;  // a buffer: kernel parameters first in the order declared, locals too

typedef enum mr_loop_code {
  MR_L_NOP,
  MR_L_CONST,    // imm: the element's bits
  MR_L_BEGIN,    // S64
  MR_L_FINISH,   // S64: end of the share
  MR_L_INDEX,    // S64 arithmetic on indices; kind tells: add subtract multiply divide remainder minimum maximum
                 // (divide and remainder only for non-negative operands with a positive divisor)
  MR_L_ELEMENT,  // kind, dtype: an elementwise operation as ops.def names it; a, b, c. The operand type is `dtype`
  // except: convert (source type is a's), select (a is PRED), compare (imm: direction | type << 8; result
  // PRED, dtype the operands'), is_finite (result PRED), reduce_precision (imm: exponent | mantissa << 8),
  // bitcast_convert (same width). No complex types here: lowering splits them into parts.
  MR_L_LOAD,   // buffer[a]; result type is the buffer's
  MR_L_STORE,  // buffer[a] = b
  MR_L_FOR,    // value: the S64 index; a = from, b = to (exclusive), imm = step > 0
  MR_L_IF,     // a: PRED
  MR_L_ELSE,
  MR_L_WHILE,  // instructions up to DO compute the condition, DO carries it in a
  MR_L_DO,
  MR_L_END,   // closes FOR, IF or WHILE
  MR_L_VAR,   // a mutable scalar, initial value a; the instruction's number is its handle
  MR_L_GET,   // value of variable a (its number)
  MR_L_SET,   // variable a = b
  MR_L_FILL,  // buffer elements [a, b) = c (a memset-like loop; contiguous)
  MR_L_COPY,  // buffer[a ...] = buffer2[b ...], c elements; buffers do not overlap or are identical in place
} mr_loop_code;

// imm of compare, as StableHLO stores them: direction | type << 8.
enum {
  MR_L_EQ = MR_COMPARE_EQ,
  MR_L_NE = MR_COMPARE_NE,
  MR_L_GE = MR_COMPARE_GE,
  MR_L_GT = MR_COMPARE_GT,
  MR_L_LE = MR_COMPARE_LE,
  MR_L_LT = MR_COMPARE_LT,
};
enum {
  MR_L_NOTYPE = MR_COMPARE_NOTYPE,
  MR_L_FLOAT = MR_COMPARE_FLOAT,
  MR_L_TOTALORDER = MR_COMPARE_TOTALORDER,
  MR_L_SIGNED = MR_COMPARE_SIGNED,
  MR_L_UNSIGNED = MR_COMPARE_UNSIGNED,
};

// Flags of instructions.
enum {
  MR_L_INDEPENDENT = 1,  // FOR: iterations do not depend on each other through memory (they may be vectorised freely)
  MR_L_UNROLL = 2,       // FOR: short constant trip count, unroll fully
  MR_L_REASSOC = 4,      // ELEMENT: the order of this accumulation is free (float add, multiply in reductions), and a
                         // product that it takes may be rounded together with it
  MR_L_NO_VECTOR = 8,    // FOR: do not vectorise
  MR_L_STREAM = 16,      // STORE: the data will not be read soon; non-temporal if the target likes
  MR_L_LIKELY = 32,      // IF: usually taken
  MR_L_STOPS = 64,       // WHILE: it may take long, and ends early when the stop token says so
  MR_L_JOIN_LEFT =
      64,  // ELEMENT, a sum or difference of floats: where the left operand is a product, or the negative of
           // one, both are rounded at once if the target can
  MR_L_JOIN_RIGHT = 128,  // the same of the right one; with both flags, of the left one if that is a product
  MR_L_AHEAD = 16,        // LOAD: goes through memory in order, more of it than a cache near the core holds
};

// Flags of buffers.
enum {
  MR_L_READ = 1,
  MR_L_WRITE = 2,
  MR_L_LOCAL = 4,      // memory of the share itself (stack when small), `count` elements, uninitialised
  MR_L_MAY_ALIAS = 8,  // may be the same memory as another MAY_ALIAS buffer; all others are distinct from everything
};

typedef struct mr_loop_instr {
  uint8_t code;   // mr_loop_code
  uint8_t dtype;  // of the result (STORE: of the value; COMPARE: of the operands)
  uint16_t kind;  // mr_op_kind for INDEX and ELEMENT
  uint32_t flags;
  uint32_t a, b, c;
  uint32_t buffer, buffer2;
  uint64_t imm;
} mr_loop_instr;

typedef struct mr_loop_buffer {
  uint8_t dtype;  // never complex: a complex buffer is its real type with two elements per value
  uint32_t flags;
  int64_t count;  // LOCAL: elements
} mr_loop_buffer;

// Scopes nest at most this deep.
#define MR_L_SCOPES 64

typedef struct mr_loop_program {
  mr_loop_instr *instrs;
  uint32_t num_instrs, capacity;
  mr_loop_buffer *buffers;
  uint32_t num_buffers, buffer_capacity, num_params;  // params come first
  uint32_t depth;                                     // open scopes
  uint32_t open[MR_L_SCOPES];
  bool failed;
  uint32_t *shared;  // hash table over CONST, BEGIN and FINISH: instruction numbers, 0 empty
  uint32_t shared_count, shared_capacity;
} mr_loop_program;

mr_status mr_loop_create(mr_loop_program **out_program) MR_WARN_UNUSED;
void mr_loop_release(mr_loop_program *program);
// Empty again, with the memory that it has.
void mr_loop_reset(mr_loop_program *program);
// The same instructions and buffers in no more memory than they take: for what is kept. `from` is complete, and
// mr_loop_check() is content with it.
mr_status mr_loop_copy(const mr_loop_program *from, mr_loop_program **out_program) MR_WARN_UNUSED;
// Types, scopes, dominance, buffer numbers; INTERNAL with the instruction when wrong, RESOURCE_EXHAUSTED when it failed.
mr_status mr_loop_check(const mr_loop_program *program) MR_WARN_UNUSED;
void mr_loop_print(const mr_loop_program *program, mr_text *text);
// The content hash that keys the kernel cache: equal programs, equal hash.
mr_hash128 mr_loop_hash(const mr_loop_program *program);

// Parameters must all be declared before the first local.
mr_lbuf mr_l_buffer(mr_loop_program *p, mr_dtype dtype, uint32_t flags);
mr_lbuf mr_l_local(mr_loop_program *p, mr_dtype dtype, int64_t count);

// Constants are shared and may be asked for anywhere (they are placed in front).
mr_lv mr_l_index(mr_loop_program *p, int64_t value);
mr_lv mr_l_bits(mr_loop_program *p, mr_dtype dtype, uint64_t bits);
mr_lv mr_l_float(mr_loop_program *p, mr_dtype dtype, double value);  // any float type, rounded to nearest even
mr_lv mr_l_int(mr_loop_program *p, mr_dtype dtype, int64_t value);   // integer types and PRED
mr_lv mr_l_begin(mr_loop_program *p);
mr_lv mr_l_end_of_range(mr_loop_program *p);

// Index arithmetic; folds constants and the identities with 0 and 1.
mr_lv mr_l_iadd(mr_loop_program *p, mr_lv a, mr_lv b);
mr_lv mr_l_isub(mr_loop_program *p, mr_lv a, mr_lv b);
mr_lv mr_l_imul(mr_loop_program *p, mr_lv a, mr_lv b);
mr_lv mr_l_idiv(mr_loop_program *p, mr_lv a, mr_lv b);  // a >= 0, b > 0
mr_lv mr_l_irem(mr_loop_program *p, mr_lv a, mr_lv b);
mr_lv mr_l_imin(mr_loop_program *p, mr_lv a, mr_lv b);
mr_lv mr_l_imax(mr_loop_program *p, mr_lv a, mr_lv b);
bool mr_l_const_index(const mr_loop_program *p, mr_lv v, int64_t *out_value);

mr_lv mr_l_unary(mr_loop_program *p, mr_op_kind kind, mr_dtype dtype, mr_lv a);
mr_lv mr_l_binary(mr_loop_program *p, mr_op_kind kind, mr_dtype dtype, mr_lv a, mr_lv b);
mr_lv mr_l_binary_flags(mr_loop_program *p, mr_op_kind kind, mr_dtype dtype, mr_lv a, mr_lv b, uint32_t flags);

// A sum or difference that is rounded together with a product: +- factors[0] factors[1] +- rest.
typedef struct mr_l_join {
  mr_lv factors[2], rest;
  bool minus_product, minus_rest;
} mr_l_join;
// False: `sum` is rounded alone, since no flag says that it is not, its operand is no product, or its numbers are narrower than f32.
bool mr_l_join_of(const mr_loop_program *p, const mr_loop_instr *sum, mr_l_join *out);
mr_lv mr_l_compare(mr_loop_program *p, int direction, int compare_type, mr_dtype dtype, mr_lv a, mr_lv b);  // PRED
mr_lv mr_l_select(mr_loop_program *p, mr_dtype dtype, mr_lv condition, mr_lv t, mr_lv f);
mr_lv mr_l_convert(mr_loop_program *p, mr_dtype to, mr_lv a);  // StableHLO convert: saturates, NaN to 0, != 0 for PRED
mr_lv mr_l_bitcast(mr_loop_program *p, mr_dtype to, mr_lv a);  // same width
mr_lv mr_l_reduce_precision(mr_loop_program *p, mr_dtype dtype, int exponent_bits, int mantissa_bits, mr_lv a);
mr_dtype mr_l_dtype(const mr_loop_program *p, mr_lv v);

mr_lv mr_l_load(mr_loop_program *p, mr_lbuf buffer, mr_lv index);
mr_lv mr_l_load_flags(mr_loop_program *p, mr_lbuf buffer, mr_lv index, uint32_t flags);
void mr_l_store(mr_loop_program *p, mr_lbuf buffer, mr_lv index, mr_lv value);
void mr_l_store_flags(mr_loop_program *p, mr_lbuf buffer, mr_lv index, mr_lv value, uint32_t flags);
void mr_l_fill(mr_loop_program *p, mr_lbuf buffer, mr_lv from, mr_lv to, mr_lv value);
void mr_l_copy(mr_loop_program *p, mr_lbuf to, mr_lv to_index, mr_lbuf from, mr_lv from_index, mr_lv count);

mr_lv mr_l_for(mr_loop_program *p, mr_lv from, mr_lv to, int64_t step, uint32_t flags);
void mr_l_if(mr_loop_program *p, mr_lv condition);
void mr_l_else(mr_loop_program *p);
void mr_l_while(mr_loop_program *p);
void mr_l_while_flags(mr_loop_program *p, uint32_t flags);
void mr_l_do(mr_loop_program *p, mr_lv condition);
void mr_l_end(mr_loop_program *p);

mr_lv mr_l_var(mr_loop_program *p, mr_lv initial);
mr_lv mr_l_get(mr_loop_program *p, mr_lv var);
void mr_l_set(mr_loop_program *p, mr_lv var, mr_lv value);

// Appends `from` in place of a call: its parameter i becomes to's buffer buffers[i], its share is [begin, end), its
// locals become locals of `to`, and its argument i stays argument i. `from` must have no open scopes.
void mr_l_inline(mr_loop_program *to, const mr_loop_program *from, const mr_lbuf *buffers, mr_lv begin, mr_lv end);

// What all accesses of a parameter have in common as a constant of their indices goes into its address: kernels that read other
// pieces of one array alike are one kernel then. Parameter i is to be passed so many bytes further on, out_shifts[i], a multiple of
// MR_L_SHIFT_BYTES (what is known of a buffer's address holds as before). *out_program is NULL when all are zero. Values are the same.
#define MR_L_SHIFT_BYTES 64
mr_status mr_loop_shift(const mr_loop_program *program, size_t *out_shifts,
                        mr_loop_program **out_program) MR_WARN_UNUSED;

#endif
