// A unit of code is built once for a device, by whoever loads the first kernel of it; others wait for that. The driver's own caches on
// disk do the rest on PoCL; elsewhere the binary is kept in our cache folder, by everything that it depends on.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/kept.h"
#include "devices/opencl/ocl.h"

// Raised whenever what is kept, or how it is named, changes.
enum { KEPT_FORMAT = 1, LOG_BYTES = 4096, LOG_SHOWN = 600 };

struct mr_ocl_program {
  mr_hash128 key;
  mr_future built;  // with its status
  cl_program program;
  uint32_t users;  // with the lock
  mr_ocl_program *next;
};

// ---- Kept binaries --------------------------------------------------------------------------------------------------

static bool keeps_binaries(const mr_ocl_device *device) {
  return strstr(device->info->platform_name, "Portable Computing Language") == NULL;
}

static void file_name(const mr_ocl_device *device, const mr_code_unit *unit, char *to, size_t room) {
  const mr_ocl_info *info = device->info;
  const char *parts[] = {info->platform_name, info->platform_version, info->name,
                         info->driver,        info->version,          device->options};
  mr_hash128 key = mr_hash128_of(&(int){KEPT_FORMAT}, sizeof(int), unit->key);
  for (size_t i = 0; i < MR_ARRAY_SIZE(parts); i++) {
    key = mr_hash128_of(parts[i], strlen(parts[i]) + 1, key);
  }
  snprintf(to, room, "%016llx%016llx", (unsigned long long)key.high, (unsigned long long)key.low);
}

static cl_program from_binary(const mr_ocl_device *device, const unsigned char *bytes, size_t size) {
  cl_int of_binary = CL_SUCCESS, rc = CL_SUCCESS;
  cl_program program =
      CL(CreateProgramWithBinary)(device->context, 1, &device->info->device, &size, &bytes, &of_binary, &rc);
  if (program && rc == CL_SUCCESS && of_binary == CL_SUCCESS &&
      CL(BuildProgram)(program, 1, &device->info->device, device->options, NULL, NULL) == CL_SUCCESS) {
    return program;
  }
  if (program) {
    CL(ReleaseProgram)(program);
  }
  return NULL;  // made by another driver, perhaps: the source is there
}

static cl_program find_kept(const mr_ocl_device *device, const char *name) {
  int folder = mr_kept_open("opencl", false);
  if (folder < 0) {
    return NULL;
  }
  size_t size = 0;
  int file = mr_kept_open_file(folder, name, &size);
  unsigned char *bytes = file < 0 || !size ? NULL : mr_alloc(size);
  cl_program program = bytes && mr_kept_read(file, bytes, size) ? from_binary(device, bytes, size) : NULL;
  mr_free(bytes);
  if (file >= 0) {
    close(file);
  }
  close(folder);
  return program;
}

static void keep(cl_program program, const char *name) {
  size_t size = 0;
  if (CL(GetProgramInfo)(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) != CL_SUCCESS || !size) {
    return;
  }
  unsigned char *bytes = mr_alloc(size);
  int folder = bytes ? mr_kept_open("opencl", true) : -1;
  if (folder >= 0 && CL(GetProgramInfo)(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) == CL_SUCCESS) {
    const mr_span piece = {bytes, size};
    (void)mr_kept_write(folder, name, &piece, 1);
  }
  if (folder >= 0) {
    close(folder);
  }
  mr_free(bytes);
}

// ---- Building -------------------------------------------------------------------------------------------------------

static mr_status build_failed(const mr_ocl_device *device, cl_program program, const char *name, cl_int rc) {
  char log[LOG_BYTES] = "";
  size_t size = 0;
  // A log that is longer than the room is not given at all.
  (void)CL(GetProgramBuildInfo)(program, device->info->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  char *all = size ? mr_alloc_zeroed(1, size + 1) : NULL;
  if (all &&
      CL(GetProgramBuildInfo)(program, device->info->device, CL_PROGRAM_BUILD_LOG, size, all, NULL) == CL_SUCCESS) {
    snprintf(log, sizeof log, "%s", all);
  }
  mr_free(all);
  return mr_error(MR_INTERNAL, "%s does not compile the unit of kernel %s: %s (%d): %.*s", device->info->name, name,
                  mr_ocl_error_name(rc), (int)rc, LOG_SHOWN,
                  log[0] ? log : "no log; on NVIDIA libnvidia-nvvm may be missing");
}

static mr_status build_source(mr_ocl_device *device, const mr_kernel_code *code, cl_program *out_program) {
  const char *text = code->unit->source.data;
  size_t size = code->unit->source.size;
  cl_int rc = CL_SUCCESS;
  *out_program = NULL;
  cl_program program = CL(CreateProgramWithSource)(device->context, 1, &text, &size, &rc);
  if (!program) {
    return mr_ocl_failed(device, "clCreateProgramWithSource", code->name, rc);
  }
  rc = CL(BuildProgram)(program, 1, &device->info->device, device->options, NULL, NULL);
  if (rc != CL_SUCCESS) {
    mr_status status = build_failed(device, program, code->name, rc);
    CL(ReleaseProgram)(program);
    return status;
  }
  *out_program = program;
  return MR_OK;
}

static mr_status build(mr_ocl_device *device, const mr_kernel_code *code, cl_program *out_program) {
  char name[40];
  bool keeps = keeps_binaries(device);
  if (keeps) {
    file_name(device, code->unit, name, sizeof name);
    *out_program = find_kept(device, name);
    if (*out_program) {
      return MR_OK;
    }
  }
  MR_TRY(build_source(device, code, out_program));
  if (keeps) {
    keep(*out_program, name);
  }
  return MR_OK;
}

static bool same_key(mr_hash128 a, mr_hash128 b) { return a.low == b.low && a.high == b.high; }

// Counted for one more user; *out_fresh: the caller is to build it.
static mr_ocl_program *find_program(mr_ocl_device *device, mr_hash128 key, bool *out_fresh) {
  mr_ocl_program *made = mr_alloc_zeroed(1, sizeof *made);
  if (!made) {
    return NULL;
  }
  made->key = key;
  made->users = 1;
  mr_future_init(&made->built);
  mr_ocl_lock();
  mr_ocl_program *known = device->programs;
  while (known && !same_key(known->key, key)) {
    known = known->next;
  }
  *out_fresh = !known;
  if (known) {
    known->users++;
  } else {
    made->next = device->programs;
    device->programs = made;
  }
  mr_ocl_unlock();
  if (!known) {
    return made;
  }
  mr_free(made);
  return known;
}

static void drop_program(mr_ocl_device *device, mr_ocl_program *program) {
  mr_ocl_lock();
  bool last = --program->users == 0;
  if (last) {
    mr_ocl_program **link = &device->programs;
    while (*link != program) {
      link = &(*link)->next;
    }
    *link = program->next;
  }
  mr_ocl_unlock();
  if (!last) {
    return;
  }
  if (program->program && !mr_ocl_is_over()) {
    CL(ReleaseProgram)(program->program);
  }
  mr_future_deinit(&program->built);
  mr_free(program);
}

static mr_status use_program(mr_ocl_device *device, const mr_kernel_code *code, mr_ocl_program **out_program) {
  bool fresh;
  *out_program = NULL;
  mr_ocl_program *program = find_program(device, code->unit->key, &fresh);
  if (!program) {
    return MR_NO_MEMORY();
  }
  if (fresh) {
    mr_ocl_compile_begin();
    mr_status status = build(device, code, &program->program);
    mr_ocl_compile_end();
    mr_future_set(&program->built, status);
  } else {
    mr_future_wait(&program->built);
  }
  mr_status status = mr_status_retain(mr_future_status(&program->built));
  if (status) {
    drop_program(device, program);
    return status;
  }
  *out_program = program;
  return MR_OK;
}

// ---- Kernels --------------------------------------------------------------------------------------------------------

static mr_status make_object(mr_ocl_kernel *kernel, cl_kernel *out_object) {
  cl_int rc = CL_SUCCESS;
  *out_object = CL(CreateKernel)(kernel->program->program, kernel->base.code.entry, &rc);
  return *out_object ? MR_OK
                     : mr_ocl_failed(mr_ocl_cast(kernel->base.device), "clCreateKernel", kernel->base.code.name, rc);
}

mr_status mr_ocl_kernel_take(mr_ocl_kernel *kernel, cl_kernel *out_object) {
  for (size_t i = 0; i < MR_OCL_SPARE_KERNELS; i++) {
    // acquire, pairs with the release below: what the last user did to the object.
    *out_object = atomic_exchange_explicit(&kernel->spare[i], NULL, memory_order_acquire);
    if (*out_object) {
      return MR_OK;
    }
  }
  return make_object(kernel, out_object);
}

void mr_ocl_kernel_give_back(mr_ocl_kernel *kernel, cl_kernel take_object) {
  for (size_t i = 0; i < MR_OCL_SPARE_KERNELS; i++) {
    cl_kernel none = NULL;
    // release, pairs with the acquire above.
    if (atomic_compare_exchange_strong_explicit(&kernel->spare[i], &none, take_object, memory_order_release,
                                                memory_order_relaxed)) {
      return;
    }
  }
  CL(ReleaseKernel)(take_object);
}

mr_status mr_ocl_load_kernel(mr_device *base, const mr_kernel_code *code, mr_device_kernel **out_kernel) {
  mr_ocl_device *device = mr_ocl_cast(base);
  *out_kernel = NULL;
  if (code->language != MR_CODE_OPENCL_C) {
    return mr_error(MR_UNIMPLEMENTED, "%s takes kernels in OpenCL C, and %s is in language number %d", base->ops->name,
                    code->name, (int)code->language);
  }
  MR_TRY(mr_ocl_check(device));
  mr_ocl_kernel *kernel = mr_alloc_zeroed(1, sizeof *kernel);
  if (!kernel) {
    return MR_NO_MEMORY();
  }
  kernel->base = (mr_device_kernel){.device = base, .code = *code};
  mr_status status = use_program(device, code, &kernel->program);
  cl_kernel object;
  status = status ? status : make_object(kernel, &object);
  if (status) {
    mr_ocl_release_kernel(&kernel->base);
    return status;
  }
  // Mali's driver compiles here; a device that does not know the answer takes groups of one.
  if (CL(GetKernelWorkGroupInfo)(object, device->info->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof kernel->group_size,
                                 &kernel->group_size, NULL) != CL_SUCCESS) {
    kernel->group_size = 1;
  }
  size_t required[3] = {0};
  if (CL(GetKernelWorkGroupInfo)(object, device->info->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required,
                                 required, NULL) == CL_SUCCESS) {
    kernel->group_items = required[0];
  }
  mr_ocl_kernel_give_back(kernel, object);
  *out_kernel = &kernel->base;
  return MR_OK;
}

void mr_ocl_release_kernel(mr_device_kernel *take_kernel) {
  mr_ocl_kernel *kernel = MR_CONTAINER_OF(take_kernel, mr_ocl_kernel, base);
  for (size_t i = 0; i < MR_OCL_SPARE_KERNELS; i++) {
    // acquire: as in taking one.
    cl_kernel object = atomic_exchange_explicit(&kernel->spare[i], NULL, memory_order_acquire);
    if (object && !mr_ocl_is_over()) {
      CL(ReleaseKernel)(object);
    }
  }
  if (kernel->program) {
    drop_program(mr_ocl_cast(take_kernel->device), kernel->program);
  }
  mr_free(kernel);
}
