"""What bars.py and ops.py compare: millrace with XLA:CPU, or, with --before LIBRARY, this millrace with another.

    ./dev bench bars -- --before OTHER/libpjrt_millrace.so [--processes 6] [--only REGEX] [--rounds N]

Two libraries are clients of one process, so that a slow moment of the machine hits both. That is fair only when nothing tells
them apart but what is measured, and five things did, in a comparison of a library with a copy of itself:

- who is first in a round, and so finds the caches as its own last turn left them or not: they take turns;
- two medians of their own, of rounds that may be half of them slow: the ratio is the median of each round's;
- how often a call is repeated in a turn, when each finds that out by itself: both do the same number;
- measuring again what is slower, which only one of the two is asked for: not with two libraries;
- where a process's memory lies and which of them is JAX's default: 1% to either side, the same for a whole process. So there are
  several processes, in pairs in which the libraries change their parts: a pair's ratio is the geometric mean of both, and a
  row's the median of the pairs'.

With all that a library against its copy is 1.002 in the geometric mean of nine short rows, eight processes, on a busy machine.
"""

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

BEFORE, PART = os.environ.get("MILLRACE_BENCH_BEFORE"), os.environ.get("MILLRACE_BENCH_PART", "0")

clock = time.perf_counter


def devices():
    """The two that are compared: ours and XLA:CPU's, or this library's and the other's."""
    import jax

    if not BEFORE:
        return jax.devices("millrace")[0], jax.devices("cpu")[0]
    from jax._src import xla_bridge
    from jax_plugins.millrace import library

    paths = {"after": library.path(), "before": BEFORE}
    for name in sorted(paths, reverse=PART == "1"):
        xla_bridge._nonexperimental_plugins.add(name)
        xla_bridge.register_plugin(name, priority=1, library_path=paths[name])
    return jax.devices("after")[0], jax.devices("before")[0]


def platforms():
    """For JAX_PLATFORMS, before JAX is imported."""
    if not BEFORE:
        return "millrace,cpu"
    return "before,after,cpu" if PART == "1" else "after,before,cpu"


def timed(call, count):
    start = clock()
    for _ in range(count):
        call()
    return (clock() - start) / count


def count_for(calls, budget):
    """How often to call each, so that the slower takes about `budget` seconds."""
    return max(1, int(budget / max(max(timed(call, 1) for call in calls), 1e-7)))


def compared(samplers, rounds):
    """(seconds of ours, of theirs, ours / theirs): samplers are two functions that measure once and say how long a call took."""
    samples = ([], [])
    for number in range(rounds):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        for side in order:
            samples[side].append(samplers[side]())
    ratio = statistics.median(ours / theirs for ours, theirs in zip(*samples))
    return statistics.median(samples[0]), statistics.median(samples[1]), ratio


def add_arguments(parser):
    parser.add_argument("--before", help="compare with this library instead of XLA:CPU")
    parser.add_argument("--processes", type=int, default=6, help="how many, with --before")


def mean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios)))


def of_pairs(ratios):
    """Of processes in their order, of which every other one has the libraries the other way round."""
    return statistics.median(mean(ratios[at : at + 2]) for at in range(0, len(ratios), 2))


def run_process(number, before):
    """The script that was called once more, without --before, as one of the processes."""
    environment = dict(os.environ, MILLRACE_BENCH_BEFORE=os.path.abspath(before), MILLRACE_BENCH_PART=str(number % 2))
    environment.pop("JAX_PLATFORMS", None)
    words, skip = [], False
    for word in sys.argv[1:]:
        if not skip and word.split("=")[0] not in ("--before", "--processes", "--json"):
            words.append(word)
        skip = not skip and word in ("--before", "--processes", "--json")
    with tempfile.NamedTemporaryFile() as file:
        command = [sys.executable, sys.argv[0], *words, "--json", file.name]
        result = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
        rows = json.load(file) if os.path.getsize(file.name) else []
    if not rows:
        raise RuntimeError(f"no rows: {result.stdout[-2000:]}")
    return rows


def compare_libraries(arguments):
    """All rows in all processes, and what their ratios are in the mean."""
    found = {}
    for number in range(arguments.processes):
        for row in run_process(number, arguments.before):
            if "ratio" in row:
                found.setdefault(f"{row.get('family', '')} {row['name']}".strip(), []).append(row)
    print(f"{'':50} {'after us':>12} {'before us':>12}   after/before, its spread between processes")
    summary = []
    for name, rows in found.items():
        ratios = [row["ratio"] for row in rows]
        ours, theirs = (min(row[side] for row in rows) for side in ("ours_us", "xla_us"))
        summary.append({"name": name, "ratio": of_pairs(ratios), "ratios": ratios, "after_us": ours, "before_us": theirs})
        print(f"{name:50} {ours:12.2f} {theirs:12.2f}   {of_pairs(ratios):.4f}  {min(ratios):.3f} to {max(ratios):.3f}")
    print(f"{len(summary)} rows, {arguments.processes} processes: geometric mean {mean([row['ratio'] for row in summary]):.4f}")
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(summary, file, indent=1)
