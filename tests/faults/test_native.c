// The native library while calls to the system fail: the engine with threads of its own, timers and descriptors over its
// event loop, the program's own event loop, a program, and a trace in a file.
#include <dlfcn.h>
#include <event2/event.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "millrace/engine.h"
#include "tests/faults/faults.h"
#include "tests/faults/scenario.h"

static bool ok(record *r, const char *call, millrace_error *take_error) {
  if (take_error == NULL) {
    return true;
  }
  record_status(r, call, (int)millrace_error_code(take_error), millrace_error_message(take_error));
  millrace_error_free(take_error);
  return false;
}

static millrace_error *add_one(void *argument) {
  atomic_fetch_add((_Atomic(int) *)argument, 1);
  return NULL;
}

// A chain and a fan; every function runs once.
static bool run_nodes(record *r, uint32_t workers) {
  enum { COUNT = 20 };
  const millrace_engine_options options = {.struct_size = sizeof options, .workers = workers};
  millrace_engine *engine;
  millrace_event *events[COUNT] = {NULL}, *all = NULL;
  _Atomic(int) calls = 0;
  if (!ok(r, "engine", millrace_engine_create(&options, &engine))) {
    return false;
  }
  bool fine = true;
  int made = 0;
  for (; fine && made < COUNT; made += fine) {
    fine =
        ok(r, "submit", millrace_submit(engine, add_one, &calls, events, (size_t)(made > 2 ? 2 : made), &events[made]));
  }
  fine =
      fine && ok(r, "all", millrace_event_all(events, COUNT, &all)) && ok(r, "wait", millrace_engine_wait(engine, all));
  if (fine && calls != COUNT) {
    record_wrong(r, "%d of %d functions have run", (int)calls, COUNT);
  }
  for (int i = 0; i < made; i++) {
    if (!ok(r, "an event", millrace_event_wait(events[i]))) {
      fine = false;
    }
    millrace_event_release(events[i]);
  }
  if (all) {
    millrace_event_release(all);
  }
  millrace_engine_release(engine);
  return fine;
}

// Time passes before the timer's event, and a pipe is readable when it has a byte.
static bool run_reactor(record *r) {
  millrace_event *timer = NULL, *readable = NULL;
  int fds[2];
  if (pipe(fds) != 0) {
    abort();
  }
  bool fine = ok(r, "timer", millrace_timer_create(2000000, &timer)) &&
              ok(r, "timer's event", millrace_event_wait(timer)) &&
              ok(r, "descriptor", millrace_fd_ready(fds[0], false, 0, &readable));
  if (fine) {
    fine = write(fds[1], "x", 1) == 1 && ok(r, "descriptor's event", millrace_event_wait(readable));
  }
  if (timer) {
    millrace_event_release(timer);
  }
  if (readable) {
    millrace_event_release(readable);
  }
  close(fds[0]);
  close(fds[1]);
  return fine;
}

typedef struct watched {
  record *record;
  int calls;
  bool promised, fine;
} watched;

static void on_event(void *argument, millrace_error *error) {
  watched *self = argument;
  self->calls++;
  self->fine = error == NULL;
  if (error) {
    record_status(self->record, "a watched event", (int)millrace_error_code(error), millrace_error_message(error));
  }
}

// The program's own loop may fail under it: then the event is still to be told of, at the latest when `loop` is released.
static bool watch(record *r, millrace_loop *loop, struct event_base *base, millrace_event *event, watched *heard) {
  if (!ok(r, "watch", millrace_loop_watch(loop, event, on_event, heard))) {
    return false;
  }
  heard->promised = true;
  millrace_event_set(event, NULL);
  int ended = 0;
  while (heard->calls == 0 && ended == 0) {
    ended = event_base_loop(base, EVLOOP_ONCE);
  }
  if (ended < 0) {
    record_status(r, "the program's loop", 1, "it has failed");
    return false;
  }
  return heard->fine;
}

// The program's loop hears of an event, and poll() sees another one's descriptor.
static bool run_loop(record *r) {
  struct event_base *base = event_base_new();
  millrace_loop *loop = NULL;
  millrace_event *event = NULL;
  int fd = -1;
  watched heard = {.record = r};
  bool fine = ok(r, "event", millrace_event_create(&event)) && ok(r, "loop", millrace_loop_create(base, &loop)) &&
              watch(r, loop, base, event, &heard) && ok(r, "event's descriptor", millrace_event_fd(event, &fd));
  if (fine) {
    struct pollfd poller = {.fd = fd, .events = POLLIN};
    fine = poll(&poller, 1, 20000) == 1;
    if (!fine) {
      record_wrong(r, "the descriptor of an event that has happened is not readable");
    }
  }
  if (fd >= 0) {
    close(fd);
  }
  if (event) {
    millrace_event_release(event);
  }
  millrace_loop_release(loop);
  event_base_free(base);
  if (heard.calls != heard.promised) {
    record_wrong(r, "a watched event was told %d times", heard.calls);
  }
  return fine;
}

static bool engine(record *r) { return run_nodes(r, 2) && run_nodes(r, 0) && run_reactor(r) && run_loop(r); }

static const char program_text[] = "module @add {\n"
                                   "  func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                                   "    %0 = stablehlo.add %a, %a : tensor<4xf32>\n"
                                   "    return %0 : tensor<4xf32>\n"
                                   "  }\n"
                                   "}\n";

static bool run_program(record *r, millrace_context *context) {
  static const int64_t four[] = {4};
  static const float values[] = {1, 2, 3, 4}, wanted[] = {2, 4, 6, 8};
  const millrace_array array = {.data = values, .dtype = MILLRACE_F32, .dims = four, .rank = 1};
  millrace_device *device = millrace_context_device(context, 0);
  millrace_program *program = NULL;
  millrace_buffer *x = NULL, *y = NULL;
  float got[4] = {0};
  bool fine = ok(r, "load", millrace_program_load(program_text, sizeof program_text - 1, &program)) &&
              ok(r, "buffer", millrace_buffer_create(device, &array, &x)) &&
              ok(r, "execute", millrace_execute(program, device, &x, 1, &y, 1, NULL)) &&
              ok(r, "read", millrace_buffer_read(y, got, sizeof got));
  if (fine && memcmp(got, wanted, sizeof got) != 0) {
    record_wrong(r, "the program's result is another one");
  }
  millrace_buffer_release(x);
  millrace_buffer_release(y);
  millrace_program_release(program);
  return fine;
}

// A file with a trace is there when stopping it has said so.
static bool traced(record *r) {
  char path[] = "/tmp/millrace-trace-XXXXXX";
  millrace_context *context = NULL;
  close(mkstemp(path));
  unlink(path);
  bool fine = ok(r, "trace", millrace_trace_start(path)) && ok(r, "context", millrace_context_create(NULL, &context)) &&
              run_program(r, context);
  millrace_context_release(context);
  fine = ok(r, "end of the trace", millrace_trace_stop()) && fine;
  if (fine && access(path, R_OK) != 0) {
    record_wrong(r, "there is no trace");
  }
  unlink(path);
  return fine;
}

static const char model_text[] =
    "func.func public @main(%w: tensor<4xf32> loc(\"w\"), %x: tensor<4xf32> loc(\"x\")) -> tensor<4xf32> {\n"
    "  %0 = stablehlo.add %w, %x : tensor<4xf32>\n"
    "  return %0 : tensor<4xf32>\n"
    "}\n";

static void write_file(const char *folder, const char *name, const void *bytes, size_t size, char *out_path) {
  sprintf(out_path, "%s/%s", folder, name);
  FILE *file = fopen(out_path, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) {
    abort();
  }
}

// A model of files, called by way of a queue of completions.
static bool run_model(record *r, millrace_context *context, const char *path) {
  static const int64_t four[] = {4};
  static const float values[] = {1, 2, 3, 4}, wanted[] = {11, 12, 13, 14};
  const millrace_array array = {.data = values, .dtype = MILLRACE_F32, .dims = four, .rank = 1};
  float got[4] = {0};
  millrace_model *model = NULL;
  millrace_completions *queue = NULL;
  millrace_buffer *x = NULL, *y = NULL;
  millrace_completion done = {0};
  bool fine = ok(r, "model", millrace_model_open(context, path, NULL, &model)) &&
              ok(r, "completions", millrace_completions_create(&queue)) &&
              ok(r, "buffer", millrace_buffer_create(millrace_context_device(context, 0), &array, &x));
  const millrace_execute_options options = {.struct_size = sizeof options, .completions = queue, .elsewhere = true};
  fine = fine && ok(r, "call", millrace_model_call(model, &x, 1, &options, &y, 1, NULL));
  if (fine && millrace_completions_wait(queue, &done, 1, UINT64_MAX) != 1) {
    record_wrong(r, "a call was not told of");
  }
  fine = fine && ok(r, "completion", done.error) && ok(r, "read", millrace_buffer_read(y, got, sizeof got));
  if (fine && memcmp(got, wanted, sizeof got) != 0) {
    record_wrong(r, "the model's result is another one");
  }
  millrace_buffer_release(x);
  millrace_buffer_release(y);
  millrace_completions_release(queue);
  millrace_model_release(model);
  return fine;
}

// What was saved opens; what could not be saved has left what was there.
static bool save(record *r, const char *path) {
  const millrace_program_options options = {.struct_size = sizeof options, .keeps_bytes = true};
  millrace_program *program = NULL, *opened = NULL;
  bool fine = ok(r, "load", millrace_program_load_for(program_text, sizeof program_text - 1, &options, &program)) &&
              ok(r, "save", millrace_program_save(program, path)) &&
              ok(r, "open", millrace_program_open(path, &opened));
  millrace_program_release(program);
  millrace_program_release(opened);
  return fine;
}

static bool files(record *r) {
  static const char header[] = "{\"w\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}       ";
  static const float weights[] = {10, 10, 10, 10};
  char folder[] = "/tmp/millrace-files-XXXXXX", model[64], beside[64], saved[64], bytes[128];
  if (!mkdtemp(folder)) {
    abort();
  }
  const uint64_t length = sizeof header - 1;
  memcpy(bytes, &length, 8);
  memcpy(bytes + 8, header, length);
  memcpy(bytes + 8 + length, weights, sizeof weights);
  write_file(folder, "model.mlir", model_text, sizeof model_text - 1, model);
  write_file(folder, "model.safetensors", bytes, 8 + length + sizeof weights, beside);
  sprintf(saved, "%s/saved", folder);
  millrace_context *context = NULL;
  bool fine =
      ok(r, "context", millrace_context_create(NULL, &context)) && run_model(r, context, model) && save(r, saved);
  millrace_context_release(context);
  unlink(model);
  unlink(beside);
  unlink(saved);
  if (rmdir(folder) != 0) {  // half of a file that could not be removed either
    char command[64];
    sprintf(command, "rm -rf %s", folder);
    if (system(command) != 0) {
      abort();
    }
  }
  return fine;
}

// A machine that was not measured is while it is described.
static bool measured(record *r) {
  millrace_context *context = NULL;
  char *text = NULL;
  bool fine = ok(r, "context", millrace_context_create(NULL, &context)) &&
              ok(r, "describe", millrace_context_describe(context, &text));
  if (fine && strstr(text, "figures (") == NULL) {
    record_wrong(r, "no figures are described");
  }
  millrace_text_free(text);
  millrace_context_release(context);
  return fine;
}

int main(int argc, char **argv) {
  const scenario scenarios[] = {
      {"traced", traced, true}, {"engine", engine, true}, {"measured", measured, false}, {"files", files, true}};
  faults_start();
  if (!faults_patch("/libmillrace.so.0", NULL)) {
    return 1;
  }
  faults_patch("/libevent_core-2.1.so.7", NULL);
  dlopen("libLLVM.so.19.1", RTLD_NOW | RTLD_LOCAL);
  return scenarios_run(scenarios, sizeof scenarios / sizeof *scenarios, argc, argv) != 0;
}
