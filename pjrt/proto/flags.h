// What the environment says to XLA:CPU, in whose place a client of this plugin may be.
//
//   char folder[MR_PJRT_FLAG_SIZE];
//   if (mr_pjrt_flag("xla_dump_to", folder)) ...
//
// Threads: any, while nobody changes the environment. Each question reads it anew.
#ifndef MR_PJRT_PROTO_FLAGS_H
#define MR_PJRT_PROTO_FLAGS_H

#include "core/core.h"

enum { MR_PJRT_FLAG_SIZE = 1024 };

// The value of --`name`=value in XLA_FLAGS, or in the file that XLA_FLAGS names when it does not begin with a dash; of several the last.
// A flag without a value is "true". False: it is not there, or longer than a value may be.
bool mr_pjrt_flag(const char *name, char out_value[MR_PJRT_FLAG_SIZE]);
// Whether the flag is on, in XLA's words: not when it is "false", "False" or "0".
bool mr_pjrt_flag_on(const char *name, bool fallback);
// `fallback` when the flag is not there; INVALID_ARGUMENT when it is no number from `min` to `max`.
mr_status mr_pjrt_flag_int(const char *name, int64_t fallback, int64_t min, int64_t max,
                           int64_t *out_value) MR_WARN_UNUSED;
// How many threads XLA:CPU would have: NPROC, or 1 with --xla_cpu_multi_thread_eigen=false. 0: nothing is said.
uint32_t mr_pjrt_asked_threads(void);

#endif
