// Opening oneDNN, OpenMP's settings and OpenBLAS.
#include "ops/library/dnnl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "ops/library/isa.h"
#include "ops/library/library.h"

// Done once. What fails is tried again by the next who asks: there may be descriptors and memory by then.
typedef struct opening {
  pthread_mutex_t lock;
  // Released when it is done; who acquires true sees what it made.
  _Atomic(bool) done;
} opening;

static opening dnnl_opening = {.lock = PTHREAD_MUTEX_INITIALIZER}, blas_opening = {.lock = PTHREAD_MUTEX_INITIALIZER};
static mr_dnnl_table table;
static dnnl_engine_t engine;
static int (*get_max_threads)(void);
static void (*set_num_threads)(int);
static void *blas_library;
static mr_dgemm_fn dgemm;

static mr_status open_once(opening *self, mr_status (*open)(void)) {
  if (MR_LIKELY(atomic_load_explicit(&self->done, memory_order_acquire))) {
    return MR_OK;
  }
  MR_TRY(mr_ending_enter(MR_INSIDE_LIBRARY));
  pthread_mutex_lock(&self->lock);
  // relaxed: changed under the lock.
  mr_status status = atomic_load_explicit(&self->done, memory_order_relaxed) ? MR_OK : open();
  atomic_store_explicit(&self->done, status == MR_OK, memory_order_release);
  pthread_mutex_unlock(&self->lock);
  mr_ending_leave(MR_INSIDE_LIBRARY);
  return status;
}

static void *find(void *library, const char *name) { return library ? dlsym(library, name) : NULL; }

// ---- oneDNN -------------------------------------------------------------------------------------------------------------

// One of our own beside us or, from a program in bin/, beside our libraries; otherwise the system's.
static void *open_library(const char *ours, const char *system) {
  static const char *const folders[] = {"$ORIGIN", "$ORIGIN/../lib"};
  char path[64];
  void *library = NULL;
  for (size_t i = 0; i < MR_ARRAY_SIZE(folders) && !library; i++) {
    snprintf(path, sizeof path, "%s/%s", folders[i], ours);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  }
  return library ? library : dlopen(system, RTLD_NOW | RTLD_LOCAL);
}

// The oldest of 2.x that has what we call; 3.x changed the functions and types that we call.
enum { WANTED_MAJOR = 2, LEAST_MINOR = 6 };

// Versions that the tests were run on. Of any other the private functions are left alone: the names say what types they take, but
// nothing says that what they do is still the same (docs/architecture.md, "Roads not taken").
static const struct {
  int minor, patch;
} tried[] = {{6, 0}, {6, 3}};

static bool was_tried(const dnnl_version_t *version) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(tried); i++) {
    if (version->minor == tried[i].minor && version->patch == tried[i].patch) {
      return version->cpu_runtime == DNNL_RUNTIME_OMP;
    }
  }
  return false;
}

// The names that C++ gives them are found in any version that has functions of the same types.
static void find_packing(void *library) {
  static const char space[] = "_ZN4dnnl4impl3cpu";
  const struct {
    const char *name;
    void *slot;
  } entries[] = {{"19sgemm_pack_get_sizeEPKcS3_S3_PKlS5_S5_S5_S5_PmPb", &table.sgemm_pack_get_size},
                 {"10sgemm_packEPKcS3_S3_PKlS5_S5_S5_S5_PKfPf", &table.sgemm_pack},
                 {"13sgemm_computeEPKcS3_PKlS5_S5_PKfS5_S7_S5_S7_PfS5_", &table.sgemm_compute}};
  for (size_t i = 0; i < MR_ARRAY_SIZE(entries); i++) {
    char name[128];
    snprintf(name, sizeof name, "%s%s", space, entries[i].name);
    void *function = find(library, name);
    memcpy(entries[i].slot, &function, sizeof function);
  }
}

// Asked for with MILLRACE_LIBRARY_ISA; older versions cannot.
static void limit_isa(void *library) {
  dnnl_status_t (*set_max)(dnnl_cpu_isa_t) = NULL;
  void *function = find(library, "dnnl_set_max_cpu_isa");
  memcpy(&set_max, &function, sizeof function);
  mr_vectors allowed = mr_isa_allowed();
  if (set_max && allowed < MR_VECTORS_AVX512_BF16) {
    set_max(allowed == MR_VECTORS_PLAIN  ? dnnl_cpu_isa_sse41
            : allowed == MR_VECTORS_AVX2 ? dnnl_cpu_isa_avx2
                                         : dnnl_cpu_isa_avx512_core);
  }
}

// The one that is asked for, else ours or the system's. Where there is none, one of the next major version is opened to be refused
// by its name: it is what is usually there instead.
static mr_status open_dnnl_library(void **out_library) {
  const char *asked = getenv("MILLRACE_ONEDNN_LIBRARY");
  if (asked) {
    *out_library = dlopen(asked, RTLD_NOW | RTLD_LOCAL);
    return *out_library ? MR_OK
                        : mr_error(MR_UNAVAILABLE, "oneDNN (MILLRACE_ONEDNN_LIBRARY) cannot be opened: %s", dlerror());
  }
  *out_library = open_library("libmillrace-dnnl.so.2", "libdnnl.so.2");
  *out_library = *out_library ? *out_library : dlopen("libdnnl.so.3", RTLD_NOW | RTLD_LOCAL);
  return *out_library ? MR_OK : mr_error(MR_UNAVAILABLE, "oneDNN (libdnnl.so.2) cannot be opened");
}

static mr_status find_version(void *library, const dnnl_version_t **out_version) {
  __typeof__(dnnl_version) *version_of = NULL;
  void *function = find(library, "dnnl_version");
  if (!function) {
    return mr_error(MR_UNAVAILABLE, "what is opened as oneDNN has no dnnl_version");
  }
  memcpy(&version_of, &function, sizeof function);
  const dnnl_version_t *v = *out_version = version_of();
  return v->major == WANTED_MAJOR && v->minor >= LEAST_MINOR
             ? MR_OK
             : mr_error(MR_UNAVAILABLE, "oneDNN %d.%d.%d found; %d.x is wanted, from %d.%d on", v->major, v->minor,
                        v->patch, WANTED_MAJOR, WANTED_MAJOR, LEAST_MINOR);
}

static mr_status find_functions(void *library) {
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
      return mr_error(MR_UNAVAILABLE, "oneDNN has no %s", entries[i].name);
    }
    memcpy(entries[i].slot, &function, sizeof function);
  }
  return MR_OK;
}

static mr_status use_dnnl(void *library) {
  const dnnl_version_t *version;
  MR_TRY(find_version(library, &version));
  MR_TRY(find_functions(library));
  find_packing(was_tried(version) ? library : NULL);
  limit_isa(library);
  if (table.engine_create(&engine, dnnl_cpu, 0) != dnnl_success) {
    return mr_error(MR_UNAVAILABLE, "oneDNN has no engine for this CPU");
  }
  // Of the OpenMP that oneDNN has brought along; a build of it without OpenMP needs nothing.
  void *get = find(library, "omp_get_max_threads"), *set = find(library, "omp_set_num_threads");
  if (get && set) {
    memcpy(&get_max_threads, &get, sizeof get);
    memcpy(&set_num_threads, &set, sizeof set);
  }
  return MR_OK;
}

static mr_status open_dnnl(void) {
  void *library;
  MR_TRY(mr_library_check_isa());
  MR_TRY(open_dnnl_library(&library));
  mr_status status = use_dnnl(library);
  if (status) {
    dlclose(library);  // who tries again opens it again
    return status;
  }
  mr_ending_cover();
  return MR_OK;
}

dnnl_engine_t mr_dnnl_engine(void) { return engine; }

mr_status mr_dnnl_open(const mr_dnnl_table **out_table) {
  *out_table = &table;
  return open_once(&dnnl_opening, open_dnnl);
}

// oneDNN's products make what they are computed with in the first call of each kind, and register there that it is destroyed when the process ends. An end
// in the middle of that call would destroy it under the call, as what waits for calls to end was registered before.
enum { FIRST_SIDE = 16 };

static mr_status begin_floats(void) {
  const float a[FIRST_SIDE * FIRST_SIDE] = {0};
  float c[FIRST_SIDE * FIRST_SIDE];
  int before = mr_single_threaded_begin();
  dnnl_status_t status =
      table.sgemm('N', 'N', FIRST_SIDE, FIRST_SIDE, FIRST_SIDE, 1, a, FIRST_SIDE, a, FIRST_SIDE, 0, c, FIRST_SIDE);
  mr_single_threaded_end(before);
  mr_ending_cover();
  return mr_dnnl_status(status, "a first product");
}

static mr_status begin_bytes(void) {
  const int8_t a[FIRST_SIDE * FIRST_SIDE] = {0};
  int32_t c[FIRST_SIDE * FIRST_SIDE], zero = 0;
  int before = mr_single_threaded_begin();
  dnnl_status_t status = table.gemm_s8s8s32('N', 'N', 'F', FIRST_SIDE, FIRST_SIDE, FIRST_SIDE, 1, a, FIRST_SIDE, 0, a,
                                            FIRST_SIDE, 0, 0, c, FIRST_SIDE, &zero);
  mr_single_threaded_end(before);
  mr_ending_cover();
  return mr_dnnl_status(status, "a first product of bytes");
}

mr_status mr_dnnl_open_gemm(mr_dtype dtype, const mr_dnnl_table **out_table) {
  static opening floats = {.lock = PTHREAD_MUTEX_INITIALIZER}, bytes = {.lock = PTHREAD_MUTEX_INITIALIZER};
  MR_TRY(mr_dnnl_open(out_table));
  return dtype == MR_S8 ? open_once(&bytes, begin_bytes) : open_once(&floats, begin_floats);
}

mr_status mr_dnnl_status(dnnl_status_t status, const char *what) {
  if (status == dnnl_success) {
    return MR_OK;
  }
  mr_code code = status == dnnl_out_of_memory ? MR_RESOURCE_EXHAUSTED : MR_INTERNAL;
  return mr_error(code, "oneDNN: %s failed with status %d", what, (int)status);
}

void mr_dnnl_destroy(const mr_dnnl_table *dnnl, dnnl_primitive_t primitive) {
  mr_status ending = primitive ? mr_ending_enter(MR_INSIDE_LIBRARY) : MR_OK;
  if (primitive && !ending) {
    dnnl->primitive_destroy(primitive);
    mr_ending_leave(MR_INSIDE_LIBRARY);
  }
  mr_status_free(ending);
}

// ---- OpenBLAS -----------------------------------------------------------------------------------------------------------

// OpenBLAS chooses its kernels and makes its threads when it is loaded. Ours is told which and how many by what it is linked
// with (ops/openblas/settings.c); the system's, where ours is not, keeps its threads asleep.
static mr_status open_blas(void) {
  MR_TRY(mr_library_check_isa());
  void (*set_threads)(int) = NULL;
  void *library = open_library("libmillrace-openblas.so.0", "libopenblas.so.0");
  void *set = find(library, "openblas_set_num_threads"), *function = find(library, "cblas_dgemm");
  memcpy(&set_threads, &set, sizeof set);
  if (set_threads) {
    set_threads(1);
  }
  blas_library = library;
  memcpy(&dgemm, &function, sizeof function);
  mr_ending_cover();
  return dgemm ? MR_OK : mr_error(MR_UNAVAILABLE, "OpenBLAS (libopenblas.so.0) cannot be opened");
}

mr_status mr_blas_open(mr_dgemm_fn *out_dgemm) {
  *out_dgemm = NULL;
  MR_TRY(open_once(&blas_opening, open_blas));
  *out_dgemm = dgemm;
  return MR_OK;
}

mr_status mr_blas_symbol(const char *name, void **out_function) {
  mr_dgemm_fn ignored = NULL;
  *out_function = NULL;
  MR_TRY(mr_blas_open(&ignored));
  *out_function = dlsym(blas_library, name);
  return *out_function ? MR_OK : mr_error(MR_UNAVAILABLE, "OpenBLAS (libopenblas.so.0) has no %s", name);
}

// ---- OpenMP -------------------------------------------------------------------------------------------------------------

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
