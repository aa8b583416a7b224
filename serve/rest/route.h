// Inside rest/: what a path means.
#ifndef SV_REST_ROUTE_H
#define SV_REST_ROUTE_H

#include "serve/http/http.h"
#include "serve/service/service.h"

// ORDER place: the table in route.c.
typedef enum sv_place {
  SV_PLACE_NONE,
  SV_PLACE_INFER,
  SV_PLACE_LIVE,
  SV_PLACE_READY,
  SV_PLACE_SERVER,
  SV_PLACE_MODEL,
  SV_PLACE_MODEL_READY,
  SV_PLACE_CONFIG,
  SV_PLACE_STATISTICS,
  SV_PLACE_INDEX,
  SV_PLACE_LOAD,
  SV_PLACE_UNLOAD,
  SV_PLACE_REGIONS_STATUS,
  SV_PLACE_REGIONS_REGISTER,
  SV_PLACE_REGIONS_UNREGISTER,
  SV_PLACE_CUDA_STATUS,
  SV_PLACE_CUDA_REGISTER,
  SV_PLACE_CUDA_UNREGISTER,
  SV_PLACE_LOGGING,
  SV_PLACE_TRACE,
  SV_PLACE_GENERATE,
  SV_PLACE_V1_MODELS,
  SV_PLACE_V1_MODEL,
  SV_PLACE_PREDICT,
  SV_PLACE_V1_OTHER,
  SV_PLACE_METRICS,
  SV_PLACE_PAGE,
  SV_PLACE_PING,
  SV_PLACE_INVOCATIONS,
  SV_NUM_PLACES,
} sv_place;

// Texts are parts of the path.
typedef struct sv_route {
  sv_place place;
  sv_str model, version, region;  // empty where the path has none
} sv_route;

typedef struct sv_place_rules {
  bool get, post;
  sv_right right;
  bool large;         // bodies up to the server's limit
  const char *allow;  // the header that goes with 405
} sv_place_rules;

// SV_PLACE_NONE: there is no such place. Paths are as they were sent: nothing is decoded, a slash at the end is not ignored.
sv_route sv_route_of(sv_str path);
const sv_place_rules *sv_place_rules_of(sv_place place);

#endif
