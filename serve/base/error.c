// Errors: a code and a message in one allocation.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/base/base.h"

struct sv_error {
  millrace_code code;
  char message[];
};

// Shared by all who have no memory for another one; never freed.
static const struct {
  millrace_code code;
  char message[24];
} out_of_memory = {MILLRACE_RESOURCE_EXHAUSTED, "out of memory"};
_Static_assert(offsetof(struct sv_error, message) == sizeof(millrace_code), "laid out as sv_error is");

sv_error *sv_no_memory(void) { return (sv_error *)(uintptr_t)&out_of_memory; }

static sv_error *create(millrace_code code, const char *message, size_t size) {
  sv_error *error = malloc(sizeof *error + size + 1);
  if (!error) {
    return sv_no_memory();
  }
  error->code = code;
  memcpy(error->message, message, size);
  error->message[size] = 0;
  return error;
}

sv_error *sv_errorf(millrace_code code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *message = NULL;
  int size = vasprintf(&message, format, arguments);
  va_end(arguments);
  if (size < 0) {
    return sv_no_memory();
  }
  sv_error *error = create(code, message, (size_t)size);
  free(message);
  return error;
}

sv_error *sv_error_of(millrace_error *take_error) {
  if (!take_error) {
    return NULL;
  }
  const char *message = millrace_error_message(take_error);
  sv_error *error = create(millrace_error_code(take_error), message, strlen(message));
  millrace_error_free(take_error);
  return error;
}

sv_error *sv_error_copy(const sv_error *error) {
  return error ? create(error->code, error->message, strlen(error->message)) : NULL;
}

millrace_code sv_error_code(const sv_error *error) { return error ? error->code : MILLRACE_OK; }

const char *sv_error_message(const sv_error *error) { return error ? error->message : ""; }

void sv_error_free(sv_error *error) {
  if (error != (const sv_error *)&out_of_memory) {
    free(error);
  }
}
