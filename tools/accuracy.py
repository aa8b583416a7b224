#!/usr/bin/env python3
"""Largest error of every math function on millrace and on XLA:CPU, against a reference that is exact enough.

    ./dev accuracy [-- --only REGEX] [--points 24] [--markdown FILE]

bf16 and f16: every bit pattern. f32: 2^points patterns, an odd stride apart, so every exponent and both signs are
there; functions of two arguments: as many pairs, of which half are random patterns and half of ordinary size. The reference is
the f64 C library (or SciPy), and the worst answers of each side are judged again by MPFR where gmpy2 has the function.

The error is |answer - exact| in units of the last place of the exact result (0.5 is correct rounding). A NaN or an
infinity that should not be one, or the other way round, is an infinite error. Left out are f32 and bf16 inputs and exact
results that are subnormal: both platforms count those as zero.
"""

import argparse
import os
import re
import sys

os.environ.setdefault("JAX_PLATFORMS", "millrace,cpu")

import gmpy2
import jax
import jax.numpy as jnp
import numpy as np
import scipy.special as sp
from jax import lax

OURS, XLA = jax.devices("millrace")[0], jax.devices("cpu")[0]
BLOCK = 1 << 20
RECHECKED = 64
CONTEXT = gmpy2.context(precision=200, emax=1 << 20, emin=-(1 << 20))


# ---- Functions ------------------------------------------------------------------------------------------------------


def logistic64(x):
    return np.where(x < 0, np.exp(np.minimum(x, 0)) / (1 + np.exp(np.minimum(x, 0))), 1 / (1 + np.exp(-np.maximum(x, 0))))


def mp_erf_inv(x):
    """Newton's method from SciPy's f64 answer."""
    y = gmpy2.mpfr(float(sp.erfinv(float(x))))
    for _ in range(4):
        y -= (gmpy2.erf(y) - x) * gmpy2.sqrt(gmpy2.const_pi()) / 2 * gmpy2.exp(y * y)
    return y


def lgamma64(x):
    return np.where(np.isinf(x), np.inf, sp.gammaln(x))


def digamma64(x):
    """At a pole there is no value: NaN, as the specification of CHLO has it."""
    return np.where((x <= 0) & (x == np.floor(x)), np.nan, sp.digamma(x))


def mp_logistic(x):
    return 1 / (1 + gmpy2.exp(-x))


def mp_pow(x, y):
    return x**y


# name: (JAX, f64 reference, MPFR reference or None)
UNARY = {
    "exp": (lax.exp, np.exp, gmpy2.exp),
    "exp2": (lax.exp2, np.exp2, gmpy2.exp2),
    "expm1": (lax.expm1, np.expm1, gmpy2.expm1),
    "log": (lax.log, np.log, gmpy2.log),
    "log1p": (lax.log1p, np.log1p, gmpy2.log1p),
    "log2": (jnp.log2, np.log2, gmpy2.log2),
    "logistic": (lax.logistic, logistic64, mp_logistic),
    "sqrt": (lax.sqrt, np.sqrt, gmpy2.sqrt),
    "rsqrt": (lax.rsqrt, lambda x: 1 / np.sqrt(x), gmpy2.rec_sqrt),
    "cbrt": (lax.cbrt, np.cbrt, gmpy2.cbrt),
    "sin": (lax.sin, np.sin, gmpy2.sin),
    "cos": (lax.cos, np.cos, gmpy2.cos),
    "tan": (lax.tan, np.tan, gmpy2.tan),
    "asin": (lax.asin, np.arcsin, gmpy2.asin),
    "acos": (lax.acos, np.arccos, gmpy2.acos),
    "atan": (lax.atan, np.arctan, gmpy2.atan),
    "sinh": (lax.sinh, np.sinh, gmpy2.sinh),
    "cosh": (lax.cosh, np.cosh, gmpy2.cosh),
    "tanh": (lax.tanh, np.tanh, gmpy2.tanh),
    "asinh": (lax.asinh, np.arcsinh, gmpy2.asinh),
    "acosh": (lax.acosh, np.arccosh, gmpy2.acosh),
    "atanh": (lax.atanh, np.arctanh, gmpy2.atanh),
    "erf": (lax.erf, sp.erf, gmpy2.erf),
    "erfc": (lax.erfc, sp.erfc, gmpy2.erfc),
    "erf_inv": (lax.erf_inv, sp.erfinv, mp_erf_inv),
    "lgamma": (lax.lgamma, lgamma64, lambda x: gmpy2.lgamma(x)[0]),
    "digamma": (lax.digamma, digamma64, gmpy2.digamma),
    "bessel_i0e": (lax.bessel_i0e, sp.i0e, None),
    "bessel_i1e": (lax.bessel_i1e, sp.i1e, None),
}
BINARY = {
    "pow": (lax.pow, np.power, mp_pow),
    "atan2": (lax.atan2, np.arctan2, gmpy2.atan2),
    "rem": (lax.rem, np.fmod, gmpy2.fmod),
}

# name: (dtype, significand bits, least exponent e of a normal 2^e, exponent of the first power of two beyond)
TYPES = {
    "f32": (np.dtype(np.float32), 24, -126, 128),
    "bf16": (np.dtype(jnp.bfloat16), 8, -126, 128),
    "f16": (np.dtype(np.float16), 11, -14, 16),
}


# ---- Inputs ---------------------------------------------------------------------------------------------------------


def patterns(type_name, points):
    """Blocks of inputs of a function of one argument."""
    if type_name != "f32":
        yield (np.arange(1 << 16, dtype=np.uint16).view(TYPES[type_name][0]),)
        return
    stride = (1 << 32) // (1 << points) | 1
    count = ((1 << 32) - 1) // stride + 1
    for start in range(0, count, BLOCK):
        indices = np.minimum(np.arange(start, start + BLOCK, dtype=np.uint64), count - 1)
        yield ((indices * stride).astype(np.uint32).view(np.float32),)


def pairs(type_name, points):
    dtype = TYPES[type_name][0]
    random = np.random.default_rng(1)
    integer = np.dtype(f"u{dtype.itemsize}")
    for _ in range(max(1, (1 << points) // (2 * BLOCK))):
        yield tuple(random.integers(0, 1 << (8 * dtype.itemsize), BLOCK, dtype=np.uint64).astype(integer).view(dtype) for _ in "xy")
        sign = random.choice([-1.0, 1.0], BLOCK)
        yield tuple((np.exp(random.normal(0, 1.5, BLOCK)) * (sign if k else 1)).astype(dtype) for k in range(2))


# ---- Errors ---------------------------------------------------------------------------------------------------------


def errors(type_name, inputs, answer, exact):
    """The error of each answer; 0 where nothing is asked."""
    _, bits, least, beyond = TYPES[type_name]
    answer = answer.astype(np.float64)
    limit = 2.0**beyond
    with np.errstate(all="ignore"):
        exponent = np.frexp(np.minimum(abs(exact), limit / 2))[1] - 1
        ulp = np.ldexp(1.0, np.maximum(exponent, least) - bits + 1)
        result = abs(np.clip(answer, -limit, limit) - np.clip(exact, -limit, limit)) / ulp
    result = np.where(np.isnan(exact) | np.isnan(answer), np.where(np.isnan(exact) & np.isnan(answer), 0, np.inf), result)
    result = np.where(np.isinf(exact) & (answer != exact), np.where(np.isnan(exact), result, np.inf), result)
    if type_name != "f16":
        tiny = 2.0**least
        for x in (*inputs, exact):
            with np.errstate(invalid="ignore"):
                x = abs(x.astype(np.float64))
            result = np.where((x > 0) & (x < tiny), 0, result)
    return result


def judge_again(function, type_name, inputs, answer, exact, found):
    """The largest error by MPFR among those that looked worst, and where."""
    worst = np.argsort(found)[-RECHECKED:][::-1]
    best, where = 0.0, None
    with gmpy2.context(CONTEXT):
        for i in worst:
            if found[i] <= best:
                break
            error = found[i]
            arguments = [float(x[i]) for x in inputs]
            if function and np.isfinite(error) and np.isfinite(arguments).all() and np.isfinite(float(answer[i])):
                error = exact_error(type_name, function(*map(gmpy2.mpfr, arguments)), float(answer[i]), error)
            if error > best:
                best, where = error, (*arguments, float(answer[i]), float(exact[i]))
    return best, where


def exact_error(type_name, exact, answer, otherwise):
    _, bits, least, beyond = TYPES[type_name]
    if not gmpy2.is_finite(exact) or exact == 0 or abs(exact) >= gmpy2.exp2(beyond):
        return otherwise
    exponent = max(int(gmpy2.floor(gmpy2.log2(abs(exact)))), least)
    return float(abs(gmpy2.mpfr(answer) - exact) / gmpy2.exp2(exponent - bits + 1))


def sweep(name, type_name, points):
    """{platform: (largest error, where)}"""
    binary = name in BINARY
    function, reference, again = (BINARY if binary else UNARY)[name]
    compiled = jax.jit(function)
    best = {"millrace": (0.0, None), "XLA:CPU": (0.0, None)}
    for inputs in (pairs if binary else patterns)(type_name, points):
        with np.errstate(all="ignore"):
            exact = reference(*(x.astype(np.float64) for x in inputs))
        for platform, device in (("millrace", OURS), ("XLA:CPU", XLA)):
            answer = np.asarray(compiled(*(jax.device_put(x, device) for x in inputs)))
            found = errors(type_name, inputs, answer, exact)
            if found.max() > best[platform][0]:
                worst = judge_again(again, type_name, inputs, answer, exact, found)
                best[platform] = max(best[platform], worst, key=lambda pair: pair[0])
    return best


# ---- Report ---------------------------------------------------------------------------------------------------------


def show(error):
    return "∞" if error == np.inf else f"{error:.2f}" if error < 1e4 else f"{error:.1e}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="functions whose name this finds")
    parser.add_argument("--types", default=",".join(TYPES))
    parser.add_argument("--points", type=int, default=24, help="log2 of the number of f32 inputs")
    parser.add_argument("--markdown", help="write the table there as well")
    arguments = parser.parse_args()
    types = arguments.types.split(",")
    lines = [
        "| function | " + " | ".join(f"{t} | XLA:CPU" for t in types) + " |",
        "| --- |" + " --- | --- |" * len(types),
    ]
    worse = []
    for name in (*UNARY, *BINARY):
        if not re.search(arguments.only, name):
            continue
        cells = []
        for type_name in types:
            found = sweep(name, type_name, arguments.points)
            (ours, where), (theirs, their_place) = found["millrace"], found["XLA:CPU"]
            cells += [show(ours), show(theirs)]
            print(f"{name:10} {type_name:5} {show(ours):>9} at {where}   XLA:CPU {show(theirs):>9} at {their_place}", flush=True)
            if ours > theirs + 0.005:
                worse.append(f"{name} {type_name}")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    text = "\n".join(lines)
    print(text)
    if arguments.markdown:
        with open(arguments.markdown, "w") as file:
            file.write(text + "\n")
    if worse:
        sys.exit(f"worse than XLA:CPU: {', '.join(worse)}")


if __name__ == "__main__":
    main()
