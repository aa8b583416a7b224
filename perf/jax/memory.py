#!/usr/bin/env python3
"""What memory models take, with this library and with another one.

    ./dev bench memory -- --before LIBRARY [--after LIBRARY] [--only REGEX] [--json FILE]

LIBRARY is a libpjrt_millrace.so. Every model is a process of its own for each library: training steps of networks
(tests/jax/many_models.py), and the programs of overlap.py. Told are what was in use at most (`peak_bytes_in_use`: arguments, results and what
steps keep in between) and what the plan asks for between steps, in KiB, and the ratio of the peaks. The least of --rounds processes
counts: a peak is higher when arguments are still being copied.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "perf/jax"), str(ROOT / "tests/jax")]
CALLS = 3


def trained():
    """name -> what trains that model for two steps."""
    from many_models import MODELS, MORE, train

    chosen = MODELS + MORE[::4]
    return {f"{make.__name__} {sizes}": lambda make=make, sizes=sizes: train(make, sizes) for make, sizes in chosen}


def called():
    """name -> what runs that program of overlap.py, and says how much its plan asks for."""
    import overlap

    def runner(function, arguments):
        def run():
            import jax

            values = jax.block_until_ready(jax.device_put(arguments))
            compiled = jax.jit(function).lower(*values).compile()
            for _ in range(CALLS):
                jax.block_until_ready(compiled(*values))
            return compiled.memory_analysis().temp_size_in_bytes

        return run

    return {name: runner(*program) for name, program in overlap.programs().items()}


def models():
    return {**trained(), **called()}


def run_one(name):
    import jax

    temporaries = models()[name]()
    peak = jax.devices()[0].memory_stats()["peak_bytes_in_use"]
    print(json.dumps({"peak": peak, "temporaries": temporaries}))


def run_process(library, name):
    environment = dict(os.environ, MILLRACE_LIBRARY=library, JAX_PLATFORMS="millrace")
    result = subprocess.run([sys.executable, __file__, "--model", name], env=environment, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"{name} with {library}: {result.stderr[-3000:]}")
    return json.loads(result.stdout.splitlines()[-1])


def least(library, name, rounds):
    """None for no library."""
    rows = [run_process(os.path.abspath(library), name) for _ in range(rounds if library else 0)]
    return min(rows, key=lambda row: row["peak"], default=None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", help="a library to compare with")
    parser.add_argument("--after", default=str(ROOT / "build/release/lib/libpjrt_millrace.so"))
    parser.add_argument("--only", default="", help="models whose name this finds")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", help="write the rows there")
    parser.add_argument("--model", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.model:
        run_one(arguments.model)
        return
    os.environ["JAX_PLATFORMS"] = "cpu"  # of this process, which only wants the names
    rows, kib = [], lambda size: "" if size is None else f"{size / 1024:.0f}"
    print(f"{'':44}{'before':>12}{'after':>12}{'ratio':>8}   temporaries")
    for name in models():
        if not re.search(arguments.only, name):
            continue
        after, before = (least(side, name, arguments.rounds) for side in (arguments.after, arguments.before))
        rows.append({"name": name, "after": after, "before": before})
        line = f"{name:44}{kib(before['peak']) if before else '':>12}{kib(after['peak']):>12}"
        line += f"{after['peak'] / before['peak']:8.3f}" if before else " " * 8
        sizes = [kib(side["temporaries"]) for side in (before, after) if side]
        print(f"{line}   {' -> '.join(dict.fromkeys(sizes))}", flush=True)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
