// Part of each shared library in a build that counts which branches run: tells the test program how the library's counts are
// written, for each library has its own and only its end writes them (tests/coverage.c).
#include <dlfcn.h>

void __gcov_dump(void);

static void __attribute__((constructor)) announce(void) {
  void (*announce_to)(void (*dump)(void)) = (void (*)(void (*)(void)))dlsym(RTLD_DEFAULT, "mr_coverage_register");
  if (announce_to) {
    announce_to(__gcov_dump);
  }
}
