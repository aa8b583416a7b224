// What propagation says of parameters and results, held against what XLA:CPU says of the same programs
// (tests/shard/make_programs.py). With files named it prints what it says, and which lines differ, instead.
#include "compiler/shard/export.h"
#include "compiler/shard/propagate.h"
#include "tests/compiler/pass_text.h"
#include "tests/file.h"

// Dimensions alone: [{"x"}, {}]. What has no sharding is not cut.
static void put_dims(const mr_sharding *sharding, uint32_t rank, mr_text *text) {
  mr_text_put(text, "[");
  for (uint32_t i = 0; i < rank; i++) {
    mr_text_put(text, i ? ", {" : "{");
    for (uint32_t k = 0; sharding && k < sharding->dims[i].axes.count; k++) {
      mr_axis_ref ref = sharding->dims[i].axes.refs[k];
      const mr_axis *axis = &sharding->mesh->axes[ref.axis];
      mr_text_put(text, k ? ", \"%.*s\"" : "\"%.*s\"", MR_STR_ARG(axis->name));
      if (ref.size != axis->size) {
        mr_text_put(text, ":(%lld)%lld", (long long)ref.pre, (long long)ref.size);
      }
    }
    mr_text_put(text, "}");
  }
  mr_text_put(text, "]\n");
}

static mr_status say(mr_module *module, mr_text *text) {
  mr_import *import;
  MR_TRY(mr_module_verify(module));
  MR_TRY(mr_import_run(module, module->num_partitions > 1 ? module->num_partitions : 8, &import));
  MR_TRY(mr_propagate(import));
  MR_TRY(mr_export_run(import));
  MR_TRY(mr_module_verify(module));
  const mr_function *f = import->function;
  for (uint32_t i = 0; i < f->body.num_args; i++) {
    mr_text_put(text, "// parameter ");
    put_dims(f->body.args[i]->sharding, f->body.args[i]->type.rank, text);
  }
  for (uint32_t i = 0; i < f->num_results; i++) {
    mr_text_put(text, "// result ");
    put_dims(import->results[i], f->result_types[i].rank, text);
  }
  return MR_OK;
}

// Compares line by line; `?` stands for anything.
static size_t differences(const char *wanted, const char *found) {
  size_t count = 0;
  while (*found) {
    size_t size = strcspn(wanted, "\n"), had = strcspn(found, "\n");
    bool open = size && wanted[size - 1] == '?';
    count += !open && (size != had || memcmp(wanted, found, size) != 0);
    found += had + 1;
    wanted += size + (wanted[size] == '\n');
  }
  return count;
}

static size_t hold(const char *path, mr_span file, bool print) {
  mr_module *module = NULL;
  mr_text text = {0};
  mr_status status = mr_read_text(file, &module);
  status = status ? status : say(module, &text);
  mr_text_append(&text, (mr_str){"", 1});
  assert_false(text.failed);
  char *wanted = strndup(file.data, file.size);
  size_t wrong = status ? 1 : differences(wanted, text.data);
  if (wrong || print) {
    print_message("%s: %s\n%s\n", path, wrong ? "differs" : "as wanted",
                  status ? mr_status_message(status) : text.data);
  }
  mr_status_free(status);
  mr_text_deinit(&text);
  mr_module_release(module);
  free(wanted);
  return wrong;
}

static void visit(void *context, const char *path, mr_span file) {
  size_t *wrong = context;
  *wrong += hold(path, file, false) != 0;
}

// All programs of the folder have the shardings that their first lines name.
static void test_programs(void **state) {
  (void)state;
  size_t wrong = 0, count = file_each("tests/shard/programs", ".mlir", SIZE_MAX, visit, &wrong);
  assert_in_range(count, 20, 1000);
  assert_int_equal(wrong, 0);
}

int main(int argc, char **argv) {
  size_t wrong = 0;
  for (int i = 1; i < argc; i++) {
    mr_span file = file_read(argv[i]);
    wrong += hold(argv[i], file, argc == 2) != 0;
    mr_free((void *)file.data);
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};
  if (argc > 1) {
    print_message("%zu of %d differ\n", wrong, argc - 1);
  }
  return argc > 1 ? wrong != 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
