#include "compiler/shard/words.h"

#include <ctype.h>

mr_status mr_words_wrong(const mr_words *words, const char *wanted) {
  return mr_error(MR_INVALID_ARGUMENT, "sharding %.*s: expected %s at byte %zu",
                  (int)MR_MIN(words->text.size, (size_t)200), words->text.data, wanted, words->at);
}

void mr_words_skip_space(mr_words *words) {
  while (words->at < words->text.size && isspace((unsigned char)words->text.data[words->at])) {
    words->at++;
  }
}

bool mr_words_accept(mr_words *words, const char *word) {
  mr_words_skip_space(words);
  mr_str wanted = mr_str_of(word), rest = {words->text.data + words->at, words->text.size - words->at};
  if (!mr_str_starts_with(rest, wanted)) {
    return false;
  }
  words->at += wanted.size;
  return true;
}

mr_status mr_words_expect(mr_words *words, const char *word) {
  return mr_words_accept(words, word) ? MR_OK : mr_words_wrong(words, word);
}

mr_status mr_words_int_up_to(mr_words *words, int64_t limit, int64_t *out) {
  mr_words_skip_space(words);
  size_t start = words->at;
  *out = 0;
  while (words->at < words->text.size && isdigit((unsigned char)words->text.data[words->at])) {
    *out = *out * 10 + (words->text.data[words->at++] - '0');
    if (*out > limit) {
      return mr_words_wrong(words, "a smaller number");
    }
  }
  return words->at > start ? MR_OK : mr_words_wrong(words, "a number");
}

mr_status mr_words_int(mr_words *words, int64_t *out) { return mr_words_int_up_to(words, MR_WORDS_LIMIT, out); }
