#include "pjrt/objects/partitioners.h"

#include <pthread.h>
#include <string.h>

#include "core/fork.h"
#include "pjrt/abi/api.h"
#include "pjrt/ffi/ffi.h"
#include "pjrt/layout/layout.h"
#include "pjrt/proto/options.h"
#include "pjrt/proto/sharding.h"

// ---- Registry --------------------------------------------------------------------------------------------------------------

// `callbacks` NULL: batch partitionable.
typedef struct entry {
  mr_str target;
  JAX_CustomCallPartitioner_Callbacks *callbacks;
  struct entry *next;
} entry;

MR_FORK_LOCK(lock);
static entry *entries;  // under lock; newest first, never removed but at the end

// The newest entry of that name, of the wanted kind.
static entry *find(mr_str target, bool batch) {
  pthread_mutex_lock(&lock);
  entry *found = entries;
  while (found && !(mr_str_equal(found->target, target) && (found->callbacks == NULL) == batch)) {
    found = found->next;
  }
  pthread_mutex_unlock(&lock);
  return found;
}

mr_status mr_pjrt_partitioner_add(mr_str target, JAX_CustomCallPartitioner_Callbacks *callbacks) {
  if (callbacks == NULL && find(target, true)) {
    return MR_OK;
  }
  entry *self = mr_alloc(sizeof *self + target.size);
  if (self == NULL) {
    return MR_NO_MEMORY();
  }
  memcpy(self + 1, target.data, target.size);
  *self = (entry){.target = {(char *)(self + 1), target.size}, .callbacks = callbacks};
  pthread_mutex_lock(&lock);
  self->next = entries;
  entries = self;
  pthread_mutex_unlock(&lock);
  return MR_OK;
}

static bool has_partitioner(void *context, mr_str target) {
  (void)context;
  return find(target, false) != NULL;
}

static bool is_batch_partitionable(void *context, mr_str target) {
  (void)context;
  return find(target, true) != NULL;
}

// ---- Asking a partitioner ---------------------------------------------------------------------------------------------------
// Shapes and shardings go out as messages that live in the compiler's arena: the host looks at them during the call only, and
// programs with such calls are few.

static mr_status keep(mr_arena *arena, char *take_bytes, size_t size, JAX_CustomCallPartitioner_string *out) {
  out->data = mr_arena_copy(arena, take_bytes, MR_MAX(size, 1));
  out->size = size;
  mr_free(take_bytes);
  return out->data ? MR_OK : MR_NO_MEMORY();
}

static mr_status pack_shape(mr_arena *arena, const mr_shard_value *value, JAX_CustomCallPartitioner_string *out) {
  char *bytes;
  MR_TRY(mr_pjrt_shape_serialize(mr_pjrt_ffi_dtype(value->dtype), (mr_ints){(int64_t *)value->dims, value->rank},
                                 mr_pjrt_layout_row_major(value->rank), &bytes, &out->size));
  return keep(arena, bytes, out->size, out);
}

static mr_status pack_value(mr_arena *arena, const mr_shard_value *value, JAX_CustomCallPartitioner_aval *out) {
  char *bytes;
  MR_TRY(pack_shape(arena, value, &out->shape));
  MR_TRY(mr_pjrt_sharding_pack(value->tiles, &bytes, &out->sharding.size));
  out->has_sharding = true;
  return keep(arena, bytes, out->sharding.size, &out->sharding);
}

static mr_status pack_tuple(mr_arena *arena, const mr_shard_call *call, JAX_CustomCallPartitioner_aval *out) {
  mr_span *shapes = mr_arena_array(arena, mr_span, MR_MAX(call->num_results, 1));
  const mr_tile_sharding **tiles = mr_arena_array(arena, const mr_tile_sharding *, MR_MAX(call->num_results, 1));
  if (!shapes || !tiles) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < call->num_results; i++) {
    JAX_CustomCallPartitioner_string shape;
    MR_TRY(pack_shape(arena, &call->results[i], &shape));
    shapes[i] = (mr_span){shape.data, shape.size};
    tiles[i] = call->results[i].tiles;
  }
  char *bytes;
  MR_TRY(mr_pjrt_shape_serialize_tuple(shapes, call->num_results, &bytes, &out->shape.size));
  MR_TRY(keep(arena, bytes, out->shape.size, &out->shape));
  MR_TRY(mr_pjrt_sharding_pack_tuple(tiles, call->num_results, &bytes, &out->sharding.size));
  out->has_sharding = true;
  return keep(arena, bytes, out->sharding.size, &out->sharding);
}

static mr_status read_answer(const JAX_CustomCallPartitioner_Partition_Args *args, const mr_shard_call *call,
                             mr_arena *arena, mr_shard_answer *out) {
  if (args->header.has_error) {
    return mr_error((mr_code)args->header.code, "%.*s", (int)args->header.error_msg.size, args->header.error_msg.data);
  }
  if (call->num_operands && !args->args_sharding) {
    return mr_error(MR_INVALID_ARGUMENT, "the host's partitioner gives no shardings of the operands");
  }
  mr_tile_sharding *operands = mr_arena_array(arena, mr_tile_sharding, MR_MAX(call->num_operands, 1));
  mr_tile_sharding *results = mr_arena_array(arena, mr_tile_sharding, MR_MAX(call->num_results, 1));
  char *program = mr_arena_copy(arena, args->mlir_module.data, args->mlir_module.size);
  if (!operands || !results || !program) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < call->num_operands; i++) {
    mr_span bytes = {args->args_sharding[i].data, args->args_sharding[i].size};
    MR_TRY(mr_status_note(mr_pjrt_sharding_unpack(bytes, 1, arena, &operands[i]), "operand %zu", i));
  }
  mr_span bytes = {args->result_sharding.data, args->result_sharding.size};
  MR_TRY(mr_status_note(mr_pjrt_sharding_unpack(bytes, call->num_results, arena, results), "result"));
  *out = (mr_shard_answer){operands, results, {program, args->mlir_module.size}};
  return MR_OK;
}

static mr_status partition(void *context, const mr_shard_call *call, mr_arena *arena, mr_shard_answer *out_answer) {
  (void)context;
  *out_answer = (mr_shard_answer){0};
  entry *self = find(call->target, false);
  if (self == NULL) {
    return mr_error(MR_NOT_FOUND, "no partitioner for custom call '%.*s'", MR_STR_ARG(call->target));
  }
  JAX_CustomCallPartitioner_Partition_Args args = {
      .num_args = call->num_operands,
      .op_args = mr_arena_array(arena, JAX_CustomCallPartitioner_aval, MR_MAX(call->num_operands, 1)),
      .backend_config = {call->backend_config.data, call->backend_config.size}};
  if (args.op_args == NULL) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < call->num_operands; i++) {
    MR_TRY(pack_value(arena, &call->operands[i], &args.op_args[i]));
  }
  MR_TRY(call->num_results == 1 ? pack_value(arena, &call->results[0], &args.op_result)
                                : pack_tuple(arena, call, &args.op_result));
  self->callbacks->partition(self->callbacks, &args);
  mr_status status = mr_status_note(read_answer(&args, call, arena, out_answer), "partitioning custom call '%.*s'",
                                    MR_STR_ARG(call->target));
  if (args.header.cleanup_fn) {
    args.header.cleanup_fn(args.header.data);
  }
  return status;
}

// ---- Showing a sharding -----------------------------------------------------------------------------------------------------

// As a host lays them out: the arguments of the call that its pointer is for, and the pair that a custom call's configuration is. Its
// functions have a struct of its own for `self` and `arguments`.
typedef struct inspection {
  const char *sharding;
  size_t sharding_size;
  const char *error_text;
  void *error_scratch;
  void (*free_error)(void *self);
} inspection;
typedef struct inspector {
  void (*call)(void *data, void *arguments);
  void *data;
} inspector;

static mr_status inspect(void *context, mr_str backend_config, const mr_tile_sharding *tiles) {
  (void)context;
  inspector host;
  if (backend_config.size != sizeof host) {
    return mr_error(MR_INVALID_ARGUMENT, "InspectSharding with a configuration of %zu bytes, wanted %zu",
                    backend_config.size, sizeof host);
  }
  memcpy(&host, backend_config.data, sizeof host);
  char *bytes;
  inspection arguments = {0};
  MR_TRY(mr_pjrt_sharding_pack(tiles, &bytes, &arguments.sharding_size));
  arguments.sharding = bytes;
  host.call(host.data, &arguments);
  mr_free(bytes);
  mr_status status = arguments.error_text ? mr_error(MR_INTERNAL, "InspectSharding: %s", arguments.error_text) : MR_OK;
  if (arguments.error_text && arguments.free_error) {
    arguments.free_error(&arguments);
  }
  return status;
}

const mr_shard_host mr_pjrt_shard_host = {
    .has_partitioner = has_partitioner,
    .is_batch_partitionable = is_batch_partitionable,
    .partition = partition,
    .inspect = inspect,
};
