// A meeting of threads, for tests of calls that may wait for one another.
#ifndef MR_TESTS_MEETING_H
#define MR_TESTS_MEETING_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

// Lets nobody out before all are in, or for ten seconds.
typedef struct meeting {
  pthread_mutex_t lock;
  pthread_cond_t all_in;
  int inside, wanted;
  bool missed;
} meeting;

#define MEETING_OF(count) {.lock = PTHREAD_MUTEX_INITIALIZER, .all_in = PTHREAD_COND_INITIALIZER, .wanted = (count)}

static inline void meet(meeting *m) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 10;
  pthread_mutex_lock(&m->lock);
  m->inside++;
  pthread_cond_broadcast(&m->all_in);
  while (m->inside < m->wanted && !m->missed) {
    m->missed = pthread_cond_timedwait(&m->all_in, &m->lock, &until) != 0 || m->missed;
  }
  pthread_mutex_unlock(&m->lock);
}

#endif
