#!/usr/bin/env python3
"""Solves differential equations with diffrax: adaptive, stiff, stochastic, and a neural one with gradients through it.

    ./dev test-slow diffrax

Each on millrace and on XLA:CPU; solutions, gradients and losses are compared.
"""

import sys

import side_by_side

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
import lineax
import numpy as np
import optax

REPEATS = 5


def timed(device, watch, function, *arguments):
    """Compiles, calls a few times, answers the result."""
    arguments = jax.device_put(arguments, device)
    compiled = watch.compile(jax.jit(function), *arguments)
    for _ in range(REPEATS):
        result = watch.step(compiled, *arguments)
    return result


def lotka_volterra(device, watch):
    """Hunters and hunted, with an adaptive solver; and how the end depends on the rates, by the adjoint."""

    def field(t, y, rates):
        a, b, c, d = rates
        return jnp.stack([y[0] * (a - b * y[1]), y[1] * (c * y[0] - d)])

    def solve(rates):
        solution = diffrax.diffeqsolve(
            diffrax.ODETerm(field), diffrax.Tsit5(), 0.0, 10.0, 0.1, jnp.array([10.0, 5.0]), args=rates,
            saveat=diffrax.SaveAt(ts=jnp.linspace(0, 10, 50)), stepsize_controller=diffrax.PIDController(rtol=1e-5, atol=1e-6),
        )  # fmt: skip
        return solution.ys

    rates = np.array([0.5, 0.05, 0.04, 0.4], np.float32)
    values = timed(device, watch, solve, rates)
    sensitivity = jax.jit(jax.jacrev(lambda r: solve(r)[-1]))(jax.device_put(rates, device))
    return {"solution": values, "gradient of the end": sensitivity}


def robertson(device, watch):
    """A stiff reaction, implicitly."""

    def field(t, y, rates):
        a, b, c = rates
        f0 = -a * y[0] + c * y[1] * y[2]
        f2 = b * y[1] ** 2
        return jnp.stack([f0, -f0 - f2, f2])

    def solve(rates):
        solution = diffrax.diffeqsolve(
            diffrax.ODETerm(field), diffrax.Kvaerno5(), 0.0, 100.0, 2e-4, jnp.array([1.0, 0.0, 0.0]), args=rates,
            saveat=diffrax.SaveAt(ts=jnp.array([1e-2, 1e-1, 1.0, 10.0, 100.0])),
            stepsize_controller=diffrax.PIDController(rtol=1e-4, atol=1e-7),
        )  # fmt: skip
        return solution.ys

    return {"solution": timed(device, watch, solve, np.array([0.04, 3e7, 1e4], np.float32))}


def stochastic(device, watch):
    """Many paths of a noisy pendulum: the same random path on both platforms."""

    def solve(keys):
        def one(key):
            path = diffrax.VirtualBrownianTree(0.0, 3.0, tol=1e-2, shape=(2,), key=key)
            terms = diffrax.MultiTerm(
                diffrax.ODETerm(lambda t, y, _: jnp.stack([y[1], -jnp.sin(y[0]) - 0.1 * y[1]])),
                diffrax.ControlTerm(lambda t, y, _: lineax.DiagonalLinearOperator(0.1 * jnp.ones_like(y)), path),
            )
            return diffrax.diffeqsolve(terms, diffrax.Euler(), 0.0, 3.0, 0.02, jnp.array([1.0, 0.0])).ys[-1]

        return jax.vmap(one)(jax.random.wrap_key_data(keys))

    keys = np.asarray(jax.random.key_data(jax.random.split(jax.random.key(0), 32)))
    return {"ends": timed(device, watch, solve, keys)}


class NeuralField(eqx.Module):
    network: eqx.nn.MLP

    def __call__(self, t, y, _):
        return self.network(y)


def neural(device, watch):
    """Learns a spiral: the solver is inside the loss, and the gradient goes back through it."""
    times = jnp.linspace(0, 3, 24)
    truth = jnp.array([[-0.1, 2.0], [-2.0, -0.1]])
    starts = jax.random.normal(jax.random.key(0), (32, 2))
    wanted = jax.vmap(lambda y: jax.vmap(lambda t: jax.scipy.linalg.expm(truth * t) @ y)(times))(starts)
    model = NeuralField(eqx.nn.MLP(2, 2, 32, 2, activation=jnp.tanh, key=jax.random.key(1)))
    optimizer = optax.adam(5e-3)
    memory = optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    def solve(model, start):
        return diffrax.diffeqsolve(
            diffrax.ODETerm(model), diffrax.Tsit5(), times[0], times[-1], 0.1, start, saveat=diffrax.SaveAt(ts=times),
            stepsize_controller=diffrax.PIDController(rtol=1e-3, atol=1e-5), max_steps=256,
        ).ys  # fmt: skip

    def loss(model):
        return jnp.mean((jax.vmap(solve, (None, 0))(model, starts) - wanted) ** 2)

    @eqx.filter_jit
    def step(model, memory):
        value, gradients = eqx.filter_value_and_grad(loss)(model)
        updates, memory = optimizer.update(gradients, memory)
        return eqx.apply_updates(model, updates), memory, value, gradients

    compiled = watch.compile(step, model, memory)
    losses, first = [], None
    for _ in range(20):
        model, memory, value, gradients = watch.step(compiled, model, memory)
        first = gradients if first is None else first
        losses.append(float(value))
    print(f"{watch.platform}: loss {losses[0]:.4f} to {losses[-1]:.4f} in {len(losses)} steps")
    return {"losses": losses, "first gradient": eqx.filter(first, eqx.is_array)}


def main():
    report = side_by_side.Report()
    report.compare("diffrax Lotka-Volterra", lotka_volterra, {"solution": 1e-3, "gradient of the end": 1e-2})
    report.compare("diffrax Robertson, stiff", robertson, {"solution": 1e-2})
    report.compare("diffrax stochastic pendulum", stochastic, {"ends": 1e-4})
    report.compare("diffrax neural equation", neural, {"losses": 1e-2, "first gradient": 1e-2})
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
