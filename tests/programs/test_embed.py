"""An installed libmillrace is enough to build and run a C program, by pkg-config and by CMake."""

import os
import pathlib
import re
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

HOST = """
#include <dlfcn.h>
#include <stdio.h>
#include <pjrt/abi.h>

int main(int argc, char **argv) {
  void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
  const PJRT_Api *(*get)(void) = plugin ? (const PJRT_Api *(*)(void))dlsym(plugin, "GetPjrtApi") : NULL;
  if (!get) return 1;
  printf("%d.%d\\n", get()->pjrt_api_version.major_version, get()->pjrt_api_version.minor_version);
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
    flags = run("pkg-config", "--cflags", "--libs", next(installed.rglob("millrace.pc"))).split()
    run("cc", "-Wall", "-Werror", ROOT / "examples" / "embed.c", *flags, "-o", tmp_path / "embed")
    check_runs(tmp_path / "embed", installed, tmp_path)


# The command's manual pages are where man finds them.
def test_manual_pages(installed):
    pages = {path.name for path in (ROOT / "docs" / "man").iterdir()}
    assert {path.name for path in (installed / "share" / "man" / "man1").iterdir()} == pages


# A host in C opens the plugin itself, with the headers of its interface.
def test_headers_of_the_plugin_stand_alone(installed, tmp_path):
    (tmp_path / "host.c").write_text(HOST)
    flags = ["-Wall", "-Werror", f"-I{installed / 'include'}", "-ldl"]
    run("cc", tmp_path / "host.c", *flags, "-o", tmp_path / "host")
    plugin = next(installed.rglob("libpjrt_millrace.so"))
    assert re.fullmatch(r"0\.\d+\n", run(tmp_path / "host", plugin))


def test_cmake_package(installed, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(CMAKE_PROJECT.format(source=ROOT / "examples" / "embed.c"))
    run("cmake", "-G", "Ninja", "-S", tmp_path, "-B", tmp_path / "b", f"-DCMAKE_PREFIX_PATH={installed}")
    run("ninja", "-C", tmp_path / "b")
    check_runs(tmp_path / "b" / "embed", installed, tmp_path)
