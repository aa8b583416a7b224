#!/usr/bin/env python3
"""Makes a folder that is the root of a machine with glibc 2.31 and, besides millrace, nothing: no shell, no other library.

glibc is Debian 11's, of the mirror that this machine's apt uses. The libraries are a wheel's; bin/ and libmillrace.so, which a
wheel has not, are those of the build that it was made of. Writes two scripts into --out: `enter PROGRAM ...` runs a program in
there, `millrace ...` the command. /proc, /sys, /dev, the folder of temporary files and tests/ are this machine's, and that by a
mount that ends with the program. Prints the second script's path; exits with 77 and the reason where this cannot be had."""

import argparse
import glob
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
RELEASE, LOADER, CANNOT = "bullseye", "lib64/ld-linux-x86-64.so.2", 77
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"

ENTER = """#!/bin/sh
exec unshare {rights} --mount --propagation private sh -c '
  root=$0
  for folder in {folders}; do
    mkdir -p "$root$folder" && mount --rbind "$folder" "$root$folder" || exit 125
  done
  exec chroot "$root" "$@"' '{root}' "$@"
"""


class Cannot(Exception):
    pass


def output(*command):
    """What a command prints; that there is none, or that it fails, is why there is no root."""
    try:
        return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout
    except FileNotFoundError:
        raise Cannot(f"there is no {command[0]}") from None
    except subprocess.CalledProcessError as error:
        raise Cannot(f"{command[0]} failed: {error.stderr.strip()[-500:]}") from None


def mirror():
    """Where this machine's packages come from."""
    form = "$(REPO_URI)|$(ORIGIN)|$(LABEL)"
    for line in output("apt-get", "indextargets", "--format", form, "Created-By: Packages").splitlines():
        address, origin, label = line.split("|")
        if origin == label == "Debian":
            return address
    raise Cannot("apt knows no mirror of Debian, or has not been updated")


def fetch(folder):
    """apt with folders of its own: what this machine knows of packages stays as it is."""
    for name in ("etc/apt/preferences.d", "var/lib/apt/lists/partial", "var/cache/apt/archives/partial", "var/lib/dpkg"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "var/lib/dpkg/status").touch()
    (folder / "etc/apt/sources.list").write_text(f"deb [arch=amd64 signed-by={KEYS}] {mirror()} {RELEASE} main\n")
    settings = {"Dir": folder, "Dir::State::status": folder / "var/lib/dpkg/status", "APT::Architecture": "amd64",
                "APT::Sandbox::User": "", "Acquire::Languages": "none", "Dir::Etc::parts": "/dev/null"}
    apt = ["apt-get", "-q", *(word for name, value in settings.items() for word in ("-o", f"{name}={value}"))]
    output(*apt, "update")
    output("env", "-C", folder, *apt, "download", "libc6")
    return glob.glob(f"{folder}/libc6_*.deb")[-1]


def install(wheel, build, root):
    target = root / "opt" / "millrace"
    shutil.rmtree(target, ignore_errors=True)
    (target / "lib").mkdir(parents=True)
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            file = pathlib.Path(name).name
            # There is no Python for an extension, and libmillrace.so is the build's, with its links.
            if ".so" in file and not file.endswith(".abi3.so") and not file.startswith("libmillrace.so"):
                (target / "lib" / file).write_bytes(archive.read(name))
    for path in (build / "lib").glob("libmillrace.so*"):
        shutil.copy2(path, target / "lib", follow_symlinks=False)
    shutil.copytree(build / "bin", target / "bin")


def write_scripts(out, root):
    enter, command = out / "enter", out / "millrace"
    folders = " ".join(map(str, ("/proc", "/sys", "/dev", tempfile.gettempdir(), ROOT / "tests")))
    rights = "" if os.geteuid() == 0 else "--map-root-user"
    enter.write_text(ENTER.format(root=root, folders=folders, rights=rights))
    command.write_text(f'#!/bin/sh\nexec "{enter}" /opt/millrace/bin/millrace "$@"\n')
    for script in (enter, command):
        script.chmod(0o755)
    # In there the same path is the command itself, which may be asked to run itself.
    inside = root / command.relative_to("/")
    inside.parent.mkdir(parents=True, exist_ok=True)
    inside.unlink(missing_ok=True)
    inside.symlink_to("/opt/millrace/bin/millrace")
    return enter, command


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", required=True, type=pathlib.Path)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=lambda text: pathlib.Path(text).absolute())
    arguments = parser.parse_args()
    root = arguments.out / "root"
    try:
        if not (root / LOADER).exists():
            root.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory() as folder:
                output("dpkg-deb", "-x", fetch(pathlib.Path(folder)), root)
        install(arguments.wheel, arguments.build, root)
        enter, command = write_scripts(arguments.out, root)
        output(enter, f"/{LOADER}", "--list", "/opt/millrace/lib/libmillrace.so.0")
    except Cannot as error:
        print(f"no root with an old glibc: {error}", file=sys.stderr)
        sys.exit(CANNOT)
    print(command)


if __name__ == "__main__":
    main()
