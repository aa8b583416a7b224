#!/usr/bin/env python3
"""Millrace and other task runtimes side by side: `./dev bench tasks`.

Builds each peer of perf/tasks/peers whose package is installed, runs all of them in turn, one sample of every pattern at
a time, so that what changes on the machine changes for everybody, and prints medians in nanoseconds a task.

  tasks.py [--rounds 7] [--threads 1,2] [--peers millrace,rayon,...] [--patterns empty,chain,...] [--json FILE]
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OURS = "millrace"
GRAPHS = ["empty", "chain", "wavefront", "random", "fan"]
PATTERNS = GRAPHS + ["fork-join", "METG(50%)", "spinning", "parked"]
# No runtimes, but what the machine can do: shown, and not counted as somebody's best.
FLOORS = {"serial", "futex"}
# Microseconds a task: smaller graphs.
SMALL = {"libuv": "0.02", "starpu": "0.02"}
# Its submitting thread needs a processor besides the workers, which never sleep: left out where there are as many of them
# as processors.
STARVES = {"starpu"}
OPTIMISE = ["-O3", "-march=native", "-g", "-Wall"]


def package(name):
    """The compiler's flags for a package, or None where it is not installed."""
    found = subprocess.run(["pkg-config", "--cflags", "--libs", name], capture_output=True, text=True)
    return found.stdout.split() if found.returncode == 0 else None


def compiler(*names):
    return next((name for name in names if shutil.which(name)), None)


def recipes():
    """Peer: (compiler, source, flags), or why there is none."""
    cc, cxx, clang = compiler("cc", "gcc"), compiler("c++", "g++"), compiler("clang-19", "clang")
    libomp = clang and any(pathlib.Path("/usr/lib").glob("llvm-*/lib/libomp.so"))
    of = lambda tool, source, flags: (tool, source, flags) if tool and flags is not None else f"{source}: not installed"
    return {
        "serial": of(cc, "serial.c", []),
        "tbb": of(cxx, "tbb_group.cpp", package("tbb")),
        "tbb-flow": of(cxx, "tbb_flow.cpp", package("tbb")),
        "gomp": of(cc, "openmp.c", ["-fopenmp"]),
        "libomp": of(clang if libomp else None, "openmp.c", ["-fopenmp=libomp"]),
        "starpu": of(cc, "starpu.c", package("starpu-1.3")),
        "glib": of(cc, "glib.c", package("glib-2.0")),
        "libuv": of(cc, "libuv.c", package("libuv")),
        "futex": of(cc, "futex.c", []),
    }


def run(command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    return done.stderr.strip() if done.returncode else None


def is_newer(program, *sources):
    return program.exists() and all(program.stat().st_mtime > source.stat().st_mtime for source in sources)


def build_plain(folder, harness, name, recipe):
    tool, source, flags = recipe
    program, path = folder / name, HERE / "peers" / source
    if is_newer(program, path, *harness):
        return program, None
    standard = "-std=c++17" if source.endswith("cpp") else "-std=gnu17"
    error = run([tool, standard, *OPTIMISE, path, *harness, *flags, "-lpthread", "-o", program])
    return program, error


def build_rust(folder, harness, name):
    """Cargo writes beside what it builds, so it gets a copy."""
    program, source = folder / name, HERE / "peers/rust"
    if is_newer(program, source / "peers.rs", source / "Cargo.toml", *harness):
        return program, None
    if not shutil.which("cargo"):
        return program, "cargo is not installed"
    crate = folder / "rust"
    shutil.copytree(source, crate, dirs_exist_ok=True)
    error = run(["cargo", "build", "-q", "--release", "--manifest-path", crate / "Cargo.toml", "--features", name,
                 "--target-dir", crate / name])
    library = crate / name / "release/libpeers.a"
    return program, error or run(["cc", *harness, library, "-lpthread", "-lm", "-ldl", "-o", program])


def build(folder, wanted):
    """The programs that could be built, by peer; says which could not."""
    folder.mkdir(parents=True, exist_ok=True)
    programs, harness = {}, []
    for source in ("harness.c", "graphs.c"):
        target = folder / (source + ".o")
        if not is_newer(target, HERE / "peers" / source, HERE / "peers/harness.h"):
            error = run(["cc", "-std=gnu17", "-D_GNU_SOURCE", *OPTIMISE, "-c", HERE / "peers" / source, "-o", target])
            if error:
                sys.exit(error)
        harness.append(target)
    for name, recipe in recipes().items():
        if wanted and name not in wanted:
            continue
        program, error = build_plain(folder, harness, name, recipe) if isinstance(recipe, tuple) else (None, recipe)
        if error:
            print(f"skipped {name}: {error.splitlines()[0]}")
        else:
            programs[name] = program
    for name in ("rayon", "tokio"):
        if wanted and name not in wanted:
            continue
        program, error = build_rust(folder, harness, name)
        if error:
            print(f"skipped {name}: {error.splitlines()[0]}")
        else:
            programs[name] = program
    return programs


def shield():
    """Real-time priority keeps the machine's other work out of the figures, where it is allowed."""
    prefix = ["chrt", "-r", "5"]
    allowed = shutil.which("chrt") and subprocess.run(prefix + ["true"], capture_output=True).returncode == 0
    return prefix if allowed else []


def one_run(command, who):
    """What it printed, as far as it got in half a minute."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    except subprocess.TimeoutExpired as late:
        print(f"{who}: stopped after half a minute")
        return (late.stdout or b"").decode().rpartition("\n")[0]
    if done.returncode not in (0, 4):
        print(f"{who}: ended with {done.returncode}, {done.stderr.strip()}")
    return done.stdout


def measure(programs, options):
    """{threads: {pattern: {peer: [(ns, handover_ns), ...]}}}"""
    prefix, results = shield(), {}
    if not prefix:
        print("no right to real-time priority: other work on the machine disturbs these figures")
    for round_number in range(options.rounds):
        for threads in options.threads:
            for name, program in programs.items():
                if name in STARVES and threads >= len(os.sched_getaffinity(0)):
                    if round_number == 0:
                        print(f"skipped {name} with {threads} threads: it wants one more processor")
                    continue
                command = [*prefix, str(program), "-t", str(threads), "-s", SMALL.get(name, "1")]
                for pattern in options.patterns or [None]:
                    output = one_run(command + (["-p", pattern] if pattern else []), f"{name} with {threads} threads")
                    for line in output.splitlines():
                        what, ns, line_ns = line.split()
                        samples = results.setdefault(threads, {}).setdefault(what, {}).setdefault(name, [])
                        samples.append((float(ns), float(line_ns)))
        print(f"round {round_number + 1} of {options.rounds}", file=sys.stderr)
    return results


def comparable(by_peer):
    """Samples taken while the processors were about as near to each other as for most of the others."""
    lines = sorted(line for samples in by_peer.values() for _, line in samples)
    usual = lines[len(lines) // 2]
    kept = {}
    for name, samples in by_peer.items():
        near = [ns for ns, line in samples if usual == 0 or 0.6 * usual <= line <= 1.6 * usual]
        kept[name] = near or [ns for ns, _ in samples]
    return kept, lines


def table(results, names):
    for threads, patterns in sorted(results.items()):
        lines = []
        shown = [name for name in [OURS] + [n for n in names if n != OURS] if any(name in p for p in patterns.values())]
        print(f"\n{threads} thread{'s' if threads > 1 else ''}, ns a task, median of {{}}".format(
            max(len(s) for p in patterns.values() for s in p.values())))
        print("| pattern | " + " | ".join(shown) + " | ratio to the best |")
        print("|---" * (len(shown) + 2) + "|")
        ratios, ours_all, best_all = [], [], []
        for pattern in [p for p in PATTERNS if p in patterns]:
            kept, pattern_lines = comparable(patterns[pattern])
            lines += pattern_lines
            medians = {name: statistics.median(values) for name, values in kept.items()}
            peers = {n: v for n, v in medians.items() if n != OURS and n not in FLOORS and v > 0}
            ratio = ""
            if OURS in medians and peers:
                best = min(peers, key=peers.get)
                ratio = f"{medians[OURS] / peers[best]:.2f} ({best})"
                if pattern in GRAPHS:
                    ratios.append(medians[OURS] / peers[best])
                    ours_all.append(medians[OURS])
                    best_all.append(peers[best])
            cells = [f"{medians[n]:.4g}" if n in medians else "-" for n in shown]
            print(f"| {pattern} | " + " | ".join(cells) + f" | {ratio} |")
        if ratios:
            print(f"geometric means over {', '.join(GRAPHS)}: {OURS} {statistics.geometric_mean(ours_all):.1f}, the best peer of "
                  f"each {statistics.geometric_mean(best_all):.1f}, ratio {statistics.geometric_mean(ratios):.2f}")
        if threads == 2 and lines:
            lines.sort()
            print(f"handover_ns {lines[len(lines) // 20]:.0f} to {lines[-1 - len(lines) // 20]:.0f} "
                  f"(median {statistics.median(lines):.0f}); samples far from the median of their pattern do not count")


def main():
    listed = lambda text: [part for part in text.split(",") if part]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=lambda text: [int(n) for n in listed(text)], default=[1, 2])
    parser.add_argument("--peers", type=listed, default=[])
    parser.add_argument("--patterns", type=listed, default=[])
    parser.add_argument("--json")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release/perf/tasks")
    options = parser.parse_args()
    programs = {}
    ours = options.build / OURS
    if ours.exists() and (not options.peers or OURS in options.peers):
        programs[OURS] = ours
    programs.update(build(options.build, options.peers))
    results = measure(programs, options)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results))
    table(results, programs)


if __name__ == "__main__":
    main()
