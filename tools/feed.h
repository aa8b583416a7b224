// feed: what a program is executed with. Its file, the sizes that it leaves open, arrays that were given, weights, numbers that are made up,
// devices: for `run`, `show` and `bench`, which take the same options for it.
//
//   feed f = {.makes_up = true};
//   const command_option table[] = {FEED_INPUT_OPTIONS(f), FEED_SIZE_OPTIONS(f), ...};
//   if (options_take(.., &f.program_path) && feed_open(&f) && feed_resolve(&f, 0) && feed_is_resolved(&f) &&
//       feed_is_complete(&f) && feed_compile(&f, &program) && feed_choose_devices(&f, program) && feed_fill(&f)) {
//     ... feed_argument(&f, program, row, i, &buffer) ...
//   }
//   millrace_program_release(program);
//   feed_close(&f);
//
// Errors: false after saying on stderr what is wrong.
// Threads: any may make arguments of a feed that is filled; everything else is one thread's.
#ifndef MR_TOOLS_FEED_H
#define MR_TOOLS_FEED_H

#include "millrace/millrace.h"
#include "tools/npy.h"
#include "tools/options.h"

typedef enum feed_source { FEED_NOTHING, FEED_GIVEN, FEED_WEIGHTS, FEED_MADE_UP } feed_source;

typedef struct feed_parameter {
  millrace_port port;          // as the program has it, of whole arrays
  int64_t dims[NPY_MAX_RANK];  // with open sizes filled in; MILLRACE_OPEN until feed_resolve()
  feed_source source;
  size_t index;          // of the given arrays, or of the weights
  millrace_array array;  // once it is filled: the whole of it
  void *owned;
} feed_parameter;

// A size that the command line says: of a symbol, or the shape of an input.
typedef struct feed_size {
  const char *name;  // borrowed from the command line, `name_size` bytes of it
  size_t name_size;
  int64_t dims[NPY_MAX_RANK];
  size_t rank;  // of a symbol's size 1
} feed_size;

typedef struct feed_sizes {
  feed_size *list;
  size_t size;
} feed_sizes;

typedef struct feed {
  // The command line.
  const char *program_path;
  const char *weights_path;  // NULL: what lies beside the program; "": none
  npy_list inputs;
  feed_sizes sizes, shapes;
  uint64_t device_index, num_devices, seed;  // num_devices 0: not said
  bool makes_up;                             // inputs that were not given

  char *beside;       // owned: the path of weights that lie beside the program
  char *beside_note;  // owned: why what lies there is not used
  void *bytes;        // the program's
  size_t size;
  millrace_context *context;
  millrace_device **devices;  // by row
  size_t num_rows;
  millrace_model *model;  // without weights: all parameters are its inputs
  millrace_weights *weights;
  feed_parameter *parameters;
  size_t num_parameters;
} feed;

// Rows of an option table that fill these.
#define FEED_INPUT_OPTIONS(f)                                                                                        \
  {.name = "--input", .kind = OPTION_CALL, .to = &(f).inputs, .wanted = feed_input_wanted, .take = feed_take_input}, \
      {.name = "--device", .kind = OPTION_NUMBER, .to = &(f).device_index, .most = UINT16_MAX}, {                    \
    .name = "--devices", .kind = OPTION_NUMBER, .to = &(f).num_devices, .least = 1, .most = UINT16_MAX               \
  }
#define FEED_SIZE_OPTIONS(f)                                                                                       \
  {.name = "--size", .kind = OPTION_CALL, .to = &(f).sizes, .wanted = "SYMBOL=N, as b=8", .take = feed_take_size}, \
      {.name = "--shape",                                                                                          \
       .kind = OPTION_CALL,                                                                                        \
       .to = &(f).shapes,                                                                                          \
       .wanted = "INPUT=SHAPE, as x=8x784",                                                                        \
       .take = feed_take_shape},                                                                                   \
      {.name = "--weights",                                                                                        \
       .kind = OPTION_TEXT,                                                                                        \
       .to = &(f).weights_path,                                                                                    \
       .wanted = "a .safetensors or .npz file, or '' for none"}
extern const char feed_input_wanted[];
bool feed_take_input(void *list, const char *value);
bool feed_take_size(void *sizes, const char *value);
bool feed_take_shape(void *shapes, const char *value);

// Reads the program and what it says of its parameters; compiles nothing. Weights are found, arrays that were given are assigned.
bool feed_open(feed *f);
// Fills open sizes in: from the shapes of what was given, from --shape, from --size, and, where it is not 0, from `batch` for the first size
// of every input that leaves that open. Anew each time. False where this contradicts itself; what is not said stays open.
bool feed_resolve(feed *f, uint64_t batch);
// Whether all sizes are known. False after naming those that are not.
bool feed_is_resolved(const feed *f);
// Whether there is an array for each parameter. False after telling what is wanted.
bool feed_is_complete(const feed *f);
// Compiles it for these sizes.
bool feed_compile(const feed *f, millrace_program **out_program);
// Whether the program leaves a size open.
bool feed_is_open(const feed *f);
// The file that the weights are of; NULL: there are none.
const char *feed_weights_path(const feed *f);
// One device for each row, from the one that was asked for on.
bool feed_choose_devices(feed *f, const millrace_program *program);
// Makes up what was not given; anew when sizes have changed.
bool feed_fill(feed *f);
// The row's part of parameter `i`: weights where they lie, other arrays copied.
millrace_error *feed_argument(const feed *f, millrace_program *program, size_t row, size_t i,
                              millrace_buffer **out_buffer);
void feed_close(feed *f);

// What it was resolved to; MILLRACE_OPEN: no parameter has it, or it is not known.
int64_t feed_symbol(const feed *f, const char *symbol);
// Each symbol of the program's, once, in the order of the parameters; NULL behind the last. Freed by the caller.
const char **feed_symbols(const feed *f);

#endif
