"""What people write in JAX, compared with XLA:CPU in the same process."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

RANDOM = np.random.default_rng(7)


# Gradients add what has been added before, in an order of their own each time; 3 to 6 units were seen.
SUMS_OF_SUMS = 12


def floats(*shape, dtype=np.float32):
    return RANDOM.standard_normal(shape).astype(dtype)


# ---- numpy ----------------------------------------------------------------------------------------------------------

NUMPY = {
    "arithmetic": lambda x: (x + 1, x * x - 2 / (x * x + 1), x ** 3, abs(x), jnp.sign(x), x % 0.7, x // 0.3),
    "transcendental": lambda x: (jnp.exp(x), jnp.log(abs(x) + 1), jnp.sin(x), jnp.tanh(x), jnp.arctan2(x, x + 1)),
    "reductions": lambda x: (x.sum(), x.mean(0), x.std(1), x.max(), x.argmax(1), jnp.median(x, 0), x.prod(1)),
    "nan_aware": lambda x: (jnp.nansum(jnp.where(x > 0, x, jnp.nan)), jnp.nanmax(jnp.where(x > 0, x, jnp.nan), 0)),
    "shapes": lambda x: (x.T, x.reshape(-1), x[::2, 1:], jnp.flip(x), jnp.roll(x, 2, 1), jnp.tile(x, (2, 1)), x[None]),
    "joins": lambda x: (jnp.concatenate([x, x]), jnp.stack([x, x], 1), jnp.pad(x, 2, mode="reflect"), jnp.repeat(x, 3, 1)),
    "sorting": lambda x: (jnp.sort(x), jnp.argsort(x, 0), jnp.unique(x.astype(int), size=5), lax.top_k(x, 2)),
    "scans": lambda x: (jnp.cumsum(x, 1), jnp.cumprod(x, 0), lax.cummax(x), jnp.diff(x, axis=0)),
    "searching": lambda x: (jnp.searchsorted(jnp.sort(x[0]), x[1]), jnp.where(x > 0, x, 0), jnp.nonzero(x[0] > 0, size=3)),
    "statistics": lambda x: (jnp.histogram(x, 4)[0], jnp.percentile(x, 30), jnp.cov(x), jnp.corrcoef(x)),
    "products": lambda x: (x @ x.T, jnp.outer(x[0], x[1]), jnp.einsum("ij,kj->ik", x, x), jnp.kron(x[:2], x[:2]), jnp.vdot(x, x)),
    "interpolation": lambda x: (jnp.interp(x, jnp.linspace(-2, 2, 9), jnp.arange(9.0)), jnp.polyval(x[0], x)),
    "rounding": lambda x: (jnp.round(x, 1), jnp.floor(x), jnp.ceil(x), jnp.trunc(x), jnp.clip(x, -0.5, 0.5)),
    "comparisons": lambda x: (x > 0, (x > 0) & (x < 1), jnp.isclose(x, x + 1e-9), jnp.array_equal(x, x), jnp.all(x < 9, 0)),
    "types": lambda x: (x.astype(jnp.int8), x.astype(jnp.bfloat16), x.astype(jnp.float16) * 2, (x * 100).astype(jnp.uint8)),
    "meshgrid": lambda x: jnp.meshgrid(x[0], x[:, 0]),
    "triangles": lambda x: (jnp.tril(x), jnp.triu(x, 1), jnp.diag(x[0]), jnp.trace(x @ x.T), jnp.eye(4)),
    "bits": lambda x: (x.view(jnp.int32), jnp.signbit(x), jnp.nextafter(x, 9.0), jnp.packbits(x > 0)),
}


@pytest.mark.parametrize("name", NUMPY)
def test_numpy(same_as_xla, name):
    same_as_xla(NUMPY[name], floats(4, 6))


@pytest.mark.parametrize("shape", [(), (1,), (0, 3), (1, 1, 1), (257,), (3, 0), (65, 67), (2, 3, 4, 5, 6)])
def test_shapes_of_all_kinds(same_as_xla, shape):
    same_as_xla(lambda x: (x * 2 + 1, x.sum(), jnp.tanh(x).ravel(), jnp.broadcast_to(x, (2, *x.shape))), floats(*shape))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "int32", "uint32", "bfloat16", "float16", "float32", "complex64"])
def test_element_types(same_as_xla, dtype):
    x = (RANDOM.integers(0, 2, (5, 7)) if dtype == "bool" else RANDOM.integers(1, 9, (5, 7))).astype(jnp.dtype(dtype))
    same_as_xla(lambda a: (a + a, a * a, a.sum(0), a.T, a == a[::-1], jnp.where(a == 0, a, a), a.astype(np.float32)), x)


def test_double_precision(same_as_xla):
    with jax.enable_x64(True):
        x = floats(9, 5, dtype=np.float64)
        y = same_as_xla(lambda a: (jnp.exp(a) @ a.T, jnp.cumsum(a, 0), jnp.arange(5), jnp.sin(a).sum()), x)
        assert y[0].dtype == np.float64 and y[2].dtype == np.int64


# ---- transformations ------------------------------------------------------------------------------------------------


def test_gradients_of_a_small_network(same_as_xla):
    def loss(weights, x, y):
        for w, b in weights[:-1]:
            x = jax.nn.gelu(x @ w + b)
        w, b = weights[-1]
        return -(jax.nn.log_softmax(x @ w + b) * jax.nn.one_hot(y, 5)).sum(1).mean()

    sizes = [8, 16, 16, 5]
    weights = [(floats(m, n) * 0.3, floats(n)) for m, n in zip(sizes, sizes[1:])]
    same_as_xla(jax.value_and_grad(loss), weights, floats(10, 8), RANDOM.integers(0, 5, 10).astype(np.int32), of_largest=SUMS_OF_SUMS)


def test_derivatives_of_all_orders(same_as_xla):
    def f(x):
        return jnp.sum(jnp.sin(x) * jnp.exp(-x * x))

    same_as_xla(lambda x: (jax.grad(f)(x), jax.hessian(f)(x), jax.jvp(f, (x,), (x,)), jax.jacfwd(jnp.tanh)(x)), floats(6))


def test_vmap_over_control_flow(same_as_xla):
    def collatz(n):
        return lax.while_loop(lambda c: c[0] > 1, lambda c: (jnp.where(c[0] % 2 == 0, c[0] // 2, 3 * c[0] + 1), c[1] + 1), (n, 0))[1]

    same_as_xla(jax.vmap(collatz), np.arange(1, 30, dtype=np.int32))


def test_scan_with_carry_and_gradient(same_as_xla):
    def rnn(w, xs):
        def cell(h, x):
            h = jnp.tanh(h @ w + x)
            return h, h

        return lax.scan(cell, jnp.zeros(4), xs)[1].sum()

    same_as_xla(jax.value_and_grad(rnn), floats(4, 4), floats(20, 4), of_largest=SUMS_OF_SUMS)


def test_switch_cond_and_fori(same_as_xla):
    def f(i, x):
        y = lax.switch(i, [jnp.sin, jnp.cos, jnp.tanh], x)
        y = lax.cond(y.sum() > 0, lambda v: v * 2, lambda v: v - 1, y)
        return lax.fori_loop(0, i + 3, lambda k, v: v * 0.9 + k, y)

    for i in (0, 2, 9):
        same_as_xla(f, np.int32(i), floats(5))


def test_attention_and_layer_norm(same_as_xla):
    def block(x, wqkv, wo):
        h = (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
        q, k, v = jnp.split((h @ wqkv).reshape(2, 9, 3, 4, 8), 3, axis=2)
        s = jnp.einsum("bqohd,bkohd->bhqk", q, k) / np.sqrt(8)
        s = jnp.where(jnp.tril(jnp.ones((9, 9), bool)), s, -jnp.inf)
        return x + jnp.einsum("bhqk,bkohd->bqohd", jax.nn.softmax(s), v).reshape(2, 9, 32) @ wo

    arguments = floats(2, 9, 32), floats(32, 96) * 0.2, floats(32, 32) * 0.2
    same_as_xla(block, *arguments)
    same_as_xla(jax.grad(lambda *a: (block(*a) ** 2).mean(), (0, 1, 2)), *arguments, of_largest=SUMS_OF_SUMS)


@pytest.mark.parametrize("strides,padding,groups", [((1, 1), "SAME", 1), ((2, 2), "VALID", 1), ((2, 1), "SAME", 4)])
def test_convolution_and_its_gradients(same_as_xla, strides, padding, groups):
    def f(x, k):
        y = lax.conv_general_dilated(x, k, strides, padding, dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups)
        return (y * y).sum()

    same_as_xla(jax.value_and_grad(f, (0, 1)), floats(2, 9, 8, 4), floats(3, 3, 4 // groups, 8), of_largest=SUMS_OF_SUMS)


def test_indexing_and_updates(same_as_xla):
    def f(x, i, u):
        return (x[i], x[:, i % 5], x.at[i].set(u), x.at[i].add(u), x.at[i, 1].max(3.0), x.at[..., 0].multiply(2.0),
                jnp.take_along_axis(x[:4], i[:, None] % 5, 1), lax.dynamic_update_slice(x, u[:2], (i[0], 1)))

    same_as_xla(f, floats(6, 5), np.array([0, 3, 3, 5], np.int32), floats(4, 5))


def test_segment_and_scatter_gradients(same_as_xla):
    def f(x, ids):
        return (jax.ops.segment_sum(x, ids, 4) ** 2).sum() + jnp.take(x, ids, axis=0).sum()

    same_as_xla(jax.grad(f), floats(10, 3), RANDOM.integers(0, 4, 10).astype(np.int32))


# ---- random numbers and linear algebra ------------------------------------------------------------------------------


def test_random_numbers_are_the_same_numbers(same_as_xla):
    def f(seed):
        keys = jax.random.split(jax.random.key(seed), 6)
        return (jax.random.uniform(keys[0], (50,)), jax.random.normal(keys[1], (50,)), jax.random.randint(keys[2], (50,), 0, 1000),
                jax.random.permutation(keys[3], 20), jax.random.categorical(keys[4], jnp.zeros((5, 7))),
                jax.random.bernoulli(keys[5], 0.3, (50,)))

    same_as_xla(f, np.uint32(3))


@pytest.mark.parametrize("name", ["rbg", "unsafe_rbg"])
def test_hardware_style_generators(same_as_xla, name):
    same_as_xla(lambda s: jax.random.bits(jax.random.key(s, impl=name), (33,)), np.uint32(5))


def test_linear_algebra(same_as_xla):
    def f(a, b):
        spd = a @ a.T + 5 * jnp.eye(6)
        values, _ = jnp.linalg.eigh(spd)
        return (jnp.linalg.cholesky(spd), jnp.linalg.solve(spd, b), jnp.linalg.det(spd), jnp.linalg.inv(spd), values,
                jnp.linalg.svd(a, compute_uv=False), abs(jnp.linalg.qr(a)[1]))

    same_as_xla(f, floats(6, 6), floats(6, 2))


def test_fourier(same_as_xla):
    same_as_xla(lambda x: (jnp.fft.fft(x), jnp.fft.rfft(x), jnp.fft.ifft2(x + 0j), jnp.fft.irfft(jnp.fft.rfft(x))), floats(4, 12))


def test_special_functions(same_as_xla):
    def f(x):
        s, p = jax.scipy.special, abs(x) + 0.1
        return s.erf(x), s.erfc(x), s.gammaln(p), s.digamma(p), s.expit(x), s.logit(p / (p + 1)), s.ndtri(p / (p + 1)), s.logsumexp(x, 0)

    same_as_xla(f, floats(40))
