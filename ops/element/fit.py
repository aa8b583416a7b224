#!/usr/bin/env python3
"""Computes every polynomial in ops/element/coef.h.

    pip install mpmath gmpy2 && python3 ops/element/fit.py > ops/element/coef.h

Each polynomial is a weighted minimax fit (Lawson's reweighted least squares on Chebyshev nodes, in 60-digit
arithmetic). Coefficients are then rounded to the target type one at a time, lowest power first, and the rest refitted
around the rounded ones, so the rounding of early coefficients is absorbed by the later ones. `weight` turns the error
of the polynomial into the error of the function that uses it; the figure in each comment is log2 of the largest
weighted error, that is the relative error the approximation itself adds.
"""
import sys
from mpmath import mp, mpf, matrix, lu_solve, cos, pi, log, exp, erf, erfc, sqrt, sin, tan, atan, asin, cbrt

mp.prec = 260


def round_to(value, bits):
    """Rounds to `bits` of significand (exponent range is never an issue for coefficients)."""
    if value == 0:
        return mpf(0)
    m, e = mp.frexp(value)
    return mp.ldexp(mp.nint(mp.ldexp(m, bits)), int(e) - bits)


def hexfloat(value, bits):
    suffix = "f" if bits == 24 else ""
    return float(value).hex().replace("0x1.0000000000000p", "0x1p").replace("p+", "p") + suffix if bits != 24 else \
        trim(float(value).hex()) + "f"


def trim(text):
    mantissa, exponent = text.split("p")
    return mantissa.rstrip("0").rstrip(".") + "p" + str(int(exponent))


def solve(xs, ws, fs, powers, var):
    n = len(powers)
    rows = [[w * var(x) ** p for p in powers] for x, w in zip(xs, ws)]
    a = matrix(n, n)
    b = matrix(n, 1)
    for i in range(n):
        for j in range(i, n):
            a[i, j] = a[j, i] = mp.fsum(r[i] * r[j] for r in rows)
        b[i] = mp.fsum(r[i] * w * f for r, w, f in zip(rows, ws, fs))
    return list(lu_solve(a, b))


def fit(f, weight, lo, hi, degree, bits, var=lambda x: x, lawson=10):
    """Returns the coefficients of the polynomial in var(x), and log2 of its largest weighted error."""
    powers = list(range(degree + 1))
    count = 5 * (degree + 2)
    lo, hi = mpf(lo), mpf(hi)
    xs = [(lo + hi) / 2 + (hi - lo) / 2 * cos(pi * (i + mpf(1) / 2) / count) for i in range(count)]
    fs = [f(x) for x in xs]
    base = [weight(x) for x in xs]
    lw = [mpf(1)] * count
    for _ in range(lawson):
        c = solve(xs, [b * sqrt(l) for b, l in zip(base, lw)], fs, powers, var)
        err = [abs(b * (mp.polyval(c[::-1], var(x)) - y)) for b, x, y in zip(base, xs, fs)]
        top = max(err)
        lw = [l * (e / top + mpf("1e-3")) for l, e in zip(lw, err)]
        s = mp.fsum(lw) / count
        lw = [l / s for l in lw]
    ws = [b * sqrt(l) for b, l in zip(base, lw)]
    done = []
    rest = c
    while True:
        done.append(round_to(rest[0], bits))
        k = len(done)
        if k > degree:
            break
        fr = [y - mp.polyval(done[::-1], var(x)) for x, y in zip(xs, fs)]
        rest = solve(xs, ws, fr, powers[k:], var)
    err = max(abs(b * (mp.polyval(done[::-1], var(x)) - y)) for b, x, y in zip(base, xs, fs))
    return done, float(log(err, 2))


def emit(name, bits, what, result):
    """Writes one Horner evaluation as an inline function."""
    coefs, err = result
    ctype, suffix = ("float", "f32") if bits == 24 else ("double", "f64")
    print(f"// {what}; 2^{err:.1f}")
    print(f"EL_INLINE {ctype} el_poly_{name}({ctype} x) {{")
    print(f"  {ctype} p = {hexfloat(coefs[-1], bits)};")
    for c in coefs[-2::-1]:
        print(f"  p = mr_el_fma_{suffix}(p, x, {hexfloat(c, bits)});")
    print("  return p;\n}\n")
    sys.stdout.flush()


def sq(x):
    return x * x


def near0(f, series):
    """f with its removable singularity at 0 replaced by a limit taken at high precision."""
    def g(x):
        if abs(x) < mpf("1e-40"):
            return mpf(series)
        mp.prec += 200
        try:
            return +f(x)
        finally:
            mp.prec -= 200
    return g


LN2_2 = log(2) / 2
SQRT2 = sqrt(mpf(2))


def exp_fits():
    q = near0(lambda r: (mp.expm1(r) - r) / r**2, 0.5)
    for bits, degree in ((24, 4), (53, 9)):
        t = "f32" if bits == 24 else "f64"
        emit(f"exp_{t}", bits, "(e^r - 1 - r)/r^2, |r| <= ln2/2, relative to e^r - 1",
             fit(q, lambda r: abs(r) if r else mpf(0), -LN2_2 * 1.0001, LN2_2 * 1.0001, degree, bits))
    # pow_f32 works in double but needs only about 2^-30 here.
    emit("exp2_pow_f32", 53, "2^f, |f| <= 1/2, relative",
         fit(lambda f: mpf(2)**f, lambda f: mpf(2)**-f, -0.5, 0.5, 7, 53))


def log_fits():
    p = near0(lambda f: (mp.log1p(f) - f + f * f / 2) / f**3, mpf(1) / 3)
    emit("log_f32", 24, "(log(1+f) - f + f^2/2)/f^3, sqrt(1/2) <= 1+f <= sqrt(2), relative to log(1+f)",
         fit(p, lambda f: f * f, 1 / SQRT2 - 1, SQRT2 - 1, 7, 24))
    a = near0(lambda s: (2 * mp.atanh(s) / s - 2) / s**2, mpf(2) / 3)
    emit("log_f64", 53, "(2 atanh(s)/s - 2)/s^2 in s^2, |s| <= 0.1716, relative to atanh(s)",
         fit(a, lambda s: s**2 / 2, 1e-9, 0.17158, 6, 53, sq))
    b = near0(lambda s: (a(s) - mpf(2) / 3 - mpf(2) / 5 * s**2) / s**4, mpf(2) / 7)
    emit("log_pow_f64", 53, "(2 atanh(s)/s - 2 - 2/3 s^2 - 2/5 s^4)/s^6 in s^2, |s| <= 0.1716, relative to atanh(s)",
         fit(b, lambda s: s**6 / 2, 1e-9, 0.17158, 6, 53, sq))
    r = near0(lambda s: (mp.atanh(s) * 2 / log(mpf(2)) / s), 2 / log(mpf(2)))
    emit("log2_pow_f32", 53, "2 atanh(s)/(s ln2) in s^2, |s| <= 0.1716, relative",
         fit(r, lambda s: 1, 1e-9, 0.17158, 5, 53, sq))


def trig_fits():
    top = pi / 4 * mpf("1.0001")
    s = near0(lambda x: (sin(x) - x) / x**3, -mpf(1) / 6)
    c = near0(lambda x: (cos(x) - 1 + x * x / 2) / x**4, mpf(1) / 24)
    # The f32 functions compute these in double: 2^-34 is enough.
    for t, ds, dc in (("f32", 3, 2), ("f64", 5, 5)):
        bits = 53
        emit(f"sin_{t}", bits, "(sin r - r)/r^3 in r^2, |r| <= pi/4, relative to sin r",
             fit(s, lambda x: x**2, 1e-6, top, ds, bits, sq))
        emit(f"cos_{t}", bits, "(cos r - 1 + r^2/2)/r^4 in r^2, |r| <= pi/4, relative to cos r",
             fit(c, lambda x: x**4 / cos(x), 1e-6, top, dc, bits, sq))


def erf_fits():
    def h(x):
        return -log(erfc(x)) / x - 1
    for bits, top, degree in ((24, 4, 10), (53, 6, 24)):
        t = "f32" if bits == 24 else "f64"
        emit(f"erf_{t}", bits, f"-log(1 - erf x)/x - 1, 0 <= x <= {top}, relative to erf x",
             fit(h, lambda x: x * erfc(x) / erf(x), 1e-6, top, degree, bits))

    def g(t):
        x = 3 * (1 + t) / (1 - t)
        return exp(x * x) * erfc(x) * (1 + 2 * x)

    def h_of_g(t):
        return (g(t) - 1) / (1 + t)
    for bits, top, degree in ((24, mpf("10.1"), 11), (53, mpf("27.3"), 24)):
        t = "f32" if bits == 24 else "f64"
        emit(f"erfcx_{t}", bits, "(G - 1)/(1 + t), G = (1 + 2x) e^(x^2) erfc(x), t = (x-3)/(x+3), x >= 0, relative to G",
             fit(h_of_g, lambda t: (1 + t) / g(t), -1 + mpf("1e-9"), (top - 3) / (top + 3), degree, bits))


def erf_inv_fits():
    def p(w):
        x = sqrt(-mp.expm1(-w))
        return mp.erfinv(x) / x
    near = near0(p, sqrt(pi) / 2)
    for bits, top, center in ((24, mpf("17.4"), 3), (53, mpf("37.5"), 4)):
        t = "f32" if bits == 24 else "f64"
        emit(f"erf_inv_near_{t}", bits, "erf_inv(x)/x in w - 2.5, w = -log(1 - x^2) <= 5, relative",
             fit(near, lambda w: 1 / near(w), mpf("1e-12"), 5, 9, bits, lambda w: w - mpf(2.5), 4))
        emit(f"erf_inv_far_{t}", bits, f"erf_inv(x)/x in sqrt(w) - {center}, w >= 5, relative",
             fit(lambda s: p(s * s), lambda s: 1 / p(s * s), sqrt(mpf(5)), sqrt(top), 10, bits, lambda s: s - center, 4))


def gamma_fits():
    lg = near0(lambda e: mp.loggamma(2 + e) / e, 1 - mp.euler)
    emit("lgamma_f64", 53, "lgamma(2 + e)/e, |e| <= 1/2, relative",
         fit(lg, lambda e: 1 / lg(e), -0.5, 0.5, 18, 53, lawson=3))

    def stirling(y):
        x = 1 / y
        return (mp.loggamma(x) - ((x - mpf(0.5)) * log(x) - x + log(2 * pi) / 2)) * x
    emit("stirling_f64", 53, "x (lgamma x - (x - 1/2) log x + x - log(2 pi)/2) in 1/x^2, x >= 8, absolute in lgamma",
         fit(stirling, lambda y: y, 1e-6, mpf(1) / 8, 6, 53, sq, 3))

    def tail(y):
        return (-log(y) - y / 2 - mp.digamma(1 / y)) / (y * y)
    emit("digamma_f64", 53, "x^2 (log x - 1/(2x) - digamma x) in 1/x^2, x >= 8, absolute in digamma",
         fit(tail, lambda y: y * y, 1e-5, mpf(1) / 8, 7, 53, sq, 3))
    s = near0(lambda t: (sin(pi * t) / t - pi) / t**2, -pi**3 / 6)
    emit("sinpi_f64", 53, "(sin(pi t)/t - pi)/t^2 in t^2, |t| <= 1/2, relative to sin(pi t)",
         fit(s, lambda t: t**3 / sin(pi * t), 1e-6, 0.5, 7, 53, sq, 3))


def bessel_fits():
    def i1e(x):
        return exp(-x) * mp.besseli(1, x)
    small = near0(lambda x: i1e(x) / x, mpf(1) / 2)
    emit("i1e_small_f64", 53, "e^-x I1(x)/x in x/4 - 1, 0 <= x <= 8, relative",
         fit(small, lambda x: 1 / small(x), 1e-12, 8, 28, 53, lambda x: x / 4 - 1, 2))
    emit("i1e_large_f64", 53, "e^-x I1(x) sqrt(x) in 16/x - 1, x >= 8, relative",
         fit(lambda y: i1e(1 / y) / sqrt(y), lambda y: sqrt(y) / i1e(1 / y), mpf("1e-6"), mpf(1) / 8, 22, 53,
             lambda y: 16 * y - 1, 2))


def hyperbolic_fits():
    t = near0(lambda x: (mp.tanh(x) - x) / x**3, -mpf(1) / 3)
    emit("tanh_f32", 24, "(tanh x - x)/x^3 in x^2, |x| <= 0.6, relative to tanh x",
         fit(t, lambda x: x**2, 1e-6, 0.6, 4, 24, sq))
    s = near0(lambda x: (mp.sinh(x) - x) / x**3, mpf(1) / 6)
    c = near0(lambda x: (mp.cosh(x) - 1) / x**2, mpf(1) / 2)
    for bits, ds, dc in ((24, 2, 2), (53, 5, 5)):
        t = "f32" if bits == 24 else "f64"
        emit(f"sinh_{t}", bits, "(sinh r - r)/r^3 in r^2, |r| <= ln2/2, relative to sinh r",
             fit(s, lambda x: x**2, 1e-6, LN2_2 * 1.0001, ds, bits, sq))
        emit(f"cosh_{t}", bits, "(cosh r - 1)/r^2 in r^2, |r| <= ln2/2, relative to cosh r",
             fit(c, lambda x: x**2, 1e-6, LN2_2 * 1.0001, dc, bits, sq))


def inverse_trig_fits():
    s = near0(lambda x: (asin(x) - x) / x**3, mpf(1) / 6)
    t = near0(lambda x: (atan(x) - x) / x**3, -mpf(1) / 3)
    # The f32 functions compute these in double: 2^-34 is enough.
    for name, ds, dt in (("f32", 6, 10), ("f64", 12, 19)):
        bits = 53
        emit(f"asin_{name}", bits, "(asin x - x)/x^3 in x^2, |x| <= 1/2, relative to asin x",
             fit(s, lambda x: x**3 / asin(x), 1e-6, 0.50001, ds, bits, sq))
        emit(f"atan_{name}", bits, "(atan x - x)/x^3 in x^2, |x| <= 1, relative to atan x",
             fit(t, lambda x: x**3 / atan(x), 1e-6, 1, dt, bits, sq))


FITS = {
    "exp": exp_fits,
    "log": log_fits,
    "trig": trig_fits,
    "erf": erf_fits,
    "erf_inv": erf_inv_fits,
    "gamma": gamma_fits,
    "bessel": bessel_fits,
    "hyperbolic": hyperbolic_fits,
    "inverse_trig": inverse_trig_fits,
}

if __name__ == "__main__":
    print("// Polynomials for the element functions. Generated by ops/element/fit.py; do not edit.")
    print("// After each description: log2 of the largest relative error the approximation adds.")
    print("#ifndef MR_OPS_ELEMENT_COEF_H\n#define MR_OPS_ELEMENT_COEF_H\n")
    print('#include "ops/element/element.h"\n')
    for key in (sys.argv[1:] or FITS):
        FITS[key]()
    print("#endif")
