"""Feeds a loop faster than it runs and looks at the most memory that takes: `./dev soak fed [--steps N]`.

A host that loads a batch, calls a step and waits for nothing is ahead of the device. What holds it back is the limit on what may be queued
(devices/admission.h); XLA:CPU holds it back as well. Each loop runs in a process of its own, here and on XLA:CPU: on one device and on
eight with 4 MiB a step, where devices do not meet (XLA:CPU's ends its process where its threads come to a meeting late). The
peak of the resident memory (VmHWM) may be 1.3 times XLA:CPU's. What the process has before the loop is told as well.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

ALLOWED = 1.3
LOOPS = {"one device": (1, 800, 4096), "eight devices": (8, 600, 4096)}


def memory(name):
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith(name):
                return int(line.split()[1]) / 1024
    raise RuntimeError(f"/proc/self/status has no {name}")


def loop(devices, steps, kib):
    """In a child."""
    import time

    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    rows, side = kib // 4 // devices, 256  # of a device's part of the batch, of 1 KiB each
    cut = NamedSharding(Mesh(np.array(jax.devices()[:devices]), "d"), PartitionSpec("d"))

    @jax.jit
    @jax.vmap
    def step(w, x):
        for _ in range(24 if devices == 1 else 8):
            w = jnp.tanh(w @ (w * 0.5) + x[:side].sum() * 1e-9)
        return w + (x.T @ x) * 1e-9

    def batch():  # quick to make, so that the host is ahead
        return np.full((devices, rows, side), 0.5, np.float32)

    put = (lambda x: x) if devices == 1 else (lambda x: jax.device_put(x, cut))
    w = jax.device_put(np.full((devices, side, side), 1e-3, np.float32), cut)
    for _ in range(2):
        begin = time.monotonic()
        w = step(w, put(batch()))
        w.block_until_ready()
    one, before = time.monotonic() - begin, memory("VmRSS")
    begin = time.monotonic()
    for _ in range(steps):
        w = step(w, put(batch()))
    queued = time.monotonic() - begin
    w.block_until_ready()
    print(json.dumps({"step_ms": round(one * 1e3, 1), "before_mib": round(before), "peak_mib": round(memory("VmHWM")),
                      "queued_s": round(queued, 1), "seconds": round(time.monotonic() - begin, 1)}))


def run(platform, devices, steps, kib):
    environment = os.environ | {"JAX_PLATFORMS": platform, "MILLRACE_NUM_DEVICES": str(devices),
                                "XLA_FLAGS": f"--xla_force_host_platform_device_count={devices}"}
    done = subprocess.run([sys.executable, __file__, "--loop", str(devices), str(steps), str(kib)], env=environment,
                          capture_output=True, text=True, cwd=pathlib.Path(__file__).parents[1])
    if done.returncode:
        sys.exit(f"{platform} on {devices} devices ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, help="of each loop, in place of 800 and 600")
    parser.add_argument("--loop", type=int, nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.loop:
        loop(*args.loop)
        return
    bounded = True
    for name, (devices, steps, kib) in LOOPS.items():
        seen = {platform: run(platform, devices, args.steps or steps, kib) for platform in ("millrace", "cpu")}
        ratio = seen["millrace"]["peak_mib"] / seen["cpu"]["peak_mib"]
        bounded &= ratio <= ALLOWED
        print(json.dumps({"loop": name, "ratio": round(ratio, 2), "allowed": ALLOWED} | seen), flush=True)
    sys.exit(not bounded)


if __name__ == "__main__":
    main()
