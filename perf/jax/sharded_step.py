#!/usr/bin/env python3
"""A training step of a transformer of twelve layers over eight devices, against XLA:CPU with as many, both in this process.

    ./dev bench sharded_step [-- --only data|tensor] [--rounds N] [--layers N] [--donate] [--platform millrace] [--json FILE]

Width 256, 1,024 words, 128 places, a batch of eight, Adam: a step takes parameters, both moments and the number of the step, and gives
the new ones with the loss. Data parallel: all of that is on each device, and one row of the batch. Tensor parallel: heads, hidden units and
words are cut, as Megatron does. Told are the time of a step from arrays that are there until all results are, the time to compile, and
what the collectives of the program's text give to a device. Rounds alternate between the platforms; the ratio is the median of the rounds' ratios.
"""

import argparse
import json
import os
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
import traffic
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

WIDTH, HEADS, WORDS, PLACES, BATCH, DEVICES = 256, 8, 1024, 128, 8, 8
clock = time.perf_counter


# ---- The model ---------------------------------------------------------------------------------------------------------


def dense(random, inputs, outputs):
    weights = random.standard_normal((inputs, outputs), dtype=np.float32) / np.float32(np.sqrt(inputs))
    return {"w": weights, "b": np.zeros(outputs, np.float32)}


def scale():
    return {"gain": np.ones(WIDTH, np.float32), "bias": np.zeros(WIDTH, np.float32)}


def make_parameters(layers):
    random = np.random.default_rng(2)
    blocks = []
    for _ in range(layers):
        block = {"before": scale(), "qkv": dense(random, WIDTH, 3 * WIDTH), "out": dense(random, WIDTH, WIDTH)}
        block |= {"between": scale(), "up": dense(random, WIDTH, 4 * WIDTH), "down": dense(random, 4 * WIDTH, WIDTH)}
        blocks.append(block)
    table, places = (random.standard_normal((n, WIDTH), dtype=np.float32) * np.float32(0.02) for n in (WORDS, PLACES))
    return {"words": table, "places": places, "blocks": blocks, "last": scale()}


def norm(x, p):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * p["gain"] + p["bias"]


def layer(x, p):
    batch, places, _ = x.shape
    each = (batch, places, HEADS, WIDTH // HEADS)
    mixed = norm(x, p["before"]) @ p["qkv"]["w"] + p["qkv"]["b"]
    q, k, v = (part.reshape(each) for part in jnp.split(mixed, 3, -1))
    scores = jnp.einsum("bshd,bthd->bhst", q, k) / np.float32(np.sqrt(WIDTH // HEADS))
    scores = jnp.where(jnp.tril(jnp.ones((places, places), bool)), scores, -1e9)
    seen = jnp.einsum("bhst,bthd->bshd", jax.nn.softmax(scores, -1), v).reshape(x.shape)
    x = x + seen @ p["out"]["w"] + p["out"]["b"]
    hidden = jax.nn.gelu(norm(x, p["between"]) @ p["up"]["w"] + p["up"]["b"])
    return x + hidden @ p["down"]["w"] + p["down"]["b"]


def loss_of(p, words):
    x = p["words"][words] + p["places"][: words.shape[1]]
    for block in p["blocks"]:
        x = layer(x, block)
    scores = jax.nn.log_softmax((norm(x, p["last"]) @ p["words"].T)[:, :-1])
    return -jnp.mean(jnp.take_along_axis(scores, words[:, 1:, None], -1))


def step(state, words):
    p, m, v, t = state
    loss, g = jax.value_and_grad(loss_of)(p, words)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, g)
    rate = 1e-3 * jnp.sqrt(1 - 0.999 ** (t + 1)) / (1 - 0.9 ** (t + 1))
    p = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), p, m, v)
    return loss, (p, m, v, t + 1)


# ---- How it is cut -----------------------------------------------------------------------------------------------------

ALONG = {"qkv": (P(None, "x"), P("x")), "up": (P(None, "x"), P("x")), "out": (P("x", None), P()), "down": (P("x", None), P())}


def cut_of(kind, path):
    names = [key.key for key in path if hasattr(key, "key")]
    if kind == "tensor" and names[-1] in ("w", "b") and names[-2] in ALONG:
        return ALONG[names[-2]]["wb".index(names[-1])]
    return P("x", None) if kind == "tensor" and names[-1] == "words" else P()


def make(kind, devices, layers, donate):
    """(the compiled step, its state, its words, seconds that compiling took)"""
    mesh = Mesh(np.array(devices), ("x",))
    there = lambda spec: NamedSharding(mesh, spec)
    parameters = make_parameters(layers)
    zeros = jax.tree.map(np.zeros_like, parameters)
    state = (parameters, zeros, zeros, np.float32(0))
    cuts = jax.tree_util.tree_map_with_path(lambda path, _: there(cut_of(kind, path)), parameters)
    cuts = (cuts, cuts, cuts, there(P()))
    words = np.random.default_rng(3).integers(0, WORDS, (BATCH, PLACES)).astype(np.int32)
    words = jax.device_put(words, there(P("x") if kind == "data" else P()))
    state = jax.device_put(state, cuts)
    function = jax.jit(step, out_shardings=(there(P()), cuts), donate_argnums=(0,) if donate else ())
    lowered = function.lower(state, words)
    start = clock()
    compiled = lowered.compile()
    return compiled, state, words, clock() - start


class run:
    """Steps, each from the state that the last one left."""

    def __init__(self, compiled, state, words):
        self.compiled, self.state, self.words, self.losses = compiled, state, words, []

    def __call__(self):
        loss, self.state = self.compiled(self.state, self.words)
        jax.block_until_ready((loss, self.state))
        self.losses.append(loss)


def row(kind):
    runs, compiles, moved = [], [], []
    for platform in ARGUMENTS.platform.split(","):
        compiled, state, words, took = make(kind, jax.devices(platform)[:DEVICES], ARGUMENTS.layers, ARGUMENTS.donate)
        runs.append(run(compiled, state, words))
        compiles.append(took)
        moved.append(traffic.count(compiled.as_text()))
        del state
    for call in runs:
        call()
        call()
    if len(runs) == 1:
        runs, compiles, moved = runs * 2, compiles * 2, moved * 2
    samplers = [lambda call=call: sides.timed(call, 1) for call in runs]
    ours, theirs, ratio = sides.compared(samplers, ARGUMENTS.rounds)
    losses = [np.array([float(loss) for loss in call.losses]) for call in runs]
    off = float(np.max(np.abs(losses[0] - losses[1]) / losses[1]))
    print(f"{kind:8} step    {ours * 1e3:9.1f} ms {theirs * 1e3:9.1f} ms {1 / ratio:7.2f}x   losses differ by {off:.1e}")
    print(f"{'':8} compile {compiles[0] * 1e3:9.1f} ms {compiles[1] * 1e3:9.1f} ms {compiles[1] / compiles[0]:7.2f}x")
    print(f"{'':8} moved   {moved[0].bytes / 1e6:9.3f} MB {moved[1].bytes / 1e6:9.3f} MB   {moved[0]}; {moved[1]}", flush=True)
    return {
        "name": kind,
        "ours_us": ours * 1e6,
        "xla_us": theirs * 1e6,
        "ratio": ratio,
        "compile_ms": [took * 1e3 for took in compiles],
        "bytes": [m.bytes for m in moved],
    }


def main():
    print(f"{'':16} {'millrace':>12} {'XLA:CPU':>12}   faster")
    rows = [row(kind) for kind in ("data", "tensor") if ARGUMENTS.only in kind]
    if ARGUMENTS.json:
        with open(ARGUMENTS.json, "w") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="data or tensor")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--donate", action="store_true", help="the step may write where its state is")
    parser.add_argument("--platform", default="millrace,cpu", help="one alone is compared with itself")
    parser.add_argument("--json", help="write the rows there")
    ARGUMENTS = parser.parse_args()
    main()
