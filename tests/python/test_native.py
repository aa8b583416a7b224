"""`import millrace`: programs without JAX."""

import gc
import sys
import threading

import ml_dtypes
import native
import numpy as np
import pytest

import millrace
from millrace import _core

X = np.arange(128, dtype=np.float32)


@pytest.fixture(autouse=True)
def nothing_stays():
    """As many objects as before, once garbage has been collected."""
    before = _core.live()
    yield
    gc.collect()
    after = {kind: count for kind, count in _core.live().items() if count > before[kind] and kind != "completions"}
    assert not after, f"{after} live, there were {before}"


@pytest.fixture(scope="module")
def plus_one():
    return millrace.load(native.PLUS_ONE)


def refused(code, call, *words):
    with pytest.raises(millrace.Error) as caught:
        call()
    assert caught.value.code == code, caught.value
    for word in words:
        assert word in str(caught.value)


# ---- What is imported ----------------------------------------------------------------------------------------------------


def test_neither_jax_nor_what_is_not_needed_is_imported():
    code = f"""
import sys, numpy
import millrace
m = millrace.load({native.PLUS_ONE!r})
assert m(numpy.zeros(128, numpy.float32))[5] == 1
print(sorted(name for name in ("jax", "jaxlib", "jax_plugins", "ml_dtypes", "asyncio", "ctypes.util") if name in sys.modules))
"""
    assert native.fresh(code).strip() == "[]"


def test_what_cannot_be_loaded_says_why(tmp_path):
    code = f"""
import sys, shutil, pathlib
here = pathlib.Path({str(tmp_path)!r}) / "millrace"
shutil.rmtree(here, ignore_errors=True)
shutil.copytree({str(native.ROOT / "python" / "millrace")!r}, here, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
sys.path.insert(0, {str(tmp_path)!r})
{{}}
try:
    import millrace
except ImportError as error:
    print(error)
"""
    # Without the variable, nothing names a build for a package that is in no checkout.
    missing = native.fresh(code.format(""), MILLRACE_LIBRARY="/nowhere/lib/libpjrt_millrace.so")
    assert "the extension of millrace is not at" in missing and "python3-dev" in missing
    broken = native.fresh(code.format('(here / "_core.abi3.so").write_bytes(b"no library")')).strip()
    assert "_core.abi3.so" in broken and "cannot be loaded" in broken


# ---- Calls ---------------------------------------------------------------------------------------------------------------


def test_a_result_is_a_fresh_array_that_may_be_written(plus_one):
    first, second = plus_one(X), plus_one(X)
    assert type(first) is np.ndarray and first.dtype == np.float32 and first.flags.writeable
    np.testing.assert_array_equal(first, X + 1)
    first[:] = 0
    np.testing.assert_array_equal(second, X + 1)


def test_arguments_by_position_and_by_name_and_several_results():
    m = millrace.load(native.TWO)
    a, b = np.array([1, 2, 3], np.float32), np.array([4, 5, 6], np.int32)
    assert [port.name for port in m.inputs] == ["a", "b"]
    assert m.inputs[1] == ("b", "int32", (3,), False)
    assert [port.name for port in m.outputs] == ["result['sum']", "result['twice']"]
    for total, twice in (m(a, b), m(a, b=b), m(b=b, a=a)):
        np.testing.assert_array_equal(total, [5, 7, 9])
        np.testing.assert_array_equal(twice, [8, 10, 12])


def test_arguments_may_be_strided_lists_and_numbers(plus_one):
    np.testing.assert_array_equal(plus_one(X[::-1]), X[::-1] + 1)
    np.testing.assert_array_equal(plus_one(np.repeat(X, 2)[::2]), X + 1)
    np.testing.assert_array_equal(plus_one(X.tolist()), X + 1)
    np.testing.assert_array_equal(plus_one(memoryview(X)), X + 1)
    read_only = X.copy()
    read_only.flags.writeable = False
    np.testing.assert_array_equal(plus_one(read_only), X + 1)
    unaligned = np.frombuffer(b"\0\0" + X.tobytes(), np.uint8)[2:].view(np.float32)
    np.testing.assert_array_equal(plus_one(unaligned), X + 1)


def test_arrays_for_calls_begin_on_lines(plus_one):
    x = millrace.empty(128)
    assert x.dtype == np.float32 and x.flags.writeable and x.ctypes.data % 64 == 0 and millrace.empty((2, 0, 3), "int8").shape == (2, 0, 3)
    x[:] = X
    np.testing.assert_array_equal(plus_one(x), X + 1)


def test_what_is_wrong_is_named(plus_one):
    refused("INVALID_ARGUMENT", lambda: plus_one(X.astype(np.float64)), "x is f64[128], wanted f32[128]")
    refused("INVALID_ARGUMENT", lambda: plus_one(X.astype(">f4")), ">f4")
    refused("INVALID_ARGUMENT", lambda: plus_one(X[:5]), "x is f32[5], wanted f32[128]")
    refused("INVALID_ARGUMENT", lambda: plus_one(X.reshape(2, 64)), "x is f32[2,64]")
    refused("INVALID_ARGUMENT", lambda: plus_one(), "no argument for x")
    refused("INVALID_ARGUMENT", lambda: plus_one(X, X), "more arguments than inputs: 2")
    refused("INVALID_ARGUMENT", lambda: plus_one(z=X), "no input z; the inputs are x")
    refused("INVALID_ARGUMENT", lambda: plus_one(X, x=X), "by position and by name: x")
    refused("INVALID_ARGUMENT", lambda: plus_one.prepare(b=3), "no size of the model is called b")
    refused("NOT_FOUND", lambda: millrace.load("/nowhere/model.mlirbc"), "/nowhere/model.mlirbc")
    refused("NOT_FOUND", lambda: millrace.load(native.PLUS_ONE, device=99), "99")
    with pytest.raises(millrace.Error):
        millrace.load(b"no program")
    with pytest.raises(ValueError):
        plus_one(["not", "numbers"])
    with pytest.raises(TypeError):
        millrace.load(3)


FLOATS = ["bf16", "f16", "f32", "f64", "f8E4M3FN", "f8E5M2", "f8E4M3B11FNUZ", "f8E5M2FNUZ", "f8E4M3FNUZ"]


@pytest.mark.parametrize("dtype", [*FLOATS, "i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "i4", "ui4", "complex<f32>", "complex<f64>"])
def test_each_element_type_goes_in_and_out(dtype):
    m = millrace.load(native.same_type(dtype))
    name = m.inputs[0].dtype
    x = np.array([0, 1, 1, 0, 1]).astype(getattr(ml_dtypes, name, None) or np.dtype(name))
    y = m(x)
    assert y.dtype == x.dtype
    np.testing.assert_array_equal(y, x)
    on_device = np.asarray(m.on_device(x))
    assert on_device.dtype == x.dtype
    np.testing.assert_array_equal(on_device, x)
    if not hasattr(np, name):
        np.testing.assert_array_equal(m(x.view(f"uint{8 * x.itemsize}")), x)  # what numpy has without ml_dtypes
        refused("INVALID_ARGUMENT", lambda: m(np.zeros(5, np.complex128)))


def test_without_ml_dtypes_elements_are_bits():
    code = f"""
import sys
sys.modules["ml_dtypes"] = None
import numpy as np, millrace
m = millrace.load({native.same_type("bf16")!r})
x = np.array([1, 2, 3, 4, 0x3f80], np.uint16)
y = m(x)
print(y.dtype, y.tolist() == x.tolist(), np.asarray(m.on_device(x)).dtype)
"""
    assert native.fresh(code).strip() == "uint16 True uint16"


# ---- Buffers -------------------------------------------------------------------------------------------------------------


def test_buffers_go_from_call_to_call(plus_one):
    y = plus_one.on_device(plus_one.on_device(X))
    assert isinstance(y, millrace.Buffer) and y.shape == (128,) and y.dtype == "f32"
    np.testing.assert_array_equal(plus_one(y.wait()), X + 3)
    assert y.is_ready()
    there = millrace.put(X)
    np.testing.assert_array_equal(plus_one(there), X + 1)
    np.testing.assert_array_equal(np.asarray(there.copy()), X)


def test_arrays_of_a_buffer_are_views_that_keep_it(plus_one):
    y = plus_one.on_device(X)
    first, second = np.asarray(y), np.from_dlpack(y)
    assert first.ctypes.data == second.ctypes.data and not first.flags.writeable and not second.flags.writeable
    assert np.array(y).flags.writeable and np.asarray(y, np.float64).dtype == np.float64
    del y
    gc.collect()
    np.testing.assert_array_equal(first, X + 1)
    np.testing.assert_array_equal(second, X + 1)


def test_dlpack_in_without_a_copy_of_the_producers(plus_one):
    class Producer:
        def __init__(self):
            self.asked = 0

        def __dlpack__(self, **how):
            self.asked += 1
            return X.__dlpack__(**how)

        def __dlpack_device__(self):
            return (1, 0)

    producer = Producer()
    np.testing.assert_array_equal(plus_one(producer), X + 1)
    assert producer.asked == 1
    before = sys.getrefcount(X)
    for _ in range(10):
        plus_one(producer)
    assert sys.getrefcount(X) == before


def test_dlpack_out_says_where_and_what(plus_one):
    y = plus_one.on_device(X)
    assert y.__dlpack_device__() == (1, 0)
    y.__dlpack__()  # a capsule that nobody takes
    y.__dlpack__(max_version=(1, 0), dl_device=(1, 0), copy=False, stream=None)
    with pytest.raises(BufferError):
        y.__dlpack__(dl_device=(2, 0))
    four = millrace.load(native.same_type("i4")).on_device(np.zeros(5, ml_dtypes.int4))
    with pytest.raises(BufferError):
        four.__dlpack__()


def test_what_was_freed_or_given_away_is_refused():
    m = millrace.load(native.COUNTER)
    x = np.ones(4, np.float32)
    state = millrace.put(np.zeros(4, np.float32))
    after, _ = m.on_device(state, x)
    refused("INVALID_ARGUMENT", lambda: m.on_device(state, x), "donated")
    np.testing.assert_array_equal(np.asarray(after), x)
    after.free()
    refused("FAILED_PRECONDITION", lambda: m(after, x), "freed")
    refused("FAILED_PRECONDITION", lambda: after.shape)
    assert "freed" in repr(after)
    host = np.zeros(4, np.float32)  # of an array it is a copy that is given away
    m(host, x)
    assert not host.any()


# ---- State ---------------------------------------------------------------------------------------------------------------


def test_a_session_keeps_what_is_donated():
    m = millrace.load(native.COUNTER)
    assert [port.donated for port in m.inputs] == [True, False]
    session = m.session()
    assert session.keys() == ["state"] and len(session) == 1
    assert [port.name for port in session.inputs] == ["x"] and [port.name for port in session.outputs] == ["result[1]"]
    x = np.ones(4, np.float32)
    for number in range(1, 4):
        np.testing.assert_array_equal(session(x), np.full(4, number * number))
    np.testing.assert_array_equal(np.asarray(session["state"]), np.full(4, 3))
    session["state"] = np.full(4, 10, np.float32)
    np.testing.assert_array_equal(session(x=x), np.full(4, 121))
    session["state"] = millrace.put(np.zeros(4, np.float32))
    np.testing.assert_array_equal(np.asarray(session.on_device(x)), np.ones(4))
    with pytest.raises(KeyError):
        session["other"]
    refused("INVALID_ARGUMENT", lambda: session.__setitem__("state", np.zeros(3, np.float32)))
    refused("INVALID_ARGUMENT", lambda: session(np.ones(5, np.float32)), "x is f32[5]")


# ---- Devices, options ----------------------------------------------------------------------------------------------------


def test_devices_and_what_runs_on_them():
    code = f"""
import numpy as np, millrace
first, second = millrace.devices()
assert first != second and first == millrace.devices()[0] and (second.id, second.kind) == (1, "cpu")
for which in (second, 1):
    m = millrace.load({native.PLUS_ONE!r}, device=which)
    assert m.device == second
    x = np.ones(128, np.float32)
    assert (m(x) == 2).all()
    assert (m(millrace.put(x, second)) == 2).all() and (m(millrace.put(x).copy(second)) == 2).all()
assert second.memory[0] <= second.memory[1] <= second.memory[2]
"""
    native.fresh(code, MILLRACE_NUM_DEVICES="2")


def test_a_timeout_ends_a_call():
    m = millrace.load(native.ENDLESS)
    assert m(np.int32(1)) == 1
    refused("DEADLINE_EXCEEDED", lambda: m.options(timeout=0.05)(np.int32(0)))
    refused("INVALID_ARGUMENT", lambda: m.options(timeout=-1))
    refused("INVALID_ARGUMENT", lambda: m.options(priority=101))


# ---- Threads, ends -------------------------------------------------------------------------------------------------------


def test_other_threads_go_on_while_a_call_runs():
    """The GIL is let go of: what a thread counts meanwhile ends the other's call."""
    m = millrace.load(native.ENDLESS).options(timeout=60)
    m.prepare()
    x = np.zeros((), np.int32)
    wrong = []

    def call():
        try:
            m.options(timeout=0.3)(x)
        except millrace.Error as error:
            wrong.append(error.code)

    thread = threading.Thread(target=call)
    thread.start()
    counted = 0
    while thread.is_alive():
        counted += 1
    thread.join()
    assert wrong == ["DEADLINE_EXCEEDED"] and counted > 100


def test_many_threads_call_one_model(plus_one):
    slow = millrace.load(native.SLOW)
    square = np.full((150, 150), 0.001, np.float32)
    wanted, wrong = slow(square), []

    def call(number):
        for times in range(50):
            if not (plus_one(X + number) == X + number + 1).all():
                wrong.append((number, times))
        if not (slow(square) == wanted).all():
            wrong.append(number)

    threads = [threading.Thread(target=call, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_references_are_given_back(plus_one):
    big = millrace.load(native.SLOW)
    square = np.zeros((150, 150), np.float32)
    counts = sys.getrefcount(X), sys.getrefcount(square), sys.getrefcount(plus_one)
    for _ in range(20):
        plus_one(X)
        plus_one(x=X)
        big.on_device(square).wait()
        with pytest.raises(millrace.Error):
            plus_one(square)
    _core.live()  # takes back what the engine has done with
    end = 1000
    while (sys.getrefcount(X), sys.getrefcount(square), sys.getrefcount(plus_one)) != counts and end:
        end -= 1
        threading.Event().wait(0.01)
        _core.live()
    assert end


def test_a_process_ends_with_work_queued():
    code = f"""
import numpy as np, millrace
m = millrace.load({native.SLOW!r})
x = np.zeros((150, 150), np.float32)
m(x)
kept = [m.on_device(x) for _ in range(20)]
print("queued")
"""
    assert native.fresh(code).strip() == "queued"


def test_a_child_of_fork_goes_on():
    code = f"""
import os, numpy as np, millrace
m = millrace.load({native.PLUS_ONE!r})
x = np.zeros(128, np.float32)
y = m.on_device(x)
child = os.fork()
fine = (m(y) == 2).all()
if child == 0:
    os._exit(0 if fine else 1)
assert fine and os.waitpid(child, 0)[1] == 0
"""
    native.fresh(code)


def test_jax_and_this_in_one_process(plus_one):
    code = f"""
import jax, jax.numpy as jnp, numpy as np, millrace
x = jnp.arange(128, dtype=jnp.float32)
assert x.devices().pop().device_kind.split()[0] == "millrace"
m = millrace.load({native.PLUS_ONE!r})
assert (m(x) == np.arange(128) + 1).all()
assert (jnp.from_dlpack(m.on_device(x)) == x + 1).all()
"""
    native.fresh(code)
