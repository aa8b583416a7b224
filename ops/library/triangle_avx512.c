// Small triangular systems with AVX-512.
// Compiled with the options for them (ops/CMakeLists.txt), so nothing here may run before mr_triangle_choose() has looked.
#include "ops/library/triangle.h"

#if defined(__x86_64__)
#define REAL float
#define LANES 16
#define NAME(x) f32_##x
#include "ops/library/solve_kernel.h"

#define REAL double
#define LANES 8
#define NAME(x) f64_##x
#include "ops/library/solve_kernel.h"

const mr_triangle_kernel mr_triangle_f32_avx512 = {.columns = 4 * 16, .unit = sizeof(float), .solve = f32_solve};
const mr_triangle_kernel mr_triangle_f64_avx512 = {.columns = 4 * 8, .unit = sizeof(double), .solve = f64_solve};
#endif
