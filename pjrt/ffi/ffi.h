// FFI calls: what hosts register (types, handlers by target name, per-execution user data) and calling it.
//
// Threads: any. Registration takes a lock; a handler is looked up once, when a program is compiled.
// Ownership: handlers are code of the host and live as long as the process. A context is counted: the host destroys it
// right after Execute returns, executions that go on retain it.
#ifndef MR_PJRT_FFI_FFI_H
#define MR_PJRT_FFI_FFI_H

#include "compiler/compiler.h"
#include "core/core.h"
#include "pjrt/abi.h"
#include "pjrt/ffi/xla_ffi.h"

// ---- Registry -------------------------------------------------------------------------------------------------------------

// What is registered for a target, by stage. Instantiate is called when a program is compiled, the others in each run.
typedef struct mr_pjrt_ffi_handlers {
  XLA_FFI_Handler *stages[XLA_FFI_STAGES];  // NULL: nothing to do in this stage
  const XLA_FFI_Api *apis[XLA_FFI_STAGES];  // what each one is handed: that of its version
} mr_pjrt_ffi_handlers;
// False when the target has no execute stage.
bool mr_pjrt_ffi_find(mr_str target, mr_pjrt_ffi_handlers *out_handlers);
// Asks the handler for its version. A later registration of the same target and stage takes the place of the earlier one.
mr_status mr_pjrt_ffi_add_handler(mr_str target, XLA_FFI_Stage stage, XLA_FFI_Handler *handler) MR_WARN_UNUSED;
// Handlers that are not typed: functions that are given addresses, of as many arguments as the call's version says. NULL when there is
// none. A later registration takes the place of the earlier one; it does not touch typed handlers of that name.
typedef void mr_pjrt_ffi_untyped(void);
mr_status mr_pjrt_ffi_add_untyped(mr_str target, mr_pjrt_ffi_untyped *function) MR_WARN_UNUSED;
mr_pjrt_ffi_untyped *mr_pjrt_ffi_find_untyped(mr_str target);
// An id of 0 asks for one; the same name again gives the id it has.
mr_status mr_pjrt_ffi_add_type(mr_str name, void (*deleter)(void *object), int64_t *inout_id) MR_WARN_UNUSED;
// How objects of a type are deleted; NULL when nobody said.
void (*mr_pjrt_ffi_deleter_of(int64_t type_id))(void *object);

// ---- User data of an execution ----------------------------------------------------------------------------------------------

typedef struct mr_pjrt_ffi_user_data {
  int64_t type_id;
  void *data;
  void (*deleter)(void *data);  // may be NULL
} mr_pjrt_ffi_user_data;

struct PJRT_ExecuteContext {
  mr_call_context base;  // what an execution retains
  size_t count, capacity;
  mr_pjrt_ffi_user_data *entries;  // written before Execute, read-only after
};

mr_status mr_pjrt_context_add(PJRT_ExecuteContext *context, mr_pjrt_ffi_user_data entry) MR_WARN_UNUSED;
// What was added under this type, or NULL.
void *mr_pjrt_context_find(const PJRT_ExecuteContext *context, int64_t type_id);

// ---- Calls ------------------------------------------------------------------------------------------------------------------

struct mr_op;
struct mr_attr;
struct mr_library_call;

// What a stage left for those that come after it.
typedef struct mr_pjrt_ffi_state {
  int64_t type_id;
  void *object;                   // NULL: none
  void (*deleter)(void *object);  // NULL: the type's
} mr_pjrt_ffi_state;
void mr_pjrt_ffi_state_deinit(mr_pjrt_ffi_state *state);

// What a handler sees as its XLA_FFI_InvokeContext.
struct XLA_FFI_InvokeContext {
  const PJRT_ExecuteContext *user;           // may be NULL
  mr_pjrt_ffi_state *state[XLA_FFI_STAGES];  // NULL where no stage can have left any
  int device;
  mr_group *group;  // whose threads run what the handler schedules; NULL: the handler's own
};

// Around the call of a handler that may schedule: says how many threads handlers occupy.
void mr_pjrt_ffi_enter(void);
void mr_pjrt_ffi_leave(void);

// Asks a handler for its version; on success those functions are for it.
mr_status mr_pjrt_ffi_api_for(XLA_FFI_Handler *handler, const XLA_FFI_Api **out_api) MR_WARN_UNUSED;
// Waits for a future that a handler returned, and releases it.
mr_status mr_pjrt_ffi_wait(XLA_FFI_Future *take_future) MR_WARN_UNUSED;
// Errors that handlers are given are made by these functions from then on, which stay as long as the process.
mr_status mr_pjrt_ffi_use_errors(const XLA_FFI_Api *api) MR_WARN_UNUSED;
mr_status mr_pjrt_ffi_status(XLA_FFI_Error *take_error) MR_WARN_UNUSED;

// The element type in XLA's numbering; 0 when XLA has none.
int mr_pjrt_ffi_dtype(mr_dtype dtype);
// A dictionary as handlers read it: everything lives in `arena`, names are sorted.
mr_status mr_pjrt_ffi_attrs(mr_arena *arena, const struct mr_attr *dict, XLA_FFI_Attrs *out) MR_WARN_UNUSED;

// The compiler's mr_custom_call_maker: the call for a custom_call op whose target has a handler of the op's kind; *out_call stays NULL
// for any other.
mr_status mr_pjrt_ffi_make_call(const struct mr_op *op, struct mr_library_call **out_call) MR_WARN_UNUSED;
// The same for a target whose handler is not typed.
mr_status mr_pjrt_ffi_make_untyped(const struct mr_op *op, struct mr_library_call **out_call) MR_WARN_UNUSED;

#endif
