// What the files of the module millrace._core know of each other: Python over millrace/millrace.h.
//
// Threads: everything here is called with the GIL, unless it says otherwise. No thread of the engine's ever takes the GIL, so that a call may
// wait for the engine with the GIL held: what such a thread has done with is put into a list (lent.c), which threads of Python's empty.
// Errors: functions that give a pointer or a bool give NULL or false with Python's error set.
#ifndef MP_CORE_H
#define MP_CORE_H

// The oldest that has the buffer protocol in it. 3.10 has the same functions in the same form, without the promise that they stay, which a
// version that is out does not break: so the module is for 3.10 and later.
#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>

#include "millrace/millrace.h"

enum {
  MP_RANK = 32,          // numpy's most was that; the engine's is
  MP_FEW = 8,            // inputs and outputs that a call needs no memory for
  MP_ALIGNMENT = 64,     // bytes; results that begin there are written in place
  MP_COPIED = 1 << 16,   // bytes; smaller inputs are copied rather than lent
  MP_ALIGNED = 1 << 15,  // bytes; larger results are made to begin so
  MP_PLANS = 64,         // shapes that a model remembers
  // On one core. To let go of the GIL and take it again costs 0.06 us while nobody wants it (docs/python.md).
  MP_QUICK_NS = 5000,
};

// ---- core.c ---------------------------------------------------------------------------------------------------------------

// Objects of ours that are alive, for tests.
extern struct mp_live {
  Py_ssize_t models, sessions, buffers, weights, pending, lent, completions;
} mp_live;

// numpy's, and helpers in _arrays.py, taken once.
extern struct mp_names {
  PyObject *empty, *ndarray, *asarray, *aligned, *view_as, *dtype_of, *to_numpy, *bits_of;
  PyObject *str_dlpack, *str_dlpack_device, *str_stop;
  PyObject *error, *port_type;  // millrace.Error, millrace.Port
  PyTypeObject *device, *weights, *model, *session, *buffer, *memory, *completions, *stop;
} mp;

// Raises millrace.Error. Of the engine's error, which is freed; always NULL.
PyObject *mp_raise(millrace_error *take_error);
PyObject *mp_fail(millrace_code code, const char *format, ...);
// The instance that mp_raise() would raise.
PyObject *mp_error_object(millrace_error *take_error);
// The process's context, made when it is first wanted.
millrace_context *mp_context(void);
// A device of a Device, a number or None. NULL is an error.
millrace_device *mp_device(PyObject *which);
PyObject *mp_device_object(millrace_device *device);
PyTypeObject *mp_type(PyObject *module, const char *name, PyType_Spec *spec);

// ---- elements.c -----------------------------------------------------------------------------------------------------------

// Of a format of the buffer protocol; MILLRACE_INVALID where it is none of ours.
millrace_dtype mp_dtype_of_format(const char *format, Py_ssize_t size);
// What the buffer protocol calls it. Elements that it has no name for are unsigned numbers of as many bytes.
const char *mp_format_of(millrace_dtype dtype);
bool mp_has_format(millrace_dtype dtype);  // by its own name
// numpy's name of it: "float32", "bfloat16"
const char *mp_numpy_name(millrace_dtype dtype);
// (type of what the array is made of in memory, numpy's dtype of the result or NULL where that is the same). Both retained.
bool mp_numpy_types(millrace_dtype dtype, PyObject **out_plain, PyObject **out_shown);
PyObject *mp_dims_tuple(const int64_t *dims, size_t rank);
// "f32[2,3]"; for messages. `room` is at least 64.
const char *mp_print_type(millrace_dtype dtype, const int64_t *dims, size_t rank, char *text, size_t room);

// DLPack's codes and bits; false where it has none.
bool mp_dlpack_type(millrace_dtype dtype, uint8_t *out_code, uint8_t *out_bits);
millrace_dtype mp_dtype_of_dlpack(uint8_t code, uint8_t bits);

// ---- inputs.c -------------------------------------------------------------------------------------------------------------

// An argument of a call, as the engine takes it.
typedef struct mp_input {
  millrace_array array;     // without memory of its own: what `owner` or `view` has
  millrace_buffer *buffer;  // instead, on a device; borrowed from `owner`
  PyObject *owner;          // retained: an array, a capsule or a Buffer
  Py_buffer view;           // to be released where view.obj is not NULL
  int64_t strides[MP_RANK];
} mp_input;

// Of anything that has elements: `dtype` is the one that lists and numbers become; arrays of another stay what they are. MILLRACE_INVALID:
// whatever numpy makes of them.
bool mp_input_open(PyObject *object, millrace_dtype dtype, mp_input *out_input);
void mp_input_close(mp_input *input);
millrace_type mp_input_type(const mp_input *input);  // `bytes` is not set
// A buffer of the caller's own with the elements: a copy of few, else lent (lent.c), which needs `view` or `owner` to stay and moves them.
millrace_error *mp_input_buffer(mp_input *input, millrace_device *device, bool copies, millrace_buffer **out_buffer);

// ---- lent.c ---------------------------------------------------------------------------------------------------------------

// Wraps an array as a buffer and keeps what has its memory until the engine has done with it. Takes view and owner, also when it fails.
millrace_error *mp_lend(millrace_device *device, const millrace_array *array, Py_buffer *take_view,
                        PyObject *take_owner, millrace_buffer **out_buffer);
// Lets go of what came back since. Cheap when nothing did.
void mp_take_back(void);
void mp_lent_end(void);  // the interpreter ends: nothing is taken back from here on

// ---- buffer.c -------------------------------------------------------------------------------------------------------------

PyTypeObject *mp_buffer_type(PyObject *module);
PyTypeObject *mp_memory_type(PyObject *module);
PyObject *mp_buffer_object(millrace_buffer *take_buffer);  // NULL: it is released
millrace_buffer *mp_buffer_of(PyObject *object);           // borrowed; an error where it was freed
bool mp_is_buffer(PyObject *object);
// numpy's array of memory, not to be written. The owner is retained; `take_mapped` is unmapped and released in the end, or NULL. `dtype` and
// `copy` are those of __array__().
PyObject *mp_memory_array(const millrace_array *array, PyObject *owner, millrace_buffer *take_mapped, PyObject *dtype,
                          PyObject *copy);
PyObject *mp_put(PyObject *module, PyObject *arguments, PyObject *keywords);

// ---- weights.c ------------------------------------------------------------------------------------------------------------

PyTypeObject *mp_weights_type(PyObject *module);
PyObject *mp_weights_open(PyObject *module, PyObject *path);
millrace_weights *mp_weights_of(PyObject *object);  // borrowed

// ---- model.c, plan.c, call.c, session.c -------------------------------------------------------------------------------------------

typedef struct mp_port {
  millrace_port port;
  PyObject *name, *plain, *shown;  // of outputs: mp_numpy_types()
} mp_port;

// What is known of calls with inputs of certain shapes.
typedef struct mp_plan {
  struct mp_plan *next;
  Py_ssize_t references;
  size_t num_outputs;
  bool quick;        // over before it would pay to let go of the GIL
  int64_t *dims;     // of all inputs, one behind the other
  size_t *bytes;     // of each output
  PyObject **empty;  // of each output: the arguments for numpy.empty
} mp_plan;

// A model, or a session of one, which has fewer inputs and outputs.
typedef struct mp_callee {
  PyObject_HEAD millrace_model *model;  // retained
  millrace_session *session;            // NULL: a model
  millrace_device *device;
  size_t num_inputs, num_outputs, num_dims;
  mp_port *inputs, *outputs;  // copies of their own
  PyObject *names;            // {name: index} of the inputs
  mp_plan *plans;             // the last used first
  struct mp_lock *lock;       // of a session, of which one call at a time is inside
  uint64_t timeout_ns;
  int priority;
  bool direct;  // the device works on the calling thread
} mp_callee;

PyTypeObject *mp_model_type(PyObject *module);
PyObject *mp_load(PyObject *module, PyObject *arguments);
PyTypeObject *mp_session_type(PyObject *module);
void mp_ports_free(mp_port *ports, size_t count);
bool mp_port_open(mp_port *port, const millrace_port *from, bool output);
bool mp_names_of(mp_callee *callee);
PyObject *mp_ports_list(const mp_port *ports, size_t count);
void mp_callee_close(mp_callee *callee);
// Shapes of all inputs from keywords: sizes of symbols (b=8) and shapes of inputs (x=(8, 3)). `out_dims` has room for all dims.
bool mp_shapes(const mp_callee *callee, PyObject *keywords, int64_t *out_dims, millrace_shape *out_shapes);

// All of them are the callee's; who lets go of the GIL meanwhile counts one of his own. NULL is an error, but of mp_plan_find(), for which
// the ranks have been compared: there is none yet.
mp_plan *mp_plan_find(mp_callee *callee, const mp_input *inputs);
mp_plan *mp_plan_make(mp_callee *callee, const int64_t *dims,
                      const millrace_shape *shapes);  // compiles, without the GIL
mp_plan *mp_plan_of(mp_callee *callee, const millrace_program *program, const int64_t *dims);
void mp_plan_release(mp_plan *plan);
void mp_plans_free(mp_plan *plan);

PyObject *mp_call(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *mp_call_on_device(PyObject *self, PyObject *arguments, PyObject *keywords);
// start(completions, future, arguments, keywords): see _asyncio.py
PyObject *mp_call_start(PyObject *self, PyObject *arguments);

PyObject *mp_model_session(PyObject *self, PyObject *arguments, PyObject *keywords);

// ---- completions.c --------------------------------------------------------------------------------------------------------

PyTypeObject *mp_completions_type(PyObject *module);
PyObject *mp_completions_create(PyObject *module, PyObject *nothing);
millrace_completions *mp_completions_of(PyObject *object);  // borrowed
// What a completion's tag points to: all retained, and may be NULL.
typedef struct mp_pending {
  PyObject *future, *result, *again;
} mp_pending;
// Announces the event's end to Completions.take(): (future, result, None or the error, again). The event is released.
bool mp_pending_add(PyObject *completions, millrace_event *take_event, PyObject *future, PyObject *result,
                    PyObject *again);

// What ends a call early when it is called: stop(). Of a source that it owns from here on.
PyTypeObject *mp_stop_type(PyObject *module);
PyObject *mp_stop_object(millrace_stop_source *take_source);

#endif
