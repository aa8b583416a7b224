// What the kernel alone takes: a server that parses nothing. It looks at the first request for its length, takes all others to be as long, and
// answers each with the same bytes.
//
//   gcc -O2 perf/serve/floor.c -o floor;  floor ANSWER_FILE [THREADS]      prints its port
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_DESCRIPTORS = 65536, MAX_THREADS = 64 };

static char answer[65536];
static size_t answer_size;
static size_t received[MAX_DESCRIPTORS];      // of the request that a connection is in
static size_t request_size[MAX_DESCRIPTORS];  // 0: no request has come yet
static int epolls[MAX_THREADS];

static size_t size_of_first(const char *head, size_t size) {
  const char *end = memmem(head, size, "\r\n\r\n", 4);
  const char *length = memmem(head, size, "Content-Length: ", 16);
  if (!end) {
    fprintf(stderr, "the first request's head comes in pieces\n");
    exit(1);
  }
  return (size_t)(end - head) + 4 + (length && length < end ? strtoul(length + 16, NULL, 10) : 0);
}

static void serve(int fd, char *buffer, size_t room) {
  const ssize_t size = read(fd, buffer, room);
  if (size <= 0) {
    close(fd);
    return;
  }
  if (!request_size[fd]) {
    request_size[fd] = size_of_first(buffer, (size_t)size);
  }
  for (received[fd] += (size_t)size; received[fd] >= request_size[fd]; received[fd] -= request_size[fd]) {
    if (send(fd, answer, answer_size, MSG_NOSIGNAL) != (ssize_t)answer_size) {
      close(fd);
      return;
    }
  }
}

static void *loop(void *argument) {
  static _Thread_local char buffer[1 << 20];
  struct epoll_event events[64];
  const int epoll = *(int *)argument;
  for (;;) {
    const int count = epoll_wait(epoll, events, 64, -1);
    for (int i = 0; i < count; i++) {
      serve(events[i].data.fd, buffer, sizeof buffer);
    }
  }
  return NULL;
}

int main(int count, char **arguments) {
  FILE *file = count > 1 ? fopen(arguments[1], "rb") : NULL;
  const int threads = count > 2 ? atoi(arguments[2]) : 1;
  if (!file || threads < 1 || threads > MAX_THREADS) {
    fprintf(stderr, "floor ANSWER_FILE [THREADS]\n");
    return 1;
  }
  answer_size = fread(answer, 1, sizeof answer, file);
  fclose(file);
  const int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 1024) ||
      getsockname(listener, (struct sockaddr *)&address, &size)) {
    perror("floor");
    return 1;
  }
  for (int i = 0; i < threads; i++) {
    pthread_t thread;
    epolls[i] = epoll_create1(0);
    pthread_create(&thread, NULL, loop, &epolls[i]);
  }
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (int next = 0;; next = (next + 1) % threads) {
    const int fd = accept(listener, NULL, NULL);
    if (fd < 0 || fd >= MAX_DESCRIPTORS) {
      continue;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    received[fd] = request_size[fd] = 0;
    epoll_ctl(epolls[next], EPOLL_CTL_ADD, fd, &(struct epoll_event){.events = EPOLLIN, .data.fd = fd});
  }
}
