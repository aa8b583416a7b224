// The extension chain that PJRT_Api.extension_start points to. Each object lives in its ext_*.c file and names the next.
#ifndef MR_PJRT_EXTENSIONS_H
#define MR_PJRT_EXTENSIONS_H

#include "pjrt/abi.h"

#define MR_PJRT_FIRST_EXTENSION NULL

#endif
