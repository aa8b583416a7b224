"""Where bf16 and f16 round: the numbers of XLA:CPU, bit for bit (docs/accuracy.md)."""

import os
import pathlib
import re
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import random_halves
from jax import lax

ROOT = pathlib.Path(__file__).parent.parent.parent
LIBRARY = pathlib.Path(os.environ.get("MILLRACE_LIBRARY", ROOT / "build" / "release" / "lib" / "libpjrt_millrace.so"))

HALVES = [jnp.bfloat16, jnp.float16]
F32 = jnp.float32

# What a program makes of three arrays. Every result is one that IEEE 754 gives, so there is one right answer once it is known where to round.
PROGRAMS = {
    "chain": lambda x, y, b: (x * y + b) * x - y,
    "cube": lambda x, y, b: lax.pow(x, jnp.full_like(x, 3)) + y,
    "conversion behind a cube": lambda x, y, b: lax.pow(x, jnp.full_like(x, 3)).astype(F32),
    "inverse and square": lambda x, y, b: lax.pow(x, jnp.full_like(x, -1)) + lax.pow(y, jnp.full_like(y, 2)),
    "quotients": lambda x, y, b: x / y + b / (x - y),
    "conversion behind": lambda x, y, b: (x * y).astype(F32) - b.astype(F32),
    "conversion behind, seen too": lambda x, y, b: ((x * y).astype(F32) - b.astype(F32), x * y, x * y + b),
    "conversion behind a sum of a product": lambda x, y, b: (x * y + b).astype(F32),
    "conversion behind a root": lambda x, y, b: jnp.sqrt(x * x + b * b).astype(F32),
    "conversion behind a reshape": lambda x, y, b: (x * y).reshape(4, -1).astype(F32),
    "conversion behind a broadcast": lambda x, y, b: jnp.broadcast_to(x * y, (2, x.size)).astype(F32),
    "conversion behind a choice": lambda x, y, b: jnp.where(x > y, x * y, b).astype(F32),
    "conversion behind a maximum": lambda x, y, b: jnp.maximum(x * y, b).astype(F32),
    "conversion behind a barrier": lambda x, y, b: lax.optimization_barrier(x * y).astype(F32),
    "conversion behind a reduction": lambda x, y, b: lax.reduce_max(x * y, axes=(0,)).astype(F32),
    "conversion behind a sum with zero": lambda x, y, b: (x * y + x.dtype.type(0)).astype(F32),
    "conversion behind a choice between the same": lambda x, y, b: lax.select(x > y, x * y, x * y).astype(F32),
    "conversion behind reshapes there and back": lambda x, y, b: lax.reshape(lax.reshape(x * y, (4, 128)), (512,)).astype(F32),
    "conversion of constants": lambda x, y, b: (lax.full_like(x, 1.51) * x.dtype.type(1.1)).astype(F32),
    "conversion to f64": lambda x, y, b: (x * y).astype(jnp.float64),
    "conversion to an integer": lambda x, y, b: (x * y * 100).astype(jnp.int32),
    "conversion and back": lambda x, y, b: ((x * y).astype(F32) + 1).astype(x.dtype) * b,
    "comparison": lambda x, y, b: (x * y == b, x + y > b, lax.sign(x * y - b)),
    "steps": lambda x, y, b: jnp.floor(x * y * 8) + jnp.ceil(x + b),
    "loop": lambda x, y, b: lax.fori_loop(0, 3, lambda i, c: c * y + b, x),
    "loop that converts": lambda x, y, b: lax.fori_loop(0, 3, lambda i, c: ((c * y).astype(F32) + 1).astype(c.dtype), x),
    "branch": lambda x, y, b: lax.cond(x[0] > 0, lambda: (x * y).astype(F32), lambda: (x + y).astype(F32)),
    "captured": lambda x, y, b: lax.cond(x[0] > 0, lambda s=x * y: s.astype(F32), lambda: b.astype(F32)),
    "sum in f32": lambda x, y, b: jnp.sum((x * y).astype(F32).reshape(-1, 2), axis=1),
    "numbered": lambda x, y, b: lax.iota(x.dtype, 1000).astype(F32),
}


@pytest.fixture
def wide_types():
    with jax.enable_x64(True):
        yield


def same_bits(function, oracle, *arguments):
    """The leaves of which not all bits are those of XLA:CPU."""
    got = jax.tree.leaves(jax.jit(function)(*arguments))
    wanted = jax.tree.leaves(jax.jit(function)(*jax.device_put(arguments, oracle)))
    return [(i, np.mean(np.asarray(a) != np.asarray(b))) for i, (a, b) in enumerate(zip(got, wanted))
            if a.dtype != b.dtype or np.asarray(a).tobytes() != np.asarray(b).tobytes()]


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_rounds_where_xla_does(name, dtype, oracle, wide_types):
    random = np.random.default_rng(1)
    arguments = [np.asarray(random.normal(size=512), dtype) for _ in range(3)]
    assert same_bits(PROGRAMS[name], oracle, *arguments) == []


def test_excess_precision_may_be_refused(oracle):
    random = np.random.default_rng(2)
    x, y = (np.asarray(random.normal(size=512), jnp.bfloat16) for _ in range(2))
    product = jax.jit(lambda x, y: (x * y).astype(F32))
    rounded = product.lower(x, y).compile({"xla_allow_excess_precision": False})(x, y)
    np.testing.assert_array_equal(rounded, np.asarray(x.astype(F32) * y.astype(F32), jnp.bfloat16).astype(F32))
    np.testing.assert_array_equal(product(x, y), x.astype(F32) * y.astype(F32))


@pytest.mark.parametrize("dtype", [*HALVES, jnp.float8_e5m2, jnp.float8_e4m3fn, jnp.float8_e4m3b11fnuz, jnp.float8_e3m4])
def test_reduced_to_its_own_precision(dtype):
    """Numbers stay what they are, the smallest and the largest too."""
    info = jnp.finfo(dtype)
    bits = np.arange(1 << info.bits, dtype=f"u{info.bits // 8}")
    reduced = jax.jit(lambda bits: lax.reduce_precision(lax.bitcast_convert_type(bits, dtype), info.nexp, info.nmant))(bits)
    got, wanted = np.asarray(reduced).astype(np.float32), bits.view(dtype).astype(np.float32)
    np.testing.assert_array_equal(got, wanted)


# Those that compile in a second; tests/jax/random_halves.py compares them all.
QUICK = ["uniform", "normal", "truncated_normal", "laplace", "rayleigh", "triangular", "gumbel", "logistic", "maxwell", "geometric",
         "lognormal"]


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("name", QUICK)
def test_random_numbers_are_xlas(name, dtype, oracle):
    options = random_halves.PLAIN if (name, dtype) in random_halves.REWRITTEN else None
    assert random_halves.differs(name, dtype, oracle, options)[0] == 0


def test_random_programs_round_where_xla_does():
    """A few of those that `./dev fuzz half` makes."""
    program = LIBRARY.parent.parent / "tests" / "random_programs"
    if not program.exists():
        pytest.skip("no build beside the library")
    run = subprocess.run([sys.executable, ROOT / "tests/random/half.py", program, "--seed", "50160", "--count", "50"], capture_output=True,
                         text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    assert int(re.search(r"(\d+) programs: 0 differ, 0 are refused", run.stdout)[1]) > 20
