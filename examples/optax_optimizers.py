#!/usr/bin/env python3
"""Fits a small network with a row of optax optimisers, on millrace and on XLA:CPU, and compares every loss.

    ./dev test-slow optax
"""

import sys

import side_by_side

import jax
import jax.numpy as jnp
import numpy as np
import optax

STEPS = 30
OPTIMIZERS = {
    "sgd, exponential decay": lambda: optax.sgd(optax.exponential_decay(0.1, 10, 0.9)),
    "adam, clipped": lambda: optax.chain(optax.clip_by_global_norm(1.0), optax.adam(3e-3)),
    "adafactor": lambda: optax.adafactor(1e-2),
    "lamb": lambda: optax.lamb(1e-2),
    "rmsprop, centred": lambda: optax.rmsprop(1e-3, centered=True, momentum=0.9),
    "lion": lambda: optax.lion(1e-3),
    "muon": lambda: optax.contrib.muon(1e-2),
    "adamw in bf16": lambda: optax.adamw(3e-3, mu_dtype=jnp.bfloat16),
    "accumulated over 3 steps": lambda: optax.MultiSteps(optax.adam(3e-3), 3),
    "by label": lambda: optax.multi_transform({"weights": optax.adam(3e-3), "biases": optax.sgd(0.1)}, lambda p: jax.tree.map(lambda x: "weights" if x.ndim > 1 else "biases", p)),
}  # fmt: skip


def data():
    random = np.random.default_rng(0)
    x = random.standard_normal((256, 8), dtype=np.float32)
    return x, np.sin(x @ random.standard_normal((8, 1), dtype=np.float32)) + 0.1 * x[:, :1]


def start():
    random = np.random.default_rng(1)
    sizes = (8, 64, 64, 1)
    return [
        (random.standard_normal((m, n), dtype=np.float32) * np.float32(m**-0.5), np.zeros(n, np.float32))
        for m, n in zip(sizes, sizes[1:])
    ]


def loss(parameters, x, y):
    for weights, bias in parameters[:-1]:
        x = jnp.tanh(x @ weights + bias)
    weights, bias = parameters[-1]
    return jnp.mean(optax.huber_loss(x @ weights + bias, y))


def fit(make):
    def program(device, watch):
        optimizer = make()
        parameters, (x, y) = jax.device_put((start(), data()), device)
        memory = optimizer.init(parameters)

        def step(parameters, memory, x, y):
            value, gradients = jax.value_and_grad(loss)(parameters, x, y)
            updates, memory = optimizer.update(gradients, memory, parameters)
            return optax.apply_updates(parameters, updates), memory, value

        compiled = watch.compile(jax.jit(step, donate_argnums=(0, 1)), parameters, memory, x, y)
        losses = []
        for _ in range(STEPS):
            parameters, memory, value = watch.step(compiled, parameters, memory, x, y)
            losses.append(float(value))
        return {"losses": losses, "first loss": losses[:1]}

    return program


def with_line_search(device, watch):
    """L-BFGS with its zoom line search: loops and branches inside the step."""
    optimizer = optax.lbfgs()
    parameters, (x, y) = jax.device_put((start(), data()), device)
    objective = lambda p: loss(p, x, y)
    value_and_grad = optax.value_and_grad_from_state(objective)

    def step(parameters, memory):
        value, gradients = value_and_grad(parameters, state=memory)
        updates, memory = optimizer.update(gradients, memory, parameters, value=value, grad=gradients, value_fn=objective)
        return optax.apply_updates(parameters, updates), memory, value

    memory = optimizer.init(parameters)
    compiled = watch.compile(jax.jit(step), parameters, memory)
    losses = []
    for _ in range(10):
        parameters, memory, value = watch.step(compiled, parameters, memory)
        losses.append(float(value))
    return {"losses": losses}


def main():
    report = side_by_side.Report()
    for name, make in OPTIMIZERS.items():
        # lion takes signs of sums near zero, which a last bit can turn over.
        report.compare(f"optax {name}", fit(make), {"first loss": 1e-5, "losses": 2e-2 if name == "lion" else 2e-3})
    report.compare("optax L-BFGS", with_line_search, {"losses": 2e-2})
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
