// Statuses: codes, messages, owners, and what happens when there is no memory to say what is wrong.
#include "tests/cmocka.h"

#include <string.h>

#include "core/core.h"

// An error keeps its code, its formatted message and its place.
static void test_error_keeps_what_it_was_given(void **state) {
  (void)state;
  mr_status status = mr_error(MR_NOT_FOUND, "no %s in %d places", "needle", 3);
  assert_int_equal(mr_status_code(status), MR_NOT_FOUND);
  assert_string_equal(mr_status_message(status), "no needle in 3 places");
  assert_non_null(strstr(mr_status_file(status), "test_status.c"));
  assert_true(mr_status_line(status) > 0);
  mr_status_free(status);
}

// OK is a value like any other for every function.
static void test_ok_is_accepted_everywhere(void **state) {
  (void)state;
  assert_int_equal(mr_status_code(MR_OK), 0);
  assert_string_equal(mr_status_message(MR_OK), "");
  assert_null(mr_status_retain(MR_OK));
  assert_null(mr_status_note(MR_OK, "while %s", "idle"));
  assert_null(mr_status_join(MR_OK, MR_OK));
  mr_status_free(MR_OK);
}

// A note goes in front of the message; another owner of the error keeps what it had.
static void test_note_leaves_other_owners_alone(void **state) {
  (void)state;
  mr_status status = mr_error(MR_INTERNAL, "broken");
  mr_status other = mr_status_retain(status);
  mr_status noted = mr_status_note(status, "while loading %d bytes", 7);
  assert_string_equal(mr_status_message(noted), "while loading 7 bytes: broken");
  assert_int_equal(mr_status_code(noted), MR_INTERNAL);
  assert_string_equal(mr_status_message(other), "broken");
  mr_status_free(noted);
  mr_status_free(other);
}

// Joining keeps the first error and frees the second (the leak checker watches).
static void test_first_error_wins(void **state) {
  (void)state;
  mr_status joined = mr_status_join(mr_error(MR_ABORTED, "first"), mr_error(MR_INTERNAL, "second"));
  assert_string_equal(mr_status_message(joined), "first");
  joined = mr_status_join(joined, MR_OK);
  assert_int_equal(mr_status_code(joined), MR_ABORTED);
  mr_status_free(joined);
  joined = mr_status_join(MR_OK, mr_error(MR_INTERNAL, "second"));
  assert_string_equal(mr_status_message(joined), "second");
  mr_status_free(joined);
}

// Without memory an error is still an error, and says RESOURCE_EXHAUSTED.
static void test_error_without_memory(void **state) {
  (void)state;
  (void)mr_alloc_fail_nth(1);
  mr_status status = mr_error(MR_NOT_FOUND, "lost");
  (void)mr_alloc_fail_nth(0);
  assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
  assert_ptr_equal(mr_status_retain(status), status);
  mr_status_free(status);
  mr_status_free(status);
  assert_int_equal(mr_status_code(status), MR_RESOURCE_EXHAUSTED);
}

// A note that cannot be made leaves the error as it was.
static void test_note_without_memory(void **state) {
  (void)state;
  mr_status status = mr_error(MR_NOT_FOUND, "lost");
  (void)mr_alloc_fail_nth(1);
  status = mr_status_note(status, "while looking");
  (void)mr_alloc_fail_nth(0);
  assert_string_equal(mr_status_message(status), "lost");
  mr_status_free(status);
}

// What is not text in a message becomes a question mark; what is stays.
static void test_messages_are_text(void **state) {
  (void)state;
  mr_status status = mr_error(MR_INTERNAL, "a\x93\x01\n\xc3\xa9 %s \xe2\x82", "\xff");
  assert_string_equal(mr_status_message(status), "a??\n\xc3\xa9 ? ??");
  status = mr_status_note(status, "in \x80");
  assert_string_equal(mr_status_message(status), "in ?: a??\n\xc3\xa9 ? ??");
  mr_status_free(status);
}

// Payloads stay with an error through notes, newest first, and belong to each owner.
static void test_payloads(void **state) {
  (void)state;
  mr_status status = mr_error(MR_ABORTED, "no");
  mr_str key, value;
  assert_false(mr_status_payload(status, 0, &key, &value));
  status = mr_status_with_payload(status, MR_STR("first"), MR_STR("1"));
  status = mr_status_with_payload(status, MR_STR("second"), (mr_str){NULL, 0});
  mr_status other = mr_status_retain(status), noted = mr_status_note(status, "here");
  mr_status_free(other);
  assert_true(mr_status_payload(noted, 0, &key, &value));
  assert_true(mr_str_is(key, "second") && value.size == 0);
  assert_true(mr_status_payload(noted, 1, &key, &value));
  assert_true(mr_str_is(key, "first") && mr_str_is(value, "1"));
  assert_false(mr_status_payload(noted, 2, &key, &value));
  assert_false(mr_status_payload(MR_OK, 0, &key, &value));
  mr_status_free(noted);
}

// Codes print as PJRT spells them.
static void test_code_names(void **state) {
  (void)state;
  assert_string_equal(mr_status_code_name(MR_UNIMPLEMENTED), "UNIMPLEMENTED");
  assert_string_equal(mr_status_code_name((mr_code)99), "UNKNOWN");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_error_keeps_what_it_was_given),
      cmocka_unit_test(test_ok_is_accepted_everywhere),
      cmocka_unit_test(test_note_leaves_other_owners_alone),
      cmocka_unit_test(test_first_error_wins),
      cmocka_unit_test(test_error_without_memory),
      cmocka_unit_test(test_note_without_memory),
      cmocka_unit_test(test_payloads),
      cmocka_unit_test(test_code_names),
      cmocka_unit_test(test_messages_are_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
