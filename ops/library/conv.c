// Convolutions of the library: none yet, so every convolution runs as a generated loop.
#include "ops/library/library.h"

bool mr_conv_supports(const mr_conv_desc *desc) {
  (void)desc;
  return false;
}

mr_status mr_conv_create(const mr_conv_desc *desc, mr_library_call **out_call) {
  (void)desc;
  *out_call = NULL;
  return mr_error(MR_UNIMPLEMENTED, "library convolution");
}
