#!/usr/bin/env python3
"""Figures that millrace promises against XLA:CPU, both in this process, medians of interleaved rounds.

    ./dev bench bars [-- --only REGEX] [--rounds N] [--before LIBRARY]

Every row says what was measured on each platform, the ratio (millrace / XLA:CPU) and the bar it is held to. Rounds
alternate between the platforms, so that a slow minute of the machine hits both; the ratio is the median of the rounds' ratios.
perf/sides.py says what --before does.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import sides

os.environ.setdefault("JAX_PLATFORMS", sides.platforms())

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

clock = time.perf_counter
OURS, XLA = sides.devices()
ROWS = []


def row(name, make, bar):
    """make(device) -> function to time. `bar`: the largest allowed ratio."""
    if not re.search(ARGUMENTS.only, name):
        return
    calls = [make(device) for device in (OURS, XLA)]
    if isinstance(make, fetch):
        samplers = calls
    else:
        for call in calls:
            call()
        count = sides.count_for(calls, 0.05)
        samplers = [lambda call=call: sides.timed(call, count) for call in calls]
    for sampler in samplers:
        sampler()
    ours, theirs, ratio = sides.compared(samplers, ARGUMENTS.rounds)
    held = "ok" if ratio <= bar else "MISSED"
    ROWS.append({"name": name, "ours_us": ours * 1e6, "xla_us": theirs * 1e6, "ratio": ratio, "bar": bar, "held": held})
    print(f"{name:34} {ours * 1e6:12.2f} us {theirs * 1e6:12.2f} us   {ratio:6.3f}x  wanted <= {bar:.3g}x  {held}", flush=True)


def values(*shape, dtype=np.float32, seed=0):
    return np.random.default_rng(seed).standard_normal(shape, dtype=np.float32).astype(dtype)


def blocked(function, *arrays):
    def make(device):
        compiled = jax.jit(function)
        arguments = jax.block_until_ready([jax.device_put(a, device) for a in arrays])
        return lambda: compiled(*arguments).block_until_ready()

    return make


def enqueued(function, *arrays):
    def make(device):
        compiled = jax.jit(function)
        arguments = jax.block_until_ready([jax.device_put(a, device) for a in arrays])

        def batch():
            for _ in range(100):
                result = compiled(*arguments)
            result.block_until_ready()

        return batch

    return make


def put(array):
    return lambda device: lambda: jax.device_put(array, device).block_until_ready()


class fetch:
    """np.asarray of arrays that have not been fetched before: jax keeps the copy it made first."""

    def __init__(self, array):
        self.array = array

    def __call__(self, device):
        function = jax.jit(lambda x: x + 0)
        argument = jax.device_put(self.array, device)
        count = max(4, min(200, (1 << 24) // self.array.nbytes))

        def sample():
            results = jax.block_until_ready([function(argument) for _ in range(count)])
            start = clock()
            for result in results:
                np.asarray(result)
            return (clock() - start) / count

        return sample


def conv(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def scan(n):
    return lambda x: lax.scan(lambda c, _: (c * 0.999 + 0.001, None), x, None, length=n)[0]


def main_rows():
    row("x + 1, f32[128], enqueue x100", enqueued(lambda x: x + 1, values(128)), 1.0)
    row("x + 1, f32[128], round trip", blocked(lambda x: x + 1, values(128)), 1.0)
    for size, label in ((1, "4 B"), (1024, "4 KiB"), (1 << 20, "4 MiB")):
        row(f"device_put {label}", put(values(size)), 1.15)
        row(f"np.asarray {label}", fetch(values(size)), 1.0)
    row("x + 1, f32[16M]", blocked(lambda x: x + 1, values(1 << 24)), 0.2)
    for n in (1024, 2048):
        a, b = values(n, n), values(n, n, seed=1)
        row(f"matmul f32 {n}", blocked(lambda x, y: x @ y, a, b), 1.05)
        halves = [np.asarray(jnp.asarray(v, device=XLA).astype(jnp.bfloat16)) for v in (a, b)]
        row(f"matmul bf16 {n}", blocked(lambda x, y: x @ y, *halves), 1 / 1.8)
    for batch in (1, 8):
        for size, channels in ((56, 64), (28, 128), (14, 256), (7, 512)):
            x, w = values(batch, size, size, channels), values(3, 3, channels, channels, seed=1) * np.float32(0.05)
            row(f"conv 3x3 {channels} at {size}, batch {batch}", blocked(conv, x, w), 1 / 1.8)
    row("scan of 10000 over f32[8]", blocked(scan(10000), values(8)), 1.0)


COMPILE = """
import os, sys, time, json
import jax, jax.numpy as jnp, numpy as np
device = jax.devices(sys.argv[1])[0]
out = {}
programs = {"x + 1": (lambda x: x + 1, (128,)), "softmax": (lambda x: jax.nn.softmax(x), (64, 128))}
jax.block_until_ready(jax.device_put(np.zeros(3, np.float32), device))
for name, (f, shape) in programs.items():
    lowered = jax.jit(f).trace(jax.device_put(np.zeros(shape, np.float32), device)).lower()
    begin = time.perf_counter()
    lowered.compile()
    out[name] = time.perf_counter() - begin
print(json.dumps(out))
"""


def compile_times(platform, cache):
    environment = dict(os.environ, MILLRACE_CACHE_DIR=cache)
    if sides.BEFORE:
        environment["JAX_PLATFORMS"] = "millrace,cpu"
        if platform == "cpu":
            platform, environment["MILLRACE_LIBRARY"] = "millrace", sides.BEFORE
    result = subprocess.run([sys.executable, "-c", COMPILE, platform], env=environment, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(result.stderr[-2000:])
    return json.loads(result.stdout.splitlines()[-1])


def compile_row(name, samples, xla, bar):
    # Each sample is a process of its own and begins cold: medians of a library and its copy differ by up to 15%, minima by 4%.
    middle = min if sides.BEFORE else statistics.median
    ours, theirs = middle(samples), middle(xla)
    held = "ok" if ours / theirs <= bar else "MISSED"
    ROWS.append({"name": name, "ours_us": ours * 1e6, "xla_us": theirs * 1e6, "ratio": ours / theirs, "bar": bar, "held": held})
    print(f"{name:34} {ours * 1e3:12.2f} ms {theirs * 1e3:12.2f} ms   {ours / theirs:6.3f}x  wanted <= {bar:.3g}x  {held}",
          flush=True)


def compile_rows():
    if not re.search(ARGUMENTS.only, "first compile") and not re.search(ARGUMENTS.only, "warm compile"):
        return
    # With another library it has folders of its own, and is asked first and again as well: XLA:CPU keeps nothing.
    first, warm, theirs_first, theirs_warm = [], [], [], []
    for number in range(3 * ARGUMENTS.rounds if sides.BEFORE else ARGUMENTS.rounds):
        with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as other:
            turns = [("millrace", cache, first), ("cpu", other, theirs_first)]
            for platform, folder, samples in turns if number % 2 == 0 else turns[::-1]:
                samples.append(compile_times(platform, folder))
            turns = [("millrace", cache, warm), ("cpu", other, theirs_warm)]
            for platform, folder, samples in turns if sides.BEFORE else turns[:1]:
                samples.append(compile_times(platform, folder))
    for program in ("x + 1", "softmax"):
        once, again = ([t[program] for t in samples] for samples in (theirs_first, theirs_warm or theirs_first))
        compile_row(f"first compile of {program}", [t[program] for t in first], once, 0.5)
        compile_row(f"warm compile of {program}", [t[program] for t in warm], again, 0.1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", help="write the rows there as well")
    sides.add_arguments(parser)
    ARGUMENTS = parser.parse_args()
    if ARGUMENTS.before:
        sides.compare_libraries(ARGUMENTS)
        sys.exit()
    main_rows()
    compile_rows()
    if ARGUMENTS.json:
        with open(ARGUMENTS.json, "w") as file:
            json.dump(ROWS, file, indent=1)
    missed = [r["name"] for r in ROWS if r["held"] != "ok"]
    print(f"{len(ROWS) - len(missed)} of {len(ROWS)} bars held" + (f"; missed: {', '.join(missed)}" if missed else ""))
