// A request to a version: tensors in, tensors out. The owner is a connection, on its loop.
//
//   sv_request *request;
//   error = sv_request_create(loop, &request);              // pooled by the caller: sv_request_reset() makes it new
//   request->version = sv_version_retain(version);
//   request->inputs[i] = ...;                               // in the order of the signature's inputs
//   request->done = answer; request->argument = exchange;
//   sv_request_submit(request);                             // done() comes, always, once, on the loop; perhaps before this returns
//   ... sv_request_cancel(request);                         // when the client is gone: done() comes soon
#ifndef SV_REQUEST_H
#define SV_REQUEST_H

#include "serve/batch/version.h"

typedef struct sv_request sv_request;

struct sv_request {
  // The owner sets these before submitting. Memory of the inputs stays until done(), with one exception: inputs_block, where given, is retained
  // by the engine for as long as it needs it, which may be longer.
  sv_version *version;  // a reference, let go by sv_request_reset() and _release()
  sv_tensor *inputs;    // room for num_inputs of the signature, made by sv_request_prepare()
  sv_block *
      inputs_block;  // what holds all inputs, a reference that _reset() lets go; NULL: memory that is gone after done()
  uint32_t priority;    // 1 is the highest; 0: the model's default
  uint64_t timeout_ns;  // in the queue; 0: the model's default
  uint64_t
      deadline_ns;  // sv_now_ns()'s clock, from the client (gRPC): DEADLINE_EXCEEDED at once; 0 or UINT64_MAX: none
  uint32_t trace_id_set;
  char trace_id[33];
  void (*done)(sv_request *request);
  void *argument;

  // Set when done() is called.
  sv_error *error;  // taken by whoever wants to keep it, who sets NULL; freed by sv_request_reset()
  sv_tensor
      *outputs;  // of the signature, by its order; valid until sv_request_reset() or _release(). Of an error: not set
  uint32_t num_outputs;
  uint64_t queue_ns, compute_ns;
  uint32_t batch_rows;  // of the batch that it was in, without padding
};

sv_error *sv_request_create(sv_loop *loop, sv_request **out_request);
// Room for the inputs of this version, which is retained; their types and shapes are set to the signature's.
sv_error *sv_request_prepare(sv_request *request, sv_version *version);
// Checks names, shapes and rows against the signature (INVALID_ARGUMENT, told by done()), queues. On the loop.
void sv_request_submit(sv_request *request);
void sv_request_cancel(sv_request *request);   // on the loop; nothing when it is done
void sv_request_reset(sv_request *request);    // not while it is submitted
void sv_request_release(sv_request *request);  // likewise; NULL is fine

#endif
