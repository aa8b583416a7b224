// steady: whether a call's weights stay the same for long enough to be worth packing. Private to ops/library.
//
// Packing for Winograd costs up to a hundred convolutions. Weights that turn out to change all the time (a policy that is
// trained between its uses), and weights whose changes cannot be seen (memory that somebody else may write), are not packed.
// What is decided for an array's content holds for as long as it is used: equal arguments in a row give equal bits.
//
// Threads: any number may ask at once.
#ifndef MR_OPS_LIBRARY_STEADY_H
#define MR_OPS_LIBRARY_STEADY_H

#include <pthread.h>

#include "devices/devices.h"

typedef struct mr_steady {
  pthread_mutex_t lock;  // held for a few instructions
  mr_content content;    // the last one asked about
  uint32_t uses;         // of it
  uint32_t brief;        // contents in a row that were used a few times only
  bool packs;            // what was decided for it
} mr_steady;

void mr_steady_init(mr_steady *steady);
void mr_steady_deinit(mr_steady *steady);
// Counts one use of `content` and says whether to work with packed weights.
bool mr_steady_use(mr_steady *steady, mr_content content);

#endif
