// park: sleep on a word and wake its sleepers (futex), and the pause between two looks.
//
// Threads: any. A wake-up may come for no reason; every caller looks again. Sleep and wake are store-then-check on both
// sides: the sleeper announces itself, looks again, sleeps if the word is still what it announced; the waker changes the
// word, then looks for announcements.
#ifndef MR_FUTURES_PARK_H
#define MR_FUTURES_PARK_H

#include <stdatomic.h>
#include <stdint.h>

#include "core/processor/processor.h"

// False when the deadline (mr_now_ns; 0: none) passed.
_Bool mr_park(const void *word, uint32_t expected, uint64_t deadline_ns);
void mr_unpark(const void *word, int count);

static inline void mr_pause(void) { mr_processor_pause(); }

// Lets another runnable thread have the core, if there is one.
void mr_yield(void);

// Processing units this process may use, as of the first call or the last note; 1 means that spinning is pointless.
uint32_t mr_allowed_units(void);
void mr_note_allowed_units(uint32_t count);

#endif
