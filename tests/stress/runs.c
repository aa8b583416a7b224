// Runs of a plan that are cancelled and whose nodes finish elsewhere; waiting inside nodes; loops inside loops.
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scheduler/scope.h"
#include "tests/stress/stress.h"

// ---- Runs -------------------------------------------------------------------------------------------------------------

enum { NODES = 800, RUNS = 4, LATER = 64 };

typedef struct run_context {
  const uint32_t *offsets, *inputs;
  _Atomic(uint32_t) runs[NODES];
  _Atomic(bool) over;
} run_context;

// What async nodes leave for a thread that finishes them.
typedef struct finisher {
  pthread_mutex_t lock;
  struct {
    mr_run *run;
    uint32_t node;
  } later[LATER];
  uint32_t count;
  bool stop;
} finisher;

static finisher the_finisher = {.lock = PTHREAD_MUTEX_INITIALIZER};

static mr_status step(mr_run *run, uint32_t node) {
  run_context *c = mr_run_context(run);
  CHECK(!c->over);
  for (uint32_t e = c->offsets[node]; e < c->offsets[node + 1]; e++) {
    CHECK(c->runs[c->inputs[e]] == 1);
  }
  CHECK(atomic_fetch_add(&c->runs[node], 1) == 0);
  return MR_OK;
}

static mr_status async_step(mr_run *run, uint32_t node) {
  mr_status status = step(run, node);
  finisher *f = &the_finisher;
  pthread_mutex_lock(&f->lock);
  bool room = f->count < LATER;
  if (room) {
    f->later[f->count].run = run;
    f->later[f->count++].node = node;
  }
  pthread_mutex_unlock(&f->lock);
  if (!room) {
    mr_run_node_finish(run, node, MR_OK);  // here and now is allowed too
  }
  return status;
}

static void *finish_later(void *argument) {
  uint32_t seed = *(uint32_t *)argument;
  finisher *f = &the_finisher;
  for (;;) {
    mr_run *run = NULL;
    uint32_t node = 0;
    pthread_mutex_lock(&f->lock);
    bool stop = f->stop && !f->count;
    if (f->count) {
      uint32_t chosen = next_random(&seed) % f->count;
      run = f->later[chosen].run;
      node = f->later[chosen].node;
      f->later[chosen] = f->later[--f->count];
    }
    pthread_mutex_unlock(&f->lock);
    if (stop) {
      return NULL;
    }
    if (run) {
      mr_run_node_finish(run, node, MR_OK);
    } else {
      usleep(20);
    }
  }
}

static mr_plan *make_plan(uint32_t *offsets, uint32_t *inputs, uint32_t *seed) {
  static mr_plan_node nodes[NODES];
  uint32_t edges = 0;
  offsets[0] = 0;
  for (uint32_t i = 0; i < NODES; i++) {
    uint32_t count = i ? next_random(seed) % 4 : 0;
    for (uint32_t k = 0; k < count; k++) {
      inputs[edges++] = i - 1 - next_random(seed) % MR_MIN(i, 100u);
    }
    offsets[i + 1] = edges;
    bool async = next_random(seed) % 16 == 0;
    nodes[i] = (mr_plan_node){
        .run = async ? async_step : step, .async = async, .cost_ns = next_random(seed) % 2 ? 150 : 0, .name = "step"};
  }
  mr_plan *plan;
  CHECK(!mr_plan_create(nodes, NODES, offsets, inputs, &plan));
  return plan;
}

static void check_run(mr_run *run, run_context *c, bool cancelled) {
  mr_status status = mr_future_status(mr_run_done(run));
  CHECK(cancelled || !status);
  CHECK(!status || mr_status_code(status) == MR_CANCELLED);
  for (uint32_t i = 0; i < NODES; i++) {
    CHECK(c->runs[i] == 1 || (status && c->runs[i] == 0));
  }
  c->over = true;  // nothing begins after the end
}

void stress_runs(uint32_t seed) {
  static uint32_t offsets[NODES + 1], inputs[NODES * 4];
  mr_plan *plan = make_plan(offsets, inputs, &seed);
  mr_scheduler *scheduler;
  CHECK(!mr_scheduler_create(&(mr_scheduler_options){.workers = 1 + seed % 3}, &scheduler));
  mr_executor *executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  uint32_t finisher_seed = next_random(&seed);
  pthread_t thread;
  the_finisher.stop = false;
  stress_start(&thread, 1, finish_later, &finisher_seed, 0);
  run_context *contexts = calloc(RUNS, sizeof *contexts);
  mr_run *runs[RUNS];
  bool cancelled[RUNS];
  for (uint32_t i = 0; i < RUNS; i++) {
    contexts[i].offsets = offsets;
    contexts[i].inputs = inputs;
    cancelled[i] = next_random(&seed) % 2;
    CHECK(!mr_run_create(plan, executor, &contexts[i], &runs[i]));
    if (next_random(&seed) % 2) {
      mr_run_start(runs[i]);
    } else {
      mr_run_start_here(runs[i]);
    }
    if (next_random(&seed) % 2) {
      usleep(next_random(&seed) % 100);
    }
    if (cancelled[i]) {
      mr_run_cancel(runs[i], mr_error(MR_CANCELLED, "enough"));
    }
  }
  for (uint32_t i = 0; i < RUNS; i++) {
    if (next_random(&seed) % 2) {
      mr_scheduler_wait(scheduler, mr_run_done(runs[i]));
    }
    CHECK(mr_future_wait_until(mr_run_done(runs[i]), STRESS_DEADLINE));
    check_run(runs[i], &contexts[i], cancelled[i]);
    mr_run_release(runs[i]);
  }
  pthread_mutex_lock(&the_finisher.lock);
  the_finisher.stop = true;
  pthread_mutex_unlock(&the_finisher.lock);
  stress_join(&thread, 1);
  mr_scheduler_release(scheduler);
  mr_plan_release(plan);
  free(contexts);
}

// ---- Waiting inside nodes -----------------------------------------------------------------------------------------------

typedef struct fib {
  mr_scheduler *scheduler;
  mr_executor *executor;
  uint32_t n, result;
  bool plainly;  // mr_future_wait() instead of mr_scheduler_wait()
} fib;

static void fib_run(mr_node *node);
static const mr_node_type fib_type = {.name = "fib", .kind = MR_NODE_CALLBACK, .run = fib_run};

static mr_future *start_fib(fib *f) {
  mr_node *node;
  CHECK(!mr_node_create(&fib_type, sizeof(fib *), f->executor, &node));
  *(fib **)mr_node_payload(node) = f;
  mr_future *done = mr_node_keep_done(node);
  mr_node_submit(node);
  return done;
}

static void fib_run(mr_node *node) {
  fib *f = *(fib **)mr_node_payload(node);
  f->result = f->n;
  if (f->n >= 2) {
    fib a = *f, b = *f;
    a.n = f->n - 1;
    b.n = f->n - 2;
    mr_future *one = start_fib(&a), *two = start_fib(&b);
    if (f->plainly) {
      mr_future_wait(one);
      mr_future_wait(two);
    } else {
      mr_scheduler_wait(f->scheduler, one);
      mr_scheduler_wait(f->scheduler, two);
    }
    mr_future_release(one);
    mr_future_release(two);
    f->result = a.result + b.result;
  }
  mr_node_finish(node, MR_OK);
}

// Nodes that wait for nodes that wait: workers take other work meanwhile, so that all of it comes to an end.
void stress_waits_inside(uint32_t seed) {
  mr_scheduler *scheduler;
  CHECK(!mr_scheduler_create(&(mr_scheduler_options){.workers = 1 + seed % 3, .policy = seed % 2}, &scheduler));
  fib f = {.scheduler = scheduler, .n = 13, .plainly = next_random(&seed) % 2};
  f.executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  mr_future *done = start_fib(&f);
  CHECK(mr_future_wait_until(done, STRESS_DEADLINE));
  CHECK(f.result == 233);
  mr_future_release(done);
  mr_scheduler_release(scheduler);
}

// A process is forked while nodes wait for nodes: both it and its child come to the same result.
void stress_fork_waits(uint32_t seed) {
  if (UNDER_TSAN) {
    return;  // as in stress_fork()
  }
  mr_scheduler *scheduler;
  CHECK(!mr_scheduler_create(&(mr_scheduler_options){.workers = 1 + seed % 3}, &scheduler));
  fib f = {.scheduler = scheduler, .n = 14, .plainly = next_random(&seed) % 2};
  f.executor = mr_group_executor(mr_scheduler_group(scheduler, 0, 1));
  fflush(NULL);
  mr_future *done = start_fib(&f);
  usleep(next_random(&seed) % 500);
  pid_t child = fork();
  if (child == 0) {
    alarm(110);
  }
  CHECK(mr_future_wait_until(done, STRESS_DEADLINE));
  CHECK(f.result == 377);
  mr_future_release(done);
  mr_scheduler_release(scheduler);
  if (child == 0) {
    _exit(0);
  }
  int result = -1;
  CHECK(waitpid(child, &result, 0) == child);
  CHECK(WIFEXITED(result) && WEXITSTATUS(result) == 0);
}

// ---- Scopes -------------------------------------------------------------------------------------------------------------

typedef struct span {
  mr_scheduler *scheduler;
  _Atomic(uint8_t) *hits;
  uint32_t size;
} span;

// Halves until a piece is small; a piece also waits for a node now and then, so that calls, nodes and waits mix.
static void hit_span(void *argument) {
  span *all = argument;
  if (all->size <= 8) {
    for (uint32_t i = 0; i < all->size; i++) {
      CHECK(atomic_fetch_add(&all->hits[i], 1) == 0);
    }
    if (all->size == 5) {
      fib f = {
          .scheduler = all->scheduler, .executor = mr_group_executor(mr_scheduler_group(all->scheduler, 0, 1)), .n = 3};
      mr_future *done = start_fib(&f);
      mr_scheduler_wait(all->scheduler, done);
      CHECK(f.result == 2);
      mr_future_release(done);
    }
    return;
  }
  span low = {all->scheduler, all->hits, all->size / 2},
       high = {all->scheduler, all->hits + low.size, all->size - low.size};
  mr_scope scope;
  mr_scope_begin(&scope, all->scheduler);
  mr_scope_spawn(&scope, hit_span, &high);
  if (all->size % 2) {
    mr_scope_spawn(&scope, hit_span, &low);
  } else {
    hit_span(&low);
  }
  mr_scope_end(&scope);
}

static void *run_scopes(void *argument) {
  span all = *(span *)argument;
  all.hits = calloc(all.size, sizeof *all.hits);
  hit_span(&all);
  for (uint32_t i = 0; i < all.size; i++) {
    CHECK(all.hits[i] == 1);
  }
  free(all.hits);
  return NULL;
}

// Recursions of several threads in scopes: each piece is done once, and none after its scope has ended.
void stress_scopes(uint32_t seed) {
  mr_scheduler *scheduler;
  CHECK(!mr_scheduler_create(&(mr_scheduler_options){.workers = 1 + seed % 3}, &scheduler));
  span spans[3];
  for (int i = 0; i < 3; i++) {
    spans[i] = (span){scheduler, NULL, 2000 + next_random(&seed) % 2000};
  }
  pthread_t threads[3];
  stress_start(threads, 3, run_scopes, spans, sizeof spans[0]);
  stress_join(threads, 3);
  mr_scheduler_release(scheduler);
}

// ---- Loops --------------------------------------------------------------------------------------------------------------

enum { TILES = 300, INNER = 40, LOOP_THREADS = 3 };

typedef struct loop {
  mr_group *group;
  _Atomic(uint32_t) hits[TILES], inner;
} loop;

static void count_inner(void *context, int64_t begin, int64_t end) {
  atomic_fetch_add(&((loop *)context)->inner, (uint32_t)(end - begin));
}

static void hit(void *context, int64_t begin, int64_t end) {
  loop *l = context;
  for (int64_t i = begin; i < end; i++) {
    atomic_fetch_add(&l->hits[i], 1);
    if (i % 50 == 0) {
      mr_parallel_for(l->group, INNER, count_inner, l, 1, 1000000);
    }
  }
}

static void *run_loops(void *argument) {
  for (int round = 0; round < 3; round++) {
    loop *l = calloc(1, sizeof *l);
    l->group = *(mr_group **)argument;
    mr_parallel_for(l->group, TILES, hit, l, 1, 10000000);
    for (int i = 0; i < TILES; i++) {
      CHECK(l->hits[i] == 1);
    }
    CHECK(l->inner == TILES / 50 * INNER);
    free(l);  // a helper that came too late would touch it
  }
  return NULL;
}

void stress_loops(uint32_t seed) {
  mr_scheduler *scheduler;
  CHECK(!mr_scheduler_create(&(mr_scheduler_options){.workers = 2 + seed % 2}, &scheduler));
  mr_group *group = mr_scheduler_group(scheduler, 0, 1);
  pthread_t threads[LOOP_THREADS];
  stress_start(threads, LOOP_THREADS, run_loops, &group, 0);
  stress_join(threads, LOOP_THREADS);
  mr_scheduler_release(scheduler);
}
