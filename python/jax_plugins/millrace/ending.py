"""How Python ends with work queued: before the interpreter goes, no thread of the plugin's is inside a Python function, and
none begins one from there on. What Python still does itself works as before.

Work that calls nothing of Python's goes on until the process exits, which the library sees to by itself.
"""

import atexit
import ctypes
import time

from . import extensions

ENDING = 0x6D720002
LOOK_S = 0.0005
_AskHost = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_EndHost = ctypes.CFUNCTYPE(ctypes.c_uint32)


class _Extension(ctypes.Structure):
    _fields_ = [("base", extensions.Head), ("ask_host", _AskHost), ("end_host", _EndHost)]


def _is_finalizing():
    """The address of Python's function that says so, or None; up to Python 3.12 it has another name."""
    for name in ("Py_IsFinalizing", "_Py_IsFinalizing"):
        function = getattr(ctypes.pythonapi, name, None)
        if function is not None:
            return ctypes.cast(function, ctypes.c_void_p)
    return None


def _end(extension):
    # Effects come first: JAX waits for them later in any case, and says then what went wrong.
    from jax._src import dispatch

    try:
        dispatch.wait_for_tokens()
    except Exception:
        pass
    finally:
        while extension.end_host():
            time.sleep(LOOK_S)


def register(path):
    """To be called once, with the library at `path`. atexit's functions run in the reverse order of their registration."""
    extension = extensions.find(path, ENDING, _Extension)
    if extension is None:
        return
    finalizing = _is_finalizing()
    if finalizing is not None:
        extension.ask_host(finalizing)
    atexit.register(_end, extension)
