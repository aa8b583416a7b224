"""One small transformer trained over eight devices in four ways: the same losses, different traffic.

    MILLRACE_NUM_DEVICES=8 build/venv/bin/python examples/sharded_transformer.py [--steps N] [--platform cpu]

Data parallel: each device has all parameters and an eighth of the batch. Fully sharded: parameters are cut too, and gathered where
they are used. Tensor parallel: each layer's heads and hidden units are cut. Pipeline: shard_map, a layer or two on each device, and
microbatches that ppermute hands on. The table has the losses, the bytes that a device gets by collectives in a step (counted in
the compiled program's text) and the time of a step.
"""

import argparse
import math
import os
import re
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--steps", type=int, default=5)
parser.add_argument("--platform", default="millrace")
options = parser.parse_args()
os.environ.setdefault("MILLRACE_NUM_DEVICES", "8")
os.environ["JAX_PLATFORMS"] = options.platform
os.environ.setdefault("JAX_NUM_CPU_DEVICES", "8")

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, shard_map
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

LAYERS, WIDTH, HIDDEN, HEADS, WORDS, LENGTH, BATCH = 8, 64, 128, 8, 128, 32, 16
MESH = Mesh(np.array(jax.devices()[:8]), ("d",))


def init(key):
    shapes = {"qkv": (LAYERS, WIDTH, 3, HEADS, WIDTH // HEADS), "out": (LAYERS, HEADS, WIDTH // HEADS, WIDTH),
              "up": (LAYERS, WIDTH, HIDDEN), "down": (LAYERS, HIDDEN, WIDTH)}
    keys = jax.random.split(key, len(shapes) + 2)
    layers = {name: jax.random.normal(k, shape) * 0.06 for (name, shape), k in zip(shapes.items(), keys)}
    return {"layers": layers, "embed": jax.random.normal(keys[-1], (WORDS, WIDTH)) * 0.1}


def norm(x):
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)


def layer(x, p):
    q, k, v = jnp.moveaxis(jnp.einsum("bld,dchn->blchn", norm(x), p["qkv"]), 2, 0)
    scores = jnp.einsum("blhn,bmhn->bhlm", q, k) / math.sqrt(WIDTH // HEADS)
    scores = jnp.where(jnp.tril(jnp.ones((LENGTH, LENGTH), bool)), scores, -1e9)
    x = x + jnp.einsum("bhlm,bmhn,hnd->bld", jax.nn.softmax(scores), v, p["out"])
    return x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"]


def loss_of(x, embed, words):
    scores = norm(x) @ embed.T
    picked = jnp.take_along_axis(jax.nn.log_softmax(scores), jnp.roll(words, -1, 1)[..., None], -1)
    return -picked[:, :-1].mean()


def loss(params, words):
    x = params["embed"][words]
    x = lax.scan(lambda x, p: (layer(x, p), None), x, params["layers"])[0]
    return loss_of(x, params["embed"], words)


def pipelined_loss(params, words):
    """Device d has layer d; microbatch m is in it at tick d + m."""

    def body(layers, embed, words):
        here, micro = lax.axis_index("d"), words.reshape(8, BATCH // 8, LENGTH)
        own = jax.tree.map(lambda p: p[0], layers)

        def tick(carry, t):
            x, total = carry
            x = jnp.where(here == 0, embed[micro[t % 8]], x)
            x = layer(x, own)
            ends = (here == 7) & (t >= 7)
            total = total + jnp.where(ends, loss_of(x, embed, micro[(t - 7) % 8]), 0.0)
            return (lax.ppermute(x, "d", [(i, (i + 1) % 8) for i in range(8)]), total), None

        start = lax.pcast((jnp.zeros((BATCH // 8, LENGTH, WIDTH)), jnp.zeros(())), ("d",), to="varying")
        total = lax.scan(tick, start, jnp.arange(15))[0][1]
        return lax.psum(total, "d") / 8

    return shard_map(body, mesh=MESH, in_specs=(P("d"), P(), P()), out_specs=P())(params["layers"], params["embed"], words)


def step_of(loss):
    def step(params, words):
        value, grads = jax.value_and_grad(loss)(params, words)
        return value, jax.tree.map(lambda p, g: p - 0.5 * g, params, grads)

    return step


REPLICATED = {"layers": {name: P() for name in ("qkv", "out", "up", "down")}, "embed": P()}
CUT = {"layers": {"qkv": P(None, "d"), "out": P(None, None, None, "d"), "up": P(None, "d"), "down": P(None, "d")}, "embed": P("d")}
TENSOR = {"layers": {"qkv": P(None, None, None, "d"), "out": P(None, "d"), "up": P(None, None, "d"), "down": P(None, "d")}, "embed": P()}
STAGES = {"layers": {name: P("d") for name in ("qkv", "out", "up", "down")}, "embed": P()}
WAYS = {"data parallel": (loss, REPLICATED, P("d")), "fully sharded": (loss, CUT, P("d")), "tensor parallel": (loss, TENSOR, P()),
        "pipeline": (pipelined_loss, STAGES, P())}


def traffic(text):
    """Bytes that a device has of collectives' results in one run of the text; of those in loops, in one round."""
    sizes = {"f32": 4, "s32": 4, "u32": 4, "pred": 1, "bf16": 2}
    total, count = 0, 0
    for line in text.splitlines():
        found = re.search(r"= (.*?) (all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute)\(", line)
        if found:
            count += 1
            total += sum(sizes.get(kind, 4) * math.prod(int(n) for n in dims.split(",") if n)
                         for kind, dims in re.findall(r"(\w+)\[([\d,]*)\]", found[1]))
    return total, count


def main():
    params = init(jax.random.key(0))
    words = np.random.default_rng(0).integers(0, WORDS, (BATCH, LENGTH)).astype(np.int32)
    print(f"{'way':16} {'collectives':>11} {'KiB':>8} {'ms a step':>10}  losses")
    wanted = None
    for name, (loss_here, specs, cut) in WAYS.items():
        place = lambda spec: NamedSharding(MESH, spec)
        shardings = jax.tree.map(place, specs, is_leaf=lambda s: isinstance(s, P))
        state, batch = jax.device_put(params, shardings), jax.device_put(words, place(cut))
        step = jax.jit(step_of(loss_here), out_shardings=(place(P()), shardings)).lower(state, batch).compile()
        losses, start = [], 0
        for i in range(options.steps):
            value, state = step(state, batch)
            losses.append(float(value))
            start = time.perf_counter() if i == 0 else start
        spent = (time.perf_counter() - start) / max(options.steps - 1, 1)
        bytes_moved, count = traffic(step.as_text())
        print(f"{name:16} {count:11} {bytes_moved / 1024:8.1f} {spent * 1e3:10.2f}  {' '.join(f'{v:.5f}' for v in losses)}")
        wanted = wanted or losses
        np.testing.assert_allclose(losses, wanted, rtol=2e-4)


main()
