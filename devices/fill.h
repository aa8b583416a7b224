// fill: the buffers of a transfer manager, filled piece by piece. Of use to transfer.c.
//
// Threads: any. Ownership: a manager is counted; the host has a reference, and so has each piece that is on its way.
#ifndef MR_PJRT_OBJECTS_FILL_H
#define MR_PJRT_OBJECTS_FILL_H

#include "pjrt/objects/objects.h"

typedef struct mr_pjrt_piece mr_pjrt_piece;

// One buffer being filled. All but the shape is under the manager's lock. The bytes are not: pieces that are copied at once do not
// overlap, unless threads give them at once.
typedef struct mr_pjrt_fill {
  mr_buffer *buffer;    // until it is retrieved
  mr_storage *storage;  // where the bytes go; NULL once no more may come, so that the buffer's user is alone with them
  mr_future *ready;     // NULL once it is set
  mr_pjrt_shape shape;  // of the buffer
  bool last_seen;       // the piece that is_last_transfer marks has begun
  uint32_t under_way;   // pieces being copied
  mr_pjrt_piece *sent;  // those of them that are on their way
} mr_pjrt_fill;

struct PJRT_AsyncHostToDeviceTransferManager {
  mr_ref ref;
  pthread_mutex_t lock;
  mr_pjrt_memory *memory;  // of a client that stays, because
  mr_memory *where;        // this one's platform does
  size_t count;
  mr_pjrt_fill slots[];
};

void mr_pjrt_manager_release(PJRT_AsyncHostToDeviceTransferManager *self);

// Each of these makes the buffer ready when nothing is left to come. *out_done NULL: it is over; else a counted future.
// `size` bytes at `offset`, which are inside the buffer.
mr_status mr_pjrt_fill_bytes(PJRT_AsyncHostToDeviceTransferManager *self, mr_pjrt_fill *slot, const void *data,
                             size_t offset, size_t size, bool last, mr_future **out_done) MR_WARN_UNUSED;
// All of it, from an array of the same type and dimensions in any layout. With negative strides its first element is not at its start.
mr_status mr_pjrt_fill_literal(PJRT_AsyncHostToDeviceTransferManager *self, mr_pjrt_fill *slot,
                               const PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args *args,
                               mr_future **out_done) MR_WARN_UNUSED;
// The buffer fails now, whatever is on its way. False: it had its last piece, if `unless_last`, or an error already.
bool mr_pjrt_fill_fail(PJRT_AsyncHostToDeviceTransferManager *self, mr_pjrt_fill *slot, bool unless_last,
                       mr_status take_status);

#endif
