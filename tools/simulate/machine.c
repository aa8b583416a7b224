#include "tools/simulate/machine.h"

#include <math.h>

#include "devices/figures.h"
#include "scheduler/tuning.h"

// A unit of a larger machine gets from memory what one gets here while the others ask as well: of two that share a memory each may get
// less than one alone.
static double unit_rate(const mr_figures *figures) {
  double together = figures->memory_all_read_bytes_per_ns / fmax(1, figures->units);
  return fmin(figures->memory_read_bytes_per_ns, together);
}

// The largest cache that a unit has for itself, and how fast it is filled.
static void find_own_cache(const mr_figures *figures, sim_machine *machine) {
  machine->fetch_bytes_per_ns = figures->memory_read_bytes_per_ns;
  for (int i = MR_FIGURES_CACHES; i-- > 0;) {
    if (figures->caches[i].bytes > 0 && figures->caches[i].units <= 1) {
      machine->own_cache_bytes = figures->caches[i].bytes;
      return;
    }
    if (figures->caches[i].bytes > 0) {
      machine->fetch_bytes_per_ns = figures->caches[i].read_bytes_per_ns;
    }
  }
}

sim_machine sim_machine_like(mr_device *device, double package_bytes_per_ns) {
  const mr_figures *figures = mr_device_figures(device);
  sim_machine machine = {.units = 1,
                         .per_package = 64,
                         .wake_ns = figures->wake_ns,
                         .handover_ns = figures->handover_ns,
                         .spin_ns = MR_WORKER_SPIN_NS,
                         .unit_bytes_per_ns = unit_rate(figures),
                         .package_bytes_per_ns = package_bytes_per_ns,
                         .cache_bytes = mr_figures_cache_share(figures)};
  find_own_cache(figures, &machine);
  return machine;
}
