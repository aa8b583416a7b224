"""Runs programs that were exported before, without JAX: a model is a function of numpy arrays.

    import millrace

    m = millrace.load("model.mlirbc")     # with the weights beside it, model.safetensors
    y = m(x)                              # or m(x=x); any array that has the buffer protocol or DLPack
    y = await m.call(x)                   # in asyncio

docs/python.md says the rest; jax_plugins.millrace.export() makes such files. Needs numpy alone.
"""

import atexit
import os

import numpy

from ._arrays import Error, Port, empty


def _find_extension():
    """In a checkout it is in a build's folder: that of the plugin which MILLRACE_LIBRARY names, else the release build's."""
    here = os.path.dirname(os.path.abspath(__file__))
    named = os.environ.get("MILLRACE_LIBRARY")
    builds = [os.path.dirname(os.path.dirname(os.path.abspath(named)))] if named else []
    builds.append(os.path.join(os.path.dirname(os.path.dirname(here)), "build", "release"))
    for folder in [here, *(os.path.join(build, "python", "millrace") for build in builds)]:
        if os.path.exists(os.path.join(folder, "_core.abi3.so")):
            if folder != here:
                __path__.append(folder)
            return


_find_extension()
try:
    from . import _core
except ImportError as error:
    from ._why import why

    raise ImportError(why(error)) from error

Buffer, Device, Model, Session, devices, put = _core.Buffer, _core.Device, _core.Model, _core.Session, _core.devices, _core.put
__all__ = ["Buffer", "Device", "Error", "Model", "Port", "Session", "Weights", "devices", "empty", "load", "put"]


class Weights:
    """Weights(path): the arrays of a .safetensors or .npz file by name, where they lie in the file, which must not change.
    Weights({name: array}): copies of them."""

    __slots__ = ("_weights", "path")

    def __init__(self, path):
        if hasattr(path, "items"):
            self.path, self._weights = None, _copies(path)
        else:
            self.path = os.fspath(path)
            self._weights = _core.open_weights(self.path)

    def keys(self):
        return self._weights.keys()

    def __getitem__(self, name):
        return self._weights[name]

    def __iter__(self):
        return iter(self._weights)

    def __len__(self):
        return len(self._weights)

    def __contains__(self, name):
        return name in self._weights

    def __repr__(self):
        return f"<millrace.Weights {self.path or 'in memory'}, {len(self)} arrays>"


def _copies(arrays):
    """By way of a file without a name, since files are what the engine opens."""
    import tempfile

    from jax_plugins.millrace.exporting import safetensors  # which imports no JAX by itself

    with tempfile.NamedTemporaryFile(suffix=".safetensors") as file:
        for piece in safetensors({name: numpy.asarray(array) for name, array in arrays.items()}):
            file.write(piece)
        file.flush()
        return _core.open_weights(file.name)


def load(program, *, weights=None, device=None):
    """A Model of the file `program`, or of its bytes.

    weights  None: PROGRAM.safetensors or PROGRAM.npz beside the file, when there is one; a path, a dict of arrays by name, or Weights
             that several models share; False: none, so that every parameter is an input until bind() is called
    device   a Device of devices(), or its number; None: the first

    Nothing is compiled yet: the first call of each size is, or prepare(). Error says what is wrong with a file.
    """
    if hasattr(weights, "items"):
        weights = Weights(weights)
    shared = weights if isinstance(weights, Weights) else None
    if shared is not None or weights is False:
        weights = ""
    elif weights is not None:
        weights = os.fspath(weights)
    if not isinstance(program, (bytes, bytearray, memoryview)):
        program = os.fspath(program)
    elif not isinstance(program, bytes):
        program = bytes(program)
    model = _core.load(program, device, weights)
    if shared is not None:
        model.bind(shared)
    return model


def _bind(self, weights):
    """bind(weights): parameters get their values from a path, a dict of arrays or Weights, from here on; calls that run go on with those they had. The
    first time comes before the first call, since it decides which parameters are inputs, and before options() and session()."""
    self._bind((weights if isinstance(weights, Weights) else Weights(weights))._weights)


def _call(self, *arguments, **keywords):
    """call(x, ..): as a call, but gives an awaitable of asyncio's at once. Wrong arguments raise here, what goes wrong later there. Arrays
    that were passed must not change until it has ended. Cancelling it ends the call."""
    from ._asyncio import call

    Model.call = Session.call = call
    return call(self, *arguments, **keywords)


Model.bind = _bind
Model.call = Session.call = _call

atexit.register(_core.ending)
