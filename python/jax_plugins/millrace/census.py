"""How many objects of each kind the plugin has alive in this process: `counts()["buffers"]`.

For tests that nothing stays behind. `bytes` are those of device memory in use; `blocks` are small blocks of memory, of nodes
and futures among others. While work is under way the numbers are of no one moment.
"""

import ctypes
import functools

from . import extensions, library

CENSUS = 0x6D720001
_Name = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_size_t)
_Count = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.POINTER(ctypes.c_int64), ctypes.c_size_t)


class _Extension(ctypes.Structure):
    _fields_ = [("base", extensions.Head), ("name", _Name), ("count", _Count)]


@functools.cache
def _open():
    """(names, function that counts) of the library that JAX uses."""
    found = extensions.find(library.path(), CENSUS, _Extension)
    if found is None:
        raise RuntimeError(f"{library.path()} has no census")
    names = [found.name(kind).decode() for kind in range(found.count(None, 0))]
    return names, found.count


def counts():
    names, count = _open()
    numbers = (ctypes.c_int64 * len(names))()
    count(numbers, len(names))
    return dict(zip(names, numbers))
