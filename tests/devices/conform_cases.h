// The cases of the conformance suite.
#ifndef MR_TESTS_DEVICES_CONFORM_CASES_H
#define MR_TESTS_DEVICES_CONFORM_CASES_H

#include "tests/devices/conform.h"

#define CASE(name) const char *conform_##name(world *w);
#include "tests/devices/conform_cases.def"

#endif
