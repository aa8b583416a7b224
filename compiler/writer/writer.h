// writer: IR to bytes of XLA's HloModuleProto, for tools that read HLO; the other way round than the reader of it (compiler/reader).
//
// Total: what is verified is written, whatever it has. What HLO has no instruction for becomes a custom call whose target is the
// op's spelling ("chlo.erf_inv"), with the text of its attributes as the configuration and its regions as called computations;
// docs/clients.md lists those. Regions become computations: HLO's see nothing from outside, so loops and branches carry what
// theirs use, and the others have copies of constants. Layouts are row-major.
//
// Threads: the module's. Numbers the values of its functions. Errors: RESOURCE_EXHAUSTED.
//
//   mr_text bytes = {0};
//   MR_TRY(mr_write_hlo(module, NULL, &bytes));
#ifndef MR_COMPILER_WRITER_WRITER_H
#define MR_COMPILER_WRITER_WRITER_H

#include "compiler/ir/ir.h"

// What the module is in: nothing; an HloProto, as in files of dumps; or a HloModuleProtoWithConfig, whose configuration has the layouts of
// parameters and results.
typedef enum mr_hlo_outer { MR_HLO_BARE, MR_HLO_PROGRAM, MR_HLO_WITH_CONFIG } mr_hlo_outer;

// How the devices' parts make whole arrays: serialized OpShardings of XLA, of all results as a tuple's.
typedef struct mr_hlo_shardings {
  mr_span results;
  const mr_span *parameters;
  size_t num_parameters;
} mr_hlo_shardings;

typedef struct mr_hlo_form {
  mr_hlo_outer outer;
  const mr_hlo_shardings *shardings;  // said beside the module; NULL: none
  bool is_local;                      // each device runs it on its parts: nothing is said of how results are to be cut
} mr_hlo_form;

// Appends a serialized HloModuleProto. `form` may be NULL.
mr_status mr_write_hlo(const mr_module *module, const mr_hlo_form *form, mr_text *bytes) MR_WARN_UNUSED;

#endif
