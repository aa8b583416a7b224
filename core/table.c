#include "core/table.h"

#include <urcu-bp.h>
#include <urcu/rculfhash.h>

#include "core/tsan.h"

_Static_assert(sizeof(struct cds_lfht_node) == sizeof(((mr_table_entry *)0)->links), "an entry has room for a node");
_Static_assert(_Alignof(struct cds_lfht_node) <= _Alignof(mr_table_entry), "and is aligned like one");

// An mr_table is the library's table under our name.
static struct cds_lfht *inner(mr_table *table) { return (struct cds_lfht *)table; }
static struct cds_lfht_node *node_of(mr_table_entry *entry) { return (struct cds_lfht_node *)entry->links; }

static mr_table_entry *entry_of(struct cds_lfht_node *node) {
  return node ? MR_CONTAINER_OF((void *)node, mr_table_entry, links) : NULL;
}

mr_table *mr_table_create(size_t num_buckets) {
  // No flag: a table that grows by itself starts a thread.
  return (mr_table *)cds_lfht_new(num_buckets, 1, 0, 0, NULL);
}

void mr_table_destroy(mr_table *table) {
  if (table) {
    cds_lfht_destroy(inner(table), NULL);
  }
}

// The first look at an entry: what its owner wrote before it was added happens before this.
static int matches(struct cds_lfht_node *node, const void *key) {
  MR_TSAN_ACQUIRE(node);
  const mr_hash128 *wanted = key, *has = &entry_of(node)->key;
  return wanted->low == has->low && wanted->high == has->high;
}

mr_table_entry *mr_table_find(mr_table *table, mr_hash128 key) {
  struct cds_lfht_iter at;
  cds_lfht_lookup(inner(table), key.low, matches, &key, &at);
  return entry_of(cds_lfht_iter_get_node(&at));
}

mr_table_entry *mr_table_add(mr_table *table, mr_table_entry *entry) {
  struct cds_lfht_node *node = node_of(entry);
  MR_TSAN_RELEASE(node);
  return entry_of(cds_lfht_add_unique(inner(table), entry->key.low, matches, &entry->key, node));
}

bool mr_table_remove(mr_table *table, mr_table_entry *entry) {
  mr_rcu_begin();
  bool removed = cds_lfht_del(inner(table), node_of(entry)) == 0;
  mr_rcu_end();
  return removed;
}

void mr_table_each(mr_table *table, void (*visit)(mr_table_entry *entry, void *context), void *context) {
  struct cds_lfht_iter at;
  mr_rcu_begin();
  cds_lfht_first(inner(table), &at);
  for (struct cds_lfht_node *node; (node = cds_lfht_iter_get_node(&at)); cds_lfht_next(inner(table), &at)) {
    MR_TSAN_ACQUIRE(node);
    visit(entry_of(node), context);
  }
  mr_rcu_end();
}
