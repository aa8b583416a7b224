"""Extensions of the plugin's C API: structures in a list, each found by its type."""

import ctypes


class Head(ctypes.Structure):
    """What each begins with; the fields of its own follow."""


Head._fields_ = [("struct_size", ctypes.c_size_t), ("type", ctypes.c_int), ("next", ctypes.POINTER(Head))]


class _ApiHead(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension", ctypes.POINTER(Head))]


def find(path, kind, structure):
    """The extension of that type of the library at `path`, as a `structure` whose first field is a Head, or None."""
    get = ctypes.CDLL(path).GetPjrtApi
    get.restype = ctypes.POINTER(_ApiHead)
    extension = get().contents.extension
    while extension and extension.contents.type != kind:
        extension = extension.contents.next
    return ctypes.cast(extension, ctypes.POINTER(structure)).contents if extension else None
