// What the routines of LAPACK that we call want of Fortran's runtime library, which is not linked: the operator // on strings.
#include <stddef.h>
#include <string.h>

void _gfortran_concat_string(size_t out_size, char *out, size_t a_size, const char *a, size_t b_size, const char *b);

// What is too long is cut off, and what is too short ends in blanks.
void _gfortran_concat_string(size_t out_size, char *out, size_t a_size, const char *a, size_t b_size, const char *b) {
  size_t from_a = a_size < out_size ? a_size : out_size;
  size_t from_b = b_size < out_size - from_a ? b_size : out_size - from_a;
  memcpy(out, a, from_a);
  memcpy(out + from_a, b, from_b);
  memset(out + from_a + from_b, ' ', out_size - from_a - from_b);
}
