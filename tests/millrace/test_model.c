// Models: names, open sizes, what the program asserts of them, weights, calls, programs of sizes.
#include <pthread.h>

#include "tests/millrace/model_harness.h"

// The parameters of the affine program as a file's: w = 4 x 3 of `w`, b = 3 of `b`. w has 48 bytes and is no multiple of 64, b is behind it.
static const char *write_affine(const char *name, float w, float b) {
  float data[15];
  for (int i = 0; i < 15; i++) {
    data[i] = i < 12 ? w : b;
  }
  return write_safetensors(name,
                           "{\"params['w']\":{\"dtype\":\"F32\",\"shape\":[4,3],\"data_offsets\":[0,48]},"
                           "\"params['b']\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[48,60]}}",
                           data, sizeof data);
}

static void bind_affine(millrace_model *model, const char *name, float w, float b) {
  millrace_weights *weights;
  ok(millrace_weights_open(write_affine(name, w, b), &weights));
  ok(millrace_model_bind(model, weights));
  millrace_weights_release(weights);
}

static millrace_shape batch_shape(int64_t *dims, int64_t batch) {
  dims[0] = batch;
  dims[1] = 4;
  return (millrace_shape){dims, 2};
}

// ---- Tests ----------------------------------------------------------------------------------------------------------------------

static void test_names_and_symbols(void **state) {
  (void)state;
  millrace_model *model = load_model(affine_program);
  assert_int_equal(millrace_model_input_count(model), 3);
  assert_int_equal(millrace_model_output_count(model), 2);
  assert_string_equal(millrace_model_input(model, 0).name, "params['b']");
  assert_string_equal(millrace_model_input(model, 1).name, "params['w']");
  millrace_port x = millrace_model_input(model, 2), y = millrace_model_output(model, 0);
  assert_string_equal(x.name, "x");
  assert_int_equal(x.type.dims[0], MILLRACE_OPEN);
  assert_int_equal(x.type.dims[1], 4);
  assert_int_equal(x.type.bytes, 0);
  assert_string_equal(x.symbols[0], "b");
  assert_null(x.symbols[1]);
  assert_string_equal(y.name, "result['y']");
  assert_int_equal(y.type.dims[0], MILLRACE_OPEN);
  assert_string_equal(y.symbols[0], "b");
  assert_int_equal(millrace_model_find_input(model, "x"), 2);
  assert_int_equal(millrace_model_find_output(model, "result['twice']"), 1);
  assert_true(millrace_model_find_input(model, "z") == SIZE_MAX);
  assert_ptr_equal(millrace_model_device(model), device);
  millrace_model_release(model);
}

// Names that nobody gave are numbers.
static void test_without_names(void **state) {
  (void)state;
  millrace_model *model = load_model(add_program);
  assert_string_equal(millrace_model_input(model, 1).name, "input1");
  assert_string_equal(millrace_model_output(model, 0).name, "output0");
  assert_null(millrace_model_input(model, 0).symbols);
  millrace_buffer *in[] = {four_floats(1, 2, 3, 4), four_floats(10, 20, 30, 40)}, *out;
  ok(millrace_model_call(model, in, 2, NULL, &out, 1, NULL));
  holds(out, 4, (const float[]){11, 22, 33, 44});
  for (int i = 0; i < 2; i++) {
    millrace_buffer_release(in[i]);
  }
  millrace_buffer_release(out);
  millrace_model_release(model);
}

static void call_affine(millrace_model *model, int64_t batch, float x, float y) {
  float values[64 * 4], wanted[64 * 3];
  for (int64_t i = 0; i < batch * 4; i++) {
    values[i] = x;
  }
  for (int64_t i = 0; i < batch * 3; i++) {
    wanted[i] = y;
  }
  millrace_buffer *in = floats(values, 2, (const int64_t[]){batch, 4}), *out[2];
  ok(millrace_model_call(model, &in, 1, NULL, out, 2, NULL));
  assert_int_equal(millrace_buffer_type(out[0]).dims[0], batch);
  holds(out[0], (size_t)batch * 3, wanted);
  millrace_buffer_release(in);
  millrace_buffer_release(out[0]);
  millrace_buffer_release(out[1]);
}

// Sizes are compiled as they come; weights are replaced, and calls after that have the new ones.
static void test_sizes_and_weights(void **state) {
  (void)state;
  millrace_model *model = load_model(affine_program);
  bind_affine(model, "first.safetensors", 0.5f, 1);
  assert_int_equal(millrace_model_input_count(model), 1);
  assert_int_equal(millrace_model_find_input(model, "x"), 0);
  for (int64_t batch = 1; batch <= 64; batch = batch * 3 + 1) {
    call_affine(model, batch, 2, 5);
  }
  bind_affine(model, "second.safetensors", 1, -1);
  call_affine(model, 4, 2, 7);
  call_affine(model, 5, 2, 7);
  millrace_model_release(model);
}

static void test_what_is_asserted(void **state) {
  (void)state;
  millrace_model *model = load_model(affine_program);
  bind_affine(model, "asserted.safetensors", 1, 1);
  int64_t dims[2];
  millrace_shape shape = batch_shape(dims, 65);
  millrace_program *program;
  fails_with(millrace_model_program(model, &shape, 1, &program), MILLRACE_INVALID_ARGUMENT, "b = 65 is above 64");
  shape = batch_shape(dims, 0);
  fails_with(millrace_model_program(model, &shape, 1, &program), MILLRACE_INVALID_ARGUMENT,
             "b must be 1 or more, it is 0");
  shape = batch_shape(dims, 64);
  ok(millrace_model_program(model, &shape, 1, &program));
  millrace_program_release(program);
  millrace_model_release(model);
}

static void test_wrong_calls(void **state) {
  (void)state;
  millrace_model *model = load_model(affine_program);
  bind_affine(model, "wrong.safetensors", 1, 1);
  millrace_program *program;
  int64_t dims[2] = {2, 5};
  millrace_shape shape = {dims, 2}, flat = {dims, 1};
  fails_with(millrace_model_program(model, NULL, 0, &program), MILLRACE_INVALID_ARGUMENT, "0 shapes for 1 inputs");
  fails_with(millrace_model_program(model, &shape, 1, &program), MILLRACE_INVALID_ARGUMENT, "input x is");
  fails_with(millrace_model_program(model, &flat, 1, &program), MILLRACE_INVALID_ARGUMENT, "input x is");
  millrace_buffer *in = four_floats(1, 2, 3, 4), *out[2];
  fails_with(millrace_model_call(model, &in, 1, NULL, out, 2, NULL), MILLRACE_INVALID_ARGUMENT,
             "input x has 1 dimensions, wanted 2");
  fails_with(millrace_model_call(model, &in, 0, NULL, out, 2, NULL), MILLRACE_INVALID_ARGUMENT,
             "0 inputs for a model of 1");
  fails_with(millrace_model_call(model, (millrace_buffer *[]){NULL}, 1, NULL, out, 2, NULL), MILLRACE_INVALID_ARGUMENT,
             "input x is NULL");
  millrace_array ints = {.data = (int[4]){0}, .dtype = MILLRACE_S32, .dims = (int64_t[]){1, 4}, .rank = 2};
  fails_with(millrace_model_run(model, &ints, 1, NULL, out, 2), MILLRACE_INVALID_ARGUMENT, "type i32, wanted f32");
  millrace_buffer_release(in);
  millrace_weights *weights;
  ok(millrace_weights_open(
      write_safetensors("half.safetensors",
                        "{\"params['w']\":{\"dtype\":\"F32\",\"shape\":[4,3],\"data_offsets\":[0,48]}}", (float[12]){0},
                        48),
      &weights));
  fails_with(millrace_model_bind(model, weights), MILLRACE_INVALID_ARGUMENT,
             "no weight params['b'], which was bound before");
  millrace_weights_release(weights);
  ok(millrace_weights_open(
      write_safetensors("other.safetensors",
                        "{\"params['w']\":{\"dtype\":\"F32\",\"shape\":[3,4],\"data_offsets\":[0,48]}}", (float[12]){0},
                        48),
      &weights));
  millrace_model *fresh = load_model(affine_program);
  fails_with(millrace_model_bind(fresh, weights), MILLRACE_INVALID_ARGUMENT,
             "weight params['w'] is 3x4xf32, the parameter is 4x3xf32");
  millrace_weights_release(weights);
  millrace_model_release(fresh);
  millrace_model_release(model);
  fails_with(millrace_model_open(context, path_of("nothing.mlirbc"), NULL, &model), MILLRACE_NOT_FOUND,
             "nothing.mlirbc");
  fails_with(millrace_model_load(context, "no program", 10, NULL, &model), MILLRACE_INVALID_ARGUMENT, "");
}

// A program over several devices is described, and not called.
static void test_several_devices(void **state) {
  (void)state;
  static const char text[] = "module attributes {mhlo.num_partitions = 8 : i32} {\n"
                             "  func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                             "    %0 = stablehlo.add %a, %a : tensor<4xf32>\n"
                             "    return %0 : tensor<4xf32>\n"
                             "  }\n"
                             "}\n";
  millrace_model *model = load_model(text);
  assert_int_equal(millrace_model_input_count(model), 1);
  millrace_program *program;
  fails_with(millrace_model_program(model, NULL, 0, &program), MILLRACE_UNIMPLEMENTED, "over 8 devices");
  millrace_model_release(model);
}

// A program that leaves sizes open is not loaded as one that does not.
static void test_open_program(void **state) {
  (void)state;
  millrace_program *program;
  fails_with(millrace_program_load(affine_program, strlen(affine_program), &program), MILLRACE_INVALID_ARGUMENT,
             "parameter 2 is tensor<?x4xf32>");
  const int64_t b[] = {3}, w[] = {4, 3}, x[] = {2, 4};
  const millrace_shape shapes[] = {{b, 1}, {w, 2}, {x, 2}}, wrong[] = {{b, 1}, {x, 2}, {x, 2}};
  millrace_program_options options = {.struct_size = sizeof options, .shapes = shapes, .num_shapes = 3};
  ok(millrace_program_load_for(affine_program, strlen(affine_program), &options, &program));
  assert_string_equal(millrace_program_parameter_name(program, 2), "x");
  assert_string_equal(millrace_program_result_name(program, 1), "result['twice']");
  assert_int_equal(millrace_program_result(program, 0).dims[0], 2);
  millrace_program_costs costs = millrace_program_costs_of(program);
  assert_int_equal(costs.argument_bytes, 12 + 48 + 32);
  assert_int_equal(costs.result_bytes, 24 + 32);
  assert_true(costs.steps > 0 && costs.flops >= 2 * 2 * 4 * 3);
  millrace_program_release(program);
  options.shapes = wrong;
  fails_with(millrace_program_load_for(affine_program, strlen(affine_program), &options, &program),
             MILLRACE_INVALID_ARGUMENT, "parameter 1 is tensor<4x3xf32>, which cannot be tensor<2x4xf32>");
  options.num_shapes = 2;
  fails_with(millrace_program_load_for(affine_program, strlen(affine_program), &options, &program),
             MILLRACE_INVALID_ARGUMENT, "2 shapes for a program of 3 parameters");
}

static void note_unused(void *argument) { ++*(int *)argument; }

// Arrays of the caller's, one of them with strides: let go of when the model has others, and the last call of those before is over.
static void test_own_arrays(void **state) {
  (void)state;
  _Alignas(64) float w[12], b[3] = {1, 1, 1};
  for (int i = 0; i < 12; i++) {
    w[i] = (float)(i / 4);  // of the transposed one
  }
  const char *names[] = {"params['w']", "params['b']", "more"};
  const millrace_array arrays[] = {
      {.data = w, .dtype = MILLRACE_F32, .dims = (int64_t[]){4, 3}, .rank = 2, .byte_strides = (int64_t[]){4, 16}},
      {.data = b, .dtype = MILLRACE_F32, .dims = (int64_t[]){3}, .rank = 1},
      {.data = NULL, .dtype = MILLRACE_F32, .dims = (int64_t[]){0}, .rank = 1}};
  millrace_weights *weights;
  int unused = 0;
  ok(millrace_weights_create(names, arrays, 3, note_unused, &unused, &weights));
  millrace_model *model = load_model(affine_program);
  ok(millrace_model_bind(model, weights));
  millrace_weights_release(weights);
  millrace_buffer *x = floats((const float[]){1, 1, 1, 1}, 2, (const int64_t[]){1, 4}), *out[2];
  ok(millrace_model_call(model, &x, 1, NULL, out, 2, NULL));
  holds(out[0], 3, (const float[]){1, 5, 9});
  assert_int_equal(unused, 0);
  bind_affine(model, "others.safetensors", 1, 1);
  assert_int_equal(unused, 1);
  for (int i = 0; i < 2; i++) {
    millrace_buffer_release(out[i]);
  }
  millrace_buffer_release(x);
  assert_ptr_equal(millrace_model_retain(model), model);
  millrace_model_release(model);
  millrace_model_release(model);
  names[2] = "params['b']";
  fails_with(millrace_weights_create(names, arrays, 3, note_unused, &unused, &weights), MILLRACE_INVALID_ARGUMENT,
             "two arrays are called params['b']");
  const millrace_array nothing = {.data = NULL, .dtype = MILLRACE_F32, .dims = (int64_t[]){3}, .rank = 1};
  fails_with(millrace_weights_create(names, &nothing, 1, note_unused, &unused, &weights), MILLRACE_INVALID_ARGUMENT,
             "array params['w']: 12 bytes at NULL");
  assert_int_equal(unused, 1);
}

// Weights beside the program are found by its name.
static void test_beside(void **state) {
  (void)state;
  write_affine("model.safetensors", 1, 0);
  const char *path = write_bytes("model.mlir", affine_program, strlen(affine_program));
  millrace_model *model;
  ok(millrace_model_open(context, path, NULL, &model));
  assert_int_equal(millrace_model_input_count(model), 1);
  call_affine(model, 2, 3, 12);
  millrace_model_release(model);
  ok(millrace_model_open(context, path,
                         &(millrace_model_options){.struct_size = sizeof(millrace_model_options), .weights_path = ""},
                         &model));
  assert_int_equal(millrace_model_input_count(model), 3);
  millrace_model_release(model);
}

// From arrays to arrays, into the caller's memory.
static void test_run(void **state) {
  (void)state;
  millrace_model *model = load_model(affine_program);
  bind_affine(model, "run.safetensors", 1, 1);
  _Alignas(64) float y[2][16], x[8] = {1, 1, 1, 1, 2, 2, 2, 2};
  float twice[9];
  twice[8] = 99;
  const millrace_array in = {.data = x, .dtype = MILLRACE_F32, .dims = (int64_t[]){2, 4}, .rank = 2};
  const millrace_destination to[] = {{y[0], 24}, {twice, 32}};
  const millrace_execute_options options = {.struct_size = sizeof options, .destinations = to, .num_destinations = 2};
  millrace_buffer *out[2];
  ok(millrace_model_run(model, &in, 1, &options, out, 2));
  assert_null(out[0]);
  assert_null(out[1]);
  for (int i = 0; i < 6; i++) {
    assert_float_equal(y[0][i], i < 3 ? 5 : 9, 1e-5);
  }
  for (int i = 0; i < 8; i++) {
    assert_float_equal(twice[i], i < 4 ? 2 : 4, 1e-5);
  }
  assert_float_equal(twice[8], 99, 0);
  millrace_model_release(model);
}

// ---- Threads --------------------------------------------------------------------------------------------------------------------

static void *call_often(void *argument) {
  for (int64_t i = 0; i < 40; i++) {
    call_affine(argument, i % 6 + 1, 2, 9);
  }
  return NULL;
}

// Sizes that several threads want at once, while the weights are replaced by equal ones.
static void test_threads(void **state) {
  (void)state;
  millrace_model *model = load_model(affine_program);
  bind_affine(model, "threads.safetensors", 1, 1);
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) {
    assert_int_equal(pthread_create(&threads[i], NULL, call_often, model), 0);
  }
  for (int i = 0; i < 20; i++) {  // files of their own, as what is mapped is not written over
    char name[64];
    snprintf(name, sizeof name, "threads%d.safetensors", i);
    bind_affine(model, name, 1, 1);
  }
  for (int i = 0; i < 3; i++) {
    pthread_join(threads[i], NULL);
  }
  millrace_model_release(model);
}

static const char two_weights_program[] =
    "func.func public @main(%0: tensor<f32> loc(\"b\"), %1: tensor<f32> loc(\"w\"), %2: tensor<f32> loc(\"x\")) -> "
    "tensor<f32> {\n"
    "  %3 = stablehlo.multiply %1, %2 : tensor<f32>\n"
    "  %4 = stablehlo.add %3, %0 : tensor<f32>\n"
    "  return %4 : tensor<f32>\n}\n";

typedef struct binder {
  millrace_model *model;
  millrace_weights *weights;
  millrace_error *error;
} binder;

static void *bind_one(void *argument) {
  binder *b = argument;
  b->error = millrace_model_bind(b->model, b->weights);
  return NULL;
}

// Of two threads that bind at once the second finds what the first has bound: weights with more names than those bind no more, and
// weights with fewer are refused. Before, both could be the first, and a call read beyond what the one with fewer had.
static void test_threads_bind(void **state) {
  (void)state;
  static const float one = 1;
  static const char *const names[] = {"b", "w"};
  const millrace_array array = {.data = &one, .dtype = MILLRACE_F32};
  millrace_weights *weights[2];
  ok(millrace_weights_create(names, (millrace_array[]){array, array}, 1, NULL, NULL, &weights[0]));
  ok(millrace_weights_create(names, (millrace_array[]){array, array}, 2, NULL, NULL, &weights[1]));
  for (int turn = 0; turn < 200; turn++) {
    millrace_model *model = load_model(two_weights_program);
    binder binders[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
      binders[i] = (binder){.model = model, .weights = weights[(i + turn) % 2]};
      assert_int_equal(pthread_create(&threads[i], NULL, bind_one, &binders[i]), 0);
    }
    size_t refused = 0;
    for (int i = 0; i < 2; i++) {
      pthread_join(threads[i], NULL);
      refused += binders[i].error != NULL;
      millrace_error_free(binders[i].error);
    }
    // The one name was first: the two bind that one only. The two were first: the one name is refused.
    assert_int_equal(millrace_model_input_count(model), refused ? 1 : 2);
    millrace_model_release(model);
  }
  millrace_weights_release(weights[0]);
  millrace_weights_release(weights[1]);
}

static void test_prepare(void **state) {
  (void)state;
  millrace_model *model = load_model(affine_program);
  bind_affine(model, "prepare.safetensors", 1, 1);
  int64_t dims[2];
  millrace_event *events[3];
  for (int i = 0; i < 3; i++) {
    millrace_shape shape = batch_shape(dims, i + 30);
    ok(millrace_model_prepare(model, &shape, 1, &events[i]));
  }
  for (int i = 0; i < 3; i++) {
    ok(millrace_event_wait(events[i]));
    millrace_event_release(events[i]);
    call_affine(model, i + 30, 2, 9);
  }
  millrace_shape shape = batch_shape(dims, 30);
  ok(millrace_model_prepare(model, &shape, 1, &events[0]));
  assert_null(events[0]);  // it is there
  shape = batch_shape(dims, 65);
  ok(millrace_model_prepare(model, &shape, 1, &events[0]));
  fails_with(millrace_event_wait(events[0]), MILLRACE_INVALID_ARGUMENT, "b = 65 is above 64");
  millrace_event_release(events[0]);
  millrace_model_release(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names_and_symbols),
                                     cmocka_unit_test(test_without_names),
                                     cmocka_unit_test(test_sizes_and_weights),
                                     cmocka_unit_test(test_what_is_asserted),
                                     cmocka_unit_test(test_wrong_calls),
                                     cmocka_unit_test(test_open_program),
                                     cmocka_unit_test(test_several_devices),
                                     cmocka_unit_test(test_own_arrays),
                                     cmocka_unit_test(test_beside),
                                     cmocka_unit_test(test_run),
                                     cmocka_unit_test(test_threads),
                                     cmocka_unit_test(test_threads_bind),
                                     cmocka_unit_test(test_prepare)};
  void *none = NULL;
  if (make_folder(&none)) {
    return 1;
  }
  int failed = cmocka_run_group_tests(tests, start_context, stop_context);
  return remove_folder(&none) || failed;
}
