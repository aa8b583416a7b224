"""How many objects of each kind the plugin has alive in this process: `counts()["buffers"]`.

For tests that nothing stays behind. `bytes` are those of device memory in use; `blocks` are small blocks of memory, of nodes
and futures among others. While work is under way the numbers are of no one moment.
"""

import ctypes
import functools

from . import library

CENSUS = 0x6D720001
_Name = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_size_t)
_Count = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.POINTER(ctypes.c_int64), ctypes.c_size_t)


class _Extension(ctypes.Structure):
    pass


_Extension._fields_ = [
    ("struct_size", ctypes.c_size_t),
    ("type", ctypes.c_int),
    ("next", ctypes.POINTER(_Extension)),
    ("name", _Name),
    ("count", _Count),
]


class _ApiHead(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension", ctypes.POINTER(_Extension))]


@functools.cache
def _open():
    """(names, function that counts) of the library that JAX uses."""
    get = ctypes.CDLL(library.path()).GetPjrtApi
    get.restype = ctypes.POINTER(_ApiHead)
    extension = get().contents.extension
    while extension and extension.contents.type != CENSUS:
        extension = extension.contents.next
    if not extension:
        raise RuntimeError(f"{library.path()} has no census")
    found = extension.contents
    names = [found.name(kind).decode() for kind in range(found.count(None, 0))]
    return names, found.count


def counts():
    names, count = _open()
    numbers = (ctypes.c_int64 * len(names))()
    count(numbers, len(names))
    return dict(zip(names, numbers))
