#include "tests/compiler/faulty_party.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- Late messages ------------------------------------------------------------------------------------------------------------

typedef struct parcel {
  struct parcel *next;
  mr_party *party;  // retained
  item *message;
} parcel;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static parcel *first;
static uint64_t seed = 1;

static uint64_t draw(uint64_t count) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (seed >> 33) % count;
}

static bool is_one_way(const parcel *a, const parcel *b) {
  return a->party == b->party && a->message->from == b->message->from && a->message->member == b->message->member;
}

// Any of those that may come next; with the lock, and when there is one.
static parcel *take_any(void) {
  parcel *any = first;
  for (uint64_t skip = draw(8); skip && any->next; skip--) {
    any = any->next;
  }
  parcel **at = &first;
  while (!is_one_way(*at, any)) {
    at = &(*at)->next;
  }
  any = *at;
  *at = any->next;
  return any;
}

static void *carry_parcels(void *none) {
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!first) {
      pthread_cond_wait(&came, &lock);
    }
    parcel *p = take_any();
    bool pause = draw(4) == 0;
    pthread_mutex_unlock(&lock);
    if (pause) {
      nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    }
    bytes_deliver(p->party, p->message);
    mr_party_release(p->party);
    free(p);
  }
  return none;
}

static void start(void) {
  pthread_t carrier;
  if (pthread_create(&carrier, NULL, carry_parcels, NULL) != 0) {
    abort();
  }
  pthread_detach(carrier);
}

static void carry_late(mr_party *party, item *take_message) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
  parcel *p = malloc(sizeof *p), **at = &first;
  if (!p) {
    abort();
  }
  mr_party_retain(party);
  *p = (parcel){.party = party, .message = take_message};
  pthread_mutex_lock(&lock);
  while (*at) {
    at = &(*at)->next;
  }
  *at = p;
  pthread_cond_signal(&came);
  pthread_mutex_unlock(&lock);
}

void party_from_environment(void) {
  const char *name = getenv("MILLRACE_TEST_PARTY");
  bytes_carry = name && strcmp(name, "late") == 0 ? carry_late : NULL;
  mr_party_set_kind(name ? &bytes_party : NULL);
}

// ---- Members that die -----------------------------------------------------------------------------------------------------------

static uint32_t victim;
static _Atomic(int64_t) steps_left;  // 0: nobody dies
static _Atomic(bool) killed;

void party_kills(uint32_t member, uint32_t step) {
  victim = member;
  atomic_store(&killed, false);
  atomic_store(&steps_left, step + 1);
}

bool party_has_killed(void) {
  atomic_store(&steps_left, 0);
  return atomic_exchange(&killed, false);
}

// What others learn from whoever carries messages.
static mr_status step(mr_party *party, uint32_t member) {
  if (member == victim && atomic_load(&steps_left) > 0 && atomic_fetch_sub(&steps_left, 1) == 1) {
    atomic_store(&killed, true);
    mr_party_fail(party, mr_error(MR_UNAVAILABLE, "device %u is gone", member));
  }
  return mr_party_error(party);
}

static mr_status meet(mr_party *party, uint32_t at, uint32_t member, void *const *buffers, bool stays,
                      mr_future **out_done) {
  MR_TRY(step(party, member));
  return bytes_party.meet(party, at, member, buffers, stays, out_done);
}

static mr_status post(mr_party *party, uint32_t channel, uint32_t member, void *const *buffers) {
  MR_TRY(step(party, member));
  return bytes_party.send(party, channel, member, buffers);
}

static mr_status receive(mr_party *party, uint32_t channel, uint32_t member, void *const *buffers, bool stays,
                         mr_future **out_done) {
  MR_TRY(step(party, member));
  return bytes_party.receive(party, channel, member, buffers, stays, out_done);
}

static void leave(mr_party *party, uint32_t member) {
  mr_status gone = step(party, member);
  if (gone) {
    mr_status_free(gone);
  } else {
    bytes_party.leave(party, member);
  }
}

static size_t bytes_of(const mr_party *party) { return bytes_party.bytes(party); }
static mr_status open_party(mr_party *party) { return bytes_party.open(party); }
static void close_party(mr_party *party) { bytes_party.close(party); }
static void fail(mr_party *party, mr_status status) { bytes_party.fail(party, status); }

const mr_party_kind mortal_party = {.name = "mortal",
                                    .bytes = bytes_of,
                                    .open = open_party,
                                    .close = close_party,
                                    .meet = meet,
                                    .send = post,
                                    .receive = receive,
                                    .leave = leave,
                                    .fail = fail};
