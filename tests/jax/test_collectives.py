"""Collectives of shard_map over eight devices give the bits that XLA:CPU's give, also in loops and branches that devices take differently.

In a process of its own, which has eight devices of each."""

import os
import subprocess
import sys
import textwrap

import pytest

SCRIPT = textwrap.dedent(
    """
    import os
    import jax
    jax.config.update("jax_num_cpu_devices", 8)
    import jax.numpy as jnp
    import numpy as np
    from jax import lax
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

    random = np.random.default_rng(0)
    wrong = []

    def on(platform, function, x, shape, names, spec):
        mesh = Mesh(np.array(jax.devices(platform)[:8]).reshape(shape), names)
        run = jax.jit(jax.shard_map(function, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=False))
        return np.asarray(run(jax.device_put(x, NamedSharding(mesh, spec))))

    def same(name, function, x, shape=(8,), names=("x",), spec=P("x")):
        ours, theirs = (on(platform, function, x, shape, names, spec) for platform in ("millrace", "cpu"))
        if ours.dtype != theirs.dtype or ours.tobytes() != theirs.tobytes():
            wrong.append(name)

    def each(dtype):
        x = (random.standard_normal((16, 8)) * 20).astype(np.float32)
        x = x.astype(dtype) if np.dtype(dtype).kind != "c" else (x + 1j * x[::-1]).astype(dtype)
        name = np.dtype(dtype).name
        same(f"psum {name}", lambda v: lax.psum(v, "x"), x)
        same(f"psum_scatter {name}", lambda v: lax.psum_scatter(v, "x", scatter_dimension=1, tiled=True), x)
        same(f"all_gather {name}", lambda v: lax.all_gather(v, "x", axis=1, tiled=True), x)
        same(f"all_to_all {name}", lambda v: lax.all_to_all(v, "x", 1, 0, tiled=True), x)
        same(f"ppermute {name}", lambda v: lax.ppermute(v, "x", [(0, 1), (1, 2), (5, 5)]), x)
        if np.dtype(dtype).kind != "c":
            same(f"pmax {name}", lambda v: lax.pmax(v, "x"), x)

    def until(v):
        go_on = lambda c: c[0] < lax.axis_index("x") * 3
        return lax.while_loop(go_on, lambda c: (c[0] + 1, lax.psum(c[1], "y") * 0.5), (0, v))[1]

    def some(v):
        return lax.cond(lax.axis_index("x") < 2, lambda a: lax.psum(a, "y"), lambda a: a * 2, v)

    for dtype in (np.float32, np.float16, jnp.bfloat16, np.int8, np.uint32, np.complex64):
        each(dtype)
    x = random.standard_normal((16, 8)).astype(np.float32)
    plane = dict(shape=(4, 2), names=("x", "y"), spec=P("x", "y"))
    same("groups", lambda v: lax.psum(v, "x", axis_index_groups=[[0, 2, 4, 6], [1, 3, 5, 7]]), x)
    same("one axis", lambda v: lax.psum(v, "y"), x, **plane)
    same("until", until, x, **plane)
    same("some", some, x, **plane)
    same("ring", lambda v: lax.fori_loop(0, 20, lambda i, a: lax.ppermute(a, "x", [(k, (k + 1) % 8) for k in range(8)]) + 1, v), x)
    same("nothing", lambda v: lax.psum(v, "x"), np.zeros((8, 0), np.float32))
    large = random.standard_normal(8 * 100000).astype(np.float32)
    same("large", lambda v: lax.all_gather(lax.psum_scatter(lax.psum(v * 2, "x"), "x", tiled=True), "x", tiled=True), large)
    print("wrong:", wrong)
    """
)


@pytest.mark.parametrize("devices", ["cpu", "fenced"])
def test_as_xla(devices):
    environment = dict(os.environ, JAX_PLATFORMS="millrace,cpu", MILLRACE_NUM_DEVICES="8", MILLRACE_DEVICES=devices)
    result = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, timeout=600)
    assert "wrong: []" in result.stdout, result.stdout + result.stderr[-4000:]
