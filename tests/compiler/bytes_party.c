#include "tests/compiler/bytes_party.h"

#include <pthread.h>
#include <string.h>

#include "core/size.h"

// From where on an item is about a channel; and the word that its sender comes to nothing any more.
#define MAIL (UINT32_C(1) << 30)
#define LEFT (UINT32_C(1) << 31)
enum { MOST = 160 };

void (*bytes_carry)(mr_party *party, item *take_message);

typedef struct desks {
  mr_party is;
  pthread_mutex_t lock;
  item *first;  // what has come for all members, in the order in which it came
} desks;

static const mr_collective *call_at(const mr_party *party, uint32_t where) {
  return where >= MAIL ? party->plan.channels[where - MAIL] : party->plan.places[where].call;
}

// The next of a participant's buffers, which lie one behind the other in a message.
static void *next_buffer(const mr_collective *call, uint32_t i, char **at) {
  char *here = *at;
  *at += mr_size_round(mr_collective_bytes(call, i), sizeof(void *));
  return here;
}

static item *unlink_at(item **at) {
  item *i = *at;
  *at = i->next;
  return i;
}

// ---- What is done when all have come --------------------------------------------------------------------------------------------

static void end_visit(item *take_visit, mr_status take_status) {
  mr_future_set(take_visit->done, take_status);
  mr_future_release(take_visit->done);
  mr_free(take_visit);
}

static void copy_letter(const mr_collective *call, item *v, item *m) {
  char *at = (char *)m->data;
  for (uint32_t i = 0; i < mr_collective_parts(call); i++) {
    memcpy(v->data[i], next_buffer(call, i, &at), mr_collective_bytes(call, i));
  }
}

// What others gave lies in their messages, and so does what comes of it for them. `got` NULL: the member's own.
static mr_status work(const mr_party *party, item *v, item *const *got, uint32_t count) {
  const mr_collective *call = call_at(party, v->where);
  const uint32_t all = mr_collective_buffers(call);
  void **block = mr_alloc(count * (1 + (size_t)all) * sizeof(void *));
  if (!block) {
    return MR_NO_MEMORY();
  }
  for (uint32_t rank = 0; rank < count; rank++) {
    void **theirs = block + count + (size_t)rank * all;
    char *at = got[rank] ? (char *)got[rank]->data : NULL;
    block[rank] = at ? theirs : v->data;
    for (uint32_t i = 0; at && i < all; i++) {
      theirs[i] = next_buffer(call, i, &at);
    }
  }
  mr_status status = mr_collective_run(call, party->plan.places[v->where].group, (void *const *const *)block, NULL);
  mr_free(block);
  return status;
}

static void finish_visit(mr_party *party, item *take_visit, item **take_got, uint32_t count) {
  mr_status status = MR_OK;
  if (take_visit->where >= MAIL) {
    copy_letter(call_at(party, take_visit->where), take_visit, take_got[0]);
  } else if ((status = work(party, take_visit, take_got, count))) {
    mr_party_fail(party, mr_status_retain(status));
  }
  while (count > 0) {
    mr_free(take_got[--count]);
  }
  end_visit(take_visit, status);
}

// ---- Coming together ------------------------------------------------------------------------------------------------------------

// With the lock: whether all that the visit wants has come, which is taken out then. *out_lost: it never comes.
static bool collect(desks *d, item *v, item **got, uint32_t *out_count, mr_status *out_lost) {
  const mr_collective *call = call_at(&d->is, v->where);
  const mr_groups *groups = mr_collective_groups(call);
  const uint32_t group = v->where >= MAIL ? 0 : d->is.plan.places[v->where].group;
  const uint32_t *wanted = v->where >= MAIL ? &v->from : groups->members + groups->offsets[group];
  *out_count = v->where >= MAIL ? 1 : mr_groups_size(groups, group);
  for (uint32_t i = 0; i < *out_count; i++) {
    got[i] = d->first;
    while (got[i] && (got[i]->done || got[i]->member != v->member || got[i]->from != wanted[i] ||
                      (got[i]->where != v->where && got[i]->where != LEFT))) {
      got[i] = got[i]->next;
    }
    if (got[i] && got[i]->where == LEFT) {
      *out_lost = v->where >= MAIL ? mr_party_never_sends(call, wanted[i]) : mr_party_never_comes(call, wanted[i]);
    }
    if ((!got[i] && (wanted[i] != v->member || v->where >= MAIL)) || *out_lost) {
      return false;
    }
  }
  for (item **at = &d->first; *at;) {
    bool taken = false;
    for (uint32_t i = 0; i < *out_count; i++) {
      taken |= got[i] == *at;
    }
    at = taken ? (*at = (*at)->next, at) : &(*at)->next;
  }
  return true;
}

static void fail_visits(mr_party *party, mr_status status) {
  desks *d = (desks *)party;
  item *v = NULL;
  do {
    pthread_mutex_lock(&d->lock);
    item **at = &d->first;
    while (*at && !(*at)->done) {
      at = &(*at)->next;
    }
    v = *at ? unlink_at(at) : NULL;
    pthread_mutex_unlock(&d->lock);
    if (v) {
      end_visit(v, mr_status_retain(status));
    }
  } while (v);
}

// A message comes to a member, or the member to what it wants messages for. What has all that it wants then is done.
void bytes_deliver(mr_party *party, item *take_item) {
  desks *d = (desks *)party;
  item *got[MOST], *v = NULL, **at = &d->first;
  uint32_t count = 0, member = take_item->member;
  mr_status lost = MR_OK;
  pthread_mutex_lock(&d->lock);
  while (*at) {
    at = &(*at)->next;
  }
  *at = take_item;
  mr_status failed = mr_party_error(party);  // who fails it looks for visits after that
  for (at = &d->first; !failed && !lost && !v && *at; at = &(*at)->next) {
    v = (*at)->done && (*at)->member == member && collect(d, *at, got, &count, &lost) ? *at : NULL;
  }
  for (at = &d->first; v && *at;) {
    at = *at == v ? (void)unlink_at(at), at : &(*at)->next;
  }
  pthread_mutex_unlock(&d->lock);
  if (failed) {
    fail_visits(party, failed);
    mr_status_free(failed);
  } else if (lost) {
    mr_party_fail(party, lost);
  } else if (v) {
    finish_visit(party, v, got, count);
  }
}

// Room for all of its buffers, with the operands in it. `where` LEFT: nothing.
static mr_status send_to(mr_party *party, uint32_t from, uint32_t to, uint32_t where, void *const *buffers) {
  const mr_collective *call = where == LEFT ? NULL : call_at(party, where);
  const uint32_t all = call ? mr_collective_buffers(call) : 0;
  const uint32_t inputs = where >= MAIL ? all : all - mr_collective_parts(call);
  char *end = NULL;
  for (uint32_t i = 0; i < all; i++) {
    (void)next_buffer(call, i, &end);
  }
  item *m = mr_alloc(sizeof(item) + (size_t)(uintptr_t)end);
  if (!m) {
    return MR_NO_MEMORY();
  }
  *m = (item){.member = to, .from = from, .where = where};
  end = (char *)m->data;
  for (uint32_t i = 0; i < inputs; i++) {
    memcpy(next_buffer(call, i, &end), buffers[i], mr_collective_bytes(call, i));
  }
  (bytes_carry ? bytes_carry : bytes_deliver)(party, m);
  return MR_OK;
}

static mr_status wait_at(mr_party *party, const item *about, void *const *buffers, mr_future **out_done) {
  const uint32_t count = mr_collective_buffers(call_at(party, about->where));
  item *v = mr_alloc(sizeof(item) + count * sizeof(void *));
  mr_status status = v ? mr_future_create(out_done) : MR_NO_MEMORY();
  if (status) {
    mr_free(v);
    return status;
  }
  *v = *about;
  v->done = mr_future_retain(*out_done);
  memcpy(v->data, buffers, count * sizeof(void *));
  bytes_deliver(party, v);
  return MR_OK;
}

// ---- The kind -------------------------------------------------------------------------------------------------------------------

static mr_status meet(mr_party *party, uint32_t first, uint32_t member, void *const *buffers, bool stays,
                      mr_future **out_done) {
  (void)stays;
  const mr_groups *groups = mr_collective_groups(party->plan.places[first].call);
  const uint32_t group = groups->group_of[member];
  for (uint32_t i = groups->offsets[group]; i < groups->offsets[group + 1]; i++) {
    const uint32_t to = groups->members[i];
    MR_TRY(to == member ? MR_OK : send_to(party, member, to, first + group, buffers));
  }
  return wait_at(party, &(item){.member = member, .where = first + group}, buffers, out_done);
}

static mr_status post(mr_party *party, uint32_t channel, uint32_t member, void *const *buffers) {
  return send_to(party, member, mr_collective_target(party->plan.channels[channel], member), MAIL + channel, buffers);
}

static mr_status receive(mr_party *party, uint32_t channel, uint32_t member, void *const *buffers, bool stays,
                         mr_future **out_done) {
  (void)stays;
  const uint32_t source = mr_collective_source(party->plan.channels[channel], member);
  return wait_at(party, &(item){.member = member, .from = source, .where = MAIL + channel}, buffers, out_done);
}

static void leave(mr_party *party, uint32_t member) {
  mr_status status = MR_OK;
  for (uint32_t to = 0; to < party->num_members && !status; to++) {
    status = to == member ? MR_OK : send_to(party, member, to, LEFT, NULL);
  }
  if (status) {
    mr_party_fail(party, status);
  }
}

static size_t bytes_of(const mr_party *party) {
  (void)party;
  return sizeof(desks);
}

static mr_status open_desks(mr_party *party) {
  pthread_mutex_init(&((desks *)party)->lock, NULL);
  return MR_OK;
}

static void close_desks(mr_party *party) {
  while (((desks *)party)->first) {
    mr_free(unlink_at(&((desks *)party)->first));
  }
  pthread_mutex_destroy(&((desks *)party)->lock);
}

const mr_party_kind bytes_party = {.name = "bytes",
                                   .bytes = bytes_of,
                                   .open = open_desks,
                                   .close = close_desks,
                                   .meet = meet,
                                   .send = post,
                                   .receive = receive,
                                   .leave = leave,
                                   .fail = fail_visits};
