"""What a developer runs between two thoughts: the tests that a change is likely to break, in about a minute.

    ./dev check                 what differs from the last commit, or, where nothing does, the last commit
    ./dev check --since main    what differs from there
    ./dev check --seconds 300   longer

The format and the checks of the source come first, then a debug build of the chosen tests alone, then these: tests that were changed
themselves, tests that include a header of a changed folder, then the others of its uppermost folder, the short ones first, as long as what
they took last time fits the time given. What did not fit is counted, and `./dev test` runs it.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/debug"
SOURCE_CHECKS = ("layers", "names", "places", "size", "sums", "words")
UNKNOWN_SECONDS = 1.0  # of a test that never ran here


def lines_of(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


def changed_files(since):
    files = set(lines_of("git", "diff", "--name-only", since or "HEAD"))
    files |= set(lines_of("git", "ls-files", "--others", "--exclude-standard"))
    return sorted(files or lines_of("git", "diff", "--name-only", "HEAD~1", "HEAD"))


def target_of(name):
    """By its name, where ctest tells no command since the program is not built yet: folder/test, folder/test_variant."""
    folder, _, stem = name.partition("/")
    while stem and not (ROOT / "tests" / folder / f"test_{stem}.c").exists():
        stem = stem.rpartition("_")[0]
    return f"test_{folder}_{stem}" if stem else None


def tests_by_name():
    """Names of ctest's, each with the target that it runs; those whose target nobody knows are left out."""
    found, target = {}, None
    for line in lines_of("ctest", "--test-dir", str(BUILD), "-N", "-V"):
        if "Test command:" in line:
            match = re.search(r'Test command: (?:"[^"]*/)?(?:\S*/)?([a-z_0-9]+)"?', line)
            target = match and match[1]
        elif match := re.match(r"\s*Test +#\d+: (\S+)", line):
            target = target or target_of(match[1])
            if target:
                found[match[1]] = target
    return found


def seconds_of_last_time():
    path = BUILD / "Testing/Temporary/CTestCostData.txt"
    rows = [line.split() for line in path.read_text().splitlines()] if path.exists() else []
    return {row[0]: float(row[2]) for row in rows if len(row) == 3}


def source_of(target):
    """tests/FOLDER/test_STEM.c of test_FOLDER_STEM, where FOLDER may have underscores."""
    for path in ROOT.glob("tests/*/*.c"):
        stem = path.stem.removeprefix("test_")
        if target in (f"test_{path.parent.name}_{stem}", path.stem):
            return path
    return None


def choose(files, seconds):
    """(names of tests in the order in which they are worth it, how many did not fit)."""
    folders = {str(pathlib.PurePath(file).parent) for file in files if file.endswith((".c", ".h", ".def")) and "/" in file}
    uppermost = {folder.split("/")[0] for folder in folders}
    tests, cost = tests_by_name(), seconds_of_last_time()
    sources = {target: source_of(target) for target in set(tests.values())}
    ranked = []
    for name, target in tests.items():
        source = sources[target]
        text = source.read_text() if source else ""
        if source and str(source.relative_to(ROOT)) in files:
            rank = 0
        elif any(f'#include "{folder}/' in text for folder in folders):
            rank = 1
        elif re.split("[/_]", name)[0] in uppermost:
            rank = 2
        else:
            continue
        ranked.append((rank, cost.get(name, UNKNOWN_SECONDS), name))
    left, chosen = seconds * (os.cpu_count() or 1), []
    for rank, took, name in sorted(ranked):
        if rank == 0 or took <= left:
            chosen.append(name)
            left -= took
    return chosen, tests, len(ranked) - len(chosen)


def ran(what, *command):
    start = time.monotonic()
    result = subprocess.run(command, cwd=ROOT)
    print(f"== {what}: {'passed' if result.returncode == 0 else 'FAILED'}, {time.monotonic() - start:.1f} s", flush=True)
    return result.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--since", help="a commit; else the last one")
    parser.add_argument("--seconds", type=float, default=40.0, help="for the tests (40)")
    arguments = parser.parse_args()
    files = changed_files(arguments.since)
    present = [file for file in files if (ROOT / file).exists()]
    good = True
    sources = [file for file in present if file.endswith((".c", ".h"))]
    if sources:
        good &= ran("format", "clang-format-19", "--dry-run", "--Werror", *sources)
    for check in SOURCE_CHECKS:
        good &= ran(check, sys.executable, f"tools/check_{check}.py", ".")
    chosen, tests, left_out = choose(files, arguments.seconds)
    if chosen:
        targets = sorted({tests[name] for name in chosen})
        if not ran(f"build of {len(targets)} tests", "ninja", "-C", str(BUILD), "--quiet", *targets):
            return 1
        pattern = "^(" + "|".join(map(re.escape, chosen)) + ")$"
        good = ran(f"{len(chosen)} tests", "ctest", "--test-dir", str(BUILD), "-j", str(os.cpu_count() or 1), "--output-on-failure",
                   "-R", pattern) and good
    python = [file for file in present if re.fullmatch(r"tests/(jax|python)/test_.*\.py", file)]
    if python:
        print(f"== not run, as they take the release build: {', '.join(python)}")
    if left_out:
        print(f"== {left_out} more of these folders did not fit in {arguments.seconds:.0f} s; ./dev test runs them")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
