#!/usr/bin/env python3
"""Trains a small transformer, written with flax.nnx and optax, on sums written out as text.

    ./dev test-slow flax

The same model is trained on millrace and on XLA:CPU from the same start; losses and answers are
compared (not the weights: the gradient of a key's bias is nothing but rounding, which Adam scales up). The flax.linen network after it has what the transformer has not: convolutions, batch statistics, dropout.
"""

import sys

import side_by_side

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen, nnx

ALPHABET = "0123456789+= "
LENGTH, BATCH, STEPS = 12, 32, 40


def sums(seed):
    """Rows of text such as '12+7=19     ' as numbers of letters."""
    random = np.random.default_rng(seed)
    rows = [f"{a}+{b}={a + b}".ljust(LENGTH) for a, b in random.integers(0, 100, (BATCH, 2))]
    return np.array([[ALPHABET.index(c) for c in row] for row in rows], np.int32)


class Block(nnx.Module):
    def __init__(self, width, heads, rngs):
        self.before = nnx.LayerNorm(width, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(heads, width, decode=False, rngs=rngs)
        self.after = nnx.LayerNorm(width, rngs=rngs)
        self.wide = nnx.Linear(width, 4 * width, rngs=rngs)
        self.narrow = nnx.Linear(4 * width, width, rngs=rngs)

    def __call__(self, x):
        mask = nnx.make_causal_mask(x[..., 0])
        x = x + self.attention(self.before(x), mask=mask)
        return x + self.narrow(nnx.gelu(self.wide(self.after(x))))


class Transformer(nnx.Module):
    def __init__(self, width, heads, layers, rngs):
        self.letters = nnx.Embed(len(ALPHABET), width, rngs=rngs)
        self.places = nnx.Param(jax.random.normal(rngs.params(), (LENGTH, width)) * 0.02)
        self.blocks = nnx.List([Block(width, heads, rngs) for _ in range(layers)])
        self.norm = nnx.LayerNorm(width, rngs=rngs)
        self.out = nnx.Linear(width, len(ALPHABET), rngs=rngs)

    def __call__(self, letters):
        x = self.letters(letters) + self.places[...]
        for block in self.blocks:
            x = block(x)
        return self.out(self.norm(x))


def transformer(device, watch):
    model = Transformer(128, 4, 3, nnx.Rngs(0))
    schedule = optax.warmup_cosine_decay_schedule(0.0, 1e-3, 5, STEPS)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=0.01))
    graph, weights = nnx.split(model)
    state = (weights, optimizer.init(weights))

    def loss(weights, rows):
        scores = nnx.merge(graph, weights)(rows)[:, :-1]
        return optax.softmax_cross_entropy_with_integer_labels(scores, rows[:, 1:]).mean()

    def step(state, rows):
        weights, memory = state
        value, gradients = jax.value_and_grad(loss)(weights, rows)
        updates, memory = optimizer.update(gradients, memory, weights)
        return (optax.apply_updates(weights, updates), memory), value

    compiled = watch.compile(jax.jit(step, donate_argnums=0), state, sums(0))
    losses = []
    for i in range(STEPS):
        state, value = watch.step(compiled, state, jax.device_put(sums(i), device))
        losses.append(float(value))
    print(f"{watch.platform}: loss {losses[0]:.4f} to {losses[-1]:.4f} in {STEPS} steps")
    answers = jax.jit(lambda w, rows: nnx.merge(graph, w)(rows))(state[0], sums(1000))
    return {"losses": losses, "answers": answers, "first loss": losses[:1]}


class Network(linen.Module):
    @linen.compact
    def __call__(self, x, train):
        for width in (16, 32):
            x = linen.Conv(width, (3, 3), use_bias=False)(x)
            x = linen.BatchNorm(use_running_average=not train)(x)
            x = linen.max_pool(linen.relu(x), (2, 2), (2, 2))
        x = x.reshape(x.shape[0], -1)
        x = linen.Dropout(0.2, deterministic=not train)(linen.relu(linen.Dense(64)(x)))
        return linen.Dense(10)(x)


def convolutional(device, watch):
    random = np.random.default_rng(0)
    images = random.standard_normal((64, 16, 16, 3), dtype=np.float32)
    labels = random.integers(0, 10, 64).astype(np.int32)
    network, optimizer = Network(), optax.sgd(0.05, momentum=0.9, nesterov=True)
    variables = network.init(jax.random.key(0), images, train=False)
    state = (variables["params"], variables["batch_stats"], optimizer.init(variables["params"]))

    def step(state, key):
        parameters, statistics, memory = state

        def loss(parameters):
            scores, changed = network.apply(
                {"params": parameters, "batch_stats": statistics}, images, train=True, rngs={"dropout": key}, mutable=["batch_stats"]
            )
            return optax.softmax_cross_entropy_with_integer_labels(scores, labels).mean(), changed["batch_stats"]

        (value, changed), gradients = jax.value_and_grad(loss, has_aux=True)(parameters)
        updates, memory = optimizer.update(gradients, memory, parameters)
        return (optax.apply_updates(parameters, updates), changed, memory), value

    keys = jax.random.split(jax.random.key(1), 20)
    compiled = watch.compile(jax.jit(step), state, keys[0])
    losses = []
    for key in keys:
        state, value = watch.step(compiled, state, key)
        losses.append(float(value))
    print(f"{watch.platform}: loss {losses[0]:.4f} to {losses[-1]:.4f} in {len(keys)} steps")
    return {"losses": losses, "batch statistics": state[1]}


def main():
    report = side_by_side.Report()
    report.compare("flax.nnx transformer", transformer, {"first loss": 1e-5, "losses": 1e-3, "answers": 0.02})
    report.compare("flax.linen network", convolutional, {"losses": 2e-3, "batch statistics": 2e-3})
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
