// The transform's kernels with a single lane: for one line alone, which is too short to be cut.
#include <string.h>

#include "ops/library/fft_plan.h"

#define REAL float
#define LANES 1
#define NAME(x) f32_##x
#include "ops/library/fft_kernels.h"

#define REAL double
#define LANES 1
#define NAME(x) f64_##x
#include "ops/library/fft_kernels.h"

const mr_fft_kernels mr_fft_f32_one = {.lanes = 1, .element_bytes = 2 * 1 * sizeof(float), .run = f32_run};
const mr_fft_kernels mr_fft_f64_one = {.lanes = 1, .element_bytes = 2 * 1 * sizeof(double), .run = f64_run};
