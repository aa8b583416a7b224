// Walks the function table of the built plugin as a host sees it.
#include <string.h>

#include "pjrt/ext/extensions.h"
#include "tests/cmocka.h"
#include "tests/pjrt_walk/host.h"

typedef PJRT_Error *(*slot_function)(void *args);

typedef struct slot {
  const char *name;
  size_t args_size;
  bool returns_error;
} slot;

static const slot slots[PJRT_API_SLOTS] = {
#define VOID_SLOT(index, name, since) [index] = {#name, sizeof(PJRT_##name##_Args), false},
#define SLOT(index, name, since) [index] = {#name, sizeof(PJRT_##name##_Args), true},
#include "pjrt/abi/api.def"
};

static slot_function slot_at(int index) {
  slot_function function;
  memcpy(&function, (const char *)host_api() + 40 + 8 * index, sizeof function);
  return function;
}

// The head of the table is that of version 0.112, and every slot is callable.
static void test_table_is_complete(void **state) {
  (void)state;
  const PJRT_Api *api = host_api();
  assert_ptr_equal(api, host_api());
  assert_int_equal(api->struct_size, 1144);
  assert_int_equal(api->pjrt_api_version.struct_size, 24);
  assert_int_equal(api->pjrt_api_version.major_version, 0);
  assert_int_equal(api->pjrt_api_version.minor_version, 112);
  for (int i = 0; i < PJRT_API_SLOTS; i++) {
    assert_non_null(slot_at(i));
  }
}

// A host of a later version that copies more slots than there are finds zeros.
static void test_bytes_after_the_table_are_zero(void **state) {
  (void)state;
  for (int i = PJRT_API_SLOTS; i < PJRT_API_SLOTS + 32; i++) {
    assert_null(slot_at(i));
  }
}

// The walk calls every slot through one type, which the sanitizer of functions would report.
#define CALLS_BY_ONE_TYPE __attribute__((no_sanitize("undefined")))

// Arguments that end too early are refused without being read or written.
CALLS_BY_ONE_TYPE static void test_short_arguments_are_refused(void **state) {
  (void)state;
  for (int i = 0; i < PJRT_API_SLOTS; i++) {
    if (!slots[i].returns_error) {
      continue;
    }
    char args[512], before[512];
    memset(args, 0xA5, sizeof args);
    memset(args, 0, sizeof(size_t));
    memcpy(before, args, sizeof args);
    const char *message;
    if (host_take_error(slot_at(i)(args), &message) != PJRT_Error_Code_INVALID_ARGUMENT) {
      fail_msg("%s: %s", slots[i].name, message);
    }
    assert_non_null(strstr(message, slots[i].name));
    assert_non_null(strstr(message, "struct_size is 0, wanted at least"));
    assert_memory_equal(args, before, sizeof args);
  }
}

// An error carries its own function table, through which a host without the api pointer reads and frees it.
static void test_errors_carry_their_table(void **state) {
  (void)state;
  char args[512] = {0};
  PJRT_Error *error = host_api()->PJRT_Error_GetCode((PJRT_Error_GetCode_Args *)args);
  assert_non_null(error);
  assert_non_null(error->vtable);
  const char *message = NULL;
  size_t size = 0;
  error->vtable->message(error, &message, &size);
  assert_int_equal(size, strlen(message));
  assert_int_equal(error->vtable->get_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
  error->vtable->destroy(error);
}

// The chain of extensions ends, and lists each type once.
static void test_extension_chain_ends(void **state) {
  (void)state;
  unsigned seen = 0;
  const PJRT_Extension_Base *ext = host_api()->extension_start;
  for (int i = 0; ext; ext = ext->next, i++) {
    assert_in_range(i, 0, 31);
    assert_true(ext->struct_size > sizeof *ext);
    if ((uint32_t)ext->type == MR_PJRT_ENDING_TYPE) {
      assert_int_equal((uint32_t)ext->next->type, MR_PJRT_CENSUS_TYPE);
      continue;
    }
    if ((uint32_t)ext->type == MR_PJRT_CENSUS_TYPE) {
      assert_null(ext->next);
      continue;
    }
    assert_in_range(ext->type, 0, 31);
    assert_int_equal(seen >> ext->type & 1, 0);
    seen |= 1u << ext->type;
  }
}

int main(int argc, char **argv) {
  host_set_library(argc > 1 ? argv[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table_is_complete),           cmocka_unit_test(test_bytes_after_the_table_are_zero),
      cmocka_unit_test(test_short_arguments_are_refused), cmocka_unit_test(test_errors_carry_their_table),
      cmocka_unit_test(test_extension_chain_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
