// Those that run one program together, and where they meet.
//
// A place has a word, how many have come to the round that is meeting there, and for each rank where it puts what it has come with. Who
// comes puts its arrival there and then counts itself. Who finds that it is the last has the round for itself: it takes all arrivals,
// counts them off again, and does the work. As nobody comes to the next round before this one is over for it, no two rounds meet.
//
//   count < size           these many wait, and some may have put their arrival there and are about to count themselves
//   count = size           the last one takes the arrivals
//   any count, FAILED      nobody meets here any more. Whoever failed the party takes the arrivals, unless count = size; who comes later, or was
//                          about to count itself, takes its own back, unless it has been taken
//
// Nobody waits for ever. Who leaves looks whether others wait for it, and who comes looks whether others have left. Where members wait for
// one thing at a time it is counted as well how many do, or have left: when these are all, the party fails, and says who waits where. Who has
// come and goes on with something else is not counted: it may be at several places, and waits for one of them when it has nothing else to do.
#include <string.h>

#include "collective/party.h"
#include "futures/pool.h"

// ---- Lifecycle --------------------------------------------------------------------------------------------------------------

mr_status mr_party_create(uint32_t num_members, bool in_turn, mr_group *cores, const mr_meeting_plan *plan,
                          mr_party **out_party) {
  const mr_meeting_place *at = plan->places;
  uint32_t num_places = plan->num_places;
  size_t arrivals = sizeof(mr_party) + num_places * sizeof(place), bytes = arrivals;
  for (uint32_t i = 0; i < num_places; i++) {
    bytes += mr_groups_size(mr_collective_groups(at[i].call), at[i].group) * sizeof(_Atomic(arrival *));
  }
  size_t boxes = bytes;
  bytes += (size_t)plan->num_channels * num_members * sizeof(box);
  size_t left = bytes;
  bytes += num_members * sizeof(_Atomic(bool));
  mr_party *party = *out_party = mr_struct_alloc(bytes);
  if (!party) {
    return MR_NO_MEMORY();
  }
  memset(party, 0, bytes);
  atomic_init(&party->refs, 1);
  party->num_members = num_members;
  party->in_turn = in_turn;
  party->num_places = num_places;
  party->bytes = bytes;
  party->cores = cores;
  party->at = at;
  party->num_channels = plan->num_channels;
  party->channels = plan->channels;
  party->boxes = (box *)(void *)((char *)party + boxes);
  party->arrivals = (_Atomic(arrival *) *)(void *)((char *)party + arrivals);
  party->left = (_Atomic(bool) *)(void *)((char *)party + left);
  uint32_t first = 0;
  for (uint32_t i = 0; i < num_places; i++) {
    party->places[i].first = first;
    first += mr_groups_size(mr_collective_groups(at[i].call), at[i].group);
  }
  return MR_OK;
}

static void retain(mr_party *party) {
  // relaxed: the caller has a reference already.
  atomic_fetch_add_explicit(&party->refs, 1, memory_order_relaxed);
}

void mr_party_release(mr_party *party) {
  // acq_rel: what all others did with it comes before it is freed.
  if (party && atomic_fetch_sub_explicit(&party->refs, 1, memory_order_acq_rel) == 1) {
    uintptr_t error = atomic_load_explicit(&party->error, memory_order_relaxed);  // relaxed: nobody else is there
    mr_status_free(error == MR_STOP_NEVER ? MR_OK : (mr_status)error);
    mr_boxes_empty(party);
    mr_struct_free(party, party->bytes);
  }
}

static size_t arrival_bytes(uint32_t num_buffers) { return sizeof(arrival) + num_buffers * sizeof(void *); }

static void free_arrival(mr_future *done) {
  arrival *a = MR_CONTAINER_OF(done, arrival, done);
  mr_struct_free(a, arrival_bytes(a->num_buffers));
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

void mr_arrival_tell(arrival *take_arrival, mr_status status) {
  if (take_arrival) {
    mr_future_set(&take_arrival->done, mr_status_retain(status));
    mr_future_release(&take_arrival->done);
  }
}

static arrival *take(mr_party *party, const place *p, uint32_t rank) {
  return atomic_exchange_explicit(&party->arrivals[p->first + rank], NULL, memory_order_acq_rel);
}

static void fail_place(mr_party *party, uint32_t i, mr_status status) {
  place *p = &party->places[i];
  uint32_t size = mr_groups_size(mr_collective_groups(party->at[i].call), party->at[i].group);
  if (atomic_fetch_or_explicit(&p->count, FAILED, memory_order_seq_cst) == size) {
    return;  // the last one has the round
  }
  for (uint32_t rank = 0; rank < size; rank++) {
    mr_arrival_tell(take(party, p, rank), status);
  }
}

void mr_party_fail(mr_party *party, mr_status take_status) {
  uintptr_t none = 0;
  // release: the status is there for whoever sees it.
  if (!atomic_compare_exchange_strong_explicit(&party->error, &none, (uintptr_t)take_status, memory_order_release,
                                               memory_order_relaxed)) {
    mr_status_free(take_status);
    return;
  }
  // What is told may be the last that anybody does with the party.
  retain(party);
  for (uint32_t i = 0; i < party->num_places; i++) {
    fail_place(party, i, take_status);
  }
  mr_boxes_close(party, take_status);
  mr_party_release(party);
}

// ---- Waiting for ever -------------------------------------------------------------------------------------------------------

// One of those who wait, and for whom.
static void put_waiter(const mr_party *party, uint32_t i, mr_text *text) {
  const mr_meeting_place *at = &party->at[i];
  const mr_groups *groups = mr_collective_groups(at->call);
  uint32_t waits = MR_NO_GROUP, missing = MR_NO_GROUP;
  for (uint32_t rank = 0; rank < mr_groups_size(groups, at->group); rank++) {
    // acquire: see `idle`.
    bool here = atomic_load_explicit(&party->arrivals[party->places[i].first + rank], memory_order_acquire) != NULL;
    *(here ? &waits : &missing) = groups->members[groups->offsets[at->group] + rank];
  }
  if (waits != MR_NO_GROUP && missing != MR_NO_GROUP) {
    mr_text_put(text, "%sdevice %u in %s for device %u", text->size ? ", " : "", waits, mr_collective_name(at->call),
                missing);
  }
}

static void fail_stuck(mr_party *party) {
  enum { ENOUGH = 400 };
  mr_text text = {0};
  for (uint32_t i = 0; i < party->num_places && text.size < ENOUGH; i++) {
    put_waiter(party, i, &text);
  }
  mr_boxes_put_waiters(party, ENOUGH, &text);
  mr_party_fail(party, mr_error(MR_FAILED_PRECONDITION, "the devices wait for each other for ever: %.*s",
                                (int)text.size, text.data ? text.data : ""));
  mr_text_deinit(&text);
}

void mr_party_count_idle(mr_party *party) {
  if (party->in_turn && atomic_fetch_add_explicit(&party->idle, 1, memory_order_acq_rel) + 1 == party->num_members &&
      // relaxed: nobody comes or leaves any more.
      atomic_load_explicit(&party->num_left, memory_order_relaxed) < party->num_members) {
    fail_stuck(party);
  }
}

void mr_party_wait(mr_party *party, mr_future *done) {
  uint32_t goes_on = GOES_ON;
  // relaxed: what it was told is in the future.
  if (party->in_turn && atomic_compare_exchange_strong_explicit(&MR_CONTAINER_OF(done, arrival, done)->stays, &goes_on,
                                                                STAYS, memory_order_acq_rel, memory_order_relaxed)) {
    mr_party_count_idle(party);
  }
}

void mr_party_count_off(mr_party *party, arrival *const *arrivals, uint32_t count, const arrival *but) {
  uint32_t stay = 0;
  for (uint32_t i = 0; party->in_turn && i < count; i++) {
    _Atomic(uint32_t) *stays = &arrivals[i]->stays;
    // relaxed: who stays does so until it is told.
    stay += arrivals[i] != but && (atomic_load_explicit(stays, memory_order_relaxed) == STAYS ||
                                   atomic_exchange_explicit(stays, TOLD, memory_order_acq_rel) == STAYS);
  }
  if (stay) {
    atomic_fetch_sub_explicit(&party->idle, stay, memory_order_acq_rel);
  }
}

// ---- Leaving ----------------------------------------------------------------------------------------------------------------

static void never_comes(mr_party *party, const mr_meeting_place *at, uint32_t member) {
  mr_party_fail(party, mr_error(MR_FAILED_PRECONDITION,
                                "%s: device %u of the group has ended the program and never comes, others wait for it",
                                mr_collective_name(at->call), member));
}

void mr_party_leave(mr_party *party, uint32_t member) {
  atomic_store_explicit(&party->left[member], true, memory_order_seq_cst);
  atomic_fetch_add_explicit(&party->num_left, 1, memory_order_seq_cst);
  for (uint32_t i = 0; i < party->num_places; i++) {
    const mr_meeting_place *at = &party->at[i];
    if (mr_collective_groups(at->call)->group_of[member] != at->group) {
      continue;
    }
    // Without this member the round is never over, so those who are there stay until the party fails.
    uint32_t count = atomic_load_explicit(&party->places[i].count, memory_order_seq_cst);
    if (count != 0 && !(count & FAILED)) {
      never_comes(party, at, member);
      return;
    }
  }
  if (mr_boxes_owe_nothing(party, member)) {
    mr_party_count_idle(party);
  }
}

// `mine` is what who comes has put into `slot`. While it is there the round is not over, which a member that has left meanwhile may have come
// to.
static void look_for_left(mr_party *party, const mr_meeting_place *at, const _Atomic(arrival *) *slot,
                          const arrival *mine) {
  if (MR_LIKELY(atomic_load_explicit(&party->num_left, memory_order_seq_cst) == 0)) {
    return;
  }
  const mr_groups *groups = mr_collective_groups(at->call);
  for (uint32_t i = groups->offsets[at->group]; i < groups->offsets[at->group + 1]; i++) {
    if (atomic_load_explicit(&party->left[groups->members[i]], memory_order_seq_cst) &&
        // acquire, as the rest of the arrivals.
        atomic_load_explicit(slot, memory_order_acquire) == mine) {
      never_comes(party, at, groups->members[i]);
      return;
    }
  }
}

// ---- Meeting ----------------------------------------------------------------------------------------------------------------

arrival *mr_arrival_create(void *const *buffers, uint32_t num_buffers, bool stays) {
  arrival *a = mr_struct_alloc(arrival_bytes(num_buffers));
  if (a) {
    mr_future_init_counted(&a->done, free_arrival);
    atomic_init(&a->stays, stays ? STAYS : GOES_ON);
    a->num_buffers = num_buffers;
    memcpy(a->buffers, buffers, num_buffers * sizeof *buffers);
  }
  return a;
}

// All are there: what they have come for.
static mr_status work(const mr_party *party, const mr_meeting_place *at, arrival *const *arrivals, uint32_t size,
                      void *const **buffers) {
  for (uint32_t rank = 0; rank < size; rank++) {
    buffers[rank] = arrivals[rank]->buffers;
  }
  return mr_collective_run(at->call, at->group, buffers, party->cores);
}

// This one, of rank `mine`, is the last.
static mr_status finish(mr_party *party, uint32_t i, uint32_t size, uint32_t mine) {
  enum { ON_STACK = 128 };
  place *p = &party->places[i];
  void *few[2 * ON_STACK], **many = size <= ON_STACK ? few : mr_struct_alloc((size_t)2 * size * sizeof *many);
  if (!many) {
    mr_status short_of = MR_NO_MEMORY();
    for (uint32_t rank = 0; rank < size; rank++) {
      mr_arrival_tell(take(party, p, rank), short_of);
    }
    mr_party_fail(party, mr_status_retain(short_of));
    return short_of;
  }
  arrival **arrivals = (arrival **)many;
  for (uint32_t rank = 0; rank < size; rank++) {
    arrivals[rank] = take(party, p, rank);
  }
  // Before anybody is told, and so before anybody comes to the next round.
  atomic_fetch_sub_explicit(&p->count, size, memory_order_seq_cst);
  mr_party_count_off(party, arrivals, size, arrivals[mine]);
  mr_status status = work(party, &party->at[i], arrivals, size, (void *const **)(many + size));
  if (status) {
    mr_party_fail(party, mr_status_retain(status));
  }
  for (uint32_t rank = 0; rank < size; rank++) {
    if (rank == mine) {
      mr_future_release(&arrivals[rank]->done);  // nobody waits for it
    } else {
      mr_arrival_tell(arrivals[rank], status);
    }
  }
  if (many != few) {
    mr_struct_free(many, (size_t)2 * size * sizeof *many);
  }
  return status;
}

mr_status mr_party_meet(mr_party *party, uint32_t first, uint32_t member, void *const *buffers, bool stays,
                        mr_future **out_done) {
  *out_done = NULL;
  const mr_collective *call = party->at[first].call;
  const mr_groups *groups = mr_collective_groups(call);
  uint32_t group = groups->group_of[member];
  if (group == MR_NO_GROUP) {
    mr_collective_run_alone(call, buffers);
    return MR_OK;
  }
  place *p = &party->places[first + group];
  uint32_t rank = groups->rank_of[member], size = mr_groups_size(groups, group);
  arrival *mine = mr_arrival_create(buffers, mr_collective_buffers(call), stays);
  if (!mine) {
    return MR_NO_MEMORY();
  }
  mr_future *done = mr_future_retain(&mine->done);
  atomic_store_explicit(&party->arrivals[p->first + rank], mine, memory_order_release);
  uint32_t before = atomic_fetch_add_explicit(&p->count, 1, memory_order_seq_cst);
  if (before & FAILED) {
    mr_future_release(done);
    arrival *own = take(party, p, rank);
    if (own) {
      mr_future_release(&own->done);
    }
    return mr_party_error(party);
  }
  if (before + 1 == size) {
    mr_future_release(done);
    return finish(party, first + group, size, rank);
  }
  *out_done = done;
  look_for_left(party, &party->at[first + group], &party->arrivals[p->first + rank], mine);
  if (stays) {
    mr_party_count_idle(party);
  }
  return MR_OK;
}
