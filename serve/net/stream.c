// A connected socket on a loop: raw events of libevent, so that bytes are read where they belong.
#include <errno.h>
#include <event2/event.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <arpa/inet.h>

#include "serve/net/tls.h"

struct sv_stream {
  sv_loop *loop;
  SSL *ssl;  // NULL: plain
  int descriptor;
  // Both are persistent, so that a request costs no epoll_ctl(). The one for writing is added only while something waits.
  struct event *read_event, *write_event;
  bool read_added, write_added;
  bool wish_reading, wish_writing;
  bool read_waits_to_write, write_waits_to_read;  // TLS: the call needs the other direction first
  bool read_more;                                 // TLS: the last read may have left bytes in OpenSSL's buffers
  bool is_local;
  bool *gone;  // in events(): set by sv_stream_close()
  void (*ready)(void *argument);
  void *argument;
  char *identity;
  char remote[INET6_ADDRSTRLEN + 16];  // "[address]:port", "unix:pid=7,uid=0"
};
_Static_assert(INET6_ADDRSTRLEN + 16 >= sizeof "unix:pid=2147483647,uid=4294967295", "fits remote");

static void want(struct event *event, bool *added, bool wanted) {
  if (*added != wanted) {
    *added = wanted;
    if (wanted) {
      event_add(event, NULL);
    } else {
      event_del(event);
    }
  }
}

static void update(sv_stream *stream) {
  bool reading = stream->wish_reading, writing = stream->wish_writing;
  want(stream->read_event, &stream->read_added, reading || (writing && stream->write_waits_to_read));
  want(stream->write_event, &stream->write_added, writing || (reading && stream->read_waits_to_write));
  if (reading && stream->read_more) {
    event_active(stream->read_event, EV_READ, 0);  // the socket will not tell of what OpenSSL holds
  }
}

static void events(evutil_socket_t descriptor, short what, void *argument) {
  (void)descriptor;
  (void)what;
  sv_stream *stream = argument;
  bool gone = false;
  stream->gone = &gone;
  stream->ready(stream->argument);
  if (!gone) {
    stream->gone = NULL;
    update(stream);
  }
}

static void note_peer(sv_stream *stream) {
  union {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_storage storage;
  } peer = {0};
  socklen_t size = sizeof peer;
  char host[INET6_ADDRSTRLEN] = "?";
  if (getpeername(stream->descriptor, &peer.any, &size)) {
    peer.any.sa_family = AF_UNSPEC;
  }
  if (peer.any.sa_family == AF_INET) {
    inet_ntop(AF_INET, &peer.v4.sin_addr, host, sizeof host);
    stream->is_local = ntohl(peer.v4.sin_addr.s_addr) >> 24 == 127;
    snprintf(stream->remote, sizeof stream->remote, "%s:%u", host, ntohs(peer.v4.sin_port));
  } else if (peer.any.sa_family == AF_INET6) {
    const struct in6_addr *address = &peer.v6.sin6_addr;
    inet_ntop(AF_INET6, address, host, sizeof host);
    stream->is_local = IN6_IS_ADDR_LOOPBACK(address) || (IN6_IS_ADDR_V4MAPPED(address) && address->s6_addr[12] == 127);
    snprintf(stream->remote, sizeof stream->remote, "[%s]:%u", host, ntohs(peer.v6.sin6_port));
  } else if (peer.any.sa_family == AF_UNIX) {
    struct ucred who = {0};
    size = sizeof who;
    getsockopt(stream->descriptor, SOL_SOCKET, SO_PEERCRED, &who, &size);
    stream->is_local = true;
    snprintf(stream->remote, sizeof stream->remote, "unix:pid=%d,uid=%u", (int)who.pid, (unsigned)who.uid);
  } else {
    snprintf(stream->remote, sizeof stream->remote, "unknown");
  }
}

static sv_error *begin(sv_stream *stream, sv_tls *tls) {
  struct event_base *base = sv_loop_base(stream->loop);
  if (evutil_make_socket_nonblocking(stream->descriptor)) {
    return sv_errorf(MILLRACE_INTERNAL, "a connection cannot be made non-blocking: %s", strerror(errno));
  }
  stream->read_event = event_new(base, stream->descriptor, EV_READ | EV_PERSIST, events, stream);
  stream->write_event = event_new(base, stream->descriptor, EV_WRITE | EV_PERSIST, events, stream);
  if (!stream->read_event || !stream->write_event) {
    return sv_no_memory();
  }
  if (tls && !(stream->ssl = sv_tls_open(tls, stream->descriptor))) {
    return sv_no_memory();
  }
  note_peer(stream);
  return NULL;
}

sv_error *sv_stream_create(sv_loop *loop, int take_descriptor, sv_tls *tls, void (*ready)(void *argument),
                           void *argument, sv_stream **out_stream) {
  *out_stream = NULL;
  sv_stream *stream = calloc(1, sizeof *stream);
  if (!stream) {
    close(take_descriptor);
    return sv_no_memory();
  }
  *stream = (sv_stream){.loop = loop, .descriptor = take_descriptor, .ready = ready, .argument = argument};
  sv_error *error = begin(stream, tls);
  if (error) {
    sv_stream_close(stream);
    return error;
  }
  *out_stream = stream;
  return NULL;
}

void sv_stream_set_ready(sv_stream *stream, void (*ready)(void *argument), void *argument) {
  stream->ready = ready;
  stream->argument = argument;
}

sv_loop *sv_stream_loop(const sv_stream *stream) { return stream->loop; }

static sv_io io_of_errno(void) {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? SV_IO_AGAIN : SV_IO_LOST;
}

sv_io sv_stream_read(sv_stream *stream, void *to, size_t room, size_t *out_size) {
  *out_size = 0;
  if (stream->ssl) {
    sv_io io = sv_tls_read(stream->ssl, to, room, out_size, &stream->read_waits_to_write);
    stream->read_more = io == SV_IO_OK && sv_tls_has_pending(stream->ssl);
    if (stream->read_waits_to_write) {
      update(stream);
    }
    return io;
  }
  ssize_t size = recv(stream->descriptor, to, room, 0);
  if (size > 0) {
    *out_size = (size_t)size;
    return SV_IO_OK;
  }
  return size == 0 ? SV_IO_END : io_of_errno();
}

sv_io sv_stream_write(sv_stream *stream, const struct iovec *pieces, int count, size_t *out_size) {
  *out_size = 0;
  count = count < IOV_MAX ? count : IOV_MAX;
  if (stream->ssl) {
    sv_io io = sv_tls_write(stream->ssl, pieces, count, out_size, &stream->write_waits_to_read);
    if (stream->write_waits_to_read) {
      update(stream);
    }
    return io;
  }
  // sendmsg(), because writev() has no way to say MSG_NOSIGNAL.
  struct msghdr message = {.msg_iov = (struct iovec *)(uintptr_t)pieces, .msg_iovlen = (size_t)count};
  ssize_t size = sendmsg(stream->descriptor, &message, MSG_NOSIGNAL);
  if (size < 0) {
    return io_of_errno();
  }
  *out_size = (size_t)size;
  return SV_IO_OK;
}

void sv_stream_wish(sv_stream *stream, bool reading, bool writing) {
  if (stream->wish_reading != reading || stream->wish_writing != writing) {
    stream->wish_reading = reading;
    stream->wish_writing = writing;
    update(stream);
  }
}

void sv_stream_end(sv_stream *stream) {
  if (stream->ssl) {
    sv_tls_end(stream->ssl);
  }
  shutdown(stream->descriptor, SHUT_WR);
}

const char *sv_stream_remote(const sv_stream *stream) { return stream->remote; }

bool sv_stream_is_local(const sv_stream *stream) { return stream->is_local; }

bool sv_stream_is_open(const sv_stream *stream) { return !stream->ssl || sv_tls_is_open(stream->ssl); }

bool sv_stream_chose_h2(const sv_stream *stream) { return stream->ssl && sv_tls_chose_h2(stream->ssl); }

const char *sv_stream_identity(const sv_stream *stream) {
  sv_stream *cache = (sv_stream *)(uintptr_t)stream;  // made when it is first asked for
  if (!cache->identity && cache->ssl) {
    cache->identity = sv_tls_identity(cache->ssl);
  }
  return cache->identity;
}

void sv_stream_close(sv_stream *stream) {
  if (!stream) {
    return;
  }
  if (stream->gone) {
    *stream->gone = true;
  }
  if (stream->read_event) {
    event_free(stream->read_event);
  }
  if (stream->write_event) {
    event_free(stream->write_event);
  }
  if (stream->ssl) {
    sv_tls_end(stream->ssl);
    sv_tls_close(stream->ssl);
  }
  close(stream->descriptor);
  free(stream->identity);
  free(stream);
}
