// processor: all that is about one kind of processor. Each kind has a header of its own, which is included here, with what
// must be inline and what is a number, and a source file with the rest; generic.h and generic.c are a processor that nothing
// is known about, and copying them is how another one starts. Kernels of ops/library that are written for instruction sets
// stand beside what they compute, and are chosen by mr_processor_vectors().
//
// Threads: any. What concerns a mode of the processor concerns the calling thread.
#ifndef MR_CORE_PROCESSOR_PROCESSOR_H
#define MR_CORE_PROCESSOR_PROCESSOR_H

#include "core/core.h"

// Which of the instruction sets that kernels are written for there are; each has those before it.
typedef enum mr_vectors {
  MR_VECTORS_PLAIN,        // what every processor of its kind has that millrace runs on
  MR_VECTORS_AVX2,         // with FMA and F16C
  MR_VECTORS_AVX512,       // F, BW, DQ, VL and CD
  MR_VECTORS_AVX512_VNNI,  // and products of bytes that do not saturate
  MR_VECTORS_AVX512_BF16,  // and products of bf16
} mr_vectors;

#if defined(__x86_64__)
#include "core/processor/x86_64.h"
#else
#include "core/processor/generic.h"
#endif

// ---- In the processor's own header ----------------------------------------------------------------------------------
// mr_vectors mr_processor_vectors(void): what there is of these.
// void mr_processor_pause(void): between two looks at memory that another thread writes.
// uint64_t mr_processor_ticks(void): a clock that costs next to nothing; monotonic, of any rate, never 0.
// unsigned mr_float_mode(void), void mr_float_mode_set(unsigned mode): how the calling thread rounds, and whether subnormal
//   numbers count as zero, which the bits MR_FLOAT_FLUSH say (0: the processor cannot). Work that is handed to another thread
//   takes the mode along (scheduler/parallel.c), so that what a number becomes does not depend on who computes it.
// void mr_processor_copy_past(void *to, const void *from, size_t bytes): as memcpy(), but what is written goes past the caches, into which
//   it would not fit, without having been read first; others see it after mr_processor_copied_past().
// size_t mr_processor_page(void): the unit in which memory is protected. MR_PROCESSOR_HUGE_PAGE: one that madvise asks for.
// MR_PROCESSOR_STUB_BYTES: of the jump that mr_processor_write_stub() writes.
// What LLVM calls features, NULL when there is no such thing: MR_PROCESSOR_LLVM_STREAMS, with which stores go past the caches
//   by the assembly MR_PROCESSOR_LLVM_STREAM_STORE (a format with the vector's bytes less one; $0 the address, $1 the vector)
//   and are ordered by the intrinsic MR_PROCESSOR_LLVM_STREAM_FENCE; MR_PROCESSOR_LLVM_MASKS, any vector access can be masked.
// MR_PROCESSOR_LLVM_ANY_TRIPLE: a machine on which LLVM takes any processor of this family, also an older one (NULL: this one).
// MR_PROCESSOR_LLVM_NEEDED: a feature of all those of the family that can run this machine's code (NULL: they all can).
// MR_PROCESSOR_LLVM_NARROW: the names of those that have it and cannot, since they are of 32 bits, with spaces between them.
// MR_PROCESSOR_LLVM_UNUSED: those that no kernel has, with spaces between: keys, transactions, random numbers, caches, saved states.

// ---- Instructions ---------------------------------------------------------------------------------------------------

// The processor in words ("AVX2 family 6 model 85 (1a2b3c4d)"), and a number of all that decides what code is generated for it:
// equal numbers mean equal code.
uint64_t mr_processor_describe(char *text, size_t size);

// What this processor lacks of the sets up to `wanted`, by name and with commas between them; empty: nothing.
void mr_processor_write_lacking(mr_vectors wanted, char *text, size_t size);

// Code was written to these bytes and is about to be run.
void mr_processor_code_is_written(void *code, size_t size);

// ---- Objects in ELF -------------------------------------------------------------------------------------------------

// What a relocation refers to, and where its slots are. `got` holds the symbol's address; `stub` jumps there.
typedef struct mr_processor_fixup {
  uint32_t type;
  unsigned char *place;
  size_t room;  // bytes from `place` to the end of its section
  uint64_t target;
  int64_t addend;
  unsigned char *got, *stub;
} mr_processor_fixup;

uint16_t mr_processor_elf_machine(void);
bool mr_processor_elf_is_unwind(uint32_t section_type);
bool mr_processor_needs_slot(uint32_t type);
void mr_processor_write_stub(unsigned char *stub, const unsigned char *got);
mr_status mr_processor_relocate(const mr_processor_fixup *fixup) MR_WARN_UNUSED;

#endif
