// Shared memory that clients registered: names, sizes, clients that shrink their objects, regions in use.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/service/regions.h"
#include "tests/serve/check.h"

enum { SIZE = 4096 };
static char key[40];
static unsigned char *memory;
static int descriptor;

static int begin(void **state) {
  (void)state;
  snprintf(key, sizeof key, "/sv_test_%d", (int)getpid());
  descriptor = shm_open(key, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  assert_true(descriptor >= 0);
  assert_int_equal(ftruncate(descriptor, SIZE), 0);
  memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  assert_true(memory != MAP_FAILED);
  for (int i = 0; i < SIZE; i++) {
    memory[i] = (unsigned char)(i * 7);
  }
  return 0;
}

static int end(void **state) {
  (void)state;
  munmap(memory, SIZE);
  close(descriptor);
  return shm_unlink(key);
}

static sv_error *add(sv_regions *regions, const char *name, uint64_t offset, uint64_t size) {
  return sv_regions_register(regions, sv_str_of(name), sv_str_of(key), offset, size);
}

// What the client wrote is read, and what is written it sees, at the region's offset.
static void test_read_write(void **state) {
  (void)state;
  sv_regions *regions = sv_regions_create();
  check_ok(add(regions, "r", 100, 1000));
  sv_region *region;
  check_ok(sv_regions_find(regions, SV_STR("r"), 10, 990, &region));
  unsigned char got[990];
  check_ok(sv_region_read(region, 10, got, sizeof got));
  assert_memory_equal(got, memory + 110, sizeof got);
  check_ok(sv_region_write(region, 998, "ab", 2));
  assert_memory_equal(memory + 1098, "ab", 2);
  check_fails(sv_region_write(region, 999, "ab", 2), MILLRACE_INVALID_ARGUMENT, "has 1000 bytes");
  check_fails(sv_region_read(region, UINT64_MAX, got, 2), MILLRACE_INVALID_ARGUMENT, "has 1000 bytes");
  sv_region_release(region);
  sv_regions_release(regions);
}

static void test_registering(void **state) {
  (void)state;
  sv_regions *regions = sv_regions_create();
  check_ok(add(regions, "r", 0, SIZE));
  check_fails(add(regions, "r", 0, 1), MILLRACE_ALREADY_EXISTS, "'r'");
  check_fails(add(regions, "s", 1, SIZE), MILLRACE_INVALID_ARGUMENT, "has 4096 bytes");
  check_fails(add(regions, "s", UINT64_MAX, 2), MILLRACE_INVALID_ARGUMENT, "has 4096 bytes");
  check_fails(add(regions, "s", 0, 0), MILLRACE_INVALID_ARGUMENT, "byte_size is 0");
  check_fails(add(regions, "", 0, 1), MILLRACE_INVALID_ARGUMENT, "name");
  check_fails(sv_regions_register(regions, SV_STR("s"), SV_STR("/sv_nobody_made_this"), 0, 1), MILLRACE_NOT_FOUND,
              "/sv_nobody_made_this");
  const char *const keys[] = {"", "/", "x", "/a/b", "//a", "/..", "/.", "/../etc/passwd", "../x"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    check_fails(sv_regions_register(regions, SV_STR("s"), sv_str_of(keys[i]), 0, 1), MILLRACE_INVALID_ARGUMENT, "key");
  }
  check_fails(sv_regions_register(regions, SV_STR("s"), (sv_str){"/a\0b", 4}, 0, 1), MILLRACE_INVALID_ARGUMENT, "key");
  sv_regions_release(regions);
}

// In order of names; of one; copies.
static void test_list(void **state) {
  (void)state;
  sv_regions *regions = sv_regions_create();
  check_ok(add(regions, "b", 1, 2));
  check_ok(add(regions, "a", 3, 4));
  check_ok(add(regions, "ab", 5, 6));
  sv_region_entry *entries;
  size_t count;
  check_ok(sv_regions_list(regions, (sv_str){0}, &entries, &count));
  assert_int_equal(count, 3);
  assert_string_equal(entries[0].name, "a");
  assert_string_equal(entries[1].name, "ab");
  assert_string_equal(entries[2].name, "b");
  assert_string_equal(entries[2].key, key);
  assert_int_equal(entries[0].offset, 3);
  assert_int_equal(entries[1].byte_size, 6);
  sv_region_entries_free(entries, count);
  check_ok(sv_regions_list(regions, SV_STR("b"), &entries, &count));
  assert_int_equal(count, 1);
  assert_int_equal(entries[0].offset, 1);
  sv_region_entries_free(entries, count);
  check_fails(sv_regions_list(regions, SV_STR("c"), &entries, &count), MILLRACE_NOT_FOUND, "'c'");
  sv_regions_unregister(regions, SV_STR("c"));
  sv_regions_unregister(regions, SV_STR("ab"));
  check_ok(sv_regions_list(regions, (sv_str){0}, &entries, &count));
  assert_int_equal(count, 2);
  sv_region_entries_free(entries, count);
  sv_regions_unregister(regions, (sv_str){0});
  check_ok(sv_regions_list(regions, (sv_str){0}, &entries, &count));
  assert_int_equal(count, 0);
  sv_region_entries_free(entries, count);
  sv_regions_release(regions);
}

// A region that is unregistered stays for who uses it, and its name is free.
static void test_in_use(void **state) {
  (void)state;
  sv_regions *regions = sv_regions_create();
  check_ok(add(regions, "r", 0, 16));
  sv_region *region, *none;
  check_ok(sv_regions_find(regions, SV_STR("r"), 0, 16, &region));
  sv_regions_unregister(regions, SV_STR("r"));
  check_fails(sv_regions_find(regions, SV_STR("r"), 0, 16, &none), MILLRACE_NOT_FOUND, "'r'");
  assert_null(none);
  check_ok(add(regions, "r", 16, 16));
  check_fails(sv_regions_find(regions, SV_STR("r"), 1, 16, &none), MILLRACE_INVALID_ARGUMENT, "has 16 bytes");
  check_fails(sv_regions_find(regions, SV_STR("r"), 2, UINT64_MAX, &none), MILLRACE_INVALID_ARGUMENT, "has 16 bytes");
  unsigned char got[16];
  check_ok(sv_region_read(region, 0, got, 16));
  assert_memory_equal(got, memory, 16);
  sv_regions_release(regions);
  check_ok(sv_region_write(region, 0, "x", 1));
  assert_int_equal(memory[0], 'x');
  sv_region_release(region);
}

// A client that makes its object smaller gets an error, and its object is not made larger again.
static void test_shrinking(void **state) {
  (void)state;
  sv_regions *regions = sv_regions_create();
  check_ok(add(regions, "r", 0, SIZE));
  sv_region *region;
  check_ok(sv_regions_find(regions, SV_STR("r"), 0, SIZE, &region));
  assert_int_equal(ftruncate(descriptor, 10), 0);
  unsigned char got[SIZE];
  check_fails(sv_region_read(region, 0, got, SIZE), MILLRACE_INVALID_ARGUMENT, "smaller");
  check_fails(sv_region_write(region, 0, got, SIZE), MILLRACE_INVALID_ARGUMENT, "smaller");
  check_ok(sv_region_read(region, 0, got, 10));
  struct stat found;
  assert_int_equal(fstat(descriptor, &found), 0);
  assert_int_equal(found.st_size, 10);
  sv_region_release(region);
  sv_regions_release(regions);
}

// There is an end to how many a client can register.
static void test_many(void **state) {
  (void)state;
  sv_regions *regions = sv_regions_create();
  sv_error *error = NULL;
  int made = 0;
  for (; !error && made < 5000; made++) {
    char name[20];
    snprintf(name, sizeof name, "r%d", made);
    error = add(regions, name, 0, 1);
  }
  assert_true(made > 100);
  check_fails(error, MILLRACE_RESOURCE_EXHAUSTED, "");
  sv_regions_release(regions);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_read_write, begin, end),
      cmocka_unit_test_setup_teardown(test_registering, begin, end),
      cmocka_unit_test_setup_teardown(test_list, begin, end),
      cmocka_unit_test_setup_teardown(test_in_use, begin, end),
      cmocka_unit_test_setup_teardown(test_shrinking, begin, end),
      cmocka_unit_test_setup_teardown(test_many, begin, end),
  };
  return check_run(tests);
}
