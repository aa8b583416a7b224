// table: a hash table that is read without a lock while others add and remove, on liburcu's rculfhash.
//
// Entries are embedded in their owner's structs, as the first member or anywhere, and belong to the owner: the table frees
// none. Keys are hashes of 128 bits; equal keys mean equal things.
//
//   mr_rcu_begin();
//   mr_table_entry *entry = mr_table_find(table, key);
//   if (entry) mr_ref_retain(&MR_CONTAINER_OF(entry, thing, entry)->ref);
//   mr_rcu_end();
//
// Threads: any, all functions at once, but mr_table_destroy. An entry that was removed may be seen by readers until
// mr_rcu_wait returns. The number of buckets is fixed, so that no thread is needed to grow the table: choose a fraction of
// the largest number of entries, since chains of ten cost little beside what is cached.
#ifndef MR_CORE_TABLE_H
#define MR_CORE_TABLE_H

#include <stdint.h>

#include "core/core.h"
#include "core/rcu.h"

typedef struct mr_table mr_table;

typedef struct mr_table_entry {
  _Alignas(8) uintptr_t links[2];  // rculfhash's node
  mr_hash128 key;                  // set by the owner before it is added, then constant
} mr_table_entry;

// NULL when memory is short. `num_buckets` is a power of two.
mr_table *mr_table_create(size_t num_buckets);
// Of an empty table that nobody uses any more.
void mr_table_destroy(mr_table *table);
// The entry of that key or NULL. The caller is between mr_rcu_begin and mr_rcu_end and may use the entry until then.
mr_table_entry *mr_table_find(mr_table *table, mr_hash128 key);
// Adds the entry unless the table has an entry of its key: returns the entry that is in the table now. Between mr_rcu_begin and
// mr_rcu_end, like mr_table_find.
mr_table_entry *mr_table_add(mr_table *table, mr_table_entry *entry);
// True for the one call that took the entry out. The caller holds a reference or is in a section.
bool mr_table_remove(mr_table *table, mr_table_entry *entry);
// Calls `visit` for each entry. Entries that are added or removed meanwhile may be visited or not; `visit` may remove the
// one it is given. In a section of its own: `visit` does not wait.
void mr_table_each(mr_table *table, void (*visit)(mr_table_entry *entry, void *context), void *context);

#endif
