#!/usr/bin/env python3
"""Builds the jax-millrace wheel: the Python package, the library beside it, and the metadata. A wheel is a zip."""

import argparse
import base64
import hashlib
import pathlib
import sysconfig
import zipfile

NAME = "jax_millrace"
VERSION = "0.1.0"

METADATA = f"""Metadata-Version: 2.1
Name: jax-millrace
Version: {VERSION}
Summary: An asynchronous dataflow task-graph engine as a JAX backend
License: Apache-2.0
Requires-Python: >=3.11
Requires-Dist: jax>=0.10.2
"""

ENTRY_POINTS = """[jax_plugins]
millrace = jax_plugins.millrace
"""


def wheel_tag():
    # Any Python 3, but the library is for this machine's kind.
    return "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")


def contents(library):
    """(name in the wheel, bytes) of everything but RECORD."""
    package = pathlib.Path(__file__).resolve().parent / "jax_plugins" / "millrace"
    for source in sorted(package.glob("*.py")):
        yield f"jax_plugins/millrace/{source.name}", source.read_bytes()
    yield f"jax_plugins/millrace/{library.name}", library.read_bytes()
    info = f"{NAME}-{VERSION}.dist-info"
    yield f"{info}/METADATA", METADATA.encode()
    yield f"{info}/entry_points.txt", ENTRY_POINTS.encode()
    yield f"{info}/WHEEL", (
        f"Wheel-Version: 1.0\nGenerator: millrace\nRoot-Is-Purelib: false\nTag: {wheel_tag()}\n".encode()
    )
    yield f"{info}/LICENSE", (package.parents[2] / "LICENSE").read_bytes()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    path = arguments.out / f"{NAME}-{VERSION}-{wheel_tag()}.whl"
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in contents(arguments.library):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")
            info = zipfile.ZipInfo(name, date_time=(2024, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            wheel.writestr(info, data)
        record_name = f"{NAME}-{VERSION}.dist-info/RECORD"
        wheel.writestr(record_name, "\n".join(record + [f"{record_name},,"]) + "\n")
    print(path)


if __name__ == "__main__":
    main()
