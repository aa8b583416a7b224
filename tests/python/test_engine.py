"""The engine's C API as an embedder meets it: the tutorial's code runs and prints what it says, the example serves, the
command traces and draws."""

import json
import os
import pathlib
import re
import socket
import subprocess
import xml.etree.ElementTree

import jax
import jax.numpy as jnp
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
    assert len(blocks) == 5
    return blocks


@pytest.mark.parametrize("number", range(5))
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


def most_frames(output):
    return int(re.search(r"at most (\d+) frames at once", output)[1])


# A consumer that is slow holds up who makes the frames, and not the frames in memory.
def test_a_thousand_calls_on_one_descriptor(tmp_path):
    compile_c(ROOT / "examples" / "thousand_calls.c", tmp_path / "calls")
    result = subprocess.run([tmp_path / "calls", "5000"], capture_output=True, text=True, timeout=120)
    said = re.fullmatch(r"5000 calls, 0 wrong, at most (\d+) under way\n", result.stdout)
    assert result.returncode == 0 and said, result.stdout + result.stderr
    assert 1 <= int(said[1]) <= 1000  # how many at once is the machine's affair


def test_from_cpp(tmp_path):
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}", f"-L{LIBRARY}", "-lmillrace", f"-Wl,-rpath,{LIBRARY}"]
    subprocess.run(["c++", ROOT / "examples" / "embed.cpp", *flags, "-o", tmp_path / "embed"], check=True, timeout=120)
    (tmp_path / "program.mlir").write_text(PROGRAM)
    result = subprocess.run([tmp_path / "embed", tmp_path / "program.mlir"], capture_output=True, text=True, timeout=60)
    assert (result.stdout, result.returncode) == ("output0: 4096 numbers, the first is 1\n", 0), result.stderr
    missing = subprocess.run([tmp_path / "embed", tmp_path / "none.mlir"], capture_output=True, text=True, timeout=60)
    assert missing.returncode == 1 and "none.mlir" in missing.stderr


def test_pipeline_with_a_slow_consumer(tmp_path):
    compile_c(ROOT / "examples" / "pipeline.c", tmp_path / "pipeline")
    result = subprocess.run([tmp_path / "pipeline", "60", "100000", "2", "5"], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    assert 1 <= most_frames(result.stdout) <= 8


# Own nodes, programs, copies and timers in one frozen graph, run for many frames: the numbers are those of the same sums in Python.
@pytest.mark.parametrize("devices", ["cpu", "cpu,cpu", "cpu,fenced"])
def test_pipeline(tmp_path, devices):
    def score(frame):
        a = numpy.arange(1024, dtype=numpy.int64) * (frame + 1) % 7
        smooth, edges = (a[:-2] + a[1:-1] + a[2:]).astype(numpy.float64), abs(a[2:] - a[:-2])
        for _ in range(24):
            smooth = 1 + numpy.sin(smooth)
        return (smooth * edges).mean()

    compile_c(ROOT / "examples" / "pipeline.c", tmp_path / "pipeline")
    for frames in (1, 60):
        result = subprocess.run([tmp_path / "pipeline", str(frames)], capture_output=True, text=True, timeout=60,
                                env={**os.environ, "MILLRACE_DEVICES": devices})
        said = re.match(rf"{frames} frames, scores add up to (\S+)\na frame \S+ ms; alone: copy in ", result.stdout)
        assert said, result.stdout + result.stderr
        assert float(said[1]) == pytest.approx(sum(map(score, range(frames))), rel=1e-4)
        assert most_frames(result.stdout) <= 8
    wrong = subprocess.run([tmp_path / "pipeline", "1", "2"], capture_output=True, text=True, timeout=60)
    assert wrong.returncode == 2 and "at least 1 and 3" in wrong.stderr


# The spans of each of the four stages of examples/pipeline.c with a CPU device and one of OpenCL's.
def stage_spans(trace):
    events = json.loads(trace.read_text())
    events = events["traceEvents"] if isinstance(events, dict) else events
    tracks = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e.get("name") == "thread_name"}
    stages = {"ocl 1 in": [], "ocl 1 kernels": [], "ocl 1 out": [], "cpu": []}
    for event in events:
        track = tracks.get((event.get("pid"), event.get("tid")), "")
        on_cpu = track.startswith("millrace-") and event.get("cat") == "step"
        if event["ph"] == "X" and (track in stages or on_cpu):
            stages["cpu" if on_cpu else track].append((event["ts"], event["ts"] + event["dur"]))
    return stages


# How long something of each stage went on at the same time.
def time_at_once(stages):
    marks = sorted((time, change, stage) for stage, spans in stages.items() for span in spans
                   for time, change in zip(span, (1, -1)))
    going, total, before = dict.fromkeys(stages, 0), 0, 0
    for time, change, stage in marks:
        total += time - before if all(going.values()) else 0
        going[stage] += change
        before = time
    return total


# A copy in, a kernel of OpenCL's, a copy out and a kernel of the CPU device's at one moment: a light filter makes the stages alike, and
# which frames meet is chance, so some runs may be needed.
def test_pipeline_at_once(tmp_path):
    compile_c(ROOT / "examples" / "pipeline.c", tmp_path / "pipeline")
    cache = BUILD / "pocl"
    cache.mkdir(exist_ok=True)
    environment = {**os.environ, "MILLRACE_DEVICES": "cpu,opencl:cpu", "MILLRACE_OPENCL_MEMORY": "buffers",
                   "MILLRACE_TRACE": str(tmp_path / "trace.json"), "POCL_DEVICES": "pthread", "POCL_CACHE_DIR": str(cache),
                   "POCL_MAX_PTHREAD_COUNT": "4"}
    for _ in range(20):
        result = subprocess.run([tmp_path / "pipeline", "60", "1000000", "1"], capture_output=True, text=True, timeout=120,
                                env=environment)
        if "no OpenCL device" in result.stderr:
            pytest.skip(result.stderr)
        assert result.returncode == 0, result.stderr
        stages = stage_spans(tmp_path / "trace.json")
        assert all(stages.values()), {stage: len(spans) for stage, spans in stages.items()}
        if time_at_once(stages) > 0:
            return
    pytest.fail("in no run of 20 did all four go on at once")


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
    assert "double" in by_category["node"]  # the program
    # A step lies within the execution of its program, on the same thread; three digits of microseconds are written.
    spans = [event for event in events if event["ph"] == "X"]
    steps = [event for event in spans if event["cat"] == "step"]
    assert steps
    for step in steps:
        assert any(node["cat"] == "node" and node["tid"] == step["tid"] and node["ts"] <= step["ts"] + 0.001
                   and step["ts"] + step["dur"] <= node["ts"] + node["dur"] + 0.002 for node in spans), step
    assert by_category["transfer"] == {"host to device", "device to host"}
    summary = subprocess.run([tool, "trace", "--summary", trace], capture_output=True, text=True, timeout=60)
    assert re.search(r"^[0-9.]+ ms, \d+ threads", summary.stdout) and "1 busy at once" in summary.stdout, summary.stderr


def tool(*arguments, status=0, **environment):
    result = subprocess.run([BUILD / "bin" / "millrace", *arguments], capture_output=True, text=True, timeout=120,
                            env={**os.environ, **environment})
    assert result.returncode == status, result.stderr
    return result.stdout if status == 0 else result.stderr


@pytest.mark.parametrize("command", ["devices", "show", "run", "bench", "graph", "trace", "simulate", "check"])
def test_help(command):
    text = tool(command, "--help")
    assert text.startswith(f"usage: millrace {command}") and text.count("\n") > 3
    assert f"millrace {command}" in tool("--help")


def test_devices():
    text = tool("devices", MILLRACE_NUM_DEVICES="2", MILLRACE_FIGURES="default,copy_bytes_per_ns=17")
    assert re.search(r"processing units: \d+ on \d+ cores, packages: \d+, NUMA nodes: \d+", text)
    assert re.search(r"quota of the control groups: ", text) and re.search(r"cache of level 1: [0-9.]+ KiB for", text)
    assert len(re.findall(r"^device \d: cpu$", text, re.M)) == 2
    assert len(re.findall(r"copy_bytes_per_ns +17 ", text)) == 2
    assert "no device of kind null" in text and "MILLRACE_DEVICES=faulty:cpu" in text and "kind cpu" not in text
    assert "kind null" not in tool("devices", MILLRACE_DEVICES="cpu,null")


def test_show(tmp_path):
    def step(weights, x):
        return {"weights": weights * 0.5, "answer": jnp.tanh(x @ weights).sum()}

    lowered = jax.jit(step, donate_argnums=0).lower(jnp.ones((64, 32)), jnp.ones((8, 64)))
    (tmp_path / "step.mlir").write_text(lowered.as_text())
    text = tool("show", tmp_path / "step.mlir")
    assert text.startswith("program jit_step\n2 parameters\n  parameter 0: 64x32xf32, 8.0 KiB, donated, becomes result ")
    assert "  parameter 1: 8x64xf32, 2.0 KiB\n2 results\n" in text
    assert re.search(r"result \d: f32, 4 B, result\['answer'\]\n", text), text
    assert re.search(r"result \d: 64x32xf32, 8.0 KiB, result\['weights'\]\n", text), text
    assert "time on one core: " in text and "library calls: 1" in text and "temporary: " in text


def test_show_kernels(tmp_path):
    (tmp_path / "sine.mlir").write_text(jax.jit(lambda x: jnp.sin(x) + 1).lower(jnp.ones(64)).as_text())
    before = set(os.listdir(tmp_path))
    text = tool("show", "--kernels", tmp_path / "sine.mlir", TMPDIR=str(tmp_path))
    assert "\ndefine " in text and "fadd " in text and "1 parameter\n" in text
    assert set(os.listdir(tmp_path)) == before
    assert "\ndefine " not in tool("show", tmp_path / "sine.mlir")
    assert "usage: millrace show" in tool("show", "--kernels", status=2)
    assert "NOT_FOUND" in tool("show", "--device", "opencl:of_nobody", tmp_path / "sine.mlir", status=1)


def test_show_kernels_of_opencl(tmp_path):
    # A folder of its own: PoCL's usual one is below a home that not every user has.
    pocl = {"POCL_DEVICES": "pthread", "POCL_CACHE_DIR": str(tmp_path / "pocl")}
    (tmp_path / "pocl").mkdir()
    if "OpenCL CPU" not in tool("devices", **pocl):
        pytest.skip("no OpenCL device")
    (tmp_path / "sine.mlir").write_text(jax.jit(lambda x: jnp.sin(x) + 1).lower(jnp.ones(64)).as_text())
    text = tool("show", "--device", "opencl:cpu", "--kernels", tmp_path / "sine.mlir", MILLRACE_NUM_DEVICES="8", **pocl)
    assert "kernel void k0(global uchar *p0, " in text and "get_global_id(0)" in text and "\ndefine " not in text


def test_run_names_what_is_wanted(program):
    assert tool("run", program, status=1).endswith(
        "1 parameters, the inputs are 0 arrays; wanted are\n  in0: 64x64xf32, a NumPy array of type f4\n")


# One unit is what was measured; more are never slower, and a wrong topology is refused.
def test_simulate(program):
    text = tool("simulate", program, "--units", "1,2,64", "--runs", "3", "--steps", MILLRACE_CACHE_DIR="")
    rows = re.findall(r"^ +(\d+) +\d+ +([0-9.]+) +([0-9.]+) .*%  [a-z: -]+$", text, re.M)
    assert [row[0] for row in rows] == ["1", "2", "64"] and float(rows[0][2]) == 1.0
    assert float(rows[2][1]) <= float(rows[0][1]) and "measured on one unit" in text
    assert re.search(r"^ +[0-9.]+ +[0-9.]+ +\d+ +\d+  matmul$", text, re.M)
    text = tool("simulate", program, "--estimated", "--topology", "pack:2 core:4 pu:1", "--units", "8")
    assert "as the compiler estimates" in text
    assert "9 of a topology that has 8" in tool("simulate", program, "--estimated", "--topology", "pack:2 core:4 pu:1",
                                                "--units", "9", status=1).replace("units ", "")
    assert "INVALID_ARGUMENT" in tool("simulate", program, "--topology", "moon:2", status=1)
    assert tool("simulate", program, "--units", "0", status=2).startswith("millrace: cannot use --units")


def test_graph(program, tmp_path):
    tool = BUILD / "bin" / "millrace"
    result = subprocess.run([tool, "graph", program], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith('digraph "double" {') and result.stdout.endswith("}\n")
    assert "parameter 0" in result.stdout and "result 0" in result.stdout and "->" in result.stdout
    # Types on the arrows, and the one way there is, from parameter to result, red.
    assert re.search(r'n1 -> n2 \[label="64x64xf32", style=bold', result.stdout)
    assert re.search(r'label="critical path [0-9.]+ us of [0-9.]+ us', result.stdout)
    subprocess.run([tool, "graph", program, "-o", tmp_path / "plan.svg"], check=True, timeout=120)
    check_picture(result.stdout, (tmp_path / "plan.svg").read_text())


# 100 us: thread 1 works for 60, of these 20 in a callback; thread 2 transfers for 10 and is idle for the rest, each part with its reason.
def test_trace_summary(tmp_path):
    def span(tid, ts, dur, cat, name, **about):
        return {"ph": "X", "name": name, "cat": cat, "pid": 1, "tid": tid, "ts": ts, "dur": dur, "args": about}

    events = [{"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "host thread"}},
              span(1, 0, 60, "node", "step", kind="execute", device=3), span(1, 30, 20, "node", "ask", kind="callback"),
              span(2, 0, 40, "worker", "sleep"), span(2, 40, 10, "transfer", "h2d", kind="host-to-device"),
              span(2, 50, 50, "worker", "search"), span(3, 60, 40, "worker", "sleep"), span(3, 40, 10, "worker", "search")]
    (tmp_path / "t.json").write_text("\n".join(json.dumps(e, separators=(",", ":")) for e in events))
    text = tool("trace", "--summary", tmp_path / "t.json")
    rows = {int(tid): list(map(float, rest.split())) for tid, rest in re.findall(r" (\d+) +([0-9. ]+)$", text, re.M)}
    assert rows[1] == [0.040, 0, 0.020, 0, 0, 0, 0]
    assert rows[2] == [0, 0.010, 0, 0.040, 0.040, 0, 0.010]
    assert rows[3] == [0, 0, 0, 0.040, 0, 0.010, 0]
    assert "0 busy at once: 0.040 ms, 40.0%\n1 busy at once: 0.050 ms, 50.0%\n2 busy at once: 0.010 ms" in text
    assert "device 3 busy: 0.060 ms, 60.0%" in text
    assert "No such file" in tool("trace", "--summary", tmp_path / "none.json", status=1)


# Every node of the description is a shape of the picture and every edge a line, no two boxes overlap, nothing is outside.
def check_picture(dot, svg):
    root = xml.etree.ElementTree.fromstring(svg)
    space = "{http://www.w3.org/2000/svg}"
    boxes = []
    for shape in root:
        at = {name: float(value) for name, value in shape.items() if name in {"x", "y", "width", "height", "cx", "cy", "rx", "ry"}}
        if shape.tag == space + "rect" and shape.get("fill") != "none":
            boxes.append((at["x"], at["y"], at["x"] + at["width"], at["y"] + at["height"]))
        elif shape.tag == space + "ellipse":
            boxes.append((at["cx"] - at["rx"], at["cy"] - at["ry"], at["cx"] + at["rx"], at["cy"] + at["ry"]))
    assert len(boxes) == len(re.findall(r"^ *[nr]\d+ \[label", dot, re.M))
    assert len(root.findall(space + "path")) == dot.count("->")
    for i, a in enumerate(boxes):
        assert a[0] >= 0 and a[1] >= 0 and a[2] <= float(root.get("width")) and a[3] <= float(root.get("height"))
        for b in boxes[:i]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (a, b)


# A plan with loops inside loops and branches has frames in frames.
def test_graph_of_loops(tmp_path):
    def step(i, x):
        inner = jax.lax.fori_loop(0, 3, lambda k, y: jnp.sort(y) + k, x)
        return jax.lax.cond(x[0] > 2, lambda y: jnp.cumsum(y), lambda y: y @ jnp.ones((300, 300)), inner)
    exported = jax.export.export(jax.jit(lambda x: jax.lax.fori_loop(0, 5, step, x)))(jnp.ones(300))
    program = tmp_path / "loops.mlirbc"
    program.write_bytes(exported.mlir_module_serialized)
    tool = BUILD / "bin" / "millrace"
    dot = subprocess.run([tool, "graph", program], capture_output=True, text=True, check=True, timeout=120).stdout
    subprocess.run([tool, "graph", program, "-o", tmp_path / "plan.svg"], check=True, timeout=120)
    assert "subgraph" in dot
    check_picture(dot, (tmp_path / "plan.svg").read_text())
