// millrace devices, millrace show PROGRAM: what the library tells of a machine and of a program.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

// ---- Kernels ------------------------------------------------------------------------------------------------------------

// A folder of our own that the compiler leaves texts of kernels in; false: there is none. What is in the cache would not be compiled.
static bool want_kernels(char *folder, size_t size) {
  const char *base = getenv("TMPDIR");
  snprintf(folder, size, "%s/millrace-show-XXXXXX", base && *base ? base : "/tmp");
  if (!mkdtemp(folder)) {
    fprintf(stderr, "millrace: cannot make %s: %s\n", folder, strerror(errno));
    return false;
  }
  setenv("MILLRACE_DUMP", folder, 1);
  setenv("MILLRACE_CACHE_DIR", "", 1);
  return true;
}

static bool ends_in(const char *name, const char *end) {
  size_t size = strlen(name), end_size = strlen(end);
  return size >= end_size && strcmp(name + size - end_size, end) == 0;
}

static void put_file(const char *path) {
  size_t size = 0;
  char *text = npy_slurp(path, &size);
  if (text) {
    fwrite(text, 1, size, stdout);
    fputs(size && text[size - 1] == '\n' ? "" : "\n", stdout);
  }
  free(text);
}

// Prints what a device is given, the LLVM IR of machine code or OpenCL C, when `prints`, and removes everything.
static void take_kernels(const char *folder, bool prints) {
  struct dirent **entries = NULL;
  int count = scandir(folder, &entries, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    const char *name = entries[i]->d_name;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (prints && (ends_in(name, ".opt.ll") || ends_in(name, ".cl"))) {
      printf("\nkernels %s\n", name);
      put_file(path);
    }
    if (name[0] != '.') {
      unlink(path);
    }
    free(entries[i]);
  }
  free(entries);
  rmdir(folder);
}

// ---- Programs -----------------------------------------------------------------------------------------------------------

typedef struct show_options {
  const char *path, *device;
  bool kernels, plan;
} show_options;

static bool parse_show(int argc, char **argv, show_options *options) {
  for (int i = 0; i < argc; i++) {
    if (strcmp(argv[i], "--kernels") == 0) {
      options->kernels = true;
    } else if (strcmp(argv[i], "--plan") == 0) {
      options->plan = true;
    } else if (strcmp(argv[i], "--device") == 0 && i + 1 < argc) {
      options->device = argv[++i];
    } else if (argv[i][0] == '-' || options->path) {
      return false;
    } else {
      options->path = argv[i];
    }
  }
  return options->path != NULL;
}

// Compiles and prints what is said of it, for the device when there is one.
static bool show(const show_options *options, millrace_context *context) {
  char *text = NULL, *plan = NULL;
  size_t size = 0;
  void *bytes = npy_slurp(options->path, &size);
  const millrace_program_options program_options = {
      .struct_size = sizeof program_options,
      .device = context ? millrace_context_device(context, 0) : NULL,
  };
  millrace_program *program = NULL;
  bool ok = bytes && command_report(millrace_program_load_for(bytes, size, &program_options, &program)) &&
            command_report(millrace_program_describe(program, &text)) &&
            (!options->plan || command_report(millrace_program_plan(program, &plan)));
  if (ok) {
    fputs(text, stdout);
    fputs(plan ? plan : "", stdout);
  }
  millrace_text_free(plan);
  millrace_text_free(text);
  free(bytes);
  millrace_program_release(program);
  return ok;
}

int command_show(int argc, char **argv) {
  static const char usage_text[] =
      "usage: millrace show [--device KIND] [--plan] [--kernels] PROGRAM\n"
      "\n"
      "Compiles PROGRAM, a StableHLO module as a portable artifact or as text, and tells its parameters and results "
      "with\n"
      "types, sizes and what is donated, what it is estimated to cost, and the memory it takes. --device: for a device "
      "of\n"
      "that kind, as MILLRACE_DEVICES names them (opencl:cpu). --plan: and the steps it becomes, with their buffers, "
      "estimated\n"
      "times and the bytes that each reads and writes, a loop in each round. --kernels: and the text of its kernels, "
      "LLVM IR or, for "
      "an\n"
      "OpenCL device, OpenCL C.\n";
  show_options options = {0};
  if (command_wants_help(argc, argv) || !parse_show(argc, argv, &options)) {
    return print_usage(usage_text, command_wants_help(argc, argv));
  }
  char folder[4096] = "";
  if (options.kernels && !want_kernels(folder, sizeof folder)) {
    return 1;
  }
  millrace_context *context = NULL;
  if (options.device) {  // one is all that it takes, however many a user's programs are given
    setenv("MILLRACE_DEVICES", options.device, 1);
    setenv("MILLRACE_NUM_DEVICES", "1", 1);
  }
  bool ok = !options.device || command_report(millrace_context_create(NULL, &context));
  ok = ok && show(&options, context);
  if (options.kernels) {
    take_kernels(folder, ok);
  }
  millrace_context_release(context);
  return ok ? 0 : 1;
}
