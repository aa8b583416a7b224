#!/usr/bin/env python3
"""Checks, symbol by symbol, that the libraries of a wheel run on the glibc that its tag names, and on nothing else.

Each library they need is in the wheel or a part of glibc; each version they want of glibc is no newer than the tag says, and each
they want of another library that one defines; each symbol that they want without a version is in a library of the wheel, or in
any glibc from that one on; an extension's may also be Python's. What this machine's glibc has in old versions stands for what the old one has, and
what this Python has for what others have: the limited API, which extensions are compiled for, has no more.

usage: check_wheel.py WHEEL    prints a line for each library, then what is wrong, and exits with 1 when something is"""

import ctypes
import pathlib
import re
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cmake" / "glibc"))
import elf

TAG = re.compile(r"-manylinux_(\d+)_(\d+)_x86_64\.whl$")
# Of the libraries that PEP 600's profile of glibc 2.28 has on every machine, glibc's own.
GLIBC = {"ld-linux-x86-64.so.2", "libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libresolv.so.2", "libutil.so.1"}
PYTHON = re.compile(r"_?Py[A-Z_]")
SERVER = "millrace-serve"  # the only program
MOVED = {"libpthread.so.0", "libdl.so.2", "librt.so.1"}  # what libc.so.6 has had since 2.34 was in one of these


class Glibc:
    def __init__(self, limit):
        files = {path.name: elf.Library(path) for path in elf.glibc_files()}
        self.limit = limit
        self.versions = elf.glibc_symbols(files.values())
        libc = elf.glibc_symbols([files["libc.so.6"]])
        self.moved = {name for name, versions in libc.items() if not elf.allowed(versions[-1], limit) and elf.allowed(versions[0], limit)}


def highest(library):
    """Of each prefix the newest version that is wanted: {"GLIBC": "2.27", "GLIBCXX": "3.4.29"}."""
    found = {}
    for need in library.needs:
        prefix, _, number = need.version.rpartition("_")
        key = [int(part) for part in re.findall(r"\d+", number)]
        found[prefix] = max(found.get(prefix, ([], "")), (key, number))
    return {prefix: number for prefix, (_, number) in sorted(found.items())}


def closure(library, libraries):
    """The names of all that is loaded with a library."""
    found, waiting = set(), [library.path.name]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += libraries[name].needed if name in libraries else []
    return found


def wrong_needs(library, libraries, glibc):
    for name in library.needed:
        if name not in libraries and name not in GLIBC:
            yield f"needs {name}, which is neither in the wheel nor a part of glibc"
    if library.packed and glibc.limit < elf.RELR_SINCE:
        yield "has packed relocations (DT_RELR), which glibc reads since 2.36"
    for need in library.needs:
        if need.library in libraries:
            if need.version not in libraries[need.library].versions.values():
                yield f"wants {need.version} of {need.library}, which does not define it"
        elif need.library in GLIBC and not elf.allowed(need.version, glibc.limit):
            yield f"wants {need.version} of {need.library}, at most GLIBC_{glibc.limit[0]}.{glibc.limit[1]} is there"


def wrong_symbols(library, libraries, glibc, defined):
    loaded = closure(library, libraries)
    for symbol in library.symbols:
        if symbol.defined:
            continue
        if symbol.name in glibc.moved and (symbol.library or "libc.so.6") == "libc.so.6" and not MOVED <= loaded and not symbol.weak:
            yield f"wants {symbol.name}, which libc.so.6 has not always had, and does not load {', '.join(sorted(MOVED - loaded))}"
        if symbol.library in libraries:
            if (symbol.name, symbol.version) not in defined[symbol.library]:
                yield f"wants {symbol.name}@{symbol.version} of {symbol.library}, which does not define it"
        elif symbol.library:
            if symbol.version not in glibc.versions.get(symbol.name, []):
                yield f"wants {symbol.name}@{symbol.version} of {symbol.library}, which this machine's glibc does not define"
        elif not symbol.weak:
            if library.path.name.endswith(".abi3.so") and PYTHON.match(symbol.name) and hasattr(ctypes.pythonapi, symbol.name):
                continue
            here = any((symbol.name, None) in defined[name] for name in loaded & set(libraries))
            if not here and not elf.is_plain(glibc.versions.get(symbol.name, []), glibc.limit):
                yield f"wants {symbol.name}, which nothing that is loaded with it defines"


def check(files, limit):
    """(library, what is wrong) of each thing."""
    libraries = {path.name: elf.Library(path) for path in files}
    # With its version and without one.
    defined = {name: {(symbol.name, version) for symbol in library.symbols if symbol.defined for version in (symbol.version, None)}
               for name, library in libraries.items()}
    glibc = Glibc(limit)
    for name, library in libraries.items():
        for problem in wrong_needs(library, libraries, glibc):
            yield name, problem
        for problem in wrong_symbols(library, libraries, glibc, defined):
            yield name, problem


def main():
    wheel = pathlib.Path(sys.argv[1])
    tag = TAG.search(wheel.name)
    if not tag:
        raise SystemExit(f"{wheel.name} names no glibc; manylinux_<major>_<minor>_x86_64 was wanted at its end")
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel) as archive:
        files = [pathlib.Path(archive.extract(name, folder)) for name in archive.namelist() if ".so" in pathlib.Path(name).name or pathlib.Path(name).name == SERVER]
        for path in files:
            library = elf.Library(path)
            wanted = sum(not symbol.defined for symbol in library.symbols)
            print(f"{path.name}: {wanted} symbols;", ", ".join(f"{a} {b}" for a, b in highest(library).items()))
        problems = list(check(files, (int(tag[1]), int(tag[2]))))
    for name, problem in problems:
        print(f"{name} {problem}")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
