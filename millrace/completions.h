// completions: what call.c knows of a queue of completions.
//
// Threads: any. A completion that was made is followed or dropped, once.
#ifndef MR_MILLRACE_COMPLETIONS_H
#define MR_MILLRACE_COMPLETIONS_H

#include "futures/futures.h"
#include "millrace/millrace.h"

typedef struct mr_completions mr_completions;
typedef struct mr_completion mr_completion;

mr_status mr_completion_make(millrace_completions *completions, void *tag,
                             mr_completion **out_completion) MR_WARN_UNUSED;
void mr_completion_drop(mr_completion *take_completion);
// Is in the queue when `done` is set, NULL: now.
void mr_completion_follow(mr_completion *take_completion, mr_future *done);

#endif
