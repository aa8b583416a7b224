// Where a device's part of an array begins, by the tiles that hosts are told.
#include "compiler/compiler.h"

// The place of a device in the grid, row-major; 0 for one that is not in it.
static int64_t place_of(const mr_tile_sharding *tiles, int64_t device) {
  if (tiles->reshape_rank == 0) {
    for (size_t i = 0; i < tiles->num_devices; i++) {
      if (tiles->devices[i] == device) {
        return (int64_t)i;
      }
    }
    return 0;
  }
  int64_t index[MR_MAX_RANK], place = 0;
  for (uint32_t d = tiles->reshape_rank; d-- > 0;) {
    index[d] = device % tiles->reshape_dims[d];
    device /= tiles->reshape_dims[d];
  }
  for (uint32_t d = 0; d < tiles->reshape_rank; d++) {
    int32_t from = tiles->transpose[d];
    place = place * tiles->reshape_dims[from] + index[from];
  }
  return place;
}

void mr_port_offsets(const mr_port *port, int64_t device, int64_t *out_offsets) {
  const mr_tile_sharding *tiles = port->tiles;
  bool tiled = tiles && tiles->kind == MR_TILE_OTHER;
  int64_t place = tiled ? place_of(tiles, device) : 0;
  for (uint32_t d = tiled ? tiles->tile_rank : 0; d-- > 0;) {
    if (d < port->rank) {
      out_offsets[d] = place % tiles->tile_dims[d] * port->dims[d];
    }
    place /= tiles->tile_dims[d];
  }
  for (size_t d = tiled ? tiles->tile_rank : 0; d < port->rank; d++) {
    out_offsets[d] = 0;
  }
}
