// weights: what the files of millrace/ know of named arrays in files. weights.c has the object, safetensors.c and npz.c read the two formats:
// both give names and where in the file each array lies, and trust nothing that a file says.
//
// Ownership: an object is counted; its arrays are in its arena and its mapping.
#ifndef MR_MILLRACE_WEIGHTS_H
#define MR_MILLRACE_WEIGHTS_H

#include "core/ref.h"
#include "millrace/file.h"
#include "millrace/millrace.h"

typedef struct mr_weights mr_weights;
typedef struct mr_weight {
  mr_str name;  // ends with a zero
  millrace_array array;
} mr_weight;

struct mr_weights {
  mr_ref ref;
  mr_file file;
  void (*unused)(void *argument);  // of arrays that are the host's; NULL: nobody is to be told
  void *argument;
  mr_arena arena;
  mr_weight *list;  // in the order of the file
  size_t count, room;
  const mr_weight **by_name;  // of `list`, in order of the names
};

// One more; `dims` are copied. INVALID_ARGUMENT when it is not inside the file, `offset` bytes from its start. `first_fastest`: as Fortran
// lays arrays out.
mr_status mr_weights_add(mr_weights *weights, mr_str name, mr_dtype dtype, const int64_t *dims, size_t rank,
                         bool first_fastest, size_t offset, size_t bytes) MR_WARN_UNUSED;

typedef mr_status (*mr_weights_reader)(mr_weights *weights);
mr_status mr_safetensors_read(mr_weights *weights) MR_WARN_UNUSED;
mr_status mr_npz_read(mr_weights *weights) MR_WARN_UNUSED;
// What a mapped file has, by the reader of its format; the file is let go of when this fails.
mr_status mr_weights_read(mr_file take_file, mr_weights_reader read, mr_weights **out_weights) MR_WARN_UNUSED;

#endif
