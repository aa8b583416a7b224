// One suite for all kinds of devices: what devices/device.h and devices/devices.h say is so. What a kind cannot do is listed with
// its reason, and what is listed and works fails the run.
#include <stdlib.h>
#include <string.h>

#include "tests/cmocka.h"
#include "tests/devices/conform.h"
#include "tests/devices/conform_cases.h"

typedef struct named_case {
  const char *name;
  conform_case run;
} named_case;

static const named_case cases[] = {
#define CASE(name) {#name, conform_##name},
#include "tests/devices/conform_cases.def"
};

static const char *const kinds[] = {"cpu", "null", "fenced", "faulty:cpu", "faulty:fenced"};

// Before the names of cases: of which kinds it is true.
typedef struct expected {
  const char *kind, *name, *reason;
} expected;
static const char has_no_bytes[] = "its memory has no bytes, and nothing is computed";
static const expected failures[] = {
    {"null", "from_host", has_no_bytes}, {"null", "strided", has_no_bytes},
    {"null", "raw", has_no_bytes},       {"null", "between_memories", has_no_bytes},
    {"null", "fill", has_no_bytes},      {"null", "launch", has_no_bytes},
    {"null", "call", has_no_bytes},      {"null", "chain", has_no_bytes},
    {"null", "regions", has_no_bytes},   {"null", "threads", has_no_bytes},
    {"null", "held", has_no_bytes},      {"null", "on_host", has_no_bytes},
};

static const expected *is_expected(const char *kind, const char *name) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(failures); i++) {
    if (strcmp(failures[i].kind, kind) == 0 && strcmp(failures[i].name, name) == 0) {
      return &failures[i];
    }
  }
  return NULL;
}

// Returns whether a case ended as it should.
static bool run_case(const char *kind, const named_case *one) {
  world *w = malloc(sizeof *w);
  assert_non_null(w);
  world_open(w, kind);
  const char *said = one->run(w);
  const expected *listed = is_expected(kind, one->name);
  bool good = (said != NULL) == (listed != NULL);
  if (!good && listed) {
    print_error("%s on %s is listed (%s) and works\n", one->name, kind, listed->reason);
  } else if (!good) {
    print_error("%s on %s: %s\n", one->name, kind, said);
  }
  world_close(w);
  free(w);
  return good;
}

static void test_cases(void **state) {
  const char *kind = *state;
  size_t wrong = 0;
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    wrong += !run_case(kind, &cases[i]);
  }
  assert_int_equal(wrong, 0);
}

// Each line of the list is of a kind and a case that there are.
static void test_lists_name_what_there_is(void **state) {
  (void)state;
  for (size_t i = 0; i < MR_ARRAY_SIZE(failures); i++) {
    bool kind = false, name = false;
    for (size_t k = 0; k < MR_ARRAY_SIZE(kinds); k++) {
      kind = kind || strcmp(kinds[k], failures[i].kind) == 0;
    }
    for (size_t k = 0; k < MR_ARRAY_SIZE(cases); k++) {
      name = name || strcmp(cases[k].name, failures[i].name) == 0;
    }
    assert_true(kind && name);
  }
}

int main(void) {
  struct CMUnitTest tests[MR_ARRAY_SIZE(kinds) + 1];
  for (size_t k = 0; k < MR_ARRAY_SIZE(kinds); k++) {
    tests[k] = (struct CMUnitTest){kinds[k], test_cases, NULL, NULL, (void *)(uintptr_t)kinds[k]};
  }
  tests[MR_ARRAY_SIZE(kinds)] = (struct CMUnitTest)cmocka_unit_test(test_lists_name_what_there_is);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
