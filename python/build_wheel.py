#!/usr/bin/env python3
"""Builds the jax-millrace wheel: the Python packages, the libraries beside them, and the metadata. A wheel is a zip."""

import argparse
import base64
import hashlib
import pathlib
import re
import shutil
import struct
import subprocess
import zlib

NAME = "jax_millrace"
PACKAGE = pathlib.Path(__file__).resolve().parent / "jax_plugins" / "millrace"
VERSION = re.search(r'__version__ = "(.*)"', (PACKAGE / "__init__.py").read_text())[1]
LEAST_PYTHON = ".".join(re.search(r"LEAST_PYTHON = \((\d+), (\d+)\)", (PACKAGE / "diagnosis.py").read_text()).groups())
INFO = f"{NAME}-{VERSION}.dist-info"
PLUGIN = "libpjrt_millrace.so"
# What `import millrace` needs besides: the C library, which lies with the libraries that it shares with the plugin, and the extension. It is for each
# CPython from LEAST_PYTHON on, so that the wheel's tag names none, and says so itself where it cannot be loaded.
MODULE = PACKAGE.parents[1] / "millrace"
LIBRARY = "libmillrace.so.0"
EXTENSION = "_core.abi3.so"
SERVER = "millrace-serve"  # a program, which python -m millrace.serve starts, beside the libraries that it uses
OLDEST = (2, 28)  # the glibc that cmake/glibc.cmake links for

METADATA = f"""Metadata-Version: 2.1
Name: jax-millrace
Version: {VERSION}
Summary: An asynchronous dataflow task-graph engine as a JAX backend
License: Apache-2.0
Requires-Python: >={LEAST_PYTHON}
Requires-Dist: jax>=0.4.35
"""

ENTRY_POINTS = """[jax_plugins]
millrace = jax_plugins.millrace

[torch_xla.plugins]
millrace = jax_plugins.millrace.pytorch:Plugin

[console_scripts]
jax-millrace = jax_plugins.millrace.__main__:main
"""


def wheel_tag(libraries):
    """Any Python 3, and the newest glibc that one of the libraries wants, which is no older than the one they are linked for."""
    newest = OLDEST
    for library in libraries:
        command = ["readelf", "--wide", "--version-info", library]
        versions = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        # ABI_DT_RELR has no number; it is 2.36's.
        found = [(int(a), int(b)) for a, b in re.findall(r"GLIBC_(\d+)\.(\d+)", versions)]
        found += [(2, 36)] * ("GLIBC_ABI_DT_RELR" in versions)
        newest = max([newest, *found])
    return "py3-none-manylinux_{}_{}_x86_64".format(*newest)


def contents(libraries, licences, tag):
    """(name in the wheel, bytes) of everything but RECORD."""
    for source in sorted(PACKAGE.glob("*.py")):
        yield f"jax_plugins/millrace/{source.name}", source.read_bytes()
    for source in sorted(MODULE.glob("*.py")):
        yield f"millrace/{source.name}", source.read_bytes()
    for library in libraries:  # and the server
        folder = "millrace" if library.name == EXTENSION else "jax_plugins/millrace"
        yield f"{folder}/{library.name}", library.read_bytes()
    yield f"{INFO}/METADATA", METADATA.encode()
    yield f"{INFO}/entry_points.txt", ENTRY_POINTS.encode()
    yield f"{INFO}/WHEEL", f"Wheel-Version: 1.0\nGenerator: millrace\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    yield f"{INFO}/licenses/LICENSE", (PACKAGE.parents[2] / "LICENSE").read_bytes()
    for licence in licences:
        yield f"{INFO}/licenses/bundled/{licence.name}", licence.read_bytes()


def with_record(files):
    record = []
    for name, data in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(data)}")
        yield name, data
    name = f"{INFO}/RECORD"
    yield name, ("\n".join([*record, f"{name},,"]) + "\n").encode()


def deflate(data):
    """Compressed by libdeflate, where its command is there: a thirtieth less than zlib makes of it, in as much time."""
    if not shutil.which("libdeflate-gzip"):
        return zlib.compress(data, level=9, wbits=-15)
    packed = subprocess.run(["libdeflate-gzip", "-12", "-c"], input=data, check=True, capture_output=True).stdout
    if packed[:4] != b"\x1f\x8b\x08\x00":
        raise SystemExit(f"libdeflate-gzip's output begins with {packed[:4].hex()}, wanted 1f8b0800: gzip with no name in its head")
    return packed[10:-8]  # without gzip's head, checksum and size


def write_zip(path, files):
    """By hand, because zipfile takes nothing that is compressed already."""
    date = (2024 - 1980) << 9 | 1 << 5 | 1  # the same whenever it is built
    directory, count = b"", 0
    with path.open("wb") as wheel:
        for name, data in files:
            packed = deflate(data)
            # Version wanted, flags, method, time, date, checksum, sizes, lengths of the name and of what follows it.
            head = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, date, zlib.crc32(data), len(packed), len(data), len(name), 0) + name.encode()
            # And made by version 2.0 on Unix; after those no comment, the first disk, binary, the file's mode, where it is.
            mode = 0o100755 if name.endswith(f"/{SERVER}") else 0o100644  # which pip and uv give the file
            entry = head[:26] + struct.pack("<HHHII", 0, 0, 0, mode << 16, wheel.tell()) + name.encode()
            directory += b"PK\1\2" + struct.pack("<H", 3 << 8 | 20) + entry
            wheel.write(b"PK\3\4" + head + packed)
            count += 1
        end = struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), wheel.tell(), 0)
        wheel.write(directory + b"PK\5\6" + end)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, help="a build folder; preset dist needs only glibc")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--info", type=pathlib.Path, help="instead: put the metadata there, for an environment that finds a checkout's package")
    arguments = parser.parse_args()
    if arguments.info:
        (arguments.info / INFO).mkdir(parents=True, exist_ok=True)
        (arguments.info / INFO / "METADATA").write_text(METADATA)
        (arguments.info / INFO / "entry_points.txt").write_text(ENTRY_POINTS)
        return
    if not arguments.build or not arguments.out:
        parser.error("--build and --out are wanted, or --info")
    arguments.out.mkdir(parents=True, exist_ok=True)
    libraries = [arguments.build / "lib" / PLUGIN, *sorted((arguments.build / "lib").glob("libmillrace-*.so*"))]
    extension = arguments.build / "python" / "millrace" / EXTENSION
    if extension.exists():  # built where Python's headers are
        libraries += [arguments.build / "lib" / LIBRARY, extension, arguments.build / "bin" / SERVER]
    tag = wheel_tag(libraries)
    path = arguments.out / f"{NAME}-{VERSION}-{tag}.whl"
    write_zip(path, with_record(contents(libraries, sorted((arguments.build / "licences").glob("*")), tag)))
    print(path)


if __name__ == "__main__":
    main()
