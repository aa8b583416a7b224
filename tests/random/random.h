// random: programs made up from a seed, evaluated slowly and simply, compiled and run as in production, and compared.
//
// The generator builds IR and prints it; the text is what everybody else gets. The evaluator walks the IR that the reader
// makes of the text: it shares nothing with passes, planning and code generation.
//
// Not made up: quantised types, sizes that are known only when a program runs, rng, chlo.scan, ragged_dot, zeta, polygamma and
// bessel_i1e, einsum, custom calls, collectives but in manual computations, transfers with the host.
//
//   rng random = rng_of(seed);
//   mr_text text = {0};
//   generate_program(&random, &text);
//   verdict v = check_program(session, text, ...);
#ifndef MR_TESTS_RANDOM_RANDOM_H
#define MR_TESTS_RANDOM_RANDOM_H

#include "compiler/compiler.h"
#include "compiler/ir/ir.h"
#include "tests/random/numbers.h"

// ---- Random numbers (splitmix64) --------------------------------------------------------------------------------------

typedef struct rng {
  uint64_t state;
} rng;

static inline uint64_t rng_next(rng *r) {
  uint64_t z = r->state += 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}
static inline int64_t rng_below(rng *r, int64_t n) { return n > 1 ? (int64_t)(rng_next(r) % (uint64_t)n) : 0; }
static inline int64_t rng_between(rng *r, int64_t low, int64_t high) { return low + rng_below(r, high - low + 1); }
static inline bool rng_chance(rng *r, int percent) { return rng_below(r, 100) < percent; }
static inline rng rng_of(uint64_t seed) {
  rng r = {seed * 0xD1342543DE82EF95 + 1};
  rng_next(&r);
  return r;
}

// ---- Tensors of the evaluator ------------------------------------------------------------------------------------------

typedef struct tensor {
  mr_type type;   // dims borrowed from the module
  int64_t count;  // elements
  int parts;      // cells an element: 2 for complex numbers
  cell *cells;
} tensor;

// Fills one parameter's bytes. `kind` picks what they are like: ordinary numbers, small integers, special values.
enum { INPUT_ORDINARY, INPUT_SMALL, INPUT_SPECIAL, INPUT_KINDS };
void make_input(rng *r, mr_dtype dtype, int64_t count, int kind, void *bytes);

// ---- The evaluator -------------------------------------------------------------------------------------------------------

typedef struct evaluator {
  mr_module *module;
  mr_arena arena;       // tensors of one evaluation
  int64_t budget;       // cells that may still be computed
  tensor **values;      // by value id, of the function that is being evaluated
  const char *gave_up;  // why there is no verdict, NULL while there is
} evaluator;

// Evaluates the entry function. False: it gave up, `ev->gave_up` says why. Results live until evaluator_deinit.
bool evaluate(evaluator *ev, mr_module *module, const void *const *inputs, tensor *out_results);
// False: it has types that the evaluator has no numbers for, or very many.
bool can_evaluate(const mr_module *module);
void evaluator_deinit(evaluator *ev);

// For the files of the evaluator.
tensor *tensor_create(evaluator *ev,
                      const mr_type *type);  // never NULL; when the arena is full the evaluation gives up
tensor *tensor_of(const evaluator *ev, const mr_value *value);
tensor *operand_of(const evaluator *ev, const mr_op *op, uint32_t i);
void give_up(evaluator *ev, const char *why);
// Takes steps off the budget; false when it is used up, and the evaluation gives up.
bool spend(evaluator *ev, int64_t steps);
bool evaluate_block(evaluator *ev, const mr_block *block, tensor *const *args, tensor **out_results);
void all_anything(tensor *t);
// The index of element `flat`, and back.
void index_of(const mr_type *type, int64_t flat, int64_t *out_index);
int64_t flat_of(const mr_type *type, const int64_t *index);

// Each fills the op's results, which exist. False: not an op of this file.
bool evaluate_element_op(evaluator *ev, const mr_op *op, tensor *const *results);
bool evaluate_move_op(evaluator *ev, const mr_op *op, tensor *const *results);
bool evaluate_fold_op(evaluator *ev, const mr_op *op, tensor *const *results);
bool evaluate_window_op(evaluator *ev, const mr_op *op, tensor *const *results);
bool evaluate_scatter_op(evaluator *ev, const mr_op *op, tensor *const *results);
bool evaluate_contract_op(evaluator *ev, const mr_op *op, tensor *const *results);
bool evaluate_composed_op(evaluator *ev, const mr_op *op, tensor *const *results);
bool evaluate_bits_op(evaluator *ev, const mr_op *op, tensor *const *results);
bool evaluate_manual_op(evaluator *ev, const mr_op *op, tensor *const *results);
bool evaluate_op(evaluator *ev, const mr_op *op);
bool evaluate_control_op(evaluator *ev, const mr_op *op, tensor *const *results);
// One element of an elementwise op: x, y, z are the operands' cells, out the result's (one or two parts each).
bool element_unary(const mr_op *op, mr_dtype from, mr_dtype to, const cell *x, cell *out);
bool element_binary(const mr_op *op, mr_dtype from, const cell *x, const cell *y, cell *out);
void complex_unary(const mr_op *op, mr_dtype dtype, const cell *x, cell *out);
void complex_binary(const mr_op *op, mr_dtype dtype, const cell *x, const cell *y, cell *out);
cell product_of(mr_dtype dtype, cell x, cell y);
cell convert_cell(mr_dtype from, mr_dtype to, cell x);

// ---- The generator -------------------------------------------------------------------------------------------------------

typedef struct generator {
  rng random;
  mr_module *module;
  mr_builder at;
  mr_value *pool[256];  // values that may be used here
  uint32_t pool_size;
  mr_dtype dtypes[3];  // the element types that this program is mostly about
  uint32_t rank;       // the shape that it is mostly about
  int64_t dims[8];
  int64_t largest;  // elements a tensor may have
  int depth;        // regions around the current point
  bool closed;      // what is outside of them cannot be used
  bool half;        // a program on half precision
  bool loops;       // a program rich in loops, branches and updates
} generator;

// A module, verified, as text. False: memory is short.
bool generate_program(rng *r, mr_text *text);
bool generate_even_program(rng *r, mr_text *text);     // mostly of sizes that a few devices can share
bool generate_half_program(rng *r, mr_text *text);     // on bf16, f16 and f32: for tests/random/half.py
bool generate_looping_program(rng *r, mr_text *text);  // rich in loops, branches and updates
// The same over a mesh of a few devices: with shardings on parameters and results, and constraints (generate_shard.c).
bool generate_sharded_program(rng *r, mr_text *text);
typedef struct mesh {
  int num_axes;
  int sizes[3];
} mesh;
// A manual computation behind an op, of `x` and perhaps others, along some of these axes (a mask); it takes x's place. NULL: none was
// made (generate_manual.c).
mr_op *generate_manual(rng *r, const mesh *m, unsigned free_axes, mr_op *after, mr_value *x);
// How many devices the program's mesh has; 1 without one.
uint32_t devices_of_program(const mr_module *module);

// For the files of the generator. Building leaves the op out and gives NULL when the shape rules refuse it.
typedef mr_value *value;
mr_type random_type(generator *g);
mr_dtype random_dtype(generator *g);
value random_value(generator *g);                        // any of the pool
value random_value_of(generator *g, unsigned classes);   // of some classes of element types, made when there is none
value value_of_type(generator *g, const mr_type *type);  // one that has it, or is made to
value random_constant(generator *g, const mr_type *type);
value constant_int(generator *g, mr_dtype dtype, int64_t n);
void keep_value(generator *g, value v);
mr_op *start_op(generator *g, mr_op_kind kind, uint32_t num_operands, value const *operands, uint32_t num_results,
                uint32_t num_regions);
mr_op *finish_op(generator *g, mr_op *op);
void set_ints(generator *g, mr_op *op, mr_attr_key key, const int64_t *data, size_t size);
void set_int(generator *g, mr_op *op, mr_attr_key key, int64_t n, mr_dtype dtype);
void end_block(generator *g, mr_block *block, uint32_t count, value const *values);

enum { CLASS_BOOL = 1, CLASS_INT = 2, CLASS_FLOAT = 4, CLASS_COMPLEX = 8, CLASS_WIDE = 16, CLASS_ANY = 15 };
bool dtype_in(mr_dtype dtype, unsigned classes);

void generate_element(generator *g);
void generate_move(generator *g);
void generate_dynamic(generator *g, value x, bool update);  // dynamic_slice, dynamic_update_slice
void generate_indexed(generator *g, value x, bool gather);  // gather, scatter
void generate_update(generator *g);
void generate_fold(generator *g);
void generate_contract(generator *g);
void generate_composed(generator *g);
void generate_control(generator *g);
void generate_ops(generator *g, int count);

// ---- Checking ------------------------------------------------------------------------------------------------------------

typedef enum outcome { AGREES, DIFFERS, REFUSED, NO_VERDICT, INVALID } outcome;

typedef struct session {
  mr_platform *platform;
  mr_device *device;
  mr_memory *memory;
  const char *dump;                // a folder for each run's inputs and wanted cells, or NULL
  uint64_t sure, bounded, unsure;  // result cells that were compared as exact, within a bound, and not at all
} session;

// Compiles and runs the program on inputs made from `seed`, and compares with the evaluator's answers. `why` gets a line.
outcome check_program(session *s, mr_str text, uint64_t seed, mr_text *why);
// Runs a program over several devices on whole inputs; gives whole results, which the caller frees. Fails where devices have different
// copies of something (rows.c).
mr_status execute_on_rows(session *s, mr_executable *executable, uint32_t devices, void *const *inputs,
                          void **out_results) MR_WARN_UNUSED;
size_t global_bytes(const mr_port *port);  // of the whole array
// True when two buffers' bytes are what the tensor allows; else `why` says which element.
bool compare_result(session *s, const tensor *wanted, const void *got, uint32_t index, mr_text *why);
// Makes a program that differs smaller while it differs.
void reduce_program(session *s, mr_text *text, uint64_t seed);

#endif
