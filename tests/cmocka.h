// cmocka.h with the headers it forgets to include, and with the check that tests leave nothing behind (gone.h).
#ifndef MR_TESTS_CMOCKA_H
#define MR_TESTS_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/gone.h"

#undef cmocka_run_group_tests
#define cmocka_run_group_tests(tests, setup, teardown) \
  gone_run_group_tests(#tests, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)

#endif
