// What tests of the public engine do again and again.
#ifndef MR_TESTS_MILLRACE_ENGINE_HARNESS_H
#define MR_TESTS_MILLRACE_ENGINE_HARNESS_H

#include "tests/cmocka.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "millrace/engine.h"

static inline void ok(millrace_error *error) {
  if (error) {
    fail_msg("%s", millrace_error_message(error));
  }
}

static inline millrace_engine *make(uint32_t workers) {
  millrace_engine *engine;
  ok(millrace_engine_create(
      &(millrace_engine_options){.struct_size = sizeof(millrace_engine_options), .workers = workers}, &engine));
  return engine;
}

static inline void fails_with(millrace_error *error, millrace_code code, const char *words) {
  assert_non_null(error);
  assert_int_equal(millrace_error_code(error), code);
  if (!strstr(millrace_error_message(error), words)) {
    fail_msg("\"%s\" does not say \"%s\"", millrace_error_message(error), words);
  }
  millrace_error_free(error);
}

// Waits for the event and lets go of it.
static inline void ends(millrace_engine *engine, millrace_event *event) {
  ok(millrace_engine_wait(engine, event));
  millrace_event_release(event);
}

// A trace from here until end_trace(), which says what is in it; the text lives until the next. `path`: with six X to be replaced.
static inline void begin_trace(char *path) {
  int handle = mkstemp(path);
  assert_true(handle >= 0);
  close(handle);
  ok(millrace_trace_start(path));
}

static inline const char *end_trace(const char *path) {
  ok(millrace_trace_stop());
  static char text[1 << 20];
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  unlink(path);
  return text;
}

#endif
