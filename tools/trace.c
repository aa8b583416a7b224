// millrace trace [-o FILE] -- COMMAND...: runs the command with MILLRACE_TRACE=FILE, an absolute path, so that the library
// in it writes a trace there. Becomes the command: its exit status is this one's. --summary: trace_summary.c.
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/commands.h"

static const char usage_text[] =
    "usage: millrace trace [-o FILE] -- COMMAND...\n"
    "       millrace trace --summary FILE\n"
    "\n"
    "Runs COMMAND and writes what millrace did in it to FILE (millrace-trace.json), for ui.perfetto.dev or\n"
    "chrome://tracing: what each thread did, and below that what was done for each device. A further process\n"
    "of COMMAND that uses millrace writes FILE.<its number>.\n"
    "\n"
    "--summary tells of such a file how long each thread worked, how many were busy at once, each device, and why the\n"
    "others were idle: there was no work, or what comes next depended on work elsewhere, a transfer or a callback.\n";

static bool set_path(const char *file) {
  char path[8192];
  size_t used = 0;
  if (file[0] != '/') {
    if (!getcwd(path, sizeof path - 1)) {
      return false;
    }
    used = strlen(path);
    path[used++] = '/';
  }
  size_t size = strlen(file) + 1;
  if (size > sizeof path - used) {
    return false;
  }
  memcpy(path + used, file, size);
  // One that was left from before would make the library step aside.
  if (unlink(path) != 0 && errno != ENOENT) {
    return false;
  }
  return setenv("MILLRACE_TRACE", path, 1) == 0;
}

int command_trace(int argc, char **argv) {
  if (command_wants_help(argc, argv)) {
    fputs(usage_text, stdout);
    return 0;
  }
  if (argc == 2 && strcmp(argv[0], "--summary") == 0) {
    return trace_summary(argv[1]) ? 0 : 1;
  }
  const char *file = "millrace-trace.json";
  int i = 0;
  if (i + 1 < argc && strcmp(argv[i], "-o") == 0) {
    file = argv[i + 1];
    i += 2;
  }
  if (i < argc && strcmp(argv[i], "--") == 0) {
    i++;
  }
  if (i >= argc || (argv[i][0] == '-' && strcmp(argv[i - (i > 0)], "--") != 0)) {
    fputs(usage_text, stderr);
    return 2;
  }
  if (!set_path(file)) {
    fprintf(stderr, "millrace: %s: %s\n", file, strerror(errno));
    return 1;
  }
  execvp(argv[i], argv + i);
  fprintf(stderr, "millrace: %s: %s\n", argv[i], strerror(errno));
  return 127;
}
