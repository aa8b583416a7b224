// The generated documentation of pjrt/ is up to date.
#include <stdlib.h>

#include "tests/cmocka.h"

// docs/pjrt-coverage.md is what tools/gen_coverage.py makes of pjrt/abi/api.def, the headers and the sources.
static void test_coverage_page_is_current(void **state) {
  (void)state;
  assert_int_equal(system("python3 " MR_SOURCE_DIR "/tools/gen_coverage.py --check " MR_SOURCE_DIR), 0);
}

// docs/options.md is what tools/gen_options.py makes of the tables of options, which agree with the proto, the header and the code.
static void test_options_page_is_current(void **state) {
  (void)state;
  assert_int_equal(system("python3 " MR_SOURCE_DIR "/tools/gen_options.py --check " MR_SOURCE_DIR), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_coverage_page_is_current),
                                     cmocka_unit_test(test_options_page_is_current)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
