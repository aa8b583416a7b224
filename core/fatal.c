// One list of who listens. The thread that ends the process has the lock until the end, so that nobody stops listening while
// it is called.
#include "core/fatal.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/fork.h"

MR_FORK_LOCK(lock);
static mr_fatal_listener *listeners;  // under the lock; newest first
// On the thread that ends the process: it has the lock.
static _Thread_local bool ends_process;

void mr_fatal_listen(mr_fatal_listener *listener) {
  if (!ends_process) {
    pthread_mutex_lock(&lock);
  }
  listener->told = false;
  listener->next = listeners;
  listeners = listener;
  if (!ends_process) {
    pthread_mutex_unlock(&lock);
  }
}

void mr_fatal_unlisten(mr_fatal_listener *listener) {
  if (!ends_process) {
    pthread_mutex_lock(&lock);
  }
  for (mr_fatal_listener **at = &listeners; *at; at = &(*at)->next) {
    if (*at == listener) {
      *at = listener->next;
      break;
    }
  }
  if (!ends_process) {
    pthread_mutex_unlock(&lock);
  }
}

// From the front each time: a listener may have changed the list.
static mr_fatal_listener *next_untold(void) {
  for (mr_fatal_listener *l = listeners; l; l = l->next) {
    if (!l->told) {
      return l;
    }
  }
  return NULL;
}

__attribute__((noreturn)) static void end_process(const char *message) {
  if (!ends_process) {
    pthread_mutex_lock(&lock);
    ends_process = true;
    for (mr_fatal_listener *l; (l = next_untold()) != NULL;) {
      l->told = true;
      l->hear(l, message);
    }
  }
  // No stdio: a stream's lock may be held by whoever is in trouble.
  static const char ours[] = "millrace: ";
  ssize_t written = write(STDERR_FILENO, ours, sizeof ours - 1);
  written += write(STDERR_FILENO, message, strlen(message));
  written += write(STDERR_FILENO, "\n", 1);
  (void)written;
  abort();
}

void mr_fatal(const char *format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  end_process(message);
}

// What <assert.h> calls where a condition does not hold. Within our libraries this one is found before the C library's; they export
// neither.
__attribute__((noreturn)) void __assert_fail(const char *condition, const char *file, unsigned line,
                                             const char *function);
void __assert_fail(const char *condition, const char *file, unsigned line, const char *function) {
  mr_fatal("%s:%u: %s: assertion `%s' failed", file, line, function, condition);
}
