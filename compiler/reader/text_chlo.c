// Ops of CHLO that are shorthands: broadcast_x is broadcasts and x, constant_like a splat.
#include <string.h>

#include "compiler/reader/text.h"

static const char prefix[] = "chlo.broadcast_";

// The op behind chlo.broadcast_x: StableHLO's x, else CHLO's own.
static mr_op_kind broadcast_kind(mr_str name) {
  static const char *const dialects[] = {"stablehlo.", "chlo."};
  size_t skip = sizeof prefix - 1;
  char spelling[80];
  if (!mr_str_starts_with(name, MR_STR(prefix)) || name.size - skip > 60) {
    return MR_OP_COUNT;
  }
  for (size_t i = 0; i < MR_ARRAY_SIZE(dialects); i++) {
    size_t size = strlen(dialects[i]);
    memcpy(spelling, dialects[i], size);
    memcpy(spelling + size, name.data + skip, name.size - skip);
    mr_op_kind kind = mr_op_kind_from_spelling((mr_str){spelling, size + name.size - skip});
    if (kind != MR_OP_COUNT && mr_op_kind_is_elementwise(kind)) {
      return kind;
    }
  }
  return MR_OP_COUNT;
}

bool mr_chlo_expands(mr_str name) {
  return mr_str_is(name, "chlo.constant_like") || broadcast_kind(name) != MR_OP_COUNT;
}

// Where the operand's dimensions go: to the last ones, or where the attribute says when the operand is the smaller one.
static mr_status operand_dims(mr_parser *p, const mr_type *from, const mr_type *to, const mr_attr *given,
                              mr_ints *out) {
  if (given && given->kind == MR_ATTR_INTS && given->ints.size == from->rank && from->rank < to->rank) {
    *out = given->ints;
    return MR_OK;
  }
  int64_t *dims = mr_arena_array(p->arena, int64_t, from->rank + 1);
  if (!dims) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < from->rank; i++) {
    dims[i] = (int64_t)to->rank - from->rank + i;
  }
  *out = (mr_ints){dims, from->rank};
  return MR_OK;
}

static mr_status broadcast_operand(mr_parser *p, mr_draft *draft, const mr_attr *given, mr_value **operand) {
  const mr_type *from = &(*operand)->type, *to = &draft->results[0];
  mr_ints dims;
  if (mr_type_same_dims(from, to)) {
    return MR_OK;
  }
  if (from->rank > to->rank || !mr_type_is_static(to) || !mr_type_is_static(from)) {
    return mr_error(MR_UNIMPLEMENTED, "%u:%u: %.*s of dynamic shapes", draft->loc.line, draft->loc.column,
                    MR_STR_ARG(draft->name));
  }
  MR_TRY(operand_dims(p, from, to, given, &dims));
  mr_builder builder = mr_builder_at_end(draft->block);
  builder.loc = draft->loc;
  mr_type type = mr_type_with_dtype(to, from->dtype);
  *operand = mr_build_broadcast(&builder, *operand, &type, dims);
  return *operand ? MR_OK : MR_NO_MEMORY();
}

static mr_status expand_broadcast(mr_parser *p, mr_draft *draft, mr_parsed *out) {
  if (draft->num_results != 1 || draft->results[0].kind != MR_TYPE_TENSOR) {
    return mr_error(MR_INVALID_ARGUMENT, "%u:%u: %.*s needs one tensor result", draft->loc.line, draft->loc.column,
                    MR_STR_ARG(draft->name));
  }
  mr_attr *given = (mr_attr *)mr_draft_find(draft, "broadcast_dimensions");
  if (given && given->kind == MR_ATTR_DENSE) {
    // Old text has a constant here; only numpy's rule is common enough to go on with.
    return mr_error(MR_UNIMPLEMENTED, "%u:%u: broadcast_dimensions as a constant", draft->loc.line, draft->loc.column);
  }
  for (uint32_t i = 0; i < draft->num_operands; i++) {
    if (draft->operands[i]->type.kind != MR_TYPE_TENSOR) {
      return mr_error(MR_INVALID_ARGUMENT, "%u:%u: %.*s of a value that is no tensor", draft->loc.line,
                      draft->loc.column, MR_STR_ARG(draft->name));
    }
    MR_TRY(broadcast_operand(p, draft, given, &draft->operands[i]));
  }
  if (given) {
    given->name.size = 0;  // spent
  }
  draft->kind = broadcast_kind(draft->name);
  draft->name = mr_str_of(mr_op_table[draft->kind].spelling);
  return mr_parse_finish(p, draft, out);
}

static mr_status expand_constant_like(mr_parser *p, mr_draft *draft, mr_parsed *out) {
  const mr_attr *value = mr_draft_find(draft, "value");
  mr_value **slot = mr_arena_new(&p->kept, mr_value *);
  if (!slot) {
    return MR_NO_MEMORY();
  }
  if (!value || draft->num_results != 1 || draft->results[0].kind != MR_TYPE_TENSOR ||
      !mr_type_is_static(&draft->results[0]) || (value->kind != MR_ATTR_INT && value->kind != MR_ATTR_FLOAT)) {
    return mr_error(MR_UNIMPLEMENTED, "%u:%u: chlo.constant_like without a number or of a dynamic shape",
                    draft->loc.line, draft->loc.column);
  }
  mr_builder builder = mr_builder_at_end(draft->block);
  builder.loc = draft->loc;
  *slot = value->kind == MR_ATTR_INT ? mr_build_splat_int(&builder, &draft->results[0], value->integer)
                                     : mr_build_splat(&builder, &draft->results[0], value->number);
  *out = (mr_parsed){slot, 1};
  return *slot ? MR_OK : MR_NO_MEMORY();
}

mr_status mr_chlo_expand(mr_parser *p, mr_draft *draft, mr_parsed *out) {
  MR_TRY(mr_draft_check(draft));
  return mr_str_is(draft->name, "chlo.constant_like") ? expand_constant_like(p, draft, out)
                                                      : expand_broadcast(p, draft, out);
}
