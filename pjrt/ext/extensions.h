// The extension chain that PJRT_Api.extension_start points to. Each object lives in its ext_*.c file and names the next:
// the order is that of the declarations below. Some are only meaningful on a vendor's chip and are absent:
// docs/pjrt-coverage.md lists them.
//
// Threads: read-only once GetPjrtApi has returned. Ownership: they live as long as the library.
#ifndef MR_PJRT_EXT_EXTENSIONS_H
#define MR_PJRT_EXT_EXTENSIONS_H

#include "pjrt/abi.h"

extern PJRT_Layouts_Extension mr_pjrt_ext_layouts;
extern PJRT_Shardings_Extension mr_pjrt_ext_shardings;
extern PJRT_MemoryDescriptions_Extension mr_pjrt_ext_memory_descriptions;
extern PJRT_FFI_Extension mr_pjrt_ext_ffi;
extern PJRT_RawBuffer_Extension mr_pjrt_ext_raw_buffer;
extern PJRT_Stream_Extension mr_pjrt_ext_stream;
extern PJRT_Callback_Extension mr_pjrt_ext_callback;
extern PJRT_HostAllocator_Extension mr_pjrt_ext_host_allocator;
extern PJRT_HostMemoryAllocator_Extension mr_pjrt_ext_host_memory_allocator;
extern PJRT_ExecutableMetadata_Extension mr_pjrt_ext_executable_metadata;
extern PJRT_Custom_Partitioner_Extension mr_pjrt_ext_custom_partitioner;
extern PJRT_AbiVersion_Extension mr_pjrt_ext_abi_version;
extern PJRT_PhaseCompile_Extension mr_pjrt_ext_phase_compile;
extern PJRT_Profiler_Extension mr_pjrt_ext_profiler;
extern PJRT_CrossHostTransfers_Extension mr_pjrt_ext_cross_host_transfers;

// Ours, for a host whose interpreter ends before the process does (core/ending.h): its type is a number that no host asks for who has not read this.
#define MR_PJRT_ENDING_TYPE 0x6D720002
typedef struct mr_pjrt_ending_extension {
  PJRT_Extension_Base base;
  void (*ask_host)(int (*is_gone)(void));
  uint32_t (*end_host)(void);
  uint32_t (*held)(void);
} mr_pjrt_ending_extension;
extern mr_pjrt_ending_extension mr_pjrt_ext_ending;

// Ours, for tests of hosts: its type is a number that no host asks for who has not read this.
#define MR_PJRT_CENSUS_TYPE 0x6D720001
typedef struct mr_pjrt_census_extension {
  PJRT_Extension_Base base;
  const char *(*name)(size_t kind);                   // NULL behind the last
  size_t (*count)(int64_t *out_counts, size_t room);  // how many kinds there are; writes as many as have room
} mr_pjrt_census_extension;
extern mr_pjrt_census_extension mr_pjrt_ext_census;

#define MR_PJRT_FIRST_EXTENSION (&mr_pjrt_ext_layouts.base)

#endif
