"""Arrays of other libraries by DLPack, both ways: what they share, what they own, and what is refused.

Each test runs with NumPy and with tvm-ffi, which is small, and with PyTorch where that is installed.
"""

import gc
import importlib.util
import os

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import tvm_ffi

# Arrays are shared by their addresses, which a host that may not look at a device's memory does not get.
pytestmark = pytest.mark.skipif(os.environ.get("MILLRACE_DEVICES", "cpu") != "cpu", reason="device memory has no address")

MILLRACE = jax.devices("millrace")
XLA = jax.devices("cpu")


class Numpy:
    """How the tests use a library."""

    types = "bool int8 uint8 int16 uint16 int32 uint32 int64 float16 float32 float64 complex64 complex128".split()
    from_dlpack = staticmethod(np.from_dlpack)
    host = staticmethod(lambda array: array)  # of NumPy's arrays
    values = staticmethod(lambda tensor: tensor)
    address = staticmethod(lambda tensor: tensor.ctypes.data)
    shape = staticmethod(lambda tensor: tensor.shape)
    strides = staticmethod(lambda tensor: tuple(s // tensor.itemsize for s in tensor.strides))
    dtype = staticmethod(lambda tensor: tensor.dtype.name)


class TvmFfi(Numpy):
    types = Numpy.types[:-2] + ["bfloat16", "float8_e4m3fn", "float8_e5m2"]
    from_dlpack = host = staticmethod(tvm_ffi.from_dlpack)
    values = staticmethod(lambda tensor: np.asarray(jnp.from_dlpack(tensor)))
    address = staticmethod(lambda tensor: tensor.data_ptr())
    shape = staticmethod(lambda tensor: tuple(tensor.shape))
    strides = staticmethod(lambda tensor: tuple(tensor.strides))
    dtype = staticmethod(lambda tensor: str(tensor.dtype))


class Torch(TvmFfi):
    types = Numpy.types + ["bfloat16"]
    from_dlpack = staticmethod(lambda array: importlib.import_module("torch").from_dlpack(array))
    host = staticmethod(lambda array: importlib.import_module("torch").from_numpy(array))
    strides = staticmethod(lambda tensor: tensor.stride())
    dtype = staticmethod(lambda tensor: str(tensor.dtype).removeprefix("torch."))


LIBRARIES = [Numpy, TvmFfi] + ([Torch] if importlib.util.find_spec("torch") else [])
EACH = pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.__name__)
EACH_TYPE = pytest.mark.parametrize(
    "library, dtype", [(library, dtype) for library in LIBRARIES for dtype in library.types],
    ids=lambda value: value if isinstance(value, str) else value.__name__)


def aligned(count, dtype=np.float32, offset=0):
    """An array whose address is `offset` beyond a multiple of 64."""
    size = count * np.dtype(dtype).itemsize
    block = np.zeros(size + offset + 64, np.uint8)
    start = -block.ctypes.data % 64 + offset
    array = block[start : start + size].view(dtype)
    array[...] = np.arange(count)
    return array


# ---- To another library ---------------------------------------------------------------------------------------------


@EACH_TYPE
def test_every_type_goes_out_and_comes_back_in_place(library, dtype):
    with jax.enable_x64(True):
        x = jnp.asarray(np.arange(12).reshape(3, 4) % 2, dtype)
        tensor = library.from_dlpack(x)
        assert library.address(tensor) == x.unsafe_buffer_pointer()
        assert library.shape(tensor) == (3, 4) and library.strides(tensor) == (4, 1) and library.dtype(tensor) == dtype
        np.testing.assert_array_equal(library.values(tensor), np.asarray(x))
        if library is not Numpy:  # which does not export what it may not write
            back = jnp.from_dlpack(tensor)
            assert back.unsafe_buffer_pointer() == x.unsafe_buffer_pointer() and back.dtype == x.dtype
            assert back.devices() == {MILLRACE[0]}


@EACH
@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,), (2, 1, 3)])
def test_shapes(library, shape):
    x = jnp.asarray(np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape))
    tensor = library.from_dlpack(x)
    assert library.shape(tensor) == shape
    np.testing.assert_array_equal(library.values(tensor), np.asarray(x))


@EACH
def test_a_tensor_outlives_its_array(library):
    for end in (lambda x: None, lambda x: x.delete()):
        x = jnp.arange(100_000.0) + 1
        tensor = library.from_dlpack(x)
        end(x)
        del x
        gc.collect()
        for i in range(4):  # whoever got the block would write there
            jax.jit(lambda: jnp.full(100_000, float(i)))().block_until_ready()
        np.testing.assert_array_equal(library.values(tensor), np.arange(100_000.0) + 1)


@EACH
def test_a_shared_array_is_not_overwritten_by_who_it_is_donated_to(library):
    x = jnp.arange(64.0) + 0
    tensor = library.from_dlpack(x)
    y = jax.jit(lambda v: v * 2, donate_argnums=0)(x)
    assert not x.is_deleted() and y.unsafe_buffer_pointer() != library.address(tensor)
    np.testing.assert_array_equal(library.values(tensor), np.arange(64.0))
    np.testing.assert_array_equal(np.asarray(x), np.arange(64.0))
    np.testing.assert_array_equal(np.asarray(y), np.arange(64.0) * 2)
    x.delete()
    with pytest.raises(RuntimeError, match="deleted"):
        x.__dlpack__()
    np.testing.assert_array_equal(library.values(tensor), np.arange(64.0))


@EACH
def test_what_is_not_computed_yet_is_waited_for(library):
    a = jnp.eye(700) * 2

    @jax.jit
    def slow(v):
        for _ in range(8):
            v = v @ a
        return v

    y = slow(a).block_until_ready()
    for _ in range(3):
        y = slow(jnp.eye(700))
        np.testing.assert_array_equal(library.values(library.from_dlpack(y))[:3, :3], np.eye(3) * 256)


# As on XLA:CPU, where a number says nothing either.
@pytest.mark.parametrize("stream", [None, -1, 0, 1, 2])
def test_any_stream_will_do(stream):
    x = jnp.arange(8.0)
    for y in (x, jax.device_put(x, XLA[0])):
        assert "dltensor" in repr(y.__dlpack__(stream=stream))
    x.delete()
    with pytest.raises(RuntimeError, match="deleted"):
        x.__dlpack__(stream=stream)


# ---- From another library -------------------------------------------------------------------------------------------


@EACH_TYPE
def test_every_type_comes_in_in_place(library, dtype):
    if dtype not in Numpy.types:
        return  # the round trip above has it: its tensors are not made from NumPy's arrays
    with jax.enable_x64(True):
        host = (aligned(12, np.float64) % 2).astype(dtype).reshape(3, 4)
        tensor = library.host(host)
        x = jnp.from_dlpack(tensor, copy=False)
        assert x.unsafe_buffer_pointer() == host.ctypes.data and x.dtype == dtype and x.devices() == {MILLRACE[0]}
        np.testing.assert_array_equal(np.asarray(x), host)
        np.testing.assert_array_equal(np.asarray(jax.jit(lambda v: v == v)(x)), np.ones((3, 4), bool))


@EACH
def test_an_array_outlives_its_tensor_and_its_owner_hears_of_the_end(library):
    host = aligned(1000)
    tensor = library.host(host)
    del host
    x = jnp.from_dlpack(tensor)
    del tensor
    gc.collect()
    np.testing.assert_array_equal(np.asarray(x + 1), np.arange(1000.0) + 1)


@EACH
def test_a_tensor_is_never_written_by_who_it_is_donated_to(library):
    host = aligned(64)
    x = jnp.from_dlpack(library.host(host))
    assert x.unsafe_buffer_pointer() == host.ctypes.data
    y = jax.jit(lambda v: v + 5, donate_argnums=0)(x)
    np.testing.assert_array_equal(np.asarray(y), np.arange(64.0) + 5)
    np.testing.assert_array_equal(host, np.arange(64.0))
    assert x.is_deleted()


@EACH
def test_what_the_owner_writes_is_seen(library):
    host = aligned(64)
    x = jnp.from_dlpack(library.host(host))
    double = jax.jit(lambda v: v * 2)
    assert float(double(x)[7]) == 14
    host[7] = 100
    assert float(double(x)[7]) == 200


@EACH
def test_transposed_tensors_are_shared(library):
    host = aligned(4096).reshape(64, 64)
    x = jnp.from_dlpack(library.host(host.T))
    assert x.unsafe_buffer_pointer() == host.ctypes.data and x.format.layout.major_to_minor == (1, 0)
    np.testing.assert_array_equal(np.asarray(x), host.T)
    np.testing.assert_allclose(np.asarray(jax.jit(lambda a: a @ a)(x)), host.T @ host.T, rtol=5e-7)
    np.testing.assert_array_equal(np.asarray(x.T), host)


# jaxlib passes on no such strides, to no client.
@EACH
@pytest.mark.parametrize("view", [lambda a: a[::2], lambda a: a[:, 1:], lambda a: np.lib.stride_tricks.as_strided(a, (8, 8), (0, 4))])
def test_tensors_with_gaps_are_refused_by_jaxlib(library, view):
    host = aligned(64).reshape(8, 8)
    host = view(host)
    for device in (MILLRACE[0], XLA[0]):
        with pytest.raises(jax.errors.JaxRuntimeError, match="striding"):
            jnp.from_dlpack(library.host(host), device=device)


@EACH
def test_the_alignment_of_malloc_is_wanted(library):
    for offset in (0, 16, 48, 4, 60):
        host = aligned(250, offset=offset)
        shares = offset % 16 == 0
        if shares:
            assert jnp.from_dlpack(library.host(host), copy=False).unsafe_buffer_pointer() == host.ctypes.data
        else:
            with pytest.raises(ValueError, match="requires a copy"):
                jnp.from_dlpack(library.host(host), copy=False)
        x = jnp.from_dlpack(library.host(host))
        assert (x.unsafe_buffer_pointer() == host.ctypes.data) == shares and x.devices() == {MILLRACE[0]}
        assert float(jax.jit(lambda v: (v + 1).sum())(x)) == (host + 1).sum()
        own = jnp.from_dlpack(library.host(host), copy=True)
        assert own.unsafe_buffer_pointer() != host.ctypes.data and own.devices() == {MILLRACE[0]}
        host[0] = 7
        np.testing.assert_array_equal(np.asarray(own), np.arange(250.0))


def test_a_copy_of_any_type_and_strides():
    with jax.enable_x64(True):
        for dtype in ("int8", "float16", "bfloat16", "float8_e4m3fn", "complex128", "bool"):
            width = jnp.dtype(dtype).itemsize
            block = aligned(13 * width, np.uint8, offset=1 if width == 1 else 2)
            for values in (block[: 12 * width].view(jnp.dtype(dtype)), block[: 12 * width].view(jnp.dtype(dtype)).reshape(3, 4).T):
                values[...] = np.arange(12).reshape(values.shape) % 2
                x = jnp.from_dlpack(tvm_ffi.from_dlpack(values) if dtype in Numpy.types else _Foreign(values))
                assert x.dtype == values.dtype and x.devices() == {MILLRACE[0]}
                np.testing.assert_array_equal(np.asarray(x, np.complex128), np.asarray(values, np.complex128))


class _Foreign:
    """An array of a type that NumPy does not export, under the code that DLPack has for it."""

    codes = {"bfloat16": 4, "float8_e4m3fn": 10}

    def __init__(self, array):
        self._bytes = array.view(np.uint16 if array.itemsize == 2 else np.uint8)
        self._code = self.codes[array.dtype.name]

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **options):
        from jax_plugins.millrace import arrays

        capsule = self._bytes.__dlpack__()
        arrays.tensor_of(capsule).code = self._code
        return capsule


@EACH
def test_the_device_that_is_named_or_that_an_array_is_on(library):
    host = aligned(64)
    assert jnp.from_dlpack(library.host(host)).devices() == {MILLRACE[0]}
    for device in (MILLRACE[0], XLA[0]):
        x = jnp.from_dlpack(library.host(host), device=device, copy=False)
        assert x.devices() == {device} and x.unsafe_buffer_pointer() == host.ctypes.data
        again = jax.dlpack.from_dlpack(x)
        assert again.devices() == {device} and again.unsafe_buffer_pointer() == host.ctypes.data
    other = jnp.from_dlpack(library.host(host), device=MILLRACE[1])
    assert other.devices() == {MILLRACE[1]}
    np.testing.assert_array_equal(np.asarray(other), host)
