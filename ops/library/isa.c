// What is asked of library calls by MILLRACE_LIBRARY_ISA and cannot be had here.
#include "ops/library/isa.h"

#include "ops/library/library.h"

mr_status mr_library_check_isa(void) {
  const char *asked = getenv("MILLRACE_LIBRARY_ISA");
  mr_vectors wanted;
  if (!asked || !*asked) {
    return MR_OK;
  }
  if (!mr_isa_of_name(asked, &wanted)) {
    return mr_error(MR_INVALID_ARGUMENT, "MILLRACE_LIBRARY_ISA=%s, wanted sse4.2, avx2 or avx512", asked);
  }
  char lacking[128];
  mr_processor_write_lacking(wanted, lacking, sizeof lacking);
  return !*lacking ? MR_OK
                   : mr_error(MR_FAILED_PRECONDITION,
                              "MILLRACE_LIBRARY_ISA=%s: its instructions cannot run here, this processor lacks %s",
                              asked, lacking);
}
