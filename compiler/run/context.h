// context: what the steps of an execution find of whoever started it, by asking their thread. Also for tests of what asks.
//
// Threads: each has its own. Ownership: borrowed, until the execution leaves it.
#ifndef MR_COMPILER_RUN_CONTEXT_H
#define MR_COMPILER_RUN_CONTEXT_H

#include "compiler/compiler.h"

// Makes `context` the thread's current one and returns what it was before.
mr_call_context *mr_call_context_enter(mr_call_context *context);
void mr_call_context_release(mr_call_context *context);  // NULL is fine

#endif
