// Extension CustomPartitioner: takes a host's partitioners, by the name of the custom call they are for.
#include "pjrt/abi/api.h"
#include "pjrt/ext/extensions.h"
#include "pjrt/objects/partitioners.h"

static mr_status check_name(const char *name, size_t size) {
  return name && size
             ? MR_OK
             : mr_error(MR_INVALID_ARGUMENT, "a custom call without a name: it is %s", name ? "empty" : "NULL");
}

static PJRT_Error *register_custom_partitioner(PJRT_Register_Custom_Partitioner_Args *args) {
  MR_PJRT_NEED(args, callbacks);
  MR_PJRT_NONNULL(args, callbacks);
  MR_PJRT_TRY(check_name(args->name, args->name_size));
  MR_PJRT_TRY(mr_pjrt_partitioner_add((mr_str){args->name, args->name_size}, args->callbacks));
  return NULL;
}

// Calls of that name are cut along as many of their leading dimensions as their frontend attribute num_batch_dims says.
static PJRT_Error *register_batch_partitionable(PJRT_Register_Batch_Partitionable_Args *args) {
  MR_PJRT_NEED(args, name_size);
  MR_PJRT_TRY(check_name(args->name, args->name_size));
  MR_PJRT_TRY(mr_pjrt_partitioner_add((mr_str){args->name, args->name_size}, NULL));
  return NULL;
}

PJRT_Custom_Partitioner_Extension mr_pjrt_ext_custom_partitioner = {
    .base = {.struct_size = sizeof(PJRT_Custom_Partitioner_Extension),
             .type = PJRT_Extension_Type_Custom_Partitioner,
             .next = &mr_pjrt_ext_abi_version.base},
    .register_custom_partitioner = register_custom_partitioner,
    .register_batch_partitionable = register_batch_partitionable,
};
