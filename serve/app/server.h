// The server as a whole: loops, doors, models; how it begins and how it ends.
#ifndef SV_APP_SERVER_H
#define SV_APP_SERVER_H

#include "serve/app/options.h"

typedef struct sv_server sv_server;

// Opens the doors, says where on standard error, and begins to load. The options stay. Signals that main() waits for are blocked.
sv_error *sv_server_start(const sv_options *options, sv_server **out_server);
// SIGHUP: folders, keys, certificates, the log's file.
void sv_server_reload(sv_server *server);
// Not ready from here on; after the delay the doors close.
void sv_server_begin_end(sv_server *server);
void sv_server_close_doors(sv_server *server);
// Nobody is connected any more.
bool sv_server_is_idle(const sv_server *server);
// Cuts off whoever is connected yet, lets the models go, frees everything.
void sv_server_release(sv_server *server);

#endif
