#!/usr/bin/env python3
"""Rigid bodies with brax: an ant and a walker in many environments at once, and the gradient of what an open loop of actions earns.

    ./dev test-slow brax

On millrace and on XLA:CPU. Contacts make long runs chaotic, so few steps are compared closely; times are of scans over many.
"""

import sys

import side_by_side

import brax.envs
import jax
import jax.numpy as jnp
import numpy as np

GAMES = 16


def started(name, backend):
    env = brax.envs.create(name, backend=backend, auto_reset=False, batch_size=GAMES)
    return env, jax.jit(env.reset)(jax.random.key(7))


def actions(env, steps):
    random = np.random.default_rng(8)
    return random.uniform(-0.3, 0.3, (steps, GAMES, env.action_size)).astype(np.float32)


def rollout(name, backend, steps):
    """A few steps one by one, whose numbers are compared, and then a scan, whose time counts."""

    def program(device, watch):
        env, state = started(name, backend)
        given = jax.device_put(actions(env, steps), device)
        step = jax.jit(env.step)
        close = state
        for action in given[:3]:
            close = step(close, action)

        @jax.jit
        def run(state, given):
            def one(state, action):
                state = env.step(state, action)
                return state, state.reward

            return jax.lax.scan(one, state, given)

        compiled = watch.compile(run, state, given)
        for _ in range(3):
            _, rewards = watch.step(compiled, state, given)
        print(f"{watch.platform}: mean reward {float(rewards.mean()):.3f}")
        return {"observations": close.obs, "rewards": close.reward}

    return program


def gradient(device, watch):
    """Of the sum of rewards of ten steps with respect to all their actions."""
    env, state = started("reacher", "positional")
    given = jax.device_put(actions(env, 10), device)

    def earned(given, state):
        def one(state, action):
            state = env.step(state, action)
            return state, state.reward

        return jax.lax.scan(one, state, given)[1].sum()

    compiled = watch.compile(jax.jit(jax.value_and_grad(earned)), given, state)
    for _ in range(3):
        value, slopes = watch.step(compiled, given, state)
    return {"value": value, "slopes": slopes}


def main():
    report = side_by_side.Report()
    report.compare("brax ant, positional", rollout("ant", "positional", 100), {"observations": 1e-2, "rewards": 1e-2})
    report.compare("brax walker2d, spring", rollout("walker2d", "spring", 100), {"observations": 1e-2, "rewards": 1e-2})
    report.compare("brax reacher, gradient", gradient, {"value": 1e-3, "slopes": 1e-2})
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
