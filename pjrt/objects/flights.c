// A list for each client in order of launching, under a lock of its own. Entries go when their node is done; the list is as long
// as a host's queue of executions.
#include "pjrt/objects/flights.h"

#include "futures/pool.h"
#include "graph/graph.h"

struct mr_pjrt_flight {
  mr_waiter waiter;
  mr_pjrt_flights *list;
  mr_pjrt_flight *next, **back;  // `back`: what points here
  PJRT_Device *device;
  int32_t launch_id;
  mr_future *done;  // retained
};

static void landed(mr_waiter *waiter, mr_status status) {
  (void)status;
  mr_pjrt_flight *flight = MR_CONTAINER_OF(waiter, mr_pjrt_flight, waiter);
  pthread_mutex_lock(&flight->list->lock);
  *flight->back = flight->next;
  if (flight->next) {
    flight->next->back = flight->back;
  } else {
    flight->list->end = flight->back;
  }
  pthread_mutex_unlock(&flight->list->lock);
  mr_pjrt_flights *list = flight->list;
  mr_future_release(flight->done);
  mr_struct_free(flight, sizeof *flight);
  mr_pjrt_flights_release(list);
}

mr_pjrt_flight *mr_pjrt_flight_allocate(void) { return mr_struct_alloc(sizeof(mr_pjrt_flight)); }

void mr_pjrt_flight_free(mr_pjrt_flight *flight) { mr_struct_free(flight, sizeof *flight); }

void mr_pjrt_flights_track(mr_pjrt_flight *take_flight, PJRT_Device *device, int32_t launch_id, mr_future *done) {
  mr_pjrt_flights *list = device->client->flights;
  *take_flight = (mr_pjrt_flight){
      .waiter.run = landed, .list = list, .device = device, .launch_id = launch_id, .done = mr_future_retain(done)};
  mr_ref_retain(&list->ref);
  pthread_mutex_lock(&list->lock);
  take_flight->back = list->end;
  *list->end = take_flight;
  list->end = &take_flight->next;
  pthread_mutex_unlock(&list->lock);
  mr_future_then(done, &take_flight->waiter);
}

bool mr_pjrt_flights_poison(PJRT_Device *device, int32_t launch_id, mr_status take_error) {
  mr_pjrt_flights *list = device->client->flights;
  mr_future *done = NULL;
  pthread_mutex_lock(&list->lock);
  for (mr_pjrt_flight *flight = list->first; flight && !done; flight = flight->next) {
    if (flight->device == device && flight->launch_id == launch_id && !mr_future_is_set(flight->done)) {
      done = mr_future_retain(flight->done);
    }
  }
  pthread_mutex_unlock(&list->lock);
  if (done == NULL) {
    mr_status_free(take_error);
    return false;
  }
  mr_node_cancel(mr_node_of_done(done), take_error);
  mr_future_release(done);
  return true;
}

mr_status mr_pjrt_flights_create(mr_pjrt_flights **out_list) {
  *out_list = mr_alloc_zeroed(1, sizeof **out_list);
  if (*out_list == NULL) {
    return MR_NO_MEMORY();
  }
  mr_ref_init(&(*out_list)->ref);
  pthread_mutex_init(&(*out_list)->lock, NULL);
  (*out_list)->end = &(*out_list)->first;
  return MR_OK;
}

void mr_pjrt_flights_release(mr_pjrt_flights *list) {
  if (list && mr_ref_release(&list->ref)) {
    pthread_mutex_destroy(&list->lock);
    mr_free(list);
  }
}
