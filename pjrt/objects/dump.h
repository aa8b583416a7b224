// dump: the program before and after the passes in files of a folder, as XLA does with --xla_dump_to (in XLA_FLAGS, or as a
// compile option of one program): as text, as HLO, or both, by --xla_dump_hlo_as_text and --xla_dump_hlo_as_proto. "-" stands for
// standard output, which gets no HLO.
//
//   mr_pjrt_dump dump;
//   mr_pjrt_dump_begin(&dump, &options);
//   MR_TRY(mr_pjrt_dump_before(&dump, module));   // where mr_compile() shows it (mr_compile_watcher), and after the passes
//   MR_TRY(mr_pjrt_dump_after(&dump, module));
//
// Threads: any. Errors: what cannot be written is an error of whoever compiles.
#ifndef MR_PJRT_OBJECTS_DUMP_H
#define MR_PJRT_OBJECTS_DUMP_H

#include "compiler/compiler.h"
#include "pjrt/proto/flags.h"
#include "pjrt/proto/options.h"

typedef struct mr_pjrt_dump {
  char folder[MR_PJRT_FLAG_SIZE];  // "": nobody wants any
  char start[4096];                // of the files' names; "": nobody wants this program
  bool printed;                    // to standard output
  bool text, hlo;                  // which forms
} mr_pjrt_dump;

void mr_pjrt_dump_begin(mr_pjrt_dump *self, const mr_pjrt_options *options);
struct mr_module;
mr_status mr_pjrt_dump_before(mr_pjrt_dump *self, const struct mr_module *module) MR_WARN_UNUSED;
mr_status mr_pjrt_dump_after(const mr_pjrt_dump *self, const struct mr_module *module) MR_WARN_UNUSED;

#endif
