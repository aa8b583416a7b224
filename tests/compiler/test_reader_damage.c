// Text with one thing wrong in it, at every place: the reader says line and column, what was expected and what it found.
#include <stdio.h>
#include <string.h>

#include "compiler/reader/reader.h"
#include "tests/cmocka.h"
#include "tests/compiler/text_forms.h"
#include "tests/file.h"

enum { LARGEST_FILE = 6000 };

static uint64_t damaged, misplaced;

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

// The end of the token at `at`: a word or number, a string, an arrow, or one character.
static size_t token_end(mr_span text, size_t at) {
  const char *c = text.data;
  size_t end = at + 1;
  if (c[at] == '"') {
    while (end < text.size && c[end] != '"') {
      end += c[end] == '\\' ? 2 : 1;
    }
    return MR_MIN(end + 1, text.size);
  }
  if (c[at] == '-' && end < text.size && c[end] == '>') {
    return end + 1;
  }
  while (is_word(c[at]) && end < text.size && (is_word(c[end]) || (is_letter(c[at]) && c[end] == '.'))) {
    end++;
  }
  return end;
}

// "line:column" of a place.
static void place_text(mr_span text, size_t at, char *out, size_t size) {
  unsigned line = 1, column = 1;
  for (size_t i = 0; i < at; i++) {
    column = ((const char *)text.data)[i] == '\n' ? 1 : column + 1;
    line += ((const char *)text.data)[i] == '\n';
  }
  snprintf(out, size, "%u:%u: ", line, column);
}

// What the reader and the verifier say of `text` when the bytes from `at` to `end` are `instead`.
static mr_status read_damaged(mr_span text, size_t at, size_t end, const char *instead) {
  size_t put = strlen(instead);
  char *copy = mr_alloc(text.size + put + 1);
  memcpy(copy, text.data, at);
  memcpy(copy + at, instead, put);
  memcpy(copy + at + put, (const char *)text.data + end, text.size - end);
  mr_module *module = NULL;
  mr_status status = mr_read_text((mr_span){copy, at + put + text.size - end}, &module);
  assert_true((status != MR_OK) == (module == NULL));
  if (!status) {
    status = mr_module_verify(module);
  }
  mr_module_release(module);
  mr_free(copy);
  return status;
}

// A code that blames the program, and line and column from the reader, or the function from the verifier.
static void expect_place(const char *name, const char *place, mr_status status) {
  unsigned line, column;
  mr_code code = mr_status_code(status);
  if ((code != MR_INVALID_ARGUMENT && code != MR_UNIMPLEMENTED) ||
      (sscanf(mr_status_message(status), "%u:%u: ", &line, &column) != 2 &&
       strncmp(mr_status_message(status), "in @", 4) != 0)) {
    fail_msg("%s: damaged at %s%s: %s", name, place, mr_status_code_name(code), mr_status_message(status));
  }
}

// Whether the line of `at` has a part that is not read: a place in another file, or what is kept for Shardy as it stands.
static bool has_unread(mr_span text, size_t at) {
  const char *c = text.data;
  size_t begin = at, end = at;
  while (begin && c[begin - 1] != '\n') {
    begin--;
  }
  while (end < text.size && c[end] != '\n') {
    end++;
  }
  return memmem(c + begin, end - begin, "loc", 3) || memmem(c + begin, end - begin, "sdy", 3);
}

// A backtick is no token anywhere.
static void damage_by_nothing(const char *name, mr_span text, size_t at, size_t end) {
  char place[32];
  place_text(text, at, place, sizeof place);
  mr_status status = read_damaged(text, at, end, "`");
  if (status || !has_unread(text, at)) {
    expect_place(name, place, status);
    misplaced += strncmp(mr_status_message(status), place, strlen(place)) != 0 ||
                 !strstr(mr_status_message(status), "expected") || !strstr(mr_status_message(status), "found '`'");
    damaged++;
  }
  mr_status_free(status);
}

// Another token than should be there, none, or the same twice; some of that is as right as what was there.
static void damage_by_others(const char *name, mr_span text, size_t at, size_t end) {
  static const char *const tokens[] = {"",       "-7",      "99999999999999999999",
                                       "1.5",    "wrong",   "%wrong",
                                       "#wrong", "!wrong",  "@wrong",
                                       "^wrong", "\"\\q\"", "f32",
                                       "[",      ")",       "1, 1"};
  char place[32], again[128];
  place_text(text, at, place, sizeof place);
  snprintf(again, sizeof again, "%.*s %.*s", (int)(end - at), (const char *)text.data + at, (int)(end - at),
           (const char *)text.data + at);
  for (size_t i = 0; i <= MR_ARRAY_SIZE(tokens); i++) {
    mr_status status = read_damaged(text, at, end, i < MR_ARRAY_SIZE(tokens) ? tokens[i] : again);
    if (status) {
      expect_place(name, place, status);
    }
    mr_status_free(status);
  }
  mr_status status = read_damaged((mr_span){text.data, at}, at, at, "");
  if (status) {
    expect_place(name, place, status);
  }
  mr_status_free(status);
}

static void damage_text(const char *name, mr_span text,
                        void (*damage)(const char *name, mr_span text, size_t at, size_t end)) {
  const char *c = text.data;
  for (size_t at = 0, end; at < text.size; at = end) {
    end = at + 1;
    if (c[at] == '/' && at + 1 < text.size && c[at + 1] == '/') {
      while (end < text.size && c[end] != '\n') {
        end++;
      }
    } else if (c[at] > ' ') {
      end = token_end(text, at);
      damage(name, text, at, end);
    }
  }
}

static void damage_file(void *context, const char *path, mr_span text) {
  (void)context;
  damage_text(path, text, damage_by_nothing);
}

static void damage_forms(void (*damage)(const char *name, mr_span text, size_t at, size_t end)) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(text_forms); i++) {
    const char *bodies[] = {text_forms[i].pretty, text_forms[i].generic};
    for (int k = 0; k < 2; k++) {
      char text[4096];
      snprintf(text, sizeof text, "func.func @main(%s) {\n%s\nreturn\n}", text_forms[i].args, bodies[k]);
      damage_text(bodies[k], (mr_span){text, strlen(text)}, damage);
    }
  }
}

// The place is that of the token, but where the reader looks ahead, or at the whole of a list.
static void test_no_token_at_all(void **state) {
  (void)state;
  damage_forms(damage_by_nothing);
  file_each("tests/compiler/reader_data", ".mlir", LARGEST_FILE, damage_file, NULL);
  file_each("tests/programs", ".mlir", LARGEST_FILE, damage_file, NULL);
  assert_true(damaged > 30000);
  assert_true(misplaced < damaged / 10);
}

static void test_another_token(void **state) {
  (void)state;
  damage_forms(damage_by_others);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_token_at_all), cmocka_unit_test(test_another_token)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
