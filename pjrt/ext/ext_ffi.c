// Extension FFI: takes what a host registers.
#include <string.h>

#include "pjrt/abi/api.h"
#include "pjrt/ext/extensions.h"
#include "pjrt/ffi/ffi.h"

static PJRT_Error *type_register(PJRT_FFI_Type_Register_Args *args) {
  MR_PJRT_NEED(args, type_id);
  MR_PJRT_NONNULL(args, type_name);
  const PJRT_FFI_Type_Info *info = MR_PJRT_HAS(args, type_info) ? args->type_info : NULL;
  MR_PJRT_TRY(mr_pjrt_ffi_add_type((mr_str){args->type_name, args->type_name_size}, info ? info->deleter : NULL,
                                   &args->type_id));
  return NULL;
}

// The ABI has no field for the stage, so the platform's name may end in one, "Host:instantiate", or say that the handler is not typed:
// "Host:untyped". What stands before does not count, there is one platform.
static mr_status stage_of_platform(mr_str platform, XLA_FFI_Stage *out_stage, bool *out_untyped) {
  static const char *const names[] = {"instantiate", "prepare", "initialize", "execute"};
  const char *colon = platform.size ? memchr(platform.data, ':', platform.size) : NULL;
  *out_stage = XLA_FFI_STAGE_EXECUTE;
  *out_untyped = false;
  if (colon == NULL) {
    return MR_OK;
  }
  mr_str name = {colon + 1, platform.size - (size_t)(colon + 1 - platform.data)};
  if (mr_str_is(name, "untyped")) {
    *out_untyped = true;
    return MR_OK;
  }
  for (int i = 0; i < XLA_FFI_STAGES; i++) {
    if (mr_str_is(name, names[i])) {
      *out_stage = (XLA_FFI_Stage)i;
      return MR_OK;
    }
  }
  return mr_error(MR_INVALID_ARGUMENT, "FFI stage '%.*s', wanted instantiate, prepare, initialize, execute or untyped",
                  MR_STR_ARG(name));
}

static PJRT_Error *register_handler(PJRT_FFI_Register_Handler_Args *args) {
  MR_PJRT_NEED(args, handler);
  MR_PJRT_NONNULL(args, target_name);
  MR_PJRT_NONNULL(args, handler);
  XLA_FFI_Stage stage = XLA_FFI_STAGE_EXECUTE;
  bool untyped = false;
  if (MR_PJRT_HAS(args, platform_name_size) && args->platform_name) {
    MR_PJRT_TRY(stage_of_platform((mr_str){args->platform_name, args->platform_name_size}, &stage, &untyped));
  }
  // The ABI passes the function as an object pointer.
  mr_str target = {args->target_name, args->target_name_size};
  if (untyped) {
    mr_pjrt_ffi_untyped *function;
    memcpy(&function, &args->handler, sizeof function);
    MR_PJRT_TRY(mr_pjrt_ffi_add_untyped(target, function));
    return NULL;
  }
  XLA_FFI_Handler *handler;
  memcpy(&handler, &args->handler, sizeof handler);
  MR_PJRT_TRY(mr_pjrt_ffi_add_handler(target, stage, handler));
  return NULL;
}

// ---- User data of an execution --------------------------------------------------------------------------------------------

// What deletes user data: its type, or in arguments of an older host the data itself. What a newer host may have behind the
// data is none.
static void (*user_data_deleter(const PJRT_FFI_UserData_Add_Args *args))(void *data) {
  if (args->struct_size == sizeof(PJRT_FFI_UserData_Add_Args_WithDeleter)) {
    void (*own)(void *data) = ((const PJRT_FFI_UserData_Add_Args_WithDeleter *)(const void *)args)->user_data.deleter;
    if (own) {
      return own;
    }
  }
  return mr_pjrt_ffi_deleter_of(args->user_data.type_id);
}

static PJRT_Error *user_data_add(PJRT_FFI_UserData_Add_Args *args) {
  MR_PJRT_NEED(args, user_data);
  MR_PJRT_NONNULL(args, context);
  mr_pjrt_ffi_user_data entry = {.type_id = args->user_data.type_id, .data = args->user_data.data};
  if (mr_pjrt_context_find(args->context, entry.type_id)) {
    return mr_pjrt_error(
        mr_error(MR_ALREADY_EXISTS, "user data of FFI type %lld was added before", (long long)entry.type_id));
  }
  entry.deleter = user_data_deleter(args);
  MR_PJRT_TRY(mr_pjrt_context_add(args->context, entry));
  return NULL;
}

PJRT_FFI_Extension mr_pjrt_ext_ffi = {
    .base = {.struct_size = sizeof(PJRT_FFI_Extension),
             .type = PJRT_Extension_Type_FFI,
             .next = &mr_pjrt_ext_raw_buffer.base},
    .type_register = type_register,
    .user_data_add = user_data_add,
    .register_handler = register_handler,
};
