"""What is handed out, build/wheel and build/dist: it runs in an environment of its own and needs glibc alone.

./dev test-slow wheel builds both and runs this."""

import os
import pathlib
import re
import subprocess
import sys
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GLIBC = re.compile(r"(ld-linux-x86-64|lib(c|m|dl|rt|pthread))\.so\.\d")
SIZE_LIMIT = 60e6

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


def run(*command, **settings):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MILLRACE_", "JAX_", "LD_", "PYTHON"))}
    environment.update(settings, MILLRACE_CACHE_DIR="")
    result = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True, timeout=1200)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def needed(library):
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "--wide", "-d", library)))


@pytest.fixture(scope="module")
def wheel():
    (path,) = (ROOT / "build" / "wheel").glob("*.whl")
    return path


def test_the_libraries_need_glibc_and_each_other(wheel, tmp_path):
    assert wheel.stat().st_size < SIZE_LIMIT
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".so" in name]
        archive.extractall(tmp_path, names)
        assert any(name.endswith("licenses/bundled/SOURCES.txt") for name in archive.namelist())
    files = {pathlib.Path(name).name for name in names}
    assert {"libpjrt_millrace.so", "libmillrace-llvm.so", "libmillrace-dnnl.so.2", "libmillrace-openblas.so.0"} <= files
    for name in names:
        strange = {need for need in needed(tmp_path / name) if need not in files and not GLIBC.fullmatch(need)}
        assert not strange, name


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


def test_a_program_runs_on_it_alone(wheel, tmp_path):
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    pins = [line for line in (ROOT / "python" / "requirements.txt").read_text().split() if re.match("jax|numpy|scipy|ml_", line)]
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel, *pins)
    device, *mapped = run(python, "-c", PROGRAM).split()
    assert device == "millrace"
    ours = {pathlib.Path(file).name for file in mapped if "jax_plugins" in file}
    assert {"libmillrace-llvm.so", "libmillrace-openblas.so.0", "libmillrace-hwloc.so.15"} <= ours
    assert not [file for file in mapped if re.search(r"^/(usr/)?lib/.*lib(LLVM|dnnl|openblas|hwloc|event|protobuf)", file)]
    assert "beside it" in run(python, "-m", "jax_plugins.millrace")


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
