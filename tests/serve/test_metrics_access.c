// The access log: lines as they should be, none lost without being counted, reopening, and W3C's header.
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/json/json.h"
#include "serve/metrics/access.h"
#include "tests/serve/check.h"

static char folder[32];
static char path[64];

static int begin(void **state) {
  (void)state;
  strcpy(folder, "/tmp/sv_access_XXXXXX");
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/log", folder);
  return 0;
}

static int end(void **state) {
  (void)state;
  unlink(path);
  char old[80];
  snprintf(old, sizeof old, "%s.1", path);
  unlink(old);
  return rmdir(folder);
}

static char *read_all(const char *name) {
  static char content[16 << 20];
  int descriptor = open(name, O_RDONLY);
  assert_true(descriptor >= 0);
  size_t size = 0;
  for (ssize_t got; (got = read(descriptor, content + size, sizeof content - 1 - size)) > 0;) {
    size += (size_t)got;
  }
  content[size] = 0;
  close(descriptor);
  return content;
}

static sv_access example(void) {
  return (sv_access){.remote = SV_STR("127.0.0.1:4711"),
                     .protocol = SV_STR("http/1.1"),
                     .method = SV_STR("POST"),
                     .path = SV_STR("/v2/models/m/infer"),
                     .status = 200,
                     .bytes_in = 3136,
                     .bytes_out = 40,
                     .model = SV_STR("m"),
                     .version = 2,
                     .request_id = SV_STR("7"),
                     .batch_size = 4,
                     .queue_us = 1,
                     .compute_us = 2,
                     .total_us = 3,
                     .trace_id = "0af7651916cd43dd8448eb211c80319c",
                     .span_id = "b7ad6b7169203331",
                     .user_agent = SV_STR("curl/8")};
}

// A line has all that is known, in one order, and nothing that is not known.
static void test_line(void **state) {
  (void)state;
  sv_access_log *log;
  check_ok(sv_access_open(path, 1, &log));
  sv_access access = example();
  sv_access_write(log, &access);
  sv_access little = {.protocol = SV_STR("http/1.1"), .status = 404};
  sv_access_write(log, &little);
  sv_access_close(log);
  char *text = read_all(path);
  assert_memory_equal(text, "{\"time\":\"20", 11);
  assert_memory_equal(text + 32, "Z\",", 3);  // milliseconds
  const char *wanted =
      "Z\",\"remote\":\"127.0.0.1:4711\",\"protocol\":\"http/1.1\",\"method\":\"POST\",\"path\":\"/v2/models/m/"
      "infer\",\"status\":200,\"bytes_in\":3136,\"bytes_out\":40,\"model\":\"m\",\"version\":2,\"request_id\":\"7\","
      "\"batch_size\":4,\"queue_us\":1,\"compute_us\":2,\"total_us\":3,\"trace_id\":"
      "\"0af7651916cd43dd8448eb211c80319c\",\"span_id\":\"b7ad6b7169203331\",\"user_agent\":\"curl/8\"}\n";
  assert_memory_equal(text + 32, wanted, strlen(wanted));
  text += 32 + strlen(wanted);
  const char *second = "Z\",\"protocol\":\"http/1.1\",\"status\":404,\"bytes_in\":0,\"bytes_out\":0,\"total_us\":0}\n";
  assert_string_equal(text + 32, second);
  struct stat found;
  assert_int_equal(stat(path, &found), 0);
  assert_int_equal(found.st_mode & 07, 0);
}

// What a hostile client sends as path and user agent stays inside of its JSON string, on its line, and is cut at a length.
static void test_hostile(void **state) {
  (void)state;
  sv_access_log *log;
  check_ok(sv_access_open(path, 1, &log));
  static char control[100000], high[100000];
  memset(control, '\n', sizeof control);
  memset(high, 0xff, sizeof high);
  sv_access access = example();
  access.remote = access.protocol = access.method = access.path = access.model = access.request_id = access.user_agent =
      (sv_str){control, sizeof control};
  sv_access_write(log, &access);
  access.path = access.user_agent = access.request_id = (sv_str){high, sizeof high};
  access.bytes_in = access.bytes_out = access.version = access.batch_size = access.queue_us = access.compute_us =
      access.total_us = UINT64_MAX;
  access.status = INT32_MIN;
  sv_access_write(log, &access);
  access.path = SV_STR("\"},{\"status\":1 \xe2\x82");
  sv_access_write(log, &access);
  sv_access_close(log);
  char *text = read_all(path);
  int lines = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
    sv_json json;
    sv_text scratch = {0};
    sv_json_begin(&json, sv_str_of(line), &scratch);
    check_ok(sv_json_skip(&json, NULL));
    check_ok(sv_json_end(&json));
    sv_text_free(&scratch);
    assert_true(sv_str_is_utf8(sv_str_of(line)));
    assert_true(strlen(line) < 16384);
  }
  assert_int_equal(lines, 3);
}

// The next line, with its end; false behind the last. Lines first: strstr() under ASan measures the rest of the text each time.
static bool next_line(const char **text, sv_str *out_line) {
  size_t size = 0;
  while ((*text)[size] && (*text)[size] != '\n') {
    size++;
  }
  *out_line = (sv_str){*text, size + ((*text)[size] == '\n')};
  *text += out_line->size;
  return out_line->size > 0;
}

static int count_of(const char *text, const char *word) {
  int count = 0;
  for (sv_str line; next_line(&text, &line);) {
    count += memmem(line.data, line.size, word, strlen(word)) != NULL;
  }
  return count;
}

// One of so many is written, and every failure, of both protocols.
static void test_sampling(void **state) {
  (void)state;
  sv_access_log *log;
  check_ok(sv_access_open(path, 10, &log));
  sv_access good = example(), bad = example(), rpc = example();
  bad.status = 503;
  rpc.protocol = SV_STR("grpc");
  rpc.status = MILLRACE_UNAVAILABLE;
  for (int i = 0; i < 100; i++) {
    sv_access_write(log, &good);
  }
  for (int i = 0; i < 10; i++) {
    sv_access_write(log, &bad);
    sv_access_write(log, &rpc);
  }
  sv_access_close(log);
  char *text = read_all(path);
  assert_int_equal(count_of(text, "\"status\":200"), 10);
  assert_int_equal(count_of(text, "\"status\":503"), 10);
  assert_int_equal(count_of(text, "\"status\":14,"), 10);
}

enum { THREADS = 4, EACH = 5000 };

static void *write_many(void *argument) {
  sv_access access = example();
  for (int i = 0; i < EACH; i++) {
    sv_access_write(argument, &access);
  }
  return NULL;
}

static uint64_t dropped_in(const char *text) {
  static const char word[] = "\"dropped\":";
  uint64_t dropped = 0;
  for (sv_str line; next_line(&text, &line);) {
    const char *at = memmem(line.data, line.size, word, sizeof word - 1);
    dropped += at ? strtoull(at + sizeof word - 1, NULL, 10) : 0;
  }
  return dropped;
}

// Lines of several threads do not mix; what is written and what is said to be dropped make all.
static void test_threads(void **state) {
  (void)state;
  sv_access_log *log;
  check_ok(sv_access_open(path, 1, &log));
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_create(&threads[i], NULL, write_many, log), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  sv_access_close(log);
  char *text = read_all(path);
  uint64_t dropped = dropped_in(text);
  uint64_t written = (uint64_t)count_of(text, "\"request_id\":\"7\"");
  assert_int_equal(written + dropped, THREADS * EACH);
  assert_int_equal(count_of(text, "\"user_agent\":\"curl/8\"}\n"), written);
}

// Nobody reads: writing does not wait, closing ends, and what did not fit was counted.
static void test_stuck_pipe(void **state) {
  (void)state;
  assert_int_equal(mkfifo(path, 0600), 0);
  sv_access_log *log;
  check_fails(sv_access_open(path, 1, &log), MILLRACE_INVALID_ARGUMENT, path);
  assert_null(log);
  int reader = open(path, O_RDONLY | O_NONBLOCK);
  check_ok(sv_access_open(path, 1, &log));
  sv_access access = example();
  for (int i = 0; i < 20000; i++) {
    sv_access_write(log, &access);
  }
  // Somebody reads again, and the next lines say what is missing.
  static char content[4 << 20];
  size_t size = 0;
  for (int idle = 0; idle < 30;) {
    ssize_t got = read(reader, content + size, sizeof content - 1 - size);
    size += got > 0 ? (size_t)got : 0;
    idle = got > 0 ? 0 : idle + 1;
    if (got <= 0) {
      nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
  }
  sv_access_write(log, &access);
  sv_access_close(log);
  ssize_t got = read(reader, content + size, sizeof content - 1 - size);
  assert_true(got > 0);
  content[size + (size_t)got] = 0;
  uint64_t dropped = dropped_in(content);
  assert_true(dropped > 10000);
  assert_int_equal(dropped + (uint64_t)count_of(content, "\"request_id\":\"7\""), 20001);
  close(reader);
}

// The pipe's reader never comes back: closing gives up.
static void test_close_gives_up(void **state) {
  (void)state;
  assert_int_equal(mkfifo(path, 0600), 0);
  int reader = open(path, O_RDONLY | O_NONBLOCK);
  sv_access_log *log;
  check_ok(sv_access_open(path, 1, &log));
  sv_access access = example();
  for (int i = 0; i < 1000; i++) {
    sv_access_write(log, &access);
  }
  sv_access_close(log);
  close(reader);
}

// After a rename and a reopening, lines go to a new file of the old name.
static void test_reopen(void **state) {
  (void)state;
  sv_access_log *log;
  check_ok(sv_access_open(path, 1, &log));
  sv_access line = example();
  sv_access_write(log, &line);
  char old[80];
  snprintf(old, sizeof old, "%s.1", path);
  assert_int_equal(rename(path, old), 0);
  sv_access_reopen(log);
  for (int i = 0; (access)(path, F_OK) != 0 && i < 500; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  sv_access_write(log, &line);
  sv_access_close(log);
  assert_int_equal(count_of(read_all(old), "\n"), 1);
  assert_int_equal(count_of(read_all(path), "\n"), 1);
}

static void test_opening_fails(void **state) {
  (void)state;
  sv_access_log *log;
  check_fails(sv_access_open("/nowhere/x", 1, &log), MILLRACE_NOT_FOUND, "/nowhere/x");
  check_fails(sv_access_open(folder, 1, &log), MILLRACE_INVALID_ARGUMENT, folder);
  sv_access_write(NULL, NULL);
  sv_access_reopen(NULL);
  sv_access_close(NULL);
}

#define TRACE "0af7651916cd43dd8448eb211c80319c"
#define SPAN "b7ad6b7169203331"

static void test_traceparent(void **state) {
  (void)state;
  const struct {
    const char *header;
    bool good;
  } cases[] = {
      {"00-" TRACE "-" SPAN "-01", true},
      {"00-" TRACE "-" SPAN "-00", true},
      {"01-" TRACE "-" SPAN "-01", true},
      {"01-" TRACE "-" SPAN "-01-more", true},
      {"cc-" TRACE "-" SPAN "-01.more", false},
      {"00-" TRACE "-" SPAN "-01-more", false},
      {"00-" TRACE "-" SPAN "-01 ", false},
      {"ff-" TRACE "-" SPAN "-01", false},
      {"00-00000000000000000000000000000000-" SPAN "-01", false},
      {"00-" TRACE "-0000000000000000-01", false},
      {"00-0AF7651916CD43DD8448EB211C80319C-" SPAN "-01", false},
      {"00-" TRACE "-" SPAN "-0g", false},
      {"00-" TRACE "-" SPAN "-0", false},
      {"00_" TRACE "-" SPAN "-01", false},
      {"", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char trace[33] = "x", span[17] = "x";
    assert_int_equal(sv_traceparent_parse(sv_str_of(cases[i].header), trace, span), cases[i].good);
    assert_string_equal(trace, cases[i].good ? TRACE : "");
    assert_string_equal(span, cases[i].good ? SPAN : "");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_line, begin, end),
      cmocka_unit_test_setup_teardown(test_hostile, begin, end),
      cmocka_unit_test_setup_teardown(test_sampling, begin, end),
      cmocka_unit_test_setup_teardown(test_threads, begin, end),
      cmocka_unit_test_setup_teardown(test_stuck_pipe, begin, end),
      cmocka_unit_test_setup_teardown(test_close_gives_up, begin, end),
      cmocka_unit_test_setup_teardown(test_reopen, begin, end),
      cmocka_unit_test_setup_teardown(test_opening_fails, begin, end),
      cmocka_unit_test(test_traceparent),
  };
  return check_run(tests);
}
