// Opening libLLVM: beside our own library first (a wheel can carry it), then by the system's names.
#include "compiler/codegen/llvm_api.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/ending.h"
#include "core/fatal.h"
#include "core/fork.h"

mr_llvm_table mr_llvm;

MR_FORK_LOCK(open_lock);
// Released after mr_llvm is filled; a reader that acquires true sees the table.
static atomic_bool opened;

// The first is what a build with MILLRACE_BUNDLE puts beside our own library.
static const char *const names[] = {"$ORIGIN/libmillrace-llvm.so",
                                    "$ORIGIN/../lib/libmillrace-llvm.so",
                                    "libLLVM.so.19.1",
                                    "libLLVM-19.so.1",
                                    "libLLVM-19.so",
                                    "/usr/lib/llvm-19/lib/libLLVM.so.19.1"};

// RTLD_LOCAL keeps our LLVM's symbols from jaxlib's and the other way round (jaxlib's are hidden). No RTLD_DEEPBIND:
// LLVM's symbols are versioned, and the sanitizers refuse it.
static void *open_library(void) {
  void *library = NULL;
  for (size_t i = 0; i < MR_ARRAY_SIZE(names) && !library; i++) {
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  }
  return library;
}

static mr_status fill_table(void *library) {
  struct {
    const char *name;
    void *slot;
  } const functions[] = {
#define FN(name) {"LLVM" #name, &mr_llvm.name},
#include "compiler/codegen/llvm_functions.def"
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(functions); i++) {
    void *function = dlsym(library, functions[i].name);
    if (!function) {
      return mr_error(MR_UNAVAILABLE, "libLLVM has no %s", functions[i].name);
    }
    memcpy(functions[i].slot, &function, sizeof function);
  }
  return MR_OK;
}

// LLVM's own way to end is to print and exit or abort.
static void end_process(const char *reason) { mr_fatal("LLVM: %s", reason); }

static mr_status open_locked(void) {
  void *library = open_library();
  if (!library) {
    const char *why = dlerror();
    return mr_error(MR_UNAVAILABLE, "libLLVM 19 is needed to compile kernels and cannot be opened: %s",
                    why ? why : "not found");
  }
  MR_TRY(fill_table(library));
  LL(InstallFatalErrorHandler)(end_process);
  LL(InitializeX86TargetInfo)();
  LL(InitializeX86Target)();
  LL(InitializeX86TargetMC)();
  LL(InitializeX86AsmPrinter)();
  LL(InitializeX86AsmParser)();  // for the inline assembly of streaming stores
  // Loop strength reduction takes a fifth of the time code generation takes and gains nothing on these loops: x86 adds
  // base and index for free (measured with perf/compiler). There is no other switch for it.
  LL(ParseCommandLineOptions)(2, (const char *const[]){"millrace", "-disable-lsr"}, "");
  mr_ending_cover();
  // Pairs with the acquire in mr_llvm_is_open.
  atomic_store_explicit(&opened, true, memory_order_release);
  return MR_OK;
}

bool mr_llvm_is_open(void) { return atomic_load_explicit(&opened, memory_order_acquire); }

mr_status mr_llvm_open(void) {
  if (mr_llvm_is_open()) {
    return MR_OK;
  }
  pthread_mutex_lock(&open_lock);
  mr_status status = mr_llvm_is_open() ? MR_OK : open_locked();
  pthread_mutex_unlock(&open_lock);
  return status;
}
