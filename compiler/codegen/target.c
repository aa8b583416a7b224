// Which processor code is generated for, and the seed of every kernel's key.
#include "compiler/codegen/target.h"

#include <llvm/Config/llvm-config.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/codegen/codegen.h"
#include "compiler/codegen/llvm_engine.h"
#include "compiler/codegen/tuning.h"
#include "core/processor/processor.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char text[96];
static mr_hash128 seed;

const char *mr_target_cpu(void) {
  const char *cpu = getenv("MILLRACE_CPU");
  return cpu && *cpu ? cpu : NULL;
}

static void find_target(void) {
  char processor[64];
  uint64_t hash = mr_processor_describe(processor, sizeof processor);
  snprintf(text, sizeof text, "%s, LLVM " LLVM_VERSION_STRING, processor);
  const char *cpu = mr_target_cpu();
  if (cpu) {
    snprintf(text, sizeof text, "%s, LLVM " LLVM_VERSION_STRING, cpu);
  }
  seed = mr_hash128_of(text, sizeof text, (mr_hash128){MR_CODEGEN_VERSION, hash});
  seed = mr_hash128_of(mr_element_bitcode, (size_t)mr_element_bitcode_size, seed);
  mr_span build = mr_codegen_build_id();
  seed = mr_hash128_of(build.data, build.size, seed);
}

const char *mr_codegen_target(void) {
  pthread_once(&once, find_target);
  return text;
}

mr_hash128 mr_target_seed(void) {
  pthread_once(&once, find_target);
  return seed;
}
