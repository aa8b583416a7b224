#!/usr/bin/env python3
"""JAX's own tests on millrace, compared test by test with XLA:CPU.

    ./dev jax-suite FOLDER                     every file, then the comparison
    ./dev jax-suite FOLDER --write             the same, and the table of docs/jax-suite.md made anew
    ./dev jax-suite FOLDER --only 'lax_test*'  some entries
    ./dev jax-suite FOLDER --again             only the tests that did not pass the last time
    ./dev jax-suite --report                   runs nothing: what the kept results say

FOLDER is a checkout of the repository jax-ml/jax at the tag of the jax that is installed (jax-v0.10.2). Nothing in it is
changed: the tests are copied to the folder for results, build/jax-suite.

Each file runs in a process of its own. A test that ends its process or runs over its time is counted as crashed or hung,
and another process goes on after it. A test that XLA:CPU skips or fails says nothing and is not counted. The exit status
is 0 if 99 of 100 of the others pass, none crashes or hangs, and docs/jax-suite.md names each that does not pass.
"""

import argparse
import fnmatch
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "jax-suite.md"
REFUSED = "SPMD partitioning over"
TABLE = ("<!-- ./dev jax-suite writes from here -->", "<!-- to here -->")

# File, devices (0: as the file finds them), 64-bit types. Long ones first, so that two processes end together.
ENTRIES = """
lax_control_flow_test 0 no
api_test 0 no
lax_test 0 no
lax_test 0 yes
lax_autodiff_test 0 no
lax_autodiff_test 0 yes
nn_test 0 no
core_test 0 no
lax_numpy_operators_test 0 no
lax_numpy_operators_test 0 yes
batching_test 0 no
custom_api_test 0 no
state_test 0 no
random_test 0 no
random_impl_test 0 no
lax_numpy_ufuncs_test 0 no
lax_numpy_vectorize_test 0 no
pjit_test 1 no
array_test 1 no
debug_nans_test 0 no
jax_jit_test 0 no
pickle_test 0 no
device_test 0 no
shard_map_test 8 no
pjit_test 8 no
pmap_test 8 no
mutable_array_test 8 no
array_test 8 no
python_callback_test 2 no
debugging_primitives_test 2 no
jaxpr_effects_test 2 no
layout_test 8 no
ffi_test 8 no
buffer_callback_test 0 no
compilation_cache_test 0 no
"""


class Entry:
    def __init__(self, line):
        self.file, devices, wide = line.split()
        self.devices, self.wide = int(devices), wide == "yes"
        plural = "s" if self.devices > 1 else ""
        self.name = self.file + (f", {self.devices} device{plural}" if self.devices else "")
        self.name += ", 64-bit" if self.wide else ""
        self.slug = re.sub(r"\W+", "-", self.name)


def environment(entry, platform, options, folder):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("JAX_", "XLA_", "SUITE_"))}
    path = [str(ROOT / "tools"), str(ROOT / "python"), clean.get("PYTHONPATH", "")]
    clean.update(
        JAX_PLATFORMS=platform,
        JAX_ENABLE_X64=str(int(entry.wide)),
        JAX_NUM_GENERATED_CASES=str(options.cases),
        MPLBACKEND="agg",
        HYPOTHESIS_STORAGE_DIRECTORY=str(folder / "hypothesis"),
        PYTHONPATH=os.pathsep.join(filter(None, path)),
        SUITE_EXTRA=str(options.out / "checkout" / "extra"),
        SUITE_JOURNAL=str(folder / "journal"),
        SUITE_SETTLED=str(folder / "settled"),
    )
    if entry.devices:
        count = str(entry.devices)
        clean.update(JAX_NUM_CPU_DEVICES=count, MILLRACE_NUM_DEVICES=count, SUITE_DEVICES=count)
    return clean


class Journal:
    """What one process has noted so far, and when it last did."""

    def __init__(self, path):
        self.path, self.at = path, 0
        self.collected, self.ended, self.running, self.broken = None, {}, None, ""
        self.heard = time.monotonic()
        path.write_text("")

    def read(self):
        with open(self.path, "rb") as file:
            file.seek(self.at)
            text = file.read()
        text = text[: text.rfind(b"\n") + 1]
        self.at += len(text)
        for line in map(json.loads, text.splitlines()):
            self.heard = time.monotonic()
            self.collected = line.get("collected", self.collected)
            self.broken += line.get("broken", "")
            self.running = line.get("starts")
            if "ended" in line:
                self.ended[line["ended"]] = {k: line[k] for k in ("how", "why", "seconds")}


def watch(process, journal, limit):
    """Waits for the process; True if it had to be killed since nothing was heard of it for too long.

    Between tests, which is when Python starts and imports, two minutes more count as nothing wrong."""
    hung = False
    while process.poll() is None and not hung:
        time.sleep(0.2)
        journal.read()
        hung = time.monotonic() - journal.heard > limit + (0 if journal.running else 120)
    try:
        os.killpg(process.pid, signal.SIGKILL)  # and whatever the tests left running
    except ProcessLookupError:
        pass
    process.wait()
    journal.read()
    return hung


def last_words(path):
    lines = [line for line in path.read_text(errors="replace").splitlines() if line.strip()]
    return " / ".join(lines[-3:])[-300:]


def run_file(entry, platform, options, chosen):
    """{test: {how, why, seconds}} of one file; how is passed, failed, skipped, crashed, hung or missing."""
    folder = options.out / platform.partition(",")[0] / entry.slug
    folder.mkdir(parents=True, exist_ok=True)
    variables = environment(entry, platform, options, folder)
    if chosen is not None:
        variables["SUITE_CHOSEN"] = str(folder / "chosen")
        (folder / "chosen").write_text("\n".join(chosen))
    command = [sys.executable, "-m", "pytest", "-q", "-s", "--tb=short", "-p", "jax_suite_record", "-p", "no:cacheprovider"]
    command.append(f"tests/{entry.file}.py")
    results, names, attempt = {}, None, 0
    while True:
        attempt += 1
        (folder / "settled").write_text("\n".join(results))
        journal = Journal(folder / "journal")
        log = folder / f"log.{attempt}"
        with open(log, "wb") as output:
            process = subprocess.Popen(command, cwd=options.out / "checkout", env=variables, stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            hung = watch(process, journal, options.limit)
        names = names or journal.collected
        results.update(journal.ended)
        if journal.running is None:  # it came to its end, or to none outside every test
            break
        how = "hung" if hung else "crashed"
        why = f"over {options.limit} s" if hung else f"exit status {process.returncode}: {last_words(log)}"
        results[journal.running] = {"how": how, "why": why, "seconds": 0.0}
    why = journal.broken or last_words(log)
    for name in names or ["(the file itself)"]:
        results.setdefault(name, {"how": "missing", "why": why, "seconds": 0.0})
    return results


def copy_checkout(source, target):
    """The tests, and the one module of JAX that they import and its package leaves out."""
    if not (source / "tests" / "lax_test.py").is_file():
        sys.exit(f"{source} is no checkout of JAX: there is no tests/lax_test.py in it")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source / "tests", target / "tests")
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(source / name, target / name)
    helper = "hypothesis_test_util.py"
    (target / "extra").mkdir()
    shutil.copy(source / "jax" / "_src" / helper, target / "extra" / helper)


class Results:
    """A file of {entry: {test: result}}, written after each entry."""

    def __init__(self, path):
        self.path, self.lock = path, threading.Lock()
        self.entries = json.loads(path.read_text()) if path.is_file() else {}

    def add(self, entry, results):
        with self.lock:
            self.entries.setdefault(entry.name, {}).update(results)
            self.path.write_text(json.dumps(self.entries, indent=0))

    def forget(self, entry):
        with self.lock:
            self.entries.pop(entry.name, None)


def counted(results):
    numbers = {}
    for result in results.values():
        numbers[result["how"]] = numbers.get(result["how"], 0) + 1
    return ", ".join(f"{number} {how}" for how, number in sorted(numbers.items()))


def run_all(entries, platform, options, store, only_lost=None):
    def one(entry):
        chosen = None
        if only_lost is not None:
            chosen = only_lost(entry)
            if not chosen:
                return
        else:
            store.forget(entry)
        began = time.monotonic()
        results = run_file(entry, platform, options, chosen)
        store.add(entry, results)
        print(f"{platform:14} {entry.name:34} {counted(results)}, {time.monotonic() - began:.0f} s", flush=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, entries))


def lost_tests(entry, reference, ours):
    """The tests that pass on XLA:CPU and not here, with what became of them here."""
    here = ours.entries.get(entry.name, {})
    absent = {"how": "missing", "why": "not run"}
    wanted = sorted(name for name, result in reference.entries.get(entry.name, {}).items() if result["how"] == "passed")
    return wanted, {name: here.get(name, absent) for name in wanted if here.get(name, absent)["how"] != "passed"}


def table(entries, reference, ours):
    """The rows of the page, and {entry: lost tests}."""
    groups = (("one device", lambda e: e.devices < 2), ("several devices", lambda e: e.devices > 1))
    lines, lost_of = ["| file | passes on XLA:CPU | of these here |", "| --- | ---: | ---: |"], {}
    for title, belongs in groups:
        both = [0, 0]
        for entry in filter(belongs, entries):
            if entry.name not in ours.entries:
                continue
            wanted, lost = lost_tests(entry, reference, ours)
            lost_of[entry.name] = lost
            lines.append(f"| {entry.name} | {len(wanted)} | {len(wanted) - len(lost)} |")
            both = [both[0] + len(wanted), both[1] + len(wanted) - len(lost)]
        if both[0]:
            lines.append(f"| **all of {title}** | {both[0]} | {both[1]} ({100 * both[1] / both[0]:.2f}%) |")
    return lines, lost_of


def write_page(lines):
    text = PAGE.read_text()
    start, end = (text.find(mark) for mark in TABLE)
    if start < 0 or end < start:
        sys.exit(f"{PAGE} does not have the lines {TABLE[0]!r} and {TABLE[1]!r}")
    PAGE.write_text(text[: start + len(TABLE[0])] + "\n\n" + "\n".join(lines) + "\n\n" + text[end:])


def report(entries, reference, ours, write):
    """Prints the comparison; True if it is as the top of this file says it has to be."""
    lines, lost_of = table(entries, reference, ours)
    print("\n".join(lines))
    page = PAGE.read_text()
    good, total, lost_total, refused = True, 0, 0, 0
    for entry in entries:
        lost = lost_of.get(entry.name, {})
        if entry.devices < 2 and entry.name in lost_of:
            total += len(lost_tests(entry, reference, ours)[0])
            lost_total += len(lost)
        for name, result in lost.items():
            why = " ".join(result["why"].split())[:300]
            if entry.devices > 1 and REFUSED in why:
                refused += 1
                continue
            known = name in page
            good = good and known and result["how"] not in ("crashed", "hung")
            print(f"{result['how']}{'' if known else ', not in the page'}: {entry.name}: {name}: {why}")
    if refused:
        print(f"on several devices {refused} tests are answered UNIMPLEMENTED: {REFUSED} ...")
    if write:
        write_page(lines)
    return good and lost_total * 100 <= total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, help="a checkout of JAX's repository")
    parser.add_argument("--only", action="append", metavar="GLOB", help="entries by name, such as 'lax_test*'; may repeat")
    parser.add_argument("--one-device", action="store_true", help="leave out what wants several devices")
    parser.add_argument("--again", action="store_true", help="run only what did not pass the last time")
    parser.add_argument("--report", action="store_true", help="run nothing")
    parser.add_argument("--write", action="store_true", help="write the table of docs/jax-suite.md")
    parser.add_argument("--fresh", action="store_true", help="run XLA:CPU's part again, which is kept otherwise")
    parser.add_argument("--cases", type=int, default=5, help="JAX_NUM_GENERATED_CASES (5)")
    parser.add_argument("--limit", type=int, default=180, help="seconds a test may take (180)")
    parser.add_argument("--jobs", type=int, default=2, help="files at a time (2)")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "jax-suite", help="folder for results and logs")
    options = parser.parse_args()
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    entries = [Entry(line) for line in ENTRIES.strip().splitlines()]
    if options.only:
        entries = [e for e in entries if any(fnmatch.fnmatch(e.name, glob) for glob in options.only)]
    if options.one_device:
        entries = [e for e in entries if e.devices < 2]
    reference = Results(options.out / f"cpu.{options.cases}.json")
    ours = Results(options.out / f"millrace.{options.cases}.json")
    if not options.report:
        if options.folder is None:
            parser.error("a folder is needed: a checkout of the repository jax-ml/jax")
        copy_checkout(options.folder.resolve(), options.out / "checkout")
        missing = [e for e in entries if options.fresh or e.name not in reference.entries]
        run_all(missing, "cpu", options, reference)
        pick = (lambda entry: list(lost_tests(entry, reference, ours)[1])) if options.again else None
        run_all(entries, "millrace", options, ours, pick)
    sys.exit(0 if report(entries, reference, ours, options.write) else 1)


if __name__ == "__main__":
    main()
