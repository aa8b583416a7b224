// A session's lock: one call at a time is inside the engine with it.
#ifndef MP_SESSION_H
#define MP_SESSION_H

#include <pthread.h>

struct mp_lock {
  pthread_mutex_t inside;
};

#endif
