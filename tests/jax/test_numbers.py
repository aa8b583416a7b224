"""Numbers that come out wrong when a corner is cut: rounding, and programs of libraries that once failed."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax


def test_a_product_and_its_sum_are_rounded_once(same_as_xla):
    """(1 + e)^2 - (1 + 2e) is e^2, which the product's own rounding would lose."""
    e = np.float32(2**-12)
    got = same_as_xla(lambda x, y: x * x - y, np.full(64, 1 + e, np.float32), np.full(64, 1 + 2 * e, np.float32), ulp=0, of_largest=0)
    assert (np.asarray(got) == e * e).all()


@pytest.mark.parametrize("exponent", [-1, 0, 1, 2, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
def test_small_powers_are_those_of_xla(same_as_xla, dtype, exponent):
    """Products and a quotient; a complex power in general goes through a logarithm."""
    x = np.linspace(-9, 9, 999).astype(dtype)
    x = x + x[::-1] * np.complex64(0.7j) if dtype == np.complex64 else x
    same_as_xla(lambda x: lax.pow(x, jnp.full_like(x, exponent)), x, ulp=0, of_largest=0)


@pytest.mark.parametrize("function", [lax.bessel_i0e, lax.bessel_i1e, lax.digamma], ids=lambda f: f.__name__)
def test_polynomials_that_jax_writes_out_agree_closely(same_as_xla, function):
    x = np.linspace(0.01, 20, 4001, dtype=np.float32)
    same_as_xla(function, x)


@pytest.mark.parametrize("function", [lax.sin, lax.cos, lax.tan, lax.asin, lax.acos, lax.atan, lax.rsqrt, lax.cbrt], ids=lambda f: f.__name__)
def test_elementary_functions_are_rounded_well(function):
    """Within 0.75 ulp of the exact value, at half a million points of the domain and far outside of it."""
    bits = np.arange(0, 1 << 32, 8191, dtype=np.uint64).astype(np.uint32)
    x = np.concatenate([bits.view(np.float32), np.linspace(-1, 1, 10001, dtype=np.float32)])
    x = x[~(abs(x) < 2.0**-126)]
    wide = {"rsqrt": lambda v: 1 / np.sqrt(v), "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan}
    with np.errstate(all="ignore"):
        exact = wide.get(function.__name__, getattr(np, function.__name__, None))(x.astype(np.float64))
        got = np.asarray(jax.jit(function)(x)).astype(np.float64)
        ulp = np.ldexp(1.0, np.maximum(np.frexp(exact)[1], -125) - 24)
        error = np.where(np.isnan(exact), np.where(np.isnan(got), 0, np.inf), np.where(got == exact, 0, abs(got - exact) / ulp))
        error = np.where(abs(exact) < 2.0**-126, 0, error)
    assert np.nanmax(error) < 0.75, x[np.nanargmax(error)]


def test_permutations_are_those_of_xla(same_as_xla):
    """Two rounds of sorting by random keys, with the generator's loops between them."""
    key = jax.random.key_data(jax.random.key(0))
    for count in (1000, 65536):
        same_as_xla(lambda k: jax.random.permutation(jax.random.wrap_key_data(k), count), key)
    same_as_xla(lambda k: jax.random.choice(jax.random.wrap_key_data(k), 65536, (1000,), replace=False), key)


def test_a_loop_keeps_the_flag_that_ended_it(same_as_xla):
    """The body works on a matrix by a library and never reads the flag; the result is the flag."""

    def solve(a):
        def body(carry):
            done, steps, x = carry
            x = jnp.linalg.cholesky(x)
            return x[0, 0] < 1.5, steps + 1, x

        return lax.while_loop(lambda c: ~c[0] & (c[1] < 100), body, (False, 0, a))[:2]

    done, steps = same_as_xla(solve, np.eye(3, dtype=np.float32) * 256)
    assert bool(done) and int(steps) == 4


@pytest.mark.parametrize("features", [8, 300])
def test_convolutions_of_bytes_are_exact(same_as_xla, features):
    """The largest products there are, of more taps than f32 adds up exactly."""
    x = np.full((1, 6, 6, features), -128, np.int8)
    w = np.full((3, 3, features, 16), -128, np.int8)
    w[0, 0, 0, :] = np.arange(16)

    def convolve(x, w):
        spec = ("NHWC", "HWIO", "NHWC")
        return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=spec, preferred_element_type=np.int32)

    same_as_xla(convolve, x, w)
