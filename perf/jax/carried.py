#!/usr/bin/env python3
"""Loops that carry arrays, beside XLA:CPU: how long they take at two sizes, four times the rounds over four times the rows.

    ./dev bench carried [-- --processes N] [--only REGEX] [--rows SMALL,LARGE] [--json FILE]

Each process runs all the loops on one platform; processes take turns, and what is told is the quickest of all. `growth` is what
four times the rounds take, so 4 where a round costs the same however large the array is and 16 where a round goes through all of it.
What the loops are: tests/jax/carried_loops.py.
"""

import argparse
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
clock = time.perf_counter


def rows():
    sys.path.insert(0, str(ROOT / "tests" / "jax"))
    import carried_loops as loops
    import jax
    import jax.numpy as jnp
    from jax import lax

    def state(n):
        """An environment of 4 MiB that a branch begins anew now and then."""

        def step(i, s):
            s = s.at[i % 1024].set(jnp.sin(s[i % 1024]) + 1e-3)
            return lax.cond(i % 128 == 127, lambda s: jnp.zeros_like(s), lambda s: s, s)

        return lambda s: lax.fori_loop(0, n, step, s), (jnp.zeros((1024, 1024)),)

    def switch(n):
        def body(i, s):
            v = jnp.sin(s[0]) + 1e-3
            return v, lax.switch(i % 3, [lambda c: c.at[i].set(v), lambda c: c, lambda c: c.at[i].set(v * 2)], s[1])

        return lambda v, c: lax.fori_loop(0, n, body, (v, c)), loops.rows(n)

    def table(n):
        loss = lambda e, ids: lax.scan(lambda s, i: (s + jnp.tanh(e[i]).sum(), None), 0.0, ids)[0]
        return jax.grad(loss), (jnp.ones((4096, 128)), jnp.arange(n) * 3 % 4096)

    of = loops.of
    return {
        "update": of("always", "set"),
        "cond": of("cond", "set"),
        "cond by a value": of("cond by a value", "set"),
        "where of the two": of("where", "set"),
        "both branches update": of("both branches", "set"),
        "two loops deep": loops.deep,
        "a state that is reset": state,
        "gradient of a table": table,
        "switch": switch,
        "two change places": loops.places,
        "vmap of cond": loops.batched("cond by a value"),
        **{name: make for name, make in loops.PROGRAMS.items() if name not in ("two loops deep", "two that change places")},
        **{f"stencil: {name}": functools.partial(make, 256) for name, (make, _) in loops.STENCILS.items()},
    }


def measure(sizes, only):
    import jax

    out = {}
    for name, make in rows().items():
        if re.search(only, name):
            out[name] = []
            for n in sizes:
                f, args = make(n)
                f, best, begun = jax.jit(f), float("inf"), clock()
                jax.block_until_ready(f(*args))
                while best == float("inf") or clock() - begun < 0.6:
                    start = clock()
                    jax.block_until_ready(f(*args))
                    best = min(best, clock() - start)
                out[name].append(best * 1e3)
    print(json.dumps(out))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--rows", default="256,1024")
    parser.add_argument("--json")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    sizes = [int(n) for n in options.rows.split(",")]
    if options.child:
        measure(sizes, options.only)
        return
    best = {}
    for turn in range(options.processes):
        for platform in ("cpu", "millrace") if turn % 2 else ("millrace", "cpu"):
            words = [sys.executable, __file__, "--child", "--rows", options.rows, "--only", options.only]
            said = subprocess.run(words, env={**os.environ, "JAX_PLATFORMS": platform}, stdout=subprocess.PIPE, check=True)
            for name, times in json.loads(said.stdout.splitlines()[-1]).items():
                old = best.setdefault((name, platform), times)
                best[name, platform] = [min(a, b) for a, b in zip(old, times)]
    print(f"{'':42}{'XLA:CPU, ms':>18}{'growth':>8}{'millrace, ms':>18}{'growth':>8}{'ratio':>14}")
    for name, platform in best:
        if platform == "cpu":
            theirs, ours = best[name, "cpu"], best[name, "millrace"]
            ratios = [b / a for a, b in zip(theirs, ours)]
            print(
                f"{name:42}{theirs[0]:9.2f}{theirs[-1]:9.2f}{theirs[-1] / theirs[0]:8.1f}{ours[0]:9.2f}{ours[-1]:9.2f}"
                f"{ours[-1] / ours[0]:8.1f}{ratios[0]:7.2f}{ratios[-1]:7.2f}"
            )
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps([[*key, times] for key, times in best.items()]))


if __name__ == "__main__":
    main()
