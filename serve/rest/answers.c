// Answers, JSON members, and bodies of small requests.
#include "serve/rest/answers.h"

void sv_rest_answer_nothing(sv_exchange *exchange) {
  sv_exchange_answer(exchange, &(sv_answer){.status = 200, .json_size = -1});
}

void sv_rest_answer_text(sv_exchange *exchange, const char *content_type, const char *headers) {
  const sv_text *text = sv_exchange_text(exchange);
  if (text->failed) {
    sv_exchange_fail(exchange, sv_no_memory());
    return;
  }
  sv_piece piece = {text->data, text->size};
  sv_exchange_answer(exchange, &(sv_answer){.status = 200,
                                            .content_type = content_type,
                                            .json_size = -1,
                                            .headers = headers,
                                            .plain = true,
                                            .pieces = &piece,
                                            .num_pieces = 1});
}

void sv_rest_answer_json(sv_exchange *exchange) { sv_rest_answer_text(exchange, "application/json", NULL); }

void sv_rest_not_done(sv_exchange *exchange, const char *what) {
  sv_exchange_fail(exchange, sv_errorf(MILLRACE_UNIMPLEMENTED, "%s is not implemented by this server", what));
}

void sv_rest_put_name(sv_text *out, const char *name) {
  bool first = out->size == 0 || out->data[out->size - 1] == '{';
  sv_text_puts(out, first ? "\"" : ",\"");
  sv_text_puts(out, name);
  sv_text_puts(out, "\":");
}

void sv_rest_put_text(sv_text *out, const char *name, sv_str value) {
  sv_rest_put_name(out, name);
  sv_json_put_string(out, value.size ? value : SV_STR(""));  // never a NULL
}

void sv_rest_put_number(sv_text *out, const char *name, uint64_t value) {
  sv_rest_put_name(out, name);
  sv_text_add_uint(out, value);
}

void sv_rest_put_bool(sv_text *out, const char *name, bool value) {
  sv_rest_put_name(out, name);
  sv_text_puts(out, value ? "true" : "false");
}

static sv_error *read_members(sv_json *json, sv_error *(*member)(void *argument, sv_str name, sv_json *json),
                              void *argument) {
  SV_TRY(sv_json_object(json));
  while (true) {
    bool more;
    sv_str name;
    SV_TRY(sv_json_member(json, &more, &name));
    if (!more) {
      return sv_json_end(json);
    }
    SV_TRY(member(argument, name, json));
  }
}

static bool is_blank(sv_str text) {
  for (size_t i = 0; i < text.size; i++) {
    if (text.data[i] != ' ' && text.data[i] != '\t' && text.data[i] != '\r' && text.data[i] != '\n') {
      return false;
    }
  }
  return true;
}

sv_error *sv_rest_read_object(sv_str body, sv_error *(*member)(void *argument, sv_str name, sv_json *json),
                              void *argument) {
  if (is_blank(body)) {
    return NULL;
  }
  sv_text scratch = {0};
  sv_json json;
  sv_json_begin(&json, body, &scratch);
  sv_error *error = read_members(&json, member, argument);
  sv_text_free(&scratch);
  return error;
}
