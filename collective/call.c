// One collective: what is known of it beforehand, and its work when all are there.
#include "collective/call.h"

#include <string.h>

// ---- Making -----------------------------------------------------------------------------------------------------------------

static bool folds(mr_collective_kind kind) {
  return kind == MR_COLLECTIVE_ALL_REDUCE || kind == MR_COLLECTIVE_REDUCE_SCATTER || kind == MR_COLLECTIVE_REDUCE;
}

static bool goes_along_dim(mr_collective_kind kind) {
  return kind == MR_COLLECTIVE_ALL_GATHER || kind == MR_COLLECTIVE_REDUCE_SCATTER;
}

static bool is_mail(const mr_collective *call) {
  return call->is.kind == MR_COLLECTIVE_SEND || call->is.kind == MR_COLLECTIVE_RECEIVE;
}

// Results are as large as operands, but for these.
static mr_status check_dims(const mr_collective_desc *desc, const mr_groups *groups, const mr_collective_part *part) {
  bool scatters = desc->kind == MR_COLLECTIVE_REDUCE_SCATTER || desc->kind == MR_COLLECTIVE_ALL_TO_ALL;
  if (!scatters && desc->kind != MR_COLLECTIVE_ALL_GATHER) {
    return MR_OK;
  }
  if (desc->dim >= part->rank || (desc->kind == MR_COLLECTIVE_ALL_TO_ALL && desc->concat >= part->rank)) {
    return mr_error(MR_INVALID_ARGUMENT, "%s along dimension %u of an operand of rank %u", desc->name, desc->dim,
                    part->rank);
  }
  for (uint32_t g = 0; g < groups->num_groups; g++) {
    uint32_t size = mr_groups_size(groups, g);
    if (size != groups->most) {
      return mr_error(MR_INVALID_ARGUMENT, "%s in groups of %u and of %u devices", desc->name, size, groups->most);
    }
  }
  if (scatters && part->dims[desc->dim] % groups->most) {
    return mr_error(MR_INVALID_ARGUMENT, "%s of dimension %u, of size %lld, among %u devices", desc->name, desc->dim,
                    (long long)part->dims[desc->dim], groups->most);
  }
  return MR_OK;
}

static mr_status fill_part(mr_collective *call, uint32_t i) {
  const mr_collective_desc *desc = &call->is;
  collective_part *part = &call->parts[i];
  char text[256];
  part->unit = part->bytes = mr_dtype_bytes(part->is.dtype);
  part->outer = 1;
  for (uint32_t d = 0; d < part->is.rank; d++) {
    part->bytes = mr_size_mul(part->bytes, (size_t)part->is.dims[d]);
  }
  for (uint32_t d = 0; goes_along_dim(desc->kind) && d < desc->dim && d < part->is.rank; d++) {
    part->outer *= (size_t)part->is.dims[d];
  }
  part->inner = part->outer ? part->bytes / part->outer : 0;
  part->folding = folds(desc->kind) ? mr_folding_find(desc->fold, part->is.dtype) : NULL;
  if (folds(desc->kind) && !part->folding) {
    return mr_error(MR_UNIMPLEMENTED, "%s that folds %s", desc->name,
                    mr_dims_text(part->is.dtype, part->is.dims, part->is.rank, text, sizeof text));
  }
  return check_dims(desc, call->groups, &part->is);
}

// What all of a group read and write, at what one core does.
static uint64_t cost_of(const mr_collective *call) {
  uint64_t bytes = 0, n = call->groups->most;
  for (uint32_t i = 0; i < call->is.num_parts; i++) {
    uint64_t each = call->parts[i].bytes;
    bytes = mr_size_add(bytes, mr_size_mul(each, call->is.kind == MR_COLLECTIVE_ALL_GATHER ? n * n : 2 * n));
  }
  return mr_size_add(MR_COLLECTIVE_NS, bytes / MR_COLLECTIVE_BYTES_PER_NS);
}

// Who gets from whom, the other way round.
static mr_status find_targets(mr_collective *call) {
  const mr_groups *groups = call->groups;
  call->targets = mr_alloc((size_t)groups->num_ids * sizeof *call->targets);
  if (!call->targets) {
    return MR_NO_MEMORY();
  }
  memset(call->targets, 0xff, (size_t)groups->num_ids * sizeof *call->targets);
  for (uint32_t id = 0; id < groups->num_ids; id++) {
    uint32_t source = mr_collective_source(call, id);
    if (source != MR_NO_GROUP) {
      call->targets[source] = id;
    }
  }
  return MR_OK;
}

mr_status mr_collective_create(const mr_collective_desc *desc, mr_groups *take_groups, mr_collective **out_call) {
  *out_call = NULL;
  size_t dims = 0;
  for (uint32_t i = 0; i < desc->num_parts; i++) {
    dims += desc->parts[i].rank;
  }
  size_t parts = sizeof(mr_collective) + desc->num_parts * sizeof(collective_part);
  mr_collective *call = mr_alloc_zeroed(1, parts + dims * sizeof(int64_t));
  if (!call) {
    mr_groups_release(take_groups);
    return MR_NO_MEMORY();
  }
  call->is = *desc;
  call->is.parts = NULL;
  call->groups = take_groups;
  int64_t *at = (int64_t *)(void *)((char *)call + parts);
  mr_status status = MR_OK;
  for (uint32_t i = 0; i < desc->num_parts && !status; i++) {
    call->parts[i].is = desc->parts[i];
    call->parts[i].is.dims = at;
    for (uint32_t d = 0; d < desc->parts[i].rank; d++) {
      *at++ = desc->parts[i].dims[d];
    }
    status = fill_part(call, i);
  }
  if (!status && is_mail(call)) {
    status = find_targets(call);
  }
  if (status) {
    mr_collective_destroy(call);
    return status;
  }
  call->cost_ns = cost_of(call);
  *out_call = call;
  return MR_OK;
}

void mr_collective_destroy(mr_collective *call) {
  if (call) {
    mr_groups_release(call->groups);
    mr_free(call->targets);
    mr_free(call);
  }
}

const mr_groups *mr_collective_groups(const mr_collective *call) { return call->groups; }
const char *mr_collective_name(const mr_collective *call) { return call->is.name; }
mr_collective_kind mr_collective_kind_of(const mr_collective *call) { return call->is.kind; }
uint64_t mr_collective_cost(const mr_collective *call) { return call->cost_ns; }

bool mr_collective_is_alike(const mr_collective *call) {
  mr_collective_kind kind = call->is.kind;
  bool for_all = kind == MR_COLLECTIVE_ALL_REDUCE || kind == MR_COLLECTIVE_ALL_GATHER;
  return for_all && call->groups->num_groups == 1 && mr_groups_size(call->groups, 0) == call->groups->num_ids;
}

static uint32_t operands_of(const mr_collective *call) { return call->is.num_parts + (call->is.roots != MR_INVALID); }

uint32_t mr_collective_buffers(const mr_collective *call) {
  return is_mail(call) ? call->is.num_parts : operands_of(call) + call->is.num_parts;
}

// Results are as large as operands, but for those that are gathered or scattered.
size_t mr_collective_bytes(const mr_collective *call, uint32_t buffer) {
  const uint32_t parts = call->is.num_parts, operands = operands_of(call), n = call->groups->most;
  if (buffer >= parts && buffer < operands) {
    return mr_size_mul(parts, mr_dtype_bytes(call->is.roots));
  }
  const size_t bytes = call->parts[buffer < parts ? buffer : buffer - operands].bytes;
  const bool gathers = buffer >= parts && call->is.kind == MR_COLLECTIVE_ALL_GATHER;
  const bool scatters = buffer >= parts && call->is.kind == MR_COLLECTIVE_REDUCE_SCATTER;
  return gathers ? mr_size_mul(bytes, n) : scatters ? bytes / n : bytes;
}

// ---- Mail -------------------------------------------------------------------------------------------------------------------

int64_t mr_collective_channel(const mr_collective *call) { return call->is.channel; }
uint32_t mr_collective_parts(const mr_collective *call) { return call->is.num_parts; }
uint32_t mr_collective_target(const mr_collective *call, uint32_t member) { return call->targets[member]; }

uint32_t mr_collective_source(const mr_collective *call, uint32_t member) {
  const mr_groups *groups = call->groups;
  uint32_t rank = call->is.sources[member];
  return rank == MR_NO_GROUP ? MR_NO_GROUP : groups->members[groups->offsets[groups->group_of[member]] + rank];
}

mr_status mr_collective_check_mail(const mr_collective *a, const mr_collective *b) {
  bool same = a->is.num_parts == b->is.num_parts;
  for (uint32_t i = 0; same && i < a->is.num_parts; i++) {
    const mr_collective_part *x = &a->parts[i].is, *y = &b->parts[i].is;
    same = x->dtype == y->dtype && x->rank == y->rank &&
           (x->rank == 0 || memcmp(x->dims, y->dims, x->rank * sizeof *x->dims) == 0);
  }
  if (!same) {
    return mr_error(MR_INVALID_ARGUMENT, "channel %lld: a %s and a %s are of other types", (long long)a->is.channel,
                    a->is.name, b->is.name);
  }
  for (uint32_t id = 0; id < a->groups->num_ids; id++) {
    if (a->targets[id] != b->targets[id]) {
      return mr_error(MR_INVALID_ARGUMENT, "channel %lld: a %s and a %s have other pairs", (long long)a->is.channel,
                      a->is.name, b->is.name);
    }
  }
  return MR_OK;
}

// ---- Work -------------------------------------------------------------------------------------------------------------------

static uint32_t root_of(const mr_collective *call, void *const *first, uint32_t part) {
  if (call->is.roots == MR_INVALID) {
    return 0;
  }
  const void *roots = first[call->is.num_parts];
  int64_t root = mr_dtype_bytes(call->is.roots) == 8 ? ((const int64_t *)roots)[part] : ((const int32_t *)roots)[part];
  return root < 0 || root > UINT32_MAX ? UINT32_MAX : (uint32_t)root;
}

static mr_status run_part(const meeting *m) {
  switch (m->call->is.kind) {
  case MR_COLLECTIVE_ALL_REDUCE:
  case MR_COLLECTIVE_REDUCE_SCATTER:
  case MR_COLLECTIVE_REDUCE: mr_collective_reduce(m); break;
  case MR_COLLECTIVE_ALL_GATHER: mr_collective_gather(m); break;
  case MR_COLLECTIVE_ALL_TO_ALL: mr_collective_exchange(m); break;
  case MR_COLLECTIVE_PERMUTE: mr_collective_permute(m); break;
  case MR_COLLECTIVE_BROADCAST: mr_collective_broadcast(m); break;
  case MR_COLLECTIVE_SEND:
  case MR_COLLECTIVE_RECEIVE: return mr_error(MR_INTERNAL, "%s as a meeting", m->call->is.name);
  }
  return MR_OK;
}

static bool goes_past(const meeting *m) {
  const double bytes = (double)m->part->bytes, read = m->size * bytes;
  const mr_collective_kind kind = m->call->is.kind;
  const double written = kind == MR_COLLECTIVE_REDUCE_SCATTER ? bytes
                         : kind == MR_COLLECTIVE_ALL_GATHER   ? m->receivers * read
                                                              : m->receivers * bytes;
  return m->call->is.cache_bytes > 0 && read + written > m->call->is.cache_bytes;
}

mr_status mr_collective_run(const mr_collective *call, uint32_t group, void *const *const *buffers, mr_group *cores) {
  meeting m = {
      .call = call, .group = group, .size = mr_groups_size(call->groups, group), .buffers = buffers, .cores = cores};
  for (uint32_t i = 0; i < call->is.num_parts; i++) {
    m.part = &call->parts[i];
    m.operand = i;
    m.result = operands_of(call) + i;
    m.root = root_of(call, buffers[0], i);
    bool one_place = m.size > 1 && meeting_to(&m, 0) == meeting_to(&m, 1);
    m.receivers = one_place ? 1 : m.size;
    m.past = goes_past(&m);
    if (m.part->bytes) {
      MR_TRY(run_part(&m));
    }
  }
  return MR_OK;
}

void mr_collective_run_alone(const mr_collective *call, void *const *buffers) {
  for (uint32_t i = 0; i < call->is.num_parts; i++) {
    if (call->parts[i].bytes) {
      memset(buffers[operands_of(call) + i], 0, call->parts[i].bytes);
    }
  }
}

mr_status mr_collective_run_all(const mr_collective *call, void *const *const *members, void *const **room,
                                mr_group *cores) {
  const mr_groups *groups = call->groups;
  for (uint32_t id = 0; id < groups->num_ids; id++) {
    if (groups->group_of[id] == MR_NO_GROUP) {
      mr_collective_run_alone(call, members[id]);
    }
  }
  for (uint32_t g = 0; g < groups->num_groups; g++) {
    for (uint32_t i = groups->offsets[g]; i < groups->offsets[g + 1]; i++) {
      room[i - groups->offsets[g]] = members[groups->members[i]];
    }
    MR_TRY(mr_collective_run(call, g, room, cores));
  }
  return MR_OK;
}
