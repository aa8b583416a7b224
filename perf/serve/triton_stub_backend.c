// A Triton backend that answers at once: zeros of [rows, 10] for an input of [rows, 784], all f32. What a server with it takes is Triton's own.
//
//   gcc -O2 -shared -fPIC -I . -I INCLUDE perf/serve/triton_stub_backend.c -o BACKENDS/stub/libtriton_stub.so
#include <string.h>
#include <time.h>

#include "serve/triton/triton.h"

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static TRITONSERVER_Error *answer(TRITONBACKEND_Request *request, int64_t *out_rows) {
  TRITONBACKEND_Input *input;
  const int64_t *shape;
  uint32_t rank;
  TRITONSERVER_Error *error = TRITONBACKEND_RequestInputByIndex(request, 0, &input);
  if (!error) {
    error = TRITONBACKEND_InputProperties(input, NULL, NULL, &shape, &rank, NULL, NULL);
  }
  if (error) {
    return error;
  }
  *out_rows = shape[0];
  TRITONBACKEND_Response *response;
  TRITONBACKEND_Output *output;
  const int64_t dims[] = {shape[0], 10};
  const uint64_t bytes = (uint64_t)shape[0] * 10 * sizeof(float);
  void *data;
  TRITONSERVER_MemoryType type = TRITONSERVER_MEMORY_CPU;
  int64_t place = 0;
  error = TRITONBACKEND_ResponseNew(&response, request);
  if (error) {
    return error;
  }
  error = TRITONBACKEND_ResponseOutput(response, &output, "y", TRITONSERVER_TYPE_FP32, dims, 2);
  if (!error) {
    error = TRITONBACKEND_OutputBuffer(output, &data, bytes, &type, &place);
  }
  if (!error) {
    memset(data, 0, bytes);
  }
  return TRITONBACKEND_ResponseSend(response, TRITONSERVER_RESPONSE_COMPLETE_FINAL, error);
}

// Statistics are reported as Triton's contract asks, as every backend does.
SV_TRITON_EXPORT TRITONSERVER_Error *TRITONBACKEND_ModelInstanceExecute(TRITONBACKEND_ModelInstance *instance,
                                                                        TRITONBACKEND_Request **requests,
                                                                        const uint32_t count) {
  const uint64_t begin = now_ns();
  uint64_t rows = 0;
  for (uint32_t i = 0; i < count; i++) {
    int64_t own = 0;
    TRITONSERVER_Error *error = answer(requests[i], &own);
    const uint64_t end = now_ns();
    rows += (uint64_t)own;
    TRITONBACKEND_ModelInstanceReportStatistics(instance, requests[i], !error, begin, begin, end, end);
    if (error) {
      TRITONSERVER_ErrorDelete(error);
    }
    TRITONBACKEND_RequestRelease(requests[i], TRITONSERVER_REQUEST_RELEASE_ALL);
  }
  const uint64_t end = now_ns();
  TRITONBACKEND_ModelInstanceReportBatchStatistics(instance, rows, begin, begin, end, end);
  return NULL;
}
