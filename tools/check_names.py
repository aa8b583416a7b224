"""Every name of ours and every file that a comment or a document speaks of is there, and every lock of the process's is one that
forks know of (core/fork.h). A test.

In the comments of the C sources and of the tools, and anywhere in the documents: a word that begins with `mr_`, `MR_`,
`millrace_` or `MILLRACE_` must stand in some line of code (a word with a star at its end or with `<x>` in it is a pattern), and
a word such as `worker.c` or `compiler/weave/pack.c` must be a file of the tree, by its whole path or the end of it.

usage: check_names.py ROOT
"""

import pathlib
import re
import sys

FOLDERS = "core futures graph scheduler devices collective ops compiler pjrt millrace serve tools python tests perf examples cmake".split()
CODE = {".c", ".h", ".def", ".py", ".inc", ".cmake", ".txt", ".proto", ".in", ".sh"}
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
HASH = re.compile(r"(?m)#[^\n]*")
NAME = re.compile(r"(?<![\w*<.{-])((?:mr|MR|millrace|MILLRACE)_\w*[A-Za-z0-9])(?![\w*<>{-])")
FILE = re.compile(r"(?<![\w/.{}*<-])([\w-]+(?:/[\w-]+)*\.(?:c|h|def|py))(?![\w*<{-])")
# Files of other projects, and names that stand for any.
FOREIGN = {"e_log.c", "program.c", "mr_thing", "mr_thing_release", "MR_CENSUS_things"}
LOCK = re.compile(r"^(?:[ \t]*static[ \t]+)?pthread_(?:mutex|rwlock|spinlock)_t[ \t]+(\w+)", re.M)
LOCK_FREE = ("tests/", "perf/", "tools/", "examples/", "core/fork.")
ABOUT_OTHERS = {"clients.md", "jax-suite.md"}


def files(root):
    for folder in FOLDERS:
        yield from (path for path in (root / folder).rglob("*") if path.is_file() and path.suffix in CODE)
    yield from (root / name for name in ("CMakeLists.txt", "dev"))


def split(path):
    """(comments, code) of one file; of a comment only as many characters as keep its lines' numbers."""
    text = path.read_text(errors="replace")
    pattern = COMMENT if path.suffix in {".c", ".h", ".def", ".inc", ".proto"} else HASH
    code = pattern.sub(lambda match: "\n" * match[0].count("\n"), text)
    comments, end = [], 0
    for match in pattern.finditer(text):
        comments.append("\n" * text.count("\n", end, match.start()))
        comments.append(match[0])
        end = match.end()
    return "".join(comments), code


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    talk, words, paths, locks, listed = [], set(), set(), [], set()
    for path in files(root):
        comments, code = split(path)
        words.update(re.findall(r"\w+", code))
        name = path.relative_to(root).as_posix()
        if path.suffix in {".c", ".h"} and not name.startswith(LOCK_FREE):
            locks += [(name, lock) for lock in LOCK.findall(code)]
            listed.update(re.findall(r"\.lock = &(\w+)", code))
        paths.update(name.split("/", depth)[depth] for depth in range(name.count("/") + 1))
        talk.append((name, comments))
    for document in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        if document.name not in ABOUT_OTHERS:
            talk.append((document.relative_to(root).as_posix(), document.read_text()))
    # Macros and mr_env_int() put some names together: `mr_pjrt_` and a slot's, `MILLRACE_` and a setting's.
    problems = [f"{name}: a fork does not know of the lock {lock}; MR_FORK_LOCK() of core/fork.h makes one that it does"
                for name, lock in locks if lock not in listed]
    for place, text in talk:
        for number, line in enumerate(text.split("\n"), 1):
            for name in NAME.findall(line):
                last = re.sub(r"^(?:(?:mr|MR)_(?:pjrt|OP|ATTR|element|infer|CLASS)|MILLRACE)_", "", name)
                if name not in words | FOREIGN and (last == name or last not in words):
                    problems.append(f"{place}:{number}: nothing is called {name}")
            for name in FILE.findall(line):
                if name not in paths and name not in FOREIGN:
                    problems.append(f"{place}:{number}: there is no {name}")
    print("\n".join(problems) or "everything that is spoken of is there")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
