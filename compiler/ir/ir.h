// ir: the program as SSA. A module has functions; a function has a block; a block has ops in order; an op has operands
// (uses of values), results (values), attributes, and for control flow and reductions regions of one block each.
//
// Memory: everything lives in the module's arena and dies with the module; erased ops are only unlinked.
// Threads: a module belongs to one thread at a time.
// Errors: building calls return NULL when the arena is exhausted (it has a limit); readers and passes turn that into
// RESOURCE_EXHAUSTED. mr_module_verify says what is wrong with a module in one status.
//
//   mr_builder b = mr_builder_at_end(&function->body);
//   mr_op *sum = mr_build(&b, MR_OP_add, 2, (mr_value *[]){x, y}, 1, &x->type, 0);
//   mr_build(&b, MR_OP_return, 1, (mr_value *[]){mr_op_result(sum, 0)}, 0, NULL, 0);
#ifndef MR_COMPILER_IR_IR_H
#define MR_COMPILER_IR_IR_H

#include "core/core.h"
#include "devices/figures.h"
#include "ops/ops.h"

typedef struct mr_op mr_op;
typedef struct mr_block mr_block;
typedef struct mr_value mr_value;
typedef struct mr_function mr_function;
typedef struct mr_module mr_module;
typedef struct mr_attr mr_attr;

// ---- Types --------------------------------------------------------------------------------------------------------

#define MR_DYNAMIC INT64_MIN  // a dimension whose size is not known

typedef enum mr_type_kind { MR_TYPE_TENSOR, MR_TYPE_TOKEN, MR_TYPE_TUPLE, MR_TYPE_FUTURE } mr_type_kind;

// Quantised element: value = (stored - zero_point) * scale. The tensor's dtype is then the storage type.
typedef struct mr_quant {
  mr_dtype expressed;
  int64_t storage_min, storage_max;
  int64_t axis;  // -1: one scale for all
  size_t count;
  const double *scales;
  const int64_t *zero_points;
} mr_quant;

typedef struct mr_type {
  mr_type_kind kind;
  mr_dtype dtype;                  // TENSOR: element type
  uint32_t rank;                   // TENSOR: dimensions; TUPLE, FUTURE: elements
  const int64_t *dims;             // TENSOR
  const struct mr_type *elements;  // TUPLE, FUTURE
  const int64_t *bounds;           // TENSOR: NULL, or an upper bound for each dynamic dimension (MR_DYNAMIC: none)
  const mr_quant *quant;           // TENSOR: NULL unless quantised
} mr_type;

bool mr_quant_equal(const mr_quant *a, const mr_quant *b);  // either may be NULL
bool mr_type_equal(const mr_type *a, const mr_type *b);
bool mr_type_same_dims(const mr_type *a, const mr_type *b);
// Equal but for dimensions that one side does not know, which the other may have up to a bound, and for quantisation
// parameters.
bool mr_type_compatible(const mr_type *a, const mr_type *b);
bool mr_type_is_static(const mr_type *type);
// Elements of a static tensor (verified not to overflow when the module was read); 0 for tokens.
int64_t mr_type_count(const mr_type *type);
size_t mr_type_bytes(const mr_type *type);
mr_type mr_type_tensor(mr_module *module, mr_dtype dtype, uint32_t rank, const int64_t *dims);  // copies dims
mr_type mr_type_scalar(mr_dtype dtype);
mr_type mr_type_token(void);
// A copy whose dims, bounds and elements live in the module's arena (`quant` is shared).
mr_type mr_type_copy(mr_module *module, const mr_type *type);
mr_type mr_type_with_dtype(const mr_type *type, mr_dtype dtype);  // same dims
// "tensor<2x3xf32>". Returns `buffer`.
const char *mr_type_text(const mr_type *type, char *buffer, size_t size);

// ---- Attributes -----------------------------------------------------------------------------------------------------

typedef enum mr_attr_key {
  MR_ATTR_none,  // in dictionaries and `extra`: the name says it
#define ATTR(name, kind) MR_ATTR_##name,
#include "compiler/ir/attrs.def"
  MR_ATTR_COUNT
} mr_attr_key;

typedef enum mr_attr_kind {
  MR_ATTR_UNIT,
  MR_ATTR_INT,   // integers, booleans, enum words
  MR_ATTR_INTS,  // lists of integers, with dims when they came from a tensor of rank 2
  MR_ATTR_FLOAT,
  MR_ATTR_STRING,  // strings and symbol names
  MR_ATTR_DENSE,
  MR_ATTR_ARRAY,
  MR_ATTR_DICT,  // named elements
  MR_ATTR_TYPE,
  MR_ATTR_TEXT,  // anything else, as its text (shardings of Shardy and the like)
} mr_attr_kind;

// Constant data: row-major, little-endian, every element on whole bytes: i1 is 0 or 1 in a byte, i2 and i4 are
// sign-extended into a byte. A splat stores one element.
typedef struct mr_dense {
  mr_type type;
  const void *data;
  size_t size;  // bytes
  bool splat;
} mr_dense;

struct mr_attr {
  mr_attr_key key;
  mr_str name;  // always set: the spelling
  mr_attr_kind kind;
  mr_dtype dtype;  // INT, INTS, FLOAT: the declared element type, MR_INVALID when it had none
  union {
    int64_t integer;
    double number;
    mr_str string;  // STRING, TEXT
    struct {
      mr_ints ints;
      int64_t rows;  // -1 for rank 1, else the first dimension of the rank-2 list
    };
    mr_dense dense;
    struct {
      mr_attr *items;  // ARRAY, DICT
      size_t count;
    };
    mr_type type;
  };
};

mr_attr_key mr_attr_key_from_name(mr_str name);  // MR_ATTR_none when unknown
const char *mr_attr_key_name(mr_attr_key key);
const mr_attr *mr_dict_find(const mr_attr *dict, const char *name);  // NULL when absent
mr_ints mr_dict_ints(const mr_attr *dict, const char *name);         // none when absent

// ---- Values, ops, blocks ----------------------------------------------------------------------------------------------

// One operand slot: a link in the value's chain of uses.
typedef struct mr_use {
  mr_value *value;
  mr_op *user;
  struct mr_use *next, **link;
} mr_use;

struct mr_value {
  mr_type type;
  mr_op *def;       // NULL for a block argument
  mr_block *block;  // the block that defines it
  uint32_t index;   // which result or argument
  uint32_t id;      // for printing and dense side tables; see mr_function_number
  mr_use *uses;
  const struct mr_sharding *sharding;  // how compiler/shard cuts it; NULL: nothing says so
};

// Where whoever wrote the program has an op from, as the program says. In the module's arena.
typedef struct mr_origin {
  mr_str path;  // of scopes and functions: JAX's name stack
  mr_str file;
  uint32_t line;
} mr_origin;

typedef struct mr_loc {
  uint32_t line, column;    // text; 0 when unknown
  uint64_t offset;          // bytecode: where the op starts
  const mr_origin *origin;  // NULL: the program does not say
} mr_loc;

struct mr_op {
  mr_op_kind kind;
  uint32_t num_operands, num_results, num_regions;
  uint32_t num_attrs : 30;
  uint32_t joined_operand : 2;  // of a sum, from 1 on: the product that is rounded with it (fuse_joined.c); 0: none
  uint32_t order;               // position in its block after mr_block_number
  mr_use *operands;
  mr_value *results;
  mr_block **regions;  // one block each; terminated by MR_OP_return
  mr_attr *attrs;      // the keyed ones, sorted by key
  mr_attr *extra;      // DICT of the others (mhlo.frontend_attributes, ...), or NULL
  mr_block *block;
  mr_op *prev, *next;
  mr_loc loc;
  mr_str name;  // full spelling; of the kind that stands for several (sdy_other) the only place that knows
  void *side;   // scratch of whichever pass runs
};

struct mr_block {
  mr_op *first, *last;
  uint32_t num_args;
  mr_value **args;
  mr_op *parent;          // NULL for a function's body
  mr_function *function;  // always set
  uint32_t region;        // which of the parent's regions this is
};

struct mr_function {
  mr_str name;
  bool is_public, is_declaration;
  mr_module *module;
  mr_block body;
  uint32_t num_results;
  mr_type *result_types;
  mr_attr **arg_attrs;     // per argument a DICT or NULL
  mr_str *arg_names;       // per argument, as its location names it, or empty; NULL: none is named
  mr_attr **result_attrs;  // per result a DICT or NULL
  mr_function *next;
  uint32_t num_values;     // after mr_function_number
  uint32_t mark;           // scratch of whoever walks the calls
  mr_function *same_hash;  // the next one in its bucket of the module
  mr_loc loc;
};

// Groups of devices that collective ops meet in, made of a list of theirs (compiler/choose/collective.c).
typedef struct mr_module_groups {
  const int64_t *list;
  size_t size;
  uint32_t meaning;
  struct mr_groups *groups;  // owned; NULL: none
  const uint32_t *sources;   // theirs
} mr_module_groups;

typedef enum mr_made_types {
  MR_MADE_QUANTISED = 1,
  MR_MADE_COMPLEX = 2,
  MR_MADE_AGGREGATES = 4,
  MR_MADE_OPEN = 8  // with a dimension that is not known
} mr_made_types;

struct mr_module {
  mr_arena arena;
  mr_str name;
  mr_function *functions, *last_function;  // in file order
  mr_function **buckets;                   // by name; their number is a power of two, at least the functions'
  uint32_t num_buckets, num_functions;
  mr_attr *attrs;                            // DICT of the module's attributes, or NULL
  mr_attr *meshes;                           // DICT: sdy.mesh name -> TEXT, or NULL
  const struct mr_mesh *read_meshes;         // as compiler/shard reads them, as many; NULL before
  struct mr_sharding_texts *sharding_texts;  // what it has read of shardings; NULL before
  mr_module *taken_in;                       // a list of modules that this one has ops of, which go when it goes
  // Sticky: an allocation of the IR failed. Building calls then give NULL and accept NULL operands, so a pass may build a
  // whole expression and look once (mr_module_memory).
  bool out_of_memory;
  uint64_t copied_ops;        // by inlining, which bounds it
  bool round_steps;           // bf16: every operation rounds, in front of a conversion to f32 too (passes/excess.c)
  const mr_figures *figures;  // borrowed; what the device can do that the program is compiled for. Never NULL
  const struct mr_target *target;        // borrowed; what it runs. NULL: native code
  bool prints_origins;                   // its text says where ops are from
  bool keeps_order;                      // the program says what comes after what, beside what needs what
  struct mr_compile_progress *progress;  // borrowed; NULL: nobody asks
  // Over how many devices the program runs, as the options say; 0: as its attributes do.
  uint32_t num_replicas, num_partitions;
  // Which kinds of ops were ever made in it, and of which of mr_made_types values were: a pass that would find none need not look.
  bool made[MR_OP_COUNT];
  uint32_t made_types;
  mr_module_groups groups[8];
  uint32_t num_groups;  // so many there have been
};

// ---- Module and functions ------------------------------------------------------------------------------------------------

// limit: bytes the arena may take, 0 for none.
mr_status mr_module_create(size_t limit, mr_module **out_module) MR_WARN_UNUSED;
void mr_module_release(mr_module *module);
mr_function *mr_module_add_function(mr_module *module, mr_str name, bool is_public, uint32_t num_args,
                                    const mr_type *arg_types, uint32_t num_results, const mr_type *result_types);
mr_function *mr_module_find(const mr_module *module, mr_str name);
// Says what argument `index` is called; the name is copied.
mr_status mr_function_name_arg(mr_function *function, uint32_t index, mr_str name) MR_WARN_UNUSED;
// Arguments of the entry function that are not called anything are called what functions say that it hands them on to (names.c).
mr_status mr_module_name_args(mr_module *module) MR_WARN_UNUSED;
// Calls visit(context, args, dims) for each two sizes of arguments that the entry function compares, which its assertions do.
void mr_module_each_equal_size(const mr_module *module,
                               void (*visit)(void *context, const uint32_t *args, const uint32_t *dims), void *context);
// Calls visit(context, arg, dim, symbol) for each dimension of an argument whose size is what the program calls `symbol`.
void mr_module_each_symbol(const mr_module *module,
                           void (*visit)(void *context, uint32_t arg, uint32_t dim, mr_str symbol), void *context);
// @main, else the only public function, else the only function; NULL when there is none.
mr_function *mr_module_entry(const mr_module *module);
// Over how many devices the program runs: each partition of each replica is one.
int64_t mr_module_replicas(const mr_module *module);
int64_t mr_module_partitions(const mr_module *module);
void mr_module_remove_function(mr_module *module, mr_function *function);
// Ops of `other` are this module's as well, as far as `made` is concerned.
void mr_module_add_made(mr_module *module, const mr_module *other);
// RESOURCE_EXHAUSTED once an allocation in the module has failed, else OK.
mr_status mr_module_memory(const mr_module *module) MR_WARN_UNUSED;
// What a step over the module ends with: whatever went wrong after an allocation failed may have come of that, so that is
// the error then.
mr_status mr_module_end(const mr_module *module, mr_status take_status) MR_WARN_UNUSED;
// Regions nested deeper than this are refused, so passes and back ends may recurse over them.
#define MR_MAX_NESTING 1000
// Every rule of the IR: structure, operand and result counts, types by the shape rules, terminators, scoping. Linear in
// the size of the module. INVALID_ARGUMENT names the op, its place and what was wanted.
mr_status mr_module_verify(const mr_module *module) MR_WARN_UNUSED;
// StableHLO text that our own reader reads back, ops in the generic form. Dense data of more than 100 elements is hex.
void mr_module_print(const mr_module *module, mr_text *text);
void mr_op_print(const mr_op *op, mr_text *text);
void mr_print_attr(mr_text *text, const mr_attr *attr);  // the value
void mr_print_name(mr_text *text, mr_str name);          // in quotes where it needs some
// " <{..}>" with the op's keyed attributes in their StableHLO spelling; nothing when there are none.
void mr_print_properties(mr_text *text, const mr_op *op);

// ---- Building ---------------------------------------------------------------------------------------------------------------

typedef struct mr_builder {
  mr_module *module;
  mr_block *block;
  mr_op *before;  // insert here; NULL: at the end
  mr_loc loc;     // given to each op made
} mr_builder;

mr_builder mr_builder_at_end(mr_block *block);
mr_builder mr_builder_before(mr_op *op);
// Creates an op and links it in. Operands and types are copied. Regions come out as empty blocks without arguments.
// NULL when memory is short. Shape rules are not checked here (mr_op_infer, mr_module_verify).
mr_op *mr_build(mr_builder *builder, mr_op_kind kind, uint32_t num_operands, mr_value *const *operands,
                uint32_t num_results, const mr_type *result_types, uint32_t num_regions);
// `op`, which has one result and no regions, once more: on these operands, of this type, with its attributes.
mr_value *mr_build_like(mr_builder *b, const mr_op *op, mr_value *const *operands, const mr_type *type);
// Shorthands that infer the type: one result.
mr_value *mr_build_unary(mr_builder *b, mr_op_kind kind, mr_value *x);
mr_value *mr_build_binary(mr_builder *b, mr_op_kind kind, mr_value *x, mr_value *y);
mr_value *mr_build_constant(mr_builder *b, const mr_dense *dense);           // data is borrowed: must live in the arena
mr_value *mr_build_splat(mr_builder *b, const mr_type *type, double value);  // any real element type
mr_value *mr_build_splat_int(mr_builder *b, const mr_type *type, int64_t value);
mr_value *mr_build_convert(mr_builder *b, mr_value *x, mr_dtype dtype);  // x itself when it has that type
mr_value *mr_build_reshape(mr_builder *b, mr_value *x, uint32_t rank, const int64_t *dims);
mr_value *mr_build_transpose(mr_builder *b, mr_value *x, const int64_t *permutation);
mr_value *mr_build_broadcast(mr_builder *b, mr_value *x, const mr_type *type, mr_ints dims);
mr_value *mr_build_compare(mr_builder *b, int direction, int compare_type, mr_value *x, mr_value *y);
mr_value *mr_build_select(mr_builder *b, mr_value *p, mr_value *t, mr_value *f);
// A scalar spread over all of `type`'s dims (element type of x).
mr_value *mr_build_spread(mr_builder *b, mr_value *x, const mr_type *type);
// A vector along dimension `dim` of `type`.
mr_value *mr_build_along(mr_builder *b, mr_value *x, const mr_type *type, int64_t dim);
// Slice from `start` to `limit` in steps of `strides`, each a number for every dimension of `x`.
mr_value *mr_build_slice(mr_builder *b, mr_value *x, const mr_type *type, const int64_t *start, const int64_t *limit,
                         const int64_t *strides);
// Slice of one dimension: [from, to).
mr_value *mr_build_slice_dim(mr_builder *b, mr_value *x, uint32_t dim, int64_t from, int64_t to);
// So many elements of `fill`, a scalar, before and behind along one dimension; x itself where there are none.
mr_value *mr_build_pad_dim(mr_builder *b, mr_value *x, uint32_t dim, int64_t low, int64_t high, mr_value *fill);
// As many elements of each dimension as `sizes` says, from starts that are integer scalars, which are moved so that they are inside.
mr_value *mr_build_dynamic_slice(mr_builder *b, mr_value *x, mr_value *const *starts, const int64_t *sizes);
// `size` elements of one dimension from `start` on, an integer scalar, which is moved so that they are inside.
mr_value *mr_build_dynamic_slice_dim(mr_builder *b, mr_value *x, uint32_t dim, mr_value *start, int64_t size);
// `x` with `window` stored from `starts` on, integer scalars, which are moved so that the window is inside.
mr_value *mr_build_dynamic_update_slice(mr_builder *b, mr_value *x, mr_value *window, mr_value *const *starts);
mr_value *mr_build_concatenate(mr_builder *b, uint32_t count, mr_value *const *values, int64_t dim);
mr_value *mr_build_iota(mr_builder *b, const mr_type *type, int64_t dim);
mr_value *mr_build_bitcast(mr_builder *b, mr_value *x, const mr_type *type);
// reduce of x over dims with one elementwise kind (add, maximum, ..).
mr_value *mr_build_reduce(mr_builder *b, mr_op_kind kind, mr_value *x, mr_value *init, mr_ints dims);
// A region of one block ends: return these.
void mr_build_return(mr_builder *b, uint32_t count, mr_value *const *values);

mr_value *mr_block_add_arg(mr_module *module, mr_block *block, const mr_type *type);
mr_block *mr_block_create(mr_module *module, mr_op *parent, mr_function *function);
// Attributes: set replaces. Data is copied into the arena.
mr_attr *mr_op_set_attr(mr_module *module, mr_op *op, mr_attr attr);  // copies the struct, not what it points to
void mr_op_set_int(mr_module *module, mr_op *op, mr_attr_key key, int64_t value);
void mr_op_set_ints(mr_module *module, mr_op *op, mr_attr_key key, mr_ints values);
void mr_op_set_string(mr_module *module, mr_op *op, mr_attr_key key, mr_str value);
void mr_op_copy_attrs(mr_module *module, mr_op *to, const mr_op *from);  // keyed and extra; those of `to` are replaced
// A dense value for mr_build_constant: `data` is copied into the arena and becomes a splat when all elements are equal.
mr_dense mr_dense_make(mr_module *module, const mr_type *type, const void *data);

// ---- Reading ------------------------------------------------------------------------------------------------------------------

static inline mr_module *mr_op_module(const mr_op *op) { return op->block->function->module; }
static inline mr_value *mr_op_operand(const mr_op *op, uint32_t i) { return op->operands[i].value; }
static inline mr_value *mr_op_result(mr_op *op, uint32_t i) { return &op->results[i]; }
const mr_attr *mr_op_attr(const mr_op *op, mr_attr_key key);  // NULL when absent
int64_t mr_op_int(const mr_op *op, mr_attr_key key, int64_t fallback);
mr_ints mr_op_ints(const mr_op *op, mr_attr_key key);  // empty when absent
bool mr_ints_has(mr_ints ints, int64_t value);
int64_t mr_ints_find(mr_ints ints, int64_t value);      // where it is first; -1: nowhere
bool mr_ints_count_up(mr_ints ints);                    // 0, 1, 2 and so on
mr_str mr_op_string(const mr_op *op, mr_attr_key key);  // empty when absent
// What who fills op->attrs himself takes room for: mr_op_set_attr() counts on a power of two.
uint32_t mr_op_attr_room(uint32_t count);
const mr_attr *mr_op_extra(const mr_op *op, const char *name);  // NULL when absent
bool mr_value_has_one_use(const mr_value *value);
static inline bool mr_value_is_unused(const mr_value *value) { return value->uses == NULL; }
// The constant behind a value, or NULL.
const mr_dense *mr_value_constant(const mr_value *value);
// A constant all of whose elements are equal: fills the element's bytes (16 at most) and returns true.
bool mr_value_splat(const mr_value *value, void *out_element);
mr_op *mr_block_terminator(const mr_block *block);  // the last op when it is a return, else NULL
// The op that a region of two arguments folds them with, when it is one of those whose order does not matter (add, multiply, maximum,
// minimum, and, or, xor) and nothing else but constraints of Shardy; MR_OP_COUNT: another one.
mr_op_kind mr_block_fold_kind(const mr_block *region);
// Bounds on every element of an integer (or i1) tensor: constants, counts, loop counters, arithmetic that does not wrap, at
// the least what the type holds. False when nothing can be said. Looks at a bounded number of ops.
bool mr_value_range(const mr_value *value, int64_t *out_low, int64_t *out_high);
// How often a while's body runs, when it counts from a constant to a constant.
bool mr_while_trips(const mr_op *loop, int64_t *out_trips);
// True when the slot grows by the same positive constant each round.
bool mr_while_step(const mr_op *loop, uint32_t slot, int64_t *out_step);
// How many operands of a chlo.scan are inputs, and how many carries follow them. False when the op does not say.
bool mr_scan_segments(const mr_op *op, uint32_t *out_inputs, uint32_t *out_carries);
// The dimensions of the left operand of a chlo.ragged_dot that its group sizes may vary along, outermost first; there is
// room for 2 * MR_MAX_RANK.
uint32_t mr_ragged_prefix(const mr_op *op, int64_t ragged, int64_t *out_dims);

// ---- Changing -------------------------------------------------------------------------------------------------------------------

void mr_op_set_operand(mr_op *op, uint32_t index, mr_value *value);
// Keeps the operands with keep[i].
void mr_op_filter_operands(mr_op *op, const bool *keep);
void mr_value_replace_all_uses(mr_value *from, mr_value *to);
// Unlinks an op whose results have no uses; its operands' uses go away too, regions included.
void mr_op_erase(mr_op *op);
void mr_op_move_before(mr_op *op, mr_op *where);
void mr_op_move_to_end(mr_op *op, mr_block *block);
// Copies an op with its regions before builder's point. `map` gives the value for each operand defined outside.
typedef struct mr_value_map mr_value_map;
mr_value_map *mr_value_map_create(mr_module *module);  // in the arena
void mr_value_map_set(mr_value_map *map, const mr_value *from, mr_value *to);
mr_value *mr_value_map_get(const mr_value_map *map, mr_value *from);  // `from` itself when not mapped
mr_op *mr_op_clone(mr_builder *builder, const mr_op *op, mr_value_map *map);
// Copies the ops of a block except its terminator; `map` already gives a value for each argument. False without memory.
bool mr_block_clone_into(mr_builder *builder, const mr_block *block, mr_value_map *map);
// Gives all regions of `from` to `to`, which must have as many; `from` is left with empty ones.
void mr_op_take_regions(mr_op *to, mr_op *from);
// Moves the ops of a block except its terminator before `where`.
void mr_block_splice_before(mr_block *block, mr_op *where);
// Keeps the arguments with keep[i]; the others must be unused.
void mr_block_filter_args(mr_block *block, const bool *keep);
// Takes an op's uses of other values away: it can only be erased then.
void mr_op_drop_operands(mr_op *op);

// ---- Walking --------------------------------------------------------------------------------------------------------------------

// Every op below `root` in program order, an op before the ops of its regions: start with mr_walk_first(root) and go on
// until NULL. mr_walk_skip does not enter op's regions. Constant stack; one step may look at several empty regions.
mr_op *mr_walk_first(const mr_block *root);
mr_op *mr_walk_next(const mr_op *op, const mr_block *root);
mr_op *mr_walk_skip(const mr_op *op, const mr_block *root);
// True when `block` is `ancestor` or lies inside one of its ops.
bool mr_block_is_inside(const mr_block *block, const mr_block *ancestor);

// Numbers: values of a function densely (value->id), ops of a block in order (op->order).
void mr_function_number(mr_function *function);
void mr_block_number(mr_block *block);

// ---- Shape rules (ops/infer is the compiler's: compiler/ir/infer.c) ----------------------------------------------------------

// Result types from operands, attributes and regions by the op's rule; rule "declared" keeps what is there and checks
// counts. INVALID_ARGUMENT names op, value found and value wanted.
mr_status mr_op_infer(mr_module *module, const mr_op *op, mr_type *out_types /* num_results */) MR_WARN_UNUSED;
// As infer, then compares with the result types the op has.
mr_status mr_op_check(mr_module *module, const mr_op *op) MR_WARN_UNUSED;
// INVALID_ARGUMENT, and UNIMPLEMENTED, that name the op and its place first: line and column, or the byte.
mr_status mr_op_error(const mr_op *op, const char *format, ...) MR_PRINTF(2, 3) MR_WARN_UNUSED;
mr_status mr_unimplemented(const mr_op *op, const char *format, ...) MR_PRINTF(2, 3) MR_WARN_UNUSED;

#endif
