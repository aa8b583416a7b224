"""Loops, branches and maps."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from families.harness import F32, I32, integers, normal, row, uniform


def rk4(y, _, dt=0.001):
    def lorenz(y):
        return jnp.stack([10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]])

    a = lorenz(y)
    b = lorenz(y + dt / 2 * a)
    c = lorenz(y + dt / 2 * b)
    d = lorenz(y + dt * c)
    return y + dt / 6 * (a + 2 * b + 2 * c + d), None


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
    collatz = lambda n: lax.while_loop(lambda s: s[0] != 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (n, 0))[1]
    row("control", "nested while, Collatz to 300", lambda n: lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, s[1] + collatz(s[0])), (1, 0))[1], I32(300))
    row("control", "nested fori 100x100 of f32[4]", lambda x: lax.fori_loop(0, 100, lambda i, c: lax.fori_loop(0, 100, lambda j, c: c * 0.99 + i * 0.01 - j * 0.02, c), x), normal(4))
    row("control", "nested scan 32x32 of f32[32]", lambda x: lax.scan(lambda c, y: lax.scan(lambda c, z: (jnp.tanh(c + y * z), None), c, x), x, x)[0], normal(32))
    row("control", "scan of 1000 steps of 3x3 f32", lambda a: lax.scan(lambda c, _: (c + 0.001 * (a @ c), None), a, None, length=1000)[0], normal(3, 3))
    row("control", "scan reverse of f32[1000,64]", lambda x: lax.scan(lambda c, y: (c * 0.9 + y, c), x[0], x, reverse=True), normal(1000, 64))
    row("control", "while with cond f32[64]", lambda x: lax.while_loop(lambda s: s[0] < 200, lambda s: (s[0] + 1, lax.cond(s[1].sum() > 0, lambda v: v - 0.1, lambda v: v * 1.1 + 0.1, s[1])), (0, x))[1], x)
    row("control", "cond f32[1M]", lambda p, x: lax.cond(p > 0, jnp.exp, lambda x: x * 2, x), F32(1), normal(1 << 20))
    row("control", "cond gradient f32[1024]", jax.grad(lambda x, p: lax.cond(p > 0, jnp.sin, jnp.cos, x).sum()), normal(1024), F32(1))
    row("control", "switch of 4 f32[1024]", lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, jnp.tanh, jnp.exp], x), I32(2), normal(1024))
    row("control", "vmap(switch) f32[4096]", jax.vmap(lambda i, x: lax.switch(i, [lambda x: x + 1, lambda x: x * 2, lambda x: x * x], x)), integers(4096, high=3), normal(4096))
    row("control", "bisection f32[4096]", lambda y: lax.fori_loop(0, 40, lambda _, s: (lambda m: (jnp.where(m**3 + m < y, m, s[0]), jnp.where(m**3 + m < y, s[1], m)))((s[0] + s[1]) / 2), (jnp.zeros_like(y), jnp.full_like(y, 2)))[0], uniform(4096))
    row("control", "vmap(while) f32[256]", jax.vmap(lambda x: lax.while_loop(lambda v: v < 100, lambda v: v * 1.5 + 1, x)), uniform(256))
    row("control", "ODE RK4 1000 steps of 3", lambda y: lax.scan(rk4, y, None, length=1000)[0], np.array([1, 1, 1], F32))
    row("control", "vmap ODE RK4 1000 steps of 3 x 256", jax.vmap(lambda y: lax.scan(rk4, y, None, length=1000)[0]), uniform(256, 3))
    row("control", "map of 100 softmaxes", lambda x: lax.map(jax.nn.softmax, x), normal(100, 256))
    row("control", "vmap(grad(f)) f32[1024,16]", jax.vmap(jax.grad(lambda x: jnp.sin(x).prod())), normal(1024, 16))
    row("control", "jacfwd f32[32]", jax.jacfwd(lambda x: jnp.tanh(x * x[::-1])), normal(32))
    row("control", "hessian f32[16]", jax.hessian(lambda x: jnp.sum(x**3) * jnp.prod(jnp.cos(x))), normal(16))
