#include "tools/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const command_option *find(const command_option *table, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(table[i].name, name) == 0) {
      return &table[i];
    }
  }
  return NULL;
}

static bool take_number(const command_option *option, const char *value) {
  char *end = NULL;
  errno = 0;
  // A sign would be taken by strtoull(), and a minus make a large number.
  if (*value < '0' || *value > '9') {
    return false;
  }
  unsigned long long number = strtoull(value, &end, 10);
  if (errno || *end || (double)number < option->least || (double)number > option->most) {
    return false;
  }
  *(uint64_t *)option->to = number;
  return true;
}

static bool take_decimal(const command_option *option, const char *value) {
  char *end = NULL;
  double number = strtod(value, &end);
  if (end == value || *end || !isfinite(number) || number < option->least || number > option->most) {
    return false;
  }
  *(double *)option->to = number;
  return true;
}

static bool take(const command_option *option, const char *value) {
  switch (option->kind) {
  case OPTION_FLAG: *(bool *)option->to = true; return true;
  case OPTION_TEXT: *(const char **)option->to = value; return true;
  case OPTION_NUMBER: return take_number(option, value);
  case OPTION_DECIMAL: return take_decimal(option, value);
  case OPTION_CALL: return option->take(option->to, value);
  }
  return false;
}

static bool complain(const command_option *option, const char *value) {
  fprintf(stderr, "millrace: cannot use %s%s%s: wanted ", option->name, value ? " " : "", value ? value : "");
  if (option->wanted) {
    fprintf(stderr, "%s\n", option->wanted);
  } else {
    fprintf(stderr, "a %snumber from %.15g to %.15g\n", option->kind == OPTION_NUMBER ? "whole " : "", option->least,
            option->most);
  }
  return false;
}

bool options_take(int argc, char **argv, const command_option *table, size_t count, const char **out_program) {
  *out_program = NULL;
  for (int i = 0; i < argc; i++) {
    if (argv[i][0] != '-') {
      if (*out_program) {
        fprintf(stderr, "millrace: cannot use %s: wanted one program, which is %s\n", argv[i], *out_program);
        return false;
      }
      *out_program = argv[i];
      continue;
    }
    const command_option *option = find(table, count, argv[i]);
    if (!option) {
      fprintf(stderr, "millrace: cannot use %s: there is no such option\n", argv[i]);
      return false;
    }
    const char *value = option->kind == OPTION_FLAG ? "" : i + 1 < argc ? argv[++i] : NULL;
    if (!value || !take(option, value)) {
      return complain(option, value);
    }
  }
  if (!*out_program) {
    fputs("millrace: no program is named\n", stderr);
  }
  return *out_program != NULL;
}
