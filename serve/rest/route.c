// Paths. Names of models and regions are whatever lies between two slashes, versions are digits.
#include "serve/rest/route.h"

#include <string.h>

#define GET "Allow: GET, HEAD\r\n"
#define POST "Allow: POST\r\n"
#define BOTH "Allow: GET, HEAD, POST\r\n"

// ORDER place
static const sv_place_rules RULES[SV_NUM_PLACES] = {
    [SV_PLACE_INFER] = {false, true, SV_RIGHT_INFER, true, POST},
    [SV_PLACE_LIVE] = {true, false, SV_RIGHT_NONE, false, GET},
    [SV_PLACE_READY] = {true, false, SV_RIGHT_NONE, false, GET},
    [SV_PLACE_SERVER] = {true, false, SV_RIGHT_INFER, false, GET},
    [SV_PLACE_MODEL] = {true, false, SV_RIGHT_INFER, false, GET},
    [SV_PLACE_MODEL_READY] = {true, false, SV_RIGHT_NONE, false, GET},
    [SV_PLACE_CONFIG] = {true, false, SV_RIGHT_INFER, false, GET},
    [SV_PLACE_STATISTICS] = {true, false, SV_RIGHT_INFER, false, GET},
    [SV_PLACE_INDEX] = {false, true, SV_RIGHT_INFER, false, POST},
    [SV_PLACE_LOAD] = {false, true, SV_RIGHT_CONTROL, true, POST},
    [SV_PLACE_UNLOAD] = {false, true, SV_RIGHT_CONTROL, false, POST},
    [SV_PLACE_REGIONS_STATUS] = {true, false, SV_RIGHT_INFER, false, GET},
    [SV_PLACE_REGIONS_REGISTER] = {false, true, SV_RIGHT_INFER, false, POST},
    [SV_PLACE_REGIONS_UNREGISTER] = {false, true, SV_RIGHT_INFER, false, POST},
    [SV_PLACE_CUDA_STATUS] = {true, false, SV_RIGHT_INFER, false, GET},
    [SV_PLACE_CUDA_REGISTER] = {false, true, SV_RIGHT_INFER, false, POST},
    [SV_PLACE_CUDA_UNREGISTER] = {false, true, SV_RIGHT_INFER, false, POST},
    [SV_PLACE_LOGGING] = {true, true, SV_RIGHT_INFER, false, BOTH},
    [SV_PLACE_TRACE] = {true, true, SV_RIGHT_INFER, false, BOTH},
    [SV_PLACE_GENERATE] = {false, true, SV_RIGHT_INFER, false, POST},
    [SV_PLACE_V1_MODELS] = {true, false, SV_RIGHT_INFER, false, GET},
    [SV_PLACE_V1_MODEL] = {true, false, SV_RIGHT_NONE, false, GET},
    [SV_PLACE_PREDICT] = {false, true, SV_RIGHT_INFER, true, POST},
    [SV_PLACE_V1_OTHER] = {false, true, SV_RIGHT_INFER, false, POST},
    [SV_PLACE_METRICS] = {true, false, SV_RIGHT_INFER, false, GET},
    [SV_PLACE_PAGE] = {true, false, SV_RIGHT_NONE, false, GET},
    [SV_PLACE_PING] = {true, false, SV_RIGHT_NONE, false, GET},
    [SV_PLACE_INVOCATIONS] = {false, true, SV_RIGHT_INFER, true, POST},
};

const sv_place_rules *sv_place_rules_of(sv_place place) { return &RULES[place]; }

// ---- Segments -------------------------------------------------------------------------------------------------------

enum { MOST_SEGMENTS = 8 };

typedef struct segments {
  sv_str at[MOST_SEGMENTS];
  uint32_t count;
} segments;

// False: the path does not begin with a slash, has an empty segment, or has more segments than any place.
static bool split(sv_str path, segments *out) {
  out->count = 0;
  if (!path.size || path.data[0] != '/') {
    return false;
  }
  const char *at = path.data, *end = path.data + path.size;
  while (at < end) {
    const char *begin = at + 1;
    const char *slash = memchr(begin, '/', (size_t)(end - begin));
    at = slash ? slash : end;
    if (at == begin || out->count == MOST_SEGMENTS) {
      return false;
    }
    out->at[out->count++] = (sv_str){begin, (size_t)(at - begin)};
  }
  return true;
}

static bool is(const segments *path, uint32_t at, const char *word) {
  return at < path->count && sv_str_is(path->at[at], word);
}

// Takes "/versions/V" at *inout_at, where it is.
static void take_version(const segments *path, uint32_t *inout_at, sv_route *route) {
  uint64_t number;
  if (is(path, *inout_at, "versions") && *inout_at + 1 < path->count &&
      sv_str_number(path->at[*inout_at + 1], UINT64_MAX, &number)) {
    route->version = path->at[*inout_at + 1];
    *inout_at += 2;
  }
}

// The last word of the path.
typedef struct ending {
  const char *word;
  sv_place place;
} ending;

static sv_place find_ending(const segments *path, uint32_t at, const ending *endings, size_t count) {
  for (size_t i = 0; at + 1 == path->count && i < count; i++) {
    if (sv_str_is(path->at[at], endings[i].word)) {
      return endings[i].place;
    }
  }
  return SV_PLACE_NONE;
}
#define FIND_ENDING(path, at, endings) find_ending(path, at, endings, sizeof(endings) / sizeof *(endings))

// ---- /v2 ------------------------------------------------------------------------------------------------------------

// /v2/models/M[/versions/V][/WORD], /v2/models/stats
static void find_model(const segments *path, sv_route *route) {
  static const ending endings[] = {
      {"infer", SV_PLACE_INFER},      {"ready", SV_PLACE_MODEL_READY}, {"config", SV_PLACE_CONFIG},
      {"stats", SV_PLACE_STATISTICS}, {"generate", SV_PLACE_GENERATE}, {"generate_stream", SV_PLACE_GENERATE},
  };
  if (path->count < 3) {
    return;
  }
  if (path->count == 3 && is(path, 2, "stats")) {  // of all: no model can have this name
    route->place = SV_PLACE_STATISTICS;
    return;
  }
  route->model = path->at[2];
  uint32_t at = 3;
  take_version(path, &at, route);
  if (at == path->count) {
    route->place = SV_PLACE_MODEL;
  } else if (at == 3 && path->count == 5 && is(path, 3, "trace") && is(path, 4, "setting")) {
    route->place = SV_PLACE_TRACE;
  } else {
    route->place = FIND_ENDING(path, at, endings);
  }
}

// /v2/repository[/REPOSITORY]/index, /v2/repository[/REPOSITORY]/models/M/load
static void find_repository(const segments *path, sv_route *route) {
  static const ending endings[] = {{"load", SV_PLACE_LOAD}, {"unload", SV_PLACE_UNLOAD}};
  bool named = path->count == 6 || (path->count == 4 && is(path, 3, "index"));
  uint32_t at = named ? 3 : 2;
  if (at + 1 == path->count && is(path, at, "index")) {
    route->place = SV_PLACE_INDEX;
  } else if (is(path, at, "models") && at + 3 == path->count) {
    route->model = path->at[at + 1];
    route->place = FIND_ENDING(path, at + 2, endings);
  }
}

// /v2/systemsharedmemory[/region/R]/WORD
static void find_regions(const segments *path, const ending *endings, sv_route *route) {
  uint32_t at = 2;
  if (path->count == 5 && is(path, 2, "region")) {
    route->region = path->at[3];
    at = 4;
  }
  route->place = find_ending(path, at, endings, 3);
  bool registers = route->place == SV_PLACE_REGIONS_REGISTER || route->place == SV_PLACE_CUDA_REGISTER;
  if (registers && !route->region.size) {
    route->place = SV_PLACE_NONE;
  }
}

static void find_v2(const segments *path, sv_route *route) {
  static const ending health[] = {{"live", SV_PLACE_LIVE}, {"ready", SV_PLACE_READY}};
  static const ending regions[] = {{"status", SV_PLACE_REGIONS_STATUS},
                                   {"register", SV_PLACE_REGIONS_REGISTER},
                                   {"unregister", SV_PLACE_REGIONS_UNREGISTER}};
  static const ending cuda[] = {
      {"status", SV_PLACE_CUDA_STATUS}, {"register", SV_PLACE_CUDA_REGISTER}, {"unregister", SV_PLACE_CUDA_UNREGISTER}};
  if (path->count == 1) {
    route->place = SV_PLACE_SERVER;
  } else if (is(path, 1, "models")) {
    find_model(path, route);
  } else if (is(path, 1, "health")) {
    route->place = FIND_ENDING(path, 2, health);
  } else if (is(path, 1, "repository")) {
    find_repository(path, route);
  } else if (is(path, 1, "systemsharedmemory")) {
    find_regions(path, regions, route);
  } else if (is(path, 1, "cudasharedmemory")) {
    find_regions(path, cuda, route);
  } else if (is(path, 1, "logging") && path->count == 2) {
    route->place = SV_PLACE_LOGGING;
  } else if (is(path, 1, "trace") && is(path, 2, "setting") && path->count == 3) {
    route->place = SV_PLACE_TRACE;
  }
}

// ---- /v1 ------------------------------------------------------------------------------------------------------------

// /v1/models, /v1/models/M[/versions/V][:predict]
static void find_v1(const segments *given, sv_route *route) {
  segments copy = *given, *path = &copy;
  if (!is(path, 1, "models")) {
    return;
  }
  if (path->count == 2) {
    route->place = SV_PLACE_V1_MODELS;
    return;
  }
  sv_str *last = &path->at[path->count - 1];
  const char *colon = memrchr(last->data, ':', last->size);
  sv_str verb = {0};
  if (colon) {
    verb = (sv_str){colon + 1, (size_t)(last->data + last->size - colon - 1)};
    last->size = (size_t)(colon - last->data);
  }
  route->model = path->at[2];
  uint32_t at = 3;
  take_version(path, &at, route);
  if (at != path->count || !route->model.size) {
    return;
  }
  static const char *const others[] = {"explain", "classify", "regress"};
  route->place = !colon ? SV_PLACE_V1_MODEL : sv_str_is(verb, "predict") ? SV_PLACE_PREDICT : SV_PLACE_NONE;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    if (sv_str_is(verb, others[i])) {
      route->place = SV_PLACE_V1_OTHER;
    }
  }
}

sv_route sv_route_of(sv_str path) {
  static const ending singles[] = {
      {"metrics", SV_PLACE_METRICS}, {"ping", SV_PLACE_PING}, {"invocations", SV_PLACE_INVOCATIONS}};
  sv_route route = {.place = SV_PLACE_NONE};
  segments parts;
  if (sv_str_is(path, "/") || sv_str_begins(path, "/page/")) {
    route.place = SV_PLACE_PAGE;
  } else if (!split(path, &parts)) {
    return route;
  } else if (is(&parts, 0, "v2")) {
    find_v2(&parts, &route);
  } else if (is(&parts, 0, "v1")) {
    find_v1(&parts, &route);
  } else {
    route.place = FIND_ENDING(&parts, 0, singles);
  }
  return route;
}
