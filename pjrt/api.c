// The plugin: what it says of itself, the PJRT_Api table, made from api.def, and the one function this library exports.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pjrt/abi/api.h"
#include "pjrt/calls/launch.h"
#include "pjrt/ext/extensions.h"

PJRT_Error *mr_pjrt_Plugin_Initialize(PJRT_Plugin_Initialize_Args *args) {
  MR_PJRT_NEED(args, extension_start);
  mr_set_custom_call_maker(mr_pjrt_make_call);
  return NULL;
}

// The StableHLO versions between which the reader takes programs; a host writes the newest that both sides know. One that does not look
// at what it knows itself (jaxlib 0.4.35) is told an older one, by MILLRACE_STABLEHLO_VERSION.
static const int64_t stablehlo_newest[] = {1, 17, 0};
static int64_t stablehlo_current[3];  // written once
static const int64_t stablehlo_minimum[] = {0, 9, 0};

#define ATTRIBUTE_HEAD(text, kind)                                                                         \
  .struct_size = PJRT_ABI_END(PJRT_NamedValue, value_size), .name = (text), .name_size = sizeof(text) - 1, \
  .type = PJRT_NamedValue_##kind
static const PJRT_NamedValue plugin_attributes[] = {
    {ATTRIBUTE_HEAD("xla_version", kInt64), .int64_value = 2, .value_size = 1},
    {ATTRIBUTE_HEAD("stablehlo_current_version", kInt64List), .int64_array_value = stablehlo_current, .value_size = 3},
    {ATTRIBUTE_HEAD("stablehlo_minimum_version", kInt64List), .int64_array_value = stablehlo_minimum, .value_size = 3},
};

static bool version_is_wrong;

static bool is_older(const int64_t *a, const int64_t *b) {
  int i = 0;
  while (i < 2 && a[i] == b[i]) {
    i++;
  }
  return a[i] < b[i];
}

static void read_version(void) {
  memcpy(stablehlo_current, stablehlo_newest, sizeof stablehlo_current);
  const char *text = getenv("MILLRACE_STABLEHLO_VERSION");
  if (!text || !*text) {
    return;
  }
  int major, minor, patch, end = 0;
  version_is_wrong =
      sscanf(text, "%9d.%9d.%9d%n", &major, &minor, &patch, &end) != 3 || text[end] || minor < 0 || patch < 0;
  if (!version_is_wrong) {
    const int64_t asked[] = {major, minor, patch};
    version_is_wrong = is_older(asked, stablehlo_minimum) || is_older(stablehlo_newest, asked);
    memcpy(stablehlo_current, asked, sizeof stablehlo_current);
  }
}

PJRT_Error *mr_pjrt_Plugin_Attributes(PJRT_Plugin_Attributes_Args *args) {
  // Hosts of the older headers end the struct's size one field early, though the struct has it.
  MR_PJRT_NEED(args, attributes);
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_version);
  if (version_is_wrong) {
    const int64_t *low = stablehlo_minimum, *high = stablehlo_newest;
    return mr_pjrt_error(mr_error(MR_INVALID_ARGUMENT,
                                  "MILLRACE_STABLEHLO_VERSION is \"%s\", wanted %d.%d.%d to %d.%d.%d",
                                  getenv("MILLRACE_STABLEHLO_VERSION"), (int)low[0], (int)low[1], (int)low[2],
                                  (int)high[0], (int)high[1], (int)high[2]));
  }
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
