// What an op has to say against itself: its name, where it stands in the program, and what is wrong.
#include "compiler/ir/ir.h"

#include <stdio.h>

static mr_status say(mr_code code, const mr_op *op, const char *format, va_list args) {
  char message[640], place[64] = "";
  vsnprintf(message, sizeof message, format, args);
  if (op->loc.line) {
    snprintf(place, sizeof place, " at %u:%u", op->loc.line, op->loc.column);
  } else if (op->loc.offset) {
    snprintf(place, sizeof place, " at byte %llu", (unsigned long long)op->loc.offset);
  }
  mr_str name = op->name.size ? op->name : mr_str_of(mr_op_table[op->kind].spelling);
  return mr_error(code, "%.*s%s: %s", MR_STR_ARG(name), place, message);
}

mr_status mr_op_error(const mr_op *op, const char *format, ...) {
  va_list args;
  va_start(args, format);
  mr_status status = say(MR_INVALID_ARGUMENT, op, format, args);
  va_end(args);
  return status;
}

mr_status mr_unimplemented(const mr_op *op, const char *format, ...) {
  va_list args;
  va_start(args, format);
  mr_status status = say(MR_UNIMPLEMENTED, op, format, args);
  va_end(args);
  return status;
}
