// words: words and numbers of a sharding's text, one after the other. Private to compiler/shard.
//
// Threads and memory: the caller's. Errors: INVALID_ARGUMENT with the text, what was wanted and at which byte.
//
//   mr_words words = {.text = text};
//   MR_TRY(mr_words_expect(&words, "{"));
#ifndef MR_COMPILER_SHARD_WORDS_H
#define MR_COMPILER_SHARD_WORDS_H

#include "core/core.h"

// No number is larger: no mesh has more devices.
#define MR_WORDS_LIMIT (INT64_C(1) << 31)

typedef struct mr_words {
  mr_str text;
  size_t at;
} mr_words;

mr_status mr_words_wrong(const mr_words *words, const char *wanted) MR_WARN_UNUSED;
void mr_words_skip_space(mr_words *words);
// Takes the word when it is next, whitespace or not in front of it.
bool mr_words_accept(mr_words *words, const char *word);
mr_status mr_words_expect(mr_words *words, const char *word) MR_WARN_UNUSED;
// Digits, of a number up to MR_WORDS_LIMIT.
mr_status mr_words_int(mr_words *words, int64_t *out) MR_WARN_UNUSED;
// The same for numbers up to another limit, which is far below INT64_MAX.
mr_status mr_words_int_up_to(mr_words *words, int64_t limit, int64_t *out) MR_WARN_UNUSED;

#endif
