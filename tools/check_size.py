#!/usr/bin/env python3
"""Checks that no source file is over 600 lines and no function over 60, its head and last brace apart. A test.

Goes by how clang-format leaves C: a function's head ends in `) {` and its last brace stands in the first column.

Usage: check_size.py [source root]. Prints what is too long and exits with 1 when there is something.
"""
import pathlib
import re
import sys

FOLDERS = "core futures graph scheduler devices collective ops compiler pjrt millrace serve tools tests perf examples".split()
SUFFIXES = {".c", ".h", ".inc"}
MOST_FILE, MOST_FUNCTION = 600, 60
HEAD_END = re.compile(r"\) \{$")
HEAD_BEGIN = re.compile(r"^[A-Za-z_][^;{}]*[,(]$|^[A-Za-z_][\w \t*]*$")


def functions(lines):
    """(first line's number, lines of the body) of each function."""
    start, head = None, False
    for number, line in enumerate(lines, 1):
        outside = start is None
        if outside and HEAD_END.search(line) and (re.match(r"[A-Za-z_]", line) or head):
            start = number
        elif line == "}" and not outside:
            yield start, number - start - 1
            start = None
        if outside and start is None:
            head = bool(HEAD_BEGIN.match(line)) or (head and line.startswith(" "))
        else:
            head = False


def too_long(root):
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in SUFFIXES or not file.is_file():
                continue
            name, lines = file.relative_to(root).as_posix(), file.read_text(errors="replace").splitlines()
            if len(lines) > MOST_FILE:
                yield f"{name} has {len(lines)} lines, at most {MOST_FILE}"
            for start, length in functions(lines):
                if length > MOST_FUNCTION:
                    yield f"{name}:{start}: a function of {length} lines, at most {MOST_FUNCTION}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    wrong = list(too_long(root))
    print("\n".join(wrong + [f"{len(wrong)} too long"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
