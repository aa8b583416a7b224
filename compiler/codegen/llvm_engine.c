// Engines: made on demand, kept in a free list, thrown away after some hundreds of kernels.
#include "compiler/codegen/llvm_engine.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/codegen/codegen.h"
#include "compiler/codegen/target.h"
#include "compiler/codegen/tuning.h"
#include "core/ending.h"
#include "core/fork.h"
#include "core/processor/processor.h"
#include "core/tidy.h"

MR_FORK_LOCK(pool_lock);
static mr_llvm_engine *pool;
static _Atomic(uint32_t) quiet_rounds;  // of core/tidy.h since the last compile; relaxed: a round more or less

LLVMMetadataRef mr_llvm_engine_md_string(mr_llvm_engine *engine, const char *text) {
  return LL(MDStringInContext2)(engine->context, text, strlen(text));
}

LLVMMetadataRef mr_llvm_engine_md_node(mr_llvm_engine *engine, LLVMMetadataRef *items, size_t count) {
  return LL(MDNodeInContext2)(engine->context, items, count);
}

LLVMMetadataRef mr_llvm_engine_md_int(mr_llvm_engine *engine, LLVMTypeRef type, uint64_t value) {
  (void)engine;
  return LL(ValueAsMetadata)(LL(ConstInt)(type, value, 0));
}

static unsigned kind_of(mr_llvm_engine *e, const char *name) {
  return LL(GetMDKindIDInContext)(e->context, name, (unsigned)strlen(name));
}

static void load_kinds(mr_llvm_engine *e) {
  e->md_alias_scope = kind_of(e, "alias.scope");
  e->md_noalias = kind_of(e, "noalias");
  e->md_access_group = kind_of(e, "llvm.access.group");
  e->md_loop = kind_of(e, "llvm.loop");
  e->md_invariant_load = kind_of(e, "invariant.load");
  e->md_align = kind_of(e, "align");
  e->md_nontemporal = kind_of(e, "nontemporal");
  e->md_prof = kind_of(e, "prof");
  e->md_nonnull = kind_of(e, "nonnull");
}

static void load_types(mr_llvm_engine *e) {
  e->i1 = LL(IntTypeInContext)(e->context, 1);
  e->i8 = LL(IntTypeInContext)(e->context, 8);
  e->i16 = LL(IntTypeInContext)(e->context, 16);
  e->i32 = LL(IntTypeInContext)(e->context, 32);
  e->i64 = LL(IntTypeInContext)(e->context, 64);
  e->f16 = LL(HalfTypeInContext)(e->context);
  e->f32 = LL(FloatTypeInContext)(e->context);
  e->f64 = LL(DoubleTypeInContext)(e->context);
  e->ptr = LL(PointerTypeInContext)(e->context, 0);
  e->none = LL(VoidTypeInContext)(e->context);
}

static mr_status take_message(char *message, const char *what) {
  mr_status status = mr_error(MR_INTERNAL, "%s: %s", what, message ? message : "no reason given");
  if (message) {
    LL(DisposeMessage)(message);
  }
  return status;
}

// An access group must be a distinct empty node, which the C API cannot make; the text reader can. The nodes belong to
// the context and outlive the module they came in.
static mr_status load_groups(mr_llvm_engine *e) {
  char text[MR_LLVM_ENGINE_GROUPS * 32];
  int used = snprintf(text, sizeof text, "!g = !{!0");
  for (int i = 1; i < MR_LLVM_ENGINE_GROUPS; i++) {
    used += snprintf(text + used, sizeof text - (size_t)used, ",!%d", i);
  }
  used += snprintf(text + used, sizeof text - (size_t)used, "}\n");
  for (int i = 0; i < MR_LLVM_ENGINE_GROUPS; i++) {
    used += snprintf(text + used, sizeof text - (size_t)used, "!%d=distinct !{}\n", i);
  }
  LLVMMemoryBufferRef buffer = LL(CreateMemoryBufferWithMemoryRange)(text, (size_t)used, "groups", 1);
  LLVMModuleRef module = NULL;
  char *message = NULL;
  if (LL(ParseIRInContext)(e->context, buffer, &module, &message)) {
    return take_message(message, "access groups");
  }
  LLVMValueRef nodes[MR_LLVM_ENGINE_GROUPS];
  LL(GetNamedMetadataOperands)(module, "g", nodes);
  for (int i = 0; i < MR_LLVM_ENGINE_GROUPS; i++) {
    e->groups[i] = LL(ValueAsMetadata)(nodes[i]);
  }
  LL(DisposeModule)(module);
  return MR_OK;
}

static void ignore_diagnostic(LLVMDiagnosticInfoRef info, void *context) {
  (void)info;
  (void)context;
}

static LLVMTargetMachineRef create_machine(mr_llvm_engine *e, LLVMTargetRef target, LLVMCodeGenOptLevel level,
                                           const char *cpu, const char *features) {
  return LL(CreateTargetMachine)(target, e->triple, cpu, features, level, LLVMRelocPIC, LLVMCodeModelSmall);
}

static bool has_feature(const char *features, const char *wanted) { return wanted && strstr(features, wanted); }

static mr_status create_machines(mr_llvm_engine *e) {
  LLVMTargetRef target;
  char *message = NULL;
  e->triple = LL(GetDefaultTargetTriple)();
  if (LL(GetTargetFromTriple)(e->triple, &target, &message)) {
    return take_message(message, e->triple);
  }
  const char *asked = mr_target_cpu();
  char *cpu = LL(GetHostCPUName)(), *found = LL(GetHostCPUFeatures)();
  mr_status status = mr_target_check(e, found);
  if (status) {
    LL(DisposeMessage)(cpu);
    LL(DisposeMessage)(found);
    return status;
  }
  const char *features = asked ? "" : found;
  e->has_streams = has_feature(features, MR_PROCESSOR_LLVM_STREAMS);
  e->has_masks = has_feature(features, MR_PROCESSOR_LLVM_MASKS);
  e->machine = create_machine(e, target, LLVMCodeGenLevelDefault, asked ? asked : cpu, features);
  e->quick_machine = create_machine(e, target, LLVMCodeGenLevelNone, asked ? asked : cpu, features);
  LL(DisposeMessage)(cpu);
  LL(DisposeMessage)(found);
  if (!e->machine || !e->quick_machine) {
    return mr_error(MR_INTERNAL, "no LLVM target machine for %s", e->triple);
  }
  LLVMTargetDataRef data = LL(CreateTargetDataLayout)(e->machine);
  e->layout = LL(CopyStringRepOfTargetData)(data);
  LL(DisposeTargetData)(data);
  return MR_OK;
}

static void destroy(mr_llvm_engine *e) {
  if (!e) {
    return;
  }
  if (e->element) {
    LL(DisposeModule)(e->element);
  }
  if (e->options) {
    LL(DisposePassBuilderOptions)(e->options);
  }
  if (e->builder) {
    LL(DisposeBuilder)(e->builder);
  }
  if (e->machine) {
    LL(DisposeTargetMachine)(e->machine);
  }
  if (e->quick_machine) {
    LL(DisposeTargetMachine)(e->quick_machine);
  }
  if (e->layout) {
    LL(DisposeMessage)(e->layout);
  }
  if (e->triple) {
    LL(DisposeMessage)(e->triple);
  }
  if (e->context) {
    LL(ContextDispose)(e->context);
  }
  mr_free(e);
}

static mr_status create(mr_llvm_engine **out_engine) {
  *out_engine = NULL;
  MR_TRY(mr_llvm_open());
  mr_llvm_engine *e = mr_alloc_zeroed(1, sizeof *e);
  if (!e) {
    return MR_NO_MEMORY();
  }
  e->context = LL(ContextCreate)();
  LL(ContextSetDiagnosticHandler)(e->context, ignore_diagnostic, NULL);
  e->builder = LL(CreateBuilderInContext)(e->context);
  e->options = LL(CreatePassBuilderOptions)();
  LL(PassBuilderOptionsSetLoopVectorization)(e->options, 1);
  LL(PassBuilderOptionsSetLoopInterleaving)(e->options, 1);
  LL(PassBuilderOptionsSetLoopUnrolling)(e->options, 1);
  load_types(e);
  load_kinds(e);
  mr_status status = create_machines(e);
  if (!status) {
    status = load_groups(e);
  }
  if (status) {
    destroy(e);
    return status;
  }
  *out_engine = e;
  return MR_OK;
}

// LLVM is taken apart when the process exits, under whoever is compiling then: core/ending.h.
static mr_llvm_engine *take_pooled(void) {
  pthread_mutex_lock(&pool_lock);
  mr_llvm_engine *e = pool;
  if (e) {
    pool = e->next;
  }
  pthread_mutex_unlock(&pool_lock);
  return e;
}

static mr_status make_engine(mr_llvm_engine **out_engine) {
  MR_TRY(create(out_engine));
  mr_ending_cover();
  return MR_OK;
}

mr_status mr_llvm_engine_take(mr_llvm_engine **out_engine) {
  *out_engine = NULL;
  MR_TRY(mr_ending_enter(MR_INSIDE_LIBRARY));
  mr_llvm_engine *e = take_pooled();
  mr_status status = e ? MR_OK : make_engine(&e);
  if (status) {
    mr_ending_leave(MR_INSIDE_LIBRARY);
    return status;
  }
  e->next = NULL;
  e->uses++;
  *out_engine = e;
  return MR_OK;
}

void mr_llvm_engine_put(mr_llvm_engine *take_engine) {
  if (take_engine->uses >= MR_LLVM_ENGINE_MAX_USES) {
    destroy(take_engine);
  } else {
    pthread_mutex_lock(&pool_lock);
    take_engine->next = pool;
    pool = take_engine;
    pthread_mutex_unlock(&pool_lock);
  }
  mr_ending_leave(MR_INSIDE_LIBRARY);
  mr_codegen_tidy_later();
}

// Drops all idle engines.
static void trim(void) {
  mr_status status = mr_ending_enter(MR_INSIDE_LIBRARY);
  if (status) {
    mr_status_free(status);
    return;
  }
  pthread_mutex_lock(&pool_lock);
  mr_llvm_engine *list = pool;
  pool = NULL;
  pthread_mutex_unlock(&pool_lock);
  while (list) {
    mr_llvm_engine *next = list->next;
    destroy(list);
    list = next;
  }
  mr_ending_leave(MR_INSIDE_LIBRARY);
}

// Engines are some megabytes each, and what compiling took lies in malloc's arenas, of which there may be one for each thread:
// 66 MiB after 60 programs. Neither is given back by itself.
static bool tidy_up(void) {
  // relaxed: a round more or less.
  if (atomic_fetch_add_explicit(&quiet_rounds, 1, memory_order_relaxed) + 1 < MR_TIDY_IDLE_ROUNDS) {
    return true;
  }
  trim();
  mr_kernels_trim();
  malloc_trim(0);
  return false;
}

void mr_codegen_tidy_later(void) {
  static mr_tidy tidy = {.run = tidy_up};
  atomic_store_explicit(&quiet_rounds, 0, memory_order_relaxed);
  mr_tidy_later(&tidy);
}

mr_status mr_llvm_engine_element(mr_llvm_engine *e) {
  if (e->element) {
    return MR_OK;
  }
  LLVMMemoryBufferRef buffer = LL(CreateMemoryBufferWithMemoryRange)((const char *)mr_element_bitcode,
                                                                     (size_t)mr_element_bitcode_size, "element", 0);
  int failed = LL(ParseBitcodeInContext2)(e->context, buffer, &e->element);
  LL(DisposeMemoryBuffer)(buffer);
  if (!failed) {
    return MR_OK;
  }
  e->element = NULL;
  return mr_error(MR_INTERNAL, "the embedded element functions (%llu bytes of bitcode) cannot be parsed",
                  (unsigned long long)mr_element_bitcode_size);
}
