// Layout objects and their text.
#include "pjrt/layout/layout.h"

#include <pthread.h>
#include <string.h>

#include "core/fork.h"

enum { ORDER_TEXT_SIZE = 3 * MR_MAX_RANK + 2 };  // "{31,30,...}": two digits and a comma each

// One object for each layout that anybody asked for, until the process ends: there are hosts that destroy layouts they were
// only shown, and destroying these does nothing, however often.
struct PJRT_Layouts_MemoryLayout {
  PJRT_Layouts_MemoryLayout *next;  // in `others`
  bool is_row_major;
  mr_pjrt_layout_spec spec;
  mr_str text;  // says everything the spec does: equal texts, equal layouts
};

static PJRT_Layouts_MemoryLayout row_major[MR_MAX_RANK + 1];
static char row_major_texts[MR_MAX_RANK + 1][ORDER_TEXT_SIZE];

static size_t write_order(const int64_t *order, size_t rank, char *out) {
  char *at = out;
  *at++ = '{';
  for (size_t i = 0; i < rank; i++) {
    if (i > 0) {
      *at++ = ',';
    }
    if (order[i] >= 10) {
      *at++ = (char)('0' + order[i] / 10);
    }
    *at++ = (char)('0' + order[i] % 10);
  }
  *at++ = '}';
  return (size_t)(at - out);
}

// Before any host can call: no locks later.
__attribute__((constructor)) static void fill_row_major(void) {
  for (size_t rank = 0; rank <= MR_MAX_RANK; rank++) {
    PJRT_Layouts_MemoryLayout *layout = &row_major[rank];
    layout->is_row_major = true;
    layout->spec.rank = rank;
    layout->spec.tail_alignment = 1;
    for (size_t i = 0; i < rank; i++) {
      layout->spec.order[i] = (int64_t)(rank - 1 - i);
    }
    layout->text = (mr_str){row_major_texts[rank], write_order(layout->spec.order, rank, row_major_texts[rank])};
  }
}

PJRT_Layouts_MemoryLayout *mr_pjrt_layout_row_major(size_t rank) { return &row_major[rank]; }
PJRT_Layouts_MemoryLayout *mr_pjrt_layout_retain(PJRT_Layouts_MemoryLayout *layout) { return layout; }
void mr_pjrt_layout_release(PJRT_Layouts_MemoryLayout *layout) { (void)layout; }
const mr_pjrt_layout_spec *mr_pjrt_layout_spec_of(const PJRT_Layouts_MemoryLayout *layout) { return &layout->spec; }
mr_ints mr_pjrt_layout_order(const PJRT_Layouts_MemoryLayout *layout) {
  return (mr_ints){layout->spec.order, layout->spec.rank};
}
mr_str mr_pjrt_layout_text(const PJRT_Layouts_MemoryLayout *layout) { return layout->text; }
bool mr_pjrt_layout_is_row_major(const PJRT_Layouts_MemoryLayout *layout) { return layout->is_row_major; }

void mr_pjrt_dense_strides(size_t element_bytes, const int64_t *dims, size_t rank, const int64_t *minor_to_major,
                           int64_t *out_strides) {
  int64_t stride = (int64_t)element_bytes;
  for (size_t i = 0; i < rank; i++) {
    size_t dim = minor_to_major ? (size_t)minor_to_major[i] : rank - 1 - i;
    out_strides[dim] = stride;
    stride *= dims[dim];
  }
}

// ---- Making ----------------------------------------------------------------------------------------------------------------

static mr_status check_order(const int64_t *order, size_t rank) {
  uint64_t seen = 0;
  if (rank > MR_MAX_RANK) {
    return mr_error(MR_INVALID_ARGUMENT, "layout of rank %zu, wanted at most %d", rank, MR_MAX_RANK);
  }
  for (size_t i = 0; i < rank; i++) {
    if (order[i] < 0 || order[i] >= (int64_t)rank || seen >> order[i] & 1) {
      return mr_error(MR_INVALID_ARGUMENT, "layout: entry %zu is %lld, wanted a permutation of 0..%zu", i,
                      (long long)order[i], rank - 1);
    }
    seen |= (uint64_t)1 << order[i];
  }
  return MR_OK;
}

static mr_status check_tile(const int64_t *sizes, size_t rank, size_t tile) {
  for (size_t i = 0; i < rank; i++) {
    bool combines = sizes[i] == MR_PJRT_COMBINE && i + 1 < rank;
    if (!combines && (sizes[i] < 1 || sizes[i] > INT32_MAX)) {
      return mr_error(MR_INVALID_ARGUMENT, "layout: size %zu of tile %zu is %lld, wanted at least 1", i, tile,
                      (long long)sizes[i]);
    }
  }
  return rank ? MR_OK : mr_error(MR_INVALID_ARGUMENT, "layout: tile %zu has no sizes", tile);
}

static mr_status check_spec(const mr_pjrt_layout_spec *spec) {
  MR_TRY(check_order(spec->order, spec->rank));
  const int64_t *sizes = spec->tile_sizes;
  for (size_t i = 0; i < spec->num_tiles; i++) {
    MR_TRY(check_tile(sizes, spec->tile_ranks[i], i));
    sizes += spec->tile_ranks[i];
  }
  if (spec->element_bits < 0 || spec->tail_alignment < 1 || spec->tail_alignment > INT32_MAX) {
    return mr_error(MR_INVALID_ARGUMENT, "layout: elements of %lld bits, padded to a multiple of %lld",
                    (long long)spec->element_bits, (long long)spec->tail_alignment);
  }
  return MR_OK;
}

static void write_tiles(const mr_pjrt_layout_spec *spec, mr_text *out) {
  const int64_t *sizes = spec->tile_sizes;
  for (size_t i = 0; i < spec->num_tiles; i++) {
    mr_text_put(out, "%s", i ? "(" : "T(");
    for (size_t k = 0; k < spec->tile_ranks[i]; k++, sizes++) {
      mr_text_put(out, "%s", k ? "," : "");
      if (*sizes == MR_PJRT_COMBINE) {
        mr_text_put(out, "*");
      } else {
        mr_text_put(out, "%lld", (long long)*sizes);
      }
    }
    mr_text_put(out, ")");
  }
}

static mr_status write_text(const mr_pjrt_layout_spec *spec, mr_text *out) {
  char order[ORDER_TEXT_SIZE];
  size_t size = write_order(spec->order, spec->rank, order);
  bool plain = spec->num_tiles == 0 && spec->tail_alignment == 1 && spec->element_bits == 0;
  mr_text_append(out, (mr_str){order, size - 1});
  mr_text_put(out, "%s", plain ? "" : ":");
  write_tiles(spec, out);
  if (spec->tail_alignment != 1) {
    mr_text_put(out, "L(%lld)", (long long)spec->tail_alignment);
  }
  if (spec->element_bits) {
    mr_text_put(out, "E(%lld)", (long long)spec->element_bits);
  }
  mr_text_put(out, "}");
  return out->failed ? MR_NO_MEMORY() : MR_OK;
}

MR_FORK_LOCK(others_lock);
static PJRT_Layouts_MemoryLayout *others;  // under others_lock

// The one with this text, made when there is none; NULL without memory. Holds the lock.
static PJRT_Layouts_MemoryLayout *find_other(const mr_pjrt_layout_spec *spec, mr_str text) {
  for (PJRT_Layouts_MemoryLayout *layout = others; layout; layout = layout->next) {
    if (mr_str_equal(layout->text, text)) {
      return layout;
    }
  }
  PJRT_Layouts_MemoryLayout *layout = mr_alloc_zeroed(1, sizeof *layout + text.size);
  if (layout) {
    char *own_text = (char *)(layout + 1);
    memcpy(own_text, text.data, text.size);
    *layout = (PJRT_Layouts_MemoryLayout){.next = others, .spec = *spec, .text = {own_text, text.size}};
    others = layout;
  }
  return layout;
}

mr_status mr_pjrt_layout_of_spec(const mr_pjrt_layout_spec *spec, PJRT_Layouts_MemoryLayout **out_layout) {
  *out_layout = NULL;
  MR_TRY(check_spec(spec));
  mr_text text = {0};
  mr_status status = write_text(spec, &text);
  mr_str own = {text.data, text.size};
  if (!status && mr_str_equal(own, row_major[spec->rank].text)) {
    *out_layout = &row_major[spec->rank];
  } else if (!status) {
    pthread_mutex_lock(&others_lock);
    *out_layout = find_other(spec, own);
    pthread_mutex_unlock(&others_lock);
    status = *out_layout ? MR_OK : MR_NO_MEMORY();
  }
  mr_text_deinit(&text);
  return status;
}

mr_status mr_pjrt_layout_create(const int64_t *minor_to_major, size_t rank, PJRT_Layouts_MemoryLayout **out_layout) {
  *out_layout = NULL;
  MR_TRY(check_order(minor_to_major, rank));
  mr_pjrt_layout_spec spec = {.rank = rank, .tail_alignment = 1};
  if (rank) {
    memcpy(spec.order, minor_to_major, rank * sizeof(int64_t));
  }
  return mr_pjrt_layout_of_spec(&spec, out_layout);
}

mr_status mr_pjrt_layout_of_tiled(const PJRT_Buffer_MemoryLayout_Tiled *tiled, size_t rank,
                                  PJRT_Layouts_MemoryLayout **out_layout) {
  *out_layout = NULL;
  mr_pjrt_layout_spec spec = {.rank = rank, .tail_alignment = 1, .num_tiles = tiled->num_tiles};
  if (tiled->minor_to_major_size != rank || rank > MR_MAX_RANK) {
    return mr_error(MR_INVALID_ARGUMENT, "layout of rank %zu for an array of rank %zu", tiled->minor_to_major_size,
                    rank);
  }
  if ((rank && !tiled->minor_to_major) || (tiled->num_tiles && (!tiled->tile_dims || !tiled->tile_dim_sizes))) {
    return mr_error(MR_INVALID_ARGUMENT, "layout of rank %zu with %zu tiles, but no list of them", rank,
                    tiled->num_tiles);
  }
  if (tiled->num_tiles > MR_PJRT_MAX_TILES) {
    return mr_error(MR_UNIMPLEMENTED, "layout with %zu levels of tiles: at most %d", tiled->num_tiles,
                    MR_PJRT_MAX_TILES);
  }
  for (size_t i = 0; i < tiled->num_tiles; i++) {
    size_t count = spec.tile_ranks[i] = tiled->tile_dim_sizes[i];
    if (count > MR_PJRT_MAX_TILE_SIZES - spec.num_tile_sizes) {
      return mr_error(MR_UNIMPLEMENTED, "layout: tile %zu has %zu sizes: at most %d of all tiles together", i, count,
                      MR_PJRT_MAX_TILE_SIZES);
    }
    if (count) {
      memcpy(&spec.tile_sizes[spec.num_tile_sizes], &tiled->tile_dims[spec.num_tile_sizes], count * sizeof(int64_t));
    }
    spec.num_tile_sizes += count;
  }
  if (rank) {
    memcpy(spec.order, tiled->minor_to_major, rank * sizeof(int64_t));
  }
  return mr_pjrt_layout_of_spec(&spec, out_layout);
}

// ---- From text ---------------------------------------------------------------------------------------------------------
// layout: '{' numbers [':' property+] '}';  property: 'T' tile+ | 'L' '(' number ')' | 'E' '(' number ')'
// tile: '(' numbers ')', where a number may be '*'

typedef struct layout_text {
  const char *at, *end;
} layout_text;

static bool eat(layout_text *text, char c) {
  bool there = text->at < text->end && *text->at == c;
  text->at += there;
  return there;
}

static bool eat_number(layout_text *text, bool or_star, int64_t *out) {
  if (or_star && eat(text, '*')) {
    *out = MR_PJRT_COMBINE;
    return true;
  }
  const char *start = text->at;
  for (*out = 0; text->at < text->end && *text->at >= '0' && *text->at <= '9'; text->at++) {
    if (__builtin_mul_overflow(*out, 10, out) || __builtin_add_overflow(*out, *text->at - '0', out)) {
      return false;
    }
  }
  return text->at > start;
}

// Numbers with commas between them, at least one.
static bool eat_numbers(layout_text *text, bool or_star, size_t room, int64_t *out, size_t *out_count) {
  *out_count = 0;
  do {
    if (*out_count == room || !eat_number(text, or_star, &out[*out_count])) {
      return false;
    }
    *out_count += 1;
  } while (eat(text, ','));
  return true;
}

static bool eat_tiles(layout_text *text, mr_pjrt_layout_spec *spec) {
  while (spec->num_tiles < MR_PJRT_MAX_TILES && eat(text, '(')) {
    size_t *count = &spec->tile_ranks[spec->num_tiles++];
    if (!eat_numbers(text, true, MR_PJRT_MAX_TILE_SIZES - spec->num_tile_sizes, &spec->tile_sizes[spec->num_tile_sizes],
                     count) ||
        !eat(text, ')')) {
      return false;
    }
    spec->num_tile_sizes += *count;
  }
  return spec->num_tiles > 0;
}

static bool eat_one(layout_text *text, int64_t *out) {
  return eat(text, '(') && eat_number(text, false, out) && eat(text, ')');
}

static mr_status bad_text(mr_str text, size_t rank) {
  return mr_error(MR_INVALID_ARGUMENT, "layout '%.*s', wanted one of %zu dimensions such as {1,0} or {1,0:T(8,128)}",
                  MR_STR_ARG(text), rank);
}

static mr_status read_properties(layout_text *text, mr_str whole, mr_pjrt_layout_spec *spec) {
  while (text->at < text->end && *text->at != '}') {
    bool good = false;
    switch (*text->at++) {
    case 'T': good = spec->num_tiles == 0 && eat_tiles(text, spec); break;
    case 'L': good = eat_one(text, &spec->tail_alignment); break;
    case 'E': good = eat_one(text, &spec->element_bits); break;
    case '(':
      return mr_error(MR_UNIMPLEMENTED, "layout '%.*s': at most %d levels of tiles", MR_STR_ARG(whole),
                      MR_PJRT_MAX_TILES);
    default:
      return mr_error(MR_UNIMPLEMENTED, "layout '%.*s': property '%c', wanted T (tiles), L (tail padding) or E (bits)",
                      MR_STR_ARG(whole), text->at[-1]);
    }
    if (!good) {
      return bad_text(whole, spec->rank);
    }
  }
  return MR_OK;
}

mr_status mr_pjrt_layout_parse(mr_str text, size_t rank, PJRT_Layouts_MemoryLayout **out_layout) {
  *out_layout = NULL;
  mr_pjrt_layout_spec spec = {.rank = rank, .tail_alignment = 1};
  layout_text left = {text.data, text.data + text.size};
  size_t count = 0;
  bool good =
      rank <= MR_MAX_RANK && eat(&left, '{') && (rank == 0 || eat_numbers(&left, false, rank, spec.order, &count));
  if (!good || count != rank) {
    return bad_text(text, rank);
  }
  if (eat(&left, ':')) {
    MR_TRY(read_properties(&left, text, &spec));
  }
  if (!eat(&left, '}') || left.at != left.end) {
    return bad_text(text, rank);
  }
  return mr_pjrt_layout_of_spec(&spec, out_layout);
}
