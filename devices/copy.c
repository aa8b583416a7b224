// Copies between dense and strided host layouts, and large plain ones over several cores.
#include <string.h>

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

#define COPY_ROW(type)                                               \
  for (int64_t i = 0; i < row.size; i++) {                           \
    memcpy(to + i * row.to, from + i * row.from, sizeof(type));      \
  }                                                                  \
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
  axis row = count ? axes[--count] : (axis){1, (int64_t)element_bytes, (int64_t)element_bytes};
  char *t = to;
  const char *f = from;
  for (;;) {
    copy_row(t, f, row, element_bytes);
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
