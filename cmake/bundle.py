#!/usr/bin/env python3
"""Copies shared libraries, and what they need besides glibc, so that ours find them beside themselves.

A copy is called libmillrace-X where the original is libX, in file name, soname and the needs of the others, so that no
other library in the process is taken for it. Licences come from the Debian packages that the files belong to; those of
archives that are linked into our libraries are named with --archive. With --glibc the copies run on one as old as that: what
they want of a newer one they want without a version, or of the library --added. Wants patchelf and dpkg-query."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "glibc"))
import elf

COMMON_LICENCES = pathlib.Path("/usr/share/common-licenses")


def output(*command):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout


def needs(library):
    """Sonames that a library was linked to, without glibc's."""
    names = output("patchelf", "--print-needed", library).split()
    return [name for name in names if not elf.GLIBC_LIBRARY.fullmatch(name)]


def places(library):
    """Where the loader finds what a library needs, and what that needs: soname -> path."""
    return dict(re.findall(r"(\S+) => (/\S+)", output("ldd", library)))


def closure(roots):
    """soname -> path of the roots and all they need."""
    found = {}
    waiting = [(output("patchelf", "--print-soname", root).strip(), root) for root in roots]
    while waiting:
        name, path = waiting.pop()
        if name in found:
            continue
        found[name] = path
        where = places(path)
        waiting += [(need, pathlib.Path(where[need])) for need in needs(path)]
    return found


def our_name(soname):
    return "libmillrace-" + soname.removeprefix("lib")


class OldGlibc:
    """Has copies run on a glibc of the version `limit`, with a library of ours beside them for what that lacks."""

    def __init__(self, limit, added):
        self.limit = tuple(map(int, limit.split(".")))
        self.added = added.name
        self.ours = {symbol.name for symbol in elf.Library(added).symbols if symbol.defined}
        self.glibc = elf.glibc_symbols(map(elf.Library, elf.glibc_files()))

    def lower(self, path):
        """Needs to add."""
        return ["--add-needed", self.added] if elf.lower(path, self.glibc, self.limit, self.ours) else []


def copy(path, target, old_glibc):
    # Another name at last: a process that has the library open keeps the file it knows.
    partial = target.with_name(target.name + ".partial")
    shutil.copyfile(path, partial)
    subprocess.run(["strip", "--strip-unneeded", partial], check=True)
    renames = [word for need in needs(path) for word in ("--replace-needed", need, our_name(need))]
    # One change a call: patchelf 0.14 writes over its own strings otherwise.
    added = old_glibc.lower(partial) if old_glibc else []
    for change in (renames, added, ["--set-soname", target.name], ["--set-rpath", "$ORIGIN"]):
        if change:
            output("patchelf", *change, partial)
    partial.chmod(0o755)
    if target.exists() and target.read_bytes() == partial.read_bytes():
        partial.unlink()  # as it was, so that nothing is linked again for it
    else:
        partial.rename(target)


def package_of(path):
    # A path below /usr may be known to dpkg by its link, or with the top folder that /lib was once.
    for spelling in (path, path.resolve(), pathlib.Path(str(path.resolve()).removeprefix("/usr"))):
        result = subprocess.run(["dpkg-query", "-S", spelling], capture_output=True, text=True)
        owners = [line.split(":")[0] for line in result.stdout.splitlines() if not line.startswith("diversion")]
        if owners:
            return owners[0]
    raise SystemExit(f"{path} belongs to no Debian package, so its licence is not known")


def write_licences(files, folder):
    """One text for each package, the licences those refer to, and a list of where everything came from."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    lines = ["What this folder's neighbours were made of, unmodified but for names, and for which versions of glibc's",
             "symbols they want: Debian packages, whose sources are at https://snapshot.debian.org under the names and",
             "versions given.", ""]
    for package in sorted({package_of(path) for path in files}):
        text = pathlib.Path("/usr/share/doc", package, "copyright").read_text(errors="replace")
        (folder / f"{package}.txt").write_text(text)
        for licence in set(re.findall(rf"{COMMON_LICENCES}/([\w.-]*\w)", text)):
            shutil.copyfile(COMMON_LICENCES / licence, folder / licence)
        fields = "${source:Package} ${source:Version}\n"
        source = output("dpkg-query", "-W", "-f", fields, package).splitlines()[0]
        lines.append(f"{package}: source package {source}, licence in {package}.txt")
    (folder / "SOURCES.txt").write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--licences", required=True, type=pathlib.Path)
    parser.add_argument("--archive", action="append", default=[], type=pathlib.Path)
    parser.add_argument("--glibc", help="the oldest that the copies have to run on, such as 2.28")
    parser.add_argument("--added", type=pathlib.Path, help="the library that has what it lacks (old_glibc.py)")
    parser.add_argument("library", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    if bool(arguments.glibc) != bool(arguments.added):
        parser.error("--glibc and --added are wanted together")
    arguments.out.mkdir(parents=True, exist_ok=True)
    old_glibc = OldGlibc(arguments.glibc, arguments.added) if arguments.glibc else None
    found = closure(arguments.library)
    for soname, path in found.items():
        copy(path, arguments.out / our_name(soname), old_glibc)
    write_licences([*found.values(), *arguments.archive], arguments.licences)
    print(";".join(sorted(str(arguments.out / our_name(soname)) for soname in found)), end="")


if __name__ == "__main__":
    main()
