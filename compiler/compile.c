// From a program's bytes to an executable: read, check, cut over devices, simplify, choose, fuse, plan, weave. Each step is a room of compiler/.
#include <stdio.h>
#include <stdlib.h>

#include "compiler/choose/choose.h"
#include "compiler/fuse/fuse.h"
#include "compiler/passes/passes.h"
#include "compiler/plan/plan.h"
#include "compiler/reader/reader.h"
#include "compiler/run/run.h"
#include "compiler/run/subnormal.h"
#include "compiler/shard/shard.h"
#include "compiler/weave/weave.h"

// A step of compiling that changed the IR. Builds with asserts look at it after each; others at the end of the passes.
static mr_status checked(const mr_module *module, mr_status status, const char *step) {
#ifndef NDEBUG
  return status ? status : mr_status_note(mr_module_verify(module), "after %s", step);
#else
  (void)module, (void)step;
  return status;
#endif
}

// What is executed: steps, which of them overlap and where their temporaries lie, and compiled kernels.
static mr_status make_plan(mr_module *module, mr_function *function, mr_executable *e) {
  MR_TRY(mr_planner_make(e, module, function));
  MR_TRY(mr_weave_plan(e, module->arena.limit));
  MR_TRY(mr_planner_once(e));
  MR_TRY(mr_planner_kernels(e, module));
  MR_TRY(mr_strands_freeze(e));
  return mr_planner_describe(e);
}

// Of a verified module, up to the point where it is no program for hosts any more.
static mr_status optimize(mr_module *module, const mr_compile_options *options, mr_shard_boundary *boundary) {
  if (options && options->leaves_layouts) {
    MR_TRY(checked(module, mr_planner_pin_results(module), "pinning results"));
  }
  uint64_t start = mr_trace_begin();
  MR_TRY(checked(module, mr_shard_run(module, options, boundary), "partitioning"));
  mr_trace_end(MR_TRACE_COMPILE, "partition", start);
  start = mr_trace_begin();
  MR_TRY(mr_passes_run(module));
  mr_trace_end(MR_TRACE_COMPILE, "passes", start);
  const mr_compile_watcher *watcher = options ? options->watcher : NULL;
  return watcher && watcher->optimized ? watcher->optimized(watcher->context, module, boundary) : MR_OK;
}

static mr_status size_parameter(mr_module *module, uint32_t i, mr_value *parameter, const mr_shape *shape) {
  mr_type given = mr_type_tensor(module, parameter->type.dtype, (uint32_t)shape->rank, shape->dims);
  given.quant = parameter->type.quant;
  bool whole = parameter->type.kind == MR_TYPE_TENSOR && shape->rank <= MR_MAX_RANK;
  for (size_t d = 0; whole && d < shape->rank; d++) {
    whole = shape->dims[d] >= 0;
  }
  if (!whole || !mr_type_compatible(&parameter->type, &given)) {
    char wanted[256], got[256];
    return mr_error(MR_INVALID_ARGUMENT, "parameter %u is %s, which cannot be %s", i,
                    mr_type_text(&parameter->type, wanted, sizeof wanted), mr_type_text(&given, got, sizeof got));
  }
  parameter->type = given;
  return MR_OK;
}

// Sizes that the program leaves open.
static mr_status size_parameters(mr_module *module, mr_function *entry, const mr_compile_options *options) {
  if (!options || !options->num_shapes) {
    return MR_OK;
  }
  if (options->num_shapes != entry->body.num_args) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu shapes for a program of %u parameters", options->num_shapes,
                    entry->body.num_args);
  }
  for (uint32_t i = 0; i < entry->body.num_args; i++) {
    MR_TRY(size_parameter(module, i, entry->body.args[i], &options->shapes[i]));
  }
  return mr_module_memory(module);
}

// What a program that is to be compiled must know, in the words of who has to say it.
static mr_status check_sizes(const mr_function *entry) {
  for (uint32_t i = 0; i < entry->body.num_args; i++) {
    const mr_type *type = &entry->body.args[i]->type;
    if (type->kind == MR_TYPE_TENSOR && !type->bounds && !mr_type_is_static(type)) {
      char text[256];
      return mr_error(MR_INVALID_ARGUMENT, "parameter %u is %s: the program is compiled for shapes that are given", i,
                      mr_type_text(type, text, sizeof text));
    }
  }
  return MR_OK;
}

static mr_status compile_module(mr_module *module, const mr_compile_options *options, mr_executable *e) {
  MR_TRY(mr_module_verify(module));
  mr_function *before = mr_module_entry(module);
  if (!before || before->is_declaration) {
    return mr_error(MR_INVALID_ARGUMENT, "program has no entry function with a body; wanted a public function @main");
  }
  e->name = mr_arena_str(&e->arena, module->name.size ? module->name : before->name);
  if (!e->name.data) {
    return MR_NO_MEMORY();
  }
  MR_TRY(mr_module_name_args(module));
  MR_TRY(size_parameters(module, before, options));
  MR_TRY(check_sizes(before));
  mr_shard_boundary boundary;
  MR_TRY(optimize(module, options, &boundary));
  if (options && options->leaves_layouts) {
    MR_TRY(checked(module, mr_planner_order_results(e, module), "ordering results"));
  }
  mr_function *function = mr_module_entry(module);
  MR_TRY(mr_planner_ports(e, function, &boundary));
  MR_TRY(checked(module, mr_choose_contractions(function), "choosing contractions"));
  uint64_t start = mr_trace_begin();
  MR_TRY(mr_planner_count_trips(e, function));
  MR_TRY(checked(module, mr_fuse(function), "fusion"));
  MR_TRY(checked(module, mr_planner_spread_splats(function), "spreading splats"));
  MR_TRY(checked(module, mr_planner_order_meetings(module, function), "ordering meetings"));
  mr_trace_end(MR_TRACE_COMPILE, "fuse", start);
  if (getenv("MILLRACE_DUMP")) {
    mr_module_print(module, &e->text);  // costs as much as a small program's whole plan
  }
  start = mr_trace_begin();
  mr_status status = make_plan(module, function, e);
  mr_trace_end(MR_TRACE_COMPILE, "plan and code", start);
  return status;
}

// Of the program's bytes, what they are, and all that decides what is made of it.
static void write_fingerprint(mr_span program, const mr_compile_options *options, char *out, size_t size) {
  mr_hash128 hash = {options && options->round_steps, options && options->leaves_layouts};
  if (options && (options->num_replicas > 1 || options->num_partitions > 1)) {
    const uint64_t counts[] = {options->num_replicas, options->num_partitions};
    hash = mr_hash128_of(counts, sizeof counts, hash);
  }
  if (options && options->target) {
    hash = mr_hash128_of(&options->target->key, sizeof options->target->key, hash);
  }
  if (options && options->format != MR_PROGRAM_MLIR) {
    const uint64_t format = options->format;
    hash = mr_hash128_of(&format, sizeof format, hash);
  }
  for (size_t i = 0; options && i < options->num_shapes; i++) {
    hash = mr_hash128_of(options->shapes[i].dims, options->shapes[i].rank * sizeof(int64_t),
                         mr_hash128_of(&options->shapes[i].rank, sizeof(size_t), hash));
  }
  hash = mr_hash128_of(program.data, program.size, hash);
  snprintf(out, size, "%016llx%016llx", (unsigned long long)hash.high, (unsigned long long)hash.low);
}

static void take_options(mr_module *module, const mr_compile_options *options) {
  if (options) {
    module->round_steps = options->round_steps;
    module->figures = options->figures ? options->figures : module->figures;
    module->target = options->target;
    module->num_replicas = options->num_replicas;
    module->num_partitions = options->num_partitions;
    module->progress = options->progress;
  }
}

static mr_status read_program(mr_span program, const mr_compile_options *options, mr_module **out_module) {
  uint64_t start = mr_trace_begin();
  MR_TRY(mr_read_as(program, options ? options->format : MR_PROGRAM_MLIR, out_module));
  mr_trace_end(MR_TRACE_COMPILE, "read", start);
  take_options(*out_module, options);
  const mr_compile_watcher *watcher = options ? options->watcher : NULL;
  mr_status status = watcher && watcher->read ? watcher->read(watcher->context, *out_module) : MR_OK;
  if (status) {
    mr_module_release(*out_module);
    *out_module = NULL;
  }
  return status;
}

static mr_status compile(mr_span program, const mr_compile_options *options, mr_executable **out_executable) {
  uint64_t begin = mr_now_ns(), start = mr_trace_begin();
  mr_module *module = NULL;
  MR_TRY(read_program(program, options, &module));
  mr_executable *e = NULL;
  mr_status status = mr_executable_create(&e);
  if (status) {
    mr_module_release(module);
    return status;
  }
  write_fingerprint(program, options, e->fingerprint, sizeof e->fingerprint);
  if (options && options->target) {
    e->for_target = true;
    e->target = *options->target;
  }
  e->num_replicas = (uint32_t)mr_module_replicas(module);
  e->num_partitions = (uint32_t)mr_module_partitions(module);
  status = mr_module_end(module, compile_module(module, options, e));
  e->stats.compile_bytes = module->arena.used + e->arena.used;
  mr_module_release(module);
  if (status) {
    mr_executable_release(e);
    return status;
  }
  e->stats.compile_ns = mr_now_ns() - begin;
  mr_trace_end_call(MR_TRACE_COMPILE, "compile", MR_NODE_COMPILE, -1, start);
  *out_executable = e;
  return MR_OK;
}

mr_status mr_compile(mr_span program, const mr_compile_options *options, mr_executable **out_executable) {
  *out_executable = NULL;
  unsigned mode = mr_subnormals_honour();
  mr_status status = compile(program, options, out_executable);
  mr_subnormals_restore(mode);
  mr_codegen_tidy_later();
  return status;
}

mr_status mr_optimize(mr_span program, const mr_compile_options *options) {
  mr_module *module = NULL;
  mr_shard_boundary boundary;
  MR_TRY(read_program(program, options, &module));
  mr_status status = mr_module_verify(module);
  status = mr_module_end(module, status ? status : optimize(module, options, &boundary));
  mr_module_release(module);
  return status;
}
