// kind: how those that run one program together reach one another. For who makes a kind; who meets needs collective.h alone.
//
//   party.c    what all kinds have in common: who has the party, what it failed with
//   places.c   mr_party_here: members that share addresses (with letters.c)
//
// A kind's struct begins with an mr_party. What a kind is asked for is said in collective.h at the functions mr_party_..() of the same names.
// Members are asked by any threads, several at once; one member by one thread at a time.
//
// States of mr_party.error:
//
//   0 --mr_party_fail(), the first--> status, until the party goes
//   |---mr_party_end()--------------> MR_STOP_NEVER
//
//   who             operation             order, and with what it pairs                        at once
//   who fails it    swap, 0 -> status     release of the status; relaxed when it is not first  everybody
//   who ends it     swap, 0 -> NEVER      relaxed: there is nothing to see                     everybody
//   who looks       load                  relaxed; acquire for the status (core/stop.h)        everybody
//   kind's fail     reads it under its    the word is set before: who comes to a lock after    members
//                   own locks or words    `fail` was there finds it
#ifndef MR_COLLECTIVE_KIND_H
#define MR_COLLECTIVE_KIND_H

#include "collective/collective.h"

struct mr_party {
  const mr_party_kind *kind;
  _Atomic(uint32_t) refs;
  uint32_t num_members;
  bool in_turn;  // members wait for one thing at a time, and do nothing else while they wait
  size_t bytes;  // of the whole struct
  mr_group *cores;
  mr_meeting_plan plan;
  // What it failed with, owned; MR_STOP_NEVER: it went well. Release by who fails it, acquire by who looks.
  mr_stop_word error;
};

struct mr_party_kind {
  const char *name;
  // All members are in one address space, and one thread may do a meeting for all of them (mr_collective_run_all()): short programs do not make
  // a party then, and results that are the same on all may be one.
  bool one_place;
  // Of the struct, for a party of which all is known but `bytes`.
  size_t (*bytes)(const mr_party *party);
  // Behind the mr_party there are zeros. What fails has left nothing; `close` comes when nobody has the party any more.
  mr_status (*open)(mr_party *party);
  void (*close)(mr_party *party);
  mr_status (*meet)(mr_party *party, uint32_t first, uint32_t member, void *const *buffers, bool stays,
                    mr_future **out_done);
  mr_status (*send)(mr_party *party, uint32_t channel, uint32_t member, void *const *buffers);
  mr_status (*receive)(mr_party *party, uint32_t channel, uint32_t member, void *const *buffers, bool stays,
                       mr_future **out_done);
  void (*wait)(mr_party *party, mr_future *done);  // NULL: the kind does not ask who waits
  void (*leave)(mr_party *party, uint32_t member);
  // The party has just failed, once: who waits is told, and whoever comes later gets the error from `meet`, `send` and `receive`.
  void (*fail)(mr_party *party, mr_status status);
};

// What the party fails with when others wait for a member that has left: for it to come to a call, or for what it would send.
mr_status mr_party_never_comes(const mr_collective *call, uint32_t member) MR_WARN_UNUSED;
mr_status mr_party_never_sends(const mr_collective *channel, uint32_t member) MR_WARN_UNUSED;
// For what comes back to a party later; let go of with mr_party_release().
void mr_party_retain(mr_party *party);

#endif
