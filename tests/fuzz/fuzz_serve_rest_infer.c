// POST .../infer and :predict with any body: one answer, whose JSON can be read when it is a success, and nothing kept.
//
// The first byte chooses the door and the model; then two bytes: how much of the body is JSON (65535: all of it, without the header).
#include <stdlib.h>
#include <string.h>

#include "serve/json/json.h"
#include "tests/serve/fake_engine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds) {
  if (!holds) {
    abort();
  }
}

static void check_answer(const sv_exchange *exchange) {
  must(exchange->answers == 1 && fake_is_idle());
  if (exchange->status != 200) {
    must(exchange->status < 0);
    return;
  }
  size_t size = exchange->json_size < 0 ? exchange->body.size : (size_t)exchange->json_size;
  must(size <= exchange->body.size);
  sv_json json;
  sv_json_begin(&json, (sv_str){exchange->body.data, size}, NULL);
  must(!sv_json_skip(&json, NULL) && !sv_json_end(&json));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static sv_service service = {.name = "millrace", .version = "0", .body_bytes = 1 << 20};
  if (size < 3) {
    return 0;
  }
  size_t body_size = size - 3;
  char *body = body_size ? malloc(body_size) : NULL;
  if (body_size) {
    memcpy(body, data + 3, body_size);
  }
  int64_t json_size = data[1] | data[2] << 8;
  json_size = json_size == 65535 ? -1 : json_size > (int64_t)body_size ? (int64_t)body_size : json_size;
  sv_exchange exchange = {.http = {.body = {body, body_size}, .json_size = json_size}};
  sv_str model = sv_str_of(fake_versions[data[0] % FAKE_MODELS].signature.model);
  if (data[0] & 0x80) {
    sv_rest_predict(&service, &exchange, &exchange.http, model, (sv_str){0});
  } else {
    sv_rest_infer(&service, &exchange, &exchange.http, model, (sv_str){0});
  }
  check_answer(&exchange);
  fake_exchange_free(&exchange);
  free(body);
  return 0;
}
