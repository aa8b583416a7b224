// The walk over every slot of the table: calls that must work are noted by slot, so that the last test can say which slot
// nobody called. One program: test_every_slot.c; the parts are in walk_*.c.
#ifndef MR_TESTS_PJRT_WALK_WALK_H
#define MR_TESTS_PJRT_WALK_WALK_H

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host.h"

enum walk_slot {
#define VOID_SLOT(index, name, since) SLOT_##name = index,
#define SLOT(index, name, since) SLOT_##name = index,
#include "pjrt/api.def"
};

typedef struct walk_seen {
  bool good[PJRT_API_SLOTS];  // called with success
} walk_seen;
extern walk_seen walk;

// A call that must work.
#define WALK_OK(slot, args) (walk.good[SLOT_##slot] = true, HOST_OK(slot, args))
// A call that must be refused with this code; true when it was.
#define WALK_REFUSED(slot, args, wanted) \
  assert_int_equal(host_take_error(host_api()->PJRT_##slot(args), NULL), PJRT_Error_Code_##wanted)

// What the parts share; made by the first test, destroyed by the last.
typedef struct walk_world {
  PJRT_Client *client, *other;  // two devices and one
  PJRT_Device *device, *second, *foreign;
  PJRT_LoadedExecutable *add;  // f32[6] + f32[6]
  PJRT_Executable *add_unbound;
} walk_world;
extern walk_world world;

extern const float walk_six[6];
extern const int64_t walk_dims[1];
extern const char walk_add[];
PJRT_Program walk_program(const char *text);

// The parts, each a test.
void walk_plugin(void **state);
void walk_errors_and_events(void **state);
void walk_clients(void **state);
void walk_devices(void **state);
void walk_topologies(void **state);
void walk_executables(void **state);
void walk_executions(void **state);
void walk_buffer_questions(void **state);
void walk_buffer_copies(void **state);
void walk_buffer_kinds(void **state);
void walk_transfer_manager(void **state);
void walk_bad_orders(void **state);
void walk_host_transfers(void **state);

#endif
