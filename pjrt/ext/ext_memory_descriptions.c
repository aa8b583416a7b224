// Extension MemoryDescriptions: the memories of a device that may exist only as a description.
#include <string.h>

#include "pjrt/ext/extensions.h"
#include "pjrt/objects/objects.h"

const PJRT_MemoryDescription mr_pjrt_memory_descriptions[MR_MEMORY_KINDS] = {
    {MR_MEMORY_DEVICE}, {MR_MEMORY_PINNED_HOST}, {MR_MEMORY_UNPINNED_HOST}};

static PJRT_Error *memory_descriptions(PJRT_DeviceDescription_MemoryDescriptions_Args *args) {
  static const PJRT_MemoryDescription *const list[MR_MEMORY_KINDS] = {
      &mr_pjrt_memory_descriptions[0], &mr_pjrt_memory_descriptions[1], &mr_pjrt_memory_descriptions[2]};
  MR_PJRT_NEED(args, num_memory_descriptions);
  MR_PJRT_NONNULL(args, device_description);
  args->memory_descriptions = list;
  args->num_memory_descriptions = MR_MEMORY_KINDS;
  if (MR_PJRT_HAS(args, default_memory_index)) {  // since version 1 of the extension, not in its first drafts
    args->default_memory_index = 0;
  }
  return NULL;
}

static PJRT_Error *memory_description_kind(PJRT_MemoryDescription_Kind_Args *args) {
  MR_PJRT_NEED(args, kind_id);
  MR_PJRT_NONNULL(args, memory_description);
  args->kind = mr_memory_kind_name(args->memory_description->kind);
  args->kind_size = strlen(args->kind);
  args->kind_id = mr_pjrt_memory_kind_ids[args->memory_description->kind];
  return NULL;
}

PJRT_MemoryDescriptions_Extension mr_pjrt_ext_memory_descriptions = {
    .base = {.struct_size = sizeof(PJRT_MemoryDescriptions_Extension),
             .type = PJRT_Extension_Type_MemoryDescriptions,
             .next = &mr_pjrt_ext_ffi.base},
    .device_description_memory_descriptions = memory_descriptions,
    .memory_description_kind = memory_description_kind,
};
