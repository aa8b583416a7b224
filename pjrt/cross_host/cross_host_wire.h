// cross_host_wire: what goes over a connection between two processes of this machine, and the descriptors that lead to it.
// Private to cross_host and its test.
//
// From the sender: a header, then its error's message or the content. Back: one header with the receiver's verdict. Both
// sides run on one machine, so numbers are as they are in memory.
//
// Threads: a wire is one thread's. Calls wait for the other side until `closing` is set. Ownership: plain data; who opened
// the socket closes it.
//
//   mr_pjrt_wire wire = mr_pjrt_wire_over(fd, &closing);
//   MR_TRY(mr_pjrt_wire_read_status(&wire, &head, &theirs));
#ifndef MR_PJRT_CROSS_HOST_CROSS_HOST_WIRE_H
#define MR_PJRT_CROSS_HOST_CROSS_HOST_WIRE_H

#include <assert.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "core/core.h"

// POLL_MS: how soon who waits notices that the client is going away.
enum { MR_PJRT_TOKEN_SIZE = 16, MR_PJRT_POLL_MS = 50, MR_PJRT_DESCRIPTOR_SIZE = 96 };
// How often who is short of descriptors or memory rests before it gives up: five seconds.
enum { MR_PJRT_PATIENCE = 100 };

// Sleeps for POLL_MS: where the system is short of something, asking again at once would only take a core as well.
void mr_pjrt_wire_rest(void);
// From the system's generator, which nobody can guess.
mr_status mr_pjrt_random(uint8_t *to, size_t size) MR_WARN_UNUSED;

// A socket that listens at a name nobody can guess, in the abstract space: there no name stays behind, and none can be
// protected. Not blocking.
mr_status mr_pjrt_wire_listen(struct sockaddr_un *out_address, int *out_fd) MR_WARN_UNUSED;

typedef struct mr_pjrt_wire {
  int fd;
  int peer;  // the other process's number, 0 when the system does not say
  bool same_user;
  const _Atomic(bool) *closing;  // relaxed: looked at again and again
} mr_pjrt_wire;

typedef struct mr_pjrt_wire_header {
  uint64_t magic;
  uint8_t token[MR_PJRT_TOKEN_SIZE];
  uint64_t size;          // of the content
  uint32_t code;          // of the error there is instead of it; 0: OK
  uint32_t message_size;  // of that error
} mr_pjrt_wire_header;
static_assert(sizeof(mr_pjrt_wire_header) == 40, "the same on both sides");

// A connected socket.
mr_pjrt_wire mr_pjrt_wire_over(int fd, const _Atomic(bool) *closing);
// To who listens there, of our own user: PERMISSION_DENIED when a stranger has taken the name. OK with fd -1: there is a
// queue, and it is full; to be tried again.
mr_status mr_pjrt_wire_connect(const struct sockaddr_un *address, const _Atomic(bool) *closing,
                               mr_pjrt_wire *out_wire) MR_WARN_UNUSED;
// All of it, or UNAVAILABLE with the other process's number, or CANCELLED when `closing` was set.
mr_status mr_pjrt_wire_read(const mr_pjrt_wire *wire, void *to, size_t size) MR_WARN_UNUSED;
mr_status mr_pjrt_wire_write(const mr_pjrt_wire *wire, const void *from, size_t size) MR_WARN_UNUSED;
// A header with a status, which stays the caller's; magic, code and message_size are filled in.
mr_status mr_pjrt_wire_write_status(const mr_pjrt_wire *wire, mr_pjrt_wire_header head,
                                    mr_status status) MR_WARN_UNUSED;
// *out_status is what the other side says.
mr_status mr_pjrt_wire_read_status(const mr_pjrt_wire *wire, mr_pjrt_wire_header *out_head,
                                   mr_status *out_status) MR_WARN_UNUSED;
mr_status mr_pjrt_wire_closed(void) MR_WARN_UNUSED;                    // what a call answers that `closing` ended
mr_status mr_pjrt_wire_system_error(const char *what) MR_WARN_UNUSED;  // from errno

// Descriptors: a prefix, the name of the socket and the token in hex, joined by colons.
void mr_pjrt_descriptor_print(const struct sockaddr_un *address, const uint8_t *token, char *out);
mr_status mr_pjrt_descriptor_parse(mr_str text, struct sockaddr_un *out_address, uint8_t *out_token) MR_WARN_UNUSED;

#endif
