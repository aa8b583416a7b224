"""Generators and distributions."""

import jax
import jax.numpy as jnp
import numpy as np

from families.harness import BF16, F16, F64, row


def random_numbers():
    key = np.asarray(jax.random.key_data(jax.random.key(0)))
    wrap = lambda f: lambda k: f(jax.random.wrap_key_data(k))
    for name, function in (
        ("bits [1M]", lambda k: jax.random.bits(k, (1 << 20,))),
        ("uniform [16]", lambda k: jax.random.uniform(k, (16,))),
        ("uniform [1M]", lambda k: jax.random.uniform(k, (1 << 20,))),
        ("normal [16]", lambda k: jax.random.normal(k, (16,))),
        ("normal [1M]", lambda k: jax.random.normal(k, (1 << 20,))),
        ("normal bf16 [1M]", lambda k: jax.random.normal(k, (1 << 20,), BF16)),
        ("bernoulli [1M]", lambda k: jax.random.bernoulli(k, 0.3, (1 << 20,))),
        ("randint [1M]", lambda k: jax.random.randint(k, (1 << 20,), 0, 1000)),
        ("permutation 65536", lambda k: jax.random.permutation(k, 65536)),
        ("choice 1000 of 65536", lambda k: jax.random.choice(k, 65536, (1000,), replace=False)),
        ("categorical [1024] of 1000", lambda k: jax.random.categorical(k, jnp.zeros((1024, 1000)))),
        ("gamma [4096]", lambda k: jax.random.gamma(k, 2.0, (4096,))),
        ("exponential [1M]", lambda k: jax.random.exponential(k, (1 << 20,))),
        ("truncated_normal [256K]", lambda k: jax.random.truncated_normal(k, -2, 2, (1 << 18,))),
        ("poisson [4096]", lambda k: jax.random.poisson(k, 3.0, (4096,))),
        ("uniform bf16 [1M]", lambda k: jax.random.uniform(k, (1 << 20,), BF16)),
        ("uniform f16 [1M]", lambda k: jax.random.uniform(k, (1 << 20,), F16)),
        ("normal f16 [1M]", lambda k: jax.random.normal(k, (1 << 20,), F16)),
        ("bits u8 [1M]", lambda k: jax.random.bits(k, (1 << 20,), np.uint8)),
        ("randint u8 [1M]", lambda k: jax.random.randint(k, (1 << 20,), 0, 100, np.uint8)),
        ("normal c64 [256K]", lambda k: jax.random.normal(k, (1 << 18,), np.complex64)),
        ("gumbel [1M]", lambda k: jax.random.gumbel(k, (1 << 20,))),
        ("laplace [256K]", lambda k: jax.random.laplace(k, (1 << 18,))),
        ("rademacher [1M]", lambda k: jax.random.rademacher(k, (1 << 20,))),
        ("beta [4096]", lambda k: jax.random.beta(k, 2.0, 3.0, (4096,))),
        ("binomial [4096]", lambda k: jax.random.binomial(k, 20, 0.3, (4096,))),
        ("student t [4096]", lambda k: jax.random.t(k, 3.0, (4096,))),
        ("ball [1024] of 3", lambda k: jax.random.ball(k, 3, shape=(1024,))),
        ("orthogonal 32", lambda k: jax.random.orthogonal(k, 32)),
        ("dirichlet [1024] of 8", lambda k: jax.random.dirichlet(k, jnp.ones(8), (1024,))),
        ("multivariate_normal [1024] of 8", lambda k: jax.random.multivariate_normal(k, jnp.zeros(8), jnp.eye(8), (1024,))),
        ("split 1000", lambda k: jax.random.key_data(jax.random.split(k, 1000))),
        ("fold_in 1000 times", lambda k: jax.random.key_data(jax.vmap(lambda i: jax.random.fold_in(k, i))(jnp.arange(1000)))),
    ):
        row("random", name, wrap(function), key)
    philox = np.asarray(jax.random.key_data(jax.random.key(0, impl="rbg")))
    row("random", "rbg uniform [1M]", lambda k: jax.random.uniform(jax.random.wrap_key_data(k, impl="rbg"), (1 << 20,)), philox, check=False)
    for name, dtype in (("u8", np.uint8), ("u32", np.uint32)):
        row("random", f"rbg bits {name} [1M]", lambda k: jax.random.bits(jax.random.wrap_key_data(k, impl="rbg"), (1 << 20,), dtype), philox, check=False)
    row("random", "rbg normal [1M]", lambda k: jax.random.normal(jax.random.wrap_key_data(k, impl="rbg"), (1 << 20,)), philox, check=False)
    with jax.enable_x64(True):
        row("random", "uniform f64 [256K]", wrap(lambda k: jax.random.uniform(k, (1 << 18,), F64)), key)
        row("random", "normal f64 [256K]", wrap(lambda k: jax.random.normal(k, (1 << 18,), F64)), key)
        row("random", "randint i64 [256K]", wrap(lambda k: jax.random.randint(k, (1 << 18,), 0, 1 << 40, np.int64)), key)
