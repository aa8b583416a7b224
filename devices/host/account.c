// What a device has of memory. relaxed throughout: statistics.
#include "devices/host/budget.h"
#include "devices/host/pool.h"

void mr_pool_raise(_Atomic(uint64_t) *peak, uint64_t value) {
  uint64_t old = atomic_load_explicit(peak, memory_order_relaxed);
  while (old < value &&
         !atomic_compare_exchange_weak_explicit(peak, &old, value, memory_order_relaxed, memory_order_relaxed)) {
  }
}

void mr_pool_account_add(mr_pool_account *account, size_t bytes) {
  uint64_t now = atomic_fetch_add_explicit(&account->bytes_in_use, bytes, memory_order_relaxed) + bytes;
  atomic_fetch_add_explicit(&account->num_allocs, 1, memory_order_relaxed);
  mr_pool_raise(&account->peak_bytes_in_use, now);
  mr_pool_raise(&account->largest_alloc_size, bytes);
}

void mr_pool_account_remove(mr_pool_account *account, size_t bytes) {
  atomic_fetch_sub_explicit(&account->bytes_in_use, bytes, memory_order_relaxed);
}

mr_memory_stats mr_pool_account_stats(const mr_pool_account *account) {
  return (mr_memory_stats){
      .bytes_in_use = atomic_load_explicit(&account->bytes_in_use, memory_order_relaxed),
      .peak_bytes_in_use = atomic_load_explicit(&account->peak_bytes_in_use, memory_order_relaxed),
      .num_allocs = atomic_load_explicit(&account->num_allocs, memory_order_relaxed),
      .largest_alloc_size = atomic_load_explicit(&account->largest_alloc_size, memory_order_relaxed),
      .bytes_limit = mr_budget_limit(),
      .pool_bytes = mr_pool_system_bytes(),
      .peak_pool_bytes = mr_pool_peak_system_bytes(),
      .limit_is_shared = true,
  };
}

void mr_pool_account_clear_peaks(mr_pool_account *account) {
  uint64_t now = atomic_load_explicit(&account->bytes_in_use, memory_order_relaxed);
  atomic_store_explicit(&account->peak_bytes_in_use, now, memory_order_relaxed);
  atomic_store_explicit(&account->largest_alloc_size, 0, memory_order_relaxed);
}
