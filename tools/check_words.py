"""Each lock-free word that has states says who may do what to it. A test.

A word is an atomic field of a struct, or an atomic variable outside functions, of the folders below. It has states when something is done
to it that depends on what was there: by compare-and-swap, by exchange, or by setting and clearing bits. Of such a word there is a comment

    // States of STRUCT.FIELD, OTHER_WORD:
    //
    //   ...the transitions, drawn...
    //
    //   who  operation  order, and with what it pairs  at once

in the file that declares it or in another of the same folder, or room of it, when one of the two is a header. Words of PLAIN need none; what is listed,
and what a comment names, must be there.

An access by a pointer is one to the words whose addresses are assigned to that pointer in the file, and else to those listed in POINTERS.
Where several words have a name, those of the file come first, then those of headers, the nearest first.

usage: check_words.py ROOT
"""

import pathlib
import re
import sys

FOLDERS = "core futures graph scheduler devices collective compiler pjrt millrace".split()
# By word: why it needs no table.
PLAIN = {
    "core/alloc.c: fail_unseen": "a flag of tests: the first who clears it fails",
    "core/alloc.c: made": "a number: it begins anew at 0",
    "core/alloc.c: places": "written once each, and an address needs no publishing",
    "futures/pool.c: all_chunks": "a list that nobody follows",
    "scheduler/fork.c: mr_scheduler_forked": "a flag, set while there is one thread; the first who clears it starts the threads",
    "scheduler/internal.h: mr_scheduler.refs": "a count of references: one more, but never from 0",
    "devices/devices.h: mr_storage.twin": "a number: the first has it, and it orders nothing",
    "devices/host/pool.c: peak_held_bytes": "a statistic: the most there was",
    "devices/host/pool.c: peak_used_bytes": "likewise",
    "devices/host/pool.h: mr_pool_account.peak_bytes_in_use": "likewise",
    "devices/host/pool.h: mr_pool_account.largest_alloc_size": "likewise",
    "devices/opencl/ocl.h: mr_ocl_device.peak_held": "likewise",
    "devices/host/probe.c: together.begin": "a time: the first, read after the loop",
    "devices/host/probe.c: together.end": "a time: the last, likewise",
    "devices/opencl/ocl.h: mr_ocl_device.ended": "changed with the lock; a look without it is a hint",
    "compiler/plan/plan.h: mr_executable.traced_runs": "a statistic: it begins anew with each trace",
    "compiler/run/in_step.c: stretch.error": "the first error of a loop, which orders it: the loop's end",
    "pjrt/objects/objects.h: PJRT_Buffer.external": "a count of the host's own: one less, but never from 0",
}
# By file and pointer: what it points at.
POINTERS = {
    "futures/pool.c: kept": ["kept_blocks"],
    "devices/host/pool.c: list": ["free_blocks", "cold_blocks", "free_structs"],
    "devices/host/account.c: peak": ["peak_held_bytes", "peak_used_bytes", "peak_bytes_in_use", "largest_alloc_size", "peak_held"],
}

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.S)
ATOMIC = r"(?:mr_stop_word|_Atomic\((?:[^()]|\([^()]*\))*\)|_Atomic\s+\w+|atomic_(?!load|store|exchange|compare|fetch|init|thread|signal)\w+)"
# What declares words: an atomic type, or one that the file has made of one.
TYPEDEF = re.compile(rf"\btypedef\s+{ATOMIC}\s+(\w+)\s*;")
STRUCT = re.compile(r"\b(?:struct|union)\b\s*(\w*)\s*$")
CHANGE = re.compile(r"\batomic_(?:compare_exchange_(?:weak|strong)|exchange|fetch_(?:or|and|xor))(?:_explicit)?\(\s*")
# Whatever it is called, and the rest of its comment.
HEADING = re.compile(r"^[ \t]*// States of ([^:\n]*):(.*\n(?:[ \t]*//(?! States of ).*\n)*)", re.M)
COLUMNS = re.compile(r"// +who +operation +order, and with what it pairs +at once\n")
WORD = re.compile(r"\w+(?:\.\w+)?")


def named(heading):
    """The words at its beginning; what comes behind them says more of them."""
    for part in heading.split(", "):
        if not WORD.fullmatch(part):
            return
        yield part


def code_of(text):
    """Without comments and texts, on the same lines."""
    return COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)


def first_argument(code, at):
    """What begins there, until the comma that ends it."""
    depth, begin = 0, at
    while depth or code[at] not in ",)":
        depth += (code[at] in "([") - (code[at] in ")]")
        at += 1
    return code[begin:at].strip()


def name_of(expression):
    """The field or variable at an expression's end, without what it is indexed with."""
    expression = re.sub(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]", "", expression)
    return re.findall(r"\w+", expression)[-1]


def scopes(code):
    """(begin, end, struct's name) of each outermost pair of braces and of each struct in one; None: not a struct."""
    found, open_ones = [], []
    for match in re.finditer(r"[{}]", code):
        if match[0] == "{":
            before = re.sub(r"_Alignas\([^)]*\)|__attribute__\(\(.*?\)\)", "", code[max(0, match.start() - 200) : match.start()])
            struct = STRUCT.search(before)
            open_ones.append((match.start(), struct and struct[1]))
        elif open_ones:
            begin, struct = open_ones.pop()
            if struct == "":  # it has the name of its type, or none
                behind = re.match(r"\s*(\w*)\s*;", code[match.end() :])
                struct = behind[1] if behind else ""
            found.append((begin, match.start(), struct))
    return found


def words_of(code):
    """Declared words: STRUCT.FIELD or VARIABLE."""
    types = "|".join([ATOMIC, *(rf"\b{name}\b" for name in TYPEDEF.findall(code))])
    inside = scopes(code)
    name = r"\w+(?:\[[^\]]*\])*\s*(?:=[^,;]*)?"
    for match in re.finditer(rf"(?:{types})\s*(\*?{name}(?:,\s*{name})*);", code):
        line = code[code.rfind("\n", 0, match.start()) + 1 : match.start()]
        if re.search(r"\b(?:typedef|extern)\b", line):
            continue
        around = [scope for scope in inside if scope[0] < match.start() < scope[1]]
        struct = max(around)[2] if around else None
        if around and struct is None and not re.search(r"\bstatic\b", line):
            continue  # a function's own, which is a pointer to a word
        for one in re.findall(r"\*?(\w+)(?:\[[^\]]*\])*\s*(?:=[^,;]*)?(?:,|$)", match[1]):
            yield f"{struct}.{one}" if struct else one


def changes_of(code):
    """(line, name) of each access that depends on what was there."""
    for match in CHANGE.finditer(code):
        if not re.match(r"\s*#", code[code.rfind("\n", 0, match.start()) + 1 : match.start()]):
            yield code.count("\n", 0, match.start()) + 1, first_argument(code, match.end())


def targets(file, code, expression):
    """Names of the words that an access is one to."""
    name = name_of(expression)
    listed = POINTERS.get(f"{file}: {name}")
    if listed or expression.startswith("&"):
        return listed or [name]
    assigned = re.findall(rf"\*\s*{name} = &([^;]+);", code)
    return [name_of(one) for one in assigned] or [name]


def folder_of(file):
    return file.rsplit("/", 1)[0] + "/"


def words_called(name, file, declared):
    """(file, word) of those that an access in a file can be one to: its own, those of headers, its neighbours' variables."""
    headers = [other for other in declared if other.endswith(".h")]
    neighbours = [other for other in declared if folder_of(other) == folder_of(file)]
    room = [other for other in headers if other.startswith(file.split("/")[0] + "/")]
    for some in ([file], [other for other in neighbours if other in headers], room, headers, neighbours):
        if found := [(other, word) for other in some for word in declared[other] if word.split(".")[-1] == name]:
            return found
    return []


def read(root):
    """By file: its code, and the words that it has tables of."""
    codes, tables = {}, {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]")):
            file = path.relative_to(root).as_posix()
            text = path.read_text()
            codes[file] = code_of(text)
            tables[file] = [word for heading, rest in HEADING.findall(text) if COLUMNS.search(rest) for word in named(heading)]
    return codes, tables


def house_of(file):
    return file.split("/")[0]


def has_table(file, word, tables):
    near = [other for other in tables if house_of(other) == house_of(file) and ".h" in (file[-2:], other[-2:])]
    return any(word in tables[other] for other in {file, *near})


def look(root):
    """(problems, how many words have a table because they need one, how many are listed)."""
    codes, tables = read(root)
    declared = {file: list(words_of(code)) for file, code in codes.items()}
    problems, needed = [], {}
    for file, code in codes.items():
        for line, expression in changes_of(code):
            for name in targets(file, code, expression):
                words = words_called(name, file, declared)
                if not words:
                    problems.append(f"{file}:{line}: nothing atomic is called {name}; POINTERS of this tool says what a pointer points at")
                for word in words:
                    needed.setdefault(word, f"{file}:{line}")
    plain = {f"{file}: {word}" for file, word in needed} & set(PLAIN)
    for (file, word), where in needed.items():
        if f"{file}: {word}" not in plain and not has_table(file, word, tables):
            problems.append(f"{file}: {word} is changed in {where} depending on what was there, and has no table below `// States of {word}:`")
    problems += [f"{name}: listed in this tool as a word without a table, and is none that needs one" for name in PLAIN if name not in plain]
    for file, words in tables.items():
        there = {word for other in declared if house_of(other) == house_of(file) for word in declared[other]}
        problems += [f"{file}: there is a table of {word}'s states, and no such word" for word in words if word not in there]
    return problems, len(needed) - len(plain), len(plain)


def main():
    problems, with_table, listed = look(pathlib.Path(sys.argv[1]).resolve())
    print("\n".join(problems) or f"{with_table} words have a table of their states, {listed} need none")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
