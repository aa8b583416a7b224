// The start of a program that is linked to an old glibc's __libc_start_main() with the crt1.o of a new one.
//
// Up to 2.33 each program brought the function that calls its constructors; from 2.34 on glibc calls them, and crt1.o passes
// NULL. An older glibc would then call none. Linked with --wrap=__libc_start_main (cmake/glibc.cmake).
#include <stddef.h>

typedef void (*constructor)(int argc, char **argv, char **environment);
typedef int (*main_function)(int argc, char **argv, char **environment);

int __real___libc_start_main(main_function program, int argc, char **argv, constructor init, void (*fini)(void),
                             void (*rtld_fini)(void), void *stack_end);
int __wrap___libc_start_main(main_function program, int argc, char **argv, constructor init, void (*fini)(void),
                             void (*rtld_fini)(void), void *stack_end);

extern constructor __preinit_array_start[], __preinit_array_end[], __init_array_start[], __init_array_end[];
extern void _init(void) __attribute__((visibility("hidden")));

static void construct(int argc, char **argv, char **environment) {
  for (constructor *each = __preinit_array_start; each < __preinit_array_end; each++) {
    (*each)(argc, argv, environment);
  }
  _init();
  for (constructor *each = __init_array_start; each < __init_array_end; each++) {
    (*each)(argc, argv, environment);
  }
}

int __wrap___libc_start_main(main_function program, int argc, char **argv, constructor init, void (*fini)(void),
                             void (*rtld_fini)(void), void *stack_end) {
  return __real___libc_start_main(program, argc, argv, init ? init : construct, fini, rtld_fini, stack_end);
}
