// Where connections come from: one thread accepts, and hands descriptors to the loops, round robin.
#ifndef SV_LISTENER_H
#define SV_LISTENER_H

#include "serve/net/loop.h"

typedef struct sv_listener sv_listener;

// `place`: "127.0.0.1:8000", "[::1]:8000", "localhost:0", "unix:/path", "fd:3" (a socket that somebody else listens on: systemd). Port 0: any. A unix
// socket that nobody listens on any more is replaced. accepted(argument, descriptor) is called on `loop` with a descriptor that does not block,
// TCP_NODELAY set; it takes the descriptor.
sv_error *sv_listener_create(sv_loop *loop, const char *place, void (*accepted)(void *argument, int take_descriptor),
                             void *argument, sv_listener **out_listener);
const char *sv_listener_place(const sv_listener *listener);  // with the port that it got
// Stops and goes on accepting: at the limit of connections. Any thread. Without descriptors (EMFILE) it accepts and closes with a spare one by itself.
void sv_listener_pause(sv_listener *listener, bool paused);
// On its loop's thread, at the end: takes all who have connected, as they would be reset. At a socket that somebody else opened they wait for the next
// server.
void sv_listener_accept_rest(sv_listener *listener);
void sv_listener_release(sv_listener *listener);  // on its loop's thread; closes, removes a unix socket's file

#endif
