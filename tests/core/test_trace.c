// Tracing: what is recorded is in the file, what is not on costs and writes nothing.
#include "tests/cmocka.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/trace.h"

static char path[] = "/tmp/millrace-trace-XXXXXX";

static char *read_back(void) {
  static char text[1 << 20];
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  size_t size = fread(text, 1, sizeof text - 1, file);
  text[size] = '\0';
  fclose(file);
  return text;
}

// A span while nothing is on begins with 0 and records nothing.
static void test_off_is_nothing(void **state) {
  (void)state;
  assert_int_equal(mr_trace_begin(), 0);
  assert_null(mr_trace_stop());
}

static void *span_on_a_thread(void *name) {
  uint64_t start = mr_trace_begin();
  mr_trace_end(MR_TRACE_COMPILE, name, start);
  return NULL;
}

// Spans of several threads and a flow between them are in the file, names escaped; a second trace has only its own.
static void test_records_are_written(void **state) {
  (void)state;
  assert_null(mr_trace_start(path));
  mr_status again = mr_trace_start(path);
  assert_int_equal(mr_status_code(again), MR_ALREADY_EXISTS);
  mr_status_free(again);
  uint64_t start = mr_trace_begin();
  assert_int_not_equal(start, 0);
  mr_trace_flow_out(0x1234, false);
  mr_trace_end(MR_TRACE_NODE, "a \"node\"", start);
  mr_trace_span(MR_TRACE_NODE, "the next", mr_trace_now(), 0x1234);
  pthread_t thread;
  pthread_create(&thread, NULL, span_on_a_thread, "elsewhere, with a name that is too long for a record");
  pthread_join(thread, NULL);
  assert_null(mr_trace_stop());
  char *text = read_back();
  assert_non_null(strstr(text, "\"name\":\"a \\\"node\\\"\",\"cat\":\"node\""));
  assert_non_null(strstr(text, "{\"ph\":\"s\",\"cat\":\"flow\",\"name\":\"then\",\"id\":\"1234\""));
  assert_non_null(strstr(text, "{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"flow\",\"name\":\"then\",\"id\":\"1234\""));
  assert_non_null(
      strstr(text, "\"name\":\"elsewhere, with a name that is too long for a record\",\"cat\":\"compile\""));

  assert_null(mr_trace_start(path));
  mr_trace_span(MR_TRACE_WORKER, "second", mr_trace_now(), 0);
  assert_null(mr_trace_stop());
  text = read_back();
  assert_null(strstr(text, "the next"));
  assert_non_null(strstr(text, "second"));
}

// What a node is stands in its arguments; a brief one has the length of another, and says for how many it stands.
static void test_nodes_say_what_they_are(void **state) {
  (void)state;
  assert_null(mr_trace_start(path));
  mr_trace_device = 2;
  const mr_trace_about about = {.kind = 4, .cost_ns = 1200, .priority = -3};
  mr_trace_node(MR_TRACE_NODE, "long", about, mr_trace_now(), 0);
  mr_trace_device = -1;
  mr_trace_brief_node(&(mr_trace_label){.text = "brief"}, (mr_trace_about){.kind = 4, .count = 8}, mr_trace_now(), 0);
  assert_null(mr_trace_stop());
  const char *text = read_back();
  const char *longer = strstr(text, "\"name\":\"long\",\"cat\":\"node\"");
  assert_non_null(longer);
  assert_non_null(strstr(longer, "\"args\":{\"kind\":\"execute\",\"device\":2,\"cost_ns\":1200,\"priority\":-3}}"));
  const char *brief = strstr(text, "\"name\":\"brief\"");
  assert_non_null(brief);
  assert_non_null(
      strstr(brief, "\"dur\":0.000,\"args\":{\"kind\":\"execute\",\"nodes\":8,\"duration\":\"of an earlier call\"}}"));
}

// ---- Devices --------------------------------------------------------------------------------------------------------

// In ticks, from here on.
static uint64_t moment;

static void span_for(int device, const char *name, uint64_t start, uint64_t end) {
  mr_trace_device = device;
  mr_trace_brief_node(&(mr_trace_label){.text = name}, (mr_trace_about){.kind = 4}, moment + start, end - start);
  mr_trace_device = -1;
}

static void *spans_elsewhere(void *unused) {
  span_for(2, "beside", 50, 150);
  span_for(2, "later", 200, 300);
  return unused;
}

// The group and the row of the span of this name that is a device's.
static void find_row(const char *text, const char *name, long *out_group, long *out_row) {
  char head[64];
  snprintf(head, sizeof head, "\"name\":\"%s\",\"cat\":\"device\"", name);
  const char *at = strstr(text, head);
  assert_non_null(at);
  assert_null(strstr(at + 1, head));
  assert_int_equal(sscanf(at + strlen(head), ",\"pid\":%ld,\"tid\":%ld,", out_group, out_row), 2);
}

static void expect_group(const char *text, long group, const char *name) {
  char wanted[128];
  snprintf(wanted, sizeof wanted, "\"name\":\"process_name\",\"pid\":%ld,", group);
  const char *at = strstr(text, wanted);
  assert_non_null(at);
  snprintf(wanted, sizeof wanted, "\"args\":{\"name\":\"%s\"}}", name);
  assert_memory_equal(strstr(at, "\"args\""), wanted, strlen(wanted));
}

// Each device has a group with its kind and number, where what was done for it on all threads is in one row, and in another what was
// done at the same time. The threads' rows have it as well.
static void test_devices_have_rows(void **state) {
  (void)state;
  mr_trace_device_is(2, "cpu");
  assert_null(mr_trace_start(path));
  moment = mr_trace_now();
  span_for(2, "inner", 10, 90);
  span_for(2, "outer", 0, 100);
  span_for(7, "another", 0, 100);
  span_for(-1, "nobody's", 0, 100);
  mr_trace_device = 2;
  mr_trace_span(MR_TRACE_WORKER, "search", moment, 0);
  mr_trace_device = -1;
  pthread_t thread;
  pthread_create(&thread, NULL, spans_elsewhere, NULL);
  pthread_join(thread, NULL);
  assert_null(mr_trace_stop());

  const char *text = read_back();
  static const char *const names[] = {"outer", "inner", "beside", "later", "another"};
  long groups[5], rows[5];
  for (int i = 0; i < 5; i++) {
    find_row(text, names[i], &groups[i], &rows[i]);
    assert_int_equal(groups[i], groups[i < 4 ? 0 : 4]);
  }
  assert_int_not_equal(groups[0], getpid());
  expect_group(text, groups[0], "cpu 2");
  expect_group(text, groups[4], "device 7");
  assert_int_not_equal(groups[0], groups[4]);
  assert_int_equal(rows[1], rows[0]);
  assert_int_not_equal(rows[2], rows[0]);
  assert_int_equal(rows[3], rows[0]);
  assert_int_not_equal(rows[4], rows[0]);
  assert_non_null(strstr(text, "\"name\":\"beside\",\"cat\":\"node\""));
  assert_null(strstr(text, "\"name\":\"nobody's\",\"cat\":\"device\""));
  assert_null(strstr(text, "\"name\":\"search\",\"cat\":\"device\""));
}

// Without memory to put them in order the file is there with the threads' rows alone, and the status says so.
static void test_devices_without_memory(void **state) {
  (void)state;
  assert_null(mr_trace_start(path));
  moment = mr_trace_now();
  span_for(2, "outer", 0, 100);
  mr_alloc_fail_nth(1);
  mr_status status = mr_trace_stop();
  mr_alloc_fail_nth(0);
  assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
  mr_status_free(status);
  const char *text = read_back();
  assert_non_null(strstr(text, "\"name\":\"outer\",\"cat\":\"node\""));
  assert_null(strstr(text, "\"cat\":\"device\""));
  assert_string_equal(text + strlen(text) - 4, "\n]}\n");
}

// A full ring keeps the newest records.
static void test_the_newest_stay(void **state) {
  (void)state;
  assert_null(mr_trace_start(path));
  mr_trace_span(MR_TRACE_NODE, "the oldest", mr_trace_now(), 0);
  for (int i = 0; i < 1 << 16; i++) {
    mr_trace_span(MR_TRACE_NODE, "n", mr_trace_now(), 0);
  }
  mr_trace_span(MR_TRACE_NODE, "the newest", mr_trace_now(), 0);
  assert_null(mr_trace_stop());
  FILE *file = fopen(path, "r");
  char line[512];
  bool newest = false;
  while (fgets(line, sizeof line, file)) {
    assert_null(strstr(line, "the oldest"));
    newest |= strstr(line, "the newest") != NULL;
  }
  fclose(file);
  assert_true(newest);
}

// A file that cannot be written is an error with its name.
static void test_a_path_that_is_none(void **state) {
  (void)state;
  assert_null(mr_trace_start("/no/such/folder/trace.json"));
  mr_status status = mr_trace_stop();
  assert_int_equal(mr_status_code(status), MR_PERMISSION_DENIED);
  assert_non_null(strstr(mr_status_message(status), "/no/such/folder"));
  mr_status_free(status);
}

typedef struct seen {
  int spans, late;
  mr_trace_event last;
} seen;

static void see(void *context, const mr_trace_event *event) {
  seen *all = context;
  all->spans++;
  all->late += strncmp(event->name.data, "too late", event->name.size) == 0;
  all->last = *event;
}

// A session sees the spans of its own time, with their device, beside a file's trace and after it.
static void test_sessions(void **state) {
  (void)state;
  assert_null(mr_trace_start(path));
  mr_trace_session outer, inner;
  mr_trace_session_start(&outer);
  mr_trace_end(MR_TRACE_STEP, "first", mr_trace_begin());
  assert_null(mr_trace_stop());
  assert_true(mr_trace_is_on());
  mr_trace_session_start(&inner);
  mr_trace_device = 3;
  mr_trace_end(MR_TRACE_NODE, "second", mr_trace_begin());
  mr_trace_device = -1;
  mr_trace_session_stop(&inner);
  mr_trace_session_stop(&outer);
  assert_false(mr_trace_is_on());
  mr_trace_span(MR_TRACE_STEP, "too late", mr_trace_now(), 0);

  seen in_outer = {0}, in_inner = {0};
  mr_trace_session_visit(&outer, see, &in_outer);
  mr_trace_session_visit(&inner, see, &in_inner);
  mr_trace_session_close(&outer);
  mr_trace_session_close(&inner);
  assert_int_equal(in_outer.spans, 2);
  assert_int_equal(in_outer.late, 0);
  assert_int_equal(in_inner.spans, 1);
  assert_int_equal(in_inner.last.category, MR_TRACE_NODE);
  assert_int_equal(in_inner.last.device, 3);
  assert_int_equal(in_inner.last.name.size, 6);
  assert_int_equal(in_inner.last.thread, gettid());
  assert_in_range(in_inner.last.wall_ns, inner.start_wall_ns, inner.start_wall_ns + 10000000000u);
}

// ---- Names and ops --------------------------------------------------------------------------------------------------------

enum { LONGEST = 400 };
typedef struct names {
  size_t sizes[1 << 16];  // in order; of one that is not as it was given: 0
  int count;
} names;

static void name_of_size(char *to, size_t size) {
  for (size_t i = 0; i < size; i++) {
    to[i] = (char)('a' + (i + size) % 26);
  }
  to[size] = '\0';
}

static void compare(void *context, const mr_trace_event *event) {
  names *all = context;
  char wanted[LONGEST + 1];
  name_of_size(wanted, event->name.size);
  bool same = memcmp(event->name.data, wanted, event->name.size) == 0;
  // What is longer than records have begins like the whole name.
  if (event->name.size == MR_TRACE_NAME) {
    name_of_size(wanted, (size_t)all->count);
    same = memcmp(event->name.data, wanted, MR_TRACE_NAME) == 0;
  }
  all->sizes[all->count++] = same ? event->name.size : 0;
}

// A name is in the trace as it is, up to MR_TRACE_NAME bytes of it, for sessions and in files.
static void test_names_are_whole(void **state) {
  (void)state;
  char name[LONGEST + 1];
  mr_trace_session session;
  assert_null(mr_trace_start(path));
  mr_trace_session_start(&session);
  for (size_t size = 0; size < LONGEST; size++) {
    name_of_size(name, size);
    mr_trace_span(MR_TRACE_NODE, name, mr_trace_now(), 0);
  }
  mr_trace_session_stop(&session);
  assert_null(mr_trace_stop());
  static names all;
  mr_trace_session_visit(&session, compare, &all);
  mr_trace_session_close(&session);
  assert_int_equal(all.count, LONGEST);
  for (size_t size = 0; size < LONGEST; size++) {
    assert_int_equal(all.sizes[size], MR_MIN(size, (size_t)MR_TRACE_NAME));
  }
  char wanted[LONGEST + 32];
  const char *text = read_back();
  for (size_t size = 0; size <= MR_TRACE_NAME; size += 31) {
    name_of_size(name, size);
    snprintf(wanted, sizeof wanted, "\"name\":\"%s\",\"cat\":\"node\"", name);
    assert_non_null(strstr(text, wanted));
  }
}

// Long names take several records of a full ring, whose oldest name may have lost its beginning or end, and none is another's.
static void test_long_names_in_a_full_ring(void **state) {
  (void)state;
  char name[LONGEST + 1];
  mr_trace_session session;
  mr_trace_session_start(&session);
  name_of_size(name, 100);
  for (int i = 0; i < 1 << 16; i++) {
    mr_trace_span(MR_TRACE_NODE, name, mr_trace_now(), 0);
  }
  mr_trace_session_stop(&session);
  names *all = calloc(1, sizeof *all);
  mr_trace_session_visit(&session, compare, all);
  mr_trace_session_close(&session);
  int wrong = 0;
  for (int i = 0; i < all->count; i++) {
    wrong += all->sizes[i] != 100;
  }
  assert_in_range(all->count, (1 << 16) / 4 - 8, (1 << 16) / 4);
  assert_true(wrong <= 1);
  free(all);
}

typedef struct ops {
  int count, without;
  uint64_t programs;
  mr_trace_op last;
  uint64_t run;
} ops;

static void see_op(void *context, const mr_trace_event *event) {
  ops *all = context;
  all->count++;
  if (!event->op) {
    all->without++;
    return;
  }
  assert_true(mr_str_is(event->name, event->op->name));
  assert_string_equal(event->op->program->module, "jit_f");
  all->programs += event->op->program->id;
  all->last = *event->op;
  all->run = event->run;
}

// An op's program may be gone before the trace is read, whoever reads last; then it goes as well (the leak sanitizer and the count of
// what is alive look).
static void test_ops_outlive_their_program(void **state) {
  (void)state;
  mr_trace_session first, second;
  mr_trace_program *program;
  assert_null(mr_trace_start(path));
  mr_trace_session_start(&first);
  assert_null(mr_trace_program_create(MR_STR("jit_f"), &program));
  const mr_trace_words words = {.name = MR_STR("matmul"),
                                .number = 3,
                                .path = MR_STR("jit(f)/layer/dot_general"),
                                .file = MR_STR("model.py"),
                                .line = 12};
  const mr_trace_op *op = mr_trace_program_add(program, &words);
  const mr_trace_op *whole = mr_trace_program_add(program, &(mr_trace_words){.name = MR_STR("jit_f"), .number = -1});
  uint64_t run = mr_trace_new_run();
  assert_int_not_equal(run, 0);
  mr_trace_op_span(MR_TRACE_NODE, whole, run, mr_trace_now());
  mr_trace_session_start(&second);
  mr_trace_op_span(MR_TRACE_STEP, op, run, mr_trace_now());
  mr_trace_session_stop(&first);
  mr_trace_session_stop(&second);
  mr_trace_program_release(program);
  ops in_first = {0}, in_second = {0};
  mr_trace_session_visit(&first, see_op, &in_first);
  mr_trace_session_close(&first);
  assert_null(mr_trace_stop());
  mr_trace_session_visit(&second, see_op, &in_second);
  assert_int_equal(in_first.count, 2);
  assert_int_equal(in_first.without, 0);
  assert_int_equal(in_second.count, 1);
  assert_string_equal(in_second.last.name, "matmul");
  assert_string_equal(in_second.last.op, "matmul.3");
  assert_string_equal(in_second.last.path, "jit(f)/layer/dot_general");
  assert_string_equal(in_second.last.source, "model.py:12");
  assert_int_equal(in_second.run, run);
  mr_trace_session_close(&second);
  char wanted[256];
  snprintf(wanted, sizeof wanted,
           "\"args\":{\"hlo_op\":\"matmul.3\",\"hlo_module\":\"jit_f\",\"program_id\":%d,\"run_id\":%d,"
           "\"tf_op\":\"jit(f)/layer/dot_general\",\"source\":\"model.py:12\"}}",
           (int)in_first.programs / 2, (int)run);
  assert_non_null(strstr(read_back(), wanted));
  assert_int_equal(mr_trace_new_run(), 0);
}

int main(void) {
  close(mkstemp(path));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_off_is_nothing),
      cmocka_unit_test(test_records_are_written),
      cmocka_unit_test(test_the_newest_stay),
      cmocka_unit_test(test_a_path_that_is_none),
      cmocka_unit_test(test_names_are_whole),
      cmocka_unit_test(test_long_names_in_a_full_ring),
      cmocka_unit_test(test_ops_outlive_their_program),
      cmocka_unit_test(test_sessions),
      cmocka_unit_test(test_nodes_say_what_they_are),
      cmocka_unit_test(test_devices_have_rows),
      cmocka_unit_test(test_devices_without_memory),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}
