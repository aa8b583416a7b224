// Where a handler's operands and results lie: ours, or a copy in the order or the form that it wants.
#include "pjrt/ffi/ffi_ports.h"

#include <string.h>

#include "core/size.h"
#include "pjrt/ffi/ffi.h"
#include "pjrt/layout/layout.h"

enum { SCRATCH_ALIGNMENT = 64 };

// ---- Running ------------------------------------------------------------------------------------------------------------------

// The memory a handler sees for a port: ours, or its own copy in scratch.
void *mr_ffi_port_memory(const mr_ffi_port *port, void *ours, void *scratch) {
  static char nothing[64];  // arrays without elements have an address all the same
  bool own_copy = port->handler_strides || port->packed_bits;
  return own_copy ? (char *)scratch + port->scratch_offset : port->bytes == 0 ? nothing : ours;
}

static void pack(const mr_ffi_port *port, uint8_t *to, const uint8_t *ours) {
  unsigned bits = port->packed_bits, per_byte = 8 / bits;
  memset(to, 0, mr_size_parts(port->bytes, per_byte));
  for (size_t i = 0; i < port->bytes; i++) {
    to[i / per_byte] |= (uint8_t)((ours[i] & ((1u << bits) - 1)) << (i % per_byte * bits));
  }
}

static void unpack(const mr_ffi_port *port, uint8_t *ours, const uint8_t *from) {
  unsigned bits = port->packed_bits, per_byte = 8 / bits;
  for (size_t i = 0; i < port->bytes; i++) {
    ours[i] = (uint8_t)((unsigned)from[i / per_byte] >> (i % per_byte * bits) & ((1u << bits) - 1));
  }
}

void mr_ffi_port_copy_in(const mr_ffi_port *port, void *to, const void *ours) {
  if (port->packed_bits) {
    pack(port, to, ours);
  } else if (port->handler_strides) {
    mr_copy_strided(to, port->handler_strides, ours, port->our_strides, port->dims, port->rank, port->element_bytes);
  } else if (to != ours && port->bytes > 0) {
    memcpy(to, ours, port->bytes);
  }
}

void mr_ffi_port_copy_out(const mr_ffi_port *port, void *ours, const void *from) {
  if (port->packed_bits) {
    unpack(port, ours, from);
  } else if (port->handler_strides) {
    mr_copy_strided(ours, port->our_strides, from, port->handler_strides, port->dims, port->rank, port->element_bytes);
  }
}

// ---- Making -------------------------------------------------------------------------------------------------------------------

static void take_scratch(mr_ffi_ports *ports, mr_ffi_port *port, size_t bytes) {
  port->scratch_offset = ports->scratch_bytes;
  ports->scratch_bytes = mr_size_add(ports->scratch_bytes, mr_size_round(bytes, SCRATCH_ALIGNMENT));
}

// The handler's order of dimensions, when it differs from ours.
static mr_status fill_layout(mr_ffi_ports *ports, mr_ints order, mr_ffi_port *port) {
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
  port->handler_strides = mr_arena_array(&ports->arena, int64_t, port->rank);
  port->our_strides = mr_arena_array(&ports->arena, int64_t, port->rank);
  if (!port->handler_strides || !port->our_strides) {
    return MR_NO_MEMORY();
  }
  mr_pjrt_dense_strides(port->element_bytes, port->dims, port->rank, order.data, port->handler_strides);
  mr_pjrt_dense_strides(port->element_bytes, port->dims, port->rank, NULL, port->our_strides);
  take_scratch(ports, port, port->bytes);
  return MR_OK;
}

static mr_status fill_port(mr_ffi_ports *ports, const mr_type *type, const mr_attr *layouts, size_t index,
                           mr_ffi_port *port) {
  *port = (mr_ffi_port){.alias = -1};
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
  port->dims = mr_arena_array(&ports->arena, int64_t, type->rank + 1);
  if (!port->dims) {
    return MR_NO_MEMORY();
  }
  if (type->rank) {  // a scalar's dims may be NULL
    memcpy(port->dims, type->dims, type->rank * sizeof(int64_t));
  }
  if (mr_dtype_bits(type->dtype) < 8 && type->dtype != MR_PRED) {
    port->packed_bits = mr_dtype_bits(type->dtype);
    take_scratch(ports, port, port->bytes);
  }
  bool has_layout = layouts && layouts->kind == MR_ATTR_ARRAY && index < layouts->count;
  return has_layout ? fill_layout(ports, layouts->items[index].ints, port) : MR_OK;
}

static bool same_memory_form(const mr_ffi_port *a, const mr_ffi_port *b) {
  return a->bytes == b->bytes && a->packed_bits == b->packed_bits &&
         (a->handler_strides != NULL) == (b->handler_strides != NULL) &&
         (!a->handler_strides ||
          (a->rank == b->rank && memcmp(a->handler_strides, b->handler_strides, a->rank * sizeof(int64_t)) == 0));
}

static int64_t first_int(const mr_attr *list, int64_t fallback) {
  return list && list->kind == MR_ATTR_INTS && list->ints.size > 0 ? list->ints.data[0] : fallback;
}

static mr_status fill_aliases(mr_ffi_ports *ports, const mr_attr *aliases) {
  for (size_t i = 0; aliases && aliases->kind == MR_ATTR_ARRAY && i < aliases->count; i++) {
    const mr_attr *operand_attr = mr_dict_find(&aliases->items[i], "operand_index");
    // A call of one result says so with an empty index path.
    int64_t result = first_int(mr_dict_find(&aliases->items[i], "output_tuple_indices"), 0);
    int64_t operand = operand_attr && operand_attr->kind == MR_ATTR_INT ? operand_attr->integer : -1;
    if (operand < 0 || operand >= ports->num_operands || result < 0 || result >= ports->num_results ||
        !same_memory_form(&ports->items[operand], &ports->items[ports->num_operands + result])) {
      return mr_error(MR_INVALID_ARGUMENT, "output_operand_aliases: result %lld and operand %lld cannot share memory",
                      (long long)result, (long long)operand);
    }
    ports->items[ports->num_operands + result].alias = (int32_t)operand;
  }
  return MR_OK;
}

mr_status mr_ffi_ports_fill(mr_ffi_ports *ports, const mr_op *op) {
  mr_str target = mr_op_string(op, MR_ATTR_call_target_name);
  ports->num_operands = op->num_operands;
  ports->num_results = op->num_results;
  ports->items = mr_arena_array(&ports->arena, mr_ffi_port, op->num_operands + op->num_results + 1);
  ports->target = mr_arena_alloc(&ports->arena, target.size + 1);
  if (!ports->items || !ports->target) {
    return MR_NO_MEMORY();
  }
  memcpy(ports->target, target.data, target.size);
  const mr_attr *in_layouts = mr_op_attr(op, MR_ATTR_operand_layouts),
                *out_layouts = mr_op_attr(op, MR_ATTR_result_layouts);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    MR_TRY(fill_port(ports, &mr_op_operand(op, i)->type, in_layouts, i, &ports->items[i]));
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    MR_TRY(fill_port(ports, &op->results[i].type, out_layouts, i, &ports->items[op->num_operands + i]));
  }
  return fill_aliases(ports, mr_op_attr(op, MR_ATTR_output_operand_aliases));
}
