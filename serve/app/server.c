// The server as a whole.
//
// Threads: one loop accepts connections and hands them out in turn, the others speak with clients. main() waits for signals. The repository, the access
// log and the engine have threads of their own.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "serve/app/server.h"
#include "serve/app/systemd.h"
#include "serve/grpc/grpc.h"
#include "serve/http/http.h"
#include "serve/net/listener.h"
#include "serve/rest/rest.h"
#include "serve/service/regions.h"

static const uint64_t SECOND_NS = 1000000000;
// What was cut off at the end of the drain is waited for so long: an execution that is not over by then may never be.
static const int LAST_WAIT_MS = 10000;

typedef struct loop {
  sv_loop *loop;
  sv_http_connections *http;
  sv_h2_connections *h2;
  struct sv_server *server;
  size_t left;  // connections, as last counted
} loop;

struct sv_server {
  const sv_options *options;
  sv_service service;
  sv_rest *rest;
  sv_grpc *grpc;
  sv_tls *tls;
  sv_access_log *log;
  sv_http_limits http_limits;
  sv_h2_limits h2_limits;
  sv_http_server http_server;
  sv_h2_server h2_server;
  sv_loop *door;  // accepts
  sv_listener *listeners[SV_MOST_PLACES * 2];
  uint32_t num_listeners;
  loop *loops;
  uint32_t num_loops, next_loop;  // next_loop: the door's thread
  _Atomic(bool) closing;
  _Atomic(bool) is_full;  // the doors are shut until somebody goes
  sv_task open_again;
  _Atomic(bool) open_again_waits;
};

// ---- Tasks that somebody waits for ----------------------------------------------------------------------------------

typedef struct errand {
  sv_task task;
  void (*run)(void *argument);
  void *argument;
  _Atomic(bool) done;
} errand;

static void run_errand(sv_task *task) {
  errand *e = (errand *)task;
  e->run(e->argument);
  atomic_store_explicit(&e->done, true, memory_order_release);  // pairs with the load below
}

// Runs it on the loop's thread, and waits.
static void on_loop(sv_loop *where, void (*run)(void *argument), void *argument) {
  errand e = {.task = {.run = run_errand}, .run = run, .argument = argument};
  sv_loop_post(where, &e.task);
  while (!atomic_load_explicit(&e.done, memory_order_acquire)) {
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
  }
}

// ---- Connections ----------------------------------------------------------------------------------------------------

typedef struct arrival {
  sv_task task;
  loop *loop;
  int descriptor;
  bool is_secure;
} arrival;

static void arrive(sv_task *task) {
  arrival *a = (arrival *)task;
  sv_http_accept(a->loop->http, a->descriptor, a->is_secure ? a->loop->server->tls : NULL);
  free(a);
}

static void shut_doors(sv_server *server, bool shut) {
  atomic_store_explicit(&server->is_full, shut, memory_order_relaxed);  // the next one who goes looks at it
  for (uint32_t i = 0; i < server->num_listeners; i++) {
    sv_listener_pause(server->listeners[i], shut);
  }
}

static void open_again(sv_task *task) {
  sv_server *server = (sv_server *)((char *)task - offsetof(sv_server, open_again));
  atomic_store_explicit(&server->open_again_waits, false, memory_order_relaxed);
  shut_doors(server, false);
}

static void accepted(sv_server *server, int take_descriptor, bool is_secure) {
  loop *where = &server->loops[server->next_loop++ % server->num_loops];
  arrival *a = malloc(sizeof *a);
  if (!a) {
    close(take_descriptor);
    return;
  }
  *a = (arrival){{NULL, arrive}, where, take_descriptor, is_secure};
  atomic_fetch_add_explicit(&server->service.connections_all, 1, memory_order_relaxed);  // a counter
  uint64_t now = atomic_fetch_add_explicit(&server->service.connections, 1, memory_order_relaxed) + 1;
  sv_loop_post(where->loop, &a->task);
  if (now >= server->options->connections) {
    atomic_fetch_add_explicit(&server->service.refused_connections, 1, memory_order_relaxed);
    shut_doors(server, true);
  }
}

static void accepted_plain(void *self, int take_descriptor) { accepted(self, take_descriptor, false); }
static void accepted_secure(void *self, int take_descriptor) { accepted(self, take_descriptor, true); }

static void connection_closed(void *self) {
  sv_server *server = self;
  uint64_t left = atomic_fetch_sub_explicit(&server->service.connections, 1, memory_order_relaxed) - 1;
  if (atomic_load_explicit(&server->is_full, memory_order_relaxed) && left < server->options->connections &&
      !atomic_exchange_explicit(&server->open_again_waits, true, memory_order_relaxed)) {
    sv_loop_post(server->door, &server->open_again);
  }
}

static void speaks_http2(void *self, sv_stream *take_stream, sv_str first_bytes) {
  sv_server *server = self;
  for (uint32_t i = 0; i < server->num_loops; i++) {
    if (server->loops[i].loop == sv_stream_loop(take_stream)) {
      sv_h2_accept(server->loops[i].h2, take_stream, first_bytes);
      return;
    }
  }
}

// ---- Beginning ------------------------------------------------------------------------------------------------------

static sv_error *start_loops(sv_server *server) {
  server->num_loops = (uint32_t)server->options->loops;
  server->loops = calloc(server->num_loops, sizeof *server->loops);
  if (!server->loops) {
    return sv_no_memory();
  }
  SV_TRY(sv_loop_create("serve-door", &server->door));
  for (uint32_t i = 0; i < server->num_loops; i++) {
    loop *l = &server->loops[i];
    char name[24];
    snprintf(name, sizeof name, "serve-%u", i);
    l->server = server;
    SV_TRY(sv_loop_create(name, &l->loop));
    l->http = sv_http_connections_create(l->loop, &server->http_server);
    l->h2 = sv_h2_connections_create(l->loop, &server->h2_server);
    if (!l->http || !l->h2) {
      return sv_no_memory();
    }
  }
  return NULL;
}

static sv_error *listen_at(sv_server *server, const char *place) {
  const bool is_secure = server->tls && !sv_str_begins(sv_str_of(place), "unix:");
  sv_listener **out = &server->listeners[server->num_listeners];
  SV_TRY(sv_listener_create(server->door, place, is_secure ? accepted_secure : accepted_plain, server, out));
  server->num_listeners++;
  fprintf(stderr, "millrace serve: listening on %s%s\n", sv_listener_place(*out), is_secure ? " (TLS)" : "");
  return NULL;
}

static sv_error *open_doors(sv_server *server) {
  uint32_t sockets = sv_systemd_sockets();
  for (uint32_t i = 0; i < sockets && i < SV_MOST_PLACES; i++) {
    char place[16];
    snprintf(place, sizeof place, "fd:%u", 3 + i);
    SV_TRY(listen_at(server, place));
  }
  for (uint32_t i = 0; !sockets && i < server->options->num_places; i++) {
    SV_TRY(listen_at(server, server->options->places[i]));
  }
  return NULL;
}

static void loaded(void *self) {
  sv_server *server = self;
  fprintf(stderr, "millrace serve: %s\n",
          sv_service_is_ready(&server->service) ? "ready" : "some models could not be loaded");
  sv_index_entry *entries;
  size_t count;
  sv_error *error = sv_repository_index(server->service.repository, &entries, &count);
  for (size_t i = 0; !error && i < count; i++) {
    if (entries[i].state != SV_STATE_READY && entries[i].reason[0]) {
      fprintf(stderr, "millrace serve: model '%s' version %llu: %s\n", entries[i].name,
              (unsigned long long)entries[i].version, entries[i].reason);
    }
  }
  if (!error) {
    sv_index_free(entries, count);
  }
  sv_error_free(error);
  sv_systemd_tell("READY=1");
}

static void set_limits(sv_server *server) {
  const sv_options *o = server->options;
  sv_service *s = &server->service;
  server->http_limits = (sv_http_limits){.body_bytes = o->body_bytes,
                                         .header_timeout_ns = o->header_timeout_s * SECOND_NS,
                                         .idle_timeout_ns = o->idle_timeout_s * SECOND_NS,
                                         .stall_timeout_ns = o->stall_timeout_s * SECOND_NS,
                                         .bytes_in_flight = &s->bytes_in_flight,
                                         .most_bytes_in_flight = o->bytes_in_flight};
  server->h2_limits = (sv_h2_limits){.message_bytes = o->body_bytes,
                                     .streams = (uint32_t)o->streams,
                                     .window = 1 << 20,
                                     .idle_timeout_ns = o->idle_timeout_s * SECOND_NS,
                                     .stall_timeout_ns = o->stall_timeout_s * SECOND_NS,
                                     .bytes_in_flight = &s->bytes_in_flight,
                                     .most_bytes_in_flight = o->bytes_in_flight};
  server->http_server = (sv_http_server){.service = sv_rest_service(server->rest),
                                         .limits = &server->http_limits,
                                         .log = server->log,
                                         .draining = &server->closing,
                                         .http2 = speaks_http2,
                                         .http2_self = server,
                                         .closed = connection_closed,
                                         .closed_self = server};
  server->h2_server = (sv_h2_server){.service = sv_grpc_service(server->grpc),
                                     .limits = &server->h2_limits,
                                     .log = server->log,
                                     .draining = &server->closing,
                                     .closed = connection_closed,
                                     .closed_self = server};
}

static sv_error *make_service(sv_server *server) {
  const sv_options *o = server->options;
  sv_service *s = &server->service;
  *s = (sv_service){.name = "millrace",
                    .version = SV_VERSION,
                    .control = o->control || o->control_is_open,
                    .control_is_open = o->control_is_open,
                    .body_bytes = o->body_bytes,
                    .begin_ns = sv_now_ns()};
  if (o->keys_path) {
    SV_TRY(sv_keys_open(o->keys_path, &s->keys));
  }
  if (o->shared_memory) {
    s->regions = sv_regions_create();
    if (!s->regions) {
      return sv_no_memory();
    }
  }
  sv_engine_options engine = {.executions = (uint32_t)o->executions, .max_queue_size = (uint32_t)o->queue};
  SV_TRY(sv_engine_create(&engine, &s->engine));
  sv_repository_options repository = {.roots = o->roots,
                                      .num_roots = o->num_roots,
                                      .watch = o->watch,
                                      .names = o->num_names ? o->names : NULL,
                                      .num_names = o->num_names,
                                      .none = o->none};
  return sv_repository_create(s->engine, &repository, &s->repository);
}

static sv_error *start(sv_server *server) {
  const sv_options *o = server->options;
  if (o->certificate_path) {
    SV_TRY(sv_tls_create(o->certificate_path, o->key_path, o->client_ca_path, &server->tls));
  }
  if (o->access_path) {
    SV_TRY(sv_access_open(o->access_path, (uint32_t)o->access_sample, &server->log));
  }
  SV_TRY(make_service(server));
  server->rest = sv_rest_create(&server->service);
  server->grpc = sv_grpc_create(&server->service);
  if (!server->rest || !server->grpc) {
    return sv_no_memory();
  }
  set_limits(server);
  SV_TRY(start_loops(server));
  SV_TRY(open_doors(server));
  sv_repository_start(server->service.repository, loaded, server);
  return NULL;
}

sv_error *sv_server_start(const sv_options *options, sv_server **out_server) {
  *out_server = NULL;
  sv_server *server = calloc(1, sizeof *server);
  if (!server) {
    return sv_no_memory();
  }
  server->options = options;
  server->open_again.run = open_again;
  sv_error *error = start(server);
  if (error) {
    sv_server_release(server);
    return error;
  }
  *out_server = server;
  return NULL;
}

static void complain(sv_error *take_error) {
  if (take_error) {
    fprintf(stderr, "millrace serve: %s\n", sv_error_message(take_error));
    sv_error_free(take_error);
  }
}

void sv_server_reload(sv_server *server) {
  sv_systemd_tell("RELOADING=1");
  sv_access_reopen(server->log);
  complain(server->service.keys ? sv_keys_reload(server->service.keys) : NULL);
  complain(server->tls ? sv_tls_reload(server->tls) : NULL);
  sv_repository_rescan(server->service.repository);
  sv_systemd_tell("READY=1");
}

// ---- The end --------------------------------------------------------------------------------------------------------

void sv_server_begin_end(sv_server *server) {
  sv_systemd_tell("STOPPING=1");
  atomic_store_explicit(&server->service.draining, true, memory_order_relaxed);  // whoever asks next sees it
}

static void close_listeners(void *self) {
  sv_server *server = self;
  for (uint32_t i = 0; i < server->num_listeners; i++) {
    sv_listener_release(server->listeners[i]);
  }
  server->num_listeners = 0;
}

// Who has connected before the end is answered, not reset.
static void accept_rest(void *self) {
  sv_server *server = self;
  for (uint32_t i = 0; i < server->num_listeners; i++) {
    sv_listener_accept_rest(server->listeners[i]);
  }
  close_listeners(self);
}

static void drain_loop(void *self) {
  loop *l = self;
  sv_http_drain(l->http);
  sv_h2_drain(l->h2);
}

void sv_server_close_doors(sv_server *server) {
  on_loop(server->door, accept_rest, server);
  atomic_store_explicit(&server->closing, true, memory_order_relaxed);  // loops see it with the errand that follows
  for (uint32_t i = 0; i < server->num_loops; i++) {
    on_loop(server->loops[i].loop, drain_loop, &server->loops[i]);
  }
}

bool sv_server_is_idle(const sv_server *server) {
  return atomic_load_explicit(&server->service.connections, memory_order_relaxed) == 0;  // looked at again and again
}

static void cut_off(void *self) {
  loop *l = self;
  sv_http_close_all(l->http);
  sv_h2_close_all(l->h2);
}

static void release_connections(void *self) {
  loop *l = self;
  if (l->http) {
    sv_http_connections_release(l->http);
  }
  if (l->h2) {
    sv_h2_connections_release(l->h2);
  }
}

static bool is_there(const loop *l) { return l->loop && l->http && l->h2; }

static void count_connections(void *self) {
  loop *l = self;
  l->left = sv_http_connection_count(l->http) + sv_h2_connection_count(l->h2);
}

// Also connections that are gone, as long as a request of theirs is in work.
static bool has_connections(sv_server *server) {
  size_t left = 0;
  for (uint32_t i = 0; server->loops && i < server->num_loops; i++) {
    if (is_there(&server->loops[i])) {
      on_loop(server->loops[i].loop, count_connections, &server->loops[i]);
      left += server->loops[i].left;
    }
  }
  return left > 0;
}

// Cuts off whoever is connected, and lets the models go: requests and loads that are answered yet are answered on loops.
static void end_work(sv_server *server) {
  for (uint32_t i = 0; server->loops && i < server->num_loops; i++) {
    if (is_there(&server->loops[i])) {
      on_loop(server->loops[i].loop, cut_off, &server->loops[i]);
    }
  }
  for (int ms = 0; has_connections(server); ms++) {
    if (ms == LAST_WAIT_MS) {
      fprintf(stderr, "millrace serve: ended while a model was still executing\n");
      _exit(0);
    }
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  if (server->service.repository) {
    sv_repository_release(server->service.repository, sv_now_ns() + 5 * SECOND_NS);
  }
}

static void stop_loops(sv_server *server) {
  for (uint32_t i = 0; server->loops && i < server->num_loops; i++) {
    if (server->loops[i].loop) {
      on_loop(server->loops[i].loop, release_connections, &server->loops[i]);
      sv_loop_release(server->loops[i].loop);
    }
  }
  if (server->door) {
    on_loop(server->door, close_listeners, server);
    sv_loop_release(server->door);
  }
}

void sv_server_release(sv_server *server) {
  if (!server) {
    return;
  }
  end_work(server);
  stop_loops(server);
  sv_engine_release(server->service.engine);
  sv_rest_release(server->rest);
  sv_grpc_release(server->grpc);
  if (server->service.regions) {
    sv_regions_release(server->service.regions);
  }
  if (server->service.keys) {
    sv_keys_release(server->service.keys);
  }
  if (server->tls) {
    sv_tls_release(server->tls);
  }
  if (server->log) {
    sv_access_close(server->log);
  }
  free(server->loops);
  free(server);
}
