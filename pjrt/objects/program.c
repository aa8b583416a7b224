#include "pjrt/objects/program.h"

static const char *const names[] = {
    [MR_PROGRAM_MLIR] = "mlir", [MR_PROGRAM_HLO] = "hlo", [MR_PROGRAM_HLO_WITH_CONFIG] = "hlo_with_config"};

mr_status mr_pjrt_format_parse(mr_str name, mr_program_format *out_format) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(names); i++) {
    if (mr_str_is(name, names[i])) {
      *out_format = (mr_program_format)i;
      return MR_OK;
    }
  }
  return mr_error(MR_UNIMPLEMENTED, "program format '%.*s', wanted 'mlir', 'hlo' or 'hlo_with_config'",
                  MR_STR_ARG(name));
}
