// The transform's kernels with vectors of 16 bytes, for any machine.
#include <string.h>

#include "ops/library/fft_plan.h"

#define REAL float
#define LANES 4
#define NAME(x) f32_##x
#include "ops/library/fft_kernels.h"

#define REAL double
#define LANES 2
#define NAME(x) f64_##x
#include "ops/library/fft_kernels.h"

const mr_fft_kernels mr_fft_f32_plain = {.lanes = 4, .element_bytes = 2 * 4 * sizeof(float), .run = f32_run};
const mr_fft_kernels mr_fft_f64_plain = {.lanes = 2, .element_bytes = 2 * 2 * sizeof(double), .run = f64_run};
