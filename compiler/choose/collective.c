// Collectives: which devices meet, and what they do together.
#include "compiler/choose/choose.h"
#include "compiler/ir/fold.h"

#include <string.h>

static int64_t flag(const mr_op *op, mr_attr_key key) {
  const mr_attr *attr = mr_op_attr(op, key);
  return attr && attr->kind == MR_ATTR_INT ? attr->integer : 0;
}

// By pairs of source and target, not by groups.
static bool has_pairs(mr_op_kind kind) {
  return kind == MR_OP_collective_permute || kind == MR_OP_send || kind == MR_OP_recv;
}

// What the numbers of the op's groups stand for. A send always has a channel.
static mr_groups_mode mode_of(const mr_op *op) {
  if (op->kind == MR_OP_send || op->kind == MR_OP_recv) {
    return mr_module_partitions(mr_op_module(op)) > 1 ? MR_GROUPS_PARTITIONS : MR_GROUPS_REPLICAS;
  }
  bool partitions =
      op->kind == MR_OP_all_to_all || op->kind == MR_OP_collective_permute || op->kind == MR_OP_collective_broadcast;
  if (mr_op_int(op, MR_ATTR_channel_id, 0) <= 0) {
    return MR_GROUPS_REPLICAS;
  }
  if (flag(op, MR_ATTR_use_global_device_ids) != 0) {
    return MR_GROUPS_FLAT;
  }
  return partitions ? MR_GROUPS_PARTITIONS : MR_GROUPS_REPLICAS_PARTITIONS;
}

static bool may_leave_out(mr_op_kind kind) { return kind == MR_OP_collective_broadcast || has_pairs(kind); }

static mr_status check_all_there(const mr_op *op, const mr_groups *groups) {
  bool all = groups->num_members == groups->num_ids || may_leave_out(op->kind);
  for (uint32_t id = 0; !all && id < groups->num_ids; id++) {
    if (groups->group_of[id] == MR_NO_GROUP) {
      return mr_error(MR_INVALID_ARGUMENT, "device %u of %u is in no group", id, groups->num_ids);
    }
  }
  return MR_OK;
}

// The list of groups or of pairs that the op has, NULL for none, and how long it is.
static mr_ints list_of(const mr_op *op, size_t *out_rows) {
  if (has_pairs(op->kind)) {
    mr_ints pairs = mr_op_ints(op, MR_ATTR_source_target_pairs);
    *out_rows = pairs.size / 2;
    return pairs;
  }
  const mr_attr *attr = mr_op_attr(op, MR_ATTR_replica_groups);
  *out_rows = attr && attr->rows > 0 ? (size_t)attr->rows : 0;
  return *out_rows && attr->ints.size ? attr->ints : (mr_ints){NULL, 0};
}

static mr_status make_groups(const mr_op *op, mr_ints list, size_t rows, mr_groups **out_groups,
                             const uint32_t **out_sources) {
  const mr_module *module = mr_op_module(op);
  uint32_t replicas = (uint32_t)mr_module_replicas(module), partitions = (uint32_t)mr_module_partitions(module);
  *out_sources = NULL;
  return has_pairs(op->kind)
             ? mr_groups_of_pairs(mode_of(op), list.data, rows, replicas, partitions, out_groups, out_sources)
             : mr_groups_create(mode_of(op), list.data, rows, list.data ? list.size / rows : 0, replicas, partitions,
                                out_groups);
}

// Ops that have one list between them have one set of groups: what the partitioner makes for a thousand devices is as long as they are
// many. The last few are looked at.
static mr_status find_groups(const mr_op *op, mr_groups **out_groups, const uint32_t **out_sources) {
  mr_module *module = mr_op_module(op);
  size_t rows;
  mr_ints list = list_of(op, &rows);
  uint32_t meaning = 2 * (uint32_t)mode_of(op) + has_pairs(op->kind);
  for (size_t i = 0; i < MR_ARRAY_SIZE(module->groups); i++) {
    const mr_module_groups *known = &module->groups[i];
    if (known->groups && known->list == list.data && known->size == list.size && known->meaning == meaning) {
      *out_groups = mr_groups_retain(known->groups);
      *out_sources = known->sources;
      return MR_OK;
    }
  }
  MR_TRY(make_groups(op, list, rows, out_groups, out_sources));
  mr_module_groups *place = &module->groups[module->num_groups++ % MR_ARRAY_SIZE(module->groups)];
  mr_groups_release(place->groups);
  *place = (mr_module_groups){list.data, list.size, meaning, mr_groups_retain(*out_groups), *out_sources};
  return MR_OK;
}

static mr_status groups_of(const mr_op *op, mr_groups **out_groups, const uint32_t **out_sources) {
  const mr_attr *attr = mr_op_attr(op, MR_ATTR_replica_groups);
  if (attr && attr->kind != MR_ATTR_INTS) {
    return mr_error(MR_UNIMPLEMENTED, "groups of devices by axes of a mesh");
  }
  MR_TRY(find_groups(op, out_groups, out_sources));
  mr_status status = check_all_there(op, *out_groups);
  if (status) {
    mr_groups_release(*out_groups);
    *out_groups = NULL;
  }
  return status;
}

// A send without pairs would not say to whom.
static mr_status find_pairs(const mr_op *op, mr_groups **out_groups, const uint32_t **out_sources) {
  if (!mr_op_ints(op, MR_ATTR_source_target_pairs).size) {
    return mr_error(MR_INVALID_ARGUMENT, "%s between devices wants source_target_pairs", mr_op_table[op->kind].name);
  }
  return find_groups(op, out_groups, out_sources);
}

// ---- Kinds ------------------------------------------------------------------------------------------------------------------

static mr_collective_kind kind_of(mr_op_kind kind) {
  switch (kind) {
  case MR_OP_all_gather: return MR_COLLECTIVE_ALL_GATHER;
  case MR_OP_reduce_scatter: return MR_COLLECTIVE_REDUCE_SCATTER;
  case MR_OP_all_to_all: return MR_COLLECTIVE_ALL_TO_ALL;
  case MR_OP_collective_permute: return MR_COLLECTIVE_PERMUTE;
  case MR_OP_collective_broadcast: return MR_COLLECTIVE_BROADCAST;
  case MR_OP_collective_reduce: return MR_COLLECTIVE_REDUCE;
  case MR_OP_send: return MR_COLLECTIVE_SEND;
  case MR_OP_recv: return MR_COLLECTIVE_RECEIVE;
  default: return MR_COLLECTIVE_ALL_REDUCE;
  }
}

// ---- The call ---------------------------------------------------------------------------------------------------------------

static mr_status run_alone(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  (void)buffers, (void)scratch, (void)group;
  return mr_error(MR_INTERNAL, "%s outside of a run over several devices", call->name);
}

static void destroy(mr_library_call *call) {
  mr_collective_destroy(call->meets);
  mr_free(call);
}

static mr_status make_desc(const mr_op *op, mr_collective_desc *out, mr_collective_part *parts) {
  *out = (mr_collective_desc){.kind = kind_of(op->kind),
                              .name = mr_op_table[op->kind].name,
                              .roots = MR_INVALID,
                              .parts = parts,
                              .num_parts = op->num_results,
                              .cache_bytes = mr_figures_cache_share(mr_op_module(op)->figures)};
  bool folds = op->kind == MR_OP_all_reduce || op->kind == MR_OP_reduce_scatter || op->kind == MR_OP_collective_reduce;
  if (folds && !mr_block_is_fold(op->regions[0], &out->fold)) {
    return mr_error(MR_UNIMPLEMENTED, "%s with this region", out->name);
  }
  mr_attr_key dim = op->kind == MR_OP_all_gather       ? MR_ATTR_all_gather_dim
                    : op->kind == MR_OP_reduce_scatter ? MR_ATTR_scatter_dimension
                                                       : MR_ATTR_split_dimension;
  out->dim = (uint32_t)mr_op_int(op, dim, 0);
  out->concat = (uint32_t)mr_op_int(op, MR_ATTR_concat_dimension, 0);
  if (op->num_operands > op->num_results) {
    out->roots = mr_op_operand(op, op->num_results)->type.dtype;
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    const mr_type *type = &mr_op_operand(op, i)->type;
    parts[i] = (mr_collective_part){type->dtype, type->rank, type->dims};
  }
  return MR_OK;
}

// What all get is what the program says.
static mr_status check_results(const mr_op *op, const mr_groups *groups) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    int64_t given = mr_type_count(&mr_op_operand(op, i)->type), wanted = mr_type_count(&op->results[i].type);
    if (op->kind == MR_OP_all_gather) {
      given *= groups->most;
    } else if (op->kind == MR_OP_reduce_scatter) {
      given /= groups->most;
    }
    if (given != wanted) {
      return mr_error(MR_INVALID_ARGUMENT, "groups of %u devices give %lld elements, the result has %lld", groups->most,
                      (long long)given, (long long)wanted);
    }
  }
  return MR_OK;
}

static mr_status make_collective(const mr_op *op, mr_collective **out_collective) {
  mr_collective_part *parts = mr_alloc((op->num_results + 1) * sizeof *parts);
  mr_collective_desc desc;
  mr_groups *groups = NULL;
  mr_status status = parts ? make_desc(op, &desc, parts) : MR_NO_MEMORY();
  status = status ? status : groups_of(op, &groups, &desc.sources);
  if (!status) {
    status = check_results(op, groups);
    if (status) {
      mr_groups_release(groups);
    } else {
      status = mr_collective_create(&desc, groups, out_collective);
    }
  }
  mr_free(parts);
  return status;
}

// All operands, or all results, but the token, which comes last.
static mr_status make_mail(const mr_op *op, mr_collective **out_collective) {
  bool sends = op->kind == MR_OP_send;
  uint32_t count = (sends ? op->num_operands : op->num_results) - 1;
  mr_collective_part *parts = mr_alloc((count + 1) * sizeof *parts);
  mr_collective_desc desc = {.kind = kind_of(op->kind),
                             .name = mr_op_table[op->kind].name,
                             .roots = MR_INVALID,
                             .parts = parts,
                             .num_parts = count,
                             .channel = mr_op_int(op, MR_ATTR_channel_id, 0)};
  mr_groups *groups = NULL;
  mr_status status = parts ? find_pairs(op, &groups, &desc.sources) : MR_NO_MEMORY();
  for (uint32_t i = 0; !status && i < count; i++) {
    const mr_type *type = sends ? &mr_op_operand(op, i)->type : &op->results[i].type;
    parts[i] = (mr_collective_part){type->dtype, type->rank, type->dims};
  }
  status = status ? status : mr_collective_create(&desc, groups, out_collective);
  mr_free(parts);
  return status;
}

static mr_status make_call(const mr_op *op, mr_status (*make)(const mr_op *op, mr_collective **out_collective),
                           mr_library_call **out_call) {
  mr_library_call *call = mr_alloc_zeroed(1, sizeof *call);
  if (!call) {
    return MR_NO_MEMORY();
  }
  *call = (mr_library_call){.run = run_alone, .destroy = destroy, .name = mr_op_table[op->kind].name};
  mr_status status = make(op, &call->meets);
  if (status) {
    destroy(call);
    return status;
  }
  call->cost_ns = mr_collective_cost(call->meets) / mr_collective_groups(call->meets)->most;
  *out_call = call;
  return MR_OK;
}

bool mr_choose_wants_collective(const mr_op *op) {
  (void)op;
  return true;
}

mr_status mr_choose_make_collective(const mr_op *op, mr_library_call **out_call) {
  return make_call(op, make_collective, out_call);
}

// Transfers with the host are the host's.
bool mr_choose_wants_mail(const mr_op *op) {
  const mr_module *module = mr_op_module(op);
  return mr_op_int(op, MR_ATTR_is_host_transfer, 0) == 0 &&
         mr_module_replicas(module) * mr_module_partitions(module) > 1;
}

mr_status mr_choose_make_mail(const mr_op *op, mr_library_call **out_call) {
  return make_call(op, make_mail, out_call);
}
