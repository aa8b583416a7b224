// The native C API. Its handles are the engine's own structs under public names, so that a call costs what the engine's
// costs: an error is a status, a context a platform, a program an executable, an event a counted future.
#include "millrace/millrace.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include "compiler/compiler.h"
#include "core/size.h"
#include "millrace/internal.h"

#define STATUS(name, number) static_assert((int)MILLRACE_##name == number, "ORDER status");
#include "core/status.def"
#define DTYPE(name, number, spelling, bits, bytes, class) static_assert((int)MILLRACE_##name == number, "ORDER dtype");
#include "core/dtype.def"

// ---- Errors and element types ---------------------------------------------------------------------------------------

millrace_code millrace_error_code(millrace_error *error) { return (millrace_code)mr_status_code(error); }
const char *millrace_code_name(millrace_code code) { return mr_status_code_name((mr_code)code); }
const char *millrace_error_message(millrace_error *error) { return mr_status_message(error); }
void millrace_error_free(millrace_error *error) { mr_status_free(error); }

static bool is_dtype(millrace_dtype dtype) { return (unsigned)dtype < (unsigned)MR_DTYPE_COUNT; }

const char *millrace_dtype_name(millrace_dtype dtype) {
  return mr_dtype_name(is_dtype(dtype) ? (mr_dtype)dtype : MR_INVALID);
}
size_t millrace_dtype_bytes(millrace_dtype dtype) {
  return mr_dtype_bytes(is_dtype(dtype) ? (mr_dtype)dtype : MR_INVALID);
}

// Of the first device of the last context, which programs are loaded for when they are told none: what it can do, and what it runs when
// that is not native code. NULL figures: there was no context. Figures live as long as the process.
static struct {
  pthread_mutex_t lock;
  const mr_figures *figures;
  mr_target target;
  bool has_target;
} here = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void come_here(mr_device *device) {
  const mr_target *target = mr_device_target(device);
  pthread_mutex_lock(&here.lock);
  here.figures = mr_device_figures(device);
  here.has_target = target != NULL;
  if (target) {
    here.target = *target;
  }
  pthread_mutex_unlock(&here.lock);
}

// ---- Context and devices --------------------------------------------------------------------------------------------

millrace_error *millrace_context_create(const millrace_context_options *options, millrace_context **out_context) {
  *out_context = NULL;
  mr_platform_options platform_options = {0};
  // A caller compiled against a shorter struct leaves the rest at its default.
  if (options && options->struct_size >= offsetof(millrace_context_options, queue_calls)) {
    platform_options.num_devices = options->num_devices;
  }
  if (options && options->struct_size >= sizeof *options) {
    platform_options.queue_calls = options->queue_calls;
    platform_options.queue_mb = options->queue_mb;
  }
  mr_platform *platform = NULL;
  mr_status status = mr_platform_create(&platform_options, &platform);
  if (!status) {
    come_here(mr_platform_device(platform, 0));
    *out_context = platform;
  }
  return status;
}

void millrace_context_release(millrace_context *context) {
  if (context) {
    mr_platform_give_up(context);
    mr_platform_finish(context);
    mr_platform_release(context);
  }
}

size_t millrace_context_device_count(const millrace_context *context) { return mr_platform_device_count(context); }

millrace_device *millrace_context_device(const millrace_context *context, size_t index) {
  if (index >= millrace_context_device_count(context)) {
    return NULL;
  }
  return mr_platform_device(context, index);
}

millrace_device_info millrace_device_info_of(millrace_device *device) {
  mr_memory_stats stats = mr_device_stats(device);
  return (millrace_device_info){.id = device->id,
                                .kind = device->ops->name,
                                .memory_in_use = stats.bytes_in_use,
                                .memory_peak = stats.peak_bytes_in_use,
                                .memory_limit = stats.bytes_limit};
}

millrace_queue millrace_device_queue(millrace_device *device) {
  mr_admission_counts counts = mr_admission_count(&device->admission);
  return (millrace_queue){.calls = counts.calls,
                          .peak_calls = counts.peak_calls,
                          .bytes = (uint64_t)MR_MAX(counts.bytes, 0),
                          .peak_bytes = (uint64_t)MR_MAX(counts.peak_bytes, 0)};
}

millrace_error *millrace_device_room(millrace_device *device, millrace_event **out_event) {
  return mr_admission_room(&device->admission, out_event);
}

void mr_engine_choose_device(mr_device *device, mr_target *target, mr_compile_options *options) {
  if (device) {
    options->figures = mr_device_figures(device);
    options->target = mr_device_target(device);
    return;
  }
  pthread_mutex_lock(&here.lock);
  options->figures = here.figures;
  *target = here.target;
  options->target = here.has_target ? target : NULL;
  pthread_mutex_unlock(&here.lock);
}

// ---- Buffers --------------------------------------------------------------------------------------------------------

static mr_status host_array(const millrace_array *array, mr_host_array *out_host) {
  if (!is_dtype(array->dtype) || mr_dtype_bytes((mr_dtype)array->dtype) == 0) {
    return mr_error(MR_INVALID_ARGUMENT, "array has element type %d, wanted one that takes memory", (int)array->dtype);
  }
  if (array->rank > MR_MAX_RANK) {
    return mr_error(MR_INVALID_ARGUMENT, "array has %zu dimensions, wanted at most %d", array->rank, MR_MAX_RANK);
  }
  *out_host = (mr_host_array){.data = array->data,
                              .dtype = (mr_dtype)array->dtype,
                              .dims = array->dims,
                              .rank = array->rank,
                              .byte_strides = array->byte_strides};
  return MR_OK;
}

static mr_status buffer_from(millrace_device *device, const millrace_array *array, mr_host_semantics semantics,
                             void (*unused)(void *), void *argument, millrace_buffer **out_buffer) {
  *out_buffer = NULL;
  mr_host_array host;
  MR_TRY(host_array(array, &host));
  mr_memory *memory = &device->memories[MR_MEMORY_DEVICE];
  mr_buffer *buffer = NULL;
  MR_TRY(mr_buffer_from_host(memory, &host, semantics, unused, argument, &buffer));
  *out_buffer = buffer;
  return MR_OK;
}

millrace_error *millrace_buffer_create(millrace_device *device, const millrace_array *array,
                                       millrace_buffer **out_buffer) {
  return buffer_from(device, array, MR_HOST_ONLY_DURING_CALL, NULL, NULL, out_buffer);
}

millrace_error *millrace_buffer_wrap(millrace_device *device, const millrace_array *array, void (*unused)(void *),
                                     void *argument, millrace_buffer **out_buffer) {
  return buffer_from(device, array, MR_HOST_IMMUTABLE_ZERO_COPY, unused, argument, out_buffer);
}

millrace_buffer *millrace_buffer_retain(millrace_buffer *buffer) { return mr_buffer_retain(buffer); }
void millrace_buffer_release(millrace_buffer *buffer) {
  if (buffer) {
    mr_buffer_release(buffer);
  }
}

millrace_type millrace_buffer_type(const millrace_buffer *buffer) {
  return (millrace_type){.dtype = (millrace_dtype)mr_buffer_dtype(buffer),
                         .dims = mr_buffer_dims(buffer),
                         .rank = mr_buffer_rank(buffer),
                         .bytes = mr_buffer_bytes(buffer)};
}

millrace_event *millrace_buffer_ready(millrace_buffer *buffer) {
  mr_future *ready = mr_buffer_ready(buffer);
  return ready ? mr_future_retain(ready) : NULL;
}

static mr_status read_async(millrace_buffer *buffer, void *to, size_t size, mr_future **out_done) {
  *out_done = NULL;
  size_t bytes = mr_buffer_bytes(buffer);
  if (size != bytes) {
    return mr_error(MR_INVALID_ARGUMENT, "reading %zu bytes of a buffer of %zu", size, bytes);
  }
  return mr_buffer_to_host(buffer, to, NULL, out_done);
}

millrace_error *millrace_buffer_read_async(millrace_buffer *buffer, void *to, size_t size, millrace_event **out_event) {
  *out_event = NULL;
  mr_future *done = NULL;
  mr_status status = read_async(buffer, to, size, &done);
  *out_event = done;
  return status;
}

millrace_error *millrace_buffer_read(millrace_buffer *buffer, void *to, size_t size) {
  millrace_event *event = NULL;
  millrace_error *error = millrace_buffer_read_async(buffer, to, size, &event);
  if (!error) {
    error = millrace_event_wait(event);
  }
  millrace_event_release(event);
  return error;
}

millrace_error *millrace_buffer_copy(millrace_buffer *buffer, millrace_device *device, millrace_buffer **out_copy) {
  *out_copy = NULL;
  if (mr_buffer_memory(buffer)->device->platform != device->platform) {
    return mr_error(MR_INVALID_ARGUMENT, "the buffer is another context's than the device it is to be copied to");
  }
  return mr_buffer_copy_to(buffer, &device->memories[MR_MEMORY_DEVICE], out_copy);
}

// ---- Where the content is -------------------------------------------------------------------------------------------

millrace_error *millrace_buffer_map(millrace_buffer *buffer, const void **out_data) {
  *out_data = NULL;
  if (!mr_buffer_external_retain(buffer)) {
    return mr_error(MR_INVALID_ARGUMENT, "buffer has been deleted or donated");
  }
  void *data;
  mr_status status = mr_buffer_data(buffer, &data);
  if (status) {
    mr_buffer_external_release(buffer);
    return status;
  }
  *out_data = data;
  return MR_OK;
}

void millrace_buffer_unmap(millrace_buffer *buffer) { mr_buffer_external_release(buffer); }

// ---- Events ---------------------------------------------------------------------------------------------------------

bool millrace_event_is_done(const millrace_event *event) { return !event || mr_future_is_set(event); }

millrace_error *millrace_event_wait(millrace_event *event) {
  if (!event) {
    return NULL;
  }
  mr_future_wait(event);
  return mr_status_retain(mr_future_status(event));
}

// Carries a public callback through the engine's; called through its own type.
typedef struct done_callback {
  mr_waiter waiter;
  void (*done)(void *argument, millrace_error *error);
  void *argument;
} done_callback;

static void call_done(mr_waiter *waiter, mr_status status) {
  done_callback *callback = MR_CONTAINER_OF(waiter, done_callback, waiter);
  callback->done(callback->argument, status);
  mr_free(callback);
}

millrace_error *millrace_event_on_done(millrace_event *event, void (*done)(void *, millrace_error *), void *argument) {
  if (!event) {
    done(argument, NULL);
    return NULL;
  }
  done_callback *callback = mr_alloc(sizeof *callback);
  if (!callback) {
    return MR_NO_MEMORY();
  }
  *callback = (done_callback){.waiter = {.run = call_done}, .done = done, .argument = argument};
  mr_future_then(event, &callback->waiter);
  return NULL;
}

void millrace_event_release(millrace_event *event) {
  if (event) {
    mr_future_release(event);
  }
}
