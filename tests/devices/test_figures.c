// What a device is known to do: names, limits, and what follows for sizes.
#include <math.h>
#include <string.h>

#include "devices/devices.h"
#include "tests/cmocka.h"

typedef struct seen {
  size_t count;
  char names[64][48];
} seen;

static void note(void *context, const char *name, double value, const char *words) {
  seen *s = context;
  assert_in_range(s->count, 0, MR_ARRAY_SIZE(s->names) - 1);
  assert_true(strlen(name) < sizeof s->names[0] && *words && value >= 0);
  for (size_t i = 0; i < s->count; i++) {
    assert_string_not_equal(s->names[i], name);
  }
  strcpy(s->names[s->count++], name);
}

// Each figure has a name of its own, by which it can be set to what it may be and to nothing else.
static void test_names(void **state) {
  (void)state;
  seen s = {0};
  mr_figures_each(&mr_figures_default, note, &s);
  // All of the struct but its origin, each once.
  assert_int_equal(s.count, MR_FIGURES_COUNT);
  for (size_t i = 0; i < s.count; i++) {
    mr_figures figures = mr_figures_default;
    assert_false(mr_figures_set(&figures, mr_str_of(s.names[i]), -1));
    assert_false(mr_figures_set(&figures, mr_str_of(s.names[i]), NAN));
    assert_memory_equal(&figures, &mr_figures_default, offsetof(mr_figures, origin));
    double *value = (double *)&figures + i, wanted = *value + 1;
    assert_true(mr_figures_set(&figures, mr_str_of(s.names[i]), wanted));
    assert_true(*value == wanted);
  }
  mr_figures figures = mr_figures_default;
  assert_false(mr_figures_set(&figures, MR_STR("cache5_bytes"), 1));
  assert_true(mr_figures_plausible(&figures));
  figures.caches[1].bytes = 1024;  // less than the first level
  assert_false(mr_figures_plausible(&figures));
}

// A block is read at the pace of the smallest level that holds it, and of the outermost one a unit counts on a part.
static void test_levels(void **state) {
  (void)state;
  mr_figures f = mr_figures_default;
  f.caches[2] = (mr_cache_figures){.bytes = 32 << 20, .units = 8, .read_bytes_per_ns = 40, .write_bytes_per_ns = 30};
  assert_true(mr_figures_read_rate(&f, 1000) == f.caches[0].read_bytes_per_ns);
  assert_true(mr_figures_write_rate(&f, 1 << 20) == f.caches[1].write_bytes_per_ns);
  assert_true(mr_figures_read_rate(&f, 32 << 20) == 40);
  assert_true(mr_figures_read_rate(&f, 33 << 20) == f.memory_read_bytes_per_ns);
  assert_true(mr_figures_cache_share(&f) == 32 << 20);
  f.caches[2].bytes = 260 << 20;
  f.caches[2].units = 2;
  assert_true(mr_figures_cache_share(&f) == 32 << 20);
  assert_true(mr_figures_write_rate(&f, 64 << 20) == f.memory_write_bytes_per_ns);
  memset(f.caches, 0, sizeof f.caches);
  assert_true(mr_figures_cache_share(&f) == 0);
  assert_true(mr_figures_read_rate(&f, 1) == f.memory_read_bytes_per_ns);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_levels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
