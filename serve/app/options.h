// What the command line says.
#ifndef SV_APP_OPTIONS_H
#define SV_APP_OPTIONS_H

#include "serve/base/base.h"

#define SV_MOST_PLACES 16
#define SV_MOST_ROOTS 64
#define SV_MOST_NAMES 256

typedef struct sv_options {
  const char *places[SV_MOST_PLACES];  // --listen
  uint32_t num_places;
  const char *roots[SV_MOST_ROOTS];
  uint32_t num_roots;
  const char *names[SV_MOST_NAMES];  // --model
  uint32_t num_names;
  bool none;                      // --no-models
  bool watch;                     // --watch
  bool control, control_is_open;  // --control, --control-from-anywhere
  bool shared_memory;             // --shared-memory
  const char *keys_path;          // --keys
  const char *certificate_path, *key_path, *client_ca_path;
  const char *access_path;  // --access-log; NULL: none
  uint64_t access_sample;
  uint64_t loops;       // 0: one a core, sixteen at most
  uint64_t executions;  // at once; 0: two
  uint64_t queue;       // requests a model
  uint64_t body_bytes, bytes_in_flight, connections, streams;
  uint64_t header_timeout_s, idle_timeout_s, stall_timeout_s;
  uint64_t drain_s, drain_delay_s;
  bool help, version;
} sv_options;

// NULL, or what is wrong. Texts are borrowed from argv.
sv_error *sv_options_parse(int argc, char **argv, sv_options *out);
// The page that --help prints.
void sv_options_help(sv_text *out);

#endif
