// The PJRT C ABI, version 0.112, as this plugin sees it: every type that crosses the boundary.
//
// Declarations only. The names, the order and the sizes belong to the ABI; each struct's size up to
// the end of its last field is asserted where it is declared, and tests/pjrt/test_abi.c checks the
// offsets that hosts rely on. Nothing here is called by other folders: pjrt/ alone includes it,
// and so do hosts written in C (tests/pjrt_walk, benchmarks).
//
//   const PJRT_Api *api = GetPjrtApi();
//   PJRT_Plugin_Initialize_Args args = {.struct_size = sizeof args};
//   PJRT_Error *error = api->PJRT_Plugin_Initialize(&args);
#ifndef MR_PJRT_ABI_H
#define MR_PJRT_ABI_H

#include "pjrt/abi/abi_args_basic.h"
#include "pjrt/abi/abi_args_buffer.h"
#include "pjrt/abi/abi_args_client.h"
#include "pjrt/abi/abi_args_device.h"
#include "pjrt/abi/abi_args_executable.h"
#include "pjrt/abi/abi_ext.h"
#include "pjrt/abi/abi_ext_compile.h"
#include "pjrt/abi/abi_ext_process.h"
#include "pjrt/abi/abi_types.h"

#define PJRT_API_MAJOR 0
#define PJRT_API_MINOR 112
#define PJRT_API_SLOTS 138

typedef struct PJRT_Api_Version {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  int major_version;
  int minor_version;
} PJRT_Api_Version;
PJRT_ABI_SIZE(PJRT_Api_Version, minor_version, 24);

// One member per slot, PJRT_<Name>, in the order of api.def. The first two return nothing.
typedef struct PJRT_Api {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Api_Version pjrt_api_version;
#define VOID_SLOT(index, name, since) void (*PJRT_##name)(PJRT_##name##_Args * args);
#define SLOT(index, name, since) PJRT_Error *(*PJRT_##name)(PJRT_##name##_Args * args);
#include "pjrt/abi/api.def"
} PJRT_Api;

#define VOID_SLOT(index, name, since) static_assert(offsetof(PJRT_Api, PJRT_##name) == 40 + 8 * (index), "slot " #name);
#define SLOT(index, name, since) static_assert(offsetof(PJRT_Api, PJRT_##name) == 40 + 8 * (index), "slot " #name);
#include "pjrt/abi/api.def"
static_assert(offsetof(PJRT_Api, pjrt_api_version) == 16, "PJRT_Api.pjrt_api_version");
static_assert(sizeof(PJRT_Api) == 40 + 8 * PJRT_API_SLOTS, "PJRT_Api");

// The one symbol a plugin exports. Always the same table; may be called from any thread.
const PJRT_Api *GetPjrtApi(void);

#endif
