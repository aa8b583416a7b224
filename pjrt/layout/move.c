// Copies between any two forms of an array. Strides on both sides: mr_copy_strided. Otherwise each side has tables: the
// place of an element is the sum of one entry of each. Dimensions that a tile combines, or that share an axis otherwise, have
// one table together, over all pairs of their indices; every other dimension has its own.
#include "pjrt/layout/move.h"

#include <string.h>

// ---- Sites -----------------------------------------------------------------------------------------------------------------

// Room for a tile of `rank` sizes: dimensions of one in front.
static void pad_axes(mr_pjrt_site *site, size_t rank) {
  size_t missing = rank > site->count ? rank - site->count : 0;
  if (missing == 0) {
    return;
  }
  memmove(site->sizes + missing, site->sizes, site->count * sizeof *site->sizes);
  memmove(site->at + missing, site->at, site->count * sizeof *site->at);
  memmove(site->dims + missing, site->dims, site->count * sizeof *site->dims);
  for (size_t i = 0; i < missing; i++) {
    site->sizes[i] = 1;
    site->at[i] = 0;
    site->dims[i] = 0;
  }
  site->count += missing;
}

// Axis i into the one after it.
static void combine_axes(mr_pjrt_site *site, size_t i) {
  site->at[i + 1] += site->at[i] * site->sizes[i + 1];
  // A size beyond all memory stays one.
  if (__builtin_mul_overflow(site->sizes[i], site->sizes[i + 1], &site->sizes[i + 1])) {
    site->sizes[i + 1] = INT64_MAX;
  }
  site->dims[i + 1] |= site->dims[i];
  size_t left = site->count - i - 1;
  memmove(site->sizes + i, site->sizes + i + 1, left * sizeof *site->sizes);
  memmove(site->at + i, site->at + i + 1, left * sizeof *site->at);
  memmove(site->dims + i, site->dims + i + 1, left * sizeof *site->dims);
  site->count--;
}

// One level of tiles.
static void split_axes(mr_pjrt_site *site, const int64_t *tile, size_t rank) {
  pad_axes(site, rank);
  int64_t sizes[MR_PJRT_MAX_TILE_SIZES];
  size_t count = 0, axis = site->count - rank;
  for (size_t i = 0; i < rank; i++) {
    if (tile[i] == MR_PJRT_COMBINE) {
      combine_axes(site, axis);
    } else {
      sizes[count++] = tile[i];
      axis++;
    }
  }
  size_t first = site->count - count;
  for (size_t i = 0; i < count; i++) {
    int64_t *size = &site->sizes[first + i], *at = &site->at[first + i];
    site->sizes[site->count + i] = sizes[i];
    site->at[site->count + i] = *at % sizes[i];
    site->dims[site->count + i] = site->dims[first + i];
    *size = *size / sizes[i] + (*size % sizes[i] != 0);
    *at /= sizes[i];
  }
  site->count += count;
}

void mr_pjrt_site_of(const mr_pjrt_placing *places, const int64_t *index, mr_pjrt_site *out) {
  const mr_pjrt_layout_spec *spec = mr_pjrt_layout_spec_of(places->layout);
  const int64_t *sizes = spec->tile_sizes;
  out->count = places->rank;
  for (size_t i = 0; i < places->rank; i++) {
    size_t dim = (size_t)spec->order[places->rank - 1 - i];
    out->sizes[i] = places->dims[dim];
    out->at[i] = index ? index[dim] : 0;
    out->dims[i] = (uint32_t)1 << dim;
  }
  for (size_t i = 0; i < spec->num_tiles; i++) {
    split_axes(out, sizes, spec->tile_ranks[i]);
    sizes += spec->tile_ranks[i];
  }
}

// ---- Tables ----------------------------------------------------------------------------------------------------------------

// One side of a copy. Places are in bytes, or in bits where elements are packed.
typedef struct side {
  const mr_pjrt_placing *places;
  size_t num_groups;
  uint32_t groups[MR_MAX_RANK];   // bits: the dimensions of each
  uint8_t group_of[MR_MAX_RANK];  // dimension
  int64_t weights[MR_MAX_RANK];   // of a dimension's index in its group's
  int64_t sizes[MR_MAX_RANK];     // entries of each group's table
  const int64_t *tables[MR_MAX_RANK];
} side;

static int64_t place_of_index(const side *s, const int64_t *index) {
  int64_t number = 0;
  if (!s->places->layout) {
    for (size_t i = 0; i < s->places->rank; i++) {
      number += index[i] * s->places->strides[i];
    }
    return number;
  }
  mr_pjrt_site site;
  mr_pjrt_site_of(s->places, index, &site);
  for (size_t i = 0; i < site.count; i++) {
    number = number * site.sizes[i] + site.at[i];
  }
  return number * (s->places->packed_bits ? s->places->packed_bits : (int64_t)s->places->element_bytes);
}

static void join_groups(side *s, uint32_t dims) {
  size_t kept = 0;
  for (size_t i = 0; i < s->num_groups; i++) {
    if (s->groups[i] & dims) {
      dims |= s->groups[i];
    } else {
      s->groups[kept++] = s->groups[i];
    }
  }
  s->groups[kept++] = dims;
  s->num_groups = kept;
}

static void find_groups(side *s) {
  size_t rank = s->places->rank;
  for (size_t i = 0; i < rank; i++) {
    s->groups[i] = (uint32_t)1 << i;
  }
  s->num_groups = rank;
  if (s->places->layout) {
    mr_pjrt_site site;
    mr_pjrt_site_of(s->places, NULL, &site);
    for (size_t i = 0; i < site.count; i++) {
      if (site.dims[i] & (site.dims[i] - 1)) {
        join_groups(s, site.dims[i]);
      }
    }
  }
  for (size_t g = 0; g < s->num_groups; g++) {
    s->sizes[g] = 1;
    for (size_t i = rank; i-- > 0;) {
      if (s->groups[g] >> i & 1) {
        s->group_of[i] = (uint8_t)g;
        s->weights[i] = s->sizes[g];
        s->sizes[g] *= s->places->dims[i];
      }
    }
  }
}

// Entries `begin` to `begin + count` of a group's table.
static void fill_table(const side *s, size_t group, int64_t begin, int64_t count, int64_t *out) {
  int64_t index[MR_MAX_RANK] = {0};
  for (int64_t n = 0; n < count; n++) {
    for (size_t i = 0; i < s->places->rank; i++) {
      if (s->group_of[i] == group) {
        index[i] = (begin + n) / s->weights[i] % s->places->dims[i];
      }
    }
    out[n] = place_of_index(s, index);
  }
}

// ---- Rows ------------------------------------------------------------------------------------------------------------------

typedef struct row {
  char *to;
  const char *from;
  const int64_t *to_table, *from_table;
  int64_t to_weight, from_weight;
  int64_t to_place, from_place;  // what the other groups add
} row;

#define MOVE_ROW(type)                                                                 \
  for (int64_t i = 0; i < count; i++) {                                                \
    memcpy(r->to + r->to_place + r->to_table[i * r->to_weight],                        \
           r->from + r->from_place + r->from_table[i * r->from_weight], sizeof(type)); \
  }                                                                                    \
  break

static void move_row(const row *r, int64_t count, size_t bytes) {
  switch (bytes) {  // a constant size makes each memcpy one move
  case 1: MOVE_ROW(uint8_t);
  case 2: MOVE_ROW(uint16_t);
  case 4: MOVE_ROW(uint32_t);
  case 8: MOVE_ROW(uint64_t);
  default: MOVE_ROW(char[16]);
  }
}

// Of elements narrower than a byte, else 0. Packed booleans are such, others are not.
static unsigned bits_of(const mr_pjrt_placing *to, const mr_pjrt_placing *from) {
  return to->packed_bits | from->packed_bits | to->narrow_bits | from->narrow_bits;
}

// Elements narrower than a byte, packed from the low bits up on one side, on both or on none: what is above their bits stays behind.
static void move_bits(const row *r, int64_t count, unsigned bits, bool to_packed, bool from_packed) {
  uint8_t mask = (uint8_t)((1u << bits) - 1);
  for (int64_t i = 0; i < count; i++) {
    uint64_t to = (uint64_t)(r->to_place + r->to_table[i * r->to_weight]);
    uint64_t from = (uint64_t)(r->from_place + r->from_table[i * r->from_weight]);
    uint8_t value = from_packed ? (uint8_t)((uint8_t)r->from[from / 8] >> from % 8) : (uint8_t)r->from[from];
    if (to_packed) {
      uint8_t others = (uint8_t)((uint8_t)r->to[to / 8] & ~(unsigned)(mask << to % 8));
      r->to[to / 8] = (char)(others | (value & mask) << to % 8);
    } else {
      r->to[to] = (char)(value & mask);
    }
  }
}

// ---- Copies ----------------------------------------------------------------------------------------------------------------

enum {
  SLAB = 512,                // entries of a table on the stack
  PARALLEL_BYTES = 1 << 18,  // larger copies use other cores as well
  BYTES_PER_NS = 1,          // measured for elements of four bytes
};

typedef struct move {
  side to, from;
  char *to_block;
  const char *from_block;
  size_t along;  // the longest dimension, which is walked in slabs
} move;

// A dimension with a table of its own gets only the entries of its slab; `start` is the first index in what tables[] has.
static void slab_table(side *s, size_t along, int64_t begin, int64_t count, int64_t *room, int64_t *out_start) {
  size_t group = s->group_of[along];
  *out_start = begin;
  if (s->tables[group] == NULL) {
    fill_table(s, group, begin, count, room);
    s->tables[group] = room;
    *out_start = 0;
  }
}

// What all groups but that of `inner` add for an index, and the entry of that one's table for index 0 of `inner`.
static int64_t place_of_row(const side *s, const int64_t *index, size_t inner, const int64_t **out_table) {
  int64_t at[MR_MAX_RANK] = {0}, place = 0;
  for (size_t i = 0; i < s->places->rank; i++) {
    at[s->group_of[i]] += i == inner ? 0 : index[i] * s->weights[i];
  }
  for (size_t g = 0; g < s->num_groups; g++) {
    if (g == s->group_of[inner]) {
      *out_table = s->tables[g] + at[g];
    } else {
      place += s->tables[g][at[g]];
    }
  }
  return place;
}

// The next index in row-major order, of the dimensions but `inner`; false after the last one.
static bool next_row(const move *m, int64_t count, size_t inner, int64_t *index) {
  const mr_pjrt_placing *places = m->to.places;
  for (size_t d = places->rank; d-- > 0;) {
    if (d == inner) {
      continue;
    }
    if (++index[d] < (d == m->along ? count : places->dims[d])) {
      return true;
    }
    index[d] = 0;
  }
  return false;
}

// `inner` begins at `start` of its table when it is the dimension that is walked in slabs.
static int64_t find_row(const side *s, const move *m, int64_t *index, int64_t start, size_t inner,
                        const int64_t **out_table) {
  index[m->along] += start;
  int64_t place = place_of_row(s, index, inner, out_table);
  index[m->along] -= start;
  *out_table += inner == m->along ? start * s->weights[inner] : 0;
  return place;
}

static void move_slab(const move *m, int64_t begin, int64_t count) {
  side to = m->to, from = m->from;
  int64_t to_room[SLAB], from_room[SLAB], to_start, from_start, index[MR_MAX_RANK] = {0};
  const mr_pjrt_placing *places = to.places;
  unsigned bits = bits_of(places, from.places);
  size_t inner = places->rank - 1;
  slab_table(&to, m->along, begin, count, to_room, &to_start);
  slab_table(&from, m->along, begin, count, from_room, &from_start);
  while (inner > 0 && places->dims[inner] == 1) {
    inner--;
  }
  int64_t row_size = inner == m->along ? count : places->dims[inner];
  row r = {
      .to = m->to_block, .from = m->from_block, .to_weight = to.weights[inner], .from_weight = from.weights[inner]};
  do {
    r.to_place = find_row(&to, m, index, to_start, inner, &r.to_table);
    r.from_place = find_row(&from, m, index, from_start, inner, &r.from_table);
    if (bits) {
      move_bits(&r, row_size, bits, places->packed_bits, from.places->packed_bits);
    } else {
      move_row(&r, row_size, places->element_bytes);
    }
  } while (next_row(m, count, inner, index));
}

static void move_slabs(void *context, int64_t begin, int64_t end) {
  const move *m = context;
  int64_t length = m->to.places->dims[m->along];
  for (int64_t slab = begin; slab < end; slab++) {
    move_slab(m, slab * SLAB, MR_MIN(length - slab * SLAB, SLAB));
  }
}

static bool has_own_slab(const side *s, size_t group, size_t along) { return s->groups[group] == (uint32_t)1 << along; }

// Entries of all groups' tables but the one that `along` has for itself.
static size_t count_entries(const side *s, size_t along) {
  size_t total = 0;
  for (size_t g = 0; g < s->num_groups; g++) {
    total += has_own_slab(s, g, along) ? 0 : (size_t)s->sizes[g];
  }
  return total;
}

static int64_t *fill_tables(side *s, size_t along, int64_t *next) {
  for (size_t g = 0; g < s->num_groups; g++) {
    if (!has_own_slab(s, g, along)) {
      fill_table(s, g, 0, s->sizes[g], next);
      s->tables[g] = next;
      next += s->sizes[g];
    }
  }
  return next;
}

static bool needs_tables(const mr_pjrt_placing *to, const mr_pjrt_placing *from) {
  return from->bytes > 0 && (to->layout || from->layout || to->narrow_bits) && to->rank > 0;
}

static move move_init(const mr_pjrt_placing *to_places, const mr_pjrt_placing *from_places) {
  move m = {.to = {.places = to_places}, .from = {.places = from_places}};
  for (size_t i = 0; i < to_places->rank; i++) {
    m.along = to_places->dims[i] > to_places->dims[m.along] ? i : m.along;
  }
  find_groups(&m.to);
  find_groups(&m.from);
  return m;
}

static void move_by_tables(mr_group *group, move *m, int64_t *tables) {
  const mr_pjrt_placing *places = m->to.places;
  fill_tables(&m->from, m->along, fill_tables(&m->to, m->along, tables));
  size_t bytes = MR_MAX(places->bytes, m->from.places->bytes);
  int64_t slabs = (places->dims[m->along] + SLAB - 1) / SLAB;
  // Threads would share bytes of packed elements.
  if (group && bytes > PARALLEL_BYTES && !places->packed_bits) {
    mr_parallel_for(group, slabs, move_slabs, m, 1, bytes / BYTES_PER_NS);
  } else {
    move_slabs(m, 0, slabs);
  }
}

mr_status mr_pjrt_move_tables(const mr_pjrt_placing *to_places, const mr_pjrt_placing *from_places,
                              int64_t **out_tables) {
  *out_tables = NULL;
  if (!needs_tables(to_places, from_places)) {
    return MR_OK;
  }
  move m = move_init(to_places, from_places);
  size_t count = count_entries(&m.to, m.along) + count_entries(&m.from, m.along);
  *out_tables = mr_alloc((count + 1) * sizeof **out_tables);
  return *out_tables ? MR_OK : MR_NO_MEMORY();
}

void mr_pjrt_move_with(mr_group *group, const mr_pjrt_placing *to_places, void *to, const mr_pjrt_placing *from_places,
                       const void *from, int64_t *tables) {
  char *to_first = (char *)to + to_places->origin;
  const char *from_first = (const char *)from + from_places->origin;
  if (to_places->pads) {
    memset(to, 0, to_places->bytes);
  }
  if (from_places->bytes == 0) {
    return;
  }
  if (!to_places->layout && !from_places->layout && !to_places->narrow_bits) {
    mr_copy_strided_over(group, to_first, to_places->strides, from_first, from_places->strides, to_places->dims,
                         to_places->rank, to_places->element_bytes);
    return;
  }
  if (to_places->rank == 0) {  // one element, the first of both blocks
    memcpy(to_first, from_first, to_places->element_bytes);
    unsigned bits = bits_of(to_places, from_places);
    *to_first = (char)(bits ? *to_first & ((1 << bits) - 1) : *to_first);
    return;
  }
  move m = move_init(to_places, from_places);
  m.to_block = to_first;
  m.from_block = from_first;
  move_by_tables(group, &m, tables);
}

mr_status mr_pjrt_move(mr_group *group, const mr_pjrt_placing *to_places, void *to, const mr_pjrt_placing *from_places,
                       const void *from) {
  int64_t *tables;
  MR_TRY(mr_pjrt_move_tables(to_places, from_places, &tables));
  mr_pjrt_move_with(group, to_places, to, from_places, from, tables);
  mr_free(tables);
  return MR_OK;
}
