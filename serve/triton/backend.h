// A Triton backend: programs of millrace's behind Triton's front end. What its two files share.
#ifndef SV_TRITON_BACKEND_H
#define SV_TRITON_BACKEND_H

#include "serve/base/base.h"
#include "serve/triton/triton.h"

// An input or output, by the name that it has in the configuration and in requests.
typedef struct sv_triton_port {
  char *name;
  TRITONSERVER_DataType type;
  millrace_port of;  // the program's; its first dimension is the batch where there is one
} sv_triton_port;

typedef struct sv_triton_model {
  millrace_model *program;
  sv_triton_port *inputs, *outputs;
  uint32_t num_inputs, num_outputs;
  uint32_t max_batch_size;  // 0: requests are not joined
} sv_triton_model;

// Reads the model's file, its ports into Triton's configuration where that does not name them, and compiles its batch sizes. Takes as long as
// that takes.
TRITONSERVER_Error *sv_triton_model_open(millrace_context *context, TRITONBACKEND_Model *triton,
                                         sv_triton_model **out_model);
void sv_triton_model_free(sv_triton_model *model);  // NULL is fine
// The smallest batch size that is compiled and holds so many rows: a power of two, or the largest.
uint32_t sv_triton_batch(const sv_triton_model *model, uint64_t rows);

TRITONSERVER_Error *sv_triton_errorf(TRITONSERVER_Error_Code code, const char *format, ...)
    __attribute__((format(printf, 2, 3), warn_unused_result));
TRITONSERVER_Error *sv_triton_error_of(sv_error *take_error) __attribute__((warn_unused_result));

#define SV_TRITON_TRY(expression)                    \
  do {                                               \
    TRITONSERVER_Error *sv_try_error = (expression); \
    if (sv_try_error) {                              \
      return sv_try_error;                           \
    }                                                \
  } while (0)

#endif
