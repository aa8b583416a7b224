// Where `rng` starts: each execution of the op draws another state, so numbers do not repeat from run to run or from round
// to round. The sequence of states is the same in each process that compiles the same program. HLO's
// rng-get-and-update-state is such a draw too: of a counter, which starts where XLA:CPU's does.
#include "compiler/choose/host_calls.h"

#include <string.h>

typedef struct rng_call {
  mr_library_call base;
  uint64_t key;  // of a counter: how much it grows
  _Atomic(uint64_t) draws;
} rng_call;

static mr_status run_rng_state(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  (void)scratch, (void)group;
  rng_call *c = (rng_call *)call;  // calls are constant but for this counter
  // relaxed: only that no two draws are the same matters.
  uint64_t draw = atomic_fetch_add_explicit(&c->draws, 1, memory_order_relaxed);
  uint64_t state[2] = {mr_hash64(&draw, sizeof draw, c->key), 0};
  memcpy(buffers[0], state, sizeof state);
  return MR_OK;
}

static mr_status run_rng_counter(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  (void)scratch, (void)group;
  rng_call *c = (rng_call *)call;
  // relaxed: as above.
  uint64_t draw = atomic_fetch_add_explicit(&c->draws, 1, memory_order_relaxed);
  unsigned __int128 count = 0x7012395 + (unsigned __int128)(__int128)(int64_t)c->key * draw;
  uint64_t state[2] = {(uint64_t)count, (uint64_t)(count >> 64)};
  memcpy(buffers[0], state, sizeof state);
  return MR_OK;
}

static void destroy_rng_state(mr_library_call *call) { mr_free(call); }

mr_status mr_choose_rng_state(const mr_op *op, mr_library_call **out_call) {
  *out_call = NULL;
  const mr_type *type = op->num_results == 1 ? &op->results[0].type : NULL;
  if (op->num_operands || !type || type->dtype != MR_U64 || !mr_type_is_static(type) || mr_type_count(type) != 2) {
    return mr_error(MR_INVALID_ARGUMENT,
                    "a state of random numbers: the call gives two words of ui64 and takes nothing");
  }
  rng_call *c = mr_alloc_zeroed(1, sizeof *c);
  if (!c) {
    return MR_NO_MEMORY();
  }
  bool counts = mr_str_is(mr_op_string(op, MR_ATTR_call_target_name), MR_RNG_COUNTER);
  c->base = (mr_library_call){.run = counts ? run_rng_counter : run_rng_state,
                              .destroy = destroy_rng_state,
                              .cost_ns = 10,
                              .name = "rng state"};
  const mr_attr *config = counts ? mr_op_attr(op, MR_ATTR_backend_config) : NULL;
  const mr_attr *delta = config && config->kind == MR_ATTR_DICT ? mr_dict_find(config, "delta") : NULL;
  c->key = (uint64_t)(delta && delta->kind == MR_ATTR_INT ? delta->integer : mr_op_int(op, MR_ATTR_index, 0));
  atomic_init(&c->draws, 0);
  *out_call = &c->base;
  return MR_OK;
}
