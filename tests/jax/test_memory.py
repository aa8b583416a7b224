"""What the process keeps after its last call, and `./dev soak` in small."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]

IDLE = """
import gc, time
import jax, jax.numpy as jnp

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
gc.collect()
at_once = resident()
time.sleep(5)
stats = jax.devices()[0].memory_stats()
threads = [open(f"/proc/self/task/{t}/comm").read().strip() for t in __import__("os").listdir("/proc/self/task")]
print(before, at_once, resident(), stats["bytes_in_use"], stats["pool_bytes"], "millrace-tidy" in threads)
"""


def run(*arguments):
    environment = dict(os.environ, JAX_PLATFORMS="millrace", MILLRACE_CACHE_DIR="")
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)


def test_idle_process_is_small():
    """Five seconds after the last call 64 MiB at most are kept beyond what is in use, and nobody looks after it any more."""
    result = run("-c", IDLE)
    assert result.returncode == 0, result.stderr
    before, at_once, after, in_use, pool, tidy = result.stdout.split()
    assert int(at_once) - int(before) > 64 << 20, "the programs are too small to show anything"
    assert int(after) - int(before) - int(in_use) < 64 << 20
    assert int(pool) - int(in_use) < 8 << 20
    assert tidy == "False"


def test_short_soak():
    """Bytes in use are the same after every round; the length is too short to judge the process's memory."""
    result = run(str(ROOT / "tools" / "soak.py"), "8")
    verdict = json.loads(result.stdout.splitlines()[-1])
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
