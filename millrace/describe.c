// What there is, as text for people: a program with its parameters, results and costs; a machine with its devices.
#include <stdlib.h>

#include "compiler/compiler.h"
#include "devices/figures.h"
#include "millrace/engine.h"
#include "scheduler/quota.h"
#include "scheduler/topology.h"

// Hands the text over, or an error.
static mr_status finish(mr_text *text, char **out_text) {
  mr_text_append(text, (mr_str){"", 1});
  if (text->failed) {
    mr_text_deinit(text);
    return MR_NO_MEMORY();
  }
  *out_text = text->data;
  return MR_OK;
}

// ---- Programs -----------------------------------------------------------------------------------------------------------

static void put_bytes(mr_text *text, uint64_t bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  double value = (double)bytes;
  while (value >= 1024 && unit + 1 < MR_ARRAY_SIZE(units)) {
    value /= 1024;
    unit++;
  }
  mr_text_put(text, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

static void put_ns(mr_text *text, uint64_t ns) {
  if (ns < 10000000) {
    mr_text_put(text, "%.1f us", (double)ns / 1e3);
  } else {
    mr_text_put(text, "%.1f ms", (double)ns / 1e6);
  }
}

static void put_port(mr_text *text, const char *what, size_t i, const mr_port *port) {
  char type[256];
  mr_text_put(text, "  %s %zu: %s, ", what, i,
              port->is_token ? "token" : mr_dims_text(port->dtype, port->dims, port->rank, type, sizeof type));
  put_bytes(text, port->bytes);
  if (port->name.size) {
    mr_text_put(text, ", %.*s", MR_STR_ARG(port->name));
  }
}

static void put_ports(mr_text *text, const mr_executable *e) {
  size_t params = mr_executable_param_count(e), results = mr_executable_result_count(e);
  mr_text_put(text, "%zu parameter%s\n", params, params == 1 ? "" : "s");
  for (size_t i = 0; i < params; i++) {
    const mr_port *port = mr_executable_param(e, i);
    put_port(text, "parameter", i, port);
    if (mr_executable_donates(e)[i]) {
      mr_text_put(text, ", donated");
    }
    if (port->alias >= 0) {
      mr_text_put(text, ", becomes result %d", port->alias);
    }
    mr_text_put(text, "\n");
  }
  mr_text_put(text, "%zu result%s\n", results, results == 1 ? "" : "s");
  for (size_t i = 0; i < results; i++) {
    put_port(text, "result", i, mr_executable_result(e, i));
    mr_text_put(text, "\n");
  }
}

typedef struct strand_sum {
  uint64_t cost_ns, critical_ns;
  uint32_t count;
} strand_sum;

static void add_strand(void *context, uint32_t number, const mr_strand_info *info) {
  strand_sum *sum = context;
  sum->cost_ns += info->cost_ns;
  sum->critical_ns = MR_MAX(sum->critical_ns, info->rank_ns);
  sum->count = number + 1;
}

static void put_costs(mr_text *text, const mr_executable *e) {
  const mr_executable_stats s = mr_executable_stats_of(e);
  strand_sum sum = {0};
  mr_executable_each_strand(e, add_strand, &sum);
  mr_text_put(text, "costs, estimated\n  time on one core: ");
  put_ns(text, sum.cost_ns);
  mr_text_put(text, "\n  flops: %.3g, transcendentals: %.3g, read and written: ", (double)s.flops,
              (double)s.transcendentals);
  put_bytes(text, s.bytes_accessed);
  mr_text_put(text, "\n  steps: %llu, of these kernels: %llu, library calls: %llu\n", (unsigned long long)s.steps,
              (unsigned long long)s.kernels, (unsigned long long)s.library_calls);
  if (sum.count > 1) {
    mr_text_put(text, "  strands that may overlap: %u, the longest way: ", sum.count);
    put_ns(text, sum.critical_ns);
    mr_text_put(text, "\n");
  }
}

static void put_memory(mr_text *text, const mr_executable *e) {
  const mr_executable_stats s = mr_executable_stats_of(e);
  const struct {
    const char *words;
    uint64_t bytes;
  } rows[] = {{"parameters", s.argument_bytes},
              {"results", s.result_bytes},
              {"of these in the parameters' place", s.alias_bytes},
              {"temporary", s.temp_bytes},
              {"constants", s.constant_bytes},
              {"code", s.code_bytes}};
  mr_text_put(text, "memory\n");
  for (size_t i = 0; i < MR_ARRAY_SIZE(rows); i++) {
    mr_text_put(text, "  %s: ", rows[i].words);
    put_bytes(text, rows[i].bytes);
    mr_text_put(text, "\n");
  }
}

millrace_error *millrace_program_describe(const millrace_program *program, char **out_text) {
  *out_text = NULL;
  mr_text text = {0};
  mr_text_put(&text, "program %.*s\n", MR_STR_ARG(mr_executable_name(program)));
  put_ports(&text, program);
  put_costs(&text, program);
  put_memory(&text, program);
  return finish(&text, out_text);
}

// ---- The machine --------------------------------------------------------------------------------------------------------

static uint32_t most(uint32_t so_far, uint32_t number) { return MR_MAX(so_far, number + 1); }

static void put_topology(mr_text *text, const mr_topology *t) {
  uint32_t cores = 0, packages = 0, nodes = 0, last_core = UINT32_MAX;
  for (uint32_t i = 0; i < t->unit_count; i++) {
    cores += t->units[i].core != last_core;
    last_core = t->units[i].core;
    packages = most(packages, t->units[i].package);
    nodes = t->units[i].numa_node >= 0 ? most(nodes, (uint32_t)t->units[i].numa_node) : nodes;
  }
  mr_text_put(
      text,
      "machine\n  processing units: %u on %u cores, packages: %u, NUMA nodes: %u, groups that share a last-level "
      "cache: %u\n",
      t->unit_count, cores, packages, MR_MAX(nodes, 1u), t->domain_count);
  uint32_t quota = mr_quota_units();
  if (quota) {
    mr_text_put(text, "  quota of the control groups: %u units\n", quota);
  } else {
    mr_text_put(text, "  quota of the control groups: none\n");
  }
  mr_text_put(text, "  threads that may run at once: %u\n", t->parallelism);
}

static void put_caches(mr_text *text, const mr_figures *f) {
  for (int i = 0; i < MR_FIGURES_CACHES; i++) {
    if (f->caches[i].bytes > 0) {
      mr_text_put(text, "  cache of level %d: ", i + 1);
      put_bytes(text, (uint64_t)f->caches[i].bytes);
      mr_text_put(text, " for %.0f unit%s\n", f->caches[i].units, f->caches[i].units == 1 ? "" : "s");
    }
  }
}

static void put_figure(void *context, const char *name, double value, const char *words) {
  mr_text_put(context, "    %-30s %12.6g  %s\n", name, value, words);
}

static void put_device(mr_text *text, mr_device *device) {
  const mr_memory_stats stats = mr_device_stats(device);
  mr_text_put(text, "device %d: %s\n  memory: ", device->id, device->ops->name);
  put_bytes(text, stats.bytes_limit);
  mr_text_put(text, ", in use: ");
  put_bytes(text, stats.bytes_in_use);
  mr_text_put(text, "\n  units: %u\n", mr_group_concurrency(device->group));
  for (size_t i = 0; i < device->num_attributes; i++) {
    const mr_device_attribute *a = &device->attributes[i];
    if (a->text) {
      mr_text_put(text, "  %s: %s\n", a->name, a->text);
    } else {
      mr_text_put(text, "  %s: %lld\n", a->name, (long long)a->number);
    }
  }
  const mr_figures *figures = mr_device_measure(device, NULL, NULL);
  mr_text_put(text, "  figures (%s)\n", mr_figures_origin_name(figures->origin));
  mr_figures_each(figures, put_figure, text);
}

typedef struct kinds {
  mr_text *text;
  millrace_context *context;
} kinds;

static void put_kind(void *context, const char *name, bool wraps, const char *words) {
  const kinds *k = context;
  for (size_t i = 0; i < mr_platform_device_count(k->context); i++) {
    if (mr_str_is(mr_str_of(name), mr_platform_device(k->context, i)->ops->name)) {
      return;
    }
  }
  mr_text_put(k->text, "no device of kind %s (%s): not asked for, MILLRACE_DEVICES=%s%s makes one\n", name, words, name,
              wraps ? ":cpu" : "");
}

static void put_found(void *context, const char *line) { mr_text_put(context, "%s\n", line); }

millrace_error *millrace_context_describe(millrace_context *context, char **out_text) {
  *out_text = NULL;
  mr_topology *topology = NULL;
  MR_TRY(mr_topology_create(NULL, &topology));
  mr_text text = {0};
  put_topology(&text, topology);
  mr_topology_free(topology);
  if (mr_platform_device_count(context)) {
    put_caches(&text, mr_device_figures(mr_platform_device(context, 0)));
  }
  for (size_t i = 0; i < mr_platform_device_count(context); i++) {
    put_device(&text, mr_platform_device(context, i));
  }
  mr_device_each_kind(put_kind, &(kinds){&text, context});
  mr_device_each_found(put_found, &text);
  return finish(&text, out_text);
}
