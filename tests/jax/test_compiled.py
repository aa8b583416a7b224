"""Compiled programs as things: layouts of their arguments, what they cost, keeping and loading them."""

import os
import pickle
import re
import subprocess
import sys

import jax
import jax.numpy as jnp
import jax_plugins.millrace
import numpy as np
import pytest
from jax.experimental.layout import Format, Layout, with_layout_constraint


def formatted(order, index=0):
    return Format(Layout(major_to_minor=order), jax.sharding.SingleDeviceSharding(jax.devices()[index]))


cube = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def test_arrays_are_put_in_the_layout_asked_for():
    array = jax.device_put(cube, formatted((2, 0, 1)))
    assert array.format.layout.major_to_minor == (2, 0, 1)
    host = np.asarray(array)
    assert host.strides == (12, 4, 24)  # looked at in place
    np.testing.assert_array_equal(host, cube)
    back = jax.device_put(array, formatted((0, 1, 2)))
    assert back.format.layout.major_to_minor == (0, 1, 2)
    np.testing.assert_array_equal(np.asarray(back), cube)
    moved = jax.device_put(array, jax.devices()[1])
    np.testing.assert_array_equal(np.asarray(moved), cube)


def test_programs_take_and_give_the_layouts_asked_for():
    function = jax.jit(lambda a: a.sum(0) * 2, in_shardings=formatted((2, 0, 1)), out_shardings=formatted((1, 0)))
    compiled = function.lower(jax.ShapeDtypeStruct(cube.shape, cube.dtype)).compile()
    assert compiled.input_formats[0][0].layout.major_to_minor == (2, 0, 1)
    assert compiled.output_formats.layout.major_to_minor == (1, 0)
    array = jax.device_put(cube, formatted((2, 0, 1)))
    result = function(array)
    assert result.format.layout.major_to_minor == (1, 0)
    np.testing.assert_array_equal(np.asarray(result), cube.sum(0) * 2)
    plain = jax.jit(lambda a: a + 1)(array)
    np.testing.assert_array_equal(np.asarray(plain), cube + 1)


@pytest.mark.parametrize("order, tiling, size", [((0, 1), ((2, 4),), 128), ((1, 0), ((2, 2), (2, 1)), 96)])
def test_tiled_layouts(order, tiling, size):
    """3 by 5 floats in tiles: padding counts, and a program gives and takes what was asked for."""
    tiled = Format(Layout(order, tiling), jax.sharding.SingleDeviceSharding(jax.devices("millrace")[0]))
    host = np.arange(15, dtype=np.float32).reshape(3, 5)
    x = jax.device_put(host, tiled)
    y = jax.jit(lambda a: a * 2, in_shardings=tiled, out_shardings=tiled)(x)
    for array, values in ((x, host), (y, host * 2)):
        assert array.format.layout == tiled.layout and array.on_device_size_in_bytes() == size
        np.testing.assert_array_equal(np.asarray(array), values)
    np.testing.assert_array_equal(np.asarray(jax.jit(lambda a: a.T @ a)(x)), host.T @ host)


AUTOMATIC = {
    "a transpose": lambda a, b: a.T,
    "another transpose": lambda a, b: a.transpose(1, 2, 0),
    "what is computed with it": lambda a, b: jnp.exp(a.T * 2) + 1,
    "computed with before": lambda a, b: (a + 1).transpose(2, 0, 1).astype(jnp.bfloat16),
    "two of one order": lambda a, b: a.T * (a.T + 1),
    "two of different orders": lambda a, b: a.T + b,
    "none": lambda a, b: a * 2,
    "several": lambda a, b: (a.T, a * 2, a.T + b, a[0].T),
    "a choice": lambda a, b: jnp.where(a.T > 0, a.T, 0),
    "a sort": lambda a, b: jnp.sort(a.T),
    "one that the program says": lambda a, b: with_layout_constraint(a.T, Layout((0, 1, 2))),
    "another that it says": lambda a, b: with_layout_constraint(a * 2, Layout((1, 2, 0))),
}


@pytest.mark.parametrize("name", AUTOMATIC)
def test_automatic_layouts_are_xlas(name, oracle):
    """Those of results, as XLA:CPU has them (parameters are row-major); and the numbers are there, to be read and computed with."""
    function = AUTOMATIC[name]
    arguments = [np.random.default_rng(i).normal(size=shape).astype(np.float32) for i, shape in enumerate([(3, 5, 4), (4, 5, 3)])]
    orders = []
    for device in [None, oracle]:
        with jax.default_device(device):
            jitted = jax.jit(function, in_shardings=Format(Layout.AUTO), out_shardings=Format(Layout.AUTO))
            compiled = jitted.lower(*arguments).compile()
        orders.append([form.layout.major_to_minor for form in jax.tree.leaves(compiled.output_formats)])
        if device is None:
            results = jax.tree.leaves(compiled(*arguments))
    assert orders[0] == orders[1]
    for got, wanted in zip(results, jax.tree.leaves(jax.jit(function)(*arguments))):
        np.testing.assert_array_equal(got, wanted)
        np.testing.assert_array_equal(jax.jit(lambda x: x[::-1] * 2)(got), wanted[::-1] * 2)


def test_automatic_layouts_of_narrow_integers_are_row_major():
    jitted = jax.jit(lambda a: a.T.astype(jnp.int4), out_shardings=Format(Layout.AUTO))
    compiled = jitted.lower(np.arange(6.0, dtype=np.float32).reshape(2, 3)).compile()
    assert compiled.output_formats.layout.major_to_minor == (0, 1)


def test_an_automatic_layout_moves_nothing():
    x = jnp.arange(12.0).reshape(3, 4)
    compiled = jax.jit(lambda x: x.T, out_shardings=Format(Layout.AUTO), donate_argnums=0).lower(x).compile()
    where = x.unsafe_buffer_pointer()
    result = compiled(x)
    assert result.format.layout.major_to_minor == (1, 0) and result.unsafe_buffer_pointer() == where
    np.testing.assert_array_equal(result, np.arange(12.0).reshape(3, 4).T)


def test_donation_of_arrays_in_other_layouts():
    order = formatted((1, 2, 0))
    array = jax.device_put(cube, order)
    result = jax.jit(lambda a: a * 3, donate_argnums=0, in_shardings=order, out_shardings=order)(array)
    assert array.is_deleted()
    np.testing.assert_array_equal(np.asarray(result), cube * 3)


def test_large_arrays_in_other_layouts_wait_for_their_producer():
    array = jax.device_put(np.random.default_rng(0).random((256, 512, 16), np.float32), formatted((2, 1, 0)))
    for _ in range(4):
        array = jax.jit(lambda a: a * 0.5, in_shardings=formatted((2, 1, 0)), out_shardings=formatted((2, 1, 0)))(array)
    assert array.format.layout.major_to_minor == (2, 1, 0)
    np.testing.assert_allclose(np.asarray(array).sum(), np.asarray(array + 0).sum(), rtol=5e-7)


def test_cost_analysis_counts():
    x, w = np.ones((128, 256), np.float32), np.ones((256, 512), np.float32)
    costs = jax.jit(jnp.matmul).lower(x, w).compile().cost_analysis()
    assert costs["flops"] == 2 * 128 * 256 * 512
    assert costs["bytes accessed"] == 4 * (128 * 256 + 256 * 512 + 128 * 512)
    costs = jax.jit(lambda a: jnp.tanh(a) + 1).lower(x).compile().cost_analysis()
    assert (costs["flops"], costs["transcendentals"], costs["bytes accessed"]) == (x.size, x.size, 2 * x.nbytes)


def test_memory_analysis():
    x, w = np.ones((128, 256), np.float32), np.ones((256, 512), np.float32)
    stats = jax.jit(lambda x, w: jnp.tanh(x @ w).sum()).lower(x, w).compile().memory_analysis()
    assert stats.argument_size_in_bytes == x.nbytes + w.nbytes
    assert stats.output_size_in_bytes == 4
    assert stats.temp_size_in_bytes >= 4 * 128 * 512
    stats = jax.jit(lambda x: x + 1, donate_argnums=0).lower(x).compile().memory_analysis()
    assert stats.alias_size_in_bytes == x.nbytes


def test_memory_analysis_is_what_a_run_uses():
    """The peak is the arguments, which are there, and what the analysis counts: blocks of a power of two have no slack."""
    device = jax.devices()[0]
    before = device.memory_stats()
    # Enough rows for a peak above all those of before.
    rows = 4096 + (before["peak_bytes_in_use"] - before["bytes_in_use"]) // 1024
    rows = 1 << (rows - 1).bit_length()
    x, w = jnp.ones((rows, 256), jnp.float32), jnp.ones((256, 256), jnp.float32) / 256
    compiled = jax.jit(lambda x, w: jnp.tanh(x @ w) @ w).lower(x, w).compile()
    stats = compiled.memory_analysis()
    assert (stats.output_size_in_bytes, stats.temp_size_in_bytes) == (x.nbytes, x.nbytes)
    jax.block_until_ready((x, w))
    before = device.memory_stats()["bytes_in_use"]
    y = compiled(x, w).block_until_ready()
    after = device.memory_stats()
    wanted = stats.output_size_in_bytes + stats.temp_size_in_bytes
    assert wanted <= after["peak_bytes_in_use"] - before <= wanted * 9 / 8
    assert y.nbytes <= after["bytes_in_use"] - before <= y.nbytes * 9 / 8


def test_the_optimized_program_is_what_the_passes_made():
    def wasteful(x):
        return x * 5.0 + jnp.transpose(jnp.transpose(x))

    text = jax.jit(wasteful).lower(np.ones((3, 4), np.float32)).compile().as_text()
    assert "multiply" in text and "transpose" not in text


def test_a_sink_keeps_what_it_is_given():
    def f(x):
        jax.lax.dce_sink(x + 1, prevent_mlir_dce=True)
        return x

    program = jax.jit(f).lower(np.float32(2)).compile()
    assert "dce_sink" in program.as_text() and "add" in program.as_text()
    assert program(np.float32(2)) == 2


LOADER = """
import pickle, sys
import numpy as np, jax
from jax.experimental import serialize_executable
jax.devices()
program = serialize_executable.deserialize_and_load(*pickle.load(open(sys.argv[1], "rb")))
print(np.asarray(program(np.arange(6, dtype=np.float32).reshape(2, 3))).tolist())
"""


def kernels_in(folder):
    return sorted(path.name for path in folder.rglob("*.mrk"))


def test_serialized_programs_bring_their_kernels(tmp_path):
    """Another process loads and runs one; the kernels in its cache are those of the plugin's warm-up, or none."""
    from jax.experimental import serialize_executable

    compiled = jax.jit(lambda x: jnp.cos(x).sum(1) * 17 + x[0, 0]).lower(np.ones((2, 3), np.float32)).compile()
    path = tmp_path / "program"
    path.write_bytes(pickle.dumps(serialize_executable.serialize(compiled)))
    environment = {**__import__("os").environ, "MILLRACE_CACHE_DIR": str(tmp_path / "cache"), "MILLRACE_NUM_DEVICES": "1"}
    run = subprocess.run([sys.executable, "-c", LOADER, path], env=environment, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    wanted = np.cos(np.arange(6.0).reshape(2, 3)).sum(1) * 17
    np.testing.assert_allclose([float(v) for v in re.findall(r"-?[\d.]+", run.stdout)], wanted, rtol=5e-7)
    assert len(kernels_in(tmp_path / "cache")) <= 1


def test_damaged_programs_are_refused():
    from jax.experimental import serialize_executable

    compiled = jax.jit(lambda x: x - 43).lower(np.ones(5, np.float32)).compile()
    payload, in_tree, out_tree = serialize_executable.serialize(compiled)
    start = payload.index(b"MILLRACE")
    version = jax_plugins.millrace.__version__.encode()
    other = (bytes([version[0] ^ 1]) + version[1:]).decode()
    damages = {
        0: "do not start with the header",
        16: f"made by millrace {other} in format",
        152: "bytes after the header",
        400: "checksum differs",
    }
    for offset, says in damages.items():
        at = start + offset
        damaged = payload[:at] + bytes([payload[at] ^ 1]) + payload[at + 1 :]
        with pytest.raises(jax.errors.JaxRuntimeError, match=f"serialized executable: .*{says}"):
            serialize_executable.deserialize_and_load(damaged, in_tree, out_tree)
    again = serialize_executable.deserialize_and_load(payload, in_tree, out_tree, execution_devices=jax.devices()[:1])
    np.testing.assert_array_equal(np.asarray(again(np.ones(5, np.float32))), np.full(5, -42))


def test_programs_of_another_machine_are_refused(tmp_path):
    from jax.experimental import serialize_executable

    compiled = jax.jit(lambda x: x - 41).lower(np.ones(5, np.float32)).compile()
    payload, in_tree, out_tree = serialize_executable.serialize(compiled)
    path = tmp_path / "program"
    path.write_bytes(pickle.dumps((payload, in_tree, out_tree)))
    environment = {**__import__("os").environ, "MILLRACE_CPU": "x86-64-v2", "MILLRACE_NUM_DEVICES": "1"}
    run = subprocess.run([sys.executable, "-c", LOADER, path], env=environment, capture_output=True, text=True, timeout=120)
    assert run.returncode != 0
    assert "its machine code is for" in run.stderr and "this is x86-64-v2" in run.stderr


@pytest.mark.skipif(os.environ.get("MILLRACE_DEVICES", "cpu") != "cpu", reason="device memory has no address")
def test_unsafe_pointer_does_not_wait():
    """The address of a pending result, asked for under Python's lock while its program is going to need that lock."""
    import threading

    gate = threading.Event()

    def slow(x):
        gate.wait(20)
        return x + 1

    # Queued behind a longer program: what is ready and small would run within the call.
    late = jax.jit(lambda a: (jax.lax.fori_loop(0, 20, lambda _, b: jnp.tanh(b @ a), a)[0, :64] * 0 + 1))
    f = jax.jit(lambda x: jax.pure_callback(slow, jax.ShapeDtypeStruct((64,), np.float32), x) * 2)
    matrix = jnp.ones((1024, 1024)) * 1e-4
    f.lower(jax.ShapeDtypeStruct((64,), np.float32)).compile()
    late.lower(matrix).compile()
    result = f(late(matrix))
    address = result.unsafe_buffer_pointer()
    gate.set()
    assert address % 64 == 0
    np.testing.assert_array_equal(np.asarray(result), np.full(64, 4, np.float32))
    assert np.asarray(result).ctypes.data == address


@pytest.mark.parametrize("dtype", ["int2", "uint2", "int4", "uint4"])
def test_narrow_integers_in_other_layouts(dtype):
    values = (np.arange(12).reshape(3, 4) % 4 - (2 if dtype.startswith("int") else 0)).astype(jnp.dtype(dtype))
    array = jax.device_put(values, formatted((1, 0)))
    np.testing.assert_array_equal(np.asarray(array).astype(np.int32), values.astype(np.int32))


@pytest.mark.parametrize("dtype", ["int2", "uint2", "int4", "uint4"])
def test_bytes_of_narrow_integers_are_as_hosts_write_them(dtype):
    # Whatever was above the bits; moved, computed, cast and written down in the program.
    raw = (np.arange(64) * 37).astype(np.uint8).view(jnp.dtype(dtype))
    wanted = raw.astype(np.int8).astype(jnp.dtype(dtype)).view(np.uint8)
    array = jax.device_put(raw)
    moved = jax.jit(lambda a: jax.lax.dynamic_update_slice(a, a[:8], (8,)))(array)
    assert np.asarray(array).tobytes() == wanted.tobytes()
    assert np.asarray(moved).tobytes() == np.concatenate([wanted[:8], wanted[:8], wanted[16:]]).tobytes()
    assert np.asarray(jax.jit(lambda: jnp.asarray(raw))()).tobytes() == wanted.tobytes()
    for f in [lambda a: a * a.dtype.type(1), lambda a: a.astype(jnp.int32).astype(a.dtype), lambda a: jnp.sort(jnp.flip(a))]:
        bytes_of = np.asarray(jax.jit(f)(array)).view(np.uint8)
        assert sorted(bytes_of) == sorted(wanted)
    filled = np.asarray(jax.jit(lambda: jnp.full(100, -1, dtype))()).view(np.uint8)
    assert (filled == np.full(100, -1).astype(jnp.dtype(dtype)).view(np.uint8)).all()
