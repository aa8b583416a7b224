// Whether the processor that MILLRACE_CPU asks for has instructions that this machine lacks, in LLVM's own words for both.
//
// LLVM-C tells what the host has and lacks, and nothing of a processor by name. But the inliner knows: it puts a function into
// another one only where the latter has every feature of the former. So each feature that the host lacks becomes an empty function,
// which a function for the asked processor calls. The calls that are gone afterwards are features that processor has. Where LLVM
// ends the process when it hears of a processor that does not go with the machine (32 bits), it is asked as if on one with which
// all go; of 64 bits the inliner says nothing, so those without them are known by a feature that they lack, or by name.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/codegen/llvm_engine.h"
#include "compiler/codegen/target.h"
#include "core/processor/processor.h"

enum { MOST_FEATURES = 256, NAME_SIZE = 40 };
enum { NONE, NEEDED, FIRST_LACKING };  // the features with a meaning of their own

typedef struct probe {
  mr_llvm_engine *engine;
  LLVMTargetMachineRef machine;
  LLVMModuleRef module;
  LLVMValueRef callers[MOST_FEATURES];
  // Of what the callee has. The first is empty: what every processor has; the second, what each of this kind must have.
  char names[MOST_FEATURES][NAME_SIZE];
  uint32_t count;
} probe;

static void set_attribute(const probe *p, LLVMValueRef function, const char *name, const char *value) {
  LLVMAttributeRef attribute =
      LL(CreateStringAttribute)(p->engine->context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
  LL(AddAttributeAtIndex)(function, LLVMAttributeFunctionIndex, attribute);
}

// A function of nothing that calls `callee`, or that is empty.
static LLVMValueRef add_function(const probe *p, LLVMValueRef callee, const char *cpu, const char *features) {
  mr_llvm_engine *e = p->engine;
  LLVMTypeRef type = LL(FunctionType)(e->none, NULL, 0, 0);
  LLVMValueRef function = LL(AddFunction)(p->module, callee ? "caller" : "callee", type);
  set_attribute(p, function, "target-cpu", cpu);
  set_attribute(p, function, "target-features", features);
  LL(PositionBuilderAtEnd)(e->builder, LL(AppendBasicBlockInContext)(e->context, function, ""));
  if (callee) {
    LL(BuildCall2)(e->builder, type, callee, NULL, 0, "");
  }
  LL(BuildRetVoid)(e->builder);
  return function;
}

static void add_feature(probe *p, const char *asked, const char *name, size_t size) {
  if (p->count == MOST_FEATURES || size >= NAME_SIZE) {
    return;
  }
  char feature[NAME_SIZE + 1] = "";
  if (size) {
    snprintf(feature, sizeof feature, "+%.*s", (int)size, name);
  }
  memcpy(p->names[p->count], name, size);
  p->callers[p->count++] = add_function(p, add_function(p, NULL, "generic", feature), asked, "");
}

// Whether a word is among others that spaces separate.
static bool is_among(const char *words, const char *word, size_t size) {
  for (const char *at = words; at && *at; at += strcspn(at, " "), at += *at == ' ') {
    if (strcspn(at, " ") == size && memcmp(at, word, size) == 0) {
      return true;
    }
  }
  return false;
}

// `host`: "+has,-lacks,...". What kernels cannot have is no matter.
static void add_lacking(probe *p, const char *asked, const char *host) {
  const char *needed = MR_PROCESSOR_LLVM_NEEDED ? MR_PROCESSOR_LLVM_NEEDED : "";
  add_feature(p, asked, "", 0);
  add_feature(p, asked, needed, strlen(needed));
  for (const char *at = host; *at; at += *at == ',') {
    size_t size = strcspn(at, ",");
    if (*at == '-' && !is_among(MR_PROCESSOR_LLVM_UNUSED, at + 1, size - 1)) {
      add_feature(p, asked, at + 1, size - 1);
    }
    at += size;
  }
}

static bool was_inlined(const probe *p, uint32_t index) {
  LLVMValueRef first = LL(GetFirstInstruction)(LL(GetFirstBasicBlock)(p->callers[index]));
  return LL(GetInstructionOpcode)(first) != LLVMCall;
}

static mr_status judge(const probe *p, const char *asked) {
  if (is_among(MR_PROCESSOR_LLVM_NARROW, asked, strlen(asked))) {
    return mr_error(MR_INVALID_ARGUMENT, "MILLRACE_CPU=%s: that processor has 32 bits, this machine has 64", asked);
  }
  if (!was_inlined(p, NONE)) {
    return mr_error(MR_INVALID_ARGUMENT, "MILLRACE_CPU=%s: LLVM knows no such processor of this kind", asked);
  }
  if (!was_inlined(p, NEEDED)) {
    return mr_error(MR_INVALID_ARGUMENT, "MILLRACE_CPU=%s: that processor lacks %s, which code for this machine needs",
                    asked, p->names[NEEDED]);
  }
  char lacking[512] = "";
  size_t used = 0;
  for (uint32_t i = FIRST_LACKING; i < p->count; i++) {
    if (was_inlined(p, i) && used < sizeof lacking) {
      used += (size_t)snprintf(lacking + used, sizeof lacking - used, "%s%s", used ? ", " : "", p->names[i]);
    }
  }
  return !used ? MR_OK
               : mr_error(MR_FAILED_PRECONDITION,
                          "MILLRACE_CPU=%s: its instructions cannot run here, this processor lacks %s", asked, lacking);
}

static mr_status look(probe *p, const char *asked, const char *host) {
  const char *triple = MR_PROCESSOR_LLVM_ANY_TRIPLE ? MR_PROCESSOR_LLVM_ANY_TRIPLE : p->engine->triple;
  LLVMTargetRef target;
  char *message = NULL;
  if (LL(GetTargetFromTriple)(triple, &target, &message)) {
    mr_status status = mr_error(MR_INTERNAL, "%s: %s", triple, message);
    LL(DisposeMessage)(message);
    return status;
  }
  p->machine =
      LL(CreateTargetMachine)(target, triple, "generic", "", LLVMCodeGenLevelNone, LLVMRelocPIC, LLVMCodeModelSmall);
  p->module = LL(ModuleCreateWithNameInContext)("asked", p->engine->context);
  LL(SetTarget)(p->module, triple);
  add_lacking(p, asked, host);
  LLVMErrorRef error = LL(RunPasses)(p->module, "cgscc(inline)", p->machine, p->engine->options);
  if (error) {
    message = LL(GetErrorMessage)(error);
    mr_status status = mr_error(MR_INTERNAL, "LLVM's inliner: %s", message);
    LL(DisposeErrorMessage)(message);
    return status;
  }
  return judge(p, asked);
}

static mr_status ask(mr_llvm_engine *engine, const char *asked, const char *host_features) {
  probe *p = mr_alloc_zeroed(1, sizeof *p);
  if (!p) {
    return MR_NO_MEMORY();
  }
  p->engine = engine;
  mr_status status = look(p, asked, host_features);
  if (p->module) {
    LL(DisposeModule)(p->module);
  }
  if (p->machine) {
    LL(DisposeTargetMachine)(p->machine);
  }
  mr_free(p);
  return status;
}

// Asked once: LLVM writes a line to stderr each time that it hears of a processor that it does not know.
static struct {
  pthread_mutex_t lock;
  bool known, refused;  // these and the rest: under the lock
  mr_code code;
  char message[640];
} answer = {.lock = PTHREAD_MUTEX_INITIALIZER};

mr_status mr_target_check(mr_llvm_engine *engine, const char *host_features) {
  const char *asked = mr_target_cpu();
  if (!asked) {
    return MR_OK;
  }
  pthread_mutex_lock(&answer.lock);
  mr_status status = MR_OK;
  if (!answer.known) {
    status = ask(engine, asked, host_features);
    answer.code = mr_status_code(status);
    answer.refused = answer.code == MR_INVALID_ARGUMENT || answer.code == MR_FAILED_PRECONDITION;
    answer.known = !status || answer.refused;
    snprintf(answer.message, sizeof answer.message, "%s", status ? mr_status_message(status) : "");
  } else if (answer.refused) {
    status = mr_error(answer.code, "%s", answer.message);
  }
  pthread_mutex_unlock(&answer.lock);
  return status;
}

bool mr_target_is_refused(void) {
  pthread_mutex_lock(&answer.lock);
  bool refused = answer.refused;
  pthread_mutex_unlock(&answer.lock);
  return refused;
}
