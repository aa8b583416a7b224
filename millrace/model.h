// model: what the files of millrace/ know of models. model.c has the object, its ports and what is bound; model_sizes.c the programs, one for
// each combination of sizes; model_call.c calls; session.c state.
//
// Locks: `lock` is over what is bound and the list of sizes, and is held for moments. A size has its own future: who compiles it sets that,
// and others wait for it, not for the lock. `binding` is held by who binds, from the look at what was bound before to the end, so that what two
// threads bind at once fits each other; it is taken before `lock`.
#ifndef MR_MILLRACE_MODEL_H
#define MR_MILLRACE_MODEL_H

#include <pthread.h>

#include "compiler/compiler.h"
#include "core/ref.h"
#include "millrace/file.h"
#include "millrace/millrace.h"

typedef struct mr_model mr_model;

enum { MR_NOT_BOUND = UINT32_MAX };

// Weights as buffers, in the order of the parameters that are bound. Counted: a call has a reference while it puts its arguments together.
typedef struct mr_bound {
  mr_ref ref;
  millrace_weights *weights;
  uint32_t count;
  millrace_buffer *buffers[];
} mr_bound;
void mr_bound_release(mr_bound *bound);  // NULL is fine

// The program for one combination of sizes.
typedef struct mr_size {
  struct mr_size *next;
  mr_future *ready;           // owned; set when it was compiled, or with why it was not
  millrace_program *program;  // owned; when that went well
  size_t num_dims;
  int64_t dims[];  // of all inputs, one after the other
} mr_size;

struct mr_model {
  mr_ref ref;
  mr_device *device;
  bool saves;
  mr_file file;     // the program, when it came as a path
  mr_span program;  // in that, or a block of the model's own
  mr_signature *signature;
  uint32_t *input_of;     // by parameter: which input it is; MR_NOT_BOUND when weights are bound to it
  uint32_t *bound_index;  // by parameter: its place in `bound`; MR_NOT_BOUND when it is an input
  uint32_t num_inputs, num_bound;
  millrace_port *inputs, *outputs;  // in the signature's arena, as are their names
  pthread_mutex_t binding, lock;
  mr_bound *bound;  // written with both locks; NULL: nothing is
  mr_size *sizes;   // with the lock; newest first; they stay as long as the model
};

// One more reference, NULL where nothing is bound.
mr_bound *mr_model_bound(mr_model *model);
// The size for these dimensions of all inputs; compiled by whoever comes first, on this thread. `dims` NULL: nothing is open.
mr_status mr_model_size(mr_model *model, const int64_t *dims, size_t num_dims, mr_size **out_size) MR_WARN_UNUSED;
// Of shapes, which are checked against the inputs; `out_dims` is freed by the caller.
mr_status mr_model_dims(const mr_model *model, const millrace_shape *shapes, size_t num_shapes, int64_t **out_dims,
                        size_t *out_count) MR_WARN_UNUSED;
// As many dimensions as all inputs have.
size_t mr_model_rank(const mr_model *model);

#endif
