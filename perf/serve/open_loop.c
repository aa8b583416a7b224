// A client over keep-alive connections that checks every answer. Requests leave at random times of a Poisson process, whether earlier ones have been
// answered or not, and latency counts from when a request was to leave: a server that stalls does not hide it. With rate 0 each connection has
// one request under way, as fast as it goes.
//
//   gcc -O2 perf/serve/open_loop.c -o open_loop -lm
//   open_loop PORT PATH CASES CONNECTIONS RATE SECONDS [HEADERS]      one line of JSON
//
// CASES: for each a header of three uint32 (bytes of the request's body, of its JSON, of the wanted answer), the body, and the wanted answer: f32
// numbers, which the last bytes of the answer's body are to be. RATE in requests a second. HEADERS: more lines, each ended by "\n".
#define _GNU_SOURCE  // epoll_pwait2(), memmem()
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAX_SAMPLES = 1 << 23 };
static const float TOLERANCE = 1e-4f;  // batches of other sizes may differ in the last bits

typedef struct request {
  char *bytes;  // head and body
  size_t size;
  const float *wanted;
  uint32_t wanted_bytes;
} request;

typedef struct connection {
  int fd;
  const request *asked;  // NULL: free
  uint64_t due_ns;
  size_t sent, received, room;
  char *answer;
} connection;

typedef struct counts {
  uint64_t ok, refused, other, wrong, broken, late;  // refused: 503 or 429. late: due, and never sent before the end
} counts;

static request *cases;
static uint32_t num_cases;
static connection *connections;
static int num_connections, epoll, port;
static counts count;
static uint32_t *accepted_us, *refused_us;  // latencies
static uint64_t *due;                       // requests that wait for a free connection: a ring
static uint64_t due_head, due_tail;
static char first_other[512];

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void die(const char *what) {
  perror(what);
  exit(1);
}

static void read_cases(const char *path, const char *target, const char *headers) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    die(path);
  }
  uint32_t sizes[3];
  while (fread(sizes, sizeof sizes, 1, file) == 1) {
    cases = realloc(cases, (num_cases + 1) * sizeof *cases);
    request *r = &cases[num_cases++];
    r->bytes = malloc(sizes[0] + 4096);
    float *wanted = malloc(sizes[2] + 1);
    const int head = snprintf(r->bytes, 4096,
                              "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %u\r\n"
                              "Inference-Header-Content-Length: %u\r\n%s\r\n",
                              target, sizes[0], sizes[1], headers);
    if (fread(r->bytes + head, 1, sizes[0], file) != sizes[0] || fread(wanted, 1, sizes[2], file) != sizes[2]) {
      die(path);
    }
    r->size = (size_t)head + sizes[0];
    r->wanted = wanted;
    r->wanted_bytes = sizes[2];
  }
  fclose(file);
}

static void open_connection(connection *c) {
  const struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
  const int on = 1;
  c->fd = socket(AF_INET, SOCK_STREAM, 0);
  if (c->fd < 0 || connect(c->fd, (const struct sockaddr *)&address, sizeof address)) {
    die("connect");
  }
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
  epoll_ctl(epoll, EPOLL_CTL_ADD, c->fd, &event);
  c->asked = NULL;
}

static void reopen(connection *c) {
  close(c->fd);
  open_connection(c);
}

static void send_more(connection *c) {
  while (c->sent < c->asked->size) {
    const ssize_t size = send(c->fd, c->asked->bytes + c->sent, c->asked->size - c->sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (size < 0) {
      break;
    }
    c->sent += (size_t)size;
  }
  const bool all = c->sent == c->asked->size;
  struct epoll_event event = {.events = EPOLLIN | (all ? 0u : EPOLLOUT), .data.ptr = c};
  epoll_ctl(epoll, EPOLL_CTL_MOD, c->fd, &event);
}

static void ask(connection *c, uint64_t due_ns) {
  static uint32_t next;
  c->asked = &cases[next++ % num_cases];
  c->due_ns = due_ns;
  c->sent = c->received = 0;
  send_more(c);
}

static bool is_right(const request *r, const char *body, size_t size) {
  if (size < r->wanted_bytes) {
    return false;
  }
  for (uint32_t i = 0; i < r->wanted_bytes / sizeof(float); i++) {
    float got;
    memcpy(&got, body + size - r->wanted_bytes + i * sizeof got, sizeof got);
    if (!(fabsf(got - r->wanted[i]) <= TOLERANCE * (1 + fabsf(r->wanted[i])))) {
      return false;
    }
  }
  return true;
}

static void judge(const connection *c, const char *body, size_t size) {
  const int status = atoi(c->answer + 9);
  const uint64_t us = (now_ns() - c->due_ns) / 1000;
  const uint32_t latency = us > UINT32_MAX ? UINT32_MAX : (uint32_t)us;
  if (status == 200) {
    count.wrong += !is_right(c->asked, body, size);
    if (count.ok < MAX_SAMPLES) {
      accepted_us[count.ok] = latency;
    }
    count.ok++;
  } else if (status == 503 || status == 429) {
    if (count.refused < MAX_SAMPLES) {
      refused_us[count.refused] = latency;
    }
    count.refused++;
  } else if (!count.other++) {
    snprintf(first_other, sizeof first_other, "%d %.*s", status, (int)size, body);
  }
}

// True when a whole answer has come.
static bool take_answer(connection *c) {
  const char *end = memmem(c->answer, c->received, "\r\n\r\n", 4);
  if (!end) {
    return false;
  }
  const size_t head = (size_t)(end - c->answer) + 4;
  const char *length = memmem(c->answer, head, "Content-Length: ", 16);
  if (!length) {
    length = memmem(c->answer, head, "content-length: ", 16);
  }
  const size_t body = length ? strtoul(length + 16, NULL, 10) : 0;
  if (c->received < head + body) {
    return false;
  }
  judge(c, c->answer + head, body);
  c->asked = NULL;
  return true;
}

static bool receive(connection *c) {
  if (c->received == c->room) {
    c->room = c->room ? 2 * c->room : 65536;
    c->answer = realloc(c->answer, c->room + 1);
  }
  const ssize_t size = recv(c->fd, c->answer + c->received, c->room - c->received, MSG_DONTWAIT);
  if (size < 0 && errno == EAGAIN) {
    return false;
  }
  if (size <= 0) {
    count.broken += c->asked != NULL;
    reopen(c);
    return true;
  }
  c->received += (size_t)size;
  c->answer[c->received] = 0;
  if (!c->asked) {
    return false;
  }
  if (!take_answer(c)) {
    return false;
  }
  if (memmem(c->answer, c->received, "Connection: close", 17)) {
    reopen(c);
  }
  return true;
}

static double next_gap(double rate) { return -log((random() + 1.0) / (RAND_MAX + 2.0)) / rate * 1e9; }

static void give(connection *c, double rate, bool over) {
  if (c->asked) {
    return;
  }
  if (rate <= 0) {
    if (!over) {
      ask(c, now_ns());
    }
  } else if (due_head != due_tail && !over) {
    ask(c, due[due_head++ % MAX_SAMPLES]);
  }
}

// Sleeps until then at most: a client that spins would take a processor from the server that it measures.
static void take_events(double wait_ns, double rate, bool over) {
  struct epoll_event events[256];
  const struct timespec wait = {.tv_sec = (time_t)(wait_ns / 1e9), .tv_nsec = (long)fmod(wait_ns, 1e9)};
  const int ready = epoll_pwait2(epoll, events, 256, &wait, NULL);
  for (int i = 0; i < ready; i++) {
    connection *c = events[i].data.ptr;
    if (events[i].events & EPOLLOUT && c->asked) {
      send_more(c);
    }
    if (events[i].events & ~(uint32_t)EPOLLOUT && receive(c)) {
      give(c, rate, over);
    }
  }
}

static uint64_t run(double rate, double seconds) {
  const uint64_t begin = now_ns(), end = begin + (uint64_t)(seconds * 1e9);
  double next = (double)begin;
  int turn = 0;
  for (uint64_t now = begin; now < end; now = now_ns()) {
    while (rate > 0 && next <= (double)now && due_tail - due_head < MAX_SAMPLES) {
      due[due_tail++ % MAX_SAMPLES] = (uint64_t)next;
      next += next_gap(rate);
    }
    for (int i = 0; i < num_connections && (rate <= 0 || due_head != due_tail); i++) {
      give(&connections[(turn + i) % num_connections], rate, false);
    }
    turn++;
    double wait = (double)end - (double)now_ns();
    if (rate > 0) {
      wait = fmin(wait, next - (double)now_ns());
    }
    take_events(fmax(wait, 0), rate, false);
  }
  count.late = due_tail - due_head;
  const uint64_t over = now_ns();
  for (int i = 0; i < num_connections; i++) {  // what is under way is waited for, 10 s at most
    while (connections[i].asked && now_ns() < over + 10000000000u) {
      take_events(1e7, rate, true);
    }
    count.broken += connections[i].asked != NULL;
  }
  return over - begin;
}

static int compare(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void print_latency(const char *name, uint32_t *us, uint64_t number) {
  const uint64_t n = number < MAX_SAMPLES ? number : MAX_SAMPLES;
  qsort(us, n, sizeof *us, compare);
  const double at[] = {0.5, 0.9, 0.99, 0.999};
  const char *names[] = {"p50", "p90", "p99", "p999"};
  for (int i = 0; i < 4; i++) {
    printf(",\"%s%s_us\":%u", name, names[i], n ? us[(uint64_t)((double)(n - 1) * at[i])] : 0);
  }
}

int main(int argc, char **arguments) {
  if (argc < 7) {
    fprintf(stderr, "open_loop PORT PATH CASES CONNECTIONS RATE SECONDS [HEADERS]\n");
    return 1;
  }
  port = atoi(arguments[1]);
  char headers[2048] = "";
  for (const char *at = argc > 7 ? arguments[7] : ""; *at && strlen(headers) + 3 < sizeof headers; at++) {
    strcat(headers, *at == '\n' ? "\r\n" : (char[]){*at, 0});
  }
  read_cases(arguments[3], arguments[2], headers);
  num_connections = atoi(arguments[4]);
  const double rate = atof(arguments[5]), seconds = atof(arguments[6]);
  epoll = epoll_create1(0);
  connections = calloc((size_t)num_connections, sizeof *connections);
  accepted_us = malloc(MAX_SAMPLES * sizeof *accepted_us);
  refused_us = malloc(MAX_SAMPLES * sizeof *refused_us);
  due = malloc(MAX_SAMPLES * sizeof *due);
  if (!num_cases || !connections || !accepted_us || !refused_us || !due) {
    die("open_loop");
  }
  for (int i = 0; i < num_connections; i++) {
    open_connection(&connections[i]);
  }
  const double took = (double)run(rate, seconds) / 1e9;
  printf("{\"seconds\":%.3f,\"ok\":%lu,\"refused\":%lu,\"other\":%lu,\"wrong\":%lu,\"broken\":%lu,\"late\":%lu,"
         "\"rate\":%.1f",
         took, count.ok, count.refused, count.other, count.wrong, count.broken, count.late, (double)count.ok / took);
  print_latency("", accepted_us, count.ok);
  print_latency("refused_", refused_us, count.refused);
  printf("}\n");
  if (*first_other) {
    fprintf(stderr, "%s\n", first_other);
  }
  return 0;
}
