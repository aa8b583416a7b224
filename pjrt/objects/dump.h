// dump: the program before and after the passes in files of a folder, as XLA does with --xla_dump_to (in XLA_FLAGS, or as a
// compile option of one program): as text, as HLO, or both, by --xla_dump_hlo_as_text and --xla_dump_hlo_as_proto. "-" stands for
// standard output, which gets no HLO.
//
//   mr_pjrt_dump dump;
//   MR_TRY(mr_pjrt_dump_before(&dump, program, &options));
//   ... compile ...
//   MR_TRY(mr_pjrt_dump_after(&dump, program, &compile_options));
//
// Threads: any. Errors: what cannot be written is an error of whoever compiles.
#ifndef MR_PJRT_OBJECTS_DUMP_H
#define MR_PJRT_OBJECTS_DUMP_H

#include "compiler/compiler.h"
#include "pjrt/proto/options.h"

typedef struct mr_pjrt_dump {
  char start[4096];  // of the files' names; "": nobody wants any
  bool printed;      // to standard output
  bool text, hlo;    // which forms
} mr_pjrt_dump;

mr_status mr_pjrt_dump_before(mr_pjrt_dump *self, mr_span program, const mr_pjrt_options *options) MR_WARN_UNUSED;
mr_status mr_pjrt_dump_after(const mr_pjrt_dump *self, mr_span program,
                             const mr_compile_options *options) MR_WARN_UNUSED;

#endif
