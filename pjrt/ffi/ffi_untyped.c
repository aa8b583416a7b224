// Custom calls of the kinds that were there before typed handlers: a function that is given addresses alone. XLA:CPU's rules for them,
// by the call's api_version:
//
//   1  void f(void *out, const void **in)
//   2  void f(void *out, const void **in, XlaCustomCallStatus *status)
//   3  void f(void *out, const void **in, const char *opaque, size_t opaque_size, XlaCustomCallStatus *status)
//
// `out` is the result's memory, or where the call has a tuple or any number but one of results an array of theirs; `opaque` is the
// backend config.
#include <string.h>

#include "compiler/ir/calls.h"
#include "compiler/ir/ir.h"
#include "ops/library/library.h"
#include "pjrt/ffi/ffi.h"
#include "pjrt/ffi/ffi_ports.h"

typedef enum interface { ORIGINAL = 1, STATUS_RETURNING = 2, STATUS_RETURNING_UNIFIED = 3 } interface;

// The object of C++ that handlers know as XlaCustomCallStatus: an optional string, as libstdc++ and as libc++ lay it out. It is written
// by XLA's own function, which is part of the library that the handler is from; all zero it holds nothing.
typedef union call_status {
  struct {
    char *text;
    size_t size;
    char inside[16];  // short texts; otherwise malloc's
    bool is_set;
  } gnu;
  struct {
    char string[24];
    bool is_set;
  } llvm;
  void *room[16];
} call_status;

typedef struct untyped_call {
  mr_library_call base;
  mr_ffi_ports ports;
  mr_pjrt_ffi_untyped *function;
  interface interface;
  mr_str opaque;
  bool gives_array;
} untyped_call;

enum { CALL_COST_NS = 20000 };

// ---- Running ------------------------------------------------------------------------------------------------------------------

static mr_status status_of(const untyped_call *call, const call_status *said) {
  if (said->gnu.is_set) {
    mr_status status = mr_error(MR_INTERNAL, "custom call %s: %.*s", call->ports.target,
                                (int)MR_MIN(said->gnu.size, (size_t)4096), said->gnu.text);
    if (said->gnu.text != said->gnu.inside) {
      free(said->gnu.text);
    }
    return status;
  }
  return said->llvm.is_set ? mr_error(MR_INTERNAL, "custom call %s failed", call->ports.target) : MR_OK;
}

// The handler's type names an object of C++ that C has no name for; what points at one is passed as what any pointer may be passed as.
static mr_status call_function(const untyped_call *call, void *out, const void **in) {
  call_status said = {.room = {NULL}};
  switch (call->interface) {
  case ORIGINAL: ((void (*)(void *, const void **))call->function)(out, in); break;
  case STATUS_RETURNING: ((void (*)(void *, const void **, void *))call->function)(out, in, &said); break;
  case STATUS_RETURNING_UNIFIED:
    ((void (*)(void *, const void **, const char *, size_t, void *))call->function)(out, in, call->opaque.data,
                                                                                    call->opaque.size, &said);
    break;
  }
  return status_of(call, &said);
}

static mr_status run_with(const untyped_call *call, void *const *ours, void *scratch, void **memory) {
  const mr_ffi_ports *ports = &call->ports;
  void **results = memory + ports->num_operands;
  for (uint32_t i = 0; i < ports->num_operands + ports->num_results; i++) {
    memory[i] = mr_ffi_port_memory(&ports->items[i], ours[i], scratch);
  }
  for (uint32_t r = 0; r < ports->num_results; r++) {
    int32_t alias = ports->items[ports->num_operands + r].alias;
    if (alias >= 0) {
      memory[alias] = results[r];
    }
  }
  for (uint32_t i = 0; i < ports->num_operands; i++) {
    mr_ffi_port_copy_in(&ports->items[i], memory[i], ours[i]);
  }
  MR_TRY(call_function(call, call->gives_array ? (void *)results : results[0], (const void **)memory));
  for (uint32_t r = 0; r < ports->num_results; r++) {
    mr_ffi_port_copy_out(&ports->items[ports->num_operands + r], ours[ports->num_operands + r], results[r]);
  }
  return MR_OK;
}

static mr_status untyped_run(const mr_library_call *base, void *const *ours, void *scratch, mr_group *group) {
  (void)group;
  const untyped_call *call = (const untyped_call *)base;
  size_t total = (size_t)call->ports.num_operands + call->ports.num_results;
  if (total <= MR_FFI_STACK_PORTS) {
    void *memory[MR_FFI_STACK_PORTS + 1];
    return run_with(call, ours, scratch, memory);
  }
  void **memory = mr_alloc(total * sizeof *memory);
  if (!memory) {
    return MR_NO_MEMORY();
  }
  mr_status status = run_with(call, ours, scratch, memory);
  mr_free(memory);
  return status;
}

static void untyped_destroy(mr_library_call *base) {
  untyped_call *call = (untyped_call *)base;
  mr_arena_deinit(&call->ports.arena);
  mr_free(call);
}

// ---- Making -------------------------------------------------------------------------------------------------------------------

static mr_status fill(untyped_call *call, const mr_op *op) {
  const mr_attr *config = mr_op_attr(op, MR_ATTR_backend_config);
  MR_TRY(mr_ffi_ports_fill(&call->ports, op));
  call->base.scratch_bytes = call->ports.scratch_bytes;
  if (config && config->kind == MR_ATTR_STRING) {
    call->opaque = mr_arena_str(&call->ports.arena, config->string);
    if (!call->opaque.data) {
      return MR_NO_MEMORY();
    }
  }
  return MR_OK;
}

mr_status mr_pjrt_ffi_make_untyped(const mr_op *op, mr_library_call **out_call) {
  *out_call = NULL;
  int64_t version = mr_op_int(op, MR_ATTR_api_version, ORIGINAL);
  mr_pjrt_ffi_untyped *function = mr_pjrt_ffi_find_untyped(mr_op_string(op, MR_ATTR_call_target_name));
  if (!function || version < ORIGINAL || version > STATUS_RETURNING_UNIFIED) {
    return MR_OK;
  }
  untyped_call *call = mr_alloc_zeroed(1, sizeof *call);
  if (!call) {
    return MR_NO_MEMORY();
  }
  mr_arena_init(&call->ports.arena, 0);
  call->base.run = untyped_run;
  call->base.destroy = untyped_destroy;
  call->base.calls_host = true;
  call->base.cost_ns = CALL_COST_NS;
  call->function = function;
  call->interface = (interface)version;
  call->gives_array = op->num_results != 1 || mr_op_extra(op, MR_CALL_GAVE_TUPLE);
  mr_status status = fill(call, op);
  if (status) {
    untyped_destroy(&call->base);
    return mr_status_note(status, "custom call %.*s", MR_STR_ARG(mr_op_string(op, MR_ATTR_call_target_name)));
  }
  call->base.name = call->ports.target;
  *out_call = &call->base;
  return MR_OK;
}
