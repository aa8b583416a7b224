#!/usr/bin/env python3
"""Eighteen small workloads (networks, simulations, signals) on each device of millrace, against XLA:CPU in the same process.

    ./dev bench workloads [-- --only REGEX] [--rounds N] [--json FILE]
    MILLRACE_DEVICES=cpu,opencl ./dev bench workloads        # an OpenCL device beside the CPU one (docs/opencl.md)

A row is a jitted function whose arguments are on the device, called until its result is there. Rounds alternate between all
devices; a ratio is the median of the rounds' ratios to XLA:CPU. A result that is not XLA:CPU's within the row's tolerance is told,
and the command fails then. What a device refuses is told with its words, and counts as a row that did not run.
"""

import argparse
import json
import os
import re
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import sides

os.environ.setdefault("JAX_PLATFORMS", "millrace,cpu")

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

WORKLOADS = {}


def workload(tolerance=1e-4):
    """A function that gives (function, arguments); results may differ by `tolerance`, relative to the largest number of each."""

    def add(make):
        WORKLOADS[make.__name__] = (make, tolerance)
        return make

    return add


def normal(*shape, scale=1.0, seed=0):
    values = np.random.default_rng(seed + len(shape) + sum(shape)).standard_normal(shape, dtype=np.float32)
    return values * np.float32(scale)


# ---- Networks -------------------------------------------------------------------------------------------------------------


@workload()
def mlp():
    sizes = (256, 512, 512, 64)
    layers = [(normal(m, n, scale=m**-0.5), normal(n, scale=0.1)) for m, n in zip(sizes, sizes[1:])]

    def forward(layers, x):
        for weights, bias in layers[:-1]:
            x = jax.nn.relu(x @ weights + bias)
        return x @ layers[-1][0] + layers[-1][1]

    return forward, (layers, normal(64, 256))


@workload()
def cnn():
    first, second, last = normal(3, 3, 1, 8, scale=0.3), normal(3, 3, 8, 16, scale=0.1), normal(784, 10, scale=0.05)

    def convolve(x, weights):
        x = lax.conv_general_dilated(x, weights, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return lax.reduce_window(jax.nn.relu(x), -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    def forward(first, second, last, x):
        x = convolve(convolve(x, first), second)
        return jax.nn.log_softmax(x.reshape(x.shape[0], -1) @ last)

    return forward, (first, second, last, normal(8, 28, 28, 1))


def recurrent(cell, gates, width=64, batch=16, steps=50):
    weights = normal(width, gates * width, scale=width**-0.5), normal(width, gates * width, scale=width**-0.5, seed=1)
    bias = normal(gates * width, scale=0.1)

    def forward(inward, across, bias, xs):
        start = jnp.zeros((batch, width)), jnp.zeros((batch, width))
        (h, _), hs = lax.scan(lambda state, x: cell(state, x @ inward, across, bias), start, xs)
        return h, hs.sum(0)

    return forward, (*weights, bias, normal(steps, batch, width))


@workload()
def lstm():
    def cell(state, x, across, bias):
        h, c = state
        i, f, g, o = jnp.split(x + h @ across + bias, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    return recurrent(cell, 4)


@workload()
def gru():
    def cell(state, x, across, bias):
        h, unused = state
        (xr, xz, xn), (hr, hz, hn) = jnp.split(x, 3, axis=-1), jnp.split(h @ across + bias, 3, axis=-1)
        z = jax.nn.sigmoid(xz + hz)
        h = (1 - z) * jnp.tanh(xn + jax.nn.sigmoid(xr + hr) * hn) + z * h
        return (h, unused), h

    return recurrent(cell, 3)


def normalized(x):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5)


def attend(q, k, v):
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) * q.shape[-1] ** -0.5
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(jnp.where(mask, scores, -1e9)), v)


@workload()
def transformer():
    width, heads, layers = 128, 4, 2

    def make(seed):
        shapes = {"qkv": (width, 3 * width), "out": (width, width), "up": (width, 4 * width), "down": (4 * width, width)}
        return {name: normal(*shape, scale=shape[0] ** -0.5, seed=seed) for name, shape in shapes.items()}

    def layer(x, weights):
        batch, length, _ = x.shape
        qkv = (normalized(x) @ weights["qkv"]).reshape(batch, length, 3, heads, width // heads)
        q, k, v = (qkv[:, :, i].transpose(0, 2, 1, 3) for i in range(3))
        x = x + attend(q, k, v).transpose(0, 2, 1, 3).reshape(x.shape) @ weights["out"]
        return x + jax.nn.gelu(normalized(x) @ weights["up"]) @ weights["down"]

    def forward(layers, x):
        for weights in layers:
            x = layer(x, weights)
        return x

    return forward, ([make(seed) for seed in range(layers)], normal(4, 64, width))


@workload()
def attention():
    return attend, tuple(normal(2, 8, 128, 64, seed=seed) for seed in range(3))


@workload()
def layernorm():
    return lambda x, scale, bias: normalized(x) * scale + bias, (normal(1024, 512), normal(512), normal(512, seed=1))


@workload()
def batchnorm():
    def forward(x, scale, bias):
        mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + bias

    return forward, (normal(8, 28, 28, 32), normal(32), normal(32, seed=1))


@workload()
def embedding_softmax():
    tokens = np.random.default_rng(0).integers(0, 4096, (16, 32)).astype(np.int32)
    return lambda table, tokens: jax.nn.softmax(table[tokens].mean(1)), (normal(4096, 128), tokens)


# ---- Simulations ----------------------------------------------------------------------------------------------------------


@workload()
def heat2d():
    def step(_, u):
        middle = u[1:-1, 1:-1]
        around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        return u.at[1:-1, 1:-1].set(middle + 0.1 * (around - 4 * middle))

    return lambda u: lax.fori_loop(0, 100, step, u), (normal(64, 64),)


@workload(1e-3)
def nbody():
    def step(state, _):
        position, velocity, mass = state
        apart = position[None] - position[:, None]
        pull = apart * (mass[None] * ((apart**2).sum(-1) + 0.1) ** -1.5)[..., None]
        velocity = velocity + 0.001 * pull.sum(1)
        return (position + 0.001 * velocity, velocity, mass), None

    def run(position, velocity, mass):
        return lax.scan(step, (position, velocity, mass), None, length=10)[0]

    return run, (normal(128, 3), normal(128, 3, scale=0.1, seed=1), np.abs(normal(128)))


def runge_kutta(derivative, state, dt):
    k1 = derivative(state)
    k2 = derivative(state + dt / 2 * k1)
    k3 = derivative(state + dt / 2 * k2)
    return state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + derivative(state + dt * k3))


@workload(1e-3)
def rk4_ode():
    def lorenz(state):
        x, y, z = state
        return jnp.stack([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z])

    run = lambda state: lax.fori_loop(0, 200, lambda _, s: runge_kutta(lorenz, s, jnp.float32(0.002)), state)
    return run, (normal(3, 64, scale=5.0),)


@workload()
def logistic_map():
    # Of a parameter that is not chaotic, so that rounding does not grow.
    return lambda x: lax.fori_loop(0, 500, lambda _, x: 3.2 * x * (1 - x), x), (np.abs(normal(1024, scale=0.1)) % 1,)


@workload()
def monte_carlo():
    def price(seed):
        paths = jax.random.normal(jax.random.wrap_key_data(seed), (1 << 16,))
        last = 100.0 * jnp.exp(-0.02 + 0.2 * paths)
        return jnp.maximum(last - 105.0, 0).mean()

    return price, (np.array([0, 42], np.uint32),)


@workload()
def fft():
    def power(x):
        spectrum = jnp.fft.rfft(x)
        return jnp.fft.irfft(spectrum * jnp.exp(-0.01 * jnp.arange(spectrum.shape[-1])), n=x.shape[-1])

    return power, (normal(16, 4096),)


@workload(1e-3)
def spring_mass():
    def step(state, _):
        position, velocity = state
        stretch = jnp.diff(position, prepend=position[:1], append=position[-1:])
        velocity = 0.999 * velocity + 0.01 * jnp.diff(stretch, prepend=stretch[:1])[: position.shape[0]]
        return (position + 0.01 * velocity, velocity), velocity[0]

    return lambda position: lax.scan(step, (position, jnp.zeros_like(position)), None, length=500), (normal(32),)


@workload(1e-3)
def hh_neuron():
    def rate(scale, shift, width, v):
        x = (v + shift) / width
        return scale * jnp.where(jnp.abs(x) < 1e-4, 1 + x / 2, x / (1 - jnp.exp(-jnp.where(jnp.abs(x) < 1e-4, 1.0, x))))

    def step(state, _):
        v, m, h, n = state
        current = 120 * m**3 * h * (v - 50) + 36 * n**4 * (v + 77) + 0.3 * (v + 54.4)
        m = m + 0.01 * (rate(1.0, 40.0, 10.0, v) * (1 - m) - 4 * jnp.exp(-(v + 65) / 18) * m)
        h = h + 0.01 * (0.07 * jnp.exp(-(v + 65) / 20) * (1 - h) - h / (1 + jnp.exp(-(v + 35) / 10)))
        n = n + 0.01 * (rate(0.1, 55.0, 10.0, v) * (1 - n) - 0.125 * jnp.exp(-(v + 65) / 80) * n)
        return (v + 0.01 * (10 - current), m, h, n), v[0]

    def run(v):
        return lax.scan(step, (v, v * 0 + 0.05, v * 0 + 0.6, v * 0 + 0.32), None, length=500)

    return run, (-65 + normal(64),)


@workload(1e-3)
def brax_step():
    """Bodies on springs over ground: contacts, rotations by quaternions, and a reward, as physics for reinforcement learning has them."""

    def rotate(q, v):
        u = q[..., 1:]
        t = 2 * jnp.cross(u, v)
        return v + q[..., :1] * t + jnp.cross(u, t)

    def step(state, _):
        position, velocity, spin, q = state
        ends = position[:, None] + rotate(q[:, None], jnp.array([[0.5, 0, 0], [-0.5, 0, 0.0]])[None])
        depth = jnp.maximum(-ends[..., 2], 0)
        force = jnp.stack([-0.2 * ends[..., 0], -0.2 * ends[..., 1], 80 * depth], -1)
        joint = position[1:] - position[:-1]
        length = jnp.sqrt((joint**2).sum(-1, keepdims=True) + 1e-6)
        pull = 20 * (length - 1) * joint / length
        push = force.sum(1).at[:-1].add(pull).at[1:].add(-pull)
        velocity = 0.99 * (velocity + 0.005 * (push + jnp.array([0, 0, -9.8])))
        spin = 0.98 * spin + 0.005 * jnp.cross(ends - position[:, None], force).sum(1)
        turn = jnp.concatenate([-(q[:, 1:] * spin).sum(-1, keepdims=True), q[:, :1] * spin + jnp.cross(spin, q[:, 1:])], -1)
        q = q + 0.0025 * turn
        q = q / jnp.sqrt((q**2).sum(-1, keepdims=True))
        return (position + 0.005 * velocity, velocity, spin, q), velocity[:, 0].mean()

    def run(position, q):
        return lax.scan(step, (position, position * 0, position * 0, q), None, length=50)

    start = np.stack([np.arange(16.0), np.zeros(16), np.full(16, 0.3)], -1).astype(np.float32)
    tilt = np.array([1, 0, 0, 0], np.float32) + normal(16, 4, scale=0.2)
    return run, (start + normal(16, 3, scale=0.01), tilt / np.linalg.norm(tilt, axis=-1, keepdims=True))


# ---- Measuring --------------------------------------------------------------------------------------------------------------


def label(device):
    return f"{getattr(device, 'kind', device.device_kind)} {device.id}"


# What rounding leaves of differences, as of a spin that nothing turns, relative to the largest number of a row: a result all of whose
# numbers are smaller has no scale of its own.
NOTHING = 1e-9


def difference(ours, theirs):
    """The largest, relative to the largest number of each result; NaN where only one has it counts as infinite."""
    worst = 0.0
    largest = max(float(np.nanmax(np.abs(np.asarray(b, np.float64)), initial=0.0)) for b in jax.tree.leaves(theirs))
    for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs)):
        a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
        if not np.array_equal(np.isnan(a), np.isnan(b)):
            return float("inf")
        scale = max(float(np.nanmax(np.abs(b), initial=0.0)), largest * NOTHING, 1e-30)
        worst = max(worst, float(np.nanmax(np.abs(a - b), initial=0.0)) / scale)
    return worst


def prepare(make, device):
    function, arguments = make()
    arguments = jax.device_put(arguments, device)
    run = jax.jit(function)
    call = lambda: jax.block_until_ready(run(*arguments))
    return call, call()


def measure(name, make, tolerance, devices, cpu):
    theirs, wanted = prepare(make, cpu)
    calls, row = [], {"name": name, "devices": {}}
    for device in devices:
        try:
            call, got = prepare(make, device)
        except jax.errors.JaxRuntimeError as error:
            row["devices"][label(device)] = {"refused": str(error).splitlines()[0]}
            continue
        calls.append((device, call, difference(got, wanted)))
    count = sides.count_for([theirs, *(call for _, call, _ in calls)], 0.02)
    samples = [[] for _ in range(len(calls) + 1)]
    everyone = [theirs, *(call for _, call, _ in calls)]
    for turn in range(ARGUMENTS.rounds):
        for k in range(len(everyone)):
            at = (k + turn) % len(everyone)
            samples[at].append(sides.timed(everyone[at], count))
    row["xla_us"] = statistics.median(samples[0]) * 1e6
    for (device, _, apart), ours in zip(calls, samples[1:]):
        ratio = statistics.median(a / b for a, b in zip(ours, samples[0]))
        row["devices"][label(device)] = {
            "us": statistics.median(ours) * 1e6,
            "ratio": ratio,
            "difference": apart,
            "agrees": apart <= tolerance,
        }
    return row


def show(row):
    print(f"{row['name']:20} {row['xla_us']:10.1f}", end="")
    for entry in row["devices"].values():
        if "refused" in entry:
            print("   refused              ", end="")
        else:
            print(f"   {entry['us']:10.1f} {entry['ratio']:6.2f}x {'' if entry['agrees'] else 'DIFFERS'}", end="")
    print(flush=True)
    for device, entry in row["devices"].items():
        if "refused" in entry:
            print(f"    {device}: {entry['refused'][:200]}")


def main():
    devices, cpu = jax.devices("millrace"), jax.devices("cpu")[0]
    print(f"{'':20} {'XLA:CPU us':>10}   " + "   ".join(f"{label(device) + ' us':>18} ratio" for device in devices))
    rows = []
    for name, (make, tolerance) in WORKLOADS.items():
        if re.search(ARGUMENTS.only, name):
            rows.append(measure(name, make, tolerance, devices, cpu))
            show(rows[-1])
    wrong = 0
    for device in map(label, devices):
        ran = [row["devices"][device] for row in rows if "ratio" in row["devices"][device]]
        wrong += sum(not entry["agrees"] for entry in ran) + len(rows) - len(ran)
        if ran:
            ratios = [entry["ratio"] for entry in ran]
            print(f"{device}: {len(ran)} of {len(rows)} ran; of XLA:CPU's time {statistics.median(ratios):.2f} in the median, "
                  f"{sides.mean(ratios):.2f} in the geometric mean, {max(ratios):.2f} at most")
    if ARGUMENTS.json:
        with open(ARGUMENTS.json, "w") as file:
            json.dump(rows, file, indent=1)
    return wrong != 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="rows whose name has this")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", help="write the rows there")
    ARGUMENTS = parser.parse_args()
    sys.exit(main())
