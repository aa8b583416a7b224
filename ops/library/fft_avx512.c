// The transform's kernels with AVX-512.
// Compiled with the options for them (ops/CMakeLists.txt), so nothing here may run before mr_fft_choose() has looked.
#if defined(__x86_64__)
#include <string.h>

#include "ops/library/fft_plan.h"

#define REAL float
#define LANES 16
#define NAME(x) f32_##x
#include "ops/library/fft_kernels.h"

#define REAL double
#define LANES 8
#define NAME(x) f64_##x
#include "ops/library/fft_kernels.h"

const mr_fft_kernels mr_fft_f32_avx512 = {.lanes = 16, .element_bytes = 2 * 16 * sizeof(float), .run = f32_run};
const mr_fft_kernels mr_fft_f64_avx512 = {.lanes = 8, .element_bytes = 2 * 8 * sizeof(double), .run = f64_run};
#endif
