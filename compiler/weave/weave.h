// weave: how a sequence of steps becomes strands, and where its temporaries lie. Private to compiler/weave, mr_compile and tests.
//
//   depend.c       which step comes after which
//   clump.c        steps that are never worth parting become one clump
//   lanes.c        on which of the machine's units each clump would run best, and when
//   strands.c      what a unit does without waiting in between becomes a strand
//   simulate.c     what the strands take, and what one straight call takes
//   precede.c      which temporaries may share memory then
//   pack.c         where they lie
//   weave.c        whether all that pays
//   verify_plan.c  whether what came of it is right
#ifndef MR_COMPILER_WEAVE_WEAVE_H
#define MR_COMPILER_WEAVE_WEAVE_H

#include <string.h>

#include "compiler/plan/plan.h"

// ---- For who compiles -----------------------------------------------------------------------------------------------------

// Which sequences of a plan that has its steps are strands that may overlap, and the temporary buffers' offsets (weave.c). `limit`: of
// the memory that is taken for it meanwhile, as an arena has it.
mr_status mr_weave_plan(mr_executable *executable, size_t limit) MR_WARN_UNUSED;
// Whether all that must come one after the other does, in time and in memory (verify_plan.c): INTERNAL names what does not.
mr_status mr_weave_verify(const mr_executable *executable) MR_WARN_UNUSED;

// ---- What comes after what --------------------------------------------------------------------------------------------------

// Nodes in a topological order: node i comes after nodes[offsets[i] .. offsets[i + 1]), which are smaller and distinct.
typedef struct plan_dag {
  uint32_t count;
  uint32_t *offsets, *nodes;
} plan_dag;

// The same edges from their other end: node i comes before nodes[offsets[i] .. offsets[i + 1]).
mr_status mr_weave_turn(mr_arena *arena, const plan_dag *dag, plan_dag *out_turned) MR_WARN_UNUSED;
// The edges between groups of nodes: node i is of group of[i], and groups are numbered so that each comes after its inputs.
mr_status mr_weave_join(mr_arena *arena, const plan_dag *dag, const uint32_t *of, uint32_t count,
                        plan_dag *out_joined) MR_WARN_UNUSED;

// What is known of the machine, and how much has to be won.
typedef struct plan_units {
  uint32_t count;
  uint64_t begin_ns;    // until the other units have begun, when all begins
  uint64_t wake_ns;     // until another unit has begun what was handed over to it, while all run
  uint64_t strand_ns;   // what each strand takes besides its steps
  uint64_t quantum_ns;  // what has nothing to do with one another parts from here on
  bool forced;          // strands wherever there may be some, whatever they cost: for tests
} plan_units;

// What is known while an executable is woven.
typedef struct weaver {
  mr_executable *executable;
  mr_arena *arena;  // over when it is woven
  plan_units units;
  uint32_t woven;                    // sequences that have a weaving
  struct plan_histories *histories;  // depend.c; NULL before the first sequence
} weaver;

// A step comes after those that wrote what it reads, and those that read or wrote what it writes; what acts comes after what acted
// before. A loop or a branch reads and writes what is read and written in it. In time and memory as there are mentions of buffers.
mr_status mr_weave_depend(weaver *w, const plan_sequence *sequence, plan_dag *out_dag) MR_WARN_UNUSED;

// ---- Strands --------------------------------------------------------------------------------------------------------------

// One core's estimate, as what only one core does and what steps spread over all that are there.
typedef struct plan_work {
  uint64_t alone_ns, spread_ns;
  uint32_t spreads;  // how many times the others are called
} plan_work;
static inline uint64_t mr_work_ns(plan_work work) { return work.alone_ns + work.spread_ns; }
static inline plan_work mr_work_add(plan_work a, plan_work b) {
  return (plan_work){a.alone_ns + b.alone_ns, a.spread_ns + b.spread_ns, a.spreads + b.spreads};
}
plan_work mr_weave_step_work(const plan_step *step);
// How long it takes where `units` are free for it.
uint64_t mr_weave_duration(plan_work work, uint32_t units, uint64_t wake_ns);

// Steps taken together, numbered so that each comes after its inputs.
typedef struct plan_clumps {
  plan_dag dag;
  uint32_t *of_step;  // by step
  plan_work *work;    // by clump
} plan_clumps;
mr_status mr_weave_clump(mr_arena *arena, const plan_sequence *sequence, const plan_dag *steps, const plan_units *units,
                         plan_clumps *out_clumps) MR_WARN_UNUSED;

// When each clump would run, and on which unit.
typedef struct plan_lanes {
  uint32_t *lane;            // by clump
  uint32_t *order;           // clumps as they were placed: topological, and in each lane one after the other
  uint64_t *start, *finish;  // by clump
} plan_lanes;
mr_status mr_weave_lanes(mr_arena *arena, const plan_clumps *clumps, const plan_units *units,
                         plan_lanes *out_lanes) MR_WARN_UNUSED;

// A set of strands.
typedef struct plan_set {
  uint64_t words[MR_PLAN_STRANDS / 64];
} plan_set;
static inline bool mr_set_has(const plan_set *set, uint32_t i) { return set->words[i / 64] >> (i % 64) & 1; }
static inline void mr_set_add(plan_set *set, uint32_t i) { set->words[i / 64] |= UINT64_C(1) << (i % 64); }
static inline void mr_set_join(plan_set *set, const plan_set *other) {
  for (uint32_t i = 0; i < MR_ARRAY_SIZE(set->words); i++) {
    set->words[i] |= other->words[i];
  }
}

// A graph that is being made.
typedef struct plan_weaving {
  plan_graph graph;
  uint32_t *of_step;         // by step: its strand
  plan_work *work;           // by strand
  uint64_t *start, *finish;  // by strand, as it was placed
  plan_set *before;          // by strand: all that it comes after
} plan_weaving;
// More strands than MR_PLAN_STRANDS: leaves num_strands 0.
mr_status mr_weave_strands(mr_arena *arena, const plan_clumps *clumps, const plan_lanes *lanes, const plan_dag *steps,
                           const plan_units *units, plan_weaving *out_weaving) MR_WARN_UNUSED;
// Each strand waits as well for all that ends, as it was estimated, before it begins: what is there at one time is then not much more
// than on so many units at once.
mr_status mr_weave_tighten(mr_arena *arena, plan_weaving *weaving) MR_WARN_UNUSED;
// How long the strands take.
mr_status mr_weave_simulate(mr_arena *arena, const plan_weaving *weaving, const plan_units *units,
                            uint64_t *out_ns) MR_WARN_UNUSED;

// ---- Memory -----------------------------------------------------------------------------------------------------------------

typedef struct plan_order plan_order;
// What of two buffers comes first, by the sequences' weavings (precede.c). In the arena.
mr_status mr_order_create(mr_arena *arena, const mr_executable *executable, plan_order **out_order) MR_WARN_UNUSED;
// All that touches `a` comes before all that touches `b`.
bool mr_order_precedes(const plan_order *order, uint32_t a, uint32_t b);
// Offsets of the temporary buffers (pack.c). `order`: what comes before what where steps overlap; NULL: they run as they lie.
mr_status mr_weave_pack(mr_arena *arena, mr_executable *executable, const plan_order *order,
                        size_t *out_bytes) MR_WARN_UNUSED;

#endif
