// simulate: how long a program would take on a machine of so many units, from what its steps take on one.
//
// A plan is strands of steps (compiler/plan). A step is sections: something that one unit does alone, then a loop over tiles that
// units may share. The scheduler's rules of who helps whom, and when, are those of scheduler/parallel.c.
//
//   sim_plan plan;
//   MR_TRY(sim_measure(executable, device, &options, &plan));
//   sim_machine machine = sim_machine_here(16);
//   MR_TRY(sim_run(&plan, &machine, &outcome));
#ifndef MR_TOOLS_SIMULATE_H
#define MR_TOOLS_SIMULATE_H

#include "compiler/compiler.h"
#include "tools/npy.h"

typedef struct sim_section {
  double alone_ns, loop_ns;  // on one unit; loop_ns 0: none follows
  double estimate_ns;        // what the loop's caller thought
  uint32_t pieces;           // into how many it may be cut
} sim_section;

typedef struct sim_step {
  char name[33];
  uint32_t first, count;  // sections
  double bytes;           // that come from or go to memory; 0 where all fits in the last cache
  double touched;         // bytes of its buffers, wherever they are
  double duration_ns;     // on one unit
} sim_step;

typedef struct sim_strand {
  uint32_t first, count;  // steps
  uint32_t *inputs, num_inputs;
} sim_strand;

typedef struct sim_plan {
  sim_section *sections;
  sim_step *steps;
  sim_strand *strands;  // in an order in which inputs come first
  uint32_t num_sections, num_steps, num_strands;
  double around_ns;  // of an execution, besides its steps
  double footprint;  // bytes of all that an execution touches
} sim_plan;
void sim_plan_deinit(sim_plan *plan);

typedef struct sim_options {
  bool estimated;  // nothing runs: what the compiler reckons with
  long sessions;   // executions that are looked at
  npy_list *inputs;
} sim_options;
// Executes the program some times on one unit, with MILLRACE_THREADS=1 in the environment, and looks at each step.
mr_status sim_measure(mr_executable *executable, mr_device *device, const sim_options *options,
                      sim_plan *out_plan) MR_WARN_UNUSED;

enum { SIM_MOST_UNITS = 4096 };
typedef struct sim_machine {
  uint32_t units, per_package;  // a package has memory of its own
  double wake_ns, handover_ns;  // until a unit that sleeps, or looks around, has begun with what it was given
  double spin_ns;               // how long one looks around
  double unit_bytes_per_ns;     // what one unit gets from memory
  double package_bytes_per_ns;  // what all units of a package get
  double cache_bytes;           // what of a program stays in the last cache
  // What a helper reads first lies in another unit's cache: as much of it as fits in one, at the rate of the next level.
  double own_cache_bytes, fetch_bytes_per_ns;
} sim_machine;

typedef struct sim_outcome {
  double total_ns;
  // Units times time: computing; waiting for what comes before; for others' last pieces or for pieces at all; for being woken; for
  // memory.
  double busy_ns, dependency_ns, imbalance_ns, handover_ns, bandwidth_ns;
  double critical_ns;  // with units without end that cost nothing to reach
  double memory_ns;    // what the memory alone would take
} sim_outcome;
mr_status sim_run(const sim_plan *plan, const sim_machine *machine, sim_outcome *out_outcome) MR_WARN_UNUSED;

#endif
