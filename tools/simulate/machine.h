// What is known of the machine that a simulation goes by: this one's figures, and guesses for one that is larger.
#ifndef MR_TOOLS_SIMULATE_MACHINE_H
#define MR_TOOLS_SIMULATE_MACHINE_H

#include "tools/simulate/simulate.h"

// `package_bytes_per_ns`: what the memory of a package gives.
sim_machine sim_machine_like(mr_device *device, double package_bytes_per_ns);

#endif
