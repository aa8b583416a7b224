#include "pjrt/cross_host/cross_host_wire.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

// NAME: of a socket, in hex behind the zero byte that says "abstract".
enum { MESSAGE_LIMIT = 4096, BACKLOG = 4096, NAME_BYTES = 16, NAME_SIZE = 2 * NAME_BYTES };
static const uint64_t MAGIC = 0x3152454653524D72u;

mr_status mr_pjrt_wire_system_error(const char *what) {
  return mr_error(MR_UNAVAILABLE, "%s: %s", what, strerror(errno));
}

mr_status mr_pjrt_wire_closed(void) {
  return mr_error(MR_CANCELLED, "the client was destroyed during a transfer between processes");
}

void mr_pjrt_wire_rest(void) { nanosleep(&(struct timespec){.tv_nsec = MR_PJRT_POLL_MS * 1000000L}, NULL); }

mr_status mr_pjrt_random(uint8_t *to, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t n = getrandom(to + done, size - done, 0);
    if (n > 0) {
      done += (size_t)n;
    } else if (n == 0 || errno != EINTR) {
      return mr_pjrt_wire_system_error("random bytes");
    }
  }
  return MR_OK;
}

// ---- Sockets --------------------------------------------------------------------------------------------------------

static void put_hex(char *to, const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    snprintf(to + 2 * i, 3, "%02x", bytes[i]);
  }
}

static socklen_t address_size(void) { return offsetof(struct sockaddr_un, sun_path) + 1 + NAME_SIZE; }

mr_status mr_pjrt_wire_listen(struct sockaddr_un *out_address, int *out_fd) {
  uint8_t name[NAME_BYTES];
  *out_fd = -1;
  *out_address = (struct sockaddr_un){.sun_family = AF_UNIX};
  MR_TRY(mr_pjrt_random(name, sizeof name));
  put_hex(out_address->sun_path + 1, name, sizeof name);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0 || bind(fd, (const struct sockaddr *)out_address, address_size()) != 0 || listen(fd, BACKLOG) != 0) {
    mr_status status = mr_pjrt_wire_system_error("a socket for transfers between processes");
    if (fd >= 0) {
      close(fd);
    }
    return status;
  }
  *out_fd = fd;
  return MR_OK;
}

// Of a socket that does not block: neither a full queue nor a stopped process may hold the thread.
static mr_status connect_once(int fd, const struct sockaddr_un *address, bool *out_queue_is_full) {
  int failed;
  do {
    failed = connect(fd, (const struct sockaddr *)address, address_size());
  } while (failed && errno == EINTR);
  *out_queue_is_full = failed && errno == EAGAIN;
  return failed && errno != EAGAIN ? mr_pjrt_wire_system_error("the receiving process cannot be reached") : MR_OK;
}

mr_status mr_pjrt_wire_connect(const struct sockaddr_un *address, const _Atomic(bool) *closing,
                               mr_pjrt_wire *out_wire) {
  *out_wire = (mr_pjrt_wire){.fd = -1};
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) {
    return mr_pjrt_wire_system_error("a socket for a transfer between processes");
  }
  bool full;
  mr_status status = connect_once(fd, address, &full);
  mr_pjrt_wire wire = mr_pjrt_wire_over(fd, closing);
  // Who listened there may have died, and anybody may have taken its name since.
  if (!status && !full && !wire.same_user) {
    status = mr_error(MR_PERMISSION_DENIED, "process %d, which listens where a transfer should go, is not this user's",
                      wire.peer);
  }
  if (status || full) {
    close(fd);
    return status;
  }
  *out_wire = wire;
  return MR_OK;
}

mr_pjrt_wire mr_pjrt_wire_over(int fd, const _Atomic(bool) *closing) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  bool known = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
  return (mr_pjrt_wire){
      .fd = fd, .peer = known ? (int)peer.pid : 0, .same_user = known && peer.uid == geteuid(), .closing = closing};
}

// ---- Bytes ----------------------------------------------------------------------------------------------------------

// Or until it may be worth a try.
static mr_status wait_for_peer(const mr_pjrt_wire *wire, short events) {
  for (;;) {
    struct pollfd poller = {.fd = wire->fd, .events = events};
    int ready = poll(&poller, 1, MR_PJRT_POLL_MS);
    bool cannot_wait = ready < 0 && errno != EINTR;
    if (cannot_wait) {
      mr_pjrt_wire_rest();
    }
    if (ready > 0 ||
        (cannot_wait && !atomic_load_explicit(wire->closing, memory_order_relaxed))) {  // relaxed: as below
      return MR_OK;
    }
    if (atomic_load_explicit(wire->closing, memory_order_relaxed)) {  // relaxed: see the header
      return mr_pjrt_wire_closed();
    }
  }
}

static mr_status broken(const mr_pjrt_wire *wire, const char *doing, size_t done, size_t size, const char *why) {
  return mr_error(MR_UNAVAILABLE, "process %d is gone: %s it, after %zu of %zu bytes: %s", wire->peer, doing, done,
                  size, why);
}

// Not blocking, so that closing is noticed.
mr_status mr_pjrt_wire_read(const mr_pjrt_wire *wire, void *to, size_t size) {
  for (size_t got = 0; got < size;) {
    ssize_t n = recv(wire->fd, (char *)to + got, size - got, MSG_DONTWAIT);
    if (n > 0) {
      got += (size_t)n;
    } else if (n == 0) {
      return broken(wire, "reading from", got, size, "it closed the connection");
    } else if (errno == EAGAIN || errno == EINTR) {
      MR_TRY(wait_for_peer(wire, POLLIN));
    } else {
      return broken(wire, "reading from", got, size, strerror(errno));
    }
  }
  return MR_OK;
}

mr_status mr_pjrt_wire_write(const mr_pjrt_wire *wire, const void *from, size_t size) {
  for (size_t sent = 0; sent < size;) {
    ssize_t n = send(wire->fd, (const char *)from + sent, size - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n > 0) {
      sent += (size_t)n;
    } else if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
      MR_TRY(wait_for_peer(wire, POLLOUT));
    } else {
      return broken(wire, "writing to", sent, size, strerror(errno));
    }
  }
  return MR_OK;
}

// ---- Statuses -------------------------------------------------------------------------------------------------------

mr_status mr_pjrt_wire_write_status(const mr_pjrt_wire *wire, mr_pjrt_wire_header head, mr_status status) {
  const char *message = mr_status_message(status);
  head.magic = MAGIC;
  head.code = status ? (uint32_t)mr_status_code(status) : 0;
  head.message_size = status ? (uint32_t)MR_MIN(strlen(message), (size_t)MESSAGE_LIMIT) : 0;
  MR_TRY(mr_pjrt_wire_write(wire, &head, sizeof head));
  return mr_pjrt_wire_write(wire, message, head.message_size);
}

mr_status mr_pjrt_wire_read_status(const mr_pjrt_wire *wire, mr_pjrt_wire_header *out_head, mr_status *out_status) {
  char message[MESSAGE_LIMIT];
  MR_TRY(mr_pjrt_wire_read(wire, out_head, sizeof *out_head));
  if (out_head->magic != MAGIC || out_head->message_size > MESSAGE_LIMIT) {
    return mr_error(MR_DATA_LOSS, "what process %d sent is no transfer of millrace's", wire->peer);
  }
  MR_TRY(mr_pjrt_wire_read(wire, message, out_head->message_size));
  *out_status = out_head->code == 0
                    ? MR_OK
                    : mr_error((mr_code)(out_head->code <= MR_UNAUTHENTICATED ? out_head->code : MR_UNKNOWN), "%.*s",
                               (int)out_head->message_size, message);
  return MR_OK;
}

// ---- Descriptors ----------------------------------------------------------------------------------------------------

#define DESCRIPTOR_PREFIX "millrace-2:"
static_assert(sizeof DESCRIPTOR_PREFIX + NAME_SIZE + 1 + 2 * MR_PJRT_TOKEN_SIZE <= MR_PJRT_DESCRIPTOR_SIZE, "it fits");

static bool read_hex(const char *from, uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    unsigned value;
    if (sscanf(from + 2 * i, "%2x", &value) != 1) {
      return false;
    }
    bytes[i] = (uint8_t)value;
  }
  return true;
}

void mr_pjrt_descriptor_print(const struct sockaddr_un *address, const uint8_t *token, char *out) {
  char hex[2 * MR_PJRT_TOKEN_SIZE + 1];
  put_hex(hex, token, MR_PJRT_TOKEN_SIZE);
  snprintf(out, MR_PJRT_DESCRIPTOR_SIZE, DESCRIPTOR_PREFIX "%.*s:%s", NAME_SIZE, address->sun_path + 1, hex);
}

mr_status mr_pjrt_descriptor_parse(mr_str text, struct sockaddr_un *out_address, uint8_t *out_token) {
  const size_t prefix = sizeof DESCRIPTOR_PREFIX - 1, wanted = prefix + NAME_SIZE + 1 + 2 * MR_PJRT_TOKEN_SIZE;
  char copy[MR_PJRT_DESCRIPTOR_SIZE] = "";
  if (text.size == wanted) {
    memcpy(copy, text.data, wanted);
  }
  *out_address = (struct sockaddr_un){.sun_family = AF_UNIX};
  memcpy(out_address->sun_path + 1, copy + prefix, NAME_SIZE);
  if (memcmp(copy, DESCRIPTOR_PREFIX, prefix) != 0 || copy[prefix + NAME_SIZE] != ':' ||
      !read_hex(copy + prefix + NAME_SIZE + 1, out_token, MR_PJRT_TOKEN_SIZE)) {
    return mr_error(MR_INVALID_ARGUMENT,
                    "a transfer's descriptor of %zu bytes, wanted one of %zu that another process made", text.size,
                    wanted);
  }
  return MR_OK;
}
