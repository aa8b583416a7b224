// DLPack's structs, as its specification 1.0 has them: https://dmlc.github.io/dlpack/latest/c_api.html
#ifndef MP_DLPACK_H
#define MP_DLPACK_H

#include <stdint.h>

enum { MP_DLPACK_CPU = 1, MP_DLPACK_READ_ONLY = 1 };

typedef struct mp_dlpack_tensor {
  void *data;
  int32_t device_type, device_id;
  int32_t rank;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *dims;
  int64_t *strides;  // in elements; NULL: dense
  uint64_t byte_offset;
} mp_dlpack_tensor;

typedef struct mp_dlpack_managed {
  mp_dlpack_tensor tensor;
  void *context;
  void (*destroy)(struct mp_dlpack_managed *self);
} mp_dlpack_managed;

typedef struct mp_dlpack_versioned {
  uint32_t major, minor;
  void *context;
  void (*destroy)(struct mp_dlpack_versioned *self);
  uint64_t flags;
  mp_dlpack_tensor tensor;
} mp_dlpack_versioned;

#endif
