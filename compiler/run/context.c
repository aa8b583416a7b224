#include "compiler/run/context.h"

// An execution runs its steps on one thread, so a call finds its context by asking the thread. A call may start and run
// another execution on the same thread (a Python callback that uses JAX): entering and leaving nest.
static _Thread_local mr_call_context *current_context;

mr_call_context *mr_call_context_current(void) { return current_context; }

void mr_call_context_release(mr_call_context *context) {
  if (context && mr_ref_release(&context->ref)) {
    context->destroy(context);
  }
}

mr_call_context *mr_call_context_enter(mr_call_context *context) {
  mr_call_context *before = current_context;
  current_context = context;
  return before;
}
