// millrace devices, millrace show PROGRAM: what the library tells of a machine and of a program.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "millrace/engine.h"
#include "tools/commands.h"
#include "tools/element.h"
#include "tools/feed.h"

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
  feed feed;
  const char *device;
  bool kernels, plan;
} show_options;

static const char show_usage[] =
    "usage: millrace show [--device KIND] [--plan] [--kernels] [--size SYMBOL=N]... PROGRAM\n"
    "\n"
    "Compiles PROGRAM, a StableHLO module as a portable artifact or as text, and tells its parameters and results "
    "with\n"
    "names, types, sizes and what is donated, what it is estimated to cost, and the memory it takes. Where it leaves\n"
    "sizes open, and nothing says them, it is not compiled, and what it says of itself is told.\n"
    "\n"
    "--device KIND        for a device of that kind, as MILLRACE_DEVICES names them (opencl:cpu)\n"
    "--size SYMBOL=N      a size that the program leaves open\n"
    "--shape INPUT=SHAPE  likewise of one input: x=8x784\n"
    "--weights FILE       tells which parameters have their values from this file (.safetensors, .npz); else from\n"
    "                     PROGRAM.safetensors or PROGRAM.npz beside the program, when there is one; '': none\n"
    "--plan               and the steps it becomes, with their buffers, estimated times and the bytes that each reads\n"
    "                     and writes, a loop in each round\n"
    "--kernels            and the text of its kernels, LLVM IR or, for an OpenCL device, OpenCL C\n";

static bool parse_show(int argc, char **argv, show_options *options) {
  const command_option table[] = {
      FEED_SIZE_OPTIONS(options->feed),
      {.name = "--device", .kind = OPTION_TEXT, .to = &options->device, .wanted = "a kind of device, as opencl:cpu"},
      {.name = "--plan", .kind = OPTION_FLAG, .to = &options->plan},
      {.name = "--kernels", .kind = OPTION_FLAG, .to = &options->kernels},
  };
  return options_take(argc, argv, table, sizeof table / sizeof *table, &options->feed.program_path);
}

static void put_port(const char *what, size_t i, millrace_port port, const char *made_up) {
  char type[512], unnamed[32];
  snprintf(unnamed, sizeof unnamed, "%s%zu", made_up, i);
  printf("  %s %zu: %s", what, i, element_type_text(port.type, port.symbols, type, sizeof type));
  printf("%s%s", strcmp(port.name, unnamed) == 0 ? "" : ", ", strcmp(port.name, unnamed) == 0 ? "" : port.name);
  printf("%s\n", port.donated ? ", donated" : "");
}

// As far as it is known without sizes.
static void describe_open(const feed *f) {
  size_t results = millrace_model_output_count(f->model);
  printf("program %s, which leaves sizes open\n", f->program_path);
  printf("%zu parameter%s\n", f->num_parameters, f->num_parameters == 1 ? "" : "s");
  for (size_t i = 0; i < f->num_parameters; i++) {
    put_port("parameter", i, f->parameters[i].port, "input");
  }
  printf("%zu result%s\n", results, results == 1 ? "" : "s");
  for (size_t i = 0; i < results; i++) {
    put_port("result", i, millrace_model_output(f->model, i), "output");
  }
  const char **symbols = feed_symbols(f);
  for (size_t i = 0; symbols && symbols[i]; i++) {
    printf("%s%s", i ? ", " : "sizes that are open: ", symbols[i]);
  }
  printf("%s", symbols && symbols[0] ? "\n" : "");
  free(symbols);
}

static bool is_bound(const feed *f, size_t weight) {
  for (size_t i = 0; i < f->num_parameters; i++) {
    if (f->parameters[i].source == FEED_WEIGHTS && f->parameters[i].index == weight) {
      return true;
    }
  }
  return false;
}

static void describe_weights(const feed *f) {
  if (!f->weights) {
    return;
  }
  printf("weights %s\n", feed_weights_path(f));
  for (size_t i = 0; i < f->num_parameters; i++) {
    if (f->parameters[i].source == FEED_WEIGHTS) {
      printf("  parameter %zu, %s\n", i, f->parameters[i].port.name);
    }
  }
  for (size_t i = 0; i < millrace_weights_count(f->weights); i++) {
    if (!is_bound(f, i)) {
      printf("  of no parameter: %s\n", millrace_weights_name(f->weights, i));
    }
  }
}

// Compiles and prints what is said of it.
static bool describe_compiled(const show_options *options) {
  char *text = NULL, *plan = NULL;
  millrace_program *program = NULL;
  bool ok = feed_compile(&options->feed, &program) && command_report(millrace_program_describe(program, &text)) &&
            (!options->plan || command_report(millrace_program_plan(program, &plan)));
  if (ok) {
    fputs(text, stdout);
    describe_weights(&options->feed);
    fputs(plan ? plan : "", stdout);
  }
  millrace_text_free(plan);
  millrace_text_free(text);
  millrace_program_release(program);
  return ok;
}

static bool show(show_options *options) {
  feed *f = &options->feed;
  if (!feed_open(f) || !feed_resolve(f, 0)) {
    return false;
  }
  bool wants_compiled = f->sizes.size || f->shapes.size || options->plan || options->kernels;
  if (feed_is_open(f) && !wants_compiled) {
    describe_open(f);
    describe_weights(f);
    return true;
  }
  return feed_is_resolved(f) && describe_compiled(options);
}

int command_show(int argc, char **argv) {
  show_options options = {0};
  bool asked = command_wants_help(argc, argv);
  if (asked || !parse_show(argc, argv, &options)) {
    feed_close(&options.feed);
    return print_usage(show_usage, asked);
  }
  char folder[4096] = "";
  if (options.kernels && !want_kernels(folder, sizeof folder)) {
    feed_close(&options.feed);
    return 1;
  }
  if (options.device) {  // one is all that it takes, however many a user's programs are given
    setenv("MILLRACE_DEVICES", options.device, 1);
    setenv("MILLRACE_NUM_DEVICES", "1", 1);
  }
  bool ok = show(&options);
  if (options.kernels) {
    take_kernels(folder, ok);
  }
  feed_close(&options.feed);
  return ok ? 0 : 1;
}
