// Extension PhaseCompile: compilation in steps whose results a host can keep and go on from.
//
//   check     a program as hosts send it; the same program, verified
//   simplify  the program that is left when the passes have run, as MLIR text
//   compile   the serialized executable, for Executable_DeserializeAndLoad
//
// Each takes a list of programs and gives one of the same length.
#include <string.h>

#include "compiler/passes/passes.h"
#include "compiler/reader/reader.h"
#include "pjrt/ext/extensions.h"
#include "pjrt/objects/objects.h"
#include "pjrt/objects/program.h"
#include "pjrt/proto/extensions.h"

// There is one, and nothing in it.
struct PJRT_PhaseCompiler {
  char unused;
};
static const PJRT_PhaseCompiler the_compiler;

typedef struct phase_context {
  mr_span options;
  mr_pjrt_places places;
} phase_context;

typedef struct phase {
  const char *name, *out_format;
  // The program's next form, in mr_alloc'ed memory.
  mr_status (*run)(const phase_context *context, const mr_pjrt_partial_program *program, char **out_bytes,
                   size_t *out_size);
} phase;

static mr_status copy_out(const void *data, size_t size, char **out_bytes, size_t *out_size) {
  *out_bytes = mr_alloc(MR_MAX(size, 1));
  if (*out_bytes == NULL) {
    return MR_NO_MEMORY();
  }
  memcpy(*out_bytes, data, size);
  *out_size = size;
  return MR_OK;
}

static mr_status read_module(const mr_pjrt_partial_program *program, mr_module **out_module) {
  if (!mr_str_is(program->format, "mlir")) {
    return mr_error(MR_INVALID_ARGUMENT, "partial program of format '%.*s', wanted 'mlir'",
                    MR_STR_ARG(program->format));
  }
  MR_TRY(mr_read_program(program->program, out_module));
  mr_status status = mr_module_verify(*out_module);
  if (status) {
    mr_module_release(*out_module);
    *out_module = NULL;
  }
  return status;
}

static mr_status run_check(const phase_context *context, const mr_pjrt_partial_program *program, char **out_bytes,
                           size_t *out_size) {
  (void)context;
  mr_module *module;
  MR_TRY(read_module(program, &module));
  mr_module_release(module);
  return copy_out(program->program.data, program->program.size, out_bytes, out_size);
}

static mr_status run_simplify(const phase_context *context, const mr_pjrt_partial_program *program, char **out_bytes,
                              size_t *out_size) {
  (void)context;
  mr_module *module;
  MR_TRY(read_module(program, &module));
  mr_text text = {0};
  mr_status status = mr_passes_run(module);
  if (!status) {
    module->prints_origins = true;
    mr_module_print(module, &text);
    status = text.failed ? MR_NO_MEMORY() : copy_out(text.data, text.size, out_bytes, out_size);
  }
  mr_text_deinit(&text);
  mr_module_release(module);
  return status;
}

static mr_status serialize(PJRT_Executable *executable, char **out_bytes, size_t *out_size) {
  PJRT_Executable_Serialize_Args args = {.struct_size = sizeof args, .executable = executable};
  MR_TRY(mr_pjrt_status_of_foreign(mr_pjrt_Executable_Serialize(&args)));
  mr_status status = copy_out(args.serialized_bytes, args.serialized_bytes_size, out_bytes, out_size);
  args.serialized_executable_deleter(args.serialized_executable);
  return status;
}

static mr_status run_compile(const phase_context *context, const mr_pjrt_partial_program *program, char **out_bytes,
                             size_t *out_size) {
  PJRT_Executable *executable;
  mr_program_format format;
  MR_TRY(mr_pjrt_format_parse(program->format, &format));
  MR_TRY(mr_pjrt_executable_compile(program->program, format, context->options, context->places, &executable));
  mr_status status = serialize(executable, out_bytes, out_size);
  mr_pjrt_executable_release(executable);
  return status;
}

static const phase phases[] = {
    {"check", "mlir", run_check},
    {"simplify", "mlir", run_simplify},
    {"compile", "millrace_executable", run_compile},
};
enum { PHASES = MR_ARRAY_SIZE(phases) };
static_assert(PHASES - 1 <= MR_ARRAY_SIZE(((mr_pjrt_partial_program *)0)->consumers), "room for all that may follow");

// ---- Lists of strings -----------------------------------------------------------------------------------------------

typedef struct string_list {
  const char **items;
  size_t *sizes;
  size_t count;
} string_list;

static void list_release(const char **items, const size_t *sizes, size_t count) {
  for (size_t i = 0; items && i < count; i++) {
    mr_free((void *)items[i]);
  }
  mr_free(items);
  mr_free((void *)sizes);
}

static mr_status list_create(size_t count, string_list *out) {
  *out = (string_list){.items = mr_alloc_zeroed(MR_MAX(count, 1), sizeof(char *)),
                       .sizes = mr_alloc_zeroed(MR_MAX(count, 1), sizeof(size_t)),
                       .count = count};
  if (out->items && out->sizes) {
    return MR_OK;
  }
  list_release(out->items, out->sizes, 0);
  return MR_NO_MEMORY();
}

// ---- Running --------------------------------------------------------------------------------------------------------

static mr_status find_phase(mr_str name, size_t *out_index) {
  for (size_t i = 0; i < PHASES; i++) {
    if (mr_str_is(name, phases[i].name)) {
      *out_index = i;
      return MR_OK;
    }
  }
  return mr_error(MR_INVALID_ARGUMENT, "compilation phase '%.*s', wanted check, simplify or compile", MR_STR_ARG(name));
}

// A program says which phases may come next, unless it comes from the host and says nothing.
static mr_status check_consumer(const mr_pjrt_partial_program *program, const phase *next) {
  bool named = program->consumer_count == 0 && program->producer.size == 0;
  for (size_t i = 0; i < program->consumer_count; i++) {
    named = named || mr_str_is(program->consumers[i], next->name);
  }
  if (!named) {
    return mr_error(MR_INVALID_ARGUMENT, "a partial program of phase '%.*s' cannot go into phase '%s'",
                    MR_STR_ARG(program->producer), next->name);
  }
  if (program->producer.size && !mr_str_is(program->version, MILLRACE_VERSION)) {
    return mr_error(MR_FAILED_PRECONDITION, "a partial program of millrace %.*s, wanted " MILLRACE_VERSION,
                    MR_STR_ARG(program->version));
  }
  return MR_OK;
}

static mr_status run_phase(const phase_context *context, mr_arena *arena, size_t index,
                           mr_pjrt_partial_program *program) {
  const phase *self = &phases[index];
  MR_TRY(check_consumer(program, self));
  char *bytes;
  size_t size;
  MR_TRY(mr_status_note(self->run(context, program, &bytes, &size), "phase %s", self->name));
  program->program = (mr_span){mr_arena_copy(arena, bytes, size), size};
  mr_free(bytes);
  program->format = mr_str_of(self->out_format);
  program->producer = mr_str_of(self->name);
  program->version = MR_STR(MILLRACE_VERSION);
  program->consumer_count = 0;
  for (size_t i = index + 1; i < PHASES; i++) {
    program->consumers[program->consumer_count++] = mr_str_of(phases[i].name);
  }
  return program->program.data ? MR_OK : MR_NO_MEMORY();
}

static mr_status run_program(const PJRT_PhaseCompile_Run_Phase_Args *args, const phase_context *context, size_t which,
                             mr_arena *arena, string_list *out) {
  mr_pjrt_partial_program program;
  if (args->input_programs[which] == NULL) {
    return mr_error(MR_INVALID_ARGUMENT, "partial program %zu is NULL", which);
  }
  MR_TRY(mr_pjrt_partial_program_parse((mr_span){args->input_programs[which], args->input_programs_sizes[which]}, arena,
                                       &program));
  for (size_t i = 0; i < args->num_phases_to_run; i++) {
    size_t index;
    if (args->phases_to_run[i] == NULL) {
      return mr_error(MR_INVALID_ARGUMENT, "the name of phase %zu is NULL", i);
    }
    MR_TRY(find_phase((mr_str){args->phases_to_run[i], args->phases_to_run_sizes[i]}, &index));
    MR_TRY(run_phase(context, arena, index, &program));
  }
  char *bytes;
  MR_TRY(mr_pjrt_partial_program_serialize(&program, &bytes, &out->sizes[which]));
  out->items[which] = bytes;
  return MR_OK;
}

static mr_status run_programs(const PJRT_PhaseCompile_Run_Phase_Args *args, string_list *out) {
  if (args->num_phases_to_run == 0 || args->num_input_programs == 0) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu phases over %zu programs, wanted at least one of each",
                    args->num_phases_to_run, args->num_input_programs);
  }
  const phase_context context = {{args->compile_options, args->compile_options_size},
                                 mr_pjrt_topology_places(args->topology)};
  MR_TRY(list_create(args->num_input_programs, out));
  mr_status status = MR_OK;
  for (size_t i = 0; !status && i < args->num_input_programs; i++) {
    mr_arena arena;
    mr_arena_init(&arena, 0);
    status = run_program(args, &context, i, &arena, out);
    mr_arena_deinit(&arena);
  }
  if (status) {
    list_release(out->items, out->sizes, out->count);
  }
  return status;
}

static mr_status name_phases(string_list *out) {
  MR_TRY(list_create(PHASES, out));
  for (size_t i = 0; i < PHASES; i++) {
    char *name;
    mr_status status = copy_out(phases[i].name, strlen(phases[i].name) + 1, &name, &out->sizes[i]);
    if (status) {
      list_release(out->items, out->sizes, out->count);
      return status;
    }
    out->items[i] = name;
    out->sizes[i]--;  // the end is not counted
  }
  return MR_OK;
}

// ---- Functions of the table -----------------------------------------------------------------------------------------

static PJRT_Error *get_compiler(PJRT_PhaseCompile_Get_Compiler_Args *args) {
  MR_PJRT_NEED(args, phase_compiler);
  args->phase_compiler = &the_compiler;
  return NULL;
}

static void destroy_compiler(PJRT_PhaseCompile_Destroy_Compiler_Args *args) { (void)args; }

static PJRT_Error *run_phases(PJRT_PhaseCompile_Run_Phase_Args *args) {
  MR_PJRT_NEED(args, num_output_programs);
  MR_PJRT_NONNULL(args, phase_compiler);
  MR_PJRT_NONNULL_IF(args, num_input_programs, input_programs);
  MR_PJRT_NONNULL_IF(args, num_input_programs, input_programs_sizes);
  MR_PJRT_NONNULL_IF(args, num_phases_to_run, phases_to_run);
  MR_PJRT_NONNULL_IF(args, num_phases_to_run, phases_to_run_sizes);
  MR_PJRT_NONNULL_IF(args, compile_options_size, compile_options);
  string_list list;
  args->output_programs = NULL;
  args->output_programs_sizes = NULL;
  args->num_output_programs = 0;
  MR_PJRT_TRY(run_programs(args, &list));
  args->output_programs = list.items;
  args->output_programs_sizes = list.sizes;
  args->num_output_programs = list.count;
  return NULL;
}

static PJRT_Error *get_phase_names(PJRT_PhaseCompile_Get_PhaseNames_Args *args) {
  MR_PJRT_NEED(args, num_phase_names);
  MR_PJRT_NONNULL(args, phase_compiler);
  string_list list;
  MR_PJRT_TRY(name_phases(&list));
  args->phase_names = list.items;
  args->phase_names_sizes = list.sizes;
  args->num_phase_names = list.count;
  return NULL;
}

static void c_buffers_destroy(PJRT_PhaseCompile_C_Buffers_Destroy_Args *args) {
  if (args) {
    list_release(args->char_buffers, args->char_buffer_sizes, args->num_char_buffers);
  }
}

PJRT_PhaseCompile_Extension mr_pjrt_ext_phase_compile = {
    .base = {.struct_size = sizeof(PJRT_PhaseCompile_Extension),
             .type = PJRT_Extension_Type_PhaseCompile,
             .next = &mr_pjrt_ext_profiler.base},
    .get_compiler = get_compiler,
    .destroy_compiler = destroy_compiler,
    .run_phases = run_phases,
    .get_phase_names = get_phase_names,
    .c_buffers_destroy = c_buffers_destroy,
};
