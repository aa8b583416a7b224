// What the files of millrace/ know of each other.
#ifndef MR_MILLRACE_INTERNAL_H
#define MR_MILLRACE_INTERNAL_H

#include "core/ref.h"
#include "millrace/engine.h"
#include "scheduler/scheduler.h"

enum { MR_ENGINE_STRIPES = 8 };

typedef struct mr_engine_stripe {
  _Alignas(MR_CACHE_LINE) _Atomic(int64_t) running;
} mr_engine_stripe;

struct millrace_engine {
  mr_ref ref;  // the owner's, one for each node and one for each frozen graph
  mr_scheduler *scheduler;
  mr_group *group;
  _Atomic(bool) closed;
  // Nodes between run and finish, spread so that threads do not meet at one counter; only the sum means something.
  mr_engine_stripe stripes[MR_ENGINE_STRIPES];
};

void mr_engine_unref(millrace_engine *engine);
// Around a function of the program's own, which releasing the engine waits for. False: the engine was released, and the function
// is not called.
bool mr_engine_begin(millrace_engine *engine);
void mr_engine_end(millrace_engine *engine);
mr_status mr_engine_closed(void) MR_WARN_UNUSED;  // the error then

#endif
