#!/usr/bin/env python3
"""Counts what compiling takes as a program of one form doubles, in instructions: no machine, neighbour or cache changes that number.

    python3 tools/count_growth.py build/release/tests/test_compiler_growth [FORM ...]

Each form is compiled at 100, 200 and 400 of it under callgrind (Debian's valgrind). What the second doubling adds is compared with what
the first one added: twice as much is linear, four times as much quadratic, and what every compile takes falls out.
EXPLAINED has what grows faster within these sizes and not beyond. Less than --least times as much says that something else happens at
the larger sizes, and nothing about growth. Without FORM: all of
perf/compiler/growth_programs.h and partitioned_programs.h but those that are expected to grow otherwise. The exit status is 1 if
one of them adds more or less.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

COUNTED = "count_growth"  # the function of tests/compiler/test_growth.c
# By form, how many times as much the second doubling may add.
EXPLAINED = {"turned": 3.0}  # temporaries are compared pair by pair, but of many only the MR_PACK_COMPARED largest (compiler/weave/pack.c)


def counts(binary, form=None):
    """{form: (instructions at 100, 200, 400)}"""
    with tempfile.TemporaryDirectory() as folder:
        callgrind = ["valgrind", "--tool=callgrind", f"--toggle-collect={COUNTED}", f"--dump-after={COUNTED}", f"--callgrind-out-file={folder}/out"]
        environment = os.environ | {"MILLRACE_CACHE_DIR": ""}
        run = subprocess.run([*callgrind, binary, "--count", *([form] if form else [])], env=environment, capture_output=True, text=True)
        if run.returncode:
            raise RuntimeError(f"{binary} --count ended with {run.returncode}:\n{run.stderr[-2000:]}")
        names, numbers = run.stdout.split(), []
        for number in range(1, 3 * len(names) + 1):
            with open(f"{folder}/out.{number}") as file:
                numbers.append(int(re.search(r"^(?:summary|totals): (\d+)", file.read(), re.M)[1]))
    return {name: tuple(numbers[3 * i : 3 * i + 3]) for i, name in enumerate(names)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("forms", nargs="*", metavar="FORM")
    parser.add_argument("--most", type=float, default=2.3)
    parser.add_argument("--least", type=float, default=1.5)
    options = parser.parse_args()
    found, failed = {}, 0
    for form in options.forms or [None]:
        found |= counts(options.binary, form)
    for form, (small, middle, large) in found.items():
        ratio = (large - middle) / (middle - small)
        much, little = ratio > EXPLAINED.get(form, options.most), ratio < options.least
        failed += much or little
        print(f"{form:24s} {small / 1e6:9.2f} {middle / 1e6:9.2f} {large / 1e6:9.2f} million, adds {ratio:.3f} times as much{': TOO MUCH' if much else ': TOO LITTLE' if little else ''}")
    print(f"{len(found)} forms, {failed} not between {options.least} and {options.most}")
    return 1 if failed or not found else 0


if __name__ == "__main__":
    sys.exit(main())
