// What a trace says of an OpenCL device's queues, where there is a runtime.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "core/census.h"
#include "core/trace.h"
#include "tests/cmocka.h"
#include "tests/devices/conform.h"

typedef struct seen {
  size_t in, out;
  uint64_t in_begin_ps, in_end_ps, out_begin_ps, out_end_ps;
} seen;

static void look(void *context, const mr_trace_event *event) {
  seen *s = context;
  uint64_t begin = event->offset_ps, end = begin + event->duration_ps;
  if (mr_str_is(event->thread_name, "ocl 0 in")) {
    *s = (seen){s->in + 1, s->out, begin, end, s->out_begin_ps, s->out_end_ps};
  } else if (mr_str_is(event->thread_name, "ocl 0 out")) {
    *s = (seen){s->in, s->out + 1, s->in_begin_ps, s->in_end_ps, begin, end};
  }
}

// A copy in and a copy out are spans of their queues, one after the other, within the time that they took here.
static void test_queues_have_tracks(void **state) {
  (void)state;
  enum { BYTES = 8 << 20 };
  setenv("MILLRACE_OPENCL_MEMORY", "buffers", 1);
  mr_platform *platform;
  mr_platform_options options = {.kinds = "opencl:cpu"};
  mr_trace_session session;
  mr_trace_session_start(&session);
  mr_status status = mr_platform_create(&options, &platform);
  if (status) {
    print_message("%s\n", mr_status_message(status));
    mr_status_free(status);
    mr_trace_session_stop(&session);
    mr_trace_session_close(&session);
    skip();
  }
  mr_memory *memory = &mr_platform_device(platform, 0)->memories[MR_MEMORY_DEVICE];
  char *block = calloc(1, BYTES);
  assert_non_null(block);
  mr_storage *storage;
  assert_null(mr_storage_allocate(memory, BYTES, &storage));
  mr_future *written, *read;
  assert_null(mr_storage_write(storage, 0, BYTES, block, NULL, 0, &written));
  assert_null(mr_storage_read(storage, 0, BYTES, block, &written, 1, &read));
  mr_future_wait(read);
  assert_null(mr_future_status(read));
  mr_future_release(written);
  mr_future_release(read);
  mr_storage_release(storage);
  mr_platform_give_up(platform);
  mr_platform_release(platform);
  // A worker may still be on its way with the end of the last copy.
  int64_t alive[MR_CENSUS_KINDS] = {1};
  for (int i = 0; i < 5000 && (i == 0 || alive[MR_CENSUS_platforms]); i++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    mr_census(alive);
  }
  mr_trace_session_stop(&session);
  free(block);

  seen s = {0};
  mr_trace_session_visit(&session, look, &s);
  mr_trace_session_close(&session);
  assert_int_equal(s.in, 1);
  assert_int_equal(s.out, 1);
  assert_true(s.in_begin_ps < s.in_end_ps && s.in_end_ps <= s.out_begin_ps && s.out_begin_ps < s.out_end_ps);
  assert_true(s.out_end_ps <= (session.end_ns - session.start_ns) * 1000 + 1000000);
}

int main(void) {
  mkdir(MR_BINARY_DIR "/pocl", 0777);
  setenv("POCL_CACHE_DIR", MR_BINARY_DIR "/pocl", 0);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_queues_have_tracks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
