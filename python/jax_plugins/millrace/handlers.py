"""Hands the typed FFI handlers of this process to the plugin: jaxlib's (LAPACK, Python callbacks) and the user's.

JAX gives custom call targets and types of platform "cpu" to one receiver, normally XLA:CPU's. receive() takes that place and
passes each on to both. Those of platform "millrace" go to the plugin alone.
"""

import ctypes
import warnings

from . import callbacks, extensions, versions

FFI_EXTENSION = 5
UNTYPED, TYPED_FFI = 0, 1
PLATFORM = b"Host"


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


class _TypeArgs(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("extension", ctypes.c_void_p),
        ("type_name", ctypes.c_char_p),
        ("type_name_size", ctypes.c_size_t),
        ("type_id", ctypes.c_int64),
        ("type_info", ctypes.c_void_p),
    ]


class _TypeInfo(ctypes.Structure):
    """PJRT's: the functions alone."""

    _fields_ = [("deleter", ctypes.c_void_p), ("serialize", ctypes.c_void_p), ("deserialize", ctypes.c_void_p)]


class _XlaTypeInfo(ctypes.Structure):
    """What a handler's library has: a head and the same functions, as many as struct_size covers. Those of jaxlib 0.8.0
    have no head, so there an address stands where the size is expected."""

    _fields_ = [("struct_size", ctypes.c_size_t), ("extension", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]
    LARGEST = 1 << 16

    def deleter_of(self):
        if self.struct_size > self.LARGEST:
            return self.struct_size
        return self.deleter if self.struct_size >= ctypes.sizeof(_XlaTypeInfo) else None


_Register = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_RegisterArgs))
_RegisterType = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_TypeArgs))


class _FfiExtension(ctypes.Structure):
    _fields_ = [
        ("base", extensions.Head),
        ("type_register", _RegisterType),
        ("user_data_add", ctypes.c_void_p),
        ("register_handler", _Register),
    ]


def _capsule_address(capsule):
    get_name = ctypes.pythonapi.PyCapsule_GetName
    get_name.restype, get_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return get_pointer(capsule, get_name(capsule))


def _encoded(name):
    return name.encode() if isinstance(name, str) else bytes(name)


class _Plugin:
    """The plugin's registry."""

    def __init__(self, extension):
        self._extension = extension

    def _add_stage(self, name, stage, handler):
        platform = PLATFORM + b":" + stage
        error = self._extension.register_handler(
            _RegisterArgs(ctypes.sizeof(_RegisterArgs), name, len(name), handler, platform, len(platform), 0)
        )
        if error:
            raise RuntimeError(f"millrace refuses stage {stage.decode()} of FFI target {name.decode()}")

    def add_target(self, name, target, api_version):
        if int(api_version) == UNTYPED:
            self._add_stage(_encoded(name), b"untyped", _capsule_address(target))
            return
        if int(api_version) != TYPED_FFI:
            return
        stages = target if isinstance(target, dict) else {"execute": target}
        # Execute comes first: it starts the target anew, and the others join it.
        # What is recorded for later no device here has.
        for stage in sorted(stages, key=lambda stage: stage != "execute"):
            if stages[stage] is not None and stage != "record":
                self._add_stage(_encoded(name), _encoded(stage), _capsule_address(stages[stage]))

    def add_type(self, name, registration):
        """Takes the id that stands in the registration, or puts one there."""
        if not isinstance(registration, dict):
            registration = {"type_id": registration}
        place = ctypes.cast(_capsule_address(registration["type_id"]), ctypes.POINTER(ctypes.c_int64))
        info = _TypeInfo()
        if registration.get("type_info") is not None:
            theirs = ctypes.cast(_capsule_address(registration["type_info"]), ctypes.POINTER(_XlaTypeInfo)).contents
            info.deleter = theirs.deleter_of()
        encoded = _encoded(name)
        args = _TypeArgs(
            ctypes.sizeof(_TypeArgs), None, encoded, len(encoded), place[0], ctypes.addressof(info)
        )
        if self._extension.type_register(args):
            raise RuntimeError(f"millrace refuses FFI type {encoded.decode()} with id {place[0]}")
        place[0] = args.type_id


def _receive_types(plugin):
    """Types come before handlers: XLA:CPU takes no handler whose types it does not know, and what was registered earlier
    comes now."""
    from jaxlib import xla_client

    if not versions.has("types for FFI handlers"):
        return
    extension = versions.extension_module()
    if versions.has("types with their functions"):
        set_receiver, register_with_cpu = xla_client.register_custom_type_handler, extension.register_custom_type
    else:
        set_receiver, register_with_cpu = xla_client.register_custom_type_id_handler, extension.register_custom_type_id

    def receive_type(name, registration):
        register_with_cpu(name, registration)  # gives the id
        plugin.add_type(name, registration)

    set_receiver("cpu", receive_type)
    set_receiver("millrace", plugin.add_type)


def register(path):
    """Registers every known handler and type with the plugin at `path`, and every one that is registered later."""
    from jaxlib import lapack, xla_client

    jaxlib_extension = versions.extension_module()
    extension = extensions.find(path, FFI_EXTENSION, _FfiExtension)
    if extension is None:
        return
    plugin = _Plugin(extension)

    def receive(name, target, platform, api_version, *traits):
        plugin.add_target(name, target, api_version)
        jaxlib_extension.register_custom_call_target(name, target, platform, api_version, *traits)

    def receive_own(name, target, platform, api_version, *traits):
        plugin.add_target(name, target, api_version)

    # A typed one comes by its stages. Up to jaxlib 0.7 the C library's functions and others that XLA:CPU's own code calls
    # are among them, each a bare address.
    targets = jaxlib_extension.custom_call_targets("Host").items()
    known = [(name, target, TYPED_FFI) for name, target in targets if isinstance(target, dict)]
    known += [(name, target, UNTYPED) for name, target in targets if name in callbacks.UNTYPED]
    refused = []
    linear_algebra = lapack.registrations()["cpu"] if versions.has("lapack.registrations") else []
    for name, target, api_version in known + linear_algebra:
        try:
            plugin.add_target(name, target, api_version)
        except RuntimeError as error:  # of a jaxlib whose FFI is newer: programs without such calls run all the same
            refused.append(str(error))
    if refused:
        warnings.warn(f"{len(refused)} of jaxlib's handlers are not available. {refused[0]}", stacklevel=2)
    _receive_types(plugin)
    xla_client.register_custom_call_handler("cpu", receive)
    xla_client.register_custom_call_handler("millrace", receive_own)
