// systemd's protocols: LISTEN_FDS, NOTIFY_SOCKET, WATCHDOG_USEC.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "serve/app/systemd.h"

enum { FIRST_DESCRIPTOR = 3 };

static bool is_for_us(const char *variable) {
  uint64_t pid;
  return sv_str_number(sv_str_of(getenv(variable)), INT32_MAX, &pid) && pid == (uint64_t)getpid();
}

uint32_t sv_systemd_sockets(void) {
  uint64_t count = 0;
  if (!is_for_us("LISTEN_PID") || !sv_str_number(sv_str_of(getenv("LISTEN_FDS")), 1024, &count)) {
    count = 0;
  }
  unsetenv("LISTEN_PID");
  unsetenv("LISTEN_FDS");
  unsetenv("LISTEN_FDNAMES");
  for (uint64_t i = 0; i < count; i++) {
    fcntl(FIRST_DESCRIPTOR + (int)i, F_SETFD, FD_CLOEXEC);
  }
  return (uint32_t)count;
}

void sv_systemd_tell(const char *what) {
  const char *path = getenv("NOTIFY_SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (!path || (path[0] != '/' && path[0] != '@') || strlen(path) >= sizeof address.sun_path) {
    return;
  }
  memcpy(address.sun_path, path, strlen(path));
  if (path[0] == '@') {
    address.sun_path[0] = 0;  // the abstract name space
  }
  char text[128];
  int size = snprintf(text, sizeof text, "%s\n", what);
  if (strcmp(what, "RELOADING=1") == 0) {
    size += snprintf(text + size, sizeof text - (size_t)size, "MONOTONIC_USEC=%llu\n",
                     (unsigned long long)(sv_now_ns() / 1000));
  }
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor >= 0) {
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
    // Nobody can be told that nobody could be told.
    ssize_t sent = sendto(descriptor, text, (size_t)size, MSG_NOSIGNAL, (struct sockaddr *)&address, length);
    (void)sent;
    close(descriptor);
  }
}

uint64_t sv_systemd_watchdog_ns(void) {
  uint64_t us;
  if (!sv_str_number(sv_str_of(getenv("WATCHDOG_USEC")), UINT64_MAX / 1000, &us) ||
      (getenv("WATCHDOG_PID") && !is_for_us("WATCHDOG_PID"))) {
    return 0;
  }
  return us * 1000 / 2;
}
