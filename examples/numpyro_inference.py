#!/usr/bin/env python3
"""Bayesian inference with numpyro: NUTS on eight schools and on a logistic regression, and a variational fit.

    ./dev test-slow numpyro

On millrace and on XLA:CPU. A sampler's path is chaotic, so the last bit of a sum moves everything after some steps:
densities and their gradients are compared at given points, the first samples closely, and of long runs the means, by
their sampling error.
"""

import sys

import side_by_side

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro import infer

EFFECTS = np.array([28, 8, -3, 7, -1, 1, 18, 12], np.float32)
ERRORS = np.array([15, 10, 16, 11, 9, 11, 10, 18], np.float32)


def eight_schools():
    centre = numpyro.sample("centre", dist.Normal(0, 5))
    spread = numpyro.sample("spread", dist.HalfCauchy(5))
    with numpyro.plate("schools", 8):
        offset = numpyro.sample("offset", dist.Normal(0, 1))
        numpyro.sample("seen", dist.Normal(centre + spread * offset, ERRORS), obs=EFFECTS)


def survey():
    random = np.random.default_rng(0)
    x = random.standard_normal((500, 6), dtype=np.float32)
    chance = 1 / (1 + np.exp(-(x @ np.array([1, -2, 0.5, 0, 0, 3], np.float32) + 0.3)))
    return x, (random.uniform(size=500) < chance).astype(np.float32)


def regression(x, y):
    weights = numpyro.sample("weights", dist.Normal(jnp.zeros(6), 2).to_event(1))
    bias = numpyro.sample("bias", dist.Normal(0, 2))
    numpyro.sample("y", dist.Bernoulli(logits=x @ weights + bias), obs=y)


def density(model, *arguments):
    """The potential and its gradient at points given from outside."""

    def program(device, watch):
        arguments_there = jax.device_put(arguments, device)
        start = infer.util.initialize_model(jax.random.key(0), model, model_args=arguments_there)
        names = {k: v.shape for k, v in start.param_info.z.items()}
        random = np.random.default_rng(5)
        points = [{k: random.standard_normal(s, dtype=np.float32) for k, s in sorted(names.items())} for _ in range(4)]
        function = jax.jit(jax.value_and_grad(start.potential_fn))
        compiled = watch.compile(function, points[0])
        values = [watch.step(compiled, jax.device_put(p, device)) for p in points for _ in range(10)]
        return {"potential": [float(v) for v, _ in values], "gradient": [g for _, g in values]}

    return program


def sampling(model, kept, warmup, samples, *arguments):
    """The run twice: the second needs no compiling."""

    def program(device, watch):
        arguments_there = jax.device_put(arguments, device)
        sampler = infer.MCMC(infer.NUTS(model), num_warmup=warmup, num_samples=samples, num_chains=1, progress_bar=False)
        first = side_by_side.Watch()
        first.step(sampler.run, jax.random.key(0), *arguments_there)
        first_samples = jax.tree.map(np.asarray, sampler.get_samples())
        watch.step(sampler.run, jax.random.key(0), *arguments_there)
        watch.compiling = max(first.steps[0] - watch.steps[0], 1e-9)
        means, errors = {}, {}
        for name in kept:
            values = first_samples[name].reshape(samples, -1)
            effective = numpyro.diagnostics.effective_sample_size(values[None])
            means[name], errors[name] = values.mean(0), values.std(0) / np.sqrt(effective)
        print(f"{watch.platform}: " + ", ".join(f"{k} {np.round(v, 2)} +- {np.round(errors[k], 2)}" for k, v in means.items()))
        return {"means": means, "errors": errors}

    return program


def first_samples(device, watch):
    """A few steps of fixed size without adaptation, before rounding has grown into anything."""
    kernel = infer.HMC(eight_schools, step_size=0.05, num_steps=8, adapt_step_size=False, adapt_mass_matrix=False)
    sampler = infer.MCMC(kernel, num_warmup=0, num_samples=10, num_chains=1, progress_bar=False)
    sampler.run(jax.random.key(3))
    return {"samples": jax.tree.map(np.asarray, sampler.get_samples())}


def variational(device, watch):
    x, y = jax.device_put(survey(), device)
    guide = infer.autoguide.AutoNormal(regression)
    fit = infer.SVI(regression, guide, numpyro.optim.Adam(0.02), infer.Trace_ELBO(num_particles=4))
    state = fit.init(jax.random.key(0), x, y)
    compiled = watch.compile(jax.jit(fit.update), state, x, y)
    losses = []
    for _ in range(50):
        state, value = watch.step(compiled, state, x, y)
        losses.append(float(value))
    predict = infer.Predictive(regression, guide=guide, params=fit.get_params(state), num_samples=50)
    predicted = predict(jax.random.key(1), x, None)["y"].mean(0)
    return {"losses": losses, "predictions": predicted}


def main():
    report = side_by_side.Report()
    report.compare("numpyro density, eight schools", density(eight_schools), {"potential": 1e-5, "gradient": 1e-4})
    report.compare("numpyro density, regression", density(regression, *survey()), {"potential": 1e-4, "gradient": 1e-3})
    report.compare("numpyro HMC, first samples", first_samples, {"samples": 1e-3})
    results = report.compare("numpyro NUTS, eight schools", sampling(eight_schools, ("centre", "spread"), 500, 2000), {})
    report.compare_means("numpyro NUTS, eight schools", results)
    results = report.compare("numpyro NUTS, regression", sampling(regression, ("weights", "bias"), 300, 500, *survey()), {})
    report.compare_means("numpyro NUTS, regression", results)
    report.compare("numpyro variational fit", variational, {"losses": 1e-2, "predictions": 0.1})
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
