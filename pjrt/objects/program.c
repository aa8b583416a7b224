#include "pjrt/objects/program.h"

#include "compiler/reader/reader.h"

// Text is only written of a module that is well formed.
static mr_status hlo_to_text(mr_span program, bool with_config, mr_text *text) {
  mr_module *module;
  MR_TRY(mr_read_hlo(program, with_config, &module));
  mr_status status = mr_module_verify(module);
  if (!status) {
    mr_text_append(text, MR_STR(MR_PJRT_CAME_AS_HLO));
    mr_module_print(module, text);
    status = text->failed ? MR_NO_MEMORY() : MR_OK;
  }
  mr_module_release(module);
  return status;
}

bool mr_pjrt_came_as_hlo(mr_span program) {
  return mr_str_starts_with((mr_str){program.data, program.size}, MR_STR(MR_PJRT_CAME_AS_HLO));
}

mr_status mr_pjrt_program_read(mr_span program, mr_str format, mr_text *text, mr_span *out_program) {
  *out_program = program;
  if (mr_str_is(format, "mlir")) {
    return MR_OK;
  }
  bool with_config = mr_str_is(format, "hlo_with_config");
  if (!with_config && !mr_str_is(format, "hlo")) {
    return mr_error(MR_UNIMPLEMENTED, "program format '%.*s', wanted 'mlir', 'hlo' or 'hlo_with_config'",
                    MR_STR_ARG(format));
  }
  MR_TRY(hlo_to_text(program, with_config, text));
  *out_program = (mr_span){text->data, text->size};
  return MR_OK;
}
