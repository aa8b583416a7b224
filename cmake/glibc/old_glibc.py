#!/usr/bin/env python3
"""Makes what libraries are linked to so that they run on an older glibc than this machine's.

Into the folder --out: for each of glibc's libraries a stub of the same name, which has the symbols that this machine's has in a
version up to --limit, each in the newest such version, and no code. glibc keeps old versions for ever, so these are the
symbols of the older one, except that libc.so.6 has had those of libpthread, libdl and librt only since 2.34: who links to the
stubs names these three as needed (cmake/glibc.cmake). What an older glibc lacks is missing in the stubs too, and the linker
says its name; added.c defines what is wanted. libc.so is a text that links an archive of it.

Into the folder --lib: libmillrace-glibc.so, the same for libraries that are copied and not linked (elf.py: lower)."""

import argparse
import collections
import pathlib
import subprocess
import tempfile

import elf

HERE = pathlib.Path(__file__).resolve().parent
# What -l finds, and what that is a name of.
LINKS = {"libm.so": "libm.so.6", "libpthread.so": "libpthread.so.0", "libdl.so": "libdl.so.2", "librt.so": "librt.so.1"}
ADDED = "libmillrace-glibc.so"


def newest_allowed(library, limit):
    """name -> symbol, of those that a program for the older glibc may be linked to."""
    found = {}
    for symbol in library.symbols:
        if symbol.defined and symbol.kind != "tls" and elf.allowed(symbol.version, limit):
            before = found.get(symbol.name)
            if not before or elf.number_of(before.version) < elf.number_of(symbol.version):
                found[symbol.name] = symbol
    return found


def assembly(symbols):
    """Names of the same data stay names of the same data: a program's copy of `environ` must be glibc's `__environ` too."""
    places = collections.defaultdict(list)
    lines = [".text"]
    for symbol in symbols:
        lines.append(f".{'weak' if symbol.weak else 'globl'} {symbol.name}")
        if symbol.kind == "object":
            places[symbol.value].append(symbol)
        else:
            lines += [f".type {symbol.name}, @function", f"{symbol.name}: ret"]
    lines.append(".data")
    for aliases in places.values():
        lines.append(".balign 32")
        for symbol in aliases:
            lines += [f".type {symbol.name}, @object", f".size {symbol.name}, {symbol.size}", f"{symbol.name}:"]
        lines.append(f".zero {max(1, *(symbol.size for symbol in aliases))}")
    return "\n".join([*lines, '.section .note.GNU-stack, "", @progbits', ""])


def version_script(symbols):
    names = collections.defaultdict(list)
    for symbol in symbols:
        names[symbol.version].append(symbol.name)
    return "".join(f"{version} {{ global: {'; '.join(names[version])}; }};\n" for version in sorted(names, key=elf.number_of))


def make(command, path):
    """Runs a command that makes a file. What is the same as before stays, so that nothing is linked again for it."""
    partial = path.with_name(path.name + ".partial")
    subprocess.run([*command, partial], check=True)
    if path.exists() and path.read_bytes() == partial.read_bytes():
        partial.unlink()
    else:
        partial.rename(path)


def make_stub(compiler, path, limit, out):
    symbols = newest_allowed(elf.Library(path), limit).values()
    with tempfile.TemporaryDirectory() as folder:
        source, script = pathlib.Path(folder, "stub.s"), pathlib.Path(folder, "stub.map")
        source.write_text(assembly(symbols))
        script.write_text(version_script(symbols))
        make([compiler, "-shared", "-nostdlib", f"-Wl,-soname,{path.name}", f"-Wl,--version-script={script}", source, "-o"],
             out / path.name)


def write_names(compiler, out):
    for link, name in LINKS.items():
        (out / link).unlink(missing_ok=True)
        (out / link).symlink_to(name)
    command = [compiler, "-print-file-name=libc_nonshared.a"]
    rest = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    (out / "libc.so").write_text(f"GROUP ( {out}/libc.so.6 {out}/libmillrace-glibc.a {rest} "
                                 f"AS_NEEDED ( {out}/ld-linux-x86-64.so.2 ) )\n")


def make_added(compiler, out, lib):
    flags = [compiler, "-std=gnu17", "-D_GNU_SOURCE", "-O2", "-fPIC", "-Wall", "-Wextra", "-Werror", HERE / "added.c"]
    with tempfile.TemporaryDirectory() as folder:
        member, script = pathlib.Path(folder, "added.o"), pathlib.Path(folder, "added.map")
        subprocess.run([*flags, "-fvisibility=hidden", "-c", "-o", member], check=True)
        (out / "libmillrace-glibc.a.partial").unlink(missing_ok=True)
        make(["sh", "-c", 'ar rcsD "$1" "$0"', member], out / "libmillrace-glibc.a")
        script.write_text("MILLRACE { *; };\n")
        # Whoever needs it has those of glibc's libraries in reach whose symbols are in libc.so.6 by now.
        make([*flags, "-shared", f"-L{out}", "-Wl,--no-as-needed", "-lpthread", "-ldl", "-lrt", "-Wl,-s", "-Wl,-z,defs",
              f"-Wl,-soname,{ADDED}", f"-Wl,--version-script={script}", "-o"], lib / ADDED)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--limit", required=True, type=lambda text: tuple(map(int, text.split("."))), help="such as 2.28")
    parser.add_argument("--out", required=True, type=lambda text: pathlib.Path(text).absolute())
    parser.add_argument("--lib", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    for folder in (arguments.out, arguments.lib):
        folder.mkdir(parents=True, exist_ok=True)
    for path in elf.glibc_files(arguments.compiler):
        make_stub(arguments.compiler, path, arguments.limit, arguments.out)
    write_names(arguments.compiler, arguments.out)
    make_added(arguments.compiler, arguments.out, arguments.lib)


if __name__ == "__main__":
    main()
