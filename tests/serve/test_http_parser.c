// The head of a request, the chunked coding and Accept-Encoding: what is taken, what is refused and how.
#include "tests/serve/check.h"

#include <stdlib.h>

#include "serve/http/parser.h"

#define H "Host: x\r\n"

typedef struct parsed {
  bool complete;
  sv_fault fault;
  sv_head head;
  sv_field fields[SV_MOST_FIELDS];
} parsed;

static void parse(const char *text, size_t size, parsed *out) {
  sv_head_scan scan = {0};
  *out = (parsed){0};
  out->complete = sv_head_find(text, size, &scan, &out->fault);
  if (out->complete) {
    out->fault = sv_head_parse((sv_str){text, scan.scanned}, scan.first_line, out->fields, scan.lines, &out->head);
  }
}

// The status for whole text; 0: taken; -1: more is wanted.
static int status_of(const char *text, size_t size) {
  parsed result;
  parse(text, size, &result);
  return result.fault.status ? result.fault.status : result.complete ? 0 : -1;
}

#define TEXT(literal) literal, sizeof(literal) - 1

static const struct {
  const char *text;
  size_t size;
  int status;
} table_cases[] = {
    {TEXT("GET / HTTP/1.1\r\n" H "\r\n"), 0},
    {TEXT("GET / HTTP/1.0\r\n\r\n"), 0},
    {TEXT("GET / HTTP/1.1\r\n" H), -1},
    {TEXT("G"), -1},
    {TEXT("GET http://host:1/path HTTP/1.1\r\n" H "\r\n"), 0},
    {TEXT("OPTIONS * HTTP/1.1\r\n" H "\r\n"), 0},
    {TEXT("BREW /pot HTTP/1.1\r\n" H "\r\n"), 0},
    {TEXT("POST / HTTP/1.1\r\n" H "Content-Length: 5\r\nContent-Length: 5\r\n\r\n"), 0},
    {TEXT("POST / HTTP/1.1\r\n" H "transfer-encoding: CHUNKED\r\n\r\n"), 0},
    {TEXT("GET / HTTP/1.1\r\n" H "X:\r\nY: \t a\xc3\xa9 b\t \r\n\r\n"), 0},
    // The smuggling list.
    {TEXT("POST / HTTP/1.1\r\n" H "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"), 400},
    {TEXT("POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"), 400},
    {TEXT("POST / HTTP/1.1\r\n" H "Content-Length: 5\r\nContent-Length: 6\r\n\r\n"), 400},
    {TEXT("POST / HTTP/1.1\r\n" H "Content-Length: 5, 5\r\n\r\n"), 400},
    {TEXT("POST / HTTP/1.1\r\n" H "Content-Length: +5\r\n\r\n"), 400},
    {TEXT("POST / HTTP/1.1\r\n" H "Content-Length: -5\r\n\r\n"), 400},
    {TEXT("POST / HTTP/1.1\r\n" H "Content-Length: 0x5\r\n\r\n"), 400},
    {TEXT("POST / HTTP/1.1\r\n" H "Content-Length: 5 5\r\n\r\n"), 400},
    {TEXT("POST / HTTP/1.1\r\n" H "Content-Length: 5.0\r\n\r\n"), 400},
    {TEXT("POST / HTTP/1.1\r\n" H "Content-Length:\r\n\r\n"), 400},
    {TEXT("POST / HTTP/1.1\r\n" H "Content-Length: 99999999999999999999\r\n\r\n"), 400},
    {TEXT("POST / HTTP/1.1\r\n" H "Content-Length: 18446744073709551621\r\n\r\n"), 400},
    {TEXT("POST / HTTP/1.1\r\n" H "Inference-Header-Content-Length: +1\r\n\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\n" H "X: a\r\n b\r\n\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\n" H "X: a\r\n\tb\r\n\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\n X: a\r\n" H "\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\n" H "X : a\r\n\r\n"), 400},
    {TEXT("POST / HTTP/1.1\r\n" H "Content-Length : 5\r\n\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\n" H "X\r\n\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\n" H ": a\r\n\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\n" H "X: a\rb\r\n\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\n" H "X: a\r\r\n\r\n"), 400},
    {TEXT("GET / HTTP/1.1\n" H "\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\nHost: x\n\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\n" H "\n"), 400},
    {TEXT("GET / HTTP/1.1\r\n" H "X: a\0b\r\n\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\n" H "X: a\x01\r\n\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\n" H "X: a\x7f\r\n\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\n" H "X\xc3: a\r\n\r\n"), 400},
    {TEXT("POST / HTTP/1.1\r\n" H "Transfer-Encoding: gzip, chunked\r\n\r\n"), 501},
    {TEXT("POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked, chunked\r\n\r\n"), 501},
    {TEXT("POST / HTTP/1.1\r\n" H "Transfer-Encoding: xchunked\r\n\r\n"), 501},
    {TEXT("POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked;q=1\r\n\r\n"), 501},
    {TEXT("POST / HTTP/1.1\r\n" H "Transfer-Encoding: identity\r\n\r\n"), 501},
    {TEXT("POST / HTTP/1.1\r\n" H "Transfer-Encoding:\r\n\r\n"), 501},
    {TEXT("POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"), 400},
    {TEXT("POST / HTTP/1.1\r\n" H "Transfer-Encoding: \x0b"
          "chunked\r\n\r\n"),
     400},
    {TEXT("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\n\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\n" H H "\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\nHost: a b\r\n\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"), 400},
    {TEXT("GET / HTTP/1.1\r\nHost: a@b\r\n\r\n"), 400},
    {TEXT("GET / HTTP/2.0\r\n" H "\r\n"), 505},
    {TEXT("GET / HTTP/1.2\r\n" H "\r\n"), 505},
    {TEXT("GET / HTTP/0.9\r\n" H "\r\n"), 505},
    {TEXT("PRI * HTTP/2.0\r\n\r\n"), 505},
    {TEXT("GET / HTTP/1.10\r\n" H "\r\n"), 400},
    {TEXT("GET / http/1.1\r\n" H "\r\n"), 400},
    {TEXT("GET / HTTP/1.1 \r\n" H "\r\n"), 400},
    {TEXT("GET /\r\n" H "\r\n"), 400},
    {TEXT("GET\r\n" H "\r\n"), 400},
    {TEXT("\r\n"), 400},
    {TEXT(" GET / HTTP/1.1\r\n" H "\r\n"), 400},
    {TEXT("GET  / HTTP/1.1\r\n" H "\r\n"), 400},
    {TEXT("GET /  HTTP/1.1\r\n" H "\r\n"), 400},
    {TEXT("GET\t/ HTTP/1.1\r\n" H "\r\n"), 400},
    {TEXT("GET /a b HTTP/1.1\r\n" H "\r\n"), 400},
    {TEXT("GET /\x01 HTTP/1.1\r\n" H "\r\n"), 400},
    {TEXT("GET /\xff HTTP/1.1\r\n" H "\r\n"), 400},
    {TEXT("GET /a#b HTTP/1.1\r\n" H "\r\n"), 400},
    {TEXT("GET path HTTP/1.1\r\n" H "\r\n"), 400},
    {TEXT("GET * HTTP/1.1\r\n" H "\r\n"), 400},
    {TEXT("GET http:///x HTTP/1.1\r\n" H "\r\n"), 400},
    {TEXT("G(T / HTTP/1.1\r\n" H "\r\n"), 400},
    {TEXT("TRACE / HTTP/1.1\r\n" H "\r\n"), 405},
    {TEXT("CONNECT host:443 HTTP/1.1\r\n" H "\r\n"), 405},
    {TEXT("POST / HTTP/1.1\r\n" H "Content-Encoding: br\r\n\r\n"), 415},
    {TEXT("POST / HTTP/1.1\r\n" H "Content-Encoding: gzip, gzip\r\n\r\n"), 415},
    {TEXT("POST / HTTP/1.1\r\n" H "Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n\r\n"), 415},
    {TEXT("POST / HTTP/1.1\r\n" H "Expect: 200-ok\r\n\r\n"), 417},
};

// Every request of the list has the status beside it; those with a status say why.
static void test_table(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof table_cases / sizeof table_cases[0]; i++) {
    char *exact = malloc(table_cases[i].size);  // so that a sanitizer sees a byte too many
    memcpy(exact, table_cases[i].text, table_cases[i].size);
    int status = status_of(exact, table_cases[i].size);
    if (status != table_cases[i].status) {
      printf("%zu: wanted %d, got %d for:\n%s\n", i, table_cases[i].status, status, table_cases[i].text);
    }
    assert_int_equal(status, table_cases[i].status);
    free(exact);
  }
}

static bool is(sv_str text, const char *wanted) { return sv_str_is(text, wanted); }

// What HTTP understands of a head is in its place.
static void test_parts(void **state) {
  (void)state;
  parsed r;
  parse(TEXT("POST http://h:1/v2/m/infer?a=b?c HTTP/1.1\r\nhOST: h:1\r\nCONTENT-LENGTH: 0042\r\nuser-agent:  me/1 \r\n"
             "Inference-Header-Content-Length: 7\r\ncontent-encoding: x-gzip\r\nAccept-Encoding: gzip\r\n"
             "traceparent: 00-x\r\nexpect: 100-Continue\r\nX-Y: z\r\n\r\nrest"),
        &r);
  assert_true(r.complete);
  assert_int_equal(r.fault.status, 0);
  assert_int_equal(r.head.method, SV_POST);
  assert_true(is(r.head.path, "/v2/m/infer") && is(r.head.query, "a=b?c") && is(r.head.host, "h:1"));
  assert_int_equal(r.head.content_length, 42);
  assert_int_equal(r.head.json_size, 7);
  assert_int_equal(r.head.coding, SV_GZIP);
  assert_true(is(r.head.user_agent, "me/1") && is(r.head.accept_encoding, "gzip") && is(r.head.traceparent, "00-x"));
  assert_true(r.head.expects_continue && r.head.keep_alive && !r.head.chunked);
  assert_int_equal(r.head.num_fields, 9);
  assert_true(is(r.fields[8].name, "X-Y") && is(r.fields[8].value, "z"));
  sv_http_request request = {.fields = r.fields, .num_fields = r.head.num_fields};
  assert_true(is(sv_http_field(&request, "USER-agent"), "me/1"));
  assert_int_equal(sv_http_field(&request, "nothing").size, 0);
}

static int status_of_text(sv_text *text) {
  assert_false(text->failed);
  int status = status_of(text->data, text->size);
  sv_text_free(text);
  return status;
}

static void add_many(sv_text *text, char c, size_t count) {
  for (size_t i = 0; i < count; i++) {
    sv_text_putc(text, c);
  }
}

// Just within each limit is taken, just beyond is refused, also before the head is whole.
static void test_limits(void **state) {
  (void)state;
  for (int beyond = 0; beyond < 2; beyond++) {
    sv_text line = {0};
    sv_text_puts(&line, "GET /");
    add_many(&line, 'a', 8192 - 16 + (size_t)beyond);
    sv_text_puts(&line, " HTTP/1.1\r\n" H "\r\n");
    assert_int_equal(status_of_text(&line), beyond ? 414 : 0);

    sv_text fields = {0};
    sv_text_puts(&fields, "GET / HTTP/1.1\r\n" H);
    for (int i = 0; i < 99 + beyond; i++) {
      sv_text_addf(&fields, "X-%d: %d\r\n", i, i);
    }
    sv_text_puts(&fields, "\r\n");
    assert_int_equal(status_of_text(&fields), beyond ? 431 : 0);

    sv_text bytes = {0};
    sv_text_puts(&bytes, "GET / HTTP/1.1\r\n" H "X: ");
    add_many(&bytes, 'a', 65536 - 9 - 3 - 4 + (size_t)beyond);
    sv_text_puts(&bytes, "\r\n\r\n");
    assert_int_equal(status_of_text(&bytes), beyond ? 431 : 0);

    sv_text endless = {0};
    add_many(&endless, 'a', 8192 + (size_t)beyond);
    assert_int_equal(status_of_text(&endless), beyond ? 414 : -1);
  }
  sv_text endless = {0};
  sv_text_puts(&endless, "GET / HTTP/1.1\r\nX: ");
  add_many(&endless, 'a', 65536);
  assert_int_equal(status_of_text(&endless), 431);
}

// A head that comes byte by byte ends at the same place, with the same fault.
static void test_incremental(void **state) {
  (void)state;
  static const char text[] = "GET /x HTTP/1.1\r\n" H "A: b\r\n\r\n";
  sv_head_scan scan = {0};
  sv_fault fault;
  for (size_t size = 0; size < sizeof text - 1; size++) {
    assert_false(sv_head_find(text, size, &scan, &fault));
    assert_int_equal(fault.status, 0);
  }
  assert_true(sv_head_find(text, sizeof text - 1, &scan, &fault));
  assert_int_equal(scan.scanned, sizeof text - 1);
  assert_int_equal(scan.first_line, 17);
  assert_int_equal(scan.lines, 2);
}

// Decodes all of it in steps of so many bytes: the status of a fault, 0 when it is over, -1 when more is wanted.
static int decode(const char *text, size_t size, size_t step, sv_text *out, size_t *out_taken) {
  sv_chunked chunked = {0};
  size_t at = 0;
  while (at < size) {
    size_t part = size - at < step ? size - at : step, taken = 0;
    sv_str data;
    sv_fault fault = {0};
    sv_chunked_result result = sv_chunked_next(&chunked, text + at, part, &taken, &data, &fault);
    assert_true(taken <= part);
    at += taken;
    sv_text_add_str(out, data);
    if (result == SV_CHUNKED_DONE) {
      *out_taken = at;
      return 0;
    }
    if (result == SV_CHUNKED_BAD) {
      assert_int_not_equal(fault.status, 0);
      return fault.status;
    }
    assert_true(taken > 0);
  }
  return -1;
}

// Chunks give the same content however they are split; what is no chunk is refused.
static void test_chunked(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t size;
    int status;
    const char *content;
    size_t rest;
  } cases[] = {
      {TEXT("0\r\n\r\n"), 0, "", 0},
      {TEXT("3\r\nabc\r\n0\r\n\r\nGET"), 0, "abc", 3},
      {TEXT("0003;x=\"y\"\r\nabc\r\nA\r\n0123456789\r\na;b\r\n9876543210\r\n000\r\n\r\n"), 0, "abc01234567899876543210",
       0},
      {TEXT("1\r\na\r\n0\r\nTrailer: x\r\nOther: y\r\n\r\n"), 0, "a", 0},
      {TEXT("1\r\na\r\n0\r\n"), -1, "a", 0},
      {TEXT("5\r\nab"), -1, "ab", 0},
      {TEXT("\r\n"), 400, "", 0},
      {TEXT("g\r\n"), 400, "", 0},
      {TEXT("+1\r\na\r\n0\r\n\r\n"), 400, "", 0},
      {TEXT("0x1\r\na\r\n0\r\n\r\n"), 400, "", 0},
      {TEXT(" 1\r\na\r\n0\r\n\r\n"), 400, "", 0},
      {TEXT("1 \r\na\r\n0\r\n\r\n"), 400, "", 0},
      {TEXT("1\na\r\n0\r\n\r\n"), 400, "", 0},
      {TEXT("1\rxa\r\n0\r\n\r\n"), 400, "", 0},
      {TEXT("1\r\nab\r\n0\r\n\r\n"), 400, "a", 0},
      {TEXT("1\r\na\n0\r\n\r\n"), 400, "a", 0},
      {TEXT("1;a\nb\r\na\r\n0\r\n\r\n"), 400, "", 0},
      {TEXT("1;a\0b\r\na\r\n0\r\n\r\n"), 400, "", 0},
      {TEXT("-1\r\n"), 400, "", 0},
      {TEXT("1000000000000000\r\n"), 400, "", 0},
      {TEXT("0\r\n folded\r\n\r\n"), 400, "", 0},
      {TEXT("0\r\nX: \n\r\n"), 400, "", 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    for (size_t step = 1; step < 8; step++) {
      sv_text out = {0};
      size_t taken = cases[i].size;
      int status = decode(cases[i].text, cases[i].size, step, &out, &taken);
      if (status != cases[i].status) {
        printf("%zu, steps of %zu: wanted %d, got %d for:\n%s\n", i, step, cases[i].status, status, cases[i].text);
      }
      assert_int_equal(status, cases[i].status);
      assert_true(sv_str_is(sv_text_str(&out), cases[i].content));
      assert_int_equal(cases[i].size - taken, cases[i].rest);
      sv_text_free(&out);
    }
  }
}

// The line of a size and the trailers have an end.
static void test_chunked_limits(void **state) {
  (void)state;
  sv_text text = {0}, out = {0};
  size_t taken = 0;
  sv_text_puts(&text, "1;");
  add_many(&text, 'x', 1025);
  assert_int_equal(decode(text.data, text.size, text.size, &out, &taken), 400);
  sv_text_clear(&text);
  sv_text_puts(&text, "0\r\nX: ");
  add_many(&text, 'x', 8193);
  assert_int_equal(decode(text.data, text.size, text.size, &out, &taken), 431);
  sv_text_clear(&text);
  sv_text_puts(&text, "0\r\n");
  for (int i = 0; i < 3000; i++) {
    sv_text_puts(&text, "X:\r\n");
  }
  assert_int_equal(decode(text.data, text.size, text.size, &out, &taken), 431);
  sv_text_free(&text);
  sv_text_free(&out);
}

// By the largest q; what is not said is identity.
static void test_accept_encoding(void **state) {
  (void)state;
  static const struct {
    const char *text;
    sv_coding coding;
  } cases[] = {
      {"", SV_IDENTITY},
      {"gzip", SV_GZIP},
      {"GZip, deflate", SV_GZIP},
      {"deflate", SV_DEFLATE},
      {"deflate;q=0.5, gzip;q=0.4", SV_DEFLATE},
      {"deflate; q=0.5 , gzip ;q=0.501", SV_GZIP},
      {"gzip;q=0", SV_IDENTITY},
      {"gzip;q=0, *", SV_DEFLATE},
      {"*", SV_GZIP},
      {"*;q=0", SV_IDENTITY},
      {"br, zstd", SV_IDENTITY},
      {"br;q=1.0, gzip;q=0.8, *;q=0.1", SV_GZIP},
      {"identity, gzip;q=0.5", SV_IDENTITY},
      {"identity;q=0.5, gzip;q=1.0", SV_GZIP},
      {"identity;q=0, deflate;q=0.001", SV_DEFLATE},
      {"gzip;q=x", SV_IDENTITY},
      {"gzip;q=2", SV_IDENTITY},
      {"gzip;q=0.1234", SV_IDENTITY},
      {",,;,gzip,", SV_GZIP},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    if (sv_accept_coding(sv_str_of(cases[i].text)) != cases[i].coding) {
      printf("%s\n", cases[i].text);
    }
    assert_int_equal(sv_accept_coding(sv_str_of(cases[i].text)), cases[i].coding);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table),           cmocka_unit_test(test_parts),   cmocka_unit_test(test_limits),
      cmocka_unit_test(test_incremental),     cmocka_unit_test(test_chunked), cmocka_unit_test(test_chunked_limits),
      cmocka_unit_test(test_accept_encoding),
  };
  return check_run(tests);
}
