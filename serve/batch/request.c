// Requests: made once for a connection, used again and again.
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#include "serve/batch/internal.h"

static void tell(sv_task *task) {
  sv_member *member = (sv_member *)((char *)task - offsetof(sv_member, told));
  if (member->expiry_ns) {
    event_del(member->timer);
    member->expiry_ns = 0;
  }
  member->request.done(&member->request);
}

sv_error *sv_request_create(sv_loop *loop, sv_request **out_request) {
  sv_member *member = calloc(1, sizeof *member);
  *out_request = member ? &member->request : NULL;
  if (!member) {
    return sv_no_memory();
  }
  member->loop = loop;
  member->told.run = tell;
  return NULL;
}

static sv_error *grow(sv_tensor **list, uint32_t *room, uint32_t count) {
  if (count > *room) {
    sv_tensor *larger = realloc(*list, count * sizeof **list);
    if (!larger) {
      return sv_no_memory();
    }
    *list = larger;
    *room = count;
  }
  return NULL;
}

sv_error *sv_request_prepare(sv_request *request, sv_version *version) {
  sv_member *member = sv_member_of(request);
  const sv_signature *s = &version->signature;
  SV_TRY(grow(&request->inputs, &member->room_inputs, s->num_inputs));
  SV_TRY(grow(&request->outputs, &member->room_outputs, s->num_outputs));
  for (uint32_t i = 0; i < s->num_inputs; i++) {
    sv_tensor *input = &request->inputs[i];
    *input = (sv_tensor){.dtype = s->inputs[i].dtype, .rank = s->inputs[i].rank};
    memcpy(input->dims, s->inputs[i].dims, sizeof input->dims);
  }
  request->num_outputs = s->num_outputs;
  sv_version *before = request->version;
  request->version = sv_version_retain(version);
  sv_version_release(before);
  return NULL;
}

void sv_request_reset(sv_request *request) {
  sv_member *member = sv_member_of(request);
  sv_batch_release(member->batch);
  member->batch = NULL;
  if (member->ensemble) {
    sv_ensemble_reset(member);
  }
  sv_block_release(request->inputs_block);
  sv_error_free(request->error);
  sv_version_release(request->version);
  sv_tensor *inputs = request->inputs, *outputs = request->outputs;
  *request = (sv_request){.inputs = inputs, .outputs = outputs};
  member->state = SV_REQUEST_IDLE;
  member->expiry_ns = 0;
}

void sv_request_release(sv_request *request) {
  if (!request) {
    return;
  }
  sv_member *member = sv_member_of(request);
  sv_request_reset(request);
  if (member->timer) {
    event_free(member->timer);
  }
  free(request->inputs);
  free(request->outputs);
  free(member);
}

void sv_member_done(sv_member *member, sv_error *take_error, bool here) {
  member->request.error = take_error;
  if (here && sv_loop_is_here(member->loop)) {
    tell(&member->told);
  } else {
    sv_loop_post(member->loop, &member->told);
  }
}

// ---- What a version takes -------------------------------------------------------------------------------------------

static sv_error *wrong_shape(const sv_port *port, const sv_tensor *tensor) {
  sv_text got = {0}, wanted = {0};
  sv_text_add_shape(&got, tensor->dims, tensor->rank);
  sv_text_add_shape(&wanted, port->dims, port->rank);
  sv_error *error = sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s' has shape %.*s, wanted %.*s (-1: any size)",
                              port->name, SV_FMT(sv_text_str(&got)), SV_FMT(sv_text_str(&wanted)));
  sv_text_free(&got);
  sv_text_free(&wanted);
  return error;
}

static sv_error *check_input(const sv_signature *s, uint32_t i, const sv_tensor *tensor) {
  const sv_port *port = &s->inputs[i];
  if (tensor->dtype != port->dtype) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s' has datatype %s, wanted %s", port->name,
                     sv_datatype_name(tensor->dtype), sv_datatype_name(port->dtype));
  }
  bool fits = tensor->rank == port->rank;
  for (uint32_t d = 0; fits && d < port->rank; d++) {
    fits = port->dims[d] < 0 ? tensor->dims[d] >= 0 : tensor->dims[d] == port->dims[d];
  }
  if (!fits) {
    return wrong_shape(port, tensor);
  }
  size_t bytes;
  if (!sv_tensor_bytes(tensor->dtype, tensor->dims, tensor->rank, &bytes) || bytes != tensor->bytes) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s' has %zu bytes, which is not what its shape says",
                     port->name, tensor->bytes);
  }
  return NULL;
}

static sv_error *check(sv_member *member) {
  const sv_signature *s = &member->request.version->signature;
  const sv_tensor *inputs = member->request.inputs;
  for (uint32_t i = 0; i < s->num_inputs; i++) {
    SV_TRY(check_input(s, i, &inputs[i]));
  }
  member->rows = 0;
  if (!s->max_batch_size || !s->num_inputs) {
    return NULL;
  }
  int64_t rows = inputs[0].dims[0];
  if (rows < 1 || rows > s->max_batch_size) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the request has %lld rows, model '%s' takes 1 to %u", (long long)rows,
                     s->model, s->max_batch_size);
  }
  for (uint32_t i = 1; i < s->num_inputs; i++) {
    if (inputs[i].dims[0] != rows) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "input '%s' has %lld rows, input '%s' %lld", s->inputs[i].name,
                       (long long)inputs[i].dims[0], s->inputs[0].name, (long long)rows);
    }
  }
  member->rows = (uint32_t)rows;
  return NULL;
}

// ---- Time -----------------------------------------------------------------------------------------------------------

static void expired(evutil_socket_t descriptor, short what, void *argument);

// On the loop. The earlier of the client's deadline and the queue's timeout.
static sv_error *set_timer(sv_member *member, const sv_queue_policy *policy) {
  const sv_request *request = &member->request;
  uint64_t timeout = policy->default_timeout_us * 1000;
  if (request->timeout_ns && policy->allow_timeout_override && (!timeout || request->timeout_ns < timeout)) {
    timeout = request->timeout_ns;
  }
  uint64_t at = timeout ? member->submit_ns + timeout : UINT64_MAX;
  member->expiry_is_deadline = request->deadline_ns && request->deadline_ns < at;
  at = member->expiry_is_deadline ? request->deadline_ns : at;
  if (at == UINT64_MAX) {
    return NULL;
  }
  if (!member->timer) {
    member->timer = event_new(sv_loop_base(member->loop), -1, 0, expired, member);
  }
  uint64_t left = at > member->submit_ns ? at - member->submit_ns : 0;
  struct timeval wait = {.tv_sec = (time_t)(left / 1000000000u), .tv_usec = (suseconds_t)(left / 1000 % 1000000)};
  if (!member->timer || event_add(member->timer, &wait)) {
    return sv_no_memory();
  }
  member->expiry_ns = at;
  return NULL;
}

static sv_error *late(const sv_member *member) {
  const sv_signature *s = &member->request.version->signature;
  double ms = (double)(sv_now_ns() - member->submit_ns) / 1e6;
  return member->expiry_is_deadline
             ? sv_errorf(MILLRACE_DEADLINE_EXCEEDED, "the deadline was over after %.1f ms in the queue of model '%s'",
                         ms, s->model)
             : sv_errorf(MILLRACE_UNAVAILABLE, "Request timeout expired: %.1f ms in the queue of model '%s'", ms,
                         s->model);
}

// Takes it out of the queue; false: it is not in it.
static bool leave_queue(sv_member *member, millrace_code code) {
  sv_version *version = member->request.version;
  pthread_mutex_lock(&version->lock);
  bool was_queued = member->state == SV_REQUEST_QUEUED;
  if (was_queued) {
    sv_queue_remove(version, member);
    member->state = SV_REQUEST_DONE;
    sv_statistics_add_failure(&version->statistics, code, sv_now_ns() - member->submit_ns);
  }
  pthread_mutex_unlock(&version->lock);
  if (was_queued) {
    sv_version_look_drained(version);
  }
  return was_queued;
}

static const sv_queue_policy *policy_of(const sv_version *version, uint32_t level) {
  const sv_config *config = version->config;
  return level <= SV_MAX_PRIORITIES && config->has_policy[level] ? &config->policies[level] : &config->policy;
}

static void expired(evutil_socket_t descriptor, short what, void *argument) {
  (void)descriptor;
  (void)what;
  sv_member *member = argument;
  sv_version *version = member->request.version;
  if (!member->expiry_is_deadline && policy_of(version, member->level)->timeout_action == SV_TIMEOUT_DELAY) {
    pthread_mutex_lock(&version->lock);
    if (member->state == SV_REQUEST_QUEUED) {
      sv_queue_remove(version, member);
      sv_queue_add(version, member, SV_MAX_PRIORITIES + 1);
    }
    pthread_mutex_unlock(&version->lock);
    return;
  }
  sv_error *error = late(member);
  if (leave_queue(member, sv_error_code(error))) {
    sv_member_done(member, error, true);
  } else {
    sv_error_free(error);
  }
}

// ---- In and out -----------------------------------------------------------------------------------------------------

static uint32_t level_of(const sv_version *version, uint32_t priority) {
  const sv_config *config = version->config;
  if (!config->priority_levels) {
    return 1;
  }
  uint32_t level = priority ? priority : config->default_priority;
  return level < 1 ? 1 : level > config->priority_levels ? config->priority_levels : level;
}

// NULL, or why there is no place for it.
static sv_error *enqueue(sv_member *member) {
  sv_version *version = member->request.version;
  const sv_queue_policy *policy = policy_of(version, member->level);
  uint32_t limit = policy->max_queue_size ? policy->max_queue_size : sv_engine_queue_limit(version->engine);
  bool tell_loop = false;
  sv_error *error = NULL;
  pthread_mutex_lock(&version->lock);
  if (version->pending >= limit) {
    error = sv_errorf(MILLRACE_UNAVAILABLE, "Exceeds maximum queue size: %u requests wait for model '%s'",
                      version->pending, version->signature.model);
  } else {
    error = sv_sizes_find(version, member->request.inputs, &member->sizes);
  }
  if (!error) {
    member->state = SV_REQUEST_QUEUED;
    sv_queue_add(version, member, member->level);
    tell_loop = !version->round_waits;
    version->round_waits = true;
  } else {
    sv_statistics_add_failure(&version->statistics, sv_error_code(error), sv_now_ns() - member->submit_ns);
  }
  pthread_mutex_unlock(&version->lock);
  if (tell_loop) {
    sv_version_retain(version);
    sv_loop_at_round_end(member->loop, &version->round);
  }
  return error;
}

void sv_request_submit(sv_request *request) {
  sv_member *member = sv_member_of(request);
  sv_version *version = request->version;
  member->submit_ns = sv_now_ns();
  member->state = SV_REQUEST_IDLE;
  member->expiry_ns = 0;
  sv_error *error = check(member);
  if (error) {
    sv_version_count_failure(version, sv_error_code(error), 0);
  } else if (version->signature.ensemble) {
    sv_ensemble_submit(member);
    return;
  } else {
    member->level = level_of(version, request->priority);
    error = set_timer(member, policy_of(version, member->level));
    error = error ? error : enqueue(member);
  }
  if (error) {
    member->state = SV_REQUEST_DONE;
    sv_member_done(member, error, true);
  }
}

void sv_request_cancel(sv_request *request) {
  sv_member *member = sv_member_of(request);
  if (member->ensemble) {
    sv_ensemble_cancel(member);
  } else if (request->version && leave_queue(member, MILLRACE_CANCELLED)) {
    sv_member_done(member, sv_errorf(MILLRACE_CANCELLED, "the client is gone"), false);
  }
}
