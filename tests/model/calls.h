// Stand-ins for what compiler/run/steps.c does around calls of the host's and of libraries (compiler/run/run.h): no process ends here.
#ifndef MR_TESTS_MODEL_CALLS_H
#define MR_TESTS_MODEL_CALLS_H

#include "compiler/run/run.h"

mr_status mr_step_call_begin(host_call *out_call) {
  *out_call = (host_call){0};
  return MR_OK;
}
void mr_step_call_end(mr_executable *e, host_call call) {
  (void)e;
  (void)call;
}
mr_status mr_step_library_begin(const mr_library_call *call, host_call *out_call) {
  (void)call;
  return mr_step_call_begin(out_call);
}
void mr_step_library_end(mr_executable *e, mr_library_call *call, host_call host) {
  (void)call;
  mr_step_call_end(e, host);
}

#endif
