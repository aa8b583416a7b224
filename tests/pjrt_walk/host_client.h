// The client and first device of a test file, for the setup and teardown of its group. Included by the file itself, after
// HOST_DEVICES is defined if one device is not enough.
#ifndef MR_TESTS_PJRT_WALK_HOST_CLIENT_H
#define MR_TESTS_PJRT_WALK_HOST_CLIENT_H

#include "tests/pjrt_walk/host.h"

#ifndef HOST_DEVICES
#define HOST_DEVICES 1
#endif

static PJRT_Client *client;
static PJRT_Device *device;

static int setup(void **state) {
  (void)state;
  client = host_client_create(HOST_DEVICES);
  device = host_device(client, 0);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  host_client_destroy(client);
  return 0;
}

#endif
