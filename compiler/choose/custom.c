// Custom calls: ours and the embedder's.
#include "compiler/choose/host_calls.h"
#include "compiler/choose/linalg.h"
#include "compiler/compiler.h"

// relaxed on both sides: set once before anything is compiled; a function needs no publishing.
static _Atomic(mr_custom_call_maker) custom_call_maker;

void mr_set_custom_call_maker(mr_custom_call_maker maker) {
  atomic_store_explicit(&custom_call_maker, maker, memory_order_relaxed);
}

// `dce_sink`: its operands are computed for its sake, and nothing is done with them.
static mr_status run_sink(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  (void)call, (void)buffers, (void)scratch, (void)group;
  return MR_OK;
}

static void keep_sink(mr_library_call *call) { (void)call; }

static mr_library_call sink = {.run = run_sink, .destroy = keep_sink, .name = "dce_sink"};  // never written

// Our own routines come before a handler of the same name: they work on row-major matrices and share a batch out, where
// jaxlib's LAPACK handlers need two copies and run on one core.
mr_status mr_choose_custom_call(const mr_op *op, mr_library_call **out_call) {
  *out_call = NULL;
  mr_str target = mr_op_string(op, MR_ATTR_call_target_name);
  if (op->kind == MR_OP_custom_call && (mr_str_is(target, MR_RNG_STATE) || mr_str_is(target, MR_RNG_COUNTER))) {
    return mr_choose_rng_state(op, out_call);
  }
  mr_custom_call_maker maker = atomic_load_explicit(&custom_call_maker, memory_order_relaxed);
  mr_status ours = op->kind == MR_OP_custom_call ? mr_choose_lapack_call(op, out_call) : MR_OK;
  if (!*out_call && maker && (!ours || mr_status_code(ours) == MR_UNIMPLEMENTED)) {
    mr_status theirs = maker(op, out_call);
    if (theirs || *out_call) {
      mr_status_free(ours);
      return theirs;
    }
  }
  if (!*out_call && !ours && mr_str_is(target, "shape_assertion")) {
    return mr_choose_shape_assertion(op, out_call);
  }
  if (!*out_call && !ours && op->num_results == 0 && mr_str_is(target, "dce_sink")) {
    *out_call = &sink;
  }
  return ours;
}
