#!/usr/bin/env python3
"""The native API as programs that were compiled against an earlier header see it: what millrace/abi.txt lists is still there, with the same
types, places and numbers.

    check_abi.py ROOT LIBRARY      compares the headers and the library's symbols with the list (a test)
    check_abi.py ROOT --record     writes the list: when a version is released, or before one is, as what it will be

A function must be declared as it was and exported with a symbol version. A field must be where it was; a struct may grow at its end when its first
field is struct_size, and no other may. A constant keeps its number. What the list does not have is told, and has to be recorded.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HEADER = "millrace/engine.h"  # which includes millrace.h


def declarations(root):
    """The header's own text without comments, attributes and what it includes, cut at semicolons outside of braces."""
    source = "".join((root / "millrace" / name).read_text() for name in ("millrace.h", "engine.h"))
    source = re.sub(r"//.*", "", source)
    source = re.sub(r"^\s*#(?:.*\\\n)*.*$", "", source, flags=re.M)
    source = re.sub(r"MILLRACE_(API|CHECKED)|extern \"C\" \{|__attribute__\(\(.*?\)\)", "", source)
    depth, start = 0, 0
    for at, character in enumerate(source):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == ";" and depth <= 0:
            yield " ".join(source[start:at].split())
            start, depth = at + 1, 0


def fields_of(body):
    """Names of a struct's fields, also of those that are declared together or are pointers to functions."""
    for declaration in filter(None, (part.strip() for part in body.split(";"))):
        pointer = re.search(r"\(\*\s*(\w+)\)", declaration)
        for part in [pointer[1]] if pointer else declaration.split(","):
            yield re.search(r"(\w+)(\[[^\]]*\])?$", part.strip())[1]


def read_headers(root):
    functions, structs, constants = {}, {}, []
    for text in declarations(root):
        struct = re.fullmatch(r"typedef struct (\w+) \{(.*)\} \1", text)
        enum = re.search(r"enum (\w+ )?\{(.*)\}", text)
        function = re.fullmatch(r"[\w\s\*]*?(millrace_\w+)\s*\(.*\)", text)
        if struct:
            structs[struct[1]] = list(fields_of(struct[2]))
        elif enum:
            constants += [part.split("=")[0].strip() for part in enum[2].split(",") if part.strip()]
        elif function:
            functions[function[1]] = text.strip()
    return functions, structs, constants


def layouts(root, structs, constants):
    """Sizes, places and numbers, as the compiler has them."""
    lines = [f'#include "{HEADER}"', "#include <stdio.h>", "#include <stddef.h>", "int main(void) {"]
    for name, fields in structs.items():
        lines.append(f'printf("struct {name} %zu", sizeof({name}));')
        lines += [f'printf(" {field}@%zu:%zu", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));' for field in fields]
        lines.append('puts("");')
    lines += [f'printf("constant {name} %lld\\n", (long long){name});' for name in constants]
    lines.append("return 0; }")
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "layout"
        program.with_suffix(".c").write_text("\n".join(lines))
        subprocess.run(["cc", f"-I{root}", program.with_suffix(".c"), "-o", program], check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()


def current(root):
    functions, structs, constants = read_headers(root)
    lines = layouts(root, structs, constants) + [f"function {name} {text}" for name, text in functions.items()]
    return {tuple(line.split(" ", 2)[:2]): line.split(" ", 2)[2] for line in lines}


def struct_complaint(name, was, now):
    size, *fields = was.split()
    names = {field.split("@")[0] for field in fields}
    now_size, *now_fields = now.split()
    moved = [field for field in fields if field not in now_fields]
    if moved:
        return f"{name}: {moved[0]} is not there any more, or elsewhere"
    # What was behind the last field of a shorter struct is nobody's, and may be anything.
    early = [field for field in now_fields if field.split("@")[0] not in names and int(re.split("[@:]", field)[1]) < int(size)]
    if early:
        return f"{name}: {early[0]} is inside the {size} bytes that the struct had"
    if size != now_size and not fields[0].startswith("struct_size@"):
        return f"{name} has {now_size} bytes, it had {size}, and does not begin with struct_size"
    return None


def complaints(recorded, now):
    for key, was in recorded.items():
        kind, name = key
        if key not in now:
            yield f"{kind} {name} is gone"
        elif kind == "struct":
            complaint = struct_complaint(name, was, now[key])
            if complaint:
                yield complaint
        elif was != now[key]:
            yield f"{kind} {name} was {was}, is {now[key]}"
    for key in now.keys() - recorded.keys():
        yield f"{' '.join(key)} is new: check_abi.py --record"
    for key in now.keys() & recorded.keys():
        if key[0] == "struct" and now[key] != recorded[key] and not struct_complaint(key[1], recorded[key], now[key]):
            yield f"struct {key[1]} has grown: check_abi.py --record"


def symbol_complaints(library, now):
    lines = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", library], check=True, capture_output=True, text=True).stdout
    exported = dict(re.findall(r" T (\w+)@+(MILLRACE_\S+)", lines))
    functions = {name for kind, name in now if kind == "function"}
    for name in functions - exported.keys():
        yield f"{name} is declared and not exported with a version"
    for name in exported.keys() - functions:
        yield f"{name} is exported and not declared"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    path, now = root / "millrace" / "abi.txt", current(root)
    if sys.argv[2] == "--record":
        head = "# What programs that were compiled against this version's headers rely on. Written by tools/check_abi.py --record.\n"
        path.write_text(head + "".join(f"{' '.join(key)} {value}\n" for key, value in sorted(now.items())))
        return 0
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    recorded = {tuple(line.split(" ", 2)[:2]): line.split(" ", 2)[2] for line in lines}
    found = [*complaints(recorded, now), *symbol_complaints(sys.argv[2], now)]
    for complaint in found:
        print(complaint)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
