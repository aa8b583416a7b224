// Who meets whom: from lists of groups, in each of the ways that their numbers may be meant, and from pairs.
#include <string.h>

#include "collective/collective.h"

// The struct, and behind it room for all lists.
static mr_groups *allocate(uint32_t num_ids, uint32_t **out_words) {
  mr_groups *groups = mr_alloc_zeroed(1, sizeof *groups + (5 * (size_t)num_ids + 1) * sizeof(uint32_t));
  if (!groups) {
    return NULL;
  }
  atomic_init(&groups->refs, 1);
  uint32_t *words = (uint32_t *)(groups + 1);
  groups->num_ids = num_ids;
  groups->group_of = words;
  groups->rank_of = words + num_ids;
  groups->members = words + 2 * (size_t)num_ids;
  groups->offsets = words + 3 * (size_t)num_ids;
  memset(words, 0xff, 2 * (size_t)num_ids * sizeof *words);
  *out_words = words;
  return groups;
}

mr_groups *mr_groups_retain(mr_groups *groups) {
  // relaxed: the caller has a reference already.
  atomic_fetch_add_explicit(&groups->refs, 1, memory_order_relaxed);
  return groups;
}

void mr_groups_release(mr_groups *groups) {
  // acq_rel: what others did with them comes before they are freed.
  if (groups && atomic_fetch_sub_explicit(&groups->refs, 1, memory_order_acq_rel) == 1) {
    mr_free(groups);
  }
}

typedef struct maker {
  mr_groups *groups;
  uint32_t *group_of, *rank_of, *members, *offsets;
  uint32_t count;  // members so far
  uint32_t replicas, partitions;
  mr_groups_mode mode;
} maker;

static mr_status begin(maker *m, mr_groups_mode mode, uint32_t replicas, uint32_t partitions) {
  uint32_t *words, num_ids;
  if (__builtin_mul_overflow(replicas, partitions, &num_ids) || num_ids == 0 || num_ids > UINT32_MAX / 8) {
    return mr_error(MR_INVALID_ARGUMENT, "a program over %u replicas of %u partitions", replicas, partitions);
  }
  mr_groups *groups = allocate(num_ids, &words);
  if (!groups) {
    return MR_NO_MEMORY();
  }
  *m = (maker){.groups = groups,
               .group_of = words,
               .rank_of = words + num_ids,
               .members = words + 2 * (size_t)num_ids,
               .offsets = words + 3 * (size_t)num_ids,
               .replicas = replicas,
               .partitions = partitions,
               .mode = mode};
  return MR_OK;
}

static mr_status join(maker *m, uint32_t id) {
  uint32_t group = m->groups->num_groups;
  if (m->group_of[id] != MR_NO_GROUP) {
    return mr_error(MR_INVALID_ARGUMENT, "device %u is in a group twice", id);
  }
  m->group_of[id] = group;
  m->rank_of[id] = m->count - m->offsets[group];
  m->members[m->count++] = id;
  m->groups->num_members = m->count;
  return MR_OK;
}

// A group without members is none.
static void end_group(maker *m) {
  uint32_t size = m->count - m->offsets[m->groups->num_groups];
  if (size) {
    m->groups->most = MR_MAX(m->groups->most, size);
    m->offsets[++m->groups->num_groups] = m->count;
  }
}

// ---- Lists ----------------------------------------------------------------------------------------------------------------

static int64_t numbers_of(const maker *m) {
  switch (m->mode) {
  case MR_GROUPS_PARTITIONS: return m->partitions;
  case MR_GROUPS_FLAT: return m->groups->num_ids;
  case MR_GROUPS_REPLICAS:
  case MR_GROUPS_REPLICAS_PARTITIONS: break;
  }
  return m->replicas;
}

// The id that number `n` of a list stands for, in the group's copy for partition or replica `other`.
static uint32_t id_of(const maker *m, uint32_t n, uint32_t other) {
  switch (m->mode) {
  case MR_GROUPS_PARTITIONS: return other * m->partitions + n;
  case MR_GROUPS_FLAT: return n;
  case MR_GROUPS_REPLICAS:
  case MR_GROUPS_REPLICAS_PARTITIONS: break;
  }
  return n * m->partitions + other;
}

// How often each group is there, or for REPLICAS_PARTITIONS how often each number stands in it.
static uint32_t copies_of(const maker *m) {
  return m->mode == MR_GROUPS_FLAT ? 1 : m->mode == MR_GROUPS_PARTITIONS ? m->replicas : m->partitions;
}

static mr_status join_row(maker *m, const int64_t *row, size_t columns, uint32_t other) {
  for (size_t i = 0; i < columns; i++) {
    int64_t n = row ? row[i] : (int64_t)i;
    if (n == -1) {
      continue;
    }
    if (n < 0 || n >= numbers_of(m)) {
      return mr_error(MR_INVALID_ARGUMENT, "a group has number %lld of %lld", (long long)n, (long long)numbers_of(m));
    }
    MR_TRY(join(m, id_of(m, (uint32_t)n, other)));
  }
  return MR_OK;
}

static mr_status make_groups(maker *m, const int64_t *ids, size_t rows, size_t columns) {
  uint32_t copies = copies_of(m);
  for (size_t r = 0; r < rows; r++) {
    for (uint32_t other = 0; other < copies; other++) {
      MR_TRY(join_row(m, ids ? ids + r * columns : NULL, columns, other));
      if (m->mode != MR_GROUPS_REPLICAS_PARTITIONS) {
        end_group(m);
      }
    }
    end_group(m);
  }
  return MR_OK;
}

mr_status mr_groups_create(mr_groups_mode mode, const int64_t *ids, size_t rows, size_t columns, uint32_t replicas,
                           uint32_t partitions, mr_groups **out_groups) {
  *out_groups = NULL;
  maker m;
  MR_TRY(begin(&m, mode, replicas, partitions));
  bool all = rows == 0 || columns == 0;
  mr_status status = all ? make_groups(&m, NULL, 1, (size_t)numbers_of(&m)) : make_groups(&m, ids, rows, columns);
  if (status) {
    mr_groups_release(m.groups);
    return status;
  }
  *out_groups = m.groups;
  return MR_OK;
}

// ---- Pairs ----------------------------------------------------------------------------------------------------------------

static uint32_t root_of(uint32_t *parents, uint32_t id) {
  while (parents[id] != id) {
    id = parents[id] = parents[parents[id]];
  }
  return id;
}

// `parents`: by id; the smallest id of those that are linked is their root. `sources`: by id, for now an id.
static mr_status link_pairs(const maker *m, const int64_t *pairs, size_t count, uint32_t *parents, uint32_t *sources) {
  for (size_t i = 0; i < count; i++) {
    const int64_t *pair = &pairs[2 * i];
    for (int side = 0; side < 2; side++) {
      if (pair[side] < 0 || pair[side] >= numbers_of(m)) {
        return mr_error(MR_INVALID_ARGUMENT, "a pair has number %lld of %lld", (long long)pair[side],
                        (long long)numbers_of(m));
      }
    }
    for (uint32_t other = 0; other < copies_of(m); other++) {
      uint32_t source = id_of(m, (uint32_t)pair[0], other), target = id_of(m, (uint32_t)pair[1], other);
      if (sources[target] != MR_NO_GROUP) {
        return mr_error(MR_INVALID_ARGUMENT, "device %u is the target of two pairs", target);
      }
      sources[target] = source;
      uint32_t a = root_of(parents, source), b = root_of(parents, target);
      parents[MR_MAX(a, b)] = MR_MIN(a, b);
    }
  }
  return MR_OK;
}

// One group for each root, with the ids that lead to it in ascending order.
static mr_status gather_linked(maker *m, uint32_t *parents) {
  uint32_t n = m->groups->num_ids;
  uint32_t *next = mr_alloc(2 * (size_t)n * sizeof *next);  // by id: the next of its root; by root: the last so far
  if (!next) {
    return MR_NO_MEMORY();
  }
  uint32_t *last = next + n;
  for (uint32_t id = 0; id < n; id++) {
    uint32_t root = root_of(parents, id);
    next[id] = MR_NO_GROUP;
    if (root != id) {
      next[last[root]] = id;
    }
    last[root] = id;
  }
  mr_status status = MR_OK;
  for (uint32_t root = 0; root < n && !status; root++) {
    for (uint32_t id = root; parents[root] == root && id != MR_NO_GROUP && !status; id = next[id]) {
      status = join(m, id);
    }
    end_group(m);
  }
  mr_free(next);
  return status;
}

mr_status mr_groups_of_pairs(mr_groups_mode mode, const int64_t *pairs, size_t count, uint32_t replicas,
                             uint32_t partitions, mr_groups **out_groups, const uint32_t **out_sources) {
  *out_groups = NULL;
  *out_sources = NULL;
  maker m;
  MR_TRY(begin(&m, mode, replicas, partitions));
  uint32_t n = m.groups->num_ids, *sources = m.offsets + n + 1;
  uint32_t *parents = mr_alloc(n * sizeof *parents);
  for (uint32_t id = 0; parents && id < n; id++) {
    parents[id] = id;
    sources[id] = MR_NO_GROUP;
  }
  mr_status status = parents ? link_pairs(&m, pairs, count, parents, sources) : MR_NO_MEMORY();
  status = status ? status : gather_linked(&m, parents);
  mr_free(parents);
  if (status) {
    mr_groups_release(m.groups);
    return status;
  }
  for (uint32_t id = 0; id < n; id++) {
    sources[id] = sources[id] == MR_NO_GROUP ? MR_NO_GROUP : m.groups->rank_of[sources[id]];
  }
  *out_groups = m.groups;
  *out_sources = sources;
  return MR_OK;
}
