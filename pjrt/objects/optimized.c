#include "pjrt/objects/optimized.h"

#include <string.h>

#include "compiler/shard/shard.h"
#include "compiler/writer/writer.h"
#include "pjrt/proto/options.h"
#include "pjrt/proto/sharding.h"

static bool came_as_hlo(const PJRT_Executable *executable) { return executable->format != MR_PROGRAM_MLIR; }

// ---- Writing --------------------------------------------------------------------------------------------------------------

// Serialized OpShardings, of mr_alloc.
typedef struct packed {
  mr_hlo_shardings shardings;
  mr_span *parameters;
} packed;

static void packed_deinit(packed *p) {
  for (size_t i = 0; i < p->shardings.num_parameters; i++) {
    mr_free((void *)(uintptr_t)p->parameters[i].data);
  }
  mr_free(p->parameters);
  mr_free((void *)(uintptr_t)p->shardings.results.data);
}

static mr_status pack_parameters(const mr_shard_boundary *boundary, packed *out) {
  out->parameters = mr_alloc_zeroed(boundary->num_params + 1, sizeof *out->parameters);
  if (!out->parameters) {
    return MR_NO_MEMORY();
  }
  out->shardings.parameters = out->parameters;
  for (size_t i = 0; i < boundary->num_params; i++) {
    char *bytes;
    size_t size;
    MR_TRY(mr_pjrt_sharding_pack(boundary->params[i].tiles, &bytes, &size));
    out->parameters[i] = (mr_span){bytes, size};
    out->shardings.num_parameters = i + 1;
  }
  return MR_OK;
}

static mr_status pack_results(const mr_shard_boundary *boundary, packed *out) {
  const mr_tile_sharding **tiles = mr_alloc(boundary->num_results * sizeof *tiles + 1);
  if (!tiles) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < boundary->num_results; i++) {
    tiles[i] = boundary->results[i].tiles;
  }
  char *bytes = NULL;
  size_t size = 0;
  mr_status status = mr_pjrt_sharding_pack_tuple(tiles, boundary->num_results, &bytes, &size);
  out->shardings.results = (mr_span){bytes, size};
  mr_free(tiles);
  return status;
}

// With how devices' parts make whole arrays, as XLA's partitioner says it.
static mr_status write_hlo(const mr_module *module, const mr_shard_boundary *boundary, bool is_cut, mr_text *out) {
  mr_hlo_form form = {.outer = MR_HLO_WITH_CONFIG, .is_local = true};
  packed p = {0};
  mr_status status = MR_OK;
  if (is_cut) {
    status = pack_parameters(boundary, &p);
    status = status ? status : pack_results(boundary, &p);
    form.shardings = &p.shardings;
  }
  status = status ? status : mr_write_hlo(module, &form, out);
  packed_deinit(&p);
  return status;
}

// Hosts make HLO of text, and CHLO has none. A program in which the passes found such ops is given as it came.
static mr_status write_text(const PJRT_Executable *executable, const mr_module *module, mr_text *out) {
  mr_module_print(module, out);
  if (!out->failed && memmem(out->data, out->size, "chlo.", 5)) {
    mr_text_deinit(out);
    *out = (mr_text){0};
    mr_text_append(out, (mr_str){executable->program.data, executable->program.size});
  }
  return out->failed ? MR_NO_MEMORY() : MR_OK;
}

static mr_status write_optimized(PJRT_Executable *executable, const mr_module *module,
                                 const mr_shard_boundary *boundary) {
  mr_text text = {0};
  mr_status status = came_as_hlo(executable) ? write_hlo(module, boundary, executable->partitions > 1, &text)
                                             : write_text(executable, module, &text);
  if (status) {
    mr_text_deinit(&text);  // the next one to ask finds nothing, not a text that has failed
    return status;
  }
  executable->optimized = text;
  return MR_OK;
}

mr_status mr_pjrt_optimized_keep(PJRT_Executable *executable, const mr_module *module,
                                 const mr_shard_boundary *boundary) {
  bool keeps = came_as_hlo(executable) && executable->program.size <= MR_PJRT_OPTIMIZED_BYTES;
  return keeps ? write_optimized(executable, module, boundary) : MR_OK;
}

// ---- Asking ---------------------------------------------------------------------------------------------------------------

static mr_status write_now(void *context, const mr_module *module, const mr_shard_boundary *boundary) {
  return write_optimized(context, module, boundary);
}

static mr_status make(PJRT_Executable *executable) {
  mr_pjrt_options options;
  MR_TRY(mr_pjrt_options_parse(executable->options.data, executable->options.size, &options));
  const mr_compile_watcher watcher = {.context = executable, .optimized = write_now};
  mr_compile_options compile_options = mr_pjrt_options_for(executable, &options);
  compile_options.watcher = &watcher;
  mr_status status = mr_optimize(executable->program, &compile_options);
  mr_pjrt_options_deinit(&options);
  return status;
}

static void forget(PJRT_Executable *executable) {
  mr_text_deinit(&executable->optimized);
  executable->optimized = (mr_text){0};
}

// A host asks for the size and then for the bytes. When it has them, HLO is gone, for which nobody asks twice, and so is what is large.
static mr_status give(PJRT_Executable *executable, PJRT_Program *out) {
  MR_TRY(executable->optimized.size ? MR_OK : make(executable));
  const mr_text *text = &executable->optimized;
  if (out->code == NULL) {
    out->code_size = text->size;
    return MR_OK;
  }
  if (out->code_size < text->size) {
    return mr_error(MR_INVALID_ARGUMENT, "PJRT_Executable_OptimizedProgram: room for %zu bytes, wanted %zu",
                    out->code_size, text->size);
  }
  memcpy(out->code, text->data, text->size);
  if (came_as_hlo(executable) || text->size > MR_PJRT_OPTIMIZED_BYTES) {
    forget(executable);
  }
  return MR_OK;
}

PJRT_Error *mr_pjrt_Executable_OptimizedProgram(PJRT_Executable_OptimizedProgram_Args *args) {
  MR_PJRT_NEED(args, program);
  MR_PJRT_NONNULL(args, executable);
  MR_PJRT_NONNULL(args, program);
  pthread_mutex_lock(&args->executable->optimized_lock);
  mr_status status = give(args->executable, args->program);
  pthread_mutex_unlock(&args->executable->optimized_lock);
  MR_PJRT_TRY(status);
  args->program->format = came_as_hlo(args->executable) ? "hlo_with_config" : "mlir";
  args->program->format_size = strlen(args->program->format);
  return NULL;
}
