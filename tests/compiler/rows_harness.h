// rows_harness: programs as text that run over several devices at once, each with arguments that tell which one it is.
#ifndef MR_TESTS_COMPILER_ROWS_HARNESS_H
#define MR_TESTS_COMPILER_ROWS_HARNESS_H

#include "core/census.h"
#include "tests/compiler/execute_harness.h"
#include "tests/compiler/faulty_party.h"

enum { MOST_ROWS = 160, MOST_ROW_ARGUMENTS = 4 };

typedef struct rows_case {
  mr_executable *executable;
  uint32_t count, replicas;  // rows, of so many replicas each as many
  mr_row rows[MOST_ROWS];
  mr_buffer *arguments[MOST_ROWS][MOST_ROW_ARGUMENTS], *results[MOST_ROWS][MOST_ROW_ARGUMENTS];
} rows_case;

static inline int open_devices(uint32_t count, const char *kinds) {
  mr_platform_options options = {.num_devices = count, .kinds = kinds};
  party_from_environment();
  assert_null(mr_platform_create(&options, &platform));
  device = mr_platform_device(platform, 0);
  memory = &device->memories[MR_MEMORY_DEVICE];
  return 0;
}

static inline int open_eight(void **state) {
  (void)state;
  return open_devices(8, NULL);
}

static inline int open_eight_fenced(void **state) {
  (void)state;
  return open_devices(8, "fenced");
}

static inline mr_buffer *on_device(uint32_t which, mr_dtype dtype, const void *data, const int64_t *dims, size_t rank) {
  mr_buffer *buffer = NULL;
  mr_host_array host = {.data = data, .dtype = dtype, .dims = dims, .rank = rank};
  mr_memory *there = &mr_platform_device(platform, which)->memories[MR_MEMORY_DEVICE];
  expect_ok(mr_buffer_from_host(there, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &buffer));
  return buffer;
}

static inline rows_case *rows_of(const char *text, uint32_t replicas, uint32_t partitions) {
  rows_case *c = calloc(1, sizeof *c);
  mr_compile_options options = {.num_replicas = replicas, .num_partitions = partitions};
  expect_ok(mr_compile((mr_span){text, strlen(text)}, &options, &c->executable));
  c->count = replicas * partitions;
  c->replicas = replicas;
  for (uint32_t i = 0; i < c->count; i++) {
    c->rows[i] = (mr_row){.device = mr_platform_device(platform, i),
                          .replica = i / partitions,
                          .partition = i % partitions,
                          .arguments = c->arguments[i],
                          .results = c->results[i]};
  }
  return c;
}

static inline void run_rows(rows_case *c) {
  expect_ok(mr_execute_rows(c->executable, c->rows, c->count, mr_executable_param_count(c->executable)));
  for (uint32_t i = 0; i < c->count; i++) {
    wait_for(c->rows[i].done);
    c->rows[i].done = NULL;
  }
}

static inline void read_result(rows_case *c, uint32_t row, uint32_t result, void *to) {
  mr_future *done = NULL;
  expect_ok(mr_buffer_to_host(c->results[row][result], to, NULL, &done));
  wait_for(done);
}

static inline void drop_results(rows_case *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    release_all(c->results[i], MOST_ROW_ARGUMENTS);
    memset(c->results[i], 0, sizeof c->results[i]);
  }
}

// Plans keep a few runs' blocks for the next ones; what each run leaves behind is more than this in the end.
static inline int64_t may_differ(int kind) { return kind == MR_CENSUS_blocks ? 8 : 0; }

static inline bool is_as_before(const int64_t now[MR_CENSUS_KINDS], const int64_t before[MR_CENSUS_KINDS], int kind) {
  return now[kind] <= before[kind] + may_differ(kind);
}

// No more of anything than before; what threads are about to let go of is waited for.
static inline void expect_nothing_left(const int64_t before[MR_CENSUS_KINDS], const char *name) {
  int64_t now[MR_CENSUS_KINDS];
  uint64_t until = mr_now_ns() + 5000000000;
  for (int k = 0; k < MR_CENSUS_KINDS; k++) {
    do {
      mr_census(now);
    } while (!is_as_before(now, before, k) && mr_now_ns() < until);
    if (!is_as_before(now, before, k)) {
      fail_msg("%s: %lld %s, there were %lld", name, (long long)now[k], mr_census_name((mr_census_kind)k),
               (long long)before[k]);
    }
  }
}

static inline void end_rows(rows_case *c) {
  drop_results(c);
  for (uint32_t i = 0; i < c->count; i++) {
    release_all(c->arguments[i], MOST_ROW_ARGUMENTS);
  }
  mr_executable_release(c->executable);
  free(c);
}

#endif
