// meetings: who meets whom in scenarios of rows, and what is around rows that says nothing in them. For the file that includes the code of
// rows and meetings, and says how many ROWS there are at most.
#ifndef MR_TESTS_MODEL_MEETINGS_H
#define MR_TESTS_MODEL_MEETINGS_H

#include "compiler/run/context.h"
#include "compiler/run/run.h"

// ---- Who meets whom ---------------------------------------------------------------------------------------------------------------

struct mr_collective {
  mr_groups groups;
  const char *name;
};

static const uint32_t one_group[] = {0, 0, 0}, ranks[] = {0, 1, 2}, all_members[] = {0, 1, 2}, all_offsets[] = {0, 3},
                      pair_offsets[] = {0, 2};
// The first two, and the last two.
static const uint32_t first_two[] = {0, 0, MR_NO_GROUP}, last_two[] = {MR_NO_GROUP, 0, 0}, last_ranks[] = {0, 0, 1},
                      last_members[] = {1, 2};
static mr_collective everybody = {.name = "everybody"}, everybody_again = {.name = "everybody again"},
                     beginning = {.name = "beginning"}, beginning_again = {.name = "beginning again"},
                     ending = {.name = "ending"};

static void fill_groups(mr_collective *call, uint32_t size, const uint32_t *group_of, const uint32_t *rank_of,
                        const uint32_t *offsets, const uint32_t *members) {
  call->groups.num_ids = ROWS;
  call->groups.num_groups = 1;
  call->groups.num_members = call->groups.most = size;
  call->groups.group_of = group_of;
  call->groups.rank_of = rank_of;
  call->groups.offsets = offsets;
  call->groups.members = members;
}

const mr_groups *mr_collective_groups(const mr_collective *call) { return &call->groups; }
const char *mr_collective_name(const mr_collective *call) { return call->name; }
void mr_collective_run_alone(const mr_collective *call, void *const *buffers) {
  (void)call;
  (void)buffers;
}

// Letters go from the first row to the second, each with one number.
static mr_collective mail = {.name = "mail"};

uint32_t mr_collective_buffers(const mr_collective *call) { return call == &mail ? 1 : 2; }

int64_t mr_collective_channel(const mr_collective *call) {
  (void)call;
  return 7;
}
uint32_t mr_collective_parts(const mr_collective *call) {
  (void)call;
  return 1;
}
size_t mr_collective_bytes(const mr_collective *call, uint32_t buffer) {
  (void)call, (void)buffer;
  return sizeof(uintptr_t);
}
uint32_t mr_collective_target(const mr_collective *call, uint32_t member) {
  (void)call;
  return member == 0 ? 1 : MR_NO_GROUP;
}
uint32_t mr_collective_source(const mr_collective *call, uint32_t member) {
  (void)call;
  return member == 1 ? 0 : MR_NO_GROUP;
}

// ---- Stand-ins that no scenario comes to, or that say nothing ------------------------------------------------------------------------

static bool calls_host;
bool mr_executable_calls_host(const mr_executable *e) {
  (void)e;
  return calls_host;
}
mr_executable *mr_executable_retain(mr_executable *e) { return e; }
void mr_executable_release(mr_executable *e) { (void)e; }
mr_scheduler *mr_platform_scheduler(const mr_platform *p) {
  (void)p;
  return NULL;
}
void mr_call_context_release(mr_call_context *context) { (void)context; }
void mr_progress_begin(mr_progress kind) { (void)kind; }
void mr_progress_end(mr_progress kind) { (void)kind; }
mr_call_context *mr_call_context_enter(mr_call_context *context) { return context; }

#endif
