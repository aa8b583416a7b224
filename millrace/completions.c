// Queues of completions: who ends something pushes, one thread at a time takes, and a descriptor is readable while there is something to take.
//
// States of mr_completions.newest:
//
//   NULL: all was taken --push()--> the newest, each with the one before --push()--> .. --take_all()--> NULL
//
//   who        operation                  order, and with what it pairs                                     at once
//   who ends   swap, newest -> its own    release of the completion; seq_cst, before it looks at `told`     everybody
//   who takes  exchange, -> NULL          acquire, of all of them; seq_cst, after it has cleared `told`     who ends
//
// States of mr_completions.told:
//
//   false --tell()--> true: the descriptor is readable, or is about to be --settle()--> false
//
//   who        operation                  order, and with what it pairs                                     at once
//   who ends   exchange, -> true          seq_cst: whoever finds false writes to the descriptor             everybody
//   who takes  store, -> false            seq_cst, before it takes: what is pushed later finds false and    who ends
//                                         writes, what was pushed before is taken
//   who takes  exchange, -> true          as who ends, when it leaves some                                  who ends
#include "millrace/completions.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/ref.h"
#include "futures/pool.h"

struct mr_completions {
  mr_ref ref;  // the owner's, and one of each completion that is not in it yet
  int file;
  _Atomic(mr_completion *) newest;
  _Atomic(bool) told;
  mr_completion *oldest;  // of those that were taken out of the list: who takes has them
};

struct mr_completion {
  mr_waiter waiter;
  mr_future *done;  // retained while it is waited for
  mr_completions *completions;
  mr_completion *next;
  void *tag;
  mr_status error;  // owned
};

// ---- Who ends -------------------------------------------------------------------------------------------------------------

static void write_file(const mr_completions *c) {
  const uint64_t one = 1;
  while (write(c->file, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

static void tell(mr_completions *c) {
  if (!atomic_load_explicit(&c->told, memory_order_seq_cst) &&
      !atomic_exchange_explicit(&c->told, true, memory_order_seq_cst)) {
    write_file(c);
  }
}

static void unref(mr_completions *c);

static void push(mr_completion *completion) {
  mr_completions *c = completion->completions;
  mr_completion *newest = atomic_load_explicit(&c->newest, memory_order_relaxed);
  do {
    completion->next = newest;
  } while (!atomic_compare_exchange_weak_explicit(&c->newest, &newest, completion, memory_order_seq_cst,
                                                  memory_order_relaxed));
  tell(c);
  unref(c);
}

static void is_done(mr_waiter *waiter, mr_status status) {
  mr_completion *completion = MR_CONTAINER_OF(waiter, mr_completion, waiter);
  mr_future *done = completion->done;
  completion->error = status ? mr_status_retain(status) : MR_OK;
  push(completion);
  mr_future_release(done);
}

mr_status mr_completion_make(millrace_completions *completions, void *tag, mr_completion **out_completion) {
  mr_completion *completion = *out_completion = mr_struct_alloc(sizeof *completion);
  if (!completion) {
    return MR_NO_MEMORY();
  }
  mr_ref_retain(&completions->ref);
  *completion = (mr_completion){.waiter = {.run = is_done}, .completions = completions, .tag = tag};
  return MR_OK;
}

void mr_completion_drop(mr_completion *take_completion) {
  unref(take_completion->completions);
  mr_struct_free(take_completion, sizeof *take_completion);
}

void mr_completion_follow(mr_completion *take_completion, mr_future *done) {
  if (!done) {
    push(take_completion);
    return;
  }
  take_completion->done = mr_future_retain(done);
  mr_future_then(done, &take_completion->waiter);
}

millrace_error *millrace_completions_add(millrace_completions *completions, millrace_event *event, void *tag) {
  mr_completion *completion;
  MR_TRY(mr_completion_make(completions, tag, &completion));
  mr_completion_follow(completion, event);
  return MR_OK;
}

// ---- Who takes ------------------------------------------------------------------------------------------------------------

// All that was pushed, oldest first.
static mr_completion *take_all(mr_completions *c) {
  mr_completion *newest = atomic_exchange_explicit(&c->newest, NULL, memory_order_seq_cst), *oldest = NULL;
  while (newest) {
    mr_completion *next = newest->next;
    newest->next = oldest;
    oldest = newest;
    newest = next;
  }
  return oldest;
}

// The descriptor is not readable any more, unless something is pushed from here on.
static void settle(mr_completions *c) {
  uint64_t count;
  while (read(c->file, &count, sizeof count) < 0 && errno == EINTR) {
  }
  atomic_store_explicit(&c->told, false, memory_order_seq_cst);
}

// Who has told but not written yet may write after the descriptor was settled: then it is readable with nothing in the queue, and whoever finds
// nothing settles it again, whatever `told` says.
static bool find_oldest(mr_completions *c, bool found_any) {
  if (!c->oldest) {
    c->oldest = take_all(c);
  }
  if (!c->oldest && (!found_any || atomic_load_explicit(&c->told, memory_order_seq_cst))) {
    settle(c);
    c->oldest = take_all(c);
  }
  return c->oldest != NULL;
}

size_t millrace_completions_take(millrace_completions *completions, millrace_completion *out, size_t room) {
  mr_completions *c = completions;
  size_t count = 0;
  while (count < room && find_oldest(c, count > 0)) {
    mr_completion *completion = c->oldest;
    c->oldest = completion->next;
    out[count++] = (millrace_completion){completion->tag, completion->error};
    mr_struct_free(completion, sizeof *completion);
  }
  if (c->oldest) {
    tell(c);
  }
  return count;
}

size_t millrace_completions_wait(millrace_completions *completions, millrace_completion *out, size_t room,
                                 uint64_t timeout_ns) {
  const uint64_t now = mr_now_ns(), deadline = timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns;
  for (size_t count; room;) {
    if ((count = millrace_completions_take(completions, out, room)) > 0) {
      return count;
    }
    const uint64_t at = mr_now_ns();
    if (at >= deadline) {
      return 0;
    }
    const uint64_t left_ms = deadline == UINT64_MAX ? 1000 : (deadline - at) / 1000000 + 1;
    struct pollfd file = {.fd = completions->file, .events = POLLIN};
    (void)poll(&file, 1, (int)MR_MIN(left_ms, (uint64_t)1000));  // a signal that ends it early is no harm
  }
  return 0;
}

int millrace_completions_fd(const millrace_completions *completions) { return completions->file; }

// ---- The queue --------------------------------------------------------------------------------------------------------------

static void drop_list(mr_completion *oldest) {
  while (oldest) {
    mr_completion *next = oldest->next;
    mr_status_free(oldest->error);
    mr_struct_free(oldest, sizeof *oldest);
    oldest = next;
  }
}

static void unref(mr_completions *c) {
  if (mr_ref_release(&c->ref)) {
    drop_list(c->oldest);
    drop_list(take_all(c));
    close(c->file);
    mr_free(c);
  }
}

millrace_error *millrace_completions_create(millrace_completions **out_completions) {
  mr_completions *c = *out_completions = mr_alloc_zeroed(1, sizeof *c);
  if (!c) {
    return MR_NO_MEMORY();
  }
  mr_ref_init(&c->ref);
  c->file = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (c->file < 0) {
    mr_status status = mr_error(MR_RESOURCE_EXHAUSTED, "cannot make an eventfd: %s", strerror(errno));
    mr_free(c);
    *out_completions = NULL;
    return status;
  }
  return MR_OK;
}

void millrace_completions_release(millrace_completions *completions) {
  if (completions) {
    unref(completions);
  }
}
