// millrace graph PROGRAM [-o FILE]: compiles the program and draws its plan, in the DOT language, or as SVG when FILE
// ends so.
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "millrace/engine.h"
#include "tools/commands.h"
#include "tools/svg.h"

static bool complain(const char *path) {
  fprintf(stderr, "millrace: %s: %s\n", path, strerror(errno));
  return false;
}

static char *read_whole(const char *path, size_t *out_size) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    return NULL;
  }
  char *bytes = NULL;
  size_t used = 0, capacity = 0;
  for (;;) {
    if (used == capacity) {
      char *more = realloc(bytes, capacity = capacity ? 2 * capacity : 1 << 16);
      if (!more) {
        break;
      }
      bytes = more;
    }
    size_t got = fread(bytes + used, 1, capacity - used, file);
    if (!got) {
      break;
    }
    used += got;
  }
  fclose(file);
  *out_size = used;
  return bytes;
}

static bool write_dot(const char *path, const char *text) {
  FILE *file = path ? fopen(path, "w") : stdout;
  if (!file) {
    return complain(path);
  }
  bool failed = fputs(text, file) < 0;
  if (path) {
    failed |= fclose(file) != 0;
  }
  return failed ? complain(path ? path : "stdout") : true;
}

static bool write_svg(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (!file) {
    return complain(path);
  }
  bool drawn = svg_write(text, file);
  if (fclose(file) != 0) {
    return complain(path);
  }
  if (!drawn) {
    fprintf(stderr, "millrace: %s: out of memory\n", path);
  }
  return drawn;
}

static bool ends_with(const char *text, const char *end) {
  size_t size = strlen(text), end_size = strlen(end);
  return size >= end_size && strcmp(text + size - end_size, end) == 0;
}

static bool draw(const char *program_path, const char *output, uint32_t num_devices) {
  size_t size = 0;
  char *bytes = read_whole(program_path, &size), *text = NULL;
  if (!bytes) {
    return complain(program_path);
  }
  millrace_program *program = NULL;
  const millrace_program_options options = {.struct_size = sizeof options, .num_partitions = num_devices};
  bool ok = command_report(millrace_program_load_for(bytes, size, &options, &program)) &&
            command_report(millrace_program_graph(program, &text));
  free(bytes);
  if (ok) {
    ok = output && ends_with(output, ".svg") ? write_svg(output, text) : write_dot(output, text);
  }
  millrace_text_free(text);
  millrace_program_release(program);
  return ok;
}

int command_graph(int argc, char **argv) {
  static const char usage_text[] =
      "usage: millrace graph PROGRAM [-o FILE.dot | -o FILE.svg] [--devices N]\n"
      "\n"
      "Compiles PROGRAM and draws its plan: a box for each step with what is in it and its estimated cost, arrows with "
      "the\n"
      "types of what flows, frames around strands, loops and branches; the critical path is red. --devices N: what "
      "each "
      "of N\n"
      "devices does of it, and where they meet.\n";
  if (command_wants_help(argc, argv)) {
    fputs(usage_text, stdout);
    return 0;
  }
  const char *output = NULL;
  unsigned long devices = 0;
  bool fits = argc % 2 == 1;
  for (int i = 1; i + 1 < argc && fits; i += 2) {
    char *end = argv[i + 1];
    if (strcmp(argv[i], "-o") == 0) {
      output = argv[i + 1];
    } else {
      devices = strtoul(argv[i + 1], &end, 10);
      fits = strcmp(argv[i], "--devices") == 0 && end != argv[i + 1] && !*end && devices > 0 && devices <= UINT32_MAX;
    }
  }
  if (!fits) {
    fputs(usage_text, stderr);
    return 2;
  }
  return draw(argv[0], output, (uint32_t)devices) ? 0 : 1;
}
