// Extension Layouts: how buffers, parameters and results lie in memory.
#include "pjrt/ext/extensions.h"
#include "pjrt/objects/objects.h"

static PJRT_Error *layout_destroy(PJRT_Layouts_MemoryLayout_Destroy_Args *args) {
  MR_PJRT_NEED(args, layout);
  mr_pjrt_layout_release(args->layout);
  return NULL;
}

// The text belongs to the layout, of which the host gets one more reference.
static void release_text(PJRT_Layouts_SerializedLayout *serialized) {
  mr_pjrt_layout_release((PJRT_Layouts_MemoryLayout *)serialized);
}

static PJRT_Error *layout_serialize(PJRT_Layouts_MemoryLayout_Serialize_Args *args) {
  MR_PJRT_NEED(args, serialized_layout_deleter);
  MR_PJRT_NONNULL(args, layout);
  mr_str text = mr_pjrt_layout_text(args->layout);
  args->serialized_bytes = text.data;
  args->serialized_bytes_size = text.size;
  args->serialized_layout = (PJRT_Layouts_SerializedLayout *)mr_pjrt_layout_retain(args->layout);
  args->serialized_layout_deleter = release_text;
  return NULL;
}

static mr_status default_layout(PJRT_Buffer_Type type, const int64_t *dims, size_t rank,
                                PJRT_Layouts_MemoryLayout **out_layout) {
  mr_dtype dtype;
  MR_TRY(mr_pjrt_check_shape(type, dims, rank, &dtype));
  *out_layout = mr_pjrt_layout_row_major(rank);
  return MR_OK;
}

static PJRT_Error *client_get_default_layout(PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args *args) {
  MR_PJRT_NEED(args, layout);
  MR_PJRT_NONNULL(args, client);
  args->layout = NULL;
  MR_PJRT_TRY(default_layout(args->type, args->dims, args->num_dims, &args->layout));
  return NULL;
}

static PJRT_Error *topology_get_default_layout(PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args *args) {
  MR_PJRT_NEED(args, layout);
  MR_PJRT_NONNULL(args, topology_description);
  args->layout = NULL;
  MR_PJRT_TRY(default_layout(args->type, args->dims, args->num_dims, &args->layout));
  return NULL;
}

static PJRT_Error *buffer_memory_layout(PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args *args) {
  MR_PJRT_NEED(args, layout);
  MR_PJRT_NONNULL(args, buffer);
  args->layout = NULL;
  PJRT_Layouts_MemoryLayout *layout = mr_pjrt_buffer_layout(args->buffer);
  if (layout == NULL) {
    return mr_pjrt_error(mr_error(MR_UNIMPLEMENTED,
                                  "a layout object for strides that leave gaps: PJRT_Buffer_GetMemoryLayout has them"));
  }
  args->layout = mr_pjrt_layout_retain(layout);
  return NULL;
}

static PJRT_Error *executable_get_output_layouts(PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args *args) {
  MR_PJRT_NEED(args, layouts);
  MR_PJRT_NONNULL(args, executable);
  args->num_outputs = args->executable->results.count;
  args->layouts = args->executable->results.layouts;
  return NULL;
}

static PJRT_Error *executable_get_parameter_layouts(PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args *args) {
  MR_PJRT_NEED(args, layouts);
  MR_PJRT_NONNULL(args, executable);
  args->num_parameters = args->executable->params.count;
  args->layouts = args->executable->params.layouts;
  return NULL;
}

PJRT_Layouts_Extension mr_pjrt_ext_layouts = {
    .base = {.struct_size = sizeof(PJRT_Layouts_Extension),
             .type = PJRT_Extension_Type_Layouts,
             .next = &mr_pjrt_ext_shardings.base},
    .memory_layout_destroy = layout_destroy,
    .memory_layout_serialize = layout_serialize,
    .client_get_default_layout = client_get_default_layout,
    .buffer_memory_layout = buffer_memory_layout,
    .topology_get_default_layout = topology_get_default_layout,
    .executable_get_output_layouts = executable_get_output_layouts,
    .executable_get_parameter_layouts = executable_get_parameter_layouts,
};
