// millrace: the command. Stands on the public C API (millrace/millrace.h) alone, and is an example of its use.
// Subcommands have files of their own (commands.h), or a program of their own beside this one: `check` (interpreter/check.c),
// `simulate` (simulate/main.c) and `serve` (serve/app/main.c).
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/commands.h"

static const char usage_text[] =
    "usage: millrace devices                                  what this machine has\n"
    "       millrace show [--plan] [--kernels] PROGRAM        what a program takes and costs, its steps and kernels\n"
    "       millrace run PROGRAM [--input FILE]...            runs it\n"
    "       millrace bench PROGRAM [--batch N,N..]            how long it takes, how many there are in a second\n"
    "       millrace graph PROGRAM [-o FILE.dot | -o FILE.svg]  draws its plan\n"
    "       millrace trace [-o FILE] -- COMMAND...            what the engine does under a command\n"
    "       millrace simulate PROGRAM [--units N]...          how long it would take on more cores\n"
    "       millrace check [-v] [--verify] FILE-OR-FOLDER...  runs programs that test themselves\n"
    "       millrace serve [OPTION]... FOLDER...              answers requests over HTTP and gRPC\n"
    "\n"
    "Each of them has --help. PROGRAM is a StableHLO module, as a portable artifact or as text.\n";

// `millrace check ..`: millrace-check beside this program, which knows the dialects of the tests; likewise millrace-simulate.
static int become(const char *name, char **argv) {
  char path[4096];
  ssize_t size = readlink("/proc/self/exe", path, sizeof path - strlen(name) - 1);
  char *slash = size > 0 ? memrchr(path, '/', (size_t)size) : NULL;
  if (slash) {
    strcpy(slash, name);
    execv(path, argv);
  }
  fprintf(stderr, "millrace: %s: %s\n", name + 1, strerror(errno));
  return 1;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
  } commands[] = {{"devices", command_devices}, {"show", command_show},   {"run", command_run},
                  {"bench", command_bench},     {"graph", command_graph}, {"trace", command_trace}};
  const char *name = argc >= 2 ? argv[1] : "";
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (strcmp(name, commands[i].name) == 0) {
      return commands[i].run(argc - 2, argv + 2);
    }
  }
  if (strcmp(name, "check") == 0) {
    return become("/millrace-check", argv + 1);
  }
  if (strcmp(name, "serve") == 0) {
    return become("/millrace-serve", argv + 1);
  }
  if (strcmp(name, "simulate") == 0) {
    return become("/millrace-simulate", argv + 1);
  }
  bool asked = argc == 2 && (strcmp(name, "--help") == 0 || strcmp(name, "help") == 0);
  fputs(usage_text, asked ? stdout : stderr);
  return asked ? 0 : 2;
}
