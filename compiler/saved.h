// saved: serialized executables. The program as it came, a note of the host's (what it compiled it with) and the machine code of its kernels,
// behind a header that says which build made it and for which processor. Reading one plans the program again, which is quick, and takes
// the kernels from the file: LLVM is not needed.
//
// What is read is run: it must be trusted like a library that is opened. The checks find what is damaged, or of another build or processor;
// the checksum is no signature. docs/clients.md says so to hosts.
//
//   mr_saved saved;
//   MR_TRY(mr_saved_read(bytes, &saved));
//   status = mr_compile(saved.program, &options, &executable);   // with saved.figures, saved.target: finds all of its kernels
//   mr_saved_release(&saved);
#ifndef MR_COMPILER_SAVED_H
#define MR_COMPILER_SAVED_H

#include "compiler/compiler.h"
#include "devices/figures.h"

typedef struct mr_saved {
  mr_span note, program;  // read: in the bytes
  mr_program_format format;
  mr_figures figures;  // that it was compiled with
  bool for_target;     // it is for devices that do not run native code, but
  mr_target target;
  // Read: held in the cache until the program has been planned and holds them itself.
  struct mr_kernel **kernels;
  size_t num_kernels;
} mr_saved;

// Writes into the header of a file's bytes the checksum that they have; fewer than a header's are left.
void mr_saved_seal(void *bytes, size_t size);
// All but the kernels is given, and those come from the executable.
mr_status mr_saved_write(const mr_saved *what, const mr_executable *executable, mr_text *out_text) MR_WARN_UNUSED;
// FAILED_PRECONDITION when another version, build or processor made it, DATA_LOSS when it is damaged. Released by the caller.
mr_status mr_saved_read(mr_span bytes, mr_saved *out_saved) MR_WARN_UNUSED;
void mr_saved_release(mr_saved *saved);

#endif
