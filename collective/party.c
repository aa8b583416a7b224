// Those that run one program together, of any kind: who has the party, and how it fails.
#include <string.h>

#include "collective/kind.h"
#include "futures/pool.h"

// relaxed: kinds are constants.
static _Atomic(const mr_party_kind *) chosen;

static const mr_party_kind *kind_now(void) {
  const mr_party_kind *kind = atomic_load_explicit(&chosen, memory_order_relaxed);
  return MR_LIKELY(!kind) ? &mr_party_here : kind;
}

void mr_party_set_kind(const mr_party_kind *kind) { atomic_store_explicit(&chosen, kind, memory_order_relaxed); }

bool mr_party_is_one_place(void) { return kind_now()->one_place; }

mr_status mr_party_create(uint32_t num_members, bool in_turn, mr_group *cores, const mr_meeting_plan *plan,
                          mr_party **out_party) {
  mr_party head = {.kind = kind_now(), .num_members = num_members, .in_turn = in_turn, .cores = cores, .plan = *plan};
  const size_t bytes = head.kind->bytes(&head);
  mr_party *party = *out_party = mr_struct_alloc(bytes);
  if (!party) {
    return MR_NO_MEMORY();
  }
  memset(party, 0, bytes);
  *party = head;
  party->bytes = bytes;
  atomic_init(&party->refs, 1);
  atomic_init(&party->error, 0);
  mr_status status = party->kind->open(party);
  if (status) {
    mr_struct_free(party, bytes);
    *out_party = NULL;
  }
  return status;
}

void mr_party_retain(mr_party *party) {
  // relaxed: the caller has a reference already.
  atomic_fetch_add_explicit(&party->refs, 1, memory_order_relaxed);
}

void mr_party_release(mr_party *party) {
  // acq_rel: what all others did with it comes before it is freed.
  if (party && atomic_fetch_sub_explicit(&party->refs, 1, memory_order_acq_rel) == 1) {
    uintptr_t error = atomic_load_explicit(&party->error, memory_order_relaxed);  // relaxed: nobody else is there
    mr_status_free(error == MR_STOP_NEVER ? MR_OK : (mr_status)error);
    party->kind->close(party);
    mr_struct_free(party, party->bytes);
  }
}

// ---- Failing ----------------------------------------------------------------------------------------------------------------

const mr_stop_word *mr_party_word(const mr_party *party) { return &party->error; }

mr_status mr_party_error(const mr_party *party) { return mr_stop_reason(&party->error); }

void mr_party_end(mr_party *party) {
  uintptr_t none = 0;
  // relaxed: there is nothing to see.
  atomic_compare_exchange_strong_explicit(&party->error, &none, MR_STOP_NEVER, memory_order_relaxed,
                                          memory_order_relaxed);
}

void mr_party_fail(mr_party *party, mr_status take_status) {
  uintptr_t none = 0;
  // release: the status is there for whoever sees it.
  if (!atomic_compare_exchange_strong_explicit(&party->error, &none, (uintptr_t)take_status, memory_order_release,
                                               memory_order_relaxed)) {
    mr_status_free(take_status);
    return;
  }
  mr_party_retain(party);  // what is told may be the last that anybody does with it
  party->kind->fail(party, take_status);
  mr_party_release(party);
}

mr_status mr_party_never_comes(const mr_collective *call, uint32_t member) {
  return mr_error(MR_FAILED_PRECONDITION,
                  "%s: device %u of the group has ended the program and never comes, others wait for it",
                  mr_collective_name(call), member);
}

mr_status mr_party_never_sends(const mr_collective *channel, uint32_t member) {
  return mr_error(MR_FAILED_PRECONDITION,
                  "recv on channel %lld: device %u has ended the program and never sends, device %u waits",
                  (long long)mr_collective_channel(channel), member, mr_collective_target(channel, member));
}

// ---- Members ----------------------------------------------------------------------------------------------------------------

mr_status mr_party_meet(mr_party *party, uint32_t first, uint32_t member, void *const *buffers, bool stays,
                        mr_future **out_done) {
  *out_done = NULL;
  const mr_collective *call = party->plan.places[first].call;
  if (mr_collective_groups(call)->group_of[member] == MR_NO_GROUP) {
    mr_collective_run_alone(call, buffers);
    return MR_OK;
  }
  return party->kind->meet(party, first, member, buffers, stays, out_done);
}

mr_status mr_party_send(mr_party *party, uint32_t channel, uint32_t member, void *const *buffers) {
  bool to_nobody = mr_collective_target(party->plan.channels[channel], member) == MR_NO_GROUP;
  return to_nobody ? MR_OK : party->kind->send(party, channel, member, buffers);
}

mr_status mr_party_receive(mr_party *party, uint32_t channel, uint32_t member, void *const *buffers, bool stays,
                           mr_future **out_done) {
  const mr_collective *call = party->plan.channels[channel];
  *out_done = NULL;
  if (mr_collective_source(call, member) != MR_NO_GROUP) {
    return party->kind->receive(party, channel, member, buffers, stays, out_done);
  }
  for (uint32_t i = 0; i < mr_collective_parts(call); i++) {
    memset(buffers[i], 0, mr_collective_bytes(call, i));
  }
  return MR_OK;
}

void mr_party_wait(mr_party *party, mr_future *done) {
  if (party->kind->wait) {
    party->kind->wait(party, done);
  }
}

void mr_party_leave(mr_party *party, uint32_t member) { party->kind->leave(party, member); }
