// The Open Inference Protocol (KServe v2) over HTTP, with Triton's extensions; beside it TensorFlow Serving's and KServe v1's :predict, /metrics and the
// page for people.
#ifndef SV_REST_H
#define SV_REST_H

#include "serve/http/http.h"
#include "serve/service/service.h"

typedef struct sv_rest sv_rest;

// Borrowed; NULL without memory.
sv_rest *sv_rest_create(sv_service *service);
const sv_http_service *sv_rest_service(sv_rest *rest);
void sv_rest_release(sv_rest *rest);

#endif
