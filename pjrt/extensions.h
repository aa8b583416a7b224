// The extension chain that PJRT_Api.extension_start points to. Each object lives in its ext_*.c file and names the next:
// Layouts, Shardings, MemoryDescriptions, FFI, RawBuffer.
#ifndef MR_PJRT_EXTENSIONS_H
#define MR_PJRT_EXTENSIONS_H

#include "pjrt/abi.h"

extern PJRT_Layouts_Extension mr_pjrt_ext_layouts;
extern PJRT_Shardings_Extension mr_pjrt_ext_shardings;
extern PJRT_MemoryDescriptions_Extension mr_pjrt_ext_memory_descriptions;
extern PJRT_FFI_Extension mr_pjrt_ext_ffi;
extern PJRT_RawBuffer_Extension mr_pjrt_ext_raw_buffer;

#define MR_PJRT_FIRST_EXTENSION (&mr_pjrt_ext_layouts.base)

#endif
