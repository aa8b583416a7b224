// flights: the launches of a client that are under way, so that a host can poison one.
//
// Threads: any. Ownership: the list is counted, waiters may outlive the client by a moment.
#ifndef MR_PJRT_OBJECTS_FLIGHTS_H
#define MR_PJRT_OBJECTS_FLIGHTS_H

#include "pjrt/objects/objects.h"

// In order of launching.
struct mr_pjrt_flights {
  mr_ref ref;
  pthread_mutex_t lock;
  struct mr_pjrt_flight *first, **end;
};
mr_status mr_pjrt_flights_create(mr_pjrt_flights **out_list) MR_WARN_UNUSED;
void mr_pjrt_flights_release(mr_pjrt_flights *list);  // NULL is fine

// Room for one execution to be remembered, asked for before it starts; NULL without memory.
typedef struct mr_pjrt_flight mr_pjrt_flight;
mr_pjrt_flight *mr_pjrt_flight_allocate(void) MR_WARN_UNUSED;
void mr_pjrt_flight_free(mr_pjrt_flight *flight);  // not tracked after all; NULL is fine
// Remembers an execution of this device under its launch id until `done`, a node's future, is set.
void mr_pjrt_flights_track(mr_pjrt_flight *take_flight, PJRT_Device *device, int32_t launch_id, mr_future *done);
// Fails the oldest execution with this id that is not finished; false when there is none.
bool mr_pjrt_flights_poison(PJRT_Device *device, int32_t launch_id, mr_status take_error);

#endif
