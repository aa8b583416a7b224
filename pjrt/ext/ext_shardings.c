// Extension Shardings: how parameters and results lie over the devices, as serialized OpSharding messages.
#include "pjrt/ext/extensions.h"
#include "pjrt/objects/objects.h"

static PJRT_Error *parameter_shardings(PJRT_Shardings_ParameterShardings_Args *args) {
  MR_PJRT_NEED(args, sharding_sizes);
  MR_PJRT_NONNULL(args, executable);
  args->num_parameters = args->executable->params.count;
  args->shardings = args->executable->params.shardings;
  args->sharding_sizes = args->executable->params.sharding_sizes;
  return NULL;
}

static PJRT_Error *output_shardings(PJRT_Shardings_OutputShardings_Args *args) {
  MR_PJRT_NEED(args, sharding_sizes);
  MR_PJRT_NONNULL(args, executable);
  args->num_outputs = args->executable->results.count;
  args->shardings = args->executable->results.shardings;
  args->sharding_sizes = args->executable->results.sharding_sizes;
  return NULL;
}

PJRT_Shardings_Extension mr_pjrt_ext_shardings = {
    .base = {.struct_size = sizeof(PJRT_Shardings_Extension),
             .type = PJRT_Extension_Type_Shardings,
             .next = &mr_pjrt_ext_memory_descriptions.base},
    .parameter_shardings = parameter_shardings,
    .output_shardings = output_shardings,
};
