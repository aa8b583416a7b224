// code_pool: executable memory. Kernels take whole pages out of large reservations, are written while their pages are
// writable and then sealed: no page is ever writable and executable. Private anonymous memory, so fork copies it.
//
// Threads: any. Ownership: a block belongs to whoever took it until mr_code_free.
#ifndef MR_COMPILER_CODEGEN_CODE_POOL_H
#define MR_COMPILER_CODEGEN_CODE_POOL_H

#include "core/core.h"

typedef struct mr_code_block {
  unsigned char *data;
  size_t size;  // whole pages
} mr_code_block;

mr_status mr_code_take(size_t bytes, mr_code_block *out_code) MR_WARN_UNUSED;  // writable, zeroed
mr_status mr_code_seal(mr_code_block code) MR_WARN_UNUSED;                     // read and execute from here on
void mr_code_free(mr_code_block code);

#endif
