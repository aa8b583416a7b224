// Where an element lies in a tiled form. Private to placing.c and move.c.
//
// Threads: plain data. Indices, sizes and places are in elements.
#ifndef MR_PJRT_LAYOUT_MOVE_H
#define MR_PJRT_LAYOUT_MOVE_H

#include "pjrt/layout/placing.h"

enum { MR_PJRT_MAX_AXES = MR_MAX_RANK + 2 * MR_PJRT_MAX_TILE_SIZES };

// An element's index along the axes that the tiles make of its dimensions, outermost first.
typedef struct mr_pjrt_site {
  size_t count;
  int64_t sizes[MR_PJRT_MAX_AXES], at[MR_PJRT_MAX_AXES];
  uint32_t dims[MR_PJRT_MAX_AXES];  // bits: the dimensions whose index decides `at`
} mr_pjrt_site;

// `index` NULL: of the first element. Only for places with a layout.
void mr_pjrt_site_of(const mr_pjrt_placing *places, const int64_t *index, mr_pjrt_site *out);

#endif
