// Extension Ending, which is ours and not the ABI's: an interpreter that has queued calls of its own functions says that it ends. Its
// functions may be called from any thread, without a client.
#include "core/ending.h"
#include "pjrt/ext/extensions.h"

mr_pjrt_ending_extension mr_pjrt_ext_ending = {
    .base = {.struct_size = sizeof(mr_pjrt_ending_extension),
             .type = (PJRT_Extension_Type)MR_PJRT_ENDING_TYPE,
             .next = &mr_pjrt_ext_census.base},
    .ask_host = mr_ending_ask_host,
    .end_host = mr_ending_end_host,
};
