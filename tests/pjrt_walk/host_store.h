// A key-value store as a host of several processes has one, in a folder with a file for each key, and clients that form a
// run over it.
#ifndef MR_TESTS_PJRT_WALK_HOST_STORE_H
#define MR_TESTS_PJRT_WALK_HOST_STORE_H

#include "tests/pjrt_walk/host.h"

// Makes the folder; false, with a message, when that fails. Before any other process is forked.
bool host_store_create(void);
void host_store_remove(void);
// Runs do not see each other's keys. A number that all processes of a run say.
void host_store_run(int run);
// Puts a value as a process of the run might.
void host_store_write(const char *key, const char *value, size_t size);

enum { HOST_RUN_TIMEOUT_MS = 20000 };
// One client of a run of `nodes`, with `devices` devices; waits for the others.
PJRT_Error *host_run_join(int node, int nodes, int devices, int timeout_ms, PJRT_Client **out_client);
// All clients of a run of two, in this process, with a device each.
void host_run_of_two(PJRT_Client *out_clients[2]);

#endif
