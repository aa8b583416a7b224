// Loading and unloading models, and shared memory.
#include "serve/grpc/internal.h"

// ---- Models ---------------------------------------------------------------------------------------------------------

typedef struct control_request {  // RepositoryModelLoadRequest and RepositoryModelUnloadRequest
  sv_str model, config;
  bool dependents;
} control_request;

// ModelRepositoryParameter: 1 bool, 2 int64, 3 string, 4 bytes.
static sv_error *read_parameter(sv_str entry, control_request *out) {
  sv_str key, value;
  sv_wire wire;
  if (!sv_wire_entry(entry, &key, &value)) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the parameters are not well formed");
  }
  if (sv_str_begins(key, "file:")) {
    return sv_errorf(MILLRACE_UNIMPLEMENTED, "models' files are not taken from clients (the parameter '%.*s')",
                     SV_FMT(key));
  }
  sv_wire_begin(&wire, value);
  for (sv_wire_field field; sv_wire_next(&wire, &field);) {
    if (sv_str_is(key, "config") && field.number == 3 && field.type == SV_WIRE_BYTES) {
      out->config = field.bytes;
    } else if (sv_str_is(key, "unload_dependents") && field.number == 1 && field.type == SV_WIRE_VARINT) {
      out->dependents = field.value != 0;
    }
  }
  return wire.bad ? sv_errorf(MILLRACE_INVALID_ARGUMENT, "the parameters are not well formed") : NULL;
}

static sv_error *read_control(sv_grpc_work *work, sv_str message, control_request *out) {
  *out = (control_request){0};
  sv_wire wire;
  sv_wire_begin(&wire, message);
  for (sv_wire_field field; sv_wire_next(&wire, &field);) {
    if (field.number == 2 && field.type == SV_WIRE_BYTES) {
      out->model = field.bytes;
    } else if (field.number == 3 && field.type == SV_WIRE_BYTES) {
      SV_TRY(read_parameter(field.bytes, out));
    }
  }
  if (wire.bad) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the message is not well formed");
  }
  if (!out->model.size) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "model_name is empty");
  }
  if (!sv_grpc_service_of(work)->control) {
    return sv_errorf(MILLRACE_UNAVAILABLE, "models are not loaded and unloaded by request here");
  }
  return NULL;
}

// On the loop.
static void controlled_here(sv_task *task) {
  sv_grpc_work *work = (sv_grpc_work *)((char *)task - offsetof(sv_grpc_work, task));
  sv_error *error = work->error;
  work->error = NULL;
  if (error) {
    sv_grpc_work_fail(work, error);
  } else {
    sv_grpc_work_answer(work);
  }
}

// On the repository's thread.
static void controlled(void *argument, sv_error *take_error) {
  sv_grpc_work *work = argument;
  work->error = take_error;
  work->task.run = controlled_here;
  sv_loop_post(sv_call_loop(work->call), &work->task);
}

void sv_grpc_load(sv_grpc_work *work, sv_str message) {
  control_request request;
  sv_error *error = read_control(work, message, &request);
  if (error) {
    sv_grpc_work_fail(work, error);
    return;
  }
  work->model = request.model;
  sv_repository_load(sv_grpc_service_of(work)->repository, request.model, request.config, controlled, work);
}

void sv_grpc_unload(sv_grpc_work *work, sv_str message) {
  control_request request;
  sv_error *error = read_control(work, message, &request);
  if (error) {
    sv_grpc_work_fail(work, error);
    return;
  }
  sv_repository_unload(sv_grpc_service_of(work)->repository, request.model, request.dependents, controlled, work);
}

// ---- Shared memory --------------------------------------------------------------------------------------------------

sv_error *sv_grpc_memory_allowed(sv_service *service, sv_call *call) {
  sv_stream *stream = sv_call_stream(call);
  return sv_service_allow_regions(service, stream && sv_stream_is_local(stream));
}

sv_error *sv_grpc_memory_status(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out) {
  sv_str name;
  sv_region_entry *entries;
  size_t count;
  SV_TRY(sv_grpc_read_texts(message, &name, NULL));
  SV_TRY(sv_grpc_memory_allowed(sv_grpc_of(grpc), call));
  SV_TRY(sv_regions_list(sv_grpc_of(grpc)->regions, name, &entries, &count));
  for (size_t i = 0; i < count; i++) {
    size_t entry = sv_wire_put_begin(out, 1);
    sv_wire_put_str(out, 1, sv_str_of(entries[i].name));
    size_t mark = sv_wire_put_begin(out, 2);
    sv_wire_put_str(out, 1, sv_str_of(entries[i].name));
    sv_wire_put_str(out, 2, sv_str_of(entries[i].key));
    sv_wire_put_uint(out, 3, entries[i].offset);
    sv_wire_put_uint(out, 4, entries[i].byte_size);
    sv_wire_put_end(out, mark);
    sv_wire_put_end(out, entry);
  }
  sv_region_entries_free(entries, count);
  return NULL;
}

sv_error *sv_grpc_memory_register(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out) {
  (void)out;
  sv_str name, key;
  uint64_t offset = 0, size = 0;
  SV_TRY(sv_grpc_read_texts(message, &name, &key));
  sv_wire wire;
  sv_wire_begin(&wire, message);
  for (sv_wire_field field; sv_wire_next(&wire, &field);) {
    if (field.type == SV_WIRE_VARINT && field.number == 3) {
      offset = field.value;
    } else if (field.type == SV_WIRE_VARINT && field.number == 4) {
      size = field.value;
    }
  }
  SV_TRY(sv_grpc_memory_allowed(sv_grpc_of(grpc), call));
  return sv_regions_register(sv_grpc_of(grpc)->regions, name, key, offset, size);
}

sv_error *sv_grpc_memory_unregister(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out) {
  (void)out;
  sv_str name;
  SV_TRY(sv_grpc_read_texts(message, &name, NULL));
  SV_TRY(sv_grpc_memory_allowed(sv_grpc_of(grpc), call));
  sv_regions_unregister(sv_grpc_of(grpc)->regions, name);
  return NULL;
}
