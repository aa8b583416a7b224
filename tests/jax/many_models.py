"""Trains models of many sizes for two steps each, one after the other in this process, and prints how much memory that took
at most. Run by test_memory.py and `./dev test-slow memory` on millrace and on XLA:CPU."""

import json
import resource
import sys

import jax
import jax.numpy as jnp


def dense(key, a, b):
    return jax.random.normal(key, (a, b)) * 0.02


def mlp(width, depth):
    keys = jax.random.split(jax.random.key(0), depth)
    params = [dense(k, width, width) for k in keys]

    def apply(params, x):
        for w in params:
            x = jnp.tanh(x @ w)
        return x

    return params, apply, jnp.ones((512, width))


def transformer(width, layers, length):
    keys = jax.random.split(jax.random.key(1), 4 * layers)
    shapes = ((width, 3 * width), (width, width), (width, 4 * width), (4 * width, width))
    params = [[dense(keys[4 * i + j], *s) for j, s in enumerate(shapes)] for i in range(layers)]

    def norm(x):
        return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)

    def apply(params, x):
        for qkv, out, up, down in params:
            q, k, v = (a.reshape(*a.shape[:-1], 4, -1) for a in jnp.split(norm(x) @ qkv, 3, -1))
            scores = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k))
            x = x + jnp.einsum("bhqk,bkhd->bqhd", scores, v).reshape(x.shape) @ out
            x = x + jax.nn.gelu(norm(x) @ up) @ down
        return x

    return params, apply, jnp.ones((2, length, width))


def convnet(channels, blocks, size):
    keys = jax.random.split(jax.random.key(2), blocks)
    params = [jax.random.normal(k, (3, 3, channels, channels)) * 0.05 for k in keys]

    def apply(params, x):
        for w in params:
            y = jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            x = x + jax.nn.relu((y - y.mean((0, 1, 2))) * jax.lax.rsqrt(y.var((0, 1, 2)) + 1e-5))
        return x

    return params, apply, jnp.ones((4, size, size, channels))


MODELS = [(mlp, (w, 4)) for w in (600, 1100, 1700)] + [(transformer, (192, 2, 300)), (convnet, (24, 3, 96))]
MORE = [(mlp, (w, d)) for w in range(500, 2600, 300) for d in (3, 6)]
MORE += [(transformer, (w, 3, n)) for w in (128, 256, 384, 512) for n in (256, 400, 700)]
MORE += [(convnet, (c, d, s)) for c in (16, 40, 64, 96) for d in (2, 5) for s in (64, 112)]


def train(make, sizes):
    params, apply, x = make(*sizes)

    def loss(params, x):
        return jnp.mean(apply(params, x) ** 2)

    @jax.jit
    def step(params, momentum, x):
        grads = jax.grad(loss)(params, x)
        momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, grads)
        return jax.tree.map(lambda p, m: p - 0.01 * m, params, momentum), momentum

    momentum = jax.tree.map(jnp.zeros_like, params)
    for _ in range(2):
        params, momentum = step(params, momentum, x)
    assert all(bool(jnp.isfinite(leaf).all()) for leaf in jax.tree.leaves(params))


def main():
    for make, sizes in MODELS + (MORE if "--more" in sys.argv else []):
        train(make, sizes)
        if "--verbose" in sys.argv:
            usage = resource.getrusage(resource.RUSAGE_SELF)
            stats = jax.devices()[0].memory_stats() or {}
            print(make.__name__, sizes, usage.ru_maxrss >> 10, stats.get("peak_bytes_in_use", 0) >> 20,
                  stats.get("peak_pool_bytes", 0) >> 20, round(usage.ru_utime), file=sys.stderr, flush=True)
    print(json.dumps({"peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10}))


if __name__ == "__main__":
    main()
