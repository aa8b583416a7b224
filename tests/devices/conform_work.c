// Conformance: work, and what orders it.
#include <pthread.h>
#include <string.h>

#include "tests/devices/conform_cases.h"

enum { COUNT = 1000 };

static const char *has_ints(world *w, mr_storage *storage, size_t offset, const int32_t *wanted, size_t count) {
  int32_t *got = world_block(w, count * sizeof *got);
  WELL(world_read(w, storage, offset, got, count * sizeof *got));
  for (size_t i = 0; i < count; i++) {
    if (got[i] != wanted[i]) {
      return world_says(w, "element %zu is %d, wanted %d", i, got[i], wanted[i]);
    }
  }
  return NULL;
}

static mr_status ints(world *w, mr_memory *memory, int32_t first, mr_storage **out_storage) {
  int32_t *from = world_block(w, COUNT * sizeof *from);
  for (int i = 0; i < COUNT; i++) {
    from[i] = first + i;
  }
  MR_TRY(world_storage(w, memory, COUNT * sizeof *from, out_storage));
  return world_write(w, *out_storage, 0, from, COUNT * sizeof *from);
}

// Patterns of every size, over a part of a block alone.
const char *conform_fill(world *w) {
  enum { BYTES = 1 << 12 };
  for (uint32_t size = 1; size <= MR_PATTERN_BYTES; size *= 2) {
    uint8_t *wanted = world_block(w, BYTES), *got = world_block(w, BYTES);
    mr_storage *storage;
    WELL(world_storage(w, w->memory, BYTES, &storage));
    world_pattern(wanted, BYTES, size);
    WELL(world_write(w, storage, 0, wanted, BYTES));
    mr_device_work work = {
        .kind = MR_WORK_FILL, .name = "fill", .to = {storage, 64}, .bytes = size * 13, .pattern_bytes = size};
    for (uint32_t i = 0; i < size; i++) {
      work.pattern[i] = (uint8_t)(size + i);
    }
    WELL(world_do(w, w->device, &work));
    for (size_t i = 0; i < work.bytes; i++) {
      wanted[64 + i] = work.pattern[i % size];
    }
    work.bytes = 0;
    WELL(world_do(w, w->device, &work));
    WELL(world_read(w, storage, 0, got, BYTES));
    CHECK(memcmp(got, wanted, BYTES) == 0);
  }
  return NULL;
}

// Copies between parts of blocks, of the device and of the host.
const char *conform_regions(world *w) {
  mr_storage *a, *b, *host;
  WELL(ints(w, w->memory, 0, &a));
  WELL(ints(w, w->memory, 5000, &b));
  WELL(ints(w, &w->device->memories[MR_MEMORY_PINNED_HOST], 9000, &host));
  const mr_device_work works[] = {
      {.kind = MR_WORK_COPY, .name = "copy", .to = {a, 40}, .from = {b, 400}, .bytes = 40},
      {.kind = MR_WORK_COPY, .name = "copy", .to = {a, 80}, .from = {host, 0}, .bytes = 4},
      {.kind = MR_WORK_COPY, .name = "copy", .to = {host, 3996}, .from = {a, 40}, .bytes = 4},
      {.kind = MR_WORK_COPY, .name = "copy", .to = {a, 4000}, .from = {b, 4000}, .bytes = 0},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(works); i++) {
    WELL(world_do(w, w->device, &works[i]));
  }
  int32_t wanted[21];
  for (int i = 0; i < 21; i++) {
    wanted[i] = i < 10 ? i : i < 20 ? 5100 + i - 10 : 9000;
  }
  GOES_WELL(has_ints(w, a, 0, wanted, 21));
  GOES_WELL(has_ints(w, host, 3996, (const int32_t[]){5100}, 1));
  // Between devices, whoever carries it.
  mr_storage *far;
  mr_future *done;
  WELL(ints(w, &w->peer->memories[MR_MEMORY_DEVICE], 0, &far));
  WELL(mr_storage_copy((mr_region){far, 4}, (mr_region){a, 40}, 8, NULL, 0, &done));
  mr_status status = world_end_of(done);
  mr_future_release(done);
  WELL(status);
  return has_ints(w, far, 0, (const int32_t[]){0, 5100, 5101, 3}, 4);
}

// out[i] = a[i] + b[i], where there is a b.
static void add_kernel(void *const *buffers, mr_stop_token *stop, int64_t begin, int64_t end) {
  (void)stop;
  const int32_t *a = buffers[0], *b = buffers[1];
  int32_t *out = buffers[2];
  for (int64_t i = begin; i < end; i++) {
    out[i] = a[i] + (b ? b[i] : 1);
  }
}

static const world_code add_code = {
    .native = add_kernel,
    .entry = "add",
    .num_regions = 3,
    .source = "kernel void add(global uchar *b0, ulong o0, global uchar *b1, ulong o1, global uchar *b2, ulong o2,\n"
              "                long range, long share) {\n"
              "  global const int *a = (global const int *)(b0 + o0), *b = b1 ? (global const int *)(b1 + o1) : 0;\n"
              "  global int *out = (global int *)(b2 + o2);\n"
              "  long begin = (long)get_global_id(0) * share;\n"
              "  for (long i = begin; i < min(range, begin + share); i++)\n"
              "    out[i] = a[i] + (b ? b[i] : 1);\n"
              "}\n"};

static mr_device_work launch(const mr_device_kernel *kernel, const mr_region *regions, int64_t range) {
  return (mr_device_work){.kind = MR_WORK_LAUNCH,
                          .name = "add",
                          .kernel = kernel,
                          .regions = regions,
                          .num_regions = 3,
                          .range = range,
                          .grain = 16,
                          .cost_ns = 1000000};  // over several cores
}

// A kernel gets its regions where they begin, and NULL for none; its whole range is run.
const char *conform_launch(world *w) {
  mr_storage *a, *b, *out;
  const mr_device_kernel *kernel;
  WELL(ints(w, w->memory, 0, &a));
  WELL(ints(w, &w->device->memories[MR_MEMORY_UNPINNED_HOST], 100, &b));
  WELL(ints(w, w->memory, 0, &out));
  WELL(world_kernel(w, w->device, &add_code, &kernel));
  int32_t wanted[COUNT];
  {
    const mr_region regions[3] = {{a, 0}, {b, 0}, {out, 0}};
    mr_device_work work = launch(kernel, regions, COUNT);
    WELL(world_do(w, w->device, &work));
  }
  for (int i = 0; i < COUNT; i++) {
    wanted[i] = 100 + 2 * i;
  }
  GOES_WELL(has_ints(w, out, 0, wanted, COUNT));
  const mr_region parts[3] = {{a, 40}, {NULL, 0}, {out, 400}};
  mr_device_work work = launch(kernel, parts, 5);
  WELL(world_do(w, w->device, &work));
  for (int i = 0; i < 5; i++) {
    wanted[100 + i] = 10 + i + 1;
  }
  return has_ints(w, out, 0, wanted, COUNT);
}

static mr_status double_or_fail(const mr_device_work *work, void *const *addresses, mr_group *group) {
  if (work->argument) {
    return mr_error(MR_DATA_LOSS, "as was asked for");
  }
  if (!group || addresses[1]) {
    return mr_error(MR_INTERNAL, "no group, or something where nothing is");
  }
  int32_t *at = addresses[0];
  for (int i = 0; i < COUNT; i++) {
    at[i] *= 2;
  }
  return MR_OK;
}

// A library call has addresses inside of it, and its status is the work's.
const char *conform_call(world *w) {
  mr_storage *a;
  WELL(ints(w, w->memory, 0, &a));
  const mr_region regions[2] = {{a, 0}, {NULL, 0}};
  mr_device_work work = {
      .kind = MR_WORK_CALL, .name = "double", .call = double_or_fail, .regions = regions, .num_regions = 2};
  WELL(world_do(w, w->device, &work));
  int32_t wanted[COUNT];
  for (int i = 0; i < COUNT; i++) {
    wanted[i] = 2 * i;
  }
  GOES_WELL(has_ints(w, a, 0, wanted, COUNT));
  work.argument = "fail";
  mr_status status = world_do(w, w->device, &work);
  bool lost = mr_status_code(status) == MR_DATA_LOSS;
  mr_status_free(status);
  CHECK(lost);
  return NULL;
}

// Nothing begins before all that it comes after is set, and what the work is described by may go meanwhile.
const char *conform_order(world *w) {
  mr_storage *a;
  WELL(ints(w, w->memory, 0, &a));
  mr_future *after[5], *done;
  for (int i = 0; i < 5; i++) {
    after[i] = world_promise(w);
  }
  int32_t *got = world_block(w, sizeof *got);
  *got = -1;
  {
    mr_device_work work = {.kind = MR_WORK_COPY_OUT, .name = "out", .from = {a, 28}, .host_to = got, .bytes = 4};
    WELL(world_submit(w, w->device, &work, after, 5, &done));
    memset(&work, 0xee, sizeof work);
  }
  for (int i = 0; i < 5; i++) {
    bool early = !done || mr_future_is_set(done) || *got != -1;
    mr_future_set(after[i], MR_OK);
    CHECK(!early);
  }
  WELL(world_end_of(done));
  CHECK(*got != -1);
  return NULL;
}

// What an input fails with the work fails with, at once or later, and does not begin.
const char *conform_failed_input(world *w) {
  mr_storage *a;
  WELL(ints(w, w->memory, 0, &a));
  for (int late = 0; late < 2; late++) {
    mr_future *good = world_promise(w), *bad = world_promise(w);
    mr_future_set(good, MR_OK);
    if (!late) {
      mr_future_set(bad, mr_error(MR_ABORTED, "on purpose"));
    }
    int32_t *got = world_block(w, sizeof *got);
    *got = -1;
    const mr_device_work work = {.kind = MR_WORK_COPY_OUT, .name = "out", .from = {a, 0}, .host_to = got, .bytes = 4};
    mr_future *const after[2] = {good, bad};
    mr_future *done = NULL, *next = NULL;
    mr_status status = world_submit(w, w->device, &work, after, 2, &done);
    if (late) {
      bool pending = !status && done && !mr_future_is_set(done);
      if (pending) {
        status = world_submit(w, w->device, &work, &done, 1, &next);
      }
      mr_future_set(bad, mr_error(MR_ABORTED, "on purpose"));
      CHECK(pending);
      WELL(status);
      status = world_end_of(next);
    } else if (!status) {
      status = world_end_of(done);
    }
    bool told = mr_status_code(status) == MR_ABORTED;
    mr_status_free(status);
    CHECK(told && *got == -1);
  }
  return NULL;
}

// A long chain is run in its order, and two chains do not disturb one another.
const char *conform_chain(world *w) {
  enum { LINKS = 100 };
  const mr_device_kernel *kernel;
  WELL(world_kernel(w, w->device, &add_code, &kernel));
  mr_storage *blocks[2][2];
  mr_future *last[2] = {NULL, NULL};
  for (int c = 0; c < 2; c++) {
    WELL(ints(w, w->memory, 1000 * c, &blocks[c][0]));
    WELL(ints(w, w->memory, 0, &blocks[c][1]));
  }
  for (int i = 0; i < LINKS; i++) {
    for (int c = 0; c < 2; c++) {
      const mr_region regions[3] = {{blocks[c][i % 2], 0}, {NULL, 0}, {blocks[c][1 - i % 2], 0}};
      mr_device_work work = launch(kernel, regions, COUNT);
      WELL(world_submit(w, w->device, &work, &last[c], last[c] != NULL, &last[c]));
    }
  }
  for (int c = 0; c < 2; c++) {
    WELL(world_end_of(last[c]));
    int32_t wanted[COUNT];
    for (int i = 0; i < COUNT; i++) {
      wanted[i] = 1000 * c + i + LINKS;
    }
    GOES_WELL(has_ints(w, blocks[c][LINKS % 2], 0, wanted, COUNT));
  }
  return NULL;
}

// Three fills, each followed by the next, and the last by whatever comes.
static mr_status followed_chain(world *w, mr_storage *storage, mr_future *gate, mr_future **out_futures) {
  const mr_device_work fill = {.kind = MR_WORK_FILL,
                               .name = "fill",
                               .to = {storage, 0},
                               .bytes = 4 * COUNT,
                               .pattern = {1},
                               .pattern_bytes = 1,
                               .followed = true};
  mr_future *last = gate;
  for (int i = 0; i < 3; i++) {
    out_futures[i] = NULL;
    MR_TRY(world_submit(w, w->device, &fill, &last, last != NULL, &out_futures[i]));
    last = out_futures[i];
  }
  return MR_OK;
}

static const char *all_end(world *w, mr_future *const *futures) {
  for (int i = 0; i < 3; i++) {
    WELL(world_end_of(futures[i]));
  }
  return NULL;
}

// What was said to be followed, and is not after all, ends by itself when it is concluded: before it can begin, or when it may have
// begun. So it does when what was to follow is refused, and others' futures do not mind.
const char *conform_concluded(world *w) {
  mr_storage *a;
  mr_future *futures[3];
  WELL(ints(w, w->memory, 0, &a));
  for (int early = 0; early < 2; early++) {
    mr_future *gate = world_promise(w);
    mr_status status = followed_chain(w, a, gate, futures);
    if (early && !status) {
      mr_device_conclude(w->device, &futures[2], 1);
    }
    mr_future_set(gate, MR_OK);
    WELL(status);
    CHECK(futures[2]);
    mr_device_conclude(w->device, (mr_future *const[]){gate, futures[2]}, 2);
    GOES_WELL(all_end(w, futures));
    mr_device_conclude(w->device, futures, 3);
  }
  mr_future *gate = world_promise(w), *bad = world_promise(w), *done = NULL;
  mr_status status = followed_chain(w, a, gate, futures);
  mr_future_set(bad, mr_error(MR_ABORTED, "on purpose"));
  if (!status) {
    const mr_device_work work = {.kind = MR_WORK_FILL, .name = "fill", .to = {a, 0}, .pattern_bytes = 1};
    mr_future *const after[2] = {futures[2], bad};
    status = world_submit(w, w->device, &work, after, 2, &done);
  }
  mr_future_set(gate, MR_OK);
  status = mr_status_join(status, world_end_of(done));
  bool told = mr_status_code(status) == MR_ABORTED;
  mr_status_free(status);
  CHECK(told);
  return all_end(w, futures);
}

typedef struct one_thread {
  world *w;
  mr_storage *storage;
  int number;
  bool good;
} one_thread;

static mr_status write_and_read(one_thread *t) {
  enum { BYTES = 4000, ROUNDS = 30 };
  uint8_t from[BYTES], to[BYTES];
  t->good = true;
  for (int round = 0; round < ROUNDS; round++) {
    mr_future *written = NULL, *read = NULL;
    world_pattern(from, BYTES, (uint32_t)(t->number * ROUNDS + round));
    mr_status status = mr_storage_write(t->storage, 0, BYTES, from, NULL, 0, &written);
    if (!status) {
      status = mr_storage_read(t->storage, 0, BYTES, to, &written, written != NULL, &read);
    }
    status = mr_status_join(status, world_end_of(written));
    status = mr_status_join(status, world_end_of(read));
    mr_future_release(written);
    mr_future_release(read);
    MR_TRY(status);
    t->good = t->good && memcmp(from, to, BYTES) == 0;
  }
  return MR_OK;
}

static void *thread_main(void *arg) { return write_and_read(arg); }

// Any number of threads may submit at once.
const char *conform_threads(world *w) {
  enum { THREADS = 4 };
  one_thread threads[THREADS];
  pthread_t ids[THREADS];
  for (int i = 0; i < THREADS; i++) {
    threads[i] = (one_thread){.w = w, .number = i};
    WELL(ints(w, w->memory, i, &threads[i].storage));
  }
  for (int i = 0; i < THREADS; i++) {
    if (pthread_create(&ids[i], NULL, thread_main, &threads[i])) {
      ids[i] = pthread_self();
    }
  }
  mr_status status = MR_OK;
  bool good = true;
  for (int i = 0; i < THREADS; i++) {
    void *ended = NULL;
    if (!pthread_equal(ids[i], pthread_self())) {
      pthread_join(ids[i], &ended);
      status = mr_status_join(status, ended);
    }
    good = good && threads[i].good;
  }
  WELL(status);
  CHECK(good);
  return NULL;
}

// Code that the device does not run is refused by name.
const char *conform_other_languages(world *w) {
  const mr_kernel_code code = {.language = (mr_code_language)77, .name = "kernel of nowhere"};
  mr_device_kernel *kernel = NULL;
  mr_status status = mr_device_load_kernel(w->device, &code, &kernel);
  bool refused = mr_status_code(status) == MR_UNIMPLEMENTED && !kernel &&
                 strstr(mr_status_message(status), "kernel of nowhere") != NULL;
  mr_status_free(status);
  CHECK(refused);
  return NULL;
}
