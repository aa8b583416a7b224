"""cmake/bundle.py: copies of libraries that find each other and nothing of the machine but glibc."""

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import check_wheel

GLIBC = re.compile(r"(ld-linux-x86-64|lib(c|m|dl|rt|pthread))\.so\.\d")


def tags(library):
    """(tag, text) of an ELF file's dynamic section."""
    output = subprocess.run(["readelf", "--wide", "-d", library], check=True, capture_output=True, text=True).stdout
    return re.findall(r"\((NEEDED|SONAME|RUNPATH)\).*\[(.*)\]", output)


# As they are, and for a glibc of 2.28 (test_old_glibc.py).
@pytest.fixture(scope="module", params=[None, "2.28"])
def bundle(tmp_path_factory, request):
    folder = tmp_path_factory.mktemp("bundle")
    options = []
    if request.param:
        make = [sys.executable, ROOT / "cmake" / "glibc" / "old_glibc.py", "--limit", request.param, "--out", folder / "stubs", "--lib", folder / "lib"]
        subprocess.run(make, check=True)
        options = ["--glibc", request.param, "--added", folder / "lib" / "libmillrace-glibc.so"]
    where = subprocess.run(["ldconfig", "-p"], check=True, capture_output=True, text=True).stdout
    hwloc = re.search(r"libhwloc\.so\.15 .*x86-64.* => (\S+)", where)[1]
    command = [sys.executable, ROOT / "cmake" / "bundle.py", "--out", folder / "lib", "--licences", folder / "licences", *options, hwloc]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split(";")
    copies = [library for library in (folder / "lib").iterdir() if library.name != "libmillrace-glibc.so"]
    assert sorted(listed) == sorted(map(str, copies))
    if request.param:
        assert list(check_wheel.check((folder / "lib").iterdir(), (2, 28))) == []
    return folder


def test_copies_need_each_other_and_glibc_alone(bundle):
    names = {library.name for library in (bundle / "lib").iterdir()}
    assert {"libmillrace-hwloc.so.15", "libmillrace-udev.so.1"} <= names
    for library in (bundle / "lib").iterdir():
        found = tags(library)
        needed = {text for tag, text in found if tag == "NEEDED"}
        assert ("SONAME", library.name) in found
        assert ("RUNPATH", "$ORIGIN") in found or library.name == "libmillrace-glibc.so"
        assert not {name for name in needed if name not in names and not GLIBC.fullmatch(name)}, library


def test_copies_load_without_the_originals(bundle):
    code = f"""
import ctypes
ctypes.CDLL({str(bundle / "lib" / "libmillrace-hwloc.so.15")!r}).hwloc_get_api_version()
print(*(line.split()[-1] for line in open("/proc/self/maps") if "hwloc" in line or "udev" in line), sep="\\n")
"""
    mapped = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert set(mapped.split()) == {str(bundle / "lib" / name) for name in ("libmillrace-hwloc.so.15", "libmillrace-udev.so.1")}


# The texts that a licence file of Debian's only refers to are there too.
def test_licences_and_sources_are_named(bundle):
    texts = {file.name: file.read_text() for file in (bundle / "licences").iterdir()}
    assert "Copyright" in texts["libhwloc15.txt"] and "GNU LESSER GENERAL PUBLIC LICENSE" in texts["LGPL-2.1"]
    assert re.search(r"^libhwloc15: source package hwloc \d", texts["SOURCES.txt"], re.M)
    for name, text in texts.items():
        assert set(re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", text)) <= set(texts), name
