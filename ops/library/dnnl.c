// Opening oneDNN, OpenMP's settings and OpenBLAS.
#include "ops/library/dnnl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t dnnl_once = PTHREAD_ONCE_INIT, blas_once = PTHREAD_ONCE_INIT;
static mr_dnnl_table table;
static dnnl_engine_t engine;
static const char *dnnl_missing = "oneDNN (libdnnl.so.2) cannot be opened";
static int (*get_max_threads)(void);
static void (*set_num_threads)(int);
static void *blas_library;
static mr_dgemm_fn dgemm;

static void *find(void *library, const char *name) { return library ? dlsym(library, name) : NULL; }

// What a build with MILLRACE_BUNDLE puts beside our own library, otherwise the system's.
static void *open_library(const char *beside_us, const char *system) {
  void *library = dlopen(beside_us, RTLD_NOW | RTLD_LOCAL);
  return library ? library : dlopen(system, RTLD_NOW | RTLD_LOCAL);
}

static void open_dnnl(void) {
  void *library = open_library("$ORIGIN/libmillrace-dnnl.so.2", "libdnnl.so.2");
  if (!library) {
    return;
  }
  const struct {
    const char *name;
    void *slot;
  } entries[] = {
#define X(name) {"dnnl_" #name, &table.name},
      MR_DNNL_FUNCTIONS(X)
#undef X
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(entries); i++) {
    void *function = dlsym(library, entries[i].name);
    if (!function) {
      dnnl_missing = "oneDNN lacks a function that millrace uses; wanted version 2.6 or newer of 2.x";
      return;
    }
    memcpy(entries[i].slot, &function, sizeof function);
  }
  // Of the OpenMP that oneDNN has brought along; a build of it without OpenMP needs nothing.
  void *get = find(library, "omp_get_max_threads"), *set = find(library, "omp_set_num_threads");
  memcpy(&get_max_threads, &get, sizeof get);
  memcpy(&set_num_threads, &set, sizeof set);
  if (table.engine_create(&engine, dnnl_cpu, 0) != dnnl_success) {
    dnnl_missing = "oneDNN has no engine for this CPU";
    return;
  }
  dnnl_missing = NULL;
}

dnnl_engine_t mr_dnnl_engine(void) { return engine; }

mr_status mr_dnnl_open(const mr_dnnl_table **out_table) {
  *out_table = &table;
  pthread_once(&dnnl_once, open_dnnl);
  return dnnl_missing ? mr_error(MR_UNAVAILABLE, "%s", dnnl_missing) : MR_OK;
}

mr_status mr_dnnl_status(dnnl_status_t status, const char *what) {
  if (status == dnnl_success) {
    return MR_OK;
  }
  mr_code code = status == dnnl_out_of_memory ? MR_RESOURCE_EXHAUSTED : MR_INTERNAL;
  return mr_error(code, "oneDNN: %s failed with status %d", what, (int)status);
}

// The environment holds `value` for `name` until it is put back; a value that the user gave stays when `weak`.
typedef struct setting {
  const char *name;
  char *before;  // owned; NULL: not set
} setting;

static setting set_for_now(const char *name, const char *value, bool weak) {
  const char *before = getenv(name);
  setting s = {name, before ? strdup(before) : NULL};
  if (value && !(before && weak)) {
    setenv(name, value, 1);
  }
  return s;
}

static void put_back(setting s) {
  if (s.before) {
    setenv(s.name, s.before, 1);
  } else {
    unsetenv(s.name);
  }
  free(s.before);
}

// The kernels that this processor can run, by OpenBLAS's names. It knows processors by their model numbers and gives one
// that came out after it (0.3.21: any after Sapphire Rapids) the kernels of 2004, at a tenth of the speed.
static const char *blas_core(void) {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd")) {
    return "SkylakeX";
  }
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "Haswell" : NULL;
}

// OpenBLAS chooses its kernels and makes its threads when it is loaded; the settings for both are only read then.
static void open_blas(void) {
  setting threads = set_for_now("OPENBLAS_NUM_THREADS", "1", false);
  setting core = set_for_now("OPENBLAS_CORETYPE", blas_core(), true);
  void *library = open_library("$ORIGIN/libmillrace-openblas.so.0", "libopenblas.so.0");
  put_back(core);
  put_back(threads);
  blas_library = library;
  void *function = find(library, "cblas_dgemm");
  memcpy(&dgemm, &function, sizeof function);
}

mr_status mr_blas_open(mr_dgemm_fn *out_dgemm) {
  pthread_once(&blas_once, open_blas);
  *out_dgemm = dgemm;
  return dgemm ? MR_OK : mr_error(MR_UNAVAILABLE, "OpenBLAS (libopenblas.so.0) cannot be opened");
}

mr_status mr_blas_symbol(const char *name, void **out_function) {
  mr_dgemm_fn ignored = NULL;
  *out_function = NULL;
  MR_TRY(mr_blas_open(&ignored));
  *out_function = dlsym(blas_library, name);
  return *out_function ? MR_OK : mr_error(MR_UNAVAILABLE, "OpenBLAS (libopenblas.so.0) has no %s", name);
}

int mr_single_threaded_begin(void) {
  int before = get_max_threads ? get_max_threads() : 1;
  if (before != 1) {
    set_num_threads(1);
  }
  return before;
}

void mr_single_threaded_end(int before) {
  if (before != 1) {
    set_num_threads(before);
  }
}
