"""What is handed out, build/wheel and build/dist: it runs in an environment of its own and needs glibc alone, from 2.28 on.

./dev test-slow wheel builds both and runs this."""

import json
import os
import pathlib
import re
import subprocess
import sys
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import check_wheel

GLIBC = re.compile(r"(ld-linux-x86-64|lib(c|m|dl|rt|pthread))\.so\.\d")
SIZE_LIMIT = 36e6

PROGRAM = """
import jax, jax.numpy as jnp, numpy as np
x = np.random.default_rng(0).normal(size=(300, 300)).astype(np.float32)
f = lambda x: jnp.tanh(x @ x.T).sum() + jnp.linalg.cholesky(x @ x.T + 300 * jnp.eye(300)).sum() + jnp.fft.fft(x).real.sum()
ours, theirs = (float(jax.jit(f)(jax.device_put(x, device))) for device in (jax.devices()[0], jax.devices("cpu")[0]))
assert abs(ours - theirs) < 1e-3 * abs(theirs), (ours, theirs)
images, kernel = x[:, :, None][:64, :64][None], x[:3, :3][:, :, None, None]
convolved = jax.lax.conv_general_dilated(images, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
assert convolved.shape == (1, 64, 64, 1)
print(jax.devices()[0].device_kind)
for line in open("/proc/self/maps"):
    if ".so" in line:
        print(line.split()[-1])
"""

OPEN = """
#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <stdio.h>
int main(int count, char **paths) {
  void *library = dlopen(paths[1], RTLD_NOW);
  printf("%s %s\\n", library ? "glibc" : dlerror(), gnu_get_libc_version());
  return !library;
}
"""


def run(*command, seconds=1200, **settings):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MILLRACE_", "JAX_", "LD_", "PYTHON"))}
    environment.update(MILLRACE_CACHE_DIR="", **settings)
    result = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True, timeout=seconds)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def wheel():
    (path,) = (ROOT / "build" / "wheel").glob("*.whl")
    return path


def pins(names):
    return [line for line in (ROOT / "python" / "requirements.txt").read_text().split() if re.match(names, line)]


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """Of an environment that has the wheel and JAX."""
    venv = tmp_path_factory.mktemp("installed") / "venv"
    run(sys.executable, "-m", "venv", venv)
    run(venv / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel, *pins("jax|numpy|scipy|ml_"))
    return venv / "bin" / "python"


@pytest.fixture(scope="module")
def old_root(wheel):
    """Runs bin/millrace on glibc 2.31, with the wheel's libraries."""
    command = [sys.executable, ROOT / "tools" / "old_root.py", "--wheel", wheel, "--build", ROOT / "build" / "dist", "--out", ROOT / "build" / "old-root"]
    made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode == 77:
        pytest.skip(made.stderr.strip())
    assert made.returncode == 0, made.stderr
    return pathlib.Path(made.stdout.strip())


def test_the_libraries_need_glibc_and_each_other(wheel, tmp_path):
    assert wheel.stat().st_size <= SIZE_LIMIT
    assert wheel.name.endswith("-py3-none-manylinux_2_28_x86_64.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".so" in name or name.endswith("/" + check_wheel.SERVER)]
        archive.extractall(tmp_path, names)
        assert any(name.endswith("licenses/bundled/SOURCES.txt") for name in archive.namelist())
    files = {pathlib.Path(name).name for name in names}
    assert {"libpjrt_millrace.so", "libmillrace-llvm.so", "libmillrace-dnnl.so.2", "libmillrace-openblas.so.0", "libmillrace.so.0", "_core.abi3.so", check_wheel.SERVER} <= files
    assert list(check_wheel.check([tmp_path / name for name in names], (2, 28))) == []


# jaxlib has an LLVM of its own: none of ours may be found in its place.
def test_no_symbol_of_llvm_leaves_its_library_but_the_functions_we_call(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        library = archive.extract("jax_plugins/millrace/libmillrace-llvm.so", tmp_path)
        plugin = archive.extract("jax_plugins/millrace/libpjrt_millrace.so", tmp_path)
    exported = [line.split()[-1] for line in run("nm", "-D", "--defined-only", library).splitlines()]
    functions = (ROOT / "compiler" / "codegen" / "llvm_functions.def").read_text()
    wanted = re.findall(r"FN\((\w+)\)", re.sub(r"//.*", "", functions))
    assert sorted(exported) == sorted("LLVM" + name for name in wanted)
    assert [line.split()[-1] for line in run("nm", "-D", "--defined-only", plugin).splitlines()] == ["GetPjrtApi"]


def test_a_program_runs_on_it_alone(python):
    device, *mapped = run(python, "-c", PROGRAM).split()
    assert device == "millrace"
    ours = {pathlib.Path(file).name for file in mapped if "jax_plugins" in file}
    assert {"libmillrace-llvm.so", "libmillrace-openblas.so.0", "libmillrace-hwloc.so.15"} <= ours
    assert not [file for file in mapped if re.search(r"^/(usr/)?lib/.*lib(LLVM|dnnl|openblas|hwloc|event|protobuf)", file)]
    assert "beside it" in run(python, "-m", "jax_plugins.millrace")


# Numpy and the wheel's libraries are all that `import millrace` needs: the extension finds them where the plugin has them.
def test_a_program_runs_without_jax(python):
    code = """
import sys, numpy, millrace
m = millrace.load(b"func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> { return %x : tensor<3xf32> }")
print(m(numpy.arange(3, dtype=numpy.float32)), "jax" in sys.modules)
print(*[line.split()[-1] for line in open("/proc/self/maps") if "libmillrace.so" in line][:1])
"""
    result, library = run(python, "-c", code).splitlines()
    assert result == "[0. 1. 2.] False" and "jax_plugins/millrace/libmillrace.so.0" in library


# The server too: the wheel's, which needs nothing of the machine but glibc.
def test_a_model_is_served(python, tmp_path):
    (tmp_path / "double" / "1").mkdir(parents=True)
    (tmp_path / "double" / "1" / "model.mlir").write_text("func.func @main(%x: tensor<3xf32> loc(\"x\")) -> tensor<3xf32> {\n"
                                                          "  %0 = stablehlo.add %x, %x : tensor<3xf32>\n  return %0 : tensor<3xf32>\n}\n")
    code = """
import json, sys, urllib.request
from millrace import serve
print(serve.executable())
with serve.start(sys.argv[1]) as server:
    body = {"inputs": [{"name": "x", "shape": [3], "datatype": "FP32", "data": [1, 2, 3]}]}
    answer = json.load(urllib.request.urlopen(server.url + "/v2/models/double/infer", json.dumps(body).encode()))
    print(answer["outputs"][0]["data"])
"""
    program, answer = run(python, "-c", code, tmp_path).splitlines()
    assert program.startswith(str(python.parents[1])) and json.loads(answer) == [2, 4, 6]
    needed = set(re.findall(r"(\S+) =>? ?(\S+)", run("ldd", program)))
    assert {name for name, file in needed if not GLIBC.search(name) and not file.startswith(str(python.parents[1]))} <= {"linux-vdso.so.1"}


# How JAX, PyTorch/XLA and the shell find it.
def test_its_metadata_names_the_entry_points(python):
    code = """
from importlib.metadata import distribution
for entry in sorted(distribution("jax-millrace").entry_points): print(entry.group, entry.name, entry.value)
"""
    assert run(python, "-c", code).splitlines() == [
        "console_scripts jax-millrace jax_plugins.millrace.__main__:main",
        "jax_plugins millrace jax_plugins.millrace",
        "torch_xla.plugins millrace jax_plugins.millrace.pytorch:Plugin"]
    assert "MILLRACE_0" in run(python.with_name("jax-millrace"))


def test_a_model_is_trained_on_it(python, tmp_path):
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *pins("scikit-learn"))
    run(python, ROOT / "examples" / "train_digits.py", "--out", tmp_path, "--tool", ROOT / "build" / "dist" / "bin" / "millrace")


# Each by itself, and every symbol of it is looked for at once. The program is linked like ours.
def test_the_libraries_load_on_an_old_glibc(old_root, tmp_path):
    root, stubs = old_root.parent / "root", ROOT / "build" / "dist" / "glibc"
    (tmp_path / "open.c").write_text(OPEN)
    run("gcc", tmp_path / "open.c", ROOT / "cmake" / "glibc" / "start.c", "-o", root / "opt" / "open", f"-L{stubs}",
        "-Wl,--wrap=__libc_start_main", "-Wl,--no-as-needed", "-lpthread", "-ldl", "-lrt")
    libraries = sorted((root / "opt" / "millrace" / "lib").iterdir())
    assert len(libraries) > 10
    for library in libraries:
        assert run(old_root.with_name("enter"), "/opt/open", f"/opt/millrace/lib/{library.name}") == "glibc 2.31\n"
    assert run(old_root.with_name("enter"), "/opt/millrace/bin/millrace-serve", "--version", LD_BIND_NOW="1").startswith("millrace serve ")


# All of tests/programs, in a process that finds no other library than glibc 2.31 and those of the wheel.
def test_programs_run_on_an_old_glibc(old_root):
    tests = ROOT / "tests" / "programs" / "test_programs.py"
    print(run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests, seconds=7200, MILLRACE_TOOL=str(old_root), LD_BIND_NOW="1"))


def test_a_c_program_runs_on_an_installed_build(tmp_path):
    run("cmake", "--install", ROOT / "build" / "dist", "--prefix", tmp_path / "prefix")
    prefix = (tmp_path / "prefix").rename(tmp_path / "moved")
    config = next(prefix.rglob("millrace.pc"))
    flags = run("pkg-config", "--cflags", "--libs", config).split()
    run("cc", "-Wall", "-Werror", ROOT / "examples" / "embed.c", *flags, f"-Wl,-rpath,{prefix / 'lib'}", "-o", tmp_path / "embed")
    program = tmp_path / "double.mlir"
    program.write_text("func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
                       "  %0 = stablehlo.add %a, %a : tensor<2x3xf32>\n  return %0 : tensor<2x3xf32>\n}\n")
    assert run(tmp_path / "embed", program) == "f32 of 24 bytes, first element 2\n"
    found = dict(re.findall(r"(\S+) => (\S+)", run("ldd", tmp_path / "embed")))
    assert {name for name, file in found.items() if not GLIBC.fullmatch(name) and not file.startswith(str(prefix))} == set()
