"""The jax_plugins package: each test is a fresh Python, because JAX looks for plugins once per process."""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile
import zlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = pathlib.Path(os.environ.get("MILLRACE_LIBRARY", ROOT / "build" / "release" / "lib" / "libpjrt_millrace.so"))


def python(code, status=0, **settings):
    """Runs code with these environment variables and returns what it printed."""
    environment = {k: v for k, v in os.environ.items() if k not in ("JAX_PLATFORMS", "MILLRACE_NUM_DEVICES")}
    environment.update({"MILLRACE_LIBRARY": str(LIBRARY)}, **settings)
    environment = {k: v for k, v in environment.items() if v is not None}
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)
    assert result.returncode == status, result.stderr[-3000:]
    return result.stdout + result.stderr


def test_millrace_is_the_default_without_a_word():
    output = python("import jax; d = jax.devices()[0]; print(d.device_kind, d.platform, jax.devices('cpu'))")
    assert "millrace cpu [CpuDevice(id=0)]" in output
    assert "experimental" not in output


@pytest.mark.parametrize("name", ["libpjrt_millrace.so", "libmillrace.so.0", "libmillrace-openblas.so.0"])
def test_no_library_changes_the_environment(name):
    """Other threads of the host may be reading it."""
    table = subprocess.run(["nm", "-D", "--undefined-only", LIBRARY.with_name(name)], capture_output=True, text=True, check=True)
    imports = {line.split()[-1].split("@")[0] for line in table.stdout.splitlines()}
    assert "malloc" in imports
    assert not imports & {"setenv", "unsetenv", "putenv", "clearenv"}


def test_asked_for_alone_callbacks_still_find_a_cpu():
    code = """
import jax, numpy as np
print(jax.devices()[0].device_kind)
f = jax.jit(lambda x: jax.pure_callback(lambda v: np.asarray(v) * 2, jax.ShapeDtypeStruct((3,), np.float32), x) + 1)
y = f(np.arange(3, dtype=np.float32))
print(y, y.devices())
"""
    output = python(code, JAX_PLATFORMS="millrace")
    assert output.startswith("millrace\n") and "[1. 3. 5.]" in output and "MillraceDevice" in output


def test_cpu_alone_leaves_millrace_out():
    assert "Cpu" in python("import jax; print(jax.devices())", JAX_PLATFORMS="cpu")


def test_number_of_devices_comes_from_the_environment():
    assert python("import jax; print(len(jax.devices()))", MILLRACE_NUM_DEVICES="5").strip() == "5"


def test_a_missing_library_is_named_when_it_is_asked_for():
    output = python("import jax; jax.devices()", status=1, JAX_PLATFORMS="millrace", MILLRACE_LIBRARY="/nowhere/x.so")
    assert "/nowhere/x.so" in output


def test_a_missing_library_is_no_trouble_otherwise():
    assert "Cpu" in python("import jax; print(jax.devices())", MILLRACE_LIBRARY="/nowhere/x.so")


def test_ffi_targets_of_the_user_reach_both_clients():
    code = """
import jax, jax_plugins.millrace as m
from jaxlib import _jax, lapack
jax.devices()
name, target, version = lapack.registrations()["cpu"][0]
jax.ffi.register_ffi_target("same_under_another_name", target, platform="cpu")
print("same_under_another_name" in _jax.custom_call_targets("Host"), name in _jax.custom_call_targets("Host"))
"""
    assert "True True" in python(code)


def test_wheel_installs_and_finds_its_own_library(tmp_path):
    build = [sys.executable, ROOT / "python" / "build_wheel.py", "--build", LIBRARY.parents[1], "--out", tmp_path]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    target = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        archive.extractall(target)
        (record,) = [archive.read(name).decode() for name in names if name.endswith("/RECORD")]
        for name, digest, size in (line.rsplit(",", 2) for line in record.splitlines()[:-1]):
            data = archive.read(name)
            assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            assert size == str(len(data))
    assert [line.rsplit(",", 2)[0] for line in record.splitlines()] == names
    assert "jax_plugins/__init__.py" not in names  # a namespace that other plugins share
    assert "jax_plugins/millrace/libpjrt_millrace.so" in names
    assert "millrace/__init__.py" in names
    assert ("millrace/_core.abi3.so" in names) == ("jax_plugins/millrace/libmillrace.so.0" in names)
    (metadata,) = target.glob("*.dist-info/METADATA")
    version = re.search(r"project\(millrace VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
    assert f"\nVersion: {version}\n" in metadata.read_text()
    code = f"import sys; sys.path.insert(0, {str(target)!r}); from jax_plugins.millrace import library; print(library.path())"
    assert str(target) in python(code, MILLRACE_LIBRARY=None)


@pytest.mark.parametrize("libdeflate", [True, False])
@pytest.mark.parametrize("data", [b"", b"text" * 1000, bytes(range(256)) * 300], ids=["nothing", "text", "bytes"])
def test_what_is_compressed_is_the_same_without_libdeflate(monkeypatch, data, libdeflate):
    monkeypatch.syspath_prepend(str(ROOT / "python"))
    import build_wheel

    if libdeflate and not shutil.which("libdeflate-gzip"):
        pytest.skip("libdeflate-tools is not installed")
    if not libdeflate:
        monkeypatch.setattr(shutil, "which", lambda name: None)
    assert zlib.decompress(build_wheel.deflate(data), wbits=-15) == data


def test_the_module_says_what_is_installed_and_runs_it():
    code = "import runpy; runpy.run_module('jax_plugins.millrace', run_name='__main__')"
    lines = dict(line.split(maxsplit=1) for line in python(code).splitlines() if not line.startswith(("1 + 1", "beside")))
    assert str(LIBRARY) in lines["library"] and lines["devices"] == "MILLRACE_0" and "PJRT" in lines["platform"]


# An ELF file has its machine at byte 18 and its version at byte 20; otherwise these are the plugin's own bytes.
def test_a_library_that_cannot_be_loaded_is_named_with_the_reason(tmp_path):
    other = tmp_path / "libpjrt_millrace.so"
    data = bytearray(LIBRARY.read_bytes())
    data[18:20] = (183).to_bytes(2, "little")
    other.write_bytes(data)
    code = "from jax_plugins.millrace import library; library.check(library.path())"
    assert "is for aarch64 processors and this one is x86_64" in python(code, status=1, MILLRACE_LIBRARY=str(other))
    other.write_text("no library")
    assert "is no shared library" in python(code, status=1, MILLRACE_LIBRARY=str(other))
    data[18:20] = (62).to_bytes(2, "little")
    data[20] = 9
    other.write_bytes(data)
    assert f"{other} cannot be loaded" in python(code, status=1, MILLRACE_LIBRARY=str(other))


@pytest.fixture
def diagnosis(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "python"))
    from jax_plugins.millrace import diagnosis

    return diagnosis


def test_a_python_that_is_too_old_is_told_so(diagnosis, monkeypatch):
    assert not [trouble for trouble in diagnosis.troubles() if "too old" in trouble]
    monkeypatch.setattr(sys, "version_info", (3, 9, 18))
    assert "install millrace for Python 3.10 or later" in next(diagnosis.troubles())


def test_a_library_of_another_version_is_told_so(diagnosis, monkeypatch):
    from jax_plugins.millrace import __version__

    monkeypatch.setenv("MILLRACE_LIBRARY", "/x")
    assert list(diagnosis.troubles_of(f"PJRT C API\nmillrace {__version__} (build 0123)")) == []
    (trouble,) = diagnosis.troubles_of("PJRT C API\nmillrace 9.8.7 (build 0123)")
    assert "the library is millrace 9.8.7" in trouble and "unset MILLRACE_LIBRARY" in trouble


# What the dynamic linker says, in its own words, is what users meet; each has a way out.
@pytest.mark.parametrize("said, wanted", [
    ("/lib/libc.so.6: version `GLIBC_2.36' not found (required by /x/libmillrace-llvm.so)",
     "/x/libmillrace-llvm.so wants glibc 2.36 and this machine has glibc"),
    ("libdnnl.so.2: cannot open shared object file: No such file or directory", "needs libdnnl.so.2, which is not installed"),
    ("Error relocating /x/libpjrt_millrace.so: __memcpy_chk: symbol not found", "this Python runs on another libc"),
    ("file too short", "/x/libpjrt_millrace.so cannot be loaded: file too short"),
])
def test_why_a_library_is_not_loaded(said, wanted, diagnosis):
    assert wanted in diagnosis.why_not_loaded("/x/libpjrt_millrace.so", OSError(said))


def diagnosed(status=0, **settings):
    return python("import runpy; runpy.run_module('jax_plugins.millrace', run_name='__main__')", status, **settings)


def test_diagnosis_names_a_second_copy(tmp_path):
    other = tmp_path / "jax_plugins" / "millrace"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text("")
    folder = str(ROOT / "python")
    assert "installed 2 times" in diagnosed(PYTHONPATH=f"{folder}:{tmp_path}")
    assert "installed" not in diagnosed(PYTHONPATH=folder)


def test_diagnosis_names_another_version(tmp_path):
    information = tmp_path / "jax_millrace-0.0.1.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: jax-millrace\nVersion: 0.0.1\n")
    assert "pip has installed jax-millrace 0.0.1" in diagnosed(PYTHONPATH=f"{ROOT / 'python'}:{tmp_path}")


def test_diagnosis_names_a_cache_that_is_not_used(tmp_path):
    """And it is not: what stands there is not read or written."""
    kernels = tmp_path / "cache"
    output = diagnosed(MILLRACE_CACHE_DIR=str(kernels))
    assert f"kept in {kernels}" in output and "\nbut " not in output
    (place,) = kernels.glob("v*")  # what the machine was measured to be may stand beside it
    assert any(place.iterdir())
    for file in place.iterdir():
        file.unlink()
    place.chmod(0o777)
    assert f"others may write to {place}" in diagnosed(MILLRACE_CACHE_DIR=str(kernels))
    assert not list(place.iterdir())
    file = tmp_path / "file"
    file.write_text("")
    assert f"{file} is no folder" in diagnosed(MILLRACE_CACHE_DIR=str(file))
    assert "no folder" in diagnosed(MILLRACE_CACHE_DIR=None, XDG_CACHE_HOME=None, HOME="relative")
    assert "kept in no folder" in diagnosed(MILLRACE_CACHE_DIR="") and "\nbut " not in diagnosed(MILLRACE_CACHE_DIR="")


def test_diagnosis_names_a_missing_library():
    assert "error: libpjrt_millrace.so is not at /nowhere/x.so; MILLRACE_LIBRARY names no file" in diagnosed(
        1, MILLRACE_LIBRARY="/nowhere/x.so")


def test_diagnosis_names_a_missing_jax(tmp_path):
    """A Python with the package alone, which is asked without anything else on its path."""
    command = [sys.executable, "-I", "-S", "-c",
               f"import sys; sys.path.insert(0, {str(ROOT / 'python')!r}); from jax_plugins.millrace import __main__; sys.exit(__main__.main())"]
    result = subprocess.run(command, env={**os.environ, "MILLRACE_LIBRARY": str(LIBRARY)}, capture_output=True, text=True, timeout=60)
    assert result.returncode == 1 and "jax is not installed in this environment" in result.stderr


@pytest.mark.skipif(shutil.which("qemu-x86_64") is None, reason="there is no qemu-x86_64 (package qemu-user)")
def test_a_processor_that_is_too_old_is_told_so():
    tool = os.environ.get("MILLRACE_TOOL", str(LIBRARY.parents[1] / "bin" / "millrace"))
    for processor, lacking in {"core2duo": "sse4.1, sse4.2, popcnt", "Nehalem": ""}.items():
        result = subprocess.run(["qemu-x86_64", "-cpu", processor, tool, "devices"], capture_output=True, text=True, timeout=120)
        assert (result.returncode != 0) == bool(lacking), result.stderr
        assert not lacking or f"this processor lacks {lacking}, wanted one of x86-64-v2" in result.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="reads an ELF symbol table")
def test_library_exports_its_entry_point_alone():
    output = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], check=True, capture_output=True, text=True).stdout
    assert [line.split()[-1] for line in output.splitlines()] == ["GetPjrtApi"]
