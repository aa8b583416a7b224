"""Fourier transforms and linear algebra."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy import linalg as jsl

from families.harness import F32, F64, normal, row


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
    row("fft", "irfft f32[256,512]", lambda x: jnp.fft.irfft(x), z(256, 257))
    row("fft", "rfft f32[1000]", jnp.fft.rfft, normal(1000))
    row("fft", "rfft f32[64,1009]", jnp.fft.rfft, normal(64, 1009))
    row("fft", "rfft2 f32[256,256]", jnp.fft.rfft2, normal(256, 256))
    row("fft", "irfft2 f32[256,256]", lambda x: jnp.fft.irfft2(x), z(256, 129))
    row("fft", "rfftn f32[32,32,32]", jnp.fft.rfftn, normal(32, 32, 32))
    row("fft", "rfft axis=0 f32[1024,64]", lambda x: jnp.fft.rfft(x, axis=0), normal(1024, 64))
    row("fft", "rfft gradient f32[256,512]", jax.grad(lambda x: (abs(jnp.fft.rfft(x)) ** 2).sum()), normal(256, 512))
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
    row("linalg", "eig with vectors 64", jnp.linalg.eig, normal(64, 64), check=False)
    row("linalg", "schur 64", jsl.schur, normal(64, 64), check=False)
    row("linalg", "hessenberg 64", jsl.hessenberg, normal(64, 64), check=False)
    row("linalg", "sqrtm 64", jsl.sqrtm, spd(64, 64), check=False)
    for batch, n in ((4096, 3), (64, 32), (8, 200)):
        a = normal(batch, n, n) + n**0.5 * np.eye(n, dtype=F32)
        row("linalg", f"cholesky {batch} of {n}", jnp.linalg.cholesky, spd(batch, n, n))
        row("linalg", f"solve {batch} of {n}", jnp.linalg.solve, a, normal(batch, n, 1))
        row("linalg", f"inv {batch} of {n}", jnp.linalg.inv, a)
        row("linalg", f"det {batch} of {n}", jnp.linalg.det, a)
    complex_matrix = (normal(256, 256) + 1j * normal(256, 256, seed=1) + 16 * np.eye(256)).astype(np.complex64)
    hermitian = (complex_matrix @ complex_matrix.conj().T / 256).astype(np.complex64)
    row("linalg", "cholesky c64 256", jnp.linalg.cholesky, hermitian)
    row("linalg", "inv c64 256", jnp.linalg.inv, complex_matrix)
    row("linalg", "qr c64 256", jnp.linalg.qr, complex_matrix, check=False)
    row("linalg", "eigh c64 256", jnp.linalg.eigvalsh, hermitian)
    row("linalg", "cholesky 2048", jnp.linalg.cholesky, spd(2048, 2048))
    row("linalg", "lu 2048", jsl.lu_factor, normal(2048, 2048))
    row("linalg", "lu 2000x200", jsl.lu_factor, normal(2000, 200))
    with jax.enable_x64(True):
        for n in (64, 256, 1000):
            a = normal(n, n, dtype=F64) + n**0.5 * np.eye(n)
            row("linalg", f"cholesky f64 {n}", jnp.linalg.cholesky, spd(n, n, dtype=F64))
            row("linalg", f"inv f64 {n}", jnp.linalg.inv, a)
        row("linalg", "eigh f64 256", jnp.linalg.eigvalsh, spd(256, 256, dtype=F64))
