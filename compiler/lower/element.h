// element: what one element of a value is, as loop instructions. Private to compiler/lower.
//
// mr_lw_element(lw, value, index) appends the instructions that compute value[index]: a load when the value is an operand
// of the kernel, otherwise the defining op's rule, which asks for elements of its own operands at their indices. What was
// computed is remembered while the loop it was computed in is open.
//
// A dry run asks the same questions without effect and records what is read where: the loop nest is chosen from that.
//
// Threads: a lowering belongs to one thread. Ownership: what it allocates is in its arena and goes with it, the program is handed on.
// Errors: the first one stays in `status` (mr_lw_fail), what is appended after it means nothing; mr_lower_op returns it.
#ifndef MR_COMPILER_LOWER_ELEMENT_H
#define MR_COMPILER_LOWER_ELEMENT_H

#include "compiler/ir/ir.h"
#include "compiler/loops/loops.h"
#include "compiler/lower/index.h"
#include "compiler/lower/lower.h"

typedef struct mr_elem {
  mr_lv re, im;  // im: 0 unless complex
} mr_elem;

typedef struct mr_memo {
  const mr_value *value;
  mr_index at;
  mr_elem elem;
} mr_memo;

#define MR_LW_NO_DIM UINT32_MAX

// A value held in local memory along one dimension: elements whose other coordinates equal those of `at`.
typedef struct mr_kept {
  const mr_value *value;
  mr_index at;
  uint32_t dim;       // or MR_LW_NO_DIM: exactly `at` is held, at offset `base`
  const mr_ix *base;  // what the coordinate of the first held element is
  mr_lbuf re, im;
} mr_kept;

// A read of an operand that is served from local memory instead.
typedef struct mr_staged {
  uint32_t operand;
  const mr_ix *at;
  mr_lbuf buffer;
  const mr_ix *local;
} mr_staged;

typedef struct mr_access {
  uint32_t operand;  // of the kernel; UINT32_MAX: not memory but an index in a guard, an iota, ...
  const mr_ix *at;
} mr_access;

typedef struct mr_guard {
  const mr_ix *at;  // asked whether lo <= at < hi
  int64_t lo, hi;
} mr_guard;

// A reduction, contraction, ... that a nest asks for: worth computing outside of inner loops.
typedef struct mr_demand {
  const mr_value *value;
  mr_index at;
  uint64_t vars;
  double trips;    // iterations of one element
  bool along_row;  // reads memory contiguously in its innermost loop
} mr_demand;

typedef struct mr_record {
  mr_access *accesses;
  uint32_t num_accesses, cap_accesses;
  mr_guard *guards;
  uint32_t num_guards, cap_guards;
  mr_demand *demands;
  uint32_t num_demands, cap_demands;
  double work;  // operations, a slow one counted as ten
} mr_record;

#define MR_LW_SCOPES 128
#define MR_LW_STAGED 4
#define MR_LW_BUDGET (1 << 20)

typedef struct mr_lower {
  mr_arena arena;
  mr_ix_table ix;
  mr_loop_program *p;
  mr_loop_program *scratch;  // where dry runs write
  const mr_op *op;
  const mr_block *body;  // of a fusion, else NULL
  mr_status status;      // first error
  jmp_buf no_memory;     // back to mr_lower_op(); nothing on the way owns what the lowering or the launch do not

  mr_memo *memo;
  uint32_t num_memo, cap_memo;
  uint32_t memo_floor;  // in a dry run: where its own entries begin
  mr_kept *kept;
  uint32_t num_kept, cap_kept;
  mr_staged staged[MR_LW_STAGED];
  uint32_t num_staged;
  // Scopes: serial numbers, and which are open. memo_mark: length of memo when each was opened.
  uint32_t next_scope, depth;
  uint32_t scopes[MR_LW_SCOPES], memo_marks[MR_LW_SCOPES], kept_marks[MR_LW_SCOPES];
  double trips_marks[MR_LW_SCOPES];
  bool scope_is_real[MR_LW_SCOPES];  // false: a loop of one iteration, which the program does not see
  uint8_t *scope_open;
  uint32_t cap_scope_open;

  mr_record *record;  // set in a dry run
  uint32_t next_bit;
  double trips;  // product of the open loops' trip counts
  double flops, transcendentals, loads;
  double apart_ns;         // what operations take that take something else than the others of their kind
  double scattered;        // loads and stores that do not go through memory in order
  const mr_ix *innermost;  // the loop that was opened last
  uint32_t store_flags;    // of stores to results
  size_t *scratch_bytes;   // of the kernel's scratch buffers
  uint32_t num_scratch, cap_scratch;
  uint64_t budget;  // elements that may still be asked for
} mr_lower;

#define MR_LW_NO_OPERAND UINT32_MAX

void mr_lw_fail(mr_lower *lw, mr_status take_status);
static inline bool mr_lw_ok(const mr_lower *lw) { return !lw->status && !lw->ix.failed && !lw->p->failed; }
static inline mr_index mr_at(uint32_t n, const mr_ix *const *at) { return (mr_index){false, n, at}; }
void *mr_lw_alloc(mr_lower *lw, size_t size);  // never NULL: without memory the lowering is given up right there

// ---- Scopes -----------------------------------------------------------------------------------------------------------

// A loop over [from, to) whose variable is `loop` (from mr_lw_loop or a constant when the loop has one iteration, then
// nothing is opened but the scope).
void mr_lw_for(mr_lower *lw, const mr_ix *loop, mr_lv from, mr_lv to, int64_t step, uint32_t flags, double trips);
void mr_lw_if(mr_lower *lw, mr_lv condition);
void mr_lw_else(mr_lower *lw);
void mr_lw_end(mr_lower *lw);
// A fresh loop variable over [lo, hi], a constant when that is one number. Takes a bit; give bits back by restoring
// lw->next_bit when no expression with the loop is used any more.
const mr_ix *mr_lw_loop(mr_lower *lw, int64_t lo, int64_t hi);
// Opens `for loop in [0, count)` with constant bounds; pair with mr_lw_end.
void mr_lw_count(mr_lower *lw, const mr_ix *loop, int64_t count, uint32_t flags);

typedef struct mr_dry {
  mr_loop_program *p;
  mr_record *record;
  uint32_t num_memo, memo_floor;
  double trips, flops, transcendentals, loads, apart_ns, scattered;
} mr_dry;
mr_dry mr_lw_dry_begin(mr_lower *lw, mr_record *record);
void mr_lw_dry_end(mr_lower *lw, mr_dry saved);

// ---- Indices ------------------------------------------------------------------------------------------------------------

mr_lv mr_lw_ix(mr_lower *lw, const mr_ix *ix);
// Row-major number of an index in dims.
const mr_ix *mr_lw_linear(mr_lower *lw, const mr_type *type, mr_index at);
// One expression per dimension; `storage` has room for MR_MAX_RANK.
mr_index mr_lw_vector(mr_lower *lw, const mr_type *type, mr_index at, const mr_ix **storage);
typedef enum mr_range_answer { MR_RANGE_NEVER, MR_RANGE_ALWAYS, MR_RANGE_ASK } mr_range_answer;
// Whether lo <= ix < hi: known, or (ASK) for mr_lw_in_range to compute.
mr_range_answer mr_lw_range(mr_lower *lw, const mr_ix *ix, int64_t lo, int64_t hi);
mr_lv mr_lw_in_range(mr_lower *lw, const mr_ix *ix, int64_t lo, int64_t hi);  // PRED
mr_lv mr_lw_and(mr_lower *lw, mr_lv a, mr_lv b);                              // either may be 0
void mr_lw_use(mr_lower *lw, const mr_ix *ix);  // records an index that is used other than as an address

// ---- Elements -----------------------------------------------------------------------------------------------------------

mr_elem mr_lw_element(mr_lower *lw, const mr_value *value, mr_index at);
mr_elem mr_lw_scalar(mr_lower *lw, const mr_value *value);  // of rank 0
// Whether the element was computed or is held already.
bool mr_lw_find(mr_lower *lw, const mr_value *value, mr_index at, mr_elem *out_elem);
void mr_lw_remember(mr_lower *lw, const mr_value *value, mr_index at, mr_elem elem);
void mr_lw_keep(mr_lower *lw, mr_kept kept);
void mr_lw_demand(mr_lower *lw, mr_demand demand);  // recorded in a dry run
// Which operand of the kernel a value is; MR_LW_NO_OPERAND when it is computed inside.
uint32_t mr_lw_operand(const mr_lower *lw, const mr_value *value);
mr_elem mr_lw_load(mr_lower *lw, mr_lbuf buffer, mr_dtype dtype, const mr_ix *linear);
void mr_lw_store(mr_lower *lw, mr_lbuf buffer, mr_dtype dtype, const mr_ix *linear, mr_elem elem);
// A scratch buffer of `count` elements for all shares together; before the first local one.
mr_lbuf mr_lw_scratch(mr_lower *lw, mr_dtype dtype, int64_t count);
// Bytes of the local buffers so far.
int64_t mr_lw_local_bytes(const mr_lower *lw);
mr_lbuf mr_lw_result_buffer(const mr_lower *lw, uint32_t result);
// Locals of a (possibly complex) type are pairs of buffers in mr_kept form.
mr_elem mr_lw_constant(mr_lower *lw, mr_dtype dtype, double value);
mr_elem mr_lw_bits(mr_lower *lw, mr_dtype dtype, const void *element);  // as tensors store it
mr_elem mr_lw_convert(mr_lower *lw, mr_dtype to, mr_dtype from, mr_elem x);
mr_elem mr_lw_select(mr_lower *lw, mr_dtype dtype, mr_lv condition, mr_elem t, mr_elem f);
mr_elem mr_lw_binary(mr_lower *lw, mr_op_kind kind, mr_dtype dtype, mr_elem a, mr_elem b, uint32_t flags);
// Elementwise op on given operands (element_math.c).
// The element at a place of what an op makes: one function per name in the element column of ops.def.
typedef mr_elem (*mr_lw_rule)(mr_lower *lw, const mr_value *value, mr_index at);
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           rewrite, complex, element, ...)                                                                          \
  mr_elem mr_lw_of_##element(mr_lower *lw, const mr_value *value, mr_index at);
#include "ops/ops.def"
// Whether there is one.
bool mr_lw_has_element(mr_op_kind kind);
const mr_ix *mr_lw_start(mr_lower *lw, const mr_value *scalar, int64_t hi);  // clamped to [0, hi]
// A region on scalars: args and results by position.
void mr_lw_region(mr_lower *lw, const mr_block *region, const mr_elem *args, mr_elem *out);

// A variable of a (possibly complex) type.
mr_elem mr_lw_var(mr_lower *lw, mr_elem initial);
mr_elem mr_lw_get(mr_lower *lw, mr_elem var);
void mr_lw_set(mr_lower *lw, mr_elem var, mr_elem value);

#endif
