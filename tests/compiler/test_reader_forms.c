// Artifacts of old versions, and the ways in which MLIR can print one module (tests/compiler/reader_data).
#include "tests/cmocka.h"

#include <stdio.h>
#include <string.h>

#include "compiler/reader/reader.h"
#include "tests/file.h"

static mr_module *read_file(const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/tests/compiler/reader_data/%s", MR_SOURCE_DIR, name);
  mr_span file = file_read(path);
  if (!file.data) {
    fail_msg("%s is missing", path);
  }
  mr_module *module;
  mr_status status = mr_read_program(file, &module);
  if (!status) {
    status = mr_module_verify(module);
  }
  if (status) {
    print_error("%s: %s\n", name, mr_status_message(status));
  }
  assert_null(status);
  mr_free((void *)file.data);
  return module;
}

static void assert_same(const char *first, const char *second) {
  mr_module *a = read_file(first), *b = read_file(second);
  mr_text x = {0}, y = {0};
  mr_module_print(a, &x);
  mr_module_print(b, &y);
  if (x.size != y.size || memcmp(x.data, y.data, x.size) != 0) {
    print_error("%s and %s are different modules:\n%.*s\n%.*s\n", first, second, (int)x.size, x.data, (int)y.size,
                y.data);
    fail();
  }
  mr_text_deinit(&x);
  mr_text_deinit(&y);
  mr_module_release(a);
  mr_module_release(b);
}

static const char *const names[] = {"multi_function", "scatter_variants", "shard_map_collectives", "while_capture"};

// Generic form, locations and inlined aliases make no difference.
static void test_printed_forms_are_one_module(void **state) {
  (void)state;
  static const char *const forms[] = {"genericloc", "loc", "localscope"};
  for (size_t i = 0; i < MR_ARRAY_SIZE(names); i++) {
    for (size_t k = 0; k < MR_ARRAY_SIZE(forms); k++) {
      char first[64], second[64];
      snprintf(first, sizeof first, "%s.generic.mlir", names[i]);
      snprintf(second, sizeof second, "%s.%s.mlir", names[i], forms[k]);
      assert_same(first, second);
    }
  }
}

static size_t count_ops(const mr_function *function) {
  size_t count = 0;
  for (mr_op *op = mr_walk_first(&function->body); op; op = mr_walk_next(op, &function->body)) {
    count++;
  }
  return count;
}

// Every version from 0.9.0 on, bytecode versions 0 to 6, holds the same program.
static void test_old_versions(void **state) {
  (void)state;
  static const char *const programs[] = {"mlp_fwd", "scatter_variants", "shard_map_collectives", "while_capture"};
  static const char *const versions[] = {"0.9.0", "0.10.0", "0.12.0", "0.14.0", "0.16.0", "1.0.0", "1.5.0", "1.9.0"};
  for (size_t i = 0; i < MR_ARRAY_SIZE(programs); i++) {
    char name[64];
    snprintf(name, sizeof name, "%s.v1.13.0.mlirbc", programs[i]);
    mr_module *newest = read_file(name);
    const mr_function *wanted = mr_module_entry(newest);
    for (size_t k = 0; k < MR_ARRAY_SIZE(versions); k++) {
      snprintf(name, sizeof name, "%s.v%s.mlirbc", programs[i], versions[k]);
      mr_module *module = read_file(name);
      const mr_function *entry = mr_module_entry(module);
      assert_int_equal(entry->body.num_args, wanted->body.num_args);
      assert_int_equal(entry->num_results, wanted->num_results);
      for (uint32_t r = 0; r < entry->num_results; r++) {
        assert_true(mr_type_equal(&entry->result_types[r], &wanted->result_types[r]));
      }
      assert_int_equal(count_ops(entry), count_ops(wanted));
      mr_module_release(module);
    }
    mr_module_release(newest);
  }
}

// Constants kept as resources, and every form of sharding, are the same in both forms.
static void test_resources_and_shardings(void **state) {
  (void)state;
  assert_same("dense_resource.mlir", "dense_resource.mlirbc");
  assert_same("sdy_forms.mlir", "sdy_forms.mlirbc");
}

// Quantised elements, tuples, tokens, bounds, and attributes that hold types, lists and numbers of every kind.
static void test_types_and_attributes(void **state) {
  (void)state;
  assert_same("quantised_forms.mlir", "quantised_forms.mlirbc");
  assert_same("type_forms.mlir", "type_forms.mlirbc");
}

static void assert_refused(const char *name, const char *words) {
  char path[512];
  snprintf(path, sizeof path, "%s/tests/compiler/reader_data/%s", MR_SOURCE_DIR, name);
  mr_span bytes = file_read(path);
  mr_module *module = NULL;
  mr_status status = mr_read_bytecode(bytes, &module);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  assert_non_null(strstr(mr_status_message(status), words));
  assert_null(module);
  mr_status_free(status);
  mr_free((void *)(uintptr_t)bytes.data);
}

// A few hundred bytes may not stand for more than memory has: a pair of pairs of pairs, 17 deep.
static void test_what_expands_is_refused(void **state) {
  (void)state;
  assert_refused("deep_type.mlirbc", "type expands to more than");
  assert_refused("deep_attribute.mlirbc", "attribute expands to more than");
}

// StableHLO in its own encodings, as a host's partitioner writes it, is what its text says.
static void test_without_vhlo(void **state) {
  (void)state;
  assert_same("native_forms.mlir", "native_forms.mlirbc");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_printed_forms_are_one_module), cmocka_unit_test(test_old_versions),
      cmocka_unit_test(test_resources_and_shardings),      cmocka_unit_test(test_types_and_attributes),
      cmocka_unit_test(test_what_expands_is_refused),      cmocka_unit_test(test_without_vhlo),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
