// What the libraries take from the system is in faults.def, or has its reason in reasons.def why it is not made to fail.
#include <dlfcn.h>
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/faults/faults.h"

static const char *const reasons[] = {
#define REASON(why, ...) __VA_ARGS__,
#include "tests/faults/reasons.def"
#undef REASON
};

static bool is_known(const char *name) {
  for (int i = 0; i < FAULT_COUNT; i++) {
    if (strcmp(fault_name((fault)i), name) == 0) {
      return true;
    }
  }
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
    if (fnmatch(reasons[i], name, 0) == 0) {
      return true;
    }
  }
  return false;
}

typedef struct findings {
  int imports, unknown;
} findings;

static void check(void *context, const char *import) {
  findings *self = context;
  self->imports++;
  if (!is_known(import)) {
    print_error("%s is neither in tests/faults/faults.def nor in tests/faults/reasons.def\n", import);
    self->unknown++;
  }
}

static void check_library(const char *name) {
  findings found = {0};
  assert_true(faults_imports(name, check, &found));
  assert_true(found.imports > 50);
  assert_int_equal(found.unknown, 0);
}

// Every function that the plugin takes from elsewhere is accounted for.
static void test_plugin(void **state) {
  (void)state;
  assert_non_null(dlopen(getenv("MILLRACE_LIBRARY"), RTLD_NOW | RTLD_LOCAL));
  check_library("/libpjrt_millrace.so");
}

// So is every function of the native library.
static void test_native(void **state) {
  (void)state;
  assert_non_null(dlopen(MR_BINARY_DIR "/lib/libmillrace.so.0", RTLD_NOW | RTLD_LOCAL));
  check_library("/libmillrace.so.0");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_plugin), cmocka_unit_test(test_native)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
