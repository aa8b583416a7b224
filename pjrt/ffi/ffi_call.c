// One custom call through a typed FFI handler: its call frame is made when the program is compiled and filled in per run.
#include <string.h>

#include "compiler/ir/ir.h"
#include "core/size.h"
#include "core/trace.h"
#include "ops/library/library.h"
#include "pjrt/abi/api.h"
#include "pjrt/ffi/ffi.h"
#include "pjrt/ffi/ffi_ports.h"

typedef struct ffi_call {
  mr_library_call base;
  mr_ffi_ports ports;
  mr_pjrt_ffi_handlers handlers;
  mr_pjrt_ffi_state instance;  // what instantiate left; not written after the call is made
  XLA_FFI_Attrs attrs;
} ffi_call;

// A callback into Python and back, roughly; LAPACK routines take what they take.
enum { CALL_COST_NS = 20000 };

// ---- Running ------------------------------------------------------------------------------------------------------------------

typedef struct frame_storage {
  XLA_FFI_Buffer *buffers;  // operands, then results
  void **pointers;
  int *types;
} frame_storage;

// Operands that share memory with a result are copied there; others that need another order are copied to scratch.
static void prepare_buffers(const ffi_call *call, void *const *ours, void *scratch, frame_storage *frame) {
  uint32_t total = call->ports.num_operands + call->ports.num_results;
  for (uint32_t i = 0; i < total; i++) {
    const mr_ffi_port *port = &call->ports.items[i];
    frame->buffers[i] = (XLA_FFI_Buffer){.struct_size = sizeof(XLA_FFI_Buffer),
                                         .dtype = port->dtype,
                                         .data = mr_ffi_port_memory(port, ours[i], scratch),
                                         .rank = port->rank,
                                         .dims = port->dims};
    frame->pointers[i] = &frame->buffers[i];
    frame->types[i] = XLA_FFI_ARG_BUFFER;
  }
  for (uint32_t r = 0; r < call->ports.num_results; r++) {
    const mr_ffi_port *port = &call->ports.items[call->ports.num_operands + r];
    if (port->alias >= 0) {
      frame->buffers[port->alias].data = frame->buffers[call->ports.num_operands + r].data;
    }
  }
  for (uint32_t i = 0; i < call->ports.num_operands; i++) {
    mr_ffi_port_copy_in(&call->ports.items[i], frame->buffers[i].data, ours[i]);
  }
}

static void copy_results_out(const ffi_call *call, void *const *ours, const frame_storage *frame) {
  for (uint32_t i = call->ports.num_operands; i < call->ports.num_operands + call->ports.num_results; i++) {
    mr_ffi_port_copy_out(&call->ports.items[i], ours[i], frame->buffers[i].data);
  }
}

// `frame` NULL: when a program is compiled there are no operands and results yet. *out_future: what the handler says it will be over
// with, NULL when it is; without a place for it that is waited for.
static mr_status call_stage(const ffi_call *call, XLA_FFI_Stage stage, XLA_FFI_InvokeContext *context,
                            const frame_storage *frame, XLA_FFI_Future **out_future) {
  XLA_FFI_CallFrame call_frame = {
      .struct_size = XLA_FFI_CALL_FRAME_SIZE,
      .api = call->handlers.apis[stage],
      .ctx = context,
      .stage = stage,
      .args = {.struct_size = sizeof(XLA_FFI_Args)},
      .rets = {.struct_size = sizeof(XLA_FFI_Args)},
      .attrs = call->attrs,
  };
  if (frame) {
    call_frame.args.size = call->ports.num_operands;
    call_frame.args.types = frame->types;
    call_frame.args.args = frame->pointers;
    call_frame.rets.size = call->ports.num_results;
    call_frame.rets.types = frame->types + call->ports.num_operands;
    call_frame.rets.args = frame->pointers + call->ports.num_operands;
  }
  mr_status status = mr_pjrt_ffi_status(call->handlers.stages[stage](&call_frame));
  if (out_future && !status) {
    *out_future = call_frame.future;
  } else if (call_frame.future) {
    status = mr_status_join(status, mr_pjrt_ffi_wait(call_frame.future));
  }
  return mr_status_note(status, "custom call %s", call->ports.target);
}

static void drop_states(mr_pjrt_ffi_state *states) {
  for (int stage = 0; stage < XLA_FFI_STAGES; stage++) {
    mr_pjrt_ffi_state_deinit(&states[stage]);
  }
}

// Prepare, initialize and execute, which share what they leave for each other in `states`.
static mr_status call_handler(const ffi_call *call, const frame_storage *frame, mr_group *group,
                              mr_pjrt_ffi_state *states, XLA_FFI_Future **out_future) {
  mr_pjrt_ffi_state instance = call->instance;
  XLA_FFI_InvokeContext context = {.user = (const PJRT_ExecuteContext *)mr_call_context_current(),
                                   .device = MR_MAX(mr_trace_device, 0),
                                   .group = group};
  if (call->handlers.stages[XLA_FFI_STAGE_INSTANTIATE]) {
    context.state[XLA_FFI_STAGE_INSTANTIATE] = &instance;
  }
  mr_status status = MR_OK;
  mr_pjrt_ffi_enter();
  for (int stage = XLA_FFI_STAGE_PREPARE; !status && stage < XLA_FFI_STAGES; stage++) {
    if (call->handlers.stages[stage]) {
      context.state[stage] = stage < XLA_FFI_STAGE_EXECUTE ? &states[stage] : NULL;
      status =
          call_stage(call, (XLA_FFI_Stage)stage, &context, frame, stage == XLA_FFI_STAGE_EXECUTE ? out_future : NULL);
    }
  }
  mr_pjrt_ffi_leave();
  return status;
}

static mr_status instantiate(ffi_call *call) {
  XLA_FFI_InvokeContext context = {.state[XLA_FFI_STAGE_INSTANTIATE] = &call->instance};
  return call->handlers.stages[XLA_FFI_STAGE_INSTANTIATE]
             ? call_stage(call, XLA_FFI_STAGE_INSTANTIATE, &context, NULL, NULL)
             : MR_OK;
}

// A call whose handler has said that it will be over later: what is left to do then, and what the handler may look at meanwhile.
typedef struct ffi_pending {
  mr_waiter waiter;
  mr_future *handler, *done;
  const ffi_call *call;
  mr_pjrt_ffi_state states[XLA_FFI_STAGES];
  frame_storage frame;
  void **ours;
} ffi_pending;

static size_t total_of(const ffi_call *call) { return (size_t)call->ports.num_operands + call->ports.num_results; }

static void ffi_is_over(mr_waiter *waiter, mr_status status) {
  ffi_pending *self = MR_CONTAINER_OF(waiter, ffi_pending, waiter);
  mr_future *done = self->done;
  mr_status result = mr_status_note(mr_status_retain(status), "custom call %s", self->call->ports.target);
  if (!result) {
    copy_results_out(self->call, self->ours, &self->frame);
  }
  drop_states(self->states);
  mr_future_release(self->handler);
  mr_free(self);
  mr_future_set(done, result);
  mr_future_release(done);
}

// Everything that is on the stack of who began it. NULL without memory.
static ffi_pending *pend(const ffi_call *call, void *const *ours, const frame_storage *frame,
                         mr_pjrt_ffi_state *take_states) {
  size_t total = total_of(call);
  ffi_pending *self = mr_alloc(sizeof *self + total * (sizeof(XLA_FFI_Buffer) + sizeof(void *)));
  if (self == NULL) {
    return NULL;
  }
  *self = (ffi_pending){.waiter.run = ffi_is_over, .call = call};
  self->frame.buffers = (XLA_FFI_Buffer *)(self + 1);
  self->ours = (void **)(self->frame.buffers + total);
  if (total) {
    memcpy(self->frame.buffers, frame->buffers, total * sizeof(XLA_FFI_Buffer));
    memcpy(self->ours, ours, total * sizeof(void *));
  }
  memcpy(self->states, take_states, sizeof self->states);
  return self;
}

// What is waited for here when there is no memory to do so elsewhere.
static mr_status start_in(const ffi_call *call, void *const *ours, void *scratch, const frame_storage *frame,
                          mr_group *group, mr_future **out_done) {
  mr_pjrt_ffi_state states[XLA_FFI_STAGES] = {{0}};
  frame_storage storage = *frame;
  prepare_buffers(call, ours, scratch, &storage);
  XLA_FFI_Future *later = NULL;
  mr_status status = call_handler(call, &storage, group, states, &later);
  mr_future *handler = (mr_future *)later, *done = NULL;
  ffi_pending *self = NULL;
  if (handler && !mr_future_is_set(handler)) {
    status = mr_future_create(&done);
    self = status ? NULL : pend(call, ours, &storage, states);
    mr_status_free(status);
    status = MR_OK;
  }
  if (self) {
    self->handler = handler;
    self->done = done;
    *out_done = mr_future_retain(done);
    mr_future_then(handler, &self->waiter);
    return MR_OK;
  }
  mr_future_release(done);
  if (handler) {
    status = mr_status_note(mr_pjrt_ffi_wait(later), "custom call %s", call->ports.target);
  }
  drop_states(states);
  if (!status) {
    copy_results_out(call, ours, &storage);
  }
  return status;
}

static mr_status ffi_start(const mr_library_call *base, void *const *ours, void *scratch, mr_group *group,
                           mr_future **out_done) {
  const ffi_call *call = (const ffi_call *)base;
  *out_done = NULL;
  size_t total = total_of(call);
  if (total <= MR_FFI_STACK_PORTS) {
    XLA_FFI_Buffer buffers[MR_FFI_STACK_PORTS];
    void *pointers[MR_FFI_STACK_PORTS];
    int types[MR_FFI_STACK_PORTS];
    return start_in(call, ours, scratch, &(frame_storage){buffers, pointers, types}, group, out_done);
  }
  char *block = mr_alloc(total * (sizeof(XLA_FFI_Buffer) + sizeof(void *) + sizeof(int)));
  if (block == NULL) {
    return MR_NO_MEMORY();
  }
  frame_storage frame = {.buffers = (XLA_FFI_Buffer *)block};
  frame.pointers = (void **)(frame.buffers + total);
  frame.types = (int *)(frame.pointers + total);
  mr_status status = start_in(call, ours, scratch, &frame, group, out_done);
  mr_free(block);
  return status;
}

// For who wants it over when this returns.
static mr_status ffi_run(const mr_library_call *base, void *const *ours, void *scratch, mr_group *group) {
  mr_future *done;
  mr_status status = ffi_start(base, ours, scratch, group, &done);
  return done ? mr_pjrt_ffi_wait((XLA_FFI_Future *)done) : status;
}

static void ffi_destroy(mr_library_call *base) {
  ffi_call *call = (ffi_call *)base;
  mr_pjrt_ffi_state_deinit(&call->instance);
  mr_arena_deinit(&call->ports.arena);
  mr_free(call);
}

// ---- Making -------------------------------------------------------------------------------------------------------------------

static mr_status fill_call(ffi_call *call, const mr_op *op, const mr_attr *attributes) {
  MR_TRY(mr_ffi_ports_fill(&call->ports, op));
  call->base.scratch_bytes = call->ports.scratch_bytes;
  return mr_pjrt_ffi_attrs(&call->ports.arena, attributes, &call->attrs);
}

// Typed calls carry a dictionary, as the op's backend config or beside an empty textual one, or say by their version that
// they are typed and leave an empty dictionary out.
static const mr_attr *typed_attributes(const mr_op *op) {
  static const mr_attr none = {.kind = MR_ATTR_DICT};
  enum { VERSION_TYPED = 4 };
  const mr_attr *own = mr_op_attr(op, MR_ATTR_backend_config), *beside = mr_op_extra(op, "mhlo.backend_config");
  if (own && own->kind == MR_ATTR_DICT) {
    return own;
  }
  if (beside && beside->kind == MR_ATTR_DICT) {
    return beside;
  }
  bool empty = !own || (own->kind == MR_ATTR_STRING && own->string.size == 0);
  return empty && mr_op_int(op, MR_ATTR_api_version, 0) == VERSION_TYPED ? &none : NULL;
}

mr_status mr_pjrt_ffi_make_call(const mr_op *op, mr_library_call **out_call) {
  *out_call = NULL;
  const mr_attr *attributes = typed_attributes(op);
  mr_pjrt_ffi_handlers handlers;
  if (!attributes) {
    return mr_pjrt_ffi_make_untyped(op, out_call);
  }
  if (!mr_pjrt_ffi_find(mr_op_string(op, MR_ATTR_call_target_name), &handlers)) {
    return MR_OK;
  }
  ffi_call *call = mr_alloc_zeroed(1, sizeof *call);
  if (call == NULL) {
    return MR_NO_MEMORY();
  }
  mr_arena_init(&call->ports.arena, 0);
  call->base.run = ffi_run;
  call->base.start = ffi_start;
  call->base.calls_host = true;
  call->base.destroy = ffi_destroy;
  call->base.cost_ns = CALL_COST_NS;
  call->handlers = handlers;
  mr_status status = fill_call(call, op, attributes);
  status = status ? status : instantiate(call);
  if (status) {
    ffi_destroy(&call->base);
    return mr_status_note(status, "custom call %.*s", MR_STR_ARG(mr_op_string(op, MR_ATTR_call_target_name)));
  }
  call->base.name = call->ports.target;
  *out_call = &call->base;
  return MR_OK;
}
