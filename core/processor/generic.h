// generic: a processor that nothing is known about; see processor.h, which includes this.
#ifndef MR_CORE_PROCESSOR_GENERIC_H
#define MR_CORE_PROCESSOR_GENERIC_H

#include <string.h>
#include <unistd.h>

#define MR_FLOAT_FLUSH 0u
#define MR_PROCESSOR_HUGE_PAGE ((size_t)2 << 20)
#define MR_PROCESSOR_STUB_BYTES 16
#define MR_PROCESSOR_LLVM_STREAMS NULL
#define MR_PROCESSOR_LLVM_STREAM_STORE "# %u"
#define MR_PROCESSOR_LLVM_STREAM_FENCE ""
#define MR_PROCESSOR_LLVM_MASKS NULL
#define MR_PROCESSOR_LLVM_ANY_TRIPLE NULL
#define MR_PROCESSOR_LLVM_NEEDED NULL
#define MR_PROCESSOR_LLVM_NARROW NULL
#define MR_PROCESSOR_LLVM_UNUSED NULL

static inline mr_vectors mr_processor_vectors(void) { return MR_VECTORS_PLAIN; }
static inline void mr_processor_pause(void) {}
static inline uint64_t mr_processor_ticks(void) { return mr_now_ns(); }
static inline unsigned mr_float_mode(void) { return 0; }
static inline void mr_float_mode_set(unsigned mode) { (void)mode; }
static inline void mr_processor_copy_past(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
static inline void mr_processor_copied_past(void) {}
static inline size_t mr_processor_page(void) { return (size_t)sysconf(_SC_PAGESIZE); }

#endif
