// What is answered at once: readiness and metadata of the server and of models, the repository's index.
#include <string.h>

#include "serve/grpc/internal.h"

sv_error *sv_grpc_read_texts(sv_str message, sv_str *out_first, sv_str *out_second) {
  sv_str texts[2] = {{0}, {0}};
  sv_wire wire;
  sv_wire_begin(&wire, message);
  for (sv_wire_field field; sv_wire_next(&wire, &field);) {
    if (field.number <= 2 && field.type == SV_WIRE_BYTES) {
      texts[field.number - 1] = field.bytes;
    }
  }
  *out_first = texts[0];
  if (out_second) {
    *out_second = texts[1];
  }
  return wire.bad ? sv_errorf(MILLRACE_INVALID_ARGUMENT, "the message is not well formed") : NULL;
}

sv_error *sv_grpc_nothing(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out) {
  (void)grpc, (void)call, (void)message, (void)out;
  return NULL;
}

sv_error *sv_grpc_not_there(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out) {
  (void)grpc, (void)message, (void)out;
  return sv_errorf(MILLRACE_UNIMPLEMENTED, "%.*s is not implemented", SV_FMT(sv_call_path(call)));
}

sv_error *sv_grpc_server_live(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out) {
  (void)grpc, (void)call, (void)message;
  sv_wire_put_uint(out, 1, 1);
  return NULL;
}

sv_error *sv_grpc_server_ready(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out) {
  (void)call, (void)message;
  sv_wire_put_uint(out, 1, sv_service_is_ready(sv_grpc_of(grpc)));
  return NULL;
}

sv_error *sv_grpc_model_ready(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out) {
  (void)call;
  sv_str name, number;
  SV_TRY(sv_grpc_read_texts(message, &name, &number));
  sv_version *version = NULL;
  sv_error *error = sv_repository_find(sv_grpc_of(grpc)->repository, name, number, &version);
  sv_wire_put_uint(out, 1, !error);
  if (!error) {
    sv_version_release(version);
  }
  sv_error_free(error);  // a model that is not there is not ready
  return NULL;
}

sv_error *sv_grpc_server_metadata(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out) {
  (void)call, (void)message;
  const sv_service *service = sv_grpc_of(grpc);
  sv_wire_put_str(out, 1, sv_str_of(service->name));
  sv_wire_put_str(out, 2, sv_str_of(service->version));
  for (const char *const *name = sv_service_extensions(service); *name; name++) {
    sv_wire_put_element(out, 3, sv_str_of(*name));
  }
  return NULL;
}

static void put_ports(sv_text *out, uint32_t field, const sv_port *ports, uint32_t count, bool batched) {
  for (uint32_t i = 0; i < count; i++) {
    int64_t dims[SV_MAX_RANK];
    memcpy(dims, ports[i].dims, sizeof dims);
    if (batched) {
      dims[0] = -1;
    }
    size_t mark = sv_wire_put_begin(out, field);
    sv_wire_put_str(out, 1, sv_str_of(ports[i].name));
    sv_wire_put_str(out, 2, sv_str_of(sv_datatype_name(ports[i].dtype)));
    sv_wire_put_ints(out, 3, dims, ports[i].rank);
    sv_wire_put_end(out, mark);
  }
}

// A version's number is a text in the protocol.
static void put_number(sv_text *out, uint32_t field, uint64_t value) {
  sv_text number = {0};
  sv_text_add_uint(&number, value);
  sv_wire_put_element(out, field, sv_text_str(&number));
  sv_text_free(&number);
}

static sv_error *put_versions(sv_grpc *grpc, sv_str name, sv_text *out) {
  sv_version **versions;
  size_t count;
  SV_TRY(sv_repository_versions(sv_grpc_of(grpc)->repository, name, &versions, &count));
  for (size_t i = 0; i < count; i++) {
    put_number(out, 2, sv_version_signature(versions[i])->number);
  }
  sv_versions_free(versions, count);
  return NULL;
}

sv_error *sv_grpc_model_metadata(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out) {
  (void)call;
  sv_str name, number;
  sv_version *version;
  SV_TRY(sv_grpc_read_texts(message, &name, &number));
  SV_TRY(sv_repository_find(sv_grpc_of(grpc)->repository, name, number, &version));
  const sv_signature *signature = sv_version_signature(version);
  sv_wire_put_str(out, 1, sv_str_of(signature->model));
  // Of one version where one is named, else of the highest, and with all that are served.
  sv_error *error = NULL;
  if (number.size) {
    put_number(out, 2, signature->number);
  } else {
    error = put_versions(grpc, sv_str_of(signature->model), out);
  }
  bool batched = signature->max_batch_size > 0;
  sv_wire_put_str(out, 3, signature->ensemble ? SV_STR("ensemble") : SV_STR("millrace_stablehlo"));
  put_ports(out, 4, signature->inputs, signature->num_inputs, batched);
  put_ports(out, 5, signature->outputs, signature->num_outputs, batched);
  sv_version_release(version);
  return error;
}

sv_error *sv_grpc_repository_index(sv_grpc *grpc, sv_call *call, sv_str message, sv_text *out) {
  (void)call;
  bool ready = false;
  sv_wire wire;
  sv_wire_begin(&wire, message);
  for (sv_wire_field field; sv_wire_next(&wire, &field);) {
    if (field.number == 2 && field.type == SV_WIRE_VARINT) {
      ready = field.value != 0;
    }
  }
  if (wire.bad) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "the message is not well formed");
  }
  sv_index_entry *entries;
  size_t count;
  SV_TRY(sv_repository_index(sv_grpc_of(grpc)->repository, &entries, &count));
  for (size_t i = 0; i < count; i++) {
    if (ready && entries[i].state != SV_STATE_READY) {
      continue;
    }
    size_t mark = sv_wire_put_begin(out, 1);
    sv_wire_put_str(out, 1, sv_str_of(entries[i].name));
    if (entries[i].version) {
      put_number(out, 2, entries[i].version);
    }
    sv_wire_put_str(out, 3, sv_str_of(sv_state_name(entries[i].state)));
    sv_wire_put_str(out, 4, sv_str_of(entries[i].reason));
    sv_wire_put_end(out, mark);
  }
  sv_index_free(entries, count);
  return NULL;
}
