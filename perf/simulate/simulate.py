"""`millrace simulate` beside what it predicts: ten programs on one and on two processing units, and a table for more units.

Each program is exported by JAX and run by `bin/millrace run --repeat` with MILLRACE_THREADS=1 and 2, in turns with the
simulation, which executes it on one unit. What was least disturbed counts on both sides: the best of the runs, and for each step
the best of the looks at it. A line tells what was measured and predicted and the one divided by the other; the last line how many
of the predictions lie within 15%.

usage: ./dev bench simulate [-- [--rounds N] [--only NAME] [--table]]
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.export
import jax.numpy as jnp
import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MILLRACE_BUILD", ROOT / "build" / "release"))
TOOL = BUILD / "bin" / "millrace"
TABLE_UNITS = [1, 2, 4, 8, 16, 32, 64, 128]


def f32(*dims):
    return jax.ShapeDtypeStruct(dims, jnp.float32)


def mlp(x, w1, w2, w3):
    return jax.nn.relu(jax.nn.relu(x @ w1) @ w2) @ w3


def train_step(x, y, w1, w2):
    def loss(w1, w2):
        return jnp.mean((jnp.tanh(x @ w1) @ w2 - y) ** 2)

    gradients = jax.grad(loss, argnums=(0, 1))(w1, w2)
    return w1 - 0.1 * gradients[0], w2 - 0.1 * gradients[1]


def transformer(x, qkv, out, up, down):
    def norm(x):
        x = x - x.mean(-1, keepdims=True)
        return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5)

    q, k, v = jnp.split(norm(x) @ qkv, 3, axis=-1)
    q, k, v = (a.reshape(a.shape[0], 8, -1).swapaxes(0, 1) for a in (q, k, v))
    attention = jax.nn.softmax(q @ k.swapaxes(1, 2) / 8, axis=-1) @ v
    x = x + attention.swapaxes(0, 1).reshape(x.shape) @ out
    return x + jax.nn.gelu(norm(x) @ up) @ down


def conv_net(x, k1, k2, k3, w):
    for k in (k1, k2, k3):
        x = jax.lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = jax.lax.reduce_window(jax.nn.relu(x), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return x.reshape(x.shape[0], -1) @ w


def lstm(xs, w, u):
    def step(carry, x):
        h, c = carry
        i, f, g, o = jnp.split(x @ w + h @ u, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zero = jnp.zeros((xs.shape[1], u.shape[0]))
    return jax.lax.scan(step, (zero, zero), xs)[1]


def chains(*xs):
    def chain(x, i):
        for k in range(12):
            x = jnp.tanh(jnp.sort(x)[::-1] * 0.5 + 0.01 * (i + k))
        return x

    return tuple(chain(x, i) for i, x in enumerate(xs))


def attention(q, k, v):
    return jax.nn.softmax(q @ k.swapaxes(1, 2), axis=-1) @ v


def normalise(x):
    return (x - x.mean(0)) / jnp.sqrt(x.var(0) + 1e-6)


def stencil(x):
    return jax.lax.fori_loop(
        0, 20, lambda i, x: 0.25 * (jnp.roll(x, 1, 0) + jnp.roll(x, -1, 0) + jnp.roll(x, 1, 1) + jnp.roll(x, -1, 1)), x)


PROGRAMS = {
    "MLP, batch 256": (mlp, [f32(256, 784), f32(784, 1024), f32(1024, 1024), f32(1024, 10)]),
    "MLP, batch 8": (mlp, [f32(8, 784), f32(784, 512), f32(512, 512), f32(512, 10)]),
    "MLP, training": (train_step, [f32(128, 512), f32(128, 64), f32(512, 1024), f32(1024, 64)]),
    "transformer layer": (transformer, [f32(256, 512), f32(512, 1536), f32(512, 512), f32(512, 2048), f32(2048, 512)]),
    "conv net": (conv_net, [f32(8, 64, 64, 3), f32(3, 3, 3, 32), f32(3, 3, 32, 64), f32(3, 3, 64, 64), f32(4096, 10)]),
    "LSTM of 64 steps": (lstm, [f32(64, 16, 128), f32(128, 1024), f32(256, 1024)]),
    "8 chains of sorts": (chains, [f32(4096)] * 8),
    "attention, 16 heads": (attention, [f32(16, 384, 64)] * 3),
    "normalise 2048 x 2048": (normalise, [f32(2048, 2048)]),
    "stencil, 20 rounds": (stencil, [f32(1024, 1024)]),
}


def export(name, folder):
    fn, shapes = PROGRAMS[name]
    path = folder / (re.sub(r"\W+", "_", name) + ".mlirbc")
    path.write_bytes(jax.export.export(jax.jit(fn), platforms=["cpu"])(*shapes).mlir_module_serialized)
    random = numpy.random.default_rng(0)
    inputs = path.with_suffix(".npz")
    arrays = {f"in{i}": (random.standard_normal(s.shape) / numpy.sqrt(s.shape[0])).astype(s.dtype)
              for i, s in enumerate(shapes)}
    numpy.savez(inputs, **arrays)
    return path, inputs


def run(*command, threads=None):
    environment = dict(os.environ)
    if threads:
        environment["MILLRACE_THREADS"] = str(threads)
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=environment, timeout=600)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {result.stderr}")
    return result.stdout


def measure(path, inputs, threads):
    text = run(TOOL, "run", path, "--input", inputs, "--repeat", 101, threads=threads)
    return float(re.search(r"best ([0-9.]+) us", text)[1])


def predict(path, inputs, units):
    text = run(TOOL, "simulate", path, "--input", inputs, "--units", ",".join(map(str, units)))
    rows = re.findall(r"^ +(\d+) +\d+ +([0-9.]+) .*%  ([a-z: -]+)$", text, re.M)
    return {int(row[0]): (float(row[1]), row[2]) for row in rows}


def compare(name, path, inputs, rounds):
    measured, predicted = {1: [], 2: []}, {1: [], 2: []}
    for _ in range(rounds):
        outcome = predict(path, inputs, [1, 2])
        for units in (1, 2):
            measured[units].append(measure(path, inputs, units))
            predicted[units].append(outcome[units][0])
    line, good = f"{name:24}", 0
    for units in (1, 2):
        m, p = min(measured[units]), min(predicted[units])
        good += abs(p / m - 1) <= 0.15
        line += f" {m:10.1f} {p:10.1f} {p / m:6.2f}"
    print(line, flush=True)
    return good


def table(programs):
    print("\n| program | " + " | ".join(map(str, TABLE_UNITS)) + " | limited by, at the end |")
    print("| --- |" + " --- |" * (len(TABLE_UNITS) + 1))
    for name, (path, inputs) in programs.items():
        outcome = predict(path, inputs, TABLE_UNITS)
        times = " | ".join(f"{outcome[n][0]:.0f}" for n in TABLE_UNITS)
        print(f"| {name} | {times} | {outcome[TABLE_UNITS[-1]][1]} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--table", action="store_true", help="the table for more units too")
    options = parser.parse_args()
    folder = ROOT / "build" / "simulate"
    folder.mkdir(parents=True, exist_ok=True)
    programs = {name: export(name, folder) for name in PROGRAMS if options.only in name}
    print(f"{'us':24} {'1: it took':>10} {'predicted':>10} {'':6} {'2: it took':>10} {'predicted':>10}")
    good = sum(compare(name, *paths, options.rounds) for name, paths in programs.items())
    print(f"{good} of {2 * len(programs)} predictions within 15%")
    if options.table:
        table(programs)
    sys.exit(good != 2 * len(programs))


main()
