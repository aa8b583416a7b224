"""Runs every program of this folder with bin/millrace, from bytecode and from text, against what XLA:CPU answered."""

import functools
import itertools
import json
import os
import pathlib
import re
import subprocess
import zipfile

import ml_dtypes
import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MILLRACE = os.environ.get("MILLRACE_TOOL", str(ROOT / "build" / "release" / "bin" / "millrace"))
# How many times as long the tool may take, which may be a script that runs it in an emulator.
SLOWER = int(os.environ.get("MILLRACE_TOOL_SLOWER", "1"))
PROGRAMS = json.loads((HERE / "manifest.json").read_text())

# What does not work, and why. One that starts to work fails the run until its line
# here is gone.
UNSUPPORTED = {
}

# How to read the raw bits of types that NumPy lacks.
RAW = {
    "bf16": ml_dtypes.bfloat16, "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
}


def cases():
    for entry in PROGRAMS:
        marks = []
        if entry["name"] in UNSUPPORTED:
            marks.append(pytest.mark.xfail(reason=UNSUPPORTED[entry["name"]], strict=True))
        for form in ("mlirbc", "mlir"):
            yield pytest.param(entry, form, marks=marks, id=f"{entry['name']}-{form}")


def run(program, *arguments):
    command = [MILLRACE, "run", str(program), *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120 * SLOWER)
    assert result.returncode == 0, f"{result.stderr[-2000:]}\nexit status {result.returncode}"
    return result.stdout


def spacing(values, kind):
    """From numbers of this type to the next larger ones: a unit in the last place."""
    info = ml_dtypes.finfo(kind)
    exponents = np.floor(np.log2(np.maximum(values, float(info.tiny))))
    return np.maximum(2.0 ** (exponents - info.nmant), float(info.smallest_subnormal))


def check_floats(got, wanted, entry, message):
    """As many units in the last place apart as the entry allows: of each number, or of the output's largest for sums whose
    terms cancel. NaN and infinities are where they are wanted."""
    kind, got, wanted = got.dtype, got.astype(np.float64), wanted.astype(np.float64)
    finite = np.isfinite(wanted)
    np.testing.assert_array_equal(got[~finite], wanted[~finite], err_msg=message)
    got, wanted = got[finite], wanted[finite]
    if not wanted.size:
        return
    allowed = entry["ulp"] * spacing(np.abs(wanted), kind)
    allowed = np.maximum(allowed, entry["of_largest"] * spacing(np.abs(wanted).max(), kind) + entry["absolute"])
    off = np.abs(got - wanted)
    worst = int(np.argmax(off / np.maximum(allowed, 1e-320)))
    assert np.all(off <= allowed), f"{message}: got {got[worst]!r}, wanted {wanted[worst]!r} within {allowed[worst]}"


def check(got, wanted, entry, index):
    """Integers, truth values and floats of eight bits are equal, the rest is close."""
    dtype = entry["outputs"][index]["dtype"]
    assert got.dtype == wanted.dtype and got.shape == wanted.shape
    if dtype in RAW:
        got, wanted = got.view(RAW[dtype]), wanted.view(RAW[dtype])
    message = f"output {index}, {dtype}{list(wanted.shape)}"
    if dtype.startswith("f8"):  # NaN is equal to NaN
        np.testing.assert_array_equal(got.astype(np.float32), wanted.astype(np.float32), err_msg=message)
    elif got.dtype.kind == "c":
        got, wanted = (np.stack([x.real, x.imag]) for x in (got, wanted))
        check_floats(got, wanted, entry, message)
    elif got.dtype.kind == "f" or dtype == "bf16":
        check_floats(got, wanted, entry, message)
    else:
        np.testing.assert_array_equal(got, wanted, err_msg=message)


# Without AVX, with AVX2, and with AVX-512 but masks for wide elements only; libraries may use as much.
PROCESSORS = {"x86-64-v2": "sse4.2", "haswell": "avx2", "knl": "avx512"}


@functools.cache
def refusal(processor):
    """What the tool says where this machine has not all instructions of a processor; None: it has."""
    settings = {"MILLRACE_CPU": processor, "MILLRACE_LIBRARY_ISA": PROCESSORS[processor]}
    result = run_with(settings, "convs")
    if result.returncode == 0:
        return None
    assert result.returncode == 1, f"{result.stderr[-2000:]}\nexit status {result.returncode}"
    return re.search(r"\w+=\S+: its instructions cannot run here, this processor lacks .*", result.stderr).group(0)


def run_with(settings, name):
    """One of the programs, without kernels that were kept."""
    command = [MILLRACE, "run", str(HERE / f"{name}.mlirbc"), "--input", str(HERE / f"{name}.npz")]
    environment = {**os.environ, "MILLRACE_CACHE_DIR": "", **settings}
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120 * SLOWER)


@pytest.mark.parametrize("processor", PROCESSORS)
@pytest.mark.parametrize("entry", PROGRAMS, ids=[entry["name"] for entry in PROGRAMS])
def test_program_as_on_another_processor(entry, processor, tmp_path, monkeypatch):
    """Code for a lesser processor runs on this one; what this one cannot run is skipped."""
    if refusal(processor):
        pytest.skip(refusal(processor))
    monkeypatch.setenv("MILLRACE_CPU", processor)
    monkeypatch.setenv("MILLRACE_LIBRARY_ISA", PROCESSORS[processor])
    check_program(entry, "mlirbc", tmp_path)


# As the kernel writes what LLVM and the C compiler call otherwise.
FLAGS = {"lzcnt": "abm", "prfchw": "3dnowprefetch", "pclmul": "pclmulqdq", "bmi": "bmi1"}


def flags():
    """Of this machine, without what the kernel puts between words."""
    line = re.search(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE).group(1)
    return {flag.replace("_", "") for flag in line.split()}


@pytest.mark.skipif("MILLRACE_TOOL_LEVEL" in os.environ, reason="/proc/cpuinfo is not about the processor that the tool sees")
def test_refused_processors_lack_what_is_said():
    """A processor is refused for what this machine lacks and for nothing else; each newer one that has AVX-512 where it has not."""
    has = flags()
    for processor in [*PROCESSORS, "x86-64-v3", "x86-64-v4", "skylake", "znver2", "sapphirerapids", "graniterapids", "znver5"]:
        result = run_with({"MILLRACE_CPU": processor}, "mlp_train_step")
        if result.returncode == 0:
            continue
        said = re.search(rf"FAILED_PRECONDITION: MILLRACE_CPU={processor}: .* this processor lacks (.*)", result.stderr)
        assert said, f"{processor}: {result.stderr[-2000:]}\nexit status {result.returncode}"
        lacks = [FLAGS.get(name, re.sub("[-.]", "", name)) for name in said.group(1).split(", ")]
        assert lacks and not set(lacks) & has, lacks
    if "avx512f" not in has:
        assert "lacks" in (refusal("knl") or "") and run_with({"MILLRACE_CPU": "x86-64-v4"}, "mlp_train_step").returncode == 1


def test_a_processor_that_llvm_does_not_know_is_refused():
    result = run_with({"MILLRACE_CPU": "crayon"}, "mlp_train_step")
    assert result.returncode == 1
    assert "INVALID_ARGUMENT: MILLRACE_CPU=crayon: LLVM knows no such processor" in result.stderr


@pytest.mark.parametrize("processor", ["i386", "i686", "pentium3", "athlon-xp", "lakemont", "pentium-m", "pentium_m", "pentium4",
                                       "pentium4m", "pentium_4", "pentium_4_sse3", "prescott", "yonah"])
def test_a_processor_of_32_bits_is_refused(processor):
    result = run_with({"MILLRACE_CPU": processor}, "mlp_train_step")
    assert result.returncode == 1, f"{result.stderr[-2000:]}\nexit status {result.returncode}"
    assert f"INVALID_ARGUMENT: MILLRACE_CPU={processor}: " in result.stderr


def test_instructions_for_libraries_that_are_not_here_are_refused():
    result = run_with({"MILLRACE_LIBRARY_ISA": "avx1024"}, "convs")
    assert result.returncode == 1
    assert "MILLRACE_LIBRARY_ISA=avx1024, wanted sse4.2, avx2 or avx512" in result.stderr
    if "MILLRACE_TOOL_LEVEL" not in os.environ:
        result = run_with({"MILLRACE_LIBRARY_ISA": "avx512"}, "convs")
        missing = {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"} - flags()
        assert (result.returncode == 0) == (not missing)
        for name in missing:
            assert name in result.stderr


@pytest.mark.parametrize("entry,form", cases())
def test_program(entry, form, tmp_path):
    check_program(entry, form, tmp_path)


def check_program(entry, form, tmp_path):
    archive = HERE / f"{entry['name']}.npz"
    arguments = ["--input", archive] if entry["inputs"] else []
    run(HERE / f"{entry['name']}.{form}", *arguments, "--output", tmp_path)
    expected = np.load(archive)
    for index in range(len(entry["outputs"])):
        check(np.load(tmp_path / f"out{index}.npy"), expected[f"out{index}"], entry, index)


LARGE = """func.func @main(%a: tensor<300x300xf32>) -> tensor<300x300xf32> {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<300x300xf32>, tensor<300x300xf32>) -> tensor<300x300xf32>
  return %0 : tensor<300x300xf32>
}
"""


def test_without_onednn(tmp_path, monkeypatch):
    """A program that has nothing for oneDNN runs without it, one that has is told what is missing and for which operation."""
    monkeypatch.setenv("MILLRACE_ONEDNN_LIBRARY", "/nowhere/libdnnl.so.2")
    check_program(next(e for e in PROGRAMS if e["name"] == "binary_f32"), "mlirbc", tmp_path)
    program = tmp_path / "large.mlir"
    program.write_text(LARGE)
    np.save(tmp_path / "a.npy", np.ones((300, 300), np.float32))
    command = [MILLRACE, "run", str(program), "--input", str(tmp_path / "a.npy")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert result.returncode == 1
    assert "UNAVAILABLE" in result.stderr and "stablehlo.dot_general" in result.stderr, result.stderr
    assert "/nowhere/libdnnl.so.2" in result.stderr, result.stderr


def test_inputs_from_separate_files_in_column_order(tmp_path):
    """An .npy file may be in Fortran order, and --repeat runs the program again on the same inputs."""
    expected = np.load(HERE / "dots.npz")
    arguments = []
    for index in range(6):
        path = tmp_path / f"x{index}.npy"
        np.save(path, np.asfortranarray(expected[f"in{index}"]))
        arguments += ["--input", path]
    output = run(HERE / "dots.mlirbc", *arguments, "--output", tmp_path, "--repeat", 3)
    assert "3 runs" in output
    check(np.load(tmp_path / "out0.npy"), expected["out0"], next(e for e in PROGRAMS if e["name"] == "dots"), 0)


def wide_archive(path, fields, monkeypatch):
    """An archive of two arrays that ends as one of 4 GiB and more does: with a record of 64-bit fields and, in place of some fields of the old
    record, all ones."""
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 10)
    np.savez(path, np.float32([1, 2]), np.float32([30, 40]))
    data = bytearray(path.read_bytes())
    assert data[-22:-18] == b"PK\5\6" and data[-42:-38] == b"PK\6\7"
    for begin, end in fields:
        data[begin - 22:end - 22] = b"\xff" * (end - begin)
    return data


PAIR = """module {
  func.func public @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.subtract %b, %a : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
"""


@pytest.mark.parametrize("fields", [[(16, 20)], [(8, 12)], [(8, 20)]], ids=["offset", "count", "all"])
def test_an_archive_of_more_than_4_gib(fields, tmp_path, monkeypatch):
    (tmp_path / "pair.mlir").write_text(PAIR)
    archive = tmp_path / "pair.npz"
    archive.write_bytes(wide_archive(archive, fields, monkeypatch))
    run(tmp_path / "pair.mlir", "--input", archive, "--output", tmp_path)
    np.testing.assert_array_equal(np.load(tmp_path / "out0.npy"), [29, 38])


@pytest.mark.parametrize("place", [-98, -66, -59, -50, -43, -42, -34, -27])
def test_a_damaged_archive_of_more_than_4_gib(place, tmp_path, monkeypatch):
    """A byte of its last records, at the begin or the end of one or of a field: it is refused and nothing is read outside the file."""
    (tmp_path / "pair.mlir").write_text(PAIR)
    archive = tmp_path / "pair.npz"
    data = wide_archive(archive, [(16, 20)], monkeypatch)
    data[place] ^= 0x81
    archive.write_bytes(data)
    command = [MILLRACE, "run", tmp_path / "pair.mlir", "--input", archive, "--output", tmp_path]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60 * SLOWER)
    assert result.returncode == 1, result.stdout
    assert "not an .npy or .npz file" in result.stderr or "the inputs are 0 arrays" in result.stderr, result.stderr


SHARDED = """module @sharded {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x6xf32>)
      -> (tensor<4x6xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
    %1 = stablehlo.add %a, %a : tensor<4x8xf32>
    return %0, %1 : tensor<4x6xf32>, tensor<4x8xf32>
  }
}
"""


def test_several_devices_run_one_program(tmp_path):
    """Inputs are whole arrays and are cut, results are joined; the picture has the collective that the cut needs."""
    a, b = np.arange(32, dtype=np.float32).reshape(4, 8), np.arange(48, dtype=np.float32).reshape(8, 6)
    program = tmp_path / "sharded.mlir"
    program.write_text(SHARDED)
    np.save(tmp_path / "a.npy", np.asfortranarray(a))
    np.save(tmp_path / "b.npy", b)
    arguments = ["--input", tmp_path / "a.npy", "--input", tmp_path / "b.npy", "--devices", 4, "--repeat", 2]
    run(program, *arguments, "--output", tmp_path)
    np.testing.assert_array_equal(np.load(tmp_path / "out0.npy"), a @ b)
    np.testing.assert_array_equal(np.load(tmp_path / "out1.npy"), a + a)
    graph = subprocess.run([MILLRACE, "graph", str(program), "--devices", "4"], capture_output=True, text=True, timeout=60 * SLOWER)
    assert "all_reduce" in graph.stdout and "on each of 4 devices" in graph.stdout and "48 B from all" in graph.stdout
    trace = [MILLRACE, "trace", "-o", tmp_path / "trace.json", "--", MILLRACE, "run", program, *map(str, arguments)]
    subprocess.run(trace, capture_output=True, check=True, timeout=60 * SLOWER)
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert {e["args"]["device"] for e in events if e["name"] == "sharded"} == {0, 1, 2, 3}
    # Each device has a group of rows, with the program and the meeting, and nothing in a row lies across something else.
    groups = {e["args"]["name"]: e["pid"] for e in events if e["name"] == "process_name"}
    kind = os.environ.get("MILLRACE_DEVICES", "cpu").split(":")[0]
    for device in range(4):
        spans = [e for e in events if e["ph"] == "X" and e["pid"] == groups[f"{kind} {device}"]]
        names = {span["name"] for span in spans}
        assert "sharded" in names and any("all_reduce" in name for name in names), names
        assert {span["args"]["device"] for span in spans} == {device}
        for a, b in itertools.permutations(spans, 2):
            if a["tid"] == b["tid"] and a["ts"] <= b["ts"] < a["ts"] + a["dur"] - 0.002:
                assert b["ts"] + b["dur"] <= a["ts"] + a["dur"] + 0.002, (a, b)
    summary = subprocess.run([MILLRACE, "trace", "--summary", tmp_path / "trace.json"], capture_output=True, text=True, check=True)
    threads = {e["tid"] for e in events if e["name"] == "thread_name" and e["pid"] == groups["millrace"]}
    assert f"{len(threads)} threads" in summary.stdout, summary.stdout


@pytest.mark.parametrize("damage", ["missing", "wrong_shape", "not_numpy", "not_a_program", "a_folder"])
def test_mistakes_are_explained(damage, tmp_path):
    """A wrong call ends with status 1 and a message, never a crash."""
    program, source = HERE / "mlp_fwd.mlirbc", np.load(HERE / "mlp_fwd.npz")
    arguments = []
    for index in range(5):
        path = tmp_path / f"x{index}.npy"
        np.save(path, source[f"in{index}"] if damage != "wrong_shape" else source[f"in{index}"][..., :1])
        arguments += ["--input", str(path)]
    if damage == "missing":
        arguments = arguments[2:]
    if damage == "not_numpy":
        (tmp_path / "x0.npy").write_bytes(b"PK\x03\x04 not really an archive")
    if damage == "not_a_program":
        program = tmp_path / "x0.npy"
    if damage == "a_folder":
        program = tmp_path
    result = subprocess.run([MILLRACE, "run", str(program), *arguments], capture_output=True, text=True, timeout=60 * SLOWER)
    assert result.returncode == 1 and result.stderr
    assert damage != "a_folder" or f"{tmp_path}: cannot be read after 0 bytes: Is a directory" in result.stderr
