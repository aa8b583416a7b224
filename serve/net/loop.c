// An event loop on a thread of its own, and the two lists of tasks that it runs between rounds of events.
#include <errno.h>
#include <event2/event.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "serve/net/loop.h"

struct sv_loop {
  struct event_base *base;
  struct event *wake;
  int wake_descriptor;
  pthread_t thread;
  // Posted tasks, the latest first. Posters push, the loop's thread takes all at once: no task is ever compared, so memory that comes back
  // (the ABA problem) does no harm.
  _Atomic(sv_task *) posted;
  sv_task *round_end, **round_end_tail;  // the loop's thread alone
  bool stopped;                          // the loop's thread alone
  sv_task stop;
};

// The loop whose thread this is.
static _Thread_local sv_loop *here;

bool sv_loop_is_here(const sv_loop *loop) { return here == loop; }

struct event_base *sv_loop_base(sv_loop *loop) { return loop->base; }

void sv_loop_post(sv_loop *loop, sv_task *task) {
  sv_task *head = atomic_load_explicit(&loop->posted, memory_order_relaxed);  // only a guess, the exchange checks it
  do {
    task->next = head;
    // release: pairs with the acquire in run_posted(), which sees what the poster wrote before.
  } while (
      !atomic_compare_exchange_weak_explicit(&loop->posted, &head, task, memory_order_release, memory_order_relaxed));
  // The loop's own thread looks at the list before it sleeps.
  if (!head && here != loop) {
    uint64_t one = 1;
    while (write(loop->wake_descriptor, &one, sizeof one) < 0 && errno == EINTR) {
    }
  }
}

void sv_loop_at_round_end(sv_loop *loop, sv_task *task) {
  task->next = NULL;
  *loop->round_end_tail = task;
  loop->round_end_tail = &task->next;
}

// Oldest first.
static sv_task *reverse(sv_task *task) {
  sv_task *first = NULL;
  while (task) {
    sv_task *next = task->next;
    task->next = first;
    first = task;
    task = next;
  }
  return first;
}

static void run_posted(sv_loop *loop) {
  if (!atomic_load_explicit(&loop->posted, memory_order_relaxed)) {
    return;  // whoever posts from here on writes the eventfd
  }
  sv_task *task = reverse(atomic_exchange_explicit(&loop->posted, NULL, memory_order_acquire));
  while (task) {
    sv_task *next = task->next;  // first: run() may free the task
    task->run(task);
    task = next;
  }
}

static void run_round_end(sv_loop *loop) {
  while (loop->round_end) {
    sv_task *task = loop->round_end;
    loop->round_end = task->next;
    if (!loop->round_end) {
      loop->round_end_tail = &loop->round_end;
    }
    task->run(task);
  }
}

// The eventfd is edge-triggered: every write is an event of its own, so that nobody has to read it.
static void woken(evutil_socket_t descriptor, short what, void *argument) {
  (void)descriptor;
  (void)what;
  (void)argument;
}

static void stop(sv_task *task) {
  sv_loop *loop = (sv_loop *)((char *)task - offsetof(sv_loop, stop));
  loop->stopped = true;
}

static void *run(void *argument) {
  sv_loop *loop = argument;
  here = loop;
  for (;;) {
    bool more = atomic_load_explicit(&loop->posted, memory_order_relaxed) != NULL;
    if (loop->stopped && !more) {
      return NULL;
    }
    event_base_loop(loop->base, EVLOOP_ONCE | (more || loop->stopped ? EVLOOP_NONBLOCK : 0));
    run_posted(loop);
    run_round_end(loop);
  }
}

static struct event_base *create_base(void) {
  struct event_config *config = event_config_new();
  struct event_base *base = NULL;
  if (config) {
    event_config_require_features(config, EV_FEATURE_ET | EV_FEATURE_O1);
    event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);  // one thread alone touches it
    base = event_base_new_with_config(config);
    event_config_free(config);
  }
  return base;
}

static void destroy(sv_loop *loop) {
  if (loop->wake) {
    event_free(loop->wake);
  }
  if (loop->base) {
    event_base_free(loop->base);
  }
  if (loop->wake_descriptor >= 0) {
    close(loop->wake_descriptor);
  }
  free(loop);
}

static sv_error *start(sv_loop *loop, const char *name) {
  loop->base = create_base();
  loop->wake_descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (loop->wake_descriptor < 0) {
    return sv_errorf(MILLRACE_RESOURCE_EXHAUSTED, "no eventfd for the loop \"%s\": %s", name, strerror(errno));
  }
  loop->wake =
      loop->base ? event_new(loop->base, loop->wake_descriptor, EV_READ | EV_ET | EV_PERSIST, woken, loop) : NULL;
  if (!loop->wake || event_add(loop->wake, NULL)) {
    return sv_errorf(MILLRACE_RESOURCE_EXHAUSTED, "no event base for the loop \"%s\"", name);
  }
  // OpenSSL writes to sockets with write(): SIGPIPE stays blocked on this thread, and the error tells.
  sigset_t pipe_signal, before;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  int failed = pthread_create(&loop->thread, NULL, run, loop);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failed) {
    return sv_errorf(MILLRACE_RESOURCE_EXHAUSTED, "no thread for the loop \"%s\": %s", name, strerror(failed));
  }
  pthread_setname_np(loop->thread, name);
  return NULL;
}

sv_error *sv_loop_create(const char *name, sv_loop **out_loop) {
  *out_loop = NULL;
  sv_loop *loop = calloc(1, sizeof *loop);
  if (!loop) {
    return sv_no_memory();
  }
  loop->wake_descriptor = -1;
  loop->round_end_tail = &loop->round_end;
  loop->stop.run = stop;
  sv_error *error = start(loop, name);
  if (error) {
    destroy(loop);
    return error;
  }
  *out_loop = loop;
  return NULL;
}

void sv_loop_release(sv_loop *loop) {
  if (loop) {
    sv_loop_post(loop, &loop->stop);
    pthread_join(loop->thread, NULL);
    destroy(loop);
  }
}
