// Graphs of nodes that are cancelled while they run, whose scheduler goes away, whose process is forked.
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/stress/stress.h"

enum { NODES = 600, MOST_INPUTS = 3 };

typedef struct entry {
  _Atomic(uint32_t) runs, fails;
  uint32_t inputs[MOST_INPUTS], input_count;
  bool discarded, bad;  // bad: run() returns an error
  mr_future *done;
} entry;

typedef struct graph {
  entry entries[NODES];
  mr_future *gate;  // everything without inputs waits for it
} graph;

typedef struct payload {
  graph *of;
  uint32_t index;
} payload;

static void run(mr_node *node) {
  payload p = *(payload *)mr_node_payload(node);
  entry *e = &p.of->entries[p.index];
  for (uint32_t i = 0; i < e->input_count; i++) {
    CHECK(p.of->entries[e->inputs[i]].runs == 1);
  }
  CHECK(atomic_fetch_add(&e->runs, 1) == 0);
  mr_node_finish(node, e->bad ? mr_error(MR_DATA_LOSS, "origin %u", p.index) : MR_OK);
}

static void fail(mr_node *node, mr_status status) {
  payload p = *(payload *)mr_node_payload(node);
  CHECK(status);
  CHECK(atomic_fetch_add(&p.of->entries[p.index].fails, 1) == 0);
}

static const mr_node_type type = {.name = "stress", .kind = MR_NODE_CALLBACK, .run = run, .fail = fail};

static graph *make(mr_scheduler *scheduler, bool with_errors, uint32_t *seed) {
  graph *g = calloc(1, sizeof *g);
  CHECK(g && !mr_future_create(&g->gate));
  for (uint32_t i = 0; i < NODES; i++) {
    entry *e = &g->entries[i];
    mr_node *node;
    mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, next_random(seed) % 2, 2));
    CHECK(!mr_node_create(&type, sizeof(payload), executor, &node));
    *(payload *)mr_node_payload(node) = (payload){g, i};
    node->priority = next_random(seed) % 8 == 0;
    node->cost_ns = next_random(seed) % 4 == 0 ? 200 : 0;
    e->input_count = i ? next_random(seed) % (MOST_INPUTS + 1) : 0;
    for (uint32_t k = 0; k < e->input_count; k++) {
      e->inputs[k] = i - 1 - next_random(seed) % MR_MIN(i, 40u);
      CHECK(!mr_node_after(node, g->entries[e->inputs[k]].done));
    }
    if (!e->input_count) {
      CHECK(!mr_node_after(node, g->gate));
    }
    e->done = mr_node_keep_done(node);
    e->bad = with_errors && next_random(seed) % 200 == 0;
    e->discarded = with_errors && next_random(seed) % 200 == 0;
    if (e->discarded) {
      mr_node_discard(node);
    } else {
      mr_node_submit(node);
    }
  }
  return g;
}

static bool same_error(mr_status a, mr_status b) { return strcmp(mr_status_message(a), mr_status_message(b)) == 0; }

// The error of a node that failed is its own or one of its inputs', as it was there.
static void check_origin(const graph *g, uint32_t index) {
  const entry *e = &g->entries[index];
  mr_status status = mr_future_status(e->done);
  char own[64], cancelled[64];
  snprintf(own, sizeof own, "origin %u", index);
  snprintf(cancelled, sizeof cancelled, "cancel %u", index);
  bool found = e->discarded || strcmp(mr_status_message(status), own) == 0 ||
               strcmp(mr_status_message(status), cancelled) == 0 ||
               strcmp(mr_status_message(status), "the scheduler shut down") == 0;
  for (uint32_t k = 0; k < e->input_count && !found; k++) {
    found = same_error(status, mr_future_status(g->entries[e->inputs[k]].done));
  }
  CHECK(found);
}

static void finish(graph *g, bool all_ran) {
  for (uint32_t i = 0; i < NODES; i++) {
    entry *e = &g->entries[i];
    CHECK(mr_future_wait_until(e->done, STRESS_DEADLINE));
    CHECK(e->runs + e->fails == 1);
    CHECK(!all_ran || e->runs == 1);
    if (mr_future_status(e->done)) {
      check_origin(g, i);
    } else {
      CHECK(e->runs == 1);
    }
    for (uint32_t k = 0; k < e->input_count; k++) {
      CHECK(!mr_future_status(g->entries[e->inputs[k]].done) || e->fails == 1);
    }
  }
  for (uint32_t i = 0; i < NODES; i++) {
    mr_future_release(g->entries[i].done);
  }
  mr_future_release(g->gate);
  free(g);
}

// ---- Cancelling -------------------------------------------------------------------------------------------------------

typedef struct canceller {
  graph *of;
  uint32_t seed;
} canceller;

static void *cancel_some(void *argument) {
  canceller *c = argument;
  for (int i = 0; i < 40; i++) {
    uint32_t index = next_random(&c->seed) % NODES;
    mr_node_cancel(mr_node_of_done(c->of->entries[index].done), mr_error(MR_CANCELLED, "cancel %u", index));
    if (next_random(&c->seed) % 4 == 0) {
      usleep(next_random(&c->seed) % 50);
    }
  }
  return NULL;
}

void stress_cancel(uint32_t seed) {
  mr_scheduler *scheduler;
  CHECK(!mr_scheduler_create(&(mr_scheduler_options){.workers = 1 + seed % 3}, &scheduler));
  for (int round = 0; round < 4; round++) {
    graph *g = make(scheduler, true, &seed);
    canceller c[2] = {{g, next_random(&seed)}, {g, next_random(&seed)}};
    pthread_t threads[2];
    stress_start(threads, 2, cancel_some, c, sizeof c[0]);
    mr_future_set(g->gate, MR_OK);
    if (round % 2) {
      mr_scheduler_wait(scheduler, g->entries[NODES - 1].done);
    }
    stress_join(threads, 2);
    finish(g, false);
  }
  mr_scheduler_release(scheduler);
}

// ---- Shutting down ------------------------------------------------------------------------------------------------------

static void *open_gate(void *argument) {
  graph *g = argument;
  mr_future_set(g->gate, MR_OK);
  return NULL;
}

void stress_shutdown(uint32_t seed) {
  mr_scheduler *scheduler;
  CHECK(!mr_scheduler_create(&(mr_scheduler_options){.workers = 1 + seed % 3}, &scheduler));
  graph *g = make(scheduler, false, &seed);
  // What a thread makes ready needs a scheduler that is there: the thread has a reference, and its end is the last one's.
  mr_scheduler_retain(scheduler);
  pthread_t thread;
  stress_start(&thread, 1, open_gate, g, 0);
  if (next_random(&seed) % 2) {
    usleep(next_random(&seed) % 300);
  }
  mr_scheduler_release(scheduler);
  stress_join(&thread, 1);
  if (next_random(&seed) % 2) {
    usleep(next_random(&seed) % 300);
  }
  mr_scheduler_release(scheduler);  // in the middle of it
  finish(g, false);
}

// ---- Forking ------------------------------------------------------------------------------------------------------------

static int in_child(mr_scheduler *scheduler, graph *g, uint32_t seed) {
  alarm(110);
  finish(g, true);  // what was queued when the process was forked
  g = make(scheduler, false, &seed);
  mr_future_set(g->gate, MR_OK);
  finish(g, true);
  mr_scheduler_release(scheduler);
  return 0;
}

static void *fork_meanwhile(void *argument) {
  *(pid_t *)argument = fork();
  if (*(pid_t *)argument == 0) {
    _exit(0);
  }
  return NULL;
}

// A child of a process that is in the middle of a graph finishes it, and another one; so does the parent.
void stress_fork(uint32_t seed) {
  if (UNDER_TSAN) {
    return;  // the sanitizer does not start threads in a child of a process that had several
  }
  mr_scheduler *scheduler;
  CHECK(!mr_scheduler_create(&(mr_scheduler_options){.workers = 1 + seed % 3}, &scheduler));
  graph *g = make(scheduler, false, &seed);
  fflush(NULL);
  mr_future_set(g->gate, MR_OK);
  if (next_random(&seed) % 2) {
    usleep(next_random(&seed) % 300);
  }
  pthread_t other;
  pid_t others_child;
  stress_start(&other, 1, fork_meanwhile, &others_child, 0);
  pid_t child = fork();
  if (child == 0) {
    _exit(in_child(scheduler, g, seed));
  }
  stress_join(&other, 1);
  finish(g, true);
  for (int i = 0; i < 2; i++) {
    int result = -1;
    pid_t waited = i ? others_child : child;
    CHECK(waitpid(waited, &result, 0) == waited);
    CHECK(WIFEXITED(result) && WEXITSTATUS(result) == 0);
  }
  mr_scheduler_release(scheduler);
}
