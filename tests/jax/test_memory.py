"""What the process keeps after its last call, and `./dev soak` in small."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

IDLE = """
import gc, os, time
import jax, jax.numpy as jnp

def looked_after():
    return "millrace-tidy" in (open(f"/proc/self/task/{t}/comm").read().strip() for t in os.listdir("/proc/self/task"))

def resident():
    return next(int(l.split()[1]) << 10 for l in open("/proc/self/status") if l.startswith("RssAnon"))

def mlp(width):
    params = [jnp.ones((width, width)) * 0.01 for _ in range(4)]
    def loss(params, x):
        for p in params:
            x = jnp.tanh(x @ p)
        return (x ** 2).mean()
    step = jax.jit(jax.value_and_grad(loss))
    for _ in range(3):
        params = jax.tree.map(lambda p, g: p - 0.1 * g, params, step(params, jnp.ones((256, width)))[1])
    jax.block_until_ready(params)

def conv(channels):
    def loss(w, x):
        y = jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return (jax.nn.relu(y) ** 2).mean()
    f = jax.jit(loss)
    w, x = jnp.ones((3, 3, channels, channels)), jnp.ones((8, 32, 32, channels))
    for _ in range(3):
        f(w, x).block_until_ready()

mlp(10)  # what the first call brings along, LLVM among it, is not what is kept
before = resident()
for width in (100, 333, 777, 1500):
    mlp(width)
for channels in (16, 64):
    conv(channels)
x = jnp.ones((1024, 1024))  # in use
jax.clear_caches()
gc.collect()  # the executables go, and with them what lies in malloc's arenas
time.sleep(5)
until = time.monotonic() + 60  # where the machine is busy, until the thread that gives back has had its turns
while looked_after() and time.monotonic() < until:
    time.sleep(0.1)
stats = jax.devices()[0].memory_stats()
print(before, stats["peak_bytes_in_use"], resident(), stats["bytes_in_use"], stats["pool_bytes"], looked_after())
"""


LIMITED = """
import jax, jax.numpy as jnp

def refused(f):
    try:
        jax.block_until_ready(f())
    except jax.errors.JaxRuntimeError as error:
        assert "RESOURCE_EXHAUSTED" in str(error), error
        assert "was asked for" in str(error) and "are in use" in str(error) and str(300 << 20) in str(error), error
        return True
    return False

device = jax.devices()[0]
assert device.memory_stats()["bytes_limit"] == 300 << 20
x = jax.block_until_ready(jnp.ones(16 << 20))  # 64 MiB
before = device.memory_stats()["bytes_in_use"]
many = jax.jit(lambda x: [x + i for i in range(6)])
sort = jax.jit(lambda x: jnp.sort(jnp.concatenate([x, x + 1, x + 2])).sum())  # what lies between counts too
assert refused(lambda: many(x))
assert refused(lambda: many(jax.jit(jnp.sin)(x)))  # queued behind what it needs
assert refused(lambda: sort(x))
assert refused(lambda: jnp.zeros(96 << 20))
few = jax.jit(lambda x: [x + i for i in range(3)])
assert not refused(lambda: few(x))
assert device.memory_stats()["bytes_in_use"] == before
print("ok")
"""


def run(*arguments, platform="millrace", **settings):
    environment = dict(os.environ, JAX_PLATFORMS=platform, MILLRACE_CACHE_DIR="", **settings)
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)


def test_idle_process_is_small():
    """Five seconds after the last call 64 MiB at most are kept beyond what is in use, and nobody looks after it any more."""
    result = run("-c", IDLE)
    assert result.returncode == 0, result.stderr
    before, peak, after, in_use, pool, tidy = result.stdout.split()
    assert int(peak) > 64 << 20, "the programs are too small to show anything"
    assert int(after) - int(before) - int(in_use) < 64 << 20
    assert int(pool) - int(in_use) < 8 << 20
    assert tidy == "False"


def test_more_than_there_is():
    """A program that needs more than it may have is told so, with the figures; nothing stays behind, and less can be had."""
    result = run("-c", LIMITED, MILLRACE_MEMORY_LIMIT_MB="300")
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ["ok"]


@pytest.mark.sampled
def test_many_models_peak():
    """Models of many sizes in one process: at most a quarter more memory than with XLA:CPU."""
    script = str(ROOT / "tests" / "jax" / "many_models.py")
    results = [run(script, platform=platform) for platform in ("millrace", "cpu")]
    assert all(result.returncode == 0 for result in results), [result.stderr for result in results]
    ours, theirs = (json.loads(result.stdout)["peak_mib"] for result in results)
    assert ours <= 1.25 * theirs, (ours, theirs)


@pytest.mark.sampled
def test_short_soak():
    """Bytes in use are the same after every round; the length is too short to judge the process's memory."""
    for seconds in (8, 32, 128):  # as long as it takes on a busy machine
        result = run(str(ROOT / "tools" / "soak.py"), str(seconds))
        verdict = json.loads(result.stdout.splitlines()[-1])
        if verdict["steps"] > 100 and verdict["samples"] > 5:
            break
    assert verdict["steps"] > 100 and verdict["samples"] > 5
    assert verdict["bytes_in_use_range"] == 0


def test_soak_decides():
    """A steady rise is found below much noise, and noise alone is not taken for one."""
    sys.path.insert(0, str(ROOT / "tools"))
    import soak

    random = np.random.default_rng(1)
    times = np.arange(0, 3600, 1.5)
    noise = random.exponential(3 << 20, len(times))
    rss, in_use = (300 << 20) + noise, np.full(len(times), 1000.0)
    assert soak.judge(np.stack([times, rss, in_use], 1), 1)["flat"]
    rising = soak.judge(np.stack([times, rss + times * 2000, in_use], 1), 1)
    assert not rising["flat"] and abs(rising["rise_mib"] - 2000 * 3480 / 2**20) < 0.5
    in_use[-1] = 1064
    assert not soak.judge(np.stack([times, rss, in_use], 1), 1)["flat"]
