// Which compile options a user may name in JAX's compiler_options={...}, and what they may be set to.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pjrt/proto/options.h"

typedef enum option_kind {
  KIND_BOOL,
  KIND_INT,
  KIND_FLOAT,
  KIND_STRING,
  KIND_ENUM,
  KIND_LIST,
  KIND_MESSAGE
} option_kind;

typedef struct known_option {
  const char *name;
  option_kind kind;
} known_option;

// Options by which people tune XLA mean nothing here and are accepted; the value is checked, so that a slip is noticed. The
// first four are fields of the build options that can also be set by name.
static const known_option known[] = {
    {"exec_time_optimization_effort", KIND_FLOAT},
    {"memory_fitting_effort", KIND_FLOAT},
    {"optimization_level", KIND_ENUM},
    {"memory_fitting_level", KIND_ENUM},
#define OPTION(name, kind) {#name, KIND_##kind},
#include "pjrt/proto/xla_options.def"
};

static const known_option *find(mr_str name) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(known); i++) {
    if (mr_str_is(name, known[i].name)) {
      return &known[i];
    }
  }
  return NULL;
}

static bool is_true_text(mr_str text) {
  return mr_str_is(text, "true") || mr_str_is(text, "True") || mr_str_is(text, "1");
}

static bool is_bool_text(mr_str text) {
  return is_true_text(text) || mr_str_is(text, "false") || mr_str_is(text, "False") || mr_str_is(text, "0");
}

// All of a short text as a number.
static bool is_number_text(mr_str text, bool whole) {
  char copy[64], *end;
  if (text.size == 0 || text.size >= sizeof copy) {
    return false;
  }
  memcpy(copy, text.data, text.size);
  copy[text.size] = '\0';
  errno = 0;
  if (whole) {
    (void)strtoll(copy, &end, 10);
  } else {
    (void)strtod(copy, &end);
  }
  return errno == 0 && *end == '\0';
}

static bool fits(option_kind kind, const mr_pjrt_override *override) {
  bool text = override->type == MR_OVERRIDE_STRING;
  switch (kind) {
  case KIND_BOOL: return override->type == MR_OVERRIDE_BOOL || (text && is_bool_text(override->string));
  case KIND_INT: return override->type == MR_OVERRIDE_INT || (text && is_number_text(override->string, true));
  case KIND_FLOAT:
    return override->type == MR_OVERRIDE_DOUBLE || override->type == MR_OVERRIDE_INT ||
           (text && is_number_text(override->string, false));
  case KIND_ENUM: return text || override->type == MR_OVERRIDE_INT;
  case KIND_STRING:
  case KIND_LIST: return text;
  case KIND_MESSAGE: return false;
  }
  return false;
}

static const char *wanted_of(option_kind kind) {
  static const char *const wanted[] = {
      [KIND_BOOL] = "bool", [KIND_INT] = "int",      [KIND_FLOAT] = "float",    [KIND_STRING] = "string",
      [KIND_ENUM] = "enum", [KIND_LIST] = "list of", [KIND_MESSAGE] = "message"};
  return wanted[kind];
}

static mr_status check_override(const mr_pjrt_override *override) {
  const known_option *option = find(override->key);
  if (!option) {
    return mr_error(MR_INVALID_ARGUMENT, "No such compile option: '%.*s'", MR_STR_ARG(override->key));
  }
  if (fits(option->kind, override)) {
    return MR_OK;
  }
  mr_str found = MR_STR("a value of another type");
  return mr_error(MR_INVALID_ARGUMENT, "compile option '%s': '%.*s' is not a valid %s value.", option->name,
                  MR_STR_ARG(override->type == MR_OVERRIDE_STRING ? override->string : found), wanted_of(option->kind));
}

mr_status mr_pjrt_options_check(const mr_pjrt_options *options) {
  for (size_t i = 0; i < options->override_count; i++) {
    MR_TRY(check_override(&options->overrides[i]));
  }
  return MR_OK;
}

bool mr_pjrt_options_flag(const mr_pjrt_options *options, const char *name, bool fallback) {
  for (size_t i = 0; i < options->override_count; i++) {
    const mr_pjrt_override *override = &options->overrides[i];
    if (mr_str_is(override->key, name)) {
      bool text = override->type == MR_OVERRIDE_STRING;
      fallback = text ? is_true_text(override->string) : override->boolean;
    }
  }
  return fallback;
}
