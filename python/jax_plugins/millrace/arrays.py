"""Arrays of other libraries (dlpack): JAX puts those in host memory on the client that is registered as "cpu". While
millrace is the default, that is millrace.
"""


class _Shim:
    """A module as jax._src.dlpack sees it."""

    def __init__(self, module):
        self._module = module

    def __getattr__(self, name):
        return getattr(self._module, name)


def _is_millrace(device):
    return device.device_kind == "millrace"


class _Bridge(_Shim):
    def get_backend(self, platform=None):
        default = self._module.get_backend()
        if platform == "cpu" and _is_millrace(default.devices()[0]):
            return default
        return self._module.get_backend(platform)


class _Jaxlib(_Shim):
    def dlpack_managed_tensor_to_buffer(self, tensor, device, stream, copy, *rest):
        if not _is_millrace(device):
            return self._module.dlpack_managed_tensor_to_buffer(tensor, device, stream, copy, *rest)
        # Memory of any alignment can be looked at; and jaxlib asks plugins for a copy in a way that they cannot answer.
        view = self._module.dlpack_managed_tensor_to_buffer(tensor, device, stream, False, *rest)
        if not copy:
            return view
        import jax.numpy as jnp

        return jnp.array(view, copy=True)


def use_default_for_dlpack():
    from jax._src import dlpack

    dlpack.xla_bridge = _Bridge(dlpack.xla_bridge)
    dlpack._jax = _Jaxlib(dlpack._jax)
