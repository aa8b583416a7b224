// clc_harness: runs text of OpenCL C on the first device of the first platform, with no part of the engine in between. For the
// tests of the generator; where there is no platform they are skipped.
#ifndef MR_TESTS_COMPILER_CLC_HARNESS_H
#define MR_TESTS_COMPILER_CLC_HARNESS_H

#include "compiler/codegen/clc.h"

typedef struct clc_host clc_host;
typedef struct clc_program clc_program;

// NULL where there is no device. Kept until the process ends: runtimes do not like to be closed.
clc_host *clc_host_get(void);
const char *clc_host_name(const clc_host *host);
// What it says of itself, for the generator.
const mr_target *clc_host_target(const clc_host *host);
// Whether it is Oclgrind.
bool clc_host_interprets(const clc_host *host);
// The same device as one of many items, which does some programs by groups of them.
mr_target clc_host_items(const clc_host *host);

// Prints the log and fails the test when the text does not build.
clc_program *clc_build(clc_host *host, mr_str text);
void clc_program_release(clc_program *program);
// Runs a kernel over [0, range) by items, or groups where the text says so, that do `share` tiles each. Buffers are copied there and, all of them, back.
void clc_run(clc_program *program, const char *entry, void *const *buffers, const size_t *sizes, size_t num_buffers,
             int64_t range, int64_t share);

// Whether two elements are one value: the same bits, or NaN both, or both of them
// subnormal or zero with one sign where such numbers count as zero.
bool clc_same(mr_dtype dtype, const void *a, const void *b);
// Runs a program as machine code and, from `text` where it is `entry`, on the device, both on copies of the buffers, and says
// how many elements of what it writes differ; the first few are printed with `name`.
size_t clc_differences(clc_program *program, const char *entry, const mr_loop_program *loops, void *const *buffers,
                       const size_t *sizes, int64_t range, const char *name);

#endif
