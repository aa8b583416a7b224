// fill: buffers that exist before their content does, which comes piece by piece from the host. A set of them (mr_fills) is the base of an owner's
// struct: PJRT's transfer manager, the native API's transfers.
//
// Threads: any. Ownership: a set is counted; the host has a reference, and so has each piece that is on its way.
#ifndef MR_DEVICES_FILL_H
#define MR_DEVICES_FILL_H

#include <pthread.h>

#include "core/ref.h"
#include "devices/devices.h"

typedef struct mr_fill_piece mr_fill_piece;

// One buffer being filled. All but type and size is under the set's lock. The bytes are not: pieces that are copied at once do not
// overlap, unless threads give them at once.
typedef struct mr_fill {
  mr_buffer *buffer;    // owned, or NULL
  mr_storage *storage;  // where the bytes go; NULL once no more may come, so that the buffer's user is alone with them
  mr_future *ready;     // NULL once it is set
  mr_dtype dtype;
  size_t bytes;
  bool last_seen;       // the last piece has begun
  uint32_t under_way;   // pieces being copied
  mr_fill_piece *sent;  // those of them that are on their way
} mr_fill;

typedef struct mr_fills mr_fills;
struct mr_fills {
  mr_ref ref;
  pthread_mutex_t lock;
  mr_memory *where;                 // of a platform that stays
  void (*destroy)(mr_fills *self);  // by the last release
};

void mr_fills_init(mr_fills *self, mr_memory *where, void (*destroy)(mr_fills *self));
void mr_fills_release(mr_fills *self);
// Of zeros; deinitialised by the owner whether this fails or not.
mr_status mr_fill_init(const mr_fills *self, mr_fill *slot, mr_dtype dtype, const int64_t *dims,
                       size_t rank) MR_WARN_UNUSED;
void mr_fill_deinit(mr_fill *slot);

// Bytes of the buffer, which has that many; short ones are copied here and now (*out_done NULL), for others the future is counted, and `data`
// stays until it is set. FAILED_PRECONDITION when the buffer had its last piece or an error.
mr_status mr_fill_bytes(mr_fills *self, mr_fill *slot, const void *data, size_t offset, size_t size, bool last,
                        mr_future **out_done) MR_WARN_UNUSED;
// The whole content, in another order than that of `data`: run() writes to `block`, over the cores of `group`.
typedef struct mr_fill_move mr_fill_move;
struct mr_fill_move {
  void *block;
  void (*run)(mr_fill_move *move, mr_group *group);
  void (*drop)(mr_fill_move *take_move);
};
mr_status mr_fill_moved(mr_fills *self, mr_fill *slot, mr_fill_move *take_move, mr_future **out_done) MR_WARN_UNUSED;
// The buffer fails now, whatever is on its way. False: it had its last piece, if `unless_last`, or an error already.
bool mr_fill_fail(mr_fills *self, mr_fill *slot, bool unless_last, mr_status take_status);

#endif
