"""jax.random in bf16 and f16 on millrace and on XLA:CPU, and what XLA:CPU does that makes numbers differ (docs/accuracy.md).

    python tests/jax/random_halves.py [NAME ...]    a line for each function and type: minutes

says first whether the numbers of XLA:CPU as it is are the same, then whether those are that it gives when its rewriting of
arithmetic and the library that adds up are off. The test of this is in test_half.py.
"""

import os
import platform
import sys

if __name__ == "__main__":
    os.environ["JAX_PLATFORMS"] = "millrace,cpu"
    if platform.machine() == "x86_64":  # XLA:CPU rounds f16 less with AVX512-FP16
        os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_cpu_max_isa=AVX2"

import jax
import jax.numpy as jnp
import numpy as np
from jax import random

# Sums go to XLA's own code, divisions stay divisions, and constants are not joined.
PLAIN = {"xla_disable_hlo_passes": "algsimp", "xla_cpu_experimental_ynn_fusion_type": ""}

N = 4000

FUNCTIONS = {
    "uniform": lambda key, t: random.uniform(key, (N,), t, -3, 5),
    "normal": lambda key, t: random.normal(key, (N,), t),
    "truncated_normal": lambda key, t: random.truncated_normal(key, -1, 2, (N,), t),
    "laplace": lambda key, t: random.laplace(key, (N,), t),
    "rayleigh": lambda key, t: random.rayleigh(key, t(2), (N,), t),
    "triangular": lambda key, t: random.triangular(key, t(0), t(1), t(3), (N,), t),
    "exponential": lambda key, t: random.exponential(key, (N,), t),
    "gumbel": lambda key, t: random.gumbel(key, (N,), t),
    "gumbel high": lambda key, t: random.gumbel(key, (N,), t, mode="high"),
    "cauchy": lambda key, t: random.cauchy(key, (N,), t),
    "logistic": lambda key, t: random.logistic(key, (N,), t),
    "maxwell": lambda key, t: random.maxwell(key, (N,), t),
    "double_sided_maxwell": lambda key, t: random.double_sided_maxwell(key, t(1), t(2), (N,), t),
    "weibull_min": lambda key, t: random.weibull_min(key, t(2), t(3), (N,), t),
    "pareto": lambda key, t: random.pareto(key, t(2), (N,), t),
    "lognormal": lambda key, t: random.lognormal(key, t(1), (N,), t),
    "wald": lambda key, t: random.wald(key, t(1.5), (N,), t),
    "gamma": lambda key, t: random.gamma(key, t(1.5), (N,), t),
    "gamma below 1": lambda key, t: random.gamma(key, t(0.3), (N,), t),
    "loggamma": lambda key, t: random.loggamma(key, t(1.5), (N,), t),
    "beta": lambda key, t: random.beta(key, t(1.5), t(2.5), (N,), t),
    "chisquare": lambda key, t: random.chisquare(key, t(3), (N,), t),
    "f": lambda key, t: random.f(key, t(3), t(5), (N,), t),
    "t": lambda key, t: random.t(key, t(3), (N,), t),
    "dirichlet": lambda key, t: random.dirichlet(key, jnp.asarray([1, 2, 3], t), (N // 4,), t),
    "generalized_normal": lambda key, t: random.generalized_normal(key, 1.5, (N,), t),
    "ball": lambda key, t: random.ball(key, 3, 2, (N // 4,), t),
    "binomial": lambda key, t: random.binomial(key, t(20), t(0.3), (N // 4,), t),
    "binomial of few": lambda key, t: random.binomial(key, t(5), t(0.1), (N // 4,), t),
    "multinomial": lambda key, t: random.multinomial(key, t(20), jnp.asarray([0.2, 0.3, 0.5], t), shape=(50, 3), dtype=t),
    "bernoulli": lambda key, t: random.bernoulli(key, t(0.3), (N,)),
    "geometric": lambda key, t: random.geometric(key, t(0.3), (N,)),
    "poisson": lambda key, t: random.poisson(key, t(4), (N // 4,)),
    "poisson of many": lambda key, t: random.poisson(key, t(40), (N // 4,)),
    "categorical": lambda key, t: random.categorical(key, jnp.linspace(-1, 1, 10, dtype=t), shape=(N,)),
    "categorical, no two alike": lambda key, t: random.categorical(key, jnp.linspace(-1, 1, 10, dtype=t), shape=(5,), replace=False),
    "choice by weight": lambda key, t: random.choice(key, 10, (N,), p=jnp.asarray(np.arange(1, 11) / 55, t)),
    "choice by weight, no two alike": lambda key, t: random.choice(key, 10, (5,), replace=False, p=jnp.asarray(np.arange(1, 11) / 55, t)),
    "choice": lambda key, t: random.choice(key, jnp.arange(10, dtype=t), (N,)),
    "permutation": lambda key, t: random.permutation(key, jnp.arange(N, dtype=t)),
    "rademacher": lambda key, t: random.rademacher(key, (N,), t),
}

BF16, F16 = jnp.bfloat16, jnp.float16

# The same on XLA:CPU only with PLAIN. The first six: `(u - 1) + tiny` is `u - 1` once the constants are joined, and a division by a
# constant, or by what is broadcast, is a product with its inverse. The last two: the library does not round in front of a sum.
REWRITTEN = {("gumbel", F16), ("logistic", F16), ("geometric", F16), ("f", F16), ("dirichlet", F16), ("ball", F16),
             ("maxwell", BF16), ("double_sided_maxwell", BF16)}
# Not the same at all: every partial result of a cumulative sum is rounded there, the sum here.
OTHER = {("choice by weight", BF16)}


def differs(name, dtype, oracle, options=None, seeds=1):
    """Of how many numbers not all bits are those of XLA:CPU compiled with the options, and of how many."""
    function = jax.jit(lambda bits: FUNCTIONS[name](random.wrap_key_data(bits), dtype))
    keys = [np.array([7, seed], np.uint32) for seed in range(seeds)]
    there = jax.device_put(keys[0], oracle)
    theirs = function.lower(there).compile(options)
    different = total = 0
    for key in keys:
        got, wanted = np.asarray(function(key)), np.asarray(theirs(jax.device_put(key, oracle)))
        assert got.dtype == wanted.dtype
        bits = np.dtype(f"u{got.dtype.itemsize}")
        different += int(np.sum(got.view(bits) != wanted.view(bits)))
        total += got.size
    return different, total


def main():
    oracle = jax.devices("cpu")[0]
    for name in sys.argv[1:] or FUNCTIONS:
        for dtype in (BF16, F16):
            cells = ["{} of {}".format(*differs(name, dtype, oracle, options, 3)) for options in ({}, PLAIN)]
            print(f"{name:30} {jnp.dtype(dtype).name:9} {cells[0]:>15} differ, plain {cells[1]:>15}", flush=True)


if __name__ == "__main__":
    main()
