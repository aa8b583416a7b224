// Memory that runs out in the life of an engine: each call of the C API answers with an error that can be freed, and nothing is
// left over.
#include "millrace/engine.h"
#include "tests/alloc_loop.h"
#include "tests/cmocka.h"

static millrace_error *nothing(void *argument) {
  (void)argument;
  return NULL;
}

static void finish(millrace_node *node, void *argument) {
  (void)argument;
  millrace_node_finish(node, NULL);
}

static const millrace_work work = {.name = "memory", .run = finish};

// Two calls, a node after both, all and any of them; what was begun is waited for by the release of the engine.
static mr_status graph(millrace_engine *engine, millrace_event **events) {
  millrace_node *node;
  MR_TRY(millrace_submit(engine, nothing, NULL, NULL, 0, &events[0]));
  MR_TRY(millrace_submit(engine, nothing, NULL, events, 1, &events[1]));
  MR_TRY(millrace_node_create(engine, &work, NULL, &node));
  millrace_node_after(node, events[1]);
  millrace_node_event(node, &events[2]);
  millrace_node_submit(node);
  MR_TRY(millrace_event_all(events, 3, &events[3]));
  MR_TRY(millrace_event_any(events, 3, &events[4]));
  MR_TRY(millrace_event_create(&events[5]));
  millrace_event_set(events[5], NULL);
  return millrace_engine_wait(engine, events[3]);
}

static mr_status life(void *context) {
  (void)context;
  millrace_engine *engine = NULL;
  millrace_event *events[6] = {0};
  MR_TRY(millrace_engine_create(
      &(millrace_engine_options){.struct_size = sizeof(millrace_engine_options), .workers = MILLRACE_NO_WORKERS},
      &engine));
  mr_status status = graph(engine, events);
  for (size_t i = 0; i < MR_ARRAY_SIZE(events); i++) {
    if (events[i] && i != 5) {
      mr_status_free(millrace_engine_wait(engine, events[i]));
    }
    millrace_event_release(events[i]);
  }
  millrace_engine_release(engine);
  return status;
}

static void test_life(void **state) {
  (void)state;
  alloc_loop("an engine and its events", life, NULL, 10000);
  alloc_loops_ended_well();
}

static void test_any_of_none(void **state) {
  (void)state;
  millrace_event *event;
  millrace_error *error = millrace_event_any(NULL, 0, &event);
  assert_int_equal(millrace_error_code(error), MILLRACE_INVALID_ARGUMENT);
  assert_string_equal(millrace_error_message(error), "any of 0 events, wanted at least 1");
  millrace_error_free(error);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_life), cmocka_unit_test(test_any_of_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
