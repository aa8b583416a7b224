// The walk over every slot of the table: calls that must work are noted by slot, so that the last test can say which slot
// nobody called. One program: test_every_slot.c; the parts are in walk_*.c.
#ifndef MR_TESTS_PJRT_WALK_WALK_H
#define MR_TESTS_PJRT_WALK_WALK_H

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host.h"

enum walk_slot {
#define VOID_SLOT(index, name, since) SLOT_##name = index,
#define SLOT(index, name, since) SLOT_##name = index,
#include "pjrt/abi/api.def"
};

typedef struct walk_seen {
  bool good[PJRT_API_SLOTS];  // called with success
  int minor;                  // the version of the API that calls are made with; 0: ours
  bool padded;                // struct_size counts padding, as of hosts in other languages
} walk_seen;
extern walk_seen walk;
// Whether the structs of the version that calls are made with have the field.
#define WALK_HAS(slot, field) (walk_size_of(SLOT_##slot) >= PJRT_ABI_END(PJRT_##slot##_Args, field))
size_t walk_size_of(int slot);

typedef PJRT_Error *(*walk_function)(void *args);
typedef struct walk_slot_info {
  const char *name;
  size_t args_size;
  bool returns_error;
} walk_slot_info;
extern const walk_slot_info walk_slots[PJRT_API_SLOTS];
walk_function walk_function_of(int slot);

// A call that must work, with a struct as the version walk.minor has it. Before the first one of a slot, everything in it
// that can be wrong is wrong once.
#define WALK_OK(slot, args) host_ok(walk_good(SLOT_##slot, args), #slot)
PJRT_Error *walk_good(int slot, void *args);
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

// A piece of walk_six for buffer 0 of a manager; waits for it.
PJRT_Error_Code walk_piece(PJRT_AsyncHostToDeviceTransferManager *manager, int64_t offset, int64_t size, bool last);
PJRT_Buffer *walk_retrieve(PJRT_AsyncHostToDeviceTransferManager *manager, int index);

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
