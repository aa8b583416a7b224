// The plugin: what it says of itself, the PJRT_Api table, made from api.def, and the one function this library exports.
#include "pjrt/abi/api.h"
#include "pjrt/calls/launch.h"
#include "pjrt/ext/extensions.h"

PJRT_Error *mr_pjrt_Plugin_Initialize(PJRT_Plugin_Initialize_Args *args) {
  MR_PJRT_NEED(args, extension_start);
  mr_set_custom_call_maker(mr_pjrt_make_call);
  return NULL;
}

// The StableHLO versions between which the reader takes programs; a host writes the newest that both sides know.
static const int64_t stablehlo_current[] = {1, 17, 0};
static const int64_t stablehlo_minimum[] = {0, 9, 0};

#define ATTRIBUTE_HEAD(text, kind)                                                                         \
  .struct_size = PJRT_ABI_END(PJRT_NamedValue, value_size), .name = (text), .name_size = sizeof(text) - 1, \
  .type = PJRT_NamedValue_##kind
static const PJRT_NamedValue plugin_attributes[] = {
    {ATTRIBUTE_HEAD("xla_version", kInt64), .int64_value = 2, .value_size = 1},
    {ATTRIBUTE_HEAD("stablehlo_current_version", kInt64List), .int64_array_value = stablehlo_current, .value_size = 3},
    {ATTRIBUTE_HEAD("stablehlo_minimum_version", kInt64List), .int64_array_value = stablehlo_minimum, .value_size = 3},
};

PJRT_Error *mr_pjrt_Plugin_Attributes(PJRT_Plugin_Attributes_Args *args) {
  // Hosts of the older headers end the struct's size one field early, though the struct has it.
  MR_PJRT_NEED(args, attributes);
  args->attributes = plugin_attributes;
  args->num_attributes = MR_ARRAY_SIZE(plugin_attributes);
  return NULL;
}

// ---- The table ---------------------------------------------------------------------------------------------------------

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
