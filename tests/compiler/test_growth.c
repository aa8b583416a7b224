// Compiling takes memory and time in proportion to the program, whatever it is full of; and what is there many times in one
// program does the same as what is there once.
#include <math.h>
#include <time.h>

#include "compiler/codegen/codegen.h"
#include "perf/compiler/partitioned_programs.h"
#include "tests/compiler/execute_harness.h"

// What is quadratic is most of it at thirty-two times the size; short enough for a build with all checks.
enum { SMALL = 100, LARGE = 32 * SMALL, TURNS = 4 };

static mr_executable *compile_form(const growth_form *form, int n) {
  mr_text text = {0};
  growth_write(form, n, &text);
  mr_executable *executable = NULL;
  mr_compile_options options = {.num_replicas = 1, .num_partitions = (uint32_t)growth_devices};
  mr_status status = mr_compile((mr_span){text.data, text.size}, &options, &executable);
  if (status) {
    fail_msg("%s of %d: %s", form->name, n, mr_status_message(status));
  }
  mr_text_deinit(&text);
  return executable;
}

static double processor_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

typedef struct work {
  double bytes, ms;
} work;

// The least processor time of some turns, and the memory: whatever else the machine does adds to the time.
static void measure(const growth_form *form, int n, work *least) {
  double start = processor_ms();
  mr_executable *executable = compile_form(form, n);
  least->ms = MR_MIN(least->ms, processor_ms() - start);
  least->bytes = (double)mr_executable_stats_of(executable).compile_bytes;
  mr_executable_release(executable);
}

// The memory is linear. So is the time, but a program that no longer lies in the caches takes longer for each operation, how much longer
// is the processor's and its neighbours': the bound is the mean, as of factors, of linear and quadratic, and far from both.
static bool is_linear(work small, work large) {
  const double times = (double)LARGE / SMALL;
  return large.bytes <= 1.2 * times * small.bytes && large.ms <= times * sqrt(times) * small.ms + 10;
}

// Thirty-two times the program takes thirty-two times the memory, and time that is not on the way to a thousand times.
static void expect_linear(const growth_form *form) {
  mr_executable_release(compile_form(form, SMALL));  // the kernels are there
  work small = {.ms = 1e9}, large = {.ms = 1e9};
  for (int turn = 0; turn < TURNS && (turn == 0 || !is_linear(small, large)); turn++) {
    for (int i = 0; i < 4; i++) {
      measure(form, SMALL, &small);
    }
    measure(form, LARGE, &large);
  }
  print_message("%-12s %5.2f MB %6.1f ms, %6.2f MB %6.1f ms, %4.1f\n", form->name, small.bytes * 1e-6, small.ms,
                large.bytes * 1e-6, large.ms, large.ms / small.ms);
  if (!is_linear(small, large)) {
    fail_msg("%s: %.0f bytes and %.1f ms for %d, %.0f bytes and %.1f ms for %d", form->name, small.bytes, small.ms,
             SMALL, large.bytes, large.ms, LARGE);
  }
}

static void test_work_is_linear(void **state) {
  (void)state;
  for (size_t k = 0; k < MR_ARRAY_SIZE(growth_forms); k++) {
    if (!growth_forms[k].most && !growth_forms[k].apart) {
      expect_linear(&growth_forms[k]);
    }
  }
}

// Over eight devices as well.
static void test_work_on_parts_is_linear(void **state) {
  (void)state;
  growth_devices = 8;
  for (size_t k = 0; k < MR_ARRAY_SIZE(partitioned_forms); k++) {
    expect_linear(&partitioned_forms[k]);
  }
  growth_devices = 1;
}

// 128 times the devices may cost so much more, though the forms take the same: minima of a busy machine differ, and those of a build with
// asserts, which verifies after each pass, more.
#ifdef NDEBUG
#define MORE_DEVICES 1.25
#else
#define MORE_DEVICES 1.5
#endif

// A thousand devices are compiled for as eight are.
static void test_work_knows_no_devices(void **state) {
  (void)state;
  enum { SOME = 400 };
  for (size_t k = 0; k < MR_ARRAY_SIZE(partitioned_forms); k++) {
    const growth_form *form = &partitioned_forms[k];
    work of[2] = {{.ms = 1e9}, {.ms = 1e9}};
    for (int turn = 0; turn < TURNS && (turn == 0 || of[1].ms > MORE_DEVICES * of[0].ms + 5); turn++) {
      for (int i = 0; i < 2; i++) {
        growth_devices = i ? 1024 : 8;
        mr_executable_release(compile_form(form, SOME));  // the kernels are there
        measure(form, SOME, &of[i]);
      }
    }
    growth_devices = 1;
    print_message("%-12s %5.2f MB %6.1f ms, %5.2f MB %6.1f ms\n", form->name, of[0].bytes * 1e-6, of[0].ms,
                  of[1].bytes * 1e-6, of[1].ms);
    assert_true(of[1].bytes < 1.2 * of[0].bytes + 200000 && of[1].ms < MORE_DEVICES * of[0].ms + 5);
  }
}

// The one that is named, of this size.
static mr_executable *compile_named(const char *name, int n) {
  for (size_t k = 0; k < MR_ARRAY_SIZE(growth_forms); k++) {
    if (strcmp(growth_forms[k].name, name) == 0) {
      return compile_form(&growth_forms[k], n);
    }
  }
  fail_msg("no form %s", name);
  return NULL;
}

// A branch is chosen by its number, however many there are; what is no number of a branch chooses the last one.
static void test_many_branches(void **state) {
  (void)state;
  static const int counts[] = {2, 3, 4, 5, 17, 300};
  for (size_t k = 0; k < MR_ARRAY_SIZE(counts); k++) {
    int n = counts[k];
    mr_executable *executable = compile_named("branches", n);
    const int32_t numbers[] = {0, 1, n / 2, n - 2, n - 1, n, n + 1, INT32_MAX, -1, INT32_MIN};
    for (size_t i = 0; i < MR_ARRAY_SIZE(numbers); i++) {
      int32_t chosen = numbers[i] >= 0 && numbers[i] < n ? numbers[i] : n - 1;
      mr_buffer *arguments[] = {scalar_int(numbers[i]), floats((float[]){1, 2, 3, 4}, 4)}, *result = NULL;
      run(executable, arguments, 2, &result);
      float by = (float)chosen + 1;
      expect_floats(result, (float[]){by, 2 * by, 3 * by, 4 * by}, 4);
      mr_buffer_release(result);
      release_all(arguments, 2);
    }
    mr_executable_release(executable);
  }
}

// Pieces of which the kernel computes some, more than scopes can nest and than one concatenation joins: each is where it
// belongs.
static void expect_pieces(int count) {
  const int64_t dims[] = {count, 4};
  float *data = calloc((size_t)count, 4 * sizeof *data), *got = calloc((size_t)count, 4 * sizeof *got);
  for (int i = 0; i < 4 * count; i++) {
    data[i] = (float)i;
  }
  mr_buffer *argument = NULL, *result = NULL;
  mr_host_array host = {.data = data, .dtype = MR_F32, .dims = dims, .rank = 2};
  expect_ok(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &argument));
  mr_executable *executable = compile_named("operands", count);
  run(executable, &argument, 1, &result);
  mr_future *done = NULL;
  expect_ok(mr_buffer_to_host(result, got, NULL, &done));
  wait_for(done);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 4; k++) {
      float from = data[4 * (count - 1 - i) + k];
      assert_true(got[4 * i + k] == from * from);
    }
  }
  mr_buffer_release(result);
  mr_buffer_release(argument);
  mr_executable_release(executable);
  free(data);
  free(got);
}

static void test_many_pieces(void **state) {
  (void)state;
  expect_pieces(150);
  expect_pieces(333);
}

// Arguments joined by the square of what one concatenation joins, and more.
static void test_many_arguments_joined(void **state) {
  (void)state;
  enum { MANY = 64 * 64 + 65 };
  mr_buffer **arguments = calloc(MANY, sizeof *arguments), *result = NULL;
  float *got = calloc(MANY, 4 * sizeof *got);
  for (int i = 0; i < MANY; i++) {
    float x = (float)(4 * i);
    arguments[i] = floats((float[]){x, x + 1, x + 2, x + 3}, 4);
  }
  mr_executable *executable = compile_named("joined", MANY);
  run(executable, arguments, MANY, &result);
  mr_future *done = NULL;
  expect_ok(mr_buffer_to_host(result, got, NULL, &done));
  wait_for(done);
  for (int i = 0; i < 4 * MANY; i++) {
    assert_true(got[i] == (float)i);
  }
  mr_buffer_release(result);
  release_all(arguments, MANY);
  mr_executable_release(executable);
  free(arguments);
  free(got);
}

// Each value that a loop carries goes where the next one was, many at once; a product that stays a step is among them. Three
// rounds.
static void test_many_values_turn(void **state) {
  (void)state;
  enum { MANY = 100, ROUNDS = 3 };
  mr_buffer *arguments[MANY + 1], *results[2];
  float matrix[64 * 64] = {0};
  const int64_t dims[] = {64, 64};
  mr_host_array host = {.data = matrix, .dtype = MR_F32, .dims = dims, .rank = 2};
  expect_ok(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &arguments[0]));
  for (int i = 0; i < MANY; i++) {
    float x = (float)(4 * i);
    arguments[i + 1] = floats((float[]){x, x + 1, x + 2, x + 3}, 4);
  }
  mr_executable *executable = compile_named("turned", MANY);
  run(executable, arguments, MANY + 1, results);
  float last = 4 * (ROUNDS - 1);  // of MANY - 1, three further on, from the beginning again
  expect_floats(results[0], (float[]){last, last + 1, last + 2, last + 3}, 4);
  release_all(results, 2);
  release_all(arguments, MANY + 1);
  mr_executable_release(executable);
}

// Control flow deeper than scopes may nest in one kernel is compiled all the same, and chooses the innermost branch.
static void test_deep_control(void **state) {
  (void)state;
  enum { DEPTH = 90 };
  mr_executable *executable = compile_named("deep", DEPTH);
  const float x[4] = {1, -1, 0.5f, 2};
  mr_buffer *arguments[] = {scalar_int(0), floats(x, 4)}, *result = NULL;
  run(executable, arguments, 2, &result);
  float got[4];
  mr_future *done = NULL;
  expect_ok(mr_buffer_to_host(result, got, NULL, &done));
  wait_for(done);
  for (int i = 0; i < 4; i++) {
    float wanted = sinf(x[i]);
    for (int level = 0; level < DEPTH; level++) {
      wanted = wanted * x[i] + x[i];
    }
    assert_true(fabsf(got[i] - wanted) <= 1e-5f * fabsf(wanted));  // sines of one unit in the last place
  }
  mr_buffer_release(result);
  release_all(arguments, 2);
  arguments[0] = scalar_int(1);
  arguments[1] = floats(x, 4);
  run(executable, arguments, 2, &result);
  expect_floats(result, x, 4);  // the outermost branch hands it on
  mr_buffer_release(result);
  release_all(arguments, 2);
  mr_executable_release(executable);
}

// So many buffers that not each is compared with each: the memory that they share is no more than what is alive at once.
static void test_many_buffers_share_memory(void **state) {
  (void)state;
  enum { MANY = 10000 };
  mr_executable *few = compile_named("library", 20), *many = compile_named("library", MANY);
  assert_true(mr_executable_stats_of(many).temp_bytes <= mr_executable_stats_of(few).temp_bytes);
  mr_executable_release(few);
  mr_executable_release(many);
}

// What a program of pieces at constant offsets gives on the device that there is: the sum of their squares.
static void expect_squares(mr_executable *executable, int count) {
  const int64_t dims[] = {count, 4};
  float *data = calloc((size_t)count, 4 * sizeof *data), wanted[4] = {0};
  for (int i = 0; i < 4 * count; i++) {
    data[i] = (float)(i % 23 - 11);  // sums of these are exact in any order
    wanted[i % 4] += data[i] * data[i];
  }
  mr_buffer *argument = NULL, *result = NULL;
  mr_host_array host = {.data = data, .dtype = MR_F32, .dims = dims, .rank = 2};
  expect_ok(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &argument));
  run(executable, &argument, 1, &result);
  expect_floats(result, wanted, 4);
  mr_buffer_release(result);
  mr_buffer_release(argument);
  free(data);
}

// Many kernels that differ in nothing but which pieces of an array they read are few, and each reads its own, also on a device whose
// memory is not the host's. Few kernels stay apart.
static void test_pieces_share_kernels(void **state) {
  (void)state;
  enum { MANY = 5000, FEW = 20, MOST_KERNELS = 40 };
  uint64_t before = mr_codegen_stats_now().compiled;
  mr_executable *many = compile_named("wide", MANY), *few = compile_named("wide", FEW);
  assert_true(mr_executable_stats_of(many).kernels > 4 * MOST_KERNELS);
  assert_true(mr_codegen_stats_now().compiled - before < MOST_KERNELS);
  expect_squares(many, MANY);
  expect_squares(few, FEW);
  close_platform(NULL);
  expect_ok(mr_platform_create(&(mr_platform_options){.kinds = "fenced"}, &platform));
  device = mr_platform_device(platform, 0);
  memory = &device->memories[MR_MEMORY_DEVICE];
  expect_squares(many, MANY);
  mr_executable_release(many);
  mr_executable_release(few);
  close_platform(NULL);
  open_platform(NULL);
}

// What tests/python/test_growth.py counts the instructions of, under callgrind, by this name.
static __attribute__((noinline)) void count_growth(const growth_form *form, int n) {
  mr_executable_release(compile_form(form, n));
}

// Three compiles of doubled sizes of each form, or of the one that is named; the kernels that they need are made before. Prints the forms' names.
static void count_forms(const growth_form *forms, size_t count, int devices, const char *named) {
  growth_devices = devices;
  for (size_t k = 0; k < count; k++) {
    if (named ? strcmp(forms[k].name, named) != 0 : forms[k].most || forms[k].apart) {
      continue;
    }
    for (int n = SMALL; n <= 4 * SMALL; n *= 2) {
      mr_executable_release(compile_form(&forms[k], n));
      count_growth(&forms[k], n);
    }
    puts(forms[k].name);
  }
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--count") == 0) {
    open_platform(NULL);
    const char *named = argc > 2 ? argv[2] : NULL;
    count_forms(growth_forms, MR_ARRAY_SIZE(growth_forms), 1, named);
    count_forms(partitioned_forms, MR_ARRAY_SIZE(partitioned_forms), 8, named);
    return close_platform(NULL);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_work_is_linear),
      cmocka_unit_test(test_work_on_parts_is_linear),
      cmocka_unit_test(test_work_knows_no_devices),
      cmocka_unit_test(test_many_branches),
      cmocka_unit_test(test_many_pieces),
      cmocka_unit_test(test_many_arguments_joined),
      cmocka_unit_test(test_many_values_turn),
      cmocka_unit_test(test_deep_control),
      cmocka_unit_test(test_many_buffers_share_memory),
      cmocka_unit_test(test_pieces_share_kernels),
  };
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
