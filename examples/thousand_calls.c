// One event loop with a thousand calls of a program under way, which one descriptor announces: no thread per call, no callback from another
// thread, nothing that the loop waits for.
//
//   cc examples/thousand_calls.c $(pkg-config --cflags --libs millrace libevent_core) -o thousand_calls
//   ./thousand_calls 20000
//
// Each call answers with the sum of a vector whose numbers are all the call's own; a stop source ends what is left when something is wrong.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <millrace/millrace.h>

enum { IN_FLIGHT = 1000, SIZE = 256 };

static const char program_text[] = "func.func public @main(%x: tensor<256xf32>) -> tensor<f32> {\n"
                                   "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
                                   "  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions "
                                   "= [0] : (tensor<256xf32>, tensor<f32>) -> tensor<f32>\n"
                                   "  return %sum : tensor<f32>\n}\n";

// One call that is under way: where its answer goes.
typedef struct call {
  int number;
  float answer;
} call;

static struct event_base *base;
static millrace_device *device;
static millrace_program *program;
static millrace_completions *completions;
static millrace_stop_source *stop;
static int begun, ended, wrong, wanted;

static void check(millrace_error *error) {
  if (error) {
    fprintf(stderr, "%s: %s\n", millrace_code_name(millrace_error_code(error)), millrace_error_message(error));
    exit(1);
  }
}

static void begin(call *c) {
  float values[SIZE];
  c->number = begun++;
  for (int i = 0; i < SIZE; i++) {
    values[i] = (float)(c->number % 100);
  }
  const millrace_array array = {.data = values, .dtype = MILLRACE_F32, .dims = (int64_t[]){SIZE}, .rank = 1};
  const millrace_destination to = {&c->answer, sizeof c->answer};
  const millrace_execute_options options = {.struct_size = sizeof options,
                                            .stop = stop,
                                            .when_full = MILLRACE_WHEN_FULL_FAIL,  // a loop is never held up
                                            .elsewhere = true,
                                            .destinations = &to,
                                            .num_destinations = 1,
                                            .completions = completions,
                                            .tag = c};
  millrace_buffer *argument, *result;
  check(millrace_buffer_create(device, &array, &argument));
  check(millrace_execute_with(program, device, &argument, 1, &options, &result, 1, NULL));
  millrace_buffer_release(argument);  // the call holds it
}

static void on_completions(evutil_socket_t file, short what, void *unused) {
  (void)file, (void)what, (void)unused;
  millrace_completion done[64];
  for (size_t count; (count = millrace_completions_take(completions, done, 64)) > 0;) {
    for (size_t i = 0; i < count; i++) {
      call *c = done[i].tag;
      check(done[i].error);
      wrong += c->answer != (float)(c->number % 100) * SIZE;
      ended++;
      if (begun < wanted) {
        begin(c);  // in its place
      }
    }
  }
  if (ended == wanted) {
    event_base_loopbreak(base);
  }
}

int main(int argc, char **argv) {
  wanted = argc > 1 ? atoi(argv[1]) : 20000;
  millrace_context *context;
  const millrace_context_options options = {.struct_size = sizeof options, .queue_calls = 2 * IN_FLIGHT};
  check(millrace_context_create(&options, &context));
  device = millrace_context_device(context, 0);
  check(millrace_program_load(program_text, strlen(program_text), &program));
  check(millrace_completions_create(&completions));
  check(millrace_stop_source_create(&stop));

  base = event_base_new();
  struct event *readable =
      event_new(base, millrace_completions_fd(completions), EV_READ | EV_PERSIST, on_completions, NULL);
  event_add(readable, NULL);
  static call calls[IN_FLIGHT];
  for (int i = 0; i < IN_FLIGHT && begun < wanted; i++) {
    begin(&calls[i]);
  }
  event_base_dispatch(base);
  printf("%d calls, %d wrong, at most %u under way\n", ended, wrong, millrace_device_queue(device).peak_calls);

  event_free(readable);
  event_base_free(base);
  millrace_stop_source_release(stop);
  millrace_completions_release(completions);
  millrace_program_release(program);
  millrace_context_release(context);
  return wrong != 0;
}
