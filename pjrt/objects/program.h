// program: the names of the forms in which a host may send a program. "mlir" is bytecode or text, "hlo" and "hlo_with_config" a serialized
// HloModuleProto, alone or with its configuration. Everything after (serialization, fingerprints, other options) keeps the host's own bytes.
#ifndef MR_PJRT_OBJECTS_PROGRAM_H
#define MR_PJRT_OBJECTS_PROGRAM_H

#include "compiler/compiler.h"

// UNIMPLEMENTED for another name.
mr_status mr_pjrt_format_parse(mr_str name, mr_program_format *out_format) MR_WARN_UNUSED;

#endif
