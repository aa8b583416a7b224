// Copies between dense and strided host layouts, and large plain ones over several cores.
#include <string.h>

#include "core/size.h"
#include "devices/devices.h"
#include "devices/tuning.h"

typedef struct axis {
  int64_t size, to, from;  // elements, bytes, bytes
} axis;

// Drops dimensions of one and joins neighbours that both sides walk as one. Returns how many are left.
static size_t collapse(axis *axes, const int64_t *dims, const int64_t *to, const int64_t *from, size_t rank) {
  size_t count = 0;
  for (size_t i = 0; i < rank; i++) {
    if (dims[i] == 1) {
      continue;
    }
    axis next = {dims[i], to[i], from[i]};
    axis *last = count ? &axes[count - 1] : NULL;
    if (last && last->to == next.to * next.size && last->from == next.from * next.size) {
      *last = (axis){last->size * next.size, next.to, next.from};
    } else {
      axes[count++] = next;
    }
  }
  return count;
}

#define COPY_ROW(type)                                          \
  for (int64_t i = 0; i < row.size; i++) {                      \
    memcpy(to + i * row.to, from + i * row.from, sizeof(type)); \
  }                                                             \
  break

static void copy_row(char *to, const char *from, axis row, size_t bytes) {
  if (row.to == (int64_t)bytes && row.from == (int64_t)bytes) {
    memcpy(to, from, (size_t)row.size * bytes);
    return;
  }
  switch (bytes) {  // a constant size makes each memcpy one move
  case 1: COPY_ROW(uint8_t);
  case 2: COPY_ROW(uint16_t);
  case 4: COPY_ROW(uint32_t);
  case 8: COPY_ROW(uint64_t);
  default:
    for (int64_t i = 0; i < row.size; i++) {
      memcpy(to + i * row.to, from + i * row.from, bytes);
    }
  }
}

// ---- Planes -----------------------------------------------------------------------------------------------------------
// Where the two sides run along different axes, rows of one are columns of the other: squares of elements that fit in the
// cache are copied, so that each line that is touched is used in full.

static void copy_plane(char *to, const char *from, axis outer, axis row, size_t bytes) {
  if (outer.size == 1) {
    copy_row(to, from, row, bytes);
    return;
  }
  for (int64_t i = 0; i < outer.size; i += MR_COPY_SQUARE) {
    for (int64_t j = 0; j < row.size; j += MR_COPY_SQUARE) {
      axis part = {MR_MIN(row.size - j, MR_COPY_SQUARE), row.to, row.from};
      int64_t end = MR_MIN(i + MR_COPY_SQUARE, outer.size);
      for (int64_t k = i; k < end; k++) {
        copy_row(to + k * outer.to + j * row.to, from + k * outer.from + j * row.from, part, bytes);
      }
    }
  }
}

static void move_to_end(axis *axes, size_t count, size_t which) {
  axis moved = axes[which];
  for (size_t i = which; i + 1 < count; i++) {
    axes[i] = axes[i + 1];
  }
  axes[count - 1] = moved;
}

static size_t dense_axis(const axis *axes, size_t count, int64_t bytes, bool of_source) {
  size_t found = count;
  for (size_t i = 0; i < count; i++) {
    found = (of_source ? axes[i].from : axes[i].to) == bytes ? i : found;
  }
  return found;
}

// Puts the axis that is dense at the source before the one that is dense at the destination, both at the end. False when
// there are no such two.
static bool find_plane(axis *axes, size_t count, int64_t bytes) {
  size_t source = dense_axis(axes, count, bytes, true), target = dense_axis(axes, count, bytes, false);
  if (source == count || target == count || source == target) {
    return false;
  }
  move_to_end(axes, count, source);
  move_to_end(axes, count, dense_axis(axes, count, bytes, false));
  return true;
}

void mr_copy_strided(void *to, const int64_t *to_strides, const void *from, const int64_t *from_strides,
                     const int64_t *dims, size_t rank, size_t element_bytes) {
  axis axes[MR_MAX_RANK];
  int64_t at[MR_MAX_RANK] = {0};
  for (size_t i = 0; i < rank; i++) {
    if (dims[i] == 0) {
      return;
    }
  }
  size_t count = collapse(axes, dims, to_strides, from_strides, rank);
  bool plane = find_plane(axes, count, (int64_t)element_bytes);
  axis row = count ? axes[--count] : (axis){1, (int64_t)element_bytes, (int64_t)element_bytes};
  axis outer = plane ? axes[--count] : (axis){1, 0, 0};
  char *t = to;
  const char *f = from;
  for (;;) {
    copy_plane(t, f, outer, row, element_bytes);
    size_t d = count;
    while (d > 0) {
      axis *a = &axes[--d];
      t += a->to;
      f += a->from;
      if (++at[d] < a->size) {
        break;
      }
      t -= a->to * a->size;
      f -= a->from * a->size;
      at[d] = 0;
      if (d == 0) {
        return;
      }
    }
    if (count == 0) {
      return;
    }
  }
}

typedef struct bytes_job {
  char *to;
  const char *from;
  size_t size;
} bytes_job;

static void copy_tiles(void *context, int64_t begin, int64_t end) {
  bytes_job *job = context;
  size_t from = (size_t)begin * MR_COPY_TILE, to = MR_MIN((size_t)end * MR_COPY_TILE, job->size);
  memcpy(job->to + from, job->from + from, to - from);
}

void mr_copy_bytes(mr_group *group, void *to, const void *from, size_t size) {
  if (!group || size < MR_COPY_PARALLEL) {
    if (size) {
      memcpy(to, from, size);
    }
    return;
  }
  bytes_job job = {to, from, size};
  int64_t tiles = (int64_t)((size + MR_COPY_TILE - 1) / MR_COPY_TILE);
  mr_parallel_for(group, tiles, copy_tiles, &job, 1, size / MR_COPY_BYTES_PER_NS);
}

typedef struct strided_job {
  char *to;
  const char *from;
  const int64_t *to_strides, *from_strides, *dims;
  size_t rank, element_bytes, along;
} strided_job;

static void copy_slabs(void *context, int64_t begin, int64_t end) {
  const strided_job *job = context;
  int64_t dims[MR_MAX_RANK];
  memcpy(dims, job->dims, job->rank * sizeof *dims);
  dims[job->along] = end - begin;
  mr_copy_strided(job->to + begin * job->to_strides[job->along], job->to_strides,
                  job->from + begin * job->from_strides[job->along], job->from_strides, dims, job->rank,
                  job->element_bytes);
}

void mr_copy_strided_over(mr_group *group, void *to, const int64_t *to_strides, const void *from,
                          const int64_t *from_strides, const int64_t *dims, size_t rank, size_t element_bytes) {
  size_t bytes = element_bytes, longest = 0;
  for (size_t i = 0; i < rank; i++) {
    bytes = mr_size_mul(bytes, (size_t)dims[i]);
    longest = dims[i] > dims[longest] ? i : longest;
  }
  if (!group || rank == 0 || bytes < MR_COPY_PARALLEL / 4) {
    mr_copy_strided(to, to_strides, from, from_strides, dims, rank, element_bytes);
    return;
  }
  strided_job job = {to, from, to_strides, from_strides, dims, rank, element_bytes, longest};
  // Whole squares of the plane, and slabs of about a tile.
  int64_t grain =
      MR_MAX((int64_t)(MR_COPY_TILE / (bytes / (size_t)dims[longest] + 1)) / MR_COPY_SQUARE * MR_COPY_SQUARE,
             (int64_t)MR_COPY_SQUARE);
  mr_parallel_for(group, dims[longest], copy_slabs, &job, grain, bytes / MR_COPY_STRIDED_BYTES_PER_NS);
}
