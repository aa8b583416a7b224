// What LLVM is told about a loop: how its vectoriser and unroller should take it, from what its body does.
#include "compiler/codegen/emit_frame.h"
#include "compiler/codegen/tuning.h"

// How an index moves with the loop `number`: 0 not at all, 1 by one, 2 in another way (or too deep to say).
static int stride_in(const mr_emit *e, mr_lv v, uint32_t number, int depth) {
  const mr_loop_instr *in = &e->p->instrs[v];
  if (v == number) {
    return 1;
  }
  if (v < number || in->code == MR_L_CONST) {
    return 0;
  }
  if (in->code != MR_L_INDEX || depth == MR_STRIDE_DEPTH) {
    return 2;
  }
  int a = stride_in(e, in->a, number, depth + 1), b = stride_in(e, in->b, number, depth + 1);
  if (!a && !b) {
    return 0;
  }
  if (in->kind == MR_OP_add) {
    return a + b == 1 ? 1 : 2;
  }
  return in->kind == MR_OP_subtract && a == 1 && !b ? 1 : 2;
}

mr_emit_frame *mr_emit_innermost_for(mr_emit *e) {
  for (uint32_t i = e->depth; i; i--) {
    if (e->frames[i - 1].code == MR_L_FOR) {
      return &e->frames[i - 1];
    }
  }
  return NULL;
}

void mr_emit_note_access(mr_emit *e, const mr_loop_instr *in) {
  mr_emit_frame *f = mr_emit_innermost_for(e);
  if (!f) {
    return;
  }
  size_t bytes = mr_dtype_bytes((mr_dtype)e->p->buffers[in->buffer].dtype);
  f->narrowest = f->narrowest ? MR_MIN(f->narrowest, bytes) : bytes;
  f->has_f16 = f->has_f16 || e->p->buffers[in->buffer].dtype == MR_F16;
  f->irregular = f->irregular || stride_in(e, in->a, (uint32_t)(f->in - e->p->instrs), 0) == 2;
  f->streams = f->streams || (in->code == MR_L_STORE && (in->flags & MR_L_STREAM));
}

// How often a FOR with constant bounds runs; 0 for others.
static int64_t const_trip(const mr_emit *e, const mr_loop_instr *in) {
  int64_t from, to;
  if (in->code != MR_L_FOR || !mr_l_const_index(e->p, in->a, &from) || !mr_l_const_index(e->p, in->b, &to)) {
    return 0;
  }
  return from < to ? (to - from - 1) / (int64_t)in->imm + 1 : 0;
}

// How often bodies run in a FOR and in the FORs inside of it; 0 when that is not known.
int64_t mr_emit_rounds_of(const mr_emit *e, const mr_emit_frame *f) {
  return f->inner_unknown ? 0 : const_trip(e, f->in) * MR_MAX(f->inner_rounds, (int64_t)1);
}

// A WHILE carries three values faster in three registers than as a vector of four with a mask: that one stays in memory,
// and reading it right after its parts were written waits for the stores. Powers of two become whole vectors, but so that
// rows of one end in a register every row must be known.
static bool wants_unroll(const mr_emit *e, const mr_emit_frame *f) {
  int64_t rounds = e->has_while ? mr_emit_rounds_of(e, f) : 0, calls = e->calls - f->calls_before;
  bool vector = !f->has_inner && (rounds & (rounds - 1)) == 0;
  return rounds && !vector && rounds * MR_MAX(calls, (int64_t)1) <= MR_UNROLL_MAX_ROUNDS;
}

// One masked vector loop instead of a vector loop, a narrower one for the rest and a scalar one: half the code to
// compile and quick for short rows. Masks cost on narrow elements and rule out several accumulators at once; a loop of one
// function waits for arithmetic and not for memory, which they take a seventh of (tanh of 256K: 75 us and 65).
static bool wants_mask(const mr_emit *e, const mr_emit_frame *f) {
  if (!e->engine->has_masks || !f->group || f->has_inner || f->irregular || f->streams || !f->narrowest) {
    return false;
  }
  int64_t trip = const_trip(e, f->in);
  if (trip && trip <= MR_SHORT_TRIP) {
    return true;
  }
  uint32_t calls = e->calls - f->calls_before;
  return !f->sets_variable && ((f->narrowest >= 4 && !calls) || calls > MR_INTERLEAVE_MAX_CALLS);
}

// The cost model of LLVM 19 takes narrowing to half for much dearer than it is and picks vectors of four. Not with a
// variable: a given width would let float sums be reordered.
static bool wants_full_width(const mr_emit *e, const mr_emit_frame *f) {
  return e->engine->has_masks && f->group && f->has_f16 && !f->has_inner && !f->irregular && !f->sets_variable;
}

// Several vectors at once for long chains of arithmetic, which otherwise wait for their own results: five functions in
// a row went from 4.5 to 2.7 ns an element with four. Not in short loops, which have few vectors and whose tail LLVM folds
// into the body, nor over an IF: where LLVM 19 finds that vectors do not pay, interleaving makes scalar code under
// conditions, and into these it moves an expression's operands again for every path that leads to them: exponential time.
static unsigned interleave(const mr_emit *e, const mr_emit_frame *f) {
  int64_t trip = const_trip(e, f->in);
  if (f->has_if || (trip && trip <= MR_SHORT_TRIP)) {
    return 0;
  }
  uint32_t calls = e->calls - f->calls_before;
  return f->has_inner || calls < 2 || calls > MR_INTERLEAVE_MAX_CALLS ? 0 : calls < 4 ? 2 : 4;
}

static void add_flag(mr_emit *e, LLVMMetadataRef *items, size_t *count, const char *name) {
  LLVMMetadataRef string = mr_llvm_engine_md_string(e->engine, name);
  items[(*count)++] = mr_llvm_engine_md_node(e->engine, &string, 1);
}

static void add_bool(mr_emit *e, LLVMMetadataRef *items, size_t *count, const char *name, bool value) {
  LLVMMetadataRef pair[2] = {mr_llvm_engine_md_string(e->engine, name),
                             mr_llvm_engine_md_int(e->engine, e->engine->i1, value)};
  items[(*count)++] = mr_llvm_engine_md_node(e->engine, pair, 2);
}

static void add_number(mr_emit *e, LLVMMetadataRef *items, size_t *count, const char *name, unsigned value) {
  LLVMMetadataRef pair[2] = {mr_llvm_engine_md_string(e->engine, name),
                             mr_llvm_engine_md_int(e->engine, e->engine->i32, value)};
  items[(*count)++] = mr_llvm_engine_md_node(e->engine, pair, 2);
}

// A loop's name is a node whose first operand is the node itself: a temporary stands in until it exists.
void mr_emit_set_loop_metadata(mr_emit *e, LLVMValueRef branch, uint32_t flags, const mr_emit_frame *f) {
  LLVMMetadataRef items[10];
  size_t count = 1;
  if (f->group) {
    LLVMMetadataRef pair[2] = {mr_llvm_engine_md_string(e->engine, "llvm.loop.parallel_accesses"), f->group};
    items[count++] = mr_llvm_engine_md_node(e->engine, pair, 2);
  }
  if (flags & MR_L_NO_VECTOR) {
    add_bool(e, items, &count, "llvm.loop.vectorize.enable", false);
  }
  if (wants_mask(e, f)) {
    add_bool(e, items, &count, "llvm.loop.vectorize.predicate.enable", true);
  }
  if (wants_full_width(e, f)) {
    add_number(e, items, &count, "llvm.loop.vectorize.width", 16);
  }
  if (interleave(e, f)) {
    add_number(e, items, &count, "llvm.loop.interleave.count", interleave(e, f));
  }
  if ((flags & MR_L_UNROLL) || wants_unroll(e, f)) {
    add_flag(e, items, &count, "llvm.loop.unroll.full");
  }
  add_flag(e, items, &count, "llvm.loop.mustprogress");
  LLVMMetadataRef temporary = LL(TemporaryMDNode)(e->engine->context, NULL, 0);
  items[0] = temporary;
  LLVMMetadataRef node = mr_llvm_engine_md_node(e->engine, items, count);
  LL(MetadataReplaceAllUsesWith)(temporary, node);
  // RAUW made the node distinct in place and deleted the temporary.
  mr_emit_set_node(e, branch, e->engine->md_loop, node);
}
