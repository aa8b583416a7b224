// Calls that race: buffers deleted and executables deleted while other threads use them. Each call succeeds with the right
// content or says that the thing is deleted; nothing else.
#define HOST_DEVICES 2

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host_client.h"
#include "tests/pjrt_walk/walk.h"

enum { ROUNDS = 150, USES = 4 };

// What the threads of a round share.
typedef struct race {
  pthread_barrier_t start;
  PJRT_Buffer *buffer;
  PJRT_LoadedExecutable *add;
  PJRT_Error_Code deleted;  // what a call may answer besides OK
  _Atomic(int) wrong;       // calls that did otherwise; relaxed, read after the threads are joined
} race;

typedef struct racer {
  race *shared;
  PJRT_Error *(*use)(race *shared, PJRT_Buffer **out_buffer);
  float factor;  // of the numbers in the buffer that comes out
} racer;

// True when it is OK; notes what is neither OK nor deleted.
static bool is_ok(race *shared, PJRT_Error_Code code, const char *message) {
  if (code != PJRT_Error_Code_OK && (code != shared->deleted || strstr(message, "has been deleted") == NULL)) {
    print_error("code %d: %s\n", (int)code, message);
    atomic_fetch_add_explicit(&shared->wrong, 1, memory_order_relaxed);
  }
  return code == PJRT_Error_Code_OK;
}

static void check_content(racer *self, PJRT_Buffer *buffer) {
  float got[6];
  HOST_ARGS(to_host, Buffer_ToHostBuffer, .src = buffer, .dst = got, .dst_size = sizeof got);
  const char *message;
  PJRT_Error_Code code = host_take_error(host_api()->PJRT_Buffer_ToHostBuffer(&to_host), &message);
  if (!is_ok(self->shared, code, message) || !is_ok(self->shared, host_await(to_host.event, &message), message)) {
    return;
  }
  for (int i = 0; i < 6; i++) {
    if (got[i] != self->factor * walk_six[i]) {
      atomic_fetch_add_explicit(&self->shared->wrong, 1, memory_order_relaxed);
    }
  }
}

static void *run_racer(void *user) {
  racer *self = user;
  pthread_barrier_wait(&self->shared->start);
  for (int i = 0; i < 3; i++) {
    PJRT_Buffer *made = NULL;
    const char *message;
    PJRT_Error_Code code = host_take_error(self->use(self->shared, &made), &message);
    if (is_ok(self->shared, code, message)) {
      check_content(self, made ? made : self->shared->buffer);
    }
    if (made) {
      host_buffer_destroy(made);
    }
  }
  return NULL;
}

static PJRT_Error *read_it(race *shared, PJRT_Buffer **out_buffer) {
  (void)shared;
  (void)out_buffer;
  return NULL;
}

static PJRT_Error *copy_it(race *shared, PJRT_Buffer **out_buffer) {
  HOST_ARGS(copy, Buffer_CopyToDevice, .buffer = shared->buffer, .dst_device = host_device(client, 1));
  PJRT_Error *error = host_api()->PJRT_Buffer_CopyToDevice(&copy);
  *out_buffer = copy.dst_buffer;
  return error;
}

static PJRT_Error *add_it(race *shared, PJRT_Buffer **out_buffer) {
  PJRT_Buffer *arguments[] = {shared->buffer, shared->buffer};
  return host_execute(shared->add, arguments, 2, out_buffer);
}

static PJRT_Error *delete_it(race *shared, PJRT_Buffer **out_buffer) {
  (void)out_buffer;
  HOST_ARGS(erase, Buffer_Delete, .buffer = shared->buffer);
  return host_api()->PJRT_Buffer_Delete(&erase);
}

static PJRT_Error *delete_executable(race *shared, PJRT_Buffer **out_buffer) {
  (void)out_buffer;
  HOST_ARGS(erase, LoadedExecutable_Delete, .executable = shared->add);
  return host_api()->PJRT_LoadedExecutable_Delete(&erase);
}

static void run_race(race *shared, racer *racers) {
  pthread_t threads[USES];
  shared->buffer = host_put(client, device, walk_six, walk_dims, 1);
  pthread_barrier_init(&shared->start, NULL, USES);
  for (int i = 0; i < USES; i++) {
    racers[i].shared = shared;
    assert_int_equal(pthread_create(&threads[i], NULL, run_racer, &racers[i]), 0);
  }
  for (int i = 0; i < USES; i++) {
    pthread_join(threads[i], NULL);
  }
  pthread_barrier_destroy(&shared->start);
  host_buffer_destroy(shared->buffer);
  assert_int_equal(atomic_load_explicit(&shared->wrong, memory_order_relaxed), 0);
}

// A buffer is read, copied, executed with and deleted at once.
static void test_a_buffer_is_deleted_while_it_is_used(void **state) {
  (void)state;
  PJRT_LoadedExecutable *add = host_compile(client, walk_add);
  for (int round = 0; round < ROUNDS; round++) {
    race shared = {.add = add, .deleted = PJRT_Error_Code_INVALID_ARGUMENT};
    racer racers[USES] = {{.use = read_it, .factor = 1},
                          {.use = copy_it, .factor = 1},
                          {.use = add_it, .factor = 2},
                          {.use = delete_it, .factor = 1}};
    run_race(&shared, racers);
  }
  host_loaded_destroy(add);
}

// An executable runs in three threads and is deleted in a fourth; the results of what ran are right.
static void test_an_executable_is_deleted_while_it_runs(void **state) {
  (void)state;
  for (int round = 0; round < ROUNDS / 5; round++) {
    race shared = {.add = host_compile(client, walk_add), .deleted = PJRT_Error_Code_FAILED_PRECONDITION};
    racer racers[USES] = {{.use = add_it, .factor = 2},
                          {.use = add_it, .factor = 2},
                          {.use = add_it, .factor = 2},
                          {.use = delete_executable, .factor = 1}};
    run_race(&shared, racers);
    host_loaded_destroy(shared.add);
  }
}

// ---- One manager, many threads ------------------------------------------------------------------------------------------

typedef struct filler {
  PJRT_AsyncHostToDeviceTransferManager *manager;
  pthread_barrier_t *start;
  PJRT_Error_Code codes[2];  // of the piece, of the error
} filler;

// A last piece and an error for the same buffer: one of them comes first, the other hears of it.
static void *fill(void *user) {
  filler *self = user;
  pthread_barrier_wait(self->start);
  HOST_ARGS(piece, AsyncHostToDeviceTransferManager_TransferData, .transfer_manager = self->manager, .data = walk_six,
            .transfer_size = sizeof walk_six, .is_last_transfer = true);
  self->codes[0] = host_take_error(host_api()->PJRT_AsyncHostToDeviceTransferManager_TransferData(&piece), NULL);
  if (self->codes[0] == PJRT_Error_Code_OK) {
    assert_int_equal(host_await(piece.done_with_h2d_transfer, NULL), PJRT_Error_Code_OK);
  }
  HOST_ARGS(failed, AsyncHostToDeviceTransferManager_SetBufferError, .transfer_manager = self->manager,
            .error_code = PJRT_Error_Code_ABORTED);
  self->codes[1] = host_take_error(host_api()->PJRT_AsyncHostToDeviceTransferManager_SetBufferError(&failed), NULL);
  return NULL;
}

static void race_for_a_buffer(void) {
  PJRT_ShapeSpec spec = {
      .struct_size = sizeof spec, .dims = walk_dims, .num_dims = 1, .element_type = PJRT_Buffer_Type_F32};
  HOST_ARGS(create, Client_CreateBuffersForAsyncHostToDevice, .client = client, .shape_specs = &spec,
            .num_shape_specs = 1);
  HOST_OK(Client_CreateBuffersForAsyncHostToDevice, &create);
  HOST_ARGS(get, AsyncHostToDeviceTransferManager_RetrieveBuffer, .transfer_manager = create.transfer_manager);
  HOST_OK(AsyncHostToDeviceTransferManager_RetrieveBuffer, &get);
  pthread_barrier_t start;
  pthread_t threads[USES];
  filler fillers[USES];
  pthread_barrier_init(&start, NULL, USES);
  for (int i = 0; i < USES; i++) {
    fillers[i] = (filler){.manager = create.transfer_manager, .start = &start};
    assert_int_equal(pthread_create(&threads[i], NULL, fill, &fillers[i]), 0);
  }
  int pieces = 0, errors = 0;
  for (int i = 0; i < USES; i++) {
    pthread_join(threads[i], NULL);
    pieces += fillers[i].codes[0] == PJRT_Error_Code_OK;
    errors += fillers[i].codes[1] == PJRT_Error_Code_OK;
    assert_true(fillers[i].codes[0] == PJRT_Error_Code_OK ||
                fillers[i].codes[0] == PJRT_Error_Code_FAILED_PRECONDITION);
    assert_true(fillers[i].codes[1] == PJRT_Error_Code_OK ||
                fillers[i].codes[1] == PJRT_Error_Code_FAILED_PRECONDITION);
  }
  pthread_barrier_destroy(&start);
  // An error may overtake a piece that is being copied, never one that is in.
  assert_in_range(pieces, 0, 1);
  assert_in_range(errors, 1 - pieces, 1);
  PJRT_Error_Code code = host_await_buffer(get.buffer_out, NULL);
  assert_int_equal(code, errors ? PJRT_Error_Code_ABORTED : PJRT_Error_Code_OK);
  host_buffer_destroy(get.buffer_out);
  HOST_ARGS(destroy, AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = create.transfer_manager);
  HOST_OK(AsyncHostToDeviceTransferManager_Destroy, &destroy);
}

static void test_pieces_and_errors_at_once(void **state) {
  (void)state;
  for (int round = 0; round < ROUNDS; round++) {
    race_for_a_buffer();
  }
}

int main(int argc, char **argv) {
  host_set_library(argc > 1 ? argv[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_buffer_is_deleted_while_it_is_used),
      cmocka_unit_test(test_an_executable_is_deleted_while_it_runs),
      cmocka_unit_test(test_pieces_and_errors_at_once),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
