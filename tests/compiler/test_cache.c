// The kernel cache. Everything that compiles runs in a child process, so that each property starts
// from an empty memory cache and from a process without LLVM.
#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/codegen/disk_cache.h"
#include "compiler/codegen/llvm_api.h"
#include "compiler/codegen/object.h"
#include "compiler/codegen/target.h"
#include "compiler/codegen/tuning.h"
#include "core/tidy.h"
#include "tests/compiler/in_child.h"
#include "tests/compiler/kernel_folder.h"
#include "tests/compiler/loops_util.h"

static mr_loop_program *plus(double value) {
  mr_loop_program *p = new_program();
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE);
  mr_lv i = for_share(p);
  mr_l_store(p, y, i, mr_l_binary(p, MR_OP_add, MR_F32, mr_l_load(p, x, i), mr_l_float(p, MR_F32, value)));
  mr_l_end(p);
  return p;
}

static bool run_plus(double value) {
  mr_loop_program *p = plus(value);
  mr_kernel *kernel;
  mr_status status = mr_kernel_compile(p, &kernel);
  if (status) {
    fprintf(stderr, "%s\n", mr_status_message(status));
  }
  mr_loop_release(p);
  EXPECT(!status);
  float x[20], y[20];
  for (int k = 0; k < 20; k++) {
    x[k] = (float)k;
  }
  mr_kernel_function(kernel)((void *[]){x, y}, &mr_stop_no_token, 0, 20);
  mr_kernel_release(kernel);
  for (int k = 0; k < 20; k++) {
    EXPECT(y[k] == (float)k + (float)value);
  }
  return true;
}

// Calls `visit` for each file of the cache.
static int each_file(void (*visit)(const char *path)) {
  char file[600];
  DIR *d = open_kernels();
  int count = 0;
  for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
    if (e->d_name[0] == '.') {
      continue;
    }
    snprintf(file, sizeof file, "%s/v%d/%s", folder, MR_CODEGEN_VERSION, e->d_name);
    if (visit) {
      visit(file);
    }
    count++;
  }
  if (d) {
    closedir(d);
  }
  return count;
}

// ---- Disk -------------------------------------------------------------------------------------------------------------

static bool compiles_one(void) {
  EXPECT(run_plus(1));
  mr_codegen_stats s = mr_codegen_stats_now();
  EXPECT(s.compiled == 1 && s.disk_hits == 0 && s.memory_hits == 0);
  EXPECT(run_plus(1));
  EXPECT(mr_codegen_stats_now().memory_hits == 1);
  return true;
}

static bool hits_disk(void) {
  EXPECT(run_plus(1));
  mr_codegen_stats s = mr_codegen_stats_now();
  EXPECT(s.compiled == 0 && s.disk_hits == 1);
  EXPECT(!mr_llvm_is_open());
  return true;
}

// A second process takes the kernel from disk and never loads LLVM.
static void test_warm_start(void **state) {
  (void)state;
  in_child(compiles_one);
  assert_int_equal(each_file(NULL), 1);
  in_child(hits_disk);
}

static void flip_last_byte(const char *path) {
  FILE *file = fopen(path, "r+");
  fseek(file, -1, SEEK_END);
  int c = fgetc(file);
  fseek(file, -1, SEEK_END);
  fputc(c ^ 1, file);
  fclose(file);
}

static void cut_short(const char *path) { assert_int_equal(truncate(path, 700), 0); }
static void make_empty(const char *path) { assert_int_equal(truncate(path, 0), 0); }
static void make_world_writable(const char *path) { assert_int_equal(chmod(path, 0666), 0); }
static void make_group_writable(const char *path) { assert_int_equal(chmod(path, 0660), 0); }

// A file of another user, with the right content; only root can make one.
static void give_away(const char *path) {
  if (geteuid() == 0) {
    assert_int_equal(chown(path, 65534, 65534), 0);
  } else {
    cut_short(path);
  }
}

// The right content, but the name leads somewhere else.
static void replace_by_link(const char *path) {
  char elsewhere[700];
  snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", folder);
  assert_int_equal(rename(path, elsewhere), 0);
  assert_int_equal(symlink(elsewhere, path), 0);
}

// Opening one waits for a writer, unless that is said not to be wanted.
static void replace_by_fifo(const char *path) {
  assert_int_equal(unlink(path), 0);
  assert_int_equal(mkfifo(path, 0600), 0);
}

// Kernels of another build are not found, since the build has a name that keys are made with.
static void test_build_has_an_id(void **state) {
  (void)state;
  mr_span id = mr_codegen_build_id();
  assert_true(id.size >= 8);
  assert_ptr_equal(mr_codegen_build_id().data, id.data);
}

// A damaged, cut or untrusted file is ignored and written anew.
static void test_torn_files(void **state) {
  (void)state;
  void (*const damages[])(const char *) = {flip_last_byte,      cut_short, make_empty,      make_world_writable,
                                           make_group_writable, give_away, replace_by_link, replace_by_fifo};
  for (size_t k = 0; k < MR_ARRAY_SIZE(damages); k++) {
    in_child(compiles_one);
    each_file(damages[k]);
    in_child(compiles_one);
    in_child(hits_disk);
    empty_cache(NULL);
  }
}

static void change_folder(mode_t mode, uid_t owner) {
  char path[300];
  snprintf(path, sizeof path, "%s/v%d", folder, MR_CODEGEN_VERSION);
  assert_int_equal(chmod(path, mode), 0);
  if (geteuid() == 0) {
    assert_int_equal(chown(path, owner, (gid_t)-1), 0);
  }
}

// Whoever may write to the folder could put a file of ours under another name there, or take it from us.
static void test_folder_of_others(void **state) {
  (void)state;
  in_child(compiles_one);
  in_child(hits_disk);
  const mode_t modes[] = {0770, 0702};
  for (size_t k = 0; k < MR_ARRAY_SIZE(modes); k++) {
    change_folder(modes[k], geteuid());
    in_child(compiles_one);
    assert_int_equal(each_file(NULL), 1);
  }
  change_folder(0755, geteuid());
  in_child(hits_disk);
  if (geteuid() == 0) {
    change_folder(0700, 65534);
    in_child(compiles_one);
  }
  change_folder(0700, geteuid());
  in_child(hits_disk);
}

// A folder behind a link is somebody's choice that can change between two looks.
static void test_folder_is_a_link(void **state) {
  (void)state;
  char path[300], real[300];
  in_child(compiles_one);
  snprintf(path, sizeof path, "%s/v%d", folder, MR_CODEGEN_VERSION);
  snprintf(real, sizeof real, "%s/real", folder);
  assert_int_equal(rename(path, real), 0);
  assert_int_equal(symlink(real, path), 0);
  in_child(compiles_one);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(rename(real, path), 0);
  in_child(hits_disk);
}

static bool compiles_many(void) {
  for (int k = 0; k < 12; k++) {
    EXPECT(run_plus(k % 6));
  }
  return true;
}

// Processes that compile the same kernels at once end with one whole file each.
static void test_two_processes(void **state) {
  (void)state;
  pid_t children[4];
  for (int k = 0; k < 4; k++) {
    children[k] = start_child(compiles_many);
  }
  for (int k = 0; k < 4; k++) {
    assert_true(child_ok(children[k]));
  }
  assert_int_equal(each_file(NULL), 6);
  in_child(compiles_many);
}

static bool works_with_folder(const char *path) {
  setenv("MILLRACE_CACHE_DIR", path, 1);
  return run_plus(3);
}
static bool no_cache(void) { return works_with_folder(""); }
static bool no_such_place(void) { return works_with_folder("/proc/nowhere/at/all"); }
static bool file_in_place(void) { return works_with_folder("/dev/null"); }

// A cache that cannot be written changes nothing but speed.
static void test_unwritable_folder(void **state) {
  (void)state;
  in_child(no_cache);
  in_child(no_such_place);
  in_child(file_in_place);
  assert_int_equal(each_file(NULL), 0);
}

// ---- Memory -----------------------------------------------------------------------------------------------------------

// Until the thread that gives back what nobody uses has ended.
static bool wait_until_tidy(void) {
  for (int k = 0; k < 200 && mr_tidy_is_running(); k++) {
    usleep(100000);
  }
  return !mr_tidy_is_running();
}

static void *compile_shared(void *failures) {
  for (int k = 0; k < 5; k++) {
    if (!run_plus(k)) {
      __atomic_add_fetch((int *)failures, 1, __ATOMIC_RELAXED);
    }
  }
  return NULL;
}

static bool threads_share(void) {
  setenv("MILLRACE_CACHE_DIR", "", 1);
  pthread_t threads[6];
  int failures = 0;
  for (int k = 0; k < 6; k++) {
    pthread_create(&threads[k], NULL, compile_shared, &failures);
  }
  for (int k = 0; k < 6; k++) {
    pthread_join(threads[k], NULL);
  }
  mr_codegen_stats s = mr_codegen_stats_now();
  EXPECT(failures == 0);
  EXPECT(s.compiled == 5 && s.memory_hits == 25);
  return true;
}

// Equal programs asked for by six threads at once are compiled once.
static void test_threads_compile_once(void **state) {
  (void)state;
  in_child(threads_share);
}

static void *fail_shared(void *failures) {
  mr_loop_program *p = new_program();
  mr_l_store(p, mr_l_local(p, MR_F32, 1 << 20), mr_l_index(p, 0), mr_l_float(p, MR_F32, 1));
  mr_kernel *kernel;
  mr_status status = mr_kernel_compile(p, &kernel);
  if (mr_status_code(status) == MR_RESOURCE_EXHAUSTED) {
    __atomic_add_fetch((int *)failures, 1, __ATOMIC_RELAXED);
  }
  mr_status_free(status);
  mr_loop_release(p);
  return NULL;
}

static bool threads_fail(void) {
  pthread_t threads[6];
  int failures = 0;
  for (int round = 0; round < 5; round++) {
    for (int k = 0; k < 6; k++) {
      pthread_create(&threads[k], NULL, fail_shared, &failures);
    }
    for (int k = 0; k < 6; k++) {
      pthread_join(threads[k], NULL);
    }
  }
  EXPECT(failures == 30);
  return true;
}

// A failing program fails for everyone who asked, and again for who asks later.
static void test_threads_share_failure(void **state) {
  (void)state;
  in_child(threads_fail);
}

static bool fork_and_compile(void) {
  EXPECT(run_plus(1));
  pid_t child = fork();
  if (!child) {
    _exit(run_plus(1) && run_plus(2) ? 0 : 1);
  }
  EXPECT(run_plus(3));
  return child_ok(child);
}

// After a fork both processes run old kernels and compile more.
static void test_fork(void **state) {
  (void)state;
  in_child(fork_and_compile);
}

static void *compile_for_ever(void *unused) {
  for (int k = 0;; k++) {
    mr_loop_program *p = plus(k);
    mr_kernel *kernel;
    mr_status status = mr_kernel_compile(p, &kernel);
    mr_kernel_release(kernel);
    mr_loop_release(p);
    bool refused = mr_status_code(status) == MR_CANCELLED;
    mr_status_free(status);
    if (refused) {
      return unused;
    }
  }
}

static bool fork_while_compiling(void) {
  setenv("MILLRACE_CACHE_DIR", "", 1);
  pthread_t thread;
  pthread_create(&thread, NULL, compile_for_ever, NULL);
  pthread_detach(thread);
  for (int round = 1; round < 6; round++) {
    while (mr_codegen_stats_now().compiled < (uint64_t)round * 2) {
      usleep(1000);
    }
    pid_t child = fork();
    if (!child) {
      alarm(60);
      int last = (int)mr_codegen_stats_now().compiled + 1;  // the other thread was at one of these
      for (int k = 0; k <= last; k++) {
        if (!run_plus(k)) {
          _exit(1);
        }
      }
      _exit(0);
    }
    EXPECT(child_ok(child));
  }
  return true;
}

// A child does not wait for what a thread of its parent was compiling: it compiles that itself.
static void test_fork_while_compiling(void **state) {
  (void)state;
  in_child(fork_while_compiling);
}

static bool exit_while_compiling(void) {
  setenv("MILLRACE_CACHE_DIR", "", 1);
  pthread_t threads[2];
  for (int k = 0; k < 2; k++) {
    pthread_create(&threads[k], NULL, compile_for_ever, NULL);
    pthread_detach(threads[k]);
  }
  while (mr_codegen_stats_now().compiled < 3) {
    usleep(1000);
  }
  exit(0);
}

// A process may end while threads of it compile.
static void test_exit_while_compiling(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    in_child(exit_while_compiling);
  }
}

static bool many_are_kept(void) {
  enum { MANY = 3 * MR_CACHE_CODE_BYTES / 2 / 4096 };  // a page each
  mr_loop_program *p = plus(1);
  mr_kernel *first, **kernels = mr_alloc(MANY * sizeof(mr_kernel *));
  EXPECT(kernels && !mr_kernel_compile(p, &first));
  mr_loop_release(p);
  mr_hash128 key = mr_kernel_key(first);
  for (size_t i = 0; i < MANY; i++) {
    key.low += 0x9E3779B97F4A7C15u;
    EXPECT(!mr_kernel_preload(key, mr_kernel_object(first), &kernels[i]));
  }
  EXPECT(mr_codegen_stats_now().looked_at <= 8 * (uint64_t)MANY);
  for (size_t i = 0; i < MANY; i++) {
    float x[4] = {1, 2, 3, 4}, y[4] = {0};
    if (i % 1000 == 0) {
      mr_kernel_function(kernels[i])((void *[]){x, y}, &mr_stop_no_token, 0, 4);
      EXPECT(y[3] == 5);
    }
    mr_kernel_release(kernels[i]);
  }
  uint64_t before = mr_codegen_stats_now().looked_at;
  mr_kernels_trim();
  EXPECT(mr_codegen_stats_now().looked_at == before + MANY + 1);
  mr_kernels_trim();
  EXPECT(mr_codegen_stats_now().looked_at == before + MANY + 2);  // `first` is left
  mr_kernel_release(first);
  mr_free(kernels);
  return true;
}

// More kernels in use than the table would keep for nobody: to find what may go, each is looked at a few times in all, and not
// whenever there is another. Once nobody uses them they go.
static void test_many_kernels_in_use(void **state) {
  (void)state;
  in_child(many_are_kept);
}

static size_t bytes_allocated(void) { return mallinfo2().uordblks + mallinfo2().hblkhd; }

static bool run_hundred(int first) {
  for (int k = first; k < first + 100; k++) {
    EXPECT(run_plus(k));
  }
  return true;
}

// What the kernels of one hundred leave when they are gone: they are found while they are compiled, and not once nobody compiles.
static bool hundred_goes(int first, size_t *out_left) {
  size_t before = bytes_allocated();
  uint64_t compiled = mr_codegen_stats_now().compiled + 100;
  EXPECT(run_hundred(first) && mr_codegen_stats_now().compiled == compiled);
  EXPECT(run_hundred(first) && mr_codegen_stats_now().compiled == compiled);
  EXPECT(wait_until_tidy());
  size_t after = bytes_allocated();
  *out_left = after > before ? after - before : 0;
  return true;
}

// The first hundred is LLVM's as well, which makes some things once. Of a later one malloc may keep some blocks at hand, which count
// as allocated; what stays for want of a release stays of each hundred.
static bool idle_kernels_go(void) {
  setenv("MILLRACE_CACHE_DIR", "", 1);
  mr_loop_program *p = plus(0);
  mr_kernel *kept;
  EXPECT(!mr_kernel_compile(p, &kept));
  mr_loop_release(p);
  EXPECT(run_hundred(1) && wait_until_tidy());
  size_t least = SIZE_MAX;
  for (int first = 101; first <= 401 && least > 100 * 256; first += 100) {
    size_t left;
    EXPECT(hundred_goes(first, &left));
    least = MR_MIN(least, left);
  }
  if (least > 100 * 256) {
    fprintf(stderr, "%zu bytes are left of 100 kernels\n", least);
    return false;
  }
  uint64_t compiled = mr_codegen_stats_now().compiled;
  EXPECT(run_plus(0) && mr_codegen_stats_now().compiled == compiled);  // somebody has it
  EXPECT(run_plus(101) && mr_codegen_stats_now().compiled == compiled + 1);
  mr_kernel_release(kept);
  return true;
}

// Who compiles again within seconds finds the kernels; a process that stops compiling keeps those that it uses and no others.
static void test_idle_kernels_go(void **state) {
  (void)state;
  in_child(idle_kernels_go);
}

int main(void) {
  if (!make_folder()) {
    return 1;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_warm_start, empty_cache),
      cmocka_unit_test(test_build_has_an_id),
      cmocka_unit_test_setup(test_torn_files, empty_cache),
      cmocka_unit_test_setup(test_folder_of_others, empty_cache),
      cmocka_unit_test_setup(test_folder_is_a_link, empty_cache),
      cmocka_unit_test_setup(test_two_processes, empty_cache),
      cmocka_unit_test_setup(test_unwritable_folder, empty_cache),
      cmocka_unit_test_setup(test_threads_compile_once, empty_cache),
      cmocka_unit_test_setup(test_threads_share_failure, empty_cache),
      cmocka_unit_test_setup(test_fork, empty_cache),
      cmocka_unit_test_setup(test_fork_while_compiling, empty_cache),
      cmocka_unit_test_setup(test_exit_while_compiling, empty_cache),
      cmocka_unit_test_setup(test_many_kernels_in_use, empty_cache),
      cmocka_unit_test_setup(test_idle_kernels_go, empty_cache),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  char path[300];
  snprintf(path, sizeof path, "%s/elsewhere", folder);
  unlink(path);
  remove_folder();
  return failed;
}
