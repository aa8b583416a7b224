// The wire format of Protocol Buffers.
#include "tests/serve/check.h"

#include "serve/grpc/wire.h"

#define BYTES(text) ((sv_str){"" text, sizeof(text) - 1})

static void test_reads_fields(void **state) {
  (void)state;
  sv_wire wire;
  sv_wire_field field;
  sv_wire_begin(
      &wire, BYTES("\x08\x96\x01\x12\x03\x61\x62\x63\x1d\x01\x00\x00\x80\x21\x01\x02\x03\x04\x05\x06\x07\x08\x12\x00"));
  assert_true(sv_wire_next(&wire, &field));
  assert_int_equal(field.number, 1);
  assert_int_equal(field.value, 150);
  assert_true(sv_wire_next(&wire, &field));
  assert_true(field.number == 2 && sv_str_is(field.bytes, "abc"));
  assert_true(sv_wire_next(&wire, &field));
  assert_true(field.number == 3 && field.type == SV_WIRE_FIXED32 && field.value == 0x80000001u);
  assert_true(sv_wire_next(&wire, &field));
  assert_true(field.number == 4 && field.type == SV_WIRE_FIXED64 && field.value == 0x0807060504030201u);
  assert_true(sv_wire_next(&wire, &field));
  assert_true(field.number == 2 && field.bytes.size == 0);
  assert_false(sv_wire_next(&wire, &field));
  assert_false(wire.bad);
  // int64 -1 takes ten bytes.
  sv_wire_begin(&wire, BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"));
  assert_true(sv_wire_next(&wire, &field));
  assert_true((int64_t)field.value == -1);
}

static void test_refuses_what_is_wrong(void **state) {
  (void)state;
  const sv_str wrong[] = {
      BYTES("\x08"),                                              // no value
      BYTES("\x08\x80"),                                          // a number that does not end
      BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),  // eleven bytes
      BYTES("\x12\x05\x61"),                                      // longer than the message
      BYTES("\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),      // much longer
      BYTES("\x1d\x01\x02"),
      BYTES("\x21\x01"),  // fixed numbers cut off
      BYTES("\x0b"),
      BYTES("\x0c"),  // groups
      BYTES("\x0e"),
      BYTES("\x0f"),                      // types that there are not
      BYTES("\x00\x01"),                  // field 0
      BYTES("\xf8\xff\xff\xff\x7f\x01"),  // a field beyond 2^29 - 1
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    sv_wire wire;
    sv_wire_field field;
    sv_wire_begin(&wire, wrong[i]);
    while (sv_wire_next(&wire, &field)) {
    }
    assert_true(wire.bad);
  }
}

static void test_entries(void **state) {
  (void)state;
  sv_str key, value;
  assert_true(sv_wire_entry(BYTES("\x0a\x01k\x12\x01v"), &key, &value));
  assert_true(sv_str_is(key, "k") && sv_str_is(value, "v"));
  assert_true(sv_wire_entry(BYTES("\x12\x01v\x18\x05"), &key, &value));
  assert_true(key.size == 0 && sv_str_is(value, "v"));
  assert_true(sv_wire_entry(BYTES(""), &key, &value));
  assert_true(key.size == 0 && value.size == 0);
  assert_false(sv_wire_entry(BYTES("\x08\x01"), &key, &value));
  assert_false(sv_wire_entry(BYTES("\x0a\x09k"), &key, &value));
}

static void test_finds_in_a_beginning(void **state) {
  (void)state;
  const sv_str whole = BYTES("\x0a\x03"
                             "abc"
                             "\x10\x96\x01"
                             "\x1d"
                             "1234"
                             "\x21"
                             "12345678"
                             "\x3a\xc8\x01"
                             "raw");
  const size_t at = whole.size - 3;
  for (size_t size = 0; size <= whole.size; size++) {
    assert_int_equal(sv_wire_find((sv_str){whole.data, size}, 7), size >= at ? at : 0);
  }
  assert_int_equal(sv_wire_find(whole, 5), 0);
  assert_int_equal(sv_wire_find(BYTES("\x0b\x3a\x01z"), 7), 0);
}

// What is written is read again; lengths of messages within grow where they must.
static void test_writes(void **state) {
  (void)state;
  const size_t sizes[] = {0, 1, 100, 127, 128, 16383, 16384, 2100000};
  static char content[2100000];
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    sv_text out = {0};
    size_t outer = sv_wire_put_begin(&out, 5);
    size_t inner = sv_wire_put_begin(&out, 1000);
    sv_text_add(&out, content, sizes[i]);
    sv_wire_put_end(&out, inner);
    sv_wire_put_end(&out, outer);
    sv_wire_put_uint(&out, 7, UINT64_MAX);
    sv_wire_put_uint(&out, 8, 0);                // left out
    sv_wire_put_str(&out, 9, (sv_str){0});       // left out
    sv_wire_put_element(&out, 10, (sv_str){0});  // there
    sv_wire_put_ints(&out, 11, (int64_t[]){-1, 300}, 2);
    sv_wire wire;
    sv_wire_field field;
    sv_wire_begin(&wire, sv_text_str(&out));
    assert_true(sv_wire_next(&wire, &field) && field.number == 5);
    sv_wire within;
    sv_wire_field part;
    sv_wire_begin(&within, field.bytes);
    assert_true(sv_wire_next(&within, &part) && part.number == 1000 && part.bytes.size == sizes[i]);
    assert_true(!sv_wire_next(&within, &part) && !within.bad);
    assert_true(sv_wire_next(&wire, &field) && field.number == 7 && field.value == UINT64_MAX);
    assert_true(sv_wire_next(&wire, &field) && field.number == 10 && field.bytes.size == 0);
    assert_true(sv_wire_next(&wire, &field) && field.number == 11);
    uint64_t value;
    sv_wire_begin(&within, field.bytes);
    assert_true(sv_wire_packed(&within, SV_WIRE_VARINT, &value) && (int64_t)value == -1);
    assert_true(sv_wire_packed(&within, SV_WIRE_VARINT, &value) && value == 300);
    assert_false(sv_wire_packed(&within, SV_WIRE_VARINT, &value));
    assert_true(!sv_wire_next(&wire, &field) && !wire.bad);
    sv_text_free(&out);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reads_fields), cmocka_unit_test(test_refuses_what_is_wrong),
      cmocka_unit_test(test_entries),      cmocka_unit_test(test_finds_in_a_beginning),
      cmocka_unit_test(test_writes),
  };
  return check_run(tests);
}
