// What the front doors (REST, gRPC, the page) share: models, rights, shared memory, counters.
#ifndef SV_SERVICE_H
#define SV_SERVICE_H

#include "serve/repository/repository.h"

typedef struct sv_regions sv_regions;
typedef struct sv_keys sv_keys;

// What a request wants to do; an API key may have either right or both.
typedef enum sv_right { SV_RIGHT_NONE, SV_RIGHT_INFER, SV_RIGHT_CONTROL } sv_right;  // NONE: health, which needs no key

typedef struct sv_service {
  const char *name, *version;  // "millrace", "0.2.0"
  sv_engine *engine;
  sv_repository *repository;
  sv_regions *regions;   // NULL: no shared memory; those who ask get UNAVAILABLE
  sv_keys *keys;         // NULL: everybody may do what `control` says
  bool control;          // load and unload are served at all; else UNAVAILABLE, as Triton's modes "none" and "poll" say
  bool control_is_open;  // without keys, and not only from this machine
  size_t body_bytes;     // limit of a request
  _Atomic(bool) draining;
  _Atomic(uint64_t) bytes_in_flight;
  _Atomic(uint64_t) connections, connections_all, refused_connections;
  _Atomic(uint64_t) http_requests, grpc_calls;
  uint64_t begin_ns;
} sv_service;

// Names of the protocol's extensions that this server has, ended by NULL: "classification", "model_repository", "binary_tensor_data", ...
const char *const *sv_service_extensions(const sv_service *service);
// Everything wanted at start is served, and the end has not begun.
bool sv_service_is_ready(sv_service *service);

// NULL, or UNAUTHENTICATED, PERMISSION_DENIED, or RESOURCE_EXHAUSTED (the key's quota is used up). `authorization`: "Bearer KEY"; `api_key`: X-API-Key;
// identity: of the client's certificate, NULL without. is_local: the client is on this machine.
sv_error *sv_service_allow(sv_service *service, sv_right right, sv_str authorization, sv_str api_key,
                           const char *identity, bool is_local);

// Beside the right to infer, what all calls about shared memory need, and requests with tensors in it: UNAVAILABLE without regions,
// PERMISSION_DENIED for a client of another machine.
sv_error *sv_service_allow_regions(sv_service *service, bool is_local);

// A file of lines "KEY infer,control 100/s NAME": key, rights, quota of requests (a second; "-": none), and a name for logs. # begins a
// comment. The file must not be readable by others. Keys are compared in constant time.
// In place of a key "certificate:IDENTITY" is whoever shows that client certificate and no key.
sv_error *sv_keys_open(const char *path, sv_keys **out_keys);
sv_error *sv_keys_reload(sv_keys *keys);
void sv_keys_release(sv_keys *keys);

// All models' and the server's metrics as Prometheus' text.
void sv_service_metrics(sv_service *service, sv_text *out);

// The classification extension: the `count` largest of each row of an output as the protocol's BYTES elements, each a little-endian uint32
// length and "value:index[:label]", by value, ties by lower index. out_dims: [batch,] min(count, elements). INVALID_ARGUMENT for complex
// numbers.
sv_error *sv_classify(const sv_port *port, const sv_tensor *output, bool batched, uint32_t count, sv_text *out,
                      int64_t out_dims[2], uint32_t *out_rank);

#endif
