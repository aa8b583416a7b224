"""The engine's C API as an embedder meets it: the tutorial's code runs and prints what it says, the example serves, the
command traces and draws."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess

import numpy
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MILLRACE_BUILD", ROOT / "build" / "release"))
LIBRARY = BUILD / "lib"

PROGRAM = """
module @double {
  func.func public @main(%arg0: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %1 = stablehlo.tanh %0 : tensor<64x64xf32>
    return %1 : tensor<64x64xf32>
  }
}
"""


def compile_c(source, output):
    command = ["cc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}", str(source), f"-L{LIBRARY}", "-lmillrace"]
    command += [f"-Wl,-rpath,{LIBRARY}", "-levent_core", "-lpthread", "-o", str(output)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr


def tutorial_programs():
    text = (ROOT / "docs" / "embedding.md").read_text()
    # Each C block with a main() is followed by a text block with what it prints.
    blocks = re.findall(r"```c\n(.*?)```.*?```text\n(.*?)```", text, re.S)
    assert len(blocks) == 3
    return blocks


@pytest.mark.parametrize("number", range(3))
def test_tutorial(number, tmp_path):
    source, printed = tutorial_programs()[number]
    (tmp_path / "tutorial.c").write_text(source)
    compile_c(tmp_path / "tutorial.c", tmp_path / "tutorial")
    result = subprocess.run([tmp_path / "tutorial"], capture_output=True, text=True, timeout=60)
    assert (result.stdout, result.returncode) == (printed, 0)


def test_event_loop(tmp_path):
    compile_c(ROOT / "examples" / "event_loop.c", tmp_path / "event_loop")
    with subprocess.Popen([tmp_path / "event_loop"], stdout=subprocess.PIPE, text=True) as server:
        port = int(server.stdout.readline().split()[-1])
        slow = socket.create_connection(("localhost", port), timeout=30)
        quick = socket.create_connection(("localhost", port), timeout=30)
        # The quick connection is answered while the slow one's timer runs.
        slow.sendall(b"sleep 300\n")
        quick.sendall(b"primes 1000\nprimes x\nprimes 100000\n")
        quick.shutdown(socket.SHUT_WR)
        answers = sorted(quick.makefile().read().splitlines())
        assert answers == ["168 primes below 1000", "9592 primes below 100000",
                           "error wanted: primes N, sleep MS or quit"]
        slow.sendall(b"quit\n")
        slow.shutdown(socket.SHUT_WR)
        assert slow.makefile().read() == "awake\n"
        assert server.wait(timeout=30) == 0
        quick.close()
        slow.close()


@pytest.fixture
def program(tmp_path):
    (tmp_path / "double.mlir").write_text(PROGRAM)
    return tmp_path / "double.mlir"


def test_trace(program, tmp_path):
    tool = BUILD / "bin" / "millrace"
    trace = tmp_path / "trace.json"
    environment = {**os.environ, "MILLRACE_CACHE_DIR": ""}
    numpy.save(tmp_path / "x.npy", numpy.ones((64, 64), numpy.float32))
    result = subprocess.run([tool, "trace", "-o", trace, "--", tool, "run", program, "--input", tmp_path / "x.npy"],
                            capture_output=True, text=True, timeout=120, env=environment)
    assert result.returncode == 0, result.stderr
    events = json.loads(trace.read_text())["traceEvents"]
    by_category = {}
    for event in events:
        by_category.setdefault(event.get("cat"), set()).add(event["name"])
        if event["ph"] == "X":
            assert event["dur"] >= 0 and event["ts"] >= 0
    assert {"compile", "read", "passes", "fuse", "plan and code"} <= by_category["compile"]
    assert "execute" in by_category["node"]
    assert by_category["step"]
    assert by_category["transfer"] == {"host to device", "device to host"}


def test_graph(program, tmp_path):
    tool = BUILD / "bin" / "millrace"
    result = subprocess.run([tool, "graph", program], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith('digraph "double" {') and result.stdout.endswith("}\n")
    assert "parameter 0" in result.stdout and "result 0" in result.stdout and "->" in result.stdout
    if shutil.which("dot"):
        subprocess.run([tool, "graph", program, "-o", tmp_path / "plan.svg"], check=True, timeout=120)
        assert "<svg" in (tmp_path / "plan.svg").read_text()
