"""How Python ends with work queued: before the interpreter goes, no thread of the plugin's is inside a Python function, and
none begins one from there on. What Python still does itself works as before.

Work that calls nothing of Python's goes on until the process exits, which the library sees to by itself.
"""

import atexit
import ctypes
import sys
import threading
import time

from . import extensions

ENDING = 0x6D720002
LOOK_S = 0.0005
LOOK_LONG_S = 0.05  # a program with other threads of Python's ends so much later
MOST_S = 5  # a thread may be in something that takes for ever
_AskHost = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Count = ctypes.CFUNCTYPE(ctypes.c_uint32)


class _Extension(ctypes.Structure):
    _fields_ = [("base", extensions.Head), ("ask_host", _AskHost), ("end_host", _Count), ("held", _Count)]


def _is_finalizing():
    """The address of Python's function that says so, or None; up to Python 3.12 it has another name."""
    for name in ("Py_IsFinalizing", "_Py_IsFinalizing"):
        function = getattr(ctypes.pythonapi, name, None)
        if function is not None:
            return ctypes.cast(function, ctypes.c_void_p)
    return None


def _is_jax(frame):
    return frame.f_globals.get("__name__", "").partition(".")[0] == "jax"


def _is_in_jax(frame):
    while frame and not _is_jax(frame):
        frame = frame.f_back
    return frame is not None


def _wait_for_threads(extension):
    """Threads that are left compile or run something: until each has come to the library, which keeps it, or is over. Python would end it
    at its next step, with functions of C++'s beneath, and some of these end the process then; or it would wait inside one that
    looks every 200 ms whether Python has signals, and does so after Python is gone.

    Functions of C++'s have no frame: so all threads are looked at for a while, and those that are seen in JAX until then."""
    begin = time.monotonic()
    seen = set()
    while time.monotonic() - begin < MOST_S:
        frames = sys._current_frames()
        frames.pop(threading.get_ident(), None)
        seen |= {thread for thread, frame in frames.items() if _is_in_jax(frame)}
        waits = len(seen & frames.keys()) > extension.held()
        if not frames or (not waits and time.monotonic() - begin > LOOK_LONG_S):
            break
        time.sleep(LOOK_S)


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
        _wait_for_threads(extension)


def register(path):
    """To be called once, with the library at `path`. atexit's functions run in the reverse order of their registration."""
    extension = extensions.find(path, ENDING, _Extension)
    if extension is None:
        return
    finalizing = _is_finalizing()
    if finalizing is not None:
        extension.ask_host(finalizing)
    atexit.register(_end, extension)
