"""The bits of a result are the program's and its inputs' alone: not the number of threads', the load's, the cache's, what the
machine is taken for, those of other results, or of the calls before.

This file run as a program prints a hash for every result of a corpus, computed twice; the test runs it with one, two and
eight workers, the first with an empty kernel cache and the last beside threads that spin, each for another kind of machine
(devices/figures.h), and compares."""

import hashlib
import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A processor of tiny caches before slow memory whose threads are quick to wake, one as it is taken for when nothing is known, and
# one that does everything at once but wake a thread.
MACHINES = {
    "1": "default,cache1_bytes=8192,cache2_bytes=65536,cache3_bytes=262144,cache1_read_bytes_per_ns=2,"
         "cache1_write_bytes_per_ns=1,cache2_read_bytes_per_ns=1,cache2_write_bytes_per_ns=1,cache3_read_bytes_per_ns=0.6,"
         "cache3_write_bytes_per_ns=0.6,memory_read_bytes_per_ns=0.3,memory_write_bytes_per_ns=0.2,"
         "memory_stream_bytes_per_ns=0.2,copy_bytes_per_ns=0.2,f32_flops_per_ns=1,f64_flops_per_ns=0.5,wake_ns=200,"
         "handover_ns=20,launch_ns=2",
    "2": "default",
    "8": "default,cache1_bytes=1e7,cache2_bytes=1e9,cache3_bytes=1e11,cache3_units=65536,cache1_read_bytes_per_ns=4000,"
         "cache1_write_bytes_per_ns=4000,cache2_read_bytes_per_ns=4000,cache2_write_bytes_per_ns=4000,"
         "cache3_read_bytes_per_ns=4000,cache3_write_bytes_per_ns=4000,memory_read_bytes_per_ns=1900,"
         "memory_write_bytes_per_ns=1900,memory_stream_bytes_per_ns=1900,copy_bytes_per_ns=1900,f32_flops_per_ns=9e5,"
         "f64_flops_per_ns=9e5,wake_ns=9e6,handover_ns=9e5,launch_ns=9e5",
}
WORKERS = tuple(MACHINES)


# ---- The corpus -----------------------------------------------------------------------------------------------------

def corpus(slow):
    """Pairs of a name and a function that returns arrays, given fresh ones."""
    import jax
    import jax.numpy as jnp
    import ml_dtypes
    import numpy as np
    from jax import lax

    sys.path.insert(0, str(ROOT / "tests" / "programs"))
    import programs

    random = np.random.default_rng(11)

    def draw(*shape, dtype=np.float32, scale=1.0):
        return (random.standard_normal(shape) * scale).astype(dtype)

    def program(p):
        def call():
            with jax.enable_x64(p.x64):
                function, arguments = p.build()
                return jax.jit(function)(*arguments)

        return call

    for p in programs.ALL:
        yield f"programs/{p.name}", program(p)

    def row(name, function, *arguments):
        compiled = jax.jit(function)
        return name, lambda: compiled(*(jnp.array(a) for a in arguments))

    # Products that are cut, of every type; the last is of numbers so small that products of them are subnormal.
    shapes = [(64, 64, 64), (300, 700, 500), (1024, 64, 1024), (8, 4096, 2048), (64, 4096, 64), (513, 257, 1031),
              (1024, 1024, 1024)]
    for m, k, n in shapes + [(2048, 2048, 2048)] * slow:
        for dtype in (np.float32, np.float64, ml_dtypes.bfloat16, np.float16):
            yield row(f"dot {m}x{k}x{n} {np.dtype(dtype)}", jnp.matmul, draw(m, k, dtype=dtype), draw(k, n, dtype=dtype))
    yield row("dot of small numbers", jnp.matmul, draw(512, 300, scale=1e-19), draw(300, 512, scale=1e-20))
    yield row("dot transposed", lambda a, b: a.T @ b.T, draw(400, 500), draw(600, 400))
    for batch in (3, 40):
        yield row(f"dot batch {batch}", jnp.matmul, draw(batch, 120, 200), draw(batch, 200, 170))

    # Convolutions with the shapes of Winograd's algorithm and others, and their gradients.
    def conv(x, w, **settings):
        return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), **settings)

    images = [(1, 28, 64), (1, 56, 64), (4, 28, 64), (1, 28, 128), (8, 14, 128), (3, 33, 32), (1, 7, 512)]
    for n, size, features in images + [(8, 56, 64), (8, 14, 256), (8, 7, 512), (32, 28, 64)] * slow:
        x, w = draw(n, size, size, features), draw(3, 3, features, features, scale=0.1)
        name = f"{n}x{size}x{size}x{features}"
        alone, beside = jax.jit(conv), jax.jit(lambda x, w: (conv(x, w), w * 2))
        step = jax.jit(lambda x, w: (conv(x, w), w - 1e-3))

        def history(x=x, w=w, alone=alone, beside=beside, step=step):
            x, weights, w = jnp.array(x), jnp.array(w), jnp.array(w)
            results = [alone(x, w), beside(x, w)[0]]
            for _ in range(4):
                _, weights = step(x, weights)
            for _ in range(4):
                results.append(alone(x, w + 0))
            results += [alone(x, w), step(x, w)[0], alone(x, w)]
            assert len({digest(r) for r in results}) == 1, "a convolution depends on what was called before"
            return results[0]

        yield f"conv {name} after other calls", history
        yield row(f"conv {name} exact", lambda x, w: conv(x, w, precision="highest"), x, w)
        yield row(f"conv {name} gradients", jax.grad(lambda x, w: (conv(x, w) ** 2).sum(), (0, 1)), x, w)
    yield row("conv 1d", lambda x, w: lax.conv_general_dilated(x, w, (2,), "SAME", dimension_numbers=("NWC", "WIO", "NWC")),
              draw(6, 4000, 24), draw(9, 24, 40))
    # Those of few features and by depth, which are cut by other costs.
    for name, size, into, out, groups in (("depthwise", 28, 64, 64, 64), ("depthwise by 4", 20, 16, 64, 16),
                                          ("to many", 28, 1, 16, 1), ("to one", 28, 16, 1, 1)):
        yield row(f"conv {name} and gradients", jax.value_and_grad(
            lambda x, w, g=groups: (conv(x, w, feature_group_count=g) ** 2).sum(), (0, 1)),
            draw(16, size, size, into), draw(3, 3, into // groups, out))
    yield row("conv depthwise 1d", lambda x, w: lax.conv_general_dilated(
        x, w, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"), feature_group_count=256),
        draw(8, 500, 256), draw(4, 1, 256))
    half = ml_dtypes.bfloat16
    yield row("conv bf16", conv, draw(4, 28, 28, 64, dtype=half), draw(3, 3, 64, 64, dtype=half))

    # Sums.
    for shape in ((1 << 20,), (1000, 3001), (7, 200_003), (64, 64, 257)):
        x = draw(*shape)
        yield row(f"sum {shape}", lambda x: (x.sum(), x.sum(0), x.sum(-1), x.mean(), x.var(), (x * x).sum(-1)), x)
        yield row(f"sum f64 {shape}", lambda x: (x.sum(), x.sum(-1), jnp.std(x)), x.astype(np.float64))
        yield row(f"scan {shape}", lambda x: (jnp.cumsum(x, -1), lax.cumlogsumexp(x * 1e-2, axis=0)), x)
        yield row(f"other results {shape}", lambda x: (x.sum(), x.max(), x + 1, jnp.exp(x).sum(-1)), x)
    x = draw(512, 1000)
    yield row("softmax", jax.nn.softmax, x)
    yield row("layer norm", lambda x: (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5), x)
    yield row("functions", lambda x: (jnp.tanh(x) @ x.T, jnp.exp(jnp.sin(x)) / (1 + x * x), lax.erf(x) * lax.lgamma(x)), x)
    yield row("attention", lambda q, k, v: jax.nn.softmax(q @ k.swapaxes(-1, -2) / 8) @ v,
              *(draw(2, 8, 256, 64) for _ in range(3)))

    # Sorting, scattering, random numbers.
    yield row("sort", lambda x: (jnp.sort(x), jnp.argsort(x, 0), lax.top_k(x, 17)[0]), x)
    at = random.integers(0, 300, 100_000)
    yield row("scatter add", lambda i, u: jnp.zeros(300).at[i].add(u), at, draw(100_000))
    yield row("segment sum", lambda i, u: jax.ops.segment_sum(u, i, 300), at[:20_000], draw(20_000, 16))
    yield row("random", lambda k: (jax.random.normal(k, (300, 1000)), jax.random.gamma(k, 2.5, (5000,)),
                                   jax.random.permutation(k, 9999)), jax.random.PRNGKey(5))

    # Linear algebra and Fourier transforms.
    for n in (40, 300) + (1000,) * slow:
        for dtype in (np.float32, np.float64, np.complex64):
            a = draw(n, n, dtype=dtype) + np.eye(n, dtype=dtype) * n
            p, b = a @ a.conj().T, draw(n, 300, dtype=dtype)
            yield row(f"cholesky {n} {np.dtype(dtype)}", jnp.linalg.cholesky, p)
            yield row(f"lu, qr, solve {n} {np.dtype(dtype)}",
                      lambda a, b: (lax.linalg.lu(a)[0], jnp.linalg.qr(a), jnp.linalg.solve(a, b)), a, b)
            yield row(f"eigh, svd {n} {np.dtype(dtype)}",
                      lambda p: (jnp.linalg.eigh(p[:90, :90]), jnp.linalg.svd(p[:90, :70])), p)
    yield row("many small factors", lambda a: jnp.linalg.cholesky(a @ a.swapaxes(-1, -2) + 9 * jnp.eye(24)), draw(50, 24, 24))
    yield row("fft", lambda x: (jnp.fft.fft(x), jnp.fft.rfft2(x[:120])), x)
    yield row("fft long", lambda x: jnp.fft.rfft(x), draw(1 << 18))


def digest(results):
    import jax
    import numpy as np

    total = hashlib.sha1()
    for leaf in jax.tree.leaves(results):
        if jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            leaf = jax.random.key_data(leaf)
        total.update(np.ascontiguousarray(np.asarray(leaf)).tobytes())
    return total.hexdigest()[:16]


def main(slow):
    import jax

    jax.config.update("jax_enable_x64", True)
    hashes = {}
    for name, call in corpus(slow):
        hashes[name] = [digest(call()), digest(call())]
    print(json.dumps(hashes))


# ---- The test -------------------------------------------------------------------------------------------------------

SPIN = "import os\nwhile os.getppid() == {parent}: sum(range(10000))"


def run(workers, cache, slow):
    environment = dict(os.environ, JAX_PLATFORMS="millrace", MILLRACE_THREADS=workers, MILLRACE_NUM_DEVICES="1",
                       MILLRACE_CACHE_DIR=str(cache), MILLRACE_FIGURES=MACHINES[workers])
    result = subprocess.run([sys.executable, __file__, *["slow"] * slow], env=environment, capture_output=True, text=True,
                            timeout=900)
    assert result.returncode == 0, result.stderr[-3000:]
    return json.loads(result.stdout.splitlines()[-1])


@pytest.mark.sampled
def test_the_same_bits_with_any_number_of_threads_and_any_load(tmp_path):
    slow = os.environ.get("MILLRACE_SLOW_TESTS") == "1"
    spin = [sys.executable, "-c", SPIN.format(parent=os.getpid())]
    answers = {}
    for workers in WORKERS:
        load = [subprocess.Popen(spin) for _ in range(2 if workers == WORKERS[-1] else 0)]
        try:
            answers[workers] = run(workers, tmp_path, slow)
        finally:
            for process in load:
                process.kill()
                process.wait()
    differ = {name: {w: a[name] for w, a in answers.items()} for name in answers[WORKERS[0]]
              if len({h for a in answers.values() for h in a[name]}) != 1}
    assert not differ, f"{len(differ)} of {len(answers[WORKERS[0]])}: {json.dumps(differ, indent=1)}"


if __name__ == "__main__":
    main("slow" in sys.argv[1:])
