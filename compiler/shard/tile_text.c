// The text of HLO's shardings: {devices=[4,1,2]<=[4,2]T(1,0) last_tile_dim_replicate}.
#include <inttypes.h>
#include <string.h>

#include "compiler/shard/sharding.h"
#include "compiler/shard/words.h"

#define LIST_LIMIT 65536  // devices of an explicit list; a hostile program could have any number

typedef struct parser {
  mr_arena *arena;
  mr_words words;
} parser;

// Numbers with commas between them, as many as there are.
static mr_status parse_ints(parser *p, size_t limit, size_t *out_count, int64_t **out) {
  size_t room = 8;
  *out_count = 0;
  *out = mr_arena_array(p->arena, int64_t, room);
  do {
    if (*out_count == limit) {
      return mr_words_wrong(&p->words, "fewer numbers");
    }
    if (*out && *out_count == room) {
      int64_t *more = mr_arena_array(p->arena, int64_t, room * 2);
      if (more) {
        memcpy(more, *out, room * sizeof **out);
      }
      *out = more;
      room *= 2;
    }
    if (!*out) {
      return MR_NO_MEMORY();
    }
    MR_TRY(mr_words_int(&p->words, &(*out)[(*out_count)++]));
  } while (mr_words_accept(&p->words, ","));
  return MR_OK;
}

static mr_status parse_list(parser *p, size_t limit, const char *open, const char *close, size_t *out_count,
                            int64_t **out) {
  MR_TRY(mr_words_expect(&p->words, open));
  MR_TRY(parse_ints(p, limit, out_count, out));
  return mr_words_expect(&p->words, close);
}

static bool is_permutation(const int64_t *list, size_t count) {
  bool seen[MR_MAX_RANK] = {false};
  for (size_t i = 0; i < count; i++) {
    if (list[i] >= (int64_t)count || seen[list[i]]) {
      return false;
    }
    seen[list[i]] = true;
  }
  return true;
}

// [4,2]T(1,0) behind `<=`.
static mr_status parse_iota(parser *p, mr_tile_sharding *out) {
  int64_t *dims, *order = NULL;
  size_t count, ordered = 0;
  MR_TRY(parse_list(p, MR_MAX_RANK, "[", "]", &count, &dims));
  if (mr_words_accept(&p->words, "T")) {
    MR_TRY(parse_list(p, MR_MAX_RANK, "(", ")", &ordered, &order));
    if (ordered != count || !is_permutation(order, count)) {
      return mr_words_wrong(&p->words, "an order of the dimensions before this");
    }
  }
  int32_t *transpose = mr_arena_array(p->arena, int32_t, count);
  if (!transpose) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    transpose[i] = order ? (int32_t)order[i] : (int32_t)i;
  }
  out->reshape_rank = (uint32_t)count;
  out->reshape_dims = dims;
  out->transpose = transpose;
  return MR_OK;
}

static mr_status parse_last(parser *p, mr_tile_sharding *out) {
  uint8_t *last = mr_arena_array(p->arena, uint8_t, 4);
  if (!last) {
    return MR_NO_MEMORY();
  }
  MR_TRY(mr_words_expect(&p->words, "{"));
  do {
    if (out->num_last == 4) {
      return mr_words_wrong(&p->words, "fewer kinds");
    }
    bool manual = mr_words_accept(&p->words, "manual"), sums = !manual && mr_words_accept(&p->words, "unreduced");
    if (!manual && !sums) {
      MR_TRY(mr_words_expect(&p->words, "replicated"));
    }
    last[out->num_last++] = manual ? MR_TILE_LAST_MANUAL : sums ? MR_TILE_LAST_UNREDUCED : MR_TILE_LAST_REPLICATED;
  } while (mr_words_accept(&p->words, ","));
  out->last_tile_dims = last;
  return mr_words_expect(&p->words, "}");
}

static int64_t product(const int64_t *list, size_t count) {
  int64_t value = 1;
  for (size_t i = 0; i < count && value <= MR_WORDS_LIMIT; i++) {
    value = list[i] ? value * list[i] : 0;
  }
  return value;
}

static mr_status parse_tiles(parser *p, mr_tile_sharding *out) {
  int64_t *dims, *devices;
  size_t count;
  MR_TRY(parse_list(p, MR_MAX_RANK + 4, "[", "]", &count, &dims));
  out->kind = MR_TILE_OTHER;
  out->tile_rank = (uint32_t)count;
  out->tile_dims = dims;
  if (mr_words_accept(&p->words, "<=")) {
    MR_TRY(parse_iota(p, out));
  } else {
    MR_TRY(parse_ints(p, LIST_LIMIT, &out->num_devices, &devices));
    out->devices = devices;
  }
  int64_t have = out->devices ? (int64_t)out->num_devices : product(out->reshape_dims, out->reshape_rank);
  if (product(dims, count) != have || have < 1) {
    return mr_words_wrong(&p->words, "as many devices as tiles before this");
  }
  if (mr_words_accept(&p->words, "last_tile_dims=")) {
    MR_TRY(parse_last(p, out));
  } else {
    out->replicate_on_last = mr_words_accept(&p->words, "last_tile_dim_replicate");
  }
  return out->num_last + out->replicate_on_last <= out->tile_rank
             ? MR_OK
             : mr_words_wrong(&p->words, "more dimensions before this");
}

// {..}
static mr_status parse_one(parser *p, mr_tile_sharding *out) {
  *out = (mr_tile_sharding){.kind = MR_TILE_REPLICATED};
  MR_TRY(mr_words_expect(&p->words, "{"));
  if (mr_words_accept(&p->words, "devices=")) {
    MR_TRY(parse_tiles(p, out));
  } else if (mr_words_accept(&p->words, "maximal device=")) {
    int64_t *device = mr_arena_new(p->arena, int64_t);
    if (!device) {
      return MR_NO_MEMORY();
    }
    MR_TRY(mr_words_int(&p->words, device));
    *out = (mr_tile_sharding){.kind = MR_TILE_MAXIMAL, .devices = device, .num_devices = 1};
  } else if (mr_words_accept(&p->words, "manual")) {
    out->kind = MR_TILE_MANUAL;
  } else {
    MR_TRY(mr_words_expect(&p->words, "replicated"));
  }
  return mr_words_expect(&p->words, "}");
}

// How many there are at most: each begins with a brace.
static size_t count_braces(mr_str text) {
  size_t count = 0;
  for (size_t i = 0; i < text.size; i++) {
    count += text.data[i] == '{';
  }
  return count;
}

mr_status mr_sharding_tiles_parse_list(mr_arena *arena, mr_str text, uint32_t *out_count, mr_tile_sharding **out) {
  parser p = {arena, {.text = text}};
  bool tuple = text.size > 1 && text.data[0] == '{' && text.data[1] == '{';
  *out_count = 0;
  *out = mr_arena_array(arena, mr_tile_sharding, count_braces(text) + 1);
  if (!*out) {
    return MR_NO_MEMORY();
  }
  if (tuple) {
    MR_TRY(mr_words_expect(&p.words, "{"));
  }
  do {
    MR_TRY(parse_one(&p, &(*out)[(*out_count)++]));
  } while (tuple && mr_words_accept(&p.words, ","));
  if (tuple) {
    MR_TRY(mr_words_expect(&p.words, "}"));
  }
  return p.words.at == text.size ? MR_OK : mr_words_wrong(&p.words, "the end");
}

mr_status mr_sharding_tiles_parse(mr_arena *arena, mr_str text, mr_tile_sharding *out) {
  mr_tile_sharding *list;
  uint32_t count;
  *out = (mr_tile_sharding){.kind = MR_TILE_REPLICATED};
  MR_TRY(mr_sharding_tiles_parse_list(arena, text, &count, &list));
  *out = list[0];
  return count == 1 ? MR_OK : mr_error(MR_INVALID_ARGUMENT, "%u shardings, wanted one", count);
}

// ---- Printing ---------------------------------------------------------------------------------------------------------------

static void print_ints(const int64_t *list, size_t count, mr_text *text) {
  for (size_t i = 0; i < count; i++) {
    mr_text_put(text, i ? ",%" PRId64 : "%" PRId64, list[i]);
  }
}

static bool is_straight(const mr_tile_sharding *t) {
  for (uint32_t i = 0; i < t->reshape_rank; i++) {
    if (t->transpose[i] != (int32_t)i) {
      return false;
    }
  }
  return true;
}

static void print_tiles(const mr_tile_sharding *t, mr_text *text) {
  mr_text_put(text, "devices=[");
  print_ints(t->tile_dims, t->tile_rank, text);
  mr_text_put(text, "]");
  if (t->reshape_rank == 0) {
    print_ints(t->devices, t->num_devices, text);
  } else {
    mr_text_put(text, "<=[");
    print_ints(t->reshape_dims, t->reshape_rank, text);
    mr_text_put(text, "]");
    for (uint32_t i = 0; !is_straight(t) && i < t->reshape_rank; i++) {
      mr_text_put(text, i ? ",%" PRId32 : "T(%" PRId32, t->transpose[i]);
    }
    mr_text_put(text, is_straight(t) ? "" : ")");
  }
  for (uint32_t i = 0; i < t->num_last; i++) {
    const char *word = t->last_tile_dims[i] == MR_TILE_LAST_MANUAL      ? "manual"
                       : t->last_tile_dims[i] == MR_TILE_LAST_UNREDUCED ? "unreduced"
                                                                        : "replicated";
    mr_text_put(text, i ? ", %s" : " last_tile_dims={%s", word);
  }
  mr_text_put(text, t->num_last ? "}" : t->replicate_on_last ? " last_tile_dim_replicate" : "");
}

void mr_sharding_tiles_print(const mr_tile_sharding *tiles, mr_text *text) {
  mr_text_put(text, "{");
  switch (tiles->kind) {
  case MR_TILE_REPLICATED: mr_text_put(text, "replicated"); break;
  case MR_TILE_MANUAL: mr_text_put(text, "manual"); break;
  case MR_TILE_MAXIMAL: mr_text_put(text, "maximal device=%" PRId64, tiles->devices[0]); break;
  case MR_TILE_OTHER: print_tiles(tiles, text); break;
  }
  mr_text_put(text, "}");
}
