// Buffers that are filled piece by piece (devices/fill.h).
#include "core/census.h"
#include "core/size.h"
#include "devices/fill.h"
#include "millrace/internal.h"

typedef struct mr_transfers mr_transfers;
struct mr_transfers {
  mr_fills base;
  size_t count;
  mr_fill slots[];
};

static void destroy(mr_fills *base) {
  mr_transfers *self = MR_CONTAINER_OF(base, mr_transfers, base);
  for (size_t i = 0; i < self->count; i++) {
    mr_fill_deinit(&self->slots[i]);
  }
  mr_census_add(MR_CENSUS_transfers, -1);
  mr_free(self);
}

static mr_status check_type(const millrace_type *type) {
  if ((unsigned)type->dtype >= (unsigned)MR_DTYPE_COUNT || mr_dtype_bytes((mr_dtype)type->dtype) == 0) {
    return mr_error(MR_INVALID_ARGUMENT, "element type %d, wanted one that takes memory", (int)type->dtype);
  }
  return type->rank <= MR_MAX_RANK
             ? MR_OK
             : mr_error(MR_INVALID_ARGUMENT, "%zu dimensions, wanted at most %d", type->rank, MR_MAX_RANK);
}

millrace_error *millrace_transfers_create(millrace_device *device, const millrace_type *types, size_t num_types,
                                          millrace_transfers **out_transfers) {
  *out_transfers = NULL;
  for (size_t i = 0; i < num_types; i++) {
    mr_status status = check_type(&types[i]);
    if (status) {
      return mr_status_note(status, "buffer %zu", i);
    }
  }
  size_t bytes = mr_size_add(sizeof(mr_transfers), mr_size_mul(num_types, sizeof(mr_fill)));
  mr_transfers *self = bytes == MR_SIZE_TOO_LARGE ? NULL : mr_alloc_zeroed(1, bytes);
  if (!self) {
    return MR_NO_MEMORY();
  }
  mr_census_add(MR_CENSUS_transfers, 1);
  mr_fills_init(&self->base, &device->memories[MR_MEMORY_DEVICE], destroy);
  for (size_t i = 0; i < num_types; i++) {
    self->count = i + 1;
    mr_status status =
        mr_fill_init(&self->base, &self->slots[i], (mr_dtype)types[i].dtype, types[i].dims, types[i].rank);
    if (status) {
      mr_fills_release(&self->base);
      return mr_status_note(status, "buffer %zu", i);
    }
  }
  *out_transfers = self;
  return MR_OK;
}

static mr_status find(mr_transfers *self, size_t index, mr_fill **out_slot) {
  *out_slot = index < self->count ? &self->slots[index] : NULL;
  return *out_slot ? MR_OK : mr_error(MR_INVALID_ARGUMENT, "buffer %zu of %zu", index, self->count);
}

millrace_error *millrace_transfers_buffer(millrace_transfers *transfers, size_t index, millrace_buffer **out_buffer) {
  mr_fill *slot;
  *out_buffer = NULL;
  MR_TRY(find(transfers, index, &slot));
  *out_buffer = mr_buffer_retain(slot->buffer);
  return MR_OK;
}

millrace_error *millrace_transfers_send(millrace_transfers *transfers, size_t index, const void *data, size_t offset,
                                        size_t size, bool last, millrace_event **out_event) {
  mr_fill *slot;
  mr_future *done = NULL;
  if (out_event) {
    *out_event = NULL;
  }
  MR_TRY(find(transfers, index, &slot));
  if (offset > slot->bytes || size > slot->bytes - offset) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu bytes from %zu on of a buffer of %zu", size, offset, slot->bytes);
  }
  if (size && !data) {
    return mr_error(MR_INVALID_ARGUMENT, "a piece of %zu bytes at NULL", size);
  }
  MR_TRY(mr_fill_bytes(&transfers->base, slot, data, offset, size, last, &done));
  if (out_event) {
    *out_event = done;
  } else {
    mr_future_release(done);
  }
  return MR_OK;
}

millrace_error *millrace_transfers_fail(millrace_transfers *transfers, size_t index, millrace_error *take_error) {
  mr_fill *slot;
  mr_status status = find(transfers, index, &slot);
  if (status) {
    mr_status_free(take_error);
    return status;
  }
  if (!take_error) {
    return mr_error(MR_INVALID_ARGUMENT, "buffer %zu is to fail with no error", index);
  }
  return mr_fill_fail(&transfers->base, slot, true, take_error)
             ? MR_OK
             : mr_error(MR_FAILED_PRECONDITION, "buffer %zu had its last piece or an error already", index);
}

// What is not going to be filled any more fails.
void millrace_transfers_release(millrace_transfers *transfers) {
  for (size_t i = 0; transfers && i < transfers->count; i++) {
    (void)mr_fill_fail(&transfers->base, &transfers->slots[i], true,
                       mr_error(MR_CANCELLED, "the transfers were released before the buffer was filled"));
  }
  if (transfers) {
    mr_fills_release(&transfers->base);
  }
}
