"""An installed libmillrace is enough to build and run a C program, by pkg-config and by CMake."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MILLRACE_BUILD", ROOT / "build" / "release"))

PROGRAM = """
module @double {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}
"""

CMAKE_PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(embed C)
find_package(millrace REQUIRED)
add_executable(embed {source})
target_link_libraries(embed PRIVATE millrace::millrace)
"""


def run(*command, **settings):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120, **settings)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    prefix = tmp_path_factory.mktemp("prefix")
    run("cmake", "--install", BUILD, "--prefix", prefix)
    return prefix


def check_runs(program, prefix, folder):
    (folder / "double.mlir").write_text(PROGRAM)
    library = next(prefix.rglob("libmillrace.so")).parent
    output = run(program, folder / "double.mlir", env={**os.environ, "LD_LIBRARY_PATH": str(library)})
    assert output == "f32 of 24 bytes, first element 2\n"


def test_pkg_config(installed, tmp_path):
    config = next(installed.rglob("millrace.pc"))
    # The file names the prefix it was configured for; pkg-config replaces it.
    flags = run("pkg-config", f"--define-variable=prefix={installed}", "--cflags", "--libs", config).split()
    run("cc", "-Wall", "-Werror", ROOT / "examples" / "embed.c", *flags, "-o", tmp_path / "embed")
    check_runs(tmp_path / "embed", installed, tmp_path)


def test_cmake_package(installed, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(CMAKE_PROJECT.format(source=ROOT / "examples" / "embed.c"))
    run("cmake", "-G", "Ninja", "-S", tmp_path, "-B", tmp_path / "b", f"-DCMAKE_PREFIX_PATH={installed}")
    run("ninja", "-C", tmp_path / "b")
    check_runs(tmp_path / "b" / "embed", installed, tmp_path)
