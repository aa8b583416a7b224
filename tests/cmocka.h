// cmocka.h with the headers it forgets to include.
#ifndef MR_TESTS_CMOCKA_H
#define MR_TESTS_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
