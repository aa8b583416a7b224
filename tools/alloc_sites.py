"""How many of the places that ask for memory have been refused it by some test, and which have not.

A site is a call, in the compiled code of lib/libpjrt_millrace.so or lib/libmillrace.so (all of the engine, the compiler and both
C APIs), of one of the functions of ASKED: those that ask the allocation hook of core/alloc.c. It goes by the source line and
column of the call, so that an inline function counts once. A helper that asks on behalf of others is one site.

A program that links tests/alloc_loop.c writes the places that it made fail into the folder MILLRACE_ALLOC_PLACES: lines of a
binary and a return address in it. Both builds need debug information, and asserts: `./dev alloc-fail` does it all.

usage: alloc_sites.py BUILD PLACES [--min PERCENT]
"""

import argparse
import collections
import functools
import json
import pathlib
import re
import subprocess
import sys

ASKED = ("mr_alloc mr_alloc_zeroed mr_alloc_aligned mr_alloc_error mr_realloc mr_arena_alloc mr_arena_copy mr_arena_str "
         "mr_struct_alloc mr_pool_allocate mr_pool_struct_take").split()
CALL = re.compile(r"^\s*[0-9a-f]+:\s+call\w*\s.*<(?:" + "|".join(ASKED) + r")(?:@plt)?>")
ADDRESS = re.compile(r"^\s*([0-9a-f]+):\s")
LIBRARIES = ("lib/libpjrt_millrace.so", "lib/libmillrace.so")
ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(command, text=None):
    return subprocess.run([str(word) for word in command], input=text, check=True, capture_output=True, text=True).stdout


def return_addresses(binary):
    """Of each such call: the address of the instruction after it."""
    found, after_call = [], False
    for line in run(["llvm-objdump-19", "-d", "--no-show-raw-insn", binary]).split("\n"):
        address = ADDRESS.match(line)
        if address and after_call:
            found.append(int(address[1], 16))
        after_call = CALL.match(line) is not None
    return found


@functools.cache
def name_of(path):
    """A file of the tree by its name there, wherever it was compiled; None for any other."""
    parts = pathlib.PurePath(path).parts
    names = ("/".join(parts[first:]) for first in range(1, len(parts)))
    return next((name for name in names if not name.startswith(("build/", "..")) and (ROOT / name).is_file()), None)


def sites(binary, addresses):
    """(file, line, column) of the calls that return there."""
    lines = run(["llvm-symbolizer-19", f"--obj={binary}", "--output-style=JSON"],
                "".join(f"{address - 1:#x}\n" for address in addresses))
    places = (json.loads(line)["Symbol"][0] for line in lines.splitlines())
    return {(name_of(place["FileName"]), place["Line"], place["Column"]) for place in places}


def refused(folder):
    addresses = collections.defaultdict(set)
    for path in pathlib.Path(folder).iterdir():
        for line in path.read_text().splitlines():
            binary, _, address = line.rpartition(" ")
            addresses[binary].add(int(address, 16))
    return set().union(*(sites(binary, sorted(wanted)) for binary, wanted in addresses.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("places", type=pathlib.Path)
    parser.add_argument("--min", type=float, default=0, help="fails when fewer percent are covered")
    options = parser.parse_args()
    asking = set().union(*(sites(options.build / name, return_addresses(options.build / name)) for name in LIBRARIES))
    covered = asking & refused(options.places)
    left = collections.defaultdict(list)
    for name, line, column in sorted(asking - covered):
        left[name].append(f"{line}:{column}")
    for name, places in sorted(left.items(), key=lambda item: -len(item[1])):
        print(f"{name}: {' '.join(places)}")
    percent = 100 * len(covered) / len(asking)
    print(f"{len(covered)} of {len(asking)} allocation sites were refused memory by some test: {percent:.1f}%")
    sys.exit(percent < options.min)


if __name__ == "__main__":
    main()
