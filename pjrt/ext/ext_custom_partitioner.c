// Extension CustomPartitioner: keeps a host's partitioners, by the name of the custom call they are for.
#include <pthread.h>
#include <string.h>

#include "pjrt/abi/api.h"
#include "pjrt/ext/extensions.h"
#include "pjrt/ext/partitioners.h"

// `callbacks` NULL: batch partitionable.
typedef struct entry {
  mr_str target;
  JAX_CustomCallPartitioner_Callbacks *callbacks;
  struct entry *next;
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry *entries;  // under lock; newest first, never removed but at the end

// The newest entry of that name, of the wanted kind.
static entry *find(mr_str target, bool batch) {
  pthread_mutex_lock(&lock);
  entry *found = entries;
  while (found && !(mr_str_equal(found->target, target) && (found->callbacks == NULL) == batch)) {
    found = found->next;
  }
  pthread_mutex_unlock(&lock);
  return found;
}

JAX_CustomCallPartitioner_Callbacks *mr_pjrt_partitioner_find(mr_str target) {
  entry *found = find(target, false);
  return found ? found->callbacks : NULL;
}

bool mr_pjrt_is_batch_partitionable(mr_str target) { return find(target, true) != NULL; }

static mr_status add(mr_str target, JAX_CustomCallPartitioner_Callbacks *callbacks) {
  entry *self = mr_alloc(sizeof *self + target.size);
  if (self == NULL) {
    return MR_NO_MEMORY();
  }
  memcpy(self + 1, target.data, target.size);
  *self = (entry){.target = {(char *)(self + 1), target.size}, .callbacks = callbacks};
  pthread_mutex_lock(&lock);
  self->next = entries;
  entries = self;
  pthread_mutex_unlock(&lock);
  return MR_OK;
}

static mr_status check_name(const char *name, size_t size) {
  return name && size
             ? MR_OK
             : mr_error(MR_INVALID_ARGUMENT, "a custom call without a name: it is %s", name ? "empty" : "NULL");
}

static PJRT_Error *register_custom_partitioner(PJRT_Register_Custom_Partitioner_Args *args) {
  MR_PJRT_NEED(args, callbacks);
  MR_PJRT_NONNULL(args, callbacks);
  MR_PJRT_TRY(check_name(args->name, args->name_size));
  MR_PJRT_TRY(add((mr_str){args->name, args->name_size}, args->callbacks));
  return NULL;
}

// JAX does so for every LAPACK call when it starts.
static PJRT_Error *register_batch_partitionable(PJRT_Register_Batch_Partitionable_Args *args) {
  MR_PJRT_NEED(args, name_size);
  MR_PJRT_TRY(check_name(args->name, args->name_size));
  mr_str target = {args->name, args->name_size};
  if (!mr_pjrt_is_batch_partitionable(target)) {
    MR_PJRT_TRY(add(target, NULL));
  }
  return NULL;
}

PJRT_Custom_Partitioner_Extension mr_pjrt_ext_custom_partitioner = {
    .base = {.struct_size = sizeof(PJRT_Custom_Partitioner_Extension),
             .type = PJRT_Extension_Type_Custom_Partitioner,
             .next = &mr_pjrt_ext_abi_version.base},
    .register_custom_partitioner = register_custom_partitioner,
    .register_batch_partitionable = register_batch_partitionable,
};
