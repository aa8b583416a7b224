// nest: the loops around the elements of a kernel's results. Private to compiler/lower.
//
// The iteration space is the largest result's dimensions, cut finer where reshapes need it (a space), cut into segments
// where pads and concatenations change their source, and joined again where every access steps evenly (groups).
//
// Threads, ownership and errors: the lowering's (element.h). Sizes, bounds and strides are in elements.
#ifndef MR_COMPILER_LOWER_NEST_H
#define MR_COMPILER_LOWER_NEST_H

#include "compiler/lower/element.h"
#include "compiler/lower/reduction.h"

#define MR_NEST_DIMS 64
#define MR_NEST_BREAKS 16

typedef struct mr_vdim {
  int64_t size;
  int64_t lo, hi;   // the segment: [lo, hi)
  uint32_t dim;     // of the result
  int64_t stride;   // within that dimension
  const mr_ix *at;  // where the iteration is
} mr_vdim;

typedef struct mr_group {
  uint32_t first, last;  // dims joined, inclusive
  int64_t lo, hi;
  const mr_ix *outer, *inner;  // its variable is their sum; inner is NULL when there is one loop
  const mr_ix *middle;         // NULL, or numbers the tiles within a step of `outer`
  const mr_ix *at;
} mr_group;

static inline int64_t mr_group_extent(const mr_group *g) { return g->hi - g->lo; }

typedef enum mr_output_form {
  MR_OUTPUT_SAME,    // the dimensions of the space
  MR_OUTPUT_FLAT,    // as many elements, other dimensions
  MR_OUTPUT_PREFIX,  // the first dimensions of the space: once per row
  MR_OUTPUT_OTHER,
} mr_output_form;

typedef struct mr_output {
  const mr_value *value;
  uint32_t result;
  mr_output_form form;
  uint32_t prefix;    // PREFIX: how many dimensions
  const mr_op *into;  // NULL, or the dynamic_update_slice whose update this is: written at its place in the operand
} mr_output;

typedef struct mr_nest {
  mr_lower *lw;
  const mr_type *type;  // of the space
  mr_output *outputs;
  uint32_t num_outputs;
  uint32_t num_dims, num_groups;
  mr_record record;  // of the last dry run
  uint32_t base_bit;
  mr_lv tile_from;  // tiled: where the share's stretch of the last group begins
  // What the launch is told.
  int64_t range;
  uint64_t *reuse;  // by result: operands whose memory it may take
  // Last, as they are large and only what is counted above is ever set.
  mr_vdim dims[MR_NEST_DIMS];
  mr_group groups[MR_NEST_DIMS];
} mr_nest;

// space.c
// Where an output's element goes.
const mr_ix *mr_nest_target(mr_nest *nest, const mr_output *output, mr_index at);
void mr_nest_dry(mr_nest *nest);    // elements and stores at dims[].at
void mr_nest_probe(mr_nest *nest);  // one loop per dimension, then a dry run
bool mr_nest_split(mr_nest *nest);  // cuts dimensions where quotients are taken; true when something changed
typedef struct mr_breaks {
  uint32_t n[MR_NEST_DIMS];
  int64_t at[MR_NEST_DIMS][MR_NEST_BREAKS];
} mr_breaks;
// Where guards change their answer; returns the number of segments, 1 when there is nothing to cut or too much.
uint32_t mr_nest_breaks(mr_nest *nest, mr_breaks *out_breaks);
// Joins dimensions into groups by the last probe. The first group ends at dimension `first_end` when that is not UINT32_MAX.
void mr_nest_join(mr_nest *nest, uint32_t first_end);
void mr_nest_place(mr_nest *nest);  // dims[].at from groups[].at
// The index of an output, in `storage`.
mr_index mr_nest_index(mr_nest *nest, const mr_output *output, const mr_ix **storage);

// nest_cut.c
typedef enum mr_cut_mode { MR_CUT_PLAIN, MR_CUT_CHUNKED, MR_CUT_TILED } mr_cut_mode;
typedef struct mr_cut {
  mr_cut_mode mode;
  int64_t chunk;      // CHUNKED: of the last group; TILED: tile side
  uint32_t tiled;     // TILED: the group that the source is contiguous in
  uint32_t parallel;  // groups in the parallel range
  bool shared_range;  // one of several segments: the range is that of the first group, uncut
} mr_cut;
// Makes the loops of the groups, and a dry run with them.
mr_cut mr_nest_choose_cut(mr_nest *nest, bool shared_range);
// The level of a demand: it depends on loops of groups below it only; UINT32_MAX: on something else.
uint32_t mr_nest_level_of(const mr_nest *nest, uint64_t vars);
uint32_t mr_nest_prefix_level(const mr_nest *nest, const mr_output *out);  // of the store of a PREFIX
// A reduction whose element differs along the innermost loop, and which reads memory contiguously along that loop rather
// than along its own: computed for a block of elements at once.
bool mr_nest_is_blocked(const mr_nest *nest, const mr_demand *demand);

// blocks.c: reductions whose results lie side by side along the last group, for a chunk of it: accumulators in local
// memory, where the values then are kept. The demands are in the order in which they were asked for.
void mr_blocks_emit(mr_nest *nest, const mr_demand *const *demands, uint32_t n, mr_lv count, int64_t size);

// tile.c: reads that are contiguous along group `other` while the result is along the last one: loads a tile of them into
// local memory, transposed, and serves it until *num_staged is restored. Both groups are at the start of a full tile.
#define MR_TILE 16
#define MR_TILES 8  // side by side along `other`, so that whole stretches of its memory are read
bool mr_tile_can_stage(const mr_nest *nest, uint32_t other);
void mr_tile_stage(mr_nest *nest, uint32_t other);

// nest.c: everything for kernels whose results are computed element by element. `reuse` holds, by result, the operands
// whose memory the result may take; the nest removes those it may not.
void mr_lower_nest(mr_lower *lw, mr_output *outputs, uint32_t num_outputs, int64_t *out_range, uint64_t *reuse);

#endif
