// PJRT_Error objects: a function table, as the ABI wants its first word, and the status they carry.
#include <string.h>

#include "core/census.h"
#include "pjrt/abi/api.h"
#include "pjrt/abi/named_value.h"

typedef struct error_object {
  PJRT_Error base;
  mr_status status;  // owned, never MR_OK
} error_object;

// ORDER status code: core/status.def and the ABI agree.
#define STATUS(name, number) static_assert((int)PJRT_Error_Code_##name == (int)MR_##name##_CODE, "code " #name);
#include "core/status.def"

static const PJRT_Error_FunctionTable error_table;

// Answers when there is no memory for another error. Shared, so destroying it does nothing.
static PJRT_Error no_memory_error = {&error_table};

static mr_status status_of(const PJRT_Error *error) { return ((const error_object *)error)->status; }

static void error_destroy(PJRT_Error *error) {
  if (error == NULL || error == &no_memory_error) {
    return;
  }
  mr_status_free(status_of(error));
  mr_census_add(MR_CENSUS_errors, -1);
  mr_free(error);
}

static void error_message(const PJRT_Error *error, const char **out_message, size_t *out_message_size) {
  *out_message = error == &no_memory_error ? "out of memory" : mr_status_message(status_of(error));
  *out_message_size = strlen(*out_message);
}

static PJRT_Error_Code error_code(const PJRT_Error *error) {
  if (error == &no_memory_error) {
    return PJRT_Error_Code_RESOURCE_EXHAUSTED;
  }
  return (PJRT_Error_Code)mr_status_code(status_of(error));
}

static void error_for_each_payload(const PJRT_Error *error, PJRT_Error_PayloadVisitor visitor, void *user_arg) {
  mr_str key, value;
  for (size_t i = 0; error != &no_memory_error && mr_status_payload(status_of(error), i, &key, &value); i++) {
    visitor(key.data, key.size, value.data, value.size, user_arg);
  }
}

static const PJRT_Error_FunctionTable error_table = {
    .struct_size = PJRT_ABI_END(PJRT_Error_FunctionTable, for_each_payload),
    .instance_size = sizeof(error_object),
    .destroy = error_destroy,
    .message = error_message,
    .get_code = error_code,
    .for_each_payload = error_for_each_payload,
};

PJRT_Error *mr_pjrt_error(mr_status take_status) {
  if (take_status == MR_OK) {
    return NULL;
  }
  error_object *error = mr_alloc_error(sizeof *error);
  if (error == NULL) {
    mr_status_free(take_status);
    return &no_memory_error;
  }
  *error = (error_object){.base.vtable = &error_table, .status = take_status};
  mr_census_add(MR_CENSUS_errors, 1);
  return &error->base;
}

// Errors made by a host carry the host's table; an error without one cannot be asked anything.
static const PJRT_Error_FunctionTable *table_of(const PJRT_Error *error) { return error->vtable; }

static void take_payload(const char *key, size_t key_size, const char *value, size_t value_size, void *status) {
  *(mr_status *)status =
      mr_status_with_payload(*(mr_status *)status, (mr_str){key, key_size}, (mr_str){value, value_size});
}

mr_status mr_pjrt_status_with_payloads(mr_status take_status, const PJRT_NamedValue *values, size_t count) {
  for (size_t i = 0; take_status && i < count; i++) {
    const PJRT_NamedValue *value = MR_PJRT_ELEMENT(values, i);
    mr_str text;
    mr_status status = mr_pjrt_value_as_string(value, &text);
    if (status) {
      mr_status_free(take_status);
      return mr_status_note(status, "payload of an error");
    }
    take_status = mr_status_with_payload(take_status, mr_pjrt_value_name(value), text);
  }
  return take_status;
}

mr_status mr_pjrt_status_of_foreign(PJRT_Error *take_error) {
  if (take_error == NULL) {
    return MR_OK;
  }
  const PJRT_Error_FunctionTable *table = table_of(take_error);
  if (table == NULL) {
    return mr_error(MR_UNKNOWN, "the host returned an error without a function table");
  }
  const char *message = "";
  size_t size = 0;
  table->message(take_error, &message, &size);
  mr_status status = mr_pjrt_status_of_code(table->get_code(take_error), message, size);
  if (status && table->struct_size >= PJRT_ABI_END(PJRT_Error_FunctionTable, for_each_payload) &&
      table->for_each_payload) {
    table->for_each_payload(take_error, take_payload, &status);
  }
  table->destroy(take_error);
  return status;
}

mr_status mr_pjrt_status_of_code(PJRT_Error_Code code, const char *message, size_t message_size) {
  if (code == PJRT_Error_Code_OK) {
    return MR_OK;
  }
  if (code > PJRT_Error_Code_UNAUTHENTICATED) {
    return mr_error(MR_UNKNOWN, "error code %d: %.*s", (int)code, (int)message_size, message ? message : "");
  }
  return mr_error((mr_code)code, "%.*s", (int)message_size, message ? message : "");
}

const char *mr_pjrt_slot_of(const char *function) {
  static const char prefix[] = "mr_pjrt_";
  bool ours = strncmp(function, prefix, sizeof prefix - 1) == 0;
  return ours ? function + sizeof prefix - 1 : function;
}

PJRT_Error *mr_pjrt_error_size(const char *function, size_t got, size_t wanted) {
  return mr_pjrt_error(mr_error(MR_INVALID_ARGUMENT, "PJRT_%s: struct_size is %zu, wanted at least %zu",
                                mr_pjrt_slot_of(function), got, wanted));
}

// ---- Slots ------------------------------------------------------------------------------------------------------------
// The error passed in may be one of a host's own, so every question goes through its table.

void mr_pjrt_Error_Destroy(PJRT_Error_Destroy_Args *args) {
  if (MR_PJRT_HAS(args, error) && args->error && table_of(args->error)) {
    table_of(args->error)->destroy(args->error);
  }
}

void mr_pjrt_Error_Message(PJRT_Error_Message_Args *args) {
  if (!MR_PJRT_HAS(args, message_size)) {
    return;
  }
  args->message = "";
  args->message_size = 0;
  if (args->error && table_of(args->error)) {
    table_of(args->error)->message(args->error, &args->message, &args->message_size);
  }
}

PJRT_Error *mr_pjrt_Error_GetCode(PJRT_Error_GetCode_Args *args) {
  MR_PJRT_NEED(args, code);
  args->code = PJRT_Error_Code_UNKNOWN;
  MR_PJRT_NONNULL(args, error);
  if (table_of(args->error)) {
    args->code = table_of(args->error)->get_code(args->error);
  }
  return NULL;
}

PJRT_Error *mr_pjrt_Error_ForEachPayload(PJRT_Error_ForEachPayload_Args *args) {
  MR_PJRT_NEED(args, user_arg);
  MR_PJRT_NONNULL(args, error);
  MR_PJRT_NONNULL(args, visitor);
  if (table_of(args->error)) {
    table_of(args->error)->for_each_payload(args->error, args->visitor, args->user_arg);
  }
  return NULL;
}
