// Memory that runs out while a small program is read and verified, at every allocation of every form: test_alloc.c has the whole
// way to results, and leaves more of it out.
#include <stdio.h>
#include <string.h>

#include "compiler/reader/reader.h"
#include "tests/alloc_loop.h"
#include "tests/cmocka.h"
#include "tests/compiler/text_forms.h"
#include "tests/file.h"

enum { LARGEST_FILE = 5000, WORK = 250000 };

typedef struct input {
  mr_span bytes;
  mr_status (*read)(mr_span bytes, mr_module **out_module);
} input;

static mr_status read_hlo(mr_span bytes, mr_module **out_module) { return mr_read_hlo(bytes, false, out_module); }

static mr_status read_and_verify(void *context) {
  const input *in = context;
  mr_module *module = NULL;
  mr_status status = in->read(in->bytes, &module);
  assert_true((status != MR_OK) == (module == NULL));
  if (!status) {
    status = mr_module_verify(module);
  }
  mr_module_release(module);
  return status;
}

// Some files are there because they are refused.
static void loop(const char *what, input *in) {
  mr_status status = read_and_verify(in);
  if (!status) {
    alloc_loop(what, read_and_verify, in, WORK);
  }
  mr_status_free(status);
}

typedef mr_status (*reader)(mr_span bytes, mr_module **out_module);

static void loop_file(void *context, const char *path, mr_span bytes) {
  loop(path, &(input){bytes, *(const reader *)context});
}

static size_t loop_files(const char *folder, const char *ending, reader read) {
  return file_each(folder, ending, LARGEST_FILE, loop_file, &read);
}

static void test_hlo(void **state) {
  (void)state;
  assert_true(loop_files("tests/compiler/hlo", ".pb", read_hlo) > 5);
  assert_true(loop_files("tests/compiler/hlo_only", ".pb", read_hlo) > 5);
  alloc_loops_ended_well();
}

static void test_bytecode(void **state) {
  (void)state;
  assert_true(loop_files("tests/compiler/reader_data", ".mlirbc", mr_read_bytecode) > 10);
  assert_true(loop_files("tests/programs", ".mlirbc", mr_read_bytecode) > 5);
  alloc_loops_ended_well();
}

static void test_text(void **state) {
  (void)state;
  for (size_t i = 0; i < MR_ARRAY_SIZE(text_forms); i++) {
    const char *bodies[] = {text_forms[i].pretty, text_forms[i].generic};
    for (int k = 0; k < 2; k++) {
      char text[4096];
      snprintf(text, sizeof text, "func.func @main(%s) {\n%s\nreturn\n}", text_forms[i].args, bodies[k]);
      loop(bodies[k], &(input){{text, strlen(text)}, mr_read_text});
    }
  }
  loop_files("tests/compiler/reader_data", ".mlir", mr_read_text);
  assert_true(loop_files("tests/compiler/mhlo", ".mlir", mr_read_text) > 5);
  alloc_loops_ended_well();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_hlo), cmocka_unit_test(test_bytecode),
                                     cmocka_unit_test(test_text)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
