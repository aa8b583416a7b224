#include "pjrt/proto/flags.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of a file of flags; what is behind is not read.
enum { FILE_BYTES = 1 << 16 };

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static const char *skip_spaces(const char *at) {
  while (is_space(*at)) {
    at++;
  }
  return at;
}

// A flag, where it begins: name and "=value", whose value may be in quotes, with backslashes. Returns where it ends.
typedef struct flag {
  mr_str name;
  char value[MR_PJRT_FLAG_SIZE];
  bool fits;
} flag;

static const char *read_value(const char *at, flag *out) {
  char quote = *at == '"' || *at == '\'' ? *at++ : '\0';
  size_t size = 0;
  while (*at && (quote ? *at != quote : !is_space(*at))) {
    at += quote && *at == '\\' && at[1];
    if (size < sizeof out->value - 1) {
      out->value[size] = *at;
    }
    size++;
    at++;
  }
  out->fits = size < sizeof out->value;
  out->value[MR_MIN(size, sizeof out->value - 1)] = '\0';
  return at + (quote && *at == quote);
}

static const char *read_flag(const char *at, flag *out) {
  const char *start = at;
  while (*at && *at != '=' && !is_space(*at)) {
    at++;
  }
  out->name = (mr_str){start, (size_t)(at - start)};
  out->fits = true;
  if (*at == '=') {
    return read_value(at + 1, out);
  }
  snprintf(out->value, sizeof out->value, "true");
  return at;
}

static bool find(const char *text, const char *name, char *out_value) {
  bool found = false;
  flag each;
  for (const char *at = skip_spaces(text); *at; at = skip_spaces(at)) {
    at = read_flag(at, &each);
    bool is_it = mr_str_starts_with(each.name, MR_STR("--")) &&
                 mr_str_is((mr_str){each.name.data + 2, each.name.size - 2}, name);
    if (is_it && each.fits) {
      snprintf(out_value, MR_PJRT_FLAG_SIZE, "%s", each.value);
    }
    found = is_it ? each.fits : found;
  }
  return found;
}

static bool find_in_file(const char *path, const char *name, char *out_value) {
  FILE *file = fopen(path, "re");
  char *text = file ? mr_alloc(FILE_BYTES) : NULL;
  bool found = false;
  if (text) {
    size_t used = 0;
    text[0] = '\0';
    while (used + 1 < FILE_BYTES && fgets(text + used, (int)(FILE_BYTES - used), file)) {
      used += strlen(text + used);
    }
    found = find(text, name, out_value);
  }
  mr_free(text);
  if (file) {
    (void)fclose(file);
  }
  return found;
}

bool mr_pjrt_flag(const char *name, char out_value[MR_PJRT_FLAG_SIZE]) {
  const char *text = getenv("XLA_FLAGS");
  text = text ? skip_spaces(text) : "";
  if (*text == '\0') {
    return false;
  }
  return *text == '-' ? find(text, name, out_value) : find_in_file(text, name, out_value);
}

static bool read_number(const char *text, int64_t *out_value) {
  char *end;
  errno = 0;
  *out_value = strtoll(text, &end, 10);
  return !errno && end != text && *end == '\0';
}

mr_status mr_pjrt_flag_int(const char *name, int64_t fallback, int64_t min, int64_t max, int64_t *out_value) {
  char value[MR_PJRT_FLAG_SIZE];
  *out_value = fallback;
  if (!mr_pjrt_flag(name, value)) {
    return MR_OK;
  }
  if (!read_number(value, out_value) || *out_value < min || *out_value > max) {
    return mr_error(MR_INVALID_ARGUMENT, "--%s in XLA_FLAGS is \"%s\", wanted %lld to %lld", name, value,
                    (long long)min, (long long)max);
  }
  return MR_OK;
}

bool mr_pjrt_flag_on(const char *name, bool fallback) {
  char value[MR_PJRT_FLAG_SIZE];
  if (!mr_pjrt_flag(name, value)) {
    return fallback;
  }
  return strcmp(value, "false") != 0 && strcmp(value, "False") != 0 && strcmp(value, "0") != 0;
}

uint32_t mr_pjrt_asked_threads(void) {
  if (!mr_pjrt_flag_on("xla_cpu_multi_thread_eigen", true)) {
    return 1;
  }
  const char *text = getenv("NPROC");
  int64_t count;
  return text && read_number(text, &count) && count > 0 ? (uint32_t)MR_MIN(count, INT32_MAX) : 0;
}
