"""What a version of JAX is used for: a fixed set of features, each of which gives numbers.

    python features.py PLATFORM FILE [FEATURE]...

Runs them on the first device of PLATFORM and writes FILE, numpy's .npz: the numbers of each as "FEATURE/0", "FEATURE/1", .., or as
"FEATURE/error" what went wrong. tools/matrix.py runs this for each version of JAX on millrace and, in a process without it, on XLA:CPU of the
same jaxlib, and compares. Nothing here asks for the number of a version: what a version lacks it lacks by name.
"""

import os
import sys
import tempfile
import traceback

import jax
import jax.numpy as jnp
import numpy as np

FEATURES = {}


class NotThere(Exception):
    """This version has no such thing, on no platform."""


def feature(function):
    FEATURES[function.__name__.replace("_", " ")] = function
    return function


def on(device, *arrays):
    return [jax.device_put(a, device) for a in arrays]


def numbers(*shape):
    return np.sin(np.arange(int(np.prod(shape)), dtype=np.float32) * 0.7 + 1).reshape(shape)


# ---- Each gives numbers, from a device of one platform -------------------------------------------------------------------------


@feature
def eager(device):
    x, y = on(device, numbers(16, 16), numbers(16))
    return jnp.tanh(x @ x + y)[::2].sum(0), jnp.sort(y), jnp.where(x > 0, x, -x)


@feature
def jitted(device):
    x, y = on(device, numbers(32, 32), numbers(32))
    return jax.jit(lambda x, y: (jax.nn.softmax(x @ x + y), jnp.cumsum(y), x.at[3].add(y)))(x, y)


@feature
def training(device):
    x, w, v = on(device, numbers(64, 16), numbers(16, 32) * 0.2, numbers(32) * 0.2)

    def loss(p, x):
        return jnp.mean((jnp.tanh(x @ p[0]) @ p[1] - x.sum(1)) ** 2)

    step = jax.jit(lambda p, x: jax.tree_util.tree_map(lambda a, g: a - 0.05 * g, p, jax.grad(loss)(p, x)))
    p = (w, v)
    for _ in range(20):
        p = step(p, x)
    return loss(p, x), p


@feature
def loops_and_branches(device):
    (x,) = on(device, numbers(8))
    body = lambda i, x: jax.lax.cond(i % 2 == 0, jnp.sin, jnp.cos, x)
    return jax.jit(lambda x: (jax.lax.fori_loop(0, 9, body, x), jax.lax.scan(lambda c, a: (c + a, c * a), 0.0, x)))(x)


@feature
def convolution(device):
    x, k = on(device, numbers(2, 3, 12, 12), numbers(4, 3, 3, 3))
    conv = lambda x, k: jax.lax.conv(x, k, (1, 1), "SAME")
    return jax.jit(conv)(x, k), jax.jit(jax.grad(lambda k: conv(x, k).sum() ** 2 * 1e-3))(k)


@feature
def linear_algebra(device):
    (a,) = on(device, numbers(8, 8) + 4 * np.eye(8, dtype=np.float32))
    s = a @ a.T
    q, r = jnp.linalg.qr(a)
    u, d, vt = jnp.linalg.svd(a)
    w = jnp.linalg.eigvalsh(s)
    return jnp.linalg.cholesky(s), jnp.linalg.solve(a, s), jnp.linalg.inv(a), jnp.abs(q @ r), d, w, jnp.linalg.det(a)


@feature
def random_numbers(device):
    with jax.default_device(device):
        key = jax.random.PRNGKey(7)
        draw = lambda k: (jax.random.uniform(k, (50,)), jax.random.normal(k, (50,)), jax.random.permutation(k, 20))
        return draw(key), jax.jit(draw)(key), jax.random.bits(jax.random.key(3), (5,))


@feature
def half_precision(device):
    (x,) = on(device, numbers(16, 16).astype(jnp.bfloat16))
    return (x @ x).astype(jnp.float32), jnp.exp(x).astype(jnp.float32)


@feature
def vmap_and_higher_derivatives(device):
    (x,) = on(device, numbers(5, 4))
    f = lambda x: jnp.sum(jnp.sin(x) ** 3)
    return jax.jit(jax.vmap(jax.hessian(f)))(x), jax.jit(jax.vmap(jax.jacfwd(jnp.tanh)))(x)


@feature
def pure_callback(device):
    (x,) = on(device, numbers(6))
    host = lambda x: np.asarray(x) * 2 + 1
    return jax.jit(lambda x: jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), x) + 1)(x)


@feature
def io_callback_and_debug(device):
    from jax.experimental import io_callback

    seen = []
    (x,) = on(device, numbers(6))

    def f(x):
        jax.debug.callback(lambda v: seen.append(float(v)), x.sum())
        return io_callback(lambda v: np.float32(v.max()), jax.ShapeDtypeStruct((), jnp.float32), x, ordered=True)

    got = jax.jit(f)(x)
    jax.block_until_ready(got)
    jax.effects_barrier()
    return got, np.float32(seen)


@feature
def export_and_call(device):
    from jax import export

    (x,) = on(device, numbers(4, 4))
    exported = export.export(jax.jit(lambda x: jnp.tanh(x @ x)), platforms=[device.platform])(jax.ShapeDtypeStruct((4, 4), jnp.float32))
    return export.deserialize(exported.serialize()).call(x)


@feature
def artifact_of_this_version(device):
    """The portable artifact that this version writes, run by bin/millrace where there is one."""
    from jax import export
    import subprocess

    x = numbers(4, 4)
    f = lambda x: jnp.tanh(x @ x) + jnp.cumsum(x, 0)
    tool = os.environ.get("MILLRACE_TOOL")
    if device.platform == "cpu" or not tool:
        return jax.jit(f)(jax.device_put(x, device))
    with tempfile.TemporaryDirectory() as folder:
        program, given, result = (os.path.join(folder, name) for name in ("program", "x.npy", "y.npy"))
        exported = export.export(jax.jit(f), platforms=["cpu"])(jax.ShapeDtypeStruct((4, 4), jnp.float32))
        with open(program, "wb") as file:
            file.write(exported.mlir_module_serialized)
        np.save(given, x)
        subprocess.run([tool, "run", program, given, "-o", result], check=True, capture_output=True)
        return np.load(result)


@feature
def dlpack(device):
    (x,) = on(device, numbers(3, 4))
    back = jnp.from_dlpack(x)
    return back + 1, jnp.from_dlpack(numbers(5) * 2), np.from_dlpack(x)


@feature
def donation(device):
    (x,) = on(device, numbers(64, 64))
    kept = np.asarray(x).copy()
    y = jax.jit(lambda x: x * 2 + 1, donate_argnums=0)(x)
    jax.block_until_ready(y)
    return y - kept, np.float32(x.is_deleted())


CACHE = tempfile.TemporaryDirectory()  # one for the process, as JAX opens it once


@feature
def compilation_cache(device):
    settings = {
        "jax_compilation_cache_dir": CACHE.name,
        "jax_persistent_cache_min_compile_time_secs": 0,
        "jax_persistent_cache_min_entry_size_bytes": -1,
    }
    before = {name: getattr(jax.config, name) for name in settings}
    written = set(os.listdir(CACHE.name))
    try:
        for name, value in settings.items():
            jax.config.update(name, value)
        (x,) = on(device, numbers(7))
        answers = []
        for _ in range(2):
            jax.clear_caches()
            answers.append(jax.jit(lambda x: jnp.sinh(x) * 3)(x))
        return *answers, np.float32(len(set(os.listdir(CACHE.name)) - written) > 0)
    finally:
        for name, value in before.items():
            jax.config.update(name, value)


@feature
def profiler(device):
    with tempfile.TemporaryDirectory() as folder:
        jax.profiler.start_trace(folder)
        (x,) = on(device, numbers(64, 64))
        got = jax.block_until_ready(jax.jit(lambda x: jnp.tanh(x @ x))(x))
        jax.profiler.stop_trace()
        written = [name for _, _, files in os.walk(folder) for name in files]
    return got, np.float32(any(name.endswith(".xplane.pb") for name in written))


@feature
def sharded_over_eight(device):
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

    devices = jax.devices(device.platform)
    if len(devices) < 8:
        raise AssertionError(f"{len(devices)} devices, wanted 8")
    mesh = Mesh(np.array(devices[:8]).reshape(4, 2), ("a", "b"))
    x = jax.device_put(numbers(16, 8), NamedSharding(mesh, P("a", "b")))
    w = jax.device_put(numbers(8, 8), NamedSharding(mesh, P(None, "b")))
    step = jax.jit(lambda x, w: (jnp.tanh(x @ w), x.sum(0), jnp.sort(x, 0)))
    return tuple(np.asarray(v) for v in step(x, w))


@feature
def shard_map_with_collectives(device):
    from jax.sharding import Mesh, PartitionSpec as P

    try:
        from jax import shard_map
    except ImportError:
        from jax.experimental.shard_map import shard_map
    mesh = Mesh(np.array(jax.devices(device.platform)[:8]), ("i",))

    def f(x):
        i = jax.lax.axis_index("i")
        y = jax.lax.ppermute(x, "i", [(k, (k + 1) % 8) for k in range(8)])
        return jax.lax.psum(x, "i") + y * i, jax.lax.all_gather(x, "i").sum(0)

    g = jax.jit(shard_map(f, mesh=mesh, in_specs=P("i"), out_specs=P("i")))
    return tuple(np.asarray(v) for v in g(numbers(16, 3)))


@feature
def pmap(device):
    devices = jax.devices(device.platform)[:8]
    f = jax.pmap(lambda x: x / jax.lax.psum(x, "i"), axis_name="i", devices=devices)
    return np.asarray(f(numbers(8, 5) + 2))


@feature
def own_ffi_handler(device):
    """jaxlib's own handlers by their names: a user's are registered in the same way."""
    call = getattr(getattr(jax, "ffi", None), "ffi_call", None)
    if call is None:
        raise NotThere("jax.ffi")
    (x,) = on(device, numbers(4, 4) + 4 * np.eye(4, dtype=np.float32))
    # LAPACK's Cholesky factorisation, in columns as LAPACK wants it.
    out = (jax.ShapeDtypeStruct((4, 4), jnp.float32), jax.ShapeDtypeStruct((), jnp.int32))
    f = lambda x: call("lapack_spotrf_ffi", out, input_layouts=[(0, 1)], output_layouts=[(0, 1), ()])(x, uplo=np.uint8(ord("L")))
    return jnp.tril(jax.jit(f)(x @ x.T)[0])


# ---- All of them --------------------------------------------------------------------------------------------------------------


def answer(function, platform):
    try:
        leaves = jax.tree_util.tree_leaves(function(jax.devices(platform)[0]))
        return {str(i): np.asarray(v) for i, v in enumerate(leaves)}
    except Exception as error:  # of any kind, as it is what is told
        if os.environ.get("MATRIX_TRACEBACK"):
            traceback.print_exc()
        kind = "not there" if isinstance(error, NotThere) else type(error).__name__
        return {"error": np.array(f"{kind}: {(str(error).strip() or '?').splitlines()[0]}"[:300])}


def main():
    platform, path, *names = sys.argv[1:]
    found = {}
    for name in names or FEATURES:
        found.update({f"{name}/{key}": value for key, value in answer(FEATURES[name], platform).items()})
        np.savez(path, **found)  # each time, since a crash ends the process


if __name__ == "__main__":
    main()
