// fuse_internal: groups of ops that become one kernel, while they are formed. Private to compiler/fuse.
//
// Ops are looked at from the last to the first. An op joins the groups of its users, when each of them may compute it
// itself; else it is made, by a group of its own or by one of those as a further output.
//
// Threads: a fuser belongs to the thread of its mr_fuse. Ownership: groups and infos are in its arena and go with it. Errors: where
// memory is short `failed` is set, and mr_fuse says so at its end.
#ifndef MR_COMPILER_FUSE_FUSE_INTERNAL_H
#define MR_COMPILER_FUSE_FUSE_INTERNAL_H

#include "compiler/ir/ir.h"

#define FUSE_MAX_MEMBERS 200
#define FUSE_MAX_OUTPUTS 24
#define FUSE_MAX_PIECES 256  // of the concatenations in a group
#define FUSE_MAX_POINTS 4    // different places at which one group asks for one op
#define FUSE_MAX_GROUPS 6    // groups that recompute one op
#define FUSE_OTHER (-2)      // a coordinate that is no plain loop
#define FUSE_ONE (-1)        // a coordinate of a dimension of size one
#define FUSE_REDUCED 64      // from here on: loops of reductions

// Where a group asks for elements of a value: coordinates in terms of the group's loops.
typedef struct fuse_point {
  const mr_op *user;  // how it came about: operand `slot` of `user` at point `parent`
  uint32_t slot, parent;
  uint32_t rank;
  int16_t at[MR_MAX_RANK];
  bool opaque;   // some coordinate is FUSE_OTHER
  bool flat;     // the same row-major number as the group's own
  double count;  // elements asked for in all
} fuse_point;

typedef struct fuse_member {
  mr_op *op;
  uint32_t points[FUSE_MAX_POINTS];
  uint32_t num_points;
} fuse_member;

typedef struct fuse_group {
  uint32_t number;
  mr_op *root;
  const mr_type *space;  // what the kernel iterates over
  double count;
  bool special;     // its root is not computed by element: no further outputs, no reductions inside
  bool has_reduce;  // one that is computed per row
  fuse_member *members;
  uint32_t num_members, cap_members;
  uint32_t num_pieces;
  fuse_point *points;
  uint32_t num_points, cap_points;
  uint32_t num_loops;  // of reductions
  mr_value *outputs[FUSE_MAX_OUTPUTS];
  uint32_t num_outputs;
  double work, extra;  // elements computed at the busiest point; operations done more than once
  uint32_t min_order, max_order;
  uint32_t min_output;  // where the first of its outputs is computed
  uint32_t mark;        // of a search
  bool has_later;       // a member has updates that wait for it
  struct fuse_group *merged;
} fuse_group;

typedef enum fuse_class {
  FUSE_BARRIER,   // stays as it is
  FUSE_CONSTANT,  // copied into the groups that use it
  FUSE_CHEAP,     // computed by element
  FUSE_HEAVY,     // computed by element, each from many
  FUSE_ROOT,      // only as the last op of a group
} fuse_class;

// An update in place of an array that an op before it reads.
typedef struct fuse_later {
  const mr_op *update;
  struct fuse_later *next;
} fuse_later;

// What is known of an op of the block (op->side).
typedef struct fuse_info {
  fuse_class op_class;
  fuse_group *groups[FUSE_MAX_GROUPS];
  uint32_t num_groups;
  fuse_group *home;  // the group that gives its results to others; NULL when it stays an op by itself or gives none
  bool alone;        // stays an op by itself
  const mr_op *next_effect;  // ops with effects keep their order: this one waits for it
  fuse_later *later;         // these wait for it too
  const mr_op *kept_for;     // an update that is not computed with it, since its windows lie where that writes; or NULL
} fuse_info;

typedef struct fuser {
  mr_function *function;
  mr_module *module;
  mr_block *block;
  mr_arena arena;
  mr_op **ops;
  uint32_t num_ops;
  fuse_group **groups;
  uint32_t num_groups, cap_groups;
  uint32_t *bridges;  // by position: see mr_fuse_bridge
  uint32_t mark;
  bool failed;  // memory
} fuser;

static inline fuse_info *mr_fuse_info_of(const mr_op *op) { return op->side; }

// fuse_index.c: the point at which `user` at one of its points asks for operand `slot`. UINT32_MAX: it must be given.
uint32_t mr_fuse_point_of(fuser *f, fuse_group *g, const mr_op *user, uint32_t slot, uint32_t point);
fuse_point *mr_fuse_new_point(fuser *f, fuse_group *g);
// How many leading dimensions (of size over one) of the space the point depends on, in order and on nothing else;
// UINT32_MAX when it is not like that. *out_all: these are all.
uint32_t mr_fuse_row_depth(const fuse_group *g, const fuse_point *p, bool *out_all);

// fuse_cost.c
fuse_class mr_fuse_classify(const mr_op *op);
bool mr_fuse_may_duplicate(const mr_op *op);
// An update of a constant writes every element of its result, not only the slice.
bool mr_fuse_updates_constant(const mr_op *op);
bool mr_fuse_has_effect(const mr_op *op);  // keeps its place among those that have one
// Iterations of a reduction per element.
double mr_fuse_trips(const mr_op *op);

void *mr_fuse_grow(fuser *f, void *items, uint32_t count, uint32_t *capacity, size_t size);
fuse_member *mr_fuse_member_of(const fuse_group *g, const mr_op *op);

// fuse_order.c
// Notes between which positions the group lies: after it got an output or members.
void mr_fuse_bridge(fuser *f, const fuse_group *g);
// Whether what the group gives leads to `target`.
bool mr_fuse_leads(fuser *f, fuse_group *g, const fuse_group *target);
// Whether what the op gives leads to `g` through other groups: then it cannot be an output of `g`.
bool mr_fuse_makes_cycle(fuser *f, const mr_op *op, const fuse_group *g);

// Whether the op must come before something that leads to `g`: then it cannot be computed there.
bool mr_fuse_comes_before(fuser *f, const mr_op *op, const fuse_group *g);

// fuse_joined.c
void mr_fuse_mark_joined(mr_function *function);

// fuse_update.c
void mr_fuse_readers_first(mr_block *block);  // moves them; before anything is known of the ops
void mr_fuse_note_updates(fuser *f);          // who must come before which update

// fuse_merge.c
void mr_fuse_merge_groups(fuser *f);

// fuse_emit.c: rewrites the block.
mr_status mr_fuse_emit(fuser *f);
// fuse_split.c: reductions of much to little become two, of which the first has something to share out.
mr_status mr_fuse_split_reductions(fuser *f);

#endif
