// program: the forms in which a host may send a program. "mlir" is what the compiler reads; "hlo" and "hlo_with_config" (a
// serialized HloModuleProto, alone or with its configuration) become the text of the same program in StableHLO first, so
// that everything after (serialization, fingerprints, the optimized program) knows one form.
//
// Threads: any. Ownership: the program given is borrowed; what out_program points to lives as long as both it and `text`.
//
//   mr_text text = {0};
//   mr_span mlir;
//   mr_status status = mr_pjrt_program_read(program, format, &text, &mlir);
//   ...
//   mr_text_deinit(&text);
#ifndef MR_PJRT_OBJECTS_PROGRAM_H
#define MR_PJRT_OBJECTS_PROGRAM_H

#include "core/core.h"

// How the text of a program begins that came as HLO: hosts that send that ask for what was made of it in the same form.
#define MR_PJRT_CAME_AS_HLO "// HLO\n"
bool mr_pjrt_came_as_hlo(mr_span program);

// INVALID_ARGUMENT for bytes that are not what the format says, UNIMPLEMENTED for another format. `text` is to be
// deinitialized in any case.
mr_status mr_pjrt_program_read(mr_span program, mr_str format, mr_text *text, mr_span *out_program) MR_WARN_UNUSED;

#endif
