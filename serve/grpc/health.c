// grpc.health.v1.Health. The empty service and the names of these two are as ready as the server; a model's name is as ready as the model.
#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdlib.h>

#include "serve/grpc/internal.h"

typedef enum health_status { UNKNOWN, SERVING, NOT_SERVING, SERVICE_UNKNOWN } health_status;

// How often a Watch looks.
enum { WATCH_SECONDS = 1 };

static health_status look(sv_service *service, sv_str name) {
  if (!name.size || sv_str_is(name, "inference.GRPCInferenceService") || sv_str_is(name, "grpc.health.v1.Health")) {
    return sv_service_is_ready(service) ? SERVING : NOT_SERVING;
  }
  sv_version *version;
  sv_error *error = sv_repository_find(service->repository, name, (sv_str){0}, &version);
  if (error) {
    sv_error_free(error);
    return SERVICE_UNKNOWN;
  }
  sv_version_release(version);
  return atomic_load_explicit(&service->draining, memory_order_relaxed) ? NOT_SERVING : SERVING;
}

sv_error *sv_grpc_health_check(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out) {
  (void)call;
  sv_str name;
  SV_TRY(sv_grpc_read_texts(message, &name, NULL));
  health_status health = look(sv_grpc_of(grpc), name);
  if (health == SERVICE_UNKNOWN) {
    return sv_errorf(MILLRACE_NOT_FOUND, "there is no service '%.*s' here", SV_FMT(name));
  }
  sv_wire_put_uint(out, 1, health);
  return NULL;
}

typedef struct health_watch {
  sv_grpc_user user;
  sv_grpc *grpc;
  sv_call *call;
  char *name;  // NULL: not asked yet
  health_status told;
  struct event timer;
} health_watch;

static void finish(health_watch *watch, millrace_code code, const char *message) {
  event_del(&watch->timer);
  sv_call_finish(watch->call, code, message);
  free(watch->name);
  free(watch);
}

static void tell(health_watch *watch) {
  static const char messages[][2] = {{8, UNKNOWN}, {8, SERVING}, {8, NOT_SERVING}, {8, SERVICE_UNKNOWN}};
  health_status health = look(sv_grpc_of(watch->grpc), sv_str_of(watch->name));
  if (health != watch->told) {
    watch->told = health;
    const sv_piece piece = {messages[health], sizeof messages[health]};
    sv_call_send(watch->call, &piece, 1, NULL, NULL);
  }
}

static void on_timer(evutil_socket_t descriptor, short what, void *argument) {
  (void)descriptor, (void)what;
  health_watch *watch = argument;
  tell(watch);
  if (atomic_load_explicit(&sv_grpc_of(watch->grpc)->draining, memory_order_relaxed)) {
    finish(watch, MILLRACE_UNAVAILABLE, "the server is shutting down");  // it must not keep the server
    return;
  }
  event_add(&watch->timer, &(struct timeval){.tv_sec = WATCH_SECONDS});
}

bool sv_grpc_watch_open(sv_grpc *grpc, sv_call *call, const sv_grpc_method *method) {
  health_watch *watch = calloc(1, sizeof *watch);
  if (!watch) {
    sv_call_finish(call, MILLRACE_RESOURCE_EXHAUSTED, "out of memory");
    return false;
  }
  watch->user.method = method;
  watch->grpc = grpc;
  watch->call = call;
  watch->told = UNKNOWN;
  event_assign(&watch->timer, sv_loop_base(sv_call_loop(call)), -1, 0, on_timer, watch);
  sv_call_set_user(call, watch);
  return true;
}

void sv_grpc_watch_message(void *user, sv_call *call, sv_str message) {
  health_watch *watch = user;
  sv_str name;
  sv_error *error = sv_grpc_read_texts(message, &name, NULL);
  sv_call_consumed(call, message.size);
  if (watch->name) {
    sv_error_free(error);
    return;
  }
  if (!error && !(watch->name = sv_str_copy(name))) {
    error = sv_no_memory();
  }
  if (error) {
    finish(watch, sv_error_code(error), sv_error_message(error));
    sv_error_free(error);
    return;
  }
  tell(watch);
  event_add(&watch->timer, &(struct timeval){.tv_sec = WATCH_SECONDS});
}

void sv_grpc_watch_half_closed(void *user, sv_call *call) {
  (void)call;
  health_watch *watch = user;
  if (!watch->name) {
    finish(watch, MILLRACE_INTERNAL, "the call has no message");
  }
}

void sv_grpc_watch_gone(void *user, millrace_code why) { finish(user, why, "the client is gone"); }

void sv_grpc_watch_draining(void *user) {
  health_watch *watch = user;
  finish(watch, MILLRACE_UNAVAILABLE, "the server is shutting down");
}
