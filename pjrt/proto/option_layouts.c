// Layouts in serialized shapes: those of compile options, and those that hosts are given.
#include <string.h>

#include "pjrt/layout/layout.h"
#include "pjrt/proto/message.h"
#include "pjrt/proto/option_layouts.h"
#include "pjrt/proto/options.pb-c.h"

enum { XLA_TUPLE = 13 };

static mr_status read_tiles(const Millrace__Layout *layout, mr_pjrt_layout_spec *spec) {
  if (layout->n_tiles > MR_PJRT_MAX_TILES) {
    return mr_error(MR_UNIMPLEMENTED, "compile options: a layout with %zu levels of tiles: at most %d", layout->n_tiles,
                    MR_PJRT_MAX_TILES);
  }
  for (size_t i = 0; i < layout->n_tiles; i++) {
    size_t count = layout->tiles[i]->n_dimensions;
    if (count > MR_PJRT_MAX_TILE_SIZES - spec->num_tile_sizes) {
      return mr_error(MR_UNIMPLEMENTED, "compile options: tile %zu has %zu sizes: at most %d of all tiles together", i,
                      count, MR_PJRT_MAX_TILE_SIZES);
    }
    if (count) {
      memcpy(&spec->tile_sizes[spec->num_tile_sizes], layout->tiles[i]->dimensions, count * sizeof(int64_t));
    }
    spec->tile_ranks[i] = count;
    spec->num_tile_sizes += count;
  }
  spec->num_tiles = layout->n_tiles;
  return MR_OK;
}

// Without an order the choice is left open, except for scalars, which have none.
static mr_status read_layout(const Millrace__Shape *shape, PJRT_Layouts_MemoryLayout **out) {
  const Millrace__Layout *layout = shape->layout;
  *out = NULL;
  if (layout == NULL || (layout->n_minor_to_major == 0 && (shape->n_dimensions || layout->n_tiles == 0))) {
    return MR_OK;
  }
  if (layout->n_minor_to_major != shape->n_dimensions || shape->n_dimensions > MR_MAX_RANK) {
    return mr_error(MR_INVALID_ARGUMENT, "compile options: a layout of %zu dimensions for a shape of %zu",
                    layout->n_minor_to_major, shape->n_dimensions);
  }
  mr_pjrt_layout_spec spec = {
      .rank = shape->n_dimensions,
      .element_bits = layout->element_size_in_bits,
      .tail_alignment = layout->tail_padding_alignment_in_elements ? layout->tail_padding_alignment_in_elements : 1};
  if (spec.rank) {
    memcpy(spec.order, layout->minor_to_major, spec.rank * sizeof(int64_t));
  }
  MR_TRY(read_tiles(layout, &spec));
  return mr_status_note(mr_pjrt_layout_of_spec(&spec, out), "compile options");
}

static mr_status unpack(mr_arena *arena, ProtobufCBinaryData bytes, const Millrace__Shape **out) {
  ProtobufCMessage *message = NULL;
  mr_status status = mr_proto_unpack(&millrace__shape__descriptor, "compile options: layout",
                                     (mr_span){bytes.data, bytes.len}, arena, &message);
  *out = (const Millrace__Shape *)message;
  return status;
}

mr_status mr_pjrt_read_layouts(mr_arena *arena, const ProtobufCBinaryData *shapes, size_t count,
                               mr_pjrt_layout_requests *out) {
  *out = (mr_pjrt_layout_requests){0};
  if (count == 0) {
    return MR_OK;
  }
  out->layouts = mr_arena_array(arena, PJRT_Layouts_MemoryLayout *, count);
  if (out->layouts == NULL) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    const Millrace__Shape *shape;
    MR_TRY(unpack(arena, shapes[i], &shape));
    MR_TRY(read_layout(shape, &out->layouts[i]));
  }
  out->count = count;
  return MR_OK;
}

// A tuple's shapes are those of the results; another shape is that of the only one.
mr_status mr_pjrt_read_result_layout(mr_arena *arena, ProtobufCBinaryData bytes, mr_pjrt_layout_requests *out) {
  *out = (mr_pjrt_layout_requests){0};
  if (bytes.len == 0) {
    return MR_OK;
  }
  const Millrace__Shape *shape;
  MR_TRY(unpack(arena, bytes, &shape));
  return shape->element_type == XLA_TUPLE ? mr_pjrt_read_layouts(arena, shape->tuple_shapes, shape->n_tuple_shapes, out)
                                          : mr_pjrt_read_layouts(arena, &bytes, 1, out);
}

// ---- Writing ---------------------------------------------------------------------------------------------------------------

// protobuf-c's structs are not const-correct; packing only reads.
static void fill_layout(const mr_pjrt_layout_spec *spec, Millrace__Tile *tiles, Millrace__Tile **tile_list,
                        Millrace__Layout *out) {
  const int64_t *sizes = spec->tile_sizes;
  out->minor_to_major = (int64_t *)spec->order;
  out->n_minor_to_major = spec->rank;
  for (size_t i = 0; i < spec->num_tiles; i++) {
    tiles[i] = (Millrace__Tile)MILLRACE__TILE__INIT;
    tiles[i].dimensions = (int64_t *)sizes;
    tiles[i].n_dimensions = spec->tile_ranks[i];
    tile_list[i] = &tiles[i];
    sizes += spec->tile_ranks[i];
  }
  out->tiles = tile_list;
  out->n_tiles = spec->num_tiles;
  out->element_size_in_bits = spec->element_bits;
  out->tail_padding_alignment_in_elements = spec->tail_alignment == 1 ? 0 : spec->tail_alignment;
}

mr_status mr_pjrt_shape_serialize(int32_t element_type, mr_ints dims, const PJRT_Layouts_MemoryLayout *layout,
                                  char **out_bytes, size_t *out_size) {
  const mr_pjrt_layout_spec *spec = mr_pjrt_layout_spec_of(layout);
  Millrace__Shape proto = MILLRACE__SHAPE__INIT;
  Millrace__Layout layout_proto = MILLRACE__LAYOUT__INIT;
  Millrace__Tile tiles[MR_PJRT_MAX_TILES], *tile_list[MR_PJRT_MAX_TILES];
  protobuf_c_boolean dynamic[MR_MAX_RANK] = {0};
  *out_bytes = NULL;
  *out_size = 0;
  if (dims.size != spec->rank) {
    return mr_error(MR_INVALID_ARGUMENT, "shape of rank %zu with a layout of rank %zu", dims.size, spec->rank);
  }
  fill_layout(spec, tiles, tile_list, &layout_proto);
  proto.element_type = element_type;
  proto.dimensions = (int64_t *)dims.data;
  proto.n_dimensions = dims.size;
  proto.is_dynamic_dimension = dynamic;
  proto.n_is_dynamic_dimension = dims.size;
  proto.layout = &layout_proto;
  return mr_proto_pack(&proto.base, out_bytes, out_size);
}

mr_status mr_pjrt_shape_serialize_tuple(const mr_span *shapes, size_t count, char **out_bytes, size_t *out_size) {
  *out_bytes = NULL;
  *out_size = 0;
  ProtobufCBinaryData *list = mr_alloc(MR_MAX(count, 1) * sizeof *list);
  if (list == NULL) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    list[i] = (ProtobufCBinaryData){shapes[i].size, (uint8_t *)shapes[i].data};
  }
  Millrace__Shape proto = MILLRACE__SHAPE__INIT;
  proto.element_type = XLA_TUPLE;
  proto.tuple_shapes = list;
  proto.n_tuple_shapes = count;
  mr_status status = mr_proto_pack(&proto.base, out_bytes, out_size);
  mr_free(list);
  return status;
}
