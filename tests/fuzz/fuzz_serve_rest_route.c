// Paths of any bytes: what the router takes from them lies inside of them, and versions are numbers.
#include <stdlib.h>
#include <string.h>

#include "serve/rest/route.h"

static void check_inside(sv_str part, sv_str whole) {
  if (part.size && (part.data < whole.data || part.data + part.size > whole.data + whole.size)) {
    abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *copy = malloc(size + 1);
  if (!copy) {
    return 0;
  }
  memcpy(copy, data, size);
  sv_str path = {copy, size};
  sv_route route = sv_route_of(path);
  check_inside(route.model, path);
  check_inside(route.version, path);
  check_inside(route.region, path);
  uint64_t number;
  bool slash = route.model.size && memchr(route.model.data, '/', route.model.size);
  if (route.place >= SV_NUM_PLACES || slash ||
      (route.version.size && !sv_str_number(route.version, UINT64_MAX, &number)) ||
      (route.place != SV_PLACE_NONE && !sv_place_rules_of(route.place)->allow)) {
    abort();
  }
  free(copy);
  return 0;
}
