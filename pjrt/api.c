// The PJRT_Api table, made from api.def, and the one function this library exports.
#include "pjrt/abi/api.h"
#include "pjrt/ext/extensions.h"

// Hosts built against a later version copy more bytes than the table has; what they find there is zero.
enum { PADDING_SLOTS = 64 };
typedef struct padded_api {
  PJRT_Api api;
  void *padding[PADDING_SLOTS];
} padded_api;

static const padded_api table = {
    .api =
        {
            .struct_size = sizeof(PJRT_Api),
            .extension_start = MR_PJRT_FIRST_EXTENSION,
            .pjrt_api_version =
                {
                    .struct_size = PJRT_ABI_END(PJRT_Api_Version, minor_version),
                    .major_version = PJRT_API_MAJOR,
                    .minor_version = PJRT_API_MINOR,
                },
#define VOID_SLOT(index, name, since) .PJRT_##name = mr_pjrt_##name,
#define SLOT VOID_SLOT
#include "pjrt/abi/api.def"
        },
};

__attribute__((visibility("default"))) const PJRT_Api *GetPjrtApi(void) { return &table.api; }
