// Memory of Python's that the engine reads in place. It says that it has done with it on any thread, which must not wait for the GIL: the
// thread that holds it may be waiting for the engine.
//
// States of `back`, a list of what has come back:
//
//   who                   operation                       order, and with what it pairs              at once
//   engine, unused()      compare-exchange: one more      release of the element; acquire is of      everybody
//                         in front                        nothing, what is behind is not read
//   Python, take_back()   exchange: NULL                  acquire, pairs with each release           one at a time: it has the GIL
#include <stdatomic.h>
#include <stdlib.h>

#include "core.h"

typedef struct lent {
  struct lent *next;  // written by unused(), read behind the exchange
  Py_buffer view;     // view.obj NULL: there is none
  PyObject *owner;
} lent;

static _Atomic(lent *) back;
// relaxed: who reads the old value adds one more call for later, which the interpreter drops.
static _Atomic(bool) ended;

static int take_back_later(void *argument) {
  (void)argument;
  mp_take_back();
  return 0;
}

static void unused(void *argument) {
  lent *one = argument;
  lent *first = atomic_load_explicit(&back, memory_order_relaxed);
  do {
    one->next = first;
  } while (!atomic_compare_exchange_weak_explicit(&back, &first, one, memory_order_release, memory_order_relaxed));
  // Whoever found the list empty has the main thread look at it. Where that queue is full, the next call does.
  if (!first && !atomic_load_explicit(&ended, memory_order_relaxed)) {
    Py_AddPendingCall(take_back_later, NULL);
  }
}

static void let_go(lent *one) {
  if (one->view.obj) {
    PyBuffer_Release(&one->view);
  }
  Py_XDECREF(one->owner);
  mp_live.lent--;
  free(one);
}

void mp_take_back(void) {
  if (!atomic_load_explicit(&back, memory_order_relaxed)) {
    return;
  }
  lent *list = atomic_exchange_explicit(&back, NULL, memory_order_acquire);
  while (list) {
    lent *next = list->next;
    let_go(list);
    list = next;
  }
}

void mp_lent_end(void) { atomic_store_explicit(&ended, true, memory_order_relaxed); }

millrace_error *mp_lend(millrace_device *device, const millrace_array *array, Py_buffer *take_view,
                        PyObject *take_owner, millrace_buffer **out_buffer) {
  *out_buffer = NULL;
  lent *one = malloc(sizeof *one);
  if (!one) {  // a copy needs nobody to remember anything
    millrace_error *error = millrace_buffer_create(device, array, out_buffer);
    PyBuffer_Release(take_view);
    Py_XDECREF(take_owner);
    return error;
  }
  *one = (lent){.view = *take_view, .owner = take_owner};
  take_view->obj = NULL;
  mp_live.lent++;
  millrace_error *error = millrace_buffer_wrap(device, array, unused, one, out_buffer);
  if (error) {
    let_go(one);
  }
  return error;
}
