"""Python callbacks: results go to jaxlib's handler with the strides it expects.

The handler copies dense row-major results directly. Others it gives to a transpose cache that only XLA's own clients can
make; without one it crashes.
"""

from . import versions

# By these names jaxlib calls Python. As on XLA:CPU a program with such a call, when its arguments are there, has run when
# the call returns, and what the Python function raised is raised by the call.
TARGETS = (
    "xla_ffi_python_cpu_callback",
    "xla_ffi_partitioned_python_cpu_callback",
    "xla_buffer_python_cpu_callback",
    "xla_python_cpu_callback",
)
# Of these the last is not typed, and jaxlib up to 0.5 has it alone.
UNTYPED = ("xla_python_cpu_callback",)


def _dense(result):
    import numpy as np

    array = np.asarray(result, order="C")
    if array.size > 0:
        return array
    # numpy's strides for an array without elements are all zero; the handler compares them with those of a dense one.
    strides, stride = [], array.itemsize
    for dim in reversed(array.shape):
        strides.insert(0, stride)
        stride *= dim
    return np.lib.stride_tricks.as_strided(array, strides=strides)


def use_dense_results():
    from jax.interpreters import mlir

    if versions.has("callbacks in jax._src.callback"):
        from jax._src import callback as jax_callback
    else:
        from jax._src.interpreters import mlir as jax_callback
    emit = jax_callback.emit_python_callback

    def emit_python_callback(ctx, function, *args, **kwargs):
        def dense_results(*values):
            return tuple(_dense(result) for result in function(*values))

        return emit(ctx, dense_results, *args, **kwargs)

    jax_callback.emit_python_callback = emit_python_callback
    mlir.emit_python_callback = emit_python_callback
