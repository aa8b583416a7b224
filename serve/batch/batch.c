// One execution: rows of requests put side by side, run, and taken apart again.
#include <stdlib.h>
#include <string.h>

#include "serve/batch/internal.h"

void sv_batch_destroy(sv_batch *batch) {
  if (batch) {
    sv_block_release(batch->block);
    free(batch);
  }
}

static sv_batch *create(sv_bucket *bucket) {
  const sv_signature *s = &bucket->version->signature;
  size_t buffers = (s->num_inputs + s->num_outputs) * sizeof(millrace_buffer *);
  sv_batch *batch = calloc(1, sizeof *batch + buffers + s->num_outputs * sizeof(millrace_destination));
  sv_block *block = sv_block_create(bucket->memory);
  if (!batch || !block) {
    free(batch);
    sv_block_release(block);
    return NULL;
  }
  batch->bucket = bucket;
  batch->block = block;
  batch->destinations = (millrace_destination *)(batch + 1);
  batch->buffers = (millrace_buffer **)(batch->destinations + s->num_outputs);
  batch->results = batch->buffers + s->num_inputs;
  for (uint32_t i = 0; i < s->num_outputs; i++) {
    batch->destinations[i] =
        (millrace_destination){.data = block->data + bucket->output_at[i], .size = bucket->outputs[i].bytes};
  }
  return batch;
}

sv_batch *sv_batch_take(sv_bucket *bucket) {
  sv_batch *batch = bucket->kept;
  if (batch) {
    bucket->kept = batch->next;
    bucket->num_kept--;
  } else {
    batch = create(bucket);
  }
  if (batch) {
    batch->next = NULL;
    batch->version = sv_version_retain(bucket->version);
    atomic_store_explicit(&batch->references, 1, memory_order_relaxed);  // nobody else has it yet
  }
  return batch;
}

void sv_batch_release(sv_batch *batch) {
  // acq_rel: what others read of its memory is over before it is used again.
  if (!batch || atomic_fetch_sub_explicit(&batch->references, 1, memory_order_acq_rel) != 1) {
    return;
  }
  sv_version *version = batch->version;
  sv_bucket *bucket = batch->bucket;
  batch->members = NULL;
  pthread_mutex_lock(&version->lock);
  // A block that somebody else holds may still be read.
  bool keeps = bucket->num_kept < SV_KEPT_BATCHES &&
               atomic_load_explicit(&batch->block->references, memory_order_acquire) == 1;  // pairs with its release
  if (keeps) {
    batch->next = bucket->kept;
    bucket->kept = batch;
    bucket->num_kept++;
  }
  pthread_mutex_unlock(&version->lock);
  if (!keeps) {
    sv_batch_destroy(batch);
  }
  sv_version_release(version);
}

static void retain(sv_batch *batch) {
  atomic_fetch_add_explicit(&batch->references, 1, memory_order_relaxed);  // whoever retains has one
}

// ---- In -------------------------------------------------------------------------------------------------------------

static void batch_unused(void *argument) { sv_batch_release(argument); }
static void block_unused(void *argument) { sv_block_release(argument); }

// A lone request that fills the batch, and whose memory the engine can use, and may keep as long as it likes.
static bool lies_well(const sv_batch *batch, uint32_t i) {
  const sv_member *only = batch->members;
  if (batch->num_members != 1 || batch->rows != batch->bucket->rows || !only->request.inputs_block) {
    return false;
  }
  const sv_tensor *input = &only->request.inputs[i];
  const sv_version *version = batch->version;
  return input->bytes >= SV_COPY_BYTES && (uintptr_t)input->data % SV_ALIGNMENT == 0 &&
         !millrace_model_input(version->model, version->input_order[i]).donated;
}

// Rows side by side; behind them the first row again, which is as valid as the request that brought it. Zeros when nobody takes part (warm-up).
static void gather(sv_batch *batch, uint32_t i) {
  const sv_tensor *whole = &batch->bucket->inputs[i];
  unsigned char *to = batch->block->data + batch->bucket->input_at[i], *at = to, *end = to + whole->bytes;
  for (const sv_member *member = batch->members; member; member = member->next) {
    const sv_tensor *part = &member->request.inputs[i];
    if (part->bytes) {
      memcpy(at, part->data, part->bytes);
    }
    at += part->bytes;
  }
  size_t row = batch->bucket->rows ? whole->bytes / batch->bucket->rows : whole->bytes;
  if (at == to) {
    memset(to, 0, whole->bytes);
    return;
  }
  for (; row && at < end; at += row) {
    memcpy(at, to, row);
  }
}

static sv_error *wrap(sv_batch *batch, uint32_t i) {
  sv_version *version = batch->version;
  const sv_tensor *whole = &batch->bucket->inputs[i];
  millrace_array array = {.data = batch->block->data + batch->bucket->input_at[i],
                          .dtype = whole->dtype,
                          .dims = whole->dims,
                          .rank = whole->rank};
  millrace_buffer **out = &batch->buffers[version->input_order[i]];
  if (batch->members && lies_well(batch, i)) {
    array.data = batch->members->request.inputs[i].data;
    sv_block *block = sv_block_retain(batch->members->request.inputs_block);
    millrace_error *error = millrace_buffer_wrap(version->device, &array, block_unused, block, out);
    if (error) {
      sv_block_release(block);
    }
    return sv_error_of(error);
  }
  gather(batch, i);
  retain(batch);
  millrace_error *error = millrace_buffer_wrap(version->device, &array, batch_unused, batch, out);
  if (error) {
    atomic_fetch_sub_explicit(&batch->references, 1, memory_order_relaxed);  // the caller has another one
  }
  return sv_error_of(error);
}

sv_error *sv_batch_call(sv_batch *batch, bool elsewhere, millrace_event **out_event) {
  sv_version *version = batch->version;
  const sv_signature *s = &version->signature;
  *out_event = NULL;
  memset(batch->buffers, 0, s->num_inputs * sizeof *batch->buffers);
  sv_error *error = NULL;
  for (uint32_t i = 0; i < s->num_inputs && !error; i++) {
    error = wrap(batch, i);
  }
  batch->ready_ns = sv_now_ns();
  if (!error) {
    millrace_execute_options options = {.struct_size = sizeof options,
                                        .destinations = batch->destinations,
                                        .num_destinations = s->num_outputs,
                                        .elsewhere = elsewhere};
    error = sv_error_of(millrace_model_call(version->model, batch->buffers, s->num_inputs, &options, batch->results,
                                            s->num_outputs, out_event));
  }
  for (uint32_t i = 0; i < s->num_inputs; i++) {
    millrace_buffer_release(batch->buffers[i]);
  }
  return error;
}

// ---- Out ------------------------------------------------------------------------------------------------------------

static void give(sv_batch *batch, sv_member *member, uint32_t first_row) {
  const sv_bucket *bucket = batch->bucket;
  for (uint32_t i = 0; i < batch->version->signature.num_outputs; i++) {
    sv_tensor *output = &member->request.outputs[i];
    *output = bucket->outputs[i];
    unsigned char *data = batch->block->data + bucket->output_at[i];
    if (bucket->rows) {
      size_t row = output->bytes / bucket->rows;
      output->dims[0] = member->rows;
      output->bytes = row * member->rows;
      data += row * first_row;
    }
    output->data = data;
  }
  retain(batch);
  member->batch = batch;
}

static void answer(sv_batch *batch, const sv_error *error, uint64_t end_ns) {
  uint32_t row = 0;
  sv_member *next;
  for (sv_member *member = batch->members; member; member = next) {
    next = member->next;
    member->request.queue_ns = batch->begin_ns > member->submit_ns ? batch->begin_ns - member->submit_ns : 0;
    member->request.compute_ns = end_ns - batch->begin_ns;
    member->request.batch_rows = batch->rows ? batch->rows : 1;
    if (!error) {
      give(batch, member, row);
    }
    row += member->rows;
    sv_member_done(member, sv_error_copy(error), true);
  }
}

// With the lock.
static void note_time(const sv_batch *batch, uint64_t ns) {
  sv_bucket *bucket = batch->bucket;
  const sv_version *version = batch->version;
  if (ns < bucket->ns) {
    bucket->ns = ns;
  }
  bool had_company = batch->beside && version->running && version->lonely == batch->lonely_then;
  if (had_company && !batch->here) {
    // A mean, since the two share the cores unevenly: what one gains the other loses.
    bucket->beside_ns = bucket->beside_ns ? (uint64_t)((double)bucket->beside_ns * 0.875 + (double)ns * 0.125) : ns;
  }
}

// The execution is over, on any thread. The batch is let go.
static void finish(sv_batch *batch, sv_error *take_error) {
  sv_version *version = sv_version_retain(batch->version);
  uint64_t end_ns = sv_now_ns(), took = end_ns - batch->begin_ns;
  bool here = batch->here;
  pthread_mutex_lock(&version->lock);
  version->running -= !here;
  version->running_here -= here;
  if (!take_error) {
    note_time(batch, took);
  }
  sv_statistics_add_batch(version, batch, end_ns, take_error != NULL);
  pthread_mutex_unlock(&version->lock);
  answer(batch, take_error, end_ns);
  sv_error_free(take_error);
  sv_batch_release(batch);
  if (!here) {
    sv_engine_end_turn(version->engine, version, took);
  }
  sv_version_look_drained(version);
  sv_version_release(version);
}

static void finished(void *argument, millrace_error *error) {
  sv_batch *batch = argument;
  sv_version *version = sv_version_retain(batch->version);
  finish(batch, error ? sv_errorf(millrace_error_code(error), "%s", millrace_error_message(error)) : NULL);
  sv_version_dispatch(version);
  sv_version_release(version);
}

void sv_batch_run(sv_batch *batch) {
  batch->begin_ns = sv_now_ns();
  millrace_event *event;
  sv_error *error = sv_batch_call(batch, !batch->here, &event);
  if (!error && event) {
    error = sv_error_of(millrace_event_on_done(event, finished, batch));
    if (!error) {
      millrace_event_release(event);
      return;
    }
    // Nobody will tell when it is over, so this thread waits for it.
    millrace_error_free(millrace_event_wait(event));
  }
  millrace_event_release(event);
  finish(batch, error);
}
