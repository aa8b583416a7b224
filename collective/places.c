// Members of a program that share addresses, and where they meet.
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

#include "collective/here.h"
#include "futures/pool.h"

// ---- Lifecycle --------------------------------------------------------------------------------------------------------------

static uint32_t size_of_place(const mr_party *party, uint32_t i) {
  const mr_meeting_place *at = &party->plan.places[i];
  return mr_groups_size(mr_collective_groups(at->call), at->group);
}

// Where the arrays are in the block.
typedef struct parts {
  size_t arrivals, boxes, left, end;
} parts;

static parts parts_of(const mr_party *party) {
  parts at = {.arrivals = sizeof(here_party) + party->plan.num_places * sizeof(place)};
  at.boxes = at.arrivals;
  for (uint32_t i = 0; i < party->plan.num_places; i++) {
    at.boxes += size_of_place(party, i) * sizeof(_Atomic(arrival *));
  }
  at.left = at.boxes + (size_t)party->plan.num_channels * party->num_members * sizeof(box);
  at.end = at.left + party->num_members * sizeof(_Atomic(bool));
  return at;
}

static size_t here_bytes(const mr_party *party) { return parts_of(party).end; }

static mr_status here_open(mr_party *base) {
  here_party *party = here_of(base);
  const parts at = parts_of(base);
  party->boxes = (box *)(void *)((char *)party + at.boxes);
  party->arrivals = (_Atomic(arrival *) *)(void *)((char *)party + at.arrivals);
  party->left = (_Atomic(bool) *)(void *)((char *)party + at.left);
  uint32_t first = 0;
  for (uint32_t i = 0; i < base->plan.num_places; i++) {
    party->places[i].first = first;
    first += size_of_place(base, i);
  }
  return MR_OK;
}

static void here_close(mr_party *party) { mr_boxes_empty(here_of(party)); }

static size_t arrival_bytes(uint32_t num_buffers) { return sizeof(arrival) + num_buffers * sizeof(void *); }

static void free_arrival(mr_future *done) {
  arrival *a = MR_CONTAINER_OF(done, arrival, done);
  mr_struct_free(a, arrival_bytes(a->num_buffers));
}

// ---- Failing ----------------------------------------------------------------------------------------------------------------

void mr_arrival_tell(arrival *take_arrival, mr_status status) {
  if (take_arrival) {
    mr_future_set(&take_arrival->done, mr_status_retain(status));
    mr_future_release(&take_arrival->done);
  }
}

static arrival *take(here_party *party, const place *p, uint32_t rank) {
  return atomic_exchange_explicit(&party->arrivals[p->first + rank], NULL, memory_order_acq_rel);
}

static void fail_place(here_party *party, uint32_t i, mr_status status) {
  place *p = &party->places[i];
  uint32_t size = size_of_place(&party->is, i);
  if (atomic_fetch_or_explicit(&p->count, FAILED, memory_order_seq_cst) == size) {
    return;  // the last one has the round
  }
  for (uint32_t rank = 0; rank < size; rank++) {
    mr_arrival_tell(take(party, p, rank), status);
  }
}

static void here_fail(mr_party *party, mr_status status) {
  for (uint32_t i = 0; i < party->plan.num_places; i++) {
    fail_place(here_of(party), i, status);
  }
  mr_boxes_close(here_of(party), status);
}

// ---- Waiting for ever -------------------------------------------------------------------------------------------------------

// One of those who wait, and for whom.
static void put_waiter(const here_party *party, uint32_t i, mr_text *text) {
  const mr_meeting_place *at = &party->is.plan.places[i];
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

static void fail_stuck(here_party *party) {
  enum { ENOUGH = 400 };
  mr_text text = {0};
  for (uint32_t i = 0; i < party->is.plan.num_places && text.size < ENOUGH; i++) {
    put_waiter(party, i, &text);
  }
  mr_boxes_put_waiters(party, ENOUGH, &text);
  mr_party_fail(&party->is, mr_error(MR_FAILED_PRECONDITION, "the devices wait for each other for ever: %.*s",
                                     (int)text.size, text.data ? text.data : ""));
  mr_text_deinit(&text);
}

void mr_here_count_idle(here_party *party) {
  if (party->is.in_turn &&
      atomic_fetch_add_explicit(&party->idle, 1, memory_order_acq_rel) + 1 == party->is.num_members &&
      // relaxed: nobody comes or leaves any more.
      atomic_load_explicit(&party->num_left, memory_order_relaxed) < party->is.num_members) {
    fail_stuck(party);
  }
}

static void here_wait(mr_party *base, mr_future *done) {
  here_party *party = here_of(base);
  uint32_t goes_on = GOES_ON;
  // relaxed: what it was told is in the future.
  if (party->is.in_turn &&
      atomic_compare_exchange_strong_explicit(&MR_CONTAINER_OF(done, arrival, done)->stays, &goes_on, STAYS,
                                              memory_order_acq_rel, memory_order_relaxed)) {
    mr_here_count_idle(party);
  }
}

void mr_here_count_off(here_party *party, arrival *const *arrivals, uint32_t count, const arrival *but) {
  uint32_t stay = 0;
  for (uint32_t i = 0; party->is.in_turn && i < count; i++) {
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

static void here_leave(mr_party *base, uint32_t member) {
  here_party *party = here_of(base);
  atomic_store_explicit(&party->left[member], true, memory_order_seq_cst);
  atomic_fetch_add_explicit(&party->num_left, 1, memory_order_seq_cst);
  for (uint32_t i = 0; i < party->is.plan.num_places; i++) {
    const mr_meeting_place *at = &party->is.plan.places[i];
    if (mr_collective_groups(at->call)->group_of[member] != at->group) {
      continue;
    }
    // Without this member the round is never over, so those who are there stay until the party fails.
    uint32_t count = atomic_load_explicit(&party->places[i].count, memory_order_seq_cst);
    if (count != 0 && !(count & FAILED)) {
      mr_party_fail(base, mr_party_never_comes(at->call, member));
      return;
    }
  }
  if (mr_boxes_owe_nothing(party, member)) {
    mr_here_count_idle(party);
  }
}

// `mine` is what who comes has put into `slot`. While it is there the round is not over, which a member that has left meanwhile may have come
// to.
static void look_for_left(here_party *party, const mr_meeting_place *at, const _Atomic(arrival *) *slot,
                          const arrival *mine) {
  if (MR_LIKELY(atomic_load_explicit(&party->num_left, memory_order_seq_cst) == 0)) {
    return;
  }
  const mr_groups *groups = mr_collective_groups(at->call);
  for (uint32_t i = groups->offsets[at->group]; i < groups->offsets[at->group + 1]; i++) {
    if (atomic_load_explicit(&party->left[groups->members[i]], memory_order_seq_cst) &&
        // acquire, as the rest of the arrivals.
        atomic_load_explicit(slot, memory_order_acquire) == mine) {
      mr_party_fail(&party->is, mr_party_never_comes(at->call, groups->members[i]));
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
static mr_status work(const here_party *party, const mr_meeting_place *at, arrival *const *arrivals, uint32_t size,
                      void *const **buffers) {
  for (uint32_t rank = 0; rank < size; rank++) {
    buffers[rank] = arrivals[rank]->buffers;
  }
  return mr_collective_run(at->call, at->group, buffers, party->is.cores);
}

// This one, of rank `mine`, is the last.
static mr_status finish(here_party *party, uint32_t i, uint32_t size, uint32_t mine) {
  enum { ON_STACK = 128 };
  place *p = &party->places[i];
  void *few[2 * ON_STACK], **many = size <= ON_STACK ? few : mr_struct_alloc((size_t)2 * size * sizeof *many);
  if (!many) {
    mr_status short_of = MR_NO_MEMORY();
    for (uint32_t rank = 0; rank < size; rank++) {
      mr_arrival_tell(take(party, p, rank), short_of);
    }
    mr_party_fail(&party->is, mr_status_retain(short_of));
    return short_of;
  }
  arrival **arrivals = (arrival **)many;
  for (uint32_t rank = 0; rank < size; rank++) {
    arrivals[rank] = take(party, p, rank);
  }
  // Before anybody is told, and so before anybody comes to the next round.
  atomic_fetch_sub_explicit(&p->count, size, memory_order_seq_cst);
  mr_here_count_off(party, arrivals, size, arrivals[mine]);
  mr_status status = work(party, &party->is.plan.places[i], arrivals, size, (void *const **)(many + size));
  if (status) {
    mr_party_fail(&party->is, mr_status_retain(status));
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

static mr_status here_meet(mr_party *base, uint32_t first, uint32_t member, void *const *buffers, bool stays,
                           mr_future **out_done) {
  here_party *party = here_of(base);
  const mr_collective *call = base->plan.places[first].call;
  const mr_groups *groups = mr_collective_groups(call);
  uint32_t group = groups->group_of[member];
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
    return mr_party_error(&party->is);
  }
  if (before + 1 == size) {
    mr_future_release(done);
    return finish(party, first + group, size, rank);
  }
  *out_done = done;
  look_for_left(party, &party->is.plan.places[first + group], &party->arrivals[p->first + rank], mine);
  if (stays) {
    mr_here_count_idle(party);
  }
  return MR_OK;
}

const mr_party_kind mr_party_here = {.name = "here",
                                     .one_place = true,
                                     .bytes = here_bytes,
                                     .open = here_open,
                                     .close = here_close,
                                     .meet = here_meet,
                                     .send = mr_boxes_send,
                                     .receive = mr_boxes_receive,
                                     .wait = here_wait,
                                     .leave = here_leave,
                                     .fail = here_fail};
