// Which compile options a user may name in JAX's compiler_options={...}, and what they may be set to. What is refused here is
// what XLA refuses, in its words: a name that it does not have, and a value that the option cannot have.
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pjrt/proto/options.h"

// A list's kind has an S behind it.
typedef enum option_kind {
  KIND_BOOL,
  KIND_INT32,
  KIND_INT64,
  KIND_FLOAT,
  KIND_STRING,
  KIND_STRINGS,
  KIND_ENUM,
  KIND_ENUMS,
  KIND_MESSAGE,
  KIND_MESSAGES,
} option_kind;

typedef struct known_option {
  const char *name;
  option_kind kind;
  const char *enumeration;
} known_option;

static const known_option known[] = {
#define GROUP(name, fate, why)
#define OPTION(number, name, kind, of, group) {#name, KIND_##kind, #of},
#define VALUE(of, name, number)
#include "pjrt/proto/debug_options.def"
};

static const struct {
  const char *enumeration, *name;
} enumerators[] = {
#define GROUP(name, fate, why)
#define OPTION(number, name, kind, of, group)
#define VALUE(of, name, number) {#of, #name},
#include "pjrt/proto/debug_options.def"
};

static const known_option *find(mr_str name) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(known); i++) {
    if (mr_str_is(name, known[i].name)) {
      return &known[i];
    }
  }
  return NULL;
}

// All of a short text as a number, but for blanks around it.
static bool is_number_text(mr_str text, option_kind kind) {
  char copy[64], *end;
  if (text.size >= sizeof copy) {
    return false;
  }
  memcpy(copy, text.data, text.size);
  copy[text.size] = '\0';
  errno = 0;
  if (kind == KIND_FLOAT) {
    (void)strtod(copy, &end);
    errno = 0;  // what is too large is infinite
  } else {
    long long number = strtoll(copy, &end, 10);
    errno = kind == KIND_INT32 && number != (int32_t)number ? ERANGE : errno;
  }
  bool found = end != copy;
  while (isspace((unsigned char)*end)) {
    end++;
  }
  return found && errno == 0 && end == copy + text.size;
}

static bool is_enumerator(mr_str text, const char *enumeration) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(enumerators); i++) {
    if (strcmp(enumerators[i].enumeration, enumeration) == 0 && mr_str_is(text, enumerators[i].name)) {
      return true;
    }
  }
  return is_number_text(text, KIND_INT64);
}

// Each of several names with commas between them. Of an empty text there are none; else `*bad` is the one that is wrong.
static bool are_enumerators(mr_str text, const char *enumeration, mr_str *bad) {
  for (size_t start = 0; text.size > 0 && start <= text.size;) {
    size_t end = start;
    while (end < text.size && text.data[end] != ',') {
      end++;
    }
    *bad = (mr_str){text.data + start, end - start};
    if (!is_enumerator(*bad, enumeration)) {
      return false;
    }
    start = end + 1;
  }
  return true;
}

static bool text_fits(const known_option *option, mr_str text, mr_str *bad) {
  switch (option->kind) {
  case KIND_BOOL: return mr_str_is(text, "True") || mr_str_is(text, "False");
  case KIND_INT32:
  case KIND_INT64:
  case KIND_FLOAT: return is_number_text(text, option->kind);
  case KIND_ENUM: return is_enumerator(text, option->enumeration);
  case KIND_ENUMS: return are_enumerators(text, option->enumeration, bad);
  case KIND_STRING:
  case KIND_STRINGS: return true;
  case KIND_MESSAGE:
  case KIND_MESSAGES: return false;
  }
  return false;
}

static bool number_fits(const known_option *option, int64_t number) {
  return option->kind == KIND_INT64 || option->kind == KIND_ENUM || option->kind == KIND_ENUMS ||
         (option->kind == KIND_INT32 && number == (int32_t)number);
}

static const char *wanted_of(option_kind kind) {
  static const char *const wanted[] = {
      [KIND_BOOL] = "bool",       [KIND_INT32] = "int32",     [KIND_INT64] = "int64", [KIND_FLOAT] = "float",
      [KIND_STRING] = "string",   [KIND_STRINGS] = "string",  [KIND_ENUM] = "enum",   [KIND_ENUMS] = "enum",
      [KIND_MESSAGE] = "message", [KIND_MESSAGES] = "message"};
  return wanted[kind];
}

// Whether the option may have the value, which is given as text, or the part of it that is wrong.
static bool fits(const known_option *option, const mr_pjrt_override *override, char *room, size_t size, mr_str *text) {
  bool right = false;
  int length = 0;
  switch (override->type) {
  case MR_OVERRIDE_STRING: *text = override->string; return text_fits(option, override->string, text);
  case MR_OVERRIDE_BOOL:
    right = option->kind == KIND_BOOL;
    length = snprintf(room, size, "%d", override->boolean);
    break;
  case MR_OVERRIDE_INT:
    right = number_fits(option, override->integer);
    length = snprintf(room, size, "%lld", (long long) override->integer);
    break;
  case MR_OVERRIDE_DOUBLE:
    right = option->kind == KIND_FLOAT;
    length = snprintf(room, size, "%g", override->real);
    break;
  }
  *text = (mr_str){room, (size_t)length};
  return right;
}

static mr_status check_override(const mr_pjrt_override *override) {
  const known_option *option = find(override->key);
  if (!option) {
    return mr_error(MR_INVALID_ARGUMENT, "No such compile option: '%.*s'", MR_STR_ARG(override->key));
  }
  char room[32];
  mr_str text;
  if (fits(option, override, room, sizeof room, &text)) {
    return MR_OK;
  }
  return mr_error(MR_INVALID_ARGUMENT, "While setting option %s, '%.*s' is not a valid %s value.", option->name,
                  MR_STR_ARG(text), wanted_of(option->kind));
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
      fallback = text ? mr_str_is(override->string, "True") : override->boolean;
    }
  }
  return fallback;
}
