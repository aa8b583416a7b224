// The sending half of transfers between processes: finds the receiver, waits for the content, writes it, hears the verdict.
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/trace.h"
#include "pjrt/cross_host/cross_host_internal.h"

typedef struct sending {
  mr_pjrt_transfers *transfers;
  mr_buffer *buffer;  // where the host addresses it; keeps the shape, and the hold has the content
  mr_hold *source;
  mr_pjrt_send_target target;
  void (*done)(void *context, mr_status status, bool sent);
  void *context;
} sending;

void mr_pjrt_send_target_release(const mr_pjrt_send_target *target) {
  mr_free(target->key);
  mr_future_release(target->known);
}

static mr_status wait_future(const sending *s, mr_future *future) {
  while (future && !mr_future_wait_until(future, mr_now_ns() + MR_PJRT_POLL_MS * 1000000ull)) {
    MR_TRY(mr_pjrt_transfers_check(s->transfers, s->target.process));
  }
  return MR_OK;
}

// From the store, in steps that notice when the client goes away. What the store answers in time is final, but for its
// clock: JAX's tells DEADLINE_EXCEEDED.
static mr_status get_from_store(const sending *s, char **out_text, size_t *out_size) {
  for (;;) {
    mr_status status = mr_pjrt_key_value_get(s->target.store, s->target.key, 4 * MR_PJRT_POLL_MS, out_text, out_size);
    mr_code code = status ? mr_status_code(status) : 0;
    if (!status || (code != MR_DEADLINE_EXCEEDED && code != MR_NOT_FOUND)) {
      return mr_status_note(status, "transfer %s", s->target.key);
    }
    mr_status_free(status);
    MR_TRY(mr_pjrt_transfers_check(s->transfers, s->target.process));
  }
}

static mr_status find_peer(const sending *s, struct sockaddr_un *out_address, uint8_t *out_token) {
  if (s->target.key) {
    char *text;
    size_t size;
    MR_TRY(get_from_store(s, &text, &size));
    mr_status status = mr_pjrt_descriptor_parse((mr_str){text, size}, out_address, out_token);
    mr_free(text);
    return status;
  }
  MR_TRY(wait_future(s, s->target.known));
  if (s->target.known) {
    MR_TRY(mr_status_retain(mr_future_status(s->target.known)));
  }
  return mr_pjrt_descriptor_parse((mr_str){*s->target.descriptor, *s->target.descriptor_size}, out_address, out_token);
}

// The content, or the error there is instead; *out_sent: the receiver has it.
static mr_status send_over(const sending *s, const mr_pjrt_wire *wire, mr_pjrt_wire_header head,
                           mr_status source_status, bool *out_sent) {
  mr_storage *storage = source_status ? NULL : mr_hold_storage(s->source);
  head.size = storage ? mr_buffer_bytes(s->buffer) : 0;
  mr_status status = mr_pjrt_wire_write_status(wire, head, source_status);
  if (!status && storage) {
    uint64_t start = mr_trace_begin();
    status = mr_pjrt_wire_write(wire, storage->data, head.size);
    mr_trace_end_call(MR_TRACE_TRANSFER, "to another process", MR_NODE_TRANSFER,
                      mr_buffer_memory(s->buffer)->device->id, start);
  }
  // Half of a transfer: the receiver must not wait for the rest, nor this side for its answer.
  if (status) {
    (void)shutdown(wire->fd, SHUT_WR);
  }
  // A receiver that refuses says why, and then closes: its words count more than the broken pipe.
  mr_pjrt_wire_header answer;
  mr_status verdict, heard = mr_pjrt_wire_read_status(wire, &answer, &verdict);
  if (heard) {
    return mr_status_join(status, heard);
  }
  mr_status_free(status);
  *out_sent = verdict == MR_OK;
  return verdict;
}

static mr_status connect_to(const sending *s, const struct sockaddr_un *address, mr_pjrt_wire *out_wire) {
  MR_TRY(mr_pjrt_wire_connect(address, mr_pjrt_transfers_closing(s->transfers), out_wire));
  while (out_wire->fd < 0) {
    mr_pjrt_wire_rest();
    MR_TRY(mr_pjrt_transfers_check(s->transfers, s->target.process));
    MR_TRY(mr_pjrt_wire_connect(address, mr_pjrt_transfers_closing(s->transfers), out_wire));
  }
  return MR_OK;
}

static mr_status send_buffer(const sending *s, bool *out_sent) {
  mr_pjrt_wire_header head = {0};
  struct sockaddr_un address;
  MR_TRY(find_peer(s, &address, head.token));
  mr_future *ready = mr_hold_ready(s->source);
  MR_TRY(wait_future(s, ready));
  mr_pjrt_wire wire;
  MR_TRY(connect_to(s, &address, &wire));
  mr_status status = send_over(s, &wire, head, ready ? mr_future_status(ready) : MR_OK, out_sent);
  close(wire.fd);
  return status;
}

static void sending_release(sending *s) {
  mr_pjrt_send_target_release(&s->target);
  mr_hold_release(s->source);
  mr_buffer_release(s->buffer);
  mr_free(s);
}

static void *send_thread(void *argument) {
  sending *s = argument;
  mr_pjrt_transfers *t = s->transfers;
  bool sent = false;
  mr_status status = send_buffer(s, &sent);
  s->done(s->context, status, sent);
  mr_status_free(status);
  sending_release(s);
  mr_pjrt_transfers_end(t);
  return NULL;
}

mr_status mr_pjrt_transfers_send(mr_pjrt_transfers *t, mr_buffer *buffer, mr_pjrt_send_target take_target,
                                 void (*done)(void *context, mr_status status, bool sent), void *context) {
  sending *s = mr_alloc_zeroed(1, sizeof *s);
  if (s == NULL) {
    mr_pjrt_send_target_release(&take_target);
    return MR_NO_MEMORY();
  }
  *s = (sending){.transfers = t, .target = take_target, .done = done, .context = context};
  mr_status status = mr_buffer_on_host(buffer, &s->buffer);
  if (!status) {
    status = mr_buffer_hold(s->buffer, false, &s->source);
  }
  if (!status && !mr_pjrt_transfers_start(t, send_thread, s)) {
    status = mr_error(MR_RESOURCE_EXHAUSTED, "no thread for a transfer between processes");
  }
  if (status) {
    sending_release(s);
  }
  return status;
}
