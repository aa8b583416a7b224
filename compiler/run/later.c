// An execution as a node: after each argument that is not there yet, and not on the thread that calls.
#include <string.h>

#include "compiler/run/run.h"

typedef struct execution {
  launch_state state;
  mr_hold **outputs;  // per result
} execution;

static void execution_release(execution *x) {
  if (!x->state.executable) {
    return;
  }
  mr_execution_close(&x->state, true);
  for (uint32_t k = 0; k < x->state.executable->num_results; k++) {
    mr_hold_release(x->outputs[k]);
  }
  mr_call_context *context = x->state.context;
  if (context && mr_ref_release(&context->ref)) {
    context->destroy(context);
  }
  mr_executable_release(x->state.executable);
  x->state.executable = NULL;
  mr_platform_release(x->state.device->platform);
}

void mr_execution_over(mr_node *node, mr_status take_status) {
  execution *x = mr_node_payload(node);
  mr_status status = take_status ? take_status : mr_node_error(node);  // cancelled: its results count for nothing
  for (uint32_t k = 0; !status && k < x->state.executable->num_results; k++) {
    mr_buffer_define((mr_buffer *)x->outputs[k], x->state.results[k]);
    x->state.results[k] = NULL;
  }
  // Everything is let go of before the results are announced: whoever runs next may find its donated blocks exclusive.
  execution_release(x);
  mr_node_finish(node, status);
}

static void execution_run(mr_node *node) {
  execution *x = mr_node_payload(node);
  x->state.close = mr_trace_is_on() && is_looked_at_closely(mr_execution_count_traced(x->state.executable));
  if (x->state.executable->main.may_pend || !x->state.device->direct) {
    mr_strands_begin(&x->state, node);
  } else {
    mr_execution_over(node, mr_execution_run_now(&x->state));
  }
}

static void execution_fail(mr_node *node, mr_status status) {
  (void)status;
  execution_release(mr_node_payload(node));
}

static const char *execution_tag(const mr_node *node) {
  return trace_name(((const execution *)(node + 1))->state.executable);
}

static void execution_drop(mr_node *node) { execution_release(mr_node_payload(node)); }

static const mr_node_type execution_type = {.name = "execute",
                                            .kind = MR_NODE_EXECUTE,
                                            .run = execution_run,
                                            .fail = execution_fail,
                                            .drop = execution_drop,
                                            .tag = execution_tag};

static size_t payload_size(const mr_executable *e) {
  return sizeof(execution) + e->num_params * (sizeof(mr_hold *) + sizeof(mr_storage *) + sizeof(bool)) +
         e->num_results * (sizeof(mr_storage *) + sizeof(mr_hold *));
}

// The arrays behind the struct, all empty but holds and donates.
static void init_payload(execution *x, const launch_state *from) {
  const mr_executable *e = from->executable;
  char *at = (char *)(x + 1);
  memset(x, 0, payload_size(e));
  x->state = *from;
  x->state.holds = (mr_hold **)at;
  at += e->num_params * sizeof(mr_hold *);
  x->state.params = (mr_storage **)at;
  at += e->num_params * sizeof(mr_storage *);
  x->state.results = (mr_storage **)at;
  at += e->num_results * sizeof(mr_storage *);
  x->outputs = (mr_hold **)at;
  at += e->num_results * sizeof(mr_hold *);
  x->state.donates = (bool *)at;
  if (e->num_params) {
    memcpy(x->state.holds, from->holds, e->num_params * sizeof(mr_hold *));
    memcpy(x->state.donates, from->donates, e->num_params * sizeof(bool));
  }
  mr_executable_retain(x->state.executable);
  mr_platform_retain(x->state.device->platform);
  if (x->state.context) {
    mr_ref_retain(&x->state.context->ref);
  }
}

static void release_buffers(mr_buffer **buffers, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    mr_buffer_release(buffers[k]);
    buffers[k] = NULL;
  }
}

// The largest argument that is there already, for where to run; one that is not there comes from where this becomes ready.
static const mr_storage *largest_ready(const launch_state *s) {
  const mr_storage *largest = NULL;
  for (uint32_t i = 0; i < s->executable->num_params; i++) {
    mr_future *ready = mr_hold_ready(s->holds[i]);
    if (ready && !mr_future_is_set(ready)) {
      continue;
    }
    const mr_storage *storage = mr_hold_storage(s->holds[i]);
    if (storage && (!largest || storage->size > largest->size)) {
      largest = storage;
    }
  }
  return largest;
}

mr_status mr_execution_later(launch_state *s, bool here, mr_buffer **out_results, mr_future **out_done) {
  const mr_executable *e = s->executable;
  mr_node *node = NULL;
  mr_executor *executor = mr_device_executor_near(s->device, largest_ready(s));
  mr_status status = mr_node_create(&execution_type, payload_size(e), executor, &node);
  if (status) {
    mr_execution_give_back(s);
    return status;
  }
  execution *x = mr_node_payload(node);
  init_payload(x, s);
  for (uint32_t k = 0; !status && k < e->num_results; k++) {
    status = mr_execution_make_result(s, k, NULL, mr_future_retain(mr_node_done(node)), &out_results[k]);
    status = status ? status : mr_buffer_hold(out_results[k], false, &x->outputs[k]);
  }
  if (status) {
    // The results so far have the node through their future, and the node has them: its side goes here, as it never runs.
    mr_execution_give_back(&x->state);
    execution_release(x);
    mr_node_release(node);
    release_buffers(out_results, e->num_results);
    return status;
  }
  node->cost_ns = here && !e->main.graph ? MR_EXECUTE_HERE_NS : node_cost(e);
  // relaxed: how it was last. Cheap nodes run where they are submitted.
  if (atomic_load_explicit(&e->host_is_slow, memory_order_relaxed)) {
    node->cost_ns = MR_MAX(node->cost_ns, (uint32_t)MR_HOST_SLOW_NS);
  }
  node->device = (int16_t)s->device->id;
  for (uint32_t i = 0; i < e->num_params; i++) {
    mr_future *ready = mr_hold_ready(x->state.holds[i]);
    if (ready) {
      mr_status_free(mr_node_after(node, ready));  // on failure the node is poisoned with it
    }
  }
  *out_done = mr_future_retain(mr_node_done(node));
  mr_node_submit(node);
  return MR_OK;
}
