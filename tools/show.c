// millrace devices, millrace show PROGRAM: what the library tells of a machine and of a program.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "millrace/engine.h"
#include "tools/commands.h"
#include "tools/npy.h"

bool command_report(millrace_error *error) {
  if (!error) {
    return true;
  }
  fprintf(stderr, "millrace: %s: %s\n", millrace_code_name(millrace_error_code(error)), millrace_error_message(error));
  millrace_error_free(error);
  return false;
}

bool command_wants_help(int argc, char **argv) {
  return argc >= 1 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0);
}

// The usage on stdout when it was asked for, else on stderr; the exit status.
static int print_usage(const char *text, bool asked) {
  fputs(text, asked ? stdout : stderr);
  return asked ? 0 : 2;
}

int command_devices(int argc, char **argv) {
  static const char usage_text[] =
      "usage: millrace devices\n"
      "\n"
      "The machine: processing units, caches, NUMA nodes, quotas of control groups. The devices that programs run on, "
      "by\n"
      "MILLRACE_DEVICES and MILLRACE_NUM_DEVICES, with their memory and with the figures the compiler goes by\n"
      "(MILLRACE_FIGURES), measured once on each machine. Last, the kinds of devices that are not there, and why.\n";
  if (argc != 0) {
    return print_usage(usage_text, command_wants_help(argc, argv));
  }
  millrace_context *context = NULL;
  char *text = NULL;
  bool ok = command_report(millrace_context_create(NULL, &context)) &&
            command_report(millrace_context_describe(context, &text));
  if (ok) {
    fputs(text, stdout);
  }
  millrace_text_free(text);
  millrace_context_release(context);
  return ok ? 0 : 1;
}

int command_show(int argc, char **argv) {
  static const char usage_text[] =
      "usage: millrace show PROGRAM\n"
      "\n"
      "Compiles PROGRAM, a StableHLO module as a portable artifact or as text, and tells its parameters and results "
      "with\n"
      "types, sizes and what is donated, what it is estimated to cost, and the memory it takes.\n";
  if (argc != 1 || command_wants_help(argc, argv)) {
    return print_usage(usage_text, command_wants_help(argc, argv));
  }
  size_t size = 0;
  void *bytes = npy_slurp(argv[0], &size);
  millrace_program *program = NULL;
  char *text = NULL;
  bool ok = bytes && command_report(millrace_program_load(bytes, size, &program)) &&
            command_report(millrace_program_describe(program, &text));
  free(bytes);
  if (ok) {
    fputs(text, stdout);
  }
  millrace_text_free(text);
  millrace_program_release(program);
  return ok ? 0 : 1;
}
