// What lies beneath a folder is opened, and nothing else: with openat2(), and on systems that have none.
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "serve/repository/internal.h"
#include "tests/serve/check.h"

static char root[] = "/tmp/sv-beneath-XXXXXX";

static millrace_code open_code(int folder, const char *path) {
  struct stat status;
  sv_error *error = sv_beneath_stat_file(folder, path, &status);
  millrace_code code = sv_error_code(error);
  sv_error_free(error);
  return code;
}

// The number of the first case that is not as it should be; 0: all are. Without openat2() no link is followed.
static int first_wrong(bool links) {
  const millrace_code inside = links ? MILLRACE_OK : MILLRACE_PERMISSION_DENIED;
  const struct {
    const char *path;
    millrace_code code;
  } cases[] = {
      {"a/b/file", MILLRACE_OK},
      {"a/b", MILLRACE_INVALID_ARGUMENT},
      {"a/none", MILLRACE_NOT_FOUND},
      {"a/b/file/x", MILLRACE_NOT_FOUND},
      {"../etc/passwd", MILLRACE_PERMISSION_DENIED},
      {"a/../../etc/passwd", MILLRACE_PERMISSION_DENIED},
      {"/etc/passwd", MILLRACE_PERMISSION_DENIED},
      {"a/out", MILLRACE_PERMISSION_DENIED},
      {"a/up", MILLRACE_PERMISSION_DENIED},
      {"outside/passwd", MILLRACE_PERMISSION_DENIED},
      {"a/inside", inside},
      {"pipe", MILLRACE_INVALID_ARGUMENT},
  };
  int folder = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC), wrong = 0;
  for (int i = 0; !wrong && i < (int)(sizeof cases / sizeof cases[0]); i++) {
    millrace_code code = open_code(folder, cases[i].path);
    // A folder that is a link is told by the walk as what is no folder.
    bool same = code == cases[i].code || (!links && i == 9 && code == MILLRACE_NOT_FOUND);
    wrong = same ? 0 : i + 1;
  }
  close(folder);
  return wrong;
}

static int setup(void **state) {
  (void)state;
  assert_non_null(mkdtemp(root));
  char command[512];
  snprintf(command, sizeof command,
           "cd %s && mkdir -p a/b && echo x > a/b/file && ln -s /etc/passwd a/out && ln -s ../../../etc/passwd a/up && "
           "ln -s /etc outside && ln -s b/file a/inside && mkfifo pipe",
           root);
  return system(command);
}

static int teardown(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", root);
  return system(command);
}

static void test_openat2(void **state) {
  (void)state;
  assert_int_equal(first_wrong(true), 0);
}

// openat2() fails as on a kernel that has none.
static bool take_openat2_away(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void test_without_openat2(void **state) {
  (void)state;
  pid_t child = fork();
  if (child == 0) {
    _exit(take_openat2_away() ? first_wrong(false) : 100);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  if (WEXITSTATUS(status) == 100) {
    skip();  // no seccomp here
  }
  assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_openat2), cmocka_unit_test(test_without_openat2)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
