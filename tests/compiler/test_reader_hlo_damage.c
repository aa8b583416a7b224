// HloModuleProto with one field wrong, at every field of small modules: a status that blames the module and names the
// instruction or computation, or another module that is right.
#include <string.h>

#include "compiler/reader/reader.h"
#include "tests/cmocka.h"
#include "tests/file.h"
#include "tests/wire.h"

enum { LARGEST_FILE = 3000 };

static uint64_t damaged, refused;

static void look(void *context, mr_span bytes) {
  const char *path = context;
  mr_module *module = NULL;
  mr_status status = mr_read_hlo(bytes, false, &module);
  assert_true((status != MR_OK) == (module == NULL));
  if (!status) {
    status = mr_module_verify(module);
  }
  mr_code code = mr_status_code(status);
  if (status && code != MR_INVALID_ARGUMENT && code != MR_UNIMPLEMENTED) {
    fail_msg("%s: %s: %s", path, mr_status_code_name(code), mr_status_message(status));
  }
  const char *message = mr_status_message(status);
  if (status && !strstr(message, "HLO") && !strstr(message, "are not a Hlo") && strncmp(message, "in @", 4) != 0) {
    fail_msg("%s: \"%s\" does not say where", path, message);
  }
  damaged++;
  refused += status != MR_OK;
  mr_status_free(status);
  mr_module_release(module);
}

static void damage(void *context, const char *path, mr_span bytes) {
  (void)context;
  wire_damage(bytes, look, (void *)(uintptr_t)path);
}

static void test_each_field(void **state) {
  (void)state;
  file_each("tests/compiler/hlo", ".pb", LARGEST_FILE, damage, NULL);
  file_each("tests/compiler/hlo_only", ".pb", LARGEST_FILE, damage, NULL);
  assert_true(damaged > 50000);
  assert_true(refused > damaged / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_field)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
