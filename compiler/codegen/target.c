// The target string comes from CPUID and XCR0, the same registers LLVM's own host detection reads: equal registers mean
// equal code. Bits that differ between cores or boots of one machine (APIC ids, OS state) are left out.
#include "compiler/codegen/target.h"

#include <cpuid.h>
#include <llvm/Config/llvm-config.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/codegen/codegen.h"
#include "compiler/codegen/llvm_engine.h"
#include "compiler/codegen/tuning.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char text[96];
static mr_hash128 seed;

typedef struct leaf {
  uint32_t a, b, c, d;
} leaf;

static leaf cpuid(uint32_t number, uint32_t sub) {
  leaf l = {0};
  __get_cpuid_count(number, sub, &l.a, &l.b, &l.c, &l.d);
  return l;
}

static uint64_t read_xcr0(bool available) {
  uint32_t low = 0, high = 0;
  if (available) {
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  }
  return (uint64_t)high << 32 | low;
}

static const char *vector_name(const leaf *l1, const leaf *l7, uint64_t xcr0) {
  if ((l7->b >> 16 & 1) && (xcr0 & 0xE6) == 0xE6) {
    return "AVX-512";
  }
  if ((l7->b >> 5 & 1) && (xcr0 & 6) == 6) {
    return "AVX2";
  }
  return l1->c >> 28 & 1 ? "AVX" : "SSE";
}

const char *mr_target_cpu(void) {
  const char *cpu = getenv("MILLRACE_CPU");
  return cpu && *cpu ? cpu : NULL;
}

static void find_target(void) {
  leaf l1 = cpuid(1, 0), l7 = cpuid(7, 0), l71 = cpuid(7, 1), lx = cpuid(0x80000001, 0);
  uint64_t xcr0 = read_xcr0(l1.c >> 27 & 1);
  uint32_t family = (l1.a >> 8 & 15) + (l1.a >> 20 & 255), model = (l1.a >> 4 & 15) | (l1.a >> 12 & 0xF0);
  uint32_t facts[] = {l1.a,
                      l1.c & ~(1u << 27),
                      l1.d,
                      l7.b,
                      l7.c & ~(1u << 4),
                      l7.d,
                      l71.a,
                      l71.b,
                      l71.d,
                      lx.c,
                      lx.d,
                      cpuid(0xD, 1).a,
                      cpuid(0x80000008, 0).b,
                      cpuid(0x19, 0).b,
                      cpuid(0x24, 0).b,
                      (uint32_t)xcr0};
  uint64_t hash = mr_hash64(facts, sizeof facts, 0);
  snprintf(text, sizeof text, "%s family %u model %u (%08x), LLVM " LLVM_VERSION_STRING, vector_name(&l1, &l7, xcr0),
           family, model, (uint32_t)(hash ^ hash >> 32));
  const char *cpu = mr_target_cpu();
  if (cpu) {
    snprintf(text, sizeof text, "%s, LLVM " LLVM_VERSION_STRING, cpu);
  }
  seed = mr_hash128_of(text, sizeof text, (mr_hash128){MR_CODEGEN_VERSION, hash});
  seed = mr_hash128_of(mr_element_bitcode, (size_t)mr_element_bitcode_size, seed);
  mr_span build = mr_build_id();
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
