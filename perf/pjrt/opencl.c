// What a call costs on an OpenCL device: an executable of one kernel, x + 1 on 128 floats, from PJRT_LoadedExecutable_Execute to the
// caller's knowledge that its result is ready, beside a kernel of the same work bare: clEnqueueNDRangeKernel, clSetEventCallback,
// clFlush, and the caller's knowledge of the callback. Both in this process and on the same runtime, in turns; medians and minima.
// The caller waits for the event, or with "callback" for a function that the event calls.
//
//   POCL_DEVICES=pthread build/release/perf/perf_pjrt_opencl [rounds [caller|callback [LIBRARY]]]
#include <string.h>
#include <time.h>

#include "devices/opencl/discover.h"
#include "futures/futures.h"
#include "perf/pjrt/add_one.h"

enum { MOST = 20000 };

// ---- Knowing of an end ----------------------------------------------------------------------------------------------

// Both sides wait for a future of ours: for a moment awake, and then asleep.
static mr_future is_over;

static void tell(void) { mr_future_set(&is_over, MR_OK); }

// ---- Bare -----------------------------------------------------------------------------------------------------------

static const char source[] = "kernel void add(global const float *x, global float *y) {\n"
                             "  for (int i = 0; i < 128; i++) y[i] = x[i] + 1.0f;\n"
                             "}\n";

typedef struct bare_side {
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_kernel kernel;
  cl_mem x, y;
} bare_side;

static void worked(const char *what, cl_int rc) {
  if (rc != CL_SUCCESS) {
    fprintf(stderr, "%s: %s\n", what, mr_ocl_error_name(rc));
    exit(1);
  }
}

static bare_side open_bare(void) {
  const mr_ocl_info *info;
  mr_status status = mr_ocl_choose(mr_str_of("all"), 0, &info);
  if (status) {
    fprintf(stderr, "%s\n", mr_status_message(status));
    exit(1);
  }
  bare_side b;
  cl_int rc;
  const char *text = source;
  const cl_context_properties platform[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)info->platform, 0};
  b.context = CL(CreateContext)(platform, 1, &info->device, NULL, NULL, &rc);
  worked("clCreateContext", rc);
  b.queue = CL(CreateCommandQueue)(b.context, info->device, 0, &rc);
  worked("clCreateCommandQueue", rc);
  b.program = CL(CreateProgramWithSource)(b.context, 1, &text, NULL, &rc);
  worked("clCreateProgramWithSource", rc);
  worked("clBuildProgram", CL(BuildProgram)(b.program, 1, &info->device, "-cl-std=CL1.2", NULL, NULL));
  b.kernel = CL(CreateKernel)(b.program, "add", &rc);
  worked("clCreateKernel", rc);
  b.x = CL(CreateBuffer)(b.context, CL_MEM_READ_WRITE, SIZE * 4, NULL, &rc);
  worked("clCreateBuffer", rc);
  b.y = CL(CreateBuffer)(b.context, CL_MEM_READ_WRITE, SIZE * 4, NULL, &rc);
  worked("clCreateBuffer", rc);
  worked("clSetKernelArg", CL(SetKernelArg)(b.kernel, 0, sizeof(cl_mem), &b.x));
  worked("clSetKernelArg", CL(SetKernelArg)(b.kernel, 1, sizeof(cl_mem), &b.y));
  return b;
}

static void close_bare(const bare_side *b) {
  CL(ReleaseMemObject)(b->x);
  CL(ReleaseMemObject)(b->y);
  CL(ReleaseKernel)(b->kernel);
  CL(ReleaseProgram)(b->program);
  CL(ReleaseCommandQueue)(b->queue);
  CL(ReleaseContext)(b->context);
}

static void CL_CALLBACK bare_ended(cl_event event, cl_int status, void *user) {
  (void)event;
  (void)status;
  (void)user;
  tell();
}

static double bare_ns(const bare_side *b) {
  const size_t one = 1;
  cl_event event;
  mr_future_init(&is_over);
  uint64_t start = mr_now_ns();
  CL(EnqueueNDRangeKernel)(b->queue, b->kernel, 1, NULL, &one, &one, 0, NULL, &event);
  CL(SetEventCallback)(event, CL_COMPLETE, bare_ended, NULL);
  CL(Flush)(b->queue);
  mr_future_wait(&is_over);
  double took = (double)(mr_now_ns() - start);
  CL(ReleaseEvent)(event);
  return took;
}

// ---- Ours -----------------------------------------------------------------------------------------------------------

typedef struct our_side {
  add_one of;
  bool by_callback;
} our_side;

static void close_ours(const our_side *s) {
  destroy_buffer(s->of.x);
  destroy_executable(s->of.executable);
  destroy_client(s->of.client);
}

static void our_ended(PJRT_Error *error, void *user) {
  (void)user;
  check(error, "Execute");
  tell();
}

static double our_ns(const our_side *s) {
  PJRT_Buffer *result = NULL, **results = &result, *const *arguments = &s->of.x;
  PJRT_ExecuteOptions options = {.struct_size = sizeof options};
  PJRT_LoadedExecutable_Execute_Args run = {.struct_size = sizeof run,
                                            .executable = s->of.executable,
                                            .options = &options,
                                            .num_devices = 1,
                                            .num_args = 1,
                                            .argument_lists = &arguments,
                                            .output_lists = &results};
  mr_future_init(&is_over);
  uint64_t start = mr_now_ns();
  CALL(LoadedExecutable_Execute, &run);
  PJRT_Buffer_ReadyEvent_Args ready = {.struct_size = sizeof ready, .buffer = result};
  CALL(Buffer_ReadyEvent, &ready);
  if (s->by_callback) {
    PJRT_Event_OnReady_Args then = {.struct_size = sizeof then, .event = ready.event, .callback = our_ended};
    CALL(Event_OnReady, &then);
    mr_future_wait(&is_over);
  } else {
    PJRT_Event_Await_Args await = {.struct_size = sizeof await, .event = ready.event};
    CALL(Event_Await, &await);
  }
  double took = (double)(mr_now_ns() - start);
  destroy_event(ready.event);
  destroy_buffer(result);
  return took;
}

// ---- Both -----------------------------------------------------------------------------------------------------------

// What one side leaves to be done when its caller knows of the end is no business of the other's.
static void let_it_end(void) { nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL); }

static double turn_ns(const our_side *ours, const bare_side *bare, bool is_ours) {
  let_it_end();
  return is_ours ? our_ns(ours) : bare_ns(bare);
}

static int by_value(const void *a, const void *b) {
  double difference = *(const double *)a - *(const double *)b;
  return difference < 0 ? -1 : difference > 0;
}

int main(int argc, char **argv) {
  static double times[2][MOST];
  int rounds = argc > 1 ? atoi(argv[1]) : 2000;
  rounds = MR_MAX(1, MR_MIN(rounds, (int)MOST));
  setenv("MILLRACE_DEVICES", "opencl:all", 0);
  our_side ours = {.of = open_add_one(argc > 3 ? argv[3] : NULL)};
  ours.by_callback = argc > 2 && strcmp(argv[2], "callback") == 0;
  bare_side bare = open_bare();
  for (int i = -rounds / 10; i < rounds; i++) {
    for (int turn = 0; turn < 2; turn++) {  // who is first changes
      int side = (i + turn) & 1;
      times[side][MR_MAX(i, 0)] = turn_ns(&ours, &bare, side);
    }
  }
  for (int s = 0; s < 2; s++) {
    qsort(times[s], (size_t)rounds, sizeof *times[s], by_value);
  }
  const double *b = times[0], *o = times[1];
  printf("one kernel, to the %s: bare %.1f us (least %.1f), executable %.1f us (least %.1f), ratio %.2f (%.2f)\n",
         ours.by_callback ? "callback" : "caller", b[rounds / 2] / 1e3, b[0] / 1e3, o[rounds / 2] / 1e3, o[0] / 1e3,
         o[rounds / 2] / b[rounds / 2], o[0] / b[0]);
  close_bare(&bare);
  close_ours(&ours);
  return 0;
}
