// The methods of inference.GRPCInferenceService and grpc.health.v1.Health, and how a unary call runs.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/grpc/internal.h"

enum { MOST_POOLS = 64, MOST_SPARE = 256 };
// Texts of a work that grew beyond this are not kept.
static const size_t MOST_SPARE_TEXT = 16 * 1024;

// Works of one loop, to be used again. Only that loop's thread touches them.
struct sv_grpc_pool {
  sv_loop *loop;
  sv_grpc_work *spare;
  size_t count;
};

struct sv_grpc {
  sv_service *service;
  sv_rpc_service rpc;
  // Pools come and never go: the number is read without the lock (acquire), and written behind the pool's loop (release).
  sv_grpc_pool pools[MOST_POOLS];
  _Atomic(size_t) num_pools;
  pthread_mutex_t adding;
};

sv_service *sv_grpc_of(sv_grpc *grpc) { return grpc->service; }
sv_service *sv_grpc_service_of(const sv_grpc_work *work) { return work->grpc->service; }

// ---- Works ----------------------------------------------------------------------------------------------------------

static sv_grpc_pool *find_pool(sv_grpc *grpc, sv_loop *loop) {
  size_t count = atomic_load_explicit(&grpc->num_pools, memory_order_acquire);
  for (size_t i = 0; i < count; i++) {
    if (grpc->pools[i].loop == loop) {
      return &grpc->pools[i];
    }
  }
  pthread_mutex_lock(&grpc->adding);
  sv_grpc_pool *pool = NULL;
  count = atomic_load_explicit(&grpc->num_pools, memory_order_relaxed);  // changed under the lock alone
  if (count < MOST_POOLS) {
    pool = &grpc->pools[count];
    pool->loop = loop;
    atomic_store_explicit(&grpc->num_pools, count + 1, memory_order_release);
  }
  pthread_mutex_unlock(&grpc->adding);
  return pool;
}

sv_grpc_work *sv_grpc_work_create(sv_grpc *grpc, sv_call *call) {
  sv_loop *loop = sv_call_loop(call);
  sv_grpc_pool *pool = find_pool(grpc, loop);
  sv_grpc_work *work = pool ? pool->spare : NULL;
  if (work) {
    pool->spare = work->next;
    pool->count--;
  } else if (!(work = calloc(1, sizeof *work))) {
    return NULL;
  }
  work->grpc = grpc;
  work->pool = pool;
  work->call = call;
  work->references = 1;
  work->next = work->previous = NULL;
  return work;
}

static void destroy(sv_grpc_work *work) {
  sv_text *const texts[] = {&work->input_spans, &work->output_spans, &work->raw_spans,
                            &work->input_list,  &work->output_list,  &work->head,
                            &work->classes,     &work->places,       &work->pieces};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    sv_text_free(texts[i]);
  }
  sv_request_release(work->request);
  free(work);
}

static void clear(sv_grpc_work *work) {
  sv_grpc_infer_clear(work);
  if (work->request) {
    sv_request_reset(work->request);
  }
  sv_block_release(work->block);
  sv_block_release(work->typed);
  sv_error_free(work->error);
  sv_text *const texts[] = {&work->input_spans, &work->output_spans, &work->raw_spans,
                            &work->input_list,  &work->output_list,  &work->head,
                            &work->classes,     &work->places,       &work->pieces};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    if (texts[i]->capacity > MOST_SPARE_TEXT) {
      sv_text_free(texts[i]);
    } else {
      sv_text_clear(texts[i]);
    }
  }
  work->block = work->typed = NULL;
  work->error = NULL;
  work->version = NULL;
  work->call = NULL;
  work->stream = NULL;
  work->model = work->number = work->id = (sv_str){0};
  work->has_message = work->running = work->cancelled = false;
  work->gone = MILLRACE_OK;
  work->user.method = NULL;
}

void sv_grpc_work_release(sv_grpc_work *work) {
  if (--work->references) {
    return;
  }
  clear(work);
  sv_grpc_pool *pool = work->pool;
  if (pool && pool->count < MOST_SPARE) {
    work->next = pool->spare;
    pool->spare = work;
    pool->count++;
  } else {
    destroy(work);
  }
}

static void written(void *argument) { sv_grpc_work_release(argument); }

void sv_grpc_work_answer(sv_grpc_work *work) {
  if (work->head.failed) {
    sv_grpc_work_fail(work, sv_no_memory());
    return;
  }
  const sv_piece piece = {work->head.data, work->head.size};
  work->references++;
  sv_call_send(work->call, &piece, 1, written, work);
  sv_call_finish(work->call, MILLRACE_OK, NULL);
  sv_grpc_work_release(work);
}

void sv_grpc_work_fail(sv_grpc_work *work, sv_error *take_error) {
  sv_call_finish(work->call, sv_error_code(take_error), sv_error_message(take_error));
  sv_error_free(take_error);
  sv_grpc_work_release(work);
}

// ---- Methods --------------------------------------------------------------------------------------------------------

#define INFERENCE "/inference.GRPCInferenceService/"
#define HEALTH "/grpc.health.v1.Health/"

// The two that are called most come first.
static const sv_grpc_method methods[] = {
    {.path = INFERENCE "ModelInfer", .right = SV_RIGHT_INFER, .start = sv_grpc_infer_start, .gone = sv_grpc_infer_gone},
    {.path = INFERENCE "ModelStreamInfer",
     .right = SV_RIGHT_INFER,
     .open = sv_grpc_stream_open,
     .message = sv_grpc_stream_message,
     .half_closed = sv_grpc_stream_half_closed,
     .gone = sv_grpc_stream_gone,
     .draining = sv_grpc_stream_draining},
    {.path = INFERENCE "ServerLive", .answer = sv_grpc_server_live},
    {.path = INFERENCE "ServerReady", .answer = sv_grpc_server_ready},
    {.path = INFERENCE "ModelReady", .answer = sv_grpc_model_ready},
    {.path = INFERENCE "ServerMetadata", .right = SV_RIGHT_INFER, .answer = sv_grpc_server_metadata},
    {.path = INFERENCE "ModelMetadata", .right = SV_RIGHT_INFER, .answer = sv_grpc_model_metadata},
    {.path = INFERENCE "ModelConfig", .right = SV_RIGHT_INFER, .answer = sv_grpc_model_config},
    {.path = INFERENCE "ModelStatistics", .right = SV_RIGHT_INFER, .answer = sv_grpc_model_statistics},
    {.path = INFERENCE "RepositoryIndex", .right = SV_RIGHT_INFER, .answer = sv_grpc_repository_index},
    {.path = INFERENCE "RepositoryModelLoad", .right = SV_RIGHT_CONTROL, .start = sv_grpc_load},
    {.path = INFERENCE "RepositoryModelUnload", .right = SV_RIGHT_CONTROL, .start = sv_grpc_unload},
    {.path = INFERENCE "SystemSharedMemoryStatus", .right = SV_RIGHT_INFER, .answer = sv_grpc_memory_status},
    {.path = INFERENCE "SystemSharedMemoryRegister", .right = SV_RIGHT_INFER, .answer = sv_grpc_memory_register},
    {.path = INFERENCE "SystemSharedMemoryUnregister", .right = SV_RIGHT_INFER, .answer = sv_grpc_memory_unregister},
    {.path = INFERENCE "CudaSharedMemoryStatus", .right = SV_RIGHT_INFER, .answer = sv_grpc_not_there},
    {.path = INFERENCE "CudaSharedMemoryRegister", .right = SV_RIGHT_INFER, .answer = sv_grpc_not_there},
    {.path = INFERENCE "CudaSharedMemoryUnregister", .right = SV_RIGHT_INFER, .answer = sv_grpc_nothing},
    {.path = INFERENCE "TraceSetting", .right = SV_RIGHT_CONTROL, .answer = sv_grpc_not_there},
    {.path = INFERENCE "LogSettings", .right = SV_RIGHT_CONTROL, .answer = sv_grpc_not_there},
    {.path = HEALTH "Check", .answer = sv_grpc_health_check},
    {.path = HEALTH "Watch",
     .open = sv_grpc_watch_open,
     .message = sv_grpc_watch_message,
     .half_closed = sv_grpc_watch_half_closed,
     .gone = sv_grpc_watch_gone,
     .draining = sv_grpc_watch_draining},
};

static const sv_grpc_method *find_method(sv_str path) {
  for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
    if (sv_str_is(path, methods[i].path)) {
      return &methods[i];
    }
  }
  return NULL;
}

// ---- Calls ----------------------------------------------------------------------------------------------------------

static sv_error *allow(sv_service *service, const sv_grpc_method *method, sv_call *call) {
  if (method->right == SV_RIGHT_NONE) {
    return NULL;
  }
  sv_stream *stream = sv_call_stream(call);
  return sv_service_allow(service, method->right, sv_call_metadata(call, "authorization"),
                          sv_call_metadata(call, "x-api-key"), sv_stream_identity(stream), sv_stream_is_local(stream));
}

static void refuse_method(sv_call *call) {
  sv_str path = sv_call_path(call);
  char message[200];
  snprintf(message, sizeof message, "there is no method '%.*s' here", (int)(path.size < 100 ? path.size : 100),
           path.data);
  sv_call_finish(call, MILLRACE_UNIMPLEMENTED, message);
}

static bool on_open(void *self, sv_call *call) {
  sv_grpc *grpc = self;
  const sv_grpc_method *method = find_method(sv_call_path(call));
  atomic_fetch_add_explicit(&grpc->service->grpc_calls, 1, memory_order_relaxed);  // a count
  if (!method) {
    refuse_method(call);
    return false;
  }
  sv_error *error = allow(grpc->service, method, call);
  if (error) {
    sv_call_finish(call, sv_error_code(error), sv_error_message(error));
    sv_error_free(error);
    return false;
  }
  if (method->open) {
    return method->open(grpc, call, method);
  }
  sv_grpc_work *work = sv_grpc_work_create(grpc, call);
  if (!work) {
    sv_call_finish(call, MILLRACE_RESOURCE_EXHAUSTED, "out of memory");
    return false;
  }
  work->user.method = method;
  sv_call_set_user(call, work);
  return true;
}

static void run_unary(sv_grpc_work *work, sv_str message) {
  const sv_grpc_method *method = work->user.method;
  work->has_message = true;
  work->running = true;
  if (method->start) {
    work->block = sv_block_retain(sv_call_message_block(work->call));
    method->start(work, message);
    return;
  }
  sv_error *error = method->answer(work->grpc, work->call, message, &work->head);
  if (error) {
    sv_grpc_work_fail(work, error);
  } else {
    sv_grpc_work_answer(work);
  }
}

static void on_message(void *self, sv_call *call, sv_str message) {
  (void)self;
  sv_grpc_user *user = sv_call_user(call);
  if (user->method->open) {
    user->method->message(user, call, message);
    return;
  }
  // A second message of a unary call while the first is in work is left unread; one that comes later finds the call finished.
  sv_grpc_work *work = (sv_grpc_work *)user;
  if (!work->has_message) {
    run_unary(work, message);
  }
}

static void on_half_closed(void *self, sv_call *call) {
  (void)self;
  sv_grpc_user *user = sv_call_user(call);
  if (user->method->open) {
    user->method->half_closed(user, call);
    return;
  }
  sv_grpc_work *work = (sv_grpc_work *)user;
  if (!work->has_message) {
    sv_grpc_work_fail(work, sv_errorf(MILLRACE_INTERNAL, "the call has no message"));
  }
}

static void on_gone(void *self, sv_call *call, millrace_code why) {
  (void)self;
  sv_grpc_user *user = sv_call_user(call);
  if (user->method->open) {
    user->method->gone(user, why);
    return;
  }
  sv_grpc_work *work = (sv_grpc_work *)user;
  work->gone = why;
  if (!work->running) {
    sv_grpc_work_fail(work, sv_errorf(why, "the client is gone"));
  } else if (work->user.method->gone) {
    work->user.method->gone(work, why);
  }
}

// The first of raw_input_contents: the engine uses a large tensor where it lies if it lies well.
static size_t on_aligned(void *self, sv_call *call, sv_str beginning) {
  (void)self;
  const sv_grpc_method *method = ((sv_grpc_user *)sv_call_user(call))->method;
  bool infers = method->start == sv_grpc_infer_start || method->open == sv_grpc_stream_open;
  return infers ? sv_wire_find(beginning, 7) : 0;
}

static void on_draining(void *self, sv_call *call) {
  (void)self;
  sv_grpc_user *user = sv_call_user(call);
  if (user->method->draining) {
    user->method->draining(user);
  }
}

sv_grpc *sv_grpc_create(sv_service *service) {
  sv_grpc *grpc = calloc(1, sizeof *grpc);
  if (grpc) {
    grpc->service = service;
    grpc->rpc = (sv_rpc_service){.self = grpc,
                                 .open = on_open,
                                 .message = on_message,
                                 .half_closed = on_half_closed,
                                 .gone = on_gone,
                                 .draining = on_draining,
                                 .aligned = on_aligned};
    pthread_mutex_init(&grpc->adding, NULL);
  }
  return grpc;
}

const sv_rpc_service *sv_grpc_service(sv_grpc *grpc) { return &grpc->rpc; }

void sv_grpc_release(sv_grpc *grpc) {
  if (!grpc) {
    return;
  }
  size_t count = atomic_load_explicit(&grpc->num_pools, memory_order_acquire);
  for (size_t i = 0; i < count; i++) {
    while (grpc->pools[i].spare) {
      sv_grpc_work *work = grpc->pools[i].spare;
      grpc->pools[i].spare = work->next;
      destroy(work);
    }
  }
  pthread_mutex_destroy(&grpc->adding);
  free(grpc);
}
