// millrace run PROGRAM: executes it once or several times, with arrays of NumPy's files.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "millrace/millrace.h"
#include "tools/commands.h"
#include "tools/npy.h"

static const char run_usage[] =
    "usage: millrace run PROGRAM [--input FILE]... [--output DIR] [--repeat N] [--device N | --devices N]\n"
    "\n"
    "Inputs are .npy files, one for each parameter in order, or .npz archives: their arrays in0, in1, ... when there "
    "are\n"
    "such, else all of them; without any, what is wanted is told. Results are printed, or written to DIR/out0.npy,\n"
    "DIR/out1.npy, ... Types NumPy lacks are raw bits: bf16 is uint16, f8 uint8, i4 int8. --devices N: as a program\n"
    "over N devices, which run it together; inputs are whole arrays and are cut, results are joined.\n";

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// ---- Element types and NumPy's --------------------------------------------------------------------------------------

// NumPy's kind letter for an element type; raw bits for those it lacks.
static char numpy_kind(millrace_dtype dtype) {
  switch (dtype) {
  case MILLRACE_PRED: return 'b';
  case MILLRACE_S1:
  case MILLRACE_S2:
  case MILLRACE_S4:
  case MILLRACE_S8:
  case MILLRACE_S16:
  case MILLRACE_S32:
  case MILLRACE_S64: return 'i';
  case MILLRACE_F16:
  case MILLRACE_F32:
  case MILLRACE_F64: return 'f';
  case MILLRACE_C64:
  case MILLRACE_C128: return 'c';
  default: return 'u';
  }
}

static const char *type_text(millrace_type type, char *buffer, size_t size) {
  size_t used = 0;
  buffer[0] = '\0';
  for (size_t i = 0; i < type.rank && used < size; i++) {
    used += (size_t)snprintf(buffer + used, size - used, "%" PRId64 "x", type.dims[i]);
  }
  if (used < size) {
    snprintf(buffer + used, size - used, "%s", millrace_dtype_name(type.dtype));
  }
  return buffer;
}

static bool array_fits(const npy_array *array, millrace_type type) {
  bool kind_fits = array->kind == numpy_kind(type.dtype) || array->kind == 'V';
  if (!kind_fits || array->item_bytes != millrace_dtype_bytes(type.dtype) || array->rank != type.rank) {
    return false;
  }
  return type.rank == 0 || memcmp(array->dims, type.dims, type.rank * sizeof *type.dims) == 0;
}

static void print_element(millrace_dtype dtype, const unsigned char *at) {
  switch (dtype) {
  case MILLRACE_PRED: printf("%s", *at ? "true" : "false"); return;
  case MILLRACE_F32: {
    float value;
    memcpy(&value, at, sizeof value);
    printf("%.9g", (double)value);
    return;
  }
  case MILLRACE_F64: {
    double value;
    memcpy(&value, at, sizeof value);
    printf("%.17g", value);
    return;
  }
  default: break;
  }
  size_t bytes = millrace_dtype_bytes(dtype);
  uint64_t bits = 0;
  memcpy(&bits, at, bytes < 8 ? bytes : 8);
  if (numpy_kind(dtype) == 'i') {
    unsigned unused = 64 - 8 * (unsigned)bytes;
    printf("%" PRId64, (int64_t)(bits << unused) >> unused);
  } else {
    printf(numpy_kind(dtype) == 'u' ? "%" PRIu64 : "0x%" PRIx64, bits);
  }
}

// ---- run ------------------------------------------------------------------------------------------------------------

typedef struct run_job {
  const char *program_path, *output;
  npy_list inputs;
  long repeat, device_index, num_devices;  // num_devices 0: not said

  millrace_context *context;
  millrace_device **devices;  // by row
  millrace_program *program;
  size_t num_rows, num_arguments, num_results;
  millrace_buffer **arguments, **results;  // of row 0, then of row 1, ...
} run_job;

static bool parse_number(const char *text, long *out_number) {
  char *end = NULL;
  errno = 0;
  *out_number = text ? strtol(text, &end, 10) : -1;
  return text && !errno && end != text && !*end && *out_number >= 0;
}

static bool parse_arguments(int argc, char **argv, run_job *job) {
  for (int i = 0; i < argc; i++) {
    const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
    bool ok = true;
    if (strncmp(option, "--", 2) != 0) {
      ok = !job->program_path;
      job->program_path = option;
      if (ok) {
        continue;
      }
    } else if (value && strcmp(option, "--input") == 0) {
      if (!npy_read_inputs(value, &job->inputs)) {
        return false;
      }
    } else if (value && strcmp(option, "--output") == 0) {
      job->output = value;
    } else if (strcmp(option, "--repeat") == 0) {
      ok = parse_number(value, &job->repeat) && job->repeat > 0;
    } else if (strcmp(option, "--device") == 0) {
      ok = parse_number(value, &job->device_index);
    } else if (strcmp(option, "--devices") == 0) {
      ok = parse_number(value, &job->num_devices) && job->num_devices > 0;
    } else {
      ok = false;
    }
    if (!ok) {
      fprintf(stderr, "millrace: cannot use %s\n%s", option, run_usage);
      return false;
    }
    i++;
  }
  if (!job->program_path) {
    fputs(run_usage, stderr);
  }
  return job->program_path != NULL;
}

static void print_wanted(const run_job *job, size_t i) {
  char text[256];
  millrace_type type = millrace_program_whole_parameter(job->program, i);
  fprintf(stderr, "  in%zu: %s, a NumPy array of type %c%zu%s\n", i, type_text(type, text, sizeof text),
          numpy_kind(type.dtype), millrace_dtype_bytes(type.dtype),
          millrace_program_donates(job->program, i) ? ", donated" : "");
}

// One device for each row, from the one that was asked for on.
static bool choose_devices(run_job *job) {
  job->num_rows = millrace_program_device_count(job->program);
  job->devices = calloc(job->num_rows, sizeof(millrace_device *));
  for (size_t row = 0; job->devices && row < job->num_rows; row++) {
    size_t index = (size_t)job->device_index + row;
    job->devices[row] = millrace_context_device(job->context, index);
    if (!job->devices[row]) {
      fprintf(stderr, "millrace: no device %zu\n", index);
      return false;
    }
  }
  return job->devices != NULL;
}

static bool load(run_job *job) {
  millrace_context_options context = {.struct_size = sizeof context, .num_devices = (uint32_t)job->num_devices};
  millrace_program_options options = {.struct_size = sizeof options, .num_partitions = (uint32_t)job->num_devices};
  if (!command_report(millrace_context_create(&context, &job->context))) {
    return false;
  }
  size_t size = 0;
  void *bytes = npy_slurp(job->program_path, &size);
  bool ok = bytes && command_report(millrace_program_load_for(bytes, size, &options, &job->program));
  free(bytes);
  if (!ok || !choose_devices(job)) {
    return false;
  }
  job->num_arguments = millrace_program_parameter_count(job->program);
  job->num_results = millrace_program_result_count(job->program);
  job->arguments = calloc(job->num_rows * job->num_arguments + 1, sizeof(millrace_buffer *));
  job->results = calloc(job->num_rows * job->num_results + 1, sizeof(millrace_buffer *));
  if (job->inputs.size == job->num_arguments) {
    return job->arguments && job->results;
  }
  fprintf(stderr, "millrace: the program has %zu parameters, the inputs are %zu arrays; wanted are\n",
          job->num_arguments, job->inputs.size);
  for (size_t i = 0; i < job->num_arguments; i++) {
    print_wanted(job, i);
  }
  return false;
}

static bool check_input(const run_job *job, size_t i) {
  millrace_type type = millrace_program_whole_parameter(job->program, i);
  const npy_array *input = &job->inputs.arrays[i];
  if (array_fits(input, type)) {
    return true;
  }
  char wanted[256];
  fprintf(stderr, "millrace: parameter %zu is a %s, the input a NumPy array of rank %zu and type %c%zu\n", i,
          type_text(type, wanted, sizeof wanted), input->rank, input->kind, input->item_bytes);
  return false;
}

// A row's part of an input, where it lies.
static bool make_argument(run_job *job, size_t row, size_t i) {
  millrace_buffer **buffer = &job->arguments[row * job->num_arguments + i];
  if (*buffer && !millrace_program_donates(job->program, i)) {
    return true;
  }
  millrace_buffer_release(*buffer);
  *buffer = NULL;
  millrace_type type = millrace_program_parameter(job->program, i);
  const npy_array *input = &job->inputs.arrays[i];
  const char *data = input->data;
  int64_t offsets[NPY_MAX_RANK];
  millrace_program_parameter_part(job->program, i, row, offsets);
  for (size_t d = 0; d < type.rank; d++) {
    data += offsets[d] * input->byte_strides[d];
  }
  millrace_array array = {
      .data = data, .dtype = type.dtype, .dims = type.dims, .rank = type.rank, .byte_strides = input->byte_strides};
  return command_report(millrace_buffer_create(job->devices[row], &array, buffer));
}

// Makes the buffers that are not there: all of them the first time, those that were given away the other times.
static bool make_arguments(run_job *job) {
  for (size_t i = 0; i < job->num_arguments; i++) {
    if (!check_input(job, i)) {
      return false;
    }
    for (size_t row = 0; row < job->num_rows; row++) {
      if (!make_argument(job, row, i)) {
        return false;
      }
    }
  }
  return true;
}

static void release_results(run_job *job) {
  for (size_t i = 0; i < job->num_rows * job->num_results; i++) {
    millrace_buffer_release(job->results[i]);
    job->results[i] = NULL;
  }
}

static bool execute_rows(run_job *job) {
  millrace_event **events = calloc(job->num_rows, sizeof *events);
  if (!events) {
    return false;
  }
  millrace_error *error = millrace_execute_rows(job->program, job->devices, job->num_rows, job->arguments,
                                                job->num_arguments, job->results, job->num_results, events);
  for (size_t row = 0; row < job->num_rows; row++) {
    if (!error) {
      error = millrace_event_wait(events[row]);
    }
    millrace_event_release(events[row]);
  }
  free(events);
  return command_report(error);
}

static bool execute_once(run_job *job) {
  if (job->num_rows > 1) {
    return execute_rows(job);
  }
  millrace_event *event = NULL;
  millrace_error *error = millrace_execute(job->program, job->devices[0], job->arguments, job->num_arguments,
                                           job->results, job->num_results, &event);
  if (!error) {
    error = millrace_event_wait(event);
  }
  millrace_event_release(event);
  return command_report(error);
}

static int compare_times(const void *a, const void *b) {
  uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
  return (first > second) - (first < second);
}

static bool execute(run_job *job) {
  uint64_t *times = calloc((size_t)job->repeat, sizeof *times);
  bool ok = times != NULL;
  for (long i = 0; i < job->repeat && ok; i++) {
    release_results(job);
    ok = make_arguments(job);
    uint64_t start = now_ns();
    ok = ok && execute_once(job);
    if (ok) {
      times[i] = now_ns() - start;
    }
  }
  if (ok && job->repeat > 1) {
    qsort(times, (size_t)job->repeat, sizeof *times, compare_times);
    uint64_t best = times[0], median = times[job->repeat / 2];
    printf("%ld runs: best %.1f us, median %.1f us\n", job->repeat, (double)best / 1e3, (double)median / 1e3);
  }
  free(times);
  return ok;
}

static void print_result(size_t index, millrace_type type, const unsigned char *data) {
  enum { SHOWN = 8 };
  char text[256];
  size_t item = millrace_dtype_bytes(type.dtype), count = item ? type.bytes / item : 0;
  printf("out%zu: %s [", index, type_text(type, text, sizeof text));
  for (size_t i = 0; i < count && i < SHOWN; i++) {
    if (i) {
      printf(", ");
    }
    print_element(type.dtype, data + i * item);
  }
  printf(count > SHOWN ? ", ...]\n" : "]\n");
}

static bool write_result(const run_job *job, size_t index, millrace_type type, const void *data) {
  char path[4096];
  size_t item = millrace_dtype_bytes(type.dtype);
  if ((size_t)snprintf(path, sizeof path, "%s/out%zu.npy", job->output, index) >= sizeof path) {
    return false;
  }
  // A token has no elements; NumPy has no type without a size.
  if (item == 0) {
    return npy_write(path, 'b', 1, (const int64_t[]){0}, 1, data);
  }
  return npy_write(path, numpy_kind(type.dtype), item, type.dims, type.rank, data);
}

// Puts a part in its place in the whole: row after row of its last dimension.
static void put_part(millrace_type whole, millrace_type part, const int64_t *offsets, const char *from, char *to) {
  size_t item = millrace_dtype_bytes(part.dtype);
  size_t run = part.rank ? (size_t)part.dims[part.rank - 1] * item : item;
  int64_t index[NPY_MAX_RANK] = {0};
  for (size_t done = 0; done < part.bytes; done += run) {
    size_t at = 0;
    for (size_t d = 0; d < part.rank; d++) {
      at = at * (size_t)whole.dims[d] + (size_t)(offsets[d] + index[d]);
    }
    memcpy(to + at * item, from + done, run);
    for (size_t d = part.rank > 0 ? part.rank - 1 : 0; d-- > 0;) {
      if (++index[d] < part.dims[d]) {
        break;
      }
      index[d] = 0;
    }
  }
}

// Reads a result, joined from the rows' parts.
static bool read_result(run_job *job, size_t i, millrace_type whole, char *data) {
  if (job->num_rows == 1) {
    return command_report(millrace_buffer_read(job->results[i], data, whole.bytes));
  }
  millrace_type type = millrace_program_result(job->program, i);
  char *part = malloc(type.bytes ? type.bytes : 1);
  bool ok = part != NULL;
  for (size_t row = 0; row < job->num_rows && ok; row++) {
    int64_t offsets[NPY_MAX_RANK];
    millrace_program_result_part(job->program, i, row, offsets);
    ok = command_report(millrace_buffer_read(job->results[row * job->num_results + i], part, type.bytes));
    if (ok) {
      put_part(whole, type, offsets, part, data);
    }
  }
  free(part);
  return ok;
}

// Numbers as int8, of what has zeros above its bits.
static void extend_signs(millrace_type type, unsigned char *data) {
  unsigned bits = type.dtype == MILLRACE_S4 ? 4 : type.dtype == MILLRACE_S2 ? 2 : type.dtype == MILLRACE_S1 ? 1 : 8;
  unsigned sign = 1U << (bits - 1);
  for (size_t i = 0; bits < 8 && i < type.bytes; i++) {
    data[i] = (unsigned char)((data[i] ^ sign) - sign);
  }
}

static bool show_results(run_job *job) {
  if (job->output && mkdir(job->output, 0777) != 0 && errno != EEXIST) {
    fprintf(stderr, "millrace: %s: %s\n", job->output, strerror(errno));
    return false;
  }
  bool ok = true;
  for (size_t i = 0; i < job->num_results && ok; i++) {
    millrace_type type = millrace_program_whole_result(job->program, i);
    unsigned char *data = malloc(type.bytes ? type.bytes : 1);
    ok = data && read_result(job, i, type, (char *)data);
    if (ok) {
      extend_signs(type, data);
    }
    if (ok && job->output) {
      ok = write_result(job, i, type, data);
    }
    if (ok && !job->output) {
      print_result(i, type, data);
    }
    free(data);
  }
  return ok;
}

static void job_free(run_job *job) {
  for (size_t i = 0; job->arguments && i < job->num_rows * job->num_arguments; i++) {
    millrace_buffer_release(job->arguments[i]);
  }
  if (job->results) {
    release_results(job);
  }
  free(job->devices);
  free(job->arguments);
  free(job->results);
  npy_list_free(&job->inputs);
  millrace_program_release(job->program);
  millrace_context_release(job->context);
}

int command_run(int argc, char **argv) {
  if (command_wants_help(argc, argv)) {
    fputs(run_usage, stdout);
    return 0;
  }
  run_job job = {.repeat = 1};
  bool ok = parse_arguments(argc, argv, &job) && load(&job) && execute(&job) && show_results(&job);
  job_free(&job);
  return ok ? 0 : 1;
}
