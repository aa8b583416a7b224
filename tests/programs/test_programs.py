"""Runs every program of this folder with bin/millrace, from bytecode and from text, against what XLA:CPU answered."""

import json
import os
import pathlib
import subprocess

import ml_dtypes
import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MILLRACE = os.environ.get("MILLRACE_TOOL", str(ROOT / "build" / "release" / "bin" / "millrace"))
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
    result = subprocess.run([MILLRACE, "run", str(program), *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, f"{result.stderr[-2000:]}\nexit status {result.returncode}"
    return result.stdout


def values(array, dtype):
    if dtype in RAW:
        return array.view(RAW[dtype]).astype(np.float32)
    return array


def check(got, wanted, entry, index):
    """Integers and truth values are equal; the rest is close, with NaN where NaN is wanted."""
    dtype = entry["outputs"][index]["dtype"]
    assert got.dtype == wanted.dtype and got.shape == wanted.shape
    got, wanted = values(got, dtype), values(wanted, dtype)
    message = f"output {index}, {dtype}{list(wanted.shape)}"
    if got.dtype.kind in "fc":
        np.testing.assert_allclose(got, wanted, rtol=entry["rtol"], atol=entry["atol"], err_msg=message)
    else:
        np.testing.assert_array_equal(got, wanted, err_msg=message)


@pytest.mark.parametrize("entry,form", cases())
def test_program(entry, form, tmp_path):
    archive = HERE / f"{entry['name']}.npz"
    arguments = ["--input", archive] if entry["inputs"] else []
    run(HERE / f"{entry['name']}.{form}", *arguments, "--output", tmp_path)
    expected = np.load(archive)
    for index in range(len(entry["outputs"])):
        check(np.load(tmp_path / f"out{index}.npy"), expected[f"out{index}"], entry, index)


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
    np.testing.assert_allclose(np.load(tmp_path / "out0.npy"), expected["out0"], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("damage", ["missing", "wrong_shape", "not_numpy", "not_a_program"])
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
    result = subprocess.run([MILLRACE, "run", str(program), *arguments], capture_output=True, text=True, timeout=60)
    assert result.returncode == 1 and result.stderr
