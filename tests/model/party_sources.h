// party_sources: what test_party.c runs: the code of the meetings (collective/party.c, places.c, letters.c; with MODEL_BYTES
// tests/compiler/bytes_party.c as well), of what rows share (compiler/run/rows.c) and of futures.
#ifndef MR_TESTS_MODEL_PARTY_SOURCES_H
#define MR_TESTS_MODEL_PARTY_SOURCES_H

#include "compiler/run/context.h"
#include "compiler/run/run.h"
#include "core/core.h"
#include "core/trace.h"
#include "futures/park.h"
#include "futures/pool.h"
#include "tests/model/blocks.h"

static inline uint32_t model_one_unit(void) { return 1; }
#define mr_park(word, expected, deadline) (model_park(word, expected, (deadline) != 0))
#define mr_unpark(word, count) model_unpark(word)
#define mr_allowed_units model_one_unit  // so waiting does not spin
#define pthread_mutex_lock(lock) model_lock(lock)
#define pthread_mutex_unlock(lock) model_unlock(lock)

#include "futures/future.c"

#define take take_arrival_of
#define work do_the_work
#include "collective/letters.c"
#include "collective/party.c"
#include "collective/places.c"
#undef work
#undef take

#ifdef MODEL_BYTES
#define mr_alloc(size) model_block(size)
#define mr_free(block) model_block_end(block, 0)
#define work work_of_one
#include "tests/compiler/bytes_party.c"
#undef work
#undef mr_free
#undef mr_alloc
#endif

#define mr_scheduler_group(scheduler, first, count) ((void)(scheduler), (mr_group *)NULL)
#include "compiler/run/rows.c"

#endif
