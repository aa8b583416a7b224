// millrace-check PATH..., which `millrace check` becomes: runs programs that test themselves, in the form of StableHLO's interpreter tests. A file is cut at
// its `// -----` lines; each piece is a module whose @main (or only function) takes nothing and ends in ops of the `check`
// dialect, which make the execution fail when a value is not the expected one. With --verify nothing runs: a piece with an
// `expected-error` comment must be refused as invalid, any other must not be.
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "millrace/millrace.h"
#include "tools/interpreter/interpreter.h"
#include "tools/npy.h"

typedef struct check_job {
  millrace_context *context;
  size_t files, files_passed, pieces, pieces_passed;
  bool verbose, verify;
} check_job;

// The engine reads no op of the tests' dialects: it gets the piece with custom calls instead.
static millrace_error *load(const char *text, size_t size, millrace_program **out_program) {
  size_t rewritten_size = 0;
  char *rewritten = interpreter_rewrite(text, size, &rewritten_size);
  millrace_error *error = rewritten ? millrace_program_load(rewritten, rewritten_size, out_program) : MR_NO_MEMORY();
  free(rewritten);
  return error;
}

// ---- One piece --------------------------------------------------------------------------------------------------------

// Ignores what the program returns: only its checks count.
static millrace_error *run_piece(check_job *job, const char *text, size_t size) {
  millrace_program *program = NULL;
  millrace_error *error = load(text, size, &program);
  if (error) {
    return error;
  }
  size_t parameters = millrace_program_parameter_count(program), count = millrace_program_result_count(program);
  millrace_buffer **results = calloc(count + 1, sizeof *results);
  millrace_event *event = NULL;
  if (results && parameters == 0) {
    error = millrace_execute(program, millrace_context_device(job->context, 0), NULL, 0, results, count, &event);
    if (!error) {
      error = millrace_event_wait(event);
    }
  }
  for (size_t i = 0; results && i < count; i++) {
    millrace_buffer_release(results[i]);
  }
  free(results);
  millrace_event_release(event);
  millrace_program_release(program);
  return error;
}

static bool has_function(const char *text, size_t size) { return memmem(text, size, "func", 4) != NULL; }

// Behind the verifier: what it says no more of is whether the program could run.
static bool is_refused(millrace_error *error) {
  return error && millrace_error_code(error) == MILLRACE_INVALID_ARGUMENT &&
         !strstr(millrace_error_message(error), "no entry function");
}

static bool verify_piece(check_job *job, const char *path, unsigned line, const char *text, size_t size) {
  millrace_program *program = NULL;
  millrace_error *error = load(text, size, &program);
  bool wrong = memmem(text, size, "expected-error", 14) != NULL, refused = is_refused(error);
  if (wrong == refused) {
    job->pieces_passed++;
    if (job->verbose && refused) {
      printf("%s:%u: refused: %s\n", path, line, millrace_error_message(error));
    }
  } else {
    printf("%s:%u: %s: %s\n", path, line, wrong ? "accepted wrongly" : "refused wrongly",
           error ? millrace_error_message(error) : "no error");
  }
  millrace_program_release(program);
  millrace_error_free(error);
  return wrong == refused;
}

static bool check_piece(check_job *job, const char *path, unsigned line, const char *text, size_t size) {
  if (!has_function(text, size)) {
    return true;  // comments, or nothing
  }
  job->pieces++;
  if (job->verify) {
    return verify_piece(job, path, line, text, size);
  }
  millrace_error *error = run_piece(job, text, size);
  if (!error) {
    job->pieces_passed++;
    return true;
  }
  printf("%s:%u: %s: %s\n", path, line, millrace_code_name(millrace_error_code(error)), millrace_error_message(error));
  millrace_error_free(error);
  return false;
}

// ---- Files and folders ------------------------------------------------------------------------------------------------

// Where the next separator starts, which may be behind something on its line, or the end.
static const char *find_separator(const char *at, const char *end) {
  static const char separator[] = "// -----";
  const char *found = memmem(at, (size_t)(end - at), separator, sizeof separator - 1);
  return found ? found : end;
}

static unsigned count_lines(const char *from, const char *to) {
  unsigned lines = 0;
  for (; from < to; from++) {
    lines += *from == '\n';
  }
  return lines;
}

static bool check_file(check_job *job, const char *path) {
  size_t size = 0;
  char *text = npy_slurp(path, &size);
  if (!text) {
    return false;
  }
  bool ok = true;
  unsigned line = 1;
  const char *at = text, *end = text + size;
  while (at < end) {
    const char *stop = find_separator(at, end);
    ok &= check_piece(job, path, line, at, (size_t)(stop - at));
    const char *newline = memchr(stop, '\n', (size_t)(end - stop));
    const char *next = newline ? newline + 1 : end;
    line += count_lines(at, next);
    at = next;
  }
  free(text);
  job->files++;
  job->files_passed += ok;
  if (!ok || job->verbose) {
    printf("%s %s\n", ok ? "pass" : "FAIL", path);
  }
  return ok;
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static bool is_program(const char *path) {
  size_t length = strlen(path);
  return length > 5 && strcmp(path + length - 5, ".mlir") == 0;
}

static bool check_path(check_job *job, const char *path, bool given);

static bool check_folder(check_job *job, const char *path) {
  struct dirent **entries = NULL;
  int count = scandir(path, &entries, is_visible, alphasort);
  bool ok = count >= 0;
  if (!ok) {
    fprintf(stderr, "millrace: %s: %s\n", path, strerror(errno));
  }
  for (int i = 0; i < count; i++) {
    char inner[4096];
    if ((size_t)snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name) < sizeof inner) {
      ok &= check_path(job, inner, false);
    }
    free(entries[i]);
  }
  free(entries);
  return ok;
}

static bool check_path(check_job *job, const char *path, bool given) {
  struct stat info;
  if (stat(path, &info) != 0) {
    fprintf(stderr, "millrace: %s: %s\n", path, strerror(errno));
    return false;
  }
  if (S_ISDIR(info.st_mode)) {
    return check_folder(job, path);
  }
  return given || is_program(path) ? check_file(job, path) : true;
}

int main(int argc, char **argv) {
  static const char usage_text[] = "usage: millrace check [-v] [--verify] FILE-OR-FOLDER...\n"
                                   "\n"
                                   "Runs programs that test themselves with ops of the `check` dialect (StableHLO's "
                                   "interpreter tests, .mlir files cut at\n"
                                   "lines of `// -----`), and says which do not pass and why. --verify runs nothing: "
                                   "what is marked expected-error must be\n"
                                   "refused.\n";
  if (argc > 1 && strcmp(argv[1], "--help") == 0) {
    fputs(usage_text, stdout);
    return 0;
  }
  check_job job = {0};
  int first = 1;
  for (; first < argc && argv[first][0] == '-'; first++) {
    bool verbose = strcmp(argv[first], "-v") == 0 || strcmp(argv[first], "--verbose") == 0;
    bool verify = strcmp(argv[first], "--verify") == 0;
    job.verbose |= verbose;
    job.verify |= verify;
    if (!verbose && !verify) {
      argc = first;
    }
  }
  if (first >= argc) {
    fputs(usage_text, stderr);
    return 2;
  }
  // The specification keeps subnormal numbers, and tests for them.
  setenv("MILLRACE_SUBNORMALS", "keep", 0);
  mr_set_custom_call_maker(interpreter_make_check);
  mr_passes_set_first(interpreter_run_processes);
  millrace_error *error = millrace_context_create(NULL, &job.context);
  if (error) {
    fprintf(stderr, "millrace: %s\n", millrace_error_message(error));
    millrace_error_free(error);
    return 1;
  }
  bool ok = true;
  for (int i = first; i < argc; i++) {
    ok &= check_path(&job, argv[i], true);
  }
  millrace_context_release(job.context);
  printf("%zu of %zu files pass, %zu of %zu programs\n", job.files_passed, job.files, job.pieces_passed, job.pieces);
  return ok ? 0 : 1;
}
