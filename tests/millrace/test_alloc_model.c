// Memory that runs out in models, weights, calls, completions, transfers, state and saved programs: each allocation once.
#include "tests/alloc_loop.h"
#include "tests/millrace/model_harness.h"

static mr_status use_weights(void *path) {
  millrace_weights *weights = NULL;
  MR_TRY(millrace_weights_open(path, &weights));
  assert_int_equal(millrace_weights_find(weights, "params['b']"), 1);
  millrace_weights_release(weights);
  return MR_OK;
}

static mr_status call_model(millrace_model *model) {
  const float x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float y[2][8];
  const millrace_array in = {.data = x, .dtype = MILLRACE_F32, .dims = (int64_t[]){2, 4}, .rank = 2};
  const millrace_destination to[] = {{y[0], 24}, {y[1], 32}};
  const millrace_execute_options options = {.struct_size = sizeof options, .destinations = to, .num_destinations = 2};
  millrace_buffer *out[2] = {NULL, NULL};
  MR_TRY(millrace_model_run(model, &in, 1, &options, out, 2));
  assert_null(out[0]);
  assert_float_equal(y[0][5], 27, 1e-5);
  return MR_OK;
}

static mr_status use_model(void *path) {
  millrace_model *model = NULL;
  MR_TRY(millrace_model_open(context, path, NULL, &model));
  mr_status status = call_model(model);
  millrace_model_release(model);
  return status;
}

static mr_status tell(millrace_completions *queue, millrace_program *program, millrace_buffer **in) {
  const millrace_execute_options options = {.struct_size = sizeof options, .completions = queue, .elsewhere = true};
  millrace_buffer *out = NULL;
  MR_TRY(millrace_execute_with(program, device, in, 2, &options, &out, 1, NULL));
  millrace_completion done;
  assert_int_equal(millrace_completions_wait(queue, &done, 1, UINT64_MAX), 1);
  millrace_buffer_release(out);
  return done.error;
}

static mr_status use_completions(void *program) {
  millrace_completions *queue = NULL;
  millrace_buffer *in[2] = {NULL, NULL};
  const millrace_array array = {
      .data = (float[]){1, 2, 3, 4}, .dtype = MILLRACE_F32, .dims = (int64_t[]){4}, .rank = 1};
  mr_status status = millrace_completions_create(&queue);
  for (int i = 0; i < 2 && !status; i++) {
    status = millrace_buffer_create(device, &array, &in[i]);
  }
  status = status ? status : millrace_completions_add(queue, NULL, NULL);
  millrace_completion done;
  if (!status) {
    assert_int_equal(millrace_completions_take(queue, &done, 1), 1);
    status = tell(queue, program, in);
  }
  for (int i = 0; i < 2; i++) {
    millrace_buffer_release(in[i]);
  }
  millrace_completions_release(queue);
  return status;
}

static mr_status use_transfers(void *unused) {
  (void)unused;
  millrace_transfers *transfers = NULL;
  const millrace_type types[] = {{.dtype = MILLRACE_F32, .dims = (int64_t[]){4}, .rank = 1},
                                 {.dtype = MILLRACE_U8, .dims = (int64_t[]){1 << 20}, .rank = 1}};
  MR_TRY(millrace_transfers_create(device, types, 2, &transfers));
  millrace_buffer *large = NULL;
  millrace_event *sent = NULL;
  char *bytes = calloc(1, 1 << 20);
  mr_status status = millrace_transfers_buffer(transfers, 1, &large);
  status = status ? status : millrace_transfers_send(transfers, 1, bytes, 0, 1 << 20, true, &sent);
  status = status ? status : millrace_event_wait(sent);
  millrace_event_release(sent);
  millrace_transfers_release(transfers);
  millrace_buffer_release(large);
  free(bytes);
  return status;
}

static mr_status use_session(void *model) {
  millrace_session *session = NULL;
  MR_TRY(millrace_session_create(model, NULL, 0, &session));
  millrace_buffer *step = NULL, *out = NULL, *now = NULL;
  const millrace_array array = {
      .data = (float[]){1, 2, 3, 4}, .dtype = MILLRACE_F32, .dims = (int64_t[]){4}, .rank = 1};
  mr_status status = millrace_buffer_create(device, &array, &step);
  status = status ? status : millrace_session_call(session, &step, 1, NULL, &out, 1, NULL);
  status = status ? status : millrace_session_get(session, 0, &now);
  millrace_buffer_release(step);
  millrace_buffer_release(out);
  millrace_buffer_release(now);
  millrace_session_release(session);
  return status;
}

static mr_status use_saved(void *path) {
  millrace_program *program = NULL, *opened = NULL;
  const millrace_program_options options = {.struct_size = sizeof options, .keeps_bytes = true};
  MR_TRY(millrace_program_load_for(add_program, strlen(add_program), &options, &program));
  mr_status status = millrace_program_save(program, path);
  status = status ? status : millrace_program_open(path, &opened);
  millrace_program_release(program);
  millrace_program_release(opened);
  return status;
}

static mr_status use_loading(void *unused) {
  (void)unused;
  const millrace_program_options options = {.struct_size = sizeof options, .device = device};
  millrace_loading *loading = NULL;
  MR_TRY(millrace_program_load_async(add_program, strlen(add_program), &options, &loading));
  millrace_program *program = NULL;
  mr_status status = millrace_loading_program(loading, &program);
  millrace_program_release(program);
  millrace_loading_release(loading);
  return status;
}

static void test_everything(void **state) {
  (void)state;
  char weights[512], path[512], saved[512];
  float data[15];
  for (int i = 0; i < 15; i++) {
    data[i] = 1;
  }
  snprintf(weights, sizeof weights, "%s",
           write_safetensors("model.safetensors",
                             "{\"params['w']\":{\"dtype\":\"F32\",\"shape\":[4,3],\"data_offsets\":[0,48]},"
                             "\"params['b']\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[48,60]}}",
                             data, sizeof data));
  snprintf(path, sizeof path, "%s", write_bytes("model.mlir", affine_program, strlen(affine_program)));
  snprintf(saved, sizeof saved, "%s", path_of("saved.millrace"));
  ok(use_model(path));  // what is made once in a process
  millrace_program *program = load_program(add_program);
  millrace_model *counter = load_model(counter_program);
  ok(use_session(counter));
  alloc_loop("weights", use_weights, weights, 20000);
  alloc_loop("a model", use_model, path, 20000);
  alloc_loop("completions", use_completions, program, 20000);
  alloc_loop("transfers", use_transfers, NULL, 20000);
  alloc_loop("state", use_session, counter, 20000);
  alloc_loop("a saved program", use_saved, saved, 20000);
  alloc_loop("loading on another thread", use_loading, NULL, 20000);
  millrace_model_release(counter);
  millrace_program_release(program);
  alloc_loops_ended_well();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_everything)};
  void *none = NULL;
  if (make_folder(&none)) {
    return 1;
  }
  int failed = cmocka_run_group_tests(tests, start_context, stop_context);
  return remove_folder(&none) || failed;
}
