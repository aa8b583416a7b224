#include "tests/devices/conform.h"

#include <stdlib.h>
#include <string.h>

#include "tests/cmocka.h"

#include <stdio.h>

const char *world_says(world *w, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(w->said, sizeof w->said, format, arguments);
  va_end(arguments);
  return w->said;
}

const char *world_says_status(world *w, const char *where, mr_status take_status) {
  world_says(w, "%s: %s: %s", where, mr_status_code_name(mr_status_code(take_status)), mr_status_message(take_status));
  mr_status_free(take_status);
  return w->said;
}

void world_open(world *w, const char *kind) {
  char kinds[128];
  memset(w, 0, sizeof *w);
  snprintf(kinds, sizeof kinds, "%s,%s,cpu", kind, kind);
  mr_platform_options options = {.kinds = kinds};
  assert_null(mr_platform_create(&options, &w->platform));
  assert_int_equal(mr_platform_device_count(w->platform), 3);
  w->device = mr_platform_device(w->platform, 0);
  w->peer = mr_platform_device(w->platform, 1);
  w->cpu = mr_platform_device(w->platform, 2);
  w->memory = &w->device->memories[MR_MEMORY_DEVICE];
}

static void wait_for(world *w, mr_future *future) {
  if (future) {
    mr_scheduler_wait(mr_platform_scheduler(w->platform), future);
  }
}

void world_close(world *w) {
  mr_platform_give_up(w->platform);
  for (size_t i = 0; i < w->num_futures; i++) {
    wait_for(w, w->futures[i]);
    mr_future_release(w->futures[i]);
  }
  for (size_t i = 0; i < w->num_buffers; i++) {
    wait_for(w, mr_buffer_ready(w->buffers[i]));
    mr_buffer_release(w->buffers[i]);
  }
  for (size_t i = 0; i < w->num_storages; i++) {
    mr_storage_release(w->storages[i]);
  }
  for (size_t i = 0; i < w->num_kernels; i++) {
    mr_device_kernel_release(w->kernels[i]);
  }
  for (size_t i = 0; i < w->num_blocks; i++) {
    free(w->blocks[i]);
  }
  mr_platform_release(w->platform);
}

void *world_block(world *w, size_t bytes) {
  assert_true(w->num_blocks < WORLD_THINGS);
  void *block = calloc(1, bytes + 1);
  assert_non_null(block);
  w->blocks[w->num_blocks++] = block;
  return block;
}

static void keep_future(world *w, mr_future *future) {
  assert_true(w->num_futures < WORLD_THINGS);
  w->futures[w->num_futures++] = future;
}

mr_future *world_promise(world *w) {
  mr_future *future;
  assert_null(mr_future_create(&future));
  keep_future(w, future);
  return future;
}

mr_status world_storage(world *w, mr_memory *memory, size_t bytes, mr_storage **out_storage) {
  MR_TRY(mr_storage_allocate(memory, bytes, out_storage));
  assert_true(w->num_storages < WORLD_THINGS);
  w->storages[w->num_storages++] = *out_storage;
  return MR_OK;
}

mr_status world_submit(world *w, mr_device *device, const mr_device_work *work, mr_future *const *after,
                       size_t num_after, mr_future **out_done) {
  MR_TRY(mr_device_submit(device, work, after, num_after, out_done));
  if (*out_done) {
    keep_future(w, *out_done);
  }
  return MR_OK;
}

mr_status world_end_of(mr_future *done) {
  if (!done) {
    return MR_OK;
  }
  mr_future_wait(done);
  return mr_status_retain(mr_future_status(done));
}

mr_status world_do(world *w, mr_device *device, const mr_device_work *work) {
  mr_future *done;
  MR_TRY(world_submit(w, device, work, NULL, 0, &done));
  return world_end_of(done);
}

static mr_status end_and_release(mr_future *take_done) {
  mr_status status = world_end_of(take_done);
  mr_future_release(take_done);
  return status;
}

mr_status world_write(world *w, mr_storage *storage, size_t offset, const void *from, size_t bytes) {
  (void)w;
  mr_future *done;
  MR_TRY(mr_storage_write(storage, offset, bytes, from, NULL, 0, &done));
  return end_and_release(done);
}

mr_status world_read(world *w, mr_storage *storage, size_t offset, void *to, size_t bytes) {
  (void)w;
  mr_future *done;
  MR_TRY(mr_storage_read(storage, offset, bytes, to, NULL, 0, &done));
  return end_and_release(done);
}

mr_status world_kernel(world *w, mr_device *device, const world_code *code, const mr_device_kernel **out_kernel) {
  assert_true(w->num_kernels < WORLD_THINGS);
  mr_code_unit *unit = &w->units[w->num_kernels];
  const mr_target *target = mr_device_target(device);
  mr_kernel_code kernel_code = {.language = MR_CODE_NATIVE, .native = code->native, .name = "test"};
  if (target && target->language == MR_CODE_OPENCL_C) {
    *unit = (mr_code_unit){.language = MR_CODE_OPENCL_C, .source = mr_str_of(code->source)};
    unit->key = mr_hash128_of(code->source, strlen(code->source), (mr_hash128){0});
    kernel_code = (mr_kernel_code){.language = MR_CODE_OPENCL_C,
                                   .name = "test",
                                   .unit = unit,
                                   .entry = code->entry,
                                   .num_regions = code->num_regions};
  }
  mr_device_kernel *kernel;
  MR_TRY(mr_device_load_kernel(device, &kernel_code, &kernel));
  w->kernels[w->num_kernels++] = kernel;
  *out_kernel = kernel;
  return MR_OK;
}

void world_keep_buffer(world *w, mr_buffer *take_buffer) {
  assert_true(w->num_buffers < WORLD_THINGS);
  w->buffers[w->num_buffers++] = take_buffer;
}

void world_pattern(void *to, size_t bytes, uint32_t salt) {
  uint8_t *at = to;
  for (size_t i = 0; i < bytes; i++) {
    at[i] = (uint8_t)((i * 2654435761u + salt * 40503u) >> 13);
  }
}
