// Names of the text: values by scope, aliases and resources by file.
//
// Value names live in a stack in order of definition and in an open-addressing table beside it. Leaving a region pops
// its names; the last one in can be taken out of a linear-probing table without disturbing the others.
#include "compiler/reader/text.h"

#include <stdlib.h>
#include <string.h>

// ---- Values --------------------------------------------------------------------------------------------------------

static uint32_t *find_slot(mr_parser *p, mr_str name) {
  size_t mask = p->name_table_size - 1;
  size_t at = (size_t)mr_hash64(name.data, name.size, 0) & mask;
  while (p->name_table[at] && !mr_str_equal(p->names[p->name_table[at] - 1].name, name)) {
    at = (at + 1) & mask;
  }
  return &p->name_table[at];
}

// Keeps the table at most half full; entering in order of definition keeps popping right.
static mr_status grow_table(mr_parser *p) {
  if (p->num_names * 2 < p->name_table_size) {
    return MR_OK;
  }
  size_t size = p->name_table_size ? p->name_table_size * 4 : 256;
  uint32_t *table = mr_arena_array(&p->kept, uint32_t, size);
  if (!table) {
    return MR_NO_MEMORY();
  }
  p->name_table = table;
  p->name_table_size = size;
  for (size_t i = 0; i < p->num_names; i++) {
    uint32_t *slot = find_slot(p, p->names[i].name);
    *slot = (uint32_t)i + 1;
    p->names[i].slot = (uint32_t)(slot - table);
  }
  return MR_OK;
}

mr_status mr_names_define(mr_parser *p, mr_str name, mr_value **values, size_t count) {
  MR_TRY(mr_parse_grow_in(&p->kept, (void **)&p->names, p->num_names, &p->room_names, sizeof(mr_name)));
  MR_TRY(grow_table(p));
  uint32_t *slot = find_slot(p, name);
  if (*slot) {
    mr_loc loc = mr_parse_loc(p, (size_t)(name.data - p->text));
    return mr_error(MR_INVALID_ARGUMENT, "%u:%u: %%%.*s is defined twice", loc.line, loc.column, MR_STR_ARG(name));
  }
  p->names[p->num_names] = (mr_name){name, values, (uint32_t)count, (uint32_t)(slot - p->name_table)};
  *slot = (uint32_t)++p->num_names;
  return MR_OK;
}

void mr_names_release(mr_parser *p, size_t mark) {
  while (p->num_names > mark) {
    p->name_table[p->names[--p->num_names].slot] = 0;
  }
}

mr_status mr_parse_value_name(mr_parser *p, mr_str *out) {
  MR_TRY(mr_parse_expect(p, "%"));
  return mr_parse_suffix(p, out);
}

mr_status mr_parse_use(mr_parser *p, mr_value **out) {
  mr_parse_blank(p);
  size_t start = p->at;
  mr_str name;
  int64_t index = 0;
  MR_TRY(mr_parse_value_name(p, &name));
  if (p->at < p->size && p->text[p->at] == '#') {
    p->at++;
    MR_TRY(mr_parse_int(p, &index));
  }
  uint32_t slot = p->name_table_size ? *find_slot(p, name) : 0;
  if (!slot) {
    p->at = start;
    return mr_parse_error(p, "a value that is defined before");
  }
  const mr_name *entry = &p->names[slot - 1];
  if (index < 0 || index >= entry->count) {
    p->at = start;
    return mr_parse_error(p, "one of the %u results of %%%.*s", entry->count, MR_STR_ARG(name));
  }
  *out = entry->values[index];
  return MR_OK;
}

// ---- Aliases and resources -----------------------------------------------------------------------------------------

static int compare_names(mr_str a, mr_str b) {
  int order = memcmp(a.data, b.data, MR_MIN(a.size, b.size));
  return order ? order : (a.size > b.size) - (a.size < b.size);
}

static int compare_aliases(const void *a, const void *b) {
  return compare_names(((const mr_alias *)a)->name, ((const mr_alias *)b)->name);
}

static int compare_blobs(const void *a, const void *b) {
  return compare_names(((const mr_named_blob *)a)->key, ((const mr_named_blob *)b)->key);
}

mr_alias *mr_alias_find(mr_parser *p, mr_str name) {
  mr_alias key = {.name = name};
  return p->num_aliases ? bsearch(&key, p->aliases, p->num_aliases, sizeof key, compare_aliases) : NULL;
}

mr_status mr_alias_use(mr_parser *p, size_t start, mr_alias *alias, mr_status (*read)(mr_parser *, mr_alias *)) {
  size_t here = p->at;
  if (alias->state == 1) {
    p->at = start;
    return mr_parse_error(p, "an alias that does not contain itself");
  }
  if (alias->state == 0) {
    uint64_t before = p->weight;
    alias->state = 1;
    p->at = alias->at;
    MR_TRY(read(p, alias));
    p->at = here;
    alias->weight = p->weight - before;
    alias->state = 2;
  }
  return mr_parse_weigh(p, alias->weight);
}

const mr_named_blob *mr_resource_find(mr_parser *p, mr_str name) {
  mr_named_blob key = {.key = name};
  return p->num_resources ? bsearch(&key, p->resources, p->num_resources, sizeof key, compare_blobs) : NULL;
}

// `#name = value`: locations are kept by themselves. Without the sign it is a use.
static mr_status scan_alias(mr_parser *p) {
  size_t start = p->at++;
  mr_str name, word;
  MR_TRY(mr_parse_suffix(p, &name));
  if (!mr_parse_accept(p, "=")) {
    return MR_OK;
  }
  if (mr_parse_peek_word(p, &word) && mr_str_is(word, "loc")) {
    MR_TRY(mr_parse_grow_in(&p->kept, (void **)&p->locations, p->num_locations, &p->room_locations,
                            sizeof(mr_location_alias)));
    size_t at = p->at + word.size;
    at += at < p->size && p->text[at] == '(';
    p->locations[p->num_locations++] = (mr_location_alias){.name = {p->text + start, name.size + 1}, .at = at};
    return mr_parse_optional_location(p);
  }
  mr_parse_blank(p);
  MR_TRY(mr_parse_grow_in(&p->kept, (void **)&p->aliases, p->num_aliases, &p->room_aliases, sizeof(mr_alias)));
  name = (mr_str){p->text + start, name.size + 1};
  p->aliases[p->num_aliases++] = (mr_alias){.name = name, .at = p->at, .is_type = p->text[start] == '!'};
  return MR_OK;
}

// { key: "0x..", .. }
static mr_status scan_blobs(mr_parser *p) {
  MR_TRY(mr_parse_expect(p, "{"));
  while (!mr_parse_accept(p, "}")) {
    mr_named_blob blob;
    mr_str raw;
    MR_TRY(mr_parse_peek(p) == '"' ? mr_parse_string(p, &blob.key) : mr_parse_word(p, &blob.key));
    MR_TRY(mr_parse_expect(p, ":"));
    mr_parse_blank(p);
    blob.at = p->at;
    MR_TRY(mr_parse_raw_string(p, &raw));
    MR_TRY(mr_parse_grow_in(&p->kept, (void **)&p->resources, p->num_resources, &p->room_resources,
                            sizeof(mr_named_blob)));
    p->resources[p->num_resources++] = blob;
    mr_parse_accept(p, ",");
  }
  return MR_OK;
}

// {-# dialect_resources: { builtin: { .. } }, external_resources: { .. } #-}
static mr_status scan_trailer(mr_parser *p) {
  MR_TRY(mr_parse_expect(p, "{-#"));
  while (!mr_parse_accept(p, "#-}")) {
    mr_str section, dialect;
    MR_TRY(mr_parse_word(p, &section));
    MR_TRY(mr_parse_expect(p, ":"));
    if (!mr_str_is(section, "dialect_resources")) {
      MR_TRY(mr_parse_skip_group(p, false));
      mr_parse_accept(p, ",");
      continue;
    }
    MR_TRY(mr_parse_expect(p, "{"));
    while (!mr_parse_accept(p, "}")) {
      MR_TRY(mr_parse_word(p, &dialect));
      MR_TRY(mr_parse_expect(p, ":"));
      MR_TRY(scan_blobs(p));
      mr_parse_accept(p, ",");
    }
    mr_parse_accept(p, ",");
  }
  return MR_OK;
}

static mr_status scan_top(mr_parser *p) {
  for (char c = mr_parse_peek(p); c; c = mr_parse_peek(p)) {
    mr_str raw;
    if (c == '#' || c == '!') {
      MR_TRY(scan_alias(p));
    } else if (c == '{' && p->size - p->at > 2 && p->text[p->at + 1] == '-' && p->text[p->at + 2] == '#') {
      MR_TRY(scan_trailer(p));
    } else if (c == '{' || c == '(' || c == '[') {
      MR_TRY(mr_parse_skip_group(p, false));
    } else if (c == '"') {
      MR_TRY(mr_parse_raw_string(p, &raw));
    } else if (mr_parse_peek_word(p, &raw)) {
      p->at += raw.size;
    } else {
      p->at++;
    }
  }
  return MR_OK;
}

// One pass over the top level. What it does not understand is left to the parser proper, which says what is wrong.
mr_status mr_parse_scan(mr_parser *p) {
  mr_status status = scan_top(p);
  p->at = 0;
  if (mr_status_code(status) == MR_RESOURCE_EXHAUSTED) {
    return status;
  }
  mr_status_free(status);
  if (p->num_aliases) {
    qsort(p->aliases, p->num_aliases, sizeof(mr_alias), compare_aliases);
  }
  mr_location_sort(p);
  if (p->num_resources) {
    qsort(p->resources, p->num_resources, sizeof(mr_named_blob), compare_blobs);
  }
  return MR_OK;
}
