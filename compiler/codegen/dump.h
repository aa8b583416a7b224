// dump: what was generated, as files for people. MILLRACE_DUMP names their folder.
#ifndef MR_COMPILER_CODEGEN_DUMP_H
#define MR_COMPILER_CODEGEN_DUMP_H

#include "core/core.h"

bool mr_dump_wanted(void);
// Writes <folder>/<name><suffix>, if files are wanted; what goes wrong is passed over.
void mr_dump_text(const char *name, const char *suffix, const char *text, size_t size);

#endif
