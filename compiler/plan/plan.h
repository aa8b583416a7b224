// plan: what an executable is. Steps in order, with nested sequences for loops and branches, over a table of buffers.
// Private to compiler/plan, the rooms above it and mr_compile.
//
// A buffer is a place: part of the run's one temporary block (packed at compile time so that buffers whose lives do not
// overlap share memory), a parameter's or result's storage, or a constant. Values of the program are mapped to buffers
// when the plan is made; nothing here is looked up by name when it runs.
#ifndef MR_COMPILER_PLAN_PLAN_H
#define MR_COMPILER_PLAN_PLAN_H

#include "compiler/codegen/clc_fft.h"
#include "compiler/codegen/codegen.h"
#include "compiler/compiler.h"
#include "compiler/ir/ir.h"
#include "compiler/lower/lower.h"
#include "compiler/plan/graph.h"
#include "compiler/shard/shard.h"
#include "core/size.h"
#include "core/trace.h"
#include "ops/library/library.h"

// ROW: which device of the program's this is, from a list of numbers among the constants.
typedef enum plan_place { PLACE_TEMP, PLACE_PARAM, PLACE_RESULT, PLACE_CONST, PLACE_ROW } plan_place;
typedef enum plan_row_number { ROW_PARTITION, ROW_REPLICA } plan_row_number;
enum { PLAN_ROW_BYTES = 64 };  // between two numbers of the list

// Blocks of constants: the executable's own, and large ones, which programs that have equal ones share (common.c).
typedef enum plan_constants { CONSTANTS_OWN, CONSTANTS_COMMON, PLAN_CONSTANTS } plan_constants;
typedef struct plan_common plan_common;

typedef struct plan_buffer {
  plan_place place;
  bool written;    // PARAM: some step writes it, so the run needs the storage for itself
  bool shared;     // over several devices: steps that run once write it, and all rows have it in one place
  uint32_t index;  // PARAM, RESULT: which; ROW: plan_row_number; CONST: plan_constants
  size_t bytes;
  mr_dtype dtype;  // of the first value in it, for pictures; MR_INVALID: of none that a step has
  uint32_t rank;
  const int64_t *dims;
  size_t offset;  // TEMP: in the temporary block; CONST: in its block of constants; ROW: in the executable's own
  // While planning: first and last position at which the content matters.
  int64_t start, end;
  int64_t taken;      // the last position at which a result was placed here
  uint32_t mentions;  // by what is being planned, between mr_planner_mention and mr_planner_unmention
} plan_buffer;

typedef struct plan_sequence {
  struct plan_step *steps;
  uint32_t count, capacity;
  bool brief;         // a step takes less than is worth a record in a trace
  plan_graph *graph;  // how its steps may overlap; NULL: one straight call
  bool may_pend;      // for compiler/run: a step, or a step in one, may end later than it is begun
  bool calls_host;    // likewise: a step, or a step in one, calls the host
  uint32_t depth;     // likewise: the most places that one strand has to keep at once, in it and in what lies in it
  struct plan_weaving *weaving;  // the graph while it is being made
} plan_sequence;

typedef enum plan_step_kind { STEP_KERNEL, STEP_LIBRARY, STEP_COPY, STEP_WHILE, STEP_CASE } plan_step_kind;

// What a kernel takes on one core, as the first executions had it: its estimate may be several times off. relaxed: a look more or less.
typedef struct plan_learned {
  _Atomic(uint32_t) looks;     // executions that were timed
  _Atomic(uint32_t) least_ns;  // of those after the first, which finds nothing in the caches
  bool once;                   // the step runs once in each execution of the program
} plan_learned;

// A contraction, or a dimension of a Fourier transform, that is a kernel of text by itself: no loop program is made of it.
typedef struct plan_product {
  enum { PRODUCT_MATMUL, PRODUCT_CONV, PRODUCT_FFT } kind;
  union {
    mr_matmul_desc matmul;
    mr_conv_desc conv;
    mr_clc_fft fft;
  };
  double multiplies;
} plan_product;

typedef struct plan_step {
  plan_step_kind kind;
  const char *name;          // for traces; in the plan's arena
  const mr_origin *origin;   // while planning; NULL: the program does not say where it has it from
  const mr_trace_op *trace;  // the executable's description of it (describe.c)
  const char *contents;      // KERNEL of several ops: which; NULL: of one
  uint32_t *buffers;         // KERNEL, LIBRARY: arguments in order; COPY: to, from; WHILE: predicate; CASE: index
  uint8_t
      *access;  // of each of them: MR_L_READ, MR_L_WRITE or both; a result that only changes a part of it is written
  uint32_t num_buffers;
  bool acts;                 // does something besides its results: in program order with all others that do
  bool once;                 // over several devices: the same on all of them, and done once (alike.c)
  int64_t position, finish;  // while planning; finish: of WHILE and CASE
  uint64_t cost_ns;          // one core's estimate
  uint64_t shape_ns;         // the same by the shapes alone, for what decides about results too
  // KERNEL
  mr_launch launch;      // program freed once compiled
  const size_t *shifts;  // in the plan's arena: how many bytes further on each of `buffers` is passed; NULL: none is
  const plan_product *product;  // in the plan's arena, in place of the launch's program; NULL: there is that
  mr_kernel *kernel;            // retained
  mr_kernel_fn function;
  const mr_code_unit
      *unit;  // borrowed from the executable: the text that it is in, and under which name; NULL: native code
  const char *entry;
  plan_learned *learned;  // NULL: the estimate is believed
  // LIBRARY
  mr_library_call *library;  // owned
  uint32_t num_inputs;       // of `buffers`; the others are written
  uint32_t scratch;          // buffer number, UINT32_MAX: none
  // COPY
  size_t bytes;
  uint64_t
      touched;  // bytes that it reads and writes, as shapes tell; WHILE: each round; CASE: in the branch that touches most
  // WHILE: cond, body; CASE: the branches
  int64_t
      trips;  // WHILE: how many rounds it makes, however they go; -1: what the condition comes to says when it is over
  int64_t rounds;  // WHILE, while planning: the same, also where whoever runs it has no use for it
  plan_sequence *sequences;
  uint32_t num_sequences;
  mr_dtype selector;                                    // CASE: type of the index
  bool may_pend, calls_host;                            // as of a sequence
  uint32_t number;                                      // for compiler/run: among all steps of the executable
  enum { PLAN_MEETS, PLAN_SENDS, PLAN_RECEIVES } mail;  // likewise, LIBRARY that meets
  uint32_t meets_at;  // likewise, LIBRARY that meets: its first place among the executable's, or its channel
  uint32_t due;       // likewise: the step of its sequence, or the end, that it is over before; 0: the next one
  uint32_t slot;      // likewise: where a run keeps it until then
} plan_step;

// The head of what a device that is not direct has made of an executable; the rest is known to who runs it (compiler/run/loaded.c).
typedef struct plan_loaded {
  struct plan_loaded *next;
  void (*destroy)(struct plan_loaded *loaded);  // before the kernels' code goes
} plan_loaded;

struct mr_executable {
  _Atomic(uint32_t) refs;
  mr_arena arena;  // everything below
  mr_str name;
  uint32_t num_params, num_results;
  mr_port *params, *results;
  bool *donates;                   // per parameter
  const uint32_t **result_orders;  // per result, while it is made: NULL or as in mr_port
  plan_buffer *buffers;
  uint32_t num_buffers;
  uint32_t *result_buffers;  // per result: the buffer that holds it
  uint32_t *param_buffers;   // per parameter
  plan_sequence main;
  bool wants_contents;        // some library call keeps things derived from parameters
  uint32_t max_step_buffers;  // the most arguments a step has
  size_t temp_bytes;
  char *constants
      [PLAN_CONSTANTS];  // 64-byte aligned; the first is owned, the second in `common`. NULL: there are none, or all are empty
  size_t constant_bytes[PLAN_CONSTANTS];
  plan_common *common;  // counted; NULL: none
  uint64_t cost_ns;
  uint64_t wake_ns;   // until a worker of the device that it was compiled for begins with what it is handed
  uint64_t share_ns;  // what a share of a kernel takes at least that is handed to another thread
  // The whole program is strand 0 of a run; those of its graphs follow. And where its levels are.
  uint32_t num_strands, num_levels, first_level;
  uint32_t num_steps;  // with those in loops and branches
  // What runs it: any device that takes native code, or, when `for_target`, those that take what `target` says.
  bool for_target;
  mr_target target;
  void *host;  // as of mr_executable_set_host(); NULL: nothing
  void (*drop_host)(void *host);
  struct plan_trips *trips;  // while planning: loops that count, by address
  uint32_t num_trips;
  mr_code_unit *units;  // texts of its kernels
  uint32_t num_units;
  // A program over several devices, and where they meet. In step: nothing but meetings in the main sequence ends later than it begins.
  uint32_t num_replicas, num_partitions;
  mr_meeting_place *places;
  // Of the main sequence: the steps before this one are all that call the host, or have one in them that does; what the others take.
  uint32_t after_host;
  uint64_t after_host_ns;
  uint32_t num_places;
  const mr_collective **channels;
  uint32_t num_channels;
  uint32_t num_open;  // meetings that a row goes on beside
  bool in_step;
  bool unbounded;  // some loop in it may take long, or for ever
  // Steps that are done once for all rows, when what these parameters hold is the same on all, and what they write of the
  // temporary block.
  uint32_t num_once;
  bool *once_params;
  size_t once_first, once_end;
  mr_executable_stats stats;
  char fingerprint[33];
  mr_text text;                 // the optimised program
  mr_trace_program *described;  // owned
  const mr_trace_op *trace;     // in it: the executable itself
  // relaxed, all four: figures that decide where and how precisely something is done, and not what.
  _Atomic(uint64_t) traced_runs;   // high half: in which trace; low half: how many executions it has seen
  _Atomic(uint64_t) less_ns;       // by how much less than `cost_ns` its kernels turned out to hold up who runs them
  _Atomic(bool) host_is_slow;      // the last call into the host that a run made
  _Atomic(uint64_t) traced_ticks;  // of the last execution that the clock was read at both ends of
  _Atomic(plan_loaded *) loaded;   // by device; owned (compiler/run/loaded.c)
};

// ---- For who compiles -----------------------------------------------------------------------------------------------------

// With one reference and nothing in it (executable.c).
mr_status mr_executable_create(mr_executable **out_executable) MR_WARN_UNUSED;
// Results whose layout the host leaves open and a LayoutConstraint of the program's does not are asked for in that one. Before the
// passes, which take constraints away.
mr_status mr_planner_pin_results(mr_module *module) MR_WARN_UNUSED;
// Results whose layout the host leaves open come in the order in which they are made (result_order.c). After the passes.
mr_status mr_planner_order_results(mr_executable *executable, mr_module *module) MR_WARN_UNUSED;
// What the parameters and results are, in the executable's arena, and what they are parts of (ports.c).
mr_status mr_planner_ports(mr_executable *executable, const mr_function *function,
                           const mr_shard_boundary *boundary) MR_WARN_UNUSED;
// Remembers how many rounds loops make that count, before fusion hides it (control.c).
mr_status mr_planner_count_trips(mr_executable *executable, mr_function *function) MR_WARN_UNUSED;
// Large constants of one element become ops that fill a buffer, after fusion (splats.c).
mr_status mr_planner_spread_splats(mr_function *function) MR_WARN_UNUSED;
// Where devices go on beside their meetings: these begin early, and what needs them comes late, after fusion (beside.c).
mr_status mr_planner_order_meetings(mr_module *module, mr_function *function) MR_WARN_UNUSED;
// Buffers and steps of a function whose ports are known, in one straight call (make.c). Temporaries have no offsets yet.
mr_status mr_planner_make(mr_executable *executable, mr_module *module, mr_function *function) MR_WARN_UNUSED;
// A block that holds these bytes, for as many executables as have such a block: each releases it once (common.c). It is 64-byte aligned.
mr_status mr_planner_common_take(mr_span bytes, plan_common **out_common) MR_WARN_UNUSED;
char *mr_planner_common_data(const plan_common *common);
void mr_planner_common_release(plan_common *common);  // NULL is fine
// Which steps of a program over several devices are the same on all of them and done once, when costs and places are known (alike.c).
mr_status mr_planner_once(mr_executable *executable) MR_WARN_UNUSED;
// Counts the steps, which stay where they are from here on, and compiles their kernels, on all cores (kernels.c).
mr_status mr_planner_kernels(mr_executable *executable, mr_module *module) MR_WARN_UNUSED;
// What traces say of the executable and its steps, once these have their numbers (describe.c).
mr_status mr_planner_describe(mr_executable *executable) MR_WARN_UNUSED;

// ---- Making a plan ----------------------------------------------------------------------------------------------------

typedef struct planner {
  mr_executable *executable;
  mr_arena *arena;  // the executable's
  mr_module *module;
  mr_function *function;
  plan_buffer *buffers;
  uint32_t num_buffers, buffer_capacity;
  const mr_origin *origin;            // of the op that steps are made for
  uint32_t *buffer_of;                // by value id; NO_BUFFER
  uint32_t *wanted;                   // by value id: the buffer its content should end in, NO_BUFFER
  int64_t *last_use;                  // by value id
  mr_text constants[PLAN_CONSTANTS];  // data, in order of offset
  size_t row_numbers;                 // among them, one more than where these begin; 0: there are none
  struct plan_mentions *mentions;     // sequence.c: scratch of its steps; NULL before the first
  struct mr_lowering *lowering;       // while kernels are made of ops
} planner;

#define NO_BUFFER UINT32_MAX

// Positions of ops and last uses of values (life.c).
mr_status mr_planner_lives(planner *p) MR_WARN_UNUSED;
int64_t mr_planner_start(const mr_op *op);
int64_t mr_planner_finish(const mr_op *op);
// Devices go on beside their meetings: those come at different times (beside.c).
bool mr_planner_goes_on(const mr_module *module, const mr_function *function);
bool mr_planner_is_meeting(const mr_op *op);
// Of a meeting: the first op of its block that waits for it; NULL: none does. Positions are there.
const mr_op *mr_planner_due(const mr_op *meeting);
// Buffers and steps of a block (assign.c).
mr_status mr_planner_block(planner *p, mr_block *block, plan_sequence *sequence) MR_WARN_UNUSED;
// NO_BUFFER without memory.
static inline uint32_t mr_planner_buffer_of(const planner *p, const mr_value *value) { return p->buffer_of[value->id]; }
// The step reads and writes so many bytes more.
static inline void mr_planner_count_access(planner *p, plan_step *step, uint64_t bytes) {
  uint64_t *accessed = &p->executable->stats.bytes_accessed;
  *accessed = mr_size_add(*accessed, bytes);
  step->touched = mr_size_add(step->touched, bytes);
}
// A buffer that holds the value lives until `position` and the value's last use.
static inline void mr_planner_hold(planner *p, const mr_value *value, uint32_t buffer, int64_t position) {
  plan_buffer *b = &p->buffers[buffer];
  p->buffer_of[value->id] = buffer;
  b->end = MR_MAX(b->end, MR_MAX(position, p->last_use[value->id]));
}
// Steps may write there: it is the run's own memory, or a parameter that is donated.
static inline bool mr_planner_writable(const planner *p, const plan_buffer *buffer) {
  return buffer->place == PLACE_TEMP || (buffer->place == PLACE_PARAM && p->executable->params[buffer->index].donated);
}
uint32_t mr_planner_new_buffer(planner *p, size_t bytes, int64_t start, int64_t end);
plan_step *mr_planner_add_step(planner *p, plan_sequence *sequence, plan_step_kind kind, const char *name,
                               uint32_t num_buffers, int64_t position);
mr_status mr_planner_copy(planner *p, plan_sequence *sequence, uint32_t to, uint32_t from,
                          int64_t position) MR_WARN_UNUSED;
// One mention more of, or less, for the buffer of each operand, so that how many of them lie in one place is not searched for.
void mr_planner_mention(planner *p, const mr_op *op);
void mr_planner_unmention(planner *p, const mr_op *op);
// The value's content should end in this buffer; said of the values that it merely reshapes as well.
void mr_planner_want(planner *p, const mr_value *value, uint32_t buffer);
// Buffers for the results of an op that needs its operands until it is over (assign.c).
mr_status mr_planner_place(planner *p, const mr_op *op, plan_sequence *sequence) MR_WARN_UNUSED;
// While and case (control.c).
mr_status mr_planner_while(planner *p, mr_op *op, plan_sequence *sequence) MR_WARN_UNUSED;
mr_status mr_planner_case(planner *p, mr_op *op, plan_sequence *sequence) MR_WARN_UNUSED;
// What the step touches whenever it is reached: of a loop, in all of its rounds.
uint64_t mr_planner_touched(const plan_step *step);
// Whether a loop looks whether it is to stop, and is not begun on a thread that could stop it: unless it counts, and is over soon.
bool mr_planner_may_take_long(const plan_step *loop);
// Turns a cheap loop or branch into one kernel that contains it; leaves `step` alone when it cannot (sequence.c).
mr_status mr_planner_inline_control(planner *p, plan_step *step) MR_WARN_UNUSED;
// For a contraction: the kernel that it is, in the plan's arena, where the target has one; else NULL (units.c).
mr_status mr_planner_product(planner *p, const mr_op *op, const plan_product **out_product) MR_WARN_UNUSED;
// A Fourier transform as kernels of text, where the target has them; else nothing is added (transform.c).
mr_status mr_planner_transform(planner *p, const mr_op *op, plan_sequence *sequence, bool *out_added) MR_WARN_UNUSED;
// The texts of kernels for a target whose driver compiles them; steps that get no entry are the host's (units.c).
mr_status mr_planner_units(mr_executable *e, mr_module *module, plan_step *const *steps, uint32_t count) MR_WARN_UNUSED;

#endif
