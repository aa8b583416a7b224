// Programs: loaded here and now, on a thread of the engine's, or from a file that has their machine code; and what they say of themselves.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/saved.h"
#include "core/kept.h"
#include "core/size.h"
#include "millrace/file.h"
#include "millrace/internal.h"

// ---- What a program was loaded with -----------------------------------------------------------------------------------

// The options as they are from here on, whatever header the caller was compiled against.
static mr_status read_options(const millrace_program_options *options, millrace_program_options *out) {
  *out = (millrace_program_options){.struct_size = sizeof *out};
  if (!options) {
    return MR_OK;
  }
  const size_t first_version = offsetof(millrace_program_options, device);
  if (options->struct_size < first_version) {
    return mr_error(MR_INVALID_ARGUMENT, "program options: struct_size is %zu, wanted at least %zu",
                    options->struct_size, first_version);
  }
  memcpy(out, options, MR_MIN(options->struct_size, sizeof *out));
  out->struct_size = sizeof *out;
  return MR_OK;
}

// What a program keeps of that for mr_saved_write(), in one block: the note, then the program.
typedef struct kept {
  mr_figures figures;
  bool for_target;
  mr_target target;
  mr_span note, program;
} kept;

// The note: numbers, all 64 bits. Shapes follow as their ranks and dimensions.
enum { NOTE_MAGIC, NOTE_REPLICAS, NOTE_PARTITIONS, NOTE_SHAPES, NOTE_HEAD };
static const int64_t note_magic = 0x31657461524c694d;

static size_t note_numbers(const mr_compile_options *options) {
  size_t count = NOTE_HEAD;
  for (size_t i = 0; i < options->num_shapes; i++) {
    count += 1 + options->shapes[i].rank;
  }
  return count;
}

static void write_note(const mr_compile_options *options, int64_t *out) {
  out[NOTE_MAGIC] = note_magic;
  out[NOTE_REPLICAS] = options->num_replicas;
  out[NOTE_PARTITIONS] = options->num_partitions;
  out[NOTE_SHAPES] = (int64_t)options->num_shapes;
  int64_t *at = out + NOTE_HEAD;
  for (size_t i = 0; i < options->num_shapes; i++) {
    const mr_shape *shape = &options->shapes[i];
    *at++ = (int64_t)shape->rank;
    for (size_t d = 0; d < shape->rank; d++) {
      *at++ = shape->dims[d];
    }
  }
}

// `numbers` are the note's, aligned; shapes point into them. The list is the caller's to free.
static mr_status read_note(const int64_t *numbers, size_t count, mr_compile_options *options, mr_shape **out_shapes) {
  *out_shapes = NULL;
  mr_status damaged = mr_error(MR_DATA_LOSS, "saved program: its note is not one of this library's");
  if (count < NOTE_HEAD || numbers[NOTE_MAGIC] != note_magic || numbers[NOTE_SHAPES] < 0 ||
      (uint64_t)numbers[NOTE_SHAPES] > count) {
    return damaged;
  }
  size_t num_shapes = (size_t)numbers[NOTE_SHAPES], at = NOTE_HEAD;
  mr_shape *shapes = mr_alloc_zeroed(num_shapes + 1, sizeof *shapes);
  if (!shapes) {
    mr_status_free(damaged);
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < num_shapes; i++) {
    if (at >= count || numbers[at] < 0 || (uint64_t)numbers[at] > MR_MAX_RANK || (uint64_t)numbers[at] >= count - at) {
      mr_free(shapes);
      return damaged;
    }
    shapes[i] = (mr_shape){.dims = numbers + at + 1, .rank = (size_t)numbers[at]};
    at += 1 + shapes[i].rank;
  }
  mr_status_free(damaged);
  options->num_replicas = (uint32_t)numbers[NOTE_REPLICAS];
  options->num_partitions = (uint32_t)numbers[NOTE_PARTITIONS];
  options->shapes = shapes;
  options->num_shapes = num_shapes;
  *out_shapes = shapes;
  return MR_OK;
}

static mr_status keep(mr_executable *executable, mr_span program, const mr_compile_options *options) {
  size_t note = note_numbers(options) * sizeof(int64_t);
  char *block = mr_alloc(mr_size_add(mr_size_add(sizeof(kept), note), program.size));
  if (!block) {
    return MR_NO_MEMORY();
  }
  kept *k = (kept *)(void *)block;
  *k = (kept){.figures = options->figures ? *options->figures : mr_figures_default,
              .for_target = options->target != NULL,
              .note = {block + sizeof *k, note},
              .program = {block + sizeof *k + note, program.size}};
  if (options->target) {
    k->target = *options->target;
  }
  write_note(options, (int64_t *)(void *)(block + sizeof *k));
  memcpy(block + sizeof *k + note, program.data, program.size);
  mr_executable_set_host(executable, k, mr_free);
  return MR_OK;
}

// ---- Loading ------------------------------------------------------------------------------------------------------------

static mr_status load(mr_span program, const millrace_program_options *options, mr_compile_progress *progress,
                      mr_executable **out_executable) {
  mr_target target;
  mr_compile_options how = {.num_replicas = options->num_replicas,
                            .num_partitions = options->num_partitions,
                            .num_shapes = options->shapes ? options->num_shapes : 0,
                            .progress = progress};
  mr_engine_choose_device(options->device, &target, &how);
  mr_shape *shapes = mr_alloc(mr_size_mul(how.num_shapes + 1, sizeof *shapes));
  if (!shapes) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < how.num_shapes; i++) {
    shapes[i] = (mr_shape){options->shapes[i].dims, options->shapes[i].rank};
  }
  how.shapes = shapes;
  progress->stop = options->stop ? mr_stopper_word(options->stop) : NULL;
  mr_executable *executable = NULL;
  mr_status status = mr_compile(program, &how, &executable);
  status = status || !options->keeps_bytes ? status : keep(executable, program, &how);
  mr_free(shapes);
  if (status) {
    mr_executable_release(executable);
    return status;
  }
  *out_executable = executable;
  return MR_OK;
}

millrace_error *millrace_program_load_for(const void *bytes, size_t size, const millrace_program_options *options,
                                          millrace_program **out_program) {
  *out_program = NULL;
  millrace_program_options all;
  mr_compile_progress progress = {0};
  MR_TRY(read_options(options, &all));
  return load((mr_span){bytes, size}, &all, &progress, out_program);
}

millrace_error *millrace_program_load(const void *bytes, size_t size, millrace_program **out_program) {
  return millrace_program_load_for(bytes, size, NULL, out_program);
}

millrace_program *millrace_program_retain(millrace_program *program) { return mr_executable_retain(program); }

void millrace_program_release(millrace_program *program) {
  if (program) {
    mr_executable_release(program);
  }
}

// ---- Loading on another thread --------------------------------------------------------------------------------------------

typedef struct mr_loading mr_loading;
struct mr_loading {
  mr_ref ref;  // the caller's, and the node's
  mr_span program;
  millrace_program_options options;
  mr_compile_progress progress;
  mr_future *done;            // owned: the node's
  mr_executable *executable;  // owned; when it is set
};

static void loading_unref(mr_loading *loading) {
  if (mr_ref_release(&loading->ref)) {
    mr_executable_release(loading->executable);
    mr_future_release(loading->done);
    mr_free(loading);
  }
}

static void loading_run(mr_node *node) {
  mr_loading *loading = *(mr_loading **)mr_node_payload(node);
  mr_status status = load(loading->program, &loading->options, &loading->progress, &loading->executable);
  loading_unref(loading);  // which may have the last reference to the node but the graph's
  mr_node_finish(node, status);
}

static void loading_fail(mr_node *node, mr_status status) {
  (void)status;
  loading_unref(*(mr_loading **)mr_node_payload(node));
}

static const mr_node_type loading_type = {
    .name = "load program", .kind = MR_NODE_COMPILE, .run = loading_run, .fail = loading_fail};

// Any of a platform's devices: what compiles is a worker, and the program is for the device that the options name.
millrace_error *millrace_program_load_async(const void *bytes, size_t size, const millrace_program_options *options,
                                            millrace_loading **out_loading) {
  *out_loading = NULL;
  millrace_program_options all;
  MR_TRY(read_options(options, &all));
  if (!all.device) {
    return mr_error(MR_INVALID_ARGUMENT, "loading on another thread: the options have no device, wanted one");
  }
  mr_loading *loading = mr_alloc_zeroed(1, sizeof *loading);
  if (!loading) {
    return MR_NO_MEMORY();
  }
  mr_ref_init(&loading->ref);
  loading->program = (mr_span){bytes, size};
  loading->options = all;
  mr_node *node = NULL;
  mr_status status = mr_node_create(&loading_type, sizeof loading, all.device->executor, &node);
  if (status) {
    mr_free(loading);
    return status;
  }
  *(mr_loading **)mr_node_payload(node) = loading;
  mr_ref_retain(&loading->ref);
  node->cost_ns = UINT32_MAX;  // never on this thread
  loading->done = mr_future_retain(mr_node_done(node));
  *out_loading = loading;
  mr_node_submit(node);
  return MR_OK;
}

millrace_event *millrace_loading_event(millrace_loading *loading) { return mr_future_retain(loading->done); }

void millrace_loading_progress(const millrace_loading *loading, uint32_t *out_done, uint32_t *out_all) {
  *out_done = atomic_load_explicit(&loading->progress.kernels, memory_order_relaxed);
  *out_all = atomic_load_explicit(&loading->progress.all, memory_order_relaxed);
}

millrace_error *millrace_loading_program(millrace_loading *loading, millrace_program **out_program) {
  *out_program = NULL;
  mr_future_wait(loading->done);
  mr_status status = mr_future_status(loading->done);
  if (status) {
    return mr_status_retain(status);
  }
  *out_program = mr_executable_retain(loading->executable);
  return MR_OK;
}

void millrace_loading_release(millrace_loading *loading) {
  if (loading) {
    loading_unref(loading);
  }
}

// ---- Files ------------------------------------------------------------------------------------------------------------------

static mr_status file_error(const char *what, const char *path) {
  return mr_error(errno == ENOSPC || errno == EDQUOT ? MR_RESOURCE_EXHAUSTED : MR_UNAVAILABLE, "cannot %s %s: %s", what,
                  path, strerror(errno));
}

// A new file beside `path`, whose name it gets, with the mode that the process's umask leaves: others may be meant to open what is saved.
static int open_beside(const char *path, char *name, size_t room) {
  static _Atomic(uint32_t) number;
  int file;
  do {  // an earlier process of our number may have left one
    uint32_t n = atomic_fetch_add_explicit(&number, 1, memory_order_relaxed);
    snprintf(name, room, "%s.%ld-%u", path, (long)getpid(), n);
    file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file < 0 && (errno == EEXIST || errno == EINTR));
  return file;
}

// Beside it, then renamed: whoever reads sees all of it or what was there before.
static mr_status write_file(const char *path, const char *data, size_t size) {
  enum { ENDING = 32 };
  char name[4096];
  if (strlen(path) >= sizeof name - ENDING) {
    return mr_error(MR_INVALID_ARGUMENT, "a path of %zu bytes, wanted at most %zu", strlen(path),
                    sizeof name - ENDING - 1);
  }
  int file = open_beside(path, name, sizeof name);
  if (file < 0) {
    return file_error("make a file beside", path);
  }
  bool wrote = mr_kept_write_all(file, data, size);
  int error = errno;
  bool closed = close(file) == 0;
  if (!wrote || !closed || rename(name, path) != 0) {
    errno = wrote ? errno : error;
    mr_status status = file_error("write", path);
    unlink(name);
    return status;
  }
  return MR_OK;
}

millrace_error *millrace_program_save(const millrace_program *program, const char *path) {
  const kept *k = mr_executable_host(program);
  if (!k) {
    return mr_error(MR_FAILED_PRECONDITION, "the program was loaded without keeps_bytes, which saving it wants");
  }
  mr_saved what = {.note = k->note, .program = k->program, .figures = k->figures, .for_target = k->for_target};
  if (k->for_target) {
    what.target = k->target;
  }
  mr_text text;
  MR_TRY(mr_saved_write(&what, program, &text));
  mr_status status = write_file(path, text.data, text.size);
  mr_text_deinit(&text);
  return status;
}

static mr_status compile_saved(const mr_saved *saved, const int64_t *note, millrace_program **out_program) {
  mr_compile_options how = {
      .format = saved->format, .figures = &saved->figures, .target = saved->for_target ? &saved->target : NULL};
  mr_shape *shapes;
  MR_TRY(read_note(note, saved->note.size / sizeof *note, &how, &shapes));
  mr_executable *executable = NULL;
  mr_status status = mr_compile(saved->program, &how, &executable);
  status = status ? status : keep(executable, saved->program, &how);
  mr_free(shapes);
  if (status) {
    mr_executable_release(executable);
    return status;
  }
  *out_program = executable;
  return MR_OK;
}

static mr_status open_saved(mr_span bytes, millrace_program **out_program) {
  mr_saved saved;
  MR_TRY(mr_saved_read(bytes, &saved));
  int64_t *note = mr_alloc(saved.note.size + 1);  // a file has it anywhere
  mr_status status = note ? MR_OK : MR_NO_MEMORY();
  if (note) {
    memcpy(note, saved.note.data, saved.note.size);
    status = compile_saved(&saved, note, out_program);
    mr_free(note);
  }
  mr_saved_release(&saved);
  return status;
}

millrace_error *millrace_program_open(const char *path, millrace_program **out_program) {
  *out_program = NULL;
  mr_file file;
  MR_TRY(mr_file_map(path, &file));
  mr_status status = mr_status_note(open_saved(file.bytes, out_program), "%s", path);
  mr_file_unmap(&file);
  return status;
}

// ---- What it says of itself -------------------------------------------------------------------------------------------------

size_t millrace_program_device_count(const millrace_program *program) { return mr_executable_row_count(program); }

size_t millrace_program_parameter_count(const millrace_program *program) { return mr_executable_param_count(program); }
size_t millrace_program_result_count(const millrace_program *program) { return mr_executable_result_count(program); }

static millrace_type whole_of_port(const mr_port *port) {
  millrace_type type = {.dtype = (millrace_dtype)port->dtype,
                        .dims = port->global_dims ? port->global_dims : port->dims,
                        .rank = port->rank,
                        .bytes = mr_dtype_bytes(port->dtype)};
  for (size_t d = 0; d < type.rank; d++) {
    type.bytes = mr_size_mul(type.bytes, (size_t)type.dims[d]);
  }
  return type;
}

static millrace_type type_of_port(const mr_port *port) {
  return (millrace_type){
      .dtype = (millrace_dtype)port->dtype, .dims = port->dims, .rank = port->rank, .bytes = port->bytes};
}
millrace_type millrace_program_parameter(const millrace_program *program, size_t index) {
  return type_of_port(mr_executable_param(program, index));
}
millrace_type millrace_program_result(const millrace_program *program, size_t index) {
  return type_of_port(mr_executable_result(program, index));
}
millrace_type millrace_program_whole_parameter(const millrace_program *program, size_t index) {
  return whole_of_port(mr_executable_param(program, index));
}

millrace_type millrace_program_whole_result(const millrace_program *program, size_t index) {
  return whole_of_port(mr_executable_result(program, index));
}

void millrace_program_parameter_part(const millrace_program *program, size_t index, size_t row, int64_t *out_offsets) {
  mr_port_offsets(mr_executable_param(program, index), (int64_t)row, out_offsets);
}

void millrace_program_result_part(const millrace_program *program, size_t index, size_t row, int64_t *out_offsets) {
  mr_port_offsets(mr_executable_result(program, index), (int64_t)row, out_offsets);
}

bool millrace_program_donates(const millrace_program *program, size_t index) {
  return mr_executable_param(program, index)->donated;
}

// Texts of the executable's end with a zero (mr_arena_str).
const char *millrace_program_parameter_name(const millrace_program *program, size_t index) {
  const mr_str name = mr_executable_param(program, index)->name;
  return name.size ? name.data : "";
}

const char *millrace_program_result_name(const millrace_program *program, size_t index) {
  const mr_str name = mr_executable_result(program, index)->name;
  return name.size ? name.data : "";
}

millrace_program_costs millrace_program_costs_of(const millrace_program *program) {
  mr_executable_stats stats = mr_executable_stats_of(program);
  return (millrace_program_costs){.argument_bytes = stats.argument_bytes,
                                  .result_bytes = stats.result_bytes,
                                  .donated_bytes = stats.alias_bytes,
                                  .temporary_bytes = stats.temp_bytes,
                                  .constant_bytes = stats.constant_bytes,
                                  .code_bytes = stats.code_bytes,
                                  .flops = stats.flops,
                                  .estimate_ns = stats.cost_ns,
                                  .compile_ns = stats.compile_ns,
                                  .kernels = stats.kernels,
                                  .library_calls = stats.library_calls,
                                  .steps = stats.steps,
                                  .unbounded = stats.unbounded};
}
