// Locations of text: where whoever wrote the program has an op from.
//
//   loc(unknown)   loc(#loc3)   loc("name"(child))   loc("file":line:column to ..)   loc(callsite(callee at caller))   loc(fused[..])
//
// A location never makes a program wrong: what is not understood says nothing.
#include <stdlib.h>
#include <string.h>

#include "compiler/reader/text.h"

static int compare_locations(const void *a, const void *b) {
  mr_str x = ((const mr_location_alias *)a)->name, y = ((const mr_location_alias *)b)->name;
  int order = memcmp(x.data, y.data, MR_MIN(x.size, y.size));
  return order ? order : (x.size > y.size) - (x.size < y.size);
}

void mr_location_sort(mr_parser *p) {
  if (p->num_locations) {
    qsort(p->locations, p->num_locations, sizeof *p->locations, compare_locations);
  }
}

static mr_location_alias *find_alias(const mr_parser *p, mr_str name) {
  mr_location_alias key = {.name = name};
  return p->num_locations ? bsearch(&key, p->locations, p->num_locations, sizeof key, compare_locations) : NULL;
}

static mr_status read_location(mr_parser *p, mr_origin *out);

static mr_status read_alias(mr_parser *p, mr_origin *out) {
  size_t start = p->at++;
  mr_str name;
  MR_TRY(mr_parse_suffix(p, &name));
  mr_location_alias *alias = find_alias(p, (mr_str){p->text + start, name.size + 1});
  if (!alias || alias->state == 1) {
    return MR_OK;
  }
  if (alias->state == 0) {
    size_t here = p->at;
    alias->state = 1;
    p->at = alias->at;
    MR_TRY(read_location(p, &alias->origin));
    p->at = here;
    alias->state = 2;
  }
  mr_origin_add(out, &alias->origin);
  return MR_OK;
}

// A file with line and column, or a name with what it is the name of.
static mr_status read_string(mr_parser *p, mr_origin *out) {
  mr_origin found = {0};
  mr_str text;
  int64_t line;
  MR_TRY(mr_parse_string(p, &text));
  if (mr_parse_accept(p, ":")) {
    MR_TRY(mr_parse_int(p, &line));
    found.file = text;
    found.line = (uint32_t)MR_MAX(0, MR_MIN(line, (int64_t)UINT32_MAX));
    mr_origin_add(out, &found);
    return MR_OK;  // the column, and where a range ends, are left to who looks for the end
  }
  found.path = mr_origin_path(text);
  mr_origin_add(out, &found);
  return mr_parse_accept(p, "(") ? read_location(p, out) : MR_OK;
}

// Up to `end`, which is not part of what was read: behind brackets.
static mr_status go_to(mr_parser *p, const char *end_word, char end) {
  for (char c; (c = mr_parse_peek(p)) != 0;) {
    mr_str word;
    if (c == end || (mr_parse_peek_word(p, &word) && end_word && mr_str_is(word, end_word))) {
      return MR_OK;
    }
    if (c == '(' || c == '[' || c == '{') {
      MR_TRY(mr_parse_skip_group(p, false));
    } else if (c == '"') {
      MR_TRY(mr_parse_raw_string(p, &word));
    } else {
      p->at += mr_parse_peek_word(p, &word) ? word.size : 1;
    }
  }
  return MR_OK;
}

// The callee comes first, as its names and lines are the inner ones.
static mr_status read_call_site(mr_parser *p, mr_origin *out) {
  size_t start = p->at;
  MR_TRY(mr_parse_expect(p, "("));
  MR_TRY(read_location(p, out));
  p->at = start;
  MR_TRY(mr_parse_expect(p, "("));
  MR_TRY(go_to(p, "at", ')'));
  return mr_parse_accept_word(p, "at") ? read_location(p, out) : MR_OK;
}

static mr_status read_fused(mr_parser *p, mr_origin *out) {
  MR_TRY(go_to(p, NULL, '['));
  MR_TRY(mr_parse_expect(p, "["));
  while (mr_parse_peek(p) && !mr_parse_accept(p, "]")) {
    MR_TRY(read_location(p, out));
    MR_TRY(mr_parse_peek(p) == '(' ? mr_parse_skip_group(p, false) : MR_OK);
    MR_TRY(go_to(p, NULL, mr_parse_peek(p) == ']' ? ']' : ','));
    mr_parse_accept(p, ",");
  }
  return MR_OK;
}

static mr_status read_form(mr_parser *p, mr_origin *out) {
  switch (mr_parse_peek(p)) {
  case '#': return read_alias(p, out);
  case '"': return read_string(p, out);
  default:
    return mr_parse_accept_word(p, "callsite") ? read_call_site(p, out)
           : mr_parse_accept_word(p, "fused")  ? read_fused(p, out)
                                               : MR_OK;
  }
}

// Where it ends is of no account: who began knows the brackets. What is in `out` already stays.
static mr_status read_location(mr_parser *p, mr_origin *out) {
  MR_TRY(mr_parse_enter(p));
  mr_status status = read_form(p, out);
  p->depth--;
  return status;
}

mr_status mr_parse_origin(mr_parser *p, const mr_origin **out) {
  static const mr_origin none;
  *out = NULL;
  mr_parse_blank(p);
  size_t start = p->at;
  mr_origin found = {0};
  if (mr_parse_accept_word(p, "loc") && mr_parse_accept(p, "(")) {
    int depth = p->depth;
    mr_status status = read_location(p, &found);
    p->depth = depth;
    if (mr_status_code(status) == MR_RESOURCE_EXHAUSTED) {
      return status;
    }
    mr_status_free(status);
  }
  p->at = start;
  MR_TRY(mr_parse_optional_location(p));
  *out = mr_origin_keep(p->arena, &found, &none);
  MR_TRY(*out ? MR_OK : MR_NO_MEMORY());
  *out = *out == &none ? NULL : *out;
  return MR_OK;
}

// Behind `loc(`. A string with a colon behind it is a file's.
static mr_status read_name(mr_parser *p, mr_str *out) {
  mr_str text;
  if (mr_parse_peek(p) == '#') {
    size_t start = p->at++;
    MR_TRY(mr_parse_suffix(p, &text));
    const mr_location_alias *alias = find_alias(p, (mr_str){p->text + start, text.size + 1});
    if (!alias) {
      return MR_OK;
    }
    p->at = alias->at;
  }
  if (mr_parse_peek(p) == '"') {
    MR_TRY(mr_parse_string(p, &text));
    *out = mr_parse_peek(p) == ':' ? *out : text;
  }
  return MR_OK;
}

mr_status mr_parse_location_name(mr_parser *p, mr_str *out) {
  *out = MR_STR("");
  mr_parse_blank(p);
  size_t start = p->at;
  if (mr_parse_accept_word(p, "loc") && mr_parse_accept(p, "(")) {
    mr_status status = read_name(p, out);
    if (mr_status_code(status) == MR_RESOURCE_EXHAUSTED) {
      return status;
    }
    mr_status_free(status);
  }
  p->at = start;
  return mr_parse_optional_location(p);
}
