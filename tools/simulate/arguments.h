// What a program is executed with while it is measured: arrays that were given, or made up.
#ifndef MR_TOOLS_SIMULATE_ARGUMENTS_H
#define MR_TOOLS_SIMULATE_ARGUMENTS_H

#include "millrace/millrace.h"
#include "tools/npy.h"

typedef struct sim_arguments {
  millrace_program *program;
  millrace_device *device;
  npy_list *inputs;  // NULL: made up
  size_t num_arguments, num_results;
  millrace_buffer **arguments, **results;
} sim_arguments;

millrace_error *sim_arguments_init(sim_arguments *arguments, millrace_program *program, millrace_device *device,
                                   npy_list *inputs);
void sim_arguments_deinit(sim_arguments *arguments);
// Those that are not there yet, or were given away by the execution before.
millrace_error *sim_arguments_make(sim_arguments *arguments);
// Executes, waits, and lets go of the results.
millrace_error *sim_arguments_execute(sim_arguments *arguments);

#endif
