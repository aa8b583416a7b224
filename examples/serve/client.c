// Asks a server for a digit: client [HOST [PORT]]. The model is the one of export_model.py; tensors go and come as bytes.
//
//   cc -std=gnu17 client.c -o client
//
// HTTP/1.1 over a socket, and no library: what a program needs that asks one server, one thing at a time. The processor is little-endian, as the protocol is.
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SEGMENTS = 7, DIGITS = 10 };

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static int connect_to(const char *host, const char *port) {
  struct addrinfo wanted = {.ai_socktype = SOCK_STREAM}, *found;
  int error = getaddrinfo(host, port, &wanted, &found);
  if (error) {
    fail(gai_strerror(error));
  }
  for (struct addrinfo *at = found; at; at = at->ai_next) {
    int descriptor = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
    if (descriptor >= 0 && connect(descriptor, at->ai_addr, at->ai_addrlen) == 0) {
      freeaddrinfo(found);
      return descriptor;
    }
    close(descriptor);
  }
  fail("nobody listens there");
  return -1;
}

static void send_all(int descriptor, const void *bytes, size_t size) {
  for (const char *at = bytes; size;) {
    ssize_t sent = send(descriptor, at, size, MSG_NOSIGNAL);
    if (sent <= 0) {
      fail("the server is gone");
    }
    at += sent;
    size -= (size_t)sent;
  }
}

// Head, JSON and bytes in one piece: two small ones would wait for each other.
static void send_request(int descriptor, const char *host, const float segments[SEGMENTS]) {
  char json[256], request[1024];
  int json_size = snprintf(json, sizeof json,
                           "{\"inputs\":[{\"name\":\"segments\",\"datatype\":\"FP32\",\"shape\":[1,%d],"
                           "\"parameters\":{\"binary_data_size\":%zu}}],\"parameters\":{\"binary_data_output\":true}}",
                           SEGMENTS, SEGMENTS * sizeof *segments);
  int size = snprintf(request, sizeof request,
                      "POST /v2/models/digits/infer HTTP/1.1\r\nHost: %.200s\r\nContent-Length: %zu\r\n"
                      "Inference-Header-Content-Length: %d\r\n\r\n%s",
                      host, (size_t)json_size + SEGMENTS * sizeof *segments, json_size, json);
  memcpy(request + size, segments, SEGMENTS * sizeof *segments);
  send_all(descriptor, request, (size_t)size + SEGMENTS * sizeof *segments);
}

// The number behind `name` in the head; -1: it is not there.
static long field(const char *head, const char *name) {
  size_t size = strlen(name);
  for (const char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n")) {
    if (strncasecmp(line + 2, name, size) == 0 && line[2 + size] == ':') {
      return strtol(line + 2 + size + 1, NULL, 10);
    }
  }
  return -1;
}

// The answer's body in `answer`, as a text where it is one. Its size.
static size_t receive(int descriptor, char *answer, size_t room, long *out_status, long *out_json_size) {
  size_t size = 0;
  char *body = NULL;
  long length = -1;
  while (!body || size < (size_t)(body - answer) + (size_t)length) {
    ssize_t got = size < room - 1 ? recv(descriptor, answer + size, room - 1 - size, 0) : 0;
    if (got <= 0) {
      fail("the answer ends early, or is larger than it can be");
    }
    size += (size_t)got;
    answer[size] = 0;
    char *end = body ? NULL : strstr(answer, "\r\n\r\n");
    if (end) {
      *end = 0;
      body = end + 4;
      length = field(answer, "Content-Length");
      *out_json_size = field(answer, "Inference-Header-Content-Length");
      *out_status = strtol(answer + strlen("HTTP/1.1 "), NULL, 10);
      if (length < 0) {
        fail("the answer does not say how long it is");
      }
    }
  }
  memmove(answer, body, (size_t)length + 1);
  return (size_t)length;
}

int main(int argc, char **argv) {
  const char *host = argc > 1 ? argv[1] : "127.0.0.1", *port = argc > 2 ? argv[2] : "8000";
  const float segments[SEGMENTS] = {1, 1, 0, 1, 1, 0, 1};
  char answer[8192];
  long status, json_size;
  int descriptor = connect_to(host, port);
  send_request(descriptor, host, segments);
  size_t size = receive(descriptor, answer, sizeof answer, &status, &json_size);
  close(descriptor);
  if (status != 200) {
    fail(answer);  // {"error":"..."}
  }
  float digits[DIGITS];
  if (json_size < 0 || size != (size_t)json_size + sizeof digits) {
    fail("the answer is not of ten floats");
  }
  memcpy(digits, answer + json_size, sizeof digits);
  int best = 0;
  for (int i = 1; i < DIGITS; i++) {
    best = digits[i] > digits[best] ? i : best;
  }
  printf("%d (%.3f)\n", best, (double)digits[best]);
  return 0;
}
