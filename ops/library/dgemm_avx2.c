// Tiles of products of doubles with AVX2 and FMA.
// Compiled with the options for them (ops/CMakeLists.txt), so nothing here may run before the processor was looked at.
#include "ops/library/dgemm.h"

#if defined(__x86_64__)
#define LANES 4
#define ROWS 4
#include "ops/library/dgemm_kernel.h"

const mr_dgemm_kernel mr_dgemm_avx2 = {.rows = ROWS, .columns = VECTORS * LANES, .tile = tile, .pack_rows = pack_rows};
#endif
