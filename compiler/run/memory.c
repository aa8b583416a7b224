// What an execution owns, and one run of its steps on the calling thread.
//
// Storages are taken when the execution runs, not when it is queued: a queue of steps does not hold memory that only the
// first of them needs, and whether a donated block is free to be written is known for sure then (its producer and all readers
// before have let go). A small execution with ready arguments runs on the caller's thread; others are a node.
#include "compiler/run/context.h"
#include "compiler/run/run.h"
#include "compiler/run/subnormal.h"
#include "futures/pool.h"

static bool is_aligned(const void *data) { return ((uintptr_t)data & 63) == 0; }

mr_status mr_execution_take_param(launch_state *s, uint32_t i, mr_storage **out_storage) {
  const plan_buffer *buffer = &s->executable->buffers[s->executable->param_buffers[i]];
  mr_storage *storage = mr_hold_storage(s->holds[i]);
  if (!storage) {
    return mr_error(MR_FAILED_PRECONDITION, "argument %u has no content", i);
  }
  bool mine = s->donates[i] && (mr_hold_is_exclusive(s->holds[i]) || (s->once && mr_once_owns(s->once, i)));
  if (mine && buffer->written) {
    mr_storage_touch(storage);  // alone with it: the content is about to be another one
  }
  if (s->contents) {
    s->contents[i] = mr_storage_content(storage);
  }
  if ((buffer->written && !mine) || !is_aligned(storage->data)) {
    MR_TRY(mr_storage_allocate(&s->device->memories[MR_MEMORY_DEVICE], buffer->bytes, &s->params[i]));
    storage = s->params[i];
  }
  *out_storage = storage;
  return MR_OK;
}

static mr_status open_param(launch_state *s, uint32_t i, void **out_data) {
  mr_storage *storage;
  if (MR_UNLIKELY(mr_once_lends(s, i))) {
    *out_data = s->once->pointers[s->executable->param_buffers[i]];
    if (s->contents) {
      s->contents[i] = s->once->states[0]->contents[i];
    }
    return MR_OK;
  }
  MR_TRY(mr_execution_take_param(s, i, &storage));
  if (MR_UNLIKELY(s->params[i] != NULL)) {
    size_t bytes = s->executable->buffers[s->executable->param_buffers[i]].bytes;
    mr_copy_bytes(s->device->group, storage->data, mr_hold_storage(s->holds[i])->data, bytes);
  }
  *out_data = storage->data;
  return MR_OK;
}

bool mr_executable_result_has_block(const mr_executable *executable, size_t index) {
  return executable->buffers[executable->result_buffers[index]].place != PLACE_PARAM;
}

mr_status mr_execution_take_results(launch_state *s) {
  const mr_executable *e = s->executable;
  for (uint32_t k = 0; k < e->num_results; k++) {
    const plan_buffer *buffer = &e->buffers[e->result_buffers[k]];
    if (MR_UNLIKELY(s->results[k] != NULL)) {
      continue;
    }
    if (MR_UNLIKELY(s->once != NULL) && (s->results[k] = mr_once_result(s, k)) != NULL) {
      continue;
    }
    if (buffer->place == PLACE_PARAM) {  // the parameter's block becomes the result's
      mr_storage *copy = s->params[buffer->index];
      s->params[buffer->index] = NULL;
      s->results[k] = copy ? copy : mr_storage_retain(mr_hold_storage(s->holds[buffer->index]));
      continue;
    }
    MR_TRY(mr_storage_allocate(&s->device->memories[e->results[k].memory], buffer->bytes, &s->results[k]));
  }
  return MR_OK;
}

static mr_status open_results(launch_state *s, void **pointers) {
  const mr_executable *e = s->executable;
  MR_TRY(mr_execution_take_results(s));
  for (uint32_t k = 0; k < e->num_results; k++) {
    if (e->buffers[e->result_buffers[k]].place != PLACE_PARAM) {
      pointers[e->result_buffers[k]] = s->results[k]->data;
    }
  }
  return MR_OK;
}

mr_status mr_execution_make_result(const launch_state *s, uint32_t k, mr_storage *take_storage, mr_future *take_ready,
                                   mr_buffer **out_buffer) {
  const mr_port *port = &s->executable->results[k];
  return mr_buffer_create(&s->device->memories[port->memory], port->dtype, port->dims, port->rank, take_storage,
                          take_ready, out_buffer);
}

static mr_status make_buffers(launch_state *s) {
  for (uint32_t k = 0; s->buffers && k < s->executable->num_results; k++) {
    mr_storage *storage = s->results[k];
    s->results[k] = NULL;
    MR_TRY(mr_execution_make_result(s, k, storage, NULL, &s->buffers[k]));
  }
  return MR_OK;
}

static void fill_pointers(const launch_state *s, const mr_storage *temp, void **pointers) {
  const mr_executable *e = s->executable;
  for (uint32_t b = 0; b < e->num_buffers; b++) {
    const plan_buffer *buffer = &e->buffers[b];
    if (MR_UNLIKELY(s->once && buffer->shared && buffer->place == PLACE_TEMP)) {
      pointers[b] = s->once->temp ? (char *)s->once->temp->data + (buffer->offset - e->once_first) : NULL;
    } else if (buffer->place == PLACE_TEMP) {
      pointers[b] = temp ? (char *)temp->data + buffer->offset : NULL;
    } else if (buffer->place == PLACE_ROW) {
      pointers[b] = e->constants[CONSTANTS_OWN] + buffer->offset + (size_t)PLAN_ROW_BYTES * s->numbers[buffer->index];
    } else if (buffer->place == PLACE_CONST) {
      char *constants = e->constants[buffer->index];
      pointers[b] = constants ? constants + buffer->offset : NULL;  // NULL: all of them are empty
    }
  }
}

mr_status mr_execution_open(launch_state *s, void **pointers, mr_storage **out_temp) {
  const mr_executable *e = s->executable;
  *out_temp = NULL;
  for (uint32_t i = 0; i < e->num_params; i++) {
    MR_TRY(open_param(s, i, &pointers[e->param_buffers[i]]));
  }
  MR_TRY(open_results(s, pointers));
  MR_TRY(make_buffers(s));
  if (e->temp_bytes) {
    MR_TRY(mr_storage_allocate(&s->device->memories[MR_MEMORY_DEVICE], e->temp_bytes, out_temp));
  }
  fill_pointers(s, *out_temp, pointers);
  s->begun = true;
  return MR_OK;
}

static mr_status run_with_memory(launch_state *s, void **pointers, void **arguments) {
  mr_storage *temp;
  MR_TRY(mr_execution_open(s, pointers, &temp));
  mr_stop_token stop = mr_execution_token(s);
  frame f = {s->executable, pointers, s->contents, mr_rows_cores(s), s->close, s->run, &stop};
  mr_call_context *before = mr_call_context_enter(s->context);
  const plan_sequence *main = &s->executable->main;
  uint32_t told = s->told ? s->executable->after_host : 0;
  mr_status status = mr_machine_run(&f, main, 0, told ? told : main->count, arguments);
  if (MR_UNLIKELY(told && !status)) {
    mr_execution_tell(s);
    status = mr_machine_run(&f, main, told, main->count, arguments);
  }
  mr_call_context_enter(before);
  mr_storage_release(temp);
  return status;
}

// Of a call that fails: what was to be donated is the caller's again, unless it may have been written already.
void mr_execution_give_back(launch_state *s) {
  for (uint32_t i = 0; i < s->executable->num_params; i++) {
    mr_admit_let_go(s, i);
    bool used_up = s->begun && s->executable->buffers[s->executable->param_buffers[i]].written;
    if (s->holds[i] && s->donates[i] && !used_up) {
      mr_hold_give_back(s->holds[i]);
    } else {
      mr_hold_release(s->holds[i]);
    }
    s->holds[i] = NULL;
  }
}

// Lets go of the arguments; on failure of the results as well, which may have arguments' blocks.
void mr_execution_close(launch_state *s, bool failed) {
  for (uint32_t k = 0; failed && k < s->executable->num_results; k++) {
    mr_storage_release(s->results[k]);
    s->results[k] = NULL;
    if (s->buffers) {
      mr_buffer_release(s->buffers[k]);
      s->buffers[k] = NULL;
    }
  }
  if (failed && s->buffers) {
    mr_execution_give_back(s);
  }
  for (uint32_t i = 0; i < s->executable->num_params; i++) {
    mr_admit_let_go(s, i);
    mr_storage_release(s->params[i]);
    mr_hold_release(s->holds[i]);
    s->params[i] = NULL;
    s->holds[i] = NULL;
  }
}

mr_status mr_execution_run_now(launch_state *s) {
  enum { ON_STACK = 512 };
  const mr_executable *e = s->executable;
  static_assert(sizeof(mr_content) % sizeof(void *) == 0, "contents lie behind pointers");
  size_t words = e->wants_contents ? e->num_params * sizeof(mr_content) / sizeof(void *) : 0;
  size_t used = (size_t)e->num_buffers + e->max_step_buffers, slots = used + words;
  void *small[ON_STACK];
  void **pointers = slots <= ON_STACK ? small : mr_struct_alloc(slots * sizeof *pointers);
  const char *location = s->context ? s->context->location : NULL;
  uint64_t start = location ? mr_trace_begin() : 0;
  s->contents = e->wants_contents && pointers ? (mr_content *)(void *)(pointers + used) : NULL;
  mr_trace_device = s->device->id;
  unsigned mode = mr_subnormals_flush();
  mr_status status = pointers ? run_with_memory(s, pointers, pointers + e->num_buffers) : MR_NO_MEMORY();
  mr_subnormals_restore(mode);
  if (pointers != small) {
    mr_struct_free(pointers, slots * sizeof *pointers);
  }
  mr_execution_close(s, status != MR_OK);
  if (location) {
    mr_trace_end(MR_TRACE_NODE, location, start);
    status = mr_status_note(status, "called from %s", location);
  }
  return status;
}
