// Memory that runs out for programs of many values: what lies on the stack for few is asked for, and not each buffer is compared with
// each other.
#include "perf/compiler/growth_programs.h"
#include "tests/alloc_loop.h"
#include "tests/compiler/execute_harness.h"

// More than 512 buffers in a program, more than 64 in one step of it, and more than 2048 that share memory.
enum { JOINED = 600, PACKED = 2100 };

static mr_text text_of(const char *name, int n) {
  mr_text text = {0};
  for (size_t k = 0; k < MR_ARRAY_SIZE(growth_forms); k++) {
    if (strcmp(growth_forms[k].name, name) == 0) {
      growth_write(&growth_forms[k], n, &text);
    }
  }
  assert_true(text.size > 0 && !text.failed);
  return text;
}

static mr_executable *joined;
static mr_buffer *arguments[JOINED];

static mr_status execute(void *context) {
  (void)context;
  mr_buffer *result = NULL;
  mr_future *done = NULL;
  MR_TRY(mr_execute(joined, device, NULL, arguments, JOINED, &result, &done));
  mr_status status = MR_OK;
  if (done) {
    mr_future_wait(done);
    status = mr_status_retain(mr_future_status(done));
    mr_future_release(done);
  }
  static float got[4 * JOINED];
  mr_future *read = NULL;
  status = status ? status : mr_buffer_to_host(result, got, NULL, &read);
  if (read) {
    mr_future_wait(read);
    status = status ? status : mr_status_retain(mr_future_status(read));
    mr_future_release(read);
  }
  for (int i = 0; !status && i < 4 * JOINED; i++) {
    assert_true(got[i] == (float)i);
  }
  mr_buffer_release(result);
  return status;
}

static void test_many_buffers(void **state) {
  (void)state;
  mr_text text = text_of("joined", JOINED);
  expect_ok(mr_compile((mr_span){text.data, text.size}, NULL, &joined));
  for (int i = 0; i < JOINED; i++) {
    float x = (float)(4 * i);
    arguments[i] = floats((float[]){x, x + 1, x + 2, x + 3}, 4);
  }
  alloc_loop("a program of many buffers", execute, NULL, 50000);
  release_all(arguments, JOINED);
  mr_executable_release(joined);
  mr_text_deinit(&text);
  alloc_loops_ended_well();
}

static mr_status compile_text(void *context) {
  const mr_text *text = context;
  mr_executable *executable = NULL;
  mr_status status = mr_compile((mr_span){text->data, text->size}, NULL, &executable);
  mr_executable_release(executable);
  return status;
}

// The small one is there for the places that every program reaches.
static void test_many_temporaries(void **state) {
  (void)state;
  mr_text few = text_of("library", 3), many = text_of("library", PACKED);
  alloc_each_place("few temporaries", compile_text, &few);
  alloc_each_place("many temporaries", compile_text, &many);
  mr_text_deinit(&few);
  mr_text_deinit(&many);
  alloc_loops_ended_well();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_buffers), cmocka_unit_test(test_many_temporaries)};
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
