// millrace: run StableHLO programs from C. Load a program, make buffers, execute, read results; all of it asynchronous.
//
// Threads: every function may be called from any thread. Callbacks come on a thread of the engine, or on the caller's
// when what they wait for has happened already; they may call anything here except a wait.
// Ownership: what a function returns through `out_...` belongs to the caller, who gives it back with the matching
// `_release`. Everything passed in is borrowed for the call. Releasing NULL is fine. Release the context last.
// Errors: NULL is success; anything else belongs to the caller, who frees it with millrace_error_free().
// Events: NULL is an event that has happened.
//
//   millrace_context *context;
//   millrace_error *error = millrace_context_create(NULL, &context);
//   millrace_device *device = millrace_context_device(context, 0);
//   millrace_program *program;
//   if (!error) error = millrace_program_load(bytes, size, &program);        // MLIR text or bytecode
//   const int64_t dims[] = {2, 3};
//   millrace_array array = {.data = values, .dtype = MILLRACE_F32, .dims = dims, .rank = 2};
//   millrace_buffer *x, *y;
//   if (!error) error = millrace_buffer_create(device, &array, &x);
//   if (!error) error = millrace_execute(program, device, &x, 1, &y, 1, NULL);
//   if (!error) error = millrace_buffer_read(y, answer, sizeof answer);      // waits for y
//
// Structs with `struct_size` begin with their own size: one that an older header made is shorter, and what it lacks is as if it were 0.
#ifndef MILLRACE_H
#define MILLRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MILLRACE_API __attribute__((visibility("default")))
#define MILLRACE_CHECKED MILLRACE_API __attribute__((warn_unused_result))

// The engine's own structs under public names; what is in them is nobody's business.
typedef struct mr_status_rep millrace_error;
typedef struct mr_platform millrace_context;
typedef struct mr_device millrace_device;  // belongs to its context
typedef struct mr_executable millrace_program;
typedef struct mr_buffer millrace_buffer;
typedef struct mr_future millrace_event;
typedef struct mr_stopper millrace_stop_source;
typedef struct mr_loading millrace_loading;
typedef struct mr_weights millrace_weights;
typedef struct mr_model millrace_model;
typedef struct mr_session millrace_session;
typedef struct mr_completions millrace_completions;
typedef struct mr_transfers millrace_transfers;

// ---- Errors ---------------------------------------------------------------------------------------------------------

// Numbered as PJRT and gRPC number them.
typedef enum millrace_code {
  MILLRACE_OK = 0,
  MILLRACE_CANCELLED = 1,
  MILLRACE_UNKNOWN = 2,
  MILLRACE_INVALID_ARGUMENT = 3,
  MILLRACE_DEADLINE_EXCEEDED = 4,
  MILLRACE_NOT_FOUND = 5,
  MILLRACE_ALREADY_EXISTS = 6,
  MILLRACE_PERMISSION_DENIED = 7,
  MILLRACE_RESOURCE_EXHAUSTED = 8,
  MILLRACE_FAILED_PRECONDITION = 9,
  MILLRACE_ABORTED = 10,
  MILLRACE_OUT_OF_RANGE = 11,
  MILLRACE_UNIMPLEMENTED = 12,
  MILLRACE_INTERNAL = 13,
  MILLRACE_UNAVAILABLE = 14,
  MILLRACE_DATA_LOSS = 15,
  MILLRACE_UNAUTHENTICATED = 16,
} millrace_code;

MILLRACE_API millrace_code millrace_error_code(millrace_error *error);
MILLRACE_API const char *millrace_code_name(millrace_code code);
// Alive as long as the error; "" for NULL.
MILLRACE_API const char *millrace_error_message(millrace_error *error);
MILLRACE_API void millrace_error_free(millrace_error *error);

// ---- Element types --------------------------------------------------------------------------------------------------

// Numbered as PJRT numbers them. Types narrower than a byte take a byte per element, with zeros above their bits: what is written there may
// have others, which do not count.
typedef enum millrace_dtype {
  MILLRACE_INVALID = 0,
  MILLRACE_PRED = 1,
  MILLRACE_S8 = 2,
  MILLRACE_S16 = 3,
  MILLRACE_S32 = 4,
  MILLRACE_S64 = 5,
  MILLRACE_U8 = 6,
  MILLRACE_U16 = 7,
  MILLRACE_U32 = 8,
  MILLRACE_U64 = 9,
  MILLRACE_F16 = 10,
  MILLRACE_F32 = 11,
  MILLRACE_F64 = 12,
  MILLRACE_BF16 = 13,
  MILLRACE_C64 = 14,
  MILLRACE_C128 = 15,
  MILLRACE_F8E5M2 = 16,
  MILLRACE_F8E4M3FN = 17,
  MILLRACE_F8E4M3B11FNUZ = 18,
  MILLRACE_F8E5M2FNUZ = 19,
  MILLRACE_F8E4M3FNUZ = 20,
  MILLRACE_S4 = 21,
  MILLRACE_U4 = 22,
  MILLRACE_TOKEN = 23,
  MILLRACE_S2 = 24,
  MILLRACE_U2 = 25,
  MILLRACE_F8E4M3 = 26,
  MILLRACE_F8E3M4 = 27,
  MILLRACE_F8E8M0FNU = 28,
  MILLRACE_F4E2M1FN = 29,
  MILLRACE_S1 = 30,
  MILLRACE_U1 = 31,
  MILLRACE_F6E2M3FN = 32,
  MILLRACE_F6E3M2FN = 33,
} millrace_dtype;

MILLRACE_API const char *millrace_dtype_name(millrace_dtype dtype);  // as MLIR spells it: "f32"
MILLRACE_API size_t millrace_dtype_bytes(millrace_dtype dtype);

// ---- Context and devices --------------------------------------------------------------------------------------------

typedef struct millrace_context_options {
  size_t struct_size;    // sizeof(millrace_context_options)
  uint32_t num_devices;  // 0: what MILLRACE_NUM_DEVICES says, else 1; the devices share the cores
  // How many executions each device may have under way, and how many MB of arguments these may hold, before a thread that queues another
  // one is held up until enough are over (millrace_execute). 0: what MILLRACE_QUEUE_CALLS and MILLRACE_QUEUE_MB say, else 32 and 1,024;
  // UINT32_MAX: any number.
  uint32_t queue_calls, queue_mb;
} millrace_context_options;

// Starts the engine: threads, memory pools. `options` may be NULL.
MILLRACE_CHECKED millrace_error *millrace_context_create(const millrace_context_options *options,
                                                         millrace_context **out_context);
// After the context's buffers, programs and graphs. Waits for the executions that were queued, except those that wait for an event of the
// caller's or are inside its code for long, and except in a callback.
MILLRACE_API void millrace_context_release(millrace_context *context);
MILLRACE_API size_t millrace_context_device_count(const millrace_context *context);
// NULL when there is no such device.
MILLRACE_API millrace_device *millrace_context_device(const millrace_context *context, size_t index);

typedef struct millrace_device_info {
  int id;
  const char *kind;  // "cpu"
  uint64_t memory_in_use, memory_peak, memory_limit;
} millrace_device_info;
MILLRACE_API millrace_device_info millrace_device_info_of(millrace_device *device);

// What a device has under way: executions that are queued or run, and the bytes of their arguments; and the most that this was.
typedef struct millrace_queue {
  uint32_t calls, peak_calls;
  uint64_t bytes, peak_bytes;
} millrace_queue;
MILLRACE_API millrace_queue millrace_device_queue(millrace_device *device);
// For a thread that is not to be held up: *out_event happens when the device has room for another execution. NULL: it has now.
MILLRACE_CHECKED millrace_error *millrace_device_room(millrace_device *device, millrace_event **out_event);

// ---- Programs -------------------------------------------------------------------------------------------------------

typedef struct millrace_type {
  millrace_dtype dtype;
  const int64_t *dims;  // borrowed from the program or the buffer
  size_t rank;
  size_t bytes;
} millrace_type;

#define MILLRACE_OPEN ((int64_t)-1)  // a dimension whose size the program leaves open

typedef struct millrace_shape {
  const int64_t *dims;
  size_t rank;
} millrace_shape;

// Compiles a StableHLO module: a portable artifact (bytecode) or text. The bytes are not kept.
MILLRACE_CHECKED millrace_error *millrace_program_load(const void *bytes, size_t size, millrace_program **out_program);
// The same for a program that several devices run together. Options may be NULL.
typedef struct millrace_program_options {
  size_t struct_size;                     // sizeof(millrace_program_options)
  uint32_t num_replicas, num_partitions;  // 0: what the program says, else 1
  // One of those that are to run it: a program is for devices of its kind. NULL: the first of the context made last.
  millrace_device *device;
  // Sizes for what the program leaves open, as jax.export does with symbolic shapes: the shape of each parameter, whether it is open or not.
  // Where the program asserts something of them (b <= 64), and it does not hold, this fails with INVALID_ARGUMENT and the program's own words.
  const millrace_shape *shapes;  // NULL: nothing is open
  size_t num_shapes;
  millrace_stop_source *stop;  // ends loading, with the source's error, before the next kernel; NULL: nobody does
  bool keeps_bytes;            // for millrace_program_save(): a copy of `bytes` stays with the program
} millrace_program_options;
MILLRACE_CHECKED millrace_error *millrace_program_load_for(const void *bytes, size_t size,
                                                           const millrace_program_options *options,
                                                           millrace_program **out_program);
MILLRACE_API millrace_program *millrace_program_retain(millrace_program *program);
MILLRACE_API void millrace_program_release(millrace_program *program);

// The same on a thread of the engine's. The bytes, the options and what they point to stay until the event has happened. Ended early by the
// options' stop source.
MILLRACE_CHECKED millrace_error *millrace_program_load_async(const void *bytes, size_t size,
                                                             const millrace_program_options *options,
                                                             millrace_loading **out_loading);
MILLRACE_API millrace_event *millrace_loading_event(millrace_loading *loading);  // owned by the caller
// How many kernels are there of how many; 0 of 0 until the program has been planned.
MILLRACE_API void millrace_loading_progress(const millrace_loading *loading, uint32_t *out_done, uint32_t *out_all);
// Waits for the end, and gives the program, a reference of the caller's own, or the error.
MILLRACE_CHECKED millrace_error *millrace_loading_program(millrace_loading *loading, millrace_program **out_program);
MILLRACE_API void millrace_loading_release(millrace_loading *loading);  // NULL is fine; does not end it

// A file that has the program, what it was compiled for and the machine code of its kernels, for a program that was loaded with
// `keeps_bytes`. Written beside and renamed, so that nobody sees half of one.
MILLRACE_CHECKED millrace_error *millrace_program_save(const millrace_program *program, const char *path);
// Ready without a compiler. FAILED_PRECONDITION with both names where another version, build or processor made it, DATA_LOSS where it
// is damaged. It is machine code: trust it like a library that is opened.
MILLRACE_CHECKED millrace_error *millrace_program_open(const char *path, millrace_program **out_program);
// How many devices run it together: replicas times partitions.
MILLRACE_API size_t millrace_program_device_count(const millrace_program *program);
MILLRACE_API size_t millrace_program_parameter_count(const millrace_program *program);
MILLRACE_API size_t millrace_program_result_count(const millrace_program *program);
// The type of one parameter or result; `index` is below the count. Of a program for several devices: of the part that each has.
MILLRACE_API millrace_type millrace_program_parameter(const millrace_program *program, size_t index);
MILLRACE_API millrace_type millrace_program_result(const millrace_program *program, size_t index);
// The whole array that these are parts of, and where the part of a row begins in it, a number for each dimension. Rows that have the
// same part have it in equal copies.
MILLRACE_API millrace_type millrace_program_whole_parameter(const millrace_program *program, size_t index);
MILLRACE_API millrace_type millrace_program_whole_result(const millrace_program *program, size_t index);
MILLRACE_API void millrace_program_parameter_part(const millrace_program *program, size_t index, size_t row,
                                                  int64_t *out_offsets);
MILLRACE_API void millrace_program_result_part(const millrace_program *program, size_t index, size_t row,
                                               int64_t *out_offsets);
// What the program calls them: "x", "params['w']", "result['y']". "" where it does not say. As long as the program.
MILLRACE_API const char *millrace_program_parameter_name(const millrace_program *program, size_t index);
MILLRACE_API const char *millrace_program_result_name(const millrace_program *program, size_t index);

// What one execution takes on one device, known before the first. In bytes, but for the operations.
typedef struct millrace_program_costs {
  uint64_t argument_bytes, result_bytes, donated_bytes;  // donated: of the results, in arguments' memory
  uint64_t temporary_bytes;                              // while it runs
  uint64_t constant_bytes, code_bytes;                   // of the program, once
  uint64_t flops;
  uint64_t estimate_ns;  // on one core
  uint64_t compile_ns;   // what loading took
  uint64_t kernels, library_calls, steps;
  bool unbounded;  // a loop may go on for long, or for ever, whatever the estimate says
} millrace_program_costs;
MILLRACE_API millrace_program_costs millrace_program_costs_of(const millrace_program *program);
// True when executing gives the parameter's memory away: the buffer passed cannot be used afterwards.
MILLRACE_API bool millrace_program_donates(const millrace_program *program, size_t index);

// ---- Buffers --------------------------------------------------------------------------------------------------------

typedef struct millrace_array {
  const void *data;
  millrace_dtype dtype;
  const int64_t *dims;
  size_t rank;
  const int64_t *byte_strides;  // NULL: dense, the last dimension fastest
} millrace_array;

// A tensor on a device with a copy of the array's elements.
MILLRACE_CHECKED millrace_error *millrace_buffer_create(millrace_device *device, const millrace_array *array,
                                                        millrace_buffer **out_buffer);
// The same without a copy where that is possible: the array must not change until unused(argument) is called, which
// happens once, from any thread, also before this returns. Not called when this fails.
MILLRACE_CHECKED millrace_error *millrace_buffer_wrap(millrace_device *device, const millrace_array *array,
                                                      void (*unused)(void *argument), void *argument,
                                                      millrace_buffer **out_buffer);
MILLRACE_API millrace_buffer *millrace_buffer_retain(millrace_buffer *buffer);
MILLRACE_API void millrace_buffer_release(millrace_buffer *buffer);
MILLRACE_API millrace_type millrace_buffer_type(const millrace_buffer *buffer);
// Happens when the buffer has its content, or the error that it got instead. Owned by the caller.
MILLRACE_API millrace_event *millrace_buffer_ready(millrace_buffer *buffer);
// Waits for the content and copies it, dense; `size` is the buffer's size in bytes.
MILLRACE_CHECKED millrace_error *millrace_buffer_read(millrace_buffer *buffer, void *to, size_t size);
// Copies when the content is there; `to` belongs to the engine until the event happens.
MILLRACE_CHECKED millrace_error *millrace_buffer_read_async(millrace_buffer *buffer, void *to, size_t size,
                                                            millrace_event **out_event);
// A copy of it on `device`, of any kind, that gets its content when the buffer has its own; also on the buffer's own device. The
// content goes from device to device where they reach each other, and by way of the host's memory otherwise.
MILLRACE_CHECKED millrace_error *millrace_buffer_copy(millrace_buffer *buffer, millrace_device *device,
                                                      millrace_buffer **out_copy);
// Where the content lies, dense, once the buffer is ready, which this waits for; as long as it is mapped the memory stays, and a call
// that the buffer is donated to takes a copy. Not to be written. UNIMPLEMENTED where the host does not address the device's memory.
MILLRACE_CHECKED millrace_error *millrace_buffer_map(millrace_buffer *buffer, const void **out_data);
MILLRACE_API void millrace_buffer_unmap(millrace_buffer *buffer);  // once for each map

// Buffers that exist before their content does, which comes piece by piece: programs may be given them at once.
MILLRACE_CHECKED millrace_error *millrace_transfers_create(millrace_device *device, const millrace_type *types,
                                                           size_t num_types, millrace_transfers **out_transfers);
// A reference of the caller's own, any number of times.
MILLRACE_CHECKED millrace_error *millrace_transfers_buffer(millrace_transfers *transfers, size_t index,
                                                           millrace_buffer **out_buffer);
// Bytes of one of them; pieces may come in any order, from any threads. `data` stays until the event (NULL: it is over). `last`: no other
// piece of this buffer comes after this call, and it is ready when all are there. What was never sent has any content.
MILLRACE_CHECKED millrace_error *millrace_transfers_send(millrace_transfers *transfers, size_t index, const void *data,
                                                         size_t offset, size_t size, bool last,
                                                         millrace_event **out_event);
// The buffer, and what was to use it, fails with the error. FAILED_PRECONDITION when its last piece was sent.
MILLRACE_CHECKED millrace_error *millrace_transfers_fail(millrace_transfers *transfers, size_t index,
                                                         millrace_error *take_error);
// Buffers whose last piece was not sent fail with CANCELLED. NULL is fine.
MILLRACE_API void millrace_transfers_release(millrace_transfers *transfers);

// ---- Execution ------------------------------------------------------------------------------------------------------

// Queues one execution and returns buffers that get their content later; they may be passed on at once. A small program
// whose arguments are ready has run when this returns. `out_event` may be NULL; otherwise it gets the event of the whole
// execution. On error nothing has been queued and no argument given away. A thread that has queued more than the context's options
// allow is held up before this returns, until enough is over or what is left waits for something else, as an event of the caller's;
// never one of the engine's threads, so that a callback may always call this. millrace_device_room() tells without waiting.
MILLRACE_CHECKED millrace_error *millrace_execute(millrace_program *program, millrace_device *device,
                                                  millrace_buffer *const *arguments, size_t num_arguments,
                                                  millrace_buffer **out_results, size_t num_results,
                                                  millrace_event **out_event);

// Queues one execution of a program for several devices: row r (replica r / partitions, partition r % partitions) on devices[r], all
// different. Lists are of all rows, row 0's first. `out_events` may be NULL; otherwise it gets each row's event.
MILLRACE_CHECKED millrace_error *millrace_execute_rows(millrace_program *program, millrace_device *const *devices,
                                                       size_t num_rows, millrace_buffer *const *arguments,
                                                       size_t num_arguments, millrace_buffer **out_results,
                                                       size_t num_results, millrace_event **out_events);

// Ends executions from outside, those that are not over and those that begin later: of a request whose client is gone, of a model that is
// replaced. Counted by the caller's one reference and those of the executions.
MILLRACE_CHECKED millrace_error *millrace_stop_source_create(millrace_stop_source **out_source);
// All that were given the source end with the error; NULL: CANCELLED. The first call decides; later ones do nothing. Any thread.
//
// Their events and results' events happen at once, on this thread, also while an execution still waits for an argument or is inside a callback.
// The execution itself ends with the step that it is in, or within two rounds of a loop; what it holds (arguments, their memory, its place in
// millrace_device_queue()) is let go of then. Not ended in the middle are a call into the caller's code, a library's product or convolution, and a
// kernel that an OpenCL driver has compiled.
MILLRACE_API void millrace_stop_source_stop(millrace_stop_source *source, millrace_error *take_error);
MILLRACE_API void millrace_stop_source_release(millrace_stop_source *source);  // NULL is fine; stops nothing

// What a call does that finds its device's queue full (millrace_context_options).
typedef enum millrace_when_full {
  MILLRACE_WHEN_FULL_WAIT = 0,  // holds this thread up, as millrace_execute() does
  MILLRACE_WHEN_FULL_FAIL = 1,  // queues nothing: RESOURCE_EXHAUSTED. millrace_device_room() tells when to try again
} millrace_when_full;

// Memory of the caller's for one result, dense; it belongs to the engine until the execution's event has happened.
typedef struct millrace_destination {
  void *data;  // NULL: a buffer is made as usual
  size_t size;
} millrace_destination;

typedef struct millrace_execute_options {
  size_t struct_size;          // sizeof(millrace_execute_options)
  millrace_stop_source *stop;  // borrowed during the call; NULL: nobody stops it
  uint64_t timeout_ns;         // from the call on, after which it is stopped with DEADLINE_EXCEEDED; 0: never
  // From -100 to 100. Of what waits for a thread of the engine's, what is above 0 comes first; where long programs have all threads, it runs
  // beside them, and so does what is estimated to take 2 ms at most. 0 with a timeout counts as 1.
  int priority;
  // For each result; NULL: buffers are made. Written in place where it begins on 64 bytes and the result has no donated argument's
  // memory, else copied there. Such a result's place in `out_results` gets NULL. For one device.
  const millrace_destination *destinations;
  size_t num_destinations;
  // Where the end is announced, with `tag`, also of an execution that is over when the call returns. NULL: nowhere. For one device.
  millrace_completions *completions;
  void *tag;
  millrace_when_full when_full;
  bool elsewhere;  // never on the calling thread, however small it is
} millrace_execute_options;

// As millrace_execute(); options may be NULL. With a source or a timeout a program that calls the caller's code, or has a loop that may go on for
// ever, does not run on this thread.
MILLRACE_CHECKED millrace_error *millrace_execute_with(millrace_program *program, millrace_device *device,
                                                       millrace_buffer *const *arguments, size_t num_arguments,
                                                       const millrace_execute_options *options,
                                                       millrace_buffer **out_results, size_t num_results,
                                                       millrace_event **out_event);
// As millrace_execute_rows(): all rows end when one is stopped.
MILLRACE_CHECKED millrace_error *millrace_execute_rows_with(millrace_program *program, millrace_device *const *devices,
                                                            size_t num_rows, millrace_buffer *const *arguments,
                                                            size_t num_arguments,
                                                            const millrace_execute_options *options,
                                                            millrace_buffer **out_results, size_t num_results,
                                                            millrace_event **out_events);

// One call of many.
typedef struct millrace_call {
  millrace_program *program;
  millrace_device *device;
  millrace_buffer *const *arguments;
  millrace_buffer **results;
  size_t num_arguments, num_results;
  const millrace_execute_options *options;  // may be NULL
  millrace_event **out_event;               // may be NULL
} millrace_call;
// Each as millrace_execute_with() would, in order. *out_queued: how many were; when that is not all of them, the error is that of the
// next one, and those behind it have not been looked at.
MILLRACE_CHECKED millrace_error *millrace_execute_many(const millrace_call *calls, size_t num_calls,
                                                       size_t *out_queued);

// ---- Completions ----------------------------------------------------------------------------------------------------

// A queue of ends, for a loop that has many executions under way: one descriptor announces all of them. Any threads add, one at a time
// takes. What is in it when it is released is dropped; executions that are not over by then are announced nowhere.
typedef struct millrace_completion {
  void *tag;
  millrace_error *error;  // the receiver's; NULL: it went well
} millrace_completion;
MILLRACE_CHECKED millrace_error *millrace_completions_create(millrace_completions **out_completions);
// Readable (poll, epoll, libevent) while there is something to take; not to be read from, written or closed.
MILLRACE_API int millrace_completions_fd(const millrace_completions *completions);
// The end of any event, with a tag of the caller's. NULL is an event that has happened.
MILLRACE_CHECKED millrace_error *millrace_completions_add(millrace_completions *completions, millrace_event *event,
                                                          void *tag);
// The oldest, `room` of them at most; how many there were. Does not wait.
MILLRACE_API size_t millrace_completions_take(millrace_completions *completions, millrace_completion *out, size_t room);
// The same, when there is one, or when the time is over: 0. UINT64_MAX: for ever. Not on a thread of the engine's.
MILLRACE_API size_t millrace_completions_wait(millrace_completions *completions, millrace_completion *out, size_t room,
                                              uint64_t timeout_ns);
MILLRACE_API void millrace_completions_release(millrace_completions *completions);  // NULL is fine

// ---- Events ---------------------------------------------------------------------------------------------------------

MILLRACE_API bool millrace_event_is_done(const millrace_event *event);
// Blocks; returns the error with which the event happened.
MILLRACE_CHECKED millrace_error *millrace_event_wait(millrace_event *event);
// Calls done(argument, error) once; the error is borrowed. Not called when this fails. A wait for the event says nothing of the call,
// which may come before the wait returns, at the same time or after it: what `argument` points to stays until the call has ended: it is not
// on the stack of somebody who only waits for the event.
MILLRACE_CHECKED millrace_error *
millrace_event_on_done(millrace_event *event, void (*done)(void *argument, millrace_error *error), void *argument);
MILLRACE_API void millrace_event_release(millrace_event *event);

// ---- Weights --------------------------------------------------------------------------------------------------------

// Named arrays of a file: .safetensors, or .npz as np.savez() writes it. The file is mapped and not read: its pages are shared by all
// processes that have it open, and come when they are used. It must not be changed in place; to replace it, write another and rename.
MILLRACE_CHECKED millrace_error *millrace_weights_open(const char *path, millrace_weights **out_weights);
// Arrays of the caller's, from a container of his own: their memory stays as it is until unused(argument) is called, once, from any thread, when
// nobody has them any more. NULL: it always stays. Not called when this fails.
MILLRACE_CHECKED millrace_error *millrace_weights_create(const char *const *names, const millrace_array *arrays,
                                                         size_t count, void (*unused)(void *argument), void *argument,
                                                         millrace_weights **out_weights);
MILLRACE_API millrace_weights *millrace_weights_retain(millrace_weights *weights);
MILLRACE_API void millrace_weights_release(millrace_weights *weights);  // the arrays go with the last
MILLRACE_API size_t millrace_weights_count(const millrace_weights *weights);
MILLRACE_API const char *millrace_weights_name(const millrace_weights *weights,
                                               size_t index);  // in the order of the file
MILLRACE_API millrace_array millrace_weights_array(const millrace_weights *weights, size_t index);
// SIZE_MAX: there is none of that name.
MILLRACE_API size_t millrace_weights_find(const millrace_weights *weights, const char *name);

// ---- Models ---------------------------------------------------------------------------------------------------------

// A program with names, with sizes that it may leave open, and with weights: what a file of jax.export's, or of
// jax_plugins.millrace.export(), is. Each combination of sizes is compiled when it is first wanted, and kept; weights are the same memory in
// all of them.
typedef struct millrace_model_options {
  size_t struct_size;        // sizeof(millrace_model_options)
  millrace_device *device;   // that it runs on; NULL: the context's first
  const char *weights_path;  // NULL: PROGRAM.safetensors or PROGRAM.npz beside the program, when there is one; "": none
  bool saves;                // compiled sizes can be saved (millrace_program_save)
} millrace_model_options;

// Reads the program and binds the weights; compiles nothing yet. Options may be NULL. A program over several devices says of itself what others
// do, and cannot be called here.
MILLRACE_CHECKED millrace_error *millrace_model_open(millrace_context *context, const char *path,
                                                     const millrace_model_options *options, millrace_model **out_model);
// The same of bytes, which are copied.
MILLRACE_CHECKED millrace_error *millrace_model_load(millrace_context *context, const void *bytes, size_t size,
                                                     const millrace_model_options *options, millrace_model **out_model);
MILLRACE_API millrace_model *millrace_model_retain(millrace_model *model);
MILLRACE_API void millrace_model_release(millrace_model *model);  // before its context; NULL is fine

// An input (a parameter that no weights are bound to) or an output. As long as the model is there; what is bound decides which
// parameters are inputs.
typedef struct millrace_port {
  const char *name;    // what the program calls it, else "input0", "output0"
  millrace_type type;  // MILLRACE_OPEN where a size is open, and `bytes` is 0 then
  const char *const
      *symbols;  // by dimension: "b" where it is the program's b itself, NULL where it is not; NULL: nothing is open
  bool donated;  // of an input: the call takes the buffer's memory
  size_t parameter;  // its number among the program's parameters, or results
} millrace_port;
MILLRACE_API size_t millrace_model_input_count(const millrace_model *model);
MILLRACE_API size_t millrace_model_output_count(const millrace_model *model);
MILLRACE_API millrace_port millrace_model_input(const millrace_model *model, size_t index);  // below the count
MILLRACE_API millrace_port millrace_model_output(const millrace_model *model, size_t index);
MILLRACE_API millrace_device *millrace_model_device(const millrace_model *model);
// SIZE_MAX: there is none of that name.
MILLRACE_API size_t millrace_model_find_input(const millrace_model *model, const char *name);
MILLRACE_API size_t millrace_model_find_output(const millrace_model *model, const char *name);

// Parameters get their values from the weights of the same name, from here on: calls that run go on with those they had. The first time
// it decides which parameters are inputs; then it must have all that were bound before. INVALID_ARGUMENT names the array whose type or shape is
// not the parameter's. Arrays that begin on 64 bytes are used where they lie; others are copied once.
MILLRACE_CHECKED millrace_error *millrace_model_bind(millrace_model *model, millrace_weights *weights);

// The program for inputs of these shapes, a reference of the caller's own: compiled now unless it is there. Any number of threads may
// want the same one, which is compiled once. NULL shapes: of a model without open sizes.
MILLRACE_CHECKED millrace_error *millrace_model_program(millrace_model *model, const millrace_shape *shapes,
                                                        size_t num_shapes, millrace_program **out_program);
// The same on a thread of the engine's; *out_event (NULL: it is there) happens when it is there.
MILLRACE_CHECKED millrace_error *millrace_model_prepare(millrace_model *model, const millrace_shape *shapes,
                                                        size_t num_shapes, millrace_event **out_event);
// As millrace_execute_with(), with the weights, on the model's device. Inputs and outputs are in their order; options may be NULL. The
// first call of a size compiles it on this thread.
MILLRACE_CHECKED millrace_error *millrace_model_call(millrace_model *model, millrace_buffer *const *inputs,
                                                     size_t num_inputs, const millrace_execute_options *options,
                                                     millrace_buffer **out_results, size_t num_results,
                                                     millrace_event **out_event);
// From arrays to arrays, and returns when they are there: inputs are used where they lie if that can be, and results written to
// `destinations`, or where that is NULL to buffers.
MILLRACE_CHECKED millrace_error *millrace_model_run(millrace_model *model, const millrace_array *inputs,
                                                    size_t num_inputs, const millrace_execute_options *options,
                                                    millrace_buffer **out_results, size_t num_results);

// ---- State ----------------------------------------------------------------------------------------------------------

// A model whose results become its own inputs of the next call, on the device: each donated input whose memory a result takes (JAX's
// donate_argnums) is state. A call takes the other inputs and gives the other results. Calls may be queued one behind the other; they come in the
// order of millrace_session_call(), of which one at a time is inside.
MILLRACE_CHECKED millrace_error *millrace_session_create(millrace_model *model, const millrace_shape *shapes,
                                                         size_t num_shapes, millrace_session **out_session);
MILLRACE_API size_t millrace_session_input_count(const millrace_session *session);   // that are no state
MILLRACE_API size_t millrace_session_output_count(const millrace_session *session);  // likewise
MILLRACE_API size_t millrace_session_state_count(const millrace_session *session);
// Numbers of the model's inputs and outputs.
MILLRACE_API size_t millrace_session_input(const millrace_session *session, size_t index);
MILLRACE_API size_t millrace_session_output(const millrace_session *session, size_t index);
MILLRACE_API size_t millrace_session_state(const millrace_session *session, size_t index);  // of the input
// What the state is for the next call; zeros before the first. The buffer is taken by that call, and the caller's otherwise.
MILLRACE_CHECKED millrace_error *millrace_session_set(millrace_session *session, size_t state, millrace_buffer *buffer);
// A copy of what the state is after the calls that were queued.
MILLRACE_CHECKED millrace_error *millrace_session_get(millrace_session *session, size_t state,
                                                      millrace_buffer **out_buffer);
// When a call fails, the state is lost with it: later calls fail with the same error until each state has been set.
MILLRACE_CHECKED millrace_error *millrace_session_call(millrace_session *session, millrace_buffer *const *inputs,
                                                       size_t num_inputs, const millrace_execute_options *options,
                                                       millrace_buffer **out_results, size_t num_results,
                                                       millrace_event **out_event);
MILLRACE_API void millrace_session_release(millrace_session *session);  // before its model's context; NULL is fine

#ifdef __cplusplus
}
#endif

#endif
