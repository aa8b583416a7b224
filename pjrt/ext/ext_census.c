// Extension Census, which is ours and not the ABI's: how many objects of each kind are alive in this process, for tests of
// hosts. Its functions may be called at any time from any thread, without a client.
#include "core/census.h"
#include "pjrt/ext/extensions.h"

static const char *name(size_t kind) { return kind < MR_CENSUS_KINDS ? mr_census_name((mr_census_kind)kind) : NULL; }

static size_t count(int64_t *out_counts, size_t room) {
  int64_t counts[MR_CENSUS_KINDS];
  mr_census(counts);
  for (size_t i = 0; i < MR_MIN(room, (size_t)MR_CENSUS_KINDS); i++) {
    out_counts[i] = counts[i];
  }
  return MR_CENSUS_KINDS;
}

mr_pjrt_census_extension mr_pjrt_ext_census = {
    .base = {.struct_size = sizeof(mr_pjrt_census_extension),
             .type = (PJRT_Extension_Type)MR_PJRT_CENSUS_TYPE,
             .next = NULL},
    .name = name,
    .count = count,
};
