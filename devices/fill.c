// Buffers that are filled piece by piece.
//
// Short pieces for memory that the host addresses are copied within the call. The others are on their way when it returns, and keep
// the manager until they are there, however early the host destroys it. What is given of the same bytes later comes later: such a
// piece waits for those that are on their way to there, and so is on its way itself, however short.
#include "devices/fill.h"

#include <string.h>

#include "core/size.h"
#include "core/trace.h"

typedef mr_fills manager;
typedef mr_fill fill;
typedef mr_fill_piece piece;

// A piece that is on its way.
struct mr_fill_piece {
  piece *next, *previous;  // in the slot's list
  size_t offset, size;
  mr_future *done;  // one reference; the host has another
  mr_waiter waiter;
  mr_future *written;
  manager *self;  // has a reference
  fill *slot;
  mr_device *device;    // that copies; its platform is retained
  mr_storage *staging;  // owned; where the bytes are when not in the host's array, NULL
  mr_fill_move *move;   // owned; how they come there when not as they lie, NULL
  size_t num_after;
  mr_future *after[];  // retained: of pieces that are on their way to the same bytes
};

// What a piece is, and where it comes from.
typedef struct source {
  size_t offset, size;
  const void *data;
  bool last;
  mr_storage *staging;  // owned; `data` is in it, NULL: it is the host's
  mr_fill_move *move;   // owned; NULL: as it lies
  size_t overlaps;      // how many pieces on their way go to some of the same bytes
} source;

static void move_drop(mr_fill_move *move) {
  if (move) {
    move->drop(move);
  }
}

static void move_run(void *argument, mr_group *group) {
  mr_fill_move *move = argument;
  move->run(move, group);
}

static void source_drop(const source *from) {
  mr_storage_release(from->staging);
  move_drop(from->move);
}

// ---- Lifecycle ------------------------------------------------------------------------------------------------------------------

void mr_fills_init(manager *self, mr_memory *where, void (*destroy)(manager *self)) {
  mr_ref_init(&self->ref);
  pthread_mutex_init(&self->lock, NULL);
  self->where = where;
  self->destroy = destroy;
  mr_platform_enter(where->device->platform);
}

void mr_fills_release(manager *self) {
  if (mr_ref_release(&self->ref)) {
    mr_platform *platform = self->where->device->platform;
    pthread_mutex_destroy(&self->lock);
    self->destroy(self);
    mr_platform_leave(platform);
  }
}

mr_status mr_fill_init(const manager *self, fill *slot, mr_dtype dtype, const int64_t *dims, size_t rank) {
  slot->dtype = dtype;
  MR_TRY(mr_dims_bytes(dtype, dims, rank, &slot->bytes));
  MR_TRY(mr_storage_allocate(self->where, slot->bytes, &slot->storage));
  MR_TRY(mr_future_create(&slot->ready));
  return mr_buffer_create(self->where, dtype, dims, rank, mr_storage_retain(slot->storage),
                          mr_future_retain(slot->ready), &slot->buffer);
}

void mr_fill_deinit(fill *slot) {
  mr_future_release(slot->ready);
  mr_storage_release(slot->storage);
  mr_buffer_release(slot->buffer);
}

// ---- Counting -----------------------------------------------------------------------------------------------------------------

static bool overlaps(const piece *p, size_t offset, size_t size) {
  // Neither sum is past the end of the buffer.
  return p->offset < mr_size_add(offset, size) && offset < mr_size_add(p->offset, p->size);
}

static mr_status begin_piece(manager *self, fill *slot, source *from) {
  pthread_mutex_lock(&self->lock);
  bool open = slot->ready && !slot->last_seen;
  if (open) {
    slot->last_seen = from->last;
    slot->under_way++;
    for (const piece *p = slot->sent; p; p = p->next) {
      if (overlaps(p, from->offset, from->size)) {
        from->overlaps++;
      }
    }
  }
  pthread_mutex_unlock(&self->lock);
  return open ? MR_OK : mr_error(MR_FAILED_PRECONDITION, "the buffer had its last transfer or an error already");
}

// What is to be done outside the lock when nothing more comes: under the lock, when that is so.
typedef struct ending {
  mr_storage *storage;
  mr_future *ready;
} ending;

static ending end_slot(fill *slot) {
  ending end = {NULL, slot->ready};
  slot->ready = NULL;
  if (slot->under_way == 0) {
    end.storage = slot->storage;
    slot->storage = NULL;
  }
  return end;
}

// The storage first: who waits may be about to donate the buffer.
static void finish_slot(ending end, mr_status take_status) {
  mr_storage_release(end.storage);
  if (end.ready) {
    mr_future_set(end.ready, take_status);
    mr_future_release(end.ready);
  } else {
    mr_status_free(take_status);
  }
}

// The caller has the lock.
static void forget_sent(fill *slot, piece *p) {
  *(p->previous ? &p->previous->next : &slot->sent) = p->next;
  if (p->next) {
    p->next->previous = p->previous;
  }
}

// The piece that ends last makes the buffer ready, and one that failed fails it; the future is set outside the lock, as waiters
// run there. `sent`: it was on its way, else NULL.
static void end_piece(manager *self, fill *slot, piece *sent, mr_status take_status) {
  ending end = {0};
  pthread_mutex_lock(&self->lock);
  slot->under_way--;
  if (sent) {
    forget_sent(slot, sent);
  }
  if (take_status || slot->ready == NULL || (slot->under_way == 0 && slot->last_seen)) {
    end = end_slot(slot);
  }
  pthread_mutex_unlock(&self->lock);
  finish_slot(end, take_status);
}

// As if the piece had not begun.
static void take_back_piece(manager *self, fill *slot, bool last) {
  pthread_mutex_lock(&self->lock);
  slot->last_seen = slot->last_seen && !last;
  pthread_mutex_unlock(&self->lock);
  end_piece(self, slot, NULL, MR_OK);
}

bool mr_fill_fail(manager *self, fill *slot, bool unless_last, mr_status take_status) {
  pthread_mutex_lock(&self->lock);
  ending end = slot->ready && !(unless_last && slot->last_seen) ? end_slot(slot) : (ending){0};
  pthread_mutex_unlock(&self->lock);
  bool failed = end.ready != NULL;
  finish_slot(end, take_status);
  return failed;
}

// ---- Pieces on their way --------------------------------------------------------------------------------------------------

static void piece_free(piece *p) {
  for (size_t i = 0; i < p->num_after; i++) {
    mr_future_release(p->after[i]);
  }
  move_drop(p->move);
  mr_storage_release(p->staging);
  mr_fills_release(p->self);
  mr_platform_leave(p->device->platform);
  mr_free(p);
}

static void piece_is_written(mr_waiter *waiter, mr_status status) {
  piece *p = MR_CONTAINER_OF(waiter, piece, waiter);
  mr_future *written = p->written, *done = p->done;
  mr_admission_leave_copy(&p->device->admission, p->size);
  end_piece(p->self, p->slot, p, mr_status_retain(status));
  piece_free(p);  // before the future is set: who waits for it may destroy the client next
  mr_future_set(done, mr_status_retain(status));
  mr_progress_end(MR_PROGRESS_OWN);
  mr_future_release(done);
  mr_future_release(written);
}

// Those that it overlaps, which are fewer than were counted where some are over.
static void gather_overlaps(piece *p, size_t most) {
  pthread_mutex_lock(&p->self->lock);
  for (const piece *other = p->slot->sent; other && p->num_after < most; other = other->next) {
    if (overlaps(other, p->offset, p->size)) {
      p->after[p->num_after++] = mr_future_retain(other->done);
    }
  }
  pthread_mutex_unlock(&p->self->lock);
}

static mr_status piece_create(manager *self, fill *slot, const source *take_from, piece **out_piece) {
  size_t bytes = mr_size_add(sizeof(piece), mr_size_mul(take_from->overlaps, sizeof(mr_future *)));
  piece *p = bytes == MR_SIZE_TOO_LARGE ? NULL : mr_alloc_zeroed(1, bytes);
  mr_status status = p ? mr_future_create(&p->done) : MR_NO_MEMORY();
  if (status) {
    source_drop(take_from);
    mr_free(p);
    return status;
  }
  p->offset = take_from->offset;
  p->size = take_from->size;
  p->waiter.run = piece_is_written;
  p->self = self;
  p->slot = slot;
  p->device = self->where->device;
  p->staging = take_from->staging;
  p->move = take_from->move;
  mr_ref_retain(&self->ref);
  mr_platform_enter(p->device->platform);
  gather_overlaps(p, take_from->overlaps);
  *out_piece = p;
  return MR_OK;
}

static mr_status piece_begin(piece *p, const void *data) {
  mr_storage *storage = p->slot->storage;
  if (!p->self->where->addressable) {
    return mr_storage_write(storage, p->offset, p->size, data, p->after, p->num_after, &p->written);
  }
  const mr_piece copied = {.device = p->device,
                           .name = p->move ? "literal to device" : "piece to device",
                           .to = (char *)storage->data + p->offset,
                           .from = data,
                           .bytes = p->size,
                           .dtype = p->slot->dtype,
                           .move = p->move ? move_run : NULL,
                           .argument = p->move};
  return mr_piece_send(&copied, p->after, p->num_after, &p->written);
}

static void note_sent(piece *p) {
  mr_admission_enter_copy(&p->device->admission, p->size);
  pthread_mutex_lock(&p->self->lock);
  p->next = p->slot->sent;
  if (p->next) {
    p->next->previous = p;
  }
  p->slot->sent = p;
  pthread_mutex_unlock(&p->self->lock);
}

// Begun already, and taken back when this fails. Who sends too much is held up.
static mr_status send_piece(manager *self, fill *slot, const source *take_from, mr_future **out_done) {
  bool last = take_from->last;
  piece *p;
  mr_status status = piece_create(self, slot, take_from, &p);
  if (status) {
    take_back_piece(self, slot, last);
    return status;
  }
  status = piece_begin(p, take_from->data);
  if (status || !p->written) {
    mr_future_release(p->done);
    if (status) {
      take_back_piece(self, slot, last);
    } else {
      end_piece(self, slot, NULL, MR_OK);
    }
    piece_free(p);
    return status;
  }
  // From here on it may be over at any time, and whoever hears of that may let go of the client.
  mr_device *device = p->device;
  mr_platform *platform = mr_platform_enter(device->platform);
  *out_done = mr_future_retain(p->done);
  note_sent(p);
  mr_future_then(p->written, &p->waiter);
  mr_admission_wait(&device->admission, mr_platform_scheduler(platform));
  mr_platform_leave(platform);
  return MR_OK;
}

// Whether it is over before the call returns.
static bool is_brief(const manager *self, const source *from) {
  return from->size == 0 || (self->where->addressable && !from->overlaps && mr_piece_is_short(from->size));
}

// ---- Bytes --------------------------------------------------------------------------------------------------------------------

// Where the host does not address the buffer, what is to be cleared above the bits is so before.
static mr_status stage_narrow(const manager *self, mr_dtype dtype, source *from) {
  if (from->size == 0 || self->where->addressable || !mr_dtype_is_narrow(dtype)) {
    return MR_OK;
  }
  MR_TRY(mr_storage_allocate(mr_memory_on_host(self->where), from->size, &from->staging));
  memcpy(from->staging->data, from->data, from->size);
  mr_dtype_clear_above(dtype, from->staging->data, from->size);
  from->data = from->staging->data;
  return MR_OK;
}

mr_status mr_fill_bytes(manager *self, fill *slot, const void *data, size_t offset, size_t size, bool last,
                        mr_future **out_done) {
  *out_done = NULL;
  source from = {.offset = offset, .size = size, .data = data, .last = last};
  MR_TRY(stage_narrow(self, slot->dtype, &from));
  mr_status status = begin_piece(self, slot, &from);
  if (status) {
    source_drop(&from);
    return status;
  }
  if (!is_brief(self, &from)) {
    return send_piece(self, slot, &from, out_done);
  }
  uint64_t start = mr_trace_begin();
  if (size > 0) {
    const mr_piece copied = {.device = self->where->device,
                             .to = (char *)slot->storage->data + offset,
                             .from = data,
                             .bytes = size,
                             .dtype = slot->dtype};
    mr_piece_copy_now(&copied);
  }
  end_piece(self, slot, NULL, MR_OK);
  // Behind it: what the last piece makes ready comes out of this span.
  mr_trace_end_call(MR_TRACE_TRANSFER, "piece to device", MR_NODE_HOST_TO_DEVICE, self->where->device->id, start);
  return MR_OK;
}

// ---- In another order -------------------------------------------------------------------------------------------------------------

// Into host memory on its way to where the host addresses nothing.
static mr_status stage_moved(const manager *self, source *from) {
  MR_TRY(mr_storage_allocate(mr_memory_on_host(self->where), from->size, &from->staging));
  from->data = from->staging->data;
  from->move->block = from->staging->data;
  move_run(from->move, self->where->device->group);
  move_drop(from->move);
  from->move = NULL;
  return MR_OK;
}

static mr_status fill_placed(manager *self, fill *slot, source *take_from, mr_future **out_done) {
  source *from = take_from;
  mr_status status = begin_piece(self, slot, from);
  if (status) {
    source_drop(from);
    return status;
  }
  if (self->where->addressable) {
    from->move->block = slot->storage->data;
  } else {
    status = stage_moved(self, from);
  }
  if (status) {  // for lack of memory
    take_back_piece(self, slot, true);
    source_drop(from);
    return status;
  }
  if (!is_brief(self, from)) {
    return send_piece(self, slot, from, out_done);
  }
  if (from->move) {
    move_run(from->move, self->where->device->group);
  }
  end_piece(self, slot, NULL, MR_OK);
  source_drop(from);
  return MR_OK;
}

mr_status mr_fill_moved(manager *self, fill *slot, mr_fill_move *take_move, mr_future **out_done) {
  *out_done = NULL;
  source from = {.size = slot->bytes, .last = true, .move = take_move};
  uint64_t start = mr_trace_begin();
  mr_status status = fill_placed(self, slot, &from, out_done);
  if (status || !*out_done) {  // else what was done here is a part of it
    mr_trace_end_call(MR_TRACE_TRANSFER, "literal to device", MR_NODE_HOST_TO_DEVICE, self->where->device->id, start);
  } else {
    mr_trace_end(MR_TRACE_TRANSFER, "literal to device", start);
  }
  return status;
}
