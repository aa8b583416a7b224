"""Functions of one element, of two, conversions."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy import special as jss

from families.harness import BF16, F16, F32, F64, I8, I32, integers, normal, row, uniform


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
