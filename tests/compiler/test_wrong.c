// Programs that are wrong in one thing, and what the message says of it (tests/compiler/wrong). A paragraph is one program: the
// words of the message after `//`, with another code than INVALID_ARGUMENT before them if there is one; then the arguments of
// @main, and what is in it; or the module as it stands. Those of partitioned.txt are for eight devices.
//
//     // UNIMPLEMENTED stablehlo.infeed
//     %t: !stablehlo.token
//     %r = "stablehlo.infeed"(%t) : (!stablehlo.token) -> !stablehlo.token
#include "tests/compiler/execute_harness.h"
#include "tests/file.h"

enum { LARGEST_PROGRAM = 8192 };

static int failures, programs;

static const char *line_end(const char *text, const char *end) {
  const char *newline = memchr(text, '\n', (size_t)(end - text));
  return newline ? newline : end;
}

static bool starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

// "UNIMPLEMENTED words": the code, and the words.
static mr_code split_code(const char **words) {
  for (int code = MR_OK_CODE + 1; code <= MR_UNAUTHENTICATED; code++) {
    size_t size = strlen(mr_status_code_name((mr_code)code));
    if (starts(*words, mr_status_code_name((mr_code)code)) && (*words)[size] == ' ') {
      *words += size + 1;
      return (mr_code)code;
    }
  }
  return MR_INVALID_ARGUMENT;
}

static void expect_refusal(const char *path, const char *words, const char *program) {
  static const mr_compile_options for_eight = {.num_partitions = 8};
  mr_executable *executable = NULL;
  const mr_compile_options *options = strstr(path, "partitioned") ? &for_eight : NULL;
  mr_status status = mr_compile((mr_span){program, strlen(program)}, options, &executable);
  mr_code code = split_code(&words);
  if (mr_status_code(status) != code || !strstr(mr_status_message(status), words)) {
    print_error("%s: wanted %s: %s\n  answered %s: %s\n%s\n", path, mr_status_code_name(code), words,
                mr_status_code_name(mr_status_code(status)), mr_status_message(status), program);
    failures++;
  }
  programs++;
  mr_status_free(status);
  mr_executable_release(executable);
}

// One paragraph; ends before the blank line.
static void check_paragraph(const char *path, const char *text, const char *end) {
  char words[512], program[LARGEST_PROGRAM];
  assert_true(starts(text, "// "));
  const char *line = line_end(text, end), *second = line < end ? line_end(line + 1, end) : end;
  snprintf(words, sizeof words, "%.*s", (int)(line - text - 3), text + 3);
  const char *first = line < end ? line + 1 : end;
  int written = starts(first, "%") || first == second
                    ? snprintf(program, sizeof program, "func.func @main(%.*s) {%.*s\nreturn\n}\n",
                               (int)(second - first), first, (int)(end - second), second)
                    : snprintf(program, sizeof program, "%.*s\n", (int)(end - first), first);
  assert_in_range(written, 1, sizeof program - 1);
  expect_refusal(path, words, program);
}

static void check_file(void *context, const char *path, mr_span file) {
  (void)context;
  const char *text = file.data, *end = text + file.size;
  while (text < end) {
    const char *blank = memmem(text, (size_t)(end - text), "\n\n", 2);
    check_paragraph(path, text, blank ? blank : end - (end[-1] == '\n'));
    text = blank ? blank + 2 : end;
  }
}

static void test_each_says_what_is_wrong(void **state) {
  (void)state;
  file_each("tests/compiler/wrong", ".txt", SIZE_MAX, check_file, NULL);
  assert_true(programs > 100);
  assert_int_equal(failures, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_says_what_is_wrong)};
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
