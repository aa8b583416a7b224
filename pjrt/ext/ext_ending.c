// Extension Ending, which is ours and not the ABI's: an interpreter that has queued calls of its own functions says that it ends. Its
// functions may be called from any thread, without a client.
#include <dlfcn.h>
#include <stdlib.h>

#include "core/ending.h"
#include "pjrt/ext/extensions.h"

typedef void (*terminate_handler)(void);

static terminate_handler terminate_before;

static void hold_or_terminate(void) {
  mr_ending_come_back();
  if (terminate_before) {
    terminate_before();
  }
  abort();
}

// An interpreter that ends may end other threads where they next want it, and does so by unwinding (CPython up to 3.13: pthread_exit()). In
// functions of C++'s that may not throw, as those are in which a client of PJRT's gives the interpreter up and takes it again, C++ then ends the
// process. What C++ calls first is asked to hold the thread instead, as CPython does from 3.14 on. Only a C++ library that is there already has such
// functions beneath; its name and that of std::set_terminate() are the platform's ABI.
static void ask_host(int (*is_gone)(void)) {
  mr_ending_ask_host(is_gone);
  void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (!library) {
    return;
  }
  terminate_handler (*set_terminate)(terminate_handler) = NULL;
  *(void **)&set_terminate = dlsym(library, "_ZSt13set_terminatePFvvE");
  if (set_terminate) {
    terminate_handler before = set_terminate(hold_or_terminate);
    terminate_before = before == hold_or_terminate ? terminate_before : before;
  }
  dlclose(library);
}

mr_pjrt_ending_extension mr_pjrt_ext_ending = {
    .base = {.struct_size = sizeof(mr_pjrt_ending_extension),
             .type = (PJRT_Extension_Type)MR_PJRT_ENDING_TYPE,
             .next = &mr_pjrt_ext_census.base},
    .ask_host = ask_host,
    .end_host = mr_ending_end_host,
    .held = mr_ending_held,
};
