#!/usr/bin/env python3
"""Every family of operations against XLA:CPU, both in this process, medians of interleaved rounds.

    ./dev bench ops [-- --only REGEX] [--rounds N] [--slow] [--markdown FILE]

A row is one jitted function on arrays that lie on the device. Rounds alternate between the platforms, so that a slow
minute of the machine hits both; a row that comes out slower than XLA:CPU is measured again, longer, before it is called
slow. Both answers are compared as well, loosely: this is where speed is measured, not accuracy.
"""

import argparse
import functools
import json
import os
import re
import statistics
import sys
import time

os.environ.setdefault("JAX_PLATFORMS", "millrace,cpu")

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy import linalg as jsl
from jax.scipy import special as jss

clock = time.perf_counter
OURS, XLA = jax.devices("millrace")[0], jax.devices("cpu")[0]
ROWS = []
F32, F64, BF16, F16 = np.float32, np.float64, jnp.bfloat16, np.float16
I8, I32 = np.int8, np.int32


# ---- Measuring ------------------------------------------------------------------------------------------------------


def count_for(call, budget):
    start = clock()
    call()
    return max(1, int(budget / max(clock() - start, 1e-7)))


def timed(call, count):
    start = clock()
    for _ in range(count):
        call()
    return (clock() - start) / count


def prepare(function, arrays, device):
    """A call to time, seconds to trace and compile, and the answer."""
    arguments = jax.block_until_ready([jax.device_put(a, device) for a in arrays])
    start = clock()
    compiled = jax.jit(function).lower(*arguments).compile()
    seconds = clock() - start
    call = lambda: jax.block_until_ready(compiled(*arguments))
    return call, seconds, [np.asarray(leaf) for leaf in jax.tree.leaves(call())]


def agree(ours, theirs):
    """Whether two answers look like those of the same program."""
    for a, b in zip(ours, theirs):
        if a.shape != b.shape or a.dtype != b.dtype:
            return False
        if a.dtype == bool or not np.issubdtype(np.asarray(a, copy=False).dtype, np.number) and a.dtype != BF16:
            if a.dtype.kind != "V" and not (a == b).all():
                return False
            continue
        a, b = (np.asarray(v, np.complex128) for v in (a, b))
        scale = np.nanmax(np.where(np.isfinite(b), abs(b), 0), initial=1e-30)
        with np.errstate(invalid="ignore"):
            far = abs(a - b) > 0.02 * scale + 0.02 * abs(b)
        if (far & np.isfinite(b)).any():
            return False
    return True


def measure(calls, rounds, budget):
    counts = [count_for(call, budget) for call in calls]
    samples = ([], [])
    for _ in range(rounds):
        for call, count, list_ in zip(calls, counts, samples):
            list_.append(timed(call, count))
    return [statistics.median(list_) for list_ in samples]


def row(family, name, function, *arrays, check=True):
    if not re.search(ARGUMENTS.only, f"{family}: {name}"):
        return
    entry = {"family": family, "name": name}
    ROWS.append(entry)
    try:
        (our_call, our_compile, our_answer), (xla_call, xla_compile, xla_answer) = (
            prepare(function, arrays, device) for device in (OURS, XLA)
        )
    except Exception as error:
        entry["error"] = str(error).splitlines()[0][:160]
        print(f"{family:12} {name:44} FAILED: {entry['error']}", flush=True)
        return
    calls = (our_call, xla_call)
    ours, theirs = measure(calls, ARGUMENTS.rounds, 0.008)
    if ours > theirs:
        ours, theirs = measure(calls, 2 * ARGUMENTS.rounds + 1, 0.02)
    entry.update(ours_us=ours * 1e6, xla_us=theirs * 1e6, ratio=ours / theirs, compile_ratio=our_compile / xla_compile)
    entry["same"] = not check or agree(our_answer, xla_answer)
    mark = "" if entry["same"] else "  ANSWERS DIFFER"
    if entry["ratio"] > 1 or mark or not ARGUMENTS.slow:
        print(
            f"{family:12} {name:44} {ours * 1e6:11.1f} us {theirs * 1e6:11.1f} us {entry['ratio']:7.2f}x"
            f"   compile {our_compile * 1e3:6.1f} ms {entry['compile_ratio']:5.2f}x{mark}",
            flush=True,
        )


# ---- Inputs ---------------------------------------------------------------------------------------------------------


def normal(*shape, dtype=F32, seed=0):
    return np.random.default_rng(seed).standard_normal(shape, dtype=F32).astype(dtype)


def uniform(*shape, low=0.0, high=1.0, dtype=F32, seed=0):
    return np.random.default_rng(seed).uniform(low, high, shape).astype(dtype)


def integers(*shape, high, dtype=I32, seed=0):
    return np.random.default_rng(seed).integers(0, high, shape).astype(dtype)


# ---- Families -------------------------------------------------------------------------------------------------------

UNARY = {
    # name: (function, lowest input, highest input)
    "exp": (jnp.exp, -20, 20),
    "exp2": (jnp.exp2, -20, 20),
    "expm1": (jnp.expm1, -10, 10),
    "log": (jnp.log, 1e-3, 1e3),
    "log2": (jnp.log2, 1e-3, 1e3),
    "log1p": (jnp.log1p, -0.9, 100),
    "logistic": (lax.logistic, -10, 10),
    "sin": (jnp.sin, -10, 10),
    "cos": (jnp.cos, -10, 10),
    "tan": (jnp.tan, -10, 10),
    "tanh": (jnp.tanh, -4, 4),
    "sinh": (jnp.sinh, -4, 4),
    "cosh": (jnp.cosh, -4, 4),
    "asin": (jnp.arcsin, -1, 1),
    "acos": (jnp.arccos, -1, 1),
    "atan": (jnp.arctan, -4, 4),
    "asinh": (jnp.arcsinh, -4, 4),
    "acosh": (jnp.arccosh, 1, 9),
    "atanh": (jnp.arctanh, -1, 1),
    "sqrt": (jnp.sqrt, 0, 10),
    "rsqrt": (lax.rsqrt, 0.1, 10),
    "cbrt": (jnp.cbrt, -10, 10),
    "erf": (lax.erf, -3, 3),
    "erfc": (lax.erfc, -1, 5),
    "erf_inv": (lax.erf_inv, -1, 1),
    "lgamma": (lax.lgamma, 0.1, 20),
    "digamma": (lax.digamma, 0.1, 20),
    "bessel_i0e": (lax.bessel_i0e, -20, 20),
    "bessel_i1e": (lax.bessel_i1e, -20, 20),
    "floor": (jnp.floor, -9, 9),
    "round": (jnp.round, -9, 9),
    "sign": (jnp.sign, -9, 9),
    "abs": (jnp.abs, -9, 9),
    "x * x": (lambda x: x * x, -9, 9),
    "gelu": (jax.nn.gelu, -4, 4),
    "silu": (jax.nn.silu, -4, 4),
    "softplus": (jax.nn.softplus, -4, 4),
    "x ** 3": (lambda x: x**3, -4, 4),
}


def elementwise():
    for name, (function, low, high) in UNARY.items():
        row("elementwise", f"{name} f32[256K]", function, uniform(1 << 18, low=low, high=high))
    for name in ("exp", "log", "tanh", "sin", "erf", "rsqrt", "logistic", "x * x", "gelu"):
        function, low, high = UNARY[name]
        row("elementwise", f"{name} bf16[256K]", function, uniform(1 << 18, low=low, high=high, dtype=BF16))
        row("elementwise", f"{name} f16[256K]", function, uniform(1 << 18, low=low, high=high, dtype=F16))
    with jax.enable_x64(True):
        for name in ("exp", "log", "log1p", "tanh", "sin", "tan", "erf", "erf_inv", "lgamma", "digamma", "cbrt", "atanh"):
            function, low, high = UNARY[name]
            row("elementwise", f"{name} f64[256K]", function, uniform(1 << 18, low=low, high=high, dtype=F64))
    x, y = uniform(1 << 18, low=0.1, high=9), uniform(1 << 18, low=0.1, high=9, seed=1)
    for name, function in (
        ("x + y", lambda x, y: x + y),
        ("x / y", lambda x, y: x / y),
        ("power", jnp.power),
        ("atan2", jnp.arctan2),
        ("remainder", lax.rem),
        ("maximum", jnp.maximum),
        ("igamma", jss.gammainc),
        ("nextafter", jnp.nextafter),
        ("where", lambda x, y: jnp.where(x > y, x, y * 2)),
    ):
        row("elementwise", f"{name} f32[256K]", function, x, y)
    a, b = integers(1 << 18, high=1 << 30), integers(1 << 18, high=1000, seed=1) + I32(1)
    for name, function in (
        ("x + y", lambda x, y: x + y),
        ("x * y", lambda x, y: x * y),
        ("x // y", lambda x, y: x // y),
        ("rem", lax.rem),
        ("shift", lambda x, y: lax.shift_right_logical(x, y & 31)),
    ):
        row("elementwise", f"{name} i32[256K]", function, a, b)
    row("elementwise", "population_count i32[256K]", lax.population_count, a)
    row("elementwise", "clz i32[256K]", lax.clz, a)
    row("elementwise", "f32 to bf16 [1M]", lambda x: x.astype(BF16), normal(1 << 20))
    row("elementwise", "bf16 to f32 [1M]", lambda x: x.astype(F32), normal(1 << 20, dtype=BF16))
    row("elementwise", "f32 to i32 [1M]", lambda x: x.astype(I32), normal(1 << 20))
    row("elementwise", "f32 to i8 [1M]", lambda x: x.astype(I8), normal(1 << 20))
    row("elementwise", "f32 to f16 [1M]", lambda x: x.astype(F16), normal(1 << 20))
    row("elementwise", "f32 to f8e4m3fn [256K]", lambda x: x.astype(jnp.float8_e4m3fn), normal(1 << 18), check=False)
    z = (normal(1 << 16) + 1j * normal(1 << 16, seed=1)).astype(np.complex64)
    for name, function in (("x * x", lambda x: x * x), ("exp", jnp.exp), ("abs", jnp.abs), ("log", jnp.log), ("sqrt", jnp.sqrt)):
        row("elementwise", f"{name} c64[64K]", function, z)
    for size in (8, 1024, 1 << 22):
        row("elementwise", f"tanh(x) * 2 + 1 f32[{size}]", lambda x: jnp.tanh(x) * 2 + 1, normal(size))


def reductions():
    square, cube = normal(1024, 1024), normal(64, 128, 128)
    for name, function in (("sum", jnp.sum), ("max", jnp.max), ("argmax", jnp.argmax), ("mean", jnp.mean), ("var", jnp.var)):
        for axis in (None, 0, 1):
            row("reduction", f"{name} axis={axis} f32[1024,1024]", lambda x: function(x, axis=axis), square)
    for axis in (0, 1, 2, (0, 1), (1, 2), (0, 2)):
        row("reduction", f"sum axis={axis} f32[64,128,128]", lambda x: jnp.sum(x, axis=axis), cube)
    row("reduction", "sum axis=1 f32[65536,8]", lambda x: x.sum(1), normal(65536, 8))
    row("reduction", "sum axis=0 f32[8,65536]", lambda x: x.sum(0), normal(8, 65536))
    row("reduction", "sum axis=0 f32[65536,8]", lambda x: x.sum(0), normal(65536, 8))
    row("reduction", "sum bf16[1024,1024]", jnp.sum, normal(1024, 1024, dtype=BF16))
    row("reduction", "sum axis=1 bf16[1024,1024]", lambda x: x.sum(1), normal(1024, 1024, dtype=BF16))
    row("reduction", "sum i32[1024,1024]", jnp.sum, integers(1024, 1024, high=100))
    row("reduction", "prod f32[1024,1024]", jnp.prod, square)
    row("reduction", "all axis=1 [1024,1024]", lambda x: (x > -9).all(1), square)
    row("reduction", "argmin axis=1 i32[1024,1024]", lambda x: x.argmin(1), integers(1024, 1024, high=10000))
    row("reduction", "logsumexp axis=1 f32[1024,1024]", lambda x: jax.nn.logsumexp(x, axis=1), square)
    row("reduction", "logsumexp axis=0 f32[1024,1024]", lambda x: jax.nn.logsumexp(x, axis=0), square)
    row("reduction", "linalg.norm f32[1024,1024]", jnp.linalg.norm, square)
    row("reduction", "sum f32[16M]", jnp.sum, normal(1 << 24))
    row("reduction", "sum f32[256]", jnp.sum, normal(256))


def movement():
    square, cube = normal(1024, 1024), normal(64, 128, 128)
    row("movement", "transpose f32[1024,1024]", lambda x: x.T, square)
    row("movement", "transpose bf16[1024,1024]", lambda x: x.T, normal(1024, 1024, dtype=BF16))
    row("movement", "transpose i8[1024,1024]", lambda x: x.T, integers(1024, 1024, high=100, dtype=I8))
    for order in ((0, 2, 1), (1, 0, 2), (2, 1, 0), (2, 0, 1)):
        row("movement", f"transpose {order} f32[64,128,128]", lambda x: x.transpose(order), cube)
    row("movement", "transpose heads f32[8,256,8,64]", lambda x: x.transpose(0, 2, 1, 3), normal(8, 256, 8, 64))
    row("movement", "NHWC to NCHW f32[8,56,56,64]", lambda x: x.transpose(0, 3, 1, 2), normal(8, 56, 56, 64))
    row("movement", "NCHW to NHWC f32[8,3,224,224]", lambda x: x.transpose(0, 2, 3, 1), normal(8, 3, 224, 224))
    row("movement", "broadcast f32[1024] to rows", lambda x: jnp.broadcast_to(x, (1024, 1024)), normal(1024))
    row("movement", "broadcast f32[1024] to columns", lambda x: jnp.broadcast_to(x[:, None], (1024, 1024)), normal(1024))
    row("movement", "x + row f32[1024,1024]", lambda x, r: x + r, square, normal(1024))
    row("movement", "x + column f32[1024,1024]", lambda x, r: x + r[:, None], square, normal(1024))
    row("movement", "outer product f32[1024]", lambda x, r: x[:, None] * r, normal(1024), normal(1024))
    for axis in (0, 1):
        row("movement", f"concatenate axis={axis} f32[512,512] x2", lambda x, y: jnp.concatenate([x, y], axis), *[normal(512, 512)] * 2)
    row("movement", "concatenate 16 x f32[64,64] axis=1", lambda *x: jnp.concatenate(x, 1), *[normal(64, 64)] * 16)
    row("movement", "stack 4 x f32[65536] last", lambda *x: jnp.stack(x, -1), *[normal(65536)] * 4)
    row("movement", "pad f32[1000,1000] by 12", lambda x: jnp.pad(x, 12), normal(1000, 1000))
    row("movement", "pad interior f32[512,512]", lambda x: lax.pad(x, F32(0), ((0, 0, 1), (0, 0, 1))), normal(512, 512))
    row("movement", "pad reflect f32[1000,1000]", lambda x: jnp.pad(x, 12, mode="reflect"), normal(1000, 1000))
    row("movement", "slice f32[1024,1024] middle", lambda x: x[100:900, 100:900], square)
    row("movement", "slice strides f32[1024,1024]", lambda x: x[::2, ::2], square)
    row("movement", "reverse f32[1024,1024]", lambda x: x[:, ::-1], square)
    row("movement", "roll f32[1024,1024]", lambda x: jnp.roll(x, 7, 1), square)
    row("movement", "tile f32[256,256] 4x4", lambda x: jnp.tile(x, (4, 4)), normal(256, 256))
    row("movement", "repeat f32[65536] 8", lambda x: jnp.repeat(x, 8), normal(65536))
    row("movement", "dynamic_slice f32[1024,1024]", lambda x, i: lax.dynamic_slice(x, (i, i), (512, 512)), square, I32(9))
    row("movement", "dynamic_update_slice f32[1024,1024]", lambda x, y, i: lax.dynamic_update_slice(x, y, (i, i)), square, normal(64, 64), I32(9))
    row("movement", "iota i32[1024,1024]", lambda x: x + lax.broadcasted_iota(I32, (1024, 1024), 1), I32(1))
    row("movement", "eye f32[1024,1024]", lambda x: jnp.eye(1024) * x, F32(2))
    row("movement", "tril f32[1024,1024]", jnp.tril, square)
    row("movement", "diagonal f32[1024,1024]", jnp.diagonal, square)
    row("movement", "one_hot 4096 of 256", lambda i: jax.nn.one_hot(i, 256), integers(4096, high=256))


def indexing():
    table, square = normal(32768, 256), normal(1024, 1024)
    ids = integers(4096, high=32768)
    row("indexing", "take rows f32[32768,256] by 4096", lambda t, i: jnp.take(t, i, axis=0), table, ids)
    row("indexing", "take rows clip f32[32768,256] by 4096", lambda t, i: jnp.take(t, i, axis=0, mode="clip"), table, ids)
    row("indexing", "take columns f32[1024,1024] by 512", lambda t, i: t[:, i], square, integers(512, high=1024))
    row("indexing", "take elements f32[64K] by 64K", lambda t, i: t[i], normal(1 << 16), integers(1 << 16, high=1 << 16))
    row("indexing", "x[i, j] f32[1024,1024] by 64K", lambda t, i, j: t[i, j], square, integers(1 << 16, high=1024), integers(1 << 16, high=1024, seed=1))
    row("indexing", "take_along_axis f32[1024,1024]", lambda x, i: jnp.take_along_axis(x, i, 1), square, integers(1024, 1024, high=1024))
    row("indexing", "take_along_axis 1 of f32[4096,1000]", lambda x, i: jnp.take_along_axis(x, i, 1), normal(4096, 1000), integers(4096, 1, high=1000))
    row("indexing", "scatter-add rows f32[32768,256] by 4096", lambda t, i, u: t.at[i].add(u), table, ids, normal(4096, 256))
    row("indexing", "scatter rows f32[32768,256] by 4096", lambda t, i, u: t.at[i].set(u), table, ids, normal(4096, 256))
    row("indexing", "embedding gradient f32[1000,64] by 4096", lambda i, u: jnp.zeros((1000, 64)).at[i].add(u), integers(4096, high=1000), normal(4096, 64))
    row("indexing", "scatter-add elements f32[64K] by 64K", lambda t, i, u: t.at[i].add(u), normal(1 << 16), integers(1 << 16, high=1 << 16), normal(1 << 16))
    row("indexing", "scatter-max elements f32[64K] by 64K", lambda t, i, u: t.at[i].max(u), normal(1 << 16), integers(1 << 16, high=1 << 16), normal(1 << 16))
    row("indexing", "x.at[:, 3].set f32[1024,1024]", lambda x, u: x.at[:, 3].set(u), square, normal(1024))
    row("indexing", "x.at[5:9].add f32[1024,1024]", lambda x, u: x.at[5:9].add(u), square, normal(4, 1024))
    row("indexing", "segment_sum f32[65536] to 1000", lambda x, i: jax.ops.segment_sum(x, i, 1000), normal(65536), integers(65536, high=1000))
    row("indexing", "segment_sum f32[65536,32] to 1000", lambda x, i: jax.ops.segment_sum(x, i, 1000), normal(65536, 32), integers(65536, high=1000))
    row("indexing", "bincount 65536 to 256", lambda i: jnp.bincount(i, length=256), integers(65536, high=256))
    row("indexing", "histogram f32[65536] 64 bins", lambda x: jnp.histogram(x, 64)[0], normal(65536), check=False)
    row("indexing", "searchsorted 65536 in 1024", lambda s, x: jnp.searchsorted(s, x), np.sort(normal(1024)), normal(65536))
    row("indexing", "interp f32[65536] in 1024", jnp.interp, normal(65536), np.sort(normal(1024)), normal(1024))


def sorting():
    row("sort", "sort f32[65536]", jnp.sort, normal(65536))
    row("sort", "sort f32[1M]", jnp.sort, normal(1 << 20))
    row("sort", "sort i32[65536]", jnp.sort, integers(65536, high=1 << 30))
    row("sort", "sort bf16[65536]", jnp.sort, normal(65536, dtype=BF16))
    row("sort", "sort axis=1 f32[1024,64]", lambda x: jnp.sort(x, 1), normal(1024, 64))
    row("sort", "sort axis=1 f32[1024,1024]", lambda x: jnp.sort(x, 1), normal(1024, 1024))
    row("sort", "sort axis=0 f32[1024,1024]", lambda x: jnp.sort(x, 0), normal(1024, 1024))
    row("sort", "argsort f32[65536]", jnp.argsort, normal(65536))
    row("sort", "argsort axis=1 f32[1024,1024]", lambda x: jnp.argsort(x, 1), normal(1024, 1024))
    row("sort", "sort descending f32[65536]", lambda x: jnp.sort(x, descending=True), normal(65536))
    row("sort", "sort 2 keys [65536]", lambda a, b: lax.sort((a, b), num_keys=2), integers(65536, high=100), normal(65536))
    row("sort", "lexsort [65536]", lambda a, b: jnp.lexsort((a, b)), integers(65536, high=100), normal(65536))
    row("sort", "top_k 8 of f32[1024,1000]", lambda x: lax.top_k(x, 8), normal(1024, 1000))
    row("sort", "top_k 50 of f32[8,32000]", lambda x: lax.top_k(x, 50), normal(8, 32000))
    row("sort", "top_k 1000 of f32[65536]", lambda x: lax.top_k(x, 1000), normal(65536))
    row("sort", "unique size=256 i32[65536]", lambda x: jnp.unique(x, size=256), integers(65536, high=256))
    row("sort", "median f32[65536]", jnp.median, normal(65536))
    row("sort", "quantile axis=1 f32[256,1024]", lambda x: jnp.quantile(x, 0.3, axis=1), normal(256, 1024))


def windows():
    for axis in (0, 1):
        row("window", f"cumsum axis={axis} f32[1024,1024]", lambda x: jnp.cumsum(x, axis), normal(1024, 1024))
    row("window", "cumsum f32[65536]", jnp.cumsum, normal(65536))
    row("window", "cumsum i32[65536]", jnp.cumsum, integers(65536, high=100))
    row("window", "cummax axis=1 f32[1024,1024]", lambda x: lax.cummax(x, 1), normal(1024, 1024))
    row("window", "cumprod f32[65536]", jnp.cumprod, uniform(65536, low=0.99, high=1.01))
    row("window", "cumlogsumexp f32[65536]", lax.cumlogsumexp, normal(65536))
    row("window", "associative_scan f32[65536]", lambda x: lax.associative_scan(lambda a, b: a * 0.5 + b, x), normal(65536))
    image = normal(8, 56, 56, 64)
    pool = lambda x, init, op, n, s, p: lax.reduce_window(x, init, op, (1, n, n, 1), (1, s, s, 1), p)
    row("window", "max pool 2x2 f32[8,56,56,64]", lambda x: pool(x, -np.inf, lax.max, 2, 2, "VALID"), image)
    row("window", "max pool 3x3/2 f32[8,112,112,64]", lambda x: pool(x, -np.inf, lax.max, 3, 2, "SAME"), normal(8, 112, 112, 64))
    row("window", "sum pool 3x3 f32[8,56,56,64]", lambda x: pool(x, 0.0, lax.add, 3, 1, "SAME"), image)
    row("window", "sum pool 7x7 f32[8,56,56,64]", lambda x: pool(x, 0.0, lax.add, 7, 1, "SAME"), image)
    row("window", "max pool NCHW 2x2 f32[8,64,56,56]", lambda x: lax.reduce_window(x, -np.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID"), normal(8, 64, 56, 56))
    row("window", "1d sum of 16 f32[65536]", lambda x: lax.reduce_window(x, 0.0, lax.add, (16,), (1,), "SAME"), normal(65536))
    row("window", "max pool 2x2 gradient f32[8,56,56,64]", jax.grad(lambda x: pool(x, -np.inf, lax.max, 2, 2, "VALID").sum()), image)
    row("window", "max pool 3x3/2 gradient f32[8,56,56,64]", jax.grad(lambda x: pool(x, -np.inf, lax.max, 3, 2, "SAME").sum()), image)
    row("window", "mean pool 2x2 gradient f32[8,56,56,64]", jax.grad(lambda x: (pool(x, 0.0, lax.add, 2, 2, "VALID") ** 2).sum()), image)


def normalization():
    square = normal(1024, 1024)
    for axis in (0, 1):
        row("softmax", f"softmax axis={axis} f32[1024,1024]", lambda x: jax.nn.softmax(x, axis), square)
        row("softmax", f"log_softmax axis={axis} f32[1024,1024]", lambda x: jax.nn.log_softmax(x, axis), square)
    row("softmax", "softmax f32[64,10]", jax.nn.softmax, normal(64, 10))
    row("softmax", "softmax bf16[1024,1024]", jax.nn.softmax, normal(1024, 1024, dtype=BF16))
    row("softmax", "softmax axis=1 f32[8,256,256]", lambda x: jax.nn.softmax(x, 1), normal(8, 256, 256))
    row("softmax", "softmax gradient f32[1024,1024]", jax.grad(lambda x: (jax.nn.softmax(x) ** 2).sum()), square)
    row("softmax", "cross entropy gradient f32[1024,1000]", jax.grad(lambda x, i: -jnp.take_along_axis(jax.nn.log_softmax(x), i, 1).mean()), normal(1024, 1000), integers(1024, 1, high=1000))

    def layer_norm(x, scale, bias, axis=-1):
        mean = x.mean(axis, keepdims=True)
        variance = ((x - mean) ** 2).mean(axis, keepdims=True)
        return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + bias

    weights = normal(1024), normal(1024, seed=1)
    row("softmax", "layer norm f32[1024,1024]", layer_norm, square, *weights)
    row("softmax", "layer norm gradient f32[1024,1024]", jax.grad(lambda *a: (layer_norm(*a) ** 2).sum(), (0, 1, 2)), square, *weights)
    row("softmax", "layer norm f32[32768,32]", layer_norm, normal(32768, 32), normal(32), normal(32))
    row("softmax", "batch norm f32[8,56,56,64]", lambda x, s, b: layer_norm(x, s, b, (0, 1, 2)), normal(8, 56, 56, 64), normal(64), normal(64))
    row("softmax", "rms norm bf16[1024,1024]", lambda x: x * lax.rsqrt((x.astype(F32) ** 2).mean(-1, keepdims=True) + 1e-6).astype(BF16), normal(1024, 1024, dtype=BF16))


def dots():
    def product(name, a, b, function=jnp.matmul, dtype=F32, **options):
        high = 100 if dtype == I8 or dtype == I32 else None
        make = (lambda *s, seed: integers(*s, high=high, dtype=dtype, seed=seed)) if high else functools.partial(normal, dtype=dtype)
        row("dot", name, function, make(*a, seed=0), make(*b, seed=1), **options)

    for n in (4, 16, 64, 128, 256, 512):
        product(f"f32 {n}x{n}x{n}", (n, n), (n, n))
    product("f32 64x784x128", (64, 784), (784, 128))
    product("f32 1x1024x1024", (1, 1024), (1024, 1024))
    product("f32 vector.vector 64K", (65536,), (65536,))
    product("f32 matrix.vector 1024", (1024, 1024), (1024,))
    product("f32 vector.matrix 1024", (1024,), (1024, 1024))
    product("f32 matrix.vector 64x32", (64, 32), (32,))
    product("f32 A^T B 512", (512, 512), (512, 512), lambda a, b: a.T @ b)
    product("f32 A B^T 512", (512, 512), (512, 512), lambda a, b: a @ b.T)
    product("f32 4096x64x64", (4096, 64), (64, 64))
    product("f32 64x4096x64", (64, 4096), (4096, 64))
    product("f32 1024x8x1024", (1024, 8), (8, 1024))
    product("f32 batch 64 of 8x8", (64, 8, 8), (64, 8, 8))
    product("f32 batch 1024 of 4x4", (1024, 4, 4), (1024, 4, 4))
    product("f32 batch 64 of 32x32", (64, 32, 32), (64, 32, 32))
    product("f32 batch 64 of 64x64 . 64", (64, 64, 64), (64, 64), lambda a, b: jnp.einsum("bij,bj->bi", a, b))
    product("f32 batch 4096 dots of 16", (4096, 16), (4096, 16), lambda a, b: jnp.einsum("bi,bi->b", a, b))
    product("f32 attention scores 8x8x128x64", (8, 128, 8, 64), (8, 128, 8, 64), lambda q, k: jnp.einsum("bqhd,bkhd->bhqk", q, k))
    product("f32 attention values 8x8x128x64", (8, 8, 128, 128), (8, 128, 8, 64), lambda p, v: jnp.einsum("bhqk,bkhd->bqhd", p, v))
    product("f32 relu(x w + b) 256", (256, 256), (256, 256), lambda x, w: jax.nn.relu(x @ w + 1))
    for n in (64, 512):
        product(f"bf16 {n}", (n, n), (n, n), dtype=BF16)
        product(f"f16 {n}", (n, n), (n, n), dtype=F16)
        product(f"i32 {n}", (n, n), (n, n), dtype=I32)
        product(f"i8 to i32 {n}", (n, n), (n, n), functools.partial(lax.dot, preferred_element_type=I32), dtype=I8)
        product(f"bf16 to f32 {n}", (n, n), (n, n), functools.partial(lax.dot, preferred_element_type=F32), dtype=BF16)
        with jax.enable_x64(True):
            product(f"f64 {n}", (n, n), (n, n), dtype=F64)
    product("bf16 matrix.vector 1024", (1024, 1024), (1024,), dtype=BF16)
    z = (normal(256, 256) + 1j * normal(256, 256, seed=1)).astype(np.complex64)
    row("dot", "c64 256", jnp.matmul, z, z)
    q = normal(4, 8, 128, 64)

    def attention(q, k, v):
        scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / 8
        return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores), v)

    row("dot", "attention f32[4,8,128,64]", attention, q, q, q)
    row("dot", "attention gradient f32[4,8,128,64]", jax.grad(lambda *a: (attention(*a) ** 2).sum(), (0, 1, 2)), q, q, q)
    x, ws = normal(64, 784), [normal(784, 256) * F32(0.05), normal(256, 10) * F32(0.05)]
    mlp = lambda ws, x: (jnp.tanh(x @ ws[0]) @ ws[1]).sum()
    row("dot", "gradient of a small network", lambda x, *ws: jax.grad(mlp)(list(ws), x), x, *ws)


def convolutions():
    def convolve(x, w, spec, **options):
        return lax.conv_general_dilated(x, w, options.pop("strides", (1,) * (x.ndim - 2)), options.pop("padding", "SAME"), dimension_numbers=spec, **options)

    def both(name, x, w, spec, **options):
        f = lambda x, w: convolve(x, w, spec, **dict(options))
        row("conv", name, f, x, w)
        row("conv", f"{name}, gradients", jax.grad(lambda x, w: (f(x, w) ** 2).sum(), (0, 1)), x, w)

    two, one, three = ("NHWC", "HWIO", "NHWC"), ("NHC", "HIO", "NHC"), ("NDHWC", "DHWIO", "NDHWC")
    scale = F32(0.05)
    both("1d 64>64 of 9, f32[8,1024]", normal(8, 1024, 64), normal(9, 64, 64) * scale, one)
    both("1d causal 1>1 of 16, f32[32,4096]", normal(32, 4096, 1), normal(16, 1, 1) * scale, one)
    both("3x3 3>64/2, f32[8,112,112]", normal(8, 112, 112, 3), normal(3, 3, 3, 64) * scale, two, strides=(2, 2))
    both("3x3 1>16, f32[64,28,28]", normal(64, 28, 28, 1), normal(3, 3, 1, 16) * scale, two)
    both("3x3 64>64, f32[8,28,28]", normal(8, 28, 28, 64), normal(3, 3, 64, 64) * scale, two)
    both("1x1 256>64, f32[8,28,28]", normal(8, 28, 28, 256), normal(1, 1, 256, 64) * scale, two)
    both("5x5 32>32, f32[8,28,28]", normal(8, 28, 28, 32), normal(5, 5, 32, 32) * scale, two)
    both("depthwise 3x3 64, f32[8,28,28]", normal(8, 28, 28, 64), normal(3, 3, 1, 64), two, feature_group_count=64)
    both("grouped by 4 3x3 64, f32[8,28,28]", normal(8, 28, 28, 64), normal(3, 3, 16, 64), two, feature_group_count=4)
    both("dilated 3x3 32>32, f32[8,28,28]", normal(8, 28, 28, 32), normal(3, 3, 32, 32) * scale, two, rhs_dilation=(2, 2))
    both("transposed 3x3 32>32, f32[8,28,28]", normal(8, 28, 28, 32), normal(3, 3, 32, 32) * scale, two, lhs_dilation=(2, 2), padding=((1, 2), (1, 2)))
    both("3d 3x3x3 16>16, f32[2,16,32,32]", normal(2, 16, 32, 32, 16), normal(3, 3, 3, 16, 16) * scale, three)
    both("NCHW 3x3 64>64, f32[8,28,28]", normal(8, 64, 28, 28), normal(64, 64, 3, 3) * scale, ("NCHW", "OIHW", "NCHW"))
    both("bf16 3x3 64>64, [8,28,28]", normal(8, 28, 28, 64, dtype=BF16), (normal(3, 3, 64, 64) * scale).astype(BF16), two)
    row("conv", "jnp.convolve f32[65536] of 64", lambda x, w: jnp.convolve(x, w), normal(65536), normal(64))


def transforms():
    z = lambda *s: (normal(*s) + 1j * normal(*s, seed=1)).astype(np.complex64)
    for n in (16, 64, 256, 1000, 1024, 1009, 4096, 65536, 1 << 20):
        row("fft", f"fft c64[{n}]", jnp.fft.fft, z(n))
    for n, batch in ((64, 1024), (256, 256), (1024, 64), (1000, 64), (1009, 16)):
        row("fft", f"fft c64[{batch},{n}]", jnp.fft.fft, z(batch, n))
    for n in (1024, 65536):
        row("fft", f"rfft f32[{n}]", jnp.fft.rfft, normal(n))
        row("fft", f"irfft f32[{n}]", lambda x: jnp.fft.irfft(x), z(n // 2 + 1))
    row("fft", "rfft f32[256,512]", jnp.fft.rfft, normal(256, 512))
    row("fft", "fft2 c64[256,256]", jnp.fft.fft2, z(256, 256))
    row("fft", "fft2 c64[16,64,64]", jnp.fft.fft2, z(16, 64, 64))
    row("fft", "fftn c64[32,32,32]", jnp.fft.fftn, z(32, 32, 32))
    row("fft", "ifft axis=0 c64[1024,64]", lambda x: jnp.fft.ifft(x, axis=0), z(1024, 64))
    with jax.enable_x64(True):
        row("fft", "fft c128[4096]", jnp.fft.fft, z(4096).astype(np.complex128))


def linear_algebra():
    def spd(*shape, dtype=F32):
        a = normal(*shape, dtype=dtype)
        return (a @ a.swapaxes(-1, -2) / shape[-1] + np.eye(shape[-1])).astype(dtype)

    for n in (8, 64, 256, 1000):
        s, a = spd(n, n), normal(n, n) + n ** 0.5 * np.eye(n, dtype=F32)
        row("linalg", f"cholesky {n}", jnp.linalg.cholesky, s)
        row("linalg", f"solve {n}", jnp.linalg.solve, a, normal(n))
        row("linalg", f"inv {n}", jnp.linalg.inv, a)
        row("linalg", f"lu {n}", jsl.lu_factor, a)
        row("linalg", f"triangular solve {n}", lambda a, b: jsl.solve_triangular(a, b, lower=True), np.tril(s), normal(n, n))
        row("linalg", f"det {n}", lambda a: jnp.linalg.slogdet(a), a)
    for n in (8, 64, 256):
        s, a = spd(n, n), normal(n, n)
        row("linalg", f"qr {n}", jnp.linalg.qr, a)
        row("linalg", f"eigh {n}", jnp.linalg.eigvalsh, s)
        row("linalg", f"eigh with vectors {n}", jnp.linalg.eigh, s, check=False)
        row("linalg", f"svd {n}", lambda a: jnp.linalg.svd(a, compute_uv=False), a)
        row("linalg", f"svd with vectors {n}", jnp.linalg.svd, a, check=False)
    row("linalg", "qr 1000x50", jnp.linalg.qr, normal(1000, 50))
    row("linalg", "cholesky 256 of 16", jnp.linalg.cholesky, spd(256, 16, 16))
    row("linalg", "solve 256 of 16", jnp.linalg.solve, normal(256, 16, 16) + 4 * np.eye(16, dtype=F32), normal(256, 16, 1))
    row("linalg", "inv 256 of 4", jnp.linalg.inv, normal(256, 4, 4) + 4 * np.eye(4, dtype=F32))
    row("linalg", "eigh 256 of 8", jnp.linalg.eigvalsh, spd(256, 8, 8))
    row("linalg", "svd 64 of 16x8", lambda a: jnp.linalg.svd(a, compute_uv=False), normal(64, 16, 8))
    row("linalg", "expm 64", jsl.expm, normal(64, 64) * F32(0.1))
    row("linalg", "pinv 64", jnp.linalg.pinv, normal(64, 32))
    row("linalg", "lstsq 1000x20", lambda a, b: jnp.linalg.lstsq(a, b)[0], normal(1000, 20), normal(1000))
    row("linalg", "cholesky gradient 64", jax.grad(lambda a: jnp.linalg.cholesky(a).sum()), spd(64, 64))
    row("linalg", "eig 64", jnp.linalg.eigvals, normal(64, 64), check=False)
    with jax.enable_x64(True):
        row("linalg", "cholesky f64 256", jnp.linalg.cholesky, spd(256, 256, dtype=F64))
        row("linalg", "eigh f64 256", jnp.linalg.eigvalsh, spd(256, 256, dtype=F64))


def random():
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
        ("dirichlet [1024] of 8", lambda k: jax.random.dirichlet(k, jnp.ones(8), (1024,))),
        ("multivariate_normal [1024] of 8", lambda k: jax.random.multivariate_normal(k, jnp.zeros(8), jnp.eye(8), (1024,))),
        ("split 1000", lambda k: jax.random.key_data(jax.random.split(k, 1000))),
        ("fold_in 1000 times", lambda k: jax.random.key_data(jax.vmap(lambda i: jax.random.fold_in(k, i))(jnp.arange(1000)))),
    ):
        row("random", name, wrap(function), key)
    philox = np.asarray(jax.random.key_data(jax.random.key(0, impl="rbg")))
    row("random", "rbg uniform [1M]", lambda k: jax.random.uniform(jax.random.wrap_key_data(k, impl="rbg"), (1 << 20,)), philox, check=False)


def control_flow():
    x, w = normal(64), normal(64, 64) * F32(0.1)
    cell = lambda w: lambda c, x: ((c2 := jnp.tanh(w @ c + x)), c2)
    row("control", "while to 10000, i32", lambda n: lax.while_loop(lambda i: i < n, lambda i: i + 1, 0), I32(10000))
    row("control", "while Newton f32[1024]", lambda x: lax.while_loop(lambda s: s[0] < 20, lambda s: (s[0] + 1, s[1] - (s[1] ** 2 - 2) / (2 * s[1])), (0, x))[1], uniform(1024, low=1, high=2))
    row("control", "fori 100 of matrix.vector 64", lambda w, x: lax.fori_loop(0, 100, lambda i, c: jnp.tanh(w @ c), x), w, x)
    row("control", "fori 100 of 256x256 products", lambda w: lax.fori_loop(0, 100, lambda i, c: c @ w, w), normal(256, 256) * F32(0.05))
    row("control", "scan 1000 of f32[8] with outputs", lambda x: lax.scan(lambda c, _: (c * 0.99 + 0.1, c), x, None, length=1000), normal(8))
    row("control", "scan RNN 100 steps of 64", lambda w, x, xs: lax.scan(cell(w), x, xs), w, x, normal(100, 64))
    row("control", "scan RNN 100 steps of 32x64", lambda w, x, xs: lax.scan(lambda c, x: ((c2 := jnp.tanh(c @ w + x)), c2), x, xs), w, normal(32, 64), normal(100, 32, 64))
    row("control", "scan RNN 100 steps of 64, gradient", jax.grad(lambda w, x, xs: lax.scan(cell(w), x, xs)[1].sum()), w, x, normal(100, 64))
    row("control", "scan RNN 100 steps of 32x64, gradient", jax.grad(lambda w, x, xs: lax.scan(lambda c, x: ((c2 := jnp.tanh(c @ w + x)), c2), x, xs)[1].sum()), w, normal(32, 64), normal(100, 32, 64))
    row("control", "scan with keys 1000 steps", lambda k: lax.scan(lambda k, _: (jax.random.split(k)[0], jax.random.uniform(k)), k, None, length=1000), np.array([0, 1], np.uint32))
    row("control", "cond f32[1024]", lambda p, x: lax.cond(p > 0, jnp.sin, jnp.cos, x), F32(1), normal(1024))
    row("control", "switch of 4 in scan of 1000", lambda x: lax.scan(lambda c, i: (lax.switch(i % 4, [lambda c: c + 1, lambda c: c * 2, jnp.sin, jnp.tanh], c), None), x, jnp.arange(1000))[0], normal(8))
    row("control", "scan updating f32[1000] slices", lambda x: lax.fori_loop(0, 1000, lambda i, a: a.at[i].set(a[i - 1] * 0.5 + 1), x), normal(1000))
    row("control", "vmap(while) f32[256]", jax.vmap(lambda x: lax.while_loop(lambda v: v < 100, lambda v: v * 1.5 + 1, x)), uniform(256))
    row("control", "ODE RK4 1000 steps of 3", lambda y: lax.scan(rk4, y, None, length=1000)[0], np.array([1, 1, 1], F32))
    row("control", "vmap ODE RK4 1000 steps of 3 x 256", jax.vmap(lambda y: lax.scan(rk4, y, None, length=1000)[0]), uniform(256, 3))
    row("control", "map of 100 softmaxes", lambda x: lax.map(jax.nn.softmax, x), normal(100, 256))
    row("control", "vmap(grad(f)) f32[1024,16]", jax.vmap(jax.grad(lambda x: jnp.sin(x).prod())), normal(1024, 16))
    row("control", "jacfwd f32[32]", jax.jacfwd(lambda x: jnp.tanh(x * x[::-1])), normal(32))
    row("control", "hessian f32[16]", jax.hessian(lambda x: jnp.sum(x**3) * jnp.prod(jnp.cos(x))), normal(16))


def rk4(y, _, dt=0.001):
    def lorenz(y):
        return jnp.stack([10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]])

    a = lorenz(y)
    b = lorenz(y + dt / 2 * a)
    c = lorenz(y + dt / 2 * b)
    d = lorenz(y + dt * c)
    return y + dt / 6 * (a + 2 * b + 2 * c + d), None


FAMILIES = (
    elementwise, reductions, movement, indexing, sorting, windows, normalization, dots, convolutions, transforms,
    linear_algebra, random, control_flow,
)  # fmt: skip


# ---- Report ---------------------------------------------------------------------------------------------------------


def summarize(markdown):
    measured = [r for r in ROWS if "ratio" in r]
    lines = ["| family | rows | slower than XLA:CPU | median ratio | worst |", "| --- | --- | --- | --- | --- |"]
    for family in dict.fromkeys(r["family"] for r in measured):
        rows = [r for r in measured if r["family"] == family]
        worst = max(rows, key=lambda r: r["ratio"])
        slower = sum(r["ratio"] > 1 for r in rows)
        median = statistics.median(r["ratio"] for r in rows)
        lines.append(f"| {family} | {len(rows)} | {slower} | {median:.2f} | {worst['ratio']:.2f}, {worst['name']} |")
    lines += ["", "| slower | millrace us | XLA:CPU us | ratio |", "| --- | --- | --- | --- |"]
    for r in sorted((r for r in measured if r["ratio"] > 1), key=lambda r: -r["ratio"]):
        lines.append(f"| {r['family']}: {r['name']} | {r['ours_us']:.1f} | {r['xla_us']:.1f} | {r['ratio']:.2f} |")
    text = "\n".join(lines)
    print(text)
    if markdown:
        with open(markdown, "w") as file:
            file.write(text + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="rows whose 'family: name' this finds")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow", action="store_true", help="print only what is slower or differs")
    parser.add_argument("--markdown", help="write the two tables of the end there as well")
    parser.add_argument("--json", help="write the rows there")
    ARGUMENTS = parser.parse_args()
    for family in FAMILIES:
        family()
    summarize(ARGUMENTS.markdown)
    if ARGUMENTS.json:
        with open(ARGUMENTS.json, "w") as file:
            json.dump(ROWS, file, indent=1)
    wrong = [r["name"] for r in ROWS if r.get("same") is False or "error" in r]
    if wrong:
        sys.exit(f"{len(wrong)} rows failed or differ: {', '.join(wrong)}")
