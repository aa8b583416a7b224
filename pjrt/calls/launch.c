#include "pjrt/calls/launch.h"

#include <string.h>

#include "core/census.h"
#include "futures/pool.h"
#include "graph/graph.h"

// ---- Contexts -------------------------------------------------------------------------------------------------------------

static void launch_destroy(mr_call_context *base) {
  mr_pjrt_launch *launch = MR_CONTAINER_OF(base, mr_pjrt_launch, context.base);
  if (launch->parent && mr_ref_release(&launch->parent->base.ref)) {
    launch->parent->base.destroy(&launch->parent->base);
  }
  mr_status_free(launch->stopped_with);
  pthread_mutex_destroy(&launch->lock);
  mr_free(launch->location);
  mr_free(launch->sends);
  mr_free(launch->recvs);
  mr_free(launch->outputs);
  mr_census_add(MR_CENSUS_contexts, -1);
  mr_free(launch);
}

void mr_pjrt_launch_release(mr_pjrt_launch *launch) {
  if (launch && mr_ref_release(&launch->context.base.ref)) {
    launch_destroy(&launch->context.base);
  }
}

// ---- What is to be stopped --------------------------------------------------------------------------------------------------

// Everything in the list is told, when the list is nobody else's.
static void launch_stop(mr_call_context *base, mr_status status) {
  mr_pjrt_launch *launch = MR_CONTAINER_OF(base, mr_pjrt_launch, context.base);
  pthread_mutex_lock(&launch->lock);
  mr_pjrt_stop *stops = launch->stops;
  launch->stops = NULL;
  if (!launch->stopped_with) {
    launch->stopped_with = mr_status_retain(status);
  }
  for (mr_pjrt_stop *stop = stops; stop; stop = stop->next) {
    stop->previous = stop;  // told
  }
  pthread_mutex_unlock(&launch->lock);
  while (stops) {
    mr_pjrt_stop *next = stops->next;  // read first: run() may free the stop
    stops->run(stops, status);
    stops = next;
  }
}

mr_status mr_pjrt_launch_watch(mr_pjrt_launch *launch, mr_pjrt_stop *stop) {
  pthread_mutex_lock(&launch->lock);
  mr_status status = mr_status_retain(launch->stopped_with);
  if (!status) {
    stop->previous = NULL;
    stop->next = launch->stops;
    if (stop->next) {
      stop->next->previous = stop;
    }
    launch->stops = stop;
  }
  pthread_mutex_unlock(&launch->lock);
  return status;
}

bool mr_pjrt_launch_forget(mr_pjrt_launch *launch, mr_pjrt_stop *stop) {
  pthread_mutex_lock(&launch->lock);
  bool listed = stop->previous != stop;
  if (listed) {
    *(stop->previous ? &stop->previous->next : &launch->stops) = stop->next;
    if (stop->next) {
      stop->next->previous = stop->previous;
    }
  }
  pthread_mutex_unlock(&launch->lock);
  return listed;
}

// ---- Making one -------------------------------------------------------------------------------------------------------------

static void adopt_parent(mr_pjrt_launch *launch, PJRT_ExecuteContext *parent) {
  mr_ref_retain(&parent->base.ref);
  launch->parent = parent;
  launch->context.count = parent->count;
  launch->context.entries = parent->entries;
}

static mr_status set_location(mr_pjrt_launch *launch, const char *text) {
  size_t size = strlen(text) + 1;
  launch->location = mr_alloc(size);
  if (launch->location == NULL) {
    return MR_NO_MEMORY();
  }
  memcpy(launch->location, text, size);
  launch->context.base.location = launch->location;
  return MR_OK;
}

static size_t count_outputs(const PJRT_ExecuteOptions *options) {
  return MR_PJRT_HAS(options, num_hlo_output_callbacks) ? options->num_hlo_output_callbacks : 0;
}

static mr_status copy_outputs(mr_pjrt_launch *launch, const PJRT_ExecuteOptions *options) {
  size_t count = count_outputs(options);
  if (count == 0) {
    return MR_OK;
  }
  if (options->hlo_output_callbacks == NULL) {
    return mr_error(MR_INVALID_ARGUMENT, "execute options: %zu HLO output callbacks, but no list of them", count);
  }
  launch->outputs = mr_alloc(count * sizeof *launch->outputs);
  if (launch->outputs == NULL) {
    return MR_NO_MEMORY();
  }
  memcpy(launch->outputs, options->hlo_output_callbacks, count * sizeof *launch->outputs);
  launch->num_outputs = count;
  return MR_OK;
}

static mr_status copy_callbacks(mr_pjrt_launch *launch, const PJRT_ExecuteOptions *options, size_t row) {
  size_t send_bytes = options->num_send_ops * sizeof *launch->sends,
         recv_bytes = options->num_recv_ops * sizeof *launch->recvs;
  launch->num_sends = options->num_send_ops;
  launch->num_recvs = options->num_recv_ops;
  launch->sends = send_bytes ? mr_alloc(send_bytes) : NULL;
  launch->recvs = recv_bytes ? mr_alloc(recv_bytes) : NULL;
  if ((send_bytes && !launch->sends) || (recv_bytes && !launch->recvs)) {
    return MR_NO_MEMORY();
  }
  if (send_bytes) {
    memcpy(launch->sends, options->send_callbacks[row], send_bytes);
  }
  if (recv_bytes) {
    memcpy(launch->recvs, options->recv_callbacks[row], recv_bytes);
  }
  return MR_OK;
}

mr_status mr_pjrt_launch_create(const PJRT_ExecuteOptions *options, size_t row, mr_device *device,
                                mr_pjrt_launch **out_launch) {
  *out_launch = NULL;
  const char *location = options && MR_PJRT_HAS(options, call_location) ? options->call_location : NULL;
  bool located = location && location[0];
  if (!located &&
      (options == NULL || (options->num_send_ops == 0 && options->num_recv_ops == 0 && count_outputs(options) == 0))) {
    return MR_OK;
  }
  if ((options->num_send_ops && !options->send_callbacks) || (options->num_recv_ops && !options->recv_callbacks)) {
    return mr_error(MR_INVALID_ARGUMENT, "execute options: %zu send and %zu receive callbacks, but no list of them",
                    options->num_send_ops, options->num_recv_ops);
  }
  mr_pjrt_launch *launch = mr_alloc_zeroed(1, sizeof *launch);
  if (launch == NULL) {
    return MR_NO_MEMORY();
  }
  mr_census_add(MR_CENSUS_contexts, 1);
  mr_ref_init(&launch->context.base.ref);
  launch->device = device;
  launch->context.base.destroy = launch_destroy;
  launch->context.base.stop = launch_stop;
  pthread_mutex_init(&launch->lock, NULL);
  if (MR_PJRT_HAS(options, context) && options->context) {
    adopt_parent(launch, options->context);
  }
  mr_status status = copy_callbacks(launch, options, row);
  status = status ? status : copy_outputs(launch, options);
  status = status || !located ? status : set_location(launch, location);
  if (status) {
    mr_pjrt_launch_release(launch);
    return status;
  }
  *out_launch = launch;
  return MR_OK;
}

mr_pjrt_launch *mr_pjrt_launch_current(void) {
  mr_call_context *context = mr_call_context_current();
  return context && context->destroy == launch_destroy ? MR_CONTAINER_OF(context, mr_pjrt_launch, context.base) : NULL;
}
