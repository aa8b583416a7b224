// Which arguments a call gives to its program for good: those that the program donates, unless the host said that it keeps them
// (`donates`, by parameter), and unless it shares their content with others at the moment.
//
//   MR_TRY(mr_pjrt_donation_check(executable, donates, arguments, count));
//   MR_TRY(mr_pjrt_donation_keep(executable, donates, handles, count, &kept));   // NULL: `donates` holds as it is
//   ... execute with kept ? kept : donates ...
//   mr_free(kept);
//
// Threads: the call's own.
#ifndef MR_PJRT_CALLS_DONATION_H
#define MR_PJRT_CALLS_DONATION_H

#include "pjrt/objects/objects.h"

// A buffer that is donated may not be an argument twice: the program would overwrite what it still reads.
mr_status mr_pjrt_donation_check(const PJRT_Executable *executable, const bool *donates, mr_buffer *const *arguments,
                                 size_t count) MR_WARN_UNUSED;
// What has external references (numpy's views, dlpack) is not donated while it has them: others may hold the content for as long
// as they like, and the host goes on having it. As on XLA:CPU the program works on a copy then. NULL: no argument has any; else
// a list of the caller's own.
mr_status mr_pjrt_donation_keep(const PJRT_Executable *executable, const bool *donates, PJRT_Buffer *const *handles,
                                size_t count, bool **out_donates) MR_WARN_UNUSED;
// What the program took over is gone, also where it only got a copy.
void mr_pjrt_donation_delete(const PJRT_Executable *executable, const bool *donates, PJRT_Buffer *const *handles);

#endif
