// Conformance: memories, and what buffers do with them.
#include <stdlib.h>
#include <string.h>

#include "tests/devices/conform_cases.h"

static const size_t sizes[] = {0, 1, 4, 60, 4096, 100000, (size_t)3 << 20, (size_t)17 << 20};
#define LARGEST ((size_t)17 << 20)

// Ids differ, each memory knows its device, host memories are the host's, and what is direct is addressable.
const char *conform_identity(world *w) {
  bool seen[3 * MR_MEMORY_KINDS] = {false};
  for (size_t i = 0; i < 3; i++) {
    mr_device *device = mr_platform_device(w->platform, i);
    CHECK(device->id == (int)i && device->platform == w->platform && device->ops->name[0]);
    CHECK(device->executor && device->group);
    CHECK(device->num_attributes >= 3 && device->num_attributes <= MR_DEVICE_ATTRIBUTES);
    CHECK(strcmp(device->attributes[0].name, "kind") == 0 &&
          strcmp(device->attributes[0].text, device->ops->name) == 0);
    CHECK(strcmp(device->attributes[1].name, "concurrency") == 0 && !device->attributes[1].text);
    CHECK(device->attributes[1].number >= 1);
    for (int kind = 0; kind < MR_MEMORY_KINDS; kind++) {
      mr_memory *memory = &device->memories[kind];
      CHECK(memory->device == device && memory->kind == (mr_memory_kind)kind);
      CHECK(memory->id >= 0 && memory->id < 3 * MR_MEMORY_KINDS && !seen[memory->id]);
      CHECK(memory->addressable || (kind == MR_MEMORY_DEVICE && !device->direct));
      CHECK(mr_device_reaches(device, memory));
      seen[memory->id] = true;
    }
  }
  return NULL;
}

// Blocks are aligned and as large as was asked, and no two of them are one.
const char *conform_blocks(world *w) {
  for (int kind = 0; kind < MR_MEMORY_KINDS; kind++) {
    mr_memory *memory = &w->device->memories[kind];
    for (size_t i = 0; i < MR_ARRAY_SIZE(sizes); i++) {
      mr_storage *a, *b;
      WELL(world_storage(w, memory, sizes[i], &a));
      WELL(world_storage(w, memory, sizes[i], &b));
      CHECK(a != b && a->size == sizes[i] && a->memory == memory && !a->foreign);
      CHECK((uintptr_t)a->data % 64 == 0);
      CHECK(a->data != b->data || !memory->addressable);
      if (memory->addressable) {
        memset(a->data, 1, sizes[i]);
        memset(b->data, 2, sizes[i]);
        CHECK(sizes[i] == 0 || *(char *)a->data == 1);
      }
    }
  }
  mr_storage *none;
  mr_status status = mr_storage_allocate(w->memory, (size_t)1 << 60, &none);
  bool refused = mr_status_code(status) == MR_RESOURCE_EXHAUSTED && !none;
  mr_status_free(status);
  mr_storage_release(none);
  CHECK(refused);
  return NULL;
}

// What is in use is counted, and the struct of a block does not come back as the same content.
const char *conform_statistics(world *w) {
  mr_memory_stats before = mr_device_stats(w->device);
  mr_storage *storage;
  WELL(mr_storage_allocate(w->memory, (size_t)1 << 20, &storage));
  mr_content content = mr_storage_content(storage);
  mr_memory_stats during = mr_device_stats(w->device);
  mr_storage_release(storage);
  mr_memory_stats after = mr_device_stats(w->device);
  CHECK(during.bytes_in_use >= before.bytes_in_use + ((size_t)1 << 20));
  CHECK(during.num_allocs == before.num_allocs + 1);
  CHECK(after.bytes_in_use == before.bytes_in_use);
  CHECK(after.peak_bytes_in_use >= during.bytes_in_use && after.bytes_limit);
  mr_device_clear_peaks(w->device);
  CHECK(mr_device_stats(w->device).peak_bytes_in_use == before.bytes_in_use);
  for (int i = 0; i < 20; i++) {
    WELL(world_storage(w, w->memory, (size_t)1 << 20, &storage));
    mr_content next = mr_storage_content(storage);
    CHECK(next.storage != content.storage || next.generation != content.generation);
  }
  return NULL;
}

// The host has an address exactly where memory is addressable, and may lend its own memory there alone.
const char *conform_addresses(world *w) {
  static float data[64];
  for (int kind = 0; kind < MR_MEMORY_KINDS; kind++) {
    mr_memory *memory = &w->device->memories[kind];
    int64_t dim = 64;
    mr_host_array host = {.data = data, .dtype = MR_F32, .dims = &dim, .rank = 1};
    mr_buffer *buffer;
    WELL(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &buffer));
    world_keep_buffer(w, buffer);
    void *address;
    mr_status status = mr_buffer_address(buffer, false, false, &address);
    bool told = memory->addressable ? !status && address : mr_status_code(status) == MR_UNIMPLEMENTED && !address;
    mr_status_free(status);
    mr_storage *lent = NULL;
    status = mr_storage_wrap(memory, data, sizeof data, true, NULL, NULL, &lent);
    bool wrapped = memory->addressable ? !status && lent : mr_status_code(status) == MR_UNIMPLEMENTED && !lent;
    mr_status_free(status);
    mr_storage_release(lent);
    CHECK(told && wrapped);
  }
  return NULL;
}

static void count_call(void *arg) { atomic_fetch_add_explicit((_Atomic(int) *)arg, 1, memory_order_acq_rel); }

static const char *round_trip(world *w, mr_memory *memory, size_t bytes, mr_host_semantics semantics) {
  _Atomic(int) *calls = world_block(w, sizeof *calls);
  // Aligned, so that memory which can be shared is.
  char *block = world_block(w, bytes + 64), *from = block + (64 - (uintptr_t)block % 64) % 64;
  char *wanted = world_block(w, bytes), *to = world_block(w, bytes);
  world_pattern(from, bytes, (uint32_t)bytes + semantics);
  memcpy(wanted, from, bytes);
  int64_t dim = (int64_t)bytes;
  mr_host_array host = {.data = from, .dtype = MR_U8, .dims = &dim, .rank = 1};
  mr_buffer *buffer;
  WELL(mr_buffer_from_host(memory, &host, semantics, count_call, calls, &buffer));
  world_keep_buffer(w, buffer);
  if (semantics == MR_HOST_ONLY_DURING_CALL) {
    CHECK(atomic_load(calls) == 1);
    memset(from, 0xaa, bytes);
  }
  mr_future *done;
  WELL(mr_buffer_to_host(buffer, to, NULL, &done));
  mr_status status = world_end_of(done);
  mr_future_release(done);
  WELL(status);
  CHECK(memcmp(to, wanted, bytes) == 0);
  WELL(world_end_of(mr_buffer_ready(buffer)));
  CHECK(mr_buffer_is_ready_now(buffer));
  return NULL;
}

// Content comes back as it went, whatever the semantics, size and memory.
const char *conform_from_host(world *w) {
  for (int semantics = MR_HOST_ONLY_DURING_CALL; semantics <= MR_HOST_MUTABLE_ZERO_COPY; semantics++) {
    for (size_t i = 0; i < MR_ARRAY_SIZE(sizes); i++) {
      GOES_WELL(round_trip(w, w->memory, sizes[i], (mr_host_semantics)semantics));
    }
    GOES_WELL(round_trip(w, &w->device->memories[MR_MEMORY_PINNED_HOST], 4096, (mr_host_semantics)semantics));
    GOES_WELL(round_trip(w, &w->device->memories[MR_MEMORY_UNPINNED_HOST], 4096, (mr_host_semantics)semantics));
  }
  return NULL;
}

// The host's array is given back once: when the buffer is ready, and where it was lent when the buffer is gone.
const char *conform_done_is_called_once(world *w) {
  for (int semantics = MR_HOST_ONLY_DURING_CALL; semantics <= MR_HOST_MUTABLE_ZERO_COPY; semantics++) {
    for (size_t i = 0; i < MR_ARRAY_SIZE(sizes); i++) {
      _Atomic(int) *calls = world_block(w, sizeof *calls);
      int64_t dim = (int64_t)sizes[i];
      mr_host_array host = {.data = world_block(w, sizes[i]), .dtype = MR_S8, .dims = &dim, .rank = 1};
      mr_buffer *buffer;
      WELL(mr_buffer_from_host(w->memory, &host, (mr_host_semantics)semantics, count_call, calls, &buffer));
      mr_status status = world_end_of(mr_buffer_ready(buffer));
      mr_buffer_release(buffer);
      WELL(status);
      CHECK(atomic_load(calls) == 1);
    }
  }
  // A refused array stays the caller's.
  _Atomic(int) *calls = world_block(w, sizeof *calls);
  int64_t dim = -1;
  mr_host_array host = {.data = calls, .dtype = MR_S8, .dims = &dim, .rank = 1};
  mr_buffer *buffer;
  mr_status status = mr_buffer_from_host(w->memory, &host, MR_HOST_UNTIL_TRANSFER_DONE, count_call, calls, &buffer);
  CHECK(mr_status_code(status) == MR_INVALID_ARGUMENT);
  mr_status_free(status);
  CHECK(atomic_load(calls) == 0 && !buffer);
  return NULL;
}

// In rows and columns, with gaps and backwards, in and out.
const char *conform_strided(world *w) {
  enum { ROWS = 30, COLUMNS = 50 };
  int32_t *from = world_block(w, sizeof(int32_t) * ROWS * COLUMNS * 2),
          *to = world_block(w, sizeof(int32_t) * ROWS * COLUMNS);
  for (int i = 0; i < ROWS * COLUMNS * 2; i++) {
    from[i] = i;
  }
  // Column-major with every other element, rows backwards.
  const int64_t dims[2] = {ROWS, COLUMNS}, in_strides[2] = {-8, 8 * ROWS};
  mr_host_array host = {
      .data = from + 2 * (ROWS - 1), .dtype = MR_S32, .dims = dims, .rank = 2, .byte_strides = in_strides};
  for (int semantics = MR_HOST_ONLY_DURING_CALL; semantics <= MR_HOST_MUTABLE_ZERO_COPY; semantics++) {
    mr_buffer *buffer;
    WELL(mr_buffer_from_host(w->memory, &host, (mr_host_semantics)semantics, NULL, NULL, &buffer));
    world_keep_buffer(w, buffer);
    const int64_t out_strides[2] = {4, 4 * ROWS};
    memset(to, 0xff, sizeof(int32_t) * ROWS * COLUMNS);
    mr_future *done;
    WELL(mr_buffer_to_host(buffer, to, out_strides, &done));
    mr_status status = world_end_of(done);
    mr_future_release(done);
    WELL(status);
    for (int r = 0; r < ROWS; r++) {
      for (int c = 0; c < COLUMNS; c++) {
        CHECK(to[c * ROWS + r] == 2 * (ROWS - 1) - 2 * r + 2 * ROWS * c);
      }
    }
  }
  return NULL;
}

// Parts of a buffer.
const char *conform_raw(world *w) {
  enum { BYTES = 100000 };
  uint8_t *from = world_block(w, BYTES), *to = world_block(w, BYTES);
  world_pattern(from, BYTES, 5);
  int64_t dim = BYTES;
  mr_host_array host = {.data = from, .dtype = MR_U8, .dims = &dim, .rank = 1};
  mr_buffer *buffer;
  WELL(mr_buffer_from_host(w->memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &buffer));
  world_keep_buffer(w, buffer);
  static const size_t parts[][2] = {{0, 1}, {1, 99}, {99999, 1}, {5, 0}, {100, 99000}};
  for (size_t i = 0; i < MR_ARRAY_SIZE(parts); i++) {
    mr_future *done;
    memset(to, 0, BYTES);
    WELL(mr_buffer_raw_to_host(buffer, to, parts[i][0], parts[i][1], &done));
    mr_status status = world_end_of(done);
    mr_future_release(done);
    WELL(status);
    CHECK(memcmp(to, from + parts[i][0], parts[i][1]) == 0);
    CHECK(to[parts[i][1]] == 0 || parts[i][1] == BYTES);
  }
  mr_future *done;
  mr_status status = mr_buffer_raw_to_host(buffer, to, BYTES, 1, &done);
  CHECK(mr_status_code(status) == MR_INVALID_ARGUMENT && !done);
  mr_status_free(status);
  return NULL;
}

static mr_status end_of(mr_future *take_done) {
  mr_status status = world_end_of(take_done);
  mr_future_release(take_done);
  return status;
}

// Who holds a content reads and writes parts of it, also when the buffer is deleted, and before there is content. `ready` NULL:
// there is.
static const char *read_and_write(world *w, mr_memory *memory, mr_future *ready) {
  enum { BYTES = 50000, AT = 1001, PART = 20000 };
  uint8_t *from = world_block(w, BYTES), *wanted = world_block(w, BYTES), *to = world_block(w, BYTES);
  world_pattern(wanted, BYTES, 17);
  world_pattern(from, PART, 18);
  int64_t dim = BYTES;
  mr_storage *storage;
  mr_buffer *buffer;
  mr_hold *hold;
  mr_future *written, *read;
  WELL(world_storage(w, memory, BYTES, &storage));
  WELL(world_write(w, storage, 0, wanted, BYTES));
  mr_content before = mr_storage_content(storage);
  WELL(mr_buffer_create(memory, MR_U8, &dim, 1, mr_storage_retain(storage), ready ? mr_future_retain(ready) : NULL,
                        &buffer));
  world_keep_buffer(w, buffer);
  WELL(mr_buffer_hold(buffer, false, &hold));
  mr_buffer_delete(buffer);
  mr_status status = mr_hold_write(hold, AT, PART, from, &written);
  CHECK(!ready || written);
  if (ready) {
    mr_future_set(ready, MR_OK);
  }
  status = status ? status : end_of(written);
  status = status ? status : mr_hold_read(hold, 0, BYTES, to, &read);
  mr_hold_release(hold);  // a copy that is under way has its own
  WELL(status);
  WELL(end_of(read));
  memcpy(wanted + AT, from, PART);
  CHECK(memcmp(to, wanted, BYTES) == 0);
  mr_content after = mr_storage_content(storage);
  CHECK(after.generation != before.generation);
  return NULL;
}

const char *conform_held(world *w) {
  for (int kind = 0; kind < MR_MEMORY_KINDS; kind++) {
    GOES_WELL(read_and_write(w, &w->device->memories[kind], NULL));
    GOES_WELL(read_and_write(w, &w->device->memories[kind], world_promise(w)));
  }
  return NULL;
}

// A buffer that the host may look at: itself where it may, or else a copy.
const char *conform_on_host(world *w) {
  int32_t data[100];
  world_pattern(data, sizeof data, 3);
  int64_t dim = 100;
  mr_host_array host = {.data = data, .dtype = MR_S32, .dims = &dim, .rank = 1};
  for (int kind = 0; kind < MR_MEMORY_KINDS; kind++) {
    mr_memory *memory = &w->device->memories[kind];
    mr_buffer *buffer, *there;
    void *address;
    WELL(mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &buffer));
    world_keep_buffer(w, buffer);
    WELL(mr_buffer_on_host(buffer, &there));
    world_keep_buffer(w, there);
    CHECK((there == buffer) == memory->addressable && mr_buffer_memory(there) == mr_memory_on_host(memory));
    WELL(mr_buffer_data(there, &address));
    CHECK(memcmp(address, data, sizeof data) == 0);
  }
  return NULL;
}

static const char *copy_both_ways(world *w, mr_memory *one, mr_memory *other, size_t bytes) {
  uint8_t *from = world_block(w, bytes), *to = world_block(w, bytes);
  world_pattern(from, bytes, (uint32_t)(one->id * 10 + other->id));
  int64_t dim = (int64_t)bytes;
  mr_host_array host = {.data = from, .dtype = MR_U8, .dims = &dim, .rank = 1};
  mr_buffer *source, *copy, *back;
  WELL(mr_buffer_from_host(one, &host, MR_HOST_UNTIL_TRANSFER_DONE, NULL, NULL, &source));
  world_keep_buffer(w, source);
  WELL(mr_buffer_copy_to(source, other, &copy));
  world_keep_buffer(w, copy);
  WELL(mr_buffer_copy_to(copy, one, &back));
  world_keep_buffer(w, back);
  CHECK(mr_buffer_memory(copy) == other && mr_buffer_bytes(copy) == bytes);
  mr_buffer *ends[2] = {copy, back};
  for (int i = 0; i < 2; i++) {
    mr_future *done;
    memset(to, 0, bytes);
    WELL(mr_buffer_to_host(ends[i], to, NULL, &done));
    mr_status status = world_end_of(done);
    mr_future_release(done);
    WELL(status);
    CHECK(memcmp(to, from, bytes) == 0);
  }
  return NULL;
}

// From each memory to each, of this device, of another of its kind and of another kind.
const char *conform_between_memories(world *w) {
  mr_device *others[3] = {w->device, w->peer, w->cpu};
  for (int kind = 0; kind < MR_MEMORY_KINDS; kind++) {
    for (int i = 0; i < 3; i++) {
      for (int other = 0; other < MR_MEMORY_KINDS; other++) {
        GOES_WELL(copy_both_ways(w, &w->device->memories[kind], &others[i]->memories[other], 5000));
      }
    }
  }
  return copy_both_ways(w, w->memory, &w->peer->memories[MR_MEMORY_DEVICE], LARGEST);
}

// A buffer may be deleted while copies of it, to it and from it are under way.
const char *conform_early_deletion(world *w) {
  size_t bytes = (size_t)2 << 20;
  uint8_t *from = world_block(w, bytes);
  int64_t dim = (int64_t)bytes;
  mr_host_array host = {.data = from, .dtype = MR_U8, .dims = &dim, .rank = 1};
  for (int i = 0; i < 10; i++) {
    mr_buffer *source, *copy;
    mr_future *done;
    WELL(mr_buffer_from_host(w->memory, &host, MR_HOST_UNTIL_TRANSFER_DONE, NULL, NULL, &source));
    world_keep_buffer(w, source);
    WELL(mr_buffer_copy_to(source, &w->peer->memories[MR_MEMORY_DEVICE], &copy));
    world_keep_buffer(w, copy);
    WELL(mr_buffer_to_host(copy, world_block(w, bytes), NULL, &done));
    mr_buffer_delete(source);
    mr_buffer_delete(copy);
    mr_status status = world_end_of(done);
    mr_future_release(done);
    WELL(status);
    CHECK(mr_buffer_is_deleted(source) && mr_buffer_is_deleted(copy));
  }
  return NULL;
}

// Who has waited for a transfer is alone with the buffer: its block may be written in place.
const char *conform_donation(world *w) {
  static float data[1024];
  int64_t dim = 1024;
  mr_host_array host = {.data = data, .dtype = MR_F32, .dims = &dim, .rank = 1};
  for (int semantics = MR_HOST_ONLY_DURING_CALL; semantics <= MR_HOST_UNTIL_TRANSFER_DONE; semantics++) {
    mr_buffer *buffer, *copy;
    WELL(mr_buffer_from_host(w->memory, &host, (mr_host_semantics)semantics, NULL, NULL, &buffer));
    world_keep_buffer(w, buffer);
    WELL(mr_buffer_copy_to(buffer, w->memory, &copy));
    world_keep_buffer(w, copy);
    WELL(world_end_of(mr_buffer_ready(copy)));
    mr_buffer *both[2] = {buffer, copy};
    for (int i = 0; i < 2; i++) {
      mr_hold *hold;
      WELL(mr_buffer_hold(both[i], true, &hold));
      bool alone = mr_hold_is_exclusive(hold);
      mr_hold_release(hold);
      CHECK(alone);
    }
  }
  return NULL;
}
