// Those that run one program together, where they meet, and what they send one another.
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
// What is sent has a box for each channel and target. The source puts letters in front, the target takes them all and reads them in order;
// where there are none it puts its arrival there instead, and the source copies into what it has come with.
//
// Nobody waits for ever. Who leaves looks whether others wait for it, and who comes looks whether others have left. Where members wait for
// one thing at a time it is counted as well how many do, or have left: when these are all, the party fails, and says who waits where. Who has
// come and goes on with something else is not counted: it may be at several places, and waits for one of them when it has nothing else to do.
#include <string.h>

#include "collective/collective.h"
#include "futures/pool.h"

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

#define WENT_WELL ((uintptr_t)1)

struct mr_party {
  _Atomic(uint32_t) refs;
  uint32_t num_members, num_places, num_channels;
  size_t bytes;
  mr_group *cores;
  const mr_meeting_place *at;  // by place
  const mr_collective *const *channels;
  box *boxes;  // of each channel, by target
  // An owned mr_status; 0: all is well; WENT_WELL: and stays so. Release by who fails it, acquire by who looks.
  _Atomic(uintptr_t) error;
  _Atomic(uint32_t) num_left;  // members that have left: their number, then who; seq_cst
  bool in_turn;                // members wait for one thing at a time, and do nothing else while they wait
  // Members that wait or have left, where in_turn. Who waits says so in its arrival, which is there, and then counts itself; who is about to
  // tell it counts it off where it has said so, and is not counted itself. It may be counted off first: then these are fewer than wait for a
  // moment, and never more, so that all are counted only when nobody goes on.
  // acq_rel: who counts the last one sees the arrivals of all.
  _Atomic(uint32_t) idle;
  _Atomic(bool) *left;  // by member
  // Owned by whoever takes it out: acq_rel.
  _Atomic(arrival *) *arrivals;
  place places[];
};

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

static void free_letter(letter *l) {
  if (l) {
    mr_struct_free(l, l->bytes);
  }
}

static void free_letters(letter *first) {
  while (first) {
    letter *next = first->next;
    free_letter(first);
    first = next;
  }
}

static bool is_letter(uintptr_t word) { return word != EMPTY && word != CLOSED && !(word & WAITS); }

// Nobody else is there.
static void empty_boxes(mr_party *party) {
  for (size_t i = 0; i < (size_t)party->num_channels * party->num_members; i++) {
    uintptr_t word = atomic_load_explicit(&party->boxes[i].word, memory_order_relaxed);
    free_letters(is_letter(word) ? (letter *)word : NULL);
    free_letters(party->boxes[i].read);
  }
}

void mr_party_release(mr_party *party) {
  // acq_rel: what all others did with it comes before it is freed.
  if (party && atomic_fetch_sub_explicit(&party->refs, 1, memory_order_acq_rel) == 1) {
    uintptr_t error = atomic_load_explicit(&party->error, memory_order_relaxed);  // relaxed: nobody else is there
    mr_status_free(error == WENT_WELL ? MR_OK : (mr_status)error);
    empty_boxes(party);
    mr_struct_free(party, party->bytes);
  }
}

static size_t arrival_bytes(uint32_t num_buffers) { return sizeof(arrival) + num_buffers * sizeof(void *); }

static void free_arrival(mr_future *done) {
  arrival *a = MR_CONTAINER_OF(done, arrival, done);
  mr_struct_free(a, arrival_bytes(a->num_buffers));
}

// ---- Failing ----------------------------------------------------------------------------------------------------------------

mr_status mr_party_error(const mr_party *party) {
  // acquire, pairs with mr_party_fail().
  uintptr_t error = atomic_load_explicit(&party->error, memory_order_acquire);
  return error == WENT_WELL ? MR_OK : mr_status_retain((mr_status)error);
}

void mr_party_end(mr_party *party) {
  uintptr_t none = 0;
  // relaxed: there is nothing to see.
  atomic_compare_exchange_strong_explicit(&party->error, &none, WENT_WELL, memory_order_relaxed, memory_order_relaxed);
}

static void tell(arrival *take_arrival, mr_status status) {
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
    tell(take(party, p, rank), status);
  }
}

static void close_boxes(mr_party *party, mr_status status) {
  for (size_t i = 0; i < (size_t)party->num_channels * party->num_members; i++) {
    uintptr_t word = atomic_exchange_explicit(&party->boxes[i].word, CLOSED, memory_order_seq_cst);
    if (is_letter(word)) {
      free_letters((letter *)word);
    } else if (word & WAITS) {
      tell((arrival *)(word - WAITS), status);
    }
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
  close_boxes(party, take_status);
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

static bool is_waited_at(const mr_party *party, uint32_t channel, uint32_t target) {
  const box *b = &party->boxes[(size_t)channel * party->num_members + target];
  return (atomic_load_explicit(&b->word, memory_order_seq_cst) & WAITS) != 0;
}

static void put_receiver(const mr_party *party, uint32_t channel, mr_text *text) {
  for (uint32_t target = 0; target < party->num_members; target++) {
    if (is_waited_at(party, channel, target)) {
      mr_text_put(text, "%sdevice %u in recv for device %u", text->size ? ", " : "", target,
                  mr_collective_source(party->channels[channel], target));
      return;
    }
  }
}

static void fail_stuck(mr_party *party) {
  enum { ENOUGH = 400 };
  mr_text text = {0};
  for (uint32_t i = 0; i < party->num_places && text.size < ENOUGH; i++) {
    put_waiter(party, i, &text);
  }
  for (uint32_t i = 0; i < party->num_channels && text.size < ENOUGH; i++) {
    put_receiver(party, i, &text);
  }
  mr_party_fail(party, mr_error(MR_FAILED_PRECONDITION, "the devices wait for each other for ever: %.*s",
                                (int)text.size, text.data ? text.data : ""));
  mr_text_deinit(&text);
}

// One more waits or has left.
static void count_idle(mr_party *party) {
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
    count_idle(party);
  }
}

// Before these are told, and so before they wait again.
static void count_off_idle(mr_party *party, arrival *const *arrivals, uint32_t count, const arrival *but) {
  uint32_t stay = 0;
  for (uint32_t i = 0; party->in_turn && i < count; i++) {
    stay += arrivals[i] != but && atomic_exchange_explicit(&arrivals[i]->stays, TOLD, memory_order_acq_rel) == STAYS;
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

static void never_sends(mr_party *party, uint32_t channel, uint32_t member) {
  mr_party_fail(party,
                mr_error(MR_FAILED_PRECONDITION,
                         "recv on channel %lld: device %u has ended the program and never sends, device %u waits",
                         (long long)mr_collective_channel(party->channels[channel]), member,
                         mr_collective_target(party->channels[channel], member)));
}

// False: somebody waits for a letter of this member's, which has left.
static bool owes_nothing(mr_party *party, uint32_t member) {
  for (uint32_t i = 0; i < party->num_channels; i++) {
    uint32_t target = mr_collective_target(party->channels[i], member);
    if (target != MR_NO_GROUP && is_waited_at(party, i, target)) {
      never_sends(party, i, member);
      return false;
    }
  }
  return true;
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
  if (owes_nothing(party, member)) {
    count_idle(party);
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

static arrival *create_arrival(void *const *buffers, uint32_t num_buffers) {
  arrival *a = mr_struct_alloc(arrival_bytes(num_buffers));
  if (a) {
    mr_future_init_counted(&a->done, free_arrival);
    atomic_init(&a->stays, GOES_ON);
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
  void *few[2 * ON_STACK], **many = size <= ON_STACK ? few : mr_struct_alloc(2 * size * sizeof *many);
  if (!many) {
    mr_status short_of = MR_NO_MEMORY();
    for (uint32_t rank = 0; rank < size; rank++) {
      tell(take(party, p, rank), short_of);
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
  count_off_idle(party, arrivals, size, arrivals[mine]);
  mr_status status = work(party, &party->at[i], arrivals, size, (void *const **)(many + size));
  if (status) {
    mr_party_fail(party, mr_status_retain(status));
  }
  for (uint32_t rank = 0; rank < size; rank++) {
    if (rank == mine) {
      mr_future_release(&arrivals[rank]->done);  // nobody waits for it
    } else {
      tell(arrivals[rank], status);
    }
  }
  if (many != few) {
    mr_struct_free(many, 2 * size * sizeof *many);
  }
  return status;
}

mr_status mr_party_meet(mr_party *party, uint32_t first, uint32_t member, void *const *buffers, mr_future **out_done) {
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
  arrival *mine = create_arrival(buffers, mr_collective_buffers(call));
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
  return MR_OK;
}

// ---- Letters ----------------------------------------------------------------------------------------------------------------

static letter *write_letter(const mr_collective *call, void *const *buffers) {
  size_t bytes = sizeof(letter);
  for (uint32_t i = 0; i < mr_collective_parts(call); i++) {
    bytes += mr_collective_bytes(call, i);
  }
  letter *l = mr_struct_alloc(bytes);
  if (l) {
    l->next = NULL;
    l->bytes = bytes;
    char *at = l->data;
    for (uint32_t i = 0; i < mr_collective_parts(call); i++) {
      memcpy(at, buffers[i], mr_collective_bytes(call, i));
      at += mr_collective_bytes(call, i);
    }
  }
  return l;
}

// Takes the oldest letter that was taken out of the box.
static void read_letter(box *b, const mr_collective *call, void *const *buffers) {
  letter *l = b->read;
  const char *at = l->data;
  b->read = l->next;
  for (uint32_t i = 0; i < mr_collective_parts(call); i++) {
    memcpy(buffers[i], at, mr_collective_bytes(call, i));
    at += mr_collective_bytes(call, i);
  }
  free_letter(l);
}

// The target waits: what is sent goes where it wants it.
static void hand_over(mr_party *party, const mr_collective *call, arrival *take_arrival, void *const *buffers) {
  for (uint32_t i = 0; i < mr_collective_parts(call); i++) {
    memcpy(take_arrival->buffers[i], buffers[i], mr_collective_bytes(call, i));
  }
  count_off_idle(party, &take_arrival, 1, NULL);
  tell(take_arrival, MR_OK);
}

mr_status mr_party_send(mr_party *party, uint32_t channel, uint32_t member, void *const *buffers) {
  const mr_collective *call = party->channels[channel];
  uint32_t target = mr_collective_target(call, member);
  if (target == MR_NO_GROUP) {
    return MR_OK;
  }
  box *b = &party->boxes[(size_t)channel * party->num_members + target];
  letter *mine = NULL;
  uintptr_t word = atomic_load_explicit(&b->word, memory_order_seq_cst);
  for (;;) {
    if (word == CLOSED) {
      free_letter(mine);  // whose next is not this one's
      return mr_party_error(party);
    }
    if (!(word & WAITS) && !mine && !(mine = write_letter(call, buffers))) {
      return MR_NO_MEMORY();
    }
    if (mine && !(word & WAITS)) {
      mine->next = (letter *)word;
    }
    if (atomic_compare_exchange_strong_explicit(&b->word, &word, word & WAITS ? EMPTY : (uintptr_t)mine,
                                                memory_order_seq_cst, memory_order_seq_cst)) {
      break;
    }
  }
  if (word & WAITS) {
    free_letter(mine);
    hand_over(party, call, (arrival *)(word - WAITS), buffers);
  }
  return MR_OK;
}

// The letters that have come, the oldest first; NULL: none, and *word is what else was there.
static letter *empty_box(box *b, uintptr_t *word) {
  letter *oldest = NULL;
  *word = atomic_load_explicit(&b->word, memory_order_seq_cst);
  while (is_letter(*word) &&
         !atomic_compare_exchange_strong_explicit(&b->word, word, EMPTY, memory_order_seq_cst, memory_order_seq_cst)) {
  }
  for (letter *l = is_letter(*word) ? (letter *)*word : NULL, *next; l; l = next) {
    next = l->next;
    l->next = oldest;
    oldest = l;
  }
  return oldest;
}

// Whether the source has left, and this one waits still.
static void look_for_source(mr_party *party, uint32_t channel, uint32_t target, const box *b, uintptr_t mine) {
  uint32_t source = mr_collective_source(party->channels[channel], target);
  if (atomic_load_explicit(&party->left[source], memory_order_seq_cst) &&
      atomic_load_explicit(&b->word, memory_order_seq_cst) == mine) {
    never_sends(party, channel, source);
  }
}

static mr_status wait_for_letter(mr_party *party, uint32_t channel, uint32_t member, void *const *buffers,
                                 mr_future **out_done) {
  const mr_collective *call = party->channels[channel];
  box *b = &party->boxes[(size_t)channel * party->num_members + member];
  arrival *mine = create_arrival(buffers, mr_collective_parts(call));
  if (!mine) {
    return MR_NO_MEMORY();
  }
  mr_future *done = mr_future_retain(&mine->done);
  uintptr_t word = EMPTY, waits = (uintptr_t)mine + WAITS;
  if (!atomic_compare_exchange_strong_explicit(&b->word, &word, waits, memory_order_seq_cst, memory_order_seq_cst)) {
    mr_future_release(done);
    mr_future_release(&mine->done);
    return mr_party_receive(party, channel, member, buffers, out_done);  // a letter has come meanwhile, or the end
  }
  *out_done = done;
  look_for_source(party, channel, member, b, waits);
  return MR_OK;
}

mr_status mr_party_receive(mr_party *party, uint32_t channel, uint32_t member, void *const *buffers,
                           mr_future **out_done) {
  const mr_collective *call = party->channels[channel];
  *out_done = NULL;
  if (mr_collective_source(call, member) == MR_NO_GROUP) {
    for (uint32_t i = 0; i < mr_collective_parts(call); i++) {
      memset(buffers[i], 0, mr_collective_bytes(call, i));
    }
    return MR_OK;
  }
  box *b = &party->boxes[(size_t)channel * party->num_members + member];
  uintptr_t word = EMPTY;
  if (!b->read) {
    b->read = empty_box(b, &word);
  }
  if (b->read) {
    read_letter(b, call, buffers);
    return MR_OK;
  }
  return word == CLOSED ? mr_party_error(party) : wait_for_letter(party, channel, member, buffers, out_done);
}
