// The page's files: what is handed out, as what, and that nothing in them comes from anywhere else.
#include "serve/page/files.h"
#include "serve/page/page.h"
#include "tests/serve/fake_rest.h"

static sv_exchange ask(const char *path) {
  sv_exchange exchange = {0};
  sv_page_answer(NULL, &exchange, sv_str_of(path));
  assert_int_equal(exchange.answers, 1);
  return exchange;
}

static void test_page(void **state) {
  (void)state;
  sv_exchange got = ask("/");
  assert_int_equal(got.status, 200);
  assert_string_equal(got.type, "text/html; charset=utf-8");
  assert_non_null(strstr(got.body.data, "<!doctype html>"));
  assert_non_null(strstr(got.headers, "Content-Security-Policy: default-src 'none'; script-src 'self';"));
  assert_non_null(strstr(got.headers, "X-Content-Type-Options: nosniff\r\n"));
  assert_null(strstr(got.headers, "unsafe"));
  sv_text_free(&got.body);
}

static void test_not_there(void **state) {
  (void)state;
  static const char *const paths[] = {"/page/", "/page/page", "/page/../page.c", "/page/page.js/", "/page/PAGE.JS", ""};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    sv_exchange got = ask(paths[i]);
    assert_int_equal(got.status, 404);
    sv_text_free(&got.body);
  }
}

static bool has(const sv_page_file *file, const char *words) {
  return memmem(file->data, file->size, words, strlen(words));
}

// Every file is the source's, is text, and asks no other host for anything; the policy would not allow styles and handlers in HTML.
static void test_files(void **state) {
  (void)state;
  size_t count = 0;
  for (const sv_page_file *file = sv_page_files; file->path; file++, count++) {
    sv_exchange got = ask(file->path);
    assert_int_equal(got.status, 200);
    assert_string_equal(got.type, file->type);
    assert_int_equal(got.body.size, file->size + 1);
    sv_text_free(&got.body);
    assert_true(file->size > 100);
    assert_true(sv_str_is_utf8((sv_str){(const char *)file->data, file->size}));
    static const char *const elsewhere[] = {"https://", "src=\"//", "style=\"", "onclick", "innerHTML", "eval("};
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
      assert_false(has(file, elsewhere[i]));
    }
    assert_true(!has(file, "http://") || has(file, "http://www.w3.org/2000/svg"));
  }
  assert_int_equal(count, 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_page), cmocka_unit_test(test_not_there),
                                     cmocka_unit_test(test_files)};
  return check_run(tests);
}
