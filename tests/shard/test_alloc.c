// Memory that runs out while a program is cut for several devices: whichever allocation fails, the answer is a status, and nothing is
// kept.
#include <stdlib.h>
#include <unistd.h>

#include "compiler/shard/shard.h"
#include "tests/alloc_loop.h"
#include "tests/compiler/execute_harness.h"
#include "tests/compiler/pass_text.h"
#include "tests/file.h"

static const mr_compile_options for_eight = {.num_partitions = 8};

typedef struct program {
  mr_span text;
  mr_code refusal;  // what is answered with all the memory there is
} program;

static mr_status cut_module(mr_module *module) {
  mr_shard_boundary boundary;
  MR_TRY(mr_module_verify(module));
  MR_TRY(mr_shard_run(module, &for_eight, &boundary));
  return mr_module_memory(module);
}

static mr_status cut(const program *p) {
  mr_module *module = NULL;
  MR_TRY(mr_read_text(p->text, &module));
  mr_status status = mr_module_end(module, cut_module(module));
  mr_module_release(module);
  return status;
}

static mr_status compile_whole(const program *p) {
  mr_executable *executable = NULL;
  mr_status status = mr_compile(p->text, &for_eight, &executable);
  assert_true((status == MR_OK) == (executable != NULL));
  mr_executable_release(executable);
  return status;
}

// Programs that are refused are there as well, and that is their good end.
static mr_status unless_refused(const program *p, mr_status take_status) {
  if (mr_status_code(take_status) == p->refusal) {
    mr_status_free(take_status);
    return MR_OK;
  }
  return take_status;
}

static mr_status try_to_cut(void *context) { return unless_refused(context, cut(context)); }
static mr_status try_to_compile(void *context) { return unless_refused(context, compile_whole(context)); }

static void loop_cut(void *context, const char *path, mr_span text) {
  (void)context;
  program p = {.text = text};
  mr_status refused = cut(&p);
  p.refusal = mr_status_code(refused);
  mr_status_free(refused);
  alloc_loop(path, try_to_cut, &p, 5);
}

static void test_cutting(void **state) {
  (void)state;
  assert_true(file_each("tests/shard/programs", ".mlir", SIZE_MAX, loop_cut, NULL) > 20);
  alloc_loops_ended_well();
}

static void compile_small(void *context, const char *path, mr_span text) {
  (void)context;
  program p = {.text = text};
  mr_status refused = compile_whole(&p);
  p.refusal = mr_status_code(refused);
  mr_status_free(refused);
  alloc_each_place(path, try_to_compile, &p);
}

// What is compiled of parts and of what devices say to one another.
static void test_compiling(void **state) {
  (void)state;
  assert_true(file_each("tests/shard/programs", ".mlir", 1500, compile_small, NULL) > 5);
  alloc_loops_ended_well();
}

static char cache_folder[] = "/tmp/millrace-test-shard-alloc-XXXXXX";

static int open_with_cache(void **state) {
  if (!mkdtemp(cache_folder)) {
    return 1;
  }
  setenv("MILLRACE_CACHE_DIR", cache_folder, 1);
  return open_platform(state);
}

static int close_and_clean(void **state) {
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", cache_folder);
  return close_platform(state) || system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cutting), cmocka_unit_test(test_compiling)};
  return cmocka_run_group_tests(tests, open_with_cache, close_and_clean);
}
