// millrace-simulate PROGRAM, which `millrace simulate` becomes: how long the program would take on more units than there are, and why not
// less.
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "millrace/millrace.h"
#include "scheduler/topology.h"
#include "tools/simulate/machine.h"
#include "tools/simulate/simulate.h"

static const char usage_text[] =
    "usage: millrace simulate PROGRAM [--units N[,N]...] [--topology TEXT] [--bandwidth N] [--input FILE]...\n"
    "                         [--estimated] [--runs N] [--steps]\n"
    "\n"
    "Executes PROGRAM on one processing unit, looks at each step, and tells how long it would take on N of them\n"
    "(1,2,4,8,16,32,64,128), and what keeps it from taking less: what waits for what (critical path), parts of "
    "unequal\n"
    "size (imbalance), calling other units (hand-over), or memory (bandwidth).\n"
    "\n"
    "--topology   the machine, as hwloc describes it: \"pack:2 l3:4 core:8 pu:1\"; its units are used in this order\n"
    "--bandwidth  bytes that the memory of one package gives in a nanosecond (300: eight channels of DDR5)\n"
    "--input      .npy files or an .npz archive, as for `millrace run`; otherwise arrays are made up\n"
    "--estimated  goes by what the compiler reckons with; nothing is executed\n"
    "--runs       how many executions are looked at (51; 5 when those took 2 s)\n"
    "--steps      tells what each step takes on one unit\n";

typedef struct simulate_job {
  const char *path, *topology;
  uint32_t units[64];
  size_t num_units;
  bool steps;
  double bandwidth;
  npy_list inputs;
  sim_options options;
  void *bytes;  // the program's
  size_t size;
  millrace_context *context;
  sim_plan plan;  // for one unit
} simulate_job;

static bool report(millrace_error *error) {
  if (!error) {
    return true;
  }
  fprintf(stderr, "millrace: %s: %s\n", millrace_code_name(millrace_error_code(error)), millrace_error_message(error));
  millrace_error_free(error);
  return false;
}

// ---- The command line -------------------------------------------------------------------------------------------------

static bool parse_units(const char *text, simulate_job *job) {
  job->num_units = 0;
  while (job->num_units < MR_ARRAY_SIZE(job->units)) {
    char *end = NULL;
    unsigned long count = strtoul(text, &end, 10);
    if (end == text || count < 1 || count > SIM_MOST_UNITS || (*end && *end != ',')) {
      return false;
    }
    job->units[job->num_units++] = (uint32_t)count;
    if (!*end) {
      return true;
    }
    text = end + 1;
  }
  return false;
}

static bool parse_option(const char *option, const char *value, simulate_job *job) {
  char *end = NULL;
  if (strcmp(option, "--units") == 0) {
    return parse_units(value, job);
  }
  if (strcmp(option, "--topology") == 0) {
    job->topology = value;
    return true;
  }
  if (strcmp(option, "--input") == 0) {
    return npy_read_inputs(value, &job->inputs);
  }
  if (strcmp(option, "--bandwidth") == 0) {
    job->bandwidth = strtod(value, &end);
    return end != value && !*end && job->bandwidth > 0 && isfinite(job->bandwidth);
  }
  if (strcmp(option, "--runs") == 0) {
    job->options.sessions = strtol(value, &end, 10);
    return end != value && !*end && job->options.sessions > 0 && job->options.sessions <= 10000;
  }
  return false;
}

static bool parse(int argc, char **argv, simulate_job *job) {
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(argv[i], "--estimated") == 0) {
      job->options.estimated = true;
    } else if (strcmp(argv[i], "--steps") == 0) {
      job->steps = true;
    } else if (strncmp(argv[i], "--", 2) != 0 && !job->path) {
      job->path = argv[i];
    } else if (value && parse_option(argv[i], value, job)) {
      i++;
    } else {
      fprintf(stderr, "millrace: cannot use %s\n", argv[i]);
      return false;
    }
  }
  return job->path != NULL;
}

// ---- What is told -----------------------------------------------------------------------------------------------------

static const char *limit_of(const sim_outcome *o, const sim_machine *m) {
  double most = fmax(fmax(o->dependency_ns, o->imbalance_ns), fmax(o->handover_ns, o->bandwidth_ns));
  if (most < 0.02 * o->total_ns * m->units) {
    return "nothing: all units compute";
  }
  if (most == o->dependency_ns) {
    return "the critical path";
  }
  if (most == o->imbalance_ns) {
    return "imbalance";
  }
  return most == o->bandwidth_ns ? "memory bandwidth" : "hand-over";
}

static void print_outcome(const sim_machine *m, const sim_outcome *o, uint32_t strands, double alone_ns) {
  double all = o->total_ns * m->units / 100;
  printf("%5" PRIu32 " %7" PRIu32 " %12.1f %8.2f %6.0f%% %8.0f%% %9.0f%% %8.0f%% %9.0f%%  %s\n", m->units, strands,
         o->total_ns / 1e3, alone_ns / o->total_ns, o->busy_ns / all, o->dependency_ns / all, o->imbalance_ns / all,
         o->handover_ns / all, o->bandwidth_ns / all, limit_of(o, m));
}

static void print_steps(const sim_plan *plan) {
  printf("%12s %12s %6s %8s  %s\n", "us", "of it loops", "loops", "pieces", "step");
  for (uint32_t i = 0; i < plan->num_steps; i++) {
    const sim_step *step = &plan->steps[i];
    double loops = 0;
    uint32_t count = 0, pieces = 0;  // of the loop that is cut into the fewest
    for (uint32_t k = step->first; k < step->first + step->count; k++) {
      loops += plan->sections[k].loop_ns;
      if (plan->sections[k].loop_ns > 0) {
        pieces = count++ ? MR_MIN(pieces, plan->sections[k].pieces) : plan->sections[k].pieces;
      }
    }
    printf("%12.1f %12.1f %6" PRIu32 " %8" PRIu32 "  %s\n", step->duration_ns / 1e3, loops / 1e3, count, pieces,
           step->name);
  }
}

// What fits in the last cache costs memory nothing.
static void count_bytes(sim_plan *plan, const sim_machine *machine) {
  if (plan->footprint > machine->cache_bytes) {
    return;
  }
  for (uint32_t i = 0; i < plan->num_steps; i++) {
    plan->steps[i].bytes = 0;
  }
}

static void count_strand(void *context, uint32_t strand, const mr_strand_info *info) {
  (void)info;
  *(uint32_t *)context = strand + 1;
}

// The plan as it is made for so many units, looked at on one. `only_strands`: empty when it is one straight call, as for one unit.
static bool look_at_plan(const simulate_job *job, const sim_machine *machine, bool only_strands, sim_plan *out_plan) {
  char text[16];
  snprintf(text, sizeof text, "%" PRIu32, machine->units);
  *out_plan = (sim_plan){0};
  millrace_program *program = NULL;
  if (setenv("MILLRACE_PLAN_UNITS", text, 1) != 0 || !report(millrace_program_load(job->bytes, job->size, &program))) {
    return false;
  }
  uint32_t strands = 0;
  mr_executable_each_strand(program, count_strand, &strands);
  bool ok = true;
  if (strands > 1 || !only_strands) {
    ok = report(sim_measure(program, millrace_context_device(job->context, 0), &job->options, out_plan));
    count_bytes(out_plan, machine);
  }
  millrace_program_release(program);
  return ok;
}

static bool simulate(const simulate_job *job, const sim_machine *machine, uint32_t *out_strands, sim_outcome *out) {
  sim_plan own;
  bool ok = look_at_plan(job, machine, true, &own);
  const sim_plan *plan = own.num_strands ? &own : &job->plan;
  *out_strands = plan->num_strands;
  ok = ok && report(sim_run(plan, machine, out));
  sim_plan_deinit(&own);
  return ok;
}

static bool tell(const simulate_job *job, const sim_machine *here) {
  const sim_plan *plan = &job->plan;
  sim_outcome alone;
  uint32_t strands;
  if (!simulate(job, here, &strands, &alone)) {
    return false;
  }
  printf("%" PRIu32 " steps, %s\n", plan->num_steps,
         job->options.estimated ? "as the compiler estimates them" : "measured on one unit");
  if (job->steps) {
    print_steps(plan);
  }
  printf("units strands           us speed-up computes  critical imbalance hand-over bandwidth  limited by\n");
  sim_outcome last = alone;
  for (size_t i = 0; i < job->num_units; i++) {
    sim_machine m = *here;
    m.units = job->units[i];
    if (!simulate(job, &m, &strands, &last)) {
      return false;
    }
    print_outcome(&m, &last, strands, alone.total_ns);
  }
  printf("at least %.1f us by the critical path, %.1f by the bandwidth of %" PRIu32 " units\n", last.critical_ns / 1e3,
         last.memory_ns / 1e3, job->units[job->num_units - 1]);
  return true;
}

// ---- The whole --------------------------------------------------------------------------------------------------------

static bool apply_topology(const simulate_job *job, sim_machine *machine) {
  if (!job->topology) {
    return true;
  }
  mr_topology *topology = NULL;
  if (!report(mr_topology_create(job->topology, &topology))) {
    return false;
  }
  uint32_t first = 1;
  while (first < topology->unit_count && topology->units[first].package == topology->units[0].package) {
    first++;
  }
  machine->per_package = first;
  for (size_t i = 0; i < job->num_units; i++) {
    if (job->units[i] > topology->unit_count) {
      fprintf(stderr, "millrace: %" PRIu32 " units of a topology that has %" PRIu32 "\n", job->units[i],
              topology->unit_count);
      mr_topology_free(topology);
      return false;
    }
  }
  mr_topology_free(topology);
  return true;
}

static bool run(simulate_job *job) {
  job->bytes = npy_slurp(job->path, &job->size);
  if (!job->bytes || !report(millrace_context_create(NULL, &job->context))) {
    return false;
  }
  millrace_device *device = millrace_context_device(job->context, 0);
  job->options.inputs = &job->inputs;
  sim_machine machine = sim_machine_like(device, job->bandwidth);
  return apply_topology(job, &machine) && look_at_plan(job, &machine, false, &job->plan) && tell(job, &machine);
}

int main(int argc, char **argv) {
  simulate_job job = {
      .units = {1, 2, 4, 8, 16, 32, 64, 128}, .num_units = 8, .bandwidth = 300, .options = {.sessions = 51}};
  if (argc > 1 && strcmp(argv[1], "--help") == 0) {
    fputs(usage_text, stdout);
    return 0;
  }
  if (!parse(argc, argv, &job)) {
    fputs(usage_text, stderr);
    npy_list_free(&job.inputs);
    return 2;
  }
  // One unit: what it takes is looked at without others in between.
  bool ok = setenv("MILLRACE_THREADS", "1", 1) == 0 && run(&job);
  sim_plan_deinit(&job.plan);
  npy_list_free(&job.inputs);
  free(job.bytes);
  millrace_context_release(job.context);
  return ok ? 0 : 1;
}
