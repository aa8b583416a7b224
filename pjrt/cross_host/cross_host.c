// Transfers between processes: a listening socket for each client that receives, a thread for each transfer.
#include "core/signals.h"
#include "pjrt/cross_host/cross_host_internal.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/census.h"
#include "core/fork.h"
#include "core/trace.h"
enum { THREAD_STACK = 256 << 10 };

typedef struct receive {
  uint8_t token[MR_PJRT_TOKEN_SIZE];
  mr_buffer *target;
  mr_hold *producer;  // on the target: it can be defined also after the host deleted it
  mr_future *ready;
  mr_memory *memory;
  size_t bytes;
  int process;
  struct receive *next;
} receive;

// A process that the host says is gone, and why.
typedef struct loss {
  int process;
  mr_status why;
  struct loss *next;
} loss;

struct mr_pjrt_transfers {
  pthread_mutex_t lock;
  pthread_cond_t ended;  // a thread has
  receive *pending;      // under lock
  loss *losses;          // under lock
  uint32_t threads;      // under lock: of transfers, under way
  bool listening;        // under lock; the acceptor runs
  int socket, wake;      // -1: none
  struct sockaddr_un address;
  pthread_t acceptor;
  // relaxed: looked at again and again; what it guards is under lock.
  _Atomic(bool) closing;
  mr_pjrt_transfers *next;  // in the process's list
};

MR_FORK_LOCK(list_lock);
static mr_pjrt_transfers *all_transfers;  // under list_lock

const _Atomic(bool) *mr_pjrt_transfers_closing(const mr_pjrt_transfers *t) { return &t->closing; }
static bool is_closing(const mr_pjrt_transfers *t) { return atomic_load_explicit(&t->closing, memory_order_relaxed); }

// ---- Threads --------------------------------------------------------------------------------------------------------

// Signals are for the program's own threads.
static int create_thread(pthread_t *out_thread, const pthread_attr_t *attributes, void *(*run)(void *),
                         void *argument) {
  sigset_t before;
  mr_signals_leave_to_others(&before);
  int failed = pthread_create(out_thread, attributes, run, argument);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failed;
}

static bool create_detached(void *(*run)(void *), void *argument) {
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0) {
    return false;
  }
  // A program with much thread-local storage needs more than this, and gets what the system gives by default.
  pthread_attr_setstacksize(&attributes, THREAD_STACK);
  int failed = create_thread(&thread, &attributes, run, argument);
  pthread_attr_destroy(&attributes);
  if (failed == EINVAL) {
    failed = create_thread(&thread, NULL, run, argument);
  }
  if (!failed) {
    pthread_detach(thread);
  }
  return !failed;
}

bool mr_pjrt_transfers_start(mr_pjrt_transfers *t, void *(*run)(void *), void *argument) {
  pthread_mutex_lock(&t->lock);
  bool made = create_detached(run, argument);
  t->threads += made;
  pthread_mutex_unlock(&t->lock);
  return made;
}

void mr_pjrt_transfers_end(mr_pjrt_transfers *t) {
  pthread_mutex_lock(&t->lock);
  t->threads--;
  pthread_cond_broadcast(&t->ended);
  pthread_mutex_unlock(&t->lock);
}

// ---- Processes that are gone ----------------------------------------------------------------------------------------

// With the lock held; NULL: as far as we know it is there.
static loss **find_loss(mr_pjrt_transfers *t, int process) {
  loss **at = &t->losses;
  while (*at && (*at)->process != process) {
    at = &(*at)->next;
  }
  return at;
}

static mr_status lost_status_locked(mr_pjrt_transfers *t, int process) {
  const loss *found = *find_loss(t, process);
  return found ? mr_status_retain(found->why) : MR_OK;
}

mr_status mr_pjrt_transfers_check(mr_pjrt_transfers *t, int process) {
  if (is_closing(t)) {
    return mr_pjrt_wire_closed();
  }
  pthread_mutex_lock(&t->lock);
  mr_status status = lost_status_locked(t, process);
  pthread_mutex_unlock(&t->lock);
  return status;
}

static void close_sockets(mr_pjrt_transfers *t) {
  if (t->socket >= 0) {
    close(t->socket);
  }
  if (t->wake >= 0) {
    close(t->wake);
  }
  t->socket = t->wake = -1;
}

// ---- Receiving ------------------------------------------------------------------------------------------------------

// With its content, or with an error; consumes the receive.
static void receive_finish(receive *r, mr_storage *take_storage, mr_status take_status) {
  if (take_storage) {
    mr_buffer_define(r->target, take_storage);
  }
  // Before the future is set: who is waiting to donate the target should find itself alone.
  mr_future *ready = r->ready;
  mr_hold_release(r->producer);
  mr_buffer_release(r->target);
  mr_census_add(MR_CENSUS_transfers, -1);
  mr_free(r);
  mr_future_set(ready, take_status);
  mr_future_release(ready);
}

static receive *take_receive(mr_pjrt_transfers *t, const uint8_t *token) {
  pthread_mutex_lock(&t->lock);
  receive **at = &t->pending;
  while (*at && memcmp((*at)->token, token, MR_PJRT_TOKEN_SIZE) != 0) {
    at = &(*at)->next;
  }
  receive *found = *at;
  if (found) {
    *at = found->next;
  }
  pthread_mutex_unlock(&t->lock);
  return found;
}

static mr_status read_content(const mr_pjrt_wire *wire, const receive *r, size_t size, mr_storage **out_storage) {
  if (size != r->bytes) {
    return mr_error(MR_INVALID_ARGUMENT, "a transfer of %zu bytes into a buffer of %zu", size, r->bytes);
  }
  MR_TRY(mr_storage_allocate(r->memory, r->bytes, out_storage));
  uint64_t start = mr_trace_begin();
  mr_status status = mr_pjrt_wire_read(wire, (*out_storage)->data, size);
  mr_trace_end_call(MR_TRACE_TRANSFER, "from another process", MR_NODE_TRANSFER, r->memory->device->id, start);
  if (status) {
    mr_storage_release(*out_storage);
    *out_storage = NULL;
  }
  return status;
}

typedef struct connection {
  mr_pjrt_transfers *transfers;
  mr_pjrt_wire wire;
} connection;

static void serve(mr_pjrt_transfers *t, const mr_pjrt_wire *wire) {
  mr_pjrt_wire_header head;
  mr_status theirs, status = mr_pjrt_wire_read_status(wire, &head, &theirs);
  receive *r = status ? NULL : take_receive(t, head.token);
  if (r == NULL) {
    if (!status) {
      mr_status_free(theirs);
      status = mr_error(MR_NOT_FOUND, "nobody waits for this transfer: it was canceled, or sent before");
    }
    mr_status_free(mr_pjrt_wire_write_status(wire, (mr_pjrt_wire_header){0}, status));
    mr_status_free(status);
    return;
  }
  mr_storage *storage = NULL;
  status = theirs ? theirs : read_content(wire, r, head.size, &storage);
  mr_status_free(mr_pjrt_wire_write_status(wire, (mr_pjrt_wire_header){0}, status));
  receive_finish(r, storage, status);
}

static void *serve_thread(void *argument) {
  connection self = *(connection *)argument;
  mr_free(argument);
  serve(self.transfers, &self.wire);
  close(self.wire.fd);
  mr_pjrt_transfers_end(self.transfers);
  return NULL;
}

// Without a thread of its own the transfer takes the acceptor's: the others wait, but it arrives.
static void serve_soon(mr_pjrt_transfers *t, mr_pjrt_wire wire) {
  connection *self = mr_alloc(sizeof *self);
  if (self) {
    *self = (connection){t, wire};
    if (mr_pjrt_transfers_start(t, serve_thread, self)) {
      return;
    }
    mr_free(self);
  }
  serve(t, &wire);
  close(wire.fd);
}

// False: there is a connection that cannot be taken, for want of descriptors or memory. It stays where it is.
static bool accept_one(mr_pjrt_transfers *t) {
  int fd = accept4(t->socket, NULL, NULL, SOCK_CLOEXEC);
  if (fd < 0) {
    return errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
  }
  // Only processes of the same user are listened to.
  mr_pjrt_wire wire = mr_pjrt_wire_over(fd, &t->closing);
  if (wire.same_user) {
    serve_soon(t, wire);
  } else {
    close(fd);  // the sender sees that
  }
  return true;
}

static void receives_fail(receive *list, mr_status status) {
  while (list) {
    receive *r = list;
    list = r->next;
    receive_finish(r, NULL, mr_status_retain(status));
  }
}

// Closing the socket tells those who are in its queue. The next receive listens again, at another name. This thread is one
// that nobody joins then; false: the client is going away, and joins it.
static bool stop_accepting(mr_pjrt_transfers *t, int error) {
  receive *pending = NULL;
  pthread_mutex_lock(&t->lock);
  bool stops = !is_closing(t);
  if (stops) {
    pthread_detach(t->acceptor);
    t->listening = false;
    t->threads++;
    pending = t->pending;
    t->pending = NULL;
    close_sockets(t);
  }
  pthread_mutex_unlock(&t->lock);
  mr_status why = mr_error(MR_RESOURCE_EXHAUSTED, "connections for transfers between processes cannot be taken: %s",
                           strerror(error));
  receives_fail(pending, why);
  mr_status_free(why);
  if (stops) {
    mr_pjrt_transfers_end(t);
  }
  return stops;
}

// What went wrong, or 0.
static int accept_next(mr_pjrt_transfers *t) {
  struct pollfd pollers[] = {{.fd = t->socket, .events = POLLIN}, {.fd = t->wake, .events = POLLIN}};
  int ready = poll(pollers, 2, -1);
  if (ready < 0) {
    return errno == EINTR ? 0 : errno;
  }
  return pollers[0].revents && !accept_one(t) ? errno : 0;
}

static void *accept_thread(void *argument) {
  mr_pjrt_transfers *t = argument;
  for (int rests = 0; !is_closing(t);) {
    int error = accept_next(t);
    if (!error) {
      rests = 0;
    } else if (rests++ < MR_PJRT_PATIENCE) {
      mr_pjrt_wire_rest();  // what could not be taken would wake poll() again at once
    } else if (stop_accepting(t, error)) {
      break;
    }
  }
  return NULL;
}

// With the lock held. All of it, or nothing: the next receive tries again.
static mr_status listen_locked(mr_pjrt_transfers *t) {
  if (t->listening) {
    return MR_OK;
  }
  t->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  mr_status status = t->wake < 0 ? mr_pjrt_wire_system_error("a socket for transfers between processes") : MR_OK;
  status = status ? status : mr_pjrt_wire_listen(&t->address, &t->socket);
  if (!status && create_thread(&t->acceptor, NULL, accept_thread, t) != 0) {
    status = mr_error(MR_RESOURCE_EXHAUSTED, "no thread for transfers between processes");
  }
  t->listening = !status;
  if (status) {
    close_sockets(t);
  }
  return status;
}

static mr_status receive_init(receive *r, mr_memory *memory, const mr_pjrt_receive_shape *shape) {
  r->memory = memory;
  MR_TRY(mr_dims_bytes(shape->dtype, shape->dims, shape->rank, &r->bytes));
  MR_TRY(mr_pjrt_random(r->token, MR_PJRT_TOKEN_SIZE));
  MR_TRY(mr_future_create(&r->ready));
  MR_TRY(
      mr_buffer_create(memory, shape->dtype, shape->dims, shape->rank, NULL, mr_future_retain(r->ready), &r->target));
  return mr_buffer_hold(r->target, false, &r->producer);
}

mr_status mr_pjrt_transfers_receive(mr_pjrt_transfers *t, mr_memory *memory, const mr_pjrt_receive_shape *shape,
                                    int process, char *out_descriptor, mr_buffer **out_buffer) {
  *out_buffer = NULL;
  receive *r = mr_alloc_zeroed(1, sizeof *r);
  if (r == NULL) {
    return MR_NO_MEMORY();
  }
  mr_status status = receive_init(r, memory, shape);
  r->process = process;
  pthread_mutex_lock(&t->lock);
  status = status ? status : lost_status_locked(t, process);
  status = status ? status : listen_locked(t);
  if (!status) {
    mr_pjrt_descriptor_print(&t->address, r->token, out_descriptor);
    *out_buffer = mr_buffer_retain(r->target);
    mr_census_add(MR_CENSUS_transfers, 1);
    r->next = t->pending;
    t->pending = r;
  }
  pthread_mutex_unlock(&t->lock);
  if (status) {
    mr_buffer_release(r->target);
    mr_hold_release(r->producer);
    mr_future_release(r->ready);
    mr_free(r);
  }
  return status;
}

static receive *take_receives_locked(mr_pjrt_transfers *t, int process) {
  receive *taken = NULL, **at = &t->pending;
  while (*at) {
    receive *r = *at;
    if (r->process == process) {
      *at = r->next;
      r->next = taken;
      taken = r;
    } else {
      at = &r->next;
    }
  }
  return taken;
}

mr_status mr_pjrt_transfers_lose(mr_pjrt_transfers *t, int process, mr_status why) {
  loss *fresh = mr_alloc(sizeof *fresh);
  if (fresh == NULL) {
    return MR_NO_MEMORY();
  }
  pthread_mutex_lock(&t->lock);
  if (*find_loss(t, process) == NULL) {
    *fresh = (loss){process, mr_status_retain(why), t->losses};
    t->losses = fresh;
    fresh = NULL;
  }
  receive *failed = take_receives_locked(t, process);
  pthread_mutex_unlock(&t->lock);
  mr_free(fresh);
  receives_fail(failed, why);
  return MR_OK;
}

void mr_pjrt_transfers_regain(mr_pjrt_transfers *t, int process) {
  pthread_mutex_lock(&t->lock);
  loss **at = find_loss(t, process), *found = *at;
  if (found) {
    *at = found->next;
  }
  pthread_mutex_unlock(&t->lock);
  if (found) {
    mr_status_free(found->why);
    mr_free(found);
  }
}

mr_status mr_pjrt_transfers_cancel(mr_str descriptor, mr_status take_status) {
  struct sockaddr_un address;
  uint8_t token[MR_PJRT_TOKEN_SIZE];
  receive *r = NULL;
  mr_status status = mr_pjrt_descriptor_parse(descriptor, &address, token);
  pthread_mutex_lock(&list_lock);
  for (mr_pjrt_transfers *t = all_transfers; !status && t && !r; t = t->next) {
    r = take_receive(t, token);
  }
  pthread_mutex_unlock(&list_lock);
  if (r) {
    receive_finish(r, NULL, take_status);
    return status;
  }
  mr_status_free(take_status);
  return status ? status : mr_error(MR_NOT_FOUND, "no transfer with this descriptor is pending");
}

// ---- Lifecycle ------------------------------------------------------------------------------------------------------

mr_status mr_pjrt_transfers_create(mr_pjrt_transfers **out_transfers) {
  mr_pjrt_transfers *t = mr_alloc_zeroed(1, sizeof *t);
  *out_transfers = t;
  if (t == NULL) {
    return MR_NO_MEMORY();
  }
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->ended, NULL);
  t->socket = t->wake = -1;
  pthread_mutex_lock(&list_lock);
  t->next = all_transfers;
  all_transfers = t;
  pthread_mutex_unlock(&list_lock);
  return MR_OK;
}

static void leave_list(mr_pjrt_transfers *t) {
  pthread_mutex_lock(&list_lock);
  mr_pjrt_transfers **at = &all_transfers;
  while (*at != t) {
    at = &(*at)->next;
  }
  *at = t->next;
  pthread_mutex_unlock(&list_lock);
}

static void stop_listening(mr_pjrt_transfers *t) {
  pthread_mutex_lock(&t->lock);
  bool listening = t->listening;
  pthread_mutex_unlock(&t->lock);
  if (listening) {
    ssize_t woken = write(t->wake, &(uint64_t){1}, sizeof(uint64_t));
    (void)woken;  // an eventfd takes it
    pthread_join(t->acceptor, NULL);
  }
  close_sockets(t);
}

void mr_pjrt_transfers_destroy(mr_pjrt_transfers *t) {
  if (t == NULL) {
    return;
  }
  atomic_store_explicit(&t->closing, true, memory_order_relaxed);  // relaxed: see is_closing()
  leave_list(t);
  stop_listening(t);
  pthread_mutex_lock(&t->lock);
  while (t->threads > 0) {
    pthread_cond_wait(&t->ended, &t->lock);
  }
  pthread_mutex_unlock(&t->lock);
  mr_status why = mr_error(MR_CANCELLED, "the client was destroyed before anybody sent this buffer");
  receives_fail(t->pending, why);
  mr_status_free(why);
  while (t->losses) {
    mr_pjrt_transfers_regain(t, t->losses->process);
  }
  pthread_cond_destroy(&t->ended);
  pthread_mutex_destroy(&t->lock);
  mr_free(t);
}
