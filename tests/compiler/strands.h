// strands: calls that end later, and graphs made by hand, for tests of runs that wait without a thread.
#ifndef MR_TESTS_COMPILER_STRANDS_H
#define MR_TESTS_COMPILER_STRANDS_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "compiler/ir/ir.h"
#include "compiler/plan/plan.h"
#include "compiler/run/run.h"
#include "tests/compiler/execute_harness.h"

// What the calls that have been begun wait for, in order.
enum { MOST_WAITING = 4096 };
static struct {
  pthread_mutex_t lock;
  mr_future *futures[MOST_WAITING];
  uint32_t count;
} waiting = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Atomic uint32_t calls_begun;
static bool calls_end_at_once, calls_fail;

typedef struct slow_call {
  mr_library_call base;
  size_t bytes;
} slow_call;

// Gives its first operand on, plus one to each f32, and is over when the test says so.
static mr_status slow_start(const mr_library_call *base, void *const *buffers, void *scratch, mr_group *group,
                            mr_future **out_done) {
  (void)scratch, (void)group;
  const slow_call *call = (const slow_call *)base;
  atomic_fetch_add(&calls_begun, 1);
  *out_done = NULL;
  if (calls_fail) {
    return mr_error(MR_DATA_LOSS, "the call was refused");
  }
  const float *from = buffers[0];
  float *to = buffers[1];
  for (size_t i = 0; i < call->bytes / sizeof(float); i++) {
    to[i] = from[i] + 1;
  }
  if (calls_end_at_once) {
    return MR_OK;
  }
  MR_TRY(mr_future_create(out_done));
  pthread_mutex_lock(&waiting.lock);
  assert_true(waiting.count < MOST_WAITING);
  waiting.futures[waiting.count++] = mr_future_retain(*out_done);
  pthread_mutex_unlock(&waiting.lock);
  return MR_OK;
}

// Until so many calls have been begun and wait: on a device that takes its time none need be when mr_execute() returns.
static inline uint32_t count_waiting(void) {
  pthread_mutex_lock(&waiting.lock);
  uint32_t count = waiting.count;
  pthread_mutex_unlock(&waiting.lock);
  return count;
}
static inline void until_waiting(uint32_t count) {
  while (count_waiting() != count) {
    sched_yield();
  }
}

static void slow_destroy(mr_library_call *call) { mr_free(call); }

static mr_status make_slow_call(const mr_op *op, mr_library_call **out_call) {
  slow_call *call = mr_alloc_zeroed(1, sizeof *call);
  *out_call = &call->base;
  if (!call) {
    return MR_NO_MEMORY();
  }
  call->base = (mr_library_call){.start = slow_start, .destroy = slow_destroy, .cost_ns = 1000, .name = "slow"};
  call->bytes = mr_type_bytes(&op->results[0].type);
  return MR_OK;
}

// Lets the oldest call end that waits. False: none does.
static inline bool let_one_end(mr_status take_status) {
  pthread_mutex_lock(&waiting.lock);
  mr_future *future = waiting.count ? waiting.futures[0] : NULL;
  if (future) {
    waiting.count--;
    memmove(waiting.futures, waiting.futures + 1, waiting.count * sizeof(mr_future *));
  }
  pthread_mutex_unlock(&waiting.lock);
  if (!future) {
    mr_status_free(take_status);
    return false;
  }
  mr_future_set(future, take_status);
  mr_future_release(future);
  return true;
}

// ---- Graphs -----------------------------------------------------------------------------------------------------------

static inline void mark(const plan_step *step, uint8_t *touched) {
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    touched[step->buffers[i]] = 1;
  }
  if (step->kind == STEP_LIBRARY && step->scratch != NO_BUFFER) {
    touched[step->scratch] = 1;
  }
  for (uint32_t r = 0; r < step->num_sequences; r++) {
    for (uint32_t i = 0; i < step->sequences[r].count; i++) {
      mark(&step->sequences[r].steps[i], touched);
    }
  }
}

// Each step is a strand, after all earlier ones that name a buffer that it names.
static inline void every_step_a_strand(mr_executable *e, plan_sequence *sequence) {
  uint32_t n = sequence->count;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t r = 0; r < sequence->steps[i].num_sequences; r++) {
      every_step_a_strand(e, &sequence->steps[i].sequences[r]);
    }
  }
  if (n < 2) {
    return;
  }
  plan_graph *graph = mr_arena_alloc(&e->arena, sizeof *graph);
  memset(graph, 0, sizeof *graph);
  graph->num_strands = n;
  graph->strands = mr_arena_array(&e->arena, plan_strand, n);
  graph->input_offsets = mr_arena_array(&e->arena, uint32_t, n + 1);
  graph->inputs = mr_arena_array(&e->arena, uint32_t, n *n);
  uint8_t *touched = calloc(n, e->num_buffers + 1);
  uint32_t edges = 0;
  for (uint32_t i = 0; i < n; i++) {
    graph->strands[i] = (plan_strand){.first = i, .count = 1, .cost_ns = sequence->steps[i].cost_ns};
    graph->input_offsets[i] = edges;
    uint8_t *mine = touched + i * e->num_buffers;
    mark(&sequence->steps[i], mine);
    for (uint32_t k = 0; k < i; k++) {
      bool shares = false;
      for (uint32_t b = 0; b < e->num_buffers; b++) {
        const plan_buffer *buffer = &e->buffers[b];
        bool only_read = buffer->place == PLACE_CONST || (buffer->place == PLACE_PARAM && !buffer->written);
        shares |= mine[b] && touched[k * e->num_buffers + b] && !only_read;
      }
      if (shares) {
        graph->inputs[edges++] = k;
      }
    }
  }
  graph->input_offsets[n] = edges;
  free(touched);
  sequence->graph = graph;
}

// All of the program runs as strands of one step, and no temporary lies where another one does.
static inline void cut_into_strands(mr_executable *e) {
  size_t bytes = 0;
  for (uint32_t b = 0; b < e->num_buffers; b++) {
    if (e->buffers[b].place == PLACE_TEMP) {
      e->buffers[b].offset = bytes;
      bytes += (e->buffers[b].bytes + 63) & ~(size_t)63;
    }
  }
  e->temp_bytes = bytes;
  every_step_a_strand(e, &e->main);
  expect_ok(mr_strands_freeze(e));
}

#endif
