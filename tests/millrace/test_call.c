// How an execution may be asked for: results in the caller's memory, never on the calling thread, refused when the queue is full, many in one
// call, beside buffers that are filled piece by piece and programs that come from another thread or from a file.
#include <pthread.h>
#include <sys/stat.h>

#include "millrace/engine.h"
#include "tests/millrace/model_harness.h"

static millrace_program *add, *heavy;

static int start_all(void **state) {
  if (start_context(state) || make_folder(state)) {
    return -1;
  }
  add = load_program(add_program);
  heavy = load_program(heavy_program);
  return 0;
}

static int stop_all(void **state) {
  millrace_program_release(add);
  millrace_program_release(heavy);
  return remove_folder(state) | stop_context(state);
}

// ---- Destinations -------------------------------------------------------------------------------------------------------------------

static void add_into(float *to, const millrace_execute_options *base) {
  millrace_buffer *in[] = {four_floats(1, 2, 3, 4), four_floats(10, 20, 30, 40)}, *out = in[0];
  const millrace_destination destination = {to, 16};
  millrace_execute_options options = *base;
  options.destinations = &destination;
  options.num_destinations = 1;
  millrace_event *event;
  ok(millrace_execute_with(add, device, in, 2, &options, &out, 1, &event));
  assert_null(out);
  millrace_buffer_release(in[0]);
  millrace_buffer_release(in[1]);
  ok(millrace_event_wait(event));
  millrace_event_release(event);
  for (int i = 0; i < 4; i++) {
    assert_float_equal(to[i], 11 * (i + 1), 0);
  }
}

// Aligned and not, on this thread and another, with what may stop it; nothing beside it is written.
static void test_destinations(void **state) {
  (void)state;
  _Alignas(64) float memory[64];
  millrace_stop_source *source;
  ok(millrace_stop_source_create(&source));
  const millrace_execute_options ways[] = {
      {.struct_size = sizeof *ways},
      {.struct_size = sizeof *ways, .elsewhere = true},
      {.struct_size = sizeof *ways, .stop = source},
      {.struct_size = sizeof *ways, .timeout_ns = 60000000000u, .elsewhere = true}};
  for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
    for (size_t at = 16; at < 24; at++) {
      for (size_t i = 0; i < 64; i++) {
        memory[i] = -7;
      }
      add_into(memory + at, &ways[way]);
      for (size_t i = 0; i < 64; i++) {
        assert_true((i >= at && i < at + 4) || memory[i] == -7);
      }
    }
  }
  millrace_stop_source_release(source);
}

static void test_large_destination(void **state) {
  (void)state;
  const size_t bytes = (size_t)512 * 512 * 4;
  for (size_t shift = 0; shift < 2; shift++) {
    float *memory = aligned_alloc(64, bytes + 64), *to = memory + shift;
    millrace_buffer *in = heavy_floats(0.5f), *out;
    const millrace_destination destination = {to, bytes};
    const millrace_execute_options options = {
        .struct_size = sizeof options, .destinations = &destination, .num_destinations = 1};
    millrace_event *event;
    ok(millrace_execute_with(heavy, device, &in, 1, &options, &out, 1, &event));
    ok(millrace_event_wait(event));
    millrace_event_release(event);
    assert_float_equal(to[0], 128, 0);
    assert_float_equal(to[512 * 512 - 1], 128, 0);
    millrace_buffer_release(in);
    free(memory);
  }
}

// A result that takes a donated argument's memory is copied from there.
static void test_donated_destination(void **state) {
  (void)state;
  millrace_program *counter = load_program(counter_program);
  _Alignas(64) float to[2][16];
  millrace_buffer *in[] = {four_floats(1, 2, 3, 4), four_floats(1, 1, 1, 1)}, *out[2];
  const millrace_destination destinations[] = {{to[0], 16}, {to[1], 16}};
  const millrace_execute_options options = {
      .struct_size = sizeof options, .destinations = destinations, .num_destinations = 2};
  ok(millrace_execute_with(counter, device, in, 2, &options, out, 2, NULL));
  for (int i = 0; i < 4; i++) {
    assert_float_equal(to[0][i], i + 2, 0);
    assert_float_equal(to[1][i], 2 * (i + 2), 0);
  }
  float gone[4];
  fails_with(millrace_buffer_read(in[0], gone, sizeof gone), MILLRACE_INVALID_ARGUMENT, "deleted or donated");
  millrace_buffer_release(in[0]);
  millrace_buffer_release(in[1]);
  millrace_program_release(counter);
}

static void test_wrong_options(void **state) {
  (void)state;
  float to[4];
  millrace_buffer *in[] = {four_floats(1, 2, 3, 4), four_floats(1, 1, 1, 1)}, *out;
  millrace_destination destination = {to, 15};
  millrace_execute_options options = {
      .struct_size = sizeof options, .destinations = &destination, .num_destinations = 1};
  fails_with(millrace_execute_with(add, device, in, 2, &options, &out, 1, NULL), MILLRACE_INVALID_ARGUMENT,
             "destination 0 has 15 bytes, the result has 16");
  options.num_destinations = 2;
  fails_with(millrace_execute_with(add, device, in, 2, &options, &out, 1, NULL), MILLRACE_INVALID_ARGUMENT,
             "2 destinations for 1 results");
  options = (millrace_execute_options){.struct_size = sizeof options, .when_full = (millrace_when_full)7};
  fails_with(millrace_execute_with(add, device, in, 2, &options, &out, 1, NULL), MILLRACE_INVALID_ARGUMENT,
             "when_full is 7");
  options =
      (millrace_execute_options){.struct_size = sizeof options, .destinations = &destination, .num_destinations = 1};
  fails_with(millrace_execute_rows_with(add, &device, 1, in, 2, &options, &out, 1, NULL), MILLRACE_INVALID_ARGUMENT,
             "on one device");
  millrace_buffer_release(in[0]);
  millrace_buffer_release(in[1]);
}

// ---- Where it runs --------------------------------------------------------------------------------------------------------------------

// The event of what has run on this thread is NULL. It waits for a buffer, so that it cannot be over before anybody looks.
static void test_elsewhere(void **state) {
  (void)state;
  millrace_buffer *in[] = {four_floats(1, 2, 3, 4), four_floats(1, 1, 1, 1)}, *out;
  millrace_event *event;
  millrace_execute_options options = {.struct_size = sizeof options};
  ok(millrace_execute_with(add, device, in, 2, &options, &out, 1, &event));
  assert_null(event);
  millrace_buffer_release(out);
  options.elsewhere = true;
  ok(millrace_execute_with(add, device, in, 2, &options, &out, 1, &event));
  assert_non_null(event);
  ok(millrace_event_wait(event));
  millrace_event_release(event);
  holds(out, 4, (const float[]){2, 3, 4, 5});
  millrace_buffer_release(out);
  millrace_buffer_release(in[0]);
  millrace_buffer_release(in[1]);
}

// A queue of two calls: the fourth is refused, at once, and taken when there is room.
static void test_when_full(void **state) {
  (void)state;
  millrace_context *small;
  ok(millrace_context_create(
      &(millrace_context_options){.struct_size = sizeof(millrace_context_options), .queue_calls = 2}, &small));
  millrace_device *one = millrace_context_device(small, 0);
  millrace_transfers *transfers;
  millrace_buffer *late, *out[4];
  const millrace_type type = {.dtype = MILLRACE_F32, .dims = (int64_t[]){4}, .rank = 1};
  ok(millrace_transfers_create(one, &type, 1, &transfers));
  ok(millrace_transfers_buffer(transfers, 0, &late));
  const millrace_execute_options options = {.struct_size = sizeof options, .when_full = MILLRACE_WHEN_FULL_FAIL};
  size_t queued = 0;
  millrace_error *error = NULL;
  while (queued < 4 && !error) {
    error = millrace_execute_with(add, one, (millrace_buffer *[]){late, late}, 2, &options, &out[queued], 1, NULL);
    queued += !error;
  }
  assert_int_equal(queued, 3);
  fails_with(error, MILLRACE_RESOURCE_EXHAUSTED, "3 executions");
  millrace_event *room;
  ok(millrace_device_room(one, &room));
  assert_non_null(room);
  ok(millrace_transfers_send(transfers, 0, (float[]){1, 2, 3, 4}, 0, 16, true, NULL));
  ok(millrace_event_wait(room));
  millrace_event_release(room);
  ok(millrace_execute_with(add, one, (millrace_buffer *[]){late, late}, 2, &options, &out[3], 1, NULL));
  for (size_t i = 0; i < 4; i++) {
    holds(out[i], 4, (const float[]){2, 4, 6, 8});
    millrace_buffer_release(out[i]);
  }
  millrace_buffer_release(late);
  millrace_transfers_release(transfers);
  millrace_context_release(small);
}

static void test_many(void **state) {
  (void)state;
  enum { MANY = 50 };
  millrace_buffer *in[] = {four_floats(1, 2, 3, 4), four_floats(1, 1, 1, 1)}, *out[MANY];
  millrace_call calls[MANY];
  for (size_t i = 0; i < MANY; i++) {
    calls[i] = (millrace_call){.program = add,
                               .device = device,
                               .arguments = in,
                               .num_arguments = i == 40 ? 1 : 2,
                               .results = &out[i],
                               .num_results = 1};
  }
  size_t queued;
  fails_with(millrace_execute_many(calls, MANY, &queued), MILLRACE_INVALID_ARGUMENT, "1 arguments");
  assert_int_equal(queued, 40);
  for (size_t i = 0; i < queued; i++) {
    holds(out[i], 4, (const float[]){2, 3, 4, 5});
    millrace_buffer_release(out[i]);
  }
  millrace_buffer_release(in[0]);
  millrace_buffer_release(in[1]);
}

// ---- Transfers ------------------------------------------------------------------------------------------------------------------------

static void test_transfers(void **state) {
  (void)state;
  enum { LARGE = 1 << 20 };
  millrace_transfers *transfers;
  const millrace_type types[] = {{.dtype = MILLRACE_F32, .dims = (int64_t[]){4}, .rank = 1},
                                 {.dtype = MILLRACE_U8, .dims = (int64_t[]){2 * LARGE}, .rank = 1},
                                 {.dtype = MILLRACE_F32, .dims = (int64_t[]){4}, .rank = 1}};
  ok(millrace_transfers_create(device, types, 3, &transfers));
  millrace_buffer *buffers[3], *sum;
  for (size_t i = 0; i < 3; i++) {
    ok(millrace_transfers_buffer(transfers, i, &buffers[i]));
  }
  ok(millrace_execute(add, device, (millrace_buffer *[]){buffers[0], buffers[0]}, 2, &sum, 1, NULL));
  const float values[] = {1, 2, 3, 4};
  ok(millrace_transfers_send(transfers, 0, values + 2, 8, 8, false, NULL));
  ok(millrace_transfers_send(transfers, 0, values, 0, 8, true, NULL));
  holds(sum, 4, (const float[]){2, 4, 6, 8});
  char *pieces[] = {malloc(LARGE), malloc(LARGE)};
  memset(pieces[0], 1, LARGE);
  memset(pieces[1], 2, LARGE);
  millrace_event *sent[2];
  ok(millrace_transfers_send(transfers, 1, pieces[1], LARGE, LARGE, false, &sent[1]));
  ok(millrace_transfers_send(transfers, 1, pieces[0], 0, LARGE, true, &sent[0]));
  for (int i = 0; i < 2; i++) {
    ok(millrace_event_wait(sent[i]));
    millrace_event_release(sent[i]);
    free(pieces[i]);
  }
  const void *mapped;
  ok(millrace_buffer_map(buffers[1], &mapped));
  assert_int_equal(((const char *)mapped)[LARGE - 1], 1);
  assert_int_equal(((const char *)mapped)[LARGE], 2);
  millrace_buffer_unmap(buffers[1]);
  fails_with(millrace_transfers_send(transfers, 0, values, 0, 4, true, NULL), MILLRACE_FAILED_PRECONDITION,
             "last transfer");
  fails_with(millrace_transfers_send(transfers, 2, values, 8, 12, true, NULL), MILLRACE_INVALID_ARGUMENT,
             "12 bytes from 8 on of a buffer of 16");
  fails_with(millrace_transfers_send(transfers, 2, NULL, 0, 16, true, NULL), MILLRACE_INVALID_ARGUMENT, "at NULL");
  fails_with(millrace_transfers_send(transfers, 3, values, 0, 16, true, NULL), MILLRACE_INVALID_ARGUMENT,
             "buffer 3 of 3");
  fails_with(millrace_transfers_fail(transfers, 0, millrace_error_create(MILLRACE_ABORTED, "late")),
             MILLRACE_FAILED_PRECONDITION, "last piece");
  millrace_transfers_release(transfers);  // the third was never filled
  float none[4];
  fails_with(millrace_buffer_read(buffers[2], none, sizeof none), MILLRACE_CANCELLED, "before the buffer was filled");
  for (size_t i = 0; i < 3; i++) {
    millrace_buffer_release(buffers[i]);
  }
  millrace_buffer_release(sum);
}

// What is mapped stays, whatever becomes of the buffer.
static void test_map(void **state) {
  (void)state;
  millrace_program *counter = load_program(counter_program);
  millrace_buffer *in[] = {four_floats(1, 2, 3, 4), four_floats(1, 1, 1, 1)}, *out[2];
  const void *mapped;
  ok(millrace_buffer_map(in[0], &mapped));
  ok(millrace_execute(counter, device, in, 2, out, 2, NULL));
  assert_float_equal(((const float *)mapped)[3], 4, 0);
  holds(out[0], 4, (const float[]){2, 3, 4, 5});
  millrace_buffer_unmap(in[0]);
  fails_with(millrace_buffer_map(in[0], &mapped), MILLRACE_INVALID_ARGUMENT, "deleted or donated");
  for (int i = 0; i < 2; i++) {
    millrace_buffer_release(in[i]);
    millrace_buffer_release(out[i]);
  }
  millrace_program_release(counter);
}

// ---- Programs -------------------------------------------------------------------------------------------------------------------------

static void test_load_async(void **state) {
  (void)state;
  millrace_program_options options = {.struct_size = sizeof options, .device = device};
  millrace_loading *loading;
  ok(millrace_program_load_async(add_program, strlen(add_program), &options, &loading));
  millrace_event *event = millrace_loading_event(loading);
  ok(millrace_event_wait(event));
  millrace_event_release(event);
  uint32_t done, all;
  millrace_loading_progress(loading, &done, &all);
  assert_int_equal(done, all);
  assert_true(all > 0);
  millrace_program *program, *again;
  ok(millrace_loading_program(loading, &program));
  ok(millrace_loading_program(loading, &again));
  assert_ptr_equal(program, again);
  millrace_loading_release(loading);
  assert_int_equal(millrace_program_parameter_count(program), 2);
  millrace_program_release(program);
  millrace_program_release(again);
  ok(millrace_program_load_async("nonsense", 8, &options, &loading));
  fails_with(millrace_loading_program(loading, &program), MILLRACE_INVALID_ARGUMENT, "");
  millrace_loading_release(loading);
  options.device = NULL;
  fails_with(millrace_program_load_async(add_program, strlen(add_program), &options, &loading),
             MILLRACE_INVALID_ARGUMENT, "no device");
  // Let go of before it is over.
  options.device = device;
  ok(millrace_program_load_async(heavy_program, strlen(heavy_program), &options, &loading));
  event = millrace_loading_event(loading);
  millrace_loading_release(loading);
  ok(millrace_event_wait(event));
  millrace_event_release(event);
}

static void test_load_stopped(void **state) {
  (void)state;
  millrace_stop_source *source;
  ok(millrace_stop_source_create(&source));
  millrace_stop_source_stop(source, millrace_error_create(MILLRACE_ABORTED, "not wanted any more"));
  const millrace_program_options options = {.struct_size = sizeof options, .device = device, .stop = source};
  millrace_program *program;
  fails_with(millrace_program_load_for(add_program, strlen(add_program), &options, &program), MILLRACE_ABORTED,
             "not wanted any more");
  millrace_stop_source_release(source);
}

static void test_saved(void **state) {
  (void)state;
  millrace_program *program, *opened;
  const int64_t b[] = {3}, w[] = {4, 3}, x[] = {2, 4};
  const millrace_shape shapes[] = {{b, 1}, {w, 2}, {x, 2}};
  millrace_program_options options = {.struct_size = sizeof options, .shapes = shapes, .num_shapes = 3};
  const char *path = path_of("saved.millrace");
  fails_with(millrace_program_save(add, path), MILLRACE_FAILED_PRECONDITION, "keeps_bytes");
  options.keeps_bytes = true;
  ok(millrace_program_load_for(affine_program, strlen(affine_program), &options, &program));
  ok(millrace_program_save(program, path));
  ok(millrace_program_open(path, &opened));
  millrace_buffer *in[] = {floats((const float[]){1, 2, 3}, 1, b),
                           floats((const float[]){1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 2, w),
                           floats((const float[]){1, 2, 3, 4, 5, 6, 7, 8}, 2, x)},
                  *out[2];
  ok(millrace_execute(opened, device, in, 3, out, 2, NULL));
  holds(out[0], 6, (const float[]){2, 4, 6, 6, 8, 10});
  ok(millrace_program_save(opened, path_of("again.millrace")));  // what was opened can be saved
  for (int i = 0; i < 3; i++) {
    millrace_buffer_release(in[i]);
  }
  millrace_buffer_release(out[0]);
  millrace_buffer_release(out[1]);
  struct stat info;
  const mode_t mask = umask(027);
  ok(millrace_program_save(program, path_of("mode.millrace")));  // others may open it, as far as the umask lets them
  umask(mask);
  assert_int_equal(stat(path_of("mode.millrace"), &info), 0);
  assert_int_equal(info.st_mode & 0777, 0640);
  fails_with(millrace_program_save(program, path_of("no/such/folder")), MILLRACE_UNAVAILABLE, "no/such/folder");
  millrace_program_release(program);
  millrace_program_release(opened);
}

static void refused(millrace_error *error, size_t at, const char *name) {
  millrace_code code = millrace_error_code(error);
  bool known = code == MILLRACE_INVALID_ARGUMENT || code == MILLRACE_FAILED_PRECONDITION || code == MILLRACE_DATA_LOSS;
  if (!known || !strstr(millrace_error_message(error), name)) {
    fail_msg("byte %zu: %s", at, millrace_error_message(error));
  }
  millrace_error_free(error);
}

// Each byte another one, and cut at many lengths: refused, with the file's name.
static void test_damaged_saved(void **state) {
  (void)state;
  millrace_program *program;
  const millrace_program_options options = {.struct_size = sizeof options, .keeps_bytes = true};
  ok(millrace_program_load_for(add_program, strlen(add_program), &options, &program));
  const char *path = path_of("whole.millrace");
  ok(millrace_program_save(program, path));
  millrace_program_release(program);
  FILE *file = fopen(path, "rb");
  char *bytes = malloc(1 << 20);
  size_t size = fread(bytes, 1, 1 << 20, file);
  fclose(file);
  assert_true(size > 500);
  for (size_t i = 0; i < size; i += i < 300 ? 1 : 97) {
    bytes[i] ^= 0x41;
    millrace_error *error = millrace_program_open(write_bytes("damaged.millrace", bytes, size), &program);
    bytes[i] ^= 0x41;
    refused(error, i, "damaged.millrace");
    refused(millrace_program_open(write_bytes("cut.millrace", bytes, i), &program), i, "cut.millrace");
  }
  free(bytes);
  fails_with(millrace_program_open(path_of("none.millrace"), &program), MILLRACE_NOT_FOUND, "none.millrace");
}

// ---- State ----------------------------------------------------------------------------------------------------------------------------

static void test_session(void **state) {
  (void)state;
  millrace_model *model = load_model(counter_program);
  millrace_session *session;
  ok(millrace_session_create(model, NULL, 0, &session));
  assert_int_equal(millrace_session_state_count(session), 1);
  assert_int_equal(millrace_session_state(session, 0), 0);
  assert_int_equal(millrace_session_input_count(session), 1);
  assert_int_equal(millrace_session_input(session, 0), 1);
  assert_int_equal(millrace_session_output_count(session), 1);
  assert_int_equal(millrace_session_output(session, 0), 1);
  millrace_buffer *step = four_floats(1, 2, 3, 4), *out, *now;
  for (int i = 1; i <= 5; i++) {
    ok(millrace_session_call(session, &step, 1, NULL, &out, 1, NULL));
    holds(out, 4, (const float[]){2.f * i, 4.f * i, 6.f * i, 8.f * i});
    millrace_buffer_release(out);
  }
  ok(millrace_session_get(session, 0, &now));
  holds(now, 4, (const float[]){5, 10, 15, 20});
  millrace_buffer_release(now);
  millrace_buffer *begin = four_floats(100, 100, 100, 100),
                  *wrong = floats((const float[]){1, 2}, 1, (const int64_t[]){2});
  ok(millrace_session_set(session, 0, begin));
  fails_with(millrace_session_set(session, 0, wrong), MILLRACE_INVALID_ARGUMENT,
             "state state is 4xf32, the buffer 2xf32");
  fails_with(millrace_session_set(session, 1, begin), MILLRACE_INVALID_ARGUMENT, "state 1 of 1");
  _Alignas(64) float to[16];
  const millrace_destination destination = {to, 16};
  const millrace_execute_options options = {
      .struct_size = sizeof options, .destinations = &destination, .num_destinations = 1};
  ok(millrace_session_call(session, &step, 1, &options, &out, 1, NULL));
  assert_null(out);
  assert_float_equal(to[3], 208, 0);
  fails_with(millrace_session_call(session, &step, 2, NULL, &out, 1, NULL), MILLRACE_INVALID_ARGUMENT, "2 inputs");
  // A call that fails takes the state with it.
  millrace_transfers *transfers;
  millrace_buffer *late;
  ok(millrace_transfers_create(device, &(millrace_type){.dtype = MILLRACE_F32, .dims = (int64_t[]){4}, .rank = 1}, 1,
                               &transfers));
  ok(millrace_transfers_buffer(transfers, 0, &late));
  ok(millrace_session_call(session, &late, 1, NULL, &out, 1, NULL));
  ok(millrace_transfers_fail(transfers, 0, millrace_error_create(MILLRACE_DATA_LOSS, "torn")));
  millrace_buffer_release(out);
  millrace_event *event;
  ok(millrace_session_call(session, &step, 1, NULL, &out, 1, &event));
  fails_with(millrace_event_wait(event), MILLRACE_DATA_LOSS, "torn");
  millrace_event_release(event);
  millrace_buffer_release(out);
  millrace_buffer *fresh = four_floats(0, 0, 0, 1);
  ok(millrace_session_set(session, 0, fresh));
  ok(millrace_session_call(session, &step, 1, NULL, &out, 1, NULL));
  holds(out, 4, (const float[]){2, 4, 6, 10});
  millrace_buffer *buffers[] = {out, fresh, begin, wrong, step, late};
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
    millrace_buffer_release(buffers[i]);
  }
  millrace_transfers_release(transfers);
  millrace_session_release(session);
  millrace_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_destinations),
                                     cmocka_unit_test(test_large_destination),
                                     cmocka_unit_test(test_donated_destination),
                                     cmocka_unit_test(test_wrong_options),
                                     cmocka_unit_test(test_elsewhere),
                                     cmocka_unit_test(test_when_full),
                                     cmocka_unit_test(test_many),
                                     cmocka_unit_test(test_transfers),
                                     cmocka_unit_test(test_map),
                                     cmocka_unit_test(test_load_async),
                                     cmocka_unit_test(test_load_stopped),
                                     cmocka_unit_test(test_saved),
                                     cmocka_unit_test(test_damaged_saved),
                                     cmocka_unit_test(test_session)};
  return cmocka_run_group_tests(tests, start_all, stop_all);
}
