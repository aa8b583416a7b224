// Inside rest/: the places that are not infer and predict. Each answers the exchange, now or later.
#ifndef SV_REST_ANSWERS_H
#define SV_REST_ANSWERS_H

#include "serve/json/json.h"
#include "serve/rest/route.h"

typedef struct sv_rest_call {
  sv_service *service;
  sv_exchange *exchange;
  const sv_http_request *request;
  sv_route route;
} sv_rest_call;

// health.c
void sv_rest_live(const sv_rest_call *call);
void sv_rest_ready(const sv_rest_call *call);
void sv_rest_model_ready(const sv_rest_call *call);
void sv_rest_server(const sv_rest_call *call);
// metadata.c
void sv_rest_model(const sv_rest_call *call);
void sv_rest_v1_models(const sv_rest_call *call);
void sv_rest_v1_model(const sv_rest_call *call);
// config.c, statistics.c
void sv_rest_config(const sv_rest_call *call);
void sv_rest_statistics(const sv_rest_call *call);
// models.c
void sv_rest_index(const sv_rest_call *call);
void sv_rest_load(const sv_rest_call *call);
void sv_rest_unload(const sv_rest_call *call);
// regions.c
void sv_rest_regions_status(const sv_rest_call *call);
void sv_rest_regions_register(const sv_rest_call *call);
void sv_rest_regions_unregister(const sv_rest_call *call);

// answers.c: 200 without a body; 200 with what sv_exchange_text() has, or 500 where it failed for lack of memory.
void sv_rest_answer_nothing(sv_exchange *exchange);
void sv_rest_answer_json(sv_exchange *exchange);
void sv_rest_answer_text(sv_exchange *exchange, const char *content_type, const char *headers);
// 501 that says what is not there.
void sv_rest_not_done(sv_exchange *exchange, const char *what);
// "name":  with a comma in front where it is not the first of its object.
void sv_rest_put_name(sv_text *out, const char *name);
void sv_rest_put_text(sv_text *out, const char *name, sv_str value);
void sv_rest_put_number(sv_text *out, const char *name, uint64_t value);
void sv_rest_put_bool(sv_text *out, const char *name, bool value);
// A body that is an object, or nothing: calls member() for each member, which reads or skips its value.
sv_error *sv_rest_read_object(sv_str body, sv_error *(*member)(void *argument, sv_str name, sv_json *json),
                              void *argument);

#endif
