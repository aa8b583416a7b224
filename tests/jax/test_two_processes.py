"""What one process compiles and another one runs: the compilation cache, serialized executables, exported programs. The
processes know millrace alone, as a user of the plugin would have it: JAX_PLATFORMS=millrace and nothing else."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HAS_ADDRESSES = os.environ.get("MILLRACE_DEVICES", "cpu") == "cpu"
LIBRARY = os.environ.get("MILLRACE_LIBRARY", str(ROOT / "build" / "release" / "lib" / "libpjrt_millrace.so"))

# What both processes on millrace have in common; `say` collects what the tests below look at.
COMMON = """
import json, pickle
import jax, jax.numpy as jnp, numpy as np
from jax import export
from jax.experimental import serialize_executable

said, hits = {}, []
jax.monitoring.register_event_listener(lambda name, **_: hits.append(name) if name.endswith("cache_hits") else None)

def say(**values):
    said.update(values)

def run_export(name):
    program = export.deserialize(open(name, "rb").read())
    y = program.call(np.arange(6, dtype=np.float32).reshape(2, 3))
    return [program.platforms, y.device.device_kind, float(y.sum())]

def make_export(name):
    f = jax.jit(lambda x: jnp.tanh(x) @ jnp.ones((3, 2)))
    shape = jax.ShapeDtypeStruct(export.symbolic_shape("n, 3"), jnp.float32)
    open(name, "wb").write(export.export(f)(shape).serialize())

def make_state():
    return {"a": np.zeros((8,), np.float32), "b": np.ones((), np.float32)}

def cached():
    before = len(hits)
    jax.config.update("jax_compilation_cache_dir", "cache")
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    f = jax.jit(lambda w, x: jax.lax.scan(lambda x, w: (jnp.tanh(x @ w), x.sum()), x, w))
    x, sums = f(np.full((3, 16, 16), 0.05, np.float32), np.ones((4, 16), np.float32))
    y = jax.jit(lambda x: x * 2 + 1, donate_argnums=0)(x)
    assert x.is_deleted()
    jax.config.update("jax_compilation_cache_dir", None)
    return [len(hits) - before, float(y.sum()), float(sums.sum())]
"""

MAKER = COMMON + """
def f(state, x):
    state = {k: v + x.sum() for k, v in state.items()}
    return state, jnp.linalg.cholesky(x @ x.T + 4 * jnp.eye(8)), jax.random.normal(jax.random.key(3), (5,))

say(kind=jax.devices()[0].device_kind, devices=len(jax.devices()), cached=cached())
compiled = jax.jit(f, donate_argnums=0).lower(make_state(), np.ones((8, 8), np.float32)).compile()
pickle.dump(serialize_executable.serialize(compiled), open("executable", "wb"))
np.savez("wanted", *map(np.asarray, jax.tree.leaves(compiled(jax.device_put(make_state()), jnp.ones((8, 8))))))
make_export("from_millrace")

from jax.experimental import checkify
x = jnp.arange(6.0).reshape(2, 3)
say(callback=float(jax.jit(lambda x: jax.pure_callback(np.sum, jax.ShapeDtypeStruct((), x.dtype), x))(x)))
error, _ = checkify.checkify(jax.jit(lambda x: (checkify.check(x.sum() < 0, "not below {}", x.sum()), x)[1]))(x)
say(check=error.get(), svd=float(np.linalg.norm(jnp.linalg.svd(x)[0])))
with jax.profiler.trace("trace"):
    jax.jit(jnp.sin)(x).block_until_ready()
pinned = jax.device_put(x, jax.sharding.SingleDeviceSharding(jax.devices()[0], memory_kind="pinned_host"))
say(memory=pinned.sharding.memory_kind)
"""

SHARE = """
say(shared=float(np.from_dlpack(x).sum() + jnp.from_dlpack(np.ones(3)).sum()))
"""

SAY = """
print(json.dumps(said))
"""

CPU = COMMON + """
make_export("from_cpu")
print(json.dumps({"from_millrace": run_export("from_millrace")}))
"""

# Without millrace's own cache of kernels: what is needed is in the files.
USER = COMMON + """
say(cached=cached(), exports=[run_export("from_millrace"), run_export("from_cpu")])
loaded = serialize_executable.deserialize_and_load(*pickle.load(open("executable", "rb")))
state = jax.device_put(make_state())
for got, wanted in zip(jax.tree.leaves(loaded(state, jnp.ones((8, 8)))), np.load("wanted.npz").values(), strict=True):
    np.testing.assert_array_equal(np.asarray(got), wanted)
say(donated=state["a"].is_deleted(), arguments=loaded.memory_analysis().argument_size_in_bytes)
blob = bytearray(open("executable", "rb").read())
blob[len(blob) // 2] ^= 0x40
try:
    serialize_executable.deserialize_and_load(*pickle.loads(bytes(blob)))
except Exception as error:
    say(damaged=str(error))
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """What the three processes said, one after another."""
    folder = tmp_path_factory.mktemp("processes")

    def run(code, platform, **settings):
        environment = {**os.environ, "JAX_PLATFORMS": platform, "MILLRACE_LIBRARY": LIBRARY, **settings}
        environment.pop("MILLRACE_NUM_DEVICES", None)
        result = subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True,
                                timeout=120)
        assert result.returncode == 0, result.stderr[-3000:]
        return json.loads(result.stdout.splitlines()[-1])

    maker = MAKER + SHARE * HAS_ADDRESSES + SAY
    said = {"maker": run(maker, "millrace"), "cpu": run(CPU, "cpu"), "user": run(USER, "millrace", MILLRACE_CACHE_DIR="")}
    said["folder"] = folder
    return said


def test_compilation_cache(runs):
    first, second = runs["maker"]["cached"], runs["user"]["cached"]
    assert first[0] == 0 and second[0] >= 2
    assert first[1:] == second[1:]


def test_serialized_executables(runs):
    assert runs["user"]["donated"] is True
    assert runs["user"]["arguments"] == 4 * (8 + 1 + 64)


def test_a_damaged_executable_is_refused(runs):
    assert "damaged" in runs["user"]


@pytest.mark.parametrize("said,user", [(lambda runs: runs["user"]["exports"][0], "millrace"),
                                       (lambda runs: runs["user"]["exports"][1], "millrace"),
                                       (lambda runs: runs["cpu"]["from_millrace"], "cpu")],
                         ids=["own", "from XLA:CPU", "on XLA:CPU"])
def test_exported_programs(runs, said, user):
    platforms, kind, total = said(runs)
    assert (platforms, kind) == (["cpu"], user)
    np.testing.assert_allclose(total, 2 * np.tanh(np.arange(6)).sum(), rtol=5e-7)


def test_millrace_alone_does_it_all(runs):
    maker = runs["maker"]
    assert (maker["kind"], maker["devices"], maker["callback"], maker["memory"]) == ("millrace", 1, 15, "pinned_host")
    assert maker["check"].startswith("not below 15")
    np.testing.assert_allclose(maker["svd"], 2**0.5, rtol=5e-7)
    assert len(list(runs["folder"].glob("trace/**/*.xplane.pb"))) == 1
    assert list((runs["folder"] / "cache").iterdir())


@pytest.mark.skipif(not HAS_ADDRESSES, reason="device memory has no address")
def test_arrays_are_shared(runs):
    assert runs["maker"]["shared"] == 18
