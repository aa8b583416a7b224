// A server of a line protocol on one libevent loop, with the work in graphs on millrace's threads: the loop never blocks,
// and no thread waits. Each line is answered when its graph has run; answers of a slow line do not hold up a quick one of
// another connection.
//
//   cc examples/event_loop.c $(pkg-config --cflags --libs millrace libevent_core) -o event_loop
//   ./event_loop 7777 &
//   printf 'primes 100000\nsleep 50\nprimes x\n' | nc -N localhost 7777
//
//   primes N   counts the primes below N: four nodes, and one that adds up after them
//   sleep MS   answers so much later: a timer of the engine's
//   quit       ends the server when all answers are out
#include <inttypes.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>
#include <millrace/engine.h>

typedef struct server {
  struct event_base *base;
  struct event *listener;
  millrace_engine *engine;
  millrace_loop *loop;
} server;

// Held by its reading event and by each answer that is not written yet.
typedef struct connection {
  server *server;
  struct event *readable;  // NULL: the other side is done
  int fd, holders;
  size_t used;
  char line[512];
} connection;

// ---- Work: runs on the engine's threads ---------------------------------------------------------------------------------

enum { PARTS = 4 };

typedef struct request {
  connection *from;
  millrace_event *answered;
  uint64_t below, primes;
  struct part {
    struct request *request;
    uint64_t index, primes;
  } parts[PARTS];
} request;

static bool is_prime(uint64_t n) {
  if (n < 2) {
    return false;
  }
  for (uint64_t d = 2; d * d <= n; d++) {
    if (n % d == 0) {
      return false;
    }
  }
  return true;
}

static millrace_error *count_part(void *argument) {
  struct part *part = argument;
  for (uint64_t n = part->index; n < part->request->below; n += PARTS) {
    part->primes += is_prime(n);
  }
  return NULL;
}

static millrace_error *add_up(void *argument) {
  request *r = argument;
  for (int i = 0; i < PARTS; i++) {
    r->primes += r->parts[i].primes;
  }
  return NULL;
}

// ---- Answers: on the loop's thread --------------------------------------------------------------------------------------

static void let_go(connection *c) {
  if (--c->holders > 0) {
    return;
  }
  close(c->fd);
  free(c);
}

static void answer(connection *c, const char *text) {
  // Short answers fit the socket's buffer; a real server would go on writing when the loop says so.
  if (write(c->fd, text, strlen(text)) < 0) {
    perror("write");
  }
}

static void on_answered(void *argument, millrace_error *error) {
  request *r = argument;
  char text[256];
  if (error) {
    snprintf(text, sizeof text, "error %s\n", millrace_error_message(error));
  } else if (r->below) {
    snprintf(text, sizeof text, "%" PRIu64 " primes below %" PRIu64 "\n", r->primes, r->below);
  } else {
    snprintf(text, sizeof text, "awake\n");
  }
  answer(r->from, text);
  millrace_event_release(r->answered);
  let_go(r->from);
  free(r);
}

static millrace_error *start_primes(server *s, request *r) {
  millrace_event *counted[PARTS] = {0};
  millrace_error *error = NULL;
  for (int i = 0; i < PARTS && !error; i++) {
    r->parts[i] = (struct part){.request = r, .index = (uint64_t)i};
    error = millrace_submit(s->engine, count_part, &r->parts[i], NULL, 0, &counted[i]);
  }
  if (!error) {
    error = millrace_submit(s->engine, add_up, r, counted, PARTS, &r->answered);
  }
  for (int i = 0; i < PARTS; i++) {
    // Out of memory halfway: what was started uses the request.
    if (error) {
      millrace_error_free(millrace_event_wait(counted[i]));
    }
    millrace_event_release(counted[i]);
  }
  return error;
}

static millrace_error *start(server *s, request *r, const char *line) {
  char *end = NULL;
  if (strncmp(line, "primes ", 7) == 0) {
    r->below = strtoull(line + 7, &end, 10);
    if (end != line + 7 && !*end && r->below && r->below <= 10000000) {
      return start_primes(s, r);
    }
  } else if (strncmp(line, "sleep ", 6) == 0) {
    uint64_t ms = strtoull(line + 6, &end, 10);
    if (end != line + 6 && !*end && ms <= 60000) {
      return millrace_timer_create(ms * 1000000, &r->answered);
    }
  }
  return millrace_error_create(MILLRACE_INVALID_ARGUMENT, "wanted: primes N, sleep MS or quit");
}

static void stop_reading(connection *c) {
  if (c->readable) {
    event_free(c->readable);
  }
  c->readable = NULL;
  let_go(c);
}

static void serve_line(connection *c, const char *line) {
  server *s = c->server;
  if (strcmp(line, "quit") == 0) {
    if (s->listener) {
      event_free(s->listener);
    }
    s->listener = NULL;
    return;
  }
  request *r = calloc(1, sizeof *r);
  if (!r) {
    return;
  }
  r->from = c;
  c->holders++;
  millrace_error *error = start(s, r, line);
  if (!error) {
    error = millrace_loop_watch(s->loop, r->answered, on_answered, r);
  }
  if (!error) {
    return;
  }
  on_answered(r, error);
  millrace_error_free(error);
}

// ---- Sockets --------------------------------------------------------------------------------------------------------

static void on_readable(evutil_socket_t fd, short what, void *argument) {
  (void)what;
  connection *c = argument;
  ssize_t got = read((int)fd, c->line + c->used, sizeof c->line - 1 - c->used);
  if (got <= 0) {
    stop_reading(c);
    return;
  }
  c->used += (size_t)got;
  char *begin = c->line, *end;
  while ((end = memchr(begin, '\n', (size_t)(c->line + c->used - begin)))) {
    *end = '\0';
    serve_line(c, begin);
    begin = end + 1;
  }
  c->used = (size_t)(c->line + c->used - begin);
  memmove(c->line, begin, c->used);
  if (c->used == sizeof c->line - 1) {
    stop_reading(c);  // no line is that long
  }
}

static void on_connection(evutil_socket_t fd, short what, void *argument) {
  (void)what;
  server *s = argument;
  int accepted = accept((int)fd, NULL, NULL);
  connection *c = accepted < 0 ? NULL : calloc(1, sizeof *c);
  if (!c) {
    if (accepted >= 0) {
      close(accepted);
    }
    return;
  }
  evutil_make_socket_nonblocking(accepted);
  *c = (connection){.server = s, .fd = accepted, .holders = 1};
  c->readable = event_new(s->base, accepted, EV_READ | EV_PERSIST, on_readable, c);
  if (!c->readable || event_add(c->readable, NULL) != 0) {
    stop_reading(c);
  }
}

static int listen_on(uint16_t port) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), one = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  socklen_t size = sizeof address;
  if (bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, 64) != 0 ||
      getsockname(fd, (struct sockaddr *)&address, &size) != 0) {
    perror("listen");
    exit(1);
  }
  printf("listening on %d\n", ntohs(address.sin_port));
  fflush(stdout);
  return fd;
}

static void check(millrace_error *error) {
  if (!error) {
    return;
  }
  fprintf(stderr, "%s\n", millrace_error_message(error));
  exit(1);
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);  // who went away gets no answer
  server s = {.base = event_base_new()};
  check(millrace_engine_create(NULL, &s.engine));
  check(millrace_loop_create(s.base, &s.loop));
  int fd = listen_on((uint16_t)(argc > 1 ? atoi(argv[1]) : 0));  // 0: any port
  s.listener = event_new(s.base, fd, EV_READ | EV_PERSIST, on_connection, &s);
  event_add(s.listener, NULL);
  // Ends when nothing is pending any more: no listener, no connection, no answer.
  event_base_dispatch(s.base);
  millrace_loop_release(s.loop);
  millrace_engine_release(s.engine);
  event_base_free(s.base);
  close(fd);
  return 0;
}
