#include "compiler/lower/fuse.h"

mr_status mr_fuse(mr_function *function) {
  (void)function;
  return MR_OK;
}
