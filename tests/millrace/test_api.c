// The native C API: load, execute, wait, be told; and what happens to wrong calls.
#include "tests/cmocka.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "core/core.h"
#include "millrace/engine.h"

static const char add_program[] = "module @add {\n"
                                  "  func.func public @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n"
                                  "    %0 = stablehlo.add %a, %b : tensor<4xf32>\n"
                                  "    return %0 : tensor<4xf32>\n"
                                  "  }\n"
                                  "}\n";

static const char donating_program[] =
    "module @donate {\n"
    "  func.func public @main(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {\n"
    "    %0 = stablehlo.add %a, %a : tensor<4xf32>\n"
    "    return %0 : tensor<4xf32>\n"
    "  }\n"
    "}\n";

// Big enough to be queued rather than run on the spot.
static const char heavy_program[] =
    "module @heavy {\n"
    "  func.func public @main(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {\n"
    "    %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<512x512xf32>, "
    "tensor<512x512xf32>) -> tensor<512x512xf32>\n"
    "    return %0 : tensor<512x512xf32>\n"
    "  }\n"
    "}\n";

static millrace_context *context;
static millrace_device *device;

static void ok(millrace_error *error) {
  if (error) {
    fail_msg("%s", millrace_error_message(error));
  }
}

static void fails_with(millrace_error *error, millrace_code code) {
  assert_non_null(error);
  assert_int_equal(millrace_error_code(error), code);
  assert_true(strlen(millrace_error_message(error)) > 0);
  millrace_error_free(error);
}

static millrace_program *load(const char *text) {
  millrace_program *program = NULL;
  ok(millrace_program_load(text, strlen(text), &program));
  return program;
}

static millrace_buffer *buffer_of(const float *values, const int64_t *dims, size_t rank) {
  millrace_array array = {.data = values, .dtype = MILLRACE_F32, .dims = dims, .rank = rank};
  millrace_buffer *buffer = NULL;
  ok(millrace_buffer_create(device, &array, &buffer));
  return buffer;
}

static const int64_t four[] = {4};

static int start(void **state) {
  (void)state;
  millrace_error *error = millrace_context_create(NULL, &context);
  device = error ? NULL : millrace_context_device(context, 0);
  millrace_error_free(error);
  return device ? 0 : -1;
}

static int stop(void **state) {
  (void)state;
  millrace_context_release(context);
  return 0;
}

// A program says its types, takes buffers and answers.
static void test_load_and_execute(void **state) {
  (void)state;
  millrace_program *program = load(add_program);
  assert_int_equal(millrace_program_parameter_count(program), 2);
  assert_int_equal(millrace_program_result_count(program), 1);
  millrace_type type = millrace_program_result(program, 0);
  assert_int_equal(type.dtype, MILLRACE_F32);
  assert_int_equal(type.rank, 1);
  assert_int_equal(type.dims[0], 4);
  assert_int_equal(type.bytes, 16);
  assert_false(millrace_program_donates(program, 0));

  millrace_buffer *arguments[] = {buffer_of((float[]){1, 2, 3, 4}, four, 1),
                                  buffer_of((float[]){10, 20, 30, 40}, four, 1)};
  millrace_buffer *result = NULL;
  ok(millrace_execute(program, device, arguments, 2, &result, 1, NULL));
  float answer[4] = {0};
  ok(millrace_buffer_read(result, answer, sizeof answer));
  const float wanted[] = {11, 22, 33, 44};
  assert_memory_equal(answer, wanted, sizeof wanted);
  for (int i = 0; i < 2; i++) {
    millrace_buffer_release(arguments[i]);
  }
  millrace_buffer_release(result);
  millrace_program_release(program);
}

// A result may be passed on before it is there; the chain comes out right.
static void test_results_may_be_passed_on_at_once(void **state) {
  (void)state;
  enum { STEPS = 100 };
  millrace_program *program = load(add_program);
  millrace_buffer *one = buffer_of((float[]){1, 1, 1, 1}, four, 1);
  millrace_buffer *sum = millrace_buffer_retain(one);
  for (int i = 0; i < STEPS; i++) {
    millrace_buffer *next = NULL;
    ok(millrace_execute(program, device, (millrace_buffer *[]){sum, one}, 2, &next, 1, NULL));
    millrace_buffer_release(sum);
    sum = next;
  }
  float answer[4];
  ok(millrace_buffer_read(sum, answer, sizeof answer));
  for (int i = 0; i < 4; i++) {
    assert_true(answer[i] == STEPS + 1);
  }
  millrace_buffer_release(sum);
  millrace_buffer_release(one);
  millrace_program_release(program);
}

static void count_done(void *argument, millrace_error *error) {
  // release, pairs with the acquire in the test: what was done before the callback is visible there.
  atomic_fetch_add_explicit((atomic_int *)argument, error ? 100 : 1, memory_order_release);
}

// A callback comes once, whether the work is done already or not.
static void test_callback_comes_once(void **state) {
  (void)state;
  millrace_program *program = load(heavy_program);
  static float values[512 * 512], product[512 * 512];
  for (size_t i = 0; i < 512; i++) {
    values[i * 513] = 2;  // twice the identity
  }
  millrace_buffer *x = buffer_of(values, (int64_t[]){512, 512}, 2), *y = NULL;
  millrace_event *event = NULL;
  atomic_int calls = 0;
  ok(millrace_execute(program, device, &x, 1, &y, 1, &event));
  ok(millrace_event_on_done(event, count_done, &calls));
  ok(millrace_event_wait(event));
  assert_true(millrace_event_is_done(event));
  ok(millrace_event_on_done(event, count_done, &calls));
  millrace_event *copied = NULL;
  ok(millrace_buffer_read_async(y, product, sizeof product, &copied));
  ok(millrace_event_wait(copied));
  assert_true(product[0] == 4 && product[1] == 0 && product[512 * 512 - 1] == 4);
  while (atomic_load_explicit(&calls, memory_order_acquire) < 2) {
    continue;
  }
  assert_int_equal(atomic_load_explicit(&calls, memory_order_relaxed), 2);
  millrace_event *ready = millrace_buffer_ready(y);
  ok(millrace_event_wait(ready));
  millrace_event_release(ready);
  millrace_event_release(copied);
  millrace_event_release(event);
  millrace_buffer_release(x);
  millrace_buffer_release(y);
  millrace_program_release(program);
}

// A copy has the content and a life of its own; between contexts there is none.
static void test_copies(void **state) {
  (void)state;
  float values[4] = {0};
  millrace_buffer *x = buffer_of((float[]){1, 2, 3, 4}, four, 1), *copy = NULL, *none = x;
  ok(millrace_buffer_copy(x, device, &copy));
  millrace_buffer_release(x);
  ok(millrace_buffer_read(copy, values, sizeof values));
  assert_true(values[0] == 1 && values[3] == 4);
  millrace_context *other = NULL;
  ok(millrace_context_create(NULL, &other));
  fails_with(millrace_buffer_copy(copy, millrace_context_device(other, 0), &none), MILLRACE_INVALID_ARGUMENT);
  assert_null(none);
  millrace_context_release(other);
  millrace_buffer_release(copy);
}

// Wrong counts, types and sizes are refused by name, and nothing is produced.
static void test_wrong_calls_are_refused(void **state) {
  (void)state;
  millrace_program *program = load(add_program);
  millrace_buffer *right = buffer_of((float[]){1, 2, 3, 4}, four, 1);
  millrace_buffer *wrong = buffer_of((float[]){1, 2, 3, 4}, (int64_t[]){2, 2}, 2);
  millrace_buffer *result = NULL;
  fails_with(millrace_execute(program, device, &right, 1, &result, 1, NULL), MILLRACE_INVALID_ARGUMENT);
  fails_with(millrace_execute(program, device, (millrace_buffer *[]){right, wrong}, 2, &result, 1, NULL),
             MILLRACE_INVALID_ARGUMENT);
  fails_with(millrace_execute(program, device, (millrace_buffer *[]){right, right}, 2, &result, 2, NULL),
             MILLRACE_INVALID_ARGUMENT);
  float answer[4];
  fails_with(millrace_buffer_read(right, answer, 8), MILLRACE_INVALID_ARGUMENT);
  millrace_array array = {.data = answer, .dtype = (millrace_dtype)77, .dims = four, .rank = 1};
  fails_with(millrace_buffer_create(device, &array, &result), MILLRACE_INVALID_ARGUMENT);
  array = (millrace_array){.data = answer, .dtype = MILLRACE_F32, .dims = (int64_t[]){-4}, .rank = 1};
  fails_with(millrace_buffer_create(device, &array, &result), MILLRACE_INVALID_ARGUMENT);
  array.rank = 1000;
  fails_with(millrace_buffer_create(device, &array, &result), MILLRACE_INVALID_ARGUMENT);
  assert_null(millrace_context_device(context, 1000));
  millrace_buffer_release(right);
  millrace_buffer_release(wrong);
  millrace_program_release(program);
}

// What is not a program is an error that says so.
static void test_what_is_not_a_program_is_refused(void **state) {
  (void)state;
  const char *const texts[] = {"", "module", "module @m { func.func public @main() -> tensor<",
                               "\x4d\x4c\xef\x52 nonsense"};
  for (size_t i = 0; i < MR_ARRAY_SIZE(texts); i++) {
    millrace_program *program = NULL;
    millrace_error *error = millrace_program_load(texts[i], strlen(texts[i]), &program);
    assert_non_null(error);
    assert_null(program);
    millrace_error_free(error);
  }
}

// A donated buffer is gone after the call that took it.
static void test_donated_buffer_is_gone(void **state) {
  (void)state;
  millrace_program *program = load(donating_program);
  assert_true(millrace_program_donates(program, 0));
  millrace_buffer *x = buffer_of((float[]){1, 2, 3, 4}, four, 1), *y = NULL, *z = NULL;
  ok(millrace_execute(program, device, &x, 1, &y, 1, NULL));
  float answer[4];
  ok(millrace_buffer_read(y, answer, sizeof answer));
  assert_true(answer[3] == 8);
  fails_with(millrace_execute(program, device, &x, 1, &z, 1, NULL), MILLRACE_INVALID_ARGUMENT);
  millrace_error *error = millrace_buffer_read(x, answer, sizeof answer);
  assert_non_null(error);
  millrace_error_free(error);
  millrace_buffer_release(x);
  millrace_buffer_release(y);
  millrace_program_release(program);
}

static void note_unused(void *argument) { count_done(argument, NULL); }

// A wrapped array is handed back exactly once, after its buffer is gone.
static void test_wrapped_array_is_handed_back(void **state) {
  (void)state;
  static _Alignas(64) float values[1024];
  for (size_t i = 0; i < 1024; i++) {
    values[i] = (float)i;
  }
  atomic_int returned = 0;
  millrace_array array = {.data = values, .dtype = MILLRACE_F32, .dims = (int64_t[]){1024}, .rank = 1};
  millrace_buffer *buffer = NULL;
  ok(millrace_buffer_wrap(device, &array, note_unused, &returned, &buffer));
  float answer[1024];
  ok(millrace_buffer_read(buffer, answer, sizeof answer));
  assert_memory_equal(answer, values, sizeof answer);
  millrace_buffer_release(buffer);
  assert_int_equal(atomic_load_explicit(&returned, memory_order_acquire), 1);
}

// An array may be given in any order of its elements.
static void test_strided_array(void **state) {
  (void)state;
  const float columns[] = {1, 4, 2, 5, 3, 6};
  const int64_t dims[] = {2, 3}, strides[] = {4, 8};
  millrace_array array = {.data = columns, .dtype = MILLRACE_F32, .dims = dims, .rank = 2, .byte_strides = strides};
  millrace_buffer *buffer = NULL;
  ok(millrace_buffer_create(device, &array, &buffer));
  float answer[6];
  ok(millrace_buffer_read(buffer, answer, sizeof answer));
  for (int i = 0; i < 6; i++) {
    assert_true(answer[i] == (float)(i + 1));
  }
  millrace_buffer_release(buffer);
}

static void *load_and_run(void *argument) {
  (void)argument;
  for (int round = 0; round < 20; round++) {
    millrace_program *program = load(add_program);
    millrace_buffer *x = buffer_of((float[]){1, 2, 3, (float)round}, four, 1), *y = NULL;
    ok(millrace_execute(program, device, (millrace_buffer *[]){x, x}, 2, &y, 1, NULL));
    float answer[4];
    ok(millrace_buffer_read(y, answer, sizeof answer));
    if (answer[3] != (float)(2 * round)) {
      return argument;
    }
    millrace_buffer_release(x);
    millrace_buffer_release(y);
    millrace_program_release(program);
  }
  return NULL;
}

// Any number of threads may load and execute at once.
static void test_threads_share_a_context(void **state) {
  (void)state;
  pthread_t threads[4];
  int failed = 1;
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(pthread_create(&threads[i], NULL, load_and_run, &failed), 0);
  }
  for (size_t i = 0; i < 4; i++) {
    void *result = &failed;
    pthread_join(threads[i], &result);
    assert_null(result);
  }
}

// Contexts can be made and given back in any number, with work just finished.
static void test_contexts_come_and_go(void **state) {
  (void)state;
  for (uint32_t count = 1; count <= 3; count++) {
    millrace_context_options options = {.struct_size = sizeof options, .num_devices = count};
    millrace_context *other = NULL;
    ok(millrace_context_create(&options, &other));
    assert_int_equal(millrace_context_device_count(other), count);
    assert_int_equal(millrace_device_info_of(millrace_context_device(other, count - 1)).id, (int)count - 1);
    millrace_context_release(other);
  }
}

static millrace_error *nothing(void *argument) {
  (void)argument;
  return NULL;
}

static void says(millrace_error *error, char *text, const char *words) {
  ok(error);
  if (!strstr(text, words)) {
    fail_msg("no %s in: %s", words, text);
  }
  millrace_text_free(text);
}

// What is shown to people: names of numbers, and what a program is and does.
static void test_names_and_texts(void **state) {
  (void)state;
  assert_string_equal(millrace_code_name(MILLRACE_DATA_LOSS), "DATA_LOSS");
  assert_string_equal(millrace_dtype_name(MILLRACE_BF16), "bf16");
  assert_true(strlen(millrace_dtype_name((millrace_dtype)999)) > 0);
  assert_int_equal(millrace_dtype_bytes(MILLRACE_C64), 8);
  assert_int_equal(millrace_dtype_bytes((millrace_dtype)999), 0);
  millrace_error *error = millrace_error_create(MILLRACE_ABORTED, "no more"), *same = millrace_error_retain(error);
  millrace_error_free(error);
  fails_with(same, MILLRACE_ABORTED);
  millrace_program *program = load(add_program), *again = millrace_program_retain(program);
  millrace_program_release(program);
  char *text = NULL;
  error = millrace_program_describe(again, &text);
  says(error, text, "4xf32");
  error = millrace_program_plan(again, &text);
  says(error, text, "kernel");
  error = millrace_program_graph(again, &text);
  says(error, text, "digraph");
  assert_false(millrace_program_costs_of(again).unbounded);
  millrace_program_release(again);
  millrace_engine *engine = NULL;
  ok(millrace_engine_create(NULL, &engine));
  millrace_event *event = NULL;
  ok(millrace_submit(engine, nothing, NULL, NULL, 0, &event));
  ok(millrace_engine_wait(engine, event));
  millrace_event_release(event);
  assert_true(millrace_engine_count(engine).tasks <= 1000000);
  millrace_engine_release(engine);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_load_and_execute),        cmocka_unit_test(test_results_may_be_passed_on_at_once),
      cmocka_unit_test(test_callback_comes_once),     cmocka_unit_test(test_copies),
      cmocka_unit_test(test_wrong_calls_are_refused), cmocka_unit_test(test_what_is_not_a_program_is_refused),
      cmocka_unit_test(test_donated_buffer_is_gone),  cmocka_unit_test(test_wrapped_array_is_handed_back),
      cmocka_unit_test(test_strided_array),           cmocka_unit_test(test_threads_share_a_context),
      cmocka_unit_test(test_contexts_come_and_go),    cmocka_unit_test(test_names_and_texts),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
