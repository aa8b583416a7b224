"""Python callbacks: results go to jaxlib's handler in C order.

The handler copies contiguous results directly. Others it gives to a transpose cache that only XLA's own clients can make;
without one it crashes.
"""


def use_contiguous_results():
    import numpy as np
    from jax._src import callback as jax_callback
    from jax.interpreters import mlir

    emit = jax_callback.emit_python_callback

    def emit_python_callback(ctx, function, *args, **kwargs):
        def contiguous(*values):
            return tuple(np.asarray(result, order="C") for result in function(*values))

        return emit(ctx, contiguous, *args, **kwargs)

    jax_callback.emit_python_callback = emit_python_callback
    mlir.emit_python_callback = emit_python_callback
