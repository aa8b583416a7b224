"""The programs of this folder, each an op's forms or a few ops together; whole models are in models.py."""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax
from jax._src.lax import lax as lax_internal

from program import ALL, Draw, pairs, program  # ALL: for who imports this

ODD_FLOATS = np.array(
    [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, -0.5, 1.5, 2.5, -2.5, 1e-8, 88.0, -88.0, 104.0,
     123.456, -3.75, 7.0], np.float32)


# ---- Elementwise ----------------------------------------------------------------------------------------------------

@program("elementwise special")
def unary_f32():
    def f(x):
        return (abs(x), jnp.cbrt(x), jnp.ceil(x), jnp.floor(x), jnp.exp(x), jnp.expm1(x), jnp.log(x), jnp.log1p(x),
                jnp.sin(x), jnp.cos(x), jnp.tan(x), jnp.tanh(x), jnp.sqrt(x), lax.rsqrt(x), lax.logistic(x), -x,
                jnp.sign(x), jnp.isfinite(x), lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO),
                lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN))

    return f, [np.concatenate([ODD_FLOATS, Draw("unary_f32").floats(43, low=-9, high=9)])]


@program("elementwise f64", x64=True)
def unary_f64():
    def f(x):
        return (jnp.exp(x), jnp.log(x), jnp.sin(x), jnp.cos(x), jnp.tanh(x), jnp.sqrt(x), jnp.expm1(x), jnp.log1p(x),
                jnp.cbrt(x))

    return f, [Draw("unary_f64").floats(35, low=0.02, high=6, dtype=np.float64)]


@program("elementwise bf16 f16")
def unary_half():
    def f(b, h):
        return jnp.exp(b), jnp.tanh(b), b * b + b, jnp.sqrt(abs(b)), jnp.exp(h), jnp.sin(h), h / (h + 4), lax.rsqrt(abs(h))

    draw = Draw("unary_half")
    return f, [draw.floats(6, 7).astype(ml_dtypes.bfloat16), draw.floats(6, 7).astype(np.float16)]


@program("elementwise special")
def binary_f32():
    def f(a, b):
        return (a + b, a - b, a * b, a / b, lax.rem(a, b), lax.pow(abs(a), b), lax.atan2(a, b), jnp.maximum(a, b),
                jnp.minimum(a, b), lax.nextafter(a, b))

    return f, pairs(np.array([0, -0.0, 1, -1, 2.5, -2.5, np.inf, -np.inf, np.nan, 2e-3, 6, -6], np.float32))


def integer_program(dtype):
    def f(a, b):
        return (a + b, a - b, a * b, lax.div(a, b), lax.rem(a, b), a & b, a | b, a ^ b, ~a, lax.shift_left(a, b),
                lax.shift_right_arithmetic(a, b), lax.shift_right_logical(a, b), jnp.maximum(a, b), jnp.minimum(a, b),
                lax.population_count(a), lax.clz(a), jnp.sign(a), -a)

    limits = np.iinfo(dtype)
    values = [0, 1, 2, 3, 6, 7, 8, 12, 31, 32, 33, limits.max, limits.max - 1]
    values += [-1, -2, -7, limits.min, limits.min + 1] if limits.min < 0 else [limits.max // 2 + 1]
    return f, pairs(np.array(values, dtype))


for _dtype in (np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64):
    program("integer divzero shift", name=f"int_{np.dtype(_dtype).name}", x64=np.dtype(_dtype).itemsize == 8)(
        lambda dtype=_dtype: integer_program(dtype))


@program("compare total_order")
def compare_all():
    def f(a, b, i, j):
        return (a == b, a != b, a < b, a <= b, a > b, a >= b, i == j, i < j, i >= j, lax_internal.eq_to_p.bind(a, b),
                lax_internal.lt_to_p.bind(a, b), lax_internal.le_to_p.bind(a, b))

    draw = Draw("compare_all")
    a, b = pairs(np.array([0, -0.0, 1, -1, np.inf, -np.inf, np.nan, -np.nan, 3], np.float32))
    return f, [a, b, draw.ints(a.size, low=-3, high=3), draw.ints(a.size, low=-3, high=3)]


# Numbers of 300 are products of complex ones whose parts cancel.
# a ** b goes through log and exp on both sides, which multiplies the error of the logarithm.
@program("complex", of_largest=8)
def complex_ops():
    def f(a, b):
        return (a + b, a - b, a * b, a / b, jnp.exp(a), jnp.log(a), jnp.sqrt(a), jnp.tanh(a), abs(a), jnp.real(a),
                jnp.imag(a), jnp.conj(a), jnp.angle(a), a == b, lax.complex(jnp.real(a), jnp.imag(b)), jnp.sin(a),
                jnp.cos(b), a ** b)

    draw = Draw("complex_ops")
    return f, [draw.complexes(3, 5), draw.complexes(3, 5)]


@program("select clamp")
def select_clamp():
    def f(p, s, a, b):
        return jnp.where(p, a, b), lax.select(s, a, b), lax.clamp(jnp.float32(-1), a, jnp.float32(0.5)), lax.clamp(b - 1, a, b)

    draw = Draw("select_clamp")
    return f, [draw.bools(4, 5), np.bool_(True), draw.floats(4, 5), draw.floats(4, 5)]


@program("convert saturate")
def convert_from_f32():
    targets = [np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32, np.float16, jnp.bfloat16, np.bool_,
               jnp.float8_e4m3fn, jnp.float8_e5m2, np.complex64]

    def f(x):
        return [x.astype(target) for target in targets]

    return f, [np.array([0, -0.0, 0.4, 0.5, 0.6, 1.5, 2.5, -1.5, 127.5, 128, -128.9, -129, 255.7, 256, 300, -1, 65535,
                         65536, 7e4, 447, 449, 464, 465, 57344, 61440, 1e-5, 1e-9, 3e38, -3e38, np.inf, -np.inf, np.nan],
                        np.float32)]


@program("convert", x64=True)
def convert_ints_x64():
    def f(i, l, u, d, b):
        return (i.astype(np.float32), i.astype(np.uint8), i.astype(np.int64), l.astype(np.int32), l.astype(np.float32),
                l.astype(np.float64), u.astype(np.float32), u.astype(np.float64), d.astype(np.float32),
                d.astype(np.int64), d.astype(np.uint64), b.astype(np.float32), b.astype(np.int8), i.astype(bool))

    return f, [np.array([0, 1, -1, 2**31 - 1, -(2**31), 2**24 + 1, 255, 256], np.int32),
               np.array([0, -1, 2**63 - 1, -(2**63), 2**53 + 1, 2**32 + 5], np.int64),
               np.array([0, 2**64 - 1, 2**63, 2**53 + 1], np.uint64),
               np.array([0.5, -1.5, 1e300, -1e300, 1e19, np.nan, 2.0**63, 3.999], np.float64), np.array([True, False])]


@program("bitcast reduce_precision")
def bitcast_reduce_precision():
    def f(x, u, y):
        return (lax.bitcast_convert_type(x, np.int32), lax.bitcast_convert_type(x, np.uint8),
                lax.bitcast_convert_type(u.reshape(6, 2), np.uint16), lax.bitcast_convert_type(u.reshape(3, 4), np.float32),
                lax.bitcast_convert_type(y, jnp.int16), lax.reduce_precision(x, 5, 10), lax.reduce_precision(x, 8, 7),
                lax.reduce_precision(x, 4, 3), lax.reduce_precision(x, 2, 0))

    draw = Draw("bitcast")
    edges = np.array([65504, 65519, 65520, 1e-7, 6e-8, 240, 248, 464], np.float32)
    x = np.concatenate([ODD_FLOATS, draw.floats(9, low=-500, high=500), edges])
    return f, [x, draw.ints(12, low=0, high=126, dtype=np.uint8), draw.floats(6).astype(jnp.bfloat16)]


# ---- Moving and indexing --------------------------------------------------------------------------------------------

@program("shape")
def shape_ops():
    def f(x):
        return (lax.broadcast_in_dim(x, (2, 3, 4, 5), (1, 3)), lax.broadcast_in_dim(x[:1], (6, 5), (0, 1)),
                x.reshape(5, 3), x.T, jnp.transpose(jnp.broadcast_to(x, (2, 3, 5)), (2, 0, 1)), x[0:3:2, 1:5:3], x[::-1],
                lax.rev(x, (0, 1)), lax.pad(x, jnp.float32(9), ((1, 2, 0), (0, 1, 2))),
                lax.pad(x, jnp.float32(-7), ((-1, 2, 1), (2, -2, 0))), jnp.concatenate([x, x * 2, x[:1]]),
                jnp.concatenate([x, -x], 1), lax.iota(np.int32, 7), lax.broadcasted_iota(np.float32, (3, 4), 1),
                jnp.squeeze(x[:1, None]), jnp.tile(x, (2, 2)), jnp.split(x, [2])[1])

    return f, [Draw("shape_ops").floats(3, 5)]


@program("dynamic_slice clamp")
def dynamic_slices():
    def f(x, u, i, j):
        return (lax.dynamic_slice(x, (i, j), (3, 2)), lax.dynamic_slice(x, (-i, j + 100), (2, 4)),
                lax.dynamic_update_slice(x, u, (i, j)),
                lax.dynamic_update_slice(x, u, (jnp.int32(-5), jnp.int32(1000))), lax.dynamic_index_in_dim(x, i, 0),
                lax.dynamic_slice(x, (i, j), (0, 2)))

    draw = Draw("dynamic_slices")
    return f, [draw.floats(6, 5), draw.floats(2, 3), np.int32(4), np.int32(2)]


@program("gather oob modes")
def gather_modes():
    def f(x, i, j):
        window = lax.GatherDimensionNumbers(offset_dims=(1, 2), collapsed_slice_dims=(), start_index_map=(0, 1))
        return (jnp.take(x, i, axis=0, mode="clip"), jnp.take(x, i, axis=0, mode="fill", fill_value=-5),
                jnp.take(x, i, axis=1, mode="wrap"), x[j[:, 0] % 6, j[:, 1] % 5], x.at[i].get(mode="promise_in_bounds"),
                jnp.take_along_axis(x, abs(j[:, :1]) % 5, axis=1), lax.gather(x, j % 4, window, (2, 3), mode="clip"))

    draw = Draw("gather_modes")
    return f, [draw.floats(6, 5), np.array([0, 5, 3, 1], np.int32), draw.ints(6, 2, low=-9, high=9)]


@program("gather batching")
def gather_batching():
    def f(x, i):
        pick_two = jax.vmap(jax.vmap(lambda row, k: lax.dynamic_slice(row, (k,), (2,))))
        return jax.vmap(lambda rows, k: rows[k])(x, i), pick_two(x, i)

    draw = Draw("gather_batching")
    return f, [draw.floats(4, 3, 7), draw.ints(4, 3, low=-2, high=9)]


@program("scatter oob")
def scatter_variants():
    def f(x, i, u):
        at = x.at[i]
        return (at.set(u, mode="drop"), at.add(u), at.mul(u), at.min(u), at.max(u), at.apply(jnp.sin),
                x.at[:, jnp.array([0, 4, 2])].add(1.5), x.at[jnp.array([0, 1]), jnp.array([3, 9])].set(7.0, mode="drop"),
                x.at[1:5:2].subtract(2.0), at.set(u, mode="clip"))

    draw = Draw("scatter_variants")
    return f, [draw.floats(6, 5), np.array([0, 3, 3, 11], np.int32), draw.floats(4, 5)]


@program("scatter batching window")
def scatter_batched():
    def f(x, i, u):
        rows = jax.vmap(lambda row, k, v: row.at[k].add(v))(x, i, u)
        numbers = lax.ScatterDimensionNumbers(update_window_dims=(1, 2), inserted_window_dims=(),
                                              scatter_dims_to_operand_dims=(0, 1))
        updates = jnp.ones((3, 2, 2), x.dtype) * jnp.arange(1, 4, dtype=x.dtype)[:, None, None]
        corners = jnp.array([[0, 1], [3, 4], [4, 5]])  # the last window does not fit
        return rows, lax.scatter(jnp.zeros((5, 6), x.dtype), corners, updates, numbers, mode="drop")

    draw = Draw("scatter_batched")
    return f, [draw.floats(4, 6), draw.ints(4, 3, low=0, high=6), draw.floats(4, 3)]


# ---- Reductions, windows, sorting -----------------------------------------------------------------------------------

# The sum of 120 numbers cancels to less than most of them are.
# Sums of hundreds and products are added and multiplied in an order of their own on each side.
@program("reduce", of_largest=16)
def reductions():
    def f(x, i, b):
        return (x.sum(), x.sum(0), x.sum((0, 2)), x.prod(1), x.max(-1), x.min((0, 1)), jnp.argmax(x, 1), jnp.argmin(x, 0),
                b.all(0), b.any(1), i.sum(0), lax.reduce_and_p.bind(i, axes=(0,)), lax.reduce_or_p.bind(i, axes=(1,)),
                lax.reduce_xor_p.bind(i, axes=(0,)), x.mean(0), x.var(2), jnp.linalg.norm(x))

    draw = Draw("reductions")
    return f, [draw.floats(4, 5, 6), draw.ints(5, 4), draw.bools(3, 4)]


@program("reduce variadic")
def reduce_variadic():
    def f(x, i):
        def fold(a, b):
            return jnp.where(a[0] > b[0], a[0], b[0]), a[1] + b[1]

        return lax.reduce((x, i), (jnp.float32(-1e9), jnp.int32(0)), fold, (0,))

    draw = Draw("reduce_variadic")
    return f, [draw.floats(7, 3), draw.ints(7, 3)]


@program("reduce_window select_and_scatter")
def pools():
    def max_pool(x):
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 2, 1), (1, 2, 1, 1), ((0, 0), (1, 0), (0, 1), (0, 0)))

    def f(x):
        square, twos, ones = (1, 2, 2, 1), (1, 2, 2, 1), (1, 1, 1, 1)
        return (max_pool(x), lax.reduce_window(x, 0.0, lax.add, square, (1, 1, 2, 1), "SAME"),
                lax.reduce_window(x, 0.0, lax.add, square, ones, "VALID", base_dilation=(1, 2, 1, 1),
                                  window_dilation=(1, 1, 3, 1)),
                lax.reduce_window(x, jnp.inf, lax.min, square, twos, "VALID"),
                jax.grad(lambda y: (max_pool(y) * 2).sum())(x), lax.cumsum(x, 1), lax.cummax(x, 2),
                lax.cumprod(x, 1, reverse=True), lax.cumlogsumexp(x, 1))

    return f, [Draw("pools").floats(2, 7, 6, 3)]


@program("sort composite")
def sorts():
    def f(x, i, j):
        return (jnp.sort(x), jnp.sort(x, 0, descending=True), jnp.argsort(x, 1), lax.sort((i, x), dimension=1, num_keys=1),
                lax.sort((i, j, x), dimension=0, num_keys=2), lax.top_k(x, 3), jnp.median(x), lax.sort(x, is_stable=False))

    draw = Draw("sorts")
    x = draw.floats(5, 9)
    x[0, :4] = [np.nan, -0.0, 0.0, np.inf]
    return f, [x, draw.ints(5, 9, low=0, high=4), draw.ints(5, 9, low=0, high=3)]


# ---- Contractions ---------------------------------------------------------------------------------------------------

@program("dot", of_largest=4)
def dots():
    def f(a, b, c, d, q, r):
        batched = (((2,), (1,)), ((0,), (0,)))
        return (a @ b, jnp.einsum("bij,bjk->bik", c, d), jnp.einsum("bij,bjk->ik", c, d),
                lax.dot_general(q, r, (((1,), (0,)), ((), ())), preferred_element_type=np.int32), jnp.outer(a[0], b[0]),
                a[0] @ a[1], lax.dot_general(c, d, batched, precision=lax.Precision.HIGHEST),
                jnp.einsum("bij,bij->b", c, jnp.swapaxes(d, 1, 2)))

    draw = Draw("dots")
    return f, [draw.floats(4, 6), draw.floats(6, 5), draw.floats(3, 4, 5), draw.floats(3, 5, 4),
               draw.ints(3, 4, dtype=np.int8), draw.ints(4, 5, dtype=np.int8)]


@program("dot bf16 f16")
def dots_lowp():
    def f(a, b, h):
        return a @ b, lax.dot_general(a, b, (((1,), (0,)), ((), ())), preferred_element_type=np.float32), h @ h.T

    draw = Draw("dots_lowp")
    return f, [draw.floats(4, 8).astype(jnp.bfloat16), draw.floats(8, 3).astype(jnp.bfloat16),
               draw.floats(3, 4).astype(np.float16)]


@program("conv", of_largest=4)
def convs():
    def f(x, k, grouped, signal, taps):
        def conv(*args, **settings):
            return lax.conv_general_dilated(*args, dimension_numbers=("NHWC", "HWIO", "NHWC"), **settings)

        return (conv(x, k, (1, 1), "SAME"), conv(x, k, (2, 3), "VALID"),
                conv(x, k, (1, 2), ((2, 1), (0, 3)), rhs_dilation=(2, 1)),
                conv(x, k, (1, 1), ((1, 1), (2, 0)), lhs_dilation=(2, 3)),
                conv(x, grouped, (1, 1), "SAME", feature_group_count=2),
                lax.conv_transpose(x, k, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")),
                lax.conv_general_dilated(signal, taps, (2,), ((1, 2),), dimension_numbers=("NCH", "OIH", "NCH")))

    draw = Draw("convs")
    return f, [draw.floats(2, 7, 8, 4), draw.floats(3, 2, 4, 6), draw.floats(3, 2, 2, 6), draw.floats(2, 3, 10),
               draw.floats(5, 3, 4)]


@program("conv grad batch_group", of_largest=4)
def conv_grads():
    def loss(x, k):
        y = lax.conv_general_dilated(x, k, (2, 1), ((1, 0), (1, 2)), dimension_numbers=("NCHW", "OIHW", "NCHW"),
                                     feature_group_count=2)
        return (y ** 2).sum()

    draw = Draw("conv_grads")
    return jax.grad(loss, (0, 1)), [draw.floats(2, 4, 6, 5), draw.floats(6, 2, 3, 2)]


# ---- Control flow, random numbers, linear algebra -------------------------------------------------------------------

@program("while")
def while_capture():
    def f(x, n):
        doubled = x * 2

        def body(carry):
            i, a = carry
            return i + 1, a * 0.5 + doubled.sum() * 0.01

        looped = lax.while_loop(lambda c: (c[0] < n) & (abs(c[1]).max() > 1e-3), body, (jnp.int32(0), x))
        return looped, lax.fori_loop(0, 5, lambda i, a: a + i, x)

    return f, [Draw("while_capture").floats(4), np.int32(6)]


# Six times a tanh of sums that cancel, each of the one before.
# Each step of a recurrence multiplies what the steps before were off.
@program("while scan", of_largest=32)
def scans():
    def f(x, h, w):
        def cell(state, row):
            state = jnp.tanh(state @ w + row)
            return state, state.sum()

        return lax.scan(cell, h, x), lax.scan(cell, h, x, reverse=True), lax.associative_scan(jnp.add, x)

    draw = Draw("scans")
    return f, [draw.floats(6, 3), draw.floats(3), draw.floats(3, 3)]


@program("case if")
def branches():
    def f(i, p, x):
        picked = lax.switch(i, [lambda y: y + 1, lambda y: y * 2, lambda y: jnp.sin(y)], x)
        return picked, lax.cond(p, lambda y: y, lambda y: -y, x), lax.cond(x[0] > 0, lambda: x.sum(), lambda: jnp.float32(0))

    return f, [np.int32(7), np.bool_(False), Draw("branches").floats(4)]


@program("rng threefry")
def rng_threefry():
    def f(key):
        return (jax.random.bits(key, (5,)), jax.random.uniform(key, (3, 4)), jax.random.normal(key, (7,)),
                jax.random.randint(key, (6,), 0, 100), jax.random.bernoulli(key, 0.3, (9,)), jax.random.permutation(key, 8),
                jax.random.split(key, 3), jax.random.fold_in(key, 5))

    return f, [np.array([0, 42], np.uint32)]


@program("rng rng_bit_generator")
def rng_bits():
    def f(key):
        philox, threefry = lax.RandomAlgorithm.RNG_PHILOX, lax.RandomAlgorithm.RNG_THREE_FRY
        return (lax.rng_bit_generator(key, (3, 5), dtype=np.uint32), lax.rng_bit_generator(key, (7,), dtype=np.uint8),
                lax.rng_bit_generator(key, (2, 3), dtype=np.uint32, algorithm=philox),
                lax.rng_bit_generator(key, (4,), dtype=np.uint32, algorithm=threefry))

    return f, [np.array([1, 2, 3, 4], np.uint32)]


# A determinant is a product of four sums.
# The solutions of systems: the condition of the matrix multiplies a unit in the last place.
@program("linalg", of_largest=16)
def linalg_basic():
    def f(a, b):
        spd = a @ a.T + 4 * jnp.eye(4)
        c = jnp.linalg.cholesky(spd)
        solve = lax.linalg.triangular_solve
        return (c, solve(c, b, left_side=True, lower=True), solve(c, b.T, left_side=False, lower=True, transpose_a=True),
                solve(jnp.tril(a, -1) + jnp.eye(4), b, left_side=True, lower=True, unit_diagonal=True), jnp.linalg.det(spd))

    draw = Draw("linalg_basic")
    return f, [draw.floats(4, 4), draw.floats(4, 3)]


# Products of reflectors, made and multiplied in another order.
# q @ r adds up the errors of as many reflections as there are columns.
@program("linalg custom_call", of_largest=8)
def linalg_qr():
    """Custom calls Qr and ProductOfElementaryHouseholderReflectors, wide, square and tall."""
    def f(*matrices):
        factors = [jnp.linalg.qr(a) for a in matrices]
        return [q @ r for q, r in factors] + [jnp.abs(r) for _, r in factors]

    draw = Draw("linalg_qr")
    return f, [draw.floats(5, 3), draw.floats(2, 4, 4), draw.floats(3, 5), draw.complexes(6, 4)]


# Another order in all of it: a sum of cubes has an imaginary part of nothing but rounding, and so have two residuals.
# Routines with iterations and pivots: errors are multiples of the matrix's norm, numbers that should be zero are 1e-14.
@program("linalg custom_call", x64=True, platform="cpu", of_largest=64, absolute=1e-13)
def linalg_lapack():
    """LAPACK's routines by the names that JAX has for the CPU. Vectors are compared up to their signs."""
    def f(a, b, c):
        spd = a @ a.mT + 4 * jnp.eye(4)
        lu, pivots, _ = lax.linalg.lu(a)
        q, r = jnp.linalg.qr(b)
        values, vectors = jnp.linalg.eigh(spd)
        u, s, vt = jnp.linalg.svd(b, full_matrices=False)
        w, left, right = lax.linalg.eig(c)
        return (jnp.linalg.cholesky(spd), lu, pivots, q @ r, jnp.abs(r), values, jnp.abs(vectors),
                (u * s[..., None, :]) @ vt, s, jnp.linalg.svd(c, compute_uv=False), jnp.sum(w ** 3),
                jnp.abs(c @ right - right * w), jnp.abs(left.conj().T @ c - w[:, None] * left.conj().T),
                jnp.linalg.solve(spd, b.mT), lax.linalg.triangular_solve(spd, b, left_side=False, lower=True, transpose_a=True))

    draw = Draw("linalg_lapack")
    return f, [draw.floats(2, 4, 4, dtype=np.float64), draw.floats(2, 3, 4, dtype=np.float64),
               draw.floats(5, 5, dtype=np.float64)]


@program("custom_call approx_top_k")
def approx_top_k():
    return lambda x: (lax.approx_max_k(x, 4), lax.approx_min_k(x, 3, reduction_dimension=0)), [Draw("approx_top_k").floats(5, 32)]


@program("composite ragged", of_largest=4)
def ragged_dot():
    draw = Draw("ragged_dot")
    return lax.ragged_dot, [draw.floats(8, 4), draw.floats(3, 4, 5), np.array([3, 0, 5], np.int32)]


@program("fft complex", of_largest=4)
def ffts():
    def f(x, c):
        return (jnp.fft.fft(c), jnp.fft.ifft(c), jnp.fft.rfft(x), jnp.fft.irfft(c), jnp.fft.fft2(c), jnp.fft.rfftn(x),
                jnp.fft.irfft(c, 7))

    draw = Draw("ffts")
    return f, [draw.floats(3, 4, 6), draw.complexes(3, 4, 6)]


# betainc, gammainc and gammaincc are series, times powers whose exponents are sums that cancel.
# Series whose terms cancel near their zeros, in f32 on XLA:CPU's side.
@program("chlo composite special_functions", of_largest=32)
def special_functions():
    def f(x, a):
        s = jax.scipy.special
        third = x / 4
        return (lax.erf(x), lax.erfc(x), lax.erf_inv(third), s.gammaln(a), s.digamma(a), jnp.sinh(x), jnp.cosh(x),
                jnp.arcsinh(x), jnp.arccosh(a + 1), jnp.arctanh(third), jnp.arcsin(third), jnp.arccos(third), jnp.arctan(x),
                s.betainc(a, a + 1, abs(third)), s.gammainc(a, a), s.gammaincc(a, a + 1), s.ndtri(abs(third)))

    draw = Draw("special_functions")
    return f, [draw.floats(12), draw.floats(12, low=0.3, high=6)]


# ---- Odd types and shapes -------------------------------------------------------------------------------------------

@program("constants")
def constants():
    draw = Draw("constants")
    wide, bits, many_bits = draw.floats(9, 11), draw.bools(5, 7), draw.bools(300)
    c, b, h = draw.complexes(2, 3), draw.floats(4, 3).astype(jnp.bfloat16), draw.floats(3).astype(np.float16)
    f8, numbers = draw.floats(6).astype(jnp.float8_e4m3fn), draw.ints(100)

    def f(x):
        return (x + wide[0, 0], jnp.asarray(wide) * x, jnp.where(bits, x, -x), jnp.asarray(many_bits), jnp.asarray(c) + x,
                jnp.asarray(b), jnp.asarray(h), jnp.asarray(f8), jnp.full((3, 3), np.nan, np.float32), jnp.full((2,), True),
                jnp.zeros((4,), bool), jnp.asarray(numbers), jnp.asarray(np.array([np.inf, -np.inf, -0.0], np.float32)),
                jnp.zeros((0, 3)), jnp.asarray(np.arange(8, dtype=np.uint8)), jnp.asarray(np.array([[True]])),
                jnp.asarray(np.array([3], jnp.int4)), jnp.asarray(np.arange(-8, 8).astype(jnp.int4)),
                jnp.asarray(np.arange(16).astype(jnp.uint4)))

    return f, [np.float32(1.5)]


@program("zero_size")
def zero_size():
    def f(x, y):
        return x.sum(), x.sum(0), x @ y, jnp.concatenate([x, x], 1), jnp.sort(x, 0), x.reshape(3, 0)

    return f, [np.zeros((0, 3), np.float32), np.zeros((3, 4), np.float32)]


@program("int4")
def int4_args():
    def f(a, b, u):
        return (a.astype(np.int8) + 1, a + b, a * b, a.astype(np.float32), u.astype(np.uint8), u + u, jnp.maximum(a, b))

    return f, [np.arange(-8, 8).astype(jnp.int4), np.tile([-8, 7, 1, -1], 4).astype(jnp.int4), np.arange(16).astype(jnp.uint4)]


@program("f8")
def f8_args():
    def f(a, b, c):
        wide = a.astype(np.float32)
        return wide, b.astype(np.float32), (wide * 2).astype(jnp.float8_e4m3fn), c.astype(np.float32), a + a, a < a[::-1]

    every = np.arange(256, dtype=np.uint8)
    return f, [every.view(jnp.float8_e4m3fn), every.view(jnp.float8_e5m2), every.view(jnp.float8_e4m3b11fnuz)]


import models  # registers the last of them
