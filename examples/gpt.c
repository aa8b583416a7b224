// Writes text with the two programs of examples/export_gpt.py, without Python: one reads the prompt, one goes on by a token, and their cache
// stays on the device.
//
//   python examples/export_gpt.py --out build/gpt
//   cc examples/gpt.c $(pkg-config --cflags --libs millrace) -o gpt
//   ./gpt build/gpt "The river turns" 32
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <millrace/millrace.h>

enum { MOST_TOKENS = 64, MOST_RESULTS = 16 };

// Errors end this program; a real one would pass them on.
static void check(millrace_error *error) {
  if (error) {
    fprintf(stderr, "%s: %s\n", millrace_code_name(millrace_error_code(error)), millrace_error_message(error));
    exit(1);
  }
}

static millrace_model *open_model(millrace_context *context, const char *folder, const char *name,
                                  const char *weights) {
  char path[1024], weights_path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  snprintf(weights_path, sizeof weights_path, "%s/%s", folder, weights);
  const millrace_model_options options = {.struct_size = sizeof options, .weights_path = weights_path};
  millrace_model *model;
  check(millrace_model_open(context, path, &options, &model));
  return model;
}

static int best_token(const float *logits, size_t count) {
  size_t best = 0;
  for (size_t i = 1; i < count; i++) {
    best = logits[i] > logits[best] ? i : best;
  }
  return (int)best;
}

// The prompt's logits, and the session with the cache that the prompt leaves.
static void read_prompt(millrace_model *prefill, const char *prompt, float *logits, size_t logits_bytes,
                        millrace_session *session) {
  int tokens[MOST_TOKENS];
  const int64_t dims[] = {1, (int64_t)strlen(prompt)};
  for (int64_t i = 0; i < dims[1]; i++) {
    tokens[i] = prompt[i] - 32;
  }
  const millrace_array array = {.data = tokens, .dtype = MILLRACE_S32, .dims = dims, .rank = 2};
  const size_t num_results = millrace_model_output_count(prefill);
  millrace_buffer *results[MOST_RESULTS];
  check(millrace_model_run(prefill, &array, 1, NULL, results, num_results));
  check(millrace_buffer_read(results[0], logits, logits_bytes));
  for (size_t i = 0; i < millrace_session_state_count(session); i++) {
    check(millrace_session_set(session, i, results[1 + i]));  // the next call takes it, where it is
  }
  for (size_t i = 0; i < num_results; i++) {
    millrace_buffer_release(results[i]);
  }
}

static millrace_buffer *number(millrace_device *device, int value) {
  const millrace_array array = {.data = &value, .dtype = MILLRACE_S32};
  millrace_buffer *buffer;
  check(millrace_buffer_create(device, &array, &buffer));
  return buffer;
}

static void go_on(millrace_session *session, millrace_device *device, int token, int position, float *logits,
                  size_t logits_bytes) {
  millrace_buffer *inputs[] = {number(device, token), number(device, position)}, *result;
  check(millrace_session_call(session, inputs, 2, NULL, &result, 1, NULL));
  check(millrace_buffer_read(result, logits, logits_bytes));  // waits for it
  millrace_buffer_release(inputs[0]);
  millrace_buffer_release(inputs[1]);
  millrace_buffer_release(result);
}

int main(int argc, char **argv) {
  const char *folder = argc > 1 ? argv[1] : "build/gpt", *prompt = argc > 2 ? argv[2] : "The river turns";
  const int count = argc > 3 ? atoi(argv[3]) : 32, length = (int)strlen(prompt);
  if (length == 0 || count < 0 || length + count > MOST_TOKENS) {
    fprintf(stderr, "a prompt of %d characters and %d more, wanted at least one and %d in all\n", length, count,
            MOST_TOKENS);
    return 1;
  }
  millrace_context *context;
  check(millrace_context_create(NULL, &context));
  millrace_model *prefill = open_model(context, folder, "gpt_prefill.mlirbc", "gpt_step.safetensors");
  millrace_model *step = open_model(context, folder, "gpt_step.mlirbc", "gpt_step.safetensors");
  millrace_session *session;
  check(millrace_session_create(step, NULL, 0, &session));
  const millrace_type type = millrace_model_output(prefill, 0).type;
  float *logits = malloc(type.bytes);
  read_prompt(prefill, prompt, logits, type.bytes, session);
  fputs(prompt, stdout);
  for (int position = length; position < length + count; position++) {
    int token = best_token(logits, (size_t)type.dims[0]);
    putchar(32 + token);
    fflush(stdout);
    go_on(session, millrace_model_device(step), token, position, logits, type.bytes);
  }
  putchar('\n');
  free(logits);
  millrace_session_release(session);
  millrace_model_release(step);
  millrace_model_release(prefill);
  millrace_context_release(context);
  return 0;
}
