// The layouts in compile options: serialized shapes, of which only the order of dimensions says something new.
#include <string.h>

#include "pjrt/proto/option_layouts.h"
#include "pjrt/proto/options.pb-c.h"

enum { XLA_TUPLE = 13 };

static mr_status read_order(mr_arena *arena, const Millrace__Shape *shape, mr_ints *out) {
  const Millrace__Layout *layout = shape->layout;
  *out = (mr_ints){0};
  if (layout == NULL || layout->n_minor_to_major == 0) {
    return MR_OK;
  }
  if (layout->n_minor_to_major != shape->n_dimensions || shape->n_dimensions > MR_MAX_RANK) {
    return mr_error(MR_INVALID_ARGUMENT, "compile options: a layout of %zu dimensions for a shape of %zu",
                    layout->n_minor_to_major, shape->n_dimensions);
  }
  int64_t *order = mr_arena_copy(arena, layout->minor_to_major, layout->n_minor_to_major * sizeof(int64_t));
  *out = (mr_ints){order, layout->n_minor_to_major};
  return order ? MR_OK : MR_NO_MEMORY();
}

static mr_status unpack(ProtobufCBinaryData bytes, ProtobufCAllocator *allocator, Millrace__Shape **out) {
  *out = millrace__shape__unpack(allocator, bytes.len, bytes.data);
  return *out ? MR_OK
              : mr_error(MR_INVALID_ARGUMENT, "compile options: %zu bytes of a layout are not a ShapeProto", bytes.len);
}

mr_status mr_pjrt_read_layouts(mr_arena *arena, ProtobufCAllocator *allocator, const ProtobufCBinaryData *shapes,
                               size_t count, mr_pjrt_layout_requests *out) {
  *out = (mr_pjrt_layout_requests){0};
  if (count == 0) {
    return MR_OK;
  }
  out->orders = mr_arena_array(arena, mr_ints, count);
  if (out->orders == NULL) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    Millrace__Shape *shape;
    MR_TRY(unpack(shapes[i], allocator, &shape));
    mr_status status = read_order(arena, shape, &out->orders[i]);
    millrace__shape__free_unpacked(shape, allocator);
    MR_TRY(status);
  }
  out->count = count;
  return MR_OK;
}

// A tuple's shapes are those of the results; another shape is that of the only one.
mr_status mr_pjrt_read_result_layout(mr_arena *arena, ProtobufCAllocator *allocator, ProtobufCBinaryData bytes,
                                     mr_pjrt_layout_requests *out) {
  *out = (mr_pjrt_layout_requests){0};
  if (bytes.len == 0) {
    return MR_OK;
  }
  Millrace__Shape *shape;
  MR_TRY(unpack(bytes, allocator, &shape));
  mr_status status = shape->element_type == XLA_TUPLE
                         ? mr_pjrt_read_layouts(arena, allocator, shape->tuple_shapes, shape->n_tuple_shapes, out)
                         : mr_pjrt_read_layouts(arena, allocator, &bytes, 1, out);
  millrace__shape__free_unpacked(shape, allocator);
  return status;
}
