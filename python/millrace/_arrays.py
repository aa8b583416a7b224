"""What the extension has done in Python, because it is rare or because numpy does it."""

import collections

import numpy as np

ALIGNMENT = 64  # bytes; core.h: MP_ALIGNMENT

Port = collections.namedtuple("Port", "name dtype shape donated")
Port.__doc__ = """An input or output of a model. `shape` has numbers, for open sizes their symbols ("b"), and None where the program computes a
size of several; `donated`: a call takes the memory of a Buffer that is passed."""


class Error(Exception):
    """What the engine answers. `code` is its name: "INVALID_ARGUMENT", "NOT_FOUND", "DEADLINE_EXCEEDED", ..."""

    code = "UNKNOWN"


Error.__module__ = Port.__module__ = "millrace"


def empty(shape, dtype=np.float32):
    """As numpy.empty(), but in memory that a call reads and writes where it lies: it begins on 64 bytes. Numpy's own begins on 16 as a
    rule, and is copied by a call when it is passed."""
    return aligned((shape,) if isinstance(shape, int) else tuple(shape), np.dtype(dtype))


def aligned(shape, dtype):
    count = 1
    for size in shape:
        count *= size
    room = np.empty(count * dtype.itemsize + ALIGNMENT, np.uint8)
    start = -room.ctypes.data % ALIGNMENT
    return room[start : start + count * dtype.itemsize].view(dtype).reshape(shape)


def view_as(array, dtype):
    return array.view(dtype)


def dtype_of(name, size, own):
    """(dtype that the buffer protocol knows, ml_dtypes' in its place or None). Without ml_dtypes what it has are unsigned numbers."""
    if own:
        return np.dtype(name), None
    bits = np.dtype(f"uint{8 * size}")
    try:
        import ml_dtypes

        return bits, np.dtype(getattr(ml_dtypes, name))
    except (ImportError, AttributeError):
        return bits, None


def bits_of(array):
    """(the bits of an array whose type the buffer protocol does not know, the type's name)."""
    array = np.asarray(array)
    if array.dtype.itemsize > 2 or array.dtype.kind not in "Vf" or not array.dtype.isnative:
        error = Error(f"an array of {array.dtype.str} ({array.dtype}), of which there are none here: convert it, .astype() does")
        error.code = "INVALID_ARGUMENT"
        raise error
    return array.view(f"uint{8 * array.dtype.itemsize}"), array.dtype.name


def to_numpy(memory, shown, dtype, copy):
    """As __array__() wants it, of memory that the engine holds."""
    array = np.asarray(memory)
    if shown is not None:
        array = array.view(shown)
    if dtype is not None and array.dtype != dtype:
        if copy is False:
            raise ValueError(f"{array.dtype} would have to be copied to become {np.dtype(dtype)}")
        return array.astype(dtype)
    return array.copy() if copy else array
