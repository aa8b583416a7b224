// The program as the passes leave it, for hosts that ask what runs: StableHLO still, before fusion makes kernels of it.
#include "compiler/compiler.h"
#include "compiler/passes/passes.h"
#include "compiler/reader/reader.h"

mr_status mr_optimized_program(mr_span program, mr_text *text) {
  mr_module *module = NULL;
  MR_TRY(mr_read_program(program, &module));
  mr_status status = mr_module_verify(module);
  status = status ? status : mr_passes_run(module);
  if (!status) {
    mr_module_print(module, text);
  }
  status = mr_module_end(module, status);
  mr_module_release(module);
  return status || !text->failed ? status : MR_NO_MEMORY();
}
