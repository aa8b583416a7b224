"""jax.ffi: handlers of a user's own library, in C against jaxlib's header, on platform "cpu" (both clients) and "millrace"."""

import ctypes
import gc
import pathlib
import shutil
import subprocess

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental.buffer_callback import buffer_callback

SOURCE = pathlib.Path(__file__).with_name("ffi_handlers.c")
MILLRACE = jax.devices("millrace")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    compiler = shutil.which("cc") or pytest.skip("no C compiler")
    path = tmp_path_factory.mktemp("ffi") / "handlers.so"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", f"-I{jax.ffi.include_dir()}", SOURCE, "-o", path, "-lpthread"],
                   check=True, timeout=60)
    return ctypes.CDLL(str(path))


@pytest.fixture(scope="module", params=["cpu", "millrace"])
def target(request, library):
    """target(name): what ffi_call is given, after everything was registered for one platform."""
    platform = request.param

    def name(plain):
        return f"{plain}_{platform}"

    def address(symbol):
        return jax.ffi.pycapsule(ctypes.addressof(ctypes.c_char.in_dll(library, symbol)))

    # One id serves both platforms: the second registration finds it in place.
    jax.ffi.register_ffi_type(f"counter_{platform}", {"type_id": address("counter_id"), "type_info": address("counter_info")},
                              platform=platform)
    stages = {stage: jax.ffi.pycapsule(getattr(library, f"Counter{stage.title()}")) for stage in ("instantiate", "execute")}
    jax.ffi.register_ffi_target(name("counter"), stages, platform=platform)
    for symbol in ("Scale", "Later", "Increment", "Note", "Share"):
        jax.ffi.register_ffi_target(name(symbol.lower()), jax.ffi.pycapsule(getattr(library, symbol)), platform=platform)
    return name


def scaled(target, x):
    return jax.ffi.ffi_call(target("scale"), jax.ShapeDtypeStruct(x.shape, x.dtype), vmap_method="broadcast_all")(
        x, factor=np.float32(2), label="abc", weights=np.array([1, 2, 3], np.int32))


def test_attributes(target):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(np.asarray(jax.jit(lambda x: scaled(target, x) + 1)(x)), 2 * x + 3 + 6 + 1)
    np.testing.assert_array_equal(np.asarray(jax.vmap(lambda x: scaled(target, x))(x)), 2 * x + 3 + 6)


def test_a_target_for_cpu_runs_on_both_clients_and_one_for_millrace_there_alone(target, oracle):
    x = np.ones(3, np.float32)
    assert jax.jit(lambda x: scaled(target, x))(jax.device_put(x, MILLRACE[0])).device == MILLRACE[0]
    on_xla = jax.jit(lambda x: scaled(target, x))
    if target("") == "_cpu":
        assert on_xla(jax.device_put(x, oracle)).device == oracle
    else:
        with pytest.raises(jax.errors.JaxRuntimeError, match="scale_millrace"):
            on_xla(jax.device_put(x, oracle))


def test_wrong_attributes_are_an_error_with_the_handlers_words(target):
    f = jax.jit(lambda x: jax.ffi.ffi_call(target("scale"), x)(x, factor=np.int32(1)))
    with pytest.raises(Exception, match="INVALID_ARGUMENT.*attributes are not what they should be"):
        f(jnp.ones(3)).block_until_ready()


def test_state_lives_as_long_as_the_program(target, library):
    before = library.live_counters()
    counter = jax.jit(lambda: jax.ffi.ffi_call(target("counter"), jax.ShapeDtypeStruct((), jnp.int32))(start=np.int32(5)))
    other = jax.jit(lambda: jax.ffi.ffi_call(target("counter"), jax.ShapeDtypeStruct((), jnp.int32))(start=np.int32(50)))
    assert [int(counter()) for _ in range(3)] == [5, 6, 7]
    assert [int(other()) for _ in range(2)] == [50, 51]
    assert library.live_counters() > before
    del counter, other
    jax.clear_caches()
    gc.collect()
    assert library.live_counters() == before


def test_a_result_that_comes_later(target):
    f = jax.jit(lambda x: jax.ffi.ffi_call(target("later"), jax.ShapeDtypeStruct(x.shape, x.dtype))(x) + 1)
    np.testing.assert_array_equal(np.asarray(f(jnp.arange(1.0, 4.0))), [4, 7, 10])
    with pytest.raises(Exception, match="ABORTED.*later it failed"):
        f(-jnp.ones(3)).block_until_ready()


def test_results_in_place(target):
    x = jnp.arange(3.0)
    f = jax.jit(lambda x: jax.ffi.ffi_call(target("increment"), jax.ShapeDtypeStruct(x.shape, x.dtype),
                                           input_output_aliases={0: 0})(x))
    np.testing.assert_array_equal(np.asarray(f(x)), [1, 2, 3])
    np.testing.assert_array_equal(np.asarray(x), [0, 1, 2])


def test_effects_without_results(target, library):
    @jax.jit
    def f(x):
        jax.ffi.ffi_call(target("note"), (), has_side_effect=True)(x)
        return x + 1

    assert int(f(jnp.int32(7))) == 8
    assert library.noted() % 10 == 7


def test_memory_threads_and_device(target):
    for index, device in enumerate(MILLRACE):
        f = jax.jit(lambda x: jax.ffi.ffi_call(target("share"), jax.ShapeDtypeStruct((4,), jnp.int32))(x))
        done, ordinal, threads, elsewhere = np.asarray(f(jax.device_put(np.ones(1, np.float32), device)))
        assert (done, ordinal) == (8, index) and threads >= 1 and elsewhere == (8 if threads > 1 else 0)


@pytest.mark.filterwarnings("ignore:jax.core.abstract_token")
def test_tokens_keep_effects_in_order(target, library):
    @jax.jit
    def f(x):
        token = jax.lax.create_token()
        for i in (4, 2, 9):
            (token,) = jax.ffi.ffi_call(target("note"), (jax.core.abstract_token,), has_side_effect=True)(x + i, token)
        return x

    f(jnp.int32(0)).block_until_ready()
    assert library.noted() % 1000 == 429


ROW = jax.ShapeDtypeStruct((3,), jnp.float32)


def test_handlers_that_are_not_typed(library, oracle):
    """Those of before: by the call's version they are given a result or an array of them, a status, and the call's text."""
    for symbol in ("PlusOne", "SumAndDifference", "Transposed"):
        jax.ffi.register_ffi_target(f"untyped_{symbol}", jax.ffi.pycapsule(getattr(library, symbol)), platform="cpu", api_version=0)
    x, y = np.array([1, 2, 3], np.float32), np.array([4, 6, 9], np.float32)
    matrix = np.arange(6, dtype=np.float32).reshape(2, 3)

    @jax.jit
    def f(x, y, matrix):
        one = jax.ffi.ffi_call("untyped_PlusOne", ROW, custom_call_api_version=1)(x)
        both = jax.ffi.ffi_call("untyped_SumAndDifference", (ROW, ROW), custom_call_api_version=2)(x, y)
        turned = jax.ffi.ffi_call("untyped_Transposed", jax.ShapeDtypeStruct((2, 3), jnp.float32), custom_call_api_version=3,
                                  legacy_backend_config="four", input_layouts=((1, 0),))(matrix)
        return one, *both, turned

    wanted = x + 1, x + y, x - y, matrix + 4
    for device in (oracle, MILLRACE[0]):
        for got, want in zip(f(*jax.device_put((x, y, matrix), device)), wanted, strict=True):
            assert got.device == device
            np.testing.assert_array_equal(np.asarray(got), want)
    with pytest.raises(jax.errors.JaxRuntimeError, match="untyped_nobody"):
        jax.jit(lambda x: jax.ffi.ffi_call("untyped_nobody", ROW, custom_call_api_version=1)(x))(jax.device_put(x, MILLRACE[0]))


def test_a_callback_that_asks_for_a_stream_is_told_there_is_none():
    said = []

    def callback(context, out, x):
        try:
            context.stream
        except jax.errors.JaxRuntimeError as error:
            said.append(str(error))  # jaxlib takes the object apart: ffi_errors makes it one of its own
        np.asarray(out)[...] = np.asarray(x) * 2

    f = buffer_callback(callback, jax.ShapeDtypeStruct((4,), np.float32))
    np.testing.assert_array_equal(np.asarray(f(jnp.arange(4.0))), np.arange(4.0) * 2)
    assert said == ["UNIMPLEMENTED: XLA FFI GPU context is not available: this platform has no streams"]
