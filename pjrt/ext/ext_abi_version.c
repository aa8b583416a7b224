// Extension AbiVersion: whether an executable that was serialized by one build can be loaded by another. A version is the
// library's, and the machine is checked when an executable is loaded; so equal versions fit, others do not.
#include <string.h>

#include "pjrt/ext/extensions.h"
#include "pjrt/objects/objects.h"
#include "pjrt/proto/extensions.h"

struct PJRT_RuntimeAbiVersion {
  uint64_t platform;
  mr_span version;
};

// The same, by another name: the ABI keeps them apart.
struct PJRT_ExecutableAbiVersion {
  struct PJRT_RuntimeAbiVersion base;
};

typedef struct PJRT_RuntimeAbiVersion abi_version;

// Executables go with the library and not with the name that it shows to hosts.

static mr_status version_create(uint64_t platform, mr_span version, abi_version **out) {
  *out = NULL;
  abi_version *self = mr_alloc(sizeof(PJRT_ExecutableAbiVersion) + version.size);
  if (self == NULL) {
    return MR_NO_MEMORY();
  }
  memcpy((PJRT_ExecutableAbiVersion *)self + 1, version.data, version.size);
  *self = (abi_version){platform, {(PJRT_ExecutableAbiVersion *)self + 1, version.size}};
  *out = self;
  return MR_OK;
}

static mr_status version_of_library(abi_version **out) {
  static const char version[] = MR_PJRT_PLATFORM_VERSION;
  return version_create(mr_pjrt_platform_id(), (mr_span){version, sizeof version - 1}, out);
}

static mr_status version_from_proto(const char *bytes, size_t size, abi_version **out) {
  *out = NULL;
  mr_arena arena;
  mr_arena_init(&arena, 0);
  mr_pjrt_abi_version parsed;
  mr_status status = mr_pjrt_abi_version_parse((mr_span){bytes, size}, &arena, &parsed);
  if (!status && parsed.platform != mr_pjrt_platform_id()) {
    status = mr_error(MR_INVALID_ARGUMENT, "ABI version of platform %llx, wanted %llx, millrace's",
                      (unsigned long long)parsed.platform, (unsigned long long)mr_pjrt_platform_id());
  }
  status = status ? status : version_create(parsed.platform, parsed.version, out);
  mr_arena_deinit(&arena);
  return status;
}

static void delete_proto(PJRT_SerializedProto *holder) { mr_free(holder); }

static mr_status version_to_proto(const abi_version *version, char **out_bytes, size_t *out_size) {
  return mr_pjrt_abi_version_serialize(&(mr_pjrt_abi_version){version->platform, version->version}, out_bytes,
                                       out_size);
}

static mr_status check_compatible(const abi_version *runtime, const abi_version *other, const char *what) {
  if (runtime->platform == other->platform && runtime->version.size == other->version.size &&
      memcmp(runtime->version.data, other->version.data, other->version.size) == 0) {
    return MR_OK;
  }
  return mr_error(MR_FAILED_PRECONDITION, "%s of '%.*s', wanted '%.*s'", what, (int)other->version.size,
                  (const char *)other->version.data, (int)runtime->version.size, (const char *)runtime->version.data);
}

// ---- Runtime --------------------------------------------------------------------------------------------------------

static PJRT_Error *client_runtime_abi_version(PJRT_Client_RuntimeAbiVersion_Args *args) {
  MR_PJRT_NEED(args, abi_version);
  MR_PJRT_NONNULL(args, client);
  MR_PJRT_TRY(version_of_library(&args->abi_version));
  return NULL;
}

static PJRT_Error *runtime_destroy(PJRT_RuntimeAbiVersion_Destroy_Args *args) {
  MR_PJRT_NEED(args, abi_version);
  mr_free(args->abi_version);
  return NULL;
}

static PJRT_Error *runtime_fits_runtime(PJRT_RuntimeAbiVersion_IsCompatibleWithRuntime_Args *args) {
  MR_PJRT_NEED(args, other_abi_version);
  MR_PJRT_NONNULL(args, abi_version);
  MR_PJRT_NONNULL(args, other_abi_version);
  MR_PJRT_TRY(check_compatible(args->abi_version, args->other_abi_version, "a runtime"));
  return NULL;
}

static PJRT_Error *runtime_fits_executable(PJRT_RuntimeAbiVersion_IsCompatibleWithExecutable_Args *args) {
  MR_PJRT_NEED(args, executable_abi_version);
  MR_PJRT_NONNULL(args, abi_version);
  MR_PJRT_NONNULL(args, executable_abi_version);
  MR_PJRT_TRY(check_compatible(args->abi_version, &args->executable_abi_version->base, "an executable"));
  return NULL;
}

static PJRT_Error *runtime_to_proto(PJRT_RuntimeAbiVersion_ToProto_Args *args) {
  MR_PJRT_NEED(args, serialized_proto_deleter);
  MR_PJRT_NONNULL(args, abi_version);
  char *bytes;
  MR_PJRT_TRY(version_to_proto(args->abi_version, &bytes, &args->serialized_proto_size));
  args->serialized_proto = bytes;
  args->serialized_proto_holder = (PJRT_SerializedProto *)bytes;
  args->serialized_proto_deleter = delete_proto;
  return NULL;
}

static PJRT_Error *runtime_platform_id(PJRT_RuntimeAbiVersion_PlatformId_Args *args) {
  MR_PJRT_NEED(args, platform_id);
  MR_PJRT_NONNULL(args, abi_version);
  args->platform_id = args->abi_version->platform;
  return NULL;
}

static PJRT_Error *runtime_from_proto(PJRT_RuntimeAbiVersion_FromProto_Args *args) {
  MR_PJRT_NEED(args, abi_version);
  MR_PJRT_NONNULL_IF(args, serialized_proto_size, serialized_proto);
  MR_PJRT_TRY(version_from_proto(args->serialized_proto, args->serialized_proto_size, &args->abi_version));
  return NULL;
}

// ---- Executable -----------------------------------------------------------------------------------------------------

// jaxlib from 0.11.1 on writes a version in front of a serialized executable, for its compilation cache, and fails where the version is of a
// platform that it has no class for; where there is none it writes none. Our executables carry their own version in their bytes, so
// none is needed there; one made of a proto is one all the same.
static PJRT_Error *executable_get_abi_version(PJRT_Executable_GetAbiVersion_Args *args) {
  MR_PJRT_NEED(args, abi_version);
  MR_PJRT_NONNULL(args, executable);
  args->abi_version = NULL;
  MR_PJRT_TRY(mr_error(MR_UNIMPLEMENTED, "the ABI version of an executable is in its serialized form"));
  return NULL;
}

static PJRT_Error *executable_destroy(PJRT_ExecutableAbiVersion_Destroy_Args *args) {
  MR_PJRT_NEED(args, abi_version);
  mr_free(args->abi_version);
  return NULL;
}

static PJRT_Error *executable_to_proto(PJRT_ExecutableAbiVersion_ToProto_Args *args) {
  MR_PJRT_NEED(args, serialized_proto_deleter);
  MR_PJRT_NONNULL(args, abi_version);
  char *bytes;
  MR_PJRT_TRY(version_to_proto(&args->abi_version->base, &bytes, &args->serialized_proto_size));
  args->serialized_proto = bytes;
  args->serialized_proto_holder = (PJRT_SerializedProto *)bytes;
  args->serialized_proto_deleter = delete_proto;
  return NULL;
}

static PJRT_Error *executable_platform_id(PJRT_ExecutableAbiVersion_PlatformId_Args *args) {
  MR_PJRT_NEED(args, platform_id);
  MR_PJRT_NONNULL(args, abi_version);
  args->platform_id = args->abi_version->base.platform;
  return NULL;
}

static PJRT_Error *executable_from_proto(PJRT_ExecutableAbiVersion_FromProto_Args *args) {
  MR_PJRT_NEED(args, abi_version);
  MR_PJRT_NONNULL_IF(args, serialized_proto_size, serialized_proto);
  abi_version *version;
  args->abi_version = NULL;
  MR_PJRT_TRY(version_from_proto(args->serialized_proto, args->serialized_proto_size, &version));
  args->abi_version = (PJRT_ExecutableAbiVersion *)version;
  return NULL;
}

PJRT_AbiVersion_Extension mr_pjrt_ext_abi_version = {
    .base = {.struct_size = sizeof(PJRT_AbiVersion_Extension),
             .type = PJRT_Extension_Type_AbiVersion,
             .next = &mr_pjrt_ext_phase_compile.base},
    .client_runtime_abi_version = client_runtime_abi_version,
    .executable_get_abi_version = executable_get_abi_version,
    .runtime_abi_version_destroy = runtime_destroy,
    .runtime_abi_version_is_compatible_with_runtime = runtime_fits_runtime,
    .runtime_abi_version_is_compatible_with_executable = runtime_fits_executable,
    .runtime_abi_version_to_proto = runtime_to_proto,
    .runtime_abi_version_platform_id = runtime_platform_id,
    .executable_abi_version_destroy = executable_destroy,
    .executable_abi_version_to_proto = executable_to_proto,
    .executable_abi_version_platform_id = executable_platform_id,
    .runtime_abi_version_from_proto = runtime_from_proto,
    .executable_abi_version_from_proto = executable_from_proto,
};
