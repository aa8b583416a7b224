// bytes_party: a kind of party whose members share no addresses. What one knows of another has come in a message, and what it gives is copied
// into messages; each does the work of a meeting for itself, with what the others' messages say.
#ifndef MR_TESTS_COMPILER_BYTES_PARTY_H
#define MR_TESTS_COMPILER_BYTES_PARTY_H

#include "collective/kind.h"

extern const mr_party_kind bytes_party;

// What has come for a member: a message, or what it waits for itself.
typedef struct item {
  struct item *next;
  uint32_t member, from, where;  // from: of a message
  mr_future *done;               // NULL: a message
  void *data[];                  // bytes that were given; or addresses of buffers
} item;

// Puts it to what the member has. A message is delivered by its sender, or later by whoever carries messages: once, in the order in which one
// member has sent another some.
void bytes_deliver(mr_party *party, item *take_item);
// NULL: bytes_deliver() itself.
extern void (*bytes_carry)(mr_party *party, item *take_message);

#endif
