// compiler/codegen/disk_cache.c: how large the folder becomes, and what it costs to know.
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/codegen/codegen.h"
#include "compiler/codegen/disk_cache.h"
#include "compiler/codegen/tuning.h"
#include "tests/cmocka.h"
#include "tests/compiler/in_child.h"
#include "tests/compiler/kernel_folder.h"

// Kernels in the folder, and their bytes.
static int look_through(size_t *out_bytes) {
  DIR *d = open_kernels();
  int count = 0;
  *out_bytes = 0;
  for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
    struct stat info;
    bool is_kernel = strstr(e->d_name, ".mrk") && fstatat(dirfd(d), e->d_name, &info, 0) == 0;
    count += is_kernel;
    *out_bytes += is_kernel ? (size_t)info.st_size : 0;
  }
  if (d) {
    closedir(d);
  }
  return count;
}

static int count_files(void) {
  size_t bytes;
  return look_through(&bytes);
}

static size_t folder_bytes(void) {
  size_t bytes;
  look_through(&bytes);
  return bytes;
}

// Trimming removes the oldest files and leaves at most three quarters of the limit.
static void test_size_bound(void **state) {
  (void)state;
  static char big[100000];
  for (uint64_t k = 1; k <= 20; k++) {
    mr_disk_cache_store((mr_hash128){k, k}, (mr_span){big, sizeof big});
    char path[300];
    snprintf(path, sizeof path, "%s/v%d/%016llx%016llx.mrk", folder, MR_CODEGEN_VERSION, (unsigned long long)k,
             (unsigned long long)k);
    struct timespec times[2] = {{1000000 + (time_t)k, 0}, {1000000 + (time_t)k, 0}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
  }
  mr_disk_cache_trim(3000000);
  assert_int_equal(count_files(), 20);
  mr_disk_cache_trim(1000000);
  assert_int_equal(count_files(), 7);
  mr_object object;
  assert_false(mr_disk_cache_load((mr_hash128){13, 13}, &object));
  assert_true(mr_disk_cache_load((mr_hash128){14, 14}, &object));
  mr_free(object.data);
}

enum { SMALL = 4000, SHORT_LIVED = 25, OTHERS = 16, MEGABYTE = 1 << 20 };
static uint64_t next_key;
static void store_small(int count) {
  static const char small[SMALL];
  for (int k = 0; k < count; k++) {
    next_key++;
    mr_disk_cache_store((mr_hash128){.low = next_key, .high = next_key}, (mr_span){small, sizeof small});
  }
}

static bool stores_and_ends(void) {
  setenv("MILLRACE_CACHE_LIMIT_MB", "1", 1);
  store_small(SHORT_LIVED);
  // What others are storing at this moment may be there as well.
  EXPECT(folder_bytes() <= MEGABYTE + OTHERS * SMALL);
  return true;
}

// The limit is that of all processes together, one after the other and side by side, however little each of them stores.
static void test_limit_among_processes(void **state) {
  (void)state;
  for (int round = 0; round < 30; round++) {
    in_child(stores_and_ends);
    next_key += SHORT_LIVED;
    assert_true(folder_bytes() <= MEGABYTE);
  }
  assert_true(folder_bytes() > MEGABYTE / 2);
  for (int round = 0; round < 4; round++) {
    pid_t children[4];
    for (int k = 0; k < 4; k++) {
      children[k] = start_child(stores_and_ends);
      next_key += SHORT_LIVED;
    }
    for (int k = 0; k < 4; k++) {
      assert_true(child_ok(children[k]));
    }
  }
  assert_in_range(folder_bytes(), MEGABYTE / 2, MEGABYTE + OTHERS * SMALL);
}

static bool stores_many(void) {
  uint64_t before = mr_codegen_stats_now().files_looked_at;
  store_small(3000);
  EXPECT(mr_codegen_stats_now().files_looked_at == before);
  setenv("MILLRACE_CACHE_LIMIT_MB", "2", 1);
  store_small(3000);
  // At most 512 files at a time, after the first, and 64 stores or more between two looks.
  EXPECT(mr_codegen_stats_now().files_looked_at - before <= 3000 + 3000 / 64 * 512);
  EXPECT(folder_bytes() <= 2 * MEGABYTE);
  return true;
}

// A store costs the same however many files there are.
static void test_stores_do_not_look(void **state) {
  (void)state;
  in_child(stores_many);
}

// Who finds a folder without a tally has a look, so that what an earlier build left counts.
static void test_folder_without_tally(void **state) {
  (void)state;
  char path[300];
  store_small(600);
  snprintf(path, sizeof path, "%s/v%d/.held", folder, MR_CODEGEN_VERSION);
  assert_int_equal(unlink(path), 0);
  in_child(stores_and_ends);
}

int main(void) {
  if (!make_folder()) {
    return 1;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_size_bound, empty_cache),
      cmocka_unit_test_setup(test_limit_among_processes, empty_cache),
      cmocka_unit_test_setup(test_stores_do_not_look, empty_cache),
      cmocka_unit_test_setup(test_folder_without_tally, empty_cache),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  remove_folder();
  return failed;
}
