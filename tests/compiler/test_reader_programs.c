// Both readers on every stored program: whole, printed and read again, cut short, and with bytes changed.
#include "tests/cmocka.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/reader/reader.h"
#include "tests/file.h"

#define MAX_PROGRAMS 512

static char folder[512];
static char *programs[MAX_PROGRAMS];  // names without ending, sorted
static size_t num_programs;

static mr_span load(const char *name, const char *ending) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
  return file_read(path);
}

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

// Programs lie in tests/programs, or where MILLRACE_TEST_DATA says.
static int find_programs(void **state) {
  (void)state;
  const char *data = getenv("MILLRACE_TEST_DATA");
  snprintf(folder, sizeof folder, "%s", data ? data : MR_SOURCE_DIR "/tests/programs");
  DIR *directory = opendir(folder);
  for (struct dirent *entry; directory && (entry = readdir(directory));) {
    size_t size = strlen(entry->d_name);
    if (size > 7 && strcmp(entry->d_name + size - 7, ".mlirbc") == 0 && num_programs < MAX_PROGRAMS) {
      programs[num_programs] = strdup(entry->d_name);
      programs[num_programs++][size - 7] = '\0';
    }
  }
  if (directory) {
    closedir(directory);
  }
  qsort(programs, num_programs, sizeof(char *), compare);
  return num_programs == 0;
}

static int forget_programs(void **state) {
  (void)state;
  for (size_t i = 0; i < num_programs; i++) {
    free(programs[i]);
  }
  return 0;
}

static mr_module *must_read(const char *name, const char *form, mr_span bytes) {
  mr_module *module;
  mr_status status = mr_read_program(bytes, &module);
  if (!status) {
    status = mr_module_verify(module);
  }
  if (status) {
    print_error("%s%s: %s\n", name, form, mr_status_message(status));
  }
  assert_null(status);
  return module;
}

static mr_text print_module(const mr_module *module) {
  mr_text text = {0};
  mr_module_print(module, &text);
  assert_false(text.failed);
  return text;
}

static void same_signature(const char *name, const mr_function *a, const mr_function *b) {
  bool same = a->body.num_args == b->body.num_args && a->num_results == b->num_results;
  for (uint32_t i = 0; same && i < a->body.num_args; i++) {
    same = mr_type_equal(&a->body.args[i]->type, &b->body.args[i]->type);
  }
  for (uint32_t i = 0; same && i < a->num_results; i++) {
    same = mr_type_equal(&a->result_types[i], &b->result_types[i]);
  }
  if (!same) {
    print_error("%s: the two forms have different signatures\n", name);
  }
  assert_true(same);
}

// A program's artifact and its text are read, are valid, and have the same entry point.
static void test_both_forms_of_every_program(void **state) {
  (void)state;
  for (size_t i = 0; i < num_programs; i++) {
    mr_span artifact = load(programs[i], ".mlirbc"), text = load(programs[i], ".mlir");
    mr_module *first = must_read(programs[i], ".mlirbc", artifact);
    if (text.data) {
      mr_module *second = must_read(programs[i], ".mlir", text);
      assert_non_null(mr_module_entry(first));
      same_signature(programs[i], mr_module_entry(first), mr_module_entry(second));
      mr_module_release(second);
    }
    mr_module_release(first);
    mr_free((void *)text.data);
    mr_free((void *)artifact.data);
  }
}

// What is printed of an artifact is read back as the same module.
static void test_printed_text_is_the_same_module(void **state) {
  (void)state;
  for (size_t i = 0; i < num_programs; i++) {
    mr_span artifact = load(programs[i], ".mlirbc");
    mr_module *first = must_read(programs[i], ".mlirbc", artifact);
    mr_text once = print_module(first);
    mr_module *second = must_read(programs[i], " printed", (mr_span){once.data, once.size});
    mr_text twice = print_module(second);
    assert_int_equal(once.size, twice.size);
    assert_memory_equal(once.data, twice.data, once.size);
    mr_text_deinit(&once);
    mr_text_deinit(&twice);
    mr_module_release(first);
    mr_module_release(second);
    mr_free((void *)artifact.data);
  }
}

// Reads bytes that may be anything; an exact copy, so that a sanitizer sees a byte too many.
static bool accepts(const void *data, size_t size, bool text) {
  uint8_t *exact = mr_alloc(size + (size == 0));
  memcpy(exact, data, size);
  mr_module *module;
  mr_span bytes = {exact, size};
  mr_status status = text ? mr_read_text(bytes, &module) : mr_read_bytecode(bytes, &module);
  if (!status) {
    status = mr_module_verify(module);
  } else {
    assert_null(module);
    assert_int_not_equal(strlen(mr_status_message(status)), 0);
  }
  bool accepted = status == MR_OK;
  mr_status_free(status);
  mr_module_release(module);
  mr_free(exact);
  return accepted;
}

static uint64_t next_random(uint64_t *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return *seed;
}

// No cut of an artifact is a program, and no cut of a text crashes.
static void test_cut_programs(void **state) {
  (void)state;
  uint64_t seed = 0x9E3779B97F4A7C15;
  for (size_t i = 0; i < num_programs; i++) {
    mr_span artifact = load(programs[i], ".mlirbc"), text = load(programs[i], ".mlir");
    for (int k = 0; k < 24; k++) {
      assert_false(accepts(artifact.data, next_random(&seed) % artifact.size, false));
      if (text.data) {
        accepts(text.data, next_random(&seed) % text.size, true);
      }
    }
    mr_free((void *)artifact.data);
    mr_free((void *)text.data);
  }
}

static void change_bytes(mr_span bytes, bool text, uint64_t *seed) {
  static const char characters[] = "(){}[]<>:,#@%!\"-0123456789xetfi. \n";
  uint8_t *copy = mr_alloc(bytes.size);
  for (int k = 0; k < 16; k++) {
    memcpy(copy, bytes.data, bytes.size);
    for (uint64_t changes = 1 + next_random(seed) % 3; changes; changes--) {
      uint64_t random = next_random(seed);
      copy[random % bytes.size] =
          text ? (uint8_t)characters[(random >> 40) % (sizeof characters - 1)] : (uint8_t)(random >> 40);
    }
    accepts(copy, bytes.size, text);
  }
  mr_free(copy);
}

// Changed bytes give a module that can be verified, or a status; never a crash.
static void test_changed_programs(void **state) {
  (void)state;
  uint64_t seed = 0xD1B54A32D192ED03;
  for (size_t i = 0; i < num_programs; i++) {
    mr_span artifact = load(programs[i], ".mlirbc"), text = load(programs[i], ".mlir");
    change_bytes(artifact, false, &seed);
    if (text.data) {
      change_bytes(text, true, &seed);
    }
    mr_free((void *)artifact.data);
    mr_free((void *)text.data);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_both_forms_of_every_program),
      cmocka_unit_test(test_printed_text_is_the_same_module),
      cmocka_unit_test(test_cut_programs),
      cmocka_unit_test(test_changed_programs),
  };
  return cmocka_run_group_tests(tests, find_programs, forget_programs);
}
