// The figures come from files, which takes some 50 us: a reading that finds plenty is good for part of that plenty, for a while.
#include "devices/host/budget.h"

#include <stdatomic.h>

#include "core/system_memory.h"
#include "devices/tuning.h"

// relaxed throughout this file: every thread may read the figures for itself, and a little more or less taken on an old
// reading is what the margin is for.
static _Atomic(uint64_t) asked;  // MILLRACE_MEMORY_LIMIT_MB in bytes; 0: not set
static _Atomic(uint64_t) limit;  // 0: not read yet
static _Atomic(int64_t) credit;  // what may be taken before the next reading
static _Atomic(uint64_t) credit_until_ns;

mr_status mr_budget_open(void) {
  int64_t mebibytes = 0;
  MR_TRY(mr_env_int("MEMORY_LIMIT_MB", 0, 1, INT64_MAX >> 20, &mebibytes));
  atomic_store_explicit(&asked, (uint64_t)mebibytes << 20, memory_order_relaxed);
  mr_budget_forget();
  return MR_OK;
}

void mr_budget_forget(void) {
  atomic_store_explicit(&limit, 0, memory_order_relaxed);
  atomic_store_explicit(&credit_until_ns, 0, memory_order_relaxed);
}

static uint64_t read_limit(void) {
  uint64_t least = mr_system_memory_limit(), setting = atomic_load_explicit(&asked, memory_order_relaxed);
  if (setting) {
    least = MR_MIN(least, setting);
  }
  atomic_store_explicit(&limit, least, memory_order_relaxed);
  return least;
}

uint64_t mr_budget_limit(void) {
  uint64_t known = atomic_load_explicit(&limit, memory_order_relaxed);
  return MR_LIKELY(known != 0) ? known : read_limit();
}

bool mr_budget_allows(uint64_t bytes, uint64_t (*untouched)(void), uint64_t *out_left) {
  uint64_t now = mr_now_ns();
  if (now < atomic_load_explicit(&credit_until_ns, memory_order_relaxed) &&
      atomic_fetch_sub_explicit(&credit, (int64_t)bytes, memory_order_relaxed) >= (int64_t)bytes) {
    return true;
  }
  uint64_t available = mr_system_memory_available();
  if (available == UINT64_MAX) {
    return true;  // nothing is known; a mapping may still fail
  }
  uint64_t taken = untouched() + MR_MIN(read_limit() / MR_BUDGET_MARGIN_PART, MR_BUDGET_MARGIN_MAX);
  *out_left = available - MR_MIN(available, taken);
  if (bytes > *out_left) {
    return false;
  }
  atomic_store_explicit(&credit, (int64_t)((*out_left - bytes) / MR_BUDGET_CREDIT_PART), memory_order_relaxed);
  atomic_store_explicit(&credit_until_ns, now + MR_BUDGET_CREDIT_NS, memory_order_relaxed);
  return true;
}
