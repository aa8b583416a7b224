// The smallest program around libmillrace: loads a StableHLO program of one parameter, feeds it ones, prints a result.
//
//   cmake --install build/release --prefix P
//   cc examples/embed.c $(PKG_CONFIG_PATH=P/lib/pkgconfig pkg-config --cflags --libs millrace) -o embed
//   LD_LIBRARY_PATH=P/lib ./embed program.mlir
#include <stdio.h>
#include <stdlib.h>

#include <millrace/millrace.h>

// Errors end this program; a real one would pass them on.
static void check(millrace_error *error) {
  if (!error) {
    return;
  }
  fprintf(stderr, "%s: %s\n", millrace_code_name(millrace_error_code(error)), millrace_error_message(error));
  exit(1);
}

static char *read_file(const char *path, size_t *out_size) {
  FILE *file = fopen(path, "rb");
  char *bytes = malloc(1 << 20);
  if (!file || !bytes) {
    exit(1);
  }
  *out_size = fread(bytes, 1, 1 << 20, file);
  fclose(file);
  return bytes;
}

static millrace_buffer *make_ones(millrace_device *device, millrace_type type) {
  size_t count = type.bytes / sizeof(float);
  float *ones = malloc(type.bytes);
  for (size_t i = 0; i < count; i++) {
    ones[i] = 1;
  }
  millrace_array array = {.data = ones, .dtype = type.dtype, .dims = type.dims, .rank = type.rank};
  millrace_buffer *buffer = NULL;
  check(millrace_buffer_create(device, &array, &buffer));
  free(ones);  // the buffer has a copy
  return buffer;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    return 2;
  }
  size_t size = 0;
  char *bytes = read_file(argv[1], &size);
  millrace_context *context = NULL;
  millrace_program *program = NULL;
  check(millrace_context_create(NULL, &context));
  check(millrace_program_load(bytes, size, &program));
  free(bytes);

  millrace_device *device = millrace_context_device(context, 0);
  millrace_type type = millrace_program_parameter(program, 0);
  if (millrace_program_parameter_count(program) != 1 || type.dtype != MILLRACE_F32) {
    return 2;
  }
  millrace_buffer *x = make_ones(device, type);
  size_t num_results = millrace_program_result_count(program);
  millrace_buffer **results = calloc(num_results, sizeof(millrace_buffer *));

  // Returns at once; the results get their content later.
  check(millrace_execute(program, device, &x, 1, results, num_results, NULL));
  millrace_type result_type = millrace_buffer_type(results[0]);
  float *answer = malloc(result_type.bytes);
  check(millrace_buffer_read(results[0], answer, result_type.bytes));
  printf("%s of %zu bytes, first element %g\n", millrace_dtype_name(result_type.dtype), result_type.bytes,
         (double)answer[0]);

  free(answer);
  for (size_t i = 0; i < num_results; i++) {
    millrace_buffer_release(results[i]);
  }
  free(results);
  millrace_buffer_release(x);
  millrace_program_release(program);
  millrace_context_release(context);
  return 0;
}
