"""Hands the typed FFI handlers of this process to the plugin: jaxlib's (LAPACK, Python callbacks) and the user's.

JAX gives custom call targets of platform "cpu" to one receiver, normally XLA:CPU's. receive() takes that place and passes
each target on to both.
"""

import ctypes

FFI_EXTENSION = 5
TYPED_FFI = 1
OK = 0


class _Extension(ctypes.Structure):
    pass


_Extension._fields_ = [
    ("struct_size", ctypes.c_size_t),
    ("type", ctypes.c_int),
    ("next", ctypes.POINTER(_Extension)),
]


class _ApiHead(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("extension", ctypes.POINTER(_Extension))]


class _RegisterArgs(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("target_name", ctypes.c_char_p),
        ("target_name_size", ctypes.c_size_t),
        ("handler", ctypes.c_void_p),
        ("platform_name", ctypes.c_char_p),
        ("platform_name_size", ctypes.c_size_t),
        ("traits", ctypes.c_int),
    ]


_Register = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_RegisterArgs))


class _FfiExtension(ctypes.Structure):
    _fields_ = [
        ("base", _Extension),
        ("type_register", ctypes.c_void_p),
        ("user_data_add", ctypes.c_void_p),
        ("register_handler", ctypes.c_void_p),
    ]


def _find_register(path):
    """The plugin's register_handler, or None when its FFI extension has none."""
    library = ctypes.CDLL(path)
    library.GetPjrtApi.restype = ctypes.POINTER(_ApiHead)
    extension = library.GetPjrtApi().contents.extension
    while extension:
        if extension.contents.type == FFI_EXTENSION:
            ffi = ctypes.cast(extension, ctypes.POINTER(_FfiExtension)).contents
            return _Register(ffi.register_handler) if ffi.register_handler else None
        extension = extension.contents.next
    return None


def _capsule_address(capsule):
    get_name = ctypes.pythonapi.PyCapsule_GetName
    get_name.restype, get_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return get_pointer(capsule, get_name(capsule))


def register(path):
    """Registers every known handler with the plugin at `path`, and every one that is registered later."""
    from jaxlib import _jax, lapack, xla_client

    plugin_register = _find_register(path)
    if plugin_register is None:
        return

    def tell_plugin(name, target, api_version):
        if isinstance(target, dict):
            target = target.get("execute")
        if target is None or int(api_version) != TYPED_FFI:
            return
        encoded = name.encode() if isinstance(name, str) else bytes(name)
        platform = b"Host"
        plugin_register(
            _RegisterArgs(
                ctypes.sizeof(_RegisterArgs), encoded, len(encoded), _capsule_address(target),
                platform, len(platform), OK,
            )
        )

    def receive(name, target, platform, api_version, *traits):
        tell_plugin(name, target, api_version)
        _jax.register_custom_call_target(name, target, platform, api_version, *traits)

    for name, target in _jax.custom_call_targets("Host").items():
        tell_plugin(name, target, TYPED_FFI)
    for name, target, api_version in lapack.registrations()["cpu"]:
        tell_plugin(name, target, api_version)
    xla_client.register_custom_call_handler("cpu", receive)
