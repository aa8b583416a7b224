"""Every file, folder and function that the documents name is there. A test.

A place is a word in backquotes: `scheduler/worker.c`, `compiler/plan/`, `graph/node.c: input_done`, or a public name such as
`mr_compile` that some header declares.

usage: check_places.py ROOT
"""

import pathlib
import re
import sys

FOLDERS = "core futures graph scheduler devices collective ops compiler pjrt millrace serve tools python tests perf examples docs cmake".split()
PLACE = re.compile(r"`([^`\n]+)`")
FILE = re.compile(r"^((?:%s)(?:/[\w.{},*-]+)*/?)(?:: ([\w, ]+))?$" % "|".join(FOLDERS))
ABOUT_OTHERS = {"clients.md", "jax-suite.md"}  # they name files of other projects
PUBLIC = re.compile(r"^(mr_\w+|millrace_\w+)(?:\(\))?$")


def expand(path):
    """`tests/{core,graph}` stands for two."""
    match = re.search(r"\{([^}]*)\}", path)
    if not match:
        return [path]
    return [found for part in match[1].split(",") for found in expand(path[: match.start()] + part + path[match.end() :])]


def defines(text, function):
    """A definition begins a line and has the name in front of a parenthesis, or a macro or type of that name is there."""
    name = re.escape(function)
    return re.search(rf"^[A-Za-z_][^;\n]*\b{name}\([^;]*?\)\s*(?:\{{|$)|^#define {name}\b|\b(?:def|struct|enum|typedef\b.*) {name}\b", text, re.M | re.S)


def sources(root):
    for folder in FOLDERS:
        for path in (root / folder).rglob("*"):
            if path.suffix in {".c", ".h", ".def", ".py"}:
                yield path


def check(root, document, everything):
    problems = []
    for number, line in enumerate(document.read_text().split("\n"), 1):
        for place in PLACE.findall(line):
            where = f"{document.relative_to(root)}:{number}: "
            match = FILE.match(place)
            if match:
                for path in expand(match[1]):
                    found = list(root.glob(path)) if "*" in path else [root / path] * (root / path).exists()
                    if not found:
                        problems.append(f"{where}there is no {path}")
                    for function in filter(None, (match[2] or "").replace(" ", "").split(",")):
                        if found and not any(defines(file.read_text(), function) for file in found):
                            problems.append(f"{where}{path} has no {function}")
                continue
            match = PUBLIC.match(place)
            if match and not re.search(rf"\b{match[1]}\b", everything):
                problems.append(f"{where}nothing is called {match[1]}")
    return problems


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    everything = "\n".join(path.read_text(errors="replace") for path in sources(root))
    problems = []
    for document in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        if document.name in ABOUT_OTHERS:
            continue
        problems += check(root, document, everything)
    print("\n".join(problems) or "every place is there")
    sys.exit(bool(problems))


main()
