// The access log: a JSON line for each request, written by a thread of its own so that no loop waits for a disk.
#ifndef SV_ACCESS_H
#define SV_ACCESS_H

#include "serve/base/base.h"

typedef struct sv_access_log sv_access_log;

// What is known of one request when it is over. Texts are borrowed for the call; empty and 0 where nothing is known.
typedef struct sv_access {
  sv_str remote, protocol, method, path;  // protocol "http/1.1" or "grpc"; path also of the rpc
  int status;                             // HTTP's, or gRPC's
  uint64_t bytes_in, bytes_out;
  sv_str model;
  uint64_t version;
  sv_str request_id;
  uint64_t batch_size;                      // rows of the batch that it was in
  uint64_t queue_us, compute_us, total_us;  // total: from the request's first byte to the answer's last
  char trace_id[33], span_id[17];           // W3C; "" without
  sv_str user_agent;
} sv_access;

// `path` "-": standard error. `sample`: one of so many requests is written (1: all); failures (status 500 and more) always.
sv_error *sv_access_open(const char *path, uint32_t sample, sv_access_log **out_log);
// Any thread; never waits: what the file is too slow for is dropped and counted, and the next line that is written says how many. NULL log: nothing.
void sv_access_write(sv_access_log *log, const sv_access *access);
void sv_access_reopen(sv_access_log *log);  // after its file was renamed (SIGHUP)
void sv_access_close(sv_access_log *log);   // writes what there is

// Reads "00-<32 hex>-<16 hex>-<2 hex>" into the two ids; false, and both "", where it is not valid.
bool sv_traceparent_parse(sv_str header, char out_trace_id[33], char out_span_id[17]);

#endif
