// Rules that a program says itself: #sdy.op_sharding_rule<([i, j])->([i, jk]) {i=8, j=2, k=4} reduction={j}, custom>.
#include <string.h>

#include "compiler/shard/rule_build.h"
#include "compiler/shard/words.h"

// 0: the end.
static char peek(mr_words *s) {
  mr_words_skip_space(s);
  return s->at < s->text.size ? s->text.data[s->at] : '\0';
}

// i .. z, z_1, z_2, ..: the number of the factor.
static mr_status factor_name(mr_words *s, int64_t limit, int64_t *out) {
  char letter = peek(s);
  if (letter < 'i' || letter > 'z') {
    return mr_words_wrong(s, "a factor");
  }
  s->at++;
  *out = letter - 'i';
  if (letter == 'z' && s->at < s->text.size && s->text.data[s->at] == '_') {
    s->at++;
    MR_TRY(mr_words_int_up_to(s, limit, out));
    *out += 'z' - 'i';
  }
  return *out < limit ? MR_OK : mr_words_wrong(s, "a factor that has a size");
}

// More than one for each dim and some, and a rule is nonsense.
#define MOST_FACTORS 4096

// {i=8, j=2}, which stands behind the mappings that use it.
static mr_status sizes(mr_words *s, mr_rule_builder *b) {
  MR_TRY(mr_words_expect(s, "{"));
  while (!mr_words_accept(s, "}")) {
    int64_t index, size;
    if (b->rule->num_factors) {
      MR_TRY(mr_words_expect(s, ","));
    }
    MR_TRY(factor_name(s, MOST_FACTORS, &index));
    MR_TRY(mr_words_expect(s, "="));
    MR_TRY(mr_words_int_up_to(s, INT32_MAX * INT64_C(65536), &size));
    if (index != b->rule->num_factors || size < 1) {
      return mr_words_wrong(s, "sizes of all factors in order");
    }
    mr_factors_add(b, MR_FACTOR_PASS, size);
    if (b->failed) {
      return MR_NO_MEMORY();
    }
  }
  return MR_OK;
}

static bool runs_over(const mr_tensor_factors *tensor, uint32_t factor) {
  for (uint32_t d = 0; d < tensor->rank; d++) {
    for (uint32_t k = 0; k < tensor->dims[d].count; k++) {
      if (tensor->dims[d].factors[k] == factor) {
        return true;
      }
    }
  }
  return false;
}

// ([i, jk], []) for the tensors of one side.
static mr_status tensors(mr_words *s, mr_rule_builder *b, bool results) {
  uint32_t count = results ? b->rule->num_results : b->rule->num_operands;
  const mr_tensor_factors *list = results ? b->rule->results : b->rule->operands;
  MR_TRY(mr_words_expect(s, "("));
  for (uint32_t i = 0; i < count; i++) {
    MR_TRY(i ? mr_words_expect(s, ",") : MR_OK);
    MR_TRY(mr_words_expect(s, "["));
    for (uint32_t d = 0; d < list[i].rank; d++) {
      MR_TRY(d ? mr_words_expect(s, ",") : MR_OK);
      do {
        int64_t factor;
        MR_TRY(factor_name(s, b->rule->num_factors, &factor));
        if (runs_over(&list[i], (uint32_t)factor)) {
          return mr_words_wrong(s, "each factor once in a tensor");
        }
        (results ? mr_factors_result : mr_factors_operand)(b, i, d, (uint32_t)factor);
      } while (peek(s) != ',' && peek(s) != ']');
    }
    MR_TRY(mr_words_expect(s, "]"));
  }
  return mr_words_expect(s, ")");
}

// reduction={i, j}: what is said of some factors.
static mr_status kinds(mr_words *s, mr_rule_builder *b) {
  static const struct {
    const char *name;
    mr_factor_kind kind;
    bool blocked;
  } words[] = {{"reduction={", MR_FACTOR_REDUCTION, false},
               {"need_replication={", MR_FACTOR_NEED_REPLICATION, false},
               {"permutation={", MR_FACTOR_PERMUTATION, false},
               {"blocked_propagation={", MR_FACTOR_PASS, true}};
  for (size_t w = 0; w < MR_ARRAY_SIZE(words); w++) {
    if (!mr_words_accept(s, words[w].name)) {
      continue;
    }
    do {
      int64_t factor;
      MR_TRY(factor_name(s, b->rule->num_factors, &factor));
      if (words[w].blocked) {
        mr_factors_block(b, (uint32_t)factor);
      } else {
        b->rule->factors[factor].kind = words[w].kind;
      }
    } while (mr_words_accept(s, ","));
    MR_TRY(mr_words_expect(s, "}"));
  }
  return MR_OK;
}

static mr_status parse(mr_words *s, mr_rule_builder *b) {
  bool named = mr_words_accept(s, "#sdy.op_sharding_rule"), bracketed = mr_words_accept(s, "<");
  if (named && !bracketed) {
    return mr_words_expect(s, "<");
  }
  // Sizes come last and are wanted first.
  size_t start = s->at;
  const char *brace = memchr(s->text.data, '{', s->text.size);
  s->at = brace ? (size_t)(brace - s->text.data) : s->text.size;
  MR_TRY(sizes(s, b));
  size_t behind = s->at;
  s->at = start;
  MR_TRY(tensors(s, b, false));
  MR_TRY(mr_words_expect(s, "->"));
  MR_TRY(tensors(s, b, true));
  s->at = behind;
  MR_TRY(kinds(s, b));
  if (mr_words_accept(s, ",")) {
    MR_TRY(mr_words_expect(s, "custom"));
    b->rule->custom = true;
  }
  if (bracketed) {
    MR_TRY(mr_words_expect(s, ">"));
  }
  return peek(s) == '\0' ? MR_OK : mr_words_wrong(s, "the end");
}

mr_status mr_factors_parse(mr_arena *arena, const mr_op *op, mr_str text, const mr_rule **out) {
  *out = NULL;
  mr_rule_builder b = mr_factors_begin(arena, op);
  if (b.failed) {
    return MR_NO_MEMORY();
  }
  mr_words words = {.text = text};
  mr_status status = parse(&words, &b);
  if (status) {
    return mr_status_note(status, "in the rule of %s", mr_op_table[op->kind].spelling);
  }
  *out = b.failed ? NULL : b.rule;
  return b.failed ? MR_NO_MEMORY() : MR_OK;
}
