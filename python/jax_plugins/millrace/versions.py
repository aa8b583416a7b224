"""What versions of JAX and jaxlib have of what this package uses: one table, from which version on. Nothing else here asks for a version."""

import functools
import re

# The package that says so, and its first version that has it.
_FIRST = {
    "the older of two StableHLO versions": ("jaxlib", (0, 4, 36)),
    "options from a function": ("jax", (0, 6, 1)),
    "callbacks in jax._src.callback": ("jax", (0, 5, 1)),
    "lapack.registrations": ("jaxlib", (0, 5, 3)),
    "types for FFI handlers": ("jaxlib", (0, 4, 38)),
    "types with their functions": ("jaxlib", (0, 8, 1)),
    "dlpack in jax._src.dlpack": ("jax", (0, 8, 0)),
}

# What the jaxlib before that writes and reads; it takes the plugin's version for its own, whichever that is.
STABLEHLO_OF_OLDEST = "1.7.8"


@functools.cache
def _version(package):
    import importlib

    text = importlib.import_module(f"{package}.version").__version__
    return tuple(int(number) for number in re.findall(r"\d+", text)[:3])


def has(what):
    package, first = _FIRST[what]
    return _version(package) >= first


def extension_module():
    """jaxlib's own extension module: jaxlib._jax, before 0.6.1 jaxlib.xla_extension."""
    from jaxlib import xla_client

    return xla_client._xla
