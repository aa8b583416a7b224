// Results that are announced while their execution goes on: for whom, with what memory, and what comes of the others.
#include "core/processor/processor.h"
#include "tests/alloc_loop.h"
#include "tests/compiler/strands.h"

static mr_executable *forked, *thrice;

#define SLOW(to, from) "  %" to " = stablehlo.custom_call @slow(%" from ") : (tensor<2xf32>) -> tensor<2xf32>\n"

// One call beside three in a row, which also give what is between them; what the short branch comes to is in its parameter's place.
static const char two_branches[] =
    "func.func @main(%a: tensor<2xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<2xf32>)\n"
    "    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {\n" SLOW(
        "t", "a") "  %b = stablehlo.add %t, %a : tensor<2xf32>\n" SLOW("y", "x") SLOW("z", "y")
        SLOW("w", "z") "  return %b, %w, %y : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>\n}\n";

static const char times_three[] =
    "func.func @main(%a: tensor<2xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2xf32> {\n"
    "  %c = stablehlo.constant dense<3.0> : tensor<2xf32>\n"
    "  %b = stablehlo.multiply %a, %c : tensor<2xf32>\n"
    "  return %b : tensor<2xf32>\n}\n";

// Nothing in it is waited for.
static const char four_branches[] =
    "func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {\n" SLOW(
        "b", "a") SLOW("c", "a") SLOW("d", "a")
        SLOW("e", "a") "  return %b, %c, %d, %e : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>\n}\n";

enum { SHORT, LONG, BETWEEN, RESULTS };

static int open_all(void **state) {
  mr_set_custom_call_maker(make_slow_call);
  return open_platform(state);
}

// For each test anew: a program keeps the memory of a few runs.
static void open_programs(void) {
  setenv("MILLRACE_STRANDS", "2", 1);
  forked = compile(two_branches);
  unsetenv("MILLRACE_STRANDS");
  thrice = compile(times_three);
}

static void close_programs(void) {
  mr_executable_release(forked);
  mr_executable_release(thrice);
}

static void drive(mr_future *done) {
  while (done && !mr_future_is_set(done)) {
    if (!let_one_end(MR_OK)) {
      sched_yield();
    }
  }
}

// NULL where the host has none.
static void *address_of(mr_buffer *buffer) {
  void *address = NULL;
  if (memory->addressable) {
    expect_ok(mr_buffer_address(buffer, false, false, &address));
  }
  return address;
}

// What the short branch is of lies at `out_address`. Both branches wait for their first call.
static mr_future *begin(const mr_execute_options *options, mr_buffer **results, void **out_address) {
  mr_buffer *arguments[2] = {floats((float[]){1, 2}, 2), floats((float[]){10, 20}, 2)};
  mr_future *done = NULL;
  *out_address = address_of(arguments[0]);
  expect_ok(mr_execute(forked, device, options, arguments, 2, results, &done));
  release_all(arguments, 2);
  assert_non_null(done);
  until_waiting(2);
  return done;
}

// Lets calls end, oldest first, until the short branch is over; of the three long ones one is left at least.
static void end_until(const mr_future *ready) {
  while (!mr_future_is_set(ready)) {
    if (count_waiting() != 2 || !let_one_end(MR_OK)) {
      sched_yield();
    }
  }
}

// The future's.
static mr_code code_of(mr_future *done) {
  mr_future_wait(done);
  return mr_status_code(mr_future_status(done));
}

static mr_code result_code(const mr_buffer *result) { return code_of(mr_buffer_ready(result)); }

static void end_all(mr_future *take_done, mr_code wanted) {
  drive(take_done);
  assert_int_equal(code_of(take_done), wanted);
  mr_future_release(take_done);
}

// Results of branches that do not wait for one another are announced by themselves; one straight call has none.
static void test_what_is_announced(void **state) {
  (void)state;
  open_programs();
  const plan_graph *graph = forked->main.graph;
  assert_non_null(graph);
  assert_non_null(graph->announced_after);
  for (uint32_t k = 0; k < RESULTS; k++) {
    assert_int_equal(graph->announced_after[k], 1);
  }
  assert_null(thrice->main.graph);
  close_programs();
}

// As a host's callback, which may wait there for all that it knows of.
typedef struct late_look {
  mr_waiter waiter;
  bool again, all_there;
  _Atomic(bool) over;
  mr_future *others[2];
} late_look;

static void look_late(mr_waiter *waiter, mr_status status) {
  late_look *self = MR_CONTAINER_OF(waiter, late_look, waiter);
  if (!self->again) {
    self->again = true;
    mr_future_run_last(waiter);
    return;
  }
  assert_null(status);
  self->all_there = mr_future_is_set(self->others[0]) && mr_future_is_set(self->others[1]);
  atomic_store_explicit(&self->over, true, memory_order_release);  // pairs with the test's last look at it
}

// What comes with the end is all there when the first callback on a part of it runs, in whichever order they are told.
static void test_the_end_is_one(void **state) {
  (void)state;
  open_programs();
  for (uint32_t of = LONG; of <= BETWEEN; of++) {
    mr_buffer *results[RESULTS];
    void *unused;
    mr_future *done = begin(NULL, results, &unused);
    mr_future *ready = mr_future_retain(mr_buffer_ready(results[SHORT]));
    end_until(ready);
    late_look look = {.waiter.run = look_late, .others = {mr_buffer_ready(results[LONG + BETWEEN - of]), done}};
    mr_future_then(mr_buffer_ready(results[of]), &look.waiter);
    end_all(mr_future_retain(done), 0);
    while (!atomic_load_explicit(&look.over, memory_order_acquire)) {
      sched_yield();
    }
    assert_true(look.all_there);
    mr_future_release(done);
    mr_future_release(ready);
    release_all(results, RESULTS);
  }
  close_programs();
}

// The short branch's result is taken by another execution, in its place, while the first still runs; it is asked for before the
// short branch is over, or afterwards.
static void test_successive_executions_overlap(void **state) {
  (void)state;
  open_programs();
  for (int queued = 0; queued < 2; queued++) {
    mr_buffer *results[RESULTS], *next = NULL;
    void *before;
    mr_future *next_done = NULL, *done = begin(NULL, results, &before);
    mr_future *ready = mr_future_retain(mr_buffer_ready(results[SHORT]));
    if (!queued) {
      end_until(ready);
      assert_int_equal(code_of(ready), 0);
    }
    expect_ok(mr_execute(thrice, device, NULL, results, 1, &next, &next_done));
    assert_true(!queued || next_done);
    end_until(next_done ? next_done : ready);
    expect_floats(next, (float[]){9, 15}, 2);
    assert_ptr_equal(address_of(next), before);
    assert_false(mr_future_is_set(done));
    assert_false(mr_buffer_is_ready_now(results[LONG]));
    assert_false(mr_buffer_is_ready_now(results[BETWEEN]));
    end_all(done, 0);
    expect_floats(results[LONG], (float[]){13, 23}, 2);
    expect_floats(results[BETWEEN], (float[]){11, 21}, 2);
    mr_future_release(ready);
    mr_future_release(next_done);
    mr_buffer_release(next);
    release_all(results, RESULTS);
  }
  close_programs();
}

// Nobody has to want a result, and one may be given up before it is announced.
static void test_results_that_nobody_wants(void **state) {
  (void)state;
  open_programs();
  for (uint32_t kept = 0; kept <= RESULTS; kept++) {
    mr_buffer *results[RESULTS];
    void *address;
    mr_future *done = begin(NULL, results, &address);
    for (uint32_t k = 0; k < RESULTS; k++) {
      if (k != kept) {
        mr_buffer_release(results[k]);
      }
    }
    end_all(done, 0);
    if (kept < RESULTS) {
      assert_int_equal(result_code(results[kept]), 0);
      mr_buffer_release(results[kept]);
    }
  }
  close_programs();
}

// ---- What fails ---------------------------------------------------------------------------------------------------------

// The long branch fails: what has been announced stays, and what has not fails with it, as does what waits for that.
static void test_the_long_branch_fails(void **state) {
  (void)state;
  open_programs();
  mr_buffer *results[RESULTS], *later[RESULTS];
  void *address;
  mr_future *later_done = NULL, *done = begin(NULL, results, &address);
  end_until(mr_buffer_ready(results[SHORT]));
  expect_ok(mr_execute(forked, device, NULL, (mr_buffer *[]){results[BETWEEN], results[LONG]}, 2, later, &later_done));
  while (!let_one_end(mr_error(MR_DATA_LOSS, "lost on the way"))) {
    sched_yield();
  }
  end_all(done, MR_DATA_LOSS);
  end_all(later_done, MR_DATA_LOSS);
  expect_floats(results[SHORT], (float[]){3, 5}, 2);
  assert_int_equal(result_code(results[LONG]), MR_DATA_LOSS);
  for (uint32_t k = 0; k < RESULTS; k++) {
    assert_int_equal(result_code(later[k]), MR_DATA_LOSS);
  }
  release_all(results, RESULTS);
  release_all(later, RESULTS);
  close_programs();
}

static void test_cancelled(void **state) {
  (void)state;
  open_programs();
  for (int announced = 0; announced < 2; announced++) {
    mr_buffer *results[RESULTS];
    void *address;
    mr_future *done = begin(NULL, results, &address);
    if (announced) {
      end_until(mr_buffer_ready(results[SHORT]));
    }
    mr_node_cancel(mr_node_of_done(done), mr_error(MR_CANCELLED, "not wanted any more"));
    end_all(done, MR_CANCELLED);
    if (announced) {
      expect_floats(results[SHORT], (float[]){3, 5}, 2);
    } else {
      assert_int_equal(result_code(results[SHORT]), MR_CANCELLED);
    }
    assert_int_equal(result_code(results[LONG]), MR_CANCELLED);
    assert_int_equal(result_code(results[BETWEEN]), MR_CANCELLED);
    release_all(results, RESULTS);
  }
  close_programs();
}

// ---- Who is told --------------------------------------------------------------------------------------------------------

typedef struct listener {
  mr_waiter waiter;
  mr_call_context *context;
  unsigned mode;
  _Atomic bool told;
} listener;

static void listen(mr_waiter *waiter, mr_status status) {
  listener *self = MR_CONTAINER_OF(waiter, listener, waiter);
  assert_null(status);
  self->context = mr_call_context_current();
  self->mode = mr_float_mode();
  atomic_store(&self->told, true);
}

static void keep_context(mr_call_context *context) { (void)context; }

// A waiter finds a thread on which no program seems to run.
static void test_waiters_are_outside(void **state) {
  (void)state;
  open_programs();
  mr_call_context context = {.destroy = keep_context};
  mr_ref_init(&context.ref);
  for (uint32_t k = 0; k < RESULTS; k++) {
    listener l = {.waiter.run = listen, .context = &context, .mode = MR_FLOAT_FLUSH};
    mr_buffer *results[RESULTS];
    void *address;
    mr_future *done = begin(&(mr_execute_options){.context = &context}, results, &address);
    mr_future_then(mr_buffer_ready(results[k]), &l.waiter);
    end_all(done, 0);
    while (!atomic_load(&l.told)) {
      sched_yield();
    }
    assert_null(l.context);
    assert_int_equal(l.mode & MR_FLOAT_FLUSH, 0);
    release_all(results, RESULTS);
  }
  close_programs();
}

typedef struct patient {
  mr_waiter waiter;
  mr_future *other;
  _Atomic bool over;
} patient;

static void wait_for_other(mr_waiter *waiter, mr_status status) {
  patient *self = MR_CONTAINER_OF(waiter, patient, waiter);
  assert_null(status);
  mr_future_wait(self->other);
  atomic_store(&self->over, true);
}

// A waiter may wait for another result of the same execution, whatever the thread that called it has kept for itself.
static void test_a_waiter_waits_for_another_result(void **state) {
  (void)state;
  setenv("MILLRACE_STRANDS", "4", 1);
  mr_executable *four = compile(four_branches);
  unsetenv("MILLRACE_STRANDS");
  assert_non_null(four->main.graph);
  calls_end_at_once = true;
  for (uint32_t k = 0; k < 4; k++) {
    int64_t count = 2;
    mr_future *ready = NULL, *done = NULL;
    mr_buffer *argument = NULL, *results[4];
    mr_storage *content = NULL;
    expect_ok(mr_future_create(&ready));
    expect_ok(mr_storage_allocate(memory, 2 * sizeof(float), &content));
    expect_ok(mr_buffer_create(memory, MR_F32, &count, 1, content, mr_future_retain(ready), &argument));
    expect_ok(mr_execute(four, device, NULL, &argument, 1, results, &done));
    patient p = {.waiter.run = wait_for_other, .other = mr_buffer_ready(results[(k + 1) % 4])};
    mr_future_then(mr_buffer_ready(results[k]), &p.waiter);
    mr_future_set(ready, MR_OK);
    mr_future_release(ready);
    wait_for(done);
    while (!atomic_load(&p.over)) {
      sched_yield();
    }
    release_all(results, 4);
    mr_buffer_release(argument);
  }
  calls_end_at_once = false;
  mr_executable_release(four);
}

// ---- Memory and threads -------------------------------------------------------------------------------------------------

static mr_status give(const float *data, mr_buffer **out_buffer) {
  mr_host_array host = {.data = data, .dtype = MR_F32, .dims = (int64_t[]){2}, .rank = 1};
  return mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, out_buffer);
}

// Reading may fail too.
static mr_status look_at(mr_buffer *buffer, const float *wanted) {
  float got[2];
  mr_future *done = NULL;
  MR_TRY(mr_buffer_to_host(buffer, got, NULL, &done));
  mr_status status = MR_OK;
  if (done) {
    mr_future_wait(done);
    status = mr_status_retain(mr_future_status(done));
    mr_future_release(done);
  }
  assert_true(status || (got[0] == wanted[0] && got[1] == wanted[1]));
  return status;
}

enum { TIMES = 3 };

// One after another on what the short branch gives, all begun before any is over.
static mr_status attempt(void *context) {
  (void)context;
  mr_buffer *arguments[2] = {NULL, NULL}, *results[TIMES][RESULTS] = {{NULL}};
  mr_future *done[TIMES] = {NULL};
  mr_status status = give((float[]){1, 2}, &arguments[0]);
  status = status ? status : give((float[]){10, 20}, &arguments[1]);
  for (int i = 0; !status && i < TIMES; i++) {
    mr_buffer *first = i ? results[i - 1][SHORT] : arguments[0];
    status = mr_execute(forked, device, NULL, (mr_buffer *[]){first, arguments[1]}, 2, results[i], &done[i]);
  }
  for (int i = 0; i < TIMES; i++) {
    drive(done[i]);
    if (done[i]) {
      for (uint32_t k = 0; k < RESULTS; k++) {
        mr_code code = result_code(results[i][k]);
        assert_true(code == 0 || code == mr_status_code(mr_future_status(done[i])));
      }
      status = status ? status : mr_status_retain(mr_future_status(done[i]));
    }
  }
  status = status ? status : look_at(results[TIMES - 1][SHORT], (float[]){15, 23});
  status = status ? status : look_at(results[TIMES - 1][LONG], (float[]){13, 23});
  for (int i = 0; i < TIMES; i++) {
    release_all(results[i], RESULTS);
    mr_future_release(done[i]);
  }
  release_all(arguments, 2);
  return status;
}

static void test_without_memory(void **state) {
  (void)state;
  open_programs();
  // As many runs at once as an attempt has at most, so that their memory is there.
  mr_future *done[TIMES] = {NULL};
  mr_buffer *results[TIMES][RESULTS], *arguments[2] = {floats((float[]){1, 2}, 2), floats((float[]){10, 20}, 2)};
  const bool donates[2] = {false, false};
  for (int i = 0; i < TIMES; i++) {
    expect_ok(
        mr_execute(forked, device, &(mr_execute_options){.donates = donates}, arguments, 2, results[i], &done[i]));
  }
  until_waiting(TIMES * 2);
  for (int i = 0; i < TIMES; i++) {
    end_all(done[i], 0);
    release_all(results[i], RESULTS);
  }
  release_all(arguments, 2);
  alloc_loop("executions that announce results", attempt, NULL, 10000);
  alloc_loops_ended_well();
  close_programs();
}

// Calls end wherever they are ended, and many chains of executions go on beside one another.
static void *attempt_often(void *context) {
  (void)context;
  for (int i = 0; i < 100; i++) {
    expect_ok(attempt(NULL));
  }
  return NULL;
}

static void test_many_at_once(void **state) {
  (void)state;
  open_programs();
  enum { THREADS = 3 };
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    pthread_create(&threads[i], NULL, attempt_often, NULL);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  close_programs();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_what_is_announced),
      cmocka_unit_test(test_the_end_is_one),
      cmocka_unit_test(test_successive_executions_overlap),
      cmocka_unit_test(test_results_that_nobody_wants),
      cmocka_unit_test(test_the_long_branch_fails),
      cmocka_unit_test(test_cancelled),
      cmocka_unit_test(test_waiters_are_outside),
      cmocka_unit_test(test_a_waiter_waits_for_another_result),
      cmocka_unit_test(test_without_memory),
      cmocka_unit_test(test_many_at_once),
  };
  return cmocka_run_group_tests(tests, open_all, close_platform);
}
