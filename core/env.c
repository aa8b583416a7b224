// Settings from the environment, all spelled MILLRACE_<name>.
#include "core/core.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

mr_status mr_env_int(const char *name, int64_t fallback, int64_t min, int64_t max, int64_t *out_value) {
  *out_value = fallback;
  char full[128];
  if ((size_t)snprintf(full, sizeof full, "MILLRACE_%s", name) >= sizeof full) {
    return mr_error(MR_INVALID_ARGUMENT, "setting name %s is too long", name);
  }
  const char *text = getenv(full);
  if (!text || !*text) {
    return MR_OK;
  }
  errno = 0;
  char *end = NULL;
  long long value = strtoll(text, &end, 10);
  if (errno || *end) {
    return mr_error(MR_INVALID_ARGUMENT, "%s is \"%s\", wanted an integer", full, text);
  }
  if (value < min || value > max) {
    return mr_error(MR_OUT_OF_RANGE, "%s is %lld, wanted %" PRId64 " to %" PRId64, full, value, min, max);
  }
  *out_value = value;
  return MR_OK;
}
