// Compiling takes memory and time in proportion to the program, whatever it is full of; and what is there many times in one
// program does the same as what is there once.
#include <time.h>

#include "perf/compiler/growth_programs.h"
#include "tests/compiler/execute_harness.h"

// What is quadratic is most of it at eight times the size; short enough for a build with all checks.
enum { SMALL = 100, LARGE = 8 * SMALL };

static mr_executable *compile_form(const growth_form *form, int n) {
  mr_text text = {0};
  growth_write(form, n, &text);
  mr_executable *executable = NULL;
  mr_status status = mr_compile((mr_span){text.data, text.size}, NULL, &executable);
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

// The second time, when the kernels are there. Processor time, the lesser of two: whatever else the machine does adds to it.
static work work_of(const growth_form *form, int n) {
  work w = {.ms = 1e9};
  for (int turn = 0; turn < 3; turn++) {
    double start = processor_ms();
    mr_executable *executable = compile_form(form, n);
    if (turn) {
      w.ms = MR_MIN(w.ms, processor_ms() - start);
    }
    w.bytes = (double)mr_executable_stats_of(executable).compile_bytes;
    mr_executable_release(executable);
  }
  return w;
}

// Eight times the program takes eight times the memory and not much more. Time is only told from quadratic growth, which
// would be 64 times as much.
static void test_work_is_linear(void **state) {
  (void)state;
  for (size_t k = 0; k < MR_ARRAY_SIZE(growth_forms); k++) {
    const growth_form *form = &growth_forms[k];
    if (form->most || form->apart) {
      continue;
    }
    work small = work_of(form, SMALL), large = work_of(form, LARGE);
    print_message("%-12s %5.2f MB %6.1f ms, %6.2f MB %6.1f ms\n", form->name, small.bytes * 1e-6, small.ms,
                  large.bytes * 1e-6, large.ms);
    if (large.bytes > 10 * small.bytes || large.ms > 30 * small.ms + 10) {
      fail_msg("%s: %.0f bytes and %.1f ms for %d, %.0f bytes and %.1f ms for %d", form->name, small.bytes, small.ms,
               SMALL, large.bytes, large.ms, LARGE);
    }
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

// Pieces that the kernel itself computes, more than scopes can nest: each is where it belongs.
static void test_many_pieces(void **state) {
  (void)state;
  enum { PIECES = 150 };
  const int64_t dims[] = {PIECES, 4};
  float data[4 * PIECES], got[4 * PIECES];
  for (int i = 0; i < 4 * PIECES; i++) {
    data[i] = (float)i;
  }
  mr_buffer *argument = NULL, *result = NULL;
  mr_host_array host = {.data = data, .dtype = MR_F32, .dims = dims, .rank = 2};
  expect_ok(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &argument));
  mr_executable *executable = compile_named("operands", PIECES);
  run(executable, &argument, 1, &result);
  mr_future *done = NULL;
  expect_ok(mr_buffer_to_host(result, got, NULL, &done));
  wait_for(done);
  for (int i = 0; i < PIECES; i++) {
    for (int k = 0; k < 4; k++) {
      float from = data[4 * (PIECES - 1 - i) + k];
      assert_true(got[4 * i + k] == from * from);
    }
  }
  mr_buffer_release(result);
  mr_buffer_release(argument);
  mr_executable_release(executable);
}

// Control flow deeper than scopes may nest in one kernel is compiled all the same, and chooses the innermost branch.
static void test_deep_control(void **state) {
  (void)state;
  enum { DEPTH = 90 };
  mr_executable *executable = compile_named("deep", DEPTH);
  for (int32_t number = 0; number < 2; number++) {
    mr_buffer *arguments[] = {scalar_int(number), floats((float[]){0, 0, 0, 0}, 4)}, *result = NULL;
    run(executable, arguments, 2, &result);
    expect_floats(result, (float[]){0, 0, 0, 0}, 4);
    mr_buffer_release(result);
    release_all(arguments, 2);
  }
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_work_is_linear),
      cmocka_unit_test(test_many_branches),
      cmocka_unit_test(test_many_pieces),
      cmocka_unit_test(test_deep_control),
      cmocka_unit_test(test_many_buffers_share_memory),
  };
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
