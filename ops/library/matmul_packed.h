// matmul_packed: a large product of f32 whose right operand is packed once, for all pieces. Private to ops/library.
//
// Called for each piece by itself, oneDNN's sgemm packs what the piece needs of both operands: 13% of the time of 512 x 1024 x 1024 in
// eight pieces. Here slices of the right operand's columns are packed first, and then each piece multiplies a band of rows with one of
// them. Pieces can be small then, and cores that are not equally fast all have something to do until the end. Two cores, medians of
// four processes: 1024 cubed 10.95 ms in tiles and 10.4 so, with the right operand transposed 11.5 and 10.6, 4096 x 1024 x 1024 42.7 and 40.5,
// 1024 x 1024 x 6144 64 and 60, 1024 x 256 x 16384 with the right one transposed 52 and 43, 512 x 512 x 8192 as long.
// Where tiles lie beside one another only (512 x 4096 x 1024), or where oneDNN would read the right operand as it lies, tiles are faster.
//
// Threads and buffers as in library.h.
#ifndef MR_OPS_LIBRARY_MATMUL_PACKED_H
#define MR_OPS_LIBRARY_MATMUL_PACKED_H

#include "ops/library/dnnl.h"
#include "ops/library/library.h"

// The right operand in parts: slices of columns, each in so many depths of the sum. Of each the last may be less.
typedef struct mr_packed_cut {
  int64_t slice, slices;                   // columns of one; how many
  int64_t depth, depths;                   // terms of the sum
  int64_t band, bands;                     // rows of the left operand
  int64_t slices_at_once, depths_at_once;  // packed before they are used, at most
  size_t part_bytes;                       // packed
} mr_packed_cut;

// How a product is cut, by its shape alone. False: it is none for this, or oneDNN packs nothing here. After mr_dnnl_open().
bool mr_matmul_packed_cut(const mr_dnnl_table *dnnl, const mr_matmul_desc *desc, uint64_t cost_ns,
                          mr_packed_cut *out_cut);
static inline size_t mr_matmul_packed_bytes(const mr_packed_cut *cut) {
  return (size_t)(cut->slices_at_once * cut->depths_at_once) * cut->part_bytes;
}
// `scratch`: so many bytes, 64-byte aligned. The operands are f32 whatever the descriptor says. The first status that is none of success.
dnnl_status_t mr_matmul_packed_run(const mr_dnnl_table *dnnl, const mr_matmul_desc *desc, const mr_packed_cut *cut,
                                   const float *a, const float *b, float *c, char *scratch, mr_group *group,
                                   uint64_t cost_ns);

#endif
