// Whether another thread waits, for tests of what happens to one that does.
#ifndef MR_TESTS_THREAD_WAITS_H
#define MR_TESTS_THREAD_WAITS_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// The thread of this process is inside the system's wait for a word of memory, as who waits for a future is. Asked without memory from
// malloc(), whose locks are such words as well.
static inline bool thread_waits(pid_t thread) {
  char path[64], text[64] = "";
  snprintf(path, sizeof path, "/proc/self/task/%d/syscall", (int)thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) {
    close(file);
  }
  return size > 0 && text[0] != 'r' && atol(text) == SYS_futex;  // "running"
}

#endif
