// asserted: the text of a shape assertion of jax.export's, with the values it is about. Of use to the passes, which see those that are
// false when a program is compiled, and to the call that looks at the others when it runs.
//
// Threads: pure functions.
#ifndef MR_COMPILER_IR_ASSERTED_H
#define MR_COMPILER_IR_ASSERTED_H

#include "core/core.h"

#define MR_ASSERTION_VALUES 32  // as many as exported programs give

// INVALID_ARGUMENT with the text, in which {0}, {1}, ... are the values: scalars, NULL where one is not known.
mr_status mr_assertion_error(mr_str text, const mr_dtype *dtypes, const void *const *values,
                             size_t num_values) MR_WARN_UNUSED;

#endif
