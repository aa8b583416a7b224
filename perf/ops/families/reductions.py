"""Reductions, windows and scans, and what is made of them: softmax and norms."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from families.harness import BF16, F32, I8, integers, normal, row, uniform


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
    row("reduction", "argmax axis=1 bf16[1024,1024]", lambda x: x.argmax(1), normal(1024, 1024, dtype=BF16))
    row("reduction", "argmax axis=1 f32[65536,8]", lambda x: x.argmax(1), normal(65536, 8))
    row("reduction", "argmax axis=2 f32[64,128,128]", lambda x: x.argmax(2), cube)
    row("reduction", "sum i8[1024,1024]", lambda x: x.sum(dtype=np.int32), integers(1024, 1024, high=100, dtype=I8))
    row("reduction", "max axis=1 f32[65536,3]", lambda x: x.max(1), normal(65536, 3))
    row("reduction", "any axis=0 [1024,1024]", lambda x: (x > 3).any(0), square)
    row("reduction", "minmax f32[1M]", lambda x: (x.min(), x.max()), normal(1 << 20))
    row("reduction", "sum c64[512,512]", jnp.sum, normal(512, 1024).view(np.complex64))
    with jax.enable_x64(True):
        row("reduction", "sum f64[1024,1024]", jnp.sum, square.astype(np.float64))


def windows():
    for axis in (0, 1):
        row("window", f"cumsum axis={axis} f32[1024,1024]", lambda x: jnp.cumsum(x, axis), normal(1024, 1024))
    row("window", "cumsum f32[65536]", jnp.cumsum, normal(65536))
    row("window", "cumsum i32[65536]", jnp.cumsum, integers(65536, high=100))
    row("window", "cummax axis=1 f32[1024,1024]", lambda x: lax.cummax(x, 1), normal(1024, 1024))
    row("window", "cumprod f32[65536]", jnp.cumprod, uniform(65536, low=0.99, high=1.01))
    row("window", "cumlogsumexp f32[65536]", lax.cumlogsumexp, normal(65536))
    row("window", "cumsum reverse f32[65536]", lambda x: lax.cumsum(x, reverse=True), normal(65536))
    row("window", "cumsum axis=1 f32[64,128,128]", lambda x: jnp.cumsum(x, 1), normal(64, 128, 128))
    row("window", "cumsum bf16[65536]", jnp.cumsum, normal(65536, dtype=BF16))
    row("window", "cumsum gradient f32[1024,1024]", jax.grad(lambda x: (jnp.cumsum(x, 1) ** 2).sum()), normal(1024, 1024))
    row("window", "associative_scan f32[1024,64]", lambda a, b: lax.associative_scan(lambda x, y: (x[0] * y[0], x[1] * y[0] + y[1]), (a, b)), uniform(1024, 64), normal(1024, 64))
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
