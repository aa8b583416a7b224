// pjrt/proto/flags.c: what XLA_FLAGS says, in the forms that XLA reads.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pjrt/proto/flags.h"
#include "tests/cmocka.h"

static void check(const char *flags, const char *name, const char *wanted) {
  char value[MR_PJRT_FLAG_SIZE];
  if (flags) {
    setenv("XLA_FLAGS", flags, 1);
  } else {
    unsetenv("XLA_FLAGS");
  }
  assert_int_equal(mr_pjrt_flag(name, value), wanted != NULL);
  if (wanted) {
    assert_string_equal(value, wanted);
  }
}

// The last flag of a name counts, values may be in quotes, and what is no flag is skipped.
static void test_forms_of_flags(void **state) {
  (void)state;
  check(NULL, "xla_a", NULL);
  check("", "xla_a", NULL);
  check("   ", "xla_a", NULL);
  check("--xla_a=1", "xla_a", "1");
  check("  --xla_b=2 \t\n--xla_a=1 ", "xla_a", "1");
  check("--xla_a=1 --xla_b --xla_a=3", "xla_a", "3");
  check("--xla_a", "xla_a", "true");
  check("--xla_a=", "xla_a", "");
  check("--xla_ab=1", "xla_a", NULL);
  check("--xla_a=1", "xla_ab", NULL);
  check("-xla_a=1 xla_a=1 -- --", "xla_a", NULL);
  check("--xla_a='x y' --xla_b=\"say \\\"so\\\"\"", "xla_a", "x y");
  check("--xla_a='x y' --xla_b=\"say \\\"so\\\"\"", "xla_b", "say \"so\"");
  check("--xla_a=\"never ends", "xla_a", "never ends");
  check("--xla_a='x\\", "xla_a", "x\\");
}

// A value that is longer than any is not taken for its beginning.
static void test_long_values(void **state) {
  (void)state;
  char flags[2 * MR_PJRT_FLAG_SIZE];
  int used = snprintf(flags, sizeof flags, "--xla_a=");
  for (int size = 0; size < MR_PJRT_FLAG_SIZE + 2; size++) {
    flags[used + size] = 'x';
    flags[used + size + 1] = '\0';
    check(flags, "xla_a", size + 1 < MR_PJRT_FLAG_SIZE ? flags + used : NULL);
  }
}

// What does not begin with a dash is the name of a file.
static void test_files_of_flags(void **state) {
  (void)state;
  const char *path = MR_BINARY_DIR "/test_flags.txt";
  FILE *file = fopen(path, "we");
  assert_non_null(file);
  (void)fputs("--xla_a=1\n--xla_b='2 3'\n", file);
  (void)fclose(file);
  check(path, "xla_a", "1");
  check(path, "xla_b", "2 3");
  check(path, "xla_c", NULL);
  (void)remove(path);
  check(path, "xla_a", NULL);
  check(MR_BINARY_DIR, "xla_a", NULL);
}

// A number that is none, or too large, is an error that names the flag.
static void test_numbers(void **state) {
  (void)state;
  static const struct {
    const char *flags;
    int64_t wanted;  // -1: an error
  } cases[] = {{"--xla_other=3", 5},
               {"--xla_n=3", 3},
               {"--xla_n=8", 8},
               {"--xla_n=9", -1},
               {"--xla_n=0", -1},
               {"--xla_n=", -1},
               {"--xla_n=3x", -1},
               {"--xla_n", -1},
               {"--xla_n=x", -1},
               {"--xla_n=-1", -1},
               {"--xla_n=4 --xla_n=99999999999999999999", -1}};
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    setenv("XLA_FLAGS", cases[i].flags, 1);
    int64_t value;
    mr_status status = mr_pjrt_flag_int("xla_n", 5, 1, 8, &value);
    assert_int_equal(status != MR_OK, cases[i].wanted < 0);
    if (status) {
      assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
      assert_non_null(strstr(mr_status_message(status), "--xla_n in XLA_FLAGS"));
      mr_status_free(status);
    } else {
      assert_int_equal(value, cases[i].wanted);
    }
  }
}

// Flags that are on or off, in the forms that XLA takes.
static void test_switches(void **state) {
  (void)state;
  static const struct {
    const char *flags;
    bool on;
  } cases[] = {
      {"--xla_b", true},          {"--xla_b=true", true},   {"--xla_b=True", true},   {"--xla_b=1", true},
      {"--xla_b=0", false},       {"--xla_b=false", false}, {"--xla_b=False", false}, {"--xla_b --xla_b=false", false},
      {"--xla_b=0 --xla_b", true}};
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    setenv("XLA_FLAGS", cases[i].flags, 1);
    assert_int_equal(mr_pjrt_flag_on("xla_b", true), cases[i].on);
    assert_int_equal(mr_pjrt_flag_on("xla_b", false), cases[i].on);
    assert_true(mr_pjrt_flag_on("xla_c", true));
    assert_false(mr_pjrt_flag_on("xla_c", false));
  }
}

static void check_threads(const char *nproc, const char *flags, uint32_t wanted) {
  setenv("NPROC", nproc, 1);
  setenv("XLA_FLAGS", flags, 1);
  assert_int_equal(mr_pjrt_asked_threads(), wanted);
}

// NPROC as XLA:CPU reads it: what is no number above zero says nothing.
static void test_threads(void **state) {
  (void)state;
  check_threads("3", "", 3);
  check_threads("0", "", 0);
  check_threads("-2", "", 0);
  check_threads("many", "", 0);
  check_threads("", "", 0);
  check_threads("3", "--xla_cpu_multi_thread_eigen=false", 1);
  check_threads("3", "--xla_cpu_multi_thread_eigen=0", 1);
  check_threads("3", "--xla_cpu_multi_thread_eigen=true", 3);
  check_threads("3", "--xla_cpu_multi_thread_eigen", 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_forms_of_flags), cmocka_unit_test(test_long_values), cmocka_unit_test(test_files_of_flags),
      cmocka_unit_test(test_numbers),        cmocka_unit_test(test_switches),    cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
