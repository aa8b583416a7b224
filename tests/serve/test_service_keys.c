// API keys: the file, rights, quotas, reloading; and what is allowed without them.
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/serve/fake_rest.h"

static char folder[32];
static char path[64];

static int begin(void **state) {
  (void)state;
  strcpy(folder, "/tmp/sv_keys_XXXXXX");
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/keys", folder);
  return 0;
}

static int end(void **state) {
  (void)state;
  unlink(path);
  return rmdir(folder);
}

static void write_file(const char *text, mode_t mode) {
  int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  assert_true(descriptor >= 0);
  assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
  assert_int_equal(fchmod(descriptor, mode), 0);
  close(descriptor);
}

static sv_error *allow(sv_keys *keys, sv_right right, const char *authorization, const char *api_key) {
  sv_service service = {.keys = keys, .control = true};
  return sv_service_allow(&service, right, sv_str_of(authorization), sv_str_of(api_key), NULL, false);
}

static const char FILE_1[] = "# who may do what\n\n"
                             "alpha-key infer - alice\n"
                             "\tbeta-key   control\t- bob # the operator\r\n"
                             "both-key control,infer - carol";

// Each key has its rights, in either header; everything else is refused and says what is missing.
static void test_rights(void **state) {
  (void)state;
  write_file(FILE_1, 0600);
  sv_keys *keys;
  check_ok(sv_keys_open(path, &keys));
  check_ok(allow(keys, SV_RIGHT_NONE, NULL, NULL));
  check_ok(allow(keys, SV_RIGHT_INFER, "Bearer alpha-key", NULL));
  check_ok(allow(keys, SV_RIGHT_INFER, "bearer  alpha-key", NULL));
  check_ok(allow(keys, SV_RIGHT_INFER, NULL, "alpha-key"));
  check_ok(allow(keys, SV_RIGHT_INFER, "Basic dTpw", "alpha-key"));
  check_ok(allow(keys, SV_RIGHT_CONTROL, NULL, "beta-key"));
  check_ok(allow(keys, SV_RIGHT_INFER, NULL, "both-key"));
  check_ok(allow(keys, SV_RIGHT_CONTROL, NULL, "both-key"));
  check_fails(allow(keys, SV_RIGHT_CONTROL, NULL, "alpha-key"), MILLRACE_PERMISSION_DENIED,
              "'alice' has no right 'control'");
  check_fails(allow(keys, SV_RIGHT_INFER, NULL, "beta-key"), MILLRACE_PERMISSION_DENIED, "'bob' has no right 'infer'");
  check_fails(allow(keys, SV_RIGHT_INFER, NULL, NULL), MILLRACE_UNAUTHENTICATED, "API key is wanted");
  const char *const wrong[] = {"a", "alpha-ke", "alpha-key2", "alpha-kex", "Alpha-key", "infer", "#"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    check_fails(allow(keys, SV_RIGHT_INFER, NULL, wrong[i]), MILLRACE_UNAUTHENTICATED, "not known");
  }
  check_fails(allow(keys, SV_RIGHT_INFER, "alpha-key", NULL), MILLRACE_UNAUTHENTICATED, "Bearer");
  sv_keys_release(keys);
}

static void test_bad_files(void **state) {
  (void)state;
  const struct {
    const char *text, *words;
  } cases[] = {
      {"", "no key"},
      {"# nothing\n", "no key"},
      {"k infer -\n", "line 1: wanted KEY RIGHTS QUOTA NAME"},
      {"k infer - # name\n", "line 1: wanted"},
      {"k infer - n more\n", "line 1: wanted"},
      {"\nk infer,write - n\n", "line 2: 'write' is not a right"},
      {"k infer 10 n\n", "'10' is not a quota"},
      {"k infer 0/s n\n", "'0/s' is not a quota"},
      {"k infer -1/s n\n", "'-1/s' is not a quota"},
      {"k infer 99999999999/s n\n", "is not a quota"},
      {"k infer - n\nk control - m\n", "line 2: this key is in the file twice"},
      {"k\x01 infer - n\n", "printable"},
      {"k\xc3\xa4 infer - n\n", "printable"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    write_file(cases[i].text, 0600);
    sv_keys *keys;
    check_fails(sv_keys_open(path, &keys), MILLRACE_INVALID_ARGUMENT, cases[i].words);
    assert_null(keys);
  }
}

// A file that others may read, or that is none, is refused.
static void test_modes(void **state) {
  (void)state;
  sv_keys *keys;
  check_fails(sv_keys_open(path, &keys), MILLRACE_NOT_FOUND, path);
  check_fails(sv_keys_open(folder, &keys), MILLRACE_INVALID_ARGUMENT, "regular file");
  write_file(FILE_1, 0644);
  check_fails(sv_keys_open(path, &keys), MILLRACE_PERMISSION_DENIED, "mode 644");
  write_file(FILE_1, 0660);
  check_fails(sv_keys_open(path, &keys), MILLRACE_PERMISSION_DENIED, "mode 660");
  write_file(FILE_1, 0640);
  check_ok(sv_keys_open(path, &keys));
  sv_keys_release(keys);
}

// As many requests as a second allows, then none, for this key alone; also across a reload.
static void test_quota(void **state) {
  (void)state;
  write_file("slow infer 3/s s\nother infer 2/s o\nfree infer - f\n", 0600);
  sv_keys *keys;
  check_ok(sv_keys_open(path, &keys));
  uint64_t begin_ns = sv_now_ns();
  for (int i = 0; i < 3; i++) {
    check_ok(allow(keys, SV_RIGHT_INFER, NULL, "slow"));
  }
  sv_error *fourth = allow(keys, SV_RIGHT_INFER, NULL, "slow");
  check_ok(sv_keys_reload(keys));
  sv_error *after = allow(keys, SV_RIGHT_INFER, NULL, "slow");
  if (sv_now_ns() - begin_ns < 300000000) {  // a machine that was away for longer has earned another
    check_fails(fourth, MILLRACE_RESOURCE_EXHAUSTED, "quota of the API key of 's' is used up (3 requests a second)");
    check_fails(after, MILLRACE_RESOURCE_EXHAUSTED, "used up");
  } else {
    sv_error_free(fourth);
    sv_error_free(after);
  }
  check_ok(allow(keys, SV_RIGHT_INFER, NULL, "other"));
  for (int i = 0; i < 1000; i++) {
    check_ok(allow(keys, SV_RIGHT_INFER, NULL, "free"));
  }
  nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
  check_ok(allow(keys, SV_RIGHT_INFER, NULL, "slow"));
  sv_keys_release(keys);
}

// A reload that fails leaves the old keys; one that does not takes the new ones.
static void test_reload(void **state) {
  (void)state;
  write_file("old infer - o\n", 0600);
  sv_keys *keys;
  check_ok(sv_keys_open(path, &keys));
  write_file("new infer - n\nbroken\n", 0600);
  check_fails(sv_keys_reload(keys), MILLRACE_INVALID_ARGUMENT, "line 2");
  check_ok(allow(keys, SV_RIGHT_INFER, NULL, "old"));
  write_file("new infer - n\n", 0600);
  check_ok(sv_keys_reload(keys));
  check_ok(allow(keys, SV_RIGHT_INFER, NULL, "new"));
  check_fails(allow(keys, SV_RIGHT_INFER, NULL, "old"), MILLRACE_UNAUTHENTICATED, "not known");
  sv_keys_release(keys);
}

static void *ask_often(void *argument) {
  intptr_t allowed = 0;
  for (int i = 0; i < 2000; i++) {
    sv_error *error = allow(argument, SV_RIGHT_INFER, NULL, "limited");
    allowed += !error;
    sv_error_free(error);
  }
  return (void *)allowed;
}

// Threads share a quota: together they get no more than it gives, also while the file is read again.
static void test_threads(void **state) {
  (void)state;
  write_file("limited infer 100/s l\n", 0600);
  sv_keys *keys;
  check_ok(sv_keys_open(path, &keys));
  uint64_t begin_ns = sv_now_ns();
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    assert_int_equal(pthread_create(&threads[i], NULL, ask_often, keys), 0);
  }
  for (int i = 0; i < 20; i++) {
    check_ok(sv_keys_reload(keys));
  }
  intptr_t all = 0;
  for (int i = 0; i < 4; i++) {
    void *allowed;
    pthread_join(threads[i], &allowed);
    all += (intptr_t)allowed;
  }
  uint64_t most = 101 + (sv_now_ns() - begin_ns) / 10000000;
  assert_true(all >= 100);
  assert_true((uint64_t)all <= most);
  sv_keys_release(keys);
}

// Who shows a client certificate needs no key, where the file says so; its name is no key.
static void test_certificates(void **state) {
  (void)state;
  write_file("certificate:robot infer - r\nkey control - k\n", 0600);
  sv_keys *keys;
  check_ok(sv_keys_open(path, &keys));
  sv_service service = {.keys = keys, .control = true};
  check_ok(sv_service_allow(&service, SV_RIGHT_INFER, (sv_str){0}, (sv_str){0}, "robot", false));
  check_fails(sv_service_allow(&service, SV_RIGHT_INFER, (sv_str){0}, (sv_str){0}, "human", false),
              MILLRACE_UNAUTHENTICATED, "wanted");
  check_fails(sv_service_allow(&service, SV_RIGHT_INFER, (sv_str){0}, SV_STR("robot"), NULL, false),
              MILLRACE_UNAUTHENTICATED, "not known");
  check_fails(sv_service_allow(&service, SV_RIGHT_INFER, (sv_str){0}, SV_STR("certificate:robot"), NULL, false),
              MILLRACE_UNAUTHENTICATED, "not known");
  check_fails(sv_service_allow(&service, SV_RIGHT_INFER, (sv_str){0}, (sv_str){0}, "key", false),
              MILLRACE_UNAUTHENTICATED, "wanted");
  sv_keys_release(keys);
}

static sv_error *control(bool served, bool open, bool local) {
  sv_service service = {.control = served, .control_is_open = open};
  check_ok(sv_service_allow(&service, SV_RIGHT_INFER, (sv_str){0}, (sv_str){0}, NULL, local));
  return sv_service_allow(&service, SV_RIGHT_CONTROL, (sv_str){0}, (sv_str){0}, NULL, local);
}

// Without keys everybody may infer, and load and unload only from this machine, or where the server was told so.
static void test_without_keys(void **state) {
  (void)state;
  check_ok(control(true, false, true));
  check_ok(control(true, true, false));
  check_fails(control(true, false, false), MILLRACE_PERMISSION_DENIED, "own machine");
  check_fails(control(false, true, true), MILLRACE_UNAVAILABLE, "does not load");
  sv_service service = {0};
  check_fails(sv_service_allow_regions(&service, true), MILLRACE_UNAVAILABLE, "shared memory");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_rights, begin, end),
      cmocka_unit_test_setup_teardown(test_bad_files, begin, end),
      cmocka_unit_test_setup_teardown(test_modes, begin, end),
      cmocka_unit_test_setup_teardown(test_quota, begin, end),
      cmocka_unit_test_setup_teardown(test_reload, begin, end),
      cmocka_unit_test_setup_teardown(test_threads, begin, end),
      cmocka_unit_test_setup_teardown(test_certificates, begin, end),
      cmocka_unit_test(test_without_keys),
  };
  return check_run(tests);
}
