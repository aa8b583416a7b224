#!/usr/bin/env python3
"""Checks that includes go one way only: a folder includes itself and the folders below it.

Usage: check_layers.py [source root]. Prints each wrong include and exits with 1 when there is one.
"""
import pathlib
import re
import sys

LAYERS = ["core", "futures", "graph", "scheduler", "devices", "ops", "compiler", "pjrt"]
# Beside the stack rather than in it: what each may include.
ALLOWED = {name: set(LAYERS[: i + 1]) for i, name in enumerate(LAYERS)}
ALLOWED["millrace"] = set(LAYERS[: LAYERS.index("compiler") + 1]) | {"millrace"}
ALLOWED["tools"] = {"tools", "millrace"}
# ops.def is data; an element function is a text that OpenCL also takes, so it sees nothing but its neighbours.
ALLOWED["ops/element"] = {"ops/element"}
FREE = {"core/status.def", "core/dtype.def", "ops/ops.def"}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def folder_of(path):
    if path.startswith("ops/element/"):
        return "ops/element"
    return path.split("/", 1)[0]


def wrong_includes(root):
    for folder in sorted({name.split("/")[0] for name in ALLOWED}):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".c", ".h", ".def", ".inc"):
                continue
            name = file.relative_to(root).as_posix()
            owner = folder_of(name)
            for included in INCLUDE.findall(file.read_text(errors="replace")):
                if included in FREE or "/" not in included:
                    continue
                target = folder_of(included)
                if owner != "ops/element" and target == "ops/element":
                    target = "ops"
                if target in ALLOWED and target not in ALLOWED[owner]:
                    yield name, included
            if file.suffix == ".def" and INCLUDE.search(file.read_text(errors="replace")):
                yield name, "anything: a .def is data"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    wrong = list(wrong_includes(root))
    for name, included in wrong:
        print(f"{name} includes {included}")
    print(f"{len(wrong)} wrong includes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
