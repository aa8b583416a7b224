// FFI handlers as a user writes them, against jaxlib's C header: built and registered by test_ffi.py.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "xla/ffi/api/c_api.h"

// What a library is asked for when its handler is registered.
static bool is_metadata(XLA_FFI_CallFrame *frame) {
  XLA_FFI_Extension_Base *extension = frame->extension_start;
  if (extension == NULL || extension->type != XLA_FFI_Extension_Metadata) {
    return false;
  }
  XLA_FFI_Metadata *metadata = ((XLA_FFI_Metadata_Extension *)extension)->metadata;
  metadata->api_version.major_version = XLA_FFI_API_MAJOR;
  metadata->api_version.minor_version = XLA_FFI_API_MINOR;
  metadata->traits = 0;
  metadata->state_type_id.type_id = 0;
  return true;
}

static XLA_FFI_Error *error(XLA_FFI_CallFrame *frame, XLA_FFI_Error_Code code, const char *message) {
  XLA_FFI_Error_Create_Args args = {
      .struct_size = XLA_FFI_Error_Create_Args_STRUCT_SIZE, .message = message, .errc = code};
  return frame->api->XLA_FFI_Error_Create(&args);
}

static const void *attribute(XLA_FFI_CallFrame *frame, const char *name, XLA_FFI_AttrType type) {
  for (int64_t i = 0; i < frame->attrs.size; i++) {
    const XLA_FFI_ByteSpan *at = frame->attrs.names[i];
    if (at->len == strlen(name) && memcmp(at->ptr, name, at->len) == 0) {
      return frame->attrs.types[i] == type ? frame->attrs.attrs[i] : NULL;
    }
  }
  return NULL;
}

static int64_t elements(const XLA_FFI_Buffer *buffer) {
  int64_t count = 1;
  for (int64_t i = 0; i < buffer->rank; i++) {
    count *= buffer->dims[i];
  }
  return count;
}

// x * factor + the length of a text + the sum of a list.
XLA_FFI_Error *Scale(XLA_FFI_CallFrame *frame) {
  if (is_metadata(frame)) {
    return NULL;
  }
  const XLA_FFI_Scalar *factor = attribute(frame, "factor", XLA_FFI_AttrType_SCALAR);
  const XLA_FFI_ByteSpan *label = attribute(frame, "label", XLA_FFI_AttrType_STRING);
  const XLA_FFI_Array *weights = attribute(frame, "weights", XLA_FFI_AttrType_ARRAY);
  if (!factor || !label || !weights || factor->dtype != XLA_FFI_DataType_F32 ||
      weights->dtype != XLA_FFI_DataType_S32) {
    return error(frame, XLA_FFI_Error_Code_INVALID_ARGUMENT, "attributes are not what they should be");
  }
  float plus = (float)label->len;
  for (size_t i = 0; i < weights->size; i++) {
    plus += (float)((const int32_t *)weights->data)[i];
  }
  const XLA_FFI_Buffer *x = frame->args.args[0], *y = frame->rets.rets[0];
  for (int64_t i = 0; i < elements(x); i++) {
    ((float *)y->data)[i] = ((const float *)x->data)[i] * *(const float *)factor->value + plus;
  }
  return NULL;
}

// ---- State ----------------------------------------------------------------------------------------------------------

XLA_FFI_TypeId counter_id;
static atomic_int counters;

static void delete_counter(void *object) {
  free(object);
  atomic_fetch_sub(&counters, 1);
}
XLA_FFI_TypeInfo counter_info = {.struct_size = XLA_FFI_TypeInfo_STRUCT_SIZE, .deleter = delete_counter};

int live_counters(void) { return atomic_load(&counters); }

XLA_FFI_Error *CounterInstantiate(XLA_FFI_CallFrame *frame) {
  if (is_metadata(frame)) {
    XLA_FFI_Metadata *metadata = ((XLA_FFI_Metadata_Extension *)frame->extension_start)->metadata;
    metadata->state_type_id = counter_id;
    return NULL;
  }
  const XLA_FFI_Scalar *start = attribute(frame, "start", XLA_FFI_AttrType_SCALAR);
  atomic_int *counter = malloc(sizeof *counter);
  *counter = *(const int32_t *)start->value;
  atomic_fetch_add(&counters, 1);
  XLA_FFI_State_Set_Args args = {.struct_size = XLA_FFI_State_Set_Args_STRUCT_SIZE,
                                 .ctx = frame->ctx,
                                 .stage = XLA_FFI_ExecutionStage_INSTANTIATE,
                                 .type_id = &counter_id,
                                 .state = counter};
  return frame->api->XLA_FFI_State_Set(&args);
}

// How often this compiled program has called, from `start` on.
XLA_FFI_Error *CounterExecute(XLA_FFI_CallFrame *frame) {
  if (is_metadata(frame)) {
    return NULL;
  }
  XLA_FFI_State_Get_Args args = {.struct_size = XLA_FFI_State_Get_Args_STRUCT_SIZE,
                                 .ctx = frame->ctx,
                                 .stage = XLA_FFI_ExecutionStage_INSTANTIATE,
                                 .type_id = &counter_id};
  XLA_FFI_Error *failed = frame->api->XLA_FFI_State_Get(&args);
  if (failed) {
    return failed;
  }
  *(int32_t *)((const XLA_FFI_Buffer *)frame->rets.rets[0])->data = atomic_fetch_add((atomic_int *)args.state, 1);
  return NULL;
}

// ---- Asynchronous ---------------------------------------------------------------------------------------------------

typedef struct later {
  const XLA_FFI_Api *api;
  XLA_FFI_Future *future;
  const float *x;
  float *y;
  int64_t count;
  bool fails;
} later;

static void *finish_later(void *argument) {
  later *self = argument;
  usleep(20000);
  for (int64_t i = 0; i < self->count; i++) {
    self->y[i] = 3 * self->x[i];
  }
  if (self->fails) {
    XLA_FFI_Error_Create_Args made = {.struct_size = XLA_FFI_Error_Create_Args_STRUCT_SIZE,
                                      .message = "later it failed",
                                      .errc = XLA_FFI_Error_Code_ABORTED};
    XLA_FFI_Future_SetError_Args args = {.struct_size = XLA_FFI_Future_SetError_Args_STRUCT_SIZE,
                                         .future = self->future,
                                         .error = self->api->XLA_FFI_Error_Create(&made)};
    self->api->XLA_FFI_Future_SetError(&args);
  } else {
    XLA_FFI_Future_SetAvailable_Args args = {.struct_size = XLA_FFI_Future_SetAvailable_Args_STRUCT_SIZE,
                                             .future = self->future};
    self->api->XLA_FFI_Future_SetAvailable(&args);
  }
  free(self);
  return NULL;
}

// x * 3 by a thread of the library's own, or an error when x[0] is negative.
XLA_FFI_Error *Later(XLA_FFI_CallFrame *frame) {
  if (is_metadata(frame)) {
    return NULL;
  }
  XLA_FFI_Future_Create_Args made = {.struct_size = XLA_FFI_Future_Create_Args_STRUCT_SIZE};
  XLA_FFI_Error *failed = frame->api->XLA_FFI_Future_Create(&made);
  if (failed) {
    return failed;
  }
  const XLA_FFI_Buffer *x = frame->args.args[0], *y = frame->rets.rets[0];
  later *self = malloc(sizeof *self);
  *self = (later){frame->api, made.future, x->data, y->data, elements(x), ((const float *)x->data)[0] < 0};
  pthread_t thread;
  pthread_create(&thread, NULL, finish_later, self);
  pthread_detach(thread);
  frame->future = made.future;
  return NULL;
}

// ---- Others ---------------------------------------------------------------------------------------------------------

// Adds one in place, which only works when the result has the operand's memory.
XLA_FFI_Error *Increment(XLA_FFI_CallFrame *frame) {
  if (is_metadata(frame)) {
    return NULL;
  }
  const XLA_FFI_Buffer *x = frame->args.args[0], *y = frame->rets.rets[0];
  if (x->data != y->data) {
    return error(frame, XLA_FFI_Error_Code_FAILED_PRECONDITION, "not in place");
  }
  for (int64_t i = 0; i < elements(x); i++) {
    ((float *)y->data)[i] += 1;
  }
  return NULL;
}

static atomic_int notes;
int noted(void) { return atomic_load(&notes); }

// Without results: called for its effect. With a token on either side it is also called in order.
XLA_FFI_Error *Note(XLA_FFI_CallFrame *frame) {
  if (is_metadata(frame)) {
    return NULL;
  }
  const XLA_FFI_Buffer *x = frame->args.args[0];
  atomic_store(&notes, atomic_load(&notes) % 10000 * 10 + *(const int32_t *)x->data);
  return NULL;
}

// Memory and threads of the runtime: eight tasks, each of which writes its place of a scratch block.
typedef struct share {
  atomic_int *left;
  char *place;
  pthread_t caller;
  atomic_int *elsewhere;  // tasks on threads other than the handler's
} share;

static void do_share(void *argument) {
  share *self = argument;
  *self->place = 1;
  atomic_fetch_add(self->elsewhere, !pthread_equal(self->caller, pthread_self()));
  atomic_fetch_sub(self->left, 1);
}

XLA_FFI_Error *Share(XLA_FFI_CallFrame *frame) {
  if (is_metadata(frame)) {
    return NULL;
  }
  XLA_FFI_DeviceMemory_Allocate_Args memory = {
      .struct_size = XLA_FFI_DeviceMemory_Allocate_Args_STRUCT_SIZE, .ctx = frame->ctx, .size = 8, .alignment = 64};
  XLA_FFI_Error *failed = frame->api->XLA_FFI_DeviceMemory_Allocate(&memory);
  if (failed) {
    return failed;
  }
  int64_t threads = 0;
  XLA_FFI_ThreadPool_NumThreads_Args count = {
      .struct_size = XLA_FFI_ThreadPool_NumThreads_Args_STRUCT_SIZE, .ctx = frame->ctx, .num_threads = &threads};
  failed = frame->api->XLA_FFI_ThreadPool_NumThreads(&count);
  atomic_int left = 8, elsewhere = 0;
  share shares[8];
  for (int i = 0; i < 8; i++) {
    shares[i] = (share){&left, (char *)memory.data + i, pthread_self(), &elsewhere};
    XLA_FFI_ThreadPool_Schedule_Args args = {.struct_size = XLA_FFI_ThreadPool_Schedule_Args_STRUCT_SIZE,
                                             .ctx = frame->ctx,
                                             .task = do_share,
                                             .data = &shares[i]};
    failed = frame->api->XLA_FFI_ThreadPool_Schedule(&args);
  }
  while (atomic_load(&left) > 0) {
    usleep(100);
  }
  int32_t sum = 0;
  for (int i = 0; i < 8; i++) {
    sum += ((const char *)memory.data)[i];
  }
  XLA_FFI_DeviceOrdinal_Get_Args ordinal = {.struct_size = XLA_FFI_DeviceOrdinal_Get_Args_STRUCT_SIZE,
                                            .ctx = frame->ctx};
  failed = frame->api->XLA_FFI_DeviceOrdinal_Get(&ordinal);
  int32_t *out = ((const XLA_FFI_Buffer *)frame->rets.rets[0])->data;
  out[0] = sum;
  out[1] = ordinal.device_ordinal;
  out[2] = (int32_t)threads;
  out[3] = atomic_load(&elsewhere);
  XLA_FFI_DeviceMemory_Free_Args release = {
      .struct_size = XLA_FFI_DeviceMemory_Free_Args_STRUCT_SIZE, .ctx = frame->ctx, .size = 8, .data = memory.data};
  return failed ? failed : frame->api->XLA_FFI_DeviceMemory_Free(&release);
}

// ---- Not typed: given addresses alone ----------------------------------------------------------------------------------------

// Three floats plus one.
void PlusOne(void *out, const void **in) {
  for (int i = 0; i < 3; i++) {
    ((float *)out)[i] = ((const float *)in[0])[i] + 1;
  }
}

// The sum and the difference of two operands of three floats.
void SumAndDifference(void *out, const void **in, void *status) {
  const float *a = in[0], *b = in[1];
  float *sum = ((void **)out)[0], *difference = ((void **)out)[1];
  for (int i = 0; status && i < 3; i++) {
    sum[i] = a[i] + b[i];
    difference[i] = a[i] - b[i];
  }
}

// A 2 x 3 matrix that comes by columns, by rows, plus the length of the call's text.
void Transposed(void *out, const void **in, const char *opaque, size_t size, void *status) {
  const float *a = in[0];
  for (int i = 0; opaque && status && i < 6; i++) {
    ((float *)out)[i] = a[i % 3 * 2 + i / 3] + (float)size;
  }
}
