"""Dumps in XLA's own form (`xla_dump_hlo_as_proto`): XLA reads them, and what it makes of them computes the same."""

import os
import pathlib
import re
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax._src.lib import xla_client
from jaxlib import _hlo, _jax

HERE = pathlib.Path(__file__).parent
FLOATS = np.linspace(0.1, 1.0, 96, dtype=np.float32)
IMAGE, KERNEL = FLOATS[:64].reshape(1, 8, 8, 1), FLOATS[:27].reshape(3, 3, 1, 3)
MATRIX = FLOATS.reshape(8, 12)


def convolution(image, kernel):
    return lax.conv_general_dilated(image, kernel, (2, 1), "SAME", rhs_dilation=(1, 2),
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"))


def loop(x, steps):
    table = jnp.outer(x, x)  # from outside the loop
    return lax.while_loop(lambda c: c[0] < steps, lambda c: (c[0] + 1, table @ c[1] / table.sum()), (0, x))


def branches(x, which):
    return lax.switch(which, [lambda y: y.sum() + x, lambda y: y * 2, lambda y: x], x[::-1])


def scatter(x, at):
    return x.at[at].add(x[:3]), x.at[at].max(0.5), x.at[at, ].set(7, unique_indices=True)


def sorts(x):
    return jnp.sort(x, 0), jnp.argsort(-x, 1), lax.top_k(x, 3), lax.sort((x, x + 1), num_keys=2)


def pools(x):
    return jax.grad(lambda y: lax.reduce_window(y, -jnp.inf, lax.max, (2, 3), (2, 1), "SAME").sum())(x), jnp.cumsum(x, 1)


def random(seed):
    key = jax.random.key(seed)
    return jax.random.normal(key, (5,)), lax.rng_bit_generator(jnp.arange(4, dtype=jnp.uint32), (3,))


def several(x):
    return {"a": x + 1, "b": (x.astype(jnp.bfloat16), x > 0.5, (x * 9).astype(jnp.int8), x.astype(jnp.int4))}


def constants(x):
    """Of every type that XLA:CPU has, each in a field of its own."""
    types = ["bool", "int4", "uint4", "int8", "uint8", "int16", "uint16", "int32", "uint32", "bfloat16", "float16", "float32",
             "complex64", "float8_e5m2", "float8_e4m3fn", "float8_e4m3b11fnuz", "float8_e5m2fnuz", "float8_e4m3fnuz"]
    return x, [jnp.asarray(np.array([1, 0, 3, 2, 1]), dtype) for dtype in types]


FUNCTIONS = {
    "convolution": (convolution, IMAGE, KERNEL),
    "products": (lambda x: (x @ x.T, jnp.einsum("ij,ik->ijk", x, x), x.astype(jnp.float16) @ x.T.astype(jnp.float16)), MATRIX),
    "loop": (loop, FLOATS[:6], np.int32(5)),
    "branches": (branches, FLOATS[:6], np.int32(1)),
    "choice": (lambda x, p: lax.cond(p, lambda: x * 2, lambda: x - 1), FLOATS[:6], np.bool_(True)),
    "scan": (lambda x: lax.scan(lambda c, y: (c * 0.5 + y, c.sum()), x[0], x), MATRIX),
    "gather": (lambda x, at: (x[at], x[:, at], x.take(at, 1, mode="clip")), MATRIX, np.array([3, 0, 7])),
    "scatter": (scatter, MATRIX, np.array([3, 0, 7])),
    "slices": (lambda x, i: lax.dynamic_update_slice(x, lax.dynamic_slice(x, (i, 0), (2, 3)), (i, i)), MATRIX, np.int32(4)),
    "padding": (lambda x: jnp.flip(lax.pad(x, jnp.float32(2), ((1, 2, 1), (-1, 0, 0))), 0)[::2, 1:5].T, MATRIX),
    "sorts": (sorts, MATRIX),
    "pools": (pools, MATRIX),
    "reductions": (lambda x: (x.max(1), x.argmin(0), (x > 0.3).any(), jnp.prod(x), jnp.var(x, 0)), MATRIX),
    "fft": (lambda x: (jnp.fft.rfft(x), jnp.fft.ifft2(x + 1j * x), jnp.conj(x + 2j)), MATRIX[:, :8]),
    "random": (random, np.uint32(3)),
    "solve": (lambda a, b: jnp.linalg.solve(jnp.linalg.cholesky(a), b), np.eye(4, dtype=np.float32) * 3 + 1, FLOATS[:4]),
    "several": (several, MATRIX),
    "constants": (constants, FLOATS[:5]),
    "nothing": (lambda x: (jnp.zeros((0, 3)), x[:0], np.arange(300)), FLOATS),
}


def hlo_of(file):
    """The module of an HloProto, its field 1, which is all there is."""
    data, size, shift, at = file.read_bytes(), 0, 0, 1
    assert data[0] == 0x0A
    while True:
        size |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            assert at + size == len(data)
            return data[at:]


def text_of(module):
    """As XLA prints it, which it also reads again: that looks at every shape."""
    text = _hlo.HloModule.from_serialized_hlo_module_proto(module).to_string()
    _hlo.hlo_module_from_text(text)
    return text


def on_xla(module, arguments, options=None):
    """The results' parts on each device of as many as the options say."""
    options = options or xla_client.CompileOptions()
    devices = jax.devices("cpu")[: options.num_partitions]
    program = _jax.mlir.xla_computation_to_mlir_module(_hlo.XlaComputation(module))
    executable = devices[0].client.compile_and_load(program, xla_client.DeviceList(tuple(devices)), options)
    return executable.execute_sharded(arguments).disassemble_into_single_device_arrays()


def assert_close(found, wanted):
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    if not jnp.issubdtype(found.dtype, jnp.inexact):
        np.testing.assert_array_equal(found, wanted)
        return
    # Both add in an order of their own, and take other ways to the same function.
    eps = float(jnp.finfo(found.dtype).eps)
    found, wanted = (x.astype(np.complex128) for x in (found, wanted))
    np.testing.assert_allclose(found, wanted, rtol=64 * eps, atol=64 * eps * np.abs(wanted).max(initial=0))


def dump(function, arguments, folder, **jit):
    options = {"xla_dump_to": str(folder), "xla_dump_hlo_as_proto": True}
    results = jax.jit(function, compiler_options=options, **jit)(*arguments)
    files = sorted(folder.iterdir())
    assert [file.name.split(".", 2)[2] for file in files] == ["before_optimizations.hlo.pb",
                                                             "cpu_after_optimizations.hlo.pb"]
    return results, [hlo_of(file) for file in files]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_xla_computes_the_same(name, tmp_path):
    function, *arguments = FUNCTIONS[name]
    results, modules = dump(function, arguments, tmp_path)
    wanted = [np.asarray(leaf) for leaf in jax.tree.leaves(results)]
    for module in modules:
        text_of(module)
        there = [jax.device_put(a, jax.devices("cpu")[0]) for a in arguments]
        found = on_xla(module, there)
        assert len(found) == len(wanted)
        for f, w in zip(found, wanted):
            assert_close(np.asarray(f[0]), w)


def test_what_is_donated_and_where_it_is_from(tmp_path):
    _, modules = dump(lambda x, y: (x + y, x * 2), (FLOATS, FLOATS), tmp_path, donate_argnums=0)
    for module in modules:
        text = text_of(module)
        assert "input_output_alias={ {0}: (0, {}, may-alias) }" in text
        assert re.search(r'add\(.*op_name="jit\(.*\)/add" source_file=".*test_hlo_dumps.py" source_line=\d+', text)


def test_custom_calls_are_what_they_were(tmp_path):
    _, modules = dump(lambda x: jnp.linalg.qr(x), (MATRIX,), tmp_path)
    for module in modules:
        call = re.search(r'custom-call\(.*custom_call_target="lapack_sgeqrf_ffi".*', text_of(module))[0]
        assert "operand_layout_constraints={f32[8,12]{0,1}}" in call and "api_version=API_VERSION_TYPED_FFI" in call
        assert "output_to_operand_aliasing={{0}: (0, {})}" in call


def test_a_program_out_of_the_cache_is_dumped(tmp_path):
    from jax._src import compilation_cache

    def compiled(run):
        jax.clear_caches()
        return dump(lambda x: jnp.sin(x) + 1, (FLOATS,), tmp_path / run)[1]

    settings = {"jax_compilation_cache_dir": str(tmp_path / "cache"), "jax_persistent_cache_min_compile_time_secs": 0,
                "jax_persistent_cache_min_entry_size_bytes": 0}
    before = {name: getattr(jax.config, name) for name in settings}
    try:
        for name, value in settings.items():
            jax.config.update(name, value)
        compilation_cache.reset_cache()
        first = compiled("one")
        kept = sorted(file.name for file in (tmp_path / "cache").iterdir())
        assert first == compiled("two")
        assert any(name.startswith("jit__lambda") for name in kept)
        assert kept == sorted(file.name for file in (tmp_path / "cache").iterdir())
    finally:
        for name, value in before.items():
            jax.config.update(name, value)
        compilation_cache.reset_cache()


def test_over_several_devices():
    """In a process that has them (sharded_dumps.py)."""
    environment = {**os.environ, "MILLRACE_NUM_DEVICES": "4", "JAX_NUM_CPU_DEVICES": "4"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE / "sharded_dumps.py"]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]
