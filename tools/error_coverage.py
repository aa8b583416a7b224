"""How many of the error branches of the product have run in some test: of a build of the `coverage` preset, after its tests.

An error branch is a line of a .c file of the folders of PRODUCT that either
- makes an error: it calls one of MAKERS, or
- hands one on: it has one of the macros of HANDERS, or asks `if (status)`.
A line that does nothing but make one has run when gcov counts it. One that has a condition before that, or hands on, has run when
also no basic block of it was left out, for the condition, the making and the returning are blocks of their own; and `if (status)`
when each of its branches was taken. That is strict where one line has several conditions: each must have been looked at. What is refused without a status (a NULL, a false) is not counted
where it happens but where a status is made of it.

usage: error_coverage.py BUILD [--worst N] [--list FILE] [--min PERCENT]
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRODUCT = "core futures graph scheduler devices collective ops compiler pjrt millrace".split()
MAKERS = ("mr_error mr_error_at MR_NO_MEMORY mr_op_error mr_parse_error mr_parse_unsupported mr_bytecode_error mr_unimplemented "
          "mr_lw_fail mr_emit_fail mr_node_error mr_status_note mr_pjrt_error mr_pjrt_wire_system_error "
          # those of single files
          "wrong damaged broken mr_hlo_not_a no_callback").split()
HANDERS = "MR_TRY MR_PJRT_TRY MR_PJRT_NEED".split()
MAKES = re.compile(r"\b(?:" + "|".join(MAKERS) + r")\(")
HANDS = re.compile(r"\b(?:" + "|".join(HANDERS) + r")\(")
ASKS = re.compile(r"\bif \((?:status|error)(?: != MR_OK| != NULL)?\)")


def kind_of(line):
    line = line.split("//")[0]
    if not line.startswith(" "):  # the head of a function, or a macro's definition
        return None
    maker = MAKES.search(line)
    if maker:
        return "made" if re.search(r"\?|\bif\b", line[: maker.start()]) else "only made"
    return "handed on" if HANDS.search(line) else "asked" if ASKS.search(line) else None


def error_lines(path):
    text = path.read_text().split("\n")
    return {number: kind for number, line in enumerate(text, 1) if (kind := kind_of(line))}


def gcov(notes):
    """{file: [line, ...]} of what was compiled into one object."""
    command = ["gcov", "--json-format", "--branch-probabilities", "--stdout", notes.name]
    text = subprocess.run(command, cwd=notes.parent, check=True, capture_output=True, text=True).stdout
    return {entry["file"]: entry["lines"] for entry in json.loads(text)["files"]}


def has_run(kind, counts):
    """Each function of that line (there is one, or copies of it) as gcov tells it; one that ran all is enough."""
    if kind == "asked":
        return any(line["branches"] and all(arc["count"] for arc in line["branches"]) for line in counts)
    if kind == "only made":
        return any(line["count"] for line in counts)
    return any(line["count"] and not line["unexecuted_block"] for line in counts)


def branches(notes):
    """[(file, number, kind, whether it has run)] of one object."""
    # .../pjrt/CMakeFiles/mr_pjrt.dir/calls/execute.c.gcno is of pjrt/calls/execute.c
    folder, _, rest = notes.as_posix().partition("/CMakeFiles/")
    name = pathlib.Path(folder).name + "/" + rest.partition("/")[2].removesuffix(".gcno")
    if not (ROOT / name).is_file():
        return []
    told = next((lines for file, lines in gcov(notes).items() if file.endswith(name)), [])
    counts = collections.defaultdict(list)
    for line in told:
        counts[line["line_number"]].append(line)
    wanted = error_lines(ROOT / name)
    return [(name, number, kind, has_run(kind, counts[number])) for number, kind in wanted.items() if number in counts]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--worst", type=int, default=25, help="so many files with the most that have not run")
    parser.add_argument("--list", help="writes those that have not run here")
    parser.add_argument("--min", type=float, default=0, help="fails when fewer percent have run")
    options = parser.parse_args()
    notes = [path for folder in PRODUCT for path in sorted((options.build.resolve() / folder).rglob("*.c.gcno"))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [branch for each in pool.map(branches, notes) for branch in each]
    left = [(name, number, kind) for name, number, kind, run in found if not run]
    if options.list:
        pathlib.Path(options.list).write_text("".join(f"{name}:{number}: {kind}\n" for name, number, kind in left))
    total = collections.Counter(name for name, *_ in found)
    for name, count in collections.Counter(name for name, *_ in left).most_common(options.worst):
        print(f"{count:4} of {total[name]:4} have not run: {name}")
    for kind in ("made", "handed on", "asked"):
        run = [ran for _, _, its_kind, ran in found if its_kind.endswith(kind)]
        print(f"{sum(run)} of {len(run)} places where an error is {kind} have run")
    percent = 100 * (1 - len(left) / max(len(found), 1))
    print(f"{len(found) - len(left)} of {len(found)} error branches have run in some test: {percent:.1f}%")
    sys.exit(not found or percent < options.min)


if __name__ == "__main__":
    main()
