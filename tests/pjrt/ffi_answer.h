// How a handler of a test says which version of the FFI it has.
#ifndef MR_TESTS_PJRT_FFI_ANSWER_H
#define MR_TESTS_PJRT_FFI_ANSWER_H

#include "pjrt/ffi/xla_ffi.h"
#include "tests/cmocka.h"

// At the start of a handler, as XLA's headers have it.
#define FFI_ANSWER(frame, minor)         \
  do {                                   \
    if (ffi_was_asked((frame), minor)) { \
      return NULL;                       \
    }                                    \
  } while (0)
static inline bool ffi_was_asked(XLA_FFI_CallFrame *frame, int minor) {
  const XLA_FFI_InternalExtension *extension = frame->extension_start;
  if (extension == NULL || extension->type != XLA_FFI_EXTENSION_METADATA) {
    return false;
  }
  XLA_FFI_Metadata *metadata = ((const XLA_FFI_Metadata_Extension *)extension)->metadata;
  assert_true(metadata->struct_size >= XLA_FFI_METADATA_SIZE);
  metadata->api_version.major_version = 0;
  metadata->api_version.minor_version = minor;
  return true;
}

#endif
