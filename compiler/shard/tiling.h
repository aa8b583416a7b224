// tiling: which part of a value each device has, as the partitioner thinks of it.
//
// The axes of all meshes of a program are cut into atoms, of prime size, so that every axis and sub-axis is a run of atoms; the
// logical id of a device is the sum of its index along each atom times the atom's stride, atom 0 the major one. A tiling names for each
// dimension of a value the atoms that it is cut by, major first. Along atoms that no dimension names every device has the same.
//
//   local size of a dimension = ceil(size / shards); shard k covers [k * local, min(size, (k + 1) * local)). What a shard has
//   beyond that is garbage.
//
// Memory: a tiling is a value, and a large one: what has one for each value of a program shares equal ones. Grids live as long
// as their module. Threads: a module belongs to one thread at a time.
#ifndef MR_COMPILER_SHARD_TILING_H
#define MR_COMPILER_SHARD_TILING_H

#include "compiler/shard/sharding.h"

enum { MR_MAX_ATOMS = 20 };  // of up to 2^20 devices

typedef struct mr_grid {
  int64_t num_devices;
  uint32_t num_atoms;
  int64_t size[MR_MAX_ATOMS], stride[MR_MAX_ATOMS];
} mr_grid;

// Atoms in an order that means something, major first. An atom stands in one place of a tiling at most.
typedef struct mr_atoms {
  uint8_t count;
  uint8_t ids[MR_MAX_ATOMS];
} mr_atoms;

typedef struct mr_tiling {
  uint32_t rank;
  mr_atoms dims[MR_MAX_RANK];
  uint32_t unreduced;  // mask of atoms: along these each device has a summand
  // The mesh's own order of devices: order[i] has what device i would have; NULL: that is the order. Only what comes and what is
  // given to the outside lies so.
  const int64_t *order;
} mr_tiling;

// The atoms of these meshes, each of which has all devices; empty and maximal ones are passed over. UNIMPLEMENTED where their axes do
// not nest (6 devices as 2x3 and as 3x2).
mr_status mr_grid_make(int64_t num_devices, const mr_mesh *const *meshes, uint32_t num_meshes,
                       mr_grid *out) MR_WARN_UNUSED;
// UNIMPLEMENTED for a part of an axis that is no run of atoms, and for a mesh that has an order of devices of its own.
mr_status mr_atoms_of(const mr_grid *grid, const mr_mesh *mesh, const mr_axis_list *list, mr_atoms *out) MR_WARN_UNUSED;
// NULL, and what lies on an empty or maximal mesh: replicated.
mr_status mr_tiling_of(const mr_grid *grid, const mr_sharding *sharding, uint32_t rank, mr_tiling *out) MR_WARN_UNUSED;

mr_tiling mr_tiling_replicated(uint32_t rank);
bool mr_tiling_equal(const mr_tiling *a, const mr_tiling *b);
bool mr_atoms_equal(const mr_atoms *a, const mr_atoms *b);
uint32_t mr_atoms_mask(const mr_atoms *atoms);
mr_atoms mr_atoms_in(const mr_grid *grid, uint32_t mask);  // in the order of the grid
uint32_t mr_tiling_mask(const mr_tiling *tiling);          // of all dimensions, without the unreduced ones
int64_t mr_atoms_shards(const mr_grid *grid, const mr_atoms *atoms);
static inline int64_t mr_ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0); }
// One device's type of a value of the whole program; the dims are the module's.
mr_type mr_tiling_local(mr_module *module, const mr_grid *grid, const mr_type *global, const mr_tiling *tiling);

#endif
