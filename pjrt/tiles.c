// An element's place: its index in physical order, outermost first, is split by each level of tiles in turn. A tile of k
// sizes replaces the last k dimensions by how many tiles there are along each, and the place within the tile.
#include "pjrt/tiles.h"

#include <string.h>

#include "pjrt/layout.h"

enum { MOST_AXES = MR_MAX_RANK * (MR_PJRT_MAX_TILES + 1) };

typedef struct place {
  size_t count;
  int64_t sizes[MOST_AXES], at[MOST_AXES];
} place;

static void split(place *p, const int64_t *tile, size_t rank) {
  size_t first = p->count - rank;
  for (size_t i = 0; i < rank; i++) {
    int64_t *size = &p->sizes[first + i], *at = &p->at[first + i];
    p->sizes[p->count + i] = tile[i];
    p->at[p->count + i] = *at % tile[i];
    *size = (*size + tile[i] - 1) / tile[i];
    *at /= tile[i];
  }
  p->count += rank;
}

static void locate(const mr_pjrt_tiling *t, const int64_t *index, place *out) {
  out->count = t->rank;
  for (size_t i = 0; i < t->rank; i++) {
    size_t dim = (size_t)t->order[t->rank - 1 - i];
    out->sizes[i] = t->dims[dim];
    out->at[i] = index ? index[dim] : 0;
  }
  for (size_t k = 0; k < t->num_tiles; k++) {
    split(out, t->tiles[k], t->tile_ranks[k]);
  }
}

static int64_t number_of(const place *p) {
  int64_t number = 0;
  for (size_t i = 0; i < p->count; i++) {
    number = number * p->sizes[i] + p->at[i];
  }
  return number;
}

static mr_status read_tiles(mr_pjrt_tiling *t, const PJRT_Buffer_MemoryLayout_Tiled *layout) {
  const int64_t *sizes = layout->tile_dims;
  size_t axes = t->rank;
  for (size_t k = 0; k < layout->num_tiles; k++) {
    size_t rank = layout->tile_dim_sizes[k];
    if (rank == 0 || rank > MR_MIN(axes, (size_t)MR_MAX_RANK)) {
      return mr_error(MR_INVALID_ARGUMENT, "layout: tile %zu has %zu sizes for %zu dimensions", k, rank, axes);
    }
    for (size_t i = 0; i < rank; i++, sizes++) {
      if (*sizes < 1 || *sizes > INT32_MAX) {
        return mr_error(MR_INVALID_ARGUMENT, "layout: size %zu of tile %zu is %lld, wanted at least 1", i, k,
                        (long long)*sizes);
      }
      t->tiles[k][i] = *sizes;
    }
    t->tile_ranks[k] = rank;
    axes += rank;
  }
  t->num_tiles = layout->num_tiles;
  return MR_OK;
}

mr_status mr_pjrt_tiling_init(mr_pjrt_tiling *t, const PJRT_Buffer_MemoryLayout *layout, size_t element_bytes,
                              const int64_t *dims, size_t rank) {
  *t = (mr_pjrt_tiling){.rank = rank, .element_bytes = element_bytes};
  PJRT_Layouts_MemoryLayout *order;
  if (layout->tiled.num_tiles > MR_PJRT_MAX_TILES) {
    return mr_error(MR_UNIMPLEMENTED, "layout with %zu levels of tiles: at most %d", layout->tiled.num_tiles,
                    MR_PJRT_MAX_TILES);
  }
  if (layout->tiled.minor_to_major_size != rank) {
    return mr_error(MR_INVALID_ARGUMENT, "layout of rank %zu for an array of rank %zu",
                    layout->tiled.minor_to_major_size, rank);
  }
  MR_TRY(mr_pjrt_layout_create(layout->tiled.minor_to_major, rank, &order));
  memcpy(t->order, mr_pjrt_layout_order(order).data, rank * sizeof(int64_t));
  mr_pjrt_layout_release(order);
  memcpy(t->dims, dims, rank * sizeof(int64_t));
  MR_TRY(read_tiles(t, &layout->tiled));
  place whole;
  locate(t, NULL, &whole);
  t->bytes = element_bytes;
  for (size_t i = 0; i < whole.count; i++) {
    if (__builtin_mul_overflow(t->bytes, (size_t)whole.sizes[i], &t->bytes)) {
      return mr_error(MR_INVALID_ARGUMENT, "layout: the tiles of the array do not fit in memory");
    }
  }
  return MR_OK;
}

void mr_pjrt_tiling_copy(const mr_pjrt_tiling *t, char *tiled, char *dense, bool to_tiled) {
  int64_t index[MR_MAX_RANK] = {0}, count = 1;
  for (size_t i = 0; i < t->rank; i++) {
    count *= t->dims[i];
  }
  if (to_tiled) {
    memset(tiled, 0, t->bytes);
  }
  for (int64_t n = 0; n < count; n++, dense += t->element_bytes) {
    place p;
    locate(t, index, &p);
    char *at = tiled + (size_t)number_of(&p) * t->element_bytes;
    memcpy(to_tiled ? at : dense, to_tiled ? dense : at, t->element_bytes);
    for (size_t d = t->rank; d-- > 0 && ++index[d] == t->dims[d];) {
      index[d] = 0;
    }
  }
}
