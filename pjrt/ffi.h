// What hosts register for FFI calls: types, handlers by target name, and per-execution user data.
//
// Threads: any. Registration takes a lock; looking a handler up takes it too, so look up once per program.
// Ownership: handlers are code of the host and live as long as the process. A context is counted: the host destroys it
// right after Execute returns, executions that go on retain it.
#ifndef MR_PJRT_FFI_H
#define MR_PJRT_FFI_H

#include "core/core.h"
#include "core/ref.h"
#include "pjrt/abi.h"

// The handler registered for a target, an XLA_FFI_Handler*; NULL when there is none.
void *mr_pjrt_ffi_find(mr_str target);

typedef struct mr_pjrt_ffi_user_data {
  int64_t type_id;
  void *data;
  void (*deleter)(void *data);  // may be NULL
} mr_pjrt_ffi_user_data;

struct PJRT_ExecuteContext {
  mr_ref ref;
  size_t count, capacity;
  mr_pjrt_ffi_user_data *entries;  // written before Execute, read-only after
};

void mr_pjrt_context_release(PJRT_ExecuteContext *context);  // NULL is fine
// What was added under this type, or NULL.
void *mr_pjrt_context_find(const PJRT_ExecuteContext *context, int64_t type_id);

#endif
