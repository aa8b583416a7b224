// element: element types as the command needs them: as NumPy names them, as text, and numbers of them that are made up.
#ifndef MR_TOOLS_ELEMENT_H
#define MR_TOOLS_ELEMENT_H

#include "millrace/millrace.h"

// NumPy's kind letter; 'u', raw bits, for those that it lacks.
char element_numpy_kind(millrace_dtype dtype);

// "8x784xf32". An open size is its symbol, or "?" when it has none or `symbols` is NULL.
const char *element_type_text(millrace_type type, const char *const *symbols, char *buffer, size_t size);

// On stdout, as people write it.
void element_print(millrace_dtype dtype, const unsigned char *at);

// Numbers that a program can do something with: from 0 to 1 where there are fractions, small ones that are not negative where there are none,
// because they may be places in other arrays. The same for the same seed.
void element_make_up(millrace_dtype dtype, uint64_t seed, void *data, size_t bytes);

#endif
