// Artifacts with one byte wrong, at every byte of small ones of every version, and cut: a status that blames the artifact and
// says where, or another module that is right.
#include <string.h>

#include "compiler/reader/reader.h"
#include "tests/cmocka.h"
#include "tests/file.h"

enum { LARGEST_FILE = 2500, SMALL_FILE = 800, MOST_LESS = 24 };

static uint64_t damaged, refused;

static void look(const char *path, size_t at, mr_span bytes) {
  mr_module *module = NULL;
  mr_status status = mr_read_bytecode(bytes, &module);
  assert_true((status != MR_OK) == (module == NULL));
  if (!status) {
    status = mr_module_verify(module);
  }
  const char *message = mr_status_message(status);
  mr_code code = mr_status_code(status);
  if (status && ((code != MR_INVALID_ARGUMENT && code != MR_UNIMPLEMENTED) ||
                 (!strstr(message, "bytecode") && !strstr(message, "VHLO") && !strchr(message, '@')))) {
    fail_msg("%s damaged at %zu: %s: %s", path, at, mr_status_code_name(code), message);
  }
  damaged++;
  refused += status != MR_OK;
  mr_status_free(status);
  mr_module_release(module);
}

// Of what is twice its value, also lengths and the sizes of entries: all that is less, so that each entry ends at each of its bytes.
static void lessen(const char *path, uint8_t *copy, size_t size, size_t at) {
  const uint8_t was = copy[at];
  for (uint8_t less = 4; less <= MOST_LESS && less <= was; less += 2) {
    copy[at] = (uint8_t)(was - less);
    look(path, at, (mr_span){copy, size});
  }
  copy[at] = was;
}

// Numbers are twice their value and one: a step of two gives the next value, type, attribute, string or op.
static void damage(void *context, const char *path, mr_span bytes) {
  (void)context;
  if (strstr(path, "/deep_")) {
    return;  // which expand to more than is to be read so often
  }
  uint8_t *copy = mr_alloc(bytes.size);
  memcpy(copy, bytes.data, bytes.size);
  for (size_t at = 0; at < bytes.size; at++) {
    const uint8_t was = copy[at], others[] = {(uint8_t)(was + 2), (uint8_t)(was - 2), 0x01, 0xff, 0x00, 0x4b};
    copy[at] = others[at % 2];
    look(path, at, (mr_span){copy, bytes.size});
    copy[at] = others[2 + at % 4];
    look(path, at, (mr_span){copy, bytes.size});
    copy[at] = was;
    if (bytes.size < SMALL_FILE || strstr(path, "_forms")) {
      lessen(path, copy, bytes.size, at);
    }
    if (at % 8 == 0) {
      look(path, at, (mr_span){copy, at});
    }
  }
  mr_free(copy);
}

static void test_each_byte(void **state) {
  (void)state;
  file_each("tests/compiler/reader_data", ".mlirbc", LARGEST_FILE, damage, NULL);
  file_each("tests/programs", ".mlirbc", LARGEST_FILE, damage, NULL);
  assert_true(damaged > 50000);
  assert_true(refused > damaged / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_byte)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
