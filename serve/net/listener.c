// Sockets that listen: TCP, unix, and those that somebody else opened.
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <arpa/inet.h>

#include "serve/net/listener.h"

// Connections that a round of the loop takes at most, so that a flood of them leaves time for the others.
enum { ACCEPTS_A_ROUND = 64, BACKLOG = 1024 };

struct sv_listener {
  sv_loop *loop;
  int descriptor, spare;  // spare: /dev/null, given up to accept and close when there are no more descriptors
  struct event *event;
  bool added, is_given;
  void (*accepted)(void *argument, int take_descriptor);
  void *argument;
  char *place, *unix_path;  // unix_path: removed at the end
  _Atomic(bool) paused, posted;
  bool released;  // while `apply` was posted: the task frees it
  sv_task apply;
};

// ---- Accepting ------------------------------------------------------------------------------------------------------

static void accept_with_spare(sv_listener *listener) {
  if (listener->spare >= 0) {
    close(listener->spare);
    int descriptor = accept4(listener->descriptor, NULL, NULL, SOCK_CLOEXEC);
    if (descriptor >= 0) {
      close(descriptor);
    }
  }
  listener->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

// False: nobody waits any more.
static bool accept_one(sv_listener *listener) {
  int taken = accept4(listener->descriptor, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (taken >= 0) {
    int on = 1;
    setsockopt(taken, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);  // fails on unix sockets, which have no such delay
    listener->accepted(listener->argument, taken);
    return true;
  }
  if (errno == EMFILE || errno == ENFILE) {
    accept_with_spare(listener);
    return false;
  }
  return errno == EINTR || errno == ECONNABORTED;
}

static void readable(evutil_socket_t descriptor, short what, void *argument) {
  (void)descriptor;
  (void)what;
  sv_listener *listener = argument;
  for (int i = 0; i < ACCEPTS_A_ROUND && listener->added && accept_one(listener); i++) {
  }
}

void sv_listener_accept_rest(sv_listener *listener) {
  for (int i = 0; i < BACKLOG * 2 && !listener->is_given && accept_one(listener); i++) {
  }
}

// On the loop's thread.
static void apply(sv_listener *listener) {
  bool wanted = !atomic_load_explicit(&listener->paused, memory_order_relaxed);  // only a wish, it guards nothing
  if (wanted != listener->added) {
    listener->added = wanted;
    if (wanted) {
      event_add(listener->event, NULL);
    } else {
      event_del(listener->event);
    }
  }
}

static void apply_task(sv_task *task) {
  sv_listener *listener = (sv_listener *)((char *)task - offsetof(sv_listener, apply));
  // seq_cst, here and in apply_soon(): either the poster sees false and posts again, or its wish is seen below.
  atomic_store(&listener->posted, false);
  if (listener->released) {
    free(listener);
  } else {
    apply(listener);
  }
}

static void apply_soon(sv_listener *listener) {
  if (sv_loop_is_here(listener->loop)) {
    apply(listener);
  } else if (!atomic_exchange(&listener->posted, true)) {
    sv_loop_post(listener->loop, &listener->apply);
  }
}

void sv_listener_pause(sv_listener *listener, bool paused) {
  if (atomic_exchange(&listener->paused, paused) != paused) {
    apply_soon(listener);
  }
}

// ---- Opening --------------------------------------------------------------------------------------------------------

static sv_error *cannot(const char *place, const char *what) {
  return sv_errorf(errno == EADDRINUSE ? MILLRACE_ALREADY_EXISTS : MILLRACE_INVALID_ARGUMENT,
                   "cannot listen at \"%s\": %s: %s", place, what, strerror(errno));
}

static sv_error *open_given(sv_listener *listener, const char *place) {
  uint64_t number = 0;
  if (!sv_str_number(sv_str_of(place + strlen("fd:")), INT32_MAX, &number)) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "\"%s\" is no place to listen: wanted fd:NUMBER", place);
  }
  int listens = 0;
  socklen_t size = sizeof listens;
  if (getsockopt((int)number, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size)) {
    return cannot(place, "it is no socket");
  }
  if (!listens) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "cannot listen at \"%s\": it is a socket that does not listen", place);
  }
  listener->descriptor = (int)number;
  listener->is_given = true;
  fcntl(listener->descriptor, F_SETFD, FD_CLOEXEC);
  if (evutil_make_socket_nonblocking(listener->descriptor)) {
    return cannot(place, "it cannot be made non-blocking");
  }
  listener->place = strdup(place);
  return listener->place ? NULL : sv_no_memory();
}

// A socket's file that nobody listens at is left over from a server that was killed.
static bool is_stale(const struct sockaddr_un *address) {
  struct stat file;
  if (lstat(address->sun_path, &file) || !S_ISSOCK(file.st_mode)) {
    return false;
  }
  int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  bool refused =
      probe >= 0 && connect(probe, (const struct sockaddr *)address, sizeof *address) && errno == ECONNREFUSED;
  if (probe >= 0) {
    close(probe);
  }
  return refused;
}

static sv_error *open_unix(sv_listener *listener, const char *place) {
  const char *path = place + strlen("unix:");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (!*path || strlen(path) >= sizeof address.sun_path) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "cannot listen at \"%s\": wanted a path of 1 to %zu bytes", place,
                     sizeof address.sun_path - 1);
  }
  memcpy(address.sun_path, path, strlen(path));
  listener->descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener->descriptor < 0) {
    return cannot(place, "socket");
  }
  int failed = bind(listener->descriptor, (struct sockaddr *)&address, sizeof address);
  if (failed && errno == EADDRINUSE) {
    if (is_stale(&address)) {
      unlink(path);
      failed = bind(listener->descriptor, (struct sockaddr *)&address, sizeof address);
    } else {
      errno = EADDRINUSE;
    }
  }
  if (failed) {
    return cannot(place, "bind");
  }
  listener->unix_path = strdup(path);
  listener->place = strdup(place);
  if (!listener->unix_path || !listener->place) {
    unlink(path);
    return sv_no_memory();
  }
  return listen(listener->descriptor, BACKLOG) ? cannot(place, "listen") : NULL;
}

// "host:port" or "[host]:port" into two texts.
static bool split(const char *place, char *host, size_t host_room, const char **out_port) {
  const char *colon = strrchr(place, ':');
  if (!colon || colon == place) {
    return false;
  }
  const char *begin = place, *end = colon;
  if (*begin == '[') {
    begin++;
    end--;
    if (*end != ']') {
      return false;
    }
  } else if (memchr(begin, ':', (size_t)(end - begin))) {
    return false;  // an IPv6 address needs its brackets
  }
  if (begin >= end || (size_t)(end - begin) >= host_room) {
    return false;
  }
  memcpy(host, begin, (size_t)(end - begin));
  host[end - begin] = 0;
  *out_port = colon + 1;
  uint64_t port = 0;
  return sv_str_number(sv_str_of(*out_port), 65535, &port);
}

static bool bind_one(sv_listener *listener, const struct addrinfo *address) {
  int on = 1;
  listener->descriptor = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener->descriptor < 0) {
    return false;
  }
  setsockopt(listener->descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener->descriptor, address->ai_addr, address->ai_addrlen) == 0 &&
      listen(listener->descriptor, BACKLOG) == 0) {
    return true;
  }
  int error = errno;
  close(listener->descriptor);
  listener->descriptor = -1;
  errno = error;
  return false;
}

static sv_error *note_place(sv_listener *listener) {
  struct sockaddr_storage address = {0};
  socklen_t size = sizeof address;
  char host[INET6_ADDRSTRLEN + 32] = "", port[16] = "";  // with a scope: "fe80::1%eth0"
  getsockname(listener->descriptor, (struct sockaddr *)&address, &size);
  getnameinfo((struct sockaddr *)&address, size, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
  const char *form = address.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s";
  char text[sizeof host + sizeof port + 4];
  snprintf(text, sizeof text, form, host, port);
  listener->place = strdup(text);
  return listener->place ? NULL : sv_no_memory();
}

static sv_error *open_tcp(sv_listener *listener, const char *place) {
  char host[256];
  const char *port = NULL;
  if (!split(place, host, sizeof host, &port)) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT,
                     "\"%s\" is no place to listen: wanted HOST:PORT, [ADDRESS]:PORT, unix:PATH or fd:NUMBER", place);
  }
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *list = NULL;
  int failed = getaddrinfo(host, port, &hints, &list);
  if (failed) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "cannot listen at \"%s\": %s", place, gai_strerror(failed));
  }
  bool bound = false;
  for (struct addrinfo *address = list; address && !bound; address = address->ai_next) {
    bound = bind_one(listener, address);
  }
  int error = errno;
  freeaddrinfo(list);
  errno = error;
  return bound ? note_place(listener) : cannot(place, "bind");
}

static void destroy(sv_listener *listener) {
  if (listener->event) {
    event_free(listener->event);
  }
  if (listener->descriptor >= 0) {
    close(listener->descriptor);
  }
  if (listener->spare >= 0) {
    close(listener->spare);
  }
  if (listener->unix_path) {
    unlink(listener->unix_path);
  }
  free(listener->unix_path);
  free(listener->place);
}

static sv_error *begin(sv_listener *listener, const char *place) {
  if (sv_str_begins(sv_str_of(place), "unix:")) {
    SV_TRY(open_unix(listener, place));
  } else if (sv_str_begins(sv_str_of(place), "fd:")) {
    SV_TRY(open_given(listener, place));
  } else {
    SV_TRY(open_tcp(listener, place));
  }
  listener->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
  listener->event =
      event_new(sv_loop_base(listener->loop), listener->descriptor, EV_READ | EV_PERSIST, readable, listener);
  return listener->event ? NULL : sv_no_memory();
}

sv_error *sv_listener_create(sv_loop *loop, const char *place, void (*accepted)(void *argument, int take_descriptor),
                             void *argument, sv_listener **out_listener) {
  *out_listener = NULL;
  sv_listener *listener = calloc(1, sizeof *listener);
  if (!listener) {
    return sv_no_memory();
  }
  listener->loop = loop;
  listener->descriptor = listener->spare = -1;
  listener->accepted = accepted;
  listener->argument = argument;
  listener->apply.run = apply_task;
  sv_error *error = begin(listener, place);
  if (error) {
    destroy(listener);
    free(listener);
    return error;
  }
  *out_listener = listener;
  apply_soon(listener);
  return NULL;
}

const char *sv_listener_place(const sv_listener *listener) { return listener->place; }

void sv_listener_release(sv_listener *listener) {
  if (listener) {
    destroy(listener);
    listener->released = true;
    if (!atomic_load(&listener->posted)) {
      free(listener);
    }
  }
}
