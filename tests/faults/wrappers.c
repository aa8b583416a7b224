// What stands between a library and the system: each wrapper asks whether its call is one that fails, and calls on.
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <fcntl.h>
#include <hwloc.h>
#include <linux/futex.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include <urcu/rculfhash.h>

#include "tests/faults/wrappers.h"

#define WAY(e) {.error = (e)}
#define ONCE(e) {.error = (e), .only_once = true}
#define CUT {.cuts = true}
#define FAULT(name, failing, ...) static const fault_way ways_of_##name[] = {__VA_ARGS__};
#include "tests/faults/faults.def"
#undef FAULT

// Each file of the table has values of its own type.
#define FAULT(name, failing, ...) \
  static __typeof__(failing) failing_##name(void) { return failing; }
#include "tests/faults/faults.def"
#undef FAULT

#define HERE ((uintptr_t)__builtin_return_address(0))

// Fails as faults.def has it, with errno.
#define FAIL_WITH_ERRNO(name)                                 \
  do {                                                        \
    const fault_way *way = faults_strike(FAULT_##name, HERE); \
    if (way) {                                                \
      errno = way->error;                                     \
      return failing_##name();                                \
    }                                                         \
  } while (0)

#define WRAP(type, name, parameters, arguments) \
  static type wrap_##name parameters {          \
    FAIL_WITH_ERRNO(name);                      \
    return name arguments;                      \
  }
// Of functions that return what is wrong.
#define WRAP_CODE(name, parameters, arguments)                \
  static int wrap_##name parameters {                         \
    const fault_way *way = faults_strike(FAULT_##name, HERE); \
    (void)failing_##name;                                     \
    return way ? way->error : name arguments;                 \
  }
// Less than was asked for, but something.
#define WRAP_BYTES(name, parameters, size, arguments)         \
  static ssize_t wrap_##name parameters {                     \
    const fault_way *way = faults_strike(FAULT_##name, HERE); \
    if (way && !way->cuts) {                                  \
      errno = way->error;                                     \
      return failing_##name();                                \
    }                                                         \
    if (way && size > 1) {                                    \
      size /= 2;                                              \
    }                                                         \
    return name arguments;                                    \
  }
// What is closed is closed, also where that fails.
#define WRAP_CLOSE(name, parameters, arguments)               \
  static int wrap_##name parameters {                         \
    const fault_way *way = faults_strike(FAULT_##name, HERE); \
    int result = name arguments;                              \
    if (!way) {                                               \
      return result;                                          \
    }                                                         \
    errno = way->error;                                       \
    return failing_##name();                                  \
  }

WRAP(void *, mmap, (void *at, size_t size, int protection, int flags, int fd, off_t offset),
     (at, size, protection, flags, fd, offset))
WRAP(int, munmap, (void *at, size_t size), (at, size))
WRAP(int, mprotect, (void *at, size_t size, int protection), (at, size, protection))
WRAP(int, madvise, (void *at, size_t size, int advice), (at, size, advice))
WRAP(int, mincore, (void *at, size_t size, unsigned char *out), (at, size, out))
WRAP(int, open, (const char *path, int flags, mode_t mode), (path, flags, mode))
WRAP(int, openat, (int folder, const char *path, int flags, mode_t mode), (folder, path, flags, mode))
WRAP_CLOSE(close, (int fd), (fd))
WRAP_BYTES(read, (int fd, void *to, size_t size), size, (fd, to, size))
WRAP(int, stat, (const char *path, struct stat *out), (path, out))
WRAP(int, fstat, (int fd, struct stat *out), (fd, out))
WRAP(int, fstatat, (int folder, const char *path, struct stat *out, int flags), (folder, path, out, flags))
WRAP(int, futimens, (int fd, const struct timespec *times), (fd, times))
WRAP(int, access, (const char *path, int mode), (path, mode))
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(int, renameat, (int from_folder, const char *from, int to_folder, const char *to),
     (from_folder, from, to_folder, to))
WRAP(int, rename, (const char *from, const char *to), (from, to))
WRAP(int, unlink, (const char *path), (path))
WRAP(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags))
WRAP(int, ftruncate, (int fd, off_t size), (fd, size))
WRAP(int, flock, (int fd, int how), (fd, how))
WRAP(DIR *, opendir, (const char *path), (path))
WRAP(DIR *, fdopendir, (int fd), (fd))
WRAP(struct dirent *, readdir, (DIR * folder), (folder))
WRAP(int, fcntl, (int fd, int command, long argument), (fd, command, argument))
WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode))
WRAP_CLOSE(fclose, (FILE * file), (file))
WRAP(char *, fgets, (char *to, int size, FILE *file), (to, size, file))
WRAP(size_t, fwrite, (const void *from, size_t size, size_t count, FILE *file), (from, size, count, file))
WRAP(int, fputc, (int c, FILE *file), (c, file))
WRAP(int, ferror, (FILE * file), (file))
WRAP(int, eventfd, (unsigned count, int flags), (count, flags))
WRAP(int, epoll_create1, (int flags), (flags))
WRAP(int, epoll_ctl, (int epoll, int what, int fd, struct epoll_event *event), (epoll, what, fd, event))
WRAP(int, epoll_wait, (int epoll, struct epoll_event *events, int count, int ms), (epoll, events, count, ms))
WRAP(int, timerfd_create, (int clock, int flags), (clock, flags))
WRAP(int, socket, (int domain, int type, int protocol), (domain, type, protocol))
WRAP(int, bind, (int fd, const struct sockaddr *address, socklen_t size), (fd, address, size))
WRAP(int, listen, (int fd, int backlog), (fd, backlog))
WRAP(int, accept4, (int fd, struct sockaddr *address, socklen_t *size, int flags), (fd, address, size, flags))
WRAP(int, connect, (int fd, const struct sockaddr *address, socklen_t size), (fd, address, size))
WRAP(int, getsockopt, (int fd, int level, int name, void *value, socklen_t *size), (fd, level, name, value, size))
WRAP(int, poll, (struct pollfd * fds, nfds_t count, int ms), (fds, count, ms))
WRAP_BYTES(send, (int fd, const void *from, size_t size, int flags), size, (fd, from, size, flags))
WRAP_BYTES(recv, (int fd, void *to, size_t size, int flags), size, (fd, to, size, flags))
WRAP_BYTES(getrandom, (void *to, size_t size, unsigned flags), size, (to, size, flags))
WRAP(int, shutdown, (int fd, int how), (fd, how))
WRAP(int, prctl, (int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d), (option, a, b, c, d))
WRAP(long, sysconf, (int name), (name))
WRAP(int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left))
WRAP(int, sched_getaffinity, (pid_t thread, size_t size, cpu_set_t *out), (thread, size, out))
WRAP(int, sched_getcpu, (void), ())
WRAP(locale_t, newlocale, (int mask, const char *name, locale_t base), (mask, name, base))
WRAP(void *, dlopen, (const char *path, int flags), (path, flags))
WRAP(void *, dlsym, (void *library, const char *name), (library, name))
WRAP_CODE(pthread_create, (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument),
          (thread, attributes, run, argument))
WRAP_CODE(pthread_attr_init, (pthread_attr_t * attributes), (attributes))
WRAP_CODE(pthread_attr_setaffinity_np, (pthread_attr_t * attributes, size_t size, const cpu_set_t *set),
          (attributes, size, set))
WRAP_CODE(pthread_attr_setstacksize, (pthread_attr_t * attributes, size_t size), (attributes, size))
WRAP_CODE(pthread_getattr_np, (pthread_t thread, pthread_attr_t *attributes), (thread, attributes))
WRAP_CODE(pthread_attr_getstack, (const pthread_attr_t *attributes, void **out_lowest, size_t *out_size),
          (attributes, out_lowest, out_size))
WRAP_CODE(pthread_key_create, (pthread_key_t * key, void (*destroy)(void *)), (key, destroy))
WRAP_CODE(pthread_setspecific, (pthread_key_t key, const void *value), (key, value))
WRAP_CODE(pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))
WRAP(int, hwloc_topology_init, (hwloc_topology_t * out_topology), (out_topology))
WRAP(int, hwloc_topology_load, (hwloc_topology_t topology), (topology))
WRAP(int, hwloc_topology_set_type_filter,
     (hwloc_topology_t topology, hwloc_obj_type_t type, enum hwloc_type_filter_e filter), (topology, type, filter))
WRAP(int, hwloc_get_cpubind, (hwloc_topology_t topology, hwloc_cpuset_t set, int flags), (topology, set, flags))
WRAP(hwloc_bitmap_t, hwloc_bitmap_alloc, (void), ())
WRAP(struct cds_lfht *, _cds_lfht_new,
     (unsigned long size, unsigned long least, unsigned long most, int flags, const struct cds_lfht_mm_type *memory,
      const struct rcu_flavor_struct *flavor, pthread_attr_t *attributes),
     (size, least, most, flags, memory, flavor, attributes))
WRAP(struct event_config *, event_config_new, (void), ())
WRAP(struct event_base *, event_base_new_with_config, (const struct event_config *config), (config))
WRAP(int, event_base_loop, (struct event_base * base, int flags), (base, flags))
WRAP(struct event *, event_new,
     (struct event_base * base, evutil_socket_t fd, short what, event_callback_fn fn, void *argument),
     (base, fd, what, fn, argument))
WRAP(int, event_assign,
     (struct event * event, struct event_base *base, evutil_socket_t fd, short what, event_callback_fn fn,
      void *argument),
     (event, base, fd, what, fn, argument))
WRAP(int, event_add, (struct event * event, const struct timeval *timeout), (event, timeout))

// Eight bytes are a count for an eventfd of which only the library knows: those go in.
static ssize_t wrap_write(int fd, const void *from, size_t size) {
  const fault_way *way = size == 8 ? NULL : faults_strike(FAULT_write, HERE);
  if (way && !way->cuts) {
    errno = way->error;
    return failing_write();
  }
  return write(fd, from, way && size > 1 ? size / 2 : size);
}

// Of what the libraries call by number, waiting may be interrupted and a NUMA node may be refused. The rest cannot fail.
static bool may_fail(long number, long operation, int error) {
  return error == EINTR ? number == SYS_futex && (operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET
                        : number == SYS_mbind;
}

static long wrap_syscall(long number, long a, long b, long c, long d, long e, long f) {
  const fault_way *way = faults_strike(FAULT_syscall, HERE);
  if (way && may_fail(number, b, way->error)) {
    errno = way->error;
    return failing_syscall();
  }
  return syscall(number, a, b, c, d, e, f);
}

__attribute__((format(printf, 2, 3))) static int wrap_fprintf(FILE *file, const char *format, ...) {
  FAIL_WITH_ERRNO(fprintf);
  va_list arguments;
  va_start(arguments, format);
  int result = vfprintf(file, format, arguments);
  va_end(arguments);
  return result;
}

// A function's address as an object's: what the dynamic linker's tables hold.
const faults_wrapper faults_wrappers[FAULT_COUNT] = {
#define FAULT(function, ...)                                                               \
  [FAULT_##function] = {#function, (void *)(uintptr_t)wrap_##function, ways_of_##function, \
                        sizeof ways_of_##function / sizeof *ways_of_##function},
#include "tests/faults/faults.def"
#undef FAULT
};
