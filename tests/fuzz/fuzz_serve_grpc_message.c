// Messages of every method, over fake models: the first byte is the method, the rest its message. What is answered must be well formed.
#include <assert.h>

#include "serve/grpc/internal.h"
#include "tests/serve/fake_service_grpc.h"

struct sv_call {
  sv_str path;
  void *user;
  sv_access access;
  sv_block *block;
  bool finished;
  int code;
  unsigned sent;
  void (*released[64])(void *argument);
  void *arguments[64];
  unsigned num_released;
};

// ---- In place of h2/ and net/ ---------------------------------------------------------------------------------------

static sv_task *posted;
void sv_loop_post(sv_loop *loop, sv_task *task) {
  (void)loop;
  task->next = posted;
  posted = task;
}
struct event_base *sv_loop_base(sv_loop *loop) { return (struct event_base *)loop; }
const char *sv_stream_identity(const sv_stream *stream) { return (const char *)stream; }
bool sv_stream_is_local(const sv_stream *stream) { return !stream; }
sv_str sv_call_path(const sv_call *call) { return call->path; }
sv_str sv_call_metadata(const sv_call *call, const char *name) {
  (void)call, (void)name;
  return (sv_str){0};
}
uint64_t sv_call_deadline_ns(const sv_call *call) {
  (void)call;
  return UINT64_MAX;
}
sv_loop *sv_call_loop(const sv_call *call) {
  (void)call;
  return NULL;
}
sv_stream *sv_call_stream(const sv_call *call) {
  (void)call;
  return NULL;
}
uint64_t sv_call_begin_ns(const sv_call *call) {
  (void)call;
  return 0;
}
void sv_call_set_user(sv_call *call, void *user) { call->user = user; }
void *sv_call_user(const sv_call *call) { return call->user; }
sv_access *sv_call_access(sv_call *call) { return &call->access; }
void sv_call_consumed(sv_call *call, size_t bytes) { (void)call, (void)bytes; }
sv_block *sv_call_message_block(const sv_call *call) { return call->block; }
bool sv_call_has_more(const sv_call *call) {
  (void)call;
  return false;
}
void sv_call_send(sv_call *call, const sv_piece *pieces, size_t num_pieces, void (*released)(void *argument),
                  void *argument) {
  sv_text all = {0};
  assert(!call->finished);
  for (size_t i = 0; i < num_pieces; i++) {
    sv_text_add(&all, pieces[i].data, pieces[i].size);  // all of it can be read
  }
  sv_wire wire;
  sv_wire_begin(&wire, sv_text_str(&all));
  for (sv_wire_field field; sv_wire_next(&wire, &field);) {
  }
  assert(!wire.bad);
  sv_text_free(&all);
  call->sent++;
  if (released) {
    assert(call->num_released < 64);
    call->released[call->num_released] = released;
    call->arguments[call->num_released++] = argument;
  }
}

void sv_call_finish(sv_call *call, millrace_code code, const char *message) {
  assert(!call->finished &&
         (code || call->sent || sv_str_is(call->path, "/inference.GRPCInferenceService/ModelStreamInfer")));
  (void)message;
  call->finished = true;
  call->code = (int)code;
}

// ---- The target -----------------------------------------------------------------------------------------------------

static const char *const methods[] = {"ModelInfer",
                                      "ModelStreamInfer",
                                      "ModelReady",
                                      "ServerMetadata",
                                      "ModelMetadata",
                                      "ModelConfig",
                                      "ModelStatistics",
                                      "RepositoryIndex",
                                      "RepositoryModelLoad",
                                      "RepositoryModelUnload",
                                      "SystemSharedMemoryStatus",
                                      "SystemSharedMemoryRegister",
                                      "SystemSharedMemoryUnregister",
                                      "CudaSharedMemoryUnregister",
                                      "TraceSetting"};

static void run_posted(void) {
  while (posted) {
    sv_task *task = posted;
    posted = task->next;
    task->run(task);
  }
}

static void run(const sv_rpc_service *rpc, const char *path, const uint8_t *data, size_t size) {
  sv_call call = {.path = sv_str_of(path), .block = sv_block_create(size + 1)};
  memcpy(call.block->data, data, size);
  if (rpc->open(rpc->self, &call)) {
    rpc->message(rpc->self, &call, (sv_str){(const char *)call.block->data, size});
    if (!call.finished) {
      rpc->half_closed(rpc->self, &call);
    }
    run_posted();
    fake_let_go();
  }
  assert(call.finished);
  for (unsigned i = 0; i < call.num_released; i++) {
    call.released[i](call.arguments[i]);
  }
  sv_block_release(call.block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static sv_service service;
  static sv_grpc *grpc;
  if (!grpc) {
    service = (sv_service){
        .name = "millrace", .version = "1", .body_bytes = 1 << 20, .control = true, .control_is_open = true};
    service.regions = sv_regions_create();
    grpc = sv_grpc_create(&service);
  }
  if (!size) {
    return 0;
  }

  char path[100];
  snprintf(path, sizeof path, "/inference.GRPCInferenceService/%s",
           methods[data[0] % (sizeof methods / sizeof methods[0])]);
  run(sv_grpc_service(grpc), path, data + 1, size - 1);
  return 0;
}
