#!/usr/bin/env python3
"""Trains two Equinox models: a recurrent network that tells spirals apart, and a convolutional one with batch norm.

    ./dev test-slow equinox

Both are trained on millrace and on XLA:CPU; losses, weights and answers are compared.
"""

import functools
import sys

import side_by_side

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

STEPS = 30


def spirals(count=128, length=24):
    """Points of clockwise and counter-clockwise spirals, and which is which."""
    random = np.random.default_rng(0)
    angle = np.linspace(0, 4, length) + random.uniform(0, 6, (count, 1))
    which = random.integers(0, 2, count)
    points = np.stack([np.cos(angle), np.sin(angle) * (2 * which[:, None] - 1)], -1) * np.linspace(1, 2, length)[:, None]
    return points.astype(np.float32), which.astype(np.float32)


class Recurrent(eqx.Module):
    cell: eqx.nn.GRUCell
    out: eqx.nn.Linear

    def __init__(self, width, key):
        one, two = jax.random.split(key)
        self.cell = eqx.nn.GRUCell(2, width, key=one)
        self.out = eqx.nn.Linear(width, 1, key=two)

    def __call__(self, points):
        hidden, _ = jax.lax.scan(lambda h, x: (self.cell(x, h), None), jnp.zeros(self.cell.hidden_size), points)
        return self.out(hidden)[0]


def recurrent(device, watch):
    points, which = jax.device_put(spirals(), device)
    model = Recurrent(32, jax.random.key(0))
    optimizer = optax.adam(3e-3)
    memory = optimizer.init(eqx.filter(model, eqx.is_array))

    def loss(model, points, which):
        return optax.sigmoid_binary_cross_entropy(jax.vmap(model)(points), which).mean()

    @eqx.filter_jit
    def step(model, memory, points, which):
        value, gradients = eqx.filter_value_and_grad(loss)(model, points, which)
        updates, memory = optimizer.update(gradients, memory, model)
        return eqx.apply_updates(model, updates), memory, value

    compiled = watch.compile(step, model, memory, points, which)
    losses = []
    for _ in range(STEPS):
        model, memory, value = watch.step(compiled, model, memory, points, which)
        losses.append(float(value))
    print(f"{watch.platform}: loss {losses[0]:.4f} to {losses[-1]:.4f} in {STEPS} steps")
    answers = eqx.filter_jit(jax.vmap(model))(points)
    return {"losses": losses, "weights": eqx.filter(model, eqx.is_array), "answers": answers}


class Convolutional(eqx.Module):
    convolutions: list
    norms: list
    attention: eqx.nn.MultiheadAttention
    dropout: eqx.nn.Dropout
    out: eqx.nn.Linear

    def __init__(self, key):
        keys = jax.random.split(key, 4)
        self.convolutions = [eqx.nn.Conv2d(3, 16, 3, padding=1, key=keys[0]), eqx.nn.Conv2d(16, 32, 3, stride=2, padding=1, key=keys[1])]
        self.norms = [eqx.nn.BatchNorm(16, "batch", mode="batch"), eqx.nn.BatchNorm(32, "batch", mode="batch")]
        self.attention = eqx.nn.MultiheadAttention(4, 32, key=keys[2])
        self.dropout = eqx.nn.Dropout(0.1)
        self.out = eqx.nn.Linear(32, 10, key=keys[3])

    def __call__(self, x, state, key):
        for convolution, norm in zip(self.convolutions, self.norms):
            x, state = norm(convolution(x), state)
            x = jax.nn.silu(x)
        x = x.reshape(32, -1).T
        x = self.attention(x, x, x)
        return self.out(self.dropout(x.mean(0), key=key)), state


def convolutional(device, watch):
    random = np.random.default_rng(2)
    images = jax.device_put(random.standard_normal((32, 3, 16, 16), dtype=np.float32), device)
    labels = jax.device_put(random.integers(0, 10, 32).astype(np.int32), device)
    model, state = eqx.nn.make_with_state(Convolutional)(jax.random.key(3))
    optimizer = optax.adam(1e-3)
    memory = optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    @functools.partial(eqx.filter_value_and_grad, has_aux=True)
    def loss(model, state, images, labels, key):
        keys = jax.random.split(key, len(images))
        batched = jax.vmap(model, axis_name="batch", in_axes=(0, None, 0), out_axes=(0, None))
        scores, state = batched(images, state, keys)
        return optax.softmax_cross_entropy_with_integer_labels(scores, labels).mean(), state

    @eqx.filter_jit
    def step(model, state, memory, images, labels, key):
        (value, state), gradients = loss(model, state, images, labels, key)
        updates, memory = optimizer.update(gradients, memory, eqx.filter(model, eqx.is_inexact_array))
        return eqx.apply_updates(model, updates), state, memory, value

    key = jax.random.key(4)
    compiled = watch.compile(step, model, state, memory, images, labels, key)
    losses = []
    for _ in range(STEPS):
        key, used = jax.random.split(key)
        model, state, memory, value = watch.step(compiled, model, state, memory, images, labels, used)
        losses.append(float(value))
    print(f"{watch.platform}: loss {losses[0]:.4f} to {losses[-1]:.4f} in {STEPS} steps")
    return {"losses": losses}


def main():
    report = side_by_side.Report()
    report.compare("equinox recurrent network", recurrent, {"losses": 1e-3, "weights": 2e-2, "answers": 2e-2})
    report.compare("equinox convolutional network", convolutional, {"losses": 2e-3})
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
