// Inside rest/: what the router (rest.c) hands on. Each answers the exchange, now or later.
#ifndef SV_REST_DOORS_H
#define SV_REST_DOORS_H

#include "serve/page/page.h"
#include "serve/rest/rest.h"

// POST /v2/models/M[/versions/V]/infer. rest/infer*.c
void sv_rest_infer(sv_service *service, sv_exchange *exchange, const sv_http_request *request, sv_str model,
                   sv_str version);
// POST /v1/models/M[/versions/V]:predict. rest/predict.c
void sv_rest_predict(sv_service *service, sv_exchange *exchange, const sv_http_request *request, sv_str model,
                     sv_str version);

#endif
