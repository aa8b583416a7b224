"""Arrays of other libraries (dlpack): JAX puts those in host memory on the client that is registered as "cpu". While
millrace is the default, that is millrace, unless the caller names a device or the array is one of XLA:CPU's.
"""

import contextlib
import ctypes
import functools
import threading

from . import versions

# By DLPack's codes; the number of bits follows where it is not part of the name.
_TYPES = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex", 6: "bool", 7: "float8_e3m4", 8: "float8_e4m3",
          9: "float8_e4m3b11fnuz", 10: "float8_e4m3fn", 11: "float8_e4m3fnuz", 12: "float8_e5m2", 13: "float8_e5m2fnuz",
          14: "float8_e8m0fnu"}


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


def tensor_of(capsule):
    """What a capsule says, for as long as it lives."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return _Tensor.from_address(pointer(capsule, b"dltensor"))


def _numpy_copy(capsule):
    """The content of a capsule that stays the producer's."""
    import jax.numpy as jnp
    import numpy as np

    tensor = tensor_of(capsule)
    name = _TYPES[tensor.code]
    dtype = jnp.dtype(name if name == "bool" or "8" in name else f"{name}{tensor.bits}")
    shape = tensor.shape[: tensor.ndim]
    if 0 in shape:
        return np.empty(shape, dtype)
    steps = tensor.strides[: tensor.ndim] if tensor.strides else np.cumprod([1, *shape[:0:-1]])[: tensor.ndim][::-1]
    strides = [int(step) * dtype.itemsize for step in steps]
    reach = [stride * (size - 1) for stride, size in zip(strides, shape)]
    below = -sum(r for r in reach if r < 0)
    extent = below + sum(r for r in reach if r > 0) + dtype.itemsize
    block = (ctypes.c_char * extent).from_address(tensor.data + tensor.byte_offset - below)
    return np.array(np.ndarray(shape, dtype, block, below, strides))


class _Shim:
    """A module as jax._src.dlpack sees it."""

    def __init__(self, module):
        self._module = module

    def __getattr__(self, name):
        return getattr(self._module, name)


def _is_millrace(device):
    return device.device_kind.split()[0] == "millrace"


class _Bridge(_Shim):
    """"cpu" is the client of the chosen device, else millrace while that is the default."""

    def __init__(self, module):
        super().__init__(module)
        self._chosen = threading.local()

    @contextlib.contextmanager
    def choose(self, device):
        self._chosen.device = device
        try:
            yield
        finally:
            self._chosen.device = None

    def get_backend(self, platform=None):
        device = getattr(self._chosen, "device", None) or self._module.get_backend().devices()[0]
        if platform == "cpu" and (_is_millrace(device) or device.platform == "cpu"):
            return device.client
        return self._module.get_backend(platform)


class _Jaxlib(_Shim):
    def dlpack_managed_tensor_to_buffer(self, tensor, device, stream, *rest):
        # jaxlib 0.8.0 and 0.8.1 have no argument that says whether to copy, or may be given none.
        make = self._module.dlpack_managed_tensor_to_buffer
        if not _is_millrace(device) or not rest:
            return make(tensor, device, stream, *rest)
        copy, *rest = rest
        import jax
        import jax.numpy as jnp

        # jaxlib asks plugins for a copy in a way that its own client for plugins refuses.
        try:
            view = make(tensor, device, stream, False, *rest)
        except jax.errors.JaxRuntimeError as error:
            if copy is False or "is not aligned to" not in str(error):
                raise
            return jax.device_put(_numpy_copy(tensor), device)
        return jnp.array(view, copy=True) if copy else view


def _device_for(array, device):
    """The device whose client stands for "cpu": the one that was asked for, or that an array of JAX is on."""
    import jax

    if isinstance(device, jax.sharding.Sharding):
        devices = device.device_set
    elif device is not None:
        devices = {device}
    else:
        devices = array.devices() if isinstance(array, jax.Array) else ()
    return next(iter(devices)) if len(devices) == 1 else None


def use_default_for_dlpack():
    import jax.dlpack
    from jax._src import dlpack

    if not versions.has("dlpack in jax._src.dlpack"):  # which then puts such arrays on XLA:CPU
        return
    bridge = _Bridge(dlpack.xla_bridge)
    dlpack.xla_bridge = bridge
    dlpack._jax = _Jaxlib(dlpack._jax)
    original = dlpack.from_dlpack

    @functools.wraps(original)
    def from_dlpack(external_array, device=None, copy=None):
        with bridge.choose(_device_for(external_array, device)):
            return original(external_array, device=device, copy=copy)

    dlpack.from_dlpack = jax.dlpack.from_dlpack = from_dlpack
