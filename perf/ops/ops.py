#!/usr/bin/env python3
"""Every family of operations against XLA:CPU, both in this process, medians of interleaved rounds.

    ./dev bench ops [-- --only REGEX] [--rounds N] [--slow] [--markdown FILE] [--before LIBRARY]

A row is one jitted function on arrays that lie on the device; families/*.py have them. Rounds alternate between the
platforms, so that a slow minute of the machine hits both; a row that comes out slower than XLA:CPU is measured again,
longer, before it is called slow. Both answers are compared as well, loosely: this is where speed is measured, not accuracy.
perf/sides.py says what --before does.
"""

import argparse
import json
import os
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import sides

os.environ.setdefault("JAX_PLATFORMS", sides.platforms())

from families.contractions import convolutions, dots
from families.control import control_flow
from families.elementwise import elementwise
from families.harness import ROWS, Options
from families.linear_algebra import linear_algebra, transforms
from families.movement import indexing, movement, sorting
from families.random_numbers import random_numbers
from families.reductions import normalization, reductions, windows

FAMILIES = (
    elementwise, reductions, movement, indexing, sorting, windows, normalization, dots, convolutions, transforms,
    linear_algebra, random_numbers, control_flow,
)  # fmt: skip


def summarize(markdown):
    measured = [r for r in ROWS if "ratio" in r]
    lines = ["| family | rows | slower than XLA:CPU | median ratio | worst |", "| --- | --- | --- | --- | --- |"]
    for family in dict.fromkeys(r["family"] for r in measured):
        rows = [r for r in measured if r["family"] == family]
        worst = max(rows, key=lambda r: r["ratio"])
        slower = sum(r["ratio"] > 1 for r in rows)
        median = statistics.median(r["ratio"] for r in rows)
        lines.append(f"| {family} | {len(rows)} | {slower} | {median:.2f} | {worst['ratio']:.2f}, {worst['name']} |")
    lines += ["", "| slower | millrace us | XLA:CPU us | ratio |", "| --- | --- | --- | --- |"]
    for r in sorted((r for r in measured if r["ratio"] > 1), key=lambda r: -r["ratio"]):
        lines.append(f"| {r['family']}: {r['name']} | {r['ours_us']:.1f} | {r['xla_us']:.1f} | {r['ratio']:.2f} |")
    text = "\n".join(lines)
    print(text)
    if markdown:
        with open(markdown, "w") as file:
            file.write(text + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="rows whose 'family: name' this finds")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow", action="store_true", help="print only what is slower or differs")
    parser.add_argument("--markdown", help="write the two tables of the end there as well")
    parser.add_argument("--json", help="write the rows there")
    sides.add_arguments(parser)
    arguments = parser.parse_args(namespace=Options)
    if arguments.before:
        sides.compare_libraries(arguments)
        sys.exit()
    for family in FAMILIES:
        family()
    summarize(arguments.markdown)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(ROWS, file, indent=1)
    wrong = [r["name"] for r in ROWS if r.get("same") is False or "error" in r]
    if wrong:
        sys.exit(f"{len(wrong)} rows failed or differ: {', '.join(wrong)}")
