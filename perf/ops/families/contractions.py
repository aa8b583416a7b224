"""Products and convolutions."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from families.harness import BF16, F16, F32, F64, I8, I32, integers, normal, row


def dots():
    def product(name, a, b, function=jnp.matmul, dtype=F32, **options):
        high = 100 if dtype == I8 or dtype == I32 else None
        make = (lambda *s, seed: integers(*s, high=high, dtype=dtype, seed=seed)) if high else functools.partial(normal, dtype=dtype)
        row("dot", name, function, make(*a, seed=0), make(*b, seed=1), **options)

    for n in (4, 16, 64, 128, 256, 512):
        product(f"f32 {n}x{n}x{n}", (n, n), (n, n))
    product("f32 1024x1024x1024", (1024, 1024), (1024, 1024))
    product("f32 A^T B 1024", (1024, 1024), (1024, 1024), lambda a, b: a.T @ b)
    product("f32 A B^T 1000", (1000, 1000), (1000, 1000), lambda a, b: a @ b.T)
    product("f32 2048x1024x512", (2048, 1024), (1024, 512))
    product("f32 512x1024x2048", (512, 1024), (1024, 2048))
    product("f32 512x512x8192", (512, 8192), (8192, 512))
    product("f32 A B^T 1024x256x8192", (1024, 8192), (256, 8192), lambda a, b: a @ b.T)
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
    for batch, m, k, n in ((64, 8, 8, 8), (1024, 8, 8, 8), (256, 12, 12, 12), (256, 16, 16, 16), (1024, 4, 32, 4), (256, 8, 64, 8)):
        product(f"f32 batch {batch} of {m}x{k}x{n}", (batch, m, k), (batch, k, n))
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
    with jax.enable_x64(True):
        for n in (128, 256, 1000):
            product(f"f64 {n}", (n, n), (n, n), dtype=F64)
        product("f64 1000x50 . 50x1000", (1000, 50), (50, 1000), dtype=F64)
        product("f64 transposed 512", (512, 512), (512, 512), lambda a, b: a.T @ b.T, dtype=F64)
    product("bf16 matrix.vector 1024", (1024, 1024), (1024,), dtype=BF16)
    product("f16 matrix.vector 1024", (1024, 1024), (1024,), dtype=F16)
    product("f16 to f32 512", (512, 512), (512, 512), functools.partial(lax.dot, preferred_element_type=F32), dtype=F16)
    product("f16 batch 64 of 32x32", (64, 32, 32), (64, 32, 32), dtype=F16)
    product("bf16 batch 64 of 32x32", (64, 32, 32), (64, 32, 32), dtype=BF16)
    product("i8 64x784x128", (64, 784), (784, 128), functools.partial(lax.dot, preferred_element_type=I32), dtype=I8)
    product("i8 matrix.vector 1024", (1024, 1024), (1024,), functools.partial(lax.dot, preferred_element_type=I32), dtype=I8)
    product("i8 batch 64 of 32x32", (64, 32, 32), (64, 32, 32), functools.partial(jnp.matmul, preferred_element_type=I32), dtype=I8)
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
    both("7x7 3>64/2, f32[1,224,224]", normal(1, 224, 224, 3), normal(7, 7, 3, 64) * scale, two, strides=(2, 2))
    both("1x1 64>128/2, f32[8,56,56]", normal(8, 56, 56, 64), normal(1, 1, 64, 128) * scale, two, strides=(2, 2))
    both("depthwise 5x5 96/2, f32[4,56,56]", normal(4, 56, 56, 96), normal(5, 5, 1, 96), two, feature_group_count=96, strides=(2, 2))
    both("depthwise x4 3x3 16>64, f32[8,28,28]", normal(8, 28, 28, 16), normal(3, 3, 1, 64), two, feature_group_count=16)
    both("depthwise 1d 256 of 4, f32[8,512]", normal(8, 512, 256), normal(4, 1, 256), one, feature_group_count=256)
    both("transposed 4x4/2 64>32, f32[8,14,14]", normal(8, 14, 14, 64), normal(4, 4, 64, 32) * scale, two, lhs_dilation=(2, 2), padding=((2, 2), (2, 2)))
    both("dilated 1d 32>32 of 3 by 8, f32[8,1024]", normal(8, 1024, 32), normal(3, 32, 32) * scale, one, rhs_dilation=(8,))
    both("f16 3x3 64>64, [8,28,28]", normal(8, 28, 28, 64, dtype=F16), (normal(3, 3, 64, 64) * scale).astype(F16), two)
    row("conv", "i8 3x3 64>64, [8,28,28]", lambda x, w: convolve(x, w, two, preferred_element_type=I32), integers(8, 28, 28, 64, high=100, dtype=I8), integers(3, 3, 64, 64, high=100, dtype=I8))
    row("conv", "jnp.convolve f32[65536] of 64", lambda x, w: jnp.convolve(x, w), normal(65536), normal(64))
