#!/usr/bin/env python3
"""What is handed out, in one folder: the wheel, the C library with its command, the source, and their checksums; each checked.

    ./dev release            what the last commit is; the changelog may say that it is not yet released
    ./dev release --final    the same for a version with a date, of a tree without changes

The exit status is 0 when all is there and every check holds.
"""

import argparse
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACES = {
    "CMakeLists.txt": r"project\(millrace VERSION (\S+)",
    "core/version.h": r'#define MILLRACE_VERSION "(.*)"',
    "python/jax_plugins/millrace/__init__.py": r'__version__ = "(.*)"',
    "CHANGELOG.md": r"(?m)^## (\d[^,\n]*)",
}


def versions(root=ROOT):
    """What each place says, the first that matches."""
    found = {}
    for name, pattern in PLACES.items():
        match = re.search(pattern, (root / name).read_text())
        found[name] = match[1] if match else None
    return found


def dated(changelog):
    """What stands after the newest version: a date, or that there is none yet."""
    return re.search(r"(?m)^## \d[^,\n]*, (.*)$", changelog)[1]


def command(*words):
    return subprocess.run(list(map(str, words)), cwd=ROOT, check=True, capture_output=True, text=True).stdout


def troubles(final, root=ROOT):
    found = versions(root)
    if len(set(found.values())) != 1:
        yield "versions differ: " + ", ".join(f"{name} {version}" for name, version in found.items())
    if not final:
        return
    if command("git", "-C", root, "status", "--porcelain").strip():
        yield "the tree has changes that are not committed"
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", dated((root / "CHANGELOG.md").read_text())):
        yield f"CHANGELOG.md has no date for {found['CHANGELOG.md']}"


def pack(folder, name, out):
    """A folder as an archive that is the same for the same content."""
    def plain(info):
        info.uid = info.gid = info.mtime = 0
        info.uname = info.gname = ""
        return info

    with tarfile.open(out, "w:xz") as archive:
        archive.add(folder, name, recursive=False, filter=plain)
        for file in sorted(folder.rglob("*")):
            archive.add(file, f"{name}/{file.relative_to(folder)}", recursive=False, filter=plain)


def build(version, out):
    """Writes the artefacts, and yields each."""
    (wheel,) = (ROOT / "build" / "wheel").glob("*.whl")
    if f"-{version}-" not in wheel.name:
        raise SystemExit(f"{wheel.name} is of another version, wanted {version}: ./dev wheel builds it")
    shutil.copy(wheel, out)
    yield out / wheel.name
    name = f"millrace-{version}-linux-x86_64"
    prefix = out / name
    command("cmake", "--install", ROOT / "build" / "dist", "--prefix", prefix)
    pack(prefix, name, out / f"{name}.tar.xz")
    shutil.rmtree(prefix)
    yield out / f"{name}.tar.xz"
    source = out / f"millrace-{version}.tar.gz"
    command("git", "archive", f"--prefix=millrace-{version}/", "-o", source, "HEAD")
    yield source


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--final", action="store_true", help="refuse a tree with changes and a version without a date")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "artefacts")
    arguments = parser.parse_args()
    found = list(troubles(arguments.final))
    for trouble in found:
        print(f"error: {trouble}", file=sys.stderr)
    if found:
        return 1
    version = versions()["CMakeLists.txt"]
    subprocess.run(["./dev", "wheel"], cwd=ROOT, check=True)  # and build/dist
    shutil.rmtree(arguments.out, ignore_errors=True)
    arguments.out.mkdir(parents=True)
    sums = []
    for file in build(version, arguments.out):
        sums.append(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n")
        print(f"{file.stat().st_size / 1e6:7.1f} MB  {file}", flush=True)
    (arguments.out / "SHA256SUMS").write_text("".join(sums))
    checks = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/slow/test_wheel.py"]
    return subprocess.run(checks, cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
