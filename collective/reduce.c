// Reductions: each element once, from all in the order of ranks, and stored to whoever gets it.
#include <string.h>

#include "collective/call.h"

// Folds `n` elements that begin `at` bytes into the operands. to[0 .. count): who gets them. Where nothing is to be narrowed, and it stays
// in a cache, the last one is folded right into the first of these.
static void fold_block(const meeting *m, size_t at, size_t n, char *const *to, uint32_t count) {
  const mr_folding *f = &m->part->folding;
  _Alignas(64) char sum[MR_FOLD_BYTES], next[MR_FOLD_BYTES];
  size_t bytes = n * f->bytes;
  const char *so_far = meeting_from(m, 0) + at;
  char *made = m->past ? next : to[0];
  if (f->widen) {
    f->widen(sum, so_far, n);
    so_far = sum;
  }
  for (uint32_t rank = 1; rank < m->size; rank++) {
    const char *other = meeting_from(m, rank) + at;
    if (f->widen) {
      f->widen(next, other, n);
      other = next;
    }
    char *into = rank + 1 == m->size && !f->narrow && !m->past ? made : sum;
    (rank == 1 ? f->first : f->fold)(into, so_far, other, n);
    so_far = into;
  }
  if (f->narrow) {
    f->narrow(made, so_far, n);
    so_far = made;
  }
  for (uint32_t i = so_far == to[0]; i < count; i++) {
    meeting_copy(m, to[i], so_far, bytes);
  }
}

// A stretch of elements, in pieces that the cache holds.
static void fold_stretch(const meeting *m, size_t at, size_t bytes, char **to, uint32_t count) {
  const mr_folding *f = &m->part->folding;
  size_t most = MR_FOLD_BYTES / f->inner_bytes;
  for (size_t left = bytes / f->bytes; left;) {
    size_t n = MR_MIN(left, most);
    fold_block(m, at, n, to, count);
    at += n * f->bytes;
    left -= n;
    for (uint32_t i = 0; i < count; i++) {
      to[i] += n * f->bytes;
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
  uint64_t cost_ns = (m->size + (all ? m->receivers : 0)) * m->part->bytes / MR_COLLECTIVE_BYTES_PER_NS;
  if (scatters) {
    reduce_scatter(m, cost_ns);
    return;
  }
  int64_t tiles = (int64_t)((m->part->bytes + MR_FOLD_BYTES - 1) / MR_FOLD_BYTES);
  int64_t grain = MR_MAX((int64_t)(MR_COLLECTIVE_SHARE_BYTES / MR_FOLD_BYTES / m->size), (int64_t)1);
  mr_parallel_for(m->cores, tiles, all ? reduce_for_all : reduce_for_root, (void *)(uintptr_t)m, grain, cost_ns);
}
