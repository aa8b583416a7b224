#!/usr/bin/env python3
"""Collectives and dispatch over several devices, against XLA:CPU with as many, both in this process.

    ./dev bench collectives [-- --only REGEX] [--rounds N] [--devices 2,8] [--json FILE]

Each row is one program under shard_map over the devices, called with arrays that are there, until its result is; the bytes are of
one device's operand. Rounds alternate between the platforms, so that a slow moment of the machine hits both; the ratio is the median of
the rounds' ratios. A result that is not XLA:CPU's is told.
"""

import argparse
import json
import os
import re
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import sides

os.environ.setdefault("JAX_PLATFORMS", sides.platforms())
os.environ.setdefault("MILLRACE_NUM_DEVICES", "8")

import jax

jax.config.update("jax_num_cpu_devices", 8)

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

clock = time.perf_counter
ROWS = []
SIZES = {"4 B": 4, "4 KiB": 4 << 10, "4 MiB": 4 << 20, "64 MiB": 64 << 20}


def platform_devices(count):
    return [jax.devices(name)[:count] for name in ("millrace", "cpu")]


def shift(count):
    return [(i, (i + 1) % count) for i in range(count)]


COLLECTIVES = {
    "psum": lambda x, n: lax.psum(x, "x"),
    "all_gather": lambda x, n: lax.all_gather(x, "x", tiled=True),
    "psum_scatter": lambda x, n: lax.psum_scatter(x, "x", tiled=True),
    "all_to_all": lambda x, n: lax.all_to_all(x, "x", 0, 0, tiled=True),
    "ppermute": lambda x, n: lax.ppermute(x, "x", shift(n)),
}


def under_shard_map(body, devices, elements):
    mesh = Mesh(np.array(devices), ("x",))
    there = NamedSharding(mesh, P("x"))
    count = len(devices)
    x = jax.device_put(np.arange(count * elements, dtype=np.float32) % 1000, there)
    run = jax.jit(jax.shard_map(lambda v: body(v, count), mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False))
    return lambda: run(x)


def sharded_call(function, devices, arguments, specs, out):
    mesh = Mesh(np.array(devices), ("x",))
    values = [jax.device_put(value, NamedSharding(mesh, spec)) for value, spec in zip(arguments, specs)]
    run = jax.jit(function, out_shardings=NamedSharding(mesh, out))
    return lambda: run(*values)


def row(name, makers):
    if not re.search(ARGUMENTS.only, name):
        return
    calls = []
    for make in makers:
        calls.append(make())
    results = [np.asarray(call()) for call in calls]
    same = all(np.array_equal(result, results[1]) for result in results)
    close = same or np.allclose(*results, rtol=1e-4, atol=1e-4)
    samplers = []
    waiting = [lambda call=call: jax.block_until_ready(call()) for call in calls]
    count = sides.count_for(waiting, 0.03)
    for call in waiting:
        samplers.append(lambda call=call: sides.timed(call, count))
    ours, theirs, ratio = sides.compared(samplers, ARGUMENTS.rounds)
    ROWS.append({"name": name, "ours_us": ours * 1e6, "xla_us": theirs * 1e6, "ratio": ratio})
    note = "" if same else "  equal but for rounding" if close else "  ANOTHER RESULT"
    print(f"{name:36} {ours * 1e6:12.1f} {theirs * 1e6:12.1f} {1 / ratio:8.2f}x{note}", flush=True)


def collectives(count):
    for kind, body in COLLECTIVES.items():
        for size, number in SIZES.items():
            elements = number // 4
            if kind in ("psum_scatter", "all_to_all"):
                elements = max(elements, count)
            row(
                f"{kind} {size} over {count}",
                [lambda devices=devices: under_shard_map(body, devices, elements) for devices in platform_devices(count)],
            )


def others(count):
    both = platform_devices(count)
    ones = np.ones(count * 16, np.float32)
    row(f"x + 1 over {count}", [lambda d=d: sharded_call(lambda x: x + 1, d, [ones], [P("x")], P("x")) for d in both])
    square = np.arange(2048 * 2048, dtype=np.float32).reshape(2048, 2048)
    row(
        f"rows to columns 16 MiB over {count}",
        [lambda d=d: sharded_call(lambda x: x, d, [square], [P("x", None)], P(None, "x")) for d in both],
    )
    random = np.random.default_rng(0)
    a, b = (random.standard_normal((1024, 1024), dtype=np.float32) for _ in range(2))
    for name, specs, out in (
        ("rows", (P("x", None), P(None, None)), P("x", None)),
        ("sums", (P(None, "x"), P("x", None)), P(None, None)),
    ):
        row(
            f"matmul 1024 by {name} over {count}",
            [lambda d=d: sharded_call(lambda x, y: x @ y, d, [a, b], specs, out) for d in both],
        )


def main():
    print(f"{'':36} {'millrace us':>12} {'XLA:CPU us':>12}   faster")
    for count in map(int, ARGUMENTS.devices.split(",")):
        collectives(count)
        others(count)
    faster = 1 / sides.mean([entry["ratio"] for entry in ROWS])
    slower = [entry["name"] for entry in ROWS if entry["ratio"] > 1]
    print(f"{len(ROWS)} rows: {faster:.2f}x faster in the geometric mean; slower: {', '.join(slower) or 'none'}")
    if ARGUMENTS.json:
        with open(ARGUMENTS.json, "w") as file:
            json.dump(ROWS, file, indent=1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="rows whose name has this")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--devices", default="2,8", help="over how many")
    parser.add_argument("--json", help="write the rows there")
    ARGUMENTS = parser.parse_args()
    main()
