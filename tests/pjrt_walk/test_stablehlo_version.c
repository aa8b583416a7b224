// Which StableHLO the plugin says that it reads, by MILLRACE_STABLEHLO_VERSION: each answer in a process of its own, which asks once.
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host.h"

// 1: refused with the variable's name.
static int answers(int64_t major, int64_t minor, int64_t patch) {
  PJRT_Plugin_Attributes_Args args = {.struct_size = sizeof args};
  PJRT_Error *error = host_api()->PJRT_Plugin_Attributes(&args);
  if (error) {
    const char *message;
    PJRT_Error_Code code = host_take_error(error, &message);
    return code == PJRT_Error_Code_INVALID_ARGUMENT && strstr(message, "MILLRACE_STABLEHLO_VERSION is") ? 1 : 2;
  }
  for (size_t i = 0; i < args.num_attributes; i++) {
    const PJRT_NamedValue *value = &args.attributes[i];
    if (value->name_size == 25 && memcmp(value->name, "stablehlo_current_version", 25) == 0) {
      const int64_t *said = value->int64_array_value;
      return said[0] == major && said[1] == minor && said[2] == patch ? 0 : 3;
    }
  }
  return 4;
}

static int status_with(const char *version, int64_t major, int64_t minor, int64_t patch) {
  pid_t child = fork();
  if (child == 0) {
    setenv("MILLRACE_STABLEHLO_VERSION", version, 1);
    _exit(answers(major, minor, patch));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_answers(void **state) {
  (void)state;
  assert_int_equal(status_with("", 1, 17, 0), 0);
  assert_int_equal(status_with("1.7.8", 1, 7, 8), 0);
  assert_int_equal(status_with("1.17.0", 1, 17, 0), 0);
  assert_int_equal(status_with("0.9.0", 0, 9, 0), 0);
}

static void test_refusals(void **state) {
  (void)state;
  const char *const wrong[] = {"1.17.1",  "1.18.0", "2.0.0",  "0.8.99", "1.7", "1.7.8 ",
                               "1.7.8.9", "-1.0.0", "1.-5.3", "1.7.-8", "new", "99999999999.0.0"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    if (status_with(wrong[i], 0, 0, 0) != 1) {
      fail_msg("\"%s\" is not refused", wrong[i]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_answers), cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
