// sharding: meshes, axes and shardings as values, and their text. A value of the program has one in value->sharding.
//
// A sharding says for each dimension of a tensor which axes of a mesh it is cut along, the major one first; a part of an axis
// (a sub-axis) is what is left of the axis's index after `pre` parts in front of it: "x":(2)4 of "x"=16 counts 0 .. 3 twice for
// each of the first 2. An open dimension may get more axes. Axes of size 1 say nothing and are dropped when text is read.
//
// Memory: everything lives in the module's arena; what is shared is not changed afterwards. Threads: the module's.
// Errors: INVALID_ARGUMENT names the text that is no sharding; RESOURCE_EXHAUSTED.
//
//   const mr_sharding *sharding;
//   MR_TRY(mr_sharding_parse(module, attr->string, &sharding));
//   value->sharding = sharding;
#ifndef MR_COMPILER_SHARD_SHARDING_H
#define MR_COMPILER_SHARD_SHARDING_H

#include "compiler/compiler.h"
#include "compiler/ir/ir.h"

typedef struct mr_axis {
  mr_str name;
  int64_t size;  // 2 at least
} mr_axis;

typedef struct mr_mesh {
  mr_str name;
  uint32_t num_axes;
  const mr_axis *axes;  // major first
  uint32_t num_ones;
  const mr_str *ones;  // axes of size 1, which say nothing
  uint32_t num_ids;
  const int64_t *ids;  // logical devices in the mesh's order, when that is not 0, 1, 2, ..
  int64_t maximal;     // the one device of a maximal mesh, else -1
} mr_mesh;

// An axis or a part of one. The whole axis: pre 1 and the axis's size.
typedef struct mr_axis_ref {
  uint16_t axis;  // index into the mesh's
  int64_t pre, size;
} mr_axis_ref;

typedef struct mr_axis_list {
  uint32_t count;
  const mr_axis_ref *refs;  // major first
} mr_axis_list;

typedef struct mr_dim_sharding {
  mr_axis_list axes;
  bool open;
  int32_t priority;  // 0 is the most urgent and what is not said
} mr_dim_sharding;

typedef struct mr_sharding {
  const mr_mesh *mesh;
  uint32_t rank;
  mr_dim_sharding *dims;
  mr_axis_list replicated, unreduced;  // sorted by axis and pre
} mr_sharding;

// ---- Text ---------------------------------------------------------------------------------------------------------------

// `#sdy.sharding<@mesh, [{"x"}, {?}], replicated={..}, unreduced={..}>`, with or without the word in front, or a list of one. The
// mesh is one of module->meshes or stands there itself. What says the same is the same sharding, mostly.
mr_status mr_sharding_parse(mr_module *module, mr_str text, const mr_sharding **out) MR_WARN_UNUSED;
// `#sdy.sharding_per_value<[<@mesh, ..>, ..]>`, which must have `count`.
mr_status mr_sharding_parse_per_value(mr_module *module, mr_str text, uint32_t count,
                                      const mr_sharding ***out) MR_WARN_UNUSED;
// As many as there are. The list is the caller's.
mr_status mr_sharding_parse_list(mr_module *module, mr_str text, uint32_t *out_count,
                                 const mr_sharding ***out) MR_WARN_UNUSED;
// `#sdy<manual_axes{"x", "y"}>`: names, those of axes of size 1 among them.
mr_status mr_sharding_parse_names(mr_module *module, mr_str text, uint32_t *out_count,
                                  const mr_str **out_names) MR_WARN_UNUSED;
// The mesh of this name in module->meshes; INVALID_ARGUMENT when there is none.
mr_status mr_mesh_named(mr_module *module, mr_str name, const mr_mesh **out) MR_WARN_UNUSED;
// Whether a sharding that was read has a dimension that waits for more urgent ones.
bool mr_sharding_any_priority(const mr_module *module);
void mr_sharding_print(const mr_sharding *sharding, mr_text *text);  // without the word in front

// ---- Questions ------------------------------------------------------------------------------------------------------------

bool mr_mesh_equal(const mr_mesh *a, const mr_mesh *b);  // but for the name
int64_t mr_mesh_devices(const mr_mesh *mesh);            // product of the axes
// INVALID_ARGUMENT names a device that is not one of the program's, or is there twice.
mr_status mr_devices_check(mr_arena *arena, const int64_t *ids, size_t count, int64_t num_devices) MR_WARN_UNUSED;
mr_status mr_mesh_check_size(const mr_mesh *mesh, int64_t num_devices) MR_WARN_UNUSED;
// All devices of the program, each in one place; or, maximal, one of them; or none.
mr_status mr_mesh_check(mr_arena *arena, const mr_mesh *mesh, int64_t num_devices) MR_WARN_UNUSED;
int mr_mesh_axis(const mr_mesh *mesh, mr_str name);  // its index, -1: not there
bool mr_axis_ref_equal(mr_axis_ref a, mr_axis_ref b);
bool mr_axis_ref_overlaps(mr_axis_ref a, mr_axis_ref b);  // some part of the axis is in both
bool mr_axis_ref_whole(const mr_mesh *mesh, mr_axis_ref ref);
bool mr_axis_list_equal(mr_axis_list a, mr_axis_list b);
bool mr_axis_list_overlaps(mr_axis_list list, mr_axis_ref ref);
int64_t mr_axis_list_size(mr_axis_list list);                        // product: into how many parts a dimension is cut
bool mr_sharding_equal(const mr_sharding *a, const mr_sharding *b);  // everything; either may be NULL
bool mr_sharding_fully_open(const mr_sharding *sharding);            // NULL: open; no axes named anywhere
bool mr_sharding_fully_closed(const mr_sharding *sharding);

// ---- Making. NULL when memory is short. --------------------------------------------------------------------------------

// No axes in any dimension.
mr_sharding *mr_sharding_create(mr_module *module, const mr_mesh *mesh, uint32_t rank, bool open);
mr_sharding *mr_sharding_copy(mr_module *module,
                              const mr_sharding *sharding);  // its dims may be changed, lists replaced
// `refs` is copied.
bool mr_axis_list_make(mr_module *module, uint32_t count, const mr_axis_ref *refs, mr_axis_list *out);
// Sorted, neighbouring parts of an axis joined.
bool mr_axis_list_make_set(mr_module *module, uint32_t count, const mr_axis_ref *refs, mr_axis_list *out);

// ---- The form of HLO, which PJRT's clients see ------------------------------------------------------------------------------

// `num_devices`: of the program; the trailing replicated axes are what the mesh has left.
mr_status mr_sharding_to_tiles(mr_arena *arena, const mr_sharding *sharding, int64_t num_devices,
                               mr_tile_sharding *out) MR_WARN_UNUSED;
// "{devices=[4,2]<=[8] last_tile_dim_replicate}", "{replicated}", "{manual}", "{maximal device=0}".
mr_status mr_sharding_tiles_parse(mr_arena *arena, mr_str text, mr_tile_sharding *out) MR_WARN_UNUSED;
// "{{replicated}, {maximal device=0}}", as a call with several results has it; of one alone *out_count is 1.
mr_status mr_sharding_tiles_parse_list(mr_arena *arena, mr_str text, uint32_t *out_count,
                                       mr_tile_sharding **out) MR_WARN_UNUSED;
// INVALID_ARGUMENT: other devices than the program's, or not all of them where it takes all.
mr_status mr_sharding_tiles_check(mr_arena *arena, const mr_tile_sharding *tiles, int64_t num_devices) MR_WARN_UNUSED;
void mr_sharding_tiles_print(const mr_tile_sharding *tiles, mr_text *text);
// A closed sharding of a tensor of this rank over a mesh that is made for it, or over `mesh` (may be NULL) when its axes and
// parts of them can say it. UNIMPLEMENTED for orders of devices that no axes have.
mr_status mr_sharding_from_tiles(mr_module *module, const mr_mesh *mesh, const mr_tile_sharding *tiles, uint32_t rank,
                                 int64_t num_devices, const mr_sharding **out) MR_WARN_UNUSED;

// The devices' numbers fall into digits; where one ends and the next begins is a cut. Adds those of `tiles` to `cuts`, which has
// `count` and room for MR_SHARDING_MOST_CUTS and is sorted, the largest first; returns how many there are. A mesh of them can say
// all shardings that they are from; cuts that do not fit the others are left out.
#define MR_SHARDING_MOST_CUTS 128
uint32_t mr_sharding_cuts(const mr_tile_sharding *tiles, int64_t *cuts, uint32_t count);

#endif
