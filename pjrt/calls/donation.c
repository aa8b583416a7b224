#include "pjrt/calls/donation.h"

#include <string.h>

static mr_status shared_donation(uint32_t donated, size_t other) {
  return mr_error(MR_INVALID_ARGUMENT, "argument %u is donated, and the same buffer is argument %zu", donated, other);
}

static size_t slot_of(const mr_buffer *buffer, size_t mask) {
  return ((uintptr_t)buffer >> 6) * 0x9E3779B97F4A7C15u >> 20 & mask;
}

// All arguments into a table by address; the same donated one twice is found there. Linear, for long lists.
static mr_status check_by_table(const PJRT_Executable *executable, const bool *donates, mr_buffer *const *arguments,
                                size_t count) {
  size_t mask = 1;
  while (mask < 2 * count) {
    mask *= 2;
  }
  uint32_t *table = mr_alloc_zeroed(mask, sizeof *table);  // argument number plus one
  if (table == NULL) {
    return MR_NO_MEMORY();
  }
  mask -= 1;
  mr_status status = MR_OK;
  for (size_t d = 0; d < executable->donated_count; d++) {
    uint32_t i = executable->donated[d];
    size_t at = slot_of(arguments[i], mask);
    while (table[at] && arguments[table[at] - 1] != arguments[i]) {
      at = (at + 1) & mask;
    }
    if (donates[i] && table[at] == 0) {
      table[at] = i + 1;
    }
  }
  for (size_t i = 0; !status && i < count; i++) {
    size_t at = slot_of(arguments[i], mask);
    while (table[at] && arguments[table[at] - 1] != arguments[i]) {
      at = (at + 1) & mask;
    }
    if (table[at] && table[at] - 1 != i) {
      status = shared_donation(table[at] - 1, i);
    }
  }
  mr_free(table);
  return status;
}

mr_status mr_pjrt_donation_check(const PJRT_Executable *executable, const bool *donates, mr_buffer *const *arguments,
                                 size_t count) {
  enum { PAIRS = 512 };
  if (executable->donated_count * count > PAIRS) {
    return check_by_table(executable, donates, arguments, count);
  }
  for (size_t d = 0; d < executable->donated_count; d++) {
    uint32_t donated = executable->donated[d];
    for (size_t i = 0; i < count; i++) {
      if (arguments[i] == arguments[donated] && i != donated && donates[donated]) {
        return shared_donation(donated, i);
      }
    }
  }
  return MR_OK;
}

static bool is_shared(const PJRT_Buffer *handle) {
  return atomic_load_explicit(&handle->external, memory_order_relaxed) > 0;  // relaxed: a count of the host's own
}

mr_status mr_pjrt_donation_keep(const PJRT_Executable *executable, const bool *donates, PJRT_Buffer *const *handles,
                                size_t count, bool **out_donates) {
  bool *kept = *out_donates = NULL;
  for (size_t d = 0; d < executable->donated_count; d++) {
    uint32_t i = executable->donated[d];
    if (MR_LIKELY(!donates[i] || !is_shared(handles[i]))) {
      continue;
    }
    if (kept == NULL) {
      kept = *out_donates = mr_alloc(count);
      if (kept == NULL) {
        return MR_NO_MEMORY();
      }
      memcpy(kept, donates, count);
    }
    kept[i] = false;
  }
  return MR_OK;
}

void mr_pjrt_donation_delete(const PJRT_Executable *executable, const bool *donates, PJRT_Buffer *const *handles) {
  for (size_t d = 0; d < executable->donated_count; d++) {
    uint32_t i = executable->donated[d];
    if (handles[i]->form && donates[i]) {
      mr_buffer_delete(handles[i]->buffer);
    }
  }
}
