// Versions and requests on the engine itself: rows that are joined come back to those who sent them, whatever happens to the others.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "serve/batch/internal.h"
#include "tests/serve/check.h"

// y = 2 x + 1, for any number of rows up to 20, as jax.export writes it.
static const char rows_program[] =
    "module @rows attributes {jax.uses_shape_polymorphism = true} {\n"
    "  func.func public @main(%arg0: tensor<?x4xf32> loc(unknown)) -> (tensor<?x4xf32> {jax.result_info = "
    "\"result['y']\"}) {\n"
    "    %most = stablehlo.constant dense<20> : tensor<i32>\n"
    "    %b = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>\n"
    "    %le = stablehlo.compare LE, %b, %most, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.custom_call @shape_assertion(%le, %b, %most) {error_message = \"b = {0} is above {1}\", "
    "has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()\n"
    "    %r = call @wrapped(%b, %arg0) : (tensor<i32>, tensor<?x4xf32>) -> tensor<?x4xf32>\n"
    "    return %r : tensor<?x4xf32>\n"
    "  }\n"
    "  func.func private @wrapped(%arg0: tensor<i32> {jax.global_constant = \"b\"} loc(unknown), %arg1: "
    "tensor<?x4xf32> loc(#named)) -> "
    "tensor<?x4xf32> {\n"
    "    %one = stablehlo.constant dense<1.0> : tensor<f32>\n"
    "    %four = stablehlo.constant dense<4> : tensor<1xi32>\n"
    "    %s = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>\n"
    "    %shape = stablehlo.concatenate %s, %four, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>\n"
    "    %ones = stablehlo.dynamic_broadcast_in_dim %one, %shape, dims = [] : (tensor<f32>, tensor<2xi32>) -> "
    "tensor<?x4xf32>\n"
    "    %t = stablehlo.add %arg1, %arg1 : tensor<?x4xf32>\n"
    "    %y = stablehlo.add %t, %ones : tensor<?x4xf32>\n"
    "    return %y : tensor<?x4xf32>\n"
    "  }\n"
    "}\n"
    "#named = loc(\"x\")\n";

// Long enough to go to a worker.
static const char heavy_program[] =
    "func.func public @main(%a: tensor<384x384xf32> loc(\"a\")) -> tensor<384x384xf32> {\n"
    "  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : "
    "(tensor<384x384xf32>, tensor<384x384xf32>) -> tensor<384x384xf32>\n"
    "  %1 = stablehlo.dot_general %0, %a, contracting_dims = [1] x [0] : "
    "(tensor<384x384xf32>, tensor<384x384xf32>) -> tensor<384x384xf32>\n"
    "  return %1 : tensor<384x384xf32>\n"
    "}\n";

static sv_engine *engine;
static char folder[] = "/tmp/serve-batch-XXXXXX";

static char *write_program(const char *name, const char *text) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s.mlir", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
  return path;
}

static sv_error *load_with(const char *name, const char *text, const char *config_json, sv_version **out) {
  sv_config *config;
  check_ok(sv_config_create(&config));
  if (config_json) {
    check_ok(sv_config_read_json(config, sv_str_of(config_json), "config.json"));
  }
  sv_version_files files = {
      .model = name, .number = 1, .program_path = write_program(name, text), .take_config = config};
  return sv_version_load(engine, &files, out);
}

static sv_version *load(const char *name, const char *text, const char *config_json) {
  sv_version *version;
  check_ok(load_with(name, text, config_json, &version));
  return version;
}

// ---- A client on a loop ---------------------------------------------------------------------------------------------

// Many requests, submitted at once on the loop, and what became of them.
typedef struct client {
  sv_task task;
  sv_loop *loop;
  sv_version *version;
  uint32_t count, rows, done, failed;
  float *values;  // what each request has in all places; its number and the client's
  sv_request **requests;
  millrace_code codes[256];
  uint64_t timeout_ns, deadline_ns;
  uint32_t priority_of[256], order[256];
  uint32_t most_batch;
  bool wrong, cancels;
  void (*after)(struct client *);
  pthread_mutex_t lock;
  pthread_cond_t over;
  bool is_over;
} client;

static void request_done(sv_request *request) {
  client *c = request->argument;
  uint32_t i = 0;
  while (c->requests[i] != request) {
    i++;
  }
  c->codes[i] = sv_error_code(request->error);
  c->order[c->done] = i;
  if (request->error) {
    c->failed++;
  } else {
    const float *y = request->outputs[0].data;
    c->wrong |= request->num_outputs != 1 || request->outputs[0].dims[0] != c->rows ||
                request->outputs[0].bytes != c->rows * 16;
    for (uint32_t k = 0; k < c->rows * 4; k++) {
      c->wrong |= y[k] != 2 * ((float)i + (float)(k / 4) * 1000) + 1;
    }
    c->most_batch = request->batch_rows > c->most_batch ? request->batch_rows : c->most_batch;
  }
  if (++c->done == c->count) {
    pthread_mutex_lock(&c->lock);
    c->is_over = true;
    pthread_cond_signal(&c->over);
    pthread_mutex_unlock(&c->lock);
  }
}

static void submit_all(sv_task *task) {
  client *c = (client *)task;
  for (uint32_t i = 0; i < c->count; i++) {
    sv_request *request = c->requests[i];
    check_ok(sv_request_prepare(request, c->version));
    float *x = c->values + i * c->rows * 4;
    for (uint32_t k = 0; k < c->rows * 4; k++) {
      x[k] = (float)i + (float)(k / 4) * 1000;
    }
    request->inputs[0].dims[0] = c->rows;
    request->inputs[0].data = x;
    request->inputs[0].bytes = c->rows * 16;
    request->timeout_ns = c->timeout_ns;
    request->deadline_ns = c->deadline_ns;
    request->priority = c->priority_of[i];
    request->done = request_done;
    request->argument = c;
    sv_request_submit(request);
  }
  for (uint32_t i = 0; c->cancels && i < c->count; i += 2) {
    sv_request_cancel(c->requests[i]);
  }
}

static void release_all(sv_task *task) {
  client *c = (client *)task;
  for (uint32_t i = 0; i < c->count; i++) {
    sv_request_release(c->requests[i]);
  }
  pthread_mutex_lock(&c->lock);
  c->is_over = true;
  pthread_cond_signal(&c->over);
  pthread_mutex_unlock(&c->lock);
}

static void wait_for(client *c) {
  pthread_mutex_lock(&c->lock);
  while (!c->is_over) {
    pthread_cond_wait(&c->over, &c->lock);
  }
  c->is_over = false;
  pthread_mutex_unlock(&c->lock);
}

static void start(client *c, sv_loop *loop, sv_version *version, uint32_t count, uint32_t rows) {
  c->loop = loop;
  c->version = version;
  c->count = count;
  c->rows = rows;
  c->values = calloc(count * rows * 4 + 1, sizeof(float));
  c->requests = calloc(count, sizeof *c->requests);
  pthread_mutex_init(&c->lock, NULL);
  pthread_cond_init(&c->over, NULL);
  for (uint32_t i = 0; i < count; i++) {
    check_ok(sv_request_create(loop, &c->requests[i]));
  }
  c->task.run = submit_all;
  sv_loop_post(loop, &c->task);
}

static void end(client *c) {
  wait_for(c);
  c->task.run = release_all;
  sv_loop_post(c->loop, &c->task);
  wait_for(c);
  free(c->values);
  free(c->requests);
  pthread_mutex_destroy(&c->lock);
  pthread_cond_destroy(&c->over);
}

// ---- Tests ----------------------------------------------------------------------------------------------------------

static void test_names_and_sizes(void **state) {
  (void)state;
  sv_version *version = load("rows", rows_program, NULL);
  const sv_signature *s = sv_version_signature(version);
  assert_string_equal(s->inputs[0].name, "x");
  assert_string_equal(s->outputs[0].name, "y");
  assert_int_equal(s->inputs[0].dims[0], -1);
  assert_int_equal(s->inputs[0].dims[1], 4);
  // The program takes no more than 20 rows: of 1, 2, 4, 8, 16, 32 the last is left out.
  assert_int_equal(s->max_batch_size, 16);
  assert_int_equal(version->num_batch_sizes, 5);
  sv_version_release(version);
  check_fails(load_with("rows", rows_program, "{\"max_batch_size\":32}", &version), MILLRACE_INVALID_ARGUMENT,
              "b = 32 is above 20");
  check_fails(load_with("heavy", heavy_program, "{\"max_batch_size\":4}", &version), MILLRACE_INVALID_ARGUMENT,
              "max_batch_size is 4");
  check_fails(
      load_with("rows", rows_program, "{\"max_batch_size\":4,\"input\":[{\"name\":\"x\",\"dims\":[5]}]}", &version),
      MILLRACE_INVALID_ARGUMENT, "'x' has dims [5]");
  check_fails(load_with("rows", "func.func nonsense", NULL, &version), MILLRACE_INVALID_ARGUMENT, "");
  version = load("rows", rows_program,
                 "{\"max_batch_size\":0,\"input\":[{\"name\":\"mine\",\"data_type\":\"TYPE_FP32\",\"dims\":[-1,4]}]}");
  assert_string_equal(sv_version_signature(version)->inputs[0].name, "mine");
  assert_true(version->is_open);
  sv_version_release(version);
}

static void test_rows_come_back(void **state) {
  (void)state;
  sv_version *version = load("rows", rows_program, NULL);
  sv_loop *loops[2];
  check_ok(sv_loop_create("a", &loops[0]));
  check_ok(sv_loop_create("b", &loops[1]));
  for (uint32_t rows = 1; rows <= 16; rows += 3) {
    client a = {0}, b = {0};
    start(&a, loops[0], version, 64, rows);
    start(&b, loops[1], version, 33, 1);
    end(&a);
    end(&b);
    assert_false(a.wrong || b.wrong);
    assert_int_equal(a.failed + b.failed, 0);
    assert_true(a.most_batch <= 16);
    // All came in one round, so that they were joined.
    assert_true(a.most_batch >= (rows <= 8 ? 2 * rows : rows));
  }
  sv_statistics statistics;
  sv_version_statistics(version, &statistics);
  assert_int_equal(statistics.success.count, 6 * (64 + 33));
  assert_int_equal(statistics.inference_count, 64 * (1 + 4 + 7 + 10 + 13 + 16) + 6 * 33);
  assert_true(statistics.execution_count < statistics.success.count);
  assert_int_equal(statistics.pending + statistics.running, 0);
  sv_loop_release(loops[0]);
  sv_loop_release(loops[1]);
  sv_version_release(version);
}

static void test_wrong_requests(void **state) {
  (void)state;
  sv_version *version = load("rows", rows_program, NULL);
  sv_loop *loop;
  check_ok(sv_loop_create("a", &loop));
  client c = {0};
  start(&c, loop, version, 3, 17);
  end(&c);
  assert_int_equal(c.failed, 3);
  assert_int_equal(c.codes[0], MILLRACE_INVALID_ARGUMENT);
  sv_loop_release(loop);
  sv_version_release(version);
}

static void test_queue_limit(void **state) {
  (void)state;
  sv_version *version =
      load("rows", rows_program,
           "{\"max_batch_size\":4,\"dynamic_batching\":{\"default_queue_policy\":{\"max_queue_size\":10}}}");
  sv_loop *loop;
  check_ok(sv_loop_create("a", &loop));
  client c = {0};
  start(&c, loop, version, 25, 1);
  end(&c);
  assert_int_equal(c.failed, 15);
  assert_int_equal(c.codes[9], MILLRACE_OK);
  assert_int_equal(c.codes[10], MILLRACE_UNAVAILABLE);
  assert_false(c.wrong);
  sv_loop_release(loop);
  sv_version_release(version);
}

// With a delay that is longer than any test, only a full batch or a preferred size runs: what is left is late.
static void test_delay_and_timeout(void **state) {
  (void)state;
  sv_version *version = load(
      "rows", rows_program,
      "{\"max_batch_size\":8,\"dynamic_batching\":{\"preferred_batch_size\":[4],\"max_queue_delay_microseconds\":"
      "600000000,\"default_queue_policy\":{\"default_timeout_microseconds\":50000,\"allow_timeout_override\":true}}}");
  sv_loop *loop;
  check_ok(sv_loop_create("a", &loop));
  client c = {0};
  start(&c, loop, version, 7, 1);
  end(&c);
  assert_int_equal(c.failed, 3);
  assert_int_equal(c.codes[3], MILLRACE_OK);
  assert_int_equal(c.codes[4], MILLRACE_UNAVAILABLE);
  assert_int_equal(c.most_batch, 4);
  client d = {.deadline_ns = sv_now_ns() + 1000000};
  start(&d, loop, version, 1, 1);
  end(&d);
  assert_int_equal(d.codes[0], MILLRACE_DEADLINE_EXCEEDED);
  sv_loop_release(loop);
  sv_version_release(version);
}

// The delay ends by itself.
static void test_short_delay(void **state) {
  (void)state;
  sv_version *version =
      load("rows", rows_program, "{\"max_batch_size\":8,\"dynamic_batching\":{\"max_queue_delay_microseconds\":2000}}");
  sv_loop *loop;
  check_ok(sv_loop_create("a", &loop));
  client c = {0};
  start(&c, loop, version, 3, 1);
  end(&c);
  assert_int_equal(c.failed, 0);
  assert_int_equal(c.most_batch, 3);
  sv_loop_release(loop);
  sv_version_release(version);
}

// Four requests of a row at once, with times for batches of 1, 2 and 4 rows as if measured; the rows of the largest batch that was made.
static uint32_t largest_batch(const uint64_t *times) {
  sv_version *version = load("rows", rows_program, "{\"max_batch_size\":4,\"dynamic_batching\":{}}");
  assert_int_equal(version->sizes[0]->num_buckets, 3);
  for (uint32_t i = 0; i < 3; i++) {
    version->sizes[0]->buckets[i].ns = times[i];
  }
  sv_loop *loop;
  check_ok(sv_loop_create("a", &loop));
  client c = {0};
  start(&c, loop, version, 4, 1);
  end(&c);
  assert_int_equal(c.failed, 0);
  assert_false(c.wrong);
  sv_loop_release(loop);
  sv_version_release(version);
  return c.most_batch;
}

// Requests are put together where that takes less time for each of them, and not where all of them would only wait for the last.
static void test_worthwhile(void **state) {
  (void)state;
  assert_int_equal(largest_batch((uint64_t[]){4000000, 5000000, 6000000}), 4);
  assert_int_equal(largest_batch((uint64_t[]){4000000, 8000000, 16000000}), 1);
  assert_int_equal(largest_batch((uint64_t[]){4000000, 7900000, 15700000}), 1);
}

static void test_cancel(void **state) {
  (void)state;
  sv_version *version = load("rows", rows_program, NULL);
  sv_loop *loop;
  check_ok(sv_loop_create("a", &loop));
  client c = {.cancels = true};
  start(&c, loop, version, 20, 2);
  end(&c);
  assert_int_equal(c.failed, 10);
  for (uint32_t i = 0; i < 20; i++) {
    assert_int_equal(c.codes[i], i % 2 ? MILLRACE_OK : MILLRACE_CANCELLED);
  }
  assert_false(c.wrong);
  sv_loop_release(loop);
  sv_version_release(version);
}

static void test_priorities(void **state) {
  (void)state;
  sv_version *version =
      load("rows", rows_program,
           "{\"max_batch_size\":1,\"dynamic_batching\":{\"priority_levels\":3,\"default_priority_level\":2,"
           "\"preserve_ordering\":true}}");
  sv_loop *loop;
  check_ok(sv_loop_create("a", &loop));
  client c = {.priority_of = {3, 0, 1, 3, 9, 1}};
  start(&c, loop, version, 6, 1);
  end(&c);
  const uint32_t wanted[] = {2, 5, 1, 0, 3, 4};
  assert_memory_equal(c.order, wanted, sizeof wanted);
  sv_loop_release(loop);
  sv_version_release(version);
}

// A version whose other sizes are open is compiled as requests come.
static void test_open_sizes(void **state) {
  (void)state;
  sv_version *version = load("rows", rows_program, "{\"max_batch_size\":0}");
  sv_loop *loop;
  check_ok(sv_loop_create("a", &loop));
  for (uint32_t rows = 1; rows <= 3; rows++) {
    client c = {0};
    start(&c, loop, version, 5, rows);
    end(&c);
    assert_int_equal(c.failed, 0);
    assert_false(c.wrong);
  }
  client c = {0};
  start(&c, loop, version, 2, 21);
  end(&c);
  assert_int_equal(c.codes[0], MILLRACE_INVALID_ARGUMENT);
  assert_int_equal(c.codes[1], MILLRACE_INVALID_ARGUMENT);
  assert_int_equal(version->num_sizes, 4);
  sv_loop_release(loop);
  sv_version_release(version);
}

static void heavy_done(sv_request *request) {
  client *c = request->argument;
  c->failed += request->error != NULL;
  const float *y = request->error ? NULL : request->outputs[0].data;
  c->wrong |= y && (y[0] != 384 * 384 || y[384 * 384 - 1] != 384 * 384);
  if (++c->done == c->count) {
    pthread_mutex_lock(&c->lock);
    c->is_over = true;
    pthread_cond_signal(&c->over);
    pthread_mutex_unlock(&c->lock);
  }
}

static void submit_heavy(sv_task *task) {
  client *c = (client *)task;
  for (uint32_t i = 0; i < c->count; i++) {
    check_ok(sv_request_prepare(c->requests[i], c->version));
    c->requests[i]->inputs[0].data = c->values;
    c->requests[i]->inputs[0].bytes = 384 * 384 * 4;
    c->requests[i]->done = heavy_done;
    c->requests[i]->argument = c;
    sv_request_submit(c->requests[i]);
  }
}

static void drained(void *argument) { atomic_store((_Atomic(bool) *)argument, true); }

// Executions on workers: two models, one turn at a time each.
static void test_workers_and_drain(void **state) {
  (void)state;
  sv_version *versions[2] = {load("heavy", heavy_program, NULL), load("other", heavy_program, NULL)};
  sv_loop *loop;
  check_ok(sv_loop_create("a", &loop));
  client c[2] = {0};
  for (int i = 0; i < 2; i++) {
    c[i].loop = loop;
    c[i].version = versions[i];
    c[i].count = 12;
    c[i].values = malloc(384 * 384 * sizeof(float));
    for (size_t k = 0; k < 384 * 384; k++) {
      c[i].values[k] = 1;
    }
    c[i].requests = calloc(12, sizeof *c[i].requests);
    pthread_mutex_init(&c[i].lock, NULL);
    pthread_cond_init(&c[i].over, NULL);
    for (uint32_t k = 0; k < 12; k++) {
      check_ok(sv_request_create(loop, &c[i].requests[k]));
    }
    c[i].task.run = submit_heavy;
    sv_loop_post(loop, &c[i].task);
  }
  end(&c[0]);
  end(&c[1]);
  assert_int_equal(c[0].failed + c[1].failed, 0);
  assert_false(c[0].wrong || c[1].wrong);
  for (int i = 0; i < 2; i++) {
    _Atomic(bool) is_drained = false;
    sv_version_drain(versions[i], drained, &is_drained);
    for (int k = 0; k < 1000 && !is_drained; k++) {
      nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    assert_true(is_drained);
    sv_version_release(versions[i]);
  }
  sv_loop_release(loop);
}

static sv_version *found;
static sv_error *find(void *self, sv_str model, int64_t number, sv_version **out) {
  (void)self;
  if (!sv_str_is(model, "rows") || number != -1) {
    return sv_errorf(MILLRACE_NOT_FOUND, "no model '%.*s'", SV_FMT(model));
  }
  *out = sv_version_retain(found);
  return NULL;
}

static void ensemble_done(sv_request *request) {
  client *c = request->argument;
  c->codes[c->done] = sv_error_code(request->error);
  if (!request->error) {
    const float *z = request->outputs[0].data, *y = request->outputs[1].data;
    for (uint32_t k = 0; k < c->rows * 4; k++) {
      c->wrong |= z[k] != 2 * (2 * 5.0f + 1) + 1 || y[k] != 2 * 5.0f + 1;
    }
  }
  if (++c->done == c->count) {
    pthread_mutex_lock(&c->lock);
    c->is_over = true;
    pthread_cond_signal(&c->over);
    pthread_mutex_unlock(&c->lock);
  }
}

static void submit_ensemble(sv_task *task) {
  client *c = (client *)task;
  for (uint32_t i = 0; i < c->count; i++) {
    check_ok(sv_request_prepare(c->requests[i], c->version));
    c->requests[i]->inputs[0].dims[0] = c->rows;
    c->requests[i]->inputs[0].data = c->values;
    c->requests[i]->inputs[0].bytes = c->rows * 16;
    c->requests[i]->done = ensemble_done;
    c->requests[i]->argument = c;
    sv_request_submit(c->requests[i]);
  }
}

// Twice through the same model: z = 2 (2 x + 1) + 1.
static void test_ensemble(void **state) {
  (void)state;
  found = load("rows", rows_program, NULL);
  sv_config *config;
  check_ok(sv_config_create(&config));
  check_ok(sv_config_read_json(config,
                               sv_str_of("{\"platform\":\"ensemble\",\"max_batch_size\":8,\"input\":[{\"name\":\"in\","
                                         "\"data_type\":\"TYPE_FP32\",\"dims\":[4]}],"
                                         "\"output\":[{\"name\":\"z\",\"data_type\":\"TYPE_FP32\",\"dims\":[4]},{"
                                         "\"name\":\"y\",\"data_type\":\"TYPE_FP32\",\"dims\":[4]}],"
                                         "\"ensemble_scheduling\":{\"step\":[{\"model_name\":\"rows\",\"model_"
                                         "version\":-1,\"input_map\":{\"x\":\"y\"},"
                                         "\"output_map\":{\"y\":\"z\"}},{\"model_name\":\"rows\",\"model_version\":-1,"
                                         "\"input_map\":{\"x\":\"in\"},\"output_map\":"
                                         "{\"y\":\"y\"}}]}}"),
                               "config.json"));
  check_ok(sv_config_check(config, "config.json"));
  sv_version_files files = {.model = "twice", .number = 1, .take_config = config, .find = find};
  sv_version *ensemble;
  check_ok(sv_version_load(engine, &files, &ensemble));
  sv_loop *loop;
  check_ok(sv_loop_create("a", &loop));
  for (uint32_t rows = 1; rows <= 8; rows += 7) {
    client c = {.loop = loop, .version = ensemble, .count = 5, .rows = rows};
    c.values = malloc(rows * 16);
    for (uint32_t k = 0; k < rows * 4; k++) {
      c.values[k] = 5;
    }
    c.requests = calloc(5, sizeof *c.requests);
    pthread_mutex_init(&c.lock, NULL);
    pthread_cond_init(&c.over, NULL);
    for (uint32_t k = 0; k < 5; k++) {
      check_ok(sv_request_create(loop, &c.requests[k]));
    }
    c.task.run = submit_ensemble;
    sv_loop_post(loop, &c.task);
    end(&c);
    assert_false(c.wrong);
    for (uint32_t k = 0; k < 5; k++) {
      assert_int_equal(c.codes[k], MILLRACE_OK);
    }
  }
  sv_statistics statistics;
  sv_version_statistics(ensemble, &statistics);
  assert_int_equal(statistics.success.count, 10);
  sv_loop_release(loop);
  sv_version_release(ensemble);
  sv_version_release(found);
}

int main(void) {
  assert_non_null(mkdtemp(folder));
  check_ok(sv_engine_create(NULL, &engine));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names_and_sizes),   cmocka_unit_test(test_rows_come_back),
      cmocka_unit_test(test_wrong_requests),    cmocka_unit_test(test_queue_limit),
      cmocka_unit_test(test_delay_and_timeout), cmocka_unit_test(test_short_delay),
      cmocka_unit_test(test_worthwhile),        cmocka_unit_test(test_cancel),
      cmocka_unit_test(test_priorities),        cmocka_unit_test(test_open_sizes),
      cmocka_unit_test(test_workers_and_drain), cmocka_unit_test(test_ensemble),
  };
  int failed = check_run_engine(tests);
  sv_engine_release(engine);
  char command[300];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return failed + (system(command) != 0);
}
