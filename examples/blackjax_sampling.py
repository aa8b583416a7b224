#!/usr/bin/env python3
"""Sampling with blackjax: NUTS on a logistic regression with window adaptation, and sequential Monte Carlo with tempering.

    ./dev test-slow blackjax

On millrace and on XLA:CPU. Paths of samplers part with the last bit of a sum, so single steps from given points are compared closely,
and of long runs the means, by their sampling error.
"""

import sys

import side_by_side

import blackjax
import blackjax.smc.resampling as resampling
import jax
import jax.numpy as jnp
import numpy as np

FEATURES = 8


def survey():
    random = np.random.default_rng(1)
    x = random.standard_normal((1000, FEATURES), dtype=np.float32)
    chance = 1 / (1 + np.exp(-(x @ random.standard_normal(FEATURES, dtype=np.float32))))
    return x, (random.uniform(size=1000) < chance).astype(np.float32)


def log_density(x, y):
    def function(weights):
        logits = x @ weights
        return jnp.sum(y * logits - jax.nn.softplus(logits)) - 0.5 * jnp.sum(weights**2)

    return function


def one_step(device, watch):
    """A step of HMC of fixed size from each of several points."""
    density = log_density(*jax.device_put(survey(), device))
    sampler = blackjax.hmc(density, step_size=1e-2, inverse_mass_matrix=jnp.ones(FEATURES), num_integration_steps=10)
    points = np.random.default_rng(2).standard_normal((10, FEATURES)).astype(np.float32)
    state = sampler.init(jax.device_put(points[0], device))
    step = watch.compile(jax.jit(sampler.step), jax.random.key(0), state)
    found = []
    for number, point in enumerate(points):
        state = sampler.init(jax.device_put(point, device))
        state, info = watch.step(step, jax.random.key(number), state)
        found.append((state.position, info.energy))
    return {"positions": [f[0] for f in found], "energies": [f[1] for f in found]}


def nuts(samples):
    """Window adaptation, then a scan over steps that keeps every state; the second run needs no compiling."""

    def program(device, watch):
        density = log_density(*jax.device_put(survey(), device))
        start = jnp.zeros(FEATURES)

        @jax.jit
        def run(key):
            adapting, sampling = jax.random.split(key)
            (state, parameters), _ = blackjax.window_adaptation(blackjax.nuts, density).run(adapting, start, num_steps=300)
            step = blackjax.nuts(density, **parameters).step

            def one(state, key):
                state, _ = step(key, state)
                return state, state.position

            return jax.lax.scan(one, state, jax.random.split(sampling, samples))[1]

        compiled = watch.compile(run, jax.random.key(4))
        for _ in range(2):
            positions = np.asarray(watch.step(compiled, jax.random.key(4)))
        effective = np.asarray(blackjax.diagnostics.effective_sample_size(positions[None]))
        return {"means": positions.mean(0), "errors": positions.std(0) / np.sqrt(effective)}

    return program


def tempered(device, watch):
    """Particles between a normal and the regression's posterior, whose temperature each round chooses. Those of one run depend on one
    another, so the error of its means is what runs of several keys differ by."""
    x, y = jax.device_put(survey(), device)
    particles, runs = 500, 12

    def prior(weights):
        return -0.5 * jnp.sum(weights**2)

    def likelihood(weights):
        logits = x @ weights
        return jnp.sum(y * logits - jax.nn.softplus(logits))

    parameters = blackjax.smc.extend_params({"step_size": 0.02, "inverse_mass_matrix": jnp.ones(FEATURES), "num_integration_steps": 8})
    smc = blackjax.adaptive_tempered_smc(prior, likelihood, blackjax.hmc.build_kernel(), blackjax.hmc.init, parameters,
                                         resampling.systematic, target_ess=0.7, num_mcmc_steps=3)

    @jax.jit
    def run(key):
        first, key = jax.random.split(key)
        state = smc.init(jax.random.normal(first, (particles, FEATURES)))

        def one(carry):
            rounds, state, key = carry
            key, now = jax.random.split(key)
            state, _ = smc.step(now, state)
            return rounds + 1, state, key

        return jax.lax.while_loop(lambda c: c[1].tempering_param < 1, one, (0, state, key))

    compiled, means = watch.compile(run, jax.random.key(5)), []
    for key in jax.random.split(jax.random.key(5), runs):
        rounds, state, _ = watch.step(compiled, key)
        means.append(np.asarray(state.particles).mean(0))
    print(f"{watch.platform}: {int(rounds)} rounds")
    return {"means": np.mean(means, 0), "errors": np.std(means, 0, ddof=1) / np.sqrt(runs)}


def main():
    report = side_by_side.Report()
    report.compare("blackjax HMC, one step", one_step, {"positions": 1e-4, "energies": 1e-4})
    report.compare_means("blackjax NUTS", report.compare("blackjax NUTS", nuts(2000), {}))
    report.compare_means("blackjax tempered SMC", report.compare("blackjax tempered SMC", tempered, {}))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
