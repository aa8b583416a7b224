// One suite for all kinds of devices: what devices/device.h and devices/devices.h say is so. What a kind cannot do is listed with
// its reason, and what is listed and works fails the run.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

typedef struct tried_kind {
  const char *name, *kind;
  const char *memory;  // MILLRACE_OPENCL_MEMORY
} tried_kind;
static const tried_kind kinds[] = {
    {"cpu", "cpu", NULL},
    {"null", "null", NULL},
    {"fenced", "fenced", NULL},
    {"faulty:cpu", "faulty:cpu", NULL},
    {"faulty:fenced", "faulty:fenced", NULL},
    {"opencl:cpu", "opencl:cpu", "shared"},
    {"opencl:cpu with buffers", "opencl:cpu", "buffers"},
    {"faulty:opencl:cpu", "faulty:opencl:cpu", "buffers"},
};

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
static bool run_case(const tried_kind *tried, const named_case *one) {
  const char *kind = tried->name;
  world *w = malloc(sizeof *w);
  assert_non_null(w);
  world_open(w, tried->kind);
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

// Whether there are two of these.
static bool are_there(const char *kind) {
  mr_platform *platform;
  char two[160];
  snprintf(two, sizeof two, "%s,%s", kind, kind);
  mr_platform_options options = {.kinds = two};
  mr_status status = mr_platform_create(&options, &platform);
  bool missing = mr_status_code(status) == MR_NOT_FOUND;
  if (missing) {
    print_message("%s\n", mr_status_message(status));
  }
  mr_status_free(status);
  mr_platform_release(platform);
  return !missing;
}

// OpenCL devices are on machines that have a runtime. One that has one device alone is asked for that twice.
static bool find(tried_kind *tried, char *room, size_t size) {
  if (are_there(tried->kind)) {
    return true;
  }
  snprintf(room, size, "%s:0", tried->kind);
  tried->kind = room;
  return are_there(room);
}

static void test_cases(void **state) {
  tried_kind kind = *(const tried_kind *)*state;
  char room[64];
  size_t wrong = 0;
  if (kind.memory) {
    setenv("MILLRACE_OPENCL_MEMORY", kind.memory, 1);
  }
  if (!find(&kind, room, sizeof room)) {
    skip();
  }
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    wrong += !run_case(&kind, &cases[i]);
  }
  assert_int_equal(wrong, 0);
}

// Each line of the list is of a kind and a case that there are.
static void test_lists_name_what_there_is(void **state) {
  (void)state;
  for (size_t i = 0; i < MR_ARRAY_SIZE(failures); i++) {
    bool kind = false, name = false;
    for (size_t k = 0; k < MR_ARRAY_SIZE(kinds); k++) {
      kind = kind || strcmp(kinds[k].name, failures[i].kind) == 0;
    }
    for (size_t k = 0; k < MR_ARRAY_SIZE(cases); k++) {
      name = name || strcmp(cases[k].name, failures[i].name) == 0;
    }
    assert_true(kind && name);
  }
}

int main(void) {
  // Two devices of PoCL's, and its cache where it disturbs nobody.
  setenv("POCL_DEVICES", "pthread pthread", 0);
  mkdir(MR_BINARY_DIR "/pocl", 0777);
  setenv("POCL_CACHE_DIR", MR_BINARY_DIR "/pocl", 0);
  struct CMUnitTest tests[MR_ARRAY_SIZE(kinds) + 1];
  for (size_t k = 0; k < MR_ARRAY_SIZE(kinds); k++) {
    tests[k] = (struct CMUnitTest){kinds[k].name, test_cases, NULL, NULL, (void *)(uintptr_t)&kinds[k]};
  }
  tests[MR_ARRAY_SIZE(kinds)] = (struct CMUnitTest)cmocka_unit_test(test_lists_name_what_there_is);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
