"""Where jaxlib's own functions for FFI handlers are.

jaxlib's handlers for Python callbacks were built with XLA: when one of our functions fails, they take the error for an object of XLA's,
which XLA's own XLA_FFI_Error_Create makes. XLA hands its table to every handler that is registered with it, so one is.
"""

import ctypes


class _Extension(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("type", ctypes.c_int), ("next", ctypes.c_void_p)]


class _Version(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension", ctypes.c_void_p), ("major", ctypes.c_int), ("minor", ctypes.c_int)]


class _Metadata(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("version", _Version)]


class _AsksForMetadata(ctypes.Structure):
    _fields_ = [("head", _Extension), ("metadata", ctypes.POINTER(_Metadata))]


class _Api(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension", ctypes.c_void_p), ("version", _Version)]


class _Frame(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension", ctypes.POINTER(_AsksForMetadata)), ("api", ctypes.POINTER(_Api))]


_METADATA = 1
_found = []


@ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_Frame))
def _handler(frame):
    asks, api = frame.contents.extension, frame.contents.api
    if not asks or asks.contents.head.type != _METADATA:
        return None
    said = asks.contents.metadata.contents.version
    if api:
        said.major, said.minor = api.contents.version.major, api.contents.version.minor
        _found.append(ctypes.cast(api, ctypes.c_void_p).value)
    else:  # jaxlib up to 0.8.0 hands none over, and then there is none to find
        said.major, said.minor = 0, 1
    return None


def table():
    """The address of XLA's table, or 0 with a jaxlib that does not give it."""
    if not _found:
        try:
            from . import versions

            new = ctypes.pythonapi.PyCapsule_New
            new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
            capsule = new(ctypes.cast(_handler, ctypes.c_void_p).value, b"xla._CUSTOM_CALL_TARGET", None)
            versions.extension_module().register_custom_call_target("millrace_meets_xla", capsule, "cpu", 1)
        except Exception:
            _found.append(0)
    return _found[0] if _found else 0
