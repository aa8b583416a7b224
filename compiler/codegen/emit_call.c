// Copies an element function into the kernel, instruction by instruction: the cheapest inliner there is. The function
// lives in a module of the same context, so types and constants are shared and only operands are renamed.
//
// Most functions are one block; loops and branches work as well. Calls inside must be intrinsics or functions of the
// same module, which are copied in turn.
#include <stdio.h>
#include <string.h>

#include "compiler/codegen/emit.h"
#include "compiler/codegen/tuning.h"

typedef struct pair {
  void *from, *to;
} pair;

typedef struct copy {
  mr_emit *e;
  pair *map;  // open addressing on the pointer; power of two
  size_t capacity;
  LLVMValueRef result;  // phi in `after` when several blocks return
  LLVMBasicBlockRef after;
  unsigned depth;
} copy;

static size_t slot_of(const copy *c, const void *from) {
  size_t i = (size_t)(((uintptr_t)from >> 4) * 0x9E3779B97F4A7C15u >> 20) & (c->capacity - 1);
  while (c->map[i].from && c->map[i].from != from) {
    i = (i + 1) & (c->capacity - 1);
  }
  return i;
}

static void put(copy *c, void *from, void *to) { c->map[slot_of(c, from)] = (pair){from, to}; }
static void *get(copy *c, void *from) { return c->map[slot_of(c, from)].to; }

static LLVMValueRef copy_function(mr_emit *e, LLVMValueRef function, LLVMValueRef *args, unsigned depth);

static void fail(copy *c, const char *what) {
  mr_emit_fail(c->e, mr_error(MR_INTERNAL, "an element function has %s, which cannot be copied", what));
}

// A table the function reads: a private constant of the kernel's module.
static LLVMValueRef copy_global(copy *c, LLVMValueRef global) {
  size_t size;
  const char *name = LL(GetValueName2)(global, &size);
  LLVMValueRef there = LL(GetNamedGlobal)(c->e->module, name);
  if (there) {
    return there;
  }
  LLVMValueRef initial = LL(IsGlobalConstant)(global) ? LL(GetInitializer)(global) : NULL;
  if (!initial) {
    fail(c, "a variable in memory");
    return global;
  }
  there = LL(AddGlobal)(c->e->module, LL(GlobalGetValueType)(global), name);
  LL(SetInitializer)(there, initial);
  LL(SetGlobalConstant)(there, 1);
  LL(SetLinkage)(there, LLVMPrivateLinkage);
  LL(SetUnnamedAddress)(there, LLVMGlobalUnnamedAddr);
  LL(SetAlignment)(there, LL(GetAlignment)(global));
  return there;
}

static LLVMValueRef mapped(copy *c, LLVMValueRef v) {
  void *to = get(c, v);
  if (to) {
    return to;
  }
  if (LL(IsAGlobalVariable)(v)) {
    return copy_global(c, v);
  }
  if (LL(IsAConstantExpr)(v)) {
    fail(c, "a constant expression");
  }
  return v;  // constants belong to the context
}

static LLVMValueRef copy_call(copy *c, LLVMValueRef call) {
  mr_emit *e = c->e;
  LLVMValueRef callee = LL(GetCalledValue)(call), args[8];
  int count = (int)LL(GetNumArgOperands)(call);
  if (!LL(IsAFunction)(callee) || count > 8) {
    fail(c, "an indirect call");
    return NULL;
  }
  for (int i = 0; i < count; i++) {
    args[i] = mapped(c, LL(GetOperand)(call, (unsigned)i));
  }
  size_t size;
  const char *name = LL(GetValueName2)(callee, &size);
  LLVMTypeRef type = LL(GetCalledFunctionType)(call);
  if (!LL(GetIntrinsicID)(callee) && !LL(IsDeclaration)(callee)) {
    return copy_function(e, callee, args, c->depth + 1);
  }
  if (size > 14 && !strncmp(name, "llvm.lifetime.", 14)) {
    return NULL;
  }
  LLVMValueRef there = LL(GetNamedFunction)(e->module, name);
  if (!there) {
    there = LL(AddFunction)(e->module, name, type);
  }
  return LL(BuildCall2)(e->b, type, there, args, (unsigned)count, "");
}

static void copy_branch(copy *c, LLVMValueRef from) {
  LLVMBasicBlockRef to = get(c, LL(GetSuccessor)(from, 0));
  if (!LL(IsConditional)(from)) {
    LL(BuildBr)(c->e->b, to);
    return;
  }
  LL(BuildCondBr)(c->e->b, mapped(c, LL(GetCondition)(from)), to, get(c, LL(GetSuccessor)(from, 1)));
}

static void copy_return(copy *c, LLVMValueRef from) {
  LLVMValueRef value = mapped(c, LL(GetOperand)(from, 0));
  if (!c->after) {
    c->result = value;  // one block: code goes on right here
    return;
  }
  LLVMBasicBlockRef here = LL(GetInsertBlock)(c->e->b);
  LL(AddIncoming)(c->result, &value, &here, 1);
  LL(BuildBr)(c->e->b, c->after);
}

static void copy_instr(copy *c, LLVMValueRef from) {
  mr_emit *e = c->e;
  switch (LL(GetInstructionOpcode)(from)) {
  case LLVMRet: copy_return(c, from); return;
  case LLVMBr: copy_branch(c, from); return;
  case LLVMUnreachable:
  case LLVMSwitch:
  case LLVMAlloca: fail(c, "a switch, an alloca or an unreachable end"); return;
  case LLVMPHI: put(c, from, LL(BuildPhi)(e->b, LL(TypeOf)(from), "")); return;  // filled when all is copied
  case LLVMCall: {
    LLVMValueRef to = copy_call(c, from);
    if (to) {
      put(c, from, to);
    }
    return;
  }
  default: break;  // computes something of its operands: all else that LLVM has
  }
  LLVMValueRef to = LL(InstructionClone)(from);
  int count = LL(GetNumOperands)(from);
  for (int i = 0; i < count; i++) {
    LL(SetOperand)(to, (unsigned)i, mapped(c, LL(GetOperand)(from, (unsigned)i)));
  }
  LL(InsertIntoBuilder)(e->b, to);
  put(c, from, to);
}

static void fill_phis(copy *c, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LL(GetFirstBasicBlock)(function); block; block = LL(GetNextBasicBlock)(block)) {
    for (LLVMValueRef in = LL(GetFirstInstruction)(block); in; in = LL(GetNextInstruction)(in)) {
      if (LL(GetInstructionOpcode)(in) != LLVMPHI) {
        break;
      }
      unsigned count = LL(CountIncoming)(in);
      for (unsigned i = 0; i < count; i++) {
        LLVMValueRef value = mapped(c, LL(GetIncomingValue)(in, i));
        // The end of a copied block, which a nested copy may have moved.
        LLVMBasicBlockRef at = get(c, LL(GetBasicBlockTerminator)(LL(GetIncomingBlock)(in, i)));
        LL(AddIncoming)(get(c, in), &value, &at, 1);
      }
    }
  }
}

// Blocks were created in order and the builder is in the first one's copy or, for one block, where it was.
static void copy_blocks(copy *c, LLVMValueRef function) {
  mr_emit *e = c->e;
  for (LLVMBasicBlockRef block = LL(GetFirstBasicBlock)(function); block; block = LL(GetNextBasicBlock)(block)) {
    if (c->after) {
      LL(PositionBuilderAtEnd)(e->b, get(c, block));
    }
    LLVMValueRef in = LL(GetFirstInstruction)(block);
    for (; in && !e->status; in = LL(GetNextInstruction)(in)) {
      copy_instr(c, in);
    }
    if (c->after) {
      put(c, LL(GetBasicBlockTerminator)(block), LL(GetInsertBlock)(e->b));
    }
  }
}

static void open_blocks(copy *c, LLVMValueRef function, LLVMTypeRef result) {
  mr_emit *e = c->e;
  LLVMContextRef context = e->engine->context;
  for (LLVMBasicBlockRef block = LL(GetFirstBasicBlock)(function); block; block = LL(GetNextBasicBlock)(block)) {
    put(c, block, LL(AppendBasicBlockInContext)(context, e->function, ""));
  }
  c->after = LL(AppendBasicBlockInContext)(context, e->function, "");
  LL(BuildBr)(e->b, get(c, LL(GetFirstBasicBlock)(function)));
  LL(PositionBuilderAtEnd)(e->b, c->after);
  c->result = LL(BuildPhi)(e->b, result, "");
}

static size_t map_capacity(LLVMValueRef function) {
  size_t count = LL(CountParams)(function);
  for (LLVMBasicBlockRef block = LL(GetFirstBasicBlock)(function); block; block = LL(GetNextBasicBlock)(block)) {
    for (LLVMValueRef in = LL(GetFirstInstruction)(block); in; in = LL(GetNextInstruction)(in)) {
      count++;
    }
    count += 2;
  }
  size_t capacity = 64;
  while (capacity < count * 2) {
    capacity *= 2;
  }
  return capacity;
}

// Blocks must be visited so that a value is copied before its uses outside phis; clang's order does that (a definition
// dominates its uses and comes earlier in the layout of what -O2 leaves of these functions).
static LLVMValueRef copy_function(mr_emit *e, LLVMValueRef function, LLVMValueRef *args, unsigned depth) {
  copy c = {.e = e, .capacity = map_capacity(function), .depth = depth};
  c.map = depth < 8 ? mr_alloc_zeroed(c.capacity, sizeof *c.map) : NULL;
  if (!c.map) {
    mr_emit_fail(e, depth < 8 ? MR_NO_MEMORY() : mr_error(MR_INTERNAL, "element functions call each other too deeply"));
    return NULL;
  }
  for (unsigned i = 0; i < LL(CountParams)(function); i++) {
    put(&c, LL(GetParam)(function, i), args[i]);
  }
  bool single = LL(CountBasicBlocks)(function) == 1;
  if (!single) {
    open_blocks(&c, function, LL(GetReturnType)(LL(GlobalGetValueType)(function)));
  }
  copy_blocks(&c, function);
  if (!single && !e->status) {
    fill_phis(&c, function);
    LL(PositionBuilderAtEnd)(e->b, c.after);
  }
  mr_free(c.map);
  return c.result;
}

LLVMValueRef mr_emit_call(mr_emit *e, const char *name, const char *suffix, LLVMValueRef *args, unsigned count) {
  mr_status status = mr_llvm_engine_element(e->engine);
  if (status) {
    mr_emit_fail(e, status);
    return NULL;
  }
  char full[64];
  snprintf(full, sizeof full, "mr_el_%s_%s", name, suffix);
  LLVMValueRef function = LL(GetNamedFunction)(e->engine->element, full);
  if (!function || LL(IsDeclaration)(function) || LL(CountParams)(function) != count) {
    return NULL;
  }
  LLVMValueRef result = copy_function(e, function, args, 0);
  // Selects of scalars become branches in the back end, each of which moves the rest of its block: keep blocks short where
  // their number would tell. The passes for such programs leave them so (object.c).
  if (++e->calls > MR_SPLIT_BLOCKS_CALLS) {
    LLVMBasicBlockRef next = LL(AppendBasicBlockInContext)(e->engine->context, e->function, "");
    LL(BuildBr)(e->b, next);
    LL(PositionBuilderAtEnd)(e->b, next);
  }
  return result;
}
