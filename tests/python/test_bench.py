"""`millrace bench`: what it counts adds up, what it writes can be read, what it is told wrongly it refuses by name. Nothing here depends on
how fast a machine is."""

import json
import os
import pathlib
import re
import signal
import subprocess
import time
import xml.etree.ElementTree

import jax
import jax.numpy as jnp
import numpy
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = pathlib.Path(os.environ.get("MILLRACE_BUILD", ROOT / "build" / "release")) / "bin" / "millrace"
TIMES = ["min", "p50", "p90", "p95", "p99", "p99.9", "max"]

PROGRAM = """
module @double {
  func.func public @main(%arg0: tensor<64x64xf32>, %arg1: tensor<3xi32>) -> tensor<64x64xf32> {
    %0 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %1 = stablehlo.tanh %0 : tensor<64x64xf32>
    return %1 : tensor<64x64xf32>
  }
}
"""


def bench(*arguments, status=0, **environment):
    result = subprocess.run([TOOL, "bench", *map(str, arguments)], capture_output=True, text=True, timeout=120,
                            env={**os.environ, "MILLRACE_CACHE_DIR": "", **environment})
    assert result.returncode == status, result.stderr + result.stdout
    return result.stdout if status == 0 else result.stderr


@pytest.fixture
def program(tmp_path):
    (tmp_path / "double.mlir").write_text(PROGRAM)
    return tmp_path / "double.mlir"


@pytest.fixture
def polymorphic(tmp_path):
    """A network whose batch is open, with its weights beside."""
    def network(params, x):
        return {"y": jnp.tanh(x @ params["w"])}

    b, = jax.export.symbolic_shape("b")
    shapes = {"w": jax.ShapeDtypeStruct((16, 4), jnp.float32)}, jax.ShapeDtypeStruct((b, 16), jnp.float32)
    exported = jax.export.export(jax.jit(network), platforms=["cpu"])(*shapes)
    (tmp_path / "net.mlirbc").write_bytes(exported.mlir_module_serialized)
    numpy.savez(tmp_path / "net.npz", **{"params['w']": numpy.ones((16, 4), numpy.float32)})
    return tmp_path / "net.mlirbc"


def check_times(times, count):
    assert times["count"] == count
    values = [times[name] for name in TIMES]
    assert values == sorted(values) and values[0] > 0, times
    assert times["min"] <= times["mean"] <= times["max"]


def check_report(report, executions=None):
    assert report["millrace_bench"] == 1 and report["rows"]
    assert set(report) == {"millrace_bench", "program", "weights", "devices", "options", "inputs", "interrupted", "rows"}
    for row in report["rows"]:
        assert set(row) == {"batch", "items_per_second", "sizes", "load_ns", "compile_ns", "first_ns", "executions", "seconds",
                            "executions_per_second", "in_call", "unbegun", "latency_ns", "host_ns", "device_ns", "costs"}
        if executions is not None:
            assert row["executions"] == executions
        check_times(row["latency_ns"], row["executions"])
        check_times(row["host_ns"], row["executions"])
        assert row["in_call"] <= row["executions"]
        assert row["executions_per_second"] == pytest.approx(row["executions"] / row["seconds"], rel=1e-2)
        assert row["device_ns"] is None or row["device_ns"] > 0
        assert row["costs"]["argument_bytes"] > 0 and row["costs"]["steps"] > 0


@pytest.mark.parametrize("way", [[], ["--streams", 3], ["--streams", 3, "--threads"], ["--rate", 100000],
                                 ["--rate", 100000, "--streams", 2], ["--rate", 100000, "--streams", 2, "--threads"],
                                 ["--devices", 2], ["--devices", 2, "--streams", 2]], ids=lambda way: " ".join(map(str, way)))
def test_iterations_add_up(program, tmp_path, way):
    text = bench(program, *way, "--iterations", 20, "--warm-up", 0, "--json", tmp_path / "r.json")
    streams = way[way.index("--streams") + 1] if "--streams" in way else 1
    report = json.loads((tmp_path / "r.json").read_text())
    check_report(report, 20 * streams)
    assert report["options"]["streams"] == streams and report["options"]["threads"] == ("--threads" in way)
    assert report["options"]["rate"] == (100000 if "--rate" in way else None) and not report["interrupted"]
    assert report["devices"] == ["cpu"] * (2 if "--devices" in way else 1)
    assert [(i["name"], i["type"], i["source"]) for i in report["inputs"]] == [("input0", "64x64xf32", "made up"), ("input1", "3xi32", "made up")]
    assert f"{20 * streams} executions in " in text and "p99.9" in text and "memory: arguments" in text


def test_a_duration_ends_it(program, tmp_path):
    bench(program, "--duration", 0.05, "--streams", 2, "--json", tmp_path / "r.json")
    report = json.loads((tmp_path / "r.json").read_text())
    check_report(report)
    assert report["options"]["duration_s"] == 0.05 and report["options"]["iterations"] is None


# Times count from when executions were due: at a rate that no machine reaches they grow to the end, and most never begin.
def test_a_rate_that_is_not_reached(program, tmp_path):
    text = bench(program, "--rate", 1e9, "--duration", 0.1, "--json", tmp_path / "r.json")
    row = json.loads((tmp_path / "r.json").read_text())["rows"][0]
    assert row["unbegun"] > 0 and row["latency_ns"]["max"] > row["host_ns"]["p50"] and "slower than the rate" in text
    assert row["unbegun"] + row["executions"] <= 0.1 * 1e9 + 1


def test_what_is_over_first_ends_it(program, tmp_path):
    bench(program, "--iterations", 3, "--duration", 1000, "--json", tmp_path / "r.json")
    check_report(json.loads((tmp_path / "r.json").read_text()), 3)


# What an execution takes is made anew: the program reads what it got each time.
def test_donated_arguments(tmp_path):
    lowered = jax.jit(lambda s, x: (s + x, (s * x).sum()), donate_argnums=0).lower(jnp.ones((8, 4)), jnp.ones((8, 4)))
    (tmp_path / "step.mlir").write_text(lowered.as_text())
    for way in ([], ["--streams", 4], ["--streams", 4, "--threads"]):
        bench(tmp_path / "step.mlir", "--iterations", 10, *way, "--json", tmp_path / "r.json")
        report = json.loads((tmp_path / "r.json").read_text())
        check_report(report, 10 * report["options"]["streams"])
        assert [i["donated"] for i in report["inputs"]] == [True, False]


def test_given_inputs(program, tmp_path):
    numpy.save(tmp_path / "x.npy", numpy.ones((64, 64), numpy.float32))
    for value, sources in ((tmp_path / "x.npy", ["given", "made up"]), (f"input0={tmp_path / 'x.npy'}", ["given", "made up"])):
        bench(program, "--input", value, "--iterations", 2, "--json", tmp_path / "r.json")
        assert [i["source"] for i in json.loads((tmp_path / "r.json").read_text())["inputs"]] == sources


# Every element type has numbers that are made up, and none of them is no number.
@pytest.mark.parametrize("dtype", ["i1", "i2", "ui2", "i4", "ui4", "i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64", "f16",
                                   "bf16", "f32", "f64", "complex<f32>", "complex<f64>", "f8E5M2", "f8E4M3FN", "f8E4M3B11FNUZ"])
def test_made_up(tmp_path, dtype):
    (tmp_path / "p.mlir").write_text(f"""module @p {{ func.func public @main(%x: tensor<65x{dtype}>) -> tensor<65x{dtype}> {{
      return %x : tensor<65x{dtype}> }} }}""")
    bench(tmp_path / "p.mlir", "--iterations", 1, "--json", tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text())["inputs"][0]["type"] == f"65x{dtype}"


def test_batches(polymorphic, tmp_path):
    text = bench(polymorphic, "--batch", "1,8,32", "--iterations", 5, "--json", tmp_path / "r.json", "--plot", tmp_path / "p.svg")
    report = json.loads((tmp_path / "r.json").read_text())
    check_report(report, 5)
    assert [row["batch"] for row in report["rows"]] == [1, 8, 32]
    assert [row["sizes"] for row in report["rows"]] == [{"b": 1}, {"b": 8}, {"b": 32}]
    assert [row["costs"]["argument_bytes"] for row in report["rows"]] == [4 * (64 + 16 * b) for b in (1, 8, 32)]
    for row in report["rows"]:
        assert row["items_per_second"] == pytest.approx(row["batch"] * row["executions_per_second"], rel=1e-3)
    assert report["weights"] == str(tmp_path / "net.npz")
    assert [(i["name"], i["source"], i["type"]) for i in report["inputs"]] == [
        ("params['w']", "weights", "16x4xf32"), ("x", "made up", "bx16xf32")]
    assert re.search(r"^ +32 +[0-9.]+ +[0-9.]+ ", text, re.M)
    space = "{http://www.w3.org/2000/svg}"
    picture = xml.etree.ElementTree.parse(tmp_path / "p.svg").getroot()
    assert picture.tag == space + "svg" and len(picture.findall(space + "polyline")) == 3
    words = [element.text for element in picture.findall(space + "text")]
    assert {"batch 1", "batch 8", "batch 32", "90%"} <= set(words)


# Of a size that two inputs have, only one need be called by its symbol.
def test_batches_of_two_inputs(tmp_path):
    b, n = jax.export.symbolic_shape("b, n")
    x, y = jax.ShapeDtypeStruct((b, 4), jnp.float32), jax.ShapeDtypeStruct((n, 4), jnp.float32)
    exported = jax.export.export(jax.jit(lambda x, y: x * y), platforms=["cpu"])(x, x)
    (tmp_path / "two.mlirbc").write_bytes(exported.mlir_module_serialized)
    bench(tmp_path / "two.mlirbc", "--batch", "2,3", "--iterations", 2, "--json", tmp_path / "r.json")
    assert [row["sizes"] for row in json.loads((tmp_path / "r.json").read_text())["rows"]] == [{"b": 2}, {"b": 3}]
    exported = jax.export.export(jax.jit(lambda x, y: x @ y.T), platforms=["cpu"])(x, y)
    (tmp_path / "other.mlirbc").write_bytes(exported.mlir_module_serialized)
    assert "--batch wants one size in front of all inputs, that of x is b, of y n" in bench(
        tmp_path / "other.mlirbc", "--batch", 2, status=1)
    bench(tmp_path / "other.mlirbc", "--size", "b=2", "--size", "n=5", "--iterations", 2, "--json", tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text())["rows"][0]["sizes"] == {"b": 2, "n": 5}


def test_open_sizes(polymorphic, tmp_path):
    bench(polymorphic, "--size", "b=3", "--iterations", 2, "--json", tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text())["rows"][0]["sizes"] == {"b": 3}
    bench(polymorphic, "--shape", "x=4x16", "--iterations", 2, "--json", tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text())["rows"][0]["sizes"] == {"b": 4}
    numpy.save(tmp_path / "x.npy", numpy.ones((5, 16), numpy.float32))
    bench(polymorphic, "--input", tmp_path / "x.npy", "--iterations", 2, "--json", tmp_path / "r.json")
    assert json.loads((tmp_path / "r.json").read_text())["rows"][0]["sizes"] == {"b": 5}
    bench(polymorphic, "--weights", "", "--size", "b=2", "--iterations", 2, "--json", tmp_path / "r.json")
    assert [i["source"] for i in json.loads((tmp_path / "r.json").read_text())["inputs"]] == ["made up", "made up"]
    assert "leaves the size b open (of x): --size b=N" in bench(polymorphic, status=1)
    assert "has no size n; it leaves open b" in bench(polymorphic, "--size", "n=3", status=1)
    assert "the size b of x is 5, and 3 by --size" in bench(polymorphic, "--size", "b=3", "--input", tmp_path / "x.npy", status=1)
    assert "the size b of x is 5, and 8 by --batch" in bench(polymorphic, "--batch", 8, "--input", tmp_path / "x.npy", status=1)
    assert "x has 2 dimensions, and 1 by --shape" in bench(polymorphic, "--shape", "x=4", status=1)


@pytest.mark.parametrize("arguments,wanted", [
    (["--streams", "0"], "cannot use --streams 0: wanted a whole number from 1 to 1024"),
    (["--streams", "-1"], "cannot use --streams -1: wanted a whole number from 1 to 1024"),
    (["--rate", "fast"], "cannot use --rate fast: wanted a number from 0.001 to"),
    (["--duration", "0"], "cannot use --duration 0: wanted a number from 0.001 to"),
    (["--duration", "nan"], "cannot use --duration nan: wanted a number"),
    (["--iterations", "1.5"], "cannot use --iterations 1.5: wanted a whole number"),
    (["--warm-up"], "cannot use --warm-up: wanted a number from 0 to"),
    (["--batch", "1,,2"], "cannot use --batch 1,,2: wanted sizes above 0 with commas between them"),
    (["--batch", "8,0"], "cannot use --batch 8,0: wanted sizes above 0"),
    (["--size", "b"], "cannot use --size b: wanted SYMBOL=N, as b=8"),
    (["--size", "b=x"], "cannot use --size b=x: wanted SYMBOL=N, as b=8"),
    (["--shape", "x=4x"], "cannot use --shape x=4x: wanted INPUT=SHAPE, as x=8x784"),
    (["--speed", "1"], "cannot use --speed: there is no such option"),
    (["other.mlir"], "cannot use other.mlir: wanted one program, which is"),
])
def test_refused_options(program, arguments, wanted):
    text = bench(program, *arguments, status=2)
    assert wanted in text and "`millrace bench --help`" in text


def test_what_is_wrong_is_named(program, tmp_path):
    assert bench(status=2).startswith("millrace: no program is named\nusage: millrace bench")
    assert "none.mlir: No such file" in bench(tmp_path / "none.mlir", status=1)
    assert "--batch wants a program that leaves the first size of an input open" in bench(program, "--batch", 1, status=1)
    assert "x.npy: No such file" in bench(program, "--input", f"q={tmp_path / 'x.npy'}", status=2)
    assert "no device 7, there are" in bench(program, "--device", 7, status=1)
    numpy.save(tmp_path / "x.npy", numpy.ones(3))
    assert "parameter 0 is a 64x64xf32, the input a NumPy array of rank 1 and type f8, of shape 3" in bench(
        program, "--input", tmp_path / "x.npy", status=1)
    assert "no input is called q; the program's are input0, input1" in bench(program, "--input", f"q={tmp_path / 'x.npy'}", status=1)
    assert "None/x.json: No such file" in bench(program, "--iterations", 1, "--json", "None/x.json", status=1)
    assert "None/x.svg: No such file" in bench(program, "--iterations", 1, "--plot", "None/x.svg", status=1)
    (tmp_path / "wrong.mlir").write_text("module {")
    assert "INVALID_ARGUMENT" in bench(tmp_path / "wrong.mlir", status=1)


@pytest.mark.parametrize("way", [[], ["--streams", 2], ["--streams", 2, "--threads"]], ids=lambda way: " ".join(map(str, way)))
def test_an_execution_that_fails(program, way):
    text = bench(program, *way, "--iterations", 50, "--warm-up", 0, status=1, MILLRACE_DEVICES="faulty:cpu", MILLRACE_FAULTY="launch:7:fail")
    assert re.search(r"^millrace: an execution failed, after \d+ were begun: [A-Z_]+: ", text, re.M), text


# Ctrl-C ends it with what has been measured, and says so.
@pytest.mark.parametrize("way", [[], ["--streams", "2"], ["--streams", "2", "--threads"], ["--rate", "50"]], ids=" ".join)
def test_ended_early(program, tmp_path, way):
    command = [TOOL, "bench", program, *way, "--duration", "1000", "--warm-up", "0", "--json", tmp_path / "r.json", "--plot", tmp_path / "p.svg"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(1)  # long enough that something was measured; if not, there are no rows
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert out.startswith("ended early\n")
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["interrupted"] is True
    if report["rows"]:
        check_report(report)
    xml.etree.ElementTree.parse(tmp_path / "p.svg")
