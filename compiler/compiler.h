// compiler: program bytes and options in, an executable out; an executable and buffers in, buffers out.
//
// Threads: compiling and executing may happen from any threads at once; what an executable computes never changes.
// Ownership: an executable is counted. Buffers given are borrowed, donated ones are marked deleted.
//
//   mr_executable *executable;
//   MR_TRY(mr_compile((mr_span){bytes, size}, NULL, &executable));
//   mr_buffer *results[1];
//   mr_future *done;   // NULL when everything is finished already
//   MR_TRY(mr_execute(executable, device, NULL, arguments, 2, results, &done));
#ifndef MR_COMPILER_COMPILER_H
#define MR_COMPILER_COMPILER_H

#include "core/ref.h"
#include "core/stop.h"
#include "devices/devices.h"

typedef struct mr_executable mr_executable;

// ---- Programs over several devices ------------------------------------------------------------------------------------

// How an array lies over the devices of a program, as HLO says it and hosts of it: tiles in a grid, and for each place of the grid
// the logical device that has the tile. Devices are an iota over reshape_dims, transposed, or a list.
typedef enum mr_tile_kind { MR_TILE_REPLICATED, MR_TILE_MAXIMAL, MR_TILE_MANUAL, MR_TILE_OTHER } mr_tile_kind;
// What devices along a trailing dimension of the grid hold, in HLO's numbers: the same, what the program says, parts of a sum.
typedef enum mr_tile_last {
  MR_TILE_LAST_REPLICATED = 0,
  MR_TILE_LAST_MANUAL = 4,
  MR_TILE_LAST_UNREDUCED = 6
} mr_tile_last;
typedef struct mr_tile_sharding {
  mr_tile_kind kind;
  uint32_t tile_rank;  // OTHER: the array's dimensions, then the trailing ones
  const int64_t *tile_dims;
  uint32_t reshape_rank;  // 0: there is a list
  const int64_t *reshape_dims;
  const int32_t *transpose;
  size_t num_devices;  // of the list; MAXIMAL: one
  const int64_t *devices;
  bool replicate_on_last;  // one trailing dimension, over which devices hold the same
  uint32_t num_last;       // else: trailing dimensions, an mr_tile_last each
  const uint8_t *last_tile_dims;
} mr_tile_sharding;

// An operand or a result of a custom call, on global dimensions. Tiles may be NULL: nothing is known.
typedef struct mr_shard_value {
  mr_dtype dtype;
  size_t rank;
  const int64_t *dims;
  const mr_tile_sharding *tiles;
} mr_shard_value;
typedef struct mr_shard_call {
  mr_str target, backend_config;
  const mr_shard_value *operands, *results;
  size_t num_operands, num_results;
} mr_shard_call;
// A host's answer: how operands are to come and results are, and the program that does it on each device's part of them.
typedef struct mr_shard_answer {
  const mr_tile_sharding *operands, *results;
  mr_span program;
} mr_shard_answer;
// What the host of a compilation is asked while a program is partitioned. Called by the thread that compiles, which holds no lock.
// Answers are in the arena given.
typedef struct mr_shard_host {
  void *context;
  // Whether the host partitions calls of this target itself; whether each element of their leading dimensions is done alike.
  bool (*has_partitioner)(void *context, mr_str target);
  bool (*is_batch_partitionable)(void *context, mr_str target);
  mr_status (*partition)(void *context, const mr_shard_call *call, mr_arena *arena, mr_shard_answer *out_answer);
  // Shows the host what propagation decided for the operand of a call of InspectSharding, whose backend_config is given.
  mr_status (*inspect)(void *context, mr_str backend_config, const mr_tile_sharding *tiles);
} mr_shard_host;

// What the bytes of a program are. MLIR: bytecode or text, as the first bytes tell. HLO: a serialized HloModuleProto of XLA, alone or in
// a HloModuleProtoWithConfig, of which only the module is read.
typedef enum mr_program_format { MR_PROGRAM_MLIR, MR_PROGRAM_HLO, MR_PROGRAM_HLO_WITH_CONFIG } mr_program_format;

struct mr_module;
struct mr_shard_boundary;
// Looks at a program on its way, so that who wants to show it need not read it and cut it once more. Called by the thread that compiles;
// what is answered other than OK is what the compilation answers. Either function may be NULL. What is passed may be printed and written
// (compiler/ir, compiler/writer), and not kept or changed.
typedef struct mr_compile_watcher {
  void *context;
  // As it came; nothing is checked yet.
  mr_status (*read)(void *context, const struct mr_module *module);
  // As the passes leave it: still StableHLO, before fusion makes kernels of it. `boundary`: see compiler/shard.
  mr_status (*optimized)(void *context, const struct mr_module *module, const struct mr_shard_boundary *boundary);
} mr_compile_watcher;

typedef struct mr_shape {
  const int64_t *dims;
  size_t rank;
} mr_shape;

// How far a compilation is, for whoever looks from another thread, and what ends it before the next kernel.
typedef struct mr_compile_progress {
  _Atomic(uint32_t) kernels, all;  // relaxed: they are shown
  const mr_stop_word *stop;        // NULL: nothing ends it
} mr_compile_progress;

typedef struct mr_compile_options {
  mr_program_format format;
  uint32_t num_replicas, num_partitions;  // 0: what the program says, else 1
  const mr_shard_host *host;              // borrowed; NULL: there is nobody to ask
  const mr_compile_watcher *watcher;      // borrowed; NULL: nobody looks
  bool leaves_layouts;  // results of layout_mode "auto" may come in another order of dimensions, which mr_port tells
  // For a program that leaves sizes open: a shape for each of its parameters. Not kept; 0: the program's own.
  const mr_shape *shapes;
  size_t num_shapes;
  mr_compile_progress *progress;  // borrowed; NULL: nobody asks
  bool round_steps;               // bf16 rounds in front of a conversion to f32 too (compiler/passes/excess.c)
  // What the device that the program will run on can do (mr_device_figures): decides how long it takes, and nothing of what it
  // computes. Not kept; NULL: as the defaults say.
  const mr_figures *figures;
  // What the device runs (mr_device_target). Not kept; NULL: native code of this process.
  const mr_target *target;
} mr_compile_options;

// Readies the compiler in the background, on a worker of the platform: what a client calls when it is created, and measures the
// machine where that was never done (devices/figures.h). NULL: nothing was begun. Ended before the platform is released.
mr_future *mr_compiler_warm_up(mr_platform *platform) MR_WARN_UNUSED;
void mr_compiler_warm_up_end(mr_future *take_warm);  // waits for some 20 ms at most

// The bytes are not kept.
mr_status mr_compile(mr_span program, const mr_compile_options *options, mr_executable **out_executable) MR_WARN_UNUSED;
mr_executable *mr_executable_retain(mr_executable *executable);
void mr_executable_release(mr_executable *executable);
// Something of the host's, once, which goes with it; NULL where there is none.
void mr_executable_set_host(mr_executable *executable, void *take_host, void (*drop)(void *host));
void *mr_executable_host(const mr_executable *executable);

// One parameter or result.
typedef struct mr_port {
  mr_dtype dtype;
  size_t rank;
  const int64_t *dims;  // of one device's part, as bytes
  size_t bytes;
  // Of the whole array, and how it lies over the devices: NULL when the program is for one device.
  const int64_t *global_dims;
  const mr_tile_sharding *tiles;
  mr_memory_kind memory;
  bool is_token;
  bool donated;   // parameters: tf.aliasing_output or jax.buffer_donor
  int32_t alias;  // parameter: the result it aliases, result: the parameter; -1: none
  // Results that the host left open how they lie (leaves_layouts): `dims` are those of memory, and the array's own number of each is
  // here, from the outermost to the innermost. NULL: the array's own order.
  const uint32_t *order;
  mr_str layout;    // what mhlo.layout_mode asked for ("default", "auto", "{1,0}"), empty when nothing
  mr_str sharding;  // Shardy text, empty when nothing
  mr_str name;      // what the program calls it (jax.arg_info or its location, jax.result_info), empty when nothing
} mr_port;

// What a program says of itself before it is compiled, its sizes as far as they are known.
typedef struct mr_signature_port {
  mr_str name;  // as of mr_port
  mr_dtype dtype;
  size_t rank;
  const int64_t *dims;    // -1: it is left open
  const mr_str *symbols;  // by dimension: of which of the program's sizes it is the value, or empty; NULL: of none
  bool is_token, donated;
  int32_t alias;  // as of mr_port
} mr_signature_port;
typedef struct mr_signature {
  mr_arena arena;
  mr_str name;
  uint32_t num_replicas, num_partitions, num_params, num_results;
  mr_signature_port *params, *results;
  bool is_open;
} mr_signature;
mr_status mr_signature_read(mr_span program, mr_program_format format, mr_signature **out_signature) MR_WARN_UNUSED;
void mr_signature_free(mr_signature *signature);

// Where in the whole array the part of a logical device (replica * partitions + partition) begins, a number for each dimension.
void mr_port_offsets(const mr_port *port, int64_t device, int64_t *out_offsets);

mr_str mr_executable_name(const mr_executable *executable);
size_t mr_executable_param_count(const mr_executable *executable);
const mr_port *mr_executable_param(const mr_executable *executable, size_t index);
size_t mr_executable_result_count(const mr_executable *executable);
const mr_port *mr_executable_result(const mr_executable *executable, size_t index);
// How many devices run it together, replicas times partitions, and how many partitions these are.
uint32_t mr_executable_row_count(const mr_executable *executable);
uint32_t mr_executable_partition_count(const mr_executable *executable);
// Some op in which these devices meet or send each other something, by its name; NULL: there is none, and each may run alone. Static.
const char *mr_executable_meeting(const mr_executable *executable);
// INVALID_ARGUMENT with both names when the device takes other code than the program was compiled to.
mr_status mr_executable_check_device(const mr_executable *executable, const mr_device *device) MR_WARN_UNUSED;
// Brings what a device needs of the program to it before the first execution does: where the device's driver compiles, what it takes
// long for, and may refuse.
mr_status mr_executable_load(mr_executable *executable, mr_device *device) MR_WARN_UNUSED;
// 128 bits over the program and the options, as 32 hex digits.
const char *mr_executable_fingerprint(const mr_executable *executable);

typedef struct mr_executable_stats {
  uint64_t flops, bytes_accessed, transcendentals;
  uint64_t argument_bytes, result_bytes, alias_bytes, temp_bytes, code_bytes, constant_bytes;
  uint64_t host_argument_bytes, host_result_bytes, host_alias_bytes;  // of the first three, in host memory
  uint64_t cost_ns;                                                   // what a run takes, by one core's estimate
  uint64_t kernels, library_calls, steps;
  bool unbounded;                      // a loop may go on for long, or for ever
  uint64_t compile_ns, compile_bytes;  // compile_bytes: of the program and all that the passes and the plan made of it
} mr_executable_stats;
mr_executable_stats mr_executable_stats_of(const mr_executable *executable);
// Calls visit(context, key, object) for every kernel of the plan; kernels that several steps share come several times.
// The object is what mr_kernel_preload() (compiler/codegen) takes.
void mr_executable_each_kernel(const mr_executable *executable,
                               void (*visit)(void *context, mr_hash128 key, mr_span object), void *context);

// Whether some step calls what belongs to the host: handlers of custom calls, its callbacks for sends and receives.
bool mr_executable_calls_host(const mr_executable *executable);
// Whether some step, or one in a loop or branch, is a call of the host's by that name.
bool mr_executable_calls_target(const mr_executable *executable, mr_str target);

// One step of the main sequence.
typedef struct mr_step_info {
  const char *name, *kind;  // "kernel", "library", "copy", "while", "case"
  uint64_t cost_ns;         // one core's estimate
  uint64_t flops, bytes;    // bytes: of the buffers that it has
  uint64_t pieces;          // into how many pieces it may be cut; 1: not known to be cut
} mr_step_info;
void mr_executable_each_step(const mr_executable *executable,
                             void (*visit)(void *context, uint32_t step, const mr_step_info *info), void *context);
// One strand of the main sequence: steps that run one after the other, beside those of other strands. A plan that is one straight call
// has one strand.
typedef struct mr_strand_info {
  uint32_t first, count;      // steps
  uint64_t cost_ns, rank_ns;  // rank: the longest way from its start to the end
  const uint32_t *inputs;     // strands that it comes after
  uint32_t num_inputs;
} mr_strand_info;
void mr_executable_each_strand(const mr_executable *executable,
                               void (*visit)(void *context, uint32_t strand, const mr_strand_info *info),
                               void *context);
// The plan as text for people, appended to `text`: the optimised program when MILLRACE_DUMP was set while it was compiled,
// then every step with its buffers and estimated cost.
void mr_executable_print(const mr_executable *executable, mr_text *text);
// The steps alone, each also with the bytes that it reads and writes, a loop in each round.
void mr_executable_print_plan(const mr_executable *executable, mr_text *text);
// Shows the program to the options' watcher and makes nothing of it.
mr_status mr_optimize(mr_span program, const mr_compile_options *options) MR_WARN_UNUSED;
// The steps and what flows between them, as a picture in the DOT language.
void mr_executable_draw(const mr_executable *executable, mr_text *text);

// What an embedder wants its custom calls to find while one execution runs. Counted: an execution that goes on after
// mr_execute() returned has a reference of its own.
typedef struct mr_call_context {
  mr_ref ref;
  void (*destroy)(struct mr_call_context *context);  // by the last release
  const char *location;  // where the embedder called from, for errors and traces; NULL: not said
  // Optional. The execution has failed or was cancelled: calls that it waits for end soon, and so do those that begin from here on.
  // Any thread, any number of times; `status` is borrowed.
  void (*stop)(struct mr_call_context *context, mr_status status);
} mr_call_context;
// The context of the execution that this thread is working on; NULL when it was given none. Borrowed.
mr_call_context *mr_call_context_current(void);

// By parameter, whether an execution donates it as the program says.
const bool *mr_executable_donates(const mr_executable *executable);
// The same for an execution that leaves out `count` of them, named by index; indices of no parameter say nothing.
void mr_executable_donates_except(const mr_executable *executable, const int64_t *except, size_t count,
                                  bool *out_donates);

// Ends executions from outside: those that were given it and are not over, and those that are given it later. Counted.
typedef struct mr_stopper mr_stopper;
mr_status mr_stopper_create(mr_stopper **out_source) MR_WARN_UNUSED;
void mr_stopper_release(mr_stopper *source);  // NULL is fine
// 0 until it stops; there as long as the source.
const mr_stop_word *mr_stopper_word(const mr_stopper *source);
// The first status is what they end with; MR_OK: CANCELLED. Any thread: waiters of the executions are called on it.
//
// Who waits for such an execution is told at once. The execution itself ends with the step that it is in, or within two rounds of a loop of
// several steps, a thousand rounds of one that became a kernel; it waits no longer in a meeting, or for a call of the host's that has
// returned and goes on. It lets go of what it holds when it has ended. What nobody can end goes on until it is over, and counts
// for its device: a call that the host has not returned from, a library's, and a kernel that a device's own driver has compiled.
void mr_stopper_stop(mr_stopper *source, mr_status take_status);

typedef struct mr_execute_options {
  const bool *donates;       // by parameter, what is donated of what the program would; NULL: all of it
  mr_call_context *context;  // borrowed; may be NULL
  // mr_execute() alone: which device of a program over several it is, of which the others do not take part.
  uint32_t replica, partition;
  // When the call returns, the program has called the host for the last time if its arguments are there, whatever that takes; what comes after
  // that may still run. On a worker it has begun.
  bool here;
  mr_stopper *stop;      // borrowed; may be NULL
  uint64_t deadline_ns;  // of mr_now_ns(): it is stopped then, with DEADLINE_EXCEEDED; 0: none
  // From -100 to 100: of what waits for a worker, those above 0 come first; 0 with a deadline counts as 1.
  int8_t priority;
  bool elsewhere;  // not on the calling thread
  bool unheld;     // the calling thread is not held up, however much is queued
  // mr_execute() alone, on a direct device: by result, the block that it is written to (mr_executable_result_has_block); a NULL one, or NULL: one
  // is made. Borrowed.
  mr_storage *const *places;
} mr_execute_options;

// Whether the result is written to a block of its own, and not to that of an argument.
bool mr_executable_result_has_block(const mr_executable *executable, size_t index);

// Starts one execution on a device: of a program for one, or of one over several in which nobody meets. Arguments are checked (count,
// dtype, dims) against the parameters. A small program whose arguments are ready has run when this returns (*out_done NULL); otherwise
// results are pending buffers and *out_done a counted future that the caller owns; a result may be ready before that is set, and stays
// when the rest fails afterwards. On error nothing is produced, and nothing is donated but what the program writes to when it was one
// of its steps that failed.
mr_status mr_execute(mr_executable *executable, mr_device *device, const mr_execute_options *options,
                     mr_buffer *const *arguments, size_t num_arguments, mr_buffer **out_results,
                     mr_future **out_done) MR_WARN_UNUSED;

// One device of a program over several: which replica and partition it is, and what it gets and gives, as with mr_execute().
typedef struct mr_row {
  mr_device *device;
  uint32_t replica, partition;
  const mr_execute_options *options;  // may be NULL
  mr_buffer *const *arguments;
  mr_buffer **results;  // room for them
  mr_future *done;      // out: NULL, or a counted future of the caller's
} mr_row;
// Starts one execution over as many devices as the program is for, in any order of rows. All is checked and made before any begins. The
// first that fails fails all that are not over, with its status and which one it was.
mr_status mr_execute_rows(mr_executable *executable, mr_row *rows, size_t num_rows,
                          size_t num_arguments) MR_WARN_UNUSED;

// ---- Custom calls -----------------------------------------------------------------------------------------------------

struct mr_op;
struct mr_library_call;
// Makes the call for a custom_call op (compiler/ir/ir.h): its buffers are the operands, then the results, dense and
// row-major. Leaves *out_call NULL for a target it does not know.
typedef mr_status (*mr_custom_call_maker)(const struct mr_op *op, struct mr_library_call **out_call);
// Asked for every custom call that the compiler has no rule for, and for every send and recv. One per process; set it before compiling.
void mr_set_custom_call_maker(mr_custom_call_maker maker);

// Called with every program as it was read, before the compiler's own passes: for what an embedder's custom calls stand for that is
// no call. One per process; set it before compiling.
typedef mr_status (*mr_first_pass)(struct mr_module *module);
void mr_passes_set_first(mr_first_pass first);

#endif
