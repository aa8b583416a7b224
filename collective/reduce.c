// Reductions: each element once, from all in the order of ranks, and stored to whoever gets it.
#include <string.h>

#include "collective/call.h"

// Folds `bytes` from `at` on of the operands. to[0 .. count): who gets them. Where that stays in a cache, it is folded right into the first
// of these; where one takes part alone, it gets what it gave.
static void fold_block(const meeting *m, size_t at, size_t bytes, char *const *to, uint32_t count) {
  _Alignas(64) char sum[MR_FOLD_BYTES];
  const mr_fold_sources from = {m->buffers, m->operand, m->size, at};
  const char *made = m->size == 1 ? mr_fold_source(&from, 0) : m->past ? sum : to[0];
  if (m->size > 1) {
    m->part->folding(m->past ? sum : to[0], &from, bytes);
  }
  for (uint32_t i = made == to[0]; i < count; i++) {
    meeting_copy(m, to[i], made, bytes);
  }
}

// In pieces that a core's first cache holds for whoever gets them.
static void fold_stretch(const meeting *m, size_t at, size_t bytes, char **to, uint32_t count) {
  for (size_t n; bytes; at += n, bytes -= n) {
    n = MR_MIN(bytes, (size_t)MR_FOLD_BYTES);
    fold_block(m, at, n, to, count);
    for (uint32_t i = 0; i < count; i++) {
      to[i] += n;
    }
  }
}

// Tiles of MR_FOLD_BYTES of the operands; all get each.
static void reduce_for_all(void *context, int64_t begin, int64_t end) {
  enum { AT_ONCE = 64 };
  const meeting *m = context;
  size_t at = (size_t)begin * MR_FOLD_BYTES, until = MR_MIN((size_t)end * MR_FOLD_BYTES, m->part->bytes);
  char *to[AT_ONCE];
  for (; at < until; at += MR_FOLD_BYTES) {
    size_t bytes = MR_MIN(until - at, (size_t)MR_FOLD_BYTES);
    uint32_t first = MR_MIN(m->receivers, (uint32_t)AT_ONCE);
    for (uint32_t rank = 0; rank < first; rank++) {
      to[rank] = meeting_to(m, rank) + at;
    }
    fold_stretch(m, at, bytes, to, first);
    for (uint32_t rank = first; rank < m->receivers; rank++) {
      meeting_copy(m, meeting_to(m, rank) + at, meeting_to(m, 0) + at, bytes);
    }
  }
  meeting_copied(m);
}

static void reduce_for_root(void *context, int64_t begin, int64_t end) {
  const meeting *m = context;
  size_t at = (size_t)begin * MR_FOLD_BYTES, until = MR_MIN((size_t)end * MR_FOLD_BYTES, m->part->bytes);
  for (uint32_t rank = 0; rank < m->size; rank++) {
    char *to = meeting_to(m, rank) + at;
    if (rank == m->root) {
      fold_stretch(m, at, until - at, &to, 1);
    } else {
      memset(to, 0, until - at);
    }
  }
  meeting_copied(m);
}

// The results of all, one behind the other, in tiles of MR_FOLD_BYTES that end where a block does.
typedef struct scattered {
  const meeting *m;
  size_t block, tiles;  // bytes of one in the operand, and how many tiles that is
} scattered;

static void scatter_tiles(void *context, int64_t begin, int64_t end) {
  const scattered *s = context;
  const meeting *m = s->m;
  for (size_t tile = (size_t)begin; tile < (size_t)end; tile++) {
    size_t block = tile / s->tiles, at = tile % s->tiles * MR_FOLD_BYTES;
    size_t row = block / m->size, rank = block % m->size;
    char *to = meeting_to(m, (uint32_t)rank) + row * s->block + at;
    fold_stretch(m, block * s->block + at, MR_MIN(s->block - at, (size_t)MR_FOLD_BYTES), &to, 1);
  }
  meeting_copied(m);
}

static void reduce_scatter(const meeting *m, uint64_t cost_ns) {
  scattered s = {m, m->part->inner / m->size, 0};
  s.tiles = (s.block + MR_FOLD_BYTES - 1) / MR_FOLD_BYTES;
  size_t tiles = m->part->outer * m->size * s.tiles, share = MR_COLLECTIVE_SHARE_BYTES / (s.block / s.tiles + 1) + 1;
  mr_parallel_for(m->cores, (int64_t)tiles, scatter_tiles, &s, (int64_t)share, cost_ns);
}

void mr_collective_reduce(const meeting *m) {
  bool scatters = m->call->is.kind == MR_COLLECTIVE_REDUCE_SCATTER, all = m->call->is.kind == MR_COLLECTIVE_ALL_REDUCE;
  uint64_t cost_ns =
      mr_size_mul(m->part->bytes, (size_t)m->size + (all ? m->receivers : 0)) / MR_COLLECTIVE_BYTES_PER_NS;
  if (scatters) {
    reduce_scatter(m, cost_ns);
    return;
  }
  int64_t tiles = (int64_t)mr_size_parts(m->part->bytes, MR_FOLD_BYTES);
  int64_t grain = MR_MAX((int64_t)(MR_COLLECTIVE_SHARE_BYTES / MR_FOLD_BYTES / m->size), (int64_t)1);
  mr_parallel_for(m->cores, tiles, all ? reduce_for_all : reduce_for_root, (void *)(uintptr_t)m, grain, cost_ns);
}
