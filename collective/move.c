// Collectives that only move: blocks from those who have them to those who get them.
#include <string.h>

#include "collective/call.h"

static uint64_t cost_of(size_t bytes) { return bytes / MR_COLLECTIVE_BYTES_PER_NS; }

// ---- Gathering --------------------------------------------------------------------------------------------------------------
// What a rank gives is rows of `inner` bytes, which lie `size` times as far apart in the results. It is taken in stretches, each of
// which goes to all before the next is read.

typedef struct gathered {
  const meeting *m;
  size_t tile, tiles;  // bytes of one, a multiple of the row when rows are short; how many there are of an operand
} gathered;

static void give_long_rows(const meeting *m, uint32_t source, size_t begin, size_t end) {
  size_t inner = m->part->inner;
  while (begin < end) {
    size_t row = begin / inner, off = begin % inner, bytes = MR_MIN(inner - off, end - begin);
    size_t to = (row * m->size + source) * inner + off;
    for (uint32_t rank = 0; rank < m->receivers; rank++) {
      meeting_copy(m, meeting_to(m, rank) + to, meeting_from(m, source) + begin, bytes);
    }
    begin += bytes;
  }
}

static void give_short_rows(const meeting *m, uint32_t source, size_t begin, size_t end) {
  size_t inner = m->part->inner, unit = m->part->unit;
  const int64_t dims[2] = {(int64_t)((end - begin) / inner), (int64_t)(inner / unit)};
  const int64_t to_strides[2] = {(int64_t)(inner * m->size), (int64_t)unit};
  const int64_t from_strides[2] = {(int64_t)inner, (int64_t)unit};
  for (uint32_t rank = 0; rank < m->receivers; rank++) {
    mr_copy_strided(meeting_to(m, rank) + begin * m->size + source * inner, to_strides, meeting_from(m, source) + begin,
                    from_strides, dims, 2, unit);
  }
}

static void gather_tiles(void *context, int64_t begin, int64_t end) {
  const gathered *g = context;
  const meeting *m = g->m;
  for (size_t tile = (size_t)begin; tile < (size_t)end; tile++) {
    uint32_t source = (uint32_t)(tile / g->tiles);
    size_t at = tile % g->tiles * g->tile, until = MR_MIN(at + g->tile, m->part->bytes);
    if (m->part->outer > 1 && m->part->inner < MR_COLLECTIVE_SHORT_ROW) {
      give_short_rows(m, source, at, until);
    } else {
      give_long_rows(m, source, at, until);
    }
  }
  meeting_copied(m);
}

void mr_collective_gather(const meeting *m) {
  gathered g = {m, MR_COLLECTIVE_COPY_BYTES, 0};
  if (m->part->inner < MR_COLLECTIVE_SHORT_ROW) {
    g.tile -= g.tile % m->part->inner;
  }
  g.tiles = mr_size_parts(m->part->bytes, g.tile);
  mr_parallel_for(m->cores, (int64_t)(m->size * g.tiles), gather_tiles, &g, 1,
                  cost_of(mr_size_mul(m->part->bytes, (size_t)m->size * m->receivers)));
}

// ---- Exchanging -------------------------------------------------------------------------------------------------------------

// One pair after the other: the part of what `source` gives that `target` gets.
static void exchange_pairs(void *context, int64_t begin, int64_t end) {
  const meeting *m = context;
  const mr_collective_part *is = &m->part->is;
  int64_t dims[MR_MAX_RANK], from_strides[MR_MAX_RANK], to_strides[MR_MAX_RANK], n = m->size;
  for (uint32_t d = 0; d < is->rank; d++) {
    dims[d] = is->dims[d];
  }
  dims[m->call->is.dim] /= n;
  int64_t from = (int64_t)m->part->unit, to = from;
  for (uint32_t d = is->rank; d-- > 0;) {
    from_strides[d] = from;
    to_strides[d] = to;
    from *= is->dims[d];
    to *= d == m->call->is.concat ? dims[d] * n : dims[d];
  }
  for (int64_t pair = begin; pair < end; pair++) {
    int64_t target = pair / n, source = pair % n;
    mr_copy_strided_over(
        m->cores, meeting_to(m, (uint32_t)target) + source * dims[m->call->is.concat] * to_strides[m->call->is.concat],
        to_strides, meeting_from(m, (uint32_t)source) + target * dims[m->call->is.dim] * from_strides[m->call->is.dim],
        from_strides, dims, is->rank, m->part->unit);
  }
}

void mr_collective_exchange(const meeting *m) {
  int64_t pairs = (int64_t)m->size * m->size;
  int64_t grain = (int64_t)(MR_COLLECTIVE_SHARE_BYTES / (m->part->bytes / m->size + 1)) + 1;
  mr_parallel_for(m->cores, pairs, exchange_pairs, (void *)(uintptr_t)m, grain,
                  cost_of(mr_size_mul(m->part->bytes, (size_t)2 * m->size)));
}

// ---- From one to one, from one to all -------------------------------------------------------------------------------------------

// Tiles of MR_COLLECTIVE_COPY_BYTES of each result, one rank behind the other.
typedef struct spread {
  const meeting *m;
  size_t tiles;
} spread;

static void permute_tiles(void *context, int64_t begin, int64_t end) {
  const spread *s = context;
  const meeting *m = s->m;
  const mr_groups *groups = m->call->groups;
  for (size_t tile = (size_t)begin; tile < (size_t)end; tile++) {
    uint32_t rank = (uint32_t)(tile / s->tiles);
    uint32_t source = m->call->is.sources[groups->members[groups->offsets[m->group] + rank]];
    size_t at = tile % s->tiles * MR_COLLECTIVE_COPY_BYTES;
    size_t bytes = MR_MIN(m->part->bytes - at, (size_t)MR_COLLECTIVE_COPY_BYTES);
    if (source == MR_NO_GROUP) {
      memset(meeting_to(m, rank) + at, 0, bytes);
    } else {
      meeting_copy(m, meeting_to(m, rank) + at, meeting_from(m, source) + at, bytes);
    }
  }
  meeting_copied(m);
}

static void broadcast_tiles(void *context, int64_t begin, int64_t end) {
  const spread *s = context;
  const meeting *m = s->m;
  for (size_t tile = (size_t)begin; tile < (size_t)end; tile++) {
    size_t at = tile * MR_COLLECTIVE_COPY_BYTES, bytes = MR_MIN(m->part->bytes - at, (size_t)MR_COLLECTIVE_COPY_BYTES);
    for (uint32_t rank = 0; rank < m->size; rank++) {
      if (m->root < m->size) {
        meeting_copy(m, meeting_to(m, rank) + at, meeting_from(m, m->root) + at, bytes);
      } else {
        memset(meeting_to(m, rank) + at, 0, bytes);
      }
    }
  }
  meeting_copied(m);
}

static size_t tiles_of(const meeting *m) { return mr_size_parts(m->part->bytes, MR_COLLECTIVE_COPY_BYTES); }

void mr_collective_permute(const meeting *m) {
  spread s = {m, tiles_of(m)};
  mr_parallel_for(m->cores, (int64_t)(m->size * s.tiles), permute_tiles, &s, 1,
                  cost_of(mr_size_mul(m->part->bytes, (size_t)2 * m->size)));
}

void mr_collective_broadcast(const meeting *m) {
  spread s = {m, tiles_of(m)};
  mr_parallel_for(m->cores, (int64_t)s.tiles, broadcast_tiles, &s, 1,
                  cost_of(mr_size_mul(m->part->bytes, (size_t)m->size + 1)));
}
