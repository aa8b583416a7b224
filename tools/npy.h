// npy: NumPy's array files, one array (.npy) or a zip of them (.npz, stored or deflated).
//
// Types NumPy lacks travel as raw bits: bf16 as uint16, the 8-bit floats as uint8, int4 as int8; ml_dtypes' own void
// types ("|V2") are taken as raw bits too. Little-endian files only.
// Ownership: a list owns its arrays; free it with npy_list_free(). Errors are messages for people, on stderr.
//
//   npy_list list = {0};
//   if (npy_read_inputs("x.npz", &list)) { ... list.arrays[0].data ... }
//   npy_list_free(&list);
#ifndef MR_TOOLS_NPY_H
#define MR_TOOLS_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NPY_MAX_RANK = 32 };

typedef struct npy_array {
  char name[256];  // in an archive, without ".npy"; "" for a file of its own
  bool by_name;    // the command line says that it is for the parameter of this name
  char kind;       // NumPy's letter: b i u f c V
  size_t item_bytes;
  size_t rank;
  int64_t dims[NPY_MAX_RANK];
  int64_t byte_strides[NPY_MAX_RANK];
  size_t bytes;
  void *data;
} npy_array;

typedef struct npy_list {
  npy_array *arrays;
  size_t size, capacity;
} npy_list;

// Appends the arrays of a file; of an archive that has in0, in1, ... those, in this order: what is beside them is expected results.
// False after saying on stderr what is wrong.
bool npy_read_inputs(const char *path, npy_list *list);
void npy_list_free(npy_list *list);

// Writes dense row-major elements.
bool npy_write(const char *path, char kind, size_t item_bytes, const int64_t *dims, size_t rank, const void *data);

// The whole of a file, freed by the caller; NULL after saying on stderr what is wrong.
void *npy_slurp(const char *path, size_t *out_size);

#endif
