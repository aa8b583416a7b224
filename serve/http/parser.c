// The head of an HTTP/1.1 request. Whatever two readers could understand differently (request smuggling) is refused, not repaired.
#include <string.h>

#include "serve/http/parser.h"

// ---- Characters -----------------------------------------------------------------------------------------------------

enum { TOKEN = 1, TARGET = 2, VALUE = 4, HOST = 8 };

// RFC 9110's token; visible ASCII; visible, blanks and bytes above ASCII; what a host with a port may have (RFC 3986).
#define OF_TOKEN(c)                                                                                                 \
  (((c) >= 'a' && (c) <= 'z') || ((c) >= 'A' && (c) <= 'Z') || ((c) >= '0' && (c) <= '9') || (c) == '!' ||          \
   (c) == '#' || (c) == '$' || (c) == '%' || (c) == '&' || (c) == '\'' || (c) == '*' || (c) == '+' || (c) == '-' || \
   (c) == '.' || (c) == '^' || (c) == '_' || (c) == '`' || (c) == '|' || (c) == '~')
#define OF_TARGET(c) ((c) > 0x20 && (c) < 0x7f && (c) != '#')
#define OF_VALUE(c) ((c) == '\t' || ((c) >= 0x20 && (c) != 0x7f))
#define OF_HOST(c)                                                                                                    \
  ((OF_TOKEN(c) && (c) != '#' && (c) != '^' && (c) != '`' && (c) != '|') || (c) == '(' || (c) == ')' || (c) == ',' || \
   (c) == ';' || (c) == '=' || (c) == ':' || (c) == '[' || (c) == ']')
#define CLASS(c) \
  ((OF_TOKEN(c) ? TOKEN : 0) | (OF_TARGET(c) ? TARGET : 0) | (OF_VALUE(c) ? VALUE : 0) | (OF_HOST(c) ? HOST : 0))
#define ROW4(c) CLASS(c), CLASS((c) + 1), CLASS((c) + 2), CLASS((c) + 3)
#define ROW16(c) ROW4(c), ROW4((c) + 4), ROW4((c) + 8), ROW4((c) + 12)
#define ROW64(c) ROW16(c), ROW16((c) + 16), ROW16((c) + 32), ROW16((c) + 48)
static const unsigned char classes[256] = {ROW64(0), ROW64(64), ROW64(128), ROW64(192)};

// Of the first character that is not of the class; size when all are.
static size_t span(sv_str text, unsigned class) {
  size_t i = 0;
  while (i < text.size && (classes[(unsigned char)text.data[i]] & class)) {
    i++;
  }
  return i;
}

static bool all_are(sv_str text, unsigned class) { return span(text, class) == text.size; }

static sv_str trim(sv_str text) {
  while (text.size && (text.data[0] == ' ' || text.data[0] == '\t')) {
    text.data++;
    text.size--;
  }
  while (text.size && (text.data[text.size - 1] == ' ' || text.data[text.size - 1] == '\t')) {
    text.size--;
  }
  return text;
}

static sv_fault fault(int status, const char *message) { return (sv_fault){status, message}; }

// ---- Where the head ends --------------------------------------------------------------------------------------------

static sv_fault too_large(const sv_head_scan *scan, size_t size) {
  if (scan->first_line ? scan->first_line > SV_REQUEST_LINE_BYTES : size > SV_REQUEST_LINE_BYTES) {
    return fault(414, "the request line is longer than 8192 bytes");
  }
  if (scan->lines > SV_MOST_FIELDS) {
    return fault(431, "the request has more than 100 header fields");
  }
  if (scan->first_line && size - scan->first_line > SV_FIELDS_BYTES) {
    return fault(431, "the request's header fields are longer than 65536 bytes");
  }
  return (sv_fault){0};
}

bool sv_head_find(const char *bytes, size_t size, sv_head_scan *scan, sv_fault *out_fault) {
  *out_fault = (sv_fault){0};
  const char *end = NULL;
  while (scan->scanned < size && (end = memchr(bytes + scan->scanned, '\n', size - scan->scanned))) {
    size_t at = (size_t)(end - bytes), begin = scan->line_begin;
    if (at == begin || bytes[at - 1] != '\r') {
      *out_fault = fault(400, "a line of the request's head ends without a carriage return; wanted CR LF");
      return false;
    }
    scan->scanned = scan->line_begin = at + 1;
    bool empty = at - begin == 1;
    if (!scan->first_line) {
      scan->first_line = at + 1;
      if (empty) {
        *out_fault = fault(400, "the request line is empty");
        return false;
      }
    } else if (!empty) {
      scan->lines++;
    }
    *out_fault = too_large(scan, at + 1);
    if (out_fault->status || empty) {
      return !out_fault->status;
    }
  }
  scan->scanned = size;
  *out_fault = too_large(scan, size);
  return false;
}

// ---- The request line -----------------------------------------------------------------------------------------------

static const struct {
  sv_str name;
  sv_method method;
} methods[] = {
    {{"GET", 3}, SV_GET},       {{"POST", 4}, SV_POST},       {{"HEAD", 4}, SV_HEAD},   {{"PUT", 3}, SV_PUT},
    {{"DELETE", 6}, SV_DELETE}, {{"OPTIONS", 7}, SV_OPTIONS}, {{"PATCH", 5}, SV_PATCH},
};

static sv_fault parse_method(sv_head *head) {
  if (sv_str_equal(head->method_text, SV_STR("TRACE")) || sv_str_equal(head->method_text, SV_STR("CONNECT"))) {
    return fault(405, "the methods TRACE and CONNECT are not served here");
  }
  head->method = SV_OTHER_METHOD;
  for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
    if (sv_str_equal(head->method_text, methods[i].name)) {
      head->method = methods[i].method;
      break;
    }
  }
  return (sv_fault){0};
}

static sv_fault parse_version(sv_str version, int *out_minor) {
  bool has_form = version.size == 8 && memcmp(version.data, "HTTP/", 5) == 0 && version.data[5] >= '0' &&
                  version.data[5] <= '9' && version.data[6] == '.' && version.data[7] >= '0' && version.data[7] <= '9';
  if (!has_form) {
    return fault(400, "the request line does not end with a version; wanted METHOD PATH HTTP/1.1");
  }
  if (version.data[5] != '1' || version.data[7] > '1') {
    return fault(505, "the request's version of HTTP is not served; wanted HTTP/1.1 or HTTP/1.0");
  }
  *out_minor = version.data[7] - '0';
  return (sv_fault){0};
}

// "/path?query", "http://host/path?query" as proxies send it, "*" with OPTIONS.
static sv_fault parse_target(sv_str target, sv_head *head) {
  if (!target.size || !all_are(target, TARGET)) {
    return fault(400, "the request's path has a character that must be percent-encoded, or is empty");
  }
  if (target.data[0] != '/') {
    if (head->method == SV_OPTIONS && sv_str_equal(target, SV_STR("*"))) {
      head->path = target;
      return (sv_fault){0};
    }
    size_t scheme = target.size > 8 && sv_str_is_nocase((sv_str){target.data, 7}, "http://")    ? 7
                    : target.size > 9 && sv_str_is_nocase((sv_str){target.data, 8}, "https://") ? 8
                                                                                                : 0;
    const char *slash = scheme ? memchr(target.data + scheme, '/', target.size - scheme) : NULL;
    if (!slash || slash == target.data + scheme) {
      return fault(400, "the request's path does not begin with a slash");
    }
    target = (sv_str){slash, (size_t)(target.data + target.size - slash)};
  }
  const char *mark = memchr(target.data, '?', target.size);
  head->path = target;
  if (mark) {
    head->path.size = (size_t)(mark - target.data);
    head->query = (sv_str){mark + 1, target.size - head->path.size - 1};
  }
  return (sv_fault){0};
}

static sv_fault parse_request_line(sv_str line, sv_head *head) {
  size_t size = span(line, TOKEN);
  if (size == 0 || size == line.size || line.data[size] != ' ') {
    return fault(400, "the request line has no method; wanted METHOD PATH HTTP/1.1");
  }
  head->method_text = (sv_str){line.data, size};
  sv_str rest = {line.data + size + 1, line.size - size - 1};
  const char *space = memrchr(rest.data, ' ', rest.size);
  if (!space) {
    return fault(400, "the request line has no version; wanted METHOD PATH HTTP/1.1");
  }
  sv_str target = {rest.data, (size_t)(space - rest.data)};
  sv_fault wrong = parse_version((sv_str){space + 1, rest.size - target.size - 1}, &head->minor);
  if (!wrong.status) {
    wrong = parse_method(head);
  }
  return wrong.status ? wrong : parse_target(target, head);
}

// ---- Fields that HTTP itself understands ----------------------------------------------------------------------------

// What was seen so far, for what may come once.
typedef struct fields_seen {
  bool host, transfer_encoding, content_encoding, close, keep_alive;
} fields_seen;

static sv_fault take_number(sv_str value, const char *message, int64_t *inout_number) {
  uint64_t number = 0;
  if (!sv_str_number(value, INT64_MAX, &number) || (*inout_number >= 0 && *inout_number != (int64_t)number)) {
    return fault(400, message);
  }
  *inout_number = (int64_t)number;
  return (sv_fault){0};
}

static sv_fault take_host(sv_str value, sv_head *head, fields_seen *seen) {
  if (seen->host) {
    return fault(400, "the request has more than one Host");
  }
  seen->host = true;
  head->host = value;
  return all_are(value, HOST) ? (sv_fault){0} : fault(400, "the request's Host is not a host with a port");
}

static sv_fault take_transfer_encoding(sv_str value, sv_head *head, fields_seen *seen) {
  if (seen->transfer_encoding) {
    return fault(400, "the request has more than one Transfer-Encoding");
  }
  seen->transfer_encoding = head->chunked = true;
  if (!sv_str_is_nocase(value, "chunked")) {
    return fault(501, "the request's Transfer-Encoding is not served; wanted chunked");
  }
  return (sv_fault){0};
}

static sv_fault take_content_encoding(sv_str value, sv_head *head, fields_seen *seen) {
  if (sv_str_is_nocase(value, "gzip") || sv_str_is_nocase(value, "x-gzip")) {
    head->coding = SV_GZIP;
  } else if (sv_str_is_nocase(value, "deflate")) {
    head->coding = SV_DEFLATE;
  } else if (!sv_str_is_nocase(value, "identity") && value.size) {
    return fault(415, "the request's Content-Encoding is not served; wanted gzip, deflate or identity");
  }
  if (seen->content_encoding) {
    return fault(415, "the request has more than one Content-Encoding");
  }
  seen->content_encoding = true;
  return (sv_fault){0};
}

static void take_connection(sv_str value, fields_seen *seen) {
  while (value.size) {
    const char *comma = memchr(value.data, ',', value.size);
    size_t size = comma ? (size_t)(comma - value.data) : value.size;
    sv_str token = trim((sv_str){value.data, size});
    seen->close |= sv_str_is_nocase(token, "close");
    seen->keep_alive |= sv_str_is_nocase(token, "keep-alive");
    size += comma != NULL;
    value = (sv_str){value.data + size, value.size - size};
  }
}

static sv_fault take_expect(sv_str value, sv_head *head) {
  head->expects_continue = true;
  return sv_str_is_nocase(value, "100-continue")
             ? (sv_fault){0}
             : fault(417, "what the request's Expect asks for is not known; wanted 100-continue");
}

static bool is_named(const sv_field *field, const char *name) { return sv_str_is_nocase(field->name, name); }

// By the length of the name first: most fields are none of these.
static sv_fault take_field(const sv_field *field, sv_head *head, fields_seen *seen) {
  switch (field->name.size) {
  case 4: return is_named(field, "Host") ? take_host(field->value, head, seen) : (sv_fault){0};
  case 6: return is_named(field, "Expect") ? take_expect(field->value, head) : (sv_fault){0};
  case 10:
    if (is_named(field, "Connection")) {
      take_connection(field->value, seen);
    } else if (is_named(field, "User-Agent")) {
      head->user_agent = field->value;
    }
    return (sv_fault){0};
  case 11:
    if (is_named(field, "traceparent")) {
      head->traceparent = field->value;
    }
    return (sv_fault){0};
  case 14:
    return is_named(field, "Content-Length")
               ? take_number(field->value, "the request's Content-Length is not one decimal number of bytes",
                             &head->content_length)
               : (sv_fault){0};
  case 15:
    if (is_named(field, "Accept-Encoding") && !head->has_accept_encoding) {
      head->accept_encoding = field->value;
      head->has_accept_encoding = true;
    }
    return (sv_fault){0};
  case 16: return is_named(field, "Content-Encoding") ? take_content_encoding(field->value, head, seen) : (sv_fault){0};
  case 17:
    return is_named(field, "Transfer-Encoding") ? take_transfer_encoding(field->value, head, seen) : (sv_fault){0};
  case 31:
    return is_named(field, "Inference-Header-Content-Length")
               ? take_number(field->value,
                             "the request's Inference-Header-Content-Length is not one decimal number of bytes",
                             &head->json_size)
               : (sv_fault){0};
  default: return (sv_fault){0};
  }
}

// What only the whole head shows.
static sv_fault check_together(sv_head *head, const fields_seen *seen) {
  if (head->minor == 1 && !seen->host) {
    return fault(400, "a request of HTTP/1.1 needs a Host");
  }
  if (head->chunked && head->content_length >= 0) {
    return fault(400, "the request has both Content-Length and Transfer-Encoding");
  }
  if (head->chunked && head->minor == 0) {
    return fault(400, "a request of HTTP/1.0 has no Transfer-Encoding");
  }
  head->keep_alive = !seen->close && (head->minor == 1 || seen->keep_alive);
  head->expects_continue &= head->minor == 1;
  return (sv_fault){0};
}

// ---- The head -------------------------------------------------------------------------------------------------------

// `line` without its CR LF.
static sv_fault parse_field(sv_str line, sv_field *out_field) {
  if (line.data[0] == ' ' || line.data[0] == '\t') {
    return fault(400, "a header field is folded over several lines");
  }
  size_t size = span(line, TOKEN);
  if (size == 0 || size == line.size || line.data[size] != ':') {
    return fault(400, "a header field's name is empty, has a character that names do not have, or no colon behind it");
  }
  out_field->name = (sv_str){line.data, size};
  out_field->value = trim((sv_str){line.data + size + 1, line.size - size - 1});
  if (!all_are(out_field->value, VALUE)) {
    return fault(400, "a header field's value has a control character");
  }
  return (sv_fault){0};
}

sv_fault sv_head_parse(sv_str text, size_t first_line, sv_field *fields, size_t room, sv_head *out_head) {
  *out_head = (sv_head){.content_length = -1, .json_size = -1};
  sv_fault wrong = parse_request_line((sv_str){text.data, first_line - 2}, out_head);
  fields_seen seen = {0};
  const char *at = text.data + first_line, *end = text.data + text.size - 2;
  while (!wrong.status && at < end) {
    const char *line_end = memchr(at, '\n', (size_t)(end - at));  // it is there: sv_head_find() saw it
    if (!line_end || out_head->num_fields == room) {
      return fault(400, "the request's header fields are not whole lines");
    }
    sv_field *field = &fields[out_head->num_fields++];
    wrong = parse_field((sv_str){at, (size_t)(line_end - at) - 1}, field);
    if (!wrong.status) {
      wrong = take_field(field, out_head, &seen);
    }
    at = line_end + 1;
  }
  return wrong.status ? wrong : check_together(out_head, &seen);
}
