// What those that run one program together send one another.
//
// What is sent has a box for each channel and target. The source puts letters in front, the target takes them all and reads them in order;
// where there are none it puts its arrival there instead, and the source copies into what it has come with.
#include <string.h>

#include "collective/here.h"
#include "core/size.h"
#include "futures/pool.h"

// ---- The end ------------------------------------------------------------------------------------------------------------------

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

void mr_boxes_empty(here_party *party) {
  for (size_t i = 0; i < (size_t)party->is.plan.num_channels * party->is.num_members; i++) {
    uintptr_t word = atomic_load_explicit(&party->boxes[i].word, memory_order_relaxed);
    free_letters(is_letter(word) ? (letter *)word : NULL);
    free_letters(party->boxes[i].read);
  }
}

void mr_boxes_close(here_party *party, mr_status status) {
  for (size_t i = 0; i < (size_t)party->is.plan.num_channels * party->is.num_members; i++) {
    uintptr_t word = atomic_exchange_explicit(&party->boxes[i].word, CLOSED, memory_order_seq_cst);
    if (is_letter(word)) {
      free_letters((letter *)word);
    } else if (word & WAITS) {
      mr_arrival_tell((arrival *)(word - WAITS), status);
    }
  }
}

// ---- Who waits, and for whom --------------------------------------------------------------------------------------------------

static bool is_waited_at(const here_party *party, uint32_t channel, uint32_t target) {
  const box *b = box_of(party, channel, target);
  return (atomic_load_explicit(&b->word, memory_order_seq_cst) & WAITS) != 0;
}

static void put_receiver(const here_party *party, uint32_t channel, mr_text *text) {
  for (uint32_t target = 0; target < party->is.num_members; target++) {
    if (is_waited_at(party, channel, target)) {
      mr_text_put(text, "%sdevice %u in recv for device %u", text->size ? ", " : "", target,
                  mr_collective_source(party->is.plan.channels[channel], target));
      return;
    }
  }
}

void mr_boxes_put_waiters(const here_party *party, size_t enough, mr_text *text) {
  for (uint32_t i = 0; i < party->is.plan.num_channels && text->size < enough; i++) {
    put_receiver(party, i, text);
  }
}

bool mr_boxes_owe_nothing(here_party *party, uint32_t member) {
  for (uint32_t i = 0; i < party->is.plan.num_channels; i++) {
    uint32_t target = mr_collective_target(party->is.plan.channels[i], member);
    if (target != MR_NO_GROUP && is_waited_at(party, i, target)) {
      mr_party_fail(&party->is, mr_party_never_sends(party->is.plan.channels[i], member));
      return false;
    }
  }
  return true;
}

// ---- Letters --------------------------------------------------------------------------------------------------------------------

static letter *write_letter(const mr_collective *call, void *const *buffers) {
  size_t bytes = sizeof(letter);
  for (uint32_t i = 0; i < mr_collective_parts(call); i++) {
    bytes = mr_size_add(bytes, mr_collective_bytes(call, i));
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
static void hand_over(here_party *party, const mr_collective *call, arrival *take_arrival, void *const *buffers) {
  for (uint32_t i = 0; i < mr_collective_parts(call); i++) {
    memcpy(take_arrival->buffers[i], buffers[i], mr_collective_bytes(call, i));
  }
  mr_here_count_off(party, &take_arrival, 1, NULL);
  mr_arrival_tell(take_arrival, MR_OK);
}

mr_status mr_boxes_send(mr_party *base, uint32_t channel, uint32_t member, void *const *buffers) {
  here_party *party = here_of(base);
  const mr_collective *call = base->plan.channels[channel];
  box *b = box_of(party, channel, mr_collective_target(call, member));
  letter *mine = NULL;
  uintptr_t word = atomic_load_explicit(&b->word, memory_order_seq_cst);
  for (;;) {
    if (word == CLOSED) {
      free_letter(mine);  // whose next is not this one's
      return mr_party_error(&party->is);
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
static void look_for_source(here_party *party, uint32_t channel, uint32_t target, const box *b, uintptr_t mine) {
  uint32_t source = mr_collective_source(party->is.plan.channels[channel], target);
  if (atomic_load_explicit(&party->left[source], memory_order_seq_cst) &&
      atomic_load_explicit(&b->word, memory_order_seq_cst) == mine) {
    mr_party_fail(&party->is, mr_party_never_sends(party->is.plan.channels[channel], source));
  }
}

static mr_status wait_for_letter(here_party *party, uint32_t channel, uint32_t member, void *const *buffers, bool stays,
                                 mr_future **out_done) {
  const mr_collective *call = party->is.plan.channels[channel];
  box *b = box_of(party, channel, member);
  arrival *mine = mr_arrival_create(buffers, mr_collective_parts(call), stays);
  if (!mine) {
    return MR_NO_MEMORY();
  }
  mr_future *done = mr_future_retain(&mine->done);
  uintptr_t word = EMPTY, waits = (uintptr_t)mine + WAITS;
  if (!atomic_compare_exchange_strong_explicit(&b->word, &word, waits, memory_order_seq_cst, memory_order_seq_cst)) {
    mr_future_release(done);
    mr_future_release(&mine->done);
    return mr_boxes_receive(&party->is, channel, member, buffers, stays,
                            out_done);  // a letter has come meanwhile, or the end
  }
  *out_done = done;
  look_for_source(party, channel, member, b, waits);
  if (stays) {
    mr_here_count_idle(party);
  }
  return MR_OK;
}

mr_status mr_boxes_receive(mr_party *base, uint32_t channel, uint32_t member, void *const *buffers, bool stays,
                           mr_future **out_done) {
  here_party *party = here_of(base);
  box *b = box_of(party, channel, member);
  uintptr_t word = EMPTY;
  if (!b->read) {
    b->read = empty_box(b, &word);
  }
  if (b->read) {
    read_letter(b, base->plan.channels[channel], buffers);
    return MR_OK;
  }
  return word == CLOSED ? mr_party_error(base) : wait_for_letter(party, channel, member, buffers, stays, out_done);
}
