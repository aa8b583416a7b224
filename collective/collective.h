// collective: what several devices do together. A program over several devices runs once on each of them; where it has a collective op,
// those of one group meet, and what each gives becomes what each gets.
//
//   groups.c   who meets whom, and in which order
//   call.c     one collective, and its work when all are there
//   fold.c     sums, products, and so on of blocks of elements
//   party.c    those that run one program together
//   places.c   where they meet when they share addresses
//   letters.c  what these send one another
//
// No thread waits in a meeting: who comes leaves a future behind, and whoever comes last does the work of all, in pieces over all
// cores, reading what the others gave where it lies. Results are in the order of ranks, so that they are the same bits on all.
//
// Threads: groups and calls never change once they are made. A party may be used from any threads at once.
// Ownership: parties and groups are counted, calls are their maker's. What a participant gives stays until its future is set.
//
//   MR_TRY(mr_groups_create(MR_GROUPS_FLAT, ids, rows, columns, 1, 8, &groups));
//   MR_TRY(mr_collective_create(&desc, groups, &call));
//   MR_TRY(mr_party_create(8, true, cores, &plan, &party));
//   MR_TRY(mr_party_meet(party, 0, member, buffers, true, &done));   // by each of them
#ifndef MR_COLLECTIVE_COLLECTIVE_H
#define MR_COLLECTIVE_COLLECTIVE_H

#include "core/core.h"
#include "core/stop.h"
#include "devices/devices.h"

// ---- Groups (groups.c) --------------------------------------------------------------------------------------------------

// What the numbers in a list of groups stand for. A participant is a partition of a replica; its id is
// replica * partitions + partition.
typedef enum mr_groups_mode {
  MR_GROUPS_REPLICAS,             // replicas: a group for each partition
  MR_GROUPS_PARTITIONS,           // partitions: a group for each replica
  MR_GROUPS_REPLICAS_PARTITIONS,  // replicas, each with all of its partitions, the first partition of all replicas first
  MR_GROUPS_FLAT,                 // ids
} mr_groups_mode;

#define MR_NO_GROUP UINT32_MAX

typedef struct mr_groups {
  _Atomic(uint32_t) refs;
  uint32_t num_ids, num_groups;
  uint32_t num_members;               // of all groups
  uint32_t most;                      // members of the largest
  const uint32_t *group_of;           // by id; MR_NO_GROUP: in none
  const uint32_t *rank_of;            // by id: its place in its group
  const uint32_t *offsets, *members;  // group g: members[offsets[g] .. offsets[g + 1])
} mr_groups;
static inline uint32_t mr_groups_size(const mr_groups *groups, uint32_t group) {
  return groups->offsets[group + 1] - groups->offsets[group];
}

// From rows of `columns` numbers each, -1 where a row is shorter. No rows: everybody is in one group, as the mode has it.
// INVALID_ARGUMENT for a number that nobody has, or that is there twice.
mr_status mr_groups_create(mr_groups_mode mode, const int64_t *ids, size_t rows, size_t columns, uint32_t replicas,
                           uint32_t partitions, mr_groups **out_groups) MR_WARN_UNUSED;
// Those that are linked by pairs of source and target, in the order of their ids; who is in no pair is alone. *out_sources: by
// id, the rank of whom it gets from; MR_NO_GROUP: of nobody. Part of the groups.
mr_status mr_groups_of_pairs(mr_groups_mode mode, const int64_t *pairs, size_t count, uint32_t replicas,
                             uint32_t partitions, mr_groups **out_groups, const uint32_t **out_sources) MR_WARN_UNUSED;
mr_groups *mr_groups_retain(mr_groups *groups);
void mr_groups_release(mr_groups *groups);  // NULL is fine

// ---- Calls (call.c) -------------------------------------------------------------------------------------------------------

typedef enum mr_collective_kind {
  MR_COLLECTIVE_ALL_REDUCE,
  MR_COLLECTIVE_ALL_GATHER,
  MR_COLLECTIVE_REDUCE_SCATTER,
  MR_COLLECTIVE_ALL_TO_ALL,
  MR_COLLECTIVE_PERMUTE,
  MR_COLLECTIVE_BROADCAST,
  MR_COLLECTIVE_REDUCE,
  MR_COLLECTIVE_SEND,  // these two meet nobody: see mr_party_send()
  MR_COLLECTIVE_RECEIVE,
} mr_collective_kind;

typedef enum mr_fold {
  MR_FOLD_ADD,
  MR_FOLD_MULTIPLY,
  MR_FOLD_MINIMUM,
  MR_FOLD_MAXIMUM,
  MR_FOLD_AND,
  MR_FOLD_OR,
  MR_FOLD_XOR
} mr_fold;
enum { MR_FOLDS = MR_FOLD_XOR + 1 };
bool mr_folding_supports(mr_fold fold, mr_dtype dtype);

// An operand and its result, of SEND the operand, of RECEIVE the result. All participants have the same.
typedef struct mr_collective_part {
  mr_dtype dtype;
  uint32_t rank;
  const int64_t *dims;  // of the operand
} mr_collective_part;

typedef struct mr_collective_desc {
  mr_collective_kind kind;
  const char *name;         // static
  mr_fold fold;             // of reductions
  uint32_t dim;             // ALL_GATHER, REDUCE_SCATTER: along which; ALL_TO_ALL: split
  uint32_t concat;          // ALL_TO_ALL
  const uint32_t *sources;  // PERMUTE, SEND, RECEIVE: of mr_groups_of_pairs()
  int64_t channel;          // SEND, RECEIVE
  // BROADCAST, REDUCE: the last operand has the rank of the root for each part; else that is 0. Of 4 or 8 bytes.
  mr_dtype roots;  // MR_INVALID: there is none
  const mr_collective_part *parts;
  uint32_t num_parts;
  double cache_bytes;  // a part that reads and writes more than that is written past the caches; 0: none
} mr_collective_desc;

typedef struct mr_collective mr_collective;
// Copies what it is told, and takes the groups over also when it fails. UNIMPLEMENTED for a type that is not folded.
mr_status mr_collective_create(const mr_collective_desc *desc, mr_groups *take_groups,
                               mr_collective **out_call) MR_WARN_UNUSED;
void mr_collective_destroy(mr_collective *call);  // NULL is fine
const mr_groups *mr_collective_groups(const mr_collective *call);
const char *mr_collective_name(const mr_collective *call);
mr_collective_kind mr_collective_kind_of(const mr_collective *call);
uint32_t mr_collective_buffers(const mr_collective *call);               // a participant's: operands, then results
uint32_t mr_collective_parts(const mr_collective *call);                 // results; of SEND operands
size_t mr_collective_bytes(const mr_collective *call, uint32_t buffer);  // of one of a participant's
uint64_t mr_collective_cost(const mr_collective *call);  // one core's estimate of a meeting, in nanoseconds
// Whether all participants meet in one group and get the same: then their results may lie in one place.
bool mr_collective_is_alike(const mr_collective *call);
// What a meeting does when all of a group are there: buffers[rank] are those of each. Results do not overlap operands.
mr_status mr_collective_run(const mr_collective *call, uint32_t group, void *const *const *buffers,
                            mr_group *cores) MR_WARN_UNUSED;

// SEND, RECEIVE: to whom this one sends, and from whom it receives; MR_NO_GROUP: nobody.
int64_t mr_collective_channel(const mr_collective *call);
uint32_t mr_collective_target(const mr_collective *call, uint32_t member);
uint32_t mr_collective_source(const mr_collective *call, uint32_t member);
// Whether two of one channel, either way, go between the same with the same. INVALID_ARGUMENT says what differs.
mr_status mr_collective_check_mail(const mr_collective *a, const mr_collective *b) MR_WARN_UNUSED;
// The same for all members of a program at once: members[id] are the buffers of each. `room`: for as many as the largest group has.
mr_status mr_collective_run_all(const mr_collective *call, void *const *const *members, void *const **room,
                                mr_group *cores) MR_WARN_UNUSED;
// What who is in no group gets: zeros.
void mr_collective_run_alone(const mr_collective *call, void *const *buffers);

// ---- Parties (party.c, letters.c) -------------------------------------------------------------------------------------------

// Where one group of one call meets. Calls of a program have places one after the other, one for each of their groups.
typedef struct mr_meeting_place {
  const mr_collective *call;
  uint32_t group;
} mr_meeting_place;

// Where members come to in one program: places, and channels, each a SEND or a RECEIVE that stands for all of its channel. They stay as long as
// the party.
typedef struct mr_meeting_plan {
  const mr_meeting_place *places;
  const mr_collective *const *channels;
  uint32_t num_places, num_channels;
} mr_meeting_plan;

// How members reach one another is the kind's (kind.h).
typedef struct mr_party mr_party;
typedef struct mr_party_kind mr_party_kind;
// Members share addresses: who comes last does the work of all, where it lies.
extern const mr_party_kind mr_party_here;
// Of which kind parties are that are made from now on; NULL: mr_party_here.
void mr_party_set_kind(const mr_party_kind *kind);
// Whether such a one has all of its members in one address space, and one thread may be several of them.
bool mr_party_is_one_place(void);
// `cores`: what meetings share their work among. `in_turn`: members wait for one thing at a
// time, and do nothing else while they do; then the party fails as soon as all wait for each other.
mr_status mr_party_create(uint32_t num_members, bool in_turn, mr_group *cores, const mr_meeting_plan *plan,
                          mr_party **out_party) MR_WARN_UNUSED;
void mr_party_release(mr_party *party);  // NULL is fine

// In these two, `stays`: the member does nothing else until *out_done is set. Else it may go on, and come to other places meanwhile, until it
// says that it waits, if it does before it is set (mr_party_wait()).
// Member `member` has come to the call whose places begin with `first`, for the k-th time: with the others' k-th. `buffers` is
// read during the call only, what they point to stays as long as it lasts. *out_done NULL: it is over; else a counted future.
// Fails with what the party failed with.
mr_status mr_party_meet(mr_party *party, uint32_t first, uint32_t member, void *const *buffers, bool stays,
                        mr_future **out_done) MR_WARN_UNUSED;
void mr_party_wait(mr_party *party, mr_future *done);
// What member `member` sends by channel number `channel`: it is copied at once where it is waited for, else into a letter, so that
// a sender never waits. Who has no target sends nothing.
mr_status mr_party_send(mr_party *party, uint32_t channel, uint32_t member, void *const *buffers) MR_WARN_UNUSED;
// The k-th receives the source's k-th. *out_done as mr_party_meet() has it, and so is what `buffers` point to. Without a source: zeros. A
// member comes to a channel once at a time.
mr_status mr_party_receive(mr_party *party, uint32_t channel, uint32_t member, void *const *buffers, bool stays,
                           mr_future **out_done) MR_WARN_UNUSED;
// A member has come to its end: it comes to no more meetings. Where others wait for it already, and where they would, the party fails.
void mr_party_leave(mr_party *party, uint32_t member);
// The party fails, unless it has: everybody that waits, and that comes later.
void mr_party_fail(mr_party *party, mr_status take_status);
// All members are through: it does not fail any more, unless it has.
void mr_party_end(mr_party *party);
// The word that has what it failed with (core/stop.h).
const mr_stop_word *mr_party_word(const mr_party *party);
// What it failed with, with one more reference; MR_OK: it has not.
mr_status mr_party_error(const mr_party *party) MR_WARN_UNUSED;

#endif
