// millrace run PROGRAM: executes it once or several times, with arrays of NumPy's files.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "tools/commands.h"
#include "tools/element.h"
#include "tools/feed.h"

static const char run_usage[] =
    "usage: millrace run PROGRAM [--input [NAME=]FILE]... [--weights FILE] [--output DIR] [--names] ...\n"
    "\n"
    "Inputs are .npy files, one for each parameter in order, or .npz archives: their arrays in0, in1, ... when there\n"
    "are such, else all of them; without any, what is wanted is told. Results are printed, or written to "
    "DIR/out0.npy,\n"
    "DIR/out1.npy, ... Types NumPy lacks are raw bits: bf16 is uint16, f8 uint8, i4 int8.\n"
    "\n"
    "--input [NAME=]FILE  an input, or the one of that name; arrays of an archive that are called as inputs go by "
    "name\n"
    "--weights FILE       parameters of the names in it (.safetensors, .npz); else PROGRAM.safetensors or PROGRAM.npz\n"
    "                     beside the program, when there is one; '': none\n"
    "--size SYMBOL=N      a size that the program leaves open, where no input tells\n"
    "--shape INPUT=SHAPE  likewise of one input: x=8x784\n"
    "--output DIR         results as DIR/out0.npy, DIR/out1.npy, ...\n"
    "--names              and these called as the program calls its results, where it does\n"
    "--repeat N           runs it N times, and tells the best time and the median\n"
    "--device N           on this one of the devices\n"
    "--devices N          as a program over N devices, which run it together: inputs are cut, results joined\n";

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

typedef struct run_job {
  feed feed;
  const char *output;
  bool names;
  uint64_t repeat;

  millrace_program *program;
  size_t num_rows, num_arguments, num_results;
  millrace_buffer **arguments, **results;  // of row 0, then of row 1, ...
} run_job;

static bool parse_arguments(int argc, char **argv, run_job *job) {
  const command_option table[] = {
      FEED_INPUT_OPTIONS(job->feed),
      FEED_SIZE_OPTIONS(job->feed),
      {.name = "--output", .kind = OPTION_TEXT, .to = &job->output, .wanted = "a folder"},
      {.name = "--names", .kind = OPTION_FLAG, .to = &job->names},
      {.name = "--repeat", .kind = OPTION_NUMBER, .to = &job->repeat, .least = 1, .most = 1e9},
  };
  bool ok = options_take(argc, argv, table, sizeof table / sizeof *table, &job->feed.program_path);
  if (!ok) {
    fputs(job->feed.program_path ? "`millrace run --help` tells what there is\n" : run_usage, stderr);
  }
  return ok;
}

static bool load(run_job *job) {
  feed *f = &job->feed;
  if (!feed_open(f) || !feed_is_complete(f) || !feed_resolve(f, 0) || !feed_is_resolved(f) ||
      !feed_compile(f, &job->program) || !feed_choose_devices(f, job->program) || !feed_fill(f)) {
    return false;
  }
  job->num_rows = f->num_rows;
  job->num_arguments = f->num_parameters;
  job->num_results = millrace_program_result_count(job->program);
  job->arguments = calloc(job->num_rows * job->num_arguments + 1, sizeof(millrace_buffer *));
  job->results = calloc(job->num_rows * job->num_results + 1, sizeof(millrace_buffer *));
  if (!job->arguments || !job->results) {
    fputs("millrace: out of memory\n", stderr);
    return false;
  }
  return true;
}

// Makes the buffers that are not there: all of them the first time, those that were given away the other times.
static bool make_arguments(run_job *job) {
  for (size_t k = 0; k < job->num_rows * job->num_arguments; k++) {
    size_t i = k % job->num_arguments;
    if (job->arguments[k] && !millrace_program_donates(job->program, i)) {
      continue;
    }
    millrace_buffer_release(job->arguments[k]);
    job->arguments[k] = NULL;
    if (!command_report(feed_argument(&job->feed, job->program, k / job->num_arguments, i, &job->arguments[k]))) {
      return false;
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
  millrace_error *error = millrace_execute_rows(job->program, job->feed.devices, job->num_rows, job->arguments,
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
  millrace_error *error = millrace_execute(job->program, job->feed.devices[0], job->arguments, job->num_arguments,
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
  for (uint64_t i = 0; i < job->repeat && ok; i++) {
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
    printf("%llu runs: best %.1f us, median %.1f us\n", (unsigned long long)job->repeat, (double)best / 1e3,
           (double)median / 1e3);
  }
  free(times);
  return ok;
}

// What the program calls a result, when that is asked for; "": as its number says.
static const char *result_name(const run_job *job, size_t index) {
  return job->names ? millrace_program_result_name(job->program, index) : "";
}

static void print_result(const run_job *job, size_t index, millrace_type type, const unsigned char *data) {
  enum { SHOWN = 8 };
  char text[256];
  size_t item = millrace_dtype_bytes(type.dtype), count = item ? type.bytes / item : 0;
  if (*result_name(job, index)) {
    printf("%s: ", result_name(job, index));
  } else {
    printf("out%zu: ", index);
  }
  printf("%s [", element_type_text(type, NULL, text, sizeof text));
  for (size_t i = 0; i < count && i < SHOWN; i++) {
    if (i) {
      printf(", ");
    }
    element_print(type.dtype, data + i * item);
  }
  printf(count > SHOWN ? ", ...]\n" : "]\n");
}

// DIR/out0.npy, or by the result's name, in which nothing is left that a path has a meaning for.
static bool result_path(const run_job *job, size_t index, char *path, size_t size) {
  const char *name = result_name(job, index);
  int used = *name ? snprintf(path, size, "%s/%s.npy", job->output, name)
                   : snprintf(path, size, "%s/out%zu.npy", job->output, index);
  if (used < 0 || (size_t)used >= size) {
    fprintf(stderr, "millrace: %s: the path of result %zu is too long\n", job->output, index);
    return false;
  }
  for (char *at = path + strlen(job->output) + 1; *at; at++) {
    *at = *at == '/' ? '_' : *at;
  }
  return true;
}

static bool write_result(const run_job *job, size_t index, millrace_type type, const void *data) {
  char path[4096];
  size_t item = millrace_dtype_bytes(type.dtype);
  if (!result_path(job, index, path, sizeof path)) {
    return false;
  }
  // A token has no elements; NumPy has no type without a size.
  if (item == 0) {
    return npy_write(path, 'b', 1, (const int64_t[]){0}, 1, data);
  }
  return npy_write(path, element_numpy_kind(type.dtype), item, type.dims, type.rank, data);
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
    if (!data) {
      fprintf(stderr, "millrace: out of memory: result %zu has %zu bytes\n", i, type.bytes);
    }
    ok = data && read_result(job, i, type, (char *)data);
    if (ok) {
      extend_signs(type, data);
    }
    if (ok && job->output) {
      ok = write_result(job, i, type, data);
    }
    if (ok && !job->output) {
      print_result(job, i, type, data);
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
  free(job->arguments);
  free(job->results);
  millrace_program_release(job->program);
  feed_close(&job->feed);
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
