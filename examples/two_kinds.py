#!/usr/bin/env python3
"""Keeps a CPU device and an OpenCL device busy at once, from one client, and says what that takes.

    MILLRACE_DEVICES=cpu,opencl ./dev python examples/two_kinds.py    (opencl:cpu where the only runtime is one for CPUs)

Each device works through batches of its own: products on one, elementwise work on the other, arrays from the host and back; what
both have come to is added on the first. Calls are asynchronous, so that one thread feeds both. The answers are compared with
NumPy's.
"""

import os
import sys
import time

os.environ.setdefault("MILLRACE_DEVICES", "cpu,opencl")
os.environ.setdefault("JAX_PLATFORMS", "millrace")

import jax
import jax.numpy as jnp
import numpy as np

BATCHES, SIDE = 12, 384


@jax.jit
def products(x):
    return jnp.tanh(x @ x / SIDE) @ x


@jax.jit
def waves(x):
    return (jnp.sin(3 * x) * jnp.exp(-x * x)).cumsum(0) / SIDE


def feed(work):
    """Starts all batches of each (function, device, batches), and gives the sums of their results when they are there."""
    pending = [[] for _ in work]
    for i in range(BATCHES):
        for results, (function, device, batches) in zip(pending, work):
            results.append(function(jax.device_put(batches[i], device)).sum())
    return [np.array([float(result) for result in results]) for results in pending]


def timed(work):
    start = time.perf_counter()
    sums = feed(work)
    return time.perf_counter() - start, sums


def main():
    devices = {device.device_kind.split()[1] if " " in device.device_kind else "cpu": device for device in jax.devices()}
    if len(devices) < 2:
        print(f"wanted devices of two kinds, there are {jax.devices()}")
        return 1
    (first, one), (second, other) = list(devices.items())[:2]
    batches = np.random.default_rng(0).standard_normal((BATCHES, SIDE, SIDE)).astype(np.float32)
    work = [(products, one, batches), (waves, other, batches)]
    feed(work)  # compiles
    alone = [timed([part])[0] for part in work]
    together, (of_products, of_waves) = timed(work)
    print(f"products on {first}: {alone[0] * 1e3:.1f} ms, waves on {second}: {alone[1] * 1e3:.1f} ms, both at once: "
          f"{together * 1e3:.1f} ms")

    x = batches.astype(np.float64)
    wanted = (np.tanh(x @ x / SIDE) @ x).sum((1, 2)), ((np.sin(3 * x) * np.exp(-x * x)).cumsum(1) / SIDE).sum((1, 2))
    far = max(np.abs(got - want).max() / np.abs(want).max() for got, want in zip((of_products, of_waves), wanted))
    both = waves(jax.device_put(batches[0], other))
    far = max(far, float(np.abs(np.asarray(products(jax.device_put(batches[0], one)) + jax.device_put(both, one))
                                - (np.tanh(x[0] @ x[0] / SIDE) @ x[0]
                                   + (np.sin(3 * x[0]) * np.exp(-x[0] * x[0])).cumsum(0) / SIDE)).max()))
    print(f"answers differ from NumPy's by at most {far:.1e}")
    return 0 if far < 1e-3 else 1


if __name__ == "__main__":
    sys.exit(main())
