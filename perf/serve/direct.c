// A model called directly, without a server: rows a second by batch size, for what a server with it is compared to.
//
//   gcc -O2 -I. perf/serve/direct.c -o direct -lmillrace;  direct MODEL.mlirbc SECONDS SIZES...      one line of JSON
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "millrace/millrace.h"

static void check(millrace_error *error) {
  if (error) {
    fprintf(stderr, "%s: %s\n", millrace_code_name(millrace_error_code(error)), millrace_error_message(error));
    exit(1);
  }
}

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// From an array to an array, as a server calls it; the first call compiles.
static double rows_a_second(millrace_model *model, int64_t rows, double seconds) {
  const millrace_type type = millrace_model_input(model, 0).type;
  int64_t dims[16];
  size_t bytes = millrace_dtype_bytes(type.dtype);
  memcpy(dims, type.dims, type.rank * sizeof *dims);
  dims[0] = rows;
  for (size_t d = 0; d < type.rank; d++) {
    bytes *= (size_t)dims[d];
  }
  void *data = aligned_alloc(64, (bytes + 63) / 64 * 64);
  memset(data, 0, bytes);
  const millrace_array array = {.data = data, .dtype = type.dtype, .dims = dims, .rank = type.rank};
  double begin = 0;
  int calls = -1;
  for (; calls < 2 || now_s() < begin + seconds; calls++) {
    begin = calls ? begin : now_s();
    millrace_buffer *y = NULL;
    check(millrace_model_run(model, &array, 1, NULL, &y, 1));
    millrace_buffer_release(y);
  }
  free(data);
  return (double)(rows * calls) / (now_s() - begin);
}

int main(int count, char **arguments) {
  millrace_context *context;
  millrace_model *model;
  if (count < 4) {
    fprintf(stderr, "direct MODEL.mlirbc SECONDS SIZES...\n");
    return 1;
  }
  check(millrace_context_create(NULL, &context));
  check(millrace_model_open(context, arguments[1], NULL, &model));
  for (int i = 3; i < count; i++) {
    printf("%s\"%s\":%.1f", i > 3 ? "," : "{", arguments[i],
           rows_a_second(model, atoll(arguments[i]), atof(arguments[2])));
  }
  printf("}\n");
  millrace_model_release(model);
  millrace_context_release(context);
  return 0;
}
