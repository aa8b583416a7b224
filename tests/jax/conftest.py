"""JAX with millrace as its default and XLA:CPU behind it as the oracle."""

import os
import platform

os.environ["JAX_PLATFORMS"] = "millrace,cpu"
os.environ.setdefault("MILLRACE_NUM_DEVICES", "2")
if platform.machine() == "x86_64":  # the oracle says the same on every processor: with AVX512-FP16 sums of products of f16 round once
    os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_cpu_max_isa=AVX2"

import jax
import numpy as np
import pytest


@pytest.fixture(scope="session")
def oracle():
    return jax.devices("cpu")[0]


@pytest.fixture
def same_as_xla(oracle):
    """same_as_xla(f, *arguments): f answers alike on millrace and on XLA:CPU, under jit.

    A float may be `ulp` units in its last place off, or `of_largest` units in that of the largest number beside it, because
    both add in an order of their own; integers are equal."""

    def check(function, *arguments, ulp=4, of_largest=4):
        arguments = jax.tree.map(np.asarray, arguments)
        got = jax.jit(function)(*arguments)
        for leaf in jax.tree.leaves(got):
            assert leaf.device.device_kind.split()[0] == "millrace"
        wanted = jax.jit(function)(*jax.device_put(arguments, oracle))
        assert jax.tree.structure(got) == jax.tree.structure(wanted)
        for index, (a, b) in enumerate(zip(jax.tree.leaves(got), jax.tree.leaves(wanted))):
            assert a.dtype == b.dtype and a.shape == b.shape
            if jax.dtypes.issubdtype(a.dtype, jax.dtypes.prng_key):
                a, b = jax.random.key_data(a), jax.random.key_data(b)
            a, b = np.asarray(a), np.asarray(b)
            if a.dtype.kind in "fcV":
                wide = np.complex128 if a.dtype.kind == "c" else np.float64
                eps, a, b = float(jax.numpy.finfo(a.dtype).eps), a.astype(wide), b.astype(wide)
                finite = np.abs(b[np.isfinite(b)])
                atol = of_largest * eps * finite.max(initial=0)
                np.testing.assert_allclose(a, b, rtol=ulp * eps, atol=atol, err_msg=f"leaf {index}")
            else:
                np.testing.assert_array_equal(a, b, err_msg=f"leaf {index}")
        return got

    return check
