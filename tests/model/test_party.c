// Rows of one program in every order of their meetings, their ends, what fails them and who cancels them. What meetings do, nodes and executions
// are stand-ins. Whoever touches an arrival, the party or the run when it is gone finds memory that is not there any more.
#include "tests/model/model.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tests/sample.h"
// After that: its names are not theirs.
#include "tests/model/party_sources.h"

enum { ROWS = 3, CALLS = 2, SEND = CALLS, RECEIVE, STEPS };
// Of a step, that the row comes and goes on, and that it waits for what it has come to before.
enum { COME = 8, STAY = 16 };

#include "tests/model/meetings.h"

// ---- What a scenario has ------------------------------------------------------------------------------------------------------------

typedef struct row {
  launch_state state;
  const int *steps;  // which call's meeting comes next, or only a part of that; -1: the end
  int fails_at;      // before this of its steps, with `broken`; -1: nowhere
  int ended;
  mr_status status;  // it ended with
} row;

static mr_executable program;
static mr_device device;
static mr_meeting_place places[CALLS];
static mr_collective *calls[CALLS];
static plan_step steps[STEPS];
static const mr_collective *const channels[] = {&mail};
static mr_library_call libraries[CALLS];
static row all[ROWS];
static rows_run *shared;
#ifdef MODEL_BYTES
enum { EACH_WORKS = true };
#else
enum { EACH_WORKS = false };
#endif
static int worked[CALLS];  // rounds of each
static bool at_work[CALLS], work_fails;
static int ran_in_step;
static mr_status broken, cancelled;
static int64_t statuses;

// What the scenarios know and the rows do not: not looked at for races.
static __attribute__((noinline, no_sanitize("thread"))) uintptr_t rounds_of(int which) {
  return (uintptr_t)worked[which];
}
static __attribute__((noinline, no_sanitize("thread"))) void set_rounds(int which, int rounds) {
  worked[which] = rounds;
}

static mr_node *node_of(row *r) { return (mr_node *)(void *)r; }
static row *row_of(mr_node *node) { return (row *)(void *)node; }

// What a row comes with says the how manieth time it comes. Where rows share no addresses each of them does the work.
mr_status mr_collective_run(const mr_collective *call, uint32_t group, void *const *const *buffers, mr_group *cores) {
  (void)group;
  (void)cores;
  int which = call == calls[0] ? 0 : 1;
  const uintptr_t round = *(const uintptr_t *)buffers[0][0];
  model_check(!at_work[which], "two rounds meet");
#ifndef MODEL_BYTES
  at_work[which] = true;
#endif
  model_crossing();
  for (uint32_t rank = 0; rank < call->groups.most; rank++) {
    model_check(*(const uintptr_t *)buffers[rank][0] == round, "a row meets others' other round");
  }
  const uintptr_t before = rounds_of(which);
  model_check(round == before + 1 || (EACH_WORKS && round == before), "a round was left out, or done again");
#ifndef MODEL_BYTES
  at_work[which] = false;
#endif
  set_rounds(which, (int)round);
  return work_fails ? mr_status_retain(broken) : MR_OK;
}

void mr_execution_end(mr_node *node, mr_status take_status) {
  row *r = row_of(node);
  model_crossing();
  model_check(r->ended++ == 0, "a row ends twice");
  r->status = take_status;
  mr_rows_release(r->state.rows);
}
launch_state *mr_execution_state(mr_node *node) { return &row_of(node)->state; }

mr_status mr_rows_run_in_step(mr_executable *e, launch_state *const *states, uint32_t count, mr_group *cores) {
  (void)e;
  (void)states;
  (void)cores;
  model_check(count == program.num_partitions, "other rows than there are");
  ran_in_step++;
  model_crossing();
  return work_fails ? mr_status_retain(broken) : MR_OK;
}

// ---- Rows -----------------------------------------------------------------------------------------------------------------------------

// What a row has come to and not waited for, by step. A letter goes to `number`.
typedef struct visit {
  mr_future *done;
  uintptr_t time, number, result;
} row_visit;

static mr_status come(row *r, int which, bool stays, row_visit *v) {
  v->number = which == SEND ? ++v->time : 0;
  v->time += which != SEND;
  void *const meeting[] = {&v->time, &v->result}, *const sending[] = {&v->number},
              *const receiving[] = {NULL, &v->number};
  return mr_rows_meet(&r->state, &steps[which],
                      which == SEND      ? sending
                      : which == RECEIVE ? receiving
                                         : meeting,
                      stays, &v->done);
}

static mr_status stay(row *r, int which, bool has_said, row_visit *v) {
  mr_status status = MR_OK;
  mr_future *done = v->done;
  v->done = NULL;
  if (done) {
    if (!has_said) {
      mr_rows_wait(&r->state, done);
    }
    mr_future_wait(done);
    status = mr_status_retain(mr_future_status(done));
    mr_future_release(done);
  }
  model_check(status || which != RECEIVE || r != &all[1] || v->number == v->time,
              "a letter is not the one that is next");
  model_check(status || which >= CALLS ||
                  calls[which]->groups.group_of[r->state.numbers[ROW_PARTITION]] == MR_NO_GROUP ||
                  rounds_of(which) >= v->time,
              "a row goes on before the meeting is over");
  return status;
}

static mr_status go_on_with(row *r, int step, row_visit *visits) {
  int which = step % COME;
  row_visit *v = &visits[which];
  if (step < STAY) {
    MR_TRY(come(r, which, step < COME, v));
  }
  return step / COME == 1 ? MR_OK : stay(r, which, step < COME, v);
}

// As a strand does: a step after the other until one fails, and then until nobody has anything of it.
static void run_row(void *argument) {
  row *r = argument;
  mr_status status = MR_OK;
  row_visit visits[STEPS] = {{0}};
  for (int i = 0; !status; i++) {
    if (r->fails_at == i) {
      status = mr_status_retain(broken);
      break;
    }
    if (r->steps[i] < 0) {
      break;
    }
    status = go_on_with(r, r->steps[i], visits);
  }
  for (int which = 0; which < STEPS; which++) {
    if (visits[which].done) {
      model_check(status != MR_OK, "a row ends with what it has left somewhere");
      mr_rows_give_up(&r->state, status);
      mr_status_free(stay(r, which, false, &visits[which]));
    }
  }
  if (mr_rows_over(&r->state, node_of(r), &status)) {
    mr_execution_end(node_of(r), status);
  }
}

static void begin_row(void *argument) {
  row *r = argument;
  mr_rows_begin(&r->state, node_of(r));
}

static void fail_row(void *argument) {
  row *r = argument;
  mr_rows_fail(&r->state, broken);
  mr_execution_end(node_of(r), mr_status_retain(broken));
}

static void cancel_rows(void *argument) {
  (void)argument;
  mr_rows_cancel(shared, cancelled);
}

// ---- Scenarios ------------------------------------------------------------------------------------------------------------------------

static int64_t count_statuses(void) {
  int64_t counts[MR_CENSUS_KINDS];
  mr_census(counts);
  return counts[MR_CENSUS_statuses];
}

static void reset(uint32_t count, mr_collective *first, mr_collective *second) {
  model_blocks_reset();
  memset(all, 0, sizeof all);
  memset(worked, 0, sizeof worked);
  memset(at_work, 0, sizeof at_work);
  ran_in_step = 0;
  broken = mr_error(MR_INTERNAL, "broken");
  cancelled = mr_error(MR_CANCELLED, "cancelled");
  calls[0] = first;
  calls[1] = second;
  for (int i = 0; i < CALLS; i++) {
    libraries[i] = (mr_library_call){.meets = calls[i], .name = "meeting"};
    steps[i] = (plan_step){.kind = STEP_LIBRARY, .name = "meeting", .library = &libraries[i], .meets_at = (uint32_t)i};
    places[i] = (mr_meeting_place){calls[i], 0};
  }
  program = (mr_executable){.num_partitions = count, .num_replicas = 1, .num_strands = 1};
  program.places = places;
  program.num_places = CALLS;
  steps[SEND] = (plan_step){.kind = STEP_LIBRARY, .name = "send", .mail = PLAN_SENDS};
  steps[RECEIVE] = (plan_step){.kind = STEP_LIBRARY, .name = "recv", .mail = PLAN_RECEIVES};
  program.channels = (const mr_collective **)(uintptr_t)channels;
  program.num_channels = 1;
  device.direct = true;
  launch_state *states[ROWS];
  for (uint32_t i = 0; i < count; i++) {
    all[i].state =
        (launch_state){.executable = &program, .device = &device, .numbers = {[ROW_PARTITION] = i}, .row = i};
    all[i].fails_at = -1;
    states[i] = &all[i].state;
  }
  mr_status status = mr_rows_create(states, count, &shared);
  model_check(!status, "no memory");
  for (uint32_t i = 0; i < count; i++) {
    all[i].state.rows = mr_rows_retain(shared);
  }
}

static bool is_of(mr_status status, mr_code code, const char *words) {
  return status && mr_status_code(status) == code && strstr(mr_status_message(status), words);
}

// Every row has ended once, and all with what failed them. `may`: of which code and words that is; `must`: it is not well.
static void check_end(uint32_t count, mr_code code, const char *words, bool may, bool must) {
  for (uint32_t i = 0; i < count; i++) {
    mr_status status = all[i].status;
    model_check(all[i].ended == 1, "a row does not end");
    model_check(status ? may && is_of(status, code, words) : !must, "a row came to something else");
    model_check(!calls_host || !status == !all[0].status, "some rows fail, and others do not");
    mr_status_free(status);
  }
  mr_rows_release(shared);
  model_check(model_blocks_left == 0, "a block was not given back");
  mr_status_free(broken);
  mr_status_free(cancelled);
  model_check(count_statuses() == statuses, "a status was not let go of as often as it was kept");
}

static void run_rows_as(uint32_t count, void (*run)(void *), void (*other)(void *)) {
  for (uint32_t i = 0; i < count; i++) {
    model_thread(run, &all[i]);
  }
  if (other) {
    model_thread(other, NULL);
  }
  model_join();
}

// The same place again and again, as in a loop.
static void twice_at_one_place(void) {
  static const int two[] = {0, 0, -1};
  reset(2, &beginning, &beginning_again);
  all[0].steps = all[1].steps = two;
  run_rows_as(2, run_row, NULL);
  model_check(worked[0] == 2, "a round was left out");
  check_end(2, MR_INTERNAL, "", false, false);
}

static const int in_all[] = {0, -1}, in_both[] = {0, 1, -1}, turned[] = {1, 0, -1}, only_first[] = {0, -1},
                 nowhere[] = {-1};

static void three_meet(void) {
  reset(3, &everybody, &everybody_again);
  for (int i = 0; i < 3; i++) {
    all[i].steps = in_all;
  }
  run_rows_as(3, run_row, NULL);
  model_check(worked[0] == 1, "the work was not done once");
  check_end(3, MR_INTERNAL, "", false, false);
}

// Two groups that one row is in both of.
static void a_chain_of_groups(void) {
  reset(3, &beginning, &ending);
  for (int i = 0; i < 3; i++) {
    all[i].steps = in_both;
  }
  run_rows_as(3, run_row, NULL);
  model_check(worked[0] == 1 && worked[1] == 1, "the work was not done once");
  check_end(3, MR_INTERNAL, "", false, false);
}

static void two_are_cancelled(void) {
  reset(2, &beginning, &beginning_again);
  all[0].steps = all[1].steps = in_both;
  run_rows_as(2, run_row, cancel_rows);
  check_end(2, MR_CANCELLED, "cancelled", true, false);
}

// A row fails of itself, while the others wait or come, or are about to.
static void one_fails(void) {
  reset(3, &everybody, &everybody_again);
  for (int i = 0; i < 3; i++) {
    all[i].steps = in_all;
  }
  all[1].fails_at = 0;
  run_rows_as(3, run_row, NULL);
  check_end(3, MR_INTERNAL, "broken", true, true);
}

static void one_fails_after_meeting(void) {
  reset(2, &beginning, &beginning_again);
  all[0].steps = all[1].steps = in_all;
  all[1].fails_at = 1;
  run_rows_as(2, run_row, NULL);
  check_end(2, MR_INTERNAL, "broken", true, calls_host);
}

static void fail_or_run(void *argument) {
  row *r = argument;
  (r == &all[0] ? fail_row : run_row)(r);
}

// It could not begin.
static void one_cannot_begin(void) {
  reset(2, &beginning, &beginning_again);
  all[0].steps = all[1].steps = in_all;
  run_rows_as(2, fail_or_run, NULL);
  check_end(2, MR_INTERNAL, "broken", true, true);
}

static void the_work_fails(void) {
  work_fails = true;
  reset(2, &beginning, &beginning_again);
  all[0].steps = all[1].steps = in_both;
  run_rows_as(2, run_row, NULL);
  model_check(worked[0] == 1 && worked[1] == 0, "the work that failed was done again, or more");
  check_end(2, MR_INTERNAL, "broken", true, true);
  work_fails = false;
}

static void one_never_comes(void) {
  reset(2, &beginning, &beginning_again);
  all[0].steps = in_both;
  all[1].steps = only_first;
  run_rows_as(2, run_row, NULL);
  model_check(all[0].status != MR_OK, "nobody came, and it went well");
  check_end(2, MR_FAILED_PRECONDITION, "never comes", true, false);
}

// After they have met once.
static void other_orders(void) {
  static const int once[] = {0, 0, 1, -1}, once_turned[] = {0, 1, 0, -1};
  reset(2, &beginning, &beginning_again);
  all[0].steps = once;
  all[1].steps = once_turned;
  run_rows_as(2, run_row, NULL);
  check_end(2, MR_FAILED_PRECONDITION, "wait for each other for ever", true, true);
}

// One ends without anybody who waits for it, and two wait for each other.
static void other_orders_when_one_has_left(void) {
  reset(3, &beginning, &beginning_again);
  all[0].steps = in_both;
  all[1].steps = turned;
  all[2].steps = nowhere;
  run_rows_as(3, run_row, NULL);
  model_check(all[0].status && all[1].status, "they do not wait for each other");
  check_end(3, MR_FAILED_PRECONDITION, "wait for each other for ever", true, calls_host);
}

static void in_step(void) {
  reset(3, &everybody, &everybody_again);
  shared->in_step = true;
  run_rows_as(3, begin_row, NULL);
  model_check(ran_in_step == 1, "the rows were not run once");
  check_end(3, MR_INTERNAL, "", false, false);
}

static void in_step_cancelled(void) {
  reset(3, &everybody, &everybody_again);
  shared->in_step = true;
  run_rows_as(3, begin_row, cancel_rows);
  model_check(ran_in_step <= 1, "the rows were run twice");
  check_end(3, MR_CANCELLED, "cancelled", true, false);
}

static void begin_or_fail(void *argument) {
  row *r = argument;
  (r == &all[0] ? fail_row : begin_row)(r);
}

static void in_step_one_cannot_begin(void) {
  reset(2, &beginning, &beginning_again);
  shared->in_step = true;
  run_rows_as(2, begin_or_fail, NULL);
  model_check(ran_in_step == 0, "rows were run without one of them");
  check_end(2, MR_INTERNAL, "broken", true, true);
}

static const int send_twice[] = {SEND, SEND, -1}, receive_twice[] = {RECEIVE, RECEIVE, -1}, send_once[] = {SEND, -1},
                 only_received[] = {RECEIVE, -1};

// Whether a letter waits or is waited for, the first comes first.
static void two_letters(void) {
  reset(2, &beginning, &beginning_again);
  all[0].steps = send_twice;
  all[1].steps = receive_twice;
  run_rows_as(2, run_row, NULL);
  check_end(2, MR_INTERNAL, "", false, false);
}

static void letters_when_cancelled(void) {
  reset(2, &beginning, &beginning_again);
  all[0].steps = send_twice;
  all[1].steps = receive_twice;
  run_rows_as(2, run_row, cancel_rows);
  check_end(2, MR_CANCELLED, "cancelled", true, false);
}

static void a_letter_too_few(void) {
  reset(2, &beginning, &beginning_again);
  all[0].steps = send_once;
  all[1].steps = receive_twice;
  run_rows_as(2, run_row, NULL);
  model_check(all[1].status != MR_OK, "a letter came that nobody sent");
  check_end(2, MR_FAILED_PRECONDITION, "never sends", true, false);
}

static void a_letter_too_many(void) {
  reset(2, &beginning, &beginning_again);
  all[0].steps = send_twice;
  all[1].steps = only_received;
  run_rows_as(2, run_row, NULL);
  check_end(2, MR_INTERNAL, "", false, false);
}

// The one waits for a letter that the other would send after they have met.
static void a_letter_and_a_meeting(void) {
  static const int meets_first[] = {0, SEND, -1}, receives_first[] = {RECEIVE, 0, -1};
  reset(2, &beginning, &beginning_again);
  all[0].steps = meets_first;
  all[1].steps = receives_first;
  run_rows_as(2, run_row, NULL);
  check_end(2, MR_FAILED_PRECONDITION, "device 1 in recv for device 0", true, true);
}

// They come to two places in two orders, and wait for none before they have come to both.
static void they_go_on(void) {
  static const int one[] = {COME + 0, 1, STAY + 0, -1}, other[] = {COME + 1, 0, STAY + 1, -1};
  reset(2, &beginning, &beginning_again);
  all[0].steps = one;
  all[1].steps = other;
  run_rows_as(2, run_row, NULL);
  model_check(worked[0] == 1 && worked[1] == 1, "the work was not done once");
  check_end(2, MR_INTERNAL, "", false, false);
}

static const int goes_on[] = {COME + 0, 1, STAY + 0, -1}, letter_later[] = {COME + RECEIVE, 0, STAY + RECEIVE, -1},
                 meets_and_sends[] = {0, SEND, -1};

static void one_goes_on_and_all_are_cancelled(void) {
  reset(2, &beginning, &beginning_again);
  all[0].steps = goes_on;
  all[1].steps = in_both;
  run_rows_as(2, run_row, cancel_rows);
  check_end(2, MR_CANCELLED, "cancelled", true, false);
}

// What it has come with is held by a meeting that the others would come to when it has met them elsewhere.
static void one_goes_on_and_fails(void) {
  reset(3, &everybody, &everybody_again);
  all[0].steps = goes_on;
  all[1].steps = all[2].steps = turned;
  all[0].fails_at = 1;
  run_rows_as(3, run_row, NULL);
  check_end(3, MR_INTERNAL, "broken", true, true);
}

// The letter that is sent after they have met does not keep them from that.
static void a_letter_beside_a_meeting(void) {
  reset(2, &beginning, &beginning_again);
  all[0].steps = meets_and_sends;
  all[1].steps = letter_later;
  run_rows_as(2, run_row, NULL);
  check_end(2, MR_INTERNAL, "", false, false);
}

// They go on as far as they can, and wait for each other then.
static void they_go_on_and_wait_for_ever(void) {
  static const int one[] = {COME + 0, 0 + STAY, 1, -1}, other[] = {COME + 1, STAY + 1, 0, -1};
  reset(2, &beginning, &beginning_again);
  all[0].steps = one;
  all[1].steps = other;
  run_rows_as(2, run_row, NULL);
  check_end(2, MR_FAILED_PRECONDITION, "wait for each other for ever", true, true);
}

// The rows end the same way however that is told; they wait for ever, which not every kind of party sees.
enum { SAME = 1, STUCK = 2 };

static void explore_all(const char *how) {
  static const struct {
    const char *name;
    void (*scenario)(void);
    int preemptions;
    int is;
  } scenarios[] = {
      {"twice at one place", twice_at_one_place, 3, 0},
      {"three meet", three_meet, 2, SAME},
      {"a chain of groups", a_chain_of_groups, 2, SAME},
      {"cancelled", two_are_cancelled, 2, 0},
      {"two letters", two_letters, 3, 0},
      {"letters when cancelled", letters_when_cancelled, 2, 0},
      {"a letter too few", a_letter_too_few, 3, 0},
      {"a letter too many", a_letter_too_many, 3, SAME},
      {"a letter and a meeting", a_letter_and_a_meeting, 3, SAME | STUCK},
      {"one fails", one_fails, 2, SAME},
      {"one fails after a meeting", one_fails_after_meeting, 3, 0},
      {"one cannot begin", one_cannot_begin, 3, SAME},
      {"the work fails", the_work_fails, 3, SAME},
      {"one never comes", one_never_comes, 3, 0},
      {"they come in another order", other_orders, 3, SAME | STUCK},
      {"they come in another order, one has left", other_orders_when_one_has_left, 2, STUCK},
      {"they go on", they_go_on, 3, SAME},
      {"one goes on, cancelled", one_goes_on_and_all_are_cancelled, 2, 0},
      {"one goes on and fails", one_goes_on_and_fails, 2, 0},
      {"a letter beside a meeting", a_letter_beside_a_meeting, 3, SAME},
      {"they go on, and wait for ever", they_go_on_and_wait_for_ever, 3, SAME | STUCK},
      {"in step", in_step, 2, SAME},
      {"in step, cancelled", in_step_cancelled, 2, SAME},
      {"in step, one cannot begin", in_step_one_cannot_begin, 3, SAME},
  };
  char name[80];
  for (size_t i = 0; i < MR_ARRAY_SIZE(scenarios); i++) {
    if ((scenarios[i].is & SAME && !calls_host) || (EACH_WORKS && (scenarios[i].is & STUCK || !is_in_sample(i)))) {
      continue;
    }
    snprintf(name, sizeof name, "%s, %s", scenarios[i].name, how);
    model_explore(name, scenarios[i].scenario, scenarios[i].preemptions);
  }
}

static void explore(void) {
  calls_host = true;
  explore_all("ending together");
  calls_host = false;
  explore_all("each for itself");
}

static const model_mutant mutants[] = {
    {"mr_rows_begin", "load &rows->failed", memory_order_acquire, "in step, one cannot begin, ending together"},
    {"mr_rows_begin", "store &rows->rows[s->row].kept", memory_order_release,
     "in step, one cannot begin, ending together"},
    {"look_for_source", "load &party->left[source]", memory_order_acquire, "a letter too few, ending together"},
    {"wait_for_letter", "swap &b->word", memory_order_acq_rel, "a letter too few, ending together"},
    {"mr_future_set", "exchange &future->state", memory_order_acquire, "three meet, ending together"},
    {"mr_future_release", "fetch_sub &future->refs", memory_order_acquire, "three meet, ending together"},
    {"mr_future_release", "load &future->refs", memory_order_relaxed, "three meet, ending together"},
};

int main(void) {
  if (MODEL_CANNOT_RUN) {
    return 0;
  }
  model_local(&debt, sizeof debt);
  fill_groups(&everybody, 3, one_group, ranks, all_offsets, all_members);
  fill_groups(&everybody_again, 3, one_group, ranks, all_offsets, all_members);
  fill_groups(&beginning_again, 2, first_two, ranks, pair_offsets, all_members);
  fill_groups(&beginning, 2, first_two, ranks, pair_offsets, all_members);
  fill_groups(&ending, 2, last_two, last_ranks, pair_offsets, last_members);
  statuses = count_statuses();
#ifdef MODEL_BYTES
  mr_party_set_kind(&bytes_party);
  return model_main(explore, NULL, 0);  // its words are behind a lock
#else
  return model_main(explore, mutants, sizeof mutants / sizeof *mutants);
#endif
}
