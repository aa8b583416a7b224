// An execution that waits in the middle, in every order of those who run it, who end what it waits for and who cancel it, with the
// code of a run (strand.c, machine.c), of its graphs (graph/run.c), of the node that it is and of futures. Steps, memory and the executor are
// stand-ins. Whoever touches a strand that is another's by then, or a run that is over, finds memory that is not there any more.
#include "tests/model/model.h"

#include <string.h>

#include "compiler/run/context.h"
#include "compiler/run/run.h"
#include "compiler/run/subnormal.h"
#include "core/core.h"
#include "core/trace.h"
#include "futures/park.h"
#include "futures/pool.h"
#include "tests/model/blocks.h"

static inline uint32_t model_one_unit(void) { return 1; }
#define mr_park(word, expected, deadline) (model_park(word, expected, (deadline) != 0))
#define mr_unpark(word, count) model_unpark(word)
#define mr_allowed_units model_one_unit  // so waiting does not spin

#include "futures/future.c"

#define destroy destroy_node
#include "graph/node.c"
#undef destroy

// A run that is over is not kept for the next one, which would hide that somebody still has it.
static void run_leaves(mr_plan *plan);
// The trace is on, which has a record for each stretch of nodes.
static void trace_stretch(uint32_t count);
#define destroy destroy_run
#define run_traced run_cell_traced
#define push push_cell
#define mr_plan_release run_leaves
#define mr_trace_begin() 1
#define mr_trace_node(type, name, about, start, flow) \
  ((void)(name), (void)(start), (void)(flow), trace_stretch((about).count))
#include "graph/run.c"
#undef mr_trace_node
#undef mr_trace_begin
#undef mr_plan_release
#undef push
#undef run_traced
#undef destroy

static void run_leaves(mr_plan *plan) {
  for (size_t i = 0; i < MR_PLAN_CACHED_RUNS; i++) {
    mr_run_free(atomic_exchange_explicit(&plan->cached_runs[i], NULL, memory_order_acquire));
  }
  mr_plan_release(plan);
}

#include "compiler/run/due.c"
#include "compiler/run/freeze.c"
#include "compiler/run/machine.c"
#include "compiler/run/staged.c"
#include "compiler/run/strand.c"

enum { MOST = 8 };

#include "tests/model/calls.h"
#include "tests/model/promises.h"

// ---- What a scenario has ------------------------------------------------------------------------------------------------

static mr_executable program;
static mr_device device;
static launch_state state;
static mr_node *node;
static int rounds, rounds_left;
static int begun[MOST];                   // by number of the step
static MODEL_COUNTS int wanted[MOST];     // likewise
static MODEL_COUNTS int announced[MOST];  // by strand
static const plan_sequence *graph;        // what of the program is one; NULL: nothing
static MODEL_COUNTS int opened, closed, failed, over_by_run;
static mr_storage *const temporaries = (mr_storage *)&program;
static mr_status cancelled, broken;
static int64_t statuses;

static void trace_stretch(uint32_t count) {
  (void)count;
  model_check(closed == 0, "a plan is read when the execution that keeps it is over");
}

// ---- What is stopped -------------------------------------------------------------------------------------------------------------

// What ends only when the execution is stopped. Both are as under a lock.
static mr_future *endless;
static bool stopped;

static mr_status wait_until_stopped(mr_future **out_future) {
  mr_future *future;
  model_check(!mr_future_create(&future), "no memory");
  *out_future = mr_future_retain(future);
  model_take_over(&endless);
  bool goes_on = !stopped;
  if (goes_on) {
    endless = future;
  }
  model_hand_over(&endless);
  if (goes_on) {
    return MR_OK;
  }
  mr_future_release(future);
  mr_future_release(future);
  *out_future = NULL;
  return mr_status_retain(cancelled);
}

static void stop(mr_call_context *context, mr_status status) {
  (void)context;
  model_crossing();
  model_take_over(&endless);
  mr_future *future = endless;
  stopped = true;
  endless = NULL;
  model_hand_over(&endless);
  if (future) {
    mr_future_set(future, mr_status_retain(status));
    mr_future_release(future);
  }
}
static mr_call_context stoppable = {.stop = stop};

// ---- Steps ----------------------------------------------------------------------------------------------------------------------

// What a step comes to is its name: "now", "later", "fails", "fails later", "waits until stopped".
// What has ended before a step is there for it to see, whichever thread did it and whichever has the step. In a graph that is so of its
// last step, and on a device that takes its time of none.
static void see_what_is_before(const plan_step *step) {
  bool is_behind_all = device.direct && (!graph || step->number == graph->steps[2].number);
  for (int i = 0; is_behind_all && i < MOST; i++) {
    model_check(results[i] <= begun[i], "more has ended than was begun");
  }
}

static mr_status begin_step(const plan_step *step) {
  model_check(opened == 1 && closed == 0, "a step outside the execution");
  see_what_is_before(step);
  begun[step->number]++;
  result_of_next = device.direct ? &results[step->number] : NULL;
  return strcmp(step->name, "fails") == 0 ? mr_status_retain(broken) : MR_OK;
}

static mr_status later_of(const plan_step *step) { return strcmp(step->name, "fails later") == 0 ? broken : MR_OK; }

mr_status mr_step_run(const frame *f, const plan_step *step, void **arguments) {
  (void)f;
  (void)arguments;
  return begin_step(step);
}

mr_status mr_step_start(const frame *f, const plan_step *step, void **arguments, mr_future **out_done) {
  (void)f;
  (void)arguments;
  *out_done = NULL;
  MR_TRY(begin_step(step));
  if (strstr(step->name, "stopped")) {
    return wait_until_stopped(out_done);
  }
  if (strstr(step->name, "later")) {
    promise_later(later_of(step), out_done);
  }
  return MR_OK;
}

bool mr_step_goes_on(const frame *f, const plan_step *step) {
  (void)f;
  (void)step;
  return rounds_left-- > 0;
}
uint32_t mr_step_branch(const frame *f, const plan_step *step) {
  (void)f;
  (void)step;
  return 1;
}
uint32_t mr_step_branch_of(const plan_step *step, const void *index) {
  (void)step;
  return *(const uint8_t *)index;
}

// There is one row, so no step is a meeting.
void **mr_step_gather(const frame *f, const plan_step *step, void **out) {
  (void)f;
  (void)step;
  return out;
}
mr_stop_token mr_execution_token(const launch_state *s) {
  (void)s;
  return (mr_stop_token){.run = &node->error, .all = &mr_stop_nobody};
}
mr_group *mr_rows_cores(const launch_state *s) { return s->device->group; }
mr_status mr_rows_meet(const launch_state *s, const plan_step *step, void *const *given, bool stays,
                       mr_future **out_done) {
  (void)s;
  (void)stays;
  (void)step;
  (void)given;
  *out_done = NULL;
  return mr_status_retain(broken);
}
void mr_rows_give_up(const launch_state *s, mr_status status) {
  (void)s;
  (void)status;
}
void mr_rows_wait(const launch_state *s, mr_future *done) {
  (void)s;
  (void)done;
}
const mr_groups *mr_collective_groups(const mr_collective *call) {
  (void)call;
  return NULL;
}
mr_collective_kind mr_collective_kind_of(const mr_collective *call) {
  (void)call;
  return MR_COLLECTIVE_ALL_REDUCE;
}
int64_t mr_collective_channel(const mr_collective *call) {
  (void)call;
  return 0;
}
mr_status mr_collective_check_mail(const mr_collective *a, const mr_collective *b) {
  (void)a;
  (void)b;
  return MR_OK;
}

#include "tests/model/submissions.h"

// ---- An execution's memory and its thread ----------------------------------------------------------------------------------------

mr_status mr_execution_open(launch_state *s, void **pointers, mr_storage **out_temp) {
  (void)s;
  (void)pointers;
  opened++;
  *out_temp = temporaries;
  return MR_OK;
}
void mr_execution_close(launch_state *s, bool has_failed) {
  (void)s;
  closed++;
  failed += has_failed;
  model_check(kept == promised && !has_followed_work, "the execution is over before what it began");
}
void mr_storage_release(mr_storage *storage) {
  model_check(!storage || storage == temporaries, "other temporaries than those that were taken");
}
void mr_execution_announce(mr_node *n, uint32_t number) {
  model_crossing();
  model_check(n == node && closed == 0, "a result is announced of an execution that is over");
  announced[number]++;
}
void mr_execution_over(mr_node *n, mr_status take_status) {
  over_by_run++;
  mr_node_finish(n, take_status ? take_status : mr_node_error(n));
}
// Where a thread comes to a strand or leaves it.
mr_call_context *mr_call_context_enter(mr_call_context *context) {
  model_crossing();
  return context;
}
bool mr_subnormals_are_kept(void) { return true; }

// ---- Scenarios --------------------------------------------------------------------------------------------------------------------

static void run_node(mr_node *n) { mr_strands_begin(&state, n); }
static void fail_node(mr_node *n, mr_status status) {
  (void)n;
  (void)status;
  failed++;
  closed++;
}
static void stop_node(mr_node *n) {
  mr_status error = mr_node_error(n);
  stop(&stoppable, error);
  mr_status_free(error);
}
static const mr_node_type node_type = {
    .name = "execute", .kind = MR_NODE_EXECUTE, .run = run_node, .fail = fail_node, .cancelled = stop_node};

static void node_is_over(mr_waiter *waiter, mr_status status) {
  (void)waiter;
  (void)status;
  atomic_store_explicit(&over, true, memory_order_seq_cst);
  atomic_fetch_add_explicit(&news, 1, memory_order_seq_cst);
  mr_unpark(&news, INT32_MAX);
  atomic_fetch_add_explicit(&promise_news, 1, memory_order_seq_cst);
  mr_unpark(&promise_news, INT32_MAX);
}
static mr_waiter end = {.run = node_is_over};

static void cancel(void *argument) {
  (void)argument;
  mr_node_cancel(node, mr_status_retain(cancelled));
}

static void reset(void) {
  model_blocks_reset();
  memset(begun, 0, sizeof begun);
  memset(results, 0, sizeof results);
  memset(announced, 0, sizeof announced);
  opened = closed = failed = over_by_run = 0;
  queued = taken = promised = kept = 0;
  has_followed_work = false;
  news = promise_news = 0;
  over = false;
  rounds_left = rounds;
  broken = mr_error(MR_INTERNAL, "broken");
  cancelled = mr_error(MR_CANCELLED, "cancelled");
  state = (launch_state){.executable = &program, .device = &device, .context = &stoppable};
  endless = NULL;
  stopped = false;
  model_check(!mr_node_create(&node_type, 0, &executor, &node), "no memory");
  mr_node_retain(node);
  mr_future_then(mr_node_done(node), &end);
}

static int64_t count_statuses(void) {
  int64_t counts[MR_CENSUS_KINDS];
  mr_census(counts);
  return counts[MR_CENSUS_statuses];
}

// `may_be`: what it may have come to besides OK, which it must not when `must`.
static void check_end(mr_status may_be, bool must) {
  mr_future *done = mr_node_done(node);
  model_check(mr_future_is_set(done), "the execution has no end");
  mr_status status = mr_future_status(done);
  model_check(status == may_be || (!status && !must), "it came to something else");
  model_check(closed == 1 && (status || !failed), "what it owns is not let go of once");
  model_check(kept == promised && taken == queued, "something was left over");
  for (int i = 0; i < MOST && !status; i++) {
    model_check(begun[i] == wanted[i], "a step was not begun as often as it is in the program");
  }
  for (uint32_t i = 0; program.main.graph && i < program.main.graph->num_strands; i++) {
    model_check(announced[i] == 1 || (status && !announced[i]), "a strand did not announce its results once");
  }
  mr_node_release(node);
  model_check(model_blocks_left == 0, "a block was not given back");
  model_check(count_statuses() == statuses + 2, "a status was let go of more often than it was kept");
  mr_status_free(broken);
  mr_status_free(cancelled);
  model_check(count_statuses() == statuses, "a status was not let go of as often as it was kept");
}

static void execute_program(void (*third)(void *)) {
  reset();
  mr_node_submit(node);
  model_thread(work_until_over, NULL);
  model_thread(keep_promises, NULL);
  if (third) {
    model_thread(third, NULL);
  }
  model_join();
}
static void succeeds(void) {
  execute_program(work_until_over);
  check_end(MR_OK, true);
}
static void fails(void) {
  execute_program(work_until_over);
  check_end(broken, true);
}
// In longer programs, as it makes no difference which of two threads goes on with a strand.
static void succeeds_on_one(void) {
  execute_program(NULL);
  check_end(MR_OK, true);
}
static void is_cancelled(void) {
  execute_program(cancel);
  check_end(cancelled, false);
}

static void must_be_cancelled(void) {
  execute_program(cancel);
  check_end(cancelled, true);
}
static void fails_or_is_stopped(void) {
  execute_program(work_until_over);
  mr_status status = mr_future_status(mr_node_done(node));
  check_end(status == cancelled ? cancelled : broken, true);
}

// ---- Programs ------------------------------------------------------------------------------------------------------------------------

// On a device whose memory is not the host's, where the step is asked for it instead of being started.
static const plan_step *staged;
static mr_status start_staged(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group,
                              mr_future **out_done) {
  (void)call;
  (void)scratch;
  (void)group;
  *(char *)buffers[1] = *(const char *)buffers[0];
  return mr_step_start(NULL, staged, NULL, out_done);
}
static mr_library_call library_call = {.start = start_staged, .name = "call"};
static plan_buffer buffers[2] = {{.bytes = 64}, {.bytes = 64}};
static uint32_t some_buffers[] = {0, 1};

// A step that a strand waits for where its name says that it may end later.
static plan_step a_step(const char *name) {
  bool waits = strstr(name, "later") || strstr(name, "waits");
  return (plan_step){.kind = waits ? STEP_LIBRARY : STEP_KERNEL,
                     .name = name,
                     .library = waits ? &library_call : NULL,
                     .buffers = some_buffers,
                     .num_buffers = 2,
                     .num_inputs = 1,
                     .scratch = NO_BUFFER};
}

static plan_step a_loop(plan_sequence *condition_and_body) {
  return (plan_step){.kind = STEP_WHILE,
                     .name = "while",
                     .buffers = some_buffers,
                     .num_buffers = 1,
                     .trips = -1,
                     .sequences = condition_and_body,
                     .num_sequences = 2};
}

// Each of three steps is a strand, the third after both others.
static const plan_strand join_strands[] = {
    {.first = 0, .count = 1}, {.first = 1, .count = 1}, {.first = 2, .count = 1}};
static uint32_t join_offsets[] = {0, 0, 0, 2}, join_inputs[] = {0, 1};
static plan_graph join_graph;

static plan_sequence as_graph(plan_step *three_steps) {
  // As if there were results before the end.
  join_graph = (plan_graph){.num_strands = 3,
                            .strands = (plan_strand *)join_strands,
                            .input_offsets = join_offsets,
                            .inputs = join_inputs,
                            .announced_after = &some_buffers[1]};
  return (plan_sequence){.steps = three_steps, .count = 3, .graph = &join_graph};
}

static void count_steps(const plan_sequence *sequence, int times) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    const plan_step *step = &sequence->steps[i];
    if (step->kind != STEP_WHILE) {
      wanted[step->number] = times;
      continue;
    }
    // One that counts has no look at its condition where work is submitted.
    bool counts = step->trips >= 0 && !device.direct;
    count_steps(&step->sequences[0], counts ? 0 : times * (rounds + 1));
    count_steps(&step->sequences[1], times * (counts ? (int)step->trips : rounds));
  }
}

static void explore(const char *name, plan_sequence main, void (*scenario)(void), int preemptions) {
  memset(&program, 0, sizeof program);
  memset(wanted, 0, sizeof wanted);
  program.main = main;
  program.max_step_buffers = 2;
  program.buffers = buffers;
  program.num_buffers = 2;
  mr_status status = mr_strands_freeze(&program);
  model_check(!status, "no plan");
  count_steps(&program.main, 1);
  const plan_sequence *body = main.steps->kind == STEP_WHILE ? &main.steps->sequences[1] : &main;
  graph = body->graph ? body : NULL;
  statuses = count_statuses();
  model_explore(name, scenario, preemptions);
  mr_plan_release(join_graph.frozen);
  join_graph.frozen = NULL;
}

static void explore_calls(void) {
  plan_step two[] = {a_step("later"), a_step("later")}, bad[] = {a_step("fails later"), a_step("later")};
  explore("two calls", (plan_sequence){.steps = two, .count = 2}, succeeds, 2);
  explore("two calls, cancelled", (plan_sequence){.steps = two, .count = 2}, is_cancelled, 2);
  plan_step endless_call = a_step("waits until stopped");
  explore("a call that only a stop ends, cancelled", (plan_sequence){.steps = &endless_call, .count = 1},
          must_be_cancelled, 2);
  explore("a call that fails", (plan_sequence){.steps = bad, .count = 2}, fails, 1);
}

static void explore_loops(void) {
  rounds = 2;
  plan_step condition = a_step("now"), body = a_step("later");
  plan_sequence both[] = {{.steps = &condition, .count = 1}, {.steps = &body, .count = 1}};
  plan_step loop = a_loop(both);
  plan_sequence main = {.steps = &loop, .count = 1};
  explore("a loop that waits in each round", main, succeeds_on_one, 2);
  explore("a loop that waits in each round, cancelled", main, is_cancelled, 2);
  staged = &body;
  device.direct = false;
  rounds = 1;
  explore("a loop on a device that takes its time", main, succeeds_on_one, 2);
  explore("a loop on a device that takes its time, cancelled", main, is_cancelled, 1);
  loop.trips = 2;
  explore("a loop that counts on a device that takes its time", main, succeeds_on_one, 2);
  explore("a loop that counts on a device that takes its time, cancelled", main, is_cancelled, 1);
  loop.trips = -1;
  plan_step last[] = {a_step("now"), a_step("fails")};
  explore("a step that cannot be submitted behind one that was", (plan_sequence){.steps = last, .count = 2}, fails, 2);
  device.direct = true;
}

static void explore_graphs(void) {
  plan_step good[] = {a_step("later"), a_step("later"), a_step("now")};
  explore("strands", as_graph(good), succeeds, 1);
  explore("strands, cancelled", as_graph(good), is_cancelled, 2);
  plan_step mixed[] = {a_step("later"), a_step("now"), a_step("now")};
  executor.offer = NULL;  // no other thread has a part of the run but by what its strands wait for
  explore("strands of one thread", as_graph(mixed), succeeds, 2);
  executor.offer = queue_offer;
  plan_step bad[] = {a_step("fails"), a_step("later"), a_step("now")};
  explore("a strand that fails beside one that waits", as_graph(bad), fails, 1);
  plan_step waits[] = {a_step("fails later"), a_step("waits until stopped"), a_step("now")};
  explore("a strand that fails beside one that only a stop ends", as_graph(waits), fails_or_is_stopped, 1);
  plan_step worse[] = {a_step("fails later"), a_step("later"), a_step("now")};
  explore("strands of which one fails later", as_graph(worse), fails, 1);
  rounds = 2;
  plan_step condition = a_step("now");
  plan_sequence both[] = {{.steps = &condition, .count = 1}, as_graph(good)};
  plan_step loop = a_loop(both);
  plan_sequence main = {.steps = &loop, .count = 1};
  explore("strands in a loop", main, succeeds, 1);
  explore("strands in a loop, cancelled", main, is_cancelled, 1);
}

static void explore_all(void) {
  device.direct = true;
  explore_calls();
  explore_loops();
  explore_graphs();
}

static const model_mutant mutants[] = {
    {"finish_cell", "fetch_sub &cell->pending", memory_order_acquire, "strands"},
    {"finish_cell", "fetch_sub &cell->pending", memory_order_release, "strands"},
    {"finish_cell", "load &cell->pending", memory_order_relaxed, "strands"},
    {"mr_future_set", "exchange &future->state", memory_order_acquire, "two calls"},
    {"count_finished", "fetch_sub &run->remaining", memory_order_acquire, "strands"},
    {"count_finished", "fetch_sub &run->remaining", memory_order_release, "strands"},
    {"mr_future_set", "exchange &future->state", memory_order_release, "two calls"},
    {"put_link", "swap &future->state", memory_order_relaxed, "two calls"},
    {"mr_future_release", "fetch_sub &future->refs", memory_order_acquire, "two calls"},
    {"mr_future_release", "fetch_sub &future->refs", memory_order_release, "two calls"},
    {"mr_future_release", "load &future->refs", memory_order_relaxed, "two calls"},
};

int main(void) {
  if (MODEL_CANNOT_RUN) {
    return 0;
  }
  model_local(&debt, sizeof debt);
  model_local(&running, sizeof running);
  model_local(&inside_submit, sizeof inside_submit);
  model_local(&finishing, sizeof finishing);
  model_local(&mr_trace_device, sizeof mr_trace_device);
  return model_main(explore_all, mutants, sizeof mutants / sizeof *mutants);
}
