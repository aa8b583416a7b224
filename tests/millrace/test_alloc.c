// Memory that runs out in the engine's public API.
#include <event2/event.h>
#include <stdio.h>
#include <unistd.h>

#include "millrace/engine.h"
#include "tests/alloc_loop.h"
#include "tests/cmocka.h"

static millrace_error *nothing(void *argument) {
  ++*(_Atomic(int) *)argument;
  return NULL;
}

// How often an event was told to a callback, which may run after who waited for the event has gone on.
typedef struct told {
  bool asked;
  _Atomic(int) count;
} told;

static void note(void *argument, millrace_error *error) {
  (void)error;
  ++((told *)argument)->count;
}

static void wait_told(told *t) {
  for (int i = 0; i < 10000 && t->count < t->asked; i++) {
    usleep(1000);
  }
  assert_int_equal(t->count, t->asked);
}

static mr_status join(millrace_event *const *events, millrace_event **out_all, millrace_event **out_any) {
  MR_TRY(millrace_event_all(events, 3, out_all));
  return millrace_event_any(events, 3, out_any);
}

static mr_status descriptor_of(millrace_event *event) {
  int fd = -1;
  mr_status status = millrace_event_fd(event, &fd);
  assert_int_equal(status == NULL, fd >= 0);
  if (fd >= 0) {
    close(fd);
  }
  return status;
}

// Events joined, and told in three ways.
static mr_status use_events(millrace_event *event, told *t) {
  millrace_event *events[] = {event, NULL, event}, *all = NULL, *any = NULL;
  mr_status status = join(events, &all, &any);
  if (!status) {
    status = millrace_event_on_done(event, note, t);
    t->asked = !status;
  }
  status = status ? status : descriptor_of(event);
  status = status ? status : millrace_event_wait(all);
  status = status ? status : millrace_event_wait(any);
  millrace_event_release(all);
  millrace_event_release(any);
  return status;
}

static mr_status use(millrace_engine *engine) {
  _Atomic(int) calls = 0;
  told t = {0};
  millrace_event *event = NULL;
  MR_TRY(millrace_submit(engine, nothing, &calls, NULL, 0, &event));
  mr_status status = use_events(event, &t);
  mr_status end = millrace_engine_wait(engine, event);
  wait_told(&t);
  millrace_event_release(event);
  assert_int_equal(calls, 1);
  return mr_status_join(status, end);
}

static mr_status with_engine(void *context) {
  millrace_engine *engine = NULL;
  millrace_engine_options options = {.struct_size = sizeof options, .workers = *(uint32_t *)context};
  mr_status status = millrace_engine_create(&options, &engine);
  assert_int_equal(status == NULL, engine != NULL);
  if (engine) {
    status = use(engine);
    millrace_engine_release(engine);
  }
  return status;
}

static void test_engine(void **state) {
  (void)state;
  uint32_t workers[] = {2, MILLRACE_NO_WORKERS};
  for (int i = 0; i < 2; i++) {
    alloc_loop("an engine", with_engine, &workers[i], 1500);
  }
  alloc_loops_ended_well();
}

// An event in the program's own loop: told once, or not at all.
static mr_status watch(void *context) {
  told t = {0};
  millrace_loop *loop = NULL;
  millrace_event *event = NULL;
  mr_status status = millrace_loop_create(context, &loop);
  status = status ? status : millrace_event_create(&event);
  status = status ? status : millrace_loop_watch(loop, event, note, &t);
  t.asked = !status;
  if (event) {
    assert_true(millrace_event_set(event, NULL));
  }
  millrace_event_release(event);
  if (loop) {
    millrace_loop_release(loop);
  }
  assert_int_equal(t.count, t.asked);
  return status;
}

static void test_loop(void **state) {
  (void)state;
  struct event_base *base = event_base_new();
  alloc_loop("an event loop", watch, base, 10000);
  event_base_free(base);
  alloc_loops_ended_well();
}

static mr_status trace(void *context) {
  MR_TRY(millrace_trace_start(context));
  return millrace_trace_stop();
}

static void test_trace(void **state) {
  (void)state;
  char path[64];
  snprintf(path, sizeof path, "/tmp/millrace-test-alloc-%d.json", (int)getpid());
  alloc_loop("a trace", trace, path, 10000);
  unlink(path);
  alloc_loops_ended_well();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_engine), cmocka_unit_test(test_loop),
                                     cmocka_unit_test(test_trace)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
