// A host that registered for it (Extension Callback, Prefatal) hears of it before the plugin aborts: here because LLVM ends by an
// error, which a child process has it do.
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pjrt/ext/extensions.h"
#include "tests/cmocka.h"
#include "tests/pjrt_walk/host.h"
#include "tests/pjrt_walk/host_refusals.h"

static const char text[] = "func.func @main(%a: tensor<6xf32>) -> tensor<6xf32> {\n"
                           "  %0 = stablehlo.add %a, %a : tensor<6xf32>\n"
                           "  return %0 : tensor<6xf32>\n}\n";

static void hear(void *args, void *user_arg) {
  const PJRT_Callback_PrefatalArgs *fatal = args;
  int to = *(const int *)user_arg;
  char code = (char)('0' + fatal->error_code);
  if (write(to, &code, 1) != 1 ||
      write(to, fatal->error_message, fatal->error_message_size) != (ssize_t)fatal->error_message_size) {
    _exit(3);
  }
}

static PJRT_Client *client_that_tells(int *to) {
  PJRT_Client *client = host_client_create(1);
  const PJRT_Callback_Extension *callback = (const void *)host_extension(PJRT_Extension_Type_Callback);
  PJRT_Callback_RegisterCallback_Args args = {.struct_size = sizeof args,
                                              .client = client,
                                              .type = PJRT_Callback_Type_Prefatal,
                                              .callback = hear,
                                              .user_arg = to};
  HOST_GUARDED_OK(callback->register_callback, &args);
  return client;
}

// LLVM as the plugin has it open.
static void *llvm(void) {
  static const char *const names[] = {"libmillrace-llvm.so", "libLLVM.so.19.1", "libLLVM-19.so.1", "libLLVM-19.so",
                                      "/usr/lib/llvm-19/lib/libLLVM.so.19.1"};
  void *library = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++) {
    library = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
  }
  return library;
}

static void end_by_llvm(int to) {
  setenv("MILLRACE_CACHE_DIR", "", 1);  // what is in the cache needs no LLVM
  PJRT_Client *gone = client_that_tells(&to), *client = client_that_tells(&to);
  host_client_destroy(gone);
  host_compile(client, text);
  void *library = llvm();
  // llvm::report_fatal_error(const char *, bool): C has no name for it.
  void (*report)(const char *, bool) =
      library ? (void (*)(const char *, bool))dlsym(library, "_ZN4llvm18report_fatal_errorEPKcb") : NULL;
  if (report) {
    report("a test wants it so", false);
  }
  _exit(4);
}

static void test_llvm_ends_the_process(void **state) {
  (void)state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    end_by_llvm(ends[1]);
  }
  close(ends[1]);
  char heard[256] = "";
  size_t got = 0;
  for (ssize_t more; (more = read(ends[0], heard + got, sizeof heard - 1 - got)) > 0;) {
    got += (size_t)more;
  }
  close(ends[0]);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  // INTERNAL is 13. Once, from the client that is there.
  assert_string_equal(heard, "=LLVM: a test wants it so");
}

int main(int argc, char **argv) {
  if (argc > 1) {
    host_set_library(argv[1]);
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_llvm_ends_the_process)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
