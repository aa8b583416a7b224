// What the files of millrace/ know of each other.
#ifndef MR_MILLRACE_INTERNAL_H
#define MR_MILLRACE_INTERNAL_H

#include "compiler/compiler.h"
#include "core/ref.h"
#include "millrace/engine.h"
#include "scheduler/scheduler.h"

enum { MR_ENGINE_STRIPES = 8 };

// States of millrace_engine.closed, mr_engine_stripe.running:
//
//   false, n --begin, end--> false, m --millrace_engine_release()--> true, m --ends--> true, 0
//
//   who           operation                          order, and with what it pairs                               at once
//   who begins    running: + 1; closed: load         seq_cst both, in this order: who releases sees the count,   everybody
//                                                    or this sees the end
//   who ends      running: - 1, in any stripe        release of what the function wrote                          everybody
//   who releases  closed: store, false -> true;      seq_cst, in this order. A beginning that counts came        who begins, who ends
//                 running: loads until their sum is  before `closed`, so its count is in each sum: what is read
//                 0                                  one after another is never too little
//
// States of graph_run.waits, graph_run.failed, of a node with an event, a delay above all (graph.c):
//
//   NULL --wait_for()--> event, with a reference --wait_over(), end_delays(), wait_for()--> NULL
//
//   who                     operation                       order, and with what it pairs                          at once
//   node that begins        waits: store, NULL -> event;    seq_cst both, in this order: it sees the failure, or   who fails
//                           failed: load                    end_delays() the event
//   who fails               failed: store, -> true; waits:  seq_cst both, in this order                            everybody
//                           exchange, -> NULL
//   end of the event; node  waits: exchange, -> NULL        acquire, of the event, which is whose exchange has it  who fails
//   that begins, and
//   failed
//   who asks whether it     failed: load                    relaxed: it goes on for nothing at worst               everybody
//   failed
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

// What a program is compiled for: the device's kind, NULL: that of the first of the context made last. `target`: room for what is told of.
void mr_engine_choose_device(mr_device *device, mr_target *target, mr_compile_options *options);

void mr_engine_unref(millrace_engine *engine);
// Around a function of the program's own, which releasing the engine waits for. False: the engine was released, and the function
// is not called.
bool mr_engine_begin(millrace_engine *engine);
void mr_engine_end(millrace_engine *engine);
mr_status mr_engine_closed(void) MR_WARN_UNUSED;  // the error then

#endif
