// The mhlo dialect: StableHLO's older twin, with the same ops and attributes under its own name and a few that became
// something else.
#include <string.h>

#include "compiler/reader/text.h"

static const char prefix[] = "mhlo.";

bool mr_mhlo_is(mr_str name) { return mr_str_starts_with(name, MR_STR(prefix)); }

// The names of other dialects' ops are at most this long.
enum { LONGEST = 80 };

static mr_str respelled(mr_str name, const char *dialect, char *buffer) {
  size_t skip = sizeof prefix - 1, size = strlen(dialect);
  if (!mr_mhlo_is(name) || name.size - skip + size > LONGEST) {
    return name;
  }
  memcpy(buffer, dialect, size);
  memcpy(buffer + size, name.data + skip, name.size - skip);
  return (mr_str){buffer, size + name.size - skip};
}

mr_op_kind mr_mhlo_op_kind(mr_str name) {
  static const struct {
    const char *name;
    mr_op_kind kind;
  } others[] = {
      {"mhlo.return", MR_OP_return},
      {"mhlo.copy", MR_OP_convert},  // to the same type
      {"mhlo.bitcast", MR_OP_reshape},
      {"mhlo.topk", MR_OP_top_k},
  };
  static const char *const dialects[] = {"stablehlo.", "chlo."};
  char buffer[LONGEST];
  for (size_t i = 0; i < MR_ARRAY_SIZE(others); i++) {
    if (mr_str_is(name, others[i].name)) {
      return others[i].kind;
    }
  }
  for (size_t i = 0; i < MR_ARRAY_SIZE(dialects); i++) {
    mr_op_kind kind = mr_op_kind_from_spelling(respelled(name, dialects[i], buffer));
    if (kind != MR_OP_COUNT) {
      return kind;
    }
  }
  return MR_OP_COUNT;
}

mr_status mr_mhlo_twin(mr_parser *p, mr_str name, mr_str *out) {
  char buffer[LONGEST];
  *out = name;
  if (mr_str_is(name, "mhlo")) {
    *out = MR_STR("stablehlo");
  } else if (mr_mhlo_is(name)) {
    *out = mr_arena_str(&p->scratch, respelled(name, "stablehlo.", buffer));
  }
  return out->data ? MR_OK : MR_NO_MEMORY();
}

static bool is_row_major(const mr_attr *layout) {
  bool good = !layout || layout->kind == MR_ATTR_INTS;
  for (size_t i = 0; good && layout && i < layout->ints.size; i++) {
    good = layout->ints.data[i] == (int64_t)(layout->ints.size - 1 - i);
  }
  return good;
}

// What the twin has no words for.
mr_status mr_mhlo_check(mr_parser *p, const mr_draft *draft) {
  (void)p;
  const mr_attr *largest = mr_draft_find(draft, "largest");
  bool smallest = draft->kind == MR_OP_top_k && largest && largest->kind == MR_ATTR_INT && !largest->integer;
  bool reordered = draft->kind == MR_OP_reshape && !(is_row_major(mr_draft_find(draft, "source_layout")) &&
                                                     is_row_major(mr_draft_find(draft, "result_layout")));
  if (smallest || reordered) {
    return mr_error(MR_UNIMPLEMENTED, "%u:%u: %.*s %s", draft->loc.line, draft->loc.column, MR_STR_ARG(draft->name),
                    smallest ? "of the smallest elements" : "with layouts that are not row-major");
  }
  return MR_OK;
}
