// here: a party of members that share addresses. Private to collective.
//
//   places.c   where they meet, and that none waits for ever
//   letters.c  what they send one another
//
// States of place.count, here_party.arrivals, of the ranks of the place:
//
//   n, with n arrivals --a member puts its arrival, then counts itself--> n + 1; the last one takes all --> 0
//   any --the party fails--> FAILED | n: whoever failed it takes the arrivals, but where n = size; who counts itself later takes its own
//
//   who               operation                           order, and with what it pairs                             at once
//   member            arrivals: store, NULL -> own        release of the arrival                                    who fails, who is told
//   member            count: + 1                          seq_cst, then it looks for who has left: see places.c;    members, who fails,
//                                                         acquire of the arrivals before, release of its own        who leaves
//   last member       arrivals: exchange, each -> NULL    acq_rel: acquire of the arrival                           who fails
//   last member       count: - size                       seq_cst, before it tells anybody                          who fails, who leaves
//   who fails         count: sets FAILED                  seq_cst: with what it finds it knows whose arrivals are   members, who leaves
//   who fails         arrivals: exchange, each -> NULL    acq_rel, as the last member: one of the two has it        members
//   who leaves        count: load                         seq_cst, after `left` and `num_left`                      members
//   who fails, stuck  arrivals: load                      acquire: nobody comes any more                            who fails
//
// States of arrival.stays:
//
//   GOES_ON --the member waits (mr_party_wait)--> STAYS --about to be told--> STAYS (counted off)
//      |------about to be told---> TOLD
//
//   who               operation                order, and with what it pairs                                at once
//   member            swap, GOES_ON -> STAYS   acq_rel: then it counts itself in `idle`                     who tells
//   who tells         load; exchange -> TOLD   relaxed where it says STAYS: it does until it is told;       member
//                                              else acq_rel: who comes second knows what the first made of it
//
// States of box.word, of letters from one member to another:
//
//   EMPTY --send--> letter --send--> newer letter, over the older ones --the target takes all--> EMPTY
//     |---the target, without letters--> arrival + WAITS --send copies into it--> EMPTY
//   any --the party fails--> CLOSED
//
//   who        operation                                 order, and with what it pairs                        at once
//   source     load; swap, EMPTY, letters -> own letter  seq_cst: release of the letter, acquire of an        target, who fails, who leaves
//              over them; arrival -> EMPTY               arrival; and against who leaves
//   target     load; swap, letters -> EMPTY              seq_cst: acquire of the letters                      source, who fails
//   target     swap, EMPTY -> arrival + WAITS            seq_cst: release of the arrival; then it looks       source, who fails, who leaves
//                                                        whether the source has left
//   who fails  exchange, any -> CLOSED                   seq_cst: acquire of what was there, which is its     source, target
//   who leaves load                                      seq_cst, after `left` and `num_left`                 target
#ifndef MR_COLLECTIVE_HERE_H
#define MR_COLLECTIVE_HERE_H

#include "collective/kind.h"

// What a member does that has come: it goes on with something else, it waits, or it has been told or is about to be.
enum { GOES_ON, STAYS, TOLD };

// Somebody who has come.
typedef struct arrival {
  mr_future done;  // counted: the struct's
  // Whether the member does nothing else until it is told, in a party where it may say so. acq_rel: whoever changes it second knows what the
  // first has made of it.
  _Atomic(uint32_t) stays;
  uint32_t num_buffers;
  void *buffers[];
} arrival;

#define FAILED (UINT32_C(1) << 31)

typedef struct place {
  // seq_cst, for who leaves: it says so and then looks at the places, and who comes counts itself and then looks for who has left, so that
  // one of them sees the other. Acquire and release are what the arrivals need.
  _Atomic(uint32_t) count;
  uint32_t first;  // of the arrivals, which ranks follow
} place;

// What was sent and is not received yet: all parts, one behind the other.
typedef struct letter {
  struct letter *next;
  size_t bytes;  // of the struct
  char data[];
} letter;

// What is in a box: EMPTY, the letter that came last, an arrival + WAITS, or CLOSED: the party has failed.
#define EMPTY ((uintptr_t)0)
#define WAITS ((uintptr_t)1)
#define CLOSED ((uintptr_t)2)

typedef struct box {
  // seq_cst, for who leaves, as `count` of a place; acquire and release are what letters and arrivals need. Letters are pushed by the source
  // alone and taken by the target, so none comes back.
  _Atomic(uintptr_t) word;
  letter *read;  // the target's: what it has taken out, the oldest first
} box;

typedef struct here_party {
  mr_party is;
  box *boxes;                  // of each channel, by target
  _Atomic(uint32_t) num_left;  // members that have left: their number, then who; seq_cst
  // Members that wait or have left, where in_turn. Who waits says so in its arrival, which is there, and then counts itself; who is about to
  // tell it counts it off where it has said so, and is not counted itself. It may be counted off first: then these are fewer than wait for a
  // moment, and never more, so that all are counted only when nobody goes on.
  // acq_rel: who counts the last one sees the arrivals of all.
  _Atomic(uint32_t) idle;
  _Atomic(bool) *left;  // by member
  // Owned by whoever takes it out: acq_rel.
  _Atomic(arrival *) *arrivals;
  place places[];
} here_party;
static inline here_party *here_of(mr_party *party) { return (here_party *)party; }
static inline box *box_of(const here_party *party, uint32_t channel, uint32_t target) {
  return &party->boxes[(size_t)channel * party->is.num_members + target];
}

// NULL without memory.
arrival *mr_arrival_create(void *const *buffers, uint32_t num_buffers, bool stays);
// One more waits or has left.
void mr_here_count_idle(here_party *party);
void mr_arrival_tell(arrival *take_arrival, mr_status status);  // NULL is fine
// Before these are told, and so before they wait again; without the one that is the caller's own, or NULL.
void mr_here_count_off(here_party *party, arrival *const *arrivals, uint32_t count, const arrival *but);

// ---- Letters (letters.c) --------------------------------------------------------------------------------------------------

void mr_boxes_empty(here_party *party);  // nobody else is there
void mr_boxes_close(here_party *party, mr_status status);
// Who waits for a letter, until the text is long enough.
void mr_boxes_put_waiters(const here_party *party, size_t enough, mr_text *text);
mr_status mr_boxes_send(mr_party *party, uint32_t channel, uint32_t member, void *const *buffers);
mr_status mr_boxes_receive(mr_party *party, uint32_t channel, uint32_t member, void *const *buffers, bool stays,
                           mr_future **out_done);
// False: somebody waits for a letter of this member's, which has left; the party has failed.
bool mr_boxes_owe_nothing(here_party *party, uint32_t member);

#endif
