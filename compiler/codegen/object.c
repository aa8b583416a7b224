// The pipeline: emit, a few passes, machine code. MILLRACE_DUMP=dir writes what each step gives.
#include "compiler/codegen/object.h"

#include <string.h>

#include "compiler/codegen/dump.h"
#include "compiler/codegen/emit.h"
#include "compiler/codegen/tuning.h"

// The emitter leaves little to tidy up, so this list is short (measured in perf/compiler/perf_codegen.c). WHILE loops are
// emitted with the test on top and want rotating. Without AVX512-FP16 instcombine must not see f16: it narrows
// comparisons and maxima of widened values back to half, which the x86 back end takes apart lane by lane (and gets
// maximum wrong in LLVM 19).
#define TIDY "instcombine<no-verify-fixpoint>"
#define TIDY_F16 "instsimplify,dce"
#define LOOP_PASSES(loops, unroll, tidy) \
  "function(sroa,early-cse," tidy ",loop-mssa(" loops "licm)," unroll "loop-vectorize," tidy ",simplifycfg)"
// What is marked for it and nothing else.
#define UNROLL "loop-unroll<O2;no-partial;no-peeling;no-runtime;no-upperbound;full-unroll-max=0>,sroa,early-cse,"
// A small array that a WHILE loop carries is one vector or some scalars by now: registers instead of a store and a load
// each round. What the loop was waiting for may have gone with it.
#define WHILE_PASSES(tidy)                  \
  LOOP_PASSES("loop-rotate,", UNROLL, tidy) \
  ",function(sroa,early-cse," tidy ",simplifycfg,loop-mssa(loop-rotate,licm),loop(indvars,loop-deletion),simplifycfg)"

typedef enum pass_list { STRAIGHT, LOOPS, LOOPS_UNROLL, WHILES } pass_list;

static const char *const passes[4][2] = {
    [STRAIGHT] = {"function(sroa,early-cse," TIDY ",simplifycfg)", "function(sroa,early-cse," TIDY_F16 ",simplifycfg)"},
    [LOOPS] = {LOOP_PASSES("", "", TIDY), LOOP_PASSES("", "", TIDY_F16)},
    [LOOPS_UNROLL] = {LOOP_PASSES("", UNROLL, TIDY), LOOP_PASSES("", UNROLL, TIDY_F16)},
    [WHILES] = {WHILE_PASSES(TIDY), WHILE_PASSES(TIDY_F16)},
};

static const char *pick_passes(const mr_loop_program *p) {
  pass_list list = STRAIGHT;
  bool f16 = false;
  for (uint32_t i = 1; i < p->num_instrs; i++) {
    uint8_t code = p->instrs[i].code;
    pass_list wanted = STRAIGHT;
    if (code == MR_L_WHILE) {
      wanted = WHILES;
    }
    if (code == MR_L_FOR) {
      wanted = p->instrs[i].flags & MR_L_UNROLL ? LOOPS_UNROLL : LOOPS;
    }
    if (code == MR_L_FILL) {
      wanted = LOOPS;
    }
    list = MR_MAX(list, wanted);
    f16 = f16 || p->instrs[i].dtype == MR_F16;
  }
  return passes[list][f16];
}

// ---- Dumps ------------------------------------------------------------------------------------------------------------

static void dump_program(const char *name, const mr_loop_program *program) {
  if (!mr_dump_wanted()) {
    return;
  }
  mr_text text = {0};
  mr_loop_print(program, &text);
  if (!text.failed && text.data) {
    mr_dump_text(name, ".loops", text.data, text.size);
  }
  mr_text_deinit(&text);
}

static void dump_module(const char *name, const char *suffix, LLVMModuleRef module) {
  if (!mr_dump_wanted()) {
    return;
  }
  char *text = LL(PrintModuleToString)(module);
  mr_dump_text(name, suffix, text, strlen(text));
  LL(DisposeMessage)(text);
}

static void dump_assembly(const char *name, LLVMTargetMachineRef machine, LLVMModuleRef module) {
  LLVMMemoryBufferRef buffer = NULL;
  char *message = NULL;
  if (!mr_dump_wanted()) {
    return;
  }
  // Emission changes the module; the dump is a debugging aid and the last step, so it goes after the object.
  if (LL(TargetMachineEmitToMemoryBuffer)(machine, module, LLVMAssemblyFile, &message, &buffer)) {
    LL(DisposeMessage)(message);
    return;
  }
  mr_dump_text(name, ".s", LL(GetBufferStart)(buffer), LL(GetBufferSize)(buffer));
  LL(DisposeMemoryBuffer)(buffer);
}

// ---- Steps ------------------------------------------------------------------------------------------------------------

static mr_status run_passes(mr_llvm_engine *engine, LLVMModuleRef module, const mr_loop_program *program,
                            uint32_t calls) {
  const char *list = calls > MR_SPLIT_BLOCKS_CALLS ? "function(sroa,early-cse)" : pick_passes(program);
  LLVMErrorRef error = LL(RunPasses)(module, list, engine->machine, engine->options);
  if (!error) {
    return MR_OK;
  }
  char *message = LL(GetErrorMessage)(error);
  mr_status status = mr_error(MR_INTERNAL, "LLVM passes: %s", message);
  LL(DisposeErrorMessage)(message);
  return status;
}

#ifndef NDEBUG
static mr_status verify(LLVMModuleRef module) {
  char *message = NULL;
  mr_status status = MR_OK;
  if (LL(VerifyModule)(module, LLVMReturnStatusAction, &message)) {
    status = mr_error(MR_INTERNAL, "generated LLVM IR is invalid: %s", message);
  }
  LL(DisposeMessage)(message);
  return status;
}
#endif

static mr_status emit_object(LLVMTargetMachineRef machine, LLVMModuleRef module, mr_object *out_object) {
  LLVMMemoryBufferRef buffer = NULL;
  char *message = NULL;
  if (LL(TargetMachineEmitToMemoryBuffer)(machine, module, LLVMObjectFile, &message, &buffer)) {
    mr_status status = mr_error(MR_INTERNAL, "LLVM code generation: %s", message ? message : "failed");
    if (message) {
      LL(DisposeMessage)(message);
    }
    return status;
  }
  out_object->size = LL(GetBufferSize)(buffer);
  out_object->data = mr_alloc(out_object->size);
  if (out_object->data) {
    memcpy(out_object->data, LL(GetBufferStart)(buffer), out_object->size);
  }
  LL(DisposeMemoryBuffer)(buffer);
  return out_object->data ? MR_OK : MR_NO_MEMORY();
}

static bool has_flag(const mr_loop_program *p, mr_loop_code code, uint32_t flag) {
  for (uint32_t i = 1; i < p->num_instrs; i++) {
    if (p->instrs[i].code == code && (p->instrs[i].flags & flag)) {
      return true;
    }
  }
  return false;
}

// Code without loops runs once a call: nothing in it is worth more than the lowest level. Nor is what would take
// seconds.
static bool wants_quick(const mr_loop_program *p, uint32_t calls) {
  if ((uint64_t)p->num_instrs + MR_CALL_WORK * (uint64_t)calls > MR_FULL_LEVEL_MAX_WORK) {
    return true;
  }
  if (calls > MR_SPLIT_BLOCKS_CALLS) {
    return true;
  }
  for (uint32_t i = 1; i < p->num_instrs; i++) {
    uint8_t code = p->instrs[i].code;
    if (code == MR_L_FOR || code == MR_L_WHILE || code == MR_L_FILL) {
      return false;
    }
  }
  return true;
}

static mr_status compile_module(mr_llvm_engine *engine, LLVMModuleRef module, const mr_loop_program *program,
                                const char *name, mr_object *out_object) {
  uint32_t calls;
  LL(SetTarget)(module, engine->triple);
  LL(SetDataLayout)(module, engine->layout);
  MR_TRY(mr_emit_program(engine, program, module, &calls));
  dump_module(name, ".ll", module);
#ifndef NDEBUG
  MR_TRY(verify(module));
#endif
  LLVMTargetMachineRef machine = wants_quick(program, calls) ? engine->quick_machine : engine->machine;
  MR_TRY(run_passes(engine, module, program, calls));
  if (has_flag(program, MR_L_LOAD, MR_L_AHEAD)) {
    mr_emit_ahead(engine, module);
  }
  if (engine->has_streams && has_flag(program, MR_L_STORE, MR_L_STREAM)) {
    mr_emit_streams(engine, module);
  }
  dump_module(name, ".opt.ll", module);
  MR_TRY(emit_object(machine, module, out_object));
  dump_assembly(name, machine, module);
  return MR_OK;
}

mr_status mr_codegen_object(const mr_loop_program *program, const char *name, mr_object *out_object) {
  *out_object = (mr_object){0};
  dump_program(name, program);
  mr_llvm_engine *engine;
  MR_TRY(mr_llvm_engine_take(&engine));
  LLVMModuleRef module = LL(ModuleCreateWithNameInContext)(name, engine->context);
  mr_status status = compile_module(engine, module, program, name, out_object);
  LL(DisposeModule)(module);
  mr_llvm_engine_put(engine);
  return status;
}
