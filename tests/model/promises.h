// For models of runs that wait: an executor that is one queue, whose threads sleep when it is empty, and a thread that ends, in
// order, what steps promise. Included after the engine's sources, and MOST: of what there are at most a few times as many.
#ifndef MR_TESTS_MODEL_PROMISES_H
#define MR_TESTS_MODEL_PROMISES_H

// ---- The executor -------------------------------------------------------------------------------------------------------

static mr_item queue[4 * MOST];
static uint32_t queued, taken;
static _Atomic(uint32_t) news;
static _Atomic(bool) over;

static MODEL_UNSEEN void put(mr_item item) {
  model_check(queued < MR_ARRAY_SIZE(queue), "too much in the queue");
  for (uint32_t i = taken; i < queued; i++) {
    model_check(queue[i] != item, "it is in the queue twice");
  }
  queue[queued++] = item;
  model_hand_over((const void *)item);
}

static void queue_ready(mr_executor *executor, mr_task *task, int priority, bool follows) {
  (void)executor;
  (void)priority;
  (void)follows;
  atomic_fetch_add_explicit(&news, 1, memory_order_seq_cst);
  put((mr_item)task);
  mr_unpark(&news, INT32_MAX);
}

static bool queue_offer(mr_executor *executor, mr_item item) {
  (void)executor;
  atomic_fetch_add_explicit(&news, 1, memory_order_seq_cst);
  put(item);
  mr_unpark(&news, INT32_MAX);
  return true;
}

static const _Atomic(uint32_t) hungry = 1;
static mr_executor executor = {.name = "model", .ready = queue_ready, .offer = queue_offer, .hungry = &hungry};

// What is in the queue is this thread's in the step that finds it there.
static MODEL_UNSEEN void work_until_over(void *argument) {
  (void)argument;
  for (;;) {
    uint32_t seen = atomic_load_explicit(&news, memory_order_seq_cst);
    if (taken < queued) {
      mr_item item = queue[taken++];
      model_saw(&news, true);
      model_take_over((const void *)item);
      mr_item_run(item);
      model_crossing();
      continue;
    }
    if (atomic_load_explicit(&over, memory_order_seq_cst)) {
      return;
    }
    mr_park(&news, seen, 0);
  }
}

// ---- What steps promise -----------------------------------------------------------------------------------------------------

typedef struct promise {
  mr_future *future;
  mr_status status;
  int *result;  // counted up before the future is set; NULL: nothing is
} promise;

static promise promises[3 * MOST];
static uint32_t promised, kept;
static _Atomic(uint32_t) promise_news;

static int results[MOST];
static MODEL_COUNTS int *result_of_next;  // of the promise that is made next

static promise make_promise(mr_status status, mr_future **out_future) {
  int *result = result_of_next;
  model_check(!mr_future_create(out_future), "no memory");
  return (promise){mr_future_retain(*out_future), mr_status_retain(status), result};
}

static MODEL_UNSEEN void give_promise(promise made) {
  atomic_fetch_add_explicit(&promise_news, 1, memory_order_seq_cst);
  promises[promised++] = made;
  model_hand_over(made.future);
  mr_unpark(&promise_news, INT32_MAX);
}

static void promise_later(mr_status status, mr_future **out_future) { give_promise(make_promise(status, out_future)); }

static void deliver(const promise *p) {
  if (p->result) {
    ++*p->result;
  }
  mr_future_set(p->future, p->status);
  mr_future_release(p->future);
}

static MODEL_UNSEEN void keep_promises(void *argument) {
  (void)argument;
  for (;;) {
    uint32_t seen = atomic_load_explicit(&promise_news, memory_order_seq_cst);
    if (kept < promised) {
      promise p = promises[kept++];
      model_saw(&promise_news, true);
      model_take_over(p.future);
      deliver(&p);
      continue;
    }
    if (atomic_load_explicit(&over, memory_order_seq_cst)) {
      return;
    }
    mr_park(&promise_news, seen, 0);
  }
}

#endif
