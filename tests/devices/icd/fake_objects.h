// What the files of fake_icd know of one another: its objects, and how a call begins.
#ifndef MR_TESTS_DEVICES_ICD_FAKE_OBJECTS_H
#define MR_TESTS_DEVICES_ICD_FAKE_OBJECTS_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include <CL/cl_icd.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "tests/devices/icd/fake_icd.h"

extern fake_icd fake_icd_state;
extern const cl_icd_dispatch fake_table;

// Every object begins with the table.
struct _cl_platform_id {
  const cl_icd_dispatch *dispatch;
};
struct _cl_device_id {
  const cl_icd_dispatch *dispatch;
};
struct _cl_context {
  const cl_icd_dispatch *dispatch;
  _Atomic(int) refs;
};
struct _cl_command_queue {
  const cl_icd_dispatch *dispatch;
  _Atomic(int) refs;
  _Atomic(int64_t) queued;
};
struct _cl_mem {
  const cl_icd_dispatch *dispatch;
  _Atomic(int) refs;
  size_t size;
  char *data;
  bool foreign;
};
struct _cl_event {
  const cl_icd_dispatch *dispatch;
  _Atomic(int) refs;
  _Atomic(int) asked;  // by so many now
};
struct _cl_program {
  const cl_icd_dispatch *dispatch;
  _Atomic(int) refs;
  bool broken;
};
enum { FAKE_ARGUMENTS = 16, FAKE_ARGUMENT_BYTES = 16 };
struct _cl_kernel {
  const cl_icd_dispatch *dispatch;
  _Atomic(int) refs;
  unsigned char arguments[FAKE_ARGUMENTS][FAKE_ARGUMENT_BYTES];
};

// ---- Calls ----------------------------------------------------------------------------------------------------------

// What this call is to answer.
cl_int fake_enter(const char *function);
bool fake_is_lost(void);
#define ENTER()                     \
  cl_int rc = fake_enter(__func__); \
  if (rc != CL_SUCCESS) return rc
#define ENTER_OBJECT(out_rc)        \
  cl_int rc = fake_enter(__func__); \
  if (out_rc) *(out_rc) = rc;       \
  if (rc != CL_SUCCESS) return NULL

void *fake_make(size_t size);

// A release that fails has released all the same.
#define RELEASE(object)                              \
  do {                                               \
    cl_int release_rc = fake_enter(__func__);        \
    if (atomic_fetch_sub(&(object)->refs, 1) == 1) { \
      atomic_fetch_sub(&fake_icd_state.live, 1);     \
      free(object);                                  \
    }                                                \
    return release_rc;                               \
  } while (0)

cl_int fake_answer(const void *value, size_t size, size_t room, void *to, size_t *out_size);

// ---- fake_commands.c ------------------------------------------------------------------------------------------------

cl_int fake_read(cl_command_queue queue, cl_mem memory, cl_bool blocks, size_t offset, size_t size, void *to,
                 cl_uint count, const cl_event *events, cl_event *out_event);
cl_int fake_write(cl_command_queue queue, cl_mem memory, cl_bool blocks, size_t offset, size_t size, const void *from,
                  cl_uint count, const cl_event *events, cl_event *out_event);
cl_int fake_copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size,
                 cl_uint count, const cl_event *events, cl_event *out_event);
cl_int fake_fill(cl_command_queue queue, cl_mem memory, const void *pattern, size_t pattern_size, size_t offset,
                 size_t size, cl_uint count, const cl_event *events, cl_event *out_event);
void *fake_map(cl_command_queue queue, cl_mem memory, cl_bool blocks, cl_map_flags flags, size_t offset, size_t size,
               cl_uint count, const cl_event *events, cl_event *out_event, cl_int *out_rc);
cl_int fake_unmap(cl_command_queue queue, cl_mem memory, void *at, cl_uint count, const cl_event *events,
                  cl_event *out_event);
cl_int fake_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                   const size_t *global, const size_t *local, cl_uint count, const cl_event *events,
                   cl_event *out_event);
cl_int fake_marker(cl_command_queue queue, cl_uint count, const cl_event *events, cl_event *out_event);
cl_int fake_flush(cl_command_queue queue);
cl_int fake_finish(cl_command_queue queue);
typedef void(CL_CALLBACK *fake_event_callback)(cl_event event, cl_int status, void *user);
cl_int fake_set_callback(cl_event event, cl_int type, fake_event_callback tell, void *user);
cl_int fake_release_event(cl_event event);
cl_int fake_event_info(cl_event event, cl_event_info what, size_t room, void *to, size_t *size);
cl_int fake_profile(cl_event event, cl_profiling_info what, size_t room, void *to, size_t *size);

#endif
