"""Random programs on bf16, f16 and f32, on millrace and on XLA:CPU: where they round is the same, so the bits are (docs/accuracy.md).
Prints each result that differs and a count.

    MILLRACE_CACHE_DIR= MILLRACE_LIBRARY=build/release/lib/libpjrt_millrace.so \\
      python tests/random/half.py build/release/tests/random_programs --seed 0 --count 500

XLA:CPU runs without what changes numbers and is not about rounding: AVX512-FP16 (a sum of products of f16 rounds once where a
processor has it), its algebraic simplifier (a division becomes a product, constants are joined) and the library that some of its
sums go to (which does not round within a chain). --as-it-is leaves them.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

os.environ["JAX_PLATFORMS"] = "millrace,cpu"
STRICT = "--xla_cpu_max_isa=AVX2 --xla_disable_hlo_passes=algsimp --xla_cpu_experimental_ynn_fusion_type="

import jax
import numpy as np

from xla import compile_program, execute

# What adds up, in an order and with roundings of its own, and what is not settled in half precision.
UNSETTLED = re.compile(r"chlo\.|stablehlo\.(scatter|select_and_scatter|reduce_window|dot|dot_general|convolution|reduce|bitcast_convert|complex|"
                       r"sort|batch_norm\w*|exponential_minus_one|reduce_precision|rng\w*|fft|cholesky|triangular_solve|map)\"")


def make_arguments(types, shapes, random):
    for dtype, shape in zip(types, shapes):
        if dtype == np.bool_:
            yield random.integers(0, 2, shape).astype(dtype)
        elif np.dtype(dtype).kind in "iu":
            yield random.integers(0, 5, shape).astype(dtype)
        else:
            yield np.asarray(random.normal(size=shape) * random.choice([1, 1, 3, 10]), dtype)


def same(a, b):
    """Where two results are alike: every NaN is one, and so are both zeros and what is next to them."""
    if a.dtype.kind in "biu":
        return a == b
    tiny = 2.0**-126 if a.dtype != np.float16 else 0
    a, b = (np.where(abs(v) < tiny, 0, v) for v in (a.astype(np.float64), b.astype(np.float64)))
    return (a == b) | (np.isnan(a) & np.isnan(b))


def run_program(clients, seed, text):
    """Yields a line for each result that differs."""
    compiled = [compile_program(client, text) for client in clients]
    _, types, shapes = compiled[0]
    for inputs in range(2):
        arguments = list(make_arguments(types, shapes, np.random.default_rng([seed, inputs])))
        with np.errstate(all="ignore"):
            got, wanted = ([np.asarray(r) for r in execute(client, c[0], arguments)] for client, c in zip(clients, compiled))
            for i, (a, b) in enumerate(zip(map(np.atleast_1d, got), map(np.atleast_1d, wanted))):
                bad = ~same(a, b)
                if bad.any():
                    at = tuple(int(k[0]) for k in np.nonzero(bad))
                    yield f"seed {seed} inputs {inputs} result {i} {a.dtype}{a.shape}: {bad.sum()} differ, {a[at]} here, {b[at]} on XLA"


def work(folder, first):
    clients = [jax.devices(name)[0].client for name in ("millrace", "cpu")]
    for seed in sorted(int(path.stem) for path in folder.glob("*.mlir")):
        if seed < first:
            continue
        print(f"at {seed}", flush=True)
        try:
            for line in run_program(clients, seed, (folder / f"{seed}.mlir").read_text()):
                print(line, flush=True)
        except Exception as error:
            print(f"refused {seed}: {str(error).splitlines()[0][:200]}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--as-it-is", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the programs")
    parser.add_argument("--work", type=pathlib.Path)
    arguments = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    if arguments.work:
        work(arguments.work, arguments.seed)
        return 0
    env = dict(os.environ) if arguments.as_it_is else os.environ | {"XLA_FLAGS": STRICT}
    at, differ, refused, died = 0, set(), 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = arguments.keep or pathlib.Path(name)
        command = [arguments.program, "--half", "--write", str(folder), "--seed", str(arguments.seed), "--count", str(arguments.count)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for path in folder.glob("*.mlir"):
            if UNSETTLED.search(path.read_text()):
                path.unlink()
        first = arguments.seed
        while first is not None:
            run = subprocess.run([sys.executable, __file__, "-", "--work", str(folder), "--seed", str(first)], env=env,
                                 capture_output=True, text=True)
            last = None
            for line in run.stdout.splitlines():
                kind, seed = line.split()[:2]
                if kind == "at":
                    at, last = at + 1, int(seed)
                    continue
                print(line, flush=True)
                refused += kind == "refused"
                differ |= {seed} if kind == "seed" else set()
            first = last + 1 if run.returncode and last is not None else None
            if first is not None:
                died += 1
                print(f"died {last}", flush=True)
            elif run.returncode:
                print(run.stderr)
                return 1
    print(f"{at} programs: {len(differ)} differ, {refused} are refused, {died} end the process")
    return int(bool(differ))


if __name__ == "__main__":
    sys.exit(main())
