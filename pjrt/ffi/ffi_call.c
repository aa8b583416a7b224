// One custom call through a typed FFI handler: its call frame is made when the program is compiled and filled in per run.
#include <string.h>

#include "compiler/ir/ir.h"
#include "core/size.h"
#include "core/trace.h"
#include "ops/library/library.h"
#include "pjrt/abi/api.h"
#include "pjrt/ffi/ffi.h"
#include "pjrt/layout/layout.h"

// One operand or result.
typedef struct ffi_port {
  int dtype;  // XLA's number
  size_t element_bytes, bytes;
  uint32_t rank;
  int64_t *dims;
  // Elements narrower than a byte: handlers take them packed, from the low bits up, where we give each its own byte.
  unsigned packed_bits;  // 0: not packed
  // Where the handler wants another order of dimensions than ours: its byte strides, and where its copy lies in scratch.
  int64_t *handler_strides, *our_strides;
  size_t scratch_offset;
  int32_t alias;  // of a result: the operand that shares its memory; -1: none
} ffi_port;

typedef struct ffi_call {
  mr_library_call base;
  mr_arena arena;  // everything below
  mr_pjrt_ffi_handlers handlers;
  mr_pjrt_ffi_state instance;  // what instantiate left; not written after the call is made
  char *target;
  uint32_t num_operands, num_results;
  ffi_port *ports;  // operands, then results
  XLA_FFI_Attrs attrs;
} ffi_call;

// A callback into Python and back, roughly; LAPACK routines take what they take.
enum { CALL_COST_NS = 20000, SCRATCH_ALIGNMENT = 64, MAX_STACK_PORTS = 64 };

// ---- Running ------------------------------------------------------------------------------------------------------------------

typedef struct frame_storage {
  XLA_FFI_Buffer *buffers;  // operands, then results
  void **pointers;
  int *types;
} frame_storage;

// The memory a handler sees for a port: ours, or its own copy in scratch.
static void *handler_memory(const ffi_port *port, void *ours, void *scratch) {
  static char nothing[64];  // arrays without elements have an address all the same
  bool own_copy = port->handler_strides || port->packed_bits;
  return own_copy ? (char *)scratch + port->scratch_offset : port->bytes == 0 ? nothing : ours;
}

static void pack(const ffi_port *port, uint8_t *to, const uint8_t *ours) {
  unsigned bits = port->packed_bits, per_byte = 8 / bits;
  memset(to, 0, mr_size_parts(port->bytes, per_byte));
  for (size_t i = 0; i < port->bytes; i++) {
    to[i / per_byte] |= (uint8_t)((ours[i] & ((1u << bits) - 1)) << (i % per_byte * bits));
  }
}

static void unpack(const ffi_port *port, uint8_t *ours, const uint8_t *from) {
  unsigned bits = port->packed_bits, per_byte = 8 / bits;
  for (size_t i = 0; i < port->bytes; i++) {
    ours[i] = (uint8_t)((unsigned)from[i / per_byte] >> (i % per_byte * bits) & ((1u << bits) - 1));
  }
}

static void copy_in(const ffi_port *port, void *to, const void *ours) {
  if (port->packed_bits) {
    pack(port, to, ours);
  } else if (port->handler_strides) {
    mr_copy_strided(to, port->handler_strides, ours, port->our_strides, port->dims, port->rank, port->element_bytes);
  } else if (to != ours && port->bytes > 0) {
    memcpy(to, ours, port->bytes);
  }
}

// Operands that share memory with a result are copied there; others that need another order are copied to scratch.
static void prepare_buffers(const ffi_call *call, void *const *ours, void *scratch, frame_storage *frame) {
  uint32_t total = call->num_operands + call->num_results;
  for (uint32_t i = 0; i < total; i++) {
    const ffi_port *port = &call->ports[i];
    frame->buffers[i] = (XLA_FFI_Buffer){.struct_size = sizeof(XLA_FFI_Buffer),
                                         .dtype = port->dtype,
                                         .data = handler_memory(port, ours[i], scratch),
                                         .rank = port->rank,
                                         .dims = port->dims};
    frame->pointers[i] = &frame->buffers[i];
    frame->types[i] = XLA_FFI_ARG_BUFFER;
  }
  for (uint32_t r = 0; r < call->num_results; r++) {
    const ffi_port *port = &call->ports[call->num_operands + r];
    if (port->alias >= 0) {
      frame->buffers[port->alias].data = frame->buffers[call->num_operands + r].data;
    }
  }
  for (uint32_t i = 0; i < call->num_operands; i++) {
    copy_in(&call->ports[i], frame->buffers[i].data, ours[i]);
  }
}

static void copy_results_out(const ffi_call *call, void *const *ours, const frame_storage *frame) {
  for (uint32_t i = call->num_operands; i < call->num_operands + call->num_results; i++) {
    const ffi_port *port = &call->ports[i];
    if (port->packed_bits) {
      unpack(port, ours[i], frame->buffers[i].data);
    } else if (port->handler_strides) {
      mr_copy_strided(ours[i], port->our_strides, frame->buffers[i].data, port->handler_strides, port->dims, port->rank,
                      port->element_bytes);
    }
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
    call_frame.args.size = call->num_operands;
    call_frame.args.types = frame->types;
    call_frame.args.args = frame->pointers;
    call_frame.rets.size = call->num_results;
    call_frame.rets.types = frame->types + call->num_operands;
    call_frame.rets.args = frame->pointers + call->num_operands;
  }
  mr_status status = mr_pjrt_ffi_status(call->handlers.stages[stage](&call_frame));
  if (out_future && !status) {
    *out_future = call_frame.future;
  } else if (call_frame.future) {
    status = mr_status_join(status, mr_pjrt_ffi_wait(call_frame.future));
  }
  return mr_status_note(status, "custom call %s", call->target);
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

static size_t total_of(const ffi_call *call) { return (size_t)call->num_operands + call->num_results; }

static void ffi_is_over(mr_waiter *waiter, mr_status status) {
  ffi_pending *self = MR_CONTAINER_OF(waiter, ffi_pending, waiter);
  mr_future *done = self->done;
  mr_status result = mr_status_note(mr_status_retain(status), "custom call %s", self->call->target);
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
    status = mr_status_note(mr_pjrt_ffi_wait(later), "custom call %s", call->target);
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
  if (total <= MAX_STACK_PORTS) {
    XLA_FFI_Buffer buffers[MAX_STACK_PORTS];
    void *pointers[MAX_STACK_PORTS];
    int types[MAX_STACK_PORTS];
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
  mr_arena_deinit(&call->arena);
  mr_free(call);
}

// ---- Making -------------------------------------------------------------------------------------------------------------------

static void take_scratch(ffi_call *call, ffi_port *port, size_t bytes) {
  port->scratch_offset = call->base.scratch_bytes;
  call->base.scratch_bytes = mr_size_add(call->base.scratch_bytes, mr_size_round(bytes, SCRATCH_ALIGNMENT));
}

// The handler's order of dimensions, when it differs from ours.
static mr_status fill_layout(ffi_call *call, mr_ints order, ffi_port *port) {
  PJRT_Layouts_MemoryLayout *layout;
  if (order.size != port->rank) {
    return mr_error(MR_INVALID_ARGUMENT, "a layout of rank %zu for an array of rank %u", order.size, port->rank);
  }
  MR_TRY(mr_pjrt_layout_create(order.data, order.size, &layout));
  bool ours = mr_pjrt_layout_is_row_major(layout);
  mr_pjrt_layout_release(layout);
  if (ours) {
    return MR_OK;
  }
  if (port->packed_bits) {
    return mr_error(MR_UNIMPLEMENTED, "packed elements in an order other than row-major");
  }
  port->handler_strides = mr_arena_array(&call->arena, int64_t, port->rank);
  port->our_strides = mr_arena_array(&call->arena, int64_t, port->rank);
  if (!port->handler_strides || !port->our_strides) {
    return MR_NO_MEMORY();
  }
  mr_pjrt_dense_strides(port->element_bytes, port->dims, port->rank, order.data, port->handler_strides);
  mr_pjrt_dense_strides(port->element_bytes, port->dims, port->rank, NULL, port->our_strides);
  take_scratch(call, port, port->bytes);
  return MR_OK;
}

static mr_status fill_port(ffi_call *call, const mr_type *type, const mr_attr *layouts, size_t index, ffi_port *port) {
  *port = (ffi_port){.alias = -1};
  if (type->kind == MR_TYPE_TOKEN) {
    port->dtype = mr_pjrt_ffi_dtype(MR_TOKEN);
    return MR_OK;
  }
  if (type->kind != MR_TYPE_TENSOR || !mr_type_is_static(type)) {
    return mr_error(MR_UNIMPLEMENTED, "an FFI call with values that are not static tensors");
  }
  port->dtype = mr_pjrt_ffi_dtype(type->dtype);
  if (port->dtype == 0) {
    return mr_error(MR_UNIMPLEMENTED, "an FFI call with elements of type %s", mr_dtype_name(type->dtype));
  }
  port->element_bytes = mr_dtype_bytes(type->dtype);
  port->bytes = mr_type_bytes(type);
  port->rank = type->rank;
  port->dims = mr_arena_array(&call->arena, int64_t, type->rank + 1);
  if (!port->dims) {
    return MR_NO_MEMORY();
  }
  if (type->rank) {  // a scalar's dims may be NULL
    memcpy(port->dims, type->dims, type->rank * sizeof(int64_t));
  }
  if (mr_dtype_bits(type->dtype) < 8 && type->dtype != MR_PRED) {
    port->packed_bits = mr_dtype_bits(type->dtype);
    take_scratch(call, port, port->bytes);
  }
  bool has_layout = layouts && layouts->kind == MR_ATTR_ARRAY && index < layouts->count;
  return has_layout ? fill_layout(call, layouts->items[index].ints, port) : MR_OK;
}

static bool same_memory_form(const ffi_port *a, const ffi_port *b) {
  return a->bytes == b->bytes && a->packed_bits == b->packed_bits &&
         (a->handler_strides != NULL) == (b->handler_strides != NULL) &&
         (!a->handler_strides ||
          (a->rank == b->rank && memcmp(a->handler_strides, b->handler_strides, a->rank * sizeof(int64_t)) == 0));
}

static int64_t first_int(const mr_attr *list, int64_t fallback) {
  return list && list->kind == MR_ATTR_INTS && list->ints.size > 0 ? list->ints.data[0] : fallback;
}

static mr_status fill_aliases(ffi_call *call, const mr_attr *aliases) {
  for (size_t i = 0; aliases && aliases->kind == MR_ATTR_ARRAY && i < aliases->count; i++) {
    const mr_attr *operand_attr = mr_dict_find(&aliases->items[i], "operand_index");
    // A call of one result says so with an empty index path.
    int64_t result = first_int(mr_dict_find(&aliases->items[i], "output_tuple_indices"), 0);
    int64_t operand = operand_attr && operand_attr->kind == MR_ATTR_INT ? operand_attr->integer : -1;
    if (operand < 0 || operand >= call->num_operands || result < 0 || result >= call->num_results ||
        !same_memory_form(&call->ports[operand], &call->ports[call->num_operands + result])) {
      return mr_error(MR_INVALID_ARGUMENT, "output_operand_aliases: result %lld and operand %lld cannot share memory",
                      (long long)result, (long long)operand);
    }
    call->ports[call->num_operands + result].alias = (int32_t)operand;
  }
  return MR_OK;
}

static mr_status fill_call(ffi_call *call, const mr_op *op, const mr_attr *attributes) {
  mr_str target = mr_op_string(op, MR_ATTR_call_target_name);
  call->num_operands = op->num_operands;
  call->num_results = op->num_results;
  call->ports = mr_arena_array(&call->arena, ffi_port, op->num_operands + op->num_results + 1);
  call->target = mr_arena_alloc(&call->arena, target.size + 1);
  if (!call->ports || !call->target) {
    return MR_NO_MEMORY();
  }
  memcpy(call->target, target.data, target.size);
  const mr_attr *in_layouts = mr_op_attr(op, MR_ATTR_operand_layouts),
                *out_layouts = mr_op_attr(op, MR_ATTR_result_layouts);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    MR_TRY(fill_port(call, &mr_op_operand(op, i)->type, in_layouts, i, &call->ports[i]));
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    MR_TRY(fill_port(call, &op->results[i].type, out_layouts, i, &call->ports[op->num_operands + i]));
  }
  MR_TRY(fill_aliases(call, mr_op_attr(op, MR_ATTR_output_operand_aliases)));
  return mr_pjrt_ffi_attrs(&call->arena, attributes, &call->attrs);
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
  if (!mr_pjrt_ffi_find(mr_op_string(op, MR_ATTR_call_target_name), &handlers) || !attributes) {
    return MR_OK;
  }
  ffi_call *call = mr_alloc_zeroed(1, sizeof *call);
  if (call == NULL) {
    return MR_NO_MEMORY();
  }
  mr_arena_init(&call->arena, 0);
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
  call->base.name = call->target;
  *out_call = &call->base;
  return MR_OK;
}
